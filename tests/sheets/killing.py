"""A program that is meant to be killed: it forks one writer after another and kills each at a random moment.

`python -m tests.sheets.killing FILE SHEET ROUNDS SEED` prints the notes that were acknowledged before a writer died.
"""

from __future__ import annotations

import os
import random
import signal
import sys
import time


def write_until_killed(place: str, sheet: str, number: int, pipe: int) -> None:
    """Add one note after another; each is acknowledged only after the service has said that it is kept."""
    from companion.sheets.service import SheetService
    from companion.sheets.store import open_store

    service = SheetService(open_store(place))
    os.write(pipe, b"ready\n")
    for count in range(100_000):
        note = f"{number}-{count}"
        service.do(sheet, {"type": "write_note", "note": note}, key=note)
        os.write(pipe, f"{note}\n".encode())


def main(place: str, sheet: str, rounds: int, seed: int) -> None:
    """Kill so many writers and print what they had acknowledged."""
    import companion.sheets.service
    import companion.sheets.sql  # noqa: F401  (loaded once, so that writers start at once)

    dice = random.Random(20261120 + seed)
    for number in range(rounds):
        reading, writing = os.pipe()
        writer = os.fork()
        if not writer:
            write_until_killed(place, sheet, number, writing)
        os.close(writing)
        heard, lines = b"", 1 + dice.randrange(3)  # counted, not timed: a slow machine must not kill them all too early
        while heard.count(b"\n") < lines:
            heard += os.read(reading, 65536)
        time.sleep(dice.uniform(0.0, 0.005))
        os.kill(writer, signal.SIGKILL)
        os.waitpid(writer, 0)
        while more := os.read(reading, 65536):
            heard += more
        os.close(reading)
        sys.stdout.write(heard.decode().removeprefix("ready\n"))


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4]))

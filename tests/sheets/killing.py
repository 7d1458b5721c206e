"""A program that is meant to be killed: it forks one writer after another and kills each at a random moment.

`python -m tests.sheets.killing FILE SHEET ROUNDS SEED` prints the notes that were acknowledged before a writer died.
"""

from __future__ import annotations

import os
import random
import signal
import sys
import time
from itertools import count


def write_until_killed(place: str, sheet: str, number: int, pipe: int) -> None:
    """Add one note after another; each is acknowledged only after the service has said that it is kept."""
    from companion.sheets.service import SheetService
    from companion.sheets.store import open_store

    service = SheetService(open_store(place))
    os.write(pipe, b"ready\n")
    for written in range(100_000):
        note = f"{number}-{written}"
        service.do(sheet, {"type": "write_note", "note": note}, key=note)
        os.write(pipe, f"{note}\n".encode())


def main(place: str, sheet: str, rounds: int, seed: int) -> None:
    """Kill writers and print what they had acknowledged: so many writers at least, and until so many notes were."""
    import companion.sheets.service
    import companion.sheets.sql  # noqa: F401  (loaded once, so that writers start at once)

    dice = random.Random(20261120 + seed)
    acknowledged = 0
    for number in count():
        if number >= rounds and acknowledged >= rounds:
            return
        reading, writing = os.pipe()
        writer = os.fork()
        if not writer:
            write_until_killed(place, sheet, number, writing)
        os.close(writing)
        heard, lines = b"", 1 + dice.randrange(3)  # counted, not timed: a slow machine must not kill them all too early
        while heard.count(b"\n") < lines:
            part = os.read(reading, 65536)
            if not part:
                sys.exit("a writer has ended by itself")
            heard += part
        time.sleep(dice.uniform(0.0, 0.005))
        os.kill(writer, signal.SIGKILL)
        os.waitpid(writer, 0)
        while more := os.read(reading, 65536):
            heard += more
        os.close(reading)
        notes = heard.decode().removeprefix("ready\n")
        acknowledged += notes.count("\n")
        sys.stdout.write(notes)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4]))

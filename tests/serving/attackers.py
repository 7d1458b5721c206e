"""Clients that attack a server from many addresses for some seconds: `python -m tests.serving.attackers KIND PORT ...`.

They are a process of their own, as a phone shares no interpreter with those who attack, and of a lower priority, as it
shares no processor with them. At the end the statuses of the answers are printed, each with its number.
"""

from __future__ import annotations

import http.client
import json
import os
import random
import socket
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Mapping
from functools import partial

from tests.serving.servers import asked

NICENESS = 5
LINE = b'{"sides":["NS","EW"],"deals":[{"NS":{"bid":5,"tricks":8},"EW":{"bid":6,"tricks":5}}]}\n'
NDJSON = "application/x-ndjson"
SCORE = "/api/v1/games/spades/score"
BATCH = f"{SCORE}/batch"
HEAD = "POST {} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 60000\r\n\r\n{{"


class Attack:
    """A process of attackers: a port, when they end, how hard they are (1 is what `make attack` does), their dice."""

    def __init__(self, port: int, seconds: float, hardness: float, seed: int, words: list[str]) -> None:
        self.port, self.end, self.hardness, self.words = port, time.monotonic() + seconds, hardness, words
        self.dice = random.Random(seed)
        self.statuses: Counter[str] = Counter()

    def number(self, many: int) -> int:
        """Return how many of what there would be many of."""
        return max(1, round(many * self.hardness))

    def connect(self, source: str) -> socket.socket:
        """Return a connection from an address of this machine."""
        return socket.create_connection(("127.0.0.1", self.port), timeout=20, source_address=(source, 0))

    def repeat(self, act: Callable[[], tuple[int, bytes]], *, times: int = 1_000_000, pause: float = 0) -> None:
        """Act again and again, and count the statuses."""
        for _ in range(times):
            if time.monotonic() > self.end:
                return
            try:
                self.statuses[str(act()[0])] += 1
            except (OSError, http.client.HTTPException) as fault:
                self.statuses[type(fault).__name__] += 1
                time.sleep(0.05)
            time.sleep(pause)

    def together(self, acts: list[Callable[[], object]]) -> None:
        """Run functions in threads until all are done."""
        threads = [threading.Thread(target=act, daemon=True) for act in acts]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()


def slow(attack: Attack) -> None:
    """200 half heads, 50 half bodies, 20 clients that ask for much and read nothing, opened anew where they are cut."""
    path = "/api/v1/sheets"
    heads = [("127.0.9.1", HEAD.format(path)[: attack.dice.randrange(10, 60)]) for _ in range(attack.number(200))]
    bodies = [("127.0.9.2", HEAD.format(path)) for _ in range(attack.number(50))]
    unread = [("127.0.9.3", "GET /api/v1/openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n" * 50)] * attack.number(20)
    wanted, held = [*heads, *bodies, *unread], {}
    while time.monotonic() < attack.end:
        for number, (source, text) in enumerate(wanted):
            try:
                if number not in held:
                    held[number] = attack.connect(source)
                    held[number].sendall(text.encode())
                elif source != "127.0.9.3":
                    held[number].setblocking(False)
                    if not held[number].recv(1):
                        raise ConnectionResetError
            except BlockingIOError:
                pass
            except OSError as fault:
                attack.statuses[type(fault).__name__] += 1
                if number in held:
                    held.pop(number).close()
        time.sleep(0.2)


def pipelined(attack: Attack) -> None:
    """250 KB of requests on each of three connections, one after another; answers are read as they come."""
    text = b"GET /api/v1/games HTTP/1.1\r\nHost: localhost\r\n\r\n"
    whole = text * (attack.number(250_000) // len(text))

    def send(source: str) -> None:
        while time.monotonic() < attack.end:
            try:
                with attack.connect(source) as connection:
                    reader = threading.Thread(target=_read, args=(connection, attack.end), daemon=True)
                    reader.start()
                    connection.sendall(whole)
                    reader.join()
                    attack.statuses["sent"] += 1
            except OSError as fault:
                attack.statuses[type(fault).__name__] += 1
                time.sleep(0.05)

    attack.together([partial(send, f"127.0.8.{number + 1}") for number in range(3)])


def _read(connection: socket.socket, end: float) -> None:
    connection.settimeout(1)
    try:
        while time.monotonic() < end and connection.recv(65536):
            pass
    except OSError:
        pass


def wrong(attack: Attack) -> None:
    """27 wrong scores a second, each of 4 KB with as many problems as it can have."""
    body = b'{"sides":["NS","EW"],"deals":[%s]}' % b",".join([b'{"a":1}'] * 500)
    ask = partial(asked, attack.port, "POST", SCORE, body, source="127.0.7.1")
    attack.repeat(ask, pause=1 / attack.number(27))


def logs(attack: Attack) -> None:
    """1,000 reads of the log of a sheet, by ten addresses; the words are the paths of its pages."""
    readers = [
        partial(asked, attack.port, "GET", attack.words[number % len(attack.words)], source=f"127.0.6.{number + 1}")
        for number in range(10)
    ]
    attack.together([partial(attack.repeat, reader, times=attack.number(100)) for reader in readers])


def heavy(attack: Attack) -> None:
    """20 clients with hostile imports and 16 with batches, each from an address of its own."""
    batch, file = LINE * attack.number(20_000), hostile_file()
    acts = [
        partial(asked, attack.port, "POST", BATCH, batch, source=f"127.0.1.{number + 1}", Content_Type=NDJSON)
        for number in range(16)
    ]
    acts += [
        partial(asked, attack.port, "POST", "/api/v1/sheets/import", file, source=f"127.0.2.{number + 1}")
        for number in range(20)
    ]
    attack.together([partial(attack.repeat, act, pause=0.1) for act in acts])


def hostile_file() -> bytes:
    """Return two megabytes that look like an exported sheet."""
    events = [{"seq": number, "data": {str(key): key for key in range(400)}} for number in range(1, 450)]
    return json.dumps({"format": "companion-sheet", "format_version": 1, "events": events}).encode()[: 2 * 1024 * 1024]


KINDS: Mapping[str, Callable[[Attack], None]] = {
    "slow": slow, "pipelined": pipelined, "wrong": wrong, "logs": logs, "heavy": heavy,
}  # fmt: skip


def main(kind: str, port: str, seconds: str, hardness: str, seed: str, *words: str) -> None:
    """Attack, and print the statuses."""
    os.nice(NICENESS)
    attack = Attack(int(port), float(seconds), float(hardness), int(seed), list(words))
    KINDS[kind](attack)
    sys.stdout.write(json.dumps(attack.statuses))


if __name__ == "__main__":
    main(*sys.argv[1:])

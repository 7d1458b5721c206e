"""Clients that attack a server from many addresses until they are ended: `python -m tests.serving.attackers`.

They are a process of their own, as a phone shares no interpreter with those who attack, and of a lower priority, as it
shares no processor with them.
"""

from __future__ import annotations

import http.client
import json
import os
import socket
import sys
import threading
import time
from collections.abc import Callable
from contextlib import closing
from functools import partial

NICENESS = 5
LINE = b'{"sides":["NS","EW"],"deals":[{"NS":{"bid":5,"tricks":8},"EW":{"bid":6,"tricks":5}}]}\n'
NDJSON = "application/x-ndjson"
BATCH = "/api/v1/games/spades/score/batch"
SECONDS_TO_WAIT = 60


def asked(
    port: int, method: str, path: str, body: bytes | None = None, *, source: str = "127.0.0.1", **headers: str
) -> tuple[int, bytes]:
    """The status and body of an answer to a client of that address."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=SECONDS_TO_WAIT, source_address=(source, 0))
    with closing(connection):
        names = {name.replace("_", "-"): value for name, value in headers.items()}
        connection.request(method, path, body, {"Content-Type": "application/json", **names})
        answer = connection.getresponse()
        return answer.status, answer.read()


def hostile_file() -> bytes:
    """Two megabytes that look like an exported sheet."""
    events = [{"seq": number, "data": {str(key): key for key in range(400)}} for number in range(1, 450)]
    return json.dumps({"format": "companion-sheet", "format_version": 1, "events": events}).encode()[: 2 * 1024 * 1024]


def main(port: int, silent: int, batches: int, imports: int, lines: int) -> None:
    """Attack until the process is ended."""
    os.nice(NICENESS)
    kept = []
    for number in range(silent):
        quiet = socket.create_connection(("127.0.0.1", port), source_address=("127.0.0.9", 0))
        quiet.sendall(
            f"POST {BATCH} HTTP/1.1\r\nHost: a\r\nContent-Length: 60000\r\n\r\n{{".encode()[: 20 + 9 * number]
        )
        kept.append(quiet)
    full, file = LINE * lines, hostile_file()
    acts = [
        *(
            partial(asked, port, "POST", BATCH, full, source=f"127.0.1.{number + 1}", Content_Type=NDJSON)
            for number in range(batches)
        ),
        *(
            partial(asked, port, "POST", "/api/v1/sheets/import", file, source=f"127.0.2.{number + 1}")
            for number in range(imports)
        ),
    ]
    for act in acts:
        threading.Thread(target=_repeat, args=(act,), daemon=True).start()
    sys.stdout.write("attacking\n")
    sys.stdout.flush()
    sys.stdin.read()


def _repeat(act: Callable[[], object]) -> None:
    while True:
        try:
            act()
        except (OSError, http.client.HTTPException):
            time.sleep(0.05)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))

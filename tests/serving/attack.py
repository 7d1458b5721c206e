"""`make attack`: a phone keeps an evening while others attack, behind nginx and on granian alone; prints what it saw.

Each attack is bounded in time and number, and everything listens on 127.0.0.1. `python -m tests.serving.attack [SEED]`.
"""

from __future__ import annotations

import json
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, closing
from dataclasses import dataclass, field
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.serving.attackers import KINDS
from tests.serving.servers import ROOT, asked, busy, proxied, resident, serving
from tests.sheet_client import NAMES, correct, record

PROBE_SECONDS = 0.3
"""In which 99 of 100 probes of /healthz are to be answered."""
MOST_MEGABYTES = 500
MOST_GROWTH = 1.5
ALIVE = b'{"status":"ok"}'
WAIT = 10.0
"""Seconds after which a probe gives up, and counts as having taken so long."""
ALONE = tuple(kind for kind in KINDS if kind != "slow")
"""What granian holds without a proxy; docs/security.md says what slow clients do to it."""


@dataclass(slots=True)
class Seen:
    """What was seen of one attack, and of the whole: seconds of probes, megabytes before and after, deals."""

    attack: str
    probes: list[float] = field(default_factory=list)
    statuses: Counter[str] = field(default_factory=Counter)
    before: int = 0
    after: int = 0
    acknowledged: int = 0
    lost: int = 0

    def slowest(self, hundredths: int) -> float:
        """Return the seconds in which so many of a hundred probes were answered."""
        return sorted(self.probes)[min(len(self.probes) * hundredths // 100, len(self.probes) - 1)]

    def __str__(self) -> str:
        statuses = " ".join(f"{status}:{count}" for status, count in sorted(self.statuses.items()))
        times = " ".join(f"{self.slowest(part) * 1000:6.0f}" for part in (50, 99, 100))
        memory = f"{self.before:4} -> {self.after:4} MB"
        deals = f"{self.acknowledged:4} deals, {self.lost} lost"
        return f"{self.attack:<13} {len(self.probes):5} probes {times} ms  {memory}  {deals}  {statuses}"


class Phone(threading.Thread):
    """A phone that records deal after deal, eight on a sheet, until it is told to stop."""

    def __init__(self, port: int) -> None:
        super().__init__(daemon=True)
        self._port, self._over = port, threading.Event()
        self.recorded: dict[str, tuple[dict[str, str], int]] = {}
        self.refused: Counter[str] = Counter()

    def run(self) -> None:
        while not self._over.is_set():
            address, headers = opened(self._port)
            for number in range(8):
                body = json.dumps(record(4, 6, 4)).encode()
                while not self._over.is_set():
                    try:
                        key = f"deal-{number}"
                        status, _ = asked(self._port, "POST", f"{address}/events", body, Idempotency_Key=key, **headers)
                    except OSError as fault:
                        status, _ = 0, self.refused.update([type(fault).__name__])
                    if status == 201:
                        self.recorded[address] = headers, number + 1
                        break
                    self.refused[str(status)] += 1
                    time.sleep(0.05)
                time.sleep(0.05)

    def stop(self) -> tuple[int, int]:
        """Record no more; return how many deals were acknowledged, and how many of them are not there."""
        self._over.set()
        self.join()
        lost = 0
        for address, (headers, deals) in self.recorded.items():
            _, answer = asked(self._port, "GET", f"{address}/events?limit=100", None, **headers)
            kept = [entry for entry in json.loads(answer)["events"] if entry["kind"] == "deal_recorded"]
            lost += deals - len(kept) if len(kept) < deals else 0
        return sum(deals for _, deals in self.recorded.values()), lost


def opened(port: int) -> tuple[str, dict[str, str]]:
    """Return the address of a new sheet, and the headers of its keeper."""
    sheet = open_sheet(port)
    return f"/api/v1/sheets/{sheet['id']}", {"Authorization": f"Bearer {sheet['secrets']['score']}", "If-Match": "*"}


def open_sheet(port: int) -> dict[str, dict[str, str]]:
    """Return a new sheet with its secrets; while the server is busy, ask again."""
    body = json.dumps({"seats": NAMES, "game": "spades"}).encode()
    for _ in range(200):
        status, answer = asked(port, "POST", "/api/v1/sheets", body)
        if status == 201:
            sheet: dict[str, dict[str, str]] = json.loads(answer)
            return sheet
        time.sleep(0.1)
    raise RuntimeError(f"no sheet can be opened: {status}")


def corrected_sheet(port: int, corrections: int) -> list[str]:
    """Return the pages of a sheet with so many corrections of one deal."""
    sheet = open_sheet(port)
    headers = {"Authorization": f"Bearer {sheet['secrets']['score']}", "If-Match": "*"}
    address = f"/api/v1/sheets/{sheet['id']}/events"
    commands = [record(4, 6, 4), *(correct(1, 4, 5 + number % 2, 4) for number in range(corrections))]
    for number, command in enumerate(commands):
        status, answer = asked(
            port, "POST", address, json.dumps(command).encode(), Idempotency_Key=f"c-{number}", **headers
        )
        if status != 201:
            raise RuntimeError(f"{status} for correction {number}: {answer!r:.300}")
    secret = sheet["secrets"]["watch"]
    return [f"/en/watch/{secret}/log", f"/ja/watch/{secret}/log"]


def attacks(
    folder: Path, *, proxy: bool, seconds: float, hardness: float, seed: int, kinds: tuple[str, ...] = tuple(KINDS)
) -> Iterator[Seen]:
    """Yield what was seen of each attack, and at last of all of them."""
    with ExitStack() as stack:
        settings = {"COMPANION_RATE_LIMIT": "6000 per minute", "COMPANION_PROXIES": "1" if proxy else "0"}
        behind, process = stack.enter_context(serving(folder, **settings))
        port = stack.enter_context(proxied(folder / "nginx", behind)) if proxy else behind
        for _ in range(60):
            if not busy(process.pid):
                break
        words = corrected_sheet(port, max(10, round(950 * hardness)))
        for page in words:
            asked(port, "GET", page)
        whole = Seen("behind nginx" if proxy else "granian alone", before=resident(process.pid))
        for number, kind in enumerate(kinds):
            seen, phone = Seen(kind, before=resident(process.pid)), Phone(port)
            phone.start()
            command = [kind, str(port), str(seconds), str(hardness), str(seed + number), *words]
            attackers = subprocess.Popen(
                [sys.executable, "-m", "tests.serving.attackers", *command], cwd=ROOT, stdout=subprocess.PIPE
            )
            try:
                _probe(port, seen, attackers, time.monotonic() + 3 * seconds + 30)
            finally:
                attackers.kill()
            answer, _ = attackers.communicate()
            seen.statuses.update(json.loads(answer or b"{}"))
            seen.acknowledged, seen.lost = phone.stop()
            seen.after = resident(process.pid)
            for total in ("acknowledged", "lost"):
                setattr(whole, total, getattr(whole, total) + getattr(seen, total))
            whole.probes += seen.probes
            yield seen
        whole.after = resident(process.pid)
        yield whole


def _probe(port: int, seen: Seen, attackers: subprocess.Popen[bytes], end: float) -> None:
    """Ask whether the service lives until the attackers are done."""
    while attackers.poll() is None and time.monotonic() < end:
        began = time.monotonic()
        try:
            with closing(
                HTTPConnection("127.0.0.1", port, timeout=WAIT, source_address=("127.0.5.1", 0))
            ) as connection:
                connection.request("GET", "/healthz")
                took = time.monotonic() - began if connection.getresponse().read() == ALIVE else WAIT
        except (OSError, HTTPException):
            took = WAIT
        seen.probes.append(took)
        time.sleep(0.05)


def faults(seen: Seen) -> list[str]:
    """Return what is not as it should be."""
    found = []
    if seen.slowest(99) > PROBE_SECONDS:
        found.append(f"{seen.attack}: 99 of 100 probes took up to {seen.slowest(99):.2f} s")
    if seen.after > MOST_GROWTH * seen.before or seen.after > MOST_MEGABYTES:
        found.append(f"{seen.attack}: {seen.before} -> {seen.after} MB")
    if seen.lost or not seen.acknowledged:
        found.append(f"{seen.attack}: {seen.lost} of {seen.acknowledged} acknowledged deals lost")
    return found


def main(seed: int = 1) -> int:
    """Attack for some minutes; print what was seen, and return 1 if something is not as it should be."""
    found = []
    for proxy in (True, False):
        with TemporaryDirectory() as folder:
            for seen in attacks(Path(folder), proxy=proxy, seconds=20, hardness=1, seed=seed):
                sys.stdout.write(f"{'nginx' if proxy else 'alone'}  {seen}\n")
                sys.stdout.flush()
                held = proxy or (seen.attack in ALONE)
                found += faults(seen) if held else []
    sys.stdout.write("".join(f"NOT HELD  {fault}\n" for fault in found) or "all held\n")
    return int(bool(found))


if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:])))

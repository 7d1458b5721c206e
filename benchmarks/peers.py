"""Programs by others that answer the same question, measured beside ours in the same run.

They live in an environment of their own (`make peers`). A row whose peer is not installed says so. `against` is what a
row needs: the tasks it can name are in `benchmarks/peer_tasks.py`.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable
from pathlib import Path
from types import TracebackType

from benchmarks.measure import best_in_turn, seconds_once
from benchmarks.peer_tasks import MISSING, READY

ROOT = Path(__file__).resolve().parent.parent
PYTHON = Path(os.environ.get("BENCHMARK_PEERS", ROOT / ".venv-peers")) / "bin" / "python"


def against(peer: str, task: str, call: Callable[[], object], *, times: int, units: int = 1) -> float | None:
    """Return our CPU time as a multiple of a peer's, the best of several rounds in turn; None without the peer.

    `call` does `units` of what the task counts as one (a position, a deal, a move); `times` is the number of calls in
    a round.
    """
    try:
        with Peer(peer) as other:
            ours, theirs = best_in_turn(lambda: seconds_once(call, times) / units, lambda: other.seconds(task))
    except PeerMissing:
        return None
    return ours / theirs


class PeerMissing(Exception):
    """A peer that is not installed."""


class Peer:
    """A process in which one peer does its tasks: `with Peer("open_spiel") as peer: peer.seconds("legal_actions")`.

    Entering raises PeerMissing if the peer is not installed.
    """

    def __init__(self, name: str) -> None:
        self.name = name

    def __enter__(self) -> Peer:
        if not PYTHON.exists():
            raise PeerMissing(self.name)
        self._process = subprocess.Popen(
            [PYTHON, "-m", "benchmarks.peer_tasks", self.name],
            cwd=ROOT, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        )  # fmt: skip
        answer = self._answer()
        if answer == READY:
            return self
        self.__exit__(None, None, None)
        if answer == MISSING:
            raise PeerMissing(self.name)
        raise RuntimeError(f"{self.name} could not be started")

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.wait()

    def seconds(self, task: str) -> float:
        """Return the CPU seconds of one unit of a task, from one round of it."""
        assert self._process.stdin is not None
        self._process.stdin.write(f"{task}\n")
        self._process.stdin.flush()
        return float(self._answer())

    def _answer(self) -> str:
        assert self._process.stdout is not None
        return self._process.stdout.readline().strip()

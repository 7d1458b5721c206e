"""Threads that run functions for an event loop."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable
from queue import SimpleQueue
from typing import Any, ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")

SLICE = 0.004
"""Seconds that long work may go on before it looks whether others wait."""
LONGEST_PAUSE = 0.04
"""Seconds after which it goes on although others are still there: it keeps a tenth of the time whatever they do."""
_STEP = 0.001


class Workers:
    """A fixed number of threads. The executors of the standard library do the same with twice the switches.

    Threads share one interpreter: a call that takes long lets those that do not go first by calling `give_way`.
    """

    def __init__(self, threads: int, name: str) -> None:
        self._queue: SimpleQueue[tuple[asyncio.Future[Any], Callable[..., object], tuple[object, ...]]] = SimpleQueue()
        self._short = 0
        self._counting = threading.Lock()
        self._long = threading.local()
        for number in range(threads):
            threading.Thread(target=self._work, name=f"{name}-{number}", daemon=True).start()

    @property
    def waiting(self) -> int:
        """The number of calls that wait for a thread."""
        return self._queue.qsize()

    def run(self, function: Callable[..., T], *arguments: object) -> asyncio.Future[T]:
        """Return the result of a function to come. Called in the thread of the event loop."""
        future: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        self._count(1)
        self._queue.put((future, function, arguments))
        return future

    def give_way(self) -> None:
        """Wait a moment while short calls wait or run. Called again and again by a call that takes long."""
        now = time.monotonic()
        until = getattr(self._long, "until", None)
        if until is None:
            self._count(-1)
            self._long.until = now + SLICE
        elif now >= until:
            end = now + LONGEST_PAUSE
            while self._short > 0 and now < end:
                time.sleep(_STEP)
                now = time.monotonic()
            self._long.until = now + SLICE

    def _count(self, change: int) -> None:
        with self._counting:
            self._short += change

    def _work(self) -> None:
        while True:
            future, function, arguments = self._queue.get()
            result: object = None
            failure: BaseException | None = None
            try:
                result = function(*arguments)
            except BaseException as raised:
                failure = raised
            if vars(self._long).pop("until", None) is None:
                self._count(-1)
            try:
                future.get_loop().call_soon_threadsafe(_settle, future, result, failure)
            except RuntimeError:
                return  # the server has stopped
            del future, function, arguments, result, failure  # not kept until the next call


def _settle(future: asyncio.Future[Any], result: object, failure: BaseException | None) -> None:
    if future.done():
        return
    if failure is None:
        future.set_result(result)
    else:
        future.set_exception(failure)

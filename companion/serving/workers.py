"""Threads that run functions for an event loop."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from queue import SimpleQueue
from typing import Any, TypeVar

T = TypeVar("T")


class Workers:
    """A fixed number of threads. The executors of the standard library do the same with twice the switches."""

    def __init__(self, threads: int, name: str) -> None:
        self._queue: SimpleQueue[tuple[asyncio.Future[Any], Callable[..., object], tuple[object, ...]]] = SimpleQueue()
        for number in range(threads):
            threading.Thread(target=self._work, name=f"{name}-{number}", daemon=True).start()

    @property
    def waiting(self) -> int:
        """The number of calls that wait for a thread."""
        return self._queue.qsize()

    def run(self, function: Callable[..., T], *arguments: object) -> asyncio.Future[T]:
        """Return the result of a function to come. Called in the thread of the event loop."""
        future: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        self._queue.put((future, function, arguments))
        return future

    def _work(self) -> None:
        while True:
            future, function, arguments = self._queue.get()
            result: object = None
            failure: BaseException | None = None
            try:
                result = function(*arguments)
            except BaseException as raised:
                failure = raised
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

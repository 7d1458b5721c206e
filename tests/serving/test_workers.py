"""Threads that share one interpreter: long calls let short ones go first, and still come to their end."""

from __future__ import annotations

import asyncio
import threading
import time

from companion.serving import workers as module
from companion.serving.workers import Workers


def test_long_work_gives_way_to_short_calls_and_to_nothing_else() -> None:
    workers = Workers(3, "test")
    over, waited = threading.Event(), []

    def long() -> None:
        while not over.is_set():
            began = time.monotonic()
            workers.give_way()
            waited.append(time.monotonic() - began)
            time.sleep(0.0005)

    async def run() -> None:
        both = [workers.run(long), workers.run(long)]
        await asyncio.sleep(0.1)
        assert max(waited) < module.LONGEST_PAUSE / 2, "two long calls wait for each other"
        waited.clear()
        for _ in range(2):
            await workers.run(time.sleep, module.LONGEST_PAUSE * 2)
        over.set()
        await asyncio.gather(*both)

    asyncio.run(run())
    paused = [took for took in waited if took >= module.LONGEST_PAUSE * 0.9]
    assert len(paused) >= 4
    assert workers._short == 0


def test_what_fails_counts_no_longer() -> None:
    workers = Workers(1, "test")

    def fail() -> None:
        workers.give_way()
        raise ValueError

    async def run() -> None:
        for call in (fail, lambda: 1 / 0):
            await asyncio.gather(workers.run(call), return_exceptions=True)

    asyncio.run(run())
    assert workers._short == 0

"""Processes of lower priority for long work, so that the processor and the interpreter are left to short requests."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from multiprocessing import Pipe
from pickle import PicklingError
from queue import LifoQueue
from tempfile import SpooledTemporaryFile
from typing import IO, TYPE_CHECKING, ParamSpec, Protocol, TypeVar

if TYPE_CHECKING:
    from multiprocessing.connection import Connection  # a phone has no processes

P = ParamSpec("P")
T = TypeVar("T")

PROCESSES = 2
NICENESS = 10
"""What a helper adds to its niceness: where short requests want the processor, it has a tenth of it."""
LONGEST_CALL = 60.0
"""Seconds after which a helper that has not answered is ended."""
_IN_MEMORY = 1024 * 1024
_AT_ONCE = 64 * 1024


class HelperLost(Exception):
    """The process that did the work was ended, from outside or because it took too long."""


class Parts(Iterator[bytes], Protocol):
    """The parts of a response."""

    def close(self) -> None:
        """Take no more parts."""


class LongWork(Protocol):
    """How long work is done for a request."""

    def call(self, function: Callable[P, T], *arguments: P.args, **options: P.kwargs) -> T:
        """Return the result of a function of a module, raise what it raises. Raises HelperLost."""

    def ahead(self, parts: Parts) -> Parts:
        """Return the parts of a response; how slowly they are taken may not slow down their making."""


class InPlace:
    """Long work in the thread of the request, for servers other than this one."""

    def call(self, function: Callable[P, T], *arguments: P.args, **options: P.kwargs) -> T:
        """Return the result of a function."""
        return function(*arguments, **options)

    def ahead(self, parts: Parts) -> Parts:
        """Return the parts, each made when it is taken."""
        return parts


class Helpers:
    """Some processes for long work. Each is started when it is first needed, and ends with this one."""

    def __init__(self, processes: int = PROCESSES, longest_call: float = LONGEST_CALL) -> None:
        self._idle: LifoQueue[_Helper] = LifoQueue()
        for _ in range(processes):
            self._idle.put(_Helper(longest_call))

    def call(self, function: Callable[P, T], *arguments: P.args, **options: P.kwargs) -> T:
        """Return the result of a function of a module, raise what it raises; waits for an idle process.

        Raises HelperLost. Arguments, results and exceptions are pickled.
        """
        helper = self._idle.get()
        try:
            succeeded, result = helper.call((function, arguments, options))
        finally:
            self._idle.put(helper)
        if not succeeded:
            raise result  # type: ignore[misc]  # what the function has raised
        return result  # type: ignore[return-value]

    def ahead(self, parts: Parts) -> Parts:
        """Return the parts of a response, made in a thread of their own and kept until they are taken."""
        return _Ahead(parts)

    def close(self) -> None:
        """End the processes that are idle."""
        while not self._idle.empty():
            self._idle.get().end()


class _Helper:
    """One process. Called by one thread at a time."""

    def __init__(self, longest_call: float) -> None:
        self._longest_call = longest_call
        self._started: tuple[subprocess.Popen[bytes], Connection] | None = None

    def call(self, work: object) -> tuple[bool, object]:
        """Return whether a function, given with its arguments, succeeded, and its result or what it raised."""
        self._started = self._started or _start()
        _, connection = self._started
        try:
            connection.send(work)
            if connection.poll(self._longest_call):
                answer: tuple[bool, object] = connection.recv()
                return answer
        except (EOFError, OSError):
            pass
        self.end()
        raise HelperLost

    def end(self) -> None:
        """End the process; the next call starts another."""
        if self._started:
            process, connection = self._started
            self._started = None
            connection.close()
            process.kill()
            process.wait()


def _start() -> tuple[subprocess.Popen[bytes], Connection]:
    connection, other = Pipe()
    command = [sys.executable, "-m", "companion.serving.helpers", str(other.fileno())]
    with other:
        process = subprocess.Popen(command, pass_fds=[other.fileno()], start_new_session=True)  # noqa: S603  # this file
    return process, connection


class _Ahead:
    """Parts of a response in a file that a thread writes at its end while others read it."""

    def __init__(self, parts: Parts) -> None:
        self._file: IO[bytes] = SpooledTemporaryFile(_IN_MEMORY)  # noqa: SIM115  # closed by whoever is last
        self._changed = threading.Condition()
        self._size = self._taken = 0
        self._made = self._closed = False
        self._fault: BaseException | None = None
        threading.Thread(target=self._make, args=(parts,), name="ahead", daemon=True).start()

    def __iter__(self) -> Iterator[bytes]:
        return self

    def __next__(self) -> bytes:
        with self._changed:
            self._changed.wait_for(lambda: self._size > self._taken or self._made)
            if self._size > self._taken:
                self._file.seek(self._taken)
                part = self._file.read(_AT_ONCE)
                self._taken += len(part)
                return part
        raise self._fault or StopIteration

    def close(self) -> None:
        """Take no more parts."""
        with self._changed:
            self._closed = True
            if self._made:
                self._file.close()

    def _make(self, parts: Parts) -> None:
        try:
            for part in parts:
                with self._changed:
                    if self._closed:
                        break
                    self._file.seek(self._size)
                    self._file.write(part)
                    self._size += len(part)
                    self._changed.notify_all()
        except BaseException as fault:
            self._fault = fault
        finally:
            parts.close()
            with self._changed:
                self._made = True
                self._changed.notify_all()
                if self._closed:
                    self._file.close()


def main(number: int) -> None:
    """Do what comes by the connection of this number, until its other end is closed."""
    from multiprocessing.connection import Connection

    os.nice(NICENESS)
    with Connection(number) as connection, suppress(EOFError, OSError):
        while True:
            function, arguments, options = connection.recv()
            try:
                answer = True, function(*arguments, **options)
            except BaseException as fault:
                answer = False, fault
            try:
                connection.send(answer)
            except (TypeError, AttributeError, PicklingError) as fault:
                connection.send((False, RuntimeError(type(fault).__name__)))
            del function, arguments, options, answer  # not kept until the next call


if __name__ == "__main__":
    main(int(sys.argv[1]))

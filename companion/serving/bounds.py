"""What one connection and one address may hold of the server: time, bytes, connections."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Bounds:
    """Limits of the server; times in seconds, sizes in bytes, rates in bytes per second."""

    head_seconds: float = 10.0
    """From the first byte of a request, or from the connection, to the end of its headers."""
    head_bytes: int = 64 * 1024
    body_seconds: float = 10.0
    """For a body of any size; each byte received extends the time by what it takes at `rate`."""
    rate: int = 4096
    """The least rate at which a client must send a body and take an answer: a tenth of slow 3G."""
    step_seconds: float = 5.0
    """How often a client that is slow to take its answer is looked at."""
    idle_seconds: int = 20
    """How long a connection is kept open between two requests."""
    connections: int = 256
    """Open connections of one address; 0 for any number, for a server that sees only its proxy's address."""
    connections_in_all: int = 4096
    large_body: int = 256 * 1024
    """Bodies larger than this count against the next two."""
    held: int = 96 * 1024 * 1024
    """Bytes of large bodies that one address may have the server hold at once."""
    held_in_all: int = 512 * 1024 * 1024
    threads: int = 8
    """Few enough that a burst queues instead of fighting over one interpreter."""
    queue: int = 512
    """Requests that wait for a thread; more are refused at once."""


class Shares:
    """How much of something each address holds, and all of them together. Used by one thread alone."""

    def __init__(self, each: int, in_all: int) -> None:
        self._each = each
        self._in_all = in_all
        self._held: Counter[str] = Counter()
        self._sum = 0

    def take(self, address: str, amount: int = 1) -> bool:
        """Take an amount for an address; return False, and take nothing, if that would be too much."""
        if self._sum + amount > self._in_all or (self._each and self._held[address] + amount > self._each):
            return False
        self._held[address] += amount
        self._sum += amount
        return True

    def give_back(self, address: str, amount: int = 1) -> None:
        """Give back what an address has taken."""
        self._sum -= amount
        self._held[address] -= amount
        if self._held[address] <= 0:
            del self._held[address]

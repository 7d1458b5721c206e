"""Brute force over physical cards: every capture there is for one card. Slow and plain on purpose."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, lru_cache

VALUES = {"A": 1, "J": 11, "Q": 12, "K": 13} | {str(n): n for n in range(2, 11)}


def rank_of(card: str) -> str:
    return card[:-1]


@cache
def all_captures(table: tuple[str, ...], card: str, value: int) -> frozenset[frozenset[str]]:
    """Every set of loose cards that the card takes under the Swazi rules, the empty one included."""
    groups = [frozenset(one) for one in _subsets(table) if _is_set(one, card, value)]
    found: set[frozenset[str]] = set()

    def extend(taken: frozenset[str], start: int) -> None:
        if taken in seen[start]:
            return
        seen[start].add(taken)
        found.add(taken)
        for place in range(start, len(groups)):
            if not groups[place] & taken:
                extend(taken | groups[place], place + 1)

    seen: list[set[frozenset[str]]] = [set() for _ in range(len(groups) + 1)]
    extend(frozenset(), 0)
    return frozenset(found)


def _is_set(cards: Sequence[str], card: str, value: int) -> bool:
    if len(cards) == 1:
        return rank_of(cards[0]) == rank_of(card) or VALUES[rank_of(cards[0])] == value
    return sum(VALUES[rank_of(one)] for one in cards) == value


@lru_cache(maxsize=4)
def _masks(count: int) -> tuple[tuple[int, ...], ...]:
    return tuple(tuple(i for i in range(count) if mask >> i & 1) for mask in range(1, 1 << count))


def _subsets(table: Sequence[str]) -> list[tuple[str, ...]]:
    return [tuple(table[i] for i in places) for places in _masks(len(table))]

"""The search of the rule book, answered in JSON."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from companion.engine.options import HouseRules
from companion.engine.reading import Node
from companion.games import GAMES
from companion.library.asking import read_house
from companion.rulebook.answers import Json
from companion.rulebook.search import search
from companion.rulebook.search_answers import answers, found_answer


def answer_search(
    query: str,
    lang: str,
    *,
    games: Sequence[str] = (),
    house: HouseRules[object] | None = None,
    kinds: Sequence[str] = (),
    limit: int = 20,
    passed: int = 0,
) -> tuple[Json, bool]:
    """Return what answers a query, from the result after `passed` on, and whether there is more.

    `house` are rules of the one game in `games`.
    """
    found = search(lang, query, games=games, house=house, kinds=kinds, limit=passed + limit + 1)
    page = replace(found, hits=found.hits[passed : passed + limit])
    given = list(answers(page, lang, house, *games))
    return found_answer(page, given), len(found.hits) > passed + limit


def read_code(node: Node, games: Sequence[str]) -> HouseRules[object] | None:
    """Return house rules of the one game that was asked for; None if none are given. Problems go to the node."""
    if not node.present:
        return None
    if not games or games[0] not in GAMES:
        node.fault("unknown-key", contextual=True, key="rules")
        return None
    return read_house(GAMES[games[0]], node)

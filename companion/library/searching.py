"""The search of the rule book, answered in JSON."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from companion.engine.options import HouseRules
from companion.engine.problems import Problem, Refused
from companion.engine.shapes import Attributes, OpenShape, ReadContext
from companion.games import GAMES
from companion.rulebook.answers import Json
from companion.rulebook.search import answers, found_answer, search


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


class HouseRulesParameters(OpenShape[Attributes]):
    """Parameters with the code of a table's house rules under `rules`; what is read has them decoded, too, as `house`.

    The game is under `game`, unless `game_of` says otherwise.
    """

    checks_parts = True

    def game_of(self, data: Attributes, context: ReadContext) -> str | None:
        """Return the game that was asked for. Raises KeyError where that could not be read."""
        game: str | None = data["game"]
        return game

    def check(self, data: Attributes, context: ReadContext) -> Iterable[Problem]:
        """Return what is wrong with the code."""
        try:
            self._house(data, context)
        except Refused as refused:
            return refused.problems
        except KeyError:  # the game, or the code, has a problem of its own
            return ()
        return ()

    def make(self, data: Attributes, context: ReadContext) -> Attributes:
        """Return the parameters with the house rules; None without a code."""
        return {**data, "house": self._house(data, context)}

    def _house(self, data: Attributes, context: ReadContext) -> HouseRules[object] | None:
        code, game = data["rules"], self.game_of(data, context)
        if code is None:
            return None
        if game is None or game not in GAMES:
            raise Refused([Problem(("rules",), "unknown-key", {"key": "rules"}, contextual=True)])
        return GAMES[game].options.decode(code, pointer=("rules",))

"""The plain pad scored by a second hand: a thousand random evenings, and what is refused."""

from __future__ import annotations

import random
from itertools import accumulate
from typing import Any

import pytest

from companion.engine.game import score
from companion.engine.problems import Refused
from companion.games import GAMES
from companion.library import Absent, answering

PAD = GAMES["pad"]
EVENINGS = 1_000


def expected(columns: list[list[int]], rules: dict[str, Any]) -> tuple[int, list[int], list[int]]:
    """Return after which round it ends (0: not at all), the totals there, and the places of the winners.

    Written from the articles alone: whole columns are summed up, then the first round at which anything ends is sought.
    """
    totals = list(zip(*(accumulate(column) for column in columns), strict=True))
    ends = [number for number, row in enumerate(totals, 1) if rules["target"] and max(row) >= rules["target"]]
    ends += [rules["rounds"]] if rules["rounds"] and rules["rounds"] <= len(totals) else []
    last = min(ends, default=0)
    row = list(totals[last - 1] if last else totals[-1])
    best = sorted(row, reverse=not rules["lower_wins"])[0]
    return last, row, [place for place, total in enumerate(row) if total == best] if last else []


@pytest.mark.parametrize("lower_wins", [False, True])
def test_random_evenings_are_scored_as_the_articles_say(lower_wins: bool) -> None:
    dice, ended, level, open_ = random.Random(lower_wins), 0, 0, 0
    for _ in range(EVENINGS // 2):
        rules = {
            "lower_wins": lower_wins, "negative": dice.random() < 0.7,
            "target": dice.choice([None, 1, 20, 100, 1_000]), "rounds": dice.choice([None, 1, 3, 10]),
        }  # fmt: skip
        sides, most = "ABCDEFGHIJKL"[: dice.randint(2, 12)], dice.choice([2, 30, 99_999])
        low = -most if rules["negative"] else 0
        columns = [[dice.randint(low, most) for _ in range(12)] for _ in sides]
        last, totals, winners = expected(columns, rules)
        played = [
            {side: {"points": column[place]} for side, column in zip(sides, columns, strict=True)}
            for place in range(last or 12)
        ]
        ledger = score(PAD, {"rules": {"options": rules}, "sides": list(sides), "deals": played})[1]
        assert [ledger.standing[side].total for side in sides] == totals, rules
        assert ledger.outcome.over == bool(last)
        assert ledger.outcome.winners == tuple(sides[place] for place in winners)
        for deal, facts in zip(ledger.deals, played, strict=True):
            assert [(side, [line.points for line in one.lines]) for side, one in deal.sides.items()] == [
                (side, [entered["points"]]) for side, entered in facts.items()
            ]
        if last and last < 12:
            with pytest.raises(Refused, match="game-over"):
                score(PAD, {"rules": {"options": rules}, "sides": list(sides), "deals": [*played, played[0]]})
        ended, level, open_ = ended + bool(last), level + (len(winners) > 1), open_ + (not last)
    assert ended > 200
    assert level > 20
    assert open_ > 20


@pytest.mark.parametrize("ask", [answering(name) for name in ("check", "moves", "replay")])
def test_nothing_is_judged(ask: Any) -> None:
    with pytest.raises(Absent):
        ask(PAD, {"position": {}, "move": {}}, "en")

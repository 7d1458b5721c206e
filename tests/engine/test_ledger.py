"""Ledgers: deals folded in order, with what is void, adjusted, recorded anyway, or after the end."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import pytest

from companion.engine.ledger import (
    NOT_SEEN,
    Accepted,
    Adjustment,
    Before,
    Deal,
    Ledger,
    Line,
    Outcome,
    Side,
    SideScore,
    Standing,
    keep_ledger,
)
from companion.engine.problems import Problem, Refused

SIDES = (Side("A"), Side("B"))


class Counting:
    """A game of bare numbers: odd facts can be recorded anyway, 13 never, 100 wins, 50 each tie."""

    game = "counting"

    def check(self, rules: Any, sides: Sequence[Side], facts: Mapping[str, int], before: Before) -> Iterator[Problem]:
        for side in sides:
            if facts[side.id] % 2:
                yield Problem((side.id,), "odd", {}, "counting.even", acceptable=facts[side.id] != 13)
            if facts[side.id] > 50:
                yield Problem((side.id,), "much", {}, "counting.even", warning=True)

    def score(
        self, rules: Any, sides: Sequence[Side], facts: Mapping[str, int], before: Before
    ) -> Mapping[str, SideScore]:
        return {
            side.id: SideScore(
                (Line("counting.fact", facts[side.id]),),
                Standing(before.standing[side.id].total + facts[side.id], {"deals": before.scored + 1}),
            )
            for side in sides
        }

    def outcome(self, rules: Any, facts: Any, standing: Mapping[str, Standing], before: Before) -> Outcome:
        winners = tuple(side for side, at in standing.items() if at.total >= 100)
        tied = len({at.total for at in standing.values()}) == 1 and standing["A"].total >= 50
        return Outcome(bool(winners), winners, "counting.end" if winners else "counting.tie" if tied else None)


def keep(*deals: Deal[dict[str, int]], **named: Any) -> Ledger:
    return keep_ledger(Counting(), None, SIDES, deals, tallies=("deals",), **named)


def deal(a: int, b: int, **named: Any) -> Deal[dict[str, int]]:
    return Deal({"A": a, "B": b}, **named)


def test_deals_are_folded_in_order() -> None:
    ledger = keep(deal(2, 4), deal(10, -20))
    assert [entry.sides["A"].standing.total for entry in ledger.deals] == [2, 12]
    assert ledger.standing == {"A": Standing(12, {"deals": 2}), "B": Standing(-16, {"deals": 2})}
    assert ledger.deals[1].sides["B"].points == -20
    assert ledger.outcome == Outcome()


def test_nothing_played_yet() -> None:
    ledger = keep()
    assert ledger.deals == ()
    assert ledger.standing == {"A": Standing(0, {"deals": 0}), "B": Standing(0, {"deals": 0})}


def test_opening() -> None:
    ledger = keep(deal(2, 4), opening={"A": Standing(50, {"deals": 7})})
    assert ledger.standing["A"].total == 52
    assert ledger.standing["B"].total == 4


def test_void_deal_leaves_everything_as_it_was() -> None:
    ledger = keep(deal(2, 4), Deal(None), deal(2, 4))
    void = ledger.deals[1]
    assert void.status == "void"
    assert all(score.lines == () and score.points == 0 for score in void.sides.values())
    assert ledger.standing["A"] == Standing(4, {"deals": 2})


def test_adjustments_are_lines_that_count_towards_the_end() -> None:
    adjusted = deal(90, 4, adjustments=(Adjustment("A", 15, "a gift"), Adjustment("A", -5, "half back")))
    ledger = keep(adjusted)
    assert [(line.article, line.points) for line in ledger.deals[0].sides["A"].lines] == [
        ("counting.fact", 90), ("counting.adjustment", 15), ("counting.adjustment", -5)
    ]  # fmt: skip
    assert ledger.deals[0].sides["A"].points == ledger.standing["A"].total == 100
    assert ledger.outcome.winners == ("A",)


def test_every_problem_of_the_first_bad_deal_is_told() -> None:
    with pytest.raises(Refused) as caught:
        keep(deal(2, 2), deal(3, 13), deal(5, 5))
    assert [problem.path() for problem in caught.value.problems] == ["/deals/1/A", "/deals/1/B"]


def test_accepted_problem_becomes_a_warning_with_its_reason() -> None:
    ledger = keep(deal(3, 4, accepted=(Accepted("odd", "agreed"),)))
    (warned,) = ledger.deals[0].warnings
    assert (warned.problem.code, warned.problem.path(), warned.reason) == ("odd", "/deals/0/A", "agreed")
    assert ledger.standing["A"].total == 3


@pytest.mark.parametrize(
    "bad", [deal(3, 4, accepted=(Accepted("even", "no"),)), deal(13, 4, accepted=(Accepted("odd", "no"),))]
)
def test_what_is_not_accepted_or_cannot_be_stays_refused(bad: Deal[dict[str, int]]) -> None:
    with pytest.raises(Refused):
        keep(bad)


def test_warning_stops_nothing() -> None:
    (warned,) = keep(deal(60, 4)).deals[0].warnings
    assert (warned.problem.code, warned.reason) == ("much", None)


def test_deal_after_the_end_is_refused() -> None:
    with pytest.raises(Refused) as caught:
        keep(deal(100, 0), deal(2, 2))
    (problem,) = caught.value.problems
    assert (problem.path(), problem.code, problem.article) == ("/deals/1", "game-over", "counting.end")


def test_deal_after_the_end_can_be_marked() -> None:
    ledger = keep(deal(100, 0), deal(2, 2), Deal(None), after_end="mark")
    assert [entry.status for entry in ledger.deals] == ["scored", "after-end", "after-end"]
    assert ledger.standing["A"].total == 100
    assert ledger.outcome.winners == ("A",)


def test_rules_that_change_keep_the_totals_and_the_tallies_still_counted() -> None:
    ledger = keep(deal(2, 2), deal(2, 2), changes={1: (None, ("other",))})
    assert ledger.standing["A"].total == 4


def test_a_ledger_goes_on_from_the_one_of_its_first_deals() -> None:
    deals = [deal(2, 4), deal(1, 2), Deal(None), deal(60, 4), deal(40, 0), deal(2, 2)]
    opening = {"A": Standing(1, {"deals": 7})}
    whole = keep(*deals, opening=opening, after_end="mark", lenient=True)
    assert whole.outcome.over
    for place in range(len(deals)):
        earlier = keep(*deals[:place], opening=opening, after_end="mark", lenient=True)
        assert earlier.until(place) == earlier
        rest = deals[place:]
        assert keep(*rest, opening=opening, after_end="mark", lenient=True, earlier=earlier) == whole
        if 0 < place < 5:
            for more in (4, 5):
                found = keep(*deals[:more], opening=opening, lenient=True).until(place)
                assert found == earlier
                assert found.outcome == earlier.outcome


def test_a_tie_is_still_known_once_the_deal_after_it_is_gone() -> None:
    ledger = keep(deal(50, 50), deal(2, 4))
    assert (ledger.outcome, ledger.until(1)) == (Outcome(), keep(deal(50, 50)))
    assert keep(deal(50, 50)).outcome == Outcome(False, (), "counting.tie")


def test_what_the_table_gives_beside_a_void_deal_counts_towards_the_end() -> None:
    gift = Deal(None, (Adjustment("A", 50, "a gift"),))
    assert keep(deal(50, 50), gift).outcome == Outcome(True, ("A",), "counting.end")
    assert keep(deal(50, 50), Deal(None)).outcome == Outcome(False, (), "counting.tie")
    ledger = keep(deal(50, 50), gift._replace(adjustments=(Adjustment("A", 2, "a gift"),)), deal(2, 2))
    assert [entry.outcome.reason for entry in ledger.deals] == ["counting.tie", None, None]


def test_lenient_scoring_shows_what_could_be_accepted_except_in_the_strict_deal() -> None:
    ledger = keep(deal(1, 2), deal(3, 2), lenient=True)
    assert [[warned.reason for warned in entry.warnings] for entry in ledger.deals] == [[NOT_SEEN], [NOT_SEEN]]
    with pytest.raises(Refused) as caught:
        keep(deal(1, 2), deal(3, 2), lenient=True, strict=1)
    assert [problem.pointer[:2] for problem in caught.value.problems] == [("deals", 1)]
    with pytest.raises(Refused) as caught:
        keep(deal(1, 13), lenient=True)
    assert [problem.pointer[2] for problem in caught.value.problems] == ["A", "B"]

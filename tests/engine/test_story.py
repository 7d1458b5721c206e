"""The story of a finished game, against deals written out by hand and against a count of its own."""

from __future__ import annotations

import random

from companion.engine.evenings import Swing, story_of
from companion.engine.ledger import SCORED, VOID, DealScore, Ledger, Line, Outcome, SideScore, Standing


def ledger_of(points: list[tuple[int, int] | None], *, over: bool = True, winners: tuple[str, ...] = ("a",)) -> Ledger:
    """Two sides' points, deal by deal; None is a void deal."""
    totals, deals = {"a": 0, "b": 0}, []
    for each in points:
        sides = {}
        for side, gain in zip("ab", each or (0, 0), strict=True):
            totals[side] += gain
            sides[side] = SideScore((Line("x.y", gain),) if each else (), Standing(totals[side]))
        deals.append(DealScore(sides, status=VOID if each is None else SCORED))
    standing = {side: Standing(total) for side, total in totals.items()}
    return Ledger(tuple(deals), standing, Outcome(over=over, winners=winners))


def highest(standing: object) -> tuple[str, ...]:
    totals = {side: at.total for side, at in standing.items()}  # type: ignore[attr-defined]
    return tuple(side for side, total in totals.items() if total == max(totals.values()))


def test_the_deal_that_moved_most_and_the_turn() -> None:
    story = story_of(ledger_of([(10, 20), None, (50, -60), (5, 40)]), highest)
    assert story is not None
    assert (story.last, story.swing, story.ahead, story.throughout) == (4, Swing(3, "b", -60), 3, False)


def test_a_winner_from_first_to_last() -> None:
    story = story_of(ledger_of([(10, 5), (10, 5)]), highest)
    assert story is not None
    assert (story.ahead, story.throughout) == (1, True)


def test_no_turn_where_nobody_won_alone() -> None:
    story = story_of(ledger_of([(10, 5), (5, 10)], winners=("a", "b")), highest)
    assert story is not None
    assert (story.ahead, story.throughout) == (None, False)


def test_what_goes_on_or_is_a_single_deal_has_no_story() -> None:
    assert story_of(ledger_of([(10, 5), (5, 1)], over=False), highest) is None
    assert story_of(ledger_of([(10, 5), None]), highest) is None


def test_random_evenings_agree_with_a_plain_count() -> None:
    rng = random.Random(2611)
    for _ in range(300):
        points = [(rng.randint(-9, 9), rng.randint(-9, 9)) for _ in range(rng.randint(2, 9))]
        sums = [(sum(a for a, _ in points[: n + 1]), sum(b for _, b in points[: n + 1])) for n in range(len(points))]
        winner = "a" if sums[-1][0] > sums[-1][1] else "b"
        if sums[-1][0] == sums[-1][1]:
            continue
        signs = [(a > b) if winner == "a" else (b > a) for a, b in sums]
        ahead = max((n + 2 for n, leads in enumerate(signs) if not leads), default=1)
        story = story_of(ledger_of(list(points), winners=(winner,)), highest)
        assert story is not None
        assert (story.ahead, story.throughout) == (ahead, all(signs))
        assert abs(story.swing.points) == max(max(abs(a), abs(b)) for a, b in points)

"""SPADES-050 to 053, 210 to 213: when a game is over, who has won it, and what the answer says of it."""

from __future__ import annotations

from typing import Any

import pytest

from companion.engine.ledger import Before, Outcome, Standing
from companion.games.spades import articles as a
from companion.games.spades.rules import OPTIONS
from companion.games.spades.score import SpadesScorer
from companion.games.spades.table import DealFacts, SideFacts
from tests.spades.asking import ask

EVEN = DealFacts({"NS": SideFacts(7, 6), "EW": SideFacts(6, 6)})


def outcome(
    given: dict[str, Any],
    totals: tuple[int, int],
    facts: DealFacts | None = EVEN,
    deals: int = 3,
    *,
    carried_over: bool = False,
) -> Outcome:
    """The outcome after a deal, with these totals of two sides."""
    rules = OPTIONS.build(OPTIONS.default_preset, given).options
    standing = {side: Standing(total) for side, total in zip(("NS", "EW"), totals, strict=True)}
    return SpadesScorer().outcome(
        rules, facts, standing, Before({}, deals - (facts is not None), carried_over=carried_over)
    )


def won(*winners: str, by: Any = a.TARGET, limit: int = 500) -> Outcome:
    return Outcome(True, winners, by.id, {"limit": limit})


def goes_on(limit: int) -> Outcome:
    """A tie at a limit: not over, and the article says why."""
    return Outcome(False, (), a.TIE.id, {"limit": limit})


@pytest.mark.parametrize(
    ("given", "totals", "expected"),
    [
        ({}, (499, 499), Outcome()),
        ({}, (500, 499), won("NS")),
        ({}, (499, 500), won("EW")),
        ({}, (501, 510), won("EW")),  # SPADES-051: the higher total, though both are past it
        ({}, (-900, 499), Outcome()),  # SPADES-053
        ({}, (500, 500), goes_on(500)),  # SPADES-052
        ({"final_tie": "shared"}, (500, 500), won("NS", "EW", by=a.TIE)),
        ({"final_tie": "shared"}, (499, 499), Outcome()),
        ({"target": 250}, (249, 0), Outcome()),
        ({"target": 250}, (250, 0), won("NS", limit=250)),  # SPADES-210
        ({"loss_limit": -200}, (0, -199), Outcome()),
        ({"loss_limit": -200}, (0, -200), won("NS", by=a.LOSS_LIMIT, limit=-200)),  # SPADES-213
        ({"loss_limit": -200}, (-300, -201), won("EW", by=a.LOSS_LIMIT, limit=-200)),
        ({"loss_limit": -200}, (-300, 500), won("EW")),  # both limits: the target is what was played for
        ({"loss_limit": -200}, (-200, -200), goes_on(-200)),
        ({"loss_limit": -200, "final_tie": "shared"}, (-200, -200), won("NS", "EW", by=a.TIE, limit=-200)),
        ({"loss_limit": -200, "final_tie": "shared"}, (500, 500), won("NS", "EW", by=a.TIE)),
    ],
)
def test_a_limit_ends_the_game(given: dict[str, Any], totals: tuple[int, int], expected: Outcome) -> None:
    assert outcome(given, totals) == expected
    assert outcome(given, totals, None) == expected


MOON = DealFacts({"NS": SideFacts(13, 13, "moon"), "EW": SideFacts(0, 2)})
THIRTEEN = DealFacts({"NS": SideFacts(13, 13), "EW": SideFacts(0, 2)})
FAILED = DealFacts({"NS": SideFacts(13, 12, "moon"), "EW": SideFacts(2, 1)})


@pytest.mark.parametrize(
    ("given", "facts", "expected"),
    [
        ({}, MOON, Outcome()),
        ({"all_tricks_wins": True}, THIRTEEN, Outcome(True, ("NS",), a.ALL_TRICKS_WIN.id)),
        ({"all_tricks_wins": True}, FAILED, Outcome()),
        ({"moon": True, "moon_wins": True}, MOON, Outcome(True, ("NS",), a.MOON_WINS.id)),
        ({"moon": True, "moon_wins": True}, FAILED, Outcome()),
        ({"moon": True, "moon_wins": True}, THIRTEEN, Outcome()),
        (
            {"moon": True, "thirteen_is_moon": True, "moon_wins": True},
            THIRTEEN,
            Outcome(True, ("NS",), a.MOON_WINS.id),
        ),
    ],
)
def test_all_tricks_and_moons_win_at_once(given: dict[str, Any], facts: DealFacts, expected: Outcome) -> None:
    """SPADES-211, 212: also where the other side is past the target (A-42)."""
    assert outcome(given, (0, 0), facts) == expected
    if expected.over:
        assert outcome(given, (0, 600), facts) == expected


@pytest.mark.parametrize(("deals", "carried_over", "over"), [(1, False, False), (1, True, True), (2, False, True)])
def test_no_moon_is_made_in_a_first_deal_without_bidding(deals: int, carried_over: bool, over: bool) -> None:
    """SPADES-135 with 166 and 212: its thirteen tricks were never bid."""
    given = {"moon": True, "thirteen_is_moon": True, "moon_wins": True, "first_hand_bids_itself": True}
    assert outcome(given, (0, 0), THIRTEEN, deals, carried_over=carried_over).over is over


MADE: dict[str, Any] = {"NS": {"bid": 6, "tricks": 6}, "EW": {"bid": 6, "tricks": 7}}
SET: dict[str, Any] = {"NS": {"bid": 7, "tricks": 6}, "EW": {"bid": 8, "tricks": 7}}


@pytest.mark.parametrize(
    ("options", "deal", "reason"),
    [
        ({"target": 60}, MADE, "target"),
        ({"loss_limit": -10}, SET, "loss-limit"),
        ({"sets_lose": 1}, SET, "sets-lose"),
        ({"deals_limit": 1}, MADE, "deals-limit"),
        ({}, MADE | {"time_up": True}, "time-up"),
    ],
)
def test_points_given_after_a_tie_decide_whatever_ended_the_game(
    options: dict[str, Any], deal: dict[str, Any], reason: str
) -> None:
    """CLB-R2: it goes on until the leaders differ, and then they do, whichever limit is passed."""
    given = {"options": {"overtrick": "zero", "set_penalty": "shortfall", **options}}
    gift = {"void": True, "adjustments": [{"side": "NS", "points": 5, "reason": "agreed"}]}
    ends = [
        ask("score", {"rules": given, "sides": ["NS", "EW"], "deals": deals})["outcome"]
        for deals in ([deal], [deal, gift])
    ]
    assert ends == [
        {"over": False, "winners": [], "reason": "spades.tie"},
        {"over": True, "winners": ["NS"], "reason": f"spades.{reason}"},
    ]


def test_the_number_of_deals_ends_a_game_before_the_clock() -> None:
    """The book of the table names the ends in order (`order-of-ends`), the clock last."""
    request = {"rules": {"options": {"deals_limit": 1}}, "sides": ["NS", "EW"], "deals": [MADE | {"time_up": True}]}
    assert ask("score", request)["outcome"]["reason"] == a.DEALS_LIMIT.id

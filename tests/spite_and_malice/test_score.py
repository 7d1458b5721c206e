"""SNM-091 to 093, 108, 113: points of a deal, matches, and counts that cannot be."""

from __future__ import annotations

from typing import Any

import pytest

import companion
from companion.engine.entry import Sitting
from companion.engine.game import score
from companion.engine.ledger import Ledger, Side
from companion.engine.problems import Node, Refused
from companion.games.spite_and_malice import SPITE_AND_MALICE as GAME
from companion.games.spite_and_malice.entry import ENTRY

PAIRS = [{"id": "T0", "players": ["A", "C"]}, {"id": "T1", "players": ["B", "D"]}]
THREE = [{"id": f"T{i}", "players": list(pair)} for i, pair in enumerate(("AD", "BE", "CF"))]


def ledger(*deals: Any, preset: str = "blackwood", sides: Any = ("A", "B"), **options: Any) -> Ledger:
    rules = {"preset": preset, "options": options}
    return score(GAME, {"rules": rules, "sides": list(sides), "deals": list(deals)})[1]


def refusal(*deals: Any, **more: Any) -> list[tuple[str, str]]:
    with pytest.raises(Refused) as refused:
        ledger(*deals, **more)
    return [(problem.path(), problem.code) for problem in refused.value.problems]


def lines(kept: Ledger, side: str) -> list[tuple[str, int]]:
    return [(line.article.partition(".")[2], line.points) for line in kept.deals[0].sides[side].lines]


def test_lines_of_a_deal() -> None:
    kept = ledger({"winner": "A", "remaining": {"B": 9}})
    assert lines(kept, "A") == [("cards-left", 9), ("bonus", 5)]
    assert lines(kept, "B") == []
    assert lines(ledger({"winner": "B", "remaining": {"A": 9}}, preset="massachusetts"), "B") == [("cards-left", 9)]


def test_skip_bo() -> None:
    """SNM-113."""
    deal = {"winner": "T1", "remaining": {"A": 3, "C": 1}}
    kept = ledger(deal, preset="skipbo_like", sides=PAIRS)
    assert lines(kept, "T1") == [("cards-left", 20), ("bonus", 25)]
    assert not kept.outcome.over
    assert ledger(*[deal] * 12, preset="skipbo_like", sides=PAIRS).outcome.winners == ("T1",)


def test_stalemate() -> None:
    """SNM-093: nobody scores, or the difference; where that decides, fewer cards left win a match of one deal."""
    stuck = {"winner": None, "remaining": {"A": 12, "B": 7}}
    assert ledger(stuck).outcome.winners == ()
    assert ledger(stuck, deadlock="compare").outcome.winners == ("B",)
    kept = ledger(stuck, preset="hoyle")
    assert (lines(kept, "B"), kept.outcome.winners) == ([("stalemate", 5)], ("B",))
    level = ledger({"winner": None, "remaining": {"A": 7, "B": 7}}, preset="hoyle")
    assert (lines(level, "A"), lines(level, "B"), level.outcome.winners) == ([], [], ())
    six = {"winner": None, "remaining": dict(zip("ABCDEF", (1, 5, 9, 1, 5, 9), strict=True))}
    kept = ledger(six, preset="partners6", sides=THREE, stalemate_score="difference")
    assert (lines(kept, "T0"), lines(kept, "T1")) == ([("stalemate", 24)], [])


def test_the_difference_is_of_cards_and_a_drawn_deal_is_drawn() -> None:
    """SNM-093: six and ten cards left are four points whatever a card counts; where it is a draw, nobody wins."""
    stuck = {"winner": None, "remaining": {"A": 6, "B": 10}}
    kept = ledger(stuck, preset="hoyle", score_per_card=5)
    assert (lines(kept, "A"), kept.outcome.winners) == ([("stalemate", 4)], ("A",))
    kept = ledger(stuck, deadlock="draw", stalemate_score="difference")
    assert (lines(kept, "A"), kept.outcome.winners) == ([("stalemate", 4)], ())
    assert ledger(stuck, stalemate_score="difference").outcome.winners == ("A",)
    assert ledger(stuck, stock_out="compare").outcome.winners == ("A",)


def test_a_penalty_on_a_void_deal_is_kept() -> None:
    taken = {"void": True, "adjustments": [{"side": "B", "points": -3, "reason": "looked at the pile"}]}
    kept = ledger(taken, {"winner": "A", "remaining": {"B": 9}}, match="deals", match_deals=1)
    assert [deal.status for deal in kept.deals] == ["void", "scored"]
    assert lines(kept, "B") == [("adjustment", -3)]
    assert (kept.standing["A"].total, kept.standing["B"].total) == (14, -3)


def test_adjustments_and_void_deals() -> None:
    deal = {"winner": "A", "remaining": {"B": 9}}
    kept = ledger(
        {"void": True}, deal | {"adjustments": [{"side": "B", "points": 3, "reason": "misdeal"}]},
        match="deals", match_deals=1,
    )  # fmt: skip
    assert kept.deals[1].sides["B"].lines[0].article == "spite-and-malice.adjustment"
    assert kept.standing["B"].total == 3
    assert kept.outcome.winners == ("A",)


def test_counts_that_cannot_be() -> None:
    at = "/deals/0/remaining"
    assert refusal({"winner": "A", "remaining": {"B": 27}}) == [(f"{at}/B", "remaining-range")]
    assert refusal({"winner": "A", "remaining": {"B": -1}}) == [(f"{at}/B", "remaining-range")]
    assert refusal({"winner": "A", "remaining": {"A": 3}}) == [(at, "remaining-players")]
    assert refusal({"winner": "A", "remaining": {}}) == [(at, "remaining-players")]
    assert refusal({"winner": None, "remaining": {"A": 3}}) == [(at, "remaining-players")]
    assert refusal({"winner": None, "remaining": {"A": 3, "B": 0}}) == [(f"{at}/B", "remaining-range")]
    assert refusal({"winner": "C", "remaining": {"B": 3}}) == [("/deals/0/winner", "unknown-side")]
    assert refusal({"winner": "A"}) == [(at, "required")]
    assert refusal({"winner": "A", "remaining": {"B": 3}, "B": 3}) == [("/deals/0/B", "unknown-key")]
    assert refusal({"winner": "T0", "remaining": {"B": 3}}, preset="partners4", sides=PAIRS) == [
        (at, "remaining-players")
    ]
    assert refusal({"winner": "T0", "remaining": {"B": 21, "D": 0}}, preset="partners4", sides=PAIRS) == [
        (f"{at}/B", "remaining-range")
    ]


def test_recorded_anyway() -> None:
    deal = {"winner": "A", "remaining": {"B": 30}, "accept": [{"code": "remaining-range", "reason": "thirty dealt"}]}
    kept = ledger(deal)
    assert kept.standing["A"].total == 35
    assert kept.deals[0].warnings[0].reason == "thirty dealt"


def test_sides() -> None:
    deal = {"winner": "A", "remaining": {"B": 3}}
    assert refusal(deal, sides=["A", "B", "C"]) == [("/sides", "sides-count")]
    assert refusal(deal, sides=[{"id": "A", "players": ["x", "y"]}, "B"]) == [("/sides/0/players", "players-count")]
    assert refusal(deal, sides=[{"id": "A", "players": ["x"]}, {"id": "B", "players": ["x"]}]) == [
        ("/sides/1", "side-id")
    ]
    named = [{"id": "A", "players": ["Aki"]}, {"id": "B", "players": ["Ben"]}]
    assert ledger({"winner": "A", "remaining": {"Ben": 3}}, sides=named).standing["A"].total == 8
    sums = ledger({"winner": "NS", "remaining": {"EW": 31}}, preset="partners4", sides=["NS", "EW"])
    assert sums.standing["NS"].total == 36


@pytest.mark.parametrize("counts", [{"B": 9, "Ben": 3}, {"Ben": 3, "B": 9}, {"B": 3, "Ben": 3}])
def test_cards_of_one_side_under_both_its_names_are_refused(counts: dict[str, int]) -> None:
    """A side of one player may be named by its id or by its player: by both, nobody knows which count is meant."""
    named = [{"id": "A", "players": ["Aki"]}, {"id": "B", "players": ["Ben"]}]
    for deal in ({"winner": "A", "remaining": counts}, {"winner": None, "remaining": {"A": 2, **counts}}):
        assert refusal(deal, sides=named) == [("/deals/0/remaining", "remaining-players")]


@pytest.mark.parametrize(("deadlock", "stock_out"), [("draw", "compare"), ("compare", "draw")])
def test_a_table_with_two_ends_records_which_it_was(deadlock: str, stock_out: str) -> None:
    """SNM-093: a draw has no winner, and the other end goes to the fewest cards."""
    options = {"deadlock": deadlock, "stock_out": stock_out}
    for settled_by, winners in (("draw", ()), ("compare", ("B",))):
        deal = {"winner": None, "remaining": {"A": 12, "B": 7}, "settled_by": settled_by}
        assert ledger(deal, **options).outcome.winners == winners
    assert "ends-both-ways" in {one.code for one in GAME.options.build("blackwood", options).notices}
    idle = [{"player": player, "moves": [{"type": "end_turn"}]} for player in "AB"]
    record = {"players": ["A", "B"], "first": "A", "turns": [*idle, {"type": "claim_stalemate"}]}
    result = GAME.replay(GAME.options.build("blackwood", options).options, Node(record))["result"]
    assert result == {"winner": None, "remaining": {"A": 26, "B": 26}, "settled_by": deadlock}


@pytest.mark.parametrize(("settled_by", "answers"), [("compare", {"w": "-"}), ("draw", {"w": "d"})])
def test_the_keeper_asks_which_end_it_was(settled_by: str, answers: dict[str, str]) -> None:
    rules = GAME.options.build("blackwood", {"deadlock": "draw", "stock_out": "compare"}).options
    sides = (Side("A", ("A",)), Side("B", ("B",)))
    sitting = Sitting(rules, sides, ("A", "B"), {"A": "Ann", "B": "Bo"}, "A")
    entered = ENTRY.step(sitting, answers | {"rA": "12", "rB": "7"})
    assert entered.facts == {"winner": None, "remaining": {"A": 12, "B": 7}, "settled_by": settled_by}
    assert ENTRY.correction(sitting, entered.facts, {}).facts == entered.facts


def test_a_stalemate_of_three_names_the_cards_of_each() -> None:
    """ALO-R5, ALO-013: one against each, and not one number against all."""
    rules = {"preset": "alone3", "options": {"deadlock": "compare", "stalemate_score": "difference"}}
    asked: Any = {
        "rules": rules, "sides": ["A", "B", "C"],
        "deals": [{"winner": None, "remaining": {"A": 5, "B": 6, "C": 20}}],
    }  # fmt: skip
    line = companion.score("spite-and-malice", asked, lang="en")["deals"][0]["sides"]["A"]["lines"][0]
    assert (line["points"], line["text"]) == (16, "Stalemate: 5 cards left (B 6, C 20)")

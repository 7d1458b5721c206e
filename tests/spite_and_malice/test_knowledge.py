"""What the judge concludes from hidden cards: as much as every distribution allows, and no more."""

from __future__ import annotations

from typing import Any

import pytest

from companion.engine.problems import Refused
from tests.spite_and_malice.asking import articles, ask

END = {"type": "end_turn"}
FOUR = {"preset": "partners4", "players": list("ABCD")}


def play(source: str, to: Any = 0, **more: Any) -> dict[str, Any]:
    return {"type": "play", "from": source, "to": to, **more}


def first(player: str, preset: str = "blackwood", options: Any = None, **tops: str) -> str:
    """The verdict on a player who starts with these tops."""
    return ask({"type": "start", "first": player}, preset=preset, options=options, payoff_tops=tops).value


def facts(move: dict[str, Any], **position: Any) -> list[str]:
    verdict = ask(move, **position)
    return [missing.fact for missing in verdict.missing] or [verdict.value]


@pytest.mark.parametrize(
    ("move", "position"),
    [
        (play("payoff", card="2"), {"side_stacks": [["2"]], "centre_stacks": ["A"]}),
        (play("payoff", "new", card="A"), {"side_stacks": [], "centre_stacks": [], "preset": "hoyle"}),
        (play("payoff", card="3"), {"side_stacks": [["2"]], "centre_stacks": ["2"]}),
        (play("partner_payoff", card="6"), {"side_stacks": [], "centre_stacks": ["5"], **FOUR}),
        (play("side", stack=0, card="2"), {"payoff": "2", "centre_stacks": ["A"]}),
    ],
)
def test_a_card_that_the_move_names_counts_as_told(move: dict[str, Any], position: dict[str, Any]) -> None:
    """SNM-010, 041, 045: nothing else that is hidden matters, so naming the card decides."""
    assert ask(move, hand=["9", "J"], **position).value == "legal"


def test_naming_the_card_or_telling_it_is_the_same() -> None:
    """SNM-045, 048."""
    for preset in ("blackwood", "hoyle"):
        for card in ("A", "2", "3", "K"):
            for centre in ([], ["A"], ["A", "2"], ["2", "Q"]):
                for to in (0, "new"):
                    table: dict[str, Any] = {
                        "preset": preset,
                        "hand": ["9"],
                        "side_stacks": [["2"], ["7"]],
                        "centre_stacks": centre,
                    }
                    named = ask(play("payoff", to, card=card), **table)
                    told = ask(play("payoff", to), **table, payoff=card)
                    assert (named.value, articles(named)) == (told.value, articles(told))


def test_the_highest_and_lowest_card_of_the_one_pack() -> None:
    """SNM-012, 013, 203: whatever lies on the other pile, it is lower than the king of spades."""
    assert first("A", A="KS") == "legal"
    assert first("B", A="KS") == "illegal"
    assert first("B", A="AC") == "legal"
    assert first("A", A="AC") == "illegal"
    assert first("A", A="KH") == "undecided"
    assert first("A", A="K") == "undecided"
    assert first("A", A="9S", B="9") == "legal"
    assert first("A", A="KS", preset="blackwood108") == "undecided"
    assert first("A", A="KS", options={"start_tie": "reshuffle"}) == "undecided"
    assert first("B", A="AC", options={"start_tie": "reshuffle"}) == "undecided"
    assert first("A", A="QS", preset="massachusetts") == "undecided"
    assert first("A") == "undecided"


def test_a_redo_that_nobody_knows_yet() -> None:
    """SNM-102, 122: with one top unknown a tie is possible, unless no card can tie."""
    redo = {"type": "start", "redo": "reshuffle"}
    assert ask(redo, options={"start_tie": "reshuffle"}, payoff_tops={"A": "9S"}).value == "undecided"
    assert ask(redo, payoff_tops={"A": "9S"}).value == "illegal"  # suits decide, and there is one nine of spades
    assert ask({"type": "start", "redo": "redraw"}, payoff_tops={"A": "9S"}).value == "illegal"
    assert ask({"type": "start", "redo": "redraw"}, preset="blackwood108", payoff_tops={"A": "9S"}).value == "undecided"
    assert ask({"type": "start", "redo": "redraw"}, preset="blackwood108", payoff_tops={"A": "X"}).value == "legal"


ACES, TWOS = ["A"] * 8, ["2"] * 8
SEEN: dict[str, Any] = {"hand": ["9"], "centre_stacks": ["A"], "options": {"discard_ace": True}}


def test_cards_that_are_all_seen_are_not_hidden() -> None:
    """SNM-040 to 042: with every ace and two seen, the pay-off top is neither."""
    seen = [["K", *ACES[:4], *TWOS[:4], "3"], ["K", *ACES[4:], *TWOS[4:], "3"]]
    assert facts(END, **SEEN | {"side_stacks": seen}) == ["legal"]
    assert facts(END, **SEEN | {"side_stacks": [seen[0]]}) == ["payoff"]
    four = [["K", *(["9"] * 8), "A", "3"], ["K", "3"]]
    assert facts(play("payoff", card="9"), **SEEN | {"side_stacks": four, "hand": ["J"], "centre_stacks": ["8"]}) == [
        "illegal"
    ]


def test_one_pack_fills_the_payoff_piles() -> None:
    """SNM-005, 203: a card of which both copies are seen elsewhere is on no pay-off pile; no joker is."""
    both = [["9S", "9S", "9H", "9H", "9D", "9D", "9C", "9C"]]
    table: dict[str, Any] = {"hand": ["J"], "side_stacks": both, "centre_stacks": ["8"]}
    assert ask(play("payoff"), **table).value == "illegal"
    assert ask(play("payoff"), **table | {"side_stacks": [both[0][:6]]}).value == "undecided"
    assert ask(play("payoff", card="X"), **table | {"side_stacks": []}).value == "illegal"
    assert ask(play("payoff", card="X"), **table | {"side_stacks": []}, preset="blackwood108").value == "legal"


def test_a_hidden_hand_that_nothing_is_left_for() -> None:
    """SNM-072, 021."""
    chance: dict[str, Any] = {
        "payoff": "7", "centre_stacks": ["5"], "phase": "second_chance", "options": {"discard_ace": True},
    }  # fmt: skip
    sides = [["K", *ACES, "3"]]
    assert facts(END, **chance, side_stacks=[["3"]]) == ["hand"]
    assert facts(END, **chance, side_stacks=sides) == ["legal"]
    assert articles(ask(play("hand", "new", card="A"), **chance, side_stacks=sides)) == {"packs"}
    discard = {"type": "discard", "card": "2", "to": "new"}
    assert articles(ask(discard, **chance | {"centre_stacks": ["A"]}, side_stacks=[])) == {"second-chance-duty"}


def test_one_of_two_articles_is_broken_either_way() -> None:
    """SNM-040, 041: only aces and twos can lie there, and both must be played."""
    others = [rank for rank in ("3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K") for _ in range(8)]
    table: dict[str, Any] = {
        "side_stacks": [others[:40], others[40:80], [*others[80:], "X", "X", "X", "X"]], "hand": [],
        "centre_stacks": ["A"], "stock": 0, "payoff_left": 5,
    }  # fmt: skip
    verdict = ask(END, **table)
    assert {breach.code for breach in verdict.breaches} == {"either-way"}
    assert articles(verdict) == {"payoff-ace", "payoff-two"}


def test_how_many_cards_are_drawn_to_a_hidden_hand() -> None:
    """SNM-020, 028, 218: the number of cards is what matters, and it may be known without them."""
    draw = {"type": "refill", "count": 2}
    assert facts(draw, refilled=False) == ["hand"]
    assert facts(draw, refilled=False, hand_count=3) == ["legal"]
    assert facts(draw, refilled=False, hand_count=4) == ["illegal"]
    assert facts({"type": "refill", "count": 5}) == ["hand"]
    assert facts(play("payoff"), preset="massachusetts", payoff="5", centre_stacks=["4"], stock=20) == ["hand"]
    assert facts(play("hand", card="5"), preset="massachusetts", centre_stacks=["4"], stock=20) == ["legal"]


def test_a_fifth_idle_turn_is_not_allowed() -> None:
    """SNM-074: after four idle turns the cards are dealt again before anything else."""
    idle = [{"player": player, "acted": False} for player in "ABAB"]
    table: dict[str, Any] = {"payoff": "7", "hand": ["5", "9"], "side_stacks": [["9"]], "centre_stacks": ["4"]}
    moves = [END, play("hand", card="5"), {"type": "discard", "card": "9", "to": 0}, {"type": "refill", "count": 3}]
    for move in moves:
        refilled = move["type"] != "refill"
        assert "redeal" in articles(ask(move, **table, turns=idle, refilled=refilled))
        assert ask(move, **table, turns=idle[1:], refilled=refilled).value == "legal"
        assert ask(move, **table, turns=idle, refilled=refilled, options={"deadlock": "none"}).value == "legal"
    assert ask({"type": "redeal", "first": "A"}, **table, turns=idle).value == "legal"


@pytest.mark.parametrize(
    ("position", "why"),
    [
        ({"hand": ["X"], "preset": "massachusetts"}, "not-in-pack"),
        ({"side_stacks": [["9", "X"]], "preset": "pagat"}, "not-in-pack"),
        ({"centre_stacks": ["X"], "preset": "massachusetts"}, "not-in-pack"),
        ({"payoff": "X", "preset": "massachusetts"}, "not-in-pack"),
        ({"payoff": "X"}, "no-joker-in-payoff"),
        ({"payoff_tops": {"B": "X"}}, "no-joker-in-payoff"),
        ({"hand": ["9S", "9S"], "side_stacks": [["9S"]]}, "too-many-copies"),
        ({"payoff": "9S", "hand": ["9S", "9S"]}, "too-many-copies"),
        ({"hand": ["X"] * 3, "side_stacks": [["X", "X"]]}, "too-many-copies"),
        ({"hand": ["9"] * 5, "side_stacks": [["9"] * 4]}, "too-many-copies"),
        ({"payoff_tops": {"A": "9S", "B": "9S"}}, "one-pack"),
        ({"payoff": "9", "payoff_tops": {"A": "8"}}, "two-tops"),
        ({"payoff_left": 0, "payoff_tops": {"A": "8"}}, "payoff-empty"),
        ({"payoff_left": 27}, "payoff-size"),
        ({"payoff_left": 15, "preset": "massachusetts"}, "payoff-size"),
        ({"stock": 109}, "too-many-cards"),
        ({"stock": 100, "hand": ["9", "8"], "payoff_left": 20}, "too-many-cards"),
        ({"hand_count": 60}, "hand-size"),
        ({"hand": ["9"], "hand_count": 3}, "hand-counts"),
        ({"centre_stacks": ["2"] * 13}, "centre-tops"),
        ({"centre_stacks": ["X"] * 4, "hand": ["X"]}, "centre-tops"),
        ({"centre_stacks": ["9"] * 6, "hand": ["9"] * 5, "side_stacks": [["9", "9"]]}, "centre-tops"),
        ({"turns": [{"player": player, "acted": False} for player in "AABB"]}, "turn-order"),
        ({**FOUR, "turns": [{"player": player, "acted": True} for player in "ABD"]}, "turn-order"),
        ({**FOUR, "partner": {"payoff_left": 21}}, "payoff-size"),
        ({**FOUR, "partner": {"side_stacks": [["9S", "9S"]]}, "hand": ["9S"]}, "too-many-copies"),
        ({"side_stacks": [[f"{r}S", f"{r}S"] for r in "9876"], "payoff_left": 26, "payoff_tops": {"B": "9S"}},
         "too-many-copies"),
    ],
)  # fmt: skip
def test_what_nobody_can_have_in_front_of_them_is_refused(position: dict[str, Any], why: str) -> None:
    with pytest.raises(Refused) as refused:
        ask(END, **position)
    assert {problem.code for problem in refused.value.problems} == {"impossible-position"}
    assert {problem.facts["why"] for problem in refused.value.problems} == {why}
    named = {key for key in position if key not in ("preset", "players")}
    assert {str(problem.pointer[1]) for problem in refused.value.problems} <= named


def test_the_facts_that_contradict_each_other_are_named() -> None:
    with pytest.raises(Refused) as refused:
        ask(END, hand=["9S", "3"], side_stacks=[["9S", "8"], ["9S"]])
    paths = {problem.path() for problem in refused.value.problems}
    assert paths == {"/position/hand/0", "/position/side_stacks/0/0", "/position/side_stacks/1/0"}
    assert refused.value.problems[0].facts == {"why": "too-many-copies", "cards": ["9S"], "count": 3, "most": 2}


def test_a_distribution_that_does_not_exist_is_refused_where_no_single_fact_is_wrong() -> None:
    """SNM-005: so many cards of which both copies lie elsewhere leave too few for pay-off piles of the one pack."""
    both = [f"{rank}{suit}" for rank in ("3", "4", "5", "6", "7", "8", "9") for suit in "SHDC" for _ in range(2)]
    sides = [both[:28], both[28:]]
    with pytest.raises(Refused) as refused:
        ask(END, payoff_left=26, hand=["9"][:0], side_stacks=sides)
    assert {problem.facts["why"] for problem in refused.value.problems} == {"no-distribution"}
    assert ask(END, payoff_left=24, payoff="K", hand=[], side_stacks=sides, centre_stacks=[]).value == "legal"


def test_a_full_hand_by_mistake_is_judged() -> None:
    """Nobody is assumed to have drawn right: six cards in a hand are a fault, not an impossibility."""
    assert ask(END, payoff="7", hand=["3", "4", "5", "6", "7", "9"], side_stacks=[], centre_stacks=[]).value == "legal"

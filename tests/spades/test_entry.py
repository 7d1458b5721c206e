"""The keeper's questions about a deal of Spades, and the referee's about a bidding, without a sheet or a page."""

from __future__ import annotations

from typing import Any

import pytest

from companion.engine.dialogue import Context, Joined, Phrase, State, Term, joined_texts
from companion.engine.entry import EntryStep, Sitting
from companion.engine.ledger import Side
from companion.engine.problems import read_whole
from companion.games.spades.asks import DEALER, QUESTIONS, dealer_of, table_of
from companion.games.spades.entry import correction, describe, step
from companion.games.spades.rules import OPTIONS

SEATS = ("a", "b", "c", "d")
NAMES = {"a": "Aki", "b": "Beth", "c": "Chika", "d": "Dan"}
RAISED = {"options": {"second_round": True, "moon": True}}


def sitting(rules: dict[str, Any], *calls: int | str, seats: tuple[str, ...] = SEATS) -> Sitting:
    """A sitting in which these calls were made in turn from the left of the dealer `d`."""
    made = tuple({"seat": seats[place % len(seats)], "call": call} for place, call in enumerate(calls))
    sides = (Side("us", ("a", "c")), Side("them", ("b", "d")))
    return Sitting(read_whole(rules, OPTIONS.read).options, sides, seats, NAMES, seats[-1], made)


def offered(found: EntryStep) -> list[str]:
    assert found.question is not None
    return [choice.value for group in found.question.groups for choice in group]


def test_nil_called_twice_by_one_player_is_counted_once_more() -> None:
    """A nil in the second round is against the rules, but it can be recorded: its tricks can be asked for."""
    found = step(sitting(RAISED, "nil", 4, 5, 4, "nil", "pass", "pass", "pass"), {"t0": "5"})
    assert found.question is not None
    assert found.question.id == "na"


def test_last_count_follows() -> None:
    found = step(sitting({}, 5, "nil", 5, 4), {"t0": "9"})
    assert found.question is not None
    assert found.question.id == "nb"
    ready = step(sitting({}, 5, "nil", 5, 4), {"t0": "9", "nb": "1"})
    assert ready.kind == "ready"
    assert ready.facts == {
        "us": {"bid": 5, "tricks": 9},
        "them": {"bid": 4, "tricks": 4, "nils": [{"player": "b", "call": "nil", "tricks": 1}]},
    }
    assert [(one.question, one.computed) for one in ready.said[4:]] == [
        ("t0", False),
        ("t1", True),
        ("nb", False),
    ]
    corrected = correction(sitting({}), ready.facts, {"t0": "10"})
    assert [one.question for one in corrected.said].count("time_up") == 1  # the clock is asked for there alone
    assert corrected.facts is not None
    assert corrected.facts["them"]["tricks"] == 3
    assert len(describe(sitting({}), ready.facts)) == 3


@pytest.mark.parametrize("method", ["later_partner", "sum"])
def test_second_round_offers_what_may_be_raised(method: str) -> None:
    """SPADES-131: higher numbers up to what the table's method allows, a moon, or a pass; no nil, nothing blind."""
    rules = {"options": {**RAISED["options"], "bid_method": method, "blind_bid": True}}
    words = offered(step(sitting(rules, 5, 4, 6, 5), {}))
    highest = 26 if method == "sum" else 13
    assert words == [*(str(number) for number in range(highest + 1)), "moon", "pass"]
    state = State({"c": "5.4.6.5"})
    context = Context(read_whole(rules, OPTIONS.read).options, state, ("N", "E", "S", "W"))
    asks = QUESTIONS["call"].page(context).asks
    assert [choice.value for group in asks[-1].groups for choice in group] == [f"call:{word}" for word in words]


def test_silent_partner_may_pass() -> None:
    """SPADES-155: the partner of a blind number has nothing to say; the question about calls offers the pass."""
    rules = read_whole({"options": {"blind_bid": True}}, OPTIONS.read).options
    context = Context(rules, State({"c": "blind_6-n.4"}), ("N", "E", "S", "W"))
    prompt = QUESTIONS["call"].page(context).asks[-1]
    passes = [choice for group in prompt.groups for choice in group if choice.value == "call:pass"]
    assert [choice.tone for choice in passes] == [""]
    assert "call:pass" not in {
        choice.value
        for group in QUESTIONS["call"].page(context.with_state(State({"c": "5.4"}))).asks[-1].groups
        for choice in group
    }


@pytest.mark.parametrize("side", ["left", "right"])
@pytest.mark.parametrize("dealer", [0, 1])
def test_the_dummy_moves_with_the_deal_on_every_page(side: str, dealer: int) -> None:
    """A sheet of two players says which of them deals; the dummy takes the place that the rules give it then."""
    rules = read_whole({"preset": "duo_dummy", "options": {"dummy_side": side}}, OPTIONS.read).options
    context = Context(rules, State({}), ("N", "E", "S", "W"), names=("Aki", "Beth"), dealer=dealer)
    table = table_of(context, dealer_of(context))
    assert table.dealer == ("Aki", "Beth")[dealer]
    assert not table.dummy_misplaced
    (choices,) = DEALER.prompt(context).groups
    assert [choice.pressed for choice in choices] == [dealer == 0, dealer == 1]


def contract_phrase(bid: int | None, tricks: int, call: Any = "", name: str = "Aki & Chika") -> Phrase:
    return Phrase("entry.entered-side", {"name": name, "bid": bid, "tricks": tricks, "call": call})


def nil(player: str, word: str, tricks: int) -> Phrase:
    return Phrase("entry.entered-nil", {"name": player, "call": Term("call", word), "tricks": tricks})


@pytest.mark.parametrize(
    ("facts", "expected"),
    [
        ({"bid": 5, "tricks": 6}, [contract_phrase(5, 6)]),
        ({"bid": 0, "tricks": 0, "call": "normal"}, [contract_phrase(0, 0)]),
        ({"tricks": 4}, [contract_phrase(None, 4)]),
        ({"bid": 5}, [contract_phrase(5, 0)]),
        ({"bid": 6, "tricks": 6, "call": "blind"}, [contract_phrase(6, 6, Term("call", "blind"))]),
        ({"bid": None, "tricks": 13, "call": "moon"}, [contract_phrase(None, 13, Term("call", "moon"))]),
        (
            {"bid": 4, "tricks": 5, "nils": [{"player": "c", "call": "nil", "tricks": 1}]},
            [contract_phrase(4, 5), nil("Chika", "nil", 1)],
        ),
        (
            {"bid": None, "tricks": 0, "nils": [{"player": "a", "call": "double_nil"}, {"call": "nil", "tricks": 0}]},
            [contract_phrase(None, 0), nil("Aki", "double_nil", 0), nil("Aki & Chika", "nil", 0)],
        ),
        (
            {"bid": 4, "tricks": 4, "last_tricks": ["AS", "KS"]},
            [contract_phrase(4, 4), Joined((Phrase("entry.last-tricks"), Term("cards", ["AS", "KS"])), ": ")],
        ),
    ],
    ids=str,
)
def test_recorded_facts_are_described_whole(facts: dict[str, Any], expected: list[Any]) -> None:
    """Whatever a deal can have on record: calls, nils, final runs; a side that it leaves out has no line."""
    assert describe(sitting({}), {"us": facts}) == expected
    assert describe(sitting({}), {}) == []


def test_the_tricks_of_a_dummy_come_last() -> None:
    facts = {"them": {"bid": 3, "tricks": 3}, "dummy_tricks": 4}
    last = joined_texts((Phrase("entry.tricks-of-dummy"), "4"))
    assert describe(sitting({}), facts) == [contract_phrase(3, 3, name="Beth & Dan"), last]


def counted(preset: str, options: dict[str, Any], calls: list[int | str], answers: dict[str, str]) -> EntryStep:
    return step(sitting({"preset": preset, "options": options}, *calls), answers)


BONUS = {"last_trick_bonus": True}


@pytest.mark.parametrize(
    ("preset", "options", "calls", "answers", "asked"),
    [
        # what a failed nil took is not the side's own where it does not count (SPADES-148)
        ("modern", BONUS, ["nil", 3, 5, 3], {"t0": "6", "na": "1"}, "us"),
        ("modern", BONUS, ["nil", 3, 6, 3], {"t0": "6", "na": "1"}, ""),
        ("modern", BONUS | {"failed_nil_tricks": "ignore"}, ["nil", 3, 5, 3], {"t0": "6", "na": "1"}, "us"),
        ("modern", BONUS | {"failed_nil_tricks": "count"}, ["nil", 3, 5, 3], {"t0": "6", "na": "1"}, ""),
        ("modern", BONUS | {"failed_nil_tricks": "count"}, ["nil", 3, 6, 3], {"t0": "6", "na": "1"}, "us"),
        # a moon, made or not, has no bonus for its last trick (SPADES-165)
        ("classic", BONUS | {"moon": True}, ["moon", 0, "pass", 0], {"t0": "13"}, ""),
        ("classic", BONUS | {"moon": True, "thirteen_is_moon": True}, [13, 0, 13, 0], {"t0": "13"}, ""),
        ("classic", BONUS, [13, 0, 13, 0], {"t0": "13"}, "us"),
        # who took none, or one where two are needed, has not the last of them
        ("classic", BONUS, [0, 4, 0, 4], {"t0": "0"}, ""),
        ("classic", BONUS, [1, 4, 1, 4], {"t0": "1"}, "us"),
        ("classic", {"last_sequence_bonus": True}, [1, 4, 1, 4], {"t0": "1"}, ""),
        ("classic", {"last_sequence_bonus": True}, [2, 4, 2, 4], {"t0": "2"}, "us"),
        # a blind number that must be exact, and was not
        ("classic", BONUS | {"blind_bid": True, "blind_exact": True}, ["blind_6", 4, "pass", 4], {"t0": "7"}, ""),
        ("classic", BONUS | {"blind_bid": True, "blind_exact": True}, ["blind_6", 4, "pass", 4], {"t0": "6"}, "us"),
        # a first deal that bids itself is always exact, and has no bonus (SPADES-135)
        ("classic", BONUS | {"first_hand_bids_itself": True}, [], {"t0": "6"}, ""),
        ("classic", {}, [6, 4, 6, 4], {"t0": "6"}, ""),
    ],
    ids=str,
)  # fmt: skip
def test_the_last_tricks_are_asked_for_where_they_can_score(
    preset: str, options: dict[str, Any], calls: list[int | str], answers: dict[str, str], asked: str
) -> None:
    found = counted(preset, options, calls, answers)
    if not asked:
        assert found.kind == "ready"
        return
    assert found.question is not None
    assert found.question.id == "last"
    named = {choice.value[:1] for group in found.question.groups for choice in group} - {""}
    assert named == {"0" if asked == "us" else "1"}


def test_a_corrected_first_deal_that_bid_itself_is_not_asked_for_its_last_tricks() -> None:
    rules = {"options": BONUS | {"first_hand_bids_itself": True}}
    found = correction(sitting(rules), {"us": {"bid": 6, "tricks": 6}, "them": {"bid": 7, "tricks": 7}}, {})
    assert found.kind == "ready"


@pytest.mark.parametrize("named", [(), ("a",), ("c",), ("a", "c")])
@pytest.mark.parametrize("count", [1, 2])
def test_a_correction_keeps_nils_that_nobody_was_named_for(count: int, named: tuple[str, ...]) -> None:
    """They stay nobody's, unless only one player is left to have it."""
    nils: list[dict[str, Any]] = [{"call": "nil", "tricks": 0} for _ in range(count)]
    for nil, player in zip(nils, named, strict=False):
        nil["player"] = player
    us: dict[str, Any] = {"tricks": 6 * (count < 2), "nils": nils} | ({"bid": 4} if count < 2 else {})
    facts = {"us": us, "them": {"bid": 5, "tricks": 13 - us["tricks"]}}
    kept = correction(sitting({}), facts, {"t1": "7"} if count < 2 else {})
    assert kept.facts is not None
    assert [(nil["call"], nil["tricks"]) for nil in kept.facts["us"]["nils"]] == [("nil", 0)] * count
    left = {"a", "c"} - {*named[:count]} if len(named) == 1 < count else set[str]()
    players = {nil["player"] for nil in kept.facts["us"]["nils"] if "player" in nil}
    assert players == {*named[:count]} | left


@pytest.mark.parametrize(("answers", "player"), [
    ({}, None), ({"cc": "nil"}, "c"), ({"ca": "-"}, "c"), ({"ca": "nil"}, "a"), ({"t1": "7"}, None),
])  # fmt: skip
def test_a_nil_of_nobody_is_named_by_the_answer_alone(answers: dict[str, str], player: str | None) -> None:
    """Whoever corrects another fact names nobody; the page calls it the side's."""
    facts = {"us": {"bid": 4, "tricks": 6, "nils": [{"call": "nil", "tricks": 2}]}, "them": {"bid": 5, "tricks": 7}}
    found = correction(sitting({}), facts, answers)
    assert found.facts is not None
    (nil,) = found.facts["us"]["nils"]
    assert (nil.get("player"), nil["tricks"]) == (player, 2)
    if player is None:
        assert [said.value for said in found.said if said.question in ("ca", "cc")] == ["?", "?"]

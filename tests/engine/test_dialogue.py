"""Questions as data: names of seats, reasons behind verdicts, and what a recorded move is marked with."""

from __future__ import annotations

from typing import Any

import pytest

from companion.engine.cards import Card
from companion.engine.dialogue import (
    Context,
    Joined,
    Page,
    Phrase,
    Question,
    Reason,
    State,
    Term,
    card_term,
    decisive,
    finding_reason,
    grouped_reasons,
    joined_texts,
    reasons_of,
    verdict_sign,
)
from companion.engine.verdict import Because, Breach, Finding, Judged, Missing, Verdict

BREACH, MISSING, BECAUSE = Breach("g.b", "code", {"card": "7H"}), Missing("hand", "g.m", "A"), Because("g.a")
LEGAL, ILLEGAL, OPEN = Verdict(because=(BECAUSE,)), Verdict((BREACH,), (MISSING,)), Verdict(missing=(MISSING,))


def test_texts() -> None:
    assert card_term(Card("7", "H")) == card_term("7H") == Term("card", "7H")
    assert joined_texts(["a", Phrase("b")]) == Joined(("a", Phrase("b")), " ")
    assert joined_texts(iter("ab"), ", ") == Joined(("a", "b"), ", ")
    assert Context(None, State({})).say("x", n=1) == Phrase("asks.x", {"n": 1})


@pytest.mark.parametrize(
    ("names", "count", "seats"),
    [
        ((), 4, ("N", "E", "S", "W")),
        ((), 3, ("N", "E", "S")),
        (("a", "b", "c"), 3, ("a", "b", "c")),
        (("a", "b", "c"), 4, ("N", "E", "S", "W")),
        (("a", "b", "a"), 3, ("N", "E", "S")),
        (("a", "b"), 1, ("N",)),
    ],
)
def test_seats_are_named_by_a_sheet_that_fits(names: tuple[str, ...], count: int, seats: tuple[str, ...]) -> None:
    context = Context("rules", State({"a": "1"}), ("N", "E", "S", "W"), totals={0: 5})
    assert context.with_names(names).seats(count) == seats
    assert context.with_names(names).with_names(()).seats(2) == ("N", "E")
    assert context.with_state(State({})) == Context("rules", State({}), ("N", "E", "S", "W"), totals={0: 5})


def test_question_knows_its_address() -> None:
    question = Question(("h", "p"), lambda context, verb, word: context.state, lambda context: Page(""), longest=20)
    assert question.all_names == ("sheet", "rules", "h", "p")
    assert not question.too_long(State({"h": "x" * 9, "rules": "y"}))  # rules=y&h=xxxxxxxxx has 19 characters
    assert not question.too_long(State({"h": "x" * 10, "rules": "y"}))
    assert question.too_long(State({"h": "x" * 11, "rules": "y"}))
    assert not question.too_long(State({"z": "x" * 99}))


@pytest.mark.parametrize(
    ("verdict", "reasons", "decides"),
    [
        (Verdict(), (), ()),
        (LEGAL, (BECAUSE,), (BECAUSE,)),
        (OPEN, (MISSING,), (MISSING,)),
        (ILLEGAL, (BREACH, MISSING), (BREACH,)),
        (Verdict(missing=(MISSING,), because=(BECAUSE,)), (MISSING,), (MISSING,)),
    ],
)
def test_what_a_verdict_rests_on(verdict: Verdict, reasons: tuple[Any, ...], decides: tuple[Any, ...]) -> None:
    assert reasons_of(verdict) == tuple(Reason(one) for one in reasons)
    assert decisive(verdict) == decides


def breach(card: str, code: str = "code", **facts: Any) -> Verdict:
    return Verdict((Breach("g.b", code, {"card": card, **facts}),))


def test_reasons_of_several_cards_are_given_once() -> None:
    verdicts = {
        "2S": breach("2S", led="H"),
        "3S": LEGAL,
        "4S": breach("4S", led="H"),
        "5S": breach("5S", led="D"),
        "6S": breach("6S", "other", led="H"),
        "7S": OPEN,
        "8S": LEGAL,
        "9S": Verdict(missing=(Missing("trump", "g.m"),)),
        "10S": Verdict(),
    }
    assert [(reason.found, reason.things, reason.fact) for reason in grouped_reasons(verdicts)] == [
        (MISSING, ("7S",), "card"),
        (Missing("trump", "g.m"), ("9S",), "card"),
        (Breach("g.b", "code", {"card": "2S", "led": "H"}), ("2S", "4S"), "card"),
        (Breach("g.b", "code", {"card": "5S", "led": "D"}), ("5S",), "card"),
        (Breach("g.b", "other", {"card": "6S", "led": "H"}), ("6S",), "card"),
        (BECAUSE, ("3S", "8S"), "card"),
    ]


def test_reasons_of_several_calls_leave_the_call_out_of_the_comparison() -> None:
    verdicts = {call: Verdict((Breach("g.b", "low", {"call": call, "least": 4}),)) for call in (1, 2, 3)}
    assert [(one.things, one.fact) for one in grouped_reasons(verdicts, fact="call")] == [((1, 2, 3), "call")]
    assert len(grouped_reasons(verdicts)) == 3
    assert grouped_reasons({}) == ()


def test_finding_is_put_into_the_turn_in_which_it_happened() -> None:
    inside = Finding("g.b", "code", "A", {"turn": 3})
    assert finding_reason(inside) == Reason(inside, around=Phrase("asks.found-at", {"turn": 3, "name": "A"}))
    for other in (Finding("g.b", "code", "A"), Finding("g.b", "code", "A", {"turn": 3, "shown_by": "7H"})):
        assert finding_reason(other) == Reason(other)


@pytest.mark.parametrize(
    ("verdict", "settled", "sign"),
    [
        (LEGAL, None, "✓"), (ILLEGAL, None, "✕"), (OPEN, None, "?"), (OPEN, "legal", "?→✓"), (OPEN, "illegal", "?→✕"),
        (LEGAL, "legal", "✓"), (ILLEGAL, "illegal", "✕"),
    ],
)  # fmt: skip
def test_sign_of_a_recorded_move(verdict: Verdict, settled: str | None, sign: str) -> None:
    assert verdict_sign(Judged({}, verdict, settled)) == sign

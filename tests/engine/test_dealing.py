"""Was it dealt right? The page that every game shares, with a game of nothing but numbers and seats."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from companion.engine.dialogue import (
    COUNTS,
    DEALERS,
    MAX_COUNTS,
    AnswerSection,
    Choice,
    Context,
    DealCheck,
    DealerCheck,
    Field,
    Page,
    Phrase,
    Picker,
    Prompt,
    Reason,
    State,
    choose_dealer,
    deal_page,
)
from companion.engine.verdict import Because, Breach, Missing, Verdict

RIGHT, WRONG, OPEN = Because("game.right"), Breach("game.wrong", "count"), Missing("count", "game.open")
SEATS = ("N", "E", "S")
EXPECTED = {0: 13, 2: 4}


def judge(entered: Mapping[int, int]) -> Verdict:
    if any(count != EXPECTED.get(place, count) for place, count in entered.items()):
        return Verdict((WRONG,))
    return Verdict(because=(RIGHT,)) if entered.keys() >= EXPECTED.keys() else Verdict(missing=(OPEN,))


def in_turn(last: str, seat: str) -> Verdict:
    return Verdict(because=(RIGHT,)) if SEATS.index(seat) == (SEATS.index(last) + 1) % 3 else Verdict((WRONG,))


DEAL, DEALER = DealCheck(("hand", "pile", "layout"), judge, EXPECTED), DealerCheck(SEATS, in_turn)


def page(dealer: DealerCheck = DEALER, more: tuple[AnswerSection, ...] = (), /, **values: str) -> Page:
    return deal_page(Context(None, State(values)), DEAL, dealer, more=more)


def say(key: str, **facts: Any) -> Phrase:
    return Phrase(f"asks.{key}", facts)


RULES_SAY = AnswerSection(
    say("dealt-right"),
    texts=(say("dealt-count", name="hand", count=13), say("dealt-count", name="layout", count=4)),
)


def test_names_in_the_address_stay() -> None:
    assert tuple(f"c{place}" for place in range(MAX_COUNTS)) == COUNTS
    assert DEALERS == ("b", "d")


@pytest.mark.parametrize(
    ("state", "verb", "word", "after"),
    [
        ({}, "last", "2", {"b": "2"}),
        ({}, "deals", "0", {"d": "0"}),
        ({"b": "2", "d": "1"}, "last", "1", {"b": "1", "d": "1"}),
        ({"b": "2", "d": "1"}, "last", "2", {"d": "1"}),
        ({"b": "2", "d": "1"}, "deals", "1", {"b": "2"}),
        ({"b": "2"}, "deals", "x", {"b": "2"}),
        ({"b": "2"}, "last", "10", {"b": "2"}),
        ({"b": "2"}, "last", "", {"b": "2"}),
        ({"b": "2"}, "tap", "1", {"b": "2"}),
    ],
)
def test_dealer_is_named_and_taken_back(state: dict[str, str], verb: str, word: str, after: dict[str, str]) -> None:
    assert choose_dealer(State(state), verb, word).values == after


def test_nothing_entered_shows_what_the_rules_expect() -> None:
    asks = (Prompt(say("ask-last"), (tuple(Choice(f"last:{n}", seat, False) for n, seat in enumerate(SEATS)),)),)
    fields = (Field("c0", "hand", ""), Field("c1", "pile", ""), Field("c2", "layout", ""))
    assert page() == Page(say("dealt-start"), asks=asks, fields=fields, answers=(RULES_SAY,))


def test_game_that_asks_for_no_dealer() -> None:
    assert page(DealerCheck(), b="1").asks == ()
    assert page(DealerCheck(), b="0").answers == (RULES_SAY,)


@pytest.mark.parametrize(
    ("entered", "value", "found"),
    [
        ({"c0": "13", "c2": "4"}, "legal", RIGHT),
        ({"c0": "13"}, "undecided", OPEN),
        ({"c0": "12"}, "illegal", WRONG),
        ({"c0": "0"}, "illegal", WRONG),
        ({"c0": "162"}, "illegal", WRONG),
    ],
)
def test_numbers_are_judged(entered: dict[str, str], value: str, found: Because | Breach | Missing) -> None:
    shown = page(**entered)
    assert (shown.verdict, shown.value) == (say(f"dealt-{value}"), value)
    assert shown.answers == (AnswerSection(say(f"dealt-{value}"), value, reasons=(Reason(found),)), RULES_SAY)
    assert [field.value for field in shown.fields] == [entered.get(name, "") for name in ("c0", "c1", "c2")]


def test_number_beyond_all_packs_counts_as_not_entered() -> None:
    assert page(c0="163", c1="-1") == page()


def test_next_dealer_follows_the_last() -> None:
    shown = page(b="2")
    deals = AnswerSection(say("deals-legal", name="N"), "legal", reasons=(Reason(RIGHT),))
    assert (shown.verdict, shown.value, shown.answers) == (say("deals-legal", name="N"), "legal", (deals, RULES_SAY))
    assert shown.asks == tuple(
        Prompt(say(f"ask-{verb}"), (tuple(Choice(f"{verb}:{n}", seat, seat == on) for n, seat in enumerate(SEATS)),))
        for verb, on in (("last", "S"), ("deals", ""))
    )


@pytest.mark.parametrize(("now", "value", "found"), [("0", "legal", RIGHT), ("1", "illegal", WRONG)])
def test_dealer_who_was_named_is_judged(now: str, value: str, found: Because | Breach) -> None:
    shown = page(b="2", d=now)
    heading = say(f"deals-{value}", name=SEATS[int(now)])
    assert shown.answers[0] == AnswerSection(heading, value, reasons=(Reason(found),))
    assert (shown.verdict, shown.value) == (heading, value)
    assert [choice.pressed for choice in shown.asks[1].groups[0]] == [n == int(now) for n in range(3)]


def test_dealer_without_a_last_one_says_nothing() -> None:
    assert page(d="1").answers == (RULES_SAY,)
    assert page(b="3").answers == (RULES_SAY,)
    assert page(DealerCheck(SEATS, lambda last, seat: Verdict((WRONG,))), b="1").answers == (RULES_SAY,)


def test_bar_shows_the_numbers_unless_the_dealer_is_wrong() -> None:
    assert page(b="2", c0="12").verdict == say("dealt-illegal")
    assert page(b="2", c0="12", d="0").verdict == say("dealt-illegal")
    wrong = page(b="2", c0="13", c2="4", d="1")
    assert (wrong.verdict, wrong.value) == (say("deals-illegal", name="E"), "illegal")
    assert [answer.value for answer in wrong.answers] == ["illegal", "legal", ""]


def test_more_answers_of_a_game_come_first_and_own_the_bar() -> None:
    more = (AnswerSection("one", "legal"), AnswerSection("two", "undecided"))
    shown = page(DEALER, more, b="2", c0="12")
    assert (shown.verdict, shown.value) == ("two", "undecided")
    assert [answer.heading for answer in shown.answers[:2]] == ["two", "one"]
    picker = Picker("cards", ())
    assert deal_page(Context(None, State({})), DEAL, DEALER, picker=picker).picker is picker
    assert page().picker is None


def test_dealer_check_without_a_judge_forbids_nothing() -> None:
    assert DealerCheck(SEATS).judge("N", "E") == Verdict()

"""The little language of sentences: facts, plurals, suits, cards, and words that stand only with a fact."""

from __future__ import annotations

import pytest

from companion.rulebook.wording import Template, Vocabulary, card_text, signed_text

ENGLISH = Vocabulary(
    words={"none": "none", "yes": "yes", "no": "no", "on": "on", "off": "off", "suit-H": "hearts", "nil": "nil"},
    by_fact={"deck": {"jokers": "with jokers"}},
    labels={"nil_value": "Value of nil", "deck": "Pack"},
)


@pytest.mark.parametrize(
    ("source", "facts", "text"),
    [
        ("{bid} bid", {"bid": 5}, "5 bid"),
        ("{points} points", {"points": -50}, "−50 points"),
        ("{points:signed}", {"points": 50}, "+50"),
        ("stack {stack:nth}", {"stack": 0}, "stack 1"),
        ("{count:trick|tricks}", {"count": 1}, "1 trick"),
        ("{count:trick|tricks}", {"count": 0}, "0 tricks"),
        ("{led:suit} led", {"led": "H"}, "hearts led"),
        ("{card}", {"card": "10H"}, "10♥\ufe0e"),
        ("{held}", {"held": ["7H", "2S"]}, "7♥\ufe0e, 2♠\ufe0e"),
        ("{call}", {"call": "nil"}, "nil"),
        ("{seat} deals", {"seat": "2H"}, "2H deals"),
        ("{reason:text}", {"reason": "AS we agreed {seat}"}, "AS we agreed {seat}"),
        ("{deck}", {"deck": "jokers"}, "with jokers"),
        ("{options:option}", {"options": ["deck", "nil_value"]}, "Pack, Value of nil"),
        ("{to:value}", {"option": "deck", "to": "jokers"}, "with jokers"),
        ("{to:value}", {"option": "nil", "to": True}, "on"),
        ("{player?{player}: }nil", {"player": "East"}, "East: nil"),
        ("{player?{player}: }nil", {"player": None}, "nil"),
        ("{made?made|failed, {count:trick|tricks}}", {"made": False, "count": 2}, "failed, 2 tricks"),
        ("{low=none?any|from {low}}", {"low": 0}, "from 0"),
        ("{low=none?any|from {low}}", {}, "any"),
        ("without 2♣", {}, "without 2♣\ufe0e"),
    ],
)
def test_a_template_says(source: str, facts: dict[str, object], text: str) -> None:
    assert Template(source, ENGLISH)(facts) == text


@pytest.mark.parametrize("source", ["{bid", "bid}", "{made?yes", "{:text}", "{a:nonsense}"])
def test_a_broken_template_is_refused_when_it_is_read(source: str) -> None:
    with pytest.raises((ValueError, KeyError)):
        Template(source, ENGLISH)({"a": 1})


def test_a_template_knows_what_it_needs_and_what_it_may_use() -> None:
    template = Template("{seat}: {bid=none?no bid|{bid} of {limit}}", ENGLISH)
    assert template.needed == {"seat"}
    assert template.names == {"seat", "bid", "limit"}


def test_cards_and_signs() -> None:
    assert card_text("QS") == "Q♠\ufe0e"
    assert card_text("1S") == "1S"
    assert [signed_text(value) for value in (7, 0, -7)] == ["+7", "±0", "−7"]

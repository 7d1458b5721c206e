"""Messages: facts, plurals, suits, cards, and words that depend on a fact."""

from __future__ import annotations

import pytest
from babel.core import Locale
from jinja2 import TemplateError

from companion.data import LANGUAGES
from companion.engine.cards import signed_text
from companion.rulebook.words import Message, Vocabulary, card_text, load_book, mentioned, plural_form

ENGLISH = Vocabulary(
    words={"none": "none", "yes": "yes", "no": "no", "on": "on", "off": "off", "suit-H": "hearts", "nil": "nil"},
    by_fact={"deck": {"jokers": "with jokers"}},
    labels={"nil_value": "Value of nil", "deck": "Pack"},
)


@pytest.mark.parametrize(
    ("source", "facts", "text"),
    [
        ("{{ bid }} bid", {"bid": 5}, "5 bid"),
        ("{{ points }} points", {"points": -50}, "−50 points"),
        ("{{ points|signed }}", {"points": 50}, "+50"),
        ("stack {{ stack|nth }}", {"stack": 0}, "stack 1"),
        ("{{ count }} {{ count|plural(one='trick', other='tricks') }}", {"count": 1}, "1 trick"),
        ("{{ count }} {{ count|plural(one='trick', other='tricks') }}", {"count": 0}, "0 tricks"),
        ("{{ led|suit }} led", {"led": "H"}, "hearts led"),
        ("{{ card }}", {"card": "10H"}, "10♥\ufe0e"),
        ("{{ held }}", {"held": ["7H", "2S"]}, "7♥\ufe0e, 2♠\ufe0e"),
        ("{{ call }}", {"call": "nil"}, "nil"),
        ("{{ seat }} deals", {"seat": "2H"}, "2H deals"),
        ("{{ reason|text }}", {"reason": "AS we agreed {seat}"}, "AS we agreed {seat}"),
        ("{{ deck }}", {"deck": "jokers"}, "with jokers"),
        ("{{ options|option }}", {"options": ["deck", "nil_value"]}, "Pack, Value of nil"),
        ("{{ to|value(option) }}", {"option": "deck", "to": "jokers"}, "with jokers"),
        ("{{ to|value(option) }}", {"option": "nil", "to": True}, "on"),
        ("{% if player %}{{ player }}: {% endif %}nil", {"player": "East"}, "East: nil"),
        ("{% if player %}{{ player }}: {% endif %}nil", {"player": None}, "nil"),
        (
            "{% if made %}made{% else %}failed, {{ count }} {{ count|plural(one='trick', other='tricks') }}{% endif %}",
            {"made": False, "count": 2},
            "failed, 2 tricks",
        ),
        ("{% if low is none %}any{% else %}from {{ low }}{% endif %}", {"low": 0}, "from 0"),
        ("{% if low is none %}any{% else %}from {{ low }}{% endif %}", {}, "any"),
        ("without 2♣", {}, "without 2♣\ufe0e"),
    ],
)
def test_a_message_says(source: str, facts: dict[str, object], text: str) -> None:
    assert Message(source, ENGLISH)(facts) == text


@pytest.mark.parametrize(
    ("lang", "forms"),
    [
        ("en", {0: "many", 1: "one", 2: "many", -1: "one", 22: "many"}),
        ("ja", {0: "many", 1: "many", 2: "many"}),
        ("pl", {0: "many", 1: "one", 2: "few", 5: "many", 12: "many", 22: "few"}),
    ],
)
def test_the_plural_is_the_one_of_the_language(lang: str, forms: dict[int, str]) -> None:
    message = Message("{{ count|plural(one='one', few='few', other='many') }}", Vocabulary(lang))
    assert {count: message({"count": count}) for count in forms} == forms
    assert message({"count": "…"}) == message({}) == "many"


@pytest.mark.parametrize(
    "source",
    [
        "{{ bid", "bid }}", "{bid}", "{bid:trick|tricks}", "{% if made %}yes", "{{ }}", "{{ a|nonsense }}",
        "{{ a|plural(one='x') }}", "{% set a = 1 %}", "{% for a in b %}{% endfor %}", "{{ a() }}", "{{ a.b }}",
    ],
)  # fmt: skip
def test_a_message_that_is_not_well_formed_is_refused(source: str) -> None:
    with pytest.raises((ValueError, TypeError, TemplateError)):
        Message(source, ENGLISH)({"a": 1})


def test_a_message_knows_what_it_needs_and_what_it_mentions() -> None:
    message = Message("{{ seat }}: {% if bid is none %}no bid{% else %}{{ bid }} of {{ limit }}{% endif %}", ENGLISH)
    assert message.needed == {"seat"}
    assert message.names == {"seat", "bid", "limit"}
    assert Message("{{ points|signed }} {{ call|plural(one='a', other='b') }}", ENGLISH).needed == {"points", "call"}


def test_the_quick_list_of_names_agrees_with_the_parsed_one_for_every_phrase() -> None:
    book = load_book()
    messages = [message for site in book.sites.values() for message in site.templates.values()]
    for words in book.words.values():
        messages += [*words.interface.values(), *(each for table in words.tables.values() for each in table.values())]
    assert [each.source for each in messages if mentioned(each.source) != each.names] == []
    assert len(messages) > 1000


def test_cards_and_signs() -> None:
    assert card_text("QS") == "Q♠\ufe0e"
    assert card_text("1S") == "1S"
    assert [signed_text(value) for value in (7, 0, -7)] == ["+7", "±0", "−7"]


@pytest.mark.parametrize("lang", LANGUAGES)
def test_quick_plural_rules_are_babels(lang: str) -> None:
    rule = Locale.parse(lang, sep="-").plural_form
    assert [plural_form(lang, count) for count in range(-25, 1002)] == [rule(count) for count in range(-25, 1002)]


@pytest.mark.parametrize("source", ["{{ a|no_such }}", "{{ a", "{{ a }} }", "{{ a.b }}", "{{ a|plural(one=b) }}{"])
def test_what_is_not_well_formed_is_refused_when_checked(source: str) -> None:
    with pytest.raises((ValueError, TemplateError)):
        Message(source, Vocabulary()).check()

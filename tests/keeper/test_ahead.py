"""What a phone is told of the questions to come: the server asks them indeed, in every way to play."""

from __future__ import annotations

import random
import re
from typing import Any

import pytest

from companion.games import GAMES
from tests.keeper.phone import Button, Page, Phone

WAYS = [(game.id, preset) for game in GAMES.values() if game.entry for preset in game.options.presets]
QUESTION = re.compile(r'data-question="([^"]*)"')


def asked(page: Page) -> str:
    """The question that a page asks, empty where it asks none."""
    found = QUESTION.search(page.html)
    return found[1] if found else ""


def buttons(page: Page) -> list[Button]:
    """The buttons of the question."""
    return [button for form in page.forms for button in form.buttons if button.name in ("call", asked(page))]


def coming(phone: Phone, query: str = "") -> list[dict[str, Any]]:
    """What the phone is told of the questions to come."""
    found: list[dict[str, Any]] = phone.client.get(f"{phone.sheet}/ahead{query}").json["questions"]
    return found


@pytest.mark.parametrize(("game", "preset"), WAYS)
def test_questions_to_come_are_asked_with_the_buttons_that_were_shown(phone: Phone, game: str, preset: str) -> None:
    chance, reached = random.Random(f"{game} {preset}"), 0
    phone.get(f"/en/sheets/new/{game}?rules={preset}")
    phone.press("Start")
    phone.sheet = phone.url
    questions = coming(phone)
    shown = questions[0]
    assert asked(phone.page) == shown["question"]
    while shown["after"]:
        value = chance.choice(list(shown["after"])) or str(chance.randrange(1, 400))  # one for whatever is typed
        phone.press(next((button.label for button in buttons(phone.page) if button.value == value), value))
        after = shown["after"]
        shown = questions[after.get(value, after.get(""))]
        assert asked(phone.page) == shown["question"]
        drawn = {(button.value, button.label) for button in buttons(Page(f"<form>{shown['html']}</form>"))}
        assert {(button.value, button.label) for button in buttons(phone.page)} <= drawn
        reached += 1
    assert reached, "no question is known before it is asked"


def test_nothing_is_foretold_where_a_call_is_changed_or_another_deal_is_meant(phone: Phone) -> None:
    phone.open()
    phone.press(3)
    assert len(coming(phone)) > 3
    assert [one["after"] for one in coming(phone, "?change=0")] == [{}]
    assert coming(phone, "?d=1.7") == []


def test_a_foreign_phone_is_told_nothing(phone: Phone, other: Phone) -> None:
    phone.open()
    assert other.client.get(f"{phone.sheet}/ahead").status_code == 404

"""What a lesson teaches is what its button opens: a sheet with the rules of the preset and no others."""

from __future__ import annotations

import re

import pytest
from flask.testing import FlaskClient

from companion import library as companion
from companion.library import GAMES, LANGUAGES
from companion.rulebook.lessons import learn_path
from tests.keeper.phone import Page

WAYS = [(game.id, way) for game in GAMES.values() if (found := game.load_lessons()) for way in found.ways]


@pytest.mark.parametrize(("game", "way"), WAYS)
def test_the_button_of_a_lesson_opens_a_sheet_with_its_rules(game: str, way: str, client: FlaskClient) -> None:
    lessons, taught = GAMES[game].load_lessons(), companion.rules(game, {"preset": way})
    assert lessons
    for lang in LANGUAGES:
        page = client.get(f"/{lang}/{learn_path(game, lessons, way)}").text
        [button] = re.findall(rf'href="(/{lang}/sheets/new/{game}[^"]*)"', page)
        [form] = [one for one in Page(client.get(button).text).forms if "name0" in dict(one.fields)]
        sent: dict[str, list[str]] = {}
        for name, value in form.fields:
            sent.setdefault(name, []).append(f"N{name}" if re.fullmatch(r"name\d", name) else value)
        opened = client.post(form.action or button.partition("?")[0], data=sent)
        assert opened.status_code == 303, opened.text
        [kept] = re.findall(rf'our-rules"><a href="/{lang}/rules/{game}([^"]*)"', client.get(opened.location).text)
        code = kept.partition("?rules=")[2] or kept.strip("/") or GAMES[game].options.default_preset
        assert companion.rules(game, code)["options"] == taught["options"]

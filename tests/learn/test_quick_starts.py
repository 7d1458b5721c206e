"""The quick start of each way to play: in every language, short enough to be read aloud, with its numbers."""

from __future__ import annotations

import re

import brotli
import pytest
from flask.testing import FlaskClient

from companion.games import GAMES
from companion.rulebook.lessons import learn_path, lesson_faults, quick_start
from companion.rulebook.pages import plain_text
from companion.web.learn import learn_paths

WAYS = [
    (game.id, way) for game in GAMES.values() if (found := game.load_lessons()) for way in (*found.ways, *found.starts)
]
BYTES = 14_000
SIGNS, WORDS = 1_300, 560
"""What four minutes hold."""
_FIGURE = re.compile(r"<figure.*?</figure>", re.DOTALL)


@pytest.mark.parametrize(("game", "way"), WAYS)
def test_a_quick_start_is_read_aloud_in_four_minutes(client: FlaskClient, game: str, way: str) -> None:
    for lang in ("ja", "en"):
        start = quick_start(game, lang, way)
        texts = (start.lead, start.need, start.begin, start.aim, *start.turn, *start.score, start.leave, start.tip)
        read = plain_text(_FIGURE.sub("", " ".join(texts)))
        assert (len(read) < SIGNS) if lang == "ja" else (len(read.split()) < WORDS)
        assert len(start.turn) == 3
        assert len(start.score) <= 5
        assert "<figure>" in start.table
        assert "**" not in read
        assert "{" not in read


def test_every_page_answers_within_its_bytes(client: FlaskClient) -> None:
    for path in learn_paths():
        for lang in ("ja", "en"):
            answer = client.get(f"/{lang}/{path}")
            assert answer.status_code == 200, path
            assert len(brotli.compress(answer.data, quality=5)) < BYTES, path


def test_numbers_are_those_of_the_preset() -> None:
    for game, way in WAYS:
        rules = GAMES[game].options.preset(way).options
        for lang in ("ja", "en"):
            start = quick_start(game, lang, way)
            target = GAMES[game].target(rules)
            assert target is None or str(target) in plain_text(start.aim), (game, way)


def test_the_languages_have_the_same_texts() -> None:
    assert not [fault for game in GAMES.values() for fault in lesson_faults(game)]


def test_a_game_is_taught_where_people_look_for_it(client: FlaskClient) -> None:
    for game, _ in WAYS:
        for page in ("/en/", "/en/rules", f"/en/rules/{game}"):
            assert f'href="/en/learn/{game}"' in client.get(page).text
    assert client.get("/en/learn/nothing").status_code == 404
    assert client.get(f"/en/learn/{WAYS[0][0]}/nothing").status_code == 404


@pytest.mark.parametrize(("game", "way"), WAYS)
def test_the_sheet_that_a_lesson_opens_has_the_rules_it_teaches(client: FlaskClient, game: str, way: str) -> None:
    quick = client.get(f"/en/{learn_path(game, GAMES[game].load_lessons(), way, '')}").text
    opened = re.findall(rf'href="(/en/sheets/new/{game}[^"]*)"', quick)
    assert opened == [f"/en/sheets/new/{game}?rules={way}"]
    assert f'action="{opened[0]}"' in client.get(opened[0]).text

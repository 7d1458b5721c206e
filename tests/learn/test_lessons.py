"""Deals to watch, the quiz, the sheet and advice: judged by the judge, whole in every language, small pages."""

from __future__ import annotations

import re
from urllib.parse import urlsplit

import brotli
import pytest
from flask.testing import FlaskClient

from companion.engine.game import Game, score
from companion.engine.lessons import Lessons
from companion.engine.verdict import ILLEGAL, LEGAL
from companion.games import GAMES
from companion.rulebook.book import load_book
from companion.rulebook.lessons import advice, lesson_texts
from companion.rulebook.phrases import LANGUAGES
from companion.rulebook.teaching import choices, draw_puzzle, judge_puzzle, lesson_words, recommend

TAUGHT = [game for game in GAMES.values() if game.lessons is not None]
BYTES = 14_000
SEEDS = range(1, 41)
games = pytest.mark.parametrize("game", TAUGHT, ids=[game.id for game in TAUGHT])


def lessons_of(game: Game) -> Lessons:
    found = game.load_lessons()
    assert found is not None
    return found


def places_on(lang: str) -> set[str]:
    return {f"/{lang}/{place}" for place in load_book().places.values()}


@games
def test_a_deal_is_legal_and_the_other_has_a_mistake_that_is_found(game: Game) -> None:
    for lang in LANGUAGES:
        taught = lesson_words(game.id, lang)
        steps = taught.steps("first")
        assert len(steps) >= 8
        assert {move.verdict for step in steps for move in step.moves} == {LEGAL}
        assert taught.findings("first") == []
        assert len(taught.result("first")) == 2
        assert any(step.others for step in steps)
        assert taught.findings("mistake")
        known = places_on(lang)
        reasons = [reason for name in ("first", "mistake") for step in taught.steps(name) for move in step.moves
                   for reason in move.reasons]  # fmt: skip
        assert {reason.url for reason in (*reasons, *taught.findings("mistake"))} <= known


@games
def test_every_remark_belongs_to_a_step_that_is_shown(game: Game) -> None:
    for lang in LANGUAGES:
        for name in lessons_of(game).deals:
            notes = lesson_texts(game.id, lang)["deals"][name]["notes"]
            shown = lesson_words(game.id, lang).steps(name)
            assert {int(place) for place in notes} <= set(range(1, len(shown) + 1))


@games
def test_the_judge_answers_each_of_ten_positions_with_the_article_it_teaches(game: Game) -> None:
    puzzles = lessons_of(game).puzzles
    assert len(puzzles) == 10
    values = []
    for name, puzzle in puzzles.items():
        verdict = judge_puzzle(game, puzzle)
        values.append(verdict.value)
        assert puzzle.article in {
            *(one.article for one in verdict.breaches),
            *(one.article for one in verdict.because),
        }, name
    assert set(values) == {LEGAL, ILLEGAL}
    for lang in LANGUAGES:
        assert list(lesson_texts(game.id, lang)["quiz"]) == list(puzzles)
        assert all(lesson_words(game.id, lang).puzzle(puzzle).reasons for puzzle in puzzles.values())


@games
def test_positions_that_are_drawn_have_an_answer_and_both_answers_occur(game: Game) -> None:
    drawn = [draw_puzzle(game.id, seed) for seed in SEEDS]
    values = [judge_puzzle(game, puzzle).value for puzzle in drawn]
    assert set(values) == {LEGAL, ILLEGAL}
    assert min(values.count(LEGAL), values.count(ILLEGAL)) > len(SEEDS) / 4
    assert len({str(puzzle) for puzzle in drawn}) > len(SEEDS) / 2
    assert draw_puzzle.__wrapped__(game.id, 7) == draw_puzzle(game.id, 7)


@games
def test_the_sheet_is_a_whole_game_with_three_places_explained(game: Game) -> None:
    lessons = lessons_of(game)
    _, ledger = score(game, lessons.sheet)
    assert ledger.outcome.over
    assert len(ledger.outcome.winners) == 1
    assert len(lessons.why) == 3
    for lang in LANGUAGES:
        assert len(lesson_texts(game.id, lang)["score"]["why"]) == 3


@games
def test_advice_is_whole_and_each_way_suits_somebody(game: Game) -> None:
    lessons = lessons_of(game)
    for lang in LANGUAGES:
        found = advice(game.id, lang)
        assert len(found.questions) == 15
        assert len(found.mistakes) == 8
        assert found.strategy
        assert {item.url for item in (*found.questions, *found.mistakes)} <= places_on(lang)
        texts = lesson_texts(game.id, lang)["choose"]
        assert {name: ("ask", *answers) for name, answers in choices(lessons)} == {
            name: tuple(of) for name, of in texts.items()
        }
    assert len(lessons.choice) == 4
    combinations: list[dict[str, str]] = [{}]
    for question, answers in choices(lessons):
        combinations = [{**chosen, question: answer} for chosen in combinations for answer in answers]
    assert {recommend(lessons, chosen) for chosen in combinations} == set(lessons.ways)


@games
def test_every_page_is_there_and_small_and_leads_on_without_script(client: FlaskClient, game: Game) -> None:
    for lang in LANGUAGES:
        waiting, seen = [f"/{lang}/learn/{game.id}"], set[str]()
        while waiting:
            path = waiting.pop()
            if path in seen:
                continue
            seen.add(path)
            answer = client.get(path)
            assert answer.status_code == 200, path
            assert len(brotli.compress(answer.data, quality=5)) < BYTES, path
            assert "{{" not in answer.text, path
            assert not re.search(r"\bp[1-4]\b", re.sub(r"<[^>]*>", "", answer.text)), path
            found = (link.replace("&amp;", "&") for link in re.findall(r'<a [^>]*href="([^"#]+)', answer.text))
            waiting += [link for link in found if urlsplit(link).path.startswith(f"/{lang}/learn/{game.id}")]
        assert len(seen) > 40


@games
def test_an_answer_says_whether_it_is_right(client: FlaskClient, game: Game) -> None:
    for name, puzzle in lessons_of(game).puzzles.items():
        legal = judge_puzzle(game, puzzle).value == LEGAL
        page = f"/en/learn/{game.id}/quiz/{name}?say="
        assert ("Right!" in client.get(f"{page}yes").text) == legal
        assert ("Right!" in client.get(f"{page}no").text) != legal


def test_what_is_not_taught_is_not_there(client: FlaskClient) -> None:
    base = f"/en/learn/{TAUGHT[0].id}"
    for path in ("/deal/none", "/deal/first/999", "/quiz/none", "/none"):
        assert client.get(base + path).status_code == 404, path
    assert client.get(f"{base}/quiz/more?seed=x").status_code == 200

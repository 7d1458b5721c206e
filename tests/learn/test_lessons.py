"""Deals to watch, the quiz, the sheet and advice of every way: judged by the judge, in every language, small pages."""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import pairwise
from urllib.parse import urlsplit

import brotli
import pytest
from flask.testing import FlaskClient

from companion.data import LANGUAGES
from companion.engine.game import Game, score
from companion.engine.lessons import Lessons, Way
from companion.engine.verdict import ILLEGAL, LEGAL
from companion.games import GAMES
from companion.rulebook.lessons import (
    Advice,
    QuickStart,
    StepText,
    advice,
    choices,
    draw_puzzle,
    judge_puzzle,
    learn_path,
    lesson_texts,
    lesson_words,
    quick_start,
    recommend,
)
from companion.rulebook.pages import page
from companion.rulebook.search import search
from companion.rulebook.words import load_book, say

TAUGHT = [game for game in GAMES.values() if game.lessons is not None]
WAYS = [(game, way) for game in TAUGHT if (found := game.load_lessons()) for way in found.ways]
BYTES = 14_000
SEEDS = range(1, 25)
_TAG = re.compile("<[^>]*>")
games = pytest.mark.parametrize("game", TAUGHT, ids=[game.id for game in TAUGHT])
ways = pytest.mark.parametrize(("game", "way"), WAYS, ids=[f"{game.id}-{way}" for game, way in WAYS])


def lessons_of(game: Game) -> Lessons:
    found = game.load_lessons()
    assert found is not None
    return found


def taught(game: Game, way: str) -> Way:
    return lessons_of(game).ways[way]


@lru_cache(maxsize=64)
def steps_of(game_id: str, way: str, lang: str, name: str) -> list[StepText]:
    return lesson_words(game_id, way, lang).steps(name)


def places_on(lang: str) -> set[str]:
    return {f"/{lang}/{place}" for place in load_book().places.values()}


def test_every_way_that_people_choose_by_name_is_taught() -> None:
    assert {f"{game.id} {way}" for game, way in WAYS} == {
        "spades classic", "spades modern", "spades solo4", "spades solo3", "spades duo_draw", "spades duo_dummy",
        "casino swazi", "casino standard", "casino book", "casino royal",
        "spite-and-malice blackwood", "spite-and-malice massachusetts", "spite-and-malice pagat",
    }  # fmt: skip


@ways
def test_a_deal_is_legal_and_the_other_has_a_mistake_that_is_found(game: Game, way: str) -> None:
    for name, deal in taught(game, way).deals.items():
        assert deal.record["rules"]["preset"] == way, name
    for lang in LANGUAGES:
        words = lesson_words(game.id, way, lang)
        steps, mistaken = (steps_of(game.id, way, lang, name) for name in ("first", "mistake"))
        assert len(steps) >= 8
        assert {move.verdict for step in steps for move in step.moves} == {LEGAL}
        assert words.findings("first") == []
        assert len(words.result("first")) >= 2
        assert any(step.others for step in steps)
        assert ILLEGAL in {move.verdict for step in mistaken for move in step.moves}
        assert words.findings("mistake")
        reasons = [reason for step in (*steps, *mistaken) for move in step.moves for reason in move.reasons]
        assert {reason.url for reason in (*reasons, *words.findings("mistake"))} <= places_on(lang)


@ways
def test_every_remark_belongs_to_a_step_that_is_shown(game: Game, way: str) -> None:
    for lang in LANGUAGES:
        for name, deal in taught(game, way).deals.items():
            shown = steps_of(game.id, way, lang, name)
            notes = lesson_texts(game.id, lang)["deals"][deal.texts]["notes"]
            assert {int(place) for place in notes} <= set(range(1, len(shown) + 1))
            assert [bool(step.note) for step in shown].count(True) == len(notes)


@ways
def test_a_move_cites_the_rule_by_its_heading_on_the_page_of_the_way(game: Game, way: str) -> None:
    """A heading that only names its matter, for any table, tells a learner nothing."""
    for lang in LANGUAGES:
        rules = page(game.id, lang, game.options.preset(way))
        for step in steps_of(game.id, way, lang, "first"):
            for reason in (reason for move in step.moves for reason in move.reasons):
                article = rules.article(urlsplit(reason.url).fragment)
                assert article is not None, reason
                assert article.title == reason.title


@ways
def test_a_remark_that_names_a_card_stands_where_that_card_is_seen(game: Game, way: str) -> None:
    """A remark that stands too early names cards that nobody has seen yet."""
    for lang in LANGUAGES:
        for name in taught(game, way).deals:
            seen = ""
            for number, step in enumerate(steps_of(game.id, way, lang, name), start=1):
                seen += _TAG.sub("", step.figure + "".join(move.html for move in step.moves))
                named = re.findall(r"(?:10|[2-9AJQK])[♠♥♦♣]", _TAG.sub("", step.note))
                assert all(card in seen for card in named), (name, number, named)


@ways
def test_the_judge_answers_each_of_ten_positions_with_the_article_it_teaches(game: Game, way: str) -> None:
    puzzles = taught(game, way).puzzles
    assert len(puzzles) == 10
    values = []
    for name, puzzle in puzzles.items():
        assert puzzle.rules == {"preset": way}
        verdict = judge_puzzle(game, puzzle)
        values.append(verdict.value)
        assert puzzle.article in {
            *(one.article for one in verdict.breaches),
            *(one.article for one in verdict.because),
        }, name
    assert set(values) == {LEGAL, ILLEGAL}
    for lang in LANGUAGES:
        words = lesson_words(game.id, way, lang)
        shown = {name: words.puzzle(puzzle) for name, puzzle in puzzles.items()}
        assert all(puzzle.reasons and puzzle.question for puzzle in shown.values())
        assert all(words.title(name) and words.lesson(name) for name in puzzles)


@games
def test_every_text_of_the_quiz_and_the_deals_is_used(game: Game) -> None:
    used = [lessons_of(game).ways[way] for way in lessons_of(game).ways]
    for lang in LANGUAGES:
        texts = lesson_texts(game.id, lang)
        assert set(texts["quiz"]) == {name for way in used for name in way.puzzles}
        assert set(texts["deals"]) == {deal.texts for way in used for deal in way.deals.values()}
        assert set(texts["why"]) == {why.question for way in used for why in way.why}


@ways
def test_positions_that_are_drawn_have_an_answer_and_both_answers_occur(game: Game, way: str) -> None:
    drawn = [draw_puzzle(game.id, way, seed) for seed in SEEDS]
    values = [judge_puzzle(game, puzzle).value for puzzle in drawn]
    assert set(values) == {LEGAL, ILLEGAL}
    assert min(values.count(LEGAL), values.count(ILLEGAL)) > len(SEEDS) / 4
    assert len({str(puzzle) for puzzle in drawn}) > len(SEEDS) / 2
    assert draw_puzzle.__wrapped__(game.id, way, 7) == draw_puzzle(game.id, way, 7)
    assert all(lesson_words(game.id, way, lang).puzzle(drawn[0]).question for lang in LANGUAGES)


@ways
def test_tapping_the_move_that_is_asked_about_gets_its_verdict(game: Game, way: str) -> None:
    """Every card that can be tapped is known, and some combination of an act and few cards is each move of the quiz."""
    lessons = lessons_of(game)
    asked = 0
    for name, puzzle in taught(game, way).puzzles.items():
        groups = [[tap for tap in row.taps if tap] for row in lessons.scene(puzzle)]
        names = [tap for group in groups for tap in group]
        assert len(set(names)) == len(names), name
        cards = [str(part) for part in _strings(puzzle.move)]
        hand = [[tap] for tap in groups[-1]] or [[]]
        others = [[tap] for group in groups[:-1] for tap in group]
        meant = [tap for tap in names if tap in cards]
        tried = [
            lessons.tap(puzzle, [*taps, act])
            for act in lessons.acts(puzzle)
            for taps in (meant, *hand, *([*one, *other] for one in hand for other in others), *_pairs(others))
        ]
        for move in tried:
            if move is not None:
                verdict = judge_puzzle(game, type(puzzle)(puzzle.rules, puzzle.position, move))
                assert verdict.value in (LEGAL, ILLEGAL), (name, move)
        asked += any(move is not None and _same(move, puzzle.move) for move in tried)
    assert asked >= 8


def _same(tapped: object, asked: object) -> bool:
    """Return whether two moves say the same, but for what the quiz adds and a tap cannot say."""
    extra = {"looked", "depth"}
    if isinstance(tapped, dict) and isinstance(asked, dict):
        return all(_same(tapped.get(key), value) for key, value in asked.items() if key not in extra)
    return tapped == asked


def _strings(value: object) -> list[str]:
    if isinstance(value, dict):
        return [text for part in value.values() for text in _strings(part)]
    if isinstance(value, list):
        return [text for part in value for text in _strings(part)]
    return [value] if isinstance(value, str) else []


def _pairs(taps: list[list[str]]) -> list[list[str]]:
    return [[*one, *other] for one in taps for other in taps if one != other]


@ways
def test_the_sheet_is_a_whole_game_with_three_places_explained(game: Game, way: str) -> None:
    found = taught(game, way)
    assert found.sheet["rules"]["preset"] == way
    _, ledger = score(game, found.sheet)
    assert ledger.outcome.over
    assert len(ledger.outcome.winners) == 1
    for lang in LANGUAGES:
        words = lesson_words(game.id, way, lang)
        assert len(words.explained()) == 3
        assert words.about_sheet()
        for (question, side), why in zip(words.explained(), found.why, strict=True):
            assert side.points.lstrip("+±−") in question or why.question == "nothing"


@ways
def test_advice_is_whole_and_holds_for_the_way(game: Game, way: str) -> None:
    rules = game.options.preset(way).options
    for lang in LANGUAGES:
        found = advice(game.id, lang, way)
        assert len(found.questions) == 15
        assert len(found.mistakes) == 8
        assert len(found.strategy) >= 4
        linked = {item.url for item in (*found.questions, *found.mistakes)} - {""}
        assert len(linked) > 10
        assert linked <= places_on(lang)
        assert all(game.articles[f"{game.id}.{url.rpartition('#')[2]}"].played(rules) for url in linked)


@games
def test_each_way_suits_somebody(game: Game) -> None:
    lessons = lessons_of(game)
    for lang in LANGUAGES:
        texts = lesson_texts(game.id, lang)["choose"]
        assert {name: ("ask", *answers) for name, answers in choices(lessons)} == {
            name: tuple(of) for name, of in texts.items()
        }
    assert len(lessons.choice) == 4
    combinations: list[dict[str, str]] = [{}]
    for question, answers in choices(lessons):
        combinations = [{**chosen, question: answer} for chosen in combinations for answer in answers]
    assert {recommend(lessons, chosen) for chosen in combinations} == set(lessons.ways)


@ways
def test_every_page_is_there_and_small_and_leads_on_without_script(client: FlaskClient, game: Game, way: str) -> None:
    lessons = lessons_of(game)
    first = way == next(iter(lessons.ways))
    lang = LANGUAGES[list(lessons.ways).index(way) % len(LANGUAGES)]
    start = f"/{lang}/{learn_path(game.id, lessons, way)}"
    others = tuple(f"/{lang}/{learn_path(game.id, lessons, one)}" for one in lessons.ways if one != way)
    waiting, seen = [start], set[str]()
    while waiting:
        path = waiting.pop()
        if path in seen or path.endswith("say=no") or (first and path.startswith(others)):
            continue
        seen.add(path)
        answer = client.get(path)
        assert answer.status_code == 200, path
        assert len(brotli.compress(answer.data, quality=5)) < BYTES, path
        assert "{{" not in answer.text, path
        assert "{%" not in answer.text, path
        assert not re.search(r"\bp[1-4]\b", re.sub(r"<[^>]*>", "", answer.text)), path
        found = (link.replace("&amp;", "&") for link in re.findall(r'<a [^>]*href="([^"#]+)', answer.text))
        waiting += [link for link in found if (urlsplit(link).path + "/").startswith(start + "/")]
    assert len(seen) > 40


@ways
def test_an_answer_says_whether_it_is_right(client: FlaskClient, game: Game, way: str) -> None:
    base = f"/en/{learn_path(game.id, lessons_of(game), way)}"
    for name, puzzle in list(taught(game, way).puzzles.items())[::3]:
        legal = judge_puzzle(game, puzzle).value == LEGAL
        assert ("Right!" in client.get(f"{base}/quiz/{name}?say=yes").text) == legal
        assert ("Right!" in client.get(f"{base}/quiz/{name}?say=no").text) != legal


@ways
@pytest.mark.parametrize("lang", LANGUAGES)
def test_nothing_gives_a_mistake_away_before_somebody_has_named_it(
    client: FlaskClient, game: Game, way: str, lang: str
) -> None:
    """The steps say what was played and no more; only what is tapped at the end is judged."""
    base = f"/{lang}/{learn_path(game.id, lessons_of(game), way, 'deal/mistake')}"
    steps, words = steps_of(game.id, way, lang, "mistake"), lesson_words(game.id, way, lang)
    told = [words.deal("mistake").end, *(step.note for step in steps if step.note)]
    told += [reason.html for reason in words.findings("mistake")]
    told += [reason.html for step in steps for move in step.moves for reason in move.reasons]

    def read(address: str) -> str:
        """Return a page without the readings that are added to it."""
        return re.sub(r"<r[tp]>.*?</r[tp]>|</?ruby[^>]*>|\u2060", "", client.get(address).text)

    def given_away(place: str) -> list[str]:
        html = read(base + place)
        return [text for text in told if text in html] + re.findall(
            r'class="[^"]*(?:illegal|undecided|wrong)[^"]*"', html
        )

    for number in range(len(steps) + 2):
        assert given_away(f"/{number}") == [], number
    moves = {f"{place}.{nth}": move for place, step in enumerate(steps, 1) for nth, move in enumerate(step.moves, 1)}
    end = f"/{len(steps) + 1}"
    assert re.findall(r'name="pick" value="([\d.]+)"', client.get(base + end).text) == list(moves)
    culprits = [pick for pick, move in moves.items() if move.verdict == ILLEGAL]
    right, wrong = (say(lang, f"learn.{answer}") for answer in ("correct", "wrong"))
    for pick, move in moves.items():
        html = read(f"{base}{end}?pick={pick}")
        assert (right in html, wrong in html) == (pick in culprits, pick not in culprits)
        assert all(reason.html in html for reason in move.reasons), pick
        others = {reason.html for reason in words.findings("mistake")} - {reason.html for reason in move.reasons}
        assert all((text in html) == (pick in culprits and len(culprits) == 1) for text in others), pick
    html = read(f"{base}{end}?pick=all")
    assert all(text in html for text in told[: 1 + len([step for step in steps if step.note])])
    assert client.get(f"{base}{end}?pick=99.1").text == client.get(base + end).text


def test_a_position_asks_one_question_and_what_is_right_is_never_red(client: FlaskClient) -> None:
    """Cards can be tried once the question is answered; red is for an illegal move alone."""
    for game, way in WAYS:
        base = f"/en/{learn_path(game.id, lessons_of(game), way)}"
        for name in list(taught(game, way).puzzles)[::4]:
            asked = client.get(f"{base}/quiz/{name}").text
            assert "<fieldset" not in asked, name
            for said in ("yes", "no"):
                answered = client.get(f"{base}/quiz/{name}?say={said}").text
                assert "<fieldset" in answered
                look, words = re.findall(
                    r'<section class="verdict (\w+)" id="answer".*?<b>(.*?)</b>', answered, re.DOTALL
                )[0]
                assert look == ("right" if words == "Right!" else "wrong"), name


def test_tapped_cards_are_judged_on_the_page_without_script(client: FlaskClient) -> None:
    page = client.get("/en/learn/spades/quiz/follow?say=yes").text
    assert '<input type="radio" name="tap-hand" value="7H">' in page
    answer = client.get("/en/learn/spades/quiz/follow?tap-hand=7H&tap=play").text
    assert 'value="7H" checked' in answer
    assert '<section class="verdict legal">' in answer
    assert "The card follows suit" in answer
    assert '<section class="verdict illegal">' in client.get("/en/learn/spades/quiz/follow?tap-hand=8C&tap=play").text
    assert "Tap a card of the hand first" in client.get("/en/learn/spades/quiz/follow?tap=play").text
    assert client.get("/en/learn/spades/quiz/follow?say=yes&tap-hand=XX&tap=none").text == page
    answer = client.get("/en/learn/casino/quiz/together?tap-hand=9S&tap=9D&tap=6H&tap=3C&tap=capture").text
    assert '<section class="verdict legal">' in answer


def test_a_lead_says_why_spades_are_not_among_the_cards_that_were_allowed(client: FlaskClient) -> None:
    closed = "No spade: nobody has played one yet"
    pages = [client.get(f"/en/learn/spades/deal/first/{number}").text for number in range(5, 21)]
    assert [closed in page for page in pages] == [number % 4 == 0 for number in range(16)]
    assert closed not in client.get("/en/learn/spades/deal/first/27").text


def test_cards_drawn_in_the_middle_of_a_turn_are_named() -> None:
    suits, checked = dict(zip("SHDC", "♠♥♦♣", strict=True)), 0
    for game, way in WAYS:
        turns = taught(game, way).deals["first"].record.get("turns", ())
        for lang in LANGUAGES:
            for turn, step in zip(turns, steps_of(game.id, way, lang, "first"), strict=False):
                for move, text in list(zip(turn.get("moves", ()), step.moves, strict=False))[1:]:
                    for card in move["cards"] if move["type"] == "refill" else ():
                        assert card == "X" or f"{card[:-1]}{suits[card[-1]]}" in _TAG.sub("", text.html)
                        checked += 1
    assert checked


def test_side_stacks_of_the_quiz_can_have_come_about_by_discards() -> None:
    ranks = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"]
    checked = 0
    for game, way in WAYS:
        for name, puzzle in taught(game, way).puzzles.items():
            for stack in puzzle.position.get("side_stacks", ()):
                for under, card in pairwise(stack):
                    if "X" not in (under, card):
                        assert ranks.index(under) - ranks.index(card) in (0, 1), (way, name)
                        checked += 1
    assert checked


def test_what_is_not_taught_is_not_there(client: FlaskClient) -> None:
    base = f"/en/learn/{TAUGHT[0].id}"
    for path in (
        "/deal/none",
        "/deal/first/999",
        "/quiz/none",
        "/none",
        "/none/quiz",
        "/classic/quiz",
        "/modern/choose",
    ):
        assert client.get(base + path).status_code == 404, path
    assert client.get(f"{base}/quiz/more?seed=x").status_code == 200


@pytest.mark.parametrize(
    ("lang", "query"), [("en", "spades quiz"), ("ja", "スペードのクイズ"), ("en", "casino hand-out")]
)
def test_a_search_finds_pages_for_learners_and_rules_first(lang: str, query: str) -> None:
    lessons = [hit.document for hit in search(lang, query, kinds=["lesson"]).hits]
    assert lessons[0].url.startswith(f"/{lang}/learn/")
    assert any(hit.document.kind == "lesson" for hit in search(lang, query).hits)
    assert search("en", "nil").hits[0].document.kind == search("ja", "ニル").hits[0].document.kind == "article"


def test_readings_stand_where_a_page_first_uses_a_hard_word(client: FlaskClient) -> None:
    for path in ("/deal/first/3", "/quiz/joker?say=yes", "", "/questions"):
        page = client.get(f"/ja/learn/spite-and-malice{path}").text
        found = re.findall(r"<ruby>(.*?)<rp>", page)
        assert found, path
        assert len(found) == len(set(found)), path
        assert "<ruby>" not in client.get(f"/en/learn/spite-and-malice{path}").text


@ways
def test_no_text_of_a_way_speaks_of_what_it_does_not_have(game: Game, way: str) -> None:
    """Conditions in texts go wrong silently: a text for those who play alone once spoke of a partner's number."""
    rules = game.options.preset(way).options
    lacking = {
        "partner team パートナー チーム": getattr(rules, "partners", True) is False and game.id == "spades",
        "joker ジョーカー": getattr(rules, "jokers", 1) == 0,
        "dummy ダミー": game.id == "spades" and way != "duo_dummy",
        "build capture ビルド": game.id != "casino",
    }
    for lang in LANGUAGES:
        words, start, advised = lesson_words(game.id, way, lang), *_read(game.id, way, lang)
        texts = [str(part) for part in (start, advised)]
        texts += [text for name in words.way.puzzles for text in (words.title(name), words.lesson(name))]
        for name in words.way.deals:
            texts += [str(words.deal(name)), *(step.note for step in steps_of(game.id, way, lang, name))]
        text = " ".join([*texts, words.about_sheet(), *(question for question, _ in words.explained())]).lower()
        found = [word for them, lacks in lacking.items() if lacks for word in them.split() if word in text]
        assert found == []


def _read(game_id: str, way: str, lang: str) -> tuple[QuickStart, Advice]:
    return quick_start(game_id, lang, way), advice(game_id, lang, way)

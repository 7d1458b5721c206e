"""Questions on which the search once answered with rules that are not in force, or with words bent into known ones."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from companion import library as companion
from companion.cli import cli
from companion.data import LANGUAGES
from companion.games import GAMES
from companion.rulebook.search import answers, found_answer, search
from companion.rulebook.words import words
from companion.web import create_app
from tests.pairs.arrays import third

ROWS = [json.loads(line) for line in (Path(__file__).parent / "trust.jsonl").read_text("utf-8").splitlines()]
SEARCHES = {row["id"]: row for row in ROWS if row["kind"] == "search"}
HELP = {
    "help-undo": "undo",
    "help-fix": "correct",
    "help-fix-ja": "correct",
    "help-share": "share",
    "offline-en": "offline",
}
"""Questions about the score keeper, with the article of the help that comes first."""


def answer(row: dict[str, Any]) -> dict[str, Any]:
    """Return what the search answers to a row."""
    asked = row["request"]
    game, lang = asked.get("game"), asked["lang"]
    house = GAMES[game].options.decode(asked["rules"]) if game and asked.get("rules") else None
    found = search(lang, asked["q"], games=[game] if game else [], house=house)
    given: dict[str, Any] = found_answer(found, answers(found, lang), lang)
    return given


@pytest.mark.parametrize(
    "row", [row for row in SEARCHES.values() if "expected_first" in row], ids=lambda row: row["id"]
)
def test_a_rule_in_force_comes_first(row: dict[str, Any]) -> None:
    given = answer(row)
    first = given["results"][0]
    assert first["id"] in row["expected_first"]
    assert first["played"] is True
    if given["answer"]:
        assert first["excerpt"] in given["answer"]["text"]


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_rule_is_in_force_exactly_where_the_book_of_the_table_has_it(lang: str, game: str, thorough: bool) -> None:
    """Surveys of what other tables play are in no table's book: neither in force nor left out.

    The languages share the presets, of which a short run takes a third, each commit another; the API, which asks the
    same search, is asked about a third of the titles.
    """
    presets = [*GAMES[game].options.presets][LANGUAGES.index(lang) :: len(LANGUAGES)]
    client = create_app({"DATABASE": "memory:", "RATE_LIMITS": False}).test_client()
    surveys = [article.id for article in GAMES[game].articles if article.survey]
    for preset in presets if thorough else presets[third() % max(1, len(presets)) :: 3]:
        book = companion.book(game, rules=preset, lang=lang)
        there = {article["id"] for section in book["sections"] for article in section["articles"]}
        for number, name in enumerate(surveys[:: 1 + len(surveys) // 12]):
            asked: dict[str, Any] = {"game": game, "rules": preset, "lang": lang}
            title = words(game, lang).title(name)
            given = [companion.search(title, **asked)]
            if number % 3 == 0:
                query = {"q": title, "game": game, "rules": preset}
                found = client.get("/api/v1/articles", query_string=query, headers={"Accept-Language": lang})
                given.append(found.get_json())
            for hit in (hit for answer in given for hit in answer["results"] if hit["kind"] == "article"):
                assert (hit["played"] is True) == (hit["id"] in there), (title, preset, hit)
                assert (hit["played"] is None) <= (hit["id"] in surveys), (title, preset, hit)


@pytest.mark.parametrize(
    ("lang", "query", "game", "rules", "first", "said"),
    [
        ("en", "can i change my opponents build", "casino", "standard", "standard-raise", False),
        ("ja", "相手のビルドの数字を変えてもいいですか", "casino", "standard", "standard-raise", False),
        ("en", "what happens when stock runs out", "spite-and-malice", "pagat", "stock-exhausted", False),
        ("en", "what if two players tie at the end", "spades", "solo4", "tie", False),
        ("en", "do overtricks cost anything", "spades", "plain", "overtricks", True),
        ("en", "how many points for a moon", "spades", "modern", "bid", True),
        ("en", "is building allowed", "casino", "swedish", "no-building", True),
    ],
)
def test_a_rule_is_said_to_be_absent_only_where_no_like_one_answers(
    lang: str, query: str, game: str, rules: str, first: str, said: bool
) -> None:
    given = companion.search(query, game=game, rules=rules, lang=lang)
    assert given["results"][0]["id"] == f"{game}.{first}"
    assert bool(given["answer"]) is said


def test_a_rule_that_the_usual_rules_do_not_play_says_so() -> None:
    given = answer(SEARCHES["played-without-rules"])
    assert {hit["id"]: hit["played"] for hit in given["results"]}["spite-and-malice.kings"] is False
    assert given["answer"]["yes"] is False
    assert all(hit["instead"] for hit in given["results"] if hit["played"] is False)


@pytest.mark.parametrize(
    ("lang", "query", "first"),
    [
        ("en", "is there a minimum bid for each side", "spades.bid"),
        ("ja", "カシノで最後の札を取ったらスイープになる？", "casino.no-sweeps"),
        ("ja", "自分のビルドがあるとき捨て札はできないの？", "casino.owner-may-trail"),
    ],
)
def test_yes_or_no_without_a_table_is_answered_by_the_usual_rules(lang: str, query: str, first: str) -> None:
    found = search(lang, query)
    assert (found.hits[0].document.id, found.played(found.hits[0].document)) == (first, True)


@pytest.mark.parametrize(
    ("lang", "query"), [("en", "the house has small rooms"), ("ja", "休みは2回ある"), ("ja", "夏のあとに来るもの")]
)
def test_a_best_hit_that_scores_little_is_only_the_nearest(lang: str, query: str) -> None:
    assert search(lang, query).unknown == (query,)


@pytest.mark.parametrize("name", ["hearts-en", "bemo-en", "timer-en"])
def test_what_the_book_does_not_have_is_named(name: str) -> None:
    row = SEARCHES[name]
    given = answer(row)
    assert given["unknown"]
    assert all(word in row["request"]["q"] for word in given["unknown"])
    assert given["repairs"] == []


@pytest.mark.parametrize("name", HELP)
def test_questions_about_the_keeper_are_answered_by_the_help(name: str) -> None:
    first = answer(SEARCHES[name])["results"][0]
    assert (first["kind"], first["id"], first["played"]) == ("help", HELP[name], None)


def test_the_sentence_says_who_bids_first() -> None:
    assert answer(SEARCHES["who-bids-sentence"])["results"][0]["excerpt"].startswith("Beginning at the dealer’s left")


def test_the_command_line_says_what_is_not_played() -> None:
    (row,) = (row for row in ROWS if row["id"] == "cli-drops-played")
    shown = CliRunner().invoke(cli, row["request"]).output
    assert shown.startswith("No:\nOvertricks score 1 each [spades.overtricks]")
    asked = ["ask", "--lang", "en", "--game", "spades", "--rules", "classic", "overtricks cost points", "--limit", "9"]
    assert "[spades.overtricks-minus-one] (not played under these rules)" in CliRunner().invoke(cli, asked).output


UNANSWERABLE = {
    "en": [
        "how do I play rummy", "what time is it", "best pizza place", "can I use it on my tv remote",
        "football rules", "insurance for cards", "how to shuffle like a magician", "is there a timer",
        "play against computer", "how do I win money", "dominoes scoring", "what is trick or treat",
        "chess opening", "is gambling legal", "tournament prizes", "password reset",
        "play online with strangers", "dice rolls", "how old must players be", "euchre bower",
        "who invented the internet", "what's the weather", "reverse card", "draw four card",
        "translate to spanish", "what is the tax on winnings", "is it going to rain", "who won the world cup",
        "bluetooth", "chat with friends", "voice commands", "nertz rules",
        "solitaire help", "what does a subscription cost", "can bots join our table",
    ],
    "ja": [
        "天気は", "ピザの注文", "英語に変えたい", "大富豪の革命", "麻雀の点数", "サッカーのルール",
        "タイマーはある", "コンピューターと対戦", "音楽を流したい", "パスワードを忘れた", "ナポレオンの副官",
        "花札の役", "チャットできる", "オンライン対戦", "年齢制限は", "賞金はいくら", "占いのやり方",
        "手品のやり方", "将棋の駒", "UNOのドロー4", "ババ抜き", "七並べのパス", "課金したい", "広告を消したい",
        "ダウトのルール", "ウノのリバース", "ご飯は何合",
    ],
}  # fmt: skip


@pytest.mark.parametrize("lang", UNANSWERABLE)
def test_what_nobody_can_answer_is_seldom_answered_as_if_it_were_known(lang: str) -> None:
    """Such questions find nothing, have a word named that the book does not have, or lead to the help."""
    silent = []
    for query in UNANSWERABLE[lang]:
        found = search(lang, query)
        if found.hits and not found.unknown and found.hits[0].document.kind != "help":
            silent.append(query)
    assert len(silent) <= 3, silent


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_tie_at_the_target_says_why_the_game_goes_on(lang: str) -> None:
    row = next(row for row in ROWS if row["id"] == "tie-says-nothing")
    outcome = companion.score(row["game"], row["request"], lang=lang)["outcome"]
    assert (outcome["over"], outcome["reason"]) == (False, "spades.tie")
    assert {"en": "another deal", "ja": "もう1ディール"}[lang] in outcome["text"]

"""The right article comes first, in either language and spelling; nothing found suggests near words."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from companion.data import data_folder
from companion.games import GAMES
from companion.rulebook.phrases import LANGUAGES
from companion.rulebook.search import Document, Index, comparable, found_answer, grams, search


@pytest.mark.parametrize(
    ("lang", "query", "first"),
    [
        ("ja", "ニル", "spades.nil"),
        ("ja", "にる", "spades.nil"),
        ("ja", "nil", "spades.nil"),
        ("ja", "NIL", "spades.nil"),
        ("ja", "バッグ", "spades.bags"),
        ("ja", "bag", "spades.bags"),
        ("ja", "サンドバッグ", "spades.bags"),
        ("ja", "ブラインドニル", "spades.double-nil-behind"),
        ("ja", "切り札", "spades.trumps"),
        ("ja", "きりふだ", "spades.trumps"),
        ("ja", "スペード リード", "spades.leading-spades"),
        ("ja", "10フォー2", "spades.ten-for-two"),
        ("ja", "ミスディール", "spades.void-deal"),
        ("en", "nil", "spades.nil"),
        ("en", "ニル", "spades.nil"),
        ("en", "bag", "spades.bags"),
        ("en", "blind nil", "spades.double-nil-behind"),
        ("en", "follow suit", "spades.follow-suit"),
        ("en", "renege", "spades.revoke-shown"),
        ("en", "ten for two", "spades.ten-for-two"),
        ("en", "Tie", "spades.tie"),
    ],
)
def test_the_right_article_comes_first(lang: str, query: str, first: str) -> None:
    found = search(lang, query, games=("spades",))
    assert found.hits[0].document.id == first


@pytest.mark.parametrize(
    ("lang", "query", "first"),
    [
        ("ja", "札", "spades.trumps"),
        ("ja", "ニル", "spades.nil"),
        ("ja", "にる", "spades.nil"),
        ("ja", "場札", "casino.first-table-cards"),
        ("ja", "ばふだ", "casino.first-table-cards"),
        ("ja", "ブラインドニル", "spades.double-nil-behind"),
        ("ja", "ブラインド・ニル", "spades.double-nil-behind"),
        ("ja", "bag", "spades.bags"),
        ("ja", "nil", "spades.nil"),
        ("ja", "12枚", "spite-and-malice.recycle-threshold"),
        ("ja", "１２枚", "spite-and-malice.recycle-threshold"),
        ("ja", "捨て札", "casino.trail"),
        ("ja", "複合ビルド", "casino.kinds-of-build"),
        ("ja", "ワイルドカード", "spite-and-malice.joker"),
        ("en", "bag", "spades.bags"),
        ("en", "nil", "spades.nil"),
        ("en", "blind nil", "spades.double-nil-behind"),
        ("en", "12 cards", "spite-and-malice.recycle-threshold"),
        ("en", "trail", "casino.trail"),
        ("en", "sweep", "casino.sweeps"),
    ],
)
def test_the_right_article_comes_first_in_the_whole_book(lang: str, query: str, first: str) -> None:
    assert search(lang, query).hits[0].document.id == first


SEARCHES = [line.split("\t") for line in (Path(__file__).parent / "searches.tsv").read_text("utf-8").splitlines()]
"""What people type, each with the article that they look for."""


@pytest.mark.parametrize(("lang", "query", "first"), SEARCHES)
def test_what_people_type_finds_their_article_first(lang: str, query: str, first: str) -> None:
    assert search(lang, query).hits[0].document.id == first


@pytest.mark.parametrize("lang", LANGUAGES)
def test_words_lead_to_articles_that_exist(lang: str) -> None:
    known = tomllib.loads((data_folder(f"rules_{lang}") / "synonyms.toml").read_text("utf-8"))
    for article, leads in known["leads"].items():
        assert article in GAMES[article.partition(".")[0]].articles
        for word in leads:
            hits = search(lang, word).hits
            best = [hit.document.id for hit in hits if hit.rank == hits[0].rank]
            assert article in best, word


def test_a_question_is_asked_by_its_words_too() -> None:
    documents = [
        Document("article", "g", "g.one", "カードの交換", "札を渡す", "/1"),
        Document("article", "g", "g.two", "Trading", "cards change hands", "/2"),
    ]
    index = Index(documents, [], ["の", "how", "do"])
    for query in ("カードを交換", "カード交換", "交換するカードは"):
        assert [hit.document.id for hit in index.search(query).hits] == ["g.one"]
    assert [hit.document.id for hit in index.search("how do hands change").hits] == ["g.two"]
    assert index.search("how do cards grow").hits == ()
    assert index.search("how do").hits == ()


def test_the_glossary_and_the_guide_are_found_too() -> None:
    terms = {hit.document.url for hit in search("en", "nil").hits if hit.document.kind == "term"}
    assert "/en/glossary#term-nil" in terms
    guide = search("en", "undecided").hits[0].document
    assert (guide.kind, guide.url) == ("guide", "/en/verdicts#undecided")
    assert search("ja", "picture card").hits == ()
    assert search("en", "picture card").hits[0].document.id == "glossary.term-court-card"


def test_one_character_finds() -> None:
    assert len(search("ja", "札").hits) > 5


def test_nothing_found_suggests_near_words() -> None:
    assert search("ja", "サンドバグ").near[0] == "サンドバッグ"
    assert search("en", "sandbg").near[0] == "sandbag"
    assert search("en", "sandbg").hits == ()


@pytest.mark.parametrize("query", ["", "   ", "・", "!?", "{%", "x" * 5000, "\ud800", "ﷺ"])
def test_any_text_is_a_harmless_query(query: str) -> None:
    search("ja", query)


def test_an_answer_leads_to_the_article() -> None:
    entry = found_answer(search("en", "bags", games=("spades",), limit=1))["results"][0]
    assert entry["url"] == "/en/rules/spades#bags"
    assert entry["kind"] == "article"
    assert entry["excerpt"]


def test_options_are_found_with_the_article_that_explains_them() -> None:
    hits = search("en", "losing floor").hits
    assert ("option", "loss_limit", "/en/rules/spades/variants#loss-limit") in [
        (hit.document.kind, hit.document.id, hit.document.url) for hit in hits
    ]


def test_every_word_of_a_query_must_be_found() -> None:
    documents = [
        Document("article", "g", "g.one", "Red", "a red card", "/1"),
        Document("article", "g", "g.two", "Blue", "a blue card", "/2"),
    ]
    index = Index(documents, [])
    assert [hit.document.id for hit in index.search("card blue").hits] == ["g.two"]
    assert index.search("red blue").hits == ()
    assert [hit.document.id for hit in index.search("car").hits] == ["g.one", "g.two"]
    assert index.search("ard").hits == ()


def test_the_spelling_that_is_compared() -> None:
    assert comparable("ダブル・ニル 12枚 ＡＢ") == "だぶるにる 12 枚 ab"
    assert comparable("10♦︎と2♠") == "10 ♦ と 2 ♠"
    assert list(grams("にる ab 12")) == ["に", "る", "にる", "ab", "12"]

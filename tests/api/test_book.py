"""The rule book as JSON: every article with its text, for any house rules, in both languages."""

from __future__ import annotations

import re
from typing import Any

import pytest

from companion.data import LANGUAGES
from companion.games import GAMES

API = "/api/v1"


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("game", GAMES)
def test_the_book_has_every_article_with_its_text(shared_client: Any, game: str, lang: str) -> None:
    book = shared_client.get(f"{API}/games/{game}/book?lang={lang}").json
    found = [article for section in book["sections"] for article in section["articles"]]
    assert [article["id"] for article in found] == [article.id for article in GAMES[game].articles]
    assert (book["rules"], book["summary"]) == (None, None)
    for article in found:
        assert article["text"], article["id"]
        assert article["markdown"], article["id"]
        for text in (article["text"], article["markdown"]):
            assert not re.search("[\x02\x03\xad]|\\{%|\\{\\{|<[a-z]", text), article["id"]
            assert not re.search(r"\{[^{}|]+\|[^{}|]+\}", text), article["id"]
        assert article["url"].startswith(f"/{lang}/")
    explained = {option["name"] for article in found for option in article["options"]}
    assert explained == set(GAMES[game].options.options)
    assert any(article["examples"] for article in found) == (GAMES[game].judge is not None)


@pytest.mark.parametrize("game", GAMES)
def test_the_book_of_a_table_has_what_it_plays_with_its_numbers(shared_client: Any, game: str) -> None:
    options = GAMES[game].options
    for preset in list(options.presets)[:3]:
        book = shared_client.get(f"{API}/games/{game}/book?rules={preset}").json
        house = options.preset(preset)
        assert book["rules"] == preset
        assert book["summary"]
        ids = [article["id"] for section in book["sections"] for article in section["articles"]]
        played = [each.id for each in GAMES[game].articles if each.printed(house.options)]
        assert sorted(ids) == sorted(played)
        plain = options.plain(house.options)
        for section in book["sections"]:
            for article in section["articles"]:
                assert article["played"]
                assert all(option["value"] == plain[option["name"]] for option in article["options"])


def test_an_article_has_the_numbers_of_the_table(shared_client: Any) -> None:
    usual = shared_client.get(f"{API}/articles/spades.bag-numbers?rules=classic").json
    other = shared_client.get(f"{API}/articles/spades.bag-numbers?rules=classic~bt-7").json
    assert "7" in other["text"]
    assert usual["text"] != other["text"]
    assert next(each["value"] for each in other["options"] if each["name"] == "bag_threshold") == 7


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_article_is_found_by_its_id_and_by_those_that_retired(shared_client: Any, lang: str) -> None:
    for game in GAMES.values():
        for name, known in [*((each.id, each.id) for each in game.articles), *game.articles.retired.items()]:
            article = shared_client.get(f"{API}/articles/{name}?lang={lang}")
            assert (article.status_code, article.json["id"]) == (200, known)


@pytest.mark.parametrize("path", ["articles/spades.nope", "articles/nope", "articles/glossary.nope", "games/nope/book"])
def test_what_is_not_in_the_book_is_not_found(shared_client: Any, path: str) -> None:
    assert shared_client.get(f"{API}/{path}").status_code == 404


@pytest.mark.parametrize("path", ["articles/spades.bag-numbers", "games/spades/book"])
def test_a_code_that_is_none_is_refused(shared_client: Any, path: str) -> None:
    answer = shared_client.get(f"{API}/{path}?rules=no~such")
    assert (answer.status_code, answer.json["errors"][0]["pointer"]) == (422, "/rules")


@pytest.mark.parametrize("path", ["articles/spades.bag-numbers", "games/spades/book?rules=classic", "glossary", ""])
def test_what_is_unchanged_is_not_sent_again(shared_client: Any, path: str) -> None:
    address = f"{API}/{path}".rstrip("/")
    answer = shared_client.get(address)
    again = shared_client.get(address, headers={"If-None-Match": answer.headers["ETag"]})
    assert (answer.status_code, again.status_code, again.data) == (200, 304, b"")


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_glossary_has_its_terms(shared_client: Any, lang: str) -> None:
    terms = shared_client.get(f"{API}/glossary?lang={lang}").json["terms"]
    assert len(terms) > 30
    assert all(term["title"] and term["text"] and term["markdown"] for term in terms)


def test_the_index_lists_every_operation(shared_client: Any) -> None:
    index = shared_client.get(API).json
    document = shared_client.get(index["openapi"]).json
    described = {
        (operation["operationId"], method.upper(), path)
        for path, item in document["paths"].items()
        for method, operation in item.items()
        if method != "parameters"
    }
    listed = {(each["id"], each["method"], each["path"]) for each in index["operations"]}
    assert listed <= described
    general = {path.replace("{game}", game) for _, _, path in listed for game in GAMES}
    assert {path for _, _, path in described - listed} <= general  # the same with the types of one game
    assert shared_client.get(index["documentation"]).status_code == 200
    assert shared_client.get(API).headers["Access-Control-Allow-Origin"] == "*"

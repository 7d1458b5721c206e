"""The catalogue: games, house rules by object and by code, differences, articles, search in pages."""

from __future__ import annotations

from typing import Any

import pytest

from companion.games import GAMES

SPADES = "/api/v1/games/spades"


def test_games_are_listed_with_their_names(shared_client: Any) -> None:
    games = {each["id"]: each for each in shared_client.get("/api/v1/games?lang=ja").json["games"]}
    assert list(games) == list(GAMES)
    assert games["spades"]["name"] == "スペード"
    assert shared_client.get(games["spades"]["url"]).status_code == 200


@pytest.mark.parametrize("path", ["/api/v1/games", "/api/v1/games/spades", "/api/v1/openapi.json"])
def test_reads_take_conditions_as_http_means_them(shared_client: Any, path: str) -> None:
    tag = shared_client.get(path).headers["ETag"]

    def status(**headers: str) -> int:
        return int(shared_client.get(path, headers=headers).status_code)

    assert status(**{"If-Match": "*"}) == status(**{"If-Match": tag}) == status(**{"If-None-Match": '"other"'}) == 200
    assert status(**{"If-Match": "*", "If-None-Match": tag}) == status(**{"If-None-Match": "*"}) == 304
    for other in ('"other"', f"W/{tag}"):
        answer = shared_client.get(f"{path}?lang=ja", headers={"If-Match": other})
        assert (answer.status_code, answer.json["type"]) == (412, "/problems/precondition-failed")
        assert answer.json["title"] == "指定されたバージョンではありません"


@pytest.mark.parametrize("game", GAMES)
def test_options_are_described_as_they_are_declared(shared_client: Any, game: str) -> None:
    described = shared_client.get(f"/api/v1/games/{game}").json
    declared = GAMES[game].options
    assert [option["name"] for option in described["options"]] == list(declared.options)
    assert [preset["name"] for preset in described["presets"]] == list(declared.presets)
    for option in described["options"]:
        assert option["label"]
        assert option["article"] in GAMES[game].articles


def test_house_rules_are_written_out_whichever_way_they_come(shared_client: Any) -> None:
    given = {"preset": "classic", "options": {"bag_threshold": 5}}
    by_object = shared_client.post(f"{SPADES}/rules", json={"rules": given}).json
    by_code = shared_client.post(f"{SPADES}/rules", json={"code": by_object["code"]}).json
    assert by_object == by_code
    assert by_object["options"]["bag_threshold"] == 5
    assert set(by_object["options"]) == set(GAMES["spades"].options.options)
    assert "5" in by_object["summary"]["en"]
    assert "5" in by_object["summary"]["ja"]
    assert shared_client.post(f"{SPADES}/rules", json={}).json["code"] == "classic"


@pytest.mark.parametrize(
    ("body", "pointer", "code"),
    [
        ({"code": "nope"}, "/code", "rules-code"),
        ({"code": "classic~zz-1"}, "/code", "rules-code"),
        ({"code": 3}, "/code", "type"),
        ({"code": "x" * 5000}, "/code", "length"),
        ({"code": "classic", "rules": {}}, "/code", "unknown-key"),
        ({"preset": "classic"}, "/preset", "unknown-key"),
    ],
)
def test_house_rules_that_cannot_be_read_are_refused(
    shared_client: Any, body: dict[str, Any], pointer: str, code: str
) -> None:
    answer = shared_client.post(f"{SPADES}/rules", json=body)
    assert answer.status_code == 422
    assert {"pointer": pointer, "code": code}.items() <= answer.json["errors"][0].items()


def test_differences_are_in_plain_words(shared_client: Any) -> None:
    body = {"one": "classic", "other": {"options": {"bag_threshold": 5}}}
    answer = shared_client.post(f"{SPADES}/rules/diff", json=body).json
    assert [(d["option"], d["one"], d["other"]) for d in answer["differences"]] == [("bag_threshold", 10, 5)]
    assert "→" in answer["differences"][0]["text"]
    assert shared_client.post(f"{SPADES}/rules/diff", json={"one": {}, "other": "classic"}).json["differences"] == []


def test_articles_are_listed_in_order_and_lead_to_their_places(shared_client: Any) -> None:
    articles = shared_client.get(f"{SPADES}/articles").json["articles"]
    assert [each["id"] for each in articles] == [article.id for article in GAMES["spades"].articles]
    page, _, anchor = articles[5]["url"].partition("#")
    assert f'id="{anchor}"' in shared_client.get(page).text


@pytest.mark.parametrize(
    ("query", "lang"), [("札", "ja"), ("ニル", "ja"), ("にる", "ja"), ("bag", "en"), ("NIL", "en")]
)
def test_search_finds_words_of_both_languages(shared_client: Any, query: str, lang: str) -> None:
    answer = shared_client.get("/api/v1/articles", query_string={"q": query, "lang": lang})
    assert answer.json["results"]
    assert all(hit["url"].startswith(f"/{lang}/") for hit in answer.json["results"])


def test_search_is_paged_by_a_cursor(shared_client: Any) -> None:
    whole = shared_client.get("/api/v1/articles?q=spade&limit=100").json["results"]
    assert len(whole) > 6
    pages, path = [], "/api/v1/articles?q=spade&limit=3"
    while path:
        answer = shared_client.get(path)
        pages.append(answer.json["results"])
        assert (answer.json["next"] is None) == ("Link" not in answer.headers)
        path = answer.headers["Link"].partition(">")[0][1:] if answer.json["next"] else ""
    assert [hit for page in pages for hit in page] == whole
    assert {len(page) for page in pages[:-1]} == {3}


def test_search_for_nothing_known_offers_near_words(shared_client: Any) -> None:
    answer = shared_client.get("/api/v1/articles?q=sandboxing+clouds").json
    assert answer["results"] == []
    assert answer["near"]


def test_search_says_where_the_answer_is_and_what_was_read_otherwise(shared_client: Any) -> None:
    query = {"q": "penalty for bgas", "game": "spades", "rules": "classic~bt-7", "kind": "article", "lang": "en"}
    answer = shared_client.get("/api/v1/articles", query_string=query).json
    first = answer["results"][0]
    assert first["id"] == "spades.bag-penalty"
    assert first["excerpt"].startswith("Each time the bags reach 7")
    assert {first["excerpt"][start:end] for start, end in first["marks"]} <= {"bag", "bags", "penalty", "cost"}
    assert first["url"] == "/en/rules/spades?rules=classic~bt-7#bag-penalty"
    assert first["score"] >= answer["results"][1]["score"]
    assert answer["repairs"] == [{"typed": "bgas", "read": "bags"}]
    assert {each["kind"] for each in answer["results"]} == {"article"}
    assert {each["game"] for each in answer["results"]} == {"spades"}


@pytest.mark.parametrize(
    ("query", "pointer", "code"),
    [
        ("", "/q", "required"),
        ("q=x&limit=0", "/limit", "range"),
        ("q=x&limit=many", "/limit", "type"),
        ("q=x&limit=%EF%BC%93", "/limit", "type"),
        ("q=x&game=bridge", "/game", "choice"),
        ("q=x&cursor=!", "/cursor", "cursor"),
        ("q=x&kind=poem", "/kind", "choice"),
        ("q=x&rules=classic", "/rules", "unknown-key"),
        ("q=x&game=spades&rules=nope~x", "/rules", "rules-code"),
        ("q=" + "x" * 500, "/q", "length"),
    ],
)
def test_queries_that_cannot_be_read_are_refused(shared_client: Any, query: str, pointer: str, code: str) -> None:
    answer = shared_client.get(f"/api/v1/articles?{query}")
    assert answer.status_code == 422
    assert {"pointer": pointer, "code": code}.items() <= answer.json["errors"][0].items()


def test_search_page_shows_what_was_asked_and_found(shared_client: Any) -> None:
    page = shared_client.get("/ja/search", query_string={"q": "ニル"}).text
    assert 'value="ニル"' in page
    assert "/ja/rules/spades#nil" in page
    hostile = shared_client.get("/en/search", query_string={"q": '"><script>alert(1)</script>'}).text
    assert "<script>alert" not in hostile
    assert "Similar words" in shared_client.get("/en/search?q=sandboxing+clouds").text
    assert "instead of “sandbagz”" in shared_client.get("/en/search?q=sandbagz").text
    assert "No answer" not in shared_client.get("/en/search").text

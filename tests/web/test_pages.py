"""The pages: every link leads somewhere, the two languages mirror each other, nothing stands inline."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from typing import Any
from urllib.parse import urljoin, urlsplit
from zlib import crc32

import pytest
from flask import Flask

from companion.describe import STATUSES, all_codes
from companion.games import GAMES
from companion.rulebook.words import load_book
from companion.web import assets
from tests.markup import Reader

LANGUAGES = ("ja", "en")
START = ["/", "/ja/", "/en/"]
WORDS = object()
LESSON = re.compile("/learn/.*/(?:deal|quiz)/")


class _Reader(Reader):
    """Collects what a test asks of a page."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def values(self, attribute: str) -> list[str]:
        return [value for _, attrs in self.tags if (value := attrs.get(attribute)) is not None]


@pytest.fixture(scope="module")
def site(shared_client: Any, thorough: bool) -> dict[str, tuple[int, _Reader | None]]:
    """What every address that links lead to from the front doors answered, by path: the status, and the page if any.

    Of steps of deals and positions of quizzes, which tests of lessons ask for one by one, a short run follows a few.
    """
    found: dict[str, tuple[int, _Reader | None]] = {}
    waiting = [*START]
    while waiting:
        path = waiting.pop()
        if path in found or (not thorough and LESSON.search(path) and crc32(path.encode()) % 8):
            continue
        with shared_client.get(path) as answer:
            reader = _Reader(answer.text) if answer.mimetype == "text/html" else None
            found[path] = (answer.status_code, reader)
        if reader is None:
            continue
        links = [link for name in ("href", "src") for link in reader.values(name)]
        links = [link.removeprefix("http://localhost") for link in links]  # absolute for search engines
        assert not [link for link in links if not link.startswith(("/", "#", "?"))], path
        waiting += [urljoin(path, link).partition("#")[0] for link in links if not link.startswith("#")]
    return found


@pytest.fixture(scope="module")
def readers(site: dict[str, tuple[int, _Reader | None]]) -> dict[str, _Reader]:
    """Every page of the site, by path."""
    return {path: reader for path, (_, reader) in site.items() if reader is not None}


def test_every_link_leads_somewhere(site: dict[str, tuple[int, _Reader | None]]) -> None:
    assert {path: status for path, (status, _) in site.items() if status != 200} == {}
    assert len(site) > 20


def test_every_place_within_a_page_that_is_linked_is_there(readers: dict[str, _Reader]) -> None:
    places = {path: set(reader.values("id")) for path, reader in readers.items()}
    missing = []
    for path, reader in readers.items():
        for link in reader.values("href"):
            target, _, place = urljoin(path, link.removeprefix("http://localhost")).partition("#")
            shown_by_script = place.startswith("/")  # Swagger's names of operations
            if place and not shown_by_script and target in places and place not in places[target]:
                missing.append(f"{path}: {link}")
    assert missing == []


def test_pages_say_their_language_and_point_to_the_other(readers: dict[str, _Reader]) -> None:
    for path, reader in readers.items():
        if path[1:3] in LANGUAGES:
            own, other = path[1:3], "en" if path[1:3] == "ja" else "ja"
            assert dict(reader.tags)["html"]["lang"] == own
            switch = next(attrs for tag, attrs in reader.tags if tag == "a" and attrs.get("class") == "language")
            # The default rules need no query, so the other language leaves them out.
            address = f"/{other}{path[3:]}"
            assert switch["href"] in (address, address.partition("?rules=")[0])
            assert switch["lang"] == other


def test_nothing_stands_inline(readers: dict[str, _Reader]) -> None:
    for path, reader in readers.items():
        for tag, attrs in reader.tags:
            assert tag != "style", path
            assert "style" not in attrs, path
            assert not any(name.startswith("on") for name in attrs), path
            assert tag != "script" or attrs.get("src") or attrs["type"] == "application/ld+json", path


def test_ids_are_unique(readers: dict[str, _Reader]) -> None:
    for path, reader in readers.items():
        ids = reader.values("id")
        assert len(ids) == len(set(ids)), path


def events(reader: type[Any], html: str) -> list[Any]:
    """What a reader is told of a page, words in one piece."""
    told: list[Any] = []

    class Told(reader):  # type: ignore[misc]
        def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
            told.append((tag, attrs))

        def handle_endtag(self, tag: str) -> None:
            told.append(tag)

        def handle_data(self, data: str) -> None:
            if told and told[-1][:1] == (WORDS,):
                data = told.pop()[1] + data
            told.extend([(WORDS, data)] if data else [])

    Told().feed(html)
    return told


@pytest.mark.parametrize(
    "path",
    [
        "",
        "sheets/new/spades",
        "rules/casino",
        "referee/spades/card",
        "learn",
        "house-rules/spades",
        "search?q=<b>&amp;",
    ],
)
@pytest.mark.parametrize("lang", LANGUAGES)
def test_tests_read_pages_as_a_parser_does(shared_client: Any, lang: str, path: str) -> None:
    html = shared_client.get(f"/{lang}/{path}").text
    read = events(Reader, html)
    assert read == events(HTMLParser, html)
    assert len(read) > 99


def test_front_door_opens_in_the_language_of_the_reader(shared_app: Any) -> None:
    nobody = shared_app.test_client(use_cookies=False)  # a device that keeps something has a page of its own
    for accepted, lang in (
        ("ja", "ja"),
        ("en-GB,en;q=0.9", "en"),
        ("fr", "en"),
        ("*", "en"),
        ("fr, ja;q=0.3", "ja"),
        ("en-GB,ja;q=0.3", "en"),
        ("fr, en-US;q=0.9, ja;q=0.8", "en"),
        ("ja-JP-u-ca-japanese, en;q=0.5", "ja"),
        ("JA-jp, en;q=0.5", "ja"),
        ("ja-x-own", "ja"),
        ("en;q=0, *", "ja"),
        ("en;q=0.2, ja-JP;q=0.4, *", "ja"),
        ("", "en"),
    ):
        answer = nobody.get("/", headers={"Accept-Language": accepted})
        assert f'<html lang="{lang}">' in answer.text
        assert answer.headers["Content-Language"] == lang
        assert {"accept-language", "accept-encoding"} <= {each.lower() for each in answer.vary}


def test_deep_links_are_never_redirected_by_header(shared_client: Any) -> None:
    answer = shared_client.get("/ja/rules/spades", headers={"Accept-Language": "en"})
    assert answer.status_code == 200
    assert '<html lang="ja">' in answer.text


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("game", GAMES)
def test_address_of_every_article_leads_to_its_place(shared_client: Any, lang: str, game: str) -> None:
    ids: dict[str, set[str]] = {}
    for article in GAMES[game].articles:
        answer = shared_client.get(f"/{lang}/rules/{game}/{article.anchor}?whole")
        if article.anchor in GAMES[game].options.presets:  # the complete rules of that preset have it
            assert article.anchor in _Reader(answer.text).values("id")
            continue
        assert answer.status_code == 302
        place = urlsplit(answer.headers["Location"])
        assert place.path.startswith(f"/{lang}/rules/{game}")
        if place.path not in ids:
            ids[place.path] = set(_Reader(shared_client.get(place.path).text).values("id"))
        assert place.fragment == article.anchor
        assert place.fragment in ids[place.path]
    assert shared_client.get(f"/{lang}/rules/{game}/nope").status_code == 404


def test_our_rules_show_the_numbers_of_the_table(shared_client: Any) -> None:
    page = shared_client.get("/en/rules/spades?rules=classic~bt-7").text
    assert '<b class="differs">7</b>' in page
    assert "Our rules" in page
    assert "rules=classic~bt-7" in next(
        attrs["href"] or "" for tag, attrs in _Reader(page).tags if attrs.get("class") == "language"
    )
    assert shared_client.get("/en/rules/spades?rules=nope~x").status_code == 422


def test_kept_page_is_answered_from_the_reader_s_memory(shared_client: Any) -> None:
    bodies, tags = set(), set()
    for encoding in ("br", "gzip", "identity"):
        headers = {"Accept-Encoding": encoding}
        answer = shared_client.get("/ja/rules/spades", headers=headers)
        assert answer.headers.get("Content-Encoding", "identity") == encoding
        assert "Accept-Encoding" in answer.headers["Vary"]
        again = shared_client.get("/ja/rules/spades", headers=headers | {"If-None-Match": answer.headers["ETag"]})
        assert (again.status_code, again.data) == (304, b"")
        assert again.headers["ETag"] == answer.headers["ETag"]
        assert answer.headers["Content-Language"] == "ja"
        assert shared_client.get("/ja/rules/spades", headers=headers | {"If-None-Match": '"x"'}).status_code == 200
        bodies.add(answer.data)
        tags.add(answer.headers["ETag"])
    assert (len(bodies), len(tags)) == (3, 3)
    refused = shared_client.get("/ja/rules/spades", headers={"Accept-Encoding": "br;q=0, gzip;q=0"})
    assert "Content-Encoding" not in refused.headers


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("game", GAMES)
def test_rule_page_fits_the_first_window(shared_client: Any, lang: str, game: str) -> None:
    page = shared_client.get(f"/{lang}/rules/{game}", headers={"Accept-Encoding": "br"})
    assert len(page.data) <= 14_000


def test_first_page_asks_for_few_and_small_files(shared_app: Flask, shared_client: Any) -> None:
    assets.compress(shared_app)
    tags = _Reader(shared_client.get("/ja/").text).tags
    files = [attrs["href"] for tag, attrs in tags if tag == "link" and attrs.get("rel") == "stylesheet"]
    files += [attrs["src"] for tag, attrs in tags if tag == "script"]
    sizes = {}
    for path in files:
        with shared_client.get(path, headers={"Accept-Encoding": "br"}) as answer:
            assert answer.headers["Content-Encoding"] == "br"
            assert "immutable" in answer.headers["Cache-Control"]
            sizes[path] = len(answer.data)
    assert len(files) == 2
    assert all(size <= 8_000 for size in sizes.values())


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_problem_code_has_its_page(shared_client: Any, lang: str) -> None:
    overview = shared_client.get(f"/{lang}/problems").text
    for code in all_codes():
        page = shared_client.get(f"/{lang}/problems/{code}")
        assert page.status_code == 200
        assert f"<code>{code}</code>" in page.text
        assert f"/{lang}/problems/{code}" in overview
        assert shared_client.get(f"/problems/{code}").status_code == 200
    assert shared_client.get(f"/{lang}/problems/nope").status_code == 404


def test_problem_codes_of_http_have_words(shared_client: Any) -> None:
    for lang in LANGUAGES:
        words = load_book().sites[lang].templates
        assert {f"problem.{code}.{part}" for code in STATUSES for part in ("title", "detail")} <= set(words)


@pytest.mark.parametrize(("path", "lang"), [("/ja/nope", "ja"), ("/en/rules/nope", "en"), ("/nope", "en")])
def test_error_pages_speak_the_reader_s_language(shared_client: Any, path: str, lang: str) -> None:
    answer = shared_client.get(path)
    assert (answer.status_code, answer.mimetype) == (404, "text/html")
    assert f'<html lang="{lang}">' in answer.text
    assert answer.headers["Cache-Control"] == "no-store"
    assert 'hreflang="ja"' in answer.text or 'hreflang="en"' in answer.text


def test_error_page_keeps_allow(shared_client: Any) -> None:
    answer = shared_client.post("/ja/rules")
    assert answer.status_code == 405
    assert "GET" in answer.headers["Allow"]


def test_path_without_its_slash_is_led_on(shared_client: Any) -> None:
    answer = shared_client.get("/ja")
    assert answer.status_code == 308
    assert answer.headers["Location"].endswith("/ja/")


def test_hostile_addresses_are_answered(shared_client: Any) -> None:
    for path in ("/en/rules/%00", "/en/rules/spades?rules=%ff%fe", "/en/rules/spades?rules=" + "~a-1" * 500,
                 "/%e3%81%82", "/en/problems/<script>", "/en/../../etc/passwd", "/static/../__init__.py"):  # fmt: skip
        answer = shared_client.get(path)
        assert answer.status_code in (404, 422), path
        assert "<script>" not in re.sub(r"<script src", "", answer.text)


def test_a_page_that_has_not_changed_keeps_the_policy_it_came_with(shared_client: Any) -> None:
    """A browser puts the headers of a 304 in the place of the stored ones: a policy for data would close the page."""
    for path in ("/ja/", "/en/rules", "/ja/rules/spades/nil", "/en/sources", "/api/v1/games"):
        fresh = shared_client.get(path)
        again = shared_client.get(path, headers={"If-None-Match": fresh.headers.get("ETag", "*")})
        for name in ("Content-Security-Policy", "Cross-Origin-Opener-Policy", "Permissions-Policy"):
            assert again.headers.get(name, fresh.headers.get(name)) == fresh.headers.get(name), path

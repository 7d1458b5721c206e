"""What search engines and links elsewhere see: a page for each article, absolute addresses, linked data, pictures."""

from __future__ import annotations

import json
import re
from html import unescape
from typing import Any
from xml.etree import ElementTree

import pytest
from playwright.sync_api import expect

from companion.data import LANGUAGES
from companion.games import GAMES
from companion.rulebook.pages import describe, page, sentences
from companion.rulebook.words import GUIDES, article_url
from companion.web import create_app
from companion.web.http import MOST_ROOTS, ROOT_MARK
from companion.web.site import NOT_FOR_ROBOTS, PICTURE_SIZE, public_paths
from tests.conftest import settings_in
from tests.web.addresses import PARTS

WINDOW = 14_000
SITE = "https://cards.example"
RULES = {"ja": "ルール", "en": "rules"}
PRESETS = [(game.id, preset) for game in GAMES.values() for preset in game.options.presets]

languages = pytest.mark.parametrize("lang", LANGUAGES)


def get(client: Any, path: str) -> str:
    answer = client.get(path, base_url=SITE)
    assert answer.status_code == 200, path
    text: str = answer.text
    return text


def link(html: str, rel: str) -> list[str]:
    return re.findall(rf'<link rel="{rel}"[^>]*href="([^"]+)"', html)


def meta(html: str, name: str) -> str:
    found = re.search(rf'<meta (?:name|property)="{name}" content="([^"]*)"', html)
    return unescape(found[1]) if found else ""


def title(html: str) -> str:
    return unescape(re.search(r"<title>(.*?)</title>", html)[1])


def linked_data(html: str) -> dict[str, Any]:
    found = re.findall(r'<script type="application/ld\+json">(.*?)</script>', html)
    return {item["@type"]: item for item in map(json.loads, found)}


@languages
@pytest.mark.parametrize("game", GAMES)
def test_every_article_has_a_page_that_answers_and_leads_to_its_place(shared_client: Any, lang: str, game: str) -> None:
    titles, descriptions = set(), set()
    articles = [each for each in page(game, lang).articles() if each.anchor not in GAMES[game].options.presets]
    for article in articles:
        path = f"/{lang}/rules/{game}/{article.anchor}"
        html = get(shared_client, path)
        assert f'<h1 id="{article.anchor}">{article.title_html}</h1>' in html
        assert article.title in title(html)
        assert RULES[lang] in title(html)
        assert link(html, "canonical") == [SITE + path]
        assert f'href="{article.url}"' in html
        assert meta(html, "description")
        assert len(meta(html, "description")) <= 160
        data = linked_data(html)
        [asked] = data["FAQPage"]["mainEntity"]
        assert asked["name"] == article.title
        assert asked["acceptedAnswer"]["text"].startswith(sentences(meta(html, "description").rstrip("…"))[0])
        assert [each["item"] for each in data["BreadcrumbList"]["itemListElement"]][-1] == SITE + path
        assert 'href="#' not in html.replace('href="#main"', "")
        titles.add(title(html))
        descriptions.add(meta(html, "description"))
    assert len(titles) == len(articles)
    assert len(descriptions) > 0.95 * len(articles)


@languages
def test_pages_of_articles_fit_the_first_window(shared_client: Any, lang: str) -> None:
    for game in GAMES:
        longest = max(page(game, lang).articles(), key=lambda article: len(article.html))
        answer = shared_client.get(f"/{lang}/rules/{game}/{longest.anchor}", headers={"Accept-Encoding": "br"})
        assert len(answer.data) <= WINDOW


@languages
@pytest.mark.parametrize("path", ["", "rules", *PARTS, *GUIDES, "rules/spades/nil"])
def test_a_public_page_names_itself_and_its_translations_absolutely(shared_client: Any, lang: str, path: str) -> None:
    html = get(shared_client, f"/{lang}/{path}")
    assert link(html, "canonical") == [f"{SITE}/{lang}/{path}"]
    alternates = dict(re.findall(r'<link rel="alternate" hreflang="([^"]+)" href="([^"]+)"', html))
    assert alternates == {
        **{each: f"{SITE}/{each}/{path}" for each in LANGUAGES},
        "x-default": f"{SITE}/en/{path}",
    }
    assert meta(html, "og:url") == f"{SITE}/{lang}/{path}"
    assert meta(html, "og:title") == title(html)
    assert meta(html, "og:description") == meta(html, "description")
    assert meta(html, "og:image").startswith(f"{SITE}/covers/{lang}")
    if path.startswith("rules"):
        assert RULES[lang] in title(html).lower()


@languages
def test_pictures_are_png_of_the_size_that_heads_announce(shared_client: Any, lang: str) -> None:
    pictures = {meta(get(shared_client, f"/{lang}/{path}"), "og:image") for path in ("", *PARTS)}
    assert len(pictures) == 1 + len(GAMES)
    contents = set()
    for url in pictures:
        answer = shared_client.get(url.removeprefix(SITE))
        assert (answer.status_code, answer.mimetype) == (200, "image/png")
        assert answer.data[:8] == b"\x89PNG\r\n\x1a\n"
        size = tuple(int.from_bytes(answer.data[at : at + 4], "big") for at in (16, 20))
        assert size == PICTURE_SIZE
        contents.add(answer.data)
    assert len(contents) == len(pictures)
    assert shared_client.get(f"/covers/{lang}/nope.png").status_code == 404


@languages
def test_the_glossary_defines_its_terms(shared_client: Any, lang: str) -> None:
    terms = linked_data(get(shared_client, f"/{lang}/glossary"))["DefinedTermSet"]["hasDefinedTerm"]
    articles = list(page("glossary", lang).articles())
    assert [term["name"] for term in terms] == [article.title for article in articles]
    for term, article in zip(terms, articles, strict=True):
        assert term["url"] == SITE + article_url(lang, article.id)
        assert term["description"]
        assert term["description"] in article.text.replace("\n", " ")


@languages
@pytest.mark.parametrize(("game", "preset"), PRESETS)
def test_pages_of_a_table_are_canonical_to_their_preset(shared_client: Any, lang: str, game: str, preset: str) -> None:
    option = next(each for each in GAMES[game].options.options.values() if each.name == "target")
    for path in (preset, f"?rules={preset}~{option.key}-37"):
        html = get(shared_client, f"/{lang}/rules/{game}/{path}".replace("/?", "?"))
        assert link(html, "canonical") == [f"{SITE}/{lang}/rules/{game}/{preset}"]
        assert RULES[lang] in title(html)
        assert meta(html, "description")


@languages
def test_pages_in_both_languages_are_canonical_to_the_page_in_one(shared_client: Any, lang: str) -> None:
    html = get(shared_client, f"/{lang}/rules/casino/relatives/both")
    assert link(html, "canonical") == [f"{SITE}/{lang}/rules/casino/relatives"]


def test_the_sitemap_has_every_public_page_with_its_translations(shared_client: Any) -> None:
    root = ElementTree.fromstring(get(shared_client, "/sitemap.xml"))
    space = {"s": "http://www.sitemaps.org/schemas/sitemap/0.9", "x": "http://www.w3.org/1999/xhtml"}
    places = [entry.text for entry in root.findall("s:url/s:loc", space)]
    assert places == [f"{SITE}/{lang}/{path}" for path in public_paths() for lang in LANGUAGES]
    assert len(set(places)) == len(places) > 800
    for entry in root.findall("s:url", space):
        tags = [each.get("hreflang") for each in entry.findall("x:link", space)]
        assert tags == [*LANGUAGES, "x-default"]
    for place in places[::25]:
        assert link(get(shared_client, place.removeprefix(SITE)), "canonical") == [place]


@languages
@pytest.mark.parametrize("path", ["referee", "referee/casino/take", "referee/spades/call"])
def test_a_question_of_the_referee_says_in_its_head_what_it_answers(shared_client: Any, lang: str, path: str) -> None:
    assert meta(get(shared_client, f"/{lang}/{path}"), "description")


def test_robots_are_led_to_the_sitemap_and_away_from_sheets(shared_client: Any) -> None:
    answer = shared_client.get("/robots.txt", base_url=SITE)
    assert answer.mimetype == "text/plain"
    assert f"Sitemap: {SITE}/sitemap.xml" in answer.text
    for lang in LANGUAGES:
        assert f"Disallow: /{lang}/sheets\n" in answer.text
    assert not any(f"/{lang}/{path}".startswith(NOT_FOR_ROBOTS) for path in public_paths() for lang in LANGUAGES)


def test_assistants_are_told_what_is_where_in_both_languages(shared_client: Any) -> None:
    answer = shared_client.get("/llms.txt", base_url=SITE)
    assert answer.mimetype == "text/markdown"
    first, _, second, *_ = answer.text.splitlines()
    assert (first[:2], second[:2]) == ("# ", "> ")
    places = re.findall(r"\]\(([^)]+)\)", answer.text)
    assert all(place.startswith(f"{SITE}/") for place in places)
    for lang in LANGUAGES:
        for game in GAMES:
            assert f"{SITE}/{lang}/rules/{game}" in places
            assert f"{SITE}/api/v1/games/{game}/book?lang={lang}" in places
    for place in places:
        get(shared_client, place.removeprefix(SITE))


def test_a_configured_address_is_said_to_every_host(tmp_path: Any) -> None:
    client = create_app({**settings_in(tmp_path), "SITE_URL": f"{SITE}/"}).test_client()
    for path in ("/ja/rules/casino/sums", "/sitemap.xml", "/robots.txt", "/en/"):
        html = client.get(path, base_url="http://evil.example").text
        assert f"{SITE}/" in html
        assert "evil.example" not in html


@pytest.mark.parametrize("url", ["cards.example", "javascript:x", 'https://a"b', "https://a b"])
def test_an_address_that_is_none_does_not_start(tmp_path: Any, url: str) -> None:
    with pytest.raises(ValueError, match="SITE_URL"):
        create_app({**settings_in(tmp_path), "SITE_URL": url})


def test_what_one_host_asked_for_is_never_said_to_another(shared_client: Any) -> None:
    path = "/en/rules/spades/nil"
    for number in range(2 * MOST_ROOTS):
        host = f"https://host{number}.example"
        html = shared_client.get(path, base_url=host).text
        assert set(re.findall(r"https?://([^/\"]+)", html)) - {"schema.org"} == {host.removeprefix("https://")}
    first = shared_client.get(path, base_url="https://host0.example")
    again = shared_client.get(path, base_url=SITE, headers={"If-None-Match": first.headers["ETag"]})
    assert again.status_code == 200


def test_the_mark_for_the_root_is_on_no_page(shared_client: Any) -> None:
    for path in ("/ja/", "/en/rules", *(f"/ja/{part}" for part in PARTS), "/ja/glossary", "/sitemap.xml"):
        assert ROOT_MARK not in get(shared_client, path)


def test_an_article_still_stands_on_the_long_page(shared_client: Any) -> None:
    answer = shared_client.get("/en/rules/casino/royal-ace?whole")
    assert answer.headers["Location"] == "/en/rules/casino/relatives#royal-ace"
    section = shared_client.get("/en/rules/casino/capture")
    assert section.headers["Location"] == "/en/rules/casino#capture"


def test_a_description_has_whole_sentences_where_it_can() -> None:
    assert describe("One. Two is here.", "en") == "One. Two is here."
    assert describe("A" * 150 + ". " + "B" * 50 + ".", "en") == "A" * 150 + "."
    assert describe("あ" * 90 + "。" + "い" * 50 + "。", "ja") == "あ" * 90 + "。"
    assert describe("x" * 300, "en") == "x" * 159 + "…"
    assert len(describe("あ" * 300, "ja")) == 107


@pytest.mark.browser
def test_linked_data_is_read_under_the_policy_and_needs_no_script(page: Any) -> None:
    said: list[str] = []
    page.on("console", lambda message: said.append(message.text))
    page.goto("/ja/rules/spades/bag-penalty")
    expect(page.locator('script[type="application/ld+json"]')).to_have_count(2)
    page.goto("/ja/glossary")
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    assert said == []

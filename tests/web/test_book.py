"""The book on the site: small pages in parts, links that lead to articles, our rules, search, sheets of paper."""

from __future__ import annotations

import gzip
import os
import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import quote

import brotli
import pytest

from companion.data import LANGUAGES
from companion.engine.articles import Articles
from companion.engine.game import Game
from companion.games import GAMES
from companion.rulebook import words as rulebook
from companion.rulebook.pages import leaves, page
from companion.rulebook.words import GUIDES
from companion.web import book
from companion.web.book import leaf_path
from tests.web.addresses import LEAVES, PAPER, PARTS

ROOT = Path(__file__).parents[2]
WINDOW = 14_000
PRESETS = [(game.id, preset) for game in GAMES.values() for preset in game.options.presets]

languages = pytest.mark.parametrize("lang", LANGUAGES)
games = pytest.mark.parametrize("game", GAMES)


def ids(html: str) -> list[str]:
    return re.findall(r' id="([^"]+)"', html)


def size(client: Any, path: str) -> int:
    answer = client.get(path, headers={"Accept-Encoding": "br"})
    assert answer.headers["Content-Encoding"] == "br"
    return len(answer.data)


@languages
@pytest.mark.parametrize("path", ["", "rules", *PARTS, *LEAVES, *GUIDES, *PAPER, "search", "problems"])
def test_a_page_fits_the_first_window(shared_client: Any, lang: str, path: str) -> None:
    assert size(shared_client, f"/{lang}/{path}") <= WINDOW


@languages
@pytest.mark.parametrize("query", ["a", "10", "札", "の"])
def test_what_is_found_fits_the_first_window(shared_client: Any, lang: str, query: str) -> None:
    assert size(shared_client, f"/{lang}/search?q={quote(query)}") <= WINDOW


@languages
@pytest.mark.parametrize(("game", "preset"), PRESETS)
def test_what_a_table_plays_fits_the_first_window(shared_client: Any, lang: str, game: str, preset: str) -> None:
    for address in (f"/{preset}", f"/summary?rules={preset}", f"/score-sheet?rules={preset}"):
        assert size(shared_client, f"/{lang}/rules/{game}{address}") <= WINDOW


@games
def test_every_preset_has_its_page_that_the_pages_of_the_game_lead_to(shared_client: Any, game: str) -> None:
    for lang in LANGUAGES:
        addresses = [f"/{lang}/rules/{game}/{preset}" for preset in GAMES[game].options.presets]
        assert not {part.name for part in page(game, lang).parts} & set(GAMES[game].options.presets)
        for path in (f"/{lang}/rules", f"/{lang}/rules/{game}", *addresses[:1]):
            html = shared_client.get(path).text
            assert [address for address in addresses if f'<a href="{address}"' not in html] == []
        for preset, address in zip(GAMES[game].options.presets, addresses, strict=True):
            moved = shared_client.get(f"/{lang}/rules/{game}?rules={preset}")
            assert (moved.status_code, moved.headers["Location"]) == (302, address)
            html = shared_client.get(address).text
            assert f'<a href="{address}" aria-current="page">' in html
            anchors = {article.anchor for article in page(game, lang, GAMES[game].options.preset(preset)).articles()}
            assert {name for name in ids(html) if f"{game}.{name}" in GAMES[game].articles} == anchors


@languages
@games
def test_the_parts_of_a_game_have_every_article_once(shared_client: Any, lang: str, game: str) -> None:
    anchors = {article.anchor for article in GAMES[game].articles}
    found = [
        name
        for part in page(game, lang).parts
        for name in ids(shared_client.get(f"/{lang}/rules/{game}/{part.name}".rstrip("/")).text)
        if name in anchors
    ]
    assert sorted(found) == sorted(anchors)


def test_an_article_that_retired_leads_to_the_one_in_its_place(
    shared_client: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = GAMES["spades"]
    retired = Articles("spades", game.articles.sections, {"spades.old-name": "spades.nil"})
    monkeypatch.setitem(GAMES, "spades", replace(game, articles=retired))
    caches = (rulebook.load_book, book._cached_part, page.__globals__["_whole_page"])
    for cache in caches:
        cache.cache_clear()
    try:
        answer = shared_client.get("/en/rules/spades/old-name")
        assert answer.headers["Location"] == "/en/rules/spades#nil"
        html = shared_client.get("/en/rules/spades").text
        assert '<span id="old-name"></span><h3 id="nil">' in html
    finally:
        for cache in caches:
            cache.cache_clear()


@games
def test_no_article_is_called_like_a_page_of_its_game(app: Any, game: str) -> None:
    under = "/<lang:lang>/rules/<game_id>/"
    pages = {each.rule.removeprefix(under) for each in app.url_map.iter_rules() if each.rule.startswith(under)}
    anchors = {article.anchor for article in GAMES[game].articles} | set(GAMES[game].articles.sections)
    assert {"both", "summary", "score-sheet"} <= pages
    assert anchors.isdisjoint(pages)
    assert not anchors & {part.name for part in page(game, "en").parts}


def test_every_article_has_its_link_and_the_way_to_the_other_language(shared_client: Any) -> None:
    html = shared_client.get("/ja/rules/casino/relatives").text
    articles = [a.anchor for s in page("casino", "ja").parts[1].sections for a in s.articles]
    assert articles
    for anchor in articles:
        assert f'href="#{anchor}"' in html
        assert f'href="/en/rules/casino/relatives#{anchor}" hreflang="en" lang="en"' in html


def test_parts_lead_to_each_other_and_the_language_switch_keeps_the_part(shared_client: Any) -> None:
    first, second = (shared_client.get(f"/en/rules/casino{part}").text for part in ("", "/relatives"))
    assert '<a href="/en/rules/casino/relatives">' in first
    assert '<a href="/en/rules/casino">' in second
    assert '<a class="language" href="/ja/rules/casino/relatives"' in second


def test_pages_of_the_book_are_answered_from_memory(shared_client: Any) -> None:
    for path in (
        "/ja/rules", "/ja/rules/casino/relatives", "/ja/glossary", "/ja/verdicts", "/ja/rules/spades/both",
        "/ja/search?q=nil", "/en/problems", "/ja/rules/spades/summary", "/en/rules/spades/score-sheet",
        "/en/rules/spades/modern", "/en/rules/spades?rules=modern~t-300",
    ):  # fmt: skip
        answer = shared_client.get(path, headers={"Accept-Encoding": "br"})
        again = shared_client.get(path, headers={"Accept-Encoding": "br", "If-None-Match": answer.headers["ETag"]})
        assert (again.status_code, again.data) == (304, b""), path


def test_a_page_is_compressed_as_its_readers_accept_it(shared_app: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    path = "/en/rules/casino?rules=swazi~t-33"
    monkeypatch.delattr("brotli.compress")
    plain = shared_app.test_client().get(path)
    zipped = shared_app.test_client().get(path, headers={"Accept-Encoding": "gzip"})
    monkeypatch.undo()
    small = shared_app.test_client().get(path, headers={"Accept-Encoding": "br, gzip"})
    assert brotli.decompress(small.data) == gzip.decompress(zipped.data) == plain.data
    tags = {answer.headers["ETag"] for answer in (plain, zipped, small)}
    assert (len(tags), len({tag.partition("-")[0] for tag in tags})) == (3, 1)


def test_the_book_is_rendered_before_the_first_reader_comes(app: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    for cache in (book._cached_part, book._cached_both):
        cache.cache_clear()
    book.prepare(app)
    made = (book._cached_part.cache_info().currsize, book._cached_both.cache_info().currsize)
    assert made == (len(LANGUAGES) * (len(PARTS) + len(GUIDES)), len(LANGUAGES) * len(LEAVES))
    monkeypatch.delattr("brotli.compress")
    for path in ("rules/casino/relatives", LEAVES[1]):
        assert app.test_client().get(f"/en/{path}", headers={"Accept-Encoding": "br"}).status_code == 200
    assert made == (book._cached_part.cache_info().currsize, book._cached_both.cache_info().currsize)


START = """
import gc, threading
from companion.web import PREPARATION, book
{start}
print(app.test_client().get("/healthz").status_code)
print(book._cached_part.cache_info().currsize)
preparation = next(thread for thread in threading.enumerate() if thread.name == PREPARATION)
{until}preparation.join()
print(book._cached_part.cache_info().currsize)
print(gc.get_freeze_count() > 0)
print(app.test_client().get("/static/site.css", headers={{"Accept-Encoding": "br"}}).headers["Content-Encoding"])
"""


@pytest.mark.parametrize("start", ["from wsgi import app", "from companion.web import start; app = start()"])
def test_any_server_answers_at_once_and_prepares_the_book_meanwhile(start: str, thorough: bool) -> None:
    """In a process of its own: what another WSGI server and that of `make run` load.

    Both begin the same preparation; only in a long run it is waited for in both.
    """
    whole = thorough or "wsgi" not in start
    run = subprocess.run(
        [sys.executable, "-c", START.format(start=start, until="" if whole else "raise SystemExit;")],
        capture_output=True, text=True, check=True, cwd=ROOT, env={**os.environ, "COMPANION_DATABASE": "memory:"},
    )  # fmt: skip
    status, at_once, *prepared = run.stdout.split()
    parts = len(LANGUAGES) * (len(PARTS) + len(GUIDES))
    assert (status, run.stderr) == ("200", "")
    assert int(at_once) < parts
    assert prepared == ([str(parts), "True", "br"] if whole else [])


@languages
@games
def test_leaves_have_every_section_and_article_beside_its_translation(shared_client: Any, lang: str, game: str) -> None:
    other = "en" if lang == "ja" else "ja"
    found = []
    for path in (leaf for leaf in LEAVES if leaf.split("/")[1] == game):
        html = shared_client.get(f"/{lang}/{path}").text
        assert len(ids(html)) == len(set(ids(html)))
        found += re.findall(rf'<div lang="{other}">\s*<h3>(.*?)</h3>', html)
    assert found == [article.title_html for article in page(game, other).articles()]


@languages
@pytest.mark.parametrize("part", PARTS)
def test_leaves_of_a_part_list_its_sections_and_follow_each_other(shared_client: Any, lang: str, part: str) -> None:
    game = part.split("/")[1]
    name = part.removeprefix(f"rules/{game}").removeprefix("/")
    own = leaves(game, lang, name)
    for leaf in own:
        path = leaf_path(game, name, leaf.name)
        html = shared_client.get(f"/{lang}/{path}").text
        contents = re.findall(
            r'<li><a href="([^"]+)">', html.partition('<nav class="contents"')[2].partition("</nav>")[0]
        )
        assert [link.rpartition("#")[2] for link in contents] == [
            s.anchor for s in page(game, lang).part(name).sections
        ]
        assert {link for link in contents if link.startswith("#")} == {f"#{section.anchor}" for section, _ in leaf.rows}
        every = [one for one in LEAVES if one.split("/")[1] == game]
        more = html.partition('<footer class="more">')[2]
        for step in (-1, 1):
            place = every.index(path) + step
            if 0 <= place < len(every):
                assert f'href="/{lang}/{every[place]}"' in more
        assert f'<a href="/{lang}/{part}' in html
        assert f'<a class="language" href="/{"en" if lang == "ja" else "ja"}/{path}"' in html


@languages
@games
def test_every_place_has_its_address_in_both_languages_side_by_side(shared_client: Any, lang: str, game: str) -> None:
    """Also the addresses of a time when a part was one page: `/both` and the anchor, which a small script asks for."""
    shown: dict[str, Any] = {}
    for part in page(game, lang).parts:
        first = {leaf.name for leaf in leaves(game, lang, part.name)}
        for anchor in [a.anchor for s in part.sections for a in s.articles] + [s.anchor for s in part.sections]:
            asked = shared_client.get(f"/{lang}/{leaf_path(game, part.name, anchor)}")
            if anchor in first:
                assert anchor in ids(asked.text)
                continue
            place, _, there = asked.headers["Location"].partition("#")
            assert there == anchor
            shown[place] = shown.get(place) or ids(shared_client.get(place).text)
            assert anchor in shown[place]
    assert shared_client.get(f"/{lang}/rules/{game}/both/nope").status_code == 404
    assert shared_client.get(f"/{lang}/rules/{game}/nope/both").status_code == 404


@languages
@games
def test_side_by_side_an_article_is_found_from_any_part(shared_client: Any, lang: str, game: str) -> None:
    for anchor in (section.articles[-1].anchor for section in page(game, lang).sections if section.articles):
        answer = shared_client.get(f"/{lang}/rules/{game}/both/{anchor}")
        assert answer.location.endswith(f"#{anchor}")
        assert f'id="{anchor}"' in shared_client.get(answer.location.partition("#")[0]).text


def test_each_section_of_a_page_leads_to_its_place_beside_the_other_language(shared_client: Any) -> None:
    html = shared_client.get("/en/rules/spades").text
    assert '<a class="wide" href="/en/rules/spades/both#bidding">' in html
    links = re.findall(r'<a class="wide" href="/en/(rules/spades/both[^#"]*)#([a-z-]+)">', html)
    assert [anchor for _, anchor in links] == [section.anchor for section in page("spades", "en").parts[0].sections]
    assert {path for path, _ in links} == {leaf for leaf in LEAVES if leaf.startswith("rules/spades/both")}
    assert "/both" not in shared_client.get("/en/rules/spades/classic").text
    assert "/both" not in shared_client.get("/en/glossary").text


def test_our_rules_show_the_numbers_of_the_table_and_what_differs(shared_client: Any) -> None:
    html = shared_client.get("/en/rules/spades?rules=classic~bt-7~n-0").text
    assert '<b class="differs">7</b>' in html
    assert "Our rules" in html
    assert re.search(r'<li><a href="/en/rules/spades#[a-z-]+">[^<]*10 bags → 7 bags</a></li>', html)
    assert '<span class="tag">Changed</span>' in html
    assert 'id="nil"' not in html
    assert '<a href="/en/rules/spades">' in html
    assert re.search(r'<a href="/en/sheets/new/spades\?rules=classic~[^"]*~bt-7">', html)
    assert '<a class="language" href="/ja/rules/spades?rules=classic' in html
    assert shared_client.get("/en/rules/spades?rules=nope~x").status_code == 422
    plain = shared_client.get("/en/rules/spades/classic").text
    assert "Our rules" not in plain
    assert "differs" not in plain


@languages
@pytest.mark.parametrize(("game", "preset"), PRESETS)
def test_links_of_our_rules_lead_to_places(shared_client: Any, lang: str, game: str, preset: str) -> None:
    html = shared_client.get(f"/{lang}/rules/{game}/{preset}").text
    assert len(ids(html)) == len(set(ids(html)))
    assert {link for link in re.findall(r'href="#([^"]+)"', html) if link not in ids(html)} == set()


@pytest.mark.parametrize(("code", "address"), [("modern", "/modern"), ("classic~bt-7", "?rules=classic~bt-7")])
def test_a_sheet_leads_to_its_rules_and_so_does_its_opening(client: Any, code: str, address: str) -> None:
    form = client.get(f"/en/sheets/new/spades?rules={code}").text
    assert f'href="/en/rules/spades{address}"' in form
    token = re.search(r'name="csrf_token"[^>]*value="([^"]+)"', form)
    names = {f"name{place}": name for place, name in enumerate(("Aki", "Ben", "Chie", "Dan"))}
    data = {"rules": code, **names, **({"csrf_token": token[1]} if token else {})}
    opened = client.post("/en/sheets/new/spades", data=data)
    assert opened.status_code == 303, opened.text
    sheet = client.get(opened.headers["Location"]).text
    assert f'<p class="our-rules"><a href="/en/rules/spades{address}">' in sheet


def test_the_chooser_leads_to_the_complete_rules_of_every_preset(client: Any) -> None:
    links = re.findall(r'href="/ja/rules/([^"]+)"', client.get("/ja/sheets/new").text)
    assert {f"{game}/{preset}" for game, preset in PRESETS} <= set(links)


@pytest.mark.parametrize(
    ("lang", "query", "url"),
    [
        ("ja", "ニル", "/ja/rules/spades#nil"),
        ("ja", "にる", "/ja/rules/spades#nil"),
        ("ja", "場札", "/ja/rules/casino#first-table-cards"),
        ("ja", "12枚", "/ja/rules/spite-and-malice#recycle-threshold"),
        ("ja", "bag", "/ja/rules/spades#bag"),
        ("en", "nil", "/en/rules/spades#nil"),
        ("en", "ロイヤル", "/en/rules/casino/royal"),
    ],
)
def test_search_has_the_right_article_first_on_the_page_and_in_the_api(
    shared_client: Any, lang: str, query: str, url: str
) -> None:
    html = shared_client.get(f"/{lang}/search?q={quote(query)}").text
    shown = re.findall(r'<li class="box"><a href="([^"]+)">', html.partition('id="found"')[2])
    told = shared_client.get(f"/api/v1/articles?q={quote(query)}&lang={lang}&limit=12").json["results"]
    assert shown[0].startswith(url)
    assert shown == [each["url"] for each in told]


def test_search_says_what_it_found_and_suggests_near_words(shared_client: Any) -> None:
    nothing = shared_client.get("/en/search?q=sandboxing+clouds").text
    assert '<p role="status">Nothing in this book about “sandboxing, clouds”.</p>' in nothing
    assert '<a href="/en/search?q=' in nothing
    assert "「サンドバック」を「サンドバッグ」として" in shared_client.get("/ja/search?q=サンドバック").text
    assert '<p role="status"></p>' in shared_client.get("/ja/search").text
    assert '<p role="status"></p>' in shared_client.get("/ja/search?q=%20").text
    kinds = {each["kind"] for each in shared_client.get("/api/v1/articles?q=verdict&lang=en").json["results"]}
    assert "guide" in kinds


def test_a_hit_is_the_answer_for_the_table_that_asks(shared_client: Any) -> None:
    html = shared_client.get("/ja/search?q=バッグの罰&game=spades&rules=classic~bt-7").text
    first = html.partition('<ol class="hits">')[2].partition("</li>")[0]
    assert '<a href="/ja/rules/spades?rules=classic~bt-7#bag-penalty">' in first
    assert "<mark>バッグ</mark>が7個たまるたびに" in first
    assert "data-widen>" in html
    assert '<input type="hidden" name="rules" value="classic~bt-7">' in html
    assert shared_client.get("/ja/search?q=x&game=spades&rules=nope~x").status_code == 422
    assert shared_client.get("/ja/search?q=x&game=nope").status_code == 200


def test_a_question_by_permission_leads_to_the_page_that_judges(shared_client: Any) -> None:
    asked = shared_client.get("/en/search?q=can+I+lead+spades&game=spades&rules=modern").text
    assert '<a href="/en/referee/spades?rules=modern">' in asked
    assert "/en/referee/spades" not in shared_client.get("/en/search?q=bag+penalty").text


def test_every_page_asks_what_you_look_for_in_its_game_and_under_its_rules(shared_client: Any) -> None:
    for path in (
        "",
        *PARTS,
        *GUIDES,
        "rules",
        "referee",
        "referee/spades/card",
        "nope",
    ):
        html = shared_client.get(f"/en/{path}").text
        header = html.partition('<header class="top')[2].partition("</header>")[0]
        assert '<form class="search" action="/en/search" role="search"' in header, path
        game = re.search(r'<input type="hidden" name="game" value="([^"]+)">', header)
        if path in (*PARTS, "referee/spades/card"):
            assert path.split("/")[1] == game[1]
    html = shared_client.get("/en/rules/spades?rules=modern~bt-7").text
    assert '<input type="hidden" name="rules" value="modern~bt-7">' in html
    new_sheet = shared_client.get("/en/sheets/new/casino").text
    assert '<header class="head">' in new_sheet
    assert 'action="/en/search"' not in new_sheet


@games
def test_what_a_summary_holds_is_in_the_book(game: str) -> None:
    anchors = {article.anchor for article in GAMES[game].articles}
    assert set(GAMES[game].essentials.articles) <= anchors
    scores = GAMES[game].essentials.scores
    assert bool(scores) == (GAMES[game].judge is not None)
    assert not scores or "<table>" in next(s.html for s in page(game, "en").sections if s.anchor == scores)


@languages
@games
def test_summary_and_score_sheet_point_back_to_the_page_they_belong_to(
    shared_client: Any, lang: str, game: str
) -> None:
    code = GAMES[game].options.default_preset
    for name in ("summary", "score-sheet"):
        html = shared_client.get(f"/{lang}/rules/{game}/{name}", base_url="https://cards.example").text
        assert f"<p>https://cards.example/{lang}/rules/{game}</p>" in html
        assert 'class="qr"' in html
        ours = shared_client.get(f"/{lang}/rules/{game}/{name}?rules={code}", base_url="https://cards.example").text
        assert f"<p>https://cards.example/{lang}/rules/{game}/{code}</p>" in ours
        assert shared_client.get(f"/{lang}/rules/{game}/{name}?rules=nope~x").status_code == 422
    assert shared_client.get(f"/{lang}/rules/nope/summary").status_code == 404


def test_a_score_sheet_has_the_house_rules_in_its_head_and_columns_for_what_counts(shared_client: Any) -> None:
    html = shared_client.get("/en/rules/spades/score-sheet?rules=classic~bt-7").text
    assert "Classic; " in html
    assert html.count(">Bags</th>") == 2
    assert html.count('<th scope="row">') == book.LINES


def columns(game: Game, rules: Any) -> list[str]:
    return [column.name for column in game.paper.under(rules).each]


def side_counts(game: Game, rules: Any) -> list[int]:
    return sorted({way.side_count for way in game.seatings(rules)})


def test_columns_follow_the_rules() -> None:
    casino = GAMES["casino"]
    swazi, dominican = (casino.options.preset(name).options for name in ("swazi", "dominican"))
    assert "sweeps" not in columns(casino, swazi)
    assert "sweeps" in columns(casino, dominican)
    spades = GAMES["spades"]
    uncounted = spades.options.build("plain", {"overtrick": "minus1"}).options
    assert "bags" in columns(spades, spades.options.preset("classic").options)
    assert "bags" not in columns(spades, uncounted)


@pytest.mark.parametrize(("game", "preset"), PRESETS)
def test_a_score_sheet_has_as_many_sides_as_the_game(shared_client: Any, game: str, preset: str) -> None:
    counts = side_counts(GAMES[game], GAMES[game].options.preset(preset).options)
    for count in counts:
        html = shared_client.get(f"/en/rules/{game}/score-sheet?rules={preset}&sides={count}").text
        assert html.count('class="side"') == count
    assert shared_client.get(f"/en/rules/{game}/score-sheet?rules={preset}&sides=99").text.count('class="side"') == max(
        counts
    )


def test_number_of_sides_by_the_rules() -> None:
    def counts(game: str, preset: str) -> list[int]:
        return side_counts(GAMES[game], GAMES[game].options.preset(preset).options)

    assert counts("spades", "classic") == [2]
    assert counts("spades", "solo4") == [4]
    assert counts("spades", "solo3") == [3]
    assert counts("casino", "swazi") == [2, 3, 4]
    assert counts("spite-and-malice", "partners6") == [3]


def test_every_column_has_its_words() -> None:
    for lang in LANGUAGES:
        for game in GAMES.values():
            for column in (*game.paper.shared, *game.paper.each):
                assert rulebook.words(game.id, lang).say(f"print.{column.name}")

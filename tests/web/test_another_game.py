"""Another game, registered by configuration alone: Hearts from `tests/fixtures/hearts`, on a server of its own."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote, unquote
from urllib.request import Request, urlopen

import pytest
from openapi_spec_validator import validate
from playwright.sync_api import expect

from companion.rulebook.source import check_digests
from tests.keeper.driving import SAVE, Keeper

FIXTURES = Path(__file__).parents[1] / "fixtures"
SERVE = """
from werkzeug.serving import make_server
from companion.web import create_app
server = make_server("127.0.0.1", 0, create_app({"DATABASE": "memory:", "RATE_LIMITS": False}), threaded=True)
print(server.server_port, flush=True)
server.serve_forever()
"""
languages = pytest.mark.parametrize("lang", ["en", "ja"])


@pytest.fixture(scope="module")
def site() -> Iterator[str]:
    """The address of a server that knows Hearts by `COMPANION_GAMES`."""
    path = os.pathsep.join([str(FIXTURES.parents[1]), str(FIXTURES)])
    settings = {"COMPANION_GAMES": "hearts:HEARTS", "PYTHONPATH": path}
    process = subprocess.Popen(
        [sys.executable, "-c", SERVE],
        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env={**os.environ, **settings},
    )  # fmt: skip
    assert process.stdout is not None
    yield f"http://127.0.0.1:{process.stdout.readline().strip()}"
    process.kill()
    process.communicate()


def get(url: str) -> str:
    with urlopen(url, timeout=30) as response:
        assert response.status == 200
        text: str = response.read().decode()
        return text


def ask(site: str, operation: str, request: dict[str, Any]) -> Any:
    body = json.dumps(request).encode()
    address = f"{site}/api/v1/games/hearts/{operation}"
    with urlopen(Request(address, body, {"Content-Type": "application/json"}), timeout=30) as response:
        return json.load(response)


def taken(hearts: dict[str, int], queen: str) -> dict[str, dict[str, object]]:
    return {seat: {"hearts": hearts.get(seat, 0), "queen": seat == queen} for seat in "NESW"}


def score(site: str, *deals: dict[str, Any], **options: object) -> Any:
    return ask(site, "score", {"rules": {"options": options}, "sides": list("NESW"), "deals": list(deals)})


def test_both_languages_say_the_same() -> None:
    assert check_digests(FIXTURES / "hearts/rules_ja", FIXTURES / "hearts/rules_en") == {}


@languages
def test_every_page_of_the_game_is_there(site: str, lang: str) -> None:
    home = get(f"{site}/{lang}/")
    assert {"en": "Hearts", "ja": "ハーツ"}[lang] in home
    pages = re.findall(r'href="(/[^"#?]*hearts[^"#]*)', home)
    assert {f"/{lang}/sheets/new/hearts", f"/{lang}/rules/hearts"} <= set(pages)
    for page in {
        *pages,
        f"/{lang}/referee/hearts",
        f"/{lang}/referee",
        f"/{lang}/problems",
        f"/{lang}/house-rules",
        f"/{lang}/sheets/new",
    }:
        get(f"{site}{page}")


@languages
def test_the_book_shows_the_table_its_own_numbers(site: str, lang: str) -> None:
    target = {"en": r"total reaches \D*{}\D* points", "ja": r"合計が\D*{}\D*点に"}[lang]
    assert re.search(target.format(100), get(f"{site}/{lang}/rules/hearts"))
    assert re.search(target.format(50), get(f"{site}/{lang}/rules/hearts?rules=short"))
    both = get(f"{site}/{lang}/rules/hearts/both")
    assert "Shooting the moon" in both
    assert "シュート・ザ・ムーン" in both


@languages
def test_the_search_finds_its_articles_and_options(site: str, lang: str) -> None:
    words = {"en": "shooting the moon", "ja": "ムーン"}[lang]
    found = get(f"{site}/{lang}/search?q={quote(words)}")
    assert f"/{lang}/rules/hearts#moon" in found


@languages
def test_paper_has_its_columns_and_its_essentials(site: str, lang: str) -> None:
    sheet = get(f"{site}/{lang}/rules/hearts/score-sheet")
    assert sheet.count('class="side"') == 4
    assert sheet.count('<th scope="col">♥') == 4
    summary = get(f"{site}/{lang}/rules/hearts/summary")
    assert {"en": "No points in the first trick", "ja": "最初のトリックには点がつかない"}[lang] in summary


def test_the_catalogue_and_the_document_know_it(site: str) -> None:
    games = json.loads(get(f"{site}/api/v1/games"))["games"]
    assert [game["id"] for game in games][-1] == "hearts"
    document = json.loads(get(f"{site}/api/v1/openapi.json"))
    assert document["components"]["schemas"]["HeartsOptions"]["properties"]["target"]["x-default"] == 100
    validate(document)
    paths = document["paths"]
    example = paths["/api/v1/games/{game}/score"]["post"]["requestBody"]["content"]["application/json"]["examples"]
    assert score_example(site, example["hearts"]["value"]) == [9, 17, 0, 0]


def score_example(site: str, request: dict[str, Any]) -> list[int]:
    answer = ask(site, "score", request)
    return [answer["standing"][seat]["total"] for seat in "NESW"]


def test_points_have_their_reasons(site: str) -> None:
    answer = score(site, taken({"N": 9, "E": 4}, "E"))
    east = answer["deals"][0]["sides"]["E"]
    assert [(line["article"], line["points"]) for line in east["lines"]] == [("hearts.hearts", 4), ("hearts.queen", 13)]
    assert east["lines"][0]["text"] == "4 hearts"


@pytest.mark.parametrize(("moon", "totals"), [("others", [0, 26, 26, 26]), ("own", [-26, 0, 0, 0])])
def test_shooting_the_moon(site: str, moon: str, totals: list[int]) -> None:
    answer = score(site, taken({"N": 13}, "N"), moon=moon)
    assert [answer["standing"][seat]["total"] for seat in "NESW"] == totals


def test_the_lowest_total_wins(site: str) -> None:
    answer = score(site, taken({"N": 12, "S": 1}, "N"), taken({"N": 12, "E": 1}, "N"), target=50)
    assert answer["outcome"]["over"]
    assert answer["outcome"]["winners"] == ["W"]


def test_facts_that_do_not_add_up_are_found(site: str) -> None:
    from urllib.error import HTTPError

    with pytest.raises(HTTPError) as refused:
        score(site, taken({"N": 12}, "N"))
    errors = json.load(refused.value)["errors"]
    assert [(error["code"], error["detail"]) for error in errors] == [("hearts-total", "There are 13 hearts, not 12.")]


@pytest.mark.parametrize(
    ("position", "card", "verdict", "code"),
    [
        ({"trick": [{"seat": "N", "card": "9C"}], "hand": ["4C", "KH"]}, "KH", "illegal", "not-following"),
        ({"trick": [{"seat": "N", "card": "9C"}], "hand": ["4C", "KH"]}, "4C", "legal", None),
        ({"trick": [{"seat": "N", "card": "9C"}], "hand": ["4D", "KH"]}, "KH", "legal", None),
        ({"trick": [{"seat": "N", "card": "9C"}]}, "KH", "undecided", None),
        ({"trick": [{"seat": "N", "card": "2C"}], "trick_number": 1, "hand": ["4D", "KH"]}, "KH", "illegal",
         "scoring-first-trick"),
        ({"trick": [{"seat": "N", "card": "2C"}], "trick_number": 1, "hand": ["QS", "KH"]}, "QS", "legal", None),
        ({"trick_number": 1, "hand": ["2C", "3C"]}, "3C", "illegal", "not-two-of-clubs"),
        ({"hearts_broken": False, "hand": ["2H", "3C"]}, "2H", "illegal", "hearts-not-broken"),
        ({"hearts_broken": False, "hand": ["2H", "3H"]}, "2H", "legal", None),
        ({"hand": ["2H", "3C"]}, "2H", "undecided", None),
        ({"hearts_broken": True, "hand": ["2H", "3C"]}, "2H", "legal", None),
        ({"trick": [{"seat": "W", "card": "9C"}], "hand": ["4C"]}, "4C", "illegal", "out-of-turn"),
    ],
)  # fmt: skip
def test_a_card_is_judged(site: str, position: dict[str, Any], card: str, verdict: str, code: str | None) -> None:
    move = {"type": "play", "seat": "E", "card": card}
    answer = ask(site, "check", {"position": {"seats": list("NESW"), **position}, "move": move})
    assert answer["verdict"] == verdict
    assert [breach["code"] for breach in answer["breaches"]] == ([code] if code else [])


@languages
def test_may_i_play_this_card(site: str, lang: str) -> None:
    page = get(f"{site}/{lang}/referee/hearts/card?t=9C&h=4C.KH")
    assert {"en": "You may play 4♣", "ja": "出せるのは4♣"}[lang] in page
    assert {"en": "You hold clubs and must follow suit.", "ja": "クラブを持っているので"}[lang] in page
    assert f'href="/{lang}/rules/hearts#follow-suit"' in page
    first = get(f"{site}/{lang}/referee/hearts/card?t=2C&h=4D.KH&first=y")
    assert f'href="/{lang}/rules/hearts#first-trick"' in first


@pytest.mark.browser
def test_a_keepers_evening(browser: Any, site: str) -> None:
    page = browser.new_context(base_url=site).new_page()
    keeper = Keeper(page, "en")
    sheet = keeper.open("hearts", rules="short", names=("Ann", "Ben", "Cleo", "Dov"))
    for answer in ("Ann", 12, 1, 0, SAVE["en"]):
        keeper.tap(answer)
    expect(keeper.totals).to_have_text(["25", "1", "0", "0"])
    page.goto(f"{sheet}/what-if?rules=short")
    expect(page.get_by_text("As played, nobody has won yet. In the lead: Cleo, Dov (")).to_have_count(1)
    page.goto(sheet)
    for answer in ("Ann", 12, 0, 1, SAVE["en"]):
        keeper.tap(answer)
    expect(keeper.totals).to_have_text(["50", "1", "1", "0"])
    expect(page.locator("#ending")).to_contain_text("Dov")
    expect(page.locator("#ending")).not_to_contain_text("Ann")
    page.goto(f"{sheet}/games")
    row = page.locator("table.records tr", has_text="Dov")
    expect(row.locator("td")).to_have_text(["1", "1", "0"])
    page.goto(f"{sheet}/games/1")
    elsewhere = unquote(page.locator('a[href*="createPlay"]').get_attribute("href"))
    assert '"highestWins":false' in elsewhere
    assert '"name":"Dov","sourcePlayerId":"Dov","score":0,"winner":true' in elsewhere
    page.context.close()

"""The front door: a way to everything of each game, and back to the sheets that this device keeps."""

from __future__ import annotations

import re
from typing import Any

import pytest

from companion.games import GAMES
from tests.keeper.phone import Phone


@pytest.mark.parametrize("lang", ["ja", "en"])
def test_every_game_can_be_kept_asked_about_and_read(client: Any, lang: str) -> None:
    html = client.get(f"/{lang}/").text
    for game in GAMES:
        for way in (f"sheets/new/{game}", f"rules/{game}"):
            assert f'href="/{lang}/{way}"' in html
        assert (f'href="/{lang}/learn/{game}"' in html) == (GAMES[game].judge is not None)


@pytest.mark.parametrize(("lang", "go_on"), [("ja", "続ける"), ("en", "Continue")])
def test_the_latest_open_game_of_this_device_is_first_and_only_here(
    phone: Phone, other: Phone, lang: str, go_on: str
) -> None:
    opened = []
    for _ in range(3):
        phone.open()
        opened.append(phone.sheet)
    html = phone.get(f"/{lang}/").html
    assert [sheet.replace("/en/", f"/{lang}/") in html for sheet in opened] == [False, False, True]
    assert go_on in html
    assert go_on not in other.get(f"/{lang}/").html


def test_an_open_game_leads_alone_and_nothing_where_there_is_none(phone: Phone, other: Phone) -> None:
    leading, first_ways = (
        re.compile(rf'{part} href="([^"]+)"')
        for part in ('class="button strong turn"', 'class="acts link-row"><a class="button"')
    )
    page = other.get("/en/")
    assert leading.findall(page.html) == []
    assert first_ways.findall(page.html) == [f"/en/sheets/new/{game}" for game in GAMES]
    phone.open(target="30")
    assert leading.findall(phone.get("/en/").html) == [phone.sheet.removeprefix("http://localhost")]
    phone.get(phone.sheet)
    phone.deal(3, 3, 3, 3, 7)
    page = phone.get("/en/")
    assert leading.findall(page.html) == []
    assert phone.sheet.removeprefix("http://localhost") in page.html


def test_the_group_of_this_device_is_there_with_who_leads(phone: Phone, other: Phone) -> None:
    phone.get("/en/groups")
    phone.press("Make the group", title="Tuesday", names="Aki\nBeth\nChika\nDan")
    group = phone.url.removeprefix("http://localhost")
    page = phone.get("/en/")
    assert (group in page.html, "Tuesday" in page.text, "Wins" in page.text) == (True, True, False)
    number = group.rpartition("/")[2]
    phone.get(f"/en/sheets/new/spades?group={number}&player=m1&player=m2&player=m3&player=m4&rules=classic")
    phone.press("Start", **{"o.target": "30"})
    phone.sheet = phone.url
    phone.deal(3, 3, 3, 3, 7)
    page = phone.get("/en/")
    assert f'href="{group}/statistics"' in page.html
    won = re.findall(r"<span>(\w+)</span> <b>(\d)</b>", page.html)
    assert sorted(won) == [("Aki", "1"), ("Chika", "1")]  # who leads; all stand in the statistics
    assert "Tuesday" not in other.get("/en/").text


@pytest.mark.parametrize("lang", ["ja", "en"])
def test_every_game_has_a_drawing_of_its_own(client: Any, lang: str) -> None:
    drawings = re.findall(r'<div class="art">(<svg.*?</svg>)', client.get(f"/{lang}/").text, re.DOTALL)
    assert len(set(drawings)) == len(GAMES)
    assert all(len(drawing) <= 1700 for drawing in drawings)


def test_the_front_door_is_asked_for_anew_and_answered_by_304(client: Any) -> None:
    answer = client.get("/en/")
    assert answer.headers["Cache-Control"] == "private, no-cache"
    assert client.get("/en/", headers={"If-None-Match": answer.headers["ETag"]}).status_code == 304

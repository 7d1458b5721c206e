"""The front door: a way to everything of each game, and back to the sheets that this device keeps."""

from __future__ import annotations

from typing import Any

import pytest

from companion.games import GAMES
from tests.keeper.phone import Phone


@pytest.mark.parametrize("lang", ["ja", "en"])
def test_every_game_can_be_kept_asked_about_and_read(client: Any, lang: str) -> None:
    html = client.get(f"/{lang}/").text
    for game in GAMES:
        for way in (f"sheets/new/{game}", f"referee/{game}", f"rules/{game}"):
            assert f'href="/{lang}/{way}"' in html


@pytest.mark.parametrize(("lang", "go_on"), [("ja", "続きから"), ("en", "Continue")])
def test_the_newest_sheets_of_this_device_stand_first_and_only_here(
    phone: Phone, other: Phone, lang: str, go_on: str
) -> None:
    opened = []
    for _ in range(3):
        phone.open()
        opened.append(phone.sheet)
    html = phone.get(f"/{lang}/").html
    assert [sheet.replace("/en/", f"/{lang}/") in html for sheet in opened] == [False, True, True]
    assert go_on in html
    assert go_on not in other.get(f"/{lang}/").html


def test_the_front_door_is_asked_for_anew_and_answered_by_304(client: Any) -> None:
    answer = client.get("/en/")
    assert answer.headers["Cache-Control"] == "private, no-cache"
    assert client.get("/en/", headers={"If-None-Match": answer.headers["ETag"]}).status_code == 304

"""Links to a sheet: no link that nobody was shown, and words for a device whose link was revoked."""

from __future__ import annotations

import re
from typing import Any

import pytest

from tests.keeper.phone import Phone


def test_new_sheet_has_no_link_but_this_devices_own(phone: Phone) -> None:
    phone.open()
    page = phone.get(f"{phone.sheet}/share")
    assert re.findall(r"<li><b>([^<]*)</b> <span>([^<]*)</span>", page.html) == [("Keep the score", "this device")]


def test_every_page_of_a_sheet_that_takes_it_elsewhere_leads_to_its_links(phone: Phone) -> None:
    phone.open()
    place = phone.sheet.rpartition("/en/")[2]
    for page in ("", "/settings"):
        assert re.search(rf'href="/en/{place}/share"[^>]*>.*?Share', phone.get(phone.sheet + page).html), page


def test_sheet_opened_over_the_api_still_has_both_secrets(app: Any, client: Any) -> None:
    answer = client.post("/api/v1/sheets", json={"seats": ["Aki", "Beth"]})
    assert set(answer.json["secrets"]) == {"watch", "score"}
    assert all(len(secret) > 20 for secret in answer.json["secrets"].values())


def test_sheet_without_a_game_is_told_in_words(client: Any, phone: Phone) -> None:
    """The API opens sheets without a game; the pages of the site have nothing to show of them yet."""
    made = client.post("/api/v1/sheets", json={"seats": ["Aki", "Beth"]}).json
    phone.get("/en/join")
    phone.press("Open the sheet", code=made["secrets"]["score"])
    assert phone.status == 404
    assert "no game on this sheet yet" in phone.page.text
    for place in ("", "/log", "/games", "/settings", "/share", "/text"):
        phone.get(f"/en/sheets/{made['id']}{place}")
        assert phone.status == 404
    for place in ("", "/wall", "/log"):
        assert "no game on this sheet yet" in phone.get(f"/en/watch/{made['secrets']['watch']}{place}").text
    headers = {"Authorization": f"Bearer {made['secrets']['score']}", "If-Match": '"1"', "Idempotency-Key": "first"}
    answer = client.post(f"{made['url']}/events", json={"type": "start_game", "game": "casino"}, headers=headers)
    assert answer.status_code == 201
    assert "Casino" in phone.get(f"/en/sheets/{made['id']}").text


@pytest.mark.parametrize("lang", ["en", "ja"])
def test_device_whose_link_was_revoked_is_told_so(both: tuple[Phone, Phone], lang: str) -> None:
    phone, other = both
    _revoke_last(phone)
    sheet = other.sheet.replace("/en/", f"/{lang}/")
    words = {"en": "This device can no longer change this sheet", "ja": "もうこのシートに記録できません"}[lang]
    for place in ("", "/log", "/games", "/deals/1", "/settings", "/export.json"):
        page = other.get(sheet + place)
        assert other.status == 404
        assert words in page.text
        assert "Aki" not in page.text
    assert re.search(rf'href="/{lang}/join"', page.html)


def test_tap_after_the_link_was_revoked_is_told_so(both: tuple[Phone, Phone]) -> None:
    phone, other = both
    before = phone.client.get(f"{phone.sheet}/version").text
    _revoke_last(phone)
    other.press(6)
    assert other.status == 404
    other.get(other.sheet)
    assert "can no longer change" in other.page.text
    assert phone.client.get(f"{phone.sheet}/version").text == before
    other.press("Remove this sheet from this device")
    assert other.status == 200
    assert "can no longer change" not in other.get(other.sheet).text
    assert other.status == 404


def test_unknown_sheet_says_the_same_to_everybody(opened: Phone, other: Phone) -> None:
    other.open()
    foreign = other.client.get(opened.sheet)
    unknown = other.client.get("/en/sheets/nothing-here")
    assert (foreign.status_code, unknown.status_code) == (404, 404)
    assert _body(foreign.text) == _body(unknown.text)
    assert "can no longer change" not in foreign.text
    assert "An address alone opens no sheet" in foreign.text
    assert 'href="/en/join"' in foreign.text


@pytest.mark.parametrize("place", ["", "/wall", "/log"])
def test_revoked_watch_link_reads_like_one_that_never_was(opened: Phone, other: Phone, place: str) -> None:
    opened.get(f"{opened.sheet}/share")
    opened.press("Make a watch link", label="the wall")
    secret = re.search(r"/watch/([\w-]+)", opened.page.html)[1]
    assert other.client.get(f"/en/watch/{secret}{place}").status_code == 200
    _revoke_last(opened)
    revoked, unknown = (other.client.get(f"/en/watch/{each}{place}") for each in (secret, "x" * len(secret)))
    assert (revoked.status_code, unknown.status_code) == (404, 404)
    assert _body(revoked.text) == _body(unknown.text)
    assert "This link does not open a sheet" in revoked.text
    assert revoked.headers["Cache-Control"] == "no-store"


def _revoke_last(phone: Phone) -> None:
    phone.get(f"{phone.sheet}/share")
    link = re.findall(r"/share/([\w-]+)/revoke", phone.page.html)[-1]
    phone.post(f"{phone.sheet}/share/{link}/revoke")


def _body(html: str) -> str:
    """The page without the address of the other language, which repeats what was asked for."""
    return re.sub(r'href="/(?:ja|en)/[^"]*"', "", html)

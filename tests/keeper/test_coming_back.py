"""Back on the line after others wrote: both histories, each choice with its totals, and nothing dropped silently."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.keeper.conftest import NewPhone, share
from tests.keeper.driving import BOUNCE, Keeper, foretold
from tests.keeper.phone import Phone
from tests.keeper.test_slow_line import tap

CALLS = [{"question": f"seat:{seat}", "value": value, "label": name, "shown": value}
         for seat, name, value in (("B", "Beth", "3"), ("C", "Chika", "4"))]  # fmt: skip
COUNT = [{"question": "t0", "value": "7", "label": "Tricks", "shown": "7"}]
DEAL = {"type": "record_deal", "facts": {"A+C": {"bid": 8, "tricks": 9}, "B+D": {"bid": 4, "tricks": 4}}}


def tag(phone: Phone) -> str:
    """The tag of the sheet as it is now."""
    return str(phone.client.get(f"{phone.sheet}/version").text)


def bring(phone: Phone, base: str, mine: list[Any], **more: str) -> None:
    """Send what was entered since a version."""
    phone.get(phone.sheet)
    phone.post(f"{phone.sheet}/back", base=base, mine=json.dumps(mine), key="back-1", **more)


def said(phone: Phone) -> list[str]:
    """The answers so far of the open deal."""
    return re.findall(r'class="seats said.*?</ul>', phone.get(phone.sheet).html, re.DOTALL)


@pytest.fixture
def moved(phone: Phone, other: Phone) -> tuple[Phone, Phone, str]:
    """Two phones of one sheet; the second recorded a deal after the version that the first one knows."""
    phone.open()
    share(phone, other)
    base = tag(phone)
    other.get(other.sheet)
    other.deal(3, 4, 5, 6, 6)
    return phone, other, base


@pytest.mark.parametrize("lang", ["en", "ja"])
def test_both_histories_are_shown_with_the_totals_of_each_choice(moved: tuple[Phone, Phone, str], lang: str) -> None:
    phone, _, base = moved
    phone.sheet = phone.sheet.replace("/en/", f"/{lang}/")
    bring(phone, base, [{"command": DEAL, "label": "deal", "shown": ""}, *COUNT])
    assert phone.status == 409
    html = phone.page.html
    theirs, ours = html.split('id="theirs"')[1].split('id="ours"')
    deal = {"en": "Deal 1 was entered", "ja": "第1ディール"}[lang]
    assert deal in theirs
    assert deal in ours.split("</section>")[0]
    assert "Tricks 7" in ours
    totals = re.findall(r'class="would">(.*?)</ul>', html)
    totals = [re.findall(r"<b>(-?\d+)</b>", each) for each in totals]
    assert totals == [["141", "92"], ["60", "52"], ["81", "40"]], "mine after theirs, theirs, mine alone"


def test_mine_after_theirs_is_entered_once_and_counts_are_filled_in(moved: tuple[Phone, Phone, str]) -> None:
    phone, other, base = moved
    mine = [{"command": DEAL, "label": "deal", "shown": ""}, *COUNT]
    bring(phone, base, mine)
    shown = dict(next(form.fields for form in phone.page.forms if any(b.value == "mine" for b in form.buttons)))
    for _ in range(2):  # the answer was lost, and it is sent again
        phone.post(f"{phone.sheet}/back", **{**shown, "choice": "mine"})
        assert phone.status == 200
    assert other.get(other.sheet).html.count('class="deal-link"') == 2
    assert other.totals == ["141", "92"]


def test_what_cannot_be_entered_is_said_before_and_after(phone: Phone, other: Phone) -> None:
    """A call is never entered a second time for a player, and never for another one."""
    phone.open()
    share(phone, other)
    base = tag(phone)
    other.get(other.sheet)
    other.press(6)
    bring(phone, base, CALLS)
    assert phone.page.text.count("Cannot be entered: Beth 3. The sheet no longer asks for it.") == 1
    shown = dict(next(form.fields for form in phone.page.forms if any(b.value == "mine" for b in form.buttons)))
    phone.post(f"{phone.sheet}/back", **{**shown, "choice": "mine"})
    assert "Not entered: Beth 3 (" in phone.page.text
    assert [re.findall(r"<b[^>]*>(\w+)</b>", part) for part in said(other)] == [["6", "4"]], (
        "Chika’s call still counted"
    )


def test_somebody_who_writes_while_one_chooses_is_shown_too(moved: tuple[Phone, Phone, str]) -> None:
    phone, other, base = moved
    bring(phone, base, [{"command": DEAL, "label": "deal", "shown": ""}])
    shown = dict(next(form.fields for form in phone.page.forms if any(b.value == "mine" for b in form.buttons)))
    other.press(5)
    before = tag(phone)
    phone.post(f"{phone.sheet}/back", **{**shown, "choice": "mine"})
    assert phone.status == 409
    assert tag(phone) == before


def test_mine_as_a_copy_leaves_the_sheet_alone_and_is_made_once(moved: tuple[Phone, Phone, str]) -> None:
    phone, other, base = moved
    before = tag(phone)
    for _ in range(2):
        bring(phone, base, [{"command": DEAL, "label": "deal", "shown": ""}, *COUNT], choice="copy")
        assert phone.status == 200
        copy = phone.url
        assert copy != phone.sheet
        assert phone.totals == ["81", "40"]
        assert "(copy)" in phone.page.text
    assert tag(phone) == before
    assert len(re.findall(r'<li><a href="/en/sheets/', phone.get("/en/sheets").html)) == 2
    assert other.client.get(copy).status_code == 404
    assert phone.get(f"{copy}/log").text.count("Deal 1 was entered") == 1


@pytest.mark.parametrize(
    "sent",
    [
        {"base": "1-000000000000"}, {"base": "99-aaaaaaaaaaaa"}, {"base": ""}, {"base": "x"}, {"mine": "{"},
        {"mine": "7"}, {"mine": "[7]"}, {"mine": '[{"command": 3}]'}, {"mine": '[{"command": {"type": "nothing"}}]'},
        {"mine": "[" * 60_000}, {"mine": '[{"question": "t0", "question": "t1"}]'}, {"mine": '[{"value": 7}]'},
        *({"mine": json.dumps([{"command": DEAL, "at": at}])} for at in (
            "0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-14:00", "2026-11-23T10:00:00", "2026-11-23", 7,
        )),
    ],
)  # fmt: skip
def test_what_cannot_be_read_writes_nothing(moved: tuple[Phone, Phone, str], sent: dict[str, str]) -> None:
    phone, _, base = moved
    before = tag(phone)
    phone.get(phone.sheet)
    phone.post(f"{phone.sheet}/back", **{"base": base, "mine": "[]", "choice": "mine", "v": before, **sent})
    assert phone.status == 422
    assert tag(phone) == before


def test_nobody_else_brings_anything(moved: tuple[Phone, Phone, str], app: Any) -> None:
    phone, _, base = moved
    stranger = Phone(app.test_client())
    stranger.open()
    stranger.sheet = phone.sheet
    stranger.get("/en/devices")
    stranger.post(f"{phone.sheet}/back", base=base, mine="[]", choice="copy")
    assert stranger.status == 404


CHOICES = ("Enter mine after theirs", "Keep theirs only", "Keep mine as a new sheet")


@pytest.mark.browser
def test_two_phones_without_a_line_come_back(new_phone: NewPhone, thorough: bool) -> None:
    """Each choice in a long run, else the one that needs most of the others."""
    for choice in CHOICES if thorough else CHOICES[-1:]:
        _come_back(new_phone, choice)


def _come_back(new_phone: NewPhone, choice: str) -> None:
    first, second = Keeper(new_phone(bad_line=True), "en"), Keeper(new_phone(bad_line=True), "en")
    first.open()
    with first.arrived():
        first.page.goto(f"{first.sheet}/share")
    first.page.get_by_role("button", name="Make a score link").click()
    expect(first.page.get_by_text("/join#").first).to_be_visible()
    link = first.page.content().partition("/join#")[2].partition('"')[0]
    second.page.goto(f"/en/join#{link}")
    second.page.wait_for_url(first.sheet)
    for keeper in (first, second):
        with foretold(keeper.page):
            keeper.page.goto(first.sheet)
        keeper.page.context.set_offline(True)
    for keeper, calls in ((first, (3, 4, 5)), (second, (6, 1))):
        for number, call in enumerate(calls, 1):
            keeper.page.wait_for_timeout(1000 * BOUNCE)
            tap(keeper, call)
            expect(keeper.page.locator(".said .unsent")).to_have_count(number)
    first.page.context.set_offline(False)
    expect(first.page.locator(".said .unsent, .line p")).to_have_count(0)
    second.page.context.set_offline(False)
    page = second.page
    expect(page.locator(".line")).to_contain_text(re.compile(r"Not saved: Beth\s6, Chika\s1"))
    page.get_by_role("button", name="Compare and choose").click()
    expect(page.locator("#theirs + ol li")).to_have_count(3)
    expect(page.locator("#ours + ol li")).to_have_count(2)
    page.get_by_role("button", name=choice).click()
    there = ["6", "1"] if "new sheet" in choice else ["3", "4", "5"]
    expect(page.locator(".said b")).to_have_text(there)
    page.reload()
    expect(page.locator(".said b")).to_have_text(there)
    page.goto(first.sheet)
    expect(page.locator(".said b")).to_have_text(["3", "4", "5"])
    expect(page.locator(".line p")).to_have_count(0)

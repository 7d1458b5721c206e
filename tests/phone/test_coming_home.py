"""Sheets that a phone continued without a line go on at the site: all of it once, and nothing dropped silently."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from flask import Flask

from companion.data import LANGUAGES
from companion.web.keeper import offline as coming_back
from companion.web.sheet_service import sheet_service
from tests.keeper.conftest import share
from tests.keeper.evenings import EVENINGS, Evening
from tests.keeper.phone import Phone

JSON = {"Content-Type": "application/json"}


@pytest.fixture
def phone(offering: Flask) -> Phone:
    """The phone on the line."""
    return Phone(offering.test_client())


@pytest.fixture
def other(offering: Flask) -> Phone:
    """Another phone."""
    return Phone(offering.test_client())


def name(phone: Phone) -> str:
    """The id of its sheet."""
    return name_of(phone.sheet)


def name_of(place: str) -> str:
    """The id at the end of an address."""
    return place.rpartition("/")[2]


def take_along(phone: Phone, away: Phone) -> None:
    """The phone loses its line, having a copy of its sheet."""
    copy = phone.client.get(f"/en/phone/sheets/{name(phone)}").json
    away.client.device.adopt(name(phone), json.dumps(copy["file"]), copy["label"])
    away.sheet = phone.sheet
    away.get(away.sheet)


def come_home(away: Phone, phone: Phone, *, known: bool = True, **more: object) -> Any:
    """Send what was entered without a line, as the worker does; return the last answer."""
    sent = json.loads(away.client.device.outgoing(name(away), "en")) | more
    body = {**sent, "sheet": name(away)} if known else sent
    while True:
        answer = phone.client.post("/en/phone/sheets", json=body, headers={"Idempotency-Key": name(away)})
        if answer.status_code != 200 or not answer.json["left"]:
            return answer


def log(offering: Flask, sheet: str) -> list[tuple[str, str, str]]:
    """What is written on a sheet of the site."""
    with offering.app_context():
        return [(each.kind, each.body, each.at) for each in sheet_service().store.read(sheet)]


def written(away: Phone) -> list[tuple[str, str, str]]:
    """What is written on the sheet of a phone."""
    return [(each.kind, each.body, each.at) for each in away.client.device.store.read(name(away))]


def play(phone: Phone) -> None:
    """Two deals, the second taken back and brought back."""
    phone.deal(3, 4, 5, 6, 6)
    phone.deal(2, 2, 2, 2, 6)
    phone.press("Undo")
    phone.press("Redo")


def test_a_sheet_on_which_nothing_was_entered_goes_up_too(away: Phone, phone: Phone, offering: Flask) -> None:
    away.open()
    answer = come_home(away, phone, known=False)
    assert answer.status_code == 200
    assert log(offering, answer.json["sheet"]) == written(away)


def test_a_sheet_goes_on_although_the_answer_to_it_was_lost(away: Phone, phone: Phone, offering: Flask) -> None:
    away.open()
    play(away)
    lost = come_home(away, phone, known=False)
    away.deal(5, 5, 5, 5, 7)
    again = come_home(away, phone, known=False)
    assert (lost.status_code, again.status_code) == (200, 200)
    assert again.json["sheet"] == lost.json["sheet"]
    assert log(offering, again.json["sheet"]) == written(away)
    assert phone.get(f"/en/sheets/{again.json['sheet']}").html.count('class="deal-link"') == 3


def test_a_sheet_of_the_site_is_continued_and_comes_back(phone: Phone, away: Phone, offering: Flask) -> None:
    phone.open()
    phone.deal(3, 4, 5, 6, 6)
    take_along(phone, away)
    assert away.totals == ["60", "52"]
    play(away)
    for _ in range(2):  # the answer was lost, and it is sent again
        assert come_home(away, phone).json == {"sheet": name(phone), "left": 0}
    assert log(offering, name(phone)) == written(away)


def test_a_copy_is_renewed_by_what_was_written_since(phone: Phone) -> None:
    phone.open()
    place = f"/en/phone/sheets/{name(phone)}"
    before = phone.client.get(place).json
    phone.press(3)
    after = len(before["file"]["events"])
    more = phone.client.get(f"{place}?after={after}").json
    assert more["previous"] == before["file"]["events"][-1]["hash"]
    whole = phone.client.get(place).json
    assert before["file"]["events"] + more["file"]["events"] == whole["file"]["events"]


def test_a_tap_whose_answer_was_lost_is_not_entered_again(phone: Phone, away: Phone, offering: Flask) -> None:
    """The site has it under the key of its form, which was then answered by the phone."""
    phone.open()
    take_along(phone, away)
    form, button = phone.find(3)
    fields = dict(form.fields) | {button.name: button.value}
    phone.client.post(form.action, data=fields)
    own = dict(away.find(3)[0].fields)
    away.client.post(form.action, data={**fields, "csrf_token": own["csrf_token"]}, follow_redirects=True)
    away.get(away.sheet)
    away.press(4)
    assert come_home(away, phone).status_code == 200
    assert [body for _, body, _ in log(offering, name(phone))] == [body for _, body, _ in written(away)]


def test_many_entries_go_in_several_requests(
    phone: Phone, away: Phone, offering: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(coming_back, "AT_ONCE", 3)
    away.open()
    play(away)
    sheet = come_home(away, phone, known=False).json["sheet"]
    assert log(offering, sheet) == written(away)


def choose(phone: Phone, page: str, choice: str) -> None:
    """Choose on the page with both histories."""
    phone.page = type(phone.page)(page)
    if choice == "only":
        phone.get(phone.sheet)
        return
    shown = dict(next(form.fields for form in phone.page.forms if any(b.value == choice for b in form.buttons)))
    phone.post(f"{phone.sheet}/back", **{**shown, "choice": choice})


@pytest.fixture
def apart(phone: Phone, away: Phone) -> tuple[Phone, Phone]:
    """A sheet that was continued at the site, and on a phone, where its new deal was corrected."""
    phone.open()
    phone.deal(3, 4, 5, 6, 6)
    take_along(phone, away)
    phone.deal(2, 2, 2, 2, 6)
    away.deal(5, 5, 5, 5, 7)
    away.get(f"{away.sheet}/deals/2/correct?t0=6")
    away.press("Save the correction")
    return phone, away


def test_others_who_wrote_are_shown_beside_it(apart: tuple[Phone, Phone], offering: Flask) -> None:
    phone, away = apart
    before = log(offering, name(phone))
    answer = come_home(away, phone)
    assert answer.status_code == 409
    assert answer.headers["Content-Location"].endswith(f"{phone.sheet}/back")
    theirs, ours = answer.text.split('id="theirs"')[1].split('id="ours"')
    assert "Deal 2 was entered" in theirs
    assert "Deal 2 was corrected" in ours
    assert json.dumps([name(away)]).replace('"', "&#34;") in answer.text
    assert log(offering, name(phone)) == before


def test_mine_after_theirs_corrects_the_own_deal_and_only_what_is_new_is_asked_for(apart: tuple[Phone, Phone]) -> None:
    phone, away = apart
    page = come_home(away, phone).text
    choose(phone, page, "mine")
    assert come_home(away, phone).json == {"sheet": name(phone), "left": 0}, "the answer to the choice was lost"
    html = phone.get(phone.sheet).html
    assert html.count('class="deal-link"') == 3
    assert "Deal 3 was corrected" in phone.get(f"{phone.sheet}/log").text
    away.deal(1, 2, 3, 4, 6)  # another dealer's than that at the site, where there is a deal more
    again = come_home(away, phone)
    assert again.status_code == 409
    assert "Deal 3 was entered" in again.text
    assert "Deal 2 was" not in again.text.split('id="ours"')[1]


def test_mine_as_a_copy_has_what_the_phone_had(apart: tuple[Phone, Phone], offering: Flask) -> None:
    phone, away = apart
    before = log(offering, name(phone))
    choose(phone, come_home(away, phone).text, "copy")
    assert log(offering, name(phone)) == before
    copy = log(offering, phone.url.rpartition("/")[2])
    assert copy[:-1] == written(away)
    assert copy[-1][0] == "sheet_titled"


def promised(page: str) -> dict[str, list[str]]:
    """The totals that the page with both histories says of each choice."""
    totals = [re.findall(r"<b>([^<]*)</b>", each) for each in re.findall(r'class="would">(.*?)</ul>', page)]
    return dict(zip(CHOICES, totals, strict=True))


def kept(phone: Phone, sheet: str) -> list[str]:
    """The totals of a sheet."""
    phone.get(sheet)
    return [total.replace("−", "-") for total in phone.totals]


CHOICES = ("mine", "only", "copy")
COMBINED = [(evening, CHOICES[(turn + place) % 3]) for place, evening in enumerate(EVENINGS) for turn in range(3)]
APART = [
    (*both, LANGUAGES[(place + turn) % len(LANGUAGES)])
    for place, both in enumerate(COMBINED)
    for turn in range(len(LANGUAGES))
]
"""Every game, choice and language: each second one has all pairs of these, each sixth one every game and choice."""
in_each_way = pytest.mark.parametrize(
    ("evening", "choice", "lang"), APART, ids=[f"{evening.game}-{choice}-{lang}" for evening, choice, lang in APART]
)


@pytest.mark.by_turns(2)
@in_each_way
def test_two_phones_keep_an_evening_apart_and_each_choice_ends_as_promised(
    offering: Flask, away: Phone, second: Phone, evening: Evening, choice: str, lang: str
) -> None:
    """The first one at home brings one deal, the other one a correction and all deals to the end."""
    phone, other = Phone(offering.test_client(), lang), Phone(offering.test_client(), lang)
    away.lang = second.lang = lang
    phone.open(*evening.names, game=evening.game, rules=evening.rules)
    phone.play(evening.begun[:1])
    sheet, phone.sheet = phone.sheet, phone.sheet.replace(f"/{lang}/", "/en/")
    share(phone, other)
    phone.sheet = other.sheet = sheet
    take_along(phone, away)
    take_along(other, second)
    away.play(evening.begun[1:])
    away.correct(evening)
    assert tuple(away.totals) == evening.corrected
    away.play(evening.rest)
    second.play(evening.begun[1:])
    assert tuple(second.totals) == evening.totals
    assert come_home(second, other).status_code == 200
    answer = come_home(away, phone)
    assert answer.status_code == 409
    would = promised(answer.text)
    assert (would["only"], would["copy"]) == (list(evening.totals), list(evening.final))
    choose(phone, answer.text, choice)
    assert kept(phone, phone.url) == would[choice]
    assert kept(other, sheet) == would["mine" if choice == "mine" else "only"]
    if choice == "copy":
        phone.get("/en/sheets")
        copy = log(offering, re.search(r'class="doors">\s*<li><a href="/en/sheets/([^"]+)"', phone.page.html)[1])
        assert copy[:-1] == written(away)


def test_two_phones_without_a_line_at_once(phone: Phone, away: Phone, other: Phone, second: Phone) -> None:
    phone.open()
    share(phone, other)
    take_along(phone, away)
    other.sheet = phone.sheet
    take_along(other, second)
    away.deal(3, 4, 5, 6, 6)
    second.deal(2, 2, 2, 2, 6)
    assert come_home(away, phone).status_code == 200
    answer = come_home(second, other)
    assert answer.status_code == 409
    would = promised(answer.text)
    assert would["only"] == ["60", "52"]
    choose(other, answer.text, "mine")
    assert phone.get(phone.sheet).html.count('class="deal-link"') == 2
    assert phone.totals == would["mine"]


@pytest.fixture
def group(phone: Phone) -> str:
    """The page of a group of four that the phone keeps."""
    phone.get("/en/groups")
    phone.press("Make the group", title="Tuesday", names="Aki\nBeth\nChika\nDan")
    return phone.url


def test_a_sheet_of_a_group_goes_on_and_counts_there(phone: Phone, away: Phone, group: str) -> None:
    phone.get(f"/en/sheets/new/spades?group={name_of(group)}&player=m1&player=m2&player=m3&player=m4")
    phone.press("Start")
    phone.sheet = phone.url
    take_along(phone, away)
    assert phone.get(group).html.count(name(phone)) == 1
    away.deal(3, 4, 5, 6, 6)
    assert come_home(away, phone).status_code == 200
    assert all(f"<strong>{total}</strong>" in phone.get(group).html for total in away.totals)


def test_a_sheet_that_was_opened_for_a_group_belongs_to_it_once(phone: Phone, away: Phone, group: str) -> None:
    away.open()
    away.deal(3, 4, 5, 6, 6)
    for _ in range(2):  # the answer was lost, and it is sent again
        answer = come_home(away, phone, known=False, group={"group": name_of(group)})
    assert phone.get(group).html.count(answer.json["sheet"]) == 1
    assert re.findall(r"<strong>(\d+)</strong>", phone.page.html) == ["60", "52"]


@pytest.mark.parametrize("asked", [{"group": "none"}, {"group": 1}, ["none"], "none", {}])
def test_a_group_that_this_phone_does_not_keep_gets_no_sheet(
    phone: Phone, other: Phone, away: Phone, group: str, asked: object
) -> None:
    away.open()
    mine = {"group": name_of(group)} if asked == {} else asked
    assert come_home(away, other, known=False, group=mine).status_code == 200
    assert "<strong>" not in phone.get(group).html


def test_a_sheet_that_is_gone_comes_back_as_one_of_its_own(phone: Phone, away: Phone, offering: Flask) -> None:
    phone.open()
    take_along(phone, away)
    away.deal(3, 4, 5, 6, 6)
    with offering.app_context():
        sheet_service().erase(name(phone))
    assert come_home(away, phone).status_code == 404
    sheet = come_home(away, phone, known=False).json["sheet"]
    assert log(offering, sheet) == written(away)


def test_another_history_is_not_continued(phone: Phone, away: Phone) -> None:
    phone.open()
    take_along(phone, away)
    away.press(3)
    sent = json.loads(away.client.device.outgoing(name(away), "en")) | {"sheet": name(away), "base": "2-000000000000"}
    answer = phone.client.post("/en/phone/sheets", json=sent, headers={"Idempotency-Key": name(away)})
    assert answer.status_code == 410


def test_nobody_else_has_a_copy_or_sends_anything(phone: Phone, away: Phone, other: Phone) -> None:
    phone.open()
    take_along(phone, away)
    away.press(3)
    assert other.client.get(f"/en/phone/sheets/{name(phone)}").status_code == 404
    assert come_home(away, other).status_code == 404

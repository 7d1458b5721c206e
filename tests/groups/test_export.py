"""A group taken elsewhere says what its pages say, and its table is safe in a spreadsheet; the page of a club night."""

from __future__ import annotations

import csv
import io
import re

import pytest

from companion.web import assets
from tests.groups.test_pages import new_sheet, secret_of
from tests.keeper.phone import Phone


def test_both_files_have_every_deal_and_the_same_for_watchers(phone: Phone, other: Phone) -> None:
    group = phone.url
    new_sheet(phone, "m1", "m2", "m3", "m4")
    phone.deal(3, 4, 5, 6, 6)
    phone.deal(5, 5, 6, 5, 7)
    watch = f"/en/groups/watch/{secret_of(phone, group, 'Make a watch link')}"
    ours, theirs = phone.client.get(f"{group}/export.json"), other.client.get(f"{watch}/export.json")
    assert ours.json == theirs.json
    assert [member["name"] for member in ours.json["members"]] == ["Aki", "Beth", "Chika", "Dan"]
    deals = ours.json["games"][0]["deals"]
    assert (len(deals), ours.json["games"][0]["sides"]) == (2, [["m1", "m3"], ["m2", "m4"]])
    points = {each["player"]: each["games"]["spades"]["points"] for each in ours.json["statistics"]}
    assert points["m1"] == {"count": sum(deal["points"][0] for deal in deals), "of": 2}
    text = other.client.get(f"{watch}/export.csv").data.decode("utf-8-sig")
    rows = list(csv.DictReader(io.StringIO(text)))
    assert len(rows) == 8
    assert sum(int(row["points"]) for row in rows if row["player"] == "m1") == points["m1"]["count"]
    assert {row["result"] for row in rows} == {""}


def test_names_are_no_formulas_in_the_table(other: Phone) -> None:
    other.get("/en/groups")
    other.post("/en/groups", title="T", names="=1+1\n@SUM\n-2\n+3")
    group = other.url
    new_sheet(other, "m1", "m2", "m3", "m4")
    other.deal(3, 4, 5, 6, 6)
    rows = list(csv.DictReader(io.StringIO(other.client.get(f"{group}/export.csv").data.decode("utf-8-sig"))))
    assert {row["name"][0] for row in rows} == {"'"}


def test_another_program_sends_every_page_anew(phone: Phone, other: Phone, monkeypatch: pytest.MonkeyPatch) -> None:
    """A page names the style sheets and scripts of its program, which another one does not serve."""
    group = phone.url
    new_sheet(phone, "m1", "m2", "m3", "m4")
    phone.get(f"{phone.sheet}/share")
    phone.post(f"{phone.sheet}/share", scope="watch")
    sheet = re.search(r"/en/watch/[\w-]+", phone.page.html)[0]
    night = f"/en/groups/watch/{secret_of(phone, group, 'Make a watch link')}/night"
    for page in (sheet, f"{sheet}/log", f"{sheet}/wall", night):
        tag = {"If-None-Match": other.client.get(page).headers["ETag"]}
        assert other.client.get(page, headers=tag).status_code == 304, page
        with monkeypatch.context() as patched:
            patched.setattr(assets, "program_tag", lambda: "another")
            assert other.client.get(page, headers=tag).status_code == 200, page


def test_all_tables_of_a_night_are_on_one_page_and_unchanged_is_304(phone: Phone, other: Phone) -> None:
    group = phone.url
    for _ in range(2):
        phone.get(group)
        new_sheet(phone, "m1", "m2", "m3", "m4")
        phone.deal(3, 4, 5, 6, 6)
    watch = f"/en/groups/watch/{secret_of(phone, group, 'Make a watch link')}/night"
    page = other.client.get(watch)
    assert page.text.count("<span>Aki</span> &amp; <span>Chika</span>") == 2
    again = other.client.get(watch, headers={"If-None-Match": page.headers["ETag"]})
    assert again.status_code == 304
    phone.get(phone.sheet)
    phone.deal(5, 5, 6, 5, 7)
    after = other.client.get(watch, headers={"If-None-Match": page.headers["ETag"]})
    assert after.status_code == 200
    versions = {re.search(r'data-version="([^"]+)"', each.text)[1] for each in (page, after)}
    assert len(versions) == 2

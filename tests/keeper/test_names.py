"""Names and titles as people write them: shown whole, never run, changed later; and sheets that cannot be opened."""

from __future__ import annotations

import re

from tests.keeper.phone import Phone

NASTY = ["<script>alert(1)</script>", 'O\'Brien "Ace" & Co', "👩‍👩‍👧‍👦🃏", "אבי כהן"]


def test_names_are_shown_as_they_were_written_and_never_run(phone: Phone) -> None:
    phone.open(*NASTY)
    for call in (3, 4, 5, 6):
        phone.press(call)
    phone.press(6)
    phone.press("Save the deal")
    pages = [
        "",
        "/settings",
        "/share",
        "/games",
        "/deals/1",
        "/deals/1/correct",
        "/deals/1/correct?t0=7",
        "/what-if?preset=plain",
    ]
    for place in pages:
        page = phone.get(phone.sheet + place)
        assert "<script>alert" not in page.html
        if place != "/share":
            assert all(name in page.text for name in NASTY if place != "/settings"), place
    phone.get(f"/en/watch/{_watch_secret(phone)}")
    assert "<script>alert" not in phone.page.html
    assert NASTY[3] in phone.page.text


def test_marks_that_turn_the_writing_are_taken_out_of_names(phone: Phone) -> None:
    phone.open("Aki\u202egnp", "Beth", "Chika", "Dan")
    assert "\u202e" not in phone.page.html
    assert "Akignp & Chika" in phone.page.text


def test_opening_refuses_in_words_and_keeps_what_was_written(phone: Phone) -> None:
    phone.get("/en/sheets/new/spades")
    phone.press("Start", name0="Only", name1="", name2="", name3="", **{"o.target": "77777", "title": "Friday"})
    assert phone.status == 422
    assert 'role="alert"' in phone.page.html
    assert 'value="Only"' in phone.page.html
    assert 'value="Friday"' in phone.page.html


def test_first_dealer_is_who_was_named(phone: Phone) -> None:
    phone.get("/en/sheets/new/spades")
    phone.press("Start", dealer="2")
    assert "Deal 1 · South deals" in phone.page.text


def test_names_and_title_change_on_the_page_of_the_settings(opened: Phone) -> None:
    opened.get(f"{opened.sheet}/settings")
    opened.press("Save", **{"name.A": "Akiko", "title": "Friday"})
    assert "Names and title saved." in opened.page.text
    assert "<h1>Friday</h1>" in opened.page.html
    assert opened.url.endswith("/settings")
    opened.get(opened.sheet)
    assert "Akiko & Chika" in opened.page.text


def _watch_secret(phone: Phone) -> str:
    phone.get(f"{phone.sheet}/share")
    phone.press("Make a watch link")
    return str(re.search(r"/watch/([\w-]+)", phone.page.html)[1])

"""What a keeper can write down beside plain deals, and what the screen says about it; all without scripts."""

from __future__ import annotations

import json

import pytest

from tests.keeper.phone import Phone


def test_what_was_saved_can_be_undone_and_redone_in_one_place(opened: Phone) -> None:
    assert (
        "Deal 2 saved: +61, +51 Chika deals. Aki & Chika +61: 121, 1 bag. Beth & Dan +51: 103, 3 bags."
        in opened.page.text
    )
    assert opened.page.html.count("/do/undo") == 1
    opened.press("Undo")
    assert opened.totals == ["60", "52"]
    assert opened.has("Tricks of Aki & Chika 7") is False
    assert "Undone." in opened.page.text
    assert opened.page.html.count("/do/redo") == 1
    opened.press("Redo")
    assert opened.totals == ["121", "103"]


@pytest.mark.parametrize(("where", "dealer"), [("stays", "Chika deals"), ("moves", "Dan deals")])
def test_open_deal_made_void_lets_the_dealer_stay_or_move(opened: Phone, where: str, dealer: str) -> None:
    opened.get(f"{opened.sheet}/settings")
    opened.press("Void this deal", reason="exposed card", dealer=where)
    assert f"Deal 4 · {dealer}" in opened.page.text


def test_adjustment_is_a_line_with_its_reason(opened: Phone) -> None:
    opened.get(f"{opened.sheet}/deals/2")
    opened.press("Add or take off points", side="B+D", sign="minus", points="30", reason="revoke in trick 5")
    assert opened.totals == ["121", "73"]
    page = opened.get(f"{opened.sheet}/deals/2")
    assert "revoke in trick 5" in page.text
    assert "points adjusted (Beth & Dan −30)" in page.text


def test_dealer_is_skipped_named_and_taken_back(opened: Phone) -> None:
    opened.get(f"{opened.sheet}/settings")
    opened.press("Skip this dealer")
    assert "Deal 3 · Dan deals" in opened.page.text
    assert "Aki to bid" in opened.page.text
    opened.get(f"{opened.sheet}/settings")
    opened.press("Beth")
    assert "Deal 3 · Beth deals" in opened.page.text
    opened.press("Undo")
    opened.press("Undo")
    assert "Deal 3 · Chika deals" in opened.page.text


def test_everything_can_be_taken_out(opened: Phone) -> None:
    text = opened.client.get(f"{opened.sheet}/export.txt").text
    assert "2: 121 – 103 (+61, +51)" in text
    assert opened.client.get(f"{opened.sheet}/export.csv").text.count("\r\n") == 5
    assert len(json.loads(opened.client.get(f"{opened.sheet}/export.json").text)["events"]) == 12

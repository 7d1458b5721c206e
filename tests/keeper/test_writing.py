"""What a keeper can write down beside plain deals, and what the screen says about it; all without scripts."""

from __future__ import annotations

import json
import re

import pytest

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


def test_counts_that_do_not_add_up_name_the_sides_and_offer_the_fix(phone: Phone) -> None:
    phone.open()
    for call in (3, 4, 5, 6):
        phone.press(call)
    phone.press(6)
    phone.press("Tricks of Beth & Dan 7 computed")
    phone.press(6)
    assert "The tricks add up to 12" in phone.page.text
    assert "Aki & Chika 6, Beth & Dan 6" in phone.page.text
    assert not phone.has("Save the deal")
    phone.press("Beth & Dan: 7")
    phone.press("Save the deal")
    assert phone.totals == ["60", "52"]


def test_record_anyway_needs_a_reason_and_keeps_it(phone: Phone) -> None:
    phone.open()
    for call in (3, 4, 5, 6):
        phone.press(call)
    phone.press(6)
    phone.press("Tricks of Beth & Dan 7 computed")
    phone.press(6)
    phone.press("Record anyway", **{"accept-reason": "  "})
    assert phone.totals == ["0", "0"]
    phone.press("Record anyway", **{"accept-reason": "a card was lost"})
    assert phone.totals == ["60", "51"]
    assert "with a note" in phone.page.text
    phone.get(f"{phone.sheet}/deals/1")
    assert "a card was lost" in phone.page.text


def test_saved_message_offers_undo_and_undo_offers_redo(opened: Phone) -> None:
    assert "Deal 2 saved. Chika deals. Aki & Chika 121, 1 bag. Beth & Dan 103, 3 bags." in opened.page.text
    undo, entry = (opened.page.html.index(each) for each in ("/do/undo", 'id="entry"'))
    assert undo < entry
    opened.press("Undo")
    assert opened.totals == ["60", "52"]
    assert opened.has("Tricks of Aki & Chika 7") is False
    assert "Taken back." in opened.page.text
    opened.press("Redo")
    assert opened.totals == ["121", "103"]


def test_correction_shows_what_it_changes_first_and_leaves_a_trail(opened: Phone) -> None:
    opened.get(f"{opened.sheet}/deals/1/correct")
    assert not opened.has("Save the correction")
    opened.press("Tricks of Aki & Chika 6")
    opened.press(5)
    assert "Tricks of Beth & Dan 8 computed" in opened.page.text
    assert re.search(r"<s>60</s> → <b>−60</b>", opened.page.html)
    assert re.search(r"<s>121</s> → <b>1</b>", opened.page.html)
    assert "Contract set" in opened.page.text
    opened.press("Save the correction", reason="miscounted")
    assert opened.totals == ["1", "104"]
    assert "corrected" in opened.page.text
    page = opened.get(f"{opened.sheet}/deals/1")
    trail = page.text.partition("History")[2]
    for line in ("entered", "corrected", "miscounted", "Aki & Chika: bid 6, 6 tricks", "Aki & Chika: bid 6, 5 tricks"):
        assert line in trail
    assert "nil 0" not in trail


def test_nil_reads_as_words_in_the_history(phone: Phone) -> None:
    phone.lang = "ja"
    phone.open()
    phone.deal("ニル", 4, 3, 4, 8, 0)
    page = phone.get(f"{phone.sheet}/deals/1")
    assert "Beth: ニル、0トリック" in page.text
    assert "Beth & Dan: ビッド3、5トリック" in page.text


def test_every_kind_of_correction_can_be_tapped(opened: Phone) -> None:
    opened.get(f"{opened.sheet}/deals/2/correct")
    for label, answer in (("Bid of Aki & Chika 6", 4), ("Dan: nil no nil", "nil"), ("Bid of Beth & Dan 5", 3)):
        opened.press(label.replace("6", "5") if not opened.has(label) else label)
        opened.press(answer)
    assert "Tricks of Dan (nil)" in opened.page.text
    opened.press(0)
    opened.press("Save the correction")
    assert opened.totals == ["103", "185"]


def test_correction_that_ends_the_game_names_the_winner_beforehand(phone: Phone) -> None:
    phone.open(target="100")
    phone.deal(3, 4, 5, 6, 6)
    phone.get(f"{phone.sheet}/deals/1/correct?b0=13&t0=13")
    assert "The game then ends with Aki & Chika as winners." in phone.page.text
    phone.press("Save the correction")
    assert "Won by Aki & Chika" in phone.page.text


def test_deals_after_a_corrected_end_stay_marked(phone: Phone) -> None:
    phone.open(target="120")
    phone.deal(3, 4, 5, 6, 6)
    phone.deal(3, 4, 5, 6, 5)
    phone.get(f"{phone.sheet}/deals/1/correct?b0=12&t0=13")
    assert "now after the end" in phone.page.text
    phone.press("Save the correction")
    assert "after the end" in phone.page.text


def test_void_deal_counts_for_nothing_and_can_be_filled_in_again(opened: Phone) -> None:
    opened.get(f"{opened.sheet}/deals/1")
    opened.press("Void this deal", reason="misdeal")
    assert opened.totals == ["61", "51"]
    assert "void" in opened.page.text
    opened.get(f"{opened.sheet}/deals/1/correct")
    opened.press(6)
    assert "Aki & Chika needs a contract" in opened.page.text
    for label, answer in (("Bid of Aki & Chika none", 6), ("Bid of Beth & Dan none", 5)):
        opened.press(label)
        opened.press(answer)
    opened.press("Save the correction")
    assert opened.totals == ["121", "103"]


@pytest.mark.parametrize(("where", "dealer"), [("stays", "Chika deals"), ("moves", "Dan deals")])
def test_open_deal_made_void_lets_the_dealer_stay_or_move(opened: Phone, where: str, dealer: str) -> None:
    opened.get(f"{opened.sheet}/settings")
    opened.press("Void this deal", reason="exposed card", dealer=where)
    assert f"Deal 4 · {dealer}" in opened.page.text


def test_adjustment_is_a_line_with_its_reason(opened: Phone) -> None:
    opened.get(f"{opened.sheet}/deals/2")
    opened.press("Give or take points", side="B+D", sign="minus", points="30", reason="revoke in trick 5")
    assert opened.totals == ["121", "73"]
    page = opened.get(f"{opened.sheet}/deals/2")
    assert "revoke in trick 5" in page.text
    assert "points adjusted (Beth & Dan −30)" in page.text


def test_dealer_is_skipped_named_and_taken_back(opened: Phone) -> None:
    opened.get(f"{opened.sheet}/settings")
    opened.press("Skip this dealer")
    assert "Deal 3 · Dan deals" in opened.page.text
    assert "Aki bids" in opened.page.text
    opened.get(f"{opened.sheet}/settings")
    opened.press("Beth")
    assert "Deal 3 · Beth deals" in opened.page.text
    opened.press("Undo")
    opened.press("Undo")
    assert "Deal 3 · Chika deals" in opened.page.text


def test_names_and_title_change_on_the_page_of_the_settings(opened: Phone) -> None:
    opened.get(f"{opened.sheet}/settings")
    form = next(form for form in opened.page.forms if ("seat", "A") in form.fields)
    opened.post(form.action, **{**dict(form.fields), "name": "Akiko"})
    assert "Name changed." in opened.page.text
    assert opened.url.endswith("/settings")
    opened.get(opened.sheet)
    assert "Akiko & Chika" in opened.page.text


def test_rules_changed_from_a_deal_on_leave_the_deals_before(opened: Phone) -> None:
    opened.get(f"{opened.sheet}/rules")
    assert "Changes count from deal 3 on" in opened.page.text
    opened.press("Show what changes", **{"o.overtrick": "minus1", "o.sandbag": None, "note": "agreed"})
    opened.press("Play by these rules from deal 3 on")
    assert opened.totals == ["121", "103"]
    opened.deal(3, 3, 3, 3, 4)
    assert opened.totals == ["150", "127"]


def test_rules_that_cannot_be_are_told_on_their_page_and_nothing_is_lost(opened: Phone) -> None:
    opened.get(f"{opened.sheet}/rules")
    opened.press("Show what changes", **{"o.bag_threshold": "777", "o.target": "300"})
    assert opened.status == 422
    assert 'role="alert"' in opened.page.html
    assert 'name="o.target" value="300"' in opened.page.html
    assert opened.page.text.count("House rules") == 1


def test_other_side_confirms_and_a_correction_asks_again(opened: Phone) -> None:
    opened.get(f"{opened.sheet}/deals/1")
    opened.press("Aki & Chika: it is right")
    opened.get(f"{opened.sheet}/deals/1")
    opened.press("Beth & Dan: it is right")
    assert opened.page.text.count("confirmed") == 1 + 1  # the row and the message
    opened.get(f"{opened.sheet}/deals/1/correct?t0=7")
    opened.press("Save the correction")
    opened.get(f"{opened.sheet}/deals/1")
    assert opened.has("Aki & Chika: it is right")


def test_end_has_its_reason_then_rematch_with_the_dealer_moved_on(phone: Phone) -> None:
    phone.open(target="100")
    phone.deal(3, 4, 5, 6, 6)
    phone.deal(5, 5, 6, 5, 7)
    assert "Won by Aki & Chika" in phone.page.text
    assert "Reaching the target" in phone.page.text or "#target" in phone.page.html
    assert not phone.has("5")
    phone.press("Rematch")
    assert phone.totals == ["0", "0"]
    assert "Deal 1 · Chika deals" in phone.page.text
    page = phone.get(f"{phone.sheet}/games")
    assert "Game 1: Spades" in page.text
    assert "Won by Aki & Chika" in page.text
    rows = re.findall(
        r'<th scope="row">(\w+)</th><td class="number">(\d+)</td><td class="number">(\d+)</td>', page.html
    )
    assert rows == [("Aki", "1", "1"), ("Beth", "1", "0"), ("Chika", "1", "1"), ("Dan", "1", "0")]


def test_rematch_with_other_partners(phone: Phone) -> None:
    phone.open(target="50")
    phone.deal(3, 4, 5, 6, 6)
    phone.press("Rematch with other partners")
    assert "Aki & Beth" in phone.page.text
    assert "Chika & Dan" in phone.page.text


def test_end_can_be_undone(phone: Phone) -> None:
    phone.open(target="50")
    phone.deal(3, 4, 5, 6, 6)
    phone.press("Undo")
    assert phone.has("Tricks of Aki & Chika 6") or phone.has(6)


def test_records_count_nils(phone: Phone) -> None:
    phone.open(target="300")
    phone.deal("nil", 4, 5, 6, 6, 0)
    phone.deal("nil", 4, 5, 6, 6, 2)
    page = phone.get(f"{phone.sheet}/games")
    assert re.search(r"Beth</th>.*?<td class=\"number\">1/1</td>", page.html)
    assert re.search(r"Chika</th>.*?<td class=\"number\">0/1</td>", page.html)


def test_what_if_changes_nothing(opened: Phone) -> None:
    before = _version(opened)
    opened.get(f"{opened.sheet}/what-if?preset=plain")
    assert "Plain" in opened.page.text
    assert re.search(r'class="language" href="/ja/sheets/[\w-]+/what-if', opened.page.html)
    assert _version(opened) == before


def test_what_if_offers_only_rules_by_which_these_sides_could_play(opened: Phone) -> None:
    opened.get(f"{opened.sheet}/what-if")
    assert opened.has("Modern")
    assert not opened.has("Four players, each alone")
    opened.get(f"{opened.sheet}/what-if?preset=solo4")
    assert 'role="alert"' in opened.page.html
    assert "<td" not in opened.page.html


def test_everything_can_be_taken_out(opened: Phone) -> None:
    text = opened.client.get(f"{opened.sheet}/export.txt").text
    assert "2: 121 – 103 (+61, +51)" in text
    assert opened.client.get(f"{opened.sheet}/export.csv").text.count("\r\n") == 5
    assert len(json.loads(opened.client.get(f"{opened.sheet}/export.json").text)["events"]) == 12


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


def _version(phone: Phone) -> int:
    return int(phone.client.get(f"{phone.sheet}/version").text)


def _watch_secret(phone: Phone) -> str:
    phone.get(f"{phone.sheet}/share")
    phone.press("Link to watch")
    return str(re.search(r"/watch/([\w-]+)", phone.page.html)[1])

"""House rules of a sheet that is being kept: changed from a deal on, and what others would have given."""

from __future__ import annotations

import re

import pytest

from tests.keeper.phone import Phone


def test_rules_changed_from_a_deal_on_leave_the_deals_before(opened: Phone) -> None:
    opened.get(f"{opened.sheet}/rules")
    assert "Changes apply from deal 3 on" in opened.page.text
    opened.press("Show what changes", **{"o.overtrick": "minus1", "o.sandbag": None, "note": "agreed"})
    opened.press("Play by these rules from deal 3 on")
    assert opened.totals == ["121", "103"]
    opened.deal(3, 3, 3, 3, 4)
    assert opened.totals == ["150", "127"]


@pytest.mark.parametrize(("before", "after"), [
    ({"o.overtrick": "minus1", "o.sandbag": None}, {"o.overtrick": "plus1", "o.sandbag": "on"}),
    ({}, {"o.sets_lose": "3"}),
    ({}, {"o.sets_in_row_lose": "3"}),
])  # fmt: skip
def test_a_tally_that_begins_with_other_rules_is_shown_after_the_next_deal(
    phone: Phone, before: dict[str, str], after: dict[str, str]
) -> None:
    """Bags, sets, sets in a row: the deal before has none to compare with."""
    phone.open()
    for options in (before, after):
        if options:
            phone.get(f"{phone.sheet}/rules")
            phone.press("Show what changes", **options)
            phone.press(next(b.label for f in phone.page.forms for b in f.buttons if b.label.startswith("Play by")))
        phone.deal(2, 2, 3, 2, 8)
    assert phone.status == 200
    assert "Deal 3" in phone.page.text


def test_rules_that_end_a_game_name_the_winner_beforehand(opened: Phone) -> None:
    """They count from deal 1, after which the first side has the fewer points."""
    opened.get(f"{opened.sheet}/rules")
    opened.press("Show what changes", **{"o.target": "100", "deal": "1"})
    assert re.search(r"the game is over\. Won by [A-Z]", opened.page.text)
    opened.get(f"{opened.sheet}/rules")
    opened.press("Show what changes", **{"o.target": "5000", "deal": "1"})
    assert "the game is over" not in opened.page.text


def test_rules_that_cannot_be_are_told_on_their_page_and_nothing_is_lost(opened: Phone) -> None:
    opened.get(f"{opened.sheet}/rules")
    opened.press("Show what changes", **{"o.bag_threshold": "777", "o.target": "300"})
    assert opened.status == 422
    assert 'role="alert"' in opened.page.html
    assert 'name="o.target" value="300"' in opened.page.html
    assert opened.page.text.count("House rules") == 1


def test_calls_that_other_rules_do_not_have_can_be_cleared_where_that_is_said(phone: Phone) -> None:
    phone.open(bid_method="consultation")
    phone.press(4)
    phone.get(f"{phone.sheet}/rules")
    phone.press("Show what changes", **{"o.bid_method": "later_partner"})
    assert "does not agree with the calls recorded before" in phone.page.text
    phone.press("Clear the calls of this deal")
    assert "Deal 1" in phone.page.text
    phone.get(f"{phone.sheet}/rules")
    phone.press("Show what changes", **{"o.bid_method": "later_partner"})
    phone.press("Play by these rules from deal 1 on")
    assert phone.has(4)


def test_calls_of_a_deal_that_turns_out_to_have_none_ask_for_nothing(phone: Phone) -> None:
    phone.open()
    for call in (3, "nil", 4, 5):
        phone.press(call)
    phone.get(f"{phone.sheet}/rules")
    phone.press("Show what changes", **{"o.first_hand_bids_itself": "on"})
    phone.press("Play by these rules from deal 1 on")
    phone.deal(8)
    assert phone.totals == ["80", "50"]


def test_what_if_changes_nothing(opened: Phone) -> None:
    before = _version(opened)
    opened.get(f"{opened.sheet}/what-if?preset=plain")
    assert "Plain" in opened.page.text
    assert re.search(r'class="language" href="/ja/sheets/[\w-]+/what-if', opened.page.html)
    assert _version(opened) == before


def test_what_if_offers_only_rules_by_which_these_sides_could_play(opened: Phone) -> None:
    opened.get(f"{opened.sheet}/what-if")
    assert "<span>Modern</span>" in opened.page.html
    assert "<span>Four players, each alone</span>" not in opened.page.html
    opened.get(f"{opened.sheet}/what-if?preset=solo4")
    assert 'role="alert"' in opened.page.html
    assert "<td" not in opened.page.html


def test_what_if_says_the_totals_under_each_set(opened: Phone) -> None:
    opened.get(f"{opened.sheet}/what-if")
    found = re.findall(
        r'<a href="([^"]+what-if[?]rules=[^"]+)"[^>]*><span>.*?</span> <b[^>]*>(.*?)</b>', opened.page.html
    )
    rows = [(address, *re.findall(r">(\d+)<", totals)) for address, totals in found]
    assert len(rows) > 5
    totals = [row[1:] for row in rows]
    assert (
        totals
        == sorted(totals, key=lambda each: each == totals[0] and each is not totals[0])
        != [totals[0]] * len(rows)
    )
    for address, first, second in rows:
        opened.get(address)
        assert f"(Aki & Chika {first}, Beth & Dan {second})" in opened.page.text.rpartition("Under “")[2]


def test_what_if_compares_with_the_totals_of_the_sheet(opened: Phone) -> None:
    """Rules that hold only from a later deal on had been counted from the first."""
    opened.get(f"{opened.sheet}/rules/change?rules=classic~ot-minus10&deal=3")
    opened.press("Play by these rules from deal 3 on")
    opened.get(f"{opened.sheet}/what-if")
    assert re.search(
        r"<span>Classic</span> <b class=\"muted\"><span>121</span> · <span>103</span></b>", opened.page.html
    )


def _version(phone: Phone) -> str:
    return str(phone.client.get(f"{phone.sheet}/version").text)

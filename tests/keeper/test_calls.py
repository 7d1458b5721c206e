"""Who bid what: in the score table, on the page of a deal, in its correction, in every export."""

from __future__ import annotations

import csv
import io

import pytest

from tests.keeper.phone import Phone


@pytest.fixture
def opened(phone: Phone) -> Phone:
    """A phone with a sheet of two deals on which the bids of partners are added."""
    phone.open(rules="classic~bm-sum")
    phone.deal(3, 4, 5, 6, 6)
    phone.deal(5, 5, 6, 5, 7)
    return phone


def test_the_rows_of_the_score_table_have_each_call(opened: Phone) -> None:
    page = opened.get(opened.sheet)
    assert [word in page.text for word in ("6+4 · 6", "3+5 · 7", "6+5 · 7", "5+5 · 6")] == [True] * 4


def test_a_nil_stands_in_its_row(phone: Phone) -> None:
    phone.open()
    phone.deal("nil", 4, 5, 4, 6, 0)
    assert "nil/5 · 7" in phone.get(phone.sheet).text


def test_a_call_is_corrected_after_saving_and_the_log_says_by_whom_it_was(opened: Phone) -> None:
    opened.get(f"{opened.sheet}/deals/1")
    entered = opened.page.text.partition("What was entered")[2]
    assert entered.startswith(" Aki Chika Beth Dan bid 6 4 3 5 taken 6 7 ")
    opened.get(f"{opened.sheet}/deals/1/correct")
    opened.press("Chika 4")
    opened.press(3)
    opened.press("Save the correction", reason="misheard")
    assert "6+3 · 6" in opened.get(opened.sheet).text
    log = opened.get(f"{opened.sheet}/log").html
    assert "<s>Chika: 4</s>" in log
    assert ">Chika: 3<" in log
    opened.get(opened.sheet)
    opened.press("Undo")
    assert "6+4 · 6" in opened.get(opened.sheet).text


def test_a_call_that_becomes_a_nil_asks_for_its_tricks(opened: Phone) -> None:
    opened.get(f"{opened.sheet}/deals/1/correct")
    opened.press("Chika 4")
    opened.press("nil")
    assert "Tricks of Chika" in opened.page.text
    opened.press(0)
    opened.press("Save the correction")
    assert "6+nil · 6" in opened.get(opened.sheet).text
    assert "Chika: nil made" in opened.get(f"{opened.sheet}/deals/1").text


def test_facts_that_no_longer_fit_the_calls_are_shown_without_them(opened: Phone) -> None:
    opened.get(f"{opened.sheet}/deals/1/correct?b0=9")
    opened.press("Save the correction")
    page = opened.get(opened.sheet).text
    assert ("6+4 · 6" in page, "9 · 6" in page) == (False, True)
    assert "Bid of Aki & Chika" in opened.get(f"{opened.sheet}/deals/1/correct").text


@pytest.mark.parametrize("lang", ["en", "ja"])
def test_every_export_has_each_players_call_in_a_cell_of_its_own(opened: Phone, lang: str) -> None:
    table = opened.client.get(f"/{lang}{opened.sheet[3:]}/export.csv").data.decode("utf-8-sig")
    rows = list(csv.DictReader(io.StringIO(table)))
    assert [(row["players"], row["call_1"], row["call_2"], row["bid"], row["tricks"]) for row in rows[:2]] == [
        ("Aki & Chika", "6", "4", "10", "6"), ("Beth & Dan", "3", "5", "8", "7"),
    ]  # fmt: skip
    assert "{" not in table
    assert "6+4" in opened.get(f"{opened.sheet}/text").text

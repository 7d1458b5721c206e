"""What went wrong at the table: from a tap to the corrected score, and where it is told afterwards."""

from __future__ import annotations

import pytest

from companion.rulebook.words import say
from tests.keeper.phone import Phone

REVOKE = "what=revoke&player=A&when=later&trick=3"


@pytest.fixture
def club(phone: Phone) -> Phone:
    """A table that takes three tricks for a revoke, after one deal: 4 bid and 6 taken, 8 bid and 7 taken."""
    phone.open(revoke_remedy="tricks")
    phone.deal(3, 4, 2, 4, 6)
    return phone


def test_a_revoke_is_shown_before_it_is_saved_and_told_afterwards(club: Phone) -> None:
    before = club.totals
    page = club.get(f"{club.sheet}/what-now")
    assert "revoke" in page.text
    shown = club.get(f"{club.sheet}/what-now?{REVOKE}")
    assert "<s>42</s> → <b>−40</b>" in shown.html
    club.get(club.sheet)
    assert club.totals == before
    club.get(f"{club.sheet}/what-now?{REVOKE}")
    club.press(say("en", "keeper.save-irregularity"))
    assert club.totals[0] == "−40"
    for place in ("deals/1", "log"):
        assert "Aki: revoke in trick 3 (noticed later)" in club.get(f"{club.sheet}/{place}").text
    assert "revoke" in club.client.get(f"{club.sheet}/export.csv").text


def test_what_was_taken_back_costs_nothing(club: Phone) -> None:
    before = club.totals
    page = club.get(f"{club.sheet}/what-now?{REVOKE.replace('later', 'in-time')}")
    assert say("en", "keeper.no-points-change") in page.text
    club.press(say("en", "keeper.save-irregularity"))
    assert club.totals == before
    assert "taken back in time" in club.get(f"{club.sheet}/deals/1").text


def test_after_a_misdeal_the_table_says_who_deals(phone: Phone) -> None:
    for option, dealer in (("same", "Aki"), ("next", "Beth")):
        phone.open(misdeal_dealer=option)
        page = phone.get(f"{phone.sheet}/what-now?what=misdeal&player=A&when=later")
        assert "revoke" not in page.text
        phone.press(say("en", "keeper.save-irregularity"))
        assert f"Deal 2 {dealer}" in phone.page.text
        assert "Aki: misdeal" in phone.get(f"{phone.sheet}/log").text


@pytest.mark.parametrize("game", ["casino", "spite-and-malice"])
def test_every_game_asks_for_its_own_kinds(phone: Phone, game: str) -> None:
    phone.open(*(("Aki", "Beth") if game != "casino" else ()), game=game)
    assert "misdeal" in phone.get(f"{phone.sheet}/what-now").text


def test_what_cannot_be_read_is_refused_in_words(club: Phone) -> None:
    page = club.get(f"{club.sheet}/what-now?{REVOKE.replace('trick=3', 'trick=99')}")
    assert club.status == 200
    assert not club.has(say("en", "keeper.save-irregularity"))
    assert "13" in page.text


def test_the_story_of_a_game_tells_what_was_noticed_later(phone: Phone) -> None:
    phone.open(target="60", revoke_remedy="none")
    phone.deal(3, 4, 2, 4, 6)
    phone.get(f"{phone.sheet}/what-now?{REVOKE}")
    phone.press(say("en", "keeper.save-irregularity"))
    phone.deal(3, 4, 3, 3, 6)
    assert "Deal 1 Aki: revoke in trick 3 (noticed later)" in phone.page.text


def test_five_taps_lead_from_the_sheet_to_the_saved_score(club: Phone) -> None:
    club.get(club.sheet)
    assert f'href="{club.sheet}/what-now"' in club.page.html  # one tap; two more choose what and who
    club.get(f"{club.sheet}/what-now")
    club.press(say("en", "keeper.show-changes"), what="revoke", player="A")
    club.press(say("en", "keeper.save-irregularity"))
    assert club.totals[0] == "−40"

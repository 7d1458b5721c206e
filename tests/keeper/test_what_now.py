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
    text = club.client.get(f"{club.sheet}/export.txt").text
    assert "1: −40 – 25 (−40, +25) · 4+4, 3+2 · Aki: revoke in trick 3 (noticed later)" in text, text


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
        assert f"Deal 2 · {dealer} deals" in phone.page.text
        assert "Aki: misdeal" in phone.get(f"{phone.sheet}/log").text
        assert "Deal 1: void · Aki: misdeal" in phone.client.get(f"{phone.sheet}/export.txt").text


def test_before_the_first_deal_a_revoke_is_asked_for_once_the_calls_are_made(phone: Phone) -> None:
    phone.open()
    page = phone.get(f"{phone.sheet}/what-now?{REVOKE}")
    assert "anything else can be entered after the calls" in page.text
    assert 'role="alert"' not in page.html


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


def test_what_goes_wrong_in_the_open_deal_is_scored_with_it(phone: Phone) -> None:
    """From the sheet while the deal is counted: the new score is shown before the deal is saved."""
    phone.open(revoke_remedy="tricks")
    for call in (3, 4, 2, 4):
        phone.press(call)
    before = phone.taps
    link = f"{phone.sheet}/what-now"
    assert f'href="{link}"' in phone.page.html  # one tap
    phone.get(link)
    phone.press(say("en", "keeper.show-changes"), what="revoke", player="A", trick="3")  # two more choose what and who
    assert phone.url == phone.sheet
    assert phone.taps == before + 1
    phone.press(6)
    assert "−40" in phone.page.text  # 6 taken, 3 of them given away
    assert "Aki: revoke in trick 3 (noticed later)" in phone.page.text
    phone.press(say("en", "keeper.save-deal"))
    assert phone.totals[0] == "−40"
    assert "Aki: revoke in trick 3 (noticed later)" in phone.get(f"{phone.sheet}/log").text


def test_an_open_deal_keeps_what_was_counted_and_several_things_that_went_wrong(club: Phone) -> None:
    for call in (3, 4, 2, 4, 6):
        club.press(call)
    counted = club.page.html
    link = next(part for part in counted.split('href="') if part.startswith(f"{club.sheet}/what-now")).partition('"')[0]
    assert "t0%3D6" in link
    club.get(link)
    club.press(say("en", "keeper.show-changes"), what="revoke", player="B", when="in-time")
    assert "Beth: revoke (taken back in time)" in club.page.text
    link = next(part for part in club.page.html.split('href="') if "/what-now?" in part).partition('"')[0]
    club.get(link)
    club.press(say("en", "keeper.show-changes"), what="talk", player="A")
    assert "Beth: revoke (taken back in time), Aki: talk about the hand (noticed later)" in club.page.text
    club.press(
        f"{say('en', 'keeper.what-now')} Beth: revoke (taken back in time), Aki: talk about the hand (noticed later)"
    )
    assert "Beth: revoke" not in club.page.text  # a tap takes it away
    assert club.has(say("en", "keeper.save-deal"))


def test_while_a_deal_is_counted_the_last_one_can_still_be_chosen(club: Phone) -> None:
    for call in (3, 4, 2, 4):
        club.press(call)
    club.get(f"{club.sheet}/what-now")
    club.press(say("en", "keeper.show-changes"), **{"what": "revoke", "player": "A", "in": "last"})
    assert "<s>42</s> → <b>−40</b>" in club.page.html


def test_a_finding_of_the_referee_fills_in_what_went_wrong(club: Phone) -> None:
    """One tap from the verdict leads to the form with the kind, the player and the open deal chosen."""
    for call in (4, 4, 4, 4):
        club.press(call)
    sheet = club.sheet.rpartition("/")[2]
    taps = "".join(f"&do=tap:{card}" for card in ("2H", "3C", "4H", "5H", "6H", "7H", "8H"))
    page = club.get(f"/en/referee/spades/deal?sheet={sheet}&do=skip{taps}")
    link = next(part for part in page.html.split('href="') if "/what-now?" in part).partition('"')[0]
    link = link.replace("&amp;", "&")
    assert "what=revoke" in link
    form = club.get(link).html
    assert 'value="revoke" checked' in form
    assert 'name="in" value="open" checked' in form
    assert form.count('name="player"') > 1
    (player,) = [part for part in form.split("<input ")[1:] if 'name="player"' in part and " checked" in part]
    club.press(say("en", "keeper.show-changes"))
    assert club.url == club.sheet
    assert ": revoke" in club.page.text, player


def test_a_misdeal_is_voided_while_the_first_deal_is_counted(phone: Phone) -> None:
    phone.open()
    for call in (3, 4, 2, 4):
        phone.press(call)
    phone.get(f"{phone.sheet}/what-now")
    phone.press(say("en", "keeper.show-changes"), what="misdeal", player="A")
    phone.press(say("en", "keeper.save-irregularity"))
    assert "Aki: misdeal" in phone.get(f"{phone.sheet}/log").text


@pytest.mark.parametrize("wrong", ["foo", "x.A", "revoke.Z", "revoke.A.later.abc", "revoke.A.x.-1", "~~~", "...."])
@pytest.mark.parametrize("game", ["spades", "casino"])
def test_what_an_address_says_went_wrong_may_be_rubbish(phone: Phone, game: str, wrong: str) -> None:
    phone.open("Aki", "Beth", *(("Chika", "Dan") if game == "spades" else ()), game=game)
    assert phone.client.get(f"{phone.sheet}?wrong={wrong}").status_code == 200

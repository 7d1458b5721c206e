"""Whole games of Casino and of Spite and Malice kept in a browser on a phone's screen, tap by tap."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.keeper.conftest import NewPhone
from tests.keeper.driving import PHONE, SAVE, Keeper

pytestmark = pytest.mark.browser

CHANGES = {
    "ja": ("第{}ディールの内訳と訂正", "このディールを訂正する"),
    "en": ("Deal {}: details and correction", "Correct this deal"),
}
KEEP_CHANGE = {"ja": "訂正を記録する", "en": "Save the correction"}
LEVEL = {"ja": "同数：あき = ちか", "en": "Tied: Aki = Beth"}

AKIS_CARDS = ("A♠", "2♠", "3♠", "4♠", "5♠", "6♠", "7♠", "8♠", "A♥", "10♦")


def keeper_of(new_phone: NewPhone, lang: str) -> Keeper:
    """Somebody with a phone."""
    return Keeper(new_phone(), lang)


def deal(keeper: Keeper, *answers: str | int) -> int:
    """One deal, its questions answered in order and saved; the answer is how many taps it took."""
    before = keeper.taps
    for answer in (*answers, SAVE[keeper.lang]):
        keeper.tap(answer)
    return keeper.taps - before


def correct(keeper: Keeper, number: int, *answers: str | int) -> None:
    """Open the correction of a deal and change what was wrong."""
    page = keeper.page
    opened, changed = CHANGES[keeper.lang]
    with keeper.arrived():
        page.get_by_role("link", name=opened.format(number), exact=True).click()
    with keeper.arrived():
        page.get_by_role("link", name=changed, exact=True).click()
    for answer in answers:
        keeper.tap(answer)


def ripples(keeper: Keeper, *rows: tuple[str, ...]) -> None:
    """The consequences of the correction have exactly these rows, each with these changes."""
    shown = keeper.page.locator(".ripple tbody tr")
    expect(shown).to_have_count(len(rows))
    for place, changes in enumerate(rows):
        for change in changes:
            expect(shown.nth(place)).to_contain_text(change)


def keep_change(keeper: Keeper) -> None:
    """Save the correction; the sheet is shown again."""
    with keeper.settled():
        keeper.page.get_by_role("button", name=KEEP_CHANGE[keeper.lang], exact=True).click()
    expect(keeper.page).to_have_url(keeper.sheet)


def ends(keeper: Keeper, winner: str, reason: str, article: str) -> None:
    """The screen says who won and why, leads to the article, and asks for no further deal."""
    page = keeper.page
    expect(page.locator("#ending")).to_have_text(winner)
    ending = page.locator(".ending")
    expect(ending).to_contain_text(reason)
    expect(ending.locator("a").first).to_have_attribute("href", f"/{keeper.lang}/rules/{article}")
    expect(page.locator(".question")).to_have_count(0)


def printed(*cards: str) -> str:
    """Cards as the pages print them: never as pictures."""
    return " ".join(f"{card}\N{VARIATION SELECTOR-15}" for card in cards)


def fits(keeper: Keeper) -> None:
    """Nothing is wider than the phone."""
    expect(keeper.page.locator("html")).to_have_js_property("scrollWidth", PHONE["width"])


def test_casino_in_japanese_by_majorities(new_phone: NewPhone) -> None:
    keeper = keeper_of(new_phone, "ja")
    keeper.open("casino", names=("あき", "ちか", "", ""))
    assert deal(keeper, "あき", "ちか", "あき", "ちか", 3) <= 8
    expect(keeper.totals).to_have_text(["7", "4"])  # 2 + 2 + 3 aces; 2 + 1 + 1 ace
    expect(keeper.said).to_contain_text("第1ディール記録済み：")
    assert deal(keeper, LEVEL["ja"], "あき", "ちか", "あき", 2) <= 8
    expect(keeper.totals).to_have_text(["12", "8"])  # nobody is paid for the cards; 2 + 1 + 2 aces; 2 + 2 aces
    fits(keeper)
    correct(keeper, 2, "あきのエースの枚数：2。直す", 1)
    ripples(keeper, ("12 → 11", "8 → 9"))  # what one leaves is the other's, as when it was entered
    keep_change(keeper)
    assert deal(keeper, "あき", "あき", "あき", "あき", 4) <= 8
    expect(keeper.totals).to_have_text(["22", "9"])  # all eleven points
    ends(keeper, "あきの勝ち", "目標の21点に届きました。", "casino#target")
    keeper.tap("もう一度遊ぶ", inside=".after-end")
    expect(keeper.totals).to_have_text(["0", "0"])
    expect(keeper.page.locator("#entry-title")).to_contain_text("第1ディール")
    assert deal(keeper, "ちか", "ちか", "ちか", "ちか", 0) <= 8
    expect(keeper.totals).to_have_text(["0", "11"])


def test_casino_in_english_by_counts_and_by_cards_with_a_correction(new_phone: NewPhone) -> None:
    keeper = keeper_of(new_phone, "en")
    keeper.open("casino", names=("Aki", "Beth", "", ""))
    assert deal(keeper, "By counts", 30, 6, "Aki", "Beth", 1) <= 9
    expect(keeper.totals).to_have_text(["5", "6"])  # cards 2, big ten 2, an ace; spades 2, spy two, 3 aces
    keeper.tap("By the cards")
    for card in (*AKIS_CARDS, "K♣", "K♣"):  # the king is put back
        keeper.tap(printed(card))
    expect(keeper.page.locator(".question")).to_contain_text("Cards captured by Aki (10)")
    fits(keeper)
    deal(keeper, "These are all")
    expect(keeper.totals).to_have_text(["12", "10"])  # spades 2, big ten 2, spy two, 2 aces; 42 cards 2, 2 aces
    expect(keeper.page.locator(".question")).to_have_text(re.compile(r"^\s*Cards captured by Aki \(0\)"))  # as before
    deal(keeper, "Who had the most", "Aki", "Beth", "Beth", "Beth", 2)
    expect(keeper.totals).to_have_text(["16", "17"])  # cards 2, 2 aces; spades 2, big ten 2, spy two, 2 aces

    correct(keeper, 2)
    ripples(keeper)
    captured = f"Cards captured by Aki (10): {printed(*AKIS_CARDS)}"
    keeper.tap(f"{captured}. Change")
    for card in ("10♦", "A♥"):
        keeper.tap(printed(card))
    keeper.tap("These are all")
    ripples(keeper, ("12 → 9", "10 → 13"), ("16 → 13", "17 → 20"))
    keep_change(keeper)
    expect(keeper.totals).to_have_text(["13", "20"])  # the big ten and an ace were Beth's
    with keeper.arrived():
        keeper.page.get_by_role("link", name="Deal 2: details and correction").click()
    expect(keeper.page.locator(".history")).to_contain_text(captured)
    expect(keeper.page.locator(".entered")).to_contain_text(printed(*AKIS_CARDS[:8]))
    keeper.page.goto(keeper.sheet)

    deal(keeper, "Aki", "Aki", "Aki", "Beth", 2)
    expect(keeper.totals).to_have_text(["21", "23"])  # cards 2, spades 2, big ten 2, 2 aces; spy two, 2 aces
    ends(keeper, "Won by Beth", "21", "casino#highest-total")
    keeper.tap("Rematch", inside=".after-end")
    expect(keeper.totals).to_have_text(["0", "0"])
    assert deal(keeper, LEVEL["en"], "Beth", "Beth", "Beth", 3) <= 8
    expect(keeper.totals).to_have_text(["3", "6"])


def test_spite_and_malice_in_japanese_to_a_target(new_phone: NewPhone) -> None:
    keeper = keeper_of(new_phone, "ja")
    keeper.open("spite-and-malice", names=("あき", "ちか"), match="target", target=30)
    assert deal(keeper, "あき", 12) <= 4
    expect(keeper.totals).to_have_text(["17", "0"])  # 12 cards and the bonus of 5
    assert deal(keeper, "だれもいない（行きづまり）", 8, 9) <= 4
    expect(keeper.totals).to_have_text(["17", "0"])  # a stalemate is worth nothing here
    fits(keeper)
    assert deal(keeper, "ちか", 20) <= 4
    expect(keeper.totals).to_have_text(["17", "25"])
    correct(keeper, 1, "ちかの残り：12。直す", 2)
    ripples(keeper, ("17 → 7",), ("17 → 7",), ("17 → 7", "25"))
    keep_change(keeper)
    expect(keeper.totals).to_have_text(["7", "25"])
    assert deal(keeper, "ちか", 1) <= 4
    expect(keeper.totals).to_have_text(["7", "31"])
    ends(keeper, "ちかの勝ち", "目標の30点に届きました。", "spite-and-malice#match")
    keeper.tap("もう一度遊ぶ", inside=".after-end")
    expect(keeper.totals).to_have_text(["0", "0"])
    assert deal(keeper, "ちか", 26) <= 4
    expect(keeper.totals).to_have_text(["0", "31"])
    expect(keeper.page.locator("#ending")).to_have_text("ちかの勝ち")


def test_spite_and_malice_in_english_with_a_stalemate_that_pays(new_phone: NewPhone) -> None:
    keeper = keeper_of(new_phone, "en")
    keeper.open("spite-and-malice", rules="hoyle", names=("Aki", "Beth"), match="target", target=20)
    assert deal(keeper, "Nobody: stalemate", 4, 10) <= 4
    expect(keeper.totals).to_have_text(["6", "0"])  # Aki has six cards fewer
    assert deal(keeper, "Beth", 26) <= 4
    expect(keeper.totals).to_have_text(["6", "31"])  # 26 cards and the bonus of 5
    ends(keeper, "Won by Beth", "20", "spite-and-malice#match")
    correct(keeper, 2, "Went out: Beth. Change", "Aki", 3)
    ripples(keeper, ("6 → 14", "31 → 0"))
    expect(keeper.page.locator("main")).to_contain_text("With this correction the game is not over.")
    keep_change(keeper)
    expect(keeper.totals).to_have_text(["14", "0"])  # 6, then 3 cards and the bonus
    expect(keeper.page.locator("#ending")).to_have_count(0)
    assert deal(keeper, "Aki", 5) <= 4
    expect(keeper.totals).to_have_text(["24", "0"])
    ends(keeper, "Won by Aki", "20", "spite-and-malice#match")
    keeper.tap("Rematch", inside=".after-end")
    expect(keeper.totals).to_have_text(["0", "0"])


def test_a_match_of_one_deal_and_a_rematch(new_phone: NewPhone) -> None:
    keeper = keeper_of(new_phone, "en")
    keeper.open("spite-and-malice", names=("Aki", "Beth"))
    assert deal(keeper, "Beth", 7) <= 4
    expect(keeper.totals).to_have_text(["0", "12"])
    ends(keeper, "Won by Beth", "deal", "spite-and-malice#match")
    keeper.tap("Rematch", inside=".after-end")
    expect(keeper.totals).to_have_text(["0", "0"])
    assert deal(keeper, "Aki", 1) <= 4
    expect(keeper.totals).to_have_text(["6", "0"])
    expect(keeper.page.locator("#ending")).to_have_text("Won by Aki")


def test_casino_with_forty_cards_has_ten_spades_to_share(new_phone: NewPhone) -> None:
    keeper = keeper_of(new_phone, "en")
    keeper.open("casino", rules="south_african", names=("Aki", "Beth", "", ""))
    for answer in (22, 6):
        keeper.tap(answer)
    expect(keeper.page.locator(".ledger tr", has_text="Spades").locator("td").last).to_contain_text("4")

"""Whole games of Casino and of Spite and Malice kept in a browser on a phone's screen, tap by tap."""

from __future__ import annotations

import pytest

from tests.keeper.conftest import NewPhone
from tests.keeper.driving import SAVE, Keeper

pytestmark = pytest.mark.browser

CHANGES = {
    "ja": ("第{}ディールの内訳と訂正", "このディールを訂正する"),
    "en": ("Deal {}: details and correction", "Correct this deal"),
}
KEEP_CHANGE = {"ja": "訂正を記録する", "en": "Save the correction"}
LEVEL = {"ja": "同数：あき = ちか", "en": "level: Aki = Beth"}

AKIS_CARDS = ("A♠", "2♠", "3♠", "4♠", "5♠", "6♠", "7♠", "8♠", "A♥", "10♦")


def keeper_of(new_phone: NewPhone, lang: str) -> Keeper:
    """Somebody with a phone, for whom a button that is not there is missed soon."""
    page = new_phone()
    page.set_default_timeout(4000)
    return Keeper(page, lang)


def deal(keeper: Keeper, *answers: str | int) -> int:
    """One deal, its questions answered in order and saved; the answer is how many taps it took."""
    before = keeper.taps
    for answer in (*answers, SAVE[keeper.lang]):
        keeper.tap(answer)
    return keeper.taps - before


def correct(keeper: Keeper, number: int, *answers: str | int) -> list[str]:
    """Open the correction of a deal and change what was wrong; the answer is every row of its consequences."""
    page = keeper.page
    opened, changed = CHANGES[keeper.lang]
    with keeper.arrived():
        page.get_by_role("link", name=opened.format(number), exact=True).click()
    with keeper.arrived():
        page.get_by_role("link", name=changed, exact=True).click()
    for answer in answers:
        keeper.tap(answer)
    return ripple(keeper)


def ripple(keeper: Keeper) -> list[str]:
    """The rows of the consequences of a correction, as they are shown."""
    return [" ".join(row.split()) for row in keeper.page.locator(".ripple tbody tr").all_inner_texts()]


def keep_change(keeper: Keeper) -> None:
    """Save the correction; the sheet is shown again."""
    with keeper.settled():
        keeper.page.get_by_role("button", name=KEEP_CHANGE[keeper.lang], exact=True).click()
    assert keeper.page.url == keeper.sheet


def ends(keeper: Keeper, winner: str, reason: str, article: str) -> None:
    """The screen says who won and why, leads to the article, and asks for no further deal."""
    page = keeper.page
    assert page.locator("#ending").inner_text() == winner
    ending = page.locator(".ending")
    assert reason in ending.inner_text()
    assert ending.locator("a").first.get_attribute("href") == f"/{keeper.lang}/rules/{article}"
    assert page.locator(".question").count() == 0


def printed(*cards: str) -> str:
    """Cards as the pages print them: never as pictures."""
    return " ".join(f"{card}\N{VARIATION SELECTOR-15}" for card in cards)


def fits(keeper: Keeper) -> bool:
    """Whether nothing is wider than the phone."""
    return keeper.page.evaluate("document.documentElement.scrollWidth <= 390")


def test_casino_in_japanese_by_majorities(new_phone: NewPhone) -> None:
    keeper = keeper_of(new_phone, "ja")
    keeper.open("casino", names=("あき", "ちか", "", ""))
    assert deal(keeper, "あき", "ちか", "あき", "ちか", 3) <= 8
    assert keeper.totals == ["7", "4"]  # 2 + 2 + 3 aces; 2 + 1 + 1 ace
    assert "第1ディールを記録しました。" in keeper.said
    assert deal(keeper, LEVEL["ja"], "あき", "ちか", "あき", 2) <= 8
    assert keeper.totals == ["12", "8"]  # nobody is paid for the cards; 2 + 1 + 2 aces; 2 + 2 aces
    assert fits(keeper)
    rows = correct(keeper, 2, "あきのエースの枚数は2。直す", 1)
    assert len(rows) == 1
    assert all(
        change in rows[0] for change in ("12 → 11", "8 → 9")
    )  # what one leaves is the other's, as when it was entered
    keep_change(keeper)
    assert deal(keeper, "あき", "あき", "あき", "あき", 4) <= 8
    assert keeper.totals == ["22", "9"]  # all eleven points
    ends(keeper, "あきの勝ち", "目標の21点に届きました。", "casino#target")
    keeper.tap("もう一度遊ぶ", inside=".after-end")
    assert keeper.totals == ["0", "0"]
    assert "第1ディール" in keeper.page.locator("#entry-title").inner_text()
    assert deal(keeper, "ちか", "ちか", "ちか", "ちか", 0) <= 8
    assert keeper.totals == ["0", "11"]


def test_casino_in_english_by_counts_and_by_cards_with_a_correction(new_phone: NewPhone) -> None:
    keeper = keeper_of(new_phone, "en")
    keeper.open("casino", names=("Aki", "Beth", "", ""))
    assert deal(keeper, "By counts", 30, 6, "Aki", "Beth", 1) <= 8
    assert keeper.totals == ["5", "6"]  # cards 2, big ten 2, an ace; spades 2, spy two, 3 aces
    keeper.tap("By the cards")
    for card in (*AKIS_CARDS, "K♣", "K♣"):  # the king is put back
        keeper.tap(printed(card))
    assert "Cards captured by Aki (10)" in keeper.page.locator(".question").inner_text()
    assert fits(keeper)
    deal(keeper, "These are all")
    assert keeper.totals == ["12", "10"]  # spades 2, big ten 2, spy two, 2 aces; 42 cards 2, 2 aces
    assert keeper.page.locator(".question").inner_text().startswith("Cards captured by Aki (0)")  # as the last deal was
    deal(keeper, "By who had the most", "Aki", "Beth", "Beth", "Beth", 2)
    assert keeper.totals == ["16", "17"]  # cards 2, 2 aces; spades 2, big ten 2, spy two, 2 aces

    assert correct(keeper, 2) == []
    captured = f"Cards captured by Aki (10): {printed(*AKIS_CARDS)}"
    keeper.tap(f"{captured}. Change")
    for card in ("10♦", "A♥"):
        keeper.tap(printed(card))
    keeper.tap("These are all")
    rows = ripple(keeper)
    assert len(rows) == 2
    assert all(change in rows[0] for change in ("12 → 9", "10 → 13"))
    assert all(change in rows[1] for change in ("16 → 13", "17 → 20"))
    keep_change(keeper)
    assert keeper.totals == ["13", "20"]  # the big ten and an ace were Beth's
    with keeper.arrived():
        keeper.page.get_by_role("link", name="Deal 2: details and correction").click()
    assert captured in keeper.page.locator(".history").inner_text()
    assert printed(*AKIS_CARDS[:8]) in keeper.page.locator(".entered").inner_text()
    keeper.page.goto(keeper.sheet)

    deal(keeper, "Aki", "Aki", "Aki", "Beth", 2)
    assert keeper.totals == ["21", "23"]  # cards 2, spades 2, big ten 2, 2 aces; spy two, 2 aces
    ends(keeper, "Won by Beth", "21", "casino#highest-total")
    keeper.tap("Rematch", inside=".after-end")
    assert keeper.totals == ["0", "0"]
    assert deal(keeper, LEVEL["en"], "Beth", "Beth", "Beth", 3) <= 8
    assert keeper.totals == ["3", "6"]


def test_spite_and_malice_in_japanese_to_a_target(new_phone: NewPhone) -> None:
    keeper = keeper_of(new_phone, "ja")
    keeper.open("spite-and-malice", names=("あき", "ちか"), match="target", target=30)
    assert deal(keeper, "あき", 12) <= 4
    assert keeper.totals == ["17", "0"]  # 12 cards and the bonus of 5
    assert deal(keeper, "だれもいない（行きづまり）", 8, 9) <= 4
    assert keeper.totals == ["17", "0"]  # a stalemate is worth nothing here
    assert fits(keeper)
    assert deal(keeper, "ちか", 20) <= 4
    assert keeper.totals == ["17", "25"]
    rows = correct(keeper, 1, "ちかの個人の山に残ったカードは12。直す", 2)
    assert len(rows) == 3
    assert all("17 → 7" in row for row in rows)
    assert "25" in rows[2]
    keep_change(keeper)
    assert keeper.totals == ["7", "25"]
    assert deal(keeper, "ちか", 1) <= 4
    assert keeper.totals == ["7", "31"]
    ends(keeper, "ちかの勝ち", "目標の30点に届きました。", "spite-and-malice#match")
    keeper.tap("もう一度遊ぶ", inside=".after-end")
    assert keeper.totals == ["0", "0"]
    assert deal(keeper, "ちか", 26) <= 4
    assert keeper.totals == ["0", "31"]
    assert keeper.page.locator("#ending").inner_text() == "ちかの勝ち"


def test_spite_and_malice_in_english_with_a_stalemate_that_pays(new_phone: NewPhone) -> None:
    keeper = keeper_of(new_phone, "en")
    keeper.open("spite-and-malice", rules="hoyle", names=("Aki", "Beth"), match="target", target=20)
    assert deal(keeper, "Nobody: stalemate", 4, 10) <= 4
    assert keeper.totals == ["6", "0"]  # Aki has six cards fewer
    assert deal(keeper, "Beth", 26) <= 4
    assert keeper.totals == ["6", "31"]  # 26 cards and the bonus of 5
    ends(keeper, "Won by Beth", "20", "spite-and-malice#match")
    rows = correct(keeper, 2, "Went out: Beth. Change", "Aki", 3)
    assert len(rows) == 1
    assert "6 → 14" in rows[0]
    assert "31 → 0" in rows[0]
    assert "With it, the game is not over." in keeper.page.locator("main").inner_text()
    keep_change(keeper)
    assert keeper.totals == ["14", "0"]  # 6, then 3 cards and the bonus
    assert keeper.page.locator("#ending").count() == 0
    assert deal(keeper, "Aki", 5) <= 4
    assert keeper.totals == ["24", "0"]
    ends(keeper, "Won by Aki", "20", "spite-and-malice#match")
    keeper.tap("Rematch", inside=".after-end")
    assert keeper.totals == ["0", "0"]


def test_a_match_of_one_deal_and_a_rematch(new_phone: NewPhone) -> None:
    keeper = keeper_of(new_phone, "en")
    keeper.open("spite-and-malice", names=("Aki", "Beth"))
    assert deal(keeper, "Beth", 7) <= 4
    assert keeper.totals == ["0", "12"]
    ends(keeper, "Won by Beth", "deal", "spite-and-malice#match")
    keeper.tap("Rematch", inside=".after-end")
    assert keeper.totals == ["0", "0"]
    assert deal(keeper, "Aki", 1) <= 4
    assert keeper.totals == ["6", "0"]
    assert keeper.page.locator("#ending").inner_text() == "Won by Aki"


def test_casino_with_forty_cards_has_ten_spades_to_share(new_phone: NewPhone) -> None:
    keeper = keeper_of(new_phone, "en")
    keeper.open("casino", rules="south_african", names=("Aki", "Beth", "", ""))
    for answer in (22, 6):
        keeper.tap(answer)
    chips = keeper.page.locator("#entry .said").inner_text().split("\n")
    assert chips[chips.index("Spades of Beth") + 1] == "4"

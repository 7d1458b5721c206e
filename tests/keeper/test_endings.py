"""The end of a game: why it ended, a rematch, other partners, the players' records."""

from __future__ import annotations

import re

from tests.keeper.phone import Phone


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
    phone.press("Rematch with different partners")
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

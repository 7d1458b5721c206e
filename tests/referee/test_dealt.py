"""Was it dealt right? The numbers of every game, whose deal it is, and the second cut of Casino."""

from __future__ import annotations

from typing import Any

import pytest

from companion.engine.problems import Node
from companion.games import GAMES
from tests.referee.reading import ask


def test_spades_hands_and_dealer(shared_client: Any) -> None:
    path = "spades/dealt"
    assert "Hand of North: 13 cards" in ask(shared_client, path, {}).text
    assert ask(shared_client, path, {"c0": 13, "c1": 13}).value == "legal"
    wrong = ask(shared_client, path, {"c0": 12, "c1": 14})
    assert (wrong.value, wrong.articles) == ("illegal", ["dealing", "dealing"])
    assert ask(shared_client, path, {}, "last:0").bar.strip() == "East deals."
    turned = ask(shared_client, path, {}, "last:0", "deals:2")
    assert (turned.value, turned.articles) == ("illegal", ["dealer"])
    assert [turned.buttons[f"last:{n}"] for n in range(4)] == ["North", "East", "South", "West"]
    assert "Hand of North: 17 cards" in ask(shared_client, path, {"rules": "solo3"}).text


def test_casino_table_hands_and_dealer(shared_client: Any) -> None:
    path = "casino/dealt"
    start = ask(shared_client, path, {})
    assert "Loose cards: 4 cards" in start.text
    assert "Hand of South: 24 cards" in start.text
    assert ask(shared_client, path, {"c0": 4, "c1": 24, "c2": 24}).value == "legal"
    assert ask(shared_client, path, {"c0": 5}).value == "illegal"
    assert "Hand of South: 12 cards" in ask(shared_client, path, {"n": 4}).text
    assert ask(shared_client, path, {"n": 4}, "last:0").value == "legal"
    assert ask(shared_client, path, {"n": 4}, "last:0", "deals:0").articles[0] == "dealer"


def test_casino_four_cards_cut_again(shared_client: Any) -> None:
    options = GAMES["casino"].options
    rules = options.code(options.read(Node({"options": {"recut": True}})))
    rich = ask(shared_client, "casino/dealt", {"rules": rules}, "tap:AS", "tap:10D", "tap:2S", "tap:4C")
    assert (rich.value, rich.articles[0]) == ("legal", "recut")
    poor = ask(shared_client, "casino/dealt", {"rules": rules}, "tap:3S", "tap:7D", "tap:5S", "tap:4C")
    assert (poor.value, poor.articles[0]) == ("illegal", "recut")


@pytest.mark.parametrize(("preset", "stock"), [("blackwood", 46), ("massachusetts", None)])
def test_spite_stock_piles_and_hands(shared_client: Any, preset: str, stock: int | None) -> None:
    path = "spite-and-malice/dealt"
    rules = GAMES["spite-and-malice"].options.preset(preset).options
    if stock is not None:
        assert rules.stock_dealt == stock
    start = ask(shared_client, path, {"rules": preset})
    assert f"Cards in the stock: {rules.stock_dealt} cards" in start.text
    assert f"Pay-off pile of South: {rules.payoff_size} cards" in start.text
    assert (
        ask(shared_client, path, {"rules": preset, "c0": rules.stock_dealt, "c1": rules.payoff_size}).value == "legal"
    )
    assert ask(shared_client, path, {"rules": preset, "c1": rules.payoff_size - 1}).value == "illegal"

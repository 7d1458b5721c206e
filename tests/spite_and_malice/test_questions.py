"""The referee's questions where cards are impossible: each is answered with the reason, and can be taken back."""

from __future__ import annotations

from typing import Any

import pytest

from tests.referee.reading import ask

STACK, START, DEAL = (f"spite-and-malice/{name}" for name in ("stack", "start", "deal"))


@pytest.mark.parametrize("preset", ["massachusetts", "pagat"])
@pytest.mark.parametrize("stack", ["X", "9.X", "X.X"])
def test_a_joker_on_a_side_stack_without_jokers(shared_client: Any, preset: str, stack: str) -> None:
    """SNM-201, 301: there is none in the packs, wherever it is said to be."""
    said = ask(shared_client, STACK, {"rules": preset, "s": stack})
    assert said.articles.count("packs") == stack.count("X")
    assert "illegal" in said.cards[f"drop:s.{stack.split('.').index('X')}"]
    assert "legal" in said.cards["tap:9"].split()


def test_one_card_on_top_of_two_piles_of_one_pack(shared_client: Any) -> None:
    """SNM-007: in the split deal both tops come from one pack of 52, so they cannot be the same card."""
    said = ask(shared_client, START, {"p0": "9S", "p1": "9S"})
    assert (said.value, said.bar) == ("", "")
    assert "empty" in said.buttons
    assert ask(shared_client, START, {"p0": "9S", "p1": "9S"}, "tap:8S").value == "legal"
    single = ask(shared_client, START, {"rules": "blackwood108", "p0": "9S", "p1": "9S"})
    assert single.value == "undecided"


def test_first_cards_that_cannot_be_stay_named_while_the_deal_goes_on(shared_client: Any) -> None:
    state = {"rules": "massachusetts", "b": "y", "p0": "X", "l0": "4", "l1": "4"}
    assert ask(shared_client, DEAL, state).articles == ["packs"]
    said = ask(shared_client, DEAL, state, "tap:A", "onto:n")
    assert (said.hidden["m"], said.articles[-1]) == ("An", "packs")
    assert "empty" in said.buttons
    assert ask(shared_client, DEAL, state, "back").hidden.get("b") is None

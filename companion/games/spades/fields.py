"""Fields of JSON that the shapes of Spades share: cards with jokers, numbers of tricks."""

from __future__ import annotations

from typing import Unpack

from companion.engine import shapes as s
from companion.engine.cards import Card
from companion.games.spades.table import JOKERS


def card_field(describe: str = "", **common: Unpack[s.FieldOptions]) -> s.CardField:
    """Declare a card, jokers included."""
    return s.CardField(describe, jokers=JOKERS, **common)


def cards_field(describe: str = "", **common: Unpack[s.ListOptions]) -> s.ListOf[Card]:
    """Declare a list of cards."""
    return s.ListOf(card_field(), describe, **common)


def tricks_field(describe: str = "", **common: Unpack[s.IntegerOptions]) -> s.Integer:
    """Declare a number of tricks."""
    common["unit"] = "tricks"
    return s.Integer(describe, **common)

"""Tricks without a judgement: the cards that follow suit, who wins, whose turn it is."""

from __future__ import annotations

from collections.abc import Sequence

from companion.engine.cards import Card
from companion.games.spades.rules import SpadesRules
from companion.games.spades.table import Played, SpadesPack, Table, pack_of


def legal_plays(pack: SpadesPack, hand: int, led: int = 0, *, free: bool = False, first: bool = False) -> int:
    """Return the cards of a whole hand that may be played, in the bits of the pack (SPADES-032 to 038, 180, 184).

    `led` holds all cards of the suit led, none for a lead; `free` says whether spades may be led, and `first` whether
    it is a first trick of lowest clubs.
    """
    if first:
        clubs = hand & pack.suits["C"]
        return clubs & -clubs or hand & ~pack.trump_bits or hand
    if led:
        return hand & led or hand
    return hand if free else hand & ~pack.trump_bits or hand


def trick_winner(rules: SpadesRules, cards: Sequence[Card], *, first: bool) -> int:
    """Return the index of the winning card; in a first trick of lowest clubs, clubs are led whatever came first."""
    pack = pack_of(rules)
    clubs = first and rules.first_trick != "normal" and any(pack.suit(card) == "C" for card in cards)
    return pack.winner(cards, "C" if clubs else None)


def next_in_trick(table: Table, trick: Sequence[Played]) -> str | None:
    """Return whose turn it is in a trick that was begun: the first seat after the leader without a card in it.

    So a card out of turn leaves those who were passed over in turn; None where everybody has played.
    """
    first, *others = [one.seat for one in trick]
    order = table.after(first)
    if others == [*order[: len(others)]]:
        return order[len(others)] if len(trick) < len(order) else None
    return next((seat for seat in order if seat != first and seat not in others), None)


def next_to_play(table: Table, plays: Sequence[Played], leader: str | None = None) -> str | None:
    """Return whose turn it is after these plays of a deal; before the first, the seat that leads."""
    size = len(table.seats)
    trick = plays[len(plays) - len(plays) % size :]
    if trick:
        return next_in_trick(table, trick) or trick[0].seat
    if not plays:
        return leader
    last = plays[-size:]
    return last[trick_winner(table.rules, [one.card for one in last], first=len(plays) == size)].seat

"""Tapping cards: a picker with all cards of the pack, and the zones that tapped cards go to."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

from companion.engine.cards import RANKS, SUITS, Card
from companion.engine.dialogue import Face, Phrase, Picker, Target, Text
from companion.engine.reading import JsonObject
from companion.engine.state import State, read_cards

ACE_HIGH = ("A", *reversed(RANKS[1:]))
Look = Callable[[Card, str], JsonObject]
"""Return changes to how a card is drawn, from the card and the name of its zone (empty where it is in none)."""


@dataclass(frozen=True, slots=True)
class Zone:
    """A place for cards: its name in the state, its label, how many it holds, the mark on its cards."""

    name: str
    label: Text
    most: int = 52
    mark: Text = ""
    """Empty where the cards are numbered in their order."""

    def is_full(self, count: int) -> bool:
        """Return whether it holds no more than this many cards; a single card gives way to another."""
        return 1 < self.most <= count


def active_zone(state: State, zones: Sequence[Zone]) -> Zone:
    """Return the zone that tapped cards go to: the one chosen, else the first."""
    return next((zone for zone in zones if zone.name == state.get("to")), zones[0])


def tap(state: State, zones: Sequence[Zone], word: str, *, jokers: tuple[str, ...] = ()) -> State:
    """Return the state after a tap: the card leaves the zone it is in, or enters the active one."""
    card = next(iter(read_cards([word], jokers=jokers)), None)
    if card is None:
        return state
    for zone in zones:
        cards = state.cards(zone.name, jokers=jokers)
        if card in cards:
            return state.put_cards(zone.name, (one for one in cards if one != card))
    zone = active_zone(state, zones)
    cards = state.cards(zone.name, jokers=jokers)
    if zone.is_full(len(cards)):
        return state
    return state.put_cards(zone.name, [card] if zone.most == 1 else (*cards, card))


def go_to(state: State, zones: Sequence[Zone], word: str) -> State:
    """Return the state with another active zone."""
    return state.put(to=word) if word in {zone.name for zone in zones} else state


def card_picker(
    state: State,
    zones: Sequence[Zone],
    cards: Iterable[Card],
    *,
    ranks: Sequence[str] = ACE_HIGH,
    jokers: tuple[str, ...] = (),
    look: Look | None = None,
) -> Picker:
    """Return all cards of the pack, those in a zone marked; `look` has the last word on how a card is drawn.

    Where the active zone holds no more cards, only those in a zone can be tapped.
    """
    now = active_zone(state, zones) if zones else None
    full = now is not None and now.is_full(len(state.cards(now.name, jokers=jokers)))
    held = {card: (zone, place) for zone in zones for place, card in enumerate(state.cards(zone.name, jokers=jokers))}

    def drawn(card: Card) -> Face:
        if card in held:
            zone, place = held[card]
            mark = zone.mark or str(place + 1)
            face = Face(card, f"tap:{card}", pressed=True, tone="taken", mark=mark, note=zone.label)
        else:
            face = Face(card, tone="gone") if full else Face(card, f"tap:{card}")
        if look is not None:
            face = replace(face, **look(card, held[card][0].name if card in held else ""))
        return face

    targets = [
        Target(f"to:{zone.name}", zone.label, len(state.cards(zone.name, jokers=jokers)), zone == now) for zone in zones
    ]
    rows = tuple(tuple(map(drawn, row)) for row in in_rows(cards, ranks))
    return Picker(now.label if now else Phrase("asks.cards"), rows, tuple(targets) if len(targets) > 1 else ())


def in_rows(cards: Iterable[Card], ranks: Sequence[str] = ACE_HIGH) -> list[tuple[Card, ...]]:
    """Return cards by suit, each suit in the order of the ranks; jokers last."""
    left = set(cards)
    rows = [tuple(Card(rank, suit) for rank in ranks if Card(rank, suit) in left) for suit in SUITS]
    return [row for row in (*rows, tuple(sorted(card for card in left if not card.suit))) if row]


def in_order(cards: Iterable[Card]) -> tuple[Card, ...]:
    """Return cards sorted as they are shown in a hand."""
    return tuple(card for row in in_rows(cards) for card in row)


def faces(cards: Iterable[Card]) -> tuple[Face, ...]:
    """Return cards as they are shown, without buttons."""
    return tuple(Face(card) for card in cards)

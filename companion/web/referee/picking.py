"""Tapping cards: a picker with all cards of the pack, and the places that tapped cards go to."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from companion.engine.cards import RANKS, SUITS, Card
from companion.web.referee.asking import Asking
from companion.web.referee.faces import face
from companion.web.referee.shown import Face, Picker, Place
from companion.web.referee.state import State, read_cards

ACE_HIGH = ("A", *reversed(RANKS[1:]))
Look = Callable[[Card, str], dict[str, object]]


@dataclass(frozen=True, slots=True)
class Zone:
    """A place for cards: its name in the state, its label, how many it holds, the mark on its cards."""

    name: str
    label: str
    most: int = 52
    mark: str = ""
    """Empty where the cards are numbered in their order."""


def active(state: State, zones: Sequence[Zone]) -> Zone:
    """The zone that tapped cards go to: the one chosen, else the first."""
    return next((zone for zone in zones if zone.name == state.get("to")), zones[0])


def tap(state: State, zones: Sequence[Zone], word: str, *, jokers: tuple[str, ...] = ()) -> State:
    """The state after a card was tapped: taken back where it lies in a zone, else laid down in the active one."""
    card = next(iter(read_cards([word], jokers=jokers)), None)
    if card is None:
        return state
    for zone in zones:
        cards = state.cards(zone.name, jokers=jokers)
        if card in cards:
            return state.put_cards(zone.name, (one for one in cards if one != card))
    zone = active(state, zones)
    cards = state.cards(zone.name, jokers=jokers)
    if len(cards) >= zone.most:
        return state if zone.most > 1 else state.put_cards(zone.name, [card])
    return state.put_cards(zone.name, (*cards, card))


def go_to(state: State, zones: Sequence[Zone], word: str) -> State:
    """The state with another active zone."""
    return state.put(to=word) if word in {zone.name for zone in zones} else state


def picker(
    asking: Asking,
    zones: Sequence[Zone],
    cards: Iterable[Card],
    *,
    ranks: Sequence[str] = ACE_HIGH,
    jokers: tuple[str, ...] = (),
    look: Look | None = None,
) -> Picker:
    """All cards of the pack, those in a zone marked; `look` has the last word on how a card is drawn."""
    state = asking.state
    held = {card: (zone, place) for zone in zones for place, card in enumerate(state.cards(zone.name, jokers=jokers))}

    def drawn(card: Card) -> Face:
        told: dict[str, object] = {"do": f"tap:{card}"}
        if card in held:
            zone, place = held[card]
            told |= {"pressed": True, "tone": "taken", "mark": zone.mark or str(place + 1), "note": zone.label}
        if look is not None:
            told |= look(card, held[card][0].name if card in held else "")
        return face(asking, card, **told)

    now = active(state, zones) if zones else None
    places = [
        Place(f"to:{zone.name}", zone.label, len(state.cards(zone.name, jokers=jokers)), zone == now) for zone in zones
    ]
    rows = tuple(tuple(map(drawn, row)) for row in in_rows(cards, ranks))
    return Picker(now.label if now else asking.say("cards"), rows, tuple(places) if len(places) > 1 else ())


def in_rows(cards: Iterable[Card], ranks: Sequence[str] = ACE_HIGH) -> list[tuple[Card, ...]]:
    """Cards by suit, each suit in the order of the ranks; jokers last."""
    left = set(cards)
    rows = [tuple(Card(rank, suit) for rank in ranks if Card(rank, suit) in left) for suit in SUITS]
    return [row for row in (*rows, tuple(sorted(card for card in left if not card.suit))) if row]


def in_order(cards: Iterable[Card]) -> tuple[Card, ...]:
    """Cards sorted as they are shown in a hand."""
    return tuple(card for row in in_rows(cards) for card in row)


def without_last(state: State, name: str) -> State:
    """The state with the last card of a list taken back."""
    return state.put(**{name: ".".join(state.words(name)[:-1])})

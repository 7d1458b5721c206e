"""Cards of which only the rank counts: a picker of ranks, and stacks to which they are added one by one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from companion.engine.cards import RANKS, Card
from companion.games.spite_and_malice.cards import JOKER, JOKERS
from companion.games.spite_and_malice.options import SpiteRules
from companion.web.referee.asking import Asking
from companion.web.referee.faces import face
from companion.web.referee.picking import Zone, active
from companion.web.referee.shown import Face, Heap, Picker, Place
from companion.web.referee.state import State, read_cards

Look = Callable[[Card], dict[str, Any]]


def ranks_in_use(rules: SpiteRules) -> tuple[Card, ...]:
    """One card of every rank, from the ace, and the joker where the packs hold any."""
    return (*(Card(rank) for rank in RANKS), *([Card(JOKER)] if rules.jokers else []))


def cards_of(state: State, name: str) -> tuple[Card, ...]:
    """The cards of a stack, the lowest first; the same rank may lie there more than once."""
    return state.cards(name, jokers=JOKERS, bare=True)


def add(state: State, zones: Sequence[Zone], word: str) -> State:
    """The state with a card more in the active zone; where there is room for one only, in place of it."""
    card = next(iter(read_cards([word], jokers=JOKERS, bare=True)), None)
    if card is None or not zones:
        return state
    zone = active(state, zones)
    cards = cards_of(state, zone.name)
    if len(cards) >= zone.most:
        return state.put_cards(zone.name, [card]) if zone.most == 1 else state
    return state.put_cards(zone.name, (*cards, card))


def drop(state: State, zones: Sequence[Zone], word: str) -> State:
    """The state without one card of a zone: `h.2` takes away the third of the hand."""
    name, _, place = word.partition(".")
    if name not in {zone.name for zone in zones} or not (place.isascii() and place.isdecimal() and len(place) < 4):
        return state
    cards = cards_of(state, name)
    return state.put_cards(name, (card for at, card in enumerate(cards) if at != int(place)))


def rank_picker(asking: Asking, zones: Sequence[Zone], *, look: Look | None = None) -> Picker:
    """All ranks, to be added to the active zone."""
    state = asking.state
    now = active(state, zones)
    row = tuple(
        face(asking, card, do=f"tap:{card}", **(look(card) if look else {})) for card in ranks_in_use(asking.rules)
    )
    places = tuple(Place(f"to:{zone.name}", zone.label, len(cards_of(state, zone.name)), zone == now) for zone in zones)
    return Picker(now.label, (row,), places if len(places) > 1 else ())


def heap(asking: Asking, zone: Zone, *, note: str = "", look: Callable[[int], dict[str, Any]] | None = None) -> Heap:
    """The cards of a zone, each to be tapped away."""
    drawn: list[Face] = []
    for place, card in enumerate(cards_of(asking.state, zone.name)):
        told = {"note": asking.say("take-back"), **(look(place) if look else {})}
        drawn.append(face(asking, card, do=f"drop:{zone.name}.{place}", **told))
    return Heap(zone.label, tuple(drawn), note)


def rank_text(asking: Asking, card: Card | str) -> str:
    """A card as it is printed in a sentence: its rank, or the joker."""
    return asking.say("joker") if str(card) == JOKER else asking.card(card)

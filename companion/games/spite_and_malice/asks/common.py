"""What the referee's questions share: players, cards of which only the rank counts, moves in words."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from companion.engine.cards import RANKS, Card
from companion.engine.dialogue import (
    UNKNOWN_CARD,
    Context,
    Face,
    Heap,
    Phrase,
    Picker,
    State,
    Target,
    Text,
    Zone,
    active_zone,
    card_term,
    read_cards,
)
from companion.engine.problems import Node
from companion.games.spite_and_malice import announcements as n
from companion.games.spite_and_malice.position import JOKER, JOKERS, Position
from companion.games.spite_and_malice.rules import SpiteRules
from companion.games.spite_and_malice.shapes import read_position


def players_of(context: Context) -> tuple[str, ...]:
    """Return the players in the order of play, beginning with the one who asks."""
    rules: SpiteRules = context.rules
    if len(context.names) == rules.players:
        return context.seats(rules.players)
    names = context.with_names(()).seats(max(rules.players, 4))
    order = {2: (2, 0), 4: (2, 3, 0, 1)}.get(rules.players, range(rules.players))
    return tuple(names[place] for place in order)


def position_of(context: Context, position: Mapping[str, object]) -> Position:
    """Return a position written as in a request. Raises Refused if it is impossible."""
    node = Node(dict(position), ("position",))
    return node.require(read_position(context.rules, node))


def ranks_in_use(rules: SpiteRules) -> tuple[Card, ...]:
    """Return one card of every rank from the ace, and the joker if the packs hold any."""
    return (*(Card(rank) for rank in RANKS), *([Card(JOKER)] if rules.jokers else []))


def cards_of(state: State, name: str) -> tuple[Card, ...]:
    """Return the cards of a stack from the bottom; a rank may be there more than once."""
    return state.cards(name, jokers=JOKERS, bare=True)


def read_rank(word: str) -> Card | None:
    """Return the card that a word names, its suit optional; None if it names none."""
    return next(iter(read_cards([word], jokers=JOKERS, bare=True)), None)


def add_card(state: State, zones: Sequence[Zone], word: str) -> State:
    """Return the state with another card in the active zone; it replaces the card of a zone for one."""
    card = read_rank(word)
    if card is None or not zones:
        return state
    zone = active_zone(state, zones)
    cards = cards_of(state, zone.name)
    if zone.is_full(len(cards)):
        return state
    return state.put_cards(zone.name, [card] if zone.most == 1 else (*cards, card))


def drop_card(state: State, zones: Sequence[Zone], word: str) -> State:
    """Return the state without one card of a zone: `h.2` removes the third card of the hand."""
    name, _, place = word.partition(".")
    if name not in {zone.name for zone in zones} or not (place.isascii() and place.isdecimal() and len(place) < 4):
        return state
    cards = cards_of(state, name)
    return state.put_cards(name, (card for at, card in enumerate(cards) if at != int(place)))


def rank_picker(context: Context, zones: Sequence[Zone], *, look: Callable[[Face], Face] = lambda face: face) -> Picker:
    """Return all ranks, to be added to the active zone; `look` changes how a card is shown."""
    state, now = context.state, active_zone(context.state, zones)
    full = now.is_full(len(cards_of(state, now.name)))
    blank = (Face(card, tone="gone") if full else Face(card, f"tap:{card}") for card in ranks_in_use(context.rules))
    row = tuple(map(look, blank))
    targets = tuple(
        Target(f"to:{zone.name}", zone.label, len(cards_of(state, zone.name)), zone == now) for zone in zones
    )
    return Picker(now.label, (row,), targets if len(targets) > 1 else ())


def zone_heap(
    context: Context, zone: Zone, note: Text = "", *, look: Callable[[int, Face], Face] = lambda place, face: face
) -> Heap:
    """Return the cards of a zone, each a button that removes it; `look` changes how the card at an index is shown."""
    drawn = [
        look(place, Face(card, f"drop:{zone.name}.{place}", note=context.say("take-back")))
        for place, card in enumerate(cards_of(context.state, zone.name))
    ]
    return Heap(zone.label, tuple(drawn), note)


def rank_term(card: Card | None) -> Text:
    """Return a card for a sentence: its rank, the joker, or a question mark."""
    if card is not None and card.rank == JOKER:
        return Phrase("asks.joker")
    return card_term(card or UNKNOWN_CARD)


def card_move(context: Context, card: Card | None, source: str, stack: int | None, onto: str, to: n.Place) -> Phrase:
    """Return in words that a card goes from a source onto a stack, `onto` being `centre` or `side`."""
    origin = context.say(f"from-{source.replace('_', '-')}", number=(stack or 0) + 1)
    target = context.say(f"{onto}-number", number=to + 1) if isinstance(to, int) else context.say(f"{onto}-new")
    return context.say("move", card=rank_term(card), origin=origin, target=target)


def move_message(context: Context, move: n.Announcement) -> Phrase:
    """Return a move in words."""
    match move:
        case n.Play(source, int() | str() as to, card, stack):
            return card_move(context, card, source, stack, "centre", to)
        case n.Discard(to, card, source):
            return card_move(context, card, source, None, "side", to)
    plain = n.plain(move)
    return context.say(f"move-{str(plain['type']).replace('_', '-')}", count=plain.get("count", 0))

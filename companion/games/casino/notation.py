"""Plays and turns as text: `c*9S*9H.5C*B1*9` captures with the 9S the 9H, the 5C and the build B1, as 9.

A play is its kind, the hand card, other cards, builds and the announced value, separated by `*`; empty parts at the
end are left out. Plays of a turn are joined by `_`, turns of a deal by `-`; a digit before a turn is the index of the
seat that took it out of turn. A text names cards without grouping them: how they form sets depends on the table.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from companion.engine.cards import Card
from companion.engine.dialogue import join_cards, read_cards
from companion.games.casino.builds import build_values, sets_of
from companion.games.casino.layout import Layout
from companion.games.casino.plays import AUGMENT, BUILD, CAPTURE, RAISE, TRAIL, Base, Material, Play
from companion.games.casino.rules import CasinoRules
from companion.games.casino.table import Position, alone_values, hand_values, set_value
from companion.games.casino.turn import play_turn

KINDS: Final = {"c": CAPTURE, "b": BUILD, "r": RAISE, "a": AUGMENT, "t": TRAIL}
"""Kinds of plays by their letter."""
MAX_PLAYS: Final = 12
MAX_TURNS: Final = 60
NO_BUILD: Final = "?"
"""The id of the base of an augmented build that names none."""
_LETTERS: Final = {kind: letter for letter, kind in KINDS.items()}
_PARTS: Final = 5
_MAX_ID: Final = 8
_MAX_BUILDS: Final = 8
_SEATS: Final = "0123"


@dataclass(frozen=True, slots=True)
class Draft:
    """A play as it is tapped together: its kind, the hand card, other cards, builds by id, the announced value."""

    kind: str = ""
    card: Card | None = None
    marked: tuple[Card, ...] = ()
    named: tuple[str, ...] = ()
    value: int | None = None

    @property
    def cards(self) -> tuple[Card, ...]:
        """Return all cards of the play outside builds, the hand card last."""
        return (*self.marked, *([self.card] if self.card else []))

    @property
    def empty(self) -> bool:
        """Return whether nothing has been tapped yet."""
        return not (self.card or self.marked or self.named)


def parse_draft(text: str) -> Draft:
    """Return the play that a text stands for; unreadable parts are skipped.

    >>> parse_draft("b*6S*3D**9")
    Draft(kind='build', card=Card(rank='6', suit='S'), marked=(Card(rank='3', suit='D'),), named=(), value=9)
    >>> parse_draft("?")
    Draft(kind='', card=None, marked=(), named=(), value=None)
    """
    letter, card, marked, named, value = (*text.split("*"), *[""] * _PARTS)[:_PARTS]
    number = int(value) if value.isascii() and value.isdecimal() and len(value) < 3 else None
    return Draft(
        KINDS.get(letter, ""),
        next(iter(read_cards([card])), None),
        read_cards(marked.split(".")),
        tuple(name[:_MAX_ID] for name in named.split(".") if name)[:_MAX_BUILDS],
        number,
    )


def format_draft(draft: Draft) -> str:
    """Return a play as text.

    >>> format_draft(parse_draft("c*9S*9H.5C*B1*9"))
    'c*9S*9H.5C*B1*9'
    >>> format_draft(parse_draft("t*KC"))
    't*KC'
    """
    letter = _LETTERS.get(draft.kind, "")
    parts = (letter, str(draft.card or ""), join_cards(draft.marked), ".".join(draft.named), str(draft.value or ""))
    return "*".join(parts).rstrip("*")


def split_plays(text: str) -> tuple[str, ...]:
    """Return the plays of a turn, each as text.

    >>> split_plays("b**4D.5C**9_t*KC")
    ('b**4D.5C**9', 't*KC')
    """
    return tuple(one for one in text.split("_") if one)[:MAX_PLAYS]


def join_plays(texts: Sequence[str]) -> str:
    """Return plays, each as text, as the text of a turn."""
    return "_".join(texts[:MAX_PLAYS])


def parse_plays(text: str) -> tuple[Draft, ...]:
    """Return the plays of a turn."""
    return tuple(parse_draft(one) for one in split_plays(text))


def split_turns(text: str) -> tuple[str, ...]:
    """Return the turns of a deal, each as text."""
    return tuple(one for one in text.split("-") if one)[:MAX_TURNS]


def join_turns(texts: Sequence[str]) -> str:
    """Return turns, each as text, as the text of a deal."""
    return "-".join(texts)


def parse_turn(text: str) -> tuple[int | None, tuple[Draft, ...]]:
    """Return the index of the seat that played out of turn, None where none is named, and the plays.

    >>> parse_turn("2t*KC")[0], len(parse_turn("2t*KC")[1])
    (2, 1)
    """
    seat = int(text[0]) if text[:1].isdecimal() else None
    return seat, parse_plays(text.lstrip(_SEATS))


def announced_values(draft: Draft, layout: Layout) -> tuple[int, ...]:
    """Return the values that can be announced with these cards; where there is one, it needs no question."""
    rules, cards = layout.rules, draft.cards
    if draft.kind == BUILD:
        return build_values(rules, cards)
    if draft.kind == AUGMENT:
        build = next((layout.builds[name] for name in draft.named if name in layout.builds), None)
        return (build.value,) if build else build_values(rules, cards)
    if draft.kind == CAPTURE and draft.card is not None:
        return hand_values(rules, draft.card)
    return ()


def announced_value(draft: Draft, layout: Layout) -> int:
    """Return the value announced: the one chosen, else the highest possible, else the sum of the cards."""
    possible = announced_values(draft, layout)
    if draft.value in possible:
        return draft.value or 0
    return max(possible, default=sum(set_value(layout.rules, card) for card in draft.cards))


def play_of(draft: Draft, layout: Layout) -> Play:
    """Return the play that a draft amounts to on this table; its cards form sets of the value where they can."""
    value = announced_value(draft, layout)
    if draft.kind == CAPTURE:
        several = draft.card is not None and len(hand_values(layout.rules, draft.card)) > 1
        material = Material(_loose(draft.marked, layout), draft.card, _piles(draft.marked, layout), draft.named)
        return Play(CAPTURE, material, declared=value if several else None)
    if draft.kind == BUILD:
        sets = _sets(layout.rules, draft.cards, value)
        if len(sets) > 1:
            return Play(BUILD, Material(), tuple(_material(one, draft, layout) for one in sets), value)
        return Play(BUILD, _material(draft.cards, draft, layout, builds=draft.named), value=value)
    if draft.kind == RAISE:
        return _raise(draft, layout)
    if draft.kind == AUGMENT:
        return _augment(draft, layout, value)
    return Play(TRAIL, Material(_loose(draft.marked, layout), draft.card))


def draft_of(play: Play) -> Draft | None:
    """Return the draft of a play; None where it uses several hand cards, or what is no base, or was asked for.

    A draft does not say which cards form a set, so `play_of` may group them in another way.
    """
    base = play.base or Base("build")
    material = (*play.groups(), *(Material(one) for one in play.absorbed))
    hand = [one.card for one in material if one.card is not None]
    if len(hand) > 1 or base.kind in ("hand", "pile") or play.asked_by is not None:
        return None
    marked = [card for one in material for card in (*one.table, *(card for _, card in one.piles))]
    if base.card is not None:
        marked.append(base.card)
    named = [name for one in material for name in one.builds]
    if play.target:
        named.append(play.target)
    value = play.declared if play.kind == CAPTURE else play.value
    return Draft(play.kind, hand[0] if hand else None, tuple(dict.fromkeys(marked)), tuple(named), value or None)


def plays_of(rules: CasinoRules, position: Position, drafts: Sequence[Draft]) -> tuple[tuple[Play, ...], Layout]:
    """Return the plays of a turn, each formed on the table that those before it left, and the table after them."""
    plays: tuple[Play, ...] = ()
    layout = play_turn(rules, position, plays)
    for draft in drafts:
        plays = (*plays, play_of(draft, layout))
        layout = play_turn(rules, position, plays)
    return plays, layout


def _raise(draft: Draft, layout: Layout) -> Play:
    """Return a raise: loose cards that form sets of the new value are absorbed, others are added to it."""
    rules = layout.rules
    target = next(iter(draft.named), "")
    build = layout.builds.get(target)
    to = sum(
        set_value(rules, card) for card in (*(build.cards if build else ()), *([draft.card] if draft.card else []))
    )
    loose = _loose(draft.marked, layout)
    piles = _piles(draft.marked, layout)
    absorbed = tuple(_sets(rules, loose, to)) if loose else ()
    if absorbed:
        return Play(RAISE, Material((), draft.card, piles), value=to, target=target, absorbed=absorbed)
    to += sum(set_value(rules, card) for card in loose)
    return Play(RAISE, Material(loose, draft.card, piles), value=to, target=target)


def _augment(draft: Draft, layout: Layout, value: int) -> Play:
    """Return sets added to a build, or to one loose card of the value where no build was named."""
    rules, cards = layout.rules, list(draft.cards)
    base = Base("build", NO_BUILD)
    if draft.named:
        base = Base("build", draft.named[0])
    else:
        on_table = [card for card in draft.marked if card in layout.loose]
        lone = next((card for card in on_table if value in alone_values(rules, card)), next(iter(on_table), None))
        if lone is not None:
            base = Base("table", card=lone)
            cards.remove(lone)
        elif draft.card is not None:
            base = Base("hand", card=draft.card)
            cards.remove(draft.card)
    sets = _sets(rules, tuple(cards), value) or ([tuple(cards)] if cards else [])
    sets.sort(key=lambda one: max(_depth(layout, card) for card in one))  # what lies on top is taken first
    return Play(
        AUGMENT, Material(), tuple(_material(one, draft, layout) for one in sets), value, target=base.build, base=base
    )


def _sets(rules: CasinoRules, cards: tuple[Card, ...], value: int) -> list[tuple[Card, ...]]:
    return [tuple(dict.fromkeys(one)) for one in sets_of(rules, cards, value)]


def _material(cards: Sequence[Card], draft: Draft, layout: Layout, *, builds: tuple[str, ...] = ()) -> Material:
    """Return one set: its loose cards, the hand card if it is in it, pile cards with their pile, builds."""
    own = draft.card if draft.card in cards else None
    others = [card for card in cards if card != own]
    return Material(_loose(others, layout), own, _piles(others, layout), builds)


def _loose(cards: Sequence[Card], layout: Layout) -> tuple[Card, ...]:
    return tuple(card for card in cards if not _pile_of(layout, card))


def _piles(cards: Sequence[Card], layout: Layout) -> tuple[tuple[str, Card], ...]:
    return tuple((seat, card) for card in cards if (seat := _pile_of(layout, card)))


def _pile_of(layout: Layout, card: Card) -> str:
    """Return the side in whose pile a card is; empty where it is in none."""
    if card in layout.loose:
        return ""
    return next((side for side, layers in layout.piles.items() if any(card in layer for layer in layers)), "")


def _depth(layout: Layout, card: Card) -> int:
    """Return how many layers of a pile lie above a card; 0 where it is in none."""
    layers = layout.piles.get(_pile_of(layout, card), ())
    return next((depth for depth, layer in enumerate(layers) if card in layer), 0)

"""One play of a turn as it is tapped together: its kind, its cards, and the announcement that they amount to."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from companion.engine.cards import Card
from companion.games.casino.layout import Layout
from companion.games.casino.rules import CasinoRules
from companion.games.casino.table import alone_values, hand_values, set_value
from companion.web.referee.casino.table import build_values, sets_of
from companion.web.referee.state import joined, read_cards

KINDS: Final = {"c": "capture", "b": "build", "r": "raise", "a": "augment", "t": "trail"}
_PARTS: Final = 5


@dataclass(frozen=True, slots=True)
class Draft:
    """A play being put together: `c*9S*9H.5C*B1*9` in the address."""

    kind: str = ""
    card: Card | None = None
    marked: tuple[Card, ...] = ()
    named: tuple[str, ...] = ()
    value: int | None = None

    @property
    def cards(self) -> tuple[Card, ...]:
        """All cards of the play outside builds."""
        return (*self.marked, *([self.card] if self.card else []))

    def written(self) -> str:
        """The play as the address has it."""
        parts = (self.kind, str(self.card or ""), joined(self.marked), ".".join(self.named), str(self.value or ""))
        return "*".join(parts).rstrip("*")

    @property
    def empty(self) -> bool:
        """Whether nothing has been tapped yet."""
        return not (self.card or self.marked or self.named)


def read_draft(text: str) -> Draft:
    """The play that a text of the address stands for."""
    kind, card, marked, named, value = (*text.split("*"), *[""] * _PARTS)[:_PARTS]
    number = int(value) if value.isascii() and value.isdecimal() and len(value) < 3 else None
    return Draft(
        kind if kind in KINDS else "",
        next(iter(read_cards([card])), None),
        read_cards(marked.split(".")),
        tuple(name[:8] for name in named.split(".") if name)[:8],
        number,
    )


def values_of(draft: Draft, layout: Layout) -> tuple[int, ...]:
    """The values that can be announced with these cards; one alone is taken without asking."""
    rules, cards = layout.rules, draft.cards
    if draft.kind == "b":
        return build_values(rules, cards)
    if draft.kind == "a":
        build = next((layout.builds[name] for name in draft.named if name in layout.builds), None)
        return (build.value,) if build else build_values(rules, cards)
    if draft.kind == "c" and draft.card is not None:
        return hand_values(rules, draft.card)
    return ()


def value_of(draft: Draft, layout: Layout) -> int:
    """The value announced: the one chosen, else the highest possible, else the sum."""
    possible = values_of(draft, layout)
    if draft.value in possible:
        return draft.value or 0
    return max(possible, default=sum(set_value(layout.rules, card) for card in draft.cards))


def announced(draft: Draft, layout: Layout) -> dict[str, Any]:
    """The play in the shape of a request; cards fall into sets of the value where they can."""
    rules = layout.rules
    piles = [{"from": seat, "card": str(card)} for card in draft.marked if (seat := _pile_of(layout, card))]
    loose = [card for card in draft.marked if not _pile_of(layout, card)]
    own = {"card": str(draft.card)} if draft.card else {}
    value = value_of(draft, layout)
    if draft.kind == "c":
        declared = {"as": value} if draft.card and len(hand_values(rules, draft.card)) > 1 else {}
        taken = {"table": [str(card) for card in loose], "builds": list(draft.named)}
        return {"play": "capture", **own, **taken, **({"piles": piles} if piles else {}), **declared}
    if draft.kind == "b":
        sets = _sets(rules, draft.cards, value)
        if len(sets) > 1:
            return {"play": "build", "value": value, "sets": [_material(one, draft, layout) for one in sets]}
        plain = _material(draft.cards, draft, layout)
        return {"play": "build", "value": value, **plain, **({"builds": list(draft.named)} if draft.named else {})}
    if draft.kind == "r":
        return _raise(draft, layout, loose, piles)
    if draft.kind == "a":
        return _augment(draft, layout, value)
    return {"play": "trail", **own, **({"table": [str(card) for card in loose]} if loose else {})}


def _raise(draft: Draft, layout: Layout, loose: Sequence[Card], piles: list[dict[str, str]]) -> dict[str, Any]:
    """A raise: loose cards that make sets of the new value are absorbed, others are added to it."""
    rules = layout.rules
    target = next(iter(draft.named), "")
    build = layout.builds.get(target)
    base = sum(set_value(rules, card) for card in build.cards) if build else 0
    to = base + (set_value(rules, draft.card) if draft.card else 0)
    absorbed = _sets(rules, tuple(loose), to) if loose else []
    play: dict[str, Any] = {"play": "raise", "build": target, "to": to}
    if draft.card:
        play["card"] = str(draft.card)
    if absorbed:
        play["absorb"] = [[str(card) for card in one] for one in absorbed]
    elif loose:
        play["table"] = [str(card) for card in loose]
        play["to"] = to + sum(set_value(rules, card) for card in loose)
    return {**play, **({"piles": piles} if piles else {})}


def _augment(draft: Draft, layout: Layout, value: int) -> dict[str, Any]:
    """Sets added to a build, or to one loose card of the value where no build was named."""
    rules, cards = layout.rules, list(draft.cards)
    base: dict[str, str] = {}
    if draft.named:
        base = {"build": draft.named[0]}
    else:
        on_table = [card for card in draft.marked if card in layout.loose]
        lone = next((card for card in on_table if value in alone_values(rules, card)), next(iter(on_table), None))
        if lone is not None:
            base = {"table": str(lone)}
            cards.remove(lone)
        elif draft.card is not None:
            base = {"hand": str(draft.card)}
            cards.remove(draft.card)
    sets = _sets(rules, tuple(cards), value) or ([tuple(cards)] if cards else [])
    return {
        "play": "augment", "value": value, "base": base or {"build": "?"},
        "sets": [_material(one, draft, layout) for one in sets],
    }  # fmt: skip


def _sets(rules: CasinoRules, cards: tuple[Card, ...], value: int) -> list[tuple[Card, ...]]:
    return [read_cards(one) for one in sets_of(rules, cards, value)]


def _material(cards: Sequence[Card], draft: Draft, layout: Layout) -> dict[str, Any]:
    """One set: its loose cards, the hand card where it is in it, pile cards with their pile."""
    own = draft.card if draft.card in cards else None
    others = [card for card in cards if card != own]
    piles = [{"from": seat, "card": str(card)} for card in others if (seat := _pile_of(layout, card))]
    told: dict[str, Any] = {"table": [str(card) for card in others if not _pile_of(layout, card)]}
    if own:
        told["card"] = str(own)
    return {**told, **({"piles": piles} if piles else {})}


def _pile_of(layout: Layout, card: Card) -> str:
    """The opponents' pile in which a card lies; empty where it lies in none."""
    if card in layout.loose:
        return ""
    return next((seat for seat, layers in layout.piles.items() if any(card in layer for layer in layers)), "")

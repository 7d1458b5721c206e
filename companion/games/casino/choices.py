"""What can be done: what one card takes, and the turns of one play that a player may choose from."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations
from typing import Any, Final

from companion.engine.cards import Card
from companion.engine.problems import JsonObject, Node, Refused
from companion.engine.verdict import LEGAL, Missing
from companion.games.casino import articles as a
from companion.games.casino.capture import Reach, declared_values
from companion.games.casino.layout import names
from companion.games.casino.listing import (
    LIST_CAP,
    SMALL_LAYOUT,
    CapturedCards,
    captures_with_tops,
    minimal_sets,
    most_with_tops,
    tops_of,
)
from companion.games.casino.plays import AUGMENT, BUILD, CAPTURE, RAISE, TRAIL, Base, Material, Play
from companion.games.casino.rules import CasinoRules
from companion.games.casino.shapes import read_moves_request
from companion.games.casino.table import (
    Build,
    Position,
    alone_values,
    full_pack,
    hand_values,
    highest_value,
    makes,
    set_value,
    total,
)
from companion.games.casino.turn import play_turn

_MOST_LOOSE: Final = 5
"""Loose cards in one set of a build that is listed."""
_TRIED: Final = 400
"""Builds, raises and augmentations tried for one list."""


def list_moves(rules: CasinoRules, request: Node) -> JsonObject:
    """Return what a card can take (`card`, `as`), or legal turns of one play with every card of the hand.

    Raises Refused with every problem of the request.
    """
    asked = request.require(read_moves_request(request, rules))
    read, card = asked.position, asked.card
    if card is None:
        return _choice(rules, read)
    values = declared_values(rules, card, asked.declared)
    if not values or card not in full_pack(rules) or card in read.visible():
        if not values:
            request["as"].fault("card-value", card=str(card), values=list(hand_values(rules, card)))
        else:
            request["card"].fault("card-elsewhere", card=str(card))
        raise Refused(request.problems)
    return max((_takes(rules, read, card, value) for value in values), key=lambda one: one["maximum"]["cards"])


def builds_of(builds: Sequence[Build], value: int) -> list[Build]:
    """Return the builds that a card of this value takes."""
    return [build for build in builds if build.value == value and value]


def _takes(rules: CasinoRules, position: Position, card: Card, value: int) -> dict[str, Any]:
    reach = Reach(rules, card, value)
    most, truncated = most_with_tops(reach, position)
    builds = builds_of(position.builds, value)
    tops = tops_of(reach.rules, position)
    lying = (*position.table, *tops)
    sets, cut = minimal_sets(reach, lying)
    captures: list[tuple[Card, ...]] | None = None
    more = False
    if len(lying) <= SMALL_LAYOUT:
        captures, more = captures_with_tops(reach, position, maximum=rules.demand_measure == "maximum")
    turns, missing = _judged(rules, position, (_capture(rules, card, value, most, builds), _trail(card)))
    return {
        "as": value or None,
        "maximum": {
            "cards": len(most.table), "table": names(most.table), "builds": [build.id for build in builds],
            **_piles(most.piles),
        },
        "minimal_sets": [names(one) for one in sets],
        "captures": None if captures is None else [names(one) for one in captures],
        "truncated": bool(cut or more or truncated),
        "moves": [_plain(turn) for turn in turns],
        "partial": True,
        "compulsory": [],
        "missing": missing,
    }  # fmt: skip


def _choice(rules: CasinoRules, position: Position) -> Mapping[str, object]:
    """Return legal turns of one play for each card of the hand: the largest captures, builds, raises, the trail.

    Turns of several plays and smaller captures are left out, so the list is always partial.
    """
    if position.hand is None:
        missing = [Missing("hand", a.ONE_HAND_CARD.id, position.player)]
        return {"moves": [], "partial": True, "truncated": False, "compulsory": [], "missing": missing}
    moves, cut = [], False
    for card in sorted(position.hand):
        for value in declared_values(rules, card, None):
            most, short = most_with_tops(Reach(rules, card, value), position)
            cut |= short
            moves.append(_capture(rules, card, value, most, builds_of(position.builds, value)))
        moves.append(_trail(card))
    tried = []
    for card in sorted(position.hand) if rules.building != "none" else ():
        tried += [(play,) for play in (*_builds(rules, position, card), *_raises(rules, position, card))]
        tried += [(play,) for play in _augments(rules, position, card)]
    turns, lacking = _judged(rules, position, (*moves, *tried[:_TRIED]))
    return {
        "moves": [_plain(turn) for turn in turns[:LIST_CAP]],
        "partial": True,
        "truncated": cut or len(tried) > _TRIED or len(turns) > LIST_CAP,
        "compulsory": [],
        "missing": lacking,
    }


def _judged(
    rules: CasinoRules, position: Position, turns: Iterable[tuple[Play, ...]]
) -> tuple[list[tuple[Play, ...]], list[Missing]]:
    """Return the legal turns, and what must be known before others can be judged."""
    legal: list[tuple[Play, ...]] = []
    missing: list[Missing] = []
    for turn in turns:
        verdict = play_turn(rules, position, turn).verdict()
        if verdict.value == LEGAL:
            legal.append(turn)
        missing += [one for one in verdict.missing if one not in missing]
    return legal, missing


def _wanted(rules: CasinoRules, position: Position, card: Card) -> list[int]:
    """Return the values of builds that the player could answer for after playing this card."""
    rest = (position.hand or frozenset()) - {card}
    held = {value for one in rest for value in hand_values(rules, one)}
    proven = position.proven_by_partner if rules.partner_build == "proven" else frozenset()
    return sorted(value for value in held | proven if value <= highest_value(rules))


def _sums(rules: CasinoRules, cards: Sequence[Card], total: int) -> Iterator[tuple[Card, ...]]:
    """Yield the sets of at most some loose cards with this sum."""
    fit = [card for card in cards if 0 < set_value(rules, card) <= total]
    for size in range(1, min(len(fit), _MOST_LOOSE) + 1):
        for some in combinations(fit, size):
            if sum(set_value(rules, card) for card in some) == total:
                yield some


def _builds(rules: CasinoRules, position: Position, card: Card) -> Iterator[Play]:
    for value in _wanted(rules, position, card):
        for some in _sums(rules, position.table, value - set_value(rules, card)):
            yield Play(BUILD, Material(some, card), value=value)


def _raises(rules: CasinoRules, position: Position, card: Card) -> Iterator[Play]:
    for build in position.builds:
        yield Play(RAISE, Material(card=card), value=build.value + set_value(rules, card), target=build.id)


def _augments(rules: CasinoRules, position: Position, card: Card) -> Iterator[Play]:
    """Yield one set with the card, added to a build or to a loose card of the value."""
    bases = [(build.value, Base("build", build=build.id), position.table) for build in position.builds]
    for lone in position.table:
        rest = tuple(one for one in position.table if one != lone)
        bases += [(value, Base("table", card=lone), rest) for value in alone_values(rules, lone)]
    wanted = _wanted(rules, position, card)
    for value, base, loose in bases:
        if value not in wanted:
            continue
        for piles in _tops(rules, position):
            with_card = (card, *(top for _, top in piles))
            for some in ((), *_sums(rules, loose, value - total(rules, with_card))):
                if makes(rules, (*with_card, *some), value):
                    yield Play(AUGMENT, Material(some, card, piles), value=value, target=base.build, base=base)


def _tops(rules: CasinoRules, position: Position) -> Iterator[tuple[tuple[str, Card], ...]]:
    """Yield the tops of opponents' piles that one set may hold: none, each, and of two opponents both (CASINO-605)."""
    own, tops = position.seats.side(position.player), []
    for side, layers in position.piles.items() if rules.pile_cards != "none" else ():
        if side != own and layers and len(layers[0]) == 1:
            tops.append((side, next(iter(layers[0]))))
    for size in range(len(tops) + 1):
        yield from combinations(tops, size)


def _capture(
    rules: CasinoRules, card: Card, value: int, taken: CapturedCards, builds: Sequence[Build]
) -> tuple[Play, ...]:
    declared = value if len(hand_values(rules, card)) > 1 else None
    material = Material(taken.table, card, taken.piles, tuple(build.id for build in builds))
    return (Play(CAPTURE, material, declared=declared),)


def _trail(card: Card) -> tuple[Play, ...]:
    return (Play(TRAIL, Material(card=card)),)


def _piles(piles: Sequence[tuple[str, Card]]) -> dict[str, object]:
    return {"piles": [{"from": side, "card": str(card)} for side, card in piles]} if piles else {}


def _plain(turn: tuple[Play, ...]) -> dict[str, object]:
    """Return a turn as a check takes it."""
    plays = []
    for play in turn:
        material = {"card": str(play.material.card), "table": names(play.material.table)}
        tops = _piles(play.material.piles)
        one: dict[str, object] = {"play": play.kind, "card": material["card"]}
        if play.kind == CAPTURE:
            one |= {"table": material["table"], "builds": list(play.material.builds), **tops}
        elif play.kind == BUILD:
            one |= {"value": play.value, "table": material["table"]}
        elif play.kind == RAISE:
            one |= {"build": play.target, "to": play.value}
        elif play.kind == AUGMENT and play.base is not None:
            base = {"build": play.target} if play.target else {"table": str(play.base.card)}
            one = {"play": AUGMENT, "value": play.value, "base": base, "sets": [{**material, **tops}]}
        if play.declared is not None:
            one["as"] = play.declared
        plays.append(one)
    return {"type": "turn", "plays": plays}

"""What nobody can have in front of them: cards that the packs do not hold, sizes that do not add up, a turn log."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

from companion.engine.cards import Card
from companion.engine.problems import Pointer, Problem, impossible_position
from companion.games.spite_and_malice import articles as a
from companion.games.spite_and_malice.hidden import MOST_IN_HAND, knowledge, wild_mask
from companion.games.spite_and_malice.position import (
    JOKER,
    SECOND_CHANCE,
    Position,
    Turn,
    copies,
    in_pack,
    matches,
    phase_after,
    rank_name,
)
from companion.games.spite_and_malice.rules import SpiteRules

Shown = tuple[Pointer, Card]
"""A card and where the position says that it is."""


def contradictions(rules: SpiteRules, position: Position, centre: Sequence[Card]) -> Iterator[Problem]:
    """Yield a problem for every fact of a position that no distribution of the cards agrees with.

    `centre` are the tops of the centre stacks as they were given.
    """
    if _plainly_possible(rules, position):
        return
    found = [*_impossible(rules, position, centre)]
    if not found and not knowledge(rules, position).consistent:
        pointers = [("stock",), ("payoff_left",), ("centre_stacks",), ("side_stacks",), ("hand",)]
        found += impossible_position(pointers, "no-distribution", a.PACKS.id)
    yield from found


def _plainly_possible(rules: SpiteRules, position: Position) -> bool:
    """Return True where so few cards are seen that a world surely exists: most positions need no closer look."""
    own, partner, tops = position.own, position.partner, position.centre or ()
    if position.payoff_tops or position.turns or partner is not None or None in tops:
        return False
    cards = [card for stack in own.sides or () for card in stack] + [*(position.hand or ())]
    if own.payoff is not None:
        if own.payoff.rank == JOKER:
            return False
        cards.append(own.payoff)
    ranks: dict[str, int] = {}
    for card in cards:
        ranks[card.rank] = ranks.get(card.rank, 0) + 1
    most = max(ranks.values(), default=0) + len(tops)
    if ranks.get(JOKER, 0) > rules.jokers or most > (rules.packs if any(card.suit for card in cards) else 4):
        return False
    held, left = position.held or 0, own.payoff_left or 0
    if position.hand is not None and position.hand_count is not None:
        return False
    used = len(cards) + len(tops) + held + left + (position.stock or 0)
    return held <= MOST_IN_HAND and left <= rules.payoff_size and used <= rules.cards


def _impossible(rules: SpiteRules, position: Position, centre: Sequence[Card]) -> Iterator[Problem]:
    shown, tops = [*_outside(position)], [*_tops(position)]
    laid = [(("centre_stacks", place), card) for place, card in enumerate(centre)]
    strange = [*_not_in_pack(rules, [*shown, *(top[:2] for top in tops), *laid])]
    yield from strange
    yield from _payoffs(rules, position, tops)
    if not strange:
        yield from too_many(rules, shown, _once(tops))
        yield from _centre(rules, shown, _once(tops), position)
    yield from _sizes(rules, position)
    yield from _turns(position.turns or (), position.players)
    yield from _phase(rules, position)


def _outside(position: Position) -> Iterator[Shown]:
    """Yield the cards that are seen in hands and side stacks."""
    for place, card in enumerate(position.hand or ()):
        yield ("hand", place), card
    piles: list[tuple[Pointer, tuple[tuple[Card, ...], ...]]] = [(("side_stacks",), position.own.sides or ())]
    if position.partner is not None:
        piles.append((("partner", "side_stacks"), position.partner.sides or ()))
    for pointer, stacks in piles:
        for number, stack in enumerate(stacks):
            for place, card in enumerate(stack):
                yield (*pointer, number, place), card


def _tops(position: Position) -> Iterator[tuple[Pointer, Card, str | None]]:
    """Yield the pay-off tops that are given, with their player; one may be given twice."""
    if position.own.payoff is not None:
        yield ("payoff",), position.own.payoff, position.player
    if position.partner is not None and position.partner.payoff is not None:
        yield ("partner", "payoff"), position.partner.payoff, position.partner_name
    for player, card in position.payoff_tops.items():
        yield ("payoff_tops", player), card, player


def _once(tops: Sequence[tuple[Pointer, Card, str | None]]) -> list[Shown]:
    """Return the tops with one of each player."""
    return [*{player: (pointer, card) for pointer, card, player in reversed(tops)}.values()]


def _not_in_pack(rules: SpiteRules, shown: Iterable[Shown]) -> Iterator[Problem]:
    for pointer, card in shown:
        if not in_pack(rules, card):
            yield from impossible_position([pointer], "not-in-pack", a.PACKS.id, cards=[str(card)])


def _payoffs(
    rules: SpiteRules, position: Position, tops: Sequence[tuple[Pointer, Card, str | None]]
) -> Iterator[Problem]:
    """Yield what is wrong with the pay-off tops: two of one player, a joker where none is, one of an empty pile."""
    first: dict[str | None, tuple[Pointer, Card]] = {}
    for pointer, card, player in tops:
        other, named = first.setdefault(player, (pointer, card))
        if not matches(card, named):
            cards = [str(named), str(card)]
            yield from impossible_position([other, pointer], "two-tops", a.PAYOFF_TOP.id, cards=cards)
        if card.rank == JOKER and rules.jokers and rules.deal_mode != "single":
            article = a.SPLIT_DECK if rules.deal_mode == "split" else a.SMALL_PAYOFF
            yield from impossible_position([pointer], "no-joker-in-payoff", article.id, cards=[str(card)])
    if position.own.out and position.player in position.payoff_tops:
        cards = [str(position.payoff_tops[position.player])]
        pointers: list[Pointer] = [("payoff_left",), ("payoff_tops", position.player)]
        yield from impossible_position(pointers, "payoff-empty", a.PAYOFF_TOP.id, cards=cards)


def too_many(rules: SpiteRules, shown: Sequence[Shown], tops: Sequence[Shown]) -> Iterator[Problem]:
    """Yield a problem for each of the cards that are seen more often than the packs hold them.

    Pay-off piles that are dealt from one pack hold one card of each kind.
    """
    every, piled = [*shown, *tops], _by_kind(tops)
    one_pack = rules.deal_mode != "single"
    for kind, where in _by_kind(every).items():
        most = copies(rules, kind)
        if len(where) > most:
            facts = {"cards": [str(kind)], "count": len(where), "most": most}
            yield from impossible_position(where, "too-many-copies", a.PACKS.id, **facts)
        elif one_pack and len(piled.get(kind, ())) > (1 if kind.suit else 4):
            facts = {"cards": [str(kind)], "count": len(piled[kind]), "most": 1 if kind.suit else 4}
            yield from impossible_position(piled[kind], "one-pack", a.PAYOFF_PILE.id, **facts)


def _by_kind(cards: Iterable[Shown]) -> dict[Card, list[Pointer]]:
    """Return where each card is seen, and after them where each rank is seen whatever the suit."""
    found: dict[Card, list[Pointer]] = {}
    ranks: dict[Card, list[Pointer]] = {}
    for pointer, card in cards:
        found.setdefault(card, []).append(pointer)
        ranks.setdefault(Card(card.rank), []).append(pointer)
    return {**found, **ranks}


def _centre(rules: SpiteRules, shown: Sequence[Shown], tops: Sequence[Shown], position: Position) -> Iterator[Problem]:
    """Yield a problem if the tops of the centre stacks need more cards than are left, wild cards among them."""
    centre = position.centre or ()
    used = Counter(card.pips for _, card in (*shown, *tops))
    wild = [0] * bool(wild_mask(rules) & 1) + [13] * ("K" in rules.wild)
    spare = sum(copies(rules, Card(JOKER if rank == 0 else "K")) - used[rank] for rank in wild)
    short = {rank: count - (4 * rules.packs - used[rank]) for rank, count in Counter(centre).items() if rank}
    needed = sum(count for count in short.values() if count > 0) + sum(top is None for top in centre)
    if needed > spare:
        pointers = [
            ("centre_stacks", place) for place, top in enumerate(centre) if top is None or short.get(top, 0) > 0
        ]
        names = [rank_name(rank) for rank, count in short.items() if count > 0]
        yield from impossible_position(pointers, "centre-tops", a.PACKS.id, cards=names)


def _sizes(rules: SpiteRules, position: Position) -> Iterator[Problem]:
    """Yield a problem for each number of cards that is too high, alone or together."""
    piles: list[tuple[Pointer, int | None]] = [(("payoff_left",), position.own.payoff_left)]
    if position.partner is not None:
        piles.append((("partner", "payoff_left"), position.partner.payoff_left))
    for pointer, left in piles:
        if left is not None and left > rules.payoff_size:
            facts = {"count": left, "most": rules.payoff_size}
            yield from impossible_position([pointer], "payoff-size", a.PAYOFF_PILE.id, **facts)
    held, count = position.held, position.hand_count
    if held is not None and held > MOST_IN_HAND:
        where: Pointer = ("hand",) if position.hand is not None else ("hand_count",)
        yield from impossible_position([where], "hand-size", a.HAND.id, count=held, most=MOST_IN_HAND)
    if position.hand is not None and count is not None and count != len(position.hand):
        pointers: list[Pointer] = [("hand",), ("hand_count",)]
        yield from impossible_position(pointers, "hand-counts", a.HAND.id, count=len(position.hand), most=count)
    sizes = {
        ("stock",): position.stock or 0,
        ("hand",): held or 0,
        ("side_stacks",): sum(map(len, position.own.sides or ())),
        ("centre_stacks",): len(position.centre or ()),
        **{pointer: left or 0 for pointer, left in piles},
    }
    total = sum(sizes.values())
    if total > rules.cards:
        given = [pointer for pointer, size in sizes.items() if size]
        yield from impossible_position(given, "too-many-cards", a.PACKS.id, count=total, most=rules.cards)


def _phase(rules: SpiteRules, position: Position) -> Iterator[Problem]:
    """Yield a second chance that does not follow a round of idle turns, or one that is not said to be one (SNM-071)."""
    latest, players = (position.turns or ())[::-1], rules.players
    rounds = (latest[taken : taken + players] for taken in range(players))  # after so many second chances
    follows = any(not any(turn.acted for turn in before) for before in rounds)
    if rules.deadlock == "second_chance_redeal" and position.phase == SECOND_CHANCE and not follows:
        yield from impossible_position([("phase",), ("turns",)], "no-idle-round", a.SECOND_CHANCE.id)
    elif position.phase != phase_after(rules, position.turns or ()) and position.phase != SECOND_CHANCE:
        yield from impossible_position([("phase",), ("turns",)], "idle-round", a.SECOND_CHANCE.id)


def _turns(turns: Sequence[Turn], players: Sequence[str]) -> Iterator[Problem]:
    """Yield a problem for each turn of the log that does not follow the one before it."""
    for place, (before, turn) in enumerate(pairwise(turns), start=1):
        expected = players[(players.index(before.player) + 1) % len(players)]
        if turn.player != expected:
            pointers: list[Pointer] = [("turns", place - 1, "player"), ("turns", place, "player")]
            facts = {"seat": turn.player, "expected": expected}
            yield from impossible_position(pointers, "turn-order", a.TURN_ORDER.id, **facts)

"""The rules of one turn over a table on which everything is known, and every distribution of a few hidden cards.

Written against the numbered rules alone, in another style than the judge: cards are ranks (0 a joker), a world is a
plain object, and a move is either allowed or not.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations, product
from typing import Any

NAMES = ["X", "A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"]


@dataclass
class World:
    """All that the rules of a turn ask for."""

    rules: Any
    top: int | None
    left: int
    hand: tuple[int, ...]
    sides: list[list[int]]
    centre: list[int]
    stock: int = 40
    refilled: bool = True
    discarded: bool = False
    second_chance: bool = False
    chance_met: bool = False
    idle: int = 0
    partner_top: int | None = None
    partner_sides: list[list[int]] = field(default_factory=list)

    def wild(self, card: int) -> bool:
        unranked = "joker" in self.rules.wild or self.rules.card_names == "numbered"
        return (card == 0 and unranked) or (card == 13 and "K" in self.rules.wild)

    @property
    def last(self) -> int:
        return {"K": 13, "Q": 12}[self.rules.top_rank]

    @property
    def space(self) -> bool:
        taken = [top for top in self.centre if top < self.last or self.rules.centre_done == "stay"]
        return self.rules.centre_max is None or len(taken) < self.rules.centre_max

    def exposed(self) -> list[tuple[str, int]]:
        """Cards that may bind the mover, by the kind of pile they lie on."""
        found = [("payoff", self.top)] if self.top is not None else []
        found += [("side", side[-1]) for side in self.sides if side]
        if self.rules.mandatory_scope == "own_and_partner" and self.rules.partners == "opposite":
            found += [("payoff", self.partner_top)] if self.partner_top is not None else []
            found += [("side", side[-1]) for side in self.partner_sides if side]
        return [(pile, card) for pile, card in found if not self.wild(card)]

    def owed(self) -> list[tuple[str, int]]:
        """SNM-040 to 043, ALO-012: cards that must go to the centre now."""
        held = 1 in self.hand and "hand_ace" in self.rules.mandatory and self.space
        return [("hand", 1)] * held + [
            (pile, card)
            for pile, card in self.exposed()
            if (card == 1 and f"{pile}_ace" in self.rules.mandatory and self.space)
            or (card == 2 and f"{pile}_two" in self.rules.mandatory and 1 in self.centre)
        ]

    def starved(self, card: int, source: str) -> bool:
        """SNM-045, 124: whether a card on an ace leaves an exposed two without one."""
        mode = self.rules.block_two
        twos = [pile for pile, each in self.exposed() if each == 2]
        if mode == "off" or (card == 2 and source in twos):  # SNM-044: which of them goes first is free
            return False
        piles = [pile for pile in twos if mode != "payoff_only" or pile == "payoff"]
        aces = self.centre.count(1) - 1
        return bool(piles) and aces < (1 if mode == "one_is_enough" else len(piles))

    def chance_open(self) -> bool:
        """SNM-072: an ace or a two in hand that could be played."""
        if not self.second_chance or self.chance_met:
            return False
        ace = 1 in self.hand and self.space
        return ace or (2 in self.hand and 1 in self.centre and not self.starved(2, "hand"))

    def fits_side(self, card: int, side: Sequence[int]) -> bool:
        """SNM-050 to 053, 065."""
        if self.wild(card):
            return True
        if card == 1 and not self.rules.discard_ace:
            return False
        natural = [each for each in side if not self.wild(each)]
        if self.rules.discard_rule == "free" or not natural:
            return True
        above = next(count for count in range(len(side) + 1) if not self.wild(side[len(side) - 1 - count]))
        return natural[-1] - above - 1 <= card <= natural[-1]

    def can_discard(self, card: int) -> bool:
        piles = [side for side in self.sides if side]
        return any(self.fits_side(card, side) for side in piles) or (len(piles) < 4 and self.fits_side(card, ()))


def allowed(world: World, move: dict[str, Any]) -> bool:
    """Whether the move is in order."""
    rules, kind = world.rules, move["type"]
    if world.left == 0 or (rules.deadlock == "second_chance_redeal" and world.idle >= 2 * rules.players):
        return False
    at_end = rules.refill_at == "end"
    refilled = world.refilled or at_end
    if world.discarded:
        return bool(kind == "end_turn")
    if kind == "refill":
        wanted = 5 - len(world.hand) if not refilled else 5 if not world.hand else 0
        return 0 < move["count"] == min(wanted, world.stock)
    if not refilled and len(world.hand) < 5 and world.stock:
        return False
    if refilled and not world.hand and rules.midturn_refill == "must" and world.stock:
        return False
    if kind == "play":
        return _may_play(world, move)
    if world.owed() or world.chance_open():
        return False
    if kind == "discard":
        card = NAMES.index(move["card"])
        if card not in world.hand:
            return False
        if move["to"] == "new":
            return sum(map(bool, world.sides)) < 4 and world.fits_side(card, ())
        return world.fits_side(card, world.sides[move["to"]])
    if not rules.discard_required:
        return True
    if not world.hand:
        return not world.stock and rules.recycle_source == "none"
    return not any(world.can_discard(card) for card in world.hand)


def _may_play(world: World, move: dict[str, Any]) -> bool:
    source, to = move["from"], move["to"]
    named = NAMES.index(move["card"]) if "card" in move else None
    if source == "hand":
        card = named
        there = card in world.hand
    else:
        card = world.top if source == "payoff" else world.sides[move["stack"]][-1]
        there = named in (None, card)
    if card is None or not there:
        return False
    if world.rules.mandatory_timing == "immediate" and world.owed() and (source, card) not in world.owed():
        return False
    if to == "new":
        return world.space and (card == 1 or (world.wild(card) and world.rules.wild_as_ace))
    top = world.centre[to]
    if top >= world.last or not (world.wild(card) or card == top + 1):
        return False
    if world.wild(card) and top == 6 and not world.rules.wild_as_seven:  # ALO-004
        return False
    return top != 1 or not world.starved(card, source)


# Every distribution of a few hidden cards ----------------------------------------------------------------------------


def deck(rules: Any) -> Counter[int]:
    """The packs in use by rank."""
    numbered = rules.card_names == "numbered"
    unranked = rules.jokers + (4 * rules.packs if numbered else 0)
    ranked = dict.fromkeys(range(1, 13 if numbered else 14), 4 * rules.packs)
    return Counter(ranked | ({0: unranked} if unranked else {}))


def hands_and_tops(
    rules: Any,
    unseen: Counter[int],
    *,
    pile: int,
    seen_tops: Sequence[int],
    hand: int | None,
    centre: Sequence[int],
    partner: int = 0,
) -> Iterator[tuple[int | None, tuple[int, ...] | None, int | None, Counter[int]]]:
    """Yield the pay-off top, the hand, the partner's top and the rest of every distribution of the unseen cards.

    `pile` hidden cards lie in the own pay-off pile, its top among them unless it is seen, and `partner` cards in the
    partner's; `hand` cards in a hidden hand; the tops of the centre stacks are natural or wild; everything else may
    hold anything. A pay-off pile of the one pack has no joker, and all piles together at most four of a rank.
    """
    wild: list[int] = [
        card
        for card in (0, 13)
        if (card == 0 and ("joker" in rules.wild or rules.card_names == "numbered"))
        or (card == 13 and "K" in rules.wild and rules.card_names == "playing")
    ]
    for rest in _without_centre(unseen, list(centre), wild):
        for lying in _choices(rest, pile):
            if rules.deal_mode != "single" and not _of_one_pack(rules, lying, seen_tops):
                continue
            left = rest - Counter(lying)
            for held in _choices(left, hand) if hand is not None else [None]:
                for beside in _choices(left - Counter(held or ()), partner):
                    for top in set(lying) or {None}:
                        for other in set(beside) or {None}:
                            yield top, held, other, left - Counter(held or ()) - Counter(beside)


def _without_centre(unseen: Counter[int], centre: list[int], wild: list[int]) -> Iterator[Counter[int]]:
    if not centre:
        yield unseen
        return
    for card in {centre[0], *wild}:
        if unseen[card]:
            yield from _without_centre(unseen - Counter([card]), centre[1:], wild)


def _choices(cards: Counter[int], count: int) -> set[tuple[int, ...]]:
    return set(combinations(sorted(cards.elements()), count))


def _of_one_pack(rules: Any, lying: Sequence[int], seen_tops: Sequence[int]) -> bool:
    return (0 not in lying or rules.card_names == "numbered") and all(
        count <= 4 for count in Counter([*lying, *seen_tops]).values()
    )


# Who starts ----------------------------------------------------------------------------------------------------------


def starts(rules: Any, players: Sequence[str], tops: dict[str, str]) -> set[tuple[str, str]]:
    """What every possible deal of the pay-off tops decides: `first` and a player, or `redo` and how (SNM-012, 013).

    A top may be given without its suit, or not at all. One pack without jokers is dealt unless all are shuffled.
    """
    cards = [name + suit for name in NAMES[1:] for suit in "SHDC"]
    copies = dict.fromkeys(cards, rules.packs if rules.deal_mode == "single" else 1)
    if rules.deal_mode == "single" and rules.jokers:
        copies["X"] = rules.jokers
    choices = [[card for card in copies if tops.get(player, "") in (card, card[:-1], "")] for player in players]
    found = set()
    for dealt in product(*choices):
        if all(dealt.count(card) <= copies[card] for card in dealt):
            found.add(_start(rules, dict(zip(players, dealt, strict=True))))
    return found


def _start(rules: Any, dealt: dict[str, str]) -> tuple[str, str]:
    wild = {card for card in dealt.values() if (card == "X" and "joker" in rules.wild) or _is_wild_king(rules, card)}
    if wild and rules.start_wild == "redraw":
        return "redo", "redraw"
    worth = {player: _worth(rules, card, wild) for player, card in dealt.items()}
    leaders = [player for player, value in worth.items() if value == max(worth.values())]
    if len(leaders) == 1:
        return "first", leaders[0]
    return "redo", "reshuffle" if rules.start_tie == "suit" else rules.start_tie


def _is_wild_king(rules: Any, card: str) -> bool:
    return card[0] == "K" and "K" in rules.wild


def _worth(rules: Any, card: str, wild: set[str]) -> tuple[int, int]:
    """The rank of a top, wild ones above or below all others; then its suit, spades highest, where suits decide."""
    rank = 0 if card == "X" else NAMES.index(card[:-1])
    if card in wild:
        rank = 99 if rules.start_wild == "high" else -1
    return rank, 4 - "SHDC".index(card[-1]) if rules.start_tie == "suit" and card != "X" else 0

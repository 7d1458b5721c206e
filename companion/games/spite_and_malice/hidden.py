"""What is hidden: where cards can be, what a record shows of them later, what cannot be at all.

Cards are known by rank: the packs in use less the cards that are seen. Kinds of cards are bits. A rank has up to four
of them, since some of its copies may be barred from two places: only one pack fills the pay-off piles of a split deal,
and only as many cards of a rank top centre stacks as show it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise, product
from typing import Final

from companion.engine.cards import Card
from companion.engine.problems import Pointer, Problem, impossible_position
from companion.engine.verdict import (
    FALSE,
    TRUE,
    UNDECIDED,
    AllOf,
    AnyOf,
    AtLeast,
    AtMost,
    Claim,
    Finding,
    Knowledge,
    Place,
    Verdict,
    record_contradicts,
)
from companion.games.spite_and_malice import articles as a
from companion.games.spite_and_malice import position as n
from companion.games.spite_and_malice.position import ACE, HAND, TWO, Position, copies, in_pack
from companion.games.spite_and_malice.rules import HAND_SIZE, SIDE_PLACES, SpiteRules

SIDES, PARTNER_SIDES = n.place_of(n.SIDE), n.place_of(n.PARTNER_SIDE)
"""Every hidden place has the name of the fact that shows it."""
CENTRE, _PAYOFFS, _REST = "centre", "payoffs", "rest"
_MOST_IN_HAND: Final = 2 * HAND_SIZE
"""A hand that is drawn up by mistake while it is full; more cards than these nobody takes for a hand."""

_KINGS: Final = 13
_RANKS: Final = 14
_OUTSIDE, _OUTSIDE_CENTRE, _PILED, _PILED_CENTRE = range(4)
RANK: Final = tuple(sum(1 << group * _RANKS + rank for group in range(4)) for rank in range(_RANKS))
"""Every kind of a rank, jokers at 0."""
ALL: Final = sum(RANK)


def mask(ranks: Iterable[int]) -> int:
    """Return the kinds of some ranks, jokers as 0."""
    return sum(RANK[rank] for rank in ranks)


def wild_mask(rules: SpiteRules) -> int:
    """Return the kinds that stand for any rank."""
    return (RANK[0] if "joker" in rules.wild or rules.numbered else 0) | (RANK[_KINGS] if "K" in rules.wild else 0)


def totals(rules: SpiteRules) -> tuple[int, ...]:
    """Return how many cards of each rank the packs have, first those without one."""
    return (rules.unranked, *[4 * rules.packs] * (12 if rules.numbered else 13), *[0] * rules.numbered)


def holds(place: str, rank: int) -> AtLeast:
    """Claim that a hidden place has a card of a rank."""
    return AtLeast(place, RANK[rank])


def holding(cards: Iterable[Card]) -> tuple[Claim, ...]:
    """Claim that a hidden hand has these cards among others."""
    return tuple(AtLeast(HAND, RANK[rank], count) for rank, count in Counter(card.pips for card in cards).items())


def exposed_twos(places: Mapping[str, int], least: int) -> Claim:
    """Claim that hidden places, each with so many cards at most, show at least so many twos together."""
    if least <= 0:
        return TRUE
    ways = [
        counts for counts in product(*(range(min(most, least) + 1) for most in places.values())) if sum(counts) == least
    ]
    if not ways:
        return FALSE
    return AnyOf(
        tuple(
            AllOf(tuple(AtLeast(place, RANK[TWO], count) for place, count in zip(places, way, strict=True) if count))
            for way in ways
        )
    )


def seen(position: Position) -> Iterator[Card]:
    """Yield every card of a position that is seen, but those of pay-off piles and centre stacks."""
    for _, card in _outside(position):
        yield card
    if position.laid is not None:
        yield from position.laid()


def tops_seen(position: Position) -> list[Card]:
    """Return the top of every pay-off pile that is seen, once each."""
    return [card for _, card in _once([*_tops(position)])]


def knowledge(rules: SpiteRules, position: Position, *claims: Claim) -> Knowledge:
    """Return what is known of the hidden cards of a position; `claims` are what the move itself shows."""
    shown = () if position.laid is not None else position.centre or ()
    tops = Counter(top for top in shown if top is not None) - Counter(position.assumed)
    copies = _copies(rules, position, tops)
    conditions = [*position.known, *claims]
    if None in shown:
        conditions.append(AtLeast(CENTRE, wild_mask(rules), shown.count(None)))
    hidden = sum(1 << kind for kind, count in enumerate(copies) if count)
    return Knowledge(hidden, tuple(_places(rules, position, len(shown))), tuple(conditions), copies)


def _copies(rules: SpiteRules, position: Position, tops: Mapping[int, int]) -> tuple[int, ...]:
    """Return how many hidden cards there are of each kind; copies of a rank take the barred kinds first."""
    copies = [0] * (4 * _RANKS)
    outside = Counter(card.pips for card in seen(position))
    piled = Counter(card.pips for card in tops_seen(position))
    doubled = _doubled(rules, position)
    wild = wild_mask(rules)
    for rank, total in enumerate(totals(rules)):
        payable = total if not rules.one_pack else min(total, 4 - position.paid.get(rank, 0))
        if rank == 0 and rules.one_pack and not rules.numbered:
            payable = 0
        barred = total - payable
        lost = max(doubled[rank], outside[rank] - barred)
        left = {_OUTSIDE: barred - (outside[rank] - lost), _PILED: payable - lost - piled[rank]}
        showing = _MOST_CARDS if RANK[rank] & wild else tops.get(rank, 0)
        for group, count in left.items():
            centre = min(showing, max(count, 0))
            copies[(group + 1) * _RANKS + rank] = centre
            copies[group * _RANKS + rank] = max(count, 0) - centre
            showing -= centre
    return tuple(copies)


_MOST_CARDS: Final = 1_000


def _doubled(rules: SpiteRules, position: Position) -> Counter[int]:
    """Return for each rank of how many suits every copy is seen outside the pay-off piles."""
    if position.paid or not rules.one_pack:
        return Counter()
    suited = Counter(card for card in seen(position) if card.suit)
    return Counter(card.pips for card, count in suited.items() if count >= rules.packs)


def _places(rules: SpiteRules, position: Position, stacks: int) -> Iterator[Place]:
    lowest = 0 if rules.numbered else 1
    payable = ALL if not rules.one_pack else sum(RANK[lowest:]) & ~((1 << 2 * _RANKS) - 1)
    piles = {n.PAYOFF: position.own}
    if rules.paired:
        piles[n.PARTNER_PAYOFF] = position.partner or n.UNKNOWN
    low = high = 0
    for name, pile in piles.items():
        if pile.out:
            continue
        if pile.payoff is None and (pile.payoff_left or name == n.PAYOFF):
            yield Place.of(name, 1, payable)
        elif pile.payoff is None:
            yield Place(name, 0, 1, payable)
        low += pile.payoff_left - 1 if pile.payoff_left else 0
        high += (pile.payoff_left or rules.payoff_size) - 1
    others = [player for player in position.players if player not in (position.player, position.partner_name)]
    high += sum(rules.payoff_size - (player in position.payoff_tops) for player in others)
    yield Place(_PAYOFFS, low, high, payable)
    if position.hand is None:
        held = position.hand_count
        yield Place(HAND, 0, _MOST_IN_HAND) if held is None else Place.of(HAND, held)
    if position.own.sides is None:
        yield Place(SIDES, 0, SIDE_PLACES)
    if rules.paired and (position.partner is None or position.partner.sides is None):
        yield Place(PARTNER_SIDES, 0, SIDE_PLACES)
    if stacks:
        centre = sum(1 << group * _RANKS + rank for group in (1, 3) for rank in range(_RANKS))
        yield Place.of(CENTRE, stacks, centre)
    yield Place(_REST, position.stock or 0, rules.cards)


START = -1
"""Before the first move; moves are counted from 0."""


@dataclass(frozen=True, slots=True)
class _Sighting:
    """A card that came into view (`change` 1) or went back among hidden ones (-1), and the turn that showed it."""

    time: int
    change: int
    card: Card
    turn: int
    seat: str
    payoff: bool = False


@dataclass(slots=True)
class Sightings:
    """Every card of a record from the time when it was surely where it was seen.

    A card of a pay-off pile was in it from the start; one that is played from a hidden hand was there since the last
    draw.
    """

    rules: SpiteRules
    seen: list[_Sighting] = field(default_factory=list)

    def show(self, cards: Iterable[Card], since: int, turn: int, seat: str, *, payoff: bool = False) -> None:
        """Note cards that were seen in this turn, and were where they are since a move."""
        self.seen += [_Sighting(START if payoff else since, 1, card, turn, seat, payoff) for card in cards]

    def turn_down(self, card: Card, seat: str) -> None:
        """Forget the top of a pay-off pile that went back into it, and may come up again; one that was seen there."""
        for one in [one for one in self.seen if one.payoff and (one.card, one.seat) == (card, seat)][:1]:
            self.seen.remove(one)

    def hide(self, cards: Iterable[Card], time: int) -> None:
        """Note cards that were shuffled away."""
        self.seen += [_Sighting(time, -1, card, 0, "") for card in cards]

    def contradictions(self) -> Iterator[Finding]:
        """Yield a finding for each kind of card that no pack holds, or that was seen too often."""
        strange = dict.fromkeys(one.card for one in self.seen if not in_pack(self.rules, one.card))
        for card in strange:
            first = next(one for one in self.seen if one.card == card)
            yield _finding("not-in-pack", first, card, 1, 0)
        for rank in dict.fromkeys(one.card.rank for one in self.seen if one.card not in strange):
            mine = sorted((one for one in self.seen if one.card.rank == rank), key=lambda one: (one.time, one.change))
            yield from self._at_one_time(mine)
        if self.rules.one_pack:
            yield from self._of_one_pack()

    def _at_one_time(self, mine: list[_Sighting]) -> Iterator[Finding]:
        """Yield a finding if these sightings of one rank show it, or a card of it, too often at one time."""
        counts: Counter[Card] = Counter()
        shown: list[_Sighting] = []
        for one in mine:
            shown += [one] if one.change > 0 else []
            for kind in {one.card, Card(one.card.rank)}:
                counts[kind] += one.change
                most = copies(self.rules, kind)
                if counts[kind] > most:
                    last = max(
                        (each for each in shown if kind.suit in ("", each.card.suit)), key=lambda each: each.turn
                    )
                    yield _finding("too-many-copies", last, kind, counts[kind], most)
                    return

    def _of_one_pack(self) -> Iterator[Finding]:
        """Yield a finding for each card that the one pack of the pay-off piles does not hold so often."""
        counts: Counter[Card] = Counter()
        for one in filter(lambda one: one.payoff, self.seen):
            if one.card.rank == n.JOKER:
                if in_pack(self.rules, one.card):
                    yield _finding("no-joker-in-payoff", one, one.card, 1, 0)
                continue
            for kind in {one.card, Card(one.card.rank)}:
                counts[kind] += 1
                most = 1 if kind.suit else 4
                if counts[kind] == most + 1:
                    yield _finding("one-pack", one, kind, counts[kind], most)
                    break


def _finding(why: str, one: _Sighting, card: Card, count: int, most: int) -> Finding:
    return record_contradicts(why, a.PACKS, one.seat, turn=one.turn, cards=[str(card)], count=count, most=most)


_EITHER_WAY = "either-way"
"""The code of a breach of one rule or another, whatever the hidden cards are."""
Top = tuple[str, int, int]
"""One card of a pay-off pile: whose, how often the piles were turned up anew, how many cards lie under it and it."""
_Judge = Callable[[SpiteRules, Position, n.Move], Verdict]


@dataclass(slots=True)
class Hand:
    """The unseen cards of a hand at one moment, and what has become of them since: draws and plays in order."""

    size: int
    draws: int = 0
    plays: list[tuple[Card, int]] = field(default_factory=list)
    """Cards that were played unseen, each with the number of unseen cards drawn before it."""

    def play(self, card: Card) -> None:
        """Note an unseen card that was played."""
        self.plays.append((card, self.draws))

    def least(self, kinds: int) -> int:
        """Return how many of these kinds the hand had at least: more were played than can have been drawn since."""
        return self._unmatched([drawn for card, drawn in self.plays if RANK[card.pips] & kinds])

    def can_have(self, kinds: int) -> bool:
        """Return whether the hand may have had one of these kinds."""
        times = [drawn for _, drawn in self.plays]
        if self.size + self.draws > len(times) and self._unmatched(times) < self.size:
            return True  # a card that was never shown
        for place, (card, _) in enumerate(self.plays):
            if RANK[card.pips] & kinds and self._unmatched(times[:place] + times[place + 1 :]) < self.size:
                return True
        return False

    @staticmethod
    def _unmatched(times: Iterable[int]) -> int:
        """Return how many plays cannot all have come from draws, each given with the draws before it."""
        matched = unmatched = 0
        for drawn in times:
            if matched < drawn:
                matched += 1
            else:
                unmatched += 1
        return unmatched


@dataclass(slots=True)
class Open:
    """A verdict that hidden cards left open: the position as it was, and the hidden cards that would decide."""

    place: int | None
    turn: int
    seat: str
    move: n.Move
    position: Position
    verdict: Verdict
    tops: dict[str, Top] = field(default_factory=dict)
    known: Sequence[Card] = ()
    hand: Hand | None = None
    judged: Position | None = None
    """The position with all that was learnt when it was last judged."""

    @property
    def either_way(self) -> tuple[str, int, str]:
        """Return code, turn and seat of a finding that this move breaks some rule whichever card is hidden."""
        return _EITHER_WAY, self.turn, self.seat

    def learn_play(self, player: str, card: Card) -> bool:
        """Take a card that was played later from a hidden hand. Return whether the verdict depends on that hand."""
        if self.hand is None or self.position.player != player:
            return False
        self.hand.play(card)
        return True

    def learn_top(self, top: Top, card: Card) -> bool:
        """Take a pay-off card that was shown later. Return whether it was hidden here."""
        position, changed = self.position, False
        for player, each in self.tops.items():
            if each != top:
                continue
            changed = True
            if player == position.player:
                position = replace(position, own=replace(position.own, payoff=card))
            elif player == position.partner_name:
                position = replace(position, partner=replace(position.partner or n.UNKNOWN, payoff=card))
            position = replace(position, payoff_tops={**position.payoff_tops, player: card})
        self.position = position
        return changed

    def judged_again(self, judge: _Judge, rules: SpiteRules, kinds: Iterable[int]) -> Verdict:
        """Return the verdict with all that has been learnt; `kinds` are those that an article asks the hand for."""
        position = self.position
        if self.hand is not None:
            position = replace(position, known=(*position.known, *self._hand_claims(kinds)))
        if position == self.judged:
            return self.verdict
        self.judged, self.verdict = position, judge(rules, position, self.move)
        return self.verdict

    def _hand_claims(self, kinds: Iterable[int]) -> list[Claim]:
        """Return what later moves say of the hand; cards that were known are beside the unseen ones."""
        claims: list[Claim] = []
        hand, both = self.hand or Hand(0), RANK[ACE] | RANK[TWO]
        apart = hand.least(RANK[ACE]) + hand.least(RANK[TWO])
        for kind in (RANK[ACE], RANK[TWO], both, *kinds):
            beside = sum(bool(RANK[card.pips] & kind) for card in self.known)
            least = hand.least(kind)
            if least and not (kind == both and least == apart):  # what the two say apart need not be said again
                claims.append(AtLeast(HAND, kind, least + beside))
            if not hand.can_have(kind):
                claims.append(AtMost(HAND, kind, beside))
            if not hand.can_have(ALL & ~kind):
                claims.append(AtMost(HAND, ALL & ~kind, len(self.known) - beside))
        return claims


def is_either_way(verdict: Verdict) -> bool:
    """Return whether a verdict says that some rule is broken, but not which."""
    return bool(verdict.breaches) and all(breach.code == _EITHER_WAY for breach in verdict.breaches)


def asks_for_hand(verdict: Verdict) -> bool:
    """Return whether a verdict is open because of the hand of the player in turn."""
    return verdict.value == UNDECIDED and any(missing.fact == "hand" for missing in verdict.missing)


_Shown = tuple[Pointer, Card]
"""A card and where the position says that it is."""
_Tops = Sequence[tuple[Pointer, Card, str | None]]
"""Pay-off tops in the same way, each with its player."""


def contradictions(rules: SpiteRules, position: Position, centre: Sequence[Card]) -> Iterator[Problem]:
    """Yield a problem for every fact of a position that no distribution of the cards agrees with.

    `centre` are the tops of the centre stacks as they were given.
    """
    found = [*_impossible(rules, position, centre)]
    if not found and not knowledge(rules, position).consistent:
        pointers = [("stock",), ("payoff_left",), ("centre_stacks",), ("side_stacks",), ("hand",)]
        found += impossible_position(pointers, "no-distribution", a.PACKS.id)
    yield from found


def _impossible(rules: SpiteRules, position: Position, centre: Sequence[Card]) -> Iterator[Problem]:
    shown, tops = [*_outside(position)], [*_tops(position)]
    laid = [(("centre_stacks", place), card) for place, card in enumerate(centre)]
    strange = [*_not_in_pack(rules, [*shown, *(top[:2] for top in tops), *laid])]
    yield from strange
    yield from _payoffs(rules, position, tops)
    if not strange:
        yield from _too_many(rules, shown, _once(tops))
        yield from _centre(rules, shown, _once(tops), position)
    yield from _sizes(rules, position)
    yield from _turns(position.turns or (), position.players)
    yield from _phase(rules, position)


def _outside(position: Position) -> Iterator[_Shown]:
    """Yield the cards that are seen in hands and side stacks."""
    for place, card in enumerate(position.hand or ()):
        yield ("hand", place), card
    for pointer, piles in _piles(position):
        for number, stack in enumerate(piles.sides or ()):
            for place, card in enumerate(stack):
                yield (*pointer, "side_stacks", number, place), card


def _piles(position: Position) -> Iterator[tuple[Pointer, n.Piles]]:
    """Yield the mover's piles, and a partner's as far as they are given, with the place of their JSON."""
    yield (), position.own
    if position.partner is not None:
        yield ("partner",), position.partner


def _tops(position: Position) -> Iterator[tuple[Pointer, Card, str | None]]:
    """Yield the pay-off tops that are given, with their player; one may be given twice."""
    for (pointer, piles), player in zip(_piles(position), (position.player, position.partner_name), strict=False):
        if piles.payoff is not None:
            yield (*pointer, "payoff"), piles.payoff, player
    for player, card in position.payoff_tops.items():
        yield ("payoff_tops", player), card, player


def _once(tops: _Tops) -> list[_Shown]:
    """Return the tops with one of each player."""
    return [*{player: (pointer, card) for pointer, card, player in reversed(tops)}.values()]


def _not_in_pack(rules: SpiteRules, shown: Iterable[_Shown]) -> Iterator[Problem]:
    for pointer, card in shown:
        if not in_pack(rules, card):
            yield from impossible_position([pointer], "not-in-pack", a.PACKS.id, cards=[str(card)])


def _payoffs(rules: SpiteRules, position: Position, tops: _Tops) -> Iterator[Problem]:
    """Yield what is wrong with the pay-off tops: two of one player, a joker where none is, one of an empty pile."""
    first: dict[str | None, tuple[Pointer, Card]] = {}
    for pointer, card, player in tops:
        other, named = first.setdefault(player, (pointer, card))
        if not n.matches(card, named):
            cards = [str(named), str(card)]
            yield from impossible_position([other, pointer], "two-tops", a.PAYOFF_TOP.id, cards=cards)
        if card.rank == n.JOKER and rules.jokers and rules.one_pack:
            article = a.SPLIT_DECK if rules.deal_mode == "split" else a.SMALL_PAYOFF
            yield from impossible_position([pointer], "no-joker-in-payoff", article.id, cards=[str(card)])
    if position.own.out and position.player in position.payoff_tops:
        cards = [str(position.payoff_tops[position.player])]
        pointers = [("payoff_left",), ("payoff_tops", position.player)]
        yield from impossible_position(pointers, "payoff-empty", a.PAYOFF_TOP.id, cards=cards)


def _too_many(rules: SpiteRules, shown: Sequence[_Shown], tops: Sequence[_Shown]) -> Iterator[Problem]:
    """Yield a problem for each of the cards that are seen more often than the packs hold them.

    Pay-off piles that are dealt from one pack hold one card of each kind.
    """
    piled = _by_kind(tops)
    for kind, where in _by_kind([*shown, *tops]).items():
        most = copies(rules, kind)
        if len(where) > most:
            facts = {"cards": [str(kind)], "count": len(where), "most": most}
            yield from impossible_position(where, "too-many-copies", a.PACKS.id, **facts)
        elif rules.one_pack and len(where := piled.get(kind, [])) > (most := 1 if kind.suit else 4):
            facts = {"cards": [str(kind)], "count": len(where), "most": most}
            yield from impossible_position(where, "one-pack", a.PAYOFF_PILE.id, **facts)


def _by_kind(cards: Iterable[_Shown]) -> dict[Card, list[Pointer]]:
    """Return where each card is seen, and after them where each rank is seen whatever the suit."""
    found: dict[Card, list[Pointer]] = {}
    ranks: dict[Card, list[Pointer]] = {}
    for pointer, card in cards:
        found.setdefault(card, []).append(pointer)
        ranks.setdefault(Card(card.rank), []).append(pointer)
    return {**found, **ranks}


def _centre(
    rules: SpiteRules, shown: Sequence[_Shown], tops: Sequence[_Shown], position: Position
) -> Iterator[Problem]:
    """Yield a problem if the tops of the centre stacks need more cards than are left, wild cards among them."""
    centre = position.centre or ()
    used = Counter(card.pips for _, card in (*shown, *tops))
    wild = {rank: count for rank, count in enumerate(totals(rules)) if RANK[rank] & wild_mask(rules)}
    spare = sum(count - used[rank] for rank, count in wild.items())
    short = {rank: count - (4 * rules.packs - used[rank]) for rank, count in Counter(centre).items() if rank}
    needed = sum(count for count in short.values() if count > 0) + centre.count(None)
    if needed > spare:
        pointers = [
            ("centre_stacks", place) for place, top in enumerate(centre) if top is None or short.get(top, 0) > 0
        ]
        names = [n.rank_name(rules, rank) for rank, count in short.items() if count > 0]
        yield from impossible_position(pointers, "centre-tops", a.PACKS.id, cards=names)


def _sizes(rules: SpiteRules, position: Position) -> Iterator[Problem]:
    """Yield a problem for each number of cards that is too high, alone or together."""
    piles = {(*at, "payoff_left"): piles.payoff_left for at, piles in _piles(position)}
    for pointer, left in piles.items():
        if left is not None and left > rules.payoff_size:
            facts = {"count": left, "most": rules.payoff_size}
            yield from impossible_position([pointer], "payoff-size", a.PAYOFF_PILE.id, **facts)
    held, count = position.held, position.hand_count
    if held is not None and held > _MOST_IN_HAND:
        where = ("hand",) if position.hand is not None else ("hand_count",)
        yield from impossible_position([where], "hand-size", a.HAND.id, count=held, most=_MOST_IN_HAND)
    if position.hand is not None and count is not None and count != len(position.hand):
        pointers = [("hand",), ("hand_count",)]
        yield from impossible_position(pointers, "hand-counts", a.HAND.id, count=len(position.hand), most=count)
    sizes = {
        ("stock",): position.stock or 0,
        ("hand",): held or 0,
        ("side_stacks",): sum(map(len, position.own.sides or ())),
        ("centre_stacks",): len(position.centre or ()),
        **{pointer: left or 0 for pointer, left in piles.items()},
    }
    total = sum(sizes.values())
    if total > rules.cards:
        given = [pointer for pointer, size in sizes.items() if size]
        yield from impossible_position(given, "too-many-cards", a.PACKS.id, count=total, most=rules.cards)


def _phase(rules: SpiteRules, position: Position) -> Iterator[Problem]:
    """Yield stacks set aside where they stay on the table or are shuffled in (SNM-034, 310), and a wrong phase: a
    second chance that does not follow a round of idle turns, or one that is not said to be one (SNM-071).
    """
    if position.set_aside and rules.centre_done != "set_aside":
        article = a.COMPLETED_STACK if rules.centre_done == "stay" else a.SHUFFLED_IN
        yield from impossible_position([("set_aside",)], "none-set-aside", article.id, count=position.set_aside)
    latest, players = (position.turns or ())[::-1], rules.players
    rounds = (latest[taken : taken + players] for taken in range(players))  # after so many second chances
    follows = any(not any(turn.acted for turn in before) for before in rounds)
    if rules.redealt and position.phase == n.SECOND_CHANCE and not follows:
        yield from impossible_position([("phase",), ("turns",)], "no-idle-round", a.SECOND_CHANCE.id)
    elif position.phase != n.phase_after(rules, position.turns or ()) and position.phase != n.SECOND_CHANCE:
        yield from impossible_position([("phase",), ("turns",)], "idle-round", a.SECOND_CHANCE.id)


def _turns(turns: Sequence[n.Turn], players: Sequence[str]) -> Iterator[Problem]:
    """Yield a problem for each turn of the log that does not follow the one before it."""
    for place, (before, turn) in enumerate(pairwise(turns), start=1):
        expected = players[(players.index(before.player) + 1) % len(players)]
        if turn.player != expected:
            pointers = [("turns", place - 1, "player"), ("turns", place, "player")]
            facts = {"seat": turn.player, "expected": expected}
            yield from impossible_position(pointers, "turn-order", a.TURN_ORDER.id, **facts)

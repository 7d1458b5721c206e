"""What a player must do before the turn ends: compulsory aces and twos, aces kept for them, the second chance."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from companion.engine.articles import Article
from companion.engine.cards import Card
from companion.engine.verdict import FALSE, TRUE, AllOf, AnyOf, AtLeast, Claim, negation
from companion.games.spite_and_malice import announcements as n
from companion.games.spite_and_malice import articles as a
from companion.games.spite_and_malice import hidden
from companion.games.spite_and_malice.position import (
    ACE,
    SECOND_CHANCE,
    TWO,
    UNKNOWN,
    Piles,
    Position,
    is_natural,
    rank_name,
)
from companion.games.spite_and_malice.rules import SIDE_PLACES, SpiteRules
from companion.games.spite_and_malice.ruling import Facts, Ruling
from companion.games.spite_and_malice.stacks import room

_SIDE_FACTS = {n.SIDE: "side_stacks", n.PARTNER_SIDE: "partner_side_stacks"}
_PLACES = {
    n.PAYOFF: hidden.PAYOFF, n.PARTNER_PAYOFF: hidden.PARTNER_PAYOFF,
    n.SIDE: hidden.SIDES, n.PARTNER_SIDE: hidden.PARTNER_SIDES,
}  # fmt: skip
_CENTRE: Facts = ("centre_stacks",)


@dataclass(frozen=True, slots=True)
class Duty:
    """One card that must go to the centre: its article, and where it is; `card` is None while it is hidden."""

    article: Article
    source: str
    stack: int | None
    rank: int
    card: Card | None
    open: Claim = TRUE
    """Whether such a card is there; only a hidden place leaves that open."""
    table: Facts = ()
    """Facts of the table that must be known as well, such as the centre stacks."""

    def met_by(self, play: n.Play) -> bool:
        """Return whether a play is this compulsory play."""
        return play.source == self.source and (self.stack is None or play.stack == self.stack)

    @property
    def asks(self) -> Facts:
        """Return the facts that say which card is there."""
        return () if self.card else (_SIDE_FACTS.get(self.source, self.source),)

    def facts(self) -> dict[str, object]:
        """Return the facts of a breach."""
        return {"card": str(self.card or rank_name(self.rank)), "source": self.source, "stack": self.stack}


def duties(rules: SpiteRules, position: Position) -> list[Duty]:
    """Return the compulsory plays that are open now, or may be (SNM-040 to 043)."""
    if not rules.mandatory:
        return []
    found: list[Duty] = []
    for piles, payoff, side in piles_in_scope(rules, position):
        if piles.payoff is not None:
            found += _known(rules, position, payoff, None, piles.payoff)
        elif not piles.out:
            found += _hidden(rules, position, payoff)
        if piles.sides is None:
            found += [each for each in _hidden(rules, position, side) if each.rank == TWO or _aces_lie_there(rules)]
            continue
        for place, stack in enumerate(piles.sides):
            if stack:
                found += _known(rules, position, side, place, stack[-1])
    return found


def judge_duties(rules: SpiteRules, position: Position, ruling: Ruling) -> None:
    """Judge the end of a turn: no compulsory play is left, and a second chance was used (SNM-048, 072)."""
    for duty in duties(rules, position):
        ruling.breach_if(duty.open, duty.article, "duty-open", duty.asks, table=duty.table, **duty.facts())
    if second_chance_binds(rules, position):
        _judge_second_chance(rules, position, ruling)


def judge_timing(rules: SpiteRules, position: Position, play: n.Play, ruling: Ruling) -> None:
    """Judge a play where compulsory cards go first: no other play may come before them (SNM-048)."""
    if rules.mandatory_timing != "immediate" or not rules.mandatory:
        return
    found = duties(rules, position)
    met = [duty for duty in found if duty.met_by(play)]
    if any(duty.open == TRUE and not duty.table for duty in met):
        return
    for duty in found:
        if duty not in met:
            first = AllOf((duty.open, *(negation(each.open) for each in met))) if met else duty.open
            asks = (*duty.asks, *(fact for each in met for fact in each.asks))
            facts = duty.facts()
            ruling.breach_if(first, a.WHEN_COMPULSORY, "duty-first", asks, table=duty.table, **facts)


def judge_kept_ace(
    rules: SpiteRules, position: Position, play: n.Play, card: Card, ruling: Ruling, *, where: str | None = None
) -> None:
    """Judge a card onto an ace: it must leave an ace for every exposed two of one's own (SNM-045, 124).

    With `where` it is only such a card if that hidden place has a wild one.
    """
    there = AtLeast(where, hidden.wild_mask(rules)) if where else TRUE
    shown, asks = _exposed_twos(rules, position)
    least, most = position.aces_showing()
    facts: dict[str, Any] = {"card": str(card), "twos": max(shown, 1), "aces": most}
    sure = _shut_out(rules, position, play, card, most)
    if sure != FALSE:
        ruling.breach_if(_both(there, sure), a.ACE_KEPT_FOR_TWO, "ace-needed", asks, **facts)
    if least < most and sure != TRUE:
        perhaps = _shut_out(rules, position, play, card, least)
        ruling.breach_if(_both(there, perhaps), a.ACE_KEPT_FOR_TWO, "ace-needed", asks, table=_CENTRE, **facts)


def second_chance_plays(rules: SpiteRules, position: Position) -> list[Card]:
    """Return the aces and twos of a known hand of which one must be played now; empty if none must."""
    if not second_chance_binds(rules, position):
        return []
    return [card for card in position.hand or () if _playable(rules, position, card) == TRUE]


def second_chance_binds(rules: SpiteRules, position: Position) -> bool:
    """Return whether this is a second-chance turn in which no ace or two has been played from hand yet."""
    if rules.deadlock != "second_chance_redeal" or position.phase != SECOND_CHANCE or position.played_ace_or_two:
        return False
    return rules.second_chance_scope == "both" or not _broken(position)


def piles_in_scope(rules: SpiteRules, position: Position) -> Iterator[tuple[Piles, str, str]]:
    """Yield the piles whose aces and twos bind the mover, each with the names of its two sources."""
    yield position.own, n.PAYOFF, n.SIDE
    if rules.mandatory_scope == "own_and_partner" and rules.players > 2:
        yield position.partner or UNKNOWN, n.PARTNER_PAYOFF, n.PARTNER_SIDE


def _known(rules: SpiteRules, position: Position, source: str, stack: int | None, card: Card) -> Iterator[Duty]:
    """Yield the duty of a card that is seen on top of a pile."""
    rank = card.pips
    if rank not in (ACE, TWO) or not is_natural(rules, card, rank):
        return
    for duty in _of_rank(rules, position, source, rank):
        yield Duty(duty.article, source, stack, rank, card, TRUE, duty.table)


def _hidden(rules: SpiteRules, position: Position, source: str) -> Iterator[Duty]:
    """Yield the duties of a pile whose top is hidden."""
    for rank in (ACE, TWO):
        yield from _of_rank(rules, position, source, rank)


def _aces_lie_there(rules: SpiteRules) -> bool:
    """Return whether an ace can be in a side stack of the mover's own that is not known (SNM-052, 205)."""
    return rules.discard_ace or rules.side_start > 0


def _of_rank(rules: SpiteRules, position: Position, source: str, rank: int) -> Iterator[Duty]:
    """Yield the duty that an ace or a two would be on a hidden pile, if it would be one."""
    payoff = source in (n.PAYOFF, n.PARTNER_PAYOFF)
    name = f"{'payoff' if payoff else 'side'}_{'ace' if rank == ACE else 'two'}"
    if name not in rules.mandatory:
        return
    if rank == ACE:
        free = room(rules, position)
        needed, sure = free is not False, free is True
    else:
        least, most = position.aces_showing()
        needed, sure = most > 0, least > 0
    if needed:
        article = _ARTICLES[name]
        yield Duty(article, source, None, rank, None, hidden.holds(_PLACES[source], rank), () if sure else _CENTRE)


_ARTICLES = {
    "payoff_ace": a.PAYOFF_ACE, "payoff_two": a.PAYOFF_TWO, "side_ace": a.SIDE_ACE, "side_two": a.SIDE_TWO,
}  # fmt: skip


def _shut_out(rules: SpiteRules, position: Position, play: n.Play, card: Card, aces: int) -> Claim:
    """Claim that a card onto one of so many aces leaves an exposed two without one (SNM-045, 124)."""
    if rules.block_two == "off" or _is_exposed_two(rules, position, play, card):
        return FALSE
    if rules.block_two == "one_is_enough" and aces > 1:
        return FALSE
    needed, shown, places = max(aces, 1), 0, {}
    for piles, payoff, side in piles_in_scope(rules, position):
        if piles.payoff is not None:
            shown += is_natural(rules, piles.payoff, TWO)
        elif not piles.out:
            places[_PLACES[payoff]] = 1
        if rules.block_two == "payoff_only":
            continue
        if piles.sides is None:
            places[_PLACES[side]] = SIDE_PLACES
        else:
            shown += sum(is_natural(rules, top, TWO) for _, top in piles.side_tops())
    return TRUE if shown >= needed else hidden.exposed_twos(places, needed - shown)


def _is_exposed_two(rules: SpiteRules, position: Position, play: n.Play, card: Card) -> bool:
    """Return whether the card is itself one of the twos that the ace is kept for."""
    if not is_natural(rules, card, TWO):
        return False
    return any(
        play.source == payoff or (play.source == side and rules.block_two != "payoff_only")
        for _, payoff, side in piles_in_scope(rules, position)
    )


def _exposed_twos(rules: SpiteRules, position: Position) -> tuple[int, Facts]:
    """Return how many exposed twos are seen, and the facts that would show more."""
    shown, asks = 0, []
    for piles, payoff, side in piles_in_scope(rules, position):
        if piles.payoff is None and not piles.out:
            asks.append(payoff)
        shown += is_natural(rules, piles.payoff, TWO)
        if rules.block_two == "payoff_only":
            continue
        if piles.sides is None:
            asks.append(_SIDE_FACTS[side])
        shown += sum(is_natural(rules, top, TWO) for _, top in piles.side_tops())
    return shown, tuple(asks)


def _judge_second_chance(rules: SpiteRules, position: Position, ruling: Ruling) -> None:
    """Judge the end of a second chance: no ace is in hand that could be played, nor a two (SNM-072)."""
    if position.turns is None and rules.second_chance_scope == "until_broken":
        ruling.lack("turns", a.SECOND_CHANCE_DUTY)
    if position.hand is not None:
        held = second_chance_plays(rules, position)
        if held:
            cards = [str(card) for card in held]
            ruling.breach(a.SECOND_CHANCE_DUTY, "second-chance-open", cards=cards)
            return
        ranks: Sequence[int] = sorted({card.pips for card in position.hand if is_natural(rules, card, card.pips)})
    else:
        ranks = (ACE, TWO)
    wanted = [rank for rank in (ACE, TWO) if rank in ranks]
    table = _CENTRE if position.centre is None or None in position.centre else ()
    claims = {rank: _playable(rules, position, Card(rank_name(rank))) for rank in wanted}
    if position.hand is None:
        claims = {rank: _both(hidden.holds(hidden.HAND, rank), claim) for rank, claim in claims.items()}
    asks = ("hand",) if position.hand is None else ()
    if any(claim not in (TRUE, FALSE) for claim in claims.values()):
        asks = (*asks, *_exposed_twos(rules, position)[1])
    sure = AnyOf(tuple(claim for claim in claims.values() if claim != FALSE))
    cards = [rank_name(rank) for rank, claim in claims.items() if claim != FALSE]
    if sure.claims:
        ruling.breach_if(sure, a.SECOND_CHANCE_DUTY, "second-chance-open", asks, cards=cards)
    if table:
        maybe = [rank for rank in wanted if _perhaps(rules, position, rank)]
        claims = {rank: hidden.holds(hidden.HAND, rank) if position.hand is None else TRUE for rank in maybe}
        either = AnyOf(tuple(claims.values())) if position.hand is None else TRUE
        if maybe:
            ruling.breach_if(either, a.SECOND_CHANCE_DUTY, "second-chance-open", asks, table=table, cards=cards)


def _playable(rules: SpiteRules, position: Position, card: Card) -> Claim:
    """Claim that an ace or a two from hand can be played for certain, as far as the table is known."""
    if is_natural(rules, card, ACE):
        return TRUE if room(rules, position) else FALSE
    least, _ = position.aces_showing()
    if not is_natural(rules, card, TWO) or not least:
        return FALSE
    return negation(_shut_out(rules, position, n.Play(n.HAND, 0, card), card, least))


def _perhaps(rules: SpiteRules, position: Position, rank: int) -> bool:
    """Return whether a card of this rank could be played for all that is known of the table."""
    if rank == ACE:
        return room(rules, position) is None
    least, most = position.aces_showing()
    play = n.Play(n.HAND, 0, Card(rank_name(TWO)))
    return most > least and _shut_out(rules, position, play, Card(rank_name(TWO)), most) != TRUE


def _both(one: Claim, other: Claim) -> Claim:
    if FALSE in (one, other):
        return FALSE
    return one if other == TRUE else other if one == TRUE else AllOf((one, other))


def _broken(position: Position) -> bool:
    """Return whether somebody has acted in this round of second chances."""
    turns = position.turns or ()
    return bool(turns) and any(turn.acted for turn in turns[-len(position.players) + 1 :])

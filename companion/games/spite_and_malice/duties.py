"""What a player must do before the turn ends: compulsory aces and twos, aces kept for them, the second chance."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from companion.engine.articles import Article
from companion.engine.cards import Card
from companion.engine.verdict import Ruling
from companion.games.spite_and_malice import announcements as n
from companion.games.spite_and_malice import articles as a
from companion.games.spite_and_malice.position import ACE, SECOND_CHANCE, TWO, Piles, Position, is_natural
from companion.games.spite_and_malice.rules import SpiteRules
from companion.games.spite_and_malice.stacks import room


@dataclass(frozen=True, slots=True)
class Duty:
    """One card that must go to the centre: its article, and where it is."""

    article: Article
    source: str
    stack: int | None
    card: Card

    def met_by(self, play: n.Play) -> bool:
        """Return whether a play is this compulsory play."""
        return (play.source, play.stack if self.stack is not None else None) == (self.source, self.stack)


def duties(rules: SpiteRules, position: Position, ruling: Ruling) -> list[Duty]:
    """Return the compulsory plays that are open now (SNM-040 to 043); unknown piles are recorded as missing."""
    found: list[Duty] = []
    for piles, payoff, side in _piles_in_scope(rules, position):
        found += _payoff_duty(rules, position, piles, payoff, ruling)
        found += _side_duties(rules, position, piles, side, ruling)
    return found


def judge_duties(rules: SpiteRules, position: Position, ruling: Ruling) -> None:
    """Judge the end of a turn: no compulsory play is left, and a second chance was used (SNM-048, 072)."""
    for duty in duties(rules, position, ruling):
        ruling.breach(duty.article, "duty-open", card=str(duty.card), source=duty.source, stack=duty.stack)
    held = second_chance_cards(rules, position, ruling)
    if held:
        ruling.breach(a.SECOND_CHANCE_DUTY, "second-chance-open", cards=[str(card) for card in held])


def judge_timing(rules: SpiteRules, position: Position, play: n.Play, ruling: Ruling) -> None:
    """Judge a play where compulsory cards go first: no other play may come before them (SNM-048)."""
    if rules.mandatory_timing != "immediate" or not rules.mandatory:
        return
    waiting = Ruling()
    found = duties(rules, position, waiting)
    if any(duty.met_by(play) for duty in found):
        return
    for duty in found:
        ruling.breach(a.WHEN_COMPULSORY, "duty-first", card=str(duty.card), source=duty.source, stack=duty.stack)
    for missing in waiting.missing:
        ruling.lack(missing.fact, a.WHEN_COMPULSORY, missing.seat)


def judge_kept_ace(rules: SpiteRules, position: Position, play: n.Play, card: Card, ruling: Ruling) -> None:
    """Judge a card onto an ace: it must leave an ace for every exposed two of one's own (SNM-045, 124)."""
    if rules.block_two == "off":
        return
    asked = Ruling()
    twos = list(_exposed_twos(rules, position, asked))
    if is_natural(rules, card, TWO) and any((play.source, play.stack) == place for place in twos):
        return
    least, most = position.aces_showing()
    needed, possible = len(twos), len(twos) + len(asked.missing) * n.FAR
    if rules.block_two == "one_is_enough":
        needed, possible = min(needed, 1), min(possible, 1)
    if needed and most - 1 < needed:
        ruling.breach(a.ACE_KEPT_FOR_TWO, "ace-needed", card=str(card), twos=len(twos), aces=most)
    elif needed and least - 1 < needed:
        ruling.lack("centre_stacks", a.ACE_KEPT_FOR_TWO)
    elif least - 1 < possible:
        for missing in asked.missing:
            ruling.lack(missing.fact, a.ACE_KEPT_FOR_TWO, missing.seat)


def second_chance_cards(rules: SpiteRules, position: Position, ruling: Ruling) -> list[Card]:
    """Return the aces and twos of the hand of which one must be played now; empty if that is done or not required."""
    if not second_chance_binds(rules, position):
        return []
    free, (least, most) = room(rules, position), position.aces_showing()
    if position.hand is None:
        if position.held != 0 and (free is not False or most):
            ruling.lack("hand", a.SECOND_CHANCE_DUTY, position.player)
        return []
    held = []
    for card in position.hand:
        if is_natural(rules, card, ACE):
            if free:
                held.append(card)
            elif free is None:
                ruling.lack("centre_stacks", a.SECOND_CHANCE_DUTY)
        elif is_natural(rules, card, TWO) and most:
            blocked = Ruling()
            judge_kept_ace(rules, position, n.Play(n.HAND, 0, card), card, blocked)
            if not least or blocked.missing:
                ruling.lack("centre_stacks", a.SECOND_CHANCE_DUTY)
            elif blocked.legal:
                held.append(card)
    return held


def second_chance_binds(rules: SpiteRules, position: Position) -> bool:
    """Return whether this is a second-chance turn in which no ace or two has been played from hand yet."""
    if rules.deadlock != "second_chance_redeal" or position.phase != SECOND_CHANCE or position.played_ace_or_two:
        return False
    return rules.second_chance_scope == "both" or not _broken(position)


def _broken(position: Position) -> bool:
    """Return whether somebody has acted in this round of second chances."""
    turns = position.turns or ()
    return bool(turns) and any(turn.acted for turn in turns[-len(position.players) + 1 :])


def _piles_in_scope(rules: SpiteRules, position: Position) -> Iterator[tuple[Piles, str, str]]:
    yield position.own, n.PAYOFF, n.SIDE
    if rules.mandatory_scope == "own_and_partner" and rules.players > 2:
        yield position.partner or Piles(), n.PARTNER_PAYOFF, n.PARTNER_SIDE


def _payoff_duty(rules: SpiteRules, position: Position, piles: Piles, source: str, ruling: Ruling) -> Iterator[Duty]:
    if piles.out:
        return
    card, (_, most) = piles.payoff, position.aces_showing()
    if card is None:
        if ("payoff_ace" in rules.mandatory and room(rules, position) is not False) or (
            "payoff_two" in rules.mandatory and most
        ):
            ruling.lack(source, a.PAYOFF_ACE if "payoff_ace" in rules.mandatory else a.PAYOFF_TWO)
    elif is_natural(rules, card, ACE) and "payoff_ace" in rules.mandatory:
        yield from _ace(rules, position, Duty(a.PAYOFF_ACE, source, None, card), ruling)
    elif is_natural(rules, card, TWO) and "payoff_two" in rules.mandatory:
        yield from _two(position, Duty(a.PAYOFF_TWO, source, None, card), ruling)


def _side_duties(rules: SpiteRules, position: Position, piles: Piles, source: str, ruling: Ruling) -> Iterator[Duty]:
    if piles.sides is None:
        aces_there = rules.discard_ace or rules.side_start > 0
        if ("side_two" in rules.mandatory and position.aces_showing()[1]) or (
            "side_ace" in rules.mandatory and aces_there and room(rules, position) is not False
        ):
            ruling.lack("side_stacks" if source == n.SIDE else "partner_side_stacks", a.SIDE_TWO)
        return
    for place, card in piles.side_tops():
        if is_natural(rules, card, ACE) and "side_ace" in rules.mandatory:
            yield from _ace(rules, position, Duty(a.SIDE_ACE, source, place, card), ruling)
        elif is_natural(rules, card, TWO) and "side_two" in rules.mandatory:
            yield from _two(position, Duty(a.SIDE_TWO, source, place, card), ruling)


def _ace(rules: SpiteRules, position: Position, duty: Duty, ruling: Ruling) -> Iterator[Duty]:
    free = room(rules, position)
    if free:
        yield duty
    elif free is None:
        ruling.lack("centre_stacks", duty.article)


def _two(position: Position, duty: Duty, ruling: Ruling) -> Iterator[Duty]:
    least, most = position.aces_showing()
    if least:
        yield duty
    elif most:
        ruling.lack("centre_stacks", duty.article)


def _exposed_twos(rules: SpiteRules, position: Position, ruling: Ruling) -> Iterator[tuple[str, int | None]]:
    """Yield where the twos are that an ace is kept for; unknown piles are recorded as missing."""
    for piles, payoff, side in _piles_in_scope(rules, position):
        if piles.payoff is None and not piles.out:
            ruling.lack(payoff, a.ACE_KEPT_FOR_TWO)
        elif is_natural(rules, piles.payoff, TWO):
            yield payoff, None
        if rules.block_two == "payoff_only":
            continue
        if piles.sides is None:
            ruling.lack("side_stacks" if side == n.SIDE else "partner_side_stacks", a.ACE_KEPT_FOR_TWO)
        for place, card in piles.side_tops():
            if is_natural(rules, card, TWO):
                yield side, place

"""Cards to the centre: where they may come from, where they may go, and what a play changes."""

from __future__ import annotations

from companion.engine.articles import Article
from companion.engine.cards import Card
from companion.engine.verdict import Ruling
from companion.games.spite_and_malice import announcements as n
from companion.games.spite_and_malice import articles as a
from companion.games.spite_and_malice.cards import ACE, TWO, find, in_pack, is_natural, matches, rank_name
from companion.games.spite_and_malice.duties import judge_kept_ace, judge_timing
from companion.games.spite_and_malice.options import SpiteRules
from companion.games.spite_and_malice.position import UNKNOWN, Piles, Position
from companion.games.spite_and_malice.stacks import judge_climb, judge_opening

_PARTNERS = (n.PARTNER_PAYOFF, n.PARTNER_SIDE, n.PARTNER_HAND)


def judge_play(rules: SpiteRules, position: Position, move: n.Play, ruling: Ruling) -> None:
    """A play to the centre, source and target judged each for itself (SNM-021 to 023, 031 to 034, 045, 106)."""
    card = source_card(rules, position, move, ruling)
    if card is not None and not in_pack(rules, card):
        ruling.breach(a.PACKS, "not-in-pack", card=str(card))
        card = None
    if isinstance(move.to, n.OntoSide):
        ruling.breach(a.CLOSED_LIST, "only-to-centre", source=move.source)
        return
    judge_timing(rules, position, move, ruling)
    if move.to == n.NEW:
        if card is not None:
            judge_opening(rules, position, card, ruling)
    else:
        _judge_stack(rules, position, move, int(move.to), card, ruling)
    if ruling.legal and card is not None:
        _note_effect(rules, position, move, card, ruling)


def source_card(rules: SpiteRules, position: Position, move: n.Play, ruling: Ruling) -> Card | None:
    """The card that is played; None where it is not known or must not be touched (noted)."""
    if move.source in _PARTNERS and rules.players > 2:
        if move.source == n.PARTNER_HAND:
            ruling.breach(a.PARTNERS_PILES, "partners-hand")
            return None
        ruling.allow(a.PARTNERS_PILES)
        return _from_piles(position.partner or UNKNOWN, move, ruling)
    if move.source == n.HAND:
        return hand_card(position, move.card, ruling)
    if move.source in (n.PAYOFF, n.SIDE):
        return _from_piles(position.own, move, ruling)
    ruling.breach(a.CLOSED_LIST, "closed-source", source=move.source)
    return None


def hand_card(position: Position, named: Card | None, ruling: Ruling) -> Card | None:
    """The named card of the hand; where the hand is not known, the card shown is the card played."""
    if named is None:
        return None
    if position.held == 0 or (position.hand is not None and find(position.hand, named) is None):
        ruling.breach(a.PLAYS, "not-in-hand", card=str(named))
        return named
    ruling.allow(a.PLAYS)
    return named


def _from_piles(piles: Piles, move: n.Play, ruling: Ruling) -> Card | None:
    if move.source in (n.PAYOFF, n.PARTNER_PAYOFF):
        return _payoff_card(piles, move, ruling)
    return _side_card(piles, move, ruling)


def _payoff_card(piles: Piles, move: n.Play, ruling: Ruling) -> Card | None:
    if piles.out:
        ruling.breach(a.PAYOFF_TOP, "payoff-empty")
        return None
    if move.depth:
        ruling.breach(a.PAYOFF_TOP, "covered", depth=move.depth)
        return None
    ruling.allow(a.PAYOFF_TOP)
    return _shown(piles.payoff, move, move.source, ruling, a.PAYOFF_TOP)


def _side_card(piles: Piles, move: n.Play, ruling: Ruling) -> Card | None:
    place = move.stack or 0
    if move.depth:
        ruling.breach(a.TOP_CARD_ONLY, "covered", depth=move.depth)
        return None
    fact = "side_stacks" if move.source == n.SIDE else "partner_side_stacks"
    top = None
    if piles.sides is not None:
        if place >= len(piles.sides) or not piles.sides[place]:
            ruling.breach(a.PLAYS, "no-such-stack", stack=place)
            return None
        top = piles.sides[place][-1]
    ruling.allow(a.TOP_CARD_ONLY)
    return _shown(top, move, fact, ruling, a.TOP_CARD_ONLY)


def _shown(top: Card | None, move: n.Play, fact: str, ruling: Ruling, article: Article) -> Card | None:
    """The top card, known or as it was shown; a card that does not lie there is noted."""
    if top is None:
        if move.card is None:
            ruling.lack(fact, article)
        return move.card
    if move.card is not None and not matches(top, move.card):
        ruling.breach(article, "not-that-card", card=str(move.card), top=str(top))
        return None
    return top


def _judge_stack(
    rules: SpiteRules, position: Position, move: n.Play, place: int, card: Card | None, ruling: Ruling
) -> None:
    if position.centre is None:
        ruling.lack("centre_stacks", a.NEXT_RANK)
        return
    if place >= len(position.centre):
        ruling.breach(a.CENTRE, "no-such-stack", stack=place)
        return
    top = position.centre[place]
    if card is None:
        return
    if top is None:
        ruling.lack("centre_rank", a.JOKER_TO_CENTRE, stack=place)
        return
    judge_climb(rules, top, card, ruling)
    if top == ACE and rules.top > ACE:
        judge_kept_ace(rules, position, move, card, ruling)


def _note_effect(rules: SpiteRules, position: Position, move: n.Play, card: Card, ruling: Ruling) -> None:
    effect = ruling.effect
    if position.centre is not None:
        tops = list(position.centre)
        if move.to == n.NEW:
            tops.append(ACE)
        else:
            tops[int(move.to)] = (tops[int(move.to)] or 0) + 1  # type: ignore[arg-type]
        new = tops[-1] if move.to == n.NEW else tops[int(move.to)]  # type: ignore[arg-type]
        effect["as"] = rank_name(new or ACE)
        if new == rules.top:
            effect["completed"] = rules.centre_done
            if rules.centre_done != "stay":
                del tops[int(move.to)]  # type: ignore[arg-type]
        effect["centre_stacks"] = [None if top is None else rank_name(top) for top in tops]
    if move.source == n.HAND and position.held is not None:
        effect["hand_count"] = position.held - 1
    if move.source in (n.PAYOFF, n.PARTNER_PAYOFF):
        _note_payoff(rules, position, move, effect)
    if move.source == n.HAND and (is_natural(rules, card, ACE) or is_natural(rules, card, TWO)):
        effect["played_ace_or_two"] = True


def _note_payoff(rules: SpiteRules, position: Position, move: n.Play, effect: dict[str, object]) -> None:
    own = move.source == n.PAYOFF
    piles, other = (position.own, position.partner) if own else (position.partner or UNKNOWN, position.own)
    if piles.payoff_left is None:
        effect["turn_up"] = True
        return
    left = piles.payoff_left - 1
    effect |= {"payoff_left" if own else "partner_payoff_left": left, "turn_up": left > 0}
    if left == 0:
        effect["over"] = rules.players == 2 or (other is not None and other.out)

"""A card from its source to the centre, or from hand onto a side stack."""

from __future__ import annotations

from companion.engine.articles import Article
from companion.engine.cards import Card
from companion.engine.verdict import AtLeast
from companion.games.spite_and_malice import announcements as n
from companion.games.spite_and_malice import articles as a
from companion.games.spite_and_malice import hidden
from companion.games.spite_and_malice.duties import judge_duties, judge_kept_ace, judge_timing
from companion.games.spite_and_malice.position import (
    ACE,
    JOKER,
    TWO,
    UNKNOWN,
    Piles,
    Position,
    find,
    in_pack,
    is_natural,
    matches,
    names,
    rank_name,
)
from companion.games.spite_and_malice.rules import HAND_SIZE, SpiteRules
from companion.games.spite_and_malice.ruling import Ruling
from companion.games.spite_and_malice.stacks import (
    judge_climb,
    judge_new_side,
    judge_opening,
    judge_side,
    judge_unknown_side,
)
from companion.games.spite_and_malice.turn import can_draw

_PARTNERS = (n.PARTNER_PAYOFF, n.PARTNER_SIDE, n.PARTNER_HAND)


def judge_play(rules: SpiteRules, position: Position, move: n.Play, ruling: Ruling) -> None:
    """Judge a play to the centre, source and target separately (SNM-021 to 023, 031 to 034, 045, 106)."""
    card = source_card(rules, position, move, ruling)
    if card is not None and not in_pack(rules, card):
        ruling.breach(a.PACKS, "not-in-pack", card=str(card))
        card = None
    if isinstance(move.to, n.OntoSide):
        ruling.breach(a.CLOSED_LIST, "only-to-centre", source=move.source)
        return
    judge_timing(rules, position, move, ruling)
    if move.to == n.NEW:
        judge_opening(rules, position, card, ruling)
    else:
        _judge_stack(rules, position, move, int(move.to), card, ruling)
    if card is None and hidden_top(position, move) is not None:
        _judge_hidden_top(rules, position, move, ruling)
    if card is not None:
        played = card
        ruling.then(lambda: _effect_of_play(rules, position, move, played))


def hidden_top(position: Position, move: n.Play) -> str | None:
    """Return the hidden place of a pay-off top that is not known, if the play takes it."""
    piles = {n.PAYOFF: position.own, n.PARTNER_PAYOFF: position.partner or UNKNOWN}.get(move.source)
    if piles is None or piles.payoff is not None or piles.out or move.depth:
        return None
    if move.source == n.PARTNER_PAYOFF and position.partner_name is None:
        return None
    return hidden.PAYOFF if move.source == n.PAYOFF else hidden.PARTNER_PAYOFF


def hidden_source(position: Position, move: n.Play | n.Discard) -> str | None:
    """Return the hidden place that a card is taken from, or None if the place is known or may not be used."""
    if move.source == n.HAND:
        return hidden.HAND if position.hand is None and position.hand_count != 0 else None
    if isinstance(move, n.Discard):
        return None
    if move.source == n.SIDE:
        return hidden.SIDES if position.own.sides is None and not move.depth else None
    if position.partner_name is None and move.source != n.PAYOFF:
        return None
    if move.source == n.PARTNER_SIDE:
        unknown = position.partner is None or position.partner.sides is None
        return hidden.PARTNER_SIDES if unknown and not move.depth else None
    return hidden_top(position, move)


def _judge_hidden_top(rules: SpiteRules, position: Position, move: n.Play, ruling: Ruling) -> None:
    """Judge a pay-off top that is played without being named: which cards it can be decides (SNM-032, 033, 045)."""
    place, wild = hidden_top(position, move) or hidden.PAYOFF, hidden.wild_mask(rules)
    if move.to == n.NEW:
        article, fits = a.OPEN_STACK, hidden.RANK[ACE] | (wild if rules.wild_as_ace else 0)
    else:
        tops = position.centre or ()
        top = tops[int(str(move.to))] if int(str(move.to)) < len(tops) else None
        if top is None or top >= rules.top:
            return
        article, fits = a.NEXT_RANK, hidden.RANK[top + 1] | wild
        if top == ACE:
            judge_kept_ace(rules, position, move, Card(JOKER if "joker" in rules.wild else "K"), ruling, where=place)
    ruling.breach_if(AtLeast(place, hidden.ALL & ~fits), article, "no-card-fits", (move.source,))


def source_card(rules: SpiteRules, position: Position, move: n.Play, ruling: Ruling) -> Card | None:
    """Return the card that is played, or None (and record why) if it is unknown or may not be taken."""
    source = move.source
    if source == n.HAND:
        return hand_card(position, move.card, ruling)
    if source == n.PAYOFF:
        return _payoff_card(position.own, move, ruling)
    if source == n.SIDE:
        return _side_card(position.own, move, ruling)
    if source in _PARTNERS and rules.players > 2:
        if source == n.PARTNER_HAND:
            ruling.breach(a.PARTNERS_PILES, "partners-hand")
            return None
        ruling.allow(a.PARTNERS_PILES)
        piles = position.partner or UNKNOWN
        return (_payoff_card if source == n.PARTNER_PAYOFF else _side_card)(piles, move, ruling)
    ruling.breach(a.CLOSED_LIST, "closed-source", source=source)
    return None


def hand_card(position: Position, named: Card | None, ruling: Ruling) -> Card | None:
    """Return the named card of the hand; if the hand is unknown, the card that was shown is taken to be in it."""
    if named is None:
        return None
    if position.held == 0 or (position.hand is not None and find(position.hand, named) is None):
        ruling.breach(a.PLAYS, "not-in-hand", card=str(named))
        return named
    ruling.allow(a.PLAYS)
    return named


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
    """Return the top card, known or as it was shown; another card is recorded as a breach."""
    if top is None:
        if move.card is None and fact not in (n.PAYOFF, n.PARTNER_PAYOFF):
            ruling.lack(fact, article)
        return move.card
    if move.card is not None and not matches(top, move.card):
        ruling.breach(article, "not-that-card", card=str(move.card), top=str(top))
        return None
    return top


def _judge_stack(
    rules: SpiteRules, position: Position, move: n.Play, place: int, card: Card | None, ruling: Ruling
) -> None:
    if position.centre is not None and place >= len(position.centre):
        ruling.breach(a.CENTRE, "no-such-stack", stack=place)
        return
    top = None if position.centre is None else position.centre[place]
    if top is None:
        if is_natural(rules, card, ACE):
            ruling.breach(a.NEXT_RANK, "ace-onto-stack", card=str(card))
        elif position.centre is None:
            ruling.lack("centre_stacks", a.NEXT_RANK)
        else:
            ruling.lack("centre_rank", a.JOKER_TO_CENTRE, stack=place)
        if card is None and hidden_top(position, move) is not None:
            ruling.lack(move.source, a.NEXT_RANK)
        return
    judge_climb(rules, top, card, ruling)
    if card is not None and top == ACE:
        judge_kept_ace(rules, position, move, card, ruling)


def _effect_of_play(rules: SpiteRules, position: Position, move: n.Play, card: Card) -> dict[str, object]:
    effect: dict[str, object] = {}
    if position.centre is not None:
        tops = list(position.centre)
        place = len(tops) if move.to == n.NEW else int(str(move.to))
        new = ACE if move.to == n.NEW else (tops[place] or 0) + 1
        tops[place:] = [new, *tops[place + 1 :]]
        effect["as"] = rank_name(new)
        if new == rules.top:
            effect["completed"] = rules.centre_done
            if rules.centre_done != "stay":
                del tops[place]
        effect["centre_stacks"] = [None if top is None else rank_name(top) for top in tops]
    if move.source == n.HAND and position.held is not None:
        effect["hand_count"] = position.held - 1
    if move.source in (n.PAYOFF, n.PARTNER_PAYOFF):
        effect |= _effect_of_payoff(rules, position, move)
    if move.source == n.HAND and (is_natural(rules, card, ACE) or is_natural(rules, card, TWO)):
        effect["played_ace_or_two"] = True
    return effect


def _effect_of_payoff(rules: SpiteRules, position: Position, move: n.Play) -> dict[str, object]:
    own = move.source == n.PAYOFF
    piles, other = (position.own, position.partner) if own else (position.partner or UNKNOWN, position.own)
    if piles.payoff_left is None:
        return {"turn_up": True}
    left = piles.payoff_left - 1
    effect: dict[str, object] = {"payoff_left" if own else "partner_payoff_left": left, "turn_up": left > 0}
    if left == 0:
        effect["over"] = rules.players == 2 or (other is not None and other.out)
    return effect


# The discard ---------------------------------------------------------------------------------------------------------


def judge_discard(rules: SpiteRules, position: Position, move: n.Discard, ruling: Ruling) -> None:
    """Judge a discard: from hand, no compulsory play left, onto an own stack that fits (SNM-050 to 055, 064 to 069)."""
    if move.source != n.HAND:
        ruling.breach(a.ONLY_FROM_HAND, "discard-source", source=move.source)
        card = move.card
    else:
        card = hand_card(position, move.card, ruling)
    if move.owner != "own":
        ruling.breach(a.OWN_SIDE_STACKS if rules.players > 2 else a.ONLY_FROM_HAND, "discard-owner", owner=move.owner)
    judge_duties(rules, position, ruling)
    ruling.allow(a.CLOSING_DISCARD if rules.discard_required else a.DISCARD)
    if card is not None and not in_pack(rules, card):
        ruling.breach(a.PACKS, "not-in-pack", card=str(card))
        return
    if move.owner == "own":
        _judge_target(rules, position, move, ruling)
    ruling.then(lambda: _effect_of_discard(rules, position, move))


def _judge_target(rules: SpiteRules, position: Position, move: n.Discard, ruling: Ruling) -> None:
    sides = position.own.sides
    if move.to == n.NEW:
        judge_new_side(position.own, ruling)
        if move.card is not None:
            judge_side(rules, (), move.card, ruling)
    elif sides is None:
        if move.card is not None:
            judge_unknown_side(rules, move.card, ruling)
    elif int(move.to) >= len(sides):
        ruling.breach(a.SIDE_STACKS, "no-such-stack", stack=int(move.to))
    elif move.card is not None:
        judge_side(rules, sides[int(move.to)], move.card, ruling)


def _effect_of_discard(rules: SpiteRules, position: Position, move: n.Discard) -> dict[str, object]:
    held, sides = position.held, position.own.sides
    again = rules.after_last_discard == "refill_and_replay" and held == 1 and bool(can_draw(rules, position))
    effect: dict[str, object] = {"turn_ends": not again, "next": position.player if again else position.next_player}
    if again and position.stock != 0:  # with an empty stock, the stacks put under it decide how many can be drawn
        effect["refill"] = HAND_SIZE if position.stock is None else min(HAND_SIZE, position.stock)
    if held is not None:
        effect["hand_count"] = held - 1
    if sides is not None and move.card is not None:
        stacks = [names(stack) for stack in sides]
        free = next((place for place, stack in enumerate(stacks) if not stack), len(stacks))
        place = free if move.to == n.NEW else int(move.to)
        stacks[place:] = [[*(stacks[place] if place < len(stacks) else ()), str(move.card)], *stacks[place + 1 :]]
        effect["side_stacks"] = stacks
    return effect

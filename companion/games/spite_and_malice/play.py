"""One turn: whether it may go on, cards to the centre, the draw, the discard and the end."""

from __future__ import annotations

from companion.engine.articles import Article
from companion.engine.cards import Card
from companion.engine.verdict import Ruling
from companion.games.spite_and_malice import announcements as n
from companion.games.spite_and_malice import articles as a
from companion.games.spite_and_malice.duties import judge_duties, judge_kept_ace, judge_timing
from companion.games.spite_and_malice.position import (
    ACE,
    TWO,
    UNKNOWN,
    Piles,
    Position,
    find,
    in_pack,
    is_natural,
    is_wild,
    matches,
    names,
    rank_name,
)
from companion.games.spite_and_malice.rules import HAND_SIZE, SpiteRules
from companion.games.spite_and_malice.stacks import accepted, judge_climb, judge_new_side, judge_opening, judge_side

_BETWEEN_TURNS = (n.Start, n.DealCheck, n.Redeal, n.SecondChance)
_AT_ANY_TIME = (*_BETWEEN_TURNS, n.Recycle, n.Complete, n.ClaimWin, n.ClaimStalemate)


def judge_moment(rules: SpiteRules, position: Position, move: n.Announcement, ruling: Ruling) -> None:
    """Judge whether this kind of move may come now: the deal goes on, the turn is not over, the hand is refilled."""
    if not isinstance(move, n.Recycle | n.Start | n.DealCheck) and move.seat not in (None, position.player):
        ruling.breach(a.TURN_ORDER, "not-your-turn", seat=move.seat, player=position.player)
    if is_over(rules, position) and not isinstance(move, n.Start | n.DealCheck | n.ClaimWin | n.Complete):
        ruling.breach(out_article(rules), "deal-over")
    if isinstance(move, _AT_ANY_TIME):
        return
    if position.discarded and not isinstance(move, n.EndTurn):
        if not (isinstance(move, n.Refill) and may_play_again(rules, position)):
            ruling.breach(a.AFTER_DISCARD, "turn-is-over")
        return
    if not isinstance(move, n.Refill) and not position.discarded:
        _judge_drawn(rules, position, ruling)


def is_over(rules: SpiteRules, position: Position) -> bool:
    """Return whether the deal has ended, by announcement or because the mover's side is out (SNM-090, 108)."""
    if rules.players == 2:
        return position.over or position.own.out
    return position.over or (position.own.out and position.partner is not None and position.partner.out)


def out_article(rules: SpiteRules) -> Article:
    """Return the article on the end of a deal: one pile, or both of a partnership."""
    return a.GOING_OUT if rules.players == 2 else a.BOTH_PILES


def may_play_again(rules: SpiteRules, position: Position) -> bool:
    """Return whether the discard that emptied the hand lets its player draw and go on (SNM-123)."""
    return rules.after_last_discard == "refill_and_replay" and position.held in (0, None)


def judge_refill(rules: SpiteRules, position: Position, move: n.Refill, ruling: Ruling) -> None:
    """Judge the number of cards drawn: up to five at the start, five in mid-turn with an empty hand (SNM-020, 028)."""
    again = position.discarded and may_play_again(rules, position)
    if position.discarded and not again:
        return
    if not position.refilled and not again:
        article, held = a.REFILL, position.held
        ruling.allow(article)
    else:
        article, held = _midturn_article(rules, again=again), position.held
        if held is not None and held > 0:
            ruling.breach(article, "hand-not-empty", held=held)
            return
        if held is None:
            ruling.lack("hand", article, position.player)
        held = 0
        ruling.allow(article)
    stock = position.stock if position.stock is not None else n.FAR
    if held is None:
        if not 1 <= move.count <= min(HAND_SIZE, stock):
            ruling.breach(article, "draw-count", count=move.count, most=min(HAND_SIZE, stock))
        else:
            ruling.lack("hand", article, position.player)
        return
    expected = max(min(HAND_SIZE - held, stock), 0)
    if move.count != expected or expected == 0:
        ruling.breach(article, "draw-count", count=move.count, most=expected)
        return
    ruling.effect |= {"hand_count": held + expected}
    if position.stock is not None:
        ruling.effect["stock"] = position.stock - expected


def judge_end(rules: SpiteRules, position: Position, ruling: Ruling) -> None:
    """Judge the spoken end of a turn: no compulsory play is left, and no discard is owed (SNM-026, 216, 218)."""
    if not position.discarded:
        judge_duties(rules, position, ruling)
        if rules.discard_required:
            _judge_closing(rules, position, ruling)
    ruling.allow(a.SHORT_HAND if rules.discard_required and not position.discarded else a.END_OF_TURN)
    ruling.effect |= {"turn_ends": True, "next": position.next_player}


def can_draw(rules: SpiteRules, position: Position) -> bool:
    """Return whether the stock has cards, or would have after recycling."""
    if position.stock is None or position.stock > 0:
        return True
    stacks = position.complete or sum(top == rules.top for top in position.centre or ())
    if rules.recycle_source == "complete_then_incomplete":
        stacks += position.incomplete or 0
    return rules.recycle_source != "none" and stacks > 0


def _judge_drawn(rules: SpiteRules, position: Position, ruling: Ruling) -> None:
    stocked = position.stock is None or position.stock > 0
    held = position.held
    if not position.refilled and stocked:
        if held is None:
            ruling.lack("hand", a.REFILL, position.player)
        elif held < HAND_SIZE:
            ruling.breach(a.REFILL, "refill-first", held=held)
    elif rules.midturn_refill == "must" and held == 0 and stocked:
        ruling.breach(a.FIVE_NEW_CARDS, "five-first")


def _judge_closing(rules: SpiteRules, position: Position, ruling: Ruling) -> None:
    held = position.held
    if held == 0 and not can_draw(rules, position):
        return
    if held == 0 and rules.midturn_refill == "must":
        ruling.breach(a.FIVE_NEW_CARDS, "five-first")
    elif held is None and not can_draw(rules, position):
        ruling.lack("hand", a.CLOSING_DISCARD, position.player)
    elif held == 0 or held is None or _can_discard(rules, position):
        ruling.breach(a.CLOSING_DISCARD, "discard-owed")


def _can_discard(rules: SpiteRules, position: Position) -> bool:
    """Return whether any card of the hand fits a side stack; an unknown hand is assumed to have one."""
    sides = position.own.sides
    if position.hand is None or sides is None:
        return True
    places = [stack for stack in sides if stack] + [()] * (4 - sum(bool(stack) for stack in sides))
    return any(
        in_pack(rules, card) and (is_wild(rules, card) or card.pips in accepted(rules, stack))
        for card in position.hand
        for stack in places
    )


def _midturn_article(rules: SpiteRules, *, again: bool) -> Article:
    if again:
        return a.PLAY_AGAIN
    return a.FIVE_NEW_CARDS if rules.midturn_refill == "must" else a.EMPTY_HAND


# Cards to the centre -------------------------------------------------------------------------------------------------


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
        if card is not None:
            judge_opening(rules, position, card, ruling)
    else:
        _judge_stack(rules, position, move, int(move.to), card, ruling)
    if ruling.legal and card is not None:
        _note_play(rules, position, move, card, ruling)


def source_card(rules: SpiteRules, position: Position, move: n.Play, ruling: Ruling) -> Card | None:
    """Return the card that is played, or None (and record why) if it is unknown or may not be taken."""
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
    """Return the named card of the hand; if the hand is unknown, the card that was shown is taken to be in it."""
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
    """Return the top card, known or as it was shown; another card is recorded as a breach."""
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


def _note_play(rules: SpiteRules, position: Position, move: n.Play, card: Card, ruling: Ruling) -> None:
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
    if ruling.legal:
        _note_discard(rules, position, move, ruling)


def _judge_target(rules: SpiteRules, position: Position, move: n.Discard, ruling: Ruling) -> None:
    sides = position.own.sides
    if move.to == n.NEW:
        judge_new_side(position.own, ruling)
        if move.card is not None:
            judge_side(rules, (), move.card, ruling)
        return
    place = int(move.to)
    if sides is None:
        known = Ruling()
        if move.card is not None:
            judge_side(rules, (), move.card, known)  # what no stack takes needs no look at the stack
        if known.breaches:
            ruling.breaches += known.breaches
        elif move.card is not None and move.card.pips in accepted(rules, ()) and rules.discard_rule != "free":
            ruling.lack("side_stacks", a.SAME_OR_LOWER)
        else:
            ruling.because += known.because
    elif place >= len(sides):
        ruling.breach(a.SIDE_STACKS, "no-such-stack", stack=place)
    elif move.card is not None:
        judge_side(rules, sides[place], move.card, ruling)


def _note_discard(rules: SpiteRules, position: Position, move: n.Discard, ruling: Ruling) -> None:
    held, sides = position.held, position.own.sides
    again = rules.after_last_discard == "refill_and_replay" and held == 1 and can_draw(rules, position)
    ruling.effect |= {"turn_ends": not again, "next": position.player if again else position.next_player}
    if again and position.stock != 0:  # with an empty stock, the stacks put under it decide how many can be drawn
        ruling.effect["refill"] = HAND_SIZE if position.stock is None else min(HAND_SIZE, position.stock)
    if held is not None:
        ruling.effect["hand_count"] = held - 1
    if sides is not None and move.card is not None:
        stacks = [names(stack) for stack in sides]
        if move.to == n.NEW:
            free = next((place for place, stack in enumerate(stacks) if not stack), None)
            if free is None:
                stacks.append([str(move.card)])
            else:
                stacks[free] = [str(move.card)]
        else:
            stacks[int(move.to)].append(str(move.card))
        ruling.effect["side_stacks"] = stacks

"""What fits where: centre stacks that climb from the ace, side stacks that stay or fall, and wild cards among them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from companion.engine.articles import Article
from companion.engine.cards import Card
from companion.engine.verdict import Ruling
from companion.games.spite_and_malice import articles as a
from companion.games.spite_and_malice.cards import ACE, JOKER, is_natural, is_wild, rank_name
from companion.games.spite_and_malice.options import SIDE_PLACES, SpiteRules
from companion.games.spite_and_malice.position import Piles, Position


def accepted(rules: SpiteRules, stack: Sequence[Card]) -> range:
    """The ranks that a natural card may have to be laid on a side stack (SNM-051 to 053, 065 to 068, 103).

    Wild cards are not among them: one goes on every stack that is there. An empty stack stands for a free place.

    >>> [rank_name(rank) for rank in accepted(SpiteRules(), (Card("8"), Card("X")))]
    ['6', '7', '8']
    """
    ranks = _ranks(rules, stack)
    return ranks if rules.discard_ace else range(max(ACE + 1, ranks.start), ranks.stop)


def _ranks(rules: SpiteRules, stack: Sequence[Card]) -> range:
    """The ranks that fit, the ace included whether or not the table lets it be discarded."""
    natural = len(stack)
    while natural and is_wild(rules, stack[natural - 1]):
        natural -= 1
    if rules.discard_rule == "free" or natural == 0:
        return range(ACE, rules.top + 1)
    base, wild = stack[natural - 1].pips, len(stack) - natural
    return range(max(ACE, base - wild - 1), base + 1)


def occupied(rules: SpiteRules, position: Position) -> int | None:
    """How many centre places are taken; completed stacks take one only where they stay."""
    if position.centre is None:
        return None
    return sum(top != rules.top or rules.centre_done == "stay" for top in position.centre)


def room(rules: SpiteRules, position: Position) -> bool | None:
    """Whether another centre stack may be opened; None where that is not known (SNM-031, 212, 304)."""
    if rules.centre_max is None:
        return True
    taken = occupied(rules, position)
    return None if taken is None else taken < rules.centre_max


def judge_opening(rules: SpiteRules, position: Position, card: Card, ruling: Ruling) -> None:
    """A card that opens a centre stack: there is room, and it is an ace or a wild card lying as one."""
    free = room(rules, position)
    if free is False:
        ruling.breach(a.CENTRE_PLACES, "centre-full", places=rules.centre_max)
    elif free is None:
        ruling.lack("centre_stacks", a.CENTRE_PLACES)
    if is_wild(rules, card):
        article = a.JOKER_AS_ACE if card.rank == JOKER else a.KING_AS_ACE
        if rules.wild_as_ace:
            ruling.allow(article, card=str(card), rank=rank_name(ACE))
        else:
            ruling.breach(article, "wild-opens", card=str(card))
    elif card.pips == ACE:
        ruling.allow(a.OPEN_STACK)
    else:
        ruling.breach(a.OPEN_STACK, "opens-with-ace", card=str(card))


def judge_climb(rules: SpiteRules, top: int, card: Card, ruling: Ruling) -> None:
    """A card onto a centre stack with this effective top: one rank higher or wild, and the stack is not complete."""
    if top >= rules.top:
        ruling.breach(done_article(rules), "stack-complete", top=rank_name(top), card=str(card))
    elif is_wild(rules, card):
        article = a.JOKER_TO_CENTRE if card.rank == JOKER else a.KING_TO_CENTRE
        ruling.allow(article, card=str(card), rank=rank_name(top + 1))
    elif card.pips == top + 1:
        ruling.allow(a.NEXT_RANK, top=rank_name(top), card=str(card))
    else:
        ruling.breach(a.NEXT_RANK, "next-rank", top=rank_name(top), needed=rank_name(top + 1), card=str(card))


def done_article(rules: SpiteRules) -> Article:
    """The article on a completed stack that the table plays."""
    return {"stay": a.COMPLETED_STACK, "set_aside": a.SET_ASIDE, "shuffle_now": a.SHUFFLED_IN}[rules.centre_done]


def judge_new_side(own: Piles, ruling: Ruling) -> None:
    """A free place for another side stack (SNM-050)."""
    if own.sides is None:
        ruling.lack("side_stacks", a.SIDE_STACKS)
    elif sum(bool(stack) for stack in own.sides) >= SIDE_PLACES:
        ruling.breach(a.SIDE_STACKS, "sides-full", places=SIDE_PLACES)


def judge_side(rules: SpiteRules, stack: Sequence[Card], card: Card, ruling: Ruling) -> None:
    """A card onto a side stack, from the present contents alone (SNM-053, 065 to 068)."""
    if is_wild(rules, card):
        ruling.allow(a.JOKER_DISCARDED if card.rank == JOKER else a.KING_DISCARDED, card=str(card))
        return
    if is_natural(rules, card, ACE) and not rules.discard_ace:
        ruling.breach(a.ACE_STAYS_IN_HAND, "ace-discarded", card=str(card))
    article = _side_article(rules, stack)
    if card.pips in _ranks(rules, stack):
        ruling.allow(article, **({"top": str(stack[-1])} if stack else {}), card=str(card))
    else:
        code = "joker-range" if article is a.JOKER_RANGE else "same-or-lower"
        ranks = [rank_name(rank) for rank in reversed(accepted(rules, stack))]
        ruling.breach(article, code, top=str(stack[-1]), card=str(card), accepted=ranks)


def side_offers(rules: SpiteRules, piles: Piles) -> Iterator[tuple[int | str, list[str]]]:
    """Every place for a discard with the natural ranks that it accepts, highest first; a new stack is `new`."""
    for place, stack in enumerate(piles.sides or ()):
        if stack:
            yield place, [rank_name(rank) for rank in reversed(accepted(rules, stack))]
    if piles.sides is not None and sum(bool(stack) for stack in piles.sides) < SIDE_PLACES:
        yield "new", [rank_name(rank) for rank in reversed(accepted(rules, ()))]


def _side_article(rules: SpiteRules, stack: Sequence[Card]) -> Article:
    if rules.discard_rule == "free":
        return a.FREE_DISCARDS if "joker" in rules.wild else a.ANY_CARD_ANYWHERE
    if not stack or not is_wild(rules, stack[-1]):
        return a.SAME_OR_LOWER if stack else a.NEW_SIDE_STACK
    return a.ONLY_JOKERS if all(is_wild(rules, card) for card in stack) else a.JOKER_RANGE

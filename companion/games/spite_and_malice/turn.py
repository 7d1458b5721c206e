"""Whether a turn may go on: the deal is not over, no redeal is due, the hand is drawn; the draw and the end."""

from __future__ import annotations

from typing import Final

from companion.engine.articles import Article
from companion.engine.verdict import AllOf, AnyOf, AtLeast, AtMost, Claim
from companion.games.spite_and_malice import announcements as n
from companion.games.spite_and_malice import articles as a
from companion.games.spite_and_malice import hidden
from companion.games.spite_and_malice.duties import judge_duties
from companion.games.spite_and_malice.position import ACE, Position, idle_run, is_wild
from companion.games.spite_and_malice.rules import HAND_SIZE, SIDE_PLACES, SpiteRules
from companion.games.spite_and_malice.ruling import Facts, Ruling
from companion.games.spite_and_malice.stacks import accepted, stacks_complete, stacks_incomplete

_HAND: Facts = ("hand",)
_SIDES: Facts = ("side_stacks",)
_PLACE_FREE: Final = AtMost(hidden.SIDES, hidden.ALL, SIDE_PLACES - 1)
_IN_TURN: Final = frozenset((n.Play, n.Discard, n.Refill, n.EndTurn))
_ANYBODYS: Final = frozenset((n.Recycle, n.Start, n.DealCheck))
_AFTER_THE_END: Final = frozenset((n.Start, n.DealCheck, n.ClaimWin, n.Complete))


def judge_moment(rules: SpiteRules, position: Position, move: n.Announcement, ruling: Ruling) -> None:
    """Judge whether this kind of move may come now: the deal goes on, the turn is not over, the hand is refilled."""
    kind = move.__class__
    if move.seat is not None and move.seat != position.player and kind not in _ANYBODYS:
        ruling.breach(a.TURN_ORDER, "not-your-turn", seat=move.seat, player=position.player)
    if is_over(rules, position) and kind not in _AFTER_THE_END:
        ruling.breach(out_article(rules), "deal-over")
    if kind not in _IN_TURN:
        return
    if redeal_due(rules, position):
        ruling.breach(a.REDEAL, "redeal-due", idle=2 * rules.players)
    if not position.discarded:
        if kind is not n.Refill:
            _judge_drawn(rules, position, move, ruling)
    elif kind is not n.EndTurn and not (kind is n.Refill and may_play_again(rules, position)):
        ruling.breach(a.AFTER_DISCARD, "turn-is-over")


def is_over(rules: SpiteRules, position: Position) -> bool:
    """Return whether the deal has ended, by announcement or because the mover's side is out (SNM-090, 108)."""
    if position.over or not position.own.out:
        return position.over
    return rules.players == 2 or (position.partner is not None and position.partner.out)


def out_article(rules: SpiteRules) -> Article:
    """Return the article on the end of a deal: one pile, or both of a partnership."""
    return a.GOING_OUT if rules.players == 2 else a.BOTH_PILES


def redeal_due(rules: SpiteRules, position: Position) -> bool:
    """Return whether everybody was idle twice in a row, so that the cards are dealt again before any turn (SNM-074)."""
    if rules.deadlock != "second_chance_redeal" or not position.turns:
        return False
    return len(idle_run(position.turns)) >= 2 * rules.players


def may_play_again(rules: SpiteRules, position: Position) -> bool:
    """Return whether the discard that emptied the hand lets its player draw and go on (SNM-123)."""
    return rules.after_last_discard == "refill_and_replay" and position.held in (0, None)


def judge_refill(rules: SpiteRules, position: Position, move: n.Refill, ruling: Ruling) -> None:
    """Judge the number of cards drawn: up to five at the start, five in mid-turn with an empty hand (SNM-020, 028)."""
    again = position.discarded and may_play_again(rules, position)
    if position.discarded and not again:
        return
    article, held = a.REFILL, position.held
    if position.refilled or again:
        article = _midturn_article(rules, again=again)
        if held is not None and held > 0:
            ruling.breach(article, "hand-not-empty", held=held)
            return
        if held is None:
            ruling.breach_if(AtLeast(hidden.HAND, hidden.ALL), article, "hand-not-empty", _HAND, held=1)
        held = 0
    ruling.allow(article, count=move.count)
    stock = position.stock if position.stock is not None else n.FAR
    most = min(HAND_SIZE, stock)
    if held is None and 1 <= move.count <= most:
        ruling.breach_if(_not_due(move.count, stock), article, "draw-count", _HAND, count=move.count, most=most)
        ruling.then(lambda: _drawn(position, HAND_SIZE if move.count < stock else None, move.count))
        return
    expected = most if held is None else max(min(HAND_SIZE - held, stock), 0)
    if held is None or move.count != expected or expected == 0:
        ruling.breach(article, "draw-count", count=move.count, most=expected)
        return
    ruling.then(lambda: _drawn(position, (held or 0) + expected, expected))


def judge_end(rules: SpiteRules, position: Position, ruling: Ruling) -> None:
    """Judge the spoken end of a turn: no compulsory play is left, and no discard is owed (SNM-026, 216, 218)."""
    if not position.discarded:
        judge_duties(rules, position, ruling)
        if rules.discard_required:
            _judge_closing(rules, position, ruling)
    ruling.allow(a.SHORT_HAND if rules.discard_required and not position.discarded else a.END_OF_TURN)
    ruling.then(lambda: {"turn_ends": True, "next": position.next_player})


def can_draw(rules: SpiteRules, position: Position) -> bool | None:
    """Return whether the stock has cards, or would have after recycling; None where nobody counted the stacks."""
    if position.stock is None or position.stock > 0:
        return True
    if rules.recycle_source == "none":
        return False
    counts = [stacks_complete(rules, position)]
    if rules.recycle_source == "complete_then_incomplete":
        counts.append(stacks_incomplete(rules, position))
    return True if any(counts) else None if None in counts else False


def _drawn(position: Position, held: int | None, count: int) -> dict[str, object]:
    after: dict[str, object] = {} if held is None else {"hand_count": held}
    return after if position.stock is None else after | {"stock": position.stock - count}


def _not_due(count: int, stock: int) -> Claim:
    """Claim that a hidden hand is not one to which so many cards are drawn, up to five or what the stock has."""
    more = AtLeast(hidden.HAND, hidden.ALL, HAND_SIZE - count + 1)
    return more if count == stock else AnyOf((more, AtMost(hidden.HAND, hidden.ALL, HAND_SIZE - count - 1)))


def _due(position: Position, count: int) -> int:
    """Return how many of so many cards the stock has; with none left, as many as it may have once it is filled up."""
    return min(count, position.stock or count)


def _judge_drawn(rules: SpiteRules, position: Position, move: n.Announcement, ruling: Ruling) -> None:
    if position.stock == 0:
        return
    held = position.held
    if not position.refilled:
        if held is None:
            short = AtMost(hidden.HAND, hidden.ALL, HAND_SIZE - 1)
            ruling.breach_if(short, a.REFILL, "refill-first", _HAND, held=HAND_SIZE - 1, count=1)
        elif held < HAND_SIZE:
            ruling.breach(a.REFILL, "refill-first", held=held, count=_due(position, HAND_SIZE - held))
    elif rules.midturn_refill == "must":
        count = _due(position, HAND_SIZE)
        if held == 0:
            ruling.breach(a.FIVE_NEW_CARDS, "five-first", count=count)
        elif held is None and move.__class__ is n.Play:
            ruling.breach_if(AtMost(hidden.HAND, hidden.ALL), a.FIVE_NEW_CARDS, "five-first", _HAND, count=count)


def _judge_closing(rules: SpiteRules, position: Position, ruling: Ruling) -> None:
    """Judge a turn that ends without a discard: none can be made, and no cards can be drawn for one."""
    held, draw, article = position.held, can_draw(rules, position), a.CLOSING_DISCARD
    if held == 0 and draw is None:
        ruling.lack("complete", article)
    elif held == 0 and draw and rules.midturn_refill == "must":
        ruling.breach(a.FIVE_NEW_CARDS, "five-first", count=_due(position, HAND_SIZE))
    elif held == 0 and draw:
        ruling.breach(article, "discard-owed")
    if held == 0:
        return
    fits, unsure = _discardable(rules, position), rules.discard_rule != "free" and position.own.sides is None
    if position.hand is not None:
        ranks = fits & {0 if is_wild(rules, card) else card.pips for card in position.hand}
        if unsure and ranks and 0 not in ranks:
            _judge_hidden_sides(rules, ranks, ruling)
        elif ranks:
            ruling.breach(article, "discard-owed")
        return
    discard: Claim = AtLeast(hidden.HAND, discardable_kinds(rules, position))
    empty = AtMost(hidden.HAND, hidden.ALL)
    if unsure:
        ruling.breach_if(discard, article, "discard-owed", _HAND, table=_SIDES)
        discard = AnyOf((AtLeast(hidden.HAND, hidden.wild_mask(rules)), AllOf((discard, _PLACE_FREE))))
    if held is not None or draw is not True:
        ruling.breach_if(discard, article, "discard-owed", (*_HAND, *_SIDES) if unsure else _HAND)
    if held is None and draw is not False:
        owed = AnyOf((discard, empty)) if draw else empty
        ruling.breach_if(owed, article, "discard-owed", _HAND, table=() if draw else ("complete",))


def _judge_hidden_sides(rules: SpiteRules, ranks: set[int], ruling: Ruling) -> None:
    """Judge a turn that ends without a discard of cards that fit a free place; hidden stacks may leave none."""
    article, wild = a.CLOSING_DISCARD, hidden.wild_mask(rules)
    fitting = hidden.mask({rank + above for rank in ranks for above in (0, 1) if rank + above <= rules.top}) & ~wild
    owed = AnyOf((_PLACE_FREE, AtLeast(hidden.SIDES, fitting)))
    ruling.breach_if(owed, article, "discard-owed", _SIDES)
    ruling.breach_if(AtLeast(hidden.SIDES, wild), article, "discard-owed", _SIDES, table=_SIDES)


def discardable_kinds(rules: SpiteRules, position: Position) -> int:
    """Return the kinds of hidden cards that fit a side stack."""
    return _of(rules, _discardable(rules, position))


def _of(rules: SpiteRules, ranks: set[int]) -> int:
    """Return the kinds of some ranks, wild cards as 0."""
    wild = hidden.wild_mask(rules)
    return (hidden.mask(ranks - {0}) & ~wild) | wild


def _discardable(rules: SpiteRules, position: Position) -> set[int]:
    """Return the ranks that fit a side stack, wild cards as 0; where the stacks are not known, a place is free."""
    places = [stack for stack in position.own.sides or () if stack]
    if len(places) >= SIDE_PLACES:
        return {0}.union(*(accepted(rules, stack) for stack in places))
    return {0, *range(ACE if rules.discard_ace else ACE + 1, rules.top + 1)}


def _midturn_article(rules: SpiteRules, *, again: bool) -> Article:
    if again:
        return a.PLAY_AGAIN
    return a.FIVE_NEW_CARDS if rules.midturn_refill == "must" else a.EMPTY_HAND

"""May this be called? Judge numbers, nils, blind calls and moons."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from companion.engine.articles import Article
from companion.engine.verdict import Ruling, Verdict
from companion.games.spades import articles as a
from companion.games.spades.calls import Bids
from companion.games.spades.played_calls import points_needed, why_not_played
from companion.games.spades.rules import SpadesRules
from companion.games.spades.table import (
    BLIND,
    BLIND_MOON,
    DOUBLE_BLIND_NIL,
    DOUBLE_NIL,
    MOON,
    NIL,
    NORMAL,
    PASS,
    Call,
    Position,
)


@dataclass(frozen=True)
class Saying:
    """One call about to be made, with the calls before it."""

    position: Position
    call: Call
    bids: Bids

    @cached_property
    def after(self) -> Bids:
        """What the calls become with it."""
        return Bids(self.bids.table, (*self.bids.calls, self.call))

    @property
    def rules(self) -> SpadesRules:
        """The rules of the table."""
        return self.bids.table.rules

    @property
    def side(self) -> str:
        """The side that the call is made for; empty where it has none."""
        return self.call.side or ""

    @property
    def caller(self) -> str:
        """The seat that calls, or the side where partners announce together."""
        return self.call.seat or self.side


def judge_call(position: Position, call: Call, bids: Bids | None = None) -> Verdict:
    """Return the verdict on one call (SPADES-010 to 027, 100, 130 to 134, 140 to 171).

    Whoever has many calls judged in one position gives its `bids`, so that they are counted once.
    """
    table, rules = position.table, position.table.rules
    bids = bids or Bids(table, position.calls or ())
    at = Saying(position, call, bids)
    ruling = Ruling()
    may, round_number = ((), 1) if bids.by_sides else _turn(bids, call)
    if position.phase == "play" and (position.trick or position.trick_number):
        ruling.breach(a.BID_IN_TURN, "bidding-over", seat=call.seat or call.side, call=call.spoken)
    elif bids.by_sides:
        _consultation_turn(at, ruling)
    else:
        _out_of_turn(at, may, ruling)
    if round_number == 2:
        _second_round(at, ruling)
    else:
        _first_round(at, ruling)
    _nil_beside_moon(at, ruling)
    _forbidden_total(at, ruling)
    if not ruling.breaches:
        if table.dealer is None:
            ruling.lack("dealer", a.BID_IN_TURN)
        _lack_of_blindness(at, ruling)
        if call.side is not None:
            ruling.effect |= {"side": call.side, "contract": at.after.contract(call.side)}
    ruling.allow(_allowing_article(rules, call, round_number), **_what_allows(rules, call))
    verdict = ruling.verdict()
    return Verdict(verdict.breaches, verdict.missing, verdict.because, ruling.effect)


def _turn(bids: Bids, call: Call) -> tuple[tuple[str, ...], int]:
    """Return the seats that may call, and the round; with an unknown dealer only who has called counts."""
    if bids.table.dealer is not None:
        return bids.turn
    number = 1 + len(bids.by_seat.get(call.seat or "", ()))
    return (bids.table.seats, number) if number <= bids.rounds else ((), 0)


def _out_of_turn(at: Saying, may: tuple[str, ...], ruling: Ruling) -> None:
    if not may:
        ruling.breach(a.BID_IN_TURN, "bidding-over", seat=at.call.seat, call=at.call.spoken)
    elif at.call.seat not in may:
        ruling.breach(a.BID_IN_TURN, "bid-out-of-turn", seat=at.call.seat, next=may[0])


def _consultation_turn(at: Saying, ruling: Ruling) -> None:
    """The side without the dealer announces first, then the dealer's side, each once (SPADES-132)."""
    bids, call, table = at.bids, at.call, at.bids.table
    if table.dealer is not None:
        first, dealers = bids.announcing
        if call.side == dealers and not bids.complete(first):
            ruling.breach(a.CONSULTATION, "wrong-side-first", side=dealers, next=first)
        if call.side == first and bids.complete(first) and bids.side_calls(dealers):
            ruling.breach(a.CONSULTATION, "bid-out-of-turn", seat=call.side, next=dealers)
    known = call.side is not None and bids.contract(call.side) is not None and bool(bids.nils(call.side))
    if call.side is not None and (known if call.is_nil else bids.complete(call.side)):
        ruling.breach(a.CONSULTATION, "already-announced", side=call.side)
    if call.is_nil and call.seat is None:
        ruling.breach(a.NIL, "nil-of-nobody", side=call.side)
    if call.is_nil and call.seat is not None and bids.first(call.seat):
        ruling.breach(a.BID_IN_TURN, "bid-out-of-turn", seat=call.seat, next=call.side)


def _first_round(at: Saying, ruling: Ruling) -> None:
    rules, bids, call = at.rules, at.bids, at.call
    wide = bids.side_wide(at.side)
    if call.word == PASS:
        if not wide:
            ruling.breach(a.BID_IN_TURN, "no-passing", seat=at.caller)
    elif wide is not None:
        article = a.MOON if wide.word == MOON else a.BLIND_BID
        ruling.breach(article, "side-has-called", seat=at.caller, call=wide.spoken)
    elif call.is_nil:
        _nil(at, ruling)
        _minimum_with_nil(at, ruling)
    elif call.word == NORMAL:
        _number(at, ruling)
        _minimum(at, ruling)
    elif call.word == BLIND:
        _blind(at, ruling)
        _alone(at, a.BLIND_BID, ruling)
    elif call.word == BLIND_MOON:
        if _is_played(rules, call, ruling):
            _blindness(at, ruling)
            _alone(at, a.BLIND_MOON, ruling)
    elif _is_played(rules, call, ruling) and bids.nils(at.side):
        ruling.breach(a.MOON, "nil-in-blind-side", seat=at.caller, call=call.word)


def _number(at: Saying, ruling: Ruling) -> None:
    rules, call, table = at.rules, at.call, at.bids.table
    number, lowest = call.number or 0, 0 if rules.zero_bid else 1
    if call.number is None or not lowest <= call.number <= rules.tricks:
        article = a.NO_ZERO_BID if call.number == 0 else a.BID
        ruling.breach(article, "bid-range", call=call.number, low=lowest, high=rules.tricks)
    if rules.partners and rules.bid_method == "later_partner" and call.seat is not None:
        partner = at.bids.first(table.partner(call.seat))
        if partner is not None and partner.word == NORMAL and number < (partner.number or 0) <= rules.tricks:
            facts = {"seat": call.seat, "call": number, "partner": partner.seat, "partner_call": partner.number}
            ruling.breach(a.PARTNER_BID, "below-partner-bid", **facts)


def _minimum(at: Saying, ruling: Ruling) -> None:
    """Judge the minimum, which binds the side's final number only: the earlier partner may say less (SPADES-170)."""
    rules, call = at.rules, at.call
    if rules.minimum_bid == 0 or call.side is None or not _final(at):
        return
    contract = at.after.contract(call.side) or 0
    if contract < rules.minimum_bid:
        article = a.MINIMUM_WITH_NIL if at.bids.nils(call.side) else a.MINIMUM_BID
        ruling.breach(article, "below-minimum", side=call.side, contract=contract, minimum=rules.minimum_bid)


def _minimum_with_nil(at: Saying, ruling: Ruling) -> None:
    """Judge the minimum of a side with a nil, which is not freed from it (SPADES-171, A-33)."""
    rules, bids, side = at.rules, at.bids, at.call.side
    if rules.minimum_bid == 0 or not rules.partners or side is None or not bids.side_calls(side):
        return
    contract = bids.contract(side)
    if contract is None or (contract < rules.minimum_bid and not rules.second_round):
        ruling.breach(a.MINIMUM_WITH_NIL, "below-minimum", side=side, contract=contract, minimum=rules.minimum_bid)


def _final(at: Saying) -> bool:
    """Return whether this call of the first round settles its side's number."""
    rules, call, table = at.rules, at.call, at.bids.table
    if not rules.partners or rules.bid_method == "consultation":
        return True
    return call.seat is not None and at.bids.first(table.partner(call.seat)) is not None and not rules.second_round


def _nil(at: Saying, ruling: Ruling) -> None:
    rules, call = at.rules, at.call
    if _is_played(rules, call, ruling) and call.word != NIL:
        _blindness(at, ruling)


def _blind(at: Saying, ruling: Ruling) -> None:
    rules, call = at.rules, at.call
    if not _is_played(rules, call, ruling):
        return
    number = call.number or 0
    if number < rules.blind_bid_min:
        ruling.breach(a.BLIND_MINIMUM, "blind-too-low", call=number, minimum=rules.blind_bid_min)
    if number > rules.tricks:
        ruling.breach(a.BID, "bid-range", call=number, low=rules.blind_bid_min, high=rules.tricks)
    if number < rules.minimum_bid:
        ruling.breach(a.MINIMUM_BID, "below-minimum", side=call.side, contract=number, minimum=rules.minimum_bid)
    _blindness(at, ruling)


def _alone(at: Saying, article: Article, ruling: Ruling) -> None:
    """A blind call is the whole bid of its side: the partner has not called before (SPADES-155, A-29)."""
    earlier = at.bids.side_calls(at.side)
    if earlier:
        facts = {"seat": at.call.seat or at.call.side, "call": at.call.spoken, "partner_call": earlier[0].spoken}
        ruling.breach(article, "partner-has-called", **facts)


def _is_played(rules: SpadesRules, call: Call, ruling: Ruling) -> bool:
    article = why_not_played(rules, call.word)
    if article is not None:
        ruling.breach(article, "call-not-played", call=call.spoken)
    return article is None


def _second_round(at: Saying, ruling: Ruling) -> None:
    """Judge a raise of the side's number, or a pass (SPADES-131, A-18)."""
    rules, call, side = at.rules, at.call, at.side
    current, own = at.bids.contract(side), at.bids.first(call.seat)
    if call.word == PASS:
        _minimum_at_last(at, ruling)
    elif call.is_nil or call.word in (BLIND, BLIND_MOON):
        ruling.breach(a.SECOND_ROUND, "only-numbers-raised", call=call.spoken)
    elif at.bids.side_wide(side) is not None or current is None:
        ruling.breach(a.SECOND_ROUND, "nothing-to-raise", side=side)
    elif call.word != MOON or _is_played(rules, call, ruling):
        number = rules.tricks if call.word == MOON else call.number or 0
        if own is not None and own.is_nil and rules.bid_method != "later_partner":
            ruling.breach(a.SECOND_ROUND, "nil-raises", seat=call.seat)
        if number <= current:
            ruling.breach(a.SECOND_ROUND, "not-higher", call=number, contract=current)
        if number > rules.max_contract:
            ruling.breach(a.BID, "bid-range", call=number, low=current + 1, high=rules.max_contract)
        _minimum_at_last(at, ruling)


def _minimum_at_last(at: Saying, ruling: Ruling) -> None:
    """Judge the minimum at the side's last call of two rounds."""
    rules, side, table = at.rules, at.side, at.bids.table
    if not rules.minimum_bid:
        return
    last = [seat for seat in table.bidders if table.side(seat) == side][-1:]
    contract = at.after.contract(side)
    if at.call.seat in last and contract is not None and contract < rules.minimum_bid:
        ruling.breach(a.MINIMUM_BID, "below-minimum", side=side, contract=contract, minimum=rules.minimum_bid)


def _nil_beside_moon(at: Saying, ruling: Ruling) -> None:
    """A contract of all tricks that counts as a moon is the whole side's call (SPADES-166, A-29)."""
    rules, side, call = at.rules, at.side, at.call
    if not rules.thirteen_is_moon:
        return
    counts_as_moon = at.after.contract(side) == rules.tricks and not at.after.side_wide(side)
    if counts_as_moon and at.after.nils(side):
        speaker = at.bids.table.partner(call.seat) if call.is_nil and call.seat else call.seat
        ruling.breach(a.THIRTEEN_IS_MOON, "nil-in-blind-side", seat=speaker or side, call=rules.tricks)


def _forbidden_total(at: Saying, ruling: Ruling) -> None:
    """The call that ends the bidding may not bring all contracts to the number of tricks (SPADES-134)."""
    if not at.rules.forbid_total_13 or not at.after.over:
        return
    total = sum(at.after.contract(side) or 0 for side in at.bids.table.sides)
    if total == at.rules.tricks:
        ruling.breach(a.FORBIDDEN_TOTAL, "total-forbidden", total=total)


def _allowing_article(rules: SpadesRules, call: Call, round_number: int) -> Article:
    if round_number == 2:
        return a.SECOND_ROUND
    if call.word in _ALLOWING_WORD:
        return _ALLOWING_WORD[call.word]
    if not rules.partners:
        return a.BID
    return _ALLOWING_NUMBER.get(rules.bid_method, a.ZERO_BID if call.number == 0 else a.FINAL_BID)


_ALLOWING_WORD: Final[Mapping[str, Article]] = {
    NIL: a.NIL,
    DOUBLE_NIL: a.DOUBLE_NIL_BEHIND,
    DOUBLE_BLIND_NIL: a.DOUBLE_BLIND_NIL,
    BLIND: a.BLIND_BID,
    MOON: a.MOON,
    BLIND_MOON: a.BLIND_MOON,
}
_ALLOWING_NUMBER: Final[Mapping[str, Article]] = {"sum": a.SUM_BIDDING, "consultation": a.CONSULTATION}
"""By the method of bidding; under the others it depends on the number."""


def _what_allows(rules: SpadesRules, call: Call) -> dict[str, object]:
    """Return what a blind call was held against: the points that it needs, and whether a partner could have looked."""
    return {"needed": points_needed(rules, call.word)[0], "alone": not rules.partners} if call.blind else {}


def _blindness(at: Saying, ruling: Ruling) -> None:
    """What is known to forbid a blind call: a side not far enough behind, a hand looked at (SPADES-026, 027, 160)."""
    needed, article = points_needed(at.rules, at.call.word)
    behind = at.position.behind(at.side)
    if needed and behind is not None and behind < needed:
        ruling.breach(article, "not-far-enough-behind", side=at.call.side, behind=behind, needed=needed)
    drawn = at.rules.mode == "duo_draw" and at.call.seat in at.position.turns  # who draws sees what is kept
    if at.call.looked or drawn:
        facts = {"seat": at.call.seat or at.call.side, "call": at.call.spoken}
        ruling.breach(_unseen(at.rules, at.call), "already-looked", **facts)


def _lack_of_blindness(at: Saying, ruling: Ruling) -> None:
    """What nobody has said about a blind call: the totals, and whether its caller has looked."""
    if not at.call.blind:
        return
    needed, article = points_needed(at.rules, at.call.word)
    if needed and at.position.totals is None:
        ruling.lack("totals", article)
    if at.call.looked is None:
        caller = at.call.seat or at.call.side
        ruling.lack("looked", _unseen(at.rules, at.call), caller, call=at.call.spoken)


def _unseen(rules: SpadesRules, call: Call) -> Article:
    return {
        DOUBLE_NIL: a.DUO_DRAW_UNSEEN if rules.mode == "duo_draw" else a.DOUBLE_NIL_UNSEEN,
        DOUBLE_BLIND_NIL: a.DOUBLE_BLIND_NIL,
        BLIND: a.BLIND_BID,
        BLIND_MOON: a.BLIND_MOON,
    }[call.word]

"""May this be called? Judge numbers, nils, blind calls and moons."""

from __future__ import annotations

from collections.abc import Iterator

from companion.engine.articles import Article
from companion.engine.verdict import Because, Breach, Missing, Verdict
from companion.games.spades import articles as a
from companion.games.spades.calls import Bids
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


def judge_call(position: Position, call: Call) -> Verdict:
    """The verdict on one call (SPADES-010 to 027, 100, 130 to 134, 140 to 171)."""
    table, rules = position.table, position.table.rules
    bids = Bids(table, position.calls or ())
    if bids.by_sides:
        breaches, round_number = list(_consultation_turn(bids, call)), 1
    else:
        breaches, round_number = _turn(bids, call)
    if position.phase == "play" and (position.trick or position.trick_number):
        breaches = [Breach(a.BID_IN_TURN.id, "bidding-over", {"seat": call.seat or call.side, "call": call.spoken})]
    judged = Bids(table, (*bids.calls, call))
    breaches += _second_round(bids, call) if round_number == 2 else _first_round(position, bids, call)
    breaches += _nil_beside_moon(judged, call)
    breaches += _forbidden_total(judged)
    missing = [Missing("dealer", a.BID_IN_TURN.id)] if table.dealer is None else []
    missing += missing_of_blindness(position, call)
    effect: dict[str, object] = {}
    if not breaches and call.side is not None:
        effect = {"side": call.side, "contract": judged.contract(call.side)}
    return Verdict(tuple(breaches), () if breaches else tuple(missing), (_because(rules, call, round_number),), effect)


def _turn(bids: Bids, call: Call) -> tuple[list[Breach], int]:
    """What is wrong with the caller's turn, and the round; with an unknown dealer only who has called counts."""
    if bids.table.dealer is None:
        round_number = 1 + len(bids.by_seat.get(call.seat or "", ()))
        may = bids.table.seats if round_number <= bids.rounds else ()
    else:
        may, round_number = bids.next_seats()
    if call.seat in may:
        return [], round_number
    if not may:
        return [Breach(a.BID_IN_TURN.id, "bidding-over", {"seat": call.seat, "call": call.spoken})], 1
    facts = {"seat": call.seat, "next": may[0]}
    return [Breach(a.BID_IN_TURN.id, "bid-out-of-turn", facts)], round_number


def _consultation_turn(bids: Bids, call: Call) -> Iterator[Breach]:
    """The side without the dealer announces first, then the dealer's side, each once (SPADES-132)."""
    table = bids.table
    if table.dealer is not None:
        dealers = table.side(table.dealer)
        first = next(side for side in table.sides if side != dealers)
        if call.side == dealers and not bids.complete(first):
            yield Breach(a.CONSULTATION.id, "wrong-side-first", {"side": dealers, "next": first})
        if call.side == first and bids.side_calls(dealers):
            yield Breach(a.CONSULTATION.id, "bid-out-of-turn", {"seat": call.side, "next": dealers})
    told = call.side is not None and bids.contract(call.side) is not None and bool(bids.nils(call.side))
    if call.side is not None and (told if call.is_nil else bids.complete(call.side)):
        yield Breach(a.CONSULTATION.id, "already-announced", {"side": call.side})
    if call.is_nil and call.seat is None:
        yield Breach(a.NIL.id, "nil-of-nobody", {"side": call.side})
    if call.is_nil and call.seat is not None and bids.first(call.seat):
        yield Breach(a.BID_IN_TURN.id, "bid-out-of-turn", {"seat": call.seat, "next": call.side})


def _first_round(position: Position, bids: Bids, call: Call) -> list[Breach]:
    rules = bids.table.rules
    side = call.side or ""
    wide = bids.side_wide(side)
    if call.word == PASS:
        return [] if wide else [Breach(a.BID_IN_TURN.id, "no-passing", {"seat": call.seat or side})]
    if wide is not None:
        facts = {"seat": call.seat or side, "call": wide.spoken}
        return [Breach((a.MOON if wide.word == MOON else a.BLIND_BID).id, "side-has-called", facts)]
    if call.is_nil:
        return [*_nil(position, bids, call), *_minimum_with_nil(bids, call)]
    if call.word == NORMAL:
        return [*_number(bids, call), *_minimum(bids, call)]
    if call.word == BLIND:
        return [*_blind(position, bids, call), *_alone(bids, call, a.BLIND_BID)]
    article = a.BLIND_MOON if call.word == BLIND_MOON else a.MOON
    found = []
    if not (rules.blind_moon if call.word == BLIND_MOON else rules.moon):
        found.append(_not_played(call, article))
    elif call.word == BLIND_MOON:
        found += breaches_of_blindness(position, call)
        found += _alone(bids, call, article)
    elif bids.nils(side):
        facts = {"seat": call.seat or side, "call": call.word}
        found.append(Breach(article.id, "nil-in-blind-side", facts))
    return found


def _number(bids: Bids, call: Call) -> Iterator[Breach]:
    rules, table = bids.table.rules, bids.table
    number, lowest = call.number or 0, 0 if rules.zero_bid else 1
    if call.number is None or not lowest <= call.number <= rules.tricks:
        article = a.NO_ZERO_BID if call.number == 0 else a.BID
        yield Breach(article.id, "bid-range", {"call": call.number, "low": lowest, "high": rules.tricks})
    if rules.partners and rules.bid_method == "later_partner" and call.seat is not None:
        partner = bids.first(table.partner(call.seat))
        if partner is not None and partner.word == NORMAL and number < (partner.number or 0):
            facts = {"seat": call.seat, "call": number, "partner": partner.seat, "partner_call": partner.number}
            yield Breach(a.PARTNER_BID.id, "below-partner-bid", facts)


def _minimum(bids: Bids, call: Call) -> Iterator[Breach]:
    """The minimum binds the side's final number only: the earlier partner may say less (SPADES-170)."""
    rules = bids.table.rules
    if rules.minimum_bid == 0 or call.side is None or not _final(bids, call):
        return
    contract = Bids(bids.table, (*bids.calls, call)).contract(call.side) or 0
    if contract < rules.minimum_bid:
        article = a.MINIMUM_WITH_NIL if bids.nils(call.side) else a.MINIMUM_BID
        facts = {"side": call.side, "contract": contract, "minimum": rules.minimum_bid}
        yield Breach(article.id, "below-minimum", facts)


def _minimum_with_nil(bids: Bids, call: Call) -> Iterator[Breach]:
    """A nil does not free its side from the minimum (SPADES-171, A-33)."""
    rules = bids.table.rules
    if rules.minimum_bid == 0 or not rules.partners or call.side is None or not bids.side_calls(call.side):
        return
    contract = bids.contract(call.side)
    if contract is None or (contract < rules.minimum_bid and not rules.second_round):
        facts = {"side": call.side, "contract": contract, "minimum": rules.minimum_bid}
        yield Breach(a.MINIMUM_WITH_NIL.id, "below-minimum", facts)


def _final(bids: Bids, call: Call) -> bool:
    """Whether a side's number is settled by this call in the first round."""
    rules, table = bids.table.rules, bids.table
    if not rules.partners or rules.bid_method == "consultation":
        return True
    return call.seat is not None and bids.first(table.partner(call.seat)) is not None and not rules.second_round


def _nil(position: Position, bids: Bids, call: Call) -> Iterator[Breach]:
    rules = bids.table.rules
    if not rules.nil:
        yield _not_played(call, a.NO_NIL)
    elif call.word == DOUBLE_NIL:
        if not rules.double_nil:
            yield _not_played(call, a.NO_DOUBLE_NIL)
        else:
            yield from breaches_of_blindness(position, call)
    elif call.word == DOUBLE_BLIND_NIL:
        if not rules.double_blind_nil:
            yield _not_played(call, a.DOUBLE_BLIND_NIL)
        else:
            yield from breaches_of_blindness(position, call)


def _blind(position: Position, bids: Bids, call: Call) -> Iterator[Breach]:
    rules = bids.table.rules
    if not rules.blind_bid:
        yield _not_played(call, a.BLIND_BID)
        return
    number = call.number or 0
    if number < rules.blind_bid_min:
        yield Breach(a.BLIND_MINIMUM.id, "blind-too-low", {"call": number, "minimum": rules.blind_bid_min})
    if number > rules.tricks:
        yield Breach(a.BID.id, "bid-range", {"call": number, "low": rules.blind_bid_min, "high": rules.tricks})
    if number < rules.minimum_bid:
        facts = {"side": call.side, "contract": number, "minimum": rules.minimum_bid}
        yield Breach(a.MINIMUM_BID.id, "below-minimum", facts)
    yield from breaches_of_blindness(position, call)


def _alone(bids: Bids, call: Call, article: Article) -> Iterator[Breach]:
    """A blind call is the whole bid of its side: the partner has not called before (SPADES-155, A-29)."""
    earlier = bids.side_calls(call.side or "")
    if earlier:
        facts = {"seat": call.seat or call.side, "call": call.spoken, "partner_call": earlier[0].spoken}
        yield Breach(article.id, "partner-has-called", facts)


def _not_played(call: Call, article: Article) -> Breach:
    return Breach(article.id, "call-not-played", {"call": call.spoken})


def _second_round(bids: Bids, call: Call) -> list[Breach]:
    """A raise of the side's number, or pass (SPADES-131, A-18)."""
    rules, side = bids.table.rules, call.side or ""
    if call.word == PASS:
        return _minimum_at_last(bids, call)
    if call.is_nil or call.word in (BLIND, BLIND_MOON):
        return [Breach(a.SECOND_ROUND.id, "only-numbers-raised", {"call": call.spoken})]
    current = bids.contract(side)
    wide = bids.side_wide(side)
    own = bids.first(call.seat)
    if wide is not None or current is None:
        return [Breach(a.SECOND_ROUND.id, "nothing-to-raise", {"side": side})]
    if call.word == MOON and not rules.moon:
        return [_not_played(call, a.MOON)]
    found = []
    number = rules.tricks if call.word == MOON else call.number or 0
    if own is not None and own.is_nil and rules.bid_method != "later_partner":
        found.append(Breach(a.SECOND_ROUND.id, "nil-raises", {"seat": call.seat}))
    if number <= current:
        found.append(Breach(a.SECOND_ROUND.id, "not-higher", {"call": number, "contract": current}))
    if number > rules.max_contract:
        found.append(Breach(a.BID.id, "bid-range", {"call": number, "low": current + 1, "high": rules.max_contract}))
    return found + _minimum_at_last(bids, call)


def _minimum_at_last(bids: Bids, call: Call) -> list[Breach]:
    """In two rounds the minimum binds at the side's last call."""
    rules, side, table = bids.table.rules, call.side or "", bids.table
    later = [seat for seat in table.bidders if table.side(seat) == side][-1:]
    contract = Bids(table, (*bids.calls, call)).contract(side)
    if rules.minimum_bid == 0 or call.seat not in later or contract is None or contract >= rules.minimum_bid:
        return []
    facts = {"side": side, "contract": contract, "minimum": rules.minimum_bid}
    return [Breach(a.MINIMUM_BID.id, "below-minimum", facts)]


def _nil_beside_moon(judged: Bids, call: Call) -> Iterator[Breach]:
    """A contract of all tricks that counts as a moon is the whole side's call (SPADES-166, A-29)."""
    rules, side = judged.table.rules, call.side or ""
    counts_as_moon = rules.thirteen_is_moon and judged.contract(side) == rules.tricks and not judged.side_wide(side)
    if counts_as_moon and judged.nils(side):
        speaker = judged.table.partner(call.seat) if call.is_nil and call.seat else call.seat
        facts = {"seat": speaker or side, "call": rules.tricks}
        yield Breach(a.THIRTEEN_IS_MOON.id, "nil-in-blind-side", facts)


def _forbidden_total(judged: Bids) -> Iterator[Breach]:
    """The call that ends the bidding may not bring all contracts to the number of tricks (SPADES-134)."""
    rules, table = judged.table.rules, judged.table
    total = sum(judged.contract(side) or 0 for side in table.sides)
    if rules.forbid_total_13 and judged.over and total == rules.tricks:
        yield Breach(a.FORBIDDEN_TOTAL.id, "total-forbidden", {"total": total})


def _because(rules: SpadesRules, call: Call, round_number: int) -> Because:
    if round_number == 2:
        return Because(a.SECOND_ROUND.id)
    words = {
        NIL: a.NIL,
        DOUBLE_NIL: a.DOUBLE_NIL_BEHIND,
        DOUBLE_BLIND_NIL: a.DOUBLE_BLIND_NIL,
        BLIND: a.BLIND_BID,
        MOON: a.MOON,
        BLIND_MOON: a.BLIND_MOON,
    }
    if call.word in words:
        return Because(words[call.word].id)
    if not rules.partners:
        return Because(a.BID.id)
    methods = {"sum": a.SUM_BIDDING, "consultation": a.CONSULTATION}
    article = methods.get(rules.bid_method, a.ZERO_BID if call.number == 0 else a.FINAL_BID)
    return Because(article.id)


def breaches_of_blindness(position: Position, call: Call) -> Iterator[Breach]:
    """What is known to forbid a blind call: a side not far enough behind, a hand looked at (SPADES-026, 027, 160)."""
    rules = position.table.rules
    needed, article = _deficit(rules, call)
    behind = position.behind(call.side or "")
    if needed and behind is not None and behind < needed:
        facts = {"side": call.side, "behind": behind, "needed": needed}
        yield Breach(article.id, "not-far-enough-behind", facts)
    if call.looked:
        facts = {"seat": call.seat or call.side, "call": call.spoken}
        yield Breach(_unseen(rules, call).id, "already-looked", facts)


def missing_of_blindness(position: Position, call: Call) -> Iterator[Missing]:
    """What nobody has said about a blind call: the totals, and whether its caller has looked."""
    rules = position.table.rules
    if not call.blind:
        return
    needed, article = _deficit(rules, call)
    if needed and position.totals is None:
        yield Missing("totals", article.id)
    if call.looked is None:
        yield Missing("looked", _unseen(rules, call).id, call.seat or call.side, {"call": call.spoken})


def _deficit(rules: SpadesRules, call: Call) -> tuple[int | None, Article]:
    return {
        DOUBLE_NIL: (rules.double_nil_deficit, a.DOUBLE_NIL_BEHIND),
        DOUBLE_BLIND_NIL: (rules.double_blind_nil_deficit, a.DOUBLE_BLIND_NIL_BEHIND),
        BLIND: (rules.blind_deficit, a.BLIND_BEHIND),
        BLIND_MOON: (rules.blind_moon_deficit, a.BLIND_MOON_BEHIND),
    }[call.word]


def _unseen(rules: SpadesRules, call: Call) -> Article:
    return {
        DOUBLE_NIL: a.DUO_DRAW_UNSEEN if rules.mode == "duo_draw" else a.DOUBLE_NIL_UNSEEN,
        DOUBLE_BLIND_NIL: a.DOUBLE_BLIND_NIL,
        BLIND: a.BLIND_BID,
        BLIND_MOON: a.BLIND_MOON,
    }[call.word]

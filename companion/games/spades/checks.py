"""What cannot be true of a deal's facts, and who could be off: bids, calls and counts against the rules."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from companion.engine.articles import Article
from companion.engine.ledger import Before, Side, Standing
from companion.engine.problems import Pointer, Problem, impossible_position
from companion.games.spades import articles as a
from companion.games.spades import facts as f
from companion.games.spades.played_calls import CALL_RULES, points_needed, why_not_played
from companion.games.spades.rules import SpadesRules
from companion.games.spades.table import BLIND, BLIND_MOON, MOON, NORMAL, pack_of, points_behind

_SANE: Final = range(100)
"""Counts that may be recorded anyway: what is not a count of tricks at all stays refused."""


def check_deal(rules: SpadesRules, sides: Sequence[Side], deal: f.DealFacts, before: Before) -> Iterator[Problem]:
    """Yield every reason why a deal cannot have gone as entered, pointers relative to the deal."""
    first_hand = bids_itself(rules, before.scored, carried_over=before.carried_over)
    for side in sides:
        facts = deal.sides[side.id]
        yield from _check_tricks(rules, side.id, facts)
        yield from _check_nils(rules, side.id, facts, before)
        if first_hand:
            yield from _check_first_hand(side.id, facts)
        else:
            yield from _check_contract(rules, side.id, facts, before)
        yield from _check_last_tricks(rules, side.id, facts)
    yield from _check_totals(rules, deal)
    yield from _check_last_trick(deal)
    if not first_hand:
        yield from _check_forbidden_total(rules, deal)


def bids_itself(rules: SpadesRules, scored: int, *, carried_over: bool) -> bool:
    """Return whether a deal after that many scored ones is a first deal, played without bidding (SPADES-135)."""
    return rules.first_hand_bids_itself and scored == 0 and not carried_over


def check_opening(rules: SpadesRules, opening: Mapping[str, Standing]) -> Iterator[Problem]:
    """Yield bags brought along for which the penalty would have been taken already (SPADES-061, 068)."""
    most = rules.bag_threshold - (rules.bag_trigger == "reach")
    for side, standing in opening.items():
        bags, waits = standing.tallies.get("bags", 0), standing.total < 0 and not rules.penalty_when_negative
        if rules.sandbag and bags > most and not waits:
            yield from impossible_position(
                [(side, "bags")], "bags-over-threshold", a.BAG_PENALTY.id, side=side, bags=bags, most=most
            )


def _problem(pointer: Pointer, code: str, article: Article, *, anyway: bool = True, **facts: object) -> Problem:
    return Problem(pointer, code, facts, article.id, acceptable=anyway)


def _check_tricks(rules: SpadesRules, side: str, facts: f.SideFacts) -> Iterator[Problem]:
    if not 0 <= facts.tricks <= rules.tricks:
        sane = facts.tricks in _SANE
        yield _problem(
            (side, "tricks"), "tricks-range", a.TRICKS_TOTAL, anyway=sane, side=side, low=0, high=rules.tricks
        )
    if not facts.nils:
        return
    own = sum(nil.tricks for nil in facts.nils)
    for place, nil in enumerate(facts.nils):
        if nil.tricks < 0 or nil.tricks > facts.tricks or own > facts.tricks:
            pointer = (side, "nils", place, "tricks")
            sane = nil.tricks in _SANE
            yield _problem(pointer, "tricks-range", a.TRICKS_TOTAL, anyway=sane, side=side, low=0, high=facts.tricks)
    if facts.bid is None and len(facts.nils) == _players(rules) and own < facts.tricks:
        yield _problem((side, "nils"), "tricks-range", a.TRICKS_TOTAL, side=side, low=facts.tricks, high=facts.tricks)


def _check_totals(rules: SpadesRules, deal: f.DealFacts) -> Iterator[Problem]:
    counts = {side: facts.tricks for side, facts in deal.sides.items()}
    if rules.mode == "duo_dummy":
        counts["dummy"] = deal.dummy_tricks
        if not 0 <= deal.dummy_tricks <= rules.tricks:
            yield _problem(
                (f.DUMMY_TRICKS,), "tricks-range", a.DUO_DUMMY, anyway=False, side="dummy", low=0, high=rules.tricks
            )
    total = sum(counts.values())
    if total != rules.tricks:
        sane = all(count in _SANE for count in counts.values())
        facts = {"expected": rules.tricks, "total": total, "difference": rules.tricks - total, "counts": counts}
        yield Problem(
            (), "tricks-total", facts if sane else {"expected": rules.tricks}, a.TRICKS_TOTAL.id, acceptable=sane
        )


def _check_contract(rules: SpadesRules, side: str, facts: f.SideFacts, before: Before) -> Iterator[Problem]:
    pointer: Pointer = (side, "bid")
    bidders = _players(rules) - len(facts.nils)
    if facts.call in (MOON, BLIND_MOON):
        yield from _check_moon(rules, side, facts, before)
        return
    if facts.bid is None:
        if bidders > 0:
            yield _problem(pointer, "missing-bid", a.BID_IN_TURN, anyway=False, side=side)
        elif rules.minimum_bid > 0 and rules.partners:
            yield _problem((side, "nils"), "below-minimum", a.MINIMUM_WITH_NIL, side=side, minimum=rules.minimum_bid)
        return
    if bidders <= 0:
        yield _problem(pointer, "bid-with-nil", a.BOTH_NIL, anyway=False, side=side, bid=_short(facts.bid))
        return
    limit = rules.max_contract if bidders > 1 else rules.tricks
    lowest = 0 if rules.zero_bid else 1
    if not lowest <= facts.bid <= limit:
        article = a.NO_ZERO_BID if facts.bid == 0 else a.BID
        sane = facts.bid in _SANE
        yield _problem(
            pointer, "bid-range", article, anyway=sane, side=side, bid=_short(facts.bid), low=lowest, high=limit
        )
    elif facts.bid < rules.minimum_bid:
        article = a.MINIMUM_WITH_NIL if facts.nils else a.MINIMUM_BID
        yield _problem(pointer, "below-minimum", article, side=side, bid=facts.bid, minimum=rules.minimum_bid)
    elif facts.bid > rules.tricks:
        details = {"side": side, "bid": facts.bid, "tricks": rules.tricks}
        yield Problem(pointer, "contract-unmakeable", details, a.SUM_BIDDING.id, warning=True)
    if facts.call == BLIND:
        yield from _check_blind(rules, side, facts, before)
    elif f.call_in_force(rules, facts) == MOON:
        yield from _check_side_wide(side, facts, MOON, a.THIRTEEN_IS_MOON)


def _check_blind(rules: SpadesRules, side: str, facts: f.SideFacts, before: Before) -> Iterator[Problem]:
    if article := why_not_played(rules, BLIND):
        yield _not_played((side, "call"), BLIND, article)
        return
    if facts.bid is not None and facts.bid < rules.blind_bid_min:
        yield _problem(
            (side, "bid"), "blind-too-low", a.BLIND_MINIMUM, side=side, bid=facts.bid, minimum=rules.blind_bid_min
        )
    yield from _check_side_wide(side, facts, BLIND, a.BLIND_BID)
    yield from _check_behind((side, "call"), side, before, *points_needed(rules, BLIND))


def _check_moon(rules: SpadesRules, side: str, facts: f.SideFacts, before: Before) -> Iterator[Problem]:
    article = CALL_RULES[facts.call].article
    if why_not_played(rules, facts.call):
        yield _not_played((side, "call"), facts.call, article)
        return
    if facts.bid is not None and facts.bid != rules.tricks:
        bid = _short(facts.bid)
        yield _problem(
            (side, "bid"), "bid-range", article, anyway=False, side=side, bid=bid, low=rules.tricks, high=rules.tricks
        )
    yield from _check_side_wide(side, facts, facts.call, article)
    yield from _check_behind((side, "call"), side, before, *points_needed(rules, facts.call))


def _check_side_wide(side: str, facts: f.SideFacts, call: str, article: Article) -> Iterator[Problem]:
    """A blind number or a moon is the whole side's call: no nil beside it (A-29)."""
    if facts.nils:
        yield _problem((side, "nils"), "nil-in-blind-side", article, side=side, call=call)


def _check_nils(rules: SpadesRules, side: str, facts: f.SideFacts, before: Before) -> Iterator[Problem]:
    if not facts.nils:
        return
    if len(facts.nils) > _players(rules):
        yield _problem((side, "nils"), "nils-count", a.NIL_PARTNER, anyway=False, side=side, high=_players(rules))
    players = [nil.player for nil in facts.nils if nil.player is not None]
    if len(set(players)) < len(players):
        yield _problem((side, "nils"), "nil-twice", a.NIL, anyway=False, side=side, player=players[0])
    for place, nil in enumerate(facts.nils):
        pointer = (side, "nils", place, "call")
        if article := why_not_played(rules, nil.call):
            yield _not_played(pointer, nil.call, article)
        else:
            yield from _check_behind(pointer, side, before, *points_needed(rules, nil.call))


def _check_behind(pointer: Pointer, side: str, before: Before, needed: int, article: Article) -> Iterator[Problem]:
    behind = points_behind({name: standing.total for name, standing in before.standing.items()}, side)
    if needed and behind < needed:
        yield _problem(pointer, "not-far-enough-behind", article, side=side, behind=behind, needed=needed)


def _not_played(pointer: Pointer, call: str, article: Article) -> Problem:
    return _problem(pointer, "call-not-played", article, call=call)


def _check_first_hand(side: str, facts: f.SideFacts) -> Iterator[Problem]:
    if facts.nils or facts.call != NORMAL:
        yield _problem((side, "nils"), "no-bidding", a.FIRST_HAND, anyway=False, side=side)
    elif facts.bid is not None and facts.bid != facts.tricks:
        details = {"side": side, "tricks": _short(facts.tricks)}
        yield Problem((side, "bid"), "bid-replaced", details, a.FIRST_HAND.id, warning=True)


def _check_forbidden_total(rules: SpadesRules, deal: f.DealFacts) -> Iterator[Problem]:
    if not rules.forbid_total_13:
        return
    contracts = [rules.tricks if side.call in (MOON, BLIND_MOON) else side.bid or 0 for side in deal.sides.values()]
    if sum(contracts) == rules.tricks:
        yield _problem((), "total-forbidden", a.FORBIDDEN_TOTAL, total=rules.tricks)


def _check_last_tricks(rules: SpadesRules, side: str, facts: f.SideFacts) -> Iterator[Problem]:
    if not facts.last_tricks:
        return
    pack, seen = pack_of(rules), set()
    for place, card in enumerate(facts.last_tricks):
        pointer = (side, "last_tricks", place)
        if card not in pack.cards:
            yield _problem(pointer, "card-not-in-pack", a.PACK, anyway=False, card=str(card))
        if card in seen:
            yield _problem(pointer, "duplicate-card", a.PACK, anyway=False, card=str(card))
        seen.add(card)
    if len(facts.last_tricks) > max(facts.tricks, 0):
        yield _problem((side, "last_tricks"), "last-tricks-count", a.LAST_TRICK, anyway=False, side=side)


def _check_last_trick(deal: f.DealFacts) -> Iterator[Problem]:
    """The last trick has one winner, so one side at most has a final run."""
    runs = [side for side, facts in deal.sides.items() if facts.last_tricks]
    for side in runs[1:]:
        details = {"side": side, "other": runs[0]}
        yield _problem((side, "last_tricks"), "last-trick-sides", a.LAST_TRICK, anyway=False, **details)


def _players(rules: SpadesRules) -> int:
    return 2 if rules.partners else 1


def _short(value: int) -> int | str:
    return value if abs(value) < 1_000_000 else "…"

"""What a side's contract brings: made or set, blind, moon, special exact bids, and its overtricks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

from companion.engine.ledger import Line
from companion.games.spades import articles as a
from companion.games.spades import facts as f
from companion.games.spades.options import SpadesRules

SMALL_BIDS: Final = {2: 40, 1: 60, 0: 100}
_OVERTRICK: Final = {
    "plus1": (1, a.OVERTRICKS),
    "minus1": (-1, a.OVERTRICKS_MINUS_ONE),
    "minus10": (-10, a.OVERTRICKS_MINUS_TEN),
    "zero": (0, a.OVERTRICKS_ZERO),
}


class Result(NamedTuple):
    """How a side's contract went. Tricks of failed nils are already in or out of `taken` as the table plays it."""

    bid: int | None
    taken: int
    call: str
    made: bool
    exact: bool
    overtricks: int
    """Overtricks of a contract that was made."""
    nil_overtricks: int
    """Tricks of failed nils, or of a side without contract, that count as overtricks by option (SPADES-148, 149)."""
    first_hand: bool = False
    blind_exceeded: bool = False

    @property
    def bags(self) -> int:
        """Bags that this deal adds to the count."""
        return self.overtricks + self.nil_overtricks

    @property
    def is_moon(self) -> bool:
        """Whether all tricks were undertaken, seen or blind."""
        return self.call in (f.MOON, f.BLIND_MOON)

    @property
    def moon_made(self) -> bool:
        """A moon with every trick taken."""
        return self.is_moon and self.made


def result_of(rules: SpadesRules, facts: f.SideFacts, *, first_hand: bool = False) -> Result:
    """How a side's contract went under these rules (SPADES-040, 041, 044, 148, 149, 165, 166)."""
    nil_tricks = sum(nil.tricks for nil in facts.nils) if facts.nils else 0
    taken = facts.tricks if rules.failed_nil_tricks == "count" else facts.tricks - nil_tricks
    extra = nil_tricks if rules.failed_nil_tricks == "bags_only" else 0
    bid, call = (facts.tricks, f.NORMAL) if first_hand else (facts.bid, call_in_force(rules, facts))
    if call in (f.MOON, f.BLIND_MOON):
        made = facts.tricks == rules.tricks
        return Result(rules.tricks, facts.tricks, call, made, made, 0, 0)
    if bid is None:
        counted = facts.tricks if rules.tricks_without_contract == "overtricks" else 0
        return Result(None, taken, call, False, False, 0, counted)
    exceeded = call == f.BLIND and rules.blind_exact and taken > bid
    made = taken >= bid and not (exceeded and rules.blind_exact_over == "fail")
    if exceeded and made:
        call = f.NORMAL
    return Result(
        bid, taken, call, made, taken == bid, taken - bid if made else 0, extra,
        first_hand=first_hand, blind_exceeded=exceeded,
    )  # fmt: skip


def call_in_force(rules: SpadesRules, facts: f.SideFacts) -> str:
    """The call that a side's contract counts as: any final bid of all tricks may be a moon (SPADES-166)."""
    if not rules.thirteen_is_moon or facts.bid != rules.tricks:
        return facts.call
    if facts.call == f.BLIND:
        return f.BLIND_MOON if rules.blind_moon else f.MOON
    return f.MOON if facts.call == f.NORMAL else facts.call


def contract_lines(rules: SpadesRules, result: Result) -> Iterator[Line]:
    """The line of the contract itself, without overtricks and bonuses; none for a side without contract."""
    if result.bid is None:
        return
    told = {"bid": result.bid, "taken": result.taken, "made": result.made, "exact": result.exact}
    if result.is_moon:
        blind = result.call == f.BLIND_MOON
        value = rules.blind_moon_value if blind else rules.moon_value
        yield Line((a.BLIND_MOON if blind else a.MOON).id, value if result.made else -value, told)
    elif result.call == f.BLIND:
        yield from _blind_lines(rules, result, told)
    elif not result.made:
        yield from _set_lines(rules, result, told)
    elif result.first_hand:
        yield Line(a.FIRST_HAND.id, 10 * result.bid, told)
    elif rules.small_bid_special and result.exact and result.bid in SMALL_BIDS:
        yield Line(a.SMALL_BIDS.id, SMALL_BIDS[result.bid], told)
    else:
        article, points = _made(rules, result.bid)
        yield Line(article, points, told)


def overtrick_line(rules: SpadesRules, count: int) -> Line:
    """The line of overtricks at this table: +1, 0, -1 or -10 points each (SPADES-040, 191, 192, 194)."""
    points, article = _OVERTRICK[rules.overtrick]
    return Line(article.id, points * count, {"overtricks": count})


def _made(rules: SpadesRules, bid: int) -> tuple[str, int]:
    """The article and the points of an ordinary contract that was made."""
    if rules.ten_bonus == "ten_for_two" and bid >= 10:
        return a.TEN_FOR_TWO.id, 20 * bid
    if rules.ten_bonus == "flat200" and bid == 10:
        return a.FLAT_TEN.id, 200
    return a.CONTRACT.id, 10 * bid


def _set_lines(rules: SpadesRules, result: Result, told: Mapping[str, object]) -> Iterator[Line]:
    """The ordinary penalty (SPADES-041, 190) where no ten bonus replaces it (SPADES-200, 207)."""
    bid = result.bid or 0
    if rules.ten_bonus == "flat200" and bid == 10 and rules.ten_bonus_failure != "none":
        yield Line(a.FLAT_TEN.id, -200, told)
    elif rules.ten_bonus == "plus200" and bid >= 10 and rules.ten_bonus_failure == "replace":
        return
    else:
        article, points = _penalty(rules, result)
        yield Line(article, points, told)


def _penalty(rules: SpadesRules, result: Result) -> tuple[str, int]:
    bid = result.bid or 0
    if rules.set_penalty == "shortfall" and result.taken < bid:
        return a.SHORTFALL.id, -10 * (bid - result.taken)
    return a.SET.id, -10 * bid


def _blind_lines(rules: SpadesRules, result: Result, told: Mapping[str, object]) -> Iterator[Line]:
    """A blind number: double, or +100 (SPADES-155 to 158); a multiplier of two is never applied twice (A-31)."""
    bid = result.bid or 0
    article = a.BLIND_EXACT.id if result.blind_exceeded else a.BLIND_BID.id
    if rules.blind_reward == "bonus100":
        if result.made:
            yield Line(*_made(rules, bid), told)
            yield Line(a.BLIND_BONUS.id, 100, told)
        else:
            yield from _set_lines(rules, result, told)
    elif result.made:
        yield Line(article, 20 * bid, told)
    elif rules.ten_bonus == "plus200" and bid >= 10 and rules.ten_bonus_failure == "replace":
        return
    else:
        yield Line(article, 2 * _penalty(rules, result)[1], told)

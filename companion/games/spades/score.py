"""The score of one deal, line by line in the order of 1.9, and the end of the game."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from companion.engine.articles import Article
from companion.engine.cards import Card
from companion.engine.ledger import Before, Line, Outcome, Side, SideScore, Standing
from companion.engine.problems import Pointer, Problem, impossible_position
from companion.games.spades import articles as a
from companion.games.spades import table as f
from companion.games.spades.bidding import (
    CALL_RULES,
    RULES_OF_BIDS,
    lowest_blind,
    points_needed,
    sums_of_spades,
    why_not_played,
)
from companion.games.spades.remedies import UNTOUCHED, Consequence, established, remedies
from companion.games.spades.rules import SpadesRules
from companion.games.spades.table import (
    BLIND,
    BLIND_MOON,
    DOUBLE_BLIND_NIL,
    DOUBLE_NIL,
    MOON,
    NIL,
    NORMAL,
    SpadesPack,
    pack_of,
    points_behind,
)

BAGS: Final = "bags"
SETS, SETS_IN_ROW = "sets", "sets_in_row"


class SpadesScorer:
    """Scoring of Spades for `engine.ledger.keep_ledger`."""

    game = a.GAME

    def check(self, rules: SpadesRules, sides: Sequence[Side], facts: f.DealFacts, before: Before) -> Iterator[Problem]:
        """Every reason why the facts cannot be (SPADES-046 and the articles of the calls), relative to the deal."""
        first_hand = bids_itself(rules, before.scored, carried_over=before.carried_over)
        for side in sides:
            own = facts.sides[side.id]
            yield from _check_tricks(rules, side.id, own)
            yield from _check_nils(rules, side.id, own, before)
            if first_hand:
                yield from _check_first_hand(side.id, own)
            else:
                yield from _check_contract(rules, side.id, own, before)
            yield from _check_last_tricks(rules, side.id, own)
        yield from _check_nil_names(rules, facts, before)
        yield from _check_totals(rules, facts)
        yield from _check_last_trick(facts)
        if rules.last_trick_bonus or rules.last_sequence_bonus:
            yield from _check_last_named(rules, facts, before)
        if not first_hand:
            yield from _check_sum(rules, facts)
            yield from _check_forced_bids(rules, facts)

    def score(
        self, rules: SpadesRules, sides: Sequence[Side], facts: f.DealFacts, before: Before
    ) -> Mapping[str, SideScore]:
        """Each side's lines in points, and its total and bags after them."""
        return {side.id: _score_side(rules, facts, side.id, before) for side in sides}

    def outcome(
        self, rules: SpadesRules, facts: f.DealFacts | None, standing: Mapping[str, Standing], before: Before
    ) -> Outcome:
        """The end of the game: instant wins, sets, the target and the floor, the last deal (CLB-R1)."""
        if facts is not None and (rules.all_tricks_wins or rules.moon_wins):
            for side in facts.sides:
                result, _ = side_result(rules, facts, side, before)
                if rules.all_tricks_wins and result.sweep:
                    return Outcome(True, (side,), a.ALL_TRICKS_WIN.id)
                if rules.moon_wins and result.is_moon and result.made:
                    return Outcome(True, (side,), a.MOON_WINS.id)
        totals = [at.total for at in standing.values()]
        lost = [*_lost_by_sets(rules, standing)]
        out = {side for _, _, side in lost}
        among = [side for side in standing if side not in out] or [*standing]
        limit: int | None
        if lost:
            reason, limit, _ = lost[0]
        elif rules.target is not None and max(totals) >= rules.target:
            reason, limit = a.TARGET.id, rules.target
        elif rules.loss_limit is not None and min(totals) <= rules.loss_limit:
            reason, limit = a.LOSS_LIMIT.id, rules.loss_limit
        elif rules.deals_limit is not None and before.scored + (facts is not None) >= rules.deals_limit:
            reason, limit = a.DEALS_LIMIT.id, rules.deals_limit
        elif before.time_up:
            reason, limit = a.TIME_UP.id, None
        else:
            return Outcome()
        best = max(standing[side].total for side in among)
        winners = tuple(side for side in among if standing[side].total == best)
        details = {} if limit is None else {"limit": limit}
        if len(winners) > 1:
            over = rules.final_tie == "shared"
            return Outcome(over, winners if over else (), a.TIE.id, details)
        return Outcome(True, winners, reason, details)


def _lost_by_sets(rules: SpadesRules, standing: Mapping[str, Standing]) -> Iterator[tuple[str, int, str]]:
    """Yield which sides have lost by their sets, with the article and its limit: in all, then in a row (CLB-004)."""
    in_all, in_row = (SETS, rules.sets_lose, a.SETS_LOSE), (SETS_IN_ROW, rules.sets_in_row_lose, a.SETS_IN_ROW_LOSE)
    for name, limit, article in (in_all, in_row):
        for side, at in standing.items():
            if limit is not None and at.tallies.get(name, 0) >= limit:
                yield article.id, limit, side


def tallies(rules: SpadesRules) -> tuple[str, ...]:
    """`bags`, unless overtricks are subtracted (SPADES-193), and sets where they lose the game (CLB-004)."""
    kept = {BAGS: rules.counts_bags, SETS: rules.sets_lose, SETS_IN_ROW: rules.sets_in_row_lose}
    return tuple(name for name, counted in kept.items() if counted)


def side_result(rules: SpadesRules, deal: f.DealFacts, side: str, before: Before) -> tuple[Result, Consequence]:
    """Return how a side's contract went in a deal, and what irregularities did to the side."""
    return _remedied(rules, deal, side, before)[1:]


def _score_side(rules: SpadesRules, deal: f.DealFacts, side: str, before: Before) -> SideScore:
    mishaps, result, remedy = _remedied(rules, deal, side, before)
    score = _count_side(rules, deal.sides[side], before.standing[side], result, remedy)
    return SideScore((*mishaps, *score.lines), score.standing) if mishaps else score


def _remedied(
    rules: SpadesRules, deal: f.DealFacts, side: str, before: Before
) -> tuple[list[Line], Result, Consequence]:
    """Return the lines of a side's irregularities, and its contract as they leave it (IRR-S1 to S10)."""
    first_hand = bids_itself(rules, before.scored, carried_over=before.carried_over)
    facts, found = deal.sides[side], established(rules, before)
    if not found:
        return [], result_of(rules, facts, first_hand=first_hand), UNTOUCHED

    def counted(remedy: Consequence) -> tuple[Result, int]:
        result = result_of(rules, facts, remedy, first_hand=first_hand)
        return result, _count_side(rules, facts, before.standing[side], result, remedy).points

    own = [one for one in found if one.entry.side == side]
    remedy = remedies(rules, deal, found)[side]
    result, points = counted(remedy)
    never: list[Line] = []
    if any(one.offence for one in own):
        kept = remedies(rules, deal, [one for one in found if one.entry.side != side])[side]
        as_played, without = counted(kept)
        if points > without:
            never = [Line(a.NEVER_A_GAIN.id, 0, {"with": points, "without": without})]
            result, remedy = as_played._replace(sweep=result.sweep), kept
    lines = [one.line() for one in own]
    if remedy.giver:
        details: dict[str, object] = {"from": remedy.giver}
        details |= {"credited": True} if remedy.credited else {"tricks": remedy.given, "counted": result.given}
        lines.append(Line(a.GIVEN_TRICKS.id, 0, details))
    return [*lines, *never], result, remedy


def _count_side(
    rules: SpadesRules, facts: f.SideFacts, before: Standing, result: Result, remedy: Consequence
) -> SideScore:
    lines = [*_nil_lines(rules, facts, remedy), *_contract_lines(rules, result), *_overtricks(rules, result)]
    lines += _bonus_lines(rules, facts, result)
    total = before.total + sum([line.points for line in lines])
    after = dict(_sets(rules, before, result))
    if rules.counts_bags:
        penalty, bags = _bags(rules, before.tallies.get(BAGS, 0) + result.bags, total)
        after = {BAGS: bags, **after}
        lines += penalty
        total += sum([line.points for line in penalty])
    return SideScore(tuple(lines), Standing(total, after))


def _sets(rules: SpadesRules, before: Standing, result: Result) -> Iterator[tuple[str, int]]:
    """Yield the sets that lose the game; without a contract a deal neither is one nor ends a row (CLB-R3)."""
    for name in tallies(rules):
        if name != BAGS:
            count, unmade = before.tallies.get(name, 0), result.bid is not None and not result.made
            yield name, count + 1 if unmade else 0 if name == SETS_IN_ROW and result.made else count


def nils_made(rules: SpadesRules, facts: f.SideFacts, remedy: Consequence) -> list[bool]:
    """Return which nils took no trick, and fail by no remedy (SPADES-021, IRR-S8a).

    A nil without a name is that of a player whom no other nil names: as far as these are too few without those who
    broke the rules, one of theirs, and one that failed in play before others.
    """
    failed, made = remedy.failed_nils, []
    unnamed = [nil.made for nil in facts.nils if nil.player is None]
    innocent = rules.side_size - len({nil.player for nil in facts.nils if nil.player is not None} | failed)
    left = len(unnamed) - innocent - unnamed.count(False)
    for nil in facts.nils:
        alone = nil.player in failed or (failed and not rules.partners)
        made.append(nil.made and not (alone or (nil.player is None and left > 0)))
        left -= nil.player is None and nil.made
    return made


def _nil_lines(rules: SpadesRules, facts: f.SideFacts, remedy: Consequence) -> Iterator[Line]:
    if not facts.nils:
        return
    if rules.both_nil == "unit" and [nil.call for nil in facts.nils] == [NIL, NIL]:
        made = all(nils_made(rules, facts, remedy))
        points = rules.both_nil_value if made else -rules.both_nil_value
        yield Line(a.BOTH_NIL_UNIT.id, points, {"made": made, "tricks": sum(nil.tricks for nil in facts.nils)})
        return
    lost = rules.nil_value if rules.nil_failure is None else rules.nil_failure
    values = {
        NIL: (a.NIL_SCORE, rules.nil_value, lost),
        DOUBLE_NIL: (a.DOUBLE_NIL_SCORE, rules.double_nil_value, rules.double_nil_value),
        DOUBLE_BLIND_NIL: (a.DOUBLE_BLIND_NIL_SCORE, rules.double_blind_nil_value, rules.double_blind_nil_value),
    }
    for nil, made in zip(facts.nils, nils_made(rules, facts, remedy), strict=True):
        article, value, cost = values[nil.call]
        yield Line(article.id, value if made else -cost, {"made": made, "tricks": nil.tricks, "player": nil.player})


def _overtricks(rules: SpadesRules, result: Result) -> Iterator[Line]:
    if result.overtricks:
        yield _overtrick_line(rules, result.overtricks)
    if result.nil_overtricks:
        article = a.TRICKS_WITHOUT_CONTRACT if result.bid is None else a.FAILED_NIL_MODES
        points = _overtrick_line(rules, result.nil_overtricks).points
        yield Line(article.id, points, {"tricks": result.nil_overtricks})


def _bags(rules: SpadesRules, count: int, total: int) -> tuple[list[Line], int]:
    """Return the penalty lines and the bags left, from the count and the total that this deal reached.

    Below zero the penalty may wait for a deal that ends at zero or more (SPADES-061 to 063, 067, 068).
    """
    if not rules.sandbag or (total < 0 and not rules.penalty_when_negative):
        return [], count
    full = count if rules.bag_trigger == "reach" else count - 1
    times = max(full, 0) // rules.bag_threshold
    if times == 0:
        return [], count
    rest = count - times * rules.bag_threshold
    if rules.bag_reset == "empty":
        times, rest = 1, 0
    details = {"times": times, "bags": count, "threshold": rules.bag_threshold, "rest": rest}
    return [Line(a.BAG_PENALTY.id, -rules.bag_penalty * times, details)], rest


_SMALL_BIDS: Final = {2: 40, 1: 60, 0: 100}
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
    short: int = 0
    """Tricks that are missing to a contract; 0 where it was made, or fails for another reason."""
    given: int = 0
    """Tricks of `taken` that the other side gave."""
    all_tricks: bool = False
    """Whether the side took all tricks, and is counted with them."""
    sweep: bool = False
    """Whether it took them, and none is lost by a remedy; not either where that would bring a gain (IRR-0a)."""

    @property
    def bags(self) -> int:
        """Bags that this deal adds to the count."""
        return self.overtricks + self.nil_overtricks

    @property
    def is_moon(self) -> bool:
        """Whether all tricks were undertaken, seen or blind."""
        return self.call in (MOON, BLIND_MOON)


def result_of(
    rules: SpadesRules, facts: f.SideFacts, remedy: Consequence = UNTOUCHED, *, first_hand: bool = False
) -> Result:
    """Return how a side's contract went under these rules (SPADES-040, 041, 044, 148, 149, 165, 166, IRR-S1)."""
    nil_tricks = sum(nil.tricks for nil in facts.nils)
    played = facts.tricks if rules.failed_nil_tricks == "count" else facts.tricks - nil_tricks
    kept = facts.tricks - remedy.lost
    all_tricks = facts.tricks == rules.tricks and not remedy.lost and not remedy.fails
    # Tricks leave the partner of a nil first (IRR-S8b).
    nil_tricks = min(nil_tricks, kept)
    taken = kept if rules.failed_nil_tricks == "count" else kept - nil_tricks
    extra = nil_tricks if rules.failed_nil_tricks == "bags_only" and remedy.overtricks else 0
    bid, call = facts.bid, f.call_in_force(rules, facts.call, facts.bid)
    if first_hand:
        # A contract that is set or raised is what was taken: a further loss must not make it cheaper (IRR-S1f 5).
        bid, call = facts.tricks if remedy.fails or remedy.raised else kept + remedy.given, NORMAL
    elif call in (MOON, BLIND_MOON):
        bid, taken, played, extra = rules.tricks, kept, facts.tricks, 0
    if bid is None:
        counted = kept if rules.tricks_without_contract == "overtricks" and remedy.overtricks else 0
        return Result(None, taken, call, False, False, 0, counted, all_tricks=all_tricks, sweep=all_tricks)
    needed = bid + remedy.raised
    # "Exactly" is won in play: a blind bid that must be exact is not reached by given tricks (IRR-S1f 4).
    inexact = call == BLIND and rules.blind_exact and played != bid and not remedy.credited
    overdone = inexact and rules.blind_exact_over == "fail"
    given = 0 if overdone else min(remedy.given, max(needed - taken, 0))
    taken += given
    exceeded = inexact and taken >= needed
    made = remedy.credited or (taken >= needed and not (remedy.fails or overdone))
    if exceeded and made:
        call = NORMAL
    return Result(
        bid, taken, call, made, played == bid, taken - needed if made and remedy.overtricks else 0, extra,
        first_hand=first_hand, blind_exceeded=exceeded, short=0 if made or remedy.fails else max(needed - taken, 0),
        given=given, all_tricks=all_tricks, sweep=all_tricks,
    )  # fmt: skip


def _contract_lines(rules: SpadesRules, result: Result) -> Iterator[Line]:
    """Yield the line of the contract itself, without overtricks and bonuses; none for a side without contract."""
    if result.bid is None:
        return
    details = {"bid": result.bid, "taken": result.taken, "made": result.made, "exact": result.exact}
    details |= {"short": result.short} if result.short else {}
    if result.is_moon:
        blind = result.call == BLIND_MOON
        value = rules.blind_moon_value if blind else rules.moon_value
        yield Line((a.BLIND_MOON if blind else a.MOON).id, value if result.made else -value, details)
    elif result.call == BLIND:
        yield from _blind_lines(rules, result, details)
    elif not result.made:
        yield from _set_lines(rules, result, details)
    elif result.first_hand:
        yield Line(a.FIRST_HAND.id, 10 * result.bid, details)
    elif rules.small_bid_special and result.exact and result.bid in _SMALL_BIDS:
        yield Line(a.SMALL_BIDS.id, _SMALL_BIDS[result.bid], details)
    else:
        article, points = _made(rules, result.bid)
        yield Line(article, points, details)


def _overtrick_line(rules: SpadesRules, count: int) -> Line:
    """Return the line of overtricks at this table: +1, 0, -1 or -10 points each (SPADES-040, 191, 192, 194)."""
    points, article = _OVERTRICK[rules.overtrick]
    return Line(article.id, points * count, {"overtricks": count})


def _made(rules: SpadesRules, bid: int) -> tuple[str, int]:
    """Return the article and the points of an ordinary contract that was made."""
    if rules.ten_bonus == "ten_for_two" and bid >= 10:
        return a.TEN_FOR_TWO.id, 20 * bid
    if (flat := _flat_tens(rules, bid)) is not None:
        return flat.id, rules.ten_bonus_value
    return a.CONTRACT.id, 10 * bid


def _flat_tens(rules: SpadesRules, bid: int) -> Article | None:
    """Return the article by which a bid of ten, or of more, is worth a number of its own (SPADES-207, CLB-011)."""
    if rules.ten_bonus == "flat200_up" and bid >= 10:
        return a.FLAT_TENS
    return a.FLAT_TEN if rules.ten_bonus == "flat200" and bid == 10 else None


def _set_lines(
    rules: SpadesRules, result: Result, details: Mapping[str, object], *, doubled: bool = False
) -> Iterator[Line]:
    """Yield the ordinary penalty (SPADES-041, 190) where no ten bonus replaces it (SPADES-200, 207)."""
    bid = result.bid or 0
    flat = None if doubled else _flat_tens(rules, bid)
    if flat is not None and rules.ten_bonus_failure != "none":
        yield Line(flat.id, -rules.ten_bonus_value, details)
    elif rules.ten_bonus == "plus200" and bid >= 10 and rules.ten_bonus_failure == "replace":
        return
    else:
        article, points = _penalty(rules, result)
        yield Line(article, 2 * points if doubled else points, details)


def _penalty(rules: SpadesRules, result: Result) -> tuple[str, int]:
    bid = result.bid or 0
    if rules.set_penalty == "none":
        return a.SET_IS_NOTHING.id, 0
    if rules.set_penalty == "shortfall" and result.short:
        return a.SHORTFALL.id, -10 * result.short
    return a.SET.id, -10 * bid


def _blind_lines(rules: SpadesRules, result: Result, details: Mapping[str, object]) -> Iterator[Line]:
    """Yield a blind number's line: double, or +100 (SPADES-155 to 158); nothing is doubled twice (A-31)."""
    bid = result.bid or 0
    article = a.BLIND_EXACT.id if result.blind_exceeded else a.BLIND_BID.id
    if rules.blind_reward == "bonus100":
        if result.made:
            yield Line(*_made(rules, bid), details)
            yield Line(a.BLIND_BONUS.id, 100, details)
        else:
            yield from _set_lines(rules, result, details)
    elif result.made:
        yield Line(article, 20 * bid, details)
    else:
        for line in _set_lines(rules, result, details, doubled=rules.blind_failure == "double"):
            yield Line(article, line.points, details)


_PER_CARD: Final = 10


def _bonus_lines(rules: SpadesRules, facts: f.SideFacts, result: Result) -> Iterator[Line]:
    """Yield the bonuses of one side's deal in the order of 1.9 (SPADES-200, 201, 205, 203, 204, 208)."""
    bid = result.bid
    if bid is not None and not result.is_moon and not result.first_hand:
        yield from _ten_bonus(rules, bid, result)
        if rules.above_six_bonus and result.made and bid > 6:
            yield Line(a.ABOVE_SIX.id, 10 * (bid - 6), {"bid": bid})
        if may_score_last_tricks(rules, facts, result):
            yield from _last_tricks(rules, facts.last_tricks)
    if rules.all_tricks_bonus and result.all_tricks and not result.is_moon:
        yield Line(a.ALL_TRICKS_BONUS.id, rules.all_tricks_bonus, {"tricks": facts.tricks})


def may_score_last_tricks(rules: SpadesRules, facts: f.SideFacts, result: Result) -> bool:
    """Return whether high trumps in the last tricks can score for a side: a number made exactly (SPADES-203, 204)."""
    least = 1 if rules.last_trick_bonus else 2 if rules.last_sequence_bonus else rules.tricks + 1
    number = result.made and result.exact and not (result.is_moon or result.first_hand)
    return number and facts.tricks >= least


def _ten_bonus(rules: SpadesRules, bid: int, result: Result) -> Iterator[Line]:
    details = {"bid": bid, "taken": result.taken, "made": result.made}
    if rules.ten_bonus == "plus200" and bid >= 10:
        if result.made:
            yield Line(a.TEN_BONUS.id, rules.ten_bonus_value, details)
        elif rules.ten_bonus_failure != "none":
            yield Line(a.TEN_BONUS.id, -rules.ten_bonus_value, details)
    elif rules.ten_bonus == "exact200" and bid == 10 and result.exact and result.made:
        yield Line(a.EXACT_TEN.id, rules.ten_bonus_value, details)


def _last_tricks(rules: SpadesRules, cards: tuple[Card, ...]) -> Iterator[Line]:
    """Yield ten a card for the longest run of high trumps up to the last trick, else ten for the last trick alone."""
    if not cards:
        return
    pack = pack_of(rules)
    length = _run(pack, cards)
    if rules.last_sequence_bonus and length >= 2:
        details = {"cards": [str(card) for card in cards[:length]], "count": length}
        yield Line(a.LAST_SEQUENCE.id, _PER_CARD * length, details)
    elif rules.last_trick_bonus and pack.high_trump(cards[0]):
        yield Line(a.LAST_TRICK.id, _PER_CARD, {"card": str(cards[0])})


def _run(pack: SpadesPack, cards: tuple[Card, ...]) -> int:
    """Return the length of the longest prefix of high trumps adjacent in strength, in any order, none equal (A-39)."""
    best, places = 0, []
    for count, card in enumerate(cards, start=1):
        if not pack.high_trump(card):
            break
        places.append(pack.strength(card))
        if len({*places}) == count == max(places) - min(places) + 1:
            best = count
    return best


def bids_itself(rules: SpadesRules, scored: int, carried_over: bool) -> bool:
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
        sane = facts.tricks in f.RECORDED
        yield _problem(
            (side, "tricks"), "tricks-range", a.TRICKS_TOTAL, anyway=sane, side=side, low=0, high=rules.tricks
        )
    if not facts.nils:
        return
    own = sum(nil.tricks for nil in facts.nils)
    for place, nil in enumerate(facts.nils):
        if nil.tricks < 0 or nil.tricks > facts.tricks or own > facts.tricks:
            pointer = (side, "nils", place, "tricks")
            sane = nil.tricks in f.RECORDED
            yield _problem(pointer, "tricks-range", a.TRICKS_TOTAL, anyway=sane, side=side, low=0, high=facts.tricks)
    if facts.bid is None and len(facts.nils) == rules.side_size and own < facts.tricks:
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
        sane = all(count in f.RECORDED for count in counts.values())
        facts = {"expected": rules.tricks, "total": total, "difference": rules.tricks - total, "counts": counts}
        yield Problem(
            (), "tricks-total", facts if sane else {"expected": rules.tricks}, a.TRICKS_TOTAL.id, acceptable=sane
        )


def _check_contract(rules: SpadesRules, side: str, facts: f.SideFacts, before: Before) -> Iterator[Problem]:
    pointer = (side, "bid")
    bidders = rules.side_size - len(facts.nils)
    if facts.call != NORMAL:
        yield from _check_special(rules, side, facts, before)
    if facts.call in (MOON, BLIND_MOON):
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
    lowest, limit = rules.lowest_bid, rules.max_contract if bidders > 1 and facts.call != BLIND else rules.tricks
    if not lowest <= facts.bid <= limit:
        article = a.BID if facts.bid else RULES_OF_BIDS[rules.bidding_rule] if rules.zero_bid else a.NO_ZERO_BID
        sane = facts.bid in f.RECORDED
        yield _problem(
            pointer, "bid-range", article, anyway=sane, side=side, bid=_short(facts.bid), low=lowest, high=limit
        )
    elif facts.bid < rules.minimum_bid:
        article = a.MINIMUM_WITH_NIL if facts.nils else a.MINIMUM_BID
        yield _problem(pointer, "below-minimum", article, side=side, bid=facts.bid, minimum=rules.minimum_bid)
    elif facts.bid > rules.tricks:
        details = {"side": side, "bid": facts.bid, "tricks": rules.tricks}
        yield Problem(pointer, "contract-unmakeable", details, a.SUM_BIDDING.id, warning=True)
    if facts.call == NORMAL and f.call_in_force(rules, NORMAL, facts.bid) != NORMAL:
        yield from _check_side_wide(side, facts, MOON, a.THIRTEEN_IS_MOON)


def _check_special(rules: SpadesRules, side: str, facts: f.SideFacts, before: Before) -> Iterator[Problem]:
    """Yield what is wrong with a blind number or a moon."""
    call, article, tricks = facts.call, CALL_RULES[facts.call].article, rules.tricks
    if why_not_played(rules, call):
        yield _problem((side, "call"), "call-not-played", article, call=call)
        return
    bid = _short(facts.bid or 0)
    if call == BLIND and facts.bid is not None and facts.bid < rules.blind_bid_min:
        least, low = rules.blind_bid_min, lowest_blind(rules)
        yield _problem((side, "bid"), "blind-too-low", low, side=side, bid=bid, minimum=least)
    elif call != BLIND and facts.bid not in (None, tricks):
        yield _problem((side, "bid"), "bid-range", article, anyway=False, side=side, bid=bid, low=tricks, high=tricks)
    yield from _check_side_wide(side, facts, call, article)
    yield from _check_behind((side, "call"), side, before, *points_needed(rules, call, facts.bid))


def _check_side_wide(side: str, facts: f.SideFacts, call: str, article: Article) -> Iterator[Problem]:
    """A blind number or a moon is the whole side's call: no nil beside it (A-29)."""
    if facts.nils:
        yield _problem((side, "nils"), "nil-in-blind-side", article, side=side, call=call)


def _check_nils(rules: SpadesRules, side: str, facts: f.SideFacts, before: Before) -> Iterator[Problem]:
    if not facts.nils:
        return
    if len(facts.nils) > rules.side_size:
        yield _problem((side, "nils"), "nils-count", a.NIL_PARTNER, anyway=False, side=side, high=rules.side_size)
    players = [nil.player for nil in facts.nils if nil.player is not None]
    if len(set(players)) < len(players):
        yield _problem((side, "nils"), "nil-twice", a.NIL, anyway=False, side=side, player=players[0])
    for place, nil in enumerate(facts.nils):
        pointer = (side, "nils", place, "call")
        if article := why_not_played(rules, nil.call):
            yield _problem(pointer, "call-not-played", article, call=nil.call)
        else:
            yield from _check_behind(pointer, side, before, *points_needed(rules, nil.call))


def _check_nil_names(rules: SpadesRules, deal: f.DealFacts, before: Before) -> Iterator[Problem]:
    """Yield a nil of one of two partners that fails if it is that of the one who broke a rule (IRR-S8a)."""
    for side, facts in deal.sides.items():
        unnamed = [(nil.player, nil.made) for nil in facts.nils] == [(None, True)]
        if rules.partners and unnamed and before.irregularities:
            guilty = side_result(rules, deal, side, before)[1].failed_nils
            if len(guilty) == 1:
                details = {"side": side, "player": next(iter(guilty))}
                yield Problem((side, "nils", 0), "nil-player-missing", details, a.REMEDY_AND_NIL.id, warning=True)


def _check_behind(pointer: Pointer, side: str, before: Before, needed: int, article: Article) -> Iterator[Problem]:
    behind = points_behind({name: standing.total for name, standing in before.standing.items()}, side)
    if needed and behind < needed:
        yield _problem(pointer, "not-far-enough-behind", article, side=side, behind=behind, needed=needed)


def _check_first_hand(side: str, facts: f.SideFacts) -> Iterator[Problem]:
    if facts.nils or facts.call != NORMAL:
        key = "nils" if facts.nils else "call"
        yield _problem((side, key), "no-bidding", a.FIRST_HAND, anyway=False, side=side)
    elif facts.bid is not None and facts.bid not in f.RECORDED:
        limits = {"side": side, "bid": _short(facts.bid), "low": f.RECORDED[0], "high": f.RECORDED[-1]}
        yield _problem((side, "bid"), "bid-range", a.FIRST_HAND, anyway=False, **limits)
    elif facts.bid is not None and facts.bid != facts.tricks:
        details = {"side": side, "tricks": _short(facts.tricks)}
        yield Problem((side, "bid"), "bid-replaced", details, a.FIRST_HAND.id, warning=True)


def _check_sum(rules: SpadesRules, deal: f.DealFacts) -> Iterator[Problem]:
    """Yield a sum of all contracts that is forbidden, too low to be played, or not of these spades."""
    total = sum(rules.tricks if side.call in (MOON, BLIND_MOON) else side.bid or 0 for side in deal.sides.values())
    if total in rules.forbidden_totals:
        yield _problem((), "total-forbidden", rules.forbidden_totals[total], total=total)
    if rules.least_total is not None and total < rules.least_total:
        yield _problem((), "total-too-low", a.LEAST_TOTAL, total=total, least=rules.least_total)
    sums = sums_of_spades(rules)
    if sums is not None and total not in sums:
        article = RULES_OF_BIDS[rules.bidding_rule]
        yield _problem((), "mirror-total", article, total=total, low=sums[0], high=sums[-1])


def _check_forced_bids(rules: SpadesRules, deal: f.DealFacts) -> Iterator[Problem]:
    """Yield a pair without exactly one nil, or with less than its partner must bid (SUI-R2)."""
    if rules.bidding_rule != "suicide":
        return
    for side, facts in deal.sides.items():
        if len(facts.nils) != 1:
            yield _problem((side, "nils"), "suicide", a.SUICIDE, side=side)
        elif facts.bid is not None and facts.bid < rules.suicide_minimum:
            least = rules.suicide_minimum
            yield _problem((side, "bid"), "below-minimum", a.SUICIDE, side=side, bid=facts.bid, minimum=least)


def _check_last_tricks(rules: SpadesRules, side: str, facts: f.SideFacts) -> Iterator[Problem]:
    if not facts.last_tricks:
        return
    pack = pack_of(rules)
    for place, card in enumerate(facts.last_tricks):
        pointer = (side, "last_tricks", place)
        if card not in pack.cards:
            yield _problem(pointer, "card-not-in-pack", a.PACK, anyway=False, card=str(card))
        if facts.last_tricks[:place].count(card) >= pack.copies:
            yield _problem(pointer, "duplicate-card", a.PACK, anyway=False, card=str(card))
    if len(facts.last_tricks) > max(facts.tricks, 0):
        yield _problem((side, "last_tricks"), "last-tricks-count", a.LAST_TRICK, anyway=False, side=side)


def _check_last_trick(deal: f.DealFacts) -> Iterator[Problem]:
    """The last trick has one winner, so one side at most has a final run."""
    runs = [side for side, facts in deal.sides.items() if facts.last_tricks]
    for side in runs[1:]:
        details = {"side": side, "other": runs[0]}
        yield _problem((side, "last_tricks"), "last-trick-sides", a.LAST_TRICK, anyway=False, **details)


def _check_last_named(rules: SpadesRules, deal: f.DealFacts, before: Before) -> Iterator[Problem]:
    """A contract made exactly may have a bonus for the last tricks that nobody entered (SPADES-203, 204)."""
    sides = deal.sides.items()
    due = (may_score_last_tricks(rules, facts, side_result(rules, deal, side, before)[0]) for side, facts in sides)
    if not any(facts.last_tricks for _, facts in sides) and any(due):
        article = a.LAST_TRICK if rules.last_trick_bonus else a.LAST_SEQUENCE
        yield Problem((), "last-tricks-missing", {}, article.id, warning=True)


def _short(value: int) -> int | str:
    return value if abs(value) < 1_000_000 else "…"

"""The score of one deal of Spades, line by line in the order of 1.9, and the end of the game."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from companion.engine.ledger import Before, Line, Outcome, Side, SideScore, Standing
from companion.engine.problems import Problem
from companion.games.spades import articles as a
from companion.games.spades import facts as f
from companion.games.spades.bonuses import bonus_lines
from companion.games.spades.checks import bids_itself, check_deal
from companion.games.spades.contract import Result, contract_lines, overtrick_line, result_of
from companion.games.spades.options import SpadesRules

BAGS: Final = "bags"


class SpadesScorer:
    """Scoring of Spades for `engine.ledger.keep_ledger`."""

    game = a.GAME

    def check(self, rules: SpadesRules, sides: Sequence[Side], facts: f.DealFacts, before: Before) -> Iterator[Problem]:
        """Every reason why the facts cannot be (SPADES-046 and the articles of the calls)."""
        return check_deal(rules, sides, facts, before)

    def score(
        self, rules: SpadesRules, sides: Sequence[Side], facts: f.DealFacts, before: Before
    ) -> Mapping[str, SideScore]:
        """Each side's lines in points, and its total and bags after them."""
        first_hand = bids_itself(rules, before)
        return {
            side.id: _score_side(rules, facts.sides[side.id], before.standing[side.id], first_hand=first_hand)
            for side in sides
        }

    def outcome(
        self, rules: SpadesRules, facts: f.DealFacts | None, standing: Mapping[str, Standing], deals: int
    ) -> Outcome:
        """The end of the game: an instant win, the target, the losing floor (SPADES-050 to 053, 211 to 213)."""
        if facts is not None:
            for side, one in facts.sides.items():
                if rules.all_tricks_wins and one.tricks == rules.tricks:
                    return Outcome(True, (side,), a.ALL_TRICKS_WIN.id)
                first_hand = rules.first_hand_bids_itself and deals == 1 and one.call == f.NORMAL
                if rules.moon_wins and result_of(rules, one, first_hand=first_hand).moon_made:
                    return Outcome(True, (side,), a.MOON_WINS.id)
        totals = [at.total for at in standing.values()]
        best = max(totals)
        if best >= rules.target:
            reason, limit = a.TARGET.id, rules.target
        elif rules.loss_limit is not None and min(totals) <= rules.loss_limit:
            reason, limit = a.LOSS_LIMIT.id, rules.loss_limit
        else:
            return Outcome()
        winners = tuple(side for side, at in standing.items() if at.total == best)
        if len(winners) > 1:
            return Outcome() if rules.final_tie == "extra_deal" else Outcome(True, winners, a.TIE.id, {"limit": limit})
        return Outcome(True, winners, reason, {"limit": limit})


def tallies(rules: SpadesRules) -> tuple[str, ...]:
    """`bags`, unless overtricks are subtracted and nobody counts them (SPADES-193)."""
    return (BAGS,) if rules.counts_bags else ()


def _score_side(rules: SpadesRules, facts: f.SideFacts, before: Standing, *, first_hand: bool) -> SideScore:
    result = result_of(rules, facts, first_hand=first_hand)
    lines = [*_nil_lines(rules, facts), *contract_lines(rules, result), *_overtricks(rules, result)]
    lines += bonus_lines(rules, facts, result)
    after: dict[str, int] = {}
    if rules.counts_bags:
        penalty, after[BAGS] = _bags(rules, before.tallies.get(BAGS, 0) + result.bags)
        lines += penalty
    return SideScore(tuple(lines), Standing(before.total + sum([line.points for line in lines]), after))


def _nil_lines(rules: SpadesRules, facts: f.SideFacts) -> Iterator[Line]:
    if not facts.nils:
        return
    if rules.both_nil == "unit" and [nil.call for nil in facts.nils] == [f.NIL, f.NIL]:
        made = all(nil.made for nil in facts.nils)
        points = rules.both_nil_value if made else -rules.both_nil_value
        yield Line(a.BOTH_NIL_UNIT.id, points, {"made": made, "tricks": sum(nil.tricks for nil in facts.nils)})
        return
    values = {
        f.NIL: (a.NIL_SCORE, rules.nil_value),
        f.DOUBLE_NIL: (a.DOUBLE_NIL_SCORE, rules.double_nil_value),
        f.DOUBLE_BLIND_NIL: (a.DOUBLE_BLIND_NIL_SCORE, rules.double_blind_nil_value),
    }
    for nil in facts.nils:
        article, value = values[nil.call]
        told = {"made": nil.made, "tricks": nil.tricks, "player": nil.player}
        yield Line(article.id, value if nil.made else -value, told)


def _overtricks(rules: SpadesRules, result: Result) -> Iterator[Line]:
    if result.overtricks:
        yield overtrick_line(rules, result.overtricks)
    if result.nil_overtricks:
        article = a.TRICKS_WITHOUT_CONTRACT if result.bid is None else a.FAILED_NIL_MODES
        points = overtrick_line(rules, result.nil_overtricks).points
        yield Line(article.id, points, {"tricks": result.nil_overtricks})


def _bags(rules: SpadesRules, count: int) -> tuple[list[Line], int]:
    """Penalty lines and the count that stays, from the count that this deal reached (SPADES-061 to 063, 067)."""
    if not rules.sandbag:
        return [], count
    full = count if rules.bag_trigger == "reach" else count - 1
    times = max(full, 0) // rules.bag_threshold
    if times == 0:
        return [], count
    rest = count - times * rules.bag_threshold
    if rules.bag_reset == "empty":
        times, rest = 1, 0
    told = {"times": times, "bags": count, "threshold": rules.bag_threshold, "rest": rest}
    return [Line(a.BAG_PENALTY.id, -rules.bag_penalty * times, told)], rest

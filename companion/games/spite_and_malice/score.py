"""The facts of one deal of Spite and Malice, its score from the cards left, and the end of the match."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, ClassVar, Final

from companion.engine import shapes as s
from companion.engine.game import read_side_list
from companion.engine.ledger import (
    MISDEAL,
    POINTS_LIMIT,
    RESERVED_SIDE_IDS,
    Before,
    DealContext,
    Line,
    Outcome,
    Side,
    SideScore,
    Standing,
    deal_shape,
)
from companion.engine.problems import Node, Problem
from companion.engine.verdict import Remedy
from companion.games.spite_and_malice import articles as a
from companion.games.spite_and_malice.position import players_article
from companion.games.spite_and_malice.rules import SpiteRules

WINNER, REMAINING = "winner", "remaining"


@dataclass(frozen=True, slots=True)
class DealFacts:
    """A deal of Spite and Malice: who went out, and the pay-off cards that the others have left."""

    winner: Annotated[
        str | None, s.SideId("The side that went out; null where nobody could.", nullable=True, example="A")
    ]
    remaining: Annotated[
        Mapping[str, int],
        s.Keyed(
            s.Integer(low=0, high=POINTS_LIMIT, code="remaining-range", unit="cards", article=a.CARDS_LEFT.id),
            "Pay-off cards left, by side, or in partnerships by player.",
            example={"B": 9},
        ),
    ]
    left: Mapping[str, int]
    settled_by: Annotated[
        str | None,
        s.Word(("draw", "compare"), "How a deal without a winner ended, where the rules have both ways.", absent=True),
    ] = None

    shape_name: ClassVar = "SpiteAndMaliceDeal"

    @staticmethod
    def build_read(data: s.Attributes, context: DealContext) -> DealFacts:
        """Return the facts of a deal from the cards left as they were entered, by side or by player."""
        rules, sides, winner, remaining = context.rules, context.all_sides, data["winner"], data["remaining"]
        ids = {side.id for side in sides}
        own = {name: side.id for side in sides for name in side.players if rules.side_players == 1}
        entered = {name if name in ids else own.get(name, name): count for name, count in remaining.items()}
        if len(entered) < len(remaining):  # one side under both its names: refused as it was entered
            entered = dict(remaining)
        others = [side for side in sides if side.id != winner]
        left = {side.id: sum(entered.get(name, 0) for name in entries(side, rules)) for side in others}
        return DealFacts(winner, entered, left, data.get("settled_by"))


DEAL: Final = deal_shape(DealFacts)
KINDS: Final = ("illegal_play", "exposed", MISDEAL)
REMEDY: Final = Remedy(a.ILLEGAL_PLAY.id, "next-play", None, "illegal_play")
"""What to do about any breach but a misdeal: no option moves points (IRR-M1)."""
MISDEALT: Final = Remedy(a.MISDEAL.id, "end-of-deal", None, MISDEAL)
"""What to do about a wrong deal (IRR-M4)."""


def read_sides(node: Node, rules: SpiteRules) -> tuple[Side, ...]:
    """Return the sides of a score request: players alone, or two or three partnerships."""
    sides = read_side_list(node)
    article = players_article(rules).id
    expected = rules.players // rules.side_players
    if sides and len(sides) != expected:
        node.fault("sides-count", article, expected=expected, count=len(sides))
    for place, side in enumerate(sides):
        if side.players and len(side.players) != rules.side_players:
            wrong, at = len(side.players), (place, "players")
            node.fault("players-count", article, at=at, expected=rules.side_players, count=wrong)
        for player in side.players:
            if player in RESERVED_SIDE_IDS:
                node.fault("side-id", article, value=player)
    return sides


def entries(side: Side, rules: SpiteRules) -> tuple[str, ...]:
    """Return the names a side's cards are entered under: its players, or the side itself if it is one player."""
    return side.players if rules.side_players > 1 and side.players else (side.id,)


# The score ---------------------------------------------------------------------------------------------------------


class SpiteScorer:
    """Scoring of Spite and Malice for `engine.ledger.keep_ledger`."""

    game = a.GAME

    def check(self, rules: SpiteRules, sides: Sequence[Side], facts: DealFacts, before: Before) -> Iterator[Problem]:
        """Yield every reason why the numbers of cards left are impossible (SNM-091, 108)."""
        counted = [side for side in sides if side.id != facts.winner]
        expected = [name for side in counted for name in entries(side, rules)]
        if set(facts.remaining) != set(expected):
            shown = {"expected": expected, "given": list(facts.remaining)}
            yield Problem((REMAINING,), "remaining-players", shown, a.CARDS_LEFT.id)
            return
        for side in counted:
            yield from _check_side(rules, side, facts)

    def score(
        self, rules: SpiteRules, sides: Sequence[Side], facts: DealFacts, before: Before
    ) -> Mapping[str, SideScore]:
        """Return each side's lines in points, and its total after them."""
        if facts.winner is None:
            lines = _stalemate_lines(rules, facts.left)
        else:
            lines = {facts.winner: _winner_lines(rules, facts.left)}
        return {side.id: _side_score(lines.get(side.id, ()), before.standing[side.id]) for side in sides}

    def outcome(
        self, rules: SpiteRules, facts: DealFacts | None, standing: Mapping[str, Standing], before: Before
    ) -> Outcome:
        """Return whether the match is over: after one deal, at a target, or after a number of deals (SNM-092).

        Where the table agreed on a single deal after others were played, their points count as well.
        """
        deals = before.scored + (facts is not None)
        if rules.match == "single" and not before.scored:
            if facts is None:
                return Outcome()
            return Outcome(True, _single_winners(rules, facts), a.MATCH.id, {"match": rules.match})
        best = max(at.total for at in standing.values())
        reached = best >= rules.target if rules.match == "target" else deals >= rules.match_deals
        if not reached and rules.match != "single":
            return Outcome()
        winners = tuple(side for side, at in standing.items() if at.total == best)
        targeted = rules.match == "target"
        shown = {"match": "target" if targeted else "deals", "target": rules.target}
        shown["match_deals"] = rules.match_deals if targeted else deals
        return Outcome(True, winners, a.MATCH.id, shown)


def _check_side(rules: SpiteRules, side: Side, facts: DealFacts) -> Iterator[Problem]:
    names = entries(side, rules)
    high = rules.payoff_size * (rules.side_players // len(names))
    low = int(len(names) == 1)
    for name in names:
        count = facts.remaining[name]
        if not low <= count <= high:
            shown = {"player": name, "value": count, "low": low, "high": high}
            yield Problem((REMAINING, name), "remaining-range", shown, a.CARDS_LEFT.id, acceptable=True)
    if len(names) > 1 and not any(facts.remaining[name] for name in names):
        shown = {"player": side.id, "value": 0, "low": 1, "high": high * len(names)}
        yield Problem((REMAINING, names[0]), "remaining-range", shown, a.BOTH_PILES.id, acceptable=True)


def _winner_lines(rules: SpiteRules, left: Mapping[str, int]) -> tuple[Line, ...]:
    cards = sum(left.values())
    shown: dict[str, object] = {"cards": cards, "per_card": rules.score_per_card}
    if not rules.paired and len(left) > 1:
        shown["left"] = dict(left)  # who has how many (ALO-013)
    lines = [Line(a.CARDS_LEFT.id, cards * rules.score_per_card, shown)]
    if rules.score_bonus:
        lines.append(Line(a.BONUS.id, rules.score_bonus, {"bonus": rules.score_bonus}))
    return tuple(lines)


def _stalemate_lines(rules: SpiteRules, left: Mapping[str, int]) -> Mapping[str, tuple[Line, ...]]:
    """Return the difference to the others for the one side with the fewest cards, if that scores (SNM-093)."""
    fewest = _fewest(left)
    if rules.stalemate_score == "none" or len(fewest) != 1:
        return {}
    ahead = sum(cards - left[fewest[0]] for cards in left.values())
    shown: dict[str, object] = {"difference": ahead, "cards": left[fewest[0]]}
    if len(left) > 2:
        shown["left"] = {side: cards for side, cards in left.items() if side != fewest[0]}
    return {fewest[0]: (Line(a.STALEMATE.id, ahead, shown),)}


def _fewest(left: Mapping[str, int]) -> tuple[str, ...]:
    return tuple(side for side, cards in left.items() if cards == min(left.values()))


def _side_score(lines: tuple[Line, ...], before: Standing) -> SideScore:
    return SideScore(lines, Standing(before.total + sum(line.points for line in lines), before.tallies))


def _single_winners(rules: SpiteRules, facts: DealFacts) -> tuple[str, ...]:
    """Return who wins a match of one deal: who went out, else who has the fewest cards if that decides; else nobody."""
    if facts.winner is not None:
        return (facts.winner,)
    fewest, drawn = _fewest(facts.left), rules.ends_both_ways and facts.settled_by == "draw"
    return fewest if rules.stalemate_decides and not drawn and len(fewest) == 1 else ()

"""The facts of a deal as entered, its score line by line, what cannot be true, and the end of the game."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass
from typing import Annotated, ClassVar, Final, Unpack

from companion.engine import shapes as s
from companion.engine.articles import Article
from companion.engine.cards import Card
from companion.engine.game import read_side_list
from companion.engine.ledger import (
    MISDEAL,
    Before,
    DealContext,
    Irregularity,
    Line,
    Outcome,
    Side,
    SideScore,
    Standing,
    deal_shape,
)
from companion.engine.problems import Node, Pointer, Problem
from companion.engine.verdict import Remedy
from companion.games.casino import articles as a
from companion.games.casino.articles import GAME
from companion.games.casino.rules import CasinoRules
from companion.games.casino.table import BIG_TEN, SPY_TWO, full_pack

UNCLAIMED: Final = "unclaimed"
FALSE_BUILD: Final = "false_build"
KINDS: Final = ("illegal_play", FALSE_BUILD, "exposed", MISDEAL)
_FALSE_BUILDS: Final = frozenset(
    (
        "set-total", "raise-total", "augment-value", "base-value", "value-limit", "value-not-held",
        "cards-do-not-suffice", "card-never-shown",
    )
)  # fmt: skip
"""Codes of builds that their maker cannot take: a wrong sum, or no card of their value."""


def is_false_build(code: str) -> bool:
    """Return whether a breach with this code is a build that its maker cannot take."""
    return code in _FALSE_BUILDS


def remedy_for(rules: CasinoRules, code: str, *, dealing: bool = False) -> Remedy:
    """Return what to do about a breach with this code (IRR-C1 to C5)."""
    if dealing:
        return Remedy(a.MISDEAL.id, "end-of-deal", {"option": "misdeal_dealer", "value": rules.misdeal_dealer})
    if is_false_build(code):
        then = {"option": "false_build_remedy", "value": rules.false_build_remedy}
        return Remedy(a.FALSE_BUILD_REMEDY.id, "next-play", then)
    return Remedy(a.ILLEGAL_PLAY.id, "next-play")


_MOST_PLAYERS: Final = 4
_MOST_COUNTED: Final = 1_000
_MAJORITIES: Final = (("cards", "most_cards"), ("spades", "most_spades"))


def _count_field(describe: str = "", **common: Unpack[s.FieldOptions]) -> s.Count:
    """Declare a number of cards, or of anything else of a deal."""
    return s.Count(describe, high=_MOST_COUNTED, **common)


_SWEEPS: Final = _count_field("How often it emptied the table.", default=0)
_LAST_CAPTURE: Final = s.Flag("Whether it captured last.", default=False)


@dataclass(frozen=True, slots=True)
class SideFacts:
    """What a side took, counted; instead of `cards` and `spades`, all sides may say who had the most."""

    cards: Annotated[int | None, _count_field("The number of its cards.", default=None, unit="cards", example=30)]
    spades: Annotated[int | None, _count_field("The number of its spades.", default=None, unit="cards", example=8)]
    aces: Annotated[int, _count_field("The number of its aces.", unit="cards", example=3)]
    big_ten: Annotated[bool, s.Flag("Whether it took the ten of diamonds.")]
    spy_two: Annotated[bool, s.Flag("Whether it took the two of spades.")]
    sweeps: Annotated[int, _SWEEPS] = 0
    last_capture: Annotated[bool, _LAST_CAPTURE] = False
    most_cards: Annotated[bool, s.Flag("True where it had the most cards, or shared the most.", default=None)] = False
    most_spades: Annotated[bool, s.Flag("True where it had the most spades, or shared the most.", default=None)] = False
    captured: tuple[Card, ...] | None = None

    shape_name: ClassVar = "Counted"
    checks_parts: ClassVar = True

    @staticmethod
    def check_read(data: s.Attributes, deal: DealContext) -> Iterator[Problem]:
        """Yield a majority that is missing, or that is told twice."""
        for count, most in _MAJORITIES:
            given = [data.get(key, False) is not None for key in (count, most)]
            if not any(given):
                yield Problem((count,), "required", contextual=True)
            elif all(given):
                yield Problem((most,), "unknown-key", {"key": most}, contextual=True)

    @staticmethod
    def build_read(data: s.Attributes, deal: DealContext) -> SideFacts:
        """Return the facts; who does not say to have had the most had not."""
        return SideFacts(**{**data, **{most: bool(data[most]) for _, most in _MAJORITIES}})


class CapturedShape(s.Shape[SideFacts]):
    """What a side took, card by card."""

    captured = s.ListOf(s.CardField(), "The cards that it took.")
    sweeps = copy(_SWEEPS)
    last_capture = copy(_LAST_CAPTURE)

    def make(self, data: s.Attributes, context: DealContext) -> SideFacts:
        return from_cards(data["captured"], sweeps=data["sweeps"], last_capture=data["last_capture"])


@dataclass(frozen=True, slots=True)
class DealFacts:
    """A deal of Casino: what every side took."""

    sides: Annotated[
        Mapping[str, SideFacts],
        s.Others(
            s.Keyed(
                s.Variants(
                    lambda side: "captured" if "captured" in side else "counted",
                    {"counted": s.shape_of(SideFacts), "captured": CapturedShape},
                ),
                keys=lambda deal: deal.sides,
                all_keys=True,
            )
        ),
    ]
    unclaimed: Annotated[int, _count_field("Cards that nobody took.", unit="cards")] = 0

    shape_name: ClassVar = "CasinoDeal"

    @staticmethod
    def check_read(data: s.Attributes, deal: DealContext) -> Iterator[Problem]:
        """Yield a majority that some sides counted and others did not."""
        for count, most in _MAJORITIES:
            without = [side for side, facts in data["sides"].items() if getattr(facts, count) is None]
            if len(without) < len(data["sides"]):
                for side in without:
                    yield Problem((side, most), "unknown-key", {"key": most}, contextual=True)
                    yield Problem((side, count), "required", contextual=True)


DEAL: Final = deal_shape(DealFacts)


def read_sides(node: Node, rules: CasinoRules) -> tuple[Side, ...]:
    """Return the sides of a score request: two to four, of four players at most (CASINO-001)."""
    sides = read_side_list(node)
    if sides and not 2 <= len(sides) <= _MOST_PLAYERS:
        node.fault("sides-count", a.PLAYERS.id, low=2, high=_MOST_PLAYERS, count=len(sides))
    for place, side in enumerate(sides):
        if side.id == UNCLAIMED:
            node.fault("side-id", value=side.id)
        most = 2 if len(sides) == 2 else 1
        if len(side.players) > most:
            node.fault("players-count", a.PLAYERS.id, at=(place, "players"), expected=most, count=len(side.players))
    return sides


def from_cards(cards: Sequence[Card], *, sweeps: int = 0, last_capture: bool = False) -> SideFacts:
    """Return the facts of a side that took exactly these cards."""
    return SideFacts(
        cards=len(cards),
        spades=sum(card.suit == "S" for card in cards),
        aces=sum(card.rank == "A" for card in cards),
        big_ten=BIG_TEN in cards,
        spy_two=SPY_TWO in cards,
        sweeps=sweeps,
        last_capture=last_capture,
        captured=tuple(cards),
    )


SPADES: Final = 13
ACES: Final = 4


class CasinoScorer:
    """Scoring of Casino for `engine.ledger.keep_ledger`."""

    game = GAME

    def check(self, rules: CasinoRules, sides: Sequence[Side], facts: DealFacts, before: Before) -> Iterator[Problem]:
        """Yield every reason why the facts are impossible: 52 cards, 13 spades, 4 aces, single cards (CASINO-916)."""
        yield from _check_captured(rules, facts)
        yield from _check_totals(rules, facts)
        for side, own in facts.sides.items():
            yield from _check_side(side, own)

    def score(
        self, rules: CasinoRules, sides: Sequence[Side], facts: DealFacts, before: Before
    ) -> Mapping[str, SideScore]:
        """Return each side's lines in points, and its total after them (CASINO-911 to 919)."""
        lines = deal_lines(rules, facts)
        _remedy_lines(rules, before.irregularities, lines)
        return {
            side.id: SideScore(
                tuple(lines[side.id]),
                Standing(before.standing[side.id].total + sum(line.points for line in lines[side.id])),
            )
            for side in sides
        }

    def outcome(
        self, rules: CasinoRules, facts: DealFacts | None, standing: Mapping[str, Standing], before: Before
    ) -> Outcome:
        """Return the end of the game: the target, the highest total, another deal or a draw (CASINO-931 to 933)."""
        best = max(at.total for at in standing.values())
        if rules.target is not None and best < rules.target:
            return Outcome()
        winners = tuple(side for side, at in standing.items() if at.total == best)
        details = {"total": best, "target": rules.target}
        if len(winners) > 1:
            over = rules.final_tie == "draw"
            return Outcome(over, winners if over else (), a.FINAL_TIE.id, details)
        if rules.target is None:
            return Outcome(True, winners, a.SINGLE_DEAL.id, details)
        several = sum(at.total >= rules.target for at in standing.values()) > 1
        return Outcome(True, winners, (a.HIGHEST_TOTAL if several else a.TARGET).id, details)


def tallies(rules: CasinoRules) -> tuple[str, ...]:
    """Return no names: Casino keeps no tally beside the total."""
    return ()


def deal_lines(rules: CasinoRules, facts: DealFacts) -> dict[str, list[Line]]:
    """Return every side's lines of one deal, in the order of the score table."""
    lines: dict[str, list[Line]] = {side: [] for side in facts.sides}
    winner = _shutout(rules, facts)
    if winner is not None:
        lines[winner].append(Line(a.SHUTOUT.id, all_points(rules), {"points": all_points(rules)}))
    else:
        if rules.majorities == "always" or len(facts.sides) == 2:
            _majority(lines, a.MOST_CARDS, "cards", leaders(facts, "cards"), rules.cards_points, rules.cards_tie)
            _spades(rules, facts, lines)
        for side, own in facts.sides.items():
            if own.big_ten and rules.big_ten_points:
                lines[side].append(Line(a.BIG_TEN.id, rules.big_ten_points))
            if own.spy_two and rules.spy_two_points:
                lines[side].append(Line(a.SPY_TWO.id, rules.spy_two_points))
            if own.aces and rules.ace_points:
                lines[side].append(Line(a.ACES.id, rules.ace_points * own.aces, {"aces": own.aces}))
    _sweep_lines(rules, facts, lines)
    for side, own in facts.sides.items():
        if own.last_capture and rules.last_capture_points:
            lines[side].append(Line(a.LAST_CAPTURE.id, rules.last_capture_points))
    return lines


def _remedy_lines(rules: CasinoRules, irregularities: Sequence[Irregularity], lines: Mapping[str, list[Line]]) -> None:
    """Add what false builds cost, one by one: a point for the other side, or one less for their maker's (IRR-C2)."""
    article, remedy = a.FALSE_BUILD_REMEDY.id, rules.false_build_remedy
    for one in irregularities:
        if one.kind != FALSE_BUILD or one.corrected or remedy == "none":
            continue
        others = [side for side in lines if side != one.side]
        given = remedy == "point" and len(others) == 1
        lines[one.side].append(Line(article, 0 if given else -1, {"by": one.by}))
        if given:
            lines[others[0]].append(Line(article, 1, {"by": one.by}))


def all_points(rules: CasinoRules) -> int:
    """Return what one deal holds before ties and sweeps: 11 in most forms (CASINO-916)."""
    counted = rules.cards_points + rules.spades_points + rules.big_ten_points + rules.spy_two_points
    return counted + ACES * rules.ace_points


def _shutout(rules: CasinoRules, facts: DealFacts) -> str | None:
    """Return the side that takes everything because the other has no scoring card (SAF-107)."""
    if not rules.shutout or len(facts.sides) != 2:
        return None
    having = [side for side, own in facts.sides.items() if own.aces or own.big_ten or own.spy_two]
    return having[0] if len(having) == 1 else None


def leaders(facts: DealFacts, item: str) -> dict[str, int | None]:
    """Return the sides with the most of something, with their count where known; none where nobody has any."""
    counts = {side: getattr(own, item) for side, own in facts.sides.items()}
    if None in counts.values():
        return {side: None for side, own in facts.sides.items() if getattr(own, f"most_{item}")}
    best = max(counts.values())
    return {side: count for side, count in counts.items() if count == best and best > 0}


def _majority(
    lines: dict[str, list[Line]], article: Article, item: str, leaders: Mapping[str, int | None], points: int, tie: str
) -> None:
    if not points or not leaders:
        return
    shared, rest = divmod(points, len(leaders))
    for side, count in leaders.items():
        details: dict[str, object] = {} if count is None else {"count": count}
        if len(leaders) == 1:
            lines[side].append(Line(article.id, points, details))
        else:
            details |= {"item": item, "sides": list(leaders)}
            lines[side].append(Line(a.MAJORITY_TIE.id, shared if tie == "split" and not rest else 0, details))


def _spades(rules: CasinoRules, facts: DealFacts, lines: dict[str, list[Line]]) -> None:
    least = rules.spades_minimum
    if least is None:
        _majority(lines, a.MOST_SPADES, "spades", leaders(facts, "spades"), rules.spades_points, rules.spades_tie)
        return
    for side, own in facts.sides.items():
        enough = own.most_spades if own.spades is None else own.spades >= least
        if enough and rules.spades_points:
            details = {"minimum": least} if own.spades is None else {"minimum": least, "count": own.spades}
            lines[side].append(Line(a.ENOUGH_SPADES.id, rules.spades_points, details))


def _sweep_lines(rules: CasinoRules, facts: DealFacts, lines: dict[str, list[Line]]) -> None:
    if not rules.sweep:
        return
    cancelled = min(own.sweeps for own in facts.sides.values()) if rules.sweep_cancel else 0
    for side, own in facts.sides.items():
        if own.sweeps:
            details = {"sweeps": own.sweeps, "cancelled": cancelled}
            article = a.SWEEPS_CANCEL if cancelled else a.SWEEPS
            lines[side].append(Line(article.id, rules.sweep * (own.sweeps - cancelled), details))


def _problem(pointer: Pointer, code: str, article: Article, *, anyway: bool = True, **facts: object) -> Problem:
    return Problem(pointer, code, facts, article.id, acceptable=anyway)


def _check_captured(rules: CasinoRules, facts: DealFacts) -> Iterator[Problem]:
    seen: dict[Card, str] = {}
    for side, own in facts.sides.items():
        for place, card in enumerate(own.captured or ()):
            pointer = (side, "captured", place)
            if card not in full_pack(rules):
                yield _problem(pointer, "not-in-pack", a.FORTY_CARDS, anyway=False, card=str(card))
            elif card in seen:
                details = {"card": str(card), "sides": [seen[card], side]}
                yield Problem(pointer, "duplicate-card", details, a.COUNT_BY_SIDE.id)
            seen.setdefault(card, side)


def _check_totals(rules: CasinoRules, facts: DealFacts) -> Iterator[Problem]:
    """Yield counts that do not add up; cards that nobody took may be any cards (CASINO-903)."""
    if facts.unclaimed > rules.deck:
        details = {"expected": rules.deck, "total": facts.unclaimed}
        yield _problem((UNCLAIMED,), "cards-total", a.NOBODY_CAPTURED, anyway=False, **details)
        return
    pack = a.FORTY_CARDS if rules.deck == 40 else a.PACK
    spades = sum(card.suit == "S" for card in full_pack(rules))
    yield from _check_total(facts, "cards", "cards-total", pack, rules.deck - facts.unclaimed, 0)
    yield from _check_total(facts, "spades", "spades-total", a.MOST_SPADES, spades, facts.unclaimed)
    yield from _check_total(facts, "aces", "aces-total", a.ACES, ACES, facts.unclaimed)
    yield from _check_total(facts, "big_ten", "big-ten-total", a.BIG_TEN, 1, facts.unclaimed)
    yield from _check_total(facts, "spy_two", "spy-two-total", a.SPY_TWO, 1, facts.unclaimed)
    everybody = facts.unclaimed < rules.deck
    for item, points in (("cards", rules.cards_points), ("spades", rules.spades_points)):
        if points and everybody and all(getattr(own, item) is None for own in facts.sides.values()):
            nobody = not any(getattr(own, f"most_{item}") for own in facts.sides.values())
            if nobody and not (item == "spades" and rules.spades_minimum is not None):
                yield _problem((), f"most-{item}-missing", a.MAJORITY_TIE, item=item)
    last = [side for side, own in facts.sides.items() if own.last_capture]
    if len(last) > 1:
        yield _problem((), "last-capture-total", a.REMAINING_CARDS, sides=last)


def _check_total(
    facts: DealFacts, item: str, code: str, article: Article, expected: int, slack: int
) -> Iterator[Problem]:
    values = {side: getattr(own, item) for side, own in facts.sides.items()}
    if None in values.values():
        return
    counts = {side: int(value) for side, value in values.items()}
    total = sum(counts.values())
    if not expected - slack <= total <= expected:
        details = {"expected": expected, "total": total, "difference": expected - total, "counts": counts}
        yield Problem((), code, details, article.id, acceptable=True)


def _check_side(side: str, own: SideFacts) -> Iterator[Problem]:
    if own.spy_two and own.spades == 0:
        yield _problem((side, "spy_two"), "spy-two-without-spade", a.SPY_TWO, side=side)
    if own.cards is None or own.captured is not None:
        return
    spades = own.spades or 0
    shared = 1 if own.aces and spades - own.spy_two > 0 else 0
    least = spades + own.aces - shared + own.big_ten
    if own.cards < least and own.aces <= ACES and spades <= SPADES:
        yield _problem((side, "cards"), "cards-below-parts", a.COUNT_BY_SIDE, side=side, count=own.cards, least=least)

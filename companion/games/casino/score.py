"""The facts of a deal as entered, its score line by line, what cannot be true, and the end of the game."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, replace
from itertools import product
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
from companion.games.casino.table import BIG_TEN, SPY_TWO, full_pack, pack_article, players_range

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


def remedy_for(rules: CasinoRules, code: str, *, dealing: bool = False, later: bool = False) -> Remedy:
    """Return what to do about a breach with this code (IRR-C1 to C5); `later` in a later round of dealing."""
    if dealing and code == "wrong-dealer":  # it goes back to whose turn it was, whatever the table does otherwise
        return Remedy(a.MISDEAL.id, "end-of-deal", None, MISDEAL)
    if dealing and later:
        return Remedy(a.SHORT_HAND.id, "end-of-deal", None, MISDEAL)
    if dealing:
        then = {"option": "misdeal_dealer", "value": rules.misdeal_dealer}
        return Remedy(a.MISDEAL.id, "end-of-deal", then, MISDEAL)
    if is_false_build(code):
        then = {"option": "false_build_remedy", "value": rules.false_build_remedy}
        return Remedy(a.FALSE_BUILD_REMEDY.id, "next-play", then, FALSE_BUILD)
    return Remedy(a.ILLEGAL_PLAY.id, "next-play", None, "illegal_play")


CLAIM, FIRST_OUT = "claim", "first_out"
DEAL_KEYS: Final = (UNCLAIMED, CLAIM, FIRST_OUT)
"""What a deal says beside its sides."""
SPADES: Final = 13
ACES: Final = 4
_MOST_COUNTED: Final = 1_000
_MAJORITIES: Final = (("cards", "most_cards"), ("spades", "most_spades"))
_COUNTED_AFTER: Final = frozenset(
    article.id for article in (a.MOST_CARDS, a.MOST_SPADES, a.MAJORITY_TIE, a.SWEEPS_CANCEL, a.LAST_CAPTURE)
)
"""Articles of points that nobody has before the deal is over."""
_RISE: Final = 11
"""By how much a target rises that several have reached without claiming it (END-R5)."""


def _count_field(describe: str = "", **common: Unpack[s.FieldOptions]) -> s.Count:
    """Declare a number of cards, or of anything else of a deal."""
    return s.Count(describe, high=_MOST_COUNTED, **common)


class _Aces(s.Either):
    """The aces of a side: how many, or their suits."""

    expected = "integer"

    def __init__(self) -> None:
        suits = s.ListOf(s.Word(tuple("SHDC")), most=ACES)
        super().__init__(
            suits, _count_field(unit="cards"), describe="The number of its aces, or their suits.", example=3
        )


_SWEEPS: Final = _count_field("How often it emptied the table.", default=0)
_LAST_CAPTURE: Final = s.Flag("Whether it captured last.", default=False)


@dataclass(frozen=True, slots=True)
class SideFacts:
    """What a side took, counted; instead of `cards` and `spades`, all sides may say who had the most."""

    cards: Annotated[int | None, _count_field("The number of its cards.", default=None, unit="cards", example=30)]
    spades: Annotated[int | None, _count_field("The number of its spades.", default=None, unit="cards", example=8)]
    aces: Annotated[int, _Aces()]
    big_ten: Annotated[bool, s.Flag("Whether it took the ten of diamonds.")]
    spy_two: Annotated[bool, s.Flag("Whether it took the two of spades.")]
    sweeps: Annotated[int, _SWEEPS] = 0
    last_capture: Annotated[bool, _LAST_CAPTURE] = False
    most_cards: Annotated[bool, s.Flag("Whether it had or shared the most cards.", default=None)] = False
    most_spades: Annotated[bool, s.Flag("Whether it had or shared the most spades.", default=None)] = False
    spade_ace: Annotated[bool | None, s.Flag("Whether it took A♠.", default=None)] = None
    spade_jack: Annotated[bool | None, s.Flag("Whether it took J♠.", default=None)] = None
    captured: tuple[Card, ...] | None = None
    ace_suits: frozenset[str] | None = None
    """The suits of its aces, where they are known."""

    shape_name: ClassVar = "Counted"
    checks_parts: ClassVar = True

    @staticmethod
    def check_read(data: s.Attributes, deal: DealContext) -> Iterator[Problem]:
        """Yield a majority that is missing, or that is told twice."""
        scored = majorities_scored(deal.rules, len(deal.sides))
        for count, most in _MAJORITIES:
            given = [data.get(key, False) is not None for key in (count, most)]
            if not any(given) and count in scored:
                yield Problem((count,), "required", contextual=True)
            elif all(given):
                yield Problem((most,), "unknown-key", {"key": most}, contextual=True)
        if deal.rules.each_spade_points and data.get("spades", 0) is None:
            yield Problem(("spades",), "required", contextual=True)
        suits = data.get("aces")
        for card in single_spades(deal.rules):
            known = "S" in suits if card == "spade_ace" and isinstance(suits, tuple) else None
            if data.get(card, False) is None and known is None:
                yield Problem((card,), "required", contextual=True)
            elif known is not None and data.get(card) not in (None, known):
                yield Problem((card,), "spade-ace-against-aces", article=a.SPADE_ACE.id)
        if isinstance(suits, tuple) and len(set(suits)) < len(suits):
            yield Problem(("aces",), "choice", {"value": list(suits), "choices": list("SHDC")})

    @staticmethod
    def build_read(data: s.Attributes, deal: DealContext) -> SideFacts:
        """Return the facts; who does not say to have had the most had not. Aces by their suits are counted."""
        own = {**data, **{most: bool(data[most]) for _, most in _MAJORITIES}}
        if isinstance(suits := own["aces"], tuple):
            own |= {"aces": len(suits), "ace_suits": frozenset(suits), "spade_ace": "S" in suits}
        return SideFacts(**own)


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
    claim: Annotated[str | None, s.SideId("Who claimed the target.")] = None
    first_out: Annotated[str | None, s.SideId("Who was first at the target.")] = None

    shape_name: ClassVar = "CasinoDeal"

    @staticmethod
    def check_read(data: s.Attributes, deal: DealContext) -> Iterator[Problem]:
        """Yield a majority that some sides counted and others did not, and an end that the rules do not know."""
        for key, ending in ((CLAIM, "claim"), (FIRST_OUT, "as_taken")):
            if data.get(key) is not None and deal.rules.ending != ending:
                yield Problem((key,), "unknown-key", {"key": key}, contextual=True)
        for count, most in _MAJORITIES:
            without = [side for side, facts in data["sides"].items() if getattr(facts, count) is None]
            if len(without) < len(data["sides"]):
                for side in without:
                    yield Problem((side, most), "unknown-key", {"key": most}, contextual=True)
                    yield Problem((side, count), "required", contextual=True)


DEAL: Final = deal_shape(DealFacts)


def read_sides(node: Node, rules: CasinoRules) -> tuple[Side, ...]:
    """Return the sides of a score request: two to four, of four players at most, or five (CASINO-001, BKC-012)."""
    sides = read_side_list(node)
    low, high = players_range(rules)
    if sides and not low <= len(sides) <= high:
        node.fault("sides-count", a.PLAYERS.id, low=low, high=high, count=len(sides))
    for place, side in enumerate(sides):
        if side.id in DEAL_KEYS:
            node.fault("side-id", value=side.id)
        most = 2 if len(sides) == 2 and rules.partners == "opposite" else 1
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
        spade_ace=Card("A", "S") in cards,
        spade_jack=Card("J", "S") in cards,
        captured=tuple(cards),
        ace_suits=frozenset(card.suit for card in cards if card.rank == "A"),
    )


class CasinoScorer:
    """Scoring of Casino for `engine.ledger.keep_ledger`."""

    game = GAME

    def check(self, rules: CasinoRules, sides: Sequence[Side], facts: DealFacts, before: Before) -> Iterator[Problem]:
        """Yield every reason why the facts are impossible: 52 cards, 13 spades, 4 aces, single cards (CASINO-916)."""
        yield from _check_cards(rules, facts)
        yield from _check_totals(rules, facts)
        found = [_check_sides(rules, facts, holder) for holder in _spade_ace_holders(rules, facts)]
        yield from min(found, key=lambda each: (len(each), [one.facts.get("least", 0) for one in each]))
        yield from check_ending(rules, facts, before)

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
        """Return the end of the game: the target, the highest total, another deal or a draw (CASINO-931 to 933).

        Where it ends in another way, by who claimed or reached the target first (END-002 to 004).
        """
        totals = {side: at.total for side, at in standing.items()}
        target = _target_in_force(rules, before)
        if target is None:  # every deal is a game of its own, also one that decides a tie
            if facts is None:
                return Outcome()
            totals = {side: total - before.standing[side].total for side, total in totals.items()}
        reached = [side for side, total in totals.items() if target is not None and total >= target]
        ended = facts is not None and _ended(rules, facts, before, totals, target)
        if ended:
            return _with_margin(rules, totals, ended)
        if rules.ending == "claim" and len(reached) > 1 and target is not None:
            return _raised(target + _RISE)
        best = max(totals.values())
        if target is not None and best < target:
            return Outcome() if target == rules.target else _raised(target)
        winners = tuple(side for side, total in totals.items() if total == best)
        details: dict[str, object] = {"total": best, "target": target}
        if len(winners) > 1:
            drawn = rules.final_tie == "draw"
            over = Outcome(drawn, winners if drawn else (), a.FINAL_TIE.id, details)
        elif target is None:
            over = Outcome(True, winners, a.SINGLE_DEAL.id, details)
        else:
            several = a.FINAL_TIE if rules.ending == "count_out" else a.HIGHEST_TOTAL
            if several is a.FINAL_TIE and len(reached) > 1:
                details["reached"] = reached  # that counting out named nobody
            over = Outcome(True, winners, (several if len(reached) > 1 else a.TARGET).id, details)
        return _with_margin(rules, totals, over)


def _target_in_force(rules: CasinoRules, before: Before) -> int | None:
    """Return the target of a deal: where it must be claimed, raised for several that had it unclaimed (END-R5).

    Of a game that begins with totals from paper it is the lowest that at most one of them has reached.
    """
    target = rules.target
    if rules.ending != "claim" or target is None:
        return target
    while not before.scored and sum(at.total >= target for at in before.standing.values()) > 1:
        target += _RISE
    raised: int = before.outcome.facts.get("raised_to", target)
    return max(target, raised)


def _raised(target: int) -> Outcome:
    """Return that the game goes on to a target that was raised (END-R5)."""
    return Outcome(False, (), a.CLAIM.id, {"raised_to": target, "target": target - _RISE})


def _ended(
    rules: CasinoRules, facts: DealFacts, before: Before, totals: Mapping[str, int], target: int | None
) -> Outcome | None:
    """Return the end by a claim, or by who of several reached the target first; None where neither decides."""
    if target is None:
        return None
    if rules.ending == "claim" and facts.claim is not None:
        own = totals[facts.claim]
        others = {side: total for side, total in totals.items() if side != facts.claim}
        best = max(others.values())
        winners = (facts.claim,) if own >= target else tuple(side for side, total in others.items() if total == best)
        return Outcome(True, winners, a.CLAIM.id, {"total": own, "target": target, "claim": facts.claim})
    reached = [side for side, total in totals.items() if total >= target]
    if len(reached) < 2:
        return None
    first, article = facts.first_out, a.AS_TAKEN
    if rules.ending == "as_taken" and len(early := _first_taking(rules, facts, before, reached)) == 1:
        first = early[0]
    if rules.ending == "count_out":
        first, article = next(iter(_first_counted(rules, facts, before, reached))), a.COUNT_OUT
    if first is None:
        return None
    return Outcome(True, (first,), article.id, {"total": totals[first], "target": target})


def _with_margin(rules: CasinoRules, totals: Mapping[str, int], over: Outcome) -> Outcome:
    """Return the outcome with what the game is worth against each loser (SPC-005, R1 to R4)."""
    if rules.margin == "none" or len(over.winners) != 1 or rules.target is None:
        return over
    best, margin = totals[over.winners[0]], {}
    for side, total in totals.items():
        if side not in over.winners:
            doubled = rules.margin == "difference_doubled" and 2 * total < rules.target
            margin[side] = (best - total) * (2 if doubled else 1)
    return replace(over, facts={**over.facts, "margin": margin})


def _counted_items(
    rules: CasinoRules, facts: DealFacts, aces: Mapping[str, Collection[str]] | None
) -> Iterator[tuple[str, dict[str, int]]]:
    """Yield the items of a deal in the order in which they are counted out, each with its points by side (END-003).

    Aces come one by one by these suits, else all at once under `aces`; a shut-out is in the rest, whole.
    """
    lines = deal_lines(rules, facts)
    order = {
        "cards": (a.MOST_CARDS,), "spades": (a.MOST_SPADES, a.ENOUGH_SPADES, a.EACH_SPADE, a.SPADE_JACK),
        "10D": (a.BIG_TEN,), "2S": (a.SPY_TWO,), "aces": (a.ACES, a.SPADE_ACE),
        "sweeps": (a.SWEEPS, a.SWEEPS_CANCEL), "last": (a.LAST_CAPTURE,), "rest": (),
    }  # fmt: skip
    item_of = {article.id: item for item, articles in order.items() for article in articles}
    for item in order:
        points = {
            side: sum(line.points for line in own if item_of.get(line.article, line.facts.get("item", "rest")) == item)
            for side, own in lines.items()
        }
        if item == "aces" and any(points.values()) and aces is not None:
            for suit in "SCHD":
                worth = rules.ace_points + (rules.spade_ace_points if suit == "S" else 0)
                yield f"A{suit}", {side: worth * (suit in own) for side, own in aces.items()}
        else:
            yield item, points


def _ace_holders(rules: CasinoRules, facts: DealFacts) -> list[Mapping[str, Collection[str]] | None]:
    """Return every way in which the sides can have the aces that were counted, by suits; None where there is none."""
    found: list[Mapping[str, Collection[str]] | None] = []
    able = _spade_ace_holders(rules, facts)
    fit = [one for one in able if not _check_sides(rules, facts, one)]
    for holders in product(fit or able, *[(*facts.sides, None)] * (ACES - 1)):
        held = {side: {suit for suit, one in zip("SCHD", holders, strict=True) if one == side} for side in facts.sides}
        if all(
            len(held[side]) == own.aces and own.ace_suits in (None, held[side]) for side, own in facts.sides.items()
        ):
            found.append(held)
    return found or [None]


def _first_counted(rules: CasinoRules, facts: DealFacts, before: Before, reached: Collection[str]) -> set[str | None]:
    """Return who reaches the target first as the items of a deal are counted one after the other (END-003, R6).

    Several where suits of aces that nobody named decide it (R7); None for nobody. Only sides that have reached it with
    all that counts can be the first.
    """
    return {_first_of(rules, facts, before, reached, aces) for aces in _ace_holders(rules, facts)}


def _first_of(
    rules: CasinoRules, facts: DealFacts, before: Before, reached: Collection[str],
    aces: Mapping[str, Collection[str]] | None,
) -> str | None:  # fmt: skip
    """Return who reaches the target first where the aces were taken so.

    Of two that reach it by one item, such as a majority that they share, it is the one that had more before the deal;
    where they were level, the first to be ahead.
    """
    counted, level = {side: at.total for side, at in before.standing.items()}, list[str]()
    for _, points in _counted_items(rules, facts, aces):
        counted = {side: total + points[side] for side, total in counted.items()}
        there = [side for side in reached if rules.target is not None and counted[side] >= rules.target]
        if there and not level:
            ahead = max(before.standing[side].total for side in there)
            level = [side for side in there if before.standing[side].total == ahead]
        level = [side for side in level if counted[side] == max(counted[one] for one in level)]
        if len(level) == 1:
            return level[0]
    return None


def _first_taking(rules: CasinoRules, facts: DealFacts, before: Before, reached: Sequence[str]) -> Sequence[str]:
    """Return which of the sides at the target can have been the first (END-R1).

    These are the sides that reached it as they took cards, if any did: what is counted after the deal comes later.
    """
    taken = {
        side: sum(line.points for line in lines if line.article not in _COUNTED_AFTER)
        for side, lines in deal_lines(replace(rules, shutout=False), facts).items()
    }
    for one in before.adjustments:  # nobody says when it was given
        taken[one.side] += one.points
    return [side for side in reached if before.standing[side].total + taken[side] >= (rules.target or 0)] or reached


def tallies(rules: CasinoRules) -> tuple[str, ...]:
    """Return no names: Casino keeps no tally beside the total."""
    return ()


def deal_lines(rules: CasinoRules, facts: DealFacts) -> dict[str, list[Line]]:
    """Return every side's lines of one deal, in the order of the score table."""
    lines: dict[str, list[Line]] = {side: [] for side in facts.sides}
    winner = _shutout(rules, facts)
    if winner is not None:
        points = _all_points(rules, len(facts.sides))
        lines[winner].append(Line(a.SHUTOUT.id, points, {"points": points}))
    else:
        for item in majorities_scored(rules, len(facts.sides)):
            if item == "spades" and rules.spades_minimum is not None:
                _enough_spades(rules, facts, lines, rules.spades_minimum)
            else:
                _majority(rules, facts, lines, item)
        for side, own in facts.sides.items():
            lines[side] += card_lines(rules, own)
    _sweep_lines(rules, facts, lines)
    for side, own in facts.sides.items():
        if own.last_capture and rules.last_capture_points and not _cards_out(rules, facts):
            lines[side].append(Line(a.LAST_CAPTURE.id, rules.last_capture_points))
    return lines


def card_lines(rules: CasinoRules, own: SideFacts) -> Iterator[Line]:
    """Yield what a side's cards score by themselves, whatever the others took (CASINO-913 to 915, SPC-002, 003)."""
    jack = rules.spade_jack_points if "spade_jack" in single_spades(rules) else 0
    for article, worth, count, name in (
        (a.EACH_SPADE, rules.each_spade_points, own.spades, "count"), (a.SPADE_JACK, jack, own.spade_jack, ""),
        (a.SPADE_ACE, rules.spade_ace_points, own.spade_ace, ""), (a.BIG_TEN, rules.big_ten_points, own.big_ten, ""),
        (a.SPY_TWO, rules.spy_two_points, own.spy_two, ""), (a.ACES, rules.ace_points, own.aces, "aces"),
    ):  # fmt: skip
        if worth and count:
            yield Line(article.id, worth * count, {name: count} if name else {})


def _certain(rules: CasinoRules, facts: DealFacts, item: str) -> dict[str, int | None]:
    """Return the leaders; where a claim left cards out, only one with more than half of all (END-R2)."""
    found = leaders(facts, item)
    if not facts.claim or not _cards_out(rules, facts):
        return found
    half = (rules.deck if item == "cards" else spades_in(rules)) / 2
    return {side: n for side, n in found.items() if n is None or n > half}


def _remedy_lines(rules: CasinoRules, irregularities: Sequence[Irregularity], lines: Mapping[str, list[Line]]) -> None:
    """Add what false builds cost, one by one: a point for the other side, or one less for their maker's (IRR-C2)."""
    article, remedy = a.FALSE_BUILD_REMEDY.id, rules.false_build_remedy
    for one in irregularities:
        if one.kind != FALSE_BUILD or one.corrected or "none" in (remedy, rules.building):
            continue
        others = [side for side in lines if side != one.side]
        given = remedy == "point" and len(others) == 1
        lines[one.side].append(Line(article, 0 if given else -1, {"by": one.by}))
        if given:
            lines[others[0]].append(Line(article, 1, {"by": one.by}))


def _all_points(rules: CasinoRules, sides: int) -> int:
    """Return what one deal of so many sides holds before ties and sweeps: 11 in most forms (CASINO-916)."""
    counted = ("big_ten", "spy_two", *majorities_scored(rules, sides), *single_spades(rules))
    whole: int = sum(getattr(rules, f"{item}_points") for item in counted)
    return whole + ACES * rules.ace_points + spades_in(rules) * rules.each_spade_points


def most_points(rules: CasinoRules, sides: int) -> int:
    """Return the most that all sides can score in a deal before sweeps: several may have enough spades (SAF-107)."""
    enough = min(sides, spades_in(rules) // rules.spades_minimum) if rules.spades_minimum else 1
    more = (enough - 1) * rules.spades_points if "spades" in majorities_scored(rules, sides) else 0
    return _all_points(rules, sides) + more + rules.last_capture_points


def single_spades(rules: CasinoRules) -> list[str]:
    """Return the spades that score by themselves, as facts."""
    jack = rules.spade_jack_points and rules.deck != 40
    return ["spade_jack"] * bool(jack) + ["spade_ace"] * bool(rules.spade_ace_points)


def majorities_scored(rules: CasinoRules, sides: int) -> tuple[str, ...]:
    """Return what is counted for points among cards and spades, where so many sides play (CASINO-911, 912, KAS)."""
    played = rules.majorities == "always" or sides == 2
    points = {"cards": rules.cards_points, "spades": rules.spades_points}
    return tuple(item for item, worth in points.items() if worth and played)


def _cards_out(rules: CasinoRules, facts: DealFacts) -> int:
    """Return how many cards no side is said to have: nobody took them, or a claim left them out."""
    counts = [own.cards for own in facts.sides.values()]
    if not facts.claim or None in counts:
        return rules.deck if facts.claim else facts.unclaimed
    return max(rules.deck - sum(count for count in counts if count is not None), 0)


def spades_in(rules: CasinoRules) -> int:
    """Return how many spades the pack holds: fewer where it has no court cards."""
    return sum(card.suit == "S" for card in full_pack(rules))


def _shutout(rules: CasinoRules, facts: DealFacts) -> str | None:
    """Return the side that takes everything because the other has no scoring card (SAF-107)."""
    if not rules.shutout or len(facts.sides) != 2:
        return None
    black, jack = rules.each_spade_points > 0, "spade_jack" in single_spades(rules)
    counted = {
        side: own.aces + own.big_ten + own.spy_two + black * (own.spades or 0) + jack * bool(own.spade_jack)
        for side, own in facts.sides.items()
    }
    having = [side for side, count in counted.items() if count]
    whole = ACES + 2 + black * spades_in(rules) + jack
    certain = not facts.claim or whole in counted.values()  # of a stopped deal only what nobody can take any more
    return having[0] if len(having) == 1 and certain else None


def leaders(facts: DealFacts, item: str) -> dict[str, int | None]:
    """Return the sides with the most of something, with their count where known; none where nobody has any."""
    counts = {side: getattr(own, item) for side, own in facts.sides.items()}
    if None in counts.values():
        return {side: None for side, own in facts.sides.items() if getattr(own, f"most_{item}")}
    best = max(counts.values())
    return {side: count for side, count in counts.items() if count == best and best > 0}


def _majority(rules: CasinoRules, facts: DealFacts, lines: dict[str, list[Line]], item: str) -> None:
    most, points = _certain(rules, facts, item), getattr(rules, f"{item}_points")
    for side, count in most.items():
        details: dict[str, object] = {} if count is None else {"count": count}
        if len(most) == 1:
            lines[side].append(Line({"cards": a.MOST_CARDS, "spades": a.MOST_SPADES}[item].id, points, details))
        else:
            details |= {"item": item, "sides": list(most)}
            shared = getattr(rules, f"{item}_tie") == "split" and points % len(most) == 0
            lines[side].append(Line(a.MAJORITY_TIE.id, points // len(most) if shared else 0, details))


def _enough_spades(rules: CasinoRules, facts: DealFacts, lines: dict[str, list[Line]], least: int) -> None:
    for side, own in facts.sides.items():
        if own.most_spades if own.spades is None else own.spades >= least:
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


def _check_cards(rules: CasinoRules, facts: DealFacts) -> Iterator[Problem]:
    """Yield each card that is not in the pack in use, or that two sides name: as captured, or by the suit of an ace."""
    seen: dict[Card, str] = {}
    for side, own in facts.sides.items():
        aces = sorted(Card("A", suit) for suit in own.ace_suits or ())
        for place, card in enumerate(aces if own.captured is None else own.captured):
            pointer = (side, "aces") if own.captured is None else (side, "captured", place)
            if card not in full_pack(rules):
                yield _problem(pointer, "not-in-pack", pack_article(rules), anyway=False, card=str(card))
            elif card in seen:
                details = {"card": str(card), "sides": [seen[card], side]}
                yield Problem(pointer, "duplicate-card", details, a.COUNT_BY_SIDE.id)
            seen.setdefault(card, side)


def _check_totals(rules: CasinoRules, facts: DealFacts) -> Iterator[Problem]:
    """Yield counts that do not add up; cards that nobody took may be any cards (CASINO-903)."""
    if facts.unclaimed > rules.deck:
        yield _problem(
            (UNCLAIMED,), "cards-total", a.NOBODY_CAPTURED, anyway=False, expected=rules.deck, total=facts.unclaimed
        )
        return
    out, stopped = _cards_out(rules, facts), rules.deck if facts.claim else 0
    singles = {"big_ten": a.BIG_TEN, "spy_two": a.SPY_TWO, "spade_jack": a.SPADE_JACK, "spade_ace": a.SPADE_ACE}
    for item, article, expected, slack in (
        ("cards", pack_article(rules), rules.deck - facts.unclaimed, stopped),
        ("spades", a.MOST_SPADES, spades_in(rules), out), ("aces", a.ACES, ACES, out),
        *((card, singles[card], 1, out) for card in ("big_ten", "spy_two", *single_spades(rules))),
    ):  # fmt: skip
        values = {side: getattr(own, item) for side, own in facts.sides.items()}
        if None in values.values():
            continue
        counts = {side: int(value) for side, value in values.items()}
        total = sum(counts.values())
        if not expected - slack <= total <= expected:
            found = {"expected": expected, "total": total, "difference": expected - total, "counts": counts}
            yield Problem((), f"{item.replace('_', '-')}-total", found, article.id, acceptable=True)
    everybody = facts.unclaimed < rules.deck and not facts.claim
    for item in majorities_scored(rules, len(facts.sides)) if everybody else ():
        if all(getattr(own, item) is None for own in facts.sides.values()):
            nobody = not any(getattr(own, f"most_{item}") for own in facts.sides.values())
            if nobody and not (item == "spades" and rules.spades_minimum is not None):
                yield _problem((), f"most-{item}-missing", a.MAJORITY_TIE, item=item)
    last = [side for side, own in facts.sides.items() if own.last_capture]
    if len(last) > 1 or (rules.last_capture_points and everybody and not last):
        yield _problem((), "last-capture-total", a.REMAINING_CARDS, sides=last)


def check_ending(rules: CasinoRules, facts: DealFacts, before: Before) -> Iterator[Problem]:
    """Yield what must be told before it is known who reached the target first (END-R1, R7)."""
    if rules.target is None or rules.ending not in ("count_out", "as_taken"):
        return
    lines = deal_lines(rules, facts)
    _remedy_lines(rules, before.irregularities, lines)
    totals = {side: at.total + sum(line.points for line in lines[side]) for side, at in before.standing.items()}
    for one in before.adjustments:
        totals[one.side] += one.points
    there = [side for side, total in totals.items() if total >= rules.target]
    if rules.ending == "as_taken":
        early, first = _first_taking(rules, facts, before, there), facts.first_out
        if first is not None and first not in early:
            yield _problem(
                (FIRST_OUT,), "first-out-short", a.AS_TAKEN, anyway=False,
                side=first, target=rules.target, total=totals[first],
            )  # fmt: skip
        elif first is None and len(early) > 1:
            yield _problem((), "first-out-needed", a.AS_TAKEN, anyway=False, target=rules.target, sides=[*early])
    elif len(there) > 1 and len(_first_counted(rules, facts, before, there)) > 1:
        yield _problem((), "aces-needed", a.COUNT_OUT, anyway=False, item="aces")


def _spade_ace_holders(rules: CasinoRules, facts: DealFacts) -> list[str | None]:
    """Return who may have A♠, by what is said of it and of aces; None where cards or the aces do not add up."""
    scored = "spade_ace" in single_spades(rules)
    said = {
        side: own.spade_ace if scored or own.ace_suits is not None else None if own.aces else False
        for side, own in facts.sides.items()
    }
    named = [side for side, has in said.items() if has] or [side for side, has in said.items() if has is None]
    missing = _cards_out(rules, facts) or sum(own.aces for own in facts.sides.values()) != ACES
    return [*named, None] if missing or not named else [*named]


def _check_sides(rules: CasinoRules, facts: DealFacts, holder: str | None) -> list[Problem]:
    """Return counts of a side that contradict each other where this side has A♠."""
    taken = facts.unclaimed < rules.deck
    return [
        one for side, own in facts.sides.items() for one in _check_side(rules, side, own, side == holder, taken=taken)
    ]


def _check_side(rules: CasinoRules, side: str, own: SideFacts, ace: bool, *, taken: bool) -> Iterator[Problem]:
    """Yield counts of one side that contradict each other; `taken` is false where nobody captured anything."""
    named = own.spy_two + ace + bool("spade_jack" in single_spades(rules) and own.spade_jack)
    if own.spy_two and own.spades == 0:
        yield _problem((side, "spy_two"), "spy-two-without-spade", a.SPY_TWO, side=side)
    elif own.spades is not None and own.spades < named:
        yield _problem(
            (side, "spades"), "spades-below-parts", a.COUNT_BY_SIDE, side=side, count=own.spades, least=named
        )
    if ace and not own.aces:
        yield _problem((side, "spade_ace"), "spade-ace-against-aces", a.SPADE_ACE)
    spades, cards = max(named, own.spades or 0), own.cards if taken else 0
    last = rules.last_capture_points and own.last_capture
    least = max(
        spades + own.aces - ace + own.big_ten if own.captured is None else 0,
        2 if last or (taken and cards == 1) else 0,  # a capture is two cards at least
        2 * own.sweeps if rules.sweep else 0,
    )
    if cards is not None and cards < least and own.aces <= ACES and spades <= SPADES:
        yield _problem((side, "cards"), "cards-below-parts", a.COUNT_BY_SIDE, side=side, count=cards, least=least)

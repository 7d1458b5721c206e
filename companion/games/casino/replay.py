"""A recorded deal replayed: verdicts at the time, findings in retrospect, captures, the result ready to score."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from companion.engine.cards import Card
from companion.engine.problems import Refused
from companion.engine.reading import Node
from companion.engine.verdict import ILLEGAL, LEGAL, UNDECIDED, Finding, Judged, Verdict
from companion.games.casino import articles as a
from companion.games.casino.course import Condition, Course, Hands, Shown
from companion.games.casino.dealing import DealPlan, deal_plan
from companion.games.casino.layout import names
from companion.games.casino.options import CasinoRules
from companion.games.casino.plays import read_plays
from companion.games.casino.position import Seats, read_cards, read_seats
from companion.games.casino.turn import play_turn, verdict_of

Settled = Sequence[tuple[Condition, str | None, Shown | None]]


def replay(rules: CasinoRules, request: Node) -> Mapping[str, Any]:
    """Verdicts for each turn, findings, captures, the result ready to score. Raises Refused where unreadable."""
    course = begin(rules, request)
    judged = [follow(course, item) for item in request["turns"].items(most=rules.deck)]
    if request.problems:
        raise Refused(request.problems)
    return report(course, judged)


def begin(rules: CasinoRules, request: Node) -> Course:
    """The deal before its first turn, for one who follows it turn by turn. Raises Refused where unreadable."""
    course = _read(rules, request)
    if course is None or request.problems:
        raise Refused(request.problems)
    return course


def report(course: Course, judged: Sequence[Judged]) -> Mapping[str, Any]:
    """The answer to a replay: what the turns followed so far amount to."""
    settled = [(condition, *course.settle(condition)) for condition in course.conditions]
    sides = course.seats.sides()
    return {
        "verdicts": [_in_retrospect(one, settled) for one in judged],
        "findings": list(_findings(judged, settled)),
        "captures": course.captures,
        "table": names(course.table),
        "builds": [build.plain() for build in course.builds],
        "proven": {seat: sorted(values) for seat, values in course.proven.items() if values},
        "complete": course.complete,
        "sides": [{"id": name, "players": list(players)} for name, players in sides.items()],
        "result": course.result() if course.complete else None,
    }


def _read(rules: CasinoRules, node: Node) -> Course | None:
    keys = ("rules", "seats", "players", "dealer", "first", "table", "hands")
    if not node.object(required=("turns",), optional=keys):
        return None
    seats = read_seats(node["players"] if node["players"].present and not node["seats"].present else node["seats"])
    if seats is None:
        return None
    plan = deal_plan(rules, len(seats.names))
    used: dict[Card, str] = {}
    table = read_cards(node["table"], rules, used)
    if len(table) != plan.table and not node.problems:
        node["table"].fault("table-count", a.FIRST_TABLE_CARDS.id, count=len(table), expected=plan.table)
    first = node["first"].optional(lambda n: n.one_of(seats.names, code="unknown-seat"))
    dealer = node["dealer"].optional(lambda n: n.one_of(seats.names, code="unknown-seat"))
    if first is None and dealer is not None:
        first = seats.after(dealer, rules.direction)
    return Course(rules, seats, plan, _read_hands(node["hands"], rules, seats, plan, used), table, first)


def _read_hands(node: Node, rules: CasinoRules, seats: Seats, plan: DealPlan, used: dict[Card, str]) -> Hands:
    """Hands as dealt: a list of cards each, or where cards are dealt in rounds a list of such lists."""
    hands: Hands = {}
    if not node.present or node.value is None or not node.object(optional=seats.names):
        return hands
    for seat in (name for name in seats.names if node[name].present):
        value = node[seat].value
        nested = isinstance(value, list) and value and isinstance(value[0], list)
        parts = list(node[seat].items(most=len(plan.rounds))) if nested else [node[seat]]
        hands[seat] = tuple(frozenset(read_cards(part, rules, used)) for part in parts)
        for part, cards, expected in zip(parts, hands[seat], plan.rounds, strict=False):
            if len(cards) != expected and not node.problems:
                part.fault("hand-count", a.DEALING.id, seat=seat, count=len(cards), expected=expected)
    return hands


def follow(course: Course, node: Node) -> Judged:
    """One turn judged on the table that it meets; then the table is moved on. Faults are noted at the node."""
    if not node.object(required=("plays",), optional=("type", "player")):
        return Judged({}, Verdict())
    if node["type"].present:
        node["type"].one_of(("turn",))
    player = node["player"].optional(lambda n: n.one_of(course.seats.names, code="unknown-seat")) or course.expected
    if player is None:
        node["player"].fault("required", a.FIRST_PLAYER.id)
        return Judged({}, Verdict())
    course.turn += 1
    position = course.position(player)
    plays = read_plays(node["plays"], position)
    layout = play_turn(course.rules, position, plays)
    if course.expected not in (None, player):
        layout.ruling.breach(a.FIRST_PLAYER, "out-of-turn", seat=player, expected=course.expected)
    if layout.played and not course.left[player]:
        layout.ruling.breach(a.END_OF_DEAL, "no-cards-left", seat=player, card=str(layout.played[0]))
    verdict = verdict_of(layout)
    course.carry(player, layout)
    move = {"type": "turn", "turn": course.turn, "player": player, "plays": node["plays"].value}
    return Judged(move, verdict, None if verdict.value == UNDECIDED else verdict.value)


def _in_retrospect(judged: Judged, settled: Settled) -> Judged:
    """A turn that hung on a hidden hand, with what the later cards made of it."""
    if judged.verdict.value != UNDECIDED:
        return judged
    outcomes = [outcome for condition, outcome, _ in settled if condition.turn == judged.move["turn"]]
    if "broken" in outcomes:
        return replace(judged, settled=ILLEGAL)
    return replace(judged, settled=None if None in outcomes else LEGAL)


def _findings(judged: Sequence[Judged], settled: Settled) -> Iterator[Finding]:
    """Every broken article in the order of the turns, those that only the end of a hand showed among them."""
    for one in judged:
        turn = one.move["turn"]
        for breach in one.verdict.breaches:
            yield Finding(breach.article, breach.code, one.move["player"], {**breach.facts, "turn": turn})
        for condition, outcome, last in settled:
            if condition.turn == turn and outcome == "broken" and last is not None:
                missing = condition.missing
                shown_by = {"turn": last.turn, "card": str(last.card), "seat": last.seat}
                facts = {"turn": turn, "value": missing.facts["value"], "count": missing.facts["count"]}
                yield Finding(missing.article, "card-never-shown", missing.seat or "", {**facts, "shown_by": shown_by})

"""A recorded deal followed from the first call to the last trick: verdicts at the time, and findings in retrospect."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final

from companion.engine.cards import Card
from companion.engine.problems import Refused
from companion.engine.reading import Node
from companion.engine.verdict import ILLEGAL, UNDECIDED, Breach, Finding, Judged, Verdict
from companion.games.spades.bidding import judge_call
from companion.games.spades.options import SpadesRules
from companion.games.spades.play import judge_play, trick_winner
from companion.games.spades.position import (
    Call,
    Played,
    Position,
    Table,
    read_calls,
    read_hands,
    read_played,
    read_seat,
    read_side,
    read_table,
)  # fmt: skip
from companion.games.spades.result import Trick, deal_result

_SHOWN_BY_PART_OF_A_HAND: Final = frozenset(
    {"must-follow", "spades-not-broken", "first-trick-lowest-club", "first-trick-no-spade", "club-must-be-led"}
)
"""Breaches that some cards of a hand prove, whatever the rest of it was: hands only shrink (SPADES-039)."""


@dataclass(slots=True)
class Record:
    """What was written down of a deal."""

    table: Table
    totals: Mapping[str, int] | None
    calls: tuple[Call, ...]
    calls_known: bool
    plays: tuple[Played, ...]
    leader: str | None
    hands: Mapping[str, tuple[Card, ...]]
    findings: list[Finding] = field(default_factory=list)

    @property
    def complete(self) -> bool:
        """Whether every card of the deal has been played."""
        return len(self.plays) == self.table.rules.tricks * len(self.table.seats)

    @property
    def held(self) -> frozenset[Card] | None:
        """All cards of the deal, where every hand is written down."""
        cards = frozenset(card for hand in self.hands.values() for card in hand)
        return cards if len(cards) == self.table.rules.tricks * len(self.table.seats) else None

    @property
    def dealt(self) -> frozenset[Card] | None:
        """All cards of the deal, where every card was played or every hand is written down."""
        return frozenset(one.card for one in self.plays) if self.complete else self.held


def replay(rules: SpadesRules, request: Node) -> Mapping[str, Any]:
    """Verdicts for each call and play, findings, tricks, the result ready to score. Raises Refused when unreadable."""
    record = _read(rules, request)
    if record is None or request.problems:
        raise Refused(request.problems)
    tricks = _tricks(record)
    verdicts = [*_judge_calls(record), *_judge_plays(record, tricks)]
    return {
        "verdicts": verdicts,
        "findings": record.findings,
        "tricks": [
            {"leader": t.plays[0].seat, "cards": [str(p.card) for p in t.plays], "winner": t.winner} for t in tricks
        ],
        "complete": record.complete,
        **deal_result(record.table, record.calls if record.calls_known else None, tricks, complete=record.complete),
    }


def _read(rules: SpadesRules, node: Node) -> Record | None:
    if not node.object(required=("seats", "plays"), optional=("rules", "dealer", "leader", "calls", "totals", "hands")):
        return None
    table = read_table(node, rules)
    if table is None:
        return None
    limit = rules.tricks * len(table.seats)
    plays = tuple(read_played(item, table) for item in node["plays"].items(most=limit))
    calls = node["calls"].optional(lambda n: read_calls(n, table))
    totals: dict[str, int] | None = None
    if node["totals"].present and node["totals"].object(others=True):
        totals = {}
        for name in node["totals"].names():
            side = read_side(Node(name, node["totals"].pointer, node.problems), table)
            totals[side] = node["totals"][name].integer(low=-1_000_000, high=1_000_000)
    return Record(
        table, totals, calls or (), calls is not None, plays,
        node["leader"].optional(lambda n: read_seat(n, table)), read_hands(node["hands"], table, whole=True),
    )  # fmt: skip


def _tricks(record: Record) -> list[Trick]:
    size, rules = len(record.table.seats), record.table.rules
    tricks: list[Trick] = []
    for start in range(0, len(record.plays), size):
        plays = record.plays[start : start + size]
        winner = None
        if len(plays) == size:
            winner = plays[trick_winner(rules, [one.card for one in plays], first=not tricks)].seat
        tricks.append(Trick(len(tricks) + 1, plays, winner))
    return tricks


def _judge_calls(record: Record) -> list[Judged]:
    judged = []
    for place, call in enumerate(record.calls):
        before = _position(record, calls=record.calls[:place])
        verdict = judge_call(before, call)
        move = {"type": "call", "seat": call.seat, "side": call.side, "call": call.spoken}
        judged.append(Judged({k: v for k, v in move.items() if v is not None}, verdict, _settled(verdict)))
        for breach in verdict.breaches:
            record.findings.append(Finding(breach.article, breach.code, call.seat or call.side or "", breach.facts))
    return judged


def _judge_plays(record: Record, tricks: list[Trick]) -> list[Judged]:
    judged: list[Judged] = []
    start = _position(record, calls=record.calls if record.calls_known else None)
    start = replace(start, phase="play", dealt=record.held, played=(), leader=record.leader)
    gone: set[Card] = set()
    for trick in tricks:
        start = replace(start, trick_number=trick.number)
        for place, play in enumerate(trick.plays):
            hand = record.hands.get(play.seat)
            left = None if hand is None else tuple(card for card in hand if card not in gone)
            position = replace(start, trick=trick.plays[:place], hand=left)
            judged.append(_judge_play(record, position, play, tricks))
            gone.add(play.card)
        played = (*(start.played or ()), *(one.card for one in trick.plays))
        start = replace(start, played=played, leader=trick.winner)
    return judged


def _judge_play(record: Record, position: Position, play: Played, tricks: list[Trick]) -> Judged:
    verdict = judge_play(position, play)
    move = {"type": "play", "seat": play.seat, "card": str(play.card), "trick": position.trick_number}
    settled = _settled(verdict)
    if settled is None:
        later = _in_retrospect(record, position, play)
        settled = ILLEGAL if later.breaches else _settled(later) if record.complete else None
        breaches, evidence = later.breaches, tricks
    else:
        breaches, evidence = verdict.breaches, []
    for breach in breaches:
        record.findings.append(_finding(breach, position, play, evidence))
    return Judged(move, verdict, settled)


def _in_retrospect(record: Record, position: Position, play: Played) -> Verdict:
    """The same judgement with the cards that the seat showed from then on as its hand, if only part of one."""
    start = len(position.played or ()) + len(position.trick)
    shown = tuple(one.card for one in record.plays[start:] if one.seat == play.seat)
    verdict = judge_play(replace(position, hand=position.hand or shown, dealt=record.dealt), play)
    if record.complete or position.played_from_the_top(play.seat):
        return verdict
    others = {str(one.card) for one in record.plays[start:] if one.seat != play.seat}
    certain = tuple(
        breach
        for breach in verdict.breaches
        if breach.code in _SHOWN_BY_PART_OF_A_HAND
        or (breach.code == "not-the-club-holder" and breach.facts["lowest"] in others)
    )
    return replace(verdict, breaches=certain)


def _finding(breach: Breach, position: Position, play: Played, tricks: list[Trick]) -> Finding:
    """A breach with its trick and card, and the later card that showed it."""
    facts = dict(breach.facts) | {"trick": position.trick_number, "card": str(play.card)}
    evidence = {facts["lowest"]} if "lowest" in facts else set(facts.get("held", ()))
    shown_by = None
    for trick in tricks:
        for one in trick.plays:
            later = trick.number > (position.trick_number or 0)
            if shown_by is None and later and str(one.card) in evidence:
                shown_by = {"trick": trick.number, "card": str(one.card), "seat": one.seat}
    return Finding(breach.article, breach.code, play.seat, facts | {"shown_by": shown_by})


def _settled(verdict: Verdict) -> str | None:
    return None if verdict.value == UNDECIDED else verdict.value


def _position(record: Record, *, calls: tuple[Call, ...] | None) -> Position:
    return Position(record.table, "bidding", record.totals, calls, (), None, None, None, None, None, None)

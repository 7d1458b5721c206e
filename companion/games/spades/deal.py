"""One move in one position, every move instead of it, and a recorded deal replayed to its result."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final, TypedDict

from companion.engine.cards import Card
from companion.engine.problems import Refused
from companion.engine.reading import Node
from companion.engine.verdict import ILLEGAL, LEGAL, UNDECIDED, Breach, Finding, Judged, Missing, Verdict
from companion.games.spades import articles as a
from companion.games.spades import facts as f
from companion.games.spades.bidding import judge_call
from companion.games.spades.calls import Bids, SideEntry, call_menu, settled_facts
from companion.games.spades.play import judge_play, next_in_trick, opening_leaders, trick_winner
from companion.games.spades.rules import SpadesRules
from companion.games.spades.setup import judge_deal, judge_dealer, judge_draw, judge_exchange
from companion.games.spades.shapes import read_check, read_moves_request, read_record
from companion.games.spades.table import (
    BLIND,
    DUMMY,
    NIL_CALLS,
    Call,
    Dealt,
    Draw,
    Exchange,
    Move,
    NextDealer,
    Played,
    Position,
    Record,
    Table,
    pack_of,
)

_SHOWN_BY_PART_OF_A_HAND: Final = frozenset(
    {"must-follow", "spades-not-broken", "first-trick-lowest-club", "first-trick-no-spade", "club-must-be-led"}
)
"""Breaches that some cards of a hand prove, whatever the rest of it was: hands only shrink (SPADES-039)."""


class ScoredSide(TypedDict):
    """A side as a score request has it."""

    id: str
    players: list[str]


@dataclass(frozen=True, slots=True)
class Trick:
    """The cards of one trick in the order of play; the winner once it is full."""

    number: int
    plays: tuple[Played, ...]
    winner: str | None

    @property
    def winning_card(self) -> str:
        """The card that won the trick."""
        return next(str(one.card) for one in self.plays if one.seat == self.winner)


@dataclass(frozen=True, slots=True)
class TableAfter:
    """The table after one move of a deal; `next` is the seat or the side whose turn it is, None where that is open."""

    phase: str
    next: str | None
    trick_number: int | None = None
    trick: tuple[Played, ...] = ()
    """The cards on the table; a full trick is there until the next begins."""
    winner: str | None = None
    """Who won the trick, once it is full."""
    spades_broken: bool = False
    hands: Mapping[str, int] = field(default_factory=dict)
    """How many cards each seat still holds."""

    def plain(self) -> Mapping[str, object]:
        """Return the table as JSON; during the bidding it has no trick."""
        table: dict[str, object] = {"phase": self.phase, "next": self.next}
        if self.phase == "play":
            trick = [{"seat": one.seat, "card": str(one.card)} for one in self.trick]
            table |= {"trick_number": self.trick_number, "trick": trick, "winner": self.winner}
            table |= {"spades_broken": self.spades_broken, "hands": self.hands}
        return table


@dataclass(frozen=True, slots=True)
class Replay:
    """A recorded deal with everything that can be said about it."""

    record: Record
    verdicts: tuple[Judged, ...]
    """The verdict on each call and each play at the time, in order."""
    findings: tuple[Finding, ...]
    tricks: tuple[Trick, ...]
    sides: tuple[ScoredSide, ...]
    facts: Mapping[str, SideEntry] | None
    """The facts of every side, ready to be scored; None while tricks are missing."""
    dummy_tricks: int | None

    @property
    def result(self) -> Mapping[str, object] | None:
        """One deal ready to be posted to `score`; None while tricks are missing."""
        if self.facts is None or self.dummy_tricks is None:
            return self.facts
        return {**self.facts, f.DUMMY_TRICKS: self.dummy_tricks}

    @property
    def tables(self) -> tuple[TableAfter, ...]:
        """The table after each call and each play, beside `verdicts`."""
        return (*_tables_of_calls(self.record), *_tables_of_plays(self.record, self.tricks))


def replay(rules: SpadesRules, request: Node) -> Mapping[str, object]:
    """Return verdicts for each call and play, findings, tricks and the result. Raises Refused when unreadable."""
    record = read_record(request, rules)
    if record is None or request.problems:
        raise Refused(request.problems)
    found = follow(record)
    tricks = [
        {"leader": trick.plays[0].seat, "cards": [str(one.card) for one in trick.plays], "winner": trick.winner}
        for trick in found.tricks
    ]
    return {
        "verdicts": list(found.verdicts),
        "tables": [after.plain() for after in found.tables],
        "findings": list(found.findings),
        "tricks": tricks,
        "complete": record.complete,
        "sides": list(found.sides),
        "result": found.result,
    }


def follow(record: Record) -> Replay:
    """Return everything that can be said about a recorded deal."""
    tricks = _tricks(record)
    findings: list[Finding] = []
    verdicts = (*_judge_calls(record, findings), *_judge_plays(record, tricks, findings))
    sides = tuple(ScoredSide(id=side, players=list(record.table.members(side))) for side in record.table.sides)
    won = {seat: sum(1 for trick in tricks if trick.winner == seat) for seat in record.table.seats}
    facts = _facts(record, tricks, won) if record.complete else None
    return Replay(record, verdicts, tuple(findings), tuple(tricks), sides, facts, won.get(DUMMY))


def _tables_of_calls(record: Record) -> Iterator[TableAfter]:
    for place in range(1, len(record.calls) + 1):
        bids = Bids(record.table, record.calls[:place])
        seat, side = bids.caller()
        yield TableAfter("bidding", None if bids.over else seat or side)


def _tables_of_plays(record: Record, tricks: Sequence[Trick]) -> Iterator[TableAfter]:
    table, pack = record.table, pack_of(record.table.rules)
    hands = dict.fromkeys(table.seats, table.rules.tricks)
    broken, count = False, 0
    for trick in tricks:
        for place, play in enumerate(trick.plays, start=1):
            hands[play.seat] -= 1
            count += 1
            broken = broken or pack.is_trump(play.card)
            last = place == len(table.seats)
            turn = trick.winner if last else next_in_trick(table, trick.plays[:place]) or trick.plays[0].seat
            done = last and count == len(table.seats) * table.rules.tricks
            yield TableAfter(
                "play", None if done else turn, trick.number, trick.plays[:place], trick.winner if last else None,
                broken, dict(hands),
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


def _judge_calls(record: Record, findings: list[Finding]) -> list[Judged]:
    judged = []
    for place, call in enumerate(record.calls):
        before = _position(record, calls=record.calls[:place])
        verdict = judge_call(before, call)
        move = {"type": "call", "seat": call.seat, "side": call.side, "call": call.spoken}
        judged.append(Judged({k: v for k, v in move.items() if v is not None}, verdict, _settled(verdict)))
        for breach in verdict.breaches:
            findings.append(Finding(breach.article, breach.code, call.seat or call.side or "", breach.facts))
    return judged


def _judge_plays(record: Record, tricks: list[Trick], findings: list[Finding]) -> list[Judged]:
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
            judged.append(_judge_play(record, position, play, tricks, findings))
            gone.add(play.card)
        played = (*(start.played or ()), *(one.card for one in trick.plays))
        start = replace(start, played=played, leader=trick.winner)
    return judged


def _judge_play(
    record: Record, position: Position, play: Played, tricks: list[Trick], findings: list[Finding]
) -> Judged:
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
        findings.append(_finding(breach, position, play, evidence))
    return Judged(move, verdict, settled)


def _in_retrospect(record: Record, position: Position, play: Played) -> Verdict:
    """Return the verdict with the cards that the seat showed from then on as its hand, or as a part of it."""
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
    """Return a breach with its trick and card, and the later card that showed it."""
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
    return Position(record.table, "bidding", totals=record.totals, calls=calls)


def judge(rules: SpadesRules, position_node: Node, move_node: Node) -> Verdict:
    """Return the verdict on a move in a position. Raises Refused where either cannot be read."""
    read = read_check(position_node, move_node, rules)
    if read is None or position_node.problems or move_node.problems:
        known = position_node.problems
        raise Refused([*known, *(problem for problem in move_node.problems if problem not in known)])
    return judge_move(*read)


def judge_move(position: Position, move: Move) -> Verdict:
    """Return the verdict on a call, a card, or what precedes the first lead."""
    match move:
        case Call():
            return judge_call(position, move)
        case Played():
            return judge_play(position, move)
        case Exchange():
            return judge_exchange(position, move)
        case Dealt(counts):
            return judge_deal(position, counts)
        case NextDealer(seat):
            return judge_dealer(position, seat)
        case Draw():
            return judge_draw(position, move)


def list_moves(rules: SpadesRules, request: Node) -> Mapping[str, object]:
    """Return every legal call or card of who is to move; `missing` says what must be known for more.

    `seat` names the mover where the position does not say it; `looked` answers the question of blind calls.
    Raises Refused.
    """
    asked = read_moves_request(request, rules)
    if asked is None or request.problems:
        raise Refused(request.problems)
    position, seat = asked.position, asked.seat
    if position.phase == "bidding":
        return _calls(position, seat, asked.looked)
    return _cards(position, seat)


def _calls(position: Position, seat: str | None, looked: bool | None) -> Mapping[str, object]:
    if position.table.dealer is None:
        return _answer((), (Missing("dealer", a.BID_IN_TURN.id),))
    moves, missing = [], {}
    for call in _candidates(position, seat, looked):
        verdict = judge_call(position, call)
        if verdict.value == LEGAL:
            who = {"side": call.side} if call.seat is None else {"seat": call.seat}
            said = {} if call.looked is None else {"looked": call.looked}
            moves.append({"type": "call", **who, "call": call.spoken, **said})
        elif verdict.value == UNDECIDED:
            missing.update({(item.fact, item.article): item for item in verdict.missing})
    return _answer(moves, missing.values())


def _candidates(position: Position, seat: str | None, looked: bool | None) -> Sequence[Call]:
    """Return every call of who is to call, or of a seat: numbers, blind numbers, nils, moons, a pass."""
    bids = Bids(position.table, position.calls or ())
    if seat is not None:
        menu = call_menu(bids, seat, position.table.side(seat), looked=looked)
    elif not bids.by_sides and not bids.next_seats()[0]:
        return ()
    else:
        menu = call_menu(bids, *bids.caller(), looked=looked)
    blind = [call for call in menu.special if call.word == BLIND]
    nils = sorted(menu.nils, key=lambda call: NIL_CALLS.index(call.word))
    moons = [call for call in menu.special if call.word != BLIND]
    return (*menu.numbers, *blind, *nils, *moons, *menu.passes)


def _cards(position: Position, seat: str | None) -> Mapping[str, object]:
    table = position.table
    if seat is None and position.trick:
        seat = next_in_trick(table, position.trick)
    if seat is None:
        leaders = opening_leaders(table, position.calls) if position.trick_number == 1 else ()
        seat = position.leader or next(iter(leaders), None)
    if seat is None:
        return _answer((), (Missing("seat", a.WINNER_LEADS.id),))
    if position.hand is None:
        return _answer((), (Missing("hand", a.FOLLOW_SUIT.id, seat, {"seat": seat}),))
    moves, missing = [], {}
    for card in position.hand:
        verdict = judge_play(position, Played(seat, card))
        if verdict.value == LEGAL:
            moves.append({"type": "play", "seat": seat, "card": str(card)})
        elif verdict.value == UNDECIDED:
            missing.update({(item.fact, item.article): item for item in verdict.missing})
    return _answer(moves, missing.values())


def _answer(moves: Iterable[Mapping[str, object]], missing: Iterable[Missing]) -> Mapping[str, object]:
    """Return the answer; a card that must be played is compulsory when it is the only one."""
    found = list(moves)
    return {"moves": found, "compulsory": found if len(found) == 1 else [], "missing": list(missing)}


def _facts(record: Record, tricks: Sequence[Trick], won: Mapping[str, int]) -> dict[str, SideEntry]:
    """Return the facts of every side; without calls the contracts are null, to be filled in by who knows them."""
    table, bids = record.table, Bids(record.table, record.calls)
    facts = {}
    for side in table.sides:
        settled = settled_facts(bids, side)
        entry: SideEntry = {"bid": settled.pop("bid", None), "tricks": sum(won[seat] for seat in table.members(side))}
        entry |= settled
        if "nils" in entry:
            entry["nils"] = [{**nil, "tricks": won[nil["player"]]} for nil in entry["nils"]]
        last = _last_run(table, side, tricks)
        if last:
            entry["last_tricks"] = last
        facts[side] = entry
    return facts


def _last_run(table: Table, side: str, tricks: Sequence[Trick]) -> list[str]:
    """Return the winning cards of a side's final run of tricks, the last trick first."""
    cards = []
    for trick in reversed(tricks):
        if trick.winner is None or trick.winner not in table.members(side):
            break
        cards.append(trick.winning_card)
    return cards

"""A recorded deal followed move by move: verdicts at the time, findings in retrospect, the result ready to score."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Final, TypedDict, TypeVar

from companion.engine.cards import Card
from companion.engine.problems import Problem, Refused
from companion.engine.reading import Node
from companion.engine.shapes import read_at
from companion.engine.verdict import ILLEGAL, LEGAL, UNDECIDED, Breach, Finding, Judged, Verdict
from companion.games.spite_and_malice import announcements as n
from companion.games.spite_and_malice import articles as a
from companion.games.spite_and_malice.deal import judge_move
from companion.games.spite_and_malice.position import (
    ACE,
    TWO,
    Position,
    copies,
    is_natural,
)
from companion.games.spite_and_malice.rules import SpiteRules
from companion.games.spite_and_malice.shapes import Moves, Shown, SpiteAndMaliceReplayRequest, players_in
from companion.games.spite_and_malice.stacks import room
from companion.games.spite_and_malice.start import starter
from companion.games.spite_and_malice.table import Table

T = TypeVar("T")
_SHOWN: Final = ("turned", "cards", "hands", "payoff_tops")
"""Further keys of a recorded move: the card turned up, cards drawn, hands dealt again, tops turned up anew."""
_IN_TURN: Final = (n.Play, n.Discard, n.Refill, n.EndTurn)


@dataclass(frozen=True, slots=True)
class Entry:
    """One recorded move: the number of its turn as written, who made it if named, and the cards it showed."""

    turn: int
    seat: str | None
    move: n.Announcement
    shape: Mapping[str, object]
    turned: Card | None = None
    cards: tuple[Card, ...] | None = None
    hands: Mapping[str, tuple[Card, ...]] = field(default_factory=dict)
    tops: Mapping[str, Card] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Suspicion:
    """A second-chance turn that ended with an unknown hand: which cards in it would have had to be played."""

    turn: int
    place: int
    ranks: tuple[int, ...]


class PlayingSide(TypedDict):
    """One side of a score request."""

    id: str
    players: list[str]


class Result(TypedDict):
    """The facts of a finished deal: the side that went out, if any, and the cards left in the other pay-off piles."""

    winner: str | None
    remaining: dict[str, int]


@dataclass(slots=True)
class Replay:
    """A recorded deal as far as it has been followed: the table, the verdicts, the findings."""

    table: Table
    started: bool
    verdicts: list[Judged] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)
    suspicions: dict[str, Suspicion] = field(default_factory=dict)
    reported: set[Card] = field(default_factory=set)


def replay(rules: SpiteRules, request: Node) -> Mapping[str, object]:
    """Return verdicts for each move, findings, the result and the table at the end. Raises Refused if unreadable."""
    run = follow_all(*read_record(rules, request))
    table = run.table
    return {
        "verdicts": run.verdicts,
        "findings": run.findings,
        "complete": table.over,
        "sides": sides_of(table),
        "result": result_of(table),
        "state": table.as_position(),
        "piles": table.piles(),
    }


def begin(
    rules: SpiteRules,
    players: Sequence[str],
    *,
    tops: Mapping[str, Card],
    hands: Mapping[str, Sequence[Card]] = MappingProxyType({}),
    sides: Mapping[str, Sequence[Sequence[Card]]] = MappingProxyType({}),
) -> Replay:
    """Return a deal before its first move, as far as its cards are known."""
    table = Table(rules, players)
    for player, seat in table.seats.items():
        seat.payoff = tops.get(player)
        hand = hands.get(player, () if rules.hands_dealt == 0 else None)
        seat.hand = None if hand is None else list(hand)
        seat.sides = [list(stack) for stack in sides.get(player, ())]
    return Replay(table, started=False)


def start_entry(first: str) -> Entry:
    """Return the announcement of who plays first, as an entry before the first turn."""
    return Entry(0, None, n.Start(first), {"type": "start", "first": first})


def follow(run: Replay, entries: Iterable[Entry]) -> Iterator[Table]:
    """Judge every entry on the table as it is then, make it, and yield the table after it.

    It is the same table every time, so a caller reads it, or takes its `position`, before asking for the next.
    """
    for entry in entries:
        _follow(run.table.rules, run, entry)
        yield run.table


def follow_all(run: Replay, entries: Iterable[Entry]) -> Replay:
    """Return the replay after every entry."""
    for _ in follow(run, entries):
        pass
    return run


def read_record(rules: SpiteRules, request: Node) -> tuple[Replay, list[Entry]]:
    """Return the deal before its first move and its moves, from a request. Raises Refused if unreadable."""
    run, entries = _read(rules, request)
    if run is None or request.problems:
        raise Refused(request.problems)
    return run, entries


def check_copies(table: Table) -> Iterator[Problem]:
    """Yield a problem if more copies of a card are visible than the packs hold."""
    found = table.too_many(table.visible())
    if found is not None:
        facts = {"card": str(found[0]), "count": found[1], "most": copies(table.rules, found[0])}
        yield Problem((), "duplicate-card", facts, a.PACKS.id)


def sides_of(table: Table) -> list[PlayingSide]:
    """Return the sides of a score request: players, or partnerships."""
    sides = [table.side_of(player) for player in table.players]
    return [{"id": "+".join(side), "players": list(side)} for side in dict.fromkeys(sides)]


def result_of(table: Table) -> Result | None:
    """Return the facts of the deal for a score request, or None while it goes on."""
    if not table.over:
        return None
    winners = table.winner.split("+") if table.winner else ()
    left = {player: seat.payoff_left for player, seat in table.seats.items() if player not in winners}
    return {"winner": table.winner, "remaining": left}


def _read(rules: SpiteRules, node: Node) -> tuple[Replay | None, list[Entry]]:
    named = node["seats"] if node["seats"].present else node["players"]
    if not named.present and isinstance(node.value, dict):
        named.fault("required")
    players = players_in(rules, named)
    deal = read_at(node, SpiteAndMaliceReplayRequest, context=players)
    if deal is None or not deal.players:
        return None, []
    run = begin(rules, deal.players, tops=deal.tops, hands=deal.hands, sides=deal.sides)
    node.problems.extend(replace(problem, pointer=node.pointer) for problem in check_copies(run.table))
    entries = list(_entries(deal.turns, node["turns"].value))
    if deal.first is not None:
        entries.insert(0, start_entry(deal.first))
    elif len(deal.tops) == len(deal.players):
        run.table.player = starter(rules, deal.players, deal.tops) or run.table.player
        run.started = starter(rules, deal.players, deal.tops) is not None
    return run, entries


def _entries(turns: Sequence[Moves | Shown], written: Sequence[Mapping[str, object]]) -> Iterator[Entry]:
    """Yield the moves of all turns, each with its JSON as it was written."""
    for number, (turn, value) in enumerate(zip(turns, written, strict=True), start=1):
        if isinstance(turn, Shown):
            yield _entry(turn, value, number, None)
            continue
        moves = value["moves"]
        for move, each in zip(turn.moves, moves if isinstance(moves, list) else (), strict=True):
            yield _entry(move, each, number, turn.seat)


def _entry(shown: Shown, value: Mapping[str, object], turn: int, seat: str | None) -> Entry:
    move = shown.move
    shape = {key: each for key, each in value.items() if key not in (*_SHOWN, "seat")}
    if isinstance(move, n.Play | n.Discard) and move.card is not None:
        shape["card"] = str(move.card)
    return Entry(
        turn, move.seat or seat, replace(move, seat=None), shape, shown.turned, shown.cards, shown.hands, shown.tops
    )


def _follow(rules: SpiteRules, run: Replay, entry: Entry) -> None:
    """Judge one move on the table as it is, record what it breaks or shows, and make it."""
    table, move = run.table, entry.move
    wrong = _take_turn(run, entry)
    position = table.position(entry.seat if isinstance(move, n.ClaimWin) else None)
    verdict = judge_move(rules, position, move)
    if wrong is not None:
        verdict = Verdict((wrong, *verdict.breaches), verdict.missing)
    place = len(run.verdicts)
    seat = entry.seat or table.player
    settled = None if verdict.value == UNDECIDED else verdict.value
    run.verdicts.append(Judged({"turn": entry.turn, "seat": seat, **entry.shape}, verdict, settled))
    for breach in verdict.breaches:
        run.findings.append(Finding(breach.article, breach.code, seat, {"turn": entry.turn, **breach.facts}))
    _settle_suspicion(rules, run, entry, place)
    if verdict.value == UNDECIDED and isinstance(move, n.EndTurn | n.Discard):
        _suspect(rules, run, entry, position, verdict, place)
    if not table.over and _apply(table, entry, legal=verdict.value == LEGAL):
        _count_copies(rules, run, entry, seat)


def _take_turn(run: Replay, entry: Entry) -> Breach | None:
    """Give the turn to who made the move. Return a breach if somebody else was in turn."""
    table = run.table
    if isinstance(entry.move, n.Redeal):
        run.suspicions.clear()
    run.started |= isinstance(entry.move, n.Start | n.Redeal)
    if not isinstance(entry.move, _IN_TURN):
        return None
    expected, run.started = table.player if run.started else None, True
    if entry.seat is None or entry.seat == table.player:
        return None
    table.give_turn(entry.seat)
    if expected is None:
        return None
    return Breach(a.TURN_ORDER.id, "not-your-turn", {"seat": entry.seat, "player": expected})


def _apply(table: Table, entry: Entry, *, legal: bool) -> bool:
    """Make the move if it can have happened. Return whether it changed the table."""
    match entry.move:
        case n.Play():
            return table.play(entry.move, entry.turned)
        case n.Discard():
            return table.discard(entry.move)
        case n.Refill(count):
            return table.refill(count, entry.cards)
        case n.EndTurn():
            table.end_turn()
        case n.Recycle(what):
            return table.recycle(what)
        case n.Redeal(first) if legal:
            table.redeal(first, {player: list(cards) for player, cards in entry.hands.items()})
        case n.Start(first) if first is not None:
            table.give_turn(first)
        case n.Start() if legal:
            for player, seat in table.seats.items():
                seat.payoff = entry.tops.get(player)
        case n.ClaimStalemate() if legal:
            table.over = True
        case _:
            return False
    return True


def _count_copies(rules: SpiteRules, run: Replay, entry: Entry, seat: str) -> None:
    """Record a card that turns up more often than the packs hold it: it was written down wrongly somewhere."""
    named = [entry.move.card] if isinstance(entry.move, n.Play | n.Discard) else []
    dealt = [card for hand in entry.hands.values() for card in hand]
    shown = [*named, entry.turned, *(entry.cards or ()), *dealt, *entry.tops.values()]
    found = run.table.too_many(card for card in shown if card is not None)
    if found is not None and found[0] not in run.reported:
        run.reported.add(found[0])
        facts = {"turn": entry.turn, "card": str(found[0]), "most": copies(rules, found[0])}
        run.findings.append(Finding(a.PACKS.id, "too-many-copies", seat, facts))


def _suspect(rules: SpiteRules, run: Replay, entry: Entry, position: Position, verdict: Verdict, place: int) -> None:
    """Remember a second chance that depended on the hand: later cards may show what was in it."""
    if all(missing.article != a.SECOND_CHANCE_DUTY.id or missing.fact != "hand" for missing in verdict.missing):
        return
    ranks = ((ACE,) if room(rules, position) else ()) + ((TWO,) if position.aces_showing()[0] else ())
    run.suspicions[position.player] = Suspicion(entry.turn, place, ranks)


def _settle_suspicion(rules: SpiteRules, run: Replay, entry: Entry, place: int) -> None:
    """Settle a second chance: a card from a hand that has drawn nothing since was already in it."""
    player = entry.seat or run.table.player
    suspicion, move = run.suspicions.get(player), entry.move
    if suspicion is None:
        return
    if isinstance(move, n.Refill):
        del run.suspicions[player]
        return
    card = move.card if isinstance(move, n.Play | n.Discard) and move.source == n.HAND else None
    if any(is_natural(rules, card, rank) for rank in suspicion.ranks):
        del run.suspicions[player]
        judged = run.verdicts[suspicion.place]
        run.verdicts[suspicion.place] = replace(judged, settled=ILLEGAL)
        shown = {"turn": entry.turn, "card": str(card), "move": place}
        facts = {"turn": suspicion.turn, "cards": [str(card)], "shown_by": shown}
        run.findings.append(Finding(a.SECOND_CHANCE_DUTY.id, "second-chance-open", player, facts))

"""A recorded deal followed move by move: verdicts at the time, findings in retrospect, the result ready to score."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Final, TypedDict

from companion.engine.cards import Card
from companion.engine.ledger import side_id
from companion.engine.problems import Node
from companion.engine.shapes import read_at
from companion.engine.verdict import LEGAL, UNDECIDED, Breach, Finding, Judged, Verdict, record_contradicts
from companion.games.spite_and_malice import announcements as n
from companion.games.spite_and_malice import articles as a
from companion.games.spite_and_malice.deal import judge_move
from companion.games.spite_and_malice.position import find, matches
from companion.games.spite_and_malice.retrospect import Hand, Open, Top, asks_for_hand, is_either_way
from companion.games.spite_and_malice.rules import SpiteRules
from companion.games.spite_and_malice.shapes import Moves, Shown, SpiteAndMaliceReplayRequest, players_in
from companion.games.spite_and_malice.sightings import START, Sightings
from companion.games.spite_and_malice.start import starter
from companion.games.spite_and_malice.table import Table
from companion.games.spite_and_malice.turn import discardable_kinds, redeal_due

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
    """A recorded deal as far as it has been followed: the table, the verdicts, the findings, what is still open."""

    table: Table
    started: bool
    sightings: Sightings
    verdicts: list[Judged] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)
    open: list[Open] = field(default_factory=list)
    since: dict[str, int] = field(default_factory=dict)
    """The move with which each hand last drew unseen cards."""
    turned_anew: int = 0
    """How often the pay-off tops were turned up anew."""

    def top_key(self, player: str) -> Top:
        """Return which card of a pay-off pile is on top now."""
        return player, self.turned_anew, self.table.seats[player].payoff_left


def replay(rules: SpiteRules, request: Node) -> Mapping[str, object]:
    """Return verdicts for each move, findings, the result and the table at the end. Raises Refused if unreadable."""
    run, entries = read_record(rules, request)
    tables = [each.shown() for each in follow(run, entries)]
    run.findings += run.sightings.contradictions()
    table = run.table
    return {
        "verdicts": run.verdicts,
        "tables": tables,
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
    table, sightings = Table(rules, players), Sightings(rules)
    for player, seat in table.seats.items():
        seat.payoff = tops.get(player)
        seat.drop_hand()
        seat.hold(hands.get(player), rules.hands_dealt)
        seat.sides = [list(stack) for stack in sides.get(player, ())]
        sightings.show(seat.known, START, 0, player)
        sightings.show((card for stack in seat.sides for card in stack), START, 0, player)
        if seat.payoff:
            sightings.show([seat.payoff], START, 0, player, payoff=True)
    return Replay(table, False, sightings)


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
    run.findings += run.sightings.contradictions()
    return run


def read_record(rules: SpiteRules, request: Node) -> tuple[Replay, list[Entry]]:
    """Return the deal before its first move and its moves, from a request. Raises Refused if unreadable."""
    run, entries = _read(rules, request)
    return request.require(run), entries


def sides_of(table: Table) -> list[PlayingSide]:
    """Return the sides of a score request: players, or partnerships."""
    sides = [table.side_of(player) for player in table.players]
    return [{"id": side_id(side), "players": list(side)} for side in dict.fromkeys(sides)]


def result_of(table: Table) -> Result | None:
    """Return the facts of the deal for a score request, or None while it goes on."""
    if not table.over:
        return None
    left = {player: seat.payoff_left for player, seat in table.seats.items() if player not in table.winners}
    return {"winner": side_id(table.winners) or None, "remaining": left}


def _read(rules: SpiteRules, node: Node) -> tuple[Replay | None, list[Entry]]:
    named = node["seats"] if node["seats"].present else node["players"]
    if not named.present and isinstance(node.value, dict):
        named.fault("required", contextual=True)
    players = players_in(rules, named)
    deal = read_at(node, SpiteAndMaliceReplayRequest, context=players)
    if deal is None or not deal.players:
        return None, []
    run = begin(rules, deal.players, tops=deal.tops, hands=deal.hands, sides=deal.sides)
    entries = list(_entries(deal.turns, node["turns"].value))
    if deal.first is not None:
        entries.insert(0, start_entry(deal.first))
    else:
        first = starter(rules, deal.players, deal.tops)
        run.table.player, run.started = first or run.table.player, first is not None
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
        verdict = Verdict((wrong, *verdict.breaches))
    place, seat = len(run.verdicts), entry.seat or table.player
    settled = None if verdict.value == UNDECIDED else verdict.value
    run.verdicts.append(Judged({"turn": entry.turn, "seat": seat, **entry.shape}, verdict, settled))
    for breach in verdict.breaches:
        run.findings.append(Finding(breach.article, breach.code, seat, {"turn": entry.turn, **breach.facts}))
    if verdict.value == UNDECIDED or is_either_way(verdict):
        laid = table.laid(position.player)
        as_it_was = replace(position, laid=lambda: laid)
        _keep_open(run, Open(place, entry.turn, seat, move, as_it_was, verdict, {}))
    if not table.over:
        shown = _unseen_source(run, entry)
        before = table.seats[table.player].unseen
        if isinstance(move, n.Redeal):
            _forget_hands(run)
        if _apply(table, entry, legal=verdict.value == LEGAL):
            _look(run, entry, place, seat, shown, drawn=table.seats[seat].unseen - before)


def _take_turn(run: Replay, entry: Entry) -> Breach | None:
    """Give the turn to who made the move. Return a breach if somebody else was in turn."""
    table, began = run.table, run.started
    run.started |= isinstance(entry.move, n.Start | n.Redeal)
    if not isinstance(entry.move, _IN_TURN):
        return None
    expected, run.started = table.player if run.started else None, True
    if entry.seat is None:
        return None
    if not began:
        _judge_first(run, entry, entry.seat)
    if entry.seat == table.player:
        return None
    if expected is None:
        table.give_turn(entry.seat)
        return None
    table.break_order(entry.seat)
    return Breach(a.TURN_ORDER.id, "not-your-turn", {"seat": entry.seat, "player": expected})


def _judge_first(run: Replay, entry: Entry, seat: str) -> None:
    """Judge a first turn that nobody announced: the tops may show later that another player had to start."""
    move, position = n.Start(seat), run.table.position()
    verdict = judge_move(run.table.rules, position, move)
    if verdict.value == UNDECIDED:
        _keep_open(run, Open(None, entry.turn, seat, move, position, verdict, {}))
    for breach in verdict.breaches if len(verdict.breaches) == 1 and not run.started else ():
        run.findings.append(Finding(breach.article, breach.code, seat, {"turn": entry.turn, **breach.facts}))


# What later moves show ------------------------------------------------------------------------------------------------


def _keep_open(run: Replay, one: Open) -> None:
    """Remember a verdict that hidden cards left open: later moves may show them."""
    table = run.table
    for player, seat in table.seats.items():
        if seat.payoff_left and (seat.payoff is None or (isinstance(one.move, n.Start) and not seat.payoff.suit)):
            one.tops[player] = run.top_key(player)
    mover = table.seats[one.position.player]
    if asks_for_hand(one.verdict) or (is_either_way(one.verdict) and mover.unseen):
        one.known, one.hand = tuple(mover.known), Hand(mover.unseen)
    if one.tops or one.hand:
        run.open.append(one)


@dataclass(frozen=True, slots=True)
class Unseen:
    """A place of which a move shows a card that was not known: somebody's hand, or the top of a pay-off pile."""

    owner: str
    top: Top | None = None
    suit_only: bool = False
    """Whether only the suit of the top was not known."""


def _unseen_source(run: Replay, entry: Entry) -> Unseen | None:
    """Return the place of which a move shows a card that was not known."""
    table, move = run.table, entry.move
    if not isinstance(move, n.Play | n.Discard) or move.card is None:
        return None
    if move.source == n.HAND:
        return Unseen(table.player) if find(table.seats[table.player].known, move.card) is None else None
    owner = table.owner(move.source)
    if owner is None or move.source not in (n.PAYOFF, n.PARTNER_PAYOFF):
        return None
    top = table.seats[owner].payoff
    if top is None or (not top.suit and matches(top, move.card)):
        return Unseen(owner, run.top_key(owner), top is not None)
    return None


def _look(run: Replay, entry: Entry, place: int, seat: str, shown: Unseen | None, *, drawn: int) -> None:
    """Note what a move that was made has shown, and judge again what that may decide."""
    table, sightings = run.table, run.sightings
    sightings.hide(table.gone, place)
    table.gone.clear()
    if entry.turned is not None:
        sightings.show([entry.turned], place, entry.turn, seat, payoff=True)
    if isinstance(entry.move, n.Refill):
        _look_at_draw(run, entry, place, seat, drawn)
    elif isinstance(entry.move, n.Redeal):
        run.since = dict.fromkeys(table.players, place)
        for player, cards in entry.hands.items():
            sightings.show(cards, place, entry.turn, player)
    elif isinstance(entry.move, n.Start) and entry.move.redo is not None:
        run.turned_anew += 1
        for player, top in entry.tops.items():
            sightings.show([top], START, entry.turn, player, payoff=True)
    card = None
    if isinstance(entry.move, n.Play | n.Discard):
        card = entry.move.card
    if shown is None or card is None:
        return
    if shown.top is None:
        sightings.show([card], run.since.get(shown.owner, START), entry.turn, seat)
        learnt = [one for one in run.open if one.learn_play(shown.owner, card)]
    else:
        if not shown.suit_only:
            sightings.show([card], START, entry.turn, seat, payoff=True)
        learnt = [one for one in run.open if one.learn_top(shown.top, card)]
    for one in learnt:
        _judge_again(run, one, card, entry.turn, place)


def _forget_hands(run: Replay) -> None:
    """Prove nothing of earlier hands by what is played after cards were dealt again, or were said to be."""
    run.open = [replace(one, hand=None) if one.hand else one for one in run.open if one.tops]


def _look_at_draw(run: Replay, entry: Entry, place: int, seat: str, drawn: int) -> None:
    """Note the cards that were drawn, or how many nobody knows."""
    if entry.cards is not None and not drawn:
        run.sightings.show(entry.cards, place, entry.turn, seat)
        return
    if entry.cards is not None:
        facts = {"turn": entry.turn, "cards": [str(card) for card in entry.cards], "count": drawn}
        run.findings.append(record_contradicts("drawn-cards", a.REFILL, seat, **facts))
    run.since[seat] = place
    for one in run.open:
        if one.hand is not None and one.position.player == seat:
            one.hand.draws += drawn


def _judge_again(run: Replay, one: Open, card: Card, turn: int, place: int) -> None:
    """Settle an open verdict if a card that a later move showed decides it, and record what it breaks.

    What breaks some rule whichever card is hidden is recorded at once, and gives way to the rule that was broken.
    """
    rules = run.table.rules
    kinds = (discardable_kinds(rules, one.position),) if rules.discard_required else ()
    verdict = one.judged_again(judge_move, rules, kinds)
    recorded = [each for each in run.findings if (each.code, each.facts.get("turn"), each.seat) == one.either_way]
    if verdict.value == UNDECIDED or (recorded and is_either_way(verdict)):
        return
    if not is_either_way(verdict):
        run.open.remove(one)
        run.findings = [each for each in run.findings if each not in recorded]
    if one.place is not None and not recorded:
        run.verdicts[one.place] = replace(run.verdicts[one.place], settled=verdict.value)
    for breach in verdict.breaches:
        facts = dict(breach.facts)
        if breach.code == "second-chance-open" and card.rank in facts["cards"]:
            facts["cards"] = [str(card)]
        finding = {"turn": one.turn, **facts, "shown_by": {"turn": turn, "card": str(card), "move": place}}
        run.findings.append(Finding(breach.article, breach.code, one.seat, finding))


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
        case n.Redeal(first) if legal or entry.hands or redeal_due(table.rules, table.position()):
            table.redeal(first, {player: list(cards) for player, cards in entry.hands.items()})
        case n.Start(first) if first is not None:
            table.give_turn(first)
        case n.Start() if legal or entry.tops:
            for player, seat in table.seats.items():
                seat.payoff = entry.tops.get(player)
        case n.ClaimStalemate() if legal:
            table.over = True
        case _:
            return False
    return True

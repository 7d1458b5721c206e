"""A recorded deal: the verdict on every move, what the whole record proves of it, the tricks and the result."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache, partial
from typing import TypedDict

from companion.engine.problems import JsonObject, Node
from companion.engine.verdict import LEGAL, UNDECIDED, Because, Breach, Finding, Judged, Missing, PlainList, Verdict
from companion.games.spades import articles as a
from companion.games.spades import facts as f
from companion.games.spades.bidding import judge_call
from companion.games.spades.calls import Bids, SideEntry, settled_facts
from companion.games.spades.play import judge_play
from companion.games.spades.record import Cards
from companion.games.spades.rules import SpadesRules
from companion.games.spades.setup import judge_exchange
from companion.games.spades.shapes import read_record
from companion.games.spades.table import DUMMY, SPADES, Played, Position, Record, Table
from companion.games.spades.tricks import next_in_trick, trick_winner


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


@dataclass(frozen=True)
class Replay:
    """A recorded deal with everything that can be said about it."""

    record: Record
    findings: tuple[Finding, ...]
    tricks: tuple[Trick, ...]
    sides: tuple[ScoredSide, ...]
    facts: Mapping[str, SideEntry] | None
    """The facts of every side, ready to be scored; None while tricks are missing."""
    dummy_tricks: int | None
    judged: tuple[Judged, ...]
    """The verdict on each call and each exchange at the time, in order."""
    suspects: Mapping[int, Judged]
    """The verdict on each play that can be a fault."""
    cards: Cards
    calls: tuple[Bids, ...]
    """What had been called before each call, and at the end."""

    @cached_property
    def verdicts(self) -> tuple[Judged, ...]:
        """The verdict on each call, each exchange and each play at the time, in order."""
        return (*self.judged, *_judge_plays(self.cards, self.tricks, self.suspects))

    @property
    def result(self) -> Mapping[str, object] | None:
        """One deal ready to be posted to `score`; None while tricks are missing."""
        if self.facts is None or self.dummy_tricks is None:
            return self.facts
        return {**self.facts, f.DUMMY_TRICKS: self.dummy_tricks}

    @property
    def tables(self) -> list[JsonObject]:
        """The table after each call, each exchange and each play as JSON, beside `verdicts`."""
        exchanged = [_bidding(None) for _ in self.record.exchanges]
        return [*_tables_of_calls(self.calls), *exchanged, *_tables_of_plays(self.cards, self.tricks)]


def replay(rules: SpadesRules, request: Node) -> Mapping[str, object]:
    """Return verdicts for each move, findings, tricks and the result. Raises Refused when unreadable."""
    record = request.require(read_record(request, rules))
    found = follow(record)
    tricks = [
        {"leader": trick.plays[0].seat, "cards": [str(one.card) for one in trick.plays], "winner": trick.winner}
        for trick in found.tricks
    ]
    return {
        "verdicts": list(found.verdicts),
        "tables": PlainList(found.tables),
        "findings": list(found.findings),
        "tricks": PlainList(tricks),
        "complete": record.complete,
        "sides": list(found.sides),
        "result": found.result,
    }


def follow(record: Record) -> Replay:
    """Return everything that can be said about a recorded deal."""
    tricks = _tricks(record)
    cards = Cards(record)
    findings = list(cards.contradictions)
    calls = [Bids(record.table, record.calls[:place]) for place in range(len(record.calls) + 1)]
    judged = (*_judge_calls(record, calls, findings), *_judge_exchanges(record, findings))
    suspects = {}
    for number in _suspects(cards, tricks):
        suspects[number], faults = _judge_play(cards, tricks, number)
        findings += faults
    sides = tuple(ScoredSide(id=side, players=list(record.table.members(side))) for side in record.table.sides)
    won = dict.fromkeys(record.table.seats, 0)
    for trick in tricks:
        if trick.winner is not None:
            won[trick.winner] += 1
    facts = _facts(calls[-1], tricks, won) if record.complete else None
    return Replay(
        record, tuple(findings), tuple(tricks), sides, facts, won.get(DUMMY), judged, suspects, cards, tuple(calls)
    )


def _bidding(following: str | None) -> JsonObject:
    return {"phase": "bidding", "next": following}


def _tables_of_calls(calls: Sequence[Bids]) -> Iterator[JsonObject]:
    for bids in calls[1:]:
        seat, side = bids.caller()
        yield _bidding(None if bids.over else seat or side)


def _tables_of_plays(cards: Cards, tricks: Sequence[Trick]) -> Iterator[JsonObject]:
    """Yield the table after each play; a full trick is there until the next begins."""
    table = cards.record.table
    hands, size = dict.fromkeys(table.seats, table.rules.tricks), len(table.seats)
    broken, count, moves = False, 0, size * table.rules.tricks
    for trick in tricks:
        shown: list[JsonObject] = []
        for place, play in enumerate(trick.plays, start=1):
            hands[play.seat] -= 1
            broken = broken or bool(cards.bits[count] & cards.pack.trump_bits)
            count += 1
            shown = [*shown, {"seat": play.seat, "card": str(play.card)}]
            winner = trick.winner if place == size else None
            turn = winner if place == size else next_in_trick(table, trick.plays[:place]) or trick.plays[0].seat
            yield {
                "phase": "play", "next": turn if count < moves else None, "trick_number": trick.number, "trick": shown,
                "winner": winner, "spades_broken": broken, "hands": hands.copy(),
            }  # fmt: skip


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


def _judge_calls(record: Record, calls: Sequence[Bids], findings: list[Finding]) -> Iterator[Judged]:
    for bids, call in zip(calls, record.calls, strict=False):
        before = Position(record.table, "bidding", totals=record.totals, calls=bids.calls)
        verdict = judge_call(before, call, bids)
        move = {"type": "call", "seat": call.seat, "side": call.side, "call": call.spoken}
        findings += [_plain_finding(breach, call.seat or call.side or "") for breach in verdict.breaches]
        yield Judged({k: v for k, v in move.items() if v is not None}, verdict, _settled(verdict))


def _judge_exchanges(record: Record, findings: list[Finding]) -> Iterator[Judged]:
    calls = record.calls if record.calls_known else None
    for place, exchange in enumerate(record.exchanges):
        # A hand that holds a card which somebody else gave is a finding about the record, and no fault of the giver.
        hands = {
            seat: hand for seat, hand in record.hands.items()
            if not any(card in hand for giver, cards in exchange.cards.items() if giver != seat for card in cards)
        }  # fmt: skip
        verdict = judge_exchange(Position(record.table, "bidding", calls=calls, hands=hands), exchange)
        if any(other.side == exchange.side for other in record.exchanges[:place]):
            again = Breach(a.EXCHANGE.id, "exchange-twice", {"side": exchange.side})
            verdict = Verdict((again, *verdict.breaches))
        findings += [_plain_finding(breach, exchange.side) for breach in verdict.breaches]
        yield Judged({"type": "exchange", "side": exchange.side}, verdict, _settled(verdict))


def _plain_finding(breach: Breach, seat: str) -> Finding:
    return Finding(breach.article, breach.code, seat, breach.facts)


def _suspects(cards: Cards, tricks: Sequence[Trick]) -> Iterator[int]:
    """Yield the plays that can be faults.

    Any other is in turn, of a card that nobody has played, and it follows suit, leads what anybody may lead, or comes
    from a hand that never shows the suit led in a whole deal.
    """
    table, pack, bits = cards.record.table, cards.pack, cards.bits
    start = Position(table, "play", calls=cards.record.calls if cards.record.calls_known else None)
    exempt = {seat for seat in table.seats if start.played_from_the_top(seat) and not cards.knows_hand(seat)}
    watched = {seat for seat in table.seats if start.played_from_the_top(seat)} - exempt
    void_shows = cards.record.complete and cards.counted
    later = dict.fromkeys(table.seats, 0)
    for one, bit in zip(cards.plays, bits, strict=True):
        later[one.seat] |= bit
    seen, number, spades = 0, 0, pack.trump_bits
    special = table.rules.first_trick != "normal"
    free = table.rules.lead_spades_anytime
    leader: str | None = None  # the first lead is always looked at
    for trick in tricks:
        order, in_turn = table.after(trick.plays[0].seat), True
        led = pack.suits.get(pack.suit(trick.plays[0].card), 0)
        broken = free or bool(seen & spades)
        for place, one in enumerate(trick.plays):
            bit, seat = bits[number], one.seat
            later[seat] &= ~bit
            in_turn = in_turn and seat == (order[place - 1] if place else leader)
            if place:
                owed = not bit & led and not (void_shows and not later[seat] & led)
            else:
                owed = bool(bit & spades) and not broken
            wrong = not in_turn or not bit or bit & seen or seat in watched or (special and trick.number == 1)
            if wrong or (owed and seat not in exempt):
                yield number
            seen |= bit
            number += 1
            in_turn = in_turn or not place  # who leads wrongly is followed in turn all the same
        leader = trick.winner


def _judge_plays(cards: Cards, tricks: Sequence[Trick], suspects: Mapping[int, Judged]) -> Iterator[Judged]:
    """Yield the verdict on each play: one in turn, of a card that can be there, depends on nothing but the suit led."""
    record, pack = cards.record, cards.pack
    table, rules, trumps = record.table, record.table.rules, pack.trump_bits
    start = Position(table, "play", calls=record.calls if record.calls_known else None)
    exempt = {seat for seat in table.seats if start.played_from_the_top(seat)}
    number, seen, leader = 0, 0, None
    for trick in tricks:
        first, led = trick.plays[0], pack.suit(trick.plays[0].card)
        order, suit, in_turn = (first.seat, *table.after(first.seat)), pack.suits.get(led, 0), True
        broken, special = bool(seen & trumps), trick.number == 1 and rules.first_trick != "normal"
        for place, one in enumerate(trick.plays):
            seat, bit = one.seat, cards.bits[number]
            in_turn = in_turn and seat == order[place]
            because: tuple[str, str | None] | None = None
            verdict: Verdict | None = None
            if special or not in_turn or not bit or bit & seen or seat in exempt or cards.lacks(seat, bit):
                pass
            elif not place:
                if seat == leader and (led != SPADES or broken or rules.lead_spades_anytime):
                    because = _article_of_lead(rules, led), None
            elif bit & suit:
                because = a.FOLLOW_SUIT.id, led
            else:
                holds = cards.holding(number, number).holds(suit)
                if holds is False:
                    because = a.WHEN_VOID.id, led
                elif holds is None and cards.shown_void(number, first.card):
                    verdict = _hand_needed(seat, led)
            if because:
                breaks = bool(bit & trumps) and not broken
                following = order[place + 1] if place + 1 < len(table.seats) else None
                if following:
                    verdict = _goes_on(*because, following, breaks=breaks)
                else:
                    effect = {"winner": trick.winner, "card": trick.winning_card}
                    verdict = _allowed(*because, effect, breaks=breaks)
            if verdict is None:
                yield suspects.get(number) or _judge_play(cards, tricks, number)[0]
            else:
                move = {"type": "play", "seat": seat, "card": str(one.card), "trick": trick.number}
                yield Judged(move, verdict, LEGAL)
            seen |= bit
            number += 1
        leader = trick.winner


def _article_of_lead(rules: SpadesRules, led: str) -> str:
    """Return the article that allows the winner of a trick to lead a suit, spades once they may be led."""
    if led != SPADES:
        return a.WINNER_LEADS.id
    return a.LEAD_ANYTIME.id if rules.lead_spades_anytime else a.BREAKING_SPADES.id


def _allowed(article: str, led: str | None, effect: JsonObject, *, breaks: bool) -> Verdict:
    because = Because(article, {} if led is None else {"led": led})
    return Verdict(because=(because,), effect={"breaks_spades": True, **effect} if breaks else effect)


@lru_cache(maxsize=1024)
def _goes_on(article: str, led: str | None, following: str, *, breaks: bool) -> Verdict:
    """Return the verdict on a play that another follows: one object for those that say the same, to be written once."""
    return _allowed(article, led, {"next": following}, breaks=breaks)


@lru_cache(maxsize=1024)
def _hand_needed(seat: str, led: str) -> Verdict:
    """Return the verdict on a play that does not follow suit, from a hand that may do so or not."""
    return Verdict(missing=(Missing("hand", a.FOLLOW_SUIT.id, seat, {"led": led, "seat": seat}),))


def _judge_play(cards: Cards, tricks: Sequence[Trick], number: int) -> tuple[Judged, list[Finding]]:
    """Return the verdict on a play, and the faults that it is by the whole record."""
    record, play = cards.record, cards.plays[number]
    trick = tricks[number // len(record.table.seats)]
    place = number % len(record.table.seats)
    broken = bool(cards.seen(number - place) & cards.pack.trump_bits)
    position = Position(
        record.table, "play", record.totals, record.calls if record.calls_known else None, trick.plays[:place],
        trick.number, tricks[trick.number - 2].winner if trick.number > 1 else cards.leader, broken,
        cards.from_the_top(number),
    )  # fmt: skip
    seen = cards.seen(number)
    verdict = judge_play(position, play, partial(cards.holding, number, number), seen)
    settled = _settled(verdict)
    found = [_finding(breach, position, cards, number, later=False) for breach in verdict.breaches]
    if settled is None and cards.shown_void(number, trick.plays[0].card if place else None):
        settled = LEGAL
    elif settled is None:
        later = judge_play(position, play, partial(cards.holding, number, len(cards.plays)), seen)
        settled = _settled(later)
        found = [_finding(breach, position, cards, number, later=True) for breach in later.breaches]
    move = {"type": "play", "seat": play.seat, "card": str(play.card), "trick": position.trick_number}
    return Judged(move, verdict, settled), found


def _finding(breach: Breach, position: Position, cards: Cards, number: int, *, later: bool) -> Finding:
    """Return a breach with its trick and card, and the card that showed it where that was a later one."""
    play = cards.plays[number]
    facts = dict(breach.facts) | {"trick": position.trick_number, "card": str(play.card), "shown_by": None}
    if later:
        shown = cards.first_of(breach.facts, number)
        if shown is None:
            shown = next(
                last - 1 for last in range(number + 1, len(cards.plays) + 1)
                if judge_play(position, play, partial(cards.holding, number, last), cards.seen(number)).breaches
            )  # fmt: skip
        one, trick = cards.plays[shown], shown // len(position.table.seats) + 1
        facts["shown_by"] = {"trick": trick, "card": str(one.card), "seat": one.seat}
    return Finding(breach.article, breach.code, str(breach.facts.get("seat") or play.seat), facts)


def _settled(verdict: Verdict) -> str | None:
    return None if verdict.value == UNDECIDED else verdict.value


def _facts(bids: Bids, tricks: Sequence[Trick], won: Mapping[str, int]) -> dict[str, SideEntry]:
    """Return the facts of every side; without calls the contracts are null, to be filled in by who knows them."""
    table, facts = bids.table, {}
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

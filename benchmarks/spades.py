"""What the judge of Spades costs beside OpenSpiel: the legal plays of a hand, and a whole recorded deal."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

import orjson

from benchmarks.measure import Measured, seconds_a_call
from benchmarks.peers import against
from companion.engine.cards import Card
from companion.games import GAMES
from companion.games.spades.play import legal_plays
from companion.games.spades.replay import follow
from companion.games.spades.rules import OPTIONS
from companion.games.spades.table import NORMAL, Call, Played, Record, Table, pack_of
from companion.library.asking import answer_replay
from companion.web.api.questions import answer_lines

PEER = "open_spiel"
DEALS = 30
SEATS = ("A", "B", "C", "D")
RULES = OPTIONS.preset().options
PACK = pack_of(RULES)
State = tuple[int, int, bool]
"""A hand, the suit led, and whether spades may be led."""


def spades() -> Iterator[Measured]:
    """The two rows of the judge, as multiples of OpenSpiel's time from Python."""
    chance = Random(52)
    deals = [_deal(chance) for _ in range(DEALS)]
    states = [state for _, played in deals for state in played]
    records = [record for record, _ in deals]

    def legal() -> None:
        for hand, led, free in states:
            legal_plays(PACK, hand, led, free=free)

    def replayed() -> None:
        for record in records:
            follow(record)

    ratio = against(PEER, "legal_actions", legal, times=5, units=len(states))
    yield Measured("Spades: legal plays with known hands / legal_actions()", ratio, 1.0, "<=", PEER)
    ratio = against(PEER, "checked_deal", replayed, times=3, units=DEALS)
    yield Measured("Spades: a recorded deal replayed, hands hidden / checked deal", ratio, 10.0, "<=", PEER)
    game, lines = GAMES["spades"], [orjson.dumps(_request(record)) for record in records]

    def batch() -> None:
        for _ in answer_lines(game, lines, "en", answer_replay):
            pass

    bare, streamed = seconds_a_call(replayed, batch, times=1)
    yield Measured("Spades: recorded deals in one batch / the bare replay of them", streamed / bare, 6.0, "<=")
    ratio = against(PEER, "checked_deal", batch, times=1, units=DEALS)
    yield Measured("Spades: a whole replay answer, hands hidden / checked deal", ratio, 10.0, "<=", PEER)


def _request(record: Record) -> dict[str, Any]:
    """Return a record as the API takes it."""
    return {
        "seats": list(record.table.seats),
        "dealer": record.table.dealer,
        "calls": [{"seat": call.seat, "call": call.number} for call in record.calls or ()],
        "plays": [{"seat": play.seat, "card": str(play.card)} for play in record.plays],
    }


def _deal(chance: Random) -> tuple[Record, list[State]]:
    """Return a random deal played by the rules, and what each of its cards was chosen from."""
    table = Table(RULES, SEATS, "D")
    cards = chance.sample(PACK.order, len(PACK.order))
    left = {seat: PACK.mask(cards[place * 13 : place * 13 + 13]) for place, seat in enumerate(SEATS)}
    plays: list[Played] = []
    states: list[State] = []
    leader, broken = "A", False
    for _ in range(RULES.tricks):
        trick: list[Card] = []
        for seat in (leader, *table.after(leader)[:-1]):
            led = PACK.suits[PACK.suit(trick[0])] if trick else 0
            states.append((left[seat], led, broken))
            legal = legal_plays(PACK, left[seat], led, free=broken)
            card = chance.choice([card for card, bit in PACK.bits.items() if bit & legal])
            left[seat] &= ~PACK.bits[card]
            trick.append(card)
            plays.append(Played(seat, card))
        broken = broken or bool(PACK.mask(trick) & PACK.trump_bits)
        leader = plays[len(plays) - 4 + PACK.winner(trick)].seat
    calls = tuple(Call(NORMAL, 4, seat, table.side(seat)) for seat in SEATS)
    return Record(table, {"A+C": 0, "B+D": 0}, calls, True, tuple(plays)), states

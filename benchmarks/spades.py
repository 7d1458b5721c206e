"""What the judge of Spades costs beside OpenSpiel: the legal plays of a hand, and a whole recorded deal."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

import orjson

from benchmarks.measure import Measured, seconds_once
from benchmarks.peers import against
from companion.engine.cards import Card
from companion.games.spades.deal import follow
from companion.games.spades.rules import OPTIONS
from companion.games.spades.table import NORMAL, Call, Played, Record, SpadesPack, Table, pack_of
from companion.web import create_app

PEER = "open_spiel"
DEALS, BATCH = 30, 1_000
SEATS = ("A", "B", "C", "D")
RULES = OPTIONS.preset().options
PACK = pack_of(RULES)
State = tuple[int, int, bool]
"""A hand, the suit led, and whether spades may be led."""


def spades() -> Iterator[Measured]:
    """Legal plays and a recorded deal as multiples of OpenSpiel's time from Python; then whole answers to a batch.

    A batch is one request with a thousand deals: reading, judging every move, words and JSON. It is sent once.
    """
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
    yield Measured("Spades: legal plays with known hands / legal_actions()", ratio, 0.5, "<=", PEER)
    ratio = against(PEER, "checked_deal", replayed, times=3, units=DEALS)
    yield Measured("Spades: a recorded deal replayed, hands hidden / checked deal", ratio, 5.0, "<=", PEER)
    many = [*records, *[_deal(chance)[0] for _ in range(BATCH - DEALS)]]
    lines = b"\n".join(orjson.dumps(_request(record)) for record in many)
    client = create_app({"RATE_LIMIT": "off", "DATABASE": "memory:"}).test_client()

    def batch(body: bytes = lines) -> None:
        answer = client.post("/api/v1/games/spades/replay/batch", data=body, content_type="application/x-ndjson")
        answered = answer.data.count(b'"result"')
        assert answered == body.count(b"\n") + 1, "every deal is answered"

    few = b"\n".join(lines.split(b"\n")[:DEALS])
    batch(few)  # what is made once is made
    seconds = seconds_once(batch, 1)
    yield Measured(f"Spades: {BATCH:,} recorded deals in one batch request: s", seconds, 2.0, "<=")
    ratio = against(PEER, "checked_deal", lambda: batch(few), times=1, units=DEALS)
    yield Measured("Spades: a deal of a batch, hands hidden / checked deal", ratio, 15.0, "<=", PEER)


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


def legal_plays(pack: SpadesPack, hand: int, led: int = 0, *, free: bool = False, first: bool = False) -> int:
    """Return the cards of a whole hand that may be played, in the bits of the pack (SPADES-032 to 038, 180, 184).

    `led` holds all cards of the suit led, none for a lead; `free` says whether spades may be led, and `first` whether
    it is a first trick of lowest clubs.
    """
    if first:
        clubs = hand & pack.suits["C"]
        return clubs & (pack.copies * 2 - 1) * (clubs & -clubs) or hand & ~pack.trump_bits or hand
    if led:
        return hand & led or hand
    return hand if free else hand & ~pack.trump_bits or hand

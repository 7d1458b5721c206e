"""Was it dealt right? Cards on the table and in each hand, whose deal it is, and whether to cut again."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from companion.engine.cards import RANKS
from companion.engine.reading import Node
from companion.engine.verdict import Verdict
from companion.games.casino.table import full_pack
from companion.web.referee.asking import Asking, Question
from companion.web.referee.casino.table import PLAYERS, players_at, seats_around
from companion.web.referee.dealing import COUNTS, Dealt, Turning, acted, dealt_page
from companion.web.referee.faces import reasons
from companion.web.referee.picking import Zone, picker, tap
from companion.web.referee.shown import Answer, Ask, Choice, Page
from companion.web.referee.state import State

CUT = 4
MOST_ROUNDS = 6


def act(asking: Asking, verb: str, word: str) -> State:
    """How many play, which round of dealing, the last dealer, who deals now, a card of the cut."""
    if verb == "n" and word in map(str, PLAYERS):
        return asking.state.put(n=word, b=None, d=None)
    if verb == "round" and word.isdecimal() and 1 <= int(word[:1]) <= MOST_ROUNDS:
        return asking.state.put(r=word[:1])
    if verb == "tap" and asking.rules.recut:
        return tap(asking.state, _cut(asking), word)
    return acted(asking, verb, word).state


def page(asking: Asking) -> Page:
    """The numbers against the deal of the table; four cards that were cut, where they may be cut again."""
    seats = seats_around(asking, players_at(asking))
    rounds = _judge(asking, seats, {"type": "deal"}).effect["rounds"]
    number = min(asking.state.number("r", low=1, high=MOST_ROUNDS) or 1, len(rounds))

    def verdict(counts: Mapping[int, int]) -> Verdict:
        hands = {seat: counts[place + 1] for place, seat in enumerate(seats) if place + 1 in counts}
        move: dict[str, Any] = {"type": "deal", "hands": hands, "round": number}
        return _judge(asking, seats, move | ({"table": counts[0]} if 0 in counts else {}))

    def deals(last: str, seat: str) -> Verdict:
        return _judge(asking, seats, {"type": "deal", "dealer": seat}, last)

    labels = [asking.say("loose"), *(asking.say("cards-of", name=seat) for seat in seats)]
    table = _judge(asking, seats, {"type": "deal"}).effect["table"] if number == 1 else 0
    expected = {0: int(table), **{place + 1: int(rounds[number - 1]) for place in range(len(seats))}}
    drawn = picker(asking, _cut(asking), full_pack(asking.rules), ranks=RANKS) if asking.rules.recut else None
    shown = dealt_page(
        asking, Dealt(labels, verdict, expected), Turning(seats, deals), more=_again(asking, seats), picker=drawn
    )
    return _with_asks(asking, shown, len(seats), number, len(rounds))


def _judge(asking: Asking, seats: tuple[str, ...], move: dict[str, Any], last: str | None = None) -> Verdict:
    position = {"seats": list(seats), **({"dealer": last} if last else {})}
    return asking.game.judge(asking.rules, Node(position, ("position",)), Node(move, ("move",)))


def _cut(asking: Asking) -> tuple[Zone, ...]:
    return (Zone("t", asking.say("cut-cards"), CUT),)


def _again(asking: Asking, seats: tuple[str, ...]) -> list[Answer]:
    """Whether these four may be cut again."""
    cards = [card for card in asking.state.cards("t") if card in full_pack(asking.rules)][:CUT]
    if len(cards) < CUT or not asking.rules.recut:
        return []
    verdict = _judge(asking, seats, {"type": "recut", "table": [str(card) for card in cards]})
    return [Answer(asking.say(f"recut-{verdict.value}"), verdict.value, reasons=reasons(asking, verdict))]


def _with_asks(asking: Asking, page: Page, count: int, number: int, rounds: int) -> Page:
    asks = list(page.asks)
    if rounds > 1:
        choices = tuple(Choice(f"round:{n}", str(n), n == number) for n in range(1, min(rounds, MOST_ROUNDS) + 1))
        asks.insert(0, Ask(asking.say("ask-round"), (choices,)))
    if not asking.names:
        counts = tuple(Choice(f"n:{n}", str(n), n == count) for n in PLAYERS)
        asks.insert(0, Ask(asking.say("ask-players"), (counts,)))
    return replace(page, asks=tuple(asks))


QUESTION = Question(("n", "r", "b", "d", "t", *COUNTS), act, page)

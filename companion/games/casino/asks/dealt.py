"""Was it dealt right? Cards on the table and in each hand, whose deal it is, and whether to cut again."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from companion.engine.cards import RANKS
from companion.engine.dialogue import (
    COUNTS,
    AnswerSection,
    Choice,
    Context,
    DealCheck,
    DealerCheck,
    Page,
    Prompt,
    Question,
    State,
    Zone,
    card_picker,
    choose_dealer,
    deal_page,
    reasons_of,
    tap,
)
from companion.engine.problems import Node
from companion.engine.verdict import Verdict
from companion.games.casino.asks.laying import PLAYERS, players_prompt, seats_around
from companion.games.casino.deal import judge
from companion.games.casino.table import FIRST_CARDS, deal_plan, full_pack

MAX_ROUNDS: Final = 6


def act(context: Context, verb: str, word: str) -> State:
    """Return the state after another number of players, round of dealing or dealer, or a card of the cut."""
    state = context.state
    if verb == "n" and word in PLAYERS:
        return state.put(n=word, b=None, d=None)
    if verb == "round" and word.isdecimal() and 1 <= int(word[:1]) <= MAX_ROUNDS:
        return state.put(r=word[:1])
    if verb == "tap" and context.rules.recut:
        return tap(state, _cut(context), word)
    return choose_dealer(state, verb, word)


def page(context: Context) -> Page:
    """Return the numbers against the deal of the table; four cards that were cut, where they may be cut again."""
    seats = seats_around(context)
    plan = deal_plan(context.rules, len(seats))
    number = min(context.state.number("r", low=1, high=MAX_ROUNDS) or 1, len(plan.rounds))

    def verdict(counts: Mapping[int, int]) -> Verdict:
        hands = {seat: counts[place + 1] for place, seat in enumerate(seats) if place + 1 in counts}
        move: dict[str, object] = {"type": "deal", "hands": hands, "round": number}
        return _judge(context, seats, move | ({"table": counts[0]} if 0 in counts else {}))

    def deals(last: str, seat: str) -> Verdict:
        return _judge(context, seats, {"type": "deal", "dealer": seat}, last)

    labels = [context.say("loose"), *(context.say("cards-of", name=seat) for seat in seats)]
    each = {place + 1: plan.rounds[number - 1] for place in range(len(seats))}
    check = DealCheck(labels, verdict, {0: plan.table if number == 1 else 0, **each})
    picker = card_picker(context.state, _cut(context), full_pack(context.rules), ranks=RANKS)
    shown = deal_page(
        context, check, DealerCheck(seats, deals),
        more=_second_cut(context, seats), picker=picker if context.rules.recut else None,
    )  # fmt: skip
    prompts = [] if context.names else [players_prompt(context)]
    if len(plan.rounds) > 1:
        rounds = range(1, min(len(plan.rounds), MAX_ROUNDS) + 1)
        choices = tuple(Choice(f"round:{n}", str(n), n == number) for n in rounds)
        prompts.append(Prompt(context.say("ask-round"), (choices,)))
    return replace(shown, asks=(*prompts, *shown.asks))


QUESTION: Final = Question(("n", "r", "b", "d", "t", *COUNTS), act, page)


def _judge(context: Context, seats: tuple[str, ...], move: dict[str, object], last: str | None = None) -> Verdict:
    position = {"seats": list(seats), **({"dealer": last} if last else {})}
    return judge(context.rules, Node(position, ("position",)), Node(move, ("move",)))


def _cut(context: Context) -> tuple[Zone, ...]:
    return (Zone("t", context.say("cut-cards"), FIRST_CARDS),)


def _second_cut(context: Context, seats: tuple[str, ...]) -> list[AnswerSection]:
    """Return whether these four may be cut again."""
    cards = [card for card in context.state.cards("t") if card in full_pack(context.rules)][:FIRST_CARDS]
    if len(cards) < FIRST_CARDS or not context.rules.recut:
        return []
    verdict = _judge(context, seats, {"type": "recut", "table": [str(card) for card in cards]})
    return [AnswerSection(context.say(f"recut-{verdict.value}"), verdict.value, reasons=reasons_of(verdict))]

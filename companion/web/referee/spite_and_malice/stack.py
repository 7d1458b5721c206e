"""What fits on this side stack? The stack tapped from the bottom, jokers among it; every rank with its verdict."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from companion.engine.cards import Card
from companion.engine.verdict import LEGAL, Ruling, Verdict
from companion.games.spite_and_malice.position import Piles
from companion.games.spite_and_malice.stacks import judge_new_side, judge_side
from companion.web.referee.asking import Asking, Question
from companion.web.referee.faces import grouped, reason
from companion.web.referee.picking import Zone
from companion.web.referee.shown import ILLEGAL, UNDECIDED, Answer, Page
from companion.web.referee.spite_and_malice.ranks import (
    add,
    cards_of,
    drop,
    heap,
    rank_picker,
    rank_text,
    ranks_in_use,
)
from companion.web.referee.state import State

MARKS = {LEGAL: "✓", ILLEGAL: "✕", UNDECIDED: "?"}
LONGEST = 40


def act(asking: Asking, verb: str, word: str) -> State:
    """A card laid on the stack, or taken away."""
    zones = (_zone(asking),)
    if verb == "tap":
        return add(asking.state, zones, word)
    return drop(asking.state, zones, word) if verb == "drop" else asking.state


def page(asking: Asking) -> Page:
    """The stack with whatever lies wrongly in it, and what may come next."""
    stack = cards_of(asking.state, "s")
    verdicts = {card: _verdict(asking, stack, card) for card in ranks_in_use(asking.rules)}
    below = [_verdict(asking, stack[:place], card) for place, card in enumerate(stack)]

    def on_stack(place: int) -> dict[str, Any]:
        value = below[place].value
        return {} if value == LEGAL else {"tone": value, "mark": MARKS[value]}

    def next_card(card: Card) -> dict[str, Any]:
        value = verdicts[card].value
        return {"tone": value, "mark": MARKS[value], "note": asking.say(f"may-{value}")}

    fit = [card for card in verdicts if verdicts[card].value == LEGAL]
    bar = asking.say("fits", cards=" ".join(rank_text(asking, card) for card in fit))
    answers = []
    wrong = tuple(reason(asking, breach) for verdict in below for breach in verdict.breaches)
    if wrong:
        answers.append(Answer(asking.say("stack-wrong"), ILLEGAL, reasons=wrong))
    for value in (LEGAL, ILLEGAL, UNDECIDED):
        found = {card: verdict for card, verdict in verdicts.items() if verdict.value == value}
        if found:
            answers.append(Answer(asking.say(f"fits-{value}"), value, reasons=grouped(asking, found)))
    return Page(
        bar, LEGAL if fit else ILLEGAL,
        heaps=(heap(asking, _zone(asking), note=asking.say("bottom-first"), look=on_stack),),
        picker=rank_picker(asking, (_zone(asking),), look=next_card),
        answers=tuple(answers),
    )  # fmt: skip


def _zone(asking: Asking) -> Zone:
    return Zone("s", asking.say("side-stack"), LONGEST)


def _verdict(asking: Asking, stack: Sequence[Card], card: Card) -> Verdict:
    """Whether a card fits on the stack, whatever else it may have to do at the table."""
    ruling = Ruling()
    if not stack:
        judge_new_side(Piles(sides=()), ruling)
    judge_side(asking.rules, stack, card, ruling)
    return ruling.verdict()


QUESTION = Question(("s",), act, page)

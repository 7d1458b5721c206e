"""Was it dealt right? Numbers of cards against what the table's rules deal, and whose deal it is."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from companion.engine.verdict import ILLEGAL, LEGAL, Verdict
from companion.web.referee.asking import Asking
from companion.web.referee.faces import reasons
from companion.web.referee.shown import Answer, Ask, Choice, Entry, Page, Picker

MOST_COUNTS = 16
COUNTS = tuple(f"c{place}" for place in range(MOST_COUNTS))
"""Names of the numbers in the address, in the order in which a game asks for them."""
MOST_CARDS = 162


@dataclass(frozen=True, slots=True)
class Dealt:
    """How a game asks about a deal: what is counted, and its judge."""

    labels: Sequence[str]
    judge: Callable[[Mapping[int, int]], Verdict]
    """The verdict on these numbers, by the place of their label."""
    expected: Mapping[int, int]
    """How many cards there should be, by the place of the label."""


@dataclass(frozen=True, slots=True)
class Turning:
    """Whose deal it is: the seats, and the judge of who deals after whom; `seats` is empty where nobody asks."""

    seats: Sequence[str]
    judge: Callable[[str, str], Verdict]


def acted(asking: Asking, verb: str, word: str) -> Asking:
    """The question after somebody was named as the last dealer, or as the one who deals now."""
    if verb in ("last", "deals") and word.isdecimal() and len(word) == 1:
        name = {"last": "b", "deals": "d"}[verb]
        return asking.with_state(asking.state.put(**{name: None if asking.state.get(name) == word else word}))
    return asking


def dealt_page(
    asking: Asking, dealt: Dealt, turning: Turning, *, more: Sequence[Answer] = (), picker: Picker | None = None
) -> Page:
    """The numbers as they should be; those that were told judged; whose deal it is where the last dealer is told."""
    told = {
        place: count
        for place in range(len(dealt.labels))
        if (count := asking.state.number(COUNTS[place], high=MOST_CARDS)) is not None
    }
    entries = tuple(Entry(COUNTS[place], label, str(told.get(place, ""))) for place, label in enumerate(dealt.labels))
    texts = tuple(
        asking.say("dealt-count", name=label, count=dealt.expected[place])
        for place, label in enumerate(dealt.labels)
        if place in dealt.expected
    )
    verdict = dealt.judge(told)
    answers = [Answer(asking.say("dealt-right"), "", texts=texts)]
    bar, value = asking.say("dealt-start"), ""
    if told:
        bar, value = asking.say(f"dealt-{verdict.value}"), verdict.value
        answers.insert(0, Answer(bar, value, reasons=reasons(asking, verdict)))
    deals = _dealer(asking, turning)
    if deals is not None:
        answers.insert(0, deals)
        if not told or deals.value == ILLEGAL:
            bar, value = deals.heading, deals.value
    for one in more:
        answers.insert(0, one)
        bar, value = one.heading, one.value
    return Page(
        bar, value, asks=tuple(_dealer_asks(asking, turning)), entries=entries, answers=tuple(answers), picker=picker
    )


def _dealer(asking: Asking, turning: Turning) -> Answer | None:
    """Who deals after the last dealer; whether the one who was named may."""
    last, now = (asking.state.number(name, high=len(turning.seats) - 1) for name in ("b", "d"))
    if last is None or not turning.seats:
        return None
    before = turning.seats[last]
    if now is not None:
        verdict = turning.judge(before, turning.seats[now])
        heading = asking.say(f"deals-{verdict.value}", name=turning.seats[now])
        return Answer(heading, verdict.value, reasons=reasons(asking, verdict))
    for seat in turning.seats:
        verdict = turning.judge(before, seat)
        if verdict.value == LEGAL:
            return Answer(asking.say("deals-legal", name=seat), LEGAL, reasons=reasons(asking, verdict))
    return None


def _dealer_asks(asking: Asking, turning: Turning) -> list[Ask]:
    asks = []
    if turning.seats:
        for name, verb in (("b", "last"), ("d", "deals")):
            now = asking.state.get(name)
            if name == "b" or asking.state.get("b"):
                choices = tuple(Choice(f"{verb}:{n}", one, str(n) == now) for n, one in enumerate(turning.seats))
                asks.append(Ask(asking.say(f"ask-{verb}"), (choices,)))
    return asks

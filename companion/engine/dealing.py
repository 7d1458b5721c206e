"""A question that every game may ask: was it dealt right? Numbers of cards against the rules, and whose deal it is."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from companion.engine.dialogue import (
    AnswerSection,
    Choice,
    Context,
    Field,
    Page,
    Picker,
    Prompt,
    Text,
    reasons_of,
)
from companion.engine.state import State
from companion.engine.verdict import ILLEGAL, LEGAL, Verdict

MAX_COUNTS: Final = 16
COUNTS: Final = tuple(f"c{place}" for place in range(MAX_COUNTS))
"""Names of the numbers in the address, in the order in which a game asks for them."""
DEALERS: Final = ("b", "d")
"""Names of the last dealer and of the one who deals now."""
_MAX_CARDS: Final = 162


@dataclass(frozen=True, slots=True)
class DealCheck:
    """How a game checks a deal: what is counted, how many there should be, and the judge, all by index of the label."""

    labels: Sequence[Text]
    judge: Callable[[Mapping[int, int]], Verdict]
    expected: Mapping[int, int]


@dataclass(frozen=True, slots=True)
class DealerCheck:
    """The seats and the judge of who deals after whom; `seats` is empty where a game does not ask."""

    seats: Sequence[str] = ()
    judge: Callable[[str, str], Verdict] = lambda last, seat: Verdict()


def choose_dealer(state: State, verb: str, word: str) -> State:
    """Return the state after somebody was named as the last dealer, or as the one who deals now."""
    if verb in ("last", "deals") and word.isdecimal() and len(word) == 1:
        name = {"last": "b", "deals": "d"}[verb]
        return state.put(**{name: None if state.get(name) == word else word})
    return state


def deal_page(
    context: Context,
    deal: DealCheck,
    dealer: DealerCheck,
    *,
    more: Sequence[AnswerSection] = (),
    picker: Picker | None = None,
) -> Page:
    """Return the numbers as they should be, the verdict on those entered, and whose deal it is."""
    entered = {
        place: count
        for place in range(len(deal.labels))
        if (count := context.state.number(COUNTS[place], high=_MAX_CARDS)) is not None
    }
    fields = tuple(Field(COUNTS[place], label, str(entered.get(place, ""))) for place, label in enumerate(deal.labels))
    texts = tuple(
        context.say("dealt-count", name=label, count=deal.expected[place])
        for place, label in enumerate(deal.labels)
        if place in deal.expected
    )
    verdict = deal.judge(entered)
    answers = [AnswerSection(context.say("dealt-right"), texts=texts)]
    bar: Text = context.say("dealt-start")
    value = ""
    if entered:
        bar, value = context.say(f"dealt-{verdict.value}"), verdict.value
        answers.insert(0, AnswerSection(bar, value, reasons=reasons_of(verdict)))
    deals = _dealer_answer(context, dealer)
    if deals is not None:
        answers.insert(0, deals)
        if not entered or deals.value == ILLEGAL:
            bar, value = deals.heading, deals.value
    for one in more:
        answers.insert(0, one)
        bar, value = one.heading, one.value
    return Page(bar, value, asks=_dealer_prompts(context, dealer), fields=fields, answers=tuple(answers), picker=picker)


def _dealer_answer(context: Context, dealer: DealerCheck) -> AnswerSection | None:
    """Return who deals after the last dealer, or whether the one who was named may."""
    last, now = (context.state.number(name, high=len(dealer.seats) - 1) for name in DEALERS)
    if last is None or not dealer.seats:
        return None
    before = dealer.seats[last]
    if now is not None:
        verdict = dealer.judge(before, dealer.seats[now])
        heading = context.say(f"deals-{verdict.value}", name=dealer.seats[now])
        return AnswerSection(heading, verdict.value, reasons=reasons_of(verdict))
    for seat in dealer.seats:
        verdict = dealer.judge(before, seat)
        if verdict.value == LEGAL:
            return AnswerSection(context.say("deals-legal", name=seat), LEGAL, reasons=reasons_of(verdict))
    return None


def _dealer_prompts(context: Context, dealer: DealerCheck) -> tuple[Prompt, ...]:
    if not dealer.seats:
        return ()
    prompts = []
    for name, verb in zip(DEALERS, ("last", "deals"), strict=True):
        now = context.state.get(name)
        if name == "b" or context.state.get("b"):
            choices = tuple(Choice(f"{verb}:{n}", seat, str(n) == now) for n, seat in enumerate(dealer.seats))
            prompts.append(Prompt(context.say(f"ask-{verb}"), (choices,)))
    return tuple(prompts)

"""May I bid this? Calls in turn, each judged; what may be called next, and why the rest may not."""

from __future__ import annotations

from companion.games.spades.rules import SpadesRules
from companion.web.referee.asking import Asking, Question
from companion.web.referee.faces import grouped, reasons
from companion.web.referee.picking import without_last
from companion.web.referee.shown import ILLEGAL, LEGAL, UNDECIDED, Answer, Ask, Choice, Entry, Page
from companion.web.referee.spades.calling import (
    Calling,
    add_call,
    behind,
    call_ask,
    called,
    caller,
    calling,
    look,
    looked_ask,
    name_caller,
    options,
    who_ask,
)
from companion.web.referee.spades.table import call_text, seat_name, table_of
from companion.web.referee.state import State

MOST_SIDES = 4


def act(asking: Asking, verb: str, word: str) -> State:
    """A call, one taken back, another dealer, whether somebody had looked."""
    state = asking.state
    if verb == "call":
        return add_call(_at(asking), word)
    if verb == "who":
        return name_caller(_at(asking), word)
    if verb == "back":
        return state.put(w=None) if state.get("w") else without_last(state, "c")
    if verb == "looked":
        return look(state, word)
    if verb == "dealer" and word.isdecimal() and len(word) == 1:
        return state.put(d=word)
    return state


def page(asking: Asking) -> Page:
    """The bidding so far with its verdicts, and the next call."""
    at = _at(asking)
    answers = []
    asks: list[Ask] = []
    later: list[Ask] = []
    if not at.calls:
        asks.append(_dealer_ask(asking, at))
    looked = looked_ask(at)
    if looked is not None:
        asks.append(looked)
    bar, value = asking.say("call-start", name=caller(at)), ""
    if at.calls:
        last, verdict = at.calls[-1], at.verdict(at.calls[-1], before=len(at.calls) - 1)
        value = verdict.value
        name = last.seat or " & ".join(at.table.members(last.side or ""))
        bar = asking.say(f"call-{value}", name=name, call=call_text(asking, last.spoken))
        answers.append(Answer(bar, value, reasons=reasons(asking, verdict)))
    if not at.over:
        possible = options(at)
        asks.append(call_ask(at, possible))
        later.append(who_ask(at))
        for kind in (UNDECIDED, ILLEGAL):
            found = {call.spoken: verdict for call, verdict in possible.values() if verdict.value == kind}
            if found:
                heading = asking.say(f"next-{kind}", name=caller(at))
                answers.append(Answer(heading, kind, reasons=grouped(asking, found, fact="call")))
        if not at.calls:
            count = sum(verdict.value == LEGAL for _, verdict in possible.values())
            bar = asking.say("call-count", name=caller(at), count=count)
    else:
        answers.append(Answer(asking.say("bidding-over"), LEGAL, texts=tuple(_contracts(asking, at))))
    return Page(
        bar, value, said=called(at), asks=tuple(asks), later=tuple(later), entries=_entries(asking, at),
        answers=tuple(answers),
        tools=(Choice("back", asking.say("back")),) if at.calls else (),
    )  # fmt: skip


def _at(asking: Asking) -> Calling:
    dealer = asking.state.number("d")
    if dealer is None:
        dealer = -1 if asking.dealer is None else asking.dealer
    return calling(asking, table_of(asking, dealer))


def _dealer_ask(asking: Asking, at: Calling) -> Ask:
    seats = [(place, seat) for place, seat in enumerate(at.table.seats) if seat in at.table.bidders]
    choices = tuple(
        Choice(f"dealer:{place}", seat_name(asking, seat), seat == at.table.dealer) for place, seat in seats
    )
    return Ask(asking.say("ask-dealer"), (choices,))


def _entries(asking: Asking, at: Calling) -> tuple[Entry, ...]:
    """How far each side is behind, where some call of this table depends on it."""
    rules: SpadesRules = asking.rules
    depends = (rules.nil and rules.double_nil) or rules.double_blind_nil or rules.blind_bid or rules.blind_moon
    if not depends:
        return ()
    told = behind(asking, at.table)
    return tuple(
        Entry(f"x{place}", asking.say("ask-behind", name=" & ".join(at.table.members(side))), str(told[side]))
        for place, side in enumerate(at.table.sides)
    )


def _contracts(asking: Asking, at: Calling) -> list[str]:
    bids = at.bids
    told = []
    for side in at.table.sides:
        number = bids.contract(side)
        nils = [f"{call.seat} {call_text(asking, call.spoken)}" for call in bids.nils(side)]
        name = " & ".join(at.table.members(side))
        told.append(asking.say("contract-of", name=name, contract="" if number is None else str(number), nils=nils))
    return told


QUESTION = Question(("d", "c", "w", *(f"x{place}" for place in range(MOST_SIDES))), act, page)

"""Questions about the bidding: may I call this, with or without a talk, and how many cards may partners exchange?"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from companion.engine.dialogue import (
    AnswerSection,
    Choice,
    Citation,
    Context,
    Field,
    Joined,
    Page,
    Phrase,
    Prompt,
    Question,
    State,
    Term,
    Text,
    grouped_reasons,
    joined_texts,
    reasons_of,
)
from companion.engine.verdict import ILLEGAL, LEGAL, UNDECIDED, Verdict
from companion.games.spades import articles as a
from companion.games.spades.asks.seats import dealer_of, dealer_prompt, seat_name, side_name, table_of
from companion.games.spades.bidding import judge_call
from companion.games.spades.calls import Bids, call_menu
from companion.games.spades.notation import MAX_CALLS, format_call, parse_calls, place_call
from companion.games.spades.rules import SpadesRules
from companion.games.spades.setup import judge_exchange
from companion.games.spades.table import (
    DOUBLE_BLIND_NIL,
    DOUBLE_NIL,
    NIL,
    NORMAL,
    PASS,
    Call,
    Exchange,
    Position,
    Table,
    points_behind,
)

_MAX_SIDES: Final = 4
_TONES: Final = {ILLEGAL: "odd", UNDECIDED: "open"}
_METHOD: Final = "consultation"
_CALLED: Final[Mapping[str, tuple[str, ...]]] = {
    "nil": (NIL,),
    "double": (DOUBLE_NIL,),
    "both": (NIL, DOUBLE_NIL),
    "unseen": (DOUBLE_BLIND_NIL,),
    "none": (),
}
"""What the two partners called, by its word in the address; the other calls are numbers."""
_MOMENTS: Final = ("calls", "now", "led")
_LOW_BID: Final = "3"


# Parts that the question about a whole deal uses too -----------------------------------------------------------------


def bids_of(context: Context, table: Table) -> Bids:
    """Return the calls of the state."""
    return parse_calls(table, context.state.words("c"))


def mover_of(context: Context, bids: Bids) -> tuple[str | None, str]:
    """Return the seat and the side that make the next call: whose turn it is, unless another was named."""
    return bids.caller(context.state.number("w", high=9))


def caller_text(context: Context, bids: Bids) -> Text:
    """Return who calls next, by name."""
    seat, side = mover_of(context, bids)
    return seat_name(seat) if seat else side_name(bids.table, side)


def call_verdict(context: Context, bids: Bids, call: Call) -> Verdict:
    """Return the verdict on a call after these."""
    position = Position(bids.table, "bidding", totals=totals_of(context, bids.table), calls=bids.calls)
    return judge_call(position, call, bids)


def judged_calls(context: Context, bids: Bids) -> list[tuple[Call, Verdict]]:
    """Return the calls so far, each with the verdict on it at the time."""
    return [
        (call, call_verdict(context, Bids(bids.table, bids.calls[:place]), call))
        for place, call in enumerate(bids.calls)
    ]


def call_chips(context: Context, bids: Bids) -> tuple[Choice, ...]:
    """Return the calls so far as they are listed, each with its verdict."""
    chips = []
    for call, verdict in judged_calls(context, bids):
        label = joined_texts((_caller(bids.table, call), Term("call", call.spoken)))
        chips.append(Choice("", label, *_look(context, verdict)))
    return tuple(chips)


def call_options(context: Context, bids: Bids) -> dict[str, tuple[Call, Verdict]]:
    """Return every call that this table plays by its text, with the verdict on it."""
    seat, side = mover_of(context, bids)
    members = bids.table.members(side)
    options = {}
    for call in call_menu(bids, seat, side):
        member = members.index(call.seat) if seat is None and call.seat is not None else None
        options[format_call(call.spoken, member=member)] = (call, call_verdict(context, bids, call))
    return options


def call_prompt(context: Context, bids: Bids, options: Mapping[str, tuple[Call, Verdict]]) -> Prompt:
    """Return the question for the next call: numbers as a keypad, words apart, forbidden ones marked."""
    numbers: list[Choice] = []
    words: list[Choice] = []
    for text, (call, verdict) in options.items():
        label: Text = Term("call", call.spoken)
        if "@" in text:
            label = Joined((f"{call.seat}:", label))
        group = numbers if call.word == NORMAL else words
        group.append(Choice(f"call:{text}", label, *_look(context, verdict)))
    return Prompt(
        context.say("ask-call", name=caller_text(context, bids)), (tuple(numbers), tuple(words)), numbers=True
    )


def looked_prompts(context: Context, bids: Bids) -> list[Prompt]:
    """Return the question whether the last caller had looked, where the call must be blind."""
    if not bids.calls or not bids.calls[-1].blind:
        return []
    call = bids.calls[-1]
    now = {True: "y", False: "n", None: ""}[call.looked]
    choices = tuple(
        Choice(f"looked:{word}", context.say(f"answer-{word or 'open'}"), word == now) for word in ("n", "y", "")
    )
    return [Prompt(context.say("ask-looked", name=_caller(bids.table, call)), (choices,))]


def caller_prompt(context: Context, bids: Bids) -> Prompt:
    """Return the question who makes the next call, should it be somebody who is not in turn."""
    mover = mover_of(context, bids)
    choices = tuple(
        Choice(
            f"who:{place}", side_name(bids.table, one) if bids.by_sides else seat_name(one), bids.caller(place) == mover
        )
        for place, one in enumerate(bids.callers)
    )
    return Prompt(context.say("ask-who-called"), (choices,))


def call_action(context: Context, bids: Bids, verb: str, word: str) -> State | None:
    """Return the state after a call, another caller, or an answer on looking; None for any other action."""
    state = context.state
    if verb == "call":
        if bids.over or place_call(bids, word) is None or len(state.words("c")) >= MAX_CALLS:
            return state
        who = state.get("w")
        return state.put(c=".".join((*state.words("c"), f"{word}*{who}" if who else word)), w=None)
    if verb == "who":
        place = word[:1]
        if not (word.isdecimal() and int(place) < len(bids.callers)):
            return state
        return state.put(w=None if bids.caller(int(place)) == bids.caller() else place)
    if verb == "looked":
        words = state.words("c")
        if not words or word not in ("y", "n", ""):
            return state
        last = words[-1].partition("-")[0] + (f"-{word}" if word else "")
        return state.put(c=".".join((*words[:-1], last)))
    return None


def behind_of(context: Context, table: Table) -> dict[str, int]:
    """Return how many points each side is behind the best, as entered or as the sheet says."""
    sheet = {side: context.totals.get(place, 0) for place, side in enumerate(table.sides)}
    behind = {}
    for place, side in enumerate(table.sides):
        entered = context.state.number(f"x{place}", high=9_999)
        behind[side] = max(points_behind(sheet, side), 0) if entered is None else entered
    return behind


def totals_of(context: Context, table: Table) -> dict[str, int]:
    """Return totals with these distances: the best side has 0 points."""
    return {side: -points for side, points in behind_of(context, table).items()}


def _caller(table: Table, call: Call) -> str:
    return call.seat or side_name(table, call.side or "")


def _look(context: Context, verdict: Verdict) -> tuple[bool, str, Text]:
    """Return whether a choice is pressed, its tone and its note."""
    tone = _TONES.get(verdict.value, "")
    return False, tone, context.say(f"may-{verdict.value}") if tone else ""


# May I bid this? -----------------------------------------------------------------------------------------------------


def call_act(context: Context, verb: str, word: str) -> State:
    """Return the state after a call, one taken back, another dealer, or an answer on looking."""
    state = context.state
    if verb == "back":
        return state.put(w=None) if state.get("w") else state.without_last("c")
    if verb == "dealer":
        return state.put(d=word) if word.isdecimal() and len(word) == 1 else state
    return call_action(context, bids_of(context, table_of(context, dealer_of(context))), verb, word) or state


def call_page(context: Context) -> Page:
    """Return the bidding so far with its verdicts, and the next call."""
    table = table_of(context, dealer_of(context))
    bids = bids_of(context, table)
    answers: list[AnswerSection] = []
    asks = [] if bids.calls else [dealer_prompt(context, table)]
    asks += looked_prompts(context, bids)
    later: tuple[Prompt, ...] = ()
    bar, value = context.say("call-start", name=caller_text(context, bids)), ""
    if bids.calls:
        last, verdict = judged_calls(context, bids)[-1]
        value = verdict.value
        bar = context.say(f"call-{value}", name=_caller(table, last), call=Term("call", last.spoken))
        answers.append(AnswerSection(bar, value, reasons=reasons_of(verdict)))
    if bids.over:
        answers.append(AnswerSection(context.say("bidding-over"), LEGAL, texts=tuple(_contracts(context, bids))))
    else:
        options = call_options(context, bids)
        asks.append(call_prompt(context, bids, options))
        later = (caller_prompt(context, bids),)
        for kind in (UNDECIDED, ILLEGAL):
            found = {call.spoken: verdict for call, verdict in options.values() if verdict.value == kind}
            if found:
                heading = context.say(f"next-{kind}", name=caller_text(context, bids))
                answers.append(AnswerSection(heading, kind, reasons=grouped_reasons(found, fact="call")))
        if not bids.calls:
            count = sum(verdict.value == LEGAL for _, verdict in options.values())
            bar = context.say("call-count", name=caller_text(context, bids), count=count)
    return Page(
        bar, value, said=call_chips(context, bids), asks=tuple(asks), later=later,
        fields=_behind_fields(context, table), answers=tuple(answers),
        tools=(Choice("back", context.say("back")),) if bids.calls else (),
    )  # fmt: skip


def _behind_fields(context: Context, table: Table) -> tuple[Field, ...]:
    """How far each side is behind, where some call of this table depends on it."""
    rules: SpadesRules = context.rules
    if not ((rules.nil and rules.double_nil) or rules.double_blind_nil or rules.blind_bid or rules.blind_moon):
        return ()
    behind = behind_of(context, table)
    return tuple(
        Field(f"x{place}", context.say("ask-behind", name=side_name(table, side)), str(behind[side]))
        for place, side in enumerate(table.sides)
    )


def _contracts(context: Context, bids: Bids) -> list[Phrase]:
    contracts = []
    for side in bids.table.sides:
        number = bids.contract(side)
        nils = [joined_texts((call.seat or "", Term("call", call.spoken))) for call in bids.nils(side)]
        name, contract = side_name(bids.table, side), "" if number is None else str(number)
        contracts.append(context.say("contract-of", name=name, contract=contract, nils=nils))
    return contracts


# Bidding after a talk ------------------------------------------------------------------------------------------------


def consult_act(context: Context, verb: str, word: str) -> State:
    """Return the state after an announcement, one taken back, another dealer, another side."""
    talking = _talking(context)
    return context.state if talking is None else call_act(talking, verb, word)


def consult_page(context: Context) -> Page:
    """Return the announcements so far and the next one, what may be said, and whether this table plays so at all."""
    talking = _talking(context)
    method = Citation("", a.CONSULTATION.id)
    if talking is None:
        bar = context.say("talk-alone")
        return Page(bar, ILLEGAL, answers=(AnswerSection(bar, ILLEGAL, reasons=(method,)),))
    page = call_page(talking)
    rules = AnswerSection(
        context.say("talk-may"), LEGAL, texts=(context.say("talk-tricks"), context.say("talk-nothing-else")),
        reasons=(Citation("", a.CONSULTATION_TALK.id),),
    )  # fmt: skip
    answers = (*page.answers, rules)
    if context.rules.bid_method != _METHOD:
        answers = (AnswerSection(context.say("talk-not-here"), reasons=(method,)), *answers)
    return replace(page, answers=answers)


def _talking(context: Context) -> Context | None:
    """Return the context with rules under which partners confer; None where nobody has a partner."""
    rules: SpadesRules = context.rules
    if not rules.partners:
        return None
    return replace(context, rules=replace(rules, bid_method=_METHOD, second_round=False))


# May partners exchange cards? ----------------------------------------------------------------------------------------


def exchange_act(context: Context, verb: str, word: str) -> State:
    """Return the state with what was called, how many cards go each way, or how far the deal has gone."""
    state = context.state
    if verb == "called" and word in _CALLED:
        return state.put(k=word)
    if verb == "when" and word in _MOMENTS:
        return state.put(o=None if word == "now" else word)
    if verb in ("give", "get") and word.isdecimal() and int(word[:2]) <= context.rules.tricks:
        return state.put(**{verb: None if state.get(verb) == word else word[:2]})
    return state


def exchange_page(context: Context) -> Page:
    """Return how many cards go each way by the calls, and whether the numbers entered may be exchanged."""
    rules: SpadesRules = context.rules
    table, state = table_of(context, -1), context.state
    side = side_name(table, table.sides[0])
    if not rules.partners:
        bar = context.say("exchange-none")
        verdict = _exchange_verdict(context, table, (), 1, 1)
        return Page(bar, ILLEGAL, answers=(AnswerSection(bar, ILLEGAL, reasons=reasons_of(verdict)),))
    asks = (_called_prompt(context, side), _moment_prompt(context))
    called = _CALLED.get(state.get("k"))
    if called is None:
        return Page(context.say("exchange-start", name=side), asks=asks)
    give, get = (state.number(name, high=rules.tricks) for name in ("give", "get"))
    allowed = [n for n in range(rules.tricks + 1) if _exchange_verdict(context, table, called, n, n).value == LEGAL]
    most = max(allowed, default=0)
    if give is None and get is None:
        verdict = _exchange_verdict(context, table, called, most or 1, most or 1)
        bar = context.say("exchange-none")
        if most:
            bar = context.say("exchange-count", count=most, free=int(0 in allowed))
    else:
        gives, gets = (give if give is not None else get) or 0, (get if get is not None else give) or 0
        verdict = _exchange_verdict(context, table, called, gives, gets)
        bar = context.say(f"exchange-{verdict.value}", give=gives, get=gets)
    later = tuple(
        Prompt(context.say(f"ask-{name}", name=side), (_numbers(context, name, most),)) for name in ("give", "get")
    )
    answer = AnswerSection(bar, verdict.value, reasons=reasons_of(verdict))
    return Page(bar, verdict.value, asks=asks, later=later, answers=(answer,))


def _exchange_verdict(context: Context, table: Table, called: tuple[str, ...], give: int, get: int) -> Verdict:
    moment = context.state.get("o") or "now"
    calls = _whole_bidding(table, called)
    position = Position(
        table,
        "play" if moment == "led" else "bidding",
        calls=calls[:-1] if moment == "calls" else calls,
        trick_number=2 if moment == "led" else None,
    )
    return judge_exchange(position, Exchange(table.sides[0], (give, get), {}))


def _whole_bidding(table: Table, called: tuple[str, ...]) -> tuple[Call, ...]:
    """Return a bidding in which the first side called this, and everybody else a low number."""
    members = table.members(table.sides[0])
    waiting = dict(zip(members, called, strict=False))
    bids = Bids(table, ())
    while not bids.over and len(bids.calls) < MAX_CALLS:
        seat, side = bids.caller()
        text = _LOW_BID
        if seat is None and side == table.sides[0] and waiting:
            member = next(iter(waiting))
            text = format_call(waiting.pop(member), member=members.index(member))
        elif seat in waiting:
            text = waiting.pop(seat)
        elif bids.turn[1] == 2 and not bids.by_sides:
            text = PASS
        call = place_call(bids, text)
        if call is None:
            break
        bids = Bids(table, (*bids.calls, call))
    return bids.calls


def _called_prompt(context: Context, side: str) -> Prompt:
    now = context.state.get("k")
    choices = []
    for word, calls in _CALLED.items():
        terms = joined_texts((Term("call", call) for call in calls), " + ")
        choices.append(Choice(f"called:{word}", terms if calls else context.say("no-nil"), word == now))
    return Prompt(context.say("ask-called", name=side), (tuple(choices),))


def _moment_prompt(context: Context) -> Prompt:
    now = context.state.get("o") or "now"
    choices = tuple(Choice(f"when:{word}", context.say(f"moment-{word}"), word == now) for word in _MOMENTS)
    return Prompt(context.say("ask-moment"), (choices,))


def _numbers(context: Context, name: str, most: int) -> tuple[Choice, ...]:
    now = context.state.get(name)
    return tuple(Choice(f"{name}:{n}", str(n), str(n) == now) for n in range(min(max(most + 1, 4), 13) + 1))


CALL: Final = Question(("d", "c", "w", *(f"x{place}" for place in range(_MAX_SIDES))), call_act, call_page)
CONSULT: Final = Question(CALL.names, consult_act, consult_page)
EXCHANGE: Final = Question(("k", "o", "give", "get"), exchange_act, exchange_page)

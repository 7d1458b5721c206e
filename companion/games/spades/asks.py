"""What the questions of Spades share: the seats with their names, the table, the ranks in their order."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Final

from companion.engine.cards import Card
from companion.engine.dialogue import (
    ACE_HIGH,
    COUNTS,
    MARKS,
    AnswerSection,
    Choice,
    Citation,
    Context,
    DealCheck,
    DealerCheck,
    Face,
    Field,
    Grid,
    Joined,
    Page,
    Phrase,
    Picker,
    Prompt,
    Question,
    Scoring,
    Slot,
    State,
    Term,
    Text,
    Zone,
    card_picker,
    card_term,
    choose_dealer,
    faces,
    finding_reasons,
    grouped_reasons,
    in_order,
    joined_texts,
    reasons_of,
)
from companion.engine.dialogue import deal_page as dialogue_deal_page
from companion.engine.ledger import team_name
from companion.engine.problems import Node
from companion.engine.scene import DROP, Flag, scene
from companion.engine.verdict import ILLEGAL, LEGAL, UNDECIDED, Verdict
from companion.games.spades import articles as a
from companion.games.spades.bidding import (
    MAX_CALLS,
    Bids,
    call_menu,
    format_call,
    format_play,
    judge_call,
    parse_calls,
    parse_play,
    parse_plays,
    place_call,
    whole_bidding,
)
from companion.games.spades.deal import Replay, follow, judge
from companion.games.spades.play import judge_exchange, opening_leaders
from companion.games.spades.remedies import remedy_for
from companion.games.spades.rules import SpadesRules
from companion.games.spades.table import (
    DOUBLE_BLIND_NIL,
    DOUBLE_NIL,
    DUMMY,
    JOKERS,
    NIL,
    NORMAL,
    Call,
    Exchange,
    Played,
    Position,
    Record,
    Table,
    next_to_play,
    pack_of,
    points_behind,
    trick_winner,
)


def table_of(context: Context, dealer: int | None = None) -> Table:
    """Return the table with its seats clockwise; `dealer` is the dealer's index among the players, where it is known.

    A dummy sits at the dealer's left or right, as the rules have it (SPADES-105, 106).
    """
    rules: SpadesRules = context.rules
    names = context.seats(rules.players)
    place = None if dealer is None else dealer % len(names)
    seats = names
    if rules.mode == "duo_dummy":
        between = (place in (None, 0)) == (rules.dummy_side == "left")
        seats = (names[0], DUMMY, names[1]) if between else (*names, DUMMY)
    return Table(rules, seats, None if place is None else names[place])


def _seats_of(context: Context) -> tuple[str, ...]:
    """Return the seats clockwise by name where nobody asks who dealt."""
    return table_of(context).seats


def dealer_of(context: Context) -> int:
    """Return the index of the dealer among the players: as entered, else as the sheet says, else the last one."""
    return int(DEALER.now(context))


def _pack(context: Context) -> frozenset[Card]:
    return pack_of(context.rules).cards


def _copies(context: Context) -> int:
    return pack_of(context.rules).copies


def _laid(context: Context, zone: str) -> tuple[Card, ...]:
    """Return the cards of a zone in order, of two packs also a card that is there twice."""
    return context.state.cards(zone, jokers=JOKERS, copies=_copies(context))


def _ranks_of(context: Context) -> tuple[str, ...]:
    """Return the ranks in the order of their strength, the highest first."""
    return ("2", *ACE_HIGH[:-1]) if context.rules.trump_order == "deuce_high" else ACE_HIGH


def _seat_name(seat: str) -> Text:
    """Return a seat as it is shown."""
    return Term("seat-name", DUMMY) if seat == DUMMY else seat


def _side_name(table: Table, side: str) -> str:
    """Return the names of a side's players."""
    return team_name(table.members(side))


DEALER: Final = Flag(
    "dealer",
    lambda context: [str(place) for place in range(context.rules.players)],
    lambda context: str((-1 if context.dealer is None else context.dealer) % context.rules.players),
    lambda context, word: context.seats(context.rules.players)[int(word)],
    key="d", used=lambda context: not context.state.get("c"), above=True,
)  # fmt: skip
"""Who dealt; a dummy does not."""


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


# Parts that the question about a whole deal uses too -----------------------------------------------------------------


def _bids_of(context: Context, table: Table) -> Bids:
    """Return the calls of the state."""
    return parse_calls(table, context.state.words("c"))


def _mover_of(context: Context, bids: Bids) -> tuple[str | None, str]:
    """Return the seat and the side that make the next call: whose turn it is, unless another was named."""
    return bids.caller(context.state.number("w", high=9))


def _caller_text(context: Context, bids: Bids) -> Text:
    """Return who calls next, by name."""
    seat, side = _mover_of(context, bids)
    return _seat_name(seat) if seat else _side_name(bids.table, side)


def _call_verdict(context: Context, bids: Bids, call: Call) -> Verdict:
    """Return the verdict on a call after these."""
    position = Position(bids.table, "bidding", totals=_totals_of(context, bids.table), calls=bids.calls)
    return judge_call(position, call, bids)


def _judged_calls(context: Context, bids: Bids) -> list[tuple[Call, Verdict]]:
    """Return the calls so far, each with the verdict on it at the time."""
    return [
        (call, _call_verdict(context, Bids(bids.table, bids.calls[:place]), call))
        for place, call in enumerate(bids.calls)
    ]


def _call_chips(context: Context, bids: Bids) -> tuple[Choice, ...]:
    """Return the calls so far as they are listed, each with its verdict."""
    chips = []
    for call, verdict in _judged_calls(context, bids):
        label = joined_texts((_caller(bids.table, call), Term("call", call.spoken)))
        chips.append(Choice("", label, *_look(context, verdict)))
    return tuple(chips)


def _call_options(context: Context, bids: Bids) -> dict[str, tuple[Call, Verdict]]:
    """Return every call that this table plays by its text, with the verdict on it."""
    seat, side = _mover_of(context, bids)
    members = bids.table.members(side)
    options = {}
    for call in call_menu(bids, seat, side):
        member = members.index(call.seat) if seat is None and call.seat is not None else None
        options[format_call(call.spoken, member=member)] = (call, _call_verdict(context, bids, call))
    return options


def _call_prompt(context: Context, bids: Bids, options: Mapping[str, tuple[Call, Verdict]]) -> Prompt:
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
        context.say("ask-call", name=_caller_text(context, bids)), (tuple(numbers), tuple(words)), numbers=True
    )


def _looked_prompts(context: Context, bids: Bids) -> list[Prompt]:
    """Return the question whether the last caller had looked, where the call must be blind."""
    if not bids.calls or not bids.calls[-1].blind:
        return []
    call = bids.calls[-1]
    now = {True: "y", False: "n", None: ""}[call.looked]
    choices = tuple(
        Choice(f"looked:{word}", context.say(f"answer-{word or 'open'}"), word == now) for word in ("n", "y", "")
    )
    return [Prompt(context.say("ask-looked", name=_caller(bids.table, call)), (choices,))]


def _caller_prompt(context: Context, bids: Bids) -> Prompt:
    """Return the question who makes the next call, should it be somebody who is not in turn."""
    names = [_side_name(bids.table, one) if bids.by_sides else _seat_name(one) for one in bids.callers]
    now = [bids.caller(place) for place, _ in enumerate(names)].index(_mover_of(context, bids))
    return _who_prompt(context.say("ask-who-called"), names, now)


def _who_prompt(question: Text, names: Sequence[Text], now: int) -> Prompt:
    """Return the question who moves, with the index of whoever is taken to do so."""
    choices = tuple(Choice(f"who:{place}", name, place == now) for place, name in enumerate(names))
    return Prompt(question, (choices,))


def _call_action(context: Context, bids: Bids, verb: str, word: str) -> State | None:
    """Return the state after a call, another caller, or an answer on looking; None for any other action."""
    state = context.state
    if verb == "call":
        if bids.over or place_call(bids, word) is None or len(state.words("c")) >= MAX_CALLS:
            return state
        who = state.get("w")
        return state.put(c=".".join((*state.words("c"), f"{word}*{who}" if who else word)), w=None)
    if verb == "who":
        return _named(state, word, [bids.caller(place) for place, _ in enumerate(bids.callers)], bids.caller())
    if verb == "looked":
        words = state.words("c")
        if not words or word not in ("y", "n", ""):
            return state
        last = words[-1].partition("-")[0] + (f"-{word}" if word else "")
        return state.put(c=".".join((*words[:-1], last)))
    return None


def _named(state: State, word: str, people: Sequence[object], usual: object) -> State:
    """Return the state with another mover than the usual one, named by an index."""
    if not (word.isdecimal() and int(word[:1]) < len(people)):
        return state
    return state.put(w=None if people[int(word[:1])] == usual else word[:1])


def _behind_of(context: Context, table: Table) -> dict[str, int]:
    """Return how many points each side is behind the best, as entered or as the sheet says."""
    sheet = {side: context.totals.get(place, 0) for place, side in enumerate(table.sides)}
    behind = {}
    for place, side in enumerate(table.sides):
        entered = context.state.number(f"x{place}", high=9_999)
        behind[side] = max(points_behind(sheet, side), 0) if entered is None else entered
    return behind


def _totals_of(context: Context, table: Table) -> dict[str, int]:
    """Return totals with these distances: the best side has 0 points."""
    return {side: -points for side, points in _behind_of(context, table).items()}


def _caller(table: Table, call: Call) -> str:
    return call.seat or _side_name(table, call.side or "")


def _look(context: Context, verdict: Verdict) -> tuple[bool, str, Text]:
    """Return whether a choice is pressed, its tone and its note."""
    tone = _TONES.get(verdict.value, "")
    return False, tone, context.say(f"may-{verdict.value}") if tone else ""


# May I bid this? -----------------------------------------------------------------------------------------------------


def _call_act(context: Context, verb: str, word: str) -> State | None:
    """Return the state after a call, one taken back, or an answer on looking; None for any other action."""
    state = context.state
    if verb == "back":
        return state.put(w=None) if state.get("w") else state.without_last("c")
    return _call_action(context, _bids_of(context, table_of(context, dealer_of(context))), verb, word)


def _call_page(context: Context) -> Page:
    """Return the bidding so far with its verdicts, and the next call."""
    table = table_of(context, dealer_of(context))
    bids = _bids_of(context, table)
    answers: list[AnswerSection] = []
    asks = _looked_prompts(context, bids)
    later: tuple[Prompt, ...] = ()
    bar, value = context.say("call-start", name=_caller_text(context, bids)), ""
    if bids.calls:
        last, verdict = _judged_calls(context, bids)[-1]
        value = verdict.value
        bar = context.say(f"call-{value}", name=_caller(table, last), call=Term("call", last.spoken))
        answers.append(AnswerSection(bar, value, reasons=reasons_of(verdict, partial(remedy_for, context.rules, last))))
    if bids.over:
        answers.append(AnswerSection(context.say("bidding-over"), LEGAL, texts=tuple(_contracts(context, bids))))
    else:
        options = _call_options(context, bids)
        asks.append(_call_prompt(context, bids, options))
        later = (_caller_prompt(context, bids),)
        for kind in (UNDECIDED, ILLEGAL):
            found = {call.spoken: verdict for call, verdict in options.values() if verdict.value == kind}
            if found:
                heading = context.say(f"next-{kind}", name=_caller_text(context, bids))
                answers.append(AnswerSection(heading, kind, reasons=grouped_reasons(found, fact="call")))
        if not bids.calls:
            count = sum(verdict.value == LEGAL for _, verdict in options.values())
            bar = context.say("call-count", name=_caller_text(context, bids), count=count)
    return Page(
        bar, value, said=_call_chips(context, bids), asks=tuple(asks), later=later,
        fields=_behind_fields(context, table), answers=tuple(answers),
        tools=(Choice("back", context.say("back")),) if bids.calls else (),
    )  # fmt: skip


def _behind_fields(context: Context, table: Table) -> tuple[Field, ...]:
    """How far each side is behind, where some call of this table depends on it."""
    rules: SpadesRules = context.rules
    if not ((rules.nil and rules.double_nil) or rules.double_blind_nil or rules.blind_bid or rules.blind_moon):
        return ()
    behind = _behind_of(context, table)
    return tuple(
        Field(f"x{place}", context.say("ask-behind", name=_side_name(table, side)), str(behind[side]))
        for place, side in enumerate(table.sides)
    )


def _contracts(context: Context, bids: Bids) -> list[Phrase]:
    contracts = []
    for side in bids.table.sides:
        number = bids.contract(side)
        nils = [joined_texts((call.seat or "", Term("call", call.spoken))) for call in bids.nils(side)]
        name, contract = _side_name(bids.table, side), "" if number is None else str(number)
        contracts.append(context.say("contract-of", name=name, contract=contract, nils=nils))
    return contracts


# Bidding after a talk ------------------------------------------------------------------------------------------------


def _consult_act(context: Context, verb: str, word: str) -> State | None:
    """Return the state after an announcement, one taken back, another side; None for any other action."""
    talking = _talking(context)
    return context.state if talking is None else _call_act(talking, verb, word)


def _consult_page(context: Context) -> Page:
    """Return the announcements so far and the next one, what may be said, and whether this table plays so at all."""
    talking = _talking(context)
    method = Citation("", a.CONSULTATION.id)
    if talking is None:
        bar = context.say("talk-alone")
        return Page(bar, ILLEGAL, answers=(AnswerSection(bar, ILLEGAL, reasons=(method,)),))
    page = _call_page(talking)
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
    free = replace(rules, bid_method=_METHOD, second_round=False, bidding_rule="free", first_bidder="left")
    return replace(context, rules=free)


# May partners exchange cards? ----------------------------------------------------------------------------------------


def _exchange_act(context: Context, verb: str, word: str) -> State | None:
    """Return the state with how many cards go each way; None for any other action."""
    if verb in ("give", "get") and word.isdecimal() and int(word[:2]) <= context.rules.tricks:
        return context.state.put(**{verb: None if context.state.get(verb) == word else word[:2]})
    return None


def _partners(context: Context) -> bool:
    return bool(context.rules.partners)


def _first_side(context: Context) -> str:
    table = table_of(context, -1)
    return _side_name(table, table.sides[0])


def _exchange_page(context: Context) -> Page:
    """Return how many cards go each way by the calls, and whether the numbers entered may be exchanged."""
    rules: SpadesRules = context.rules
    table, state = table_of(context, -1), context.state
    side = _first_side(context)
    if not rules.partners:
        bar = context.say("exchange-none")
        verdict = _exchange_verdict(context, table, (), 1, 1)
        return Page(bar, ILLEGAL, answers=(AnswerSection(bar, ILLEGAL, reasons=reasons_of(verdict)),))
    called = _CALLED.get(state.get("k"))
    if called is None:
        return Page(context.say("exchange-start", name=side))
    give, get = (state.number(name, high=rules.tricks) for name in ("give", "get"))
    allowed = [n for n in range(rules.tricks + 1) if _exchange_verdict(context, table, called, n, n).value == LEGAL]
    most = max(allowed, default=0)
    if give is None and get is None:
        verdict = _exchange_verdict(context, table, called, most or 1, most or 1)
        free = int(0 in allowed)
        bar = context.say("exchange-count", count=most, free=free) if most else context.say("exchange-none")
    else:
        gives, gets = (give if give is not None else get) or 0, (get if get is not None else give) or 0
        verdict = _exchange_verdict(context, table, called, gives, gets)
        bar = context.say(f"exchange-{verdict.value}", give=gives, get=gets)
    later = tuple(
        Prompt(context.say(f"ask-{name}", name=side), (_numbers(context, name, most),)) for name in ("give", "get")
    )
    answer = AnswerSection(bar, verdict.value, reasons=reasons_of(verdict))
    return Page(bar, verdict.value, later=later, answers=(answer,))


def _exchange_verdict(context: Context, table: Table, called: tuple[str, ...], give: int, get: int) -> Verdict:
    moment = context.state.get("o") or "now"
    table = replace(table, rules=replace(table.rules, bid_method="sum", second_round=False))
    words = dict.fromkeys(table.bidders, table.rules.tricks) | dict(
        zip(table.members(table.sides[0]), called, strict=False)
    )
    calls = whole_bidding(table, words)
    position = Position(
        table,
        "play" if moment == "led" else "bidding",
        calls=calls[:-1] if moment == "calls" else calls,
        trick_number=2 if moment == "led" else None,
    )
    return judge_exchange(position, Exchange(table.sides[0], (give, get), {}))


def _called_label(context: Context, word: str) -> Text:
    calls = joined_texts((Term("call", call) for call in _CALLED[word]), " + ")
    return calls if _CALLED[word] else context.say("no-nil")


def _numbers(context: Context, name: str, most: int) -> tuple[Choice, ...]:
    now = context.state.get(name)
    return tuple(Choice(f"{name}:{n}", str(n), str(n) == now) for n in range(min(max(most + 1, 4), 13) + 1))


_CALL: Final = scene(("d", "c", "w", *(f"x{place}" for place in range(4))), _call_page, flags=(DEALER,), act=_call_act)
_CONSULT: Final = scene(
    _CALL.names, _consult_page, act=_consult_act,
    flags=(replace(DEALER, used=lambda context: context.rules.partners and not context.state.get("c")),),
)  # fmt: skip
_EXCHANGE: Final = scene(
    ("k", "o", "give", "get"), _exchange_page, act=_exchange_act,
    flags=(
        Flag(
            "called", _CALLED, "", _called_label, "k",
            text=lambda context: context.say("ask-called", name=_first_side(context)), used=_partners, above=True,
        ),
        Flag(
            "when", ("calls", "now", "led"), "now", "moment", "o",
            text=lambda context: context.say("ask-moment"), used=_partners, above=True, mode=DROP,
        ),
    ),
)  # fmt: skip


def _judged(context: Context, position: dict[str, object], move: dict[str, object]) -> Verdict:
    """Return the verdict on a move. Raises Refused where the position cannot be."""
    return judge(context.rules, Node(position, ("position",)), Node(move, ("move",)))


# Which of these cards may I play? ------------------------------------------------------------------------------------


def _special_first_trick(context: Context) -> bool:
    return bool(context.rules.first_trick != "normal")


def _asks_first(context: Context) -> bool:
    leads = not _laid(context, "t")
    return context.rules.special_first_trick or (context.rules.first_leader == "club_two" and leads)


def _asks_broken(context: Context) -> bool:
    """Whether a verdict can depend on spades having been played: where one of several suits is led."""
    pack, hand = pack_of(context.rules), _laid(context, "h")
    spades = [card for card in hand if pack.is_trump(card)]
    leads = not _laid(context, "t") and spades and len(spades) < len(hand)
    return bool(leads) and not context.rules.lead_spades_anytime and _FIRST.now(context) != "y"


def _places(context: Context) -> tuple[str, ...]:
    return tuple(str(place) for place, _ in enumerate(_seats_of(context)))


def _seat_label(context: Context, place: str) -> Text:
    return _seat_name(_seats_of(context)[int(place)])


_ME: Final = Flag(
    "me",
    lambda context: [str(place) for place, seat in enumerate(_seats_of(context)) if seat != DUMMY],
    lambda context: str(min(2, len(_seats_of(context)) - 1)),
    _seat_label, used=lambda context: bool(context.names), above=True,
)  # fmt: skip
_FIRST: Final = Flag("first", used=_asks_first)
_BROKEN: Final = Flag("broken", ("y", "n", ""), "", used=_asks_broken)
_UNSEEN: Final = Flag("unseen", used=lambda context: bool(context.rules.double_blind_nil))


def _card_page(context: Context) -> Page:
    """Return the hand with a verdict on every card, the reasons, and what must be known where it is open."""
    trick, hand = (_laid(context, name) for name in "th")
    verdicts = _card_verdicts(context, trick, hand)

    def look(card: Card, zone: str) -> Mapping[str, object]:
        if zone != "h":
            return {}
        value = verdicts[card].value
        return {"tone": value, "mark": MARKS[value], "note": context.say(f"may-{value}")}

    by_value = {value: [card for card in in_order(hand) if verdicts[card].value == value] for value in MARKS}
    answers = tuple(
        AnswerSection(
            context.say(f"cards-{value}"),
            value,
            reasons=grouped_reasons({card: verdicts[card] for card in cards}),
            verdict=verdicts[cards[0]],
        )
        for value, cards in by_value.items()
        if cards
    )
    legal, undecided = by_value[LEGAL], by_value[UNDECIDED]
    bar = context.say("card-count", legal=len(legal), open=len(undecided), count=len(hand))
    return Page(
        bar if hand else context.say("card-start"),
        LEGAL if legal else UNDECIDED if undecided or not hand else ILLEGAL,
        slots=_trick_slots(context, trick, int(_ME.now(context)) - len(trick)), answers=answers,
        picker=card_picker(
            context.state, _card_zones(context), _pack(context), ranks=_ranks_of(context), jokers=JOKERS, look=look
        ),
    )  # fmt: skip


def _card_zones(context: Context) -> tuple[Zone, ...]:
    return (
        Zone("h", context.say("my-hand"), context.rules.tricks, context.say("hand-mark"), _copies(context)),
        Zone("t", context.say("trick-so-far"), len(_seats_of(context)) - 1, copies=_copies(context)),
    )


def _card_verdicts(context: Context, trick: tuple[Card, ...], hand: tuple[Card, ...]) -> dict[Card, Verdict]:
    seats, mover = _seats_of(context), int(_ME.now(context))
    first = mover - len(trick)
    position: dict[str, object] = {
        "phase": "play",
        "seats": list(seats),
        "trick": [{"seat": seats[(first + n) % len(seats)], "card": str(card)} for n, card in enumerate(trick)],
        "hand": [str(card) for card in hand],
    }
    if not trick:
        position["leader"] = seats[mover]
    if _FIRST.now(context) == "y":
        position["trick_number"] = 1
    if context.rules.double_blind_nil:
        own = DOUBLE_BLIND_NIL if _UNSEEN.now(context) == "y" else 1
        calls = {seat: own if place == mover else 1 for place, seat in enumerate(seats) if seat != DUMMY}
        position["calls"] = [{"seat": seat, "call": call} for seat, call in calls.items()]
    if _BROKEN.now(context):
        position["spades_broken"] = _BROKEN.now(context) == "y"
    move = {"type": "play", "seat": seats[mover]}
    later = _asks_first(context) and _FIRST.now(context) == "n" and len(hand) < context.rules.tricks
    where = Node(position, ("position",))
    return {
        card: judge(context.rules, where, Node({**move, "card": str(card)}, ("move",)), later=later) for card in hand
    }


def _trick_slots(context: Context, trick: Sequence[Card], leader: int, best: int | None = None) -> tuple[Slot, ...]:
    """Return the trick in the order of play: the cards so far, and whose turn it is."""
    seats, slots = _seats_of(context), []
    for place in range(len(seats)):
        card = trick[place] if place < len(trick) else None
        face = None if card is None else Face(card, f"back:{card}", note=context.say("take-back"))
        seat = seats[(leader + place) % len(seats)]
        slots.append(Slot(_seat_name(seat), face, next=place == len(trick), won=place == best))
    return tuple(slots)


def _take_back(context: Context, verb: str, word: str) -> State | None:
    """Return the state without the last such card of the trick; None for another action."""
    laid = [str(card) for card in reversed(_laid(context, "t"))]
    if verb != "back" or word not in laid:
        return None
    laid.remove(word)
    return context.state.put(t=".".join(reversed(laid)))


# Who wins this trick? -----------------------------------------------------------------------------------------------


_LEADER: Final = Flag("leader", _places, "0", _seat_label)
_TRICK_FIRST: Final = Flag("first", used=_special_first_trick)


def _trick_page(context: Context) -> Page:
    """Return the trick with its winning card, the suit led, and the article that decides (SPADES-034)."""
    rules: SpadesRules = context.rules
    seats, pack, leader = _seats_of(context), pack_of(rules), int(_LEADER.now(context))
    cards = [card for card in _laid(context, "t") if card in pack.cards][: len(seats)]
    if not cards:
        return Page(context.say("trick-start"), slots=_trick_slots(context, cards, leader))
    best = trick_winner(rules, cards, first=_special_first_trick(context) and _TRICK_FIRST.now(context) == "y")
    value, card = LEGAL if len(cards) == len(seats) else "", cards[best]
    bar = context.say(
        "trick-winner" if value else "trick-highest",
        seat=_seat_name(seats[(leader + best) % len(seats)]), card=card_term(card),
    )  # fmt: skip
    why = context.say("trick-why", led=pack.suit(cards[0]), card=card_term(card), trump=int(pack.is_trump(card)))
    answer = AnswerSection(bar, value, (Face(card),), reasons=(Citation(why, a.TRICK_WINNER.id),))
    return Page(bar, value, slots=_trick_slots(context, cards, leader, best), answers=(answer,))


def _trick_zones(context: Context) -> tuple[Zone, ...]:
    return (Zone("t", context.say("trick-so-far"), len(_seats_of(context)), copies=_copies(context)),)


# Was it dealt right? ------------------------------------------------------------------------------------------------


def _dealt_page(context: Context) -> Page:
    """Return the hands against the deal of the table (SPADES-003, 004)."""
    now = context.state.number("d", high=5)
    table = table_of(context, -1 if now is None else now)
    position: dict[str, object] = {"phase": "bidding", "seats": list(table.seats), "dealer": table.dealer}

    def verdict(counts: Mapping[int, int]) -> Verdict:
        by_seat = {seat: counts.get(place, 0) for place, seat in enumerate(table.seats)}
        return _judged(context, position, {"type": "deal", "counts": by_seat})

    def deals(last: str, seat: str) -> Verdict:
        before: dict[str, object] = {"phase": "bidding", "seats": list(table.seats), "previous_dealer": last}
        return _judged(context, before, {"type": "dealer", "seat": seat})

    expected = {
        table.seats.index(breach.facts["seat"]): int(breach.facts["expected"]) for breach in verdict({}).breaches
    }
    labels = [context.say("cards-of", name=_seat_name(seat)) for seat in table.seats]
    check = DealCheck(labels, lambda counts: verdict({**expected, **counts}), expected)
    return dialogue_deal_page(
        context, check, DealerCheck([seat for seat in table.seats if seat in table.bidders], deals)
    )


_CARD: Final = scene(
    ("to", "me", "first", "broken", "unseen", "t", "h"), _card_page,
    flags=(_ME, _UNSEEN, _FIRST, _BROKEN), zones=_card_zones, jokers=JOKERS, act=_take_back,
)  # fmt: skip
_TRICK: Final = scene(
    ("leader", "first", "t"), _trick_page,
    flags=(_LEADER, _TRICK_FIRST), zones=_trick_zones, pack=_pack, ranks=_ranks_of, jokers=JOKERS,
    act=_take_back,
)  # fmt: skip
_DEALT: Final = Question(
    ("b", "d", *COUNTS), lambda context, verb, word: choose_dealer(context.state, verb, word), _dealt_page
)


_NO_CALLS: Final = "-"


@dataclass(frozen=True, slots=True)
class Deal:
    """The deal of the state: its calls, then its plays."""

    table: Table
    bids: Bids
    without_calls: bool
    leader: str | None
    """Who leads first: as entered, else by the rules."""
    plays: tuple[Played, ...]

    @property
    def playing(self) -> bool:
        """Whether the bidding is over, or left out."""
        return self.without_calls or self.bids.over

    @property
    def over(self) -> bool:
        """Whether every card has been played."""
        return len(self.plays) == self.table.rules.tricks * len(self.table.seats)

    @property
    def next(self) -> str:
        """Whose turn it is."""
        return next_to_play(self.table, self.plays, self.leader) or self.table.seats[0]

    def mover(self, context: Context) -> str:
        """Return who plays next: whose turn it is, unless another was named."""
        named = context.state.number("w", high=len(self.table.seats) - 1)
        return self.next if named is None else self.table.seats[named]


def _deal_act(context: Context, verb: str, word: str) -> State | None:
    """Return the state after a card, a call, one of either taken back, or no calls at all; None for other actions."""
    state, deal = context.state, _deal_of(context)
    seats = deal.table.seats
    if verb == "tap":
        read = parse_play(word)
        pack, times = pack_of(context.rules), [one.card for one in deal.plays]
        left = {card for card in pack.cards if times.count(card) < pack.copies}
        if read is None or read[0] not in left or deal.over or not deal.playing:
            return state
        play = format_play(read[0], state.number("w", high=len(seats) - 1))
        return state.put(p=".".join((*state.words("p"), play)), w=None)
    if verb == "who" and deal.playing:
        return _named(state, word, seats, deal.next)
    if verb == "skip":
        return state.put(c=_NO_CALLS)
    if verb == "back":
        return state.put(w=None) if state.get("w") else state.without_last("p" if deal.plays else "c")
    if verb == "call" and deal.playing:
        return state
    return _call_action(context, deal.bids, verb, word)


def _deal_page(context: Context) -> Page:
    """Return the trick on the table, whose turn it is, what was found so far, the tricks and the result."""
    deal = _deal_of(context)
    if not deal.playing:
        return _bidding_page(context, deal)
    replay = follow(_record(context, deal))
    answers, findings, seats = _last_play(context, replay), replay.findings, deal.table.seats
    mover = seats.index(deal.mover(context))
    if findings:
        answers.append(AnswerSection(context.say("findings"), ILLEGAL, reasons=finding_reasons(findings)))
    elif deal.over:
        answers.append(AnswerSection(context.say("no-findings"), LEGAL))
    if replay.facts is not None:
        answers.append(_result(context, deal, replay))
    bar: Text = context.say("deal-over") if deal.over else context.say("deal-next", name=_seat_name(seats[mover]))
    if findings:
        bar = joined_texts((bar, context.say("deal-found", count=len(findings))))
    return Page(
        bar,
        ILLEGAL if findings else LEGAL if deal.over else "",
        said=() if deal.without_calls else _call_chips(context, deal.bids),
        later=() if deal.over else (_who_prompt(context.say("ask-who"), [*map(_seat_name, seats)], mover),),
        slots=_slots(context, deal, replay),
        picker=None if deal.over else _picker(context, deal),
        answers=tuple(answers),
        tables=_tricks(context, replay),
        tools=(Choice("back", context.say("back")),) if deal.plays or deal.bids.calls or deal.without_calls else (),
        facts=replay.result,
        sheet_answers=_sheet_answers(context, replay),
    )  # fmt: skip


def _deal_of(context: Context) -> Deal:
    state = context.state
    table = table_of(context, dealer_of(context))
    bids, without_calls = _bids_of(context, table), state.get("c") == _NO_CALLS
    chosen = state.number("l")
    leaders = opening_leaders(table, None if without_calls else bids.calls)
    leader = next(iter(leaders), None) if chosen is None else table.seats[chosen % len(table.seats)]
    return Deal(table, bids, without_calls, leader, parse_plays(table, state.words("p"), leader))


def _record(context: Context, deal: Deal) -> Record:
    leader = deal.leader if context.state.get("l") else None
    totals = _totals_of(context, deal.table)
    return Record(deal.table, totals, deal.bids.calls, not deal.without_calls, deal.plays, leader)


def _bidding_page(context: Context, deal: Deal) -> Page:
    bids = deal.bids
    asks = _looked_prompts(context, bids)
    asks.append(_call_prompt(context, bids, _call_options(context, bids)))
    tools = [Choice("back", context.say("back"))] if bids.calls else []
    tools.append(Choice("skip", context.say("skip-calls")))
    answers = tuple(
        AnswerSection("", verdict.value, reasons=reasons_of(verdict, partial(remedy_for, context.rules, call)))
        for call, verdict in _judged_calls(context, bids)
        if verdict.value != LEGAL
    )
    return Page(
        context.say("call-start", name=_caller_text(context, bids)), said=_call_chips(context, bids), asks=tuple(asks),
        later=(_caller_prompt(context, bids),), answers=answers, tools=tuple(tools),
    )  # fmt: skip


def _picker(context: Context, deal: Deal) -> Picker:
    """Return the pack; cards that were played show their trick and cannot be tapped."""
    size = len(deal.table.seats)
    cards, copies = [play.card for play in deal.plays], pack_of(context.rules).copies
    gone = {card: place // size + 1 for place, card in enumerate(cards) if cards[: place + 1].count(card) == copies}

    def look(card: Card, zone: str) -> Mapping[str, object]:
        if card not in gone:
            return {}
        return {"do": "", "tone": "gone", "mark": str(gone[card]), "note": context.say("played-in", trick=gone[card])}

    return card_picker(context.state, (), _pack(context), ranks=_ranks_of(context), look=look)


def _slots(context: Context, deal: Deal, replay: Replay) -> tuple[Slot, ...]:
    """Return the trick on the table in the order of the seats, the last full one until the next begins."""
    seats = deal.table.seats
    last = replay.tricks[-1] if deal.plays else None
    on_table = {one.seat: one.card for one in last.plays} if last else {}
    leader = last.plays[0].seat if last else deal.next
    slots = []
    for seat in (leader, *deal.table.after(leader)[:-1]):
        face = Face(on_table[seat]) if seat in on_table else None
        next_here = not deal.over and seat == deal.mover(context)
        slots.append(Slot(_seat_name(seat), face, next_here, last is not None and seat == last.winner))
    return tuple(slots[: len(seats)])


def _last_play(context: Context, replay: Replay) -> list[AnswerSection]:
    """Return what could be said of the last card when it was played."""
    if not replay.record.plays:
        return []
    play, verdict = replay.record.plays[-1], replay.verdicts[-1].verdict
    heading = context.say(f"play-{verdict.value}", name=_seat_name(play.seat), card=card_term(play.card))
    reasons = reasons_of(verdict, partial(remedy_for, context.rules, play))
    return [AnswerSection(heading, verdict.value, faces([play.card]), reasons=reasons, verdict=verdict)]


def _tricks(context: Context, replay: Replay) -> tuple[Grid, ...]:
    """Return the full tricks, the latest first."""
    rows = tuple(
        (str(trick.number), _seat_name(trick.plays[0].seat), faces(one.card for one in trick.plays), _seat_name(winner))
        for trick in reversed(replay.tricks)
        if (winner := trick.winner) is not None
    )
    heads = tuple(context.say(f"head-{name}") for name in ("trick", "leader", "cards", "winner"))
    return (Grid(context.say("tricks"), heads, rows),) if rows else ()


def _result(context: Context, deal: Deal, replay: Replay) -> AnswerSection:
    """Return the deal as a sheet takes it; scored by itself where the calls are known."""
    facts = replay.facts or {}
    texts = tuple(
        context.say("took", name=team_name(side["players"]), tricks=facts[side["id"]]["tricks"])
        for side in replay.sides
    )
    return AnswerSection(
        context.say("result"),
        texts=texts,
        reasons=() if deal.without_calls else (Scoring(replay.sides, replay.result or {}),),
    )


def _sheet_answers(context: Context, replay: Replay) -> dict[str, object]:
    """Return the tricks as answers of the keeper's entry."""
    ids = dict(zip(context.names, context.seat_ids, strict=True))
    answers: dict[str, object] = {}
    for place, side in enumerate(replay.sides):
        facts = (replay.facts or {}).get(side["id"])
        if facts is not None:
            answers[f"t{place}"] = facts["tricks"]
            answers |= {f"n{ids.get(nil['player'], '')}": nil["tricks"] for nil in facts.get("nils", ())}
    return answers


def _opening(context: Context) -> bool:
    return not context.state.get("p") and _deal_of(context).playing


def _opening_leader(context: Context) -> str:
    deal = _deal_of(context)
    return "" if deal.leader is None else str(deal.table.seats.index(deal.leader))


def _deal_seats(context: Context) -> tuple[str, ...]:
    return table_of(context, dealer_of(context)).seats


_DEAL: Final = scene(
    ("d", "l", "c", "p", "w"), _deal_page, act=_deal_act,
    flags=(
        replace(DEALER, used=lambda context: not context.state.get("c") or _opening(context)),
        Flag(
            "leader", lambda context: [str(place) for place, _ in enumerate(_deal_seats(context))],
            _opening_leader,
            lambda context, word: _seat_name(_deal_seats(context)[int(word)]),
            "l", used=_opening, above=True,
        ),
    ),
)  # fmt: skip


QUESTIONS: Mapping[str, Question] = {
    "card": _CARD,
    "call": _CALL,
    "trick": _TRICK,
    "deal": _DEAL,
    "exchange": _EXCHANGE,
    "consult": _CONSULT,
    "dealt": _DEALT,
}

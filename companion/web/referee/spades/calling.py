"""Calls in the address and on buttons: whose turn it is, every call that this table plays, and its verdict."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from companion.engine.verdict import Verdict
from companion.games.spades.calls import Bids
from companion.games.spades.rules import SpadesRules
from companion.games.spades.table import BLIND, BLIND_MOON, MOON, NIL_CALLS, NORMAL, PASS, Call, Table
from companion.web.referee.asking import Asking
from companion.web.referee.shown import ILLEGAL, UNDECIDED, Ask, Choice
from companion.web.referee.spades.table import call_text, judged, seat_name
from companion.web.referee.state import State

WORDS = (*NIL_CALLS, MOON, BLIND_MOON, PASS)
MOST_CALLS = 16
_TONES = {ILLEGAL: "odd", UNDECIDED: "open"}


@dataclass(frozen=True, slots=True)
class Calling:
    """The bidding as the address tells it."""

    asking: Asking
    table: Table
    calls: tuple[Call, ...]

    @property
    def bids(self) -> Bids:
        """The calls so far."""
        return Bids(self.table, self.calls)

    @property
    def over(self) -> bool:
        """Whether everybody has called."""
        return self.bids.over

    def who(self, told: str = "") -> tuple[str | None, str]:
        """The seat and the side that call next, or those told by their place; no seat where partners announce."""
        bids, table = self.bids, self.table
        callers = self.callers
        if told.isdecimal() and len(told) == 1 and int(told) < len(callers):
            named = callers[int(told)]
            return (None, named) if bids.by_sides else (named, table.side(named))
        if bids.by_sides:
            dealers = table.side(table.dealer or table.seats[0])
            order = [*(side for side in table.sides if side != dealers), dealers]
            return None, next((side for side in order if not bids.complete(side)), dealers)
        seat = next(iter(bids.next_seats()[0]), table.bidders[0])
        return seat, table.side(seat)

    @property
    def callers(self) -> tuple[str, ...]:
        """Everybody who calls: seats, or sides where partners announce together."""
        return self.table.sides if self.bids.by_sides else self.table.bidders

    @property
    def mover(self) -> tuple[str | None, str]:
        """Who makes the next call: whose turn it is, unless another was named."""
        return self.who(self.asking.state.get("w"))

    def verdict(self, call: Call, *, before: int | None = None) -> Verdict:
        """What the judge says of a call after the calls before it."""
        earlier = self.calls if before is None else self.calls[:before]
        position: dict[str, object] = {
            "phase": "bidding",
            "seats": list(self.table.seats),
            "dealer": self.table.dealer,
            "calls": [as_json(one) for one in earlier],
            "totals": totals(self.asking, self.table),
        }
        return judged(self.asking, position, {"type": "call", **as_json(call)})


def calling(asking: Asking, table: Table) -> Calling:
    """The calls of the state, each given to whose turn it was."""
    found = Calling(asking, table, ())
    for word in asking.state.words("c")[:MOST_CALLS]:
        call = read_call(found, word)
        if call is not None and not found.over:
            found = Calling(asking, table, (*found.calls, call))
    return found


def read_call(at: Calling, word: str) -> Call | None:
    """The call that a word of the address stands for: `5`, `nil`, `nil@2` for that seat, `double_nil-n` unseen.

    `5*2` is a call of the third seat, or of the third side where partners announce together, out of turn.
    """
    spoken, _, looked = word.partition("-")
    spoken, _, caller_place = spoken.partition("*")
    spoken, _, place = spoken.partition("@")
    seat, side = at.who(caller_place)
    if place.isdecimal() and len(place) == 1 and at.bids.by_sides:
        members = at.table.members(side)
        seat = members[int(place) % len(members)]
    told = {"y": True, "n": False}.get(looked)
    if spoken.isascii() and spoken.isdecimal() and len(spoken) < 3:
        return Call(NORMAL, int(spoken), seat, side, told)
    blind = spoken.removeprefix("blind_")
    if blind != spoken and blind.isascii() and blind.isdecimal() and len(blind) < 3:
        return Call(BLIND, int(blind), seat, side, told)
    return Call(spoken, None, seat, side, told) if spoken in WORDS else None


def add_call(at: Calling, word: str) -> State:
    """The state with one call more."""
    state = at.asking.state
    if at.over or read_call(at, word) is None or len(state.words("c")) >= MOST_CALLS:
        return state
    who = state.get("w")
    return state.put(c=".".join((*state.words("c"), f"{word}*{who}" if who else word)), w=None)


def name_caller(at: Calling, word: str) -> State:
    """The state with somebody else as the next caller, who is not in turn."""
    if not (word.isdecimal() and int(word[:1]) < len(at.callers)):
        return at.asking.state
    return at.asking.state.put(w=None if at.who(word[:1]) == at.who() else word[:1])


def who_ask(at: Calling) -> Ask:
    """Who makes the next call, should it be somebody who is not in turn."""
    choices = tuple(
        Choice(f"who:{n}", " & ".join(at.table.members(one)) if at.bids.by_sides else seat_name(at.asking, one),
               at.who(str(n)) == at.mover)
        for n, one in enumerate(at.callers)
    )  # fmt: skip
    return Ask(at.asking.say("ask-who-called"), (choices,))


def look(state: State, word: str) -> State:
    """The state with the last call made before or after looking."""
    words = state.words("c")
    if not words or word not in ("y", "n", ""):
        return state
    last = words[-1].partition("-")[0] + (f"-{word}" if word else "")
    return state.put(c=".".join((*words[:-1], last)))


def options(at: Calling) -> dict[str, tuple[Call, Verdict]]:
    """Every call that this table plays, by its word in the address, with the verdict on it."""
    rules: SpadesRules = at.asking.rules
    bids = at.bids
    second = not bids.by_sides and bids.next_seats()[1] == 2
    words = [str(number) for number in range(rules.tricks + 1)]
    if second:
        words.append(PASS)
    else:
        nils = zip(NIL_CALLS, (rules.nil, rules.double_nil, rules.double_blind_nil), strict=True)
        names = [word for word, played in nils if played]
        members = at.table.members(at.mover[1])
        words += [f"{word}@{n}" for n in range(len(members)) for word in names] if bids.by_sides else names
        if rules.blind_bid:
            words += [f"blind_{number}" for number in range(rules.blind_bid_min, rules.tricks + 1)]
        words += [word for word, played in ((MOON, rules.moon), (BLIND_MOON, rules.blind_moon)) if played]
    found = {}
    told = at.asking.state.get("w")
    for word in words:
        call = read_call(at, f"{word}*{told}" if told else word)
        if call is not None:
            found[word] = (call, at.verdict(call))
    return found


def call_ask(at: Calling, possible: Mapping[str, tuple[Call, Verdict]]) -> Ask:
    """The question for the next call: numbers in a grid, words apart, what the rules would not have marked."""
    asking = at.asking
    numbers: list[Choice] = []
    others: list[Choice] = []
    for word, (call, verdict) in possible.items():
        label = call_text(asking, call.spoken)
        if "@" in word:
            label = f"{call.seat}: {label}"
        tone = _TONES.get(verdict.value, "")
        note = asking.say(f"may-{verdict.value}") if tone else ""
        choice = Choice(f"call:{word}", label, False, tone, note)
        (numbers if word.isdecimal() else others).append(choice)
    return Ask(asking.say("ask-call", name=caller(at)), (tuple(numbers), tuple(others)), numbers=True)


def caller(at: Calling) -> str:
    """Who calls next, by name."""
    seat, side = at.mover
    return seat_name(at.asking, seat) if seat else " & ".join(at.table.members(side))


def called(at: Calling) -> tuple[Choice, ...]:
    """The calls so far, each with its verdict."""
    chips = []
    for place, call in enumerate(at.calls):
        verdict = at.verdict(call, before=place)
        name = call.seat or " & ".join(at.table.members(call.side or ""))
        text = f"{name} {call_text(at.asking, call.spoken)}"
        tone = _TONES.get(verdict.value, "")
        chips.append(Choice("", text, False, tone, at.asking.say(f"may-{verdict.value}") if tone else ""))
    return tuple(chips)


def looked_ask(at: Calling) -> Ask | None:
    """Whether the last caller had looked, where the call must be blind."""
    if not at.calls or not at.calls[-1].blind:
        return None
    call, asking = at.calls[-1], at.asking
    now = {True: "y", False: "n", None: ""}[call.looked]
    choices = tuple(
        Choice(f"looked:{word}", asking.say(f"answer-{word or 'open'}"), word == now) for word in ("n", "y", "")
    )
    name = call.seat or " & ".join(at.table.members(call.side or ""))
    return Ask(asking.say("ask-looked", name=name), (choices,))


def as_json(call: Call) -> dict[str, Any]:
    """A call in the shape of a request."""
    who = {"seat": call.seat} if call.seat is not None else {"side": call.side}
    if call.seat is not None and call.side is not None and call.side != call.seat:
        who["side"] = call.side
    looked = {} if call.looked is None else {"looked": call.looked}
    return {**who, "call": call.spoken, **looked}


def behind(asking: Asking, table: Table) -> dict[str, int]:
    """How many points each side is behind the best, as entered or as the sheet says."""
    sheet = [asking.totals.get(place, 0) for place in range(len(table.sides))]
    told = {}
    for place, side in enumerate(table.sides):
        entered = asking.state.number(f"x{place}", high=9_999)
        told[side] = max(sheet) - sheet[place] if entered is None else entered
    return told


def totals(asking: Asking, table: Table) -> dict[str, int]:
    """Totals that give these distances: the best side stands at nothing."""
    return {side: -points for side, points in behind(asking, table).items()}

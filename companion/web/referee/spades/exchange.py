"""May partners exchange cards, and how many? What their side called decides, and how far the deal has gone."""

from __future__ import annotations

from companion.engine.verdict import ILLEGAL, LEGAL, Verdict
from companion.games.spades.rules import SpadesRules
from companion.games.spades.table import DOUBLE_BLIND_NIL, DOUBLE_NIL, NIL, PASS, Call, Table
from companion.web.referee.asking import Asking, Question
from companion.web.referee.faces import reasons
from companion.web.referee.shown import Answer, Ask, Choice, Page
from companion.web.referee.spades.calling import Calling, as_json, read_call
from companion.web.referee.spades.table import call_text, judged, table_of
from companion.web.referee.state import State

CALLED: dict[str, tuple[str, ...]] = {
    "nil": (NIL,),
    "double": (DOUBLE_NIL,),
    "both": (NIL, DOUBLE_NIL),
    "unseen": (DOUBLE_BLIND_NIL,),
    "none": (),
}
"""What the two partners called, by its word in the address; the other calls are numbers."""
MOMENTS = ("calls", "now", "led")
MOST_CALLS = 16
LOW_BID = "3"


def act(asking: Asking, verb: str, word: str) -> State:
    """What was called, how many cards go each way, how far the deal has gone."""
    state = asking.state
    if verb == "called" and word in CALLED:
        return state.put(k=word)
    if verb == "when" and word in MOMENTS:
        return state.put(o=None if word == "now" else word)
    if verb in ("give", "get") and word.isdecimal() and int(word[:2]) <= asking.rules.tricks:
        return state.put(**{verb: None if state.get(verb) == word else word[:2]})
    return state


def page(asking: Asking) -> Page:
    """How many cards go each way by the calls; with numbers told, whether these may be exchanged."""
    rules: SpadesRules = asking.rules
    table, state = table_of(asking, -1), asking.state
    side = " & ".join(table.members(table.sides[0]))
    if not rules.partners:
        verdict = _verdict(asking, table, (), 1, 1)
        bar = asking.say("exchange-none")
        return Page(bar, ILLEGAL, answers=(Answer(bar, ILLEGAL, reasons=reasons(asking, verdict)),))
    called = CALLED.get(state.get("k"))
    asks = [_called_ask(asking, side), _moment_ask(asking)]
    if called is None:
        return Page(asking.say("exchange-start", name=side), asks=tuple(asks))
    give, get = (state.number(name, high=rules.tricks) for name in ("give", "get"))
    counts = [n for n in range(rules.tricks + 1) if _verdict(asking, table, called, n, n).value == LEGAL]
    if give is None and get is None:
        most = max(counts, default=0)
        verdict = _verdict(asking, table, called, most or 1, most or 1)
        bar = asking.say("exchange-count", count=most, free=int(0 in counts)) if most else asking.say("exchange-none")
    else:
        each = (give if give is not None else get, get if get is not None else give)
        verdict = _verdict(asking, table, called, each[0] or 0, each[1] or 0)
        bar = asking.say(f"exchange-{verdict.value}", give=each[0] or 0, get=each[1] or 0)
    answers = (Answer(bar, verdict.value, reasons=reasons(asking, verdict)),)
    later = tuple(
        Ask(asking.say(f"ask-{name}", name=side), (_numbers(asking, name, max(counts, default=0)),))
        for name in ("give", "get")
    )
    return Page(bar, verdict.value, asks=tuple(asks), later=later, answers=answers)


def _verdict(asking: Asking, table: Table, called: tuple[str, ...], give: int, get: int) -> Verdict:
    moment = asking.state.get("o") or "now"
    calls = _calls(asking, table, called) if table.rules.partners else ()
    position: dict[str, object] = {
        "phase": "play" if moment == "led" else "bidding",
        "seats": list(table.seats),
        "dealer": table.dealer,
        "calls": [as_json(call) for call in (calls[:-1] if moment == "calls" else calls)],
    }
    if moment == "led":
        position["trick_number"] = 2
    return judged(asking, position, {"type": "exchange", "side": table.sides[0], "counts": [give, get]})


def _calls(asking: Asking, table: Table, called: tuple[str, ...]) -> tuple[Call, ...]:
    """A whole bidding in which the first side called this, and everybody else a low number."""
    members = table.members(table.sides[0])
    waiting = dict(zip(members, called, strict=False))
    at = Calling(asking, table, ())
    while not at.over and len(at.calls) < MOST_CALLS:
        seat, side = at.who()
        word = LOW_BID
        if seat is None and side == table.sides[0] and waiting:
            member = next(iter(waiting))
            word = f"{waiting.pop(member)}@{members.index(member)}"
        elif seat in waiting:
            word = waiting.pop(seat)
        elif at.bids.next_seats()[1] == 2 and not at.bids.by_sides:
            word = PASS
        call = read_call(at, word)
        if call is None:
            break
        at = Calling(asking, table, (*at.calls, call))
    return at.calls


def _called_ask(asking: Asking, side: str) -> Ask:
    now = asking.state.get("k")
    choices = []
    for word, calls in CALLED.items():
        label = " + ".join(call_text(asking, call) for call in calls) if calls else asking.say("no-nil")
        choices.append(Choice(f"called:{word}", label, word == now))
    return Ask(asking.say("ask-called", name=side), (tuple(choices),))


def _moment_ask(asking: Asking) -> Ask:
    now = asking.state.get("o") or "now"
    choices = tuple(Choice(f"when:{word}", asking.say(f"moment-{word}"), word == now) for word in MOMENTS)
    return Ask(asking.say("ask-moment"), (choices,))


def _numbers(asking: Asking, name: str, most: int) -> tuple[Choice, ...]:
    now = asking.state.get(name)
    return tuple(Choice(f"{name}:{n}", str(n), str(n) == now) for n in range(min(max(most + 1, 4), 13) + 1))


QUESTION = Question(("k", "o", "give", "get"), act, page)

"""Which of these cards may I play? The trick so far and the hand, tapped; every card judged."""

from __future__ import annotations

from companion.engine.cards import Card
from companion.engine.verdict import Verdict
from companion.games.spades.rules import SpadesRules
from companion.games.spades.table import DUMMY, SPADES, pack_of
from companion.web.referee.asking import Asking, Question
from companion.web.referee.faces import face, grouped
from companion.web.referee.picking import Zone, go_to, in_order, picker, tap
from companion.web.referee.shown import ILLEGAL, LEGAL, UNDECIDED, Answer, Ask, Choice, Face, Page, Slot
from companion.web.referee.spades.table import JOKER_WORDS, judged, pack_cards, ranks_of, seat_name, seats_of
from companion.web.referee.state import State

MARKS = {LEGAL: "✓", ILLEGAL: "✕", UNDECIDED: "?"}


def act(asking: Asking, verb: str, word: str) -> State:
    """A tapped card, another place for cards, an answer on the first trick or on spades."""
    state, zones = asking.state, _zones(asking)
    if verb == "tap":
        return tap(state, zones, word, jokers=JOKER_WORDS)
    if verb == "to":
        return go_to(state, zones, word)
    if verb == "me" and word.isdecimal():
        return state.put(me=word[:1])
    if verb in ("first", "broken", "unseen") and word in ("y", "n", ""):
        return state.put(**{verb: word})
    return state


def page(asking: Asking) -> Page:
    """The hand with a verdict on every card, the reasons, and what must be known where it is open."""
    state, rules = asking.state, asking.rules
    trick, hand = (state.cards(name, jokers=JOKER_WORDS) for name in ("t", "h"))
    verdicts = _verdicts(asking, trick, hand)

    def look(card: Card, zone: str) -> dict[str, object]:
        if zone != "h":
            return {}
        value = verdicts[card].value
        return {"tone": value, "mark": MARKS[value], "note": asking.say(f"may-{value}")}

    by_value = {value: [card for card in in_order(hand) if verdicts[card].value == value] for value in MARKS}
    answers = []
    for value, cards in by_value.items():
        if cards:
            found = grouped(asking, {card: verdicts[card] for card in cards})
            answers.append(Answer(asking.say(f"cards-{value}"), value, reasons=found))
    bar = asking.say("card-count", legal=len(by_value[LEGAL]), open=len(by_value[UNDECIDED]), count=len(hand))
    if not hand:
        bar = asking.say("card-start")
    return Page(
        bar,
        LEGAL if by_value[LEGAL] else UNDECIDED if by_value[UNDECIDED] or not hand else ILLEGAL,
        asks=_me_ask(asking),
        later=tuple(_asks(asking, trick, hand)),
        slots=_slots(asking, trick),
        picker=picker(
            asking, _zones(asking), pack_cards(rules), ranks=ranks_of(rules), jokers=JOKER_WORDS, look=look
        ),
        answers=tuple(answers),
    )  # fmt: skip


def _zones(asking: Asking) -> tuple[Zone, ...]:
    rules: SpadesRules = asking.rules
    others = len(seats_of(asking)) - 1
    return (
        Zone("h", asking.say("my-hand"), rules.tricks, asking.say("hand-mark")),
        Zone("t", asking.say("trick-so-far"), others),
    )


def _mover(asking: Asking) -> int:
    """The mover's place: South where the page gives the names, else whoever was chosen."""
    count = len(seats_of(asking))
    chosen = asking.state.number("me")
    return min(2, count - 1) if chosen is None else chosen % count


def _verdicts(asking: Asking, trick: tuple[Card, ...], hand: tuple[Card, ...]) -> dict[Card, Verdict]:
    state, seats, mover = asking.state, seats_of(asking), _mover(asking)
    first = mover - len(trick)
    position: dict[str, object] = {
        "phase": "play",
        "seats": list(seats),
        "trick": [{"seat": seats[(first + n) % len(seats)], "card": str(card)} for n, card in enumerate(trick)],
        "hand": [str(card) for card in hand],
    }
    if not trick:
        position["leader"] = seats[mover]
    if state.get("first") == "y":
        position["trick_number"] = 1
    if state.get("unseen") == "y" and asking.rules.double_blind_nil:
        calls = {seat: "double_blind_nil" if place == mover else 1 for place, seat in enumerate(seats) if seat != DUMMY}
        position["calls"] = [{"seat": seat, "call": call} for seat, call in calls.items()]
    if state.get("broken"):
        position["spades_broken"] = state.get("broken") == "y"
    move = {"type": "play", "seat": seats[mover]}
    return {card: judged(asking, position, {**move, "card": str(card)}) for card in hand}


def _slots(asking: Asking, trick: tuple[Card, ...]) -> tuple[Slot, ...]:
    """The trick as it lies: who led, who followed, and the mover's empty place."""
    seats, mover = seats_of(asking), _mover(asking)
    slots = []
    for place in range(len(seats)):
        seat = (mover - len(trick) + place) % len(seats)
        drawn: Face | None = None
        if place < len(trick):
            card = trick[place]
            drawn = face(asking, card, do=f"tap:{card}", note=asking.say("take-back"))
        slots.append(Slot(seat_name(asking, seats[seat]), drawn, next=place == len(trick)))
    return tuple(slots)


def _me_ask(asking: Asking) -> tuple[Ask, ...]:
    """Whose hand it is, where a sheet gives the names."""
    if not asking.names:
        return ()
    mover = _mover(asking)
    chairs = [(place, seat) for place, seat in enumerate(seats_of(asking)) if seat != DUMMY]
    return (Ask(asking.say("ask-me"), (tuple(Choice(f"me:{place}", seat, place == mover) for place, seat in chairs),)),)


def _asks(asking: Asking, trick: tuple[Card, ...], hand: tuple[Card, ...]) -> list[Ask]:
    """The questions on which the verdicts can hang: the first trick where it is special, spades where one may lead."""
    rules: SpadesRules = asking.rules
    asks = []
    if rules.double_blind_nil:
        asks.append(_yes_no(asking, "unseen"))
    special = rules.first_trick != "normal" or (rules.first_leader == "club_two" and not trick)
    if special:
        asks.append(_yes_no(asking, "first"))
    pack = pack_of(rules)
    spades = [card for card in hand if pack.suit(card) == SPADES]
    leads = not trick and spades and len(spades) < len(hand) and not rules.lead_spades_anytime
    if leads and asking.state.get("first") != "y":
        asks.append(_yes_no(asking, "broken"))
    return asks


def _yes_no(asking: Asking, name: str) -> Ask:
    answers = ("y", "n", "") if name == "broken" else ("y", "n")
    now = asking.state.get(name) or answers[-1]
    choices = [Choice(f"{name}:{word}", asking.say(f"answer-{word or 'open'}"), now == word) for word in answers]
    return Ask(asking.say(f"ask-{name}"), (tuple(choices),))


QUESTION = Question(("to", "me", "first", "broken", "unseen", "t", "h"), act, page)

"""Questions about cards: which of these may I play, who wins this trick, was it dealt right?"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from companion.engine.cards import Card
from companion.engine.dialogue import (
    COUNTS,
    MARKS,
    AnswerSection,
    Choice,
    Citation,
    Context,
    DealCheck,
    DealerCheck,
    Face,
    Page,
    Phrase,
    Picker,
    Prompt,
    Question,
    Slot,
    State,
    Zone,
    card_picker,
    card_term,
    choose_dealer,
    deal_page,
    go_to,
    grouped_reasons,
    in_order,
    tap,
)
from companion.engine.problems import Node
from companion.engine.verdict import ILLEGAL, LEGAL, UNDECIDED, Verdict
from companion.games.spades import articles as a
from companion.games.spades.asks.seats import ranks_of, seat_name, seats_of, table_of
from companion.games.spades.deal import judge
from companion.games.spades.rules import SpadesRules
from companion.games.spades.table import DOUBLE_BLIND_NIL, DUMMY, JOKERS, pack_of
from companion.games.spades.tricks import trick_winner


def judged(context: Context, position: dict[str, object], move: dict[str, object]) -> Verdict:
    """Return the verdict on a move. Raises Refused where the position cannot be."""
    return judge(context.rules, Node(position, ("position",)), Node(move, ("move",)))


# Which of these cards may I play? ------------------------------------------------------------------------------------


def card_act(context: Context, verb: str, word: str) -> State:
    """Return the state after a tapped card, another zone, or an answer on the first trick or on spades."""
    state, zones = context.state, _card_zones(context)
    if verb == "tap":
        return tap(state, zones, word, jokers=JOKERS)
    if verb == "to":
        return go_to(state, zones, word)
    if verb == "me" and word.isdecimal():
        return state.put(me=word[:1])
    if verb in ("first", "broken", "unseen") and word in ("y", "n", ""):
        return state.put(**{verb: word})
    return state


def card_page(context: Context) -> Page:
    """Return the hand with a verdict on every card, the reasons, and what must be known where it is open."""
    rules: SpadesRules = context.rules
    trick, hand = (context.state.cards(name, jokers=JOKERS) for name in ("t", "h"))
    verdicts = _card_verdicts(context, trick, hand)

    def look(card: Card, zone: str) -> Mapping[str, object]:
        if zone != "h":
            return {}
        value = verdicts[card].value
        return {"tone": value, "mark": MARKS[value], "note": context.say(f"may-{value}")}

    by_value = {value: [card for card in in_order(hand) if verdicts[card].value == value] for value in MARKS}
    answers = tuple(
        AnswerSection(
            context.say(f"cards-{value}"), value, reasons=grouped_reasons({card: verdicts[card] for card in cards})
        )
        for value, cards in by_value.items()
        if cards
    )
    legal, undecided = by_value[LEGAL], by_value[UNDECIDED]
    bar = context.say("card-count", legal=len(legal), open=len(undecided), count=len(hand))
    picker = card_picker(
        context.state, _card_zones(context), pack_of(rules).cards, ranks=ranks_of(rules), jokers=JOKERS, look=look
    )
    return Page(
        bar if hand else context.say("card-start"),
        LEGAL if legal else UNDECIDED if undecided or not hand else ILLEGAL,
        asks=_mover_prompts(context), later=tuple(_card_prompts(context, trick, hand)),
        slots=_card_slots(context, trick), picker=picker, answers=answers,
    )  # fmt: skip


def _card_zones(context: Context) -> tuple[Zone, ...]:
    rules: SpadesRules = context.rules
    others = len(seats_of(context)) - 1
    return (
        Zone("h", context.say("my-hand"), rules.tricks, context.say("hand-mark")),
        Zone("t", context.say("trick-so-far"), others),
    )


def _mover(context: Context) -> int:
    """Return the index of the mover's seat: as chosen, else South."""
    count = len(seats_of(context))
    chosen = context.state.number("me")
    return min(2, count - 1) if chosen is None else chosen % count


def _card_verdicts(context: Context, trick: tuple[Card, ...], hand: tuple[Card, ...]) -> dict[Card, Verdict]:
    state, seats, mover = context.state, seats_of(context), _mover(context)
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
    if context.rules.double_blind_nil:
        own = DOUBLE_BLIND_NIL if state.get("unseen") == "y" else 1
        calls = {seat: own if place == mover else 1 for place, seat in enumerate(seats) if seat != DUMMY}
        position["calls"] = [{"seat": seat, "call": call} for seat, call in calls.items()]
    if state.get("broken"):
        position["spades_broken"] = state.get("broken") == "y"
    move = {"type": "play", "seat": seats[mover]}
    return {card: judged(context, position, {**move, "card": str(card)}) for card in hand}


def _card_slots(context: Context, trick: tuple[Card, ...]) -> tuple[Slot, ...]:
    """Return the trick in order: who led, who followed, and the mover's empty place."""
    seats, mover = seats_of(context), _mover(context)
    slots = []
    for place in range(len(seats)):
        seat = seats[(mover - len(trick) + place) % len(seats)]
        face = Face(trick[place], f"tap:{trick[place]}", note=context.say("take-back")) if place < len(trick) else None
        slots.append(Slot(seat_name(seat), face, next=place == len(trick)))
    return tuple(slots)


def _mover_prompts(context: Context) -> tuple[Prompt, ...]:
    """Return the question whose hand it is, where a sheet gives the names."""
    if not context.names:
        return ()
    mover = _mover(context)
    seats = [(place, seat) for place, seat in enumerate(seats_of(context)) if seat != DUMMY]
    return (
        Prompt(context.say("ask-me"), (tuple(Choice(f"me:{place}", seat, place == mover) for place, seat in seats),)),
    )


def _card_prompts(context: Context, trick: tuple[Card, ...], hand: tuple[Card, ...]) -> Iterator[Prompt]:
    """Yield the questions on which verdicts can depend: a special first trick, spades where one may lead."""
    rules: SpadesRules = context.rules
    if rules.double_blind_nil:
        yield _yes_no(context, "unseen")
    if rules.first_trick != "normal" or (rules.first_leader == "club_two" and not trick):
        yield _yes_no(context, "first")
    pack = pack_of(rules)
    spades = [card for card in hand if pack.is_trump(card)]
    leads = not trick and spades and len(spades) < len(hand) and not rules.lead_spades_anytime
    if leads and context.state.get("first") != "y":
        yield _yes_no(context, "broken")


def _yes_no(context: Context, name: str) -> Prompt:
    words = ("y", "n", "") if name == "broken" else ("y", "n")
    now = context.state.get(name) or words[-1]
    choices = tuple(Choice(f"{name}:{word}", context.say(f"answer-{word or 'open'}"), now == word) for word in words)
    return Prompt(context.say(f"ask-{name}"), (choices,))


# Who wins this trick? -----------------------------------------------------------------------------------------------


def trick_act(context: Context, verb: str, word: str) -> State:
    """Return the state after a tapped card, another leader, or an answer on the first trick."""
    state = context.state
    if verb == "tap":
        return tap(state, _trick_zones(context), word, jokers=JOKERS)
    if verb == "leader" and word.isdecimal() and int(word) < len(seats_of(context)):
        return state.put(leader=word)
    if verb == "first" and word in ("y", "n"):
        return state.put(first=word)
    return state


def trick_page(context: Context) -> Page:
    """Return the trick with its winning card, the suit led, and the article that decides (SPADES-034)."""
    rules: SpadesRules = context.rules
    seats, state = seats_of(context), context.state
    cards = [card for card in state.cards("t", jokers=JOKERS) if card in pack_of(rules).cards][: len(seats)]
    leader = (state.number("leader") or 0) % len(seats)
    order = [seats[(leader + place) % len(seats)] for place in range(len(seats))]
    special = rules.first_trick != "normal"
    best = trick_winner(rules, cards, first=special and state.get("first") == "y") if cards else None
    slots = tuple(
        Slot(
            seat_name(seat),
            Face(cards[place], f"tap:{cards[place]}", note=context.say("take-back")) if place < len(cards) else None,
            next=place == len(cards),
            won=place == best,
        )
        for place, seat in enumerate(order)
    )
    leaders = tuple(Choice(f"leader:{place}", seat_name(seat), place == leader) for place, seat in enumerate(seats))
    prompts = [Prompt(context.say("ask-leader"), (leaders,))]
    if special:
        now = state.get("first") or "n"
        choices = tuple(Choice(f"first:{word}", context.say(f"answer-{word}"), now == word) for word in ("y", "n"))
        prompts.append(Prompt(context.say("ask-first"), (choices,)))
    if best is None:
        return Page(context.say("trick-start"), later=tuple(prompts), slots=slots, picker=_trick_picker(context))
    value = LEGAL if len(cards) == len(seats) else ""
    bar = _trick_bar(context, order[best], cards[best], full=bool(value))
    pack = pack_of(rules)
    why = context.say(
        "trick-why", led=pack.suit(cards[0]), card=card_term(cards[best]), trump=int(pack.is_trump(cards[best]))
    )
    answer = AnswerSection(bar, value, (Face(cards[best]),), reasons=(Citation(why, a.TRICK_WINNER.id),))
    return Page(bar, value, later=tuple(prompts), slots=slots, picker=_trick_picker(context), answers=(answer,))


def _trick_bar(context: Context, seat: str, card: Card, *, full: bool) -> Phrase:
    return context.say("trick-winner" if full else "trick-highest", seat=seat_name(seat), card=card_term(card))


def _trick_zones(context: Context) -> tuple[Zone, ...]:
    return (Zone("t", context.say("trick-so-far"), len(seats_of(context))),)


def _trick_picker(context: Context) -> Picker:
    rules: SpadesRules = context.rules
    zones = _trick_zones(context)
    return card_picker(context.state, zones, pack_of(rules).cards, ranks=ranks_of(rules), jokers=JOKERS)


# Was it dealt right? ------------------------------------------------------------------------------------------------


def dealt_act(context: Context, verb: str, word: str) -> State:
    """Return the state with the last dealer, or with who deals now."""
    return choose_dealer(context.state, verb, word)


def dealt_page(context: Context) -> Page:
    """Return the hands against the deal of the table (SPADES-003, 004)."""
    now = context.state.number("d", high=5)
    table = table_of(context, -1 if now is None else now)
    position: dict[str, object] = {"phase": "bidding", "seats": list(table.seats), "dealer": table.dealer}

    def verdict(counts: Mapping[int, int]) -> Verdict:
        by_seat = {seat: counts.get(place, 0) for place, seat in enumerate(table.seats)}
        return judged(context, position, {"type": "deal", "counts": by_seat})

    def deals(last: str, seat: str) -> Verdict:
        before: dict[str, object] = {"phase": "bidding", "seats": list(table.seats), "previous_dealer": last}
        return judged(context, before, {"type": "dealer", "seat": seat})

    expected = {
        table.seats.index(breach.facts["seat"]): int(breach.facts["expected"]) for breach in verdict({}).breaches
    }
    labels = [context.say("cards-of", name=seat_name(seat)) for seat in table.seats]
    check = DealCheck(labels, lambda counts: verdict({**expected, **counts}), expected)
    return deal_page(context, check, DealerCheck([seat for seat in table.seats if seat in table.bidders], deals))


CARD: Final = Question(("to", "me", "first", "broken", "unseen", "t", "h"), card_act, card_page)
TRICK: Final = Question(("leader", "first", "t"), trick_act, trick_page)
DEALT: Final = Question(("b", "d", *COUNTS), dealt_act, dealt_page)

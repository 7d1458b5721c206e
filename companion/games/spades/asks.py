"""The referee's questions about Spades: who wins a trick, whether it was dealt right."""

from __future__ import annotations

from collections.abc import Mapping

from companion.engine.cards import Card
from companion.engine.dealing import COUNTS, DealCheck, DealerCheck, choose_dealer, deal_page
from companion.engine.dialogue import (
    Answer,
    Choice,
    Citation,
    Context,
    Face,
    Message,
    Page,
    Picker,
    Prompt,
    Question,
    Slot,
    Term,
    Text,
    card_term,
)
from companion.engine.picking import ACE_HIGH, Zone, card_picker, tap
from companion.engine.reading import Node
from companion.engine.state import State
from companion.engine.verdict import LEGAL, Verdict
from companion.games.spades import articles as a
from companion.games.spades.deal import judge
from companion.games.spades.play import trick_winner
from companion.games.spades.rules import SpadesRules
from companion.games.spades.table import DUMMY, JOKERS, Table, pack_of

_SEATS = {"partners4": 4, "solo4": 4, "solo3": 3, "duo_draw": 2, "duo_dummy": 2}


# What all questions share --------------------------------------------------------------------------------------------


def seats_of(context: Context) -> tuple[str, ...]:
    """Return the seats clockwise by name; the dummy is where the rules put it."""
    rules: SpadesRules = context.rules
    names = context.seats(_SEATS[rules.mode])
    return (names[0], DUMMY, names[1]) if rules.mode == "duo_dummy" else names


def table_of(context: Context, dealer: int | None = None) -> Table:
    """Return the table; `dealer` is the index of the dealer's seat, where it is known."""
    seats = seats_of(context)
    return Table(context.rules, seats, None if dealer is None else seats[dealer % len(seats)])


def ranks_of(rules: SpadesRules) -> tuple[str, ...]:
    """Return the ranks in the order of their strength, the highest first."""
    return ("2", *ACE_HIGH[:-1]) if rules.trump_order == "deuce_high" else ACE_HIGH


def judged(context: Context, position: dict[str, object], move: dict[str, object]) -> Verdict:
    """Return the verdict on a move. Raises Refused where the position cannot be."""
    return judge(context.rules, Node(position, ("position",)), Node(move, ("move",)))


def seat_name(seat: str) -> Text:
    """Return a seat as it is shown."""
    return Term("seat-name", DUMMY) if seat == DUMMY else seat


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
    answer = Answer(bar, value, (Face(cards[best]),), reasons=(Citation(why, a.TRICK_WINNER.id),))
    return Page(bar, value, later=tuple(prompts), slots=slots, picker=_trick_picker(context), answers=(answer,))


def _trick_bar(context: Context, seat: str, card: Card, *, full: bool) -> Message:
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


QUESTIONS: Mapping[str, Question] = {
    "trick": Question(("leader", "first", "t"), trick_act, trick_page),
    "dealt": Question(("b", "d", *COUNTS), dealt_act, dealt_page),
}

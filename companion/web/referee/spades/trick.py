"""Who wins this trick? The cards tapped in the order in which they were played."""

from __future__ import annotations

from companion.games.spades import articles as a
from companion.games.spades.play import trick_winner
from companion.games.spades.rules import SpadesRules
from companion.games.spades.table import pack_of
from companion.rulebook.book import article_title, article_url
from companion.web.referee.asking import Asking, Question
from companion.web.referee.faces import face
from companion.web.referee.picking import Zone, picker, tap
from companion.web.referee.shown import LEGAL, Answer, Ask, Choice, Page, Picker, Reason, Slot
from companion.web.referee.spades.table import JOKER_WORDS, pack_cards, ranks_of, seat_name, seats_of
from companion.web.referee.state import State


def act(asking: Asking, verb: str, word: str) -> State:
    """A tapped card, another leader, an answer on the first trick."""
    if verb == "tap":
        return tap(asking.state, _zones(asking), word, jokers=JOKER_WORDS)
    if verb == "leader" and word.isdecimal() and int(word) < len(seats_of(asking)):
        return asking.state.put(leader=word)
    if verb == "first" and word in ("y", "n"):
        return asking.state.put(first=word)
    return asking.state


def page(asking: Asking) -> Page:
    """The trick with its winning card, the suit led, and the article that decides."""
    rules: SpadesRules = asking.rules
    seats, state = seats_of(asking), asking.state
    cards = [card for card in state.cards("t", jokers=JOKER_WORDS) if card in pack_cards(rules)][: len(seats)]
    leader = (state.number("leader") or 0) % len(seats)
    order = [seats[(leader + place) % len(seats)] for place in range(len(seats))]
    special = rules.first_trick != "normal"
    best = trick_winner(rules, cards, first=special and state.get("first") == "y") if cards else None
    slots = [
        Slot(
            seat_name(asking, seat),
            face(asking, cards[place], do=f"tap:{cards[place]}", note=asking.say("take-back"))
            if place < len(cards)
            else None,
            next=place == len(cards),
            won=place == best,
        )
        for place, seat in enumerate(order)
    ]
    asks = [
        Ask(
            asking.say("ask-leader"),
            (
                tuple(
                    Choice(f"leader:{place}", seat_name(asking, seat), place == leader)
                    for place, seat in enumerate(seats)
                ),
            ),
        )
    ]
    if special:
        now = state.get("first") or "n"
        choices = tuple(Choice(f"first:{word}", asking.say(f"answer-{word}"), now == word) for word in ("y", "n"))
        asks.append(Ask(asking.say("ask-first"), (choices,)))
    if best is None:
        return Page(asking.say("trick-start"), later=tuple(asks), slots=tuple(slots), picker=_picker(asking))
    full = len(cards) == len(seats)
    facts = {"seat": seat_name(asking, order[best]), "card": asking.card(cards[best])}
    bar = asking.say("trick-winner" if full else "trick-highest", **facts)
    pack = pack_of(rules)
    text = asking.say(
        "trick-why", led=pack.suit(cards[0]), card=asking.card(cards[best]), trump=int(pack.is_trump(cards[best]))
    )
    why = Reason(text, article_title(asking.lang, a.TRICK_WINNER.id), article_url(asking.lang, a.TRICK_WINNER.id))
    answer = Answer(bar, LEGAL if full else "", (face(asking, cards[best]),), reasons=(why,))
    return Page(
        bar, LEGAL if full else "", later=tuple(asks), slots=tuple(slots), picker=_picker(asking), answers=(answer,)
    )


def _zones(asking: Asking) -> tuple[Zone, ...]:
    return (Zone("t", asking.say("trick-so-far"), len(seats_of(asking))),)


def _picker(asking: Asking) -> Picker:
    rules = asking.rules
    return picker(asking, _zones(asking), pack_cards(rules), ranks=ranks_of(rules), jokers=JOKER_WORDS)


QUESTION = Question(("leader", "first", "t"), act, page)

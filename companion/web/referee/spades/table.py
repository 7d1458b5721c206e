"""What the questions of Spades share: the seats, the pack in use, the words of a call."""

from __future__ import annotations

from companion.engine.cards import Card
from companion.engine.reading import Node
from companion.engine.verdict import Verdict
from companion.games.spades.rules import SpadesRules
from companion.games.spades.table import DUMMY, JOKERS, Table, pack_of
from companion.web.referee.asking import Asking
from companion.web.referee.picking import ACE_HIGH

JOKER_WORDS = JOKERS
_SEATS = {"partners4": 4, "solo4": 4, "solo3": 3, "duo_draw": 2, "duo_dummy": 2}


def seats_of(asking: Asking) -> tuple[str, ...]:
    """The seats clockwise by their names; a dummy sits where the rules put it."""
    rules: SpadesRules = asking.rules
    names = asking.seats(_SEATS[rules.mode])
    return (names[0], DUMMY, names[1]) if rules.mode == "duo_dummy" else names


def table_of(asking: Asking, dealer: int | None = None) -> Table:
    """The table with the dealer's place, where it is known."""
    seats = seats_of(asking)
    return Table(asking.rules, seats, None if dealer is None else seats[dealer % len(seats)])


def pack_cards(rules: SpadesRules) -> frozenset[Card]:
    """All cards of the pack in use."""
    return pack_of(rules).cards


def ranks_of(rules: SpadesRules) -> tuple[str, ...]:
    """Ranks in the order of their strength, the highest first."""
    return ("2", *ACE_HIGH[:-1]) if rules.trump_order == "deuce_high" else ACE_HIGH


def judged(asking: Asking, position: dict[str, object], move: dict[str, object]) -> Verdict:
    """The judge's verdict. Raises Refused where the position cannot be."""
    return asking.game.judge(asking.rules, Node(position, ("position",)), Node(move, ("move",)))


def seat_name(asking: Asking, seat: str) -> str:
    """A seat as it is shown."""
    return asking.own.vocabulary.show("seat-name", DUMMY) if seat == DUMMY else seat


def call_text(asking: Asking, spoken: int | str) -> str:
    """A call in words."""
    return asking.own.vocabulary.show("call", spoken)

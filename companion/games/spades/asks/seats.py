"""What the questions of Spades share: the seats with their names, the table, the ranks in their order."""

from __future__ import annotations

from typing import Final

from companion.engine.dialogue import ACE_HIGH, Choice, Context, Prompt, Term, Text
from companion.engine.ledger import team_name
from companion.games.spades.rules import SpadesRules
from companion.games.spades.table import DUMMY, Table

_SEATS: Final = {"partners4": 4, "solo4": 4, "solo3": 3, "duo_draw": 2, "duo_dummy": 2}


def table_of(context: Context, dealer: int | None = None) -> Table:
    """Return the table with its seats clockwise; `dealer` is the dealer's index among the players, where it is known.

    A dummy sits at the dealer's left or right, as the rules have it (SPADES-105, 106).
    """
    rules: SpadesRules = context.rules
    names = context.seats(_SEATS[rules.mode])
    place = None if dealer is None else dealer % len(names)
    seats = names
    if rules.mode == "duo_dummy":
        between = (place in (None, 0)) == (rules.dummy_side == "left")
        seats = (names[0], DUMMY, names[1]) if between else (*names, DUMMY)
    return Table(rules, seats, None if place is None else names[place])


def seats_of(context: Context) -> tuple[str, ...]:
    """Return the seats clockwise by name where nobody asks who dealt."""
    return table_of(context).seats


def dealer_of(context: Context) -> int:
    """Return the index of the dealer among the players: as entered, else as the sheet says, else the last one."""
    chosen = context.state.number("d")
    if chosen is not None:
        return chosen
    return -1 if context.dealer is None else context.dealer


def ranks_of(rules: SpadesRules) -> tuple[str, ...]:
    """Return the ranks in the order of their strength, the highest first."""
    return ("2", *ACE_HIGH[:-1]) if rules.trump_order == "deuce_high" else ACE_HIGH


def seat_name(seat: str) -> Text:
    """Return a seat as it is shown."""
    return Term("seat-name", DUMMY) if seat == DUMMY else seat


def side_name(table: Table, side: str) -> str:
    """Return the names of a side's players."""
    return team_name(table.members(side))


def dealer_prompt(context: Context, table: Table) -> Prompt:
    """Return the question who deals; a dummy does not."""
    players = [seat for seat in table.seats if seat != DUMMY]
    choices = tuple(
        Choice(f"dealer:{place}", seat_name(seat), seat == table.dealer) for place, seat in enumerate(players)
    )
    return Prompt(context.say("ask-dealer"), (choices,))

"""A whole deal of Spades as the address tells it: the calls, then the cards, each with who played it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from companion.engine.cards import Card
from companion.games.spades.play import next_in_trick, opening_leaders, trick_winner
from companion.games.spades.rules import SpadesRules
from companion.games.spades.table import Played
from companion.web.referee.asking import Asking
from companion.web.referee.spades.calling import Calling, as_json, calling, totals
from companion.web.referee.spades.table import JOKER_WORDS, pack_cards, table_of
from companion.web.referee.state import read_cards

NO_CALLS = "-"


@dataclass(frozen=True)
class Deal:
    """The deal as the address tells it."""

    asking: Asking
    at: Calling
    without_calls: bool

    @property
    def playing(self) -> bool:
        """Whether the bidding is over, or left out."""
        return self.without_calls or self.at.over

    @property
    def over(self) -> bool:
        """Whether every card has been played."""
        rules: SpadesRules = self.asking.rules
        return len(self.plays) == rules.tricks * len(self.at.table.seats)

    @property
    def leader(self) -> str | None:
        """Who leads first: as the rules say, else as entered."""
        seats, chosen = self.at.table.seats, self.asking.state.number("l")
        if chosen is not None:
            return seats[chosen % len(seats)]
        found = opening_leaders(self.at.table, None if self.without_calls else self.at.calls)
        return found[0] if found else None

    @cached_property
    def plays(self) -> tuple[Played, ...]:
        """The cards with their seats: whose turn it was, unless another was told (`9H-2`)."""
        table, rules = self.at.table, self.asking.rules
        found: list[Played] = []
        for word in self.asking.state.words("p"):
            text, _, place = word.partition("-")
            card = next(iter(read_cards([text], jokers=JOKER_WORDS)), None)
            known = {one.card for one in found}
            if card is None or card in known or card not in pack_cards(rules):
                continue
            told = place.isdecimal() and len(place) == 1 and int(place) < len(table.seats)
            found.append(Played(table.seats[int(place)] if told else self.after(found), card))
        return tuple(found[: rules.tricks * len(table.seats)])

    @property
    def cards(self) -> tuple[Card, ...]:
        """The cards in the order in which they were played."""
        return tuple(one.card for one in self.plays)

    @property
    def next(self) -> str:
        """Whose turn it is."""
        return self.after(self.plays)

    @property
    def mover(self) -> str:
        """Who plays next: whose turn it is, unless another was named."""
        told = self.asking.state.number("w", high=len(self.at.table.seats) - 1)
        return self.next if told is None else self.at.table.seats[told]

    def after(self, plays: Sequence[Played]) -> str:
        """Whose turn it is after these cards."""
        table = self.at.table
        size = len(table.seats)
        trick = plays[len(plays) - len(plays) % size :]
        if trick:
            return next_in_trick(table, trick) or trick[0].seat
        if not plays:
            return self.leader or table.seats[0]
        last = plays[-size:]
        best = trick_winner(self.asking.rules, [one.card for one in last], first=len(plays) == size)
        return last[best].seat

    def record(self) -> dict[str, Any]:
        """The deal in the shape of a replay request."""
        table = self.at.table
        plays = [{"seat": one.seat, "card": str(one.card)} for one in self.plays]
        request: dict[str, Any] = {"seats": list(table.seats), "dealer": table.dealer, "plays": plays}
        if not self.without_calls:
            request |= {"calls": [as_json(call) for call in self.at.calls], "totals": totals(self.asking, table)}
        if self.asking.state.get("l"):
            request["leader"] = self.leader
        return request


def deal_of(asking: Asking) -> Deal:
    """The deal of the state; the dealer as told, else as the sheet says, else the last seat."""
    chosen = asking.state.number("d")
    if chosen is None:
        chosen = -1 if asking.dealer is None else asking.dealer
    table = table_of(asking, chosen)
    if table.dealer not in table.bidders:
        table = table_of(asking, 0)
    return Deal(asking, calling(asking, table), asking.state.get("c") == NO_CALLS)

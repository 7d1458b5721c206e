"""What a question is asked under: the game, the table's rules, the names at the table, the state of the address."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from companion.engine.cards import Card
from companion.engine.dialogue import Context
from companion.engine.game import Game
from companion.engine.options import HouseRules
from companion.rulebook import book
from companion.rulebook.book import words
from companion.rulebook.phrases import Words
from companion.web.referee.shown import Page
from companion.web.referee.state import State

SHARED = ("sheet", "rules")
"""Parts of every state: the sheet that the question comes from, the code of the house rules."""
LONGEST_QUERY = 3_500
"""Characters of a state in an address: gunicorn takes request lines of 4,094, and some proxies little more."""


@dataclass(frozen=True)
class Asking:
    """One question being asked."""

    game: Game
    lang: str
    house: HouseRules[Any]
    state: State
    names: tuple[str, ...] = ()
    """Names from a sheet, in the order of the seats; empty where the page gives names."""
    seat_ids: tuple[str, ...] = ()
    """The ids of these seats on the sheet."""
    totals: Mapping[int, int] = field(default_factory=dict)
    """Totals from a sheet, by the place of the side."""
    dealer: int | None = None
    """Who deals by the sheet."""

    @cached_property
    def rules(self) -> Any:
        """The options of the table."""
        return self.house.options

    @property
    def context(self) -> Context:
        """The same without words, as the questions of the games take it."""
        names = tuple(book.say(self.lang, f"keeper.seat-{place}") for place in range(1, 7))
        return Context(self.rules, self.state, names, self.names, self.seat_ids, self.totals, self.dealer)

    @cached_property
    def own(self) -> Words:
        """The words of the game."""
        return words(self.game.id, self.lang)

    @cached_property
    def code(self) -> str:
        """The short code of the house rules."""
        return self.game.options.code(self.house)

    @cached_property
    def spoken_rules(self) -> dict[str, Any]:
        """The house rules as a request has them."""
        return {"preset": self.house.preset, "options": self.game.options.plain(self.rules)}

    def say(self, key: str, **facts: Any) -> str:
        """Return a phrase of the referee's pages: the game's own `asks.<key>`, or else the shared one."""
        return self.own.say(f"asks.{key}", facts)

    def card(self, card: Card | str) -> str:
        """A card as it is printed in a sentence."""
        return self.own.vocabulary.show("card", str(card))

    def with_state(self, state: State) -> Asking:
        """The same question with another state."""
        return replace(self, state=state)

    def with_names(self, names: tuple[str, ...]) -> Asking:
        """The same question with other names from a sheet, or none."""
        return replace(self, names=names)

    def seats(self, count: int) -> tuple[str, ...]:
        """The names of so many seats, clockwise: those of the sheet, else the points of the compass."""
        if len(self.names) == count and len(set(self.names)) == count:
            return self.names
        return tuple(book.say(self.lang, f"keeper.seat-{place}") for place in range(1, count + 1))


@dataclass(frozen=True, slots=True)
class Question:
    """One page of the referee: the names that its state knows, what a tap changes, what it shows."""

    names: tuple[str, ...]
    act: Callable[[Asking, str, str], State]
    """The state after one thing was done: `tap`, `7H`."""
    page: Callable[[Asking], Page]
    longest: int = LONGEST_QUERY
    """How many characters of an address the state may fill."""

    def too_long(self, state: State) -> bool:
        """Whether the state does not fit into an address."""
        return len(state.query(self.all_names)) > self.longest

    @property
    def all_names(self) -> tuple[str, ...]:
        """Every name of the state in the order of the address."""
        return (*SHARED, *self.names)

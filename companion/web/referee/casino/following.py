"""A whole deal of Casino as the address tells it, followed turn by turn: the first cards, the turns, the open one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from companion.engine.cards import Card
from companion.engine.reading import Node
from companion.engine.verdict import Judged
from companion.games.casino.deal import DealPlan, deal_plan
from companion.games.casino.layout import Layout
from companion.games.casino.replay import Course, begin, follow, report
from companion.games.casino.table import Position, full_pack
from companion.web.referee.asking import Asking
from companion.web.referee.casino.draft import Draft, read_draft
from companion.web.referee.casino.table import players_at, seats_around
from companion.web.referee.casino.turning import played, split_plays

MOST_TURNS = 60


@dataclass(frozen=True)
class Followed:
    """The deal so far. In the address `t` has the first cards of the table, `p` the turns, `u` and `q` the open one."""

    asking: Asking

    @cached_property
    def seats(self) -> tuple[str, ...]:
        """The seats clockwise."""
        return seats_around(self.asking, players_at(self.asking))

    @cached_property
    def plan(self) -> DealPlan:
        """How many cards go where."""
        return deal_plan(self.asking.rules, len(self.seats))

    @cached_property
    def first(self) -> str:
        """Who plays first: as told, else the player after the dealer of the sheet."""
        told = self.asking.state.number("d", high=len(self.seats) - 1)
        if told is None and self.asking.dealer is not None and len(self.asking.names) == len(self.seats):
            step = 1 if self.asking.rules.direction == "clockwise" else -1
            told = (self.asking.dealer + step) % len(self.seats)
        return self.seats[told or 0]

    @cached_property
    def table(self) -> tuple[Card, ...]:
        """The cards turned up on the table at the start."""
        known = full_pack(self.asking.rules)
        return tuple(card for card in self.asking.state.cards("t") if card in known)[: self.plan.table]

    @property
    def ready(self) -> bool:
        """Whether all first cards have been told."""
        return len(self.table) == self.plan.table

    @cached_property
    def turns(self) -> tuple[str, ...]:
        """The turns as the address has them; a figure before a turn names who made it out of turn."""
        return tuple(one for one in self.asking.state.get("p").split("-") if one)[:MOST_TURNS]

    @cached_property
    def _story(self) -> tuple[Course, list[Judged], list[Layout]]:
        request = {"seats": list(self.seats), "first": self.first, "table": list(map(str, self.table)), "turns": []}
        course = begin(self.asking.rules, Node(request))
        judged, layouts = [], []
        for text in self.turns:
            player = self._player(text, course)
            told, layout = played(course.rules, course.position(player), split_plays(text.lstrip("0123")))
            judged.append(follow(course, Node({"player": player, "plays": told})))
            layouts.append(layout)
        return course, judged, layouts

    @property
    def course(self) -> Course:
        """The table after all turns."""
        return self._story[0]

    @property
    def layouts(self) -> list[Layout]:
        """What each turn left behind."""
        return self._story[2]

    @cached_property
    def report(self) -> Mapping[str, Any]:
        """Verdicts, findings and the result, as a replay answers."""
        return report(self.course, self._story[1])

    @cached_property
    def player(self) -> str:
        """Who makes the open turn: whose turn it is, unless another was named."""
        return self._player(self.asking.state.get("w"), self.course)

    @cached_property
    def position(self) -> Position:
        """The table as the player of the open turn finds it."""
        return self.course.position(self.player)

    @cached_property
    def open_plays(self) -> tuple[str, ...]:
        """The plays of the open turn that were added to it."""
        return split_plays(self.asking.state.get("u"))

    @cached_property
    def open_turn(self) -> tuple[list[dict[str, Any]], Layout]:
        """The plays of the open turn as announced, and the table after them."""
        return played(self.course.rules, self.position, self.open_plays)

    @cached_property
    def draft(self) -> Draft:
        """The play being put together; without a kind it takes what was tapped, else the card is trailed."""
        draft = read_draft(self.asking.state.get("q"))
        if draft.kind or draft.empty:
            return draft
        return replace(draft, kind="c" if draft.marked or draft.named else "t")

    def turn_text(self) -> str:
        """The open turn as the address will have it; empty where nothing was played."""
        plays = [*self.open_plays, *([] if self.draft.empty else [self.draft.written()])]
        out_of_turn = self.player != self.course.expected
        return (str(self.seats.index(self.player)) if out_of_turn and plays else "") + "_".join(plays)

    def _player(self, text: str, course: Course) -> str:
        if text[:1].isdecimal() and int(text[0]) < len(self.seats):
            return self.seats[int(text[0])]
        return course.expected or self.first

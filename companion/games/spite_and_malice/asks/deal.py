"""A deal in an address: its first cards, its moves, the move being entered, and the table they lead to."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from itertools import islice
from typing import Final

from companion.engine.cards import Card
from companion.engine.dialogue import Context, State, Zone
from companion.engine.verdict import Verdict
from companion.games.spite_and_malice import announcements as n
from companion.games.spite_and_malice import notation as t
from companion.games.spite_and_malice.asks.common import (
    cards_of,
    players_of,
)
from companion.games.spite_and_malice.deal import judge_move
from companion.games.spite_and_malice.replay import (
    Entry,
    Replay,
    begin,
    follow_all,
    start_entry,
)
from companion.games.spite_and_malice.rules import HAND_SIZE, SpiteRules
from companion.games.spite_and_malice.start import starter
from companion.games.spite_and_malice.table import Seat, Table

MAX_STATE: Final = 2_000
"""Maximum characters of a deal in an address: twice what long deals take, and still replayed quickly."""
DEAL_STATE: Final = (
    "to",
    "b",
    "d",
    *(f"{kind}{place}" for place in range(6) for kind in "pl"),
    "m",
    "q",
    "g",
    "w",
    "r",
)
_MAX_MOVES: Final = 1_000
_OPEN: Final = ("q", "g", "w", "r")
"""Parts of a move that is being entered."""
_UNTURNED: Final = "klmouwy"
"""First letters of moves that belong to nobody's turn."""


@dataclass(frozen=True)
class Deal:
    """The deal so far: `p0` to `p5` the first pay-off tops, `l0` to `l5` first side cards, `m` the moves as text.

    `b` says that tops are left out, `d` who starts. `q` is the source of the move being entered, `g` its target while
    the card turned up is still unknown, `w` who moves out of turn, `r` how many cards are drawn if not as many as due.
    """

    context: Context

    @property
    def rules(self) -> SpiteRules:
        """Return the rules of the table."""
        rules: SpiteRules = self.context.rules
        return rules

    @cached_property
    def players(self) -> tuple[str, ...]:
        """Return the players in the order of play."""
        return players_of(self.context)

    @cached_property
    def zones(self) -> tuple[Zone, ...]:
        """Return what is entered before the first move: everybody's pay-off top, and first side cards if any."""
        found = []
        for place, name in enumerate(self.players):
            found.append(Zone(f"p{place}", self.context.say("top-of", name=name), 1))
            if self.rules.side_start:
                found.append(Zone(f"l{place}", self.context.say("sides-of", name=name), self.rules.side_start))
        return tuple(found)

    def lacks(self, kind: str) -> bool:
        """Return whether pay-off tops (`p`) or first side cards (`l`) are still to be entered."""
        return any(len(cards_of(self.context.state, z.name)) < z.most for z in self.zones if z.name[0] == kind)

    @property
    def ready(self) -> bool:
        """Return whether the deal can begin: side cards must be known, pay-off tops may be left out."""
        return not self.lacks("l") and (not self.lacks("p") or self.context.state.get("b") == "y")

    @cached_property
    def tops(self) -> dict[str, Card]:
        """Return the first pay-off tops that were entered."""
        found = {name: cards_of(self.context.state, f"p{place}")[:1] for place, name in enumerate(self.players)}
        return {name: cards[0] for name, cards in found.items() if cards}

    @cached_property
    def first(self) -> str:
        """Return who starts: as entered, else by the tops, else the first player."""
        named = self._seat("d")
        by_tops = starter(self.rules, self.players, self.tops) if len(self.tops) == len(self.players) else None
        return named or by_tops or self.players[0]

    @cached_property
    def moves(self) -> tuple[t.Recorded, ...]:
        """Return the moves so far."""
        return tuple(islice(t.parse_moves(self.context.state.get("m"), self.players), _MAX_MOVES))

    @cached_property
    def turns(self) -> list[list[t.Recorded]]:
        """Return the moves turn by turn."""
        return t.group_turns(self.moves)

    @cached_property
    def opening(self) -> Replay:
        """Return the deal before its first move."""
        sides = {
            name: [[card] for card in cards_of(self.context.state, f"l{place}")[: self.rules.side_start]]
            for place, name in enumerate(self.players)
        }
        return begin(self.rules, self.players, tops=self.tops, sides=sides)

    @cached_property
    def run(self) -> Replay:
        """Return the replay of these moves."""
        run, entries = self.opening, [start_entry(self.first)]
        for number, turn in enumerate(self.turns, start=1):
            entries += [Entry(number, one.seat, one.move, n.plain(one.move), one.turned) for one in turn]
        return follow_all(run, entries)

    @property
    def table(self) -> Table:
        """Return the table as the next mover finds it."""
        return self.run.table

    @cached_property
    def mover(self) -> str:
        """Return who moves next: the player in turn, unless another was named."""
        return self._seat("w") or self.table.player

    @property
    def seat(self) -> Seat:
        """Return what the mover has."""
        return self.table.seats[self.mover]

    @property
    def out_of_turn(self) -> bool:
        """Return whether a player was named who is not in turn."""
        return self.mover != self.table.player

    @property
    def due(self) -> int:
        """Return how many cards the mover draws before anything else; none in the middle of a turn."""
        if not self.out_of_turn and (self.table.refilled or self.table.discarded):
            return 0
        return max(min(HAND_SIZE - self.seat.hand_count, self.table.stock), 0)

    @property
    def drawn(self) -> int:
        """Return how many are drawn: as entered, else as many as are due."""
        entered = self.context.state.number("r", high=9)
        return self.due if entered is None else entered

    def judge(self, body: str) -> Verdict | None:
        """Return the verdict on a move that could be made now, after the draw; None for a move out of turn."""
        if self.out_of_turn:
            return None
        position = self.table.position()
        if self.drawn:
            position = replace(position, hand=None)
        if self.due and self.drawn:
            stock, held = max(self.table.stock - self.drawn, 0), self.seat.hand_count + self.drawn
            position = replace(position, refilled=True, hand_count=held, stock=stock)
        return judge_move(self.rules, position, t.parse_move(body, self.players).move)

    def with_move(self, body: str) -> State:
        """Return the state with another move, after the draw that is due; unchanged if the text is no move."""
        draw = f"r{self.drawn}" if self.due and self.drawn and body[0] not in f"r{_UNTURNED}" else ""
        seat = f"_{self.players.index(self.mover)}" if self.out_of_turn and body[0] not in _UNTURNED else ""
        text = "".join(one.text for one in self.moves) + seat + draw + body
        if "".join(one.text for one in t.parse_moves(text, self.players)) != text:
            return self.context.state
        return self.context.state.put(m=text, **dict.fromkeys(_OPEN))

    def owner(self, source: str) -> str | None:
        """Return whose pile a source is; None where the mover has no partner."""
        partners = source[0] == t.PARTNER_PAYOFF or source[0] in t.PARTNER_SIDES
        return self.table.partner_of(self.mover) if partners else self.mover

    def top(self, source: str) -> Card | None:
        """Return the card on top of the pile that a source names; None if nobody knows it."""
        owner = self.owner(source)
        if owner is None:
            return None
        seat = self.table.seats[owner]
        if source[0] in (t.PAYOFF, t.PARTNER_PAYOFF):
            return seat.payoff
        place = (t.SIDES + t.PARTNER_SIDES).index(source[0]) % len(t.SIDES)
        return seat.sides[place][-1] if place < len(seat.sides) and seat.sides[place] else None

    def named(self, source: str) -> str:
        """Return a source with the letter of its card: a hand card is that letter, a pile names its top."""
        if source[0] not in t.PILES or len(source) > 1:
            return source
        return source + t.rank_letter(self.top(source))

    def turns_up(self, source: str) -> bool:
        """Return whether a play from this source turns up another pay-off card."""
        owner = self.owner(source)
        return owner is not None and self.table.seats[owner].payoff_left > 1

    def _seat(self, name: str) -> str | None:
        place = self.context.state.number(name, high=len(self.players) - 1)
        return None if place is None else self.players[place]

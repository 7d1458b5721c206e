"""A whole deal of Spite and Malice as the address tells it: the first cards, the moves so far, the one being tapped."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from typing import Any

from companion.engine.cards import Card
from companion.engine.reading import Node
from companion.engine.verdict import Verdict
from companion.games.spite_and_malice.cards import JOKERS
from companion.games.spite_and_malice.opening import starter
from companion.games.spite_and_malice.options import HAND_SIZE, SpiteRules
from companion.web.referee.asking import Asking
from companion.web.referee.picking import Zone
from companion.web.referee.spite_and_malice import script
from companion.web.referee.spite_and_malice.ranks import cards_of
from companion.web.referee.spite_and_malice.script import Piece, grouped_turns, read_script
from companion.web.referee.spite_and_malice.table import players_of
from companion.web.referee.state import read_cards

MOST_PLAYERS = 6
MOST_MOVES = 1_000


@dataclass(frozen=True)
class Followed:
    """The deal so far: `p0` to `p5` the first pay-off tops, `l0` to `l5` first side cards, `m` the moves in letters.

    `q` is the source of the move being tapped, `g` its target while the card turned up is still to be told, `w` who
    moves out of turn, `r` how many cards are drawn if not as many as they should.
    """

    asking: Asking

    @property
    def rules(self) -> SpiteRules:
        """The rules of the table."""
        rules: SpiteRules = self.asking.rules
        return rules

    @cached_property
    def players(self) -> tuple[str, ...]:
        """The players in the order of play."""
        return players_of(self.asking)

    @cached_property
    def zones(self) -> tuple[Zone, ...]:
        """What is told before the first move: everybody's pay-off top, and the first side cards where there are any."""
        found = []
        for place, name in enumerate(self.players):
            found.append(Zone(f"p{place}", self.asking.say("top-of", name=name), 1))
            if self.rules.side_start:
                found.append(Zone(f"l{place}", self.asking.say("sides-of", name=name), self.rules.side_start))
        return tuple(found)

    def lacking(self, kind: str) -> bool:
        """Whether pay-off tops (`p`) or first side cards (`l`) are still to be told."""
        state = self.asking.state
        return any(len(cards_of(state, z.name)) < z.most for z in self.zones if z.name[0] == kind)

    @property
    def ready(self) -> bool:
        """Whether the deal can begin: side cards must be told, pay-off tops may be left out."""
        return not self.lacking("l") and (not self.lacking("p") or self.asking.state.get("b") == "y")

    @cached_property
    def tops(self) -> dict[str, Card]:
        """The first pay-off tops that were told."""
        found = {name: cards_of(self.asking.state, f"p{place}")[:1] for place, name in enumerate(self.players)}
        return {name: cards[0] for name, cards in found.items() if cards}

    @cached_property
    def first(self) -> str:
        """Who starts: as told, else by the tops, else the first player."""
        told = self.asking.state.number("d", high=len(self.players) - 1)
        if told is not None:
            return self.players[told]
        by_tops = starter(self.rules, self.tops) if len(self.tops) == len(self.players) else None
        return by_tops or self.players[0]

    @cached_property
    def pieces(self) -> tuple[Piece, ...]:
        """The moves so far."""
        return tuple(islice(read_script(self.asking.state.get("m"), self.players), MOST_MOVES))

    @cached_property
    def turns(self) -> list[list[Piece]]:
        """The moves turn by turn."""
        return grouped_turns(self.pieces)

    @cached_property
    def replayed(self) -> Mapping[str, Any]:
        """What a replay says of these moves."""
        sides = {
            name: [[str(card)] for card in cards_of(self.asking.state, f"l{place}")][: self.rules.side_start]
            for place, name in enumerate(self.players)
        }
        request = {
            "players": list(self.players),
            "payoff_tops": {name: str(card) for name, card in self.tops.items()},
            "first": self.first,
            "side_stacks": sides if self.rules.side_start else {},
            "turns": [{"moves": [dict(piece.move) for piece in turn]} for turn in self.turns],
        }
        found: Mapping[str, Any] = self.asking.game.replay(self.rules, Node(request))  # type: ignore[misc]
        return found

    @property
    def state(self) -> Mapping[str, Any]:
        """The table as the next mover finds it."""
        found: Mapping[str, Any] = self.replayed["state"]
        return found

    @property
    def over(self) -> bool:
        """Whether the deal has ended."""
        return bool(self.replayed["complete"])

    @cached_property
    def mover(self) -> str:
        """Who moves next: whose turn it is, unless another was named."""
        told = self.asking.state.number("w", high=len(self.players) - 1)
        return str(self.state["player"]) if told is None else self.players[told]

    @property
    def out_of_turn(self) -> bool:
        """Whether somebody was named who is not in turn."""
        return bool(self.mover != self.state["player"])

    def piles(self, player: str) -> Mapping[str, Any]:
        """What lies in front of a player."""
        found: Mapping[str, Any] = self.replayed["piles"][player]
        return found

    @property
    def partner(self) -> str | None:
        """The partner of who moves."""
        half = len(self.players) // 2
        if half < 2:
            return None
        return self.players[(self.players.index(self.mover) + half) % len(self.players)]

    @property
    def due(self) -> int:
        """How many cards the mover draws before anything else; none in the middle of a turn."""
        if not self.out_of_turn and (self.state["refilled"] or self.state["discarded"]):
            return 0
        wanted: int = HAND_SIZE - self.piles(self.mover)["hand_count"]
        return max(min(wanted, int(self.state["stock"])), 0)

    @property
    def drawn(self) -> int:
        """How many are drawn: as told, else as many as are due."""
        told = self.asking.state.number("r", high=9)
        return self.due if told is None else told

    def judge(self, move: Mapping[str, Any]) -> Verdict | None:
        """The verdict on a move that could be made now, after the draw; None where the position does not tell it."""
        if self.out_of_turn:
            return None
        position = {key: value for key, value in self.state.items() if key != "hand" or self.drawn == 0}
        if self.due and self.drawn:
            position |= {"refilled": True, "hand_count": self.state.get("hand_count", 0) + self.drawn}
            position["stock"] = max(self.state["stock"] - self.drawn, 0)
        read = Node(position, ("position",)), Node({k: v for k, v in move.items() if k != "turned"}, ("move",))
        verdict = self.asking.game.judge(self.rules, *read)
        return None if read[0].problems or read[1].problems else verdict

    def written(self, body: str) -> str:
        """All moves with one more, the draw before it among them where none was told."""
        draw = f"r{self.drawn}" if self.due and self.drawn and body[0] not in "rklmouwy" else ""
        who = f"_{self.players.index(self.mover)}" if self.out_of_turn and body[0] not in "klmouwy" else ""
        return "".join(piece.text for piece in self.pieces) + who + draw + body

    def top(self, source: str) -> str | None:
        """The card on top of the pile that a source names; None where nobody told it."""
        partners = source[0] == script.PARTNER_PAYOFF or source[0] in script.PARTNER_SIDES
        owner = self.partner if partners else self.mover
        if owner is None:
            return None
        piles = self.piles(owner)
        if source[0] in (script.PAYOFF, script.PARTNER_PAYOFF):
            return piles.get("payoff")
        place = (script.PARTNER_SIDES if partners else script.SIDES).index(source[0])
        stack = piles["side_stacks"][place] if place < len(piles["side_stacks"]) else []
        return stack[-1] if stack else None

    def named(self, source: str) -> str:
        """A source with the letter of its card: a hand card is that letter, a pile names its top."""
        if source[0] not in script.PILES or len(source) > 1:
            return source
        top = self.top(source)
        return source + (script.UNKNOWN if top is None else script.rank_letter(_rank(top)))

    def needs_turned(self, source: str) -> bool:
        """Whether the play from this source turns up a new pay-off card."""
        if source[:1] not in (script.PAYOFF, script.PARTNER_PAYOFF):
            return False
        owner = self.mover if source[0] == script.PAYOFF else self.partner
        return owner is not None and self.piles(owner)["payoff_left"] > 1


def _rank(card: str) -> str:
    """The rank of a card as JSON has it."""
    return next(iter(read_cards([card], jokers=JOKERS, bare=True))).rank

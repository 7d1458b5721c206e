"""What players do or say, in JSON."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from companion.engine import shapes as s
from companion.engine.problems import Problem
from companion.games.spite_and_malice import announcements as n
from companion.games.spite_and_malice.position import MOST
from companion.games.spite_and_malice.shapes import fields as f


class OntoSideShape(s.Shape[n.OntoSide]):
    """A side stack of one's own, which only discards may go to."""

    builds = n.OntoSide
    side = f.place("Its place.")


class _MoveShape(s.Shape[n.Announcement]):
    seat = s.Seat("Who does it, where that could be another than who is to move.", optional=True)

    def make(self, data: s.Attributes, context: f.Players) -> n.Announcement:
        data.pop("type")
        return super().make(data, context)


class PlayMove(_MoveShape):
    """A card to the centre."""

    builds = n.Play
    type = s.Word(("play",))
    source = s.Word(n.SOURCES, "Where it comes from.", key="from")
    to = s.Either(
        s.Word((n.NEW,)), s.Object(OntoSideShape), f.place(), describe="The place of the centre stack, or `new`."
    )
    card = f.card("The card; it may be left out where only one can be meant.", optional=True)
    stack = f.place("Which side stack it comes from.", optional=True)
    depth = s.Count("How many cards lie on it in that stack.", high=MOST, default=0)

    def check(self, data: s.Attributes, context: f.Players) -> Iterator[Problem]:
        if data["source"] == n.HAND and data["card"] is None:
            yield Problem(("card",), "required", contextual=True)
        if data["source"] in (n.SIDE, n.PARTNER_SIDE) and data["stack"] is None:
            yield Problem(("stack",), "required", contextual=True)


class DiscardMove(_MoveShape):
    """A card onto a side stack, which ends the turn."""

    builds = n.Discard
    type = s.Word(("discard",))
    to = s.Either(s.Word((n.NEW,)), f.place(), describe="The place of the side stack, or `new`.")
    card = f.card("The card.", optional=True)
    source = s.Word(n.SOURCES, "Where it comes from.", key="from", default=n.HAND)
    owner = s.Word(("own", "partner", "opponent"), "Whose side stack it goes to.", default="own")

    def check(self, data: s.Attributes, context: f.Players) -> Iterator[Problem]:
        if data["source"] == n.HAND and data["card"] is None:
            yield Problem(("card",), "required", contextual=True)


class RefillMove(_MoveShape):
    """Cards drawn from the stock."""

    builds = n.Refill
    type = s.Word(("refill",))
    count = f.whole("How many.", unit="cards")


class EndTurnMove(_MoveShape):
    """The spoken end of a turn."""

    builds = n.EndTurn
    type = s.Word(("end_turn",))


class CompleteMove(_MoveShape):
    """A completed centre stack, and what is done with it."""

    builds = n.Complete
    type = s.Word(("complete",))
    stack = f.place("Its place.")
    done = s.Word(("stay", "set_aside", "shuffle_now"), "What is done with it.", key="do")


class RecycleMove(_MoveShape):
    """Centre stacks shuffled and put under the stock."""

    builds = n.Recycle
    type = s.Word(("recycle",))
    what = s.Word(("complete", "incomplete"), "Which stacks.")
    by = s.Word(("opponent", "player"), "Who shuffles them.")


class SecondChanceMove(_MoveShape):
    """The announcement that everybody gets one further turn."""

    builds = n.SecondChance
    type = s.Word(("second_chance",))


class RedealMove(_MoveShape):
    """All cards but the pay-off piles dealt again."""

    builds = n.Redeal
    type = s.Word(("redeal",))
    first = s.Seat("Who plays first then.")


class StartMove(_MoveShape):
    """Who plays first, or how the tops of the pay-off piles are turned up anew."""

    builds = n.Start
    type = s.Word(("start",))
    first = s.Seat("Who plays first.", optional=True)
    redo = s.Word(("reshuffle", "bury", "redraw"), "How the tops are turned up anew.", optional=True)

    def check(self, data: s.Attributes, context: f.Players) -> Iterator[Problem]:
        if (data["first"] is None) == (data["redo"] is None):
            yield Problem(("first",), "first-or-redo")


class DealMove(_MoveShape):
    """Counts after the deal."""

    type = s.Word(("deal",))
    stock = f.whole("Cards of the stock.", optional=True, unit="cards")
    payoffs = f.by_player(f.whole(unit="cards"), "Cards of the pay-off piles.", absent=True)
    hands = f.by_player(f.whole(unit="cards"), "Cards of the hands.", absent=True)
    side_stacks = f.by_player(f.whole(unit="cards"), "Cards in side stacks.", absent=True)
    centre_stacks = f.whole("Centre stacks.", optional=True)

    def check(self, data: s.Attributes, context: f.Players) -> Iterator[Problem]:
        given = [key for key in ("payoffs", "hands", "side_stacks") if key in data]
        if not given and data["stock"] is None and data["centre_stacks"] is None:
            yield Problem(("stock",), "required", contextual=True)

    def make(self, data: s.Attributes, context: f.Players) -> n.DealCheck:
        return n.DealCheck(
            data["stock"], data.get("payoffs", {}), data.get("hands", {}), data.get("side_stacks", {}),
            data["centre_stacks"], data["seat"],
        )  # fmt: skip


class ClaimWinMove(_MoveShape):
    """`I am out`."""

    builds = n.ClaimWin
    type = s.Word(("claim_win",))


class ClaimStalemateMove(_MoveShape):
    """The claim that nobody can finish the deal."""

    builds = n.ClaimStalemate
    type = s.Word(("claim_stalemate",))


MOVES: Final[Mapping[str, type[s.Shape[n.Announcement]]]] = {
    "play": PlayMove,
    "discard": DiscardMove,
    "refill": RefillMove,
    "end_turn": EndTurnMove,
    "complete": CompleteMove,
    "recycle": RecycleMove,
    "second_chance": SecondChanceMove,
    "redeal": RedealMove,
    "start": StartMove,
    "deal": DealMove,
    "claim_win": ClaimWinMove,
    "claim_stalemate": ClaimStalemateMove,
}
MOVE: Final[s.Variants[n.Announcement]] = s.Variants("type", MOVES)

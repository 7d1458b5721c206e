"""What players do or say at the table, as values: plays, discards, refills, ends of turns, claims."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from companion.engine.cards import Card
from companion.engine.reading import Node
from companion.games.spite_and_malice.position import MOST, read_card

HAND, PAYOFF, SIDE = "hand", "payoff", "side"
PARTNER_PAYOFF, PARTNER_SIDE, PARTNER_HAND = "partner_payoff", "partner_side", "partner_hand"
SOURCES: Final = (
    HAND, PAYOFF, SIDE, PARTNER_PAYOFF, PARTNER_SIDE, PARTNER_HAND,
    "opponent_payoff", "opponent_side", "opponent_hand", "centre", "stock",
)  # fmt: skip
NEW: Final = "new"
FAR: Final = 1_000_000

Place = int | str
"""A stack by its place in the list, or `new`."""


@dataclass(frozen=True, slots=True)
class OntoSide:
    """A target that only discards have: a side stack of one's own."""

    side: int


@dataclass(frozen=True, slots=True)
class Play:
    """A card to the centre; `depth` counts the cards that lie on it in its stack."""

    source: str
    to: Place | OntoSide
    card: Card | None = None
    stack: int | None = None
    depth: int = 0
    seat: str | None = None


@dataclass(frozen=True, slots=True)
class Discard:
    """A card onto a side stack, which ends the turn."""

    to: Place
    card: Card | None = None
    source: str = HAND
    owner: str = "own"
    seat: str | None = None


@dataclass(frozen=True, slots=True)
class Refill:
    """Cards drawn from the stock."""

    count: int
    seat: str | None = None


@dataclass(frozen=True, slots=True)
class EndTurn:
    """The spoken end of a turn."""

    seat: str | None = None


@dataclass(frozen=True, slots=True)
class Complete:
    """A completed centre stack, and what is done with it."""

    stack: int
    done: str
    seat: str | None = None


@dataclass(frozen=True, slots=True)
class Recycle:
    """Centre stacks shuffled and put under the stock."""

    what: str
    by: str
    seat: str | None = None


@dataclass(frozen=True, slots=True)
class SecondChance:
    """The announcement that everybody gets one further turn."""

    seat: str | None = None


@dataclass(frozen=True, slots=True)
class Redeal:
    """All cards but the pay-off piles dealt again; who plays first then."""

    first: str
    seat: str | None = None


@dataclass(frozen=True, slots=True)
class Start:
    """Who plays first, or how the pay-off tops are turned up anew."""

    first: str | None = None
    redo: str | None = None
    seat: str | None = None


@dataclass(frozen=True, slots=True)
class DealCheck:
    """Counts after the deal: the stock, and by player the pay-off pile, the hand, the cards in side stacks."""

    stock: int | None
    payoffs: Mapping[str, int]
    hands: Mapping[str, int]
    sides: Mapping[str, int]
    centre: int | None = None
    seat: str | None = None


@dataclass(frozen=True, slots=True)
class ClaimWin:
    """`I am out`."""

    seat: str | None = None


@dataclass(frozen=True, slots=True)
class ClaimStalemate:
    """Nobody can finish the deal."""

    seat: str | None = None


Announcement = (
    Play | Discard | Refill | EndTurn | Complete | Recycle | SecondChance | Redeal | Start | DealCheck | ClaimWin
    | ClaimStalemate
)  # fmt: skip


def read_announcement(node: Node, players: tuple[str, ...], *, also: tuple[str, ...] = ()) -> Announcement | None:
    """The move that stands at a node; faults are noted there. `also` names keys that the reader admits besides."""
    if not node.object(required=("type",), others=True):
        return None
    kind = node["type"].one_of(tuple(_READERS))
    if kind != node["type"].value:
        return None
    required, optional, read = _READERS[kind]
    node.object(required=required, optional=("type", "seat", *optional, *also))
    seat = node["seat"].optional(lambda n: n.one_of(players, code="unknown-seat"))
    if any(not node[key].present for key in required):
        return None
    before = len(node.problems)
    announcement = read(node, players, seat)
    return announcement if len(node.problems) == before else None


def _play(node: Node, players: tuple[str, ...], seat: str | None) -> Play:
    source = node["from"].one_of(SOURCES)
    card = node["card"].optional(read_card)
    stack = node["stack"].optional(_index)
    if source == HAND and card is None:
        node["card"].fault("required")
    if source in (SIDE, PARTNER_SIDE) and stack is None:
        node["stack"].fault("required")
    depth = node["depth"].integer(low=0, high=MOST) if node["depth"].present else 0
    return Play(source, _target(node["to"]), card, stack, depth, seat)


def _target(node: Node) -> Place | OntoSide:
    if isinstance(node.value, dict):
        node.object(required=("side",))
        return OntoSide(_index(node["side"]) if node["side"].present else 0)
    return _place(node)


def _place(node: Node) -> Place:
    if isinstance(node.value, str):
        return node.one_of((NEW,))
    return _index(node)


def _index(node: Node) -> int:
    return node.integer(low=0, high=FAR)


def _discard(node: Node, players: tuple[str, ...], seat: str | None) -> Discard:
    card = node["card"].optional(read_card)
    source = node["from"].one_of(SOURCES, default=HAND)
    if source == HAND and card is None:
        node["card"].fault("required")
    owner = node["owner"].one_of(("own", "partner", "opponent"), default="own")
    return Discard(_place(node["to"]), card, source, owner, seat)


def _refill(node: Node, players: tuple[str, ...], seat: str | None) -> Refill:
    return Refill(node["count"].integer(low=-FAR, high=FAR), seat)


def _complete(node: Node, players: tuple[str, ...], seat: str | None) -> Complete:
    return Complete(_index(node["stack"]), node["do"].one_of(("stay", "set_aside", "shuffle_now")), seat)


def _recycle(node: Node, players: tuple[str, ...], seat: str | None) -> Recycle:
    by = node["by"].one_of(("opponent", "player"))
    return Recycle(node["what"].one_of(("complete", "incomplete")), by, seat)


def _redeal(node: Node, players: tuple[str, ...], seat: str | None) -> Redeal:
    return Redeal(node["first"].one_of(players, code="unknown-seat"), seat)


def _start(node: Node, players: tuple[str, ...], seat: str | None) -> Start:
    first = node["first"].optional(lambda n: n.one_of(players, code="unknown-seat"))
    redo = node["redo"].optional(lambda n: n.one_of(("reshuffle", "bury", "redraw")))
    if (first is None) == (redo is None):
        node["first"].fault("first-or-redo")
    return Start(first, redo, seat)


def _deal(node: Node, players: tuple[str, ...], seat: str | None) -> DealCheck:
    if not any(node[key].present for key in ("stock", "payoffs", "hands", "side_stacks", "centre_stacks")):
        node["stock"].fault("required")
    stock, centre = (node[key].optional(_whole) for key in ("stock", "centre_stacks"))
    payoffs, hands, sides = (_by_player(node[key], players) for key in ("payoffs", "hands", "side_stacks"))
    return DealCheck(stock, payoffs, hands, sides, centre, seat)


def _by_player(node: Node, players: tuple[str, ...]) -> Mapping[str, int]:
    if not node.present or not node.object(others=True):
        return {}
    for key in node.value:
        if key not in players:
            node[key].fault("unknown-seat", value=key, choices=list(players))
    return {key: _whole(node[key]) for key in node.value}


def _whole(node: Node) -> int:
    return node.integer(low=-FAR, high=FAR)


_Reader = Callable[[Node, tuple[str, ...], str | None], Announcement]
_READERS: Final[Mapping[str, tuple[tuple[str, ...], tuple[str, ...], _Reader]]] = {
    "play": (("from", "to"), ("card", "stack", "depth"), _play),
    "discard": (("to",), ("card", "from", "owner"), _discard),
    "refill": (("count",), (), _refill),
    "end_turn": ((), (), lambda node, players, seat: EndTurn(seat)),
    "complete": (("stack", "do"), (), _complete),
    "recycle": (("what", "by"), (), _recycle),
    "second_chance": ((), (), lambda node, players, seat: SecondChance(seat)),
    "redeal": (("first",), (), _redeal),
    "start": ((), ("first", "redo"), _start),
    "deal": ((), ("stock", "payoffs", "hands", "side_stacks", "centre_stacks"), _deal),
    "claim_win": ((), (), lambda node, players, seat: ClaimWin(seat)),
    "claim_stalemate": ((), (), lambda node, players, seat: ClaimStalemate(seat)),
}


def plain(announcement: Announcement) -> dict[str, Any]:
    """A play, a discard or another move of a turn in the shape of the API."""
    match announcement:
        case Play(source, to, card, stack, _, _):
            target = {"side": to.side} if isinstance(to, OntoSide) else to
            named = {} if card is None else {"card": str(card)}
            pile = {} if stack is None else {"stack": stack}
            return {"type": "play", "from": source, **named, **pile, "to": target}
        case Discard(to, card, _, _, _):
            return {"type": "discard", "card": str(card), "to": to}
        case Refill(count, _):
            return {"type": "refill", "count": count}
        case Recycle(what, by, _):
            return {"type": "recycle", "what": what, "by": by}
        case Redeal(first, _):
            return {"type": "redeal", "first": first}
        case ClaimWin():
            return {"type": "claim_win"}
        case ClaimStalemate():
            return {"type": "claim_stalemate"}
        case EndTurn():
            return {"type": "end_turn"}
        case _:
            raise TypeError(announcement)

"""The moves of a deal as an address has them: two to four letters a move, so that a long deal still fits in one.

A rank and a target is a card from the hand: `52` the five onto the third centre stack, `An` the ace onto a new one.
`p708` is the seven of the pay-off pile onto the first stack, and an eight turned up after it (`-` where a card is not
known); `a51` the five on the first side stack; `f` and `g` to `j` the same piles of the partner. `s9n` discards a nine
onto a new side stack, `r5` draws five, `e` ends the turn; `_1` before a move says that the second player made it out
of turn.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

NEW: Final = "n"
UNKNOWN: Final = "-"
PAYOFF, PARTNER_PAYOFF = "p", "f"
SIDES, PARTNER_SIDES = "abcd", "ghij"
PILES: Final = PAYOFF + PARTNER_PAYOFF + SIDES + PARTNER_SIDES
TARGETS: Final = "0123456789ABCDEFGHIJKLM"
_RANKS: Final = "A234567890JQKX"
_RECYCLED: Final[Mapping[str, tuple[str, str]]] = {
    "k": ("complete", "opponent"), "l": ("incomplete", "opponent"),
    "m": ("complete", "player"), "o": ("incomplete", "player"),
}  # fmt: skip
_PIECE: Final = re.compile(
    rf"(?:_(?P<seat>\d))?(?P<body>[{_RANKS}][{TARGETS}n]|[pf][{_RANKS}-][{TARGETS}n][{_RANKS}-]|[a-dg-j][{_RANKS}-][{TARGETS}n]"
    rf"|s[{_RANKS}][0-3n]|r\d|[eklmoy]|[uw]\d)"
)


@dataclass(frozen=True, slots=True)
class Piece:
    """One move as written, and in the shape of a request."""

    text: str
    move: Mapping[str, Any]

    @property
    def ends_turn(self) -> bool:
        """Whether it is a discard or a spoken end."""
        return self.move["type"] in ("discard", "end_turn")


def rank_letter(rank: str) -> str:
    """A rank as one letter: `0` for the ten."""
    return "0" if rank == "10" else rank


def rank_of(letter: str) -> str:
    """The rank that a letter stands for; empty where the card is not known."""
    return {"0": "10", UNKNOWN: ""}.get(letter, letter)


def read_script(text: str, players: Sequence[str]) -> Iterator[Piece]:
    """The moves that a text stands for; from the first letters that are none on, nothing."""
    place = 0
    while found := _PIECE.match(text, place):
        place = found.end()
        move = move_of(found["body"], players)
        seat = found["seat"]
        if seat is not None and int(seat) < len(players):
            move["seat"] = players[int(seat)]
        yield Piece(found[0], move)


def move_of(body: str, players: Sequence[str]) -> dict[str, Any]:
    """One move in the shape of a request, with the card that was turned up where one was."""
    kind, rest = body[0], body[1:]
    if kind in _RANKS:
        return {"type": "play", "from": "hand", "card": rank_of(kind), "to": _target(rest)}
    if kind in (PAYOFF, PARTNER_PAYOFF):
        named, turned = rank_of(rest[0]), rank_of(rest[2])
        source = "payoff" if kind == PAYOFF else "partner_payoff"
        told = {"type": "play", "from": source, "to": _target(rest[1])}
        return {**told, **({"card": named} if named else {}), **({"turned": turned} if turned else {})}
    if kind in SIDES or kind in PARTNER_SIDES:
        source, stacks = ("side", SIDES) if kind in SIDES else ("partner_side", PARTNER_SIDES)
        told = {"type": "play", "from": source, "stack": stacks.index(kind), "to": _target(rest[1])}
        return {**told, **({"card": rank_of(rest[0])} if rank_of(rest[0]) else {})}
    if kind == "s":
        return {"type": "discard", "card": rank_of(rest[0]), "to": _target(rest[1])}
    if kind == "r":
        return {"type": "refill", "count": int(rest)}
    if kind in _RECYCLED:
        what, by = _RECYCLED[kind]
        return {"type": "recycle", "what": what, "by": by}
    if kind == "u":
        return {"type": "redeal", "first": players[int(rest) % len(players)]}
    if kind == "w":
        return {"type": "claim_win", "seat": players[int(rest) % len(players)]}
    return {"type": "end_turn"} if kind == "e" else {"type": "claim_stalemate"}


def grouped_turns(pieces: Sequence[Piece]) -> list[list[Piece]]:
    """The moves turn by turn: a discard or a spoken end closes one, and what belongs to nobody stands where it came."""
    turns: list[list[Piece]] = [[]]
    for piece in pieces:
        if turns[-1] and (turns[-1][-1].ends_turn or "seat" in piece.move):
            turns.append([])
        turns[-1].append(piece)
    return [turn for turn in turns if turn]


def _target(letter: str) -> int | str:
    return "new" if letter == NEW else TARGETS.index(letter)

"""Moves of a recorded deal as text, two to four characters each, so that a long deal fits into one address.

A rank and a target is a card from the hand: `52` the five onto the third centre stack, `An` the ace onto a new one.
`p708` is the seven of the pay-off pile onto the first stack, with an eight turned up after it (`-` where a card is
unknown); `a51` the five of the first side stack; `f` and `g` to `j` are the same piles of the partner. `s9n` discards
a nine onto a new side stack, `r5` draws five, `e` ends the turn. `k` and `l` recycle complete and incomplete stacks by
an opponent, `m` and `o` by the player in turn; `u0` deals again with the first player to start, `w0` claims the win
for the first player, `y` claims a stalemate. `_1` before a move says that the second player made it out of turn.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from companion.engine.cards import Card
from companion.games.spite_and_malice import announcements as n

NEW: Final = "n"
UNKNOWN: Final = "-"
PAYOFF, PARTNER_PAYOFF = "p", "f"
SIDES, PARTNER_SIDES = "abcd", "ghij"
PILES: Final = PAYOFF + PARTNER_PAYOFF + SIDES + PARTNER_SIDES
TARGETS: Final = "0123456789ABCDEFGHIJKLM"
"""Centre stacks by their index; a deal has at most twelve, a record of mistakes may have more."""
_RANKS: Final = "A234567890JQKX"
_RECYCLED: Final[Mapping[str, tuple[str, str]]] = {
    "k": ("complete", "opponent"), "l": ("incomplete", "opponent"),
    "m": ("complete", "player"), "o": ("incomplete", "player"),
}  # fmt: skip
_MOVE: Final = re.compile(
    rf"(?:_(?P<seat>\d))?(?P<body>[{_RANKS}][{TARGETS}n]|[pf][{_RANKS}-][{TARGETS}n][{_RANKS}-]|[a-dg-j][{_RANKS}-][{TARGETS}n]"
    rf"|s[{_RANKS}][0-3n]|r\d|[eklmoy]|[uw]\d)"
)


@dataclass(frozen=True, slots=True)
class Recorded:
    """One move with its text, who made it where that is written, and the pay-off card turned up after it."""

    text: str
    move: n.Announcement
    seat: str | None = None
    turned: Card | None = None

    @property
    def ends_turn(self) -> bool:
        """Return whether the move is a discard or a spoken end of the turn."""
        return isinstance(self.move, n.Discard | n.EndTurn)


def parse_moves(text: str, players: Sequence[str]) -> Iterator[Recorded]:
    """Yield the moves of a text, up to the first characters that are no move.

    >>> [str(one.move.card) for one in parse_moves("An20s5n?", ("N", "S"))]
    ['A', '2', '5']
    """
    place = 0
    while found := _MOVE.match(text, place):
        place = found.end()
        recorded = parse_move(found["body"], players)
        seat = recorded.seat
        if found["seat"] is not None and int(found["seat"]) < len(players):
            seat = players[int(found["seat"])]
        yield Recorded(found[0], recorded.move, seat, recorded.turned)


def parse_move(body: str, players: Sequence[str]) -> Recorded:
    """Return the move of one text without a seat, as `parse_moves` matches it.

    >>> parse_move("p708", ("N", "S")).turned
    Card(rank='8', suit='')
    """
    kind, rest = body[0], body[1:]
    if kind in _RANKS:
        return Recorded(body, n.Play(n.HAND, _target(rest), _card(kind)))
    if kind in (PAYOFF, PARTNER_PAYOFF):
        source = n.PAYOFF if kind == PAYOFF else n.PARTNER_PAYOFF
        return Recorded(body, n.Play(source, _target(rest[1]), _card(rest[0])), turned=_card(rest[2]))
    if kind in SIDES or kind in PARTNER_SIDES:
        source, stacks = (n.SIDE, SIDES) if kind in SIDES else (n.PARTNER_SIDE, PARTNER_SIDES)
        return Recorded(body, n.Play(source, _target(rest[1]), _card(rest[0]), stacks.index(kind)))
    if kind == "s":
        return Recorded(body, n.Discard(_target(rest[1]), _card(rest[0])))
    if kind == "r":
        return Recorded(body, n.Refill(int(rest)))
    if kind in _RECYCLED:
        return Recorded(body, n.Recycle(*_RECYCLED[kind]))
    if kind == "u":
        return Recorded(body, n.Redeal(players[int(rest) % len(players)]))
    if kind == "w":
        return Recorded(body, n.ClaimWin(), players[int(rest) % len(players)])
    return Recorded(body, n.EndTurn() if kind == "e" else n.ClaimStalemate())


def format_move(move: n.Announcement, players: Sequence[str], *, turned: Card | None = None, seat: str = "") -> str:
    """Return a move as text; `seat` claims a win. Raises ValueError for a move that has no notation.

    >>> format_move(n.Play(n.PAYOFF, 0, Card("7")), ("N", "S"), turned=Card("8"))
    'p708'
    >>> format_move(n.Redeal("S"), ("N", "S"))
    'u1'
    """
    match move:
        case n.Play(n.HAND, int() | str() as to, Card() as card):
            return rank_letter(card) + _target_letter(to)
        case n.Play(n.PAYOFF | n.PARTNER_PAYOFF as source, int() | str() as to, card):
            pile = PAYOFF if source == n.PAYOFF else PARTNER_PAYOFF
            return pile + rank_letter(card) + _target_letter(to) + rank_letter(turned)
        case n.Play(n.SIDE | n.PARTNER_SIDE as source, int() | str() as to, card, int() as stack):
            stacks = SIDES if source == n.SIDE else PARTNER_SIDES
            return stacks[stack] + rank_letter(card) + _target_letter(to)
        case n.Discard(to, Card() as card):
            return f"s{rank_letter(card)}{_target_letter(to)}"
        case n.Refill(count):
            return f"r{count}"
        case n.Recycle(what, by):
            return next(letter for letter, recycled in _RECYCLED.items() if recycled == (what, by))
        case n.Redeal(first):
            return f"u{players.index(first)}"
        case n.ClaimWin():
            return f"w{players.index(seat)}"
        case n.EndTurn():
            return "e"
        case n.ClaimStalemate():
            return "y"
    raise ValueError(move)


def rank_letter(card: Card | None) -> str:
    """Return the rank of a card as one character: `0` for the ten, `-` for an unknown card."""
    return UNKNOWN if card is None else "0" if card.rank == "10" else card.rank


def group_turns(moves: Sequence[Recorded]) -> list[list[Recorded]]:
    """Return the moves turn by turn; a discard, a spoken end or a move out of turn closes a turn.

    >>> [len(turn) for turn in group_turns(list(parse_moves("An20s5nr1e", ("N", "S"))))]
    [3, 2]
    """
    turns: list[list[Recorded]] = [[]]
    for one in moves:
        if turns[-1] and (turns[-1][-1].ends_turn or one.seat is not None):
            turns.append([])
        turns[-1].append(one)
    return [turn for turn in turns if turn]


def _card(letter: str) -> Card | None:
    return None if letter == UNKNOWN else Card("10" if letter == "0" else letter)


def _target(letter: str) -> n.Place:
    return n.NEW if letter == NEW else TARGETS.index(letter)


def _target_letter(to: n.Place) -> str:
    return TARGETS[to] if isinstance(to, int) else NEW

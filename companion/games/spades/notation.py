"""Calls and plays as text, both ways, as addresses, tests and people write them.

A call is a number or a word, then what is known beside it: `nil@1` is the nil of the second member of the side that
announces, `5*2` a call of the third caller out of turn, `double_nil-n` a call made without having looked (`-y`: after).
A play is a card, and `9H-2` names the third seat where it was not that seat's turn.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from companion.engine.cards import Card, read_card
from companion.games.spades.calls import Bids
from companion.games.spades.table import JOKERS, NORMAL, Call, Played, Table, pack_of, parse_word
from companion.games.spades.tricks import next_to_play

MAX_CALLS: Final = 16
_LOOKED: Final = {"y": True, "n": False}


@dataclass(frozen=True, slots=True)
class CallText:
    """A call as it is written, before it is known whose turn it is; `member` and `caller` are indexes."""

    word: str
    number: int | None = None
    member: int | None = None
    caller: int | None = None
    looked: bool | None = None


def parse_call(text: str) -> CallText | None:
    """Return the call that a text spells, or None.

    >>> parse_call("nil@1")
    CallText(word='nil', number=None, member=1, caller=None, looked=None)
    >>> parse_call("blind_7*2-n")
    CallText(word='blind', number=7, member=None, caller=2, looked=False)
    >>> parse_call("5")
    CallText(word='normal', number=5, member=None, caller=None, looked=None)
    >>> parse_call("maybe") is None
    True
    """
    rest, _, looked = text.partition("-")
    rest, _, caller = rest.partition("*")
    spoken, _, member = rest.partition("@")
    number = int(spoken) if spoken.isascii() and spoken.isdecimal() and len(spoken) < 3 else None
    read = parse_word(spoken) if number is None else (NORMAL, number)
    return None if read is None else CallText(*read, _index(member), _index(caller), _LOOKED.get(looked))


def format_call(
    spoken: int | str, *, member: int | None = None, caller: int | None = None, looked: bool | None = None
) -> str:
    """Return a call as text.

    >>> format_call("nil", member=1)
    'nil@1'
    >>> format_call("blind_7", caller=2, looked=False)
    'blind_7*2-n'
    """
    known = {True: "-y", False: "-n", None: ""}[looked]
    return f"{spoken}{'' if member is None else f'@{member}'}{'' if caller is None else f'*{caller}'}{known}"


def place_call(bids: Bids, text: str) -> Call | None:
    """Return the call that a text spells after the calls so far, given to whose turn it is; None if it is none."""
    read = parse_call(text)
    if read is None:
        return None
    seat, side = bids.caller(read.caller)
    if read.member is not None and bids.by_sides:
        members = bids.table.members(side)
        seat = members[read.member % len(members)]
    return Call(read.word, read.number, seat, side, read.looked)


def parse_calls(table: Table, texts: Iterable[str]) -> Bids:
    """Return the bidding that these texts spell; unreadable ones, and any after the end, are skipped."""
    bids = Bids(table, ())
    for text in list(texts)[:MAX_CALLS]:
        call = None if bids.over else place_call(bids, text)
        if call is not None:
            bids = Bids(table, (*bids.calls, call))
    return bids


def parse_play(text: str) -> tuple[Card, int | None] | None:
    """Return the card of a play and the index of the seat it names, or None.

    >>> parse_play("9H-2")
    (Card(rank='9', suit='H'), 2)
    >>> parse_play("BJ")
    (Card(rank='BJ', suit=''), None)
    >>> parse_play("11H") is None
    True
    """
    spelled, _, place = text.partition("-")
    try:
        return read_card(spelled, jokers=JOKERS), _index(place)
    except ValueError:
        return None


def format_play(card: Card, seat: int | None = None) -> str:
    """Return a play as text.

    >>> format_play(Card("9", "H"), 2)
    '9H-2'
    """
    return str(card) if seat is None else f"{card}-{seat}"


def parse_plays(table: Table, texts: Iterable[str], leader: str | None) -> tuple[Played, ...]:
    """Return the plays that these texts spell, each by whose turn it was or by the seat it names.

    `leader` leads to the first trick; the first seat does where nobody knows. Cards that are unreadable, not in the
    pack or played before are skipped, and so is what follows the last trick.
    """
    plays: list[Played] = []
    seen: set[Card] = set()
    cards = pack_of(table.rules).cards
    for text in texts:
        read = parse_play(text)
        if read is None or read[0] in seen or read[0] not in cards:
            continue
        card, place = read
        named = place is not None and place < len(table.seats)
        seat = table.seats[place or 0] if named else next_to_play(table, plays, leader) or table.seats[0]
        plays.append(Played(seat, card))
        seen.add(card)
    return tuple(plays[: table.rules.tricks * len(table.seats)])


def _index(text: str) -> int | None:
    return int(text) if text.isdecimal() and len(text) == 1 else None

"""Cards and suits; texts that people write: what cannot be shown, quoted at length; signs of numbers."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cache, lru_cache
from typing import Final

_JOINERS: Final = "\u200c\u200d"
_TAGS: Final = range(0xE0020, 0xE0080)
_MAX_QUOTED: Final = 60


def is_control(sign: str) -> bool:
    """Return whether a character controls how others are shown; those that join parts of an emoji do not count."""
    if unicodedata.category(sign) == "Cf":
        return sign not in _JOINERS and ord(sign) not in _TAGS
    return unicodedata.category(sign) in ("Cc", "Zl", "Zp")


@cache
def control_pattern() -> str:
    """Return the members of a regular expression's character class that `is_control` is true of.

    Only those with at most four digits, which every dialect of JSON Schema's patterns can write.
    """
    controls = [place for place in range(0x10000) if is_control(chr(place))]
    starts = [place for place in controls if place - 1 not in controls]
    ends = [place for place in controls if place + 1 not in controls]
    return "".join(
        f"\\u{start:04x}" if start == end else f"\\u{start:04x}-\\u{end:04x}"
        for start, end in zip(starts, ends, strict=True)
    )


def is_encodable(text: str) -> bool:
    """Return whether a text has no lone surrogates."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def quoted(value: object) -> object:
    """Return a value as a problem quotes it: long texts cut, huge numbers left out."""
    if isinstance(value, int) and not isinstance(value, bool) and value.bit_length() > 64:
        return "…"
    return value if not isinstance(value, str) or len(value) <= _MAX_QUOTED else value[:_MAX_QUOTED] + "…"


BYTE_ORDER_MARK: Final = "\ufeff"
"""Begins a table for spreadsheets, which else take names in other writing than Latin for something else."""


def is_wide(sign: str) -> bool:
    """Return whether a character takes two columns where text is set in columns."""
    return unicodedata.east_asian_width(sign) in "WF"


def columns(text: str) -> int:
    """Return how many columns a text takes."""
    return sum(2 if is_wide(sign) else 1 for sign in text)


def number_text(value: float, form: str = "") -> str:
    """Return a number with a real minus sign, in the form of a format specification."""
    return format(value, form).replace("-", "−")


def signed_text(value: int) -> str:
    """Return points with their sign: `+50`, `−100`, `±0`."""
    return number_text(value, "+") if value else "±0"


SUITS = "SHDC"
RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")

PIPS = {rank: place for place, rank in enumerate(RANKS, start=1)}

_GLYPHS = str.maketrans({"♠": "S", "♥": "H", "♦": "D", "♣": "C", "♤": "S", "♡": "H", "♢": "D", "♧": "C"})
_INVISIBLE = dict.fromkeys([0xFE0E, 0xFE0F])


@dataclass(frozen=True, slots=True, order=True)
class Card:
    """A card by rank and suit; a joker has its own rank (`BJ`, `LJ`, `X`) and no suit, as have cards with numbers."""

    rank: str
    suit: str = ""
    pips: int = field(init=False, repr=False, compare=False)
    """The number of the rank, ace 1 to king 13; 0 for a joker."""
    _hash: int = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "pips", PIPS.get(self.rank) or int(self.rank if self.rank.isdecimal() else 0))
        object.__setattr__(self, "_hash", hash((self.rank, self.suit)))

    def __hash__(self) -> int:  # cards live in sets: a replay asks for thousands of these
        return self._hash

    def __str__(self) -> str:
        return self.rank + self.suit


_CARDS = {(rank, suit): Card(rank, suit) for suit in SUITS for rank in RANKS}
"""One object for each card: a replay looks thousands of them up, and what is the same is found without comparing."""


def pack(suits: str = SUITS, ranks: Iterable[str] = RANKS) -> tuple[Card, ...]:
    """Return all cards of the given suits and ranks, suit by suit; 52 without arguments."""
    kept = tuple(ranks)
    return tuple(_CARDS[rank, suit] for suit in suits for rank in kept)


@lru_cache(maxsize=1024)
def read_card(text: str, *, jokers: tuple[str, ...] = (), bare_ranks: bool = False) -> Card:
    """Return the card that a text names: `10H`, `th`, `♥10`, `１０Ｈ`.

    `jokers` names the jokers of the game (`BJ`, `LJ` or `X`); with `bare_ranks` a rank alone is a card without a suit.
    Raises ValueError for what no card looks like.
    """
    word = unicodedata.normalize("NFKC", text).translate(_GLYPHS).translate(_INVISIBLE).strip().upper()
    if "X" in jokers and word in ("X", "JK", "JOKER"):
        return Card("X")
    if word in jokers:
        return Card(word)
    for rank, suit in ((word[:-1], word[-1:]), (word[1:], word[:1])):
        rank = "10" if rank == "T" else rank
        if (rank, suit) in _CARDS:
            return _CARDS[rank, suit]
    rank = "10" if word == "T" else word
    if bare_ranks and rank in PIPS:
        return Card(rank)
    raise ValueError(text)


def card_pattern(jokers: tuple[str, ...], *, bare_ranks: bool) -> str:
    """Return a regular expression for the usual spellings of a card: any case, full-width, suit signs, `T` for 10.

    All that match are read by `read_card`, which reads a few more, such as those with spaces around them.
    """
    rank = f"(?:{_spelt('10')}|[{_widths('23456789ATJQK')}])"
    suit = f"(?:[{_widths(SUITS)}]|[♠♥♦♣♤♡♢♧][\ufe0e\ufe0f]?)"
    named = [f"{rank}{suit}", f"{suit}{rank}", *map(_spelt, jokers)]
    if "X" in jokers:
        named += [_spelt("JK"), _spelt("JOKER")]
    return f"^(?:{'|'.join([*named, rank] if bare_ranks else named)})$"


def _spelt(word: str) -> str:
    return "".join(f"[{_widths(sign)}]" for sign in word)


def _widths(signs: str) -> str:
    """Return signs in upper and lower case, ASCII and full-width."""
    cased = "".join(dict.fromkeys(signs + signs.lower()))
    return cased + "".join(chr(ord(sign) + 0xFEE0) for sign in cased)

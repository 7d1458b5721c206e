"""How the values of facts are printed: numbers, cards, names, lists, and the words that a language has for them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

Facts = Mapping[str, object]

TEXT_STYLE = "\ufe0e"
GLYPHS = {"S": "♠" + TEXT_STYLE, "H": "♥" + TEXT_STYLE, "D": "♦" + TEXT_STYLE, "C": "♣" + TEXT_STYLE}
"""Suit signs with the mark that keeps them from being drawn as coloured pictures."""

NAMES = frozenset(
    {
        "by",
        "counts",
        "dealer",
        "key",
        "leader",
        "next",
        "owner",
        "partner",
        "player",
        "players",
        "reason",
        "seat",
        "seats",
    }
    | {"side", "sides", "winner", "winners"}
)
"""Facts that people wrote or chose themselves: printed as they are, even where they look like a card."""

_CARD = re.compile(r"(A|[2-9]|10|[JQK])([SHDC])")
_SUIT_SIGN = re.compile(rf"([♠♥♦♣]){TEXT_STYLE}?")


@dataclass(frozen=True, slots=True, eq=False)
class Vocabulary:
    """The words that one game in one language has for the values of facts."""

    lang: str = "en"
    separator: str = ", "
    words: Mapping[str, str] = field(default_factory=dict)
    """Words for values whatever the fact is called: `none`, `yes`, `no`, `nil`."""
    by_fact: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    """Words for the values of one fact; the choices of an option under the option's name."""
    labels: Mapping[str, str] = field(default_factory=dict)
    """Labels of the options by their names."""

    def show(self, name: str, value: object) -> str:
        """A fact's value in words."""
        if type(value) is int:
            return number_text(value)
        if isinstance(value, str):
            return value if name in NAMES else self.word(name, value)
        if value is None or isinstance(value, bool):
            return self.word(name, "none" if value is None else "yes" if value else "no")
        if isinstance(value, Mapping):
            return self.separator.join(f"{key} {self.show(name, item)}" for key, item in value.items())
        if isinstance(value, list | tuple | set | frozenset):
            return self.separator.join(self.show(name, item) for item in value)
        return self.show(name, str(value))

    def word(self, name: str, value: str) -> str:
        """The word for a value: by the fact's name, for any fact, as a card, or the value itself."""
        known = self.by_fact.get(name, {}).get(value) or self.words.get(value)
        return with_text_style(known) if known else card_text(value)


def number_text(value: int) -> str:
    """A whole number with a real minus sign."""
    return str(value) if value >= 0 else f"−{-value}"


def signed_text(value: int) -> str:
    """A whole number with its sign, for points: `+50`, `−100`, `±0`."""
    return f"+{value}" if value > 0 else f"−{-value}" if value else "±0"


def card_text(code: str) -> str:
    """A card code as people read it: `10H` becomes `10♥︎`; what is no card of a suit stays as it is."""
    found = _CARD.fullmatch(code)
    return found[1] + GLYPHS[found[2]] if found else code


def with_text_style(text: str) -> str:
    """Return text whose suit signs are all marked to be drawn as text."""
    return _SUIT_SIGN.sub(rf"\1{TEXT_STYLE}", text)

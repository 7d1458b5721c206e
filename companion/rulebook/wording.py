"""Templates of sentences: facts in braces, plurals, suits and cards, and words that stand only where a fact does.

{name}                    the fact, in the language's way: 10♥︎, −50, a list, a known word
{count:trick|tricks}      "1 trick", "3 tricks"
{led:suit}                a format by name, see FORMATS
{player?{player}: }       only where the fact is there and not zero, empty or no; `|` parts what stands otherwise
{call=moon?a|b}           only where the fact is this word
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

Facts = Mapping[str, Any]
Part = str | Callable[[Facts], str]

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
_NAME = re.compile(r"[a-z_][a-z0-9_]*")


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """The words that templates of one game in one language fall back on for the values of facts."""

    separator: str = ", "
    words: Mapping[str, str] = field(default_factory=dict)
    """Words for values whatever the fact is called: `none`, `yes`, `no`, `nil`."""
    by_fact: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    """Words for the values of one fact; the choices of an option under the option's name."""
    labels: Mapping[str, str] = field(default_factory=dict)
    """Labels of the options by their names."""

    def show(self, name: str, value: Any) -> str:
        """A fact's value in words."""
        if type(value) is int:
            return number_text(value)
        if isinstance(value, str):
            return value if name in NAMES else self.word(name, value)
        if value is None or isinstance(value, bool):
            return self.word(name, {None: "none", True: "yes", False: "no"}[value])
        if isinstance(value, Mapping):
            return self.separator.join(f"{key} {self.show(name, item)}" for key, item in value.items())
        if isinstance(value, list | tuple | set | frozenset):
            return self.separator.join(self.show(name, item) for item in value)
        return self.show(name, str(value))

    def word(self, name: str, value: str) -> str:
        """The word for a value: by the fact's name, for any fact, as a card, or the value itself."""
        known = self.by_fact.get(name, {}).get(value) or self.words.get(value)
        return _SUIT_SIGN.sub(rf"\1{TEXT_STYLE}", known) if known else card_text(value)


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


def _suit(vocabulary: Vocabulary, name: str, facts: Facts) -> str:
    code = facts.get(name)
    return vocabulary.words.get(f"suit-{code}", str(code))


def _option(vocabulary: Vocabulary, name: str, facts: Facts) -> str:
    value = facts.get(name)
    names = value if isinstance(value, list | tuple) else [value]
    return vocabulary.separator.join(vocabulary.labels.get(str(item), str(item)) for item in names)


def _value(vocabulary: Vocabulary, name: str, facts: Facts) -> str:
    value = facts.get(name)
    if isinstance(value, bool):
        return vocabulary.words.get("on" if value else "off", str(value))
    return vocabulary.show(str(facts.get("option", name)), value)


def _nth(vocabulary: Vocabulary, name: str, facts: Facts) -> str:
    value = facts.get(name)
    return str(value + 1) if type(value) is int else vocabulary.show(name, value)


FORMATS: dict[str, Callable[[Vocabulary, str, Facts], str]] = {
    "suit": _suit,
    "text": lambda vocabulary, name, facts: str(facts.get(name, "")),
    "signed": lambda vocabulary, name, facts: signed_text(facts.get(name, 0)),
    "option": _option,
    "value": _value,
    "nth": _nth,
}
"""The named formats: a suit's name; a text as it is; points with their sign; an option's label; a value of the option
that the fact `option` names; a place counted from 1, as people count."""


class Template:
    """A sentence with places for facts, ready to be filled many times."""

    __slots__ = ("_parts", "names", "needed", "source", "vocabulary")

    def __init__(self, source: str, vocabulary: Vocabulary) -> None:
        self.source = source = _SUIT_SIGN.sub(rf"\1{TEXT_STYLE}", source)
        self.vocabulary = vocabulary
        self.names: set[str] = set()
        """Every fact that the template mentions."""
        self.needed: set[str] = set()
        """The facts without which it has a hole."""
        parts, end = self._read(0, 0, needed=True)
        if end != len(source):
            raise ValueError(f"stray brace at {end} in {source!r}")
        self._parts = parts

    def __call__(self, facts: Facts) -> str:
        """The sentence with these facts; a fact that is not there leaves nothing behind."""
        return "".join([part if part.__class__ is str else part(facts) for part in self._parts])  # type: ignore[operator]

    def _read(self, at: int, depth: int, *, needed: bool) -> tuple[tuple[Part, ...], int]:
        parts: list[Part] = []
        source, start = self.source, at
        while at < len(source) and not (source[at] == "}" or (depth and source[at] == "|")):
            if source[at] != "{":
                at += 1
                continue
            if at > start:
                parts.append(source[start:at])
            part, at = self._field(at + 1, depth, needed)
            parts.append(part)
            start = at
        if at > start:
            parts.append(source[start:at])
        return tuple(parts), at

    def _field(self, at: int, depth: int, needed: bool) -> tuple[Part, int]:
        found = _NAME.match(self.source, at)
        if not found:
            raise ValueError(f"no name at {at} in {self.source!r}")
        name, at = found[0], found.end()
        self.names.add(name)
        sign = self.source[at : at + 1]
        if sign in ("?", "="):
            return self._condition(name, at, depth)
        if needed:
            self.needed.add(name)
        end = self.source.find("}", at)
        if sign not in (":", "}") or end < 0:
            raise ValueError(f"unfinished field {name!r} in {self.source!r}")
        return self._filler(name, self.source[at + 1 : end] if sign == ":" else ""), end + 1

    def _condition(self, name: str, at: int, depth: int) -> tuple[Part, int]:
        mark = self.source.find("?", at)
        wanted = self.source[at + 1 : mark] if self.source[at] == "=" else None
        yes, at = self._read(mark + 1, depth + 1, needed=False)
        no: tuple[Part, ...] = ()
        if self.source[at : at + 1] == "|":
            no, at = self._read(at + 1, depth + 1, needed=False)
        if mark < 0 or self.source[at : at + 1] != "}":
            raise ValueError(f"unfinished condition on {name!r} in {self.source!r}")

        def choose(facts: Facts) -> str:
            value = facts.get(name)
            holds = bool(value) if wanted is None else _plain(value) == wanted
            return "".join([part if isinstance(part, str) else part(facts) for part in (yes if holds else no)])

        return choose, at + 1

    def _filler(self, name: str, form: str) -> Part:
        vocabulary = self.vocabulary
        if "|" in form:
            one, many = form.split("|")
            return lambda facts: (
                f"{vocabulary.show(name, facts.get(name))} {one if facts.get(name) in (1, -1) else many}"
            )
        if form:
            shape = FORMATS[form]
            return lambda facts: shape(vocabulary, name, facts)

        def fill(facts: Facts) -> str:
            if name not in facts:
                return ""
            value = facts[name]
            return str(value) if type(value) is int and value >= 0 else vocabulary.show(name, value)

        return fill


def _plain(value: Any) -> str:
    return {None: "none", True: "yes", False: "no"}[value] if value is None or isinstance(value, bool) else str(value)

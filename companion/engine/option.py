"""One option: its type and range, default, unit and permanent key, and how it is read and written."""

from __future__ import annotations

import itertools
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from companion.engine.cards import Card, read_card
from companion.engine.reading import Node

Value: TypeAlias = Any
"""The value of an option: a flag, a number, a word, or a tuple of cards or words."""
Declared: TypeAlias = Any
"""The default of a field of a rules dataclass, which type checkers take for the value itself."""
LISTS = ("cards", "words")


@dataclass(frozen=True, slots=True)
class Option:
    """One option: its type and range, its default, its permanent key in short codes, its articles."""

    name: str
    kind: str
    key: str
    default: Value
    articles: tuple[str, ...]
    unit: str | None = None
    low: int | None = None
    high: int | None = None
    nullable: bool = False
    choices: tuple[str, ...] = ()
    offers: tuple[int, ...] = ()
    """Numbers to choose from where none can be typed: below zero, which a phone's number keys cannot write."""
    advisory: bool = False
    """Whether the option changes only advice to the players, no score and no verdict."""

    @property
    def article(self) -> str:
        """Return the first article that explains the option."""
        return self.articles[0]

    def plain(self, value: Value) -> Value:
        """Return the JSON value."""
        return [str(item) for item in value] if self.kind in LISTS else value

    def read(self, node: Node) -> Value:
        """Return the checked value of a node. Problems are recorded there."""
        if node.value is None and self.nullable:
            return None
        if self.kind == "flag":
            return node.flag()
        if self.kind == "number":
            return self._read_number(node)
        if self.kind == "cards":
            return self._read_cards(node)
        if self.kind == "words":
            return self._read_words(node)
        return node.one_of(self.choices)

    def _read_number(self, node: Node) -> int:
        value = node.integer(low=self.low, high=self.high, article=self.article)
        if self.choices and value == node.value and str(value) not in self.choices:
            node.fault("choice", self.article, value=value, choices=[int(word) for word in self.choices])
        return value

    def _read_words(self, node: Node) -> tuple[str, ...]:
        faults = len(node.problems)
        words = tuple(item.one_of(self.choices) for item in node.items(least=self.low or 0, most=len(self.choices)))
        if len(node.problems) == faults and len(set(words)) != len(words):
            node.fault("choice", self.article, value=list(words), choices=list(self.choices))
        return tuple(word for word in self.choices if word in words)

    def _read_cards(self, node: Node) -> tuple[Card, ...]:
        faults = len(node.problems)
        cards = tuple(item.card() for item in node.items(least=self.low or 0, most=self.high or 52))
        unfit = any(str(card) not in self.choices for card in cards) or len(set(cards)) != len(cards)
        if len(node.problems) == faults and unfit:
            node.fault("choice", self.article, value=[str(card) for card in cards], choices=list(self.choices))
        return cards

    def possible(self, wanted: Collection[Value] = ()) -> Iterator[Value]:
        """Return possible values, the default first; of numbers only the default and those in `wanted`."""
        if self.kind == "words":
            yield from wanted
        yield self.default
        if self.kind == "flag":
            yield not self.default
        elif self.kind == "number":
            yield from (int(word) for word in self.choices)
            yield from (value for value in wanted if type(value) is int)
            if self.nullable:
                yield None
        elif self.kind == "cards":
            cards = [read_card(word) for word in self.choices]
            sizes = range(self.low or 0, (self.high or len(cards)) + 1)
            yield from (hand for size in sizes for hand in itertools.combinations(cards, size))
        elif self.kind == "words":
            yield from ((word,) for word in self.choices)
        else:
            yield from self.choices

    def encode(self, value: Value) -> str:
        """Return the value as a short code writes it."""
        if value is None:
            return "x"
        if self.kind == "flag":
            return "1" if value else "0"
        return ".".join(map(str, value)) if self.kind in LISTS else str(value)

    def decode(self, text: str) -> Value:
        """Return the JSON value of a short code's text; a text that has none is returned for `read` to refuse."""
        if text == "x" and self.nullable:
            return None
        if self.kind == "flag":
            return {"1": True, "0": False}.get(text, text)
        if self.kind == "number":
            sign, digits = (-1, text[1:]) if text.startswith("-") else (1, text)
            return sign * int(digits) if digits.isascii() and digits.isdigit() and len(digits) < 10 else text
        return [part for part in text.split(".") if part] if self.kind in LISTS else text


def flag(default: bool, *, key: str, articles: Collection[str], advisory: bool = False) -> Declared:
    """Declare a yes or no."""
    return field(
        default=default, metadata={"kind": "flag", "key": key, "articles": tuple(articles), "advisory": advisory}
    )


def number(
    default: int | None, low: int, high: int, *, key: str, articles: Collection[str], unit: str, nullable: bool = False,
    offers: Collection[int] = (),
) -> Declared:  # fmt: skip
    """Declare a whole number with its range and unit; with `nullable` it may be none.

    One that can be below zero has `offers`, the numbers that a form offers.
    """
    return field(
        default=default,
        metadata={
            "kind": "number", "key": key, "articles": tuple(articles), "unit": unit,
            "low": low, "high": high, "nullable": nullable, "offers": tuple(offers),
        },
    )  # fmt: skip


def choice(
    *choices: str, key: str, articles: Collection[str], default: str | None = None, advisory: bool = False
) -> Declared:
    """Declare one of several words; the first is the default unless another is named."""
    return field(
        default=default or choices[0],
        metadata={"kind": "choice", "key": key, "articles": tuple(articles), "choices": choices, "advisory": advisory},
    )


def card_list(default: str, *, among: str, least: int, most: int, key: str, articles: Collection[str]) -> Declared:
    """Declare a list of different cards in order, written with spaces: `"2C 2D"`."""
    return field(
        default=tuple(read_card(word) for word in default.split()),
        metadata={
            "kind": "cards", "key": key, "articles": tuple(articles), "low": least, "high": most,
            "choices": tuple(among.split()),
        },
    )  # fmt: skip


def one_number(
    default: int | None, *choices: int, key: str, articles: Collection[str], unit: str, nullable: bool = False
) -> Declared:
    """Declare one of a few whole numbers; with `nullable` it may be none."""
    return field(
        default=default,
        metadata={
            "kind": "number", "key": key, "articles": tuple(articles), "unit": unit, "nullable": nullable,
            "low": min(choices), "high": max(choices), "choices": tuple(map(str, choices)),
        },
    )  # fmt: skip


def word_list(*default: str, among: Collection[str], least: int, key: str, articles: Collection[str]) -> Declared:
    """Declare a selection of words, always kept in the order of `among`; nothing is named twice."""
    return field(
        default=default,
        metadata={"kind": "words", "key": key, "articles": tuple(articles), "low": least, "choices": tuple(among)},
    )

"""One option: its type and range, default, unit and permanent key, and how it is read and written."""

from __future__ import annotations

import itertools
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from typing import Any, TypeAlias, TypeVar

from companion.engine import shapes
from companion.engine.cards import Card, read_card
from companion.engine.shapes import Json, JsonSchema, Read, ReadContext, Refer, fault

T = TypeVar("T")
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

    def field(self) -> shapes.Field[Value]:
        """Return the field that reads the JSON value and describes it."""
        if self.kind == "flag":
            return shapes.Flag()
        if self.kind == "number" and self.choices:
            return _OneNumber(tuple(map(int, self.choices)), article=self.article, nullable=self.nullable)
        if self.kind == "number":
            return shapes.Integer(low=self.low, high=self.high, article=self.article, nullable=self.nullable)
        if self.kind == "cards":
            return _Cards(self.choices, least=self.low or 0, most=self.high or 52, article=self.article)
        if self.kind == "words":
            return _Words(self.choices, least=self.low or 0, article=self.article)
        return shapes.Word(self.choices)

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


class _OneNumber(shapes.Integer):
    """One of a few whole numbers."""

    def __init__(self, choices: tuple[int, ...], *, article: str, nullable: bool) -> None:
        super().__init__(low=min(choices), high=max(choices), article=article, nullable=nullable)
        self.choices = choices

    def take(self, value: Json, context: ReadContext) -> int:
        number = super().take(value, context)
        if number not in self.choices:
            raise fault("choice", self.article, value=number, choices=list(self.choices))
        return number

    def json_schema(self, refer: Refer) -> JsonSchema:
        return {"type": "integer", "enum": list(self.choices)}


class _Selection(shapes.ListOf[T]):
    """Different items out of those that there are."""

    def __init__(self, item: shapes.Field[T], among: tuple[str, ...], *, least: int, most: int, article: str) -> None:
        super().__init__(item, least=least, most=most, article=article)
        self.among = among

    def take(self, value: Json, context: ReadContext) -> tuple[T, ...]:
        return self._selected(super().take(value, context))

    def reader(self) -> Read[tuple[T, ...]]:
        read_list = super().reader()
        return lambda value, context: self._selected(read_list(value, context))

    def json_schema(self, refer: Refer) -> JsonSchema:
        item = {"type": "string", "enum": list(self.among)}
        return {"type": "array", "items": item, "minItems": self.least, "maxItems": self.most, "uniqueItems": True}

    def _selected(self, items: tuple[T, ...]) -> tuple[T, ...]:
        words = list(map(str, items))
        if len(set(words)) != len(words) or not set(words) <= set(self.among):
            raise fault("choice", self.article, value=words, choices=list(self.among))
        return items


class _Cards(_Selection[Card]):
    """Different cards, in the order given."""

    def __init__(self, among: tuple[str, ...], *, least: int, most: int, article: str) -> None:
        super().__init__(shapes.CardField(), among, least=least, most=most, article=article)


class _Words(_Selection[str]):
    """Different words, always in the order in which they are declared."""

    def __init__(self, among: tuple[str, ...], *, least: int, article: str) -> None:
        super().__init__(shapes.Word(among), among, least=least, most=len(among), article=article)

    def _selected(self, items: tuple[str, ...]) -> tuple[str, ...]:
        selected = super()._selected(items)
        return tuple(word for word in self.among if word in selected)


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

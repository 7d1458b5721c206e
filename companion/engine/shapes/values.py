"""Fields of single values: numbers, texts, words of a list, seats, cards."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import TypeAlias, Unpack

from companion.engine.cards import Card, card_pattern, read_card
from companion.engine.characters import control_pattern, is_control, is_encodable, quoted
from companion.engine.shapes.base import (
    MAX_TEXT,
    Field,
    FieldOptions,
    Json,
    JsonSchema,
    Limit,
    ReadContext,
    Refer,
    Write,
    fault,
)


class IntegerOptions(FieldOptions, total=False):
    """The options of a whole number."""

    low: Limit
    high: Limit
    code: str


class Integer(Field[int]):
    """A whole number; a fraction, a text or a boolean is none. Limits may depend on the context."""

    expected = "integer"
    json_types = (int,)

    def __init__(
        self,
        describe: str = "",
        *,
        low: Limit = None,
        high: Limit = None,
        code: str = "range",
        **common: Unpack[FieldOptions],
    ) -> None:
        super().__init__(describe, **common)
        self.low, self.high, self.code = low, high, code

    def take(self, value: Json, context: ReadContext) -> int:
        if type(value) is not int:
            raise self.make_error("type")
        low = self.low(context) if callable(self.low) else self.low
        high = self.high(context) if callable(self.high) else self.high
        if (low is not None and value < low) or (high is not None and value > high):
            depends = callable(self.low) or callable(self.high)
            raise fault(self.code, self.article, contextual=depends, value=quoted(value), low=low, high=high)
        return value

    @property
    def plain(self) -> type | None:
        return int if self.low is None and self.high is None and type(self).take is Integer.take else None

    def json_schema(self, refer: Refer) -> JsonSchema:
        limits = {"minimum": self.low, "maximum": self.high}
        return {"type": "integer", **{name: limit for name, limit in limits.items() if type(limit) is int}}


class Count(Integer):
    """A number of cards, tricks or the like, from 0."""

    def __init__(
        self, describe: str = "", *, high: Limit = None, low: Limit = 0, **common: Unpack[FieldOptions]
    ) -> None:
        super().__init__(describe, low=low, high=high, **common)


class Points(Integer):
    """Points, within what a sheet can hold."""

    def __init__(self, describe: str = "", *, most: int = 1_000_000, **common: Unpack[FieldOptions]) -> None:
        common["unit"] = "points"
        super().__init__(describe, low=-most, high=most, **common)


class Flag(Field[bool]):
    """A yes or no."""

    expected = "boolean"
    json_types = (bool,)

    def take(self, value: Json, context: ReadContext) -> bool:
        if type(value) is not bool:
            raise self.make_error("type")
        return value

    @property
    def plain(self) -> type | None:
        return bool

    def json_schema(self, refer: Refer) -> JsonSchema:
        return {"type": "boolean"}


class TextOptions(FieldOptions, total=False):
    """The options of a text."""

    most: int


class Text(Field[str]):
    """A text of at most so many characters."""

    expected = "text"
    json_types = (str,)

    def __init__(self, describe: str = "", *, most: int = MAX_TEXT, **common: Unpack[FieldOptions]) -> None:
        super().__init__(describe, **common)
        self.most = most

    def take(self, value: Json, context: ReadContext) -> str:
        if not isinstance(value, str):
            raise self.make_error("type")
        if len(value) > self.most or not (value.isascii() or is_encodable(value)):
            raise fault("length", least=0, most=self.most, count=len(value))
        return value

    def json_schema(self, refer: Refer) -> JsonSchema:
        return {"type": "string", "maxLength": self.most}


class Name(Text):
    """A text that names somebody or something: no control characters, no marks that change the writing direction."""

    def __init__(self, describe: str = "", *, most: int = 60, **common: Unpack[FieldOptions]) -> None:
        super().__init__(describe, most=most, **common)

    def take(self, value: Json, context: ReadContext) -> str:
        name = super().take(value, context)
        if not name.isprintable() and any(is_control(sign) for sign in name):
            raise fault("hidden-signs")
        return name

    def json_schema(self, refer: Refer) -> JsonSchema:
        return {**super().json_schema(refer), "pattern": f"^[^{control_pattern()}]*$"}


Choices: TypeAlias = Collection[str] | Callable[[ReadContext], Collection[str]]


class Word(Field[str]):
    """One of several words, perhaps only known from the context."""

    expected = "text"
    json_types = (str,)

    def __init__(
        self, choices: Choices, describe: str = "", *, code: str = "choice", **common: Unpack[FieldOptions]
    ) -> None:
        super().__init__(describe, **common)
        self.choices, self.code = choices, code

    def take(self, value: Json, context: ReadContext) -> str:
        choices = self.choices(context) if callable(self.choices) else self.choices
        if not isinstance(value, str):
            raise self.make_error("type")
        if value not in choices:
            depends = callable(self.choices)
            raise fault(self.code, self.article, contextual=depends, value=quoted(value), choices=list(choices))
        return value

    def json_schema(self, refer: Refer) -> JsonSchema:
        return {"type": "string"} if callable(self.choices) else {"type": "string", "enum": list(self.choices)}


def _seats(table: ReadContext) -> Collection[str]:
    seats: Collection[str] = table.seats
    return seats


def _sides(table: ReadContext) -> Collection[str]:
    sides: Collection[str] = table.sides
    return sides


class Seat(Word):
    """The name of a seat of the table that the context describes, by its `seats`."""

    def __init__(self, describe: str = "", **common: Unpack[FieldOptions]) -> None:
        super().__init__(_seats, describe, code="unknown-seat", **common)


class SideId(Word):
    """The id of a side of the table that the context describes, by its `sides`."""

    def __init__(self, describe: str = "", **common: Unpack[FieldOptions]) -> None:
        super().__init__(_sides, describe, code="unknown-side", **common)


class CardField(Field[Card]):
    """A card in any of the usual spellings; with `bare_ranks` a rank alone is one."""

    expected = "text"
    json_types = (str,)

    def __init__(
        self,
        describe: str = "",
        *,
        jokers: tuple[str, ...] = (),
        bare_ranks: bool = False,
        **common: Unpack[FieldOptions],
    ) -> None:
        super().__init__(describe, **common)
        self.jokers, self.bare_ranks = jokers, bare_ranks

    def take(self, value: Json, context: ReadContext) -> Card:
        if not isinstance(value, str):
            raise self.make_error("type")
        if len(value) > MAX_TEXT or not (value.isascii() or is_encodable(value)):
            raise fault("length", least=0, most=MAX_TEXT, count=len(value))
        try:
            return read_card(value, jokers=self.jokers, bare_ranks=self.bare_ranks)
        except ValueError:
            raise fault("card", value=quoted(value)) from None

    def json_schema(self, refer: Refer) -> JsonSchema:
        return {"type": "string", "pattern": card_pattern(self.jokers, bare_ranks=self.bare_ranks)}

    def writer(self) -> Write:
        return lambda card, context: str(card)


class Anything(Field[Json]):
    """Any JSON value, taken as it is; `schema` documents what it usually is."""

    json_types = (object,)

    def __init__(self, describe: str = "", *, schema: JsonSchema | None = None, **common: Unpack[FieldOptions]) -> None:
        common["nullable"] = True
        super().__init__(describe, **common)
        self.schema = schema or {}

    def take(self, value: Json, context: ReadContext) -> Json:
        return value

    def json_schema(self, refer: Refer) -> JsonSchema:
        return dict(self.schema)

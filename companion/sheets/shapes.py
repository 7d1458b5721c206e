"""The fields of commands and events, declared once: what each type admits, how it is documented, what the log holds.

A command or an event annotates its attributes with the types below. From these annotations `shape_of` derives the
marshmallow shape, which validates, describes itself and serialises; `restore` reads back this program's own log, fast.
"""

from __future__ import annotations

import hmac
import json
import re
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from functools import cache, partial
from hashlib import sha256
from typing import Annotated, Any, Final, NamedTuple, TypeVar, Unpack, cast

from marshmallow import RAISE

from companion.data import LANGUAGES
from companion.engine import shapes
from companion.engine.cards import control_pattern
from companion.engine.game import FACT
from companion.engine.ledger import POINTS_LIMIT, Side
from companion.engine.problems import JsonObject, Pointer, Problem
from companion.engine.shapes import SCALAR, Field, JsonSchema, Refer, Shape, fault
from companion.games import GAMES
from companion.sheets.state import MAX_NAME, MAX_REMARK, Seat, clean, fits, length

_T = TypeVar("_T")
SEAT_IDS: Final = "ABCDEFGHIJKL"
"""Ids of seats that are given without one, clockwise."""
MAX_COUNT: Final = 1_000_000
_TOTALS: Final[JsonSchema] = {
    "type": "object",
    "additionalProperties": {"type": "integer", "minimum": -POINTS_LIMIT, "maximum": POINTS_LIMIT},
}
"""A total and tallies, by name."""
_JOINERS: Final = r"\u200c\u200d"
_MAX_DEPTH: Final = 12
"""How many levels deep the facts of a deal may be nested."""


class TitleField(shapes.Text):
    """A title or a label on one line, cleaned."""

    def take(self, value: object, context: object) -> str:
        """Return the clean text. Raises ValidationError if it has too many graphemes."""
        title = clean(super().take(value, context))
        if not fits(title):
            raise fault("length", least=0, most=MAX_NAME, count=length(title), unit=shapes.CHARACTERS)
        return title

    def json_schema(self, refer: Refer) -> JsonSchema:
        """Describe the text, measured in graphemes."""
        return {"type": "string", "maxLength": MAX_NAME}


class NameField(TitleField):
    """The name of a player: a title that is not empty."""

    def take(self, value: object, context: object) -> str:
        """Return the clean name. Raises ValidationError if nothing is left of it."""
        name = super().take(value, context)
        if not name:
            raise fault("required")
        return name

    def json_schema(self, refer: Refer) -> JsonSchema:
        """Describe the text, measured in graphemes, of which something can be seen."""
        seen = rf"[^\s{_JOINERS}{control_pattern()}]"
        return {"type": "string", "minLength": 1, "maxLength": MAX_NAME, "pattern": seen}


class RemarkField(shapes.Text):
    """A reason or a note on one line, cleaned."""

    def take(self, value: object, context: object) -> str:
        """Return the clean text. Raises ValidationError if it is too long."""
        remark = clean(super().take(value, context))
        if len(remark) > MAX_REMARK:
            raise fault("length", least=0, most=MAX_REMARK, count=len(remark), unit=shapes.CHARACTERS)
        return remark

    def json_schema(self, refer: Refer) -> JsonSchema:
        """Describe the text."""
        return {"type": "string", "maxLength": MAX_REMARK}


class KeyField(shapes.Text):
    """An idempotency key of printable characters."""

    def take(self, value: object, context: object) -> str:
        """Return the key. Raises ValidationError if it is empty or not printable."""
        key = super().take(value, context)
        if not key or not key.isprintable():
            raise fault("idempotency-key")
        return key


class SeatIdField(shapes.Text):
    """The id of a seat."""

    pattern = re.compile(r"[A-Za-z0-9_-]{1,20}")

    def take(self, value: object, context: object) -> str:
        """Return the id. Raises ValidationError if it has other characters."""
        seat = super().take(value, context)
        if not self.pattern.fullmatch(seat):
            raise fault("seat-id", value=seat)
        return seat

    def json_schema(self, refer: Refer) -> JsonSchema:
        """Describe the id by its pattern."""
        return {"type": "string", "pattern": f"^{self.pattern.pattern}$"}


class GameIdField(shapes.Text):
    """The id of a game."""

    def json_schema(self, refer: Refer) -> JsonSchema:
        """Describe the id as one of the games that there are."""
        return {"type": "string", "enum": list(GAMES)}


class JsonField(Field[JsonObject]):
    """An object whose keys the game knows: its texts are cleaned, its depth and its numbers are limited."""

    def __init__(
        self,
        describe: str = "",
        *,
        values: JsonSchema | None = None,
        component: str = "",
        **common: Unpack[shapes.FieldOptions],
    ) -> None:
        """`values` documents what is under each key, `component` is the schema of the whole, where one is known."""
        super().__init__(describe, **common)
        self.values, self.component = values, component

    def take(self, value: object, context: object) -> JsonObject:
        """Return the object with clean texts. Raises ValidationError for fractions, huge numbers and deep nesting."""
        if not isinstance(value, dict):
            raise self.make_error("type")
        problems: list[Problem] = []
        cleaned = {key: _cleaned(item, (key,), problems) for key, item in value.items()}
        if problems:
            raise shapes.invalid(problems)
        return cleaned

    def json_schema(self, refer: Refer) -> JsonSchema:
        """Describe an object, or refer to what describes it."""
        if self.component:
            return {"$ref": f"#/components/schemas/{self.component}"}
        return {"type": "object"} if self.values is None else {"type": "object", "additionalProperties": self.values}


class DistinctSeats(shapes.ListOf[str]):
    """Ids of seats in their order, each once."""

    def __init__(self, describe: str = "", **common: Unpack[shapes.FieldOptions]) -> None:
        super().__init__(_seat_id(), describe, least=1, most=len(SEAT_IDS), **common)

    def take(self, value: object, context: object) -> tuple[str, ...]:
        """Return the ids. Raises ValidationError if one is there twice."""
        seating = super().take(value, context)
        if len(set(seating)) < len(seating):
            raise fault("seat-id", value=next(seat for seat in seating if seating.count(seat) > 1))
        return seating

    def reader(self) -> shapes.Read[tuple[str, ...]]:
        """Return `take`."""
        return self.take


class SeatList(shapes.ListOf[shapes.Json]):
    """The seats of a sheet: names, which get the ids A, B, C ..., or ids with names."""

    def __init__(self, describe: str = "", **common: Unpack[shapes.FieldOptions]) -> None:
        item = shapes.Either(NameField(), shapes.Object(SheetSeatShape))
        super().__init__(item, describe, least=1, most=len(SEAT_IDS), **common)

    def take(self, value: object, context: object) -> tuple[Seat, ...]:
        """Return the seats. Raises ValidationError if two have the same id."""
        given = super().take(value, context)
        seats = [Seat(SEAT_IDS[place], each) if isinstance(each, str) else each for place, each in enumerate(given)]
        ids = [seat.id for seat in seats]
        again = [Problem((place,), "seat-id", {"value": seat}) for place, seat in enumerate(ids) if seat in ids[:place]]
        if again:
            raise shapes.invalid(again)
        return tuple(seats)

    def reader(self) -> shapes.Read[tuple[Seat, ...]]:
        """Return `take`."""
        return self.take

    def writer(self) -> shapes.Write:
        """Return what writes the seats, each with its id."""
        return shapes.ListOf(shapes.Object(SheetSeatShape)).writer()


def _seat_id(describe: str = "", **common: Unpack[shapes.FieldOptions]) -> SeatIdField:
    return SeatIdField(describe, most=20, **common)


def _side_list(describe: str, **common: Unpack[shapes.FieldOptions]) -> shapes.ListOf[Side]:
    return shapes.ListOf(shapes.Object(PlayingSideShape), describe, least=1, most=len(SEAT_IDS), **common)


# Each type carries how its field is made, without what depends on the command or event: whether it may be left out.
Count = Annotated[int, partial(shapes.Integer, "The sequence number of an event.", low=1, high=MAX_COUNT)]
GameNumber = Annotated[
    int, partial(shapes.Integer, "The number of a game on the sheet, from 1.", low=1, high=MAX_COUNT)
]
DealNumber = Annotated[int, partial(shapes.Integer, "The number of a deal in its game, from 1.", low=1, high=MAX_COUNT)]
Index = Annotated[int, partial(shapes.Integer, "Which call of the deal, from 0.", low=0, high=MAX_COUNT)]
Points = Annotated[int, partial(shapes.Points, "Points, not 0.", most=POINTS_LIMIT)]
Flag = Annotated[bool, shapes.Flag]
Word = Annotated[str, partial(shapes.Text, most=60)]
GameId = Annotated[str, partial(GameIdField, "The id of a game.", most=60)]
SideId = Annotated[str, partial(shapes.Text, "The id of a side.", most=60)]
SeatId = Annotated[str, partial(_seat_id, "The id of a seat.")]
Dealer = Annotated[str, partial(_seat_id, "The seat that deals first.")]
Name = Annotated[str, partial(NameField, "The name of a player.")]
SeatNames = Annotated[JsonObject, partial(shapes.Keyed, NameField(), "Names by the id of the seat.")]
Title = Annotated[str, partial(TitleField, "The title of the sheet; may be empty.")]
Remark = Annotated[str, RemarkField]
Language = Annotated[str, partial(shapes.Word, ("", *LANGUAGES), "The language in which the sheet was opened.")]
Call = Annotated[
    JsonObject, partial(JsonField, 'The call as a check has it: `{"seat": "B", "call": 4}`.', values=SCALAR)
]
Calls = Annotated[
    tuple[JsonObject, ...], partial(shapes.ListOf, JsonField(values=SCALAR), "The calls in their order.", most=50)
]
Facts = Annotated[JsonObject, partial(JsonField, "The deal as a score request has it.", component="Deal")]
GivenFacts = Annotated[
    JsonObject,
    partial(JsonField, "The deal as a score request has it, less what its calls have settled.", component="GivenDeal"),
]
Irregularities = Annotated[
    tuple[JsonObject, ...],
    partial(shapes.ListOf, JsonField("As a deal has it.", values=SCALAR), "What went wrong in the deal.", most=50),
]
Opening = Annotated[JsonObject, partial(JsonField, "Totals carried on from paper, in points, by side.", values=_TOTALS)]
OptionValues = Annotated[JsonObject, partial(JsonField, "Every option of the house rules.", values=FACT)]
Rules = Annotated[
    JsonObject, partial(JsonField, "House rules: a preset, and options that differ from it.", component="HouseRules")
]
Seats = Annotated[tuple[Seat, ...], partial(SeatList, "Names clockwise; the ids are A, B, C ... unless given.")]
Seating = Annotated[tuple[str, ...], partial(DistinctSeats, "The seats that play, clockwise.")]
Sides = Annotated[tuple[Side, ...], partial(_side_list, "Who scores together.")]


class PlayingSideShape(Shape[Side]):
    """Who scores together: an id, and the seats of the players."""

    builds = Side
    id = shapes.Text(most=60)
    players = DistinctSeats()


class SheetSeatShape(Shape[Seat]):
    """A place at the table: an id that never changes, and the name of who sits there."""

    builds = Seat
    id = _seat_id()
    name = NameField()


class TagField(shapes.Word):
    """The word that tells shapes apart: the name of the kind."""

    def __init__(self, word: str) -> None:
        super().__init__((word,), get=lambda value, context: word)
        self.word = word

    def json_schema(self, refer: Refer) -> JsonSchema:
        """Describe the one word."""
        return {"type": "string", "const": self.word}


class _EventShape(Shape[_T]):
    """A command or an event. A key that may be left out may also be null; both mean its default."""

    class Meta:
        register = False
        unknown = RAISE

    nulls = True


def shape_of(kind: type[_T]) -> type[Shape[_T]]:
    """Return the shape of a command or an event, derived from the annotations of its dataclass."""
    return shapes.shape_of(kind, _EventShape)


def kind_name(kind: type[object]) -> str:
    """Return the name of a kind of events or commands in JSON: `DealRecorded` is `deal_recorded`."""
    return re.sub(r"(?<!^)(?=[A-Z])", "_", kind.__name__).lower()


def by_name(*kinds: type[_T]) -> Mapping[str, type[_T]]:
    """Return the kinds by their names in JSON."""
    return {kind_name(kind): kind for kind in kinds}


def commands(kinds: Mapping[str, type[_T]]) -> shapes.Variants[_T]:
    """Declare an object that is read into one of these commands, by its name under `type`."""
    tagged = {
        name: shapes.shape_of(kind, _EventShape, name=f"{kind.__name__}Command", keys={"type": TagField(name)})
        for name, kind in kinds.items()
    }
    return shapes.Variants("type", tagged, code="unknown-command")


def read(kind: type[_T], value: object, pointer: Pointer = ()) -> _T:
    """Return the command or event in a JSON object. Raises Refused with every problem found."""
    return shapes.read(shape_of(kind), value, pointer)


def to_json(value: object) -> dict[str, object]:
    """Return the fields of a command or an event as JSON has them."""
    return shapes.write(shape_of(type(value)), value)


def restore(kind: type[_T], data: JsonObject) -> _T:
    """Return the event in JSON that this program wrote, without checking it again."""
    return cast("_T", _restorer_of(cast("Hashable", kind))(data))


@cache
def _restorer_of(kind: type[object]) -> Callable[[JsonObject], object]:
    return _restorer(shape_of(kind), kind)


def canonical(value: object) -> str:
    """Return JSON text that is the same for equal values, whatever the order of their keys."""
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False)


def sides_json(sides: Iterable[Side]) -> list[dict[str, object]]:
    """Return sides as a score request has them."""
    return [{"id": side.id, "players": list(side.players)} for side in sides]


def _restorer(shape: type[Shape[shapes.Json]], build: Callable[..., _T]) -> Callable[[JsonObject], _T]:
    converters = [
        (name, convert)
        for name, field in shapes.schema(shape).load_fields.items()
        if (convert := _converter(cast("Field[shapes.Json]", field)))
    ]

    if not converters:
        return lambda data: build(**data)

    def restore(data: JsonObject) -> _T:
        values = dict(data)
        for name, convert in converters:
            values[name] = convert(values[name])
        return build(**values)

    return restore


def _converter(field: Field[shapes.Json]) -> Callable[[Any], object] | None:
    """Return what turns the stored value of a field into its attribute, or None where they are the same."""
    if isinstance(field, shapes.ListOf):
        item = _converter(shapes.Object(SheetSeatShape) if isinstance(field, SeatList) else field.item)
        return tuple if item is None else lambda listed: tuple(map(item, listed))
    if isinstance(field, shapes.Object) and field.shape.builds is not None:
        return _restorer(field.shape, field.shape.builds)
    return None


def _cleaned(value: object, pointer: Pointer, problems: list[Problem]) -> object:
    """Return a JSON value with clean texts; note fractions, huge numbers and too deep nesting."""
    if len(pointer) >= _MAX_DEPTH:
        problems.append(Problem(pointer, "depth", {"most": _MAX_DEPTH}))
    elif isinstance(value, str):
        return clean(value)
    elif isinstance(value, dict):
        return {key: _cleaned(item, (*pointer, key), problems) for key, item in value.items()}
    elif isinstance(value, list):
        if len(value) > shapes.MAX_ITEMS:
            problems.append(Problem(pointer, "length", {"least": 0, "most": shapes.MAX_ITEMS, "count": len(value)}))
            return []
        return [_cleaned(item, (*pointer, place), problems) for place, item in enumerate(value)]
    elif isinstance(value, float) or (isinstance(value, int) and value.bit_length() > 64):
        problems.append(Problem(pointer, "type", {"expected": "integer"}))
    return value


BUCKETS: Final = 16
"""Rows of the register: sheets that are made at once seldom wait for one another."""
_CODES: Final = 2**256
_KEY_DIGITS: Final = 16

Row = Sequence[str | int | None]
"""What is covered: the kind of a row, and its columns."""


class Head(NamedTuple):
    """The latest event of a sheet: its number and its hash, which stands for the whole history."""

    version: int
    hash: str

    @property
    def tag(self) -> str:
        """The ETag: no other history has it, whichever version it is at."""
        return f"{self.version}-{self.hash[:12]}"

    @staticmethod
    def version_in(tag: str) -> int | None:
        """Return the version in an ETag, or in a version alone; None for another text."""
        digits = tag.partition("-")[0]
        return int(digits) if digits.isascii() and digits.isdecimal() and len(digits) < 10 else None


class Anchor(NamedTuple):
    """The anchor of a sheet as it is stored: number of the last event, sum of the rows, id of the key, signature."""

    seq: int
    rows: str
    key: str
    mac: str


class Register(NamedTuple):
    """The part of the register for one bucket as it is stored: the anchored sheets, counted and summed."""

    size: int
    sheets: str
    key: str
    mac: str


NO_SHEETS: Final = Register(0, "", "", "")
"""A register in which no sheet was ever entered."""


class Anchors:
    """Make and check signatures with a key that is derived from the server's."""

    def __init__(self, key: str) -> None:
        self._key = hmac.digest(key.encode(), b"companion anchors", "sha256")
        self.key = self._sign("key")[:_KEY_DIGITS]

    def of_sheet(self, sheet: str, head: Head, rows: str) -> Anchor:
        """Return the anchor of a sheet with these rows."""
        return Anchor(head.version, rows, self.key, self._sign("sheet", sheet, *head, rows))

    def of_erased(self, sheet: str, at: str) -> Anchor:
        """Return the anchor of a sheet that was erased."""
        return Anchor(0, "", self.key, self._sign("erased", sheet, at))

    def of_bucket(self, bucket: int, size: int, sheets: str) -> Register:
        """Return a part of the register."""
        return Register(size, sheets, self.key, self._sign("register", bucket, size, sheets))

    def of_file(self, sheet: str, head: Head) -> str:
        """Return the signature of an exported sheet."""
        return self._sign("file", sheet, *head)

    def sum(self, rows: Iterable[Row], before: str = "", gone: Iterable[Row] = ()) -> str:
        """Return the sum of the codes of rows, those before included and those that are gone taken off."""
        found = int(before or "0", 16)
        found += sum(self._code(row) for row in rows) - sum(self._code(row) for row in gone)
        return f"{found % _CODES:064x}"

    def _code(self, row: Row) -> int:
        return int(self._sign("row", *row), 16)

    def _sign(self, *parts: str | int | None) -> str:
        return hmac.new(self._key, canonical(list(parts)).encode(), sha256).hexdigest()


def bucket_of(sheet: str) -> int:
    """Return the bucket of the register for a sheet."""
    return sha256(sheet.encode()).digest()[0] % BUCKETS

"""The shapes that score requests of all games share: sides, openings, and a deal's adjustments and acceptances."""

from __future__ import annotations

from abc import abstractmethod
from typing import Final, NamedTuple, Unpack

from companion.engine import shapes as s
from companion.engine.ledger import Accepted, Adjustment, Deal, Side, Standing
from companion.engine.problems import Problem
from companion.engine.profile import Rules

POINTS_LIMIT: Final = 1_000_000
SHARED_DEAL_KEYS: Final = ("adjustments", "void", "accept")
RESERVED_SIDE_IDS: Final = frozenset(SHARED_DEAL_KEYS)


class DealContext(NamedTuple):
    """What the reading of deals and openings depends on: the rules, the sides, and the game's own keys and tallies."""

    rules: Rules
    all_sides: tuple[Side, ...]
    sides: tuple[str, ...]
    deal_keys: tuple[str, ...] = ()
    paper_tallies: tuple[str, ...] = ()

    @property
    def entries(self) -> tuple[str, ...]:
        """The keys of a deal beside those that all games share."""
        return (*self.sides, *self.deal_keys)


class SideShape(s.Shape[Side]):
    """A side with the names of its players."""

    builds = Side
    id = s.Name("The key of the side in every deal.", example="NS")
    players = s.ListOf(s.Name(), "Who plays for it, in the order of the seats.", most=4, default=())


class SideName(s.Name):
    """The id of a side whose players are not named."""

    def take(self, value: s.Json, context: s.ReadContext) -> s.Json:
        return Side(super().take(value, context))


class Sides(s.Field[tuple[Side, ...]]):
    """Sides written as ids or as `{"id", "players"}`, each id once and none of the keys of a deal."""

    expected = "list"
    json_types = (list,)

    def __init__(self, describe: str = "", **common: Unpack[s.FieldOptions]) -> None:
        super().__init__(describe, **common)
        self.list = s.ListOf(s.Either(SideName(), s.Object(SideShape)), least=1, most=8)

    def take(self, value: s.Json, context: s.ReadContext) -> tuple[Side, ...]:
        return _distinct(self.list.take(value, context))

    def reader(self) -> s.Read[tuple[Side, ...]]:
        read_list = self.list.reader()
        return lambda value, context: _distinct(read_list(value, context))

    def json_schema(self, refer: s.Refer) -> s.JsonSchema:
        return self.list.json_schema(refer)


def _distinct(sides: tuple[Side, ...]) -> tuple[Side, ...]:
    seen = set(RESERVED_SIDE_IDS)
    problems = []
    for place, side in enumerate(sides):
        if not side.id or side.id in seen:
            problems.append(Problem((place,), "side-id", {"value": side.id}))
        seen.add(side.id)
    if problems:
        raise s.invalid(problems)
    return sides


class AdjustmentShape(s.Shape[Adjustment]):
    """Points that the table itself gives or takes."""

    builds = Adjustment
    side = s.SideId("Who gets them.")
    points = s.Points("Below 0 where they are taken.")
    reason = s.Text("Written down as given.", most=200)


class AcceptedShape(s.Shape[Accepted]):
    """A problem that is recorded anyway."""

    builds = Accepted
    code = s.Text("The code of the problem, as it was answered.", most=60)
    reason = s.Text("Written down as given.", most=200)


class DealShape(s.Shape[Deal[s.Json]]):
    """A deal as entered: facts under the ids of the sides, and what the table agreed beside them."""

    adjustments = s.ListOf(s.Object(AdjustmentShape), "Points given or taken by the table.", most=50, default=())
    void = s.Flag("True for a deal that counts for nothing; its facts are not read.", default=False)
    accept = s.ListOf(s.Object(AcceptedShape), "Problems recorded anyway.", most=50, default=())

    def make(self, data: s.Attributes, context: s.ReadContext) -> Deal[s.Json]:
        adjustments, accepted = data.pop("adjustments"), data.pop("accept")
        return Deal(None if data.pop("void") else self.facts(data, context), adjustments, accepted)

    @abstractmethod
    def facts(self, data: s.Attributes, context: s.ReadContext) -> object:
        """Return the game's facts from its own attributes."""


class VoidDealShape(DealShape):
    """A deal that counts for nothing."""

    others = s.Others(s.Keyed(s.Anything(), keys=lambda context: context.entries), into="facts")

    def facts(self, data: s.Attributes, context: s.ReadContext) -> None:
        return None


class OpeningShape(s.Shape[Standing]):
    """A total, and the tallies of the game beside it."""

    total = s.Points("Points before the first deal.", default=0, example=337)
    others = s.Others(s.Keyed(s.Count(high=POINTS_LIMIT), keys=lambda context: context.paper_tallies), into="tallies")

    def make(self, data: s.Attributes, context: s.ReadContext) -> Standing:
        return Standing(data["total"], data["tallies"])


OPENING: Final = s.Keyed(
    s.Object(OpeningShape),
    "Totals and tallies carried on from a paper sheet, under the ids of the sides.",
    keys=lambda context: context.sides,
)


def is_void(value: object) -> bool:
    """Whether a deal says that it counts for nothing: its facts are then not looked at."""
    return isinstance(value, dict) and value.get("void") is True

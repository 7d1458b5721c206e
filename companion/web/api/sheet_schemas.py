"""The shapes of every request and response about sheets; those of commands and events are derived."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Unpack

from companion.engine import shapes as s
from companion.engine.deals import AdjustmentShape
from companion.engine.problem_facts import SCALAR
from companion.engine.questions import AnswerShape
from companion.games import GAMES
from companion.rulebook.answers import LineShape, OutcomeShape, SideScoreShape, StandingShape, WarningField
from companion.rulebook.catalogue_answers import OPTIONS
from companion.sheets.log import SheetFileShape
from companion.sheets.model import COMMAND_SHAPES, EVENTS, OpenSheet
from companion.sheets.preview import LINE_COME, LINE_GONE, TOTAL
from companion.sheets.service import NewLinkShape
from companion.sheets.shapes import DealField, PlayingSideShape, SheetSeatShape, TagField, shape_of
from companion.sheets.store import SCOPES
from companion.web.api.shapes import RULES_OR_CODE

UTC: Final = "UTC, to the millisecond."
ACTOR: Final = "The label of the link that was used; may be empty."
KIND: Final = "The kind of the event."
COMMAND: Final = {"$ref": "#/components/schemas/SheetCommand"}
NEW_SHEET: Final = {"$ref": "#/components/schemas/NewSheet"}
FILE: Final = SheetFileShape
NEW_LINK: Final = NewLinkShape


class BeforeAfter(s.Field[s.Json]):
    """The same thing before and after a step, and what else is said of the two."""

    def __init__(self, inner: s.Field[s.Json], describe: str = "", **more: s.Field[s.Json]) -> None:
        super().__init__(describe)
        self.parts = {"before": inner, "after": inner, **more}

    def take(self, value: object, context: object) -> object:
        """Return the value as it is."""
        return value

    def json_schema(self, refer: s.Refer) -> s.JsonSchema:
        """Describe an object with its parts."""
        properties = {name: s.described_field(part, refer) for name, part in self.parts.items()}
        return {"type": "object", "properties": properties, "required": list(self.parts)}


def _part(shape: type[s.Shape[s.Json]], describe: str = "", **common: Unpack[s.FieldOptions]) -> s.Object[s.Json]:
    return s.Object(shape, describe, **common)


def _parts(shape: type[s.Shape[s.Json]], describe: str = "") -> s.ListOf[s.Json]:
    return s.ListOf(s.Object(shape), describe)


def _by_side(shape: type[s.Shape[s.Json]], describe: str = "") -> s.Keyed[s.Json]:
    return s.Keyed(s.Object(shape), describe)


CALL: Final[s.JsonSchema] = {"type": "object", "additionalProperties": SCALAR}


class SheetSecretsShape(AnswerShape):
    """The secrets of something new. Only their hashes are kept: they are never shown again."""

    watch = s.Text("May read. Whoever has it can watch.")
    score = s.Text("May read and write.")


class SheetUrlsShape(AnswerShape):
    """Pages for people, each with its secret in the address."""

    watch = s.Text("To look at.", most=2000)
    join = s.Text("Whoever opens it may write on that device.", most=2000)


class OpenedSheetShape(AnswerShape):
    """A new sheet."""

    id = s.Text("The id of the sheet.")
    version = s.Integer("The sequence number of its latest event; its ETag.")
    url = s.Text("Where it is read.")
    sides = s.ListOf(s.Text(), "Who scores together in its game, as deals name them: `A+C`. Empty without a game.")
    urls = _part(SheetUrlsShape)
    secrets = _part(SheetSecretsShape)


class SheetStepShape(AnswerShape):
    """The event that an undo or a redo is about."""

    seq = s.Integer("Its sequence number.")
    kind = s.Word(tuple(EVENTS), KIND)


class SheetRulesShape(AnswerShape):
    """House rules from a deal on, with every option."""

    first_deal = s.Integer("The first deal under these rules.")
    preset = s.Text("The preset.")
    options = s.Anything("Every option of the game.", schema=OPTIONS)
    code = s.Text("The rules as a code that can be typed.", most=2000)
    summary = s.Text("For people, in the language of the request.", most=s.MAX_ITEMS)
    note = s.Text("Why they were changed; may be empty.")


class SheetSideShape(PlayingSideShape):
    """Who scores together."""

    name = s.Text("The names of the players.")


class ChangeShape(AnswerShape):
    """A step in the history of a deal."""

    seq = s.Integer("The sequence number of the event.")
    at = s.Text(UTC)
    actor = s.Text(ACTOR)
    kind = s.Word(tuple(EVENTS), KIND)
    reason = s.Text("Why; may be empty.")


class SheetDealShape(AnswerShape):
    """A recorded deal: the facts in force and what they come to, in points."""

    number = s.Integer("From 1.")
    dealer = s.Text("The seat.")
    status = s.Word(("scored", "void", "after-end"), "Whether the deal counts.")
    facts = DealField("As a score request has them.")
    calls = s.ListOf(s.Anything(schema=CALL), "The calls behind the facts.")
    sides = _by_side(SideScoreShape)
    warnings = s.ListOf(WarningField(), "Problems that were recorded anyway, or came up by a correction.")
    corrected = s.Flag("Whether other facts were recorded before.")
    confirmed = s.ListOf(s.Text(), "Sides that have confirmed it.")
    notes = s.ListOf(s.Text(), "What was written beside it.")
    changes = _parts(ChangeShape, "How the facts came about.")


class OpenDealShape(AnswerShape):
    """The deal that is being played."""

    number = s.Integer("From 1.")
    dealer = s.Text("The seat.")
    calls = s.ListOf(s.Anything(schema=CALL), "The calls so far.")
    to_call = s.ListOf(s.Text(), "The seats (or sides) of which one may call now; none where the bidding is over.")
    adjustments = _parts(AdjustmentShape, "Points that wait for the facts of the deal.")
    notes = s.ListOf(s.Text(), "What was written beside it.")


class SheetOpeningShape(AnswerShape):
    """What a side carried on from paper. Tallies such as `bags` are beside the total."""

    total = s.Integer("The total before the first deal.", unit="points", absent=True)
    others = s.Others(s.Keyed(s.Integer("A tally before the first deal.")), into="tallies")


class SheetGameShape(AnswerShape):
    """One playing of a game."""

    number = s.Integer("From 1.")
    game = s.Word(tuple(GAMES), "The id of the game.")
    name = s.Text("Its name in the language of the request.")
    started = s.Text(UTC)
    engine = s.Text("The version of the program with which it began.")
    rules = _part(SheetRulesShape)
    rules_before = _parts(SheetRulesShape, "Those of earlier deals, where they were changed.")
    seating = s.ListOf(s.Text(), "Seats clockwise.")
    sides = _parts(SheetSideShape, "Who scores together.")
    opening = _by_side(SheetOpeningShape, "Totals carried on from paper.")
    deals = _parts(SheetDealShape, "The recorded deals.")
    open_deal = _part(OpenDealShape, nullable=True)
    standing = _by_side(StandingShape, "The totals, in points.")
    outcome = _part(OutcomeShape)


class SheetShape(AnswerShape):
    """A sheet at its latest version."""

    id = s.Text("The id of the sheet.")
    version = s.Integer("The sequence number of its latest event; its ETag.")
    title = s.Text("May be empty.")
    lang = s.Text("The language in which it was opened; may be empty.")
    opened = s.Text(UTC)
    changed = s.Text(UTC)
    seats = _parts(SheetSeatShape, "All seats with the names of today.")
    games = _parts(SheetGameShape, "The last one is running.")
    undo = _part(SheetStepShape, nullable=True)
    redo = _part(SheetStepShape, nullable=True)


class EventField(s.Field[s.Json]):
    """An entry of the log; its kind tells its fields."""

    def take(self, value: object, context: object) -> object:
        """Return the value as it is."""
        return value

    def json_schema(self, refer: s.Refer) -> s.JsonSchema:
        """Describe the entry of every kind."""
        return {"$ref": "#/components/schemas/SheetEvent"}


class EntryShape(AnswerShape):
    """Something that happened on a sheet; never changed, never removed."""

    seq = s.Integer("From 1, without gaps.")
    at = s.Text(UTC)
    actor = s.Text(ACTOR)


def entry_shape(
    name: str, about: str | None, base: type[AnswerShape] = EntryShape, **keys: s.Field[s.Json]
) -> type[AnswerShape]:
    """Return the shape of an entry of a log of one kind."""
    metaclass: s.Json = type(base)
    made: type[AnswerShape] = metaclass(name, (base,), {"__doc__": about, "__module__": __name__, **keys})
    return made


EVENT_SHAPES: Final[Mapping[str, type[s.Shape[s.Json]]]] = {
    name: entry_shape(f"{kind.__name__}Event", kind.__doc__, kind=TagField(name), data=s.Object(shape_of(kind)))
    for name, kind in EVENTS.items()
}
"""The entry of the log for each kind of event."""


class SheetEventsShape(AnswerShape):
    """A part of a log; `next` is the cursor of the next page, null on the last."""

    events = s.ListOf(EventField())
    version = s.Integer("Of the sheet.")
    next = s.Text("Sent as `cursor`.", nullable=True)


class StandShape(AnswerShape):
    """The totals, the outcome and the open deal of the current game."""

    number = s.Integer("From 1.")
    game = s.Word(tuple(GAMES), "The id of the game.")
    standing = _by_side(StandingShape, "The totals, in points.")
    outcome = _part(OutcomeShape)
    open_deal = _part(OpenDealShape, nullable=True)


class WrittenShape(AnswerShape):
    """What a command has written, and the totals after it."""

    events = s.ListOf(EventField(), "None where the command changed nothing.")
    version = s.Integer("The version to which they brought the sheet; its ETag.")
    game = _part(StandShape, nullable=True)
    undo = _part(SheetStepShape, nullable=True)
    redo = _part(SheetStepShape, nullable=True)


class RippleScoreShape(AnswerShape):
    """What a deal gives a side. Tallies such as `bags` are beside the total."""

    points = s.Integer("In this deal.", unit="points")
    total = s.Integer("After it.", unit="points")
    others = s.Others(s.Keyed(s.Integer("A tally after the deal.")), into="tallies")


class RippleSideShape(AnswerShape):
    """One side in one deal, before and after the step."""

    before = _part(RippleScoreShape, nullable=True)
    after = _part(RippleScoreShape, nullable=True)
    gone = _parts(LineShape, "Lines that fall away, penalties among them.")
    come = _parts(LineShape, "Lines that are new.")


class DealRippleShape(AnswerShape):
    """A deal that the step would change."""

    number = s.Integer("From 1.")
    status = BeforeAfter(s.Text(nullable=True), "Null where there is no such deal.")
    sides = _by_side(RippleSideShape)


class EffectShape(AnswerShape):
    """One thing that a command does to a side in a deal."""

    kind = s.Word((LINE_GONE, LINE_COME, TOTAL), "A line falls away or comes, or the total after the deal differs.")
    deal = s.Integer("The deal, from 1.")
    side = s.Text("The id of the side.")
    article = s.Text("Of the line.", nullable=True)
    points = s.Integer("Of the line.", unit="points", nullable=True)
    before = s.Integer("The total.", unit="points", nullable=True)
    after = s.Integer("The total.", unit="points", nullable=True)
    text = s.Text("All of it in a sentence.")


class RippleShape(AnswerShape):
    """What a command would change in the game that it is about."""

    version = s.Integer("The version of the sheet, which stays.")
    game_number = s.Integer("The game that it is about.")
    deals = _parts(DealRippleShape, "Only the deals that would change.")
    effects = _parts(EffectShape, "What changes, deal by deal, in plain words: lines and totals.")
    standing = BeforeAfter(_by_side(StandingShape), "The totals by side, in points.")
    outcome = BeforeAfter(_part(OutcomeShape), changes=s.Flag("Whether the two differ."))


class WhatIfShape(s.Shape[s.Attributes]):
    """Other house rules for the running game: as an object, or as a short code."""

    rules = s.Anything("The house rules.", schema=RULES_OR_CODE)


class LinkShape(AnswerShape):
    """A link to a sheet or a group, without its secret."""

    id = s.Text("The id of the link.")
    scope = s.Word(SCOPES, "Scoring includes watching.")
    label = s.Text("May be empty.")
    created = s.Text(UTC)
    revoked = s.Text("Since when it opens nothing (UTC); null while it does.", nullable=True)


class LinksShape(AnswerShape):
    """The links of a sheet or a group, oldest first."""

    links = _parts(LinkShape)


class NewLinkAnswerShape(AnswerShape):
    """A new link and its secret, which is shown this once."""

    link = _part(LinkShape)
    secret = s.Text("For the `Authorization` header.")
    url = s.Text("The page for people, with the secret in its address.", most=2000)


def unions(refer: s.Refer) -> dict[str, s.JsonSchema]:
    """Return the schemas of any command, any event and a new sheet by their names; `refer` describes a shape."""
    commands = s.Variants("type", COMMAND_SHAPES).json_schema(refer)
    about = "What is to be written. `deal` and `game_number` may be left out for the open deal and the running game."
    return {
        "SheetCommand": {"description": about, **commands},
        "SheetEvent": {"description": EntryShape.__doc__, **s.Variants("kind", EVENT_SHAPES).json_schema(refer)},
        "NewSheet": s.shape_schema(shape_of(OpenSheet), refer),
    }

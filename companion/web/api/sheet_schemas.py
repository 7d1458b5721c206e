"""The shapes of every request and response about sheets; those of commands and events are derived."""

from __future__ import annotations

from collections.abc import Mapping
from operator import attrgetter
from typing import Final, NamedTuple, Unpack

from companion.engine import shapes as s
from companion.engine.game import AnswerShape
from companion.engine.ledger import AdjustmentShape
from companion.engine.options import CODE_LENGTH
from companion.engine.shapes import SCALAR
from companion.games import GAMES
from companion.rulebook.answers import LineShape, OutcomeShape, SideScoreShape, StandingShape, WarningField
from companion.rulebook.catalogue_answers import OPTIONS
from companion.sheets.events import COMMAND_SHAPES, EVENTS, Event, OpenSheet, kind_of
from companion.sheets.service import LINE_COME, LINE_GONE, TOTAL, NewLinkShape
from companion.sheets.shapes import DealField, PlayingSideShape, SheetSeatShape, TagField, shape_of
from companion.sheets.store import SCOPES, SheetFileShape, stamp
from companion.web.api.shapes import RULES_OR_CODE

UTC: Final = "UTC, to the millisecond."
ACTOR: Final = "The label of the link that was used; may be empty."
KIND: Final = "The kind of the event."
COMMAND: Final = {"$ref": "#/components/schemas/SheetCommand"}
NEW_SHEET: Final = {"$ref": "#/components/schemas/NewSheet"}
FILE: Final = SheetFileShape
NEW_LINK: Final = NewLinkShape


class Pair(NamedTuple):
    """What there is before and after a step."""

    before: s.Json
    after: s.Json
    changes: bool = False
    """Whether the two differ, where that is said."""


class BeforeAfter(s.Field[s.Json]):
    """The same thing before and after a step, and what else is said of the two."""

    def __init__(
        self, inner: s.Field[s.Json], describe: str = "", *, get: s.Get | None = None, **more: s.Field[s.Json]
    ) -> None:
        super().__init__(describe, get=get)
        self.parts = {"before": inner, "after": inner, **more}

    def take(self, value: object, context: object) -> object:
        """Return the value as it is."""
        return value

    def writer(self) -> s.Write:
        """Return what writes each part of an object from its attribute."""
        writers = {name: part.writer() for name, part in self.parts.items()}

        def write_parts(value: s.Json, context: s.WriteContext) -> dict[str, s.Json]:
            found = {name: getattr(value, name) for name in writers}
            return {
                name: found[name] if write is None or found[name] is None else write(found[name], context)
                for name, write in writers.items()
            }

        return write_parts

    def json_schema(self, refer: s.Refer) -> s.JsonSchema:
        """Describe an object with its parts."""
        properties = {name: s.described_field(part, refer) for name, part in self.parts.items()}
        return {"type": "object", "properties": properties, "required": list(self.parts)}


def _part(shape: type[s.Shape[s.Json]], describe: str = "", **common: Unpack[s.FieldOptions]) -> s.Object[s.Json]:
    return s.Object(shape, describe, **common)


def _parts(shape: type[s.Shape[s.Json]], describe: str = "", **common: Unpack[s.FieldOptions]) -> s.ListOf[s.Json]:
    return s.ListOf(s.Object(shape), describe, **common)


def _by_side(shape: type[s.Shape[s.Json]], describe: str = "", **common: Unpack[s.FieldOptions]) -> s.Keyed[s.Json]:
    return s.Keyed(s.Object(shape), describe, **common)


class OfGame(s.Object[s.Json]):
    """An object about a game, which is written with the words of that game in the language of the answer."""

    def writer(self) -> s.Write:
        """Return what writes the object; it has the words by the language."""
        write = super().writer()
        return lambda shown, lang: write(shown, shown.words(lang))


def _time(path: str) -> s.Text:
    """Return the field of a time that is found at an attribute."""
    find = attrgetter(path)
    return s.Text(UTC, get=lambda value, context: stamp(find(value)))


def _kind() -> s.Word:
    """Return the field of the kind of an event."""
    return s.Word(tuple(EVENTS), KIND, get=lambda entry, context: kind_of(entry.event))


CALL: Final[s.JsonSchema] = {"type": "object", "additionalProperties": SCALAR}


class SheetSecretsShape(AnswerShape):
    """The secrets of something new. Only their hashes are kept: they are never shown again."""

    watch = s.Text("May read. Whoever has it can watch.", get=s.attribute("watch_secret"))
    score = s.Text("May read and write.", get=s.attribute("score_secret"))


class SheetUrlsShape(AnswerShape):
    """Pages for people, each with its secret in the address."""

    watch = s.Text("To look at.", most=2000, get=s.attribute("watch_url"))
    join = s.Text("Whoever opens it may write on that device.", most=2000, get=s.attribute("join_url"))


class OpenedSheetShape(AnswerShape):
    """A new sheet."""

    id = s.Text("The id of the sheet.")
    version = s.Integer("The sequence number of its latest event; its ETag.")
    url = s.Text("Where it is read.")
    sides = s.ListOf(s.Text(), "Who scores together in its game, as deals name them: `A+C`. Empty without a game.")
    urls = _part(SheetUrlsShape, get=lambda made, context: made)
    secrets = _part(SheetSecretsShape, get=lambda made, context: made)


class SheetStepShape(AnswerShape):
    """The event that an undo or a redo is about."""

    seq = s.Integer("Its sequence number.")
    kind = _kind()


class SheetRulesShape(AnswerShape):
    """House rules from a deal on, with every option."""

    first_deal = s.Integer("The first deal under these rules.", get=s.attribute("period.first_deal"))
    preset = s.Text("The preset.", get=lambda shown, own: shown.period.request["preset"])
    options = s.Anything(
        "Every option of the game.", schema=OPTIONS, get=lambda shown, own: shown.period.request["options"]
    )
    code = s.Text(
        "The rules as a code that can be typed.",
        most=CODE_LENGTH,
        get=lambda shown, own: shown.known.options.code(shown.house),
    )
    summary = s.Text(
        "For people, in the language of the request.",
        most=s.MAX_ITEMS,
        get=lambda shown, own: own.summary(shown.known.options, shown.house),
    )
    note = s.Text("Why they were changed; may be empty.", get=s.attribute("period.note"))


class SheetSideShape(PlayingSideShape):
    """Who scores together."""

    name = s.Text("The names of the players.", get=lambda side, own: own.side_name(side))


class ChangeShape(AnswerShape):
    """A step in the history of a deal."""

    seq = s.Integer("The sequence number of the event.")
    at = _time("at")
    actor = s.Text(ACTOR)
    kind = _kind()
    reason = s.Text("Why; may be empty.")


class SheetDealShape(AnswerShape):
    """A recorded deal: the facts in force and what they come to, in points."""

    number = s.Integer("From 1.", get=s.attribute("deal.number"))
    dealer = s.Text("The seat.", get=s.attribute("deal.dealer"))
    status = s.Word(("scored", "void", "after-end"), "Whether the deal counts.", get=s.attribute("scored.status"))
    facts = DealField("As a score request has them.", get=s.attribute("deal.facts"))
    calls = s.ListOf(s.Anything(schema=CALL), "The calls behind the facts.", get=s.attribute("deal.calls"))
    sides = _by_side(SideScoreShape, get=s.attribute("scored.sides"))
    warnings = s.ListOf(
        WarningField(),
        "Problems that were recorded anyway, or came up by a correction.",
        get=s.attribute("scored.warnings"),
    )
    corrected = s.Flag("Whether other facts were recorded before.", get=s.attribute("deal.corrected"))
    confirmed = s.ListOf(s.Text(), "Sides that have confirmed it.", get=s.attribute("deal.confirmed"))
    notes = s.ListOf(s.Text(), "What was written beside it.", get=s.attribute("deal.notes"))
    changes = _parts(ChangeShape, "How the facts came about.", get=s.attribute("deal.changes"))


class OpenDealShape(AnswerShape):
    """The deal that is being played."""

    number = s.Integer("From 1.", get=s.attribute("game.open.number"))
    dealer = s.Text("The seat.", get=s.attribute("game.open.dealer"))
    calls = s.ListOf(s.Anything(schema=CALL), "The calls so far.", get=s.attribute("game.open.calls"))
    to_call = s.ListOf(s.Text(), "The seats (or sides) of which one may call now; none where the bidding is over.")
    adjustments = s.ListOf(
        s.Written(AdjustmentShape),
        "Points that wait for the facts of the deal.",
        get=s.attribute("game.open.adjustments"),
    )
    notes = s.ListOf(s.Text(), "What was written beside it.", get=s.attribute("game.open.notes"))


class SheetOpeningShape(AnswerShape):
    """What a side carried on from paper. Tallies such as `bags` are beside the total."""

    total = s.Integer("The total before the first deal.", unit="points", absent=True)
    others = s.Others(s.Keyed(s.Integer("A tally before the first deal.")), into="tallies")


class SheetGameShape(AnswerShape):
    """One playing of a game."""

    number = s.Integer("From 1.", get=s.attribute("game.number"))
    game = s.Word(tuple(GAMES), "The id of the game.", get=s.attribute("game.game"))
    name = s.Text("Its name in the language of the request.", get=lambda shown, own: own.name)
    started = _time("game.started")
    engine = s.Text("The version of the program with which it began.", get=s.attribute("game.engine"))
    rules = _part(SheetRulesShape, get=lambda shown, own: shown.rules(shown.game.rules))
    rules_before = _parts(
        SheetRulesShape,
        "Those of earlier deals, where they were changed.",
        get=lambda shown, own: map(shown.rules, shown.game.periods[:-1]),
    )
    seating = s.ListOf(s.Text(), "Seats clockwise.", get=s.attribute("game.seating"))
    sides = _parts(SheetSideShape, "Who scores together.", get=s.attribute("game.sides"))
    opening = s.Keyed(s.Written(SheetOpeningShape), "Totals carried on from paper.", get=s.attribute("game.opening"))
    deals = _parts(SheetDealShape, "The recorded deals.")
    open_deal = _part(OpenDealShape, nullable=True)
    standing = _by_side(StandingShape, "The totals, in points.", get=s.attribute("ledger.standing"))
    outcome = _part(OutcomeShape, get=s.attribute("ledger.outcome"))


class SheetShape(AnswerShape):
    """A sheet at its latest version."""

    id = s.Text("The id of the sheet.")
    version = s.Integer("The sequence number of its latest event; its ETag.")
    title = s.Text("May be empty.", get=s.attribute("sheet.title"))
    lang = s.Text("The language in which it was opened; may be empty.", get=s.attribute("sheet.lang"))
    opened = _time("sheet.opened")
    changed = _time("sheet.changed")
    seats = _parts(SheetSeatShape, "All seats with the names of today.", get=s.attribute("sheet.seats"))
    games = s.ListOf(OfGame(SheetGameShape), "The last one is running.")
    undo = _part(SheetStepShape, nullable=True, get=s.attribute("sheet.to_undo"))
    redo = _part(SheetStepShape, nullable=True, get=s.attribute("sheet.to_redo"))


class EventField(s.Field[s.Json]):
    """An entry of the log; its kind tells its fields."""

    def take(self, value: object, context: object) -> object:
        """Return the value as it is."""
        return value

    def json_schema(self, refer: s.Refer) -> s.JsonSchema:
        """Describe the entry of every kind."""
        return {"$ref": "#/components/schemas/SheetEvent"}

    def writer(self) -> s.Write:
        """Return what writes an entry by the shape of its kind."""
        return lambda entry, context: s.write(EVENT_SHAPES[kind_of(entry.event)], entry)


class EntryShape(AnswerShape):
    """Something that happened on a sheet; never changed, never removed."""

    seq = s.Integer("From 1, without gaps.")
    at = _time("at")
    actor = s.Text(ACTOR)


def entry_shape(
    name: str, about: str | None, base: type[AnswerShape] = EntryShape, **keys: s.Field[s.Json]
) -> type[AnswerShape]:
    """Return the shape of an entry of a log of one kind."""
    metaclass: s.Json = type(base)
    made: type[AnswerShape] = metaclass(name, (base,), {"__doc__": about, "__module__": __name__, **keys})
    return made


def _data(kind: type[Event]) -> s.Object[s.Json]:
    """Return the field of what an event holds."""
    return s.Object(shape_of(kind), get=s.attribute("event"))


EVENT_SHAPES: Final[Mapping[str, type[s.Shape[s.Json]]]] = {
    name: entry_shape(f"{kind.__name__}Event", kind.__doc__, kind=TagField(name), data=_data(kind))
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

    number = s.Integer("From 1.", get=s.attribute("game.number"))
    game = s.Word(tuple(GAMES), "The id of the game.", get=s.attribute("game.game"))
    standing = _by_side(StandingShape, "The totals, in points.", get=s.attribute("ledger.standing"))
    outcome = _part(OutcomeShape, get=s.attribute("ledger.outcome"))
    open_deal = _part(OpenDealShape, nullable=True)


class WrittenShape(AnswerShape):
    """What a command has written, and the totals after it."""

    events = s.ListOf(EventField(), "None where the command changed nothing.")
    version = s.Integer("The version to which they brought the sheet; its ETag.", get=s.attribute("view.version"))
    game = OfGame(StandShape, nullable=True)
    undo = _part(SheetStepShape, nullable=True, get=s.attribute("view.sheet.to_undo"))
    redo = _part(SheetStepShape, nullable=True, get=s.attribute("view.sheet.to_redo"))


class RippleScoreShape(AnswerShape):
    """What a deal gives a side. Tallies such as `bags` are beside the total."""

    points = s.Integer("In this deal.", unit="points")
    total = s.Integer("After it.", unit="points", get=s.attribute("standing.total"))
    others = s.Others(s.Keyed(s.Integer("A tally after the deal.")), into="standing.tallies")


class RippleSideShape(AnswerShape):
    """One side in one deal, before and after the step."""

    before = _part(RippleScoreShape, nullable=True)
    after = _part(RippleScoreShape, nullable=True)
    gone = _parts(LineShape, "Lines that fall away, penalties among them.")
    come = _parts(LineShape, "Lines that are new.")


class DealRippleShape(AnswerShape):
    """A deal that the step would change."""

    number = s.Integer("From 1.")
    status = BeforeAfter(
        s.Text(nullable=True),
        "Null where there is no such deal.",
        get=lambda deal, own: Pair(deal.before and deal.before.status, deal.after and deal.after.status),
    )
    sides = _by_side(RippleSideShape)


class EffectShape(AnswerShape):
    """One thing that a command does to a side in a deal."""

    kind = s.Word((LINE_GONE, LINE_COME, TOTAL), "A line falls away or comes, or the total after the deal differs.")
    deal = s.Integer("The deal, from 1.")
    side = s.Text("The id of the side.")
    article = s.Text("Of the line.", nullable=True, get=lambda effect, own: effect.line and effect.line.article)
    points = s.Integer(
        "Of the line.", unit="points", nullable=True, get=lambda effect, own: effect.line and effect.line.points
    )
    before = s.Integer("The total.", unit="points", nullable=True)
    after = s.Integer("The total.", unit="points", nullable=True)
    text = s.Text("All of it in a sentence.", get=lambda effect, own: own.effect(effect))


class RippleShape(AnswerShape):
    """What a command would change in the game that it is about."""

    version = s.Integer("The version of the sheet, which stays.", get=s.attribute("view.version"))
    game_number = s.Integer("The game that it is about.", get=s.attribute("ripple.game_number"))
    deals = _parts(DealRippleShape, "Only the deals that would change.", get=s.attribute("ripple.changed"))
    effects = _parts(
        EffectShape, "What changes, deal by deal, in plain words: lines and totals.", get=s.attribute("ripple.effects")
    )
    standing = BeforeAfter(
        _by_side(StandingShape),
        "The totals by side, in points.",
        get=lambda shown, own: Pair(shown.ripple.before.standing, shown.ripple.after.standing),
    )
    outcome = BeforeAfter(
        _part(OutcomeShape),
        changes=s.Flag("Whether the two differ."),
        get=lambda shown, own: Pair(
            shown.ripple.before.outcome, shown.ripple.after.outcome, shown.ripple.outcome_changes
        ),
    )


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

    links = _parts(LinkShape, get=lambda links, context: links)


class NewLinkAnswerShape(AnswerShape):
    """A new link and its secret, which is shown this once; written with the address of its page."""

    link = _part(LinkShape)
    secret = s.Text("For the `Authorization` header.")
    url = s.Text("The page for people, with the secret in its address.", most=2000, get=lambda made, url: url)


def unions(refer: s.Refer) -> dict[str, s.JsonSchema]:
    """Return the schemas of any command, any event and a new sheet by their names; `refer` describes a shape."""
    commands = s.Variants("type", COMMAND_SHAPES).json_schema(refer)
    about = "What is to be written. `deal` and `game_number` may be left out for the open deal and the running game."
    return {
        "SheetCommand": {"description": about, **commands},
        "SheetEvent": {"description": EntryShape.__doc__, **s.Variants("kind", EVENT_SHAPES).json_schema(refer)},
        "NewSheet": s.shape_schema(shape_of(OpenSheet), refer),
    }

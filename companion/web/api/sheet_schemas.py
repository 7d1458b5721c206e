"""The shapes of sheets in the API: links and imports that are sent, and every answer."""

from __future__ import annotations

from marshmallow import Schema, fields, validate

from companion.games import GAMES
from companion.sheets.model import EVENTS
from companion.sheets.names import MAX_NAME
from companion.sheets.store import SCOPES
from companion.web.api.question_schemas import LineSchema, OutcomeSchema, SideScoreSchema, StandingSchema
from companion.web.api.shapes import Given, Taken, anything, by_name, flag, some, string, thing, whole


class ImportSchema(Taken):
    """A sheet as its JSON export wrote it."""

    format = string(validate=validate.Equal("companion-sheet"))
    format_version = whole()
    events = some(fields.Dict(), "Every event with its hash.")


class NewLinkSchema(Taken):
    """A link that is to be made."""

    scope = string("Scoring includes watching.", validate=validate.OneOf(SCOPES))
    label = string(
        "Whose it is; what is written with it bears this label.",
        required=False, validate=validate.Length(max=MAX_NAME),
    )  # fmt: skip


class SheetSecretsSchema(Given):
    """The secrets of a new sheet. Only their hashes are kept: they are never shown again."""

    watch = string("May read. Whoever has it can watch the sheet.")
    score = string("May read and write.")


class OpenedSheetSchema(Given):
    """A new sheet."""

    id = string()
    version = whole("The sequence number of its latest event; its ETag.")
    url = string()
    secrets = fields.Nested(SheetSecretsSchema, required=True)


class SheetSeatSchema(Given):
    """A place at the table, and the name of who sits there today."""

    id = string()
    name = string()


class SheetStepSchema(Given):
    """The event that an undo or a redo is about."""

    seq = whole()
    kind = string(validate=validate.OneOf(sorted(EVENTS)))


def maybe(inner: type[Schema]) -> fields.Nested:
    """An object of a schema, or null."""
    return fields.Nested(inner, required=True, allow_none=True)


class SheetRulesSchema(Given):
    """House rules from a deal on, every option written out."""

    first_deal = whole("From which deal on they hold.")
    preset = string()
    options = thing()
    code = string()
    summary = string()
    note = string()


class SheetSideSchema(Given):
    """Who scores together."""

    id = string()
    players = some(fields.String(), "Ids of seats.")
    name = string("The names of the players.")


class ChangeSchema(Given):
    """A step in the history of a deal."""

    seq = whole()
    at = string("UTC.")
    actor = string("The label of the link that was used; may be empty.")
    kind = string()
    reason = string()


class SheetDealSchema(Given):
    """A recorded deal: the facts in force and what they come to, in points."""

    number = whole("From 1.")
    dealer = string("The seat.")
    status = string(validate=validate.OneOf(["scored", "void", "after-end"]))
    facts = thing("As a score request has them.")
    calls = some(fields.Dict())
    sides = by_name(SideScoreSchema)
    warnings = some(fields.Dict(), "Problems that were recorded anyway, or came up by a correction.")
    corrected = flag("Whether other facts stood here once.")
    confirmed = some(fields.String(), "Sides that have confirmed it.")
    notes = some(fields.String())
    changes = some(ChangeSchema)


class OpenDealSchema(Given):
    """The deal that is being played."""

    number = whole()
    dealer = string("The seat.")
    calls = some(fields.Dict(), "The calls so far.")
    to_call = some(fields.String(), "The seats (or sides) of which one may call now; none where the bidding is over.")
    adjustments = some(fields.Dict())
    notes = some(fields.String())


class SheetGameSchema(Given):
    """One playing of a game."""

    number = whole("From 1.")
    game = string(validate=validate.OneOf(list(GAMES)))
    name = string()
    started = string("UTC.")
    engine = string("The version of the program with which it began.")
    rules = fields.Nested(SheetRulesSchema, required=True)
    rules_before = some(SheetRulesSchema, "Those of earlier deals, where they were changed.")
    seating = some(fields.String(), "Seats clockwise.")
    sides = some(SheetSideSchema)
    opening = thing()
    deals = some(SheetDealSchema)
    open_deal = maybe(OpenDealSchema)
    standing = by_name(StandingSchema, "Where the sides stand, in points.")
    outcome = fields.Nested(OutcomeSchema, required=True)


class SheetSchema(Given):
    """A sheet as it stands."""

    id = string()
    version = whole("The sequence number of its latest event; its ETag.")
    title = string()
    lang = string()
    opened = string("UTC.")
    changed = string("UTC.")
    seats = some(SheetSeatSchema)
    games = some(SheetGameSchema, "The last one is running.")
    undo = maybe(SheetStepSchema)
    redo = maybe(SheetStepSchema)


class SheetEventSchema(Given):
    """Something that has happened on a sheet; never changed, never taken out."""

    seq = whole("From 1, without gaps.")
    at = string("UTC.")
    actor = string("The label of the link that was used; may be empty.")
    kind = string(validate=validate.OneOf(sorted(EVENTS)))
    data = thing()


class SheetEventsSchema(Given):
    """A part of a log; `next` is the cursor of the next page, null on the last."""

    events = some(SheetEventSchema)
    version = whole("Of the sheet.")
    next = fields.String(required=True, allow_none=True)


class StandSchema(Given):
    """What the running game stands at."""

    number = whole()
    game = string()
    standing = by_name(StandingSchema, "Where the sides stand, in points.")
    outcome = fields.Nested(OutcomeSchema, required=True)
    open_deal = maybe(OpenDealSchema)


class WrittenSchema(Given):
    """What a command has written, and what the sheet then stood at."""

    events = some(SheetEventSchema, "None where the command changed nothing.")
    version = whole("The version to which they brought the sheet; its ETag.")
    game = maybe(StandSchema)
    undo = maybe(SheetStepSchema)
    redo = maybe(SheetStepSchema)


class RippleScoreSchema(Given):
    """What a deal gives a side, in points. Tallies such as `bags` stand beside the total."""

    points = whole("In this deal.")
    total = whole("After it.")


class RippleSideSchema(Given):
    """One side in one deal, before and after the step."""

    before = maybe(RippleScoreSchema)
    after = maybe(RippleScoreSchema)
    gone = some(LineSchema, "Lines that fall away, penalties among them.")
    come = some(LineSchema, "Lines that are new.")


class DealRippleSchema(Given):
    """A deal that the step would change."""

    number = whole()
    status = thing("`before` and `after`; null where there is no such deal.")
    sides = by_name(RippleSideSchema)


class RippleSchema(Given):
    """What a command would change in the game that it is about."""

    version = whole("The version of the sheet, which stays.")
    game_number = whole()
    deals = some(DealRippleSchema, "Only the deals that would change.")
    standing = thing("`before` and `after`, by side, in points.")
    outcome = thing("`before` and `after`; `changes` where they differ.")


class LinkSchema(Given):
    """A link to a sheet, without its secret."""

    id = string()
    scope = string(validate=validate.OneOf(SCOPES))
    label = string()
    created = string("UTC.")
    revoked = anything("Since when it opens nothing (UTC); null while it does.")


class LinksSchema(Given):
    """The links of a sheet, oldest first."""

    links = some(LinkSchema)


class NewLinkAnswerSchema(Given):
    """A new link and its secret, which is shown this once."""

    link = fields.Nested(LinkSchema, required=True)
    secret = string()

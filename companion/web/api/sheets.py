"""The operations about sheets: the shapes of what is sent and answered, who may do it, the views, the links."""

from __future__ import annotations

import hmac
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property
from operator import attrgetter
from typing import Any, Final, NamedTuple, TypeAlias, Unpack

from flask import Blueprint, Response, current_app, g, request
from werkzeug.routing import BaseConverter

from companion.engine import shapes as s
from companion.engine.game import AnswerShape, Game
from companion.engine.ledger import Adjustment, DealScore, Ledger, Line, Outcome, Side, side_id
from companion.engine.options import CODE_LENGTH, HouseRules, OptionSet
from companion.engine.problems import JsonObject, Node, Problem, Refused, read_whole
from companion.engine.shapes import SCALAR, Attributes, OpenShape, read, write
from companion.engine.verdict import Breach
from companion.games import GAMES
from companion.library import read_house
from companion.rulebook.answers import (
    OPTIONS,
    BreachShape,
    LineShape,
    OutcomeShape,
    SideScoreShape,
    StandingShape,
    WarningField,
)
from companion.rulebook.words import say, words
from companion.sheets.event import View, fold, without_calls
from companion.sheets.events import COMMAND as SHEET_COMMAND
from companion.sheets.events import EVENTS, OpenSheet, kind_of, read_command, read_opening
from companion.sheets.group_events import normal_name
from companion.sheets.groups import GroupService
from companion.sheets.service import (
    IDEMPOTENCY_KEY,
    LINE_COME,
    LINE_GONE,
    RULES_GONE,
    TALLY_DUE,
    TALLY_GONE,
    TOTAL,
    Done,
    Effect,
    NewLinkShape,
    Opened,
    Ripple,
    SheetService,
)
from companion.sheets.shapes import MAX_COUNT, Head, JsonField, PlayingSideShape, SheetSeatShape, TagField, shape_of
from companion.sheets.state import Entry, RulesPeriod, Seat, Sheet, SheetDeal, SheetGame, Substitution
from companion.sheets.store import (
    NO_VERSION,
    SCOPES,
    SCORE,
    WATCH,
    Conflict,
    KeyReused,
    Link,
    NoSuchSheet,
    SheetFileShape,
    from_file,
    stamp,
)
from companion.web.api import examples
from companion.web.api.catalogue import RULES_OR_CODE
from companion.web.api.document import Document
from companion.web.api.http import (
    PREFIX,
    CursorParameter,
    Declined,
    NumberParameter,
    Operation,
    Tag,
    answer_declined,
    cursor,
    json_body,
    json_value,
    query,
    read_body,
    reply,
    with_next,
)
from companion.web.dialogue import by_name, chat_words, effect_sentence
from companion.web.http import as_file, current_language, site_root, slot
from companion.web.sheet_service import group_service, sheet_service

UTC: Final = "UTC, to the millisecond."
ACTOR: Final = "The label of the link that was used; may be empty."
KIND: Final = "The kind of the event."
_COMMAND: Final = {"$ref": "#/components/schemas/SheetCommand"}
_NEW_SHEET: Final = {"$ref": "#/components/schemas/NewSheet"}
FILE: Final = SheetFileShape
NEW_LINK: Final = NewLinkShape


class _BeforeAfter(s.Field[s.Json]):
    """A part of what there is before and after a step, null where there is nothing; with `changes`, if it differs."""

    def __init__(self, part: str, inner: s.Field[s.Json], describe: str = "", *, changes: str = "", get: str) -> None:
        super().__init__(describe, get=get)
        self.part, self.inner, self.changes = part, inner, changes

    def take(self, value: object, context: object) -> object:
        """Return the value as it is."""
        return value

    def writer(self) -> s.Write:
        """Return what writes both from the attributes `before` and `after`."""
        write = self.inner.writer() or (lambda part, context: part)

        def write_both(value: s.Json, context: s.WriteContext) -> dict[str, s.Json]:
            found = {name: getattr(getattr(value, name), self.part, None) for name in ("before", "after")}
            both = {name: part and write(part, context) for name, part in found.items()}
            return both | ({"changes": found["before"] != found["after"]} if self.changes else {})

        return write_both

    def json_schema(self, refer: s.Refer) -> s.JsonSchema:
        """Describe an object with both."""
        properties = {name: s.described_field(self.inner, refer) for name in ("before", "after")}
        if self.changes:
            properties["changes"] = {"type": "boolean", "description": self.changes}
        return {"type": "object", "properties": properties, "required": list(properties)}


def _parts(shape: type[s.Shape[s.Json]], describe: str = "", **common: Unpack[s.FieldOptions]) -> s.ListOf[s.Json]:
    return s.ListOf(s.Object(shape), describe, **common)


class OfGame(s.Object[s.Json]):
    """An object about a game or a deal, which is written in the words of its game with the names of its time."""

    def writer(self) -> s.Write:
        """Return what writes the object; it has the words by what the object around it is written with."""
        write = super().writer()
        return lambda shown, context: write(shown, shown.words(context))


def time_at(path: str) -> s.Text:
    """Return the field of a time that is found at an attribute."""
    find = attrgetter(path)
    return s.Text(UTC, get=lambda value, context: stamp(find(value)))


def _kind() -> s.Word:
    """Return the field of the kind of an event."""
    return s.Word(tuple(EVENTS), KIND, get=lambda entry, context: kind_of(entry.event))


_CALL: Final[s.JsonSchema] = {"type": "object", "additionalProperties": SCALAR}


class SheetSecretsShape(AnswerShape):
    """The secrets of something new. Only their hashes are kept: they are never shown again."""

    watch = s.Text("May read. Whoever has it can watch.", get="watch_secret")
    score = s.Text("May read and write.", get="score_secret")


class SheetUrlsShape(AnswerShape):
    """Pages for people, each with its secret in the address."""

    watch = s.Text("To look at.", most=2000, get="watch_url")
    join = s.Text("Whoever opens it may write on that device.", most=2000, get="join_url")


class OpenedShape(AnswerShape):
    """A new sheet or group."""

    id = s.Text("Its id.")
    version = s.Integer("The sequence number of its latest event; its ETag.")
    url = s.Text("Where it is read.")
    urls = s.Object(SheetUrlsShape, get=".")
    secrets = s.Object(SheetSecretsShape, get=".")


class OpenedSheetShape(OpenedShape):
    """A new sheet."""

    sides = s.ListOf(s.Text(), "Who scores together in its game, as deals name them: `A+C`. Empty without a game.")
    same_names = _parts(
        SheetSeatShape,
        "A warning: seats whose name a seat before them has, so that sentences do not tell them apart.",
        absent=True,
        get=lambda made, context: made.same_names or None,
    )


class SheetStepShape(AnswerShape):
    """The event that an undo or a redo is about."""

    seq = s.Integer("Its sequence number.")
    kind = _kind()


class SheetRulesShape(AnswerShape):
    """House rules from a deal on, with every option."""

    first_deal = s.Integer("The first deal under these rules.", get="period.first_deal")
    preset = s.Text("The preset.", get="period.preset")
    options = s.Anything("Every option of the game.", schema=OPTIONS, get="period.options")
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
    note = s.Text("Why they were changed; may be empty.", get="period.note")


class SheetSideShape(PlayingSideShape):
    """Who scores together."""

    name = s.Text("The names of the players.", get=lambda side, own: own.side_name(side))


class ChangeShape(AnswerShape):
    """A step in the history of a deal."""

    seq = s.Integer("The sequence number of the event.")
    at = time_at("at")
    actor = s.Text(ACTOR)
    kind = _kind()
    reason = s.Text("Why; may be empty.")


class SheetDealShape(AnswerShape):
    """A recorded deal: the facts in force and what they come to, in points."""

    number = s.Integer("From 1.", get="deal.number")
    dealer = s.Text("The seat.", get="deal.dealer")
    status = s.Word(("scored", "void", "after-end"), "Whether the deal counts.", get="scored.status")
    facts = JsonField("As a score request has them.", component="Deal", get="deal.facts")
    calls = s.ListOf(s.Anything(schema=_CALL), "The calls behind the facts.", get="deal.calls")
    sides = s.Keyed(s.Object(SideScoreShape), get="scored.sides")
    warnings = s.ListOf(
        WarningField(), "Problems that were recorded anyway, or came up by a correction.", get="scored.warnings"
    )
    corrected = s.Flag("Whether other facts were recorded before.", get="deal.corrected")
    confirmed = s.ListOf(s.Text(), "Sides that have confirmed it.", get="deal.confirmed")
    notes = s.ListOf(s.Text(), "What was written beside it.", get="deal.notes")
    changes = _parts(ChangeShape, "How the facts came about.", get="deal.changes")


class OpenDealShape(AnswerShape):
    """The deal that is being played."""

    number = s.Integer("From 1.", get="game.open.number")
    dealer = s.Text("The seat.", get="game.open.dealer")
    calls = s.ListOf(s.Anything(schema=_CALL), "The calls so far.", get="game.open.calls")
    breaches = s.ListOf(
        s.ListOf(s.Object(BreachShape)), "What the rules say against each call: one list of broken articles for each."
    )
    to_call = s.ListOf(s.Text(), "The seats (or sides) of which one may call now; none where the bidding is over.")
    adjustments = s.ListOf(
        s.Written(s.shape_of(Adjustment)), "Points that wait for the facts of the deal.", get="game.open.adjustments"
    )
    notes = s.ListOf(s.Text(), "What was written beside it.", get="game.open.notes")


class SheetOpeningShape(AnswerShape):
    """What a side carried on from paper. Tallies such as `bags` are beside the total."""

    total = s.Integer("The total before the first deal.", unit="points", absent=True)
    others = s.Others(s.Keyed(s.Integer("A tally before the first deal.")), into="tallies")


class SubstitutionShape(AnswerShape):
    """A seat that another player took over: sentences about earlier deals name who left."""

    seat = s.Text()
    from_deal = s.Integer("The first deal of whoever sits there since.")
    left = s.Text("The name of the player who left.")


class NumberedGameShape(AnswerShape):
    """A game of a sheet."""

    number = s.Integer("From 1.", get="game.number")
    game = s.Word(tuple(GAMES), "The id of the game.", get="game.game")


class SheetGameShape(NumberedGameShape):
    """One playing of a game."""

    name = s.Text("Its name in the language of the request.", get=lambda shown, own: own.name)
    started = time_at("game.started")
    engine = s.Text("The version of the program with which it began.", get="game.engine")
    rules = s.Object(SheetRulesShape, get=lambda shown, own: shown.rules(shown.game.rules))
    rules_before = _parts(
        SheetRulesShape,
        "Those of earlier deals, where they were changed.",
        get=lambda shown, own: map(shown.rules, shown.game.periods[:-1]),
    )
    seating = s.ListOf(s.Text(), "Seats clockwise.", get="game.seating")
    sides = _parts(SheetSideShape, "Who scores together.", get="game.sides")
    opening = s.Keyed(s.Written(SheetOpeningShape), "Totals carried on from paper.", get="game.opening")
    taken = _parts(
        SubstitutionShape,
        "Seats that another player took over.",
        absent=True,
        get=lambda shown, own: shown.taken or None,
    )
    deals = s.ListOf(OfGame(SheetDealShape), "The recorded deals.")
    open_deal = s.Object(OpenDealShape, nullable=True)
    standing = s.Keyed(s.Object(StandingShape), "The totals, in points.", get="ledger.standing")
    outcome = s.Object(OutcomeShape, get="ledger.outcome")


class SheetShape(AnswerShape):
    """A sheet at its latest version."""

    id = s.Text("The id of the sheet.")
    version = s.Integer("The sequence number of its latest event; its ETag.")
    title = s.Text("May be empty.", get="sheet.title")
    lang = s.Text("The language in which it was opened; may be empty.", get="sheet.lang")
    opened = time_at("sheet.opened")
    changed = time_at("sheet.changed")
    seats = _parts(SheetSeatShape, "All seats with the names of today.", get="sheet.seats")
    games = s.ListOf(OfGame(SheetGameShape), "The last one is running.", get=lambda view, lang: shown_games(view))
    undo = s.Object(SheetStepShape, nullable=True, get="sheet.to_undo")
    redo = s.Object(SheetStepShape, nullable=True, get="sheet.to_redo")


class EntryShape(AnswerShape):
    """Something that happened on a sheet; never changed, never removed."""

    seq = s.Integer("From 1, without gaps.")
    at = time_at("at")
    actor = s.Text(ACTOR)


EntryShapes: TypeAlias = Mapping[str, type[s.Shape[s.Json]]]
"""The entry of a log for each kind of event."""


def entry_shapes(events: Mapping[str, type[object]], base: type[EntryShape]) -> EntryShapes:
    """Return the shapes of the entries of a log with these kinds of events."""
    metaclass: s.Json = type(base)
    return {
        name: metaclass(
            f"{kind.__name__}Event",
            (base,),
            {
                "__doc__": kind.__doc__, "__module__": __name__, "kind": TagField(name),
                "data": s.Object(shape_of(kind), get="event"),
            },
        )
        for name, kind in events.items()
    }  # fmt: skip


class EntryField(s.Field[s.Json]):
    """An entry of a log; its kind tells its fields."""

    def __init__(self, name: str, shapes: EntryShapes, describe: str = "", *, get: str | None = None) -> None:
        super().__init__(describe, get=get)
        self.union, self.shapes = name, shapes

    def take(self, value: object, context: object) -> object:
        """Return the value as it is."""
        return value

    def json_schema(self, refer: s.Refer) -> s.JsonSchema:
        """Describe the entry of every kind."""
        return {"$ref": f"#/components/schemas/{self.union}"}

    def writer(self) -> s.Write:
        """Return what writes an entry by the shape of its kind."""
        return lambda entry, context: s.write(self.shapes[kind_of(entry.event)], entry)


_EVENT_SHAPES: Final = entry_shapes(EVENTS, EntryShape)
_ENTRY: Final = EntryField("SheetEvent", _EVENT_SHAPES)


class SheetEventsShape(AnswerShape):
    """A part of a log; `next` is the cursor of the next page, null on the last."""

    events = s.ListOf(_ENTRY)
    version = s.Integer("Of the sheet.")
    next = s.Text("Sent as `cursor`.", nullable=True)


class StandShape(NumberedGameShape):
    """The totals, the outcome and the open deal of the current game."""

    standing = s.Keyed(s.Object(StandingShape), "The totals, in points.", get="ledger.standing")
    outcome = s.Object(OutcomeShape, get="ledger.outcome")
    open_deal = s.Object(OpenDealShape, nullable=True)


class WrittenShape(AnswerShape):
    """What a command has written, and the totals after it."""

    events = s.ListOf(_ENTRY, "None where the command changed nothing.", get="entries")
    version = s.Integer("The version to which they brought the sheet; its ETag.", get="view.version")
    game = OfGame(StandShape, nullable=True, get=lambda shown, lang: next(reversed(shown_games(shown.view)), None))
    undo = s.Object(SheetStepShape, nullable=True, get="view.sheet.to_undo")
    redo = s.Object(SheetStepShape, nullable=True, get="view.sheet.to_redo")


class RippleScoreShape(AnswerShape):
    """What a deal gives a side. Tallies such as `bags` are beside the total."""

    points = s.Integer("In this deal.", unit="points")
    total = s.Integer("After it.", unit="points", get="standing.total")
    others = s.Others(s.Keyed(s.Integer("A tally after the deal.")), into="standing.tallies")


class RippleSideShape(AnswerShape):
    """One side in one deal, before and after the step."""

    before = s.Object(RippleScoreShape, nullable=True)
    after = s.Object(RippleScoreShape, nullable=True)
    gone = _parts(LineShape, "Lines that fall away, penalties among them.", get="removed")
    come = _parts(LineShape, "Lines that are new.", get="added")


class DealRippleShape(AnswerShape):
    """A deal that the step would change."""

    number = s.Integer("From 1.")
    status = _BeforeAfter("status", s.Text(nullable=True), "Null where there is no such deal.", get=".")
    sides = s.Keyed(s.Object(RippleSideShape))


class EffectShape(AnswerShape):
    """One thing that a command does in a deal, to a side or to all of them."""

    kind = s.Word(
        (LINE_GONE, LINE_COME, TOTAL, RULES_GONE, TALLY_GONE, TALLY_DUE),
        "A line falls away or comes, the total after the deal differs, rules from the deal on no longer apply, a tally "
        "is no longer kept from the deal on, or has reached the limit at which it costs points.",
    )
    deal = s.Integer("The deal, from 1.")
    side = s.Text("The id of the side; empty for all of them.")
    article = s.Text("Of the line.", nullable=True, get=lambda effect, own: effect.line and effect.line.article)
    points = s.Integer(
        "Of the line.", unit="points", nullable=True, get=lambda effect, own: effect.line and effect.line.points
    )
    before = s.Integer("The total, or the tally.", unit="points", nullable=True)
    after = s.Integer("The total, or the limit of the tally.", unit="points", nullable=True)
    text = s.Text("All of it in a sentence.", get=lambda effect, own: own.effect(effect))


class RippleShape(AnswerShape):
    """What a command would change in the game that it is about."""

    version = s.Integer("The version of the sheet, which stays.", get="view.version")
    game_number = s.Integer("The game that it is about.", get="ripple.game_number")
    deals = _parts(DealRippleShape, "Only the deals that would change.", get="ripple.changed")
    effects = _parts(EffectShape, "What changes, deal by deal, in plain words: lines and totals.", get="ripple.effects")
    standing = _BeforeAfter(
        "standing", s.Keyed(s.Object(StandingShape)), "The totals by side, in points.", get="ripple"
    )
    outcome = _BeforeAfter("outcome", s.Object(OutcomeShape), changes="Whether the two differ.", get="ripple")


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

    links = _parts(LinkShape, get=".")


class NewLinkAnswerShape(AnswerShape):
    """A new link and its secret, which is shown this once; written with the address of its page."""

    link = s.Object(LinkShape)
    secret = s.Text("For the `Authorization` header.")
    url = s.Text("The page for people, with the secret in its address.", most=2000, get=lambda made, url: url)


def _unions(refer: s.Refer) -> dict[str, s.JsonSchema]:
    """Return the schemas of any command, any event and a new sheet by their names; `refer` describes a shape."""
    commands = SHEET_COMMAND.json_schema(refer)
    about = "What is to be written. `deal` and `game_number` may be left out for the open deal and the running game."
    return {
        "SheetCommand": {"description": about, **commands},
        "SheetEvent": {"description": EntryShape.__doc__, **s.Variants("kind", _EVENT_SHAPES).json_schema(refer)},
        "NewSheet": s.shape_schema(shape_of(OpenSheet), refer),
    }


_CHALLENGE = {"WWW-Authenticate": 'Bearer realm="score sheet"'}
LONG_KEY = 32
"""Characters from which on a key cannot have been chosen by another client too."""
_MOST_KEY = IDEMPOTENCY_KEY.most

_ENTITY_TAGS = re.compile(r'\*|(?:(?:W/)?"[^"]*"|\d+(?:-[0-9a-f]+)?)(?:\s*,\s*(?:(?:W/)?"[^"]*"|\d+(?:-[0-9a-f]+)?))*')
"""What `If-Match` may be: `*`, or entity tags, whose quotes may be missing."""
IF_MATCH = {
    "name": "If-Match",
    "in": "header",
    "required": True,
    "schema": {"type": "string", "pattern": f"^(?:{_ENTITY_TAGS.pattern})$"},
    "description": 'The ETag that you have seen, `"7-3f1c9a52e0b4"`, which no other history has; the number alone is a '
    "version of any; `*` for any version.",
}
KEY = {
    "name": "Idempotency-Key",
    "in": "header",
    "required": True,
    "schema": {"type": "string", "minLength": 1, "maxLength": _MOST_KEY, "pattern": r'^(?!""$)[!-~](?:[ -~]*[!-~])?$'},
    "description": "A text of your own for this command, quoted or bare. Sent again with the same key, the command is "
    "not written again: the first answer comes back with `Idempotent-Replayed: true`, however much later.",
}
OPTIONAL_KEY = {
    **KEY,
    "required": False,
    "description": "A random text of your own, such as a UUID, quoted or bare. Sent again with the same key, nothing "
    "is made twice: the first answer comes back, secrets included, with `Idempotent-Replayed: true`. For a sheet or a "
    f"group, a key of fewer than {LONG_KEY} characters is known only at the address that sent it.",
}


def guard(tag: Blueprint, log: str, service: Callable[[], SheetService | GroupService], entry: EntryField) -> None:
    """Forbid caching and indexing; answer a missing sheet or group like one that the secret does not open.

    `log` is the part of the path with the id of the log.
    """
    write_entry = entry.writer()

    def answer_conflict(lost: Conflict) -> Response:
        """Return 409 after a concurrent write, else 412 with what was written since the version named."""
        if lost.raced:
            return answer_declined(Declined("conflict", version=lost.version))
        sheet, seen = (request.view_args or {})[log], _named_version()
        entries = service().events(sheet, seen, MOST_EVENTS_A_PAGE) if seen and seen < lost.version else ()
        events = [write_entry(entry, None) for entry in entries]
        declined = Declined("version-conflict", version=lost.version, events=events)
        return with_tag(answer_declined(declined), sheet_service().head_at(sheet, lost.version))

    tag.register_error_handler(NoSuchSheet, lambda _: answer_declined(Declined("not-found")))
    tag.register_error_handler(KeyReused, lambda _: answer_declined(Declined("idempotency-key-reused")))
    tag.register_error_handler(Conflict, answer_conflict)
    tag.after_request(_keep_private)


def _may_watch(sheet: str) -> Link:
    """Return the link whose secret was sent if it opens this sheet. Raises Declined."""
    return _allowed(sheet_service().find, sheet, WATCH)


def _watched_head(sheet: str) -> Head:
    """Return the latest event of a sheet that the secret may watch. Raises as `_may_watch` does."""
    link, head = sheet_service().watch(_secret())
    if link.sheet != sheet:
        raise NoSuchSheet(sheet)
    return head


def _may_score(sheet: str) -> Link:
    """Return the link whose secret was sent if it may write on this sheet. Raises Declined."""
    return _allowed(sheet_service().find, sheet, SCORE)


def may_watch_group(group: str) -> Link:
    """Return the link whose secret was sent if it opens this group. Raises Declined."""
    return _allowed(group_service().find, group, WATCH)


def may_keep_group(group: str) -> Link:
    """Return the link whose secret was sent if it may change this group. Raises Declined."""
    return _allowed(group_service().find, group, SCORE)


def wanted_version(sheet: str) -> int | None:
    """Return the version in `If-Match` if the sheet has it, else `NO_VERSION`; None for `*`.

    An ETag is that of one history; a bare number is a version of any.

    Raises Declined if the header was not sent, or is none.
    """
    if "If-Match" not in request.headers:
        raise Declined("precondition-required")
    if not _ENTITY_TAGS.fullmatch(request.headers["If-Match"].strip()):
        raise Declined("if-match-unreadable")
    named = request.if_match
    if named.star_tag:
        return None
    head = sheet_service().head(sheet)
    return head.version if named.contains(head.tag) or named.contains(str(head.version)) else NO_VERSION


def _named_version() -> int | None:
    """Return the one version in `If-Match`, None if there is none or several."""
    tags = request.if_match.as_set()
    return Head.version_in(next(iter(tags)) or "") if len(tags) == 1 else None


def idempotency_key() -> str:
    """Return the key in `Idempotency-Key`, quoted or bare. Raises Declined if it is missing or unusable."""
    key = request.headers.get("Idempotency-Key", "").strip()
    if len(key) >= 2 and key[0] == key[-1] == '"':
        key = key[1:-1].replace('\\"', '"').replace("\\\\", "\\")
    if not key or len(key) > _MOST_KEY or not (key.isascii() and key.isprintable()):
        raise Declined("idempotency-key-required")
    return key


def idempotency_seed(purpose: str, log: str = "") -> bytes | None:
    """Return what the id and secrets of a new thing follow from, None if no `Idempotency-Key` was sent.

    The key alone says nothing: the seed needs the signing key of this service too. Raises Declined.
    """
    if "Idempotency-Key" not in request.headers:
        return None
    key = idempotency_key()
    whose = log or ("" if len(key) >= LONG_KEY else request.remote_addr or "")
    parts = "\n".join((purpose, whose, key)).encode()
    return hmac.digest(str(current_app.config["SECRET_KEY"]).encode(), parts, "sha256")


def unchanged(head: Head) -> Response | None:
    """Return 304 where the client of the request has what is here, up to this event."""
    return with_tag(Response(status=304), head) if request.if_none_match.contains_weak(head.tag) else None


def with_tag(response: Response, head: Head) -> Response:
    """Return the response with the entity tag of a sheet or a group up to this event."""
    response.set_etag(head.tag)
    return response


def mark_replayed(response: Response, replayed: bool) -> Response:
    """Return the response, marked if it is the first answer again."""
    if replayed:
        response.headers["Idempotent-Replayed"] = "true"
    return response


def _keep_private(response: Response) -> Response:
    response.headers["Cache-Control"] = "private, no-store"
    response.headers["Referrer-Policy"] = "no-referrer"
    response.headers["X-Robots-Tag"] = "noindex"
    response.vary.add("Authorization")
    return response


def _allowed(find: Callable[[str], Link], log: str, scope: str) -> Link:
    """Answer unknown ids, foreign secrets and revoked links alike; only a watch link learns that it cannot write."""
    link = find(_secret())
    if link.sheet != log:
        raise NoSuchSheet(log)
    if not link.allows(scope):
        raise Declined("forbidden", detail=say(current_language(), "detail.watch-only"))
    return link


def _secret() -> str:
    """Return the secret in the `Authorization` header; those in a path, a query or a cookie are ignored."""
    secret = _bearer(request.headers.get("Authorization", ""))
    if not secret:
        raise Declined("unauthorized", headers=_CHALLENGE)
    return secret


def _bearer(header: str) -> str:
    """Return the secret in an `Authorization` header, empty where there is none."""
    scheme, _, secret = header.strip().partition(" ")
    return secret.strip() if scheme.lower() == "bearer" else ""


_Json = dict[str, Any]


class SheetWords:
    """The words of a game for a sheet: sentences name the players of seats and sides; the facts keep the ids."""

    def __init__(self, lang: str, sheet: Sheet, game: SheetGame | None, deal: int | None = None) -> None:
        self._own, self._sheet, self._game = words(game.game if game else "", lang), sheet, game
        self._names = sheet.names_in(game, deal) if game else sheet.names
        self.lang, self.name = lang, self._own.name

    def at(self, deal: int) -> SheetWords:
        """Return the words with the names of whoever played a deal."""
        return SheetWords(self.lang, self._sheet, self._game, deal) if self._sheet.state.taken else self

    def line(self, line: Line) -> str:
        """Return the sentence of a line of the ledger."""
        return self._own.line(replace(line, facts=by_name(line.facts, self._names)))

    def breach(self, breach: Breach) -> str:
        """Return what a call or a card breaks."""
        return self._own.breach(replace(breach, facts=by_name(breach.facts, self._names)))

    def outcome(self, outcome: Outcome) -> str:
        """Return why the game is over."""
        winners = tuple(self._names[side] for side in outcome.winners)
        return self._own.outcome(replace(outcome, winners=winners, facts=by_name(outcome.facts, self._names)))

    def problem(self, problem: Problem) -> str:
        """Return what is wrong with an input."""
        return self._own.problem(replace(problem, facts=by_name(problem.facts, self._names)))

    def summary(self, options: OptionSet[object], house: HouseRules[object]) -> str:
        """Return house rules in one line."""
        return self._own.summary(options, house)

    def side_name(self, side: Side) -> str:
        """Return the names of the players of a side."""
        return self._names[side.id]

    def effect(self, effect: Effect) -> str:
        """Return the sentence of an effect of a command on the game."""
        return effect_sentence(effect, self._own, self.at(effect.deal)._names)


class ShownRules(NamedTuple):
    """House rules from a deal on."""

    known: Game
    period: RulesPeriod
    house: HouseRules[object]


class ShownDeal(NamedTuple):
    """A recorded deal and its score."""

    deal: SheetDeal
    scored: DealScore

    def words(self, own: SheetWords) -> SheetWords:
        """Return the words of its game with the names of its players."""
        return own.at(self.deal.number)


@dataclass(frozen=True)
class ShownGame:
    """A game of a sheet and its ledger."""

    view: View
    game: SheetGame
    ledger: Ledger

    def words(self, lang: str) -> SheetWords:
        """Return the words of the game."""
        return SheetWords(lang, self.view.sheet, self.game)

    def rules(self, period: RulesPeriod) -> ShownRules:
        """Return the house rules of a period."""
        return ShownRules(GAMES[self.game.game], period, self.view.house(self.game, period.first_deal))

    @property
    def deals(self) -> Iterable[ShownDeal]:
        """The recorded deals."""
        return map(ShownDeal, self.game.deals, self.ledger.deals)

    @property
    def taken(self) -> list[Substitution]:
        """The seats that were taken over during the game."""
        return [each for each in self.view.sheet.state.taken if each.game == self.game.number]

    @property
    def open_deal(self) -> ShownGame | None:
        """Itself, for the deal that is being played; None once the game is over."""
        return None if self.ledger.outcome.over else self

    @property
    def to_call(self) -> list[str]:
        """The seats (in consultation the sides) of which one may call now; none once the bidding is over."""
        known = GAMES[self.game.game]
        if known.settle_calls is None or known.moves is None or without_calls(self.game, known):
            return []
        rules = self.view.house(self.game).options
        for calls in _fewer(self._judged[1]):
            with suppress(Refused):
                answer = known.moves(rules, Node({"position": self._bidding(calls)}))
                callers = [move.get("seat", move.get("side")) for move in answer["moves"]]  # none without a hand
                return list(dict.fromkeys(map(str, callers or [lacking.seat for lacking in answer["missing"]])))
        return []

    @property
    def breaches(self) -> list[tuple[Breach, ...]]:
        """The articles that each call so far breaks; none for a call that cannot be judged."""
        return self._judged[0]

    @cached_property
    def _judged(self) -> tuple[list[tuple[Breach, ...]], list[JsonObject]]:
        """Return the broken articles of each call, and the calls after which one can go on.

        A call after which there is no position, such as one too many, is judged and left out before those after it.
        """
        judge, rules = GAMES[self.game.game].judge, self.view.house(self.game).options
        found, accepted = list[tuple[Breach, ...]](), list[JsonObject]()
        for call in self.game.open.calls if judge else ():
            found.append(())
            for before in _fewer(accepted):
                with suppress(Refused):
                    position, move = Node(self._bidding(before)), Node({"type": "call", **call})
                    found[-1] = judge(rules, position, move).breaches if judge else ()
                    accepted = [*before, call]
                    break
        return found, accepted

    def _bidding(self, calls: Sequence[JsonObject]) -> dict[str, object]:
        """Return the position after these calls of the open deal."""
        game = self.game
        totals = {
            side_id(seat for seat in game.seating if seat in side.players): self.ledger.standing[side.id].total
            for side in game.sides
        }
        position = {"phase": "bidding", "seats": list(game.seating), "dealer": game.open.dealer}
        return {**position, "totals": totals, "calls": list(map(dict, calls))}


def _fewer(calls: Sequence[JsonObject]) -> Iterator[Sequence[JsonObject]]:
    """Yield the calls, then without the last one, and so on."""
    return (calls[:count] for count in range(len(calls), -1, -1))


def shown_games(view: View) -> list[ShownGame]:
    """Return the games of a sheet with their ledgers."""
    return [ShownGame(view, game, ledger) for game, ledger in zip(view.sheet.games, view.ledgers, strict=True)]


class Made(NamedTuple):
    """Something new with its secrets, and the pages that they open."""

    id: str
    version: int
    url: str
    watch_secret: str
    score_secret: str
    of: str = ""
    """Where its pages are."""
    sides: tuple[str, ...] = ()
    same_names: Sequence[Seat] = ()

    @property
    def watch_url(self) -> str:
        """The page to look at it."""
        return _link_url(WATCH, self.watch_secret, self.of)

    @property
    def join_url(self) -> str:
        """The page from which on a device may write."""
        return _link_url(SCORE, self.score_secret, self.of)


class _LogPage(NamedTuple):
    """A part of a log, the version of the sheet, and the cursor of the next part."""

    events: Sequence[Entry]
    version: int
    next: str | None


class _ShownRipple(NamedTuple):
    """What a command would change on a sheet."""

    view: View
    ripple: Ripple


def _answer_ripple(view: View, ripple: Ripple) -> Response:
    """Return a preview: every deal that differs with both scores, the totals, both outcomes."""
    games = view.sheet.games
    game = games[ripple.game_number - 1] if ripple.game_number <= len(games) else None
    own = SheetWords(current_language(), view.sheet, game)
    return with_tag(reply(write(RippleShape, _ShownRipple(view, ripple), own)), view.head)


def _link_url(scope: str, secret: str, of: str) -> str:
    """Return the page for people that a secret opens, in the language of the request; `of` is `groups/` for a group."""
    at = f"{site_root()}/{current_language()}/{of}"
    return f"{at}watch/{secret}" if scope == WATCH else f"{at}join#{secret}"


MOST_EVENTS_A_PAGE = 200


class EventsQuery(OpenShape[Attributes]):
    """What a query for the log of a sheet may hold."""

    after = NumberParameter("Only events after this sequence number.", low=0, high=MAX_COUNT, optional=True)
    limit = NumberParameter(low=1, high=MOST_EVENTS_A_PAGE, default=MOST_EVENTS_A_PAGE)
    cursor = CursorParameter("From `next` of the page before; overrides `after`.")


ETAG = ("ETag",)
MADE = (*ETAG, "Location", "Idempotent-Replayed")
_NEXT = {
    name: {"operationId": name, "parameters": {"sheet": "$response.body#/id"}}
    for name in ("readSheet", "writeEvents", "createLink")
}
"""What can be done with a new sheet."""
UNCHANGED: Final = "Nothing has been written since the version in `If-None-Match`."

sheets = Tag(
    "sheets",
    "Score sheets. Each is a log of facts that only grows; points follow from it. Its version is the number of its "
    "latest event. Who has a secret of it may watch or score; secrets are sent as `Authorization: Bearer` alone.",
)


class SheetConverter(BaseConverter):
    """The id of a sheet in a path; `import` is not one."""

    regex = r"(?!import(?:/|$))[^/\x00-\x1f\x7f]+"


def describe(document: Document) -> None:
    """Add the schemas of commands and events, and how a secret is sent."""
    document.register_parameter("sheet", "The id of the sheet.", {"type": "string"})
    for name, schema in _unions(document.refer).items():
        document.spec.components.schema(name, schema)
    document.spec.components.security_scheme(
        "sheetSecret",
        {
            "type": "http",
            "scheme": "bearer",
            "description": "The watch or the score secret of a sheet, shown when the sheet or the link was made.",
        },
    )


@Operation(
    sheets, "/sheets",
    takes=_NEW_SHEET, gives=OpenedSheetShape, examples=examples.OPEN,
    status=201, headers=MADE, links=_NEXT, conditions=(OPTIONAL_KEY,),
)  # fmt: skip
def open_sheet() -> Response:
    """Open a sheet, with `game` its first game too. Its secrets are shown only once; `Location` is its address."""
    value = json_body()
    use_words_of(value)
    return opened_sheet(sheet_service().open_sheet(read_opening(value), seed=idempotency_seed("open")))


@Operation(
    sheets, "/sheets/import",
    takes=FILE, gives=OpenedSheetShape, examples=examples.FILE, status=201, headers=MADE, links=_NEXT,
    conditions=(OPTIONAL_KEY,),
)  # fmt: skip
def import_sheet() -> Response:
    """Import an exported sheet with a new id and new secrets. Its log is kept unchanged, and every hash is checked."""
    with slot():
        seed = idempotency_seed("import")
        service = sheet_service()
        records = read_body(lambda sent: from_file(json_value(sent), GAMES, service.store.anchors))
        return opened_sheet(service.import_records(records, seed=seed))


@Operation(sheets, "/sheets/<sheet:sheet>", gives=SheetShape, unchanged=UNCHANGED, secret=WATCH)
def _read_sheet(sheet: str) -> Response:
    """Read the sheet. With `If-None-Match` it can be polled. Requires a watch secret."""
    head = _watched_head(sheet)
    if same := unchanged(head):
        return same
    view = sheet_service().read(sheet)
    return with_tag(reply(write(SheetShape, view, current_language())), view.head)


@Operation(
    sheets, "/sheets/<sheet:sheet>/events",
    gives=SheetEventsShape, query=EventsQuery, headers=("Link",), unchanged=UNCHANGED,
    secret=WATCH,
)  # fmt: skip
def _list_events(sheet: str) -> Response:
    """Read the log in its order, from the beginning or after `after`. Requires a watch secret."""
    head = _watched_head(sheet)
    asked = query(EventsQuery)
    limit, passed = asked["limit"], (asked["after"] or 0) if asked["cursor"] is None else asked["cursor"]
    if same := unchanged(head):
        return same
    entries = sheet_service().events(sheet, min(passed, head.version), limit + 1)
    page = entries[:limit]
    more = cursor(page[-1].seq) if len(entries) > limit else None
    return with_next(with_tag(reply(write(SheetEventsShape, _LogPage(page, head.version, more))), head), more)


@Operation(
    sheets, "/sheets/<sheet:sheet>/events",
    takes=_COMMAND, gives=WrittenShape, examples=examples.COMMANDS,
    conditions=(KEY, IF_MATCH), faults=(409, 412, 428),
    status=201, others={200: "The command changed nothing; nothing was written."},
    headers=(*ETAG, "Idempotent-Replayed"), secret=SCORE,
)  # fmt: skip
def write_events(sheet: str) -> Response:
    """Write the events of a command; returns them and the totals after them. Requires a score secret.

    An outdated version is answered 412 with the `events` since then, a concurrent write 409: the same command may be
    sent again with the same key and the new version. Name `deal`: without it, a retry whose key was lost is taken for
    the next deal.
    """
    link = _may_score(sheet)
    value = json_body()
    key, base = idempotency_key(), wanted_version(sheet)
    use_words_of(value, sheet_service().read(sheet))
    done = sheet_service().do(sheet, read_command(value), base_version=base, key=key, link=link)
    answer = write(WrittenShape, replace(done, view=_view_at(done)), current_language())
    return answer_done(answer, done.head, done.replayed, status=201 if done.entries else 200)


@Operation(
    sheets, "/sheets/<sheet:sheet>/preview",
    takes=_COMMAND, gives=RippleShape, examples=examples.PREVIEW,
    headers=ETAG, secret=SCORE,
)  # fmt: skip
def _preview_command(sheet: str) -> Response:
    """Preview a command: every deal that it would change, with totals before and after. Requires a score secret.

    Nothing is written.
    """
    _may_score(sheet)
    value, view = json_body(), sheet_service().read(sheet)
    use_words_of(value, view)
    return _answer_ripple(view, sheet_service().preview(sheet, read_command(value)))


@Operation(
    sheets, "/sheets/<sheet:sheet>/what-if",
    takes=WhatIfShape, gives=RippleShape, examples=examples.WHAT_IF,
    headers=ETAG, secret=WATCH,
)  # fmt: skip
def _ask_what_if(sheet: str) -> Response:
    """The running game under other house rules: every deal that would differ, totals before and after.

    Nothing is written. Requires a watch secret.
    """
    _may_watch(sheet)
    value, view = json_body(), sheet_service().read(sheet)
    use_words_of(None, view)
    asked, game = read(WhatIfShape, value), view.game
    if game is None:
        raise Refused([Problem((), "no-game")])
    try:
        house = read_whole(asked["rules"], lambda node: read_house(GAMES[game.game], node), ("rules",))
    except Refused as refused:  # the game is that of the sheet
        raise Refused(replace(problem, contextual=True) for problem in refused.problems) from None
    return _answer_ripple(view, sheet_service().what_if(view, house))


@Operation(sheets, "/sheets/<sheet:sheet>", gives=None, method="DELETE", status=204, secret=SCORE)
def _delete_sheet(sheet: str) -> Response:
    """Delete a sheet for good, with its log, links and keys. Requires a score secret.

    Only its id and the time of the deletion are kept, so that it is never used again.
    """
    _may_score(sheet)
    sheet_service().erase(sheet)
    return Response(status=204)


@Operation(sheets, "/sheets/<sheet:sheet>/export.json", gives=FILE, headers=("Content-Disposition",), secret=WATCH)
def _export_json(sheet: str) -> Response:
    """Export the whole log with its hash chain, as `import` reads it."""
    _may_watch(sheet)
    return as_file(reply(sheet_service().export_json(sheet)), "scores.json")


@Operation(
    sheets, "/sheets/<sheet:sheet>/export.csv",
    gives={"type": "string"}, media="text/csv", headers=("Content-Disposition",), secret=WATCH,
)  # fmt: skip
def _export_csv(sheet: str) -> Response:
    """Export a row for each side in each deal, safe to open in a spreadsheet."""
    _may_watch(sheet)
    return as_file(Response(sheet_service().export_csv(sheet), mimetype="text/csv"), "scores.csv")


@Operation(sheets, "/sheets/<sheet:sheet>/export.txt", gives={"type": "string"}, media="text/plain", secret=WATCH)
def _export_text(sheet: str) -> Response:
    """Export the games deal by deal as text for a chat, in the language of the request."""
    _may_watch(sheet)
    return Response(sheet_service().export_text(sheet, chat_words(current_language())), mimetype="text/plain")


guard(sheets, "sheet", sheet_service, _ENTRY)


def opened_sheet(opened: Opened[View]) -> Response:
    """Return the answer that shows a new sheet with its secrets."""
    url = f"{PREFIX}/sheets/{opened.id}"
    sheet = fold(sheet_service().events(opened.id, 0, opened.head.version))
    sides = tuple(side.id for side in sheet.game.sides) if sheet.game else ()
    names = [normal_name(seat.name) for seat in sheet.seats]
    same = [seat for place, seat in enumerate(sheet.seats) if names[place] in names[:place]]
    made = Made(opened.id, opened.head.version, url, opened.watch_secret, opened.score_secret, "", sides, same)
    return answer_done(write(OpenedSheetShape, made), opened.head, opened.replayed, location=url)


def answer_done(value: object, head: Head, replayed: bool, *, status: int = 201, location: str = "") -> Response:
    """Return what was made or written, with its entity tag; marked if it is the first answer again."""
    response = mark_replayed(with_tag(reply(value, status=status), head), replayed)
    if location:
        response.headers["Location"] = location
    return response


def _view_at(done: Done) -> View:
    """Return the sheet at the version that the first response had, whatever has happened since."""
    if done.version == done.view.version:
        return done.view
    return View(done.view.id, fold(sheet_service().events(done.view.id, 0, done.version)), GAMES, {})


def use_words_of(value: object, view: View | None = None) -> None:
    """Word problems as the requested game does, or else the current one."""
    named = value.get("game") if isinstance(value, Mapping) else None
    running = view.game.game if view and view.game else None
    g.game = GAMES.get(named if isinstance(named, str) else running or "")


links = Tag("links", "Who else may watch or score a sheet: links with secrets of their own, each revocable.")


@Operation(links, "/sheets/<sheet:sheet>/links", gives=LinksShape, secret=SCORE)
def _list_links(sheet: str) -> Response:
    """List the links of a sheet, revoked ones included, without their secrets. Requires a score secret."""
    _may_score(sheet)
    return reply(write(LinksShape, sheet_service().links(sheet)))


@Operation(
    links, "/sheets/<sheet:sheet>/links",
    takes=NEW_LINK, gives=NewLinkAnswerShape, examples=examples.LINK,
    conditions=(OPTIONAL_KEY,), status=201, headers=("Idempotent-Replayed",), secret=SCORE,
)  # fmt: skip
def _create_link(sheet: str) -> Response:
    """Create a link with a label of its own. Its secret is shown only once. Requires a score secret."""
    _may_score(sheet)
    return new_link(sheet)


@Operation(links, "/sheets/<sheet:sheet>/links/<link>", gives=None, method="DELETE", status=204, secret=SCORE)
def revoke_link(sheet: str, link: str) -> Response:
    """Revoke a link; revoking it again changes nothing. Requires a score secret."""
    _may_score(sheet)
    sheet_service().revoke_link(sheet, link)
    return Response(status=204)


def new_link(log: str, of: str = "") -> Response:
    """Make the link that the body asks for; `of` is where its pages are."""
    asked = read(NEW_LINK, json_body())
    made = sheet_service().create_link(log, asked["scope"], asked["label"], seed=idempotency_seed("link", log))
    url = _link_url(made.link.scope, made.secret, of)
    return mark_replayed(reply(write(NewLinkAnswerShape, made, url), status=201), made.replayed)


guard(links, "sheet", sheet_service, _ENTRY)

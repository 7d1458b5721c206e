"""Operations on score sheets: open, read, write by commands, preview, export, import."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from flask import Response, g, request
from werkzeug.routing import BaseConverter

from companion.engine.problems import Problem, Refused, read_whole
from companion.engine.shapes import Attributes, OpenShape, read, write
from companion.games import GAMES
from companion.library.asking import read_house
from companion.sheets.events import View, fold, read_command, read_opening
from companion.sheets.service import Done, Opened
from companion.sheets.shapes import MAX_COUNT, Anchors
from companion.sheets.store import Conflict, Record, from_file
from companion.web.api import sheet_examples as examples
from companion.web.api import sheet_schemas as schemas
from companion.web.api.document import Document
from companion.web.api.operations import PREFIX, blueprint, operation, reply
from companion.web.api.problems import Declined, answer_declined
from companion.web.api.reading import (
    CursorParameter,
    NumberParameter,
    cursor,
    json_body,
    json_value,
    query,
    read_body,
    with_next,
)
from companion.web.api.sheet_access import (
    IF_MATCH,
    IF_NONE_MATCH,
    KEY,
    OPTIONAL_KEY,
    SECRET,
    guard,
    idempotency_key,
    idempotency_seed,
    known_to_client,
    mark_replayed,
    may_score,
    may_watch,
    named_version,
    wanted_version,
    watched_head,
    with_tag,
)
from companion.web.api.sheet_answers import LogPage, Made, chat_words, ripple_answer, sheet_answer, written_answer
from companion.web.language import current_language
from companion.web.limits import slot
from companion.web.responses import as_file
from companion.web.sheet_service import sheet_service

MOST_EVENTS_A_PAGE = 200


class EventsQuery(OpenShape[Attributes]):
    """What a query for the log of a sheet may hold."""

    after = NumberParameter("Only events after this sequence number.", low=0, high=MAX_COUNT, optional=True)
    limit = NumberParameter(low=1, high=MOST_EVENTS_A_PAGE, default=MOST_EVENTS_A_PAGE)
    cursor = CursorParameter("From `next` of the page before; overrides `after`.")


ETAG = ("ETag",)
MADE = (*ETAG, "Location", "Idempotent-Replayed")
NEXT = {
    name: {"operationId": name, "parameters": {"sheet": "$response.body#/id"}}
    for name in ("readSheet", "writeEvents", "createLink")
}
"""What can be done with a new sheet."""
UNCHANGED = {304: "Nothing has been written since the version in `If-None-Match`."}

sheets = blueprint(
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
    for name, schema in schemas.unions(document.refer).items():
        document.spec.components.schema(name, schema)
    document.spec.components.security_scheme(
        "sheetSecret",
        {
            "type": "http",
            "scheme": "bearer",
            "description": "The watch or the score secret of a sheet, shown when the sheet or the link was made.",
        },
    )


@operation(
    sheets, "/sheets",
    takes=schemas.NEW_SHEET, gives=schemas.OpenedSheetShape, examples=examples.OPEN,
    status=201, headers=MADE, links=NEXT, conditions=(OPTIONAL_KEY,),
)  # fmt: skip
def open_sheet() -> Response:
    """Open a sheet, with `game` its first game too. Its secrets are shown only once; `Location` is its address."""
    value = json_body()
    use_words_of(value)
    seed = idempotency_seed("open")
    return opened_sheet(sheet_service().open_sheet(read_opening(value), seed=seed))


@operation(
    sheets, "/sheets/import",
    takes=schemas.FILE, gives=schemas.OpenedSheetShape, examples=examples.FILE, status=201, headers=MADE, links=NEXT,
    conditions=(OPTIONAL_KEY,),
)  # fmt: skip
def import_sheet() -> Response:
    """Import an exported sheet with a new id and new secrets. Its log is kept unchanged, and every hash is checked."""
    with slot():
        seed = idempotency_seed("import")
        service = sheet_service()
        records = read_body(lambda sent: read_file(sent, service.store.anchors))
        return opened_sheet(service.import_records(records, seed=seed))


@operation(
    sheets, "/sheets/<sheet:sheet>",
    gives=schemas.SheetShape, conditions=(IF_NONE_MATCH,), faults=(401,), others=UNCHANGED, headers=ETAG, more=SECRET,
)  # fmt: skip
def read_sheet(sheet: str) -> Response:
    """Read the sheet. With `If-None-Match` it can be polled. Requires a watch secret."""
    head = watched_head(sheet)
    if known_to_client(head):
        return with_tag(Response(status=304), head)
    view = sheet_service().read(sheet)
    return with_tag(reply(sheet_answer(view, current_language())), view.head)


@operation(
    sheets, "/sheets/<sheet:sheet>/events",
    gives=schemas.SheetEventsShape, query=EventsQuery, conditions=(IF_NONE_MATCH,), faults=(401, 422), others=UNCHANGED,
    headers=(*ETAG, "Link"), more=SECRET,
)  # fmt: skip
def list_events(sheet: str) -> Response:
    """Read the log in its order, from the beginning or after `after`. Requires a watch secret."""
    head = watched_head(sheet)
    asked = query(EventsQuery)
    limit, passed = asked["limit"], (asked["after"] or 0) if asked["cursor"] is None else asked["cursor"]
    if known_to_client(head):
        return with_tag(Response(status=304), head)
    entries = sheet_service().events(sheet, min(passed, head.version), limit + 1)
    page = entries[:limit]
    more = cursor(page[-1].seq) if len(entries) > limit else None
    answer = write(schemas.SheetEventsShape, LogPage(page, head.version, more))
    return with_next(with_tag(reply(answer), head), more)


@operation(
    sheets, "/sheets/<sheet:sheet>/events",
    takes=schemas.COMMAND, gives=schemas.WrittenShape, examples=examples.COMMANDS,
    conditions=(KEY, IF_MATCH), faults=(401, 403, 409, 412, 428),
    status=201, others={200: "The command changed nothing; nothing was written."},
    headers=(*ETAG, "Idempotent-Replayed"), more=SECRET,
)  # fmt: skip
def write_events(sheet: str) -> Response:
    """Write the events of a command; returns them and the totals after them. Requires a score secret.

    An outdated version is answered 412 with the `events` since then, a concurrent write 409: the same command may be
    sent again with the same key and the new version. Name `deal`: without it, a retry whose key was lost is taken for
    the next deal.
    """
    link = may_score(sheet)
    value = json_body()
    key, base = idempotency_key(), wanted_version(sheet)
    use_words_of(value, sheet_service().read(sheet))
    done = sheet_service().do(sheet, read_command(value), base_version=base, key=key, link=link)
    answer = written_answer(_view_at(done), done.entries, current_language())
    response = with_tag(reply(answer, status=201 if done.entries else 200), done.head)
    return mark_replayed(response, done.replayed)


@operation(
    sheets, "/sheets/<sheet:sheet>/preview",
    takes=schemas.COMMAND, gives=schemas.RippleShape, examples=examples.PREVIEW,
    faults=(401, 403), headers=ETAG, more=SECRET,
)  # fmt: skip
def preview_command(sheet: str) -> Response:
    """Preview a command: every deal that it would change, with totals before and after. Requires a score secret.

    Nothing is written.
    """
    may_score(sheet)
    value, view = json_body(), sheet_service().read(sheet)
    use_words_of(value, view)
    ripple = sheet_service().preview(sheet, read_command(value))
    return with_tag(reply(ripple_answer(view, ripple, current_language())), view.head)


@operation(
    sheets, "/sheets/<sheet:sheet>/what-if",
    takes=schemas.WhatIfShape, gives=schemas.RippleShape, examples=examples.WHAT_IF,
    faults=(401,), headers=ETAG, more=SECRET,
)  # fmt: skip
def ask_what_if(sheet: str) -> Response:
    """The running game under other house rules: every deal that would differ, totals before and after.

    Nothing is written. Requires a watch secret.
    """
    may_watch(sheet)
    value, view = json_body(), sheet_service().read(sheet)
    use_words_of(None, view)
    asked, game = read(schemas.WhatIfShape, value), view.game
    if game is None:
        raise Refused([Problem((), "no-game")])
    try:
        house = read_whole(asked["rules"], lambda node: read_house(GAMES[game.game], node), ("rules",))
    except Refused as refused:  # the game is that of the sheet
        raise Refused(replace(problem, contextual=True) for problem in refused.problems) from None
    ripple = sheet_service().what_if(view, house)
    return with_tag(reply(ripple_answer(view, ripple, current_language())), view.head)


@operation(
    sheets, "/sheets/<sheet:sheet>",
    gives=None, faults=(401, 403), method="DELETE", status=204, more=SECRET,
)  # fmt: skip
def delete_sheet(sheet: str) -> Response:
    """Delete a sheet for good, with its log, links and keys. Requires a score secret.

    Only its id and the time of the deletion are kept, so that it is never used again.
    """
    may_score(sheet)
    sheet_service().erase(sheet)
    return Response(status=204)


@operation(
    sheets, "/sheets/<sheet:sheet>/export.json",
    gives=schemas.FILE, faults=(401,), headers=("Content-Disposition",), more=SECRET,
)  # fmt: skip
def export_json(sheet: str) -> Response:
    """Export the whole log with its hash chain, as `import` reads it."""
    may_watch(sheet)
    return as_file(reply(sheet_service().export_json(sheet)), "scores.json")


@operation(
    sheets, "/sheets/<sheet:sheet>/export.csv",
    gives={"type": "string"}, media="text/csv", faults=(401,), headers=("Content-Disposition",), more=SECRET,
)  # fmt: skip
def export_csv(sheet: str) -> Response:
    """Export a row for each side in each deal, safe to open in a spreadsheet."""
    may_watch(sheet)
    return as_file(Response(sheet_service().export_csv(sheet), mimetype="text/csv"), "scores.csv")


@operation(
    sheets, "/sheets/<sheet:sheet>/export.txt",
    gives={"type": "string"}, media="text/plain", faults=(401,), more=SECRET,
)  # fmt: skip
def export_text(sheet: str) -> Response:
    """Export the games deal by deal as text for a chat, in the language of the request."""
    may_watch(sheet)
    return Response(sheet_service().export_text(sheet, chat_words(current_language())), mimetype="text/plain")


def answer_conflict(lost: Conflict) -> Response:
    """Return 412 for an outdated version with the events since then, 409 after a concurrent write."""
    sheet = (request.view_args or {})["sheet"]

    def since(version: int) -> list[dict[str, object]]:
        entries = sheet_service().events(sheet, version, MOST_EVENTS_A_PAGE)
        events: list[dict[str, object]] = write(schemas.SheetEventsShape, LogPage(entries, lost.version, None))[
            "events"
        ]
        return events

    return conflict_answer(lost, sheet, since)


def conflict_answer(lost: Conflict, log: str, since: Callable[[int], list[dict[str, object]]]) -> Response:
    """Return 409 after a concurrent write, else 412 with what was written in a log since the version named."""
    if lost.raced:
        return answer_declined(Declined("conflict", version=lost.version))
    seen = named_version()
    events = since(seen) if seen and seen < lost.version else []
    declined = Declined("version-conflict", version=lost.version, events=events)
    return with_tag(answer_declined(declined), sheet_service().head_at(log, lost.version))


guard(sheets)
sheets.register_error_handler(Conflict, answer_conflict)


def read_file(text: bytes, anchors: Anchors | None) -> list[Record]:
    """Return the records in an exported sheet. Raises Refused, and JSONDecodeError if it is not JSON."""
    return from_file(json_value(text), GAMES, anchors)


def opened_sheet(opened: Opened) -> Response:
    """Return the answer that shows a new sheet with its secrets."""
    url = f"{PREFIX}/sheets/{opened.id}"
    sheet = fold(sheet_service().events(opened.id, 0, opened.head.version))
    sides = tuple(side.id for side in sheet.game.sides) if sheet.game else ()
    made = Made(opened.id, opened.head.version, url, opened.watch_secret, opened.score_secret, sides=sides)
    answer = write(schemas.OpenedSheetShape, made)
    response = with_tag(reply(answer, status=201), opened.head)
    response.headers["Location"] = url
    return mark_replayed(response, opened.replayed)


def _view_at(done: Done) -> View:
    """Return the sheet at the version that the first response had, whatever has happened since."""
    if done.version == done.view.version:
        return done.view
    entries = sheet_service().events(done.view.id, 0, done.version)
    return View(done.view.id, fold(entries), GAMES, {})


def use_words_of(value: object, view: View | None = None) -> None:
    """Word problems as the requested game does, or else the current one."""
    named = value.get("game") if isinstance(value, Mapping) else None
    running = view.game.game if view and view.game else None
    g.game = GAMES.get(named if isinstance(named, str) else running or "")

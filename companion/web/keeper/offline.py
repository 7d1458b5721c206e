"""What a phone entered without a line, beside what others wrote in the meantime: each choice with its totals."""

from __future__ import annotations

import json
import secrets
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from hashlib import sha256
from json import JSONDecodeError
from urllib.parse import urlencode

from flask import Response, abort, flash, jsonify, make_response, redirect, render_template, request
from werkzeug.wrappers import Response as BaseResponse

from companion.engine import shapes
from companion.engine.problems import Problem, Refused
from companion.library import json_value
from companion.rulebook.words import say, words
from companion.sheets.event import Command, Games, View, history
from companion.sheets.events import MakeCall, command_json, read_command
from companion.sheets.memory import Branch, branch, moved
from companion.sheets.service import IDEMPOTENCY_KEY, span
from companion.sheets.shapes import Head, KeyField
from companion.sheets.state import Sheet
from companion.sheets.store import Conflict, Record, StampField, from_records, stamp
from companion.web.keeper.access import kept_sheet, own_link, remember
from companion.web.keeper.board import board
from companion.web.keeper.deals import history_step
from companion.web.keeper.entry import CALLERS, TAG, call_given, shown_problems, sitting_of, tag_of
from companion.web.sheet_service import sheet_service

_MOST = 2_000
"""Entries that a phone may bring at once: more than a sheet has events."""
_LONGEST_LABEL = 10_000
"""Characters of a label: one entry can change many things."""
AT_ONCE = 200
"""Entries that are written for one request of a phone, which then asks again."""
MINE, COPY = "mine", "copy"


class EntryShape(shapes.OpenShape[shapes.Attributes]):
    """An entry as a phone or the page of both histories sends it: an answer to a question, or a command."""

    question = shapes.Text(default="")
    value = shapes.Text(default="")
    label = shapes.Text("What the entry says.", most=_LONGEST_LABEL, default="")
    shown = shapes.Text("What its button says.", default="")
    command = shapes.Anything(default=None)
    key = KeyField(most=IDEMPOTENCY_KEY.most, optional=True)
    at = StampField(optional=True)


_ENTRIES = shapes.ListOf(shapes.Object(EntryShape), most=_MOST)


@dataclass(frozen=True, slots=True)
class Item:
    """An entry of a phone: the command, what it says, the key under which it is written once, when it was given."""

    command: Command
    label: str
    key: str
    at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Brought:
    """What a phone entered: commands in order, and counts that are not saved yet."""

    items: tuple[Item, ...]
    counts: Mapping[str, str] = field(default_factory=dict)
    counted: tuple[str, ...] = ()

    @property
    def commands(self) -> tuple[Command, ...]:
        """The commands in order."""
        return tuple(item.command for item in self.items)

    @property
    def times(self) -> tuple[datetime | None, ...]:
        """When each was given."""
        return tuple(item.at for item in self.items)


@dataclass(frozen=True, slots=True)
class Choice:
    """One way to go on: the totals after it, and what of the phone cannot be entered."""

    totals: tuple[tuple[str, str], ...]
    refused: tuple[tuple[str, str], ...] = ()


def redirect_to_sheet(lang: str, sheet: str) -> BaseResponse:
    """Where the address of the page leads that was opened without bringing anything."""
    return redirect(f"/{lang}/sheets/{sheet}", 303)


def submit_offline(lang: str, sheet: str) -> BaseResponse:
    """Show what a phone brings beside what others wrote, or do as was chosen there."""
    view, form = kept_sheet(sheet), request.form
    records = sheet_service().store.read(sheet)
    base = _base(records, form.get("base", ""))
    if view.game is None or not base:
        abort(422)
    key, choice = form.get("key", "") or secrets.token_urlsafe(12), form.get("choice")
    try:
        mine = json_value(form.get("mine", "").encode())
    except (JSONDecodeError, UnicodeEncodeError, Refused):
        abort(422)
    brought = _brought(mine, _at(records[:base], view), key)
    if choice == COPY:
        return _copied(view, records[:base], brought, key, lang)
    begun = any(_written(sheet, item) for item in brought.items)
    if choice == MINE and (begun or form.get("v") == view.head.tag):
        try:
            left = _enter(view, base, brought, None if begun else view.version)
        except Conflict:
            view, records = kept_sheet(sheet), sheet_service().store.read(sheet)
        else:
            if left:
                what = [f"{item.label} ({_why(why.problems, view, lang)})" for item, why in left]
                flash(say(lang, "back.left", what=what), "warning")
            return _to_sheet(_at(records[:base], view), sheet, brought, lang)
    return _both(view, records, base, brought, key, lang)


def import_offline(lang: str, sheet: str, tag: str, mine: object, here: str) -> BaseResponse:
    """Enter what a phone entered without a line, where nobody else wrote in the meantime; else show both histories.

    What was entered before, whose answer was lost, is not entered again. `here` is the name that the phone has for the
    sheet. Responds 410 where the sheet no longer has the history that the phone continued.
    """
    view, records = kept_sheet(sheet), sheet_service().store.read(sheet)
    base = _base(records, tag)
    if view.game is None or not base:
        abort(410)
    brought = _brought(mine, _at(records[:base], view), f"phone-{here}")
    written = {place: found for place, item in enumerate(brought.items) if (found := _written(sheet, item))}
    done = max(written, default=-1) + 1  # what was refused before that was chosen to be left out
    start = written[done - 1][1] if done else base
    rest = brought.items[done:]
    if done:
        meant = _meant(view, records, base, brought)[done:]
        rest = tuple(replace(item, command=command) for item, command in zip(rest, meant, strict=True))
    if start == view.version or not rest:
        commands = [item.command for item in rest]
        asked = _asked(commands, view.games)
        if not branch(sheet, records, commands, view.games, datetime.now(UTC), asked=asked).refused:
            with suppress(Conflict):
                _enter(view, start, Brought(rest[:AT_ONCE]), view.version)
                return jsonify(sheet=sheet, left=max(0, len(rest) - AT_ONCE))
            view, records = kept_sheet(sheet), sheet_service().store.read(sheet)
    page = _both(view, records, start, Brought(rest), f"phone-{here}-{done}", lang, taps=[here])
    page.headers["Content-Location"] = f"/{lang}/sheets/{sheet}/back"
    return page


def _base(records: Sequence[Record], tag: str) -> int:
    """Return the version that a tag names, 0 where the sheet has another history."""
    base = Head.version_in(tag) or 0
    return base if 1 <= base <= len(records) and tag.startswith(records[base - 1].head.tag) else 0


def _at(records: Sequence[Record], view: View) -> View:
    return branch(view.id, records, (), view.games, datetime.now(UTC)).view


def _brought(mine: object, view: View, key: str) -> Brought:
    """Read what the phone sent. Responds 422 where it cannot be read."""
    known = view.games[view.game.game] if view.game else None
    items, counts, counted = [], {}, []
    try:
        entries: tuple[shapes.Attributes, ...] = shapes.read(_ENTRIES, mine)
        for place, item in enumerate(entries):
            label = f"{item['label']} {item['shown']}".strip()
            question, value = item["question"], item["value"]
            if item["command"] is not None:
                command = read_command(item["command"])
            elif question.startswith(CALLERS):
                command = read_command({"type": "make_call", "call": call_given(question, value, known)})
            else:
                counts[question] = value
                counted.append(label)
                continue
            own = item["key"] or shapes.read(IDEMPOTENCY_KEY, f"{key}.{place}")
            items.append(Item(command, label, own, datetime.fromisoformat(item["at"]) if item["at"] else None))
    except Refused:
        abort(422)
    return Brought(tuple(items), counts, tuple(counted))


def _asked(commands: Sequence[Command], games: Games) -> Callable[[int, Sheet], bool]:
    """Return whether a sheet asks for a call: none is ever entered for somebody who has called."""

    def asked(place: int, sheet: Sheet) -> bool:
        command, view = commands[place] if place < len(commands) else None, View("", sheet, games, {})
        if not isinstance(command, MakeCall):
            return True
        game = view.game
        entry = games[game.game].load_entry() if game else None
        question = entry.step(sitting_of(view, game), {}).question if entry and game else None
        if question is None or game is None or not question.id.startswith(CALLERS) or question.place is not None:
            return False
        known = games[game.game]
        values = (choice.value for group in question.groups for choice in group)
        return any(
            read_command({"type": "make_call", "call": call_given(question.id, value, known)}) == command
            for value in values
        )

    return asked


def _written(sheet: str, item: Item) -> tuple[int, int] | None:
    """Return the first and the last event that an entry has become, None if it has not been entered."""
    before = sheet_service().store.answered(sheet, item.key)
    return span(before) if before else None


def _meant(view: View, records: Sequence[Record], base: int, brought: Brought) -> list[Command]:
    """Return the commands as they are meant after what others wrote, until the first of them was entered."""
    first = min((found[0] for item in brought.items if (found := _written(view.id, item))), default=len(records) + 1)
    before, after = (_at(records[:end], view).sheet for end in (base, first - 1))
    return [moved(command, before, after) for command in brought.commands]


def _enter(view: View, base: int, brought: Brought, version: int | None) -> list[tuple[Item, Refused]]:
    """Write what was brought, each entry under its key, so that a lost answer writes nothing twice.

    Return what cannot be entered. Raises Conflict where the sheet is at another version than that given.
    """
    service, link, left = sheet_service(), own_link(view.id), []
    commands = _meant(view, service.store.read(view.id), base, brought)
    asked = _asked(commands, view.games)
    for place, (item, command) in enumerate(zip(brought.items, commands, strict=True)):
        if _written(view.id, item):
            continue
        try:
            if not asked(place, service.read(view.id).sheet):
                raise Refused([])
            written = service.do(view.id, command, base_version=version, key=item.key, link=link, at=item.at)
            version = None if version is None else written.version
        except Refused as why:
            left.append((item, why))
    return left


def _copied(view: View, before: Sequence[Record], brought: Brought, key: str, lang: str) -> BaseResponse:
    """A new sheet with what both have and what the phone brought; the same for the same key."""
    service = sheet_service()
    title = say(lang, "back.copy-of", name=view.sheet.title or board(view, lang).name)
    commands = [*brought.commands, read_command({"type": "title_sheet", "title": title})]
    made = branch(
        view.id,
        before,
        commands,
        view.games,
        datetime.now(UTC),
        own_link(view.id).label,
        asked=_asked(commands, view.games),
        times=brought.times,
    )
    opened = service.import_records(made.records, watch=False, seed=sha256(f"{view.id} {key}".encode()).digest())
    remember(opened.score_link)
    flash(say(lang, "back.copied"), "saved")
    return _to_sheet(_at(before, view), opened.id, brought, lang)


def _to_sheet(before: View, sheet: str, brought: Brought, lang: str) -> BaseResponse:
    """The sheet with the counts filled in that were not saved yet."""
    game = before.game
    asked = urlencode({**brought.counts, TAG: tag_of(game)}) if brought.counts and game else ""
    return redirect(f"/{lang}/sheets/{sheet}" + (f"?{asked}#entry" if asked else ""), 303)


def _both(
    view: View, records: Sequence[Record], base: int, brought: Brought, key: str, lang: str, taps: Sequence[str] = ()
) -> Response:
    now, games = datetime.now(UTC), view.games
    later = [moved(command, _at(records[:base], view).sheet, view.sheet) for command in brought.commands]
    after = branch(view.id, records, later, games, now, asked=_asked(later, games))
    alone = branch(view.id, records[:base], brought.commands, games, now, asked=_asked(brought.commands, games))
    page = render_template(
        "keeper/coming-back.html", view=view, key=key,
        base=Head(base, records[base - 1].hash).tag, mine=request.form.get("mine") or _as_sent(brought),
        taps=request.form.get("taps") or json.dumps(taps),
        theirs=[history_step(trace, games, lang) for trace in history(from_records(records))[base:]],
        ours=[history_step(trace, games, lang).text for trace in alone.added],
        unreadable=[brought.items[place].label for place in alone.refused], counted=brought.counted,
        after=_choice(after, brought, lang), only=Choice(_totals(view, lang)), copy=_choice(alone, brought, lang),
    )  # fmt: skip
    return make_response(page, 409, {"Cache-Control": "no-store"})


def _as_sent(brought: Brought) -> str:
    """Return entries as the forms of the page bring them."""
    return json.dumps([
        {"command": command_json(item.command), "label": item.label, "key": item.key}
        | ({"at": stamp(item.at)} if item.at else {})
        for item in brought.items
    ], ensure_ascii=False)  # fmt: skip


def _choice(found: Branch, brought: Brought, lang: str) -> Choice:
    refused = tuple(
        (brought.items[place].label, _why(why.problems, found.view, lang)) for place, why in found.refused.items()
    )
    return Choice(_totals(found.view, lang), refused)


def _totals(view: View, lang: str) -> tuple[tuple[str, str], ...]:
    return tuple((side.name, str(side.total)) for side in board(view, lang).sides)


def _why(problems: Sequence[Problem], view: View, lang: str) -> str:
    game = view.game
    if game is None or not problems:
        return say(lang, "back.not-asked")
    return " ".join(each.text for each in shown_problems(problems, view, game, words(game.game, lang)))


ROUTES = {
    "GET /sheets/<sheet>/back": redirect_to_sheet,
    "POST /sheets/<sheet>/back": submit_offline,
}
"""Where the script of the screen leads when others wrote first."""

"""What a phone entered without a line, beside what others wrote in the meantime: each choice with its totals."""

from __future__ import annotations

import json
import secrets
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import sha256
from urllib.parse import urlencode

from flask import Blueprint, Response, abort, flash, make_response, redirect, render_template, request
from werkzeug.wrappers import Response as BaseResponse

from companion.engine.problems import Problem, Refused
from companion.rulebook.book import say, words
from companion.sheets.branch import Branch, branch
from companion.sheets.fold import history
from companion.sheets.log import from_record
from companion.sheets.model import Command, Games, read_command
from companion.sheets.scoring import View
from companion.sheets.state import Sheet
from companion.sheets.store import Conflict, Record
from companion.web.keeper.access import kept_sheet, own_link, remember
from companion.web.keeper.ahead import CALLERS
from companion.web.keeper.board import board
from companion.web.keeper.entry import TAG, sitting_of
from companion.web.keeper.forms import call_given, number_in
from companion.web.keeper.history import history_step
from companion.web.keeper.problems import shown_problems, tag_of
from companion.web.sheet_service import sheet_service

MOST = 500
"""Entries that a phone may bring at once: more than an evening has."""
MINE, COPY = "mine", "copy"


@dataclass(frozen=True, slots=True)
class Brought:
    """What a phone entered: commands in order with what each says, and counts that are not saved yet."""

    commands: tuple[Command, ...]
    labels: tuple[str, ...]
    answers: tuple[tuple[str, str] | None, ...]
    """The question and the answer behind each command that was a tap."""
    counts: Mapping[str, str]
    counted: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Choice:
    """One way to go on: the totals after it, and what of the phone cannot be entered."""

    totals: tuple[tuple[str, str], ...]
    refused: tuple[tuple[str, str], ...] = ()


def add_pages(keeper: Blueprint) -> None:
    """Where the script of the screen leads when others wrote first."""
    keeper.get("/<lang:lang>/sheets/<sheet>/back")(nothing_brought)
    keeper.post("/<lang:lang>/sheets/<sheet>/back")(bring)


def nothing_brought(lang: str, sheet: str) -> BaseResponse:
    """Where the address of the page leads that was opened without bringing anything."""
    return redirect(f"/{lang}/sheets/{sheet}", 303)


def bring(lang: str, sheet: str) -> BaseResponse:
    """Show what a phone brings beside what others wrote, or do as was chosen there."""
    view, form = kept_sheet(sheet), request.form
    service = sheet_service()
    records = service.store.read(sheet)
    base = number_in(form.get("base", "").partition("-")[0]) or 0
    if not 1 <= base <= len(records) or records[base - 1].hash[:12] != form.get("base", "").partition("-")[2][:12]:
        base = 0
    if view.game is None or not base:
        abort(422)
    brought = _brought(_at(records[:base], view))
    key, choice = form.get("key", "") or secrets.token_urlsafe(12), form.get("choice")
    if choice == COPY:
        return _copied(view, records[:base], brought, key, lang)
    begun = service.store.answered(sheet, f"{key}.0") is not None
    if choice == MINE and (begun or form.get("v") == view.head.tag):
        try:
            return _entered(view, records[:base], brought, key, lang, resumed=begun)
        except Conflict:
            view, records = kept_sheet(sheet), service.store.read(sheet)
    return _both(view, records, base, brought, key, lang)


def _at(records: Sequence[Record], view: View) -> View:
    return branch(view.id, records, (), view.games, datetime.now(UTC)).view


def _brought(view: View) -> Brought:
    """Read what the phone sent. Responds 422 where it cannot be read."""
    game = view.game
    try:
        items = json.loads(request.form.get("mine", ""))
        known = view.games[game.game] if game else None
        commands, labels, counts, counted = [], [], {}, []
        answers: list[tuple[str, str] | None] = []
        for item in items[:MOST]:
            label = " ".join(str(item.get(name, "")) for name in ("label", "shown")).strip()
            question, value = str(item.get("question", "")), str(item.get("value", ""))
            if "command" in item:
                commands.append(read_command(item["command"]))
                labels.append(label)
                answers.append(None)
            elif question.startswith(CALLERS):
                commands.append(read_command({"type": "make_call", "call": call_given(question, value, known)}))
                labels.append(label)
                answers.append((question, value))
            else:
                counts[question] = value
                counted.append(label)
    except (ValueError, TypeError, AttributeError, Refused):
        abort(422)
    return Brought(tuple(commands), tuple(labels), tuple(answers), counts, tuple(counted))


def _asked(brought: Brought, games: Games) -> Callable[[int, Sheet], bool]:
    """Return whether a sheet asks what a tap answered: a call is never entered for somebody who has called."""

    def asked(place: int, sheet: Sheet) -> bool:
        answer, view = brought.answers[place] if place < len(brought.answers) else None, View("", sheet, games, {})
        if answer is None:
            return True
        entry = games[view.game.game].load_entry() if view.game else None
        question = entry.step(sitting_of(view, view.game), {}).question if entry and view.game else None
        if question is None or question.id != answer[0] or question.place is not None:
            return False
        return answer[1] in {choice.value for group in question.groups for choice in group}

    return asked


def _entered(
    view: View, before: Sequence[Record], brought: Brought, key: str, lang: str, *, resumed: bool
) -> BaseResponse:
    """Write what was brought, each entry under a key of its own, so that a lost answer writes nothing twice."""
    service, link, left = sheet_service(), own_link(view.id), []
    version: int | None = None if resumed else view.version
    asked = _asked(brought, view.games)
    for place, command in enumerate(brought.commands):
        again = service.store.answered(view.id, f"{key}.{place}") is not None
        try:
            if not again and not asked(place, service.read(view.id).sheet):
                raise Refused([])
            done = service.do(view.id, command, base_version=version, key=f"{key}.{place}", link=link)
            version = None if resumed else done.version
        except Refused as why:
            left.append((brought.labels[place], _why(why.problems, view, lang)))
    if left:
        flash(say(lang, "back.left", what=[f"{label} ({why})" for label, why in left]), "warning")
    return _to_sheet(_at(before, view), view.id, brought, lang)


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
        asked=_asked(brought, view.games),
    )
    seed = sha256(f"{view.id} {key}".encode()).digest()
    opened = service.import_records(made.records, watch=False, seed=seed)
    remember(opened.score_link)
    flash(say(lang, "back.copied"), "saved")
    return _to_sheet(_at(before, view), opened.id, brought, lang)


def _to_sheet(before: View, sheet: str, brought: Brought, lang: str) -> BaseResponse:
    """The sheet with the counts filled in that were not saved yet."""
    game = before.game
    asked = urlencode({**brought.counts, TAG: tag_of(game)}) if brought.counts and game else ""
    return redirect(f"/{lang}/sheets/{sheet}" + (f"?{asked}#entry" if asked else ""), 303)


def _both(view: View, records: Sequence[Record], base: int, brought: Brought, key: str, lang: str) -> Response:
    now, games, asked = datetime.now(UTC), view.games, _asked(brought, view.games)
    after = branch(view.id, records, brought.commands, games, now, asked=asked)
    alone = branch(view.id, records[:base], brought.commands, games, now, asked=asked)
    theirs = history([from_record(record) for record in records])[base:]
    page = render_template(
        "keeper/coming-back.html", view=view, base=request.form["base"], mine=request.form["mine"], key=key,
        taps=request.form.get("taps", "[]"),
        theirs=[history_step(trace, games, lang) for trace in theirs],
        ours=[history_step(trace, games, lang).text for trace in alone.added],
        unreadable=[brought.labels[place] for place in alone.refused], counted=brought.counted,
        after=_choice(after, brought, lang), only=Choice(_totals(view, lang)), copy=_choice(alone, brought, lang),
    )  # fmt: skip
    return make_response(page, 409, {"Cache-Control": "no-store"})


def _choice(found: Branch, brought: Brought, lang: str) -> Choice:
    refused = ((brought.labels[place], _why(why.problems, found.view, lang)) for place, why in found.refused.items())
    return Choice(_totals(found.view, lang), tuple(refused))


def _totals(view: View, lang: str) -> tuple[tuple[str, str], ...]:
    return tuple((side.name, str(side.total)) for side in board(view, lang).sides)


def _why(problems: Sequence[Problem], view: View, lang: str) -> str:
    game = view.game
    if game is None or not problems:
        return say(lang, "back.not-asked")
    return " ".join(each.text for each in shown_problems(problems, view, game, words(game.game, lang)))

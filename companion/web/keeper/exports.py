"""Taking a sheet elsewhere and bringing one back: files, text for a chat, the picture of a finished game."""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final
from urllib.parse import quote

import orjson
from flask import Response, abort, flash, redirect, render_template, request
from flask import json as flask_json
from werkzeug.wrappers import Response as BaseResponse

from companion.engine.cards import BYTE_ORDER_MARK, columns, is_wide
from companion.engine.ledger import SCORED
from companion.engine.problems import Problem, Refused
from companion.games import GAMES
from companion.library import whole_numbers
from companion.rulebook.words import say, words
from companion.sheets.event import View
from companion.sheets.shapes import Anchors
from companion.sheets.state import SheetGame
from companion.sheets.store import MAX_FILE, Record, from_file
from companion.web.dialogue import chat_words
from companion.web.http import as_file, slot
from companion.web.keeper.access import form_seed, kept_sheet, remember
from companion.web.keeper.board import board
from companion.web.sheet_service import sheet_service

# Pages and files ------------------------------------------------------------------------------------------------------

SUIT_PATHS: Final[Mapping[str, str]] = {
    "s": "M10 1C26 14 18 23 11.5 18 11.5 21 13 23 14 24H6C7 23 8.5 21 8.5 18 2 23-6 14 10 1z",
    "h": "M10 23C-7 10 1-4 10 5c9-9 17 5 0 18z",
    "d": "M10 1 18 12 10 23 2 12z",
    "c": "M10 1a5 5 0 0 1 4 8 5 5 0 1 1-2.5 8.5C11.5 21 13 23 14 24H6c1-1 2.5-3 2.5-6.5A5 5 0 1 1 6 9a5 5 0 0 1 4-8z",
}
"""The four suits by their letters, alike on every device: paths in a field of 20 by 24."""

_MIMETYPES = {"json": "application/json", "csv": "text/csv", "txt": "text/plain"}
ROOM_FOR_FORM = 2 * MAX_FILE
"""What the form may be altogether: a file that is somewhat too long is refused in words on its own page."""
_MAX_PROBLEMS = 5


def export(lang: str, sheet: str, kind: str) -> Response:
    """The sheet as a file: the whole log as JSON, a table for spreadsheets, text for a chat."""
    view = kept_sheet(sheet)
    if kind == "json":
        body = flask_json.dumps(sheet_service().export_json(view.id), indent=2)
    elif kind == "csv":
        body = BYTE_ORDER_MARK + sheet_service().export_csv(view.id)
    else:
        body = _text(view.id, lang)
    response = Response(body, mimetype=_MIMETYPES[kind])
    return response if kind == "txt" else as_file(response, f"scores.{kind}")


def _text_page(lang: str, sheet: str) -> str:
    """The lines for a chat with a button that copies them."""
    view = kept_sheet(sheet)
    return render_template("keeper/text.html", view=view, text=_text(view.id, lang), path=f"sheets/{view.id}/text")


def _import_page(lang: str) -> str:
    """Where a file is chosen."""
    return render_template("keeper/import.html", problems=[], path="sheets/import")


def import_sheet(lang: str) -> BaseResponse | tuple[str, int]:
    """A new sheet from a file; this device keeps it from now on."""
    try:
        with slot():
            service = sheet_service()
            records = read_file(_sent_file(), service.store.anchors)
            opened = service.import_records(records, watch=False, seed=form_seed(records[-1].hash))
    except Refused as refused:
        problems = [_problem_text(problem, lang) for problem in refused.problems[:_MAX_PROBLEMS]]
        return render_template("keeper/import.html", problems=problems, path="sheets/import"), 422
    remember(opened.score_link)
    flash(say(lang, "take-out.imported"), "imported")
    return redirect(f"/{lang}/sheets/{opened.id}", 303)


def _sent_file() -> bytes:
    """The file that was sent. Raises Refused."""
    sent = request.files.get("file")
    content = sent.stream.read(MAX_FILE + 1) if sent else b""
    if not content:
        raise Refused([Problem((), "file-missing")])
    if len(content) > MAX_FILE:
        raise Refused([Problem((), "file-too-long", {"most": MAX_FILE // 1024 // 1024})])
    return content


def read_file(content: bytes, anchors: Anchors | None) -> list[Record]:
    """Return the records in a file. Raises Refused."""
    try:
        value = whole_numbers(orjson.loads(content.removeprefix(BYTE_ORDER_MARK.encode())))
    except orjson.JSONDecodeError:
        raise Refused([Problem((), "file-not-json")]) from None
    records = from_file(value, GAMES, anchors)
    if all(record.kind != "game_started" for record in records):  # the site has no page for such a sheet
        raise Refused([Problem((), "no-game")])
    return records


def _problem_text(problem: Problem, lang: str) -> str:
    """A problem in words; of a step in the log, with its number."""
    if problem.code in {"file-missing", "file-too-long", "file-not-json", "no-game"}:
        return say(lang, f"take-out.{problem.code}", **problem.facts)
    if problem.pointer[:1] in (("format",), ("format_version",)) or not problem.pointer:
        return say(lang, "take-out.not-ours")
    text = words("", lang).problem(problem)
    match problem.pointer:
        case ["events", int(place), *_]:
            return say(lang, "take-out.at-entry", number=place + 1, what=text)
    return text


def _text(sheet: str, lang: str) -> str:
    return sheet_service().export_text(sheet, chat_words(lang))


# Board Game Stats -----------------------------------------------------------------------------------------------------

_CREATE_PLAY = "https://app.bgstatsapp.com/createPlay.html"
_SOURCE = "Card table companion"
"""That app remembers under this name whom it matched to whom: the same in every language, and for good."""
_LONGEST = timedelta(hours=12)
"""A game that took longer was put aside in between: how long it was played is not known."""


def play_url(view: View, game: SheetGame, name: str) -> str | None:
    """The link for a finished game, called by this name; None while it goes on."""
    if not view.ledgers[game.number - 1].outcome.over:
        return None
    text = json.dumps(play(view, game, name), ensure_ascii=False, separators=(",", ":"))
    return f"{_CREATE_PLAY}?data={quote(text, safe='')}"


def play(view: View, game: SheetGame, name: str) -> dict[str, object]:
    """What the link says: when (UTC, at the end), how long in minutes, which game, everybody with the total."""
    ended, highest = _ended(view, game), not view.games[game.game].lowest_wins(view.house(game).options)
    record: dict[str, object] = {
        "sourceName": _SOURCE,
        "sourcePlayId": f"{view.id}-{game.number}",
        "playDate": ended.strftime("%Y-%m-%d %H:%M:%S"),
        "game": {"name": name, "sourceGameId": game.game, "highestWins": highest, "noPoints": False},
        "players": [_player(view, game, seat) for seat in game.seating],
    }
    minutes = round((ended - game.started) / timedelta(minutes=1))
    if minutes > 0 and ended - game.started <= _LONGEST:
        record["durationMin"] = minutes
    if view.sheet.title:
        record["comments"] = view.sheet.title
    return record


def _player(view: View, game: SheetGame, seat: str) -> dict[str, object]:
    """A player under their name, which is who they are here: seats have the same ids on every sheet."""
    ledger, side = view.ledgers[game.number - 1], game.side_of(seat)
    names = view.sheet.names_in(game)
    name = names[seat]
    record = {
        "name": name,
        "sourcePlayerId": name,
        "score": ledger.standing[side.id].total,
        "winner": side.id in ledger.outcome.winners,
    }
    return record | ({"team": names[side.id]} if len(side.players) > 1 else {})


def _ended(view: View, game: SheetGame) -> datetime:
    """When the last deal that counts was entered."""
    ledger = view.ledgers[game.number - 1]
    scored = [deal for deal, score in zip(game.deals, ledger.deals, strict=True) if score.status == SCORED]
    return scored[-1].changes[0].at if scored else game.started


_COLOURS: Final = dict(zip("abcdef", ("#2b4c9b", "#a14a14", "#1b6e2d", "#b3001b", "#645e55", "#1d1b18"), strict=True))
"""Of the sides, by their marks: a picture has no theme."""
_LINE: Final = 40
"""Widths of a Latin letter in a line of the story; Japanese signs have two."""


@dataclass(frozen=True, slots=True)
class StoryLine:
    """One thing to remember, its sentence in lines; words have no room beside it, and the sentence says them."""

    figure: str
    colour: str
    lines: tuple[str, ...]


def picture(lang: str, sheet: str, number: int) -> Response:
    """The winner, the totals, the curve and the story of a game that is over."""
    view = kept_sheet(sheet)
    if not 1 <= number <= len(view.sheet.games):
        abort(404)
    shown = board(view, lang, number=number)
    if not shown.over:
        abort(404)
    svg = render_template(
        "keeper/picture.svg", board=shown, colours=_COLOURS, story=[
            StoryLine("" if one.worded else one.figure, _COLOURS[one.mark], tuple(wrapped(one.text, _LINE)))
            for one in shown.story
        ],
        title=view.sheet.title or shown.name, room=_room, suits=SUIT_PATHS,
    )  # fmt: skip
    return Response(svg, mimetype="image/svg+xml")


def wrapped(text: str, most: int) -> Iterator[str]:
    """Yield a text in lines of at most `most` widths: broken at spaces, and between signs that have no spaces."""
    line = ""
    for word in _words(text):
        if line and columns(line + word.rstrip()) > most:
            yield line.rstrip()
            line = ""
        line += word if line else word.lstrip()
    if line:
        yield line.rstrip()


def _words(text: str) -> Iterator[str]:
    """Yield the parts of a text after each of which a line may end; what closes a sentence stays with its word."""
    part = ""
    for sign in text:
        closing = unicodedata.category(sign) in ("Po", "Pe", "Pf")
        if part and not closing and (part[-1] == " " or is_wide(part[-1]) or is_wide(sign)):
            yield part
            part = ""
        part += sign
    if part:
        yield part


def _room(text: str, most: int) -> int:
    """Return the largest size of type, up to `most`, at which a text fits into one line of the picture."""
    return min(most, 640 // max(columns(text), 1))


ROUTES = {
    "GET /sheets/<sheet>/export.<any(json, csv, txt):kind>": export,
    "GET /sheets/<sheet>/text": _text_page,
    "GET /sheets/import": _import_page,
    "POST /sheets/import": import_sheet,
    "GET /sheets/<sheet>/games/<int:number>/picture.svg": picture,
}
"""Exports, the import, and the picture of a finished game."""

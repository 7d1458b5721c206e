"""The end of a game as one picture to send: drawn as SVG here, and turned into a PNG by the device."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from flask import Blueprint, Response, abort, render_template

from companion.engine.cards import columns, is_wide
from companion.web.keeper.access import kept_sheet
from companion.web.keeper.board import Highlight, board
from companion.web.suits import SUIT_PATHS

COLOURS: Final = dict(zip("abcdef", ("#2b4c9b", "#a14a14", "#1b6e2d", "#b3001b", "#645e55", "#1d1b18"), strict=True))
"""Of the sides, by their marks: a picture has no theme."""
LINE: Final = 40
"""Widths of a Latin letter in a line of the story; Japanese signs have two."""


@dataclass(frozen=True, slots=True)
class StoryLine:
    """One thing to remember, its sentence in lines; words have no room beside it, and the sentence says them."""

    figure: str
    colour: str
    lines: tuple[str, ...]


def add_pages(keeper: Blueprint) -> None:
    """The picture of a finished game."""
    keeper.get("/<lang:lang>/sheets/<sheet>/games/<int:number>/picture.svg")(picture)


def picture(lang: str, sheet: str, number: int) -> Response:
    """The winner, the totals, the curve and the story of a game that is over."""
    view = kept_sheet(sheet)
    if not 1 <= number <= len(view.sheet.games):
        abort(404)
    shown = board(view, lang, number=number)
    if not shown.over:
        abort(404)
    svg = render_template(
        "keeper/picture.svg", board=shown, colours=COLOURS, story=[_story_line(one) for one in shown.story],
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


def _story_line(one: Highlight) -> StoryLine:
    return StoryLine("" if one.worded else one.figure, COLOURS[one.mark], tuple(wrapped(one.text, LINE)))

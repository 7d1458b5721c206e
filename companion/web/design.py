"""The page of the look: every token and every state of the parts that pages are made of, in both themes."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from flask import Blueprint, Flask, Response, render_template

from companion.engine.dialogue import Choice, Prompt
from companion.engine.entry import Answered, SeatNote
from companion.web.assets import STATIC
from companion.web.keeper.board import Seat, ShownSide, ShownTally
from companion.web.page_cache import GOOD, CachedPage, cache_page, serve
from companion.web.suits import SUIT_PATHS

_TOKEN: Final = re.compile(r"--([a-z-]+): ([^;]+);")
_COLOUR: Final = re.compile(r"#|light-dark|var\(--(?:black|red|blue|green)\)")
design = Blueprint("design", __name__)


@dataclass(frozen=True, slots=True)
class Token:
    """A custom property of the style sheet, with its value as written."""

    name: str
    value: str

    @property
    def colour(self) -> bool:
        """Whether it is one."""
        return _COLOUR.match(self.value) is not None


def init_app(app: Flask) -> None:
    """Add the page."""
    app.register_blueprint(design)


@design.get("/<lang:lang>/design")
def page(lang: str) -> Response:
    """All tokens and parts; for those who work on the site, so that no search engine lists it."""
    response = serve(_cached(lang))
    response.headers["X-Robots-Tag"] = "noindex"
    return response


def tokens() -> list[Token]:
    """Return the tokens that the style sheet of every page declares first."""
    declared = re.search(r":root \{(.*?)\n\}", (STATIC / "site.css").read_text("utf-8"), re.DOTALL)
    return [Token(*found) for found in _TOKEN.findall(declared[1])] if declared else []


@lru_cache(maxsize=8)
def _cached(lang: str) -> CachedPage:
    names = {"ja": ("あき", "べん", "ちか", "だん")}.get(lang, ("Aki", "Ben", "Chika", "Dan"))
    said = Answered("", names[1], "4")
    seats = (
        Seat(names[1], 1, "", dealer=False, turn=False, said=said, note=None),
        Seat(names[2], 2, "", dealer=False, turn=True, said=None, note=None),
        Seat(names[3], 3, "", dealer=False, turn=False, said=None, note=None),
        Seat(names[0], 0, "", dealer=True, turn=False, said=None, note=SeatNote("A", "+5", "10♦︎ · A 2")),
    )
    sides = (
        ShownSide("A", f"{names[0]} & {names[2]}", "a", "309", 191, (ShownTally(9, "9", 10, "9/10", ""),), won=True),
        ShownSide("B", f"{names[1]} & {names[3]}", "b", "−158", 658, (ShownTally(8, "8", 10, "8/10", ""),)),
    )
    keys = tuple(Choice(str(number), str(number), tone="odd" if number < 3 else "") for number in range(14))
    html = render_template(
        "design.html", tokens=tokens(), suits=SUIT_PATHS, seats=seats, sides=sides, names=names,
        question=Prompt(names[2], (keys,), "call"), path="design",
    )  # fmt: skip
    return cache_page(html, effort=GOOD)

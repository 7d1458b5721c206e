"""A page for those who work on the look: every token and state of the parts that pages are made of, in both themes."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from flask import Blueprint, Flask, render_template

from companion.engine.dialogue import Choice, Prompt
from companion.engine.entry import Answered, SeatNote
from companion.web.assets import STATIC
from companion.web.keeper.board import BoardSide, Seat, Tally
from companion.web.keeper.exports import SUIT_PATHS

_TOKEN: Final = re.compile(r"--([a-z-]+): ([^;]+);")
_COLOUR: Final = re.compile(r"#|light-dark|var\(--(?:black|red|blue|green)\)")
FOLDER: Final = Path(__file__).parent
look = Blueprint("look", __name__, template_folder=str(FOLDER), static_folder=str(FOLDER), static_url_path="/look")


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
    app.register_blueprint(look)


def tokens() -> list[Token]:
    """Return the tokens that the style sheet of every page declares first."""
    declared = re.search(r":root \{(.*?)\n\}", (STATIC / "site.css").read_text("utf-8"), re.DOTALL)
    return [Token(*found) for found in _TOKEN.findall(declared[1])] if declared else []


@look.get("/<lang:lang>/look")
def page(lang: str) -> str:
    """All tokens and parts."""
    names = {"ja": ("あき", "べん", "ちか", "だん")}.get(lang, ("Aki", "Ben", "Chika", "Dan"))
    said = Answered("", names[1], "4")
    seats = (
        Seat("B", names[1], 1, dealer=False, turn=False, said=said, note=None),
        Seat("C", names[2], 2, dealer=False, turn=True, said=None, note=None),
        Seat("D", names[3], 3, dealer=False, turn=False, said=None, note=None),
        Seat("A", names[0], 0, dealer=True, turn=False, said=None, note=SeatNote("A", "20", "", pile=20)),
    )
    sides = (
        BoardSide("A", f"{names[0]} & {names[2]}", "a", "309", 191, (Tally("bags", 9, 10),), won=True),
        BoardSide("B", f"{names[1]} & {names[3]}", "b", "−158", 658, (Tally("bags", 8, 10),)),
    )
    keys = tuple(Choice(str(number), str(number), tone="odd" if number < 3 else "") for number in range(14))
    return render_template(
        "look.html", tokens=tokens(), suits=SUIT_PATHS, seats=seats, sides=sides, names=names,
        question=Prompt(names[2], (keys,), "call"), path="look",
    )  # fmt: skip

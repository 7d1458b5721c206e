"""The facts of a deal of Spades as one line for each side: the contract, the tricks, the nils."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from companion.engine.ledger import Side
from companion.games.spades.table import NORMAL
from companion.rulebook.book import say, words
from companion.sheets.scoring import View
from companion.sheets.state import SheetGame
from companion.web.keeper.entry.spades.shared import call_text


def told(view: View, game: SheetGame, facts: Mapping[str, Any], lang: str) -> list[str]:
    """What the facts say, side by side; nothing of a side that they leave out."""
    lines = [line for side in game.sides if side.id in facts for line in _side(view, side, facts[side.id], lang)]
    if "dummy_tricks" in facts:
        lines.append(f"{say(lang, 'keeper.tricks-of-dummy')} {facts['dummy_tricks']}")
    return lines


def _side(view: View, side: Side, entry: Mapping[str, Any], lang: str) -> Iterator[str]:
    name, call = view.sheet.side_name(side), entry.get("call", NORMAL)
    special = "" if call == NORMAL else words("spades", lang).vocabulary.show("call", call)
    yield say(lang, "keeper.told-side", name=name, bid=entry.get("bid"), tricks=entry.get("tricks", 0), call=special)
    for nil in entry.get("nils", ()):
        player = view.sheet.names.get(nil.get("player"), name)
        yield say(
            lang, "keeper.told-nil", name=player, call=call_text(nil["call"], lang), tricks=nil.get("tricks", 0)
        )  # fmt: skip
    if entry.get("last_tricks"):
        cards = words("spades", lang).vocabulary.show("cards", list(entry["last_tricks"]))
        yield f"{say(lang, 'keeper.last-tricks')}: {cards}"

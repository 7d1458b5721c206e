"""The trail of a deal: what was written, what it was before, when and why; readable for everybody."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from companion.rulebook.book import say
from companion.rulebook.wording import signed_text
from companion.sheets.events import Adjusted
from companion.sheets.sheet import Change, SheetGame
from companion.sheets.view import View
from companion.web.keeper.entry import entries
from companion.web.keeper.naming import names_of


@dataclass(frozen=True, slots=True)
class Step:
    """One step of a deal's history: before and after as lines that tell of one side each, only those that differ."""

    at: datetime
    what: str
    reason: str
    actor: str
    before: tuple[str, ...]
    after: tuple[str, ...]


def history(view: View, game: SheetGame, number: int, lang: str) -> list[Step]:
    """The steps of a deal, the first one first."""
    steps = []
    for change in game.deal(number).changes:
        before, after = (_told(view, game, facts, lang) for facts in (change.before, change.after))
        gone = tuple(line for line in before if line not in after)
        come = tuple(line for line in after if line not in before)
        steps.append(Step(change.at, _what(view, game, change, lang), change.reason, change.actor, gone, come))
    return steps


_KINDS = {
    "DealRecorded": "recorded",
    "DealCorrected": "corrected",
    "DealVoided": "voided",
    "Adjusted": "adjusted",
}


def _what(view: View, game: SheetGame, change: Change, lang: str) -> str:
    what = say(lang, f"keeper.history-{_KINDS.get(type(change.event).__name__, 'other')}")
    if isinstance(change.event, Adjusted):
        name = names_of(view.sheet, game).get(change.event.side, change.event.side)
        return f"{what} ({name} {signed_text(change.event.points)})"
    return what


def _told(view: View, game: SheetGame, facts: Mapping[str, Any] | None, lang: str) -> list[str]:
    if not facts:
        return []
    if facts.get("void"):
        return [say(lang, "keeper.void-mark")]
    entry = entries().get(game.game)
    if entry is None:
        return []
    if entry.told is not None:
        return entry.told(view, game, facts, lang)
    as_then = replace(game, deals=(replace(game.deals[0], number=1, facts=facts),))
    return [f"{said.label}: {said.value}" for said in entry.correction(view, as_then, 1, {}, lang).said]

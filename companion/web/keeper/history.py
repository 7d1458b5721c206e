"""The trail of a deal: what was written, what it was before, when and why; readable for everybody."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from companion.rulebook.book import say
from companion.sheets.sheet import SheetGame
from companion.sheets.view import View


@dataclass(frozen=True, slots=True)
class Step:
    """One step of a deal's history."""

    at: datetime
    what: str
    reason: str
    actor: str
    before: str
    after: str


def history(view: View, game: SheetGame, number: int, lang: str) -> list[Step]:
    """The steps of a deal, the first one first."""
    steps = []
    for change in game.deal(number).changes:
        kind = type(change.event).__name__
        what = say(lang, f"keeper.history-{_KINDS.get(kind, 'other')}")
        before = _facts_text(view, game, change.before, lang)
        after = _facts_text(view, game, change.after, lang)
        steps.append(Step(change.at, what, change.reason, change.actor, before, after))
    return steps


_KINDS = {
    "DealRecorded": "recorded",
    "DealCorrected": "corrected",
    "DealVoided": "voided",
    "Adjusted": "adjusted",
    "DealConfirmed": "confirmed",
}


def _facts_text(view: View, game: SheetGame, facts: object, lang: str) -> str:
    """Facts in short: `Aki & Ben 5/6, ...` for games of bids and tricks, otherwise as they were entered."""
    if not isinstance(facts, dict):
        return ""
    if facts.get("void"):
        return say(lang, "keeper.void-mark")
    parts = []
    for side in game.sides:
        entry = facts.get(side.id)
        if isinstance(entry, dict):
            parts.append(f"{view.sheet.side_name(side)} {_entry_text(entry)}")
    return " · ".join(parts)


def _entry_text(entry: dict[str, object]) -> str:
    if "tricks" in entry:
        bid = entry.get("bid")
        text = f"{'–' if bid is None else bid}/{entry['tricks']}"
        nils = entry.get("nils")
        if isinstance(nils, list) and nils:
            text += (
                " ("
                + ", ".join(f"{nil['call']} {nil.get('tricks', '')}" for nil in nils if isinstance(nil, dict))
                + ")"
            )
        return text
    return ", ".join(f"{key} {value}" for key, value in entry.items())

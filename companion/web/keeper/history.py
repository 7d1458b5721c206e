"""The trail of one deal: what was written, what it was before, when and why, and what was taken back."""

from __future__ import annotations

from companion.rulebook.book import say
from companion.sheets.fold import HistoryEntry
from companion.sheets.scoring import View
from companion.sheets.state import SheetGame
from companion.web.keeper.naming import names_of
from companion.web.keeper.telling import Step, told
from companion.web.sheet_service import sheet_service


def history(view: View, game: SheetGame, number: int, lang: str) -> list[Step]:
    """The steps of a deal, the first one first, those that were taken back too."""
    return [told(trace, view.games, lang) for trace in _traces(view, game, number)]


def ask_again(view: View, game: SheetGame, number: int, lang: str) -> str:
    """Whose confirmation a later change has ended, where they have not confirmed the deal again."""
    ended: list[str] = []
    for trace in _traces(view, game, number):
        if trace.in_effect and not trace.target:
            ended += trace.unconfirmed
    names, confirmed = names_of(view.sheet, game), game.deal(number).confirmed
    waiting = [names[side] for side in dict.fromkeys(ended) if side not in confirmed]
    return say(lang, "trail.confirm-again", players=waiting) if waiting else ""


def _traces(view: View, game: SheetGame, number: int) -> list[HistoryEntry]:
    return [
        trace
        for trace in sheet_service().history(view.id)
        if trace.place == (game.number, number) and trace.in_deal_history
    ]

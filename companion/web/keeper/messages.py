"""One whole sentence for each thing that was written down, for the eye and for screen readers."""

from __future__ import annotations

from companion.rulebook.book import say
from companion.sheets.view import View
from companion.web.keeper.board import board

WHOLE_DEAL = ("record", "correct", "void", "adjust")


def saved_sentence(view: View, kind: str, lang: str) -> str:
    """What was saved and how it stands now: `Deal 7 saved. North & South 248, 8 bags. ... West deals.`"""
    if kind not in WHOLE_DEAL or view.game is None:
        return say(lang, f"keeper.saved-{kind}")
    shown = board(view, lang)
    parts = [say(lang, f"keeper.saved-{kind}", number=len(view.game.deals))]
    for side in shown.sides:
        bags = "" if side.bags is None else say(lang, "ledger.bags", count=side.bags)
        parts.append(say(lang, "keeper.side-stands", name=side.name, total=side.total, bags=bags))
    if shown.over:
        parts.append(say(lang, "keeper.won-by", winners=list(shown.winners)))
    else:
        parts.append(say(lang, "keeper.next-dealer", name=shown.dealer))
    return (" " if lang == "en" else "").join(parts)

"""One whole sentence for each thing that was written down, for the eye and for screen readers."""

from __future__ import annotations

from companion.rulebook.book import say
from companion.sheets.scoring import View
from companion.web.keeper.board import board

WHOLE_DEAL = ("record", "correct", "void", "adjust")


def saved_sentence(view: View, kind: str, lang: str, *, earlier: bool = False) -> str:
    """What was saved and how it stands now: `Deal 7 saved. West deals.`, on a second line `North & South 248 ...`.

    The second line is for the ear: the eye has the totals beside it. Of an earlier game it is only said what was saved.
    """
    if earlier or kind not in WHOLE_DEAL or view.game is None:
        return say(lang, f"keeper.saved-{kind}")
    shown = board(view, lang)
    after = "won-by" if shown.over else "next-dealer"
    facts = {"number": len(view.game.deals), "winners": list(shown.winners), "name": shown.dealer}
    brief = [say(lang, f"keeper.saved-{kind}", **facts), say(lang, f"keeper.{after}", **facts)]
    standings = []
    for side in shown.sides:
        tallies = [tally.text for tally in side.tallies]
        standings.append(say(lang, "keeper.side-stands", name=side.name, total=side.total, tallies=tallies))
    gap = " " if lang == "en" else ""
    return f"{gap.join(brief)}\n{gap.join(standings)}"

"""The referee's questions about Spite and Malice."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from companion.engine.dialogue import COUNTS, Question
from companion.games.spite_and_malice.asks import checks, deal, deal_page, moves

QUESTIONS: Final[Mapping[str, Question]] = {
    "stack": Question(("s",), checks.stack_act, checks.stack_page),
    "moves": Question(
        ("to", "chance", "used", "f", "g", "h", "y", "c", *moves.SIDES, "py", "ps"), moves.moves_act, moves.moves_page
    ),
    "start": Question(
        ("to", *(f"p{place}" for place in range(checks.MAX_PLAYERS))), checks.start_act, checks.start_page
    ),
    "stuck": Question(("idle", *checks.STUCK_COUNTS), checks.stuck_act, checks.stuck_page),
    "deal": Question(deal.DEAL_STATE, deal_page.deal_act, deal_page.deal_page, deal.MAX_STATE),
    "dealt": Question(COUNTS, checks.unchanged, checks.dealt_page),
}

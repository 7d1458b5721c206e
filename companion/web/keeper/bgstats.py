"""A finished game as a link that opens it in Board Game Stats, in the format which that app documents for others.

The link is tapped by a person; no page of ours asks anything of it. See "Push plays to BG Stats from other apps or
websites" among its support pages.
"""

from __future__ import annotations

import json
from datetime import datetime, timedelta
from typing import Any
from urllib.parse import quote

from companion.engine.ledger import SCORED
from companion.sheets.scoring import View
from companion.sheets.state import SheetGame

CREATE_PLAY = "https://app.bgstatsapp.com/createPlay.html"
SOURCE = "Card table companion"
"""That app remembers under this name whom it matched to whom: the same in every language, and for good."""
LONGEST = timedelta(hours=12)
"""A game that took longer was put aside in between: how long it was played is not known."""


def play_url(view: View, game: SheetGame, name: str) -> str | None:
    """The link for a finished game, called by this name; None while it goes on."""
    if not view.ledgers[game.number - 1].outcome.over:
        return None
    text = json.dumps(play(view, game, name), ensure_ascii=False, separators=(",", ":"))
    return f"{CREATE_PLAY}?data={quote(text, safe='')}"


def play(view: View, game: SheetGame, name: str) -> dict[str, Any]:
    """What the link says: when (UTC, at the end), how long in minutes, which game, everybody with the total."""
    ended, highest = _ended(view, game), not view.games[game.game].lowest_wins
    told: dict[str, Any] = {
        "sourceName": SOURCE,
        "sourcePlayId": f"{view.id}-{game.number}",
        "playDate": ended.strftime("%Y-%m-%d %H:%M:%S"),
        "game": {"name": name, "sourceGameId": game.game, "highestWins": highest, "noPoints": False},
        "players": [_player(view, game, seat) for seat in game.seating],
    }
    minutes = round((ended - game.started) / timedelta(minutes=1))
    if minutes > 0 and ended - game.started <= LONGEST:
        told["durationMin"] = minutes
    if view.sheet.title:
        told["comments"] = view.sheet.title
    return told


def _player(view: View, game: SheetGame, seat: str) -> dict[str, Any]:
    """A player under their name, which is who they are here: seats have the same ids on every sheet."""
    ledger, side = view.ledgers[game.number - 1], game.side_of(seat)
    name = view.sheet.names[seat]
    told = {
        "name": name,
        "sourcePlayerId": name,
        "score": ledger.standing[side.id].total,
        "winner": side.id in ledger.outcome.winners,
    }
    return told | ({"team": view.sheet.side_name(side)} if len(side.players) > 1 else {})


def _ended(view: View, game: SheetGame) -> datetime:
    """When the last deal that counts was entered."""
    ledger = view.ledgers[game.number - 1]
    scored = [deal for deal, score in zip(game.deals, ledger.deals, strict=True) if score.status == SCORED]
    return scored[-1].changes[0].at if scored else game.started

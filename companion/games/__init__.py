"""The games the companion knows. Pure: `import companion.games` needs nothing but the standard library."""

from __future__ import annotations

from companion.engine.game import Game
from companion.games.casino import CASINO
from companion.games.spades import SPADES
from companion.games.spite_and_malice import SPITE_AND_MALICE

GAMES: dict[str, Game] = {game.id: game for game in (SPADES, CASINO, SPITE_AND_MALICE)}

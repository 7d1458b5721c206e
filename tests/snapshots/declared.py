"""What a game says about itself under each preset: articles, seats, targets, columns, the next dealer."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from companion.engine.game import Game
from tests.snapshots.entries import SEATS
from tests.snapshots.plain import plain

Record = dict[str, Any]


def repeated(game: Game, record: Record) -> Record:
    """Return a record with what the game says now."""
    return record | {"says": plain(_said(game, record["preset"]) if record["preset"] else list(game.articles))}


def drawn(game: Game) -> Iterator[Record]:
    """Yield the articles, then a record for each preset."""
    yield from (repeated(game, {"preset": preset}) for preset in ("", *game.options.presets))


def _said(game: Game, preset: str) -> Record:
    rules = game.options.preset(preset).options
    options = game.options.plain(rules)
    seatings, paper = game.seatings(rules), game.paper.under(rules)
    dealers = {
        f"{dealer} of {seating.players}": game.next_dealer(options, SEATS[: seating.players], dealer)
        for seating in seatings
        for dealer in SEATS[: seating.players]
    }
    return {
        "options": options,
        "idle": [name for name in options if not game.options.has_effect(name, rules)],
        "articles": [article.id for article in game.articles if article.played(rules)],
        "seatings": seatings,
        "dealers": dealers,
        "target": game.target(rules),
        "tallies": game.tallies(rules),
        "limits": game.tally_limits(rules),
        "numbers": game.numbers(rules),
        "paper": {"shared": [one.name for one in paper.shared], "each": [one.name for one in paper.each]},
        "essentials": game.essentials,
    }

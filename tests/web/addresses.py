"""The addresses of the book's pages, without their language: for the tests that go through all of them."""

from __future__ import annotations

from companion.games import GAMES
from companion.rulebook.pages import leaves, page
from companion.web.book import leaf_path, part_path

PARTS = [part_path(game, part.name) for game in GAMES for part in page(game, "en").parts]
LEAVES = [
    leaf_path(game, part.name, leaf.name)
    for game in GAMES
    for part in page(game, "en").parts
    for leaf in leaves(game, "en", part.name)
]
PAPER = [f"rules/{game}/{name}" for game in GAMES for name in ("summary", "score-sheet")]

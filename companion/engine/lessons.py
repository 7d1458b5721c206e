"""What teaches a game: the ways to play to begin with."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Lessons:
    """What teaches a game. Its sentences are in `lessons.toml` beside the texts of the game."""

    ways: tuple[str, ...]
    """The presets that have a quick start, the first one for beginners."""

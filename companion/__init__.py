"""Keeps the score, judges the moves and is the rulebook for card games played with real cards."""

__version__ = "0.1.0"

"""What the questions of Spades share: the words of calls, numbers in an address."""

from __future__ import annotations

from companion.rulebook.book import words

NIL_WORDS = ("nil", "double_nil", "double_blind_nil")


def call_text(word: str, lang: str) -> str:
    """A call in words."""
    return words("spades", lang).vocabulary.show("call", word)


def number_in(text: str | None) -> int | None:
    """The small whole number that a text of the address stands for."""
    return int(text) if text and text.isascii() and text.isdigit() and len(text) < 4 else None

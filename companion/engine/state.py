"""What has been entered on a page, as the text of its address; it can be shared as a link."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final
from urllib.parse import quote

from companion.engine.cards import Card, read_card

LONGEST_VALUE: Final = 3_400
"""Maximum characters of one value: a whole deal takes 155 to 1,500."""
MAX_CARDS: Final = 110
_SAFE: Final = "-._~!*,:"
_NOT_STATE: Final = ("do", "lang")


@dataclass(frozen=True, slots=True)
class State:
    """What has been entered so far, by short names. Unreadable values count as absent."""

    values: Mapping[str, str]

    @classmethod
    def of(cls, query: Mapping[str, str]) -> State:
        """Return the state in a query string, without the action to be done next."""
        return cls({name: text[:LONGEST_VALUE] for name, text in query.items() if text and name not in _NOT_STATE})

    def get(self, name: str) -> str:
        """Return a value as written; empty where it is absent."""
        return self.values.get(name, "")

    def number(self, name: str, *, low: int = 0, high: int = 99) -> int | None:
        """Return a value as a whole number within the range, or None."""
        text = self.get(name)
        digits = text.removeprefix("-")
        if not (digits.isascii() and digits.isdigit()) or len(digits) > 7:
            return None
        return int(text) if low <= int(text) <= high else None

    def words(self, name: str) -> tuple[str, ...]:
        """Return the items of a list value."""
        return tuple(part for part in self.get(name).split(".") if part)

    def cards(self, name: str, *, jokers: tuple[str, ...] = (), bare: bool = False) -> tuple[Card, ...]:
        """Return the cards of a value in order; without `bare`, duplicates are dropped."""
        return read_cards(self.words(name), jokers=jokers, bare=bare)

    def put(self, **changes: str | int | None) -> State:
        """Return the state with other values; None and the empty text remove one."""
        values = dict(self.values)
        for name, value in changes.items():
            values.pop(name, None)
            if value is not None and value != "":
                values[name] = str(value)
        return State(values)

    def put_cards(self, name: str, cards: Iterable[Card]) -> State:
        """Return the state with other cards under a name."""
        return self.put(**{name: join_cards(cards)})

    def toggle_card(self, name: str, card: Card) -> State:
        """Return the state with a card added to a list, or removed from it."""
        cards = self.cards(name)
        return self.put_cards(name, (one for one in cards if one != card) if card in cards else (*cards, card))

    def without_last(self, name: str) -> State:
        """Return the state without the last item of a list."""
        return self.put(**{name: ".".join(self.words(name)[:-1])})

    def query(self, names: Iterable[str]) -> str:
        """Return the query string with these names, in their order."""
        parts = [f"{name}={quote(self.get(name), safe=_SAFE)}" for name in names if self.get(name)]
        return "&".join(parts)

    def only(self, names: Iterable[str]) -> State:
        """Return the state reduced to these names."""
        return State({name: self.get(name) for name in names if self.get(name)})


def read_cards(words: Iterable[str], *, jokers: tuple[str, ...] = (), bare: bool = False) -> tuple[Card, ...]:
    """Return the cards that these words name, at most `MAX_CARDS`; unreadable words are skipped."""
    found: list[Card] = []
    for word in words:
        try:
            card = read_card(word, jokers=jokers, bare_ranks=bare)
        except ValueError:
            continue
        if bare or card not in found:
            found.append(card)
    return tuple(found[:MAX_CARDS])


def join_cards(cards: Iterable[Card]) -> str:
    """Return cards as an address writes them: `7H.2S`."""
    return ".".join(str(card) for card in cards)


def small_number(text: str | None) -> int | None:
    """Return the whole number below 1,000 that a text spells, or None."""
    return int(text) if text and text.isascii() and text.isdigit() and len(text) < 4 else None

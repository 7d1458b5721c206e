"""What has been said on a referee page: the query of its address, read leniently and written in one order."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from urllib.parse import quote

from companion.engine.cards import Card, read_card

LONGEST = 3_400
"""Characters of one value: a whole deal of Spades takes 155, of Casino some 600, of Spite and Malice some 1,500."""
MOST_CARDS = 110
_PLAIN = "-._~!*,:"
_ACTS = ("do", "lang")


@dataclass(frozen=True, slots=True)
class State:
    """The answers so far by their short names; what cannot be read counts as not said."""

    values: Mapping[str, str]

    @classmethod
    def of(cls, query: Mapping[str, str]) -> State:
        """The state that an address holds, without what is to be done next."""
        return cls({name: text[:LONGEST] for name, text in query.items() if text and name not in _ACTS})

    def get(self, name: str) -> str:
        """An answer as written; empty where there is none."""
        return self.values.get(name, "")

    def number(self, name: str, *, low: int = 0, high: int = 99) -> int | None:
        """An answer as a whole number of the range."""
        text = self.get(name)
        digits = text.removeprefix("-")
        if not (digits.isascii() and digits.isdigit()) or len(digits) > 7:
            return None
        return int(text) if low <= int(text) <= high else None

    def words(self, name: str) -> tuple[str, ...]:
        """The parts of an answer that is a list."""
        return tuple(part for part in self.get(name).split(".") if part)

    def cards(self, name: str, *, jokers: tuple[str, ...] = (), bare: bool = False) -> tuple[Card, ...]:
        """The cards of an answer in their order; where suits count, none twice."""
        return read_cards(self.words(name), jokers=jokers, bare=bare)

    def put(self, **changes: str | int | None) -> State:
        """The state with other answers; an empty one is taken out."""
        values = dict(self.values)
        for name, value in changes.items():
            values.pop(name, None)
            if value is not None and value != "":
                values[name] = str(value)
        return State(values)

    def put_cards(self, name: str, cards: Iterable[Card]) -> State:
        """The state with other cards under a name."""
        return self.put(**{name: joined(cards)})

    def query(self, names: Iterable[str]) -> str:
        """The query of the address, in the order of the names; others are left out."""
        parts = [f"{name}={quote(self.get(name), safe=_PLAIN)}" for name in names if self.get(name)]
        return "&".join(parts)

    def only(self, names: Iterable[str]) -> State:
        """The state without what the page has no use for."""
        return State({name: self.get(name) for name in names if self.get(name)})


def read_cards(words: Iterable[str], *, jokers: tuple[str, ...] = (), bare: bool = False) -> tuple[Card, ...]:
    """The cards that these words name; what names none is passed over."""
    found: list[Card] = []
    for word in words:
        try:
            card = read_card(word, jokers=jokers, bare_ranks=bare)
        except ValueError:
            continue
        if bare or card not in found:
            found.append(card)
    return tuple(found[:MOST_CARDS])


def joined(cards: Iterable[Card]) -> str:
    """Cards as an address has them: `7H.2S`."""
    return ".".join(str(card) for card in cards)

"""Tables that hold every pair of option values that can be in force together, and every triple that shares an article.

A value is in force where it can change anything (`has_effect`). A value that is idle beside the option that makes it so
is a pair too: a program that looks at it nevertheless is wrong.
"""

from __future__ import annotations

import fcntl
import os
import pickle
import re
from collections.abc import Collection, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from functools import lru_cache, reduce
from itertools import combinations, product
from operator import or_
from pathlib import Path
from random import Random
from subprocess import SubprocessError, run
from typing import Any

from companion.engine.options import Option
from companion.engine.problems import Refused
from companion.engine.shapes import read
from companion.library import GAMES

Values = dict[str, Any]
WORTH_TRYING: dict[str, dict[str, tuple[Any, ...]]] = {
    "spades": {
        "minimum_bid": (4, 13), "blind_bid_min": (7, 13), "nil_exchange": (1, 2), "double_nil_exchange": (0, 1),
        "target": (300, None), "deals_limit": (3, 8), "sets_lose": (2, 3), "sets_in_row_lose": (2,),
        "nil_failure": (50,), "forbidden_total": (11,), "least_total": (11,), "loss_limit": (-200,),
        "double_blind_nil_deficit": (200,), "all_tricks_bonus": (200,),
        "promoted_twos": (("2D",), ("2C",), ("2H", "2D")), "removed_twos": (("2C", "2H"), ("2D", "2H")),
    },
    "casino": {
        "deck": (40, 49),
        "spades_minimum": (5,), "sweep": (2,), "last_capture_points": (1,), "cards_points": (3, 0),
        "spades_points": (1, 0), "target": (11,), "each_spade_points": (1,), "spade_ace_points": (1,),
        "spade_jack_points": (1,),
    },
    "spite-and-malice": {
        "payoff_size": (20, 12, 5), "recycle_threshold": (0, 5), "match_deals": (2,),
        "mandatory": ((), ("payoff_ace", "payoff_two"), ("side_two", "side_ace")),
    },
}  # fmt: skip
"""Values beside the default of options that have more than can be tried; of other numbers half the default."""
TOGETHER = "TESTS_TOGETHER"
"""In the environment: a folder of all processes that run tests together."""
BOOKS = Path(__file__).parents[2] / "rules_en"


@dataclass
class Array:
    """Tables of one game, each with every option written out, and how much they hold."""

    tables: list[Values] = field(default_factory=list)
    pairs: int = 0
    impossible: int = 0
    triples: int = 0


@lru_cache
def array(game: str, seed: int = 0, *, triples: bool = True) -> Array:
    """Return tables of a game, the same for the same seed: those for triples first, then those for other pairs.

    Of several processes that run tests the first builds them, and leaves them where the others look.
    """
    if not (folder := os.environ.get(TOGETHER)):
        return _Builder(game, seed).build(triples=triples)
    with (Path(folder) / f"tables-{game}-{seed}-{triples}").open("a+b") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        if not os.fstat(file.fileno()).st_size:
            pickle.dump(_Builder(game, seed).build(triples=triples), file)
        file.seek(0)
        found: Array = pickle.load(file)
        return found


def crossed(game: str, seed: int, count: int) -> list[Values]:
    """Return other tables, each of the array with some options of another one, so that any three options can meet."""
    rng, options, found = Random(f"crossed {game} {seed}"), GAMES[game].options, list[Values]()
    for _ in range(50 * count):
        one, other = rng.sample(array(game, seed, triples=False).tables, 2)
        values = one | {name: other[name] for name in rng.sample([*one], rng.randrange(4, len(one) // 2))}
        with suppress(Refused):
            options.build(options.default_preset, values)
            found.append(values)
            if len(found) == count:
                break
    return found


def third() -> int:
    """Return which third of the tables a short run looks at closely: each commit another."""
    try:
        asked = ["git", "rev-parse", "HEAD"]
        commit = run(asked, cwd=BOOKS, capture_output=True, text=True, check=True, timeout=10).stdout
    except (OSError, SubprocessError):
        return 0
    return int(commit.strip() or "0", 16) % 3


def request(game: str, values: Values) -> dict[str, Any]:
    """Return the rules of a table as requests have them: with every option, so that nothing gives way."""
    options = GAMES[game].options
    written = {name: option.plain(values[name]) for name, option in options.options.items()}
    return {"preset": options.default_preset, "options": written}


def values_of(game: str) -> list[tuple[str, Any]]:
    """Return the options of a game with each value that is tried."""
    return [(name, value) for name, option in GAMES[game].options.options.items() for value in _values(game, option)]


class _Builder:
    """A greedy builder: each table begins with something that none holds, and takes on whatever is new for most."""

    def __init__(self, game: str, seed: int) -> None:
        self.game, self.rng, self.options = game, Random(seed), GAMES[game].options
        self.items = values_of(game)
        self.values = {name: _values(game, option) for name, option in self.options.options.items()}
        self.place = {item: place for place, item in enumerate(self.items)}
        self.reads = self._read_by_effects()
        self.left = [0] * (2 * len(self.items))
        """What each item is still to meet, as bits; the second half are the same items where they are idle."""
        for (one, (name, value)), (other, (second, _)) in product(enumerate(self.items), enumerate(self.items)):
            if name < second:
                self._mark(one, other, wanted=True)
            if second in self.reads[name] and value != self.values[name][0]:
                self._mark(one + len(self.items), other, wanted=True)

    def build(self, *, triples: bool) -> Array:
        found = Array()
        wanted = {sum(1 << place for place in core) for core in self._triples()} if triples else set()
        for core in sorted(wanted):
            if core in wanted and (row := self._row(core, wanted)):
                held = self._take(found, row)
                found.triples += len(wanted)
                wanted = {each for each in wanted if each & ~held}
                found.triples -= len(wanted)
        for one in range(len(self.left)):
            while self.left[one]:
                other = self.left[one].bit_length() - 1
                if row := self._row(1 << one | 1 << other):
                    self._take(found, row)
                if self.left[one] >> other & 1:
                    found.impossible += 1
                    self._mark(one, other, wanted=False)
        return found

    def _mark(self, one: int, other: int, *, wanted: bool) -> None:
        for a, b in ((one, other), (other, one)):
            self.left[a] = self.left[a] | 1 << b if wanted else self.left[a] & ~(1 << b)

    def _take(self, found: Array, row: Values) -> int:
        """Add a table; return what it holds, as bits."""
        held = self._held(row)
        found.pairs += self._new(held) // 2
        found.tables.append(row)
        for one in _bits(held):
            self.left[one] &= ~held
        return held

    def _new(self, held: int) -> int:
        return sum((self.left[one] & held).bit_count() for one in _bits(held))

    def _held(self, values: Values) -> int:
        rules, half = self.options.rules_type(**values), len(self.items)
        return sum(
            1 << self.place[item] + (0 if self.options.has_effect(item[0], rules) else half) for item in values.items()
        )

    def _row(self, core: int, triples: Collection[int] = ()) -> Values | None:
        """Return a table that holds all of a core; None where there is none."""
        start = self._start(core)
        if start is None:
            return None
        values, fixed = start
        names = [name for name in self.values if name not in fixed]
        for name in self.rng.sample(names, len(names)):
            choices = [values | {name: value} for value in self.values[name]]
            sound = [(self._held(each), each) for each in choices if each == values or self._allowed(each)]
            within = reduce(or_, (held for held, _ in sound))
            near = [each for each in triples if not each & ~within]
            worth = [
                (sum(not each & ~held for each in near), self._new(held), self.rng.random(), place)
                for place, (held, _) in enumerate(sound) if not core & ~held
            ]  # fmt: skip
            values = sound[max(worth)[-1]][1]
        return values

    def _start(self, core: int) -> tuple[Values, set[str]] | None:
        """Return a table that holds all of a core, as near to the defaults as can be, and what must stay of it."""
        fixed = dict(self.items[place % len(self.items)] for place in _bits(core))
        needed = sorted({name for one in fixed for name in self.reads[one]} - fixed.keys())
        for choice in product(*(self.values[name] for name in needed)):
            given = fixed | dict(zip(needed, choice, strict=True))
            try:
                rules = self.options.build(self.options.default_preset, given).options
            except Refused:
                continue
            values = {name: getattr(rules, name) for name in self.values}
            if all((name, value) in self.place for name, value in values.items()) and not core & ~self._held(values):
                return values, set(given)
        return None

    def _allowed(self, values: Values) -> bool:
        """Whether a table is one that nothing would have to give way for."""
        try:
            self.options.build(self.options.default_preset, values)
        except Refused:
            return False
        return True

    def _triples(self) -> Iterator[tuple[int, ...]]:
        """Yield every combination of values of three options that one article speaks of."""
        places = {name: [self.place[name, value] for value in values] for name, values in self.values.items()}
        groups = {
            names
            for together in _of_one_article(self.game, list(self.values))
            for names in combinations(sorted(together), 3)
        }
        for names in sorted(groups):
            yield from product(*(places[name] for name in names))

    def _read_by_effects(self) -> dict[str, set[str]]:
        """Return for each option the others that decide whether it has an effect."""
        read: set[str] = set()

        class Watched(self.options.rules_type):  # type: ignore[misc, name-defined]
            def __getattribute__(self, name: str) -> Any:
                read.add(name)
                return super().__getattribute__(name)

        reads: dict[str, set[str]] = {}
        for _ in range(40):
            rules = Watched(**{name: self.rng.choice(values) for name, values in self.values.items()})
            for name in self.values:
                read.clear()
                self.options.has_effect(name, rules)
                reads.setdefault(name, set()).update(read & self.values.keys() - {name})
        return reads


def _values(game: str, option: Option) -> tuple[Any, ...]:
    """Return the values of an option that are tried, the default first."""
    more = WORTH_TRYING.get(game, {}).get(option.name)
    if more is None:
        numbers = [option.default // 2] if option.kind == "number" and option.default else []
        more = tuple(option.possible([] if option.choices else numbers))
    else:
        more = tuple(read(option.field(), [*value] if isinstance(value, tuple) else value) for value in more)
    return tuple(dict.fromkeys((option.default, *more)))


def _of_one_article(game: str, names: list[str]) -> Iterator[set[str]]:
    """Yield for each article the options that it is about: its own, those it depends on, those its text names."""
    articles = GAMES[game].articles
    own = {
        article.id: {name for name, option in GAMES[game].options.options.items() if article.id in option.articles}
        | article.when.keys()
        | article.unless.keys()
        for article in articles
    }
    text = (BOOKS / game / "book.md").read_text("utf-8")
    for part in text.split("\n{#")[1:]:
        anchor = re.match(r"[\w-]+", part)
        named = {word for tag in re.findall(r"{[{%](.*?)[%}]}", part) for word in re.findall(r"\w+", tag)}
        for played in re.findall(r"played\('([\w-]+)'\)", part):
            named |= own.get(f"{game}.{played}", set())
        yield ((own.get(f"{game}.{anchor[0]}", set()) if anchor else set()) | named) & set(names)


def _bits(number: int) -> Iterator[int]:
    """Yield the places of the bits that are set."""
    while number:
        low = number & -number
        yield low.bit_length() - 1
        number ^= low


def main() -> None:
    """Print how many tables hold all pairs of a game, and how many all triples as well; what cannot be together."""
    print("game | tables of pairs | pairs | pairs that cannot be | with triples | triples")  # noqa: T201
    for game in WORTH_TRYING:
        pairs, all_ = array(game, triples=False), array(game)
        print(game, len(pairs.tables), pairs.pairs, pairs.impossible, len(all_.tables), all_.triples, sep=" | ")  # noqa: T201


if __name__ == "__main__":
    main()

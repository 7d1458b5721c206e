"""Requests that show where options meet, found by a search once and asked in every run.

    python -m tests.pairs.corpus                    write the answers anew, after a change that is meant
    python -m tests.pairs.corpus --search GAME      search for the requests of a game anew
    python -m tests.pairs.corpus --meet GAME        add requests that two options decide by the oracle

The search draws requests by lot on tables of `arrays.py`. The game's code is woven (`weaving.py`) so that each choice
in it can be made otherwise; a request is kept if it notices such a change where no request before it did, or noticed it
only on tables that have the same value of some other option. So what hangs on two options is asked with both values of
either. Answers are the program's; `test_corpus.py` holds them to the oracles where these know.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from hashlib import sha256
from itertools import combinations
from pathlib import Path
from random import Random
from typing import Any

FOLDER = Path(__file__).parent / "requests"
PACKAGES = {"spades": "spades", "casino": "casino", "spite-and-malice": "spite_and_malice"}
LONGEST = 3_000
"""Characters of a request that is kept."""
UNNOTICED, APART, HERE = 200, 15, 4
"""So often a change is tried before it is noticed, on how many tables afterwards, and in one scene."""
OFTEN, MANY = 8, 16
"""A change that has been tried more often is tried together with so many others."""
TRIED = {"check": 250, "demand": 250, "score": 250, "moves": 80, "replay": 120}
"""So many changes are tried with one request: with fewer where each takes long."""
TOO_SLOW = "too slow"
Json = dict[str, Any]


@dataclass
class Record:
    """A table, what its requests have in common, and the requests: what each adds and leaves out."""

    ask: str
    rules: str
    shared: Json
    cases: list[tuple[Json, list[str], str]] = field(default_factory=list)
    """What is added, which facts of the position or of the whole are left out, and what is answered."""

    def request(self, added: Json, without: Iterable[str] = ()) -> Json:
        """Return a whole request but for its rules."""
        given = {**self.shared, **added}
        part = given["position"] if isinstance(given.get("position"), dict) else given
        left = {name: value for name, value in part.items() if name not in without}
        return left if part is given else {**given, "position": left}

    def line(self) -> str:
        """Return the record as a line of its file."""
        plain = {"ask": self.ask, "rules": self.rules, **self.shared, "cases": self.cases}
        return json.dumps(plain, ensure_ascii=False, separators=(",", ":"))


def kept() -> list[str]:
    """Return the games of which requests are kept."""
    return sorted(file.stem for file in FOLDER.glob("*.jsonl"))


def read(game: str) -> Iterator[Record]:
    """Yield the records of a game."""
    for line in (FOLDER / f"{game}.jsonl").read_text("utf-8").splitlines():
        plain = json.loads(line)
        yield Record(plain.pop("ask"), plain.pop("rules"), cases=plain.pop("cases"), shared=plain)


def write(game: str, records: Iterable[Record]) -> None:
    """Write the records of a game."""
    FOLDER.mkdir(exist_ok=True)
    text = "".join(f"{record.line()}\n" for record in records if record.cases)
    (FOLDER / f"{game}.jsonl").write_text(text, "utf-8")


def short(answer: Any) -> str:
    """Return an answer in a few characters: a verdict with its reasons, and what tells the whole from others."""
    verdict = answer.get("Verdict", {}) if isinstance(answer, dict) else {}
    breaches = [one["Breach"]["code"] for one in verdict.get("breaches", ())]
    missing = [one["Missing"]["fact"] for one in verdict.get("missing", ())]
    said = "refused" if "refused" in answer else "illegal" if breaches else "undecided" if missing else "legal"
    words = [said, *breaches, *missing] if verdict or said == "refused" else []
    digest = sha256(json.dumps(answer, sort_keys=True, ensure_ascii=False).encode()).hexdigest()
    return " ".join([*words, digest[:6]])


# The search ----------------------------------------------------------------------------------------------------------


class Search:
    """What is kept so far, and on which tables each change of the code has been noticed."""

    def __init__(self, game: str, seed: int, *, add: bool) -> None:
        from companion.library import GAMES
        from tests.pairs.arrays import array, crossed, values_of
        from tests.pairs.weaving import watch

        self.game, self.rng = game, Random(f"corpus {game} {seed}")
        self.engine = GAMES[game]
        values: dict[str, list[Any]] = defaultdict(list)
        for name, value in values_of(game):
            values[name].append(value)
        watch(self.engine.options.rules_type, {n: tuple(v) for n, v in values.items()})
        self.bits = {item: 1 << place for place, item in enumerate(values_of(game))}
        self.tables = [*array(game, seed, triples=False).tables, *crossed(game, seed, 1500)]
        self.alike: dict[tuple[int, int], int] = {}
        """By change, the option values that all tables have on which it is noticed, as bits."""
        self.tried: Counter[tuple[int, int]] = Counter()
        """How often one has been tried, before it was noticed or since."""
        self.finding = True
        """Whether changes are only looked for that have not been noticed yet."""
        self.here: Counter[tuple[int, int]] = Counter()
        """The same in one scene."""
        self.before = [*read(game)] if add else []
        self.records: list[Record] = []
        self.size = 0

    def run(self, scenes: int, least: int, kind: str) -> None:
        """Look through so many scenes; keep what notices a change first, or sets it apart from so many values."""
        from companion import library as companion
        from tests.pairs.arrays import request
        from tests.pairs.scenes import scenes_of

        for number in range(scenes):
            self.finding = number < scenes * 2 // 3
            values = self.rng.choice(self.tables)
            rules = request(self.game, values)
            held = sum(self.bits[item] for item in values.items())
            code = companion.rules(self.game, rules)["code"]
            with suppress(companion.InvalidInput):
                for ask, shared, cases in scenes_of(self.game, rules, self.rng, kind):
                    record = Record(ask, code, shared)
                    self.here.clear()
                    for added, without in cases:
                        self.consider(record, rules, added, without, held, least)
                    if record.cases:
                        self.records.append(record)
                        self.size += len(record.line())
            if number % 20 == 19:
                write(self.game, [*self.before, *self.records])
                apart = sum(not alike for alike in self.alike.values())
                kept = sum(len(record.cases) for record in self.records)
                sys.stdout.write(f"{number}: {len(self.alike)} noticed, {apart} apart, {len(self.tried)} met; ")
                sys.stdout.write(f"{kept} requests kept in {self.size} characters\n")
                sys.stdout.flush()

    def report(self) -> None:
        """Print the places of the code where a change went unnoticed, and how many changes of each."""
        from tests.pairs.weaving import WEFT

        unnoticed = Counter(WEFT.places[site] for site, _ in self.tried.keys() - self.alike.keys())
        sys.stdout.write("".join(f"{count} at {place}\n" for place, count in sorted(unnoticed.items())))

    def consider(self, record: Record, rules: Json, added: Json, without: list[str], held: int, least: int) -> None:
        """Keep a request if it tells more changes apart than those before it."""
        from tests.pairs.weaving import WEFT

        request = {**record.request(added, without), "rules": rules}
        if len(json.dumps(request)) - len(json.dumps(rules)) > LONGEST:
            return
        WEFT.met.clear()
        before = self.asked(record.ask, request)
        if before in (None, TOO_SLOW):
            return
        worth: dict[int, tuple[int, int]] = {}
        for change in self.rng.sample(sorted(WEFT.met), len(WEFT.met)):
            if len(worth) < TRIED[record.ask] and change[0] not in worth and self.is_worth_trying(change, held):
                worth[change[0]] = change
                self.tried[change] += 1
                self.here[change] += 1
        together: dict[bool, list[tuple[int, int]]] = {True: [], False: []}
        for change in worth.values():
            together[change not in self.alike and self.tried[change] > OFTEN].append(change)
        parts = [[one] for one in together[False]]
        parts += [together[True][n : n + MANY] for n in range(0, len(together[True]), MANY)]
        noticed = [one for part in parts for one in self.noticed(record.ask, request, before, part)]
        gain = sum((self.alike[one] & ~held).bit_count() if one in self.alike else least for one in noticed)
        if gain >= least:
            record.cases.append((added, without, short(json.loads(json.dumps(before)))))
            for change in noticed:
                if change not in self.alike:
                    self.tried[change] = 0
                self.alike[change] = self.alike.get(change, -1) & held

    def noticed(self, ask: str, request: Json, before: Any, changes: list[tuple[int, int]]) -> list[tuple[int, int]]:
        """Return those of some changes that each by itself changes an answer; where all together do not, none is."""
        from tests.pairs.weaving import changed

        try:
            with changed(changes):
                after = self.asked(ask, request)
        except TimeoutError:  # as it ended
            after = TOO_SLOW
        if after == before:
            return []
        if len(changes) > 1:
            half = len(changes) // 2
            parts = (changes[:half], changes[half:])
            return [one for part in parts for one in self.noticed(ask, request, before, part)]
        self.tried[changes[0]] += UNNOTICED if after is TOO_SLOW else UNNOTICED // 8 if after is None else 0
        return [] if after in (None, TOO_SLOW) else changes

    def is_worth_trying(self, change: tuple[int, int], held: int) -> bool:
        """Whether a change has not been tried too often, here or at all, and this table tells something new of it."""
        if self.here[change] >= HERE:
            return False
        if change not in self.alike:
            return self.tried[change] < UNNOTICED
        return not self.finding and self.tried[change] < APART and bool(self.alike[change] & ~held)

    def asked(self, ask: str, request: Json) -> Any:
        """Return an answer as JSON; None where the program breaks down or does not end."""
        from tests.snapshots.answers import answer

        try:
            return answer(self.engine, ask, request)
        except TimeoutError:
            return TOO_SLOW
        except Exception:
            return None


def meet(game: str, scenes: int, seed: int) -> list[Record]:
    """Return requests that two options decide by the oracle, each pair once for every kind of move, and each value."""
    from companion import library as companion
    from companion.library import GAMES
    from tests.pairs.arrays import array, crossed, request, values_of
    from tests.pairs.judges import by_the_oracle
    from tests.pairs.scenes import NEEDED, judged

    rng, seen, records = Random(f"meet {game} {seed}"), set[Any](), list[Record]()
    tables = [*array(game, seed, triples=False).tables, *crossed(game, seed, 1500)]
    written = [(name, GAMES[game].options.options[name].plain(value)) for name, value in values_of(game)]
    asked = answering(game)
    for _ in range(scenes):
        rules = request(game, rng.choice(tables))
        options, code = rules["options"], companion.rules(game, rules)["code"]
        changes = [(n, v) for n, v in written if v != options[n] and n not in ("mode", "players", "partners")]
        for position, moves in judged(game, rules, rng):
            record = Record("check", code, {"position": json.loads(json.dumps(position))})
            for move in moves:
                verdict = by_the_oracle(game, options, {"position": position, "move": move})
                if verdict is None:
                    continue
                other = partial(by_the_oracle, game, request={"position": position, "move": move})
                turned = {n: v for n, v in changes if other(options=options | {n: v}) == (not verdict)}
                kind = move["type"] + str(verdict)
                new: set[Any] = {(kind, *pair) for pair in combinations(sorted(turned), 2)}
                new |= {(kind, name, str(options[name]), str(value)) for name, value in turned.items()}
                if new - seen:
                    seen |= new
                    facts = [fact for fact in position if fact not in NEEDED]
                    gone = [[], *([fact] for fact in rng.sample(facts, min(len(facts), 2)))]
                    added = {"move": json.loads(json.dumps(move))}
                    record.cases += [(added, without, asked(record, added, without)) for without in gone]
            records.append(record)
    return records


def renew(game: str) -> int:
    """Write the answers of a game's requests as they are now, without tables that are refused by now.

    Returns how many answers have changed.
    """
    from companion.engine.problems import Refused

    asked = answering(game)
    records, changed = list[Record](), 0
    for record in read(game):
        with suppress(Refused):
            rules_of(game, record.rules)
            records.append(record)
    for record in records:
        cases = [(added, without, asked(record, added, without)) for added, without, _ in record.cases]
        changed += sum(now[2] != before[2] for now, before in zip(cases, record.cases, strict=True))
        record.cases = cases
    write(game, records)
    return changed


def answering(game: str) -> Callable[[Record, Json, list[str]], str]:
    """Return a function that returns the short answer to a request of a record."""
    from companion.library import GAMES
    from tests.snapshots.answers import answer

    engine = GAMES[game]
    written: dict[str, Json] = {}

    def asked(record: Record, added: Json, without: list[str]) -> str:
        if record.rules not in written:
            written[record.rules] = rules_of(game, record.rules)
        request = {**record.request(added, without), "rules": written[record.rules]}
        return short(json.loads(json.dumps(answer(engine, record.ask, request))))

    return asked


def rules_of(game: str, code: str) -> Json:
    """Return the rules of a code with every option written out."""
    from companion.library import GAMES

    options = GAMES[game].options
    return {"preset": options.default_preset, "options": dict(options.plain(options.decode(code).options))}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--search", choices=PACKAGES)
    parser.add_argument("--meet", choices=PACKAGES)
    parser.add_argument("--kind", default="", help="only scores, positions, records or known; adds to what is kept")
    parser.add_argument("--scenes", type=int, default=400, help="so many positions are looked at")
    parser.add_argument("--least", type=int, default=40, help="what a request must tell apart to be kept")
    parser.add_argument("--seed", type=int, default=0)
    chosen = parser.parse_args()
    if game := chosen.search:
        from tests.pairs.weaving import weave  # before any game is imported

        weave(f"companion.games.{PACKAGES[game]}", options_in(game))
        search = Search(game, chosen.seed, add=bool(chosen.kind))
        search.run(chosen.scenes, chosen.least, chosen.kind)
        search.report()
    if game := chosen.meet:
        write(game, [*(read(game) if game in kept() else ()), *meet(game, chosen.scenes, chosen.seed)])
    for game in [] if chosen.search or chosen.meet else kept():
        sys.stdout.write(f"{game}: {renew(game)} answers have changed\n")


def options_in(game: str) -> list[str]:
    """Return the names of a game's options, without importing it: the keys of its class of rules."""
    import ast

    source = Path(__file__).parents[2] / "companion/games" / PACKAGES[game] / "rules.py"
    classes = [one for one in ast.parse(source.read_text("utf-8")).body if isinstance(one, ast.ClassDef)]
    return [
        one.target.id
        for each in classes for one in each.body
        if isinstance(one, ast.AnnAssign) and isinstance(one.target, ast.Name)
    ]  # fmt: skip


if __name__ == "__main__":
    main()

"""What agrees on every table, whatever its options: the questions with each other, a verdict with what it lacks.

A short run takes a third of the tables for pairs, another third with each commit; a long one all of them, those for
triples, and other deals each time.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Generator, Iterator
from contextlib import suppress
from random import Random
from typing import Any

import pytest

from companion import library as companion
from companion.engine.problems import Refused, read_whole
from companion.library import GAMES
from tests.pairs.arrays import array, request, third, values_of
from tests.pairs.walks import WALKS, Json, Step

PARTS = 3
"""Tests that share the tables of a game."""
DENSITY = {"spades": 0.13, "casino": 0.2, "spite-and-malice": 0.1}
"""Of how many positions a short run looks closely at one."""
EVERY_VALUE: dict[str, Any] = {
    "dealer": lambda position: position["seats"],
    "trick_number": lambda position: range(1, 19),
    "spades_broken": lambda position: (False, True),
    "half": lambda position: (1, 2),
    # Who counts the completed stacks and says nothing of others that were set aside has counted those, too.
    "set_aside": lambda position: range(7) if position.get("complete") is None else [0],
}
"""All values of facts that have few: a verdict without the fact is what those with each of them have in common."""
KNOWN: dict[str, str] = {}
"""Faults that wait for a mend, by letter: what is found of them."""
WAITING: dict[tuple[str, str], str] = {("casino", "proven"): "P3"}
"""Facts that are not left out before a fault is mended, and its letter."""


_THROWN_IN = {"code": "total-too-low", "reason": "played out all the same"}
_REASONS = ("missing", "because", "breaches", "reason", "article", "articles", "blocked")
"""Keys of an answer that say why nothing can be done."""


@pytest.mark.parametrize("part", range(PARTS))
@pytest.mark.parametrize("game", DENSITY)
def test_the_questions_agree_on_every_table(game: str, part: int, soak_round: int, thorough: bool, soaked: Any) -> None:
    tables = array(game, soak_round, triples=thorough).tables[part::PARTS]
    tables = tables if thorough else tables[third() :: 3]
    found: list[str] = []
    counts: Counter[str] = Counter(tables=len(tables))
    for number, values in enumerate(tables):
        rng = Random(f"{game} {soak_round} {part} {number}")
        table = _Table(game, request(game, values), rng, 1.0 if thorough else DENSITY[game], counts)
        found += [f"{fault}\n    {table.code}" for fault in table.faults() if not _known(fault)]
    soaked(**counts)
    assert not found, "\n".join(found)


@pytest.mark.parametrize("game", GAMES)
def test_a_table_is_one_however_it_is_written(game: str, thorough: bool, soaked: Any) -> None:
    """Code, object with every option and object with what differs from a preset are the same rules."""
    options = GAMES[game].options
    wrong = []
    for number, values in enumerate(array(game, 0, triples=False).tables[:: 1 if thorough else 3]):
        written = companion.rules(game, request(game, values))
        preset = [*options.presets][number % len(options.presets)]
        base = options.plain(options.preset(preset).options)
        other = {"preset": preset, "options": written["options"]}
        short = {"preset": preset, "options": {k: v for k, v in written["options"].items() if v != base[k]}}
        forms = [companion.rules(game, form) for form in (written["code"], other)]
        forms += [companion.rules(game, form["code"]) for form in forms]
        with suppress(companion.InvalidInput):
            forms.append(companion.rules(game, short))
        wrong += [f"{form['code']} is not {written['code']}" for form in forms if form["options"] != written["options"]]
    soaked(tables=number + 1)
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("game", GAMES)
def test_no_other_option_changes_who_plays_with_whom(game: str) -> None:
    """A preset keeps its players and sides under each option that does not say who plays."""
    options, seatings = GAMES[game].options, GAMES[game].seatings
    about = {"mode", "players", "partners"}
    wrong = []
    for preset in options.presets:
        before = options.preset(preset).options
        for name, value in values_of(game):
            with suppress(Refused):
                after = options.build(preset, {name: value}).options
                same = all(getattr(after, each) == getattr(before, each) for each in about & options.options.keys())
                five = (name, value) == ("deck", 49)  # a pack for five, which says in its name who plays
                if name not in about and not five and not (same and seatings(after) == seatings(before)):
                    wrong.append(f"{preset} with {name} {value}")
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("preset", ["partners6", "classic"])
def test_a_clean_deal_is_not_accused_however_little_is_told_of_an_exchange(preset: str, soak_round: int) -> None:
    """SIX-R5, SPADES-147: some hands as they were dealt, and some of the cards that went to and fro."""
    options = GAMES["spades"].options
    house = options.build(preset, {"nil_exchange": 2, "double_nil_deficit": 0, "double_nil_exchange": 1})
    plain: Json = options.plain(house.options)
    rules = {"preset": preset, "options": plain}
    wrong, exchanged = list[str](), 0
    for seed in range(40):
        rng = Random(f"exchanged {preset} {soak_round} {seed}")
        walk = WALKS["spades"](plain, rules, rng)
        step, record = next(walk), dict[str, Any]()
        with suppress(StopIteration):
            while True:
                legal = [move for move in step.candidates if step.judge(move) is not False]
                nils = [move for move in legal if str(move.get("call", "")).endswith("nil")]
                if step.recorded and legal:
                    record = step.recorded(legal[0])
                step = walk.send(nils if nils and rng.random() < 0.5 else legal)
        for one in record["exchanges"]:
            one["cards"] = {seat: cards for seat, cards in one["cards"].items() if rng.random() < 0.4}
        record["hands"] = {seat: hand for seat, hand in record["hands"].items() if rng.random() < 0.7}
        answer = companion.replay("spades", {"rules": rules, **record})
        exchanged += len(record["exchanges"])
        wrong += [f"{finding['text']} in {record}" for finding in answer["findings"]]
    assert not wrong, "\n".join(wrong[:3])
    assert exchanged > 10


class _Table:
    """One table, a deal of which is played by what `moves` lists."""

    def __init__(self, game: str, rules: Json, rng: Random, density: float, counts: Counter[str]) -> None:
        self.game, self.rules, self.rng, self.density, self.counts = game, rules, rng, density, counts
        self.code = companion.rules(game, rules)["code"]
        self.effective = _effective(game, rules)

    def faults(self) -> Iterator[str]:
        """Play a deal; yield in words what does not agree."""
        walk = WALKS[self.game](self.rules["options"], self.rules, self.rng)
        legal: list[Json] | None = None
        while True:
            try:
                step = walk.send(legal) if legal is not None else next(walk)
            except StopIteration as end:
                yield from self._record(end.value)
                return
            legal = yield from self._position(step)
            if not legal and not step.optional:
                return

    def _position(self, step: Step) -> Generator[str, None, list[Json]]:
        """Compare what `moves` lists with the verdicts; return the legal moves."""
        self.counts["positions"] += 1
        place = f"{step.position}"
        close = self.rng.random() < self.density
        known = [] if close else [step.judge(move) for move in step.candidates]
        if known and None not in known:  # nobody need be asked how the deal goes on
            return [move for move, legal in zip(step.candidates, known, strict=True) if legal]
        answer = companion.moves(self.game, {"rules": self.rules, "position": step.position, **step.asked})
        listed = answer["moves"]
        if not close and not answer.get("partial"):
            legal = listed
        else:
            moves = {_key(move): move for move in (*step.candidates, *listed)}
            if answer.get("partial") and not close:
                moves = {_key(move): move for move in (*listed, *step.candidates[-8:])}
            values = {key: self._verdict(step.position, move) for key, move in moves.items()}
            legal = [move for key, move in moves.items() if values[key] == "legal"]
            wrong = [move for move in listed if values[_key(move)] != "legal"]
            if not answer.get("partial"):
                wrong += [move for move in legal if move not in listed]
            yield from (f"moves and check differ: {move} is {values[_key(move)]} in {place}" for move in wrong[:1])
            for key, move in moves.items():
                self.counts["by the oracle"] += 1
                if step.judge(move) not in (None, values[key] == "legal"):
                    yield f"{move} is {values[key]}, the oracle says no in {place}"
            yield from self._left_out(step, [*moves.values()], values)
            yield from self._planted(step, [move for key, move in moves.items() if values[key] == "illegal"])
            if self.game == "casino" and legal:
                yield from self._demanded(step.position, self.rng.choice(legal))
            for move in self.rng.sample([*moves.values()], min(len(moves), 3)):
                value = self._judged(step.position, move, self.effective)[0]
                if value != values[_key(move)]:
                    yield f"an option without effect makes {move} {values[_key(move)]} instead of {value} in {place}"
        if not legal and not step.optional and not any(answer.get(key) for key in _REASONS):
            yield f"stuck without a word: {step.asked} in {place}"
        return legal

    def _left_out(self, step: Step, moves: list[Json], values: dict[str, str]) -> Iterator[str]:
        """Leave facts out of a position: the verdict is the old one or undecided, and tells what would decide it."""
        for move in self.rng.sample(moves, min(len(moves), 2)):
            whole = values[_key(move)]
            facts = [fact for fact in step.facts if fact in step.position and (self.game, fact) not in WAITING]
            for gone in (
                self.rng.sample(facts, min(len(facts), self.rng.choice((2, 3, 4)))),
                *([fact] for fact in facts),
            ):
                if len(gone) == 1 and self.rng.random() > self.density:
                    continue
                position = {key: value for key, value in step.position.items() if key not in gone}
                value, missing = self._judged(position, move)
                if value == "refused":
                    continue
                self.counts["left out"] += 1
                shown = f"{move} is {whole}, without {', '.join(gone)} {value}"
                if value not in ("undecided", whole) and whole != "undecided":
                    yield f"a fact left out turns the verdict: {shown} in {step.position}"
                if value == "undecided" and not missing:
                    yield f"undecided for want of nothing: {shown} in {step.position}"
                yield from self._enough(step, move, position, (whole, value), missing)
                if len(gone) == 1 and gone[0] in EVERY_VALUE:
                    yield from self._merged(step, move, gone[0], value)

    def _enough(
        self, step: Step, move: Json, position: Json, verdicts: tuple[str, str], missing: list[str]
    ) -> Iterator[str]:
        """Tell what is missing until nothing is; then the verdict is that of the whole position."""
        whole, value = verdicts
        for _ in range(6):
            more = {fact: step.position[fact] for fact in missing if fact in step.position and fact not in position}
            if value != "undecided" or not more:
                break
            position = {**position, **more}
            value, missing = self._judged(position, move)
        if value == "undecided" != whole and all(fact in step.position for fact in missing):
            yield f"what is missing is not enough: {move} is {whole}, then still lacks {missing} in {position}"

    def _merged(self, step: Step, move: Json, fact: str, value: str) -> Iterator[str]:
        """Compare a verdict without a fact with those that each of its values brings."""
        each = {self._verdict({**step.position, fact: one}, move) for one in EVERY_VALUE[fact](step.position)}
        self.counts["merged"] += 1
        merged = (each - {"refused"}).pop() if len(each - {"refused"}) == 1 else "undecided"
        if value != merged:
            yield f"without {fact} {move} is {value}, with each of its values {merged} in {step.position}"

    def _planted(self, step: Step, illegal: list[Json]) -> Iterator[str]:
        """Let a recorded deal end with an illegal move: the replay accuses that one and no other."""
        if not illegal or not step.recorded:
            return
        record = step.recorded(self.rng.choice(illegal))
        try:
            answer = companion.replay(self.game, {"rules": self.rules, **record})
        except companion.InvalidInput:
            return
        self.counts["planted"] += 1
        verdicts = [one["settled"] or one["verdict"] for one in answer["verdicts"]]
        if verdicts[-1] != "illegal" or "illegal" in verdicts[:-1]:
            yield f"a planted fault is not what the replay finds: {verdicts[-3:]} in {record}"

    def _demanded(self, position: Json, move: Json) -> Iterator[str]:
        """What others may demand beside a play is legal with it."""
        play, *more = move["plays"]
        if more or play["play"] not in ("capture", "trail"):
            return
        other = next(seat for seat in position["seats"] if seat != position["player"])
        asked = {key: play[key] for key in ("card", "as", "table", "builds", "piles", "play") if key in play}
        answer = companion.demand(self.game, {"rules": self.rules, "position": position, "by": other, **asked})
        self.counts["demands"] += 1
        turns = []
        if play["play"] == "capture" and answer["may_demand"]:
            turns.append([{**play, **answer["must_take"]}])
        values = {build["id"]: build["value"] for build in position["builds"]}
        for add in answer.get("must_add", ()):
            sets = [{"table": add["table"], "piles": add["piles"]}]
            base = {"build": add["build"]}
            turns.append([play, {"play": "augment", "value": values[add["build"]], "base": base, "sets": sets}])
        for plays in turns:
            value = self._verdict(position, {"type": "turn", "plays": plays})
            if value != "legal":
                yield f"what is demanded is {value}: {plays} in {position}"

    def _record(self, record: Json) -> Iterator[str]:
        """Replay the deal: nothing is found in it, and its result is accepted."""
        answer = companion.replay(self.game, {"rules": self.rules, **record})
        self.counts["replays"] += 1
        for finding in answer["findings"]:
            yield f"a clean deal accused: {finding['text']} in {record}"
        wrong = [one for one in answer["verdicts"] if one["verdict"] == "illegal" or one["settled"] == "illegal"]
        for one in wrong[:1]:
            yield f"a clean deal accused: {one['move']} {[breach['text'] for breach in one['breaches']]} in {record}"
        if answer["complete"]:
            yield from self._scored(record, answer)

    def _scored(self, record: Json, answer: Json) -> Iterator[str]:
        result = answer["result"]
        asked = {
            "sides": answer["sides"],
            "deals": [result | ({"accept": [_THROWN_IN]} if self.rules["options"].get("least_total") else {})],
        }
        unbid = self.rules["options"].get("first_hand_bids_itself")
        if unbid and record["calls"]:  # it is a later deal
            first = {side["id"]: {"tricks": result[side["id"]]["tricks"]} for side in answer["sides"]}
            first |= {key: value for key, value in result.items() if key == "dummy_tricks"}
            behind = {"code": "not-far-enough-behind", "reason": "the first deal has changed the totals"}
            asked["deals"] = [first, result | {"accept": [behind, _THROWN_IN]}]
        elif "totals" in record and not unbid:
            asked["opening"] = {side: {"total": total} for side, total in record["totals"].items()}
        self.counts["scored"] += 1
        try:
            scored = companion.score(self.game, {"rules": self.rules, **asked})
        except companion.InvalidInput as refused:
            yield f"a deal of legal moves is not scored: {refused} in {asked}"
            return
        idle = companion.score(self.game, {"rules": self.effective, **asked})
        if idle["deals"][-1]["sides"] != scored["deals"][-1]["sides"]:
            yield f"an option without effect changes the score of {asked}"

    def _verdict(self, position: Json, move: Json) -> str:
        return self._judged(position, move)[0]

    def _judged(self, position: Json, move: Json, rules: Json | None = None) -> tuple[str, list[str]]:
        """A verdict and what it lacks; `refused` where the position cannot be."""
        self.counts["verdicts"] += 1
        try:
            verdict = companion.judge(self.game, {"rules": rules or self.rules, "position": position, "move": move})
        except companion.InvalidInput:
            return "refused", []
        return verdict.value, [missing.fact for missing in verdict.missing]


def _known(fault: str) -> bool:
    return any(re.search(pattern, fault) for pattern in KNOWN.values())


def _effective(game: str, rules: Json) -> Json:
    """Return the rules with each option that has no effect at its default, where nothing else depends on that."""
    options = GAMES[game].options
    for name, option in options.options.items():
        house = read_whole(rules, options.read)
        other = {**rules, "options": {**rules["options"], name: option.plain(option.default)}}
        if not options.has_effect(name, house.options):
            with suppress(Refused):
                read_whole(other, options.read)
                rules = other
    return rules


def _key(move: Json) -> str:
    return repr(sorted(move.items()))

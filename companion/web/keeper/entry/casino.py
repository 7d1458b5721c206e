"""Entering a deal of Casino: who had the most, by counts, or by tapping the captured cards."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any

from companion.engine.ledger import Side
from companion.games.casino.rules import CasinoRules
from companion.games.casino.table import full_pack
from companion.rulebook.book import say
from companion.rulebook.wording import card_text
from companion.sheets.scoring import View
from companion.sheets.state import SheetGame
from companion.web.keeper.entry import Answers, Choice, Entry, Mode, Stage
from companion.web.keeper.entry.questions import Asked, numbers, one_of, stage_of

MODES = ("most", "counts", "cards")
NOBODY = "-"
ACES = 4


@dataclass(frozen=True, slots=True)
class Asking:
    """What the questions of a deal are about."""

    view: View
    game: SheetGame
    rules: CasinoRules
    answers: Answers
    lang: str

    def name(self, side: Side) -> str:
        """A side as people call it."""
        return self.view.sheet.side_name(side)

    def who(self, *, nobody: bool = True) -> tuple[tuple[Choice, ...], ...]:
        """Buttons for the sides, and for nobody."""
        sides = tuple(Choice(str(place), self.name(side)) for place, side in enumerate(self.game.sides))
        return (sides, (Choice(NOBODY, say(self.lang, "entry.nobody")),)) if nobody else (sides,)

    def asked(
        self,
        key: str,
        label: str,
        groups: tuple[tuple[Choice, ...], ...],
        *,
        computed: str | None = None,
        short: str = "",
        side: str = "",
    ) -> Asked:
        """A question with the answer that stands; `computed` where it follows from the others."""
        answer = one_of(self.answers.get(key), groups)
        follows = answer is None and computed is not None
        return Asked(key, label, groups, computed if follows else answer, follows, short, side=side)

    def about(self, key: str, fact: str, groups: tuple[tuple[Choice, ...], ...]) -> Asked:
        """A question about one thing that somebody has, with its name for short."""
        name = fact.replace("_", "-")
        return self.asked(key, self.say(name), groups, short=self.say(f"{name}-short"))

    def say(self, key: str, **facts: Any) -> str:
        """Words of the entry."""
        return say(self.lang, f"entry.{key}", **facts)


def stage(view: View, game: SheetGame, answers: Answers, lang: str) -> Stage:
    """The next question of the open deal."""
    return _stage(Asking(view, game, view.house(game).options, {"by": _way_of_late(game), **answers}, lang))


def correction(view: View, game: SheetGame, number: int, answers: Answers, lang: str) -> Stage:
    """The facts of a recorded deal, filled in as they stand."""
    deal = game.deal(number)
    rules = view.house(game, number).options
    given = {} if deal.void else _given(game, rules, deal.facts, answers)
    found = _stage(Asking(view, game, rules, given | dict(answers), lang))
    told = {name: item for name, item in (found.answers or {}).items() if name in answers or given.get(name) != item}
    return replace(found, answers=told)  # what stands as recorded is not told anew: it may follow from the rest


def _way_of_late(game: SheetGame) -> str:
    """How the last deal was entered: a table that counts its cards goes on counting them."""
    last = next((deal for deal in reversed(game.deals) if not deal.void), None)
    return _way(last.facts.get(side.id, {}) for side in game.sides) if last else MODES[0]


def _way(entries: Iterable[Mapping[str, Any]]) -> str:
    """The way in which facts were entered."""
    keys = {key for entry in entries for key in entry}
    return "cards" if "captured" in keys else "counts" if "cards" in keys else "most"


def _stage(asking: Asking) -> Stage:
    # where enough spades are points for every side that has them, who had the most does not say it
    ways = MODES if asking.rules.spades_minimum is None else MODES[1:]
    by = asking.answers.get("by", "")
    mode = by if by in ways else ways[0]
    modes = [Mode(each, asking.say(f"by-{each}"), each == mode) for each in ways]
    if mode == "cards":
        return _by_cards(asking, modes)
    return _by_questions(asking, mode, modes)


def _by_questions(asking: Asking, mode: str, modes: list[Mode]) -> Stage:
    sides = asking.game.sides
    facts: dict[str, dict[str, Any]] = {side.id: {} for side in sides}
    asked: list[Asked] = []
    total = len(full_pack(asking.rules))
    for key, most, count in (("mc", "most_cards", total), ("ms", "most_spades", _spades(asking.rules))):
        if mode == "most":
            groups = _majorities(asking)
            one = asking.about(key, most, groups)
            asked.append(one)
            for place, side in enumerate(sides):
                facts[side.id][most] = str(place) in (one.answer or "").split("+")
        else:
            asked += _counts(asking, key, most.removeprefix("most_"), count, facts)
    for key, fact in (("bt", "big_ten"), ("st", "spy_two")):
        one = asking.about(key, fact, asking.who())
        asked.append(one)
        for place, side in enumerate(sides):
            facts[side.id][fact] = one.answer == str(place)
    asked += _counts(asking, "ac", "aces", ACES, facts)
    asked += _extras(asking, facts)
    return stage_of(asked, {**asking.answers, "by": mode}, _with_unclaimed(facts, mode, total), modes=modes)


def _spades(rules: CasinoRules) -> int:
    """How many spades the pack holds: fewer where it has no court cards."""
    return sum(card.suit == "S" for card in full_pack(rules))


def _majorities(asking: Asking) -> tuple[tuple[Choice, ...], ...]:
    """Each side alone, and every way to share the most."""
    shared = [
        Choice(
            "+".join(str(place) for place, _ in some),
            asking.say("shared", names=" = ".join(asking.name(side) for _, side in some)),
        )
        for size in range(2, len(asking.game.sides) + 1)
        for some in combinations(enumerate(asking.game.sides), size)
    ]
    return (*asking.who(nobody=False), tuple(shared))


def _counts(asking: Asking, key: str, fact: str, total: int, facts: dict[str, dict[str, Any]]) -> Iterator[Asked]:
    """A count for each side; the only one that nobody told is what the others leave."""
    sides, choices = asking.game.sides, (numbers(0, total),)
    told = [one_of(asking.answers.get(f"{key}{place}"), choices) for place in range(len(sides))]
    left = total - sum(int(count) for count in told if count is not None)
    computed = str(left) if told.count(None) == 1 and left >= 0 else None
    for place, side in enumerate(sides):
        label = asking.say(f"{fact}-of", name=asking.name(side))
        one = asking.asked(f"{key}{place}", label, choices, computed=computed, side=side.id)
        yield one
        if one.answer is not None:
            facts[side.id][fact] = int(one.answer)


def _extras(asking: Asking, facts: dict[str, dict[str, Any]]) -> Iterator[Asked]:
    """Sweeps and the last capture, where the table pays for them."""
    if asking.rules.sweep:
        for place, side in enumerate(asking.game.sides):
            label = asking.say("sweeps-of", name=asking.name(side))
            one = asking.asked(f"sw{place}", label, (numbers(0, 12),), side=side.id)
            yield one
            facts[side.id]["sweeps"] = int(one.answer or 0)
    if asking.rules.last_capture_points:
        one = asking.about("lc", "last_capture", asking.who())
        yield one
        for place, side in enumerate(asking.game.sides):
            facts[side.id]["last_capture"] = one.answer == str(place)


def _by_cards(asking: Asking, modes: list[Mode]) -> Stage:
    """The captured cards of all sides but the last, each card a button; the last side has the rest."""
    pack = [
        str(card) for card in sorted(full_pack(asking.rules), key=lambda card: ("SHDC".index(card.suit), card.pips))
    ]
    sides, facts, asked, free = asking.game.sides, {}, [], list(pack)
    done, opened = asking.answers.get("kd", ""), asking.answers.get("ask", "")
    for place, side in enumerate(sides[:-1]):
        key = f"k{place}"
        if opened == key:  # to be changed: open until it is called complete again, and the piles after it too
            done = done[:place]
        chosen = [card for card in asking.answers.get(key, "").split(".") if card in free]
        label = asking.say("captured-by", name=asking.name(side))
        finished = len(done) > place
        groups, answer = _card_buttons(free, chosen), ".".join(chosen) if finished else None
        told = " ".join(card_text(card) for card in chosen)
        asked.append(Asked(key, f"{label} ({len(chosen)})", groups, answer, told=told))
        facts[side.id] = {"captured": chosen}
        if not finished:
            stage = stage_of(asked, {**asking.answers, "kd": done}, {}, modes=modes)
            return _with_done(stage, "kd", done + "1", asking.say("captured-done"))
        free = [card for card in free if card not in chosen]
    facts[sides[-1].id] = {"captured": free}
    asked += _extras(asking, facts)
    return stage_of(asked, asking.answers, facts, modes=modes)


def _card_buttons(free: list[str], chosen: list[str]) -> tuple[tuple[Choice, ...], ...]:
    """A row for each suit; a button takes its card in or puts it back."""
    rows = []
    for suit in "SHDC":
        row = []
        for card in (one for one in free if one.endswith(suit)):
            after = [one for one in chosen if one != card] if card in chosen else [*chosen, card]
            row.append(Choice(".".join(after), card_text(card), f"suit-{suit.lower()}", pressed=card in chosen))
        rows.append(tuple(row))
    return tuple(rows)


def _with_done(stage: Stage, key: str, value: str, label: str) -> Stage:
    """The stage with a button of its own that says that a list is complete."""
    return Stage(
        stage.kind, stage.said, stage.question, stage.hint, answers=stage.answers, modes=stage.modes,
        done=(key, Choice(value, label)),
    )  # fmt: skip


def _with_unclaimed(facts: dict[str, dict[str, Any]], mode: str, total: int) -> dict[str, Any]:
    """By counts, cards that nobody took are told apart (CASINO-903)."""
    counted = sum(entry.get("cards", 0) for entry in facts.values())
    return dict(facts) | ({"unclaimed": total} if mode == "counts" and counted == 0 else {})


def _given(game: SheetGame, rules: CasinoRules, facts: Mapping[str, Any], answers: Answers) -> dict[str, str]:
    """The answers behind recorded facts; one count of those that add up follows from the others again.

    That is the last one; of two sides the one whose count is not being corrected.
    """
    entries = [facts.get(side.id, {}) for side in game.sides]
    given = {"by": _way(entries)}
    if given["by"] == "cards":
        given |= {f"k{place}": ".".join(entry["captured"]) for place, entry in enumerate(entries[:-1])}
        given["kd"] = "1" * (len(entries) - 1)
    else:
        for key, fact in (("mc", "most_cards"), ("ms", "most_spades"), ("bt", "big_ten"), ("st", "spy_two")):
            had = [str(place) for place, entry in enumerate(entries) if entry.get(fact)]
            given[key] = "+".join(had) or NOBODY
        for key, fact, total in (
            ("mc", "cards", len(full_pack(rules))),
            ("ms", "spades", _spades(rules)),
            ("ac", "aces", ACES),
        ):
            counts = {f"{key}{place}": entry[fact] for place, entry in enumerate(entries) if fact in entry}
            if len(counts) == len(entries) and sum(counts.values()) == total:
                only_last = len(entries) == 2 and answers.keys() & counts.keys() == {f"{key}1"}
                counts.pop(f"{key}0" if only_last else f"{key}{len(entries) - 1}")
            given |= {name: str(count) for name, count in counts.items()}
    given |= {f"sw{place}": str(entry["sweeps"]) for place, entry in enumerate(entries) if "sweeps" in entry}
    last = [str(place) for place, entry in enumerate(entries) if entry.get("last_capture")]
    return given | {"lc": last[0] if last else NOBODY}


ENTRY = Entry(stage, correction)

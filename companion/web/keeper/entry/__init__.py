"""How each game's deal is entered: questions answered by buttons, one at a time, the state in the address."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from companion.engine import dialogue
from companion.engine import entry as engine_entry
from companion.engine.game import Game
from companion.games import GAMES
from companion.sheets.scoring import View
from companion.sheets.state import SheetGame
from companion.web.dialogue import Drawer
from companion.web.keeper.naming import by_name, names_of

Answers = Mapping[str, str]
"""What has been answered so far: the query of the address, by the ids of the questions."""

TAG = "d"
"""The name under which answers say to which deal they belong."""
NOT_ANSWERS = frozenset(
    {"csrf_token", "v", "key", TAG, "who", "call", "place", "game", "deal", "reason", "accept", "accept-reason", "side"}
    | {"points", "sign", "seat", "name", "note", "title", "target", "dealer", "swap", "preset", "options"}
)
"""What forms send beside the answers."""


def answers_in(given: Answers) -> dict[str, str]:
    """The answers among everything that an address or a form says."""
    return {name: value for name, value in given.items() if name not in NOT_ANSWERS and not name.startswith("o.")}


@dataclass(frozen=True, slots=True)
class Choice:
    """One button: the value it stands for, its label, and how it looks."""

    value: str
    label: str
    tone: str = ""
    """`odd` where the rules would not have it, `computed` where it follows from the rest."""
    note: str = ""
    pressed: bool | None = None
    """For a button that takes something in or puts it back: whether it is in."""


@dataclass(frozen=True, slots=True)
class Question:
    """One question with its buttons, in groups that are shown apart; `place` is the call that it would change."""

    id: str
    text: str
    groups: tuple[tuple[Choice, ...], ...]
    place: int | None = None


@dataclass(frozen=True, slots=True)
class Said:
    """Something that is settled already, and the question that would change it."""

    question: str
    label: str
    value: str
    computed: bool = False
    mark: str = ""
    side: str = ""
    """The side whose it is, by its id; empty where it is nobody's alone."""


@dataclass(frozen=True, slots=True)
class Mode:
    """Another way to enter the same deal."""

    value: str
    label: str
    current: bool


@dataclass(frozen=True, slots=True)
class Stage:
    """Where the entry of a deal stands.

    `kind` is `call` while calls are made (each is saved at once), `ask` while facts are counted (the state is in the
    address), `ready` when the deal can be saved.
    """

    kind: str
    said: tuple[Said, ...]
    question: Question | None = None
    hint: str = ""
    facts: Mapping[str, Any] | None = None
    answers: Mapping[str, str] | None = None
    modes: tuple[Mode, ...] = ()
    done: tuple[str, Choice] | None = None
    """A button that says that a list is complete, with the name it is sent under."""


@dataclass(frozen=True, slots=True)
class Entry:
    """The entry of one game: the stage for what has been answered, and the answers that stand for recorded facts."""

    stage: Callable[[View, SheetGame, Answers, str], Stage]
    """View, game, answers and language; for the open deal."""
    correction: Callable[[View, SheetGame, int, Answers, str], Stage]
    """The same for a recorded deal that is being corrected: every fact is asked for, and filled in as it stands."""
    told: Callable[[View, SheetGame, Mapping[str, Any], str], list[str]] | None = None
    """Recorded facts in words for the history of a deal; without it, the questions with their answers."""


def entries() -> Mapping[str, Entry]:
    """The entry of every game by its id."""
    return {game.id: _drawn_entry(game, game.entry) for game in GAMES.values() if game.entry is not None}


def _drawn_entry(game: Game, entry: engine_entry.Entry) -> Entry:
    """The entry of a game with its steps in words."""

    def stage(view: View, played: SheetGame, answers: Answers, lang: str) -> Stage:
        return _drawn(game, view, played, lang, entry.step(_sitting(view, played), answers))

    def correction(view: View, played: SheetGame, number: int, answers: Answers, lang: str) -> Stage:
        deal = played.deal(number)
        step = entry.correction(_sitting(view, played, number), None if deal.void else deal.facts, answers)
        return _drawn(game, view, played, lang, step)

    def told(view: View, played: SheetGame, facts: Mapping[str, Any], lang: str) -> list[str]:
        drawer = _drawer(game, view, played, lang)
        return [drawer.text(line) for line in describe(_sitting(view, played), facts)] if describe else []

    describe = entry.describe
    return Entry(stage, correction, None if describe is None else told)


def _sitting(view: View, game: SheetGame, number: int | None = None) -> engine_entry.Sitting:
    """What an entry needs to know of a sheet: the open deal, or a recorded one."""
    standing = view.ledger.standing if view.ledger and game is view.game else {}
    return engine_entry.Sitting(
        rules=view.house(game, number).options,
        sides=game.sides,
        seating=game.seating,
        names=view.sheet.names,
        dealer=game.open.dealer if number is None else game.deal(number).dealer,
        calls=game.open.calls if number is None else game.deal(number).calls,
        deals=tuple(deal.facts for deal in game.deals),
        opening=game.opening,
        totals={side: at.total for side, at in standing.items()},
    )


def _drawer(game: Game, view: View, played: SheetGame, lang: str) -> Drawer:
    names = names_of(view.sheet, played)
    return Drawer(game, lang, lambda facts: by_name(facts, names))


def _drawn(game: Game, view: View, played: SheetGame, lang: str, step: engine_entry.Step) -> Stage:
    drawer = _drawer(game, view, played, lang)

    def choice(one: dialogue.Choice) -> Choice:
        return Choice(one.value, drawer.text(one.label), one.tone, drawer.text(one.note), one.pressed)

    question, asked = None, step.question
    if asked is not None:
        groups = tuple(tuple(map(choice, group)) for group in asked.groups)
        question = Question(asked.id, drawer.text(asked.text), groups, asked.place)
    said = tuple(
        Said(
            one.question, drawer.text(one.label), drawer.text(one.value), one.computed, drawer.text(one.mark), one.side
        )
        for one in step.said
    )
    modes = tuple(Mode(mode.value, drawer.text(mode.label), mode.current) for mode in step.modes)
    done = step.done and (step.done[0], choice(step.done[1]))
    return Stage(step.kind, said, question, drawer.text(step.hint), step.facts, step.answers, modes, done)

"""The keeper's entry of a deal: steps of the game's own entry, in words, for the templates and the forms."""

from __future__ import annotations

from companion.engine.entry import Answers, EntryStep, Sitting
from companion.engine.problems import JsonObject
from companion.sheets.scoring import View
from companion.sheets.state import SheetGame
from companion.web.dialogue import Drawer
from companion.web.naming import by_name

TAG = "d"
"""The field that names the deal which the answers belong to."""
NOT_ANSWERS = frozenset(
    {"csrf_token", "v", "key", TAG, "who", "call", "place", "game", "deal", "reason", "accept", "accept-reason", "side"}
    | {"points", "sign", "seat", "name", "note", "title", "target", "dealer", "swap", "preset", "options"}
)
"""Fields that forms send beside the answers."""


def answers_in(given: Answers) -> dict[str, str]:
    """Return the answers among the fields of an address or a form."""
    return {name: value for name, value in given.items() if name not in NOT_ANSWERS and not name.startswith("o.")}


def open_step(view: View, answers: Answers, lang: str) -> EntryStep | None:
    """Return the next step of the open deal in words; None without a game that is entered in steps."""
    game = view.game
    entry = view.games[game.game].load_entry() if game else None
    if game is None or entry is None:
        return None
    return drawer_of(view, game, lang).in_words(entry.step(sitting_of(view, game), answers_in(answers)))


def correction_step(view: View, game: SheetGame, number: int, answers: Answers, lang: str) -> EntryStep:
    """Return the step of a recorded deal in words, its facts filled in. Raises KeyError for a game without an entry."""
    entry, deal = view.games[game.game].load_entry(), game.deal(number)
    if entry is None:
        raise KeyError(game.game)
    step = entry.correction(sitting_of(view, game, number), None if deal.void else deal.facts, answers_in(answers))
    return drawer_of(view, game, lang).in_words(step)


def described_facts(view: View, game: SheetGame, facts: JsonObject, lang: str) -> list[str] | None:
    """Return recorded facts in words, a line for each side; None for a game that does not describe them."""
    entry = view.games[game.game].load_entry()
    if entry is None or entry.describe is None:
        return None
    drawer = drawer_of(view, game, lang)
    return [drawer.text(line) for line in entry.describe(sitting_of(view, game), facts)]


def has_entry(view: View, game: SheetGame) -> bool:
    """Return whether deals of this game are entered in steps."""
    return view.games[game.game].entry is not None


def sitting_of(view: View, game: SheetGame, number: int | None = None) -> Sitting:
    """Return what an entry needs to know of a sheet, for the open deal or a recorded one."""
    standing = view.ledger.standing if view.ledger and game is view.game else {}
    return Sitting(
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


def drawer_of(view: View, game: SheetGame, lang: str) -> Drawer:
    """Return what puts the entry of a sheet into words, its players called by name."""
    names = view.sheet.names_in(game)
    return Drawer(view.games[game.game], lang, lambda facts: by_name(facts, names))

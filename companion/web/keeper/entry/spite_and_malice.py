"""Entering a deal of Spite and Malice: who went out, then the cards left in the other pay-off piles."""

from __future__ import annotations

from typing import Any

from companion.games.spite_and_malice import SpiteRules
from companion.games.spite_and_malice.facts import entries as entered_under
from companion.rulebook.book import say
from companion.sheets.scoring import View
from companion.sheets.state import SheetGame
from companion.web.keeper.entry import Answers, Choice, Entry, Stage
from companion.web.keeper.entry.questions import Asked, numbers, one_of, stage_of

NOBODY = "-"


def stage(view: View, game: SheetGame, answers: Answers, lang: str) -> Stage:
    """The next question of the open deal."""
    return _stage(view, game, view.house(game).options, answers, lang)


def correction(view: View, game: SheetGame, number: int, answers: Answers, lang: str) -> Stage:
    """The facts of a recorded deal, filled in as they stand."""
    deal = game.deal(number)
    given: dict[str, str] = {}
    if not deal.void:
        places = {side.id: str(place) for place, side in enumerate(game.sides)}
        given["w"] = places.get(deal.facts.get("winner") or "", NOBODY)
        given |= {f"r{name}": str(count) for name, count in deal.facts.get("remaining", {}).items()}
    return _stage(view, game, view.house(game, number).options, given | dict(answers), lang)


def _stage(view: View, game: SheetGame, rules: SpiteRules, answers: Answers, lang: str) -> Stage:
    sides = tuple(Choice(str(place), view.sheet.side_name(side)) for place, side in enumerate(game.sides))
    groups = (sides, (Choice(NOBODY, say(lang, "entry.stalemate")),))
    winner = one_of(answers.get("w"), groups)
    asked = [Asked("w", say(lang, "entry.went-out"), groups, winner, short=say(lang, "entry.went-out-short"))]
    remaining: dict[str, int] = {}
    for place, side in enumerate(game.sides):
        if winner in (None, str(place)):
            continue
        names = entered_under(side, rules)
        lowest = 1 if len(names) == 1 else 0
        for name in names:
            label = say(lang, "entry.cards-left", name=view.sheet.names.get(name) or view.sheet.side_name(side))
            choices = (numbers(lowest, rules.payoff_size),)
            answer = one_of(answers.get(f"r{name}"), choices)
            asked.append(Asked(f"r{name}", label, choices, answer, side=side.id))
            if answer is not None:
                remaining[name] = int(answer)
    facts: dict[str, Any] = {"winner": None, "remaining": remaining}
    if winner not in (None, NOBODY):
        facts["winner"] = game.sides[int(winner or 0)].id
    return stage_of(asked, answers, facts)


ENTRY = Entry(stage, correction)

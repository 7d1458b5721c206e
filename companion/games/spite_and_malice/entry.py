"""Entering a deal of Spite and Malice: who went out, then the cards left in the other pay-off piles."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from companion.engine.dialogue import Choice, Phrase
from companion.engine.entry import (
    Answers,
    Entry,
    EntryQuestion,
    EntryStep,
    SeatNote,
    Sitting,
    chosen_answer,
    next_step,
    number_choices,
)
from companion.engine.problems import JsonObject
from companion.games.spite_and_malice.rules import SpiteRules
from companion.games.spite_and_malice.score import entries

_NOBODY, _DRAWN = "-", "d"


def step(sitting: Sitting, answers: Answers) -> EntryStep:
    """Return the next step of a deal: its winner first, then the cards left, pile by pile."""
    rules: SpiteRules = sitting.rules
    sides = tuple(Choice(str(place), sitting.side_name(side)) for place, side in enumerate(sitting.sides))
    ways = {_NOBODY: "compared", _DRAWN: "drawn"} if rules.ends_both_ways else {_NOBODY: "stalemate"}
    groups = (sides, tuple(Choice(value, Phrase(f"entry.{key}")) for value, key in ways.items()))
    winner = chosen_answer(answers.get("w"), groups)
    went_out, short = Phrase("entry.went-out"), Phrase("entry.went-out-short")
    questions = [EntryQuestion("w", went_out, groups, winner, short=short)]
    remaining: dict[str, int] = {}
    for place, side in enumerate(sitting.sides):
        if winner in (None, str(place)):
            continue
        names = entries(side, rules)
        for name in names:
            shown = {
                "name": sitting.names.get(name) or sitting.side_name(side),
                "numbered": rules.card_names != "playing",
            }
            label, left = (Phrase(f"entry.{key}", shown) for key in ("cards-left", "cards-left-short"))
            choices = (number_choices(int(len(names) == 1), rules.payoff_size),)
            answer = chosen_answer(answers.get(f"r{name}"), choices)
            questions.append(EntryQuestion(f"r{name}", label, choices, answer, side=side.id, seat=name, short=left))
            if answer is not None:
                remaining[name] = int(answer)
    won = None if winner in (None, _NOBODY, _DRAWN) else sitting.sides[int(winner)].id
    facts = {"winner": won, "remaining": remaining}
    if rules.ends_both_ways and winner in (_NOBODY, _DRAWN):
        facts["settled_by"] = "compare" if winner == _NOBODY else "draw"
    worth = {"bonus": rules.score_bonus, "per_card": rules.score_per_card, "target": rules.target}
    stake = Phrase("entry.stake", {**worth, "match": rules.match, "deals": rules.match_deals})
    return replace(next_step(questions, answers, facts, hint=stake), notes=_notes(sitting, won, remaining))


def correction(sitting: Sitting, facts: JsonObject | None, answers: Answers) -> EntryStep:
    """Return the step of a recorded deal, its facts filled in."""
    given = {} if facts is None else entered(facts, [side.id for side in sitting.sides])
    return step(sitting, given | dict(answers))


def entered(facts: JsonObject, sides: Sequence[str]) -> dict[str, str]:
    """Return the answers with which a deal of these sides is entered."""
    nobody = _DRAWN if facts.get("settled_by") == "draw" else _NOBODY
    winner = str(sides.index(facts["winner"])) if facts.get("winner") in sides else nobody
    return {"w": winner, **{f"r{name}": str(count) for name, count in facts.get("remaining", {}).items()}}


def _notes(sitting: Sitting, winner: str | None, remaining: Mapping[str, int]) -> tuple[SeatNote, ...]:
    """Return each pay-off pile, and the deals that its side has won.

    Nobody counts the piles during a deal: what is not entered yet stands as it was dealt.
    """
    rules: SpiteRules = sitting.rules
    notes = []
    for side in sitting.sides:
        wins = sum(not facts.get("void") and facts.get("winner") == side.id for facts in sitting.deals)
        won = "" if rules.match == "single" else Phrase("entry.deals-won", {"wins": wins})
        for name in entries(side, rules):
            cards = 0 if side.id == winner else remaining.get(name)
            seat = name if name in sitting.seating else side.players[0]
            figure = rules.payoff_size if cards is None else cards
            detail = Phrase("entry.pile", {"left": cards is not None})
            notes.append(SeatNote(seat, str(figure), detail, pile=figure, of_side=won))
    return tuple(notes)


ENTRY = Entry(step, correction)

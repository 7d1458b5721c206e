"""Which rules do people play? A few questions in their own words, and the preset with options that the answers mean."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any, Final

from companion.engine.problems import JsonObject

UNKNOWN: Final = "?"
"""An answer nobody can give; where a preset is looked for it counts as the first one unless a rule names it."""


@dataclass(frozen=True, slots=True)
class ChooserRule:
    """What certain answers mean: a preset, options, other codes to offer beside it, a note by its key.

    `when` has for some questions the answers under which the rule applies. Of the rules with a preset the first that
    applies counts; of the others every one, and only for answers that were given.
    """

    when: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    preset: str = ""
    options: JsonObject = field(default_factory=dict)
    also: tuple[str, ...] = ()
    note: str = ""


@dataclass(frozen=True, slots=True)
class Chosen:
    """The preset and options that answers mean, codes offered beside them, and notes by their keys."""

    preset: str
    options: JsonObject
    also: tuple[str, ...]
    notes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Chooser:
    """Questions with their answers, the rules that turn answers into house rules, presets that people know by name."""

    questions: Mapping[str, tuple[str, ...]]
    rules: tuple[ChooserRule, ...]
    known: tuple[str, ...]

    def choose(self, given: Mapping[str, str]) -> Chosen:
        """Return what the answers mean; a question without an answer, or with an unknown one, is not known."""
        answers = {name: given[name] if given.get(name) in known else UNKNOWN for name, known in self.questions.items()}
        found = next(rule for rule in self.rules if rule.preset and self._applies(rule, answers))
        laid = [rule for rule in self.rules if not rule.preset and self._applies(rule, answers)]
        options = {name: value for rule in (found, *laid) for name, value in rule.options.items()}
        return Chosen(found.preset, options, found.also, tuple(rule.note for rule in (found, *laid) if rule.note))

    def answers(self, preset: str) -> list[dict[str, str]]:
        """Return the answers that mean a preset, or beside which it is offered."""
        when = next(rule.when for rule in self.rules if preset in (rule.preset, *rule.also))
        return [dict(zip(when, meant, strict=True)) for meant in product(*when.values())]

    def _applies(self, rule: ChooserRule, answers: Mapping[str, str]) -> bool:
        return all(
            answers[name] in meant
            or (bool(rule.preset) and answers[name] == UNKNOWN and self.questions[name][0] in meant)
            for name, meant in rule.when.items()
        )


@cache
def read_chooser(path: Path) -> Chooser:
    """Return the questions and rules of a file. Raises TypeError or KeyError for one of another form."""
    data = tomllib.loads(path.read_text("utf-8"))
    questions = {name: tuple(answers) for name, answers in data["questions"].items()}
    return Chooser(questions, tuple(map(_rule, data["rules"])), tuple(data["known"]))


def _rule(written: dict[str, Any]) -> ChooserRule:
    """Return a rule as it is written: one answer may stand alone, and `without` has the options that are none."""
    when = {name: (meant,) if isinstance(meant, str) else tuple(meant) for name, meant in written.pop("when").items()}
    options = written.pop("options", {}) | dict.fromkeys(written.pop("without", ()))
    return ChooserRule(when, options=options, also=tuple(written.pop("also", ())), **written)

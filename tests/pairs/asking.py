"""What all askers share: a table, the groups of a sentence, and expressions over them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from companion import library as companion
from companion.library import GAMES

Json = dict[str, Any]
CARD = r"(?:10|[2-9AKQJ])[♠♥♦♣]"
SUITS = {"♠": "S", "♥": "H", "♦": "D", "♣": "C"}
_GROUP = re.compile(r"{([a-z]\w*)(:c)?}")


def pattern(text: str) -> re.Pattern[str]:
    """Return a claim's pattern, in which `{n}` is a number and `{n:c}` a card."""
    return re.compile(_GROUP.sub(lambda m: f"(?P<{m[1]}>{CARD if m[2] else r'[−-]?[0-9]+'})", text), re.M)


def card(text: str) -> str:
    """Return a card as requests write it, in whatever way it is written."""
    return text[:-1] + SUITS.get(text[-1], text[-1])


class Refuted(AssertionError):
    """What a sentence says is not so."""


class Asker:
    """One table of one game, about which claims are asked; a question without an answer there is `None`."""

    game = ""

    def __init__(self, rules: Json) -> None:
        self.rules = rules
        self.options: Json = companion.rules(self.game, rules)["options"]
        self.groups: Mapping[str, Any] = {}

    def holds(self, claim: Json, groups: Mapping[str, str]) -> bool | None:
        """Return whether what a sentence says is so; None where nothing could be asked."""
        self.groups = {name: _read(text) for name, text in groups.items() if text is not None}
        asked = [
            getattr(self, f"ask_{kind}")(each)
            for kind, said in claim.items()
            if hasattr(self, f"ask_{kind}")
            for each in (said if isinstance(said, list) else [said])
        ]
        answers = [one for one in asked if one is not None]
        return all(answers) if answers else None

    def value(self, expression: Any) -> Any:
        """Return what an expression over groups and options is: a number, a card, or the text itself."""
        if not isinstance(expression, str):
            return expression
        try:
            return eval(expression, {"__builtins__": {}}, {**self.options, **self.groups})
        except (NameError, SyntaxError, TypeError):
            return expression

    def verdict(self, position: Json, move: Json) -> str:
        """Return a verdict; `refused` where the position cannot be."""
        try:
            return companion.judge(self.game, {"rules": self.rules, "position": position, "move": move}).value
        except companion.InvalidInput:
            return "refused"

    def breaches(self, position: Json, move: Json) -> set[str]:
        """Return the ways in which a move breaks the rules."""
        try:
            verdict = companion.judge(self.game, {"rules": self.rules, "position": position, "move": move})
        except companion.InvalidInput:
            return {"refused"}
        return {breach.code for breach in verdict.breaches}

    def effect(self, position: Json, move: Json) -> Json:
        """Return what a move changes; nothing where the position cannot be."""
        try:
            answer = companion.check(self.game, {"rules": self.rules, "position": position, "move": move})
        except companion.InvalidInput:
            return {}
        return dict(answer["effect"])

    def scored(self, request: Json) -> Json | None:
        """Return what a score request answers; None where it is refused."""
        try:
            return companion.score(self.game, {"rules": self.rules, **request})
        except companion.InvalidInput:
            return None

    def allowed(self, options: Json) -> bool:
        """Return whether a table can have these options."""
        try:
            companion.rules(self.game, {"options": options})
        except companion.InvalidInput:
            return False
        return True

    def ask_same(self, said: str) -> bool | None:
        """Whether several expressions are one number, where the sentence has them all."""
        values = {self.value(each) for each in said.split()}
        return None if any(isinstance(value, str) for value in values) else len(values) == 1

    def ask_option(self, said: str) -> bool:
        """Whether an option has the value: `name = expression`."""
        name, _, expression = said.partition(" = ")
        return bool(self.options[name] == self.value(expression))

    def ask_told(self, said: str) -> None:
        """Nothing: it is about history or other tables."""


def _read(text: str) -> Any:
    if re.fullmatch(CARD, text):
        return card(text)
    if re.fullmatch(r"[−-]?[0-9]+", text):
        return int(text.replace("−", "-"))
    return text


def presets(game: str) -> list[Json]:
    """Return the presets of a game as requests write them."""
    return [{"preset": name} for name in GAMES[game].options.presets]

"""What the commands share: their options, the files they read, how they refuse what they cannot read."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from companion.data import LANGUAGES

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

    from companion.engine.game import Game
    from companion.engine.options import HouseRules
    from companion.engine.problems import Problem

LEGAL, ILLEGAL, UNREADABLE, UNDECIDED = 0, 1, 2, 3
"""Exit statuses of a command that judges."""
STATUS: Final = {"legal": LEGAL, "illegal": ILLEGAL, "undecided": UNDECIDED}
CAPTION_KEYS: Final = ("game", "title")
"""Keys of a file that are not part of the request itself."""
_LOCALE: Final = ("LC_ALL", "LC_MESSAGES", "LANG")
_DEFAULT: Final = "en"


class BadInput(Exception):
    """An input that cannot be used; its text goes to standard error, or its problem document to standard output."""

    def __init__(self, text: str, document: Mapping[str, object] | None = None) -> None:
        super().__init__(text)
        self.document = document


class GameType(click.ParamType["Game"]):
    """The id of a game, converted to the game. Games are loaded when one is named."""

    name = "game"

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> Game:
        """Return the game. Raises BadInput for an unknown one."""
        from companion.games import GAMES

        if isinstance(value, str):
            try:
                return GAMES[value]
            except KeyError:
                raise Refusals.asked_in(ctx, value).refuse("unknown-game", games=list(GAMES)) from None
        game: Game = value  # type: ignore[assignment]  # click converts what it converted before
        return game

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        """Return the games whose ids begin so."""
        from click.shell_completion import CompletionItem

        from companion.games import GAMES

        return [CompletionItem(game) for game in GAMES if game.startswith(incomplete)]


def system_language() -> str:
    """Return the language of the locale, or English if there are no texts in it."""
    named = next((os.environ[name] for name in _LOCALE if os.environ.get(name)), "")
    tag = named.partition(".")[0].partition("_")[0].lower()
    return tag if tag in LANGUAGES else _DEFAULT


in_language = click.option(
    "--lang", type=click.Choice(LANGUAGES), default=system_language, show_default="that of the locale",
    help="Language of the output.", is_eager=True,
)  # fmt: skip
AS_JSON: Final = "--json"
as_json = click.option(
    AS_JSON, "machine", is_flag=True, help="Print the API's JSON instead of text, faults too.", is_eager=True
)
"""Both are read before other options, whose faults are said as they ask."""
of_game = click.option("--game", type=GameType(), help="The game, if FILE does not name it.")


@dataclass(frozen=True, slots=True)
class Refusals:
    """How an input is refused: in a language, as sentences or as a problem document."""

    file: str
    lang: str
    machine: bool
    lines: tuple[int, ...] = ()
    """Of a table, the number of each deal's line."""

    @classmethod
    def asked_in(cls, ctx: click.Context | None, subject: str) -> Refusals:
        """Return those of a command whose options are still being read."""
        read = ctx.params if ctx else {}
        return cls(subject, read.get("lang") or system_language(), read.get("machine") or False)

    def refuse(self, key: str, code: str = "bad-request", **facts: int | str | list[str]) -> BadInput:
        """Return the refusal with the sentence `cli.<key>`; its document has the code and the facts."""
        from companion.describe import problem_document
        from companion.rulebook.words import say

        text = say(self.lang, f"cli.{key}", file=self._name, **facts)
        return BadInput(text, problem_document(code, self.lang, detail=text) | facts if self.machine else None)

    def refuse_all(self, game: Game | None, problems: tuple[Problem, ...]) -> BadInput:
        """Return the refusal with every problem on a line of its own, with its place and its article."""
        from companion.describe import refusal_document
        from companion.rulebook.answers import problem_answers
        from companion.rulebook.words import say

        if self.machine:
            return BadInput("", refusal_document(game, problems, self.lang))
        lines = [say(self.lang, "cli.wrong", file=self._name)]
        for answer in problem_answers(game, problems, self.lang):
            cite = f" [{answer['article']}]" if "article" in answer else ""
            place = f"{self._place(answer['pointer'])}: " if answer["pointer"] else ""
            lines.append(f"  {place}{answer['detail']}{cite}")
        return BadInput("\n".join(lines))

    @property
    def _name(self) -> str:
        from companion.rulebook.words import say

        return say(self.lang, "cli.standard-input") if self.file == "-" else self.file

    def _place(self, pointer: str) -> str:
        """Return a pointer as it is, or as the line and column of a table, or the option that stands for it."""
        from companion.rulebook.words import say

        key, *rest = pointer.split("/")[1:]
        if not self.lines:
            return pointer
        if key == "deals" and rest:
            return say(self.lang, "cli.cell", line=self.lines[int(rest[0])], column=".".join(rest[1:]))
        return f"--{key}"

    @contextmanager
    def of(self, game: Game | None) -> Iterator[None]:
        """Turn what a game refuses into BadInput."""
        from companion.engine.problems import Refused

        try:
            yield
        except Refused as refused:
            raise self.refuse_all(game, refused.problems) from refused


def read_request(refusals: Refusals, game: Game | None) -> tuple[Game, dict[str, object]]:
    """Return the game and the request in a file, without the keys that only a file has. Raises BadInput."""
    from companion.games import GAMES

    value = read_json(refusals)
    named = value.get("game") if isinstance(value, dict) else None
    if isinstance(named, str):
        try:
            game = GAMES[named]
        except KeyError:
            raise replace(refusals, file=named).refuse("unknown-game", games=list(GAMES)) from None
    if not isinstance(value, dict):
        raise refusals.refuse("not-object")
    if game is None:
        raise refusals.refuse("no-game", games=list(GAMES))
    return game, {key: item for key, item in value.items() if key not in CAPTION_KEYS}


def read_house(refusals: Refusals, game: Game | None, code: str | None) -> HouseRules[object] | None:
    """Return the house rules of a code. Raises BadInput if it is none of the game's, or there is no game."""
    from companion.engine.problems import Refused

    if code is None:
        return None
    if game is None:
        raise refusals.refuse("rules-without-game")
    try:
        return game.options.decode(code)
    except Refused as refused:
        raise refusals.refuse("no-code", value=code) from refused


def read_json(refusals: Refusals) -> object:
    """Return the JSON value in a file. Raises BadInput."""
    from companion.library import json_value

    text = read_text(refusals)
    with refusals.of(None):
        try:
            return json_value(text.encode())
        except json.JSONDecodeError as fault:
            raise refusals.refuse("not-json", "malformed-json", line=fault.lineno, column=fault.colno) from fault


def read_text(refusals: Refusals) -> str:
    """Return the text of a file, or of standard input for `-`. Raises BadInput."""
    try:
        data = sys.stdin.buffer.read() if refusals.file == "-" else Path(refusals.file).read_bytes()
        return data.decode("utf-8-sig")  # some editors begin a file with a byte order mark
    except UnicodeDecodeError as fault:
        raise refusals.refuse("not-text") from fault
    except OSError as fault:
        raise refusals.refuse("not-found", "not-found") from fault


def print_json(answer: object) -> None:
    """Print a JSON value for people."""
    click.echo(json.dumps(answer, ensure_ascii=False, indent=2))


def print_cited(answer: Mapping[str, object], *parts: str) -> None:
    """Print the sentences of an answer's lists with their articles."""
    for part in parts:
        items = answer.get(part, ())
        for item in items if isinstance(items, list) else ():
            click.echo(f"  {item['text']} [{item['article']}]")

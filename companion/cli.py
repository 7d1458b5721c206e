"""The command line: score, judge, replay, look up rules, serve. The same functions as the API.

Exit status: 0 done, or legal; 1 illegal, or nothing found; 2 what cannot be read; 3 undecided; 70 a fault of the
program or of the machine. Commands import what
they need when they are called: see the budgets in `tests/cli/test_start.py`.
"""

from __future__ import annotations

import codecs
import gc
import io
import json
import os
import re
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from companion import __version__
from companion.data import LANGUAGES

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

    from companion.engine.game import Game
    from companion.engine.options import HouseRules
    from companion.engine.problems import Problem
    from companion.rulebook.answers import Json
    from companion.rulebook.search import Found, SearchAnswer
    from companion.sheets.backup import Checked

LEGAL, ILLEGAL, UNREADABLE, UNDECIDED = 0, 1, 2, 3
"""Exit statuses of a command that judges."""
_STATUS: Final = {"legal": LEGAL, "illegal": ILLEGAL, "undecided": UNDECIDED}
_LOCALE: Final = ("LC_ALL", "LC_MESSAGES", "LANG")
_DEFAULT: Final = "en"


_KINDS: Final = ("article", "preset", "option", "term", "guide", "lesson", "help")
"""What can be found: see `companion.rulebook.answers.KINDS`."""
_DEFAULT_PLACE: Final = "sqlite:///var/companion.sqlite3"
"""Where the sheets are: see `companion.sheets.store.DEFAULT_PLACE`."""


def say(lang: str, key: str, **facts: object) -> str:
    """Return a phrase of the interface; the texts are loaded when the first one is asked for."""
    from companion.rulebook import words

    return words.say(lang, key, **facts)


class _BadInput(Exception):
    """An input that cannot be used; its text goes to standard error, or its problem document to standard output."""

    def __init__(self, text: str, document: Mapping[str, object] | None = None) -> None:
        super().__init__(text)
        self.document = document


class _GameType(click.ParamType):  # type: ignore[type-arg]  # only the latest click has arguments here
    """The id of a game, converted to the game. Games are loaded when one is named."""

    name = "game"

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> Game:
        """Return the game. Raises BadInput for an unknown one."""
        from companion.games import GAMES

        if isinstance(value, str):
            try:
                return GAMES[value]
            except KeyError:
                raise _Refusals.asked_in(ctx, value).refuse("unknown-game", games=list(GAMES)) from None
        game: Game = value  # type: ignore[assignment]  # click converts what it converted before
        return game

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        """Return the games whose ids begin so."""
        from click.shell_completion import CompletionItem

        from companion.games import GAMES

        return [CompletionItem(game) for game in GAMES if game.startswith(incomplete)]


def _system_language() -> str:
    """Return the language of the locale, or English if there are no texts in it."""
    named = next((os.environ[name] for name in _LOCALE if os.environ.get(name)), "")
    tag = named.partition(".")[0].partition("_")[0].lower()
    return tag if tag in LANGUAGES else _DEFAULT


_in_language = click.option(
    "--lang", type=click.Choice(LANGUAGES), default=_system_language, show_default="that of the locale",
    help="Language of the output.", is_eager=True,
)  # fmt: skip
_AS_JSON: Final = "--json"
_as_json = click.option(
    _AS_JSON, "machine", is_flag=True, help="Print the API's JSON instead of text, faults too.", is_eager=True
)
"""Both are read before other options, whose faults are said as they ask."""
_of_game = click.option("--game", type=_GameType(), help="The game, if FILE does not name it.")


@dataclass(frozen=True, slots=True)
class _Refusals:
    """How an input is refused: in a language, as sentences or as a problem document."""

    file: str
    lang: str
    machine: bool
    lines: tuple[int, ...] = ()
    """Of a table, the number of each deal's line."""

    @classmethod
    def asked_in(cls, ctx: click.Context | None, subject: str) -> _Refusals:
        """Return those of a command whose options are still being read."""
        read = ctx.params if ctx else {}
        return cls(subject, read.get("lang") or _system_language(), read.get("machine") or False)

    def refuse(self, key: str, code: str = "bad-request", **facts: int | str | list[str]) -> _BadInput:
        """Return the refusal with the sentence `cli.<key>`; its document has the code and the facts."""
        from companion.describe import problem_document

        text = say(self.lang, f"cli.{key}", file=self._name, **facts)
        return _BadInput(text, problem_document(code, self.lang, detail=text) | facts if self.machine else None)

    def refuse_all(self, game: Game | None, problems: tuple[Problem, ...]) -> _BadInput:
        """Return the refusal with every problem on a line of its own, with its place and its article."""
        from companion.describe import refusal_document
        from companion.engine.problems import MOST_PROBLEMS
        from companion.rulebook.answers import problem_answers
        from companion.rulebook.words import words

        if self.machine:
            return _BadInput("", refusal_document(game, problems, self.lang))
        lines = [say(self.lang, "cli.wrong", file=self._name)]
        for answer in problem_answers(game, problems[:MOST_PROBLEMS], self.lang):
            cite = f" [{answer['article']}]" if "article" in answer else ""
            place = f"{self._place(answer['pointer'])}: " if answer["pointer"] else ""
            lines.append(f"  {place}{answer['detail']}{cite}")
            lines += [f"    {text}" for text in answer.get("witness", {}).get("text", ())]
        own = words(game.id, self.lang) if game and self.lines else None
        unread = any(problem.code == "type" and problem.pointer[:1] == ("deals",) for problem in problems)
        if own and unread and own.has("cli.lists"):
            lines.append(own.say("cli.lists"))
        return _BadInput("\n".join(lines))

    @property
    def _name(self) -> str:
        return say(self.lang, "cli.standard-input") if self.file == "-" else self.file

    def _place(self, pointer: str) -> str:
        """Return a pointer as it is, or as the line and column of a table, or the option that stands for it."""
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


def _read_request(refusals: _Refusals, game: Game | None) -> tuple[Game, dict[str, object]]:
    """Return the game and the request in a file. Raises BadInput."""
    from companion.games import GAMES

    value = _read_json(refusals)
    named = value.get("game") if isinstance(value, dict) else None
    if isinstance(named, str):
        if named not in GAMES:
            raise replace(refusals, file=named).refuse("unknown-game", games=list(GAMES))
        if game is not None and game.id != named:
            raise refusals.refuse("other-game", named=named, asked=game.id)
        game = GAMES[named]
    if not isinstance(value, dict):
        raise refusals.refuse("not-object")
    if game is None:
        raise refusals.refuse("no-game", games=list(GAMES))
    return game, value


def _read_house(refusals: _Refusals, game: Game | None, code: str | None) -> HouseRules[object] | None:
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


def _read_json(refusals: _Refusals) -> object:
    """Return the JSON value in a file. Raises BadInput."""
    from companion.library import json_value

    text = _read_text(refusals)
    with refusals.of(None):
        try:
            return json_value(text.encode())
        except json.JSONDecodeError as fault:
            raise refusals.refuse("not-json", "malformed-json", line=fault.lineno, column=fault.colno) from fault


def _read_text(refusals: _Refusals) -> str:
    """Return the text of a file, or of standard input for `-`. Raises BadInput."""
    try:
        data = sys.stdin.buffer.read() if refusals.file == "-" else Path(refusals.file).read_bytes()
        return data.decode("utf-8-sig")  # some editors begin a file with a byte order mark
    except UnicodeDecodeError as fault:
        raise refusals.refuse("not-text") from fault
    except OSError as fault:
        raise refusals.refuse("not-found", "not-found") from fault


def _print_json(answer: object) -> None:
    """Print a JSON value for people."""
    click.echo(_json_text(answer, indent=2))


def _json_text(answer: object, indent: int | None = None) -> str:
    """Return a JSON value as text, with escapes where standard output cannot show its signs."""
    text = json.dumps(answer, ensure_ascii=False, indent=indent)
    try:
        text.encode(sys.stdout.encoding)
    except UnicodeEncodeError:
        return json.dumps(answer, indent=indent)
    return text


def _print_link(url: str, command: str = "", indent: str = "") -> None:
    """Print where to read on: a page of the site that is named in COMPANION_SITE_URL, or else a command."""
    if site := os.environ.get("COMPANION_SITE_URL"):
        click.echo(f"{indent}{site.rstrip('/')}{url}")
    elif command:
        click.echo(f"{indent}companion {command}")


def _print_cited(answer: Mapping[str, object], *parts: str) -> None:
    """Print the sentences of an answer's lists with their articles."""
    for part in parts:
        items = answer.get(part, ())
        for item in items if isinstance(items, list) else [items] if isinstance(items, dict) else ():
            click.echo(f"  {item['text']} [{item['article']}]")
            _print_cited(item, "remedy")


_EXTRA: Final = re.compile(r"Got unexpected extra arguments? \((.*)\)")
_UNKNOWN: Final = re.compile("No such command '(.*)'")
"""Click has no exceptions of its own for these, or none before 8.4."""


def _usage_text(fault: click.UsageError, lang: str) -> str:
    """Return what is wrong with a command line, and where help is."""
    lines = [_what(fault, lang)]
    near = getattr(fault, "possibilities", None)
    if near:
        lines.append(say(lang, "cli.usage-near", near=sorted(near)))
    if fault.ctx is not None:
        parts = " ".join(fault.ctx.command.collect_usage_pieces(fault.ctx))
        lines.append(say(lang, "cli.usage", file=f"{fault.ctx.command_path} {parts}"))
        lines.append(say(lang, "cli.usage-help", file=f"{fault.ctx.command_path} --help"))
    return "\n".join(lines)


def _what(fault: click.UsageError, lang: str) -> str:
    if isinstance(fault, click.NoSuchOption):
        return say(lang, "cli.usage-no-option", file=fault.option_name)
    if unknown := _UNKNOWN.match(fault.message):
        return say(lang, "cli.usage-no-command", file=unknown[1])
    if isinstance(fault, click.BadOptionUsage):
        return say(lang, "cli.usage-value-of-option", file=fault.option_name)
    if isinstance(fault, click.BadParameter) and fault.param is not None:
        option = isinstance(fault.param, click.Option)
        name = max(fault.param.opts, key=len) if option else fault.param.human_readable_name
        key = "cli.usage-missing" if isinstance(fault, click.MissingParameter) else "cli.usage-value"
        return say(lang, key, file=name, values=list(_values(fault.param.type)))
    extra = _EXTRA.fullmatch(fault.message)
    return say(lang, "cli.usage-extra" if extra else "cli.usage-other", what=extra[1] if extra else fault.message)


def _values(kind: object) -> Iterator[str]:
    """Yield the values that an option or an argument may have; none if they cannot be listed."""
    if isinstance(kind, click.Choice):
        yield from map(str, kind.choices)
    elif isinstance(kind, click.IntRange):
        yield f"{kind.min}-{kind.max}" if kind.max is not None else f"{kind.min}-"


_INTERRUPTED, _CLOSED, _CRASHED = 130, 141, 70
"""Exit statuses of a command that is interrupted, whose reader has gone, or that could not end as it should."""
_COLLECT_AFTER: Final = 300_000
"""New objects until garbage is looked for: most commands are done before that, with a tenth of their time saved."""
_PLAIN: Final = str.maketrans(
    {"−": "-", "±": "+-", "·": ".", "…": "...", "—": "-", "→": "->", "“": '"', "”": '"', "’": "'", "×": "x"}
    | {"♠": "S", "♥": "H", "♦": "D", "♣": "C", "\ufe0e": ""}
)
"""Signs of the program in letters that every encoding has."""
_ALIASES: Final = {"search": "ask"}


class _InOrder(click.Group):
    """A group that lists its commands in the order in which they are written."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of the commands."""
        return list(self.commands)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return a command by its name or by another that people try; None for an unknown one."""
        return super().get_command(ctx, _ALIASES.get(cmd_name, cmd_name))

    def invoke(self, ctx: click.Context) -> object:
        """Run a command and write what it prints. Raises _Closed where click would exit with 1, as for illegal."""
        try:
            done: object = super().invoke(ctx)
            _flush()
        except BrokenPipeError:
            raise _Closed from None
        return done


class _Closed(Exception):
    """The reader of the output has gone."""


@click.group(cls=_InOrder, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="companion")
def cli() -> None:
    """Keeps the score, judges moves and is the rulebook for card games played with real cards."""


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line; exit status 2 and sentences on standard error for bad input, with --json a document."""
    gc.set_threshold(_COLLECT_AFTER)
    codecs.register_error("companion", _replace_signs)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="companion")
    try:
        status = _run(sys.argv[1:] if arguments is None else arguments)
        _flush()
    except (_Closed, BrokenPipeError):
        status = _CLOSED
    except OSError as fault:  # such as a full disk
        status = _CRASHED
        print(f"companion: {fault}", file=sys.stderr)  # noqa: T201
    except Exception:
        import traceback

        status = _CRASHED
        traceback.print_exc()
    if status in (_CLOSED, _CRASHED) and isinstance(sys.stdout, io.TextIOWrapper):
        with suppress(OSError):  # or Python tries once more to write what is left, and says so
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    if status:
        sys.exit(status)


def _run(arguments: Sequence[str]) -> int | str | None:
    """Run a command and return its exit status."""
    try:
        cli.main(args=arguments, prog_name="companion", standalone_mode=False)
    except click.exceptions.Exit as done:
        return done.exit_code
    except SystemExit as done:
        return done.code
    except click.ClickException as fault:
        _show(fault, arguments)
        return UNREADABLE
    except click.Abort:
        return _INTERRUPTED
    except _BadInput as fault:
        if fault.document is None:
            click.echo(str(fault), err=True)
        else:
            _print_json(fault.document)
        return UNREADABLE
    return 0


def _flush() -> None:
    if sys.stdout is not None:  # it may have been closed before the start
        sys.stdout.flush()


def _replace_signs(fault: UnicodeError) -> tuple[str, int]:
    """Return letters for the program's own signs, and a question mark for others that an encoding does not have."""
    if not isinstance(fault, UnicodeEncodeError):
        raise fault
    text = fault.object[fault.start : fault.end].translate(_PLAIN)
    return "".join(sign if sign.isascii() else "?" for sign in text), fault.end


def _show(fault: click.ClickException, arguments: Sequence[str]) -> None:
    """Print a fault of the command line itself; with --json a document."""
    if not isinstance(fault, click.UsageError) or type(fault).__name__ == "NoArgsIsHelpError":  # as of click 8.2
        fault.show()
        return
    from companion.describe import problem_document

    lang = _Refusals.asked_in(fault.ctx, "").lang
    text = _usage_text(fault, lang)
    if _AS_JSON not in arguments:
        click.echo(text, err=True)
    else:
        click.echo(_json_text(problem_document("bad-request", lang, detail=text)))


@cli.command(
    "score", short_help="Score a game, every point with its article.", epilog="Example: companion score friday.json"
)
@click.argument("file")
@_of_game
@click.option("--rules", "code", help="A preset or short code, for a table (CSV).")
@click.option("--sides", help="The sides of a table (CSV) where its columns do not name them: A,B.")
@_in_language
@_as_json
def score_command(file: str, game: Game | None, code: str | None, sides: str | None, lang: str, machine: bool) -> None:
    """Score a game from FILE (a score request in JSON with the key "game"; - for standard input).

    A FILE that ends in .csv is a table, a deal a line, its columns the places in a deal: NS.bid,NS.tricks. A list has a
    column for each part of each item: a nil of East is EW.nils.0.player, EW.nils.0.call and EW.nils.0.tricks.

    Prints the ledger, every point with its article. Exit status 2 if the input cannot be scored.
    """
    from companion.engine.game import score

    refusals = _Refusals(file, lang, machine)
    if file.lower().endswith(".csv"):
        known, value, refusals = _read_evening(refusals, game, code, sides)
    else:
        known, value = _read_request(refusals, game)
    with refusals.of(known):
        read, ledger = score(known, value)
    if machine:
        from companion.rulebook.answers import score_answer

        _print_json(score_answer(known, ledger, lang))
    else:
        from companion.rulebook.markup import ledger_text

        click.echo(ledger_text(known, read.house, read.sides, ledger, lang), nl=False)


_WORDS: Final = {"true": True, "false": False, "null": None}
"""Cells that are no numbers or texts."""
_SEPARATORS: Final = ",;\t"
_WHOLE: Final = re.compile(r"-?[0-9]{1,9}(?:\.0+)?")
"""A whole number; some spreadsheets write it with a fraction of zeros."""


def _read_evening(
    refusals: _Refusals, game: Game | None, code: str | None, sides: str | None
) -> tuple[Game, dict[str, object], _Refusals]:
    """Return the game, the score request of a table, and refusals that name its lines. Raises BadInput.

    A column is named by its place in a deal, `NS.tricks` or `EW.nils.0.call`; an empty cell is not there. The sides
    are the first parts of the columns that are no other keys of a deal, unless they are given.
    """
    from companion.engine.problems import read_whole
    from companion.engine.shapes import schema
    from companion.games import GAMES
    from companion.library import read_house as read_table_rules

    if game is None:
        raise refusals.refuse("table-without-game", games=list(GAMES))
    rows = _rows(_read_text(refusals))
    if not rows:
        raise refusals.refuse("not-table")
    paths = [name.split(".") for name in rows[0][1]]
    deals = []
    for number, row in rows[1:]:
        if len(row) > len(paths):
            raise refusals.refuse("long-line", line=number)
        deals.append(_deal(refusals, number, zip(paths, row, strict=False)))
    shared = {field.data_key or name for name, field in schema(game.deal).load_fields.items()} | {*game.deal_keys}
    named = sides.split(",") if sides else list(dict.fromkeys(path[0] for path in paths if path[0] not in shared))
    request = {"sides": named, "deals": deals}
    located = replace(refusals, lines=tuple(number for number, _ in rows[1:]))
    if code:
        with located.of(game):
            house = read_whole(code, lambda node: read_table_rules(game, node), ("rules",))
        request["rules"] = {"preset": house.preset, "options": game.options.plain(house.options)}
    return game, request, located


def _rows(text: str) -> list[tuple[int, list[str]]]:
    """Return the lines of a table that are not empty, with their numbers. Spreadsheets write `,`, `;` or tabs."""
    import csv
    import io

    head = next(filter(str.strip, text.splitlines()), "")
    separator = max(_SEPARATORS, key=head.count)
    lines = csv.reader(io.StringIO(text), delimiter=separator, skipinitialspace=True)
    found = []
    for row in lines:
        cells = [cell.strip() for cell in row]
        if any(cells):
            found.append((lines.line_num, cells))
    return found


def _deal(refusals: _Refusals, number: int, cells: Iterable[tuple[list[str], str]]) -> dict[str, object]:
    """Return the deal in the cells of a line. Raises BadInput where a place is in the way of another."""
    deal: dict[str, object] = {}
    for path, cell in cells:
        if cell == "":
            continue
        place: object = deal
        for part, following in zip(path, [*path[1:], None], strict=True):
            value = _value(cell) if following is None else [] if following.isdecimal() else {}
            if isinstance(place, dict):
                place = place.setdefault(part, value)
            elif isinstance(place, list) and part.isdecimal() and int(part) <= len(place):
                place.extend([value] if int(part) == len(place) else [])
                place = place[int(part)]
            else:
                raise refusals.refuse("same-place", line=number)
    return deal


def _value(cell: str) -> object:
    """Return a cell as JSON has it: an object or a list as written, a whole number, true, false, null, or a text."""
    from companion.engine.problems import Refused
    from companion.library import json_value

    if cell in _WORDS:
        return _WORDS[cell]
    if cell.startswith(("[", "{")):
        try:
            return json_value(cell.encode())
        except (Refused, ValueError):
            return cell
    return int(cell.partition(".")[0]) if _WHOLE.fullmatch(cell) else cell


_SENTENCES: Final = ("breaches", "missing", "because", "findings")


@cli.command("check", short_help="Judge one move.", epilog="Example: companion check move.json --lang ja")
@click.argument("file")
@_of_game
@_in_language
@_as_json
@click.option("--show-me", is_flag=True, help="Show why: two deals that fit, or what is counted.")
def check_command(file: str, game: Game | None, lang: str, machine: bool, show_me: bool) -> None:
    """Judge one move from FILE (rules, position and move in JSON with the key "game"; - for standard input).

    Prints legal, illegal or undecided with the articles. Exit status 0 legal, 1 illegal, 3 undecided, 2 unreadable.
    """
    answer = _answer(file, game, lang, machine, "check", **({"witness": True} if show_me else {}))
    if machine:
        _print_json(answer)
    else:
        click.echo(say(lang, f"verdict.{answer['verdict']}"))
        _print_cited(answer, "breaches", "remedy", "missing", "because")
        for sentence in answer["witness"].get("text", ()) if show_me else ():
            click.echo(sentence)
    sys.exit(_STATUS[answer["verdict"]])


@cli.command(
    "moves", short_help="List what can be done in a position.", epilog="Example: companion moves position.json"
)
@click.argument("file")
@_of_game
@_in_language
@_as_json
def moves_command(file: str, game: Game | None, lang: str, machine: bool) -> None:
    """List what can be done in the position of FILE.

    Exit status 3 if facts are missing that would tell more.
    """
    answer = _answer(file, game, lang, machine, "moves")
    _show_table(answer, machine)
    sys.exit(UNDECIDED if answer.get("missing") else LEGAL)


@cli.command(
    "demand",
    short_help="Say whether others may demand that a player takes more.",
    epilog="Example: companion demand take.json",
)
@click.argument("file")
@_of_game
@_in_language
@_as_json
def demand_command(file: str, game: Game | None, lang: str, machine: bool) -> None:
    """Say whether others may demand that a player takes more, from FILE, in games that know demands.

    Exit status 1 if the announced take is not legal.
    """
    answer = _answer(file, game, lang, machine, "demand")
    _show_table(answer, machine)
    sys.exit(LEGAL if answer["legal"] else ILLEGAL)


@cli.command("replay", short_help="Judge every move of a recorded deal.", epilog="Example: companion replay deal.json")
@click.argument("file")
@_of_game
@_in_language
@_as_json
def replay_command(file: str, game: Game | None, lang: str, machine: bool) -> None:
    """Judge every move of the recorded deal in FILE, and say what it shows in retrospect.

    Exit status 1 if something was illegal, 3 if something stays undecided.
    """
    answer = _answer(file, game, lang, machine, "replay")
    verdicts = [verdict["settled"] or verdict["verdict"] for verdict in answer["verdicts"]]
    if machine:
        _print_json(answer)
    else:
        for number, (verdict, judged) in enumerate(zip(verdicts, answer["verdicts"], strict=True), start=1):
            click.echo(f"{number:>3}  {say(lang, f'verdict.{verdict}')}  {_compact(judged['move'])}")
            _print_cited(judged, "breaches" if verdict == "illegal" else "missing")
        _show_table({key: item for key, item in answer.items() if key in ("findings", "result")}, machine)
    if answer["findings"] or "illegal" in verdicts:
        sys.exit(ILLEGAL)
    sys.exit(UNDECIDED if "undecided" in verdicts else LEGAL)


@cli.command(
    "batch", short_help="Answer many requests, one a line.", epilog="Example: companion batch --game GAME deals.jsonl"
)
@click.argument("file")
@click.option("--game", type=_GameType(), required=True, help="The game of every line.")
@click.option("--question", type=click.Choice(["score", "replay"]), default="score", help="What every line asks.")
@_in_language
def batch_command(file: str, game: Game, question: str, lang: str) -> None:
    """Answer many requests from FILE, one a line in JSON, with one line each in the same order (- for standard input).

    Every answer has its line number, and the id of its request. Exit status 2 if a line could not be read.
    """
    from companion import library

    status, refusals = LEGAL, _Refusals(file, lang, machine=True)
    with _asked(refusals, game):
        for number, line in enumerate(_lines(refusals), start=1):
            answer = library.answer_line(game, line, number, lang, library.answering(question))
            status = UNREADABLE if "errors" in answer or "status" in answer else status
            click.echo(_json_text(answer))
    sys.exit(status)


def _lines(refusals: _Refusals) -> Iterator[bytes]:
    """Yield the lines of a file as they come."""
    if refusals.file == "-":
        yield from sys.stdin.buffer
        return
    try:
        with open(refusals.file, "rb") as stream:
            yield from stream
    except OSError as fault:
        raise refusals.refuse("not-found", "not-found") from fault


def _answer(file: str, game: Game | None, lang: str, machine: bool, question: str, **more: object) -> Json:
    from companion.library import answering

    refusals = _Refusals(file, lang, machine)
    known, value = _read_request(refusals, game)
    with _asked(refusals, known):
        return answering(question)(known, {**value, **more} if isinstance(value, dict) else value, lang)


@contextmanager
def _asked(refusals: _Refusals, game: Game) -> Iterator[None]:
    """Turn what a game refuses, and a question that it does not answer, into BadInput."""
    from companion.library import Absent

    with refusals.of(game):
        try:
            yield
        except Absent as fault:
            raise refusals.refuse("not-asked", "not-found") from fault


def _show_table(answer: Json, machine: bool) -> None:
    """Print an answer: as JSON, or sentences with their articles and everything else as short JSON."""
    if machine:
        _print_json(answer)
        return
    for key, item in answer.items():
        if key in _SENTENCES:
            _print_cited(answer, key)
        elif isinstance(item, list):
            click.echo(f"{key}: {'' if item else '[]'}".rstrip())
            for each in item:
                click.echo(f"  {_compact(each)}")
        else:
            click.echo(f"{key}: {_compact(item)}")


def _compact(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


_NOTHING_FOUND = 1


@cli.command(
    "ask",
    short_help="Look up a rule by words or a whole question.",
    epilog="Example: companion ask how many bags until a penalty",
)
@click.argument("question", nargs=-1, required=True)
@click.option("--game", type=_GameType(), help="Look in this game first.")
@click.option("--rules", "code", help="A preset or short code of --game; answers have its numbers.")
@click.option("--kind", type=click.Choice(_KINDS), help="Show only one kind of result.")
@click.option("--limit", default=3, show_default=True, type=click.IntRange(1, 50), help="Maximum number of answers.")
@_in_language
@_as_json
def ask_command(
    question: tuple[str, ...],
    game: Game | None,
    code: str | None,
    kind: str | None,
    limit: int,
    lang: str,
    machine: bool,
) -> None:
    """Look up a rule by words or a whole QUESTION; misspellings, kana and romaji are understood.

    Prints the sentences that answer with their articles. Exit status 1 if nothing answers, 2 for wrong options.
    """
    from companion.rulebook.search import answers, found_answer, search

    house = _read_house(_Refusals(game.id if game else "", lang, machine), game, code)
    games = [game.id] if game else []
    found = search(lang, " ".join(question), games=games, house=house, kinds=[kind] if kind else [], limit=limit)
    given = list(answers(found, lang))
    if machine:
        _print_json(found_answer(found, given, lang))
    else:
        _print(found, given, lang)
    if not given:
        sys.exit(_NOTHING_FOUND)


def _print(found: Found, given: list[SearchAnswer], lang: str) -> None:
    for typed, meant in found.reading.repairs if given else ():
        click.echo(say(lang, "search.repaired", typed=typed, meant=meant))
    if found.reply:
        click.echo(found.reply.head)
    if found.unknown:
        click.echo(say(lang, "search.unknown", words=", ".join(found.unknown), near=bool(given)))
    for answer in given:
        document = answer.hit.document
        chip = "" if answer.played is not False else f" ({answer.way or say(lang, 'search.not-played')})"
        click.echo(f"{document.title} [{document.id}]{chip}")
        click.echo(f"  {answer.text}")
        _print_link(answer.url, f"article {document.id}" if document.kind == "article" else "", "  ")
    if not given:
        if not found.unknown:
            click.echo(say(lang, "search.nothing"))
        if found.near:
            click.echo(f"{say(lang, 'search.near')} {', '.join(found.near)}")


@cli.command(
    "article",
    short_help="Print an article of the rule book.",
    epilog="Example: companion article GAME.bags --rules modern",
)
@click.argument("name", metavar="ARTICLE")
@click.option("--rules", "code", help="A preset or short code: the text has its numbers.")
@_in_language
@_as_json
def article_command(name: str, code: str | None, lang: str, machine: bool) -> None:
    """Print an article of the rule book by its id, with the numbers of a table.

    Exit status 2 if there is no such article.
    """
    from companion.games import GAMES
    from companion.rulebook.pages import article_text

    try:
        game = GAMES[name.partition(".")[0]]
        article = article_text(name, lang, _read_house(_Refusals(game.id, lang, machine), game, code))
    except KeyError:
        raise _Refusals(name, lang, machine).refuse("no-article", "not-found") from None
    if machine:
        _print_json(article)
        return
    click.echo(f"{article['title']} [{article['id']}]")
    click.echo(article["text"])
    if article["source_text"]:
        click.echo(article["source_text"])
    _print_link(article["url"])


_of_this_game = click.option("--game", type=_GameType(), help="The game; without it, the first that knows the code.")


class _CodeOrCommand(click.Group):
    """A group that takes a word that is none of its commands for a short code."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Return the command that is named, or `code`."""
        return super().resolve_command(ctx, args if args[0] in self.commands else ["code", *args])

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Take options of `code` for `code`; without any words, show the help."""
        if args and args[0].startswith("-") and args[0] not in ctx.help_option_names:
            args = ["code", *args]
        return super().parse_args(ctx, args)


@cli.group(
    "rules",
    cls=_CodeOrCommand,
    short_help="List, compare and explain house rules.",
    epilog="Example: companion rules modern",
)
def _rules_command() -> None:
    """House rules: list the presets, compare two sets, say what a short code stands for."""


@_rules_command.command("code", epilog="Example: companion rules classic~bt-7")
@click.argument("code", required=False)
@_of_this_game
@_in_language
@_as_json
def code_command(code: str | None, game: Game | None, lang: str, machine: bool) -> None:
    """Say what a preset or short CODE stands for, and what differs from the default preset."""
    from companion.rulebook.answers import diff_answer, rules_answer
    from companion.rulebook.words import words

    game = game or _game_of(code)
    with _Refusals(code or "", lang, machine).of(game):
        house = game.options.decode(code) if code else game.options.preset()
    answer = rules_answer(game, house, lang)
    if machine:
        _print_json(answer)
        return
    click.echo(answer["summary"][lang])
    usual = game.options.preset()
    if differences := diff_answer(game, usual, house, lang)["differences"]:
        click.echo(say(lang, "book.differences", preset=words(game.id, lang).preset_label(usual.preset)))
        _print_cited({"differences": differences}, "differences")
    for warning in answer["warnings"]:
        click.echo(f"  ! {warning['text']} [{warning['article']}]")


@_rules_command.command("list", epilog="Example: companion rules list --game GAME")
@click.option("--game", type=_GameType(), help="This game only.")
@_in_language
@_as_json
def list_command(game: Game | None, lang: str, machine: bool) -> None:
    """List the presets of the games with their short descriptions."""
    from companion.games import GAMES
    from companion.rulebook.words import words

    games = [game] if game else GAMES.values()
    if machine:
        from companion.rulebook.answers import catalogue_answer

        keys = ("id", "name", "default_preset", "presets")
        listed = [{key: known[key] for key in keys} for known in (catalogue_answer(each, lang) for each in games)]
        _print_json({"games": listed})
        return
    for each in games:
        own = words(each.id, lang)
        click.echo(f"{own.name} [{each.id}]")
        for preset in each.options.presets:
            click.echo(f"  {preset:<20} {own.preset_label(preset)}")


@_rules_command.command("diff", epilog="Example: companion rules diff classic modern")
@click.argument("one")
@click.argument("other")
@_of_this_game
@_in_language
@_as_json
def diff_command(one: str, other: str, game: Game | None, lang: str, machine: bool) -> None:
    """Say what two presets or short codes play differently, one difference a line."""
    from companion.rulebook.answers import diff_answer

    game = game or _game_of(one)
    with _Refusals(one, lang, machine).of(game):
        first = game.options.decode(one)
    with _Refusals(other, lang, machine).of(game):
        second = game.options.decode(other)
    answer = diff_answer(game, first, second, lang)
    if machine:
        _print_json(answer)
        return
    for difference in answer["differences"]:
        click.echo(f"{difference['text']} [{difference['article']}]")


def _game_of(code: str | None) -> Game:
    """Return the first game that knows a code; the default one if none does."""
    from companion.engine.problems import Refused
    from companion.games import GAMES, default_game

    for game in GAMES.values() if code else ():
        try:
            game.options.decode(code or "")
        except Refused:
            continue
        return game
    return default_game()


HOSTS = "127.0.0.1"


@cli.command(
    "serve",
    short_help="Serve the site and the API until interrupted.",
    epilog="Example: companion serve --host 0.0.0.0",
)
@click.option("--host", default=HOSTS, show_default=True, help="0.0.0.0 for phones on the same network.")
@click.option("--port", default=8000, show_default=True)
@click.option("--processes", default=1, show_default=True, help="More than one where the database is PostgreSQL.")
def serve_command(host: str, port: int, processes: int) -> None:
    """Serve the site and the API until interrupted."""
    with needs("web"):
        from companion.serve import serve

    sys.exit(serve(host, port, processes))


@cli.command("mcp", short_help="Serve an assistant's tools (Model Context Protocol).", epilog="Example: companion mcp")
@click.option("--http", is_flag=True, help="Serve HTTP on this machine instead of standard input and output.")
@click.option("--port", default=8001, show_default=True, help="Where --http serves, on 127.0.0.1.")
def mcp_command(http: bool, port: int) -> None:
    """Serve an assistant's tools (Model Context Protocol)."""
    with needs("mcp"):
        from companion.mcp import serve_http, serve_stdio

    if http:
        serve_http(port)
    else:
        serve_stdio()


@cli.command(
    "conformance",
    short_help="Compare a service's answers with the published cases.",
    epilog="Example: companion conformance http://127.0.0.1:8000/api/v1",
)
@click.argument("url")
@click.option("--only", help="Only cases whose id or path contains this.")
@_in_language
def conformance_command(url: str, only: str | None, lang: str) -> None:
    """Send the published cases to a service at URL and compare its answers (the part before /games, as .../api/v1).

    Prints every case that differs. Exit status 1 if there is any, 2 if nobody answers.
    """
    from companion.conformance import Unreachable, published, run

    try:
        report = run(url, published(containing=only or ""))
    except Unreachable as fault:
        raise click.ClickException(str(fault)) from fault
    for outcome in report.failed:
        click.echo(f"{outcome.case['id']}  {outcome.case['post']}")
        for difference in outcome.differences:
            click.echo(f"  {difference}")
    click.echo(report.summary())
    sys.exit(ILLEGAL if report.failed else 0)


@cli.command(
    "completion",
    short_help="Print the script that completes commands in a shell.",
    epilog="Example: companion completion bash",
)
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
def completion_command(shell: str) -> None:
    """Print the script that completes commands and options in a SHELL.

    For bash: eval "$(companion completion bash)" in ~/.bashrc.
    """
    from click.shell_completion import get_completion_class

    known = get_completion_class(shell)
    if known is None:
        raise click.ClickException(shell)
    click.echo(known(cli, {}, "companion", "_COMPANION_COMPLETE").source())


@cli.command(
    "digests",
    short_help="Name English articles whose Japanese has changed.",
    epilog="Example: companion digests --write",
)
@click.option("--write", is_flag=True, help="Write the digests into the English pages.")
def digests_command(write: bool) -> None:
    """Compare the English rule pages with the Japanese they were made from; name the articles that have drifted."""
    from companion.data import data_folder
    from companion.rulebook.source import check_digests, write_digests

    folders = data_folder("rules_ja"), data_folder("rules_en")
    if write:
        for page in write_digests(*folders):
            click.echo(page)
        return
    found = check_digests(*folders)
    for page, articles in found.items():
        click.echo(f"{page}: {', '.join(articles)}")
    sys.exit(1 if any(found.values()) else 0)


@cli.command(
    "untranslated",
    short_help="List what the texts of a language lack.",
    epilog="Example: companion untranslated en",
)
@click.argument("language", type=click.Choice(LANGUAGES))
def untranslated_command(language: str) -> None:
    """List what the texts of a LANGUAGE take from English, a key or an article a line, and articles that have changed.

    Exit status 1 if there is any.
    """
    from companion.rulebook.lessons import untranslated

    found = list(untranslated(language))
    for line in found:
        click.echo(line)
    sys.exit(1 if found else 0)


@contextmanager
def needs(extra: str) -> Iterator[None]:
    """Say which extra is missing where a library of it is. Raises ClickException."""
    try:
        yield
    except ModuleNotFoundError as fault:
        if str(fault.name).partition(".")[0] == "companion":
            raise
        needed = f"This needs more: pip install 'card-table-companion[{extra}]' ({fault.name})"
        raise click.ClickException(needed) from fault


_UNSOUND = 1

_of_place = click.option(
    "--database", "place", envvar="COMPANION_DATABASE", default=_DEFAULT_PLACE, show_default=True,
    show_envvar=True, help="Where the sheets are: a path or a database URL.",
)  # fmt: skip


@cli.command(
    "backup",
    short_help="Copy all sheets to a new file, and check the copy.",
    epilog="Example: companion backup copy.sqlite3",
)
@click.argument("file", type=click.Path(path_type=Path))
@_of_place
@_in_language
def backup_command(file: Path, place: str, lang: str) -> None:
    """Copy all sheets to the new FILE while the service keeps running, and check the copy.

    Exit status 1 if a sheet in it is damaged, 2 if no copy was made.
    """
    with _translated_errors(lang):
        from companion.sheets import backup
        from companion.sheets.sql import found_key

        checked = backup.back_up(place, file, key=found_key(place))
    _report(checked, lang)


@cli.command(
    "restore", short_help="Put a copy in the place of the database.", epilog="Example: companion restore copy.sqlite3"
)
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--replace", "replacing", is_flag=True, help="Replace an existing database; the old one is kept.")
@_of_place
@_in_language
def restore_command(file: Path, replacing: bool, place: str, lang: str) -> None:
    """Check the copy FILE and put it in the place of the database. Stop the service first.

    Exit status 2 if nothing was restored.
    """
    with _translated_errors(lang):
        from companion.sheets import backup
        from companion.sheets.sql import found_key

        checked = backup.restore(file, place, replace=replacing, key=found_key(place))
    _report(replace(checked, foreign=0), lang)
    if checked.foreign:
        click.echo(say(lang, "cli.foreign", count=checked.foreign))


@cli.command("verify", short_help="Fold, score and check every sheet again.", epilog="Example: companion verify")
@_of_place
@_in_language
def verify_command(place: str, lang: str) -> None:
    """Fold and score every sheet again, check every hash and every anchor.

    Anchors are signed with COMPANION_SECRET_KEY, or the key beside an SQLite file, and show what was changed by
    somebody who can write to the database but lacks the key. Exit status 1, with a line for each fault, if a sheet is
    damaged; 2 if nothing can be read.
    """
    with _translated_errors(lang):
        from companion.sheets import backup
        from companion.sheets.sql import found_key

        checked = backup.verify(place, key=found_key(place))
    _report(checked, lang)


@cli.command("anchor", short_help="Anchor sheets of an earlier version or key.", epilog="Example: companion anchor")
@_of_place
@_in_language
def anchor_command(place: str, lang: str) -> None:
    """Anchor sheets of an earlier version, or of an earlier key, as they are now, if nothing is wrong with them.

    Exit status 1 and a line for each fault where a sheet is not sound: then nothing is anchored.
    """
    with _translated_errors(lang):
        from companion.sheets import backup

        count, checked = backup.anchor(place, key=_needed_key(place, lang))
    click.echo(say(lang, "cli.anchored", count=count))
    _report(checked, lang)


@cli.command(
    "migrate",
    short_help="Create the tables of a database or bring them up to date.",
    epilog="Example: companion migrate",
)
@_of_place
@_in_language
def migrate_command(place: str, lang: str) -> None:
    """Create the tables of a database or bring them up to date; an SQLite file needs no such step."""
    from companion.sheets.store import open_store

    with _translated_errors(lang):
        open_store(place, migrate=True).close()
    click.echo(say(lang, "cli.migrated"))


@cli.command("erase", short_help="Delete a whole sheet, for privacy.", epilog="Example: companion erase 5h1v9k")
@click.argument("sheet")
@click.option("--yes", is_flag=True, help="Do not ask.")
@_of_place
@_in_language
def erase_command(sheet: str, yes: bool, place: str, lang: str) -> None:
    """Delete the whole SHEET (by its id), for privacy. This cannot be undone; backups still contain it."""
    if not yes:
        click.confirm(say(lang, "cli.erase", sheet=sheet), abort=True)
    with _translated_errors(lang):
        from companion.sheets import backup

        backup.erase(place, sheet, key=_needed_key(place, lang))
    click.echo(say(lang, "cli.erased", sheet=sheet))


def _needed_key(place: str, lang: str) -> str:
    """Return the server's key. Raises ClickException where there is a database without one."""
    from companion.sheets.sql import file_of, found_key

    key, file = found_key(place), file_of(place)
    if file is not None and not file.is_file():
        raise FileNotFoundError(file)
    if not key:
        raise click.ClickException(say(lang, "cli.no-key"))
    return key


def _report(checked: Checked, lang: str) -> None:
    """Print how many sheets there are and every fault; leave with status 1 where there is any."""
    for fault in checked.faults:
        key = "cli.fault" if fault.sheet else "cli.fault-of-store"
        click.echo(say(lang, key, sheet=fault.sheet, seq=fault.seq, what=fault.what))
    if not checked.anchored:
        click.echo(say(lang, "cli.anchors-unchecked"))
    elif checked.unanchored:
        click.echo(say(lang, "cli.unanchored", count=checked.unanchored))
    click.echo(say(lang, "cli.checked", count=checked.sheets, faults=len(checked.faults)))
    if checked.foreign:
        click.echo(say(lang, "cli.foreign", count=checked.foreign))
    if checked.faults or checked.foreign:
        sys.exit(_UNSOUND)


@contextmanager
def _translated_errors(lang: str) -> Iterator[None]:
    """Raise errors of files and databases as messages in a language."""
    from companion.sheets.store import BackupUnsupported, InUse, NoSuchSheet, NotMigrated, Unavailable, Unusable

    phrases = {
        FileNotFoundError: "no-file",
        FileExistsError: "file-exists",
        BackupUnsupported: "own-tools",
        InUse: "in-use",
        NoSuchSheet: "no-sheet",
        NotMigrated: "unusable",
        Unavailable: "unusable",
        Unusable: "unusable",
    }
    try:
        with needs("web"):
            yield
    except (BackupUnsupported, InUse, NoSuchSheet, NotMigrated, OSError, Unavailable, Unusable) as fault:
        phrase = next((phrase for kind, phrase in phrases.items() if isinstance(fault, kind)), "")
        text = say(lang, f"cli.{phrase}", file=str(fault), what=str(fault)) if phrase else str(fault)
        raise click.ClickException(text) from fault

"""The command line: score a file, judge a move, look at house rules, serve. On the same functions as the API."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click

from companion import __version__
from companion.cli_ask import add_ask_command
from companion.cli_store import add_store_commands
from companion.data import data_folder
from companion.engine.duplicates import duplicate_keys
from companion.engine.game import Game, read_score_request, score_request
from companion.engine.problems import Refused
from companion.engine.reading import Node
from companion.games import GAMES, default_game
from companion.rulebook.answers import check_answer, problem_answers, rules_answer, score_answer
from companion.rulebook.book import say
from companion.rulebook.phrases import LANGUAGES
from companion.rulebook.plaintext import ledger_text
from companion.rulebook.source import check_digests, write_digests

BAD_INPUT = 2
CAPTION_KEYS = ("game", "title")
"""Keys of a file that are not part of the request itself."""

in_language = click.option("--lang", type=click.Choice(LANGUAGES), default="en", help="Language of the words.")
as_json = click.option("--json", "machine", is_flag=True, help="Print the API's JSON instead of text.")
of_game = click.option("--game", "name", type=click.Choice(list(GAMES)), help="The game, where FILE does not say it.")


class BadInput(Exception):
    """An input that cannot be used; its text goes to standard error as it is."""


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="companion")
def cli() -> None:
    """Keeps the score, judges moves and is the rulebook for card games played with real cards."""


@cli.command()
@click.argument("file")
@of_game
@in_language
@as_json
def score(file: str, name: str | None, lang: str, machine: bool) -> None:
    """Score a game from FILE (a score request in JSON with the key "game"; - for standard input).

    Prints the ledger, every point with its article. Exit status 2 where the input cannot be scored.
    """
    game, node = _read_request(file, name, lang)
    with _explained(game, file, lang):
        read = read_score_request(game, node)
        if read is None or node.problems:
            raise Refused(node.problems)
        ledger = score_request(game, read)
    if machine:
        _print_json(score_answer(game, ledger, lang))
    else:
        click.echo(ledger_text(game, read.house, read.sides, ledger, lang), nl=False)


@cli.command()
@click.argument("file")
@of_game
@in_language
@as_json
def check(file: str, name: str | None, lang: str, machine: bool) -> None:
    """Judge one move from FILE (rules, position and move in JSON with the key "game"; - for standard input).

    Prints legal, illegal or undecided with the articles. Exit status 2 where the input cannot be judged.
    """
    game, node = _read_request(file, name, lang)
    with _explained(game, file, lang):
        node.object(required=("position", "move"), optional=("rules",))
        house = game.options.read(node["rules"])
        if node.problems:
            raise Refused(node.problems)
        verdict = game.judge(house.options, node["position"], node["move"])
    answer = check_answer(game, verdict, lang)
    if machine:
        _print_json(answer)
        return
    click.echo(say(lang, f"verdict.{answer['verdict']}"))
    for part in ("breaches", "missing", "because"):
        for item in answer[part]:
            click.echo(f"  {item['text']} [{item['article']}]")


@cli.command()
@click.argument("code", required=False)
@of_game
@in_language
@as_json
def rules(code: str | None, name: str | None, lang: str, machine: bool) -> None:
    """Say what a short code of house rules stands for (without --game, of the first game it can name)."""
    game = GAMES[name] if name else default_game()
    with _explained(game, code or "", lang):
        house = game.options.decode(code) if code else game.options.preset()
    answer = rules_answer(game, house, lang)
    if machine:
        _print_json(answer)
        return
    click.echo(answer["summary"][lang])
    for warning in answer["warnings"]:
        click.echo(f"  ! {warning['text']} [{warning['article']}]")


@cli.command()
@click.option("--write", is_flag=True, help="Write the digests into the English pages.")
def digests(write: bool) -> None:
    """Compare the English rule pages with the Japanese they were made from; name the articles that have drifted."""
    folders = data_folder("rules_ja"), data_folder("rules_en")
    if write:
        for page in write_digests(*folders):
            click.echo(page)
        return
    found = check_digests(*folders)
    for page, articles in found.items():
        click.echo(f"{page}: {', '.join(articles)}")
    sys.exit(1 if any(found.values()) else 0)


@cli.command()
@click.option("--host", default="127.0.0.1", show_default=True, help="0.0.0.0 for phones on the same network.")
@click.option("--port", default=8000, show_default=True)
def serve(host: str, port: int) -> None:
    """Serve the site and the API until interrupted."""
    from companion.serve import serve as serve_on

    sys.exit(serve_on(host, port))


add_ask_command(cli)
add_store_commands(cli)


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line; exit status 2 and sentences on standard error for bad input."""
    try:
        cli.main(args=arguments, prog_name="companion", standalone_mode=False)
    except click.exceptions.Exit as done:
        sys.exit(done.exit_code)
    except click.ClickException as fault:
        fault.show()
        sys.exit(BAD_INPUT)
    except click.Abort:
        sys.exit(130)
    except BadInput as fault:
        click.echo(str(fault), err=True)
        sys.exit(BAD_INPUT)


@contextmanager
def _explained(game: Game | None, file: str, lang: str) -> Iterator[None]:
    """Turn a refusal into sentences: every problem on a line of its own, with its place and its article."""
    try:
        yield
    except Refused as refused:
        lines = [say(lang, "cli.wrong", file=file)]
        for answer in problem_answers(game, refused.problems, lang):
            cite = f" [{answer['article']}]" if "article" in answer else ""
            place = f"{answer['pointer']}: " if answer["pointer"] else ""
            lines.append(f"  {place}{answer['detail']}{cite}")
        raise BadInput("\n".join(lines)) from refused


def _read_request(file: str, name: str | None, lang: str) -> tuple[Game, Node]:
    """The game and the request in a file, without the keys that only a file has."""
    value = _read_json(file, lang)
    named = value.get("game", name) if isinstance(value, dict) else None
    if not isinstance(named, str) or named not in GAMES:
        raise BadInput(say(lang, "cli.no-game", file=file, games=list(GAMES)))
    return GAMES[named], Node({key: item for key, item in value.items() if key not in CAPTION_KEYS})


def _read_json(file: str, lang: str) -> Any:
    try:
        data = sys.stdin.buffer.read() if file == "-" else Path(file).read_bytes()
        text = data.decode("utf-8-sig")  # some editors begin a file with a byte order mark
        value = json.loads(text, parse_constant=_refuse_constant)
    except UnicodeDecodeError as fault:
        raise BadInput(say(lang, "cli.not-text", file=file)) from fault
    except json.JSONDecodeError as fault:
        raise BadInput(say(lang, "cli.not-json", file=file, line=fault.lineno, column=fault.colno)) from fault
    except (RecursionError, ValueError) as fault:
        raise BadInput(say(lang, "cli.not-json", file=file, line=1, column=1)) from fault
    except OSError as fault:
        raise BadInput(say(lang, "cli.not-found", file=file)) from fault
    with _explained(None, file, lang):
        if doubled := duplicate_keys(text.encode(), value):
            raise Refused(doubled)
    return value


def _refuse_constant(word: str) -> None:
    """NaN and Infinity are no JSON."""
    raise ValueError(word)


def _print_json(answer: object) -> None:
    click.echo(json.dumps(answer, ensure_ascii=False, indent=2))

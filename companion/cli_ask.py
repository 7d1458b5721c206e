"""The command that looks up a rule: `companion ask "..."` prints the sentences that answer."""

from __future__ import annotations

import json
import sys

import click

from companion.engine.options import HouseRules
from companion.engine.problems import Refused
from companion.games import GAMES
from companion.rulebook.book import say
from companion.rulebook.phrases import LANGUAGES
from companion.rulebook.search import KINDS, Found, search
from companion.rulebook.search_answers import Answer, answers, found_answer

NOTHING_FOUND = 1


def add_ask_command(cli: click.Group) -> None:
    """Add the command."""
    cli.command()(ask)


@click.argument("question", nargs=-1, required=True)
@click.option("--game", "name", type=click.Choice(list(GAMES)), help="Look in this game first.")
@click.option("--rules", "code", help="A preset or short code of --game: answers have its numbers.")
@click.option("--kind", type=click.Choice(KINDS), help="One kind of results only.")
@click.option("--limit", default=3, show_default=True, type=click.IntRange(1, 50), help="How many answers.")
@click.option("--lang", type=click.Choice(LANGUAGES), default="en", help="Language of the words.")
@click.option("--json", "machine", is_flag=True, help="Print the API's JSON instead of text.")
def ask(
    question: tuple[str, ...],
    name: str | None,
    code: str | None,
    kind: str | None,
    limit: int,
    lang: str,
    machine: bool,
) -> None:
    """Look up a rule: words or a whole QUESTION, also misspelt, in kana or in romaji.

    Prints the sentences that answer with their articles. Exit status 1 where nothing answers, 2 for wrong options.
    """
    house = _house(name, code)
    games = [name] if name else []
    found = search(lang, " ".join(question), games=games, house=house, kinds=[kind] if kind else [], limit=limit)
    given = list(answers(found, lang, house, name or ""))
    if machine:
        click.echo(json.dumps(found_answer(found, given), ensure_ascii=False, indent=2))
    else:
        _print(found, given, lang)
    if not given:
        sys.exit(NOTHING_FOUND)


def _house(name: str | None, code: str | None) -> HouseRules[object] | None:
    """Return the house rules of a code. Raises UsageError if it is none of the game's, or there is no game."""
    if code is None:
        return None
    if name is None:
        raise click.UsageError("--rules needs --game")
    try:
        return GAMES[name].options.decode(code)
    except Refused as refused:
        raise click.UsageError(f"--rules: not a code of {name}: {code}") from refused


def _print(found: Found, given: list[Answer], lang: str) -> None:
    for typed, meant in found.reading.repairs:
        click.echo(say(lang, "search.repaired", typed=typed, meant=meant))
    for answer in given:
        document = answer.hit.document
        click.echo(f"{document.title} [{document.id}]")
        click.echo(f"  {answer.text}")
        click.echo(f"  {answer.url}")
    if not given:
        click.echo(say(lang, "search.nothing"))
        if found.near:
            click.echo(f"{say(lang, 'search.near')} {', '.join(found.near)}")

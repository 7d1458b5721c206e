"""`companion ask "..."` and `companion article`: what the rule book says to a question, and one article of it."""

from __future__ import annotations

import sys

import click

from companion.cli.common import GameType, Refusals, as_json, in_language, print_json, read_house
from companion.engine.game import Game
from companion.games import GAMES
from companion.rulebook.pages import article_text
from companion.rulebook.search import KINDS, Found, SearchAnswer, answers, found_answer, search
from companion.rulebook.words import say

NOTHING_FOUND = 1


@click.command()
@click.argument("question", nargs=-1, required=True)
@click.option("--game", type=GameType(), help="Look in this game first.")
@click.option("--rules", "code", help="A preset or short code of --game; answers have its numbers.")
@click.option("--kind", type=click.Choice(KINDS), help="Show only one kind of result.")
@click.option("--limit", default=3, show_default=True, type=click.IntRange(1, 50), help="Maximum number of answers.")
@in_language
@as_json
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
    house = read_house(Refusals(game.id if game else "", lang, machine), game, code)
    games = [game.id] if game else []
    found = search(lang, " ".join(question), games=games, house=house, kinds=[kind] if kind else [], limit=limit)
    given = list(answers(found, lang, house, *games))
    if machine:
        print_json(found_answer(found, given))
    else:
        _print(found, given, lang)
    if not given:
        sys.exit(NOTHING_FOUND)


def _print(found: Found, given: list[SearchAnswer], lang: str) -> None:
    for typed, meant in found.reading.repairs if given else ():
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


@click.command()
@click.argument("name", metavar="ARTICLE")
@click.option("--rules", "code", help="A preset or short code: the text has its numbers.")
@in_language
@as_json
def article_command(name: str, code: str | None, lang: str, machine: bool) -> None:
    """Print an article of the rule book by its id, with the numbers of a table.

    Exit status 2 if there is no such article.
    """
    refusals = Refusals(name, lang, machine)
    try:
        game = GAMES[name.partition(".")[0]]
        house = read_house(Refusals(game.id, lang, machine), game, code)
        article = article_text(name, lang, house)
    except KeyError:
        raise refusals.refuse("no-article", "not-found") from None
    if machine:
        print_json(article)
        return
    click.echo(f"{article['title']} [{article['id']}]")
    click.echo(article["text"])
    if article["source_text"]:
        click.echo(article["source_text"])
    click.echo(article["url"])

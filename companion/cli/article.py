"""`companion article`: an article of the rule book, with the numbers of a table."""

from __future__ import annotations

import click

from companion.cli.common import Refusals, as_json, in_language, print_json, read_house
from companion.games import GAMES
from companion.rulebook.keeping import keeping
from companion.rulebook.text import article_text


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
        with keeping():
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

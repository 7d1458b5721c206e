"""`companion score`: the ledger of a game from a file, in JSON or as a table.

Imports only what scoring needs: the command starts within a quarter of a second of CPU time.
"""

from __future__ import annotations

import click

from companion.cli.common import Refusals, as_json, in_language, of_game, print_json, read_request
from companion.engine.game import Game, score


@click.command()
@click.argument("file")
@of_game
@click.option("--rules", "code", help="A preset or short code, for a table (CSV).")
@click.option("--sides", help="The sides of a table (CSV) where its columns do not name them: A,B.")
@in_language
@as_json
def score_command(file: str, game: Game | None, code: str | None, sides: str | None, lang: str, machine: bool) -> None:
    """Score a game from FILE (a score request in JSON with the key "game"; - for standard input).

    A FILE that ends in .csv is a table, a deal a line, its columns the places in a deal: NS.bid,NS.tricks.

    Prints the ledger, every point with its article. Exit status 2 if the input cannot be scored.
    """
    refusals = Refusals(file, lang, machine)
    if file.lower().endswith(".csv"):
        from companion.cli.evenings import read_evening

        known, value, refusals = read_evening(refusals, game, code, sides)
    else:
        known, value = read_request(refusals, game)
    with refusals.of(known):
        read, ledger = score(known, value)
    if machine:
        from companion.rulebook.answers import score_answer

        print_json(score_answer(known, ledger, lang))
    else:
        from companion.rulebook.markup import ledger_text

        click.echo(ledger_text(known, read.house, read.sides, ledger, lang), nl=False)

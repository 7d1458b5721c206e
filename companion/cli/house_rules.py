"""`companion rules`: presets listed, two sets of house rules compared, a short code written out."""

from __future__ import annotations

import click

from companion.cli.common import GameType, Refusals, as_json, in_language, print_json
from companion.engine.game import Game
from companion.engine.problems import Refused
from companion.games import GAMES, default_game
from companion.rulebook.answers import diff_answer, preset_answer, rules_answer
from companion.rulebook.words import words

of_this_game = click.option("--game", type=GameType(), help="The game; without it, the first that knows the code.")


class CodeOrCommand(click.Group):
    """A group that takes a word that is none of its commands for a short code."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Return the command that is named, or `code`."""
        return super().resolve_command(ctx, args if args[0] in self.commands else ["code", *args])

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Take no words at all, or options of `code`, for `code`."""
        if not args or (args[0].startswith("-") and args[0] not in ctx.help_option_names):
            args = ["code", *args]
        return super().parse_args(ctx, args)


@click.group(cls=CodeOrCommand)
def rules_command() -> None:
    """House rules: list the presets, compare two sets, say what a short code stands for."""


@rules_command.command("code")
@click.argument("code", required=False)
@of_this_game
@in_language
@as_json
def code_command(code: str | None, game: Game | None, lang: str, machine: bool) -> None:
    """Say what a preset or short CODE stands for; without one, the default preset."""
    game = game or _game_of(code)
    with Refusals(code or "", lang, machine).of(game):
        house = game.options.decode(code) if code else game.options.preset()
    answer = rules_answer(game, house, lang)
    if machine:
        print_json(answer)
        return
    click.echo(answer["summary"][lang])
    for warning in answer["warnings"]:
        click.echo(f"  ! {warning['text']} [{warning['article']}]")


@rules_command.command("list")
@click.option("--game", type=GameType(), help="This game only.")
@in_language
@as_json
def list_command(game: Game | None, lang: str, machine: bool) -> None:
    """List the presets of the games with their short descriptions."""
    games = [(each, words(each.id, lang)) for each in ([game] if game else GAMES.values())]
    if machine:
        listed = [
            {
                "id": each.id,
                "name": own.name,
                "default_preset": each.options.default_preset,
                "presets": [preset_answer(each, preset, own) for preset in each.options.presets],
            }
            for each, own in games
        ]
        print_json({"games": listed})
        return
    for each, own in games:
        click.echo(f"{own.name} [{each.id}]")
        for preset in each.options.presets:
            click.echo(f"  {preset:<20} {own.preset_label(preset)}")


@rules_command.command("diff")
@click.argument("one")
@click.argument("other")
@of_this_game
@in_language
@as_json
def diff_command(one: str, other: str, game: Game | None, lang: str, machine: bool) -> None:
    """Say what two presets or short codes play differently, one difference a line."""
    game = game or _game_of(one)
    with Refusals(one, lang, machine).of(game):
        first = game.options.decode(one)
    with Refusals(other, lang, machine).of(game):
        second = game.options.decode(other)
    answer = diff_answer(game, first, second, lang)
    if machine:
        print_json(answer)
        return
    for difference in answer["differences"]:
        click.echo(f"{difference['text']} [{difference['article']}]")


def _game_of(code: str | None) -> Game:
    """Return the first game that knows a code; the default one if none does."""
    for game in GAMES.values() if code else ():
        try:
            game.options.decode(code or "")
        except Refused:
            continue
        return game
    return default_game()

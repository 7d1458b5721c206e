"""The command line: score, judge, replay, look up rules, serve. The same functions as the API.

Exit status: 0 done, or legal; 1 illegal, or nothing found; 2 what cannot be read; 3 undecided. A command's module is
loaded when the command is called.
"""

from __future__ import annotations

import gc
import json
import sys
from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import Any, Final

import click

from companion import __version__
from companion.cli.common import AS_JSON, UNREADABLE, BadInput

COMMANDS: Final[Mapping[str, tuple[str, str]]] = {
    "score": ("scoring", "Score a game, every point with its article."),
    "check": ("table", "Judge one move."),
    "moves": ("table", "List what can be done in a position."),
    "demand": ("table", "Say whether others may demand that a player takes more."),
    "replay": ("table", "Judge every move of a recorded deal."),
    "batch": ("table", "Answer many requests, one a line."),
    "ask": ("book", "Look up a rule by words or a whole question."),
    "article": ("book", "Print an article of the rule book."),
    "rules": ("house_rules", "List, compare and explain house rules."),
    "mcp": ("serving", "Serve an assistant's tools (Model Context Protocol)."),
    "serve": ("serving", "Serve the site and the API until interrupted."),
    "completion": ("serving", "Print the script that completes commands in a shell."),
    "conformance": ("serving", "Compare a service's answers with the published cases."),
    "digests": ("serving", "Name English articles whose Japanese has changed."),
    "backup": ("store", "Copy all sheets to a new file, and check the copy."),
    "restore": ("store", "Put a copy in the place of the database."),
    "verify": ("store", "Fold, score and check every sheet again."),
    "anchor": ("store", "Anchor sheets of an earlier version or key."),
    "migrate": ("store", "Create the tables of a database or bring them up to date."),
    "erase": ("store", "Delete a whole sheet, for privacy."),
}
"""The module of each command in this package, where it has the name `<command>_command`, and what the list says."""
INTERRUPTED: Final = 130
_COLLECT_AFTER: Final = 50_000
"""New objects until garbage is looked for: most commands are done before that, with a tenth of their time saved."""


class DeferredCommand(click.Command):
    """What the list of commands shows of one, whose module is loaded when it is called."""

    def __init__(self, name: str, module: str, summary: str) -> None:
        super().__init__(name, short_help=summary)
        self._module = module

    def make_context(
        self, info_name: str | None, args: list[str], parent: click.Context | None = None, **extra: Any
    ) -> click.Context:
        """Return the context of the command itself."""
        command: click.Command = getattr(import_module(f"companion.cli.{self._module}"), f"{self.name}_command")
        return command.make_context(info_name, args, parent, **extra)


class Commands(click.Group):
    """A group whose commands are loaded when they are called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of the commands."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return a command by its name; None for an unknown one."""
        return DeferredCommand(cmd_name, *COMMANDS[cmd_name]) if cmd_name in COMMANDS else None


@click.command(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="companion")
def cli() -> None:
    """Keeps the score, judges moves and is the rulebook for card games played with real cards."""


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line; exit status 2 and sentences on standard error for bad input, with --json a document."""
    gc.set_threshold(_COLLECT_AFTER)
    try:
        cli.main(args=arguments, prog_name="companion", standalone_mode=False)
    except click.exceptions.Exit as done:
        sys.exit(done.exit_code)
    except click.ClickException as fault:
        _show(fault, sys.argv[1:] if arguments is None else arguments)
        sys.exit(UNREADABLE)
    except click.Abort:
        sys.exit(INTERRUPTED)
    except BadInput as fault:
        if fault.document is None:
            click.echo(str(fault), err=True)
        else:
            click.echo(json.dumps(fault.document, ensure_ascii=False, indent=2))
        sys.exit(UNREADABLE)


def _show(fault: click.ClickException, arguments: Sequence[str]) -> None:
    """Print a fault of the command line itself; with --json a document."""
    if not isinstance(fault, click.UsageError) or isinstance(fault, click.exceptions.NoArgsIsHelpError):
        fault.show()
        return
    from companion.cli.usage import language_of, usage_text
    from companion.describe import problem_document

    lang = language_of(fault)
    text = usage_text(fault, lang)
    if AS_JSON not in arguments:
        click.echo(text, err=True)
    else:
        click.echo(json.dumps(problem_document("bad-request", lang, detail=text), ensure_ascii=False))

"""The command line: score, judge, replay, look up rules, serve. The same functions as the API.

Exit status: 0 done, or legal; 1 illegal, or nothing found; 2 what cannot be read; 3 undecided. A command's module is
loaded when the command is called.
"""

from __future__ import annotations

import gc
import json
import sys
from collections.abc import Sequence
from importlib import import_module
from typing import Final

import click

from companion import __version__
from companion.cli.common import AS_JSON, UNREADABLE, BadInput
from companion.library.quick import import_marshmallow

COMMANDS: Final = {
    "score": "scoring", "check": "table", "moves": "table", "demand": "table", "replay": "table", "batch": "table",
    "ask": "book", "article": "book", "rules": "house_rules",
    "mcp": "serving", "serve": "serving", "completion": "serving", "conformance": "serving", "digests": "serving",
    "backup": "store", "restore": "store", "verify": "store", "anchor": "store", "migrate": "store", "erase": "store",
}  # fmt: skip
"""The module of each command in this package, where it has the name `<command>_command`."""
INTERRUPTED: Final = 130
_COLLECT_AFTER: Final = 50_000
"""New objects until garbage is looked for: most commands are done before that, with a tenth of their time saved."""


class Commands(click.Group):
    """A group that loads the module of a command when the command is called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of the commands."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return a command by its name; None for an unknown one."""
        if cmd_name not in COMMANDS:
            return None
        import_marshmallow()
        module = import_module(f"companion.cli.{COMMANDS[cmd_name]}")
        command: click.Command = getattr(module, f"{cmd_name}_command")
        return command


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
    from companion.library.problem_documents import problem_document

    lang = language_of(fault)
    text = usage_text(fault, lang)
    if AS_JSON not in arguments:
        click.echo(text, err=True)
    else:
        click.echo(json.dumps(problem_document("bad-request", lang, detail=text), ensure_ascii=False))

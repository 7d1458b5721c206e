"""The part of the command line that looks after the sheets: backup, restore, verify, anchor, migrate, erase."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace as replace_fields
from pathlib import Path
from typing import TYPE_CHECKING

import click

from companion.cli.common import in_language
from companion.cli.serving import needs
from companion.rulebook.words import say
from companion.sheets.store import (
    DEFAULT_PLACE,
    BackupUnsupported,
    InUse,
    NoSuchSheet,
    NotMigrated,
    Unavailable,
    Unusable,
    open_store,
)

if TYPE_CHECKING:
    from companion.sheets.backup import Checked

UNSOUND = 1

of_place = click.option(
    "--database", "place", envvar="COMPANION_DATABASE", default=DEFAULT_PLACE, show_default=True,
    show_envvar=True, help="Where the sheets are: a path or a database URL.",
)  # fmt: skip


@click.command("backup")
@click.argument("file", type=click.Path(path_type=Path))
@of_place
@in_language
def backup_command(file: Path, place: str, lang: str) -> None:
    """Copy all sheets to the new FILE while the service keeps running, and check the copy.

    Exit status 1 if a sheet in it is damaged, 2 if no copy was made.
    """
    with _translated_errors(lang):
        from companion.sheets import backup
        from companion.sheets.sql import found_key

        checked = backup.back_up(place, file, key=found_key(place))
    _report(checked, lang)


@click.command("restore")
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--replace", is_flag=True, help="Replace an existing database; the old one is kept.")
@of_place
@in_language
def restore_command(file: Path, replace: bool, place: str, lang: str) -> None:
    """Check the copy FILE and put it in the place of the database. Stop the service first.

    Exit status 2 if nothing was restored.
    """
    with _translated_errors(lang):
        from companion.sheets import backup
        from companion.sheets.sql import found_key

        checked = backup.restore(file, place, replace=replace, key=found_key(place))
    _report(replace_fields(checked, foreign=0), lang)
    if checked.foreign:
        click.echo(say(lang, "cli.foreign", count=checked.foreign))


@click.command("verify")
@of_place
@in_language
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


@click.command("anchor")
@of_place
@in_language
def anchor_command(place: str, lang: str) -> None:
    """Anchor sheets of an earlier version, or of an earlier key, as they are now, if nothing is wrong with them.

    Exit status 1 and a line for each fault where a sheet is not sound: then nothing is anchored.
    """
    with _translated_errors(lang):
        from companion.sheets import backup

        count, checked = backup.anchor(place, key=_needed_key(place, lang))
    click.echo(say(lang, "cli.anchored", count=count))
    _report(checked, lang)


@click.command("migrate")
@of_place
@in_language
def migrate_command(place: str, lang: str) -> None:
    """Create the tables of a database or bring them up to date; an SQLite file needs no such step."""
    with _translated_errors(lang):
        open_store(place, migrate=True).close()
    click.echo(say(lang, "cli.migrated"))


@click.command("erase")
@click.argument("sheet")
@click.option("--yes", is_flag=True, help="Do not ask.")
@of_place
@in_language
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
        sys.exit(UNSOUND)


@contextmanager
def _translated_errors(lang: str) -> Iterator[None]:
    """Raise errors of files and databases as messages in a language."""
    try:
        with needs("web"):
            yield
    except FileNotFoundError as fault:
        raise click.ClickException(say(lang, "cli.no-file", file=str(fault))) from fault
    except FileExistsError as fault:
        raise click.ClickException(say(lang, "cli.file-exists", file=str(fault))) from fault
    except BackupUnsupported as fault:
        raise click.ClickException(say(lang, "cli.own-tools")) from fault
    except InUse as fault:
        raise click.ClickException(say(lang, "cli.in-use", file=str(fault))) from fault
    except (NotMigrated, Unavailable, Unusable) as fault:
        raise click.ClickException(say(lang, "cli.unusable", what=str(fault))) from fault
    except NoSuchSheet as fault:
        raise click.ClickException(say(lang, "cli.no-sheet")) from fault
    except OSError as fault:
        raise click.ClickException(str(fault)) from fault

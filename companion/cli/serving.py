"""What is served or looked after: the site, an assistant's tools, another service's conformance, completions, texts."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager

import click

from companion.cli.common import ILLEGAL, in_language
from companion.data import data_folder

HOSTS = "127.0.0.1"


@click.command()
@click.option("--host", default=HOSTS, show_default=True, help="0.0.0.0 for phones on the same network.")
@click.option("--port", default=8000, show_default=True)
@click.option("--processes", default=1, show_default=True, help="More than one where the database is PostgreSQL.")
def serve_command(host: str, port: int, processes: int) -> None:
    """Serve the site and the API until interrupted."""
    with needs("web"):
        from companion.serve import serve

    sys.exit(serve(host, port, processes))


@click.command()
@click.option("--http", is_flag=True, help="Serve HTTP on this machine instead of standard input and output.")
@click.option("--port", default=8001, show_default=True, help="Where --http serves, on 127.0.0.1.")
def mcp_command(http: bool, port: int) -> None:
    """Serve an assistant's tools (Model Context Protocol): score, check, moves, explain, search."""
    with needs("mcp"):
        from companion.mcp import serve_http, serve_stdio

    if http:
        serve_http(port)
    else:
        serve_stdio()


@click.command()
@click.argument("url")
@click.option("--only", help="Only cases whose id or path contains this.")
@in_language
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


@click.command()
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
def completion_command(shell: str) -> None:
    """Print the script that completes commands and options in a SHELL.

    For bash: eval "$(companion completion bash)" in ~/.bashrc.
    """
    from click.shell_completion import get_completion_class

    from companion.cli import cli

    known = get_completion_class(shell)
    if known is None:
        raise click.ClickException(shell)
    click.echo(known(cli, {}, "companion", "_COMPANION_COMPLETE").source())


@click.command()
@click.option("--write", is_flag=True, help="Write the digests into the English pages.")
def digests_command(write: bool) -> None:
    """Compare the English rule pages with the Japanese they were made from; name the articles that have drifted."""
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


@contextmanager
def needs(extra: str) -> Iterator[None]:
    """Say which extra is missing where a library of it is. Raises ClickException."""
    try:
        yield
    except ModuleNotFoundError as fault:
        if str(fault.name).partition(".")[0] == "companion":
            raise
        raise click.ClickException(f"This needs more: pip install 'companion[{extra}]' ({fault.name})") from fault

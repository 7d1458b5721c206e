"""The questions of a table: is this allowed, what can be done, what happened here; many requests at once."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

import click

from companion import library as asking
from companion.cli.common import (
    ILLEGAL,
    LEGAL,
    STATUS,
    UNDECIDED,
    UNREADABLE,
    GameType,
    Refusals,
    as_json,
    in_language,
    of_game,
    print_cited,
    print_json,
    read_request,
)
from companion.engine.game import Game
from companion.rulebook.answers import Json
from companion.rulebook.words import say

SENTENCES: Final = ("breaches", "missing", "because", "findings")


@click.command()
@click.argument("file")
@of_game
@in_language
@as_json
def check_command(file: str, game: Game | None, lang: str, machine: bool) -> None:
    """Judge one move from FILE (rules, position and move in JSON with the key "game"; - for standard input).

    Prints legal, illegal or undecided with the articles. Exit status 0 legal, 1 illegal, 3 undecided, 2 unreadable.
    """
    answer = _answer(file, game, lang, machine, asking.answer_check)
    if machine:
        print_json(answer)
    else:
        click.echo(say(lang, f"verdict.{answer['verdict']}"))
        print_cited(answer, "breaches", "missing", "because")
    sys.exit(STATUS[answer["verdict"]])


@click.command()
@click.argument("file")
@of_game
@in_language
@as_json
def moves_command(file: str, game: Game | None, lang: str, machine: bool) -> None:
    """List what can be done in the position of FILE.

    Exit status 3 if facts are missing that would tell more.
    """
    answer = _answer(file, game, lang, machine, asking.answer_moves)
    _show(answer, machine)
    sys.exit(UNDECIDED if answer.get("missing") else LEGAL)


@click.command()
@click.argument("file")
@of_game
@in_language
@as_json
def demand_command(file: str, game: Game | None, lang: str, machine: bool) -> None:
    """Say whether others may demand that a player takes more, from FILE, in games that know demands.

    Exit status 1 if the announced take is not legal.
    """
    answer = _answer(
        file, game, lang, machine, lambda known, value, lang: asking.answer_extra(known, "demand", value, lang)
    )
    _show(answer, machine)
    sys.exit(LEGAL if answer["legal"] else ILLEGAL)


@click.command()
@click.argument("file")
@of_game
@in_language
@as_json
def replay_command(file: str, game: Game | None, lang: str, machine: bool) -> None:
    """Judge every move of the recorded deal in FILE, and say what it shows in retrospect.

    Exit status 1 if something was illegal, 3 if something stays undecided.
    """
    answer = _answer(file, game, lang, machine, asking.answer_replay)
    verdicts = [verdict["settled"] or verdict["verdict"] for verdict in answer["verdicts"]]
    if machine:
        print_json(answer)
    else:
        for number, (verdict, judged) in enumerate(zip(verdicts, answer["verdicts"], strict=True), start=1):
            click.echo(f"{number:>3}  {say(lang, f'verdict.{verdict}')}  {_compact(judged['move'])}")
            print_cited(judged, "breaches" if verdict == "illegal" else "missing")
        _show({key: item for key, item in answer.items() if key in ("findings", "result")}, machine)
    if answer["findings"] or "illegal" in verdicts:
        sys.exit(ILLEGAL)
    sys.exit(UNDECIDED if "undecided" in verdicts else LEGAL)


@click.command()
@click.argument("file")
@click.option("--game", type=GameType(), required=True, help="The game of every line.")
@click.option("--question", type=click.Choice(["score", "replay"]), default="score", help="What every line asks.")
@in_language
def batch_command(file: str, game: Game, question: str, lang: str) -> None:
    """Answer many requests from FILE, one a line in JSON, with one line each in the same order (- for standard input).

    Every answer has its line number, and the id of its request. Exit status 2 if a line could not be read.
    """
    from companion.library import answer_line

    answering = asking.answer_score if question == "score" else asking.answer_replay
    status, refusals = LEGAL, Refusals(file, lang, machine=True)
    with _asked(refusals, game):
        for number, line in enumerate(_lines(refusals), start=1):
            answer = answer_line(game, line, number, lang, answering)
            status = UNREADABLE if "errors" in answer or "status" in answer else status
            click.echo(json.dumps(answer, ensure_ascii=False))
    sys.exit(status)


def _lines(refusals: Refusals) -> Iterator[bytes]:
    """Yield the lines of a file as they come."""
    if refusals.file == "-":
        yield from sys.stdin.buffer
        return
    try:
        with open(refusals.file, "rb") as stream:
            yield from stream
    except OSError as fault:
        raise refusals.refuse("not-found", "not-found") from fault


def _answer(file: str, game: Game | None, lang: str, machine: bool, question: asking.Answering) -> Json:
    refusals = Refusals(file, lang, machine)
    known, value = read_request(refusals, game)
    with _asked(refusals, known):
        return question(known, value, lang)


@contextmanager
def _asked(refusals: Refusals, game: Game) -> Iterator[None]:
    """Turn what a game refuses, and a question that it does not answer, into BadInput."""
    try:
        with refusals.of(game):
            yield
    except asking.NotAsked as fault:
        raise refusals.refuse("not-asked", "not-found") from fault


def _show(answer: Json, machine: bool) -> None:
    """Print an answer: as JSON, or sentences with their articles and everything else as short JSON."""
    if machine:
        print_json(answer)
        return
    for key, item in answer.items():
        if key in SENTENCES:
            print_cited(answer, key)
        elif isinstance(item, list):
            click.echo(f"{key}: {'' if item else '[]'}".rstrip())
            for each in item:
                click.echo(f"  {_compact(each)}")
        else:
            click.echo(f"{key}: {_compact(item)}")


def _compact(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)

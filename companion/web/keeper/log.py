"""The visible trail of a sheet: every step in a sentence, the latest first; for keepers and for watchers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

from flask import Blueprint, render_template, request

from companion.rulebook.book import say, words
from companion.sheets.fold import HistoryEntry
from companion.sheets.scoring import View
from companion.web.keeper.access import kept_sheet
from companion.web.keeper.forms import number_in
from companion.web.keeper.telling import Step, told
from companion.web.sheet_service import sheet_service

STEPS_A_PAGE = 100


@dataclass(frozen=True, slots=True)
class Chapter:
    """The steps that were written while one game was running, the latest first."""

    title: str
    steps: tuple[Step, ...]


@dataclass(frozen=True, slots=True)
class Log:
    """A page of the trail; `older` is the number of the step before which the next page begins, None on the last."""

    chapters: tuple[Chapter, ...]
    older: int | None
    latest: bool


def add_pages(keeper: Blueprint) -> None:
    """The log for keepers; watchers have theirs behind their link."""
    keeper.get("/<lang:lang>/sheets/<sheet>/log")(log_page)


def log_page(lang: str, sheet: str) -> str:
    """Everything that was written on a sheet."""
    view = kept_sheet(sheet)
    return render_log(view, lang, f"sheets/{view.id}", kept=True)


def render_log(view: View, lang: str, home: str, *, kept: bool = False) -> str:
    """The page of the log; `home` is the address of the sheet for this reader, `kept` whether they may write on it."""
    shown = log_of(view, sheet_service().history(view.id), lang, before=_before())
    path = f"{home}/log" + ("" if shown.latest else f"?before={_before()}")
    there = {(game.number, deal.number) for game in view.sheet.games for deal in game.deals}
    return render_template(
        "keeper/log.html", view=view, log=shown, here=f"/{lang}/{home}/log", home=f"/{lang}/{home}",
        there=there if kept else (), path=path,
    )  # fmt: skip


def log_of(view: View, traces: Sequence[HistoryEntry], lang: str, *, before: int | None = None) -> Log:
    """The latest steps before one of that number, in chapters by games."""
    newest = len(traces) if before is None else min(max(before - 1, 0), len(traces))
    first = max(newest - STEPS_A_PAGE, 0)
    steps = [told(trace, view.games, lang) for trace in reversed(traces[first:newest])]
    kinds = {game.number: game.game for trace in traces[first:newest] for game in trace.sheet.games}
    chapters = tuple(
        Chapter(_title(number, kinds.get(number), lang), tuple(group))
        for number, group in groupby(steps, key=lambda step: step.game)
    )
    return Log(chapters, first + 1 if first else None, before is None or newest == len(traces))


def _title(number: int, game: str | None, lang: str) -> str:
    return say(lang, "games.number", number=number, game=words(game, lang).name) if game else say(lang, "trail.begun")


def _before() -> int | None:
    return number_in(request.args.get("before", ""))

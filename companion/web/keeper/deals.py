"""Pages of a deal, its correction with consequences, and the log of a sheet in sentences."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby
from urllib.parse import parse_qsl, urlencode

from flask import abort, flash, redirect, render_template, request
from werkzeug.wrappers import Response

from companion.engine.dialogue import Phrase
from companion.engine.game import Game
from companion.engine.ledger import MISDEAL, adjustment_article
from companion.engine.problems import JsonObject, Problem, Refused
from companion.rulebook.answers import diff_answer
from companion.rulebook.words import say, words
from companion.sheets.event import DealEvent, Description, GameEvent, HistoryEntry, View, house_rules
from companion.sheets.service import Ripple, SheetService
from companion.sheets.state import ByteCache, Sheet, SheetGame
from companion.sheets.store import Conflict, KeyReused
from companion.web.dialogue import effect_sentences, sheet_address
from companion.web.keeper.access import kept_sheet
from companion.web.keeper.board import Board, board, saved_sentence
from companion.web.keeper.entry import (
    WRONG,
    Meanwhile,
    answers_in,
    command_of,
    correction,
    correction_step,
    described_facts,
    has_entry,
    open_step,
    shown_problems,
    write,
)
from companion.web.keeper.house_rules import Form, number_in
from companion.web.sheet_service import sheet_service

# Steps ----------------------------------------------------------------------------------------------------------------

_Games = Mapping[str, Game]


@dataclass(frozen=True, slots=True)
class HistoryLine:
    """One step for a reader: a sentence, more about it, lines removed and lines added, and why.

    `game` is the number of the game that was running, `kind` its id, `place` the game and the recorded deal that it is
    about, `target` the number of the step that it took back or brought back, `unconfirmed` the sides whose confirmation
    it ended.
    """

    seq: int
    at: datetime
    text: str
    in_effect: bool
    more: tuple[str, ...]
    removed: tuple[str, ...]
    added: tuple[str, ...]
    reason: str
    actor: str
    game: int
    kind: str
    place: tuple[int, int] | None
    target: int | None
    unconfirmed: tuple[str, ...]
    brief: bool
    """Whether one line is enough: a call in effect, of which a deal has four."""

    @property
    def size(self) -> int:
        """About how many bytes it takes."""
        texts = (self.text, self.reason, self.actor, *self.more, *self.removed, *self.added)
        return 1_000 + sum(100 + 2 * len(text) for text in texts)


def history_step(trace: HistoryEntry, games: _Games, lang: str) -> HistoryLine:
    """Return an entry of the history in words, with the names of its time."""
    entry, sheet = trace.entry, trace.sheet
    description = trace.description
    own = None if trace.target else description
    removed, added = _changed(trace, own, games, lang) if own else ((), ())
    played = max(sheet.games, trace.earlier.games if trace.earlier else (), key=len)
    return HistoryLine(
        seq=entry.seq,
        at=entry.at,
        text=_sentence(trace, description, lang),
        in_effect=trace.in_effect,
        more=tuple(_more(trace, own, games, lang)) if own else (),
        removed=removed,
        added=added,
        reason=own.reason if own else "",
        actor=entry.actor,
        game=len(played),
        kind=played[-1].game if played else "",
        place=trace.place if trace.in_deal_history else None,
        target=trace.target.seq if trace.target else None,
        unconfirmed=trace.unconfirmed,
        brief=own is not None and own.brief and trace.in_effect,
    )


def _facts_in_words(
    sheet: Sheet, games: _Games, number: int, deal: int, facts: JsonObject | None, lang: str
) -> list[str]:
    """Facts of a deal in a game of a sheet as lines that tell of one side or one question each."""
    game = sheet.games[number - 1]
    view = View("", sheet, games, {})
    wrong = Board(view, game, lang, deal).went_wrong(facts or {})
    if not facts or not has_entry(view, game):
        return wrong
    if facts.get("void"):
        return [say(lang, "keeper.void-mark"), *wrong]
    game = game.with_deal(game.deal(deal)._replace(facts=facts))
    described = described_facts(view, game, deal, lang)
    if described is None:
        step = correction_step(view, game, deal, {}, lang)
        described = [f"{said.label}{say(lang, 'keeper.colon')}{said.value}" for said in step.said]
    return described + wrong


def _sentence(trace: HistoryEntry, description: Description, lang: str) -> str:
    text = _message(trace, description.message, lang)
    event = trace.subject.event
    current = len((trace.earlier if trace.target and trace.earlier else trace.sheet).games)
    if isinstance(event, GameEvent) and event.game_number < current and not description.sides:
        text = say(lang, "trail.in-game", number=event.game_number, what=text)
    if trace.target:
        key = trace.entry.event.describe(trace.sheet, trace.sheet).message.key
        text = say(lang, f"trail.{key}", what=text)
    return text


def _message(trace: HistoryEntry, message: Phrase, lang: str) -> str:
    """Return a message in words, a game called by its name and a call as its game words it."""
    facts = dict(message.facts)
    if "game" in facts:
        facts["game"] = words(str(facts["game"]), lang).name
    event = trace.subject.event
    if "call" in facts and isinstance(event, GameEvent):
        facts["call"] = _call_text(_game_of(trace, event), {"call": facts["call"]}, lang)
    return say(lang, f"trail.{message.key}", **facts)


def _more(trace: HistoryEntry, description: Description, games: _Games, lang: str) -> Iterator[str]:
    """Yield what belongs beside the sentence: sides and rules of a game, rules that differ, notes, reasons."""
    event, sheet = trace.entry.event, trace.sheet
    if description.sides:
        names = sheet.names_in(sheet.games[-1])
        yield " – ".join(names[side.id] for side in description.sides)
    if description.rules and isinstance(event, GameEvent):
        known = games[_game_of(trace, event).game]
        *before, after = (house_rules(known, period) for period in description.rules)
        if before:
            for difference in diff_answer(known, before[0], after, lang)["differences"]:
                yield difference["text"]
        else:
            yield words(known.id, lang).summary(known.options, after)
    for detail in description.details:
        yield _message(trace, detail, lang)
    if description.note:
        yield description.note
    if trace.unconfirmed and isinstance(event, DealEvent):
        names = sheet.names_in(_game_of(trace, event), event.deal)
        yield say(lang, "trail.unconfirmed", players=[names[side] for side in trace.unconfirmed])


def _changed(
    trace: HistoryEntry, description: Description, games: _Games, lang: str
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the lines that an event removed, and those that it added."""
    event = trace.entry.event
    if not isinstance(event, DealEvent) or trace.earlier is None:
        return (), ()
    game = _game_of(trace, event)
    names = trace.earlier.names_in(game, event.deal) if description.call_owners else None
    removed, added = (
        tuple(_call_line(game, call, names, lang) for call in calls)
        for calls in (description.calls_removed, description.calls_added)
    )
    if description.facts_removed:
        before, after = (
            _facts_in_words(trace.sheet, games, event.game_number, event.deal, facts, lang)
            for facts in (trace.before, trace.after)
        )
        removed += tuple(line for line in before if line not in after)
        added += tuple(line for line in after if line not in before)
        return removed, added if description.facts_added else ()
    return removed, added


def _game_of(trace: HistoryEntry, event: GameEvent) -> SheetGame:
    """Return the game of an event, on whichever of the two sheets has it."""
    number = event.game_number
    sheet = trace.sheet if number <= len(trace.sheet.games) or trace.earlier is None else trace.earlier
    return sheet.games[number - 1]


def _call_line(game: SheetGame, call: JsonObject, names: Mapping[str, str] | None, lang: str) -> str:
    text = _call_text(game, call, lang)
    if names is None:
        return text
    who = names.get(call.get("seat") or call.get("side") or "", "")
    return f"{who}{say(lang, 'keeper.colon')}{text}"


def _call_text(game: SheetGame, call: JsonObject, lang: str) -> str:
    return words(game.game, lang).vocabulary.show("call", call.get("call"))


_STEPS: ByteCache[tuple[str, ...], tuple[HistoryLine, ...]] = ByteCache(16 * 1024 * 1024)
"""Steps shown lately: to make them, the whole log is read."""


def _steps(
    service: SheetService,
    view: View,
    lang: str,
    which: str,
    choose: Callable[[list[HistoryEntry]], Iterable[HistoryEntry]],
) -> tuple[HistoryLine, ...]:
    """Return those entries of the history that `choose` returns, in words; `which` says in a word which these are."""
    key = view.id, view.head.tag, lang, which
    steps = _STEPS.get(key)
    if steps is None:
        steps = tuple(history_step(trace, view.games, lang) for trace in choose(service.history(view.id)))
        _STEPS.put(key, steps, sum(step.size for step in steps))
    return steps


# The history of a deal ------------------------------------------------------------------------------------------------


def history(view: View, game: SheetGame, number: int, lang: str) -> tuple[HistoryLine, ...]:
    """The steps of a deal, the first one first, those that were taken back too."""
    place = game.number, number

    def of_deal(traces: Sequence[HistoryEntry]) -> Iterable[HistoryEntry]:
        return [trace for trace in traces if trace.place == place and trace.in_deal_history]

    return _steps(sheet_service(), view, lang, f"deal {place}", of_deal)


def invalidated_confirmations(view: View, game: SheetGame, number: int, steps: Sequence[HistoryLine], lang: str) -> str:
    """Whose confirmation a later change has ended, where they have not confirmed the deal again."""
    ended = [side for step in steps if step.in_effect and not step.target for side in step.unconfirmed]
    names, confirmed = view.sheet.names_in(game, number), game.deal(number).confirmed
    waiting = [names[side] for side in dict.fromkeys(ended) if side not in confirmed]
    return say(lang, "trail.confirm-again", players=waiting) if waiting else ""


# The log --------------------------------------------------------------------------------------------------------------

STEPS_A_PAGE = 100


@dataclass(frozen=True, slots=True)
class Chapter:
    """The steps that were written while one game was running, the latest first."""

    title: str
    steps: tuple[HistoryLine, ...]


@dataclass(frozen=True, slots=True)
class Log:
    """A page of the trail; `older` is the number of the step before which the next page begins, None on the last."""

    chapters: tuple[Chapter, ...]
    older: int | None
    latest: bool


def _log_page(lang: str, sheet: str) -> str:
    """Everything that was written on a sheet."""
    view = kept_sheet(sheet)
    return render_log(view, lang, f"sheets/{view.id}", kept=True)


def render_log(view: View, lang: str, home: str, *, kept: bool = False) -> str:
    """The page of the log; `home` is the address of the sheet for this reader, `kept` whether they may write on it."""
    shown = log_of(view, sheet_service(), lang, before=_before())
    path = f"{home}/log" + ("" if shown.latest else f"?before={_before()}")
    there = {(game.number, deal.number) for game in view.sheet.games for deal in game.deals}
    return render_template(
        "keeper/log.html", view=view, log=shown, home=f"/{lang}/{home}", there=there if kept else (), path=path
    )  # fmt: skip


def log_of(view: View, service: SheetService, lang: str, *, before: int | None = None) -> Log:
    """The latest steps before one of that number, in chapters by games."""
    newest = view.version if before is None else min(max(before - 1, 0), view.version)
    first = max(newest - STEPS_A_PAGE, 0)
    steps = _steps(service, view, lang, f"before {newest}", lambda traces: traces[first:newest][::-1])
    chapters = tuple(
        Chapter(_title(number, kind, lang), tuple(group))
        for (number, kind), group in groupby(steps, key=lambda step: (step.game, step.kind))
    )
    return Log(chapters, first + 1 if first else None, newest == view.version)


def _title(number: int, game: str, lang: str) -> str:
    return say(lang, "games.number", number=number, game=words(game, lang).name) if game else say(lang, "trail.begun")


def _before() -> int | None:
    return number_in(request.args.get("before", ""))


# Pages ----------------------------------------------------------------------------------------------------------------


def _deal_page(lang: str, sheet: str, number: int, game: int | None = None) -> str:
    """Every line of a deal with its article, what was entered, and what has become of it."""
    view = kept_sheet(sheet)
    played = _game_with(view, number, game)
    shown = board(view, lang, number=played.number).at(number)
    steps = history(view, played, number, lang)
    return render_template(
        "keeper/deal.html",
        view=view,
        board=shown,
        deal=played.deal(number),
        scored=shown.ledger.deals[number - 1],
        running=played is view.game,
        step=None
        if played.deal(number).void or not has_entry(view, played)
        else correction_step(view, played, number, {}, lang),
        history=steps,
        invalidated_confirmations=invalidated_confirmations(view, played, number, steps, lang),
        if_void=_if_void(view, played, number, lang),
        key=secrets.token_urlsafe(12),
        path=f"sheets/{view.id}/games/{played.number}/deals/{number}" if game else f"sheets/{view.id}/deals/{number}",
    )


def _if_void(view: View, game: SheetGame, number: int, lang: str) -> dict[str, object]:
    """Return what voiding a deal would change beside its own points, in words: later deals, and what was agreed here.

    Or else the later deal that keeps it from being void, and why.
    """
    if game.deal(number).void:
        return {}
    own, command = words(game.game, lang), {"type": "void_deal", "game_number": game.number, "deal": number}
    try:
        effects = sheet_service().preview(view.id, command).effects
    except Refused as refused:
        place = refused.problems[0].pointer[1:2]
        deal = number if not place or isinstance(place[0], str) else place[0] + 1
        return {"deal": deal, "problems": shown_problems(refused.problems, view, game, own, deal=deal)}
    agreed = adjustment_article(game.game)
    later = [one for one in effects if one.deal > number or (one.line is not None and one.line.article == agreed)]
    return {"effects": effect_sentences(later, own, view.sheet, game)}


def _what_now_page(lang: str, sheet: str, number: int | None = None, game: int | None = None) -> str | Response:
    """What went wrong, who did it, and when it was found; once that is chosen, what it changes.

    Without a number it is about the open deal once that is counted, else about the last recorded one, and a misdeal
    about the open one. What went wrong in the open deal goes back to its entry with the answers, which are in `entry`.
    """
    view = kept_sheet(sheet)
    if not view.sheet.games:
        abort(404)
    played = _game_with(view, number, game) if number else view.sheet.games[-1]
    shown, known = board(view, lang, number=played.number), view.games[played.game]
    last, given = number or len(played.deals), request.args
    answers = dict(parse_qsl(given.get("entry", "")))
    step = None if number or shown.over else open_step(view, answers, lang)
    usual = "open" if answers or played.open.calls or not last else "last"
    place = given.get("in", usual) if step is not None and step.kind != "call" else ""
    if place == "open" and given.get("when") and given.get("what") != MISDEAL:
        wrong = ".".join(given.get(name, "") for name in ("what", "player", "when", "trick"))
        answers[WRONG] = "~".join(filter(None, (answers.get(WRONG), wrong)))
        return redirect(sheet_address(lang, sheet, answers), 303)
    open_one = place == "open" or given.get("what") == MISDEAL or not last
    meant = number or (played.open.number if open_one else last)
    kinds = [each for each in known.irregular if (each != MISDEAL if last or place else each == MISDEAL)]
    if (last or place) and not (shown.over if not number else played.deal(last).void):
        kinds.append(MISDEAL)
    ripple: Ripple | None = None
    problems: Sequence[Problem] = ()
    if given.get("what") and given.get("player") and (given["what"] == MISDEAL or (last and place != "open")):
        try:
            ripple = sheet_service().preview(view.id, command_of("irregularity", given, view, lang))
        except Refused as refused:
            problems = refused.problems
    return render_template(
        "keeper/what-now.html",
        view=view,
        board=shown.at(meant),
        kinds=[(each, shown.words.vocabulary.show("kind", each)) for each in kinds],
        people=list(dict.fromkeys([*played.seating, *(side.id for side in played.sides)])),
        deal=number and played.deal(number),
        last=last,
        place=place,
        misdealt=number or played.open.number,
        tricks=getattr(view.house(played, last or None).options, "tricks", 0),
        given=given,
        ripple=ripple,
        problems=shown_problems(problems, view, played, shown.words, deal=meant),
        key=secrets.token_urlsafe(12),
        path=request.full_path.removeprefix(f"/{lang}/").rstrip("?"),
    )


def _correct_page(lang: str, sheet: str, number: int, game: int | None = None) -> str:
    """The facts of a deal as questions; once one is answered otherwise, what that would change."""
    view = kept_sheet(sheet)
    return _render(view, _game_with(view, number, game), number, lang, request.args)


def correct(lang: str, sheet: str, number: int, game: int | None = None) -> Response | tuple[str, int]:
    """Put the corrected facts in the place of the old ones; those stay in the history."""
    view = kept_sheet(sheet)
    played = _game_with(view, number, game)
    try:
        done = write("correct", view, lang)
    except (Conflict, KeyReused):
        view = kept_sheet(sheet)
        moved = Meanwhile(say(lang, "keeper.stale"))
        return _render(view, _game_with(view, number, played.number), number, lang, request.form, moved=moved), 409
    except Refused as refused:
        return _render(view, played, number, lang, request.form, refused.problems), 422
    if done.entries and not done.replayed:
        flash(saved_sentence(done.view, "correct", lang, earlier=played.number < len(view.sheet.games)), "saved")
    return redirect(f"/{lang}/sheets/{sheet}", 303)


def _render(
    view: View,
    game: SheetGame,
    number: int,
    lang: str,
    answers: Form,
    problems: Sequence[Problem] = (),
    moved: Meanwhile | None = None,
) -> str:
    given = answers_in(answers)
    stage = correction_step(view, game, number, given, lang)
    own = words(game.game, lang)
    ripple, differs = None, bool(problems)
    if stage.facts is not None and not problems:
        try:
            command = {"type": "correct_deal", **correction(answers, view, game, number, lang)}
            recorded = {key: item for key, item in game.deal(number).facts.items() if key != "adjustments"}
            differs = command["facts"] != recorded or command["calls"] is not None
            ripple = sheet_service().preview(view.id, command)
        except Refused as refused:
            problems, differs = refused.problems, True
    shown = board(view, lang, number=game.number).at(number)
    return render_template(
        "keeper/correct.html",
        view=view,
        board=shown,
        deal=game.deal(number),
        stage=stage,
        differs=differs,
        ripple=ripple,
        problems=shown_problems(problems, view, game, own, stage, number),
        accept=[p.code for p in problems] if problems and all(p.acceptable for p in problems) else [],
        moved=moved,
        confirmed=[shown.columns[side] for side in game.deal(number).confirmed],
        key=secrets.token_urlsafe(12),
        running=game is view.game,
        path=f"sheets/{view.id}/games/{game.number}/deals/{number}/correct?{urlencode(given)}",
    )


def _game_with(view: View, number: int, place: int | None) -> SheetGame:
    """The game of that number, the running one where none is named; it must have such a deal."""
    games = view.sheet.games
    if place is None:
        place = len(games)
    if not 1 <= place <= len(games) or not 1 <= number <= len(games[place - 1].deals):
        abort(404)
    return games[place - 1]


ROUTES = {
    "GET /sheets/<sheet>/log": _log_page,
    "GET /sheets/<sheet>/deals/<int:number>": _deal_page,
    "GET /sheets/<sheet>/games/<int:game>/deals/<int:number>": _deal_page,
    "GET /sheets/<sheet>/deals/<int:number>/correct": _correct_page,
    "POST /sheets/<sheet>/deals/<int:number>/correct": correct,
    "GET /sheets/<sheet>/games/<int:game>/deals/<int:number>/correct": _correct_page,
    "POST /sheets/<sheet>/games/<int:game>/deals/<int:number>/correct": correct,
    "GET /sheets/<sheet>/what-now": _what_now_page,
    "GET /sheets/<sheet>/games/<int:game>/deals/<int:number>/what-now": _what_now_page,
}
"""The log for keepers (watchers have theirs behind their link), the page of a deal and its correction."""

"""The keeper's entry of a deal: steps of the game's own entry, in words, for the templates and the forms."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Final, cast
from urllib.parse import urlencode

from flask import Response, current_app, flash, jsonify, request
from werkzeug.datastructures import MultiDict

from companion.engine.dialogue import Prompt, Text
from companion.engine.entry import Answered, Answers, Entry, EntryStep, Sitting
from companion.engine.game import Game
from companion.engine.ledger import MISDEAL, Adjustment, Irregularity
from companion.engine.problems import JsonObject, Problem, Refused
from companion.rulebook.words import Words, article_url, say, words
from companion.sheets.event import View, require_deal, require_game, require_seat
from companion.sheets.group_events import Group, KeepRules
from companion.sheets.groups import GroupView
from companion.sheets.service import Done, Ripple
from companion.sheets.shapes import SEAT_IDS, Head
from companion.sheets.state import SheetDeal, SheetGame
from companion.sheets.store import NO_VERSION, Link, NoSuchSheet, is_group
from companion.web.dialogue import Drawer, by_name
from companion.web.keeper.access import device_key, kept_sheet, own_link
from companion.web.keeper.board import ASKED, SIDE_MARKS, Board, board, next_seating
from companion.web.keeper.house_rules import Form, given_rules, number_in, number_or_text
from companion.web.sheet_service import device_service, group_service, sheet_service

TAG = "d"
"""The field that names the deal which the answers belong to."""
WRONG = "wrong"
"""The answer that keeps what went wrong in the open deal: kind, player, when and trick of each."""
_NOT_ANSWERS = frozenset({
    "csrf_token", "v", "key", TAG, "who", "call", "place", "game", "deal", "reason", "accept", "accept-reason", "side",
    "points", "sign", "seat", "player", "from_deal", "name", "note", "title", "target", "dealer", "what", "when",
    "trick", "swap", "preset", "options",
})  # fmt: skip
"""Fields that forms send beside the answers."""


def answers_in(given: Answers) -> dict[str, str]:
    """Return the answers among the fields of an address or a form; a number half typed is asked for again."""
    found = {name: value for name, value in given.items() if name not in _NOT_ANSWERS and not name.startswith("o.")}
    return found | {"ask": found.pop("typed").partition(".")[0]} if "typed" in found else found


def open_step(view: View, answers: Answers, lang: str) -> EntryStep | None:
    """Return the next step of the open deal in words; None without a game that is entered in steps."""
    game = view.game
    entry = view.games[game.game].load_entry() if game else None
    if game is None or entry is None:
        return None
    given = answers_in(answers)
    noted = "" if given.get("ask") == WRONG else given.get(WRONG, "")
    given = {name: value for name, value in given.items() if name != WRONG} | ({WRONG: noted} if noted else {})
    wrong = {
        "irregularities": [_irregularity_of(*(*one.split("."), "", "", "")[:4]) for one in noted.split("~") if one]
    }
    sitting = replace(sitting_of(view, game), irregularities=_irregularities(game, wrong))
    step = _drawer_of(view, game, lang).in_words(entry.step(sitting, given))
    if not noted or step.kind == "call":
        return step
    text = say(lang, "keeper.comma").join(board(view, lang).went_wrong(wrong))
    said = (*step.said, Answered(WRONG, say(lang, "keeper.what-now"), text))
    return replace(step, said=said, hint=f"{text} {step.hint}".strip(), facts=step.facts and {**step.facts, **wrong})


def correction_step(view: View, game: SheetGame, number: int, answers: Answers, lang: str) -> EntryStep:
    """Return the step of a recorded deal in words, its facts filled in. Raises KeyError for a game without an entry."""
    entry, deal = view.games[game.game].load_entry(), game.deal(number)
    if entry is None:
        raise KeyError(game.game)
    scored = view.ledgers[game.number - 1].deals[number - 1].sides
    totals = {side: one.standing.total - one.points for side, one in scored.items()}
    sitting = replace(sitting_of(view, game, number), totals=totals)
    step = entry.correction(sitting, None if deal.void else deal.facts, answers_in(answers))
    return _drawer_of(view, game, lang, number).in_words(step)


def described_facts(view: View, game: SheetGame, number: int, lang: str) -> list[str] | None:
    """Return the facts of a deal in words, a line for each side; None for a game that does not describe them."""
    entry = view.games[game.game].load_entry()
    if entry is None or entry.describe is None:
        return None
    drawer = _drawer_of(view, game, lang, number)
    return [drawer.text(line) for line in entry.describe(sitting_of(view, game, number), game.deal(number).facts)]


def outline(board: Board, deal: SheetDeal) -> dict[str, str]:
    """Return what each side called and made in a recorded deal in a few signs, by its id; empty where nobody says."""
    entry = board.known.load_entry()
    if entry is None or entry.outline is None or deal.void:
        return {}
    drawer = _drawer_of(board.view, board.game, board.lang)
    found = entry.outline(sitting_of(board.view, board.game, deal.number), deal.facts)
    return {side: drawer.text(text) for side, text in found.items()}


def has_entry(view: View, game: SheetGame) -> bool:
    """Return whether deals of this game are entered in steps."""
    return view.games[game.game].entry is not None


def sitting_of(view: View, game: SheetGame, number: int | None = None) -> Sitting:
    """Return what an entry needs to know of a sheet, for the open deal or a recorded one."""
    standing = view.ledger.standing if number is None and game is view.game and view.ledger else {}
    beside = game.open.adjustments if number is None else game.deal(number).facts.get("adjustments", ())
    return Sitting(
        rules=view.house(game, number).options,
        sides=game.sides,
        seating=game.seating,
        names=view.sheet.state.names_at(game.number, number or game.open.number),
        dealer=game.open.dealer if number is None else game.deal(number).dealer,
        calls=game.open.calls if number is None else game.deal(number).calls,
        deals=tuple(deal.facts for deal in game.deals),
        opening=game.opening,
        totals={side: at.total for side, at in standing.items()},
        adjustments=tuple(Adjustment(**given) for given in beside),
        irregularities=_irregularities(game, {} if number is None else game.deal(number).facts),
    )


def _irregularities(game: SheetGame, facts: JsonObject) -> tuple[Irregularity, ...]:
    """Return what the facts of a deal say went wrong, as far as it is known of which side."""
    of = {name: side.id for side in game.sides for name in (side.id, *side.players)}
    return tuple(Irregularity(**one, side=of[one["by"]]) for one in facts.get("irregularities", ()) if one["by"] in of)


def _drawer_of(view: View, game: SheetGame, lang: str, deal: int | None = None) -> Drawer:
    """Return what puts the entry of a sheet into words, its players called by name."""
    names = view.sheet.names_in(game, deal)
    return Drawer(view.games[game.game], lang, lambda facts: by_name(facts, names))


# Problems and fixes ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Fix:
    """A tap that puts things right, or that opens the one answer to look at again (`settles` is false)."""

    question: str
    value: str
    label: str
    settles: bool = True


@dataclass(frozen=True, slots=True)
class ShownProblem:
    """A problem in words, with its article and its fixes."""

    text: str
    url: str = ""
    fixes: tuple[Fix, ...] = ()


def shown_problems(
    problems: Sequence[Problem], view: View, game: SheetGame, own: Words, stage: EntryStep | None = None,
    deal: int | None = None,
) -> list[ShownProblem]:  # fmt: skip
    """Return the problems with fixes for the answers of the stage, and the names of whoever played the deal."""
    names = dict(own.vocabulary.by_fact.get("side", {})) | view.sheet.names_in(game, deal)
    known = view.games[game.game]
    return [
        ShownProblem(
            own.problem(replace(problem, facts=by_name(problem.facts, names))),
            article_url(own.lang, problem.article) if problem.article else "",
            tuple(_fixes(problem, known, game, names, stage)) if stage else (),
        )
        for problem in problems
    ]


def _fixes(problem: Problem, known: Game, game: SheetGame, names: Mapping[str, str], stage: EntryStep) -> Iterator[Fix]:
    """Yield the answers that would fix a problem, or else those to check again."""
    if stage.facts is None:
        return
    answers = known.fixes.answers(problem, stage.facts, game.sides)
    if answers is not None:
        for answer in answers:
            name = names[answer.side]
            label = name if problem.code in known.fixes.holders else f"{name}: {answer.value}"
            yield Fix(answer.question, answer.value, label)
        return
    for said in stage.said:
        if said.question and known.fixes.suspect(problem, said.question, said.side):
            changes = said.question.startswith("change=")
            question, value = ("change", said.question[7:]) if changes else ("ask", said.question)
            yield Fix(question, value, f"{said.label} {said.value}", settles=False)


# Written in the meantime ----------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Meanwhile:
    """What to say, and where this phone's counts can be laid beside what stands on the sheet."""

    text: str
    url: str = ""


def tag_of(game: SheetGame) -> str:
    """The open deal as counts name it: `2.7` is the seventh deal of the second game."""
    return f"{game.number}.{game.open.number}"


def belongs(game: SheetGame, answers: Answers) -> bool:
    """Whether the answers were given for the deal that is still open."""
    return answers.get(TAG) in (None, tag_of(game))


def meanwhile(view: View, answers: Answers, lang: str) -> Meanwhile:
    """What to tell somebody who wrote on a sheet as it no longer stands."""
    game = view.game
    number = _deal_meant(game, answers) if game else None
    counts = {name: item for name, item in answers_in(answers).items() if name not in ("ask", "change")}
    counts = {} if counts.keys() == {"by"} else counts  # a way to count, and nothing counted yet
    if game is not None and counts and belongs(game, answers):
        return Meanwhile(say(lang, "keeper.stale-kept"))
    if game is None or number is None or not counts:
        return Meanwhile(say(lang, "keeper.stale"))
    facts = correction_step(view, game, number, counts, lang).facts
    if facts is not None and _counted(facts) == _counted(game.deal(number).facts):
        return Meanwhile(say(lang, "keeper.stale-same", number=number))
    url = f"/{lang}/sheets/{view.id}/deals/{number}/correct?{urlencode(counts)}"
    return Meanwhile(say(lang, "keeper.stale-deal", number=number), url)


def _deal_meant(game: SheetGame, answers: Answers) -> int | None:
    """The recorded deal to which the answers belong, if it is one of the running game that counts."""
    match answers.get(TAG, "").split("."):
        case [first, second] if first == str(game.number) and second.isascii() and second.isdigit():
            number = int(second[:6])
            return number if 1 <= number <= len(game.deals) and not game.deal(number).void else None
    return None


def _counted(facts: Mapping[str, object]) -> dict[str, object]:
    """The facts without what a keeper adds beside the counts."""
    return {key: item for key, item in facts.items() if key not in ("accept", "adjustments")}


# Reading --------------------------------------------------------------------------------------------------------------


def command_of(kind: str, form: Form, view: View, lang: str) -> Mapping[str, object]:
    """The command behind a form. Raises Refused where the form cannot be read."""
    return {"type": COMMANDS[kind][0], **COMMANDS[kind][1](form, view, lang)}


def base_version(form: Form, view: View) -> int | None:
    """The version of the sheet on which the form was filled in, which no sheet has if it was another history.

    Raises Refused where it cannot be read.
    """
    if form.get("v") in (view.head.tag, None):
        return view.version if "v" in form else None
    return NO_VERSION if seen_before(form, view) else _integer(form, "v")


def seen_before(form: Form, view: View) -> bool:
    """Whether the form was filled in on an older sheet, or on one whose history is no longer there."""
    seen = form.get("v", str(view.version))
    return Head.version_in(seen) is not None and seen not in (view.head.tag, str(view.version))


def key_of(form: Form) -> str | None:
    """The key that makes a form sent twice harmless."""
    return form.get("key") or None


def _game_in(form: Form, view: View) -> SheetGame:
    """Return the game that a form is about, the running one where it names none. Raises Refused."""
    return require_game(view.sheet, _integer(form, "game") if form.get("game") else None)


def call_given(caller: str, word: str, known: Game | None) -> dict[str, object]:
    """The call behind a button: of a caller such as `seat:N` or `side:A`, the word that the button sends."""
    kind, _, who = caller.partition(":")
    seat, slash, rest = word.partition("/")
    call: dict[str, object] = {kind: who} if kind in ("seat", "side") else {}
    if slash:
        call["seat"], word = seat, rest
    call["call"] = int(word) if word.isascii() and word.isdigit() and len(word) < 4 else word
    return call | dict(known.call_facts(word)) if known else call


def _call(form: Form, view: View) -> dict[str, object]:
    known = view.games[view.game.game] if view.game else None
    return call_given(form.get("who", ""), form.get("call", ""), known)


def _record(form: Form, view: View, lang: str) -> dict[str, object]:
    stage = open_step(view, form, lang)
    if stage is None or stage.facts is None:
        raise Refused([Problem((), "facts-missing")])
    return {"facts": {**stage.facts, **_accepted(form)}}


def _correct(form: Form, view: View, lang: str) -> dict[str, object]:
    found = correction(form, view, _game_in(form, view), _integer(form, "deal"), lang)
    return found | {"reason": form.get("reason", "")}


def correction(form: Form, view: View, game: SheetGame, number: int, lang: str) -> dict[str, object]:
    """The command that a correction form stands for. Raises Refused where something is still to be answered."""
    recorded = require_deal(game, number).facts
    stage = correction_step(view, game, number, form, lang)
    if stage.facts is None:
        raise Refused([Problem((), "facts-missing")])
    facts = {**stage.facts, **_accepted(form)}
    if "accept" not in facts and recorded.get("accept"):
        facts["accept"] = list(recorded["accept"])
    return {"deal": number, "facts": facts, "game_number": game.number, "calls": stage.calls and list(stage.calls)}


def _accepted(form: Form) -> dict[str, object]:
    codes, reasons = form.getlist("accept"), [reason.strip() for reason in form.getlist("accept-reason")]
    reason = next(filter(None, reasons), "")  # one that was ticked, or own words
    return {"accept": [{"code": code, "reason": reason} for code in codes]} if codes and reason else {}


def _void(form: Form, view: View, lang: str) -> dict[str, object]:
    return {"reason": form.get("reason", ""), "dealer_stays": form.get("dealer") == "stays"} | _place(form)


def _irregularity(form: Form, view: View, lang: str) -> dict[str, object]:
    """Put what went wrong into a recorded deal, by default the last; after a misdeal void it, or the open deal."""
    entry = _irregularity_of(*(form.get(name, "") for name in ("what", "player", "when", "trick")))
    if entry["kind"] == MISDEAL:
        return {"type": "void_deal", "irregularities": [entry], **_place(form)}
    game = _game_in(form, view)
    number = _integer(form, "deal") if form.get("deal") else len(game.deals)
    facts = require_deal(game, number).facts
    listed = [*facts.get("irregularities", ()), entry]
    return {"deal": number, "facts": {**facts, "irregularities": listed}, "game_number": game.number}


def _irregularity_of(kind: str, by: str, when: str, trick: str) -> dict[str, object]:
    """Return an irregularity as the facts of a deal have it."""
    entry: dict[str, object] = {"kind": kind, "by": by}
    entry |= {"corrected": True} if when == "in-time" else {}
    return entry | ({"trick": number_or_text(trick)} if trick else {})


def _adjust(form: Form, view: View, lang: str) -> dict[str, object]:
    points = _integer(form, "points")
    points = -abs(points) if form.get("sign") == "minus" else points
    return {"side": form.get("side", ""), "points": points, "reason": form.get("reason", "")} | _place(form)


def _rematch(form: Form, view: View, lang: str) -> dict[str, object]:
    game = view.game
    return {"seating": list(next_seating(game.seating))} if form.get("swap") and game else {}


def _rules(form: Form, view: View, lang: str) -> dict[str, object]:
    game = view.game
    if game is None:
        raise Refused([Problem((), "no-game")])
    command = {"rules": given_rules(view.games[game.game], form), "note": form.get("note", "")}
    return command | _numbers(form, deal="deal")


def _target(form: Form, view: View, lang: str) -> dict[str, object]:
    return _numbers(form, target="target")


def _names(form: Form, view: View, lang: str) -> dict[str, object]:
    names = {seat: form[f"name.{seat}"] for seat in view.sheet.names if f"name.{seat}" in form}
    return {"names": names, "title": form.get("title", "")}


def _take_seat(form: Form, view: View, lang: str) -> dict[str, object]:
    seat = form.get("seat", "")
    require_seat(seat, list(view.sheet.names))
    return {"seat": seat, "player": form.get("player", ""), "from_deal": _integer(form, "from_deal")}


def _fields(*names: str) -> Callable[[Form, View, str], dict[str, object]]:
    return lambda form, view, lang: _place(form) | {name: form.get(name, "") for name in names}


def _place(form: Form) -> dict[str, object]:
    """The game and the deal that a form names; what it does not name is the running one, the open one."""
    return _numbers(form, game_number="game", deal="deal")


def _numbers(form: Form, **fields: str) -> dict[str, object]:
    """The numbers in these fields of a form, by their names in a command, as far as they are filled in."""
    return {name: _integer(form, field) for name, field in fields.items() if form.get(field)}


def _integer(form: Form, name: str) -> int:
    number = number_in(form.get(name, ""))
    if number is None:
        raise Refused([Problem((name,), "type", {"expected": "integer"})])
    return number


COMMANDS: Mapping[str, tuple[str, Callable[[Form, View, str], dict[str, object]]]] = {
    "call": ("make_call", lambda form, view, lang: {"call": _call(form, view)}),
    "change-call": (
        "change_call",
        lambda form, view, lang: {"place": _integer(form, "place"), "call": _call(form, view)},
    ),
    "clear-calls": ("clear_calls", _fields()),
    "record": ("record_deal", _record),
    "correct": ("correct_deal", _correct),
    "void": ("void_deal", _void),
    "adjust": ("adjust", _adjust),
    "irregularity": ("correct_deal", _irregularity),
    "confirm": ("confirm_deal", _fields("side")),
    "note": ("write_note", _fields("note")),
    "dealer": ("set_dealer", _fields("seat")),
    "skip-dealer": ("skip_dealer", _fields()),
    "names": ("set_names", _names),
    "take-seat": ("take_seat", _take_seat),
    "rules": ("change_rules", _rules),
    "rematch": ("rematch", _rematch),
    "undo": ("undo", _target),
    "redo": ("redo", _target),
}


# Writing --------------------------------------------------------------------------------------------------------------


def write(kind: str, view: View, lang: str) -> Done:
    """What was written, under the label of this device's link.

    Raises Refused where the form or the sheet does not allow it, Conflict where others wrote since the form was shown,
    KeyReused where its key has been used for something else.
    """
    form = request.form
    command = command_of(kind, form, view, lang)
    link = own_link(view.id)
    done = sheet_service().do(view.id, command, base_version=base_version(form, view), key=key_of(form), link=link)
    if kind == "take-seat":
        for group, keeping in groups_of(view.id):
            with suppress(Refused):  # a group that is full counts them as a guest
                group_service().substitute(group.id, view.id, form["seat"], link=keeping)
    return done


def preview(view: View, command: JsonObject) -> tuple[Ripple | None, Sequence[Problem]]:
    """Return what a command would change, or why it is refused."""
    try:
        return sheet_service().preview(view.id, command), ()
    except Refused as refused:
        return None, refused.problems


_MOST = 16
"""Questions that are looked ahead: four calls and the counts of every side are fewer."""
_MAX_SAMPLED = 6
"""Up to so many answers are each tried; of a longer row of numbers the lowest, a middle and the highest one."""
CALLERS = (ASKED, "side:")
"""How questions begin that ask for a call."""


@dataclass(slots=True)
class Upcoming:
    """A question that is asked now or later, and the index of the one that follows after each ordinary answer.

    After a number that is typed, whichever it is, the same one follows: its index is under the empty text.
    """

    prompt: Prompt
    after: dict[str, int] = field(default_factory=dict)
    label: Text = ""
    """What its answer is called beside the answer."""


def ahead(lang: str, sheet: str) -> Response:
    """The question of the open deal and those after it, as JSON with a drawing of each."""
    view = kept_sheet(sheet)
    game = view.game
    questions: list[dict[str, object]] = []
    if game is not None and belongs(game, request.args) and not (view.ledger and view.ledger.outcome.over):
        context: dict[str, object] = {}
        current_app.update_template_context(context)
        macros = current_app.jinja_env.get_template("keeper/macros.html").make_module(context)
        drawer, draw = _drawer_of(view, game, lang), macros.question_field  # type: ignore[attr-defined]
        names = view.sheet.names_in(game)
        marks = {names[side.id]: mark for side, mark in zip(game.sides, SIDE_MARKS, strict=False)}
        for one in _upcoming(view, game, answers_in(request.args)):
            prompt = drawer.in_words(one.prompt)
            name = "call" if prompt.id.startswith(CALLERS) else prompt.id
            drawn = {"question": prompt.id, "html": draw(prompt, name, marks), "label": drawer.text(one.label)}
            questions.append(drawn | {"after": one.after})
    answer = jsonify(deal=tag_of(game) if game else "", questions=questions, stops=say(lang, "keeper.stops"))
    answer.headers["Cache-Control"] = "no-store"
    return answer


def _upcoming(view: View, game: SheetGame, answers: Answers) -> list[Upcoming]:
    """Return the question now asked and those that follow after ordinary answers.

    An answer is ordinary if the rules allow it. Where a keypad of numbers leads to several questions, none is said to
    come next. The server asks anew in any case: a question that turns out to be another one costs an answer that is
    not sent, never one that is written for somebody else.
    """
    known = view.games[game.game]
    entry = known.load_entry()
    if entry is None:
        return []
    sitting = sitting_of(view, game)
    first = entry.step(sitting, answers)
    found = [Upcoming(first.question)] if first.question else []
    steps = deque([(sitting, first)] if found else [])
    for one in found:
        sitting, step = steps.popleft()
        values = _legal_answers(one.prompt)
        tried = {value: _answered(entry, known, sitting, step, one.prompt, value) for value in _samples(values)}
        before = {said.question for said in step.said}
        one.label = next(
            (said.label for _, to in tried.values() for said in to.said if said.question not in before), ""
        )
        far = len(values) == len(tried)
        asked = {value: tuple(_follow(entry, known, *to, far=far)) for value, to in tried.items()}
        if not far:
            same = set(asked.values())
            asked = dict.fromkeys(values, same.pop()) if len(same) == 1 else {}
        for way in dict.fromkeys(asked.values()):
            if way[:1] in ((), (one.prompt.id,)) or len(found) == _MOST:
                continue
            leading = [value for value in asked if asked[value] == way]
            after = max((tried[value] for value in leading if value in tried), key=_room)
            one.after |= dict.fromkeys(("",) if one.prompt.span else leading, len(found))
            found.append(Upcoming(cast("Prompt", after[1].question)))
            steps.append(after)
    return found


def _follow(entry: Entry, known: Game, sitting: Sitting, step: EntryStep, *, far: bool) -> Iterator[str]:
    """Yield the question of a step, and from afar those after it while everybody gives the first answer allowed."""
    for _ in range(_MOST if far else 1):
        if step.question is None:
            return
        yield step.question.id
        if not (values := _legal_answers(step.question)):
            return
        sitting, step = _answered(entry, known, sitting, step, step.question, values[0])


def _answered(
    entry: Entry, known: Game, sitting: Sitting, step: EntryStep, prompt: Prompt, value: str
) -> tuple[Sitting, EntryStep]:
    """Return what an entry knows and asks once a question has been answered."""
    if step.kind == "call":
        sitting = replace(sitting, calls=(*sitting.calls, call_given(prompt.id, value, known)))
        return sitting, entry.step(sitting, {})
    return sitting, entry.step(sitting, {**(step.answers or {}), prompt.id: value})


def _legal_answers(prompt: Prompt) -> list[str]:
    """Return the answers that the rules allow, of a long list the numbers; none where an earlier call is changed."""
    choices = [choice for group in prompt.groups for choice in group]
    if prompt.span:
        return [str(prompt.span[1])]
    if prompt.place is not None or any(choice.pressed is not None for choice in choices):
        return []
    if len(choices) > _MAX_SAMPLED:
        choices = [choice for choice in prompt.groups[0] if choice.value.isdecimal()]
    return [choice.value for choice in choices if not choice.tone]


def _samples(values: Sequence[str]) -> Sequence[str]:
    return values if len(values) <= _MAX_SAMPLED else [values[0], values[len(values) // 2], values[-1]]


def _room(reached: tuple[Sitting, EntryStep]) -> int:
    """How many buttons a step offers: of several drawings of a question the one with the most serves all answers."""
    prompt = reached[1].question
    return sum(map(len, prompt.groups)) if prompt else 0


MOST_NAMES: Final = len(SEAT_IDS)
"""Names in the form of a new sheet."""
TABLE: Final = ("league", "round", "table")
"""Fields that say for which table of a league a sheet is opened."""


def picked_group(form: Form) -> Group | None:
    """Return the group for which a sheet is opened; None without one, or where this device does not keep it."""
    group, key = form.get("group", ""), device_key()
    try:
        if key is None or not is_group(group):
            return None
        device_service().link(key, group)
        return group_service().read(group).group
    except NoSuchSheet:
        return None


def groups_of(sheet: str) -> Iterator[tuple[GroupView, Link]]:
    """Yield the groups to which a sheet belongs among those that this device keeps, with the link of each."""
    key = device_key()
    for group in device_service().groups(key) if key else ():
        with suppress(NoSuchSheet):
            link, view = device_service().link(key or "", group), group_service().read(group)
            if sheet in view.group.sheets:
                yield view, link


def picked_form(asked: Form) -> Form:
    """Return the form of a new sheet with the players of a group that an address names; an empty one without."""
    group = picked_group(asked)
    if group is None:
        return MultiDict()
    players = [member for each in asked.getlist("player") if (member := group.members.get(each)) and member.current]
    names = [member.name for member in dict.fromkeys(players)][:MOST_NAMES]
    kept = {name: asked[name] for name in ("group", *TABLE) if name in asked}
    return MultiDict(
        kept | {f"name{place}": name for place, name in enumerate(names + [""] * (MOST_NAMES - len(names)))}
    )


def join_picked(form: Form, sheet: str, lang: str) -> None:
    """Let a new sheet belong to the group for which it was opened, and keep its house rules for the next one.

    What keeps it from that is said on the next page.
    """
    if picked_group(form) is None:
        return
    typed = [form.get(name, "") for name in TABLE]
    table = [int(each) for each in typed if each.isascii() and each.isdigit() and len(each) < 6]
    key, group = device_key() or "", form["group"]
    try:
        link = device_service().link(key, group)
        service = group_service()
        service.join(group, sheet, link=link, table=table if len(table) == len(TABLE) else ())
        view = service.sheets.read(sheet)
        if view.game is not None:
            code = view.games[view.game.game].options.code(view.house(view.game))
            service.do(group, KeepRules(view.game.game, code), link=link)
    except Refused as refused:
        flash(" ".join(words("", lang).problem(problem) for problem in refused.problems), "warning")


ROUTES = {"GET /sheets/<sheet>/ahead": ahead}
"""What a script asks for after it has shown a sheet."""

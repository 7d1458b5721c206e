"""Forms of the keeper's pages: read as the commands that a sheet understands, and written on it."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from flask import request

from companion.engine.game import Game
from companion.engine.problems import Problem, Refused
from companion.sheets.anchors import Head
from companion.sheets.scoring import View
from companion.sheets.service import Done
from companion.sheets.state import SheetGame
from companion.sheets.store import NO_VERSION
from companion.web.keeper.access import own_link
from companion.web.keeper.entry import correction_step, open_step
from companion.web.keeper.house_rules import Form, given_rules
from companion.web.keeper.rotation import next_seating
from companion.web.sheet_service import sheet_service

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


def game_in(form: Form, view: View) -> SheetGame:
    """The game that a form is about, the running one where it names none. Raises Refused where there is none."""
    number = _integer(form, "game") if form.get("game") else len(view.sheet.games)
    if not 1 <= number <= len(view.sheet.games):
        raise Refused([Problem(("game",), "unknown-game-number", {"value": number, "count": len(view.sheet.games)})])
    return view.sheet.games[number - 1]


def number_in(text: str) -> int | None:
    """The whole number that somebody typed, of seven digits at most; None for anything else."""
    plain = text.strip().replace("−", "-")
    digits = plain.removeprefix("-")
    return int(plain) if digits.isascii() and digits.isdigit() and len(digits) < 8 else None


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


def _make_call(form: Form, view: View, lang: str) -> dict[str, object]:
    return {"call": _call(form, view)}


def _change_call(form: Form, view: View, lang: str) -> dict[str, object]:
    return {"place": _integer(form, "place"), "call": _call(form, view)}


def _record(form: Form, view: View, lang: str) -> dict[str, object]:
    stage = open_step(view, form, lang)
    if stage is None or stage.facts is None:
        raise Refused([Problem((), "facts-missing")])
    return {"facts": {**stage.facts, **_accepted(form)}}


def _correct(form: Form, view: View, lang: str) -> dict[str, object]:
    game, number = game_in(form, view), _integer(form, "deal")
    facts = corrected_facts(form, view, game, number, lang)
    return {"deal": number, "facts": facts, "reason": form.get("reason", ""), "game_number": game.number}


def corrected_facts(form: Form, view: View, game: SheetGame, number: int, lang: str) -> dict[str, object]:
    """The facts that a correction form stands for. Raises Refused where something is still to be answered."""
    if not 1 <= number <= len(game.deals):
        raise Refused([Problem(("deal",), "unknown-deal", {"deal": number})])
    stage = correction_step(view, game, number, form, lang)
    if stage.facts is None:
        raise Refused([Problem((), "facts-missing")])
    facts = {**stage.facts, **_accepted(form)}
    if "accept" not in facts and game.deal(number).facts.get("accept"):
        facts["accept"] = list(game.deal(number).facts["accept"])
    return facts


def _accepted(form: Form) -> dict[str, object]:
    codes, reasons = form.getlist("accept"), [reason.strip() for reason in form.getlist("accept-reason")]
    reason = next(filter(None, reasons), "")  # one that was ticked, or own words
    return {"accept": [{"code": code, "reason": reason} for code in codes]} if codes and reason else {}


def _void(form: Form, view: View, lang: str) -> dict[str, object]:
    command: dict[str, object] = {"reason": form.get("reason", ""), "dealer_stays": form.get("dealer") == "stays"}
    return command | _place(form)


def _adjust(form: Form, view: View, lang: str) -> dict[str, object]:
    points = _integer(form, "points") * (-1 if form.get("sign") == "minus" else 1)
    return {"side": form.get("side", ""), "points": points, "reason": form.get("reason", "")} | _place(form)


def _rematch(form: Form, view: View, lang: str) -> dict[str, object]:
    game = view.game
    return {"seating": list(next_seating(game.seating))} if form.get("swap") and game else {}


def _rules(form: Form, view: View, lang: str) -> dict[str, object]:
    game = view.game
    if game is None:
        raise Refused([Problem((), "no-game")])
    command: dict[str, object] = {"rules": given_rules(view.games[game.game], form), "note": form.get("note", "")}
    return command | ({"deal": _integer(form, "deal")} if form.get("deal") else {})


def _nothing(form: Form, view: View, lang: str) -> dict[str, object]:
    return {}


def _target(form: Form, view: View, lang: str) -> dict[str, object]:
    return {"target": _integer(form, "target")} if form.get("target") else {}


def _fields(*names: str) -> Callable[[Form, View, str], dict[str, object]]:
    return lambda form, view, lang: {name: form.get(name, "") for name in names}


def _deal_and(*names: str) -> Callable[[Form, View, str], dict[str, object]]:
    def build(form: Form, view: View, lang: str) -> dict[str, object]:
        return _place(form) | {name: form.get(name, "") for name in names}

    return build


def _place(form: Form) -> dict[str, object]:
    """The game and the deal that a form names; what it does not name is the running one, the open one."""
    named = (("game", "game_number"), ("deal", "deal"))
    return {field: _integer(form, name) for name, field in named if form.get(name)}


def _integer(form: Form, name: str) -> int:
    number = number_in(form.get(name, ""))
    if number is None:
        raise Refused([Problem((name,), "type", {"expected": "integer"})])
    return number


COMMANDS: Mapping[str, tuple[str, Callable[[Form, View, str], dict[str, object]]]] = {
    "call": ("make_call", _make_call),
    "change-call": ("change_call", _change_call),
    "clear-calls": ("clear_calls", _nothing),
    "record": ("record_deal", _record),
    "correct": ("correct_deal", _correct),
    "void": ("void_deal", _void),
    "adjust": ("adjust", _adjust),
    "confirm": ("confirm_deal", _deal_and("side")),
    "note": ("write_note", _deal_and("note")),
    "dealer": ("set_dealer", _fields("seat")),
    "skip-dealer": ("skip_dealer", _nothing),
    "rename": ("rename_player", _fields("seat", "name")),
    "title": ("title_sheet", _fields("title")),
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
    return sheet_service().do(view.id, command, base_version=base_version(form, view), key=key_of(form), link=link)

"""Pages of house rules: one set with its code, two compared, sets kept on this device, the settings of a sheet."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from urllib.parse import urlencode

from flask import abort, flash, make_response, redirect, render_template, request
from werkzeug.wrappers import Response

from companion.engine.cards import number_text
from companion.engine.chooser import read_chooser
from companion.engine.evenings import Leaders
from companion.engine.game import Game
from companion.engine.ledger import SCORED, Ledger
from companion.engine.options import HouseRules
from companion.engine.problems import Node, Problem, Refused, read_whole
from companion.games import GAMES
from companion.rulebook.answers import diff_answer
from companion.rulebook.words import say, words
from companion.sheets.event import View
from companion.sheets.shapes import sides_json
from companion.sheets.state import SheetGame
from companion.web.dialogue import effect_sentences
from companion.web.http import with_root
from companion.web.keeper.access import kept_sheet, kept_sheets
from companion.web.keeper.board import Board, board
from companion.web.keeper.entry import ShownProblem, groups_of, preview, shown_problems
from companion.web.keeper.house_rules import (
    Choices,
    Form,
    NotKept,
    OwnPreset,
    RuleSet,
    Wrong,
    asked_rules,
    choices,
    codes_within,
    form_rules,
    given_rules,
    number_in,
    option_groups,
    own_presets,
    read_code,
    renamed,
    rule_set,
    set_url,
    store,
    with_kept,
    without,
)
from companion.web.sheet_service import sheet_service

_Page = Response | str | tuple[str, int]


def overview(lang: str) -> _Page:
    """The sets that this device keeps, the presets, and a place to type a code; an unknown code gets the reason."""
    typed = request.args.get("code")
    if typed is None:
        return _overview(lang)
    game = GAMES.get(request.args.get("game", ""))
    asked = read_code(typed, lang, game)
    if asked.game is None or asked.house is None:
        return _overview(lang, typed=typed, wrong=asked.wrong), 422
    return redirect(set_url(lang, asked.game, asked.house), 303)


def shared(lang: str) -> _Page:
    """The set whose code or address somebody sends to this app from another one, within whatever text."""
    text = " ".join(filter(None, (request.args.get(name) for name in ("url", "text", "title"))))
    for asked in codes_within(text, lang):
        return redirect(set_url(lang, *asked), 303)
    return _overview(lang, typed=text, wrong=read_code(text, lang).wrong), 422


def one_set(lang: str, game_id: str, code: str) -> _Page:
    """One set of house rules with every option; codes written otherwise lead to the one way of writing them."""
    game = GAMES.get(game_id) or abort(404)
    asked = read_code(code, lang, game)
    if asked.house is None:
        return _overview(lang, typed=code, wrong=asked.wrong), 404
    if game.options.code(asked.house) != code:
        return redirect(set_url(lang, game, asked.house))
    return _one_set(lang, game, asked.house)


def which(lang: str, game_id: str) -> str:
    """Questions about how people play, and the rules that the answers in the address mean."""
    game = GAMES.get(game_id)
    if game is None or game.chooser is None:
        abort(404)
    own, chooser = words(game.id, lang), read_chooser(game.chooser)
    given = {name: request.args[name] for name, known in chooser.questions.items() if request.args.get(name) in known}
    found = chooser.choose(given)
    house = read_whole({"preset": found.preset, "options": found.options}, game.options.read)
    query = f"?{urlencode(given)}" if given else ""
    html = render_template(
        "keeper/which.html", game=game, own=own, questions=chooser.questions, given=given, house=house,
        set=rule_set(game, house, lang) if request.args else None, notes=found.notes,
        also=[(code, own.preset_label(code)) for code in found.also], path=f"house-rules/{game_id}/which{query}",
    )  # fmt: skip
    return with_root(html)


def compare(lang: str, game_id: str) -> _Page:
    """What two sets of a game play differently, in plain words; either may be chosen, typed or scanned."""
    game = GAMES.get(game_id) or abort(404)
    asked = {name: asked_rules(request.args, name, lang, game) for name in ("one", "other")}
    sets = {name: rule_set(game, each.house, lang) if each.house else None for name, each in asked.items()}
    one, other = asked["one"].house, asked["other"].house
    html = render_template(
        "keeper/compare-rules.html", game=game, name=words(game.id, lang).name, sets=sets, both=bool(one and other),
        listed=choices(game, lang, sheets=kept_sheets(), also=[each for each in sets.values() if each]),
        wrong={name: each.wrong for name, each in asked.items()},
        differences=_sentences(game, one, other, _names(sets, lang), lang) if one and other else [],
    )  # fmt: skip
    return (html, 422) if any(each.wrong for each in asked.values()) else html


def chosen(lang: str, game_id: str) -> str:
    """What a form of options stands for so far: the part of the page that a script keeps up to date."""
    game = GAMES.get(game_id) or abort(404)
    house, problems = form_rules(game, request.form)
    own = words(game.id, lang)
    return render_template(
        "keeper/chosen.html", set=rule_set(game, house, lang) if house else None,
        problems=[ShownProblem(own.problem(problem)) for problem in problems],
    )  # fmt: skip


def keep(lang: str) -> _Page:
    """Keep a set on this device under a name."""
    game = GAMES.get(request.form.get("game", "")) or abort(404)
    try:
        house = game.options.decode(request.form.get("code", ""))
        kept = with_kept(own_presets(), game, request.form.get("name", ""), game.options.code(house))
    except Refused:
        abort(422)
    except NotKept as no:
        return _one_set(lang, game, house, wrong=_say_no(no, lang)), 422
    flash(say(lang, "house-rules.is-kept", name=kept[-1].name), "saved")
    return store(redirect(set_url(lang, game, house), 303), kept)


def rename(lang: str) -> _Page:
    """Give a kept set another name."""
    game, name = request.form.get("game", ""), request.form.get("name", "")
    try:
        kept = renamed(own_presets(), game, name, request.form.get("to", ""))
    except NotKept as no:
        return _overview(lang, wrong=(Wrong(_say_no(no, lang)),)), 422
    flash(say(lang, "house-rules.is-renamed"), "saved")
    return store(redirect(f"/{lang}/house-rules", 303), kept)


def _forget_set(lang: str) -> _Page:
    """Keep a set no longer; it can be kept again with one tap."""
    game, name = request.form.get("game", ""), request.form.get("name", "")
    gone = next((each for each in own_presets(game) if each.name == name), None)
    if gone is None:
        return redirect(f"/{lang}/house-rules", 303)
    left = without(own_presets(), game, name)
    return store(make_response(_overview(lang, kept=left, gone=gone)), left)


def _overview(
    lang: str,
    *,
    typed: str = "",
    wrong: tuple[Wrong, ...] = (),
    kept: list[OwnPreset] | None = None,
    gone: OwnPreset | None = None,
) -> str:
    own = [(each, _shown(each, lang)) for each in (own_presets() if kept is None else kept)]
    games = [
        (game, words(game.id, lang), [(each, shown) for each, shown in own if each.game == game.id])
        for game in GAMES.values()
    ]
    return render_template(
        "keeper/house-rules.html", games=games, any_own=bool(own), typed=typed[:200], wrong=wrong, gone=gone,
        path="house-rules",
    )  # fmt: skip


def _shown(own: OwnPreset, lang: str) -> RuleSet:
    game = GAMES[own.game]
    return rule_set(game, game.options.decode(own.code), lang)


def _one_set(lang: str, game: Game, house: HouseRules[object], wrong: str = "") -> str:
    shown = rule_set(game, house, lang)
    return render_template(
        "keeper/rule-set.html", set=shown, wrong=wrong, path=f"house-rules/{game.id}/{shown.code}",
        groups=option_groups(game, game.options.plain(house.options), lang, preset=house.preset),
        listed=choices(game, lang), kept=[each for each in own_presets(game.id) if each.code == shown.code],
    )  # fmt: skip


def _names(sets: dict[str, RuleSet | None], lang: str) -> tuple[str, str]:
    """What the two sets are called in sentences: by name where they have different ones, else the first and second."""
    names = [each.name if each else "" for each in sets.values()]
    if len({*names} - {""}) < 2:
        return say(lang, "house-rules.the-first"), say(lang, "house-rules.the-second")
    return names[0], names[1]


def _sentences(
    game: Game, one: HouseRules[object], other: HouseRules[object], names: tuple[str, str], lang: str
) -> list[dict[str, str]]:
    own = words(game.id, lang)
    shown = []
    for each in diff_answer(game, one, other, lang)["differences"]:
        option = game.options.options[each["option"]]
        facts = {which: own.option_value(option, each[which]) for which in ("one", "other")}
        text = say(lang, "house-rules.differ", label=each["label"], first=names[0], second=names[1], **facts)
        shown.append({"text": text, "label": each["label"], "url": each["url"]})
    return shown


def _say_no(no: NotKept, lang: str) -> str:
    return say(lang, f"house-rules.{no.reason}", **no.facts)


# The same deals under other rules -------------------------------------------------------------------------------------


def _what_if(lang: str, sheet: str) -> str | tuple[str, int]:
    """The page; nothing is written on the sheet. `?rules=` is a preset, a code or a set kept on this device."""
    view = kept_sheet(sheet)
    shown = board(view, lang)
    game = view.games[shown.game.game]
    given = request.args if "preset" not in request.args else Form({"rules": request.args["preset"]})
    asked = asked_rules(given, "rules", lang, game)
    html = render_template(
        "keeper/what-if.html", view=view, board=shown, game=game, wrong=asked.wrong,
        under=_under(view, shown, game, asked.house, lang) if asked.house else None,
        listed=fitting(game, shown.game, lang), would=partial(_totals, view, game),
    )  # fmt: skip
    return (html, 422) if asked.wrong else html


def _totals(view: View, game: Game, code: str) -> list[int]:
    """The totals of the running game by another set; none where it refuses what was entered."""
    try:
        after = sheet_service().what_if(view, game.options.decode(code)).after
    except Refused:
        return []
    return [at.total for at in after.standing.values()]


def fitting(game: Game, played: SheetGame, lang: str) -> list[Choices]:
    """The sets that can be chosen without typing and by which the sides of a game could play."""

    def fits(code: str) -> bool:
        node = Node(sides_json(played.sides), ("sides",))
        game.read_sides(node, game.options.decode(code).options)
        return not node.problems

    groups = [replace(group, sets=tuple(each for each in group.sets if fits(each[0]))) for group in choices(game, lang)]
    return [group for group in groups if group.sets]


def _under(view: View, shown: Board, game: Game, house: HouseRules[object], lang: str) -> dict[str, object]:
    """Return a game under other rules: the set, every deal, how each would have ended, what the rules say otherwise."""
    own, rules = words(game.id, lang), rule_set(game, house, lang)
    try:
        ripple = sheet_service().what_if(view, house)
    except Refused as refused:
        return {"set": rules, "problems": shown_problems(refused.problems, view, shown.game, own)}
    leaders, name = partial(game.leaders, house.options), rules.name or rules.summary
    changes = [
        _ending(shown.leaders, ripple.before, shown.columns, lang, "house-rules.was", ""),
        _ending(leaders, ripple.after, shown.columns, lang, "house-rules.would", name),
    ]
    before, after = ripple.before.outcome, ripple.after.outcome
    if before.over and after.over:
        same = set(before.winners) == set(after.winners)
        changes.append(say(lang, "house-rules.same-winner" if same else "house-rules.other-winner"))
    differences = diff_answer(game, view.house(shown.game), house, lang)["differences"]
    return {"set": rules, "deals": ripple.deals, "changes": changes, "differences": differences}


def _ending(leaders: Leaders, ledger: Ledger, names: dict[str, str], lang: str, key: str, rules: str) -> str:
    """How a game ended or stands, as a sentence."""
    totals = ledger.standing
    scored = [number for number, deal in enumerate(ledger.deals, start=1) if deal.status == SCORED]
    facts = {
        "rules": rules,
        "deal": scored[-1] if scored else 0,
        "totals": [f"{names[side]} {number_text(at.total)}" for side, at in totals.items()],
    }
    if ledger.outcome.over:
        return say(lang, f"{key}-won", winners=[names[side] for side in ledger.outcome.winners], **facts)
    ahead = [names[side] for side in leaders(totals)]
    state = "leads" if len(ahead) < len(totals) else "level"
    return say(lang, f"{key}-{state}", winners=ahead, **facts)


# Change from a deal on ------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Period:
    """From which deal on which rules hold, what they changed, and the note with which they came."""

    first_deal: int
    summary: str
    differences: Sequence[Mapping[str, object]]
    note: str


def _rules_page(lang: str, sheet: str) -> str | tuple[str, int]:
    """The house rules of the sheet, with a form to change them; `?rules=` fills it in with another set."""
    view = kept_sheet(sheet)
    asked = asked_rules(request.args, "rules", lang, view.games[_game(view).game])
    html = _render(view, lang, asked.house, request.args, wrong=asked.wrong)
    return (html, 422) if asked.wrong else html


def _propose(lang: str, sheet: str) -> Response | tuple[str, int]:
    """Options from the form, on the way to the page that shows what they would change."""
    view = kept_sheet(sheet)
    known = view.games[_game(view).game]
    house, problems = form_rules(known, request.form)
    if house is None:
        return render_rules(view, lang, request.form, problems), 422
    code = known.options.code(house)
    query = {"rules": code, "deal": request.form.get("deal", ""), "note": request.form.get("note", "")}
    return redirect(f"/{lang}/sheets/{view.id}/rules/change?{_query(query)}", 303)


def _change_page(lang: str, sheet: str) -> str | Response | tuple[str, int]:
    """What other rules would change from a deal on, in plain words, before anything is saved."""
    view = kept_sheet(sheet)
    game = _game(view)
    known, own = view.games[game.game], words(game.game, lang)
    asked = asked_rules(request.args, "rules", lang, known)
    if asked.house is None:
        return _render(view, lang, None, request.args, wrong=asked.wrong), 422
    number, note = _deal(game, request.args), request.args.get("note", "").strip()[:200]
    now, code = view.house(game, number), known.options.code(asked.house)
    rules = {"preset": asked.house.preset, "options": known.options.plain(asked.house.options)}
    ripple, problems = preview(view, {"type": "change_rules", "deal": number, "note": note, "rules": rules})
    return render_template(
        "keeper/rules-change.html", view=view, board=board(view, lang), set=rule_set(known, asked.house, lang),
        number=number, note=note, differences=diff_answer(known, now, asked.house, lang)["differences"],
        same=number == game.open.number and known.options.code(now) == code,
        ripple=ripple,
        effects=effect_sentences([one for one in ripple.effects if one.line or one.tally], own, view.sheet, game)
        if ripple
        else [],
        later=[period.first_deal for period in game.periods if period.first_deal > number],
        problems=shown_problems(problems, view, game, own), key=secrets.token_urlsafe(12),
        back=_query({"rules": code, "deal": number, "note": note}),
    )  # fmt: skip


def render_rules(view: View, lang: str, form: Form, problems: Sequence[Problem]) -> str:
    """The page of the house rules with a form as it was sent, and what is wrong with it."""
    return _render(view, lang, None, form, problems=problems, sent=True)


def periods(view: View, game: SheetGame, lang: str) -> list[Period]:
    """The rules of a game as they changed from deal to deal, the first ones first."""
    known, own = view.games[game.game], words(game.game, lang)
    periods: list[Period] = []
    before: HouseRules[object] | None = None
    for period in game.periods:
        house = view.house(game, period.first_deal)
        differences = diff_answer(known, before, house, lang)["differences"] if before else []
        periods.append(Period(period.first_deal, own.summary(known.options, house), differences, period.note))
        before = house
    return periods


def _render(
    view: View,
    lang: str,
    house: HouseRules[object] | None,
    given: Form,
    *,
    problems: Sequence[Problem] = (),
    wrong: tuple[Wrong, ...] = (),
    sent: bool = False,
) -> str:
    game, shown = _game(view), board(view, lang)
    known, own, now = view.games[game.game], words(game.game, lang), view.house(game)
    filled = f"?{_query(request.args)}" if house else ""
    preset, values = _filled(known, house or now, given if sent else Form())
    return render_template(
        "keeper/rules.html", view=view, board=shown, own=own, game=known, preset=preset,
        set=rule_set(known, now, lang), groups=option_groups(known, values, lang, preset=preset),
        listed=fitting(known, game, lang),
        problems=shown_problems(problems, view, game, own), wrong=wrong, note=given.get("note", ""),
        number=_deal(game, given), periods=periods(view, game, lang), path=f"sheets/{view.id}/rules{filled}",
    )  # fmt: skip


def _filled(known: Game, house: HouseRules[object], form: Form) -> tuple[str, dict[str, object]]:
    """The preset and the values of the form: as it was sent, where it was, else those of a set."""
    if "options" not in form and "rules" not in form:
        return house.preset, known.options.plain(house.options)
    given = given_rules(known, form)
    preset = given["preset"] if given["preset"] in known.options.presets else house.preset
    return preset, known.options.plain(known.options.preset(preset).options) | given.get("options", {})


def _game(view: View) -> SheetGame:
    return view.game or abort(404)


def _deal(game: SheetGame, given: Form) -> int:
    """The deal from which the change counts; the open one unless another is named."""
    number = number_in(given.get("deal", ""))
    return number if number and 1 <= number <= game.open.number else game.open.number


def _query(facts: Mapping[str, object]) -> str:
    return urlencode({key: item for key, item in facts.items() if item}, safe="~")


# Settings -------------------------------------------------------------------------------------------------------------


def _settings_page(lang: str, sheet: str) -> str:
    """Names, the dealer, a void deal, an adjustment, the exports."""
    view = kept_sheet(sheet)
    shown = board(view, lang)
    rules = rule_set(view.games[shown.game.game], view.house(shown.game), lang)
    members = {member.name: member for group, _ in groups_of(view.id) for member in group.group.current}
    return render_template(
        "keeper/settings.html", view=view, board=shown, set=rules, key=secrets.token_urlsafe(12),
        members=[member for name, member in members.items() if name not in view.sheet.names.values()],
        path=f"sheets/{view.id}/settings",
    )  # fmt: skip


ROUTES = {
    "GET /house-rules": overview,
    "GET /house-rules/shared": shared,
    "POST /house-rules/keep": keep,
    "POST /house-rules/rename": rename,
    "POST /house-rules/forget": _forget_set,
    "GET /house-rules/<game_id>/compare": compare,
    "POST /house-rules/<game_id>/chosen": chosen,
    "GET /house-rules/<game_id>/which": which,
    "GET /house-rules/<game_id>/<code>": one_set,
    "GET /sheets/<sheet>/settings": _settings_page,
    "GET /sheets/<sheet>/rules": _rules_page,
    "POST /sheets/<sheet>/rules": _propose,
    "GET /sheets/<sheet>/rules/change": _change_page,
    "GET /sheets/<sheet>/what-if": _what_if,
}
"""Everything under `/<lang>/house-rules`, and the settings of a sheet."""

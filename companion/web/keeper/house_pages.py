"""Pages about house rules before any sheet: one set with its code, two sets compared, sets kept on this device."""

from __future__ import annotations

from flask import Blueprint, abort, flash, make_response, redirect, render_template, request
from werkzeug.wrappers import Response

from companion.engine.game import Game
from companion.engine.options import HouseRules
from companion.engine.problems import Refused
from companion.games import GAMES
from companion.rulebook.book import say, words
from companion.rulebook.catalogue_answers import diff_answer
from companion.web.keeper.access import kept_sheets
from companion.web.keeper.house_rules import (
    RuleSet,
    Wrong,
    asked_rules,
    choices,
    codes_within,
    form_rules,
    option_groups,
    read_code,
    rule_set,
    set_url,
)
from companion.web.keeper.presets import NotKept, OwnPreset, own_presets, renamed, store, with_kept, without
from companion.web.keeper.problems import ShownProblem

Page = Response | str | tuple[str, int]


def add_pages(keeper: Blueprint) -> None:
    """Everything under `/<lang>/house-rules`."""
    keeper.get("/<lang:lang>/house-rules")(overview)
    keeper.get("/<lang:lang>/house-rules/shared")(shared)
    keeper.post("/<lang:lang>/house-rules/keep")(keep)
    keeper.post("/<lang:lang>/house-rules/rename")(rename)
    keeper.post("/<lang:lang>/house-rules/forget")(forget_set)
    keeper.get("/<lang:lang>/house-rules/<game_id>/compare")(compare)
    keeper.post("/<lang:lang>/house-rules/<game_id>/chosen")(chosen)
    keeper.get("/<lang:lang>/house-rules/<game_id>/<code>")(one_set)


def overview(lang: str) -> Page:
    """The sets that this device keeps, the presets, and a place to type a code; an unknown code gets the reason."""
    typed = request.args.get("code")
    if typed is None:
        return _overview(lang)
    game = GAMES.get(request.args.get("game", ""))
    asked = read_code(typed, lang, game)
    if asked.game is None or asked.house is None:
        return _overview(lang, typed=typed, wrong=asked.wrong), 422
    return redirect(set_url(lang, asked.game, asked.house), 303)


def shared(lang: str) -> Page:
    """The set whose code or address somebody sends to this app from another one, within whatever text."""
    text = " ".join(filter(None, (request.args.get(name) for name in ("url", "text", "title"))))
    for asked in codes_within(text, lang):
        return redirect(set_url(lang, *asked), 303)
    found = read_code(text, lang)
    return _overview(lang, typed=text, wrong=found.wrong), 422


def one_set(lang: str, game_id: str, code: str) -> Page:
    """One set of house rules with every option; codes written otherwise lead to the one way of writing them."""
    game = GAMES.get(game_id) or abort(404)
    asked = read_code(code, lang, game)
    if asked.house is None:
        return _overview(lang, typed=code, wrong=asked.wrong), 404
    if game.options.code(asked.house) != code:
        return redirect(set_url(lang, game, asked.house))
    return _one_set(lang, game, asked.house)


def compare(lang: str, game_id: str) -> Page:
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


def keep(lang: str) -> Page:
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


def rename(lang: str) -> Page:
    """Give a kept set another name."""
    game, name = request.form.get("game", ""), request.form.get("name", "")
    try:
        kept = renamed(own_presets(), game, name, request.form.get("to", ""))
    except NotKept as no:
        return _overview(lang, wrong=(Wrong(_say_no(no, lang)),)), 422
    flash(say(lang, "house-rules.is-renamed"), "saved")
    return store(redirect(f"/{lang}/house-rules", 303), kept)


def forget_set(lang: str) -> Page:
    """Keep a set no longer; it can be kept again with one tap."""
    game, name = request.form.get("game", ""), request.form.get("name", "")
    kept = own_presets()
    gone = next((each for each in kept if (each.game, each.name) == (game, name)), None)
    if gone is None:
        return redirect(f"/{lang}/house-rules", 303)
    response = make_response(_overview(lang, kept=without(kept, game, name), gone=gone))
    return store(response, without(kept, game, name))


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
    if not all(names) or names[0] == names[1]:
        return say(lang, "house-rules.the-first"), say(lang, "house-rules.the-second")
    return names[0], names[1]


def _sentences(
    game: Game, one: HouseRules[object], other: HouseRules[object], names: tuple[str, str], lang: str
) -> list[dict[str, str]]:
    own = words(game.id, lang)
    shown = []
    for each in diff_answer(game, one, other, lang)["differences"]:
        option = game.options.options[each["option"]]
        first, second = own.option_value(option, each["one"]), own.option_value(option, each["other"])
        facts = {"first": names[0], "one": first, "second": names[1], "other": second}
        text = say(lang, "house-rules.differ", label=each["label"], **facts)
        shown.append({"text": text, "label": each["label"], "url": each["url"]})
    return shown


def _say_no(no: NotKept, lang: str) -> str:
    return say(lang, f"house-rules.{no.reason}", **no.facts)

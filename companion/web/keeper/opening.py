"""My sheets, the way to a new one, and the games of a sheet."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from urllib.parse import urlencode

from flask import abort, redirect, render_template, request
from werkzeug.wrappers import Response

from companion.engine.cards import number_text
from companion.engine.chooser import Chooser, read_chooser
from companion.engine.game import Game
from companion.engine.ledger import SCORED
from companion.engine.options import HouseRules
from companion.engine.problems import Problem, Refused, read_whole
from companion.games import GAMES
from companion.rulebook.words import say, words
from companion.sheets.event import View
from companion.sheets.events import possible_seats
from companion.sheets.group_events import normal_name
from companion.sheets.shapes import SEAT_IDS
from companion.web.keeper.access import PAGE, count_kept, form_seed, is_signed_out, kept_sheet, kept_sheets, remember
from companion.web.keeper.board import board
from companion.web.keeper.entry import MOST_NAMES, TABLE, ShownProblem, join_picked, picked_form, picked_group
from companion.web.keeper.exports import play_url
from companion.web.keeper.house_rules import (
    Form,
    RuleSet,
    Wrong,
    agreements,
    asked_rules,
    choices,
    form_rules,
    given_rules,
    number_in,
    number_or_text,
    offer_json,
    offered_options,
    option_groups,
    own_presets,
    read_code,
    rule_set,
    usual_options,
)
from companion.web.keeper.rules_pages import periods
from companion.web.sheet_service import sheet_service


def _my_sheets(lang: str) -> str:
    """The sheets that this device may keep."""
    pages = max(1, -(-count_kept() // PAGE))
    page = min(max(number_in(request.args.get("page", "")) or 1, 1), pages)
    sheets = [(view, board(view, lang)) for view in kept_sheets(skip=(page - 1) * PAGE) if view.game]
    return render_template(
        "keeper/sheets.html", sheets=sheets, page=page, pages=pages, signed_out=is_signed_out(), path="sheets"
    )  # fmt: skip


def choose(lang: str) -> str:
    """Which game, and by which preset or kept rules."""
    games = [(game, words(game.id, lang), _kept(game, lang)) for game in GAMES.values()]
    return render_template("keeper/choose.html", games=games, path="sheets/new")


def _new_sheet(lang: str, game_id: str) -> str | tuple[str, int]:
    """The form of a new sheet, ready to be sent as it stands; an unknown code in the address gets the reason."""
    game = GAMES.get(game_id) or abort(404)
    form, players = picked_form(request.args), request.args.getlist("player")
    if "rules" in request.args:
        asked = read_code(request.args["rules"] or game.options.default_preset, lang, game)
        if asked.house is None:
            return _form(game, lang, game.options.preset(), form, wrong=asked.wrong), 422
        house = asked.house
    else:
        house = read_whole({"preset": game.options.default_preset, "options": usual_options(game)}, game.options.read)
    count = len(_taken(form))
    if count and count not in possible_seats(game, house.options):
        tables = _tables(game, house).values()
        house = next((table for table in tables if count in possible_seats(game, table.options)), house)
    possible = possible_seats(game, house.options)
    facts = {"count": count, "possible": possible}
    problems = [Problem(("seats",), "table-size", facts)] if count and count not in possible else []
    return _form(game, lang, house, form, problems, players=players)


def open_sheet(lang: str, game_id: str) -> Response | str | tuple[str, int]:
    """A new sheet from the form, kept by this device from now on; or the form again, with other rules filled in."""
    game = GAMES.get(game_id) or abort(404)
    form = request.form
    step, typed = form.get("step", ""), form.get("start-code", "").strip()
    if step == "use" or "kind" in form or (typed and step in ("", "names")):
        return _started_from(game, lang, form)
    house, problems = form_rules(game, form)
    if step == "names":  # a phone's Enter key presses the first button
        return _form(game, lang, house, form, problems)
    if ("same" not in form and _same_names(form)) or _unnamed(form):
        return _form(game, lang, house, form, problems), 422
    if step == "look":
        html = _form(game, lang, house, form, problems, opened=True)
        return (html, 422) if problems else html
    try:
        opened = sheet_service().open_sheet(_asked(game, lang, form, house), watch=False, seed=form_seed())
    except Refused as refused:
        return _form(game, lang, house, form, refused.problems), 422
    remember(opened.score_link)
    join_picked(form, opened.id, lang)
    return redirect(f"/{lang}/sheets/{opened.id}", 303)


def _started_from(game: Game, lang: str, form: Form) -> str | tuple[str, int]:
    """The form with the options of another preset, of kept rules, or of a code that was typed."""
    asked = read_code(form["kind"], lang, game) if "kind" in form else asked_rules(form, "start", lang, game)
    if asked.house is None:
        house, problems = form_rules(game, form)
        return _form(game, lang, house, form, problems, wrong=asked.wrong), 422
    return _form(game, lang, asked.house, form, opened="kind" not in form)


def _asked(game: Game, lang: str, form: Form, house: HouseRules[object] | None) -> dict[str, object]:
    """The sheet that a form asks for."""
    names = _names(form)
    seats = [names[place] for place in _taken(form)]
    asked: dict[str, object] = {
        "seats": seats, "lang": lang, "game": game.id, "rules": given_rules(game, form)
    }  # fmt: skip
    if form.get("title", "").strip():
        asked["title"] = form["title"]
    place = number_in(form.get("dealer", ""))
    if place in _taken(form):
        asked["dealer"] = SEAT_IDS[_taken(form).index(place)]
    ways = game.seatings(house.options) if house else ()
    sides = next((way.sides(SEAT_IDS[: len(seats)]) for way in ways if way.players == len(seats)), ())
    paper = {side.id: _on_paper(game, form, place) for side, place in zip(sides, _taken(form), strict=False)}
    asked["opening"] = {side: found for side, found in paper.items() if found}
    return asked


def _on_paper(game: Game, form: Form, place: int) -> dict[str, object]:
    """Return what a side brings from paper, of what is typed at the place of its first player."""
    typed = {name: form.get(f"paper{place}.{name}", "").strip() for name in ("total", *game.paper_tallies)}
    return {name: number_or_text(text) for name, text in typed.items() if text}


def _names(form: Form) -> list[str]:
    return [form.get(f"name{place}", "").strip() for place in range(MOST_NAMES)]


def _taken(form: Form) -> list[int]:
    """Return the places of the form that have a name: a sheet has no empty seats."""
    return [place for place, name in enumerate(_names(form)) if name]


def _same_names(form: Form) -> list[int]:
    """Return the places of the form whose name somebody before them has."""
    names = [normal_name(name) for name in _names(form)]
    return [place for place, name in enumerate(names) if name and name in names[:place]]


def _unnamed(form: Form) -> list[int]:
    """Return the places of the form without a name for which points are typed."""
    typed = {name.partition(".")[0] for name, value in form.items() if value.strip()}
    return [place for place, name in enumerate(_names(form)) if not name and f"paper{place}" in typed]


def _wrong_names(problems: Sequence[Problem], form: Form, lang: str) -> dict[int, str]:
    """Return what is wrong with a name, or to be asked about it, by its place on the form."""
    taken, wrong = _taken(form), {place: say(lang, "sheets.name-missing") for place in _unnamed(form)}
    wrong |= {place: say(lang, "sheets.name-twice") for place in _same_names(form) if "same" not in form}
    return wrong | {
        taken[problem.pointer[1]]: say(lang, "sheets.name-long", **problem.facts)
        for problem in problems
        if problem.code == "length" and problem.pointer[0] == "seats" and isinstance(problem.pointer[1], int)
    }


def _form(
    game: Game,
    lang: str,
    house: HouseRules[object] | None,
    form: Form,
    problems: Sequence[Problem] = (),
    *,
    wrong: Sequence[Wrong] = (),
    opened: bool = False,
    players: Sequence[str] = (),
) -> str:
    """The form with these house rules; without any, since they cannot be, with the options as they were sent."""
    own = words(game.id, lang)
    if house is not None:
        preset, values = house.preset, game.options.plain(house.options)
    else:
        sent = form.get("preset", "")
        preset = sent if sent in game.options.presets else game.options.default_preset
        base = game.options.plain(game.options.preset(preset).options)
        values = base | given_rules(game, form).get("options", {})
    rules = (house or game.options.preset(preset)).options
    ways, counts = tuple(game.seatings(rules)), possible_seats(game, rules)
    usual = [say(lang, f"keeper.seat-{place + 1}") for place in range(max(counts))]
    picks = picked_group(form)
    untold = counts[0] if picks is None else 0  # a name that nobody has typed would become a player of the group
    seats = [form.get(f"name{place}", name if place < untold else "") for place, name in enumerate(usual)]
    code = game.options.code(house) if house else preset
    wrong_names = _wrong_names(problems, form, lang)
    others = [problem for problem in problems if not (wrong_names and problem.pointer[:1] == ("seats",))]
    untouched = (place for place, name in enumerate(seats) if name in ("", usual[place]))
    shown = rule_set(game, house, lang) if house else None
    tables = _tables(game, house) if house else {}
    kinds = next((_kinds(game, house, people) for people, table in tables.items() if table is house), {})
    asked = [("rules", code)] if form or "rules" in request.args else []
    if picks:
        asked += [(name, form[name]) for name in ("group", *TABLE) if name in form]
        asked += [("player", player) for player in players]
    differing = {str(each["option"]) for each in shown.differences} if shown else set()
    return render_template(
        "keeper/new.html",
        game=game,
        own=own,
        preset=preset,
        code=code,
        picks=picks,
        counts=counts,
        seats=seats,
        form=form,
        pairs=next((way for way in ways if way.side_players == 2), None),
        brought=any(name.startswith("paper") and value for name, value in form.items()),
        next_name=next(untouched, None) if form.get("step") == "names" else None,
        same=_same_names(form),
        usual=usual,
        tables={people: game.options.code(table) for people, table in tables.items()},
        kinds=kinds,
        paper=("total", *(name for name in game.paper_tallies if name in game.tallies(rules))),
        groups=option_groups(game, values, lang, preset=preset),
        set=shown,
        rest_as_preset=bool(differing) and differing <= offered_options(game),
        listed=choices(game, lang),
        agreements=agreements(game, rules, values),
        offer_json=offer_json,
        wrong_names=wrong_names,
        opened=opened or bool(others) or bool(wrong),
        problems=[ShownProblem(own.problem(problem)) for problem in others],
        wrong=wrong,
        path=f"sheets/new/{game.id}" + (f"?{urlencode(asked)}" if asked else ""),
    )


def _tables(game: Game, house: HouseRules[object]) -> dict[str, HouseRules[object]]:
    """Return these rules for as many players as the chooser of the game asks about, by its answers."""
    if game.chooser is None:
        return {}
    chooser = read_chooser(game.chooser)
    return {people: _table(game, chooser, house, people) for people in chooser.questions["people"]}


def _table(game: Game, chooser: Chooser, house: HouseRules[object], people: str) -> HouseRules[object]:
    """Return these rules for so many players, who are an answer of the chooser."""

    def read(preset: str, given: Mapping[str, object]) -> HouseRules[object]:
        return read_whole({"preset": preset, "options": given}, game.options.read)

    def differing(said: Mapping[str, str]) -> dict[str, object]:
        usual = chooser.choose(said)
        rules = read(usual.preset, usual.options).options
        return {each.name: value for each, _, value in game.options.differences(rules, house.options)}

    alone = chooser.choose({"people": people})
    simple = read(alone.preset, alone.options)
    wanted = game.seatings(simple.options)
    if wanted == game.seatings(house.options):
        return house
    counts = chooser.questions["people"]
    said = min(
        ({**each, "people": count} for each in chooser.answers(house.preset) for count in counts),
        key=lambda each: len(differing(each)),
    )
    found = chooser.choose({**said, "people": people})
    preset = house.preset if found.preset == chooser.choose(said).preset else found.preset
    with suppress(Refused):
        table = read(preset, {**found.options, **differing(said)})
        if game.seatings(table.options) == wanted:
            return table
    return simple


def _kinds(game: Game, house: HouseRules[object], people: str) -> dict[str, str]:
    """Return the codes of the presets that so many can play, the one in use first."""
    kinds: dict[str, str] = {}
    if game.chooser is None:
        return kinds
    chooser = read_chooser(game.chooser)
    for name in sorted(game.options.presets, key=house.preset.__ne__):
        preset = game.options.preset(name)
        table = _table(game, chooser, preset, people)
        if table is preset or (table.preset == name and "people" not in chooser.answers(name)[0]):
            kinds[name] = game.options.code(table)
    return kinds


def _kept(game: Game, lang: str) -> list[RuleSet]:
    return [rule_set(game, game.options.decode(each.code), lang) for each in own_presets(game.id)]


@dataclass(frozen=True, slots=True)
class Record:
    """What a player has done on a sheet: deals, finished games, wins, mean of the final totals, attempts."""

    name: str
    deals: int
    games: int
    wins: int
    average: str
    made: int
    tried: int


def _games_page(lang: str, sheet: str) -> str:
    """Every game of the sheet, the latest first, and a table of the players for each kind of game."""
    view = kept_sheet(sheet)
    boards = [board(view, lang, number=game.number) for game in reversed(view.sheet.games)]
    kinds = dict.fromkeys(game.game for game in view.sheet.games)
    return render_template(
        "keeper/games.html",
        view=view,
        boards=boards,
        records=[(words(kind, lang), records(view, kind)) for kind in kinds],
        path=f"sheets/{view.id}/games",
    )


def _game_page(lang: str, sheet: str, number: int) -> str:
    """One game with every line of every deal: to look back on, to print, to take elsewhere."""
    view = kept_sheet(sheet)
    if not 1 <= number <= len(view.sheet.games):
        abort(404)
    shown = board(view, lang, number=number)
    return render_template(
        "keeper/game.html",
        view=view,
        board=shown,
        periods=periods(view, shown.game, lang),
        bgstats=play_url(view, shown.game, shown.name),
        path=f"sheets/{view.id}/games/{number}",
    )


def records(view: View, kind: str) -> list[Record]:
    """The record of everybody who played a kind of game, in the order of the seats."""
    players = sorted(view.sheet.players.items(), key=lambda each: each[0].split("@"))
    sat = dict.fromkeys((key.partition("@")[0], name) for key, name in players)
    return [found for seat, name in sat if (found := _record(view, kind, seat, name)).deals]


def _record(view: View, kind: str, seat: str, name: str) -> Record:
    """Return what the player of a name at a seat has done; a game counts for who played to its end."""
    attempts, own = view.games[kind].attempts, {key: key for key, who in view.sheet.players.items() if who == name}
    totals, wins, deals, made, tried = [], 0, 0, 0, 0
    for game in view.sheet.games:
        if game.game != kind or seat not in game.seating:
            continue
        ledger, side = view.ledgers[game.number - 1], game.side_of(seat).id
        for deal, scored in zip(game.deals, ledger.deals, strict=True):
            if seat in view.sheet.seated(own, (game.number, deal.number)):
                deals += 1
                if attempts is not None and scored.status == SCORED:
                    one, of = attempts(deal.facts.get(side, {}), seat)
                    made, tried = made + one, tried + of
        if ledger.outcome.over and seat in view.sheet.seated(own, (game.number, len(game.deals))):
            totals.append(ledger.standing[side].total)
            wins += ledger.outcome.winners == (side,)  # a draw is no win
    return Record(name, deals, len(totals), wins, _mean(totals), made, tried)


def _mean(totals: list[int]) -> str:
    """The mean with one decimal where it needs one; a dash for none."""
    if not totals:
        return "–"
    return number_text(sum(totals) / len(totals), "z.1f").removesuffix(".0")


ROUTES = {
    "GET /sheets": _my_sheets,
    "GET /sheets/new": choose,
    "GET /sheets/new/<game_id>": _new_sheet,
    "POST /sheets/new/<game_id>": open_sheet,
    "GET /sheets/<sheet>/games": _games_page,
    "GET /sheets/<sheet>/games/<int:number>": _game_page,
}
"""My sheets, the way to a new one, and the games of a sheet."""

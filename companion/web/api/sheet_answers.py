"""Build the JSON responses about sheets, logs and previews."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from companion.engine.game import Game
from companion.engine.ledger import DealScore, Ledger, Line, SideScore
from companion.engine.problems import Refused
from companion.engine.reading import Node
from companion.games import GAMES
from companion.rulebook.answers import line_answer, score_answer, standing_answer, totals_answer
from companion.rulebook.book import say, words
from companion.rulebook.phrases import Words
from companion.sheets.export import Say
from companion.sheets.log import stamp
from companion.sheets.model import kind_of
from companion.sheets.preview import DealRipple, Ripple
from companion.sheets.scoring import View
from companion.sheets.shapes import to_json
from companion.sheets.state import Entry, RulesPeriod, Sheet, SheetDeal, SheetGame
from companion.sheets.store import WATCH, Link
from companion.web.effects import effects_answer, named
from companion.web.language import current_language
from companion.web.site_address import site_root

Json = dict[str, Any]


def sheet_answer(view: View, lang: str) -> Json:
    """Return a sheet: seats, games with rules, sides, deals and lines, the open deal, what can be undone."""
    sheet = view.sheet
    return {
        "id": view.id,
        "version": view.version,
        "title": sheet.title,
        "lang": sheet.lang,
        "opened": stamp(sheet.opened),
        "changed": stamp(sheet.changed),
        "seats": [{"id": seat.id, "name": seat.name} for seat in sheet.seats],
        "games": [_game(view, game, ledger, lang) for game, ledger in zip(sheet.games, view.ledgers, strict=True)],
        **_steps(sheet),
    }


def stand_answer(view: View, lang: str) -> Json:
    """Return the summary of a sheet: the current game's totals, outcome and open deal, what can be undone."""
    game, ledger = view.game, view.ledger
    running = None
    if game is not None and ledger is not None:
        running = {
            "number": game.number,
            "game": game.game,
            **totals_answer(ledger, words(game.game, lang)),
            "open_deal": open_deal_answer(view, game, ledger),
        }
    return {"version": view.version, "game": running, **_steps(view.sheet)}


def open_deal_answer(view: View, game: SheetGame, ledger: Ledger) -> Json | None:
    """Return the open deal, None once the game is over; `to_call` names who may call now."""
    if ledger.outcome.over:
        return None
    deal = game.open
    return {
        "number": deal.number,
        "dealer": deal.dealer,
        "calls": [dict(call) for call in deal.calls],
        "to_call": _to_call(view, game, ledger),
        "adjustments": [dict(adjustment) for adjustment in deal.adjustments],
        "notes": list(deal.notes),
    }


def entry_answer(entry: Entry) -> Json:
    """Return one entry of a log."""
    return {
        "seq": entry.seq,
        "at": stamp(entry.at),
        "actor": entry.actor,
        "kind": kind_of(entry.event),
        "data": to_json(entry.event),
    }


def link_answer(link: Link) -> Json:
    """Return a link without its secret."""
    return {
        "id": link.id,
        "scope": link.scope,
        "label": link.label,
        "created": link.created,
        "revoked": link.revoked,
    }


def link_url(scope: str, secret: str, of: str = "") -> str:
    """Return the page for people that a secret opens, in the language of the request; `of` is `groups/` for a group."""
    at = f"{site_root()}/{current_language()}/{of}"
    return f"{at}watch/{secret}" if scope == WATCH else f"{at}join#{secret}"


def ripple_answer(view: View, ripple: Ripple, lang: str) -> Json:
    """Return a preview: every deal that differs with both scores, the totals, both outcomes."""
    game = view.sheet.games[ripple.game_number - 1] if ripple.game_number <= len(view.sheet.games) else None
    known = GAMES[game.game] if game else None
    before, after = (_summary(known, ledger, lang) for ledger in (ripple.before, ripple.after))
    own = words(known.id if known else "", lang)
    names = view.sheet.names
    sides = {side.id: view.sheet.side_name(side) for side in game.sides} if game else {}
    return {
        "version": view.version,
        "game_number": ripple.game_number,
        "deals": [_deal_ripple(deal, own, names) for deal in ripple.changed],
        "effects": effects_answer(ripple.effects, own, {**names, **sides}),
        "standing": {"before": before["standing"], "after": after["standing"]},
        "outcome": {
            "before": before["outcome"],
            "after": after["outcome"],
            "changes": ripple.outcome_changes,
        },
    }


def chat_words(lang: str) -> Say:
    """Return the phrases of the text export as a function of a key and its facts."""

    def phrase(key: str, facts: Mapping[str, Any]) -> str:
        named = {name: words(fact, lang).name if name == "game" else fact for name, fact in facts.items()}
        return say(lang, f"keeper.{key}", **named)

    return phrase


def _game(view: View, game: SheetGame, ledger: Ledger, lang: str) -> Json:
    known, own = GAMES[game.game], words(game.game, lang)
    scored = score_answer(known, ledger, lang)
    deals = zip(game.deals, ledger.deals, scored["deals"], strict=True)
    return {
        "number": game.number,
        "game": game.game,
        "name": own.name,
        "started": stamp(game.started),
        "engine": game.engine,
        "rules": _rules(view, game, game.rules, own),
        "rules_before": [_rules(view, game, period, own) for period in game.periods[:-1]],
        "seating": list(game.seating),
        "sides": [
            {"id": side.id, "players": list(side.players), "name": view.sheet.side_name(side)} for side in game.sides
        ],
        "opening": dict(game.opening),
        "deals": [_deal(view.sheet, deal, kept, plain, own) for deal, kept, plain in deals],
        "open_deal": open_deal_answer(view, game, ledger),
        "standing": scored["standing"],
        "outcome": scored["outcome"],
    }


def _rules(view: View, game: SheetGame, period: RulesPeriod, own: Words) -> Json:
    known = GAMES[game.game]
    house = view.house(game, period.first_deal)
    return {
        "first_deal": period.first_deal,
        **period.request,
        "code": known.options.code(house),
        "summary": own.summary(known.options, house),
        "note": period.note,
    }


def _deal(sheet: Sheet, deal: SheetDeal, scored: DealScore, plain: Json, own: Words) -> Json:
    for side, score in scored.sides.items():
        plain["sides"][side]["lines"] = _lines(score.lines, own, sheet.names)
    return {
        "number": deal.number,
        "dealer": deal.dealer,
        "status": scored.status,
        "facts": dict(deal.facts),
        "calls": [dict(call) for call in deal.calls],
        "sides": plain["sides"],
        "warnings": plain["warnings"],
        "corrected": deal.corrected,
        "confirmed": list(deal.confirmed),
        "notes": list(deal.notes),
        "changes": [
            {
                "seq": change.seq,
                "at": stamp(change.at),
                "actor": change.actor,
                "kind": kind_of(change.event),
                "reason": change.reason,
            }
            for change in deal.changes
        ],
    }


def _lines(lines: Iterable[Line], own: Words, names: Mapping[str, str]) -> list[Json]:
    """Return lines whose sentences name the players; the facts keep the ids of seats."""
    return [{**line_answer(line, own), "text": own.line(named(line, names))} for line in lines]


def _to_call(view: View, game: SheetGame, ledger: Ledger) -> list[str]:
    """Return the seats (in consultation the sides) of which one may call now; none once the bidding is over."""
    known = GAMES[game.game]
    if known.settle_calls is None or known.moves is None:
        return []
    totals = {
        "+".join(seat for seat in game.seating if seat in side.players): ledger.standing[side.id].total
        for side in game.sides
    }
    position = {
        "phase": "bidding",
        "seats": list(game.seating),
        "dealer": game.open.dealer,
        "totals": totals,
        "calls": [dict(call) for call in game.open.calls],
    }
    node = Node({"position": position})
    try:
        moves = known.moves(view.house(game).options, node)["moves"]
    except Refused:
        return []
    return list(dict.fromkeys(str(move.get("seat", move.get("side"))) for move in moves))


def _steps(sheet: Sheet) -> Json:
    steps = {"undo": sheet.to_undo, "redo": sheet.to_redo}
    return {
        name: None if entry is None else {"seq": entry.seq, "kind": kind_of(entry.event)}
        for name, entry in steps.items()
    }


def _summary(known: Game | None, ledger: Ledger, lang: str) -> Json:
    if known is None:
        standing = {side: standing_answer(at) for side, at in ledger.standing.items()}
        return {"standing": standing, "outcome": {"over": False, "winners": [], "reason": None}}
    return score_answer(known, ledger, lang)


def _deal_ripple(deal: DealRipple, own: Words, names: Mapping[str, str]) -> Json:
    return {
        "number": deal.number,
        "status": {
            "before": deal.before.status if deal.before else None,
            "after": deal.after.status if deal.after else None,
        },
        "sides": {
            side: {
                "before": _score(change.before),
                "after": _score(change.after),
                "gone": _lines(change.gone, own, names),
                "come": _lines(change.come, own, names),
            }
            for side, change in deal.sides.items()
        },
    }


def _score(score: SideScore | None) -> Json | None:
    return None if score is None else {"points": score.points, **standing_answer(score.standing)}

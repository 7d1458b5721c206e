"""Entering a deal of Spades: calls seat by seat, then tricks; the last count follows from the others."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from companion.engine.ledger import Side
from companion.engine.reading import Node
from companion.games.spades.calls import Bids
from companion.games.spades.rules import SpadesRules
from companion.games.spades.shapes import read_calls
from companion.games.spades.table import Table
from companion.rulebook.book import say
from companion.sheets.calls import settled
from companion.sheets.scoring import View
from companion.sheets.state import SheetGame
from companion.web.keeper.entry import Answers, Choice, Entry, Question, Said, Stage
from companion.web.keeper.entry.spades.calls import call_stage, calls_said
from companion.web.keeper.entry.spades.counts import Counting, count_stage
from companion.web.keeper.entry.spades.shared import NIL_WORDS, call_text, number_in
from companion.web.keeper.entry.spades.told import told


def stage(view: View, game: SheetGame, answers: Answers, lang: str) -> Stage:
    """The next question of the open deal."""
    rules: SpadesRules = view.house(game).options
    table = Table(rules, game.seating, game.open.dealer)
    calls = read_calls(Node([dict(call) for call in game.open.calls]), table)
    bids = Bids(table, calls)
    first_hand = rules.first_hand_bids_itself and not game.deals and not game.opening
    change = _place(answers.get("change"), len(calls))
    if not first_hand and (change is not None or not bids.over):
        return call_stage(view, bids, change, lang)
    called = {side.id: _called(view, game, side) for side in game.sides}
    if first_hand:
        called = {side.id: {} for side in game.sides}
    counting = Counting(view, game, rules, lang, called, answers)
    return count_stage(counting, tuple(calls_said(view, bids, lang)))


def correction(view: View, game: SheetGame, number: int, answers: Answers, lang: str) -> Stage:
    """The facts of a recorded deal, each a question of its own, filled in as they stand."""
    found = _correction(view, game, number, answers, lang)
    return replace(found, answers={name: item for name, item in answers.items() if name != "ask"})


def _correction(view: View, game: SheetGame, number: int, answers: Answers, lang: str) -> Stage:
    deal = game.deal(number)
    rules: SpadesRules = view.house(game, number).options
    facts = {} if deal.void else deal.facts
    bids = {side.id: dict(facts.get(side.id, {})) for side in game.sides}
    said = []
    given = dict(answers)
    follows = _other_follows(game, rules, facts, answers)
    for place, side in enumerate(game.sides):
        entry = bids[side.id]
        if "tricks" in entry and place != follows:
            given.setdefault(f"t{place}", str(entry["tricks"]))
        if f"b{place}" in answers:
            entry["bid"] = number_in(answers[f"b{place}"])
        entry["nils"] = list(_nils_asked(entry, side, answers))
        for nil in entry["nils"]:
            if "tricks" in nil:
                given.setdefault(f"n{nil['player']}", str(nil["tricks"]))
    counting = Counting(view, game, rules, lang, bids, given)
    opened = answers.get("ask", "")
    for place, side in enumerate(game.sides):
        label = say(lang, "keeper.bid-of", name=counting.name(side))
        said.append(Said(f"b{place}", label, _bid_text(bids[side.id].get("bid"), lang), side=side.id))
        if opened == f"b{place}":
            return Stage("ask", tuple(said), _bid_question(counting, place, label), answers=given)
        for seat in side.players:
            word = next((nil["call"] for nil in bids[side.id]["nils"] if nil["player"] == seat), "")
            label = say(lang, "keeper.nil-of", name=view.sheet.names[seat])
            value = call_text(word, lang) if word else say(lang, "keeper.no-nil")
            said.append(Said(f"c{seat}", label, value, side=side.id))
            if opened == f"c{seat}":
                return Stage("ask", tuple(said), _nil_question(counting, seat, label), answers=given)
    return count_stage(counting, tuple(said))


def _other_follows(game: SheetGame, rules: SpadesRules, facts: Mapping[str, Any], answers: Answers) -> int | None:
    """The place of the side whose tricks follow from the one count that is corrected; None where nothing follows."""
    answered = [place for place in range(len(game.sides)) if f"t{place}" in answers]
    recorded = sum(facts.get(side.id, {}).get("tricks", 0) for side in game.sides)
    if len(game.sides) != 2 or len(answered) != 1 or recorded != rules.tricks:
        return None
    return 1 - answered[0]


def _nils_asked(entry: Mapping[str, Any], side: Side, answers: Answers) -> Iterator[dict[str, Any]]:
    """The nils of a side with the answers in place of what was recorded."""
    recorded = {nil.get("player"): dict(nil) for nil in entry.get("nils", ())}
    for seat in side.players:
        word = answers.get(f"c{seat}")
        if word in NIL_WORDS:
            yield {**recorded.get(seat, {}), "player": seat, "call": word}
        elif word is None and seat in recorded:
            yield recorded[seat]


def _bid_question(counting: Counting, place: int, label: str) -> Question:
    numbers = range(counting.rules.max_contract + 1)
    none = Choice("-", say(counting.lang, "keeper.none"))
    return Question(f"b{place}", label, (tuple(Choice(str(n), str(n)) for n in numbers), (none,)))


def _nil_question(counting: Counting, seat: str, label: str) -> Question:
    rules = counting.rules
    words_played = zip(NIL_WORDS, (rules.nil, rules.double_nil, rules.double_blind_nil), strict=True)
    choices = [Choice("-", say(counting.lang, "keeper.no-nil"))]
    choices += [Choice(word, call_text(word, counting.lang)) for word, played in words_played if played]
    return Question(f"c{seat}", label, (tuple(choices),))


def _called(view: View, game: SheetGame, side: Side) -> dict[str, Any]:
    return dict(settled(view.games[game.game], game, game.open.calls)[side.id])


def _bid_text(bid: int | None, lang: str) -> str:
    return say(lang, "keeper.none") if bid is None else str(bid)


def _place(text: str | None, count: int) -> int | None:
    number = number_in(text)
    return number if number is not None and number < count else None


ENTRY = Entry(stage, correction, told)

"""Calls seat by seat: numbers, nil apart from 0, and what the rules would not have."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from companion.games.spades.bidding import judge_call
from companion.games.spades.calls import Bids
from companion.games.spades.table import PASS, Call, Position, Table
from companion.rulebook.book import say, words
from companion.sheets.scoring import View
from companion.web.keeper.entry import Choice, Question, Said, Stage
from companion.web.keeper.entry.spades.shared import NIL_WORDS, call_text
from companion.web.keeper.naming import by_name, names_of


def call_stage(view: View, bids: Bids, change: int | None, lang: str) -> Stage:
    """The call that comes next, or the one in the place that is to be changed."""
    table, rules = bids.table, bids.table.rules
    said = tuple(calls_said(view, bids, lang))
    before = Bids(table, bids.calls if change is None else bids.calls[:change])
    seats, round_number = before.next_seats()
    seat: str | None = seats[-1] if seats else None  # those before are partners of a blind number or a moon
    side: str | None = None
    if change is not None:
        seat, side = bids.calls[change].seat, bids.calls[change].side
    elif rules.bid_method == "consultation" and rules.partners:
        dealers = table.side(table.dealer or table.seats[0])
        order = [*(one for one in table.sides if one != dealers), dealers]
        side, seat = next(one for one in order if not before.complete(one)), None
    who = view.sheet.names[seat] if seat else _side_name(view, table, side or "")
    text = say(lang, "keeper.calls", name=who)
    groups = [_numbers(view, before, seat, side, lang), *_word_groups(view, before, seat, side, round_number, lang)]
    contracts = [before.contract(one) or 0 for one in table.sides]
    total = sum(contracts)
    hint = say(lang, "keeper.bids-so-far", total=total, left=rules.tricks - total) if total else ""
    place = change if change is not None else None
    return Stage("call", said, Question(f"seat:{seat}" if seat else f"side:{side}", text, tuple(groups), place), hint)


def _numbers(view: View, bids: Bids, seat: str | None, side: str | None, lang: str) -> tuple[Choice, ...]:
    rules = bids.table.rules
    lowest = 0 if rules.zero_bid else 1
    choices = []
    for number in range(lowest, rules.tricks + 1):
        call = Call("normal", number, seat, side or (bids.table.side(seat) if seat else None))
        choices.append(Choice(str(number), str(number), *_oddity(view, bids, call, lang)))
    return tuple(choices)


def _word_groups(
    view: View, bids: Bids, seat: str | None, side: str | None, round_number: int, lang: str
) -> Iterator[tuple[Choice, ...]]:
    """Nil and its kin, apart from the numbers; blind numbers and moons where the table plays them; a pass."""
    rules, table = bids.table.rules, bids.table
    own = side or (table.side(seat) if seat else None)
    nils = [
        word
        for word, played in zip(NIL_WORDS, (rules.nil, rules.double_nil, rules.double_blind_nil), strict=True)
        if played
    ]
    seats = [seat] if seat else list(table.members(own or ""))
    group = []
    for one in seats:
        for word in nils:
            label = call_text(word, lang) if seat else f"{view.sheet.names[one]}: {call_text(word, lang)}"
            call = Call(word, None, one, own, looked=False if word != "nil" else None)
            group.append(Choice(word if seat else f"{one}/{word}", label, *_oddity(view, bids, call, lang)))
    if round_number < 2:
        yield tuple(group)
    special = []
    if rules.blind_bid:
        special += [
            (f"blind_{n}", Call("blind", n, seat, own, looked=False))
            for n in range(rules.blind_bid_min, rules.tricks + 1)
        ]
    if rules.moon:
        special.append(("moon", Call("moon", None, seat, own)))
    if rules.blind_moon:
        special.append(("blind_moon", Call("blind_moon", None, seat, own, looked=False)))
    if special and round_number < 2:
        yield tuple(Choice(word, call_text(word, lang), *_oddity(view, bids, call, lang)) for word, call in special)
    if round_number == 2:
        yield (Choice(PASS, say(lang, "keeper.pass")),)


def _oddity(view: View, bids: Bids, call: Call, lang: str) -> tuple[str, str]:
    """How a button looks that the rules would not have, and why; it can be pressed all the same."""
    standing = view.ledger.standing if view.ledger else {}
    totals = (
        {bids.table.side(side.players[0]): standing[side.id].total for side in view.game.sides} if view.game else {}
    )
    position = Position(bids.table, "bidding", totals, bids.calls, (), None, None, None, None, None, None)
    breach = next(iter(judge_call(position, call).breaches), None)
    if breach is None or view.game is None:
        return "", ""
    facts = by_name(breach.facts, names_of(view.sheet, view.game))
    return "odd", words("spades", lang).breach(replace(breach, facts=facts))


def calls_said(view: View, bids: Bids, lang: str) -> Iterator[Said]:
    """The calls so far, each with what the rules say against it."""
    for place, call in enumerate(bids.calls):
        who = view.sheet.names[call.seat] if call.seat else _side_name(view, bids.table, call.side or "")
        verdict = _oddity(view, Bids(bids.table, bids.calls[:place]), call, lang)
        caller = call.seat or bids.table.members(call.side or "")[0]
        side = next((each.id for each in view.game.sides if caller in each.players), "") if view.game else ""
        yield Said(f"change={place}", who, call_text(str(call.spoken), lang), mark=verdict[1], side=side)


def _side_name(view: View, table: Table, side: str) -> str:
    return " & ".join(view.sheet.names[seat] for seat in table.members(side))

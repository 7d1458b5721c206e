"""Calls and plays as text: what is written is read again, in and out of turn, whatever the table plays."""

from __future__ import annotations

import doctest
from random import Random
from typing import Any

import pytest

from companion.engine.problems import Node, read_whole
from companion.engine.verdict import LEGAL
from companion.games.spades import bidding as notation
from companion.games.spades import table
from companion.games.spades.bidding import (
    Bids,
    call_menu,
    format_call,
    format_play,
    judge_call,
    parse_calls,
    parse_plays,
    place_call,
)
from companion.games.spades.deal import follow, list_moves
from companion.games.spades.rules import OPTIONS
from companion.games.spades.table import BLIND, NIL_CALLS, NORMAL, Call, Position, Record, Table, read_calls
from tests.spades.dealer import Dealt, play_deal

RULES: dict[str, dict[str, Any]] = {
    "classic": {},
    "raised": {"preset": "modern", "options": {"second_round": True, "moon": True}},
    "conferring": {"options": {"bid_method": "consultation", "double_blind_nil": True, "blind_bid": True}},
    "blind": {"options": {"blind_bid": True, "moon": True, "blind_moon": True, "blind_deficit": 0}},
    "clubs": {"options": {"first_trick": "lowest_club"}},
    "dummy": {"preset": "duo_dummy"},
    "three": {"preset": "solo3"},
}
BY_NAME = pytest.mark.parametrize("name", RULES)


def deals(name: str, count: int) -> list[Dealt]:
    rng = Random(name)
    return [play_deal(rng, RULES[name], fault="wrong-leader" if place % 2 else None) for place in range(count)]


def record_of(deal: Dealt) -> Record:
    calls = read_calls(Node(deal.calls), deal.table)
    return Record(deal.table, deal.totals, calls, True, tuple(deal.plays))


@pytest.mark.parametrize("module", [notation, table])
def test_examples_in_docstrings(module: Any) -> None:
    result = doctest.testmod(module)
    assert result.attempted > 0
    assert result.failed == 0


@BY_NAME
def test_calls_are_read_as_they_were_written(name: str) -> None:
    for deal in deals(name, 3):
        bids = Bids(deal.table, ())
        texts = []
        for call in read_calls(Node(deal.calls), deal.table):
            caller = bids.callers.index(call.side or "" if call.seat is None else call.seat)
            out_of_turn = None if bids.caller() == (call.seat, call.side) else caller
            texts.append(format_call(call.spoken, caller=out_of_turn, looked=call.looked))
            bids = Bids(deal.table, (*bids.calls, call))
        read = parse_calls(deal.table, texts)
        assert read.over  # partners of a moon may pass, but need not
        assert read.calls == bids.calls[: len(read.calls)]


def test_nil_of_a_partner_is_read_where_partners_announce_together() -> None:
    rules = read_whole(RULES["conferring"], OPTIONS.read).options
    bids = parse_calls(Table(rules, ("A", "B", "C", "D"), "D"), ["nil@1", "5", "6*1-y", "nonsense", "4"])
    assert [(call.spoken, call.seat, call.side) for call in bids.calls] == [
        ("nil", "C", "A+C"), (5, None, "A+C"), (6, None, "B+D"),
    ]  # fmt: skip


def test_call_out_of_turn_and_without_looking() -> None:
    rules = read_whole({}, OPTIONS.read).options
    bids = Bids(Table(rules, ("A", "B", "C", "D"), "D"), ())
    assert place_call(bids, "double_nil*2-n") == Call("double_nil", None, "C", "A+C", False)
    assert place_call(bids, "5*9") == Call(NORMAL, 5, "A", "A+C")


@BY_NAME
def test_plays_are_read_as_they_were_written(name: str) -> None:
    for deal in deals(name, 3):
        leader = deal.plays[0].seat
        texts: list[str] = []
        for play in deal.plays:
            told = parse_plays(deal.table, [*texts, format_play(play.card)], leader)[-1].seat
            seat = None if told == play.seat else deal.table.seats.index(play.seat)
            texts.append(format_play(play.card, seat))
        assert parse_plays(deal.table, [*texts, "11H", "9H", "BJ"], leader) == tuple(deal.plays)


@BY_NAME
def test_table_after_each_move(name: str) -> None:
    for deal in deals(name, 2):
        found = follow(record_of(deal))
        tables = found.tables
        assert len(tables) == len(found.verdicts)
        assert [after["phase"] for after in tables] == ["bidding"] * len(deal.calls) + ["play"] * len(deal.plays)
        assert tables[len(deal.calls) - 1]["next"] is None
        plays = tables[len(deal.calls) :]
        size = len(deal.table.seats)
        assert [after["winner"] for after in plays if after["winner"]] == deal.winners
        shown = [{"seat": one.seat, "card": str(one.card)} for one in deal.plays]
        assert [after["trick"] for after in plays] == [
            shown[place - place % size : place + 1] for place in range(len(plays))
        ]
        assert plays[-1]["next"] is None
        assert set(plays[-1]["hands"].values()) == {0}
        if deal.planted is None and name != "clubs":
            assert [after["next"] for after in plays[:-1]] == [play.seat for play in deal.plays[1:]]


@BY_NAME
def test_menu_holds_every_legal_call(name: str) -> None:
    """Of all calls that can be written, what the judge allows is on the menu; so the list of moves has it too."""
    for place, deal in enumerate(deals(name, 3)):
        calls = read_calls(Node(deal.calls), deal.table)
        for count in range(len(calls) if place else len(calls) + 1):
            bids = Bids(deal.table, calls[:count])
            position = Position(deal.table, "bidding", totals=deal.totals, calls=bids.calls)
            words = [*((NORMAL, n) for n in range(28)), *((BLIND, n) for n in range(20)), ("pass", None)]
            words += [(word, None) for word in (*NIL_CALLS, "moon", "blind_moon")]
            legal = set()
            callers: list[tuple[str | None, str]] = [(None, side) for side in bids.announcing]
            if not bids.by_sides:  # a partner of a blind number may be passed over
                callers = [(seat, deal.table.side(seat)) for seat in bids.turn[0]] or [bids.caller()]
            for seat, side in callers:
                members = deal.table.members(side) if bids.by_sides else (seat,)
                tried = [
                    Call(word, number, member, side, False)
                    for word, number in words
                    for member in (members if word in NIL_CALLS else (seat,))
                ]
                found = {call for call in tried if judge_call(position, call).value == LEGAL}
                assert found <= set(call_menu(bids, seat, side, looked=False))
                legal |= found
            request = {
                "position": {
                    "seats": list(deal.table.seats), "dealer": deal.table.dealer, "totals": deal.totals,
                    "calls": deal.calls[:count],
                },
                "looked": False,
            }  # fmt: skip
            moves: Any = list_moves(deal.rules, Node(request))["moves"]
            assert {(move["call"], move.get("seat")) for move in moves} == {(call.spoken, call.seat) for call in legal}

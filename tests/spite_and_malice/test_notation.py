"""Moves as text: what is written can be read back, and what cannot be written is refused."""

from __future__ import annotations

import random

import pytest

from companion.engine.cards import Card
from companion.engine.problems import Node
from companion.games.spite_and_malice import SPITE_AND_MALICE as GAME
from companion.games.spite_and_malice import position as n
from companion.games.spite_and_malice.deal import format_move, group_turns, parse_move, parse_moves, read_record
from tests.spite_and_malice.dealer import Dealer

PLAYERS = ("N", "E", "S", "W")
MOVES = {
    "52": n.Play("hand", 2, Card("5")),
    "0M": n.Play("hand", 22, Card("10")),
    "Xn": n.Play("hand", "new", Card("X")),
    "p7n-": n.Play("payoff", "new", Card("7")),
    "p-08": n.Play("payoff", 0),
    "fK1A": n.Play("partner_payoff", 1, Card("K")),
    "a51": n.Play("side", 1, Card("5"), 0),
    "d-n": n.Play("side", "new", None, 3),
    "jQ0": n.Play("partner_side", 0, Card("Q"), 3),
    "s9n": n.Discard("new", Card("9")),
    "s03": n.Discard(3, Card("10")),
    "r5": n.Refill(5),
    "k": n.Recycle("complete", "opponent"),
    "l": n.Recycle("incomplete", "opponent"),
    "m": n.Recycle("complete", "player"),
    "o": n.Recycle("incomplete", "player"),
    "u2": n.Redeal("S"),
    "w3": n.ClaimWin(),
    "e": n.EndTurn(),
    "y": n.ClaimStalemate(),
}


@pytest.mark.parametrize(("text", "move"), MOVES.items())
def test_every_kind_of_move_has_one_text(text: str, move: n.Announcement) -> None:
    read = parse_move(text, PLAYERS)
    assert read.move == move
    assert format_move(move, PLAYERS, turned=read.turned, seat=read.seat or "") == text


def test_moves_follow_each_other_without_separators() -> None:
    random_ = random.Random(3)
    for _ in range(200):
        texts = random_.choices([*MOVES, "_15n", "_2e"], k=random_.randint(0, 12))
        read = list(parse_moves("".join(texts), PLAYERS))
        assert [one.text for one in read] == texts
        assert [one.seat for one in read if one.text[0] == "_"] == [
            PLAYERS[int(text[1])] for text in texts if text[0] == "_"
        ]


def test_text_after_what_is_no_move_is_left() -> None:
    assert [one.text for one in parse_moves("An?5n", PLAYERS)] == ["An"]
    assert [one.text for one in parse_moves("An52s94", PLAYERS)] == ["An", "52"]
    assert [one.seat for one in parse_moves("_9e", PLAYERS)] == [None]


def test_turns_end_with_a_discard_an_end_or_another_player() -> None:
    turns = group_turns(list(parse_moves("An20s5nr1e_0An", PLAYERS)))
    assert ["".join(one.text for one in turn) for turn in turns] == ["An20s5n", "r1e", "_0An"]


@pytest.mark.parametrize(
    "move",
    [n.Play("opponent_payoff", 0), n.Play("hand", 0), n.SecondChance(), n.Play("hand", n.OntoSide(1), Card("5"))],
)
def test_what_has_no_notation_is_refused(move: n.Announcement) -> None:
    with pytest.raises(ValueError, match=type(move).__name__):
        format_move(move, PLAYERS)


@pytest.mark.parametrize("preset", ["blackwood", "partners4"])
def test_a_recorded_deal_is_written_and_read_back(preset: str) -> None:
    rules = GAME.options.preset(preset).options
    record = Dealer(rules, 2, idleness=0.2).play(40)
    _, entries = read_record(rules, Node(record))
    moves = [entry for entry in entries if not isinstance(entry.move, n.Start)]
    text = "".join(format_move(one.move, record["players"], turned=one.turned) for one in moves)
    read = list(parse_moves(text, record["players"]))
    assert [type(one.move) for one in read] == [type(entry.move) for entry in moves]
    again = "".join(format_move(one.move, record["players"], turned=one.turned, seat=one.seat or "") for one in read)
    assert again == text

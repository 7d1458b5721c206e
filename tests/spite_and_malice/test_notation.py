"""Moves as text: every kind has one text, and texts follow each other without separators."""

from __future__ import annotations

import random

import pytest

from companion.engine.cards import Card
from companion.games.spite_and_malice import position as n
from companion.games.spite_and_malice.shapes import group_turns, parse_move, parse_moves

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
def test_every_kind_of_move_has_one_text(text: str, move: n.Move) -> None:
    assert parse_move(text, PLAYERS).move == move


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

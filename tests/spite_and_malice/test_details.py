"""Cases for mutations of the judge and the replay that no other test noticed, by the articles they rest on."""

from __future__ import annotations

from typing import Any

import pytest

from companion.engine.problems import Refused
from companion.engine.reading import Node
from companion.games.spite_and_malice import SPITE_AND_MALICE as GAME
from tests.spite_and_malice.asking import articles, ask
from tests.spite_and_malice.test_judge import END, lacking
from tests.spite_and_malice.test_replay import broken, replay


def because(move: dict[str, Any], **position: Any) -> set[str]:
    """The anchors of the articles that allow a legal move."""
    verdict = ask(move, **position)
    assert verdict.value == "legal"
    return {one.article.partition(".")[2] for one in verdict.because}


def test_a_draw_names_the_article_that_allows_it() -> None:
    """SNM-020 at the start, SNM-028, 218 or 123 in mid-turn."""
    five = {"type": "refill", "count": 5}
    again: dict[str, Any] = {"discarded": True, "options": {"after_last_discard": "refill_and_replay"}}
    assert because(five, hand=[], refilled=False) == {"refill"}
    assert because(five, hand=[]) == {"empty-hand"}
    assert because(five, hand=[], preset="pagat") == {"five-new-cards"}
    assert because(five, hand=[], **again) == {"play-again"}


def test_a_discard_is_owed_as_long_as_cards_can_be_drawn() -> None:
    """SNM-216, 218 with 085: an unknown hand may only be empty where nothing can be drawn."""
    table: dict[str, Any] = {"preset": "massachusetts", "payoff": "7", "side_stacks": [["9"]], "centre_stacks": ["4"]}
    assert articles(ask(END, **table)) == {"closing-discard"}
    assert articles(ask(END, **table, stock=0, set_aside=1)) == {"closing-discard"}
    assert lacking(END, **table, stock=0, set_aside=0) == ["hand"]
    assert ask(END, **table, stock=0, set_aside=0, hand=[]).value == "legal"


def test_a_tie_asks_only_for_suits_that_were_not_named() -> None:
    """SNM-013."""
    verdict = ask({"type": "start", "first": "A"}, payoff_tops={"A": "9S", "B": "9"})
    assert [(missing.fact, missing.seat) for missing in verdict.missing] == [("suit", "B")]
    verdict = ask({"type": "start", "first": "A"}, payoff_tops={"A": "9", "B": "9"})
    assert [(missing.fact, missing.seat) for missing in verdict.missing] == [("suit", "A"), ("suit", "B")]


def test_idle_turns_are_no_second_chance_where_the_table_plays_none() -> None:
    """SNM-071, 093: with `compare` the deal is claimed as a stalemate instead."""
    idle = [{"moves": [END]}, {"moves": [END]}]
    assert replay(idle, preset="hoyle")["state"]["phase"] == "normal"
    assert replay(idle)["state"]["phase"] == "second_chance"
    assert replay([*idle, END, END], hands={"A": ["A", "3", "4", "5", "6"]})["findings"][0].article.endswith(
        "second-chance-duty"
    )


def test_null_stands_for_what_was_not_recorded() -> None:
    story = replay([END], hands=None, side_stacks=None, first=None)
    assert broken(story) == []
    assert "hand" not in story["state"]


def test_what_an_unknown_hand_may_draw() -> None:
    """SNM-020: one to five cards, as far as the stock goes."""
    hidden: dict[str, Any] = {"refilled": False, "stock": 4}
    assert articles(ask({"type": "refill", "count": 0}, **hidden)) == {"refill"}
    assert lacking({"type": "refill", "count": 1}, **hidden) == ["hand"]
    assert lacking({"type": "refill", "count": 4}, **hidden) == ["hand"]
    assert articles(ask({"type": "refill", "count": 5}, **hidden)) == {"refill"}


def test_a_play_that_cannot_have_happened_leaves_the_card() -> None:
    """SNM-022, 023: no card from under others, none from the hand to a side stack as a play."""
    covered = {"type": "play", "from": "side", "stack": 0, "depth": 1, "to": "new"}
    aside = {"type": "play", "from": "hand", "card": "3", "to": {"side": 0}}
    draw = {"type": "refill", "count": 1, "cards": ["7"]}
    opening = [{"type": "discard", "card": "9", "to": "new"}, END, draw]
    story = replay([*opening, covered, aside], hands={"A": ["9", "3", "4", "5", "6"]})
    assert broken(story) == [(4, "A", "top-card-only"), (5, "A", "closed-list")]
    assert story["piles"]["A"]["side_stacks"] == [["9"]]
    assert story["state"]["hand"] == ["3", "4", "5", "6", "7"]
    assert story["state"]["centre_stacks"] == []


def test_a_stalemate_ends_the_deal_without_a_winner() -> None:
    """SNM-093 by two idle turns, SNM-313 by an empty stock."""
    idle = [{"player": player, "acted": False} for player in "AB"]
    claim = {"type": "claim_stalemate"}
    found = {preset: ask(claim, preset=preset, turns=idle, stock=0).effect for preset in ("hoyle", "pagat")}
    assert found == {
        "hoyle": {"over": True, "winner": None, "settled_by": "compare"},
        "pagat": {"over": True, "winner": None, "settled_by": "draw"},
    }


def test_a_record_may_begin_with_the_counts_of_its_deal() -> None:
    """SNM-006 to 008: `hands` of such a move are numbers, not the cards of hands that were dealt again."""
    counts = {"type": "deal", "stock": 46, "payoffs": {"A": 26, "B": 26}, "hands": {"A": 5, "B": 4}}
    story = replay([counts, END])
    assert broken(story) == [(1, "A", "hand")]
    assert story["verdicts"][0].move == {"turn": 1, "seat": "A", **{k: v for k, v in counts.items() if k != "hands"}}


def test_every_key_is_checked_where_the_players_cannot_be_read() -> None:
    for position, expected in (
        ({}, {("/position/players", "required"), ("/position/player", "required")}),
        (
            {"players": ["A"], "player": "A", "odd": 1},
            {("/position/players", "seats-count"), ("/position/odd", "unknown-key")},
        ),
    ):
        with pytest.raises(Refused) as refused:
            GAME.moves(GAME.options.preset().options, Node({"position": position}))  # type: ignore[misc]
        assert {(problem.path(), problem.code) for problem in refused.value.problems} == expected


@pytest.mark.parametrize("turn", [3, None, 1.5, True, "moves", [], ["moves"]])
def test_a_turn_that_is_no_object_is_refused(turn: object) -> None:
    with pytest.raises(Refused) as refused:
        replay([END, turn])
    assert [(problem.path(), problem.code) for problem in refused.value.problems] == [("/turns/1", "type")]


def test_a_wrong_number_of_players_is_reported_beside_other_problems() -> None:
    with pytest.raises(Refused) as refused:
        replay([{"type": "fly"}], players=["A"], payoff_tops=None)
    assert {(problem.path(), problem.code) for problem in refused.value.problems} == {
        ("/players", "seats-count"), ("/turns/0/type", "choice"),
    }  # fmt: skip
    with pytest.raises(Refused) as refused:
        ask(END, players=["A"], stock="many")
    assert {(problem.path(), problem.code) for problem in refused.value.problems} == {
        ("/position/players", "seats-count"), ("/position/stock", "type"),
    }  # fmt: skip

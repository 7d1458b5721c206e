"""Cases for mutations of the judge and the replay that no other test noticed, by the articles they rest on."""

from __future__ import annotations

from typing import Any

import pytest

from companion.engine.problems import Node, Refused
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
    verdict = ask({"type": "start", "first": "A"}, payoff_tops={"A": "9H", "B": "9"})
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
    """SNM-022, 023: no card from under others; one that was played to a side stack lies there (IRR-M1)."""
    covered = {"type": "play", "from": "side", "stack": 0, "depth": 1, "to": "new"}
    aside = {"type": "play", "from": "hand", "card": "3", "to": {"side": 0}}
    draw = {"type": "refill", "count": 1, "cards": ["7"]}
    opening = [{"type": "discard", "card": "9", "to": "new"}, END, draw]
    story = replay([*opening, covered, aside], hands={"A": ["9", "3", "4", "5", "6"]})
    assert broken(story) == [(3, "A", "top-card-only"), (3, "A", "closed-list")]
    assert story["piles"]["A"]["side_stacks"] == [["9", "3"]]
    assert story["state"]["hand"] == ["4", "5", "6", "7"]
    assert story["state"]["centre_stacks"] == []


def test_a_stalemate_ends_the_deal_without_a_winner() -> None:
    """SNM-093 by two idle turns, SNM-313 by an empty stock."""
    idle = [{"player": player, "acted": False} for player in "AB"]
    claim = {"type": "claim_stalemate"}
    found = {preset: ask(claim, preset=preset, turns=idle, stock=0, hand=[]).effect for preset in ("hoyle", "pagat")}
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


def test_unknown_side_stacks_matter_only_where_a_two_could_go() -> None:
    """SNM-042, 053: for the end of a turn with an ace showing, and for a discard that not every stack takes."""
    table: dict[str, Any] = {"payoff": "7", "hand": ["9", "X"], "centre_stacks": ["4"]}
    assert lacking(END, **table) == ["legal"]
    assert lacking(END, **table | {"centre_stacks": ["A"]}) == ["side_stacks"]
    onto = {"type": "discard", "to": 0}
    assert lacking(onto | {"card": "9"}, **table) == ["side_stacks"]
    assert lacking(onto | {"card": "X"}, **table) == ["legal"]
    assert lacking(onto | {"card": "9"}, **table, options={"discard_rule": "free"}) == ["legal"]


def test_no_discard_is_owed_where_none_fits() -> None:
    """SNM-216 with 053: four stacks that refuse every card of the hand."""
    table: dict[str, Any] = {
        "payoff": "7",
        "centre_stacks": ["9"],
        "hand": ["K"],
        "options": {"discard_required": True},
    }
    assert ask(END, **table, side_stacks=[["3"]] * 4).value == "legal"
    assert articles(ask(END, **table, side_stacks=[["3"]] * 3)) == {"closing-discard"}
    assert [missing.fact for missing in ask(END, **table).missing] == ["side_stacks"]
    assert articles(ask(END, **table | {"hand": ["X"]})) == {"closing-discard"}
    assert articles(ask(END, **table, preset="massachusetts")) == {"closing-discard"}


def test_the_end_of_a_turn_names_the_next_player() -> None:
    assert ask(END, payoff="7", hand=["K"], side_stacks=[], centre_stacks=[]).effect == {
        "turn_ends": True, "next": "B",
    }  # fmt: skip


def test_a_two_that_must_wait_for_its_ace_meets_no_second_chance() -> None:
    """SNM-045 before 072: the one ace is kept for the two on the pay-off pile."""
    table: dict[str, Any] = {"hand": ["2", "9"], "centre_stacks": ["A"], "side_stacks": [], "phase": "second_chance"}
    assert articles(ask(END, **table, payoff="2")) == {"payoff-two"}
    assert articles(ask(END, **table, payoff="7")) == {"second-chance-duty"}


def test_the_code_of_a_discard_says_whether_jokers_widen_the_range() -> None:
    """SNM-053, 065."""
    table: dict[str, Any] = {"hand": ["9"], "payoff": "K", "centre_stacks": [], "side_stacks": [["8"], ["8", "X"]]}
    found = [ask({"type": "discard", "card": "9", "to": to}, **table).breaches[0].code for to in (0, 1)]
    assert found == ["same-or-lower", "joker-range"]


def test_a_partners_card_may_be_named_where_the_piles_are_unknown() -> None:
    """SNM-106."""
    play = {"type": "play", "from": "partner_payoff", "card": "3", "to": 0}
    table: dict[str, Any] = {"preset": "partners4", "players": list("ABCD"), "centre_stacks": ["2"], "hand": []}
    assert ask(play, **table, payoff="K", side_stacks=[]).value == "legal"
    assert ask(play, **table, payoff="K", side_stacks=[], partner={"payoff_left": 2}).effect["turn_up"] is True


def test_tied_and_hidden_tops() -> None:
    """SNM-012, 013: who is beaten already cannot start, whatever is still unknown."""
    four: dict[str, Any] = {"preset": "partners4", "players": list("ABCD")}
    tied = {"A": "9", "B": "9", "C": "5", "D": "4"}
    verdict = ask({"type": "start", "first": "C"}, **four, payoff_tops=tied)
    assert [breach.code for breach in verdict.breaches] == ["start-higher"]
    assert ask({"type": "start", "redo": "reshuffle"}, **four, payoff_tops=tied).value == "undecided"
    hidden = {"A": "5", "B": "9", "C": "7"}
    verdict = ask({"type": "start", "first": "A"}, **four, payoff_tops=hidden)
    assert verdict.breaches[0].facts == {"first": None, "named": "A"}
    assert ask({"type": "start", "first": "B"}, **four, payoff_tops=hidden).value == "undecided"


def test_a_wrong_stock_names_the_article_of_its_deal() -> None:
    """SNM-006, 101, 105, 206."""
    found = {}
    for preset, players in (
        ("blackwood", "AB"),
        ("blackwood108", "AB"),
        ("partners4", "ABCD"),
        ("massachusetts", "AB"),
    ):
        verdict = ask({"type": "deal", "stock": 1}, preset=preset, players=list(players))
        found[preset] = articles(verdict)
    assert found == {
        "blackwood": {"hand"}, "blackwood108": {"single-shuffle"}, "partners4": {"partners-packs"},
        "massachusetts": {"hands-dealt"},
    }  # fmt: skip


def test_a_win_is_claimed_for_the_pile_of_who_claims_it() -> None:
    """SNM-090: also out of turn."""
    play = {"type": "play", "from": "payoff", "to": "new", "turned": "9"}
    claim = {"type": "claim_win", "seat": "B"}
    story = replay([play, claim], payoff_tops={"A": "A", "B": "2"}, first="A")
    assert [finding.facts["left"] for finding in story["findings"] if finding.code == "cards-left"] == [26]


def test_a_second_chance_is_settled_by_a_card_that_was_there() -> None:
    """SNM-072: an ace played later from a hand that drew nothing was in it."""
    ace = {"type": "play", "from": "hand", "card": "A", "to": "new"}
    story = replay([END, END, END, END, ace], first="A")
    assert [judged.verdict.value for judged in story["verdicts"][3:5]] == ["undecided", "undecided"]
    assert [judged.settled for judged in story["verdicts"][3:5]] == ["illegal", None]
    assert [(f.seat, f.facts["turn"]) for f in story["findings"] if f.code == "second-chance-open"] == [("A", 3)]


def test_a_card_too_many_is_found_once() -> None:
    """SNM-002: in the cards of a hand as well as of a draw."""
    hands = {"A": ["9S", "9S", "3", "4", "5"]}
    first = {"type": "discard", "card": "3", "to": "new"}
    draw = {"type": "refill", "count": 1, "cards": ["9S"]}
    story = replay([first, END, draw, {"type": "discard", "card": "9S", "to": "new"}], hands=hands)
    assert [(f.facts["turn"], f.facts["cards"]) for f in story["findings"] if f.code == "record-contradicts"] == [
        (3, ["9S"])
    ]


def test_moves_without_a_centre() -> None:
    rules = GAME.options.preset().options
    position = {"players": ["A", "B"], "player": "A", "hand": ["A"], "payoff": "K", "side_stacks": []}
    found = GAME.moves(rules, Node({"position": position}))  # type: ignore[misc]
    assert {"type": "play", "from": "hand", "card": "A", "to": "new"} in found["moves"]


def test_what_claims_and_aces_change() -> None:
    """SNM-012, 072, 090, 112."""
    won = ask({"type": "claim_win"}, payoff_left=0)
    assert won.effect == {"over": True, "winner": "A"}
    ace = {"type": "play", "from": "hand", "card": "A", "to": "new"}
    assert ask(ace, hand=["A"], payoff="K", side_stacks=[], centre_stacks=[]).effect["played_ace_or_two"] is True
    start, tops = {"type": "start", "first": "A"}, {"A": "K", "B": "5", "C": "4", "D": "3"}
    assert "partners-start" in because(start, preset="partners4", players=list("ABCD"), payoff_tops=tops)
    assert because(start, payoff_tops={"A": "K", "B": "5"}) == {"start"}


def test_an_empty_hand_that_nobody_showed_meets_a_second_chance() -> None:
    """SNM-072: there is no card in it that could be owed; one card could be an ace."""
    table: dict[str, Any] = {"payoff": "7", "side_stacks": [], "centre_stacks": ["4"], "phase": "second_chance"}
    assert lacking(END, **table, hand_count=0) == ["legal"]
    assert lacking(END, **table, hand_count=1) == ["hand"]


def test_unknown_side_stacks_with_an_ace_that_may_be_there() -> None:
    """SNM-043 with 205: a first side card may be an ace, even where none is discarded."""
    table: dict[str, Any] = {"payoff": "7", "hand": ["9"], "centre_stacks": ["4"]}
    assert lacking(END, **table, options={"discard_ace": True}) == ["side_stacks"]
    assert lacking(END, **table, options={"side_start": 1}) == ["side_stacks"]
    assert lacking(END, **table) == ["legal"]

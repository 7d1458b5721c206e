"""Replay of records that are wrong, incomplete or unreadable; the table it leaves can be asked about."""

from __future__ import annotations

from typing import Any

import pytest

from companion.engine.cards import Card
from companion.engine.problems import Node, Refused
from companion.games.spite_and_malice import SPITE_AND_MALICE as GAME
from companion.games.spite_and_malice import position as n
from companion.games.spite_and_malice.deal import Entry, begin, follow_all
from tests.spite_and_malice.asking import check

END = {"type": "end_turn"}
DEAL = {"players": ["A", "B"], "payoff_tops": {"A": "K", "B": "9"}}


def replay(turns: list[Any], preset: str = "blackwood", options: Any = None, **deal: Any) -> Any:
    node = Node({"rules": {"preset": preset, "options": options or {}}, **DEAL, **deal, "turns": turns})
    return GAME.replay(GAME.options.read(node["rules"]).options, node)


def broken(story: Any) -> list[tuple[int, str, str]]:
    return [(f.facts["turn"], f.seat, f.article.partition(".")[2]) for f in story["findings"]]


def test_bare_moves_follow_each_other() -> None:
    story = replay([{"type": "discard", "card": "9", "to": "new"}, END, {"type": "refill", "count": 1}])
    assert [judged.move["seat"] for judged in story["verdicts"]] == ["A", "B", "A"]
    assert broken(story) == []


def test_the_tops_say_who_starts() -> None:
    assert broken(replay([{"player": "B", "moves": [END]}])) == [(1, "B", "turn-order")]
    assert broken(replay([], first="B")) == [(0, "B", "start")]
    assert broken(replay([{"player": "B", "moves": [END]}], payoff_tops={"A": "K"})) == []


def test_tied_tops_are_turned_up_anew() -> None:
    tie = {"payoff_tops": {"A": "9S", "B": "9S"}}
    redo = {"type": "start", "redo": "reshuffle", "payoff_tops": {"A": "4", "B": "5"}}
    story = replay([redo, {"type": "start", "first": "B"}, END], preset="blackwood108", **tie)
    assert broken(story) == []
    assert story["verdicts"][2].move["seat"] == "B"
    assert story["piles"]["A"]["payoff"] == "4"


def test_a_turn_out_of_order_is_followed_as_it_was_played() -> None:
    story = replay([{"player": "A", "moves": [END]}, {"player": "A", "moves": [END]}, {"player": "B", "moves": [END]}])
    assert broken(story)[0] == (2, "A", "turn-order")
    assert story["state"]["player"] == "A"


def test_what_cannot_have_happened_changes_nothing() -> None:
    moves = [
        {"type": "play", "from": "side", "stack": 0, "to": "new"},
        {"type": "play", "from": "hand", "card": "A", "to": 4},
        {"type": "play", "from": "opponent_payoff", "to": "new"},
        {"type": "play", "from": "hand", "card": "Q", "to": "new"},
        {"type": "refill", "count": 99},
        {"type": "recycle", "what": "complete", "by": "opponent"},
        {"type": "complete", "stack": 0, "do": "stay"},
        {"type": "claim_win"},
        {"type": "claim_stalemate"},
        {"type": "redeal", "first": "B"},
    ]
    story = replay([{"player": "A", "moves": moves}], hands={"A": ["A", "2", "3", "4", "9"]})
    assert {judged.verdict.value for judged in story["verdicts"]} == {"illegal"}
    assert len(story["findings"]) >= len(moves)
    assert story["state"]["stock"] == 46
    assert story["state"]["hand"] == ["A", "2", "3", "4", "9"]
    assert not story["complete"]
    assert story["result"] is None


HELD = ["5", "6", "7", "8", "9"]


@pytest.mark.parametrize(
    ("wrong", "stacks"),
    [
        ({"to": 2}, (["9"],)),
        ({"to": 7}, (["9"],)),
        ({"owner": "opponent"}, ([], ["9"])),
        ({"owner": "partner"}, ([],)),
        ({"from": "payoff"}, (["9"],)),
        ({"from": "centre"}, ([],)),
        ({"card": "Q"}, ([],)),
    ],
)
@pytest.mark.parametrize("preset", ["blackwood", "massachusetts", "skip_bo"])
def test_any_discard_ends_the_turn(preset: str, wrong: Any, stacks: Any) -> None:
    """SNM-025, IRR-M1: who plays next is in turn, also where the card cannot have been laid there."""
    pack: Any = {"side_start": 0, "initial_hand": "dealt"}
    move = {"type": "discard", "card": "9", "to": "new", **wrong}
    then = {"type": "discard", "card": "8", "to": "new"}
    turns = [{"player": "A", "moves": [move]}, {"player": "B", "moves": [then]}]
    story = replay(turns, preset, pack, hands={"A": HELD, "B": HELD}, first="A")
    assert {seat for _, seat, _ in broken(story)} == {"A"}
    laid = [len(stack) for stack in story["piles"]["A"]["side_stacks"]]
    assert laid == [1] * bool(stacks[0])
    assert len(story["piles"]["B"]["side_stacks"]) == len(stacks)
    assert story["state"]["player"] == "A"
    assert story["piles"]["A"]["hand_count"] == 5 - (any(stacks) and "from" not in wrong)


def test_a_wrong_card_stays_where_it_was_laid() -> None:
    """What was really done counts for what follows, even where it was not allowed."""
    moves = [
        {"type": "play", "from": "hand", "card": card, "to": to} for card, to in (("A", "new"), ("5", 0), ("6", 0))
    ]
    story = replay([{"player": "A", "moves": moves}])
    assert broken(story) == [(1, "A", "next-rank")]
    assert story["state"]["centre_stacks"] == ["6"]


def test_a_card_too_many() -> None:
    hands = {"A": ["9S", "9S", "3", "4", "5"]}
    turns = [{"player": "A", "moves": [{"type": "discard", "card": "9S", "to": "new"}]},
             {"player": "B", "moves": [{"type": "discard", "card": "9S", "to": "new"}]},
             {"player": "A", "moves": [{"type": "refill", "count": 1}]}]  # fmt: skip
    story = replay(turns, hands=hands)
    assert [(f.code, f.facts["why"], f.facts["cards"]) for f in story["findings"]] == [
        ("record-contradicts", "too-many-copies", ["9S"])
    ]


@pytest.mark.parametrize("names", [("A", "B", "C", "D"), ("x+y", "x", "y", "+")], ids=["letters", "with-plus"])
def test_partners_go_out_together(names: tuple[str, ...]) -> None:
    one, two, three, four = names
    run = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10"]
    turns: list[Any] = [{"type": "play", "from": "payoff", "to": "new", "turned": "2"}]
    turns += [{"type": "play", "from": "payoff", "to": 0, "turned": card} for card in run[2:5]]
    turns += [{"type": "play", "from": "payoff", "to": 0}]
    turns += [{"type": "play", "from": "partner_payoff", "to": 0, "turned": card} for card in run[6:]]
    tops = {one: "A", three: "6"}
    deal: dict[str, Any] = {
        "players": list(names),
        "payoff_tops": tops,
        "options": {"payoff_size": 5, "starts": "any"},
        "preset": "partners4",
    }
    story = replay([{"player": one, "moves": turns}], **deal)
    assert broken(story) == []
    assert (story["piles"][one]["payoff_left"], story["complete"]) == (0, False)
    last = {"type": "play", "from": "partner_payoff", "to": 0}
    story = replay([{"player": one, "moves": [*turns, last, {"type": "claim_win"}]}], **deal)
    assert broken(story) == []
    assert story["result"] == {"winner": f"{one}+{three}", "remaining": {two: 5, four: 5}}
    assert story["sides"] == [
        {"id": f"{one}+{three}", "players": [one, three]},
        {"id": f"{two}+{four}", "players": [two, four]},
    ]


def test_the_state_is_a_position() -> None:
    turns = [{"player": "A", "moves": [{"type": "discard", "card": "9", "to": "new"}]}]
    state = replay(turns, hands={"A": ["9"] * 5, "B": ["2", "3", "4", "5", "6"]})["state"]
    rules = {"preset": "blackwood"}
    assert check({"rules": rules, "position": state, "move": END}).value == "legal"
    refill = {"type": "refill", "count": 1}
    assert check({"rules": rules, "position": state, "move": refill}).value == "illegal"


@pytest.mark.parametrize(
    ("deal", "path", "code"),
    [
        ({"turns": 3}, "/turns", "type"),
        ({"turns": [{"type": "fly"}]}, "/turns/0/type", "choice"),
        ({"turns": [{"player": "Z", "moves": []}]}, "/turns/0/player", "unknown-seat"),
        ({"turns": [], "hands": {"A": ["9"]}}, "/hands/A", "hand-count"),
        ({"turns": [], "payoff_tops": {"Z": "9"}}, "/payoff_tops/Z", "unknown-seat"),
        ({"turns": [], "side_stacks": {"A": [["9"]]}}, "/side_stacks/A", "side-start-count"),
        ({"turns": [], "players": ["A"]}, "/players", "seats-count"),
        ({}, "/turns", "required"),
        ({"turns": [], "seed": 1}, "/seed", "unknown-key"),
    ],
)
def test_unreadable_records_are_refused(deal: dict[str, Any], path: str, code: str) -> None:
    with pytest.raises(Refused) as refused:
        GAME.replay(GAME.options.preset().options, Node({"players": ["A", "B"], **deal}))
    assert (path, code) in {(problem.path(), problem.code) for problem in refused.value.problems}


def played(*turns: tuple[str, list[Any]]) -> list[Any]:
    """Turns with their moves, each given by its player."""
    return [{"player": player, "moves": moves} for player, moves in turns]


def play(card: str, to: Any, **beside: Any) -> dict[str, Any]:
    return {"type": "play", "from": "hand", "card": card, "to": to, **beside}


def discard(card: str = "9", **beside: Any) -> dict[str, Any]:
    return {"type": "discard", "card": card, "to": "new", **beside}


@pytest.mark.parametrize("late", [[play("2", 0)], [play("2", 0), play("3", 0)], [discard("8")]])
@pytest.mark.parametrize("preset", ["blackwood", "pagat", "hoyle", "skip_bo"])
def test_a_move_after_the_own_discard_is_the_fault_of_its_player_alone(preset: str, late: list[Any]) -> None:
    """SNM-027: the discard has ended the turn; the next player is in turn."""
    turns = played(("A", [play("A", "new"), discard(), *late]), ("B", [discard("7")]), ("A", []))
    story = replay(turns, preset, {"initial_hand": "dealt", "mandatory": []}, first="A")
    assert broken(story) == [(1, "A", "after-discard")] * len(late)
    assert story["verdicts"][-1].verdict.value == "legal"
    assert story["state"]["player"] == "A"
    assert [turn["player"] for turn in story["state"]["turns"]] == ["A", "B"]


def test_a_card_drawn_after_the_turn_is_not_due() -> None:
    """ALO-010: who fills the hand at the end of the turn has ended it, too."""
    moves = [discard(), {"type": "refill", "count": 1}, play("2", "new")]
    turns = played(("A", moves), ("B", [discard(), {"type": "refill", "count": 1}]))
    assert broken(replay(turns, options={"refill_at": "end"}, first="A")) == [
        (1, "A", "after-discard"), (1, "A", "open-stack"),
    ]  # fmt: skip


def test_nothing_is_wrong_with_saying_that_the_discard_was_the_last_move() -> None:
    turns = played(("A", [discard(), END]), ("B", [discard()]), ("A", [{"type": "refill", "count": 1}, END]))
    assert broken(replay(turns, first="A")) == []


@pytest.mark.parametrize("aside", [play("2", 0), discard("8"), {"type": "refill", "count": 1}, END])
@pytest.mark.parametrize("grouped", [True, False])
def test_who_is_interrupted_goes_on(aside: dict[str, Any], grouped: bool) -> None:
    """A move out of turn is the fault of whoever makes it; the turn in progress is not over."""
    if not grouped and aside["type"] in ("discard", "end_turn"):
        pytest.skip("a turn of the other player as far as the record says")
    moves = [play("A", "new"), {**aside, "seat": "B"}, play("3" if aside == play("2", 0) else "2", 0), discard()]
    turns = played(("A", moves)) if grouped else [{"seat": "A", **move} for move in moves]
    story = replay(turns, first="A")
    assert {seat for _, seat, _ in broken(story)} == {"B"}
    assert broken(story)[0] == (1 if grouped else 2, "B", "turn-order")
    assert [judged.verdict.value for judged in story["verdicts"]][-2:] == ["legal", "legal"]
    assert story["state"]["player"] == "B"


def test_who_was_passed_over_may_still_play() -> None:
    """With four players C plays before B; B then takes the turn that is B's, and nothing is wrong with it."""
    players = {"players": ["A", "B", "C", "D"], "payoff_tops": {}, "first": "A"}
    turns = played(("A", [discard()]), ("C", [discard("8")]), ("B", [discard("7")]), ("C", [END]))
    story = replay(turns, "alone4", {"discard_required": False}, **players)
    assert broken(story)[0] == (2, "C", "turn-order")
    assert (3, "B", "turn-order") not in broken(story)
    skipped = played(("A", [discard()]), ("C", [discard("8")]), ("D", [discard("7")]), ("A", [END]))
    found = broken(replay(skipped, "alone4", {"discard_required": False}, **players))
    assert found == [(2, "C", "turn-order"), (4, "A", "refill")]


@pytest.mark.parametrize("moves", [[play("A", "new")], []])
def test_the_end_of_a_recorded_turn_ends_it(moves: list[Any]) -> None:
    """SNM-026, 308: a turn that the record ends is over; whether it might end so is a matter of that player's."""
    turns = played(("A", moves), ("B", [play("A", "new"), discard()]))
    assert broken(replay(turns, first="A")) == []
    found = broken(replay(turns, "pagat", first="A", hands={"A": ["A", "2", "3", "4", "5"]}))
    assert found == [(1, "A", "closing-discard")]


def test_a_recorded_turn_in_which_only_the_stock_was_replenished_is_over() -> None:
    """SNM-070, 081: whoever is named next is in turn, whoever has replenished it; but it may be written in parts.

    So it is where somebody only said something.
    """
    four = {"players": ["A", "B", "C", "D"], "payoff_tops": {}, "first": "A"}
    renew = {"type": "recycle", "what": "incomplete", "by": "opponent"}
    first = ("A", [play("A", "new"), discard()])
    for beside in ({}, {"seat": "C"}):
        idle = played(first, ("B", [{**renew, **beside}]), ("C", [discard("8")]))
        story = replay(idle, "partners4", {"recycle_threshold": 12}, **four)
        assert broken(story) == []
        assert [turn["acted"] for turn in story["state"]["turns"]] == [True, False, True]
    parts = played(first, ("B", [renew]), ("B", [discard("7"), play("A", "new")]))
    assert broken(replay(parts, "partners4", {"recycle_threshold": 12}, **four)) == [(2, "B", "after-discard")]
    said = played(*((player, []) for player in "ABCD"), ("A", [{"type": "second_chance"}]), ("B", [END]))
    assert broken(replay(said, "partners4", **four)) == []
    emptied = ("C", [play("A", "new"), *(play(card, 0) for card in "234"), discard()])
    unsaid = played(
        emptied, ("D", [discard()]), ("A", [discard()]), ("B", [play("A", "new")]),
        ("C", [renew, {"type": "refill", "count": 5}, discard()]),
    )  # fmt: skip
    laid: dict[str, Any] = {"first": "C", "side_stacks": {player: [["J"]] for player in "ABCD"}}
    assert broken(replay(unsaid, "partners4", {"side_start": 1}, **four | laid)) == []
    helped = played(first, ("C", [renew]), ("B", [discard("7")]))
    assert broken(replay(helped, "partners4", {"recycle_threshold": 12}, **four)) == []


def test_what_the_end_of_a_recorded_turn_left_undone_is_shown_later() -> None:
    turns = played(("A", [play("A", "new")]), ("B", [END]), ("A", [play("2", 0, **{"from": "payoff"})]))
    story = replay(turns, first="A", payoff_tops={})
    assert ("payoff-two", "A", 1) in [(f.article.partition(".")[2], f.seat, f.facts["turn"]) for f in story["findings"]]


TIE = {"players": ["A", "B", "C", "D"], "payoff_tops": {"A": "9S", "B": "9D", "C": "4S", "D": "3C"}}
FOUR = {"discard_required": False}


def anew(**tops: str) -> dict[str, Any]:
    return {"type": "start", "redo": "reshuffle", "payoff_tops": tops}


@pytest.mark.parametrize("announced", [True, False])
def test_only_the_highest_compare_again(announced: bool) -> None:
    """ALO-R4: as often as needed; who was out of it stays out, and the last tops say who starts."""
    again = [anew(A="2S", B="2D"), anew(A="5S", B="2H")]
    start = [{"type": "start", "first": "A"}] if announced else []
    story = replay([*again, *start, *played(("A", [END]))], "alone4", FOUR, **TIE)
    assert broken(story) == []
    story = replay([*again[:1], anew(A="2H", B="3H"), *played(("B", [END]))], "alone4", FOUR, **TIE)
    assert broken(story) == []
    story = replay([*again, *played(("B", [END]))], "alone4", FOUR, **TIE)
    assert broken(story) == [(1, "B", "turn-order")]
    assert broken(replay([*again, anew(A="6S", B="7S")], "alone4", FOUR, **TIE))[0][2] == "start"


def test_a_first_turn_that_cannot_be_the_first_is_found() -> None:
    four = {"players": ["A", "B", "C", "D"], "payoff_tops": {}, "dealer": "D"}
    for starts, first in (("left_of_dealer", "A"), ("dealer", "D")):
        options = {"starts": starts, **FOUR}
        for seat in "ABCD":
            found = broken(replay(played((seat, [END])), "alone4", options, **four))
            assert found == ([] if seat == first else [(1, seat, "start-agreed")])
    for seat in "ABCD":  # a redo that nobody wrote down lets one of the highest start
        found = broken(replay(played((seat, [END])), "alone4", FOUR, **TIE))
        assert found == ([] if seat in "AB" else [(1, seat, "start-reshuffle")])


def test_a_card_may_come_up_again_once_it_was_shuffled() -> None:
    tops = {"payoff_tops": {"A": "9S", "B": "9D"}}
    story = replay([anew(A="9S", B="9D"), anew(A="9S", B="3D"), *played(("A", [END]))], "hoyle", **tops)
    assert broken(story) == []
    later = [play("A", "new", **{"from": "payoff", "turned": "9S"}), END]
    story = replay([anew(A="AS", B="3D"), *played(("B", [END]), ("A", later))], "hoyle", **tops)
    assert [f.code for f in story["findings"]] == []


def test_a_redeal_that_comes_late_is_begun_by_the_first_who_was_idle() -> None:
    """SNM-075: a turn too many of one player does not move the start."""
    turns = [{"player": player, "acted": False} for player in "ABABA"]
    position = {"player": "B", "players": ["A", "B"], "turns": turns}
    for first, value in (("A", "legal"), ("B", "illegal")):
        move = {"type": "redeal", "first": first}
        assert check({"rules": {}, "position": position, "move": move}).value == value
    idle = played(*[(player, [END]) for player in "ABABA"])
    story = replay([*idle, {"type": "redeal", "first": "A"}], first="A")
    assert broken(story) == [(5, "A", "redeal")]
    assert replay(idle, first="A")["state"]["phase"] == "normal"


def test_a_play_that_was_taken_back_is_found_and_changes_nothing() -> None:
    """IRR-M1: the same card may be played again, and what is lawful after it is."""
    back = {"corrected": True}
    moves = [play("A", "new"), play("3", 0, **back), play("2", 0), play("3", 0), discard("A", **back), discard("8")]
    turns = played(("A", moves), ("B", [END]))
    story = replay(turns, first="A", hands={"A": ["A", "2", "3", "8", "9"]})
    assert [(f.code, f.established, f.remedy) for f in story["findings"]] == [
        ("next-rank", None, None), ("not-in-hand", None, None), ("ace-discarded", None, None),
    ]  # fmt: skip
    assert [judged.verdict.value for judged in story["verdicts"]].count("illegal") == 2
    assert (story["state"]["centre_stacks"], story["piles"]["A"]["hand_count"]) == (["3"], 1)


@pytest.mark.parametrize("refill", [True, False])
def test_a_card_that_was_seen_since_ends_the_taking_back(refill: bool) -> None:
    """IRR-M1: what came before the card that was turned up or drawn stays, within the same turn as well."""
    wrong = play("3", "new") if refill else play("Q", "new", **{"from": "payoff", "turned": "5"})
    seen = [play(card, at) for at, card in enumerate("AAAA", 1)] + [{"type": "refill", "count": 5}] if refill else []
    for turns in (played(("A", [wrong, *seen])), played(("A", [wrong, *seen, discard("4")]), ("B", [END]))):
        story = replay(turns, options={"mandatory": []}, first="A", payoff_tops={"A": "Q", "B": "9"})
        assert story["findings"][0].established == 1
    before = play("A", "new", **{"from": "payoff", "turned": "5"})
    late = replay(played(("A", [before, play("3", "new")]), ("B", [END])), first="A", payoff_tops={})
    assert late["findings"][0].established == 2


@pytest.mark.parametrize(
    ("wrong", "left", "sides", "centre"),
    [
        (play("9", 0, **{"from": "opponent_payoff"}), (26, 25), ([["7"]], []), ["9"]),
        (play("7", {"side": 1}, **{"from": "side", "stack": 0}), (26, 26), ([[], ["7"]], []), ["A"]),
        (play("K", {"side": 0}, **{"from": "payoff"}), (25, 26), ([["7", "K"]], []), ["A"]),
        (discard("K", **{"from": "payoff"}), (25, 26), ([["7"], ["K"]], []), ["A"]),
    ],
)
def test_a_card_lies_where_it_was_laid_whichever_pile_it_is_from(
    wrong: Any, left: Any, sides: Any, centre: Any
) -> None:
    """IRR-M1: an established illegal move stands, and nobody is blamed for what follows from it."""
    turns = played(
        ("A", [discard("7")]), ("B", [END]), ("A", [{"type": "refill", "count": 1}, play("A", "new"), wrong])
    )
    story = replay([*turns, *played(("B", [END]))], first="A")
    assert {(turn, seat) for turn, seat, _ in broken(story)} == {(3, "A")}
    piles = story["piles"]
    assert tuple(piles[seat]["payoff_left"] for seat in "AB") == left
    assert tuple(piles[seat]["side_stacks"] for seat in "AB") == sides
    assert story["state"]["centre_stacks"] == centre


def test_the_table_after_a_fifth_side_stack_can_be_asked_about() -> None:
    """SNM-050, IRR-M1: five stacks lie there; a sixth is one too many, and all five may be played from."""
    drawn: list[Any] = []
    turns: list[Any] = []
    for card in "QQQQQ":
        turns += played(("A", [*drawn, discard(card)]), ("B", [END]))
        drawn = [{"type": "refill", "count": 1}]
    story = replay(turns, first="A", hands={"A": ["Q"] * 5})
    assert broken(story) == [(9, "A", "side-stacks")]
    state = story["state"] | {"refilled": True, "centre_stacks": ["J"]}
    for move, value in (
        (discard("Q"), "illegal"), (discard("Q") | {"to": 4}, "illegal"),
        ({"type": "play", "from": "side", "stack": 4, "to": 0}, "legal"),
    ):  # fmt: skip
        state |= {"hand": ["Q" if move["type"] == "play" else "K", "3", "3", "3", "3"], "hand_count": None}
        verdict = check({"rules": {}, "position": state, "move": move})
        assert verdict.value == value, verdict.breaches


@pytest.mark.parametrize("held", [0, 2, 4])
def test_the_rest_is_drawn_once_the_stock_is_renewed(held: int) -> None:
    """SKB-009: first what is left of the stock, then from the new one: the order of the leaflet."""
    rules = GAME.options.preset("skip_bo").options
    run = begin(rules, ("A", "B"), tops={})
    table = run.table
    table.stock, table.aside, table.seats["A"].unseen = 1, [[None] * 12], held
    drawn: list[n.Move] = [n.Refill(1), n.Recycle("complete", "player"), *([n.Refill(4 - held)] if held < 4 else [])]
    moves: list[n.Move] = [n.Start("A"), *drawn, n.Discard("new", Card("5"))]
    done = follow_all(run, [Entry(move, turn=1, seat=None, shape={"type": ""}) for move in moves])
    assert [one.code for one in done.findings] == []
    short = follow_all(begin(rules, ("A", "B"), tops={}), [Entry(n.Refill(5), turn=1, seat=None, shape={"type": ""})])
    assert short.table.refilled

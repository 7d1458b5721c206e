"""Worked stories of a deal, written from the articles and followed by the replay."""

from __future__ import annotations

from typing import Any

import pytest

from companion.engine.game import score
from companion.engine.problems import Node
from companion.games.spite_and_malice import SPITE_AND_MALICE as GAME

Move = dict[str, Any]
NEW = "new"


def play(source: str, to: int | str, card: str | None = None, **more: Any) -> Move:
    named = {} if card is None else {"card": card}
    return {"type": "play", "from": source, "to": to, **named, **more}


def discard(card: str, to: int | str) -> Move:
    return {"type": "discard", "card": card, "to": to}


def refill(*cards: str) -> Move:
    return {"type": "refill", "count": len(cards), "cards": list(cards)}


END: Move = {"type": "end_turn"}


def told(*turns: tuple[str, list[Move]], preset: str = "blackwood", options: Any = None, **deal: Any) -> Any:
    """The replay of some turns, each `(player, moves)`."""
    house = GAME.options.read(Node({"preset": preset, "options": options or {}}))
    written = [{"player": player, "moves": moves} for player, moves in turns]
    return GAME.replay(house.options, Node({"players": ["A", "B"], "turns": written, **deal}))


def values(story: Any) -> list[str]:
    return [judged.verdict.value for judged in story["verdicts"]]


def broken(story: Any) -> list[tuple[int, str, str]]:
    """Turn, player and article of every finding."""
    return [(f.facts["turn"], f.seat, f.article.partition(".")[2]) for f in story["findings"]]


def test_forced_chain() -> None:
    """SNM-040 to 042, 048: each card turned up creates its duty at once; only the last discard ends a clean turn."""
    hands = {"A": ["9", "9", "J", "J", "5"], "B": ["8", "7", "6", "5", "4"]}
    deal: dict[str, Any] = {"payoff_tops": {"A": "A", "B": "K"}, "first": "A", "hands": hands}
    chain = [
        play("payoff", NEW, turned="2"),
        play("payoff", 0, turned="A"),
        play("payoff", NEW, turned="Q"),
    ]
    deal["payoff_tops"] = {"A": "A", "B": "K"}
    del deal["first"]
    opening = ("B", [discard("8", NEW)])
    clean = told(opening, ("A", [*chain, discard("9", NEW)]), **deal)
    assert values(clean) == ["legal"] * 5
    assert clean["state"]["centre_stacks"] == ["2", "A"]
    assert clean["piles"]["A"]["payoff_left"] == 23
    for stop, article in ((0, "payoff-ace"), (1, "payoff-two"), (2, "payoff-ace")):
        early = told(opening, ("A", [*chain[:stop], discard("9", NEW)]), **deal)
        assert broken(early) == [(2, "A", article)]


def test_one_ace_and_two_exposed_twos() -> None:
    """SNM-044, 045: either exposed two may take the only ace; the two of the hand may not go first."""
    deal: dict[str, Any] = {
        "payoff_tops": {"A": "2", "B": "3"},
        "hands": {"A": ["9", "9", "J", "J", "5"], "B": ["A", "2", "7", "7", "6"]},
    }
    start: list[tuple[str, list[Move]]] = [
        ("B", [discard("2", NEW)]),
        ("A", [discard("9", NEW)]),
    ]
    deal["payoff_tops"] = {"A": "3", "B": "5"}
    own_twos = [refill("2"), play("hand", NEW, "A")]
    # B now shows a two on a side stack, holds another in hand, and has opened with an ace.
    shut_out = told(*start, ("B", [*own_twos, play("hand", 0, "2")]), **deal)
    assert broken(shut_out) == [(3, "B", "ace-kept-for-two")]
    first = told(*start, ("B", [*own_twos, play("side", 0, stack=0), discard("7", 0)]), **deal)
    assert values(first) == ["legal"] * 6
    # With a two on the pay-off pile as well, one of them takes the ace and the other must wait.
    both = told(
        *start,
        ("B", [refill("3"), discard("7", NEW)]),
        ("A", [refill("A"), play("hand", NEW, "A"), discard("9", 0)]),
        ("B", [refill("4"), play("side", 0, stack=0), play("hand", 0, "3"), play("hand", 0, "4"),
               play("payoff", 0, turned="2"), END]),
        ("A", [refill("A", "K"), play("hand", NEW, "A"), discard("J", 0)]),
        **deal,
    )  # fmt: skip
    assert broken(both) == [(6, "A", "same-or-lower")]


def test_lending_an_ace() -> None:
    """SNM-041, 046: an ace in hand is free; once it is played, an opponent's exposed two has to go on it."""
    deal: dict[str, Any] = {
        "payoff_tops": {"A": "K", "B": "2"},
        "hands": {"A": ["A", "9", "9", "9", "9"], "B": ["8", "8", "8", "8", "7"]},
    }
    kept = told(("A", [discard("9", NEW)]), ("B", [discard("8", NEW)]), **deal)
    assert values(kept) == ["legal", "legal"]
    lent = ("A", [play("hand", NEW, "A"), discard("9", NEW)])
    used = told(lent, ("B", [play("payoff", 0, turned="5"), discard("8", NEW)]), **deal)
    assert values(used) == ["legal"] * 4
    assert broken(told(lent, ("B", [discard("8", NEW)]), **deal)) == [(2, "B", "payoff-two")]
    assert broken(told(lent, ("B", [END]), **deal)) == [(2, "B", "payoff-two")]


def test_joker_value() -> None:
    """SNM-063 to 066: the joker's value is open again once the card on it has left, and free in the centre."""
    deal: dict[str, Any] = {
        "payoff_tops": {"A": "K", "B": "Q"},
        "hands": {"A": ["8", "X", "6", "8", "9"], "B": ["A", "2", "3", "4", "5"]},
    }
    until_six: list[tuple[str, list[Move]]] = [
        ("A", [discard("8", NEW)]),
        ("B", [END]),
        ("A", [refill("Q"), discard("X", 0)]),
        ("B", [END]),
        ("A", [refill("J"), discard("6", 0)]),
        ("B", [play("hand", NEW, "A"), *(play("hand", 0, card) for card in "2345"), END]),
    ]
    on_six = told(*until_six, ("A", [refill("10"), discard("8", 0)]), **deal)
    assert broken(on_six) == [(7, "A", "same-or-lower")]
    gone = told(*until_six, ("A", [refill("10"), play("side", 0, stack=0), discard("8", 0)]), **deal)
    assert broken(gone) == []
    assert gone["piles"]["A"]["side_stacks"] == [["8", "X", "8"]]
    free = told(*until_six, ("A", [refill("10"), play("side", 0, stack=0), play("side", 0, stack=0), END]), **deal)
    assert broken(free) == []
    assert free["state"]["centre_stacks"] == ["7"]


def test_deadlock_and_redeal() -> None:
    """SNM-070 to 076: four idle turns, everything but the pay-off piles is dealt again, the first idler starts."""
    stuck = {"A": ["K", "K", "Q", "Q", "J"], "B": ["K", "K", "Q", "Q", "A"]}
    deal: dict[str, Any] = {"payoff_tops": {"A": "10", "B": "9"}, "hands": stuck}
    idle: list[tuple[str, list[Move]]] = [("A", [END]), ("B", [END]), ("A", [END])]
    redeal = {"type": "redeal", "first": "A"}
    kept_ace = told(*idle, ("B", [END]), ("A", [redeal]), **deal)
    assert broken(kept_ace) == [(4, "B", "second-chance-duty")]
    broken_up = told(*idle, ("B", [play("hand", NEW, "A"), END]), ("A", [redeal]), **deal)
    assert broken(broken_up) == [(5, "A", "redeal")]
    deal["hands"] = {"A": stuck["A"], "B": ["10", "10", "Q", "Q", "9"]}
    for first, expected in (("A", []), ("B", [(5, "A", "redeal-starter")])):
        again = told(*idle, ("B", [END]), ("A", [redeal | {"first": first}]), **deal)
        assert broken(again) == expected
    again = told(*idle, ("B", [END]), ("A", [redeal, discard("5", NEW)]), **deal)
    assert again["piles"]["B"] == {"payoff": "9", "payoff_left": 26, "side_stacks": [], "hand_count": 5}
    assert again["state"]["stock"] == 46
    assert again["state"]["turns"] == [{"player": "A", "acted": True}]


def test_hidden_hand_in_a_second_chance_is_settled_later() -> None:
    """SNM-072 with an unknown hand: undecided then, and an ace that comes out of the same cards shows the breach."""
    deal: dict[str, Any] = {"payoff_tops": {"A": "10", "B": "9"}}
    turns: list[tuple[str, list[Move]]] = [("A", [END]), ("B", [END]), ("A", [END]), ("B", [discard("8", NEW)])]
    story = told(*turns, ("A", [play("hand", NEW, "A"), END]), **deal)
    assert values(story)[2] == "undecided"
    assert story["verdicts"][2].settled == "illegal"
    found = story["findings"][0]
    assert (found.seat, found.code) == ("A", "second-chance-open")
    assert found.facts["shown_by"] == {"turn": 5, "card": "A", "move": 4}
    drawn = told(*turns[:2], ("A", [discard("7", NEW)]), ("B", [END]), ("A", [refill("A"), END]), **deal)
    assert drawn["findings"] == []


def test_recycling() -> None:
    """SNM-034, 080 to 084: low stock; the opponent puts the complete stacks under it, incomplete ones come later."""
    options = {"recycle_threshold": 20}
    low = ["A", "2", "3", "4", "5"]
    deal: dict[str, Any] = {"payoff_tops": {"A": "10", "B": "9"}, "hands": {"A": low, "B": low}}

    def whole_stack(place: int, first: int | str) -> list[Move]:
        moves = [play("hand", first, "A"), *(play("hand", place, card) for card in "2345")]
        moves += [refill("6", "7", "8", "9", "10"), *(play("hand", place, card) for card in ("6", "7", "8", "9", "10"))]
        return [*moves, refill("J", "Q", "K", "9", "8"), *(play("hand", place, card) for card in "JQK")]

    recycle = {"type": "recycle", "what": "complete", "by": "opponent"}
    start: list[tuple[str, list[Move]]] = [
        ("A", [*whole_stack(0, NEW), discard("9", NEW)]),
        ("B", [*whole_stack(1, NEW), discard("9", NEW)]),
    ]
    early = told(*start, ("A", [recycle]), options=options, **deal)
    assert broken(early) == [(3, "B", "stock-low")]
    assert told(*start, options=options, **deal)["state"]["complete"] == 2
    wrap = told(*start, ("A", [refill("A", "7", "7", "7"), play("hand", 0, "A")]), options=options, **deal)
    assert broken(wrap) == [(3, "A", "completed-stack")]
    going_on = ("A", [refill("A", "2", "3", "4"), play("hand", NEW, "A"), play("hand", 2, "2"), discard("8", 0)])
    drawn = refill("7", "7", "7", "6")
    before = told(*start, going_on, ("B", [drawn]), options=options, **deal)
    assert (before["state"]["stock"], before["state"]["complete"], before["state"]["incomplete"]) == (18, 2, 1)
    for wrong, article, who in (
        ({"what": "incomplete"}, "recycle-incomplete", "A"),
        ({"by": "player"}, "who-recycles", "B"),
    ):
        story = told(*start, going_on, ("B", [drawn, recycle | wrong]), options=options, **deal)
        assert broken(story) == [(4, who, article)]
    after = told(*start, going_on, ("B", [drawn, recycle, discard("7", 0)]), options=options, **deal)
    assert broken(after) == [(4, "B", "same-or-lower")]
    assert (after["state"]["stock"], after["state"]["centre_stacks"]) == (18 + 26, ["2"])
    assert after["piles"]["A"]["side_stacks"] == [["9", "8"]]


def test_empty_hand() -> None:
    """SNM-028, 029: five new cards in mid-turn are a right; the discard of the last card ends the turn."""
    hand = ["A", "2", "3", "4", "5"]
    deal: dict[str, Any] = {"payoff_tops": {"A": "K", "B": "Q"}, "hands": {"A": hand, "B": ["9"] * 4 + ["8"]}}
    out = [play("hand", NEW, "A"), *(play("hand", 0, card) for card in "2345")]
    assert broken(told(("A", [*out, END]), **deal)) == []
    assert broken(told(("A", [*out, refill("6", "7", "8", "9", "10"), play("hand", 0, "6")]), **deal)) == []
    assert broken(told(("A", [*out[:4], refill("6", "7", "8", "9")]), **deal)) == [(1, "A", "empty-hand")]
    must = told(("A", [*out, END]), options={"midturn_refill": "must"}, **deal)
    assert broken(must) == [(1, "A", "five-new-cards")]
    last = told(("A", [*out[:4], discard("5", NEW)]), **deal)
    assert (last["state"]["player"], last["state"]["stock"]) == ("B", 46)
    replayed = told(
        ("A", [*out[:4], discard("5", NEW), refill("6", "7", "8", "9", "10"), discard("6", NEW)]),
        options={"after_last_discard": "refill_and_replay"},
        **deal,
    )
    assert broken(replayed) == []
    assert (replayed["state"]["player"], replayed["state"]["stock"]) == ("B", 41)


def emptied_stock() -> list[dict[str, Any]]:
    """One turn of A that draws the whole stock of 46 and ends with one card in hand; three centre stacks are full."""
    ranks = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"]
    moves: list[dict[str, Any]] = []
    for place in range(50):
        stack, step = divmod(place, 13)
        moves.append(play("hand", stack if step else NEW, ranks[step]))
        if place % 5 == 4:
            moves.append({"type": "refill", "count": min(5, 46 - place // 5 * 5)})
    return moves


@pytest.mark.parametrize("recycle_source", ["none", "complete_only", "complete_then_incomplete"])
def test_last_discard_on_an_empty_stock(recycle_source: str) -> None:
    """SNM-123 with 080 and 085: the turn goes on where stacks can be put under the stock, and else is over."""
    options = {"after_last_discard": "refill_and_replay", "recycle_source": recycle_source}
    deal: dict[str, Any] = {"payoff_tops": {"A": "K", "B": "Q"}, "options": options}
    turn = [*emptied_stock(), discard("9", NEW)]
    last = told(("A", turn), **deal)
    assert broken(last) == []
    assert (last["state"]["stock"], last["piles"]["A"]["hand_count"]) == (0, 0)
    recycle = {"type": "recycle", "what": "complete", "by": "opponent"}
    again = told(("A", [*turn, recycle, {"type": "refill", "count": 5}, discard("8", NEW)]), **deal)
    if recycle_source == "none":
        assert (last["state"]["player"], last["state"]["discarded"]) == ("B", False)
        assert broken(again)[0] == (1, "A", "completed-stack")
        assert broken(told(("A", turn), ("B", [END]), **deal)) == []
    else:
        assert (last["state"]["player"], last["state"]["discarded"]) == ("A", True)
        assert broken(again) == []
        assert (again["state"]["player"], again["state"]["stock"]) == ("B", 34)
        assert broken(told(("A", [*turn, END]), ("B", [END]), **deal)) == []


def test_massachusetts_finish() -> None:
    """SNM-215, 219, 221 to 223: a king as the eight, the last pay-off card, the score: what the other has left."""
    options = {"payoff_size": 5}
    deal = {
        "payoff_tops": {"A": "Q", "B": "3"},
        "hands": {"A": ["A", "2", "3", "4", "5"], "B": ["Q", "Q", "J", "J", "10"]},
        "side_stacks": {"A": [["6"]], "B": [["7"]]},
    }
    climb = [play("hand", NEW, "A"), *(play("hand", 0, card) for card in "2345")]
    owed = told(("A", [*climb, play("side", 0, stack=0)]), preset="massachusetts", options=options, **deal)
    assert broken(owed) == [(1, "A", "five-new-cards")]
    climb += [refill("7", "K", "9", "10", "J"), play("side", 0, stack=0), play("hand", 0, "7")]
    finish = [
        *climb, play("hand", 0, "K"), play("hand", 0, "9"), play("hand", 0, "10"), play("hand", 0, "J"),
        refill("6", "6", "6", "6", "6"), play("payoff", 0, turned="A"), play("payoff", NEW, turned="2"),
        play("payoff", 0, turned="K"), play("payoff", 0, turned="4"), play("payoff", 0),
    ]  # fmt: skip
    won = told(("A", finish), ("A", [{"type": "claim_win"}]), preset="massachusetts", options=options, **deal)
    assert broken(won) == []
    assert won["state"]["set_aside"] == 1
    assert won["complete"]
    assert won["result"] == {"winner": "A", "remaining": {"B": 5}}
    rules = {"preset": "massachusetts", "options": options}
    _, ledger = score(GAME, {"rules": rules, "sides": won["sides"], "deals": [won["result"]]})
    assert ledger.standing["A"].total == 5
    after = told(("A", [*finish, discard("6", NEW)]), preset="massachusetts", options=options, **deal)
    assert (1, "A", "going-out") in broken(after)

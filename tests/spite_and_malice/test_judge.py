"""The judge, article by article, where the published cases are silent; and what it leaves undecided."""

from __future__ import annotations

from collections import Counter
from itertools import product
from typing import Any

import pytest

import companion
from companion.engine.problems import Refused
from companion.games.spite_and_malice import SPITE_AND_MALICE as GAME
from tests.spite_and_malice.asking import articles, ask

HAND = ["3", "5", "9", "J", "K"]
TABLE: dict[str, Any] = {"payoff": "7", "hand": HAND, "side_stacks": [["9", "8"]], "centre_stacks": ["2", "A"]}
END = {"type": "end_turn"}


def play(source: str, to: Any = 0, **more: Any) -> dict[str, Any]:
    return {"type": "play", "from": source, "to": to, **more}


def discard(card: str, to: Any = "new", **more: Any) -> dict[str, Any]:
    return {"type": "discard", "card": card, "to": to, **more}


def lacking(move: dict[str, Any], **position: Any) -> list[str]:
    verdict = ask(move, **position)
    return [missing.fact for missing in verdict.missing] if verdict.value == "undecided" else [verdict.value]


@pytest.mark.parametrize(
    ("move", "broken"),
    [
        (play("hand", card="4"), {"plays", "next-rank"}),  # SNM-021: not held, and on a 2 goes a 3
        (play("side", stack=0, depth=1), {"top-card-only"}),  # SNM-023
        (play("side", stack=3), {"plays"}),
        (play("payoff", depth=1), {"payoff-top"}),  # SNM-010
        (play("payoff", card="8"), {"payoff-top"}),
        (play("payoff"), {"next-rank"}),
        (play("payoff", 5), {"centre"}),
        (play("hand", "new", card="3"), {"open-stack"}),  # SNM-032
        (play("hand", {"side": 0}, card="3"), {"closed-list"}),  # SNM-022
        (play("payoff", {"side": 0}), {"closed-list"}),
        (play("stock"), {"closed-list"}),
        (play("opponent_side", stack=0), {"closed-list"}),
        (play("opponent_hand"), {"closed-list"}),
        (play("partner_hand"), {"closed-list"}),
        (play("hand", card="3", seat="B"), {"turn-order"}),  # SNM-014
        (discard("9", 0, owner="opponent"), {"only-from-hand"}),  # SNM-054
        (discard("4"), {"plays"}),
    ],
)
def test_a_move_that_breaks_articles(move: dict[str, Any], broken: set[str]) -> None:
    assert articles(ask(move, **TABLE)) == broken


def test_every_breach_at_once() -> None:
    """SNM-020, 021, 040, 053: a card not held, too early, on the wrong stack, with a duty left."""
    verdict = ask(discard("4", 0), **TABLE | {"hand": ["3"], "refilled": False, "payoff": "A"})
    assert articles(verdict) == {"refill", "plays", "payoff-ace", "same-or-lower"}


@pytest.mark.parametrize("payoff", ["A", "2"])
def test_duties_end_with_their_card(payoff: str) -> None:
    """SNM-040, 041, 048: other plays may come before, the end may not."""
    table = TABLE | {"payoff": payoff}
    assert ask(play("hand", card="3"), **table).value == "legal"
    assert articles(ask(END, **table)) == {"payoff-ace" if payoff == "A" else "payoff-two"}
    assert ask(END, **table | {"discarded": True}).value == "legal"


@pytest.mark.parametrize("move", [discard("3"), play("hand", card="3"), END | {"seat": "B"}])
@pytest.mark.parametrize(
    "left",
    [
        {"payoff": "A", "options": {"mandatory_timing": "immediate"}},
        {"hand": ["2", *HAND[:4]], "phase": "second_chance"},
    ],
)
def test_whoever_has_discarded_owes_nothing_more(move: dict[str, Any], left: dict[str, Any]) -> None:
    """SNM-048, 072: what was left to do was wrong at the discard; after it the turn is over, and nothing else."""
    table = TABLE | left
    assert len(articles(ask(discard("3"), **table))) == 1
    assert articles(ask(move, **table, discarded=True)) <= {"after-discard", "turn-order"}


def test_side_duties_name_every_card() -> None:
    """SNM-041 to 044: both twos are owed while an ace shows, and either may take it."""
    table = TABLE | {"payoff": "2", "side_stacks": [["4", "2"], ["A"]]}
    options = {"discard_ace": True}
    assert articles(ask(END, options=options, **table)) == {"payoff-two", "side-two", "side-ace"}
    assert ask(play("side", 1, stack=0), options=options, **table).value == "legal"
    assert ask(play("payoff", 1), options=options, **table).value == "legal"


def test_a_duty_waits_for_room() -> None:
    """A32: with every centre place taken the ace need not be played, but a two still has its ace."""
    table = TABLE | {"payoff": "A", "centre_stacks": ["2", "3", "4"]}
    assert ask(END, options={"centre_max": 3}, **table).value == "legal"
    assert ask(END, options={"centre_max": 4}, **table).value == "illegal"


def test_the_ace_is_kept_from_a_partners_two_as_well() -> None:
    """SNM-045 with partners: the partner's two may not take the only ace that an own two needs."""
    four = {"players": list("ABCD"), "partner": {"payoff": "2", "side_stacks": []}}
    table = TABLE | four | {"payoff": "2", "centre_stacks": ["A"]}
    assert articles(ask(play("partner_payoff"), preset="partners4", **table)) == {"ace-kept-for-two"}
    both = {"mandatory_scope": "own_and_partner"}
    assert ask(play("partner_payoff"), preset="partners4", options=both, **table).value == "legal"
    assert ask(play("partner_payoff"), preset="partners4", **table | {"payoff": "7"}).value == "legal"


@pytest.mark.parametrize(
    ("own", "partner", "twos"),
    [
        (("2", [["4"]]), ("7", [["5"]]), 1),
        (("7", [["4", "2"]]), ("2", [["5"]]), 2),
        (("2", [["4", "2"]]), ("7", [["5", "2"], ["2"]]), 4),
        (("2", [["4", "2"]]), ("2", [["5", "2"]]), 4),
    ],
)
def test_an_ace_is_kept_for_every_exposed_two_in_scope(own: Any, partner: Any, twos: int) -> None:
    """SNM-045, A5, 106: pay-off piles and side stacks of both partners, each two its own ace."""
    table: dict[str, Any] = {
        "preset": "partners4", "options": {"mandatory_scope": "own_and_partner"}, "players": list("ABCD"),
        "payoff": own[0], "side_stacks": own[1], "hand": ["2", "9"],
        "partner": {"payoff": partner[0], "side_stacks": partner[1]},
    }  # fmt: skip
    played = play("hand", card="2")
    (breach,) = ask(played, **table, centre_stacks=["A"] * twos).breaches
    assert (breach.code, breach.facts) == ("ace-needed", {"card": "2", "twos": twos, "aces": twos})
    assert ask(played, **table, centre_stacks=["A"] * (twos + 1)).value == "legal"


def test_second_chance() -> None:
    """SNM-072: an ace, or a two with an ace to go on; played from hand it meets the duty, else not."""
    chance = TABLE | {"phase": "second_chance", "hand": ["2", "5", "9", "J", "K"]}
    assert articles(ask(END, **chance)) == {"second-chance-duty"}
    assert articles(ask(discard("9"), **chance)) == {"second-chance-duty"}
    assert ask(END, **chance | {"played_ace_or_two": True}).value == "legal"
    assert ask(END, **chance | {"centre_stacks": ["2"]}).value == "legal"
    idle = [{"player": player, "acted": False} for player in "AB"]
    derived = {key: value for key, value in chance.items() if key != "phase"} | {"turns": idle}
    assert articles(ask(END, **derived)) == {"second-chance-duty"}
    assert ask(END, **derived | {"turns": idle[:1]}).value == "legal"


def test_refills() -> None:
    """SNM-020, 028, 085, 123."""
    early: dict[str, Any] = {"hand": ["3", "5"], "refilled": False}
    assert ask({"type": "refill", "count": 3}, **early).value == "legal"
    assert ask({"type": "refill", "count": 3}, **early, stock=2).value == "illegal"
    assert ask({"type": "refill", "count": 2}, **early, stock=2).value == "legal"
    assert ask({"type": "refill", "count": 0}, **early, stock=0).value == "illegal"
    assert ask({"type": "refill", "count": 5}, hand=[]).value == "legal"
    assert ask({"type": "refill", "count": 4}, hand=[]).value == "illegal"
    again: dict[str, Any] = {"hand": [], "discarded": True, "options": {"after_last_discard": "refill_and_replay"}}
    assert ask({"type": "refill", "count": 5}, **again).value == "legal"
    assert ask({"type": "refill", "count": 5}, **again | {"hand": ["3"]}).value == "illegal"


def test_the_stock_is_filled_up_when_it_is_too_short_to_draw_from() -> None:
    """SNM-080: also above the threshold, when more cards must be drawn than there are."""
    short: dict[str, Any] = {"options": {"recycle_threshold": 0}, "complete": 1, "stock": 3, "refilled": False}
    move = {"type": "recycle", "what": "complete", "by": "opponent"}
    assert ask(move, **short, hand=["9"]).value == "legal"
    assert ask(move, **short, hand=["9", "9"]).value == "illegal"
    assert lacking(move, **short) == ["hand"]


def test_recycling_reads_the_centre_where_nobody_counted() -> None:
    table: dict[str, Any] = {"stock": 5, "centre_stacks": ["K", "4"]}
    assert ask({"type": "recycle", "what": "complete", "by": "opponent"}, **table).value == "legal"
    assert ask({"type": "recycle", "what": "incomplete", "by": "opponent"}, **table).value == "illegal"
    assert lacking({"type": "recycle", "what": "complete", "by": "opponent"}, stock=5) == ["complete"]
    aside: dict[str, Any] = {"stock": 5, "centre_stacks": ["4"], "set_aside": 1, "preset": "massachusetts"}
    assert ask({"type": "recycle", "what": "complete", "by": "player"}, **aside).value == "legal"


def test_kings_wild() -> None:
    """SNM-202, 219, 224 to 227."""
    table: dict[str, Any] = {
        "hand": ["K", "Q", "5", "6", "7"],
        "centre_stacks": ["Q", "J"],
        "side_stacks": [["3"]],
        "payoff": "K",
    }
    for preset in ("massachusetts", "pagat"):
        assert articles(ask(play("hand", card="K"), preset=preset, **table)) <= {"set-aside", "shuffled-in"}
        assert ask(play("hand", 1, card="K"), preset=preset, **table).effect["as"] == "Q"
        assert ask(play("payoff", "new"), preset=preset, **table).effect["as"] == "A"
        assert ask(discard("K", 0), preset=preset, **table).value == "legal"
        assert articles(ask(play("hand", "new", card="X"), preset=preset, **table)) == {"plays", "packs"}


def test_effects() -> None:
    verdict = ask(play("payoff"), **TABLE | {"payoff": "3", "payoff_left": 1})
    assert verdict.effect == {
        "as": "3", "centre_stacks": ["3", "A"], "payoff_left": 0, "turn_up": False, "over": True,
    }  # fmt: skip
    aside = ask(play("hand", card="Q"), preset="massachusetts", **TABLE | {"hand": ["Q"], "centre_stacks": ["J", "3"]})
    assert aside.effect == {"as": "Q", "completed": "set_aside", "centre_stacks": ["3"], "hand_count": 0}
    assert ask(discard("9"), **TABLE).effect["next"] == "B"
    last = TABLE | {"hand": ["9"], "options": {"after_last_discard": "refill_and_replay"}, "stock": 3}
    assert {**ask(discard("9"), **last).effect, "side_stacks": []} == {
        "turn_ends": False, "next": "A", "refill": 3, "hand_count": 0, "side_stacks": [],
    }  # fmt: skip


@pytest.mark.parametrize(
    ("counts", "goes_on"),
    [
        ({"stock": 1}, True),
        ({"stock": 0, "complete": 0, "incomplete": 0}, False),
        ({"stock": 0, "complete": 1, "incomplete": 0}, True),
        ({"stock": 0, "set_aside": 1, "incomplete": 0, "centre_done": "set_aside"}, True),
        ({"stock": 0, "complete": 0, "incomplete": 2}, True),
        ({"stock": 0, "complete": 0, "incomplete": 2, "recycle_source": "complete_only"}, False),
        ({"stock": 0, "complete": 1, "recycle_source": "none"}, False),
        ({"complete": 0, "incomplete": 0}, True),  # an unknown stock is plenty
    ],
)
def test_last_discard_goes_on_while_cards_can_be_drawn(counts: dict[str, Any], goes_on: bool) -> None:
    """SNM-123 with 080 and 085: the stock has cards, or stacks that can be put under it."""
    position = {key: value for key, value in counts.items() if key not in ("recycle_source", "centre_done")}
    options = {"after_last_discard": "refill_and_replay"} | {
        key: counts[key] for key in counts.keys() - position.keys()
    }
    effect = ask(discard("9"), **TABLE | {"hand": ["9"], "options": options, **position}).effect
    assert (effect["turn_ends"], effect["next"]) == ((False, "A") if goes_on else (True, "B"))
    assert ("refill" in effect) == (goes_on and counts.get("stock") != 0)


def test_claims() -> None:
    """SNM-085, 090, 093, 108, 313."""
    win, stuck = {"type": "claim_win"}, {"type": "claim_stalemate"}
    assert lacking(win) == ["payoff_left"]
    four: dict[str, Any] = {"preset": "partners4", "players": list("ABCD")}
    assert lacking(win, **four, payoff_left=0) == ["partner_payoff_left"]
    assert articles(ask(win, **four, payoff_left=2)) == {"both-piles"}
    assert articles(ask(stuck)) == {"redeal"}
    assert articles(ask(stuck, preset="massachusetts")) == {"short-hand"}
    assert lacking(stuck, preset="hoyle") == ["turns"]
    assert articles(ask(stuck, preset="hoyle", turns=[{"player": "A", "acted": False}])) == {"stalemate"}
    assert lacking(stuck, preset="pagat", stock=0) == ["hand"]
    assert ask(stuck, preset="pagat", stock=0, hand_count=4).effect["settled_by"] == "draw"
    assert articles(ask(stuck, preset="pagat", stock=1)) == {"stock-exhausted"}
    assert articles(ask(stuck, preset="pagat", stock=0, over=True)) == {"going-out"}


def test_nothing_comes_after_the_end() -> None:
    """SNM-090: by word, or by an empty pile; a partner plays on (SNM-109)."""
    for over in ({"over": True}, {"payoff": None, "payoff_left": 0}):
        assert "going-out" in articles(ask(END, **TABLE | over))
    four = {"preset": "partners4", "players": list("ABCD"), "payoff": None, "payoff_left": 0}
    assert ask(END, **TABLE | four | {"partner": {"payoff": "9", "payoff_left": 3, "side_stacks": []}}).value == "legal"
    assert articles(ask(END, **TABLE | four | {"partner": {"payoff_left": 0}})) == {"both-piles"}


def test_start() -> None:
    """SNM-012, 013, 102, 112."""

    def start(first: str, preset: str = "blackwood108", **tops: str) -> Any:
        return ask({"type": "start", "first": first}, preset=preset, payoff_tops=tops)

    assert start("A", A="9", B="5").value == "legal"
    tied = start("A", A="9", B="9")
    assert [(missing.fact, missing.seat) for missing in tied.missing] == [("suit", "A"), ("suit", "B")]
    assert start("A", A="9S", B="9S").breaches[0].facts["redo"] == "reshuffle"
    assert start("A", A="X", B="9S").breaches[0].facts["redo"] == "redraw"
    assert start("A", A="9").value == "undecided"
    four: dict[str, Any] = {
        "players": list("ABCD"),
        "preset": "partners4",
        "payoff_tops": {"A": "9S", "B": "4S", "C": "QD", "D": "QC"},
    }
    assert ask({"type": "start", "first": "C"}, **four).value == "legal"
    assert articles(ask({"type": "start", "first": "A"}, **four)) == {"start-suit"}
    some: dict[str, Any] = four | {"payoff_tops": {"A": "9S", "C": "QD"}}
    assert articles(ask({"type": "start", "first": "A"}, **some)) == {"start"}
    assert ask({"type": "start", "redo": "bury"}, payoff_tops={"A": "9", "B": "5"}).breaches[0].code == "no-redo"
    assert ask({"type": "start", "redo": "bury"}, preset="pagat", payoff_tops={"A": "9", "B": "9"}).value == "illegal"


def test_deal_counts() -> None:
    """SNM-006 to 008, 205."""
    right = {"stock": 46, "payoffs": {"A": 26, "B": 26}, "hands": {"A": 5, "B": 5}, "side_stacks": {"A": 0}}
    assert ask({"type": "deal", **right, "centre_stacks": 0}).value == "legal"
    for zone, article in (("payoffs", "payoff-pile"), ("hands", "hand"), ("side_stacks", "opening-table")):
        assert articles(ask({"type": "deal", zone: {"B": 4}})) == {article}
    assert articles(ask({"type": "deal", "side_stacks": {"A": 0}}, preset="massachusetts")) == {"first-side-cards"}


def test_complete_and_second_chance_announced() -> None:
    """SNM-034, 071, 219, 310."""
    for preset, word, top in (
        ("blackwood", "stay", "K"),
        ("massachusetts", "set_aside", "Q"),
        ("pagat", "shuffle_now", "Q"),
    ):
        move = {"type": "complete", "stack": 0, "do": word}
        assert ask(move, preset=preset, centre_stacks=[top]).value == "legal"
        assert ask(move, preset=preset, centre_stacks=["J"]).value == "illegal"
    idle = [{"player": "A", "acted": False}, {"player": "B", "acted": False}]
    assert ask({"type": "second_chance"}, turns=idle).value == "legal"
    assert articles(ask({"type": "second_chance"}, turns=idle[1:])) == {"second-chance"}
    assert articles(ask({"type": "second_chance"}, preset="pagat", turns=idle)) == {"stalemate"}


@pytest.mark.parametrize(
    ("move", "hidden", "facts"),
    [
        (play("hand", card="3"), {"hand"}, ["legal"]),
        (play("hand", card="3"), {"hand", "centre_stacks"}, ["centre_stacks"]),
        (play("payoff"), {"payoff"}, ["payoff"]),
        (play("payoff", card="3"), {"payoff"}, ["legal"]),
        (play("side", stack=0), {"side_stacks"}, ["side_stacks"]),
        (play("hand", 1, card="2"), {"payoff", "hand"}, ["payoff"]),
        (play("hand", 1, card="2"), {"side_stacks", "hand"}, ["side_stacks"]),
        (discard("8", 0), {"side_stacks", "hand"}, ["side_stacks"]),
        (discard("X", 0), {"hand"}, ["legal"]),
        (discard("9"), {"payoff"}, ["payoff"]),
        (discard("9"), {"centre_stacks"}, ["legal"]),
        (END, {"payoff"}, ["payoff"]),
        (END, {"side_stacks"}, ["side_stacks"]),
        (END, {"hand"}, ["legal"]),
    ],
)  # fmt: skip
def test_hidden_cards_matter_only_where_the_answer_hangs_on_them(
    move: dict[str, Any], hidden: set[str], facts: list[str]
) -> None:
    assert lacking(move, **{key: value for key, value in TABLE.items() if key not in hidden}) == facts


def test_hidden_hand_at_the_start_of_a_turn() -> None:
    table = {key: value for key, value in TABLE.items() if key != "hand"} | {"refilled": False}
    assert lacking(play("hand", card="3"), **table) == ["hand"]
    assert ask(play("hand", card="3"), **table, hand_count=5).value == "legal"
    assert articles(ask(play("hand", card="3"), **table, hand_count=4)) == {"refill"}
    assert lacking({"type": "refill", "count": 2}, **table) == ["hand"]
    assert ask({"type": "refill", "count": 6}, **table).value == "illegal"


def test_an_untold_wild_card_in_the_centre() -> None:
    """A centre stack is given by its effective rank; a bare joker leaves the answer open."""
    assert lacking(play("hand", card="3"), **TABLE | {"centre_stacks": ["X"]}) == ["centre_rank"]
    assert lacking(END, **TABLE | {"centre_stacks": ["X"], "payoff": "2"}) == ["centre_rank"]


@pytest.mark.parametrize(
    ("tops", "preset", "move", "stacks"),
    [
        (["K", "K", "3", "4"], "massachusetts", play("hand", "new", card="A"), [0, 1]),
        (["3", "K", "4", "K"], "massachusetts", play("hand", "new", card="A"), [1, 3]),
        (["K", "K", "3"], "pagat", play("hand", "new", card="A"), [0, 1]),
        (["X"], "blackwood", END, [0]),
        (["5", "X", "X"], "blackwood", END, [1, 2]),
        (["4", "X"], "blackwood", discard("5"), [1]),
    ],
)
def test_the_ranks_of_wild_cards_are_asked_for_one_by_one(
    tops: list[str], preset: str, move: dict[str, Any], stacks: list[int]
) -> None:
    """Once all of them are told it is decided, and as long as one is left it is not."""
    table: dict[str, Any] = {"payoff": "9", "side_stacks": [["2"]], "hand": ["A", "5"], "refilled": True}
    missing = ask(move, preset, **table, centre_stacks=tops).missing
    assert [(one.fact, one.facts["stack"]) for one in missing] == [("centre_rank", stack) for stack in stacks]
    for told in range(len(stacks) + 1):
        filled = [*tops]
        for stack in stacks[:told]:
            filled[stack] = "5"
        verdict = ask(move, preset, **table, centre_stacks=filled)
        assert (verdict.value == "undecided") is (told < len(stacks))


@pytest.mark.parametrize("preset", ["blackwood", "massachusetts", "pagat", "partners4", "skip_bo"])
@pytest.mark.parametrize("stack", [3, 4, 7, 19])
@pytest.mark.parametrize("told", [True, False])
def test_there_are_at_most_four_side_stacks(preset: str, stack: int, told: bool) -> None:
    """SNM-050: no card goes to a fifth place or comes from it, whatever lies in the others."""
    rules = GAME.options.preset(preset).options
    table: dict[str, Any] = {
        "players": list("ABCD"[: rules.players]), "payoff": "9", "hand": ["5", "6"], "centre_stacks": ["5"],
    }  # fmt: skip
    if told:
        lying = [["7"], ["8"], ["9"], ["6"]]
        table |= {"side_stacks": lying, "partner": {"side_stacks": lying}}
    sources = ["side", *(["partner_side"] if rules.partners == "opposite" else [])]
    takes = [play(source, 0, card="6", stack=stack) for source in sources]
    for move in ({"type": "discard", "card": "6", "to": stack}, *takes, *(one | {"card": None} for one in takes)):
        move = {key: value for key, value in move.items() if value is not None}
        verdict = ask(move, preset, **table)
        assert (verdict.value == "illegal") is (stack > 3), (move, verdict)
        assert ("no-such-stack" in {breach.code for breach in verdict.breaches}) is (stack > 3)


@pytest.mark.parametrize("as_ace", [True, False])
@pytest.mark.parametrize("as_seven", [True, False])
@pytest.mark.parametrize("card", ["2", "3", "8"])
def test_an_untold_wild_card_is_no_rank_that_it_may_not_stand_for(card: str, as_seven: bool, as_ace: bool) -> None:
    """SNM-062, ALO-004: no two on a joker that cannot be an ace, no eight on one that cannot be a seven."""
    never = (card == "2" and not as_ace) or (card == "8" and not as_seven)
    table = TABLE | {"centre_stacks": ["X"], "hand": [card]}
    verdict = ask(play("hand", card=card), options={"wild_as_ace": as_ace, "wild_as_seven": as_seven}, **table)
    assert verdict.value == ("illegal" if never else "undecided")


def test_what_no_rank_of_an_untold_wild_card_allows() -> None:
    """SNM-033, 045: on an ace the two from hand shuts out the pay-off two, and it goes on nothing else."""
    verdict = ask(play("hand", card="2"), **TABLE | {"hand": ["2"], "centre_stacks": ["X"], "payoff": "2"})
    assert articles(verdict) == {"ace-kept-for-two", "next-rank", "completed-stack"}
    assert {breach.code for breach in verdict.breaches} == {"either-way"}
    assert lacking(play("payoff"), **TABLE | {"hand": ["2"], "centre_stacks": ["X"], "payoff": "2"}) == ["centre_rank"]


def test_a_wild_card_of_untold_rank_may_have_completed_its_stack() -> None:
    """SNM-212: of three stacks in three places one may be done, so that an ace may find room."""
    table: dict[str, Any] = TABLE | {"hand": ["A"], "preset": "massachusetts"}
    assert lacking(play("hand", "new", card="A"), **table | {"centre_stacks": ["2", "A", "K", "3"]}) == ["centre_rank"]
    full = ask(play("hand", "new", card="A"), **table | {"centre_stacks": ["2", "A", "4", "3"]})
    assert articles(full) == {"centre-places"}
    assert ask(play("hand", "new", card="A"), **table | {"centre_stacks": ["2", "K", "3"]}).value == "legal"


@pytest.mark.parametrize(
    ("acted", "possible"),
    [("", True), ("y", True), ("n", True), ("nn", True), ("nny", True), ("ny", True), ("yy", False), ("yyn", False)],
)
def test_a_second_chance_follows_a_round_of_idle_turns(acted: str, possible: bool) -> None:
    """SNM-071: the log may begin anywhere, but what it says of the turns before must leave room for such a round."""
    turns = [{"player": "AB"[place % 2], "acted": word == "y"} for place, word in enumerate(acted)]
    table = TABLE | {"phase": "second_chance", "turns": turns, "player": "AB"[len(turns) % 2]}
    if possible:
        assert ask(END, **table).value == "legal"
        return
    with pytest.raises(Refused) as refused:
        ask(END, **table)
    assert {problem.path() for problem in refused.value.problems} == {"/position/phase", "/position/turns"}


def test_a_round_of_idle_turns_is_followed_by_a_second_chance() -> None:
    """SNM-071, 074: a turn after one is no ordinary turn; a second such round is followed by a redeal."""
    idle = [{"player": "AB"[place % 2], "acted": False} for place in range(4)]
    normal = TABLE | {"phase": "normal"}
    with pytest.raises(Refused) as refused:
        ask(END, **normal | {"turns": idle[:2]})
    assert {problem.path() for problem in refused.value.problems} == {"/position/phase", "/position/turns"}
    assert ask(END, **normal | {"turns": idle[:2], "preset": "hoyle"}).value == "legal"
    for move in (END, {"type": "second_chance"}):
        assert articles(ask(move, **normal | {"turns": idle})) == {"redeal"}


@pytest.mark.parametrize("scope", ["both", "until_broken"])
def test_a_log_of_turns_goes_on_after_a_redeal(scope: str) -> None:
    """SNM-074: nobody plays on before the cards are dealt again, so what came before that binds nobody any more."""
    kinds: Counter[str] = Counter()
    table: dict[str, Any] = {"payoff": "7", "hand": ["A", "9"], "side_stacks": [["9"]], "centre_stacks": ["4"]}
    moves = [END, play("hand", "new", card="A"), {"type": "second_chance"}]
    for acted in product((False, True), repeat=5):
        for before in ([False] * 4, [True, *[False] * 8]):
            log = [{"player": "AB"[place % 2], "acted": each} for place, each in enumerate([*before, *acted])]
            since = log[len(before) :]
            for end in range(1, 6):
                now, whole = since[:end], log[: len(before) + end]
                mover = "BA"[now[-1]["player"] == "B"]
                for move in moves:
                    asked = {"player": mover, "options": {"second_chance_scope": scope}, **table}
                    one, other = (ask(move, **asked, turns=turns) for turns in (now, whole))
                    assert (one.value, one.breaches) == (other.value, other.breaches), (move, whole)
                    kinds[one.value] += 1
    assert min(kinds["legal"], kinds["illegal"]) > 100


@pytest.mark.parametrize("centre", [["X"], None])
def test_an_ace_goes_on_no_stack_whatever_its_rank(centre: list[str] | None) -> None:
    """Illegal in every world: neither a stack of unknown rank nor one that nobody told takes an ace (SNM-033)."""
    verdict = ask(play("hand", card="A"), **TABLE | {"centre_stacks": centre, "hand": ["A", "X"]})
    assert [breach.code for breach in verdict.breaches] == ["ace-onto-stack"]
    assert ask(play("hand", card="X"), **TABLE | {"centre_stacks": centre, "hand": ["A", "X"]}).value == "undecided"


@pytest.mark.parametrize(
    ("move", "position", "codes"),
    [
        (play("hand", card="17Z"), {}, {"card"}),
        (play("hand"), {}, {"required"}),
        (play("side"), {}, {"required"}),
        (play("pocket", card="3"), {}, {"choice"}),
        (play("hand", -1, card="3"), {}, {"range"}),
        ({"type": "jump"}, {}, {"choice"}),
        ({}, {}, {"required"}),
        ({"type": ["play"]}, {}, {"type"}),
        ({"type": "start"}, {}, {"first-or-redo"}),
        ({"type": "start", "first": "Z"}, {}, {"unknown-seat"}),
        (END, {"player": "Z"}, {"unknown-seat"}),
        (END, {"players": ["A", "B", "C"]}, {"seats-count"}),
        (END, {"players": ["A", "A"]}, {"seats-count"}),
        (END, {"payoff_left": 0}, {"payoff-empty"}),
        (END, {"hand": ["9S", "9S", "9S"]}, {"impossible-position"}),
        (END, {"hand": ["X"] * 3, "side_stacks": [["X"] * 2]}, {"impossible-position"}),
        (END, {"side_stacks": [["9"]] * 9}, {"length"}),
        (END, {"turns": [{"player": "Q", "acted": True}]}, {"unknown-seat"}),
        (END, {"pile": 3}, {"unknown-key"}),
        (END | {"card": "9"}, {}, {"unknown-key"}),
    ],
)
def test_what_cannot_be_read_is_refused(move: dict[str, Any], position: dict[str, Any], codes: set[str]) -> None:
    with pytest.raises(Refused) as refused:
        ask(move, **TABLE | position)
    assert {problem.code for problem in refused.value.problems} == codes


def test_a_card_that_no_pack_holds_is_judged_where_the_move_names_it() -> None:
    table = {key: value for key, value in TABLE.items() if key != "hand"}
    assert articles(ask(discard("X"), preset="massachusetts", **table)) == {"packs"}


@pytest.mark.parametrize("preset", ["alone3", "alone4", "partners4", "partners6"])
def test_who_lost_the_comparison_does_not_compare_again(preset: str) -> None:
    """ALO-R4: after a tie a player without a top is out of it; a top that is left out is only not known."""
    size = GAME.options.preset(preset).options.players
    players = list("ABCDEF"[:size])
    out = dict.fromkeys(players[2:])
    tops = {"A": "2S", "B": "3S"}
    for first, value in (("A", "illegal"), ("B", "legal"), ("C", "illegal")):
        move = {"type": "start", "first": first}
        assert ask(move, preset, players=players, payoff_tops=tops | out).value == value
        open_ = "undecided" if first != "A" else "illegal"
        assert ask(move, preset, players=players, payoff_tops=tops).value == open_
    redo = {"type": "start", "redo": "reshuffle"}
    tie = {"A": "2S", "B": "2S"} | out
    assert ask(redo, preset, {"start_tie": "reshuffle"}, players=players, payoff_tops=tie).value == "legal"
    missing = ask({"type": "start", "first": "B"}, preset, players=players, payoff_tops={"A": "2S"} | out).missing
    assert [(one.fact, one.seat) for one in missing] == [("payoff_top", "B")]


@pytest.mark.parametrize(
    "counts",
    [{"hands": {"A": 6}}, {"stock": 3}, {"payoffs": {"B": 3}}, {"side_stacks": {"A": 2}}, {"centre_stacks": 1}],
)
def test_a_wrong_deal_is_a_misdeal(counts: dict[str, Any]) -> None:
    """IRR-M4: it is void whenever it is noticed, and no illegal play."""
    asked: Any = {"position": {"player": "A", "players": ["A", "B"]}, "move": {"type": "deal", **counts}}
    body = companion.check("spite-and-malice", asked)
    assert (body["remedy"]["article"], body["remedy"]["until"]) == ("spite-and-malice.misdeal", "end-of-deal")
    turn: Any = {"player": "A", "moves": [{"type": "deal", **counts}, {"type": "end_turn"}]}
    found = companion.replay("spite-and-malice", {"players": ["A", "B"], "first": "A", "turns": [turn]})["findings"]
    assert [one["remedy"]["article"] for one in found] == ["spite-and-malice.misdeal"]


@pytest.mark.parametrize("options", [{}, {"discard_required": False}, {"discard_rule": "same_or_lower"}])
def test_a_skip_bo_deal_is_over_when_nobody_could_act(options: dict[str, Any]) -> None:
    """SKB-R1: the stock, the completed stacks and the idle turns decide, and what is wanting is named."""
    table = {"stock": 0, "complete": 0, "set_aside": 0, "hand": ["3"]}
    idle = [{"player": player, "acted": False} for player in "AB"]
    claim = {"type": "claim_stalemate"}
    assert ask(claim, "skip_bo", options, **table, turns=idle).value == "legal"
    early: Any = ({"turns": idle[1:]}, {"turns": idle, "stock": 3}, {"turns": idle, "complete": 1})
    for preset, article in (("skip_bo", "numbered-end"), ("massachusetts", "short-hand")):
        for change, code in zip(early, ("not-all-idle", "stock-left", "stock-left"), strict=True):
            verdict = ask(claim, preset, {}, **table | {"hand": []} | change)
            assert [(one.article.partition(".")[2], one.code) for one in verdict.breaches] == [(article, code)]


def test_what_everybody_may_announce_belongs_to_no_turn() -> None:
    """SNM-071, 074, SKB-R1, 108: only who makes a play must be in turn, and partners go out together."""
    idle = [{"player": "AB"[place % 2], "acted": False} for place in range(4)]
    assert ask({"type": "second_chance", "seat": "B"}, turns=idle[:2]).value == "legal"
    assert ask({"type": "redeal", "first": "A", "seat": "B"}, turns=idle).value == "legal"
    assert ask({"type": "claim_stalemate", "seat": "B"}, "hoyle", turns=idle).value == "legal"
    pair: dict[str, Any] = {"players": list("ABCD"), "payoff_left": 0, "hand": ["3"], "partner": {"payoff_left": 0}}
    for seat, value in (("A", "legal"), ("C", "legal"), ("B", "illegal")):
        assert ask({"type": "claim_win", "seat": seat}, "partners4", **pair).value == value


def test_who_replenishes_is_who_does_it() -> None:
    """SNM-081: a named player counts, whatever the move says besides."""
    table: dict[str, Any] = {"stock": 3, "hand": HAND, "centre_stacks": ["K"]}
    for seat, value in (("A", "illegal"), ("B", "legal")):
        for by in ("opponent", "player"):
            assert ask({"type": "recycle", "what": "complete", "by": by, "seat": seat}, **table).value == value


def test_an_effect_says_only_what_is_known() -> None:
    """SNM-090, 108: whether a play ends the deal, or turns a card up, may depend on piles that nobody told."""
    table: dict[str, Any] = {"hand": HAND, "payoff": "3", "centre_stacks": ["2"], "side_stacks": []}
    four: dict[str, Any] = {"players": list("ABCD"), "payoff_left": 1}
    assert "over" not in ask(play("payoff"), "partners4", **table, **four).effect
    for left, over in ((0, True), (3, False)):
        assert ask(play("payoff"), "partners4", **table, **four, partner={"payoff_left": left}).effect["over"] is over
    assert "turn_up" not in ask(play("payoff"), **table).effect
    assert ask(play("payoff"), **table, payoff_left=1).effect["over"] is True


def cited(move: dict[str, Any], preset: str, options: dict[str, Any] | None = None, **position: Any) -> set[str]:
    """The anchors that a verdict names, all of which the table must play."""
    verdict = ask(move, preset, options, **position)
    found: tuple[Any, ...] = (*verdict.breaches, *verdict.because, *verdict.missing)
    rules = GAME.options.build(preset, options or {}).options
    assert all(GAME.articles[one.article].played(rules) for one in found)
    return {one.article.partition(".")[2] for one in found}


@pytest.mark.parametrize(
    ("move", "preset", "options", "position", "anchors"),
    [
        (play("hand", "new", card="X"), "hoyle", {}, {"hand": ["X"], "centre_stacks": []}, {"open-stack"}),
        (play("hand", "new", card="K"), "pagat", {"wild_as_ace": False}, {"hand": ["K"], "centre_stacks": []},
         {"king-as-ace"}),
        ({"type": "second_chance"}, "pagat", {}, {}, {"stalemate"}),
        ({"type": "redeal", "first": "A"}, "skip_bo", {}, {}, {"stalemate"}),
        (END, "skip_bo", {}, {"discarded": True}, {"closing-discard"}),
        (END, "skip_bo", {"stock_out": "draw"}, {"hand": [], "stock": 0, "set_aside": 0, "centre_stacks": ["3"]},
         {"closing-discard"}),
        (END, "blackwood", {"discard_required": True},
         {"hand": ["A"], "side_stacks": [["3"]] * 4, "payoff": "9", "centre_stacks": ["2"]}, {"closing-discard"}),
        ({"type": "start", "redo": "reshuffle"}, "blackwood108", {}, {"payoff_tops": {"A": "9H", "B": "9H"}},
         {"start-suit"}),
        ({"type": "start", "redo": "redraw"}, "massachusetts", {"deal_mode": "split", "start_wild": "redraw"},
         {"payoff_tops": {"A": "KH", "B": "9H"}}, {"king-in-payoff"}),
        (play("hand", card="9"), "skip_bo", {}, {"hand": ["9"], "centre_stacks": ["X"], "payoff": "3"},
         {"numbered-wild"}),
        (play("hand", card="9"), "pagat", {}, {"hand": ["9"], "centre_stacks": ["K"], "payoff": "3"},
         {"king-to-centre"}),
        ({"type": "recycle", "what": "complete", "by": "opponent"}, "blackwood", {"centre_done": "shuffle_now"},
         {"stock": 3, "centre_stacks": ["4"]}, {"shuffled-in"}),
        ({"type": "deal", "stock": 5}, "massachusetts", {"initial_hand": "drawn_first_turn"}, {}, {"common-stock"}),
        ({"type": "claim_stalemate"}, "massachusetts", {}, {"stock": 0, "set_aside": 0, "complete": 0, "hand": []},
         {"short-hand"}),
    ],
)  # fmt: skip
def test_the_articles_cited_are_those_of_the_table(
    move: dict[str, Any], preset: str, options: dict[str, Any], position: dict[str, Any], anchors: set[str]
) -> None:
    assert cited(move, preset, options, **position) == anchors


def test_the_stock_is_not_missed_by_who_draws_nothing() -> None:
    """SNM-313: the deal ends when a card has to be drawn, and there is none."""
    table: dict[str, Any] = {"stock": 0, "payoff": "2", "centre_stacks": ["A"]}
    claim = {"type": "claim_stalemate"}
    assert [one.code for one in ask(claim, "pagat", hand=HAND, **table).breaches] == ["nothing-to-draw"]
    assert ask(claim, "pagat", hand=HAND[:3], refilled=False, **table).value == "legal"


def test_what_comes_before_the_draw_is_named() -> None:
    table = {"hand": [], "stock": 0, "set_aside": 1, "payoff": "9", "side_stacks": [["3"]], "centre_stacks": ["2"]}
    request: Any = {
        "rules": {"preset": "alone4"}, "position": {"player": "A", "players": list("ABCD"), **table}, "move": END,
    }  # fmt: skip
    texts = [one["text"] for one in companion.check("spite-and-malice", request, lang="en")["breaches"]]
    assert texts == ["The hand is empty. Replenish the stock and draw first."]
    many = ask({"type": "refill", "count": 6}, stock=30, refilled=False)
    assert [one.facts for one in many.breaches] == [{"count": 6, "most": None}]


def test_a_compulsory_card_is_named_once() -> None:
    """However many stacks it may go on."""
    position = {"player": "A", "players": ["A", "B"], "payoff": "2", "hand": ["4"], "centre_stacks": ["A", "A", "3"]}
    request: Any = {"position": position}
    listed = companion.moves("spite-and-malice", request)["compulsory"]
    assert [one["because"][0]["facts"]["cards"] for one in listed] == [["2"]]

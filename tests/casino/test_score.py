"""Scoring: counts, card lists or who had the most; what cannot be; when the game ends."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

import pytest

from companion.engine.cards import pack
from companion.engine.game import score
from companion.engine.ledger import Before, Outcome, Standing
from companion.engine.problems import Refused, read_whole
from companion.games.casino import CASINO as GAME
from companion.games.casino.rules import OPTIONS
from companion.games.casino.score import CasinoScorer, DealFacts, from_cards
from companion.games.casino.table import full_pack
from tests.casino.asking import Json, answer, scored


def side(
    cards: int, spades: int, aces: int | list[str], big_ten: bool = False, spy_two: bool = False, **more: Any
) -> Json:
    return {"cards": cards, "spades": spades, "aces": aces, "big_ten": big_ten, "spy_two": spy_two, **more}


def most(cards: bool, spades: bool, aces: int, big_ten: bool = False, spy_two: bool = False, **more: Any) -> Json:
    facts = {"most_cards": cards, "most_spades": spades, "aces": aces, "big_ten": big_ten, "spy_two": spy_two}
    return facts | more


def lines(deal: Json, preset: str = "swazi", **options: Any) -> dict[str, list[tuple[str, int]]]:
    """Every side's lines of one deal, as anchors and points."""
    sides = [name for name in deal if name != "unclaimed"]
    request = {"rules": {"preset": preset, "options": options}, "sides": sides, "deals": [deal]}
    _, ledger = score(GAME, request)
    return {
        name: [(line.article.partition(".")[2], line.points) for line in one.lines]
        for name, one in ledger.deals[0].sides.items()
    }


def points(deal: Json, preset: str = "swazi", **options: Any) -> list[int]:
    return [sum(worth for _, worth in one) for one in lines(deal, preset, **options).values()]


def problems(deal: Json, preset: str = "swazi", **options: Any) -> set[str]:
    """Codes with the places in the deal where they stand."""
    sides = [name for name in deal if name not in ("unclaimed", "accept")]
    request = {"rules": {"preset": preset, "options": options}, "sides": sides, "deals": [deal]}
    with pytest.raises(Refused) as refused:
        score(GAME, request)
    return {f"{problem.path().removeprefix('/deals/0')} {problem.code}" for problem in refused.value.problems}


A = side(30, 8, 3, True)
B = side(22, 5, 1, spy_two=True)


def test_every_point_has_its_line() -> None:
    assert lines({"A": A, "B": B}) == {
        "A": [("most-cards", 2), ("most-spades", 2), ("big-ten", 2), ("aces", 3)],
        "B": [("spy-two", 1), ("aces", 1)],
    }


def test_a_side_without_counts_is_not_blamed_for_keys_it_did_not_write() -> None:
    with pytest.raises(Refused) as refused:
        score(GAME, {"sides": ["A", "B"], "deals": [{"A": A, "B": {}}]})
    found = [f"{problem.path().removeprefix('/deals/0/B/')} {problem.code}" for problem in refused.value.problems]
    assert sorted(found) == [f"{name} required" for name in ("aces", "big_ten", "cards", "spades", "spy_two")]


def test_a_deal_holds_eleven_points() -> None:
    assert sum(points({"A": A, "B": B})) == 11
    assert sum(points({"A": A, "B": B}, "standard")) == 11


def test_who_had_the_most_is_enough() -> None:
    assert points({"A": most(True, True, 3, True), "B": most(False, False, 1, spy_two=True)}) == [9, 2]
    tied = {"A": most(True, True, 2, True), "B": most(True, False, 2, spy_two=True)}
    assert points(tied) == [6, 3]
    assert points(tied, cards_tie="split") == [7, 4]
    assert points({"A": A | {"cards": 30}, "B": B}) == points(
        {"A": most(True, True, 3, True), "B": most(False, False, 1, spy_two=True)}
    )


def test_two_of_three_may_share_a_tie() -> None:
    deal = {"A": side(18, 5, 2), "B": side(18, 4, 1, True, True), "C": side(16, 4, 1)}
    assert points(deal) == [4, 4, 1]
    assert points(deal, cards_tie="split") == [5, 5, 1]


def test_three_who_tie_share_nothing() -> None:
    deal = {"A": side(18, 3, 2), "B": side(17, 5, 1, True, True), "C": side(17, 5, 1)}
    assert points(deal, spades_tie="split") == [4, 5, 2]
    all_tied = {"A": most(True, True, 2), "B": most(True, True, 1, True, True), "C": most(True, True, 1)}
    assert points(all_tied, cards_tie="split", spades_tie="split") == [2, 4, 1]


@pytest.mark.parametrize(
    ("tied", "worth", "tie", "each"),
    [
        (2, 3, "split", 0),
        (2, 3, "none", 0),
        (2, 4, "split", 2),
        (2, 1, "split", 0),
        (3, 2, "split", 0),
        (3, 4, "split", 0),
        (3, 6, "split", 2),
    ],
)
@pytest.mark.parametrize("item", ["cards", "spades"])
def test_points_that_do_not_divide_are_not_split(item: str, tied: int, worth: int, tie: str, each: int) -> None:
    """CASINO-917 and the ruling on odd points: a split gives whole, equal points to everybody, or nothing."""
    names = ["A", "B", "C"][:tied]
    deal = {
        name: most(item == "cards" or place == 0, item == "spades" or place == 0, 4 if place == 0 else 0, not place)
        for place, name in enumerate(names)
    }
    deal["A"]["spy_two"] = True
    shared = [("majority-tie", each)] * tied
    options: dict[str, Any] = {f"{item}_points": worth, f"{item}_tie": tie}
    found = lines(deal, **options)
    assert [line for one in found.values() for line in one if line[0] == "majority-tie"] == shared


def test_a_tie_is_told_even_where_it_gives_nothing() -> None:
    tied = lines({"A": side(26, 7, 3, True), "B": side(26, 6, 1, spy_two=True)})
    assert ("majority-tie", 0) in tied["A"]
    assert ("majority-tie", 0) in tied["B"]


def test_enough_spades_count_for_every_side() -> None:
    deal = {"A": side(22, 5, 2, True), "B": side(18, 5, 2, spy_two=True)}
    assert points(deal, "south_african") == [7, 4]
    assert points(deal, "south_african", spades_minimum=6) == [6, 3]


def test_sweeps_cancel_down_to_the_lowest_count() -> None:
    swept = {"A": A | {"sweeps": 3}, "B": B | {"sweeps": 1}}
    assert points(swept, sweep=1) == [12, 3]
    assert points(swept, sweep=2, sweep_cancel=True) == [13, 2]
    three = {
        "A": side(20, 6, 2, True, sweeps=3),
        "B": side(17, 4, 1, spy_two=True, sweeps=2),
        "C": side(15, 3, 1, sweeps=1),
    }
    plain = points(three)
    assert points(three, sweep=1, sweep_cancel=True) == [plain[0] + 2, plain[1] + 1, plain[2]]


def test_the_last_capture_counts_where_it_is_played() -> None:
    assert points({"A": A, "B": B | {"last_capture": True}}, "swedish") == [2 + 1 + 2 + 3, 3]


def test_a_side_without_scoring_cards_loses_everything() -> None:
    deal = {"A": side(18, 4, 4, True, True), "B": side(22, 6, 0)}
    assert points(deal, "khasino") == [11, 0]
    assert points(deal, "khasino", shutout=False) == [7, 4]
    three = {"A": side(18, 4, 4, True, True), "B": side(12, 3, 0), "C": side(10, 3, 0)}
    assert points(three, "khasino") == [7, 0, 0]


CARDS = [str(card) for card in pack()]


def test_captured_cards_are_counted() -> None:
    """All spades and hearts against all diamonds and clubs."""
    assert points({"A": {"captured": CARDS[:26]}, "B": {"captured": CARDS[26:]}}) == [2 + 1 + 2, 2 + 2]
    mixed = {"A": {"captured": CARDS[:26]}, "B": side(26, 0, 2, True)}
    assert points(mixed) == [5, 4]


def test_cards_that_nobody_took_stay_out_of_the_count() -> None:
    nothing: dict[str, Any] = {"captured": []}
    assert points({"A": nothing, "B": nothing, "unclaimed": 52}) == [0, 0]
    assert points({"A": {"captured": CARDS[:26]}, "B": {"captured": CARDS[26:50]}, "unclaimed": 2}) == [7, 4]


@pytest.mark.parametrize(
    ("spades", "unclaimed", "preset", "fits"),
    [
        ((8, 5), 2, "swazi", True),
        ((8, 4), 2, "swazi", True),
        ((8, 3), 2, "swazi", True),
        ((8, 2), 2, "swazi", False),
        ((8, 6), 2, "swazi", False),
        ((9, 6), 2, "swazi", False),
        ((8, 6), 20, "swazi", False),
        ((5, 5), 2, "khasino", True),
        ((5, 3), 2, "khasino", True),
        ((5, 2), 2, "khasino", False),
        ((6, 5), 2, "khasino", False),
        ((6, 5), 12, "khasino", False),
    ],
)
def test_unclaimed_cards_may_lack_spades_but_never_add_any(
    spades: tuple[int, int], unclaimed: int, preset: str, fits: bool
) -> None:
    """CASINO-903: what nobody took may be any cards, so spades may be missing; the pack holds no more of them."""
    taken = (40 if preset == "khasino" else 52) - unclaimed
    deal = {
        "A": side(taken - taken // 2, spades[0], 2, True),
        "B": side(taken // 2, spades[1], 2, spy_two=True),
        "unclaimed": unclaimed,
    }
    if fits:
        assert points(deal, preset)
        return
    assert problems(deal, preset) == {" spades-total"}


@pytest.mark.parametrize(
    ("deal", "code"),
    [
        ({"A": A | {"cards": 29}, "B": B}, " cards-total"),
        ({"A": A | {"cards": 60}, "B": B}, " cards-total"),
        ({"A": A, "B": B, "unclaimed": 1}, " cards-total"),
        ({"A": A, "B": B, "unclaimed": 53}, "/unclaimed cards-total"),
        ({"A": A | {"spades": 9}, "B": B}, " spades-total"),
        ({"A": A | {"aces": 4}, "B": B}, " aces-total"),
        ({"A": A, "B": B | {"big_ten": True}}, " big-ten-total"),
        ({"A": A | {"big_ten": False}, "B": B}, " big-ten-total"),
        ({"A": A | {"spy_two": True}, "B": B}, " spy-two-total"),
        ({"A": A | {"spades": 13}, "B": B | {"spades": 0}}, "/B/spy_two spy-two-without-spade"),
        ({"A": A | {"last_capture": True}, "B": B | {"last_capture": True}}, " last-capture-total"),
        ({"A": A | {"cards": 48}, "B": B | {"cards": 4}}, "/B/cards cards-below-parts"),
        ({"A": {"captured": CARDS[:26]}, "B": {"captured": CARDS[25:]}}, "/B/captured/0 duplicate-card"),
        ({"A": {"captured": CARDS[:26]}, "B": {"captured": CARDS[27:]}}, " cards-total"),
        ({"A": most(False, True, 3, True), "B": most(False, False, 1, spy_two=True)}, " most-cards-missing"),
        ({"A": most(True, False, 3, True), "B": most(False, False, 1, spy_two=True)}, " most-spades-missing"),
        ({"A": most(True, True, 3, True), "B": B}, "/A/cards required"),
        ({"A": {"captured": [], "cards": 3}, "B": B}, "/A/cards unknown-key"),
        ({"A": A | {"most_cards": True}, "B": B}, "/A/most_cards unknown-key"),
        ({"A": A | {"cards": -1}, "B": B}, "/A/cards range"),
        ({"A": {"captured": ["ZZ"]}, "B": B}, "/A/captured/0 card"),
    ],
)
def test_what_cannot_be_is_named(deal: Json, code: str) -> None:
    assert code in problems(deal)


@pytest.mark.parametrize(
    ("spades", "aces", "cards", "named"),
    [
        (13, 0, 13, False),
        (13, 0, 12, True),
        (14, 0, 13, False),
        (0, 4, 3, True),
        (0, 5, 4, False),
        (6, 2, 6, True),
        (6, 2, 7, False),
        (6, ["H", "D"], 7, True),
        (6, ["H", "D"], 8, False),
    ],
)
def test_cards_below_the_parts_are_named_where_the_parts_can_be(
    spades: int, aces: Any, cards: int, named: bool
) -> None:
    """An impossible number of spades or aces is named by its total alone; an ace of a red suit is no spade."""
    left = ["S", "C"] if isinstance(aces, list) else max(4 - aces, 0)
    deal = {
        "A": side(cards, spades, aces),
        "B": side(52 - cards, 13 - min(spades, 13), left, True, spades == 0),
        "C": side(0, 0, 0),
    }
    found = problems(deal, spy_two_points=0)
    assert ("/A/cards cards-below-parts" in found) is named


@pytest.mark.parametrize(
    ("deal", "code"),
    [
        ({"A": A, "B": B, "unclaimed": 53}, "/unclaimed cards-total"),
        ({"A": {"captured": ["KS"]}, "B": {"captured": []}, "unclaimed": 39}, "/A/captured/0 not-in-pack"),
    ],
)
def test_what_no_table_can_hold_is_not_recorded_even_with_a_reason(deal: Json, code: str) -> None:
    preset = "khasino" if "not-in-pack" in code else "swazi"
    name = code.partition(" ")[2]
    assert code in problems(deal | {"accept": [{"code": name, "reason": "counted twice"}]}, preset)


@pytest.mark.parametrize("key", ["cards", "spades"])
def test_a_count_that_cannot_be_read_is_not_also_missed(key: str) -> None:
    found = problems({"A": A | {key: "many"}, "B": B})
    assert {one for one in found if one.startswith(f"/A/{key}")} == {f"/A/{key} type"}


def test_courts_are_not_in_a_pack_of_forty() -> None:
    deal = {"A": {"captured": ["KS"]}, "B": {"captured": []}, "unclaimed": 39}
    assert "/A/captured/0 not-in-pack" in problems(deal, "khasino")


def test_a_wrong_total_can_be_recorded_with_a_reason() -> None:
    deal = {"A": A | {"cards": 29}, "B": B, "accept": [{"code": "cards-total", "reason": "one card was lost"}]}
    _, ledger = score(GAME, {"sides": ["A", "B"], "deals": [deal]})
    (warned,) = ledger.deals[0].warnings
    assert (warned.problem.code, warned.reason) == ("cards-total", "one card was lost")
    assert warned.problem.facts["difference"] == 1


@pytest.mark.parametrize(
    ("deal", "code"),
    [
        ({"A": most(False, True, 3, True), "B": most(False, False, 1, spy_two=True)}, "most-cards-missing"),
        ({"A": A | {"spades": 13}, "B": B | {"spades": 0}}, "spy-two-without-spade"),
        ({"A": A | {"last_capture": True}, "B": B | {"last_capture": True}}, "last-capture-total"),
        ({"A": A | {"cards": 48}, "B": B | {"cards": 4}}, "cards-below-parts"),
    ],
)
def test_what_cannot_be_can_be_recorded_with_a_reason(deal: Json, code: str) -> None:
    _, ledger = score(GAME, {"sides": ["A", "B"], "deals": [deal | {"accept": [{"code": code, "reason": "as told"}]}]})
    assert [warned.problem.code for warned in ledger.deals[0].warnings] == [code]


@pytest.mark.parametrize(("preset", "pack"), [("swazi", "casino.pack"), ("khasino", "casino.forty-cards")])
def test_a_wrong_number_of_cards_names_the_pack_in_use(preset: str, pack: str) -> None:
    deal = {"A": side(20, 6, 3, True), "B": side(19, 4, 1, spy_two=True)}
    with pytest.raises(Refused) as refused:
        score(GAME, {"rules": {"preset": preset}, "sides": ["A", "B"], "deals": [deal]})
    assert pack in [problem.article for problem in refused.value.problems if problem.code == "cards-total"]


def test_nobody_has_the_most_where_nobody_took_a_card() -> None:
    nothing = most(False, False, 0)
    assert points({"A": nothing, "B": nothing, "unclaimed": 52}) == [0, 0]
    assert " most-cards-missing" in problems({"A": nothing, "B": nothing, "unclaimed": 51})


@pytest.mark.parametrize(
    ("sides", "code"),
    [
        (["A"], "sides-count"),
        (["A", "B", "C", "D", "E"], "sides-count"),
        (["A", "unclaimed"], "side-id"),
        ([{"id": "A", "players": ["x", "y"]}, "B", "C"], "players-count"),
    ],
)
def test_sides_of_a_game(sides: list[Any], code: str) -> None:
    status, _, codes = answer("score", {"sides": sides, "deals": []})
    assert status == 422
    assert code in codes


def game(opening: dict[str, int], *deals: Json, **options: Any) -> Json:
    request = {"rules": {"options": options}, "sides": ["A", "B"], "deals": list(deals)}
    return scored(request | {"opening": {name: {"total": total} for name, total in opening.items()}})["outcome"]


DEAL = {"A": A, "B": B}
"""9 points against 2."""


def test_the_end_of_the_game() -> None:
    over = {"over": True, "winners": ["A"]}
    assert game({"A": 11, "B": 18}, DEAL) == {"over": False, "winners": [], "reason": None}
    assert game({"A": 12, "B": 18}, DEAL) == over | {"reason": "casino.target"}
    assert game({"A": 14, "B": 20}, DEAL) == over | {"reason": "casino.highest-total"}
    assert game({"A": 12, "B": 19}, DEAL) == {"over": False, "winners": [], "reason": "casino.final-tie"}
    draw = {"over": True, "winners": ["A", "B"], "reason": "casino.final-tie"}
    assert game({"A": 12, "B": 19}, DEAL, final_tie="draw") == draw
    assert game({"A": 12, "B": 19}, DEAL, DEAL)["winners"] == ["A"]
    assert game({}, DEAL, target=None) == over | {"reason": "casino.single-deal"}


def test_points_from_before_do_not_decide_a_deal_that_is_a_game() -> None:
    """Neither those from paper, those of deals played to a target, nor those of a deal that was tied."""
    assert game({"B": 20}, DEAL, target=None)["winners"] == ["A"]
    scorer, level = CasinoScorer(), {"A": Standing(10), "B": Standing(3)}
    after = {"A": Standing(14), "B": Standing(12)}
    played = read_whole({"options": {"target": None}}, OPTIONS.read).options
    facts = DealFacts({"A": from_cards(()), "B": from_cards(())})
    found = scorer.outcome(played, facts, after, Before(level, 1))
    assert (found.winners, found.facts["total"]) == (("B",), 9)
    tie = Outcome(False, (), "casino.final-tie")
    assert scorer.outcome(played, facts, after, Before(level, 1, outcome=tie)).winners == ("B",)
    assert scorer.outcome(played, None, level, Before(level, 1)) == Outcome()


def test_a_deal_after_the_end_is_refused() -> None:
    with pytest.raises(Refused) as refused:
        game({"A": 12}, DEAL, DEAL)
    assert [problem.code for problem in refused.value.problems] == ["game-over"]


def outcome(deal: Json, opening: list[int], preset: str, **options: Any) -> Json:
    sides = [name for name, facts in deal.items() if isinstance(facts, dict)]
    before = {name: {"total": total} for name, total in zip(sides, opening, strict=True)}
    rules = {"preset": preset, "options": options}
    found: Json = scored({"rules": rules, "sides": sides, "opening": before, "deals": [deal]})["outcome"]
    return found


ALL_SIX = {"A": side(20, 5, 4, True, True), "B": side(10, 2, 0), "claim": "A"}


def test_a_claim_counts_only_what_is_certain() -> None:
    """Nobody else can take a scoring card any more: the shut-out. Nobody has captured last yet (END-R2)."""
    claim: Json = {"ending": "claim", "shutout": True}
    assert outcome(ALL_SIX, [12, 3], "book", **claim)["winners"] == ["A"]
    less = ALL_SIX | {"A": side(20, 5, 3, True, True)}
    assert outcome(less, [12, 3], "book", **claim)["winners"] == ["B"]
    last = {"A": side(26, 7, 2, True, last_capture=True), "B": side(10, 2, 1, False, True), "claim": "A"}
    assert outcome(last, [15, 3], "book", ending="claim", last_capture_points=1)["winners"] == ["B"]
    whole = last | {"A": side(42, 11, 2, True, last_capture=True), "B": side(10, 2, 2, False, True)}
    assert outcome(whole, [13, 3], "book", ending="claim", last_capture_points=1)["winners"] == ["A"]


def test_a_claim_that_leaves_no_card_out_counts_what_was_most() -> None:
    """Twenty of 52 are the most of three sides, and half of them for two is a tie, once nothing is out (END-R2)."""
    three = {"A": side(20, 5, 1, True), "B": side(17, 4, 2, spy_two=True), "C": side(15, 4, 1), "claim": "A"}
    assert outcome(three, [15, 3, 3], "standard", ending="claim")["winners"] == ["A"]
    assert outcome(three | {"C": side(14, 4, 1)}, [15, 3, 3], "standard", ending="claim")["winners"] == ["B"]
    tied = {"A": side(26, 7, 2, True), "B": side(26, 6, 2, spy_two=True), "claim": "A"}
    shared: Json = {"ending": "claim", "cards_points": 2, "cards_tie": "split"}
    assert outcome(tied, [15, 3], "standard", **shared)["winners"] == ["A"]


def test_a_claim_may_leave_out_no_more_cards_than_are_out() -> None:
    deal = {"A": side(30, 8, 1, True), "B": side(22, 5, 0), "claim": "A"}
    rules = {"preset": "standard", "options": {"ending": "claim"}}
    request = {"rules": rules, "sides": ["A", "B"], "deals": [deal]}
    assert answer("score", request)[2] == {"aces-total", "spy-two-total"}
    out: Json = request | {"deals": [deal | {"A": side(26, 8, 1, True)}]}
    assert answer("score", out)[2] == set()


def test_a_deal_that_is_a_game_is_won_by_the_points_in_it() -> None:
    deal = {"A": side(25, 6, 3, True), "B": side(15, 4, 1, False, True)}
    assert outcome(deal, [0, 9], "khasino")["winners"] == ["A"]


def test_counting_out_that_names_nobody_is_not_what_decides() -> None:
    gift = {"adjustments": [{"side": "A", "points": 21, "reason": "x"}, {"side": "B", "points": 22, "reason": "x"}]}
    request = {
        "rules": {"preset": "standard", "options": {"ending": "count_out"}}, "sides": ["A", "B"],
        "deals": [{"void": True, **gift}],
    }  # fmt: skip
    found = scored(request)["outcome"]
    assert (found["winners"], found["reason"]) == (["B"], "casino.final-tie")


def test_the_points_of_a_shut_out_are_counted_out_last() -> None:
    rules: Json = {"ending": "count_out", "shutout": True, "last_capture_points": 1}
    deal = {"A": side(30, 8, 4, True, True), "B": side(22, 5, 0, last_capture=True)}
    assert outcome(deal, [20, 20], "book", **rules)["winners"] == ["B"]


def test_no_false_build_costs_points_where_nobody_builds() -> None:
    deal = {"A": side(30, 8, 3, True), "B": side(22, 5, 1, False, True, last_capture=True)}
    marked = deal | {"irregularities": [{"kind": "false_build", "by": "A"}]}
    rules: Json = {"preset": "swedish", "options": {"false_build_remedy": "point"}}
    counted = [scored({"rules": rules, "sides": ["A", "B"], "deals": [one]})["standing"] for one in (deal, marked)]
    assert counted[0] == counted[1]


TWO = side(22, 5, 1, spy_two=True)


@pytest.mark.parametrize(
    ("preset", "ours", "theirs", "found"),
    [
        ("spade", side(30, 0, 3, True, spade_jack=True), side(22, 13, 1, False, True, spade_jack=False), "spades"),
        ("spade_26", side(30, 1, 3, True, True, spade_ace=True, spade_jack=True),
         side(22, 12, 1, spade_ace=False, spade_jack=False), "spades"),
        ("standard", side(30, 0, ["S"], True), side(22, 13, 3, False, True), "spades"),
        ("standard", side(30, 0, 4, True), side(22, 13, 0, False, True), "spades"),
    ],
)  # fmt: skip
def test_no_side_has_more_single_spades_than_spades(preset: str, ours: Json, theirs: Json, found: str) -> None:
    assert problems({"A": ours, "B": theirs}, preset) == {f"/A/{found} spades-below-parts"}


ACE = {"spade_ace_points": 1}


@pytest.mark.parametrize(
    ("ours", "theirs", "found"),
    [
        ((30, 8, 0, "T"), (22, 5, 4, "2"), "/A/spade_ace spade-ace-against-aces"),
        ((30, 8, ["H"], "T"), (22, 5, ["S", "D", "C"], "2-"), "/A/spade_ace spade-ace-against-aces"),
        ((30, 8, ["S", "H", "D"], "T-"), (22, 5, ["C"], "2-"), "/A/spade_ace spade-ace-against-aces"),
        ((30, 8, 4, "T-"), (22, 5, 0, "2-"), " spade-ace-total"),
    ],
)
def test_the_ace_of_spades_is_one_of_the_aces(ours: Any, theirs: Any, found: str) -> None:
    deal = {}
    for name, (cards, spades, aces, text) in (("A", ours), ("B", theirs)):
        ace = name == "A" and "-" not in text
        deal[name] = side(cards, spades, aces, "T" in text, "2" in text, spade_ace=ace)
        if name == "B" and isinstance(aces, list):
            deal[name]["spade_ace"] = "S" in aces
    assert found in problems(deal, "standard", **ACE)


def test_no_ace_is_with_two_sides() -> None:
    deal = {"A": side(30, 8, ["H", "D"], True), "B": side(22, 5, ["S", "D"], spy_two=True)}
    assert problems(deal, "standard") == {"/B/aces duplicate-card"}


ACCEPTED = [
    {"code": code, "reason": "as told"} for code in ("cards-below-parts", "spades-below-parts", "spy-two-without-spade")
]


def possible(deal: dict[str, Json]) -> bool:
    """Whether the cards can lie so that every count is right: somebody has A♠, with its spades and its aces."""
    return any(
        all(
            (left := own["spades"] - own["spy_two"] - (name == holder)) >= 0
            and (aces := own["aces"] - (name == holder)) >= 0
            and own["cards"] >= left + aces + own["spy_two"] + own["big_ten"] + (name == holder)
            and own["cards"] != 1
            for name, own in deal.items()
        )
        for holder in deal
    )


def test_counts_are_refused_just_where_no_cards_can_lie_so() -> None:
    """Where all counts add up, what one side says of its aces and spades may leave no side that has A♠."""
    rng, counts = Random(97), Counter[bool]()
    for _ in range(1500):
        names = "ABCD"[: rng.choice((2, 3, 3, 4))]
        low = rng.random() < 0.6  # some sides take next to nothing
        shares = {name: rng.choice((0, 0, 1, 2, 4)) if low else 1 for name in names[1:]} | {"A": 1}
        deal = {name: side(0, 0, 0) for name in names}
        for card in [str(card) for card in full_pack(OPTIONS.preset("standard").options)]:
            own = deal[rng.choices([*shares], [*shares.values()])[0]]
            own["cards"] += 1
            own["spades"] += card[-1] == "S"
            own["aces"] += card[0] == "A"
            own["big_ten"] |= card == "10D"
            own["spy_two"] |= card == "2S"
        for _ in range(rng.randrange(4)):
            one, other = rng.sample(sorted(deal), 2)
            key = rng.choice(("cards", "spades", "aces", "aces"))
            if moved := min(deal[one][key], rng.choice((1, 1, 2, 4, 30))):
                deal[one][key] -= moved
                deal[other][key] += moved
        can = possible(deal)
        counts[can] += 1
        request = {"sides": [*names], "rules": {"preset": "standard"}}
        _, ledger = score(GAME, request | {"deals": [deal | {"accept": ACCEPTED}]})
        assert (not ledger.deals[0].warnings) == can, deal
    assert min(counts.values()) > 200


def test_aces_are_not_asked_for_where_the_spades_say_who_has_the_first() -> None:
    told = {"A": side(26, 0, 2, True), "B": side(26, 13, 2, spy_two=True)}
    worth = {"ending": "count_out", "target": 21, "cards_points": 0, "spades_points": 0}
    worth |= {"big_ten_points": 0, "spy_two_points": 0}
    request = {"rules": {"preset": "standard", "options": worth}, "sides": ["A", "B"], "deals": [told]}
    _, ledger = score(GAME, request | {"opening": {name: {"total": 20} for name in "AB"}})
    assert ledger.outcome.winners == ("B",)


@pytest.mark.parametrize("last", [{}, {"last_capture": False}])
def test_somebody_captured_last(last: Json) -> None:
    assert problems({"A": A | last, "B": B | last}, "swedish") == {" last-capture-total"}


@pytest.mark.parametrize(
    ("ours", "options"),
    [({"sweeps": 2}, {"sweep": 1}), ({"last_capture": True}, {"last_capture_points": 1})],
)
def test_who_took_nothing_has_swept_nothing_and_not_captured_last(ours: Json, options: Json) -> None:
    nothing, all_of_it = side(0, 0, 0) | ours, side(52, 13, 4, True, True)
    assert problems({"A": nothing, "B": all_of_it}, "standard", **options) >= {"/A/cards cards-below-parts"}
    none: Json = {"A": side(0, 0, 0) | ours, "B": side(0, 0, 0), "unclaimed": 52}
    assert problems(none, "standard", **options) == {"/A/cards cards-below-parts"}
    pair = {"A": {"captured": ["3S", "3H"], "sweeps": 5}, "B": {"captured": []}, "unclaimed": 50}
    assert problems(pair, "standard", sweep=1) == {"/A/cards cards-below-parts"}


def test_what_scores_nothing_need_not_be_counted() -> None:
    three = {"A": {"aces": 2, "big_ten": True, "spy_two": False}, "B": {"aces": 2, "big_ten": False, "spy_two": True}}
    assert points(three | {"C": {"aces": 0, "big_ten": False, "spy_two": False}}, "khasino") == [4, 3, 0]
    assert problems(three, "khasino") >= {"/A/cards required", "/A/spades required"}

"""The judge of a turn against a second judge, which shares nothing with it but the names of the options."""

from __future__ import annotations

import random
from collections import Counter
from time import thread_time
from typing import Any

import pytest

from companion.conformance import published
from companion.games.spite_and_malice.checker import cases
from companion.library import InvalidInput, check, verify_witness
from tests.spite_and_malice.asking import ask
from tests.spite_and_malice.tables import Table, aimed
from tests.witnesses import check_spellings, contradictions, disagreement, forged, shown

MOVES = 600
"""Moves of the round of every run, of which every fourth is compared with distributions found by trying as well."""
MORE = 830
"""Moves of each other round: 25 rounds make 20,000."""
SPOILT = 250
"""Positions of a round with a wrong fact."""
CASES = [case for case in published("snm_*check*") if case["expect"]["status"] == 200]
COVERED = {"play", "discard", "refill", "end_turn"}


def compare(request: dict[str, Any], chance: random.Random, *, tried: bool = True) -> str:
    """The verdict on a request, whose witness is accepted and which no distribution that is found contradicts."""
    verdict, accepted = shown("spite-and-malice", request)
    judged = cases(request)
    if judged is None:
        assert accepted is None, request
        return "not covered"
    assert accepted, (verdict, request)
    assert not tried or disagreement(judged, verdict, chance) is None, (verdict, request)
    if verdict != "undecided" and all(isinstance(case.wrong, bool) for case in judged):
        return f"{verdict} by a fact"
    return verdict


def test_every_verdict_is_shown_and_contradicted_by_no_distribution(soak_round: int, soaked: Any) -> None:
    kinds: Counter[str] = Counter()
    moves = MORE if soak_round else MOVES
    for number in range(soak_round * MORE, soak_round * MORE + moves):
        try:
            request = Table(f"witness {number}").request() if number % 12 else aimed(f"witness {number}")
            kinds[compare(request, random.Random(number), tried=not number % 4)] += 1
        except InvalidInput:
            kinds["refused"] += 1
    soaked(moves=moves, undecided=kinds["undecided"], counted=kinds["illegal"] + kinds["legal"])
    assert kinds["undecided"] > moves // 10, kinds
    assert min(kinds["illegal"], kinds["legal"]) > 0, kinds
    assert kinds["refused"] < moves // 20, kinds


@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
def test_every_published_verdict_is_shown_and_contradicted_by_no_distribution(case: dict[str, Any]) -> None:
    request = case["request"]
    outcome = compare(request, random.Random(1))
    assert (outcome == "not covered") == (request["move"]["type"] not in COVERED)


@pytest.mark.parametrize("required", [False, True])
def test_whether_a_turn_may_end_depends_on_a_hand_that_may_be_empty(required: bool) -> None:
    """Whoever has no cards left in mid-turn must draw five first (SNM-218); a hand that is counted says so."""
    options = {"midturn_refill": "must", "discard_required": required, "discard_rule": "free", "discard_ace": True}
    table: dict[str, Any] = {"payoff": "3", "side_stacks": [], "centre_stacks": ["A"], "stock": 10}
    hands: list[dict[str, Any]] = [{}, {"hand_count": 0}]
    verdicts = [ask({"type": "end_turn"}, options=options, **table, **hand).value for hand in hands]
    assert verdicts == ["illegal" if required else "undecided", "illegal"]
    assert ask({"type": "end_turn"}, options=options, hand_count=3, **table).value == (
        "illegal" if required else "legal"
    )


@pytest.mark.parametrize(
    ("table", "words"),
    [
        (
            {"hand_count": 3},
            "The only exception is an empty hand where no cards can be drawn. B has 3 cards in hand, so it",
        ),
        ({"stock": 7}, "If B’s hand is empty, cards can be drawn: the stock has 7. If it is not empty, the exception"),
        ({}, "cards can be drawn: nothing is entered about the stock, so by our ruling it counts as not used up"),
    ],
)
def test_a_turn_that_may_not_pass_says_which_fact_rules_it_out(table: dict[str, Any], words: str) -> None:
    """A turn passes without a discard only with nothing to discard, and an empty hand only where none can be drawn."""
    options = {"discard_required": True, "discard_rule": "free", "discard_ace": True}
    position = {"players": ["A", "B"], "player": "B", "refilled": True, "payoff": "6", "centre_stacks": ["Q"], **table}
    rules = {"preset": "blackwood", "options": options}
    request = {"rules": rules, "position": position, "move": {"type": "end_turn"}, "witness": True}
    answer = check("spite-and-malice", request, lang="en")
    assert [answer["verdict"], verify_witness("spite-and-malice", request, answer)] == ["illegal", True]
    (text,) = answer["witness"]["text"]
    assert text.startswith("This move ends the turn without a discard.")
    assert words in text


def test_a_chain_says_that_a_rule_is_broken_of_illegal_moves_only() -> None:
    seen: Counter[str] = Counter()
    for number in range(900):
        request = Table(f"witness {number}").request()
        try:
            answer = check("spite-and-malice", {**request, "witness": True}, lang="en")
        except InvalidInput:
            continue
        for text in answer["witness"].get("text", ()):
            if text.endswith(("no rule is broken.", "a rule is broken.")) or "rule is broken: " in text:
                assert (answer["verdict"] == "legal") == text.endswith("no rule is broken."), (request, text)
                seen[answer["verdict"]] += 1
    assert min(seen["legal"], seen["illegal"]) > 1, seen


def test_a_second_chance_is_shown_by_the_turns_before_and_the_other_cards_can_be_discarded() -> None:
    """With an ace in hand it must be played in the second chance; any other card of the hand can be discarded."""
    position = {
        "players": ["A", "B", "C"], "player": "C", "refilled": True, "centre_stacks": ["2", "6"], "hand_count": 4,
        "turns": [{"player": player, "acted": False} for player in "CAB"],
    }  # fmt: skip
    rules = {"preset": "alone3", "options": {"discard_ace": False}}
    request = {"rules": rules, "position": position, "move": {"type": "end_turn"}, "witness": True}
    answer = check("spite-and-malice", request, lang="en")
    assert [answer["verdict"], verify_witness("spite-and-malice", request, answer)] == ["illegal", True]
    chance, discard = answer["witness"]["text"]
    assert chance.startswith("If any A is in the hand, this rule is broken: In the second chance an ace or a two must")
    assert "as in the turns before this one, each gets a second chance (rule: If all are idle, each gets one" in chance
    assert chance.endswith("There is a place for A in the centre.")
    assert discard.endswith("may go on any side stack or start one (rule: Higher and lower cards may be discarded).")


def test_where_one_rule_or_another_is_broken_each_is_named_with_its_case() -> None:
    position = {
        "players": ["A", "B"], "player": "B", "refilled": True, "hand": ["3", "10", "J", "8", "2"], "payoff_left": 2,
        "centre_stacks": ["A", "A"], "turns": [{"player": "B", "acted": False}, {"player": "A", "acted": False}],
    }  # fmt: skip
    options = {"discard_required": True, "second_chance_scope": "until_broken", "discard_rule": "free"}
    rules = {"preset": "blackwood", "options": options | {"after_last_discard": "refill_and_replay"}}
    move = {"type": "discard", "card": "10", "to": 0}
    request = {"rules": rules, "position": position, "move": move, "witness": True}
    answer = check("spite-and-malice", request, lang="en")
    assert [answer["verdict"], verify_witness("spite-and-malice", request, answer)] == ["illegal", True]
    assert answer["witness"]["text"] == [
        "If any 2 is in the tops of the side stacks, this rule is broken: A two on a side stack must be played.",
        "Otherwise this rule is broken: In the second chance an ace or a two must be played. When all players have had "
        "an idle turn one after another, as in the turns before this one, each gets a second chance (rule: If all are "
        "idle, each gets one more turn). So this is one, and no ace or two is entered as played from the hand in this "
        "turn. An ace in the hand, or a two that fits the centre now, must be played before the turn ends and before "
        "anything is discarded. B has 2 in hand, and there is a place for it in the centre.",
    ]
    assert len({breach["text"] for breach in answer["breaches"]}) == 4


@pytest.mark.parametrize("source", ["side", "partner_side"])
def test_a_hidden_side_card_that_could_not_go_there_whatever_it_is_is_illegal(source: str) -> None:
    """Onto the only ace beside two twos no card may go that is not one of them (SNM-045)."""
    twos: dict[str, Any] = {"payoff": "2", "side_stacks": [["2"]]} if source == "partner_side" else {"payoff": "2"}
    options = {"block_two": "strict"}
    players = ["A", "B", "C", "D"]
    move = {"type": "play", "from": source, "stack": 0, "to": 0}
    found = ask(move, "partners4", options, players=players, centre_stacks=["A"], hand=["7"], **twos)
    assert found.value == ("illegal" if source == "partner_side" else "undecided")
    complete = ask(move, "partners4", options, players=players, centre_stacks=["K"], hand=["7"], **twos)
    assert complete.value == "illegal"
    free = ask(move, "partners4", options | {"block_two": "off"}, players=players, centre_stacks=["A"], **twos)
    assert free.value == "undecided"
    assert [one.fact for one in free.missing] == [f"{source}_stacks"]


@pytest.mark.parametrize("to", [2, 3, 12])
@pytest.mark.parametrize("preset", ["blackwood", "pagat"])
@pytest.mark.parametrize(("card", "verdict"), [("5", "undecided"), ("A", "illegal")])
def test_a_stack_beyond_the_places_lies_behind_completed_ones(preset: str, to: int, card: str, verdict: str) -> None:
    """The centre is not given: completed stacks that are not put away yet leave the places free (SNM-031, 212)."""
    position = {"players": ["A", "B"], "player": "A"}
    move = {"type": "play", "from": "hand", "card": card, "to": to}
    assert shown("spite-and-malice", {"rules": {"preset": preset}, "position": position, "move": move}) == (
        verdict,
        True,
    )


@pytest.mark.parametrize("sides", [{}, {"side_stacks": [["9"]]}])
def test_a_card_that_no_centre_lets_go_first_is_illegal_without_the_centre(sides: dict[str, Any]) -> None:
    """The pay-off two goes first where an ace shows, and without one no two fits (SNM-048, 033)."""
    move = {"type": "play", "from": "hand", "to": 1, "card": "2"}
    table: dict[str, Any] = {"payoff": "2", "payoff_left": 2, "hand": ["6", "2", "3"], **sides}
    found = ask(move, "hoyle", **table)
    assert found.value == "illegal"
    assert ask(move, "hoyle", {"mandatory_timing": "before_turn_end"}, **table).value == "undecided"


def accepted_verdict(preset: str, position: dict[str, Any], move: dict[str, Any], **options: Any) -> str:
    """The verdict on a move, whose witness is accepted."""
    rules = {"preset": preset, "options": options}
    verdict, accepted = shown("spite-and-malice", {"rules": rules, "position": position, "move": move})
    assert accepted, (verdict, position)
    return verdict


@pytest.mark.parametrize(
    ("count", "missing"),
    [({}, ["complete", "incomplete"]), ({"complete": 0}, ["incomplete"]), ({"incomplete": 0}, ["complete"])],
)
def test_whether_cards_can_be_drawn_asks_for_the_stacks_that_nobody_counted(
    count: dict[str, int], missing: list[str]
) -> None:
    position = {"players": ["A", "B"], "player": "B", "refilled": True, "hand_count": 0, "stock": 0, "payoff": "4"}
    options = {"discard_required": True, "discard_rule": "free", "mandatory": []}
    assert accepted_verdict("blackwood", position | count, {"type": "end_turn"}, **options) == "undecided"
    rules = {"preset": "blackwood", "options": options}
    answer = check("spite-and-malice", {"rules": rules, "position": position | count, "move": {"type": "end_turn"}})
    assert [one["fact"] for one in answer["missing"]] == missing


@pytest.mark.parametrize(("preset", "players"), [("blackwood", "AB"), ("alone3", "ABC"), ("pagat", "AB")])
def test_a_stack_whose_natural_tops_must_all_be_played_can_show_a_wild_card(preset: str, players: str) -> None:
    """An ace goes onto an ace or a two, each of which would have to be played first; it goes onto a wild card, too."""
    position = {
        "players": [*players], "player": "B", "refilled": True, "hand": ["A", "A", "2", "A"], "payoff": "4",
        "payoff_left": 5, "centre_stacks": ["2", "A", "2"],
    }  # fmt: skip
    options = {"discard_ace": True, "discard_rule": "same_or_lower", "mandatory": ["side_ace", "side_two"]}
    assert accepted_verdict(preset, position, {"type": "discard", "card": "A", "to": 1}, **options) == "undecided"


def test_partners_who_show_the_same_rank_show_two_cards() -> None:
    aces = [["A"] * 7]
    position = {"players": ["A", "B", "C", "D"], "player": "C", "side_stacks": aces, "payoff": "A", "hand": ["2"]}
    request = {"rules": {"preset": "partners4"}, "position": position | {"partner": {"payoff": "A"}}, "witness": True}
    request |= {"move": {"type": "play", "from": "hand", "card": "2", "to": 0}}
    with pytest.raises(InvalidInput) as refused:
        check("spite-and-malice", request)
    assert verify_witness("spite-and-malice", request, refused.value.document) is True


def test_every_contradiction_is_shown_by_the_fewest_facts(soak_round: int, soaked: Any) -> None:
    """The second judge finds no deal with the facts that are named, and one without any one of them."""
    spoilt = range(soak_round * SPOILT, (soak_round + 1) * SPOILT)
    kinds = contradictions("spite-and-malice", (Table(f"spoilt {number}").request() for number in spoilt))
    soaked(positions=SPOILT, contradictions=SPOILT - kinds["possible"])
    assert kinds.keys() >= {"too-many-copies", "hand-size", "payoff-empty"}


def test_a_witness_that_shows_something_else_is_refused() -> None:
    seen: Counter[str] = Counter()
    for number in range(60):
        request = Table(f"forged {number}").request()
        try:
            for what, accepted in forged("spite-and-malice", request):
                assert accepted is not True, (what, request)
                seen[what] += accepted is False
        except InvalidInput:
            continue
    assert min(seen[what] for what in ("verdict", "swapped", "one world", "cards twice")) > 2, seen


def test_a_witness_is_accepted_however_the_cards_and_numbers_of_the_request_are_written() -> None:
    check_spellings("spite-and-malice", (Table(f"spelt {number}").request() for number in range(300)))


@pytest.mark.parametrize("witness", [False, True])
@pytest.mark.parametrize(
    ("preset", "players", "given", "source"),
    [
        ("skip_bo", "AB", {"hand_count": 5}, "side"),
        ("alone3", "ABC", {"hand_count": 5}, "payoff"),
        ("hoyle", "AB", {}, "side"),
        ("partners4", "ABCD", {}, "partner_side"),
        ("partners4", "ABCD", {}, "partner_payoff"),
    ],
)
def test_a_short_request_about_an_open_table_is_answered_at_once(
    preset: str, players: str, given: dict[str, Any], source: str, witness: bool
) -> None:
    """The centre and the card are open: there are hundreds of cases, of which a few show the verdict."""
    move = {"type": "play", "from": source, "to": 0, **({} if "payoff" in source else {"stack": 0})}
    position = {"players": [*players], "player": "A", **given}
    asked = {"rules": {"preset": preset}, "position": position, "move": move, "witness": witness}
    check("spite-and-malice", asked)  # reads the modules
    started = thread_time()
    assert check("spite-and-malice", asked)["verdict"] == "undecided"
    assert thread_time() - started < 0.3


def test_the_fewest_facts_are_sought_for_a_limited_time_however_many_ways_a_claim_has() -> None:
    """Where own and partner's aces and twos bind, a claim has thousands of layouts in each case."""
    asked = Table("spelt 200").request()
    started = thread_time()
    assert check("spite-and-malice", asked)["verdict"] == "undecided"
    assert thread_time() - started < 2

"""What shows a verdict on a card: two worlds or a chain of counts, checked by a second judge."""

from __future__ import annotations

import json
from collections import Counter
from random import Random
from typing import Any

import pytest

from companion import library
from tests.conftest import VECTORS
from tests.spades.positions import AIMED, THEMES, request
from tests.witnesses import contradictions, respelt

FOUR: dict[str, Any] = {"seats": ["A", "B", "C", "D"], "dealer": "D"}


def shown(asked: dict[str, Any]) -> tuple[dict[str, Any], bool | None]:
    """The answer to a request and whether its witness is accepted; the answer is empty where it is refused."""
    try:
        answer = json.loads(json.dumps(library.check("spades", asked | {"witness": True})))
    except library.InvalidInput:
        return {}, None
    assert None not in answer["witness"].values(), asked
    return answer, library.verify_witness("spades", asked, answer)


def witness(trick: dict[str, str], move: tuple[str, str], **position: Any) -> dict[str, Any]:
    cards = [{"seat": seat, "card": card} for seat, card in trick.items()]
    at = FOUR | {"trick": cards} | position
    answer, accepted = shown({"position": at, "move": {"type": "play", "seat": move[0], "card": move[1]}})
    assert accepted is True
    return {"verdict": answer["verdict"], **answer["witness"]}


SPOILT = 400
"""Positions of a round with a wrong fact."""
POSITIONS = 1_000
"""Positions of a round; 20 rounds make 20,000."""


def test_random_positions_are_witnessed(soak_round: int, soaked: Any) -> None:
    counts: Counter[str] = Counter()
    for seed in range(soak_round * POSITIONS, (soak_round + 1) * POSITIONS):
        asked = request(Random(seed))
        answer, accepted = shown(asked)
        assert accepted is not False, (seed, asked, answer)
        counts[answer.get("verdict", "impossible") if accepted or not answer else "not covered"] += 1
        counts["counted"] += bool(answer and answer["witness"].get("chain"))
    soaked(positions=POSITIONS, undecided=counts["undecided"], counted=counts["counted"])
    assert counts["not covered"] <= 2
    assert min(counts["legal"], counts["illegal"], counts["undecided"]) > 120
    assert counts["counted"] > 8


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({}, "The pack has 13 spades. Apart from 5♠︎, which has been shown, 12 are left."),
        ({"promoted_twos": ["2H", "2D"]}, "The pack has 15 spades (2♦︎, 2♥︎ counted as well). Apart from 5♠︎"),
    ],
)
def test_a_count_of_spades_shows_its_sum(options: dict[str, Any], words: str) -> None:
    rules = {"options": {"mode": "solo3", "first_trick_spades": "forbidden", "first_trick": "lowest_club", **options}}
    position = {"seats": ["A", "B", "C"], "trick": [], "trick_number": 1, "spades_broken": False}
    move = {"type": "play", "seat": "A", "card": "5S"}
    answer = library.check("spades", {"rules": rules, "position": position, "move": move, "witness": True}, lang="en")
    (text,) = answer["witness"]["text"]
    assert text.startswith(
        "Of the 52 cards each of the 3 hands begins with 17; the other 1 is out of play (rule: Three"
    )
    assert "A has not played any yet, so A has 16 beside 5♠︎." in text
    assert words in text
    assert text.endswith("at this table, without double blind nil, there is no such hand.")


def test_who_may_discard_two_begins_with_as_many_cards_as_the_others() -> None:
    hand = ["KS", "BJ", "7S", "JH", "6C", "5D", "7H", "10S", "5S", "8S", "3S", "4H", "7C"]
    position = {"seats": FOUR["seats"], "dealer": "B", "trick": [], "hand": hand}
    rules = {"options": {"deck": "jokers_dealer_discards", "first_leader": "club_two"}}
    asked = {"rules": rules, "position": position, "move": {"type": "play", "seat": "B", "card": "7C"}, "witness": True}
    answer = library.check("spades", asked, lang="en")
    assert [answer["verdict"], library.verify_witness("spades", asked, answer)] == ["illegal", True]
    (text,) = answer["witness"]["text"]
    assert text == (
        "B’s 13 cards are all known; the lowest club among them is 6♣︎. As many are in every hand when the first trick "
        "begins, so no trick has been played yet, and of the 54 cards only the dealer’s 2 discards are out of play "
        "(rule: With 54 cards the dealer discards two). So at least 1 of 2♣︎, 3♣︎, 4♣︎ is in another hand, and that "
        "hand leads, not B."
    )


@pytest.mark.parametrize(
    ("options", "words"),
    [({"deck": "jokers_minus_twos"}, "is not in the pack"), ({"promoted_twos": ["2C", "2D"]}, "counts as a spade")],
)
def test_that_who_leads_holds_a_club_cites_who_leads(options: dict[str, Any], words: str) -> None:
    position = {**FOUR, "trick": [], "trick_number": 1}
    move = {"type": "play", "seat": "A", "card": "QS"}
    asked = {"rules": {"options": {"first_leader": "club_two", **options}}, "position": position, "move": move}
    answer = library.check("spades", asked | {"witness": True}, lang="en")
    assert [answer["verdict"], library.verify_witness("spades", asked, answer)] == ["illegal", True]
    (text,) = answer["witness"]["text"]
    assert text.startswith(f"The lowest club here is 3♣︎: 2♣︎ {words}. This is the first trick")
    assert "leads here (rule: The holder of 2♣ makes the first lead), so the one who leads holds a club" in text


def test_a_card_left_over_is_none_of_the_discards_of_the_dealer() -> None:
    hand = ["9C", "8D", "3H", "JC", "5H", "QD", "8S", "10C", "4S", "9S", "KC", "2D", "5S", "8H", "2S", "6D", "2H"]
    position = {"seats": ["A", "B", "C"], "trick": [], "hand": hand}
    rules = {"options": {"mode": "solo3", "deck": "jokers_dealer_discards", "first_leader": "club_two"}}
    asked = {"rules": rules, "position": position, "move": {"type": "play", "seat": "B", "card": "10C"}}
    (text,) = library.check("spades", asked | {"witness": True}, lang="en")["witness"]["text"]
    assert "of the 54 cards only 3 are out of play" in text


def test_a_hand_that_is_looked_at_is_no_exception() -> None:
    calls = [{"seat": seat, "call": 2} for seat in FOUR["seats"]]
    position = {**FOUR, "trick": [{"seat": "A", "card": "10S"}], "trick_number": 1, "played": [], "calls": calls}
    rules = {"options": {"first_trick": "lowest_club", "double_blind_nil": True}}
    asked = {"rules": rules, "position": position, "move": {"type": "play", "seat": "B", "card": "JS"}, "witness": True}
    (text,) = library.check("spades", asked, lang="en")["witness"]["text"]
    assert text.endswith("this is none, as B has not called double blind nil.")


def test_that_somebody_else_holds_the_lowest_club_is_said_once() -> None:
    """Nobody has seen five lower clubs; that the lowest of them can only be in another hand is enough."""
    hand = ["JD", "7C", "JC", "10C", "KH", "2S", "7D", "4D", "6D", "AH", "4H", "10D", "JS"]
    position = {
        "seats": ["A", "B", "C", "D"],
        "trick": [],
        "trick_number": 1,
        "played": [],
        "hand": hand,
        "leader": "B",
    }
    move = {"type": "play", "seat": "B", "card": "10C"}
    asked = {"rules": {"options": {"first_leader": "club_two"}}, "position": position, "move": move, "witness": True}
    answer = library.check("spades", asked, lang="en")
    assert [answer["verdict"], library.verify_witness("spades", asked, answer)] == ["illegal", True]
    (text,) = answer["witness"]["text"]
    assert text == (
        "B’s 13 cards are all known; the lowest club among them is 7♣︎. As many are in every hand when the first trick "
        "begins, so no trick has been played yet, and of the 52 cards all were dealt, 13 to each of 4 hands (rule: "
        "Dealing the cards). So 2♣︎ is in another hand, and that hand leads, not B."
    )


def test_positions_of_real_deals_are_never_refused() -> None:
    for seed in range(700):
        asked = request(Random(seed), honest=True, themes=AIMED if seed % 20 == 0 else THEMES)
        answer, accepted = shown(asked)
        assert answer, (seed, asked)
        assert accepted, (seed, asked, answer)


def test_every_vector_of_a_card_is_witnessed() -> None:
    cases = [json.loads(line) for line in (VECTORS / "spades_check.jsonl").read_text().splitlines()]
    plays = [case["request"] for case in cases if case["request"].get("move", {}).get("type") == "play"]
    found = [shown(asked) for asked in plays]
    assert all(accepted for answer, accepted in found if answer)
    assert sum(bool(answer) for answer, _ in found) > 40


def test_every_contradiction_is_shown_by_the_fewest_facts(soak_round: int, soaked: Any) -> None:
    """The second judge finds no deal with the facts that are named, and one without any one of them."""
    spoilt = range(soak_round * SPOILT, (soak_round + 1) * SPOILT)
    kinds = contradictions("spades", (request(Random(number)) for number in spoilt))
    soaked(positions=SPOILT, contradictions=SPOILT - kinds["possible"])
    assert kinds.keys() >= {
        "no-distribution",
        "leader-not-first",
        "too-many-played",
        "duplicate-card",
        "spade-was-played",
    }


def test_a_card_that_nobody_can_hold_makes_no_position_impossible() -> None:
    """Nine tricks without a spade and a heart on the table are all cards that are no spades."""
    rules = {"options": {"promoted_twos": ["2H", "2D"]}}
    position = {**FOUR, "trick": [{"seat": "A", "card": "6H"}], "trick_number": 10, "spades_broken": False}
    asked = {"rules": rules, "position": position, "move": {"type": "play", "seat": "B", "card": "6D"}}
    answer, accepted = shown(asked)
    assert (answer["verdict"], answer["breaches"][0]["code"], accepted) == ("illegal", "card-not-in-hand", True)
    impossible = {"errors": [{"witness": {"facts": ["/position"]}}]}
    assert library.verify_witness("spades", asked, impossible) is False


def test_two_worlds_differ_by_two_cards() -> None:
    found = witness({"A": "2H"}, ("B", "5S"), trick_number=11)
    assert found["verdict"] == "undecided"
    legal, illegal = (set(found[name]["hands"]["B"]) for name in ("legal", "illegal"))
    assert not any(card.endswith("H") for card in legal)
    assert len(legal) == len(illegal) == 2
    assert legal ^ illegal == set(found["changed"])
    assert len(found["changed"]) == 2
    assert found["text"][0] == "Both of these deals fit all that is known."


def test_illegal_by_counting_is_one_count() -> None:
    clubs, hearts, diamonds = ([f"{rank}{suit}" for rank in "23456789JQKA"] + [f"10{suit}"] for suit in "CHD")
    played = [*clubs, *hearts[:-1], *diamonds[:-1], "2S", "3S", "4S"]
    found = witness({"C": "KS"}, ("D", "10D"), trick_number=11, played=played)
    assert found["verdict"] == "illegal"
    (step,) = found["chain"]
    assert step["facts"] | {"places": ["hand"], "cards": ["10H"], "count": 1, "seats": 2} == step["facts"]
    assert step["text"] == (
        "Of the 52 cards each of the 4 hands begins with 13 (rule: Dealing the cards). "
        "D has played one to each of the 10 tricks before this one, so D has 2 beside 10♦︎. "
        "39 cards of the pack are not spades. With 38 of them shown, 1 is left (10♥︎). So at least 1 of the 2 must be "
        "spades."
    )


def test_illegal_where_nothing_but_the_suit_is_left() -> None:
    clubs, hearts, diamonds = ([f"{rank}{suit}" for rank in "23456789JQKA"] + [f"10{suit}"] for suit in "CHD")
    played = [*clubs, *hearts, *diamonds[:-1], "2S", "3S"]
    found = witness({"C": "KS"}, ("D", "10D"), trick_number=11, played=played)
    assert [step["text"] for step in found["chain"]] == [
        "Of the 52 cards each of the 4 hands begins with 13 (rule: Dealing the cards). "
        "D has played one to each of the 10 tricks before this one, so D has 2 beside 10♦︎. "
        "39 cards of the pack are not spades. With 39 of them shown, 0 are left. So all of them must be spades."
    ]


def test_legal_by_counting_says_that_the_suit_has_been_seen() -> None:
    diamonds = [f"{rank}D" for rank in "23456789JQKA"]
    found = witness({"A": "10D"}, ("B", "4S"), trick_number=4, played=diamonds)
    assert found["verdict"] == "legal"
    assert [step["text"] for step in found["chain"]] == ["All diamonds have been seen, so B holds none."]
    assert found["world"]["hands"].keys() == {"A", "B", "C", "D"}


def test_facts_need_no_count() -> None:
    found = witness({"A": "2H"}, ("B", "5S"), trick_number=11, hand=["5S", "9H", "KH"])
    assert (found["verdict"], found["facts"], found["chain"]) == ("illegal", ["trick", "hand"], [])


def test_moves_without_hidden_cards_have_no_worlds() -> None:
    asked = {"position": FOUR | {"phase": "bidding"}, "move": {"type": "call", "seat": "A", "call": 4}, "witness": True}
    assert library.check("spades", asked)["witness"] == {"worlds": "none"}
    assert "witness" not in library.check("spades", {**asked, "witness": False})
    with pytest.raises(library.InvalidInput):
        library.check("spades", {**asked, "witness": "yes"})


@pytest.mark.parametrize("seed", range(40))
def test_a_spoilt_witness_is_refused(seed: int) -> None:
    """Another world, another count, or another verdict than the one that was given."""
    chance = Random(seed)
    while True:
        asked = request(chance)
        answer, accepted = shown(asked)
        without = {**answer, "witness": {**answer.get("witness", {}), "chain": []}}
        if accepted and (answer["verdict"] == "undecided" or library.verify_witness("spades", asked, without) is False):
            break
    spoilt = json.loads(json.dumps(answer))
    proof = spoilt["witness"]
    if answer["verdict"] == "undecided":
        assert library.verify_witness("spades", asked, {**answer, "verdict": "legal"}) is False
        proof["legal"], proof["illegal"] = proof["illegal"], proof["legal"]
    else:
        for step in proof["chain"]:
            step["facts"]["seats"] += 1 if step["facts"]["need"] else -1
    assert library.verify_witness("spades", asked, spoilt) is False


@pytest.mark.parametrize("card", ["5S", "5s", "s5", "♠5", "5♠", "５Ｓ"])
@pytest.mark.parametrize("led", ["10H", "TH", "h10", "♥10"])
def test_the_checker_reads_every_way_to_write_a_card(card: str, led: str) -> None:
    assert witness({"A": led}, ("B", card), trick_number=11, played=["♦t", "J♥"])["verdict"] == "undecided"


def test_findings_of_a_replay_are_witnessed_by_two_plays() -> None:
    plays = [("A", "2H"), ("B", "3C"), ("C", "4H"), ("D", "5H"), ("D", "6H"), ("A", "7H"), ("B", "8H")]
    record = {"seats": FOUR["seats"], "dealer": "D", "plays": [{"seat": seat, "card": card} for seat, card in plays]}
    (finding,) = library.replay("spades", record | {"witness": True})["findings"]
    first, second = finding["witness"]["plays"]
    assert first == {"seat": "B", "trick": 1, "card": "3C"}
    assert second == {"seat": "B", "trick": 2, "card": "8H"}
    assert "witness" not in library.replay("spades", record)["findings"][0]


def test_the_problem_document_names_the_facts_in_both_languages() -> None:
    asked = {"position": FOUR | {"trick": [], "trick_number": 12, "spades_broken": False, "hand": ["2S"], "played": []},
             "move": {"type": "play", "seat": "A", "card": "2S"}, "witness": True}  # fmt: skip
    for lang, text in (
        ("en", "These cannot all be right: which trick it is (12), whether spades are broken (no). "
               "Without any one of them they would not contradict each other."),
        ("ja", "このすべてが正しいことはありません：何トリック目か（12）、スペードブレイクしたか（いいえ）。"
               "どれか一つがなければ、矛盾しません。"),
    ):  # fmt: skip
        with pytest.raises(library.InvalidInput) as refused:
            library.check("spades", asked, lang=lang)
        first, *others = refused.value.errors
        assert first["witness"] == {"facts": ["/position/trick_number", "/position/spades_broken"], "text": [text]}
        assert not any("witness" in error for error in others)
        assert library.verify_witness("spades", asked, refused.value.document) is True
    with pytest.raises(library.InvalidInput) as refused:
        library.check("spades", {**asked, "witness": False})
    assert not any("witness" in error for error in refused.value.errors)


def test_an_unreadable_position_has_no_contradiction_to_show() -> None:
    asked = {"position": FOUR | {"trick": [], "trick_number": 99, "spades_broken": True},
             "move": {"type": "play", "seat": "A", "card": "2S"}, "witness": True}  # fmt: skip
    with pytest.raises(library.InvalidInput) as refused:
        library.check("spades", asked)
    assert not any("witness" in error for error in refused.value.errors)
    assert library.verify_witness("spades", asked, refused.value.document) is None


def test_a_witness_is_accepted_however_the_cards_and_numbers_of_the_request_are_written() -> None:
    seen: Counter[str] = Counter()
    for seed in range(300):
        asked = request(Random(seed))
        answer, accepted = shown(asked)
        other = respelt(asked, Random(seed))
        again, accepted_again = shown(other)
        assert (again.get("verdict"), accepted_again) == (answer.get("verdict"), accepted), other
        seen[answer.get("verdict", "impossible")] += 1
    assert len(seen) == 4, seen


def test_what_a_known_hand_lacks_needs_no_count_of_its_own() -> None:
    """One card of three hands is out of play: of two clubs that the hand lacks somebody else holds one."""
    hand = "9D 5S 4H QH JS 8H 5C 8C AD 6H 7S 9H KC 10H QD AS 3D"
    position = {
        "seats": ["A", "B", "C"], "dealer": "C", "trick": [], "trick_number": 1, "played": [], "spades_broken": False,
        "hand": hand.split(), "calls": [{"seat": seat, "call": 1} for seat in "ABC"],
    }  # fmt: skip
    rules = {"options": {"mode": "solo3", "first_leader": "club_two"}}
    move = {"type": "play", "seat": "B", "card": "8C"}
    answer, accepted = shown({"rules": rules, "position": position, "move": move})
    assert (answer["verdict"], accepted) == ("illegal", True)

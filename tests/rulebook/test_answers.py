"""Answers of the engine in the shapes of the API, with sentences in both languages."""

from __future__ import annotations

from typing import Any

import pytest

from companion.engine.game import score
from companion.engine.problems import Node, Refused
from companion.games import GAMES
from companion.rulebook.answers import (
    articles_answer,
    catalogue_answer,
    check_answer,
    diff_answer,
    localize,
    problem_answers,
    rules_answer,
    score_answer,
)

SPADES = GAMES["spades"]
EVENING: dict[str, Any] = {
    "sides": ["NS", "EW"],
    "opening": {"NS": {"total": 447, "bags": 7}},
    "deals": [{"NS": {"bid": 5, "tricks": 8}, "EW": {"bid": 5, "tricks": 5}}],
}


def check(request: dict[str, Any], lang: str) -> dict[str, Any]:
    node = Node(request)
    house = SPADES.options.read(node["rules"])
    return check_answer(SPADES, SPADES.judge(house.options, node["position"], node["move"]), lang)


def test_a_score_has_every_point_with_its_article_and_tallies_beside_the_total() -> None:
    _, ledger = score(SPADES, EVENING)
    answer = score_answer(SPADES, ledger, "en")
    north = answer["deals"][0]["sides"]["NS"]
    assert north["points"] == -47
    assert (north["total"], north["bags"]) == (400, 0)
    assert [(line["article"], line["points"], line["text"]) for line in north["lines"]] == [
        ("spades.contract", 50, "5 bid, 8 taken: contract made"),
        ("spades.overtricks", 3, "3 overtricks"),
        ("spades.bag-penalty", -100, "Penalty for 10 bags; 0 left over"),
    ]
    assert answer["standing"] == {"NS": {"total": 400, "bags": 0}, "EW": {"total": 50, "bags": 0}}
    assert answer["outcome"] == {"over": False, "winners": [], "reason": None}


def test_the_end_of_a_game_says_why_in_the_language_asked_for() -> None:
    request = EVENING | {"opening": {"NS": {"total": 460}}}
    outcome = score_answer(SPADES, score(SPADES, request)[1], "ja")["outcome"]
    assert outcome["winners"] == ["NS"]
    assert outcome["reason"] == "spades.target"
    assert "500点" in outcome["text"]
    assert outcome["url"] == "/ja/rules/spades#target"


def test_a_void_deal_and_an_accepted_problem_are_told() -> None:
    accepted = {
        "NS": {"bid": 5, "tricks": 5}, "EW": {"bid": 5, "tricks": 7},
        "accept": [{"code": "tricks-total", "reason": "a card was lost"}],
    }  # fmt: skip
    answer = score_answer(SPADES, score(SPADES, EVENING | {"deals": [{"void": True}, accepted]})[1], "en")
    void, other = answer["deals"]
    assert void["status"] == "void"
    assert void["sides"]["NS"]["lines"] == []
    assert other["warnings"][0]["reason"] == "a card was lost"
    assert "12" in other["warnings"][0]["detail"]


@pytest.mark.parametrize(
    ("lang", "text"),
    [
        ("en", "With hearts led, B holds 7♥\ufe0e and may not play 2♠\ufe0e."),
        ("ja", "ハートがリードされ、Bは7♥\ufe0eを持っているので、2♠\ufe0eは出せません。"),
    ],
)
def test_an_illegal_card_is_explained_with_the_article_that_says_so(lang: str, text: str) -> None:
    position = {
        "phase": "play", "seats": ["A", "B", "C", "D"], "dealer": "D", "trick": [{"seat": "A", "card": "9H"}],
        "trick_number": 4, "spades_broken": False, "hand": ["7H", "2S"],
    }  # fmt: skip
    answer = check({"position": position, "move": {"type": "play", "seat": "B", "card": "2S"}}, lang)
    assert answer["verdict"] == "illegal"
    assert answer["because"] == []
    (breach,) = answer["breaches"]
    assert breach["text"] == text
    assert breach["article"] == "spades.follow-suit"
    assert breach["url"] == f"/{lang}/rules/spades#follow-suit"
    assert breach["facts"]["held"] == ["7H"]


def test_what_is_missing_is_asked_and_what_is_allowed_has_its_reason() -> None:
    seats = {"seats": ["A", "B", "C", "D"], "dealer": "D", "calls": [], "totals": {"A+C": 0, "B+D": 300}}
    asked = check({"position": seats, "move": {"type": "call", "seat": "A", "call": "double_nil"}}, "en")
    assert asked["missing"][0]["text"] == "Had A looked at any cards before calling double nil (blind nil)?"
    assert asked["missing"][0]["seat"] == "A"
    allowed = check({"position": seats, "move": {"type": "call", "seat": "A", "call": "nil"}}, "en")
    assert allowed["because"][0]["text"] == "Nil may be declared in place of a number."


def test_problems_have_pointers_codes_and_sentences() -> None:
    with pytest.raises(Refused) as caught:
        score(SPADES, EVENING | {"deals": [{"NS": {"bid": 5, "tricks": 5}, "EW": {"bid": 5, "tricks": 7}}]})
    (problem,) = problem_answers(SPADES, caught.value.problems, "en")
    assert problem["pointer"] == "/deals/0"
    assert problem["code"] == "tricks-total"
    assert problem["article"] == "spades.tricks-total"
    assert problem["acceptable"] is True
    assert problem["detail"].startswith("The tricks add up to 12, but the deal has 13 (NS 5, EW 7).")


def test_problems_without_a_game_have_the_words_all_games_share() -> None:
    node = Node({"sides": 1})
    node.object(required=("deals",), optional=("sides",))
    assert problem_answers(None, node.problems, "ja")[0]["detail"] == "ここが入力されていません。"


def test_house_rules_written_out_name_what_differs_in_both_languages() -> None:
    house = SPADES.options.build("classic", {"bag_threshold": 5, "overtrick": "zero", "ten_bonus": "plus200"})
    answer = rules_answer(SPADES, house, "en")
    assert answer["summary"] == {
        "en": "Classic; overtricks 0, a penalty every 5 bags, bids of ten or more: a bonus on top",
        "ja": "クラシック：オーバートリック0、バッグ5個ごとにペナルティ、10以上のビッド：通常の点にボーナス",
    }
    assert set(answer["options"]) == set(SPADES.options.options)
    assert [warning["code"] for warning in answer["warnings"]] == ["bags-off-the-digit"]
    assert SPADES.options.decode(answer["code"]) == house


def test_a_default_that_gives_way_is_told_in_words() -> None:
    house = SPADES.options.build("classic", {"overtrick": "minus1"})
    (warning,) = rules_answer(SPADES, house, "en")["warnings"]
    assert warning["text"] == "“Penalty for bags” does not go with another setting and was changed to off."


def test_two_rule_sets_differ_in_plain_words() -> None:
    one, other = SPADES.options.preset(), SPADES.options.build("classic", {"bag_penalty": 50, "loss_limit": -200})
    answer = diff_answer(SPADES, one, other, "en")
    assert [difference["text"] for difference in answer["differences"]] == [
        "Size of the bag penalty: 100 points → 50 points",
        "Lower limit: none → −200 points",
    ]
    assert diff_answer(SPADES, one, one, "ja")["differences"] == []


def test_the_catalogue_declares_options_and_presets() -> None:
    answer = catalogue_answer(SPADES, "ja")
    assert answer["name"] == "スペード"
    options = {option["name"]: option for option in answer["options"]}
    assert options["bag_threshold"]["type"] == "integer"
    assert options["bag_threshold"]["minimum"] == 1
    assert options["removed_twos"]["default"] == ["2C", "2D"]
    assert options["bid_method"]["choices"][1] == {"value": "sum", "label": "2人のビッドを合計"}
    presets = {preset["name"]: preset for preset in answer["presets"]}
    assert presets["modern"]["options"]["bid_method"] == "sum"
    assert presets["classic"]["summary"] == ""


def test_the_articles_are_listed_in_page_order_with_their_titles() -> None:
    answer = articles_answer(SPADES, "en")
    assert [entry["id"] for entry in answer] == [article.id for article in SPADES.articles]
    assert answer[0]["title"] == "What Spades is like"


def test_a_replay_is_dressed_with_verdicts_and_findings_in_words() -> None:
    plays = [("A", "7D"), ("B", "9C"), ("C", "4D"), ("D", "KD"), ("D", "AH"), ("A", "8H"), ("B", "2D"), ("C", "9H")]
    request = {
        "seats": ["A", "B", "C", "D"], "dealer": "D", "plays": [{"seat": s, "card": c} for s, c in plays],
    }  # fmt: skip
    answer = localize(SPADES, SPADES.replay(SPADES.options.preset().options, Node(request)), "en")
    (finding,) = answer["findings"]
    assert finding["seat"] == "B"
    assert finding["text"] == ("B revoked in trick 1: 9♣\ufe0e was played on diamonds, shown by 2♦\ufe0e in trick 2.")
    assert answer["verdicts"][1]["verdict"] == "undecided"
    assert answer["verdicts"][1]["settled"] == "illegal"
    assert answer["verdicts"][1]["missing"][0]["text"] == "Did B hold any diamonds?"

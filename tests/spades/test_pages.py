"""Sentences of a table's page where settings meet: what they say may be done is legal there, and the reverse."""

from __future__ import annotations

from typing import Any

import pytest

from companion import library as companion
from companion.engine.dialogue import Context, State
from companion.engine.problems import read_whole
from companion.games.spades import SPADES
from companion.games.spades.rules import OPTIONS
from companion.rulebook.pages import page
from companion.rulebook.words import TEXT_STYLE
from tests.referee.test_walks import NAMES
from tests.spades.asking import ask

MINIMUM = {"minimum_bid": 4}
CONSULT = {"bid_method": "consultation"}
CLUB_TWO = {"first_leader": "club_two", "club_two_must_lead": True}
SENTENCES: tuple[tuple[str, str, str, dict[str, Any], dict[str, Any]], ...] = (
    ("zero-bid", "may be bid", "「0」とビッドすることもできます", {}, MINIMUM | CONSULT),
    ("zero-bid", "always made", "必ず達成", {}, MINIMUM),
    ("nil-partner", "may also declare nil", "その人もニル", {}, MINIMUM),
    ("both-nil", "no ordinary contract", "通常のコントラクトがありません", {}, MINIMUM),
    ("minimum-with-nil", "bid less than 4", "4より小さ", MINIMUM, MINIMUM | {"second_round": True}),
    ("minimum-bid", "may bid less", "小さくても", MINIMUM, MINIMUM | CONSULT),
    ("small-bids", "bid of 0", "0のビッド", {"small_bid_special": True},
     {"small_bid_special": True, "zero_bid": False}),
    ("blind-higher", "higher than 12", "12より大きい", {"blind_bid": True, "blind_bid_min": 12},
     {"blind_bid": True, "blind_bid_min": 13}),
    ("blind-higher", "only blind number", "だけです", {"blind_bid": True, "blind_bid_min": 13},
     {"blind_bid": True, "blind_bid_min": 12}),
    ("club-two-leads", "2♣ makes", "2♣を持つ人が、", CLUB_TWO, CLUB_TWO | {"promoted_twos": ["2C"]}),
    ("club-two-must-lead", "3♣ must lead", "3♣を持つ人は", CLUB_TWO | {"promoted_twos": ["2C"]}, CLUB_TWO),
    ("lowest-club-strict", "3♣ plays first", "3♣を持つ人が",
     {"first_trick": "lowest_club_strict", "promoted_twos": ["2C"]}, {"first_trick": "lowest_club_strict"}),
    ("failed-nil-modes", "both partners are nil", "2人ともニル", {"failed_nil_tricks": "bags_only"},
     {"failed_nil_tricks": "bags_only", "tricks_without_contract": "overtricks"}),
    ("dealer", "on the left", "左隣", {}, {"mode": "duo_dummy"}),
    ("zero-bid", "scores nothing", "点は0点", {}, {"small_bid_special": True}),
    ("bag-carry", "are kept", "そのまま残ります", {}, {"overtrick": "zero"}),
    ("blind-higher", "scores 140", "140点", {"blind_bid": True}, {"blind_bid": True, "above_six_bonus": True}),
    ("highest-bidder-leads", "conferred", "相談して", CONSULT | {"first_leader": "highest_bidder"},
     {"first_leader": "highest_bidder"}),
    ("nil-then-number", "earlier partner", "先にビッドする人", {}, CONSULT),
    ("number-then-nil", "later partner", "後にビッドする人", {}, CONSULT),
    ("nil-partner", "will take alone", "1人で取る数", CONSULT, {}),
    ("blind-moon", "take every trick", "全部のトリック", {"blind_moon": True}, {"blind_moon": True, "moon": True}),
    ("deuce-high", "Jokers", "ジョーカー", {"trump_order": "deuce_high", "deck": "jokers_minus_twos"},
     {"trump_order": "deuce_high"}),
    ("minimum-bid", "no minimum", "最低の数はありません", MINIMUM | {"first_hand_bids_itself": True}, MINIMUM),
    ("opening-lead", "The non-dealer", "ノンディーラー", {"mode": "duo_draw"}, {}),
    ("higher-wins", "highest", "一番多い", {"mode": "solo3"}, {"mode": "duo_dummy"}),
    ("club-two-leads", "2♣ makes", "2♣を持つ人が、", CLUB_TWO, CLUB_TWO | {"mode": "duo_draw"}),
    ("zero-bid", "contract of no tricks", "0トリックという通常の", {}, {"bid_method": "sum"}),
    ("exact-ten", "nobody scores", "つくことはありません", {"ten_bonus": "exact200", "minimum_bid": 13},
     {"ten_bonus": "exact200"}),
    ("sets-lose", "a tie means", "同点なら", {"sets_lose": 2}, {"sets_lose": 2, "final_tie": "shared"}),
    ("blind-bid", "Overtricks count", "扱いは変わりません", {"blind_bid": True},
     {"blind_bid": True, "blind_exact": True}),
    ("last-trick", "twos above", "Aより強い2", {"last_trick_bonus": True, "trump_order": "deuce_high"},
     {"last_trick_bonus": True, "deck": "jokers_minus_twos"}),
    ("partner-bid", "Say A, B", "たとえばA", {}, {"mode": "partners6"}),
    ("partner-bid", "Say A, B", "たとえばA", {}, {"first_bidder": "other_side"}),
    ("bags-only-overtricks", "without a contract", "コントラクトがない", {"tricks_without_contract": "overtricks"},
     {"tricks_without_contract": "overtricks", "minimum_bid": 4}),
    ("consultation", "beginning at", "左隣のチームから", CONSULT | {"mode": "partners6"}, CONSULT),
    ("no-zero-bid", "is never 0", "0になることは", {"zero_bid": False},
     {"zero_bid": False, "first_hand_bids_itself": True}),
    ("nil", "you may declare", "宣言できます", {},
     {"bidding_rule": "mirror", "bid_method": "sum", "double_nil": False}),
    ("tricks-total", "both players and the dummy", "2人とダミー", {"mode": "duo_dummy"}, {}),
)  # fmt: skip
"""An article, a sentence of it in both languages, a table whose page has it and one whose page has not."""


def text_of(article: str, lang: str, options: dict[str, Any]) -> str:
    house = house_of(options)
    found = page("spades", lang, house).article(article)
    return "" if found is None else found.text.replace(TEXT_STYLE, "")


def house_of(options: dict[str, Any]) -> Any:
    return read_whole({"options": options}, OPTIONS.read)


@pytest.mark.parametrize(("article", "en", "ja", "has", "has_not"), SENTENCES, ids=lambda value: str(value)[:30])
def test_a_sentence_is_printed_where_it_is_true(
    article: str, en: str, ja: str, has: dict[str, Any], has_not: dict[str, Any]
) -> None:
    for lang, sentence in (("en", en), ("ja", ja)):
        assert sentence in text_of(article, lang, has)
        assert sentence not in text_of(article, lang, has_not)


def test_titles_name_the_cards_of_the_table() -> None:
    for options, club, cards in (
        ({"deck": "jokers_dealer_discards", "mode": "solo3", "solo3_deck": "remove_2c"}, "the lowest club", "53"),
        ({"deck": "jokers_dealer_discards"}, "the lowest club", "54"),
    ):
        shown = page("spades", "en", house_of(options | CLUB_TWO))
        assert club in shown.article("club-two-leads").title.replace(TEXT_STYLE, "")
        assert cards in shown.article("jokers-dealer-discards").title


@pytest.mark.parametrize(("options", "call", "verdict"), [
    ({}, 0, "legal"), (MINIMUM | CONSULT, 0, "illegal"),
    ({"blind_bid": True, "blind_bid_min": 12, "blind_deficit": 0}, "blind_13", "legal"),
    ({"blind_bid": True, "blind_bid_min": 13, "blind_deficit": 0}, "blind_12", "illegal"),
])  # fmt: skip
def test_the_judge_says_the_same(options: dict[str, Any], call: Any, verdict: str) -> None:
    who = {"side": "A+C"} if "bid_method" in options else {"seat": "A"}
    position = {"seats": list("ABCD"), "dealer": "D", "calls": []}
    move = {"type": "call", **who, "call": call, "looked": False}
    assert ask("check", {"rules": {"options": options}, "position": position, "move": move})["verdict"] == verdict


def test_the_holder_of_the_lowest_club_left_leads_it() -> None:
    hand = ["3C", "9C", "KC", "2D", "7D", "4H", "5H", "JH", "2S", "6S", "7S", "10S", "QS"]
    position = {"seats": list("ABCD"), "phase": "play", "trick": [], "trick_number": 1, "hand": hand}
    rules = {"options": CLUB_TWO | {"promoted_twos": ["2C"]}}
    for card, verdict in (("3C", "legal"), ("9C", "illegal")):
        move = {"type": "play", "seat": "A", "card": card}
        assert ask("check", {"rules": rules, "position": position, "move": move})["verdict"] == verdict
    assert SPADES.numbers(house_of(rules["options"]).options)["lowest_club"] == 3


@pytest.mark.parametrize(("lang", "name"), [("ja", "ダミー"), ("en", "Dummy")])
def test_a_dummy_has_a_word_in_every_sentence(lang: str, name: str) -> None:
    position = {"seats": ["A", "dummy", "B"], "dealer": "A", "phase": "play", "trick": [], "trick_number": 1}
    move = {"type": "play", "seat": "B", "card": "4H"}
    asked = {"rules": {"preset": "duo_dummy"}, "position": position, "move": move}
    sentence = companion.check("spades", asked, lang=lang)["breaches"][0]["text"]
    assert name in sentence
    assert "dummy" not in sentence


@pytest.mark.parametrize(("options", "calls", "call", "article", "reason"), [
    ({}, ["nil", 3], 2, "nil-then-number", "partner is nil"),
    ({"bid_method": "sum"}, ["nil", 3], 2, "nil-then-number", "partner is nil"),
    ({}, [2, 3], 2, "partner-bid", "not below the partner’s bid"),
    ({}, [], 2, "bid", "this player’s turn"),
    ({"bid_method": "sum"}, [2, 3], 1, "sum-bidding", "added"),
    ({"blind_bid": True, "blind_deficit": 0}, ["blind_7", 3], "pass", "blind-bid", "this player passes"),
    ({"moon": True}, ["moon", 3], "pass", "moon", "this player passes"),
])  # fmt: skip
def test_a_legal_call_has_the_reason_of_this_call(
    options: dict[str, Any], calls: list[Any], call: Any, article: str, reason: str
) -> None:
    answer = companion.check("spades", {
        "rules": {"options": options},
        "position": {
            "phase": "bidding", "seats": [*"ABCD"], "dealer": "D", "totals": {"A+C": 0, "B+D": 0},
            "calls": [{"seat": seat, "call": said} for seat, said in zip("AB", calls, strict=False)],
        },
        "move": {"type": "call", "seat": "ABCD"[len(calls)], "call": call},
    })  # fmt: skip
    assert [because["article"] for because in answer["because"]] == [f"spades.{article}"]
    assert reason in answer["because"][0]["text"]


SIX = {"mode": "partners6", "deck": "two_packs", "least_total": 17}


@pytest.mark.parametrize("called", ["nil", "double", "both"])
@pytest.mark.parametrize("options", [{}, {"least_total": 13}, {"minimum_bid": 4}, {"bid_method": "sum"}, SIX])
def test_the_page_of_an_exchange_takes_it_that_hands_are_played(called: str, options: dict[str, Any]) -> None:
    """CLB-009: who asks about an exchange has bid enough, whatever the table's least total."""
    given = {"nil_exchange": 2, **options}
    rules = read_whole({"options": given}, OPTIONS.read).options
    page = SPADES.questions["exchange"].page(Context(rules, State({"k": called, "give": "2"}), NAMES))
    assert page.value == "legal"

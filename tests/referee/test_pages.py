"""The referee's pages: every question in both languages, taps that change the address, rules from sheets and codes."""

from __future__ import annotations

import random
from typing import Any

import pytest

from companion.data import LANGUAGES
from companion.engine.cards import pack
from companion.engine.problems import Node
from companion.games import GAMES
from tests.referee.reading import Said, address, ask, keep_sheet

QUESTIONS = {game.id: game.questions for game in GAMES.values()}
PATHS = [f"{game}/{name}" for game, questions in QUESTIONS.items() for name in questions]


def looks(said: Said, value: str) -> set[str]:
    return {do.partition(":")[2] for do, look in said.cards.items() if value in look.split()}


def test_every_game_has_its_questions() -> None:
    assert set(QUESTIONS) == set(GAMES)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_all_questions_are_on_one_page(shared_client: Any, lang: str) -> None:
    page = shared_client.get(f"/{lang}/referee").text
    for path in PATHS:
        assert f'href="/{lang}/referee/{path}"' in page
    page = shared_client.get(f"/{lang}/referee/spades?rules=modern").text
    rows = page.count('?rules=modern"><span>')
    assert page.count(f'href="/{lang}/referee/spades/') == rows == len(QUESTIONS["spades"])
    assert f'href="/{lang}/referee/casino/take' not in page
    assert shared_client.get(f"/{lang}/referee/nope").status_code == 404


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("lang", LANGUAGES)
def test_empty_question_can_be_asked_under_every_preset(shared_client: Any, lang: str, path: str) -> None:
    for preset in GAMES[path.partition("/")[0]].options.presets:
        said = ask(shared_client, path, {"rules": preset}, lang=lang)
        assert said.bar.strip()
        assert "None" not in said.text


def test_taps_are_kept_in_the_address(shared_client: Any) -> None:
    said = ask(shared_client, "spades/card", {}, "tap:7H", "tap:2S", "to:t", "tap:9H")
    assert said.address == "/en/referee/spades/card?to=t&t=9H&h=7H.2S"
    again = ask(shared_client, "spades/card", dict(said.hidden))
    assert (again.address, again.cards) == (said.address, said.cards)
    assert ask(shared_client, "spades/card", dict(said.hidden), "tap:9H").hidden == {"to": "t", "h": "7H.2S"}
    assert ask(shared_client, "spades/card", {**said.hidden, "rules": "modern"}, "empty").hidden == {"rules": "modern"}
    assert ask(shared_client, "spades/card", dict(said.hidden), "rules:jokers").hidden == {"rules": "jokers"}


def test_the_other_language_shows_the_same_state(shared_client: Any) -> None:
    page = shared_client.get("/ja/referee/spades/card?h=7H.2S&do=tap%3A9C").text
    assert 'href="/en/referee/spades/card?h=7H.2S.9C"' in page


def test_legal_cards_are_those_of_the_judge(shared_client: Any) -> None:
    game, dice = GAMES["spades"], random.Random(4)
    for _ in range(25):
        cards = [str(card) for card in dice.sample(pack(), 16)]
        size = dice.randrange(4)
        trick, hand = cards[:size], cards[3:]
        seats = ["N", "E", "S", "W"]
        position = {
            "phase": "play", "seats": seats, "hand": hand, "spades_broken": False, "leader": seats[(2 - size) % 4],
            "trick": [{"seat": seats[(2 - size + n) % 4], "card": card} for n, card in enumerate(trick)],
        }  # fmt: skip
        assert game.moves is not None
        legal = {
            move["card"] for move in game.moves(game.options.preset().options, Node({"position": position}))["moves"]
        }
        said = ask(shared_client, "spades/card", {"t": ".".join(trick), "h": ".".join(hand), "broken": "n"})
        assert looks(said, "legal") == legal
        assert looks(said, "illegal") == set(hand) - legal


def test_what_is_missing_is_said(shared_client: Any) -> None:
    said = ask(shared_client, "spades/card", {"h": "AS.7H"})
    assert looks(said, "undecided") == {"AS"}
    assert "Has a spade been played in an earlier trick?" in said.text
    assert looks(ask(shared_client, "spades/card", {"h": "AS.7H", "broken": "y"}), "legal") == {"AS", "7H"}


def test_trick_has_a_winner_with_its_article(shared_client: Any) -> None:
    said = ask(shared_client, "spades/trick", {"t": "9H.2S.KH.AD", "leader": 1})
    assert said.bar.strip() == "South wins the trick with 2♠︎."
    assert said.articles == ["trick-winner"]
    said = ask(shared_client, "spades/trick", {"t": "9H.KH"}, lang="ja")
    assert said.bar.strip() == "今のところ東のK♥︎が勝っています。"
    assert ask(shared_client, "spades/trick", {"rules": "jokers", "t": "AS.BJ.LJ.KS"}).value == "legal"


def test_calls_are_judged_one_by_one(shared_client: Any) -> None:
    said = ask(shared_client, "spades/call", {"x0": 0}, "call:4", "call:double_nil", "looked:n")
    assert said.hidden == {"c": "4.double_nil-n"}
    assert (said.value, said.articles[0]) == ("illegal", "double-nil-behind")
    behind = ask(shared_client, "spades/call", {"c": "4.double_nil-n", "x1": 150})
    assert behind.value == "legal"
    assert ask(shared_client, "spades/call", {"c": "4.double_nil", "x1": 150}).value == "undecided"
    assert ask(shared_client, "spades/call", {"c": "4.4.4"}, "back").hidden["c"] == "4.4"


def dealt() -> list[str]:
    """A deal in which everybody holds one suit: North leads a heart, and the spades of South take every trick."""
    rest = [f"{rank}{suit}" for rank in ("K", "Q", "J", *map(str, range(10, 1, -1))) for suit in "SCHD"]
    return ["AH", "AD", "AS", "AC", *rest]


def test_deal_is_followed_to_its_result(shared_client: Any) -> None:
    state = {"d": 3, "c": "1.nil.13.nil"}
    begun = ask(shared_client, "spades/deal", {**state, "p": "AH.AD.AS"})
    assert begun.bar.strip() == "West plays."
    said = ask(shared_client, "spades/deal", {**state, "p": ".".join(dealt())})
    assert said.bar.strip() == "All cards have been played."
    assert "North & South: 13 tricks" in said.text
    assert '"bid": 13' in said.text
    assert "No rule was broken" in said.text
    assert "contract" in said.articles


def test_a_revoke_shows_when_the_suit_comes_out(shared_client: Any) -> None:
    said = ask(shared_client, "spades/deal", {"c": "-", "p": "9H.2S.3H.4H"})
    assert (said.bar.strip(), said.value) == ("East plays.", "")
    said = ask(shared_client, "spades/deal", dict(said.hidden), "tap:5H")
    assert said.value == "illegal"
    assert "East revoked in trick 1" in said.text
    assert "gone" in shared_client.get(said.address).text
    assert ask(shared_client, "spades/deal", dict(said.hidden), "tap:5H").hidden == said.hidden
    assert ask(shared_client, "spades/deal", dict(said.hidden), "back").hidden["p"] == "9H.2S.3H.4H"


def test_capture_and_demand(shared_client: Any) -> None:
    table = {"l": "2S.3H.5C.8D.6C", "h": "8S.AC", "step": "ask"}
    said = ask(shared_client, "casino/take", table, "card:8S")
    assert said.bar.strip() == "8♠︎ takes 5 loose cards at most."
    said = ask(shared_client, "casino/take", table, "card:8S", "mark:8D")
    assert (said.value, said.bar.strip()) == ("undecided", "This can be taken, but an opponent may demand all of these")
    assert "demand" in said.articles
    said = ask(shared_client, "casino/take", table, "card:8S", "mark:5C")
    assert said.value == "illegal"
    everything = ask(
        shared_client, "casino/take", table, "card:8S", *(f"mark:{card}" for card in table["l"].split("."))
    )
    assert everything.value == "legal"


def test_who_demands_and_when(shared_client: Any) -> None:
    table = {"l": "2S.3H.5C.8D.6C", "h": "8S.AC", "step": "ask", "n": 4}
    said = ask(shared_client, "casino/take", table, "card:8S", "mark:8D", "by:2")
    assert (said.value, "partner-silent" in said.articles) == ("legal", True)
    said = ask(shared_client, "casino/take", table, "card:8S", "mark:8D", "acted:y")
    assert (said.value, "demand-moment" in said.articles) == ("legal", True)
    said = ask(shared_client, "casino/take", table, "card:8S", "did:t")
    assert (
        "demand-on-trail" in said.articles or said.bar.strip() == "An opponent may demand that all of these are taken"
    )
    assert "did:c" in ask(shared_client, "casino/take", dict(said.hidden), "did:c").pressed


@pytest.mark.parametrize(
    ("source", "article"),
    [("op", "closed-list"), ("os", "closed-list"), ("ce", "closed-list"), ("under", "top-card-only")],
)
def test_cards_from_where_none_may_be_taken(shared_client: Any, source: str, article: str) -> None:
    table = {"h": "5.K", "c": "4", "s0": "9.8"}
    said = ask(shared_client, "spite-and-malice/moves", table, f"from:{source}", "onto:c0")
    assert (said.value, article in said.articles) == ("illegal", True)
    assert ask(shared_client, "spite-and-malice/moves", table, f"from:{source}", "onto:sn").value == "illegal"


def test_partners_confer_and_announce(shared_client: Any) -> None:
    path = "spades/consult"
    said = ask(shared_client, path, {}, "call:5")
    assert (said.value, said.hidden) == ("legal", {"c": "5"})
    assert "North & South may call 5" in said.text
    assert "nobody confers before bidding" in said.text
    first = ask(shared_client, path, {}, "who:1", "call:5")
    assert (first.value, first.hidden["c"], "consultation" in first.articles) == ("illegal", "5*1", True)
    assert "consultation-talk" in first.articles
    assert "nobody confers" not in ask(shared_client, path, {"rules": "classic~bm-consultation"}).text
    assert ask(shared_client, path, {"rules": "solo4"}, "call:5").value == "illegal"


def test_what_is_missing_is_one_tap_away(shared_client: Any) -> None:
    page = shared_client.get(address("spite-and-malice/moves", {"h": "5.K", "c": "4", "to": "h"})).text
    assert '<button name="do" value="to:y"' in page.partition('id="answer"')[2]


def test_ace_is_asked_for_its_value(shared_client: Any) -> None:
    said = ask(shared_client, "casino/take", {"l": "AH.9C.5D", "h": "AC", "step": "ask"})
    assert {"as:1", "as:14"} <= set(said.buttons)
    assert said.bar.strip() == "A♣︎ takes 3 loose cards at most."
    assert "as:1" in ask(shared_client, "casino/take", dict(said.hidden), "as:1").pressed


def test_turn_is_put_together(shared_client: Any) -> None:
    table = {"l": "4D.5C.KH", "h": "6S.10H", "step": "ask"}
    said = ask(shared_client, "casino/turn", table, "kind:b", "card:6S", "mark:4D")
    assert said.value == "legal"
    assert said.hidden["q"] == "b*6S*4D"
    added = ask(shared_client, "casino/turn", dict(said.hidden), "add")
    assert added.hidden["p"] == "b*6S*4D"
    assert "card:6S" not in added.cards
    more = ask(shared_client, "casino/turn", dict(added.hidden), "kind:t", "card:10H")
    assert more.value == "illegal"
    assert "one-hand-card" in more.articles
    assert ask(shared_client, "casino/turn", dict(more.hidden), "back").hidden.get("p") is None
    unknown = ask(shared_client, "casino/turn", {**table, "h": "6S", "whole": "n"}, "kind:b", "card:6S", "mark:4D")
    assert unknown.value == "undecided"


def test_side_stack_with_jokers(shared_client: Any) -> None:
    said = ask(shared_client, "spite-and-malice/stack", {}, "tap:8", "tap:X", "tap:X")
    assert said.hidden == {"s": "8.X.X"}
    assert looks(said, "legal") >= {"5", "6", "7", "8", "X"}
    assert looks(said, "illegal") >= {"9", "4", "A"}
    assert ask(shared_client, "spite-and-malice/stack", {"s": "8.X.X"}, "drop:s.1").hidden == {"s": "8.X"}
    assert "This stack breaks a rule" in ask(shared_client, "spite-and-malice/stack", {"s": "5.9"}).text


def test_compulsory_plays(shared_client: Any) -> None:
    said = ask(shared_client, "spite-and-malice/moves", {"h": "5.K.Q.J.9", "y": "2", "c": "A.5"})
    assert "payoff-two" in said.articles
    assert "2 from the pay-off pile onto centre stack 1" in said.text
    assert "The turn cannot end yet" in said.text
    hidden = ask(shared_client, "spite-and-malice/moves", {"h": "5"})  # the pay-off card may be an ace, or not
    assert "Whether the turn may end" in hidden.text
    assert "The turn cannot end yet" not in hidden.text
    wrong = ask(shared_client, "spite-and-malice/moves", dict(said.hidden), "from:hand.9", "onto:c1")
    assert (wrong.value, wrong.articles[0]) == ("illegal", "next-rank")


def test_who_starts(shared_client: Any) -> None:
    said = ask(shared_client, "spite-and-malice/start", {}, "tap:KH", "tap:KS")
    assert said.hidden["p0"] == "KH"
    assert said.bar.strip() == "North starts."
    assert "start-suit" in said.articles
    again = ask(shared_client, "spite-and-malice/start", {"rules": "massachusetts"}, "tap:9H", "tap:9S")
    assert again.value == "undecided"
    assert "bottom" in again.bar


def test_only_those_who_tie_compare_again(shared_client: Any) -> None:
    """SNM-122: the lower of two new tops was beaten by that of somebody who was out of it."""
    rules = {"rules": "partners4~st-reshuffle"}
    tied = ask(shared_client, "spite-and-malice/start", rules, "tap:QH", "tap:9S", "tap:QD", "tap:8C")
    assert tied.value == "undecided"
    again = ask(shared_client, "spite-and-malice/start", rules | tied.hidden, "tap:5H")
    assert (again.hidden["p0"], again.hidden["x"]) == ("5H", "p0.p2")
    last = ask(shared_client, "spite-and-malice/start", rules | again.hidden, "tap:3S")
    assert last.bar.strip().startswith("South starts.")
    wild = ask(shared_client, "spite-and-malice/start", rules, "tap:QH", "tap:9S", "tap:X", "tap:8C")
    drawn = ask(shared_client, "spite-and-malice/start", rules | wild.hidden, "tap:2S")
    assert "x" not in drawn.hidden  # a wild card is only turned up anew
    assert drawn.bar.strip().startswith("South starts.")


def test_low_stock_and_deadlock(shared_client: Any) -> None:
    said = ask(shared_client, "spite-and-malice/stuck", {"stock": 10, "complete": 1, "idle": 2})
    assert "Completed stacks under the stock" in said.bar
    assert "A second chance for everybody" in said.bar
    assert "Deal again" not in said.bar
    assert "Deal again" in ask(shared_client, "spite-and-malice/stuck", {"idle": 4}).bar


def test_from_a_sheet_its_rules_names_and_totals_count(client: Any) -> None:
    names, rules = ["Aki", "Ben", "Chie", "Dai"], {"options": {"bid_method": "sum"}}
    opening = {"seats": names, "game": "spades", "rules": rules, "dealer": "C"}
    made = client.post("/api/v1/sheets", json=opening)
    sheet, secret = made.json["id"], made.json["secrets"]["score"]
    facts = {"A+C": {"bid": 5, "tricks": 8}, "B+D": {"bid": 4, "tricks": 5}}
    headers = {"Authorization": f"Bearer {secret}", "Idempotency-Key": "one", "If-Match": "*"}
    command = {"type": "record_deal", "facts": facts}
    assert client.post(f"/api/v1/sheets/{sheet}/events", json=command, headers=headers).status_code == 201
    keep_sheet(client, made.json)
    said = ask(client, "spades/call", {"sheet": sheet})
    assert said.hidden == {"sheet": sheet, "rules": "classic~bm-sum"}
    assert said.bar.startswith("Aki:")
    assert "Aki & Chie" in said.text
    card = ask(client, "spades/card", {"sheet": sheet, "h": "2S.7H", "t": "9H", "me": 1})
    assert card.hidden["sheet"] == sheet
    assert "Ben" in card.text
    deal = ask(client, "spades/deal", {"sheet": sheet, "d": 3, "c": "1.nil.13.nil", "p": ".".join(dealt())})
    assert f"/en/sheets/{sheet}?t0=13&t1=0&nB=0&nD=0#entry" in client.get(deal.address).text.replace("&amp;", "&")
    for place in ("spades", "spades/call", "spades/card"):
        page = client.get(f"/en/referee/{place}?sheet={sheet}").text
        assert page.index(f'href="/en/sheets/{sheet}"') < page.index("<h1"), place
    assert "/en/sheets/" not in client.get("/en/referee/spades").text.partition("<main")[2]
    stranger = ask(client.application.test_client(), "spades/call", {"sheet": sheet, "rules": "classic~bm-sum"})
    assert "Aki" not in stranger.text
    assert stranger.hidden == {"rules": "classic~bm-sum"}


@pytest.mark.parametrize(("lang", "side"), [("en", "North & South"), ("ja", "北・南")])
def test_a_reason_calls_a_side_as_the_page_does(shared_client: Any, lang: str, side: str) -> None:
    said = ask(shared_client, "spades/exchange", {}, "called:nil", lang=lang).text
    assert side in said
    assert side.replace(" & ", "+").replace("・", "+") not in said


@pytest.mark.parametrize(("rules", "costs"), [("classic", "no points move"), ("club", "contract of the side is set")])
def test_an_illegal_card_says_what_now(shared_client: Any, rules: str, costs: str) -> None:
    said = ask(shared_client, "spades/card", {"rules": rules, "to": "h", "t": "9H", "h": "7H.2S"})
    assert said.remedies == ["revoke-remedy"]
    assert "Until somebody leads to the next trick" in said.text
    assert costs in said.text
    legal = ask(shared_client, "spades/card", {"rules": rules, "to": "h", "t": "9H", "h": "7H.8H"})
    assert not legal.remedies

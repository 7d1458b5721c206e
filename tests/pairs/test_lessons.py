"""What a lesson teaches is what its button opens: a sheet with the rules of the preset and no others."""

from __future__ import annotations

import re
from typing import Any, Final

import pytest
from flask.testing import FlaskClient

from companion import library as companion
from companion.library import GAMES, LANGUAGES
from companion.rulebook.lessons import learn_path, quick_start
from companion.rulebook.pages import plain_text
from tests.keeper.phone import Page

Json = dict[str, Any]
WAYS = [
    (game.id, way) for game in GAMES.values() if (found := game.load_lessons()) for way in (*found.ways, *found.starts)
]


@pytest.mark.parametrize(("game", "way"), WAYS)
def test_the_button_of_a_lesson_opens_a_sheet_with_its_rules(game: str, way: str, client: FlaskClient) -> None:
    lessons, taught = GAMES[game].load_lessons(), companion.rules(game, {"preset": way})
    assert lessons
    for lang in LANGUAGES:
        page = client.get(f"/{lang}/{learn_path(game, lessons, way)}").text
        [button] = re.findall(rf'href="(/{lang}/sheets/new/{game}[^"]*)"', page)
        [form] = [one for one in Page(client.get(button).text).forms if "name0" in dict(one.fields)]
        sent: dict[str, list[str]] = {}
        for name, value in form.fields:
            sent.setdefault(name, []).append(f"N{name}" if re.fullmatch(r"name\d", name) else value)
        opened = client.post(form.action or button.partition("?")[0], data=sent)
        assert opened.status_code == 303, opened.text
        [kept] = re.findall(rf'our-rules"><a href="/{lang}/rules/{game}([^"]*)"', client.get(opened.location).text)
        code = kept.partition("?rules=")[2] or kept.strip("/") or GAMES[game].options.default_preset
        assert companion.rules(game, code)["options"] == taught["options"]


def _call(hand: str, *said: object) -> Json:
    """Return a position in which somebody with this hand is to call after these calls."""
    calls = [{"seat": seat, "call": call} for seat, call in zip("abcd", said, strict=False)]
    return {"phase": "bidding", "seats": list("abcd"), "dealer": "d", "calls": calls, "hand": hand.split()}


def _say(call: object, seat: str = "a") -> Json:
    return {"type": "call", "seat": seat, "call": call}


def _table(**more: Any) -> Json:
    """Return a position of a, who has built nine and holds a nine."""
    build = {"id": "5♣4♦", "value": 9, "owner": "a", "sets": [["5C", "4D"]]}
    return {
        "seats": ["a", "b"],
        "player": "a",
        "table": ["KH", "2H"],
        "hand": ["AS", "2S", "9C", "10C"],
        "builds": [build],
        **more,
    }


def _turn(**play: Any) -> Json:
    return {"type": "turn", "player": "a", "plays": [play]}


def _piles(cards: str, players: str = "ab") -> Json:
    payoff, centre, *hand = cards.split()
    stacks = {"centre_stacks": [] if centre == "-" else [centre], "side_stacks": [], "stock": 40}
    return {"players": list(players), "player": "a", "payoff": payoff, "payoff_left": 12, "hand": hand, **stacks}


def _centre(card: str, to: Any) -> Json:
    return {"type": "play", "seat": "a", "from": "hand", "card": card, "to": to}


_THREE: Final = "AS 9S 4S KH 2H KD QD 3D 2D AC 9C 8C 7C"
_TAKE: Final = _turn(play="capture", card="9C", table=[], builds=["5♣4♦"])
_ADD: Final = _turn(play="raise", card="AS", build="5♣4♦", to=10)
_PAIR: Final = _turn(play="capture", card="2S", table=["2H"], builds=[])
_END: Final = {"type": "end_turn", "seat": "a"}
TOLD: Final[list[tuple[str, str, str, str, Json, Json, Json]]] = [
    (
        "spades",
        "mirror",
        "say how many spades you hold",
        "スペードの枚数を、そのまま言います",
        _call(_THREE),
        _say(3),
        _say(4),
    ),
    (
        "spades",
        "mirror",
        "Without a spade you are nil",
        "スペードがなければニルです",
        _call("QH 9H 4H KH 2H KD QD 3D 2D AC 9C 8C 7C"),
        _say("nil"),
        _say(1),
    ),
    (
        "spades",
        "whiz",
        "there is no other number to choose",
        "言える数は、手札のスペードの枚数だけです",
        _call(_THREE),
        _say(3),
        _say(2),
    ),
    (
        "spades",
        "whiz",
        "Instead of a number you may say nil",
        "ニルと言うこともできます",
        _call(_THREE),
        _say("nil"),
        _say(0),
    ),
    (
        "spades",
        "suicide",
        "One of two partners must say it",
        "チームの1人が必ず言います",
        _call(_THREE, 4, 4),
        _say("nil", "c"),
        _say(5, "c"),
    ),
    ("spades", "suicide", "at least 4", "4以上で言います", _call(_THREE), _say(4), _say(3)),
    (
        "spades",
        "four_deals",
        "Instead of a number you may say nil",
        "ニルと言うこともできます",
        _call(_THREE),
        _say("nil"),
        _say("double_nil"),
    ),
    (
        "casino",
        "japanese",
        "If it is still there in your next turn, you must take it",
        "次の自分の番にまだ場にあれば、必ず取ります",
        _table(),
        _TAKE,
        _PAIR,
    ),
    (
        "casino",
        "spade",
        "may be raised with one card from the hand",
        "手札を1枚足して点数を大きくできます",
        _table(),
        _ADD,
        _turn(play="trail", card="2S"),
    ),
    (
        "spite-and-malice",
        "skip_bo",
        "or a wild card for it",
        "1の代わりのワイルドカードで始まり",
        _piles("9 - W 5 6 7 8"),
        _centre("W", "new"),
        _centre("5", "new"),
    ),
    (
        "spite-and-malice",
        "skip_bo",
        "goes up by one",
        "1つずつ高くして",
        _piles("9 4 W 5 6 7 8"),
        _centre("5", 0),
        _centre("6", 0),
    ),
    (
        "spite-and-malice",
        "alone3",
        "Kings are wild",
        "Kはワイルドカード",
        _piles("9 4 K 5 6 7 8", "abc"),
        _centre("K", 0),
        _centre("7", 0),
    ),
    (
        "spite-and-malice",
        "alone4",
        "Without a discard the turn is not over",
        "捨てずに終わることはできません",
        _piles("9 4 K 5 6 7 8", "abcd"),
        {"type": "discard", "seat": "a", "card": "7", "to": "new"},
        _END,
    ),
]
"""What a quick start says in both languages, a position, a move that it allows there and one that it does not."""


@pytest.mark.parametrize(("game", "way", "en", "ja", "position", "right", "wrong"), TOLD)
def test_a_quick_start_says_what_the_judge_says(
    game: str, way: str, en: str, ja: str, position: Json, right: Json, wrong: Json
) -> None:
    for lang, sentence in (("en", en), ("ja", ja)):
        start = quick_start(game, lang, way)
        text = plain_text(" ".join((start.need, start.begin, *start.turn))).replace("\u2060", "")
        assert sentence in text
    judged = [
        companion.judge(game, {"rules": {"preset": way}, "position": position, "move": move}) for move in (right, wrong)
    ]
    assert [each.value for each in judged] == ["legal", "illegal"], judged

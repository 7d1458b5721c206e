"""Bad input of every kind gets the right problem, and nothing that a client sends makes a 500."""

from __future__ import annotations

import gc
import json
import re
from typing import Any

import pytest

from companion.data import LANGUAGES
from companion.engine.problems import Problem
from companion.engine.shapes import SHAPE_CODES, SHARED_PROBLEMS, Either
from companion.games import GAMES
from companion.rulebook.words import words

SCORE = "/api/v1/games/spades/score"
RULES = "/api/v1/games/spades/rules"
CHECK = "/api/v1/games/spades/check"
DEAL = {"NS": {"bid": 5, "tricks": 8}, "EW": {"bid": 6, "tricks": 5}}


def _request(**changes: Any) -> dict[str, Any]:
    return {"sides": ["NS", "EW"], "deals": [DEAL]} | changes


def _post(client: Any, path: str, value: Any) -> Any:
    return client.post(path, data=json.dumps(value), content_type="application/json")


def _codes(answer: Any) -> dict[str, str]:
    return {error["pointer"]: error["code"] for error in answer.json["errors"]}


def _assert_problem(answer: Any, status: int, code: str) -> None:
    assert answer.status_code == status, answer.text
    assert answer.mimetype == "application/problem+json"
    assert answer.json["status"] == status
    assert answer.json["type"] == f"/problems/{code}"
    assert answer.json["title"]
    assert answer.json["detail"]
    assert answer.json["instance"].endswith(answer.headers["X-Request-Id"])


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b"nul",
        b'{"sides": NaN}',
        b'{"sides": Infinity}',
        b'{"sides": "\xff"}',
        b'{"sides": "\\ud800"}',
        b"\xef\xbb\xbf{}",
        b'{"sides": ["NS",]}',
        b"{'sides': 1}",
        b'{"a": 1} {"b": 2}',
        b"\x00",
    ],
    ids=lambda body: body[:20].decode("latin-1"),
)
def test_no_json_is_400(shared_client: Any, body: bytes) -> None:
    _assert_problem(shared_client.post(SCORE, data=body, content_type="application/json"), 400, "malformed-json")


@pytest.mark.parametrize(
    "kind", [None, "text/plain", "application/x-www-form-urlencoded", "application/jsonp", "text/json"]
)
def test_other_media_types_are_415(shared_client: Any, kind: str | None) -> None:
    _assert_problem(
        shared_client.post(SCORE, data=json.dumps(_request()), content_type=kind), 415, "unsupported-media-type"
    )


def test_json_media_types_with_parameters_are_read(shared_client: Any) -> None:
    for kind in ("application/json; charset=utf-8", "application/vnd.companion+json"):
        assert shared_client.post(SCORE, data=json.dumps(_request()), content_type=kind).status_code == 200


@pytest.mark.parametrize("value", [None, True, 0, 1.5, "text", [], [1], "x" * 1000])
def test_whole_body_of_a_wrong_type_is_422(shared_client: Any, value: Any) -> None:
    for path in (SCORE, CHECK, "/api/v1/games/spades/moves", "/api/v1/games/spades/replay"):
        answer = _post(shared_client, path, value)
        _assert_problem(answer, 422, "invalid-input")
        assert _codes(answer)[""] == "type"


@pytest.mark.parametrize(
    ("changes", "pointer", "code"),
    [
        ({"deals": None}, "/deals", "type"),
        ({"deals": [7]}, "/deals/0", "type"),
        ({"sides": ["NS"]}, "/sides", "sides-count"),
        ({"sides": ["NS", "NS"]}, "/sides/1", "side-id"),
        ({"sides": ["NS", "void"]}, "/sides/1", "side-id"),
        ({"extra": 1}, "/extra", "unknown-key"),
        ({"rules": {"preset": "nope"}}, "/rules/preset", "unknown-preset"),
        ({"rules": {"options": {"nope": 1}}}, "/rules/options/nope", "unknown-option"),
        ({"rules": {"options": {"bag_threshold": 0}}}, "/rules/options/bag_threshold", "range"),
        ({"rules": {"options": {"bag_threshold": "5"}}}, "/rules/options/bag_threshold", "type"),
        ({"rules": {"options": {"bag_threshold": 5.5}}}, "/rules/options/bag_threshold", "type"),
        ({"rules": {"options": {"bag_threshold": True}}}, "/rules/options/bag_threshold", "type"),
        ({"deals": [DEAL | {"NS": {"bid": 5, "tricks": 10**30}}]}, "/deals/0/NS/tricks", "type"),
        ({"deals": [DEAL | {"NS": {"bid": 5, "tricks": 2**63}}]}, "/deals/0/NS/tricks", "tricks-range"),
        ({"deals": [DEAL | {"NS": {"bid": 5, "tricks": -(2**63)}}]}, "/deals/0/NS/tricks", "tricks-range"),
        ({"deals": [DEAL | {"a/b~c": 1}]}, "/deals/0/a~1b~0c", "unknown-key"),
        ({"deals": [DEAL | {"adjustments": [{"side": "X"}]}]}, "/deals/0/adjustments/0/side", "unknown-side"),
        ({"opening": {"NS": {"total": 10**9}}}, "/opening/NS/total", "range"),
        ({"opening": {"XX": {"total": 1}}}, "/opening/XX", "unknown-key"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)  # fmt: skip
def test_each_fault_has_its_place_and_code(shared_client: Any, changes: Any, pointer: str, code: str) -> None:
    answer = _post(shared_client, SCORE, _request(**changes))
    _assert_problem(answer, 422, "invalid-input")
    assert _codes(answer).get(pointer) == code, answer.text


def test_all_faults_are_listed_at_once(shared_client: Any) -> None:
    answer = shared_client.post(SCORE, json={"sides": "NS", "rules": {"preset": 3, "options": []}, "x": 1})
    assert set(_codes(answer)) == {"/sides", "/rules/preset", "/rules/options", "/x", "/deals"}


def test_single_fault_speaks_for_the_whole(shared_client: Any) -> None:
    answer = shared_client.post(SCORE, json=_request(deals=[DEAL | {"EW": {"bid": 6, "tricks": 4}}]))
    assert answer.json["detail"] == answer.json["errors"][0]["detail"]
    assert answer.json["errors"][0]["article"] == "spades.tricks-total"
    assert answer.json["errors"][0]["acceptable"] is True


@pytest.mark.parametrize("lang", ["ja", "en"])
@pytest.mark.parametrize("game", list(GAMES))
def test_an_opening_that_ends_the_game_is_not_an_error_of_a_deal(shared_client: Any, game: str, lang: str) -> None:
    request = dict(GAMES[game].examples["score"])
    [side, *_] = [each if isinstance(each, str) else each["id"] for each in request["sides"]]
    options = {"match": "target", "target": 50}
    options = {name: value for name, value in options.items() if name in GAMES[game].options.options}
    request |= {"rules": {"options": options}, "opening": {side: {"total": 90_000}}, "deals": []}
    answer = shared_client.post(f"/api/v1/games/{game}/score?lang={lang}", json=request)
    assert _codes(answer) == {"/opening": "game-over"}, answer.text
    assert re.search("deal|ディール", answer.json["detail"]) is None, answer.json["detail"]


@pytest.mark.parametrize(("lang", "none", "dangling"), [("ja", "ものがありません。", "："), ("en", "none", ":")])
def test_where_nothing_can_be_chosen_no_list_is_begun(lang: str, none: str, dangling: str) -> None:
    for game in GAMES:
        own = words(game, lang)
        for value in ("misdeal", 3, None):
            known = own.problem(Problem((), "choice", {"value": value, "choices": []}))
            assert none in known, known
            assert dangling not in known, known
            unknown = own.problem(Problem((), "choice", {"value": value}))
            assert dangling not in unknown, unknown


@pytest.mark.parametrize("wrong", [None, True, 3, []])
@pytest.mark.parametrize(
    ("path", "request_", "pointer"),
    [
        ("/api/v1/sheets", {"seats": ["A", ...]}, "/seats/1"),
        ("/api/v1/games/pad/score", {"sides": [..., "B"], "deals": []}, "/sides/0"),
    ],
)
def test_every_kind_that_would_do_is_named(
    shared_client: Any, path: str, request_: Any, pointer: str, wrong: Any
) -> None:
    sent = {key: [wrong if each is ... else each for each in value] for key, value in request_.items()}
    for lang, detail in (
        ("en", "This must be text or an object."),
        ("ja", "ここには文字列かオブジェクトを入れてください。"),
    ):
        answer = shared_client.post(f"{path}?lang={lang}", json=sent)
        [error] = answer.json["errors"]
        assert (error["pointer"], error["code"], error["detail"]) == (pointer, "type", detail)


def test_every_choice_of_kinds_has_its_words(shared_client: Any) -> None:
    shared_client.get("/api/v1/openapi.json")  # every shape of every game
    every = {field.expected for field in gc.get_objects() if isinstance(field, Either)}
    assert len(every) > 3
    for lang in LANGUAGES:
        own = words("", lang)
        for kinds in every:
            assert kinds not in own.problem(Problem((), "type", {"expected": kinds})), (lang, kinds)


def test_pad_knows_no_irregularities(shared_client: Any) -> None:
    deal = {"A": {"points": 1}, "B": {"points": 2}, "irregularities": [{"kind": "misdeal", "by": "A"}]}
    answer = shared_client.post("/api/v1/games/pad/score?lang=en", json={"sides": ["A", "B"], "deals": [deal]})
    assert _codes(answer) == {"/deals/0/irregularities/0/kind": "choice"}
    assert answer.json["detail"] == "misdeal is not possible here. This game has none to choose from."


@pytest.mark.parametrize(
    ("body", "pointers"),
    [
        ('{"sides": ["NS", "EW"], "deals": [1], "deals": []}', ["/deals"]),
        ('{"sides": ["a:b", "\\"c\\":"], "deals": [{"NS" : {"bid":5, "bid":\n6}, "EW": {}, "EW": {}}]}',
         ["/deals/0/EW", "/deals/0/NS/bid"]),
        ('{"sides": [], "deals": [], "rules": {"a/b": 1, "a\\/b": 2, "a/b": 3}}', ["/rules/a~1b"]),
        ('{"sides": ["a\\u003ab"], "deals": [1], "deals": []}', ["/deals"]),
        ("[" * 900 + '{"a": 1, "a": 2}' + "]" * 900, ["/0" * 900 + "/a"]),
    ],
    ids=["top", "inside", "escaped", "an escaped colon", "deep"],
)  # fmt: skip
def test_key_that_stands_twice_in_an_object_is_refused(shared_client: Any, body: str, pointers: list[str]) -> None:
    answer = shared_client.post(SCORE, data=body, content_type="application/json")
    _assert_problem(answer, 422, "invalid-input")
    assert sorted(_codes(answer)) == pointers
    assert set(_codes(answer).values()) == {"duplicate-key"}


def test_same_key_in_different_objects_and_colons_in_texts_are_no_fault(shared_client: Any) -> None:
    sides = ["a:", '"b":']
    request = {
        "sides": sides,
        "deals": [{side: {"bid": 5, "tricks": 5 + place * 3} for place, side in enumerate(sides)}],
    }
    assert _post(shared_client, SCORE, request).status_code == 200


@pytest.mark.parametrize(
    "sign", ["\x00", "\x07", "\n", "\x7f", "\x9f", "\u202e", "\u2066", "\u200f", "\u2028", "\ufeff"]
)
def test_names_with_signs_that_nobody_sees_are_refused(shared_client: Any, sign: str) -> None:
    name = f"N{sign}S"
    sides = _post(shared_client, SCORE, _request(sides=[name, {"id": "EW", "players": ["Emi", name]}]))
    assert {"/sides/0": "hidden-signs", "/sides/1/players/1": "hidden-signs"}.items() <= _codes(sides).items()
    position = {"phase": "bidding", "seats": [name, "B", "C", "D"], "dealer": "D", "calls": []}
    seats = _post(shared_client, CHECK, {"position": position, "move": {"type": "call", "seat": "B", "call": 4}})
    assert _codes(seats)["/position/seats/0"] == "hidden-signs"


@pytest.mark.parametrize("name", ["👩\u200d🦰", "ن\u200cس", "東 西", "🏴\U000e0067\U000e007f", "ナ\u3099"])
def test_names_keep_what_belongs_to_their_letters(shared_client: Any, name: str) -> None:
    request = {"sides": [name, "EW"], "deals": []}
    assert name in _post(shared_client, SCORE, request).json["standing"]


@pytest.mark.parametrize(
    ("length", "status", "code"),
    [
        ("9999", 400, "bad-request"),
        ("99999999999", 413, "too-large"),
        ("5" * 5000, 400, "malformed-json"),
        ("+5", 400, "malformed-json"),
        ("\u0663", 400, "malformed-json"),
        ("", 400, "malformed-json"),
        ("0", 400, "malformed-json"),
    ],
    ids=["more", "too-much", "no-number", "sign", "foreign-digit", "empty", "nothing"],
)
def test_length_that_is_not_that_of_the_body(shared_client: Any, length: str, status: int, code: str) -> None:
    environ = {"CONTENT_LENGTH": length}
    body = json.dumps(_request())
    answer = shared_client.post(SCORE, data=body, content_type="application/json", environ_overrides=environ)
    _assert_problem(answer, status, code)


def test_large_body_is_413(shared_client: Any) -> None:
    body = json.dumps(_request(deals=[DEAL] * 2000))
    _assert_problem(shared_client.post(SCORE, data=body, content_type="application/json"), 413, "too-large")


@pytest.mark.parametrize(
    ("path", "place", "value", "near"),
    [
        ("/api/v1/games/nope", "/game", "nope", "spades"),
        ("/api/v1/games/Spades/book", "/game", "Spades", "spades"),
        ("/api/v1/games/spades/", "/path", "/api/v1/games/spades/", "/api/v1/games/spades"),
        ("/api/v1/games/casino/scor", "/path", "/api/v1/games/casino/scor", "/api/v1/games/casino/score"),
        ("/api/v1/artikles", "/path", "/api/v1/artikles", "/api/v1/articles"),
        ("/api/v1/article/spades.bags", "/path", "/api/v1/article/spades.bags", "/api/v1/articles/{article}"),
        ("/api/v1/articles/spades.bag-penalties", "/article", "spades.bag-penalties", "spades.bag-penalty"),
        ("/api/v1/articles/spads.bag-penalty", "/article", "spads.bag-penalty", "spades.bag-penalty"),
        ("/api/v1/sheets/x/evnts", "/path", "/api/v1/sheets/x/evnts", "/api/v1/sheets/{sheet}/events"),
        ("/api/nope", "/path", "/api/nope", "/api/docs"),
    ],
)
@pytest.mark.parametrize("lang", ["en", "ja"])
def test_what_is_not_found_is_named_with_what_is_near(
    shared_client: Any, path: str, place: str, value: str, near: str, lang: str
) -> None:
    answer = shared_client.get(f"{path}?lang={lang}")
    _assert_problem(answer, 404, "not-found")
    [error] = answer.json["errors"]
    assert (error["pointer"], error["facts"]["value"]) == (place, value)
    assert near in error["allowed"]
    assert value in answer.json["detail"]
    assert near in answer.json["detail"]


@pytest.mark.parametrize(
    ("game", "position", "move"),
    [
        ("casino", {"seats": ["P1", "P2"], "table": 5}, {"type": "deal", "dealer": "P1"}),
        ("casino", {"seats": ["P1", "P2"], "table": 5}, {"type": "recut", "table": ["KS", "KH", "QS", "2D"]}),
        ("spades", {"seats": [*"ABCD"], "dealer": "D"}, {"type": "deal", "counts": dict.fromkeys("ABCD", 13)}),
        ("spite-and-malice", {"players": [*"AB"], "player": "A"}, {"type": "deal", "stock": 46}),
        ("spite-and-malice", {"players": [*"AB"], "player": "A"}, {"type": "start", "first": "A"}),
    ],
)
def test_a_table_beside_a_deal_is_read(shared_client: Any, game: str, position: Any, move: Any) -> None:
    body = {"position": {**position, "hand": "nonsense"}, "move": move}
    answer = shared_client.post(f"/api/v1/games/{game}/check", json=body)
    _assert_problem(answer, 422, "invalid-input")
    wrong = {error["pointer"] for error in answer.json["errors"]}
    assert wrong == {"/position/hand"} | ({"/position/table"} if "table" in position else set())


@pytest.mark.parametrize(
    ("path", "games"),
    [
        ("spades/demand", ["casino"]),
        ("pad/check", ["spades", "casino", "spite-and-malice"]),
        ("pad/replay/batch", ["spades", "casino", "spite-and-malice"]),
    ],
)
def test_question_that_a_game_does_not_have_is_404(shared_client: Any, path: str, games: list[str]) -> None:
    answer = shared_client.post(f"/api/v1/games/{path}", json={"witness": True})
    _assert_problem(answer, 404, "not-found")
    assert answer.json["errors"][0]["allowed"] == games


@pytest.mark.parametrize(
    ("method", "path"), [("get", SCORE), ("delete", SCORE), ("post", "/api/v1/games"), ("put", CHECK)]
)
def test_other_methods_are_405_with_allow(shared_client: Any, method: str, path: str) -> None:
    answer = getattr(shared_client, method)(path)
    _assert_problem(answer, 405, "method-not-allowed")
    assert ("POST" if path != "/api/v1/games" else "GET") in answer.headers["Allow"]


def test_titles_and_details_follow_the_language(shared_client: Any) -> None:
    def title(query: str = "", accept: str | None = None) -> tuple[str, str]:
        headers = {"Accept-Language": accept} if accept else {}
        answer = shared_client.get(f"/api/v1/nope{query}", headers=headers)
        assert "Accept-Language" in answer.headers["Vary"]
        return answer.headers["Content-Language"], answer.json["title"]

    english, japanese = ("en", "Not found"), ("ja", "見つかりません")
    assert title() == title(accept="fr") == title("?lang=en", "ja") == title("?lang=xx") == english
    assert (
        title("?lang=ja") == title(accept="ja") == title(accept="fr, ja;q=0.5") == title("?lang=xx", "ja") == japanese
    )


def test_details_of_faults_are_sentences_in_both_languages(shared_client: Any) -> None:
    request = _request(deals=[DEAL | {"EW": {"bid": 6, "tricks": 4}}])
    details = {lang: shared_client.post(f"{SCORE}?lang={lang}", json=request).json["detail"] for lang in ("en", "ja")}
    assert "12" in details["en"]
    assert "12" in details["ja"]
    assert details["ja"] != details["en"]


def test_fault_of_our_own_is_a_problem_without_insides(fresh_app: Any) -> None:
    def fall() -> None:
        raise RuntimeError("a secret of the inside")

    fresh_app.add_url_rule("/api/v1/fall", view_func=fall)
    fresh_app.config["PROPAGATE_EXCEPTIONS"] = False
    fresh_app.logger.disabled = True
    answer = fresh_app.test_client().get("/api/v1/fall")
    _assert_problem(answer, 500, "server-error")
    assert "secret" not in answer.text


def _deep(value: Any, wrap: Any) -> Any:
    for _ in range(300):
        value = wrap(value)
    return value


HOSTILE = [
    None, True, False, 0, -1, 10**18, 1.5, "", "x", "NS", "♠", "\u202e", "__proto__", "x" * 2000,
    [], [[]], {}, {"": {}}, [None] * 60, _deep([], lambda inner: [inner]), _deep({}, lambda inner: {"a": inner}),
]  # fmt: skip


@pytest.mark.parametrize("path", ["score", "check", "moves", "replay", "rules", "rules/diff"])
@pytest.mark.parametrize("game", ["spades", "casino", "spite-and-malice"])
def test_hostile_values_in_every_place_are_answered(shared_client: Any, game: str, path: str) -> None:
    from companion.web.api import examples

    known = {"score": examples.SCORE, "check": examples.CHECK, "moves": examples.MOVES, "replay": examples.REPLAY,
             "rules": examples.RULES, "rules/diff": examples.DIFF}[path]  # fmt: skip
    request = known.get(game, examples.REPLAY["spades"])
    for changed in _everywhere(request):
        answer = _post(shared_client, f"/api/v1/games/{game}/{path}", changed)
        assert answer.status_code in (200, 422), (changed, answer.text)


def _everywhere(value: Any) -> Any:
    """The value with each of its places, in turn, replaced by each hostile value, taken away or doubled."""
    yield from HOSTILE
    if isinstance(value, dict):
        for key, inner in value.items():
            yield {k: v for k, v in value.items() if k != key}
            yield from ({**value, key: changed} for changed in _everywhere(inner))
    elif isinstance(value, list) and value:
        yield value + value
        yield from ([changed, *value[1:]] for changed in _everywhere(value[0]))


def test_problems_carry_the_facts_that_show_them(shared_client: Any) -> None:
    twelve = {"sides": ["NS", "EW"], "deals": [{"NS": {"bid": 5, "tricks": 7}, "EW": {"bid": 6, "tricks": 5}}]}
    error = shared_client.post("/api/v1/games/spades/score", json=twelve).json["errors"][0]
    assert (error["code"], error["facts"]["expected"], error["facts"]["total"]) == ("tricks-total", 13, 12)


@pytest.mark.parametrize("lang", ["en", "ja"])
def test_problems_list_the_values_that_are_allowed(shared_client: Any, lang: str) -> None:
    for game in GAMES.values():
        if game.judge is None:
            answer = shared_client.post(f"/api/v1/games/{game.id}/check?lang={lang}", json={})
            assert (answer.status_code, answer.json["type"]) == (404, "/problems/not-found")
            continue
        position = game.examples["check"]["position"]
        request = {"position": position, "move": {"type": "no such move"}}
        error = shared_client.post(f"/api/v1/games/{game.id}/check?lang={lang}", json=request).json["errors"][0]
        schema = shared_client.get("/api/v1/openapi.json").json["components"]["schemas"]
        named = schema["".join(part.capitalize() for part in game.id.split("-")) + "Check"]["properties"]["move"]
        assert (error["pointer"], error["code"]) == ("/move/type", "choice")
        assert error["allowed"] == list(named["discriminator"]["mapping"])
        assert all(word in error["detail"] for word in error["allowed"])
        request = {"rules": {"preset": "no such"}, "sides": ["A", "B"], "deals": []}
        error = shared_client.post(f"/api/v1/games/{game.id}/score?lang={lang}", json=request).json["errors"][0]
        assert error["allowed"] == list(game.options.presets)


def test_json_that_is_none_is_shown_where_it_ends(shared_client: Any) -> None:
    answer = shared_client.post("/api/v1/games/spades/score", data='{"sides":\n  [}', content_type="application/json")
    assert (answer.status_code, answer.json["line"], answer.json["column"]) == (400, 2, 4)


@pytest.mark.parametrize(
    ("asked", "pointer", "problem", "allowed"),
    [
        ({"table": ["9D"]}, "/table/0", "not-on-table", ["2S", "2H", "4S"]),
        ({"table": ["2S"], "builds": ["B9"]}, "/builds/0", "unknown-build", []),
    ],
)
def test_a_demand_for_what_is_not_there_is_refused(
    shared_client: Any, asked: Any, pointer: str, problem: str, allowed: Any
) -> None:
    position = {"seats": ["P1", "P2"], "player": "P1", "table": ["2S", "2H", "4S"], "hand": ["8S"]}
    request = {"position": position, "card": "8S", "as": 8, **asked}
    answer = shared_client.post("/api/v1/games/casino/demand", json=request)
    error = answer.json["errors"][0]
    assert (answer.status_code, error["pointer"], error["code"], error["allowed"]) == (422, pointer, problem, allowed)


@pytest.mark.parametrize(
    ("path", "body", "pointer", "contextual"),
    [
        (SCORE, {"sides": ["NS", "EW"], "deals": [{"NS": {"bid": "five", "tricks": 7}}]}, "/deals/0/NS/bid", False),
        (SCORE, {"sides": ["NS", "EW"], "deals": [{"NS": {"bid": 5, "tricks": 7}}]}, "/deals/0/EW", True),
        (SCORE, {"sides": ["NS", "EW"], "deals": [], "opening": {"N": {"total": 1}}}, "/opening/N", True),
        (RULES, {"rules": {}, "code": "classic"}, "/code", True),
        (RULES, {"rules": {"options": {"bag_threshold": 0}}}, "/rules/options/bag_threshold", False),
    ],
)
def test_what_only_the_rest_of_the_input_excludes_is_marked(
    shared_client: Any, path: str, body: Any, pointer: str, contextual: bool
) -> None:
    errors = {error["pointer"]: error for error in _post(shared_client, path, body).json["errors"]}
    assert errors[pointer]["code"] in SHAPE_CODES
    assert errors[pointer].get("contextual", False) is contextual


def test_the_document_lists_what_is_a_fault_of_the_shape(shared_client: Any) -> None:
    about = shared_client.get("/api/v1/openapi.json").json["info"]["description"]
    assert "SHAPES" not in about
    assert ", ".join(f"`{code}`" for code in SHAPE_CODES) in about
    assert set(SHAPE_CODES) <= set(SHARED_PROBLEMS)

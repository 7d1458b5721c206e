"""The tools of assistants, asked with the protocol's own client."""

from __future__ import annotations

import copy
import itertools
import json
import re
import socket
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Timer
from typing import Any

import anyio
import jsonschema
import pytest
from mcp import Client
from mcp.client.stdio import StdioServerParameters
from openapi_schema_validator import OAS31Validator
from referencing import Registry
from referencing.jsonschema import DRAFT202012

from companion import library as companion
from companion.conformance import published
from companion.games import GAMES
from companion.mcp import TOOLS, call, make_server

CALLS = ("score", "check", "moves", "replay")
MAIN = "from companion.cli import main; main(['mcp'])"
SENT = {"host": "127.0.0.1:8001", "content-type": "application/json", "accept": "application/json, text/event-stream"}
validator = jsonschema.Draft202012Validator
ASKED = [(game.id, name) for game in GAMES.values() for name in CALLS if name in game.examples]


def in_a_thread(ask: Callable[[], Awaitable[Any]]) -> Any:
    """What a function of the client answers; in the tests' own thread a browser may have an event loop already."""
    with ThreadPoolExecutor(1) as threads:
        return threads.submit(anyio.run, ask).result()


def asked(*calls: tuple[str, dict[str, Any]]) -> list[Any]:
    """The results of calls, over the client in memory."""

    async def ask() -> list[Any]:
        async with Client(make_server()) as client:
            return [await client.call_tool(name, arguments) for name, arguments in calls]

    found: list[Any] = in_a_thread(ask)
    return found


@pytest.fixture(scope="module")
def listed() -> list[Any]:
    async def ask() -> Any:
        async with Client(make_server()) as client:
            return (await client.list_tools()).tools

    tools: list[Any] = in_a_thread(ask)
    return tools


def shape_of(game: str, question: str) -> dict[str, Any]:
    """What the tool `shape` answers."""
    answer: dict[str, Any] = call("shape", {"game": game, "question": question}).structured_content
    return answer


def test_every_tool_is_listed_with_valid_schemas(listed: list[Any]) -> None:
    assert [tool.name for tool in listed] == list(TOOLS)
    assert {"score", "check", "moves", "replay", "shape", "rules", "explain", "search"} <= set(TOOLS)
    for tool in listed:
        validator.check_schema(tool.input_schema)
        validator.check_schema(tool.output_schema)
        assert tool.input_schema["additionalProperties"] is False
        assert tool.output_schema["properties"]


def test_the_schemas_are_short(listed: list[Any]) -> None:
    """An assistant reads all of them before its first question."""
    texts = [tool.model_dump_json(by_alias=True, exclude_none=True) for tool in listed]
    assert sum(len(text.encode()) for text in texts) < 16 * 1024


def test_the_shapes_allow_what_the_judges_read() -> None:
    """One published case of each question and status; a request of another shape is not allowed."""
    kinds: dict[str, dict[str, Any]] = {}
    for case in published():
        kinds.setdefault(f"{case['post']} {case['expect']['status']}", case)
    for case in kinds.values():
        _, game, name = case["post"].strip("/").split("/")
        if name in TOOLS and case["expect"]["status"] == 200:
            assert validator(shape_of(game, name)["schema"]).is_valid(case["request"])
    assert not validator(shape_of(next(iter(GAMES)), "check")["schema"]).is_valid({"moves": []})


@pytest.mark.parametrize(("game", "name"), ASKED)
def test_a_shape_refers_to_its_own_parts_and_has_no_patterns(game: str, name: str) -> None:
    schema = shape_of(game, name)["schema"]
    validator.check_schema(schema)
    text = json.dumps(schema)
    assert set(re.findall(r'"\$ref": "([^"]+)"', text)) <= {f"#/$defs/{part}" for part in schema["$defs"]}
    assert '"pattern"' not in text
    assert len(text) < 17_000


def spoilt(request: Any) -> Iterator[Any]:
    """The request with one value of a wrong type, one key too many or one too few, at each place in turn."""
    for key in request if isinstance(request, dict) else range(len(request)):
        inner = request[key]
        wrong: list[Any] = [{"no-such-key": []}, 1.5]
        if isinstance(inner, dict | list):
            wrong += spoilt(inner)
        for each in wrong:
            changed = copy.deepcopy(request)
            changed[key] = each
            yield changed
        if isinstance(request, dict):
            yield {other: item for other, item in request.items() if other != key}


def test_the_shapes_refuse_what_the_document_refuses() -> None:
    """Of keys and types they allow neither more nor less; options of house rules apart."""
    document = json.loads((Path(__file__).parents[1] / "api/openapi.json").read_text(encoding="utf-8"))
    registry = Registry().with_resource("urn:document", DRAFT202012.create_resource(document))
    judged = Counter[bool]()
    for game, name in ASKED:
        prefix = "".join(part.capitalize() for part in game.split("-"))
        known = f"{prefix}{name.capitalize()}"
        documented = OAS31Validator({"$ref": f"urn:document#/components/schemas/{known}"}, registry=registry)
        tool = validator(shape_of(game, name)["schema"])
        example = {key: item for key, item in GAMES[game].examples[name].items() if key != "rules"}
        for request in (example, *itertools.islice(spoilt(example), 0, None, 5)):
            allowed = documented.is_valid(request)
            judged[allowed] += 1
            assert tool.is_valid(request) == allowed, request
    assert judged[True] >= len(ASKED)
    assert judged[False] > 80


def without_links(value: Any) -> Any:
    """What an answer says in JSON, less what an assistant has no use for."""
    if isinstance(value, dict):
        return {key: without_links(item) for key, item in value.items() if key not in ("url", "markdown")}
    return [without_links(item) for item in value] if isinstance(value, list | tuple) else value


def test_a_tool_answers_what_the_library_returns(listed: list[Any]) -> None:
    results = asked(*((name, {"game": game, "request": GAMES[game].examples[name]}) for game, name in ASKED))
    outlines = {tool.name: tool.output_schema for tool in listed}
    for (game, name), result in zip(ASKED, results, strict=True):
        answer = json.loads(json.dumps(without_links(getattr(companion, name)(game, GAMES[game].examples[name]))))
        if name == "replay":
            answer["verdicts"] = [
                {"number": number, **each}
                for number, each in enumerate(answer["verdicts"], start=1)
                if each["verdict"] != "legal"
            ]
        assert not result.is_error
        assert result.structured_content == answer
        validator(outlines[name]).validate(answer)


def test_an_answer_is_not_written_twice() -> None:
    """The text says in words what the structure holds; it repeats the structure only where words do not say all."""
    for game, name in ASKED:
        result = call(name, {"game": game, "request": GAMES[game].examples[name]})
        text = result.content[0].text  # type: ignore[union-attr]
        assert "http" not in text
        if name in ("score", "check") or (name == "replay" and result.structured_content["verdicts"]):  # type: ignore[index]
            assert "{" not in text
            assert len(text) <= 2_001
        else:
            assert json.loads(text) == result.structured_content


def test_who_reads_only_the_text_sees_the_points_and_the_shapes() -> None:
    request = {"sides": ["NS", "EW"], "deals": [{"NS": {"bid": 5, "tricks": 8}, "EW": {"bid": 6, "tricks": 5}}]}
    said = call("score", {"game": "spades", "request": request}).content[0].text  # type: ignore[union-attr]
    assert said.splitlines() == [
        "NS 53 (3 bags), EW -60 (0 bags)",
        "NS +53",
        "+50: 5 bid, 8 taken: contract made [spades.contract]",
        "+3: 3 overtricks [spades.overtricks]",
        "EW -60",
        "-60: Contract of 6, 5 taken: set [spades.set]",
    ]
    deal = GAMES["spades"].examples["replay"]
    judged = call("replay", {"game": "spades", "request": deal}).content[0].text  # type: ignore[union-attr]
    assert judged.startswith("2: Undecided\n")
    nothing = call("search", {"query": "xyzzy"}).content[0].text  # type: ignore[union-attr]
    assert json.loads(nothing)["results"] == []
    for name, arguments in (("shape", {"question": "check"}), ("rules", {}), ("rules", {"option": "bag_penalty"})):
        result = call(name, {"game": "spades", **arguments})
        assert json.loads(result.content[0].text) == result.structured_content  # type: ignore[union-attr]


def text_of(name: str, **arguments: Any) -> str:
    """The text of a tool's answer."""
    text: str = call(name, arguments).content[0].text  # type: ignore[union-attr]
    return text


@pytest.mark.parametrize(("lang", "absent"), [("en", "Not at this table: "), ("ja", "この卓では使いません：")])
@pytest.mark.parametrize("game", [game for game in GAMES.values() if list(game.articles)], ids=lambda game: game.id)
def test_the_text_says_first_that_a_table_does_not_play_an_article(
    game: Any, looked_at: Any, lang: str, absent: str
) -> None:
    """And which article it plays instead, in the text of `explain` and of every hit of `search`."""
    seen = Counter[bool]()
    for preset in looked_at(list(game.options.presets), lang):
        rules = game.options.preset(preset).options
        for article in list(game.articles)[::7]:
            text = text_of("explain", article=article.id, rules=preset, lang=lang)
            played = article.played(rules)
            seen[played] += 1
            assert text.startswith(absent) == (not played), (preset, article.id)
            if not played and "[" in text.splitlines()[0]:
                named = text.splitlines()[0].rpartition("[")[2].rstrip("]")
                assert game.articles[named].printed(rules)
                assert call("explain", {"article": article.id, "rules": preset}).structured_content["instead"]  # type: ignore[index]
    assert seen[True]
    if game.id == "casino":
        assert seen[False] > 20


def test_the_text_marks_every_hit_that_is_not_in_force() -> None:
    for arguments, absent in (({"rules": "south_african"}, "Not at this table: "), ({}, "Not under the Swazi rules: ")):
        asked = {"query": "sweeps", "game": "casino", "limit": 6, **arguments}
        answer: Any = call("search", asked).structured_content
        lines = text_of("search", **asked).splitlines()
        hits = [hit for hit in answer["results"] if hit["played"] is False]
        assert hits
        for hit in answer["results"]:
            [at] = [place for place, line in enumerate(lines) if line.endswith(f"{hit['excerpt']} [{hit['id']}]")]
            assert (hit["played"] is False) == ["", *lines][at].startswith(f"{absent}{hit['title']}.")


def test_the_text_of_an_article_has_no_value_that_is_not_in_force() -> None:
    assert "Each sweep: 1 point" in text_of("explain", article="casino.sweeps", rules="book")
    assert "Each sweep" not in text_of("explain", article="casino.sweeps", rules="south_african")


def test_the_text_of_an_article_leaves_out_the_answers_of_its_examples() -> None:
    """Without their questions they say nothing; the structure has both."""
    shown = 0
    for article in [each for game in GAMES.values() for each in game.articles][::5]:
        for lang in ("ja", "en"):
            answer: Any = call("explain", {"article": article.id, "lang": lang}).structured_content
            shown += len(answer["examples"])
            lines = text_of("explain", article=article.id, lang=lang).splitlines()
            [own] = [place for place, line in enumerate(lines) if line.endswith(f" [{article.id}]")]
            assert len(lines) - own - 1 <= len(answer["options"]), lines
    assert shown > 100


@pytest.mark.parametrize(("lang", "tallies"), [("en", "(1 bag)"), ("ja", "(バッグ1個)")])
def test_the_text_of_a_score_has_every_tally(lang: str, tallies: str) -> None:
    deal = {"NS": {"bid": 5, "tricks": 8}, "EW": {"bid": 6, "tricks": 5}}
    request = {"sides": ["NS", "EW"], "opening": {"NS": {"total": 200, "bags": 8}}, "deals": [deal]}
    head = text_of("score", game="spades", request=request, lang=lang).splitlines()[0]
    assert head.startswith(f"NS 153 {tallies}, EW -60 (")
    answer: Any = call("score", {"game": "spades", "request": {**request, "rules": {"preset": "club_350"}}})
    standing = answer.structured_content["standing"]["NS"]
    head = text_of("score", game="spades", request={**request, "rules": {"preset": "club_350"}}, lang=lang)
    assert len(standing) > 1
    assert head.partition(", EW")[0].count(",") == len(standing) - 2


@pytest.mark.parametrize(
    ("lang", "verdicts"), [("en", ["Illegal", "Undecided"]), ("ja", ["できません", "まだ決められません"])]
)
def test_the_text_says_a_verdict_in_the_language_asked_for(lang: str, verdicts: list[str]) -> None:
    check = text_of("check", game="spades", request=GAMES["spades"].examples["check"], lang=lang)
    replay = text_of("replay", game="spades", request=GAMES["spades"].examples["replay"], lang=lang)
    assert check.splitlines()[0] == verdicts[0]
    assert replay.splitlines()[0] == f"2: {verdicts[1]}"


@pytest.mark.parametrize("lang", ["ja", "en"])
@pytest.mark.parametrize("game", GAMES)
def test_a_wrong_code_is_answered_with_a_right_one(game: str, lang: str) -> None:
    default = GAMES[game].options.default_preset
    for code in ("no-such-preset", f"{default}~qq-1", f"{default}~", f"{default}!"):
        wrong: Any = call("rules", {"game": game, "rules": code, "lang": lang})
        assert wrong.is_error
        [error] = wrong.structured_content["errors"]
        example = error["facts"]["example"]
        assert "~" in example
        assert example in error["detail"]
        assert not call("rules", {"game": game, "rules": example, "lang": lang}).is_error


@pytest.mark.parametrize("lang", ["ja", "en"])
@pytest.mark.parametrize("game", [game for game in GAMES.values() if game.judge], ids=lambda game: game.id)
def test_a_wrong_number_of_players_is_answered_with_the_option_that_sets_it(game: Any, lang: str) -> None:
    seen = Counter[str]()
    for preset in game.options.presets:
        rules, nine = {"preset": preset}, list("ABCDEFGHI")
        check = copy.deepcopy(game.examples["check"])
        [seats] = {"seats", "players"} & check["position"].keys()
        check["position"][seats] = nine[:5]
        for name, request in (("score", {"sides": nine, "deals": []}), ("check", check)):
            wrong: Any = call(name, {"game": game.id, "request": {**request, "rules": rules}, "lang": lang})
            counted = [e for e in wrong.structured_content["errors"] if e["code"] in ("sides-count", "seats-count")]
            for error in counted:
                assert set(re.findall(r"`(\w+)`", error["detail"])) & game.options.options.keys(), error["detail"]
            seen[name] += len(counted)
    assert seen["score"] == len(game.options.presets)
    assert seen["check"]


def test_one_deal_of_an_evening_has_its_lines() -> None:
    evening = json.loads((Path(__file__).parents[2] / "examples/spades-friday.json").read_text(encoding="utf-8"))
    whole = companion.score("spades", evening)
    for number in (1, 5, None):
        answer: Any = call("score", {"game": "spades", "request": evening, "deal": number}).structured_content
        lined = [place for place, deal in enumerate(answer["deals"], start=1) if "lines" in deal["sides"]["NS"]]
        assert lined == [number or len(evening["deals"])]
        assert answer["standing"] == whole["standing"]
        assert len(json.dumps(answer)) < len(json.dumps(whole)) / 2
    [wrong] = asked(("score", {"game": "spades", "request": evening, "deal": 99}))
    assert [error["pointer"] for error in wrong.structured_content["errors"]] == ["/deal"]


@pytest.mark.parametrize("game", GAMES)
def test_house_rules_are_given_one_at_a_time(shared_client: Any, game: str) -> None:
    catalogue = shared_client.get(f"/api/v1/games/{game}?lang=ja").json
    preset = catalogue["presets"][-1]["name"]
    listed: Any = call("rules", {"game": game, "lang": "ja", "rules": preset}).structured_content
    assert listed["presets"] == {each["name"]: each["label"] for each in catalogue["presets"]}
    assert listed["options"] == companion.rules(game, preset)["options"]
    assert len(json.dumps(listed)) < 4_000
    for option in catalogue["options"]:
        answer: Any = call("rules", {"game": game, "lang": "ja", "option": option["name"]}).structured_content
        assert without_links(option).items() <= answer["option"].items()
    wrong: Any = call("rules", {"game": game, "option": "no-such-option"})
    assert wrong.is_error
    assert wrong.structured_content["errors"][0]["allowed"] == [option["name"] for option in catalogue["options"]]


@pytest.mark.parametrize("lang", ["en", "ja"])
@pytest.mark.parametrize("game", GAMES)
def test_presets_are_compared(game: str, lang: str) -> None:
    one, *others = GAMES[game].options.presets
    for other in others:
        result: Any = call("compare", {"game": game, "one": one, "other": other, "lang": lang})
        expected: Any = without_links(companion.diff(game, one, other, lang=lang))
        for difference in expected["differences"]:
            assert difference.pop("label") in difference["text"]
        assert result.structured_content == expected
        assert result.content[0].text.splitlines() == [
            f"{each['text']} [{each['article']}]" for each in expected["differences"]
        ]
        assert len(json.dumps(result.structured_content)) < 16 * 1024
    wrong: Any = call("compare", {"game": game, "one": one, "other": "no-such-preset"})
    assert [error["pointer"] for error in wrong.structured_content["errors"]] == ["/other"]


def test_links_lead_to_the_site_or_are_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    program = (
        "import json; from companion.mcp import call;"
        "answer = call('explain', {'article': 'spades.bags'}).structured_content; print(answer.get('url'))"
    )
    addresses = []
    for site in ("", "https://cards.example/"):
        monkeypatch.setenv("COMPANION_SITE_URL", site)
        addresses.append(subprocess.run([sys.executable, "-c", program], capture_output=True, text=True).stdout.strip())
    assert addresses == ["None", "https://cards.example/en/rules/spades#bags"]


def test_rules_are_explained_and_found_in_both_languages() -> None:
    article, game = next((article.id, game) for game in GAMES for article in GAMES[game].articles)
    preset = list(GAMES[game].options.presets)[-1]
    explained, found, nils = asked(
        ("explain", {"article": article, "rules": preset, "lang": "ja"}),
        ("search", {"query": "how many bags cost", "limit": 1}),
        ("search", {"query": "nil", "game": game, "rules": preset, "lang": "ja"}),
    )
    article_text = companion.article(article, rules=preset, lang="ja")
    assert explained.structured_content == json.loads(json.dumps(without_links(article_text)))
    assert len(found.structured_content["results"]) == 1
    expected = companion.search("nil", game=game, rules=preset, limit=5, lang="ja")
    assert nils.structured_content == json.loads(json.dumps(without_links(expected)))


@pytest.mark.parametrize(
    ("name", "arguments", "pointer"),
    [
        ("search", {}, "/query"),
        ("search", {"query": "a", "lang": "xx"}, "/lang"),
        ("search", {"query": "a", "limit": 500}, "/limit"),
        ("search", {"query": "a", "rules": "classic"}, "/rules"),
        ("search", {"query": "a", "limt": 3}, "/limt"),
        ("rules", {"game": next(iter(GAMES)), "opton": "target"}, "/opton"),
        ("explain", {"article": "spades.bags", "table": "classic"}, "/table"),
        ("check", {"game": next(iter(GAMES)), "request": "{}", "position": {}}, "/position"),
        ("check", {"game": next(iter(GAMES)), "request": "{"}, "/request"),
        ("score", {"game": "poker", "request": {}}, "/game"),
        ("score", {"game": next(iter(GAMES))}, "/request"),
        ("check", {"game": next(iter(GAMES)), "request": {"move": {}}}, "/request/position"),
        ("no-such-tool", {}, "/name"),
    ],
)
def test_wrong_arguments_are_answered_with_every_problem(name: str, arguments: dict[str, Any], pointer: str) -> None:
    [result] = asked((name, arguments))
    assert result.is_error
    assert pointer in [error["pointer"] for error in result.structured_content["errors"]]


@pytest.mark.parametrize(
    ("name", "arguments", "place", "possible"),
    [
        ("explain", {"article": "bag-penalty"}, "/article", "spades.bag-penalty"),
        ("explain", {"article": "spades.no-such-article"}, "/article", "spades."),
        ("shape", {"game": "pad", "question": "check"}, "/question", "score"),
        ("demand", {"game": "spades", "request": {}}, "/game", "casino"),
    ],
)
def test_what_is_not_there_is_answered_with_what_is(
    name: str, arguments: dict[str, str], place: str, possible: str
) -> None:
    [result] = asked((name, arguments))
    assert result.is_error
    [error] = result.structured_content["errors"]
    assert error["pointer"] == place
    assert error["allowed"][0].startswith(possible)
    assert error["facts"]["value"] in error["detail"]


@pytest.mark.slow
def test_standard_input_and_output() -> None:
    command = StdioServerParameters(command=sys.executable, args=["-c", MAIN])

    async def ask() -> Any:
        async with Client(command) as client:
            return await client.call_tool("search", {"query": "nil", "limit": 1})

    assert in_a_thread(ask).structured_content["results"]


@pytest.mark.slow
def test_a_line_that_is_no_message_is_answered() -> None:
    """With the code of JSON-RPC, and the id where one can be read; the next line is served as ever."""
    head = '{"jsonrpc": "2.0", "id": 5, "method": "tools/call", "params": '
    lines = [
        ("garbage", -32700, None),
        (head + '{"name": "search", "arguments": {"query": "\\ud800"}}}', -32700, None),
        ("[]", -32600, None),
        ("5", -32600, None),
        (head + "5}", -32600, 5),
        ('{"jsonrpc": "2.0", "id": [], "method": "tools/list", "params": 5}', -32600, None),
    ]
    ping = '{"jsonrpc": "2.0", "id": 6, "method": "ping"}'
    start = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}
    hello = json.dumps({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": start})
    sent = "\n".join([hello, *(line for line, _, _ in lines), ping, ""])
    with subprocess.Popen(
        [sys.executable, "-c", MAIN], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as run:
        late = Timer(60, run.kill)
        late.start()
        run.stdin.write(sent)
        run.stdin.flush()
        answers = [json.loads(run.stdout.readline() or "{}") for _ in range(len(lines) + 2)]
        run.stdin.close()
        late.cancel()
    refused = [(each["error"]["code"], each["id"]) for each in answers if "error" in each]
    assert refused == [(code, name) for _, code, name in lines]
    assert sorted(each["id"] for each in answers if "result" in each) == [0, 6]


@pytest.mark.slow
def test_http() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
    with subprocess.Popen([sys.executable, "-c", MAIN.replace("'mcp'", f"'mcp', '--http', '--port', '{port}'")]) as run:
        try:
            wait_for_port(port, run)

            async def ask() -> Any:
                async with Client(f"http://127.0.0.1:{port}/mcp") as client:
                    return await client.call_tool("rules", {"game": next(iter(GAMES))})

            assert in_a_thread(ask).structured_content["presets"]
        finally:
            run.terminate()


def wait_for_port(port: int, run: subprocess.Popen[bytes]) -> None:
    """Return once a program listens there. Raises OSError if it has ended, or does not for two minutes."""
    for _ in range(600):
        try:
            socket.create_connection(("127.0.0.1", port)).close()
            return
        except OSError:
            if run.poll() is not None:
                break
            time.sleep(0.2)
    raise OSError(f"nobody listens on port {port}")


def test_http_is_for_this_machine_only() -> None:
    """A page in a browser cannot reach the tools through a name or an origin of its own."""
    app = make_server().streamable_http_app(host="127.0.0.1", stateless_http=True, json_response=True)
    listing = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {}}).encode()

    async def statuses() -> list[int]:
        async with app.router.lifespan_context(app):
            changes: tuple[dict[str, str], ...] = ({}, {"host": "evil.example"}, {"origin": "http://evil.example"})
            return [await post(app, {**SENT, **changed}, listing) for changed in changes]

    accepted, *refused = in_a_thread(statuses)
    assert accepted == 200
    assert all(400 <= status < 500 for status in refused)


async def post(app: Any, headers: dict[str, str], body: bytes) -> int:
    """The status that an application answers to a POST."""
    started: list[int] = []

    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": body, "more_body": False}

    async def send(message: dict[str, Any]) -> None:
        if message["type"] == "http.response.start":
            started.append(message["status"])

    scope = {
        "type": "http", "asgi": {"version": "3.0"}, "http_version": "1.1", "method": "POST", "scheme": "http",
        "path": "/mcp", "raw_path": b"/mcp", "query_string": b"", "root_path": "", "server": ("127.0.0.1", 8001),
        "client": ("127.0.0.1", 9), "headers": [(name.encode(), value.encode()) for name, value in headers.items()],
    }  # fmt: skip
    await app(scope, receive, send)
    return started[0]


@pytest.mark.parametrize("lang", ["ja", "en"])
def test_an_empty_text_is_the_default_or_named(lang: str) -> None:
    """As in the library: no house rules are those of the default preset. What has no default says what was empty."""
    for name, arguments in (
        ("rules", {"game": "spades"}),
        ("explain", {"article": "spades.nil"}),
        ("search", {"query": "nil"}),
    ):
        without, empty = (call(name, {"lang": lang, **arguments, **rules}) for rules in ({}, {"rules": ""}))
        assert not empty.is_error
        assert empty.structured_content == without.structured_content
    for name, arguments in (("explain", {"article": ""}), ("rules", {"game": "spades", "option": ""}), ("", {})):
        refused = call(name, {"lang": lang, **arguments})
        assert refused.is_error
        assert refused.structured_content is not None
        detail = refused.structured_content["detail"]
        assert detail.startswith({"ja": "空の文字列は", "en": "An empty text is "}[lang]), detail

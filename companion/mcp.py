"""A server of the Model Context Protocol: what assistants can ask, over standard input and output or HTTP.

The tools are the questions of the web API, their schemas those of its document, their answers what it answers.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from threading import Thread
from typing import Final, cast

import anyio
import mcp_types as protocol
from mcp.server import Server
from mcp.server.context import ServerRequestContext
from mcp.server.stdio import stdio_server

from companion import __version__
from companion.data import LANGUAGES
from companion.engine.problems import Refused
from companion.engine.reading import Node
from companion.engine.shapes import JsonSchema
from companion.games import GAMES
from companion.library import asking
from companion.library.describing import inlined_schema
from companion.library.json_text import whole_numbers
from companion.library.problem_documents import problem_document, refusal_document
from companion.library.schemas import requests_of
from companion.library.searching import answer_search, read_code
from companion.rulebook.book import say
from companion.rulebook.catalogue_answers import catalogue_answer
from companion.rulebook.search import index
from companion.rulebook.text import article_text

INSTRUCTIONS: Final = """\
Scores, judges and explains card games that people play with real cards. Use `score` for points, `check` for whether a \
move is allowed, `moves` for what can be done, `rules` for the house rules that there are, `search` for a question \
about the rules, `explain` for an article that another answer names. A verdict is legal, illegal or undecided; \
undecided says what must be known. Answers name the article behind every point and verdict: cite it. Wrong input is \
answered with every problem and its JSON pointer.
"""
ENGLISH: Final = "en"
MOST_FOUND: Final = 20
CARD_TEXT: Final = "Cards are written rank, then suit: `10H`."
HOST: Final = "127.0.0.1"
"""HTTP is served to this machine only: there is no log-in."""


@dataclass(frozen=True, slots=True)
class Tool:
    """A tool: what it is for, the schema of its arguments, and the answer to them. `answer` raises Refused."""

    name: str
    about: str
    schema: Callable[[], JsonSchema]
    answer: Callable[[Node, str], Mapping[str, object]]


class Declined(Exception):
    """A question without an answer: the phrase that says so, and what was asked for."""

    def __init__(self, key: str, subject: str) -> None:
        super().__init__(key)
        self.key, self.subject = key, subject


def make_server() -> Server[object]:
    """Return the server with its tools."""
    return Server(
        "companion",
        version=__version__,
        title="Card table companion",
        instructions=INSTRUCTIONS,
        on_list_tools=_list_tools,
        on_call_tool=_call_tool,
    )


def serve_stdio() -> None:
    """Serve on standard input and output until it ends."""

    _prepare_search()

    async def serve() -> None:
        server = make_server()
        async with stdio_server() as (received, sent):
            await server.run(received, sent, server.create_initialization_options())

    anyio.run(serve)


def serve_http(port: int) -> None:
    """Serve HTTP at `/mcp` on this machine until interrupted; other hosts and origins are refused."""
    import uvicorn

    _prepare_search()
    app = make_server().streamable_http_app(host=HOST, stateless_http=True, json_response=True)
    uvicorn.run(app, host=HOST, port=port, log_level="warning")


def _prepare_search() -> None:
    """Read what is searched while the client is still asking for the tools: it takes seconds."""

    def read() -> None:
        for lang in LANGUAGES:
            index(lang)

    Thread(target=read, name="search", daemon=True).start()


def _question(name: str, about: str, answering: asking.Answering) -> Tool:
    """Return the tool for a question whose request each game has a shape for."""

    def schema() -> JsonSchema:
        requests = {game.id: requests_of(game).get(name.capitalize()) for game in GAMES.values()}
        asked = {game: shape for game, shape in requests.items() if shape is not None}
        whole = inlined_schema(asked)
        about_game = {"type": "string", "enum": list(asked), "description": "Which game."}
        return _arguments({"game": about_game, "request": whole["request"]}, ["game", "request"], whole["$defs"])

    def answer(node: Node, lang: str) -> Mapping[str, object]:
        game = GAMES[node["game"].one_of(GAMES)]
        asking.raise_for_problems(node)
        try:
            return answering(game, node["request"].value if node["request"].present else None, lang)
        except Refused as refused:
            placed = [replace(problem, pointer=("request", *problem.pointer)) for problem in refused.problems]
            raise Refused(placed) from None
        except asking.NotAsked:
            raise Declined("not-asked", game.id) from None

    return Tool(name, about, schema, answer)


def _explain_schema() -> JsonSchema:
    return _arguments({
        "article": {"type": "string", "description": "The id of an article, as other answers name it."},
        "rules": _RULES,
    }, ["article"])  # fmt: skip


def _explain(node: Node, lang: str) -> Mapping[str, object]:
    name = node["article"].text()
    game = GAMES.get(name.partition(".")[0])
    house = read_code(node["rules"], [game.id] if game else [])
    asking.raise_for_problems(node)
    try:
        return article_text(name, lang, house)
    except KeyError:
        raise Declined("no-article", name) from None


def _rules_schema() -> JsonSchema:
    return _arguments({"game": {"type": "string", "enum": list(GAMES), "description": "Which game."}}, ["game"])


def _rules(node: Node, lang: str) -> Mapping[str, object]:
    game = node["game"].one_of(GAMES)
    asking.raise_for_problems(node)
    return catalogue_answer(GAMES[game], lang)


def _search_schema() -> JsonSchema:
    return _arguments({
        "query": {"type": "string", "maxLength": 200, "description": "Words or a whole question, in any language."},
        "game": {"type": "string", "enum": list(GAMES), "description": "Look in this game first."},
        "rules": _RULES,
        "limit": {"type": "integer", "minimum": 1, "maximum": MOST_FOUND, "default": 5},
    }, ["query"])  # fmt: skip


def _search(node: Node, lang: str) -> Mapping[str, object]:
    query = node["query"].text(most=200)
    games = [node["game"].one_of(GAMES)] if node["game"].present else []
    house = read_code(node["rules"], games)
    limit = node["limit"].integer(low=1, high=MOST_FOUND) if node["limit"].present else 5
    asking.raise_for_problems(node)
    return answer_search(query, lang, games=games, house=house, limit=limit)[0]


_RULES: Final[JsonSchema] = {
    "type": "string", "description": "House rules as a preset or a short code: the text has their numbers.",
}  # fmt: skip
_LANGUAGE: Final[JsonSchema] = {
    "type": "string", "enum": list(LANGUAGES), "default": ENGLISH, "description": "Language of the sentences.",
}  # fmt: skip
TOOLS: Final = {
    tool.name: tool
    for tool in (
        _question("score", "The points of a game from what was counted after each deal.", asking.answer_score),
        _question("check", "Whether a move is allowed: legal, illegal or undecided.", asking.answer_check),
        _question("moves", "What can be done in a position.", asking.answer_moves),
        Tool("rules", "The house rules of a game: presets, and options with their values.", _rules_schema, _rules),
        Tool("explain", "An article of the rule book in full, for a table's house rules.", _explain_schema, _explain),
        Tool("search", "The sentences of the rule book that answer a question.", _search_schema, _search),
    )
}


@lru_cache(maxsize=1)
def _described() -> tuple[protocol.Tool, ...]:
    hints = protocol.ToolAnnotations(read_only_hint=True, idempotent_hint=True, open_world_hint=False)
    return tuple(
        protocol.Tool(
            name=tool.name, description=f"{tool.about} {CARD_TEXT}", input_schema=tool.schema(), annotations=hints
        )
        for tool in TOOLS.values()
    )


async def _list_tools(
    context: ServerRequestContext[object], params: protocol.PaginatedRequestParams | None
) -> protocol.ListToolsResult:
    """Return every tool with the schema of its arguments."""
    return protocol.ListToolsResult(tools=list(_described()))


async def _call_tool(
    context: ServerRequestContext[object], params: protocol.CallToolRequestParams
) -> protocol.CallToolResult:
    """Return the answer of a tool, or the problem document of its arguments as an error that names every problem."""
    arguments = cast("dict[str, object]", whole_numbers(params.arguments or {}))
    return await anyio.to_thread.run_sync(call, params.name, arguments)


def call(name: str, arguments: Mapping[str, object]) -> protocol.CallToolResult:
    """Return the result of a call."""
    lang = str(arguments.get("lang", ENGLISH))
    game = GAMES.get(str(arguments.get("game", "")))
    node = Node(dict(arguments))
    try:
        if lang not in LANGUAGES:
            lang = ENGLISH
            node["lang"].one_of(LANGUAGES)
        if name not in TOOLS:
            Node(name, ("name",), node.problems).one_of(TOOLS)
        asking.raise_for_problems(node)
        return _result(TOOLS[name].answer(node, lang), failed=False)
    except Refused as refused:
        return _result(refusal_document(game, refused.problems, lang), failed=True)
    except Declined as declined:
        said = say(lang, f"cli.{declined.key}", file=declined.subject)
        return _result(problem_document("not-found", lang, detail=said), failed=True)


def _result(answer: Mapping[str, object], *, failed: bool) -> protocol.CallToolResult:
    text = json.dumps(answer, ensure_ascii=False)
    return protocol.CallToolResult(
        content=[protocol.TextContent(type="text", text=text)],
        structured_content=cast("dict[str, object]", json.loads(text)),
        is_error=failed,
    )


def _arguments(
    properties: Mapping[str, JsonSchema], required: list[str], parts: JsonSchema | None = None
) -> JsonSchema:
    return {
        "type": "object",
        "properties": {**properties, "lang": _LANGUAGE},
        "required": required,
        "additionalProperties": False,
        **({"$defs": parts} if parts else {}),
    }

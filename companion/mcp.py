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
from companion import library as asking
from companion.data import LANGUAGES
from companion.describe import inlined_schema, parameter_schemas, problem_document, refusal_document, requests_of
from companion.engine import shapes as s
from companion.engine.options import CODE_LENGTH
from companion.engine.problems import Refused
from companion.engine.shapes import JsonSchema, schema
from companion.games import GAMES
from companion.library import HouseRulesParameters, answer_search, whole_numbers
from companion.rulebook.answers import catalogue_answer
from companion.rulebook.pages import article_text
from companion.rulebook.search import index
from companion.rulebook.words import say

_INSTRUCTIONS: Final = """\
Scores, judges and explains card games that people play with real cards. Use `score` for points, `check` for whether a \
move is allowed, `moves` for what can be done, `rules` for the house rules that there are, `search` for a question \
about the rules, `explain` for an article that another answer names. A verdict is legal, illegal or undecided; \
undecided says what must be known. Answers name the article behind every point and verdict: cite it. Wrong input is \
answered with every problem and its JSON pointer.
"""
_ENGLISH: Final = "en"
_MOST_FOUND: Final = 20
_CARD_TEXT: Final = "Cards are written rank, then suit: `10H`."
_RULES_TEXT: Final = "House rules as a preset or a short code: the text has their numbers."
_HOST: Final = "127.0.0.1"
"""HTTP is served to this machine only: there is no log-in."""


class _Arguments(s.OpenShape[s.Attributes]):
    """What every tool takes."""

    lang = s.Word(LANGUAGES, "Language of the sentences.", default=_ENGLISH)


class _QuestionArguments(_Arguments):
    """What a question takes; the document lists the requests of each game."""

    game = s.Word(GAMES, "Which game.")
    request = s.Anything()


class _CatalogueArguments(_Arguments):
    """What `rules` takes."""

    game = s.Word(GAMES, "Which game.")


class _ArticleArguments(HouseRulesParameters, _Arguments):
    """What `explain` takes."""

    article = s.Text("The id of an article, as other answers name it.")
    rules = s.Text(_RULES_TEXT, most=CODE_LENGTH, optional=True)

    def game_of(self, data: s.Attributes, context: s.ReadContext) -> str | None:
        """Return the game of the article."""
        article: str = data["article"]
        return article.partition(".")[0]


class _SearchArguments(HouseRulesParameters, _Arguments):
    """What `search` takes."""

    query = s.Text("Words or a whole question, in any language.", most=200)
    game = s.Word(GAMES, "Look in this game first.", optional=True)
    rules = s.Text(_RULES_TEXT, most=CODE_LENGTH, optional=True)
    limit = s.Integer(low=1, high=_MOST_FOUND, default=5)


@dataclass(frozen=True, slots=True)
class _Tool:
    """A tool: what it is for, the shape of its arguments, and the answer to them. `answer` raises Refused."""

    name: str
    about: str
    takes: type[s.Shape[s.Attributes]]
    answer: Callable[[s.Attributes, str], Mapping[str, object]]
    inlined: Callable[[], JsonSchema] = dict
    """The arguments that are described beyond their shape, and what they refer to as `$defs`."""

    def schema(self) -> JsonSchema:
        """Describe the arguments."""
        inlined = self.inlined()
        return {
            "type": "object",
            "properties": {**parameter_schemas(self.takes), **inlined.get("properties", {})},
            "required": [name for name, field in schema(self.takes).load_fields.items() if field.required],
            "additionalProperties": False,
            **({"$defs": inlined["$defs"]} if inlined else {}),
        }


class _Declined(Exception):
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
        instructions=_INSTRUCTIONS,
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
    app = make_server().streamable_http_app(host=_HOST, stateless_http=True, json_response=True)
    uvicorn.run(app, host=_HOST, port=port, log_level="warning")


def _prepare_search() -> None:
    """Read what is searched while the client is still asking for the tools: it takes seconds."""

    def read() -> None:
        for lang in LANGUAGES:
            index(lang)

    Thread(target=read, name="search", daemon=True).start()


def _question(name: str, about: str, answering: asking.Answering) -> _Tool:
    """Return the tool for a question whose request each game has a shape for."""

    def inlined() -> JsonSchema:
        requests = {game.id: requests_of(game).get(name.capitalize()) for game in GAMES.values()}
        asked = {game: shape for game, shape in requests.items() if shape is not None}
        whole = inlined_schema(asked)
        game = {**parameter_schemas(_QuestionArguments)["game"], "enum": list(asked)}
        return {"properties": {"game": game, "request": whole["request"]}, "$defs": whole["$defs"]}

    def answer(asked: s.Attributes, lang: str) -> Mapping[str, object]:
        game = GAMES[asked["game"]]
        try:
            return answering(game, asked["request"], lang)
        except Refused as refused:
            placed = [replace(problem, pointer=("request", *problem.pointer)) for problem in refused.problems]
            raise Refused(placed) from None
        except asking.NotAsked:
            raise _Declined("not-asked", game.id) from None

    return _Tool(name, about, _QuestionArguments, answer, inlined)


def _explain(asked: s.Attributes, lang: str) -> Mapping[str, object]:
    try:
        return article_text(asked["article"], lang, asked["house"])
    except KeyError:
        raise _Declined("no-article", asked["article"]) from None


def _rules(asked: s.Attributes, lang: str) -> Mapping[str, object]:
    return catalogue_answer(GAMES[asked["game"]], lang)


def _search(asked: s.Attributes, lang: str) -> Mapping[str, object]:
    games = [asked["game"]] if asked["game"] else []
    return answer_search(asked["query"], lang, games=games, house=asked["house"], limit=asked["limit"])[0]


TOOLS: Final = {
    tool.name: tool
    for tool in (
        _question("score", "The points of a game from what was counted after each deal.", asking.answer_score),
        _question("check", "Whether a move is allowed: legal, illegal or undecided.", asking.answer_check),
        _question("moves", "What can be done in a position.", asking.answer_moves),
        _Tool(
            "rules", "The house rules of a game: presets, and options with their values.", _CatalogueArguments, _rules
        ),
        _Tool(
            "explain", "An article of the rule book in full, for a table's house rules.", _ArticleArguments, _explain
        ),
        _Tool("search", "The sentences of the rule book that answer a question.", _SearchArguments, _search),
    )
}


@lru_cache(maxsize=1)
def _described() -> tuple[protocol.Tool, ...]:
    hints = protocol.ToolAnnotations(read_only_hint=True, idempotent_hint=True, open_world_hint=False)
    return tuple(
        protocol.Tool(
            name=tool.name, description=f"{tool.about} {_CARD_TEXT}", input_schema=tool.schema(), annotations=hints
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
    lang = str(arguments.get("lang", _ENGLISH))
    game = GAMES.get(str(arguments.get("game", "")))
    lang = lang if lang in LANGUAGES else _ENGLISH
    try:
        tool = TOOLS[s.read(s.Word(TOOLS), name, ("name",))]
        asked = s.read(tool.takes, dict(arguments))
        return _result(tool.answer(asked, lang), failed=False)
    except Refused as refused:
        return _result(refusal_document(game, refused.problems, lang), failed=True)
    except _Declined as declined:
        said = say(lang, f"cli.{declined.key}", file=declined.subject)
        return _result(problem_document("not-found", lang, detail=said), failed=True)


def _result(answer: Mapping[str, object], *, failed: bool) -> protocol.CallToolResult:
    text = json.dumps(answer, ensure_ascii=False)
    return protocol.CallToolResult(
        content=[protocol.TextContent(type="text", text=text)],
        structured_content=cast("dict[str, object]", json.loads(text)),
        is_error=failed,
    )

"""A server of the Model Context Protocol: what assistants can ask, over standard input and output or HTTP.

The tools are the questions of the web API. An assistant reads all of their schemas before every conversation: these
are short, and `shape` describes a request on demand. Answers leave out what nobody asked about.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from threading import Thread
from typing import Final, cast

import anyio
import mcp_types as protocol
from mcp.server import Server
from mcp.server.context import ServerRequestContext
from mcp.server.stdio import stdio_server
from mcp.shared.message import SessionMessage

from companion import __version__, library
from companion.data import LANGUAGES
from companion.describe import (
    answers_of,
    extra_questions,
    inlined_schema,
    parameter_schemas,
    refusal_document,
    schema_name,
    summary_of,
)
from companion.engine import shapes as s
from companion.engine.game import AnswerShape
from companion.engine.options import CODE_LENGTH
from companion.engine.problems import Problem, Refused
from companion.engine.shapes import JsonSchema, schema, shape_schema
from companion.games import GAMES
from companion.rulebook.answers import AnswersShape, Json, LedgerShape, RulesDiffShape, catalogue_answer
from companion.rulebook.pages import ArticleTextShape
from companion.rulebook.search import index, instead
from companion.rulebook.words import Words, say, words

_INSTRUCTIONS: Final = """\
Scores, judges and explains card games that people play with real cards. `score` gives points, `check` says whether a \
move is allowed, `moves` what can be done, `replay` judges a recorded deal; before the first of each, ask `shape` how \
its request is written. `rules` lists house rules, `compare` says how two sets differ, `search` answers a question \
about the rules, `explain` gives an article that another answer names. A verdict is legal, illegal or undecided; \
undecided says what must be known. Answers name the article behind every point and verdict: cite it. Wrong input is \
answered with every problem and its JSON pointer. Cards are written rank, then suit: `10H`.
"""
_ENGLISH: Final = "en"
_MOST_WORDS: Final = 2_000
"""Characters of an answer in words."""
_HOST: Final = "127.0.0.1"
"""HTTP is served to this machine only: there is no log-in."""
_SITE: Final = os.environ.get("COMPANION_SITE_URL", "").rstrip("/")
"""The site to which an answer's links lead; without one they are left out, and articles have their ids."""


QUESTIONS: Final = ("score", "check", "moves", "replay", *extra_questions())


class _Arguments(s.Shape[s.Attributes]):
    """What every tool takes."""

    lang = s.Word(LANGUAGES, "Language of the sentences.", default=_ENGLISH)


class _QuestionArguments(_Arguments):
    """What a question takes."""

    game = s.Word(GAMES)
    request = s.Anything("As `shape` describes it; or its JSON text.", schema={"type": ["object", "string"]})


class _ScoreArguments(_QuestionArguments):
    """What `score` takes."""

    deal = s.Integer("The deal whose lines are wanted, from 1; without it, the last.", low=1, optional=True)


class _TableArguments(library.HouseRulesParameters, _Arguments):
    """What the tools take that know house rules."""

    class Meta(s.OpenShape.Meta):
        """Refuse keys that no argument has."""

        unknown = s.Shape.Meta.unknown

    rules = s.Text("House rules as a preset or a short code.", most=CODE_LENGTH, optional=True)


class _ShapeArguments(_Arguments):
    """What `shape` takes."""

    game = s.Word(GAMES)
    question = s.Word(QUESTIONS)


class _RulesArguments(_TableArguments):
    """What `rules` takes."""

    game = s.Word(GAMES)
    option = s.Text("One option in full; without it, all are listed with their values.", optional=True)


class _CompareArguments(_Arguments):
    """What `compare` takes."""

    game = s.Word(GAMES)
    one = s.Text("House rules as a preset or a short code.", most=CODE_LENGTH)
    other = s.Text(most=CODE_LENGTH)


class _ArticleArguments(_TableArguments):
    """What `explain` takes."""

    article = s.Text("The id of an article, as other answers name it.")

    def game_of(self, data: s.Attributes, context: s.ReadContext) -> str | None:
        """Return the game of the article."""
        return cast("str", data["article"]).partition(".")[0]


class _SearchArguments(_TableArguments):
    """What `search` takes."""

    query = s.Text("Words or a whole question, in any language.", most=200)
    game = s.Word(GAMES, "Look in this game first.", optional=True)
    limit = s.Integer(low=1, high=20, default=5)


class _ExplainAnswer(ArticleTextShape):
    """An article, and what holds in its place."""

    instead = s.Text("The article in force where this one is not played.", absent=True)


class _ShapeAnswer(AnswerShape):
    """How a request is written."""

    example = s.Keyed(s.Anything(), absent=True)
    schema = s.Keyed(s.Anything())


class _RulesAnswer(AnswerShape):
    """House rules: the values of a table, or one option in full."""

    code = s.Text()
    presets = s.Keyed(s.Text(), absent=True)
    options = s.Keyed(s.Anything(), absent=True)
    option = s.Keyed(s.Anything(), absent=True)


@dataclass(frozen=True, slots=True)
class _Tool:
    """A tool: what it is for, its arguments, its answer as any of some shapes, and what answers. Raises Refused."""

    name: str
    about: str
    takes: type[s.Shape[s.Attributes]]
    gives: tuple[type[s.Shape[s.Json]], ...]
    answer: Callable[[s.Attributes, str], Mapping[str, object]]

    def described(self) -> protocol.Tool:
        """Describe the tool, its arguments, and the keys of its answer."""
        fields = schema(self.takes).load_fields
        return protocol.Tool(
            name=self.name,
            description=self.about,
            input_schema={
                "type": "object",
                "properties": parameter_schemas(self.takes),
                "required": [name for name, field in fields.items() if field.required],
                "additionalProperties": False,
            },
            output_schema=_outline(self.gives),
            annotations=protocol.ToolAnnotations(read_only_hint=True, idempotent_hint=True, open_world_hint=False),
        )


def _outline(shapes: Sequence[type[s.Shape[s.Json]]]) -> JsonSchema:
    """Describe the keys that any of the shapes has, not what is in them: assistants read it before every question."""
    described = [shape_schema(shape, lambda inner: {"type": "object"}) for shape in shapes]
    keys = {name: part for each in described for name, part in each["properties"].items() if name not in _LEFT_OUT}
    always = set.intersection(*(set(each.get("required", ())) for each in described))
    return {
        "type": "object",
        "properties": {
            name: {key: part[key] for key in ("type", "enum") if key in part} for name, part in keys.items()
        },
        "required": [name for name in keys if name in always],
    }


_LEFT_OUT: Final = frozenset({"markdown"} if _SITE else {"markdown", "url"})
"""Keys of answers that an assistant has no use for: the same text with marks, addresses on no site."""


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
        passed, readable = anyio.create_memory_object_stream[SessionMessage | Exception]()
        async with stdio_server() as (received, sent), anyio.create_task_group() as tasks:

            async def read() -> None:
                async with passed:
                    async for message in received:
                        await (sent.send(_refused(message)) if isinstance(message, Exception) else passed.send(message))

            tasks.start_soon(read)
            await server.run(readable, sent, server.create_initialization_options())

    anyio.run(serve)


def _refused(fault: Exception) -> SessionMessage:
    """Return the answer to a line that is no message, which the protocol's server would leave without any."""
    faults: Sequence[Mapping[str, object]] = getattr(fault, "errors", list)()
    code = protocol.PARSE_ERROR if faults[0]["type"] == "json_invalid" else protocol.INVALID_REQUEST
    asked = next((each["input"] for each in faults if isinstance(each["input"], dict) and "id" in each["input"]), {})
    name = asked.get("id") if isinstance(asked.get("id"), str | int) else None
    error = protocol.ErrorData(code=code, message=str(faults[0]["msg"]))
    return SessionMessage(protocol.JSONRPCError(jsonrpc="2.0", id=name, error=error))


def serve_http(port: int) -> None:
    """Serve HTTP at `/mcp` on this machine until interrupted; other hosts and origins are refused."""
    import uvicorn

    _prepare_search()
    app = make_server().streamable_http_app(host=_HOST, stateless_http=True, json_response=True)
    uvicorn.run(app, host=_HOST, port=port, log_level="warning")


def _prepare_search() -> None:
    """Read what is searched while the client is still asking for the tools: it takes seconds."""
    Thread(target=lambda: list(map(index, LANGUAGES)), name="search", daemon=True).start()


def _question(name: str, about: str) -> _Tool:
    """Return the tool for a question whose answer is given as it is."""
    return _Tool(name, about, _QuestionArguments, _answers(name), partial(_answered, name))


def _answers(question: str) -> tuple[type[s.Shape[s.Json]], ...]:
    """Return the shape of the answer of each game that is asked a question."""
    name = "Verdict" if question == "check" else f"{schema_name(question)}Answer"
    return tuple(shape for game in GAMES.values() if (shape := answers_of(game).get(name)) is not None)


def _answered(question: str, asked: s.Attributes, lang: str) -> Json:
    """Return what a game answers to a request, which may be JSON text. Raises Refused."""
    game, request = GAMES[asked["game"]], asked["request"]
    try:
        if isinstance(request, str):
            request = library.json_value(request.encode())
        return library.answering(question)(game, request, lang)
    except json.JSONDecodeError:
        raise Refused([Problem(("request",), "type", {"expected": "object"})]) from None
    except library.Absent:
        raise
    except Refused as refused:
        raise Refused(replace(each, pointer=("request", *each.pointer)) for each in refused.problems) from None


def _score(asked: s.Attributes, lang: str) -> Json:
    """Return the ledger with the lines of one deal."""
    answer = _answered("score", asked, lang)
    number = asked["deal"] or len(answer["deals"])
    if number > len(answer["deals"]):
        raise Refused([Problem(("deal",), "unknown-deal", {"deal": number, "count": len(answer["deals"])})])
    for place, deal in enumerate(answer["deals"], start=1):
        for score in deal["sides"].values() if place != number else ():
            score.pop("lines", None)
    return answer


def _replay(asked: s.Attributes, lang: str) -> Json:
    """Return what a deal shows, with the verdicts on moves that were not legal, by their numbers from 1."""
    answer = _answered("replay", asked, lang)
    numbered = ({"number": number, **each} for number, each in enumerate(answer["verdicts"], start=1))
    return {**answer, "verdicts": [each for each in numbered if each["verdict"] != "legal"]}


def _shape(asked: s.Attributes, lang: str) -> Json:
    game, question = GAMES[asked["game"]], asked["question"]
    described = inlined_schema(game, question)
    if described is None:
        raise library.absent("question", question, (each for each in QUESTIONS if inlined_schema(game, each)))
    example = {"example": game.examples[question]} if question in game.examples else {}
    return {**example, "schema": described}


def _explain(asked: s.Attributes, lang: str) -> Json:
    article = library.article_named(asked["article"], lang, asked["house"])
    options = GAMES[article["game"]].options
    other = "" if article["played"] else instead(lang, article["id"], options.code(asked["house"] or options.preset()))
    return {**article, "instead": other} if other else article


def _rules(asked: s.Attributes, lang: str) -> Json:
    game = GAMES[asked["game"]]
    house, known = asked["house"] or game.options.preset(), catalogue_answer(game, lang)
    values, code = game.options.plain(house.options), {"code": game.options.code(house)}
    if (name := asked["option"]) is None:
        return {**code, "presets": {each["name"]: each["label"] for each in known["presets"]}, "options": values}
    option = next((each for each in known["options"] if each["name"] == name), None)
    if option is None:
        raise library.absent("option", name, values)
    return {**code, "option": {**option, "value": values[name]}}


def _compare(asked: s.Attributes, lang: str) -> Json:
    """Return what two sets of house rules play differently; each difference in words has the label of its option."""
    answer = library.answer_diff(GAMES[asked["game"]], {name: asked[name] for name in ("one", "other")}, lang)
    for difference in answer["differences"]:
        del difference["label"]
    return answer


def _search(asked: s.Attributes, lang: str) -> Json:
    games = [asked["game"]] if asked["game"] else []
    return library.answer_search(asked["query"], lang, games=games, house=asked["house"], limit=asked["limit"])[0]


TOOLS: Final = {
    tool.name: tool
    for tool in (
        _Tool("score", "The points of a game, from the counts of its deals.", _ScoreArguments, (LedgerShape,), _score),
        _question("check", "Whether a move is allowed: legal, illegal or undecided."),
        _question("moves", "What can be done in a position."),
        _Tool("replay", "What a recorded deal shows, move by move.", _QuestionArguments, _answers("replay"), _replay),
        *(_question(name, summary_of(name)) for name in extra_questions()),
        _Tool("shape", "How the request of a question is written: JSON Schema, and an example.", _ShapeArguments,
              (_ShapeAnswer,), _shape),
        _Tool("rules", "The house rules of a game: presets and options.", _RulesArguments, (_RulesAnswer,), _rules),
        _Tool("compare", "What two sets of house rules play differently.", _CompareArguments,
              (RulesDiffShape,), _compare),
        _Tool("explain", "An article of the rule book, for a table's house rules.", _ArticleArguments,
              (_ExplainAnswer,), _explain),
        _Tool("search", "The sentences of the rule book that answer a question.", _SearchArguments,
              (AnswersShape,), _search),
    )
}  # fmt: skip


async def _list_tools(
    context: ServerRequestContext[object], params: protocol.PaginatedRequestParams | None
) -> protocol.ListToolsResult:
    """Return every tool with the schemas of its arguments and its answer."""
    return protocol.ListToolsResult(tools=[tool.described() for tool in TOOLS.values()])


async def _call_tool(
    context: ServerRequestContext[object], params: protocol.CallToolRequestParams
) -> protocol.CallToolResult:
    """Return the answer of a tool, or the problem document of its arguments as an error that names every problem."""
    arguments = cast("dict[str, object]", library.whole_numbers(params.arguments or {}))
    return await anyio.to_thread.run_sync(call, params.name, arguments)


def call(name: str, arguments: Mapping[str, object]) -> protocol.CallToolResult:
    """Return the answer of a tool as a structure, and for assistants that read only text in words, or else as JSON."""
    lang = next((each for each in LANGUAGES if each == arguments.get("lang")), _ENGLISH)
    game = GAMES.get(str(arguments.get("game", "")))
    try:
        tool = TOOLS[s.read(s.Word(TOOLS), name, ("name",))]
        answer = tool.answer(s.read(tool.takes, dict(arguments)), lang)
    except Refused as refused:
        answer = refusal_document(game, refused.problems, lang)
    structure = cast("dict[str, object]", _without_links(answer))
    table = str(structure.get("game", game and game.id)) if arguments.get("rules") else ""
    said = _sentences(structure, words(game.id if game else "", lang), table)
    text = "" if _IN_WORDS.isdisjoint(structure) else "\n".join(dict.fromkeys(said))
    text = text if len(text) <= _MOST_WORDS else f"{text[:_MOST_WORDS]}…"
    return protocol.CallToolResult(
        content=[protocol.TextContent(type="text", text=text or json.dumps(structure, ensure_ascii=False))],
        structured_content=structure,
        is_error="errors" in structure,
    )


_IN_WORDS: Final = frozenset({"detail", "differences", "results", "standing", "text", "verdict", "verdicts"})
"""Keys of answers that sentences say in full."""


def _without_links(value: object) -> object:
    """Return a part of an answer as JSON, with links to the site if there is one, else without."""
    if isinstance(value, Mapping):
        kept = {key: _without_links(item) for key, item in value.items() if key not in _LEFT_OUT}
        return {key: _SITE + str(item) if key == "url" and item else item for key, item in kept.items()}
    if isinstance(value, list | tuple):
        return [_without_links(item) for item in value]
    return value if value is None or isinstance(value, str | int) else str(value)


def _sentences(value: object, own: Words, table: str) -> Iterator[str]:
    """Yield what an answer says in words, each with its article or place; `table` is the game of given house rules."""
    if isinstance(value, list):
        for each in value:
            yield from _sentences(each, own, table)
    elif isinstance(value, dict):
        if "standing" in value:
            yield ", ".join(f"{side} {each['total']}{_tallies(each, own)}" for side, each in value["standing"].items())
        if absent := value.get("played") is False:
            yield _not_played(value, own.lang, table)
        head, about = ([value[key] for key in keys if value.get(key)] for keys in (_HEADS, _SUBJECTS))
        if said := next((value[key] for key in _WORDS if isinstance(value.get(key), str)), ""):
            yield ": ".join([*map(str, head), *([f"{value['points']:+}"] if "points" in value else []), said]) + (
                f" [{about[0]}]" if about else ""
            )
        elif "verdict" in value:
            number = [str(value["number"])] if "number" in value else []
            yield ": ".join([*number, say(own.lang, f"verdict.{value['verdict']}")])
        for key, item in value.items():
            if isinstance(item, dict) and "lines" in item:
                yield f"{key} {item['points']:+}"
            if key != "examples" and not (absent and key == "options"):  # their values are those of other rules
                yield from _sentences(item, own, table)


def _tallies(standing: Mapping[str, int], own: Words) -> str:
    """Return what is kept beside a side's total."""
    tallies = [own.say(f"ledger.{name}", {"count": count}) for name, count in standing.items() if name != "total"]
    return f" ({', '.join(tallies)})" if tallies else ""


def _not_played(article: Json, lang: str, table: str) -> str:
    """Return that house rules, or the default ones of its game, do not play an article, and what they play instead."""
    game, other = GAMES[article["game"]], article.get("instead")
    own = words(game.id, lang)
    way = "" if game.id == table else own.preset_label(game.options.default_preset)
    absent = say(lang, "search.absent", way=way, title=article["title"], more=bool(other))
    return f"{absent} {own.title(other)} [{other}]" if other else absent


_WORDS: Final = ("text", "excerpt", "detail")
_HEADS: Final = ("pointer", "title", "label")
_SUBJECTS: Final = ("article", "id")

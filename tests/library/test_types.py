"""The types of the library, generated from the shapes: `companion/__init__.pyi` and `companion/types.pyi`.

`python -m tests.library.test_types` writes them anew.
"""

from __future__ import annotations

import inspect
import keyword
import re
import subprocess
import sys
import textwrap
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from companion import library
from companion.describe import game_prefix
from companion.engine.game import FACT, Game
from companion.engine.shapes import JsonSchema, shape_schema
from companion.games import GAMES
from companion.rulebook.answers import ErrorShape, WarningShape
from companion.web import create_app

PACKAGE = Path(library.__file__).parent
TYPES, FACADE = PACKAGE / "types.pyi", PACKAGE / "__init__.pyi"
REFERENCE = "#/components/schemas/"
PLAIN = {"integer": "int", "boolean": "bool", "null": "None", "number": "float"}
BUILT_IN = {game.id: game for game in GAMES.values()}


def described() -> dict[str, JsonSchema]:
    """The schemas of the API's document, with one for problems of every code, and what the library answers less."""
    app = create_app({"TESTING": True, "RATE_LIMIT": "off", "DATABASE": "memory:"})
    schemas: dict[str, JsonSchema] = app.test_client().get("/api/v1/openapi.json").get_json()["components"]["schemas"]
    for name, shape in (("Error", ErrorShape), ("Warning", WarningShape)):
        schemas[name] = shape_schema(
            shape, lambda of: {"$ref": REFERENCE + of.__name__.strip("_").removesuffix("Shape")}
        )
    for part in ("properties", "required"):
        found = schemas["Found"][part]
        found.pop("next") if isinstance(found, dict) else found.remove("next")
    del schemas["Problem"]["properties"]["events"]  # of sheets and groups, which the library does not keep
    return schemas


def without_words(schema: Any) -> Any:
    """A schema without what only documents."""
    if isinstance(schema, dict):
        kept = {key: item for key, item in schema.items() if key not in ("description", "example", "examples")}
        return {key: without_words(item) for key, item in kept.items() if not key.startswith("x-")}
    return [without_words(item) for item in schema] if isinstance(schema, list) else schema


class Module:
    """The types of schemas, and of all that they refer to."""

    def __init__(self, schemas: Mapping[str, JsonSchema]) -> None:
        self.schemas, self.written = schemas, dict[str, str]()
        self.tallies = sorted({name for game in GAMES.values() for name in game.paper_tallies})

    def of(self, schema: JsonSchema, *, answer: bool) -> str:
        """The type of a value; what is asked may be any sequence or mapping, an answer is a list or a dict."""
        if "$ref" in schema:
            return self.named(str(schema["$ref"]).removeprefix(REFERENCE))
        if without_words(schema) == without_words(FACT):
            return "Fact"
        if "const" in schema:
            return f"Literal[{schema['const']!r}]"
        if "enum" in schema:
            return f"Literal[{', '.join(map(repr, schema['enum']))}]"
        for key in ("anyOf", "oneOf"):
            if key in schema:
                return union(self.of(each, answer=answer) for each in schema[key])
        if isinstance(schema.get("type"), list):
            return union(self.of({**schema, "type": kind}, answer=answer) for kind in schema["type"])
        kind = schema.get("type")
        if kind == "array":
            return f"{'list' if answer else 'Sequence'}[{self.of(schema.get('items', {}), answer=answer)}]"
        if kind == "object":
            value = schema.get("additionalProperties", {})
            return f"{'dict' if answer else 'Mapping'}[str, {self.of(value or {}, answer=answer)}]"
        if kind == "string":
            pattern = schema.get("pattern", "")
            return (
                "CardText" if not answer and re.search(pattern, "9H") and not re.search(pattern or "$", "Z") else "str"
            )
        return PLAIN[kind] if kind else "Any" if answer else "object"

    def named(self, name: str) -> str:
        """The name of a schema, whose type is written."""
        if name in self.written:
            return name
        self.written[name] = ""
        schema = self.schemas[name]
        answer = "patternProperties" not in schema and schema.get("additionalProperties") is not False
        if "properties" not in schema or "patternProperties" in schema:
            self.written[name] = f"{name}: TypeAlias = {self.of(schema, answer=answer)}\n"
            return name
        keys = {
            key: self.of(each, answer=answer) if key in schema.get("required", ()) else
            f"NotRequired[{self.of(each, answer=answer)}]"
            for key, each in schema["properties"].items()
        }  # fmt: skip
        if answer and "additionalProperties" in schema:
            keys |= dict.fromkeys(self.tallies, "NotRequired[int]")
        about = docstring(schema.get("description", ""))
        if all(key.isidentifier() and not keyword.iskeyword(key) for key in keys):
            body = "".join(f"    {key}: {kind}\n" for key, kind in keys.items())
            self.written[name] = f"class {name}(TypedDict):\n{about}{body}"
        else:
            body = ", ".join(f"{key!r}: {kind}" for key, kind in keys.items())
            self.written[name] = f"{name} = TypedDict({name!r}, {{{body}}})\n"
        return name


def union(kinds: Iterable[str]) -> str:
    """Any of the types, None at the end."""
    parts = dict.fromkeys(part for kind in kinds for part in ([kind] if "[" in kind else kind.split(" | ")))
    return " | ".join(sorted(parts, key=lambda part: part == "None"))


def docstring(text: str) -> str:
    lines = textwrap.wrap(" ".join(text.split()), 110)
    if len(lines) < 2:
        return f'    """{text}"""\n' if text else ""
    return '    """' + "\n    ".join(lines) + '\n    """\n'


LANGUAGES = f"Literal[{', '.join(map(repr, library.LANGUAGES))}]"
TYPES_HEAD = f'''"""Requests and answers of the library, from the shapes: see `tests.library.test_types`."""

from collections.abc import Mapping, Sequence
from typing import Any, Literal, NotRequired, TypeAlias, TypedDict

from companion.engine.cards import Card

GameId: TypeAlias = Literal[{", ".join(map(repr, BUILT_IN))}]
Language: TypeAlias = {LANGUAGES}
CardText: TypeAlias = str | Card
Scalar: TypeAlias = str | int | bool | None
Fact: TypeAlias = Scalar | list[Scalar | list[Scalar]] | dict[str, Scalar | list[Scalar | list[Scalar]]]

'''


def generated() -> dict[Path, str]:
    """The text of both modules."""
    module = Module(described())
    module.named("Problem")
    facade = "".join(functions(module))
    houses = " | ".join(module.named(f"{game_prefix(game)}HouseRules") for game in BUILT_IN)
    head = TYPES_HEAD + f"HouseRulesRequest: TypeAlias = {houses}\n"
    types = head + "\n".join(module.written[name] for name in sorted(module.written))
    return {TYPES: formatted(types, TYPES), FACADE: formatted(facade, FACADE)}


def formatted(text: str, path: Path) -> str:
    command = [sys.executable, "-m", "ruff", "format", "--stdin-filename", str(path), "-"]
    return subprocess.run(command, input=text, capture_output=True, text=True, check=True).stdout


def functions(module: Module) -> Iterator[str]:
    """The facade: its objects as they are, its functions with the types of each game."""
    own = [name for name in library.__all__ if not inspect.isfunction(getattr(library, name))]
    constants = {"GAMES": "Mapping[types.GameId, Game]", "LANGUAGES": "tuple[types.Language, ...]"}
    yield f'"""{(PACKAGE / "__init__.py").read_text("utf-8").split(chr(34) * 3)[1]}"""\n\n'
    yield "# From the shapes: `python -m tests.library.test_types` writes this.\n\n"
    yield "from collections.abc import Mapping\nfrom typing import Any, Final, Literal, TypeAlias, overload\n\n"
    yield "from companion import types\nfrom companion.engine.game import ScoreRequest\n"
    yield from (f"from companion.library import {name} as {name}\n" for name in own if name not in constants)
    yield f"\n__all__ = {library.__all__!r}\n__version__: Final[str]\n"
    yield from (f"{name}: Final[{kind}]\n" for name, kind in constants.items())
    yield "_House: TypeAlias = str | HouseRules[Any] | types.HouseRulesRequest\n\n"
    for name in library.__all__:
        if name not in own:
            yield from signatures(name, module)


SHAPES = {
    "score": ("Score", "Ledger"), "check": ("Check", "Verdict"), "moves": ("Moves", "MovesAnswer"),
    "replay": ("Replay", "ReplayAnswer"), "rules": ("HouseRules", "Rules"), "diff": ("HouseRules", "RulesDiff"),
    "ledger": ("Score", ""), "judge": ("Check", ""), "verify_witness": ("Check", ""),
    "article": ("", "ArticleText"), "book": ("", "BookText"), "search": ("", "Found"), "glossary": ("", "Term"),
}  # fmt: skip
"""What each function takes and returns, behind the name of the game or without it."""


def signatures(name: str, module: Module) -> Iterator[str]:
    """The declarations of a function, one for each game that has types of its own."""
    extras = [(game, question) for game in BUILT_IN.values() for question in game.extra]
    if name in ("ask", "demand"):
        asked = [each for each in extras if name in ("ask", each[1])]
        cases = [(game, own_name(question), f"{own_name(question)}Answer", question) for game, question in asked]
    elif SHAPES[name][0]:
        takes = SHAPES[name][0]
        asked_of = [game for game in BUILT_IN.values() if game_prefix(game.id) + takes in module.schemas]
        cases = [(game, *SHAPES[name], "") for game in asked_of]
    else:
        cases = [(None, *SHAPES[name], "")]
    about = f'"""{inspect.getdoc(getattr(library, name))}"""'
    for place, (game, takes, gives, question) in enumerate(cases):
        yield "@overload\n" if len(cases) > 1 else ""
        yield declared(name, module, game, takes, gives, question)
        yield " ...\n" if place else "\n" + textwrap.indent(about, "    ") + "\n"


def own_name(question: str) -> str:
    return "".join(word.capitalize() for word in question.replace("_", "-").split("-"))


def declared(name: str, module: Module, game: Game | None, takes: str, gives: str, question: str) -> str:
    function = getattr(library, name)
    prefix = game_prefix(game.id) if game else ""
    own = prefix + gives if prefix + gives in module.schemas else gives
    answer = f"types.{module.named(own)}" if gives else inspect.signature(function).return_annotation
    house = f"str | HouseRules[Any] | types.{module.named(prefix + 'HouseRules')}" if game else "_House"
    kinds = {
        "game": f"Literal[{game.id!r}]" if game else "types.GameId",
        "question": f"Literal[{question!r}]",
        "lang": "types.Language", "house": house, "one": house, "other": house, "rules": house,
    }  # fmt: skip
    if name == "search":
        kinds["game"] += " | Literal['']"
    if takes and takes != "HouseRules":
        kinds["answer"] = f"types.{module.named(prefix + 'Verdict')} | types.{module.named('Problem')}"
        kinds["request"] = f"types.{module.named(prefix + takes)}" + (" | ScoreRequest" if takes == "Score" else "")
    parameters = []
    for parameter in inspect.signature(function).parameters.values():
        default = "" if parameter.default is parameter.empty else " = ..."
        if parameter.kind is parameter.KEYWORD_ONLY and "*" not in parameters:
            parameters.append("*")
        parameters.append(f"{parameter.name}: {kinds.get(parameter.name, parameter.annotation)}{default}")
    answer = f"list[{answer}]" if name == "glossary" else answer
    return f"def {name}({', '.join(parameters)}) -> {answer}:"


def test_the_types_are_those_of_the_shapes() -> None:
    for path, text in generated().items():
        assert path.read_text("utf-8") == text, f"python -m tests.library.test_types writes {path.name} anew"


RIGHT = """
import companion
from companion import types

evening: types.SpadesScore = {
    "game": "spades",
    "title": "Friday",
    "rules": {"preset": "classic", "options": {"bag_penalty": 50}},
    "sides": ["NS", {"id": "EW", "players": ["East", "West"]}],
    "opening": {"NS": {"total": 200, "bags": 8}},
    "deals": [
        {"NS": {"bid": 4, "tricks": 7}, "EW": {"bid": 5, "tricks": 6, "nils": [{"call": "nil", "tricks": 0}]}},
        {"void": True},
    ],
}
result = companion.score("spades", evening, lang="ja")
points: int = result["standing"]["NS"]["total"] + result["deals"][0]["sides"]["NS"].get("bags", 0)
articles: list[str] = [line["article"] for line in result["deals"][0]["sides"]["NS"]["lines"]]
verdict = companion.check(
    "casino",
    {
        "position": {"seats": ["P1", "P2"], "player": "P1", "table": ["9H", companion.Card("5", "C")], "builds": []},
        "move": {"type": "turn", "plays": [{"play": "capture", "card": "9S", "table": ["9H"]}]},
    },
)
for breach in verdict["breaches"] if verdict["verdict"] == "illegal" else ():
    print(breach["article"], breach["text"])
for game in companion.GAMES:
    print(companion.rules(game)["summary"], companion.book(game, lang="en")["sections"][0]["title"])
try:
    companion.replay("spades", {"seats": ["A", "B", "C", "D"], "plays": [{"seat": "A", "card": "9H"}]})
except companion.InvalidInput as refused:
    codes: list[str] = [error["code"] for error in refused.errors] + [refused.document["detail"]]
first = companion.search("bags", game="spades", rules="classic")["results"][0]["title"]
"""
WRONG = """
import companion

companion.score("spades", {"sides": ["A", "B"], "deels": []})  # wrong
companion.score("spdes", {"sides": ["A", "B"], "deals": []})  # wrong
companion.score("spades", {"sides": ["A", "B"], "deals": []}, lang="de")  # wrong
result = companion.score("spades", {"sides": ["A", "B"], "deals": []})
print(result["standng"])  # wrong
companion.rules("casino", {"options": {"bag_penalty": 50}})  # wrong
companion.score("spades", {"sides": ["A", "B"], "deals": [{"A": {"bid": "four", "tricks": 5}}]})  # wrong
"""


@pytest.mark.slow
def test_a_strict_checker_finds_every_mistake_of_a_program_and_no_other(tmp_path: Path) -> None:
    """And none in what the pages show."""
    for name, program in (("right", RIGHT), ("wrong", WRONG)):
        (tmp_path / f"{name}.py").write_text(program, "utf-8")
    command = [sys.executable, "-m", "mypy", "--strict", "--config-file=", "--cache-dir", str(tmp_path / "cache")]
    root = PACKAGE.parent
    for page in (*root.glob("README*.md"), *(root / "docs").glob("library*.md")):
        for number, program in enumerate(re.findall(r"```python\n(.*?)```", page.read_text("utf-8"), re.S)):
            (tmp_path / f"{page.name.replace('.', '_')}_{number}.py").write_text(program, "utf-8")
    files = [str(file) for file in tmp_path.glob("*.py")]
    assert len(files) == 12
    done = subprocess.run([*command, *files], cwd=PACKAGE.parent, capture_output=True, text=True)
    reported = re.findall(r"(\w+)\.py:(\d+): error", done.stdout)
    lines = enumerate(WRONG.splitlines(), start=1)
    wrong = [("wrong", str(number)) for number, line in lines if line.endswith("# wrong")]
    assert sorted(set(reported)) == sorted(wrong), done.stdout + done.stderr
    assert len(wrong) == 6


if __name__ == "__main__":
    for path, text in generated().items():
        path.write_text(text, "utf-8")

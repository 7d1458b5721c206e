"""The functions behind `import companion`: score, judge and look up rules with plain dictionaries.

Every function takes the id of a game and the request that the web API takes in its place, and returns what the web API
answers. `lang` is the language of the sentences; codes and article ids are the same in every language. Input that is
unreadable or impossible raises InvalidInput with every problem, its code and its JSON pointer.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from copy import deepcopy
from dataclasses import replace
from difflib import get_close_matches
from functools import partial
from typing import TYPE_CHECKING, Final, TypeAlias, TypeVar, cast

from companion.data import LANGUAGES
from companion.engine.cards import Card, quoted
from companion.engine.game import (
    WITNESS,
    Game,
    ScoreRequest,
    only_facts,
    request_node,
    score_request,
    with_smallest_facts,
)
from companion.engine.game import score as score_value
from companion.engine.ledger import Ledger
from companion.engine.options import CODE_LENGTH, HouseRules
from companion.engine.problems import JsonObject, Node, Pointer, Problem, Refused, read_whole
from companion.engine.shapes import (
    LEAST_READ,
    MOST_READ,
    Attributes,
    Integer,
    OpenShape,
    ReadContext,
    Text,
    read,
    read_at,
)
from companion.engine.verdict import Verdict
from companion.games import GAMES, default_game

if TYPE_CHECKING:
    from companion.describe import Members
    from companion.rulebook.answers import Json
    from companion.types import Error
    from companion.types import Problem as ProblemDocument

__all__ = [
    "GAMES", "LANGUAGES", "Card", "Game", "HouseRules", "InvalidInput", "Ledger", "NotFound", "Problem", "Verdict",
    "article", "ask", "book", "check", "demand", "diff", "glossary", "judge", "ledger", "moves", "replay", "rules",
    "score", "search", "verify_witness",
]  # fmt: skip

_Request: TypeAlias = Mapping[str, object]
_Rules: TypeAlias = str | Mapping[str, object] | HouseRules[object]
"""House rules: a preset or short code, an object with `preset` and `options`, or what `GAMES[game].options` builds."""


class InvalidInput(ValueError):
    """A request that is unreadable or impossible. `problems` has every fault; str() says them in sentences."""

    def __init__(self, game: str, problems: tuple[Problem, ...], lang: str) -> None:
        super().__init__(game, problems, lang)  # what pickles it
        self.game, self.problems = game, problems
        from companion.describe import refusal_document

        self.document = cast("ProblemDocument", refusal_document(GAMES.get(game), problems, lang))
        """The problem document that the web API answers."""

    def __str__(self) -> str:
        return "; ".join(f"{each['pointer'] or '/'}: {each['detail']}" for each in self.errors)

    @property
    def errors(self) -> list[Error]:
        """The problems as JSON: `pointer`, `code`, `detail`, and where they are known `article`, `facts`, `allowed`."""
        return self.document["errors"]


class NotFound(LookupError):
    """A game, an article or a language that is not here, or a question that a game does not answer."""


def score(game: str, request: _Request | ScoreRequest, *, lang: str = "en") -> Json:
    """Return the ledger of a game: every deal with its lines, the standing of each side, the outcome.

    Points are whole numbers; each line of points has the article that gives them. Raises InvalidInput, NotFound.
    """
    from companion.rulebook.answers import score_answer

    with _refusals(game, lang) as known:
        return score_answer(known, _ledger(known, request), lang)


def ledger(game: str, request: _Request | ScoreRequest) -> Ledger:
    """Return the ledger of a game as an object without sentences. Raises InvalidInput, NotFound."""
    with _refusals(game, "en") as known:
        return _ledger(known, request)


def check(game: str, request: _Request, *, lang: str = "en") -> Json:
    """Return the verdict on `move` in `position`: `legal`, `illegal` or `undecided`, with the articles.

    An illegal move is an answer, not an error. Raises InvalidInput, NotFound.
    """
    return ask(game, "check", request, lang=lang)


def judge(game: str, request: _Request) -> Verdict:
    """Return the verdict on a move as an object without sentences. Raises InvalidInput, NotFound."""
    with _refusals(game, "en") as known:
        return judge_request(known, _plain(request))


def verify_witness(game: str, request: _Request, answer: JsonObject) -> bool | None:
    """Return whether the witness in the answer of `check` shows its verdict; None where the game does not check it.

    The request is the one that was answered. Another program than the judge counts the cards again. Of a refused
    position the answer is the problem document: the facts that its witness names must contradict each other. What
    shows nothing is False. Raises InvalidInput for a request that is unreadable, NotFound, TypeError.
    """
    with _refusals(game, "en") as known:
        asked, given = cast("JsonObject", _plain(request)), _plain(answer)
        if not isinstance(given, dict):
            raise TypeError(f"answer must be an object that `check` returns: {type(answer).__name__}")
        if known.verify is None:
            return None
        verdict, proof = cast("tuple[str, JsonObject]", (given.get("verdict"), given.get("witness")))
        facts: list[str] = []
        if "errors" in given:
            try:
                facts = [fact for error in given["errors"] for fact in error.get("witness", {}).get("facts", ())]
            except (AttributeError, TypeError):
                return False
            if not facts:
                return None
        elif verdict not in ("legal", "illegal", "undecided") or not isinstance(proof, dict) or "seat" not in proof:
            return None if proof == {"worlds": "none"} else False
        try:
            if facts:
                return known.verify(only_facts(asked, facts), "impossible", {})
            return known.verify(asked, verdict, proof)
        except (AttributeError, LookupError, TypeError, ValueError):
            judge_request(known, asked)  # a request that cannot be read
            known.verify(asked, verdict, {})  # a fault of the checker, which fails without a witness too
            return False


def moves(game: str, request: _Request, *, lang: str = "en") -> Json:
    """Return what can be done in `position`. Raises InvalidInput, NotFound."""
    return ask(game, "moves", request, lang=lang)


def replay(game: str, request: _Request, *, lang: str = "en") -> Json:
    """Return a verdict on each move of a recorded deal, what it shows in retrospect, and its `result` for `score`.

    Raises InvalidInput, NotFound.
    """
    return ask(game, "replay", request, lang=lang)


def ask(game: str, question: str, request: _Request, *, lang: str = "en") -> Json:
    """Return the answer to a question that only some games answer. Raises InvalidInput, NotFound."""
    with _refusals(game, lang, question=question) as known:
        return answering(question)(known, _plain(request), lang)


def demand(game: str, request: _Request, *, lang: str = "en") -> Json:
    """Return whether others may demand that a player takes more with a card. Raises InvalidInput, NotFound."""
    return ask(game, "demand", request, lang=lang)


def rules(game: str, house: _Rules = "", *, lang: str = "en") -> Json:
    """Return house rules written out: every option, the short code, a summary in each language, warnings.

    Without `house` they are those of the default preset. Raises InvalidInput, NotFound.
    """
    from companion.rulebook.answers import rules_answer

    with _refusals(game, lang) as known:
        return rules_answer(known, _house(known, house), lang)


def diff(game: str, one: _Rules, other: _Rules, *, lang: str = "en") -> Json:
    """Return what two sets of house rules play differently. Raises InvalidInput, NotFound."""
    from companion.rulebook.answers import diff_answer

    with _refusals(game, lang) as known:
        return diff_answer(known, _house(known, one), _house(known, other), lang)


def article(name: str, *, rules: _Rules = "", lang: str = "en") -> Json:
    """Return an article of the rule book by its id, with the numbers of a table: title, text, options, source.

    A retired id is answered with its successor. Raises InvalidInput, NotFound.
    """
    _check_texts(name=name)
    with _refusals(name.partition(".")[0], lang) as game:
        return deepcopy(article_named(name, lang, _house(game, rules) if rules else None))


def book(game: str, *, rules: _Rules = "", lang: str = "en") -> Json:
    """Return the book of a game; with `rules` what that table plays, and its numbers. Raises InvalidInput, NotFound."""
    from companion.rulebook.pages import book_text

    with _refusals(game, lang) as known:
        return deepcopy(book_text(known, lang, _house(known, rules) if rules else None))


def glossary(*, lang: str = "en") -> list[Json]:
    """Return the terms of all games in the order of their page. Raises NotFound for an unknown language."""
    from companion.rulebook.pages import glossary as glossary_text

    _check_language(lang)
    return cast("list[Json]", glossary_text(lang)["terms"])


def search(query: str, *, game: str = "", rules: _Rules = "", limit: int = 20, lang: str = "en") -> Json:
    """Return the articles and options that answer a question in words, the best first.

    With `game`, others only where that one has no answer; with its `rules` the answers have their numbers. Raises
    InvalidInput, NotFound, and TypeError for rules without a game.
    """
    if rules and not game:
        raise TypeError("rules are those of a game: name it")
    with _refusals(game or default_game().id, lang, query=query) as known:
        most = read(_LIMIT, _plain(limit), ("limit",))
        house = _house(known, rules) if rules else None
        return answer_search(query, lang, games=[game] if game else (), house=house, limit=most)[0]


@contextmanager
def _refusals(name: str, lang: str, **texts: str) -> Iterator[Game]:
    """Yield a game by its id; turn what it refuses into InvalidInput. Raises NotFound; TypeError for wrong types."""
    _check_language(lang)
    _check_texts(game=name, **texts)
    try:
        game = GAMES[name]
    except KeyError:
        raise NotFound(f"there is no game {name!r}, only {', '.join(GAMES)}") from None
    try:
        yield game
    except Absent as fault:
        raise NotFound(InvalidInput("", fault.problems, lang).document["detail"]) from None
    except Refused as refused:
        raise InvalidInput(game.id, refused.problems, lang) from None


def _check_language(lang: str) -> None:
    _check_texts(lang=lang)
    if lang not in LANGUAGES:
        raise NotFound(f"there is no language {lang!r}, only {', '.join(LANGUAGES)}")


def _check_texts(**texts: object) -> None:
    for name, value in texts.items():
        if not isinstance(value, str):
            raise TypeError(f"{name} must be a text: {type(value).__name__}")


def _ledger(game: Game, request: _Request | ScoreRequest) -> Ledger:
    if isinstance(request, ScoreRequest):
        return score_request(game, request._replace(house=_house(game, request.house)))
    return score_value(game, _plain(request))[1]


def _house(game: Game, given: _Rules) -> HouseRules[object]:
    """Return house rules in any of the ways to write them. Raises Refused, TypeError for those of another game."""
    if isinstance(given, HouseRules):
        if not isinstance(given.options, game.options.rules_type):
            raise TypeError(f"these house rules are not those of {game.id}: {given.preset}")
        return given
    if given == "":
        return game.options.preset()
    return read_whole(_plain(given), lambda node: read_house(game, node))


def _plain(value: object, depth: int = 0) -> object:
    """Return a value as JSON has it: objects are dicts, lists are lists, cards are their codes, 8.0 is 8.

    Raises Refused for what is nested too deeply, TypeError for what JSON does not have.
    """
    if depth > _MOST_DEPTH:
        raise Refused([Problem((), "depth", {"most": _MOST_DEPTH})])
    if isinstance(value, _AS_IT_IS):  # most values of a request
        return value
    if isinstance(value, Mapping):
        for key in value:
            if not isinstance(key, str):
                _check_texts(key=key)
        return {key: _plain(item, depth + 1) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(item, depth + 1) for item in value]
    if isinstance(value, float):
        return _whole_number(value)
    if isinstance(value, Card):
        return str(value)
    raise TypeError(f"JSON has no value of type {type(value).__name__}")


_AS_IT_IS: Final = (str, int, type(None))  # a union would be made anew for each value
_T = TypeVar("_T")
Answering: TypeAlias = "Callable[[Game, object, str], Json]"
"""The answer to a request in a language. Raises Refused, or Absent for a question that a game does not answer."""
_CODE: Final = Text("House rules as a preset or a short code.", most=CODE_LENGTH)
_LIMIT: Final = Integer("Results of a search.", low=1, high=10_000)
_MOST_DEPTH: Final = 100
"""Levels of objects and lists in a request."""


class Absent(Refused):
    """A game, an article or an address that is not here, or a question that a game does not answer."""


def absent(what: str, value: str, choices: Iterable[str]) -> Absent:
    """Return the refusal of a name that is none of the choices."""
    return Absent([Problem((what,), "choice", {"value": quoted(value), "choices": list(choices)})])


def article_named(name: str, lang: str, house: HouseRules[object] | None) -> Json:
    """Return an article by its id, as a table plays it. Raises Absent with the ids that are near."""
    from companion.rulebook.pages import article_text

    try:
        return article_text(name, lang, house)
    except KeyError:
        known = [article.id for game in GAMES.values() for article in game.articles]
        raise absent("article", name, get_close_matches(name, known, 5, 0)) from None


def not_asked(game: Game, question: str) -> Absent:
    """Return the refusal of a question that a game does not answer, with the games that do."""
    known = ({"check": each.judge, **_questions(each)}.get(question) and each.id for each in GAMES.values())
    return absent("game", game.id, filter(None, known))


def _questions(game: Game) -> Mapping[str, Callable[[object, Node], JsonObject] | None]:
    """Return what answers the questions about a whole request."""
    return {"moves": game.moves, "replay": game.replay, **game.extra}


def answering(question: str) -> Answering:
    """Return the function that answers a question, by its name in the API."""
    known: dict[str, Answering] = {
        "score": answer_score, "check": answer_check, "replay": answer_replay, "rules": answer_rules,
    }  # fmt: skip
    return known.get(question) or partial(_answer_question, question)


def answer_score(game: Game, value: object, lang: str) -> Json:
    """Return the ledger of a score request."""
    from companion.rulebook.answers import score_answer

    return score_answer(game, score_value(game, value)[1], lang)


def answer_check(game: Game, value: object, lang: str) -> Json:
    """Return the verdict on one move in a position."""
    from companion.rulebook.answers import check_answer, witness_answer

    if not isinstance(value, dict) or value.get("witness") is not True:
        return check_answer(game, judge_request(game, value), lang)
    try:
        verdict = judge_request(game, value)
    except Refused as refused:
        raise type(refused)(with_smallest_facts(refused, value, partial(judge_request, game))) from None
    return check_answer(game, verdict, lang) | {"witness": witness_answer(game, verdict, lang)}


def judge_request(game: Game, value: object) -> Verdict:
    """Return the verdict on the request of a check, without words. Raises Absent if the game judges nothing."""
    node, judge = request_node(game, value), game.judge
    if judge is None:
        raise not_asked(game, "check")
    node.object(required=("position", "move"), optional=("rules", "witness"))
    if "witness" in node:
        read_at(node["witness"], WITNESS)
    return _ask(game, lambda rules, node: judge(rules, node["position"], node["move"]), node)


def answer_replay(game: Game, value: object, lang: str) -> Json:
    """Return a verdict on each move of a recorded deal, and findings. Raises Absent if the game replays nothing."""
    if not isinstance(value, dict) or "witness" not in value:
        return _answer_question("replay", game, value, lang)
    asked = read(WITNESS, value["witness"], ("witness",))
    answer = _answer_question("replay", game, {key: value[key] for key in value if key != "witness"}, lang)
    for finding in answer["findings"] if asked else ():
        if "card" in finding:
            play = {key: finding[key] for key in ("seat", "trick", "turn", "card") if key in finding}
            finding["witness"] = {"plays": [play, *([finding["shown_by"]] if finding.get("shown_by") else [])]}
    return answer


def _answer_question(question: str, game: Game, value: object, lang: str) -> Json:
    """Return what a game answers to a question about a whole request. Raises Absent if it does not answer it."""
    asked = _questions(game).get(question)
    if asked is None:
        raise not_asked(game, question)
    from companion.rulebook.answers import localize

    return cast("Json", localize(game, _ask(game, asked, request_node(game, value)), lang))


def answer_rules(game: Game, value: object, lang: str) -> Json:
    """Return house rules written out; `value` has them under `rules`, or their short code under `code`."""
    node = Node(value)
    node.object(optional=("rules", "code"))
    if node["code"].present and node["rules"].present:
        node["code"].fault("unknown-key", contextual=True, key="code")
    house = read_house(game, node["code"] if node["code"].present else node["rules"])
    node.raise_for_problems()
    from companion.rulebook.answers import rules_answer

    return rules_answer(game, house, lang)


def answer_diff(game: Game, value: object, lang: str) -> Json:
    """Return what two sets of house rules, `one` and `other`, play differently."""
    node = Node(value)
    node.object(required=("one", "other"))
    one, other = read_house(game, node["one"]), read_house(game, node["other"])
    node.raise_for_problems()
    from companion.rulebook.answers import diff_answer

    return diff_answer(game, one, other, lang)


def read_house(game: Game, node: Node) -> HouseRules[object]:
    """Return house rules written as an object or as a short code; none are the default preset."""
    if not isinstance(node.value, str):
        return game.options.read(node)
    try:
        return game.options.decode(read(_CODE, node.value, node.pointer), pointer=node.pointer)
    except Refused as refused:
        node.problems.extend(refused.problems)
        return game.options.preset()


def _ask(game: Game, question: Callable[[object, Node], _T], node: Node) -> _T:
    house = game.options.read(node["rules"])
    node.raise_for_problems()
    answer = question(house.options, node)
    node.raise_for_problems()
    return answer


_CONSTANT: Final = re.compile(r'"(?:[^"\\]|\\.)*"?|(NaN|-?Infinity)', re.DOTALL)
"""Texts, and the numbers that JSON has not."""
_FRACTION: Final = re.compile(rb"[0-9][.eE]")
"""What every number with a fraction or an exponent contains."""


def json_value(text: bytes) -> object:
    """Return the value of a JSON text. Raises JSONDecodeError if it is not JSON, Refused for duplicate keys."""
    try:
        value = json.loads(text.decode(), parse_constant=_refuse_constant, object_pairs_hook=_object)
    except json.JSONDecodeError:
        raise
    except UnicodeDecodeError as fault:
        raise not_text(fault) from None
    except (RecursionError, ValueError) as fault:  # nested too deeply, NaN, numbers of thousands of digits
        doc = text.decode()
        place = next((found.start() for found in _CONSTANT.finditer(doc) if found[1]), 0)
        raise json.JSONDecodeError(str(fault), doc, place) from None
    if doubled := _repeated(value):
        raise Refused(doubled)
    return whole_numbers(value) if may_have_fractions(text) else value


def not_text(fault: UnicodeDecodeError) -> json.JSONDecodeError:
    """Return the error of a JSON text that is not UTF-8, at the first byte that is none."""
    before = fault.object[: fault.start].decode()
    return json.JSONDecodeError(str(fault), before, len(before))


def may_have_fractions(text: bytes) -> bool:
    """Return False if no number of a JSON text has a fraction or an exponent."""
    return _FRACTION.search(text) is not None


def whole_numbers(value: object) -> object:
    """Return a JSON value whose numbers without a fractional part are integers, as JSON Schema counts them.

    Objects and lists are changed in place. Numbers too large to be exact stay as they are.
    """
    holder = [value]
    waiting: list[dict[str, object] | list[object]] = [holder]
    for each in waiting:
        entries: Iterable[tuple[object, object]] = each.items() if isinstance(each, dict) else enumerate(each)
        for place, item in entries:
            if isinstance(item, dict | list):
                waiting.append(item)
            elif isinstance(item, float):
                each[place] = _whole_number(item)  # type: ignore[index, call-overload]  # a place of its own entries
    return holder[0]


def _whole_number(value: float) -> float:
    """Return the integer that a number is, or the number itself if it has a fraction or is too large to be exact."""
    return int(value) if LEAST_READ <= value <= MOST_READ and value.is_integer() else value


def _refuse_constant(word: str) -> None:
    """NaN and Infinity are no JSON."""
    raise ValueError(word)


def duplicate_keys(text: bytes) -> list[Problem]:
    """Return a problem (`duplicate-key`) for each duplicate key of a JSON text."""
    try:
        return _repeated(json.loads(text, object_pairs_hook=_object))
    except RecursionError:
        return [Problem((), "depth", {"most": _MOST_DEPTH})]


class _Repeated(dict[str, object]):
    """An object whose text has duplicate keys."""

    twice: frozenset[str]


def _object(pairs: list[tuple[str, object]]) -> dict[str, object]:
    value = dict(pairs)
    if len(value) == len(pairs):
        return value
    repeated = _Repeated(value)
    repeated.twice = frozenset(key for key, count in Counter(key for key, _ in pairs).items() if count > 1)
    return repeated


def _repeated(value: object) -> list[Problem]:
    found: list[Problem] = []
    waiting: list[tuple[Pointer, object]] = [((), value)]
    for pointer, each in waiting:
        if isinstance(each, _Repeated):
            found += [Problem((*pointer, key), "duplicate-key", {"key": key}) for key in each if key in each.twice]
        if isinstance(each, dict):
            waiting += [((*pointer, key), item) for key, item in each.items()]
        elif isinstance(each, list):
            waiting += [((*pointer, place), item) for place, item in enumerate(each)]
    return found


def answer_line(
    game: Game,
    line: bytes | None,
    number: int,
    lang: str,
    answering: Answering,
    parse: Callable[[bytes], object] = json_value,
) -> dict[str, object]:
    """Return the answer to a line, or its problem document; None stands for a line that was too long.

    `parse` reads JSON; it raises JSONDecodeError or Refused.
    """
    from companion.describe import problem_document, refusal_document

    named: Members = {"line": number}
    if line is None:
        return problem_document("too-large", lang, **named)
    try:
        request = parse(line.rstrip(b"\r\n"))  # what is cut off ends on this line, not on the next
        if isinstance(request, dict) and "id" in request:
            named["id"] = read(_LINE_ID, request.pop("id"), ("id",))
        return {**named, **answering(game, request, lang)}
    except json.JSONDecodeError as fault:
        named["column"] = fault.colno
        return problem_document("malformed-json", lang, **named)
    except Refused as refused:
        return refusal_document(game, refused.problems, lang, **named)


_LINE_ID: Final = Text("What the client calls the line.", most=100)


def answer_search(
    query: str,
    lang: str,
    *,
    games: Sequence[str],
    house: HouseRules[object] | None,
    kinds: Sequence[str] = (),
    limit: int,
    passed: int = 0,
) -> tuple[Json, bool]:
    """Return what answers a query, from the result after `passed` on, and whether there is more.

    `house` are rules of the one game in `games`.
    """
    from companion.rulebook import search as book

    found = book.search(lang, query, games=games, house=house, kinds=kinds, limit=passed + limit + 1)
    page = replace(found, hits=found.hits[passed : passed + limit])
    return book.found_answer(page, book.answers(page, lang), lang), len(found.hits) > passed + limit


class HouseRulesParameters(OpenShape[Attributes]):
    """Parameters with the code of a table's house rules under `rules`; what is read has them decoded, too, as `house`.

    The game is under `game`, unless `game_of` says otherwise.
    """

    checks_parts = True

    def game_of(self, data: Attributes, context: ReadContext) -> str | None:
        """Return the game that was asked for. Raises KeyError where that could not be read."""
        return cast("str | None", data["game"])

    def check(self, data: Attributes, context: ReadContext) -> Iterable[Problem]:
        """Return what is wrong with the code."""
        try:
            self._house(data, context)
        except Refused as refused:
            return refused.problems
        except KeyError:  # the game, or the code, has a problem of its own
            return ()
        return ()

    def make(self, data: Attributes, context: ReadContext) -> Attributes:
        """Return the parameters with the house rules; None without a code."""
        return {**data, "house": self._house(data, context)}

    def _house(self, data: Attributes, context: ReadContext) -> HouseRules[object] | None:
        code, game = data["rules"], self.game_of(data, context)
        if not code:
            return None
        if game is None or game not in GAMES:
            raise Refused([Problem(("rules",), "unknown-key", {"key": "rules"}, contextual=True)])
        return GAMES[game].options.decode(code, pointer=("rules",))

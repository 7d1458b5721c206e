"""The functions behind `import companion`: score, judge and look up rules with plain dictionaries.

Every function takes the id of a game and the request that the web API takes in its place, and returns what the web API
answers. `lang` is the language of the sentences; codes and article ids are the same in every language. Input that is
unreadable or impossible raises InvalidInput with every problem, its code and its JSON pointer.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import TypeAlias, cast

from companion.data import LANGUAGES
from companion.engine.cards import Card
from companion.engine.game import Game, ScoreRequest, score_request
from companion.engine.game import score as score_value
from companion.engine.ledger import Ledger
from companion.engine.options import HouseRules
from companion.engine.problems import Problem, Refused, read_whole
from companion.engine.verdict import Verdict
from companion.games import GAMES
from companion.library import asking
from companion.library.json_text import whole_number
from companion.library.problem_documents import refusal_document
from companion.rulebook.answers import Json, check_answer, score_answer

__all__ = [
    "GAMES",
    "LANGUAGES",
    "Card",
    "Game",
    "HouseRules",
    "InvalidInput",
    "Ledger",
    "NotFound",
    "Problem",
    "Verdict",
    "article",
    "ask",
    "book",
    "check",
    "demand",
    "diff",
    "glossary",
    "judge",
    "ledger",
    "moves",
    "replay",
    "rules",
    "score",
    "search",
]

Request: TypeAlias = Mapping[str, object]
Rules: TypeAlias = str | Mapping[str, object] | HouseRules[object]
"""House rules: a preset or short code, an object with `preset` and `options`, or what `GAMES[game].options` builds."""


class InvalidInput(ValueError):
    """A request that is unreadable or impossible. `problems` has every fault; str() says them in sentences."""

    def __init__(self, game: Game, problems: tuple[Problem, ...], lang: str) -> None:
        self.game = game.id
        self.problems = problems
        self.document = refusal_document(game, problems, lang)
        """The problem document that the web API answers."""
        super().__init__("; ".join(f"{each['pointer'] or '/'}: {each['detail']}" for each in self.errors))

    @property
    def errors(self) -> list[Json]:
        """The problems as JSON: `pointer`, `code`, `detail`, and where they are known `article`, `facts`, `allowed`."""
        return cast("list[Json]", self.document["errors"])


class NotFound(LookupError):
    """A game, an article or a language that is not here, or a question that a game does not answer."""


def score(game: str, request: Request | ScoreRequest, *, lang: str = "en") -> Json:
    """Return the ledger of a game: every deal with its lines, the standing of each side, the outcome.

    Points are whole numbers; each line of points has the article that gives them. Raises InvalidInput, NotFound.
    """
    with _refusals(game, lang) as known:
        return score_answer(known, _ledger(known, request), lang)


def ledger(game: str, request: Request | ScoreRequest) -> Ledger:
    """Return the ledger of a game as an object without sentences. Raises InvalidInput, NotFound."""
    with _refusals(game, "en") as known:
        return _ledger(known, request)


def check(game: str, request: Request, *, lang: str = "en") -> Json:
    """Return the verdict on `move` in `position`: `legal`, `illegal` or `undecided`, with the articles.

    An illegal move is an answer, not an error. Raises InvalidInput, NotFound.
    """
    with _refusals(game, lang) as known:
        return check_answer(known, asking.judge_request(known, _plain(request)), lang)


def judge(game: str, request: Request) -> Verdict:
    """Return the verdict on a move as an object without sentences. Raises InvalidInput, NotFound."""
    with _refusals(game, "en") as known:
        return asking.judge_request(known, _plain(request))


def moves(game: str, request: Request, *, lang: str = "en") -> Json:
    """Return what can be done in `position`. Raises InvalidInput, NotFound."""
    with _refusals(game, lang) as known:
        return asking.answer_moves(known, _plain(request), lang)


def replay(game: str, request: Request, *, lang: str = "en") -> Json:
    """Return a verdict on each move of a recorded deal, what it shows in retrospect, and its `result` for `score`.

    Raises InvalidInput, NotFound.
    """
    with _refusals(game, lang) as known:
        return asking.answer_replay(known, _plain(request), lang)


def ask(game: str, question: str, request: Request, *, lang: str = "en") -> Json:
    """Return the answer to a question that only some games answer. Raises InvalidInput, NotFound."""
    with _refusals(game, lang) as known:
        return asking.answer_extra(known, question, _plain(request), lang)


def demand(game: str, request: Request, *, lang: str = "en") -> Json:
    """Return whether others may demand that a player takes more with a card. Raises InvalidInput, NotFound."""
    return ask(game, "demand", request, lang=lang)


def rules(game: str, house: Rules = "", *, lang: str = "en") -> Json:
    """Return house rules written out: every option, the short code, a summary in each language, warnings.

    Without `house` they are those of the default preset. Raises InvalidInput, NotFound.
    """
    from companion.rulebook.answers import rules_answer

    with _refusals(game, lang) as known:
        return rules_answer(known, _house(known, house), lang)


def diff(game: str, one: Rules, other: Rules, *, lang: str = "en") -> Json:
    """Return what two sets of house rules play differently. Raises InvalidInput, NotFound."""
    from companion.rulebook.answers import diff_answer

    with _refusals(game, lang) as known:
        return diff_answer(known, _house(known, one), _house(known, other), lang)


def article(name: str, *, rules: Rules = "", lang: str = "en") -> Json:
    """Return an article of the rule book by its id, with the numbers of a table: title, text, options, source.

    A retired id is answered with its successor. Raises InvalidInput, NotFound.
    """
    from companion.rulebook.pages import article_text

    with _refusals(name.partition(".")[0], lang) as game:
        try:
            return article_text(name, lang, _house(game, rules) if rules else None)
        except KeyError:
            raise NotFound(f"there is no article {name!r}") from None


def book(game: str, *, rules: Rules = "", lang: str = "en") -> Json:
    """Return the book of a game; with `rules` what that table plays, and its numbers. Raises InvalidInput, NotFound."""
    from companion.rulebook.pages import book_text

    with _refusals(game, lang) as known:
        return dict(book_text(known, lang, _house(known, rules) if rules else None))


def glossary(*, lang: str = "en") -> list[Json]:
    """Return the terms of all games in the order of their page. Raises NotFound for an unknown language."""
    from companion.rulebook.pages import glossary as glossary_text

    _check_language(lang)
    terms: list[Json] = glossary_text(lang)["terms"]
    return terms


def search(query: str, *, game: str = "", rules: Rules = "", limit: int = 20, lang: str = "en") -> Json:
    """Return the articles and options that answer a question in words, the best first.

    With `game`, others only where that one has no answer; with its `rules` the answers have their numbers. Raises
    InvalidInput, NotFound.
    """
    from companion.library.searching import answer_search

    if not game:
        _check_language(lang)
        return answer_search(query, lang, limit=limit)[0]
    with _refusals(game, lang) as known:
        house = _house(known, rules) if rules else None
        return answer_search(query, lang, games=[game], house=house, limit=limit)[0]


@contextmanager
def _refusals(name: str, lang: str) -> Iterator[Game]:
    """Yield a game by its id; turn what it refuses into InvalidInput. Raises NotFound."""
    _check_language(lang)
    try:
        game = GAMES[name]
    except KeyError:
        raise NotFound(f"there is no game {name!r}, only {', '.join(GAMES)}") from None
    try:
        yield game
    except Refused as refused:
        raise InvalidInput(game, refused.problems, lang) from None
    except asking.NotAsked:
        raise NotFound(f"{name} does not answer this question") from None


def _check_language(lang: str) -> None:
    if lang not in LANGUAGES:
        raise NotFound(f"there is no language {lang!r}, only {', '.join(LANGUAGES)}")


def _ledger(game: Game, request: Request | ScoreRequest) -> Ledger:
    if isinstance(request, ScoreRequest):
        return score_request(game, request)
    return score_value(game, _plain(request))[1]


def _house(game: Game, given: Rules) -> HouseRules[object]:
    """Return house rules in any of the ways to write them. Raises Refused."""
    if isinstance(given, HouseRules):
        return given
    if not given:
        return game.options.preset()
    return read_whole(_plain(given), lambda node: asking.read_house(game, node))


def _plain(value: object) -> object:
    """Return a value as JSON has it: objects are dicts, lists are lists, cards are their codes, 8.0 is 8."""
    if isinstance(value, Mapping):
        return {key: _plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    if isinstance(value, float):
        return whole_number(value)
    return str(value) if isinstance(value, Card) else value

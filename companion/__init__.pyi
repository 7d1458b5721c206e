"""Keeps the score, judges the moves and is the rulebook for card games played with real cards.

`companion.score`, `companion.check` and the other functions are those of `companion.library`; they are loaded
when the first one is used, so that this import costs nothing. Their types, by game, are in `__init__.pyi`.
"""

# From the shapes: `python -m tests.library.test_types` writes this.

from collections.abc import Mapping
from typing import Any, Final, Literal, TypeAlias, overload

from companion import types
from companion.engine.game import ScoreRequest
from companion.library import Card as Card
from companion.library import Game as Game
from companion.library import HouseRules as HouseRules
from companion.library import InvalidInput as InvalidInput
from companion.library import Ledger as Ledger
from companion.library import NotFound as NotFound
from companion.library import Problem as Problem
from companion.library import Verdict as Verdict

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
    "verify_witness",
]
__version__: Final[str]
GAMES: Final[Mapping[types.GameId, Game]]
LANGUAGES: Final[tuple[types.Language, ...]]
_House: TypeAlias = str | HouseRules[Any] | types.HouseRulesRequest

def article(name: str, *, rules: _House = ..., lang: types.Language = ...) -> types.ArticleText:
    """Return an article of the rule book by its id, with the numbers of a table: title, text, options, source.

    A retired id is answered with its successor. Raises InvalidInput, NotFound."""

def ask(
    game: Literal["casino"], question: Literal["demand"], request: types.CasinoDemand, *, lang: types.Language = ...
) -> types.CasinoDemandAnswer:
    """Return the answer to a question that only some games answer. Raises InvalidInput, NotFound."""

def book(game: types.GameId, *, rules: _House = ..., lang: types.Language = ...) -> types.BookText:
    """Return the book of a game; with `rules` what that table plays, and its numbers. Raises InvalidInput, NotFound."""

@overload
def check(game: Literal["spades"], request: types.SpadesCheck, *, lang: types.Language = ...) -> types.SpadesVerdict:
    """Return the verdict on `move` in `position`: `legal`, `illegal` or `undecided`, with the articles.

    An illegal move is an answer, not an error. Raises InvalidInput, NotFound."""

@overload
def check(
    game: Literal["casino"], request: types.CasinoCheck, *, lang: types.Language = ...
) -> types.CasinoVerdict: ...
@overload
def check(
    game: Literal["spite-and-malice"], request: types.SpiteAndMaliceCheck, *, lang: types.Language = ...
) -> types.SpiteAndMaliceVerdict: ...
def demand(
    game: Literal["casino"], request: types.CasinoDemand, *, lang: types.Language = ...
) -> types.CasinoDemandAnswer:
    """Return whether others may demand that a player takes more with a card. Raises InvalidInput, NotFound."""

@overload
def diff(
    game: Literal["spades"],
    one: str | HouseRules[Any] | types.SpadesHouseRules,
    other: str | HouseRules[Any] | types.SpadesHouseRules,
    *,
    lang: types.Language = ...,
) -> types.RulesDiff:
    """Return what two sets of house rules play differently. Raises InvalidInput, NotFound."""

@overload
def diff(
    game: Literal["casino"],
    one: str | HouseRules[Any] | types.CasinoHouseRules,
    other: str | HouseRules[Any] | types.CasinoHouseRules,
    *,
    lang: types.Language = ...,
) -> types.RulesDiff: ...
@overload
def diff(
    game: Literal["spite-and-malice"],
    one: str | HouseRules[Any] | types.SpiteAndMaliceHouseRules,
    other: str | HouseRules[Any] | types.SpiteAndMaliceHouseRules,
    *,
    lang: types.Language = ...,
) -> types.RulesDiff: ...
@overload
def diff(
    game: Literal["pad"],
    one: str | HouseRules[Any] | types.PadHouseRules,
    other: str | HouseRules[Any] | types.PadHouseRules,
    *,
    lang: types.Language = ...,
) -> types.RulesDiff: ...
def glossary(*, lang: types.Language = ...) -> list[types.Term]:
    """Return the terms of all games in the order of their page. Raises NotFound for an unknown language."""

@overload
def judge(game: Literal["spades"], request: types.SpadesCheck) -> Verdict:
    """Return the verdict on a move as an object without sentences. Raises InvalidInput, NotFound."""

@overload
def judge(game: Literal["casino"], request: types.CasinoCheck) -> Verdict: ...
@overload
def judge(game: Literal["spite-and-malice"], request: types.SpiteAndMaliceCheck) -> Verdict: ...
@overload
def ledger(game: Literal["spades"], request: types.SpadesScore | ScoreRequest) -> Ledger:
    """Return the ledger of a game as an object without sentences. Raises InvalidInput, NotFound."""

@overload
def ledger(game: Literal["casino"], request: types.CasinoScore | ScoreRequest) -> Ledger: ...
@overload
def ledger(game: Literal["spite-and-malice"], request: types.SpiteAndMaliceScore | ScoreRequest) -> Ledger: ...
@overload
def ledger(game: Literal["pad"], request: types.PadScore | ScoreRequest) -> Ledger: ...
@overload
def moves(
    game: Literal["spades"], request: types.SpadesMoves, *, lang: types.Language = ...
) -> types.SpadesMovesAnswer:
    """Return what can be done in `position`. Raises InvalidInput, NotFound."""

@overload
def moves(
    game: Literal["casino"], request: types.CasinoMoves, *, lang: types.Language = ...
) -> types.CasinoMovesAnswer: ...
@overload
def moves(
    game: Literal["spite-and-malice"], request: types.SpiteAndMaliceMoves, *, lang: types.Language = ...
) -> types.SpiteAndMaliceMovesAnswer: ...
@overload
def replay(
    game: Literal["spades"], request: types.SpadesReplay, *, lang: types.Language = ...
) -> types.SpadesReplayAnswer:
    """Return a verdict on each move of a recorded deal, what it shows in retrospect, and its `result` for `score`.

    Raises InvalidInput, NotFound."""

@overload
def replay(
    game: Literal["casino"], request: types.CasinoReplay, *, lang: types.Language = ...
) -> types.CasinoReplayAnswer: ...
@overload
def replay(
    game: Literal["spite-and-malice"], request: types.SpiteAndMaliceReplay, *, lang: types.Language = ...
) -> types.SpiteAndMaliceReplayAnswer: ...
@overload
def rules(
    game: Literal["spades"], house: str | HouseRules[Any] | types.SpadesHouseRules = ..., *, lang: types.Language = ...
) -> types.SpadesRules:
    """Return house rules written out: every option, the short code, a summary in each language, warnings.

    Without `house` they are those of the default preset. Raises InvalidInput, NotFound."""

@overload
def rules(
    game: Literal["casino"], house: str | HouseRules[Any] | types.CasinoHouseRules = ..., *, lang: types.Language = ...
) -> types.CasinoRules: ...
@overload
def rules(
    game: Literal["spite-and-malice"],
    house: str | HouseRules[Any] | types.SpiteAndMaliceHouseRules = ...,
    *,
    lang: types.Language = ...,
) -> types.SpiteAndMaliceRules: ...
@overload
def rules(
    game: Literal["pad"], house: str | HouseRules[Any] | types.PadHouseRules = ..., *, lang: types.Language = ...
) -> types.PadRules: ...
@overload
def score(
    game: Literal["spades"], request: types.SpadesScore | ScoreRequest, *, lang: types.Language = ...
) -> types.Ledger:
    """Return the ledger of a game: every deal with its lines, the standing of each side, the outcome.

    Points are whole numbers; each line of points has the article that gives them. Raises InvalidInput, NotFound."""

@overload
def score(
    game: Literal["casino"], request: types.CasinoScore | ScoreRequest, *, lang: types.Language = ...
) -> types.Ledger: ...
@overload
def score(
    game: Literal["spite-and-malice"], request: types.SpiteAndMaliceScore | ScoreRequest, *, lang: types.Language = ...
) -> types.Ledger: ...
@overload
def score(
    game: Literal["pad"], request: types.PadScore | ScoreRequest, *, lang: types.Language = ...
) -> types.Ledger: ...
def search(
    query: str,
    *,
    game: types.GameId | Literal[""] = ...,
    rules: _House = ...,
    limit: int = ...,
    lang: types.Language = ...,
) -> types.Found:
    """Return the articles and options that answer a question in words, the best first.

    With `game`, others only where that one has no answer; with its `rules` the answers have their numbers. Raises
    InvalidInput, NotFound, and TypeError for rules without a game."""

@overload
def verify_witness(
    game: Literal["spades"], request: types.SpadesCheck, answer: types.SpadesVerdict | types.Problem
) -> bool | None:
    """Return whether the witness in the answer of `check` shows its verdict; None where the game does not check it.

    The request is the one that was answered. Another program than the judge counts the cards again. Of a refused
    position the answer is the problem document: the facts that its witness names must contradict each other. What
    shows nothing is False. Raises InvalidInput for a request that is unreadable, NotFound, TypeError."""

@overload
def verify_witness(
    game: Literal["casino"], request: types.CasinoCheck, answer: types.CasinoVerdict | types.Problem
) -> bool | None: ...
@overload
def verify_witness(
    game: Literal["spite-and-malice"],
    request: types.SpiteAndMaliceCheck,
    answer: types.SpiteAndMaliceVerdict | types.Problem,
) -> bool | None: ...

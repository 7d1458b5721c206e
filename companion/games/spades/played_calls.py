"""Which special calls a table plays, from how far behind each may be made, and the articles that say so."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from companion.engine.articles import Article
from companion.games.spades import articles as a
from companion.games.spades.rules import SpadesRules
from companion.games.spades.table import BLIND, BLIND_MOON, DOUBLE_BLIND_NIL, DOUBLE_NIL, MOON, NIL, NIL_CALLS


@dataclass(frozen=True, slots=True)
class CallRule:
    """Whether rules play a call, with the article otherwise; and how many points behind its side must be, if any."""

    played: Callable[[SpadesRules], bool]
    article: Article
    needed: Callable[[SpadesRules], int | None] = lambda rules: None
    behind: Article = a.BID


CALL_RULES: Final[Mapping[str, CallRule]] = {
    NIL: CallRule(lambda r: r.nil, a.NO_NIL),
    DOUBLE_NIL: CallRule(
        lambda r: r.double_nil, a.NO_DOUBLE_NIL, lambda r: r.double_nil_deficit, a.DOUBLE_NIL_BEHIND
    ),
    DOUBLE_BLIND_NIL: CallRule(
        lambda r: r.double_blind_nil, a.DOUBLE_BLIND_NIL,
        lambda r: r.double_blind_nil_deficit, a.DOUBLE_BLIND_NIL_BEHIND,
    ),
    BLIND: CallRule(lambda r: r.blind_bid, a.BLIND_BID, lambda r: r.blind_deficit, a.BLIND_BEHIND),
    MOON: CallRule(lambda r: r.moon, a.MOON),
    BLIND_MOON: CallRule(lambda r: r.blind_moon, a.BLIND_MOON, lambda r: r.blind_moon_deficit, a.BLIND_MOON_BEHIND),
}  # fmt: skip


def why_not_played(rules: SpadesRules, word: str) -> Article | None:
    """Return the article by which a special call is not played; None where it is."""
    rule = CALL_RULES[NIL if word in NIL_CALLS and not rules.nil else word]
    return None if rule.played(rules) else rule.article


def points_needed(rules: SpadesRules, word: str) -> tuple[int, Article]:
    """Return how many points behind a side must be for a special call, 0 for none, and the article that says so."""
    rule = CALL_RULES[word]
    return rule.needed(rules) or 0, rule.behind

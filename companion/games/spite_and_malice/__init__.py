"""Spite and Malice: Blackwood's game, the Massachusetts version, partnerships and the rest of the family."""

from __future__ import annotations

from companion.engine.deferred import Deferred, DeferredMapping, deferred_function
from companion.engine.game import Game
from companion.games.spite_and_malice import articles
from companion.games.spite_and_malice.examples import EXAMPLES
from companion.games.spite_and_malice.profile import (
    AGREEMENTS,
    ESSENTIALS,
    FEATS,
    FIXES,
    MEASURES,
    PAPER,
    numbers,
    seatings,
    target,
)
from companion.games.spite_and_malice.rules import OPTIONS, SpiteRules
from companion.games.spite_and_malice.score import REMAINING, WINNER, SpiteScorer, read_sides
from companion.games.spite_and_malice.shapes import SHAPES, SpiteAndMaliceDeal

SPITE_AND_MALICE = Game(
    id=articles.GAME,
    articles=articles.ARTICLES,
    options=OPTIONS,
    scorer=SpiteScorer(),
    read_sides=read_sides,
    deal=SpiteAndMaliceDeal,
    shapes=SHAPES,
    judge=deferred_function(f"{__name__}.deal", "judge"),
    deal_keys=(WINNER, REMAINING),
    entry=Deferred(f"{__name__}.entry", "ENTRY"),
    questions=DeferredMapping(f"{__name__}.asks", "QUESTIONS"),
    moves=deferred_function(f"{__name__}.deal", "list_moves"),
    replay=deferred_function(f"{__name__}.replay", "replay"),
    seatings=seatings,
    target=target,
    numbers=numbers,
    measures=MEASURES,
    feats=FEATS,
    paper=PAPER,
    essentials=ESSENTIALS,
    fixes=FIXES,
    agreements=AGREEMENTS,
    examples=EXAMPLES,
    lessons=Deferred(f"{__name__}.lessons", "LESSONS"),
)

__all__ = ["SPITE_AND_MALICE", "SpiteRules"]

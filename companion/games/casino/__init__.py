"""Casino: the Swazi game and its relatives. One engine; `CASINO` is what the rest of the program uses."""

from __future__ import annotations

from companion.engine.deferred import Deferred, DeferredMapping, deferred_function
from companion.engine.game import Game
from companion.games.casino.articles import ARTICLES, GAME
from companion.games.casino.examples import EXAMPLES
from companion.games.casino.profile import (
    AGREEMENTS,
    ESSENTIALS,
    FEATS,
    FIXES,
    MEASURES,
    PAPER,
    next_dealer,
    numbers,
    seatings,
)
from companion.games.casino.rules import OPTIONS
from companion.games.casino.score import UNCLAIMED, CasinoScorer, read_sides, tallies
from companion.games.casino.shapes import SHAPES, CasinoDeal

CASINO = Game(
    id=GAME,
    articles=ARTICLES,
    options=OPTIONS,
    scorer=CasinoScorer(),
    read_sides=read_sides,
    deal=CasinoDeal,
    shapes=SHAPES,
    judge=deferred_function(f"{__name__}.deal", "judge"),
    deal_keys=(UNCLAIMED,),
    entry=Deferred(f"{__name__}.entry", "ENTRY"),
    questions=DeferredMapping(f"{__name__}.asks", "QUESTIONS"),
    tallies=tallies,
    moves=deferred_function(f"{__name__}.choices", "list_moves"),
    replay=deferred_function(f"{__name__}.replay", "replay"),
    extra={"demand": deferred_function(f"{__name__}.demand", "answer_demand")},
    seatings=seatings,
    next_dealer=next_dealer,
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

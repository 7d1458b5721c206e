"""Spades: bids, nils and sandbags scored, calls and cards judged, deals replayed."""

from __future__ import annotations

from companion.engine.deferred import Deferred, DeferredMapping, deferred_function, deferred_object
from companion.engine.game import Game, GameShapes
from companion.games.spades.articles import ARTICLES, GAME
from companion.games.spades.checks import check_opening
from companion.games.spades.examples import EXAMPLES
from companion.games.spades.facts import DUMMY_TRICKS, SpadesDeal, read_sides
from companion.games.spades.profile import (
    AGREEMENTS,
    ESSENTIALS,
    FEATS,
    FIXES,
    MEASURES,
    PAPER,
    call_facts,
    nils_made,
    numbers,
    seatings,
    tally_limits,
)
from companion.games.spades.rules import OPTIONS
from companion.games.spades.score import BAGS, SpadesScorer, tallies

SPADES = Game(
    id=GAME,
    articles=ARTICLES,
    options=OPTIONS,
    scorer=SpadesScorer(),
    read_sides=read_sides,
    deal=SpadesDeal,
    shapes=deferred_object(f"{__name__}.answers", "SHAPES", GameShapes),
    judge=deferred_function(f"{__name__}.deal", "judge"),
    check_opening=check_opening,
    deal_keys=(DUMMY_TRICKS,),
    tallies=tallies,
    paper_tallies=(BAGS,),
    moves=deferred_function(f"{__name__}.deal", "list_moves"),
    replay=deferred_function(f"{__name__}.replay", "replay"),
    entry=Deferred(f"{__name__}.entry", "ENTRY"),
    questions=DeferredMapping(f"{__name__}.asks", "QUESTIONS"),
    settle_calls=deferred_function(f"{__name__}.calls", "settle_calls"),
    call_facts=call_facts,
    seatings=seatings,
    tally_limits=tally_limits,
    numbers=numbers,
    attempts=nils_made,
    measures=MEASURES,
    feats=FEATS,
    paper=PAPER,
    essentials=ESSENTIALS,
    fixes=FIXES,
    agreements=AGREEMENTS,
    examples=EXAMPLES,
    lessons=Deferred(f"{__name__}.lessons", "LESSONS"),
)

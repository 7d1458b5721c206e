"""Casino: the Swazi game and its relatives. One engine; `CASINO` is what the rest of the program uses."""

from __future__ import annotations

from companion.engine.game import Game
from companion.games.casino.articles import ARTICLES, GAME
from companion.games.casino.asks import QUESTIONS
from companion.games.casino.choices import list_moves
from companion.games.casino.deal import judge
from companion.games.casino.demand import answer_demand
from companion.games.casino.entry import ENTRY
from companion.games.casino.examples import EXAMPLES
from companion.games.casino.profile import ESSENTIALS, FIXES, PAPER, next_dealer, numbers, seatings
from companion.games.casino.replay import replay
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
    judge=judge,
    deal_keys=(UNCLAIMED,),
    entry=ENTRY,
    questions=QUESTIONS,
    tallies=tallies,
    moves=list_moves,
    replay=replay,
    extra={"demand": answer_demand},
    seatings=seatings,
    next_dealer=next_dealer,
    numbers=numbers,
    paper=PAPER,
    essentials=ESSENTIALS,
    fixes=FIXES,
    examples=EXAMPLES,
)

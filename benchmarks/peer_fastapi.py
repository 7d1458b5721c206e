"""The score request of Spades on FastAPI, pydantic and uvicorn, over this project's engine: the same bytes come back.

Run by the Python of the peers' environment: `python -m benchmarks.peer_fastapi PORT`.
"""

from __future__ import annotations

import sys
from typing import Annotated, Literal

import orjson
import uvicorn
from fastapi import FastAPI, Response
from pydantic import BaseModel, ConfigDict, Field

from companion.engine.game import ScoreRequest, score_request
from companion.engine.ledger import Accepted, Adjustment, Deal, Side
from companion.games import GAMES
from companion.games.spades.table import DealFacts, NilFacts, SideFacts
from companion.rulebook.answers import score_answer
from companion.rulebook.lessons import check_texts

Name = Annotated[str, Field(max_length=60)]


class Model(BaseModel):
    """What all parts of a request have in common: nothing is converted, no key is unknown."""

    model_config = ConfigDict(extra="forbid", strict=True)


class Nil(Model):
    """A declared nil."""

    call: Literal["nil", "double_nil", "double_blind_nil"]
    tricks: int
    player: Name | None = None


class SideOfDeal(Model):
    """What a side undertook and took."""

    bid: int | None = None
    tricks: int
    call: Literal["normal", "blind", "moon"] = "normal"
    nils: Annotated[list[Nil], Field(max_length=4)] = []


class AdjustmentOfDeal(Model):
    """Points that the table gives or takes."""

    side: Name
    points: Annotated[int, Field(ge=-1_000_000, le=1_000_000)]
    reason: Annotated[str, Field(max_length=200)]


class AcceptedOfDeal(Model):
    """A problem that is recorded anyway."""

    code: Annotated[str, Field(max_length=60)]
    reason: Annotated[str, Field(max_length=200)]


class DealOfTwo(Model):
    """A deal between two sides."""

    NS: SideOfDeal
    EW: SideOfDeal
    adjustments: Annotated[list[AdjustmentOfDeal], Field(max_length=50)] = []
    accept: Annotated[list[AcceptedOfDeal], Field(max_length=50)] = []


class Body(Model):
    """A score request."""

    sides: Annotated[list[Name], Field(min_length=2, max_length=2)]
    deals: Annotated[list[DealOfTwo], Field(max_length=20_000)]


app = FastAPI()
game = GAMES["spades"]


@app.post("/api/v1/games/spades/score")
async def score(body: Body) -> Response:
    """Return the ledger of a game."""
    sides = tuple(Side(name) for name in body.sides)
    request = ScoreRequest(game.options.preset(), sides, {}, tuple(_deal(deal) for deal in body.deals))
    answer = score_answer(game, score_request(game, request), "en")
    return Response(orjson.dumps(answer), media_type="application/json")


def _deal(deal: DealOfTwo) -> Deal[object]:
    facts = DealFacts({"NS": _side(deal.NS), "EW": _side(deal.EW)})
    adjustments = tuple(Adjustment(each.side, each.points, each.reason) for each in deal.adjustments)
    return Deal(facts, adjustments, tuple(Accepted(each.code, each.reason) for each in deal.accept))


def _side(side: SideOfDeal) -> SideFacts:
    nils = tuple(NilFacts(nil.call, nil.tricks, nil.player) for nil in side.nils)
    return SideFacts(bid=side.bid, tricks=side.tricks, call=side.call, nils=nils)


if __name__ == "__main__":
    check_texts()
    uvicorn.run(app, port=int(sys.argv[1]), log_level="error", access_log=False)

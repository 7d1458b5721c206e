"""Questions to the engine in the shapes of the API, answered without HTTP."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from companion.engine.game import score
from companion.engine.problems import Node, Refused
from companion.engine.shapes import read
from companion.engine.verdict import Verdict
from companion.games.casino import CASINO as GAME
from companion.games.casino.rules import CasinoRules
from companion.games.casino.table import PLAYS, Around, Play, Seats
from companion.library import judge_request

Json = dict[str, Any]


def check(request: Json) -> Verdict:
    """The verdict on the move of a check request. Raises Refused where it cannot be read."""
    return judge_request(GAME, request)


def turn(*plays: Json, preset: str = "swazi", options: Json | None = None, **position: Any) -> Verdict:
    """The verdict on a turn of P1 in a position with these keys; two seats unless others are given."""
    rules = {"preset": preset, "options": options or {}}
    place = {"seats": ["P1", "P2"], "player": "P1", **position}
    return check({"rules": rules, "position": place, "move": {"type": "turn", "plays": list(plays)}})


def ask(question: str, request: Json) -> Mapping[str, Any]:
    """What the game answers to `moves`, `demand` or `replay`. Raises Refused where the request cannot be read."""
    node = Node(request)
    rules = GAME.options.read(node["rules"]).options
    node.raise_for_problems()
    asked = {"moves": GAME.moves, "replay": GAME.replay, "demand": GAME.extra["demand"]}[question]
    assert asked is not None
    return asked(rules, node)


def announced(rules: CasinoRules, plays: list[Json], seats: Seats) -> tuple[Play, ...]:
    """The plays of a turn. Raises Refused where they cannot be read."""
    return read(PLAYS, plays, context=Around(rules, seats))


def codes(verdict: Verdict) -> set[str]:
    """The ways in which a verdict finds articles broken."""
    return {breach.code for breach in verdict.breaches}


def anchors(verdict: Verdict) -> set[str]:
    """The anchors of the articles that a verdict finds broken."""
    return {breach.article.partition(".")[2] for breach in verdict.breaches}


def scored(request: Json) -> Json:
    """The answer to a score request, as far as the engine decides it."""
    _, ledger = score(GAME, request)
    deals = [
        {
            "sides": {
                side: {
                    "lines": [{"article": line.article, "points": line.points} for line in s.lines],
                    "points": s.points,
                    "total": s.standing.total,
                }
                for side, s in deal.sides.items()
            }
        }
        for deal in ledger.deals
    ]
    standing = {side: {"total": at.total} for side, at in ledger.standing.items()}
    outcome = {"over": ledger.outcome.over, "winners": list(ledger.outcome.winners), "reason": ledger.outcome.reason}
    beside = {"margin": ledger.outcome.facts.get("margin"), "target": ledger.outcome.facts.get("raised_to")}
    outcome |= {name: value for name, value in beside.items() if value is not None}
    return {"deals": deals, "standing": standing, "outcome": outcome}


def answer(question: str, request: Json) -> tuple[int, Mapping[str, Any], set[str]]:
    """Status, body and problem codes that the API gives for a request, as far as the engine decides them."""
    try:
        if question == "check":
            verdict = check(request)
            beside = {"remedy": asdict(verdict.remedy)} if verdict.remedy else {}
            broken = [{"article": breach.article} for breach in verdict.breaches]
            return 200, {"verdict": verdict.value, "breaches": broken, **beside}, set()
        if question == "score":
            return 200, scored(request), set()
        return 200, ask(question, request), set()
    except Refused as refused:
        return 422, {}, {problem.code for problem in refused.problems}

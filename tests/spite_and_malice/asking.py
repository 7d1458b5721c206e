"""Questions to the engine in the shapes of the API, answered without HTTP."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from companion.engine.game import score
from companion.engine.problems import Node, Refused
from companion.engine.verdict import Verdict
from companion.games.spite_and_malice import SPITE_AND_MALICE as GAME
from companion.library import judge_request


def check(request: dict[str, Any]) -> Verdict:
    """The verdict on the move of a check request. Raises Refused where it cannot be read."""
    return judge_request(GAME, request)


def ask(
    move: dict[str, Any], preset: str = "blackwood", options: dict[str, Any] | None = None, **position: Any
) -> Verdict:
    """The verdict on a move of A in a position with these keys."""
    players = position.pop("players", ["A", "B"])
    rules = {"preset": preset, "options": options or {}}
    return check({"rules": rules, "position": {"players": players, "player": "A", **position}, "move": move})


def replayed(request: dict[str, Any]) -> Mapping[str, Any]:
    """The answer to a replay request. Raises Refused where it cannot be read."""
    house = GAME.options.read(Node(request.get("rules", {})))
    return GAME.replay(house.options, Node({key: value for key, value in request.items() if key != "rules"}))


def articles(verdict: Verdict) -> set[str]:
    """The anchors of the articles that a verdict finds broken."""
    return {breach.article.partition(".")[2] for breach in verdict.breaches}


def answer(question: str, request: dict[str, Any]) -> tuple[int, dict[str, Any], set[str]]:
    """Status, body and problem codes that the API gives for a request, as far as the engine decides them."""
    try:
        if question == "check":
            verdict = check(request)
            missing = [{"fact": missing.fact} for missing in verdict.missing]
            broken = [{"article": breach.article} for breach in verdict.breaches]
            beside = {"remedy": asdict(verdict.remedy)} if verdict.remedy else {}
            return 200, {"verdict": verdict.value, "missing": missing, "breaches": broken, **beside}, set()
        if question == "replay":
            body = replayed(request)
            return 200, {**body, "findings": [finding.code for finding in body["findings"]]}, set()
        _, ledger = score(GAME, request)
    except Refused as refused:
        return 422, {}, {problem.code for problem in refused.problems}
    deals = [
        {"sides": {side: {"points": s.points, "total": s.standing.total} for side, s in deal.sides.items()}}
        for deal in ledger.deals
    ]
    standing = {side: {"total": at.total} for side, at in ledger.standing.items()}
    outcome = {"over": ledger.outcome.over, "winners": list(ledger.outcome.winners)}
    return 200, {"deals": deals, "standing": standing, "outcome": outcome}, set()

"""Questions to Spades in the shapes of the API, answered by the engine without HTTP and without words."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from companion.engine.cards import Card
from companion.engine.game import score
from companion.engine.problems import Node, Refused
from companion.engine.verdict import Finding, Judged, Missing, Remedy, Verdict
from companion.games.spades import SPADES

Json = dict[str, Any]


def answer(question: str, request: Any) -> tuple[int, Json]:
    """Status and body that a question gets: 200 with the answer, or 422 with the `errors`."""
    try:
        return 200, QUESTIONS[question](request)
    except Refused as refused:
        errors = [{"pointer": p.path(), "code": p.code, "article": p.article} for p in refused.problems]
        return 422, {"errors": errors, "facts": [dict(p.facts) for p in refused.problems]}


def ask(question: str, request: Any) -> Json:
    """The answer to a question that is not refused."""
    status, body = answer(question, request)
    assert status == 200, body
    return body


def codes(request: Any, question: str = "score") -> set[str]:
    """The codes of the problems that a refused request has; empty where it is answered."""
    return {error["code"] for error in answer(question, request)[1].get("errors", ())}


def _score(request: Any) -> Json:
    _, ledger = score(SPADES, request)
    deals = []
    for deal in ledger.deals:
        sides = {
            name: {
                "lines": [{"article": line.article, "points": line.points} for line in side.lines],
                "points": side.points,
                "total": side.standing.total,
                **side.standing.tallies,
            }
            for name, side in deal.sides.items()
        }
        warnings = [{"code": w.problem.code, "reason": w.reason} for w in deal.warnings]
        deals.append({"sides": sides, "warnings": warnings, "status": deal.status})
    outcome = ledger.outcome
    return {
        "deals": deals,
        "standing": {name: {"total": at.total, **at.tallies} for name, at in ledger.standing.items()},
        "outcome": {"over": outcome.over, "winners": list(outcome.winners), "reason": outcome.reason},
    }


def _asked(request: Any, known: Iterable[str]) -> tuple[Any, Node]:
    node = Node(request)
    node.object(optional=tuple(known))
    house = SPADES.options.read(node["rules"])
    node.raise_for_problems()
    return house, node


def _rules(request: Any) -> Json:
    house, _ = _asked(request, ("rules",))
    return {
        "preset": house.preset,
        "options": SPADES.options.plain(house.options),
        "code": SPADES.options.code(house),
        "warnings": [{"code": n.code, "article": n.article, "options": list(n.options)} for n in house.notices],
    }


def _check(request: Any) -> Json:
    house, node = _asked(request, ("rules", "position", "move"))
    return _verdict(SPADES.judge(house.options, node["position"], node["move"]))


def _moves(request: Any) -> Json:
    house, node = _asked(request, ("rules", "position", "seat", "looked"))
    assert SPADES.moves is not None
    return _plain(SPADES.moves(house.options, node))


_RECORD = ("rules", "seats", "dealer", "leader", "calls", "plays", "hands", "totals", "exchanges", "discards")


def _replay(request: Any) -> Json:
    house, node = _asked(request, _RECORD)
    assert SPADES.replay is not None
    return _plain(SPADES.replay(house.options, node))


QUESTIONS: dict[str, Callable[[Any], Json]] = {
    "score": _score,
    "check": _check,
    "moves": _moves,
    "replay": _replay,
    "rules": _rules,
}


def _verdict(verdict: Verdict) -> Json:
    return {
        "verdict": verdict.value,
        "breaches": [{"article": b.article, "code": b.code, "facts": _plain(b.facts)} for b in verdict.breaches],
        "missing": [_missing(m) for m in verdict.missing],
        "because": [{"article": b.article, "facts": _plain(b.facts)} for b in verdict.because],
        "effect": _plain(verdict.effect),
        **_remedy(verdict.remedy),
    }


def _remedy(remedy: Remedy | None) -> Json:
    """What the table does about a breach, without its sentence."""
    return {"remedy": {"article": remedy.article, "until": remedy.until, "then": remedy.then}} if remedy else {}


def _missing(missing: Missing) -> Json:
    return {"fact": missing.fact, "article": missing.article, "seat": missing.seat}


def _plain(value: Any) -> Any:
    if isinstance(value, Verdict):
        return _verdict(value)
    if isinstance(value, Missing):
        return _missing(value)
    if isinstance(value, Judged):
        return {**_verdict(value.verdict), "move": _plain(value.move), "settled": value.settled}
    if isinstance(value, Finding):
        beside = {**_remedy(value.remedy), "established": value.established}
        return {"article": value.article, "code": value.code, "seat": value.seat, **beside, **_plain(value.facts)}
    if isinstance(value, Card):
        return str(value)
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    return [_plain(item) for item in value] if isinstance(value, list | tuple) else value

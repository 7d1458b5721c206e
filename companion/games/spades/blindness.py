"""May this be called unseen? How far behind a side must be for a blind call, and whether anybody has looked."""

from __future__ import annotations

from collections.abc import Iterator

from companion.engine.articles import Article
from companion.engine.verdict import Breach, Missing
from companion.games.spades import articles as a
from companion.games.spades import facts as f
from companion.games.spades.options import SpadesRules
from companion.games.spades.position import Call, Position


def breaches_of_blindness(position: Position, call: Call) -> Iterator[Breach]:
    """What is known to forbid a blind call: a side not far enough behind, a hand looked at (SPADES-026, 027, 160)."""
    rules = position.table.rules
    needed, article = _deficit(rules, call)
    behind = position.behind(call.side or "")
    if needed and behind is not None and behind < needed:
        facts = {"side": call.side, "behind": behind, "needed": needed}
        yield Breach(article.id, "not-far-enough-behind", facts)
    if call.looked:
        facts = {"seat": call.seat or call.side, "call": call.spoken}
        yield Breach(_unseen(rules, call).id, "already-looked", facts)


def missing_of_blindness(position: Position, call: Call) -> Iterator[Missing]:
    """What nobody has said about a blind call: the totals, and whether its caller has looked."""
    rules = position.table.rules
    if not call.blind:
        return
    needed, article = _deficit(rules, call)
    if needed and position.totals is None:
        yield Missing("totals", article.id)
    if call.looked is None:
        yield Missing("looked", _unseen(rules, call).id, call.seat or call.side, {"call": call.spoken})


def _deficit(rules: SpadesRules, call: Call) -> tuple[int | None, Article]:
    return {
        f.DOUBLE_NIL: (rules.double_nil_deficit, a.DOUBLE_NIL_BEHIND),
        f.DOUBLE_BLIND_NIL: (rules.double_blind_nil_deficit, a.DOUBLE_BLIND_NIL_BEHIND),
        f.BLIND: (rules.blind_deficit, a.BLIND_BEHIND),
        f.BLIND_MOON: (rules.blind_moon_deficit, a.BLIND_MOON_BEHIND),
    }[call.word]


def _unseen(rules: SpadesRules, call: Call) -> Article:
    return {
        f.DOUBLE_NIL: a.DUO_DRAW_UNSEEN if rules.mode == "duo_draw" else a.DOUBLE_NIL_UNSEEN,
        f.DOUBLE_BLIND_NIL: a.DOUBLE_BLIND_NIL,
        f.BLIND: a.BLIND_BID,
        f.BLIND_MOON: a.BLIND_MOON,
    }[call.word]

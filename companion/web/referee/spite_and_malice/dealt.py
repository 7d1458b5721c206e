"""Was it dealt right? The stock, the pay-off piles, the hands, the first side cards."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from companion.engine.reading import Node
from companion.engine.verdict import Verdict
from companion.web.referee.asking import Asking, Question
from companion.web.referee.dealing import COUNTS, Dealt, Turning, dealt_page
from companion.web.referee.shown import Page
from companion.web.referee.spite_and_malice.table import players_of
from companion.web.referee.state import State

PILES = ("payoffs", "hands", "side_stacks")
_ZONES = {"payoffs": "payoff", "hands": "hand", "side_stacks": "side_stacks"}
_LABELS = {"payoffs": "payoff-of", "hands": "cards-of", "side_stacks": "sides-of"}


def act(asking: Asking, verb: str, word: str) -> State:
    """Nothing is tapped here: the numbers are typed."""
    return asking.state


def page(asking: Asking) -> Page:
    """The numbers against the deal of the table."""
    players = players_of(asking)
    kinds = PILES if asking.rules.side_start else PILES[:2]
    places = [(kind, player) for kind in kinds for player in players][: len(COUNTS) - 1]

    def verdict(counts: Mapping[int, int]) -> Verdict:
        move: dict[str, Any] = {"type": "deal", "stock": counts.get(0, asking.rules.stock_dealt)}
        for place, (kind, player) in enumerate(places, start=1):
            if place in counts:
                move.setdefault(kind, {})[player] = counts[place]
        position = {"players": list(players), "player": players[0]}
        return asking.game.judge(asking.rules, Node(position, ("position",)), Node(move, ("move",)))

    nothing = dict.fromkeys(range(len(places) + 1), 0)
    found = {(b.facts["zone"], b.facts.get("player")): int(b.facts["expected"]) for b in verdict(nothing).breaches}
    expected = {0: asking.rules.stock_dealt}
    expected |= {n: found.get((_ZONES[kind], player), 0) for n, (kind, player) in enumerate(places, start=1)}
    labels = [asking.say("count-stock"), *(asking.say(_LABELS[kind], name=player) for kind, player in places)]
    return dealt_page(asking, Dealt(labels, verdict, expected), Turning((), lambda last, seat: Verdict()))


QUESTION = Question(COUNTS, act, page)

"""The stock runs low, or nobody can play: what is recycled and by whom, the second chance, the new deal, the draw."""

from __future__ import annotations

from typing import Any

from companion.engine.reading import Node
from companion.engine.verdict import LEGAL
from companion.web.referee.asking import Asking, Question
from companion.web.referee.faces import reasons
from companion.web.referee.shown import UNDECIDED, Answer, Ask, Choice, Entry, Page
from companion.web.referee.spite_and_malice.table import players_of
from companion.web.referee.state import State

COUNTS = ("stock", "hand", "complete", "incomplete")
MOST = {"stock": 162, "hand": 5, "complete": 20, "incomplete": 20}
MOST_IDLE = 12


def act(asking: Asking, verb: str, word: str) -> State:
    """How many turns have passed without a card to the centre or a discard."""
    return asking.state.put(idle=word) if verb == "idle" and word.isdecimal() and len(word) < 3 else asking.state


def page(asking: Asking) -> Page:
    """Every announcement that could come now, with its verdict."""
    players, position = players_of(asking), _position(asking)
    shown = []
    for name, move in _announcements(asking, players):
        verdict = asking.game.judge(asking.rules, Node(position, ("position",)), Node(move, ("move",)))
        shown.append((asking.say(f"stuck-{name}"), verdict))
    allowed = [heading for heading, verdict in shown if verdict.value == LEGAL]
    order = sorted(shown, key=lambda one: {LEGAL: 0, UNDECIDED: 1}.get(one[1].value, 2))
    bar = asking.say("stuck-now", names=" · ".join(allowed)) if allowed else asking.say("stuck-nothing")
    return Page(
        bar, LEGAL if allowed else "",
        asks=(_idle_ask(asking),),
        entries=tuple(Entry(name, asking.say(f"count-{name}"), asking.state.get(name)) for name in COUNTS),
        answers=tuple(Answer(heading, verdict.value, reasons=reasons(asking, verdict)) for heading, verdict in order),
    )  # fmt: skip


def _position(asking: Asking) -> dict[str, Any]:
    players, state = players_of(asking), asking.state
    position: dict[str, Any] = {"players": list(players), "player": players[0]}
    for name, key in zip(COUNTS, ("stock", "hand_count", "complete", "incomplete"), strict=True):
        count = state.number(name, high=MOST[name])
        if count is not None:
            position[key] = count
    idle = state.number("idle", high=MOST_IDLE)
    if idle is not None:
        before = [players[-1 - turn % len(players)] for turn in range(idle)]
        position["turns"] = [{"player": player, "acted": False} for player in reversed(before)]
    return position


def _announcements(asking: Asking, players: tuple[str, ...]) -> list[tuple[str, dict[str, Any]]]:
    rules = asking.rules
    found: list[tuple[str, dict[str, Any]]] = []
    if rules.recycle_source != "none":
        whats = ("complete",) if rules.recycle_source == "complete_only" else ("complete", "incomplete")
        bys = ("opponent",) if rules.recycle_by == "opponent" else ("player",)
        found += [(f"recycle-{what}", {"type": "recycle", "what": what, "by": by}) for what in whats for by in bys]
    if rules.deadlock == "second_chance_redeal":
        found.append(("second-chance", {"type": "second_chance"}))
        found.append(("redeal", {"type": "redeal", "first": players[0]}))
    if "draw" in (rules.deadlock, rules.stock_out) or "compare" in (rules.deadlock, rules.stock_out):
        found.append(("stalemate", {"type": "claim_stalemate"}))
    return found


def _idle_ask(asking: Asking) -> Ask:
    now = asking.state.get("idle")
    counts = range(min(2 * len(players_of(asking)), MOST_IDLE) + 1)
    choices = tuple(Choice(f"idle:{count}", str(count), str(count) == now) for count in counts)
    return Ask(asking.say("ask-idle"), (choices,), numbers=True)


QUESTION = Question(("idle", *COUNTS), act, page)

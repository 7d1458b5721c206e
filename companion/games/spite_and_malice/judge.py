"""The judge of Spite and Malice: a position and an announcement in, a verdict out."""

from __future__ import annotations

from companion.engine.reading import Node
from companion.engine.verdict import Ruling, Verdict
from companion.games.spite_and_malice import announcements as n
from companion.games.spite_and_malice.discards import judge_discard
from companion.games.spite_and_malice.ending import judge_stalemate, judge_win
from companion.games.spite_and_malice.opening import judge_deal, judge_start
from companion.games.spite_and_malice.options import SpiteRules
from companion.games.spite_and_malice.plays import judge_play
from companion.games.spite_and_malice.position import Position, read_position
from companion.games.spite_and_malice.turn import judge_end, judge_moment, judge_refill
from companion.games.spite_and_malice.upkeep import judge_complete, judge_recycle, judge_redeal, judge_second_chance


def judge(rules: SpiteRules, position: Node, move: Node) -> Verdict:
    """The verdict on a move in a position from JSON; faults are noted at the nodes, and the verdict is then empty."""
    table = read_position(rules, position)
    players = table.players if table else _players(position)
    announcement = n.read_announcement(move, players)
    if table is None or announcement is None:
        return Verdict()
    return judge_move(rules, table, announcement)


def judge_move(rules: SpiteRules, position: Position, move: n.Announcement) -> Verdict:
    """The verdict on one announcement: every broken article, every missing fact, what it changes."""
    ruling = Ruling()
    judge_moment(rules, position, move, ruling)
    match move:
        case n.Play():
            judge_play(rules, position, move, ruling)
        case n.Discard():
            judge_discard(rules, position, move, ruling)
        case n.Refill():
            judge_refill(rules, position, move, ruling)
        case n.EndTurn():
            judge_end(rules, position, ruling)
        case n.Complete():
            judge_complete(rules, position, move, ruling)
        case n.Recycle():
            judge_recycle(rules, position, move, ruling)
        case n.SecondChance():
            judge_second_chance(rules, position, ruling)
        case n.Redeal():
            judge_redeal(rules, position, move, ruling)
        case n.Start():
            judge_start(rules, position, move, ruling)
        case n.DealCheck():
            judge_deal(rules, position, move, ruling)
        case n.ClaimWin():
            judge_win(rules, position, ruling)
        case n.ClaimStalemate():
            judge_stalemate(rules, position, ruling)
    return ruling.verdict()


def _players(position: Node) -> tuple[str, ...]:
    """The players as far as they can be read, so that the faults of a move are found in the same pass."""
    value = position["players"].value
    return tuple(name for name in value if isinstance(name, str)) if isinstance(value, list) else ()

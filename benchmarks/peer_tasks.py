"""The peers' side, run by the Python of their environment: `python -m benchmarks.peer_tasks open_spiel`.

Reads the name of a task from each line and writes the CPU seconds of one unit of it.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Callable, Mapping
from functools import partial

from benchmarks.measure import seconds_once

Tasks = Mapping[str, Callable[[], float]]
READY, MISSING = "ready", "missing"


def open_spiel() -> Tasks:
    """Spades of OpenSpiel from Python, partnerships of four, random deals.

    `legal_actions`: once for each play of the deals. `checked_deal`: a whole deal, each action looked up in
    `legal_actions()` before it is applied, from a new state.
    """
    import pyspiel

    game, chance = pyspiel.load_game("spades"), random.Random(52)
    deals, states = [], []
    for _ in range(30):
        state = game.new_initial_state()
        while not state.is_terminal():
            if not state.is_chance_node() and len(state.history()) >= 56:  # 52 cards dealt, 4 bids made
                states.append(state.clone())
            state.apply_action(chance.choice(state.legal_actions()))
        deals.append(state.history())

    def checked() -> None:
        for actions in deals:
            state = game.new_initial_state()
            for action in actions:
                assert action in state.legal_actions()
                state.apply_action(action)

    return {
        "legal_actions": lambda: seconds_once(lambda: [state.legal_actions() for state in states], 5) / len(states),
        "checked_deal": lambda: seconds_once(checked, 3) / len(deals),
    }


def textarena() -> Tasks:
    """Spite and Malice of TextArena, two players, without the wrappers that write for a language model.

    `step`: one move of the first turns of a game.
    """
    import textarena as ta

    def moves() -> list[str]:
        """Play ten turns and return their moves: each player draws, plays one card if that is possible, discards."""
        made: list[str] = []
        env = begun()
        for _ in range(10):
            hand = env.players[env.state.current_player_id]["hand"]
            env.step("[draw]")
            plays = [(card, i) for card in hand for i in range(4) if env._can_play_on_center(card, env.center_piles[i])]
            turn = [f"[play {card} {place}]" for card, place in plays[:1]]
            for move in turn:
                env.step(move)
            turn.append(f"[discard {hand[0]} 0]")
            env.step(turn[-1])
            made += ["[draw]", *turn]
        return made

    def begun() -> ta.Env:
        random.seed(20)  # the environment shuffles with the global generator, and a replay needs the same cards
        env = ta.make("SpiteAndMalice-v0-raw")
        env.reset(num_players=2, seed=20)
        return env

    turns = moves()

    def round_of_games() -> float:
        games, taken = 20, 0.0
        for _ in range(games):
            step = begun().step
            taken += seconds_once(partial(lambda step: [step(move) for move in turns], step), 1)
        return taken / games / len(turns)

    return {"step": round_of_games}


PEERS: Mapping[str, Callable[[], Tasks]] = {"open_spiel": open_spiel, "textarena": textarena}


def main() -> None:
    """Serve one peer's tasks until the input ends."""
    try:
        tasks = PEERS[sys.argv[1]]()
    except ImportError:
        print(MISSING, flush=True)
        return
    print(READY, flush=True)
    for line in sys.stdin:
        print(tasks[line.strip()](), flush=True)


if __name__ == "__main__":
    main()

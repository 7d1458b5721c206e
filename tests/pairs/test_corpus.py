"""Requests where options meet, kept from a search (`corpus.py`): each is answered as before, and as the oracles say."""

from __future__ import annotations

from collections import Counter

import pytest

from tests.pairs.corpus import answering, kept, read, rules_of
from tests.pairs.judges import OPEN, by_the_oracle

PARTS = 2
"""Tests that share the requests of a game."""


@pytest.mark.parametrize("part", range(PARTS))
@pytest.mark.parametrize("game", kept())
def test_what_options_decide_together_is_answered_as_before(game: str, part: int) -> None:
    """An answer that is meant to change is written anew by `python -m tests.pairs.corpus`: see what has changed."""
    asked, wrong = answering(game), list[str]()
    counts: Counter[bool] = Counter()
    for record in [*read(game)][part::PARTS]:
        options = rules_of(game, record.rules)["options"]
        for added, without, before in record.cases:
            now = asked(record, added, without)
            said = [f"was {before}"] if now != before else []
            value = now.partition(" ")[0]
            if record.ask == "check" and value != "refused" and {*without} <= {*OPEN[game].split()}:
                expected = by_the_oracle(game, options, record.request(added))
                counts[expected is not None] += 1
                fitting = {"legal" if expected else "illegal"} | ({"undecided"} if without else set())
                said += [f"the oracle says {expected}"] if expected is not None and value not in fitting else []
            if said:
                request = record.request(added, without)
                wrong.append(f"{record.ask} is {now}, {', '.join(said)}: {request} {record.rules}")
    assert not wrong, f"{len(wrong)} answers:\n" + "\n".join(wrong[:5])
    assert counts[True] > counts[False]

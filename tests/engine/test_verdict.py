"""The three values of a verdict, and what makes each."""

from __future__ import annotations

import pytest

from companion.engine.verdict import ILLEGAL, LEGAL, UNDECIDED, Because, Breach, Missing, Verdict

BREACH = Breach("game.article", "code", {"held": ["7H"]})
MISSING = Missing("hand", "game.article", "C")


@pytest.mark.parametrize(
    ("verdict", "value"),
    [
        (Verdict(), LEGAL),
        (Verdict(because=(Because("game.article"),)), LEGAL),
        (Verdict(missing=(MISSING,)), UNDECIDED),
        (Verdict((BREACH,)), ILLEGAL),
        (Verdict((BREACH,), (MISSING,)), ILLEGAL),
    ],
)
def test_value(verdict: Verdict, value: str) -> None:
    assert verdict.value == value


def test_a_verdict_is_a_value() -> None:
    assert Verdict((BREACH,)) == Verdict((Breach("game.article", "code", {"held": ["7H"]}),))
    with pytest.raises(AttributeError):
        Verdict().breaches = (BREACH,)  # type: ignore[misc]

"""What an evening came to: the deal that moved most, and when the winner got ahead for good."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from companion.engine.ledger import SCORED, DealScore, Ledger, Standing

Leaders = Callable[[Mapping[str, Standing]], tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class Swing:
    """The deal that gave or cost one side most, in points; `deal` is its number on the sheet."""

    deal: int
    side: str
    points: int


@dataclass(frozen=True, slots=True)
class Story:
    """A finished game looked back at.

    `ahead` is the number of the deal after which the winner led alone to the end; None for a draw, and for a winner who
    never led alone. `deals` counts the scored ones.
    """

    deals: int
    last: int
    """The number of the last deal."""
    swing: Swing
    ahead: int | None
    throughout: bool
    """Whether the winner led alone after every deal."""


def story_of(ledger: Ledger, leaders: Leaders) -> Story | None:
    """Return the story of a finished game; None for one that goes on, and for a single deal."""
    scored = [(number, deal) for number, deal in enumerate(ledger.deals, start=1) if deal.status == SCORED]
    if not ledger.outcome.over or len(scored) < 2:
        return None
    swings = [Swing(number, side, score.points) for number, deal in scored for side, score in deal.sides.items()]
    led = [(number, _leads(deal, ledger.outcome.winners, leaders)) for number, deal in scored]
    ahead = None
    for number, alone in reversed(led):
        if not alone:
            break
        ahead = number
    return Story(
        len(scored),
        scored[-1][0],
        max(swings, key=lambda swing: abs(swing.points)),
        ahead,
        all(alone for _, alone in led),
    )


def _leads(deal: DealScore, winners: tuple[str, ...], leaders: Leaders) -> bool:
    """Return whether the one winner had the best total alone after a deal."""
    return len(winners) == 1 and leaders({side: score.standing for side, score in deal.sides.items()}) == winners

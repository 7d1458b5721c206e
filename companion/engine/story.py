"""What an evening came to: the deal that moved most, when the winner got ahead for good, and what a game counts."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from companion.engine.ledger import SCORED, DealScore, Ledger, Line, Standing

Leaders = Callable[[Mapping[str, Standing]], tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class Feat:
    """Something that a game remembers of an evening, counted in its lines. Its sentence is the phrase `story.<name>`.

    `each` names everybody whose lines have it, `most` whoever has more of it than all others, `best` the one deal
    that has the most of it.
    """

    name: str
    count: Callable[[Line], tuple[int, int] | None]
    """How many, out of how many; None for a line about something else. `(0, 0)` adds only the points of the line."""
    of: Literal["each", "most", "best"] = "each"


@dataclass(frozen=True, slots=True)
class Done:
    """A feat of a player, or of a side: how many, out of how many, the points of the lines, the deals on the sheet."""

    feat: str
    who: str
    side: str
    count: int
    tried: int
    points: int
    deals: tuple[int, ...]


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
    feats: tuple[Done, ...] = ()
    """What it is remembered for, in the order in which the game names it."""


def story_of(ledger: Ledger, leaders: Leaders, feats: Sequence[Feat] = ()) -> Story | None:
    """Return the story of a finished game; None for one that goes on, and for a single deal.

    A line that names a player counts for the player, any other line for the side.
    """
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
        tuple(done for feat in feats for done in _chosen(feat, [*_found(ledger, feat)])),
    )


def _found(ledger: Ledger, feat: Feat) -> Iterator[Done]:
    """Yield what each deal has of a feat."""
    for number, deal in enumerate(ledger.deals, start=1):
        for side, score in deal.sides.items():
            for line in score.lines:
                counted = feat.count(line)
                if counted is not None:
                    who = line.facts.get("player") or side
                    yield Done(feat.name, str(who), side, *counted, line.points, (number,))


def _chosen(feat: Feat, found: Sequence[Done]) -> Sequence[Done]:
    """Return whoever is named for a feat, from what the deals have of it."""
    sums: dict[tuple[object, ...], Done] = {}
    for done in found:
        key = (done.who, done.deals) if feat.of == "best" else (done.who,)
        sums[key] = _together(sums[key], done) if key in sums else done
    tried = [done for done in sums.values() if done.tried]
    if feat.of == "each" or not tried:
        return tried
    most = max(done.count for done in tried)
    first = [done for done in tried if done.count == most > 0]
    return first[:1] if feat.of == "best" or len(first) == 1 else ()


def _together(one: Done, other: Done) -> Done:
    deals = tuple(dict.fromkeys((*one.deals, *other.deals)))
    added = {each: getattr(one, each) + getattr(other, each) for each in ("count", "tried", "points")}
    return replace(one, deals=deals, **added)


def _leads(deal: DealScore, winners: tuple[str, ...], leaders: Leaders) -> bool:
    """Return whether the one winner had the best total alone after a deal."""
    return len(winners) == 1 and leaders({side: score.standing for side, score in deal.sides.items()}) == winners

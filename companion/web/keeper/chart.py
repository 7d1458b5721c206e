"""How the totals went, deal by deal, as points of a small drawing beside the table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

WIDTH, HEIGHT, EDGE, LABELS = 320, 150, 10, 34
"""Units of the drawing: its size, its margin, and the room for the numbers at the left."""


@dataclass(frozen=True, slots=True)
class Course:
    """One side's totals as dots from left to right; `path` joins them."""

    mark: str
    name: str
    dots: tuple[tuple[float, float], ...]

    @property
    def path(self) -> str:
        """The dots as the `points` of a polyline."""
        return " ".join(f"{x:g},{y:g}" for x, y in self.dots)


@dataclass(frozen=True, slots=True)
class Chart:
    """A drawing of totals: a course for each side, and the levels worth a line (zero, the target)."""

    courses: tuple[Course, ...]
    levels: tuple[tuple[int, float], ...]
    width: int = WIDTH
    height: int = HEIGHT
    left: int = LABELS


def chart(marks: Sequence[tuple[str, str]], totals: Sequence[Sequence[int]], target: int | None) -> Chart | None:
    """The drawing of each side's totals after every deal; `marks` are mark and name by side. None for one deal."""
    deals = max(map(len, totals), default=0)
    if deals < 2:
        return None
    levels = [0] if target is None else [0, target]
    low = min(*levels, *(total for course in totals for total in course))
    high = max(*levels, *(total for course in totals for total in course), low + 1)

    def x(deal: int) -> float:
        return round(LABELS + (WIDTH - LABELS - EDGE) * deal / deals, 1)

    def y(total: int) -> float:
        return round(EDGE + (HEIGHT - 2 * EDGE) * (high - total) / (high - low), 1)

    courses = tuple(
        Course(mark, name, tuple((x(place), y(total)) for place, total in enumerate((0, *course))))
        for (mark, name), course in zip(marks, totals, strict=True)
    )
    return Chart(courses, tuple((level, y(level)) for level in levels))

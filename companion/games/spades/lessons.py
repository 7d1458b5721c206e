"""What teaches Spades."""

from __future__ import annotations

from typing import Final

from companion.engine.lessons import Lessons

LESSONS: Final = Lessons(ways=("classic", "modern", "solo4", "solo3", "duo_draw", "duo_dummy"))

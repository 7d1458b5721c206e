"""What teaches Spite and Malice."""

from __future__ import annotations

from typing import Final

from companion.engine.lessons import Lessons

LESSONS: Final = Lessons(ways=("blackwood", "massachusetts", "pagat"))

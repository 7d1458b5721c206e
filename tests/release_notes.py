"""Print the notes of a release from CHANGES.md: `python -m tests.release_notes 0.3.0`, or of the newest version."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Final

CHANGES: Final = Path(__file__).parents[1] / "CHANGES.md"
_VERSION: Final = re.compile(r"^## +\[?(\d+\.\d+\.\d+)\b.*$", re.MULTILINE)


def release_notes(changes: str, version: str = "") -> str:
    """Return what a file of changes says of a version, without its heading. Raises LookupError for an unknown one."""
    marks = list(_VERSION.finditer(changes))
    for mark, following in zip(marks, [*marks[1:], None], strict=False):
        if version in ("", mark[1]):
            return changes[mark.end() : following.start() if following else len(changes)].strip() + "\n"
    known = ", ".join(mark[1] for mark in marks)
    raise LookupError(f"CHANGES.md has no version {version}, only {known}")


if __name__ == "__main__":
    print(release_notes(CHANGES.read_text("utf-8"), *sys.argv[1:2]), end="")  # noqa: T201

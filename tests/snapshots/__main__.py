"""Write the snapshots anew: `python -m tests.snapshots [GAME ...]`."""

from __future__ import annotations

import sys

from companion.games import GAMES
from tests.snapshots.test_snapshots import PARTS, file_of, line_of

for id in sys.argv[1:] or GAMES:
    for name, part in PARTS.items():
        lines = [line_of(record) for record in part.drawn(GAMES[id])]
        file_of(id, name).write_text("".join(f"{line}\n" for line in lines), "utf-8")
        sys.stdout.write(f"{id} {name}: {len(lines)} records\n")

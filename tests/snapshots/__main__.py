"""Write the snapshots anew: `python -m tests.snapshots`; with `--draw` not the same requests and steps but others."""

from __future__ import annotations

import json
import sys

from companion.games import GAMES
from tests.pairs import corpus
from tests.snapshots.test_snapshots import PARTS, file_of, line_of, parts_of

for id, game in GAMES.items():
    for name in parts_of(game):
        part = PARTS[name]
        file = file_of(id, name)
        if "--draw" in sys.argv:
            records = list(part.drawn(game))
        else:
            records = [part.repeated(game, json.loads(line)) for line in file.read_text("utf-8").splitlines()]
        file.write_text("".join(f"{line_of(record)}\n" for record in records), "utf-8")
for id in corpus.kept():
    sys.stdout.write(f"{id}: {corpus.renew(id)} answers where options meet have changed\n")

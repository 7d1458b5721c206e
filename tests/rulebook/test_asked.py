"""Questions of players who had not seen the book's own phrases: the figures reached with them are floors.

Each line of `asked_<lang>.jsonl` is a question with its table, and the articles that answer it (`right`) or, for a
question about an option, yes or no (`answer`; null where neither word is right).
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from companion import library as companion
from companion.games import GAMES

FLOORS = {
    "en": {
        "rule first": 765,
        "rule in three": 793,
        "keeper first": 167,
        "keeper in three": 169,
        "honest": 224,
        "word": 19,
    },
    "ja": {
        "rule first": 760,
        "rule in three": 777,
        "keeper first": 165,
        "keeper in three": 167,
        "honest": 221,
        "word": 17,
    },
}


def answers(hit: Mapping[str, Any], right: list[str]) -> bool:
    if hit["kind"] != "option":
        return hit["id"] in right
    return any(f"{hit['game']}.{anchor}" in right for anchor in GAMES[hit["game"]].options.options[hit["id"]].articles)


@pytest.mark.parametrize("lang", FLOORS)
def test_a_fresh_reader_finds_as_much_as_before_and_no_yes_or_no_is_false(lang: str) -> None:
    reached: Counter[str] = Counter()
    for line in (Path(__file__).parent / f"asked_{lang}.jsonl").read_text("utf-8").splitlines():
        asked = json.loads(line)
        where = {"game": asked["game"] or "", "rules": asked["rules"] or ""}
        out = companion.search(asked["q"], **where, limit=3, lang=lang)
        hits, kind = out["results"], asked["kind"]
        if kind == "unanswerable":
            reached["honest"] += not hits or bool(out["unknown"])
        elif kind == "yesno":
            assert all(hit["played"] is not False for hit in hits[:1]), asked["q"]
            word = out["answer"] and out["answer"]["yes"]
            assert word in {None, asked["answer"]}, asked["q"]
            reached["word"] += word is not None
        else:
            found = [answers(hit, asked["right"]) for hit in hits]
            reached[f"{kind} first"] += any(found[:1])
            reached[f"{kind} in three"] += any(found)
    assert {name: reached[name] for name, least in FLOORS[lang].items() if reached[name] < least} == {}

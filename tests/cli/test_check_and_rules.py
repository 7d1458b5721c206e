"""`companion check` and `companion rules`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from companion.games import GAMES
from tests.cli.test_score import run

REVOKE = {
    "game": "spades",
    "position": {"phase": "play", "seats": ["A", "B", "C", "D"], "trick": [{"seat": "A", "card": "9H"}],
                 "trick_number": 4, "spades_broken": False, "hand": ["7H", "2S"]},
    "move": {"type": "play", "seat": "B", "card": "2S"},
}  # fmt: skip


def test_a_revoke_is_illegal_with_its_article(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = tmp_path / "move.json"
    file.write_text(json.dumps(REVOKE), encoding="utf-8")
    status, out, _ = run(capsys, "check", str(file))
    assert status == 1
    assert out.startswith("Illegal\n")
    assert "[spades.follow-suit]" in out
    assert "Until somebody leads to the next trick" in out
    assert "[spades.revoke-remedy]" in out


def test_a_position_that_cannot_be_read_is_refused(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = tmp_path / "move.json"
    file.write_text(json.dumps(REVOKE | {"move": {"type": "play", "seat": "B", "card": "17Z"}}), encoding="utf-8")
    status, _, err = run(capsys, "check", str(file))
    assert status == 2
    assert "/move/card" in err
    assert "scored" not in err


def test_a_code_says_what_it_stands_for(capsys: pytest.CaptureFixture[str]) -> None:
    options = GAMES["spades"].options
    code = options.code(options.build("classic", {"bag_penalty": 50}))
    status, out, _ = run(capsys, "rules", code)
    assert status == 0
    assert "50" in out
    status, _, err = run(capsys, "rules", "nonsense~x-1")
    assert status == 2
    assert "/:" not in err

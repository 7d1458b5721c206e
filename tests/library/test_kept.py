"""What is made from a file is kept beside it, and made again where that cannot be read or is about another text."""

from __future__ import annotations

import sys
import tomllib
from pathlib import Path

import pytest

from companion.data import data_folder
from companion.kept import read_kept, read_toml, write_kept


@pytest.fixture
def texts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A file of texts, whose tables are kept."""
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    (tmp_path / "phrases.toml").write_text('[lines]\nbid = "{{ bid }} bid"\n', "utf-8")
    return tmp_path / "phrases.toml"


def kept_files(texts: Path) -> list[Path]:
    return [path for path in texts.parent.rglob("*") if path.is_file() and path != texts]


def test_tables_are_parsed_once(texts: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tables = read_toml(texts)
    assert tables == {"lines": {"bid": "{{ bid }} bid"}}
    monkeypatch.delattr(tomllib, "loads")
    assert read_toml(texts) == tables
    assert len(kept_files(texts)) == 1


def test_a_changed_text_is_parsed_again(texts: Path) -> None:
    read_toml(texts)
    texts.write_text('[lines]\nbid = "bid {{ bid }}"\n', "utf-8")
    assert read_toml(texts) == {"lines": {"bid": "bid {{ bid }}"}}


@pytest.mark.parametrize("damage", [b"", b"\x00", b"no tables at all", None])
def test_a_damaged_file_is_made_again(texts: Path, damage: bytes | None) -> None:
    tables = read_toml(texts)
    (kept,) = kept_files(texts)
    kept.write_bytes(kept.read_bytes()[:-9] if damage is None else damage)
    assert read_toml(texts) == tables == read_toml(texts)


def test_nothing_is_kept_where_modules_are_not(texts: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    assert read_toml(texts)
    assert kept_files(texts) == []


def test_what_is_not_plain_or_has_no_place_is_not_kept(texts: Path) -> None:
    texts.write_text("day = 2026-11-23\n", "utf-8")
    assert str(read_toml(texts)["day"]) == "2026-11-23"
    assert kept_files(texts) == []
    missing = texts.parent / "none" / "phrases.toml"
    write_kept(missing, b"key", {})
    assert (read_kept(missing, b"key"), read_toml(missing)) == (None, {})


def test_what_is_kept_is_no_part_of_the_texts(monkeypatch: pytest.MonkeyPatch) -> None:
    """The health page says which texts a server has: each of its processes the same."""
    from companion.web.monitoring import rulebook_digest

    digest = rulebook_digest.__wrapped__()
    place = data_folder("rules_en") / "no-such.toml"
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    write_kept(place, b"key", {})
    assert read_kept(place, b"key") == {}
    assert rulebook_digest.__wrapped__() == digest
    for path in place.parent.glob("__pycache__/no-such*"):
        path.unlink()

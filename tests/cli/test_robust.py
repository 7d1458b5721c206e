"""What a shell meets: closed pipes, full disks, other encodings, crashes, and what the program says in their place."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from companion.cli import cli
from tests.cli.test_score import run

ROOT = Path(__file__).resolve().parents[2]
FRIDAY = str(ROOT / "examples/spades-friday.json")
COMPANION = [sys.executable, "-m", "companion"]
Capture = pytest.CaptureFixture[str]
ENCODINGS = ("cp932", "cp1252", "latin-1", "euc_jp", "ascii")


def environment(**more: str) -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(ROOT), **more}


@pytest.mark.parametrize("encoding", ENCODINGS)
@pytest.mark.parametrize("command", [["score", FRIDAY], ["score", FRIDAY, "--json"], ["rules", "list"], ["ask", "𠮷"]])
@pytest.mark.parametrize("lang", ["en", "ja"])
def test_signs_that_an_encoding_lacks_stop_nothing(encoding: str, command: list[str], lang: str) -> None:
    whole, done = (
        subprocess.run(
            [*COMPANION, *command, "--lang", lang], capture_output=True, env=environment(**more), check=False
        )
        for more in ({"PYTHONIOENCODING": "utf-8"}, {"PYTHONIOENCODING": encoding})
    )
    assert (done.returncode, done.stderr) == (whole.returncode, b"")
    shown = done.stdout.decode("utf-8" if encoding == "ascii" else encoding)  # click writes UTF-8 in place of ASCII
    if "--json" in command:
        assert json.loads(shown) == json.loads(whole.stdout)
    elif encoding in ("cp932", "euc_jp") or lang == "en":
        assert shown.count("?") <= whole.stdout.decode().count("?")


def test_the_locale_c_stops_nothing() -> None:
    more = {"LC_ALL": "C", "PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0"}
    done = subprocess.run([*COMPANION, "score", FRIDAY, "--lang", "ja"], capture_output=True, env=environment(**more))
    assert (done.returncode, done.stderr) == (0, b"")


@pytest.mark.parametrize("command", [["rules", "list"], ["score", FRIDAY, "--json"]])
def test_a_closed_pipe_ends_quietly(command: list[str]) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run([*COMPANION, *command], stdout=writing, stderr=subprocess.PIPE, env=environment())
    os.close(writing)
    assert (done.returncode, done.stderr) == (141, b"")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no /dev/full")
def test_a_full_disk_is_said_and_is_not_illegal() -> None:
    with open("/dev/full", "wb") as full:
        done = subprocess.run([*COMPANION, "rules", "list"], stdout=full, stderr=subprocess.PIPE, env=environment())
    assert done.returncode == 70
    assert done.stderr.startswith(b"companion: ")
    assert done.stderr.count(b"\n") == 1


def test_a_crash_is_not_illegal(capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    def crash(*_: object) -> None:
        raise RuntimeError("a fault of the program")

    monkeypatch.setattr("companion.rulebook.markup.ledger_text", crash)
    status, out, err = run(capsys, "score", FRIDAY)
    assert (status, out) == (70, "")
    assert "a fault of the program" in err


def test_a_file_of_another_game_is_refused(capsys: Capture) -> None:
    status, out, err = run(capsys, "score", FRIDAY, "--game", "casino")
    assert (status, out) == (2, "")
    assert "spades" in err
    assert "casino" in err
    assert run(capsys, "score", FRIDAY, "--game", "spades")[0] == 0


def test_rules_says_what_differs_from_the_default_and_alone_it_helps(capsys: Capture) -> None:
    status, out, _ = run(capsys, "rules", "modern")
    assert (status, out.splitlines()[0]) == (0, "Modern")
    assert "[spades.final-bid]" in out
    assert run(capsys, "rules", "classic")[1] == "Classic\n"
    status, out, err = run(capsys, "rules")
    assert "diff" in out + err


def test_links_are_whole_or_a_command(capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "  companion article spades.bags\n" in run(capsys, "ask", "bags")[1]
    assert "/en/rules" not in run(capsys, "article", "spades.bags")[1]
    monkeypatch.setenv("COMPANION_SITE_URL", "https://cards.example/")
    assert "  https://cards.example/en/rules/spades#bags\n" in run(capsys, "ask", "bags")[1]
    assert run(capsys, "article", "spades.bags")[1].endswith("https://cards.example/en/rules/spades#bags\n")


def test_search_is_another_name_of_ask(capsys: Capture) -> None:
    assert run(capsys, "search", "bags") == run(capsys, "ask", "bags")


@pytest.mark.parametrize("command", [*cli.commands, "rules list", "rules diff", "rules code"])
def test_every_command_has_an_example(command: str, capsys: Capture) -> None:
    status, out, _ = run(capsys, *command.split(), "--help")
    assert status == 0
    assert f"Example: companion {command.removesuffix(' code')} " in out.replace("\n", " ") + " "


def test_a_nil_in_a_table_is_explained(capsys: Capture, tmp_path: Path) -> None:
    table = tmp_path / "evening.csv"
    table.write_text("NS.bid,NS.tricks,EW.bid,EW.tricks\nnil,0,5,13\n", encoding="utf-8")
    status, _, err = run(capsys, "score", str(table), "--game", "spades")
    assert status == 2
    assert "EW.nils.0.call" in err
    assert "EW.nils.0.call" in run(capsys, "score", "--help")[1]


@pytest.mark.parametrize(
    ("game", "text", "more"),
    [
        ("spite-and-malice", "winner,remaining.B\nA,9\nA,3\n", ["--sides", "A,B"]),
        ("spades", "NS.bid,NS.tricks,EW.bid,EW.tricks\n5,7,5,5\n", []),
        ("spades", "NS.bid,NS.tricks,EW.bid,EW.tricks\n5,7,5,6\n", ["--rules", "wat"]),
    ],
)
def test_nothing_is_said_of_lists_beside_another_fault(
    capsys: Capture, tmp_path: Path, game: str, text: str, more: list[str]
) -> None:
    table = tmp_path / "evening.csv"
    table.write_text(text, encoding="utf-8")
    status, _, err = run(capsys, "score", str(table), "--game", game, *more)
    assert status == 2
    assert "nils" not in err

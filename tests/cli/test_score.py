"""`companion score`: the ledger of a file, and a clear refusal of what is none."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from pathlib import Path

import pytest

from companion.cli import main
from companion.rulebook.words import article_title

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"

SHORT = '{"game": "spades", "sides": ["a", "b"], "deals": [%s]}'
FRIDAY = {
    # Worked out by hand with paper and pencil: points, total and bags of both sides after each deal.
    "NS": [(41, 41, 1), (52, 93, 3), (141, 234, 4), (-60, 174, 4), (51, 225, 5), (40, 265, 5),
           (51, 316, 6), (71, 387, 7), (62, 449, 9), (-49, 400, 0), (60, 460, 0), (50, 510, 0)],
    "EW": [(62, 62, 2), (51, 113, 3), (62, 175, 5), (53, 228, 8), (-148, 80, 0), (72, 152, 2),
           (61, 213, 3), (241, 454, 4), (-60, 394, 4), (52, 446, 6), (43, 489, 9), (-29, 460, 0)],
}  # fmt: skip
FAMILY = {
    "A": [(51, 163, 5), (0, 163, 5), (61, 224, 6), (41, 265, 7), (-70, 195, 7), (51, 246, 8), (151, 397, 9),
          (-58, 339, 1), (31, 370, 2), (71, 441, 3), (52, 493, 5), (-80, 413, 5), (61, 474, 6), (41, 515, 7)],
    "B": [(70, 157, 6), (0, 157, 6), (-58, 99, 8), (80, 179, 8), (-48, 131, 0), (61, 192, 1), (61, 253, 2),
          (-148, 105, 4), (60, 165, 4), (50, 215, 4), (60, 275, 4), (51, 326, 5), (60, 386, 5), (71, 457, 6)],
}  # fmt: skip


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    status = 0
    try:
        main(arguments)
    except SystemExit as stop:
        status = int(stop.code or 0)
    captured = capsys.readouterr()
    return status, captured.out, captured.err


@pytest.mark.parametrize(("name", "expected"), [("spades-friday", FRIDAY), ("spades-family", FAMILY)])
def test_examples_score_as_worked_out_by_hand(
    name: str, expected: dict[str, list[tuple[int, int, int]]], capsys: pytest.CaptureFixture[str]
) -> None:
    status, out, err = run(capsys, "score", str(EXAMPLES / f"{name}.json"), "--json")
    assert (status, err) == (0, "")
    deals = json.loads(out)["deals"]
    for side, column in expected.items():
        assert [tuple(d["sides"][side][k] for k in ("points", "total", "bags")) for d in deals] == column
    assert [(d["sides"][side]["points"], d["sides"][side]["total"], d["sides"][side]["bags"]) for d in deals] == column
    assert json.loads(out)["outcome"]["winners"] == [next(iter(expected))]


@pytest.mark.parametrize("lang", ["ja", "en"])
def test_every_line_names_its_article_and_its_title(lang: str, capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = run(capsys, "score", str(EXAMPLES / "spades-friday.json"), "--lang", lang)
    cited = [line for line in out.splitlines() if " — " in line]
    assert len(cited) == 24 + 19 + 3 + 3  # contracts, overtricks, nils, bag penalties
    for line in cited:
        article = line.rpartition("[")[2].rstrip("]")
        assert article_title(lang, article) in line


def pipe(monkeypatch: pytest.MonkeyPatch, data: bytes) -> None:
    """Standard input under a locale that is not UTF-8."""
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(data), encoding="latin-1"))


def test_standard_input(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    pipe(monkeypatch, (EXAMPLES / "spades-friday.json").read_bytes())
    assert run(capsys, "score", "-")[0] == 0


def test_standard_input_is_utf_8_whatever_the_locale(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    text = '{"game": "spades", "sides": ["東西", "b"], "deals": []}'
    pipe(monkeypatch, text.encode())
    assert "東西" in run(capsys, "score", "-")[1]
    pipe(monkeypatch, text.encode("shift_jis"))
    assert "is not UTF-8" in run(capsys, "score", "-")[2]


def test_a_byte_order_mark_is_no_fault(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = tmp_path / "evening.json"
    file.write_text(SHORT % "", encoding="utf-8-sig")
    assert run(capsys, "score", str(file))[0] == 0


def test_every_fault_is_said_once(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = tmp_path / "evening.json"
    file.write_text('{"game": "spades"}', encoding="utf-8")
    lines = run(capsys, "score", str(file))[2].splitlines()
    assert [line.partition(":")[0] for line in lines[1:]] == ["  /sides", "  /deals"]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{", "is not JSON: line 1"),
        ("[1]", "must be a JSON object"),
        ("{}", "Add --game"),
        ('{"game": "poker"}', "There is no game poker"),
        ('{"game": "spades", "sides": ["a", "b"]}', "/deals"),
        (SHORT % '{"a": {"bid": 5, "tricks": 7}, "b": {"bid": 5, "tricks": 5}}', "The tricks add up to 12"),
        ('{"game": "spades", "sides": ["a", "b"], "deals": NaN}', "is not JSON"),
        ("[" * 100_000, "is not JSON"),
        ('{"game": "spades", "sides": ["a", "b"], "deals": [{"void": true, "void": false}]}', "/deals/0/void: The key"),
    ],
)  # fmt: skip
def test_bad_input_is_status_2_and_a_sentence(
    text: str, said: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    file = tmp_path / "evening.json"
    file.write_text(text, encoding="utf-8")
    status, out, err = run(capsys, "score", str(file))
    assert (status, out) == (2, "")
    assert said in err
    assert "Traceback" not in err


def test_a_missing_file_and_a_binary_one(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert "no readable file" in run(capsys, "score", str(tmp_path / "none.json"))[2]
    (tmp_path / "card.png").write_bytes(b"\x89PNG\xff")
    assert "is not UTF-8" in run(capsys, "score", str(tmp_path / "card.png"))[2]


def test_problems_come_in_the_language_asked_for(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = tmp_path / "evening.json"
    file.write_text(SHORT % '{"a": {"bid": 5, "tricks": 7}}', encoding="utf-8")
    status, _, err = run(capsys, "score", str(file), "--lang", "ja")
    assert status == 2
    assert "誤りがあります" in err


def test_a_score_loads_no_more_than_it_needs() -> None:
    """What `companion score` imports and reads decides how long it takes: a quarter of a second of CPU time."""
    request = SHORT % '{"a": {"bid": 5, "tricks": 8}, "b": {"bid": 5, "tricks": 5}}'
    program = (
        "import sys; from companion.cli import main\n"
        "read = []\n"
        "sys.addaudithook(lambda name, about: read.append(str(about[0])) if name == 'open' else None)\n"
        "try: main(['score', '-'])\n"
        "except SystemExit as done: assert not done.code\n"
        "print(*sys.modules, file=sys.stderr)\n"
        "print(*(name for name in read if name.endswith('.toml')), sep='\\n', file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", program], input=request, capture_output=True, text=True, check=True)
    assert "total 53" in done.stdout
    modules, *phrases = done.stderr.splitlines()
    others = {
        "babel",
        "flask",
        "importlib.resources",
        "orjson",
        "sqlalchemy",
        "markdown_it",
        "apispec",
        "granian",
        "uvicorn",
        "mcp",
        "segno",
    }
    needless = {
        "companion.describe", "companion.engine.dialogue",
        "companion.rulebook.answers", "companion.rulebook.pages", "companion.rulebook.search", "companion.web",
        "companion.sheets", "companion.games.casino", "companion.games.spite_and_malice",
        "companion.games.spades.deal", "companion.games.spades.entry", "companion.games.spades.asks",
    }  # fmt: skip
    assert (others | needless) & set(modules.split()) == set()
    assert [Path(name).name for name in phrases] == ["common.toml", "phrases.toml", "site.toml"]

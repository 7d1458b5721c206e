"""What the README shows is what the program does."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from tests.cli.test_score import run

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize(("name", "lang"), [("README.md", "en"), ("README.ja.md", "ja")])
def test_the_ledger_in_the_readme_is_the_programs(name: str, lang: str, capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = run(capsys, "score", str(ROOT / "examples/spades-friday.json"), "--lang", lang)
    head, *deals = re.split(r"\n(?=Deal |第\d+ディール\n)", out)
    assert len(deals) == 12
    assert "```\n" + "\n".join([head, *deals[:2]]) + "```" in (ROOT / name).read_text(encoding="utf-8")


@pytest.mark.parametrize("name", ["README.md", "README.ja.md"])
def test_the_curl_examples_are_answered(name: str, client: Any) -> None:
    readme = (ROOT / name).read_text(encoding="utf-8")
    [(path, body)] = re.findall(r"curl -s http://127\.0\.0\.1:8000(\S+) [^\n]*? -d '\n(.*?)'", readme, re.S)
    assert client.post(path, json=json.loads(body)).get_json()["verdict"] == "illegal"
    [(path, file)] = re.findall(r"curl -s http://127\.0\.0\.1:8000(\S+) .*? -d @(\S+)", readme)
    evening = client.post(path, data=(ROOT / file).read_bytes(), content_type="application/json").get_json()
    assert evening["outcome"]["over"]
    assert evening["standing"]["NS"]["total"] == 510


@pytest.mark.parametrize("name", ["README.md", "README.ja.md"])
def test_the_typescript_of_the_readme_is_that_of_the_clients(name: str, client: Any) -> None:
    """The commands are those of the page whose snippets run in a test; the program sends what the Python one does."""
    page, readme = ((ROOT / each).read_text(encoding="utf-8") for each in ("docs/api-clients.md", name))
    [commands] = re.findall(r"```sh\n(.*?)```", readme, re.S)
    [program] = re.findall(r"```ts\n(.*?)```", readme, re.S)
    assert f"```sh\n{commands}```" in page
    assert set(program.splitlines()[:6]) <= {*page.splitlines(), program.splitlines()[5]}
    [path] = re.findall(r'POST\("(.*?)"', program)
    body = json.loads(re.sub(r"(\w+): ", r'"\1": ', re.search(r"body: (.*),\n", program)[1]))
    standing = client.post(path, json=body).get_json()["standing"]["NS"]
    assert program.rpartition(" // ")[2].strip() == json.dumps(standing).replace('"', "").replace("{", "{ ").replace(
        "}", " }"
    )


@pytest.mark.parametrize("name", ["README.md", "README.ja.md"])
def test_the_python_examples_print_what_they_say(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    programs = re.findall(r"```python\n(.*?)```", (ROOT / name).read_text(encoding="utf-8"), re.S)
    assert len(programs) == 1
    for program in programs:
        assert len(program.strip().splitlines()) <= 8
        exec(program, {})
        assert capsys.readouterr().out == program.rpartition("  # ")[2]


@pytest.mark.parametrize("name", ["library.md", "library.ja.md"])
def test_the_examples_of_the_library_print_what_is_below_them(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    text = (ROOT / "docs" / name).read_text(encoding="utf-8")
    pairs = re.findall(r"```python\n(.*?)```\n\n```\n(.*?)```", text, re.S)
    assert len(pairs) == 4
    for program, printed in pairs:
        exec(program, {})
        assert capsys.readouterr().out == printed


@pytest.mark.parametrize("name", ["library.md", "library.ja.md"])
def test_the_table_of_the_library_is_scored(name: str, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    table = re.search(r"```csv\n(.*?)```", (ROOT / "docs" / name).read_text(encoding="utf-8"), re.S)[1]
    (tmp_path / "evening.csv").write_text(table, encoding="utf-8")
    options = ["--game", "spades", "--rules", "modern", "--json"]
    status, out, _ = run(capsys, "score", str(tmp_path / "evening.csv"), *options)
    assert status == 0
    assert {side: at["total"] for side, at in json.loads(out)["standing"].items()} == {"NS": 95, "EW": 74}


@pytest.mark.parametrize("name", ["README.md", "README.ja.md"])
def test_every_file_that_the_readme_names_is_there(name: str) -> None:
    linked = re.findall(r"\]\(([^)#:]+)\)", (ROOT / name).read_text(encoding="utf-8"))
    assert len(linked) > 4
    assert [path for path in linked if not (ROOT / path).exists()] == []

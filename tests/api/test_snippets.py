"""Every snippet of docs/api-snippets.md runs, and prints what the page says."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

PAGE = (Path(__file__).parents[2] / "docs" / "api-snippets.md").read_text(encoding="utf-8")
SERVER = "http://127.0.0.1:8000"
LANGUAGES = ("sh", "js", "python")
IN_BROWSER = (
    "async () => { const said = []; const console = { log: (...all) => said.push(all.join(' ')) }; %s; return said; }"
)


def snippets(language: str) -> list[Any]:
    """Program and what it prints of every snippet in a language, by the heading that it stands under."""
    found = []
    for section in PAGE.split("\n## ")[1:]:
        blocks = dict(re.findall(r"```(\w+)\n(.*?)```", section, re.DOTALL))
        found.append(pytest.param(blocks[language], blocks["text"].strip(), id=section.partition("\n")[0]))
    return found


def run(command: list[str], program: str, folder: Path) -> str:
    file = folder / "snippet"
    file.write_text(program, encoding="utf-8")
    done = subprocess.run(
        [*command, str(file)], capture_output=True, text=True, encoding="utf-8", timeout=60, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


@pytest.mark.parametrize(("program", "printed"), snippets("python"))
def test_python(live_site: str, tmp_path: Path, program: str, printed: str) -> None:
    assert run([sys.executable, "-I", "-X", "utf8"], program.replace(SERVER, live_site), tmp_path) == printed


@pytest.mark.browser
@pytest.mark.parametrize(("program", "printed"), snippets("js"))
def test_fetch(page: Any, live_site: str, program: str, printed: str) -> None:
    page.goto("/en/")
    logged = page.evaluate(IN_BROWSER % program.replace(SERVER, live_site))
    assert logged == [printed]


@pytest.mark.skipif(not shutil.which("curl"), reason="no curl on this machine")
@pytest.mark.parametrize(("program", "printed"), snippets("sh"))
def test_curl(live_site: str, tmp_path: Path, program: str, printed: str) -> None:
    lines = [json.loads(line) for line in run(["sh", "-e"], program.replace(SERVER, live_site), tmp_path).splitlines()]
    assert all(isinstance(line, dict) for line in lines)
    for word in printed.split():
        if re.fullmatch(r"spades\.[a-z-]+|[a-z]+~.*|tricks-total|illegal", word):
            assert word in json.dumps(lines)


def test_a_fault_is_recorded_anyway_in_the_form_of_the_page(shared_client: Any) -> None:
    [section] = [each for each in PAGE.split("\n## ") if "acceptable" in each]
    accept = json.loads("{" + re.search(r"`(\"accept\": .*?)`", section)[1] + "}")
    request = json.loads(re.search(r"-d '(.*?)'", section, re.DOTALL)[1])
    post = "/api/v1/games/spades/score"
    assert shared_client.post(post, json=request).status_code == 422
    answer = shared_client.post(post, json={**request, "deals": [{**request["deals"][0], **accept}]})
    assert answer.status_code == 200
    [warning] = answer.json["deals"][0]["warnings"]
    assert {key: warning[key] for key in ("code", "reason")} == accept["accept"][0]


def test_every_question_is_shown_in_every_language() -> None:
    asked = set(re.findall(r"/api/v1/(?:games/\w+/)?([\w/]+)", PAGE))
    assert {"score", "score/batch", "rules", "check", "moves", "replay", "sheets"} <= asked
    assert {len(snippets(language)) for language in LANGUAGES} == {10}

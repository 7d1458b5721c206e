"""Generated clients: what generators make of the OpenAPI document compiles, and runs what docs/api-clients.md shows."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import IN_CI

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "api-clients.md").read_text(encoding="utf-8")
OURS = Path(__file__).parent / "clients"
BUILD = ROOT / "build" / "clients"
"""Where npm installs to; kept, so that it is done once."""
SERVER = "http://127.0.0.1:8000"
GENERATE = """
import openapi_python_client.parser.openapi as parser

parser.deepcopy = lambda endpoint: endpoint
from openapi_python_client.cli import app

app()
"""
"""The generator without the copies of whole endpoints that it throws away: what it makes is the same in a fifth of the
time."""
LINES = {"publishedVectors", "scoreBatch", "replayBatch"}
"""Operations whose bodies are lines, which openapi-python-client leaves out."""


@pytest.fixture(scope="module")
def document(shared_client: Any) -> Any:
    return shared_client.get("/api/v1/openapi.json").json


@pytest.fixture(scope="module")
def python_client(document: Any, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder with the package that openapi-python-client makes."""
    folder = tmp_path_factory.mktemp("python")
    (folder / "openapi.json").write_text(json.dumps(document), encoding="utf-8")
    (folder / "settings.json").write_text('{"post_hooks": []}', encoding="utf-8")
    made = run(
        [sys.executable, "-c", GENERATE, "generate", "--path", "openapi.json", "--meta", "none",
         "--output-path", "companion_client", "--config", "settings.json"], folder,
    )  # fmt: skip
    left_out = {f"{each[0]} {each[1]}" for each in re.findall(r"WARNING parsing (\w+) (\S+) within", made)}
    of_lines = {
        f"{method.upper()} {path}"
        for path, item in document["paths"].items()
        for method, operation in item.items()
        if method != "parameters" and operation["operationId"] in LINES
    }
    assert left_out == of_lines, made
    return folder


@pytest.fixture(scope="module")
def typescript(document: Any, live_site: str) -> Any:
    """What the compiler of `clients/` says; the programs are compiled beside the generated types."""
    if not shutil.which("npm"):
        (pytest.fail if IN_CI else pytest.skip)("no npm on this machine")
    with alone(BUILD):
        install()
        for old in BUILD.glob("*.*ts"):
            old.unlink()
        (BUILD / "openapi.json").write_text(json.dumps(document), encoding="utf-8")
        for number, (program, _) in enumerate(snippets("ts")):
            (BUILD / f"snippet{number}.ts").write_text(program.replace(SERVER, live_site), encoding="utf-8")
        (BUILD / "examples.ts").write_text(typed_examples(document), encoding="utf-8")
        yield json.loads(run(["node", "compile.mjs"], BUILD))


def install() -> None:
    """Install what `clients/package.json` names, unless that is there."""
    wanted = (OURS / "package.json").read_text(encoding="utf-8")
    shutil.copy(OURS / "compile.mjs", BUILD)
    installed = BUILD / "installed.json"
    if installed.is_file() and installed.read_text(encoding="utf-8") == wanted:
        return
    (BUILD / "package.json").write_text(wanted, encoding="utf-8")
    npm = ["npm", "install", "--no-package-lock", "--no-audit", "--no-fund", "--ignore-scripts", "--loglevel=error"]
    for _ in range(3):  # a registry does not always answer
        done = subprocess.run(npm, cwd=BUILD, capture_output=True, text=True, timeout=300, check=False)
        if not done.returncode:
            break
    else:
        (pytest.fail if IN_CI else pytest.skip)(f"npm installs nothing here: {done.stderr[-300:]}")
    installed.write_text(wanted, encoding="utf-8")


@contextmanager
def alone(folder: Path) -> Iterator[None]:
    """Let one process at a time use a folder."""
    import fcntl

    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def snippets(language: str) -> list[tuple[str, str]]:
    """Program and what it prints of every section of the page."""
    found = []
    for section in PAGE.split("\n## ")[1:]:
        blocks = dict(re.findall(r"```(\w+)\n(.*?)```", section, re.DOTALL))
        found.append((blocks[language], blocks["text"].strip()))
    return found


def run(command: list[str], folder: Path) -> str:
    """Run a command in a folder and return what it printed, warnings too."""
    done = subprocess.run(
        command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=180, check=False,
        env={**os.environ, "PYTHONPATH": str(folder)},
    )  # fmt: skip
    assert done.returncode == 0, done.stdout
    return done.stdout


def bodies(document: Any) -> Iterator[tuple[str, str, str, Any]]:
    """Path, method, status (empty for a request) and value of every example in JSON."""
    for path, item in document["paths"].items():
        for method, operation in item.items():
            if method == "parameters":
                continue
            contents = [("", operation.get("requestBody", {}).get("content", {}))]
            contents += [(status, each.get("content", {})) for status, each in operation["responses"].items()]
            for status, content in contents:
                for example in content.get("application/json", {}).get("examples", {}).values():
                    yield path, method, status, example["value"]


def typed_examples(document: Any) -> str:
    """A program in which every request of the document is a value of its type."""
    lines = ['import type { paths } from "./companion";']
    for number, (path, method, status, value) in enumerate(bodies(document)):
        if not status:
            kind = f'paths["{path}"]["{method}"]["requestBody"]["content"]["application/json"]'
            lines.append(f"export const request{number}: {kind} = {json.dumps(value)};")
    assert len(lines) > 40
    return "\n".join(lines)


def test_python_snippets_run(python_client: Path, live_site: str) -> None:
    """All in one process: importing the client takes longer than running them."""
    programs = [program.replace(SERVER, live_site) for program, _ in snippets("python")]
    program = "for each in PROGRAMS:\n    exec(compile(each, 'snippet', 'exec'), {})\n"
    (python_client / "snippets.py").write_text(f"PROGRAMS = {programs!r}\n{program}", encoding="utf-8")
    printed = run([sys.executable, "snippets.py"], python_client)
    assert printed.splitlines() == [expected for _, expected in snippets("python")]


def test_python_reads_and_writes_every_example_unchanged(python_client: Path, document: Any) -> None:
    """What a client reads of an answer, and sends of a request, is what the document shows."""
    shown = []
    for path, method, status, value in bodies(document):
        operation = document["paths"][path][method]
        content = operation["responses"][status] if status else operation["requestBody"]
        schema = content["content"]["application/json"]["schema"]
        if "$ref" in schema:
            shown.append([schema["$ref"].rpartition("/")[2], value])
    (python_client / "shown.json").write_text(json.dumps(shown), encoding="utf-8")
    program = """
import json
import companion_client.models as models

for name, value in json.load(open("shown.json", encoding="utf-8")):
    if hasattr(models, name):
        again = getattr(models, name).from_dict(value).to_dict()
        if again != value:
            print(name, json.dumps(value)[:300], json.dumps(again)[:300])
        else:
            print("same")
"""
    (python_client / "again.py").write_text(program, encoding="utf-8")
    printed = run([sys.executable, "again.py"], python_client).splitlines()
    assert set(printed) == {"same"}
    assert len(printed) > 50


def test_redocly_finds_nothing(typescript: Any) -> None:
    assert typescript["lint"] == []


def test_typescript_compiles_strictly(typescript: Any) -> None:
    assert typescript["types"] == []


def test_typescript_snippets_run(typescript: Any) -> None:
    for number, (_, printed) in enumerate(snippets("ts")):
        assert run(["node", f"snippet{number}.js"], BUILD).strip() == printed


def test_every_section_is_in_both_languages() -> None:
    assert len(snippets("ts")) == len(snippets("python")) == PAGE.count("\n## ")

"""The wheel carries the words, the templates and the published vectors, and works away from the checkout."""

from __future__ import annotations

import re
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from companion.data import LANGUAGES

ROOT = Path(__file__).parents[2]
FOLDERS = {
    "templates": "*.html",
    **{f"rules_{lang}": "*.*" for lang in LANGUAGES},
    "tests/vectors": "*.jsonl",
    "docs": "api-snippets.md",
    "companion/web/static": "*.*",
}


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build(ROOT, tmp_path_factory.mktemp("wheel"))


def build(project: Path, folder: Path) -> Path:
    command = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(folder), str(project)]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return next(folder.glob("*.whl"))


@pytest.mark.parametrize(("folder", "pattern"), FOLDERS.items())
def test_wheel_carries_the_data_folders(wheel: Path, folder: str, pattern: str) -> None:
    inside = folder if folder.startswith("companion/") else f"companion/_data/{folder}"
    files = (path.relative_to(ROOT / folder) for path in (ROOT / folder).rglob(pattern))
    wanted = {f"{inside}/{path.as_posix()}" for path in files if "__pycache__" not in path.parts}
    assert wanted
    assert wanted <= set(zipfile.ZipFile(wheel).namelist())


def test_wheel_has_nothing_at_the_top_but_the_package(wheel: Path) -> None:
    tops = {name.split("/")[0] for name in zipfile.ZipFile(wheel).namelist()}
    assert {top for top in tops if not top.endswith(".dist-info")} == {"companion"}


def test_the_package_page_needs_no_file_of_the_checkout(wheel: Path) -> None:
    """Everything that the README says is there, without pictures and links that would break."""
    archive = zipfile.ZipFile(wheel)
    [metadata] = [name for name in archive.namelist() if name.endswith(".dist-info/METADATA")]
    fields, _, page = archive.read(metadata).decode().partition("\n\n")
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert "Description-Content-Type: text/markdown" in fields
    assert "![" not in page
    assert "](" not in page.replace("](http", "")
    assert re.findall(r"^#+ .*", page, re.M) == re.findall(r"^#+ .*", readme, re.M)
    assert re.findall(r"```.*?```", page, re.S) == re.findall(r"```.*?```", readme, re.S)
    assert set(re.findall(r"\]\(([^)]+\.md)\)", readme)) <= set(re.findall(r"`(\S+\.md)`", page))


def test_wheel_serves_pages_away_from_the_checkout(wheel: Path, tmp_path: Path) -> None:
    zipfile.ZipFile(wheel).extractall(tmp_path)
    program = (
        "from companion.web import create_app; import companion;"
        "client = create_app({'DATABASE': 'memory:'}).test_client();"
        "print(companion.__file__, client.get('/ja/rules/spades').status_code)"
    )
    done = subprocess.run([sys.executable, "-c", program], cwd=tmp_path, capture_output=True, text=True)
    assert done.stdout.split() == [str(tmp_path / "companion" / "__init__.py"), "200"], done.stderr


def test_an_installed_package_brings_a_game(wheel: Path, tmp_path: Path) -> None:
    brought = build(ROOT / "tests/fixtures/hearts", tmp_path / "wheels")
    place = tmp_path / "site"
    for each in (wheel, brought):
        zipfile.ZipFile(each).extractall(place)
    program = (
        "from companion.web import create_app; import companion, hearts;"
        "client = create_app({'DATABASE': 'memory:'}).test_client();"
        "print(companion.__file__, hearts.__file__);"
        "print(*(client.get(path).status_code for path in ('/en/', '/ja/', '/ja/rules/hearts', '/en/referee/hearts')));"
        "print(client.post('/api/v1/games/hearts/score', json=hearts.HEARTS.examples['score']).json['standing'])"
    )
    done = subprocess.run([sys.executable, "-c", program], cwd=place, capture_output=True, text=True)
    files, statuses, standing = done.stdout.splitlines() or (done.stderr, "", "")
    assert files.split() == [str(place / name / "__init__.py") for name in ("companion", "hearts")], done.stderr
    assert statuses.split() == ["200"] * 4
    assert "{'total': 17}" in standing

"""The recipe for an option in CONTRIBUTING.md: applied to Hearts as written, everything else follows from it."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from companion.rulebook.source import check_digests

ROOT = Path(__file__).parents[2]
GUIDE = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
RECIPE = GUIDE.partition("## How to add an option")[2].partition("\n## ")[0]
PROGRAM = """
import json, sys
from companion.web import create_app

client = create_app({"RATE_LIMIT": "off", "DATABASE": "memory:"}).test_client()
code, api = "classic~q-20", "/api/v1/games/hearts"
request = {
    "rules": {"options": {"queen_points": 20}},
    "sides": ["N", "E", "S", "W"],
    "deals": [{"N": {"hearts": 13}, "E": {"queen": True}}],
}
json.dump(
    {
        "game": client.get(api).json,
        "rules": client.post(f"{api}/rules", json={"rules": request["rules"]}).json,
        "score": client.post(f"{api}/score", json=request).json,
        "refused": client.post(f"{api}/rules", json={"rules": {"options": {"queen_points": 27}}}).json,
        "document": client.get("/api/v1/openapi.json").text,
        **{lang: client.get(f"/{lang}/rules/hearts?rules={code}").text for lang in ("ja", "en")},
        "form": client.get("/en/sheets/new/hearts").text,
    },
    sys.stdout,
)
"""


@pytest.fixture(scope="module")
def hearts(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Hearts with the recipe applied to it."""
    folder = tmp_path_factory.mktemp("recipe") / "hearts"
    shutil.copytree(ROOT / "tests/fixtures/hearts", folder)
    (folder / "recipe.diff").write_text(RECIPE.partition("```diff\n")[2].partition("```")[0], encoding="utf-8")
    subprocess.run(["git", "apply", "-p0", "recipe.diff"], cwd=folder, check=True)
    return folder


@pytest.fixture(scope="module")
def answers(hearts: Path) -> Any:
    """What a program of its own answers about the game."""
    path = os.pathsep.join(map(str, (hearts.parent, ROOT)))
    environment = {**os.environ, "PYTHONPATH": path, "COMPANION_GAMES": "hearts:HEARTS"}
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM], env=environment, cwd=hearts, check=True, capture_output=True, text=True
    )
    return json.loads(done.stdout)


def test_the_recipe_names_the_files_that_it_changes() -> None:
    changed = set(re.findall(r"^\+\+\+ (\S+)$", RECIPE, re.MULTILINE))
    assert set(re.findall(r"`([\w/]+\.(?:py|toml|md))`", RECIPE)) == changed


def test_the_option_is_in_the_catalogue_and_in_the_document(answers: Any) -> None:
    option = next(each for each in answers["game"]["options"] if each["name"] == "queen_points")
    assert (option["label"], option["default"], option["unit"]) == ("The queen of spades", 13, "points")
    assert (option["minimum"], option["maximum"], option["article"]) == (0, 26, "hearts.queen")
    described = json.loads(answers["document"])["components"]["schemas"]["HeartsOptions"]["properties"]
    assert (described["queen_points"]["minimum"], described["queen_points"]["maximum"]) == (0, 26)


def test_the_option_has_a_code_a_summary_and_its_limits(answers: Any) -> None:
    assert answers["rules"]["code"] == "classic~q-20"
    assert answers["rules"]["summary"]["en"].endswith("queen 20")
    assert answers["rules"]["summary"]["ja"].endswith("クイーン20点")
    assert [(error["pointer"], error["code"]) for error in answers["refused"]["errors"]] == [
        ("/rules/options/queen_points", "range")
    ]


def test_the_option_changes_the_score_and_the_rules_page(answers: Any) -> None:
    deal = answers["score"]["deals"][0]["sides"]["E"]
    assert [(line["article"], line["points"]) for line in deal["lines"]] == [("hearts.queen", 20)]
    assert "The queen of spades counts 20 points" in re.sub("<[^>]+>", "", answers["en"])
    assert "20点がつきます" in re.sub("<[^>]+>", "", answers["ja"])
    assert "queen_points" in answers["form"]


def test_both_languages_still_say_the_same(hearts: Path) -> None:
    assert check_digests(hearts / "rules_ja", hearts / "rules_en") == {}

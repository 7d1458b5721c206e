"""The forge checks what `.ci/run` checks, on every version of Python; notes of a release come from CHANGES.md."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest
import yaml  # type: ignore[import-untyped]

from tests.release_notes import CHANGES, release_notes

ROOT = Path(__file__).parents[2]
SAMPLE = "# Changes\n\n## 0.3.0 (2026-11-26)\n\n### Added\n\n- one\n\n## 0.2.0 (2026-11-22)\n\n- two\n"


def test_the_workflow_runs_the_check_on_every_version() -> None:
    text = (ROOT / ".github/workflows/ci.yml").read_text("utf-8")
    [job] = yaml.safe_load(text)["jobs"].values()
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    versions = [version for each in project["classifiers"] for version in re.findall(r":: (3\.\d+)$", each)]
    assert job["strategy"]["matrix"]["python"] == versions
    assert len(versions) >= 3
    assert ".ci/run" in [step.get("run") for step in job["steps"]]
    assert "make lowest" in (ROOT / ".ci/run").read_text("utf-8")


def test_release_notes_are_the_part_of_a_version() -> None:
    assert release_notes(SAMPLE) == release_notes(SAMPLE, "0.3.0") == "### Added\n\n- one\n"
    assert release_notes(SAMPLE, "0.2.0") == "- two\n"
    with pytest.raises(LookupError, match=r"0\.3\.0, 0\.2\.0"):
        release_notes(SAMPLE, "9.9.9")


def test_the_changes_have_notes_for_the_newest_version() -> None:
    assert release_notes(CHANGES.read_text("utf-8"))

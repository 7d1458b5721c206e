"""The command line speaks English unless a test says otherwise, whatever the locale of the machine."""

from __future__ import annotations

import pytest


@pytest.fixture(autouse=True)
def english(monkeypatch: pytest.MonkeyPatch) -> None:
    """Set the locale that decides the language."""
    monkeypatch.setenv("LC_ALL", "C.UTF-8")

"""The OpenAPI document as it was last agreed on: a change of it must be meant.

`python -m tests.api.test_snapshot` writes the present one.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from companion.web import create_app

AGREED = Path(__file__).parent / "openapi.json"


def present() -> dict[str, Any]:
    """The document without its examples and words: routes, parameters, shapes, statuses; what is required, sorted."""
    app = create_app({"TESTING": True, "RATE_LIMIT": "off", "DATABASE": "memory:"})
    document: dict[str, Any] = app.test_client().get("/api/v1/openapi.json").get_json()
    document["info"].pop("version", None)
    bare = _bare(document)
    assert isinstance(bare, dict)
    return bare


def _bare(value: Any) -> Any:
    if isinstance(value, dict):
        kept = {key: item for key, item in value.items() if key not in ("example", "examples", "description")}
        return {
            key: sorted(item) if key == "required" and isinstance(item, list) else _bare(item)
            for key, item in kept.items()
        }
    return [_bare(item) for item in value] if isinstance(value, list) else value


def test_document_is_the_agreed_one() -> None:
    assert present() == _bare(json.loads(AGREED.read_text(encoding="utf-8")))


if __name__ == "__main__":
    AGREED.write_text(json.dumps(present(), ensure_ascii=False, indent=1, sort_keys=True) + "\n", encoding="utf-8")

"""A client of the API with one sheet: what it sends and with which secret."""

from __future__ import annotations

import itertools
import json
import re
from typing import Any

from tests.sheets.deals import EW as EW
from tests.sheets.deals import NS as NS
from tests.sheets.deals import correct as correct
from tests.sheets.deals import deal as deal
from tests.sheets.deals import record as record

NAMES = ["Aki", "Ben", "Chie", "Dai"]
PREFIX = "/api/v1/sheets"

_keys = itertools.count(1)


def version_in(answer: Any) -> int:
    """The version in the ETag of an answer about a sheet."""
    return int(re.fullmatch(r'"(\d+)-[0-9a-f]{12}"', answer.headers["ETag"])[1])


def bearer(secret: str | None) -> dict[str, str]:
    """The header that carries a secret; none without one."""
    return {} if secret is None else {"Authorization": f"Bearer {secret}"}


def as_json(value: Any) -> dict[str, Any]:
    """What a test client takes to send any JSON value, null and huge numbers among them."""
    return {"data": json.dumps(value), "content_type": "application/json"}


class SheetClient:
    """One sheet, opened by one request, its secrets, and the version that was seen last."""

    def __init__(self, client: Any, *, at: str = PREFIX, secret: str | None = None, **asked: Any) -> None:
        """Open it at an address: that of sheets, or that of the sheets of a group, whose secret it takes."""
        self.client = client
        body = {"seats": NAMES, "game": "spades", "dealer": "D", **asked}
        answer = client.post(at, json=body, headers=bearer(secret))
        assert answer.status_code == 201, answer.text
        self.id: str = answer.json["id"]
        self.version: int = answer.json["version"]
        self.watch: str = answer.json["secrets"]["watch"]
        self.score: str = answer.json["secrets"]["score"]
        self.url = f"{PREFIX}/{self.id}"

    def get(self, path: str = "", *, secret: str | None = "", **headers: str) -> Any:
        """What is answered to a GET; with the score secret unless another is named, None for none."""
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        secret = self.score if secret == "" else secret
        return self.client.get(f"{self.url}{path}", headers={**bearer(secret), **named})

    def state(self) -> Any:
        """The sheet as it stands."""
        return self.get().json

    def write(
        self, command: Any, *, key: str | None = None, version: Any = None, secret: str | None = "", lang: str = "en"
    ) -> Any:
        """What is answered to a command, under a key of its own and on the version seen last unless others are named.

        An empty version or key sends none.
        """
        version = f'"{self.version}"' if version is None else version
        key = f'"key-{next(_keys)}"' if key is None else key
        headers = {**bearer(self.score if secret == "" else secret), "Accept-Language": lang}
        headers |= {"If-Match": str(version)} if version else {}
        headers |= {"Idempotency-Key": key} if key else {}
        answer = self.client.post(f"{self.url}/events", headers=headers, **as_json(command))
        if answer.status_code == 201 and "Idempotent-Replayed" not in answer.headers:
            self.version = answer.json["version"]
        return answer

    def written(self, command: Any) -> Any:
        """The body of the answer to a command that must be written."""
        answer = self.write(command)
        assert answer.status_code == 201, answer.text
        return answer.json

    def link(self, scope: str, label: str = "") -> tuple[str, str]:
        """The id and the secret of a new link."""
        answer = self.post("/links", {"scope": scope, "label": label})
        assert answer.status_code == 201, answer.text
        return answer.json["link"]["id"], answer.json["secret"]

    def post(self, path: str, body: Any, *, secret: str | None = "") -> Any:
        """What is answered to a POST without versions and keys."""
        headers = bearer(self.score if secret == "" else secret)
        return self.client.post(f"{self.url}{path}", headers=headers, **as_json(body))

    def delete(self, path: str, *, secret: str | None = "") -> Any:
        """What is answered to a DELETE."""
        return self.client.delete(f"{self.url}{path}", headers=bearer(self.score if secret == "" else secret))

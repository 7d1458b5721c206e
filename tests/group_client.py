"""A client of the API with one group: what it sends and with which secret."""

from __future__ import annotations

import itertools
from typing import Any

from tests.sheet_client import NAMES, SheetClient, as_json, bearer

PREFIX = "/api/v1/groups"
_keys = itertools.count(1)


class GroupClient:
    """One group, opened by one request, its secrets, and the version that was seen last."""

    def __init__(self, client: Any, title: str = "Tuesday") -> None:
        self.client = client
        answer = client.post(PREFIX, json={"title": title, "names": NAMES})
        assert answer.status_code == 201, answer.text
        self.id, self.version = answer.json["id"], answer.json["version"]
        self.watch, self.score = answer.json["secrets"]["watch"], answer.json["secrets"]["score"]
        self.url = answer.json["url"]

    def get(self, path: str = "", **headers: str) -> Any:
        """What is answered to whoever watches."""
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        return self.client.get(self.url + path, headers={**bearer(self.watch), **named})

    def send(self, method: str, path: str, body: Any = None, **headers: str) -> Any:
        """What is answered to whoever keeps the group."""
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        sent = {} if body is None else as_json(body)
        return self.client.open(self.url + path, method=method, headers={**bearer(self.score), **named}, **sent)

    def write(self, command: Any, *, version: str = "*", key: str = "") -> Any:
        """What is answered to a command."""
        return self.send("POST", "/events", command, If_Match=version, Idempotency_Key=key or f"group-{next(_keys)}")

    def written(self, **command: Any) -> Any:
        """The group after a command that must be written."""
        answer = self.write(command)
        assert answer.status_code == 201, answer.text
        return answer.json["group"]

    def sheet(self, **asked: Any) -> SheetClient:
        """A sheet that is opened in the group."""
        return SheetClient(self.client, at=f"{self.url}/sheets", secret=self.score, **asked)

    def links(self) -> Any:
        """The links of the group."""
        return self.send("GET", "/links").json["links"]

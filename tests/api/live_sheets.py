"""Sheets and groups that exist, with their secrets, for requests that Schemathesis makes from the OpenAPI document.

A made-up id and secret would end every request in 401 or 404, its body unread; made-up sides would end every deal.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from typing import Any

import schemathesis
from schemathesis.core.parameters import ParameterLocation

from companion.engine.shapes import schema
from companion.games import GAMES
from tests.group_client import GroupClient
from tests.sheet_client import SheetClient, bearer

CASES = 40
"""Requests about a sheet until another takes its place."""
_numbers = itertools.count(1)


class LiveSheet(SheetClient):
    """A sheet with a deal of a game, and the names that commands about it use."""

    def __init__(self, http: Any, game: str) -> None:
        example = GAMES[game].examples["score"]
        sides = [side if isinstance(side, dict) else {"id": side, "players": [side]} for side in example["sides"]]
        players = [name for together in zip(*(side["players"] for side in sides), strict=True) for name in together]
        super().__init__(http, seats=players, game=game, dealer=None)
        state = self.state()
        self.names = {
            "side": [side["id"] for side in state["games"][0]["sides"]],
            "seat": [seat["id"] for seat in state["seats"]],
        }
        names = dict(zip((side["id"] for side in sides), self.names["side"], strict=True))
        names |= dict(zip(players, self.names["seat"], strict=True))
        self.shared = {*GAMES[game].deal_keys, *schema(GAMES[game].deal).load_fields}
        self.written({"type": "record_deal", "facts": renamed(example["deals"][0], names)})

    def about_this(self, command: Any) -> Any:
        """Return a generated command with names of this sheet in the place of made-up ones: its first deal and game."""
        if isinstance(command, list):
            return [self.about_this(each) for each in command]
        if not isinstance(command, dict):
            return command
        found = {key: self.about_this(item) for key, item in command.items()}
        for key, names in self.names.items():
            if isinstance(found.get(key), str):  # of made-up names, all are used
                found[key] = names[len(found[key]) % len(names)]
        if type(found.get("deal")) is int and found.get("type") not in ("record_deal", "make_call"):
            found["deal"] = 1
        if type(found.get("game_number")) is int:
            found["game_number"] = 1
        if isinstance(found.get("facts"), dict):
            sides = itertools.cycle(self.names["side"])
            found["facts"] = {
                next(sides) if key not in self.shared else key: item for key, item in found["facts"].items()
            }
        return found


class LiveGroup(GroupClient):
    """A group with a sheet and a league with a round, and the names that commands about it use."""

    def __init__(self, http: Any) -> None:
        super().__init__(http)
        self.live = self.sheet()
        players = [member["id"] for member in self.get().json["members"]]
        self.written(type="start_league", title="L", game="spades", form="random-partners", players=players)
        self.written(type="draw_round", league=1, after=0, seed=1)
        self.names = {
            "member": "m1", "into": "m2", "players": players, "league": 1, "after": 1, "table": [1, 1, 1],
            "secret": self.live.score, "code": "",
        }  # fmt: skip

    def about_this(self, command: Any) -> Any:
        """Return a generated command with names of this group in the place of made-up ones."""
        if not isinstance(command, dict):
            return command
        return command | {key: name for key, name in self.names.items() if key in command}


def renamed(value: Any, names: Mapping[str, str]) -> Any:
    """Return the value with other names, as keys and as texts."""
    if isinstance(value, dict):
        return {names.get(key, key): renamed(item, names) for key, item in value.items()}
    if isinstance(value, list):
        return [renamed(item, names) for item in value]
    return names.get(value, value) if isinstance(value, str) else value


class LiveSheets:
    """Sheets of every game in turn, and groups."""

    def __init__(self, app: Any) -> None:
        self._app = app
        self._cases = itertools.count()
        self._games = itertools.cycle(GAMES)
        self._sheets: dict[str, LiveSheet] = {}
        self._secrets: set[str] = set()
        self._checked = False

    def put_into(self, case: schemathesis.Case) -> bool:
        """Let a request be about a sheet that exists, unless it shall be wrong in just that. Return whether it is."""
        if "{group}" in case.operation.path:
            return self._put_group(case)
        game = next(self._games)
        if game not in self._sheets or next(self._cases) % CASES < len(GAMES) or case.method == "DELETE":
            self._sheets[game] = LiveSheet(self._app.test_client(), game)
        sheet = self._sheets[game]
        wrong = case.meta.is_negative_at
        if not wrong(ParameterLocation.PATH):
            named = {"sheet": sheet.id}
            if "{link}" in case.operation.path:
                named["link"] = sheet.link("watch")[0]
            case.path_parameters = {**case.path_parameters, **named}
        if not wrong(ParameterLocation.HEADER):
            case.headers["Authorization"] = bearer(sheet.score)["Authorization"]
            self._secrets.add(case.headers["Authorization"])
            if "If-Match" in case.headers:
                case.headers["If-Match"] = "*"
                case.headers["Idempotency-Key"] = f'"generated-{next(_numbers)}"'
        if case.media_type == "application/json" and not wrong(ParameterLocation.BODY):
            case.body = sheet.about_this(case.body)
        if case.method == "DELETE" and "{link}" not in case.operation.path:
            del self._sheets[game]
        return not wrong(ParameterLocation.PATH) and not wrong(ParameterLocation.HEADER)

    def _put_group(self, case: schemathesis.Case) -> bool:
        """Let a request be about a group that has never been asked before."""
        group = LiveGroup(self._app.test_client())
        wrong = case.meta.is_negative_at
        if not wrong(ParameterLocation.PATH):
            named = {"group": group.id, "sheet": group.live.id, "league": 1, "link": group.links()[0]["id"]}
            asked = {name: value for name, value in named.items() if f"{{{name}}}" in case.operation.path}
            case.path_parameters = {**case.path_parameters, **asked}
        if not wrong(ParameterLocation.HEADER):
            case.headers["Authorization"] = bearer(group.score)["Authorization"]
            self._secrets.add(case.headers["Authorization"])
            if "If-Match" in case.headers:
                case.headers["If-Match"] = "*"
        if case.media_type == "application/json" and not wrong(ParameterLocation.BODY):
            case.body = group.about_this(case.body)
        return not wrong(ParameterLocation.PATH) and not wrong(ParameterLocation.HEADER)

    def check_secret(self, case: schemathesis.Case) -> None:
        """Assert that a request which was answered had a secret of a sheet, and is refused without it or with another.

        The second is tried once: it holds for an operation, not for a request.
        """
        assert case.headers.get("Authorization") in self._secrets, "a made-up secret was accepted"
        if self._checked:
            return
        self._checked = True
        for secret, status in ((None, 401), ("Bearer made-up", 404)):
            headers = {name: value for name, value in case.headers.items() if name != "Authorization"}
            path = case.formatted_path
            body = case.body if isinstance(case.body, dict) else {}
            answer = self._app.test_client().open(
                path, method=case.method, json=body, headers=headers | ({"Authorization": secret} if secret else {})
            )
            assert answer.status_code == status, (case.method, path, secret)

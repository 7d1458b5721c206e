"""House rules that a device keeps under names of its own: a small cookie, bounded, and read with distrust."""

from __future__ import annotations

import base64
import json
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from flask import request
from werkzeug.wrappers import Response

from companion.engine.game import Game
from companion.engine.problems import Refused
from companion.games import GAMES
from companion.sheets.names import MAX_NAME, clean, fits
from companion.web.keeper.device import SECONDS_KEPT

COOKIE: Final = "presets"
MOST: Final = 24
"""Sets of rules that one device keeps."""
LARGEST: Final = 3500
"""Bytes of the cookie's value: browsers keep about 4,000 with its name and attributes."""
_UNPACKED: Final = 64 * 1024


@dataclass(frozen=True, slots=True)
class OwnPreset:
    """House rules of a game, by their short code, under the name that somebody gave them here."""

    game: str
    name: str
    code: str


class NotKept(Exception):
    """A set that cannot be kept as asked; `reason` is the end of a key of the interface's words."""

    def __init__(self, reason: str, **facts: object) -> None:
        self.reason, self.facts = reason, facts
        super().__init__(reason)


def own_presets(game: str | None = None) -> list[OwnPreset]:
    """What this device keeps, of one game or of all, in the order in which it was kept."""
    return [each for each in unpack(request.cookies.get(COOKIE, "")) if game in (None, each.game)]


def with_kept(kept: Sequence[OwnPreset], game: Game, name: str, code: str) -> list[OwnPreset]:
    """The sets with one more; one of the same name gives way.

    Raises NotKept without a name or room, Refused without a code.
    """
    new = OwnPreset(game.id, _name(name), game.options.code(game.options.decode(code)))
    return _fitting([*without(kept, game.id, new.name), new])


def renamed(kept: Sequence[OwnPreset], game: str, name: str, new: str) -> list[OwnPreset]:
    """The sets with one under a new name, in its old place. Raises NotKept where the name is none, or taken."""
    name_now = _name(new)
    if name_now != name and any((each.game, each.name) == (game, name_now) for each in kept):
        raise NotKept("name-taken", name=name_now)
    return _fitting(
        [OwnPreset(game, name_now, each.code) if (each.game, each.name) == (game, name) else each for each in kept]
    )


def without(kept: Sequence[OwnPreset], game: str, name: str) -> list[OwnPreset]:
    """The sets without the one of that name."""
    return [each for each in kept if (each.game, each.name) != (game, name)]


def store(response: Response, kept: Sequence[OwnPreset]) -> Response:
    """The response with the cookie that makes the device keep these; scripts cannot read it."""
    if not kept:
        response.delete_cookie(COOKIE, httponly=True, samesite="Lax", secure=request.is_secure)
        return response
    response.set_cookie(
        COOKIE, pack(kept), max_age=SECONDS_KEPT, httponly=True, samesite="Lax", secure=request.is_secure
    )  # fmt: skip
    return response


def pack(kept: Sequence[OwnPreset]) -> str:
    """Sets as the value of a cookie."""
    plain = json.dumps([[each.game, each.name, each.code] for each in kept], ensure_ascii=False, separators=(",", ":"))
    return base64.urlsafe_b64encode(zlib.compress(plain.encode(), 9)).decode("ascii").rstrip("=")


def unpack(text: str) -> list[OwnPreset]:
    """The sets in the value of a cookie; whatever in it is none is passed over, since anybody can write a cookie."""
    kept: dict[tuple[str, str], OwnPreset] = {}
    for item in _items(text)[:MOST]:
        try:
            game, name, code = item
            known = GAMES[game]
            own = OwnPreset(known.id, _name(name), known.options.code(known.options.decode(code)))
        except (TypeError, ValueError, KeyError, AttributeError, Refused, NotKept):
            continue
        kept[own.game, own.name] = own
    return list(kept.values())


def _items(text: str) -> list[Any]:
    if not text or len(text) > LARGEST:
        return []
    try:
        packed = base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
        unpacking = zlib.decompressobj()
        plain = unpacking.decompress(packed, _UNPACKED)
        found = json.loads(plain) if unpacking.eof else []
    except (ValueError, zlib.error, RecursionError):
        return []
    return found if isinstance(found, list) else []


def _name(text: str) -> str:
    name = clean(text)
    if not name:
        raise NotKept("name-missing")
    if not fits(name):
        raise NotKept("name-long", most=MAX_NAME)
    return name


def _fitting(kept: list[OwnPreset]) -> list[OwnPreset]:
    if len(kept) > MOST or len(pack(kept)) > LARGEST:
        raise NotKept("full", most=MOST)
    return kept

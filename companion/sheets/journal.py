"""A store in memory that says what was written, as lines that a device keeps and fills it from again."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import fields, is_dataclass
from typing import Any, Concatenate, Final, NamedTuple, ParamSpec, TypeVar

from companion.sheets.devices import Device, Devices, MemoryDevices
from companion.sheets.memory import MemoryStore
from companion.sheets.store import Answered, Link, Record

P = ParamSpec("P")
R = TypeVar("R")
S = TypeVar("S", MemoryStore, MemoryDevices)
KINDS: Final[Mapping[str, type]] = {kind.__name__: kind for kind in (Answered, Device, Link, Record)}


class Line(NamedTuple):
    """What one transaction wrote: the sheet, the text that the store is filled from again, and the method's name."""

    sheet: str
    text: str
    kind: str


def _noted(write: Callable[Concatenate[S, P], R]) -> Callable[Concatenate[Any, P], R]:
    """Return a method that writes and notes it. What answers something other than None wrote nothing."""

    def method(self: Any, /, *args: P.args, **kwargs: P.kwargs) -> R:
        result = write(self, *args, **kwargs)
        if result is None:
            first = args[0]
            sheet = first.sheet if isinstance(first, Link) else first if isinstance(first, str) else ""
            text = json.dumps([write.__name__, _plain(args), _plain(kwargs)], ensure_ascii=False)
            self.lines.append(Line(sheet, text, write.__name__))
        return result

    return method


class JournalStore(MemoryStore):
    """A store in memory; `lines` has what was written since somebody last took it away."""

    def __init__(self, lines: Iterable[str] = ()) -> None:
        super().__init__()
        self.lines: list[Line] = []
        self.devices: Devices = JournalDevices(lambda: self._links, self.lines)
        for line in lines:
            name, args, kwargs = json.loads(line, object_hook=_made)
            part = MemoryStore if hasattr(MemoryStore, name) else MemoryDevices
            getattr(part, name)(self if part is MemoryStore else self.devices, *args, **kwargs)

    create = _noted(MemoryStore.create)
    append = _noted(MemoryStore.append)
    add_link = _noted(MemoryStore.add_link)
    revoke_link = _noted(MemoryStore.revoke_link)
    erase = _noted(MemoryStore.erase)

    def take(self) -> list[Line]:
        """Return what was written since the last call, one line for each transaction."""
        taken = self.lines[:]
        self.lines.clear()
        return taken


class JournalDevices(MemoryDevices):
    """Devices in memory, whose writes go to the same lines."""

    def __init__(self, links: Callable[[], dict[str, Link]], lines: list[Line]) -> None:
        super().__init__(links)
        self.lines = lines

    add = _noted(MemoryDevices.add)
    keep = _noted(MemoryDevices.keep)
    forget = _noted(MemoryDevices.forget)
    update = _noted(MemoryDevices.update)
    unite = _noted(MemoryDevices.unite)


def _plain(value: object) -> object:
    """Return a value as JSON can hold it, records as objects that name their kind."""
    if is_dataclass(value):
        return {"kind": type(value).__name__, "of": {f.name: _plain(getattr(value, f.name)) for f in fields(value)}}
    if isinstance(value, Mapping):
        return {key: _plain(each) for key, each in value.items()}
    return [_plain(each) for each in value] if isinstance(value, (list, tuple)) else value


def _made(found: dict[str, object]) -> object:
    kind = KINDS.get(str(found.get("kind"))) if set(found) == {"kind", "of"} else None
    return kind(**found["of"]) if kind else found  # type: ignore[arg-type]

"""A store in memory that says what was written, as lines that a device keeps and fills it from again."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import fields, is_dataclass
from typing import Any, Concatenate, Final, NamedTuple, ParamSpec, TypeVar

from companion.sheets.devices import Device, Devices, MemoryDevices
from companion.sheets.memory import MemoryStore
from companion.sheets.model import Command, command_json
from companion.sheets.service import Done, SheetService
from companion.sheets.store import Answered, Link, Record

P = ParamSpec("P")
R = TypeVar("R")
S = TypeVar("S")
KINDS: Final[Mapping[str, type]] = {kind.__name__: kind for kind in (Answered, Device, Link, Record)}

DROPPED: Final = ("update",)
"""Lines of earlier versions that nothing is read from: on which day this device was seen, which is noted again."""


class Line(NamedTuple):
    """What one transaction wrote: the sheet, the text that the store is filled from again, and the method's name.

    For what is written of devices, `sheet` is the id of a list or of a device, or empty.
    """

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


class GivenCommand(NamedTuple):
    """A command that was given here: the first event that it became, its key, and what it is as JSON."""

    seq: int
    key: str
    command: Mapping[str, object]


class CommandStore(MemoryStore):
    """A store in memory that also keeps the commands, so that they can be given to a server as they were given here."""

    def __init__(self) -> None:
        super().__init__()
        self._given: dict[str, list[GivenCommand]] = {}

    def give(self, sheet: str, seq: int, key: str, command: Mapping[str, object]) -> None:
        """Keep a command."""
        self._given.setdefault(sheet, []).append(GivenCommand(seq, key, command))

    def given(self, sheet: str) -> list[GivenCommand]:
        """Return the commands of a sheet, in order."""
        return self._given.get(sheet, [])

    def erase(self, sheet: str, at: str) -> None:
        """Delete a sheet, which may be taken along again."""
        super().erase(sheet, at)
        self._erased.discard(sheet)
        self._given.pop(sheet, None)


class JournalStore(CommandStore):
    """A store in memory; `lines` has what was written since somebody last took it away."""

    def __init__(self, lines: Iterable[str] = ()) -> None:
        super().__init__()
        self.lines: list[Line] = []
        self.devices: Devices = JournalDevices(lambda: self._links, self.lines)
        for line in lines:
            name, args, kwargs = json.loads(line, object_hook=_made)
            if name in DROPPED:
                continue
            part = CommandStore if hasattr(CommandStore, name) else MemoryDevices
            getattr(part, name)(self if part is CommandStore else self.devices, *args, **kwargs)

    create = _noted(MemoryStore.create)
    append = _noted(MemoryStore.append)
    add_link = _noted(MemoryStore.add_link)
    revoke_link = _noted(MemoryStore.revoke_link)
    give = _noted(CommandStore.give)
    erase = _noted(CommandStore.erase)

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
    see = _noted(MemoryDevices.see)
    rename = _noted(MemoryDevices.rename)
    unite = _noted(MemoryDevices.unite)


class JournalService(SheetService):
    """A service whose store keeps the commands, too."""

    def __init__(self, store: JournalStore) -> None:
        super().__init__(store)
        self._journal = store

    def _keep_command(self, sheet: str, asked: Command, key: str | None, done: Done) -> None:
        if done.entries and not done.replayed:
            self._journal.give(sheet, done.entries[0].seq, key or f"phone-{done.head.hash}", command_json(asked))


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

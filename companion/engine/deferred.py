"""Parts of a game that are imported when they are first used: what pages ask costs a command that scores nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from typing import Generic, TypeVar, cast

_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class Deferred(Generic[_T]):
    """A value that a module defines, imported when it is loaded."""

    module: str
    name: str

    def load(self) -> _T:
        """Return the value. Raises ImportError or AttributeError."""
        value: _T = getattr(import_module(self.module), self.name)
        return value


class DeferredMapping(Mapping[str, _T]):
    """A mapping that a module defines, imported when it is first looked into."""

    def __init__(self, module: str, name: str) -> None:
        self._whole: Deferred[Mapping[str, _T]] = Deferred(module, name)

    def __getitem__(self, key: str) -> _T:
        return self._whole.load()[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._whole.load())

    def __len__(self) -> int:
        return len(self._whole.load())


class _LazyProxy:
    """An object that imports another on first attribute access."""

    def __init__(self, load: Callable[[], object]) -> None:
        self._load = load

    def __getattr__(self, name: str) -> object:
        return getattr(self._load(), name)


def deferred_object(module: str, name: str, kind: type[_T]) -> _T:
    """Return an object that has the attributes of another, whose module is imported when one is asked for."""
    whole: Deferred[_T] = Deferred(module, name)
    return cast("_T", _LazyProxy(whole.load))


def deferred_function(module: str, name: str) -> Callable[..., _T]:
    """Return a function that imports the module of another when it is called, and calls that."""
    whole: Deferred[Callable[..., _T]] = Deferred(module, name)
    load = cache(whole.load)
    return lambda *arguments: load()(*arguments)

"""A game's code woven so that a choice in it can be made otherwise while it runs: a condition, an option, a number.

Only the search for the corpus of `corpus.py` uses this. What is woven answers as before until a change is switched on.
"""

from __future__ import annotations

import ast
import operator
import signal
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import fields
from functools import _lru_cache_wrapper
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from types import CodeType, FrameType
from typing import Any

NOT_WOVEN = frozenset({"__init__", "articles", "asks", "checker", "entry", "teach", "witness", "shapes"})
"""Modules of a game that hold no rules of play."""
SLOW = 0.08
"""Seconds of CPU after which a run with a change is given up."""
Change = tuple[int, int]
"""A place in the code, and which of its changes."""
ORDERS: dict[str, tuple[Callable[[Any, Any], Any], ...]] = {
    "Lt": (operator.lt, operator.ge, operator.le), "LtE": (operator.le, operator.gt, operator.lt),
    "Gt": (operator.gt, operator.le, operator.ge), "GtE": (operator.ge, operator.lt, operator.gt),
    "Eq": (operator.eq, operator.ne), "NotEq": (operator.ne, operator.eq), "Is": (operator.is_, operator.is_not),
    "IsNot": (operator.is_not, operator.is_), "In": (lambda a, b: a in b, lambda a, b: a not in b),
    "NotIn": (lambda a, b: a not in b, lambda a, b: a in b),
}  # fmt: skip
"""Comparisons, each with what it can be changed to."""
MIXES: dict[str, Callable[[Any, Any], Any]] = {
    "Add": operator.add, "Sub": operator.sub, "Mult": operator.mul, "FloorDiv": operator.floordiv, "Mod": operator.mod,
    "BitOr": operator.or_, "BitAnd": operator.and_,
}  # fmt: skip
EXCHANGED: dict[Any, Any] = {min: max, max: min, any: all, all: any}


class Weft:
    """What runs in woven code, the changes it meets, and those that are switched on."""

    def __init__(self) -> None:
        self.met: set[Change] = set()
        self.on: dict[int, int] = {}
        """The places at which something is changed, and which of their changes it is."""
        self.listening = True
        """Whether what is met is noted."""
        self.values: dict[str, tuple[Any, ...]] = {}
        self.rules_type: type = type(None)
        self.places: list[str] = []

    def turn(self, site: int, value: Any) -> Any:
        """A condition, which can be true or false whatever it says."""
        if site in self.on:
            return self.on[site] == 0
        if self.listening:
            self.met.add((site, 1 if value else 0))
        return value

    def option(self, site: int, owner: Any, name: str) -> Any:
        """An option, which can have another value here."""
        value = getattr(owner, name)
        if isinstance(owner, self.rules_type):
            values = self.values[name]
            if site in self.on:
                return values[self.on[site]]
            if self.listening:
                self.met.update((site, n) for n, other in enumerate(values) if other != value)
        return value

    def number(self, site: int, value: int) -> int:
        if site in self.on:
            return value + (1, -1)[self.on[site]]
        if self.listening:
            self.met.update(((site, 0), (site, 1)))
        return value

    def mix(self, site: int, how: str, left: Any, right: Any) -> Any:
        """Two values combined, of which one can do alone."""
        found = MIXES[how](left, right)
        both = (left, right)
        if site in self.on:
            return both[self.on[site]]
        if self.listening:
            self.met.update((site, n) for n, one in enumerate(both) if type(one) is type(found) and one != found)
        return found

    def order(self, site: int, how: str, left: Any, right: Any) -> Any:
        """A comparison, which can be the opposite, strict or not, or about one thing less."""
        same, *others = ORDERS[how]
        value = same(left, right)
        listed = how in ("In", "NotIn") and type(right) is tuple
        if site in self.on:
            place = self.on[site]
            if listed and place:
                return same(left, right[: place - 1] + right[place:])
            return others[place](left, right)
        if self.listening:
            self.met.update((site, n) for n, other in enumerate(others) if other(left, right) != value)
        if listed and self.listening:
            self.met.update((site, n + 1) for n, one in enumerate(right) if one == left)
        return value

    def call(self, site: int, function: Any, given: Sequence[Any], named: dict[str, Any]) -> Any:
        """A call, which can be left out where something that goes into it would do, or be made with less."""
        number = self.on.get(site, -1)
        if number < 0 and not self.listening:
            return function(*given, **named)
        into = [*given, getattr(function, "__self__", None)]
        if number == 30:
            return EXCHANGED[function](*given, **named)
        if 0 <= number < len(into):
            return into[number]
        if number >= 0:
            less = [*named][number - 10]
            return function(*given, **{name: value for name, value in named.items() if name != less})
        found = function(*given, **named)
        if type(found) is not bool:
            self.met.update((site, n) for n, one in enumerate(into) if type(one) is type(found) and one != found)
        self.met.update((site, n + 10) for n in range(len(named)))
        if getattr(function, "__hash__", None) and function in EXCHANGED:
            self.met.add((site, 30))
        return found

    def does(self, site: int) -> bool:
        """Whether a statement is executed."""
        if site in self.on:
            return False
        if self.listening:
            self.met.add((site, 0))
        return True


WEFT = Weft()
CACHES: list[Any] = []
"""What woven code keeps of one run for another."""


class _Weaver(ast.NodeTransformer):
    def __init__(self, file: str, options: frozenset[str]) -> None:
        self.file, self.options, self.depth = file, options, 0

    def site(self, node: ast.AST, method: str, *arguments: ast.expr) -> ast.Call:
        WEFT.places.append(f"{self.file}:{node.lineno} {method}")  # type: ignore[attr-defined]
        to = ast.Attribute(ast.Name("_weft", ast.Load()), method, ast.Load())
        return ast.Call(to, [ast.Constant(len(WEFT.places) - 1), *arguments], [])

    def turned(self, test: ast.expr) -> ast.expr:
        return self.site(test, "turn", self.visit(test))

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        self.depth += 1
        body = node.body[1:] if ast.get_docstring(node) is not None else node.body
        node.body = [self.visit(each) for each in body] or node.body
        self.depth -= 1
        return node

    def visit_Lambda(self, node: ast.Lambda) -> ast.AST:
        self.depth += 1
        node.body = self.visit(node.body)
        self.depth -= 1
        return node

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST:
        if self.depth and node.value:
            node.value = self.visit(node.value)
        return node

    def visit_JoinedStr(self, node: ast.JoinedStr) -> ast.AST:
        return node

    def visit_match_case(self, node: ast.match_case) -> ast.AST:
        node.guard = self.turned(node.guard) if node.guard and self.depth else node.guard
        node.body = [self.visit(each) for each in node.body]
        return node

    def visit_Expr(self, node: ast.Expr) -> ast.AST:
        if not self.depth or not isinstance(node.value, ast.Call):
            return self.generic_visit(node)
        node.value = self.visit(node.value)
        return ast.If(self.site(node, "does"), [node], [])

    def _tested(self, node: Any) -> ast.AST:
        if self.depth:
            node.test = self.turned(node.test)
        for name in ("body", "orelse"):
            below = getattr(node, name)
            new = [self.visit(each) for each in below] if isinstance(below, list) else self.visit(below)
            setattr(node, name, new)
        return node

    visit_If = visit_IfExp = _tested  # noqa: N815

    def visit_comprehension(self, node: ast.comprehension) -> ast.AST:
        node.iter = self.visit(node.iter)
        node.ifs = [self.turned(each) if self.depth else each for each in node.ifs]
        return node

    def visit_BoolOp(self, node: ast.BoolOp) -> ast.AST:
        node.values = [self.turned(each) if self.depth else each for each in node.values]
        return node

    def visit_Compare(self, node: ast.Compare) -> ast.AST:
        self.generic_visit(node)
        how = type(node.ops[0]).__name__
        if not self.depth or len(node.ops) > 1:
            return node
        return self.site(node, "order", ast.Constant(how), node.left, node.comparators[0])

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        self.generic_visit(node)
        how = type(node.op).__name__
        if not self.depth or how not in MIXES:
            return node
        return self.site(node, "mix", ast.Constant(how), node.left, node.right)

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        self.generic_visit(node)
        if self.depth and isinstance(node.ctx, ast.Load) and node.attr in self.options:
            return self.site(node, "option", node.value, ast.Constant(node.attr))
        return node

    def visit_Constant(self, node: ast.Constant) -> ast.AST:
        return self.site(node, "number", node) if self.depth and type(node.value) is int else node

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        spread = any(isinstance(each, ast.Starred) for each in node.args) or any(not key.arg for key in node.keywords)
        if not self.depth or spread or getattr(node.func, "id", "") in ("super", "isinstance", "len", "range"):
            return node
        keys: list[ast.expr | None] = [ast.Constant(key.arg) for key in node.keywords]
        named = ast.Dict(keys, [key.value for key in node.keywords])
        return self.site(node, "call", node.func, ast.Tuple(node.args, ast.Load()), named)


class _Loader(SourceFileLoader):
    options: frozenset[str] = frozenset()

    def get_code(self, fullname: str) -> CodeType:
        """Return the woven code of a module; what is compiled on disk is not."""
        path = self.get_filename(fullname)
        tree = _Weaver(path.rpartition("/")[2], self.options).visit(ast.parse(self.get_data(path), path))
        return compile(ast.fix_missing_locations(tree), path, "exec", dont_inherit=True)

    def exec_module(self, module: Any) -> None:
        module._weft = WEFT
        super().exec_module(module)
        CACHES.extend(one for one in vars(module).values() if isinstance(one, _lru_cache_wrapper))


class _Finder(MetaPathFinder):
    def __init__(self, package: str) -> None:
        self.package = package

    def find_spec(self, fullname: str, path: Any, target: Any = None) -> ModuleSpec | None:
        above, _, name = fullname.rpartition(".")
        spec = PathFinder.find_spec(fullname, path) if above == self.package and name not in NOT_WOVEN else None
        if spec and spec.origin:
            spec.loader = _Loader(fullname, spec.origin)
        return spec


def weave(package: str, options: Sequence[str]) -> None:
    """Let a game's modules be woven when they are imported."""
    _Loader.options = frozenset(options)
    sys.meta_path.insert(0, _Finder(package))
    signal.signal(signal.SIGVTALRM, _too_slow)


def watch(rules_type: type, values: dict[str, tuple[Any, ...]]) -> None:
    """Say which options there are, when the game has been imported."""
    WEFT.rules_type = rules_type
    WEFT.values = values | {one.name: () for one in fields(rules_type) if one.name not in values}  # type: ignore[arg-type]


@contextmanager
def changed(changes: Iterable[Change]) -> Iterator[None]:
    """Switch changes on; what the program keeps of one run is not used in another."""
    WEFT.on, WEFT.listening = dict(changes), False
    for cache in CACHES:
        cache.cache_clear()
    signal.setitimer(signal.ITIMER_VIRTUAL, SLOW)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        WEFT.on, WEFT.listening = {}, True
        for cache in CACHES:
            cache.cache_clear()


def _too_slow(_: int, __: FrameType | None) -> None:
    raise TimeoutError

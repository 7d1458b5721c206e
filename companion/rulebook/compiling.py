"""Compiles messages of places and plain conditions without Jinja, which takes as long to import as to score a game.

What a place prints and what a condition holds of is what Jinja would say; a message with anything else is left to it.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Final, NamedTuple

Facts = Mapping[str, object]
Root = Callable[[Facts], Iterable[str]]
"""A compiled message: facts to the parts of the sentence."""
Filters = Mapping[str, Callable[..., str]]
"""How facts are printed, by the name of the filter; `show` is that of a fact without one."""

KEYWORDS: Final = frozenset({"if", "elif", "else", "endif", "and", "or", "not", "is", "in", "none", "true", "false"})
"""Words of the language of messages, which name no facts."""
_TAG: Final = re.compile(r"(\{\{.*?\}\}|\{%.*?%\})", re.DOTALL)
_PLACE: Final = re.compile(
    r"\{\{ *(?P<name>[a-z_][a-z0-9_]*) *(?:\| *(?P<filter>\w+)(?:\((?P<given>(?:'[^'\\]*'|[^'(){}])*)\))? *)?\}\}"
)
"""A fact, printed as it is or through one filter."""
_STEP: Final = re.compile(r"\{% *(?:(?P<step>if|elif) +(?P<condition>[^%]+?)|(?P<other>else|endif)) *%\}")
_TERM: Final = re.compile(
    r"(?P<no>not +)?(?P<name>[a-z_][a-z0-9_]*)"
    r"(?: +(?P<how>==|!=|<=|>=|<|>|is not|is) +(?P<other>'[^'\\]*'|-?\d+|[a-z_][a-z0-9_]*))?"
)
"""A fact that holds, or that compares with a text, a number, another fact or none."""
_GIVEN: Final = re.compile(r"(?:(?P<key>\w+)=)?(?:'(?P<text>[^'\\]*)'|(?P<name>[a-z_][a-z0-9_]*))(?:, *|$)")
_COMPARE: Final[Mapping[str, Callable[[Any, Any], bool]]] = {
    "==": operator.eq, "!=": operator.ne, "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge,
}  # fmt: skip


class Absent:
    """What a fact that is not given holds: nothing to print, to count or to list, and false."""

    def __str__(self) -> str:
        return ""

    def __bool__(self) -> bool:
        return False

    def __iter__(self) -> Iterator[object]:
        return iter(())


ABSENT: Final = Absent()


class _NotPlain(ValueError):
    """A message that is left to Jinja: it does more than places and plain conditions, or is not well formed."""


def compile_plain(source: str, known: Filters) -> Root | None:
    """Return a message of places and plain conditions, compiled; None for one with more, or that is not well formed."""
    tags = iter(_TAG.split(source))
    try:
        parts, step = _block(tags, known)
        return None if step else _root(parts)
    except _NotPlain:
        return None


class _Step(NamedTuple):
    """What ends a block: `elif` with its condition, `else`, `endif`; nothing where the message ends."""

    name: str = ""
    condition: str = ""

    def __bool__(self) -> bool:
        return self.name != ""


def _block(tags: Iterator[str], known: Filters) -> tuple[list[Root], _Step]:
    """Return the parts up to a step that does not begin a condition, and that step."""
    parts: list[Root] = []
    for text in tags:
        if "{" not in text and "}" not in text:
            parts.append(_constant(text))
        elif place := _PLACE.fullmatch(text):
            parts.append(_printed(place, known))
        elif (step := _STEP.fullmatch(text)) is None:
            raise _NotPlain
        elif step["step"] == "if":
            parts.append(_choice(step["condition"], tags, known))
        else:
            return parts, _Step(step["step"] or step["other"], step["condition"] or "")
    return parts, _Step()


def _root(parts: list[Root]) -> Root:
    return lambda facts: [text for part in parts for text in part(facts)]


def _constant(text: str) -> Root:
    texts = (text,)
    return lambda facts: texts


def _printed(place: re.Match[str], known: Filters) -> Root:
    """Return what prints a fact. Raises _NotPlain."""
    name, said = place["name"], known.get(place["filter"] or "show")
    if said is None or name in KEYWORDS:
        raise _NotPlain
    if not place["filter"]:
        return lambda facts: (said(facts.get(name, ABSENT), name),)
    given, named = _given(place["given"] or "")
    return lambda facts: (
        said(
            facts.get(name, ABSENT),
            *[value(facts) for value in given],
            **{key: value(facts) for key, value in named.items()},
        ),
    )


Value = Callable[[Facts], object]


def _given(arguments: str) -> tuple[list[Value], dict[str, Value]]:
    """Return what a filter is given, by place and by name: texts and facts. Raises _NotPlain."""
    given: list[Value] = []
    named: dict[str, Value] = {}
    if _GIVEN.sub("", arguments):
        raise _NotPlain
    for each in _GIVEN.finditer(arguments):
        value = _fact(each["name"]) if each["name"] else _same(each["text"])
        if each["key"]:
            named[each["key"]] = value
        elif named:
            raise _NotPlain
        else:
            given.append(value)
    return given, named


def _choice(condition: str, tags: Iterator[str], known: Filters) -> Root:
    """Return what says the first of some blocks whose condition holds. Raises _NotPlain."""
    ways: list[tuple[Callable[[Facts], bool], Root]] = []
    step = _Step("if", condition)
    while step.name in ("if", "elif"):
        holds = _condition(step.condition)
        parts, step = _block(tags, known)
        ways.append((holds, _root(parts)))
    if step.name == "else":
        parts, step = _block(tags, known)
        ways.append((lambda facts: True, _root(parts)))
    if step.name != "endif":
        raise _NotPlain
    return lambda facts: next((way(facts) for holds, way in ways if holds(facts)), ())


def _condition(text: str) -> Callable[[Facts], bool]:
    """Return what says whether all of some terms joined by `and` hold. Raises _NotPlain."""
    terms = [_term(term) for term in text.split(" and ")]
    return terms[0] if len(terms) == 1 else lambda facts: all(term(facts) for term in terms)


def _term(text: str) -> Callable[[Facts], bool]:
    term = _TERM.fullmatch(text.strip())
    if term is None or term["name"] in KEYWORDS or (term["no"] and term["how"]):
        raise _NotPlain
    name, how, other = term["name"], term["how"], term["other"]
    if how is None:
        wanted = term["no"] is None
        return lambda facts: bool(facts.get(name)) is wanted
    if how in ("is", "is not"):
        if other != "none":
            raise _NotPlain
        return lambda facts: (facts.get(name) is None) is (how == "is")
    value = (
        _same(int(other)) if other.lstrip("-").isdigit() else _same(other[1:-1]) if other[0] == "'" else _fact(other)
    )
    compare = _COMPARE[how]
    return lambda facts: compare(facts.get(name, ABSENT), value(facts))


def _fact(name: str) -> Value:
    if name in KEYWORDS:
        raise _NotPlain
    return lambda facts: facts.get(name, ABSENT)


def _same(value: object) -> Value:
    return lambda facts: value

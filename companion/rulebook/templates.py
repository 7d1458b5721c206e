"""Messages that do more than `compiling` knows, compiled by Jinja; and what Jinja's reading says of any message."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache, wraps
from typing import cast

from jinja2 import Environment, Template, Undefined, meta, nodes
from jinja2.utils import missing

from companion.rulebook.compiling import ABSENT, Facts, Root
from companion.rulebook.messages import Vocabulary, filters

_ALLOWED = (
    nodes.Output, nodes.TemplateData, nodes.Name, nodes.Const, nodes.Filter, nodes.Keyword,
    nodes.If, nodes.Test, nodes.Compare, nodes.Operand, nodes.And, nodes.Or, nodes.Not,
)  # fmt: skip
"""What a message may be made of: places, filters and conditions, but no loops, calls or assignments."""


def compiled(source: str, vocabulary: Vocabulary) -> Root:
    """Return a message compiled by Jinja. Raises ValueError or jinja2.TemplateError if it is not well formed."""
    known, tree = environment(vocabulary), parsed(source, vocabulary)
    for output in tree.find_all(nodes.Output):
        output.nodes = [_shown(node) if isinstance(node, nodes.Name) else node for node in output.nodes]
    template = Template.from_code(known, known.compile(tree), {})
    render = cast(Callable[[_Facts], Iterable[str]], template.root_render_func)
    return lambda facts: render(_Facts(facts))


def names_in(source: str, vocabulary: Vocabulary) -> frozenset[str]:
    """Return every fact that a message mentions."""
    return frozenset(meta.find_undeclared_variables(parsed(source, vocabulary)))


def printed_in(source: str, vocabulary: Vocabulary) -> frozenset[str]:
    """Return the facts that a message prints under no condition."""
    outputs = (node for node in parsed(source, vocabulary).body if isinstance(node, nodes.Output))
    return frozenset(_printed(outputs))


def parsed(source: str, vocabulary: Vocabulary) -> nodes.Template:
    """Return the nodes of a message. Raises ValueError for what is not for messages, and for a stray brace."""
    tree = environment(vocabulary).parse(source)
    for node in tree.find_all(nodes.Node):
        if not isinstance(node, _ALLOWED):
            raise ValueError(f"{type(node).__name__} is not for messages: {source!r}")
        if isinstance(node, nodes.TemplateData) and ("{" in node.data or "}" in node.data):
            raise ValueError(f"stray brace in {source!r}")
    return tree


class _Facts:
    """What a compiled message needs of Jinja's context; creating the whole context would double the time it takes."""

    __slots__ = ("facts",)

    def __init__(self, facts: Facts) -> None:
        self.facts = facts

    def resolve_or_missing(self, name: str) -> object:
        return self.facts.get(name, missing)


@lru_cache(maxsize=64)
def environment(vocabulary: Vocabulary) -> Environment:
    """Return the Jinja environment of messages in a vocabulary."""
    made = Environment(autoescape=False, keep_trailing_newline=True)  # noqa: S701  plain text, escaped by templates
    made.filters |= {name: _of_jinja(said) for name, said in filters(vocabulary).items()}
    made.tests["none"] = lambda value: value is None or isinstance(value, Undefined)
    return made


def _of_jinja(said: Callable[..., str]) -> Callable[..., str]:
    """Return a filter for which a fact that is not given is ABSENT."""

    @wraps(said)
    def filtered(value: object, *given: object, **named: object) -> str:
        return said(ABSENT if isinstance(value, Undefined) else value, *given, **named)

    return filtered


def _shown(name: nodes.Name) -> nodes.Filter:
    """`{{ card }}` as `{{ card|show('card') }}`, since how a value is printed depends on what the fact is called."""
    return nodes.Filter(name, "show", [nodes.Const(name.name)], [], None, None, lineno=name.lineno)


def _printed(outputs: Iterable[nodes.Output]) -> Iterator[str]:
    for output in outputs:
        for node in output.nodes:
            while isinstance(node, nodes.Filter) and node.node is not None:
                node = node.node
            if isinstance(node, nodes.Name):
                yield node.name

"""Messages: sentences with places for facts, written in Jinja and compiled when they are first used.

    {{ name }}                                       the fact as the language prints it: 10♥︎, −50, a list, a known word
    {{ led|suit }}                                   a fact through a filter, see `_environment`
    {{ count }} {{ count|plural(one='trick', other='tricks') }}   the word that the plural rules of the language ask for
    {% if player %}{{ player }}: {% endif %}         only if the fact is there and not zero, empty or false
    {% if call == 'moon' %}a{% else %}b{% endif %}   only if the fact has this value

A fact that is not given prints nothing and is false; `is none` holds for it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final, TypeAlias, cast

from jinja2 import Environment, Template, Undefined, meta, nodes
from jinja2.utils import missing

from companion.engine.cards import number_text, signed_text

Facts: TypeAlias = Mapping[str, object]
_Root: TypeAlias = Callable[[Facts], Iterable[str]]
"""A compiled message: facts to the parts of the sentence."""
_KEYWORDS: Final = frozenset({"if", "elif", "else", "endif", "and", "or", "not", "is", "in", "none", "true", "false"})
"""Words of the language of messages, which name no facts."""
_ALLOWED = (
    nodes.Output, nodes.TemplateData, nodes.Name, nodes.Const, nodes.Filter, nodes.Keyword,
    nodes.If, nodes.Test, nodes.Compare, nodes.Operand, nodes.And, nodes.Or, nodes.Not,
)  # fmt: skip
"""What a message may be made of: places, filters and conditions, but no loops, calls or assignments."""
TEXT_STYLE = "\ufe0e"
GLYPHS = {"S": "♠" + TEXT_STYLE, "H": "♥" + TEXT_STYLE, "D": "♦" + TEXT_STYLE, "C": "♣" + TEXT_STYLE}
"""Suit signs with the mark that keeps them from being drawn as coloured pictures."""

PEOPLE = frozenset({
    "asker", "by", "counts", "dealer", "expected", "first", "given", "last", "leader", "name", "named", "next", "other",
    "owner", "partner", "pile", "player", "players", "seat", "seats", "side", "sides", "tied", "winner", "winners",
})  # fmt: skip
"""Facts that are a seat or a side, or several of them, wherever they are a text."""
NAMES = PEOPLE - {"expected"} | {"key", "reason"}
"""Facts that people wrote or chose themselves: printed as they are, even if they look like a card. What is expected may
be a word as well, so a phrase says `|text` where it is people."""

_CARD = re.compile(r"(A|[2-9]|10|[JQK])([SHDC])")
_SUIT_SIGN = re.compile(rf"([♠♥♦♣]){TEXT_STYLE}?")
_TAG = re.compile(r"\{\{.*?\}\}|\{%.*?%\}", re.DOTALL)
_LITERAL = re.compile(r"'[^']*'|\"[^\"]*\"|\|\s*\w+|\w+\s*=(?!=)")
_WORD = re.compile(r"[a-z_][a-z0-9_]*")


class Message:
    """A sentence with places for facts."""

    __slots__ = ("_root", "_source", "vocabulary")

    def __init__(self, source: str, vocabulary: Vocabulary) -> None:
        self._source = source
        self.vocabulary = vocabulary
        self._root: _Root | str | None = None

    def __call__(self, facts: Facts) -> str:
        """Return the sentence with these facts. Raises ValueError or TemplateError if it is not well formed."""
        root = self.root()
        if isinstance(root, str):
            return root
        if type(facts) is dict:  # another mapping may know more than it lists
            try:
                return _said(self, tuple(facts), *facts.values())
            except TypeError:  # lists cannot be keys
                pass
        return "".join(root(facts))

    @property
    def source(self) -> str:
        """The sentence as it is written, with marked suit signs."""
        return with_text_style(self._source)

    @property
    def names(self) -> frozenset[str]:
        """Every fact that the message mentions."""
        return frozenset(meta.find_undeclared_variables(self._parsed()))

    @property
    def needed(self) -> frozenset[str]:
        """The facts without which the message has a hole: those that are printed under no condition."""
        return frozenset(_printed(node for node in self._parsed().body if isinstance(node, nodes.Output)))

    def root(self) -> _Root | str:
        """Return the compiled message; the sentence itself if no fact is in it."""
        return self._root or self._compile()

    def check(self) -> None:
        """Compile the message. Raises ValueError or jinja2.TemplateError if it is not well formed."""
        self._compile()

    def _compile(self) -> _Root | str:
        source = self.source
        if "{" not in source and "}" not in source:
            self._root = source
            return source
        known, tree = _environment(self.vocabulary), self._parsed()
        for output in tree.find_all(nodes.Output):
            output.nodes = [_shown(node) if isinstance(node, nodes.Name) else node for node in output.nodes]
        template = Template.from_code(known, known.compile(tree), {})
        render = cast("Callable[[_Facts], Iterable[str]]", template.root_render_func)
        root = self._root = lambda facts: render(_Facts(facts))
        return root

    def _parsed(self) -> nodes.Template:
        """Return the nodes of the message. Raises ValueError for what is not for messages, and for a stray brace."""
        tree = _environment(self.vocabulary).parse(self.source)
        for node in tree.find_all(nodes.Node):
            if not isinstance(node, _ALLOWED):
                raise ValueError(f"{type(node).__name__} is not for messages: {self.source!r}")
            if isinstance(node, nodes.TemplateData) and ("{" in node.data or "}" in node.data):
                raise ValueError(f"stray brace in {self.source!r}")
        return tree


class _Facts:
    """What a compiled message needs of Jinja's context; creating the whole context would double the time it takes."""

    __slots__ = ("facts",)

    def __init__(self, facts: Facts) -> None:
        self.facts = facts

    def resolve_or_missing(self, name: str) -> object:
        return self.facts.get(name, missing)


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


@lru_cache(maxsize=8192, typed=True)
def _said(message: Message, names: tuple[str, ...], *values: object) -> str:
    """Return a sentence with these facts: a page, a batch or a poll says much again that was said before.

    Rows "batch of lines" and "a keeper's tap" of `make bench`.
    """
    root = message.root()
    return root if isinstance(root, str) else "".join(root(dict(zip(names, values, strict=True))))


def stray_brace(source: str) -> bool:
    """Return whether there is a brace outside the tags of a Jinja source."""
    rest = _TAG.sub("", source)
    return "{" in rest or "}" in rest


def mentioned(source: str) -> frozenset[str]:
    """Return the names in the tags of a Jinja source, without parsing it: enough to compare languages at start-up."""
    tags = (_LITERAL.sub(" ", tag) for tag in _TAG.findall(source))
    return frozenset(name for tag in tags for name in _WORD.findall(tag)) - _KEYWORDS


@lru_cache(maxsize=1024)
def plural_form(lang: str, count: int) -> str:
    """Return the CLDR plural category of a number in a language, such as `one`, `few` or `other`."""
    rule = _PLURALS.get(lang)
    if rule is not None:
        return rule(count)
    from babel.core import Locale  # takes as long as to score a game: it reads all that is known of a language

    return Locale.parse(lang, sep="-").plural_form(count)


_PLURALS: Mapping[str, Callable[[int], str]] = {
    "en": lambda count: "one" if abs(count) == 1 else "other",
    "ja": lambda count: "other",
}
"""The plural rules of languages that need none of Babel's data."""


@lru_cache(maxsize=64)
def _environment(vocabulary: Vocabulary) -> Environment:
    """Return the Jinja environment of messages, whose filters print facts; `show` is that of a fact without one."""
    words, labels, lang = vocabulary.words, vocabulary.labels, vocabulary.lang

    def show(value: object, name: str = "") -> str:
        """What `{{ name }}` prints: a number, a card, a known word, a list."""
        if type(value) is int and value >= 0:
            return str(value)
        return "" if isinstance(value, Undefined) else vocabulary.show(name, value)

    def plural(count: object, other: str, **forms: str) -> str:
        """The word for a number of things, by the plural forms of the language."""
        return forms.get(plural_form(lang, count), other) if isinstance(count, int) else other

    def suit(code: object) -> str:
        """The name of a suit."""
        return words.get(f"suit-{code}", str(code))

    def signed(points: object) -> str:
        """Points with their sign: +50, −100, ±0."""
        return signed_text(points if isinstance(points, int) else 0)

    def option(names: object) -> str:
        """The labels of options."""
        each = names if isinstance(names, list | tuple) else [names]
        return vocabulary.separator.join(labels.get(str(name), str(name)) for name in each)

    def value(setting: object, option: object = None) -> str:
        """The value of an option, `on` or `off` for a flag."""
        if isinstance(setting, bool):
            return words.get("on" if setting else "off", str(setting))
        return show(setting, str(option or "value"))

    def setting(names: Iterable[str], values: Mapping[str, object], before: str, after: str) -> str:
        """The labels of options, each with its value between two marks; a gap for values that are not known."""

        def given(name: str) -> object:
            return values[name] if isinstance(values, Mapping) else values

        return vocabulary.separator.join(f"{option(name)}{before}{value(given(name), name)}{after}" for name in names)

    def nth(place: object) -> str:
        """A place counted from 1, as people count."""
        return number_text(place + 1) if type(place) is int else show(place)

    def text(value: object) -> str:
        """A value, or each value of a list, as it was sent."""
        return vocabulary.separator.join(map(str, value)) if isinstance(value, list | tuple) else str(value)

    made = Environment(autoescape=False, keep_trailing_newline=True)  # noqa: S701  plain text, escaped by templates
    made.filters |= {each.__name__: each for each in (show, text, plural, suit, signed, option, value, setting, nth)}
    made.tests["none"] = lambda value: value is None or isinstance(value, Undefined)
    return made


@dataclass(frozen=True, slots=True, eq=False)
class Vocabulary:
    """The words that one game in one language has for the values of facts."""

    lang: str = "en"
    separator: str = ", "
    words: Mapping[str, str] = field(default_factory=dict)
    """Words for values whatever the fact is called: `none`, `yes`, `no`, `nil`."""
    by_fact: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    """Words for the values of one fact; the choices of an option under the option's name."""
    labels: Mapping[str, str] = field(default_factory=dict)
    """Labels of the options by their names."""

    def show(self, name: str, value: object) -> str:
        """Return a fact's value in words."""
        if type(value) is int:
            return number_text(value)
        if isinstance(value, str):
            return value if name in NAMES else self.word(name, value)
        if value is None or isinstance(value, bool):
            return self.word(name, "none" if value is None else "yes" if value else "no")
        if isinstance(value, Mapping):
            return self.separator.join(f"{key} {self.show(name, item)}" for key, item in value.items())
        if isinstance(value, list | tuple | set | frozenset):
            return self.separator.join(self.show(name, item) for item in value)
        return self.show(name, str(value))

    def word(self, name: str, value: str) -> str:
        """Return the word for a value: the fact's own, that of any fact, a card, or the value itself."""
        known = self.by_fact.get(name, {}).get(value) or self.words.get(value)
        return with_text_style(known) if known else card_text(value)


def card_text(code: str) -> str:
    """Return a card code as people read it: `10H` becomes `10♥︎`; anything else stays as it is."""
    found = _CARD.fullmatch(code)
    return found[1] + GLYPHS[found[2]] if found else code


def with_text_style(text: str) -> str:
    """Return text whose suit signs are all marked to be drawn as text."""
    return _SUIT_SIGN.sub(rf"\1{TEXT_STYLE}", text)

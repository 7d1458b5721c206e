"""House rules: options declared once as data, presets, what excludes or needs what, and the short code of a set.

A game's options are the fields of one frozen dataclass, each declared with `flag`, `number`, `choice` or `card_list`;
forms, schemas, rule pages, summaries and short codes are derived from them.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from companion.engine.cards import Card, read_card
from companion.engine.problems import Pointer, Problem, Refused
from companion.engine.reading import ABSENT, Node

R = TypeVar("R")
Setting = Mapping[str, Collection[Any]]
"""Option names with the values meant; a setting is in force where any of them has such a value."""
LISTS = ("cards", "words")


@dataclass(frozen=True, slots=True)
class Option:
    """One option as declared: what it may be, its default, its permanent key in short codes, its articles."""

    name: str
    kind: str
    key: str
    default: Any
    articles: tuple[str, ...]
    unit: str | None = None
    low: int | None = None
    high: int | None = None
    nullable: bool = False
    choices: tuple[str, ...] = ()
    advisory: bool = False
    """True where the option only changes what the table is told, no score and no verdict."""

    @property
    def article(self) -> str:
        """The first article that explains the option."""
        return self.articles[0]

    def plain(self, value: Any) -> Any:
        """The value as JSON has it."""
        return [str(item) for item in value] if self.kind in LISTS else value

    def read(self, node: Node) -> Any:
        """The value that stands at a node, checked; faults are noted there."""
        if node.value is None and self.nullable:
            return None
        if self.kind == "flag":
            return node.flag()
        if self.kind == "number":
            return self._read_number(node)
        if self.kind == "cards":
            return self._read_cards(node)
        if self.kind == "words":
            return self._read_words(node)
        return node.one_of(self.choices)

    def _read_number(self, node: Node) -> int:
        value = node.integer(low=self.low, high=self.high, article=self.article)
        if self.choices and value == node.value and str(value) not in self.choices:
            node.fault("choice", self.article, value=value, choices=[int(word) for word in self.choices])
        return value

    def _read_words(self, node: Node) -> tuple[str, ...]:
        words = tuple(item.one_of(self.choices) for item in node.items(least=self.low or 0, most=len(self.choices)))
        if len(set(words)) != len(words):
            node.fault("choice", self.article, value=list(words), choices=list(self.choices))
        return tuple(word for word in self.choices if word in words)

    def _read_cards(self, node: Node) -> tuple[Card, ...]:
        cards = tuple(item.card() for item in node.items(least=self.low or 0, most=self.high or 52))
        if any(str(card) not in self.choices for card in cards) or len(set(cards)) != len(cards):
            node.fault("choice", self.article, value=[str(card) for card in cards], choices=list(self.choices))
        return cards

    def encode(self, value: Any) -> str:
        """The value as a short code writes it."""
        if value is None:
            return "x"
        if self.kind == "flag":
            return "1" if value else "0"
        return ".".join(map(str, value)) if self.kind in LISTS else str(value)

    def decode(self, text: str) -> Any:
        """The JSON value behind a short code's text; what is not one is left to `read` to refuse."""
        if text == "x" and self.nullable:
            return None
        if self.kind == "flag":
            return {"1": True, "0": False}.get(text, text)
        if self.kind == "number":
            sign, digits = (-1, text[1:]) if text.startswith("-") else (1, text)
            return sign * int(digits) if digits.isascii() and digits.isdigit() and len(digits) < 10 else text
        return [part for part in text.split(".") if part] if self.kind in LISTS else text


def flag(default: bool, *, key: str, articles: Collection[str], advisory: bool = False) -> Any:
    """Declare a yes or no."""
    return field(
        default=default, metadata={"kind": "flag", "key": key, "articles": tuple(articles), "advisory": advisory}
    )


def number(
    default: int | None, low: int, high: int, *, key: str, articles: Collection[str], unit: str, nullable: bool = False
) -> Any:
    """Declare a whole number with its range and unit; with `nullable` it may be none."""
    return field(
        default=default,
        metadata={
            "kind": "number", "key": key, "articles": tuple(articles), "unit": unit,
            "low": low, "high": high, "nullable": nullable,
        },
    )  # fmt: skip


def choice(
    *choices: str, key: str, articles: Collection[str], default: str | None = None, advisory: bool = False
) -> Any:
    """Declare one of several words; the first is the default unless another is named."""
    return field(
        default=default or choices[0],
        metadata={"kind": "choice", "key": key, "articles": tuple(articles), "choices": choices, "advisory": advisory},
    )


def card_list(default: str, *, among: str, least: int, most: int, key: str, articles: Collection[str]) -> Any:
    """Declare a list of different cards in order, written with spaces: `"2C 2D"`."""
    return field(
        default=tuple(read_card(word) for word in default.split()),
        metadata={
            "kind": "cards", "key": key, "articles": tuple(articles), "low": least, "high": most,
            "choices": tuple(among.split()),
        },
    )  # fmt: skip


def one_number(
    default: int | None, *choices: int, key: str, articles: Collection[str], unit: str, nullable: bool = False
) -> Any:
    """Declare one of a few whole numbers; with `nullable` it may be none."""
    return field(
        default=default,
        metadata={
            "kind": "number", "key": key, "articles": tuple(articles), "unit": unit, "nullable": nullable,
            "low": min(choices), "high": max(choices), "choices": tuple(map(str, choices)),
        },
    )  # fmt: skip


def word_list(*default: str, among: Collection[str], least: int, key: str, articles: Collection[str]) -> Any:
    """Declare a selection of words, always kept in the order of `among`; nothing is named twice."""
    return field(
        default=default,
        metadata={"kind": "words", "key": key, "articles": tuple(articles), "low": least, "choices": tuple(among)},
    )


@dataclass(frozen=True, slots=True)
class Excludes:
    """Two settings that cannot both be in force."""

    article: str
    one: Setting
    other: Setting


@dataclass(frozen=True, slots=True)
class Needs:
    """A setting that means nothing unless one of others is in force.

    `soft` says what happens to a setting that nobody gave: it gives way itself (`yields`), or makes what it needs give
    way (`insists`). One that only `asks` does the same but stays where nothing can give way, given or not.
    """

    article: str
    setting: Setting
    needed: Setting
    soft: str = "yields"


@dataclass(frozen=True, slots=True)
class Caution:
    """A combination that is allowed but pointless or surprising."""

    code: str
    article: str
    options: tuple[str, ...]
    holds: Callable[[Any], bool]


@dataclass(frozen=True, slots=True)
class Notice:
    """One warning about a set of house rules: a stable code, the options it is about, the facts."""

    code: str
    article: str
    options: tuple[str, ...]
    facts: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class HouseRules(Generic[R]):
    """The rules agreed at one table: the preset they started from, every option written out, and warnings."""

    preset: str
    options: R
    notices: tuple[Notice, ...] = ()


class OptionSet(Generic[R]):
    """All options of one game with its presets, exclusions, needs and cautions."""

    def __init__(
        self,
        rules_type: type[R],
        presets: Mapping[str, Mapping[str, Any]],
        *,
        excludes: Iterable[Excludes] = (),
        needs: Iterable[Needs] = (),
        cautions: Iterable[Caution] = (),
        conflicts: Callable[[R], Iterable[Problem]] = lambda rules: (),
    ) -> None:
        self.rules_type = rules_type
        self.options = {
            f.name: Option(f.name, default=f.default, **f.metadata)
            for f in dataclasses.fields(rules_type)  # type: ignore[arg-type]
        }
        self.presets = {name: dict(settings) for name, settings in presets.items()}
        self.excludes, self.needs, self.cautions = tuple(excludes), tuple(needs), tuple(cautions)
        self.conflicts = conflicts
        self.default_preset = next(iter(presets))
        self._by_key = {option.key: option for option in self.options.values()}
        if len(self._by_key) != len(self.options):
            raise ValueError("two options share a short-code key")
        self._cache: dict[str, HouseRules[R]] = {name: self.build(name, {}) for name in self.presets}

    def preset(self, name: str | None = None) -> HouseRules[R]:
        """The house rules of a preset as it stands; the default preset without a name. Raises KeyError."""
        return self._cache[name or self.default_preset]

    def read(self, node: Node) -> HouseRules[R]:
        """House rules from `{"preset": ..., "options": {...}}`, both parts optional; faults are noted at the node."""
        if not node.present or not node.object(optional=("preset", "options")):
            return self.preset()
        preset = node["preset"].one_of(self.presets, default=self.default_preset, code="unknown-preset")
        given = self._read_given(node["options"])
        if not given or node.problems:
            return self.preset(preset)
        try:
            return self.build(preset, given, pointer=(*node.pointer, "options"))
        except Refused as refused:
            node.problems.extend(refused.problems)
            return self.preset(preset)

    def _read_given(self, node: Node) -> dict[str, Any]:
        if not node.present or not node.object(others=True):
            return {}
        given = {}
        for name in node.names():
            if name in self.options:
                given[name] = self.options[name].read(node[name])
            else:
                node[name].fault("unknown-option", option=name)
        return given

    def build(self, preset: str, given: Mapping[str, Any], *, pointer: Pointer = ()) -> HouseRules[R]:
        """House rules from a preset and given options, already of the right types.

        A default or a preset's value gives way to a given option (with a notice). Raises Refused where two given
        options exclude each other, one problem per pair.
        """
        values = {name: option.default for name, option in self.options.items()} | self.presets[preset] | dict(given)
        firm = set(given)
        notices: list[Notice] = []
        for _ in range(3):
            self._settle(values, firm, notices, pointer)
        rules = self.rules_type(**values)
        problems = [dataclasses.replace(p, pointer=(*pointer, *p.pointer)) for p in self.conflicts(rules)]
        if problems:
            raise Refused(problems)
        for caution in self.cautions:
            if caution.holds(rules):
                facts = {name: self.options[name].plain(values[name]) for name in caution.options}
                notices.append(Notice(caution.code, caution.article, caution.options, facts))
        return HouseRules(preset, rules, tuple(notices))

    def _settle(self, values: dict[str, Any], firm: set[str], notices: list[Notice], pointer: Pointer) -> None:
        """One pass over exclusions and needs: what was not given gives way to what was."""
        problems = []
        for rule in self.excludes:
            one, other = _in_force(rule.one, values), _in_force(rule.other, values)
            if not (one and other):
                continue
            if one in firm and other in firm:
                problems.append(Problem((*pointer, other), "options-conflict", {"options": [one, other]}, rule.article))
                continue
            loser, setting = (other, rule.other) if one in firm else (one, rule.one)
            self._give_way(values, loser, setting[loser], False, rule.article, notices)
        for need in self.needs:
            cause = _in_force(need.setting, values)
            if not cause or _in_force(need.needed, values):
                continue
            soft = [name for name in need.needed if name not in firm]
            if need.soft == "asks" and not soft:
                continue
            if cause not in firm and (need.soft == "yields" or not soft):
                self._give_way(values, cause, need.setting[cause], False, need.article, notices)
            elif soft:
                self._give_way(values, soft[0], need.needed[soft[0]], True, need.article, notices)
            else:
                other = next(iter(need.needed))
                problems.append(
                    Problem((*pointer, cause), "options-conflict", {"options": [cause, other]}, need.article)
                )
        if problems:
            raise Refused(problems)

    def _give_way(
        self,
        values: dict[str, Any],
        name: str,
        wanted: Collection[Any],
        inside: bool,
        article: str,
        notices: list[Notice],
    ) -> None:
        option = self.options[name]
        numbers = [int(word) for word in option.choices if word.isdigit()]
        candidates: list[Any] = [option.default, *option.choices, *numbers, True, False, None]
        if option.kind == "number" and inside:
            candidates += list(wanted)
        if option.kind == "words":
            candidates = list(wanted) if inside else [option.default, *((word,) for word in option.choices)]
        before = values[name]
        values[name] = next(
            value for value in candidates if (value in wanted) == inside and self._possible(option, value)
        )
        facts = {"option": name, "from": option.plain(before), "to": option.plain(values[name])}
        notices.append(Notice("gave-way", article, (name,), facts))

    @staticmethod
    def _possible(option: Option, value: Any) -> bool:
        if option.kind == "flag":
            return isinstance(value, bool)
        if value is None:
            return option.nullable
        if option.kind == "number":
            return type(value) is int and (not option.choices or str(value) in option.choices)
        return not isinstance(value, bool) and (value in option.choices if option.kind == "choice" else True)

    def plain(self, rules: R) -> dict[str, Any]:
        """Every option with its value, as JSON has it."""
        return {name: option.plain(getattr(rules, name)) for name, option in self.options.items()}

    def differences(self, one: R, other: R) -> list[tuple[Option, Any, Any]]:
        """The options in which two rule sets differ, with both values as JSON has them."""
        a, b = self.plain(one), self.plain(other)
        return [(option, a[name], b[name]) for name, option in self.options.items() if a[name] != b[name]]

    def code(self, house: HouseRules[R]) -> str:
        """The short code: the preset, then each difference from it under its permanent key (`classic~bt-5~bp-50`)."""
        own, base = house.options, self.preset(house.preset).options
        parts = [
            f"~{option.key}-{option.encode(getattr(own, name))}"
            for name, option in self.options.items()
            if getattr(own, name) != getattr(base, name)
        ]
        return house.preset + "".join(parts)

    def decode(self, code: str, *, pointer: Pointer = ()) -> HouseRules[R]:
        """The house rules that a short code stands for. Raises Refused where it is none of this game."""
        preset, *parts = code.split("~")
        node = Node({}, pointer)
        if preset not in self.presets:
            raise Refused([Problem(pointer, "rules-code", {"value": code[:80]})])
        given: dict[str, Any] = {}
        for part in parts:
            key, _, text = part.partition("-")
            option = self._by_key.get(key)
            if option is None or option.name in given:
                raise Refused([Problem(pointer, "rules-code", {"value": code[:80]})])
            given[option.name] = option.read(Node(option.decode(text), pointer, node.problems))
        if node.problems:
            raise Refused([Problem(pointer, "rules-code", {"value": code[:80]})])
        base = self.preset(preset).options
        try:  # a code that was made here leaves out what agrees with the preset: nothing may give way to the rest
            return self.build(preset, {name: getattr(base, name) for name in self.options} | given)
        except Refused:
            return self.build(preset, given, pointer=pointer)


def _in_force(setting: Setting, values: Mapping[str, Any]) -> str | None:
    return next((name for name, wanted in setting.items() if values[name] in wanted), None)


__all__ = [
    "ABSENT", "Caution", "Excludes", "HouseRules", "Needs", "Notice", "Option", "OptionSet", "Setting",
    "card_list", "choice", "flag", "number", "one_number", "word_list",
]  # fmt: skip

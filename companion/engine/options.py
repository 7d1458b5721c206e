"""Options declared once, sets of them with presets and short codes, and how values that conflict are settled."""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Final, Generic, TypeAlias, TypeVar

from companion.engine import shapes
from companion.engine.cards import Card, read_card
from companion.engine.problems import NamedFacts, Node, Pointer, Problem, Refused
from companion.engine.shapes import Json, JsonSchema, Read, ReadContext, Refer, Word, fault, read, read_at

_T = TypeVar("_T")
_Value: TypeAlias = Any
"""The value of an option: a flag, a number, a word, or a tuple of cards or words."""
_Declared: TypeAlias = Any
"""The default of a field of a rules dataclass, which type checkers take for the value itself."""
_LISTS = ("cards", "words")


@dataclass(frozen=True, slots=True)
class Option:
    """One option: its type and range, its default, its permanent key in short codes, its articles."""

    name: str
    kind: str
    key: str
    default: _Value
    articles: tuple[str, ...]
    unit: str | None = None
    low: int | None = None
    high: int | None = None
    nullable: bool = False
    choices: tuple[str, ...] = ()
    offers: tuple[int, ...] = ()
    """Numbers to choose from where none can be typed: below zero, which a phone's number keys cannot write."""
    advisory: bool = False
    """Whether the option changes only advice to the players, no score and no verdict."""

    @property
    def article(self) -> str:
        """Return the first article that explains the option."""
        return self.articles[0]

    def plain(self, value: _Value) -> _Value:
        """Return the JSON value."""
        return [str(item) for item in value] if self.kind in _LISTS else value

    def field(self) -> shapes.Field[_Value]:
        """Return the field that reads the JSON value and describes it."""
        if self.kind == "flag":
            return shapes.Flag()
        if self.kind == "number" and self.choices:
            return _OneNumber(tuple(map(int, self.choices)), article=self.article, nullable=self.nullable)
        if self.kind == "number":
            return shapes.Integer(low=self.low, high=self.high, article=self.article, nullable=self.nullable)
        if self.kind == "cards":
            return _Cards(self.choices, least=self.low or 0, most=self.high or 52, article=self.article)
        if self.kind == "words":
            return _Words(self.choices, least=self.low or 0, article=self.article)
        return shapes.Word(self.choices)

    def possible(self, wanted: Collection[_Value] = ()) -> Iterator[_Value]:
        """Return possible values, the default first; of numbers only the default and those in `wanted`."""
        if self.kind == "words":
            yield from wanted
        yield self.default
        if self.kind == "flag":
            yield not self.default
        elif self.kind == "number":
            yield from (int(word) for word in self.choices)
            yield from (value for value in wanted if type(value) is int)
            if self.nullable:
                yield None
        elif self.kind == "cards":
            cards = [read_card(word) for word in self.choices]
            sizes = range(self.low or 0, (self.high or len(cards)) + 1)
            yield from (hand for size in sizes for hand in itertools.combinations(cards, size))
        elif self.kind == "words":
            yield from ((word,) for word in self.choices)
        else:
            yield from self.choices

    def encode(self, value: _Value) -> str:
        """Return the value as a short code writes it."""
        if value is None:
            return "x"
        if self.kind == "flag":
            return "1" if value else "0"
        return ".".join(map(str, value)) if self.kind in _LISTS else str(value)

    def decode(self, text: str) -> _Value:
        """Return the JSON value of a short code's text; a text that has none is returned for `read` to refuse."""
        if text == "x" and self.nullable:
            return None
        if self.kind == "flag":
            return {"1": True, "0": False}.get(text, text)
        if self.kind == "number":
            sign, digits = (-1, text[1:]) if text.startswith("-") else (1, text)
            return sign * int(digits) if digits.isascii() and digits.isdigit() and len(digits) < 10 else text
        return [part for part in text.split(".") if part] if self.kind in _LISTS else text


class _OneNumber(shapes.Integer):
    """One of a few whole numbers."""

    def __init__(self, choices: tuple[int, ...], *, article: str, nullable: bool) -> None:
        super().__init__(low=min(choices), high=max(choices), article=article, nullable=nullable)
        self.choices = choices

    def take(self, value: Json, context: ReadContext) -> int:
        number = super().take(value, context)
        if number not in self.choices:
            raise fault("choice", self.article, value=number, choices=list(self.choices))
        return number

    def json_schema(self, refer: Refer) -> JsonSchema:
        return {"type": "integer", "enum": list(self.choices)}


class _Selection(shapes.ListOf[_T]):
    """Different items out of those that there are."""

    def __init__(self, item: shapes.Field[_T], among: tuple[str, ...], *, least: int, most: int, article: str) -> None:
        super().__init__(item, least=least, most=most, article=article)
        self.among = among

    def take(self, value: Json, context: ReadContext) -> tuple[_T, ...]:
        return self._selected(super().take(value, context))

    def reader(self) -> Read[tuple[_T, ...]]:
        read_list = super().reader()
        return lambda value, context: self._selected(read_list(value, context))

    def json_schema(self, refer: Refer) -> JsonSchema:
        item = {"type": "string", "enum": list(self.among)}
        return {"type": "array", "items": item, "minItems": self.least, "maxItems": self.most, "uniqueItems": True}

    def _selected(self, items: tuple[_T, ...]) -> tuple[_T, ...]:
        words = list(map(str, items))
        if len(set(words)) != len(words) or not set(words) <= set(self.among):
            raise fault("choice", self.article, value=words, choices=list(self.among))
        return items


class _Cards(_Selection[Card]):
    """Different cards, in the order given."""

    def __init__(self, among: tuple[str, ...], *, least: int, most: int, article: str) -> None:
        super().__init__(shapes.CardField(), among, least=least, most=most, article=article)


class _Words(_Selection[str]):
    """Different words, always in the order in which they are declared."""

    def __init__(self, among: tuple[str, ...], *, least: int, article: str) -> None:
        super().__init__(shapes.Word(among), among, least=least, most=len(among), article=article)

    def _selected(self, items: tuple[str, ...]) -> tuple[str, ...]:
        selected = super()._selected(items)
        return tuple(word for word in self.among if word in selected)


def flag(default: bool, *, key: str, articles: Collection[str], advisory: bool = False) -> _Declared:
    """Declare a yes or no."""
    return _declare(default, "flag", key, articles, advisory=advisory)


def number(
    default: int | None, low: int, high: int, *, key: str, articles: Collection[str], unit: str, nullable: bool = False,
    offers: Collection[int] = (),
) -> _Declared:  # fmt: skip
    """Declare a whole number with its range and unit; with `nullable` it may be none.

    One that can be below zero has `offers`, the numbers that a form offers.
    """
    return _declare(
        default, "number", key, articles,
        unit=unit, low=low, high=high, nullable=nullable, offers=tuple(offers),
    )  # fmt: skip


def choice(
    *choices: str, key: str, articles: Collection[str], default: str | None = None, advisory: bool = False
) -> _Declared:
    """Declare one of several words; the first is the default unless another is named."""
    return _declare(default or choices[0], "choice", key, articles, choices=choices, advisory=advisory)


def card_list(default: str, *, among: str, least: int, most: int, key: str, articles: Collection[str]) -> _Declared:
    """Declare a list of different cards in order, written with spaces: `"2C 2D"`."""
    cards = tuple(read_card(word) for word in default.split())
    return _declare(cards, "cards", key, articles, low=least, high=most, choices=tuple(among.split()))


def one_number(
    default: int | None, *choices: int, key: str, articles: Collection[str], unit: str, nullable: bool = False
) -> _Declared:
    """Declare one of a few whole numbers; with `nullable` it may be none."""
    return _declare(
        default, "number", key, articles,
        unit=unit, nullable=nullable, low=min(choices), high=max(choices), choices=tuple(map(str, choices)),
    )  # fmt: skip


def word_list(*default: str, among: Collection[str], least: int, key: str, articles: Collection[str]) -> _Declared:
    """Declare a selection of words, always kept in the order of `among`; nothing is named twice."""
    return _declare(default, "words", key, articles, low=least, choices=tuple(among))


def _declare(default: _Value, kind: str, key: str, articles: Collection[str], **metadata: _Value) -> _Declared:
    return field(default=default, metadata={"kind": kind, "key": key, "articles": tuple(articles), **metadata})


_R = TypeVar("_R")
CODE_LENGTH: Final = 2_000
"""Characters of the longest short code that is read."""
_KEPT: Final = 256
"""Number of cached rule sets: many requests come from one table."""


@dataclass(frozen=True, slots=True)
class Caution:
    """A combination of options that is allowed but pointless or surprising."""

    code: str
    article: str
    options: tuple[str, ...]
    holds: Callable[[_Value], bool]


@dataclass(frozen=True, slots=True)
class HouseRules(Generic[_R]):
    """The rules of one table: their preset, every option written out, and warnings."""

    preset: str
    options: _R
    notices: tuple[Notice, ...] = ()


class OptionSet(Generic[_R]):
    """All options of one game with their presets, exclusions, needs and cautions."""

    def __init__(
        self,
        rules_type: type[_R],
        presets: Mapping[str, Mapping[str, object]],
        *,
        excludes: Iterable[Excludes] = (),
        needs: Iterable[Needs] = (),
        cautions: Iterable[Caution] = (),
        conflicts: Callable[[_R], Iterable[Problem]] = lambda rules: (),
        when: Mapping[str, Callable[[_R], bool]] | None = None,
        firm: Collection[str] = (),
        otherwise: Mapping[str, str] | None = None,
    ) -> None:
        """`when` says for options, separated by spaces, when their values can change anything; one without an entry
        always can. `otherwise` has for options the anchor of the article that tells what holds where an article about
        them is not played.

        No other option changes the `firm` ones, who plays against whom, say: what excludes their value is refused.
        """
        self.rules_type = rules_type
        self.options = {
            f.name: Option(f.name, default=f.default, **f.metadata)
            for f in dataclasses.fields(rules_type)  # type: ignore[arg-type]
        }
        self.presets = {name: dict(settings) for name, settings in presets.items()}
        self.excludes, self.needs, self.cautions = tuple(excludes), tuple(needs), tuple(cautions)
        self.conflicts = conflicts
        self._firm = frozenset(firm)
        self.otherwise = {name: anchor for names, anchor in (otherwise or {}).items() for name in names.split()}
        self._when = {name: holds for names, holds in (when or {}).items() for name in names.split()}
        if unknown := (self._when.keys() | self.otherwise.keys()) - self.options.keys():
            raise ValueError(f"no such options: {sorted(unknown)}")
        self.default_preset = next(iter(presets))
        self._preset_field = Word(self.presets, code="unknown-preset")
        self._fields = {name: option.field() for name, option in self.options.items()}
        self._by_key = {option.key: option for option in self.options.values()}
        if len(self._by_key) != len(self.options):
            raise ValueError("two options share a short-code key")
        self._built = lru_cache(maxsize=_KEPT)(self._build)
        self._cache: dict[str, HouseRules[_R]] = {name: self.build(name, {}) for name in self.presets}

    def preset(self, name: str | None = None) -> HouseRules[_R]:
        """Return a preset unchanged; the default preset without a name. Raises KeyError."""
        return self._cache[name or self.default_preset]

    def read(self, node: Node) -> HouseRules[_R]:
        """Return the rules of `{"preset": ..., "options": {...}}`, both optional. Problems are recorded at the node."""
        if not node.present or not node.object(optional=("preset", "options")):
            return self.preset()
        faults = len(node.problems)
        preset = (read_at(node["preset"], self._preset_field) if "preset" in node else None) or self.default_preset
        given = self._read_given(node["options"])
        if not given or len(node.problems) > faults:
            return self.preset(preset)
        try:
            return self.build(preset, given, pointer=(*node.pointer, "options"))
        except Refused as refused:
            node.problems.extend(refused.problems)
            return self.preset(preset)

    def _read_given(self, node: Node) -> dict[str, object]:
        if not node.present or not node.object(others=True):
            return {}
        given = {}
        for name in node.names():
            if name in self.options:
                given[name] = read_at(node[name], self._fields[name])
            else:
                node.fault("unknown-option", at=(name,), option=name)
        return given

    def build(self, preset: str, given: Mapping[str, object], *, pointer: Pointer = ()) -> HouseRules[_R]:
        """Return the rules of a preset with explicit options, which are already of the right types.

        A preset changes no further than to what is given, where that can be: so a code, or an object with what differs
        from the preset, is the table that it was made from. Else explicit options override presets and defaults, with a
        notice. Raises Refused where two explicit options exclude each other, one problem per pair.
        """
        try:
            with suppress(Refused):
                return self._built(preset, tuple({**self._values(preset), **given}.items()))
            return self._built(preset, tuple(given.items()))
        except Refused as refused:
            raise Refused(dataclasses.replace(p, pointer=(*pointer, *p.pointer)) for p in refused.problems) from None

    def _values(self, preset: str) -> dict[str, object]:
        return {name: option.default for name, option in self.options.items()} | self.presets[preset]

    def _build(self, preset: str, given: tuple[tuple[str, object], ...]) -> HouseRules[_R]:
        values = self._values(preset) | dict(given)
        settling = Settling(self.options, self.excludes, self.needs, values, self._firm | {name for name, _ in given})
        try:
            settling.settle()
            rules, notices = self.rules_type(**values), settling.notices
            if problems := tuple(self.conflicts(rules)):
                raise Refused(problems)
        except Refused as refused:
            raise Refused([self._with_values(problem, values) for problem in refused.problems]) from None
        for caution in self.cautions:
            if caution.holds(rules):
                facts = {name: self.options[name].plain(values[name]) for name in caution.options}
                notices.append(Notice(caution.code, caution.article, caution.options, facts))
        return HouseRules(preset, rules, tuple(notices))

    def _with_values(self, problem: Problem, values: Mapping[str, object]) -> Problem:
        """Return a conflict of options with the JSON values that they had."""
        shown = {name: self.options[name].plain(values[name]) for name in problem.facts.get("options", ())}
        return dataclasses.replace(problem, facts={**problem.facts, "values": shown})

    def plain(self, rules: _R) -> dict[str, object]:
        """Return every option with its JSON value."""
        return {name: option.plain(getattr(rules, name)) for name, option in self.options.items()}

    def has_effect(self, name: str, rules: _R) -> bool:
        """Return whether the value of an option can change anything while the other options are as they are."""
        return name not in self._when or self._when[name](rules)

    def effective(self, rules: _R) -> _R:
        """Return the rules with every option that changes nothing at its default, where the others allow that."""
        idle = {name: self.options[name].default for name in self._when if not self.has_effect(name, rules)}
        for rule in self.excludes:
            values = {name: getattr(rules, name) for name in self.options} | idle
            idle = {name: value for name, value in idle.items() if name not in (rule.clash(values) or ())}
        return dataclasses.replace(rules, **idle) if idle else rules  # type: ignore[type-var]

    def differences(self, one: _R, other: _R) -> list[tuple[Option, object, object]]:
        """Return the options in which two rule sets differ, with both JSON values.

        An option that changes nothing under the other rules is left out: nobody plays by its value.
        """
        a, b = self.plain(one), self.plain(other)
        return [
            (option, a[name], b[name])
            for name, option in self.options.items()
            if a[name] != b[name] and self.has_effect(name, other)
        ]

    def code(self, house: HouseRules[_R]) -> str:
        """Return the short code: the preset, then each difference under its permanent key (`classic~bt-5~bp-50`)."""
        own, base = house.options, self.preset(house.preset).options
        parts = [
            f"~{option.key}-{option.encode(getattr(own, name))}"
            for name, option in self.options.items()
            if getattr(own, name) != getattr(base, name)
        ]
        return house.preset + "".join(parts)

    def decode(self, code: str, *, pointer: Pointer = ()) -> HouseRules[_R]:
        """Return the rules of a short code.

        Raises Refused where it is none of this game; the facts name the preset that is none (`preset`), or the first
        part that cannot be read (`part`) with the option whose value it should be (`option`).
        """
        preset, *parts = code.split("~")
        if preset not in self.presets:
            raise self._no_code(code, pointer, preset=preset[:80])
        given: dict[str, object] = {}
        for part in parts:
            key, _, text = part.partition("-")
            option = self._by_key.get(key)
            if option is None or option.name in given:
                raise self._no_code(code, pointer, part=part[:80])
            try:
                given[option.name] = read(self._fields[option.name], option.decode(text))
            except Refused:
                raise self._no_code(code, pointer, part=part[:80], option=option.name) from None
        return self.build(preset, given, pointer=pointer)

    def _no_code(self, code: str, pointer: Pointer, **facts: str) -> Refused:
        """Return the refusal of a code, with one in the right form: an option as the default preset has it."""
        preset, option = self.preset(), min(self.options.values(), key=lambda option: option.kind != "number")
        example = f"{preset.preset}~{option.key}-{option.encode(getattr(preset.options, option.name))}"
        return Refused([Problem(pointer, "rules-code", {"value": code[:80], **facts, "example": example})])


_Setting = Mapping[str, Collection[object]]
"""Option names with the values meant; a setting is in force where any of the options has one of its values."""
_NO_VALUE: Final = object()


@dataclass(frozen=True, slots=True)
class Excludes:
    """Two settings that cannot be in force together."""

    article: str
    one: _Setting
    other: _Setting
    within: _Setting = field(default_factory=dict)
    """Restricts the exclusion to rules with all of this setting; empty for all rules."""

    def clash(self, values: Mapping[str, object]) -> tuple[str, str] | None:
        """Return the two options that exclude each other with these values, or None."""
        one, other = _in_force(self.one, values), _in_force(self.other, values)
        holds = all(values[name] in wanted for name, wanted in self.within.items())
        return (one, other) if one and other and holds else None


@dataclass(frozen=True, slots=True)
class Needs:
    """A setting that has no effect unless one of others is in force.

    `soft` decides what happens to a setting that is not explicit: it is changed itself (`yields`), or what it needs is
    changed (`insists`). `asks` insists too, but keeps the setting where nothing else can be changed.
    """

    article: str
    setting: _Setting
    needed: _Setting
    soft: str = "yields"


@dataclass(frozen=True, slots=True)
class Notice:
    """A warning about a set of house rules: a stable code, the options concerned, the facts."""

    code: str
    article: str
    options: tuple[str, ...]
    facts: NamedFacts = field(default_factory=dict)


@dataclass(slots=True)
class Settling:
    """The values of all options while conflicts are resolved; options in `firm` are explicit and never change."""

    options: Mapping[str, Option]
    excludes: Iterable[Excludes]
    needs: Iterable[Needs]
    values: dict[str, object]
    firm: Collection[str]
    notices: list[Notice] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)

    def settle(self) -> None:
        """Resolve exclusions, then needs. Raises Refused where explicit options exclude each other.

        One pass is enough for every rule set that the games declare: a test settles random ones a second time.
        """
        self._settle_exclusions()
        self._settle_needs()
        if self.problems:
            raise Refused(self.problems)
        for rule in self.excludes:
            if names := rule.clash(self.values):
                self._conflict(*names, rule.article)
        if self.problems:
            raise Refused(self.problems)

    def _settle_exclusions(self) -> None:
        for rule in self.excludes:
            names = rule.clash(self.values)
            if names is None:
                continue
            one, other = names
            if one in self.firm and other in self.firm:
                self._conflict(one, other, rule.article)
                continue
            loser, setting = (other, rule.other) if one in self.firm else (one, rule.one)
            value = self._nearest(loser, setting[loser], inside=False)
            if value is _NO_VALUE:
                self._conflict(one, other, rule.article)
            else:
                self._give_nearest(loser, value, rule.article)

    def _settle_needs(self) -> None:
        for need in self.needs:
            cause = _in_force(need.setting, self.values)
            if not cause or _in_force(need.needed, self.values):
                continue
            soft = [name for name in need.needed if name not in self.firm]
            if need.soft == "asks" and not soft:
                continue
            if cause not in self.firm and (need.soft == "yields" or not soft):
                self._give_nearest(cause, self._nearest(cause, need.setting[cause], inside=False), need.article)
                continue
            ways = {name: self._nearest(name, need.needed[name], inside=True) for name in soft}
            blockers = {name: self._blocker(name, value) for name, value in ways.items()}
            free = next((name for name, blocker in blockers.items() if blocker is None), None)
            if free is not None:
                self._give_nearest(free, ways[free], need.article)
            else:
                other = next((name for name in blockers.values() if name), None) or next(iter(need.needed))
                self._conflict(cause, other, need.article)

    def _conflict(self, one: str, other: str, article: str) -> None:
        self.problems.append(Problem((other,), "options-conflict", {"options": [one, other]}, article))

    def _blocker(self, name: str, value: object) -> str | None:
        """Return the explicit option that excludes this value of another one, or None."""
        trial = self.values | {name: value}
        for rule in self.excludes:
            names = rule.clash(trial)
            if names and name in names:
                other = names[0] if names[1] == name else names[1]
                if other in self.firm:
                    return other
        return None

    def _nearest(self, name: str, wanted: Collection[object], *, inside: bool) -> object:
        """Return the value closest to the default that is among the wanted ones, or is not among them."""
        possible = self.options[name].possible(wanted if inside else ())
        return next((value for value in possible if (value in wanted) == inside), _NO_VALUE)

    def _give_nearest(self, name: str, value: object, article: str) -> None:
        option, before = self.options[name], self.values[name]
        self.values[name] = value
        changed = next((one for one in self.notices if one.options == (name,)), None)  # it gives way once more
        if changed is not None:
            self.notices.remove(changed)
        facts = {"option": name, "from": changed.facts["from"] if changed else option.plain(before)}
        self.notices.append(Notice("gave-way", article, (name,), facts | {"to": option.plain(value)}))


def _in_force(setting: _Setting, values: Mapping[str, object]) -> str | None:
    """Return the first option of a setting that has one of its values, or None."""
    return next((name for name, wanted in setting.items() if values[name] in wanted), None)

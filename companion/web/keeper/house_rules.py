"""Sets of house rules: read from codes, shown with every option, chosen from lists."""

from __future__ import annotations

import base64
import json
import re
import unicodedata
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from functools import lru_cache
from typing import Any, Final, NotRequired, TypedDict
from urllib.parse import parse_qs, unquote, urlsplit

from flask import request
from markupsafe import Markup
from werkzeug.datastructures import MultiDict
from werkzeug.wrappers import Response

from companion.engine.game import Game
from companion.engine.ledger import Agreement, Offer
from companion.engine.options import CODE_LENGTH, HouseRules, Option
from companion.engine.problems import Problem, Refused, read_whole
from companion.games import GAMES
from companion.rulebook.answers import diff_answer, notice_answer
from companion.rulebook.pages import page
from companion.rulebook.words import Words, article_url, say, words
from companion.sheets.event import View
from companion.sheets.state import MAX_NAME, clean, fits
from companion.web.assets import qr
from companion.web.http import site_root
from companion.web.keeper.access import SECONDS_KEPT

# Options as a form ----------------------------------------------------------------------------------------------------

Form = MultiDict[str, str]
"""A form, or a query string, as it was sent."""


@dataclass(frozen=True, slots=True)
class Field:
    """One option in the form."""

    option: Option
    label: str
    help: str
    value: object
    text: str
    url: str
    choices: tuple[tuple[str, str], ...] = ()
    differs: bool = False
    said: str = ""
    """The value in words."""
    usual: str = ""
    """The value of the preset in words."""
    range: str = ""
    """The least and the greatest number with their unit, where a number is typed."""


@dataclass(frozen=True, slots=True)
class Group:
    """Options whose articles stand in one section of the rule page."""

    title: str
    fields: tuple[Field, ...]

    @property
    def differing(self) -> int:
        """How many of the options differ from the preset."""
        return sum(1 for field in self.fields if field.differs)


def option_groups(game: Game, values: Mapping[str, object], lang: str, *, preset: str) -> list[Group]:
    """All options of a game in groups, with these values (JSON) filled in."""
    own = words(game.id, lang)
    base = game.options.plain(game.options.preset(preset).options)
    titles = {article.id: section.title for section in page(game.id, lang).sections for article in section.articles}
    groups: dict[str, list[Field]] = {}
    for option in game.options.options.values():
        usual = base[option.name]
        value = values.get(option.name, usual)
        field = Field(
            option, own.option_label(option.name), own.option_help(option.name), value, _text(value),
            article_url(lang, option.article), _choices(option, value, own), value != usual,
            own.option_value(option, value), own.option_value(option, usual), _range_text(option, lang),
        )  # fmt: skip
        groups.setdefault(titles.get(option.article, ""), []).append(field)
    return [Group(title, tuple(fields)) for title, fields in groups.items()]


def _range_text(option: Option, lang: str) -> str:
    """From where to where a number goes, with its unit; empty for what is chosen rather than typed."""
    if option.kind != "number" or option.choices or (option.low or 0) < 0:
        return ""
    numbers = say(lang, "sheets.range", low=option.low, high=option.high)
    unit = words(option.article.partition(".")[0], lang).tables["units"].get(option.unit or "")
    return unit({"value": numbers}) if unit else numbers


class GivenRules(TypedDict):
    """House rules as a request has them: a preset, and the options that differ from it."""

    preset: str
    options: NotRequired[dict[str, object]]


def given_rules(game: Game, form: Form) -> GivenRules:
    """The rules that a form stands for: the preset, and the options that differ from it.

    A form that only passes rules on has their short code instead. Raises Refused where that is none.
    """
    if "rules" in form:
        house = game.options.decode(form["rules"])
        return {"preset": house.preset, "options": game.options.plain(house.options)}
    preset = form.get("preset") or game.options.default_preset
    if "options" not in form or preset not in game.options.presets:
        return {"preset": preset}
    base = game.options.plain(game.options.preset(preset).options)
    given, agreed = {}, _agreed_options(game, form)
    for name, option in game.options.options.items():
        value = agreed[name] if name in agreed else _value(option, form)
        if value != base[name]:
            given[name] = value
    return {"preset": preset, "options": given}


def _value(option: Option, form: Form) -> object:
    """The JSON value in a form; what is not one stays a text, for the reader to refuse."""
    name = f"o.{option.name}"
    if option.kind == "flag":
        return name in form
    if option.kind == "words":
        return [word for word in option.choices if word in form.getlist(name)]
    if option.kind == "cards":
        return [word for word in form.get(name, "").replace(",", " ").split() if word]
    text = form.get(name, "").strip()
    if not text and option.nullable:
        return None
    return number_or_text(text) if option.kind == "number" else text


_NARROW: Final = str.maketrans("０１２３４５６７８９＋－−", "0123456789+--")


def number_in(text: str) -> int | None:
    """The whole number that somebody typed, in full width too, of seven digits at most; None for anything else."""
    plain = text.strip().translate(_NARROW)
    return int(plain) if re.fullmatch("[+-]?[0-9]{1,7}", plain) else None


def number_or_text(text: str) -> int | str:
    """The whole number that somebody typed, or else the text itself, which is refused with the rest."""
    return text if (number := number_in(text)) is None else number


def _choices(option: Option, value: object, own: Words) -> tuple[tuple[str, str], ...]:
    if option.kind in ("choice", "words"):
        return tuple(own.choices(option).items())
    numbers = _numbers(option, value)
    if not numbers:
        return ()
    none = [("", own.option_value(option, None))] if option.nullable else []
    return (*none, *((str(number), own.option_value(option, number)) for number in numbers))


def _numbers(option: Option, value: object) -> list[int]:
    """The numbers to choose from, where an option has few or offers some."""
    if option.kind != "number":
        return []
    if option.choices:
        return [int(number) for number in option.choices]
    own = [value] if option.offers and isinstance(value, int) else []
    return sorted({*option.offers, *own}, reverse=True)


def _text(value: object) -> str:
    if value is None:
        return ""
    return " ".join(map(str, value)) if isinstance(value, list) else str(value)


# Codes ----------------------------------------------------------------------------------------------------------------

_ASCII: Final = re.compile("[!-~]+")
_DASHES: Final = str.maketrans(dict.fromkeys("‐‑‒–—―−ー", "-") | {"〜": "~", "∼": "~"})


@dataclass(frozen=True, slots=True)
class Wrong:
    """Why something typed is no code that fits, in words, with a link that helps."""

    text: str
    url: str = ""
    link: str = ""


@dataclass(frozen=True, slots=True)
class Asked:
    """What was typed: house rules of a game, or what is wrong with it."""

    game: Game | None = None
    house: HouseRules[object] | None = None
    wrong: tuple[Wrong, ...] = ()


def read_code(text: str, lang: str, game: Game | None = None) -> Asked:
    """The house rules behind a typed code or the address of a page that shows them; of any game where none is named."""
    code = _tidy(text)
    if not code or len(code) > CODE_LENGTH:
        return Asked(wrong=(Wrong(say(lang, "house-rules.wrong-empty")),))
    games = [game] if game else list(GAMES.values())
    for each in games:
        if house := _decoded(each, code):
            return Asked(each, house)
    for other in GAMES.values():
        if game and other is not game and (house := _decoded(other, code)):
            return Asked(wrong=(_of_another(game, other, house, lang),))
    meant = next((each for each in games if _preset(code) in each.options.presets), game)
    return Asked(wrong=_reasons(meant, code, lang))


def codes_within(text: str, lang: str) -> Iterator[tuple[Game, HouseRules[object]]]:
    """Yield the house rules in a text that somebody sent, addresses first: there the game is named."""
    parts = [
        part.strip("()<>[]\"'.,;:!") for part in _ASCII.findall(unicodedata.normalize("NFKC", text[: 2 * CODE_LENGTH]))
    ]
    for part in sorted(parts, key=lambda part: "/" not in part):
        named = next((GAMES[step] for step in part.split("/") if step in GAMES), None)
        if "/" in part or "~" in part or len(parts) == 1:  # a word alone may be the name of a preset by chance
            asked = read_code(part, lang, named)
            if asked.game and asked.house:
                yield asked.game, asked.house


def set_url(lang: str, game: Game, house: HouseRules[object]) -> str:
    """Where a set of house rules is shown on this site."""
    return f"/{lang}/house-rules/{game.id}/{game.options.code(house)}"


def _tidy(text: str) -> str:
    """A code without what phones and people put around it: spaces, wide letters, the address that it came in."""
    plain = unicodedata.normalize("NFKC", text[: 2 * CODE_LENGTH]).translate(_DASHES)
    plain = "".join(sign for sign in plain if not sign.isspace() and unicodedata.category(sign) != "Cf")
    if "/" not in plain and "=" not in plain:
        return plain.strip("「」『』\"'“”.,。、")
    try:
        address = urlsplit(plain)
    except ValueError:
        return plain
    asked = parse_qs(address.query)
    for name in ("rules", "one", "other"):
        if name in asked:
            return asked[name][0]
    return unquote(address.path.rstrip("/").rpartition("/")[2])


def _decoded(game: Game, code: str) -> HouseRules[object] | None:
    for spelling in _spellings(code):
        try:
            return game.options.decode(spelling)
        except Refused:
            continue
    return None


def _spellings(code: str) -> Iterable[str]:
    """The code as it was typed, then as it may have been meant: keyboards of phones like capitals."""
    yield code
    parts = [part.partition("-") for part in code.split("~")]
    for fold in (str, str.lower, str.upper):
        yield "~".join(key.lower() + mark + fold(value) for key, mark, value in parts)


def _preset(code: str) -> str:
    return code.partition("~")[0].lower()


def _of_another(game: Game, other: Game, house: HouseRules[object], lang: str) -> Wrong:
    own = words(other.id, lang)
    facts = {"game": words(game.id, lang).name, "other": own.name, "summary": own.summary(other.options, house)}
    return Wrong(
        say(lang, "house-rules.wrong-game", **facts),
        set_url(lang, other, house),
        say(lang, "house-rules.show-set", game=own.name),
    )


def _reasons(game: Game | None, code: str, lang: str) -> tuple[Wrong, ...]:
    """Return why a text is no code: what it may have been meant for, or the parts of it that cannot be read."""
    presets = [preset for each in ([game] if game else GAMES.values()) for preset in each.options.presets]
    if game is None or _preset(code) not in presets:
        near = "".join(get_close_matches(_preset(code), presets, 1))
        return (Wrong(say(lang, "house-rules.wrong-anywhere", value=code[:60], near=near)),)
    own = words(game.id, lang)
    try:
        game.options.decode(list(_spellings(code))[1])
    except Refused as refused:
        return tuple(
            Wrong(own.problem(each), article_url(lang, each.article), own.title(each.article))
            if each.article
            else Wrong(own.problem(each))
            for each in refused.problems
        )
    return ()


# Sets -----------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class RuleSet:
    """House rules ready for a template; `name` where a preset or somebody here gave them one."""

    game: str
    game_name: str
    name: str
    own: bool
    code: str
    summary: str
    preset: str
    differences: list[dict[str, object]]
    notices: list[dict[str, object]]
    url: str
    link: str
    """The whole address, for other phones."""
    lang: str

    @property
    def qr(self) -> Markup:
        """The address as a QR code."""
        return _drawn(self.link)


@lru_cache(maxsize=256)  # drawing one takes longer than the rest of the form around it; no secret is in these addresses
def _drawn(link: str) -> Markup:
    return qr(link)


@dataclass(frozen=True, slots=True)
class Choices:
    """Sets that can be chosen from, of one kind: their codes and what they are called."""

    title: str
    sets: tuple[tuple[str, str], ...]


def rule_set(game: Game, house: HouseRules[object], lang: str) -> RuleSet:
    """House rules in words, compared with the preset that they started from."""
    own, code, url = words(game.id, lang), game.options.code(house), set_url(lang, game, house)
    differences = diff_answer(game, game.options.preset(house.preset), house, lang)["differences"]
    kept = next((each.name for each in own_presets(game.id) if each.code == code), "")
    return RuleSet(
        game=game.id,
        game_name=own.name,
        name=kept or ("" if differences else own.preset_label(house.preset)),
        own=bool(kept),
        code=code,
        summary=own.summary(game.options, house),
        preset=own.preset_label(house.preset),
        differences=differences,
        notices=[notice_answer(notice, own) for notice in house.notices],
        url=url,
        link=site_root() + url,
        lang=lang,
    )


def form_rules(game: Game, form: Form) -> tuple[HouseRules[object] | None, Sequence[Problem]]:
    """The house rules that a form stands for, settled; or what is wrong with them."""
    try:
        return read_whole(given_rules(game, form), game.options.read, ("rules",)), ()
    except Refused as refused:
        return None, refused.problems


def choices(game: Game, lang: str, *, sheets: Sequence[View] = (), also: Sequence[RuleSet] = ()) -> list[Choices]:
    """The sets of a game that can be chosen without typing: presets, own ones, those of sheets, and what is at hand."""
    own = words(game.id, lang)
    presets = tuple((name, own.preset_label(name)) for name in game.options.presets)
    kept = tuple((each.code, each.name) for each in own_presets(game.id))
    played = _of_sheets(game, lang, sheets)
    known = {code for group in (presets, kept, played) for code, _ in group}
    others = tuple({each.code: each.summary for each in also if each.code not in known}.items())
    groups = [
        Choices(say(lang, "house-rules.at-hand"), others),
        Choices(say(lang, "house-rules.own"), kept),
        Choices(say(lang, "house-rules.of-sheets"), played),
        Choices(say(lang, "house-rules.presets"), presets),
    ]
    return [group for group in groups if group.sets]


def asked_rules(given: Form, name: str, lang: str, game: Game | None) -> Asked:
    """What a picker in a form stands for: a code that was typed or scanned, else the set chosen from the list."""
    typed, chosen = given.get(f"{name}-code", "").strip(), given.get(name, "").strip()
    return read_code(typed or chosen, lang, game) if typed or chosen else Asked()


def _of_sheets(game: Game, lang: str, sheets: Sequence[View]) -> tuple[tuple[str, str], ...]:
    found: dict[str, str] = {}
    for view in sheets:
        if view.game and view.game.game == game.id:
            names = view.sheet.title or say(lang, "house-rules.sheet-of", players=list(view.sheet.names.values()))
            found.setdefault(game.options.code(view.house(view.game)), names)
    return tuple(found.items())


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
    response.set_cookie(
        COOKIE, pack(kept), SECONDS_KEPT if kept else 0, httponly=True, samesite="Lax", secure=request.is_secure
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
    if len(text) > LARGEST:
        return []
    try:
        packed = base64.urlsafe_b64decode(text + "===")
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


CHOSEN, SHOWN = "first.", "was."
"""How the fields begin that hold the offer chosen, and the one that was shown as chosen."""


def agreements(game: Game, rules: object, values: Mapping[str, object]) -> Iterator[tuple[Agreement, str]]:
    """Yield the questions that these rules leave open, each with the offer that `values`, the options as JSON, hold.

    Values that no offer has are one more offer, without an id.
    """
    for asked in game.agreements:
        if asked.asked(rules):
            other = Offer("", {name: values[name] for name in asked.offers[-1].options})
            chosen = next((offer for offer in asked.offers if offer.options.items() <= values.items()), other)
            yield asked if chosen.id else replace(asked, offers=(*asked.offers, other)), chosen.id


def offer_json(offer: Offer) -> str:
    """Return the options that an offer sets as texts, for the script of the form."""
    return json.dumps({name: "" if value is None else str(value) for name, value in offer.options.items()})


def usual_options(game: Game) -> dict[str, object]:
    """Return the options of the offers that most tables take."""
    return {
        name: value
        for asked in game.agreements
        for offer in asked.offers
        if offer.id == asked.usual
        for name, value in offer.options.items()
    }


def offered_options(game: Game) -> frozenset[str]:
    """Return the options that some offer sets."""
    return frozenset(name for asked in game.agreements for offer in asked.offers for name in offer.options)


def _agreed_options(game: Game, form: Mapping[str, str]) -> dict[str, object]:
    """Return the options of the offers that were chosen on a form; those left as they were shown say nothing."""
    agreed: dict[str, object] = {}
    for asked in game.agreements:
        given = form.get(CHOSEN + asked.id, "")
        if given != form.get(SHOWN + asked.id):
            agreed |= next((offer.options for offer in asked.offers if offer.id == given), {})
    return agreed


def longer(game: Game) -> tuple[tuple[Agreement, Offer], ...]:
    """Return the offers that say how long a game lasts."""
    return tuple((asked, offer) for asked in game.agreements if asked.length for offer in asked.offers)

"""What stands beside a page of the book: the parts, leaves and guides that belong together, and their addresses."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from companion.rulebook.book import GUIDES
from companion.rulebook.leaves import Leaf, leaves
from companion.rulebook.pages import Page, page

_NEAR = re.compile(r'href="#([^"]+)"')


@dataclass(frozen=True, slots=True)
class Reading:
    """A link among the pages that belong together; `here` where it is the page itself."""

    title: str
    url: str
    here: bool = False


def part_path(name: str, part: str) -> str:
    """The address of a part, or of a guide by its name, without the language."""
    path = name if name in GUIDES else f"rules/{name}"
    return f"{path}/{part}" if part else path


def leaf_path(game: str, part: str, leaf: str) -> str:
    """The address of a leaf in both languages, without the language."""
    path = f"{part_path(game, part)}/both"
    return f"{path}/{leaf}" if leaf else path


def around(whole: Page, here: str | None) -> dict[str, Any]:
    """What surrounds a part: the other parts and the guides, and where single articles are found."""
    parts = [Reading(p.title, f"/{whole.lang}/{part_path(whole.game, p.name)}", p.name == here) for p in whole.parts]
    names = [part.name for part in whole.parts]
    after = parts[names.index(here) + 1 :][:1] if here is not None else []
    base = f"/{whole.lang}/{part_path(whole.game, '')}"
    return {"parts": parts, "guides": _guides(whole), "after": after, "base": base}


def beside(game: str, lang: str, part: str) -> dict[str, str]:
    """Where each section of a part stands in both languages, by its anchor."""
    return {
        section.anchor: f"/{lang}/{leaf_path(game, part, leaf.name)}#{section.anchor}"
        for leaf in leaves(game, lang, part)
        for section, _ in leaf.rows
    }


def around_leaf(whole: Page, part: str, here: Leaf) -> dict[str, Any]:
    """What surrounds a leaf: the sections of its part, the leaves before and after it, the page in one language."""
    game, lang = whole.game, whole.lang
    own = leaves(game, lang, part)
    bound = [(each.name, leaf) for each in whole.parts for leaf in leaves(game, lang, each.name)]
    place = next(number for number, (name, leaf) in enumerate(bound) if (name, leaf.name) == (part, here.name))
    return {
        "contents": [Reading(section.title, f"#{section.anchor}") for leaf in own for section, _ in leaf.rows],
        "before": [_leaf(game, lang, *each) for each in bound[max(place - 1, 0) : place]],
        "after": [_leaf(game, lang, *each) for each in bound[place + 1 : place + 2]],
        "guides": _guides(whole),
        "alone": f"/{lang}/{part_path(game, part)}" + (f"#{here.name}" if here.name else ""),
        "base": f"/{lang}/{leaf_path(game, part, '')}",
    }


def led_on(html: str, whole: Page, part: str, here: Leaf) -> str:
    """A leaf whose links to places on other leaves of its part lead there."""
    places = {
        anchor: f"/{whole.lang}/{leaf_path(whole.game, part, leaf.name)}#{anchor}"
        for leaf in leaves(whole.game, whole.lang, part)
        for anchor in leaf.anchors - here.anchors
    }
    return _NEAR.sub(lambda link: f'href="{places.get(link[1], f"#{link[1]}")}"', html)


def _guides(whole: Page) -> list[Reading]:
    return [Reading(page(name, whole.lang).title, f"/{whole.lang}/{name}", name == whole.game) for name in GUIDES]


def _leaf(game: str, lang: str, part: str, leaf: Leaf) -> Reading:
    title = leaf.rows[0][0].title if leaf.name else next(p.title for p in page(game, lang).parts if p.name == part)
    return Reading(title, f"/{lang}/{leaf_path(game, part, leaf.name)}")

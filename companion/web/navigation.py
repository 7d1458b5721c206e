"""Links between the pages of the rulebook: its parts, pages in two languages and guides, and their paths."""

from __future__ import annotations

from dataclasses import dataclass

from companion.engine.game import Game
from companion.rulebook.book import GUIDES, rules_url, words
from companion.rulebook.layouts import Leaf, leaves, relink
from companion.rulebook.pages import Page, PageArticle, page


@dataclass(frozen=True, slots=True)
class NavLink:
    """A link between pages of one game; `here` where it is the current page."""

    title: str
    url: str
    here: bool = False


def part_path(name: str, part: str) -> str:
    """Return the path of a part, or of a guide by its name, without the language."""
    path = name if name in GUIDES else f"rules/{name}"
    return f"{path}/{part}" if part else path


def article_path(article: PageArticle) -> str:
    """Return the path of an article's own page, without the language."""
    game, _, anchor = article.id.partition(".")
    return f"{part_path(game, '')}/{anchor}"


def leaf_path(game: str, part: str, leaf: str) -> str:
    """Return the path of a page in both languages, without the language of the path."""
    path = f"{part_path(game, part)}/both"
    return f"{path}/{leaf}" if leaf else path


def part_links(whole: Page, here: str | None) -> dict[str, object]:
    """Return what the template of a part needs: links to other parts and the guides, and the base of article paths."""
    parts = [NavLink(p.title, f"/{whole.lang}/{part_path(whole.game, p.name)}", p.name == here) for p in whole.parts]
    names = [part.name for part in whole.parts]
    after = parts[names.index(here) + 1 :][:1] if here is not None else []
    base = f"/{whole.lang}/{part_path(whole.game, '')}"
    return {"parts": parts, "guides": _guides(whole), "after": after, "base": base}


def preset_links(game: Game, lang: str, here: str = "") -> dict[str, object]:
    """Return what a template needs to lead to the complete rules of every preset."""
    own = words(game.id, lang)
    return {
        "ways": [
            NavLink(own.preset_label(preset), rules_url(lang, game.id, preset), preset == here)
            for preset in game.options.presets
        ]
    }


def bilingual_urls(game: str, lang: str, part: str) -> dict[str, str]:
    """Return the URL of each section of a part in both languages, by its anchor."""
    return {
        section.anchor: f"/{lang}/{leaf_path(game, part, leaf.name)}#{section.anchor}"
        for leaf in leaves(game, lang, part)
        for section, _ in leaf.rows
    }


def leaf_links(whole: Page, part: str, here: Leaf) -> dict[str, object]:
    """Return what the template of a bilingual page needs: its sections, the pages around it, the single page."""
    game, lang = whole.game, whole.lang
    own = leaves(game, lang, part)
    bound = [(each.name, leaf) for each in whole.parts for leaf in leaves(game, lang, each.name)]
    place = next(number for number, (name, leaf) in enumerate(bound) if (name, leaf.name) == (part, here.name))
    return {
        "contents": [NavLink(section.title, f"#{section.anchor}") for leaf in own for section, _ in leaf.rows],
        "before": [_leaf(game, lang, *each) for each in bound[max(place - 1, 0) : place]],
        "after": [_leaf(game, lang, *each) for each in bound[place + 1 : place + 2]],
        "guides": _guides(whole),
        "alone": f"/{lang}/{part_path(game, part)}" + (f"#{here.name}" if here.name else ""),
        "base": f"/{lang}/{leaf_path(game, part, '')}",
    }


def rewrite_anchors(html: str, whole: Page, part: str, here: Leaf) -> str:
    """Rewrite anchors that are on another page of the same part."""
    places = {
        anchor: f"/{whole.lang}/{leaf_path(whole.game, part, leaf.name)}#{anchor}"
        for leaf in leaves(whole.game, whole.lang, part)
        for anchor in leaf.anchors - here.anchors
    }
    return relink(html, lambda anchor: places.get(anchor, f"#{anchor}"))


def _guides(whole: Page) -> list[NavLink]:
    return [NavLink(page(name, whole.lang).title, f"/{whole.lang}/{name}", name == whole.game) for name in GUIDES]


def _leaf(game: str, lang: str, part: str, leaf: Leaf) -> NavLink:
    title = leaf.rows[0][0].title if leaf.name else next(p.title for p in page(game, lang).parts if p.name == part)
    return NavLink(title, f"/{lang}/{leaf_path(game, part, leaf.name)}")

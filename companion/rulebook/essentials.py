"""What a summary on one sheet of paper holds of each game: the table of its scores and the articles people look for."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from companion.rulebook.book import article_url
from companion.rulebook.pages import Page, PageArticle, PageSection

_NEAR = re.compile(r'href="#([^"]+)"')


@dataclass(frozen=True, slots=True)
class Essentials:
    """The section that opens with the table of scores, and articles by their anchors."""

    scores: str
    articles: tuple[str, ...]


ESSENTIALS: Mapping[str, Essentials] = {
    "spades": Essentials(
        "scoring",
        (
            "bid-in-turn", "bid", "partner-bid", "sum-bidding", "nil", "double-nil-behind", "double-nil-unseen",
            "exchange", "opening-lead", "follow-suit", "trick-winner", "leading-spades", "all-spades",
            "breaking-spades", "contract", "overtricks", "set", "failed-nil-tricks", "bag-penalty", "target", "tie",
        ),
    ),
    "casino": Essentials(
        "scoring",
        (
            "dealing", "rounds-of-four", "first-player", "card-values", "courts-without-number", "one-hand-card",
            "equal-rank", "sums", "court-capture", "capture-build", "standard-build-capture", "single-build",
            "build-needs-card", "builder-holds", "one-build-a-value", "raise", "standard-raise", "set-total",
            "multiple-build", "trail", "keep-capturer", "owner-may-not-trail", "demand", "sweeps", "majority-tie",
            "target",
        ),
    ),
    "spite-and-malice": Essentials(
        "end",
        (
            "split-deck", "small-payoff", "hand", "payoff-pile", "start", "refill", "closed-list", "end-of-turn",
            "closing-discard", "empty-hand", "open-stack", "next-rank", "completed-stack", "payoff-ace", "payoff-two",
            "side-two", "ace-stays-in-hand", "same-or-lower", "any-card-anywhere", "joker", "kings", "king-to-centre",
            "idle-turn", "stock-low", "stock-exhausted", "going-out",
        ),
    ),
}  # fmt: skip


def essential_articles(page: Page) -> Iterator[PageArticle]:
    """The articles of a page that its summary holds, as far as they are played, in the order of the page."""
    chosen = ESSENTIALS[page.game].articles if page.game in ESSENTIALS else ()
    for article in page.articles():
        if article.played and article.anchor in chosen:
            yield replace(article, html=_led_out(article.html, page))


def score_section(page: Page) -> PageSection | None:
    """The section of a page whose beginning is the table of scores."""
    chosen = ESSENTIALS[page.game].scores if page.game in ESSENTIALS else ""
    found = next((section for section in page.sections if section.anchor == chosen), None)
    return found and replace(found, html=_led_out(found.html, page))


def _led_out(html: str, page: Page) -> str:
    """HTML whose links within the page lead to the page from elsewhere."""
    return _NEAR.sub(lambda link: f'href="{article_url(page.lang, f"{page.game}.{link[1]}")}"', html)

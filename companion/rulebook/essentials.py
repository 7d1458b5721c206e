"""What a summary on one sheet of paper holds of each game: the table of its scores and the articles people look for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from companion.rulebook.pages import Page, PageArticle, PageSection


@dataclass(frozen=True, slots=True)
class Essentials:
    """The section that opens with the table of scores, and articles by their anchors."""

    scores: str
    articles: tuple[str, ...]


ESSENTIALS: Mapping[str, Essentials] = {
    "spades": Essentials(
        "scoring",
        (
            "dealer", "bid-in-turn", "bid", "partner-bid", "sum-bidding", "nil", "nil-partner", "double-nil-behind",
            "double-nil-unseen", "exchange", "opening-lead", "follow-suit", "when-void", "trick-winner",
            "leading-spades", "all-spades", "breaking-spades", "contract", "overtricks", "set", "failed-nil-tricks",
            "bags", "bag-penalty", "target", "higher-wins", "tie",
        ),
    ),
    "casino": Essentials(
        "scoring",
        (
            "direction", "dealing", "rounds-of-four", "first-player", "card-values", "courts-without-number",
            "one-hand-card", "cardless-plays", "equal-rank", "sums", "all-together", "court-capture", "capture-build",
            "standard-build-capture", "single-build", "build-needs-card", "builder-holds", "one-build-a-value",
            "owner", "raise", "standard-raise", "set-total", "multiple-build", "opponents-piles", "value-stays",
            "trail", "keep-capturer", "owner-may-not-trail", "demand", "demand-measure", "sweeps", "remaining-cards",
            "majority-tie", "target",
        ),
    ),
    "spite-and-malice": Essentials(
        "end",
        (
            "split-deck", "pagat-deal", "small-payoff", "hand", "payoff-pile", "payoff-top", "start", "refill",
            "closed-list", "top-card-only", "discard", "end-of-turn", "closing-discard", "empty-hand", "open-stack",
            "next-rank", "completed-stack", "payoff-ace", "payoff-two", "side-two", "hand-is-free", "side-stacks",
            "ace-stays-in-hand", "same-or-lower", "any-card-anywhere", "joker", "joker-from-side", "kings",
            "king-to-centre", "idle-turn", "second-chance", "stock-low", "stock-exhausted", "going-out",
        ),
    ),
}  # fmt: skip


def essential_articles(page: Page) -> Iterator[PageArticle]:
    """The articles of a page that its summary holds, as far as they are played, in the order of the page."""
    chosen = ESSENTIALS[page.game].articles if page.game in ESSENTIALS else ()
    return (article for article in page.articles() if article.played and article.anchor in chosen)


def score_section(page: Page) -> PageSection | None:
    """The section of a page whose beginning is the table of scores."""
    chosen = ESSENTIALS[page.game].scores if page.game in ESSENTIALS else ""
    return next((section for section in page.sections if section.anchor == chosen), None)

"""The articles: every rule number has one, ids are anchors of one page, and every citation is of a real article."""

from __future__ import annotations

import re
from pathlib import Path

from companion.engine.articles import Article
from companion.games.spite_and_malice import SPITE_AND_MALICE as GAME
from companion.games.spite_and_malice import articles

NUMBERS = [
    *range(1, 17), *range(20, 31), *range(31, 36), *range(40, 49), *range(50, 56), *range(60, 70), *range(70, 77),
    *range(80, 86), *range(90, 94), *range(101, 114), *range(121, 127), *range(201, 209), *range(210, 230),
    *range(301, 315),
]  # fmt: skip
IRREGULARITIES = ("0", "M1", "M2", "M3", "M4", "M5")


def test_every_rule_number_has_its_article() -> None:
    stated = {number for article in GAME.articles for number in article.numbers}
    families = {f"ALO-{number:03}" for number in range(1, 17)} | {f"ALO-R{number}" for number in range(1, 8)}
    families |= {f"SKB-{number:03}" for number in range(1, 15)} | {f"SKB-R{number}" for number in range(1, 4)}
    assert stated - families == {f"SNM-{n:03}" for n in NUMBERS} | {f"IRR-{number}" for number in IRREGULARITIES}
    assert stated >= families


def test_every_declared_article_stands_on_the_page() -> None:
    """Also those without a name, which nothing cites; whatever has one is on the page itself."""
    text = Path(articles.__file__).read_text(encoding="utf-8")
    declared = re.findall(r"(?<!def )\b_article\(\s*\"([^\"]+)\"", text)
    assert len(declared) == len(re.findall(r"(?<!def )\b_?[Aa]rticle\(", text)) - 1, "each is declared by its anchor"
    assert sorted(declared) == sorted(article.anchor for article in GAME.articles)
    named = [value for value in vars(articles).values() if isinstance(value, Article)]
    assert named
    assert all(value is GAME.articles[value.id] for value in named)
    assert f"{GAME.id}.adjustment" in GAME.articles


def test_sections_and_articles_share_no_anchor() -> None:
    assert not set(GAME.articles.sections) & {article.anchor for article in GAME.articles}


def test_every_option_explains_itself_by_an_article_that_is_played_with_it() -> None:
    for option in GAME.options.options.values():
        assert all(name in GAME.articles for name in option.articles), option.name


def test_conditions_name_options_and_values_that_exist() -> None:
    for article in GAME.articles:
        for setting in (article.when, article.unless):
            assert set(setting) <= {*GAME.options.options, "wild_cards", "replenished"}, article.id
    presets = [GAME.options.preset(name).options for name in GAME.options.presets]
    hidden = {a.anchor for a in GAME.articles if not any(a.played(rules) for rules in presets)}
    assert hidden == {
        "king-in-payoff", "play-again", "side-two-shut-out", "hand-ace", "not-as-seven", "draw-at-end",
    }  # fmt: skip


def test_rules_are_cited_by_constants_that_exist() -> None:
    for path in Path(articles.__file__).parent.glob("*.py"):
        for name in re.findall(r"\ba\.([A-Z_]+)\b", path.read_text(encoding="utf-8")):
            assert hasattr(articles, name), f"{path.name}: {name}"

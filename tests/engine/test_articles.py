"""Articles: ids that are promises, and the settings under which they are played."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from companion.engine.articles import Article, Articles
from companion.games import GAMES

FOLLOW = Article("game.follow-suit", ("G-1",))
NIL = Article("game.nil", when={"nil": (True,)})
NO_FLOOR = Article("game.no-floor", unless={"floor": (0, None)})


def test_order_and_lookup() -> None:
    articles = Articles("game", {"play": [FOLLOW], "bids": [NIL, NO_FLOOR]})
    assert [article.anchor for article in articles] == ["follow-suit", "nil", "no-floor"]
    assert len(articles) == 3
    assert articles["game.nil"] is NIL
    assert "game.nil" in articles
    assert "game.other" not in articles
    with pytest.raises(KeyError):
        articles["game.other"]


def test_retired_id_leads_to_its_heir_and_is_never_used_again() -> None:
    articles = Articles("game", {"play": [FOLLOW]}, {"game.must-follow": "game.follow-suit"})
    assert articles["game.must-follow"] is FOLLOW
    with pytest.raises(ValueError, match=r"game\.nil"):
        Articles("game", {"play": [NIL]}, {"game.nil": "game.follow-suit"})
    with pytest.raises(ValueError, match="twice"):
        Articles("game", {"play": [FOLLOW], "again": [FOLLOW]})


@pytest.mark.parametrize(
    ("article", "nil", "floor", "played"),
    [
        (FOLLOW, False, 0, True),
        (NIL, True, 0, True),
        (NIL, False, 0, False),
        (NO_FLOOR, True, None, False),
        (NO_FLOOR, True, -200, True),
    ],
)
def test_played(article: Article, nil: bool, floor: int | None, played: bool) -> None:
    assert article.played(SimpleNamespace(nil=nil, floor=floor)) is played


@pytest.mark.parametrize("game", GAMES)
def test_every_game(game: str) -> None:
    articles = GAMES[game].articles
    assert articles.game == game
    assert all(article.id == f"{game}.{article.anchor}" for article in articles)
    assert all(article.anchor == article.anchor.lower() for article in articles)
    assert f"{game}.adjustment" in articles, "the ledger cites it"


def test_articles_can_come_in_another_order_in_play() -> None:
    one, two, three, four = (Article(f"x.{name}") for name in ("one", "two", "three", "four"))
    sections = {"first": (one, two), "second": (three,), "third": (four,)}
    assert Articles("x", sections).in_play == sections
    moved = Articles("x", sections, follows={"one": "four three", "first": "third"})
    assert moved.in_play == {"first": (one, four, three, two), "third": (), "second": ()}
    assert list(moved.in_play) == ["first", "third", "second"]


@pytest.mark.parametrize("follows", [{"one": "nothing"}, {"nothing": "one"}, {"one": "two", "three": "two"}])
def test_an_order_of_play_names_known_articles_once(follows: dict[str, str]) -> None:
    one, two, three = (Article(f"x.{name}") for name in ("one", "two", "three"))
    with pytest.raises(ValueError, match="cannot follow"):
        Articles("x", {"first": (one, two, three)}, follows=follows)

"""Show me, under the verdict of a page: two worlds in which the cards that change places are framed, or a count."""

from __future__ import annotations

import pytest
from flask.testing import FlaskClient

LAST = ("KH", "8H", "2C", "3H", "4H", "5H", "6H", "7H")
EARLIER = [
    f"{rank}{suit}" for suit in "DSCH" for rank in ["2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A"]
]
COUNTED = ".".join([*(card for card in EARLIER if card not in LAST), "KH", "2C"])


def test_two_worlds_frame_the_cards_that_decide(client: FlaskClient) -> None:
    text = client.get("/en/referee/spades/deal?do=skip&do=tap:2H&do=tap:5S").text
    shown = text.partition('<details class="shown">')[2].partition("</details>")[0]
    assert "Show me" in shown
    assert shown.count('<li class="legal">') == shown.count('<li class="illegal">') == 1
    assert shown.count("changed") == 2
    assert "other cards of" in shown


@pytest.mark.parametrize(("lang", "label"), [("en", "Show me"), ("ja", "たしかめる")])
def test_a_spade_lead_depends_on_earlier_tricks(client: FlaskClient, lang: str, label: str) -> None:
    text = client.get(f"/{lang}/referee/spades/card?do=tap:5S&do=tap:KH").text
    shown = text.partition('<details class="shown">')[2].partition("</details>")[0]
    assert label in shown
    assert shown.count("2♠") == 2  # in the world where it fell, and among what changes places


def test_a_count_is_a_strip_of_the_suit(client: FlaskClient) -> None:
    text = client.get(f"/en/referee/spades/deal?c=-&p={COUNTED}").text
    strip = text.partition('<p class="strip">')[2].partition("</p>")[0]
    assert strip.count("face suit-h") == 13
    assert strip.count("not seen yet") == 6
    assert strip.count("on the table") == 1


def test_what_depends_on_nothing_hidden_shows_nothing(client: FlaskClient) -> None:
    assert "shown" not in client.get("/en/referee/spades/call").text
    assert '<details class="shown">' not in client.get("/en/referee/spades/card?do=tap:KH").text


@pytest.mark.parametrize(
    ("path", "words"),
    [
        ("spite-and-malice/deal?b=y&q=3&do=onto:N", "the pay-off pile shows 2"),
        ("casino/deal?t=7H.7S.8C.KH&q=a*2D*8C&do=tap:8H", "other cards of South"),
    ],
)
def test_every_game_shows_two_worlds(client: FlaskClient, path: str, words: str) -> None:
    shown = client.get(f"/en/referee/{path}").text.partition('<details class="shown">')[2].partition("</details>")[0]
    assert words in shown
    assert shown.count('<li class="legal">') == shown.count('<li class="illegal">') == 1


def test_the_first_trick_is_no_matter_of_counting(client: FlaskClient) -> None:
    """A whole hand is that of a first trick: no card of an earlier one is looked for."""
    hand = ".".join(f"{rank}{suit}" for rank, suit in zip("2345678", "CHDCHDC", strict=True))
    text = client.get(f"/en/referee/spades/card?h={hand}.9D.JD.QD.KD.AD.AS").text
    assert '<details class="shown">' not in text


@pytest.mark.parametrize(
    ("path", "words"),
    [
        ("en/referee/spite-and-malice/start?p0=KS&p1=KS", "the tops of the pay-off piles (South, North)"),
        ("ja/referee/spite-and-malice/start?p0=KS&p1=KS", "それぞれの個人の山のいちばん上（"),
    ],
)
def test_a_table_that_cannot_be_shows_which_facts_contradict_each_other(
    client: FlaskClient, path: str, words: str
) -> None:
    text = client.get(f"/{path}").text
    shown = text.partition('<details class="shown">')[2].partition("</details>")[0]
    assert words in shown
    assert '<details class="shown">' not in client.get(f"/{path.partition('&')[0]}").text

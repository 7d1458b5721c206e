"""Cards in every spelling that people use."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.engine.cards import PIPS, RANKS, SUITS, Card, card_pattern, pack, read_card

SPELLINGS = {
    "AS": Card("A", "S"),
    "as": Card("A", "S"),
    "TH": Card("10", "H"),
    "10h": Card("10", "H"),
    "h10": Card("10", "H"),
    "HT": Card("10", "H"),
    "♥10": Card("10", "H"),
    "10♥": Card("10", "H"),
    "10♥\ufe0f": Card("10", "H"),
    "10♥\ufe0e": Card("10", "H"),
    "♡T": Card("10", "H"),
    "♢q": Card("Q", "D"),
    "♧2": Card("2", "C"),
    "♤k": Card("K", "S"),
    " 2c ": Card("2", "C"),
    "１０Ｈ": Card("10", "H"),
    "ｓＡ": Card("A", "S"),
}
NO_CARDS = ["", " ", "S", "10", "1S", "11S", "0H", "SS", "AA", "ASS", "A S", "XH", "BJ", "X", "JOKER", "🂡", "♠", "A♠♠"]


@pytest.mark.parametrize("text", SPELLINGS)
def test_spelling(text: str) -> None:
    assert read_card(text) == SPELLINGS[text]


@pytest.mark.parametrize("text", NO_CARDS)
def test_what_no_card_looks_like(text: str) -> None:
    with pytest.raises(ValueError, match=f"^{re.escape(text)}$"):
        read_card(text)


def test_jokers_only_where_the_game_has_them() -> None:
    assert read_card("bj", jokers=("BJ", "LJ")) == Card("BJ")
    assert {read_card(word, jokers=("X",)) for word in ("X", "x", "JK", "joker", "Ｘ")} == {Card("X")}
    with pytest.raises(ValueError, match="LJ"):
        read_card("LJ", jokers=("X",))
    assert str(Card("BJ")) == "BJ"
    assert Card("BJ").pips == 0


def test_bare_rank_only_where_suits_do_not_matter() -> None:
    assert read_card("t", bare_ranks=True) == Card("10")
    assert read_card("9H", bare_ranks=True) == Card("9", "H")
    with pytest.raises(ValueError, match="9"):
        read_card("9")


def test_pack() -> None:
    assert len(pack()) == len(set(pack())) == 52
    assert pack("S", ("A", "2")) == (Card("A", "S"), Card("2", "S"))
    assert [PIPS[rank] for rank in RANKS] == list(range(1, 14))


@given(st.sampled_from(RANKS), st.sampled_from(SUITS))
def test_what_is_written_reads_back(rank: str, suit: str) -> None:
    assert read_card(str(Card(rank, suit))) == Card(rank, suit)


@pytest.mark.slow
@given(st.text(max_size=8))
def test_any_text_is_a_card_or_a_value_error(text: str) -> None:
    try:
        card = read_card(text, jokers=("BJ", "LJ"), bare_ranks=True)
    except ValueError:
        return
    assert card.rank in (*RANKS, "BJ", "LJ")


@pytest.mark.slow
@pytest.mark.parametrize(("jokers", "bare"), [((), False), (("X",), True), (("BJ", "LJ"), False)])
def test_the_described_spellings_are_read(jokers: tuple[str, ...], bare: bool) -> None:
    @settings(max_examples=300, deadline=None, derandomize=True)
    @given(st.from_regex(card_pattern(jokers, bare_ranks=bare), fullmatch=True))
    def check(text: str) -> None:
        assert str(read_card(text, jokers=jokers, bare_ranks=bare)).isascii()

    check()
    described = re.compile(card_pattern(jokers, bare_ranks=bare))
    assert all(described.match(text) for text in ("10H", "th", "♥10", "Q♠\ufe0e", "１０Ｈ", *jokers))
    assert not any(described.match(text) for text in ("", "1H", "17Z", "HH"))

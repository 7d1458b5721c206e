"""Plays as text: what is written can be read back, and means the same on the table."""

from __future__ import annotations

import doctest
import random

import pytest

from companion.engine.cards import RANKS, Card
from companion.engine.problems import Node
from companion.games.casino import deal as notation
from companion.games.casino.deal import (
    Draft,
    begin,
    format_draft,
    join_plays,
    join_turns,
    parse_draft,
    parse_plays,
    parse_turn,
    plays_of,
    split_plays,
    split_turns,
)
from companion.games.casino.rules import OPTIONS
from companion.games.casino.shapes import Record
from companion.games.casino.table import CAPTURE, Base, Build, Layout, Material, Play, Position, Seats, read_against
from tests.casino.asking import announced
from tests.casino.table import random_deal


def card(text: str) -> Card:
    return Card(text[:-1], text[-1])


def ranked(pips: int, suit: str) -> Card:
    return Card(RANKS[pips - 1], suit)


DRAFTS = {
    "c*9S*9H.5C*B1*9": Draft("capture", card("9S"), (card("9H"), card("5C")), ("B1",), 9),
    "c*AS*KH.AC**14": Draft("capture", card("AS"), (card("KH"), card("AC")), (), 14),
    "b**4D.5C**9": Draft("build", None, (card("4D"), card("5C")), (), 9),
    "b*10D*2S": Draft("build", card("10D"), (card("2S"),)),
    "r*AS**B1*10": Draft("raise", card("AS"), (), ("B1",), 10),
    "a*6S*4D.5C*B1.B2*10": Draft("augment", card("6S"), (card("4D"), card("5C")), ("B1", "B2"), 10),
    "t*KC": Draft("trail", card("KC")),
    "": Draft(),
}


@pytest.mark.parametrize(("text", "draft"), DRAFTS.items())
def test_every_kind_of_play_has_one_text(text: str, draft: Draft) -> None:
    assert parse_draft(text) == draft
    assert format_draft(draft) == text


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("x*9S", Draft("", card("9S"))),
        ("c*ZZ*9H.YY.9H*B123456789*999", Draft("capture", None, (card("9H"),), ("B1234567",))),
        ("c*9S***٣*more", Draft("capture", card("9S"))),
        ("t*KC****", Draft("trail", card("KC"))),
    ],
)
def test_what_cannot_be_read_is_skipped(text: str, read: Draft) -> None:
    assert parse_draft(text) == read


def test_plays_and_turns_are_joined_and_split() -> None:
    plays = ("b**4D.5C**9", "c*9S**B1*9")
    assert split_plays(join_plays(plays)) == plays
    assert parse_plays("__".join(plays)) == tuple(map(parse_draft, plays))
    assert len(split_plays("_".join(["t*KC"] * 20))) == notation.MAX_PLAYS == len(split_plays(join_plays(["t"] * 20)))
    turns = ("t*KC", f"1{join_plays(plays)}")
    assert split_turns(join_turns(turns)) == turns
    assert len(split_turns("-".join(["t*KC"] * 100))) == notation.MAX_TURNS
    assert parse_turn(turns[0]) == (None, parse_plays("t*KC"))
    assert parse_turn(turns[1]) == (1, parse_plays(join_plays(plays)))
    assert parse_turn("") == (None, ())


@pytest.mark.slow
@pytest.mark.parametrize("preset", ["swazi", "standard", "royal", "dominican", "south_african"])
@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_turn_written_and_read_again_leaves_the_same_table(preset: str, players: int) -> None:
    """Only how cards form sets is left to the table, which may find another way."""
    rules = OPTIONS.preset(preset).options
    request, _ = random_deal(0, preset, players)
    node = Node(request)
    record = read_against(node, Record, rules, node, players=True)
    assert record is not None
    course = begin(rules, record)
    for turn in request["turns"]:
        position = course.position(turn["player"])
        plays = announced(rules, turn["plays"], course.seats)
        drafts = [draft_of(play) for play in plays]
        text = join_plays([format_draft(draft) for draft in drafts if draft is not None])
        again, layout = plays_of(rules, position, parse_plays(text))
        taken = course.take(turn["player"], plays)
        assert [play.kind for play in again] == [play.kind for play in plays]
        assert layout.played == taken.layout.played
        assert _cards(layout) == _cards(taken.layout)
    assert course.complete


@pytest.mark.parametrize("preset", ["swazi", "royal"])
@pytest.mark.parametrize("loose_base", [True, False])
def test_tapped_cards_are_added_to_a_build_in_sets_of_its_value(preset: str, loose_base: bool) -> None:
    """CASINO-601, 602: in whatever order they are tapped; a loose card of the value is what they are added to."""
    rules, dice = OPTIONS.preset(preset).options, random.Random(preset)
    for value in range(3, 11):
        pairs = [(low, value - low) for low in range(1, value) if low <= value - low]
        cards = [ranked(pips, suit) for pair in pairs for pips, suit in zip(pair, "SH", strict=True)]
        own, *others = dice.sample(cards, len(cards))
        base = ranked(value, "C")
        build = Build("B1", value, ((base,), (ranked(value, "D"),)), "P1")
        marked = dice.sample([*others, base], len(cards)) if loose_base else others
        builds, hand = () if loose_base else (build,), frozenset({own, ranked(value, "H")})
        position = Position(Seats(("P1", "P2")), "P1", tuple(others) + (base,) * loose_base, builds, hand)
        draft = Draft("augment", own, tuple(marked), () if loose_base else ("B1",), value)
        ((play,), layout) = plays_of(rules, position, (draft,))
        added = [[*one.table, *([one.card] if one.card else [])] for one in play.sets]
        assert sorted(map(str, (card for one in added for card in one))) == sorted(map(str, cards)), value
        assert {sum(card.pips for card in one) for one in added} == {value}
        (made,) = layout.builds.values()
        assert (made.value, made.owner) == (value, "P1")
        assert set(made.cards) == {*cards, *({base} if loose_base else build.cards)}


def _cards(layout: Layout) -> object:
    """Where every card is, whatever sets the builds are made of."""
    builds = {build.id: (build.value, build.owner, frozenset(build.cards)) for build in layout.builds.values()}
    return set(layout.loose), builds, set(layout.taken), layout.swept


@pytest.mark.parametrize(
    "plays",
    [
        [{"play": "build", "value": 9, "card": "4D", "sets": [{"card": "5D", "table": []}]}],
        [{"play": "augment", "value": 9, "base": {"hand": "9S"}, "sets": []}],
        [{"play": "augment", "value": 9, "base": {"pile": "9S", "from": "P2"}, "sets": []}],
        [{"play": "augment", "value": 9, "base": {"build": "B1"}, "table": ["4D", "5C"], "asked_by": "P2"}],
    ],
)
def test_what_cannot_be_tapped_has_no_draft(plays: list[dict[str, object]]) -> None:
    (play,) = announced(OPTIONS.preset().options, plays, Seats(("P1", "P2")))
    assert draft_of(play) is None


def test_examples_of_the_notation() -> None:
    result = doctest.testmod(notation)
    assert result.attempted > 5
    assert result.failed == 0


def draft_of(play: Play) -> Draft | None:
    """The draft of a play; None where it uses several hand cards, or what is no base, or was asked for.

    A draft does not say which cards form a set, so `play_of` may group them in another way.
    """
    base = play.base or Base("build")
    material = (*play.groups(), *(Material(one) for one in play.absorbed))
    hand = [one.card for one in material if one.card is not None]
    if len(hand) > 1 or base.kind in ("hand", "pile") or play.asked_by is not None:
        return None
    marked = [card for one in material for card in (*one.table, *(card for _, card in one.piles))]
    if base.card is not None:
        marked.append(base.card)
    named = [name for one in material for name in one.builds]
    if play.target:
        named.append(play.target)
    value = play.declared if play.kind == CAPTURE else play.value
    return Draft(play.kind, hand[0] if hand else None, tuple(dict.fromkeys(marked)), tuple(named), value or None)

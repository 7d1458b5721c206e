"""Cards that are tapped: where they go, how the picker shows them, and in which order."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from companion.engine.cards import RANKS, Card, pack, read_card
from companion.engine.dialogue import (
    Face,
    Phrase,
    Picker,
    State,
    Target,
    Zone,
    active_zone,
    card_picker,
    faces,
    go_to,
    in_order,
    in_rows,
    tap,
)

HAND, PLAYED, PILE = Zone("h", "hand", 3), Zone("p", "played", 1), Zone("t", "pile", mark="×")
ZONES = (HAND, PLAYED, PILE)


def cards(text: str) -> tuple[Card, ...]:
    return tuple(map(read_card, text.split()))


@pytest.mark.parametrize(
    ("state", "word", "after"),
    [
        ({}, "7H", {"h": "7H"}),
        ({"h": "7H"}, "2S", {"h": "7H.2S"}),
        ({"h": "7H.2S"}, "7H", {"h": "2S"}),
        ({"h": "7H"}, "7H", {}),
        ({"h": "7H.2S.3S"}, "4S", {"h": "7H.2S.3S"}),
        ({"h": "7H.2S.3S"}, "3S", {"h": "7H.2S"}),
        ({"to": "p"}, "7H", {"to": "p", "p": "7H"}),
        ({"to": "p", "p": "7H"}, "2S", {"to": "p", "p": "2S"}),
        ({"to": "p", "h": "7H"}, "7H", {"to": "p"}),
        ({"to": "t", "p": "7H"}, "7H", {"to": "t"}),
        ({"to": "t"}, "7H", {"to": "t", "t": "7H"}),
        ({"to": "nowhere"}, "7H", {"to": "nowhere", "h": "7H"}),
        ({}, "zz", {}),
        ({}, "X", {}),
        ({}, "7", {}),
    ],
)
def test_tap(state: dict[str, str], word: str, after: dict[str, str]) -> None:
    assert tap(State(state), ZONES, word).values == after


def test_tap_on_a_joker_that_is_in_the_pack() -> None:
    state = tap(State({"h": "7H"}), ZONES, "X", jokers=("X",))
    assert state.values == {"h": "7H.X"}
    assert tap(state, ZONES, "2S", jokers=("X",)).values == {"h": "7H.X.2S"}
    assert tap(state, ZONES, "X", jokers=("X",)).values == {"h": "7H"}


def test_active_zone_is_the_chosen_or_the_first() -> None:
    assert active_zone(State({}), ZONES) == HAND
    assert active_zone(State({"to": "t"}), ZONES) == PILE
    assert go_to(State({"to": "t", "h": "7H"}), ZONES, "p").values == {"h": "7H", "to": "p"}
    assert go_to(State({"to": "t"}), ZONES, "x").values == {"to": "t"}


def test_picker_marks_the_cards_of_every_zone() -> None:
    state = State({"h": "3S.2S", "t": "2H", "to": "p"})
    assert card_picker(state, ZONES, cards("2S 3S AS 2H")) == Picker(
        "played",
        (
            (
                Face(Card("A", "S"), "tap:AS"),
                Face(Card("3", "S"), "tap:3S", "taken", "1", "hand", True),
                Face(Card("2", "S"), "tap:2S", "taken", "2", "hand", True),
            ),
            (Face(Card("2", "H"), "tap:2H", "taken", "×", "pile", True),),
        ),
        (
            Target("to:h", "hand", 2, False), Target("to:p", "played", 0, True), Target("to:t", "pile", 1, False),
        ),
    )  # fmt: skip


def test_picker_of_one_zone_or_none_has_no_tabs() -> None:
    assert card_picker(State({}), ZONES[:1], cards("2S")).targets == ()
    assert card_picker(State({}), ZONES[:1], cards("2S")).label == "hand"
    assert card_picker(State({}), (), cards("2S")) == Picker(
        Phrase("asks.cards"), ((Face(Card("2", "S"), "tap:2S"),),), ()
    )


def test_look_has_the_last_word() -> None:
    seen = {}

    def look(card: Card, zone: str) -> Mapping[str, Any]:
        seen[str(card)] = zone
        return {"tone": "gone", "do": ""} if zone else {}

    picker = card_picker(State({"h": "2S.X"}), ZONES, [*cards("2S 3S"), Card("X")], jokers=("X",), look=look)
    assert seen == {"2S": "h", "3S": "", "X": "h"}
    assert picker.rows[0][1] == Face(Card("2", "S"), "", "gone", "1", "hand", True)
    assert picker.rows[1] == (Face(Card("X"), "", "gone", "2", "hand", True),)
    assert [target.count for target in picker.targets] == [2, 0, 0]


def test_rows_follow_the_suits_and_the_ranks_with_jokers_last() -> None:
    assert in_order([Card("X"), *reversed(cards("AS KS 2S AH 9D 3C"))]) == (*cards("AS KS 2S AH 9D 3C"), Card("X"))
    assert in_rows(cards("AS 2S 3H"), RANKS) == [cards("AS 2S"), cards("3H")]
    assert in_rows([Card("Y"), Card("X")]) == [(Card("X"), Card("Y"))]
    assert in_rows([]) == []
    assert sorted(in_order(pack())) == sorted(pack())
    assert faces(cards("2S 3H")) == (Face(Card("2", "S")), Face(Card("3", "H")))

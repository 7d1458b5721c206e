"""Hidden cards: a verdict is what is true in every distribution of them, at the time and in retrospect."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from companion.engine.problems import Refused
from companion.games.casino.rules import OPTIONS
from companion.games.casino.table import Seats, deal_plan, full_pack
from tests.casino.asking import Json, ask, check, codes, turn

FOUR = ["P1", "P2", "P3", "P4"]
TABLE = ["2H", "3D", "8C", "9H"]


def build(name: str, value: int, owner: str, *sets: list[str]) -> Json:
    return {"id": name, "value": value, "sets": list(sets), "owner": owner}


class Table:
    """A recorded deal in the making: who plays what in turn, everything else is trailed from what is left."""

    def __init__(self, seats: list[str], table: list[str], hands: dict[str, list[str]], preset: str = "swazi") -> None:
        self.seats, self.table, self.preset = seats, table, preset
        rules = OPTIONS.preset(preset).options
        self.direction = rules.direction
        size = deal_plan(rules, len(seats)).rounds[0]
        used = {*table, *(card for hand in hands.values() for card in hand)}
        rest = [str(card) for card in sorted(full_pack(rules)) if str(card) not in used]
        self.hands = {seat: [*hands.get(seat, [])] for seat in seats}
        for hand in self.hands.values():
            while len(hand) < size:
                hand.append(rest.pop())
        self.dealt = {seat: list(hand) for seat, hand in self.hands.items()}
        self.turns: list[Json] = []
        self.player = seats[0]

    def play(self, *plays: Json) -> Table:
        """Let the next player take a turn; without plays the first card that is left is trailed."""
        hand = self.hands[self.player]
        taken = list(plays) or [{"play": "trail", "card": hand[0]}]
        for play in taken:
            if play.get("card") in hand:
                hand.remove(play["card"])
        self.turns.append({"player": self.player, "plays": taken})
        self.player = Seats(tuple(self.seats)).after(self.player, self.direction)
        return self

    def finish(self) -> Table:
        """Let everybody trail all cards that are left."""
        while self.hands[self.player]:
            self.play()
        return self

    def answer(self, *shown: str, all_hands: bool = False) -> Any:
        """The answer to a replay with the hands of these seats."""
        hands = {seat: self.dealt[seat] for seat in (self.seats if all_hands else shown)}
        deal = {"rules": {"preset": self.preset}, "seats": self.seats, "first": self.turns[0]["player"]}
        return ask("replay", deal | {"table": self.table, "turns": self.turns, **({"hands": hands} if hands else {})})


def trail(card: str) -> Json:
    return {"play": "trail", "card": card}


def kings(p2: list[str], p4: list[str]) -> Table:
    """P4 shows a king by a build of 13 that P3 takes; then P2 builds 13, perhaps with a king too, and P4 trails his.

    They play anticlockwise: P4, P3, P2, P1.
    """
    table = Table(FOUR, TABLE, {"P4": [*p4, "5S"], "P3": ["KC"], "P2": ["4S", *p2], "P1": ["2C", "KH", "QS"]})
    table.player = "P4"
    table.play({"play": "build", "value": 13, "table": ["8C"], "card": "5S", "id": "X"})
    table.play({"play": "capture", "card": "KC", "builds": ["X"]})
    table.play({"play": "build", "value": 13, "table": ["9H"], "card": "4S", "id": "Y"})
    table.play(trail("QS"))
    return table.play(trail("KD"))


def test_who_builds_with_an_own_card_beside_a_proven_one_answers_for_the_build() -> None:
    """The partner whose king was proven may trail it, for the builder holds another (CASINO-803, 704)."""
    table = kings(["KS"], ["KD"])
    early = table.answer()
    assert early["findings"] == []
    assert early["verdicts"][4].verdict.value == "undecided"
    assert {(one.seat, one.facts["value"]) for one in early["verdicts"][4].verdict.missing} == {("P2", 13), ("P4", 13)}
    assert early["verdicts"][4].settled is None
    table.play().play(trail("KS"))
    late = table.answer()
    assert late["verdicts"][4].settled == "legal"
    # His own card was used up instead, which is proven as soon as nobody can hold another: KH is hidden still.
    assert late["verdicts"][6].verdict.value == "undecided"
    known = table.answer(all_hands=True)
    assert [one.verdict.value for one in known["verdicts"]][4] == "legal"


def test_who_builds_on_a_proven_card_may_trail_an_own_one_until_that_is_played() -> None:
    """Either partner's card stands in for the other's; only who plays the last one has used it up (803, 704)."""
    table = Table(FOUR, TABLE, {"P4": ["KD", "5S"], "P3": ["KC"], "P2": ["4S", "KS"], "P1": ["2C", "KH", "QS"]})
    table.player = "P4"
    table.play({"play": "build", "value": 13, "table": ["8C"], "card": "5S", "id": "X"})
    table.play({"play": "capture", "card": "KC", "builds": ["X"]})
    table.play({"play": "build", "value": 13, "table": ["9H"], "card": "4S", "id": "Y"})
    table.play(trail("QS")).play(trail(table.hands["P4"][-1])).play().play(trail("KS"))
    for hands in (False, True):
        answer = table.answer(all_hands=hands)
        assert answer["verdicts"][6].verdict.value == "legal"
        assert answer["findings"] == []
    taken = copy.deepcopy(table).play().play({"play": "capture", "card": "KD", "table": ["KS"], "builds": ["Y"]})
    assert taken.answer()["findings"] == []
    table.play().play(trail("KD"))
    assert [(one.code, one.seat) for one in table.answer(all_hands=True)["findings"]] == [("capturer-used-up", "P4")]


@pytest.mark.parametrize("shown", [(), ("P3",)])
def test_who_used_up_the_card_is_found_when_the_builder_turns_out_to_have_none(shown: tuple[str, ...]) -> None:
    table = kings([], ["KD"]).finish()
    answer = table.answer(*shown)
    (finding,) = answer["findings"]
    assert (finding.code, finding.article, finding.seat) == ("capturer-used-up", "casino.keep-capturer", "P4")
    assert answer["verdicts"][4].settled == "illegal"
    known = table.answer(all_hands=True)
    assert [(one.code, one.seat) for one in known["findings"]] == [("capturer-used-up", "P4")]


def test_a_build_in_good_faith_is_blamed_on_nobody_with_hands_or_without() -> None:
    """P4 builds 13 without a king; P2 trusts the build. Only P4 broke a rule, whoever knows which hands."""
    table = Table(FOUR, TABLE, {"P4": ["5S"], "P3": ["KC"], "P2": ["4S"], "P1": ["KD", "KH", "KS"]})
    table.player = "P4"
    table.play({"play": "build", "value": 13, "table": ["8C"], "card": "5S", "id": "X"})
    table.play({"play": "capture", "card": "KC", "builds": ["X"]})
    table.play({"play": "build", "value": 13, "table": ["9H"], "card": "4S", "id": "Y"})
    hidden, known = table.answer(), table.answer(all_hands=True)
    assert hidden["verdicts"][2].verdict.value == known["verdicts"][2].verdict.value == "legal"
    assert [(one.code, one.seat, one.facts["turn"]) for one in known["findings"]] == [("value-not-held", "P4", 1)]
    assert [(one.seat, one.facts["turn"]) for one in table.finish().answer()["findings"]] == [("P4", 1)]
    assert known["proven"] == hidden["proven"] == {"P4": [13]}


def test_what_everybody_sees_to_be_gone_is_proven_no_longer() -> None:
    table = Table(FOUR, TABLE, {"P4": ["5S"], "P3": ["KC", "KD", "KS", "KH"], "P2": ["4S"]})
    table.player = "P4"
    table.play({"play": "build", "value": 13, "table": ["8C"], "card": "5S", "id": "X"})
    table.play({"play": "capture", "card": "KC", "builds": ["X"]})
    assert table.answer()["proven"] == {"P4": [13]}
    table.play().play().play().play(trail("KD")).play().play().play().play(trail("KS"))
    table.play().play().play().play(trail("KH"))
    answer = table.answer()
    assert answer["proven"] == {}
    assert [(one.seat, one.facts["turn"]) for one in answer["findings"]] == [("P4", 1)]


@pytest.mark.parametrize("value", [10, 15, 16])
@pytest.mark.parametrize("keep_capturer", [False, True])
def test_no_build_proves_a_card_that_everybody_sees_elsewhere(value: int, keep_capturer: bool) -> None:
    """With hand values of 15 for 2S and 16 for 10D each of these has one card; the tens have three (CASINO-805)."""
    only = {10: ["10C", "10H", "10S"], 15: ["2S"], 16: ["10D"]}[value]
    sets = {10: ["6S", "4D"], 15: ["9S", "6D"], 16: ["9S", "7D"]}[value]
    more = {10: ["6C", "4H"], 15: ["9C", "6H"], 16: ["9C", "7H"]}[value]
    options = {"special_hand_values": True, "keep_capturer": keep_capturer}
    plays = [
        {"play": "augment", "value": value, "base": {"build": "B1"}, "sets": [{"card": more[0], "table": more[1:]}]}
    ]
    position: Json = {"seats": FOUR, "hand": [more[0], "KC"], "builds": [build("B1", value, "P3", sets)]}
    for shown, expected in (([], keep_capturer), (only[:-1], keep_capturer), (only, False)):
        found = turn(*plays, options=options, table=[*more[1:], *shown], **position)
        assert found.value == ("legal" if expected else "illegal"), shown
        if shown[1:]:  # or the player holds the last of them, which goes into the build
            mine: Json = position | {"hand": [only[0], "KC"]}
            last = plays[0] | {"sets": [{"card": only[0]}]}
            assert turn(last, options=options, table=only[1:], **mine).value == "illegal"
        told: Json = {"table": [*more[1:], *shown], "proven": {"P3": [value]}}
        if shown != only:
            assert turn(*plays, options=options, **position, **told).value == "legal"


def test_the_partners_standing_build_is_proof() -> None:
    """One's own card is not needed to extend it (A17); for an opponent's build it is, and for one's own, too."""
    position: Json = {"seats": FOUR, "table": ["9C", "2D"], "hand": ["2C", "KC"]}
    plays = [{"play": "augment", "value": 9, "base": {"build": "B1"}, "sets": [{"table": ["9C"]}]}, trail("2C")]
    partners = turn(*plays, **position, builds=[build("B1", 9, "P3", ["6S", "3D"])])
    assert partners.value == "legal"
    assert "casino.proven-card" in {one.article for one in partners.because}
    assert partners.effect["builds"][0]["owner"] == "P3"
    own = turn(*plays, **position, builds=[build("B1", 9, "P1", ["6S", "3D"])])
    assert codes(own) == {"value-not-held"}
    without = turn(*plays, **position, builds=[build("B1", 9, "P3", ["6S", "3D"])], options={"partner_build": "none"})
    assert codes(without) == {"value-not-held"}


def test_the_partners_build_proves_nothing_where_it_may_rely_on_the_own_card() -> None:
    """A position does not say on whose card a build was made; the player's proof says that it may be his (804)."""
    position: Json = {"seats": FOUR, "builds": [build("B1", 11, "P3", ["9S", "2D"])], "hand": ["JH", "3C"]}
    extend = {"play": "augment", "value": 11, "base": {"build": "B1"}, "sets": [{"card": "JH"}]}
    assert turn(extend, **position).value == "legal"
    assert codes(turn(extend, **position, proven={"P1": [11]})) == {"value-not-held"}
    assert turn(extend, **position, proven={"P1": [11], "P3": [11]}).value == "legal"


def test_a_build_made_on_borrowed_proof_proves_nothing_while_it_stands() -> None:
    """P2 built 13 while P4's king was proven; once that is gone P4 needs another to extend the build (804)."""
    table = kings(["KS"], ["KD"])
    table.play().play().play()
    assert table.player == "P4"
    extend = {"play": "augment", "value": 13, "base": {"build": "Y"}, "sets": [{"table": ["KD"]}]}
    table.play(extend, trail(table.hands["P4"][0]))
    last = table.answer()["verdicts"][-1].verdict
    assert (last.value, [(one.seat, one.facts["value"]) for one in last.missing]) == ("undecided", [("P4", 13)])
    assert table.answer(all_hands=True)["verdicts"][-1].verdict.value == "illegal"


def test_counting_settles_what_nobody_showed() -> None:
    """Two hidden cards are left, one in each hand: who plays his last card cannot hold another."""
    table = Table(["P1", "P2"], TABLE, {"P1": ["4S", "KS"], "P2": ["KD"]})
    order = table.hands["P1"]
    order.append(order.pop(0))  # the four comes last
    while len(table.hands["P1"]) > 1:
        table.play()
    table.hands["P1"].remove("4S")
    table.turns.append({"player": table.player, "plays": [
        {"play": "build", "value": 13, "table": ["9H"], "card": "4S"},
    ]})  # fmt: skip
    answer = table.answer()
    assert answer["verdicts"][-1].verdict.value == "illegal"
    assert answer["findings"][-1].code == "value-not-held"


def test_a_hand_too_small_for_all_that_was_announced() -> None:
    """Four cards are dealt: after one is played three are left, too few for builds of four values."""
    options = {"deal": "fours", "table_only_build": True}
    table = ["AS", "AC", "2S", "2C", "3S", "3C", "4S", "4C", "5S", "KH"]
    makes = [{"play": "build", "value": v, "table": t} for v, t in ((3, ["AS", "2S"]), (5, ["2C", "3C"]))]
    makes += [{"play": "build", "value": v, "table": t} for v, t in ((4, ["AC", "3S"]), (9, ["5S", "4C"]))]
    enough = turn(*makes[:3], trail("KC"), table=table, options=options)
    assert (enough.value, len(enough.missing)) == ("undecided", 3)
    short = turn(*makes, trail("KC"), table=table, options=options)
    assert (short.value, codes(short), short.missing) == ("illegal", {"cards-do-not-suffice"}, ())


def test_a_rule_that_is_broken_or_another_makes_no_build_false() -> None:
    """Whoever holds no card for the own build makes a false one; whoever holds one may not trail (STD-401, 601)."""
    plays = [{"play": "build", "value": 10, "table": ["2H", "8C"]}, trail("5C")]
    options = {"table_only_build": True}
    either = turn(*plays, table=TABLE, preset="standard", options=options)
    assert {(one.code, one.article) for one in either.breaches} == {
        ("either-way", "casino.builder-holds"), ("either-way", "casino.owner-may-not-trail"),
    }  # fmt: skip
    assert (either.value, either.remedy and either.remedy.kind) == ("illegal", "illegal_play")
    turns = [{"player": "P1", "plays": plays}]
    record = {"rules": {"preset": "standard", "options": options}, "seats": ["P1", "P2"], "table": TABLE, "first": "P1"}
    assert {one.code for one in ask("replay", record | {"turns": turns})["findings"]} == {"either-way"}


def test_an_illegal_turn_asks_for_nothing() -> None:
    verdict = turn({"play": "build", "value": 13, "table": ["5C"], "card": "7D"}, table=["5C", "8D"])
    assert verdict.value == "illegal"
    assert verdict.missing == ()


HALVES: Json = {"options": {"two_player_deal": "two_halves"}}
TWENTY_NINE = [str(card) for card in sorted(full_pack(OPTIONS.preset("swazi").options))][:29]


@pytest.mark.parametrize(
    ("rules", "position", "pointers", "why"),
    [
        ({"preset": "south_african"}, {"hand": ["KS"]}, ["/position/hand/0"], "not-in-pack"),
        ({"preset": "south_african"}, {"table": ["2S", "QS"]}, ["/position/table/1"], "not-in-pack"),
        ({"preset": "south_african"}, {"piles": {"P2": ["JS"]}}, ["/position/piles/P2/0"], "not-in-pack"),
        ({"preset": "standard"}, {"hand": ["2S", "3S", "4S", "5S", "6S"]}, ["/position/hand"], "hand-size"),
        (HALVES, {"hand": TWENTY_NINE[:13]}, ["/position/hand"], "hand-size"),
        (HALVES, {"half": 1, "table": TWENTY_NINE}, ["/position/half", "/position/table"], "half-cards"),
        (HALVES, {"half": 1, "table": TWENTY_NINE[:28]}, ["/position/half", "/position/table"], "half-cards"),
        ({"preset": "draw"}, {"stock": 41}, ["/position/stock"], "stock-cards"),
        (
            {"preset": "draw"},
            {"stock": 23, "table": TWENTY_NINE},
            ["/position/stock", "/position/table"],
            "stock-cards",
        ),
        (
            {},
            {"seats": FOUR, "table": ["KS", "KH"], "piles": {"P2": ["KD", "KC"]}, "proven": {"P3": [13]}},
            ["/position/proven/P3", "/position/piles/P2/1", "/position/piles/P2/0", "/position/table/1",
             "/position/table/0"],
            "proven-gone",
        ),
        ({"preset": "south_african"}, {"seats": FOUR, "proven": {"P3": [12]}}, ["/position/proven/P3"], "proven-gone"),
    ],
)  # fmt: skip
def test_what_cannot_be_is_refused(rules: Json, position: Json, pointers: list[str], why: str) -> None:
    asked = {"seats": ["P1", "P2"], "player": "P1", **position}
    with pytest.raises(Refused) as refused:
        check({"rules": rules, "position": asked, "move": {"type": "turn", "plays": [trail("2H")]}})
    found = {problem.path() for problem in refused.value.problems}
    assert found == set(pointers)
    assert {(problem.code, problem.facts["why"]) for problem in refused.value.problems} == {
        ("impossible-position", why)
    }


@pytest.mark.parametrize(
    ("rules", "position"),
    [
        (HALVES, {"half": 1, "table": TWENTY_NINE[:27]}),
        (HALVES, {"half": 2, "table": TWENTY_NINE}),
        ({}, {"half": 1, "table": TWENTY_NINE}),
        ({"preset": "draw"}, {"stock": 40}),
        ({"preset": "draw"}, {"stock": 22, "table": TWENTY_NINE}),
        ({"preset": "standard"}, {"stock": 1}),
        ({}, {"seats": FOUR, "table": ["KS", "KH"], "piles": {"P2": ["KD"]}, "proven": {"P3": [13]}}),
    ],
)
def test_what_can_be_is_judged(rules: Json, position: Json) -> None:
    asked = {"seats": ["P1", "P2"], "player": "P1", **position}
    assert check({"rules": rules, "position": asked, "move": {"type": "turn", "plays": [trail("KC")]}}).value == "legal"


def contradictions(answer: Any) -> list[tuple[str, str, int]]:
    return [
        (one.facts["why"], one.seat, one.facts["turn"])
        for one in answer["findings"]
        if one.code == "record-contradicts"
    ]


def test_a_hand_card_that_another_player_played_contradicts_the_record() -> None:
    table = Table(["P1", "P2"], TABLE, {"P1": ["4S"], "P2": ["5S"]})
    table.play(trail("5S"))
    assert contradictions(table.answer("P2")) == [("card-not-held", "P1", 1)]
    assert contradictions(table.answer("P1")) == [("card-not-held", "P1", 1)]
    assert contradictions(table.answer()) == []
    assert table.answer("P2")["verdicts"][0].verdict.value == "illegal"


def test_a_card_of_a_later_hand_contradicts_the_record() -> None:
    """What is dealt in the second half cannot be played in the first."""
    table = Table(["P1", "P2"], ["2H", "3D"], {"P1": ["4S"]}, preset="khasino")
    table.table = []
    table.play(trail("4S"))
    second = {"P2": [table.dealt["P2"], ["4S", *table.dealt["P1"][1:]]]}
    deal = {"rules": {"preset": "khasino"}, "seats": ["P1", "P2"], "first": "P1", "table": [], "turns": table.turns}
    assert contradictions(ask("replay", deal)) == []
    assert contradictions(ask("replay", deal | {"hands": second})) == [("card-not-held", "P1", 1)]


def test_more_cards_than_were_dealt_contradict_the_record() -> None:
    table = Table(["P1", "P2"], TABLE, {}).finish()
    table.turns.append({"player": "P1", "plays": [trail("9H")]})
    found = contradictions(table.answer())
    assert found == [("card-seen", "P1", 49), ("no-cards-left", "P1", 49)]


def test_players_who_take_two_turns_running_are_each_out_of_turn() -> None:
    table = Table(["A", "B"], TABLE, {})
    plays = {"A": iter(table.hands["A"]), "B": iter(table.hands["B"])}
    table.turns = [{"player": seat, "plays": [trail(next(plays[seat]))]} for seat in "AABB"]
    found = [(one.code, one.seat, one.facts["turn"]) for one in table.answer()["findings"]]
    assert found == [("out-of-turn", "A", 2), ("out-of-turn", "B", 4)]


def test_who_has_no_card_left_is_passed_over() -> None:
    """Two cards in one turn are a fault; the deal still ends when all hands are empty."""
    table = Table(["P1", "P2"], TABLE, {})
    hand = table.hands["P1"]
    table.play(trail(hand[0]), trail(hand[1]))
    while any(table.hands.values()):
        if not table.hands[table.player]:
            table.player = "P2" if table.player == "P1" else "P1"
        table.play()
    answer = table.answer()
    assert [one.code for one in answer["findings"]] == ["second-hand-card"]
    assert answer["complete"]


def test_a_hand_of_another_pack_contradicts_the_record_and_the_rest_is_judged() -> None:
    table = Table(["P1", "P2"], [], {"P1": ["4S"]}, preset="khasino")
    table.play(trail("4S"))
    hands = {"P2": [["KS", *table.dealt["P2"][1:]]]}
    deal = {"rules": {"preset": "khasino"}, "seats": ["P1", "P2"], "first": "P1", "table": [], "turns": table.turns}
    answer = ask("replay", deal | {"hands": hands})
    (finding,) = answer["findings"]
    assert (finding.code, finding.seat) == ("record-contradicts", "P2")
    assert (finding.facts["why"], finding.facts["cards"]) == ("not-in-pack", ["KS"])
    assert answer["verdicts"][0].verdict.value == "legal"

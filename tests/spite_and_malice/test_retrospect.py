"""What a recorded deal shows in retrospect: every fault that later moves prove, and nothing that they do not."""

from __future__ import annotations

from typing import Any

import pytest

from companion import library as companion
from companion.engine.problems import Node
from companion.games.spite_and_malice import SPITE_AND_MALICE as GAME
from tests.spite_and_malice.asking import ask

END = {"type": "end_turn"}
IDLE = [{"player": player, "moves": [END]} for player in "AB"]


def replay(turns: list[Any], preset: str = "blackwood", options: Any = None, **deal: Any) -> Any:
    node = Node({"rules": {"preset": preset, "options": options or {}}, "players": ["A", "B"], **deal, "turns": turns})
    return GAME.replay(GAME.options.read(node["rules"]).options, node)


def turn(player: str, *moves: dict[str, Any]) -> dict[str, Any]:
    return {"player": player, "moves": list(moves)}


def discard(card: str, to: Any = "new") -> dict[str, Any]:
    return {"type": "discard", "card": card, "to": to}


def payoff(card: str, to: Any = "new", turned: str | None = None) -> dict[str, Any]:
    return {"type": "play", "from": "payoff", "card": card, "to": to, **({"turned": turned} if turned else {})}


def hand(card: str, to: Any = "new") -> dict[str, Any]:
    return {"type": "play", "from": "hand", "card": card, "to": to}


def draw(count: int) -> dict[str, Any]:
    return {"type": "refill", "count": count}


def codes(story: Any) -> list[tuple[str, str, int]]:
    return [(f.code, f.seat, f.facts["turn"]) for f in story["findings"]]


def settled(story: Any) -> list[tuple[str, str | None]]:
    return [(judged.verdict.value, judged.settled) for judged in story["verdicts"]]


def test_a_payoff_top_that_is_played_later_settles_what_hung_on_it() -> None:
    """SNM-040: the ace lay there all the time, so the turn should not have ended; a nine would have been in order."""
    quiet = [turn("A", discard("9")), turn("B", discard("9"))]
    story = replay([*quiet, turn("A", draw(1), payoff("A"))], first="A")
    assert settled(story)[1] == ("undecided", "illegal")
    assert codes(story) == [("duty-open", "A", 1)]
    assert story["findings"][0].facts["shown_by"] == {"turn": 3, "card": "A", "move": 4}
    story = replay([*quiet, turn("A", draw(1), hand("A"), hand("2", 0), payoff("3", 0))], first="A")
    assert settled(story)[1] == ("undecided", "legal")
    assert codes(story) == []


@pytest.mark.parametrize("end", [(END,), ()])
def test_the_last_copy_was_hidden_when_a_turn_ended_with_it(end: tuple[dict[str, Any], ...]) -> None:
    """SNM-046, ALO-012: seven aces lay on the table then, and the eighth came out of that hand later."""
    turns = [
        turn("A", *[hand("A")] * 5, draw(5), *end),
        turn("B", hand("A"), hand("A"), END),
        turn("A", hand("A"), END),
    ]
    story = replay(turns, "blackwood108", {"mandatory": ["hand_ace"]}, first="A")
    assert codes(story) == [("duty-open", "A", 1)]


@pytest.mark.parametrize(
    ("deadlock", "announced"),
    [("compare", {"type": "claim_stalemate"}), ("second_chance_redeal", {"type": "second_chance"})],
)
def test_a_turn_without_an_end_is_over_where_the_next_one_says_that_all_were_idle(
    deadlock: str, announced: dict[str, Any]
) -> None:
    """SNM-070, A9: a turn with only a refill is idle, whether or not its end is written."""
    turns = [turn("A", discard("9")), turn("B", discard("9")), turn("A", draw(1)), turn("B", draw(1))]
    told = replay([*turns, turn("A", announced)], options={"deadlock": deadlock}, payoff_tops={"A": "9S", "B": "7H"})
    assert (codes(told), told["verdicts"][-1].verdict.value) == ([], "legal")
    early = [*turns[:3], turn("B", announced), turn("A", END), turn("B", draw(1), END)]
    told = replay(early, options={"deadlock": deadlock}, payoff_tops={"A": "9S", "B": "7H"})
    assert codes(told) == [("not-all-idle", "B", 3)]


def test_an_open_top_stays_open_where_nobody_shows_it() -> None:
    story = replay([turn("A", discard("9")), turn("B", discard("9"))], first="A")
    assert settled(story)[1:] == [("undecided", None)] * 2
    assert codes(story) == []


def test_a_two_kept_from_its_ace_by_a_top_that_shows_later() -> None:
    """SNM-045: the joker went on the only ace while a two lay on the pay-off pile."""
    turns = [
        turn("A", hand("A"), hand("2", 0), discard("9")),
        turn("B", discard("9")),
        turn("A", draw(3), hand("A"), payoff("2", 1)),
    ]
    assert codes(replay(turns, first="A")) == [("ace-needed", "A", 1)]


def test_who_had_to_start_shows_later() -> None:
    """SNM-012: B's top was higher, which only B's first play of it shows."""
    turns = [turn("A", hand("A"), hand("2", 0), discard("9")), turn("B", payoff("3", 0))]
    assert codes(replay(turns, first="A", payoff_tops={"A": "2S"}, options={"mandatory": [], "block_two": "off"})) == [
        ("start-higher", "A", 0)
    ]
    unsaid = replay(turns, payoff_tops={"A": "2S"}, options={"mandatory": [], "block_two": "off"})
    assert codes(unsaid) == [("start-higher", "A", 1)]
    assert codes(replay(turns, first="A", payoff_tops={"A": "9S"})) == []
    assert codes(replay([turn("B", END)], payoff_tops={"A": "KS"})) == [("not-your-turn", "B", 1)]
    assert codes(replay([turn("B", END)], payoff_tops={"A": "AC"})) == []


@pytest.mark.parametrize("preset", ["massachusetts", "pagat", "skip_bo", "blackwood", "blackwood108"])
@pytest.mark.parametrize("beside", [0, 1])
@pytest.mark.parametrize("seat", [None, "B"])
@pytest.mark.parametrize("right", [True, False])
def test_a_completed_stack_is_announced(preset: str, beside: int, seat: str | None, right: bool) -> None:
    """SNM-034, 219, 310: it is judged by what was laid, though it leaves the table with its last card."""
    rules = GAME.options.preset(preset).options
    ranks = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"][: rules.top]
    moves: list[Any] = [draw(5)] if rules.initial_hand == "drawn_first_turn" else []
    cards = [hand("A")] * beside + [hand(rank, beside if number else "new") for number, rank in enumerate(ranks)]
    for number, move in enumerate(cards, start=1):
        moves += [move, *([draw(5)] if number % 5 == 0 else [])]
    others = {"stay": "set_aside", "set_aside": "shuffle_now", "shuffle_now": "stay"}
    done = rules.centre_done if right else others[rules.centre_done]
    said = {"type": "complete", "stack": beside, "do": done, **({"seat": seat} if seat else {})}
    players = ["A", "B", "C", "D"][: rules.players]
    record = [turn("A", *moves, said, discard("9"))]
    story = replay(record, preset, {"side_start": 0}, first="A", players=players)
    assert [(f.code, f.seat) for f in story["findings"]] == [("completed-otherwise", seat or "A")] * (not right)
    again = replay([turn("A", *moves, said, said)], preset, {"side_start": 0}, first="A", players=players)
    assert len(again["findings"]) >= (rules.centre_done != "stay")


@pytest.mark.parametrize("preset", ["massachusetts", "pagat", "skip_bo", "blackwood"])
@pytest.mark.parametrize("seat", [None, "A", "B"])
def test_anybody_may_put_a_completed_stack_away(preset: str, seat: str | None) -> None:
    """SNM-310: the opponent shuffles it while the turn goes on."""
    rules = GAME.options.preset(preset).options
    said = {"type": "complete", "stack": 1, "do": rules.centre_done, **({"seat": seat} if seat else {})}
    assert ask(said, preset, centre_stacks=["4", "12" if rules.numbered else "QK"[rules.top - 12]]).value == "legal"
    assert ask(said, preset, centre_stacks=["4", "5"]).value == "illegal"


@pytest.mark.parametrize("preset", ["massachusetts", "pagat", "blackwood", "partners4", "alone3"])
@pytest.mark.parametrize("how", ["first", "flat", "turn"])
def test_who_starts_wrongly_is_named(preset: str, how: str) -> None:
    """SNM-012: it is the player who started, not the one who had to."""
    players = ["A", "B", "C", "D"][: GAME.options.preset(preset).options.players]
    start = {"type": "start", "first": "B"}
    opening = {"first": [], "flat": [start], "turn": [turn("A", start)]}[how]
    deal: Any = {"first": "B"} if how == "first" else {}
    tops = dict(zip(players, ["QS", "5H", "4H", "3H"], strict=False))
    story = replay(
        [*opening, turn("B", discard("9"))], preset, {"side_start": 0}, players=players, payoff_tops=tops, **deal
    )
    assert codes(story) == [("start-higher", "B", 0)]


@pytest.mark.parametrize("preset", ["blackwood", "partners4", "hoyle"])
@pytest.mark.parametrize("seat", [None, "A", "B"])
def test_an_opponent_who_recycles_too_early_is_named(preset: str, seat: str | None) -> None:
    """SNM-081: the opponent shuffles while the turn goes on."""
    players = ["A", "B", "C", "D"][: GAME.options.preset(preset).options.players]
    recycle = {"type": "recycle", "what": "incomplete", "by": "opponent", **({"seat": seat} if seat else {})}
    story = replay([turn("A", hand("A"), recycle, discard("9"))], preset, first="A", players=players)
    assert {(f.seat, f.facts["turn"]) for f in story["findings"]} == {("B", 1)}
    mine = replay([turn("A", hand("A"), recycle | {"by": "player"})], preset, first="A", players=players)
    assert {f.seat for f in mine["findings"]} == {seat or "A"}


@pytest.mark.parametrize("preset", ["alone3", "alone4", "blackwood"])
@pytest.mark.parametrize("late", [0, 1])
def test_a_draw_forgotten_at_the_end_is_of_its_own_turn(preset: str, late: int) -> None:
    """ALO-010, IRR-M1: the next player's move shows it, in whose turn it cannot be put right."""
    players = ["A", "B", "C", "D"][: GAME.options.preset(preset).options.players]
    turns = [turn(player, discard("9"), draw(1)) for player in players]
    turns[late] = turn(players[late], discard("9"))
    story = replay(
        [*turns, turn("A", discard("8"), draw(1))][: late + 2], preset, {"refill_at": "end"}, first="A", players=players
    )
    assert [(f.code, f.seat, f.facts["turn"], f.established) for f in story["findings"]] == [
        ("refill-first", players[late], late + 1, late + 2)
    ]


@pytest.mark.parametrize("preset", ["blackwood", "massachusetts", "alone3", "partners4"])
def test_a_discard_too_many_is_of_the_turn_it_ended(preset: str) -> None:
    """SNM-025: it is written among the moves of that turn, which the next player's turn follows."""
    players = ["A", "B", "C", "D"][: GAME.options.preset(preset).options.players]
    turns = [turn(player, discard("9")) for player in players]
    turns[1] = turn("B", discard("9"), discard("8"))
    story = replay(turns, preset, {"side_start": 0}, first="A", players=players)
    assert codes(story)[0] == ("turn-is-over", "B", 2)
    assert {(f.seat, f.established) for f in story["findings"]} == {("B", 3 if len(players) > 2 else None)}


CHAIN = [payoff("A", turned="2"), *(payoff(str(rank), 0, turned=str(rank + 1)) for rank in (2, 3, 4))]


@pytest.mark.parametrize(
    ("moves", "found"),
    [
        ([*CHAIN, payoff("5", 0)], 0),
        ([*CHAIN, payoff("5", 0, turned="9")], 1),
        ([{**hand("A"), "turned": "9"}], 1),
        ([hand("A"), {**hand("2", 0), "turned": "9"}], 1),
        ([{**draw(5), "turned": "9"}], 1),
    ],
)
@pytest.mark.parametrize("preset", ["massachusetts", "pagat", "skip_bo"])
def test_a_card_turned_up_where_none_can_be_contradicts_the_record(preset: str, moves: Any, found: int) -> None:
    options = {"payoff_size": 5, "side_start": 0}
    first = [] if preset != "skip_bo" or moves[0]["type"] == "refill" else [draw(5)]
    if moves[0]["type"] == "refill" and preset != "skip_bo":
        moves = [*(hand(rank, 0 if rank != "A" else "new") for rank in "A2345"), *moves]
    story = replay([turn("A", *first, *moves)], preset, options, first="A")
    contradictions = [f.facts["why"] for f in story["findings"] if f.code == "record-contradicts"]
    assert contradictions == ["turned-up"] * found


@pytest.mark.parametrize("preset", ["blackwood", "hoyle", "massachusetts", "skip_bo"])
@pytest.mark.parametrize(
    ("after", "named"), [([], False), ([hand("3", 0)], True), ([hand("X", 0)], True), ([discard("9")], False)]
)
def test_an_unnamed_card_does_not_pass_for_a_wild_one(preset: str, after: list[Any], named: bool) -> None:
    """The table at the end is judged as the record was: nobody knows what lies there."""
    rules = GAME.options.preset(preset).options
    after = [{**move, "card": "K"} if move["card"] == "X" and not rules.jokers else move for move in after]
    first = [draw(5)] if rules.initial_hand == "drawn_first_turn" else []
    unnamed = {"type": "play", "from": "payoff", "to": 0}
    story = replay([turn("A", *first, hand("A"), unnamed, *after)], preset, {"side_start": 0}, first="A")
    assert ("centre_stacks" in story["state"]) is named
    move = {"type": "play", "from": "hand", "card": "A" if named else "3", "to": "new" if named else 0}
    request = {"rules": {"preset": preset, "options": {"side_start": 0}}, "position": story["state"], "move": move}
    assert named or not after or companion.check("spite-and-malice", request)["verdict"] != "legal"
    if not named and not after:
        assert companion.check("spite-and-malice", request)["verdict"] == "undecided"


WRONG = [hand("3"), discard("9")]
NEXT = [discard("8")]


@pytest.mark.parametrize(
    ("turns", "established"),
    [
        ([turn("A", *WRONG)], None),
        (WRONG, None),
        ([turn("A", WRONG[0]), turn("A", WRONG[1])], None),
        ([turn("A", *WRONG), {"type": "recycle", "what": "incomplete", "by": "opponent"}], None),
        ([turn("A", *WRONG), turn("B", *NEXT)], 2),
        ([*WRONG, *NEXT], 2),
        ([turn("A", WRONG[0]), turn("A", WRONG[1]), turn("B", *NEXT)], 2),
        ([turn("A", *WRONG), turn("B"), turn("B", *NEXT)], 2),
    ],
)
@pytest.mark.parametrize("preset", ["blackwood", "hoyle", "blackwood108"])
def test_turns_are_counted_however_they_are_written(preset: str, turns: list[Any], established: int | None) -> None:
    """IRR-M1: a wrong play can be taken back until the next player has drawn or played."""
    finding = replay(turns, preset, {"recycle_threshold": 0}, first="A")["findings"][0]
    assert (finding.code, finding.facts["turn"], finding.established) == ("opens-with-ace", 1, established)


TOPS: dict[str, Any] = {"payoff_tops": {"A": "K", "B": "9"}}
CHANCE = [*IDLE, *IDLE]
"""Everybody idle, then a second chance for everybody, not used."""


def test_a_second_chance_that_was_passed_over() -> None:
    """SNM-072: an ace that is played before anything is drawn was in the hand."""
    turns = [*CHANCE[:3], turn("B", discard("8")), turn("A", hand("A"), discard("9"))]
    assert codes(replay(turns, **TOPS)) == [("second-chance-open", "A", 3)]


def test_an_ace_that_may_have_been_drawn_proves_nothing() -> None:
    """SNM-072: A passed, then discards one card, draws one, and plays an ace: it may be the one drawn."""
    turns = [*CHANCE[:3], turn("B", discard("8")), turn("A", discard("9")), turn("B", draw(1), discard("7", 0))]
    story = replay([*turns, turn("A", draw(1), hand("A"), discard("7"))], **TOPS)
    assert codes(story) == []
    assert settled(story)[2] == ("undecided", None)


def test_more_aces_than_were_drawn_prove_it() -> None:
    """SNM-072: one card was drawn since, two aces are played: one of them was there."""
    turns = [*CHANCE[:3], turn("B", discard("8")), turn("A", discard("9")), turn("B", draw(1), discard("7", 0))]
    story = replay([*turns, turn("A", draw(1), hand("A"), hand("A"), discard("7"))], **TOPS)
    assert codes(story) == [("second-chance-open", "A", 3)]


def test_a_hand_that_is_played_out_shows_that_nothing_was_missed() -> None:
    """SNM-072: all five cards are seen before anything is drawn, and none is an ace."""
    turns = [*CHANCE[:3], turn("B", hand("A"), hand("2", 0), discard("8"))]
    story = replay([*turns, turn("A", *[hand(card, 0) for card in ("3", "4", "5", "6")], discard("9"))], **TOPS)
    assert codes(story) == []
    assert settled(story)[2] == ("undecided", "legal")


def test_a_fifth_idle_turn_is_found() -> None:
    """SNM-074."""
    story = replay([*CHANCE, turn("A", END)], **TOPS)
    assert ("redeal-due", "A", 5) in codes(story)


def test_a_pay_off_card_that_nobody_named_is_followed() -> None:
    """A card goes onto the stack though nobody wrote which; what comes on it later is no fault."""
    story = replay(
        [turn("A", {"type": "play", "from": "payoff", "to": "new"}, discard("9")), turn("B", hand("2", 0))], first="A"
    )
    assert codes(story) == []
    assert story["state"]["centre_stacks"] == ["2"]
    assert story["piles"]["A"]["payoff_left"] == 25


@pytest.mark.parametrize(
    ("deal", "why"),
    [
        ({"hands": {"A": ["9S"] * 3 + ["4", "5"]}}, "too-many-copies"),
        ({"payoff_tops": {"A": "9S", "B": "9S"}, "first": "A"}, "one-pack"),
        ({"payoff_tops": {"A": "X", "B": "9S"}, "first": "B"}, "no-joker-in-payoff"),
        ({"hands": {"A": ["X", "3", "4", "5", "6"]}, "options": {"jokers": 0}}, "not-in-pack"),
    ],
)
def test_first_cards_that_cannot_be_are_a_finding(deal: dict[str, Any], why: str) -> None:
    found = [f for f in replay([], **deal)["findings"] if f.code == "record-contradicts"]
    assert [f.facts["why"] for f in found] == [why]


def test_a_card_of_a_hidden_hand_counts_from_the_last_draw_on() -> None:
    """SNM-002: B's nine of spades was in the hand while two others were to be seen."""
    turns = [
        turn("A", discard("9S")),
        turn("B", discard("5")),
        turn("A", draw(1), discard("9S", 0)),
        turn("B", draw(1), END),
    ]
    late = [turn("A", draw(1), discard("8")), turn("B", discard("9S"))]
    assert codes(replay([*turns, *late], **TOPS)) == [("record-contradicts", "B", 6)]


def test_four_of_a_rank_in_the_one_pack() -> None:
    """SNM-005: a fifth nine cannot have been on a pay-off pile, whatever happened to the others."""
    moves = [payoff("9", turned="9") for _ in range(4)]
    story = replay([turn("A", *moves)], payoff_tops={"A": "9", "B": "K"}, first="B")
    assert "one-pack" in [f.facts.get("why") for f in story["findings"]]


def test_hands_given_or_hidden_never_contradict_each_other() -> None:
    """What is found without hands is found with them; what is cleared without hands is clear with them."""
    turns = [*CHANCE[:3], turn("B", discard("8")), turn("A", hand("A"), discard("9"))]
    hidden = replay(turns, **TOPS)
    given = replay(turns, **TOPS, hands={"A": ["A", "9", "5", "6", "7"], "B": ["8", "5", "6", "7", "J"]})
    assert codes(hidden) == codes(given)
    for open_, known in zip(hidden["verdicts"], given["verdicts"], strict=True):
        assert open_.settled in (None, known.settled)


def test_cards_named_for_a_draw_of_another_size() -> None:
    story = replay([turn("A", discard("9")), turn("B", END), turn("A", draw(1) | {"cards": ["3", "4"]})], **TOPS)
    assert [f.facts.get("why") for f in story["findings"]] == ["drawn-cards"]


def test_the_table_after_each_move_is_answered() -> None:
    story = replay([turn("A", hand("A"), discard("9")), turn("B", discard("8"))], **TOPS)
    tables = story["tables"]
    assert len(tables) == len(story["verdicts"]) == 3
    assert [table["player"] for table in tables] == ["A", "B", "A"]
    assert [table["centre_stacks"] for table in tables] == [["A"]] * 3
    assert [table["piles"]["A"]["hand_count"] for table in tables] == [4, 3, 3]
    assert tables[-1]["piles"] == story["piles"]


def test_a_dead_table_can_be_ended() -> None:
    """SNM-085, A21: no hand, no stock, nothing set aside, and a round of idle turns."""
    position: dict[str, Any] = {
        "players": ["A", "B"], "player": "A", "hand": [], "stock": 0, "set_aside": 0, "payoff": "9", "payoff_left": 3,
        "centre_stacks": ["4"], "side_stacks": [["J"]], "turns": [{"player": p, "acted": False} for p in "AB"],
    }  # fmt: skip
    claim = {"type": "claim_stalemate"}
    assert ask(claim, "massachusetts", **position).value == "legal"
    assert ask(claim, "massachusetts", **position | {"hand": ["5"]}).value == "illegal"
    assert ask(claim, "massachusetts", **position | {"stock": 1}).value == "illegal"
    assert ask(claim, "massachusetts", **position | {"set_aside": 1}).value == "illegal"
    assert ask(claim, "massachusetts", **position | {"turns": position["turns"][:1]}).value == "illegal"
    assert [one.fact for one in ask(claim, "massachusetts", **position | {"turns": None}).missing] == ["turns"]
    assert ask(claim, "blackwood", **position).value == "illegal"


def test_as_many_are_drawn_as_there_are() -> None:
    """SNM-020, 028, 218: no sentence asks for five where three are left."""
    short = ask(hand("5", 0), "massachusetts", hand=[], stock=3, centre_stacks=["4"], payoff="9")
    assert [b.facts["count"] for b in short.breaches if b.code == "five-first"] == [3]
    late = ask(hand("5", 0), hand=["5"], stock=2, centre_stacks=["4"], payoff="9", refilled=False)
    assert [b.facts for b in late.breaches if b.code == "refill-first"] == [{"held": 1, "count": 2}]
    assert ask(draw(3), "massachusetts", hand=[], stock=3).because[0].facts == {"count": 3}


def test_cards_dealt_again_prove_nothing_of_the_hands_before() -> None:
    """SNM-074, 075: the wrong player starts after the redeal, which is that fault alone; the ace is a new card."""
    idle = [{"player": player, "moves": [{"type": "end_turn"}]} for player in "BABA"]
    for first, codes in (("B", []), ("A", ["redeal-starter"])):
        ace = {"player": first, "moves": [{"type": "play", "from": "hand", "card": "A", "to": "new"}]}
        body = replay([*idle, {"type": "redeal", "first": first}, ace], payoff_tops={"A": "7S", "B": "9H"})
        assert [one.code for one in body["findings"]] == codes
        assert body["piles"][first]["hand_count"] == 4


@pytest.mark.parametrize(
    ("packs", "jokers", "size"), [(3, 6, size) for size in range(20, 28)] + [(2, 0, 12), (2, 0, 14)]
)
def test_a_redeal_gives_everybody_the_same_number_of_cards(packs: int, jokers: int, size: int) -> None:
    """SNM-074: five each; where six pay-off piles leave fewer, hands are of equal size (a ruling)."""
    options = {"players": 6, "partners": "opposite", "packs": packs, "jokers": jokers, "deal_mode": "single"}
    rules = {"options": {**options, "payoff_size": size, "initial_hand": "drawn_first_turn"}}
    players, move = list("ABCDEF"), {"type": "redeal", "first": "A"}
    idle = [{"player": player, "moves": [END]} for player in players * 2]
    turns = [*idle, {"player": "A", "moves": [move]}]
    answer = companion.replay("spite-and-malice", {"rules": rules, "players": players, "turns": turns})
    spare = {3: 162, 2: 104}[packs] - 6 * size
    each = min(5, spare // 6)
    assert [answer["piles"][player]["hand_count"] for player in players] == [each] * 6
    assert answer["state"]["stock"] == spare - 6 * each
    acted = [{"player": player, "acted": False} for player in players * 2]
    position = {"players": players, "player": "A", "turns": acted}
    body = companion.check("spite-and-malice", {"rules": rules, "position": position, "move": move})
    assert (body["verdict"], body["effect"].get("hand_count")) == ("legal", 5 if spare >= 30 else None)

"""Where two house rules of Spades meet: what holds for one must hold beside every value of the other."""

from __future__ import annotations

from itertools import product
from random import Random
from typing import Any

import pytest

from companion import library
from companion.engine.problems import read_whole
from companion.games.spades.rules import OPTIONS
from companion.games.spades.table import Table, pack_of
from tests.spades.asking import answer, ask, codes
from tests.spades.chance import deal, house_rules, side_names

Json = dict[str, Any]
TENS = ("none", "plus200", "exact200", "ten_for_two", "flat200", "flat200_up")


def scored(options: Json, *sides: Json, preset: str = "classic", **beside: Any) -> Json:
    """A request to score one deal under these options: `A` against `B`, and more where they are named."""
    deal = dict(zip("ABCD", sides, strict=False)) | beside
    return {"rules": {"preset": preset, "options": options}, "sides": [*"ABCD"[: len(sides)]], "deals": [deal]}


def points(request: Json, side: str = "A") -> int:
    return int(ask("score", request)["deals"][0]["sides"][side]["points"])


@pytest.mark.parametrize("reward", ["double", "bonus100"])
@pytest.mark.parametrize("penalty", ["bid", "shortfall", "none"])
@pytest.mark.parametrize(("tens", "failure"), [*product(TENS, ("add", "replace", "none"))])
def test_a_blind_bid_that_fails_singly_costs_what_an_ordinary_one_costs(
    tens: str, failure: str, penalty: str, reward: str
) -> None:
    """CLB-006, SPADES-157: beside every score for ten, for numbers below, at and above it."""
    options = {
        "blind_bid": True, "blind_deficit": 0, "blind_failure": "single", "blind_reward": reward, "ten_bonus": tens,
        "ten_bonus_failure": failure, "set_penalty": penalty,
    }  # fmt: skip
    for bid in (8, 10, 12):
        own, other = {"bid": bid, "tricks": 6}, {"bid": 4, "tricks": 7}
        assert points(scored(options, {**own, "call": "blind"}, other)) == points(scored(options, own, other)), bid


@pytest.mark.parametrize("preset", ["classic", "modern", "solo4", "solo3", "partners6"])
@pytest.mark.parametrize("beyond", [1, 7])
def test_nobody_bids_more_tricks_blind_than_there_are(preset: str, beyond: int) -> None:
    """SPADES-011, 155: a blind number is a whole bid, also where partners' numbers are added."""
    tricks = {"solo3": 17, "partners6": 17}.get(preset, 13)
    options = {"blind_bid": True, "blind_deficit": 0}
    others = {"solo4": 3, "solo3": 2, "partners6": 2}.get(preset, 1)
    rest = [{"bid": 1, "tricks": 0}] * others
    side = {"bid": tricks, "tricks": tricks, "call": "blind"}
    assert codes(scored(options, side, *rest, preset=preset)) == set()
    assert codes(scored(options, {**side, "bid": tricks + beyond}, *rest, preset=preset)) == {"bid-range"}


@pytest.mark.parametrize("preset", ["mirror", "whiz"])
@pytest.mark.parametrize("zero", [True, False])
@pytest.mark.parametrize(
    ("mode", "sides"),
    [
        ("partners4", [{"bid": 0, "tricks": 0}, {"bid": 13, "tricks": 13}]),
        (
            "partners4",
            [{"bid": 0, "tricks": 0, "nils": [{"call": "nil", "tricks": 0}]}, {"bid": 13, "tricks": 13}],
        ),
        ("solo4", [{"bid": 0, "tricks": 0}, {"bid": 5, "tricks": 5}, {"bid": 4, "tricks": 4}, {"bid": 4, "tricks": 4}]),
        ("solo3", [{"bid": 0, "tricks": 0}, {"bid": 9, "tricks": 13}, {"bid": 4, "tricks": 4}]),
    ],
)
def test_where_the_spades_held_are_bid_nobody_bids_0(preset: str, zero: bool, mode: str, sides: list[Json]) -> None:
    """MIR-R1: none held is nil, on a sheet as in the bidding, whatever the table says of the number 0."""
    options = {"mode": mode, "zero_bid": zero}
    assert codes(scored(options, *sides, preset=preset)) == {"bid-range"}


SEATS = {"solo3": "ABC", "duo_draw": "AB", "partners6": "ABCDEF"}


def careless(rng: Random, preset: str, options: Json, *, silent: int = 0) -> Json:
    """A deal that nobody watches: anybody plays any card, often out of turn, and some lead before all have bid."""
    rules = read_whole({"preset": preset, "options": options}, OPTIONS.read).options
    seats = ["dummy", "B", "A"] if preset == "duo_dummy" else [*SEATS.get(preset, "ABCD")]
    cards = [str(card) for card in sorted(pack_of(rules).cards)] * pack_of(rules).copies
    rng.shuffle(cards)
    hands = {seat: cards[n * rules.tricks : (n + 1) * rules.tricks] for n, seat in enumerate(seats)}
    table = Table(rules, tuple(seats), seats[-1])
    calls = [{"seat": seat, "call": 3} for seat in table.bidders]
    left, plays = {seat: rng.sample(hand, len(hand)) for seat, hand in hands.items()}, []
    for _ in range(rules.tricks):
        start = rng.randrange(len(seats))
        order = seats[start:] + seats[:start] if rng.random() < 0.8 else rng.sample(seats, len(seats))
        led = ""
        for seat in order:
            follows = [card for card in left[seat] if card[-1] == led and rng.random() < 0.9]
            card = (follows or left[seat])[0]
            left[seat].remove(card)
            plays.append({"seat": seat, "card": card})
            led = led or card[-1]
    said = calls[: len(calls) - silent]
    given = {"preset": preset, "options": options}
    return {"rules": given, "seats": seats, "dealer": seats[-1], "calls": said, "plays": plays, "hands": hands}


@pytest.mark.parametrize("silent", [0, 1, 2])
@pytest.mark.parametrize("preset", ["classic", "modern", "solo4", "solo3", "duo_draw", "duo_dummy", "partners6"])
@pytest.mark.parametrize("value", ["none", "tricks", "set"])
def test_a_replay_charges_who_played_the_card_and_its_result_can_be_scored(
    preset: str, value: str, silent: int
) -> None:
    """IRR-S1 to S4: also who leads before everybody has bid. A dummy is charged with nothing (IRR-S1h)."""
    options = {"revoke_remedy": value, "out_of_turn_remedy": "as_revoke"}
    seen: set[str] = set()
    for seed in range(12):
        record = careless(Random(seed), preset, options, silent=silent)
        found, size = ask("replay", record), len(record["seats"])
        players = {one["card"]: one["seat"] for one in record["plays"]}
        for one in found["findings"]:
            if "card" in one and preset != "partners6":  # of two equal cards the trick tells which one it was
                assert one["seat"] == players[one["card"]], one
            elif "card" in one:
                trick = record["plays"][(one["trick"] - 1) * size : one["trick"] * size]
                assert {"seat": one["seat"], "card": one["card"]} in trick, one
            seen.add(one["code"])
        result = found["result"]
        by = {entry["by"] for entry in result["irregularities"]}
        assert by <= {*record["seats"]} - {"dummy"}
        for name, side in result.items():
            if name not in ("irregularities", "dummy_tricks") and side["bid"] is None:
                side["bid"] = 3
        sides = [{"id": name, "players": name.split("+")} for name in result if name[0] in "ABCDEF"]
        assert codes({"rules": record["rules"], "sides": sides, "deals": [result]}) == set()
    assert "missing-bid" in seen or not silent or not record["calls"]


def said(rules: Json, position: Json, move: Json, lang: str = "en") -> str:
    """What can be done about a move that is not allowed."""
    asked = {"rules": rules, "position": position, "move": move}
    remedy: Json = library.check("spades", asked, lang=lang)["remedy"]
    return str(remedy["text"])


@pytest.mark.parametrize("preset", ["classic", "duo_draw", "duo_dummy", "solo4", "solo3", "partners6"])
@pytest.mark.parametrize(
    "options", [{"revoke_remedy": "tricks"}, {"revoke_remedy": "tricks", "out_of_turn_remedy": "as_revoke"}]
)
def test_where_more_than_two_sides_play_nobody_is_promised_the_tricks(preset: str, options: Json) -> None:
    """IRR-S1h: with three sides or four the tricks of a remedy are lost."""
    seats = ["A", "B", "dummy"] if preset == "duo_dummy" else [*SEATS.get(preset, "ABCD")]
    two = preset in ("classic", "duo_draw", "duo_dummy")
    position = {"seats": seats, "dealer": seats[0], "phase": "play", "trick_number": 3, "hand": ["7H", "3C"]}
    position["trick"] = [{"seat": "A", "card": "9H"}]
    if preset == "duo_dummy":
        position["dealer"] = "B"
    asked: Json = {"rules": {"preset": preset, "options": options}, "position": position}
    asked["move"] = {"type": "play", "seat": "B", "card": "3C"}
    for lang, other in (("en", "to the other side"), ("ja", "相手")):
        assert (other in said(**asked, lang=lang)) is two


@pytest.mark.parametrize("value", ["none", "same", "next"])
def test_a_deal_out_of_turn_goes_back_to_whose_turn_it_was(value: str) -> None:
    """Of a wrong number of cards the table says who deals again; a wrong dealer is no matter of that (section 4)."""
    rules: Json = {"options": {"misdeal_dealer": value}}
    position = {"seats": [*"ABCD"], "dealer": "C", "previous_dealer": "A"}
    wrong = said(rules, position, {"type": "dealer", "seat": "C"})
    assert wrong == "If the wrong player deals, the turn to deal goes back to the right one."
    counts = dict.fromkeys("ABCD", 13) | {"A": 12}
    assert "void" in said(rules, position, {"type": "deal", "counts": counts})


@pytest.mark.parametrize("value", ["none", "tricks", "set", "bid_raised"])
def test_no_remedy_is_taken_for_a_card_of_the_dummy(value: str) -> None:
    """IRR-S1h: the dummy cannot offend; whoever plays its cards takes the wrong one back."""
    position = {"seats": ["A", "B", "dummy"], "dealer": "B", "phase": "play", "trick_number": 3, "hand": ["7H", "3C"]}
    rules: Json = {"preset": "duo_dummy", "options": {"revoke_remedy": value, "out_of_turn_remedy": "tricks_lost"}}
    for trick, card in (([{"seat": "A", "card": "9H"}, {"seat": "B", "card": "2H"}], "3C"), ([], "7H")):
        place: Json = position | {"trick": trick, "leader": "A"}
        assert "no points move" in said(rules, place, {"type": "play", "seat": "dummy", "card": card})


@pytest.mark.parametrize("words", [(13, "nil"), ("nil", 13)])
def test_a_nil_beside_a_bid_of_all_tricks_is_a_fault_of_who_called_last(words: tuple[int | str, int | str]) -> None:
    """SPADES-166, A-29: the finding of a replay is about the call that made it so, whichever of the two it was."""
    calls = [{"seat": seat, "call": call} for seat, call in zip("ABC", (words[0], 3, words[1]), strict=True)]
    rules = {"options": {"moon": True, "thirteen_is_moon": True}}
    record = {"rules": rules, "seats": [*"ABCD"], "dealer": "D", "calls": calls, "plays": []}
    (found,) = library.replay("spades", record, lang="en")["findings"]
    assert (found["code"], found["seat"]) == ("nil-in-blind-side", "C")
    assert found["text"] == "With the call of C the whole side is bound by 13, but one partner is nil."


@pytest.mark.parametrize("trick", [True, False])
@pytest.mark.parametrize("seed", range(60))
def test_the_last_tricks_are_missed_where_they_could_score(seed: int, trick: bool) -> None:
    """SPADES-203, 204, IRR-S1d: the warning is there when some side would get the bonus if its cards were entered."""
    rng = Random(seed)
    given, options = house_rules(rng)
    remedies = {"revoke_remedy": rng.choice(("none", "tricks", "tricks_lost", "set", "bid_raised")), "target": 500}
    given |= remedies | {"last_trick_bonus": trick, "last_sequence_bonus": not trick or seed % 2 == 0}
    names = side_names(options)
    facts = deal(rng, options, first_hand=options["first_hand_bids_itself"])
    facts["irregularities"] = [{"kind": "revoke", "by": rng.choice(names)}] if seed % 3 else []
    cards = ["AS"] if trick else ["AS", "KS"]
    asked: Json = {"rules": {"options": given}, "sides": names, "deals": [facts]}
    due = False
    for name in names:
        for side in names:
            facts[side]["last_tricks"] = cards if side == name and facts[side]["tricks"] >= len(cards) else []
        lines = ask("score", asked)["deals"][0]["sides"][name]["lines"]
        due = due or any(line["article"] in ("spades.last-trick", "spades.last-sequence") for line in lines)
        facts[name]["last_tricks"] = []
    warnings = {one["code"] for one in ask("score", asked)["deals"][0]["warnings"]}
    assert ("last-tricks-missing" in warnings) is due


@pytest.mark.parametrize("bags", [0, 2])
@pytest.mark.parametrize(
    ("value", "entries", "wins"),
    [
        ("none", ["revoke"], True), ("tricks", ["revoke"], False), ("tricks_lost", ["revoke"], False),
        ("set", ["revoke"], False), ("bid_raised", ["revoke"], True), ("tricks", [], True),
    ],
)  # fmt: skip
def test_tricks_lost_by_a_remedy_win_no_game(value: str, entries: list[str], wins: bool, bags: int) -> None:
    """IRR-0a, IRR-S1f 4: not even where the deal is scored as without the remedy, so that bags are not escaped."""
    options = {"revoke_remedy": value, "all_tricks_wins": True}
    asked = scored(options, {"bid": 5, "tricks": 13}, {"bid": 2, "tricks": 0})
    asked["sides"] = [{"id": "A", "players": ["N", "S"]}, {"id": "B", "players": ["E", "W"]}]
    asked["opening"] = {"A": {"total": 0, "bags": bags}, "B": {"total": 0}}
    asked["deals"][0]["irregularities"] = [{"kind": kind, "by": "N"} for kind in entries]
    body = ask("score", asked)
    lines = {line["article"] for line in body["deals"][0]["sides"]["A"]["lines"]}
    gains = bags == 2 and value in ("tricks", "tricks_lost", "bid_raised") and bool(entries)
    assert ("spades.never-a-gain" in lines) is gains
    assert body["outcome"]["winners"] == (["A"] if wins else [])


def article(anchor: str, options: Json, lang: str, preset: str = "classic") -> str:
    """What the book of a table prints of an article, with its title; empty where it has none."""
    book = library.book("spades", rules={"preset": preset, "options": options}, lang=lang)
    found = (one for section in book["sections"] for one in section["articles"] if one["anchor"] == anchor)
    return next((f"{one['title']}\n{one['text']}" for one in found), "")


def printed(options: Json, lang: str, preset: str = "classic") -> str:
    """The whole book of a table, its first page and its tables with it."""
    book = library.book("spades", rules={"preset": preset, "options": options}, lang=lang)
    return "\n".join([book["markdown"], *(section["markdown"] for section in book["sections"])])


FIRST_TRICKS: list[Json] = [
    {}, {"first_trick": "lowest_club"}, {"first_trick": "lowest_club_strict"}, {"first_trick_spades": "forbidden"},
    {"first_leader": "club_two"}, {"first_leader": "club_two", "club_two_must_lead": True},
]  # fmt: skip
LOSING: list[Json] = [
    {}, {"challenge_lost": "tricks_lost"}, {"out_of_turn_remedy": "tricks_lost"}, {"talk_remedy": "tricks_lost"},
    {"talk_remedy": "warning_then_tricks"},
]  # fmt: skip
SENTENCES: list[tuple[str, str, str, list[Json], list[Json]]] = [
    # an article, what it says in both languages, settings with which that is so, and some with which it is not
    (
        "double-nil-behind", "One partner may declare it, or both", "1人だけでも、2人ともでも",
        [{}, {"second_round": True}, {"bid_method": "sum"}], [{"minimum_bid": 1}, {"minimum_bid": 13}],
    ),
    (
        "ten-bonus", "100 + 200 = 300", "100+200=300点",
        [{"ten_bonus": "plus200"}], [{"ten_bonus": "plus200", "above_six_bonus": True}],
    ),
    (
        "remedy-and-nil", "No other remedy makes or breaks a nil", "ほかの処置でニルの成功と失敗は変わりません",
        [{"revoke_remedy": "set"} | one for one in LOSING[1:]],
        [{"revoke_remedy": "set"}, *[{"revoke_remedy": "tricks"} | one for one in LOSING]],
    ),
    (
        "remedy-and-nil", "Tricks leave the partner of a nil first", "パートナーのものから減り",
        [{"revoke_remedy": value} | one for value in ("set", "bid_raised", "none") for one in LOSING[1:]],
        [{"revoke_remedy": "set"}, {"revoke_remedy": "bid_raised"}, {"misdeal_dealer": "same"}],
    ),
    (
        "forbidden-total", "This does not apply to the first deal", "最初のディールには当てはまりません",
        [{"forbid_total_13": True, "first_hand_bids_itself": True}], [{"forbid_total_13": True}],
    ),
    (
        "forbidden-number", "This does not apply to the first deal", "最初のディールには当てはまりません",
        [{"forbidden_total": 11, "first_hand_bids_itself": True}], [{"forbidden_total": 11}],
    ),
    (
        "independent-contracts", "In the first deal, where nobody bids", "ビッドのない最初のディール",
        [{"first_hand_bids_itself": True} | one for one in ({}, {"forbid_total_13": True}, {"forbidden_total": 11})],
        [{}, {"forbid_total_13": True}, {"first_hand_bids_itself": True, "mode": "duo_dummy"}],
    ),
    (
        "lead-anytime", "From the second trick on", "2トリック目から",
        [{"lead_spades_anytime": True} | one for one in FIRST_TRICKS if one and one != FIRST_TRICKS[4]],
        [{"lead_spades_anytime": True} | one for one in (FIRST_TRICKS[0], FIRST_TRICKS[4])],
    ),
    (
        "revoke-shown", "a hand that nobody looks at", "だれも見ない手札",
        [{"mode": "duo_dummy"}, {"double_blind_nil": True}, {"double_blind_nil": True, "lead_spades_anytime": True}],
        [{}, {"mode": "solo3"}],
    ),
    (
        "bag-penalty", "with 218 points", "累計218点", [{}, {"target": 219}, {"target": None, "deals_limit": 4}],
        [{"target": 218}, {"target": 200}, {"bag_threshold": 5}],
    ),
    (
        "never-a-gain", "does not win at once", "その場で勝ちにはなりません",
        [{"revoke_remedy": "tricks", "all_tricks_wins": True}], [{"revoke_remedy": "tricks"}],
    ),
]  # fmt: skip
CASES = [(row[0], row[1:3], options, True) for row in SENTENCES for options in row[3]]
CASES += [(row[0], row[1:3], options, False) for row in SENTENCES for options in row[4]]


@pytest.mark.parametrize(("anchor", "said", "options", "so"), CASES, ids=str)
def test_a_sentence_is_printed_where_it_is_so(anchor: str, said: tuple[str, str], options: Json, so: bool) -> None:
    for lang, words in zip(("en", "ja"), said, strict=True):
        found = article(anchor, options, lang)
        assert found or not so
        assert (words in found) is so


@pytest.mark.parametrize("tens", ["plus200", "flat200", "flat200_up"])
@pytest.mark.parametrize("failure", ["add", "replace", "none"])
def test_the_table_of_scores_says_what_a_failed_ten_costs(tens: str, failure: str) -> None:
    """SPADES-200, 207: only the bonus can be lost beside the ordinary penalty, a flat score is its only price."""
    options = {"ten_bonus": tens, "ten_bonus_failure": failure}
    cost = -points(scored(options, {"bid": 10, "tricks": 9}, {"bid": 4, "tricks": 4}))
    number = "exactly 10" if tens == "flat200" else "10 or more"
    row = {200: f"| Contract of {number} set | −200 |", 300: f"| Contract of {number} set | −200 more |"}.get(cost, "")
    text = printed(options, "en")
    assert row in text
    assert text.count(" set | −200") == bool(row)
    assert ("さらに−200点" in printed(options, "ja")) is (cost == 300)


def test_spades_may_be_led_at_any_time_on_the_first_page_too() -> None:
    for options in FIRST_TRICKS:
        later = options not in (FIRST_TRICKS[0], FIRST_TRICKS[4])
        text = printed({"lead_spades_anytime": True} | options, "en")
        assert ("- From the second trick on, spades may be led at any time." in text) is later
        assert ("2トリック目からはいつでもリード" in printed({"lead_spades_anytime": True} | options, "ja")) is later


REMEDY_OPTIONS: dict[str, tuple[str, ...]] = {
    "revoke_remedy": ("none", "tricks", "tricks_lost", "set", "bid_raised"),
    "challenge_lost": ("none", "same", "tricks_lost"), "out_of_turn_remedy": ("none", "as_revoke", "tricks_lost"),
    "talk_remedy": ("none", "warning_then_tricks", "tricks_lost"),
}  # fmt: skip


@pytest.mark.parametrize("values", [*product(*REMEDY_OPTIONS.values())], ids="-".join)
def test_a_number_of_tricks_that_no_remedy_counts_is_warned_of(values: tuple[str, ...]) -> None:
    options: Json = dict(zip(REMEDY_OPTIONS, values, strict=True))
    idle = "tricks" not in " ".join(values) and "bid_raised" not in values
    for number, due in ((2, idle), (3, False)):
        found = ask("rules", {"rules": {"options": options | {"revoke_tricks": number}}})["warnings"]
        assert ("remedy-tricks-without-effect" in {one["code"] for one in found}) is due


@pytest.mark.parametrize("kinds", [("nil", "nil"), ("nil", "double_nil")])
@pytest.mark.parametrize("names", [(None, None), ("South", None), (None, "South"), ("North", None)])
@pytest.mark.parametrize("taken", [(0, 0), (0, 1), (1, 0), (1, 1)])
def test_the_nil_of_who_revoked_fails_without_its_name_too(
    taken: tuple[int, int], names: tuple[str | None, str | None], kinds: tuple[str, str]
) -> None:
    """IRR-S8a: both partners are nil, so that one of the nils is that of North, and fails."""
    nils = [
        {"call": kind, "tricks": count} | ({"player": name} if name else {})
        for kind, count, name in zip(kinds, taken, names, strict=True)
    ]
    request = scored(
        {"revoke_remedy": "set", "double_nil_deficit": 0, "double_nil_value": 100},
        {"bid": None, "tricks": sum(taken), "nils": nils}, {"bid": 4, "tricks": 13 - sum(taken)},
        irregularities=[{"kind": "revoke", "by": "North"}],
    )  # fmt: skip
    request["sides"] = [{"id": "A", "players": ["North", "South"]}, {"id": "B", "players": ["East", "West"]}]
    own = next((n for n, name in enumerate(names) if name != "South" and "South" in names), None)
    own = names.index("North") if "North" in names else own
    failed = sum(count > 0 for count in taken)
    expected = max(failed, 1) if own is None else failed + (taken[own] == 0)
    assert points(request) == 100 * (2 - 2 * expected)


@pytest.mark.parametrize("name", [None, "North", "South"])
@pytest.mark.parametrize("by", [("North",), ("South",), ("North", "South"), ("North", "North"), ("A",), ("East",), ()])
@pytest.mark.parametrize("taken", [0, 1])
def test_a_nil_beside_a_bid_fails_where_it_can_only_be_that_of_who_revoked(
    taken: int, by: tuple[str, ...], name: str | None
) -> None:
    """IRR-S8a: a nil without a name may be that of either partner; where that decides, the table is told."""
    nil = {"call": "nil", "tricks": taken} | ({"player": name} if name else {})
    request = scored(
        {"revoke_remedy": "set", "nil_value": 500, "target": None, "deals_limit": 9},
        {"bid": 4, "tricks": 5, "nils": [nil]}, {"bid": 7, "tricks": 8},
        irregularities=[{"kind": "revoke", "by": who} for who in by],
    )  # fmt: skip
    request["sides"] = [{"id": "A", "players": ["North", "South"]}, {"id": "B", "players": ["East", "West"]}]
    owners = {bool(taken) or owner in by for owner in ([name] if name else ["North", "South"])}
    ours = {"North", "South", "A"}.intersection(by)
    assert points(request) == (-500 if owners == {True} else 500) + (-40 if ours else 41 if not by else 40)
    told = {warning["code"] for warning in ask("score", request)["deals"][0]["warnings"]}
    assert ("nil-player-missing" in told) is (len(owners) == 2)


@pytest.mark.parametrize("call", ["blind", "moon", "blind_moon"])
@pytest.mark.parametrize("played", [False, True])
def test_a_call_for_the_whole_side_is_not_lost_beside_two_nils(call: str, played: bool) -> None:
    """A-29: whatever the contract, a blind number or a moon excludes a nil."""
    names = ("blind_bid", "moon", "blind_moon")
    options: Json = {**dict.fromkeys(names, played), "blind_deficit": 0, "blind_moon_deficit": 0}
    us = {"bid": None, "tricks": 0, "call": call, "nils": [{"call": "nil", "tricks": 0}] * 2}
    request = scored(options, us, {"bid": 4, "tricks": 13})
    assert codes(request) == {"nil-in-blind-side" if played else "call-not-played"}


@pytest.mark.parametrize(("key", "value"), [("call", "moon"), ("nils", [{"call": "nil", "tricks": 0}])])
def test_a_call_without_bidding_is_refused_where_it_stands(key: str, value: Any) -> None:
    """SPADES-135: the field that is wrong is the one that is named."""
    request = scored(
        {"first_hand_bids_itself": True, "moon": True}, {"bid": 13, "tricks": 13, key: value}, {"bid": 0, "tricks": 0}
    )
    errors = answer("score", request)[1]["errors"]
    assert [(error["pointer"], error["code"]) for error in errors] == [(f"/deals/0/A/{key}", "no-bidding")]


CLUBS: tuple[dict[str, Any], ...] = (
    {"first_trick": "lowest_club_strict"},
    {"first_leader": "club_two"},
    {"first_leader": "club_two", "club_two_must_lead": True},
)


@pytest.mark.parametrize("options", CLUBS, ids=str)
def test_what_is_wrong_with_the_first_lead_is_the_same_with_all_hands_and_without(options: dict[str, Any]) -> None:
    """SPADES-181, 182, 185: a whole record shows who held the lowest club, whatever could be said of it at the time."""
    seen = set()
    for seed in range(40):
        record = careless(Random(seed), "classic", options)
        known = [one["code"] for one in ask("replay", record)["findings"] if first_lead(one, record)]
        hidden = {key: value for key, value in record.items() if key != "hands"}
        assert [one["code"] for one in ask("replay", hidden)["findings"] if first_lead(one, record)] == known, seed
        seen |= {*known}
    assert "not-the-club-holder" in seen


def first_lead(finding: dict[str, Any], record: dict[str, Any]) -> bool:
    """Whether a finding is about the first card of a record."""
    return finding.get("trick") == 1 and finding.get("card") == record["plays"][0]["card"]


@pytest.mark.parametrize(
    ("preset", "options", "refused"),
    [
        ("classic", {"minimum_bid": 13}, True),
        ("classic", {"minimum_bid": 13, "nil": False, "double_nil": False}, True),
        ("classic", {"minimum_bid": 12}, False),
        ("modern", {"minimum_bid": 13}, False),
        ("suicide", {"suicide_minimum": 13}, True),
        ("suicide", {"suicide_minimum": 12}, False),
        ("duo_draw", {"minimum_bid": 13}, False),
        ("duo_draw", {"minimum_bid": 13, "nil": False, "double_nil": False}, True),
    ],
)
def test_no_table_forbids_the_only_total_that_its_bids_can_have(preset: str, options: Json, refused: bool) -> None:
    """CLB-008: on such a table the last to call would have no call left."""
    rules = {"preset": preset, "options": {**options, "forbidden_total": 26}}
    request = {"rules": rules, "position": {"seats": [*"ABCD"], "dealer": "D", "calls": []}}
    if preset == "duo_draw":
        request["position"] = {"seats": ["A", "B"], "dealer": "B", "calls": []}
    assert ("options-conflict" in codes({**request, "looked": True}, "moves")) is refused


@pytest.mark.parametrize("preset", ["suicide", "mirror", "whiz"])
@pytest.mark.parametrize("name", ["moon", "blind_bid", "blind_moon"])
def test_an_option_that_is_on_is_played(preset: str, name: str) -> None:
    """Families 3d: where bids are forced none of these is called; asked for, it makes bids free, and that is said."""
    made = read_whole({"preset": preset, "options": {name: True}}, OPTIONS.read)
    assert (made.options.bidding_rule, [notice.code for notice in made.notices][:1]) == ("free", ["gave-way"])


@pytest.mark.parametrize("options", [{"forbid_total_13": True}, {"forbidden_total": 11}])
@pytest.mark.parametrize("preset", ["mirror", "whiz"])
def test_no_total_is_forbidden_where_a_hand_leaves_one_call(preset: str, options: Json) -> None:
    """MIR-R1: who holds no spade can only be nil, whatever that makes of the total."""
    made = read_whole({"preset": preset, "options": options}, OPTIONS.read)
    assert made.options.bidding_rule == "free"


@pytest.mark.parametrize("led", ["AS", "2D", "BJ"])
def test_a_spade_that_follows_any_card_of_that_suit_is_no_spade_too_early(led: str) -> None:
    """CLB-001 forbids spades that are led or ruff; promoted twos and jokers are of that suit, too."""
    options = {"first_trick_spades": "forbidden", "promoted_twos": ["2D"], "deck": "jokers_minus_twos"}
    position = {
        "seats": list("ABCD"), "trick": [{"seat": "A", "card": led}], "trick_number": 1, "hand": ["5S", "6H", "7C"],
    }  # fmt: skip
    move = {"type": "play", "seat": "B", "card": "5S"}
    verdict = ask("check", {"rules": {"options": options}, "position": position, "move": move})
    assert (verdict["verdict"], verdict["breaches"]) == ("legal", [])

"""Yes and no are said only where the options of a table make them true: a second table of what each claim says."""

from __future__ import annotations

import itertools
import random
import re
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from companion.data import LANGUAGES
from companion.engine.game import Game
from companion.engine.options import HouseRules, Option
from companion.engine.problems import Refused
from companion.games import GAMES
from companion.rulebook.search import Claim, answers, asked_questions, found_answer, index, search
from companion.rulebook.search import claims_of as declared_claims

TABLES, TRIED = 40, 2000
"""How many tables a claim is decided at, and how many are made for that at most."""
CLAIMED = Path(__file__).parent / "claimed_phrases.txt"
"""Own phrases of the book that are answered with yes or no, each read by somebody: `claimed_phrases()` writes them."""
games = pytest.mark.parametrize("game", list(GAMES))
languages = pytest.mark.parametrize("lang", LANGUAGES)

TRUTH: dict[str, dict[str, Callable[[Any, Any], object]]] = {
    "pad": {
        "lower-wins": lambda o, number: o.lower_wins,
        "target-set": lambda o, number: o.target is not None,
        "target-is": lambda o, number: o.target == number,
        "rounds-set": lambda o, number: o.rounds is not None,
        "negative": lambda o, number: o.negative,
    },
    "spades": {
        "four-in-pairs": lambda o, number: o.mode in ("partners4", "partners6"),
        "each-alone": lambda o, number: o.mode not in ("partners4", "partners6"),
        "three-alone": lambda o, number: o.mode == "solo3",
        "six-players": lambda o, number: o.mode == "partners6",
        "drawn-hands": lambda o, number: o.mode == "duo_draw",
        "dummy": lambda o, number: o.mode == "duo_dummy",
        "solo3-two-out": lambda o, number: (o.solo3_deck == "remove_2c" and o.mode == "solo3") or o.deck == "two_packs",
        "dummy-left": lambda o, number: o.dummy_side == "left",
        "dummy-leads": lambda o, number: o.dummy_leads,
        "jokers": lambda o, number: "jokers" in o.deck,
        "dealer-discards": lambda o, number: o.deck == "jokers_dealer_discards",
        "joker-is-spade": lambda o, number: "jokers" in o.deck,
        "removed-heart": lambda o, number: any(str(card) == "2H" for card in o.removed_twos),
        "deuce-high": lambda o, number: o.trump_order == "deuce_high",
        "ace-top": lambda o, number: o.trump_order == "ace_high",
        "promoted-twos": lambda o, number: len(o.promoted_twos) > 0,
        "later-equal": lambda o, number: o.equal_cards == "later",
        "sum-bidding": lambda o, number: o.bid_method == "sum",
        "later-bid": lambda o, number: o.bid_method == "later_partner",
        "confer": lambda o, number: o.bid_method == "consultation",
        "talk-hands": lambda o, number: o.bid_method == "consultation",
        "below-partner": lambda o, number: o.bid_method != "later_partner",
        "second-round": lambda o, number: o.second_round,
        "dealer-bids-first": lambda o, number: o.first_bidder == "dealer",
        "equal-to-tricks": lambda o, number: not o.forbid_total_13,
        "bids-thirteen": lambda o, number: not o.forbid_total_13 and o.forbidden_total != 13,
        "forbidden-number": lambda o, number: o.forbidden_total == number,
        "least-total": lambda o, number: o.least_total == number,
        "first-hand": lambda o, number: o.first_hand_bids_itself,
        "minimum": lambda o, number: o.minimum_bid > 0,
        "minimum-number": lambda o, number: o.minimum_bid == number,
        "suicide": lambda o, number: o.bidding_rule == "suicide",
        "suicide-minimum": lambda o, number: o.suicide_minimum == number,
        "bid-spades": lambda o, number: o.bidding_rule == "mirror",
        "bid-zero": lambda o, number: o.zero_bid and o.bidding_rule == "free",
        "zero-is-nil": lambda o, number: not o.zero_bid or o.bidding_rule != "free",
        "nil": lambda o, number: o.nil,
        "nil-value": lambda o, number: o.nil_value == number,
        "nil-costs": lambda o, number: o.nil_value == number,
        "nil-failure": lambda o, number: o.nil_failure == number,
        "double-nil": lambda o, number: o.nil and o.double_nil,
        "double-nil-value": lambda o, number: o.double_nil_value == number,
        "behind-for-double": lambda o, number: o.double_nil_deficit not in (0, None),
        "double-any-score": lambda o, number: o.double_nil_deficit in (0, None),
        "double-deficit": lambda o, number: o.double_nil_deficit == number,
        "nil-exchange": lambda o, number: o.nil_exchange > 0,
        "double-exchange": lambda o, number: o.double_nil_exchange > 0,
        "double-exchange-count": lambda o, number: o.double_nil_exchange == number,
        "failed-nil-helps": lambda o, number: o.failed_nil_tricks == "count",
        "failed-nil-bags": lambda o, number: o.failed_nil_tricks == "bags_only",
        "no-contract-tricks": lambda o, number: o.tricks_without_contract == "overtricks",
        "two-nils-one": lambda o, number: o.both_nil == "unit",
        "two-nils-value": lambda o, number: o.both_nil_value == number,
        "double-blind-nil": lambda o, number: o.double_blind_nil,
        "double-blind-nil-value": lambda o, number: o.double_blind_nil_value == number,
        "double-blind-nil-behind": lambda o, number: o.double_blind_nil_deficit == number,
        "blind-bid": lambda o, number: o.blind_bid,
        "blind-minimum": lambda o, number: o.blind_bid_min == number,
        "blind-bonus": lambda o, number: o.blind_reward == "bonus100",
        "blind-doubled": lambda o, number: o.blind_reward == "double",
        "blind-single": lambda o, number: o.blind_failure == "single",
        "blind-exact": lambda o, number: o.blind_exact,
        "blind-over-fails": lambda o, number: o.blind_exact_over == "fail",
        "blind-behind": lambda o, number: o.blind_deficit == number,
        "moon": lambda o, number: o.moon,
        "moon-value": lambda o, number: o.moon_value == number,
        "all-is-moon": lambda o, number: o.thirteen_is_moon,
        "thirteen-is-moon": lambda o, number: o.thirteen_is_moon,
        "blind-moon": lambda o, number: o.blind_moon,
        "blind-moon-value": lambda o, number: o.blind_moon_value == number,
        "blind-moon-behind": lambda o, number: o.blind_moon_deficit == number,
        "lowest-club": lambda o, number: o.first_trick != "normal",
        "first-trick-spade": lambda o, number: o.first_trick_spades == "free",
        "dealer-left-leads": lambda o, number: o.first_leader == "dealer_left",
        "club-two-leads": lambda o, number: o.first_leader == "club_two",
        "highest-bidder": lambda o, number: o.first_leader == "highest_bidder",
        "two-must-be-led": lambda o, number: o.club_two_must_lead,
        "spades-anytime": lambda o, number: o.lead_spades_anytime,
        "must-be-broken": lambda o, number: not o.lead_spades_anytime,
        "shortfall": lambda o, number: o.set_penalty == "shortfall",
        "lose-bid": lambda o, number: o.set_penalty == "bid",
        "set-nothing": lambda o, number: o.set_penalty == "none",
        "overtricks-cost": lambda o, number: o.overtrick in ("minus1", "minus10"),
        "overtricks-score": lambda o, number: o.overtrick == "plus1",
        "overtricks-nothing": lambda o, number: o.overtrick == "zero",
        "bag-penalty": lambda o, number: o.sandbag,
        "bag-threshold": lambda o, number: o.bag_threshold == number,
        "bag-penalty-size": lambda o, number: o.bag_penalty == number,
        "bag-on-reaching": lambda o, number: o.bag_trigger == "reach",
        "penalty-below-zero": lambda o, number: o.penalty_when_negative,
        "bags-carry": lambda o, number: o.bag_reset == "carry",
        "bags-restart": lambda o, number: o.bag_reset == "empty",
        "ten-bonus": lambda o, number: o.ten_bonus != "none",
        "ten-for-two": lambda o, number: o.ten_bonus == "ten_for_two",
        "ten-failed": lambda o, number: o.ten_bonus_failure == "replace",
        "ten-value": lambda o, number: o.ten_bonus_value == number,
        "last-trick": lambda o, number: o.last_trick_bonus,
        "last-sequence": lambda o, number: o.last_sequence_bonus,
        "above-six": lambda o, number: o.above_six_bonus,
        "small-bids": lambda o, number: o.small_bid_special,
        "all-tricks-bonus": lambda o, number: o.all_tricks_bonus > 0,
        "all-tricks-bonus-value": lambda o, number: o.all_tricks_bonus == number,
        "target": lambda o, number: o.target == number,
        "deals-limit": lambda o, number: o.deals_limit == number,
        "sets-lose": lambda o, number: o.sets_lose == number,
        "sets-row": lambda o, number: o.sets_in_row_lose == number,
        "all-tricks-win": lambda o, number: o.all_tricks_wins,
        "moon-wins": lambda o, number: o.moon_wins and (o.moon or o.blind_moon),
        "lower-limit": lambda o, number: o.loss_limit is not None,
        "loss-limit": lambda o, number: o.loss_limit == -number,
        "lost-at": lambda o, number: o.loss_limit is not None and -number <= o.loss_limit,
        "tie-extra": lambda o, number: o.final_tie == "extra_deal",
        "tie-shared": lambda o, number: o.final_tie == "shared",
        "revoke-costs": lambda o, number: o.revoke_remedy != "none",
        "revoke-sets": lambda o, number: o.revoke_remedy == "set",
        "revoke-tricks": lambda o, number: o.revoke_tricks == number,
        "wrong-accusation": lambda o, number: o.challenge_lost in ("same", "tricks_lost"),
        "out-of-turn-costs": lambda o, number: o.out_of_turn_remedy == "tricks_lost",
        "talk-costs": lambda o, number: o.talk_remedy in ("warning_then_tricks", "tricks_lost"),
        "misdealer-again": lambda o, number: o.misdeal_dealer == "same",
    },
    "casino": {
        "false-build-costs": lambda o, number: o.false_build_remedy in ("point", "point_lost"),
        "misdealer-again": lambda o, number: o.misdeal_dealer == "same",
        "full-pack": lambda o, number: o.deck == 52,
        "no-faces": lambda o, number: o.deck == 40,
        "card-count": lambda o, number: o.deck == number,
        "fours": lambda o, number: o.deal == "fours" and o.deck != 49,  # then five each
        "all-at-once": lambda o, number: o.deal == "cut_four",
        "clockwise": lambda o, number: o.direction == "clockwise",
        "anticlockwise": lambda o, number: o.direction == "anticlockwise",
        "halves": lambda o, number: o.two_player_deal == "two_halves",
        "recut": lambda o, number: o.recut,
        "faces-count": lambda o, number: o.court_values == "11_13",
        "ace-fourteen": lambda o, number: o.ace_hand != "1",
        "ace-always-fourteen": lambda o, number: o.ace_hand == "14",
        "table-ace": lambda o, number: o.ace_table == "1or14",
        "special-values": lambda o, number: o.special_hand_values,
        "faces-together": lambda o, number: o.court_take == "all",
        "must-capture": lambda o, number: o.demand,
        "demand": lambda o, number: o.demand,
        "most-possible": lambda o, number: o.demand_measure == "maximum",
        "trail-challenged": lambda o, number: o.demand_on_trail,
        "demand-add": lambda o, number: o.demand_augment,
        "building": lambda o, number: o.building != "none",
        "table-only": lambda o, number: o.table_only_build,
        "same-value": lambda o, number: o.same_value_builds == "allowed",
        "merge": lambda o, number: o.merge_own_value,
        "raise-own": lambda o, number: o.raise_builds == "anyone",
        "raise-opponents": lambda o, number: o.raise_builds != "never",
        "two-builds": lambda o, number: o.builds_per_player is None,
        "pile-taken": lambda o, number: o.pile_cards == "augment_and_capture",
        "pile-in-build": lambda o, number: o.building != "none" and o.pile_cards != "none",
        "owner-trails": lambda o, number: o.owner_may_trail,
        "trail-equal": lambda o, number: o.trail_equal,
        "keep-card": lambda o, number: o.keep_capturer,
        "partner-card": lambda o, number: o.partner_build == "proven",
        "most-cards": lambda o, number: o.cards_points > 0,
        "most-cards-points": lambda o, number: o.cards_points == number,
        "most-spades": lambda o, number: o.spades_points > 0,
        "most-spades-points": lambda o, number: o.spades_points == number,
        "cards-tie": lambda o, number: o.cards_tie == "split",
        "spades-tie": lambda o, number: o.spades_tie == "split",
        "enough-spades": lambda o, number: o.spades_minimum is not None,
        "spades-number": lambda o, number: o.spades_minimum is not None and number >= o.spades_minimum,
        "big-ten": lambda o, number: o.big_ten_points == number,
        "spy-two": lambda o, number: o.spy_two_points == number,
        "aces": lambda o, number: o.ace_points == number,
        "sweeps": lambda o, number: o.sweep > 0,
        "sweep-points": lambda o, number: o.sweep == number,
        "sweeps-cancel": lambda o, number: o.sweep_cancel,
        "last-capture": lambda o, number: o.last_capture_points > 0,
        "must-take": lambda o, number: o.owner_must_take,
        "trail-capturing": lambda o, number: o.trail_capturing,
        "each-spade": lambda o, number: o.each_spade_points > 0,
        "each-spade-points": lambda o, number: o.each_spade_points == number,
        "spade-jack": lambda o, number: o.spade_jack_points > 0 and o.deck != 40,
        "spade-jack-points": lambda o, number: o.spade_jack_points == number,
        "spade-ace": lambda o, number: o.spade_ace_points > 0,
        "spade-ace-points": lambda o, number: o.spade_ace_points == number,
        "margin": lambda o, number: o.margin != "none",
        "alone": lambda o, number: o.partners == "off" and o.deck != 49,
        "claimed": lambda o, number: o.ending == "claim",
        "drawn": lambda o, number: o.deal == "draw",
        "last-capture-points": lambda o, number: o.last_capture_points == number,
        "shutout": lambda o, number: o.shutout,
        "majority-three": lambda o, number: o.majorities == "always",
        "target": lambda o, number: o.target == number,
        "single-deal": lambda o, number: o.target is None,
        "final-tie": lambda o, number: o.final_tie == "another",
    },
    "spite-and-malice": {
        "players": lambda o, number: o.players == number,
        "partners": lambda o, number: o.partners == "opposite",
        "packs": lambda o, number: o.packs == number,
        "jokers": lambda o, number: o.jokers > 0,
        "joker-count": lambda o, number: o.jokers == number,
        "kings-wild": lambda o, number: "K" in o.wild,
        "jokers-wild": lambda o, number: "joker" in o.wild and o.jokers > 0,
        "ends-queen": lambda o, number: o.top_rank == "Q",
        "ends-king": lambda o, number: o.top_rank == "K",
        "one-shuffle": lambda o, number: o.deal_mode == "single",
        "payoff-size": lambda o, number: o.payoff_size == number,
        "hands-drawn": lambda o, number: o.initial_hand == "drawn_first_turn",
        "side-cards": lambda o, number: o.side_start > 0,
        "start-suit": lambda o, number: o.start_tie == "suit" and o.starts == "highest_payoff",
        "start-reshuffle": lambda o, number: o.start_tie == "reshuffle" and o.starts == "highest_payoff",
        "start-wild": lambda o, number: o.start_wild == "redraw",
        "centre-limited": lambda o, number: o.centre_max is not None,
        "centre-number": lambda o, number: o.centre_max == number,
        "set-aside": lambda o, number: o.centre_done == "set_aside",
        "shuffled-in": lambda o, number: o.centre_done == "shuffle_now",
        "joker-ace": lambda o, number: o.wild_as_ace,
        "king-ace": lambda o, number: o.wild_as_ace,
        "any-discard": lambda o, number: o.discard_rule == "free",
        "higher-discard": lambda o, number: o.discard_rule == "free",
        "discard-ace": lambda o, number: o.discard_ace,
        "must-discard": lambda o, number: o.discard_required,
        "end-without": lambda o, number: not o.discard_required,
        "must-refill": lambda o, number: o.midturn_refill == "must",
        "play-again": lambda o, number: o.after_last_discard == "refill_and_replay",
        "last-ends": lambda o, number: o.after_last_discard == "end",
        "duties": lambda o, number: len(o.mandatory) > 0,
        "payoff-ace": lambda o, number: "payoff_ace" in o.mandatory,
        "payoff-two": lambda o, number: "payoff_two" in o.mandatory,
        "side-ace": lambda o, number: "side_ace" in o.mandatory,
        "side-two": lambda o, number: "side_two" in o.mandatory,
        "at-once": lambda o, number: o.mandatory_timing == "immediate",
        "partner-duties": lambda o, number: o.mandatory_scope == "own_and_partner",
        "keep-ace": lambda o, number: o.block_two != "off",
        "one-ace": lambda o, number: o.block_two == "one_is_enough",
        "stock-at": lambda o, number: o.recycle_threshold == number,
        "opponent-refills": lambda o, number: o.recycle_by == "opponent",
        "stock-refilled": lambda o, number: o.recycle_source != "none",
        "incomplete-used": lambda o, number: o.recycle_source == "complete_then_incomplete",
        "play-on": lambda o, number: o.stock_out == "play_on",
        "second-chance": lambda o, number: o.deadlock == "second_chance_redeal",
        "redeal": lambda o, number: o.deadlock == "second_chance_redeal",
        "chance-binds": lambda o, number: o.second_chance_scope == "both",
        "bonus": lambda o, number: o.score_bonus > 0,
        "bonus-value": lambda o, number: o.score_bonus == number,
        "card-points": lambda o, number: o.score_per_card == number,
        "stalemate-points": lambda o, number: o.stalemate_score == "difference",
        "one-deal": lambda o, number: o.match == "single",
        "target": lambda o, number: o.target == number,
        "deals": lambda o, number: o.match_deals == number,
        "hand-ace": lambda o, number: "hand_ace" in o.mandatory,
        "as-seven": lambda o, number: o.wild_as_seven,
        "draw-last": lambda o, number: o.refill_at == "end",
        "compared": lambda o, number: o.starts == "highest_payoff",
        "numbered": lambda o, number: o.card_names == "numbered",
    },
}
"""What makes each claim true of the options `o`, and of the number asked about."""


def one_of(option: Option, chance: random.Random) -> object:
    """Return any value of an option."""
    wanted: list[object] = []
    if option.kind == "number" and not option.choices:
        wanted = [chance.choice(option.offers or (chance.randint(option.low or 0, min(option.high or 9, 30)),))]
    elif option.kind == "words":
        wanted = [tuple(word for word in option.choices if chance.random() < 0.5)]
    return chance.choice(list(option.possible(wanted)))


def tables(game: Game, seed: str, named: list[str]) -> Iterator[HouseRules[object]]:
    """Yield random tables: presets with one to six options changed, then the named ones and their like as well."""
    chance, options, count = random.Random(seed), game.options, 0
    like = {name.partition("_")[0] for name in named}
    names = [name for name in options.options if name.partition("_")[0] in like]
    while count < TRIED:
        changed = chance.sample(list(options.options), chance.randint(1, min(6, len(options.options))))
        given = {name: one_of(options.options[name], chance) for name in changed}
        other = given | {name: one_of(options.options[name], chance) for name in names}
        preset = chance.choice(list(options.presets))
        for values in (given, other):
            try:
                yield options.build(preset, values)
                count += 1
            except Refused:
                continue


def options_of(claim: Claim) -> list[str]:
    """Return the options that decide a claim."""
    found: list[str] = []
    for condition in (*claim.yes, *claim.no, *claim.silent):
        name, *value = re.split("[!<]?=|[<>]", condition)
        article = GAMES[claim.game].articles[f"{claim.game}.{name}"] if not value else None
        found += [*article.when, *article.unless] if article else [name]
    return sorted(set(found) & set(GAMES[claim.game].options.options))


@games
def test_every_claim_is_as_the_options_make_it(game: str) -> None:
    declared = declared_claims(GAMES[game])
    assert set(declared) == set(TRUTH[game])
    for name, claim in declared.items():
        said = Counter[object]()
        for house in tables(GAMES[game], name, options_of(claim)):
            if said[True] + said[False] >= TABLES:
                break
            numbers: list[int | None] = [None]
            if any("#" in condition for condition in claim.yes):
                own = abs(getattr(house.options, re.split("[<=]", claim.yes[0])[0]) or 7)
                numbers = [own, own + 1, own - 1, 77]
            for number in numbers:
                answer = claim.holds(house.options, number)
                said[answer] += 1
                if answer is not None:
                    code = GAMES[game].options.code(house)
                    assert answer == bool(TRUTH[game][name](house.options, number)), (name, number, code)
        assert said[True] + said[False] > 2, name


@games
def test_every_option_has_a_claim_that_turns_on_it(game: str) -> None:
    decided = {name for claim in declared_claims(GAMES[game]).values() for name in options_of(claim)}
    assert set(GAMES[game].options.options) - decided == set()


@games
@languages
def test_what_is_claimed_is_said_in_every_language(lang: str, game: str) -> None:
    asked = declared_claims(GAMES[game], lang)
    assert set(asked) == set(declared_claims(GAMES[game]))
    statements = index(lang).claims.statements
    for name, claim in asked.items():
        assert len(claim.ask) >= 2, name
        read = [statements.read(text) for text in claim.ask]
        assert len(set(read)) == len(read), name
        assert all(statements.asks(text.replace("#", "5")) for text in claim.ask), name


@languages
def test_no_question_is_two_claims_of_one_game(lang: str) -> None:
    for claims in index(lang).claims.by_statement.values():
        assert len({claim.game for claim in claims}) == len(claims), claims


def claimed_phrases() -> str:
    """Return the phrases of the book that are answered with yes or no, with what is said at the usual table."""
    lines = []
    for lang in LANGUAGES:
        claims = index(lang).claims
        for game in GAMES.values():
            for anchor, phrases in asked_questions(game, lang).items():
                for phrase in filter(claims.statements.asks, phrases):
                    if not any(said in claims.by_statement for said, _ in claims.statements.readings(phrase)):
                        continue
                    reply = search(lang, phrase, games=[game.id]).reply
                    if reply and reply.yes is not None:
                        lines.append(f"{game.id}.{anchor}\t{phrase}\t{reply.yes}\t{reply.article}")
    return "\n".join(lines) + "\n"


def test_phrases_that_are_answered_are_those_that_were_read() -> None:
    assert claimed_phrases() == CLAIMED.read_text("utf-8")


@pytest.mark.parametrize(
    ("query", "yes"),
    [("スペードを一番多く取ると1点？", True), ("スペードは最多枚数で3点？", None), ("スペードは21点まで？", None)],
)
def test_a_suit_is_not_left_out_as_the_name_of_a_game(query: str, *, yes: bool | None) -> None:
    """「スペード」 is a suit where Casino is asked about: without it the question would be another one."""
    found = search("ja", query, games=["casino"], house=GAMES["casino"].options.preset("royal"))
    answer = found_answer(found, answers(found, "ja"), "ja")["answer"]
    assert (answer and answer["yes"]) == yes


@languages
def test_a_table_is_told_yes_and_no(lang: str) -> None:
    """Whatever is asked in a claim's words: the first result is in force, and the word is the one of the options."""
    chance, said = random.Random(lang), Counter[object]()
    for game in GAMES.values():
        for name, claim in chance.sample(claimed := sorted(declared_claims(game, lang).items()), min(20, len(claimed))):
            house = next(tables(game, f"{name}-{lang}", options_of(claim)))
            number = chance.choice([5, 100, 200])
            query = chance.choice(claim.ask).replace("#", str(number))
            found = search(lang, query, games=[game.id], house=house)
            answer = found_answer(found, answers(found, lang), lang)
            code = game.options.code(house)
            if answer["answer"] and answer["answer"]["yes"] is not None:
                said[answer["answer"]["yes"]] += 1
                assert answer["answer"]["yes"] == bool(TRUTH[game.id][name](house.options, number)), (query, code)
            articles = [hit for hit in answer["results"] if hit["kind"] == "article"]
            first = articles[0]["played"] if articles else None
            assert first is not False or not any(hit["played"] for hit in articles), (query, code)
    assert said[True] > 5
    assert said[False] > 20


@pytest.mark.parametrize(
    ("lang", "query", "options", "yes"),
    [
        ("en", "do we lose at minus 200", {"loss_limit": -100}, True),
        ("en", "do we lose at minus 200", {"loss_limit": -500}, False),
        ("en", "do we lose at minus 200", {"loss_limit": None}, False),
        ("en", "is the lower limit minus 200", {"loss_limit": -100}, False),
        ("en", "must I be 50 points behind to bid blind", {"blind_bid": True, "blind_deficit": 100}, None),
        ("en", "must I be 200 points behind to bid blind", {"blind_bid": True, "blind_deficit": 100}, False),
        ("en", "do 12 bags cost points", {}, None),
        ("en", "do 5 bags cost points", {}, False),
        ("ja", "マイナス200点で負け？", {"loss_limit": -100}, True),
        ("ja", "ブラインドビッドは50点負けていないとだめ？", {"blind_bid": True, "blind_deficit": 100}, None),
    ],
)
def test_a_number_beyond_a_limit_is_no_other_limit(
    lang: str, query: str, options: dict[str, object], yes: bool | None
) -> None:
    reply = search(lang, query, games=["spades"], house=GAMES["spades"].options.build("classic", options)).reply
    assert (reply and reply.yes) is yes


@pytest.mark.parametrize(
    ("lang", "query", "game"),
    [
        ("en", "is only the king wild", "spite-and-malice"), ("en", "is the queen wild", "spite-and-malice"),
        ("en", "can I capture my partner's build", "casino"), ("en", "kings", "spite-and-malice"),
        ("en", "how are kings wild", "spite-and-malice"), ("en", "must I capture a build", "casino"),
        ("en", "can I bid 10 or 11", "spades"), ("en", "is the game to at least 300", "spades"),
        ("en", "can clubs be led any time", "spades"),
        ("en", "is there a penalty", "spades"), ("en", "must hearts be broken", "spades"),
        ("en", "can I discard a king", "spite-and-malice"), ("en", "is nil", "spades"),
        ("en", "do sweeps cost points", "casino"), ("en", "is the ace of hearts the highest card", "spades"),
        ("ja", "Qはワイルド？", "spite-and-malice"), ("ja", "ムーン", "spades"), ("ja", "ビルドをくずせる？", "casino"),
        ("ja", "Kだけワイルド？", "spite-and-malice"), ("ja", "ハートはいつでもリードできる？", "spades"),
        ("ja", "ニルとは", "spades"), ("ja", "10は14？", "casino"), ("ja", "スイープは何点？", "casino"),
        ("ja", "Kを捨てられる？", "spite-and-malice"), ("ja", "500点以上で終わり？", "spades"),
        ("ja", "ビルドは取れる？", "casino"), ("ja", "スペードは必ず出す？", "spades"),
    ],
)  # fmt: skip
def test_what_is_nearly_a_claim_gets_neither_word(lang: str, query: str, game: str) -> None:
    reply = search(lang, query, games=[game]).reply
    assert reply is None or reply.yes is None


@pytest.mark.parametrize(
    ("lang", "query", "code", "yes"),
    [
        ("en", "is the game to 300", "classic~t-300", True), ("en", "is the game to 300", "classic", False),
        ("en", "is the bag penalty 50 points?", "classic~bp-50", True), ("en", "do we play to 250?", "plain", False),
        ("en", "does the game end at -200?", "classic~ll--200", True),
        ("en", "does the game end at -200?", "classic", False),
        ("ja", "300点で終わり？", "classic~t-300", True), ("ja", "目標は500点？", "classic", True),
        ("ja", "バッグは7個で罰？", "classic~bt-7", True), ("ja", "バッグは7個で罰？", "classic", False),
        ("en", "is double nil worth 200?", "solo4", True), ("en", "are there jokers?", "jokers", True),
    ],
)  # fmt: skip
def test_a_number_is_compared_with_the_one_of_the_table(lang: str, query: str, code: str, yes: bool) -> None:
    found = search(lang, query, games=["spades"], house=GAMES["spades"].options.decode(code))
    assert found.reply is not None
    assert found.reply.yes is yes


@games
def test_articles_in_place_of_others_exist_and_are_played_where_they_count(game: str) -> None:
    own = GAMES[game]
    anchors = {article.anchor for article in own.articles}
    assert set(own.options.otherwise.values()) <= anchors
    for name, other in own.articles.instead.items():
        made = itertools.islice(tables(own, name, []), TABLES)
        houses = [house for house in made if not own.articles[name].played(house.options)]
        assert any(other.played(house.options) for house in houses), name


if __name__ == "__main__":
    CLAIMED.write_text(claimed_phrases(), "utf-8")

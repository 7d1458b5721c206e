"""The articles of Spades in the order of its page, with the rule numbers they state and where they come from."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from functools import partial
from typing import Final

from companion.engine.articles import Article, Articles

GAME: Final = "spades"
_ABOVE_ZERO: Final = range(1, 10_000)
Setting = dict[str, Collection[object]]
_PAIRS: Setting = {"mode": ("partners4", "partners6")}
_JOKERS = {"deck": ("jokers_minus_twos", "jokers_dealer_discards", "jokers_added", "two_packs_jokers")}
_OWN_NUMBERS = ("A-", "IRR-", "CLB-", "SUI-", "MIR-", "WHZ-", "SIX-")


def _article(
    anchor: str,
    *numbers: str,
    source: str = "",
    reference: str = "",
    when: Mapping[str, Collection[object]] | None = None,
    unless: Mapping[str, Collection[object]] | None = None,
    survey: Mapping[str, Collection[object]] | None = None,
    **values: object,
) -> Article:
    """Return an article that is in force at these values of options, and at some of those in `when`."""
    labels = tuple(number if number.startswith(_OWN_NUMBERS) else f"SPADES-{number}" for number in numbers)
    settings = {**(when or {}), **{name: (value,) for name, value in values.items()}}
    source = source or ("reference" if reference else "seed")
    return Article(f"{GAME}.{anchor}", labels, source, reference, settings, unless or {}, survey or False)


_ours = partial(_article, source="ruling")

ABOUT = _article("about", "005")
AIM = _article("aim", "006")
PLAYERS = _article("players", "001", mode="partners4")
PACK = _article("pack", "002")
DEALER = _article("dealer", "003")
DEALING = _article("dealing", "004")

BID_IN_TURN = _article("bid-in-turn", "010")
BID = _article("bid", "011")
FINAL_BID = _article("final-bid", "012", when=_PAIRS, bid_method="later_partner")
PARTNER_BID = _article("partner-bid", "013", when=_PAIRS, bid_method="later_partner")
BID_CUSTOM = _article("bid-custom", "014", source="table", when=_PAIRS, bid_method="later_partner")
_FREE: Setting = {"bidding_rule": ("free",)}
ZERO_BID = _article("zero-bid", "015", when=_FREE, zero_bid=True)
INDEPENDENT_CONTRACTS = _article("independent-contracts", "016")
NO_ZERO_BID = _article("no-zero-bid", "017", reference="Gamefarm 2007", zero_bid=False)

_NIL: Setting = {"nil": (True,)}
_DOUBLE_NIL: Setting = _NIL | {"double_nil": (True,)}
NIL = _article("nil", "020", when=_NIL)
NIL_TRICK = _article("nil-trick", "021", when=_NIL)
NIL_PARTNER = _article("nil-partner", "022", when=_NIL | _PAIRS)
_APART: Setting = {"bid_method": ("later_partner", "sum")}
NIL_THEN_NUMBER = _article("nil-then-number", "023", when=_NIL | _PAIRS | _APART)
NUMBER_THEN_NIL = _article("number-then-nil", "024", when=_NIL | _PAIRS | _APART)
_SUICIDE: Setting = {"bidding_rule": ("suicide",)}
BOTH_NIL = _ours("both-nil", "025", when=_NIL | _PAIRS, unless=_SUICIDE)
DOUBLE_NIL_BEHIND = _article("double-nil-behind", "026", when=_DOUBLE_NIL, unless={"double_nil_deficit": (0, None)})
DOUBLE_NIL_UNSEEN = _article("double-nil-unseen", "027", when=_DOUBLE_NIL)
EXCHANGE = _article("exchange", "028", when=_DOUBLE_NIL | _PAIRS, unless={"double_nil_exchange": (0,)})

OPENING_LEAD = _article("opening-lead", "030")
TRUMPS = _article("trumps", "031")
FOLLOW_SUIT = _article("follow-suit", "032", source="restored", reference="Pagat, Bicycle")
WHEN_VOID = _article("when-void", "033", source="restored", reference="Pagat")
TRICK_WINNER = _article("trick-winner", "034", source="restored", reference="Pagat")
WINNER_LEADS = _article("winner-leads", "035", source="restored", reference="Pagat")
_UNBROKEN = {"lead_spades_anytime": (False,)}
LEADING_SPADES = _article("leading-spades", "036", when=_UNBROKEN)
ALL_SPADES = _article("all-spades", "037", when=_UNBROKEN)
BREAKING_SPADES = _article("breaking-spades", "038", when=_UNBROKEN)
REVOKE_SHOWN = _ours("revoke-shown", "039")

CONTRACT = _article("contract", "040")
OVERTRICKS = _article("overtricks", "040", overtrick="plus1")
SET = _article("set", "041", set_penalty="bid")
NIL_SCORE = _article("nil-score", "042", when=_NIL)
NIL_AND_CONTRACT = _article("nil-and-contract", "043", when=_NIL | _PAIRS)
FAILED_NIL_TRICKS = _article("failed-nil-tricks", "044", when=_NIL | _PAIRS, failed_nil_tricks="count")
DOUBLE_NIL_SCORE = _article("double-nil-score", "045", when=_DOUBLE_NIL)
TRICKS_TOTAL = _ours("tricks-total", "046")
RUNNING_TOTAL = _article("running-total", "047")
ADJUSTMENT = _ours("adjustment", "A-44")
VOID_DEAL = _ours("void-deal")
ORDER_OF_SCORING = _ours("order-of-scoring")

TARGET = _article("target", "050", "210", unless={"target": (None,)})
HIGHER_WINS = _article("higher-wins", "051")
TIE = _article("tie", "052", reference="Wikipedia and public score keepers")
NO_FLOOR = _ours("no-floor", "053", loss_limit=None)

_SANDBAG: Setting = {"sandbag": (True,)}
_COUNTED = {"overtrick": ("plus1", "zero")}
BAGS = _article("bags", "060", when=_COUNTED)
BAG_PENALTY = _article("bag-penalty", "061", when=_SANDBAG)
BAG_CARRY = _article("bag-carry", "062", reference="Pagat", when=_SANDBAG, bag_reset="carry")
SEVERAL_PENALTIES = _article("several-penalties", "063", when=_SANDBAG)
BAGS_ONLY_OVERTRICKS = _ours("bags-only-overtricks", "064", when=_COUNTED)
PENALTY_TIMING = _ours("penalty-timing", "065", when=_SANDBAG)
BAG_NUMBERS = _article("bag-numbers", "066", reference="public score keepers", when=_SANDBAG)
BAG_RESET = _article("bag-reset", "067", reference="MSN Zone", when=_SANDBAG, bag_reset="empty")

PENALTY_WHEN_NEGATIVE = _article("penalty-when-negative", "068", when=_SANDBAG, penalty_when_negative=False)

SOLO4 = _article("solo4", "100", mode="solo4")
SOLO3 = _article("solo3", "101", mode="solo3")
SOLO3_REMOVED_TWO = _article(
    "solo3-removed-two",
    "102",
    mode="solo3",
    solo3_deck="remove_2c",
    unless={"deck": ("jokers_added",)},
)
DUO_DRAW = _article("duo-draw", "103", mode="duo_draw")
DUO_DRAW_UNSEEN = _article("duo-draw-unseen", "104", when=_DOUBLE_NIL, mode="duo_draw")
DUO_DUMMY = _article("duo-dummy", "105", mode="duo_dummy")
DUMMY_SIDE = _article("dummy-side", "106", mode="duo_dummy")
PARTNERS6 = _article(
    "partners6", "SIX-001", "SIX-002", "SIX-004", reference="public rule pages",
    mode="partners6",
)  # fmt: skip
EQUAL_CARDS = _article(
    "equal-cards", "SIX-003", "SIX-R2", "SIX-R3", reference="public rule pages",
    mode="partners6",
)  # fmt: skip
TWO_PACKS = _ours("two-packs", "SIX-R1", "SIX-R4", "SIX-R5", mode="partners6")
DUMMY_LEADS = _ours("dummy-leads", "107", mode="duo_dummy", dummy_side="left")

JOKERS = _article("jokers", "110", deck="jokers_minus_twos")
JOKERS_DEALER_DISCARDS = _article("jokers-dealer-discards", "111", deck="jokers_dealer_discards")
JOKERS_ADDED = _article("jokers-added", "CLB-013", reference="public rule pages", deck="jokers_added")
JOKERS_ARE_SPADES = _article("jokers-are-spades", "112", when=_JOKERS)
TRUMP_RANK = _article("trump-rank", "120", when=_JOKERS)
DEUCE_HIGH = _article("deuce-high", "121", trump_order="deuce_high")
PROMOTED_TWOS = _article("promoted-twos", "122", unless={"promoted_twos": ((),)})

SUM_BIDDING = _article("sum-bidding", "130", when=_PAIRS, bid_method="sum")
SECOND_ROUND = _article("second-round", "131", second_round=True)
CONSULTATION = _article("consultation", "132", bid_method="consultation")
CONSULTATION_TALK = _article("consultation-talk", "133", bid_method="consultation")
FORBIDDEN_TOTAL = _article("forbidden-total", "134", reference="Pagat", forbid_total_13=True)
FORBIDDEN_NUMBER = _article(
    "forbidden-number", "CLB-008", reference="public rule pages",
    unless={"forbidden_total": (None,)},
)  # fmt: skip
_club = partial(_article, reference="club and tournament rules")
_app = partial(_article, reference="rules of game sites and score keepers")
LEAST_TOTAL = _club("least-total", "CLB-009", "CLB-R6", "CLB-R7", unless={"least_total": (None,)})
FIRST_BIDDER = _club("first-bidder", "CLB-010", "CLB-R5", when={"first_bidder": ("dealer", "other_side")})
_zone = partial(_article, reference="MSN Zone")
SUICIDE = _zone("suicide", "SUI-001", "SUI-002", "SUI-R1", "SUI-R2", when=_SUICIDE)
MIRROR = _zone("mirror", "MIR-001", "MIR-002", "MIR-R1", "MIR-R2", "MIR-R3", bidding_rule="mirror")
WHIZ = _zone("whiz", "WHZ-001", "MIR-002", "MIR-R2", bidding_rule="whiz")
FIRST_HAND = _article("first-hand", "135", reference="Pagat", first_hand_bids_itself=True)

NO_DOUBLE_NIL = _article("no-double-nil", "140", when=_NIL, double_nil=False)
DOUBLE_NIL_ANY_SCORE = _article("double-nil-any-score", "141", when=_DOUBLE_NIL | {"double_nil_deficit": (0, None)})
DOUBLE_NIL_DEFICIT = _article(
    "double-nil-deficit", "142", when=_DOUBLE_NIL, unless={"double_nil_deficit": (0, None, 100)}
)
NO_NIL = _article("no-nil", "143", nil=False)
NIL_VALUES = _article("nil-values", "144", when=_NIL)
NIL_FAILURE = _app("nil-failure", "CLB-007", when=_NIL, unless={"nil_failure": (None,)})
NIL_EXCHANGE = _article("nil-exchange", "145", "A-45", when=_NIL | {"nil_exchange": _ABOVE_ZERO})
NO_EXCHANGE = _article("no-exchange", "146", when=_DOUBLE_NIL | _PAIRS, double_nil_exchange=0)
EXCHANGE_COUNT = _article("exchange-count", "147", when=_DOUBLE_NIL | _PAIRS, unless={"double_nil_exchange": (0,)})
FAILED_NIL_MODES = _article(
    "failed-nil-modes", "148", reference="Pagat, MSN Zone",
    when=_NIL | _PAIRS | {"failed_nil_tricks": ("bags_only", "ignore")},
)  # fmt: skip
TRICKS_WITHOUT_CONTRACT = _ours("tricks-without-contract", "149", "A-07", when=_NIL)
_DOUBLE_BLIND: Setting = _NIL | {"double_blind_nil": (True,)}
DOUBLE_BLIND_NIL = _article("double-blind-nil", "150", when=_DOUBLE_BLIND)
DOUBLE_BLIND_NIL_SCORE = _article("double-blind-nil-score", "151", when=_DOUBLE_BLIND)
DOUBLE_BLIND_NIL_BEHIND = _article("double-blind-nil-behind", "152", when=_DOUBLE_BLIND)
BOTH_NIL_UNIT = _article(
    "both-nil-unit", "153", reference="public score keepers",
    when=_NIL | _PAIRS, both_nil="unit", unless=_SUICIDE,
)  # fmt: skip

_BLIND: Setting = {"blind_bid": (True,)}
BLIND_BID = _article("blind-bid", "155", when=_BLIND)
BLIND_EXACT = _article("blind-exact", "156", when=_BLIND, blind_exact=True)
BLIND_BONUS = _article("blind-bonus", "157", when=_BLIND, blind_reward="bonus100")
BLIND_FAILURE = _app("blind-failure", "CLB-006", when=_BLIND, blind_failure="single", blind_reward="double")
BLIND_HIGHER = _article("blind-higher", "158", when=_BLIND)
BLIND_MINIMUM = _article("blind-minimum", "159", when=_BLIND, unless={"blind_bid_min": (6,)})
BLIND_BEHIND = _article("blind-behind", "160", when=_BLIND)

MOON = _article("moon", "165", when=_FREE, moon=True)
THIRTEEN_IS_MOON = _article("thirteen-is-moon", "166", when=_FREE, thirteen_is_moon=True)
BLIND_MOON = _article("blind-moon", "167", blind_moon=True)
BLIND_MOON_BEHIND = _article("blind-moon-behind", "168", blind_moon=True)

MINIMUM_BID = _article("minimum-bid", "170", unless={"minimum_bid": (0,)})
MINIMUM_WITH_NIL = _article("minimum-with-nil", "171", when=_NIL | _PAIRS, unless={"minimum_bid": (0,)})

LOWEST_CLUB = _article("lowest-club", "180", when={"first_trick": ("lowest_club", "lowest_club_strict")})
LOWEST_CLUB_STRICT = _article("lowest-club-strict", "181", first_trick="lowest_club_strict")
CLUB_TWO_LEADS = _article("club-two-leads", "182", first_leader="club_two")
HIGHEST_BIDDER_LEADS = _article("highest-bidder-leads", "183", first_leader="highest_bidder")
LEAD_ANYTIME = _article("lead-anytime", "184", lead_spades_anytime=True)
FIRST_TRICK_SPADES = _app(
    "first-trick-spades", "CLB-001", "CLB-R9",
    first_trick_spades="forbidden", first_trick="normal",
)  # fmt: skip
CLUB_TWO_MUST_LEAD = _ours("club-two-must-lead", "185", club_two_must_lead=True)

SHORTFALL = _article("shortfall", "190", set_penalty="shortfall")
SET_IS_NOTHING = _app("set-is-nothing", "CLB-005", "CLB-R8", set_penalty="none")
OVERTRICKS_MINUS_ONE = _article("overtricks-minus-one", "191", overtrick="minus1")
OVERTRICKS_MINUS_TEN = _article("overtricks-minus-ten", "192", overtrick="minus10")
NO_BAGS = _article("no-bags", "193", when={"overtrick": ("minus1", "minus10")})
OVERTRICKS_ZERO = _article("overtricks-zero", "194", reference="public score keepers", overtrick="zero")
TEN_BONUS = _article("ten-bonus", "200", ten_bonus="plus200")
EXACT_TEN = _article("exact-ten", "201", ten_bonus="exact200")
TEN_FOR_TWO = _article("ten-for-two", "202", ten_bonus="ten_for_two")
FLAT_TEN = _article("flat-ten", "207", reference="public score keepers", ten_bonus="flat200")
FLAT_TENS = _club("flat-tens", "CLB-011", ten_bonus="flat200_up")
LAST_TRICK = _article("last-trick", "203", last_trick_bonus=True)
LAST_SEQUENCE = _article("last-sequence", "204", last_sequence_bonus=True)
ABOVE_SIX = _article("above-six", "205", above_six_bonus=True)
SMALL_BIDS = _article("small-bids", "206", small_bid_special=True)
ALL_TRICKS_BONUS = _article(
    "all-tricks-bonus", "208", reference="public score keepers", unless={"all_tricks_bonus": (0,)}
)

ALL_TRICKS_WIN = _article("all-tricks-win", "211", all_tricks_wins=True)
MOON_WINS = _article("moon-wins", "212", when=_FREE, moon_wins=True)
LOSS_LIMIT = _article(
    "loss-limit",
    "213",
    reference="MSN Zone and public score keepers",
    unless={"loss_limit": (None,)},
)

DEALS_LIMIT = _club("deals-limit", "CLB-002", "CLB-R2", unless={"deals_limit": (None,)})
TIME_UP = _club("time-up", "CLB-003")
SETS_LOSE = _club("sets-lose", "CLB-004", "CLB-R3", "CLB-R4", unless={"sets_lose": (None,)})
SETS_IN_ROW_LOSE = _club("sets-in-row-lose", "CLB-004", "CLB-R3", unless={"sets_in_row_lose": (None,)})
ORDER_OF_ENDS = _ours("order-of-ends", "CLB-R1")

_NO_REMEDY: Setting = dict.fromkeys(
    ("revoke_remedy", "challenge_lost", "out_of_turn_remedy", "talk_remedy", "misdeal_dealer"), ("none",)
)
_ruled = partial(_ours, survey=_NO_REMEDY)
_printed = partial(_article, survey=_NO_REMEDY, reference="US tournament rules and public rule pages")
IRREGULARITIES = _ruled("irregularities", "IRR-0")
REVOKE_REMEDY = _printed("revoke-remedy", "IRR-S1", "IRR-S3")
GIVEN_TRICKS = _ruled("given-tricks", "IRR-S1f", when={"revoke_remedy": ("tricks", "set")})
CHALLENGE_LOST = _printed("challenge-lost", "IRR-S2")
OUT_OF_TURN_REMEDY = _printed("out-of-turn-remedy", "IRR-S4")
EXPOSED_CARD = _printed("exposed-card", "IRR-S5")
MISDEAL = _printed("misdeal", "IRR-S6")
TALK_REMEDY = _printed("talk-remedy", "IRR-S7")
CALL_CORRECTED = _ruled("call-corrected", "IRR-S7a")
REMEDY_AND_NIL = _ours(
    "remedy-and-nil", "IRR-S8", when=_NIL,
    survey={"challenge_lost": ("none", "same"), "out_of_turn_remedy": ("none", "as_revoke")}
    | dict.fromkeys(("revoke_remedy", "talk_remedy"), ("none",)),
)  # fmt: skip
NEVER_A_GAIN = _ruled("never-a-gain", "IRR-S9")
REMEDY_ORDER = _ruled("remedy-order", "IRR-S10")

ARTICLES: Final = Articles(
    GAME,
    {
        "start": (ABOUT, AIM, PLAYERS, PACK, DEALER, DEALING),
        "bidding": (
            BID_IN_TURN, BID, FINAL_BID, PARTNER_BID, BID_CUSTOM, ZERO_BID, NO_ZERO_BID, INDEPENDENT_CONTRACTS,
        ),
        "nil-and-double-nil": (
            NIL, NIL_TRICK, NIL_PARTNER, NIL_THEN_NUMBER, NUMBER_THEN_NIL, BOTH_NIL,
            DOUBLE_NIL_BEHIND, DOUBLE_NIL_UNSEEN, EXCHANGE,
        ),
        "play": (
            OPENING_LEAD, TRUMPS, FOLLOW_SUIT, WHEN_VOID, TRICK_WINNER, WINNER_LEADS,
            LEADING_SPADES, ALL_SPADES, BREAKING_SPADES, REVOKE_SHOWN,
        ),
        "scoring": (
            CONTRACT, OVERTRICKS, SET, NIL_SCORE, NIL_AND_CONTRACT, FAILED_NIL_TRICKS, DOUBLE_NIL_SCORE, TRICKS_TOTAL,
            RUNNING_TOTAL, ORDER_OF_SCORING, ADJUSTMENT, VOID_DEAL,
        ),
        "end": (TARGET, HIGHER_WINS, TIE, NO_FLOOR),
        "sandbags": (
            BAGS, BAG_PENALTY, BAG_CARRY, SEVERAL_PENALTIES, BAGS_ONLY_OVERTRICKS, PENALTY_TIMING, BAG_NUMBERS,
            BAG_RESET, PENALTY_WHEN_NEGATIVE,
        ),
        "other-numbers": (
            SOLO4, SOLO3, SOLO3_REMOVED_TWO, DUO_DRAW, DUO_DRAW_UNSEEN, DUO_DUMMY, DUMMY_SIDE, DUMMY_LEADS,
            PARTNERS6, EQUAL_CARDS, TWO_PACKS,
        ),
        "jokers-and-ranks": (
            JOKERS, JOKERS_DEALER_DISCARDS, JOKERS_ADDED, JOKERS_ARE_SPADES, TRUMP_RANK, DEUCE_HIGH, PROMOTED_TWOS,
        ),
        "bidding-variants": (
            SUM_BIDDING, SECOND_ROUND, CONSULTATION, CONSULTATION_TALK, FIRST_BIDDER, FORBIDDEN_TOTAL,
            FORBIDDEN_NUMBER, LEAST_TOTAL, FIRST_HAND, MINIMUM_BID, MINIMUM_WITH_NIL, SUICIDE, MIRROR, WHIZ,
        ),
        "nil-variants": (
            NO_NIL, NO_DOUBLE_NIL, DOUBLE_NIL_ANY_SCORE, DOUBLE_NIL_DEFICIT, NIL_VALUES, NIL_FAILURE, NIL_EXCHANGE,
            NO_EXCHANGE, EXCHANGE_COUNT, FAILED_NIL_MODES, TRICKS_WITHOUT_CONTRACT, DOUBLE_BLIND_NIL,
            DOUBLE_BLIND_NIL_SCORE, DOUBLE_BLIND_NIL_BEHIND, BOTH_NIL_UNIT,
        ),
        "blind-and-moon": (
            BLIND_BID, BLIND_EXACT, BLIND_BONUS, BLIND_FAILURE, BLIND_HIGHER, BLIND_MINIMUM, BLIND_BEHIND,
            MOON, THIRTEEN_IS_MOON, BLIND_MOON, BLIND_MOON_BEHIND,
        ),
        "first-trick-and-leads": (
            LOWEST_CLUB, LOWEST_CLUB_STRICT, CLUB_TWO_LEADS, HIGHEST_BIDDER_LEADS, CLUB_TWO_MUST_LEAD,
            FIRST_TRICK_SPADES, LEAD_ANYTIME,
        ),
        "scoring-variants": (
            SHORTFALL, SET_IS_NOTHING, OVERTRICKS_MINUS_ONE, OVERTRICKS_MINUS_TEN, NO_BAGS, OVERTRICKS_ZERO,
            TEN_BONUS, EXACT_TEN, TEN_FOR_TWO, FLAT_TEN, FLAT_TENS, LAST_TRICK, LAST_SEQUENCE, ABOVE_SIX, SMALL_BIDS,
            ALL_TRICKS_BONUS,
        ),
        "end-variants": (
            ALL_TRICKS_WIN, MOON_WINS, SETS_LOSE, SETS_IN_ROW_LOSE, LOSS_LIMIT, DEALS_LIMIT, TIME_UP, ORDER_OF_ENDS,
        ),
        "remedies": (
            IRREGULARITIES, REVOKE_REMEDY, GIVEN_TRICKS, CHALLENGE_LOST, OUT_OF_TURN_REMEDY, EXPOSED_CARD, MISDEAL,
            TALK_REMEDY, CALL_CORRECTED, REMEDY_AND_NIL, NEVER_A_GAIN, REMEDY_ORDER,
        ),
    },
    follows={
        "players": "solo4 solo3 duo-dummy dummy-side partners6",
        "pack": "solo3-removed-two jokers jokers-dealer-discards jokers-added jokers-are-spades trump-rank deuce-high"
            " promoted-twos",
        "dealing": "duo-draw",
        "bid-in-turn": "first-bidder second-round consultation consultation-talk first-hand",
        "bid": "sum-bidding suicide mirror whiz",
        "no-zero-bid": "no-nil minimum-bid",
        "independent-contracts": "forbidden-total forbidden-number least-total",
        "both-nil": "both-nil-unit minimum-with-nil",
        "double-nil-behind": "double-nil-deficit double-nil-any-score no-double-nil",
        "double-nil-unseen": "duo-draw-unseen",
        "exchange": "nil-exchange no-exchange exchange-count double-blind-nil double-blind-nil-behind",
        "nil-and-double-nil": "blind-and-moon",
        "opening-lead":
            "dummy-leads lowest-club lowest-club-strict club-two-leads club-two-must-lead highest-bidder-leads",
        "when-void": "first-trick-spades",
        "trick-winner": "equal-cards two-packs",
        "winner-leads": "lead-anytime",
        "overtricks": "overtricks-zero overtricks-minus-one overtricks-minus-ten",
        "set": "shortfall set-is-nothing",
        "double-nil-score": "nil-values nil-failure double-blind-nil-score",
        "failed-nil-tricks": "failed-nil-modes tricks-without-contract",
        "tricks-total": "ten-bonus exact-ten ten-for-two flat-ten flat-tens last-trick last-sequence above-six"
            " small-bids all-tricks-bonus",
        "scoring": "sandbags",
        "bags": "no-bags",
        "no-floor":
            "loss-limit all-tricks-win moon-wins sets-lose sets-in-row-lose deals-limit time-up order-of-ends",
    },
    instead={
        "duo-draw-unseen": "double-nil-unseen", "double-blind-nil-score": "double-nil-score",
        "double-blind-nil-behind": "double-nil-behind", "consultation": "bid-in-turn",
        "consultation-talk": "bid-in-turn", "no-exchange": "exchange", "no-nil": "nil",
        "final-bid": "sum-bidding", "partner-bid": "sum-bidding", "bid-custom": "sum-bidding",
    },
)  # fmt: skip

"""The articles of Casino in the order of its page: the Swazi game first, then its relatives."""

from __future__ import annotations

from typing import Final

from companion.engine.articles import Articles
from companion.games.casino.declaring import (
    BUILDING,
    COURTS_NUMBERED,
    CUT_FOUR,
    DEMANDED,
    GAME,
    HALVES,
    MAJORITIES,
    PILES,
    PROVEN,
    RAISING,
    SWAZI,
    TWO_ACES,
    article,
    pagat,
    restored,
    ruling,
)
from companion.games.casino.relatives import SECTIONS

ABOUT = article("about", "012")
PLAYERS = article("players", "001")
PACK = article("pack", "002", when={"deck": (52,)})
DIRECTION = article("direction", "003")
DEALER = article("dealer", "004")
FIRST_TABLE_CARDS = article("first-table-cards", "005", when=CUT_FOUR)
DEALING = article("dealing", "006", when=CUT_FOUR)
TWO_HALVES = pagat("two-halves", "007", when=HALVES)
FIRST_HALF = pagat("first-half", "008", when=HALVES)
RECUT = pagat("recut", "009", when={"recut": (True,)})
FIRST_PLAYER = restored("first-player", "010")
CAPTURE_PILE = article("capture-pile", "011")

CARD_VALUES = article("card-values", "101", when=COURTS_NUMBERED)
ACE_VALUES = pagat("ace-values", "102", when=TWO_ACES | {"ace_table": ("1or14",)})
LOOSE_CARDS = pagat("loose-cards", "103")
BUILDS = article("builds", "110", when=BUILDING)
KINDS_OF_BUILD = article("kinds-of-build", "104 105", when=BUILDING)
ANNOUNCEMENT = article("announcement", "106", when=BUILDING)
ONE_BUILD_A_VALUE = article("one-build-a-value", "107", when=BUILDING | {"same_value_builds": ("forbidden",)})
BUILDS_STAY_WHOLE = pagat("builds-stay-whole", "108", when=BUILDING)
OPPONENTS = ruling("opponents", "109")

KINDS_OF_PLAY = restored("kinds-of-play", "201 204", when=SWAZI)
ONE_HAND_CARD = article("one-hand-card", "202", when=SWAZI)
CARDLESS_PLAYS = article("cardless-plays", "203", when=SWAZI)
PLAYS_IN_ORDER = ruling("plays-in-order", "206", when=SWAZI)
FRESH_BUILD_CAPTURED = pagat("fresh-build-captured", "207", when=SWAZI)
NO_RAISE_AND_CAPTURE = pagat("no-raise-and-capture", "208", when=RAISING | SWAZI)

CAPTURE_WITH_HAND_CARD = pagat("capture-with-hand-card", "301")
EQUAL_RANK = article("equal-rank", "302")
SUMS = article("sums", "303 304 305")
ALL_TOGETHER = restored("all-together", "306")
CAPTURE_BUILD = restored("capture-build", "307 309", when=BUILDING)
BUILD_NOT_IN_SUMS = article("build-not-in-sums", "308", when=BUILDING)
NO_PILE_CAPTURE = pagat("no-pile-capture", "310", when={"pile_cards": ("none", "augment")})
TAKEN_CARDS = article("taken-cards", "311")
TAKES_SOMETHING = article("takes-something", "312")
ACE_DECLARED = article("ace-declared", "313", when=TWO_ACES)

DEMAND = article("demand", "401", when=DEMANDED)
PARTNER_SILENT = article("partner-silent", "402", when=DEMANDED)
DEMAND_MEASURE = ruling("demand-measure", "403", when=DEMANDED)
DEMAND_BUILDS = pagat("demand-builds", "404", when=DEMANDED | BUILDING)
DEMAND_ON_TRAIL = article("demand-on-trail", "405", when=DEMANDED)
DEMAND_NOT_ON_BUILDS = pagat("demand-not-on-builds", "406", when=DEMANDED | BUILDING)
DEMAND_AUGMENT = pagat("demand-augment", "407", when=DEMANDED | BUILDING | {"demand_augment": (True,)})
DEMAND_MOMENT = ruling("demand-moment", "408", when=DEMANDED)

SINGLE_BUILD = article("single-build", "501", when=SWAZI)
BUILD_NEEDS_CARD = article("build-needs-card", "502", when=SWAZI)
BUILD_MATERIAL = pagat("build-material", "503", when=SWAZI)
BUILD_VALUE_FREE = article("build-value-free", "504", when=SWAZI | {"same_value_builds": ("forbidden",)})
SEVERAL_BUILDS = article("several-builds", "505", when=SWAZI)
OWNER = article("owner", "506", when=SWAZI)
ACE_IN_BUILD = ruling("ace-in-build", "508", when=BUILDING)

RAISE = restored("raise", "511", when=RAISING | SWAZI)
RAISE_NEEDS_CARD = article("raise-needs-card", "512", when=RAISING | SWAZI)
RAISE_VALUE_FREE = article("raise-value-free", "513", when=RAISING | SWAZI | {"same_value_builds": ("forbidden",)})
RAISE_OWNER = article("raise-owner", "514", when=RAISING | SWAZI)
AUGMENTED_NEVER_RAISED = article("augmented-never-raised", "515", when=RAISING | SWAZI)
OWN_BUILD_NOT_RAISED = pagat("own-build-not-raised", "516", when=SWAZI | {"raise_builds": ("opponents", "others")})
RAISE_TOTAL = article("raise-total", "517", when=RAISING | SWAZI)
RAISED_AGAIN = ruling("raised-again", "518", when=RAISING | SWAZI)

BASE = restored("base", "601 602", when=SWAZI)
NOT_A_BASE = article("not-a-base", "603", when=SWAZI)
LOOSE_BASE_FREE = article("loose-base-free", "604", when=SWAZI | {"same_value_builds": ("forbidden",)})
MATERIAL = restored("material", "605", when=SWAZI)
SET_TOTAL = article("set-total", "606", when=SWAZI)
SEVERAL_SETS = article("several-sets", "607", when=SWAZI)
AUGMENT_NEEDS_CARD = article("augment-needs-card", "608", when=SWAZI)
PILE_TOP = article("pile-top", "609", when=PILES)
ONE_CARD_A_PILE = pagat("one-card-a-pile", "610", when=PILES)
OPPONENTS_PILES = pagat("opponents-piles", "611", when=PILES)
BOTH_PILES = ruling("both-piles", "612", when=PILES)
VALUE_STAYS = article("value-stays", "613", when=SWAZI)
AUGMENT_OWNER = pagat("augment-owner", "614", when=SWAZI)
OPPONENTS_BUILD = article("opponents-build", "615", when=SWAZI)
SMALLEST_AUGMENTED = article("smallest-augmented", "617", when=SWAZI)
FRESH_BASE = article("fresh-base", "618", when=SWAZI)
ACE_AS_SET = pagat("ace-as-set", "619", when=SWAZI | {"ace_table": ("1or14",)})

TRAIL = restored("trail", "701")
TRAIL_ANY_CARD = article("trail-any-card", "702")
OWNER_MAY_TRAIL = pagat("owner-may-trail", "703", when=BUILDING | {"owner_may_trail": (True,)})
KEEP_CAPTURER = pagat("keep-capturer", "704", when=SWAZI | {"keep_capturer": (True,)})
TRAIL_BUILD_VALUE = ruling("trail-build-value", "705", when=BUILDING)

COMMON_PILE = article("common-pile", "801")
COMMON_BUILDS = article("common-builds", "802", when=BUILDING)
PROVEN_CARD = article("proven-card", "803", when=PROVEN)
NO_BORROWED_PROOF = article("no-borrowed-proof", "804", when=PROVEN)
PROOF_ENDS = article("proof-ends", "805", when=PROVEN)
OWN_CARD_TO_CAPTURE = article("own-card-to-capture", "806", when=PROVEN)
REQUEST = article("request", "807 808", when=SWAZI)
REQUEST_OWNER = pagat("request-owner", "809", when=SWAZI)

END_OF_DEAL = article("end-of-deal", "901")
REMAINING_CARDS = article("remaining-cards", "902")
NOBODY_CAPTURED = ruling("nobody-captured", "903")
MOST_CARDS = article("most-cards", "911")
MOST_SPADES = article("most-spades", "912", when=MAJORITIES)
BIG_TEN = article("big-ten", "913")
SPY_TWO = article("spy-two", "914")
ACES = article("aces", "915")
DEAL_TOTAL = ruling("deal-total", "916")
MAJORITY_TIE = article("majority-tie", "917")
NO_SWEEPS = article("no-sweeps", "918", when={"sweep": (0,)})
COUNT_BY_SIDE = ruling("count-by-side", "919")
ADJUSTMENT = ruling("adjustment", "")
VOID_DEAL = ruling("void-deal", "")

TARGET = article("target", "931", unless={"target": (None,)})
HIGHEST_TOTAL = article("highest-total", "932")
FINAL_TIE = article("final-tie", "933")
COMPLETE_DEALS = article("complete-deals", "934")

ARTICLES: Final = Articles(
    GAME,
    {
        "start": (
            ABOUT, PLAYERS, PACK, DIRECTION, DEALER, FIRST_TABLE_CARDS, DEALING, TWO_HALVES, FIRST_HALF, RECUT,
            FIRST_PLAYER, CAPTURE_PILE,
        ),
        "values": (
            CARD_VALUES, ACE_VALUES, LOOSE_CARDS, BUILDS, KINDS_OF_BUILD, ANNOUNCEMENT, ONE_BUILD_A_VALUE,
            BUILDS_STAY_WHOLE, OPPONENTS,
        ),
        "turn": (
            KINDS_OF_PLAY, ONE_HAND_CARD, CARDLESS_PLAYS, PLAYS_IN_ORDER, FRESH_BUILD_CAPTURED, NO_RAISE_AND_CAPTURE,
        ),
        "capture": (
            CAPTURE_WITH_HAND_CARD, EQUAL_RANK, SUMS, ALL_TOGETHER, CAPTURE_BUILD, BUILD_NOT_IN_SUMS, NO_PILE_CAPTURE,
            TAKEN_CARDS, TAKES_SOMETHING, ACE_DECLARED,
        ),
        "demands": (
            DEMAND, PARTNER_SILENT, DEMAND_MEASURE, DEMAND_BUILDS, DEMAND_ON_TRAIL, DEMAND_NOT_ON_BUILDS,
            DEMAND_AUGMENT, DEMAND_MOMENT,
        ),
        "single-builds": (
            SINGLE_BUILD, BUILD_NEEDS_CARD, BUILD_MATERIAL, BUILD_VALUE_FREE, SEVERAL_BUILDS, OWNER, ACE_IN_BUILD,
            RAISE, RAISE_NEEDS_CARD, RAISE_VALUE_FREE, RAISE_OWNER, AUGMENTED_NEVER_RAISED, OWN_BUILD_NOT_RAISED,
            RAISE_TOTAL, RAISED_AGAIN,
        ),
        "augmented-builds": (
            BASE, NOT_A_BASE, LOOSE_BASE_FREE, MATERIAL, SET_TOTAL, SEVERAL_SETS, AUGMENT_NEEDS_CARD, PILE_TOP,
            ONE_CARD_A_PILE, OPPONENTS_PILES, BOTH_PILES, VALUE_STAYS, AUGMENT_OWNER, OPPONENTS_BUILD,
            SMALLEST_AUGMENTED, FRESH_BASE, ACE_AS_SET,
        ),
        "trailing": (TRAIL, TRAIL_ANY_CARD, OWNER_MAY_TRAIL, KEEP_CAPTURER, TRAIL_BUILD_VALUE),
        "partners": (
            COMMON_PILE, COMMON_BUILDS, PROVEN_CARD, NO_BORROWED_PROOF, PROOF_ENDS, OWN_CARD_TO_CAPTURE, REQUEST,
            REQUEST_OWNER,
        ),
        "scoring": (
            END_OF_DEAL, REMAINING_CARDS, NOBODY_CAPTURED, MOST_CARDS, MOST_SPADES, BIG_TEN, SPY_TWO, ACES, DEAL_TOTAL,
            MAJORITY_TIE, NO_SWEEPS, COUNT_BY_SIDE, ADJUSTMENT, VOID_DEAL,
        ),
        "end": (TARGET, HIGHEST_TOTAL, FINAL_TIE, COMPLETE_DEALS),
        **SECTIONS,
    },
)  # fmt: skip

"""The articles of Casino in the order of its page: the Swazi game first, then its relatives."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any, Final

from companion.engine.articles import Article, Articles

GAME: Final = "casino"

_Settings = Mapping[str, Collection[Any]]
_Own = dict[str, tuple[Any, ...]]

PAGAT: Final = "Pagat, African Casino"
PAGAT_CASINO: Final = "Pagat, Casino"
PAGAT_ROYAL: Final = "Pagat, Royal Casino"
PAGAT_NORDIC: Final = "Pagat, Nordic Casino"
KASA: Final = "Pagat, South African Casino; Khasino Association of South Africa"


def _article(
    anchor: str,
    numbers: str,
    *,
    source: str = "seed",
    reference: str = "",
    when: _Settings | None = None,
    unless: _Settings | None = None,
) -> Article:
    labels = tuple(label if "-" in label else f"CASINO-{label}" for label in numbers.split())
    return Article(f"{GAME}.{anchor}", labels, source, reference, when or {}, unless or {})


def _pagat(anchor: str, numbers: str, *, when: _Settings | None = None, unless: _Settings | None = None) -> Article:
    return _article(anchor, numbers, source="reference", reference=PAGAT, when=when, unless=unless)


def _restored(anchor: str, numbers: str, *, when: _Settings | None = None) -> Article:
    return _article(anchor, numbers, source="restored", reference=PAGAT, when=when)


def _ruling(anchor: str, numbers: str, *, when: _Settings | None = None) -> Article:
    return _article(anchor, numbers, source="ruling", when=when)


_CUT_FOUR: _Own = {"deal": ("cut_four",)}
_HALVES: _Own = {"two_player_deal": ("two_halves",)}
_SWAZI: _Own = {"building": ("swazi",)}
_BUILDING: _Own = {"building": ("swazi", "standard")}
_DEMAND: _Own = {"demand": (True,)}
_COURTS_COUNT: _Own = {"court_values": ("11_13",)}
_TWO_ACES: _Own = {"ace_hand": ("1or14",)}
_PILES: _Own = _BUILDING | {"pile_cards": ("augment", "augment_and_capture")}
_RAISE: _Own = _BUILDING | {"raise_builds": ("opponents", "others", "anyone")}
_PROVEN: _Own = _BUILDING | {"partner_build": ("proven",)}
_MAJORITIES: _Own = {"spades_minimum": (None,)}

ABOUT = _article("about", "012")
PLAYERS = _article("players", "001")
PACK = _article("pack", "002", when={"deck": (52,)})
DIRECTION = _article("direction", "003")
DEALER = _article("dealer", "004")
FIRST_TABLE_CARDS = _article("first-table-cards", "005", when=_CUT_FOUR)
DEALING = _article("dealing", "006", when=_CUT_FOUR)
TWO_HALVES = _pagat("two-halves", "007", when=_HALVES)
FIRST_HALF = _pagat("first-half", "008", when=_HALVES)
RECUT = _pagat("recut", "009", when={"recut": (True,)})
FIRST_PLAYER = _restored("first-player", "010")
CAPTURE_PILE = _article("capture-pile", "011")

CARD_VALUES = _article("card-values", "101", when=_COURTS_COUNT)
ACE_VALUES = _pagat("ace-values", "102", when=_TWO_ACES | {"ace_table": ("1or14",)})
LOOSE_CARDS = _pagat("loose-cards", "103")
BUILDS = _article("builds", "110", when=_BUILDING)
KINDS_OF_BUILD = _article("kinds-of-build", "104 105", when=_BUILDING)
ANNOUNCEMENT = _article("announcement", "106", when=_BUILDING)
ONE_BUILD_A_VALUE = _article("one-build-a-value", "107", when=_BUILDING | {"same_value_builds": ("forbidden",)})
BUILDS_STAY_WHOLE = _pagat("builds-stay-whole", "108", when=_BUILDING)
OPPONENTS = _ruling("opponents", "109")

KINDS_OF_PLAY = _restored("kinds-of-play", "201 204", when=_SWAZI)
ONE_HAND_CARD = _article("one-hand-card", "202", when=_SWAZI)
CARDLESS_PLAYS = _article("cardless-plays", "203", when=_SWAZI)
PLAYS_IN_ORDER = _ruling("plays-in-order", "206", when=_SWAZI)
FRESH_BUILD_CAPTURED = _pagat("fresh-build-captured", "207", when=_SWAZI)
NO_RAISE_AND_CAPTURE = _pagat("no-raise-and-capture", "208", when=_RAISE | _SWAZI)

CAPTURE_WITH_HAND_CARD = _pagat("capture-with-hand-card", "301")
EQUAL_RANK = _article("equal-rank", "302")
SUMS = _article("sums", "303 304 305")
ALL_TOGETHER = _restored("all-together", "306")
CAPTURE_BUILD = _restored("capture-build", "307 309", when=_BUILDING)
BUILD_NOT_IN_SUMS = _article("build-not-in-sums", "308", when=_BUILDING)
NO_PILE_CAPTURE = _pagat("no-pile-capture", "310", when={"pile_cards": ("none", "augment")})
TAKEN_CARDS = _article("taken-cards", "311")
TAKES_SOMETHING = _article("takes-something", "312")
ACE_DECLARED = _article("ace-declared", "313", when=_TWO_ACES)

DEMAND = _article("demand", "401", when=_DEMAND)
PARTNER_SILENT = _article("partner-silent", "402", when=_DEMAND)
DEMAND_MEASURE = _ruling("demand-measure", "403", when=_DEMAND)
DEMAND_BUILDS = _pagat("demand-builds", "404", when=_DEMAND | _BUILDING)
DEMAND_ON_TRAIL = _article("demand-on-trail", "405", when=_DEMAND)
DEMAND_NOT_ON_BUILDS = _pagat("demand-not-on-builds", "406", when=_DEMAND | _BUILDING)
DEMAND_AUGMENT = _pagat("demand-augment", "407", when=_DEMAND | _BUILDING | {"demand_augment": (True,)})
DEMAND_MOMENT = _ruling("demand-moment", "408", when=_DEMAND)

SINGLE_BUILD = _article("single-build", "501", when=_SWAZI)
BUILD_NEEDS_CARD = _article("build-needs-card", "502", when=_SWAZI)
BUILD_MATERIAL = _pagat("build-material", "503", when=_SWAZI)
BUILD_VALUE_FREE = _article("build-value-free", "504", when=_SWAZI | {"same_value_builds": ("forbidden",)})
SEVERAL_BUILDS = _article("several-builds", "505", when=_SWAZI)
OWNER = _article("owner", "506", when=_SWAZI)
ACE_IN_BUILD = _ruling("ace-in-build", "508", when=_BUILDING)

RAISE = _restored("raise", "511", when=_RAISE | _SWAZI)
RAISE_NEEDS_CARD = _article("raise-needs-card", "512", when=_RAISE | _SWAZI)
RAISE_VALUE_FREE = _article("raise-value-free", "513", when=_RAISE | _SWAZI | {"same_value_builds": ("forbidden",)})
RAISE_OWNER = _article("raise-owner", "514", when=_RAISE | _SWAZI)
AUGMENTED_NEVER_RAISED = _article("augmented-never-raised", "515", when=_RAISE | _SWAZI)
OWN_BUILD_NOT_RAISED = _pagat("own-build-not-raised", "516", when=_SWAZI | {"raise_builds": ("opponents", "others")})
RAISE_TOTAL = _article("raise-total", "517", when=_RAISE | _SWAZI)
RAISED_AGAIN = _ruling("raised-again", "518", when=_RAISE | _SWAZI)

BASE = _restored("base", "601 602", when=_SWAZI)
NOT_A_BASE = _article("not-a-base", "603", when=_SWAZI)
LOOSE_BASE_FREE = _article("loose-base-free", "604", when=_SWAZI | {"same_value_builds": ("forbidden",)})
MATERIAL = _restored("material", "605", when=_SWAZI)
SET_TOTAL = _article("set-total", "606", when=_SWAZI)
SEVERAL_SETS = _article("several-sets", "607", when=_SWAZI)
AUGMENT_NEEDS_CARD = _article("augment-needs-card", "608", when=_SWAZI)
PILE_TOP = _article("pile-top", "609", when=_PILES)
ONE_CARD_A_PILE = _pagat("one-card-a-pile", "610", when=_PILES)
OPPONENTS_PILES = _pagat("opponents-piles", "611", when=_PILES)
BOTH_PILES = _ruling("both-piles", "612", when=_PILES)
VALUE_STAYS = _article("value-stays", "613", when=_SWAZI)
AUGMENT_OWNER = _pagat("augment-owner", "614", when=_SWAZI)
OPPONENTS_BUILD = _article("opponents-build", "615", when=_SWAZI)
SMALLEST_AUGMENTED = _article("smallest-augmented", "617", when=_SWAZI)
FRESH_BASE = _article("fresh-base", "618", when=_SWAZI)
ACE_AS_SET = _pagat("ace-as-set", "619", when=_SWAZI | {"ace_table": ("1or14",)})

TRAIL = _restored("trail", "701")
TRAIL_ANY_CARD = _article("trail-any-card", "702")
OWNER_MAY_TRAIL = _pagat("owner-may-trail", "703", when=_BUILDING | {"owner_may_trail": (True,)})
KEEP_CAPTURER = _pagat("keep-capturer", "704", when=_SWAZI | {"keep_capturer": (True,)})
TRAIL_BUILD_VALUE = _ruling("trail-build-value", "705", when=_BUILDING)

COMMON_PILE = _article("common-pile", "801")
COMMON_BUILDS = _article("common-builds", "802", when=_BUILDING)
PROVEN_CARD = _article("proven-card", "803", when=_PROVEN)
NO_BORROWED_PROOF = _article("no-borrowed-proof", "804", when=_PROVEN)
PROOF_ENDS = _article("proof-ends", "805", when=_PROVEN)
OWN_CARD_TO_CAPTURE = _article("own-card-to-capture", "806", when=_PROVEN)
REQUEST = _article("request", "807 808", when=_SWAZI)
REQUEST_OWNER = _pagat("request-owner", "809", when=_SWAZI)

END_OF_DEAL = _article("end-of-deal", "901")
REMAINING_CARDS = _article("remaining-cards", "902")
NOBODY_CAPTURED = _ruling("nobody-captured", "903")
MOST_CARDS = _article("most-cards", "911")
MOST_SPADES = _article("most-spades", "912", when=_MAJORITIES)
BIG_TEN = _article("big-ten", "913")
SPY_TWO = _article("spy-two", "914")
ACES = _article("aces", "915")
DEAL_TOTAL = _ruling("deal-total", "916")
MAJORITY_TIE = _article("majority-tie", "917")
NO_SWEEPS = _article("no-sweeps", "918", when={"sweep": (0,)})
COUNT_BY_SIDE = _ruling("count-by-side", "919")
ADJUSTMENT = _ruling("adjustment", "")
VOID_DEAL = _ruling("void-deal", "")

TARGET = _article("target", "931", unless={"target": (None,)})
HIGHEST_TOTAL = _article("highest-total", "932")
FINAL_TIE = _article("final-tie", "933")
COMPLETE_DEALS = _article("complete-deals", "934")


def _reference(
    reference: str, anchor: str, numbers: str, when: _Settings | None = None, unless: _Settings | None = None
) -> Article:
    return _article(anchor, numbers, source="reference", reference=reference, when=when, unless=unless)


def _casino(anchor: str, numbers: str, when: _Settings | None = None, unless: _Settings | None = None) -> Article:
    return _reference(PAGAT_CASINO, anchor, numbers, when, unless)


_STANDARD: _Own = {"building": ("standard",)}
_NO_COURTS: _Own = {"court_values": ("none",), "deck": (52,)}
_STANDARD_RAISE: _Own = _RAISE | _STANDARD

ROUNDS_OF_FOUR = _casino("rounds-of-four", "STD-001", {"deal": ("fours",)})
COURTS_WITHOUT_NUMBER = _casino("courts-without-number", "STD-101", _NO_COURTS)
GIVEN_VALUES = _casino("given-values", "STD-102")
STANDARD_TURN = _casino("standard-turn", "STD-201", unless={"building": ("swazi",)})
COURT_CAPTURE = _casino("court-capture", "STD-302", _NO_COURTS)
COURT_TAKE = _casino("court-take", "STD-303", {"court_take": ("one", "one_or_three")})
CAPTURE_OPTIONAL = _casino("capture-optional", "STD-304", {"demand": (False,)})
STANDARD_CAPTURE = _casino("standard-capture", "STD-301 STD-305", unless={"building": ("swazi",)})
STANDARD_BUILD_CAPTURE = _casino("standard-build-capture", "STD-306 STD-307", _STANDARD)
BUILDER_HOLDS = _casino("builder-holds", "STD-401", _STANDARD)
NO_COURTS_IN_BUILDS = _casino("no-courts-in-builds", "STD-402", _BUILDING | _NO_COURTS)
PLAYED_CARD_IN_BUILD = _casino("played-card-in-build", "STD-403", _BUILDING | {"table_only_build": (False,)})
BUILD_TOTAL = _casino("build-total", "STD-404", _STANDARD)
MULTIPLE_BUILD = _casino("multiple-build", "STD-405 STD-406", _STANDARD)
CONTROLLER = _casino("controller", "STD-407 STD-408", _STANDARD)
SAME_VALUE_BUILDS = _casino("same-value-builds", "STD-409", _STANDARD)
STANDARD_RAISE = _casino("standard-raise", "STD-501", _STANDARD_RAISE)
NO_LOOSE_CARD_IN_RAISE = _casino("no-loose-card-in-raise", "STD-502", _STANDARD_RAISE)
MULTIPLE_NEVER_RAISED = _casino("multiple-never-raised", "STD-503", _STANDARD_RAISE)
ADDING = _casino("adding", "STD-504", _STANDARD)
ABSORBING = _casino("absorbing", "STD-505", _STANDARD_RAISE)
STANDARD_BUILDS_WHOLE = _casino("standard-builds-whole", "STD-506", _STANDARD)
OWNER_MAY_NOT_TRAIL = _casino("owner-may-not-trail", "STD-601", _BUILDING | {"owner_may_trail": (False,)})
KEEP_NUMBER = _casino("keep-number", "STD-602", _STANDARD | {"keep_capturer": (True,)})
TRAIL_A_CAPTURER = _casino("trail-a-capturer", "STD-603", {"trail_equal": (True,)}, {"building": ("swazi",)})
SWEEPS = _casino("sweeps", "STD-701", unless={"sweep": (0,)})
REST_IS_NO_SWEEP = _casino("rest-is-no-sweep", "STD-702", unless={"sweep": (0,)})
STANDARD_POINTS = _casino("standard-points", "STD-801", unless={"building": ("swazi",)})
TIE_VARIANTS = _casino("tie-variants", "STD-802", {"cards_tie": ("split",)})
STANDARD_END = _casino("standard-end", "STD-803", unless={"building": ("swazi",)})
SINGLE_DEAL = _casino("single-deal", "STD-804", {"target": (None,)})
SCORE_VARIANTS = _casino("score-variants", "STD-804", unless={"building": ("swazi",)})
BUILD_VARIANTS = _casino("build-variants", "STD-901", _STANDARD)


def _royal(anchor: str, numbers: str, when: _Settings | None = None, unless: _Settings | None = None) -> Article:
    return _reference(PAGAT_ROYAL, anchor, numbers, when, unless)


_ROYAL: _Own = _STANDARD | _COURTS_COUNT
COURTS_COUNT = _royal("courts-count", "ROY-101", _ROYAL)
ROYAL_ACE = _royal("royal-ace", "ROY-102", _TWO_ACES | {"ace_table": ("1",)})
ROYAL_BUILDS = _royal("royal-builds", "ROY-103", _ROYAL)
ROYAL_REST = _royal("royal-rest", "ROY-104", _ROYAL)
SPECIAL_VALUES = _royal("special-values", "ROY-105", {"special_hand_values": (True,)})
DOMINICAN_DIRECTION = _royal("dominican-direction", "ROY-201", _STANDARD | {"direction": ("anticlockwise",)})
SWEEPS_CANCEL = _royal("sweeps-cancel", "ROY-202", {"sweep_cancel": (True,)})
DOMINICAN_END = _royal("dominican-end", "ROY-203", {"trail_equal": (False,)})
NO_PARTNER_CARD = _royal("no-partner-card", "ROY-204", _BUILDING | {"partner_build": ("none",)})
EQUAL_CARDS_TAKEN = _royal("equal-cards-taken", "ROY-205", {"trail_equal": (False,)})
OTHERS_BUILDS_RAISED = _royal("others-builds-raised", "ROY-206", _BUILDING | {"raise_builds": ("others",)})
NO_RAISING = _ruling("no-raising", "", when=_BUILDING | {"raise_builds": ("never",)})


def _nordic(anchor: str, numbers: str, when: _Settings) -> Article:
    return _reference(PAGAT_NORDIC, anchor, numbers, when)


_NORDIC: _Own = {"building": ("none",)}
NORDIC_PLAY = _nordic("nordic-play", "NOR-101", _NORDIC)
NO_BUILDING = _nordic("no-building", "NOR-301", _NORDIC)
FINNISH_VALUES = _nordic("finnish-values", "NOR-102", {"ace_hand": ("14",)})
LAST_CAPTURE = _article(
    "last-capture", "NOR-103", source="reference", reference=PAGAT_NORDIC, unless={"last_capture_points": (0,)}
)
FINNISH_SCORE = _nordic("finnish-score", "NOR-104", _NORDIC | {"sweep_cancel": (True,)})


def _south(anchor: str, numbers: str, when: _Settings | None = None, unless: _Settings | None = None) -> Article:
    return _reference(KASA, anchor, numbers, when, unless)


_FORTY: _Own = {"deck": (40,)}
FORTY_CARDS = _south("forty-cards", "SAF-101", _FORTY)
SOUTH_AFRICAN_DEAL = _south("south-african-deal", "SAF-102", {"deal": ("south_african",)})
PILE_TOPS_TAKEN = _south("pile-tops-taken", "SAF-103", {"pile_cards": ("augment_and_capture",)})
ONE_BUILD_A_PLAYER = _south("one-build-a-player", "SAF-104", _BUILDING | {"builds_per_player": (1,)})
SOUTH_AFRICAN_RAISE = _south("south-african-raise", "SAF-105", _FORTY | _RAISE)
PILE_ORDER = _south("pile-order", "SAF-106", _FORTY)
ENOUGH_SPADES = _south("enough-spades", "SAF-107", unless={"spades_minimum": (None,)})
SHUTOUT = _south("shutout", "SAF-107", {"shutout": (True,)})
NO_MAJORITIES = _south("no-majorities", "SAF-107", {"majorities": ("two_sides_only",)})

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
        "standard": (
            ROUNDS_OF_FOUR, COURTS_WITHOUT_NUMBER, GIVEN_VALUES, STANDARD_TURN, COURT_CAPTURE, COURT_TAKE,
            CAPTURE_OPTIONAL, STANDARD_CAPTURE, STANDARD_BUILD_CAPTURE, BUILDER_HOLDS, NO_COURTS_IN_BUILDS,
            PLAYED_CARD_IN_BUILD, BUILD_TOTAL, MULTIPLE_BUILD, CONTROLLER, SAME_VALUE_BUILDS, STANDARD_RAISE,
            NO_LOOSE_CARD_IN_RAISE, MULTIPLE_NEVER_RAISED, ADDING, ABSORBING, STANDARD_BUILDS_WHOLE,
            OWNER_MAY_NOT_TRAIL, KEEP_NUMBER, TRAIL_A_CAPTURER, SWEEPS, REST_IS_NO_SWEEP, STANDARD_POINTS, TIE_VARIANTS,
            STANDARD_END, SINGLE_DEAL, SCORE_VARIANTS, BUILD_VARIANTS,
        ),
        "royal": (
            COURTS_COUNT, ROYAL_ACE, ROYAL_BUILDS, ROYAL_REST, SPECIAL_VALUES, DOMINICAN_DIRECTION, SWEEPS_CANCEL,
            DOMINICAN_END, NO_PARTNER_CARD, EQUAL_CARDS_TAKEN, OTHERS_BUILDS_RAISED, NO_RAISING,
        ),
        "nordic": (NORDIC_PLAY, NO_BUILDING, FINNISH_VALUES, LAST_CAPTURE, FINNISH_SCORE),
        "south-african": (
            FORTY_CARDS, SOUTH_AFRICAN_DEAL, PILE_TOPS_TAKEN, ONE_BUILD_A_PLAYER, SOUTH_AFRICAN_RAISE, PILE_ORDER,
            ENOUGH_SPADES, SHUTOUT, NO_MAJORITIES,
        ),
    },
)  # fmt: skip

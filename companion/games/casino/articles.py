"""The articles of Casino in the order of its page: the Swazi game first, then its relatives."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from functools import partial
from typing import Final

from companion.engine.articles import Article, Articles

GAME: Final = "casino"

Settings = Mapping[str, Collection[object]]
Own = dict[str, tuple[object, ...]]

PAGAT: Final = "Pagat, African Casino"
PAGAT_CASINO: Final = "Pagat, Casino"
PAGAT_ROYAL: Final = "Pagat, Royal Casino"
PAGAT_NORDIC: Final = "Pagat, Nordic Casino"
KASA: Final = "Pagat, South African Casino; Khasino Association of South Africa"
BOOKS: Final = "Britannica; Foster, Complete Hoyle"
JAPANESE: Final = "Playing Card Stadium; Quiz Castle"
SPADE: Final = "Bicycle; Pagat, Casino"
DRAW: Final = "Foster, Complete Hoyle; Cats at Cards"


def article(
    anchor: str,
    numbers: str,
    when: Settings | None = None,
    unless: Settings | None = None,
    *,
    source: str = "seed",
    reference: str = "",
    survey: bool | Settings = False,
) -> Article:
    """Return an article by its anchor and its numbers in the rules; bare numbers are those of the Swazi game.

    A survey is for the chapters of the whole book only: what others play, or a relative's rules in short.
    """
    labels = tuple(label if "-" in label else f"CASINO-{label}" for label in numbers.split())
    return Article(f"{GAME}.{anchor}", labels, source, reference, when or {}, unless or {}, survey=survey)


pagat = partial(article, source="reference", reference=PAGAT)
"""What the reference on the Swazi game adds."""
restored = partial(article, source="restored", reference=PAGAT)
"""What the source lost, restored from that reference."""
ruling = partial(article, source="ruling")
"""A decision of ours."""
_casino = partial(article, source="reference", reference=PAGAT_CASINO)
_royal = partial(article, source="reference", reference=PAGAT_ROYAL)
_nordic = partial(article, source="reference", reference=PAGAT_NORDIC)
_south = partial(article, source="reference", reference=KASA)
_books = partial(article, source="reference", reference=BOOKS)
_japan = partial(article, source="reference", reference=JAPANESE)
_spade = partial(article, source="reference", reference=SPADE)
_draw = partial(article, source="reference", reference=DRAW)


CUT_FOUR: Own = {"deal": ("cut_four",)}
HALVES: Own = {"two_player_deal": ("two_halves",)}
SWAZI: Own = {"building": ("swazi",)}
BUILDING: Own = {"building": ("swazi", "standard")}
DEMANDED: Own = {"demand": (True,)}
COURTS_NUMBERED: Own = {"court_values": ("11_13",)}
TWO_ACES: Own = {"ace_hand": ("1or14",)}
PILES: Own = {"pile_cards": ("augment", "augment_and_capture")}
RAISING: Own = BUILDING | {"raise_builds": ("opponents", "others", "anyone")}
PAIRS: Own = {"partners": ("opposite",)}
PROVEN: Own = BUILDING | PAIRS | {"partner_build": ("proven",)}
MAJORITIES: Own = {"spades_minimum": (None,)}


PLAYERS = article("players", "001")
PACK = article("pack", "002", when={"deck": (52,)})
DIRECTION = article("direction", "003")
DEALER = article("dealer", "004")
FIRST_TABLE_CARDS = article("first-table-cards", "005", when=CUT_FOUR)
DEALING = article("dealing", "006", when=CUT_FOUR)
TWO_HALVES = pagat("two-halves", "007", when=HALVES)
FIRST_HALF = pagat("first-half", "008", when=HALVES | BUILDING)
RECUT = pagat("recut", "009", when=CUT_FOUR | {"recut": (True,)})
FIRST_PLAYER = restored("first-player", "010")

_WITH_COURTS: Own = {"deck": (52, 49)}
CARD_VALUES = article("card-values", "101", when=COURTS_NUMBERED | _WITH_COURTS)
ACE_VALUES = pagat("ace-values", "102", when=TWO_ACES | {"ace_table": ("1or14",)})
LOOSE_CARDS = pagat("loose-cards", "103")
BUILDS = article("builds", "110", when=BUILDING)
KINDS_OF_BUILD = article("kinds-of-build", "104 105", when=SWAZI)
ONE_BUILD_A_VALUE = article("one-build-a-value", "107", when=BUILDING | {"same_value_builds": ("forbidden",)})
BUILDS_STAY_WHOLE = pagat("builds-stay-whole", "108", when=SWAZI)

ONE_HAND_CARD = article("one-hand-card", "202", when=SWAZI)

CAPTURE_WITH_HAND_CARD = pagat("capture-with-hand-card", "301")
EQUAL_RANK = article("equal-rank", "302")
SUMS = article("sums", "303 304 305")
CAPTURE_BUILD = restored("capture-build", "307 309", when=BUILDING)
BUILD_NOT_IN_SUMS = article("build-not-in-sums", "308", when=BUILDING)
NO_PILE_CAPTURE = pagat("no-pile-capture", "310", when={"pile_cards": ("none", "augment")})
TAKES_SOMETHING = article("takes-something", "312")
ACE_DECLARED = article("ace-declared", "313", when=TWO_ACES)

DEMAND = article("demand", "401", when=DEMANDED)
PARTNER_SILENT = article("partner-silent", "402", when=DEMANDED | PAIRS)
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

RAISE = restored("raise", "511", when=RAISING | SWAZI)
RAISE_NEEDS_CARD = article("raise-needs-card", "512", when=RAISING | SWAZI)
RAISE_VALUE_FREE = article("raise-value-free", "513", when=RAISING | {"same_value_builds": ("forbidden",)})
AUGMENTED_NEVER_RAISED = article("augmented-never-raised", "515", when=RAISING | SWAZI)
OWN_BUILD_NOT_RAISED = pagat("own-build-not-raised", "516", when=SWAZI | {"raise_builds": ("opponents", "others")})
RAISE_TOTAL = article("raise-total", "517", when=RAISING | SWAZI)

BASE = restored("base", "601 602", when=SWAZI)
NOT_A_BASE = article("not-a-base", "603", when=SWAZI)
LOOSE_BASE_FREE = article("loose-base-free", "604", when=SWAZI | {"same_value_builds": ("forbidden",)})
MATERIAL = restored("material", "605", when=SWAZI)
SET_TOTAL = article("set-total", "606", when=SWAZI)
AUGMENT_NEEDS_CARD = article("augment-needs-card", "608", when=SWAZI)
PILE_TOP = article("pile-top", "609", when=PILES)
ONE_CARD_A_PILE = pagat("one-card-a-pile", "610", when=PILES)
OPPONENTS_PILES = pagat("opponents-piles", "611", when=PILES)
VALUE_STAYS = article("value-stays", "613", when=SWAZI)
OPPONENTS_BUILD = article("opponents-build", "615", when=SWAZI)
SMALLEST_AUGMENTED = article("smallest-augmented", "617", when=SWAZI)

TRAIL = restored("trail", "701")
TRAIL_ANY_CARD = article("trail-any-card", "702", when={"trail_capturing": (True,)})
OWNER_MAY_TRAIL = pagat("owner-may-trail", "703", when=BUILDING | {"owner_may_trail": (True,)})
KEEP_CAPTURER = pagat("keep-capturer", "704", when=SWAZI | {"keep_capturer": (True,)})
TRAIL_BUILD_VALUE = ruling("trail-build-value", "705", when=BUILDING | {"trail_capturing": (True,)})

COMMON_PILE = article("common-pile", "801", when=PAIRS)
PROVEN_CARD = article("proven-card", "803", when=PROVEN)
OWN_CARD_TO_CAPTURE = article("own-card-to-capture", "806", when=PROVEN | SWAZI)
REQUEST = article("request", "807 808", when=SWAZI | PAIRS)
REQUEST_OWNER = pagat("request-owner", "809", when=SWAZI | PAIRS)

END_OF_DEAL = article("end-of-deal", "901")
REMAINING_CARDS = article("remaining-cards", "902")
NOBODY_CAPTURED = ruling("nobody-captured", "903")
MOST_CARDS = article("most-cards", "911", unless={"cards_points": (0,)})
MOST_SPADES = article("most-spades", "912", when=MAJORITIES, unless={"spades_points": (0,)})
BIG_TEN = article("big-ten", "913", unless={"big_ten_points": (0,)})
SPY_TWO = article("spy-two", "914", unless={"spy_two_points": (0,)})
ACES = article("aces", "915", unless={"ace_points": (0,)})
MAJORITY_TIE = article("majority-tie", "917")
NO_SWEEPS = article("no-sweeps", "918", when={"sweep": (0,)})
COUNT_BY_SIDE = ruling("count-by-side", "919")

TARGET = article("target", "931 END-001", unless={"target": (None,)})
_LATER: Own = {"ending": ("claim", "as_taken")}
HIGHEST_TOTAL = article("highest-total", "932", when={"ending": ("highest",)}, unless={"target": (None,)})
FINAL_TIE = article("final-tie", "933", unless=_LATER)


_STANDARD: Own = {"building": ("standard",)}
_NO_COURTS: Own = {"court_values": ("none",)} | _WITH_COURTS
_STANDARD_RAISE: Own = RAISING | _STANDARD
_CARDS_AND_ACES: Own = {"big_ten_points": (2,), "spy_two_points": (1,), "ace_points": (1,)}
_ELEVEN: Own = _CARDS_AND_ACES | MAJORITIES | {"cards_points": (3,), "spades_points": (1,)}

ROUNDS_OF_FOUR = _casino("rounds-of-four", "STD-001", {"deal": ("fours",)}, {"deck": (49,)})
COURTS_WITHOUT_NUMBER = _casino("courts-without-number", "STD-101", _NO_COURTS)
GIVEN_VALUES = _casino("given-values", "STD-102")
STANDARD_TURN = _casino("standard-turn", "STD-201", unless={"building": ("swazi",)})
COURT_CAPTURE = _casino("court-capture", "STD-302", _NO_COURTS)
COURT_TAKE = _casino("court-take", "STD-303", {"court_take": ("one", "one_or_three"), "deck": (52, 49)})
CAPTURE_OPTIONAL = _casino("capture-optional", "STD-304", {"demand": (False,)})
STANDARD_CAPTURE = _casino("standard-capture", "STD-301 STD-305", unless={"building": ("swazi",)})
STANDARD_BUILD_CAPTURE = _casino("standard-build-capture", "STD-306 STD-307", _STANDARD)
BUILDER_HOLDS = _casino("builder-holds", "STD-401", _STANDARD)
NO_COURTS_IN_BUILDS = _casino("no-courts-in-builds", "STD-402", BUILDING | _NO_COURTS)
PLAYED_CARD_IN_BUILD = _casino("played-card-in-build", "STD-403", BUILDING | {"table_only_build": (False,)})
BUILD_TOTAL = _casino("build-total", "STD-404", _STANDARD)
MULTIPLE_BUILD = _casino("multiple-build", "STD-405 STD-406", _STANDARD)
SAME_VALUE_BUILDS = _casino("same-value-builds", "STD-409", _STANDARD)
STANDARD_RAISE = _casino("standard-raise", "STD-501", _STANDARD_RAISE)
NO_LOOSE_CARD_IN_RAISE = _casino("no-loose-card-in-raise", "STD-502", _STANDARD_RAISE)
MULTIPLE_NEVER_RAISED = _casino("multiple-never-raised", "STD-503", _STANDARD_RAISE)
ADDING = _casino("adding", "STD-504", _STANDARD)
ABSORBING = _casino("absorbing", "STD-505", _STANDARD_RAISE)
STANDARD_BUILDS_WHOLE = _casino("standard-builds-whole", "STD-506", _STANDARD)
OWNER_MAY_NOT_TRAIL = _casino("owner-may-not-trail", "STD-601", BUILDING | {"owner_may_trail": (False,)})
KEEP_NUMBER = _casino("keep-number", "STD-602", _STANDARD | {"keep_capturer": (True,)})
SWEEPS = _casino("sweeps", "STD-701", unless={"sweep": (0,)})
STANDARD_POINTS = _casino("standard-points", "STD-801", survey=True)
TIE_VARIANTS = _casino("tie-variants", "STD-802", survey=True)
SINGLE_DEAL = _casino("single-deal", "STD-804", {"target": (None,)})


_ROYAL: Own = _STANDARD | COURTS_NUMBERED | _WITH_COURTS
COURTS_COUNT = _royal("courts-count", "ROY-101", _ROYAL)
ROYAL_ACE = _royal("royal-ace", "ROY-102", TWO_ACES | {"ace_table": ("1",)})
SPECIAL_VALUES = _royal("special-values", "ROY-105", {"special_hand_values": (True,)})
DOMINICAN_DIRECTION = _royal("dominican-direction", "ROY-201", survey=True)
SWEEPS_CANCEL = _royal("sweeps-cancel", "ROY-202", {"sweep_cancel": (True,)})
NO_PARTNER_CARD = _royal("no-partner-card", "ROY-204", BUILDING | {"partner_build": ("none",)})
EQUAL_CARDS_TAKEN = _royal("equal-cards-taken", "ROY-205", {"trail_equal": (False,)})
OTHERS_BUILDS_RAISED = _royal("others-builds-raised", "ROY-206", BUILDING | {"raise_builds": ("others",)})
NO_RAISING = ruling("no-raising", "", when=BUILDING | {"raise_builds": ("never",)})


_NORDIC: Own = {"building": ("none",)}
NO_BUILDING = _nordic("no-building", "NOR-301", _NORDIC)
FINNISH_VALUES = _nordic("finnish-values", "NOR-102", {"ace_hand": ("14",)})
LAST_CAPTURE = _nordic("last-capture", "NOR-103", unless={"last_capture_points": (0,)})
FINNISH_SCORE = _nordic(
    "finnish-score", "NOR-104",
    _NORDIC | _CARDS_AND_ACES | MAJORITIES
    | {
        "cards_points": (1,), "spades_points": (2,), "cards_tie": ("none",), "spades_tie": ("split",), "sweep": (1,),
        "sweep_cancel": (True,), "last_capture_points": (0,), "target": (16,), "majorities": ("always",),
        "each_spade_points": (0,), "spade_jack_points": (0,), "spade_ace_points": (0,), "ending": ("highest",),
        "deck": (52,), "deal": ("fours",),
    },
)  # fmt: skip


_FORTY: Own = {"deck": (40,)}
FORTY_CARDS = _south("forty-cards", "SAF-101", _FORTY)
SOUTH_AFRICAN_DEAL = _south("south-african-deal", "SAF-102", {"deal": ("south_african",)})
PILE_TOPS_TAKEN = _south("pile-tops-taken", "SAF-103", {"pile_cards": ("augment_and_capture",)})
ONE_BUILD_A_PLAYER = _south("one-build-a-player", "SAF-104", BUILDING | {"builds_per_player": (1,)})
ENOUGH_SPADES = _south("enough-spades", "SAF-107", unless={"spades_minimum": (None,)})
SHUTOUT = _south("shutout", "SAF-107", {"shutout": (True,)})
NO_MAJORITIES = _south("no-majorities", "SAF-107", {"majorities": ("two_sides_only",)})


_NO_TARGET: Own = {"target": (None,)}
NO_CAPTURER_TRAILED = _books("no-capturer-trailed", "BKC-005 BKC-R1 BKC-R2 BKC-R3", {"trail_capturing": (False,)})
EACH_ALONE = _books("each-alone", "BKC-011", {"partners": ("off",)}, {"deck": (49,)})
FORTY_NINE = _books("forty-nine-cards", "BKC-012", {"deck": (49,)})
OWNER_MUST_TAKE = _japan("owner-must-take", "JPC-004 JPC-R1 JPC-R2 JPC-R3", {"owner_must_take": (True,)})
EACH_SPADE = _spade("each-spade", "SPC-002", unless={"each_spade_points": (0,)})
SPADE_JACK = _spade("spade-jack", "SPC-002", unless={"spade_jack_points": (0,), "deck": (40,)})
SPADE_ACE = _spade("spade-ace", "SPC-003", unless={"spade_ace_points": (0,)})
MARGIN = _spade("margin", "SPC-005 SPC-R1 SPC-R2 SPC-R3 SPC-R4", unless={"margin": ("none",)})
DRAW_CASINO = _draw("draw-casino", "DRC-001 DRC-003", {"deal": ("draw",)})
MISSED_DRAW = _draw("missed-draw", "DRC-002", {"deal": ("draw",)})
CLAIM = _books("claim", "END-002 END-R2 END-R3 END-R4 END-R5", {"ending": ("claim",)}, _NO_TARGET)
COUNT_OUT = _casino("count-out", "END-003 END-R6 END-R7", {"ending": ("count_out",)}, _NO_TARGET)
AS_TAKEN = _spade("as-taken", "END-004 END-R1", {"ending": ("as_taken",)}, _NO_TARGET)

_RELATIVES: Final[Mapping[str, tuple[Article, ...]]] = {
    "standard": (
        ROUNDS_OF_FOUR, COURTS_WITHOUT_NUMBER, GIVEN_VALUES, STANDARD_TURN, COURT_CAPTURE, COURT_TAKE, CAPTURE_OPTIONAL,
        STANDARD_CAPTURE, STANDARD_BUILD_CAPTURE, BUILDER_HOLDS, NO_COURTS_IN_BUILDS, PLAYED_CARD_IN_BUILD, BUILD_TOTAL,
        MULTIPLE_BUILD, _casino("controller", "STD-407 STD-408", _STANDARD), SAME_VALUE_BUILDS, STANDARD_RAISE,
        NO_LOOSE_CARD_IN_RAISE, MULTIPLE_NEVER_RAISED, ADDING, ABSORBING, STANDARD_BUILDS_WHOLE, OWNER_MAY_NOT_TRAIL,
        KEEP_NUMBER, _casino("trail-a-capturer", "STD-603", survey=True), SWEEPS,
        _casino("rest-is-no-sweep", "STD-702", unless={"sweep": (0,)}), STANDARD_POINTS, TIE_VARIANTS,
        _casino("standard-end", "STD-803", survey=True), SINGLE_DEAL, _casino("score-variants", "STD-804", survey=True),
        _casino("build-variants", "STD-901", survey=True),
    ),
    "royal": (
        COURTS_COUNT, ROYAL_ACE, _royal("royal-builds", "ROY-103", _ROYAL),
        _royal("royal-rest", "ROY-104", survey=True), SPECIAL_VALUES, DOMINICAN_DIRECTION, SWEEPS_CANCEL,
        _royal("dominican-end", "ROY-203", _ROYAL | _ELEVEN | {"trail_equal": (False,), "target": (21,)}),
        NO_PARTNER_CARD, EQUAL_CARDS_TAKEN, OTHERS_BUILDS_RAISED, NO_RAISING,
    ),
    "nordic": (
        _nordic("nordic-play", "NOR-101", survey=True), NO_BUILDING, FINNISH_VALUES, LAST_CAPTURE, FINNISH_SCORE,
    ),
    "south-african": (
        FORTY_CARDS, SOUTH_AFRICAN_DEAL, PILE_TOPS_TAKEN, ONE_BUILD_A_PLAYER,
        _south("south-african-raise", "SAF-105", survey=True), _south("pile-order", "SAF-106", _FORTY), ENOUGH_SPADES,
        SHUTOUT, NO_MAJORITIES,
    ),
    "as-printed": (
        _books("book-casino", "BKC-001 BKC-002 BKC-003 BKC-004 BKC-006 BKC-007", survey=True), NO_CAPTURER_TRAILED,
        EACH_ALONE, FORTY_NINE, _japan("japanese-play", "JPC-001 JPC-002 JPC-003 JPC-005", survey=True),
        OWNER_MUST_TAKE,
    ),
    "spades-counted": (
        _spade("spade-casino", "SPC-001 SPC-004 SPC-006", survey=True), EACH_SPADE, SPADE_JACK, SPADE_ACE, MARGIN,
    ),
    "drawing": (DRAW_CASINO, MISSED_DRAW),
    "other-ends": (CLAIM, COUNT_OUT, AS_TAKEN),
}  # fmt: skip
"""The sections of the page on the relatives, each with its articles in order."""

_NO_REMEDY: Own = {"false_build_remedy": ("none",), "misdeal_dealer": ("none",)}
_italy = partial(article, source="reference", reference="Laws of Cassino", survey=_NO_REMEDY)
ILLEGAL_PLAY = _italy("illegal-play", "IRR-C1")
FALSE_BUILD_REMEDY = _italy("false-build-remedy", "IRR-C2", when=BUILDING)
SHORT_HAND = _italy("short-hand", "IRR-C4")
MISDEAL = _italy("misdeal", "IRR-C5")

ARTICLES: Final = Articles(
    GAME,
    {
        "start": (
            article("about", "012"), PLAYERS, PACK, DIRECTION, DEALER, FIRST_TABLE_CARDS, DEALING, TWO_HALVES,
            FIRST_HALF, RECUT, FIRST_PLAYER, article("capture-pile", "011"),
        ),
        "values": (
            CARD_VALUES, ACE_VALUES, LOOSE_CARDS, BUILDS, KINDS_OF_BUILD, article("announcement", "106", when=BUILDING),
            ONE_BUILD_A_VALUE, BUILDS_STAY_WHOLE, ruling("opponents", "109"),
        ),
        "turn": (
            restored("kinds-of-play", "201 204", when=SWAZI), ONE_HAND_CARD,
            article("cardless-plays", "203", when=SWAZI), ruling("plays-in-order", "206", when=SWAZI),
            pagat("fresh-build-captured", "207", when=SWAZI),
            pagat("no-raise-and-capture", "208", when=RAISING | SWAZI),
        ),
        "capture": (
            CAPTURE_WITH_HAND_CARD, EQUAL_RANK, SUMS, restored("all-together", "306", when=SWAZI), CAPTURE_BUILD,
            BUILD_NOT_IN_SUMS, NO_PILE_CAPTURE, article("taken-cards", "311"), TAKES_SOMETHING, ACE_DECLARED,
        ),
        "demands": (
            DEMAND, PARTNER_SILENT, DEMAND_MEASURE, DEMAND_BUILDS, DEMAND_ON_TRAIL, DEMAND_NOT_ON_BUILDS,
            DEMAND_AUGMENT, DEMAND_MOMENT,
        ),
        "single-builds": (
            SINGLE_BUILD, BUILD_NEEDS_CARD, BUILD_MATERIAL, BUILD_VALUE_FREE,
            article("several-builds", "505", when=SWAZI), article("owner", "506", when=SWAZI),
            ruling("ace-in-build", "508", when=BUILDING), RAISE, RAISE_NEEDS_CARD, RAISE_VALUE_FREE,
            article("raise-owner", "514", when=RAISING | SWAZI), AUGMENTED_NEVER_RAISED, OWN_BUILD_NOT_RAISED,
            RAISE_TOTAL, ruling("raised-again", "518", when=RAISING | SWAZI),
        ),
        "augmented-builds": (
            BASE, NOT_A_BASE, LOOSE_BASE_FREE, MATERIAL, SET_TOTAL, article("several-sets", "607", when=SWAZI),
            AUGMENT_NEEDS_CARD, PILE_TOP, ONE_CARD_A_PILE, OPPONENTS_PILES, ruling("both-piles", "612", when=PILES),
            VALUE_STAYS, pagat("augment-owner", "614", when=SWAZI), OPPONENTS_BUILD, SMALLEST_AUGMENTED,
            article("fresh-base", "618", when=SWAZI),
            pagat("ace-as-set", "619", when=SWAZI | {"ace_hand": ("14", "1or14"), "ace_table": ("1or14",)}),
        ),
        "trailing": (TRAIL, TRAIL_ANY_CARD, OWNER_MAY_TRAIL, KEEP_CAPTURER, TRAIL_BUILD_VALUE),
        "partners": (
            COMMON_PILE, article("common-builds", "802", when=BUILDING | PAIRS), PROVEN_CARD,
            article("no-borrowed-proof", "804", when=PROVEN), article("proof-ends", "805", when=PROVEN),
            OWN_CARD_TO_CAPTURE, REQUEST, REQUEST_OWNER,
        ),
        "scoring": (
            END_OF_DEAL, REMAINING_CARDS, NOBODY_CAPTURED, MOST_CARDS, MOST_SPADES, BIG_TEN, SPY_TWO, ACES,
            ruling("deal-total", "916"), MAJORITY_TIE, NO_SWEEPS, COUNT_BY_SIDE, ruling("adjustment", ""),
            ruling("void-deal", ""),
        ),
        "end": (
            TARGET, HIGHEST_TOTAL, FINAL_TIE, article("complete-deals", "934", unless=_LATER | {"target": (None,)}),
        ),
        **_RELATIVES,
        "remedies": (
            ruling("irregularities", "IRR-0 IRR-C6", survey=_NO_REMEDY), ILLEGAL_PLAY, FALSE_BUILD_REMEDY,
            _italy("exposed-card", "IRR-C3"), SHORT_HAND, MISDEAL,
        ),
    },
    follows={
        "players": "each-alone",
        "pack": "forty-cards forty-nine-cards",
        "dealing": "rounds-of-four south-african-deal draw-casino missed-draw",
        "capture-pile": "pile-order",
        "card-values": "courts-without-number courts-count finnish-values",
        "ace-values": "royal-ace special-values given-values",
        "kinds-of-play": "standard-turn no-building",
        "equal-rank": "court-capture court-take",
        "all-together": "standard-capture",
        "capture-build": "standard-build-capture",
        "no-pile-capture": "pile-tops-taken",
        "takes-something": "capture-optional",
        "build-needs-card": "builder-holds royal-builds",
        "build-material": "played-card-in-build build-total no-courts-in-builds",
        "build-value-free": "same-value-builds",
        "several-builds": "one-build-a-player standard-builds-whole",
        "owner": "controller",
        "raise": "standard-raise others-builds-raised no-loose-card-in-raise no-raising",
        "base": "multiple-build adding absorbing multiple-never-raised",
        "trail-any-card": "no-capturer-trailed equal-cards-taken",
        "owner-may-trail": "owner-may-not-trail owner-must-take",
        "keep-capturer": "keep-number",
        "common-builds": "no-partner-card",
        "most-spades": "enough-spades no-majorities each-spade spade-jack spade-ace",
        "aces": "last-capture",
        "no-sweeps": "sweeps rest-is-no-sweep sweeps-cancel",
        "deal-total": "finnish-score",
        "majority-tie": "shutout",
        "target": "single-deal",
        "final-tie": "dominican-end claim count-out as-taken margin",
    },
    instead={
        "first-half": "owner-may-trail", "courts-count": "card-values", "royal-builds": "card-values",
        "dominican-end": "target", "no-building": "builds", "finnish-score": "deal-total",
        "pile-tops-taken": "no-pile-capture", "capture-optional": "demand", "builder-holds": "build-needs-card",
        "controller": "owner", "no-loose-card-in-raise": "raise", "owner": "controller",
        "keep-capturer": "keep-number", "builds-stay-whole": "standard-builds-whole", "base": "adding",
    },
)  # fmt: skip

"""The articles of Casino's relatives in the order of their page: standard, Royal, Nordic, South African."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from companion.engine.articles import Article
from companion.games.casino.declaring import (
    BUILDING,
    COURTS_NUMBERED,
    KASA,
    PAGAT_CASINO,
    PAGAT_NORDIC,
    PAGAT_ROYAL,
    RAISING,
    TWO_ACES,
    Own,
    Settings,
    article,
    referred,
    ruling,
)


def _casino(anchor: str, numbers: str, when: Settings | None = None, unless: Settings | None = None) -> Article:
    return referred(PAGAT_CASINO, anchor, numbers, when, unless)


_STANDARD: Own = {"building": ("standard",)}
_NO_COURTS: Own = {"court_values": ("none",), "deck": (52,)}
_STANDARD_RAISE: Own = RAISING | _STANDARD

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
NO_COURTS_IN_BUILDS = _casino("no-courts-in-builds", "STD-402", BUILDING | _NO_COURTS)
PLAYED_CARD_IN_BUILD = _casino("played-card-in-build", "STD-403", BUILDING | {"table_only_build": (False,)})
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
OWNER_MAY_NOT_TRAIL = _casino("owner-may-not-trail", "STD-601", BUILDING | {"owner_may_trail": (False,)})
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


def _royal(anchor: str, numbers: str, when: Settings | None = None, unless: Settings | None = None) -> Article:
    return referred(PAGAT_ROYAL, anchor, numbers, when, unless)


_ROYAL: Own = _STANDARD | COURTS_NUMBERED
COURTS_COUNT = _royal("courts-count", "ROY-101", _ROYAL)
ROYAL_ACE = _royal("royal-ace", "ROY-102", TWO_ACES | {"ace_table": ("1",)})
ROYAL_BUILDS = _royal("royal-builds", "ROY-103", _ROYAL)
ROYAL_REST = _royal("royal-rest", "ROY-104", _ROYAL)
SPECIAL_VALUES = _royal("special-values", "ROY-105", {"special_hand_values": (True,)})
DOMINICAN_DIRECTION = _royal("dominican-direction", "ROY-201", _STANDARD | {"direction": ("anticlockwise",)})
SWEEPS_CANCEL = _royal("sweeps-cancel", "ROY-202", {"sweep_cancel": (True,)})
DOMINICAN_END = _royal("dominican-end", "ROY-203", {"trail_equal": (False,)})
NO_PARTNER_CARD = _royal("no-partner-card", "ROY-204", BUILDING | {"partner_build": ("none",)})
EQUAL_CARDS_TAKEN = _royal("equal-cards-taken", "ROY-205", {"trail_equal": (False,)})
OTHERS_BUILDS_RAISED = _royal("others-builds-raised", "ROY-206", BUILDING | {"raise_builds": ("others",)})
NO_RAISING = ruling("no-raising", "", when=BUILDING | {"raise_builds": ("never",)})


def _nordic(anchor: str, numbers: str, when: Settings) -> Article:
    return referred(PAGAT_NORDIC, anchor, numbers, when)


_NORDIC: Own = {"building": ("none",)}
NORDIC_PLAY = _nordic("nordic-play", "NOR-101", _NORDIC)
NO_BUILDING = _nordic("no-building", "NOR-301", _NORDIC)
FINNISH_VALUES = _nordic("finnish-values", "NOR-102", {"ace_hand": ("14",)})
LAST_CAPTURE = article(
    "last-capture", "NOR-103", source="reference", reference=PAGAT_NORDIC, unless={"last_capture_points": (0,)}
)
FINNISH_SCORE = _nordic("finnish-score", "NOR-104", _NORDIC | {"sweep_cancel": (True,)})


def _south(anchor: str, numbers: str, when: Settings | None = None, unless: Settings | None = None) -> Article:
    return referred(KASA, anchor, numbers, when, unless)


_FORTY: Own = {"deck": (40,)}
FORTY_CARDS = _south("forty-cards", "SAF-101", _FORTY)
SOUTH_AFRICAN_DEAL = _south("south-african-deal", "SAF-102", {"deal": ("south_african",)})
PILE_TOPS_TAKEN = _south("pile-tops-taken", "SAF-103", {"pile_cards": ("augment_and_capture",)})
ONE_BUILD_A_PLAYER = _south("one-build-a-player", "SAF-104", BUILDING | {"builds_per_player": (1,)})
SOUTH_AFRICAN_RAISE = _south("south-african-raise", "SAF-105", _FORTY | RAISING)
PILE_ORDER = _south("pile-order", "SAF-106", _FORTY)
ENOUGH_SPADES = _south("enough-spades", "SAF-107", unless={"spades_minimum": (None,)})
SHUTOUT = _south("shutout", "SAF-107", {"shutout": (True,)})
NO_MAJORITIES = _south("no-majorities", "SAF-107", {"majorities": ("two_sides_only",)})

SECTIONS: Final[Mapping[str, tuple[Article, ...]]] = {
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
}  # fmt: skip
"""The sections of the page on the relatives, each with its articles in order."""

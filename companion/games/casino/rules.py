"""The house rules of Casino: every option, the presets, and what excludes or needs what."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from companion.engine.articles import Article
from companion.engine.options import Caution, Excludes, Needs, OptionSet, choice, flag, number, one_number
from companion.engine.problems import Problem
from companion.games.casino import articles as a

NO_HALVES: Final = ("fours", "draw")
"""Ways to deal to two players that know no halves."""


def _ids(*articles: Article) -> tuple[str, ...]:
    return tuple(article.id for article in articles)


@dataclass(frozen=True, slots=True)
class CasinoRules:
    """One table's rules of Casino."""

    deck: int = one_number(52, 52, 40, 49, key="d", unit="cards", articles=_ids(a.PACK, a.FORTY_CARDS, a.FORTY_NINE))
    partners: str = choice("opposite", "off", key="pp", articles=_ids(a.PLAYERS, a.EACH_ALONE))
    deal: str = choice(
        "cut_four", "fours", "south_african", "draw",
        key="dl", articles=_ids(a.FIRST_TABLE_CARDS, a.DEALING, a.ROUNDS_OF_FOUR, a.SOUTH_AFRICAN_DEAL, a.DRAW_CASINO),
    )  # fmt: skip
    direction: str = choice(
        "anticlockwise", "clockwise", key="di", articles=_ids(a.DIRECTION, a.ROUNDS_OF_FOUR, a.DOMINICAN_DIRECTION)
    )
    two_player_deal: str = choice("all_24", "two_halves", key="th", articles=_ids(a.TWO_HALVES, a.FIRST_HALF))
    recut: bool = flag(False, key="rc", articles=_ids(a.RECUT))
    court_values: str = choice(
        "11_13", "none", key="cv", articles=_ids(a.CARD_VALUES, a.COURTS_WITHOUT_NUMBER, a.COURTS_COUNT)
    )
    ace_hand: str = choice(
        "1", "14", "1or14", default="1or14", key="ah", articles=_ids(a.ACE_VALUES, a.ROYAL_ACE, a.FINNISH_VALUES)
    )
    ace_table: str = choice("1", "1or14", default="1or14", key="at", articles=_ids(a.ACE_VALUES, a.ROYAL_ACE))
    special_hand_values: bool = flag(False, key="sv", articles=_ids(a.SPECIAL_VALUES, a.FINNISH_VALUES))
    court_take: str = choice(
        "one", "all", "one_or_three", default="all", key="ct", articles=_ids(a.EQUAL_RANK, a.COURT_TAKE)
    )
    demand: bool = flag(True, key="de", articles=_ids(a.DEMAND, a.CAPTURE_OPTIONAL))
    demand_measure: str = choice("maximal", "maximum", key="dm", articles=_ids(a.DEMAND_MEASURE))
    demand_on_trail: bool = flag(False, key="dt", articles=_ids(a.DEMAND_ON_TRAIL))
    demand_augment: bool = flag(False, key="da", articles=_ids(a.DEMAND_AUGMENT))
    building: str = choice(
        "swazi", "standard", "none", key="b", articles=_ids(a.SINGLE_BUILD, a.BASE, a.BUILDER_HOLDS, a.NO_BUILDING)
    )
    table_only_build: bool = flag(True, key="to", articles=_ids(a.SINGLE_BUILD, a.PLAYED_CARD_IN_BUILD))
    same_value_builds: str = choice(
        "forbidden", "allowed", key="sb", articles=_ids(a.ONE_BUILD_A_VALUE, a.SAME_VALUE_BUILDS)
    )
    merge_own_value: bool = flag(False, key="mo", articles=_ids(a.RAISE_VALUE_FREE))
    raise_builds: str = choice(
        "opponents", "others", "anyone", "never",
        key="rb",
        articles=_ids(a.RAISE, a.OWN_BUILD_NOT_RAISED, a.STANDARD_RAISE, a.OTHERS_BUILDS_RAISED, a.NO_RAISING),
    )  # fmt: skip
    builds_per_player: int | None = one_number(
        None, 1, key="bp", unit="builds", nullable=True, articles=_ids(a.ONE_BUILD_A_PLAYER)
    )
    pile_cards: str = choice(
        "none", "augment", "augment_and_capture",
        default="augment", key="pc", articles=_ids(a.NO_PILE_CAPTURE, a.MATERIAL, a.PILE_TOPS_TAKEN),
    )  # fmt: skip
    owner_may_trail: bool = flag(True, key="ot", articles=_ids(a.OWNER_MAY_TRAIL, a.OWNER_MAY_NOT_TRAIL))
    owner_must_take: bool = flag(False, key="om", articles=_ids(a.OWNER_MUST_TAKE))
    trail_capturing: bool = flag(True, key="tg", articles=_ids(a.TRAIL_ANY_CARD, a.NO_CAPTURER_TRAILED))
    trail_equal: bool = flag(True, key="te", articles=_ids(a.TRAIL_BUILD_VALUE, a.EQUAL_CARDS_TAKEN))
    keep_capturer: bool = flag(True, key="kc", articles=_ids(a.KEEP_CAPTURER, a.KEEP_NUMBER))
    partner_build: str = choice("proven", "none", key="pb", articles=_ids(a.PROVEN_CARD, a.NO_PARTNER_CARD))
    cards_points: int = number(2, 0, 20, key="pca", unit="points", articles=_ids(a.MOST_CARDS, a.STANDARD_POINTS))
    spades_points: int = number(2, 0, 20, key="psp", unit="points", articles=_ids(a.MOST_SPADES, a.STANDARD_POINTS))
    cards_tie: str = choice("none", "split", key="tc", articles=_ids(a.MAJORITY_TIE, a.TIE_VARIANTS))
    spades_tie: str = choice("none", "split", key="ts", articles=_ids(a.MAJORITY_TIE, a.TIE_VARIANTS))
    spades_minimum: int | None = number(
        None, 1, 13, key="sm", unit="cards", nullable=True, articles=_ids(a.ENOUGH_SPADES)
    )
    each_spade_points: int = number(0, 0, 20, key="pes", unit="points", articles=_ids(a.EACH_SPADE))
    spade_jack_points: int = number(0, 0, 20, key="psj", unit="points", articles=_ids(a.SPADE_JACK))
    spade_ace_points: int = number(0, 0, 20, key="psa", unit="points", articles=_ids(a.SPADE_ACE))
    big_ten_points: int = number(2, 0, 20, key="pbt", unit="points", articles=_ids(a.BIG_TEN, a.STANDARD_POINTS))
    spy_two_points: int = number(1, 0, 20, key="pst", unit="points", articles=_ids(a.SPY_TWO, a.STANDARD_POINTS))
    ace_points: int = number(1, 0, 20, key="pa", unit="points", articles=_ids(a.ACES, a.STANDARD_POINTS))
    sweep: int = number(0, 0, 20, key="sw", unit="points", articles=_ids(a.NO_SWEEPS, a.SWEEPS))
    sweep_cancel: bool = flag(False, key="sc", articles=_ids(a.SWEEPS_CANCEL))
    last_capture_points: int = number(0, 0, 20, key="lc", unit="points", articles=_ids(a.LAST_CAPTURE))
    shutout: bool = flag(False, key="so", articles=_ids(a.SHUTOUT))
    majorities: str = choice("always", "two_sides_only", key="mj", articles=_ids(a.NO_MAJORITIES))
    target: int | None = number(
        21, 1, 1000, key="t", unit="points", nullable=True, articles=_ids(a.TARGET, a.SINGLE_DEAL)
    )
    ending: str = choice(
        "highest", "claim", "count_out", "as_taken",
        key="en", articles=_ids(a.HIGHEST_TOTAL, a.CLAIM, a.COUNT_OUT, a.AS_TAKEN),
    )  # fmt: skip
    margin: str = choice("none", "difference", "difference_doubled", key="mg", articles=_ids(a.MARGIN))
    final_tie: str = choice("another", "draw", key="ft", articles=_ids(a.FINAL_TIE))
    false_build_remedy: str = choice("none", "point", "point_lost", key="fb", articles=_ids(a.FALSE_BUILD_REMEDY))
    misdeal_dealer: str = choice("none", "same", "next", key="md", articles=_ids(a.MISDEAL))

    def __hash__(self) -> int:  # rules are keys of caches that every move asks: few of their fields tell them apart
        return hash((self.deck, self.deal, self.court_values, self.ace_hand, self.ace_table, self.special_hand_values))


_STANDARD: Final = {
    "direction": "clockwise",
    "deal": "fours",
    "court_values": "none",
    "ace_hand": "1",
    "ace_table": "1",
    "court_take": "one",
    "demand": False,
    "building": "standard",
    "table_only_build": False,
    "same_value_builds": "allowed",
    "raise_builds": "anyone",
    "pile_cards": "none",
    "owner_may_trail": False,
    "partner_build": "none",
    "cards_points": 3,
    "spades_points": 1,
}
_ROYAL: Final = _STANDARD | {"court_values": "11_13", "ace_hand": "1or14", "court_take": "all"}
_BOOK: Final = _STANDARD | {"court_take": "all", "sweep": 1}
_SPADE: Final = _STANDARD | {
    "spades_points": 0,
    "each_spade_points": 1,
    "spade_jack_points": 1,
    "target": 61,
    "ending": "as_taken",
}
_NORDIC: Final = _ROYAL | {"building": "none", "cards_points": 1, "spades_points": 2, "sweep": 1, "target": 16}
_SOUTH_AFRICAN: Final = {
    "deck": 40,
    "deal": "south_african",
    "two_player_deal": "two_halves",
    "court_values": "none",
    "ace_hand": "1",
    "ace_table": "1",
    "demand": False,
    "table_only_build": False,
    "builds_per_player": 1,
    "pile_cards": "augment_and_capture",
    "spades_points": 1,
    "spades_minimum": 5,
    "target": None,
}

_PRESETS: Final = {
    "swazi": {},
    "swazi_pagat": {
        "two_player_deal": "two_halves",
        "demand_on_trail": True,
        "demand_augment": True,
        "merge_own_value": True,
        "cards_tie": "split",
        "spades_tie": "split",
    },
    "standard": _STANDARD,
    "book": _BOOK,
    "japanese": _BOOK | {"raise_builds": "never", "owner_must_take": True},
    "spade": _SPADE,
    "spade_26": _SPADE | {"spades_points": 1, "spade_ace_points": 1},
    "draw": _STANDARD | {"deal": "draw"},
    "royal": _ROYAL,
    "royal_draw": _ROYAL | {"deal": "draw"},
    "dominican": _ROYAL
    | {"direction": "anticlockwise", "trail_equal": False, "raise_builds": "others", "sweep": 1, "sweep_cancel": True},
    "wippen": _STANDARD | {"cards_points": 2, "spades_points": 2, "sweep": 1, "target": None},
    "swedish": _NORDIC | {"last_capture_points": 1},
    "finnish": _NORDIC | {"ace_hand": "14", "special_hand_values": True, "spades_tie": "split", "sweep_cancel": True},
    "south_african": _SOUTH_AFRICAN,
    "khasino": _SOUTH_AFRICAN
    | {
        "spades_points": 2,
        "spades_minimum": None,
        "cards_tie": "split",
        "spades_tie": "split",
        "shutout": True,
        "majorities": "two_sides_only",
    },
}

_POINTS: Final = range(1, 21)
_NO_TARGET: Final = {"target": (None,)}
_FORTY_NINE: Final = {"deck": (49,)}
_NO_DEMAND: Final = {"demand": (True,)}
_NO_BUILDS: Final = {"building": ("none",)}


_WHEN: Final[Mapping[str, Callable[[CasinoRules], bool]]] = {
    "two_player_deal": lambda r: r.deal not in NO_HALVES,
    "recut": lambda r: r.deal == "cut_four",
    "ace_table": lambda r: r.ace_hand != "1",
    "court_take": lambda r: r.deck != 40,
    "demand_measure": lambda r: r.demand,
    "demand_on_trail": lambda r: r.demand and r.trail_capturing,
    "demand_augment": lambda r: r.demand and r.building != "none",
    "table_only_build same_value_builds raise_builds builds_per_player owner_may_trail keep_capturer": lambda r: (
        r.building != "none"
    ),
    "partner_build": lambda r: r.building != "none" and r.partners == "opposite",
    "owner_must_take": lambda r: r.building == "standard",
    "merge_own_value": lambda r: r.building != "none" and r.raise_builds != "never",
    "cards_tie": lambda r: r.cards_points > 0,
    "spades_tie": lambda r: r.spades_points > 0 and r.spades_minimum is None,
    "spades_minimum": lambda r: r.spades_points > 0,
    "majorities": lambda r: r.cards_points > 0 or r.spades_points > 0,
    "sweep_cancel": lambda r: r.sweep > 0,
    "spade_jack_points": lambda r: r.deck != 40,
    "ending margin": lambda r: r.target is not None,
    "final_tie": lambda r: r.target is None or r.ending in ("highest", "count_out"),
}
"""When each option that depends on others can change anything."""


def _conflicts(rules: CasinoRules) -> Iterator[Problem]:
    """Yield a duty to take that no build can be under: it is about those of the standard game."""
    if rules.owner_must_take and rules.building != "standard":
        names = ["owner_must_take", "building"]
        yield Problem(("building",), "options-conflict", {"options": names}, a.OWNER_MUST_TAKE.id)


OPTIONS: Final = OptionSet(
    CasinoRules,
    _PRESETS,
    excludes=(
        Excludes(a.RAISE_VALUE_FREE.id, {"merge_own_value": (True,)}, {"same_value_builds": ("allowed",)}),
        Excludes(a.FORTY_NINE.id, _FORTY_NINE, {"deal": ("cut_four", "south_african", "draw")}),
        Excludes(a.FORTY_NINE.id, _FORTY_NINE, {"partners": ("opposite",)}),
        Excludes(a.DRAW_CASINO.id, {"deal": ("draw",)}, {"deck": (40,)}),
        Excludes(a.ROUNDS_OF_FOUR.id, {"two_player_deal": ("two_halves",)}, {"deal": NO_HALVES}),
        Excludes(a.OWNER_MUST_TAKE.id, {"owner_must_take": (True,)}, {"owner_may_trail": (True,)}),
        Excludes(a.TARGET.id, {"ending": ("claim", "count_out", "as_taken")}, _NO_TARGET),
        Excludes(a.MARGIN.id, {"margin": ("difference", "difference_doubled")}, _NO_TARGET),
        Excludes(a.NO_BUILDING.id, {"pile_cards": ("augment",)}, _NO_BUILDS),
        Excludes(a.NO_BUILDING.id, {"demand_augment": (True,)}, _NO_BUILDS),
        Excludes(a.NO_BUILDING.id, {"builds_per_player": (1,)}, _NO_BUILDS),
        Excludes(a.EQUAL_CARDS_TAKEN.id, {"trail_equal": (False,)}, {"court_take": ("one", "one_or_three")}),
    ),
    needs=(
        Needs(a.DEMAND_MEASURE.id, {"demand_measure": ("maximum",)}, _NO_DEMAND),
        Needs(a.DEMAND_ON_TRAIL.id, {"demand_on_trail": (True,)}, _NO_DEMAND),
        Needs(a.DEMAND_AUGMENT.id, {"demand_augment": (True,)}, _NO_DEMAND),
        Needs(a.ACE_VALUES.id, {"ace_table": ("1or14",)}, {"ace_hand": ("14", "1or14")}),
        Needs(a.RAISE_VALUE_FREE.id, {"merge_own_value": (True,)}, {"raise_builds": ("opponents", "others", "anyone")}),
        Needs(a.SWEEPS_CANCEL.id, {"sweep_cancel": (True,)}, {"sweep": _POINTS}),
        Needs(a.SOUTH_AFRICAN_DEAL.id, {"deal": ("south_african",)}, {"deck": (40,)}),
    ),
    cautions=(
        Caution(
            "split-leaves-over", a.MAJORITY_TIE.id, ("cards_tie", "cards_points"),
            lambda r: r.cards_tie == "split" and r.cards_points % 2 == 1,
        ),
        Caution(
            "spades-split-leaves-over", a.MAJORITY_TIE.id, ("spades_tie", "spades_points"),
            lambda r: r.spades_tie == "split" and r.spades_minimum is None and r.spades_points % 2 == 1,
        ),
        Caution(
            "spades-tie-unused", a.ENOUGH_SPADES.id, ("spades_minimum", "spades_tie"),
            lambda r: r.spades_tie == "split" and r.spades_minimum is not None,
        ),
        Caution(
            "no-points-to-win", a.TARGET.id, ("target",),
            lambda r: not (
                r.cards_points or r.spades_points or r.big_ten_points or r.spy_two_points or r.ace_points
                or r.each_spade_points or r.spade_ace_points or r.spade_jack_points
            ),
        ),
        Caution(
            "short-last-round", a.ROUNDS_OF_FOUR.id, ("deck", "deal"),
            lambda r: r.deck == 40 and r.deal == "fours",
        ),
    ),
    otherwise={
        "deck": "pack", "two_player_deal": "dealing", "recut": "first-table-cards",
        "special_hand_values": "card-values", "demand_augment": "demand-not-on-builds",
        "builds_per_player": "several-builds", "sweep_cancel": "no-sweeps", "last_capture_points": "remaining-cards",
        "shutout": "deal-total", "majorities": "most-cards", "each_spade_points": "most-spades",
        "spade_jack_points": "most-spades", "spade_ace_points": "aces", "margin": "highest-total",
        "owner_must_take": "owner-may-not-trail", "partners": "players", "building": "no-building",
    },
    conflicts=_conflicts,
    when=_WHEN,
)  # fmt: skip

"""The house rules of Spades: every option, the presets, and what excludes or needs what."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import permutations
from typing import Final

from companion.engine.articles import Article
from companion.engine.cards import Card
from companion.engine.options import Caution, Excludes, Needs, OptionSet, card_list, choice, flag, number
from companion.engine.problems import Problem
from companion.games.spades import articles as a

_SOLO_MODES = ("solo4", "solo3", "duo_draw", "duo_dummy")
_TWO_PACKS: Final = ("two_packs", "two_packs_jokers")
PAIRS: Final = ("partners4", "partners6")
_LONG: Final = ("solo3", "duo_dummy", "partners6")
_FORCED: Final = ("suicide", "mirror", "whiz")
_ABOVE_ZERO = range(1, 10_000)
_TWOS: Final = (Card("2", "C"), Card("2", "D"), Card("2", "H"))


def _ids(*articles: Article) -> tuple[str, ...]:
    return tuple(article.id for article in articles)


@dataclass(frozen=True, slots=True)
class SpadesRules:
    """One table's rules of Spades. Points unless the unit says otherwise."""

    mode: str = choice(
        "partners4", *_SOLO_MODES, "partners6",
        key="m", articles=_ids(a.PLAYERS, a.SOLO4, a.SOLO3, a.DUO_DRAW, a.DUO_DUMMY, a.PARTNERS6),
    )  # fmt: skip
    solo3_deck: str = choice("leftover", "remove_2c", key="s3", articles=_ids(a.SOLO3_REMOVED_TWO))
    dummy_side: str = choice("left", "right", key="ds", articles=_ids(a.DUMMY_SIDE))
    dummy_leads: bool = flag(True, key="dl", articles=_ids(a.DUMMY_LEADS))
    deck: str = choice(
        "standard52", "jokers_minus_twos", "jokers_dealer_discards", *_TWO_PACKS, "jokers_added",
        key="d", articles=_ids(a.JOKERS, a.JOKERS_DEALER_DISCARDS, a.TWO_PACKS, a.JOKERS_ADDED),
    )  # fmt: skip
    equal_cards: str = choice("later", "earlier", key="eq", articles=_ids(a.EQUAL_CARDS))
    removed_twos: tuple[Card, ...] = card_list(
        "2C 2D", among="2C 2D 2H", least=2, most=2, key="rt", articles=_ids(a.JOKERS)
    )
    trump_order: str = choice("ace_high", "deuce_high", key="to", articles=_ids(a.DEUCE_HIGH))
    promoted_twos: tuple[Card, ...] = card_list(
        "", among="2C 2D 2H", least=0, most=3, key="pt", articles=_ids(a.PROMOTED_TWOS)
    )
    bid_method: str = choice(
        "later_partner", "sum", "consultation", key="bm", articles=_ids(a.FINAL_BID, a.SUM_BIDDING, a.CONSULTATION)
    )
    bidding_rule: str = choice("free", *_FORCED, key="bru", articles=_ids(a.SUICIDE, a.MIRROR, a.WHIZ))
    suicide_minimum: int = number(4, 1, 13, key="smi", unit="tricks", articles=_ids(a.SUICIDE))
    first_bidder: str = choice("left", "dealer", "other_side", key="fb", articles=_ids(a.FIRST_BIDDER))
    second_round: bool = flag(False, key="sr", articles=_ids(a.SECOND_ROUND))
    forbid_total_13: bool = flag(False, key="ft", articles=_ids(a.FORBIDDEN_TOTAL))
    forbidden_total: int | None = number(
        None, 1, 36, key="fto", unit="tricks", nullable=True, articles=_ids(a.FORBIDDEN_NUMBER)
    )
    least_total: int | None = number(None, 1, 36, key="lto", unit="tricks", nullable=True, articles=_ids(a.LEAST_TOTAL))
    first_hand_bids_itself: bool = flag(False, key="fh", articles=_ids(a.FIRST_HAND))
    minimum_bid: int = number(0, 0, 13, key="mb", unit="tricks", articles=_ids(a.MINIMUM_BID, a.MINIMUM_WITH_NIL))
    zero_bid: bool = flag(True, key="zb", articles=_ids(a.NO_ZERO_BID))
    nil: bool = flag(True, key="n", articles=_ids(a.NO_NIL))
    nil_value: int = number(100, 10, 1000, key="nv", unit="points", articles=_ids(a.NIL_VALUES))
    nil_failure: int | None = number(
        None, 0, 1000, key="nf", unit="points", nullable=True, articles=_ids(a.NIL_FAILURE)
    )
    double_nil: bool = flag(True, key="dn", articles=_ids(a.NO_DOUBLE_NIL))
    double_nil_value: int = number(200, 10, 1000, key="dnv", unit="points", articles=_ids(a.NIL_VALUES))
    double_nil_deficit: int | None = number(
        100,
        0,
        1000,
        key="dnd",
        unit="points",
        nullable=True,
        articles=_ids(a.DOUBLE_NIL_DEFICIT, a.DOUBLE_NIL_ANY_SCORE),
    )
    nil_exchange: int = number(0, 0, 3, key="nx", unit="cards", articles=_ids(a.NIL_EXCHANGE, a.EXCHANGE_COUNT))
    double_nil_exchange: int = number(2, 0, 3, key="dnx", unit="cards", articles=_ids(a.NO_EXCHANGE, a.EXCHANGE_COUNT))
    failed_nil_tricks: str = choice("count", "bags_only", "ignore", key="fn", articles=_ids(a.FAILED_NIL_MODES))
    tricks_without_contract: str = choice("ignore", "overtricks", key="tw", articles=_ids(a.TRICKS_WITHOUT_CONTRACT))
    both_nil: str = choice("separate", "unit", key="bn", articles=_ids(a.BOTH_NIL_UNIT))
    both_nil_value: int = number(200, 10, 1000, key="bnv", unit="points", articles=_ids(a.BOTH_NIL_UNIT))
    double_blind_nil: bool = flag(False, key="db", articles=_ids(a.DOUBLE_BLIND_NIL))
    double_blind_nil_value: int = number(
        400, 10, 1000, key="dbv", unit="points", articles=_ids(a.DOUBLE_BLIND_NIL_SCORE)
    )
    double_blind_nil_deficit: int | None = number(
        None, 0, 1000, key="dbd", unit="points", nullable=True, articles=_ids(a.DOUBLE_BLIND_NIL_BEHIND)
    )
    blind_bid: bool = flag(False, key="bb", articles=_ids(a.BLIND_BID, a.BLIND_HIGHER))
    blind_bid_min: int = number(6, 6, 13, key="bbm", unit="tricks", articles=_ids(a.BLIND_MINIMUM))
    blind_reward: str = choice("double", "bonus100", key="br", articles=_ids(a.BLIND_BONUS))
    blind_failure: str = choice("double", "single", key="bf", articles=_ids(a.BLIND_FAILURE))
    blind_exact: bool = flag(False, key="be", articles=_ids(a.BLIND_EXACT))
    blind_exact_over: str = choice("fail", "normal", key="beo", articles=_ids(a.BLIND_EXACT))
    blind_deficit: int | None = number(
        100, 0, 1000, key="bd", unit="points", nullable=True, articles=_ids(a.BLIND_BEHIND)
    )
    moon: bool = flag(False, key="mo", articles=_ids(a.MOON))
    moon_value: int = number(200, 10, 1000, key="mov", unit="points", articles=_ids(a.MOON))
    thirteen_is_moon: bool = flag(False, key="tm", articles=_ids(a.THIRTEEN_IS_MOON))
    blind_moon: bool = flag(False, key="bmo", articles=_ids(a.BLIND_MOON))
    blind_moon_value: int = number(400, 10, 1000, key="bmv", unit="points", articles=_ids(a.BLIND_MOON))
    blind_moon_deficit: int | None = number(
        100, 0, 1000, key="bmd", unit="points", nullable=True, articles=_ids(a.BLIND_MOON_BEHIND)
    )
    first_trick: str = choice(
        "normal", "lowest_club", "lowest_club_strict", key="f1", articles=_ids(a.LOWEST_CLUB, a.LOWEST_CLUB_STRICT)
    )
    first_trick_spades: str = choice("free", "forbidden", key="f1s", articles=_ids(a.FIRST_TRICK_SPADES))
    first_leader: str = choice(
        "dealer_left", "club_two", "highest_bidder", key="fl", articles=_ids(a.CLUB_TWO_LEADS, a.HIGHEST_BIDDER_LEADS)
    )
    club_two_must_lead: bool = flag(False, key="c2", articles=_ids(a.CLUB_TWO_MUST_LEAD))
    lead_spades_anytime: bool = flag(False, key="la", articles=_ids(a.LEAD_ANYTIME))
    set_penalty: str = choice("bid", "shortfall", "none", key="sp", articles=_ids(a.SHORTFALL, a.SET_IS_NOTHING))
    overtrick: str = choice(
        "plus1", "minus1", "minus10", "zero",
        key="ot", articles=_ids(a.OVERTRICKS_MINUS_ONE, a.OVERTRICKS_MINUS_TEN, a.OVERTRICKS_ZERO),
    )  # fmt: skip
    sandbag: bool = flag(True, key="sb", articles=_ids(a.BAG_PENALTY, a.BAGS, a.NO_BAGS))
    bag_threshold: int = number(10, 1, 50, key="bt", unit="bags", articles=_ids(a.BAG_NUMBERS))
    bag_penalty: int = number(100, 1, 1000, key="bp", unit="points", articles=_ids(a.BAG_NUMBERS))
    bag_trigger: str = choice("reach", "exceed", key="btr", articles=_ids(a.BAG_PENALTY))
    penalty_when_negative: bool = flag(True, key="pn", articles=_ids(a.PENALTY_WHEN_NEGATIVE))
    bag_reset: str = choice("carry", "empty", key="bre", articles=_ids(a.BAG_RESET, a.BAG_CARRY))
    ten_bonus: str = choice(
        "none", "plus200", "exact200", "ten_for_two", "flat200", "flat200_up",
        key="tb", articles=_ids(a.TEN_BONUS, a.EXACT_TEN, a.TEN_FOR_TWO, a.FLAT_TEN, a.FLAT_TENS),
    )  # fmt: skip
    ten_bonus_value: int = number(
        200, 10, 1000, key="tbv", unit="points", articles=_ids(a.FLAT_TENS, a.TEN_BONUS, a.EXACT_TEN, a.FLAT_TEN)
    )
    ten_bonus_failure: str = choice(
        "add", "replace", "none", key="tbf", articles=_ids(a.TEN_BONUS, a.FLAT_TEN, a.FLAT_TENS)
    )
    last_trick_bonus: bool = flag(False, key="lt", articles=_ids(a.LAST_TRICK))
    last_sequence_bonus: bool = flag(False, key="ls", articles=_ids(a.LAST_SEQUENCE))
    above_six_bonus: bool = flag(False, key="a6", articles=_ids(a.ABOVE_SIX))
    small_bid_special: bool = flag(False, key="sm", articles=_ids(a.SMALL_BIDS))
    all_tricks_bonus: int = number(0, 0, 1000, key="atb", unit="points", articles=_ids(a.ALL_TRICKS_BONUS))
    target: int | None = number(500, 10, 10_000, key="t", unit="points", nullable=True, articles=_ids(a.TARGET))
    deals_limit: int | None = number(None, 1, 100, key="dlm", unit="deals", nullable=True, articles=_ids(a.DEALS_LIMIT))
    sets_lose: int | None = number(None, 1, 10, key="sl", unit="sets", nullable=True, articles=_ids(a.SETS_LOSE))
    sets_in_row_lose: int | None = number(
        None, 2, 10, key="srl", unit="sets", nullable=True, articles=_ids(a.SETS_IN_ROW_LOSE)
    )
    all_tricks_wins: bool = flag(False, key="atw", articles=_ids(a.ALL_TRICKS_WIN))
    moon_wins: bool = flag(False, key="mw", articles=_ids(a.MOON_WINS))
    loss_limit: int | None = number(
        None,
        -10_000,
        -1,
        key="ll",
        unit="points",
        nullable=True,
        articles=_ids(a.LOSS_LIMIT, a.NO_FLOOR),
        offers=(-100, -200, -250, -300, -400, -500, -1000),
    )
    final_tie: str = choice("extra_deal", "shared", key="tie", articles=_ids(a.TIE))
    revoke_remedy: str = choice(
        "none", "tricks", "tricks_lost", "set", "bid_raised", key="rr", articles=_ids(a.REVOKE_REMEDY, a.GIVEN_TRICKS)
    )
    revoke_tricks: int = number(3, 1, 3, key="rrt", unit="tricks", articles=_ids(a.REVOKE_REMEDY))
    challenge_lost: str = choice("none", "same", "tricks_lost", key="cl", articles=_ids(a.CHALLENGE_LOST))
    out_of_turn_remedy: str = choice("none", "as_revoke", "tricks_lost", key="oot", articles=_ids(a.OUT_OF_TURN_REMEDY))
    talk_remedy: str = choice("none", "warning_then_tricks", "tricks_lost", key="tlk", articles=_ids(a.TALK_REMEDY))
    misdeal_dealer: str = choice("none", "same", "next", key="md", articles=_ids(a.MISDEAL))

    @property
    def partners(self) -> bool:
        """Whether pairs play, rather than everybody alone."""
        return self.mode in PAIRS

    @property
    def tricks(self) -> int:
        """Tricks in a deal: 13, or 17 to three hands or six, 18 where jokers were added to them."""
        return 13 if self.mode not in _LONG else 18 if self.deck in ("jokers_added", "two_packs_jokers") else 17

    @property
    def seats(self) -> int:
        """Hands that are dealt, a dummy's among them."""
        return {"solo3": 3, "duo_dummy": 3, "duo_draw": 2, "partners6": 6}.get(self.mode, 4)

    @property
    def players(self) -> int:
        """People at the table, without a dummy."""
        return self.seats - (self.mode == "duo_dummy")

    @property
    def side_size(self) -> int:
        """Players of a side."""
        return 2 if self.partners else 1

    @property
    def two_packs(self) -> bool:
        """Whether there are two of each card."""
        return self.deck in _TWO_PACKS

    @property
    def special_first_trick(self) -> bool:
        """Whether the first trick has duties of its own (SPADES-180, CLB-001)."""
        return self.first_trick != "normal" or self.first_trick_spades == "forbidden"

    @property
    def forbidden_totals(self) -> Mapping[int, Article]:
        """What all contracts may not add up to, with the articles (SPADES-134, CLB-008)."""
        number = {} if self.forbidden_total is None else {self.forbidden_total: a.FORBIDDEN_NUMBER}
        return number | ({self.tricks: a.FORBIDDEN_TOTAL} if self.forbid_total_13 else {})

    @property
    def counts_remedies(self) -> bool:
        """Whether any remedy is a number of tricks."""
        lost = "tricks_lost" in (self.challenge_lost, self.out_of_turn_remedy) or self.talk_remedy != "none"
        return lost or self.revoke_remedy in ("tricks", "tricks_lost", "bid_raised")

    @property
    def dealer_extra(self) -> int:
        """Cards that the dealer alone gets beyond a hand, and discards."""
        return 2 if self.deck == "jokers_dealer_discards" else 0

    @property
    def counts_bags(self) -> bool:
        """Whether overtricks are counted as bags at all."""
        return self.overtrick in ("plus1", "zero")

    @property
    def digit_shows_bags(self) -> bool:
        """Whether the last digit of a total is the number of bags, where all other points are multiples of ten."""
        counted = (self.overtrick, self.bag_trigger, self.bag_reset, self.bag_threshold, self.bag_penalty % 10)
        return self.sandbag and counted == ("plus1", "reach", "carry", 10, 0)

    @property
    def lowest_bid(self) -> int:
        """The smallest number that a player may say; where the spades held are bid, none is a nil (MIR-R1)."""
        return 0 if self.zero_bid and self.bidding_rule not in ("mirror", "whiz") else 1

    @property
    def lowest_contract(self) -> int:
        """The smallest number a side's contract can be after bidding."""
        return max(self.minimum_bid, self.suicide_minimum if self.bidding_rule == "suicide" else self.lowest_bid)

    @property
    def max_contract(self) -> int:
        """The largest number a side's contract can be."""
        return self.tricks * (2 if self.partners and self.bid_method == "sum" else 1)


PRESETS: Final[Mapping[str, Mapping[str, object]]] = {
    "classic": {},
    "plain": {"sandbag": False},
    "modern": {"bid_method": "sum", "failed_nil_tricks": "bags_only", "zero_bid": False},
    "solo4": {"mode": "solo4"},
    "solo3": {"mode": "solo3"},
    "duo_draw": {"mode": "duo_draw"},
    "duo_dummy": {"mode": "duo_dummy"},
    "jokers": {"deck": "jokers_minus_twos"},
    "jokers_deuces": {
        "deck": "jokers_minus_twos",
        "removed_twos": (Card("2", "C"), Card("2", "H")),
        "promoted_twos": (Card("2", "D"),),
        "trump_order": "deuce_high",
        "bid_method": "sum",
        "failed_nil_tricks": "bags_only",
        "zero_bid": False,
    },
    "club": {
        "minimum_bid": 4,
        "zero_bid": False,
        "nil": False,
        "double_nil": False,
        "lead_spades_anytime": True,
        "overtrick": "zero",
        "sandbag": False,
        "target": 350,
        "revoke_remedy": "set",
        "challenge_lost": "tricks_lost",
        "out_of_turn_remedy": "as_revoke",
        "talk_remedy": "warning_then_tricks",
        "misdeal_dealer": "same",
    },
    "club_350": {
        "bid_method": "sum", "zero_bid": False, "nil": False, "double_nil": False, "minimum_bid": 4,
        "deck": "jokers_minus_twos", "removed_twos": (Card("2", "D"), Card("2", "H")), "trump_order": "deuce_high",
        "overtrick": "zero", "sandbag": False, "first_bidder": "other_side", "ten_bonus": "flat200_up",
        "ten_bonus_failure": "none", "target": 350, "sets_lose": 2,
    },
    "four_deals": {
        "bid_method": "sum", "zero_bid": False, "nil_value": 50, "double_nil": False, "overtrick": "zero",
        "sandbag": False, "ten_bonus": "flat200", "ten_bonus_failure": "none", "target": None, "deals_limit": 4,
    },
    **{
        name: {
            "bid_method": "sum", "failed_nil_tricks": "bags_only", "zero_bid": False, "double_nil": False,
            "loss_limit": -200, "bidding_rule": name,
        }
        for name in _FORCED
    },
    "partners6": {
        "mode": "partners6", "deck": "two_packs", "bid_method": "sum", "failed_nil_tricks": "bags_only",
        "zero_bid": False,
    },
    "solo3_jokers": {"mode": "solo3", "deck": "jokers_added"},
}  # fmt: skip


def _row_is_dead(rules: SpadesRules) -> bool:
    """Return whether so many sets in all lose before so many in a row can."""
    in_all, in_row = rules.sets_lose, rules.sets_in_row_lose
    return in_all is not None and in_row is not None and in_row > in_all


_WHEN: Final[Mapping[str, Callable[[SpadesRules], bool]]] = {
    "solo3_deck": lambda r: r.mode == "solo3" and r.deck != "jokers_added",
    "equal_cards": lambda r: r.two_packs,
    "suicide_minimum": lambda r: r.bidding_rule == "suicide",
    "dummy_side": lambda r: r.mode == "duo_dummy",
    "dummy_leads": lambda r: r.mode == "duo_dummy" and r.dummy_side == "left",
    "removed_twos": lambda r: r.deck == "jokers_minus_twos",
    "bid_method": lambda r: r.partners,
    "nil_value nil_failure double_nil double_blind_nil tricks_without_contract": lambda r: r.nil,
    "nil_exchange failed_nil_tricks": lambda r: r.nil and r.partners,
    "both_nil": lambda r: r.nil and r.partners and r.bidding_rule != "suicide",
    "both_nil_value": lambda r: r.both_nil == "unit",
    "double_nil_value double_nil_deficit": lambda r: r.double_nil,
    "double_nil_exchange": lambda r: r.double_nil and r.partners,
    "double_blind_nil_value double_blind_nil_deficit": lambda r: r.double_blind_nil,
    "blind_bid_min blind_reward blind_exact blind_deficit": lambda r: r.blind_bid,
    "blind_failure": lambda r: r.blind_bid and r.blind_reward == "double",
    "blind_exact_over": lambda r: r.blind_bid and r.blind_exact,
    "moon": lambda r: r.bidding_rule == "free",
    "moon_value thirteen_is_moon": lambda r: r.moon,
    "blind_moon_value blind_moon_deficit": lambda r: r.blind_moon,
    "moon_wins": lambda r: r.moon or r.blind_moon,
    "first_leader first_trick_spades": lambda r: r.first_trick == "normal",
    "club_two_must_lead": lambda r: r.first_leader == "club_two",
    "sandbag": lambda r: r.counts_bags,
    "bag_threshold bag_penalty bag_trigger bag_reset penalty_when_negative": lambda r: r.sandbag,
    "revoke_tricks": lambda r: r.counts_remedies,
    "ten_bonus_failure": lambda r: r.ten_bonus in ("plus200", "flat200", "flat200_up"),
    "ten_bonus_value": lambda r: r.ten_bonus not in ("none", "ten_for_two"),
    "sets_in_row_lose": lambda r: not _row_is_dead(r),
}
"""When each option that depends on others can change anything."""


_SOLO = {"mode": _SOLO_MODES}
_SUBTRACTED = {"overtrick": ("minus1", "minus10")}
_FORCED_BIDS = {"bidding_rule": _FORCED}


def _forced_bids() -> Iterator[Excludes]:
    """Yield what forced bids exclude: they are added, nil is among them, and nothing is called blind."""
    yield Excludes(a.SUICIDE.id, {"bidding_rule": ("suicide",)}, {"mode": (*_SOLO_MODES, "partners6")})
    yield Excludes(a.MIRROR.id, {"bidding_rule": ("mirror", "whiz")}, {"mode": ("duo_draw", "duo_dummy", "partners6")})
    later = {"bid_method": ("later_partner", "consultation")}
    yield Excludes(a.SUM_BIDDING.id, _FORCED_BIDS, later, within={"mode": ("partners4",)})
    names = [
        "double_nil",
        "double_blind_nil",
        "blind_bid",
        "moon",
        "blind_moon",
        "second_round",
        "first_hand_bids_itself",
    ]
    values = {"nil": (False,), **dict.fromkeys(names, (True,)), "minimum_bid": _ABOVE_ZERO}
    for name, excluded in values.items():
        yield Excludes(a.SUICIDE.id, _FORCED_BIDS, {name: excluded})
    no_choice = {"bidding_rule": ("mirror", "whiz")}  # of the last to call, whose only call a forbidden total may be
    yield Excludes(a.MIRROR.id, no_choice, {"forbid_total_13": (True,)})
    yield Excludes(a.MIRROR.id, no_choice, {"forbidden_total": range(1, 37)})


def _no_nil() -> Iterator[Excludes]:
    """Yield what tables without nil exclude."""
    nils = {"double_nil": (True,), "double_blind_nil": (True,), "nil_exchange": _ABOVE_ZERO, "both_nil": ("unit",)}
    for name, excluded in nils.items():
        yield Excludes(a.NO_NIL.id, {"nil": (False,)}, {name: excluded})


def _six() -> Iterator[Excludes]:
    """Yield what six players with two packs exclude: one holder of a card, and packs that are too small."""
    six = {"mode": ("partners6",)}
    yield Excludes(a.TWO_PACKS.id, six, {"deck": _ONE_PACK})
    yield Excludes(a.TWO_PACKS.id, {"deck": _TWO_PACKS}, {"mode": ("partners4", *_SOLO_MODES)})
    others = ("partners4", "partners6", *(mode for mode in _SOLO_MODES if mode != "solo3"))
    yield Excludes(a.JOKERS_ADDED.id, {"deck": ("jokers_added",)}, {"mode": others})
    yield Excludes(a.TWO_PACKS.id, six, {"first_leader": ("club_two",)})
    yield Excludes(a.TWO_PACKS.id, six, {"first_trick": ("lowest_club_strict",)})
    yield Excludes(a.TWO_PACKS.id, six, {"promoted_twos": [two for each in _TWOS for two in _lists_with(each)]})


def _lists_with(two: Card) -> tuple[tuple[Card, ...], ...]:
    """All lists of twos that name the given one."""
    sizes = range(1, len(_TWOS) + 1)
    return tuple(cards for size in sizes for cards in permutations(_TWOS, size) if two in cards)


_ONE_PACK: Final = ("standard52", "jokers_minus_twos", "jokers_dealer_discards", "jokers_added")
_REMOVED_OR_PROMOTED = tuple(
    Excludes(
        a.PROMOTED_TWOS.id, {"promoted_twos": _lists_with(two)}, {"removed_twos": _lists_with(two)},
        within={"deck": ("jokers_minus_twos",)},
    )
    for two in _TWOS
)  # fmt: skip


def _no_total(rules: SpadesRules) -> Iterator[Problem]:
    """Yield a least total that no bids can reach, and a forbidden one that they cannot avoid (CLB-008, 009)."""
    if rules.least_total is not None and rules.least_total > rules.tricks:
        facts = {"options": ["mode", "least_total"]}
        yield Problem(("least_total",), "options-conflict", facts, a.LEAST_TOTAL.id)
    suicide, bound = rules.bidding_rule == "suicide", rules.partners or not rules.nil
    most = rules.tricks if suicide else rules.max_contract
    if bound and rules.lowest_contract == most and 2 * most in rules.forbidden_totals:
        facts = {"options": ["suicide_minimum" if suicide else "minimum_bid", "forbidden_total"]}
        yield Problem(("forbidden_total",), "options-conflict", facts, a.FORBIDDEN_NUMBER.id)


OPTIONS: Final = OptionSet(
    SpadesRules,
    PRESETS,
    excludes=(
        Excludes(a.NO_BAGS.id, _SUBTRACTED, {"sandbag": (True,)}),
        Excludes(a.SECOND_ROUND.id, {"second_round": (True,)}, _SOLO),
        Excludes(a.CONSULTATION.id, {"bid_method": ("consultation",)}, _SOLO),
        Excludes(a.SECOND_ROUND.id, {"second_round": (True,)}, {"bid_method": ("consultation",)}),
        Excludes(a.NIL_EXCHANGE.id, {"nil_exchange": _ABOVE_ZERO}, _SOLO),
        Excludes(a.BOTH_NIL_UNIT.id, {"both_nil": ("unit",)}, _SOLO),
        *_no_nil(),
        Excludes(
            a.SOLO3_REMOVED_TWO.id, {"removed_twos": _lists_with(_TWOS[0])}, {"solo3_deck": ("remove_2c",)},
            within={"mode": ("solo3",), "deck": ("jokers_minus_twos",)},
        ),
        *_REMOVED_OR_PROMOTED,
        Excludes(
            a.PROMOTED_TWOS.id, {"promoted_twos": _lists_with(_TWOS[0])}, {"solo3_deck": ("remove_2c",)},
            within={"mode": ("solo3",)},
        ),
        Excludes(
            a.LOWEST_CLUB.id,
            {"first_trick": ("lowest_club", "lowest_club_strict")},
            {"first_leader": ("club_two", "highest_bidder")},
        ),
        *_forced_bids(),
        *_six(),
        Excludes(
            a.FORBIDDEN_NUMBER.id, {"forbid_total_13": (True,)},
            {"forbidden_total": [total for total in range(1, 37) if total != 13]},
        ),
        Excludes(a.LEAST_TOTAL.id, {"least_total": range(1, 37)}, _SOLO),
        Excludes(
            a.FIRST_BIDDER.id, {"first_bidder": ("dealer", "other_side")}, {"bid_method": ("consultation",)},
            within={"mode": PAIRS},
        ),
        Excludes(a.FIRST_BIDDER.id, {"first_bidder": ("other_side",)}, {"mode": (*_SOLO_MODES, "partners6")}),
        Excludes(a.DEALS_LIMIT.id, {"target": (None,)}, {"deals_limit": (None,)}),
    ),
    needs=(
        Needs(a.CLUB_TWO_MUST_LEAD.id, {"club_two_must_lead": (True,)}, {"first_leader": ("club_two",)}),
        Needs(a.THIRTEEN_IS_MOON.id, {"thirteen_is_moon": (True,)}, {"moon": (True,)}),
        Needs(a.MOON_WINS.id, {"moon_wins": (True,)}, {"moon": (True,), "blind_moon": (True,)}),
    ),
    conflicts=_no_total,
    cautions=(
        Caution("sets-row-unreachable", a.SETS_IN_ROW_LOSE.id, ("sets_lose", "sets_in_row_lose"), _row_is_dead),
        Caution(
            "small-bids-unreachable", a.SMALL_BIDS.id, ("minimum_bid", "small_bid_special"),
            lambda r: r.small_bid_special and r.minimum_bid > 2,
        ),
        Caution(
            "zero-special-unreachable", a.SMALL_BIDS.id, ("zero_bid", "minimum_bid", "small_bid_special"),
            lambda r: r.small_bid_special and 0 < r.lowest_contract <= 2,
        ),
        Caution(
            "very-high-scores", a.ABOVE_SIX.id, ("above_six_bonus", "ten_bonus"),
            lambda r: r.above_six_bonus and r.ten_bonus in ("plus200", "ten_for_two"),
        ),
        Caution(
            "moon-wins-implied", a.MOON_WINS.id, ("all_tricks_wins", "moon_wins"),
            lambda r: r.all_tricks_wins and r.moon_wins and (r.moon or r.blind_moon),
        ),
        Caution(
            "bags-off-the-digit", a.BAG_NUMBERS.id, ("bag_threshold", "bag_penalty"),
            lambda r: r.sandbag and not r.digit_shows_bags,
        ),
        Caution(
            "no-overtricks-to-bag", a.OVERTRICKS_ZERO.id, ("overtrick", "sandbag"),
            lambda r: r.overtrick == "zero" and not r.sandbag,
        ),
        Caution(
            "remedy-without-effect", a.REVOKE_REMEDY.id, ("revoke_remedy", "challenge_lost", "out_of_turn_remedy"),
            lambda r: r.revoke_remedy == "none" and (r.challenge_lost == "same" or r.out_of_turn_remedy == "as_revoke"),
        ),
        Caution(
            "remedy-tricks-without-effect", a.REVOKE_REMEDY.id,
            ("revoke_tricks", "revoke_remedy", "challenge_lost", "out_of_turn_remedy", "talk_remedy"),
            lambda r: r.revoke_tricks != 3 and not r.counts_remedies,
        ),
        Caution(
            "minimum-forbids-both-nil", a.MINIMUM_WITH_NIL.id, ("minimum_bid", "nil"),
            lambda r: r.partners and r.nil and r.minimum_bid > 0,
        ),
    ),
    otherwise={
        "mode": "players", "deck trump_order": "pack", "promoted_twos": "trumps",
        "bid_method": "final-bid", "second_round first_hand_bids_itself": "bid-in-turn",
        "forbid_total_13": "independent-contracts", "minimum_bid blind_bid moon thirteen_is_moon blind_moon": "bid",
        "nil_exchange": "exchange-count", "double_blind_nil": "double-nil-unseen", "both_nil": "both-nil",
        "first_trick first_leader club_two_must_lead": "opening-lead",
        "ten_bonus above_six_bonus small_bid_special all_tricks_bonus": "contract",
        "last_trick_bonus last_sequence_bonus": "order-of-scoring", "all_tricks_wins moon_wins": "target",
        "penalty_when_negative": "penalty-timing",
    },
    when=_WHEN,
    firm=("mode",),
)  # fmt: skip

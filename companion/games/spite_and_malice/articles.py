"""The articles of Spite and Malice in the order of its page, with the rule numbers they state and their sources."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from itertools import combinations
from typing import Final

from companion.engine.articles import Article, Articles

GAME: Final = "spite-and-malice"

DUTIES: Final = ("payoff_ace", "payoff_two", "side_ace", "side_two", "hand_ace")
"""The compulsory plays that the option `mandatory` chooses from; all but the last are the usual ones."""
KINGS_WILD: Final = (("K",), ("K", "joker"))
JOKERS_WILD: Final = (("joker",), ("K", "joker"))

_TWO: Final = {"players": (2,)}
_PARTNERS: Final = {"partners": ("opposite",)}
_PLAYING: Final = {"card_names": ("playing",)}
_NUMBERED: Final = {"card_names": ("numbered",)}
_JOKERS: Final = {"wild": JOKERS_WILD, "jokers": (4, 6, 8, 10), **_PLAYING}
_ALONE: Final = {"players": (3, 4, 5, 6), "partners": ("off",)}
_NO_WILD: Final = {"wild_cards": (False,)}
_RUNS: Final = {"discard_rule": ("same_or_lower",)}
_NO_DUTY: Final = {"mandatory": ((),)}
_ONE_PACK: Final = {"deal_mode": ("payoff_from_one_pack",)}
_COMPARED: Final = {"starts": ("highest_payoff",)}
_SECOND_CHANCE: Final = {"deadlock": ("second_chance_redeal",)}
_REPLENISHED: Final = {"replenished": (True,)}


def _article(
    anchor: str,
    *numbers: str,
    source: str = "",
    reference: str = "",
    when: Mapping[str, Collection[object]] | None = None,
    unless: Mapping[str, Collection[object]] | None = None,
    survey: bool = False,
    **option: object,
) -> Article:
    """Return an article that is also played under this value of an option alone, or these in a tuple."""
    labels = tuple(number if number[0].isalpha() else f"SNM-{number}" for number in numbers)
    origin = source or ("reference" if reference else "seed")
    settings = {name: value if isinstance(value, tuple) else (value,) for name, value in option.items()}
    return Article(f"{GAME}.{anchor}", labels, origin, reference, {**(when or {}), **settings}, unless or {}, survey)


def _duty(name: str) -> Mapping[str, Collection[object]]:
    sets = (group for size in range(len(DUTIES) + 1) for group in combinations(DUTIES, size))
    return {"mandatory": tuple(group for group in sets if name in group)}


PLAYERS = _article("players", "001", when=_TWO)
PACKS = _article("packs", "002")
RANKS = _article("ranks", "004")

SPLIT_DECK = _article("split-deck", "005", deal_mode="split")
HAND = _article("hand", "006")
PAYOFF_PILE = _article("payoff-pile", "007")
OPENING_TABLE = _article("opening-table", "008", source="ruling")
PAYOFF_TOP = _article("payoff-top", "010", "215")

START = _article("start", "012", "207", when=_COMPARED)
START_SUIT = _article("start-suit", "013", when={"start_tie": ("suit",), **_COMPARED})
TURN_ORDER = _article("turn-order", "014", source="ruling")

REFILL = _article("refill", "020", "210", "303", refill_at="start")
PLAYS = _article("plays", "021", "211", source="restored")
CLOSED_LIST = _article("closed-list", "022", "307", source="restored")
TOP_CARD_ONLY = _article("top-card-only", "023", "214", source="restored")
DISCARD = _article("discard", "025")
END_OF_TURN = _article("end-of-turn", "026", discard_required=False)
AFTER_DISCARD = _article("after-discard", "027", source="restored")
EMPTY_HAND = _article("empty-hand", "028", midturn_refill="may")
LAST_CARD_DISCARDED = _article("last-card-discarded", "029", after_last_discard="end")

CENTRE = _article("centre", "031", "035")
OPEN_STACK = _article("open-stack", "032", source="restored")
NEXT_RANK = _article("next-rank", "033", "213", source="restored")
COMPLETED_STACK = _article("completed-stack", "034")

PAYOFF_ACE = _article("payoff-ace", "040", source="restored", when=_duty("payoff_ace"))
PAYOFF_TWO = _article("payoff-two", "041", source="restored", when=_duty("payoff_two"))
SIDE_TWO = _article("side-two", "042", source="restored", when=_duty("side_two"))
SIDE_ACE = _article("side-ace", "043", source="ruling", when=_duty("side_ace"))
ACE_KEPT_FOR_TWO = _article("ace-kept-for-two", "045", unless={"block_two": ("off",)})
HAND_ACE = _article("hand-ace", "ALO-012", reference="rivahchick.com", when=_duty("hand_ace"))
HAND_IS_FREE = _article(
    "hand-is-free", "046", source="restored", unless={"mandatory": ((), *_duty("hand_ace")["mandatory"])}
)
WHEN_COMPULSORY = _article("when-compulsory", "048", source="ruling", unless=_NO_DUTY)

SIDE_STACKS = _article("side-stacks", "050", "055")
NEW_SIDE_STACK = _article("new-side-stack", "051", source="restored")
ACE_STAYS_IN_HAND = _article("ace-stays-in-hand", "052", source="restored", discard_ace=False)
SAME_OR_LOWER = _article("same-or-lower", "053", source="restored", when=_RUNS)
ONLY_FROM_HAND = _article("only-from-hand", "054")

JOKER = _article("joker", "060", when=_JOKERS)
JOKER_TO_CENTRE = _article("joker-to-centre", "061", when=_JOKERS)
JOKER_AS_ACE = _article("joker-as-ace", "062", when=_JOKERS, wild_as_ace=True)
JOKER_DISCARDED = _article("joker-discarded", "064", when=_JOKERS)
JOKER_RANGE = _article("joker-range", "065", when=_RUNS, unless=_NO_WILD)
ONLY_JOKERS = _article("only-jokers", "067", source="ruling", when=_RUNS, unless=_NO_WILD)

IDLE_TURN = _article("idle-turn", "070", unless={"deadlock": ("none",)})
SECOND_CHANCE = _article("second-chance", "071", when=_SECOND_CHANCE)
SECOND_CHANCE_DUTY = _article("second-chance-duty", "072", when=_SECOND_CHANCE)
REDEAL = _article("redeal", "074", "076", when=_SECOND_CHANCE)
REDEAL_STARTER = _article("redeal-starter", "075", when=_SECOND_CHANCE)

STOCK_LOW = _article("stock-low", "080", unless={"recycle_source": ("none",)})
WHO_RECYCLES = _article("who-recycles", "081", when=_REPLENISHED, recycle_by="opponent")
RECYCLE_COMPLETE = _article("recycle-complete", "082", when=_REPLENISHED, unless={"centre_done": ("shuffle_now",)})
RECYCLE_INCOMPLETE = _article("recycle-incomplete", "083", recycle_source="complete_then_incomplete")
SHORT_HAND = _article("short-hand", "085", source="ruling", stock_out="play_on")

GOING_OUT = _article("going-out", "090", "221")
CARDS_LEFT = _article("cards-left", "091", "222")
BONUS = _article("bonus", "091", unless={"score_bonus": (0,)})
MATCH = _article("match", "092")
STALEMATE = _article("stalemate", "093")

SINGLE_SHUFFLE = _article("single-shuffle", "101", deal_mode="single")
WILD_IN_PAYOFF = _article(
    "wild-in-payoff", "102", source="ruling", when=_PLAYING, unless={"deal_mode": ("split",), **_NO_WILD}
)
FREE_DISCARDS = _article("free-discards", "103", when={"discard_rule": ("free",), **_JOKERS})
DRAWN_HANDS = _article("drawn-hands", "121", initial_hand="drawn_first_turn")
START_RESHUFFLE = _article("start-reshuffle", "122", "302", when={"start_tie": ("reshuffle",), **_COMPARED})
PLAY_AGAIN = _article("play-again", "123", after_last_discard="refill_and_replay")
SIDE_TWO_SHUT_OUT = _article("side-two-shut-out", "124", block_two="payoff_only")
RECYCLE_THRESHOLD = _article("recycle-threshold", "125", when=_REPLENISHED)
NO_BONUS = _article("no-bonus", "126", score_bonus=0)

PARTNERS = _article("partners", "104", when=_PARTNERS)
PARTNERS_PACKS = _article("partners-packs", "105", when=_PARTNERS)
PARTNERS_START = _article("partners-start", "112", source="reference", when={**_PARTNERS, **_COMPARED})
PARTNERS_PILES = _article("partners-piles", "106", when=_PARTNERS)
OWN_SIDE_STACKS = _article("own-side-stacks", "107", when=_PARTNERS)
BOTH_PILES = _article("both-piles", "108", when=_PARTNERS)
SKIP_BO_SCORE = _article(
    "skip-bo-score", "113", "SKB-010", reference="Skip-Bo",
    score_bonus=25, score_per_card=5, match="target", target=500,
)  # fmt: skip

ALONE = _article("alone", "ALO-001", "ALO-007", "ALO-009", "ALO-014", reference="Wikipedia", when=_ALONE)
ALONE_PACKS = _article(
    "alone-packs", "ALO-002", "ALO-003", "ALO-005", "ALO-015", "ALO-016", reference="Wikipedia",
    when=_ALONE,
)  # fmt: skip
ALONE_START = _article("alone-start", "ALO-006", "ALO-R4", source="ruling", when={**_ALONE, **_COMPARED})
NOT_AS_SEVEN = _article("not-as-seven", "ALO-004", source="table", wild_as_seven=False)
DRAW_AT_END = _article("draw-at-end", "ALO-010", reference="traditionalgamerules.com", refill_at="end")
START_AGREED = _article(
    "start-agreed", "ALO-006", "SKB-004", reference="Wikipedia",
    starts=("left_of_dealer", "dealer", "any"),
)  # fmt: skip

_MATTEL: Final = "Mattel"
NUMBERED_CARDS = _article("numbered-cards", "SKB-001", "SKB-012", reference=_MATTEL, when=_NUMBERED)
NUMBERED_WILD = _article("numbered-wild", "SKB-006", reference=_MATTEL, when=_NUMBERED)
NUMBERED_DISCARD = _article(
    "numbered-discard", "SKB-007", "SKB-008", reference=_MATTEL,
    when=_NUMBERED, discard_rule="free",
)  # fmt: skip
NUMBERED_END = _article("numbered-end", "SKB-R1", "SKB-R2", "SKB-R3", source="ruling", when=_NUMBERED)

_KINGS: Final = {"wild": KINGS_WILD, **_PLAYING}
SHORT_VERSION = _article("short-version", "228", "229", when={**_KINGS, **_ONE_PACK, **_NO_DUTY})
TWO_PLAIN_PACKS = _article("two-plain-packs", "201", survey=True)
KINGS = _article("kings", "202", when=_KINGS)
SMALL_PAYOFF = _article("small-payoff", "203", when=_ONE_PACK)
COMMON_STOCK = _article("common-stock", "204", when=_ONE_PACK)
FIRST_SIDE_CARDS = _article("first-side-cards", "205", unless={"side_start": (0,)})
HANDS_DEALT = _article("hands-dealt", "206", when=_ONE_PACK, initial_hand="dealt")
START_BURY = _article("start-bury", "208", when={"start_tie": ("bury",), **_COMPARED})
CENTRE_PLACES = _article("centre-places", "212", "304", unless={"centre_max": (None,)})
CLOSING_DISCARD = _article("closing-discard", "216", "308", discard_required=True)
ANY_CARD_ANYWHERE = _article("any-card-anywhere", "217", when={"discard_rule": ("free",), "jokers": (0,), **_PLAYING})
FIVE_NEW_CARDS = _article("five-new-cards", "218", "309", "ALO-011", midturn_refill="must")
SET_ASIDE = _article("set-aside", "219", "ALO-008", centre_done="set_aside")
RECYCLE_SET_ASIDE = _article("recycle-set-aside", "220", recycle_source="complete_only")
KING_TO_CENTRE = _article("king-to-centre", "223", when=_KINGS)
KING_AS_ACE = _article("king-as-ace", "224", source="ruling", when=_KINGS)
KING_IN_PAYOFF = _article("king-in-payoff", "226", source="ruling", when=_KINGS, deal_mode="split")
KING_DISCARDED = _article("king-discarded", "227", "306", when=_KINGS)

_PAGAT: Final = {**_KINGS, **_TWO, "deal_mode": ("single",)}
PAGAT_DEAL = _article("pagat-deal", "301", reference="pagat.com", survey=True)
SHUFFLED_IN = _article("shuffled-in", "310", reference="pagat.com", centre_done="shuffle_now")
NO_DUTIES = _article("no-duties", "311", when=_NO_DUTY)
STOCK_EXHAUSTED = _article("stock-exhausted", "313", reference="pagat.com", stock_out=("draw", "compare"))

ILLEGAL_PLAY = _article("illegal-play", "IRR-M1", "IRR-M3", source="ruling", survey=True)
MISDEAL = _article("misdeal", "IRR-M5", source="ruling", survey=True)

ARTICLES: Final = Articles(
    GAME,
    {
        "game": (
            _article("about", "015"), _article("origin", "016", reference="Wikipedia"), _article("aim", "009"), PLAYERS,
            PACKS, _article("backs", "003", source="table"), RANKS,
        ),
        "deal": (
            SPLIT_DECK, HAND, PAYOFF_PILE, OPENING_TABLE, PAYOFF_TOP, _article("turned-card", "011", source="ruling"),
            START, START_SUIT, TURN_ORDER,
        ),
        "turn": (
            REFILL, PLAYS, CLOSED_LIST, TOP_CARD_ONLY, _article("free-choice", "024"), DISCARD, END_OF_TURN,
            AFTER_DISCARD, EMPTY_HAND, LAST_CARD_DISCARDED, _article("quiet-turn", "030"),
        ),
        "centre-stacks": (CENTRE, OPEN_STACK, NEXT_RANK, COMPLETED_STACK),
        "compulsory": (
            PAYOFF_ACE, PAYOFF_TWO, SIDE_TWO, SIDE_ACE, HAND_ACE,
            _article("choice-of-twos", "044", when=_duty("payoff_two")), ACE_KEPT_FOR_TWO, HAND_IS_FREE,
            _article("wild-never-forced", "047"), WHEN_COMPULSORY,
        ),
        "discards": (SIDE_STACKS, NEW_SIDE_STACK, ACE_STAYS_IN_HAND, SAME_OR_LOWER, ONLY_FROM_HAND),
        "jokers": (
            JOKER, JOKER_TO_CENTRE, JOKER_AS_ACE, _article("joker-from-side", "063", when=_JOKERS), JOKER_DISCARDED,
            JOKER_RANGE, _article("joker-open-again", "066", when=_RUNS, unless=_NO_WILD), ONLY_JOKERS,
            _article("jokers-below", "068", source="ruling", when=_RUNS, unless=_NO_WILD),
            _article("joker-limits", "069", source="ruling", when=_JOKERS),
        ),
        "deadlock": (
            IDLE_TURN, SECOND_CHANCE, SECOND_CHANCE_DUTY,
            _article("deadlock-broken", "073", source="ruling", when=_SECOND_CHANCE), REDEAL, REDEAL_STARTER,
        ),
        "stock": (
            STOCK_LOW, WHO_RECYCLES, RECYCLE_COMPLETE, RECYCLE_INCOMPLETE,
            _article("left-alone", "084", source="ruling", when=_REPLENISHED), SHORT_HAND,
        ),
        "end": (GOING_OUT, CARDS_LEFT, BONUS, MATCH, STALEMATE, _article("adjustment", source="table")),
        "variants": (
            SINGLE_SHUFFLE, WILD_IN_PAYOFF, FREE_DISCARDS, DRAWN_HANDS, START_RESHUFFLE, PLAY_AGAIN,
            SIDE_TWO_SHUT_OUT, RECYCLE_THRESHOLD, NO_BONUS, NOT_AS_SEVEN, DRAW_AT_END, START_AGREED,
        ),
        "partnership": (
            PARTNERS, PARTNERS_PACKS, PARTNERS_START, PARTNERS_PILES, OWN_SIDE_STACKS, BOTH_PILES,
            _article("playing-on", "109", source="ruling", when=_PARTNERS),
            _article("like-skip-bo", "110", "SKB-014", when={**_PARTNERS, **_PLAYING}, discard_rule="free"),
            SKIP_BO_SCORE,
        ),
        "each-alone": (
            ALONE, ALONE_PACKS, ALONE_START,
            _article("alone-score", "ALO-013", reference="traditionalgamerules.com", when=_ALONE),
            _article("alone-deadlock", "ALO-R1", "ALO-R2", source="ruling", when={**_ALONE, **_SECOND_CHANCE}),
            _article("alone-ends", "ALO-R3", "ALO-R5", "ALO-R6", source="ruling", when=_ALONE),
            _article("leaving", "ALO-R7", source="ruling", when=_ALONE),
        ),
        "skip-bo": (
            NUMBERED_CARDS,
            _article("numbered-piles", "SKB-003", "SKB-005", "SKB-009", reference=_MATTEL, when=_NUMBERED),
            NUMBERED_WILD, NUMBERED_DISCARD,
            _article("numbered-pairs", "SKB-002", "SKB-011", reference="finalbosscardgame.com", when=_NUMBERED),
            NUMBERED_END, _article("numbered-others", "SKB-013", reference=_MATTEL, survey=True),
        ),
        "massachusetts": (
            SHORT_VERSION, TWO_PLAIN_PACKS, KINGS, SMALL_PAYOFF, COMMON_STOCK, FIRST_SIDE_CARDS, HANDS_DEALT,
            START_BURY, CENTRE_PLACES, CLOSING_DISCARD, ANY_CARD_ANYWHERE, FIVE_NEW_CARDS, SET_ASIDE, RECYCLE_SET_ASIDE,
            KING_TO_CENTRE, KING_AS_ACE, _article("kings-in-a-row", "225", source="ruling", when=_KINGS),
            KING_IN_PAYOFF, KING_DISCARDED,
        ),
        "pagat-version": (
            _article("pagat", "111", "314", reference="pagat.com", when=_PAGAT), PAGAT_DEAL,
            _article("king-next-rank", "305", reference="pagat.com", survey=True), SHUFFLED_IN, NO_DUTIES,
            _article("remaining-cards", "312", reference="pagat.com", survey=True), STOCK_EXHAUSTED,
        ),
        "remedies": (
            _article("irregularities", "IRR-0", source="ruling", survey=True), ILLEGAL_PLAY,
            _article("turned-too-early", "IRR-M2", source="ruling", survey=True),
            _article("drawn-too-many", "IRR-M4", reference="public pages on Skip-Bo", survey=True), MISDEAL,
        ),
    },
    follows={
        "about": "short-version pagat like-skip-bo numbered-cards",
        "players": "partners alone numbered-pairs",
        "ranks": "kings",
        "split-deck": "single-shuffle partners-packs alone-packs small-payoff common-stock first-side-cards",
        "payoff-pile": "numbered-piles",
        "hand": "hands-dealt drawn-hands",
        "start": "partners-start alone-start start-agreed",
        "start-suit": "start-reshuffle start-bury wild-in-payoff king-in-payoff",
        "refill": "draw-at-end",
        "plays": "partners-piles",
        "discard": "closing-discard",
        "empty-hand": "five-new-cards",
        "last-card-discarded": "play-again",
        "centre": "centre-places",
        "open-stack": "king-as-ace",
        "next-rank": "king-to-centre kings-in-a-row numbered-wild not-as-seven",
        "completed-stack": "set-aside shuffled-in",
        "ace-kept-for-two": "side-two-shut-out",
        "hand-is-free": "no-duties",
        "same-or-lower": "free-discards any-card-anywhere king-discarded numbered-discard",
        "redeal-starter": "alone-deadlock",
        "only-from-hand": "own-side-stacks",
        "stock-low": "recycle-threshold",
        "recycle-complete": "recycle-set-aside",
        "short-hand": "stock-exhausted",
        "going-out": "both-piles playing-on",
        "bonus": "no-bonus skip-bo-score alone-score",
        "stalemate": "alone-ends numbered-end",
        "adjustment": "leaving",
    },
    instead={
        "partners-packs": "packs", "partners-start": "start", "both-piles": "going-out", "playing-on": "going-out",
        "skip-bo-score": "cards-left", "king-in-payoff": "joker", "kings": "ranks", "pagat": "joker",
        "king-discarded": "joker-discarded", "no-duties": "payoff-ace", "alone": "players", "alone-packs": "packs",
        "alone-score": "cards-left", "hand-ace": "hand-is-free", "start-agreed": "start", "draw-at-end": "refill",
        "numbered-cards": "ranks", "not-as-seven": "next-rank", "second-chance": "stalemate",
        "set-aside": "shuffled-in",
    },
)  # fmt: skip

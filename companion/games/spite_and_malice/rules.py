"""The house rules of Spite and Malice: every option, the presets, and what excludes or needs what."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from itertools import product
from typing import Final

from companion.engine.articles import Article
from companion.engine.options import Caution, Excludes, Needs, OptionSet, choice, flag, number, one_number, word_list
from companion.engine.problems import Problem
from companion.games.spite_and_malice import articles as a

HAND_SIZE: Final = 5
SIDE_PLACES: Final = 4
PACK_SIZE: Final = 52


def _ids(*articles: Article) -> tuple[str, ...]:
    return tuple(article.id for article in articles)


@dataclass(frozen=True, slots=True)
class SpiteRules:
    """The house rules of one table."""

    players: int = one_number(2, 2, 3, 4, 5, 6, key="p", unit="players", articles=_ids(a.PLAYERS, a.PARTNERS, a.ALONE))
    partners: str = choice("off", "opposite", key="pa", articles=_ids(a.PARTNERS, a.ALONE))
    packs: int = one_number(
        2, 2, 3, 4, 5, key="pk", unit="packs", articles=_ids(a.PACKS, a.PARTNERS_PACKS, a.ALONE_PACKS)
    )
    jokers: int = one_number(
        4, 4, 6, 8, 10, 0, key="jk", unit="jokers",
        articles=_ids(a.PACKS, a.PARTNERS_PACKS, a.ALONE_PACKS, a.TWO_PLAIN_PACKS),
    )  # fmt: skip
    wild: tuple[str, ...] = word_list("joker", among=("K", "joker"), least=1, key="w", articles=_ids(a.JOKER, a.KINGS))
    top_rank: str = choice("K", "Q", key="tr", articles=_ids(a.RANKS, a.KINGS))
    deal_mode: str = choice(
        "split", "single", "payoff_from_one_pack",
        key="dm", articles=_ids(a.SPLIT_DECK, a.SINGLE_SHUFFLE, a.COMMON_STOCK),
    )  # fmt: skip
    payoff_size: int = number(
        26, 5, 30, key="ps", unit="cards", articles=_ids(a.PAYOFF_PILE, a.SINGLE_SHUFFLE, a.SMALL_PAYOFF, a.PAGAT_DEAL)
    )
    initial_hand: str = choice("dealt", "drawn_first_turn", key="ih", articles=_ids(a.DRAWN_HANDS))
    starts: str = choice(
        "highest_payoff", "left_of_dealer", "dealer", "any", key="s", articles=_ids(a.START, a.START_AGREED)
    )
    refill_at: str = choice("start", "end", key="ra", articles=_ids(a.REFILL, a.DRAW_AT_END))
    side_start: int = one_number(0, 0, 1, 4, key="ss", unit="cards", articles=_ids(a.FIRST_SIDE_CARDS))
    start_tie: str = choice(
        "suit", "reshuffle", "bury", key="st", articles=_ids(a.START_SUIT, a.START_RESHUFFLE, a.START_BURY)
    )
    start_wild: str = choice("redraw", "high", "low", key="sw", articles=_ids(a.WILD_IN_PAYOFF))
    centre_max: int | None = one_number(
        None, 3, 4, 8, key="cm", unit="stacks", nullable=True, articles=_ids(a.CENTRE, a.CENTRE_PLACES)
    )
    centre_done: str = choice(
        "stay", "set_aside", "shuffle_now", key="cd", articles=_ids(a.COMPLETED_STACK, a.SET_ASIDE, a.SHUFFLED_IN)
    )
    wild_as_ace: bool = flag(True, key="wa", articles=_ids(a.JOKER_AS_ACE, a.KING_AS_ACE))
    wild_as_seven: bool = flag(True, key="ws", articles=_ids(a.NOT_AS_SEVEN))
    discard_rule: str = choice(
        "same_or_lower", "free", key="dr", articles=_ids(a.SAME_OR_LOWER, a.FREE_DISCARDS, a.ANY_CARD_ANYWHERE)
    )
    discard_ace: bool = flag(False, key="da", articles=_ids(a.ACE_STAYS_IN_HAND))
    discard_required: bool = flag(False, key="dq", articles=_ids(a.END_OF_TURN, a.CLOSING_DISCARD))
    midturn_refill: str = choice("may", "must", key="mr", articles=_ids(a.EMPTY_HAND, a.FIVE_NEW_CARDS))
    after_last_discard: str = choice(
        "end", "refill_and_replay", key="al", articles=_ids(a.LAST_CARD_DISCARDED, a.PLAY_AGAIN)
    )
    mandatory: tuple[str, ...] = word_list(
        *a.DUTIES[:-1], among=a.DUTIES, least=0,
        key="md", articles=_ids(a.PAYOFF_ACE, a.PAYOFF_TWO, a.SIDE_TWO, a.SIDE_ACE, a.HAND_ACE, a.NO_DUTIES),
    )  # fmt: skip
    mandatory_timing: str = choice("before_turn_end", "immediate", key="mt", articles=_ids(a.WHEN_COMPULSORY))
    mandatory_scope: str = choice("own", "own_and_partner", key="ms", articles=_ids(a.PARTNERS_PILES))
    block_two: str = choice(
        "strict", "one_is_enough", "payoff_only", "off",
        key="bt", articles=_ids(a.ACE_KEPT_FOR_TWO, a.SIDE_TWO_SHUT_OUT),
    )  # fmt: skip
    recycle_threshold: int = number(12, 0, 20, key="rt", unit="cards", articles=_ids(a.STOCK_LOW, a.RECYCLE_THRESHOLD))
    recycle_by: str = choice("opponent", "anyone", key="rb", articles=_ids(a.WHO_RECYCLES))
    recycle_source: str = choice(
        "complete_then_incomplete", "complete_only", "none",
        key="rs", articles=_ids(a.RECYCLE_COMPLETE, a.RECYCLE_INCOMPLETE, a.RECYCLE_SET_ASIDE),
    )  # fmt: skip
    stock_out: str = choice(
        "play_on", "draw", "compare", key="so", articles=_ids(a.SHORT_HAND, a.STALEMATE, a.STOCK_EXHAUSTED)
    )
    deadlock: str = choice(
        "second_chance_redeal", "draw", "compare", "none",
        key="dl", articles=_ids(a.IDLE_TURN, a.SECOND_CHANCE, a.REDEAL, a.STALEMATE),
    )  # fmt: skip
    second_chance_scope: str = choice("both", "until_broken", key="sc", articles=_ids(a.SECOND_CHANCE_DUTY))
    score_bonus: int = one_number(5, 0, 5, 25, key="sb", unit="points", articles=_ids(a.BONUS, a.NO_BONUS))
    score_per_card: int = one_number(1, 1, 5, key="pc", unit="points", articles=_ids(a.CARDS_LEFT, a.SKIP_BO_SCORE))
    stalemate_score: str = choice("none", "difference", key="sd", articles=_ids(a.STALEMATE))
    match: str = choice("single", "target", "deals", key="m", articles=_ids(a.MATCH))
    target: int = number(100, 1, 10_000, key="t", unit="points", articles=_ids(a.MATCH))
    match_deals: int = number(3, 1, 100, key="n", unit="deals", articles=_ids(a.MATCH))
    card_names: str = choice("playing", "numbered", key="cn", articles=_ids(a.NUMBERED_CARDS))

    @property
    def cards(self) -> int:
        """Return the number of cards in the packs."""
        return self.packs * PACK_SIZE + self.jokers

    @property
    def wild_cards(self) -> bool:
        """Return whether there are wild cards: kings that are wild, or jokers in the packs."""
        return "K" in self.wild or self.jokers > 0

    @property
    def replenished(self) -> bool:
        """Return whether centre stacks replenish the stock; completed ones that are shuffled in at once cannot."""
        if self.centre_done == "shuffle_now":
            return self.recycle_source == "complete_then_incomplete"
        return self.recycle_source != "none"

    @property
    def numbered(self) -> bool:
        """Return whether the cards are numbers and wild cards, without suits, aces and pictures (SKB-012)."""
        return self.card_names == "numbered"

    @property
    def unranked(self) -> int:
        """Return the number of cards without a rank: the jokers, of cards with numbers all wild ones."""
        return self.jokers + 4 * self.packs * self.numbered

    @property
    def paired(self) -> bool:
        """Return whether partners sit opposite each other."""
        return self.partners == "opposite"

    @property
    def redealt(self) -> bool:
        """Return whether a deal in which nobody can play is dealt again after a second chance."""
        return self.deadlock == "second_chance_redeal"

    @property
    def one_pack(self) -> bool:
        """Return whether the pay-off piles are dealt from one pack alone."""
        return self.deal_mode != "single"

    @property
    def top(self) -> int:
        """Return the rank that completes a centre stack, 13 or 12."""
        return 12 if self.top_rank == "Q" else 13

    @property
    def side_players(self) -> int:
        """Return how many players score together."""
        return 1 + self.paired

    @property
    def hands_dealt(self) -> int:
        """Return the number of cards dealt to each hand; 0 if hands are drawn in the first turn."""
        return 0 if self.initial_hand == "drawn_first_turn" else HAND_SIZE

    @property
    def stock_dealt(self) -> int:
        """Return the number of cards in the stock after the deal."""
        return self.cards - self.players * (self.payoff_size + self.hands_dealt + self.side_start)

    @property
    def abandoned(self) -> bool:
        """Return whether a deal that nobody can finish may end without a winner (SNM-093, SKB-R1)."""
        return not self.redealt or self.stock_out != "play_on"

    @property
    def ends_both_ways(self) -> bool:
        """Return whether of a deadlock and an empty stock one is a draw, and the other goes to the fewest cards."""
        return {self.deadlock, self.stock_out} == {"draw", "compare"}

    @property
    def stalemate_decides(self) -> bool:
        """Return whether a deal that nobody can finish goes to whoever has fewer cards left (SNM-093)."""
        ends = (self.deadlock, self.stock_out)
        return "compare" in ends or (self.stalemate_score == "difference" and "draw" not in ends)


_MASSACHUSETTS = {
    "jokers": 0, "wild": ("K",), "top_rank": "Q", "deal_mode": "payoff_from_one_pack", "payoff_size": 14,
    "side_start": 1, "start_tie": "bury", "start_wild": "high", "centre_max": 4, "centre_done": "set_aside",
    "discard_rule": "free", "discard_ace": True, "discard_required": True, "midturn_refill": "must",
    "mandatory": (), "block_two": "off", "recycle_by": "anyone", "recycle_source": "complete_only",
    "deadlock": "none", "score_bonus": 0,
}  # fmt: skip
_PAGAT = _MASSACHUSETTS | {
    "deal_mode": "single", "payoff_size": 20, "side_start": 0, "start_tie": "reshuffle", "centre_max": 3,
    "centre_done": "shuffle_now", "recycle_by": "opponent", "recycle_source": "none", "stock_out": "draw",
}  # fmt: skip
_ALONE3 = _PAGAT | {
    "players": 3, "packs": 3, "centre_max": 4, "centre_done": "set_aside", "recycle_by": "anyone",
    "recycle_source": "complete_only", "stock_out": "play_on", "deadlock": "second_chance_redeal", "score_bonus": 5,
}  # fmt: skip
_SINGLE = {"deal_mode": "single", "payoff_size": 20}
_PARTNERS4 = _SINGLE | {"players": 4, "partners": "opposite", "recycle_threshold": 0}

_PRESETS: Final = {
    "blackwood": {},
    "blackwood108": _SINGLE,
    "massachusetts": _MASSACHUSETTS,
    "pagat": _PAGAT,
    "partners4": _PARTNERS4,
    "partners6": _PARTNERS4 | {"players": 6, "packs": 3, "jokers": 6},
    "skipbo_like": _PARTNERS4
    | {
        "discard_rule": "free", "discard_ace": True, "mandatory": (), "block_two": "off",
        "score_bonus": 25, "score_per_card": 5, "match": "target", "target": 500,
    },
    "hoyle": {
        "wild_as_ace": False, "start_tie": "reshuffle", "mandatory_timing": "immediate", "deadlock": "compare",
        "stalemate_score": "difference",
    },
    "alone3": _ALONE3,
    "alone4": _ALONE3 | {"players": 4},
    "skip_bo": _ALONE3
    | {
        "players": 2, "jokers": 6, "wild": ("K", "joker"), "payoff_size": 30, "initial_hand": "drawn_first_turn",
        "starts": "any", "start_tie": "suit", "start_wild": "redraw", "recycle_threshold": 0, "deadlock": "none",
        "score_bonus": 25, "score_per_card": 5, "match": "target", "target": 500, "card_names": "numbered",
    },
}  # fmt: skip


def _impossible(rules: SpiteRules) -> Iterable[Problem]:
    """Yield conflicts that involve more than two options: piles and hands that are larger than the packs (ALO-016)."""
    if rules.mandatory_scope == "own_and_partner" and not rules.paired:
        yield _conflict("mandatory_scope", a.PARTNERS_PILES, "partners", "mandatory_scope")
    if rules.one_pack and (rules.paired or (rules.deal_mode == "split" and rules.players > 2)):
        yield _conflict("deal_mode", a.PARTNERS_PACKS, "players" if not rules.paired else "partners", "deal_mode")
    elif rules.one_pack and rules.players * rules.payoff_size > PACK_SIZE:
        yield _conflict("deal_mode", a.PAYOFF_PILE, "payoff_size", "deal_mode")
    if rules.stock_dealt < 0:
        yield _conflict("payoff_size", a.ALONE_PACKS, "players", "payoff_size", "packs", "jokers")


def _conflict(name: str, article: Article, *options: str) -> Problem:
    return Problem((name,), "options-conflict", {"options": list(options)}, article.id)


_KINGS = {"wild": a.KINGS_WILD}
_SKIP_BO = 30
"""The pay-off piles of Skip-Bo for up to four players (SKB-003)."""
_MANY = {"players": (3, 4, 5, 6)}
_TEAMS = {"partners": ("opposite",)}
_NUMBERED = {"card_names": ("numbered",)}
_PACKS = (2, 3, 4, 5)
_JOKERS = tuple(2 * packs for packs in _PACKS)
_WITH_JOKERS = {"jokers": _JOKERS}


def _piles_up_to(largest: int) -> range:
    return range(largest, 4, -1)


def _room() -> Iterable[Needs]:
    """Yield what many players need: smaller pay-off piles out of one pack, more packs for large ones (ALO-015, 016)."""
    for players in range(3, 7):
        setting = {"players": (players,)}
        piles = _piles_up_to(PACK_SIZE // players)
        yield Needs(a.PAYOFF_PILE.id, setting, {"payoff_size": piles, "deal_mode": ("single",)}, soft="asks")
        for packs, start in product(range(2, 5), (0, 1, 4)):
            piles = _piles_up_to(min(packs * PACK_SIZE // players - HAND_SIZE - start, 30))
            fewer = {"side_start": range(start)} if start else {}
            more = {"packs": _PACKS[packs - 1 :], "payoff_size": piles, **fewer}
            yield Needs(a.ALONE_PACKS.id, setting, more, soft="asks")


_WHEN: Final[Mapping[str, Callable[[SpiteRules], bool]]] = {
    "start_tie": lambda r: r.starts == "highest_payoff",
    "start_wild": lambda r: (
        r.starts == "highest_payoff" and ("K" in r.wild or (r.jokers > 0 and r.deal_mode == "single"))
    ),
    "wild_as_ace wild_as_seven": lambda r: r.wild_cards,
    "mandatory_timing": lambda r: bool(r.mandatory),
    "mandatory_scope": lambda r: r.paired and (bool(r.mandatory) or r.block_two != "off"),
    "recycle_threshold recycle_by": lambda r: r.replenished,
    "second_chance_scope": lambda r: r.redealt,
    "target": lambda r: r.match == "target",
    "match_deals": lambda r: r.match == "deals",
}
"""When each option that depends on others can change anything."""


_USUAL: Final = SpiteRules()
OPTIONS: Final = OptionSet(
    SpiteRules,
    _PRESETS,
    excludes=(
        # Three packs with six jokers have been split before: a stored sheet that says so keeps its values.
        Excludes(
            a.SPLIT_DECK.id, {"packs": (3, 4, 5)}, {"deal_mode": ("split",)}, within={"jokers": (0, 4, 8, 10)},
        ),
        *(Excludes(a.ALONE_PACKS.id, {"jokers": _JOKERS[: n - 2]}, {"packs": _PACKS[n - 2 :]}) for n in _PACKS[1:]),
        *(Excludes(a.ALONE_PACKS.id, {"jokers": _JOKERS[n - 1 :]}, {"packs": _PACKS[: n - 1]}) for n in _PACKS[:-1]),
        Excludes(a.DRAW_AT_END.id, {"refill_at": ("end",)}, {"initial_hand": ("drawn_first_turn",)}),
        Excludes(a.DRAW_AT_END.id, {"refill_at": ("end",)}, {"after_last_discard": ("refill_and_replay",)}),
        Excludes(
            a.NUMBERED_CARDS.id, {"start_tie": ("suit",)}, _NUMBERED, within={"starts": ("highest_payoff",)}
        ),
    ),
    needs=(
        Needs(a.PARTNERS.id, _TEAMS, {"players": (4, 6)}),
        Needs(a.ALONE_PACKS.id, _MANY, {"deal_mode": ("single", "payoff_from_one_pack")}, soft="asks"),
        Needs(a.PARTNERS_PACKS.id, _TEAMS, {"deal_mode": ("single",)}, soft="asks"),
        Needs(a.ALONE_PACKS.id, {"players": (3, 4)}, {"payoff_size": (*_piles_up_to(20), _SKIP_BO)}, soft="asks"),
        Needs(a.ALONE_PACKS.id, {"players": (5, 6)}, {"payoff_size": _piles_up_to(20)}, soft="asks"),
        *_room(),
        Needs(a.ALONE_PACKS.id, {"packs": (3, 4, 5)}, {"deal_mode": ("single", "payoff_from_one_pack")}, soft="asks"),
        Needs(a.PAYOFF_PILE.id, {"payoff_size": range(27, 31)}, {"deal_mode": ("single",)}),
        Needs(a.NUMBERED_CARDS.id, _NUMBERED, _KINGS),
        Needs(a.NUMBERED_CARDS.id, _NUMBERED, {"top_rank": ("Q",)}),
        Needs(a.KINGS.id, _KINGS, {"top_rank": ("Q",)}),
        Needs(a.KINGS.id, {"top_rank": ("Q",)}, {"wild": (("K", "joker"), ("K",))}),
        Needs(a.JOKER.id, _WITH_JOKERS, {"wild": (("K", "joker"), ("joker",))}, soft="insists"),
        Needs(a.JOKER.id, {"wild": a.JOKERS_WILD}, _WITH_JOKERS, soft="asks"),
        *(Needs(a.ALONE_PACKS.id, {"packs": (n,)}, {"jokers": (2 * n, 0)}, soft="asks") for n in _PACKS),
        Needs(
            a.SECOND_CHANCE_DUTY.id, {"second_chance_scope": ("until_broken",)}, {"deadlock": ("second_chance_redeal",)}
        ),
    ),
    cautions=(
        Caution(
            "no-wild-cards", a.JOKER.id, ("wild", "jokers"),
            lambda r: not r.wild_cards,
        ),
        Caution(
            "timing-without-duties", a.WHEN_COMPULSORY.id, ("mandatory_timing", "mandatory"),
            lambda r: r.mandatory_timing == "immediate" and not r.mandatory,
        ),
        Caution(
            "runs-without-pass", a.CLOSING_DISCARD.id, ("discard_required", "discard_rule"),
            lambda r: r.discard_required and r.discard_rule == "same_or_lower",
        ),
        Caution(
            "never-out-of-stock", a.STALEMATE.id, ("deadlock", "stock_out", "stalemate_score"),
            lambda r: r.stalemate_score == "difference"
            and r.deadlock in ("second_chance_redeal", "none") and r.stock_out == "play_on",
        ),
        Caution(
            "ends-both-ways", a.STALEMATE.id, ("deadlock", "stock_out"),
            lambda r: r.ends_both_ways,
        ),
        Caution(
            "no-way-out", a.STALEMATE.id, ("deadlock", "stock_out"),
            lambda r: r.deadlock == "none" and r.stock_out == "play_on" and not r.numbered,
        ),
        Caution(
            "little-stock", a.ALONE_PACKS.id, ("players", "payoff_size", "packs"),
            lambda r: r.stock_dealt < 12 and not (r.paired and r.players == 4 and r.packs == 2),
        ),
        Caution(
            "places-stay-taken", a.CENTRE_PLACES.id, ("centre_max", "centre_done"),
            lambda r: r.centre_max is not None and r.centre_done == "stay",
        ),
        Caution(
            "target-unused", a.MATCH.id, ("target", "match"),
            lambda r: r.match != "target" and r.target != _USUAL.target,
        ),
        Caution(
            "match-deals-unused", a.MATCH.id, ("match_deals", "match"),
            lambda r: r.match != "deals" and r.match_deals != _USUAL.match_deals,
        ),
    ),
    conflicts=_impossible,
    otherwise={
        "initial_hand": "hand", "partners": "players", "side_start": "new-side-stack",
    },
    when=_WHEN,
)  # fmt: skip

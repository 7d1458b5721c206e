"""How the pages say the numbers of the deal and the end in either language, and where the game's code has them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from companion.games.casino.table import deal_plan, full_pack, hand_values
from companion.games.spades.table import pack_of


@dataclass(frozen=True)
class Reading:
    """A number: how the game's code answers for it, and patterns that find it on a page, each with one group."""

    fact: Callable[[Any], Any]
    en: tuple[str, ...]
    ja: tuple[str, ...]

    def found(self, lang: str, text: str) -> Iterator[tuple[str, str]]:
        """Every place in a text that says the number, with the number."""
        for pattern in self.en if lang == "en" else self.ja:
            yield from ((each[0], each[1]) for each in re.finditer(pattern, text, re.MULTILINE))


def dealt(players: int) -> Callable[[Any], int]:
    """The cards that each of so many players gets in Casino."""
    return lambda rules: sum(deal_plan(rules, players).rounds)


def rounds(players: int) -> Callable[[Any], int]:
    """How often so many players are dealt cards in Casino."""
    return lambda rules: len(deal_plan(rules, players).rounds)


def highest(rules: Any) -> int:
    """The highest value of a card of Casino that captures."""
    return max(value for card in full_pack(rules) for value in hand_values(rules, card))


def lowest_bid(rules: Any) -> int:
    """The lowest number that anybody may say: where one call is the whole contract, the minimum."""
    alone = not rules.partners or rules.bid_method == "consultation"
    forced = rules.suicide_minimum if rules.bidding_rule == "suicide" else 0
    return max(int(not rules.zero_bid), rules.minimum_bid if alone else 0, forced)


READINGS: dict[str, tuple[Reading, ...]] = {
    "spades": (
        Reading(
            lambda r: r.tricks,
            (r"(?:hands? of|[Dd]eal) (\d+)", r"leave (\d+) cards in hand"),
            (r"(\d\d)枚ずつ配", r"(\d+)枚の手札", r"手札を(\d+)枚に", r"手札は(\d+)枚に"),
        ),
        Reading(
            lambda r: r.tricks,
            (r"come to (\d+)\.", r"There are (\d+) tricks", r"bids go up to (\d+)", r"number from \d+ to (\d+)"),
            (r"合わせると、必ず(\d+)", r"1ディールは(\d+)トリック", r"(\d+)までビッド", r"\d+から(\d+)までの数を"),
        ),
        Reading(lowest_bid, (r"number from (\d+) to",), (r"(\d+)から\d+までの数を",)),
        Reading(
            lambda r: len(pack_of(r).cards) * (2 if r.mode == "partners6" else 1),
            (r"which makes (\d+) cards", r"play with (\d+)\.", r"pack has (\d+) cards"),
            (r"抜いて、?(\d+)枚にします", r"(\d+)枚を使います"),
        ),
        Reading(lambda r: r.target, (r"reaches (\d+) points", r"total is (\d+) or"), (r"累計が(\d+)点以上",)),
        Reading(
            lambda r: r.bag_threshold,
            (r"[Ee]very (\d+) of them", r"(?:bags|they) reach (\d+)", r"[Gg]oing over (\d+)", r"go over (\d+) they"),
            (r"バッグは(\d+)個(?:で|を超えると)マイナス", r"バッグとしてたまり、(\d+)個"),
        ),
    ),
    "casino": (
        Reading(dealt(2), (r"hand has (\d+) cards", r"players get (\d+) cards each,"), (r"2人なら(\d+)枚(?!ずつを)",)),
        Reading(dealt(3), (r"hand has .* (\d+) with three and", r"Three get (\d+)"), (r"3人なら(\d+)枚",)),
        Reading(dealt(4), (r"hand has .* (\d+) with four", r"four get (\d+)"), (r"4人なら(\d+)枚",)),
        Reading(
            lambda r: deal_plan(r, 2).rounds[0],
            (r"two halves: (\d+) cards", r"get (\d+) cards each twice"),
            (r"まず(\d+)枚ずつ", r"2人なら(\d+)枚ずつを2回"),
        ),
        Reading(rounds(2), (r"used up in (\d+) such",), (r"2人なら(\d+)回",)),
        Reading(rounds(3), (r"used up .* (\d+) with three",), (r"3人なら(\d+)回",)),
        Reading(rounds(4), (r"used up .* (\d+) with four",), (r"4人なら(\d+)回",)),
        Reading(
            lambda r: len(full_pack(r)),
            (r"Use (\d+) cards", r"pack has (\d+) cards"),
            (r"普通の(\d+)枚", r"抜いた(\d\d)枚"),
        ),
        Reading(highest, (r"[Bb]uilds go up to (\d+)",), (r"ビルドは(\d+)まで",)),
        Reading(lambda r: r.target, (r"reaches (\d+) points", r"total is (\d+) or"), (r"累計が(\d+)点以上",)),
    ),
    "spite-and-malice": (
        Reading(
            lambda r: r.cards,
            (
                r"should come to (\d+) cards", r": (\d+) cards in all", r"Shuffle all (\d+) cards",
                r"[Ww]ith (\d+) cards that",
            ),
            (r"足せば(\d+)枚", r"全部で(\d+)枚", r"(\d+)枚のカードは2つに"),
        ),
        Reading(
            lambda r: r.stock_dealt,
            (r"stock (?:of|has) (\d+)", r"starts with (\d+) cards", r"Stock\s+(\d+)\n"),
            (r"山札は(\d+)枚(?!以下)", r"山札\s+(\d+)枚\n"),
        ),
        Reading(
            lambda r: r.payoff_size,
            (
                r"pay-off pile of (\d+) cards", r"pay-off piles, (\d+) cards", r"piles have (\d+) cards",
                r"Pay-off piles\s+(\d+) ×", r"same pack, (\d+) cards",
            ),
            (
                r"「個人の山」(\d+)枚", r"個人の山は1人(\d+)枚", r"個人の山は(\d+)枚ずつ", r"個人の山\s+(\d+)枚×",
                r"1組から配ります。(\d+)枚ずつ",
            ),
        ),
        Reading(lambda r: r.players, (r"(?:Pay-off piles|Hands)\s+\d+ × (\d)",), (r"枚×(\d)人",)),
        Reading(lambda r: r.packs, (r"Use (\d) ordinary packs",), (r"カード(\d)組",)),
        Reading(lambda r: r.jokers, (r"with (\d) jokers:",), (r"ジョーカー(\d)枚を使います",)),
        Reading(lambda r: r.centre_max, (r"be up to (\d) at a time", r"are (\d) places for"), (r"置き場は(\d)つ",)),
        Reading(
            lambda r: r.score_per_card,
            (r"scores? (\d+) for each card", r"piles × (\d+)"),
            (r"残った(?:カード)?1枚につき(\d+)点",),
        ),
        Reading(
            lambda r: r.score_bonus,
            (r"bonus of (\d+)\.", r"adds? (\d+) to the points"),
            (r"ボーナス(\d+)点を", r"さらに(\d+)点"),
        ),
        Reading(
            lambda r: r.recycle_threshold,
            (r"with (\d+) cards or fewer in", r"has (\d+) cards or fewer"),
            (r"山札が(\d+)枚以下", r"なくなるか、(\d+)枚以下"),
        ),
        Reading(
            lambda r: r.target,
            (r"reaches (\d+) points",),
            (r"だれかの累計が(\d+)点に届",),
        ),
        Reading(
            lambda r: r.match_deals,
            (r"deals in a game: (\d+)", r"Number of deals: (\d+)"),
            (r"(\d+)ディール遊び", r"(\d+)ディールで終わり、"),
        ),
    ),
}  # fmt: skip
"""What the game's code says of a table, and how its page says it."""

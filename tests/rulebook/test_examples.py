"""Examples and figures of a table's page use only cards, bids and piles that its rules allow."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import pytest

from companion.data import LANGUAGES
from companion.engine.cards import Card
from companion.engine.problems import Refused
from companion.games import GAMES
from companion.games.casino.table import full_pack
from companion.games.spades.table import pack_of
from tests.rulebook.tables import codes, told

TABLES = 20
"""Random tables of each game in one round."""
PACKS: dict[str, Callable[[Any], Iterable[Card]]] = {"spades": lambda rules: pack_of(rules).cards, "casino": full_pack}
CARD = re.compile(r"(?<!\d)(10|[2-9AJQK])([♠♥♦♣])")
OUT_OF_THE_PACK = {
    "jokers", "promoted-twos", "solo3-removed-two", "lowest-club-strict", "club-two-leads", "club-two-must-lead",
    "partners6", "pack",
}  # fmt: skip
"""Articles that name a card to say that it may be missing."""
BIDS = {
    "en": (r"(\d+) bid\b", r"\bbid(?:ding|s)? (\d+)\b", r"[Bb]lind (\d+) "),
    "ja": (r"(\d+)トリックをビッド", r"ブラインド(\d+)"),
}
RULE_OF_BIDS = {"minimum-with-nil", "minimum-bid", "small-bids", "zero-bid", "no-zero-bid", "blind-minimum"}
"""Articles about the limits themselves, and those whose bids a notice calls unreachable."""


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("game", PACKS)
def test_examples_have_only_cards_of_the_pack(game: str, lang: str, soak_round: int) -> None:
    wrong = []
    for code in codes(game, TABLES, soak_round):
        pack = {(card.rank, card.suit) for card in PACKS[game](GAMES[game].options.decode(code).options)}
        for anchor, text in told(game, lang, code).written.items():
            named = {(rank, "SHDC"["♠♥♦♣".index(suit)]) for rank, suit in CARD.findall(text)}
            if anchor not in OUT_OF_THE_PACK and not named <= pack:
                wrong.append(f"{code}: {anchor} {sorted(named - pack)}")
    assert wrong == []


def lowest_bid(rules: Any, words: str) -> int:
    """The lowest number that a table lets a side end with, or bid blind."""
    blind = rules.blind_bid_min if re.search("lind|ブラインド", words) else 0
    return max(rules.minimum_bid, blind)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_examples_have_only_bids_that_the_table_allows(lang: str, soak_round: int) -> None:
    options, wrong = GAMES["spades"].options, []
    tables = [f"{each}~mb-{least}" for each in ("classic", "modern", "solo3") for least in (4, 6, 13)]
    tables += [f"classic~bb-1~bbm-{least}~br-{reward}" for least in (7, 9, 13) for reward in ("double", "bonus100")]
    for code in [*codes("spades", TABLES, soak_round), *tables]:
        rules: Any = options.decode(code).options
        for anchor, text in told("spades", lang, code).written.items():
            found = (match for words in BIDS[lang] for match in re.finditer(words, text))
            low = [match[0] for match in found if int(match[1]) < lowest_bid(rules, match[0])]
            if low and anchor not in RULE_OF_BIDS:
                wrong.append(f"{code}: {anchor} {low}")
    assert wrong == []


CALLS: dict[str, tuple[dict[str, bool], dict[str, str]]] = {
    "nil": ({"nil": False}, {"ja": "ニル", "en": r"\bnils?\b"}),
    "moon": ({"moon": False, "blind_moon": False}, {"ja": "ムーン", "en": r"\bmoons?\b"}),
    "blind": (
        {"blind_bid": False, "blind_moon": False, "double_blind_nil": False},
        {"ja": "ブラインド", "en": r"\bblind (?!nil)"},
    ),
}
"""Calls of Spades: what switches them off, and how the pages name them."""
SWITCHED_OFF = {"no-nil", "no-double-nil"}
"""Articles that say what is not played."""


def with_everything_but(off: Mapping[str, object], mode: str) -> str:
    """A table of Spades with as many flags and unusual choices as go together, but without some calls."""
    options = GAMES["spades"].options
    chosen: dict[str, Any] = {"mode": mode, **off}
    for option in options.options.values():
        unusual = [not option.default] if option.kind == "flag" else option.choices[-1:] if option.choices else []
        for value in unusual if option.kind in ("flag", "choice") else []:
            if option.name not in (*chosen, "deck", "nil", "double_nil", "blind_exact"):
                try:
                    options.build("classic", {**chosen, option.name: value})
                except Refused:
                    continue
                chosen[option.name] = value
    return options.code(options.build("classic", {**chosen, "all_tricks_bonus": 25}))


@pytest.mark.parametrize("call", CALLS)
def test_a_call_that_a_table_does_not_play_is_not_spoken_of(call: str) -> None:
    off, names = CALLS[call]
    wrong = []
    for mode in ("partners4", "solo4"):
        for method in ("later_partner", "sum", "consultation"):
            pair: dict[str, object] = {"bid_method": method} if mode == "partners4" else {}
            code = with_everything_but({**off, **pair}, mode)
            for lang in LANGUAGES:
                page = told("spades", lang, code)
                for anchor, text in {"lead": page.lead, **page.heads, **page.articles}.items():
                    if anchor not in SWITCHED_OFF and (found := re.search(f"[^。.]*{names[lang]}[^。.]*", text)):
                        wrong.append(f"{code} {anchor}: {found[0]}")
    assert wrong == []


@pytest.mark.parametrize("lang", LANGUAGES)
def test_points_that_only_two_sides_score_are_not_promised_to_three(lang: str, soak_round: int) -> None:
    promised = {
        "ja": "3チームのとき|(?<!2チームなら、)1ディールの得点は",
        "en": "With three sides it is|A deal is worth",
    }
    for code in codes("casino", TABLES, soak_round):
        rules: Any = GAMES["casino"].options.decode(code).options
        if rules.majorities != "always":
            assert not re.search(promised[lang], told("casino", lang, code).whole), code


@pytest.mark.parametrize("lang", LANGUAGES)
def test_pay_off_piles_of_figures_are_no_larger_than_those_dealt(lang: str, soak_round: int) -> None:
    wrong = []
    for code in [*codes("spite-and-malice", TABLES, soak_round), "blackwood~ps-5"]:
        rules: Any = GAMES["spite-and-malice"].options.decode(code).options
        figure = re.search(
            r"```figure\n(.*?)```", told("spite-and-malice", lang, code).written.get("players", ""), re.DOTALL
        )
        piles = [int(size) for size in re.findall(r"(?<!■)×(\d+)", figure[1] if figure else "")]
        if any(size > rules.payoff_size for size in piles):
            wrong.append(f"{code}: {piles} of {rules.payoff_size}")
    assert wrong == []

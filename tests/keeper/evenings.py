"""One evening of each game as people tell it: names, deals, what was entered wrong, and how it ends."""

from __future__ import annotations

from dataclasses import dataclass

from companion.games import GAMES

Answer = str | int
"""What a button says: a number is the same in both languages, words are keys of `WORDS`."""

WORDS = {
    "en": {
        "start": "Start",
        "player": "Player {}",
        "save": "Save the deal",
        "deal": "Deal {}: details and correction",
        "correct": "Correct this deal",
        "keep": "Save the correction",
        "rematch": "Rematch",
        "share": "Share",
        "back": "Back to the sheet",
        "revoke": "Revoke the link “{}”",
        "won": "Won by {}",
        "nil": "nil",
    },
    "ja": {
        "start": "始める",
        "player": "{}人目",
        "save": "このディールを記録する",
        "deal": "第{}ディールの内訳と訂正",
        "correct": "このディールを訂正する",
        "keep": "訂正を記録する",
        "rematch": "もう一度遊ぶ",
        "share": "共有",
        "back": "シートに戻る",
        "revoke": "リンク「{}」",
        "won": "{}の勝ち",
        "nil": "ニル",
    },
}


@dataclass(frozen=True)
class Evening:
    """Two deals, a correction of the first, the deals to the end, and one deal of the rematch."""

    game: str
    rules: str
    names: tuple[str, ...]
    taps: int
    """What an ordinary deal takes, saving it included; each nil takes one more for its own tricks."""
    begun: tuple[tuple[Answer, ...], ...]
    totals: tuple[str, str]
    wrong: dict[str, str]
    """What the chip of the first deal that was entered wrong is called."""
    right: int
    corrected: tuple[str, str]
    rest: tuple[tuple[Answer, ...], ...]
    final: tuple[str, str]
    winner: str
    again: tuple[str, str]
    """The totals of the rematch after a deal like the first."""


def _code(game: str, **options: object) -> str:
    known = GAMES[game].options
    return known.code(known.build(known.default_preset, options))


SPADES = Evening(
    game="spades",
    rules="classic",
    names=("Aki", "Beth", "Chika", "Dan"),
    taps=6,
    begun=(("nil", 4, 3, 4, 8, 0), (3, 4, 5, 6, 7)),  # Beth and Dan, Chika and Aki bid in turn
    totals=("96", "192"),
    wrong={"en": "Tricks of Aki & Chika: 8. Change", "ja": "Aki & Chikaのトリック数：8。直す"},
    right=7,
    corrected=("95", "193"),
    rest=((0, 13, 0, 13, 13), (13, 0, 13, 0, 13)) * 2,
    final=("615", "193"),
    winner="Aki & Chika",
    again=("44", "132"),
)
CASINO = Evening(
    game="casino",
    rules="swazi",
    names=("Aki", "Beth"),
    taps=6,
    begun=(("Aki", "Aki", "Aki", "Beth", 3), ("Beth", "Beth", "Beth", "Beth", 1)),
    totals=("10", "12"),
    wrong={"en": "Aces of Beth: 1. Change", "ja": "Bethのエースの枚数：1。直す"},
    right=0,
    corrected=("11", "11"),
    rest=(("Aki", "Aki", "Aki", "Aki", 4),),
    final=("22", "11"),
    winner="Aki",
    again=("9", "2"),
)
SPITE = Evening(
    game="spite-and-malice",
    rules=_code("spite-and-malice", match="target", target=30),
    names=("Aki", "Beth"),
    taps=3,
    begun=(("Aki", 12), ("Beth", 20)),
    totals=("17", "25"),
    wrong={
        "en": "Beth: left: 12. Change",
        "ja": "Bethの残り：12。直す",
    },
    right=2,
    corrected=("7", "25"),
    rest=(("Beth", 1),),
    final=("7", "31"),
    winner="Beth",
    again=("17", "0"),
)
EVENINGS = (SPADES, CASINO, SPITE)

"""The pictures that links to the site show elsewhere, drawn by a real browser: `python -m tests.covers`."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from pathlib import Path

from playwright.sync_api import sync_playwright

from companion.data import LANGUAGES, data_folder
from companion.games import GAMES
from companion.rulebook.source import game_folder
from companion.rulebook.words import say, words
from companion.web.site import PICTURE, PICTURE_SIZE
from tests.conftest import CHROMIUM

CARDS = {"spades": "AKQ", "casino": "T2A", "spite-and-malice": "K2A", "pad": "752"}
"""The ranks of the three cards that a game shows; each has a suit of its own, the first is the one in front."""
SUITS = {"spades": "♠♠♠", "casino": "♦♠♥", "spite-and-malice": "♣♥♦", "pad": "♥♠♦"}
STYLE = """
body { margin: 0; width: 1200px; height: 630px; overflow: hidden; background: #12402c; color: #fff;
  font-family: "Noto Sans CJK JP", "Noto Sans JP", "DejaVu Sans", sans-serif; }
.words { position: absolute; left: 80px; top: 150px; width: 590px; }
h1 { font-size: 76px; line-height: 1.2; margin: 0 0 28px; text-wrap: balance; word-break: auto-phrase; }
p { font-size: 36px; line-height: 1.5; margin: 0; color: #d9ead9; }
.card { position: absolute; left: 820px; top: 130px; width: 240px; height: 350px; border-radius: 20px; background: #fff;
  box-shadow: 0 8px 24px #0008; color: #1a1a1a; font-size: 88px; line-height: 1; transform-origin: 50% 130%; }
.card.red { color: #b3001b; }
.card b { position: absolute; left: 20px; top: 16px; font-weight: 700; }
.card i { position: absolute; left: 0; right: 0; top: 130px; text-align: center; font-size: 180px; font-style: normal; }
.card:nth-child(1) { transform: rotate(-17deg); } .card:nth-child(3) { transform: rotate(17deg); }
"""


def main() -> None:
    """Draw one picture for each language and one for each of its games."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"])
        page = browser.new_page(viewport={"width": PICTURE_SIZE[0], "height": PICTURE_SIZE[1]})
        for lang in LANGUAGES:
            pictures = {data_folder(f"rules_{lang}"): (say(lang, "site.name"), say(lang, "home.title"), "AKQ", "♠♥♣")}
            for name, ranks in CARDS.items():
                title = say(lang, "found.rules-of", game=words(name, lang).name)
                pictures[game_folder(GAMES[name], lang)] = (title, say(lang, "site.name"), ranks, SUITS[name])
            for folder, parts in pictures.items():
                page.set_content(_html(lang, *parts))
                _write(folder / PICTURE, page.screenshot())
        browser.close()


def _html(lang: str, title: str, below: str, ranks: str, suits: Sequence[str]) -> str:
    cards = "".join(
        f'<div class="card{" red" if suit in "♥♦" else ""}"><b>{rank.replace("T", "10")}</b><i>{suit}\ufe0e</i></div>'
        for rank, suit in zip(ranks, suits, strict=True)
    )
    words = f'<div class="words"><h1>{escape(title)}</h1><p>{escape(below)}</p></div>'
    return f'<!doctype html><html lang="{lang}"><style>{STYLE}</style><body><div>{cards}</div>{words}</body></html>'


def _write(path: Path, picture: bytes) -> None:
    path.write_bytes(picture)
    print(f"{path.parent.name}/{path.name}  {len(picture) // 1024} KB")


if __name__ == "__main__":
    main()

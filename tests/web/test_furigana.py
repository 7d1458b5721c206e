"""Readings above every word: a row of signs has the readings of whole words or none, whatever stands beside it."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

import pytest

from companion.data import data_folder
from companion.rulebook.markup import readings
from companion.web.site import public_paths
from tests.keeper.evenings import EVENINGS
from tests.keeper.phone import Phone

SIGNS = re.compile("[一-龯々]+")
MARKS = {"0": re.compile("[\\d…]\u2060?$"), "A": re.compile("[A-Za-zァ-ヶー]$")}
KANA = re.compile("[ぁ-ん]*")
SEARCHED = {"furigana.toml", "names.toml", "questions.toml", "readings.toml", "synonyms.toml"}
"""Lists that no page prints."""
READ_ALOUD = {
    "選択ルール": "せんたく", "問題をもっと": "もんだい", "目次": "もくじ", "勝負がつく": "しょうぶ",
    "公開する": "こうかい", "写真で": "しゃしん", "上限と順位": "じょうげん じゅんい", "助言です": "じょげん",
    "点数表を": "てんすうひょう", "10問に答える": "もん こた", "2\u2060枚目": "まいめ", "2人以上": "いじょう",
    "500点以上負ける": "てん いじょう ま", "全部取った": "ぜんぶ と", "…勝った": "か", "3勝2敗": "しょう はい",
    "選ぶ、選び方": "えら えら かた", "開き、公開く": "ひら こうかい", "表にする": "おもて", "表である": "",
    "得点表": "とくてんひょう", "戦う4人戦": "たたか", "触る、触れる": "さわ ふ", "記録済み、済んだ": "きろくず す",
    "消す、消える": "け き", "勝さん": "", "主な持ち主": "おも も ぬし", "択": "", "選択肢": "",
}  # fmt: skip
"""What the list says of a row of signs that other words stand in, or that is read in several ways."""


def read(line: str) -> list[tuple[int, str, str]]:
    """The words of a line with their places and readings, as the script of the site finds them."""
    found = []
    for run in SIGNS.finditer(line):
        at = run.start()
        for word, reading in split_in(line, run) or ():
            if reading:
                found.append((at, word, reading))
            at += len(word)
    return found


def split_in(line: str, run: re.Match[str]) -> list[tuple[str, str]] | None:
    """A row of signs in a line as words with their readings."""
    mark = next((mark for mark, before in MARKS.items() if before.search(line[: run.start()])), "")
    return split(run[0], KANA.match(line[run.end() :])[0], mark)  # type: ignore[index]


def split(run: str, kana: str, mark: str, first: bool = True) -> list[tuple[str, str]] | None:
    """A row of signs as words with their readings; None where some of it is no word of the list."""
    known = readings("ja")
    for size in range(len(run), 0, -1):
        word, rest = run[:size], run[size:]
        keys = []
        for ending in ("",) if rest else (kana[:2], kana[:1], ""):
            keys += [mark + word + ending] if mark else []
            keys += [word + ending] if ending or size > 1 or (first and not rest) else []
        key = next((each for each in keys if each in known), None)
        others = None if key is None else split(rest, kana, "", False) if rest else []
        if key is not None and others is not None:
            return [(word, known[key]), *others]
    return None


@cache
def printed() -> tuple[str, ...]:
    """Every line of the texts, with a mark in the place of each fact."""
    files = [path for path in data_folder("rules_ja").rglob("*.*") if path.name not in SEARCHED]
    texts = [path.read_text("utf-8") for path in files if path.suffix == ".md"]
    texts += [
        text for path in files if path.suffix == ".toml" for text in strings(tomllib.loads(path.read_text("utf-8")))
    ]
    plain = re.sub(r"\{([^{}|\n]+)\\?\|[^{}|\n]+\}", r"\1", "\n".join(texts))
    lines = re.sub(r"\{\{.*?\}\}|\{%.*?%\}", "…", plain, flags=re.DOTALL).splitlines()
    return tuple(sorted({line.strip() for line in lines if SIGNS.search(line)}))


def strings(value: object) -> Iterator[str]:
    """Every text within a value of a file, but for the phrases by which help is found."""
    named = value.items() if isinstance(value, dict) else enumerate(value if isinstance(value, list) else ())
    for each in (each for name, each in named if name != "phrases"):
        yield from [each] if isinstance(each, str) else strings(each)


def unread(line: str) -> list[str]:
    """The rows of signs of a line that are not words of the list, with what stands around them."""
    return [
        line[max(0, run.start() - 6) : run.end() + 4] for run in SIGNS.finditer(line) if split_in(line, run) is None
    ]


def test_every_sign_of_the_texts_is_read_within_a_whole_word() -> None:
    assert len(printed()) > 3000
    left = {part for line in printed() for part in unread(line)}
    assert not left, "words without a reading in rules_ja/furigana.toml: " + " / ".join(sorted(left))


@pytest.mark.slow
def test_every_sign_of_the_pages_is_read_within_a_whole_word(client: Any) -> None:
    paths = [f"/ja/{path}" for path in public_paths()]
    for evening in EVENINGS:
        phone = Phone(client, "ja")
        phone.open(*evening.names, game=evening.game, rules=evening.rules)
        paths += [
            phone.sheet + part for part in ("", "/settings", "/share", "/log", f"/rules/change?rules={evening.rules}")
        ]
    left: dict[str, str] = {}
    for path in paths:
        main = client.get(path, follow_redirects=True).text.partition("<main")[2].partition("</main>")[0]
        main = re.sub(r"(?s)<(rt|rp|svg|script|textarea|select)\b.*?</\1>", "", main)
        text = re.sub(r"<[^>]+>", "\n", re.sub(r"</?(a|b|em|ruby|strong)\b[^>]*>", "", main))
        left |= {part: path for line in text.splitlines() for part in unread(line)}
    assert left == {}


@pytest.mark.parametrize("line", READ_ALOUD)
def test_a_word_has_its_own_reading_and_none_of_a_part(line: str) -> None:
    assert " ".join(reading for _, _, reading in read(line)) == READ_ALOUD[line]


def test_every_reading_is_in_hiragana_and_given_once(shared_client: Any) -> None:
    known: Mapping[str, str] = readings("ja")
    listed = tomllib.loads((data_folder("rules_ja") / "furigana.toml").read_text("utf-8"))["furigana"]
    assert len(known) == sum(len(key.rstrip("]").partition("[")[2]) or 1 for key in listed)
    assert [key for key in known if not re.fullmatch("[0A]?[一-龯々]+[ぁ-ん]{0,2}", key)] == []
    assert [reading for reading in known.values() if not re.fullmatch("[ぁ-んー]*", reading)] == []
    assert shared_client.get("/readings/ja.json").json == known
    assert shared_client.get("/readings/en.json").json == {}

"""Every option, deal, position and move of each game, from the declarations: `docs/games.md` and `docs/games.ja.md`.

`python -m tests.api.test_games_page` writes them anew. The program describes the keys of requests in English; a
language translates them in `phrases/shapes.toml`, and what is missing there stays English.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any, Final

import pytest

from companion.data import LANGUAGES, data_folder, read_toml
from companion.describe import component_name, requests_of
from companion.engine import shapes as s
from companion.engine.game import Game
from companion.engine.shapes import JsonSchema, shape_schema
from companion.games import GAMES
from companion.rulebook.answers import catalogue_answer
from companion.rulebook.words import words

SECTIONS: Final = {"score": "deals", "check": "positions"}
HEADINGS: Final[dict[str, dict[str, str]]] = {
    "en": {
        "title": "Every option, deal and position of a game",
        "lead": "Made from the declarations of the program: what a request may hold, game by game. "
        "Keys that are not marked “needed” may be left out.",
        "presets": "Presets", "options": "House rules",
        "deals": "An evening and its deals", "positions": "Positions and moves",
        "key": "Key", "kind": "Values", "about": "Meaning", "default": "Default",
        "needed": "needed", "example": "Example", "article": "Article",
        "integer": "whole number", "text": "text", "flag": "yes or no", "card": "card", "null": "null",
        "list": "list of: {item}", "keyed": "by name: {item}", "others": "other keys", "any": "any value",
    },
    "ja": {
        "title": "ゲームのすべての項目、ディール、局面",
        "lead": "プログラムの宣言から作った一覧です。リクエストに書けるものを、ゲームごとに示します。"
        "「必要」と書いていないキーは、なくてもかまいません。",
        "presets": "ルールの型", "options": "ハウスルール", "deals": "一晩とディール", "positions": "局面とプレイ",
        "key": "キー", "kind": "値", "about": "意味", "default": "初めの値", "needed": "必要", "example": "例",
        "article": "条", "integer": "整数", "text": "文字列", "flag": "はい・いいえ", "card": "カード", "null": "null",
        "list": "リスト：{item}", "keyed": "名前ごと：{item}", "others": "ほかのキー", "any": "任意の値",
    },
}  # fmt: skip


def translations(lang: str) -> dict[str, str]:
    """What the keys of requests mean, by the English text of the program."""
    return read_toml(data_folder(f"rules_{lang}") / "phrases" / "shapes.toml").get("shapes", {})


class Page:
    """The page in a language."""

    def __init__(self, lang: str) -> None:
        self.lang, self.known, self.missing = lang, translations(lang), list[str]()
        self.words = HEADINGS.get(lang, HEADINGS["en"])

    def text(self) -> str:
        return "\n".join(self.lines()) + "\n"

    def lines(self) -> Iterator[str]:
        yield f"# {self.words['title']}\n"
        yield f"{self.words['lead']}\n"
        for game in GAMES.values():
            yield f"## {words(game.id, self.lang).name} `{game.id}`\n"
            yield from self.options(game)
            for question, heading in SECTIONS.items():
                if question in game.examples and question.capitalize() in requests_of(game):
                    yield f"### {self.words[heading]}\n"
                    yield f"`POST /api/v1/games/{game.id}/{question}`\n"
                    yield from self.shapes(game, question)
                    yield f"{self.words['example']}\n\n```json"
                    yield json.dumps(game.examples[question], ensure_ascii=False, indent=1) + "\n```\n"

    def options(self, game: Game) -> Iterator[str]:
        known = catalogue_answer(game, self.lang)
        yield f"### {self.words['presets']}\n\n| | |\n|---|---|"
        yield from (f"| `{each['name']}` | {each['label']}: {each['help']} |" for each in known["presets"])
        yield f"\n### {self.words['options']}\n"
        yield self.head("key", "about", "kind", "default", "article")
        for option in known["options"]:
            choices = [f"`{json.dumps(each['value'])}` {each['label']}" for each in option.get("choices", ())]
            listed = self.words["list"].format(item=" ".join(f"`{each}`" for each in option.get("among", ())))
            kind = ", ".join(choices) or (listed if "among" in option else self.kind(option))
            default = json.dumps(option["default"], ensure_ascii=False)
            about = f"{option['label']}: {option['help']}"
            yield row(f"`{option['name']}`", about, kind, f"`{default}`", f"`{option['article']}`")
        yield ""

    def shapes(self, game: Game, question: str) -> Iterator[str]:
        """A table for the request, and one for each shape in it."""
        waiting, seen = [requests_of(game)[question.capitalize()]], set[str]()
        for shape in waiting:
            name = component_name(shape)
            if name in seen or name.endswith("HouseRules"):
                continue
            seen.add(name)

            def refer(inner: type[s.Shape[Any]]) -> JsonSchema:
                waiting.append(inner)
                return {"$ref": component_name(inner)}

            schema = shape_schema(shape, refer)
            yield f"#### {name}\n\n{self.said(schema.get('description', ''))}\n"
            yield self.head("key", "kind", "about")
            required = schema.get("required", ())
            for key, part in schema["properties"].items():
                needed = f" ({self.words['needed']})" if key in required else ""
                yield row(f"`{key}`{needed}", self.kind(part), self.said(part.get("description", "")))
            others = schema.get("patternProperties") or {}
            for part in others.values():
                yield row(self.words["others"], self.kind(part), self.said(part.get("description", "")))
            yield ""

    def kind(self, schema: JsonSchema) -> str:
        """What a value may be."""
        if "$ref" in schema:
            return f"{schema['$ref'].rpartition('/')[2]}"
        for key in ("anyOf", "oneOf"):
            if key in schema:
                return " / ".join(dict.fromkeys(self.kind(each) for each in schema[key]))
        if "enum" in schema or "const" in schema:
            return " ".join(f"`{json.dumps(each)}`" for each in schema.get("enum", [schema.get("const")]))
        kinds = schema.get("type", [])
        if isinstance(kinds, list):
            return " / ".join(self.kind({**schema, "type": kind}) for kind in kinds) or self.words["any"]
        if kinds == "integer":
            low, high = schema.get("minimum", -(2**63)), schema.get("maximum", 2**64)
            limits = f"{low if low > -(2**63) else ''}–{high if high < 2**64 - 1 else ''}"
            return f"{self.words['integer']} {limits if limits != '–' else ''}".strip()
        if kinds == "array":
            return self.words["list"].format(item=self.kind(schema.get("items", {})))
        if kinds == "object":
            return self.words["keyed"].format(item=self.kind(schema.get("additionalProperties") or {}))
        if kinds == "string":
            pattern = schema.get("pattern", "")
            return self.words[
                "card" if pattern and re.search(pattern, "9H") and not re.search(pattern, "Z") else "text"
            ]
        return self.words["flag" if kinds == "boolean" else "null"]

    def said(self, text: str) -> str:
        """A description in the language of the page, else in English, noted as missing."""
        if not text or self.lang == "en":
            return text
        if text not in self.known:
            self.missing.append(text)
        return self.known.get(text, f"{text} (en)")

    def head(self, *names: str) -> str:
        return row(*(self.words[name] for name in names)) + "\n" + "|---" * len(names) + "|"


def row(*cells: str) -> str:
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


def file_of(lang: str) -> Any:
    return data_folder("docs") / ("games.md" if lang == "en" else f"games.{lang}.md")


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_page_is_fresh(lang: str) -> None:
    fresh = file_of(lang).read_text("utf-8") == Page(lang).text()
    assert fresh, "python -m tests.api.test_games_page writes it anew"


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_page_has_everything_and_is_served(shared_client: Any, lang: str) -> None:
    text = shared_client.get(f"/api/docs/games?lang={lang}").text
    for game in GAMES.values():
        assert f"<code>{game.id}</code>" in text
        for option in game.options.options:
            assert f"<code>{option}</code>" in text
        for question in SECTIONS:
            for key in game.examples.get(question, {}):
                assert f"<code>{key}</code>" in text
    assert f'href="/api/docs/games?lang={lang}"' in shared_client.get(f"/api/docs?lang={lang}").text


def test_what_is_not_translated_stays_english_and_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    page = Page("ja")
    del page.known["The deals in order."]
    assert "The deals in order. (en)" in page.text()
    assert "The deals in order." in page.missing


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_descriptions_of_the_games_kept_here_are_translated(lang: str) -> None:
    """English is in the program; Japanese goes into `rules_ja/phrases/shapes.toml`."""
    page = Page(lang)
    assert page.text()
    assert sorted(set(page.missing)) == []


if __name__ == "__main__":
    for lang in LANGUAGES:
        file_of(lang).write_text(Page(lang).text(), "utf-8")

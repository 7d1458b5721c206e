"""Help: every article names buttons as the pages print them, and opens a page that is there."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest

from companion.data import LANGUAGES, data_folder
from companion.rulebook.words import say
from tests.cli.test_score import run
from tests.keeper.evenings import SPADES, WORDS
from tests.keeper.phone import Phone
from tests.markup import Reader

languages = pytest.mark.parametrize("lang", LANGUAGES)
BUTTON = re.compile(r"\*\*(.+?)\*\*")
WINDOW = 14_000
QUESTIONS = Path(__file__).with_name("keeper_questions.toml")


def articles(lang: str) -> dict[str, Any]:
    return tomllib.loads((data_folder(f"rules_{lang}") / "help.toml").read_text("utf-8"))


class Printed(Reader):
    """What can be pressed on a page, or stands above what can: also the words that a script puts on a button."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.words: set[str] = set()
        self._open: list[tuple[str, list[str]]] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.words |= {each for name, value in attrs if name.startswith("data-") for each in (value or "").split(";")}
        if tag in ("a", "button", "h2", "label", "legend", "summary"):
            self._open.append((tag, []))

    def handle_endtag(self, tag: str) -> None:
        if self._open and self._open[-1][0] == tag:
            self.words.add(" ".join("".join(self._open.pop()[1]).split()))

    def handle_data(self, data: str) -> None:
        for _, parts in self._open:
            parts.append(data)


@pytest.fixture(scope="module", params=LANGUAGES)
def walk(request: Any, tmp_path_factory: pytest.TempPathFactory) -> tuple[str, str, dict[str, str], Any]:
    """A language, a sheet, the pages that its articles name after an evening, and the client that kept it."""
    from companion.web import create_app
    from tests.conftest import settings_in

    lang = request.param
    app = create_app(settings_in(tmp_path_factory.mktemp("help")))
    client = app.test_client()
    phone, words = Phone(client, lang), WORDS[lang]
    sheet = phone.open(*SPADES.names, game=SPADES.game, rules=SPADES.rules)
    phone.play(SPADES.begun)
    pages = {"sheet": phone.page.html}
    for answer in SPADES.rest[0]:
        phone.press(answer)
    pages["sheet"] += phone.page.html
    phone.press(words["save"])
    pages["sheet"] += phone.press(say(lang, "keeper.undo")).html
    phone.press(say(lang, "keeper.redo"))
    places = {
        "settings": "/settings",
        "deal": "/deals/1",
        "log": "/log",
        "text": "/text",
        "rules": "/rules",
        "game": "/games/1",
    }
    pages |= {name: phone.get(sheet + place).html for name, place in places.items()}
    phone.get(f"{sheet}/deals/1/correct")
    phone.press(next(b.label for f in phone.page.forms for b in f.buttons if b.label.endswith((" 8", " 8 "))))
    pages["correct"] = phone.press(SPADES.right).html
    pages["what-now"] = phone.get(f"{sheet}/what-now").html
    pages["shown"] = phone.get(f"{sheet}/what-now?what=revoke&player=A&when=in-time").html
    pages["share"] = phone.get(f"{sheet}/share").html
    pages["shared"] = phone.post(f"{sheet}/share", scope="watch").html
    watch = re.search(rf"/{lang}/watch/[^\"/< ]+", phone.page.html)
    assert watch
    pages["watch"] = phone.get(watch[0]).html
    phone.get(sheet)
    phone.play(SPADES.rest[1:])
    pages["over"] = phone.page.html
    pages["groups"] = phone.get(f"/{lang}/groups").html
    phone.post(f"/{lang}/groups", title="Club", names="Aki\nBeth\nChika\nDan")
    group = phone.url
    pages["group"] = phone.page.html
    pages["evenings"] = phone.get(f"{group}/evenings").html
    pages["leagues"] = phone.get(f"{group}/leagues").html
    league = {"title": "Spring", "game": "spades", "form": "random-partners", "player": ["m1", "m2", "m3", "m4"]}
    phone.post(f"{group}/leagues", win=2, level=1, **league)
    pages["league"] = phone.get(f"{group}/leagues/1").html
    pages["league"] += phone.post(f"{group}/leagues/1/draw", after=0).html
    places = {
        "home": "",
        "sheets": "sheets",
        "new": "sheets/new/spades",
        "devices": "devices",
        "enter": "devices/enter",
    }
    pages |= {name: phone.get(f"/{lang}/{place}").html for name, place in places.items()}
    pages["ja"] = phone.get("/ja/").html
    pages["rulebook"] = phone.get(f"/{lang}/rules/spades").html
    app.jinja_env.globals["phone_offered"] = True
    pages["phone"] = phone.get(f"/{lang}/problems/stale").html
    return lang, sheet, pages, client


def test_every_button_is_on_the_page_that_the_article_names(walk: tuple[str, str, dict[str, str], Any]) -> None:
    lang, _, pages, _ = walk
    printed = {name: Printed(html).words for name, html in pages.items()}
    missing, named = [], 0
    for anchor, article in articles(lang).items():
        assert len(article["on"]) == len(article["text"]), anchor
        for paragraph, places in zip(article["text"], article["on"], strict=True):
            words = set().union(*(printed[place] for place in places.split()))
            missing += [(anchor, button) for button in BUTTON.findall(paragraph) if button not in words]
            named += len(BUTTON.findall(paragraph))
    assert missing == []
    assert named > 50


def test_every_article_opens_a_page_of_the_sheet(walk: tuple[str, str, dict[str, str], Any]) -> None:
    lang, sheet, pages, client = walk
    own = sheet.rpartition("/")[2]
    assert f'href="/{lang}/help?sheet={own}"' in pages["settings"]
    opened = re.findall(
        r'<a class="button" href="([^"]+)" aria-describedby="([^"]+)"', client.get(f"/{lang}/help?sheet={own}").text
    )
    assert [anchor for _, anchor in opened] == [each for each, article in articles(lang).items() if "open" in article]
    assert {path: client.get(path).status_code for path, _ in opened} == {path: 200 for path, _ in opened}
    assert client.get(f"/{lang}/help").text.count(f'href="{sheet}') == client.get(
        f"/{lang}/help?sheet={own}"
    ).text.count(f'href="{sheet}')


@languages
def test_a_reader_without_a_sheet_gets_links_of_the_site_only(shared_client: Any, lang: str) -> None:
    page = shared_client.get(f"/{lang}/help", headers={"Accept-Encoding": "br"})
    assert len(page.data) < WINDOW
    html = shared_client.get(f"/{lang}/help").text
    assert 'class="button" href="/' in html
    assert f"/{lang}/sheets//" not in html
    assert all(f'<h2 id="{anchor}">' in html for anchor in articles(lang))


@languages
@pytest.mark.parametrize(
    ("path", "anchor"), [("sheets", "start"), ("groups", "group"), ("watch/nothing-here", "recover")]
)
def test_a_page_with_nothing_on_it_leads_to_help(client: Any, lang: str, path: str, anchor: str) -> None:
    assert f'href="/{lang}/help#{anchor}"' in client.get(f"/{lang}/{path}").text
    assert anchor in articles(lang)


@languages
@pytest.mark.parametrize("scope", [{}, {"game": "spades", "rules": "classic"}], ids=["site", "sheet"])
def test_what_people_ask_about_the_keeper_is_found_first(
    shared_client: Any, capsys: pytest.CaptureFixture[str], lang: str, scope: dict[str, str]
) -> None:
    """By the field of the site and of a sheet, the API and `companion ask`."""
    asked = tomllib.loads(QUESTIONS.read_text("utf-8"))[lang]
    phrases = {phrase.casefold() for article in articles(lang).values() for phrase in article["phrases"]}
    options = [word for name, value in scope.items() for word in (f"--{name}", value)]
    found = {}
    for question in asked:
        hits = shared_client.get(f"/{lang}/search", query_string={"q": question, **scope}).text.partition(
            'class="hits"'
        )
        api = shared_client.get("/api/v1/articles", query_string={"q": question, "lang": lang, **scope}).json["results"]
        _, printed, _ = run(capsys, "ask", question, "--lang", lang, *options)
        link = re.search(r'href="([^"]+)"', hits[2])
        anchor = re.search(r"\[(.*)\]$", printed, re.MULTILINE)
        found[question] = link and link[1], anchor and anchor[1], api[0]["kind"], api[0]["id"]
    assert found == {question: (f"/{lang}/help#{each}", each, "help", each) for question, each in asked.items()}
    assert len(asked) == 26
    assert not phrases & set(map(str.casefold, asked))


def test_both_languages_have_the_same_articles() -> None:
    ja, en = articles("ja"), articles("en")
    assert list(ja) == list(en)
    for anchor, article in ja.items():
        other = en[anchor]
        assert (article["on"], article.get("open")) == (other["on"], other.get("open")), anchor
        assert [len(BUTTON.findall(each)) for each in article["text"]] == [
            len(BUTTON.findall(each)) for each in other["text"]
        ]
        for own in (article, other):
            assert len(own["phrases"]) == len(set(own["phrases"])) >= 8, anchor


@languages
def test_a_phrase_belongs_to_one_article(lang: str) -> None:
    phrases = [phrase.casefold() for article in articles(lang).values() for phrase in article["phrases"]]
    assert {each for each in phrases if phrases.count(each) > 1} == set()

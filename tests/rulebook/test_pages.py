"""Rule pages: the articles of the game in its order, in both languages alike, with a table's own numbers."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from jinja2 import UndefinedError

from companion import library as companion
from companion.data import LANGUAGES, data_folder
from companion.engine.game import Game
from companion.games import GAMES
from companion.rulebook.markup import draw_cards, rulebook_markdown
from companion.rulebook.pages import page, page_template, plain_text
from companion.rulebook.source import check_digests, drifted, pieces, with_digests, write_digests
from companion.rulebook.words import GUIDES, TEXT_STYLE, article_title, article_url, load_book, mentioned

SPADES = GAMES["spades"]
PLACE = re.compile(r"\{\{ *([a-z][a-z0-9_]*) *\}\}")
PLACES = load_book().places
WRITTEN = [game for game in GAMES.values() if load_book().sources[game.id, "ja"]]

SUMMARIES = [json.loads(line) for line in (Path(__file__).parent / "summaries.jsonl").read_text("utf-8").splitlines()]
"""What the summary of a table's own rules says and does not say."""

written = pytest.mark.parametrize("game", WRITTEN, ids=lambda game: game.id)
languages = pytest.mark.parametrize("lang", LANGUAGES)


def render(text: str) -> str:
    reader = rulebook_markdown()
    return str(reader.render(text)).strip()


def test_every_game_has_its_page() -> None:
    assert list(GAMES.values()) == WRITTEN


@written
@languages
def test_a_page_has_exactly_the_articles_of_its_game_in_their_order(game: Game, lang: str) -> None:
    found = [(section.anchor, [a.id for a in section.articles]) for section in page(game.id, lang).sections]
    assert found == [(name, [article.id for article in group]) for name, group in game.articles.sections.items()]


@written
@languages
def test_no_anchor_stands_twice_on_a_page(game: Game, lang: str) -> None:
    anchors = [piece.anchor for piece in pieces(load_book().sources[game.id, lang])]
    assert sorted(anchors) == sorted(set(anchors))


@written
def test_both_languages_have_the_same_places_for_options(game: Game) -> None:
    ja, en = (
        {p.anchor: set(PLACE.findall(p.text)) for p in pieces(load_book().sources[game.id, lg])} for lg in LANGUAGES
    )
    assert ja == en
    assert set().union(*ja.values()) <= {*game.options.options, *game.numbers(game.options.preset().options)}


@written
@languages
def test_every_article_says_something_short(game: Game, lang: str) -> None:
    for article in page(game.id, lang).articles():
        assert article.title
        assert 10 < len(article.text) < 1200, article.id


@pytest.mark.parametrize("name", [*GAMES, *GUIDES])
@languages
def test_every_link_of_a_page_leads_to_something_that_stands_in_the_book(name: str, lang: str) -> None:
    links = re.findall(r"\]\(([a-z-]*)#([^)]+)\)", load_book().sources[name, lang])
    assert [f"{page or name}.{anchor}" for page, anchor in links if f"{page or name}.{anchor}" not in PLACES] == []


@pytest.mark.parametrize("name", [*GAMES, *GUIDES])
def test_both_languages_link_to_the_same_places(name: str) -> None:
    ja, en = (
        {p.anchor: sorted(re.findall(r"\]\(([a-z-]*#[^)]+)\)", p.text)) for p in pieces(load_book().sources[name, lg])}
        for lg in LANGUAGES
    )
    assert ja == en


@pytest.mark.parametrize("name", GUIDES)
def test_guides_have_the_same_order_in_both_languages(name: str) -> None:
    ja, en = ([(p.level, p.anchor) for p in pieces(load_book().sources[name, lang])] for lang in LANGUAGES)
    assert ja == en
    assert len(ja) > 10


@written
def test_both_languages_have_the_same_parts(game: Game) -> None:
    ja, en = ([(part.name, [s.anchor for s in part.sections]) for part in page(game.id, lg).parts] for lg in LANGUAGES)
    assert ja == en


@written
def test_no_part_is_called_like_an_article(game: Game) -> None:
    names = {part.name for part in page(game.id, "en").parts}
    assert names.isdisjoint({article.anchor for article in game.articles} | set(game.articles.sections))


@written
def test_every_option_is_explained_by_articles_of_the_page(game: Game) -> None:
    for option in game.options.options.values():
        assert option.articles, option.name
        assert all(article in PLACES for article in option.articles), option.name


@written
@languages
def test_every_option_is_printed_on_the_page_or_decides_what_the_page_says(game: Game, lang: str) -> None:
    """Each option's value is printed, or it decides which sentences or which articles the page has."""
    named = mentioned(load_book().sources[game.id, lang])
    deciding = {name for article in game.articles for name in (*article.when, *article.unless)}
    assert [name for name in game.options.options if name not in named | deciding] == []


def test_the_glossary_marks_the_words_of_the_other_language() -> None:
    english, japanese = (page("glossary", lang).article("term-dealer").html for lang in ("en", "ja"))
    assert 'Japanese: <span lang="ja">ディーラー (dīrā)</span></p>' in english
    assert '<span lang="en">dealer</span> / ' in japanese
    for lang, other in (("ja", "en"), ("en", "ja")):
        assert [a.id for a in page("glossary", lang).articles() if a.html.count(f'<span lang="{other}">') != 1] == []


def test_links_lead_to_the_part_where_an_article_stands() -> None:
    assert article_url("ja", "casino.royal-ace") == "/ja/rules/casino/relatives#royal-ace"
    assert article_url("en", "casino.relatives") == "/en/rules/casino/relatives"
    assert article_url("en", "glossary.term-nil") == "/en/glossary#term-nil"
    first, *others = page("casino", "en").parts
    assert [part.name for part in others] == ["relatives", "printed", "trouble"]
    html = "".join(article.html for section in first.sections for article in section.articles)
    assert 'href="/en/rules/casino/relatives#' in html
    assert 'href="#' in html
    assert 'href="/en/rules/spades#' in page("verdicts", "en").article("illegal").html


def test_a_table_reads_all_parts_on_one_page_and_is_led_to_the_book_for_what_it_does_not_play() -> None:
    house = GAMES["casino"].options.preset("royal")
    ours = page("casino", "en", house)
    anchors = {article.anchor for article in ours.articles()}
    assert {"players", "courts-count", "trail"} <= anchors
    links = set(re.findall(r'href="#([^"]+)"', "".join(article.html for article in ours.articles())))
    assert links <= anchors | {section.anchor for section in ours.sections}


def test_the_summary_of_a_table_tells_only_of_what_it_plays() -> None:
    house = SPADES.options.build("classic", {"nil": False, "sandbag": False})
    assert "Nil" in page("spades", "en").summary_html
    assert "Nil" not in page("spades", "en", house).summary_html
    assert "bags" not in page("spades", "en", house).summary_html
    assert "trumps" in page("spades", "en", house).summary_html


@pytest.mark.parametrize("name", [*GAMES, *GUIDES])
@languages
def test_no_mark_of_the_source_is_left_on_a_page(name: str, lang: str) -> None:
    whole = page(name, lang)
    html = "".join([p.lead_html for p in whole.parts] + [s.html for s in whole.sections])
    html += "".join(a.title_html + a.html for a in whole.articles())
    assert not re.search(r"[\x00-\x09\x0b-\x1f]|\{|\|", html)


@written
def test_both_languages_have_the_same_conditions(game: Game) -> None:
    ja, en = (re.findall(r"\{% *((?:el)?if .*?) *%\}", load_book().sources[game.id, lang]) for lang in LANGUAGES)
    assert sorted(ja) == sorted(en)
    known = {f"{game.id}.{anchor}" for condition in ja for anchor in re.findall(r"played\('([a-z0-9-]+)'\)", condition)}
    assert known
    assert known <= {article.id for article in game.articles}
    names = {name for condition in ja for name in mentioned("{{ " + condition + " }}")}
    numbers = game.numbers(game.options.preset().options)
    assert names <= {*game.options.options, *numbers, "played", "book", "cited"}


@written
@languages
def test_a_condition_compares_an_option_with_a_value_that_it_can_have(game: Game, lang: str) -> None:
    source = load_book().sources[game.id, lang]
    compared = re.findall(r"([a-z][a-z0-9_]*) [=!<>]= ('?)([A-Za-z0-9_]+)'?", source)
    assert compared
    numbers = game.numbers(game.options.preset().options)
    for name, quoted, value in compared:
        if name in numbers:
            continue
        option = game.options.options[name]
        assert bool(quoted) == (option.kind == "choice")
        assert value in option.choices if quoted else option.low <= int(value) <= option.high


def test_articles_that_a_table_plays_otherwise_are_marked() -> None:
    house = SPADES.options.build("classic", {"bag_threshold": 5, "bid_method": "sum"})
    ours = page("spades", "en", house)
    assert {article.anchor for article in ours.articles() if article.differs} >= {"bag-numbers", "sum-bidding"}
    assert not ours.article("follow-suit").differs
    assert not any(article.differs for article in page("spades", "en").articles())


def test_the_english_was_made_from_the_japanese_of_today() -> None:
    """Where this fails: bring the English up to the Japanese, then write the digests anew."""
    assert check_digests(data_folder("rules_ja"), data_folder("rules_en")) == {}


def test_a_change_in_the_japanese_is_noticed_and_digests_can_be_written_anew(tmp_path: Path) -> None:
    ja, en = tmp_path / "ja", tmp_path / "en"
    (ja / "x").mkdir(parents=True)
    (en / "x").mkdir(parents=True)
    (ja / "x/book.md").write_text("# X\n\n{#one}\n### 一\n\nあ\n", "utf-8")
    (en / "x/book.md").write_text("# X\n\n{#one}\n### One\n\na\n", "utf-8")
    assert check_digests(ja, en) == {"x/book.md": ["one"]}
    assert write_digests(ja, en) == ["x/book.md"]
    assert write_digests(ja, en) == []
    assert check_digests(ja, en) == {}
    (ja / "x/book.md").write_text("# X\n\n{#one}\n### 一\n\nい\n", "utf-8")
    assert check_digests(ja, en) == {"x/book.md": ["one"]}


def test_spaces_at_line_ends_are_no_change() -> None:
    english = with_digests("{#one}\n### 一\n\nあ  \nい\n", "{#one}\n### One\n\na\n")
    assert drifted("{#one}\n### 一\n\nあ\nい\n\n", english) == []


@pytest.mark.parametrize("case", SUMMARIES, ids=lambda case: "-".join([case["game"], case["preset"], *case["options"]]))
def test_the_summary_of_a_table_says_what_it_plays(case: dict[str, Any]) -> None:
    options = GAMES[case["game"]].options
    chosen = {name: tuple(value) if isinstance(value, list) else value for name, value in case["options"].items()}
    summary = plain_text(page(case["game"], case["lang"], options.build(case["preset"], chosen)).summary_html)
    summary = summary.replace(TEXT_STYLE, "")
    assert [words for words in case["says"] if words not in summary] == []
    assert [words for words in case["hides"] if words in summary] == []


def test_the_book_has_the_summary_of_the_rules_it_begins_with() -> None:
    for game in GAMES.values():
        for lang in LANGUAGES:
            whole, table = page(game.id, lang), page(game.id, lang, game.options.preset())
            assert whole.summary_html.count("<li>") == table.summary_html.count("<li>") < 11
    assert "four or six" in page("spite-and-malice", "en").summary_html


def test_conditions_keep_items_and_phrases() -> None:
    source = "{% if a %}\n- one\n{% endif %}\n{% if not a %}\n- two\n{% endif %}\n"
    source += "- three{% if a and not b %}, four{% endif %}{% if b %}, five{% endif %}.\n"
    assert plain_text(render(page_template(source).render(a=True, b=False))) == "one\nthree, four."
    assert plain_text(render(page_template(source).render(a=False, b=True))) == "two\nthree, five."
    rows = "{% if a %}\n| one | 1 |\n{% endif %}\n{% if b %}\n| two | 2 |\n{% endif %}\n| three | 3 |\n"
    kept = render(page_template(f"| x | y |\n|---|---|\n{rows}").render(a=False, b=True))
    assert re.findall("<td>(.*?)</td>", kept) == ["two", "2", "three", "3"]
    assert kept.count("<tr>") == kept.count("</tr>") == 3


def test_a_tag_at_the_end_of_a_line_joins_no_words() -> None:
    source = "one {% if a %}two{% endif %}\nthree\n\n{% if a %}four{% endif %}\n\nfive"
    assert page_template(source).render(a=True) == "one two\nthree\n\nfour\n\nfive"


def test_an_unknown_name_in_the_text_of_a_page_is_an_error() -> None:
    with pytest.raises(UndefinedError):
        page_template("{{ bag_treshold }}").render()


def test_no_sentence_is_left_without_its_number() -> None:
    """What the default rules do not play stands in the book without a nought or a hole where its number would be."""
    spades, casino = page("spades", "ja"), page("casino", "en")
    assert not spades.article("promoted-twos").text.startswith("を")
    assert "0以上" not in spades.article("minimum-bid").text
    assert "0枚" not in spades.article("nil-exchange").text + spades.article("exchange-count").text
    assert "0点" not in spades.article("all-tricks-bonus").text
    assert "here" not in casino.article("sweeps").text
    ours = page("spades", "ja", SPADES.options.build("classic", {"minimum_bid": 4, "nil_exchange": 1}))
    assert ours.article("minimum-bid").text.startswith("コントラクトは4以上でなければ")
    assert "カードを1枚ずつ交換" in ours.article("nil-exchange").text


def test_an_article_that_every_table_plays_says_what_this_one_does() -> None:
    def article(preset: str, anchor: str) -> str:
        return page("spades", "en", SPADES.options.preset(preset)).article(anchor).text

    assert "two of you" in article("classic", "bid")
    assert "you alone" in article("modern", "bid")
    assert "two of you" not in article("modern", "bid") + article("solo4", "bid")
    assert "without jokers" in article("classic", "pack")
    assert "two jokers" in article("jokers", "pack")
    assert "In individual play" in page("spades", "en").article("bid").text


def test_the_table_of_scores_has_what_the_table_plays() -> None:
    def rows(game: Game, preset: str, **changed: Any) -> str:
        ours = page(game.id, "ja", game.options.build(preset, changed))
        return plain_text(next(s.html for s in ours.sections if s.anchor in ("scoring", "end") and "<table>" in s.html))

    assert "ニル" not in rows(SPADES, "classic", nil=False)
    assert "−10点×コントラクト" not in rows(SPADES, "classic", set_penalty="shortfall")
    assert "1トリックにつき−1点" in rows(SPADES, "plain", overtrick="minus1")
    assert "バッグの罰" not in rows(SPADES, "plain")
    assert "ムーン" in rows(SPADES, "classic", moon=True)
    casino = GAMES["casino"]
    assert "スイープ" in rows(casino, "dominican")
    assert "スイープ" not in rows(casino, "standard")
    assert "スペード5枚以上" in rows(casino, "south_african")
    assert "最後に取る" in rows(casino, "swedish")
    spite = GAMES["spite-and-malice"]
    assert "ほかに" not in rows(spite, "massachusetts")
    assert "ほかに5点" in rows(spite, "blackwood")


def test_no_number_is_parted_from_its_counter_at_the_end_of_a_line() -> None:
    ours = page("spades", "ja", SPADES.options.preset("solo3"))
    html = ours.summary_html + "".join(each.html for each in ours.articles())
    assert not re.search(r"[0-9][枚点個]", re.sub(r"<[^>]+>|<svg.*?</svg>", "", html))
    assert "17枚" in plain_text(html)


def test_a_table_of_its_own_sees_its_numbers_and_only_what_it_plays() -> None:
    house = SPADES.options.build("classic", {"bag_threshold": 5, "nil": False})
    ours = page("spades", "en", house)
    assert '<b class="differs">5</b>, some play' in ours.article("bag-numbers").html
    assert "Each time the bags reach 5, they cost" in ours.article("bag-penalty").text
    assert "instead of 100, the penalty" in ours.article("bag-numbers").html
    assert ours.article("nil") is None
    assert ours.article("no-nil") is not None
    assert "nil-and-double-nil" not in [section.anchor for section in ours.sections]


def test_the_whole_page_marks_what_the_default_rules_do_not_play() -> None:
    whole = page("spades", "ja")
    assert whole.article("contract").played
    assert not whole.article("sum-bidding").played
    assert "differs" not in "".join(article.html for article in whole.articles())


def test_a_preset_is_the_measure_of_what_differs() -> None:
    modern = page("spades", "en", SPADES.options.preset("modern"))
    assert "differs" not in "".join(article.html for article in modern.articles())
    assert modern.article("final-bid") is None


def test_an_article_says_where_it_comes_from() -> None:
    assert "Pagat" in page("spades", "en").article("follow-suit").source_label
    assert page("spades", "ja").article("both-nil").source_label == "この本の決まり"
    assert page("spades", "ja").article("contract").source_label == ""


def test_a_game_without_a_page_is_a_key_error() -> None:
    with pytest.raises(KeyError):
        page("bridge", "ja")


def test_titles_and_addresses() -> None:
    assert article_title("en", "spades.follow-suit") == "Follow suit if you can"
    assert article_title("ja", "spades.follow-suit") == "同じスートがあれば必ずフォローする"
    assert article_url("ja", "spades.follow-suit") == "/ja/rules/spades#follow-suit"


def test_readings_become_ruby_also_in_tables() -> None:
    assert render("{札|ふだ}") == "<p><ruby>札<rp>(</rp><rt>ふだ</rt><rp>)</rp></ruby></p>"
    assert "<td><ruby>札<rp>(</rp><rt>ふだ</rt>" in render("| a |\n|---|\n| {札\\|ふだ} |")
    assert plain_text(render("{札|ふだ}を配る")) == "札を配る"


def test_html_is_off() -> None:
    assert "<script>" not in render("a <script>alert(1)</script> {札|<b>x</b>}")
    assert "<b>" not in render("{<b>|<i>}")


@pytest.mark.parametrize(
    ("text", "html"),
    [
        ("10♥", '<span class="card suit-h">10♥\ufe0e</span>'),
        ("♦10", '<span class="card suit-d">♦\ufe0e10</span>'),
        ("2♣︎", '<span class="card suit-c">2♣\ufe0e</span>'),
        ("♠", '<span class="suit-s">♠\ufe0e</span>'),
        ("A&♠", 'A&amp;<span class="suit-s">♠\ufe0e</span>'),
    ],
)
def test_cards_and_suits_are_drawn(text: str, html: str) -> None:
    assert draw_cards(text) == html


def test_an_article_of_another_preset_has_its_values_and_leads_to_its_rules() -> None:
    whole = page("casino", "en")
    assert "On the table and in builds it is 1." in whole.article("royal-ace").text
    assert "There may be two builds of the same value." in whole.article("same-value-builds").text
    assert "Anybody may raise a single build" in whole.article("standard-raise").text
    assert "only one face card of its rank" in whole.article("court-take").text
    assert whole.article("royal-ace").way_url == "/en/rules/casino/royal#royal-ace"
    assert whole.article("royal-ace").way_label == "Royal and others"
    assert whole.article("sums").way_url == whole.article("score-variants").way_url == ""
    spite = page("spite-and-malice", "ja")
    assert "1人に1枚ずつ" in spite.article("first-side-cards").text
    assert "引き分け" in spite.article("stock-exhausted").text
    for game in WRITTEN:
        for article in page(game.id, "ja").articles():
            if article.way_url:
                preset, _, anchor = article.way_url.removeprefix(f"/ja/rules/{game.id}/").partition("#")
                assert not article.played
                assert page(game.id, "ja", game.options.preset(preset)).article(anchor)


def test_no_page_says_that_an_article_is_optional_but_its_tag() -> None:
    for game in WRITTEN:
        for lang in LANGUAGES:
            for article in page(game.id, lang).articles():
                assert not re.match(r"Only (?:if|where|when) (?:the table|you) ha|採用すると決めた", article.text)


@written
def test_a_ruling_is_a_marked_line_after_the_answer(game: Game) -> None:
    for lang, mark in (("ja", "この本の決まり"), ("en", "Our ruling:")):
        for rules in (None, *map(game.options.preset, game.options.presets)):
            for article in page(game.id, lang, rules).articles():
                assert article.html.count(f'<p class="ruling"><strong>{mark}') == article.text.count(mark) <= 1
                assert not article.text.startswith(mark)


MEETING: tuple[tuple[str, str, str, str, str, dict[str, Any], dict[str, Any]], ...] = (
    ("casino", "first-half", "that is allowed", "後半にはできます", "swazi_pagat", {}, {"owner_may_trail": False}),
    ("casino", "one-build-a-value", "1 and of 14", "14のビルド", "swazi", {}, {"ace_hand": "14"}),
    ("casino", "build-needs-card", "a build of 1 ", "1のビルド", "swazi", {}, {"ace_hand": "14"}),
    ("casino", "ace-as-set", "1 or of 14", "1の組", "swazi", {}, {"ace_hand": "14"}),
    ("casino", "majority-tie", "most cards", "最多枚数", "royal", {}, {"cards_points": 0}),
    ("casino", "owner-may-not-trail", "you own a", "所有者", "standard", {}, {"building": "swazi"}),
    ("casino", "sweeps", "face up", "表向き", "wippen", {}, {"building": "swazi"}),
    ("casino", "courts-without-number", "from the hand", "手札からは", "standard", {"ace_hand": "1or14"},
     {"ace_hand": "1or14", "ace_table": "1or14"}),
    ("casino", "builder-holds", "proof", "確かに", "standard", {"partner_build": "proven"}, {}),
    ("spite-and-malice", "common-stock", "The rest", "組の残り", "massachusetts", {},
     {"preset": "blackwood", "deal_mode": "payoff_from_one_pack"}),
    ("spite-and-malice", "second-chance", "two players only", "2人のときの", "partners4", {}, {"preset": "blackwood"}),
    ("spite-and-malice", "ace-kept-for-two", "partner’s twos", "パートナーの2", "partners4", {},
     {"preset": "blackwood"}),
    ("spite-and-malice", "ace-kept-for-two", "With two such", "2つあれば", "blackwood", {}, {"preset": "hoyle"}),
    ("spite-and-malice", "joker-limits", "second card", "2枚捨てる", "blackwood", {},
     {"after_last_discard": "refill_and_replay"}),
    ("spite-and-malice", "recycle-threshold", "Here it is 5", "5枚です", "blackwood", {"recycle_threshold": 5},
     {"recycle_threshold": 0}),
    ("spite-and-malice", "stalemate", "If you agree", "相談して", "blackwood108", {"stalemate_score": "difference"},
     {"preset": "hoyle"}),
)  # fmt: skip
"""A sentence in both languages, a table whose page has it, and what makes another table whose page has it not."""


@pytest.mark.parametrize(("game", "article", "en", "ja", "preset", "has", "other"), MEETING)
def test_a_sentence_is_printed_where_it_is_true(
    game: str, article: str, en: str, ja: str, preset: str, has: dict[str, Any], other: dict[str, Any]
) -> None:
    without = {"preset": other.get("preset", preset), "options": {k: v for k, v in other.items() if k != "preset"}}
    for lang, sentence in (("en", en), ("ja", ja)):
        texts = [
            companion.article(f"{game}.{article}", rules=rules, lang=lang)["text"]
            for rules in ({"preset": preset, "options": has}, without)
        ]
        assert [sentence in text for text in texts] == [True, False]


@languages
def test_a_title_that_is_cited_has_no_conditions(lang: str) -> None:
    titles = {article.id: article_title(lang, article.id) for game in GAMES.values() for article in game.articles}
    assert {name: title for name, title in titles.items() if "{" in title or not title} == {}


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("game", GAMES)
def test_a_sentence_that_is_left_out_leaves_one_blank_behind(game: str, lang: str) -> None:
    for house in ("", *GAMES[game].options.presets):
        assert not re.search(r"\S  +\S", json.dumps(companion.book(game, rules=house, lang=lang), ensure_ascii=False))

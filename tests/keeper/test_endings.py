"""The end of a game: why it ended, a rematch, other partners, the players' records."""

from __future__ import annotations

import re
from typing import Any, Final

import pytest
from flask import Flask

import companion
from tests.keeper.evenings import EVENINGS, Evening
from tests.keeper.phone import Page, Phone


def test_end_has_its_reason_then_rematch_with_the_dealer_moved_on(phone: Phone) -> None:
    phone.open(target="100")
    phone.deal(3, 4, 5, 6, 6)
    phone.deal(5, 5, 6, 5, 7)
    assert "Won by Aki & Chika" in phone.page.text
    assert "Reaching the target" in phone.page.text or "#target" in phone.page.html
    assert not phone.has("5")
    phone.press("Rematch")
    assert phone.totals == ["0", "0"]
    assert "Deal 1 · Chika deals" in phone.page.text
    page = phone.get(f"{phone.sheet}/games")
    assert "Game 1: Spades" in page.text
    assert "Won by Aki & Chika" in page.text
    rows = re.findall(
        r'<th scope="row">(\w+)</th><td class="number">(\d+)</td><td class="number">(\d+)</td>', page.html
    )
    assert rows == [("Aki", "1", "1"), ("Beth", "1", "0"), ("Chika", "1", "1"), ("Dan", "1", "0")]


def test_in_an_evening_of_three_games_everybody_plays_with_everybody(phone: Phone) -> None:
    phone.open(target="50")
    seen, said = [], []
    for _ in range(4):
        name = re.search(r'class="side-name">(.*)</span>', phone.page.html)
        seen.append(re.sub("<[^>]*>", "", name[1]))
        phone.deal(3, 4, 5, 6, 6)
        after = phone.page.html.partition('class="ending"')[2]
        said.append(re.findall(r'<p class="hint">(Game [^<]*\.)', after))
        leading = re.search(r'class="strong save"([^>]*)>', after)
        assert leading
        assert ("swap" in leading[1]) == bool(said[-1])  # once partners change, that is what leads
        phone.press(next(each for form in phone.page.forms for each in form.buttons if each.name == "swap").label)
    assert seen == ["Aki &amp; Chika", "Aki &amp; Beth", "Aki &amp; Dan", "Aki &amp; Chika"]
    assert said == [
        [],
        ["Game 2 of 3 in which everybody plays with everybody."],
        ["Game 3 of 3: everybody has played with everybody."],
        ["Game 1 of 3 in which everybody plays with everybody."],
    ]


def test_a_rematch_of_the_same_partners_ends_the_rotation(phone: Phone) -> None:
    phone.open(target="50")
    for button in ("New partners: Aki & Beth – Dan & Chika", "Rematch"):
        phone.deal(3, 4, 5, 6, 6)
        phone.press(button)
    phone.deal(3, 4, 5, 6, 6)
    assert phone.has("New partners: Aki & Dan – Chika & Beth")
    assert "of 3" not in phone.page.text


def test_who_plays_alone_has_no_partners_in_turn(phone: Phone) -> None:
    phone.open(rules="solo4", target="50")
    phone.deal(3, 3, 3, 6, 7, 2, 2)
    assert phone.has("Rematch")
    assert "New partners" not in phone.page.text


@pytest.mark.parametrize(
    ("game", "names", "rules", "answers", "length"),
    [
        ("spite-and-malice", ("Aki", "Beth", "", ""), {}, "?w=0&rB=3", "50 points"),
        ("casino", ("Aki", "Beth", "", ""), {"target": ""}, "?mc=0&ms=1&bt=0&st=1&ac0=1", "21 points"),
    ],
)
def test_after_a_single_deal_one_can_play_on_with_its_points(
    phone: Phone, game: str, names: tuple[str, ...], rules: dict[str, str], answers: str, length: str
) -> None:
    sheet = phone.open(*names, game=game, **rules)
    phone.get(sheet + answers)
    phone.press("Save the deal")
    assert phone.has("Rematch")
    totals = phone.totals
    phone.press(f"Play on to {length}")
    assert (phone.url, phone.totals) == (sheet, totals)
    assert "Deal 2 ·" in phone.page.text
    assert not phone.has("Rematch")


def test_whoever_leads_after_the_last_deal_alone_got_ahead_in_it(phone: Phone) -> None:
    sheet = phone.open("Aki", "Beth", "", "", game="spite-and-malice", match="target", target="20")
    for answers in ("?w=0&rB=3", "?w=1&rA=9", "?w=0&rB=12"):
        phone.get(sheet + answers)
        phone.press("Save the deal")
    assert "Aki got ahead in the last deal." in phone.page.text
    assert "Aki went out most often: 2 times." in phone.page.text
    assert "Aki went out while 12 cards were left (deal 3)." in phone.page.text


def test_a_long_game_offers_no_shorter_one(phone: Phone) -> None:
    phone.open(target="500")
    for _ in range(9):
        if not phone.has("Rematch"):
            phone.deal(6, 6, 6, 6, 7)
    assert phone.has("Rematch")
    assert "Play on" not in phone.page.text


def test_end_can_be_undone(phone: Phone) -> None:
    phone.open(target="50")
    phone.deal(3, 4, 5, 6, 6)
    phone.press("Undo")
    assert phone.has("Tricks of Aki & Chika 6") or phone.has(6)


def test_records_count_nils(phone: Phone) -> None:
    phone.open(target="300")
    phone.deal("nil", 4, 5, 6, 6, 0)
    phone.deal("nil", 4, 5, 6, 6, 2)
    page = phone.get(f"{phone.sheet}/games")
    assert re.search(r"Beth</th>.*?<td class=\"number\">1/1</td>", page.html)
    assert re.search(r"Chika</th>.*?<td class=\"number\">0/1</td>", page.html)


def test_a_draw_is_no_win_in_the_records(phone: Phone) -> None:
    phone.open(target="50", final_tie="shared")
    phone.deal(3, 3, 3, 3, 6)
    phone.deal(0, 0, 6, 6, 7)
    assert "A draw" in phone.page.text
    records = phone.get(f"{phone.sheet}/games").text
    assert re.search(r"Aki 1 0 \d+", records)


@pytest.mark.parametrize(
    ("lang", "nil", "made", "swallowed"),
    [
        ("en", "nil", "Beth made a nil (deal 1).", "Aki & Chika swallowed 10 bags (deal 3)."),
        (
            "ja",
            "ニル",
            "べんのニルは成功でした（第1ディール）。",
            "あき・ちかはバッグが10個たまって減点されました（第3ディール）。",
        ),
    ],
)
def test_the_story_has_nils_and_bags_with_the_deals_behind_them(
    app: Flask, lang: str, nil: str, made: str, swallowed: str
) -> None:
    phone = Phone(app.test_client(), lang)
    names = {"en": ("Aki", "Beth", "Chika", "Dan"), "ja": ("あき", "べん", "ちか", "だん")}[lang]
    phone.open(*names, target="200")
    phone.deal(nil, 4, 5, 8, 10, 0)
    phone.deal(3, 3, 7, 3, 11)
    phone.deal(3, 3, 3, 5, 9)
    phone.deal(3, 3, 10, 3, 10)
    story = re.findall(r'<a href="[^"]*/deals/(\d)">([^<]*)</a>', phone.page.html.partition('class="story"')[2])
    assert ("1", made.replace("&", "&amp;")) in story
    assert ("3", swallowed.replace("&", "&amp;")) in story


@pytest.mark.parametrize("lang", ["ja", "en"])
@pytest.mark.parametrize("evening", EVENINGS, ids=lambda evening: evening.game)
def test_the_end_offers_the_picture_and_other_ways_behind_one_word(phone: Phone, lang: str, evening: Evening) -> None:
    """Text, paper and files were buttons beside the picture, in two places."""
    phone.lang = lang
    phone.open(*evening.names, game=evening.game, rules=evening.rules)
    play_to_the_end(phone, evening)
    main = phone.page.html.partition("<main")[2].partition("</main>")[0]
    ways = re.search(r'<details class="more-ways">.*?</details>', main, re.DOTALL)
    assert ways
    places = [f'{phone.sheet}/{place}"' for place in ("text", "games/1", "export.csv", "export.json")]
    assert [place for place in places if place not in ways[0]] == []
    rest = main.replace(ways[0], "")
    assert [place for place in places if place in rest] == []
    assert rest.count("data-picture") == 1


@pytest.mark.parametrize("evening", EVENINGS, ids=lambda evening: evening.game)
def test_the_reason_of_an_end_does_not_say_again_who_won(phone: Phone, evening: Evening) -> None:
    phone.open(*evening.names, game=evening.game, rules=evening.rules)
    play_to_the_end(phone, evening)
    ending = re.search(r'<section class="ending".*?</section>', phone.page.html, re.DOTALL)
    assert ending
    reason = re.search("</h2>\\s*<p>(.*?)</p>", ending[0])
    assert reason
    assert [name for name in evening.names[:2] if name in reason[1]] == []


def play_to_the_end(phone: Phone, evening: Evening) -> None:
    """Enter the deals of an evening, the last ones until the game is over."""
    phone.play(evening.begun)
    for _ in range(6):
        if 'class="ending"' in phone.page.html:
            return
        phone.play(evening.rest)
    raise AssertionError(f"{evening.game} is not over")


def test_the_story_counts_void_deals_as_the_table_does(phone: Phone) -> None:
    """A deal has one number everywhere: the last one of four, of which one was void, is deal 4 of 4."""
    phone.open(target="160")
    phone.deal(3, 4, 5, 6, 6)
    phone.get(f"{phone.sheet}/settings")
    phone.press("Void this deal", dealer="moves")
    phone.deal(3, 4, 5, 6, 9)
    phone.deal(4, 4, 6, 5, 9)
    story = phone.get(phone.sheet).text
    assert re.search(r"From deal (\d) of 4 on, .* Deals? \1(–4)? ", story) or "Deals 1–4" in story
    assert " of 3 on" not in story


@pytest.mark.parametrize(("lang", "said"), [("en", "one more deal"), ("ja", "もう1ディール")])
def test_a_tie_at_the_target_says_that_another_deal_decides(app: Any, lang: str, said: str) -> None:
    phone = Phone(app.test_client(), lang)
    phone.get(f"/{lang}/sheets/new/spades?rules=classic~t-200")
    start = {"en": "Start", "ja": "始める"}[lang]
    phone.press(start, **{"paper0.total": "180", "paper1.total": "181"})
    sheet = phone.url
    phone.deal(3, 3, 3, 3, 7)
    assert phone.totals == ["214", "214"]
    assert phone.page.html.count(said) == 2
    assert phone.get(f"{sheet}/games/1").html.count(said) == 2


def test_bags_that_a_penalty_has_emptied_are_marked_until_the_next_entry(phone: Phone) -> None:
    phone.get("/en/sheets/new/spades?rules=classic")
    phone.press("Start", **{"paper0.total": "180", "paper0.bags": "7", "paper1.total": "181"})
    phone.deal(1, 1, 1, 1, 2)
    assert 'class="emptied"' not in phone.page.html
    sheet = phone.url
    phone.deal(2, 2, 2, 2, 11)
    assert phone.get(sheet).html.count('class="emptied"') == 1


@pytest.mark.parametrize("preset", ["skip_bo", "skipbo_like", "blackwood"])
def test_skip_bo_asks_for_the_stock_in_its_own_word(phone: Phone, preset: str) -> None:
    """With the cards of Skip-Bo the pile to be emptied is the stock; a game with playing cards keeps its words."""
    names = ("Aki", "Beth", "Chika", "Dan") if preset == "skipbo_like" else ("Aki", "Beth", "", "")
    sheet = phone.open(*names, game="spite-and-malice", rules=preset)
    asked = phone.get(f"{sheet}?w=0").text
    assert ("Beth: stock cards left" in asked, "pay-off" in asked) == (preset == "skip_bo", preset != "skip_bo")


def test_the_deal_of_skip_bo_passes_to_the_left_as_the_book_rules(phone: Phone) -> None:
    ruling = "Both the deal and the beginning pass to the left"
    assert ruling in companion.article("spite-and-malice.start-agreed", rules="skip_bo")["text"]
    sheet = phone.open("Aki", "Beth", "Chika", "", game="spite-and-malice", rules="skip_bo~p-3")
    for dealer in ("Aki", "Beth", "Chika", "Aki"):
        assert f"{dealer} deals" in phone.get(sheet).text
        phone.get(f"{sheet}?w=0&rB=9&rC=4")
        phone.press("Save the deal")


def test_three_alone_enter_the_cards_that_each_opponent_has_left(phone: Phone) -> None:
    sheet = phone.open("Aki", "Beth", "Chika", "", game="spite-and-malice", rules="alone3")
    assert "Beth: pay-off cards left" in phone.get(f"{sheet}?w=0").text
    assert "Chika: pay-off cards left" in phone.get(f"{sheet}?w=0&rB=9").text
    phone.get(f"{sheet}?w=0&rB=9&rC=4")
    phone.press("Save the deal")
    assert phone.totals == ["18", "0", "0"]
    assert "Aki" in phone.page.text


def board_of(page: Page) -> list[str]:
    """Return what stands under each total."""
    lines = re.findall(r'<span class="facts">(.*?)</span>\n</li>', page.html, re.DOTALL)
    return [" ".join(re.sub("<[^>]*>", " ", line).split()) for line in lines]


TO_RAISED: Final = {"en": "{} to go to 32", "ja": "32点まであと{}点"}


@pytest.mark.parametrize("lang", TO_RAISED)
@pytest.mark.parametrize(("totals", "answers"), [((22, 25), ""), ((15, 16), "?mc=0&ms=0&bt=0&st=1&ac0=0&cl=-")])
def test_the_target_that_was_raised_is_the_one_to_go_to(
    app: Any, lang: str, totals: tuple[int, int], answers: str
) -> None:
    """Whether totals from paper raise it, or a deal after them, for keepers and whoever watches."""
    phone = Phone(app.test_client(), lang)
    phone.get(f"/{lang}/sheets/new/casino")
    given = {f"paper{place}.total": str(total) for place, total in enumerate(totals)}
    start, save = {"en": ("Start", "Save the deal"), "ja": ("始める", "このディールを記録する")}[lang]
    phone.press(start, name0="Aki", name1="Beth", **given, **{"o.ending": "claim", "o.target": "21"})
    sheet = phone.url
    if answers:
        phone.get(sheet + answers)
        phone.press(save)
    to_go = [TO_RAISED[lang].format(32 - int(total)) for total in phone.totals]
    for page in (sheet, f"{sheet}/games/1"):
        assert [re.sub(r" \+\d$", "", line) for line in board_of(phone.get(page))] == to_go
    assert {"en": "one more deal", "ja": "もう1ディール"}[lang] not in phone.page.text


@pytest.mark.parametrize("target", ["500", ""])
def test_a_tie_after_the_last_deal_says_that_another_deal_decides(phone: Phone, target: str) -> None:
    phone.open(rules="modern", target=target, deals_limit="2")
    phone.deal(3, 3, 3, 3, 6)
    assert "one more deal" not in phone.page.text
    phone.deal(3, 3, 3, 3, 7)
    assert phone.totals == ["121", "121"]
    assert [line.count("one more deal") for line in board_of(phone.page)] == [1, 1]
    assert "to go" not in " ".join(board_of(phone.page))
    phone.get(f"{phone.sheet}/share")
    phone.press("Make a watch link")
    watched = re.search(r"/en/watch/[\w-]+", phone.page.html)
    assert watched
    for page in (watched[0], f"{watched[0]}/wall"):
        assert phone.get(page).text.count("one more deal") == 2


def test_a_tie_at_other_rules_from_the_next_deal_on_is_no_tie_any_more(phone: Phone) -> None:
    sheet = phone.open(rules="modern", target="120")
    for tricks in (6, 7):
        phone.deal(3, 3, 3, 3, tricks)
    assert phone.page.text.count("one more deal") == 2
    phone.post(f"{sheet}/do/rules", preset="modern", **{"o.target": "500"})
    assert ["379 to go" in line for line in board_of(phone.get(sheet))] == [True, True]
    assert "one more deal" not in phone.page.text

"""House rules on a phone of 390 pixels: compared, kept, changed, without a script and with one; nothing for axe."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.keeper.conftest import NewPhone
from tests.keeper.driving import START, Keeper

pytestmark = pytest.mark.browser

WORDS = {
    "ja": {
        "keep": "この名前で残す", "compare": "比べる", "look": "違うところを確かめる",
        "change": "何が変わるかを見る", "save": "第2ディールからこのルールで遊ぶ", "count": "このルールで計算する",
        "differ": "ペナルティになるバッグの数：クラシックでは「10個」、金曜では「5個」です。", "friday": "金曜",
        "arrow": "10個 → 3個", "line": "クラシック：バッグ5個ごとにペナルティ", "equal": "2つは同じルールです。",
        "by-code": "コードで選ぶ",
    },
    "en": {
        "keep": "Keep under this name", "compare": "Compare", "look": "Check what differs",
        "change": "Show what changes", "save": "Play by these rules from deal 2 on", "count": "Count by these rules",
        "differ": "Bags for a penalty: 10 bags in Classic, 5 bags in Friday.", "friday": "Friday",
        "arrow": "10 bags → 3 bags", "line": "Classic; a penalty every 5 bags", "equal": "Both are the same rules",
        "by-code": "By a code",
    },
}  # fmt: skip
languages = pytest.mark.parametrize("lang", ["ja", "en"])


def button(page: Any, label: str) -> Any:
    return page.get_by_role("button", name=label, exact=True)


@pytest.mark.by_turns
@languages
def test_rules_are_compared_kept_and_played_by_without_a_script(new_phone: NewPhone, lang: str) -> None:
    page, say = new_phone(java_script_enabled=False, locale=lang), WORDS[lang]
    page.goto(f"/{lang}/sheets/new/spades?rules=classic")
    page.locator("details.house > summary").click()
    page.locator("details.options", has=page.locator("#o-bag_threshold")).locator("> summary").click()
    page.fill("#o-bag_threshold", "5")
    button(page, say["look"]).click()
    expect(page.locator("#chosen .summary-line")).to_have_text(say["line"])
    expect(page.locator("#o-bag_threshold")).to_be_visible()  # what differs stands open
    page.locator("#chosen .code-line a").click()
    expect(page).to_have_url(re.compile(f"/{lang}/house-rules/spades/classic~bt-5$"))
    picture = page.locator(".qr-figure svg").bounding_box()
    assert picture["width"] > 150
    page.fill("#name", say["friday"])
    with page.expect_navigation():
        button(page, say["keep"]).click()
    page.goto(f"/{lang}/house-rules/spades/compare")
    page.select_option("#one", "classic")
    page.select_option("#other", label=say["friday"])
    button(page, say["compare"]).click()
    expect(page.locator(".differences")).to_contain_text(say["differ"])
    page.fill("#one-code", "Classic〜BT－5")
    button(page, say["compare"]).click()
    expect(page.locator("#compared")).to_contain_text(say["equal"])
    page.goto(f"/{lang}/sheets/new")
    page.locator("a.own").click()
    button(page, START[lang]).first.click()
    page.wait_for_url(Keeper(page, lang).opened)
    page.goto(f"{page.url}/rules")
    expect(page.locator(".code-line code")).to_have_text("classic~bt-5")


@pytest.mark.by_turns
@languages
def test_one_line_follows_the_options_and_the_marks_with_it(new_phone: NewPhone, lang: str) -> None:
    page, say = new_phone(locale=lang), WORDS[lang]
    page.goto(f"/{lang}/sheets/new/spades?rules=classic")
    page.locator("details.house > summary").click()
    group = page.locator("details.options", has=page.locator("#o-bag_threshold"))
    group.locator("> summary").click()
    expect(button(page, say["look"])).to_be_hidden()
    page.fill("#o-bag_threshold", "5")
    expect(page.locator("#chosen .summary-line")).to_have_text(say["line"])
    expect(page.locator(".live-line")).to_have_text(say["line"])
    expect(page.locator(".live-line")).to_be_in_viewport(ratio=1)
    expect(group.locator("> summary .count")).to_have_text("1")
    expect(page.locator(".option.differs-row")).to_have_count(1)
    page.fill("#o-bag_threshold", "10")
    expect(page.locator(".option.differs-row")).to_have_count(0)
    expect(group.locator("> summary .changed")).to_be_hidden()
    page.fill("#o-bag_threshold", "0")
    expect(page.locator("#chosen .problems")).to_be_visible()


@pytest.mark.by_turns
@languages
def test_change_is_read_before_it_is_saved(new_phone: NewPhone, lang: str) -> None:
    page, say = new_phone(locale=lang), WORDS[lang]
    keeper = Keeper(page, lang)
    sheet = keeper.begin()
    keeper.deal((3, 4, 5, 6), 7)
    page.goto(f"{sheet}/rules")
    page.locator("details.options", has=page.locator("#o-bag_threshold")).locator("> summary").click()
    page.fill("#o-bag_threshold", "3")
    button(page, say["change"]).click()
    expect(page.locator(".differences")).to_contain_text(say["arrow"])
    button(page, say["save"]).click()
    page.wait_for_url(keeper.opened)
    page.goto(f"{sheet}/rules")
    expect(page.locator(".periods")).to_contain_text(say["arrow"])
    page.goto(f"{sheet}/what-if")
    page.locator("form summary", has_text=say["by-code"]).click()
    page.fill("#rules-code", "classic~t-50")
    button(page, say["count"]).click()
    expect(page.locator("section[aria-labelledby=under] .effects li")).to_have_count(2)
    expect(page.locator("section[aria-labelledby=under] tbody tr")).to_have_count(1)


@languages
def test_axe_finds_nothing_and_nothing_is_too_wide(new_phone: NewPhone, faults: Any, looked_at: Any, lang: str) -> None:
    page = new_phone(locale=lang)
    keeper = Keeper(page, lang)
    sheet = keeper.begin()
    keeper.deal((3, 4, 5, 6), 7)
    page.goto(f"/{lang}/house-rules/casino/swazi~pca-5")
    page.fill("#name", "Wolfeschlegelsteinhausenbergerdorff")
    with page.expect_navigation():
        page.locator("form[action$=keep] button").click()
    found: list[str] = []
    addresses = [
        f"/{lang}/house-rules", f"/{lang}/house-rules?code=swazy", f"/{lang}/house-rules/casino/swazi~pca-5",
        f"/{lang}/house-rules/spades/classic~bt-5~bp-33", f"/{lang}/house-rules/spite-and-malice/hoyle",
        f"/{lang}/house-rules/spades/compare", f"/{lang}/house-rules/spades/compare?one=classic&other=jokers_deuces",
        f"/{lang}/house-rules/casino/compare?one=classic&other=swazi~pca-5", f"/{lang}/sheets/new",
        f"/{lang}/sheets/new/casino?rules=swazi~pca-5", f"/{lang}/sheets/new/spite-and-malice?rules=hoyle",
        f"{sheet}/settings", f"{sheet}/rules", f"{sheet}/rules?rules=modern",
        f"{sheet}/rules/change?rules=classic~ot-minus10&deal=1", f"{sheet}/rules/change?rules=solo4",
        f"{sheet}/what-if?rules=classic~t-50", f"{sheet}/what-if?rules-code=x",
    ]  # fmt: skip
    for address in looked_at(addresses, lang):
        page.goto(address)
        page.evaluate("document.querySelectorAll('details').forEach(each => { each.open = true; })")
        found.extend(f"{address} {fault}" for fault in faults(page))
    assert "\n".join(found) == ""


@pytest.mark.by_turns
@languages
def test_buttons_are_big_enough_for_a_thumb(new_phone: NewPhone, lang: str) -> None:
    page = new_phone(locale=lang)
    for address in (f"/{lang}/house-rules/spades/classic~bt-5", f"/{lang}/house-rules/spades/compare"):
        page.goto(address)
        heights = page.locator("main :is(button, .button, summary, select):visible").evaluate_all(
            "all => all.map(each => [each.textContent, each.getBoundingClientRect().height])"
        )
        assert len(heights) > 2
        assert [text for text, height in heights if height < 48] == []


@pytest.mark.parametrize("lang", ["ja", "en"])
def test_a_heading_names_the_rules_only_as_long_as_they_are_those(page: Any, lang: str) -> None:
    """Classic was the title while an answer that differs from it was marked."""
    name = {"ja": "クラシック", "en": "Classic"}[lang]
    page.goto(f"/{lang}/sheets/new/spades")
    expect(page.locator("[data-differs]")).not_to_have_attribute("data-differs", "")
    expect(page.locator("h1")).not_to_contain_text(name)
    expect(page.locator(".rest")).to_contain_text(name)
    page.goto(f"/{lang}/sheets/new/spades?rules=classic")
    expect(page.locator("h1")).to_contain_text(name)
    expect(page.locator(".meant")).to_be_visible()
    height = page.evaluate("document.querySelector('.start').getBoundingClientRect().top")
    page.locator(".offer input:not(:checked)").first.check()
    expect(page.locator("h1")).not_to_contain_text(name)
    expect(page.locator(".meant")).to_be_hidden()
    moved = page.evaluate("document.querySelector('.start').getBoundingClientRect().top") - height
    assert moved == 0


@pytest.mark.parametrize("query", ["", "?rules=modern", "?rules=modern&target=300"])
def test_what_was_chosen_is_still_chosen_after_a_reload(page: Any, query: str) -> None:
    """A target of 200 points was 500 again when the page was loaded again, and nothing said so."""
    page.goto(f"/en/sheets/new/spades{query}")
    page.locator('.offer:has-text("200") input').check()
    expect(page).to_have_url(re.compile(r"[?]rules=.*t-200"))
    page.reload()
    expect(page.locator('.offer:has-text("200") input')).to_be_checked()

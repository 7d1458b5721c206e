"""A whole evening of each game on a phone's screen: by thumb, by keys alone, without scripts.

Each has a correction in the middle, an end with its reason, and a rematch; the one by thumb is watched and helped by
two other phones, until their links are revoked. A short run has each game in one of the ways; whole games of each by
thumb are in `test_evenings.py` and `test_other_evenings.py`, too.
"""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.keeper.conftest import NewPhone
from tests.keeper.evenings import CASINO, EVENINGS, SPADES, SPITE, Answer, Evening
from tests.keeper.hands import Keys, Plain, Thumb

pytestmark = pytest.mark.browser

BY_THUMB = ((SPADES, "en"), (CASINO, "ja"), (SPITE, "en"))
OTHERWISE = ((SPADES, "ja"), (CASINO, "en"), (SPITE, "ja"))
BY_KEYS, WITHOUT_SCRIPTS = (*OTHERWISE[1:], OTHERWISE[0]), (BY_THUMB[2], *BY_THUMB[:2])


def ids(evenings: tuple[tuple[Evening, str], ...]) -> list[str]:
    """What the tests are called."""
    return [f"{evening.game}-{lang}" for evening, lang in evenings]


def begin(hand: Thumb, evening: Evening) -> None:
    """The sheet with its first deals."""
    hand.open(evening)
    for answers in evening.begun:
        take(hand, evening, answers)
    expect(hand.totals).to_have_text(evening.totals)


def take(hand: Thumb, evening: Evening, answers: tuple[Answer, ...]) -> None:
    """One deal, with exactly as many taps as the game takes."""
    assert hand.deal(answers) == evening.taps + answers.count("nil")


def correct(hand: Thumb, evening: Evening) -> None:
    """The first deal put right, its consequences seen first."""
    hand.follow(hand.word("deal", 1))
    hand.follow(hand.word("correct"))
    hand.press(evening.wrong[hand.lang])
    hand.press(str(evening.right))
    rows = hand.page.locator(".ripple tbody tr")
    expect(rows).to_have_count(len(evening.begun))
    for before, after in zip(evening.totals, evening.corrected, strict=True):
        if before != after:
            expect(rows.last).to_contain_text(f"{before} → {after}")
    hand.press(hand.word("keep"))
    expect(hand.page).to_have_url(re.compile(f"^{re.escape(hand.sheet)}(#|$)"))
    expect(hand.totals).to_have_text(evening.corrected)


def finish(hand: Thumb, evening: Evening) -> None:
    """The deals to the end, why it ended, and the first deal of a rematch."""
    for answers in evening.rest:
        take(hand, evening, answers)
    expect(hand.totals).to_have_text(evening.final)
    page = hand.page
    expect(page.locator("#ending")).to_have_text(hand.word("won", evening.winner))
    expect(page.locator(".ending a").first).to_have_attribute(
        "href", re.compile(f"^/{hand.lang}/rules/{evening.game}#")
    )
    expect(page.locator(".question")).to_have_count(0)
    hand.press(hand.word("rematch"), inside=".after-end")
    expect(hand.totals).to_have_text(("0", "0"))
    if evening is SPADES:  # the deal has passed on, so the others bid first
        take(hand, evening, (3, 3, 4, 4, 8))
    else:
        hand.deal(evening.begun[0])
        expect(hand.totals).to_have_text(evening.again)


@pytest.mark.by_turns
@pytest.mark.parametrize(("evening", "lang"), BY_THUMB, ids=ids(BY_THUMB))
def test_an_evening_by_thumb_with_links_that_are_revoked(new_phone: NewPhone, evening: Evening, lang: str) -> None:
    hand = Thumb(new_phone(has_touch=True, reduced_motion="no-preference"), lang)
    begin(hand, evening)

    watcher, helper = new_phone(), new_phone()
    watch = give_link(hand, "watch", "Granny")
    watcher.goto(watch)
    expect(watcher.locator(".total").first).to_have_text(evening.totals[0])
    expect(watcher.locator("main form")).to_have_count(0)
    helper.goto(give_link(hand, "score", "Emi"))
    helper.wait_for_url(hand.sheet)
    expect(helper.locator(".question button").first).to_be_visible()
    hand.follow(hand.word("back"))

    correct(hand, evening)
    for other in (watcher, helper):
        expect(other.locator(".total").first).to_have_text(evening.corrected[0])

    for label in ("Granny", "Emi"):
        hand.follow(hand.word("share"))
        with hand.followed():
            hand.page.get_by_role("button", name=hand.word("revoke", label)).click()
        hand.page.goto(hand.sheet)
    for other in (watcher, helper):
        expect(other.locator(".total, .question")).to_have_count(0)
    assert watcher.goto(watch).status == 404
    assert helper.goto(hand.sheet).status == 404

    finish(hand, evening)
    expect(watcher.locator(".total")).to_have_count(0)


def give_link(hand: Thumb, scope: str, label: str) -> str:
    """A link for another phone, made on the page to share."""
    page = hand.page
    if not page.url.endswith("/share"):
        hand.follow(hand.word("share"))
    page.locator("input[name=label]").fill(label)
    with hand.followed():
        page.locator(f"button[value={scope}]").click()
    return str(page.locator(".made a").first.get_attribute("href"))


@pytest.mark.by_turns
@pytest.mark.parametrize(("evening", "lang"), BY_KEYS, ids=ids(BY_KEYS))
def test_an_evening_by_keys_alone(new_phone: NewPhone, evening: Evening, lang: str) -> None:
    hand = Keys(new_phone(), lang)
    begin(hand, evening)
    correct(hand, evening)
    finish(hand, evening)


@pytest.mark.by_turns
@pytest.mark.parametrize(("evening", "lang"), WITHOUT_SCRIPTS, ids=ids(WITHOUT_SCRIPTS))
def test_an_evening_without_scripts(new_phone: NewPhone, evening: Evening, lang: str) -> None:
    hand = Plain(new_phone(java_script_enabled=False), lang)
    begin(hand, evening)
    correct(hand, evening)
    finish(hand, evening)


def test_there_is_an_evening_of_every_game_with_a_judge() -> None:
    """The pad has its own: `tests/pad/test_keeper.py`."""
    from companion.games import GAMES

    assert {evening.game for evening in EVENINGS} == {name for name, game in GAMES.items() if game.judge}

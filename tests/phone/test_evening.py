"""What a table asks for during an evening, by the program of a phone: corrections, what-if, points, verdicts."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import pytest

from companion.data import LANGUAGES
from companion.engine.problems import Refused
from companion.games import GAMES
from tests.keeper.evenings import EVENINGS, WORDS, Evening
from tests.keeper.phone import Phone
from tests.phone.conftest import OnPhone
from tests.referee.reading import address, read
from tests.referee.test_browser import ASKED

GAME_AND_LANGUAGE = [(evening, lang) for evening in EVENINGS for lang in LANGUAGES]


@pytest.fixture(scope="module")
def program() -> OnPhone:
    """The program of a phone, once for all tests."""
    return OnPhone()


def words_of(lang: str, *answers: str | int) -> list[str]:
    """What the buttons say."""
    return [WORDS[lang].get(str(answer), str(answer)) for answer in answers]


def numbers_at_their_least(game: str) -> Iterator[str]:
    """Codes of rules that differ in one number from those that the game begins with."""
    known = GAMES[game].options
    for option in known.options.values():
        if option.high is not None and isinstance(option.default, int):
            with suppress(Refused):
                yield known.code(known.build(known.default_preset, {option.name: option.low}))


@pytest.mark.parametrize(("evening", "lang"), GAME_AND_LANGUAGE, ids=lambda each: getattr(each, "game", each))
def test_an_evening_is_corrected_explained_and_tried_under_other_rules(
    program: OnPhone, evening: Evening, lang: str
) -> None:
    phone = Phone(program, lang)
    phone.open(*evening.names, game=evening.game, rules=evening.rules)
    for answers in evening.begun:
        phone.deal(*words_of(lang, *answers))
    assert tuple(phone.totals) == evening.totals

    phone.get(f"{phone.sheet}/deals/1/correct")
    wrong = re.sub(r"[:：] ?(\d+)[.。].*", r" \1", evening.wrong[lang])
    phone.press(next(b.label for form in phone.page.forms for b in form.buttons if b.label.startswith(wrong)))
    phone.press(evening.right)
    for before, after in zip(evening.totals, evening.corrected, strict=True):
        assert before == after or f"{before} → {after}" in phone.page.text, "its ripple is shown first"
    phone.press(WORDS[lang]["keep"])
    assert tuple(phone.totals) == evening.corrected

    deal = phone.get(f"{phone.sheet}/deals/1").html
    article = re.search(rf'href="(/{lang}/rules/{evening.game}[^"#]*)#([a-z-]+)"', deal)
    assert article, "a point names its article"
    assert f'id="{article[2]}"' in phone.get(article[1]).html

    tried = (phone.get(f"{phone.sheet}/what-if?rules={code}").html for code in numbers_at_their_least(evening.game))
    assert any("→ <b>" in page for page in tried), "other rules would have given other totals"
    phone.get(phone.sheet)
    assert tuple(phone.totals) == evening.corrected, "nothing was written by trying"


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_phone_judges_what_the_site_judges(program: OnPhone, shared_client: Any, lang: str) -> None:
    """Every question of every game in the middle of being asked: the same words, and verdicts of both kinds."""
    verdicts: dict[str, set[str]] = {}
    for path, state in ASKED.items():
        place = address(path, state, lang=lang)
        said = read(program.get(place, follow_redirects=True).get_data(as_text=True))
        assert said == read(shared_client.get(place).text), path
        assert said.bar.strip()
        verdicts.setdefault(path.partition("/")[0], set()).update(" ".join(said.cards.values()).split(), [said.value])
    assert set(verdicts) == {game.id for game in GAMES.values() if game.judge}
    for game, found in verdicts.items():
        assert {"legal", "illegal"} & found, game

"""Two phones write on one sheet: everybody is told what stood in the way, and nothing that was counted is lost."""

from __future__ import annotations

import re

from tests.keeper.phone import Phone


def test_counts_for_an_open_deal_survive_what_another_phone_writes(both: tuple[Phone, Phone]) -> None:
    phone, other = both
    phone.press(6)
    other.get(f"{other.sheet}/settings")
    other.post(f"{other.sheet}/do/names", title="Friday", v=_version(other))
    phone.press("Save the deal")
    assert phone.status == 409
    assert "Your entry is still here" in phone.page.text
    phone.press("Save the deal")
    assert phone.totals == ["60", "52"]


def test_two_phones_count_the_same_deal_alike(both: tuple[Phone, Phone]) -> None:
    phone, other = both
    for each in both:
        each.press(6)
    phone.press("Save the deal")
    other.press("Save the deal")
    assert other.status == 409
    assert "with the same entry" in other.page.text
    assert other.totals == phone.totals == ["60", "52"]


def test_two_phones_count_the_same_deal_otherwise(both: tuple[Phone, Phone]) -> None:
    phone, other = both
    phone.press(6)
    other.press(7)
    phone.press("Save the deal")
    other.press("Save the deal")
    assert other.status == 409
    assert other.totals == ["60", "52"]
    compare = re.search(r'<a href="([^"]*)">Compare with what I entered', other.page.html)
    other.get(compare[1].replace("&amp;", "&"))
    assert "<s>60</s> → <b>61</b>" in other.page.html
    other.press("Save the correction", reason="we counted again")
    phone.get(phone.sheet)
    assert phone.totals == other.totals == ["61", "51"]


def test_counting_goes_on_only_in_the_deal_it_was_begun_for(both: tuple[Phone, Phone]) -> None:
    """The tap that follows another phone's saving must not become a count of the next deal."""
    phone, other = both
    phone.press(6)
    phone.press("Save the deal")
    other.press(8)
    assert "Another device has already saved deal 1" in other.page.text
    assert other.totals == ["60", "52"]
    assert other.has("nil")


def test_correction_of_two_phones_at_once(opened: Phone) -> None:
    opened.get(f"{opened.sheet}/deals/1/correct?t0=7")
    form, button = opened.find("Save the correction")
    opened.get(opened.sheet)
    opened.press(5)
    fields = dict(form.fields)
    answer = opened.client.post(form.action, data=fields)
    assert button.label == "Save the correction"
    assert answer.status_code == 409
    assert "<s>60</s> → <b>61</b>" in answer.text


def test_other_language_keeps_the_state(both: tuple[Phone, Phone]) -> None:
    phone, _ = both
    phone.press(6)
    other_language = re.search(r'class="language" href="([^"]*)"', phone.page.html)[1].replace("&amp;", "&")
    assert other_language.startswith("/ja/sheets/")
    page = phone.get(other_language)
    assert "Aki & Chikaのトリック数 6" in page.text
    phone.lang = "ja"
    phone.press("このディールを記録する")
    assert phone.totals == ["60", "52"]


def _version(phone: Phone) -> str:
    return str(phone.client.get(f"{phone.sheet}/version").text)

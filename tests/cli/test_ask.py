"""`companion ask`: the sentence that answers, with its article; nothing found is said, and shown by the exit status."""

from __future__ import annotations

import json

import pytest

from tests.cli.test_score import run


def test_a_question_is_answered_with_the_article(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = run(capsys, "ask", "ran", "out", "of", "cards", "in", "hand")
    assert status == 0
    first, sentence, url = out.splitlines()[:3]
    assert first.endswith("[spite-and-malice.empty-hand]")
    assert "draw five" in sentence
    assert url.strip() == "companion article spite-and-malice.empty-hand"
    assert len(out.splitlines()) == 9


def test_answers_have_the_numbers_of_the_rules_and_say_what_was_repaired(capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = run(capsys, "ask", "サンドバックの罰", "--game", "spades", "--rules", "classic~bt-7", "--lang", "ja")
    assert out.startswith("「サンドバック」を「サンドバッグ」として調べました。")
    assert "7個" in out


def test_the_answer_as_json_is_that_of_the_api(capsys: pytest.CaptureFixture[str], shared_client: object) -> None:
    _, out, _ = run(capsys, "ask", "bag penalty", "--game", "spades", "--kind", "article", "--json")
    answered = shared_client.get("/api/v1/articles?q=bag+penalty&game=spades&kind=article&limit=3&lang=en").json  # type: ignore[attr-defined]
    answered.pop("next")
    assert json.loads(out) == answered


def test_where_nothing_answers_the_exit_status_says_so(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = run(capsys, "ask", "bicycle repair")
    assert status == 1
    assert out.startswith("Nothing in this book about “bicycle”.")


@pytest.mark.parametrize(
    "wrong", [("--rules", "classic"), ("--game", "spades", "--rules", "nope~x"), ("--kind", "poem")]
)
def test_wrong_options_are_refused(capsys: pytest.CaptureFixture[str], wrong: tuple[str, ...]) -> None:
    status, _, err = run(capsys, "ask", "nil", *wrong)
    assert status == 2
    assert wrong[-2] in err

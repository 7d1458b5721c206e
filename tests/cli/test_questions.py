"""The other questions of the command line: exit statuses, JSON for results and faults, tables, batches, completion."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from companion import library as companion
from companion.cli import cli
from companion.games import GAMES
from companion.rulebook.words import say
from tests.cli.test_score import run

Capture = pytest.CaptureFixture[str]
QUESTIONS = {
    "score": companion.score, "check": companion.check, "moves": companion.moves, "replay": companion.replay,
    "demand": companion.demand,
}  # fmt: skip
ASKED = [(game.id, name) for game in GAMES.values() for name in QUESTIONS if name in game.examples]
GAME = next(iter(GAMES))


@pytest.fixture
def asked(tmp_path: Path, capsys: Capture) -> Any:
    """Run a command on a request in a file."""

    def ask(name: str, request: dict[str, Any], *options: str) -> tuple[int, str, str]:
        (tmp_path / "request.json").write_text(json.dumps(request), encoding="utf-8")
        return run(capsys, name, str(tmp_path / "request.json"), *options)

    return ask


@pytest.mark.parametrize(("game", "name"), ASKED)
def test_a_command_answers_what_the_library_returns(asked: Any, game: str, name: str) -> None:
    request = GAMES[game].examples[name]
    _, out, err = asked(name, request, "--game", game, "--json", "--lang", "ja")
    assert (json.loads(out), err) == (json.loads(json.dumps(QUESTIONS[name](game, request, lang="ja"))), "")
    status, out, _ = asked(name, {**request, "game": game, "title": "an evening"})
    assert status in (0, 1, 3)
    assert out


def play(held: list[str] | None, card: str) -> dict[str, Any]:
    hand = {} if held is None else {"hand": held}
    trick = [{"seat": "A", "card": "9H"}]
    position = {"phase": "play", "seats": list("ABCD"), "trick": trick, "trick_number": 4, **hand}
    return {"position": position, "move": {"type": "play", "seat": "B", "card": card}}


@pytest.mark.parametrize(
    ("request_", "verdict", "status"),
    [
        (play(["7H", "2C"], "7H"), "legal", 0),
        (play(["7H", "2C"], "2C"), "illegal", 1),
        (play(None, "2C"), "undecided", 3),
        (play(["7H"], "17Z"), None, 2),
    ],
)
def test_the_exit_status_says_the_verdict(asked: Any, request_: Any, verdict: str | None, status: int) -> None:
    found, out, _ = asked("check", request_, "--game", "spades", "--json")
    assert found == status
    assert json.loads(out).get("verdict") == verdict


def test_a_replay_says_whether_something_was_illegal(asked: Any) -> None:
    deal = {"seats": list("ABCD"), "dealer": "D", "calls": [{"seat": "A", "call": 3}, {"seat": "C", "call": 3}]}
    status, out, _ = asked("replay", {**deal, "plays": []}, "--game", "spades")
    assert status == 1
    assert "Illegal" in out


def test_a_question_that_a_game_does_not_answer_is_said(asked: Any) -> None:
    game = next(game.id for game in GAMES.values() if "demand" not in game.extra)
    status, _, err = asked("demand", {"position": {}}, "--game", game)
    assert status == 2
    assert "does not answer" in err


@pytest.mark.parametrize("lang", companion.LANGUAGES)
def test_faults_are_the_api_s_problem_document(asked: Any, lang: str) -> None:
    request = {**GAMES[GAME].examples["score"], "deals": [{"nobody": {}}, {}], "extra": 1}
    status, out, err = asked("score", request, "--game", GAME, "--json", "--lang", lang)
    assert (status, err) == (2, "")
    with pytest.raises(companion.InvalidInput) as caught:
        companion.score(GAME, request, lang=lang)
    assert json.loads(out) == caught.value.document


@pytest.mark.parametrize(
    ("text", "members"),
    [
        ("{", {"type": "/problems/malformed-json", "line": 1, "column": 2}),
        ("[]", {"type": "/problems/bad-request"}),
        ('{"game": "a", "game": "b"}', {"type": "/problems/invalid-input"}),
    ],
)  # fmt: skip
def test_unreadable_files_are_problem_documents_too(
    text: str, members: dict[str, Any], capsys: Capture, tmp_path: Path
) -> None:
    (tmp_path / "request.json").write_text(text, encoding="utf-8")
    status, out, _ = run(capsys, "score", str(tmp_path / "request.json"), "--json")
    assert status == 2
    assert members.items() <= json.loads(out).items()


TABLES = {
    "spades": ("NS.bid,NS.tricks,EW.bid,EW.tricks\n5,8,6,5\n", [], {"NS": 53, "EW": -60}),
    "casino": (
        "A.cards,A.spades,A.aces,A.big_ten,A.spy_two,A.sweeps,A.last_capture,B.cards,B.spades,B.aces,B.big_ten,"
        "B.spy_two,B.sweeps,B.last_capture\n30,8,3,true,false,0,true,22,5,1,false,true,0,false\n",
        [], None,
    ),
    "spite-and-malice": ("winner,remaining.B\nA,9\n", ["--sides", "A,B"], None),
    "pad": ("A.points,B.points\n12,-3\n", [], {"A": 12, "B": -3}),
}  # fmt: skip


@pytest.mark.parametrize("game", GAMES)
def test_an_evening_is_read_from_a_table(game: str, capsys: Capture, tmp_path: Path) -> None:
    table, options, totals = TABLES[game]
    (tmp_path / "evening.csv").write_text(table, encoding="utf-8-sig")
    status, out, err = run(capsys, "score", str(tmp_path / "evening.csv"), "--game", game, "--json", *options)
    assert (status, err) == (0, ""), out
    answer = json.loads(out)
    assert len(answer["deals"]) == 1
    if totals is not None:
        assert {side: at["total"] for side, at in answer["standing"].items()} == totals


@pytest.mark.parametrize(
    ("table", "options", "said"),
    [
        ("", [], "column names"),
        ("NS.bid,EW.bid\n1,2,3\n", [], "line 2"),
        ("NS.bid,NS.bid.more\n1,2\n", [], "line 2"),
        ("NS.nils.5.call\nnil\n", [], "line 2"),
        ("NS.bid,EW.bid\n1,2\n", [], "line 2, NS.tricks:"),
        ("\nNS.bid,EW.bid\n\n1,2\n", [], "line 4, EW.tricks:"),
        ("NS.bid,NS.tricks,EW.bid,EW.tricks\n4,99,4,4", [], "line 2: The tricks add up"),
        ("NS.bid,EW.bid\n1,2\n", ["--rules", "no-such"], "--rules:"),
        ("NS.bid,EW.bid\n1,2\n", ["--sides", "NS"], "--sides:"),
    ],
)
def test_a_table_that_cannot_be_read_says_where(
    table: str, options: list[str], said: str, capsys: Capture, tmp_path: Path
) -> None:
    (tmp_path / "evening.csv").write_text(table, encoding="utf-8")
    status, out, err = run(capsys, "score", str(tmp_path / "evening.csv"), "--game", "spades", *options)
    assert (status, out) == (2, "")
    assert said in err


@pytest.mark.parametrize("separator", [",", ";", "\t"])
def test_tables_are_read_as_spreadsheets_write_them(separator: str, capsys: Capture, tmp_path: Path) -> None:
    lines = [["NS.bid", "NS.tricks", "EW.bid", "EW.tricks"], ["5", "8.0", "6", "5"], ["", "", "", ""]]
    (tmp_path / "EVENING.CSV").write_text("\r\n".join(map(separator.join, lines)), encoding="utf-8-sig")
    status, out, err = run(capsys, "score", str(tmp_path / "EVENING.CSV"), "--game", "spades", "--json")
    assert (status, err) == (0, "")
    assert [side["total"] for side in json.loads(out)["standing"].values()] == [53, -60]


@pytest.mark.parametrize("lang", companion.LANGUAGES)
@pytest.mark.parametrize(
    ("arguments", "text", "key", "facts"),
    [
        (["score", "a.csv"], "NS.bid\n1", "table-without-game", {"file": "a.csv", "games": list(GAMES)}),
        (["score", "a.json"], "[]", "not-object", {"file": "a.json"}),
        (["score", "a.json"], "{}", "no-game", {"file": "a.json", "games": list(GAMES)}),
        (["score", "a.json"], '{"game": "poker"}', "unknown-game", {"file": "poker", "games": list(GAMES)}),
        (["score", "a.json", "--game", "poker"], "{}", "unknown-game", {"file": "poker", "games": list(GAMES)}),
        (["ask", "nil", "--rules", "zz"], "", "rules-without-game", {}),
        (["ask", "nil", "--rules", "zz", "--game", GAME], "", "no-code", {"file": GAME, "value": "zz"}),
        (["article", "nix"], "", "no-article", {"file": "nix"}),
    ],
)
def test_wrong_calls_are_answered_in_the_language_asked_for(
    arguments: list[str], text: str, key: str, facts: dict[str, Any], lang: str, capsys: Capture, tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    monkeypatch.chdir(tmp_path)
    for name in ("a.csv", "a.json"):
        (tmp_path / name).write_text(text, encoding="utf-8")
    said = say(lang, f"cli.{key}", **facts)
    assert run(capsys, *arguments, "--lang", lang) == (2, "", said + "\n")
    status, out, err = run(capsys, *arguments, "--lang", lang, "--json")
    assert (status, err) == (2, "")
    assert json.loads(out)["detail"] == said


def test_wrong_options_are_problem_documents_too(capsys: Capture) -> None:
    status, out, err = run(capsys, "score", "--json")
    assert (status, err) == (2, "")
    assert "FILE" in json.loads(out)["detail"]


def test_a_batch_answers_every_line(capsys: Capture, tmp_path: Path) -> None:
    request = GAMES[GAME].examples["score"]
    lines = [json.dumps({**request, "id": "first"}), "", "{", json.dumps(request)]
    (tmp_path / "lines.ndjson").write_text("\n".join(lines), encoding="utf-8")
    status, out, _ = run(capsys, "batch", str(tmp_path / "lines.ndjson"), "--game", GAME)
    answers = [json.loads(line) for line in out.splitlines()]
    assert status == 2
    assert [(each["line"], each.get("id"), "standing" in each) for each in answers] == [
        (1, "first", True), (2, None, False), (3, None, False), (4, None, True),
    ]  # fmt: skip
    (tmp_path / "lines.ndjson").write_text(lines[0], encoding="utf-8")
    assert run(capsys, "batch", str(tmp_path / "lines.ndjson"), "--game", GAME)[0] == 0
    assert run(capsys, "batch", str(tmp_path / "none"), "--game", GAME)[0] == 2


def test_an_article_is_printed_with_the_numbers_of_a_table(capsys: Capture) -> None:
    status, out, _ = run(capsys, "article", "spades.bag-penalty", "--rules", "classic~bt-7")
    assert status == 0
    assert "Each time the bags reach 7" in out
    article = json.loads(run(capsys, "article", "spades.bag-penalty", "--json", "--lang", "ja")[1])
    assert article == json.loads(json.dumps(companion.article("spades.bag-penalty", lang="ja")))
    for wrong in ("spades.no-such", "no-such.nil"):
        status, _, err = run(capsys, "article", wrong)
        assert (status, wrong in err) == (2, True)


def test_house_rules_are_listed_and_compared(capsys: Capture) -> None:
    listed = json.loads(run(capsys, "rules", "list", "--json")[1])["games"]
    assert {each["id"]: [preset["name"] for preset in each["presets"]] for each in listed} == {
        game.id: list(game.options.presets) for game in GAMES.values()
    }
    text = run(capsys, "rules", "list", "--game", GAME)[1]
    assert all(preset in text for preset in GAMES[GAME].options.presets)
    one, other = list(GAMES[GAME].options.presets)[:2]
    different = json.loads(run(capsys, "rules", "diff", one, other, "--json")[1])
    assert different == json.loads(json.dumps(companion.diff(GAME, one, other)))
    assert len(run(capsys, "rules", "diff", one, other)[1].splitlines()) == len(different["differences"])
    assert run(capsys, "rules", "diff", one, "no-such")[0] == 2


@pytest.mark.parametrize("game", GAMES)
def test_a_code_finds_its_game(game: str, capsys: Capture) -> None:
    options = GAMES[game].options
    code = options.code(options.preset(list(options.presets)[-1]))
    for words in (("rules", code), ("rules", "code", code)):
        assert json.loads(run(capsys, *words, "--json")[1]) == json.loads(json.dumps(companion.rules(game, code)))


@pytest.mark.parametrize(
    ("locale", "lang"), [("ja_JP.UTF-8", "ja"), ("en_GB.UTF-8", "en"), ("fr_FR", "en"), ("C", "en")]
)
def test_the_locale_decides_the_language(
    locale: str, lang: str, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LC_ALL", locale)
    assert run(capsys, "rules", "classic")[1] == run(capsys, "rules", "classic", "--lang", lang)[1]


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_shells_complete_commands_and_games(shell: str, capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "_COMPANION_COMPLETE" in run(capsys, "completion", shell)[1]
    monkeypatch.setenv("_COMPANION_COMPLETE", f"{shell}_complete")
    monkeypatch.setenv("COMP_WORDS", "companion score --game ")
    monkeypatch.setenv("COMP_CWORD", "" if shell == "fish" else "3")
    assert set(GAMES) <= set(run(capsys)[1].replace(",", "\n").splitlines())


def test_every_command_explains_itself(capsys: Capture) -> None:
    overview = run(capsys, "--help")[1]
    for command in cli.commands:
        assert command in overview
        assert run(capsys, command, "--help")[0] == 0


@pytest.mark.parametrize(
    ("command", "japanese", "english"),
    [
        (["scoer"], "scoerというコマンドはありません。", "There is no command scoer."),
        (["score", "a.json", "--jsn"], "--jsnというオプションはありません。", "There is no option --jsn."),
        (["score"], "FILEがありません。", "FILE is missing."),
        (["score", "a.json", "--sides"], "--sidesの値が足りないか", "--sides lacks its value"),
        (["score", "a.json", "b.json"], "余分な引数があります：b.json", "Too many arguments: b.json"),
        (
            ["completion", "cmd"],
            "SHELLの値が正しくありません。bash、zsh、fishのどれか",
            "The value of SHELL cannot be used.",
        ),
    ],
)
def test_faults_of_the_command_line_are_said_in_the_language_of_the_locale(
    command: list[str], japanese: str, english: str, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    for locale, said in (("ja_JP.UTF-8", japanese), ("C.UTF-8", english)):
        monkeypatch.setenv("LC_ALL", locale)
        status, out, err = run(capsys, *command)
        assert (status, out) == (2, "")
        assert said in err
        assert "companion" in err or command[-1] == "--sides"  # click does not say then which command it is
    status, out, err = run(capsys, command[0], "--json", *command[1:]) if command[0] == "score" else (2, "{}", "")
    assert (status, err) == (2, "")
    assert json.loads(out).get("detail", english).startswith(english)


@pytest.mark.parametrize(("lang", "sentence"), [("en", "Both of these deals fit"), ("ja", "わかっていることに合う")])
def test_show_me_prints_why(asked: Any, lang: str, sentence: str) -> None:
    position = {"seats": ["A", "B", "C", "D"], "trick": [{"seat": "A", "card": "2H"}], "trick_number": 11}
    request = {"position": position, "move": {"type": "play", "seat": "B", "card": "5S"}}
    status, out, _ = asked("check", request, "--game", GAME, "--show-me", "--lang", lang)
    assert (status, sentence in out, out.count("✓"), out.count("✕")) == (3, True, 1, 1)
    assert sentence not in asked("check", request, "--game", GAME, "--lang", lang)[1]
    _, out, _ = asked("check", request, "--game", GAME, "--show-me", "--json")
    assert len(json.loads(out)["witness"]["changed"]) == 2

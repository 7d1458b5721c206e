"""Whole deals on the referee's pages: what the replay says is what the page shows, and nothing is lost on the way."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from html import unescape
from typing import Any

import pytest

from companion.conformance import published
from companion.data import LANGUAGES
from companion.engine.problems import Node
from companion.games import GAMES
from companion.games.spite_and_malice.shapes import parse_moves
from companion.rulebook.words import say
from tests.casino.table import random_deal
from tests.referee.reading import Said, address, ask, keep_sheet, read
from tests.referee.test_published import written
from tests.spite_and_malice.dealer import Dealer

Json = dict[str, Any]
REQUEST_LINE = 4_094
"""Characters of a request line that gunicorn takes unless it is told otherwise."""
LETTERS = {"10": "0"}


def facts(client: Any, path: str, state: dict[str, object]) -> Any:
    found = re.search(r"<pre><code>(.*?)</code></pre>", client.get(address(path, state)).text, re.S)
    return json.loads(unescape(found[1])) if found else None


def replay(game: str, preset: str, request: Json) -> Any:
    rules = GAMES[game].options.preset(preset).options
    return GAMES[game].replay(rules, Node({key: value for key, value in request.items() if key != "rules"}))


def signs(said: Said) -> dict[str, int]:
    """The verdicts in the table of the turns."""
    turns = said.text.rpartition(say("en", "referee.turns"))[2].partition(say("en", "keeper.why"))[0]
    return {sign: len(re.findall(rf"(?<![→?]){re.escape(sign)}(?!→)", turns)) for sign in ("✓", "✕", "?", "?→✓", "?→✕")}


def casino_state(request: Json, preset: str) -> dict[str, object] | None:
    """A deal as the address has it; None where a play was announced that nobody can tap."""
    turns = []
    for turn in request["turns"]:
        names = [play["build"] for play in turn["plays"] if "build" in play]
        names += [name for play in turn["plays"] for name in play.get("builds", [])]
        names += [play["base"]["build"] for play in turn["plays"] if "build" in play.get("base", {})]
        plays = [written(play, {name: name for name in names}) for play in turn["plays"]]
        if None in plays:
            return None
        turns.append("_".join(map(str, plays)))
    count = len(request["seats"])
    step = 1 if GAMES["casino"].options.preset(preset).options.direction == "clockwise" else -1
    return {"rules": preset, "n": count, "d": step % count, "t": ".".join(request["table"]), "p": "-".join(turns)}


@pytest.mark.parametrize("preset", ["swazi", "standard", "royal", "south_african"])
@pytest.mark.parametrize("players", [2, 3, 4])
def test_casino_deal_comes_to_the_result_of_its_replay(
    shared_client: Any, preset: str, players: int, thorough: bool
) -> None:
    """The first deal of three that can be tapped; in a long run all three."""
    tried = 0
    for seed in range(3):
        if tried and not thorough:
            break
        request, _ = random_deal(seed, preset, players)
        state = casino_state(request, preset)
        if state is None:
            continue
        expected = replay("casino", preset, request)
        said = ask(shared_client, "casino/deal", state)
        values = [one.verdict.value for one in expected["verdicts"]]
        shown = signs(said)
        if values.count("illegal") != shown["✕"]:
            continue  # a play that was announced in other sets than a tap makes of it
        tried += 1
        assert said.bar.strip().startswith(say("en", "referee.deal-over"))
        found = facts(shared_client, "casino/deal", state)
        assert list(found.values()) == list(expected["result"].values())
        assert shown["✓"] == values.count("legal")
        settled = [one.settled for one in expected["verdicts"] if one.verdict.value == "undecided"]
        assert (shown["?→✓"], shown["?→✕"]) == (settled.count("legal"), settled.count("illegal"))
        assert len(said.address) < REQUEST_LINE
    assert tried >= 1


def test_casino_deal_is_tapped_turn_by_turn(shared_client: Any) -> None:
    path, client = "casino/deal", shared_client
    said = ask(client, path, {}, "tap:4D", "tap:5C", "tap:KH")
    assert said.bar.strip() == "Tap the first 4 cards of the table: 3 so far."
    said = ask(client, path, dict(said.hidden), "tap:8S", "tap:KS", "mark:KH")
    assert (said.value, said.bar.strip()) == ("legal", "The turn is allowed.")
    said = ask(client, path, dict(said.hidden), "done")
    assert (said.hidden["p"], said.bar.strip()) == ("c*KS*KH", "North plays.")
    said = ask(client, path, dict(said.hidden), "tap:KC", "mark:4D")
    assert said.value == "illegal"
    said = ask(client, path, dict(said.hidden), "back")
    assert said.hidden["p"] == "c*KS*KH"
    assert "q" not in said.hidden
    again = ask(client, path, dict(said.hidden), "back")
    assert again.hidden == {"t": "4D.5C.KH.8S"}
    assert ask(client, path, dict(again.hidden), "back").hidden == {"t": "4D.5C.KH"}


def test_casino_card_out_of_turn_is_judged(shared_client: Any) -> None:
    state = {"t": "4D.5C.KH.8S", "p": "t*2H"}
    said = ask(shared_client, "casino/deal", state, "who:0", "tap:3H", "done")
    assert said.hidden["p"] == "t*2H-0t*3H"
    assert said.value == "illegal"
    assert "first-player" in said.articles
    assert "Turn 2, South" in said.text


def test_build_nobody_could_take_is_found_when_the_hand_is_out(shared_client: Any) -> None:
    state = {"rules": "royal", "t": "4D.5C.9H.KS"}
    start = ask(shared_client, "casino/deal", state, "kind:b", "tap:4S", "mark:4D", "done")
    assert signs(start)["?"] == 1
    trails = [f"tap:{card}" for card in ("2H", "3H", "6H", "7D", "10D", "JC", "QC")]
    said = start
    for tap in trails:
        said = ask(shared_client, "casino/deal", dict(said.hidden), tap, "done")
    assert signs(said)["?→✕"] == 1
    assert said.value == "illegal"
    kept = ask(shared_client, "casino/deal", dict(start.hidden), "tap:2H", "done", "tap:8H", "named:N1", "done")
    assert signs(kept)["?→✓"] == 1


def letters(record: Json) -> str:
    """The moves of a record in the letters of an address."""
    return "".join(_letters(move) for turn in record["turns"] for move in turn["moves"])


def _letters(move: Json) -> str:
    rank = {key: _rank(move[key]) if move.get(key) else "-" for key in ("card", "turned")}
    kind, to = move["type"], "n" if move.get("to") == "new" else str(move.get("to"))
    if kind == "play" and move["to"] != "new":
        to = "0123456789ABCDEFGHIJKLM"[move["to"]]
    if kind == "discard":
        return f"s{rank['card']}{to}"
    if kind == "refill":
        return f"r{move['count']}"
    if kind == "recycle":
        return {"complete": "km", "incomplete": "lo"}[move["what"]][move["by"] == "player"]
    if kind == "redeal":
        return f"u{'ABCDEF'.index(move['first'])}"
    if kind != "play":
        return {"end_turn": "e", "claim_stalemate": "y"}[kind]
    source, stack = move["from"], move.get("stack") or 0
    return {
        "hand": f"{rank['card']}{to}",
        "payoff": f"p{rank['card']}{to}{rank['turned']}",
        "partner_payoff": f"f{rank['card']}{to}{rank['turned']}",
        "side": f"{'abcd'[stack]}{rank['card']}{to}",
        "partner_side": f"{'ghij'[stack]}{rank['card']}{to}",
    }[source]  # fmt: skip


def _rank(card: str) -> str:
    name = card.rstrip("SHDC") or card
    return LETTERS.get(name, name)


def spite_deals(preset: str) -> Iterator[tuple[Json, dict[str, object]]]:
    rules = GAMES["spite-and-malice"].options.preset(preset).options
    for seed in range(2):
        dealer = Dealer(rules, seed, idleness=0.1)
        record = dealer.play(80)
        told = {"rules": preset, "b": "y", "d": list(record["players"]).index(record["first"]), "m": letters(record)}
        for place, player in enumerate(record["players"]):
            told[f"p{place}"] = _rank(record["payoff_tops"][player]).replace("0", "10")
            cards = [card for stack in record["side_stacks"][player] for card in stack]
            told[f"l{place}"] = ".".join(_rank(card).replace("0", "10") for card in cards)
        yield record, told


@pytest.mark.parametrize("preset", ["blackwood", "massachusetts", "pagat", "partners4"])
def test_spite_deal_shows_the_verdicts_of_its_replay(shared_client: Any, preset: str) -> None:
    for record, state in spite_deals(preset):
        request = _seen(record)
        expected = replay("spite-and-malice", preset, request)
        said = ask(shared_client, "spite-and-malice/deal", state)
        assert len(list(parse_moves(str(state["m"]), record["players"]))) == len(expected["verdicts"]) - 1
        values = [one.verdict.value for one in expected["verdicts"][1:]]
        shown = signs(said)
        assert shown["✓"] == values.count("legal")
        assert shown["✕"] == values.count("illegal")
        assert len(said.address) < REQUEST_LINE
        found = facts(shared_client, "spite-and-malice/deal", state)
        assert (found is not None) == expected["complete"]
        if found is not None:
            assert list(found["remaining"].values()) == list(expected["result"]["remaining"].values())


def _seen(record: Json) -> Json:
    """A record without what the page is not told: hands, suits, the cards drawn."""
    bare = {key: record[key] for key in ("players", "first")}
    bare["payoff_tops"] = {name: _bare(card) for name, card in record["payoff_tops"].items()}
    bare["side_stacks"] = {name: [[_bare(c) for c in s] for s in own] for name, own in record["side_stacks"].items()}
    turns = []
    for turn in record["turns"]:
        moves = []
        for move in turn["moves"]:
            told = {key: value for key, value in move.items() if key not in ("cards", "hands", "seat", "payoff_tops")}
            moves.append(told | {key: _bare(told[key]) for key in ("card", "turned") if told.get(key)})
        turns.append({"moves": moves})
    return {**bare, "turns": turns}


def _bare(card: str) -> str:
    return _rank(card).replace("0", "10")


def test_spite_deal_is_tapped_move_by_move(shared_client: Any) -> None:
    path, client = "spite-and-malice/deal", shared_client
    said = ask(client, path, {}, "tap:2", "tap:9")
    assert (said.hidden["p0"], said.hidden["p1"]) == ("2", "9")
    assert said.bar.strip() == "North plays."
    said = ask(client, path, dict(said.hidden), "who:0", "who:1", "tap:A", "onto:n")
    assert said.hidden["m"] == "An"
    said = ask(client, path, dict(said.hidden), "from:p", "onto:0")
    assert "odd" in client.get(address(path, {**said.hidden, "q": "p"})).text or said.hidden.get("g") == "0"
    said = ask(client, path, dict(said.hidden), "back", "back", "tap:2", "onto:0", "tap:5", "onto:N")
    assert said.hidden["m"] == "An20s5n"
    assert said.bar.strip() == "South plays."
    said = ask(client, path, dict(said.hidden), "from:p", "onto:n")
    assert said.bar.strip() == "Which card was turned up?"
    said = ask(client, path, dict(said.hidden), "tap:K")
    assert said.hidden["m"].endswith("p2nK")
    assert said.value == "illegal"
    assert "pile" in said.text
    assert ask(client, path, dict(said.hidden), "back").hidden["m"] == "An20s5n"


def test_spite_draw_is_counted_and_can_be_told_otherwise(shared_client: Any) -> None:
    path, state = "spite-and-malice/deal", {"p0": "9", "p1": "K", "m": "AnAns5ne"}
    said = ask(shared_client, path, state)
    assert said.bar.strip() == "North plays."
    assert "draw:3" in said.pressed
    drawn = ask(shared_client, path, state, "tap:3", "onto:N")
    assert drawn.hidden["m"] == "AnAns5ner3s3n"
    assert drawn.value == ""
    none = ask(shared_client, path, state, "draw:0", "tap:3", "onto:N")
    assert none.hidden["m"] == "AnAns5nes3n"
    assert none.value == "illegal"
    assert "refill" in none.articles


def test_spite_move_out_of_turn_is_judged(shared_client: Any) -> None:
    state = {"p0": "2", "p1": "9", "m": "An"}
    said = ask(shared_client, "spite-and-malice/deal", state, "who:0", "tap:A", "onto:n")
    assert said.hidden["m"] == "An_0An"
    assert (said.value, "turn-order" in said.articles) == ("illegal", True)


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize(
    ("path", "state", "act"),
    [
        ("spite-and-malice/deal", {"p0": "2", "p1": "9", "m": "e" + "An" * 985}, ("tap:A", "onto:n") * 10),
        ("casino/deal", {"t": "4D.5C.KH.8S", "u": "_".join(["b*" + ".".join(["2S"] * 90)] * 12)}, ("add", "back")),
        ("spades/card", {"h": "." * 9_000}, ("tap:7H",)),
    ],
)
def test_an_address_never_grows_too_long(
    shared_client: Any, lang: str, path: str, state: dict[str, object], act: tuple[str, ...]
) -> None:
    said = ask(shared_client, path, state, *act, lang=lang)
    assert len(said.address) < REQUEST_LINE - 100
    if path != "casino/deal":
        assert say(lang, "referee.too-long") in said.text


SEATS = ("A", "B", "C", "D")


@pytest.mark.parametrize("case", published("spades_replay"), ids=lambda case: case["id"])
def test_spades_page_finds_what_the_published_replays_find(shared_client: Any, case: Json) -> None:
    request, expected = case["request"], case["expect"]["body"]
    rules = GAMES["spades"].options.read(Node(request["rules"]))
    state: dict[str, object] = {
        "rules": GAMES["spades"].options.code(rules),
        "d": SEATS.index(request["dealer"]),
        "c": ".".join(str(call["call"]) for call in request.get("calls", [])) or "-",
        "p": ".".join(f"{play['card']}-{SEATS.index(play['seat'])}" for play in request["plays"]),
    }
    page = shared_client.get(address("spades/deal", state)).text
    said = read(page)
    findings = page.partition(say("en", "referee.findings"))[2].partition("</ul>")[0]
    names = dict(zip(SEATS, ("North", "East", "South", "West"), strict=True))
    assert findings.count('<li class="breach"') == len(expected["findings"])
    for finding in expected["findings"]:
        revoked = f" revoked in trick {finding['trick']}" if "trick" in finding else ""
        assert f"{names[finding['seat']]}{revoked}" in findings
    over = len(request["plays"]) == 52
    assert said.value == ("illegal" if expected["findings"] else "legal" if over else "")
    winners = re.findall(r"<td>(\w+)</td></tr>", page)[::-1]
    if "tricks" in expected:
        assert winners == [names[trick["winner"]] for trick in expected["tricks"]]


def test_spades_card_out_of_turn_is_recorded_and_judged(shared_client: Any) -> None:
    said = ask(shared_client, "spades/deal", {"c": "-", "p": "9H"}, "who:2", "tap:KH")
    assert said.hidden["p"] == "9H.KH-2"
    assert (said.value, "opening-lead" in said.articles) == ("illegal", True)
    assert said.bar.strip() == "East plays. 1 violation found."
    rest = ask(shared_client, "spades/deal", dict(said.hidden), "tap:2H", "tap:3H")
    assert rest.hidden["p"] == "9H.KH-2.2H.3H"
    assert rest.bar.strip() == "South plays. 1 violation found."
    assert ask(shared_client, "spades/deal", dict(said.hidden), "back").hidden["p"] == "9H"


def test_spades_call_out_of_turn_is_judged(shared_client: Any) -> None:
    said = ask(shared_client, "spades/call", {"c": "4"}, "who:2", "call:5")
    assert said.hidden["c"] == "4.5*2"
    assert (said.value, said.articles[0]) == ("illegal", "bid-in-turn")
    assert "call:3" in ask(shared_client, "spades/call", dict(said.hidden), "call:3").buttons
    code = "classic~bm-consultation"
    said = ask(shared_client, "spades/call", {"rules": code}, "who:1", "call:5")
    assert (said.value, said.articles[0]) == ("illegal", "consultation")


def test_exchange_by_what_was_called(shared_client: Any) -> None:
    path = "spades/exchange"
    said = ask(shared_client, path, {}, "called:double")
    assert (said.value, said.bar.strip()) == ("legal", "2 cards go each way.")
    assert ask(shared_client, path, dict(said.hidden), "give:2", "get:2").value == "legal"
    uneven = ask(shared_client, path, dict(said.hidden), "give:2", "get:1")
    assert (uneven.value, uneven.articles) == ("illegal", ["exchange-count"])
    assert ask(shared_client, path, {}, "called:nil").bar.strip() == "No cards are exchanged."
    late = ask(shared_client, path, dict(said.hidden), "when:led")
    assert (late.value, late.articles) == ("illegal", ["exchange"])
    assert ask(shared_client, path, dict(said.hidden), "when:calls").value == "illegal"
    assert ask(shared_client, path, {"rules": "solo4"}).value == "illegal"
    for code in ("classic~bm-consultation", "classic~sr"):
        if shared_client.get(address(path, {"rules": code})).status_code == 200:
            assert ask(shared_client, path, {"rules": code}, "called:double").value == "legal"


def opened(client: Any, game: str, names: list[str], rules: Json) -> str:
    """A new sheet that this device keeps."""
    made = client.post("/api/v1/sheets", json={"seats": names, "game": game, "rules": rules, "dealer": "A"})
    assert made.status_code == 201, made.text
    keep_sheet(client, made.json)
    return str(made.json["id"])


def carried(client: Any, path: str, state: dict[str, object]) -> str:
    """The sheet's page to which the finished deal leads."""
    page = client.get(address(path, state)).text
    link = re.search(r'<a class="button strong" href="([^"]+)"', page)
    assert link, page
    answer = client.get(unescape(link[1]).partition("#")[0])
    assert answer.status_code == 200
    return str(answer.text)


def test_casino_deal_is_carried_to_its_sheet(client: Any) -> None:
    sheet = opened(client, "casino", ["Aki", "Ben"], {"preset": "royal"})
    state: dict[str, object] = {}
    for seed in range(4):
        request, _ = random_deal(seed, "royal", 2)
        state = casino_state(request, "royal") or {}
        if state:
            break
    del state["d"], state["n"]
    state["sheet"] = sheet
    page = carried(client, "casino/deal", state)
    found = facts(client, "casino/deal", state)
    assert sorted(found) == ["Aki", "Ben"]
    captured = [len(one["captured"]) for one in found.values()]
    assert sum(captured) == 52
    assert f"({captured[0]})" in page


def test_spite_deal_is_carried_to_its_sheet(client: Any) -> None:
    sheet = opened(client, "spite-and-malice", ["Aki", "Ben"], {"options": {"payoff_size": 5}})
    state = {"sheet": sheet, "p0": "A", "p1": "K", "d": 0, "m": "pAn2p203p304p405p50-"}
    said = ask(client, "spite-and-malice/deal", state)
    assert "The deal is over." in said.bar
    assert facts(client, "spite-and-malice/deal", state) == {"winner": "Aki", "remaining": {"Ben": 5}}
    page = client.get(address("spite-and-malice/deal", state)).text
    assert f"/en/sheets/{sheet}?w=0&amp;rB=5#entry" in page
    assert "Ben" in carried(client, "spite-and-malice/deal", state)

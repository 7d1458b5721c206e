"""What is legal at a table is accepted by its score sheet, call by call, and counts there what it counts elsewhere."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from random import Random
from typing import Any

import pytest

from companion import library as companion
from companion.engine.problems import Refused
from companion.sheets.service import SheetService
from companion.sheets.store import open_store
from tests.pairs.arrays import array, request
from tests.pairs.test_oracles import SCORED
from tests.pairs.walks import WALKS, Json

PARTS = 6
"""Tests that share the tables of a game; a short run takes one of them."""


@pytest.mark.by_turns
@pytest.mark.parametrize("part", range(PARTS))
@pytest.mark.parametrize("game", WALKS)
def test_a_sheet_counts_as_the_oracle_does(game: str, part: int, soak_round: int, thorough: bool, soaked: Any) -> None:
    service, wrong, kept = SheetService(open_store("memory:")), [], 0
    for number, values in enumerate(array(game, soak_round, triples=thorough).tables[part::PARTS]):
        rules, rng = request(game, values), Random(f"sheet {game} {soak_round} {part} {number}")
        asked, expected, (over, won, _) = SCORED[game](rng, rules["options"])
        with suppress(companion.InvalidInput):
            companion.score(game, {"rules": rules, **asked})
            try:
                got = _kept(service, game, rules, asked)
            except Refused as refused:
                wrong.append(f"a sheet refuses {asked}: {refused}\n    {companion.rules(game, rules)['code']}")
                continue
            kept += len(expected)
            if got != (expected, over, won):
                wrong.append(f"a sheet gives {got} for {asked}\n    {companion.rules(game, rules)['code']}")
    soaked(deals=kept)
    assert not wrong, "\n".join(wrong[:5])
    assert kept


def _kept(service: SheetService, game: str, rules: Json, asked: Json) -> tuple[list[Json], bool, list[str]]:
    """What a sheet makes of the deals of a score request: each deal by sides, and how the game stands."""
    ids = [side if isinstance(side, str) else side["id"] for side in asked["sides"]]
    players = [player for side in asked["sides"] for player in ([] if isinstance(side, str) else side["players"])]
    seats = sorted(players) or [
        *"ABCDEF"[: {"partners4": 4, "partners6": 6}.get(rules["options"].get("mode"), len(ids))]
    ]
    opening: Json = {"seats": [f"N{seat}" for seat in seats], "game": game, "rules": rules}
    if game == "casino" and len(ids) == 4:
        opening["sides"] = [{"id": seat, "players": [seat]} for seat in seats]
    sheet = service.open_sheet(opening | {"opening": {}}).id
    names = dict(zip(ids, (side.id for side in service.read(sheet).sheet.games[0].sides), strict=True))
    if "opening" in asked:
        opening["opening"] = {names[side]: value for side, value in asked["opening"].items()}
        sheet = service.open_sheet(opening).id
    for facts in asked["deals"]:
        renamed = {names.get(key, key): value for key, value in facts.items()}
        if facts.get("winner"):
            renamed["winner"] = names[facts["winner"]]
        service.do(sheet, {"type": "record_deal", "facts": _seated(renamed, rules)})
    back = {name: side for side, name in names.items()}
    ledger = service.read(sheet).ledger
    deals = [
        {
            back[name]: (
                sum(line.points for line in one.lines), one.standing.total, one.standing.tallies.get("bags", 0)
            )
            for name, one in deal.sides.items()
        }
        for deal in ledger.deals
    ]  # fmt: skip
    return deals, ledger.outcome.over, [back[name] for name in ledger.outcome.winners]


def _seated(facts: Json, rules: Json) -> Json:
    """The facts of a deal with a player for each nil, as sheets have them."""
    if rules["options"].get("mode") is None:
        return facts
    for name, side in facts.items():
        for seat, nil in zip(name.split("+"), side.get("nils", ()) if isinstance(side, dict) else (), strict=False):
            nil["player"] = seat
    return facts


@pytest.mark.by_turns
@pytest.mark.parametrize("part", range(PARTS))
def test_a_sheet_takes_the_calls_of_a_deal(part: int, soak_round: int, thorough: bool, soaked: Any) -> None:
    """Calls that are legal at the table settle on the sheet what they settle in a replay, and the deal is recorded."""
    service, wrong, kept = SheetService(open_store("memory:")), [], 0
    for number, values in enumerate(array("spades", soak_round, triples=thorough).tables[part::PARTS]):
        rules, rng = request("spades", values), Random(f"calls {soak_round} {part} {number}")
        record = _played(rules, rng)
        if record is None or rules["options"]["first_hand_bids_itself"]:
            continue
        answer = companion.replay("spades", {"rules": rules, **record})
        if not answer["complete"]:
            continue
        bids = sum(side["bid"] or 0 for name, side in answer["result"].items() if "+" in name)
        if bids < (rules["options"]["least_total"] or 0):
            continue  # the hands are thrown in
        seats = [seat for seat in record["seats"] if seat != "dummy"]
        opening = {side: {"total": total} for side, total in record["totals"].items()}
        begun = {"seats": sorted(f"N{seat}" for seat in seats), "game": "spades", "rules": rules}
        try:
            sheet = service.open_sheet(begun | {"dealer": record["dealer"], "opening": opening}).id
            for call in record["calls"]:
                service.do(sheet, {"type": "make_call", "call": call})
            ledger = service.do(sheet, {"type": "record_deal", "facts": answer["result"]}).view.ledger
        except Refused as refused:
            wrong.append(f"a sheet refuses a legal deal: {refused} in {record}\n    {rules}")
            continue
        asked = {"sides": answer["sides"], "opening": opening, "deals": [answer["result"]]}
        scored = companion.score("spades", {"rules": rules, **asked})["deals"][0]["sides"]
        got = {name: one.standing.total for name, one in ledger.deals[0].sides.items()}
        kept += 1
        if got != {name: one["total"] for name, one in scored.items()}:
            wrong.append(f"a sheet gives {got} for {asked}\n    {companion.rules('spades', rules)['code']}")
    soaked(deals=kept)
    assert not wrong, "\n".join(wrong[:5])
    assert kept > 3


def _played(rules: Json, rng: Random) -> Json | None:
    """A deal as the oracle allows it; None where nobody can begin."""
    walk = WALKS["spades"](rules["options"], rules, rng)
    step = next(walk)
    try:
        while True:
            legal: Sequence[Json] = [move for move in step.candidates if step.judge(move)]
            unsure = [] if legal else [move for move in step.candidates if step.judge(move) is None]
            judged = [m for m in unsure if _verdict(rules, step.position, m) == "legal"]
            step = walk.send([*legal, *judged])
    except StopIteration as end:
        return dict(end.value)


def _verdict(rules: Json, position: Json, move: Json) -> str:
    return companion.judge("spades", {"rules": rules, "position": position, "move": move}).value

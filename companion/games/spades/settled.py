"""What the calls of a deal settle of its facts before a card is played: contracts, blind calls and moons, nils."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from companion.engine.ledger import Side
from companion.engine.reading import Node
from companion.games.spades.bids import Bids
from companion.games.spades.options import SpadesRules
from companion.games.spades.position import Table, read_calls


def settle_calls(node: Node, rules: SpadesRules, sides: Sequence[Side]) -> Mapping[str, Any]:
    """The facts that the calls so far settle, by side; what is still to be counted (tricks) is left out."""
    seats = tuple(side.players[place] for place in range(len(sides[0].players)) for side in sides)
    table = Table(rules, seats, None)
    bids = Bids(table, read_calls(node, table))
    facts = {}
    for side in sides:
        own = table.side(side.players[0])
        entry: dict[str, Any] = {}
        if (bid := bids.contract(own)) is not None:
            entry["bid"] = bid
        if (wide := bids.side_wide(own)) is not None:
            entry["call"] = wide.word
        if nils := [{"player": call.seat, "call": call.word} for call in bids.nils(own) if call.seat]:
            entry["nils"] = nils
        facts[side.id] = entry
    return facts

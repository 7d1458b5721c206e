"""What is counted for players of Spades: contracts, overtricks and nils."""

from __future__ import annotations

from typing import Final

from companion.engine.played import Measure, MeasuredDeal
from companion.games.spades.checks import bids_itself
from companion.games.spades.score import Result, result_of


def _result(deal: MeasuredDeal) -> Result:
    first = bids_itself(deal.rules, deal.before.scored, carried_over=deal.before.carried_over)
    return result_of(deal.rules, deal.facts.sides[deal.side], first_hand=first)


def _contract(deal: MeasuredDeal) -> tuple[int, int] | None:
    result = _result(deal)
    return None if result.bid is None else (int(result.made), 1)


def _exact(deal: MeasuredDeal) -> tuple[int, int] | None:
    result = _result(deal)
    return None if result.bid is None else (int(result.made and result.exact), 1)


def _off(deal: MeasuredDeal) -> tuple[int, int] | None:
    result = _result(deal)
    return None if result.bid is None else (abs(result.taken - result.bid), 1)


def _set(deal: MeasuredDeal) -> tuple[int, int]:
    result = _result(deal)
    return int(result.bid is not None and not result.made), 1


def _bags(deal: MeasuredDeal) -> tuple[int, int] | None:
    return (_result(deal).bags, 1) if deal.rules.counts_bags else None


def _nil(deal: MeasuredDeal) -> tuple[int, int] | None:
    nils = [nil for nil in deal.facts.sides[deal.side].nils if nil.player == deal.seat]
    return (sum(nil.made for nil in nils), len(nils)) if nils else None


MEASURES: Final = (
    Measure("contract", _contract),
    Measure("exact", _exact),
    Measure("off", _off, share=False),
    Measure("set", _set, share=False),
    Measure("bags", _bags, share=False),
    Measure("nil", _nil),
)
"""Contracts are those of the side, whoever of it has bid; nils are the player's own."""

"""Short ways to write deals of Spades and what is asked of a sheet."""

from __future__ import annotations

from typing import Any

NS, EW = "A+C", "B+D"


def deal(bid: int, tricks: int, other_bid: int, **more: Any) -> dict[str, Any]:
    """The facts of a deal in which one side took these tricks and the other the rest of thirteen."""
    return {NS: {"bid": bid, "tricks": tricks}, EW: {"bid": other_bid, "tricks": 13 - tricks}, **more}


def record(*facts: Any, **more: Any) -> dict[str, Any]:
    """The command that records a deal."""
    return {"type": "record_deal", "facts": deal(*facts), **more}


def correct(number: int, *facts: Any, **more: Any) -> dict[str, Any]:
    """The command that corrects a deal."""
    return {"type": "correct_deal", "deal": number, "facts": deal(*facts), **more}


def call(seat: str, word: Any) -> dict[str, Any]:
    """The command that writes down a call."""
    return {"type": "make_call", "call": {"seat": seat, "call": word}}

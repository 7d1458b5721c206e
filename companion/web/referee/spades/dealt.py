"""Was it dealt right? Cards of each hand, and whose deal it is."""

from __future__ import annotations

from collections.abc import Mapping

from companion.engine.verdict import Verdict
from companion.web.referee.asking import Asking, Question
from companion.web.referee.dealing import COUNTS, Dealt, Turning, acted, dealt_page
from companion.web.referee.shown import Page
from companion.web.referee.spades.table import judged, seat_name, table_of
from companion.web.referee.state import State


def act(asking: Asking, verb: str, word: str) -> State:
    """The last dealer, and who deals now."""
    return acted(asking, verb, word).state


def page(asking: Asking) -> Page:
    """The hands against the deal of the table."""
    now = asking.state.number("d", high=5)
    table = table_of(asking, -1 if now is None else now)
    position: dict[str, object] = {"phase": "bidding", "seats": list(table.seats), "dealer": table.dealer}

    def verdict(counts: Mapping[int, int]) -> Verdict:
        told = {seat: counts.get(place, 0) for place, seat in enumerate(table.seats)}
        return judged(asking, position, {"type": "deal", "counts": told})

    def deals(last: str, seat: str) -> Verdict:
        before: dict[str, object] = {"phase": "bidding", "seats": list(table.seats), "previous_dealer": last}
        return judged(asking, before, {"type": "dealer", "seat": seat})

    expected = {
        table.seats.index(breach.facts["seat"]): int(breach.facts["expected"]) for breach in verdict({}).breaches
    }
    labels = [asking.say("cards-of", name=seat_name(asking, seat)) for seat in table.seats]
    whole = Dealt(labels, lambda counts: verdict({**expected, **counts}), expected)
    return dealt_page(asking, whole, Turning([seat for seat in table.seats if seat in table.bidders], deals))


QUESTION = Question(("b", "d", *COUNTS), act, page)

"""Who sits at the table in the referee's questions of Spite and Malice."""

from __future__ import annotations

from companion.games.spite_and_malice.options import SpiteRules
from companion.web.referee.asking import Asking


def players_of(asking: Asking) -> tuple[str, ...]:
    """The players in the order of play, the one who asks first."""
    rules: SpiteRules = asking.rules
    if len(asking.names) == rules.players:
        return asking.seats(rules.players)
    names = asking.with_names(()).seats(max(rules.players, 4))
    order = {2: (2, 0), 4: (2, 3, 0, 1)}.get(rules.players, range(rules.players))
    return tuple(names[place] for place in order)

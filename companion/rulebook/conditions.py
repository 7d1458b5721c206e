"""Words of a page that stand only where it is played: `{if nil}...{/if}`, or an item of a list or a row of a
table that begins with `{if nil}`.

A condition is one or several terms with commas between them, all of which have to hold; `not ` turns a term round. A
term is an article that is played, an option that has a value (`mode=solo4`) or any but none and nought (`sweep`), or
`book`, which holds on the pages of the book and not where one table's rules are shown.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from companion.engine.game import Game
from companion.engine.options import HouseRules

_CONDITION = re.compile(r"\{if ([a-z0-9_=, -]+)\}", re.IGNORECASE)
_PHRASE = re.compile("\x04if ([^\x05]*)\x05([^\x04]*)\x04/if\x05")
_WHOLE = re.compile("(<li>|<tr>\n<td>)\x04if ([^\x05]*)\x05(.*?)(</li>|</tr>)\n?", re.DOTALL)


def keep_played(html: str, holds: Callable[[str], bool]) -> str:
    """HTML without what stands under a condition that does not hold."""

    def held(condition: str) -> bool:
        return all(holds(term.removeprefix("not ")) != term.startswith("not ") for term in _terms(condition))

    html = _PHRASE.sub(lambda phrase: phrase[2] if held(phrase[1]) else "", html)
    return _WHOLE.sub(lambda whole: f"{whole[1]}{whole[3]}{whole[4]}\n" if held(whole[2]) else "", html)


def holds(game: Game, rules: HouseRules[Any], whole: bool, term: str) -> bool:
    """Whether a term holds under house rules; `whole` on the pages of the book. Raises KeyError for an unknown term."""
    if term == "book":
        return whole
    article = f"{game.id}.{term}"
    if article in game.articles:
        return game.articles[article].played(rules.options)
    name, _, wanted = term.partition("=")
    value = game.options.plain(rules.options)[name]
    return str(value) == wanted if wanted else bool(value)


def conditions(source: str) -> list[list[str]]:
    """The conditions of a page's Markdown in their order, each as its terms."""
    return [_terms(found[1]) for found in _CONDITION.finditer(source)]


def _terms(condition: str) -> list[str]:
    return [term.strip() for term in condition.split(",")]

"""What somebody else wrote while this phone was counting: said at once, and nothing that was counted here is lost."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from companion.rulebook.book import say
from companion.sheets.scoring import View
from companion.sheets.state import SheetGame
from companion.web.keeper.entry import TAG, Answers, answers_in, entries


@dataclass(frozen=True, slots=True)
class Meanwhile:
    """What to say, and where this phone's counts can be laid beside what stands on the sheet."""

    text: str
    url: str = ""


def tag_of(game: SheetGame) -> str:
    """The open deal as counts name it: `2.7` is the seventh deal of the second game."""
    return f"{game.number}.{game.open.number}"


def belongs(game: SheetGame, answers: Answers) -> bool:
    """Whether the answers were given for the deal that is still open."""
    return answers.get(TAG) in (None, tag_of(game))


def meanwhile(view: View, answers: Answers, lang: str) -> Meanwhile:
    """What to tell somebody who wrote on a sheet as it no longer stands."""
    game = view.game
    number = _deal_meant(game, answers) if game else None
    counts = {name: item for name, item in answers_in(answers).items() if name not in ("ask", "change")}
    counts = {} if counts.keys() == {"by"} else counts  # a way to count, and nothing counted yet
    if game is not None and counts and belongs(game, answers):
        return Meanwhile(say(lang, "keeper.stale-kept"))
    if game is None or number is None or not counts:
        return Meanwhile(say(lang, "keeper.stale"))
    facts = entries()[game.game].correction(view, game, number, counts, lang).facts
    if facts is not None and _counted(facts) == _counted(game.deal(number).facts):
        return Meanwhile(say(lang, "keeper.stale-same", number=number))
    url = f"/{lang}/sheets/{view.id}/deals/{number}/correct?{urlencode(counts)}"
    return Meanwhile(say(lang, "keeper.stale-deal", number=number), url)


def _deal_meant(game: SheetGame, answers: Answers) -> int | None:
    """The recorded deal to which the answers belong, if it is one of the running game that counts."""
    match answers.get(TAG, "").split("."):
        case [first, second] if first == str(game.number) and second.isascii() and second.isdigit():
            number = int(second[:6])
            return number if 1 <= number <= len(game.deals) and not game.deal(number).void else None
    return None


def _counted(facts: Mapping[str, Any]) -> dict[str, Any]:
    """The facts without what a keeper adds beside the counts."""
    return {key: item for key, item in facts.items() if key not in ("accept", "adjustments")}

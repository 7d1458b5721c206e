"""The result of a followed deal: scored as a sheet would score it, and carried to the sheet that asked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import urlencode

from companion.engine.game import score
from companion.engine.problems import Refused
from companion.rulebook.answers import score_answer
from companion.rulebook.book import article_title, article_url
from companion.rulebook.wording import signed_text
from companion.web.referee.asking import Asking
from companion.web.referee.faces import reason
from companion.web.referee.shown import Reason


def score_lines(asking: Asking, sides: Sequence[Mapping[str, Any]], result: Mapping[str, Any]) -> tuple[Reason, ...]:
    """Every line that the deal scores, with its article; where it cannot be scored, why."""
    request = {"rules": asking.spoken_rules, "sides": list(sides), "deals": [result]}
    try:
        _, ledger = score(asking.game, request)
    except Refused as refused:
        return tuple(reason(asking, problem) for problem in refused.problems)
    scored = score_answer(asking.game, ledger, asking.lang)["deals"][0]["sides"]
    lines = []
    for side in sides:
        name = " & ".join(side["players"])
        for line in scored[side["id"]]["lines"]:
            text = f"{name} {signed_text(line['points'])}: {line['text']}"
            url = article_url(asking.lang, line["article"])
            lines.append(Reason(text, article_title(asking.lang, line["article"]), url))
    return tuple(lines)


def to_sheet(asking: Asking, answers: Mapping[str, object]) -> tuple[str, str] | None:
    """The way to the sheet with these answers filled in, where the question came from one."""
    sheet = asking.state.get("sheet")
    if not sheet or not answers:
        return None
    return f"/{asking.lang}/sheets/{sheet}?{urlencode(answers, safe='.+')}#entry", asking.say("to-sheet")

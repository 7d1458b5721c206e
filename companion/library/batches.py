"""Many requests, one a line: each is answered alone, with its number and the id that it carries."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Final

from companion.engine.game import Game
from companion.engine.problems import Refused
from companion.engine.shapes import Text, read
from companion.library.asking import Answering
from companion.library.json_text import json_value
from companion.library.problem_documents import Members, problem_document, refusal_document


def answer_line(
    game: Game,
    line: bytes | None,
    number: int,
    lang: str,
    answering: Answering,
    parse: Callable[[bytes], object] = json_value,
) -> dict[str, object]:
    """Return the answer to a line, or its problem document; None stands for a line that was too long.

    `parse` reads JSON; it raises JSONDecodeError or Refused.
    """
    named: Members = {"line": number}
    if line is None:
        return problem_document("too-large", lang, **named)
    try:
        request = parse(line.rstrip(b"\r\n"))  # what is cut off ends on this line, not on the next
        if isinstance(request, dict) and "id" in request:
            named["id"] = read(_LINE_ID, request.pop("id"), ("id",))
        return {**named, **answering(game, request, lang)}
    except json.JSONDecodeError as fault:
        named["column"] = fault.colno
        return problem_document("malformed-json", lang, **named)
    except Refused as refused:
        return refusal_document(game, refused.problems, lang, **named)


_LINE_ID: Final = Text("What the client calls the line.", most=100)

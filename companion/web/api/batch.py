"""Many games at once: one score request a line, one answer a line, in a stream that holds few of them at a time."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import IO

import orjson
from flask import Response, current_app, request
from werkzeug.exceptions import HTTPException

from companion.engine.game import Game, score
from companion.engine.problems import Refused
from companion.rulebook.answers import score_answer
from companion.web.api import examples
from companion.web.api.operations import NDJSON, blueprint, operation
from companion.web.api.problems import Declined, problem_document, refusal_document
from companion.web.api.reading import json_value
from companion.web.language import current_language

LINE_LIMIT = 64 * 1024
IN_MEMORY = 1024 * 1024
"""A body up to this size is not written to the disk."""
LINES_A_CHUNK = 20
"""Answers sent together: enough to spare the server, few enough not to keep anybody waiting."""

batches = blueprint("batches", "Many games in one request.")


@operation(
    batches,
    "/games/<game:game>/score/batch",
    takes={"description": "One score request a line."},
    gives={"type": "string", "description": "One ledger or problem document a line, in the same order."},
    examples=examples.BATCH,
    media=NDJSON,
)
def score_batch(game: Game) -> Response:
    """One score request a line, one answer a line in the same order; a bad line fails alone, with its number.

    Empty lines are passed over.
    """
    if request.mimetype != NDJSON:
        raise Declined("unsupported-media-type")
    request.max_content_length = current_app.config["BATCH_CONTENT_LENGTH"]
    received, lang = _receive(request.stream), current_language()

    def chunks() -> Iterator[bytes]:
        with received:
            answers = answer_lines(game, bounded_lines(received), lang)
            while chunk := b"".join(islice(answers, LINES_A_CHUNK)):
                yield chunk

    return Response(chunks(), mimetype=NDJSON)


def answer_lines(game: Game, lines: Iterable[bytes | None], lang: str) -> Iterator[bytes]:
    """The answer to each line; None stands for one that was too long."""
    for number, line in enumerate(lines, start=1):
        if line is not None and not line.strip():
            continue
        yield orjson.dumps(_answer(game, line, lang, number), option=orjson.OPT_APPEND_NEWLINE)


def bounded_lines(stream: IO[bytes]) -> Iterator[bytes | None]:
    """The lines of a stream; None for a line longer than the limit, whose rest is passed over unread."""
    while line := stream.readline(LINE_LIMIT + 1):
        if len(line) <= LINE_LIMIT:
            yield line
            continue
        while line and not line.endswith(b"\n"):
            line = stream.readline(LINE_LIMIT)
        yield None


def _receive(stream: IO[bytes]) -> IO[bytes]:
    """The whole body, on the disk where it is large.

    Answers wait for it: many clients send everything before they read anything, and would wait for ever on a server
    that waits for them.
    """
    received = tempfile.SpooledTemporaryFile(IN_MEMORY)  # noqa: SIM115  # closed with the last answer
    try:
        shutil.copyfileobj(stream, received)
    except HTTPException:
        received.close()
        raise
    received.seek(0)
    return received


def _answer(game: Game, line: bytes | None, lang: str, number: int) -> dict[str, object]:
    if line is None:
        return problem_document("too-large", lang, line=number)
    try:
        _, ledger = score(game, json_value(line))
    except orjson.JSONDecodeError:
        return problem_document("malformed-json", lang, line=number)
    except Refused as refused:
        return refusal_document(game, refused.problems, lang) | {"line": number}
    return score_answer(game, ledger, lang)

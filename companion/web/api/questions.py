"""The questions of a table: what is the score, is this allowed, what happened here; and many of them in a stream."""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from itertools import islice
from time import thread_time
from typing import IO, cast

import orjson
from flask import Response, current_app, request
from werkzeug.exceptions import HTTPException

from companion import describe as schemas
from companion.engine.game import Game
from companion.engine.problems import JsonObject, Refused
from companion.library import Answering, answer_check, answer_line, answer_score, answering, not_asked, verify_witness
from companion.rulebook.answers import Json, LedgerShape
from companion.web.api import examples
from companion.web.api.http import NDJSON, Declined, Operation, Tag, json_body, json_value, reply
from companion.web.http import REQUEST_ID, current_language, slot

questions = Tag("questions", "Scores, verdicts, moves and whole deals. Nothing is stored.")


@Operation(
    questions,
    "/games/<game:game>/score",
    takes=schemas.named("Score"), gives=LedgerShape, examples=examples.SCORE,
)  # fmt: skip
def _score_deals(game: Game) -> Response:
    """The ledger of a game: every deal with its lines, where the sides stand, the outcome."""
    return _ask(game, answer_score)


@Operation(
    questions,
    "/games/<game:game>/check",
    takes=schemas.named("Check"), gives=schemas.named("Verdict"), examples=examples.CHECK,
)  # fmt: skip
def _check_move(game: Game) -> Response:
    """The verdict on one move: legal, illegal, or undecided with what is missing."""
    return _ask(game, _checked)


def _checked(game: Game, value: object, lang: str) -> Json:
    """Return the verdict on one move; a witness that does not show it is logged, and the answer stays."""
    try:
        answer = answer_check(game, value, lang)
    except Refused as refused:
        if any(problem.witness for problem in refused.problems):
            _log_if_wrong(game, value, schemas.refusal_document(game, refused.problems, lang))
        raise
    if "witness" in answer:
        _log_if_wrong(game, value, answer)
    return answer


def _log_if_wrong(game: Game, value: object, answer: JsonObject) -> None:
    failed: Exception | None = None
    try:
        accepted = verify_witness(game.id, cast("JsonObject", value), answer)
    except Exception as fault:  # whatever fails in the checker, the verdict stands
        accepted, failed = False, fault
    if accepted is False:
        number = request.environ.get(REQUEST_ID)
        verdict = answer.get("verdict", "impossible")
        current_app.logger.error("refused witness: %s %s (request %s)", game.id, verdict, number, exc_info=failed)


@Operation(
    questions,
    "/games/<game:game>/moves",
    takes=schemas.named("Moves"), gives=schemas.named("MovesAnswer"), examples=examples.MOVES,
)  # fmt: skip
def list_moves(game: Game) -> Response:
    """What can be done in a position: legal and compulsory moves, or what a card can take."""
    return _ask(game, answering("moves"))


@Operation(
    questions,
    "/games/<game:game>/replay",
    takes=schemas.named("Replay"), gives=schemas.named("ReplayAnswer"), examples=examples.REPLAY,
    links={"score": {"operationId": "scoreDeals", "description": "`result` is one of its `deals`."}},
)  # fmt: skip
def _replay_deal(game: Game) -> Response:
    """A whole recorded deal: a verdict for each move, findings in retrospect, the result ready to be scored."""
    return _ask(game, answering("replay"))


def _add_extra(name: str) -> None:
    """Add the operation for a question that only some games answer; it is not found for the others."""

    def view(game: Game) -> Response:
        return _ask(game, answering(name))

    view.__name__ = f"ask_{name}"
    view.__doc__ = schemas.summary_of(name)
    declare = Operation(
        questions,
        f"/games/<game:game>/{name}",
        takes=schemas.named_for(name),
        gives=schemas.named_for(name, answer=True),
        examples=examples.of_operation(name),
    )
    declare(view)


def _ask(game: Game, answer: Answering) -> Response:
    """Return what a game answers to a question."""
    return reply(answer(game, json_body(), current_language()))


for _name in schemas.extra_questions():
    _add_extra(_name)


LINE_LIMIT = 64 * 1024
_IN_MEMORY = 1024 * 1024
"""Size in bytes up to which a body is kept in memory."""
MOST_LINES = 20_000
"""Lines of one batch."""
MOST_SECONDS = 60
"""CPU time for one batch; what has not been scored by then is answered with a problem."""
_LINES_A_CHUNK = 20
"""Lines between two looks at the CPU time, whose answers are sent together."""

batches = Tag("batches", "Many games in one request.")


@Operation(
    batches,
    "/games/<game:game>/score/batch",
    takes={"description": "One score request a line."},
    gives={"type": "string", "description": "One ledger or problem document a line, in the same order."},
    examples=examples.BATCH,
    media=NDJSON,
)
def score_batch(game: Game) -> Response:
    """One score request a line, one answer a line in the same order; a bad line fails alone.

    Every answer carries the number of its `line`, from 1; an empty line is answered like a bad one. A request may carry
    an `id`, a text of at most 100 characters, which is in its answer too.

    At most 20,000 lines of 64 KB, 64 MB in all; one batch of a client at a time.
    """
    return _stream(game, answer_score)


@Operation(
    batches,
    "/games/<game:game>/replay/batch",
    takes={"description": "One replay request a line."},
    gives={"type": "string", "description": "One answer or problem document a line, in the same order."},
    examples=examples.REPLAY_BATCH,
    media=NDJSON,
)
def replay_batch(game: Game) -> Response:
    """One recorded deal a line, one answer a line in the same order; lines are numbered and named as in a score batch.

    A thousand deals take some seconds; read the answers while they come.
    """
    if game.replay is None:
        raise not_asked(game, "replay")
    return _stream(game, answering("replay"))


def _stream(game: Game, answer: Answering) -> Response:
    if request.mimetype != NDJSON:
        raise Declined("unsupported-media-type")
    lang = current_language()
    with ExitStack() as stack:
        stack.enter_context(slot())
        received = stack.enter_context(_receive(request.stream))
        kept = stack.pop_all()

    def answers() -> Iterator[bytes]:
        with kept:
            yield from answer_lines(game, bounded_lines(received), lang, answer)

    response = Response(answers(), mimetype=NDJSON)
    response.call_on_close(kept.close)
    return response


def answer_lines(
    game: Game, lines: Iterable[bytes | None], lang: str, answer: Answering = answer_score
) -> Iterator[bytes]:
    """Yield the answers to lines, some at a time; None stands for one that was too long.

    What is not answered within `MOST_SECONDS` of CPU time is answered with a problem.
    """
    numbered, left = enumerate(lines, start=1), float(MOST_SECONDS)
    while chunk := list(islice(numbered, _LINES_A_CHUNK)):
        began, answers = thread_time(), []
        for number, line in chunk:
            if left <= 0:
                answered = schemas.problem_document("unavailable", lang, line=number)
            else:
                answered = answer_line(game, line, number, lang, answer, json_value)
            answers.append(orjson.dumps(answered, option=orjson.OPT_APPEND_NEWLINE))
        left -= thread_time() - began
        yield b"".join(answers)


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
    """The whole body, on the disk where it is large. Raises Declined if it has too many lines.

    Answers wait for it: many clients send everything before they read anything, and would wait for ever on a server
    that waits for them.
    """
    received = tempfile.SpooledTemporaryFile(_IN_MEMORY)  # noqa: SIM115  # closed with the last answer
    lines = 0
    try:
        while part := stream.read(LINE_LIMIT):
            lines += part.count(b"\n")
            if lines > MOST_LINES:
                raise Declined("too-large")
            received.write(part)
    except (HTTPException, Declined):
        received.close()
        raise
    received.seek(0)
    return received

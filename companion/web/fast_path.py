"""Answer plainly good score requests before Flask, which takes half of their time.

Whatever is unusual or wrong is left to Flask, which then works on it anew and words it. Hosts and limits are checked by
the functions that Flask's hooks call; headers, request ids and metrics come from middleware around both ways. The row
of `make bench` that needs it is "score requests a second of one core over HTTP, against FastAPI".
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from io import BytesIO

from flask import Flask

from companion.engine.game import Game
from companion.games import GAMES
from companion.library import answer_score
from companion.web.api.http import PREFIX, json_answer, json_value
from companion.web.http import Environ, count_request, is_own_host, negotiated_language
from companion.web.monitoring import ROUTE

MOST_SENT = 16 * 1024
"""Bytes of a body up to which a request may be worked on twice."""


def init_app(app: Flask) -> None:
    """Answer score requests in front of the application, behind the middleware that is added later."""
    paths = {f"{PREFIX}/games/{game.id}/score": game for game in GAMES.values()}
    inner: Callable[..., Iterable[bytes]] = app.wsgi_app

    def outer(environ: Environ, start_response: Callable[..., object]) -> Iterable[bytes]:
        answer = _answer(app, paths, environ)
        if answer is None:
            return inner(environ, start_response)
        environ[ROUTE] = f"{PREFIX}/games/<game:game>/score"
        body, headers = answer
        start_response("200 OK", headers)
        return [body]

    app.wsgi_app = outer  # type: ignore[method-assign]


def _answer(app: Flask, paths: Mapping[str, Game], environ: Environ) -> tuple[bytes, list[tuple[str, str]]] | None:
    """Return the body and the headers of a good answer, None if the request is for Flask."""
    game, length = paths.get(environ["PATH_INFO"]), environ.get("CONTENT_LENGTH", "")
    if (
        game is None
        or environ["REQUEST_METHOD"] != "POST"
        or environ.get("SCRIPT_NAME")
        or environ.get("QUERY_STRING")
        or environ.get("CONTENT_TYPE") != "application/json"
        or "HTTP_TRANSFER_ENCODING" in environ
        or "HTTP_CONTENT_ENCODING" in environ
        or not (length.isascii() and length.isdecimal() and len(length) < 6)
        or int(length) > min(MOST_SENT, app.config["MAX_CONTENT_LENGTH"])
    ):
        return None
    sent: bytes = environ["wsgi.input"].read(int(length))
    environ["wsgi.input"] = BytesIO(sent)
    try:
        if len(sent) < int(length) or not is_own_host(app, environ):
            return None
        count_request(app, environ)
        return json_answer(answer_score(game, json_value(sent), negotiated_language(environ)), environ)
    except Exception:  # whatever it is, Flask meets it too, and knows how to say it
        return None

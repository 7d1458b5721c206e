"""List, create and revoke links that open a sheet for others."""

from __future__ import annotations

from flask import Response

from companion.engine.shapes import read, write
from companion.web.api import sheet_examples as examples
from companion.web.api import sheet_schemas as schemas
from companion.web.api.operations import blueprint, operation, reply
from companion.web.api.reading import json_body
from companion.web.api.sheet_access import OPTIONAL_KEY, SECRET, guard, idempotency_seed, mark_replayed, may_score
from companion.web.api.sheet_answers import link_url
from companion.web.sheet_service import sheet_service

links = blueprint("links", "Who else may watch or score a sheet: links with secrets of their own, each revocable.")


@operation(links, "/sheets/<sheet:sheet>/links", gives=schemas.LinksShape, faults=(401, 403), more=SECRET)
def list_links(sheet: str) -> Response:
    """List the links of a sheet, revoked ones included, without their secrets. Requires a score secret."""
    may_score(sheet)
    return reply(write(schemas.LinksShape, sheet_service().links(sheet)))


@operation(
    links, "/sheets/<sheet:sheet>/links",
    takes=schemas.NEW_LINK, gives=schemas.NewLinkAnswerShape, examples=examples.LINK,
    conditions=(OPTIONAL_KEY,), faults=(401, 403), status=201, headers=("Idempotent-Replayed",), more=SECRET,
)  # fmt: skip
def create_link(sheet: str) -> Response:
    """Create a link with a label of its own. Its secret is shown only once. Requires a score secret."""
    may_score(sheet)
    return new_link(sheet)


@operation(
    links, "/sheets/<sheet:sheet>/links/<link>",
    gives=None, faults=(401, 403), method="DELETE", status=204, more=SECRET,
)  # fmt: skip
def revoke_link(sheet: str, link: str) -> Response:
    """Revoke a link; revoking it again changes nothing. Requires a score secret."""
    may_score(sheet)
    sheet_service().revoke_link(sheet, link)
    return Response(status=204)


def new_link(log: str, of: str = "") -> Response:
    """Make the link that the body asks for; `of` is where its pages are."""
    asked = read(schemas.NEW_LINK, json_body())
    seed = idempotency_seed("link", log)
    made = sheet_service().create_link(log, asked["scope"], asked["label"], seed=seed)
    url = link_url(made.link.scope, made.secret, of)
    return mark_replayed(reply(write(schemas.NewLinkAnswerShape, made, url), status=201), made.replayed)


guard(links)

"""Large answers are compressed as the client accepts it, small ones are not; each encoding has a tag of its own."""

from __future__ import annotations

import gzip
from typing import Any

import brotli
import pytest

from companion.web.http import LEAST
from tests.sheet_client import SheetClient, record, version_in

LARGE = ["/api/v1/openapi.json", "/api/v1/games/spades", "/api/v1/games/spades/book", "/api/v1/articles?q=nil"]


@pytest.mark.parametrize("path", LARGE)
def test_large_answers_are_compressed(shared_client: Any, path: str) -> None:
    plain = shared_client.get(path)
    assert len(plain.data) > LEAST
    assert "Content-Encoding" not in plain.headers
    for accepted, encoding, read in (
        ("br, gzip", "br", brotli.decompress),
        ("gzip, deflate", "gzip", gzip.decompress),
    ):
        answer = shared_client.get(path, headers={"Accept-Encoding": accepted})
        assert answer.headers["Content-Encoding"] == encoding
        assert "Accept-Encoding" in answer.headers["Vary"]
        assert read(answer.data) == plain.data
        assert len(answer.data) < len(plain.data) / 2
        if "ETag" in plain.headers:
            assert answer.headers["ETag"] != plain.headers["ETag"]
            again = shared_client.get(
                path, headers={"Accept-Encoding": accepted, "If-None-Match": answer.headers["ETag"]}
            )
            assert (again.status_code, again.data) == (304, b"")


def test_a_large_sheet_is_compressed_and_a_small_answer_is_not(client: Any) -> None:
    sheet = SheetClient(client)
    for _ in range(4):
        sheet.written(record(5, 8, 4))
    answer = sheet.get(Accept_Encoding="br")
    assert answer.headers["Content-Encoding"] == "br"
    assert version_in(answer) == sheet.version
    small = client.get("/api/v1/games", headers={"Accept-Encoding": "br"})
    assert "Content-Encoding" not in small.headers


@pytest.mark.parametrize("accepted", ["", "identity", "br;q=0, gzip;q=0", "zstd"])
def test_what_is_not_accepted_is_not_sent(shared_client: Any, accepted: str) -> None:
    answer = shared_client.get("/api/v1/openapi.json", headers={"Accept-Encoding": accepted})
    assert "Content-Encoding" not in answer.headers

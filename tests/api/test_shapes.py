"""The compiled readers of the games' shapes agree with marshmallow, on published requests and on spoilt ones."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.conformance import published
from companion.engine import shapes as s
from companion.engine.game import deal_context
from companion.engine.problems import Node, Refused
from companion.games import GAMES
from companion.games.casino import shapes as casino
from companion.games.casino import table as casino_table
from companion.games.spades import table as spades
from companion.games.spite_and_malice import position as spite

Read = tuple[Any, Any, Any]
"""A shape or field, a value, the context of the read."""


def _reads() -> Iterator[Read]:
    """What the published requests have a shape read."""
    for case in published():
        game_id, question = case["post"].split("/")[2:4]
        game, request = GAMES[game_id], case["request"]
        node = Node(request)
        rules = game.options.read(node["rules"]).options
        if question == "score":
            sides = game.read_sides(node["sides"], rules)
            yield from ((game.deal, deal, deal_context(game, rules, sides)) for deal in request.get("deals", ()))
        elif game_id == "spades":
            seated = node["position"] if question == "check" else node
            table = s.read_at(seated, spades.SeatsShape, context=rules)
            if table is not None and question == "check":
                yield s.shape_of(spades.Position), request["position"], table
                yield spades.MOVE, request["move"], table
            elif table is not None:
                yield s.shape_of(spades.Record), request, table
        elif game_id == "casino":
            around = casino_table.read_around(node["position"], rules)
            if around is not None and question == "check":
                yield s.shape_of(casino_table.Position), request["position"], around
                yield casino_table.MOVE, request["move"], around
            elif around is not None:
                shape = s.shape_of(casino.DemandRequest) if question == "demand" else s.shape_of(casino.MovesRequest)
                yield shape, request, around
        elif game_id == "spite-and-malice" and question == "check":
            players = spite.players_in(rules, node["position"]["players"])
            yield s.shape_of(spite.Position), request["position"], players
            yield spite.MOVE, request["move"], players


READS = list(_reads())
RUBBISH = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-3, 30)
    | st.floats(allow_nan=False)
    | st.sampled_from(["", "A", "5", "nil", "10H", "X", "new", "\ud800", "a\u202eb", "play", 10**30]),
    lambda inner: (
        st.lists(inner, max_size=2)
        | st.dictionaries(st.sampled_from(["A", "seat", "card", "side", "bid"]), inner, max_size=2)
    ),
    max_leaves=4,
)


def _outcome(read: Any, one: Read) -> Any:
    shape, value, context = one
    try:
        return "read", repr(read(shape, value, context=context))
    except Refused as refused:
        return "refused", refused.problems


def test_every_kind_of_shape_is_tried() -> None:
    assert len(READS) > 400
    assert {getattr(shape, "__name__", "move") for shape, _, _ in READS} >= {
        "SpadesDeal", "CasinoDeal", "SpiteAndMaliceDeal", "PositionShape", "Position", "move", "SpadesReplayRequest",
    }  # fmt: skip


def test_published_requests_are_read_alike() -> None:
    for one in READS:
        assert _outcome(s.read, one) == _outcome(s.load, one)


def test_most_published_requests_need_no_second_look() -> None:
    plain = 0
    for shape, value, context in READS:
        try:
            s.compiled(shape)(value, context)
            plain += 1
        except s.NOT_PLAIN:
            pass
    assert plain > len(READS) * 0.8


@settings(max_examples=400, deadline=None)
@given(st.data())
def test_spoilt_requests_are_read_alike(data: st.DataObject) -> None:
    shape, value, context = data.draw(st.sampled_from(READS))
    spoilt = copy.deepcopy(value)
    at: Any = spoilt
    for _ in range(data.draw(st.integers(0, 4))):
        places = list(at) if isinstance(at, dict) else list(range(len(at)))
        if not places:
            break
        place = data.draw(st.sampled_from(places))
        kind = data.draw(st.sampled_from(["deeper", "replace", "remove", "add"]))
        if kind == "remove":
            del at[place]
            break
        if kind == "add" and isinstance(at, dict):
            at[data.draw(st.sampled_from(["x", "_schema", "type", "seat", "void", "others"]))] = data.draw(RUBBISH)
            break
        if kind == "replace" or not isinstance(at[place], dict | list):
            at[place] = data.draw(RUBBISH)
            break
        at = at[place]
    assert _outcome(s.read, (shape, spoilt, context)) == _outcome(s.load, (shape, spoilt, context))


@pytest.mark.parametrize("value", [None, [], "x", 5, {}])
def test_what_is_no_such_object_is_refused_alike(value: Any) -> None:
    seen = set()
    for shape, _, context in READS:
        if shape not in seen:
            seen.add(shape)
            assert _outcome(s.read, (shape, value, context)) == _outcome(s.load, (shape, value, context))

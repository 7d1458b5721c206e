"""The shapes of house rules written out and compared, made for every game from its options."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from companion.engine import shapes as s
from companion.engine.options import CODE_LENGTH
from companion.games import GAMES
from companion.library.schemas import UNION, game_prefix, make_shape, named, options_schema_name
from companion.rulebook.catalogue_answers import RulesShape

Keys = Mapping[str, s.Field[s.Json]]


def unions(refer: s.Refer) -> Iterator[tuple[str, s.JsonSchema]]:
    """Yield what is asked and answered about house rules by its name, as any of the games' shapes of it."""
    made = {game: _shapes(game) for game in GAMES}
    for name in (NORMALISE, COMPARE, WRITTEN_OUT):
        yield name, {"anyOf": [refer(shapes[name]) for shapes in made.values()], "description": UNION}


NORMALISE: Final = "NormaliseRules"
COMPARE: Final = "CompareRules"
WRITTEN_OUT: Final = "Rules"


def _shapes(game: str) -> dict[str, type[s.Shape[s.Json]]]:
    """Return the shapes of one game by their names."""
    prefix = game_prefix(game)
    house, options = named(f"{prefix}HouseRules"), named(options_schema_name(game))
    either: s.JsonSchema = {"anyOf": [house, {"type": "string", "maxLength": CODE_LENGTH}]}
    keys: dict[str, tuple[type[s.Shape[s.Json]], str, Keys]] = {
        NORMALISE: (
            s.Shape,
            "House rules to be written out: as an object, or as a short code.",
            {
                "rules": s.Anything(
                    "The house rules; without them and a code, the default preset.", schema=house, absent=True
                ),
                "code": s.Text("A short code.", most=CODE_LENGTH, absent=True),
            },
        ),
        COMPARE: (
            s.Shape,
            "Two sets of house rules, each as an object or a short code.",
            {"one": s.Anything("The first.", schema=either), "other": s.Anything("The second.", schema=either)},
        ),
        WRITTEN_OUT: (
            RulesShape,
            "House rules written out.",
            {"options": s.Anything("Every option of the game with its value.", schema=options)},
        ),
    }
    return {name: make_shape(base, f"{prefix}{name}", about, fields) for name, (base, about, fields) in keys.items()}

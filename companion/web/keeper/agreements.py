"""What a table agrees on before the first deal, asked in words: shown on the form of a new sheet, and read from it."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from companion.engine.game import Game
from companion.engine.ledger import Agreement, Offer
from companion.rulebook.book import say, words

CHOSEN, SHOWN = "first.", "was."
"""How the fields begin that hold the offer chosen, and the one that was shown as chosen."""


@dataclass(frozen=True, slots=True)
class ShownOffer:
    """A button of a question: what it says, an example, and the options that it sets, for the script."""

    id: str
    label: str
    example: str
    chosen: bool
    sets: str = ""


@dataclass(frozen=True, slots=True)
class ShownAgreement:
    """A question with its offers; `was` is the offer that the form shows as chosen."""

    id: str
    question: str
    offers: tuple[ShownOffer, ...]
    was: str


def agreements(game: Game, rules: object, values: Mapping[str, object], lang: str) -> Iterator[ShownAgreement]:
    """Yield the questions that these rules leave open; `values` are the options as JSON."""
    own = words(game.id, lang)
    for asked in game.agreements:
        if not asked.asked(rules):
            continue
        key = f"agree.{asked.id}"
        chosen = next((offer.id for offer in asked.offers if _holds(offer, values)), "")
        shown = [
            ShownOffer(
                offer.id, own.say(f"{key}.{offer.id}"), own.say(f"{key}.{offer.id}-example"), offer.id == chosen,
                json.dumps({name: "" if value is None else str(value) for name, value in offer.options.items()}),
            )
            for offer in asked.offers
        ]  # fmt: skip
        if not chosen:
            shown.append(
                ShownOffer("", say(lang, "sheets.as-below"), say(lang, "sheets.as-below-example"), chosen=True)
            )
        yield ShownAgreement(asked.id, own.say(f"{key}.question"), tuple(shown), chosen)


def usual_options(game: Game) -> dict[str, object]:
    """Return the options of the offers that most tables take."""
    return {
        name: value
        for asked in game.agreements
        for offer in asked.offers
        if offer.id == asked.usual
        for name, value in offer.options.items()
    }


def offered_options(game: Game) -> frozenset[str]:
    """Return the options that some offer sets."""
    return frozenset(name for asked in game.agreements for offer in asked.offers for name in offer.options)


def agreed_options(game: Game, form: Mapping[str, str]) -> dict[str, object]:
    """Return the options of the offers that were chosen on a form; those left as they were shown say nothing."""
    agreed: dict[str, object] = {}
    for asked in game.agreements:
        given = form.get(CHOSEN + asked.id, "")
        if given != form.get(SHOWN + asked.id):
            agreed |= next((offer.options for offer in asked.offers if offer.id == given), {})
    return agreed


def longer(game: Game) -> tuple[tuple[Agreement, Offer], ...]:
    """Return the offers that say how long a game lasts."""
    return tuple((asked, offer) for asked in game.agreements if asked.length for offer in asked.offers)


def _holds(offer: Offer, values: Mapping[str, object]) -> bool:
    return all(values.get(name) == value for name, value in offer.options.items())

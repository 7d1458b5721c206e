"""How the articles of Casino are declared: where they come from, and the settings under which many of them hold."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any, Final

from companion.engine.articles import Article

GAME: Final = "casino"

Settings = Mapping[str, Collection[Any]]
Own = dict[str, tuple[Any, ...]]

PAGAT: Final = "Pagat, African Casino"
PAGAT_CASINO: Final = "Pagat, Casino"
PAGAT_ROYAL: Final = "Pagat, Royal Casino"
PAGAT_NORDIC: Final = "Pagat, Nordic Casino"
KASA: Final = "Pagat, South African Casino; Khasino Association of South Africa"


def article(
    anchor: str,
    numbers: str,
    *,
    source: str = "seed",
    reference: str = "",
    when: Settings | None = None,
    unless: Settings | None = None,
) -> Article:
    """An article by its anchor and its numbers in the rules; bare numbers are those of the Swazi game."""
    labels = tuple(label if "-" in label else f"CASINO-{label}" for label in numbers.split())
    return Article(f"{GAME}.{anchor}", labels, source, reference, when or {}, unless or {})


def pagat(anchor: str, numbers: str, *, when: Settings | None = None, unless: Settings | None = None) -> Article:
    """An article that the reference on the Swazi game adds."""
    return article(anchor, numbers, source="reference", reference=PAGAT, when=when, unless=unless)


def restored(anchor: str, numbers: str, *, when: Settings | None = None) -> Article:
    """An article whose words the source lost, restored from that reference."""
    return article(anchor, numbers, source="restored", reference=PAGAT, when=when)


def ruling(anchor: str, numbers: str, *, when: Settings | None = None) -> Article:
    """An article that is a decision of ours."""
    return article(anchor, numbers, source="ruling", when=when)


def referred(
    reference: str, anchor: str, numbers: str, when: Settings | None = None, unless: Settings | None = None
) -> Article:
    """An article of a relative, from the reference named."""
    return article(anchor, numbers, source="reference", reference=reference, when=when, unless=unless)


CUT_FOUR: Own = {"deal": ("cut_four",)}
HALVES: Own = {"two_player_deal": ("two_halves",)}
SWAZI: Own = {"building": ("swazi",)}
BUILDING: Own = {"building": ("swazi", "standard")}
DEMANDED: Own = {"demand": (True,)}
COURTS_NUMBERED: Own = {"court_values": ("11_13",)}
TWO_ACES: Own = {"ace_hand": ("1or14",)}
PILES: Own = BUILDING | {"pile_cards": ("augment", "augment_and_capture")}
RAISING: Own = BUILDING | {"raise_builds": ("opponents", "others", "anyone")}
PROVEN: Own = BUILDING | {"partner_build": ("proven",)}
MAJORITIES: Own = {"spades_minimum": (None,)}

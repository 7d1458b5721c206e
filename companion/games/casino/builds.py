"""Judging builds: making single and multiple ones, changing the value of one, adding sets to one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from companion.engine.articles import Article
from companion.engine.cards import Card
from companion.engine.verdict import Breach
from companion.games.casino import articles as a
from companion.games.casino.capture import Reach, split
from companion.games.casino.layout import Layout, names
from companion.games.casino.plays import Base, Material, Play
from companion.games.casino.rules import CasinoRules
from companion.games.casino.table import (
    Build,
    alone_values,
    capturers,
    highest_value,
    makes,
    numberless,
    set_value,
    total,
)
from companion.games.casino.unseen import TRUE


def judge_build(layout: Layout, play: Play) -> None:
    """Judge a new build of loose cards and at most one hand card: single or of several sets (CASINO-501 to 508)."""
    groups = play.groups()
    if _building_off(layout, groups):
        return
    own = [group.card for group in groups if group.card is not None]
    sets = tuple(_take_material(layout, group, a.BUILD_MATERIAL) for group in groups)
    if not own and not layout.rules.table_only_build:
        layout.ruling.breach(a.PLAYED_CARD_IN_BUILD, "build-without-card", value=play.value)
    article = layout.cite(a.SINGLE_BUILD, a.BUILD_TOTAL)
    cards = [card for one in sets for card in one]
    if len(cards) < 2 or not any(group.table for group in groups):
        layout.ruling.breach(article, "build-too-small", value=play.value, cards=names(cards))
    _check_sets(layout, sets, play.value, article)
    _check_highest(layout, tuple(dict.fromkeys(cards)), play.value, article)
    layout.check_free(play.value, layout.cite(a.BUILD_VALUE_FREE, a.ONE_BUILD_A_VALUE))
    layout.check_limit()
    new = Build(layout.fresh_id(play.name), play.value, layout.place_sets(sets), layout.player)
    build = _settle(layout, new, play, layout.cite(a.BUILD_NEEDS_CARD, a.BUILDER_HOLDS))
    standard = a.BUILD_TOTAL if len(sets) == 1 else a.MULTIPLE_BUILD
    layout.ruling.allow(layout.cite(a.SINGLE_BUILD, standard), value=build.value)


def judge_raise(layout: Layout, play: Play) -> None:
    """Judge a higher value for a single build by one card from the hand (CASINO-511 to 518, STD-501 to 505)."""
    if _building_off(layout, (play.material,)):
        return
    build, card = layout.find(play.target), play.material.card
    article = layout.cite(a.RAISE, a.STANDARD_RAISE)
    if card is None:
        layout.ruling.breach(article, "raise-without-card", build=play.target)
    else:
        layout.play_card(card)
    _refuse_more(layout, play)
    absorbed = tuple(_take_material(layout, Material(one), a.MATERIAL) for one in play.absorbed)
    if build is None:
        return
    _check_raisable(layout, build)
    added = () if card is None else (card,)
    _check_raise_total(layout, build, (*added, *play.material.table), play.value)
    _check_sets(layout, absorbed, play.value, layout.cite(a.SET_TOTAL, a.ABSORBING))
    merged = _merges(layout, build, play.value)
    if merged is None:
        layout.check_free(play.value, layout.cite(a.RAISE_VALUE_FREE, a.ONE_BUILD_A_VALUE), besides=build.id)
    layout.check_limit(besides=build.id if merged is None else merged.id)
    sets = ((*build.cards, *layout.place((*added, *play.material.table))), *layout.place_sets(absorbed))
    raised = Build(build.id, play.value, sets, layout.player)
    if merged is not None:
        del layout.builds[build.id]
        layout.name(merged.id, build.id)
        raised = replace(merged, sets=(*merged.sets, *sets))
    layout.name(raised.id, play.name)
    _settle(layout, raised, play, layout.cite(a.RAISE_NEEDS_CARD, a.BUILDER_HOLDS))
    layout.ruling.allow(article, value=play.value)


def judge_augment(layout: Layout, play: Play) -> None:
    """Judge more sets of the same value on a base: a build, or one loose card (CASINO-601 to 619, STD-504)."""
    groups = play.groups()
    if _building_off(layout, groups) or play.base is None:
        return
    base = _find_base(layout, play.base, play.value)
    opposed = base is not None and play.base.kind == "build" and layout.swazi and layout.opposed(base)
    own = [group.card for group in groups if group.card is not None]
    if opposed and own:
        layout.ruling.breach(a.OPPONENTS_BUILD, "card-on-opponents-build", card=str(own[0]), value=play.value)
    fresh = play.base.kind != "build"
    if not own and not layout.rules.table_only_build and (fresh or not layout.swazi):
        layout.ruling.breach(layout.cite(a.PLAYED_CARD_IN_BUILD, a.ADDING), "build-without-card", value=play.value)
    piles = [card for group in groups for _, card in group.piles]
    if piles and not own and not opposed and layout.rules.pile_cards == "augment_and_capture":
        layout.ruling.breach(a.PILE_TOPS_TAKEN, "pile-without-card", cards=names(piles))
    sets = tuple(_take_material(layout, group, a.MATERIAL) for group in groups)
    if not sets:
        layout.ruling.breach(a.SMALLEST_AUGMENTED, "nothing-added", value=play.value)
    _check_sets(layout, sets, play.value, layout.cite(a.SET_TOTAL, a.ADDING))
    if base is None:
        return
    all_sets = (*base.sets, *layout.place_sets(sets))
    if layout.swazi and not fresh:
        extended = replace(base, value=play.value, sets=all_sets)
    else:
        extended = Build(layout.fresh_id(play.name) if fresh else base.id, play.value, all_sets, layout.player)
    layout.name(extended.id, play.name)
    if opposed:
        layout.builds[extended.id] = extended
        layout.awaiting[extended.id] = play.value
        if layout.hand is not None:
            article = a.AUGMENT_NEEDS_CARD if layout.position.partner is None else a.OWN_CARD_TO_CAPTURE
            facts = {"value": play.value, "count": 1, "seat": layout.player}
            layout.charge_holder(layout.holds(play.value), article, "value-not-held", **facts)
        layout.ruling.allow(a.OPPONENTS_BUILD, value=play.value)
    else:
        _settle(layout, extended, play, layout.cite(a.AUGMENT_NEEDS_CARD, a.BUILDER_HOLDS), fresh=fresh)
        layout.ruling.allow(layout.cite(a.BASE, a.ADDING), value=play.value)
    if piles:
        layout.ruling.allow(a.PILE_TOP, cards=names(piles))


def sets_of(rules: CasinoRules, cards: tuple[Card, ...], value: int) -> tuple[tuple[Card, ...], ...]:
    """Return the sets of a value that these cards form; none where they do not."""
    fit = capturers(rules, value)
    return (split(Reach(rules, min(fit), value), cards) or ()) if fit else ()


def build_values(rules: CasinoRules, cards: tuple[Card, ...]) -> tuple[int, ...]:
    """Return the values of which these cards can be a build."""
    if len(cards) < 2:
        return ()
    return tuple(value for value in range(1, highest_value(rules) + 1) if sets_of(rules, cards, value))


def _building_off(layout: Layout, groups: Sequence[Material]) -> bool:
    """Return whether nobody builds under these rules; the hand card is played all the same (NOR-301)."""
    if layout.rules.building != "none":
        return False
    layout.ruling.breach(a.NO_BUILDING, "no-building")
    for group in groups:
        if group.card is not None:
            layout.play_card(group.card)
    return True


def _take_material(layout: Layout, group: Material, article: Article) -> tuple[Card, ...]:
    """Take the cards of one set from where they are; what cannot be material is a breach (CASINO-503, 605)."""
    pile_cards = article is a.MATERIAL and layout.rules.pile_cards != "none"
    for build in group.builds:
        layout.ruling.breach(article if layout.swazi else a.STANDARD_BUILDS_WHOLE, "build-as-material", build=build)
    if group.piles and not pile_cards:
        cards = names(card for _, card in group.piles)
        layout.ruling.breach(article if layout.swazi else a.ADDING, "pile-as-material", cards=cards)
    else:
        layout.take_from_piles(group.piles)
    layout.take_loose(group.table)
    if group.card is not None:
        layout.play_card(group.card)
    return group.cards


def _check_sets(layout: Layout, sets: Sequence[tuple[Card, ...]], value: int, article: Article) -> None:
    for one in sets:
        courts = [card for card in one if numberless(layout.rules, card)]
        if courts:
            layout.ruling.breach(a.NO_COURTS_IN_BUILDS, "court-in-build", cards=names(courts))
        elif not makes(layout.rules, one, value):
            facts = {"value": value, "total": total(layout.rules, one), "cards": names(one)}
            apart = sets_of(layout.rules, tuple(dict.fromkeys(one)), value)
            if apart:
                facts |= {"sets": len(apart), "instead": [names(part) for part in apart]}
            layout.ruling.breach(article, "set-total", **facts)


def _check_highest(layout: Layout, cards: tuple[Card, ...], value: int, article: Article) -> None:
    """Check that a card could take the build; sets that were added up are announced by themselves instead."""
    rules, highest = layout.rules, highest_value(layout.rules)
    if value <= highest:
        return
    facts: dict[str, object] = {"value": value, "highest": highest}
    lower = build_values(rules, cards)
    if lower:
        apart = sets_of(rules, cards, lower[-1])
        facts |= {"set_value": lower[-1], "sets": len(apart), "instead": [names(part) for part in apart]}
    layout.ruling.breach(article, "value-limit", **facts)


def _settle(layout: Layout, build: Build, play: Play, article: Article, *, fresh: bool = True) -> Build:
    """Put a build on the table with the player who answers for it, once it is known who that is."""
    partner = layout.position.partner
    if play.asked_by is not None:
        build = _asked(layout, build, play.asked_by, article)
    else:
        held = layout.answers(build.value, article, besides=build.id)
        unchanged = not fresh and layout.swazi
        if held is not None and not unchanged and partner is not None:
            owner = layout.player if held is TRUE else partner
            build = Build(build.id, build.value, build.sets, owner, layout.player, held)
    if build.sets:
        layout.builds[build.id] = build
    return build


def _asked(layout: Layout, build: Build, asker: str, article: Article) -> Build:
    """Return the build with the partner who asked for it as its owner, who holds the card for it (CASINO-807)."""
    if asker != layout.position.partner or layout.opposed(build):
        layout.ruling.breach(a.REQUEST, "not-partners-request", asker=asker)
        layout.answers(build.value, article)
        return build
    if build.value not in layout.position.proven_by_partner:
        facts = {"value": build.value, "count": 1, "seat": asker}
        layout.charge_holder(layout.holds(build.value, seat=asker), a.REQUEST, "value-not-held", **facts)
    layout.ruling.allow(a.REQUEST, seat=asker)
    return Build(build.id, build.value, build.sets, asker)


def _refuse_more(layout: Layout, play: Play) -> None:
    """Refuse everything that a raise adds beside the hand card (CASINO-511, STD-502)."""
    material = play.material
    if material.table or material.piles or material.builds:
        article = layout.cite(a.RAISE, a.NO_LOOSE_CARD_IN_RAISE)
        cards = names((*material.table, *(card for _, card in material.piles)))
        layout.ruling.breach(article, "raise-material", cards=cards, builds=list(material.builds))
        layout.take_loose(material.table)


def _check_raisable(layout: Layout, build: Build) -> None:
    rules = layout.rules
    if not build.single:
        article = layout.cite(a.AUGMENTED_NEVER_RAISED, a.MULTIPLE_NEVER_RAISED)
        layout.ruling.breach(article, "raise-augmented", build=build.id)
    if rules.raise_builds == "never":
        layout.ruling.breach(a.NO_RAISING, "no-raising", build=build.id)
    elif rules.raise_builds == "opponents" and not layout.opposed(build):
        article = layout.cite(a.OWN_BUILD_NOT_RAISED, a.STANDARD_RAISE)
        layout.ruling.breach(article, "raise-own", build=build.id, owner=build.owner)
    elif rules.raise_builds == "others":
        article = a.OTHERS_BUILDS_RAISED
        breach = Breach(article.id, "raise-own", {"build": build.id, "owner": layout.player})
        layout.charge(build.answers(layout.player), article, breach)


def _check_raise_total(layout: Layout, build: Build, added: Sequence[Card], value: int) -> None:
    courts = [card for card in added if numberless(layout.rules, card)]
    if courts:
        layout.ruling.breach(a.NO_COURTS_IN_BUILDS, "court-in-build", cards=names(courts))
        return
    article = layout.cite(a.RAISE_TOTAL, a.BUILD_TOTAL)
    true = build.value + sum(set_value(layout.rules, card) for card in added)
    if added and value != true:
        layout.ruling.breach(article, "raise-total", value=value, total=true, before=build.value)
    if value > highest_value(layout.rules):
        layout.ruling.breach(article, "value-limit", value=value, highest=highest_value(layout.rules))


def _merges(layout: Layout, build: Build, value: int) -> Build | None:
    """Return the own side's build that a raised one is merged into, where the rules have that (CASINO-513)."""
    if not layout.rules.merge_own_value or layout.rules.same_value_builds == "allowed":
        return None
    same = (one for one in layout.builds.values() if one.value == value and one.id != build.id)
    return next((one for one in same if not layout.opposed(one)), None)


def _find_base(layout: Layout, base: Base, value: int) -> Build | None:
    """Return what the sets are added to, as a build; None and a breach where it is no base (CASINO-602 to 604)."""
    if base.kind == "build":
        build = layout.find(base.build)
        if build is not None and build.value != value:
            layout.ruling.breach(layout.cite(a.VALUE_STAYS, a.ADDING), "augment-value", value=value, before=build.value)
        return build
    card = base.card
    if card is None:
        return None
    if base.kind == "hand":
        layout.play_card(card)
        layout.ruling.breach(layout.cite(a.NOT_A_BASE, a.ADDING), "hand-base", card=str(card))
        return None
    if base.kind == "pile":
        layout.ruling.breach(layout.cite(a.NOT_A_BASE, a.ADDING), "pile-base", card=str(card))
        return None
    if card in layout.trailed:
        layout.ruling.breach(layout.cite(a.NOT_A_BASE, a.ADDING), "trailed-base", card=str(card))
    layout.take_loose((card,))
    if numberless(layout.rules, card):
        layout.ruling.breach(a.NO_COURTS_IN_BUILDS, "court-in-build", cards=[str(card)])
    elif value not in alone_values(layout.rules, card):
        layout.ruling.breach(layout.cite(a.BASE, a.BUILD_TOTAL), "base-value", card=str(card), value=value)
    layout.check_free(value, layout.cite(a.LOOSE_BASE_FREE, a.ONE_BUILD_A_VALUE))
    layout.check_limit()
    return Build("", value, layout.place_sets(((card,),)), layout.player)

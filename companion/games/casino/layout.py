"""The table in the middle of a turn: cards move from play to play, and every breach and open question is kept."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace

from companion.engine.articles import Article
from companion.engine.cards import Card
from companion.engine.verdict import Breach, Place, Ruling, Verdict
from companion.games.casino import articles as a
from companion.games.casino.rules import CasinoRules
from companion.games.casino.table import (
    ACE_HIGH,
    FIRST_HALF,
    Build,
    Layer,
    Position,
    capturer_mask,
    capturers,
    full_pack,
    hand_values,
    two_halves,
)
from companion.games.casino.unseen import (
    FALSE,
    TRUE,
    Fact,
    FirstHalf,
    Holds,
    OnTop,
    Shown,
    Unseen,
    every,
    opposite,
    pile_of,
    singles,
    some,
)


@dataclass(frozen=True, slots=True)
class Charge:
    """A breach that depends on hidden cards: an article is broken in this way where the fact is true."""

    fact: Fact
    article: Article
    breach: Breach


class Layout:
    """One turn's working table. What a play names is moved as far as it goes, so that later plays can be judged too."""

    def __init__(self, rules: CasinoRules, position: Position) -> None:
        self.rules, self.position = rules, position
        self.seats, self.player = position.seats, position.player
        self.side = position.seats.side(position.player)
        self.loose: list[Card] = list(position.table)
        self.builds: dict[str, Build] = {build.id: build for build in position.builds}
        self.hand: set[Card] | None = None if position.hand is None else set(position.hand)
        self.piles: dict[str, list[Layer]] = {side: list(layers) for side, layers in position.piles.items()}
        self.played: list[Card] = []
        self.trailed: list[Card] = []
        self.taken: list[Card] = []
        self.awaiting: dict[str, int] = {}
        """Opponents' builds extended in this turn and not yet captured, with their value."""
        self.proofs: set[int] = set()
        """Values of builds made in this turn while the partner's card was not proven, so on the own word (804)."""
        self.charges: list[Charge] = []
        self.shown: list[Shown] = []
        self.unheld: set[tuple[int, Fact]] = set()
        """What made builds of this turn wrong already."""
        self.swept = False
        self.ruling = Ruling(allow_once=True)
        self._names: dict[str, str] = {}
        self._fresh = 0
        self._limbo: list[Card] = []
        self._open = position.open_cards()
        self._tops: dict[str, int] = {}

    @property
    def swazi(self) -> bool:
        """Return whether builds follow the Swazi rules; the articles cited depend on it."""
        return self.rules.building == "swazi"

    def cite(self, swazi: Article, other: Article) -> Article:
        """Return the article that states the rule in the form of the game that is played."""
        return swazi if self.swazi else other

    def play_card(self, card: Card) -> None:
        """Play a card from the hand; a second one in the turn is a breach (CASINO-202)."""
        article = self.cite(a.ONE_HAND_CARD, a.STANDARD_TURN)
        if self.played:
            cards = [str(one) for one in (*self.played, card)]
            self.ruling.breach(article, "second-hand-card", cards=cards)
        if card not in full_pack(self.rules):
            self.ruling.breach(a.FORTY_CARDS, "not-in-pack", card=str(card))
        elif self.hand is not None and card not in self.hand:
            self.ruling.breach(article, "card-not-held", card=str(card), held=names(sorted(self.hand)))
        elif card in self._open:
            self.ruling.breach(article, "card-seen", card=str(card))
        elif self.hand is None and card in self.position.elsewhere:
            self.ruling.breach(article, "card-not-held", card=str(card), held=[])
        else:
            self.shown.append(Shown(0, self.position.round, self.player, card))
        if card in full_pack(self.rules) and card not in self._open:
            self._limbo.append(card)
        if self.hand is not None:
            self.hand.discard(card)
        self.played.append(card)
        self._open.add(card)
        self.proofs -= set(hand_values(self.rules, card))

    def take_loose(self, cards: Sequence[Card]) -> None:
        """Take cards from among the loose ones (CASINO-103, 108)."""
        for card in cards:
            if card in self.loose:
                self.loose.remove(card)
                self._limbo.append(card)
                continue
            inside = next((build.id for build in self.builds.values() if card in build.cards), None)
            if inside is not None:
                article = self.cite(a.BUILDS_STAY_WHOLE, a.STANDARD_BUILDS_WHOLE)
                self.ruling.breach(article, "card-in-build", card=str(card), build=inside)
            else:
                self.ruling.breach(a.LOOSE_CARDS, "not-loose", card=str(card))

    def take_from_piles(self, piles: Sequence[tuple[str, Card]]) -> None:
        """Take the tops of opponents' piles for one set (CASINO-609 to 611)."""
        used: set[str] = set()
        for side, card in piles:
            if side == self.side:
                self.ruling.breach(a.OPPONENTS_PILES, "own-pile", card=str(card))
                continue
            if side in used:
                self.ruling.breach(a.ONE_CARD_A_PILE, "pile-twice-in-set", pile=side, card=str(card))
            used.add(side)
            self._take_top(side, card)

    def _take_top(self, side: str, card: Card) -> None:
        if side not in self.position.piles:
            breach = Breach(a.PILE_TOP.id, "not-pile-top", {"pile": side, "card": str(card), "top": []})
            if card in self._open or card in self.position.elsewhere or (self.hand is not None and card in self.hand):
                self.charge(TRUE, a.PILE_TOP, breach)
            else:
                depth = self._tops.get(side, 0)
                self._tops[side] = depth + 1
                self.charge(opposite(OnTop(side, card, depth)), a.PILE_TOP, breach)
                self._limbo.append(card)
                self._open.add(card)
            return
        layers = self.piles[side]
        if layers and card in layers[0]:
            layers[0] -= {card}
            if not layers[0]:
                del layers[0]
            self._limbo.append(card)
            return
        top = names(sorted(layers[0])) if layers else []
        self.ruling.breach(a.PILE_TOP, "not-pile-top", pile=side, card=str(card), top=top)

    def place(self, cards: Sequence[Card]) -> tuple[Card, ...]:
        """Return those of these cards that were really taken in this play, to be laid down somewhere."""
        found = tuple(card for card in dict.fromkeys(cards) if card in self._limbo)
        self._limbo = [card for card in self._limbo if card not in found]
        return found

    def place_sets(self, sets: Sequence[Sequence[Card]]) -> tuple[tuple[Card, ...], ...]:
        """Return the sets with the cards that were really taken; a set that has none is left out."""
        placed = (self.place(one) for one in sets)
        return tuple(one for one in placed if one)

    def close_play(self) -> None:
        """Leave on the table what was taken and laid down nowhere: no card is ever lost."""
        self.loose += self._limbo
        self._limbo.clear()

    def find(self, name: str) -> Build | None:
        """Return the current build with that id; record a breach where there is none."""
        build = self.builds.get(self._names.get(name, name))
        if build is None:
            self.ruling.breach(a.BUILDS, "no-such-build", build=name)
        return build

    def name(self, build: str, alias: str) -> None:
        """Let later plays call a build by another id."""
        if alias and alias != build:
            self._names[alias] = build

    def fresh_id(self, wanted: str) -> str:
        """Return the id of a new build: the one wanted, else the next free one."""
        if wanted and wanted not in self.builds:
            self._names.pop(wanted, None)
            return wanted
        while not self._fresh or f"N{self._fresh}" in self.builds:
            self._fresh += 1
        return f"N{self._fresh}"

    def opposed(self, build: Build) -> bool:
        """Return whether the build belongs to the other side."""
        return self.seats.opponents(build.owner, self.player)

    def charge(self, fact: Fact, article: Article, breach: Breach) -> None:
        """Record a breach where the fact is true, which hidden cards may leave open."""
        if fact is TRUE:
            self.ruling.breach(article, breach.code, **breach.facts)
        elif fact is not FALSE:
            self.charges.append(Charge(fact, article, breach))

    def answered(self, *, besides: str = "") -> list[tuple[Build, Fact]]:
        """Return the builds that the player may answer for, each with the fact that the player does."""
        found = ((build, build.answers(self.player)) for build in self.builds.values() if build.id != besides)
        return [(build, fact) for build, fact in found if fact is not FALSE]

    def check_free(self, value: int, article: Article, *, besides: str = "") -> None:
        """Check that no two builds have one value, unless the table allows them (CASINO-107)."""
        if self.rules.same_value_builds == "allowed":
            return
        other = next((one for one in self.builds.values() if one.value == value and one.id != besides), None)
        if other is not None:
            self.ruling.breach(article, "value-taken", value=value, build=other.id)

    def check_limit(self, *, besides: str = "") -> None:
        """Check that a player has one build at most, always (SAF-104) or in the first half of two (CASINO-008)."""
        if self.rules.builds_per_player is not None:
            self.charge_owner(a.ONE_BUILD_A_PLAYER, "second-build", besides=besides)
        else:
            self.charge_owner(a.FIRST_HALF, "second-build-first-half", besides=besides)

    def charge_owner(self, article: Article, code: str, *, besides: str = "") -> None:
        """Record a breach where the player answers for a build; for CASINO-008 only in the first half of two."""
        own = self.answered(besides=besides)
        sure = [build.id for build, fact in own if fact is TRUE]
        builds = sure or [build.id for build, _ in own]
        when = some(*(fact for _, fact in own))
        if when is not FALSE and article is a.FIRST_HALF:
            when = every(when, self._first_half(builds))
        self.charge(when, article, Breach(article.id, code, {"builds": builds}))

    def _first_half(self, builds: Sequence[str]) -> Fact:
        if not two_halves(self.rules, len(self.seats.names)):
            return FALSE
        if self.position.half is None:
            return FirstHalf(tuple(builds))
        return TRUE if self.position.half == FIRST_HALF else FALSE

    def answers(self, value: int, article: Article, *, besides: str = "") -> Fact | None:
        """Check that the player holds the card for a build, or the partner by proof (CASINO-502, 803).

        Returns the fact that the player holds it where the partner's card is proven; None where it is not.
        """
        enough, wanted = self._enough(value, besides)
        if self.rules.partner_build == "proven" and value in self.position.proven_by_partner:
            if enough is not TRUE:
                self.ruling.allow(a.PROVEN_CARD, value=value, seat=self.position.partner)
            return enough
        self.charge_holder(enough, article, "value-not-held", value=value, count=wanted, seat=self.player)
        self.unheld.add((value, enough))
        self.proofs.add(value)
        return None

    def charge_holder(self, enough: Fact, article: Article, code: str, **facts: object) -> None:
        """Record a breach unless the player holds enough cards."""
        self.charge(opposite(enough), article, Breach(article.id, code, facts))

    def holds(self, value: int, *, wanted: int = 1, seat: str = "") -> Fact:
        """Return the fact that a seat, else the player, holds so many cards that capture the value."""
        hand = self.hand if seat in ("", self.player) else self.position.hands.get(seat)
        if hand is not None:
            return TRUE if len(capturers(self.rules, value) & hand) >= wanted else FALSE
        since = (len(self.position.unseen.shown) if self.position.unseen else 0) + len(self.shown)
        mask = capturer_mask(self.rules, value)
        return Holds(seat or self.player, self.position.round, since, value, mask, wanted)

    def _enough(self, value: int, besides: str = "") -> tuple[Fact, int]:
        """Return the fact that the player holds what a build needs: a card, or 2 aces where own builds of 1 and of 14
        both need one (ruling on CASINO-102); and how many cards that are."""
        pair = {1: ACE_HIGH, ACE_HIGH: 1}.get(value)
        one = self.holds(value)
        if pair is None or not _both(capturers(self.rules, value), capturers(self.rules, pair)):
            return one, 1
        two = some(*(fact for build, fact in self.answered(besides=besides) if build.value == pair))
        if two is TRUE:
            return self.holds(value, wanted=2), 2
        return every(one, some(opposite(two), self.holds(value, wanted=2))), 1

    def check_kept(self) -> None:
        """Check that nobody uses up the last card for an own build, except to take it (CASINO-704)."""
        if not self.rules.keep_capturer:
            return
        article = self.cite(a.KEEP_CAPTURER, a.KEEP_NUMBER)
        for build, own in self.answered():
            spent = [card for card in self.played if build.value in hand_values(self.rules, card)]
            if not spent:
                continue
            enough, wanted = self._enough(build.value)
            if (build.value, enough) not in self.unheld:
                facts = {"build": build.id, "cards": names(spent), "value": build.value, "count": wanted}
                breach = Breach(article.id, "capturer-used-up", {**facts, "seat": self.player})
                self.charge(every(own, opposite(enough)), article, breach)

    def unseen(self) -> Unseen:
        """Return what is known of hidden cards after the cards that this turn showed."""
        before = self.position.unseen_cards(self.rules)
        tops = tuple(Place(pile_of(side, depth), 0, 1) for side, count in self._tops.items() for depth in range(count))
        return replace(before, places=(*before.places, *tops), shown=(*before.shown, *self.shown))

    def verdict(self) -> Verdict:
        """Return the verdict on what was played: illegal where it is in every distribution of the hidden cards.

        What the turn changes is returned also while it is undecided.
        """
        ruling = self.ruling
        breaches, missing = list(ruling.breaches), []
        if self.charges:
            unseen = self.unseen()
            certain, open_ = proven(self.charges, unseen)
            breaches += [one for one in certain if one not in breaches]
            if not breaches:
                missing = list(unseen.lacking([(charge.fact, charge.article) for charge in open_]))
                missing = [one for place, one in enumerate(missing) if one not in missing[:place]]
        if breaches:
            return Verdict(tuple(breaches))
        return Verdict((), tuple(missing), () if missing else tuple(ruling.because), self.effect())

    def effect(self) -> dict[str, object]:
        """Return the table after the turn, as JSON has it."""
        found: dict[str, object] = {
            "table": names(self.loose),
            "builds": [build.plain() for build in self.builds.values()],
            "captured": names(self.taken),
            "sweep": self.swept,
        }
        if self.hand is not None:
            found["hand"] = names(sorted(self.hand))
        changed = [side for side, layers in self.position.piles.items() if tuple(self.piles[side]) != layers]
        if changed:
            found["piles"] = {side: pile_names(self.piles[side]) for side in changed}
        return found


def pile_names(layers: Sequence[Layer]) -> list[str]:
    """Return a pile as JSON has it, top card first."""
    return [str(card) for layer in layers for card in sorted(layer)]


def names(cards: Iterable[Card]) -> list[str]:
    """Return cards as JSON has them."""
    return [str(card) for card in cards]


def _both(one: Collection[Card], other: Collection[Card]) -> bool:
    return not set(one).isdisjoint(other)


def proven(charges: Sequence[Charge], unseen: Unseen) -> tuple[list[Breach], list[Charge]]:
    """Return the breaches that are certain, and the charges that stay open.

    Where it is only certain that one of several articles is broken, one breach says that the cards do not suffice.
    """
    decided = [(charge, unseen.decide(charge.fact)) for charge in charges]
    certain = [charge.breach for charge, outcome in decided if outcome]
    left = [charge for charge, outcome in decided if outcome is None]
    if not certain and len(left) > 1 and unseen.decide(some(*(charge.fact for charge in left))):
        held = [one for charge in left for one in singles(charge.fact) if isinstance(one, Holds)]
        facts = {"values": sorted({one.value for one in held}), "seat": left[0].breach.facts.get("seat")}
        return [Breach(left[0].article.id, "cards-do-not-suffice", facts)], []
    return certain, left

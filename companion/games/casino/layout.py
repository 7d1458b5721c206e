"""The table in the middle of a turn: cards move from play to play, and every breach and open question is kept."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import replace

from companion.engine.articles import Article
from companion.engine.cards import Card
from companion.engine.verdict import Missing, Ruling
from companion.games.casino import articles as a
from companion.games.casino.rules import CasinoRules
from companion.games.casino.table import ACE_HIGH, FIRST_HALF, Build, Layer, Position, capturers, full_pack, hand_values

OWN, PROOF = "own", "proof"


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
        """Values that the player has shown in this turn to hold, by nobody's card but the own one (CASINO-803, 804)."""
        self.unheld: set[str] = set()
        self.swept = False
        self.ruling = Ruling(allow_once=True)
        self._names: dict[str, str] = {}
        self._fresh = 0
        self._limbo: list[Card] = []
        self._visible = position.visible()

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
        elif self.hand is None and card in self._visible:
            self.ruling.breach(article, "card-seen", card=str(card))
        if card in full_pack(self.rules) and card not in self._visible:
            self._limbo.append(card)
        if self.hand is not None:
            self.hand.discard(card)
        self.played.append(card)
        self._visible.add(card)
        self.proofs -= set(hand_values(self.rules, card))
        self.ruling.missing = [one for one in map(self._shown_by(card), self.ruling.missing) if one is not None]

    def _shown_by(self, card: Card) -> Callable[[Missing], Missing | None]:
        """Return what remains open of a question about the hand, now that this card came out of it."""
        values = hand_values(self.rules, card)

        def rest(one: Missing) -> Missing | None:
            if one.fact != "hand" or one.seat != self.player or one.facts["value"] not in values:
                return one
            count = one.facts["count"] - 1
            return replace(one, facts={**one.facts, "count": count}) if count else None

        return rest

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
                self.ruling.breach(a.ONE_CARD_A_PILE, "pile-twice-in-set", seat=side, card=str(card))
            used.add(side)
            self._take_top(side, card)

    def _take_top(self, side: str, card: Card) -> None:
        if side not in self.position.piles:
            if card in self._visible or (self.hand is not None and card in self.hand):
                self.ruling.breach(a.PILE_TOP, "not-pile-top", seat=side, card=str(card), top=[])
            else:
                self.ruling.lack("pile", a.PILE_TOP, side, card=str(card))
                self._limbo.append(card)
                self._visible.add(card)
            return
        layers = self.piles[side]
        if layers and card in layers[0]:
            layers[0] -= {card}
            if not layers[0]:
                del layers[0]
            self._limbo.append(card)
            return
        top = names(sorted(layers[0])) if layers else []
        self.ruling.breach(a.PILE_TOP, "not-pile-top", seat=side, card=str(card), top=top)

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

    def own_builds(self) -> list[Build]:
        """Return the builds that the player answers for."""
        return [build for build in self.builds.values() if build.owner == self.player]

    def check_free(self, value: int, article: Article, *, besides: str = "") -> None:
        """Check that no two builds have one value, unless the table allows them (CASINO-107)."""
        if self.rules.same_value_builds == "allowed":
            return
        other = next((one for one in self.builds.values() if one.value == value and one.id != besides), None)
        if other is not None:
            self.ruling.breach(article, "value-taken", value=value, build=other.id)

    def check_limit(self, *, besides: str = "") -> None:
        """Check that a player has one build at most, always (SAF-104) or in the first half of two (CASINO-008)."""
        own = [build.id for build in self.own_builds() if build.id != besides]
        if not own:
            return
        if self.rules.builds_per_player is not None:
            self.ruling.breach(a.ONE_BUILD_A_PLAYER, "second-build", builds=own)
        elif self.first_half(builds=own):
            self.ruling.breach(a.FIRST_HALF, "second-build-first-half", builds=own)

    def first_half(self, **facts: object) -> bool:
        """Return whether the first of two halves is played; ask for it where the position is silent (CASINO-008)."""
        if self.rules.two_player_deal != "two_halves" or len(self.seats.names) != 2:
            return False
        if self.position.half is None:
            self.ruling.lack("half", a.FIRST_HALF, None, **facts)
        return self.position.half == FIRST_HALF

    def answers(self, value: int, article: Article, *, besides: str = "") -> str:
        """Return who holds the card that a build of this value needs: player, or partner by proof (CASINO-502, 803).

        Where the hand is not known the player is taken to hold it, and the question is kept.
        """
        proven = self.rules.partner_build == "proven" and value in self.position.proven_by_partner
        if self.holds(value, wanted=self._wanted(value, besides)) is True:
            if not proven:
                self.proofs.add(value)
            return OWN
        if proven:
            self.ruling.allow(a.PROVEN_CARD, value=value, seat=self.position.partner)
            return PROOF
        if self.check_holds(value, article, "value-not-held", wanted=self._wanted(value, besides)):
            self.proofs.add(value)
        return OWN

    def check_holds(self, value: int, article: Article, code: str, *, wanted: int = 1, **facts: object) -> bool:
        """Return whether the player may still hold so many cards of the value; record what is wrong or missing."""
        held = self.holds(value, wanted=wanted)
        if held is None:
            self.ruling.lack("hand", article, self.player, value=value, count=wanted)
        elif not held:
            self.ruling.breach(article, code, value=value, count=wanted, seat=self.player, **facts)
        return held is not False

    def holds(self, value: int, *, wanted: int = 1) -> bool | None:
        """Return whether the player holds so many cards that capture the value; None where the hand does not tell."""
        fit = capturers(self.rules, value)
        if self.hand is not None:
            return len(fit & self.hand) >= wanted
        return None if len(fit - self._visible) >= wanted else False

    def _wanted(self, value: int, besides: str = "") -> int:
        """Return 1, or 2 aces where own builds of 1 and of 14 both need one (ruling on CASINO-102)."""
        pair = {1: ACE_HIGH, ACE_HIGH: 1}.get(value)
        if pair is None or not _both(capturers(self.rules, value), capturers(self.rules, pair)):
            return 1
        return 1 + any(build.value == pair and build.id != besides for build in self.own_builds())

    def check_kept(self) -> None:
        """Check that nobody uses up the last card for an own build, except to take it (CASINO-704)."""
        if not self.rules.keep_capturer:
            return
        article = self.cite(a.KEEP_CAPTURER, a.KEEP_NUMBER)
        for build in self.own_builds():
            spent = [card for card in self.played if build.value in hand_values(self.rules, card)]
            if spent and build.id not in self.unheld:
                facts = {"build": build.id, "cards": names(spent)}
                self.check_holds(build.value, article, "capturer-used-up", wanted=self._wanted(build.value), **facts)

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

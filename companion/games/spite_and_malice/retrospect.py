"""What later moves of a recorded deal show of an earlier one: a pay-off top that was hidden, the cards of a hand."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace

from companion.engine.cards import Card
from companion.engine.verdict import UNDECIDED, AtLeast, AtMost, Claim, Verdict
from companion.games.spite_and_malice import announcements as n
from companion.games.spite_and_malice.hidden import ALL, HAND, RANK
from companion.games.spite_and_malice.position import ACE, TWO, UNKNOWN, Position
from companion.games.spite_and_malice.rules import SpiteRules

EITHER_WAY = "either-way"
"""The code of a breach of one rule or another, whatever the hidden cards are."""
Top = tuple[str, int, int]
"""One card of a pay-off pile: whose, how often the piles were turned up anew, how many cards lie under it and it."""
Judge = Callable[[SpiteRules, Position, n.Announcement], Verdict]


@dataclass(slots=True)
class Hand:
    """The unseen cards of a hand at one moment, and what has become of them since: draws and plays in order."""

    size: int
    draws: int = 0
    plays: list[tuple[Card, int]] = field(default_factory=list)
    """Cards that were played unseen, each with the number of unseen cards drawn before it."""

    def play(self, card: Card) -> None:
        """Note an unseen card that was played."""
        self.plays.append((card, self.draws))

    def least(self, kinds: int) -> int:
        """Return how many of these kinds the hand had at least: more were played than can have been drawn since."""
        return self._unmatched([drawn for card, drawn in self.plays if RANK[card.pips] & kinds])

    def can_have(self, kinds: int) -> bool:
        """Return whether the hand may have had one of these kinds."""
        times = [drawn for _, drawn in self.plays]
        if self.size + self.draws > len(times) and self._unmatched(times) < self.size:
            return True  # a card that was never shown
        for place, (card, _) in enumerate(self.plays):
            if RANK[card.pips] & kinds and self._unmatched(times[:place] + times[place + 1 :]) < self.size:
                return True
        return False

    @staticmethod
    def _unmatched(times: Iterable[int]) -> int:
        """Return how many plays cannot all have come from draws, each given with the draws before it."""
        matched = unmatched = 0
        for drawn in times:
            if matched < drawn:
                matched += 1
            else:
                unmatched += 1
        return unmatched


@dataclass(slots=True)
class Open:
    """A verdict that hidden cards left open: the position as it was, and the hidden cards that would decide."""

    place: int | None
    turn: int
    seat: str
    move: n.Announcement
    position: Position
    verdict: Verdict
    tops: dict[str, Top]
    known: Sequence[Card] = ()
    hand: Hand | None = None
    judged: Position | None = None
    """The position with all that was learnt when it was last judged."""

    @property
    def either_way(self) -> tuple[str, int, str]:
        """Return code, turn and seat of a finding that this move breaks some rule whichever card is hidden."""
        return EITHER_WAY, self.turn, self.seat

    def learn_play(self, player: str, card: Card) -> bool:
        """Take a card that was played later from a hidden hand. Return whether the verdict depends on that hand."""
        if self.hand is None or self.position.player != player:
            return False
        self.hand.play(card)
        return True

    def learn_top(self, top: Top, card: Card) -> bool:
        """Take a pay-off card that was shown later. Return whether it was hidden here."""
        position, changed = self.position, False
        for player, each in self.tops.items():
            if each != top:
                continue
            changed = True
            if player == position.player:
                position = replace(position, own=replace(position.own, payoff=card))
            elif player == position.partner_name:
                position = replace(position, partner=replace(position.partner or UNKNOWN, payoff=card))
            position = replace(position, payoff_tops={**position.payoff_tops, player: card})
        self.position = position
        return changed

    def judged_again(self, judge: Judge, rules: SpiteRules, kinds: Iterable[int]) -> Verdict:
        """Return the verdict with all that has been learnt; `kinds` are those that an article asks the hand for."""
        position = self.position
        if self.hand is not None:
            position = replace(position, known=(*position.known, *self._hand_claims(kinds)))
        if position == self.judged:
            return self.verdict
        self.judged, self.verdict = position, judge(rules, position, self.move)
        return self.verdict

    def _hand_claims(self, kinds: Iterable[int]) -> list[Claim]:
        """Return what later moves say of the hand; cards that were known are beside the unseen ones."""
        claims: list[Claim] = []
        hand, both = self.hand or Hand(0), RANK[ACE] | RANK[TWO]
        apart = hand.least(RANK[ACE]) + hand.least(RANK[TWO])
        for kind in (RANK[ACE], RANK[TWO], both, *kinds):
            beside = sum(bool(RANK[card.pips] & kind) for card in self.known)
            least = hand.least(kind)
            if least and not (kind == both and least == apart):  # what the two say apart need not be said again
                claims.append(AtLeast(HAND, kind, least + beside))
            if not hand.can_have(kind):
                claims.append(AtMost(HAND, kind, beside))
            if not hand.can_have(ALL & ~kind):
                claims.append(AtMost(HAND, ALL & ~kind, len(self.known) - beside))
        return claims


def is_either_way(verdict: Verdict) -> bool:
    """Return whether a verdict says that some rule is broken, but not which."""
    return bool(verdict.breaches) and all(breach.code == EITHER_WAY for breach in verdict.breaches)


def asks_for_hand(verdict: Verdict) -> bool:
    """Return whether a verdict is open because of the hand of the player in turn."""
    return verdict.value == UNDECIDED and any(missing.fact == "hand" for missing in verdict.missing)

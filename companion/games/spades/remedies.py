"""What a table does about irregularities before it counts a deal: tricks that move, contracts that fail (IRR-S)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final, NamedTuple

from companion.engine.ledger import MISDEAL, Before, Irregularity, Line
from companion.engine.problems import JsonObject
from companion.engine.verdict import Finding, Remedy
from companion.games.spades import articles as a
from companion.games.spades.rules import SpadesRules
from companion.games.spades.table import DUMMY, Call, DealFacts, Exchange, Move, NextDealer, Played

_REVOKE, _CHALLENGE, _OUT_OF_TURN, _TALK = "revoke", "challenge_lost", "out_of_turn", "talk"
KINDS: Final = (_REVOKE, _OUT_OF_TURN, _TALK, _CHALLENGE, "exposed", MISDEAL)

_ARTICLES: Final = {
    _REVOKE: a.REVOKE_REMEDY,
    _OUT_OF_TURN: a.OUT_OF_TURN_REMEDY,
    _TALK: a.TALK_REMEDY,
    _CHALLENGE: a.CHALLENGE_LOST,
}
TRICKS, TRICKS_LOST, SET, RAISED = "tricks", "tricks_lost", "set", "bid_raised"
NONE: Final = "none"
_WARNING: Final = "warning"


class Consequence(NamedTuple):
    """What the irregularities of a deal do to one side before it is counted."""

    lost: int = 0
    """Tricks that leave it."""
    given: int = 0
    """Tricks that come to it, which help its contract and make no overtricks."""
    raised: int = 0
    """Tricks that it needs beyond its bid."""
    fails: bool = False
    """Whether its contract fails whatever it took."""
    credited: bool = False
    """Whether its contract is made whatever it took, without overtricks."""
    failed_nils: frozenset[str] = frozenset()
    """Whose nils fail whatever they took."""
    giver: str = ""
    """The side that it is given tricks or credited by."""

    @property
    def overtricks(self) -> bool:
        """Whether tricks can be overtricks at all."""
        return not (self.fails or self.credited)


UNTOUCHED: Final = Consequence()


class Established(NamedTuple):
    """An irregularity that nobody put right in time, and what is done about it at this table."""

    entry: Irregularity
    remedy: str
    tricks: int

    @property
    def offence(self) -> bool:
        """Whether it costs anything; a first warning does not."""
        return self.remedy != _WARNING

    def line(self) -> Line:
        """Return the line of 0 points that says it."""
        facts: dict[str, object] = {"kind": self.entry.kind, "by": self.entry.by}
        if self.entry.trick:
            facts["trick"] = self.entry.trick
        facts["remedy"] = self.remedy
        if self.remedy in (TRICKS, TRICKS_LOST, RAISED):
            facts["tricks"] = self.tricks
        return Line(_ARTICLES[self.entry.kind].id, 0, facts)


_TURN = ("play-out-of-turn", "wrong-leader", "missing-bid", "not-the-club-holder")


def remedy_for(rules: SpadesRules, move: Move, code: str) -> Remedy:
    """Return what to do about a breach with this code in a call, a card, or what precedes the first lead (IRR-S)."""
    match move:
        case Call():
            return Remedy(a.CALL_CORRECTED.id, "next-call")
        case _ if code == "thrown-in":
            return Remedy(a.LEAST_TOTAL.id, "end-of-deal")
        case Exchange():
            return Remedy(a.CALL_CORRECTED.id, "first-lead")
        case NextDealer():
            return Remedy(a.MISDEAL.id, "end-of-deal", kind=MISDEAL)
        case Played() if code in _TURN:
            option, article, until, kind = "out_of_turn_remedy", a.OUT_OF_TURN_REMEDY, "trick-complete", _OUT_OF_TURN
        case Played():
            option, article, until, kind = "revoke_remedy", a.REVOKE_REMEDY, "next-lead", _REVOKE
        case _:
            option, article, until, kind = "misdeal_dealer", a.MISDEAL, "end-of-deal", MISDEAL
    if isinstance(move, Played) and move.seat == DUMMY:  # who cannot offend (IRR-S1h)
        return Remedy(article.id, until)
    then: dict[str, object] = {"option": option, "value": _value(rules, option)}
    if then["value"] in (TRICKS, TRICKS_LOST, RAISED):
        then["tricks"] = rules.revoke_tricks
    return Remedy(article.id, until, then, kind)


def irregularities(findings: Iterable[Finding]) -> list[JsonObject]:
    """Return the entries of a deal for the plays that a record shows to be wrong, once they are established."""
    entries: list[JsonObject] = []
    for one in findings:
        kind = one.remedy.kind if one.remedy and one.established else ""
        entry = {"kind": kind, "by": one.seat, "trick": one.facts.get("trick")}
        if kind and entry not in entries:
            entries.append(entry)
    return entries


def established(rules: SpadesRules, before: Before) -> tuple[Established, ...]:
    """Return the irregularities of a deal that the table does something about, in order (IRR-0c, S1 to S7)."""
    if not before.irregularities:
        return ()
    talkers = {one.side for one in before.earlier if one.kind == _TALK and not one.corrected}
    found = []
    for entry in before.irregularities:
        if entry.corrected or entry.kind not in _ARTICLES:
            continue
        remedy = _remedy(rules, entry, warned=entry.side in talkers)
        if entry.kind == _TALK:
            talkers.add(entry.side)
        if remedy != NONE:
            found.append(Established(entry, remedy, rules.revoke_tricks))
    return tuple(found)


def _remedy(rules: SpadesRules, entry: Irregularity, *, warned: bool) -> str:
    if entry.kind == _TALK:
        first = rules.talk_remedy == "warning_then_tricks" and not warned
        return _WARNING if first else NONE if rules.talk_remedy == NONE else TRICKS_LOST
    remedy = _value(rules, _OPTION[entry.kind])
    return _value(rules, _OPTION[_REVOKE]) if remedy in ("as_revoke", "same") else remedy


_OPTION: Final = {_REVOKE: "revoke_remedy", _OUT_OF_TURN: "out_of_turn_remedy", _CHALLENGE: "challenge_lost"}


def _value(rules: SpadesRules, option: str) -> str:
    """Return what the table does; with three or four sides nobody gets the tricks (IRR-S1h)."""
    value: str = getattr(rules, option)
    return TRICKS_LOST if value == TRICKS and rules.mode in ("solo4", "solo3", "partners6") else value


def remedies(rules: SpadesRules, deal: DealFacts, found: Sequence[Established]) -> Mapping[str, Consequence]:
    """Return what is done to each side: what is lost, then given, then set, credited and raised (IRR-S1, S8, S10)."""
    sides = list(deal.sides)

    def count(side: str, remedy: str) -> int:
        return sum(one.tricks for one in found if one.entry.side == side and one.remedy == remedy)

    lost = {side: min(count(side, TRICKS_LOST), max(deal.sides[side].tricks, 0)) for side in sides}
    fails = {one.entry.side for one in found if one.remedy == SET}
    offenders = {one.entry.side for one in found if one.offence}
    given = dict.fromkeys(sides, 0)
    if len(sides) == 2:
        for side, other in (sides, sides[::-1]):
            claim = max(count(side, TRICKS) - count(other, TRICKS), 0)
            given[other] = min(claim, max(deal.sides[side].tricks, 0) - lost[side])
            lost[side] += given[other]
    # With a set contract the nils of the players who broke the rules themselves fail (IRR-S8a).
    guilty = [one.entry for one in found if one.remedy == SET and one.entry.kind != _CHALLENGE]
    result = {}
    for side in sides:
        credited = len(sides) == 2 and side not in offenders and bool(fails)
        others = [other for other in sides if other != side]
        result[side] = Consequence(
            lost[side],
            given[side],
            count(side, RAISED),
            side in fails,
            credited,
            frozenset(one.by for one in guilty if one.side == side and (one.by != side or not rules.partners)),
            others[0] if given[side] or credited else "",
        )
    return result

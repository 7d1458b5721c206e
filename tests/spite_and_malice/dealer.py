"""A dealer with real packs and a seed, who plays both sides at random and writes everything down."""

from __future__ import annotations

import random
from typing import Any

from companion.engine.cards import SUITS, Card, pack
from companion.games.spite_and_malice import position as n
from companion.games.spite_and_malice.deal import judge_move
from companion.games.spite_and_malice.position import Piles, Position, Turn
from companion.games.spite_and_malice.rules import HAND_SIZE, SpiteRules

JOKER = Card("X")
NUMBERS = {"A": "1", "J": "11", "Q": "12", "K": "W", "X": "W"}


class Dealer:
    """One deal with all cards known. The judge is asked before every move; what follows is worked out here alone."""

    def __init__(self, rules: SpiteRules, seed: int, *, idleness: float = 0.0) -> None:
        self.rules, self.random, self.idleness = rules, random.Random(seed), idleness
        self.players = tuple("ABCDEF"[: rules.players])
        plain = [card for _ in range(rules.packs) for card in pack(SUITS)]
        cards = plain + [JOKER] * rules.jokers
        if rules.card_names == "numbered":
            cards = [Card(NUMBERS.get(card.rank, card.rank)) for card in cards]
        if rules.deal_mode == "single":
            self.random.shuffle(cards)
            first = cards
        else:
            first, cards = cards[:52], cards[52:]
            self.random.shuffle(first)
            self.random.shuffle(cards)
        self.payoff = {p: [first.pop() for _ in range(rules.payoff_size)] for p in self.players}
        self.stock = cards if cards is first else cards + first
        self.random.shuffle(self.stock)
        self.sides = {p: [[self.stock.pop()] for _ in range(rules.side_start)] for p in self.players}
        self.hands = {p: [self.stock.pop() for _ in range(rules.hands_dealt)] for p in self.players}
        self.centre: list[list[Card]] = []
        self.aside: list[list[Card]] = []
        self.log: list[Turn] = []
        self.dealer = self.players[seed % len(self.players)]
        self.player = self._starter()
        self.winner: tuple[str, ...] | None = None
        self.over = False
        self.moves: list[dict[str, Any]] = []
        self.record: dict[str, Any] = {
            "players": list(self.players),
            "first": self.player,
            "payoff_tops": {p: str(pile[-1]) for p, pile in self.payoff.items()},
            "hands": {p: [str(card) for card in hand] for p, hand in self.hands.items()},
            "side_stacks": {p: [[str(card) for card in s] for s in stacks] for p, stacks in self.sides.items()},
            "turns": [],
        }
        if rules.starts in ("dealer", "left_of_dealer"):
            self.record["dealer"] = self.dealer
        self._begin()

    def play(self, turns: int) -> dict[str, Any]:
        """The record of the deal, played to its end or for so many turns."""
        while not self.over and len(self.record["turns"]) < turns:
            self._turn()
        return self.record

    def remaining(self) -> dict[str, int]:
        """The cards left in each pay-off pile."""
        return {p: len(pile) for p, pile in self.payoff.items()}

    def _begin(self) -> None:
        self.discarded = self.acted = self.played = False
        self.refilled = self.rules.refill_at == "end"
        self.phase = self._phase()

    def _starter(self) -> str:
        """Who may start; where the tops decide nothing, everybody shuffles the own pile and turns up another."""
        left = self.players[(self.players.index(self.dealer) + 1) % len(self.players)]
        agreed = {"dealer": self.dealer, "left_of_dealer": left, "any": left}
        if self.rules.starts in agreed:
            return agreed[self.rules.starts]
        while True:
            tops = {p: pile[-1] for p, pile in self.payoff.items()}
            before = Position(players=self.players, player=self.players[0], payoff_tops=tops)
            first = [p for p in self.players if judge_move(self.rules, before, n.Start(p)).value == "legal"]
            if first:
                assert len(first) == 1
                return first[0]
            for pile in self.payoff.values():
                self.random.shuffle(pile)

    def _partner(self, player: str) -> str | None:
        if self.rules.partners == "off":
            return None
        return self.players[(self.players.index(player) + len(self.players) // 2) % len(self.players)]

    def _piles(self, player: str) -> Piles:
        pile = self.payoff[player]
        return Piles(pile[-1] if pile else None, len(pile), tuple(map(tuple, self.sides[player])))

    def position(self) -> Position:
        """All that the player in turn can see."""
        partner = self._partner(self.player)
        done = sum(len(stack) == self.rules.top for stack in self.centre)
        return Position(
            players=self.players, player=self.player, own=self._piles(self.player),
            partner=self._piles(partner) if partner else None, hand=tuple(self.hands[self.player]),
            centre=tuple(len(stack) for stack in self.centre), stock=len(self.stock), refilled=self.refilled,
            discarded=self.discarded, phase=self.phase, played_ace_or_two=self.played,
            turns=tuple(self.log[-2 * len(self.players) :]), partner_name=partner, dealer=self.dealer,
            complete=done + len(self.aside), incomplete=len(self.centre) - done, over=self.over,
        )  # fmt: skip

    def _phase(self) -> str:
        """Second chances by counting from the start: a round of them follows a round of idle turns."""
        if self.rules.deadlock != "second_chance_redeal":
            return "normal"
        size, idle, place = len(self.players), 0, 0
        while place < len(self.log):
            idle = 0 if self.log[place].acted else idle + 1
            place += 1
            if idle == size:
                chance = self.log[place : place + size]
                if len(chance) < size:
                    return "second_chance"
                place += size
                acted = [turn.acted for turn in chance]
                idle = acted[::-1].index(True) if True in acted else idle + size
        return "normal"

    def _turn(self) -> None:
        player, self.moves = self.player, []
        self._between()
        if self.over:
            self.record["turns"].append({"player": player, "moves": self.moves})
            return
        player = self.player
        while self.player == player and not self.over:
            self._recycle()
            self._move()
            if not self.refilled and not self.moves:
                break
        self.record["turns"].append({"player": player, "moves": self.moves})

    def _between(self) -> None:
        run = []
        for turn in reversed(self.log):
            if turn.acted:
                break
            run.append(turn)
        size = len(self.players)
        if self.rules.deadlock == "second_chance_redeal" and len(run) == 2 * size:
            self._redeal(run[-1].player)
        elif self._legal(n.ClaimStalemate()):
            self.moves.append({"type": "claim_stalemate"})
            self.over = True

    def _redeal(self, first: str) -> None:
        assert self._legal(n.Redeal(first))
        cards = [*self.stock, *(card for stack in (*self.centre, *self.aside) for card in stack)]
        cards += [card for hand in self.hands.values() for card in hand]
        cards += [card for stacks in self.sides.values() for stack in stacks for card in stack]
        self.random.shuffle(cards)
        self.centre, self.aside, self.log = [], [], []
        self.sides = {p: [] for p in self.players}
        size = min(HAND_SIZE, len(cards) // len(self.players))
        self.hands = {p: [cards.pop() for _ in range(size)] for p in self.players}
        self.stock = cards
        hands = {p: [str(card) for card in hand] for p, hand in self.hands.items()}
        self.moves.append({"type": "redeal", "first": first, "hands": hands})
        self.player = first
        self._begin()

    def _recycle(self) -> None:
        if len(self.stock) >= HAND_SIZE and self.random.random() < 0.95:
            return
        for what in ("complete", "incomplete"):
            move = n.Recycle(what, "opponent")
            if not self._legal(move):
                continue
            keep = [s for s in self.centre if (len(s) == self.rules.top) != (what == "complete")]
            gone = [s for s in self.centre if (len(s) == self.rules.top) == (what == "complete")]
            if what == "complete":
                gone, self.aside = gone + self.aside, []
            under = [card for stack in gone for card in stack]
            self.random.shuffle(under)
            self.stock, self.centre = under + self.stock, keep
            self.moves.append(n.plain(move))

    def _legal(self, move: n.Move, position: Position | None = None) -> bool:
        verdict = judge_move(self.rules, position or self.position(), move)
        assert verdict.value != "undecided", (move, verdict)
        return verdict.value == "legal"

    def _move(self) -> None:
        hand = self.hands[self.player]
        last = self.discarded and self.rules.refill_at == "end"
        whole = (self.refilled or self.discarded) and not last
        needed = min(HAND_SIZE if whole else HAND_SIZE - len(hand), len(self.stock))
        draw = n.Refill(needed)
        optional = self.refilled and not self.discarded and self.rules.midturn_refill == "may"
        optional &= not self.rules.discard_required  # the turn cannot end without a card to discard
        if self._legal(draw) and not (optional and self.random.random() < 0.1):
            cards = [self.stock.pop() for _ in range(needed)]
            hand += cards
            self.refilled, self.discarded = True, False
            self.moves.append({**n.plain(draw), "cards": [str(card) for card in cards]})
            if last:
                self._end()
            return
        position = self.position()
        for move in self._wishes():
            if self._legal(move, position):
                self._make(move)
                return
        raise AssertionError(f"nothing can be done: {self.position()}")

    def _wishes(self) -> list[n.Move]:
        """Plays, discards and the end of the turn in a random order that favours what brings the deal forward."""
        hand, random_ = self.hands[self.player], self.random
        ends: list[n.Move] = [
            n.Discard(place, card) for card in hand for place in (*range(len(self.sides[self.player])), n.NEW)
        ]
        random_.shuffle(ends)
        ends.append(n.EndTurn())
        sources: list[tuple[Any, int | None, Card]] = [(n.HAND, None, card) for card in hand]
        for owner, payoff, side in (
            (self.player, n.PAYOFF, n.SIDE),
            (self._partner(self.player), n.PARTNER_PAYOFF, n.PARTNER_SIDE),
        ):
            if owner:
                sources += [(payoff, None, pile[-1]) for pile in [self.payoff[owner]] if pile]
                sources += [(side, place, s[-1]) for place, s in enumerate(self.sides[owner]) if s]
        plays: list[n.Move] = [
            n.Play(source, to, card, stack)
            for source, stack, card in sources
            for to in (*range(len(self.centre)), n.NEW)
        ]
        random_.shuffle(plays)
        plays.sort(key=lambda move: isinstance(move, n.Play) and "payoff" not in move.source)
        if random_.random() < self.idleness:
            return [n.EndTurn(), *plays, *ends]
        return [*ends, *plays] if random_.random() < 0.2 else [*plays, *ends]

    def _make(self, move: n.Move) -> None:
        shape = n.plain(move)
        if isinstance(move, n.Play):
            shape |= self._to_centre(move)
        elif isinstance(move, n.Discard):
            stacks = self.sides[self.player]
            self.hands[self.player].remove(move.card)
            if move.to == n.NEW:
                free = [stack for stack in stacks if not stack]
                stack = free[0] if free else []
                if not free:
                    stacks.append(stack)
                stack.append(move.card)
            else:
                stacks[int(str(move.to))].append(move.card)
            self.acted = self.discarded = True
            again = self.rules.after_last_discard == "refill_and_replay" and not self.hands[self.player]
            again |= self.rules.refill_at == "end" and len(self.hands[self.player]) < HAND_SIZE
            if not (again and (self.stock or self._gatherable())):
                self._end()
        else:
            self._end()
        self.moves.append(shape)

    def _gatherable(self) -> bool:
        """Whether there are stacks that the rules let the table put under the stock."""
        done = self.aside or [stack for stack in self.centre if len(stack) == self.rules.top]
        kinds = {"none": [], "complete_only": done, "complete_then_incomplete": [*done, *self.centre]}
        return bool(kinds[self.rules.recycle_source])

    def _to_centre(self, move: n.Play) -> dict[str, Any]:
        owner = self._partner(self.player) if move.source.startswith("partner") else self.player
        shown: dict[str, Any] = {}
        if move.source == n.HAND:
            self.hands[self.player].remove(move.card)
            self.played |= move.card.rank in ("A", "1", "2")
        elif "payoff" in move.source:
            pile = self.payoff[owner]
            pile.pop()
            if pile:
                shown["turned"] = str(pile[-1])
        else:
            self.sides[owner][move.stack].pop()
        if move.to == n.NEW:
            self.centre.append([])
        stack = self.centre[-1 if move.to == n.NEW else int(str(move.to))]
        stack.append(move.card)
        if len(stack) == self.rules.top and self.rules.centre_done != "stay":
            self.centre.remove(stack)
            if self.rules.centre_done == "set_aside":
                self.aside.append(stack)
            else:
                self.stock += stack
                self.random.shuffle(self.stock)
        self.refilled = self.acted = True
        side = tuple(p for p in self.players if p in (owner, self._partner(owner)))
        if not any(self.payoff[p] for p in side):
            self.over, self.winner = True, side
        return shown

    def _end(self) -> None:
        self.log.append(Turn(self.player, self.acted))
        self.player = self.players[(self.players.index(self.player) + 1) % len(self.players)]
        self._begin()

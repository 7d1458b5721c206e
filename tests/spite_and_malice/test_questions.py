"""The referee's questions where cards are impossible: each is answered with the reason, and can be taken back."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from companion.engine.dialogue import Context, Page, State
from companion.engine.entry import Sitting
from companion.engine.ledger import Side
from companion.engine.problems import Node
from companion.games.spite_and_malice import SPITE_AND_MALICE as GAME
from companion.games.spite_and_malice.entry import step
from tests.referee.reading import ask
from tests.spite_and_malice.asking import check

STACK, START, DEAL = (f"spite-and-malice/{name}" for name in ("stack", "start", "deal"))


@pytest.mark.parametrize("preset", ["massachusetts", "pagat"])
@pytest.mark.parametrize("stack", ["X", "9.X", "X.X"])
def test_a_joker_on_a_side_stack_without_jokers(shared_client: Any, preset: str, stack: str) -> None:
    """SNM-201, 301: there is none in the packs, wherever it is said to be."""
    said = ask(shared_client, STACK, {"rules": preset, "s": stack})
    assert said.articles.count("packs") == stack.count("X")
    assert "illegal" in said.cards[f"drop:s.{stack.split('.').index('X')}"]
    assert "legal" in said.cards["tap:9"].split()


def test_one_card_on_top_of_two_piles_of_one_pack(shared_client: Any) -> None:
    """SNM-007: in the split deal both tops come from one pack of 52, so they cannot be the same card."""
    said = ask(shared_client, START, {"p0": "9S", "p1": "9S"})
    assert (said.value, said.bar) == ("", "")
    assert "empty" in said.buttons
    assert ask(shared_client, START, {"p0": "9S", "p1": "9S"}, "tap:8S").value == "legal"
    single = ask(shared_client, START, {"rules": "blackwood108", "p0": "9S", "p1": "9S"})
    assert single.value == "undecided"


def test_first_cards_that_cannot_be_stay_named_while_the_deal_goes_on(shared_client: Any) -> None:
    state = {"rules": "massachusetts", "b": "y", "p0": "X", "l0": "4", "l1": "4"}
    assert ask(shared_client, DEAL, state).articles == ["packs"]
    said = ask(shared_client, DEAL, state, "tap:A", "onto:n")
    assert (said.hidden["m"], said.articles[-1]) == ("An", "packs")
    assert "empty" in said.buttons
    assert ask(shared_client, DEAL, state, "back").hidden.get("b") is None


def shown(question: str, preset: str, options: Mapping[str, Any], **state: str) -> Page:
    """A page of a table that nobody is named at."""
    rules = GAME.options.read(Node({"preset": preset, "options": options})).options
    return GAME.questions[question].page(Context(rules, State(state), tuple("NESWVU")))


def offered(page: Page) -> set[str]:
    """What can be done on a page but tapping cards."""
    return {choice.value for prompt in page.later for group in prompt.groups for choice in group}


@pytest.mark.parametrize("preset", GAME.options.presets)
def test_the_end_that_the_table_has_is_offered(preset: str) -> None:
    """SNM-085, 093, SKB-R1: where everything is stuck the page finds what the judge finds, as the deal's page does."""
    players = GAME.options.preset(preset).options.players
    counts = {"idle": str(players), "stock": "0", "hand": "0", "complete": "0", "incomplete": "1"}
    turns = [{"player": "NESWVU"[place], "acted": False} for place in range(players)]
    table = {
        "stock": 0,
        "hand": [],
        "complete": 0,
        "incomplete": 1,
        "turns": turns,
        "players": list("NESWVU"[:players]),
    }
    rules = {"preset": preset}
    request = {"rules": rules, "position": table | {"player": "N"}, "move": {"type": "claim_stalemate"}}
    ends = check(request).value == "legal"
    assert any(answer.value == "legal" for answer in shown("stuck", preset, {}, **counts).answers) or not ends
    tops = {f"p{place}": "9" for place in range(players)} | {f"l{place}": "9" for place in range(players)}
    assert ("move:y" in offered(shown("deal", preset, {}, **tops))) == ends


def test_what_is_drawn_after_the_discard_can_be_entered() -> None:
    """ALO-010: as many as are missing, at most the stock; then the turn passes."""
    state = {"p0": "9", "p1": "8", "b": "y"}
    for moves, draw in (("s4n", "move:r1"), ("AnAns4n", "move:r3")):
        page = shown("deal", "blackwood", {"refill_at": "end"}, **state, m=moves)
        assert {do for do in offered(page) if do.startswith("move:r")} == {draw}
    page = shown("deal", "blackwood", {"refill_at": "end"}, **state, m="s4nr1")
    assert not any(do.startswith("move:r") for do in offered(page))


@pytest.mark.parametrize(("deadlock", "stock_out"), [("draw", "compare"), ("compare", "draw")])
def test_a_deal_goes_to_the_sheet_as_it_ended(deadlock: str, stock_out: str) -> None:
    """SNM-093: where one end is a draw and the other goes to the fewest cards, the sheet is told which it was."""
    options = {"deadlock": deadlock, "stock_out": stock_out}
    page = shown("deal", "blackwood", options, p0="9", p1="8", m="eey")
    assert page.facts is not None
    rules = GAME.options.read(Node({"preset": "blackwood", "options": options})).options
    assert page.facts["settled_by"] == deadlock
    answers = {name: str(value) for name, value in page.sheet_answers.items()}
    seats = tuple(page.facts["remaining"])
    sides = tuple(Side(name, (name,)) for name in seats)
    assert step(Sitting(rules, sides, seats, {name: name for name in seats}, seats[0]), answers).facts == page.facts

"""Requests and answers of the library, from the shapes: see `tests.library.test_types`."""

from collections.abc import Mapping, Sequence
from typing import Any, Literal, NotRequired, TypeAlias, TypedDict

from companion.engine.cards import Card

GameId: TypeAlias = Literal["spades", "casino", "spite-and-malice", "pad"]
Language: TypeAlias = Literal["ja", "en"]
CardText: TypeAlias = str | Card
Scalar: TypeAlias = str | int | bool | None
Fact: TypeAlias = Scalar | list[Scalar | list[Scalar]] | dict[str, Scalar | list[Scalar | list[Scalar]]]

HouseRulesRequest: TypeAlias = SpadesHouseRules | CasinoHouseRules | SpiteAndMaliceHouseRules | PadHouseRules

class Accepted(TypedDict):
    """A problem that is recorded anyway."""

    code: str
    reason: str

class Adjustment(TypedDict):
    """Points that the table itself gives or takes."""

    side: str
    points: int
    reason: str

class ArticleOption(TypedDict):
    """An option that an article explains, and what it is set to."""

    name: str
    label: str
    value: str | int | bool | list[str] | None
    text: str

class ArticleText(TypedDict):
    """An article with its text."""

    id: str
    game: Literal["spades", "casino", "spite-and-malice", "pad"]
    anchor: str
    section: str
    section_title: str
    title: str
    text: str
    markdown: str
    played: bool
    options: list[ArticleOption]
    source: str
    source_text: str
    reference: str | None
    ruling: bool
    numbers: list[str]
    examples: list[PublishedCase]
    url: str

class BookText(TypedDict):
    """The book of a game, whole or as one table plays."""

    game: Literal["spades", "casino", "spite-and-malice", "pad"]
    name: str
    title: str
    rules: str | None
    summary: str | None
    text: str
    markdown: str
    sections: list[SectionText]

class Breach(TypedDict):
    """A broken article."""

    article: str
    text: str
    facts: dict[str, Fact]
    url: str
    code: str

CasinoAugmentPlay = TypedDict(
    "CasinoAugmentPlay",
    {
        "id": NotRequired[str],
        "card": NotRequired[CardText | None],
        "table": NotRequired[Sequence[CardText]],
        "piles": NotRequired[Sequence[CasinoPileCard]],
        "builds": NotRequired[Sequence[str]],
        "as": NotRequired[int | None],
        "play": Literal["augment"],
        "value": int,
        "base": CasinoBase,
        "sets": NotRequired[Sequence[CasinoMaterial]],
        "asked_by": NotRequired[str | None],
    },
)

CasinoBase = TypedDict(
    "CasinoBase",
    {
        "build": NotRequired[str],
        "table": NotRequired[CardText],
        "hand": NotRequired[CardText],
        "pile": NotRequired[CardText],
        "from": NotRequired[str],
    },
)

class CasinoBuild(TypedDict):
    """A build on the table: its announced value, its sets, and who answers for it."""

    id: str
    value: int
    sets: Sequence[Sequence[CardText]]
    owner: str

CasinoBuildPlay = TypedDict(
    "CasinoBuildPlay",
    {
        "id": NotRequired[str],
        "card": NotRequired[CardText | None],
        "table": NotRequired[Sequence[CardText]],
        "piles": NotRequired[Sequence[CasinoPileCard]],
        "builds": NotRequired[Sequence[str]],
        "as": NotRequired[int | None],
        "play": Literal["build"],
        "value": int,
        "sets": NotRequired[Sequence[CasinoMaterial]],
    },
)

class CasinoCapture(TypedDict):
    """What a turn took."""

    turn: int
    player: str
    card: str
    cards: list[str]

CasinoCapturePlay = TypedDict(
    "CasinoCapturePlay",
    {
        "id": NotRequired[str],
        "card": NotRequired[CardText | None],
        "table": NotRequired[Sequence[CardText]],
        "piles": NotRequired[Sequence[CasinoPileCard]],
        "builds": NotRequired[Sequence[str]],
        "as": NotRequired[int | None],
        "play": Literal["capture"],
    },
)

class CasinoCaptured(TypedDict):
    """What a side took, card by card."""

    captured: Sequence[CardText]
    sweeps: NotRequired[int]
    last_capture: NotRequired[bool]

class CasinoCheck(TypedDict):
    """A move and the position it is made in, as far as they are known."""

    game: NotRequired[Literal["casino"]]
    title: NotRequired[str]
    rules: NotRequired[CasinoHouseRules]
    position: CasinoPosition
    move: CasinoTurnMove | CasinoRequestMove | CasinoDealMove | CasinoRecutMove | CasinoDrawMove
    witness: NotRequired[bool]

class CasinoCounted(TypedDict):
    """What a side took, counted; instead of `cards` and `spades`, all sides may say who had the most."""

    cards: NotRequired[int]
    spades: NotRequired[int]
    aces: Sequence[Literal["S", "H", "D", "C"]] | int
    big_ten: bool
    spy_two: bool
    sweeps: NotRequired[int]
    last_capture: NotRequired[bool]
    most_cards: NotRequired[bool]
    most_spades: NotRequired[bool]
    spade_ace: NotRequired[bool]
    spade_jack: NotRequired[bool]

CasinoDeal: TypeAlias = Mapping[
    str,
    CasinoCounted
    | CasinoCaptured
    | Sequence[Adjustment]
    | bool
    | Sequence[Accepted]
    | Sequence[Irregularity]
    | int
    | str
    | None,
]

class CasinoDealMove(TypedDict):
    """Cards dealt: how many lie on the table and in the hands."""

    type: Literal["deal"]
    dealer: NotRequired[str | None]
    first: NotRequired[str | None]
    table: NotRequired[int | None]
    hands: NotRequired[Mapping[str, int]]
    round: NotRequired[int | None]

CasinoDemand = TypedDict(
    "CasinoDemand",
    {
        "rules": NotRequired[CasinoHouseRules],
        "builds": NotRequired[Sequence[str]],
        "position": CasinoPosition,
        "card": CardText,
        "play": NotRequired[Literal["capture", "trail", "build", "raise", "augment"]],
        "as": NotRequired[int | None],
        "table": NotRequired[Sequence[CardText]],
        "piles": NotRequired[Sequence[CasinoPileCard]],
        "by": NotRequired[str | None],
        "acted": NotRequired[bool],
        "game": NotRequired[Literal["casino"]],
        "title": NotRequired[str],
    },
)

class CasinoDemandAnswer(TypedDict):
    """Whether the announced capture is legal, is complete, and what must be taken."""

    legal: bool
    complete: bool
    must_take: CasinoMustTake | None
    may_demand: bool
    must_add: NotRequired[list[CasinoMustAdd]]
    articles: list[str]
    missing: NotRequired[list[Missing]]

class CasinoDrawMove(TypedDict):
    """Cards drawn from the stock after the play."""

    type: Literal["draw"]
    count: NotRequired[int]

class CasinoEffect(TypedDict):
    """The table after a legal turn, or what another legal move settles."""

    table: NotRequired[list[str] | int]
    builds: NotRequired[list[CasinoBuild]]
    captured: NotRequired[list[str]]
    sweep: NotRequired[bool]
    hand: NotRequired[list[str]]
    piles: NotRequired[dict[str, list[str]]]
    rounds: NotRequired[list[int]]
    recut: NotRequired[bool]
    owner: NotRequired[str]
    build: NotRequired[str]
    stock: NotRequired[int]

class CasinoHouseRules(TypedDict):
    """The rules agreed at the table: a preset and what differs from it. Given options override others."""

    preset: NotRequired[
        Literal[
            "swazi",
            "swazi_pagat",
            "standard",
            "book",
            "japanese",
            "spade",
            "spade_26",
            "draw",
            "royal",
            "royal_draw",
            "dominican",
            "wippen",
            "swedish",
            "finnish",
            "south_african",
            "khasino",
        ]
    ]
    options: NotRequired[CasinoOptions]

class CasinoListedTurn(TypedDict):
    """A legal turn of one play."""

    type: Literal["turn"]
    plays: list[CasinoCapturePlay | CasinoBuildPlay | CasinoRaisePlay | CasinoAugmentPlay | CasinoTrailPlay]

class CasinoMaterial(TypedDict):
    """Cards announced together: loose ones, one from the hand, tops of piles, builds by their names."""

    id: NotRequired[str]
    card: NotRequired[CardText | None]
    table: NotRequired[Sequence[CardText]]
    piles: NotRequired[Sequence[CasinoPileCard]]
    builds: NotRequired[Sequence[str]]

class CasinoMaximum(TypedDict):
    """The largest capture."""

    table: list[str]
    builds: list[str]
    piles: NotRequired[list[CasinoPileCard]]
    cards: int

CasinoMoves = TypedDict(
    "CasinoMoves",
    {
        "rules": NotRequired[CasinoHouseRules],
        "position": CasinoPosition,
        "card": NotRequired[CardText | None],
        "as": NotRequired[int | None],
        "game": NotRequired[Literal["casino"]],
        "title": NotRequired[str],
    },
)

CasinoMovesAnswer = TypedDict(
    "CasinoMovesAnswer",
    {
        "moves": list[CasinoListedTurn],
        "partial": NotRequired[bool],
        "compulsory": list[CasinoListedTurn],
        "as": NotRequired[int | None],
        "maximum": NotRequired[CasinoMaximum],
        "minimal_sets": NotRequired[list[list[str]]],
        "captures": NotRequired[list[list[str]] | None],
        "truncated": NotRequired[bool],
        "missing": list[Missing],
    },
)

class CasinoMustAdd(TypedDict):
    """What must be added to a build."""

    build: str
    table: list[str]
    piles: list[CasinoPileCard]

class CasinoMustTake(TypedDict):
    """What must be taken."""

    table: list[str]
    builds: list[str]
    piles: NotRequired[list[CasinoPileCard]]

class CasinoOptions(TypedDict):
    """The options of Casino."""

    deck: NotRequired[Literal[52, 40, 49]]
    partners: NotRequired[Literal["opposite", "off"]]
    deal: NotRequired[Literal["cut_four", "fours", "south_african", "draw"]]
    direction: NotRequired[Literal["anticlockwise", "clockwise"]]
    two_player_deal: NotRequired[Literal["all_24", "two_halves"]]
    recut: NotRequired[bool]
    court_values: NotRequired[Literal["11_13", "none"]]
    ace_hand: NotRequired[Literal["1", "14", "1or14"]]
    ace_table: NotRequired[Literal["1", "1or14"]]
    special_hand_values: NotRequired[bool]
    court_take: NotRequired[Literal["one", "all", "one_or_three"]]
    demand: NotRequired[bool]
    demand_measure: NotRequired[Literal["maximal", "maximum"]]
    demand_on_trail: NotRequired[bool]
    demand_augment: NotRequired[bool]
    building: NotRequired[Literal["swazi", "standard", "none"]]
    table_only_build: NotRequired[bool]
    same_value_builds: NotRequired[Literal["forbidden", "allowed"]]
    merge_own_value: NotRequired[bool]
    raise_builds: NotRequired[Literal["opponents", "others", "anyone", "never"]]
    builds_per_player: NotRequired[Literal[1, None]]
    pile_cards: NotRequired[Literal["none", "augment", "augment_and_capture"]]
    owner_may_trail: NotRequired[bool]
    owner_must_take: NotRequired[bool]
    trail_capturing: NotRequired[bool]
    trail_equal: NotRequired[bool]
    keep_capturer: NotRequired[bool]
    partner_build: NotRequired[Literal["proven", "none"]]
    cards_points: NotRequired[int]
    spades_points: NotRequired[int]
    cards_tie: NotRequired[Literal["none", "split"]]
    spades_tie: NotRequired[Literal["none", "split"]]
    spades_minimum: NotRequired[int | None]
    each_spade_points: NotRequired[int]
    spade_jack_points: NotRequired[int]
    spade_ace_points: NotRequired[int]
    big_ten_points: NotRequired[int]
    spy_two_points: NotRequired[int]
    ace_points: NotRequired[int]
    sweep: NotRequired[int]
    sweep_cancel: NotRequired[bool]
    last_capture_points: NotRequired[int]
    shutout: NotRequired[bool]
    majorities: NotRequired[Literal["always", "two_sides_only"]]
    target: NotRequired[int | None]
    ending: NotRequired[Literal["highest", "claim", "count_out", "as_taken"]]
    margin: NotRequired[Literal["none", "difference", "difference_doubled"]]
    final_tie: NotRequired[Literal["another", "draw"]]
    false_build_remedy: NotRequired[Literal["none", "point", "point_lost"]]
    misdeal_dealer: NotRequired[Literal["none", "same", "next"]]

CasinoPileCard = TypedDict("CasinoPileCard", {"from": str, "card": CardText})

class CasinoPosition(TypedDict):
    """The table before a turn. What is left out is not known; without `table` and `builds` there are none."""

    builds: NotRequired[Sequence[CasinoBuild]]
    seats: Sequence[str]
    dealer: NotRequired[str | None]
    partners: NotRequired[bool]
    player: str
    table: NotRequired[Sequence[CardText]]
    hand: NotRequired[Sequence[CardText] | None]
    piles: NotRequired[Mapping[str, Sequence[CardText]]]
    proven: NotRequired[Mapping[str, Sequence[int]]]
    half: NotRequired[int | None]
    stock: NotRequired[int | None]
    missed_draw: NotRequired[bool]

CasinoRaisePlay = TypedDict(
    "CasinoRaisePlay",
    {
        "id": NotRequired[str],
        "card": NotRequired[CardText | None],
        "table": NotRequired[Sequence[CardText]],
        "piles": NotRequired[Sequence[CasinoPileCard]],
        "builds": NotRequired[Sequence[str]],
        "as": NotRequired[int | None],
        "play": Literal["raise"],
        "build": str,
        "to": int,
        "absorb": NotRequired[Sequence[Sequence[CardText]]],
    },
)

class CasinoRecordedTurn(TypedDict):
    """A turn as it was played."""

    type: NotRequired[Literal["turn"]]
    player: NotRequired[str | None]
    plays: Sequence[CasinoCapturePlay | CasinoBuildPlay | CasinoRaisePlay | CasinoAugmentPlay | CasinoTrailPlay]
    drawn: NotRequired[Literal["hidden"] | CardText | Sequence[Literal["hidden"] | CardText]]

class CasinoRecutMove(TypedDict):
    """A second cut, because the first four cards are rich."""

    type: Literal["recut"]
    table: Sequence[CardText]

class CasinoReplay(TypedDict):
    """A recorded deal: who sat where, what lay on the table, the hands, and every turn in order."""

    rules: NotRequired[CasinoHouseRules]
    seats: NotRequired[Sequence[str]]
    players: NotRequired[Sequence[str]]
    partners: NotRequired[bool]
    turns: Sequence[CasinoRecordedTurn]
    first: NotRequired[str | None]
    dealer: NotRequired[str | None]
    table: NotRequired[Sequence[CardText]]
    hands: NotRequired[Mapping[str, Sequence[CardText | Sequence[CardText]]] | None]
    game: NotRequired[Literal["casino"]]
    title: NotRequired[str]
    witness: NotRequired[bool]

class CasinoReplayAnswer(TypedDict):
    """A verdict for each move, findings in retrospect, and the result ready to be posted to `score`."""

    captures: list[CasinoCapture]
    table: list[str]
    builds: list[CasinoBuild]
    proven: dict[str, list[int]]
    complete: bool
    sides: list[ScoredSide]
    result: CasinoDeal | None
    verdicts: list[CasinoReplayedVerdict]
    findings: list[Finding]

class CasinoReplayedTurn(TypedDict):
    """A turn with its number."""

    type: NotRequired[Literal["turn"]]
    turn: NotRequired[int]
    player: NotRequired[str]
    plays: NotRequired[
        list[CasinoCapturePlay | CasinoBuildPlay | CasinoRaisePlay | CasinoAugmentPlay | CasinoTrailPlay]
    ]
    drawn: NotRequired[Any]

class CasinoReplayedVerdict(TypedDict):
    """The verdict on a move of a deal."""

    verdict: Literal["legal", "illegal", "undecided"]
    breaches: list[Breach]
    missing: list[Missing]
    because: list[Cited]
    effect: CasinoEffect
    remedy: NotRequired[Remedy]
    witness: NotRequired[Witness]
    settled: Literal["legal", "illegal", None]
    move: CasinoReplayedTurn

class CasinoRequestMove(TypedDict):
    """The request that the partner adds to a build instead of taking it."""

    type: Literal["request"]
    build: str

class CasinoRules(TypedDict):
    """House rules written out."""

    preset: str
    options: CasinoOptions
    code: str
    summary: dict[str, str]
    warnings: list[Notice]

class CasinoScore(TypedDict):
    """A game as entered: who plays, with which rules, and what was counted after each deal."""

    game: NotRequired[Literal["casino"]]
    title: NotRequired[str]
    rules: NotRequired[CasinoHouseRules]
    sides: Sequence[str | Side]
    opening: NotRequired[Mapping[str, Opening]]
    deals: Sequence[CasinoDeal]

CasinoTrailPlay = TypedDict(
    "CasinoTrailPlay",
    {
        "id": NotRequired[str],
        "card": NotRequired[CardText | None],
        "table": NotRequired[Sequence[CardText]],
        "piles": NotRequired[Sequence[CasinoPileCard]],
        "builds": NotRequired[Sequence[str]],
        "as": NotRequired[int | None],
        "play": Literal["trail"],
    },
)

class CasinoTurnMove(TypedDict):
    """A whole turn."""

    type: Literal["turn"]
    player: NotRequired[str | None]
    plays: Sequence[CasinoCapturePlay | CasinoBuildPlay | CasinoRaisePlay | CasinoAugmentPlay | CasinoTrailPlay]

class CasinoVerdict(TypedDict):
    """The judge's answer: every breach, every missing fact, what allows the move, what it changes."""

    verdict: Literal["legal", "illegal", "undecided"]
    breaches: list[Breach]
    missing: list[Missing]
    because: list[Cited]
    effect: CasinoEffect
    remedy: NotRequired[Remedy]
    witness: NotRequired[Witness]

class Cited(TypedDict):
    """An article and what it says about the case."""

    article: str
    text: str
    facts: dict[str, Fact]
    url: str

class ComparedRules(TypedDict):
    """One of two sets of house rules."""

    preset: str
    code: str
    summary: str

class Contradiction(TypedDict):
    """The fewest facts of a position that cannot be true together."""

    facts: list[str]
    text: list[str]

class DealScore(TypedDict):
    """A scored deal."""

    sides: dict[str, SideScore]
    warnings: list[Warning]
    status: Literal["scored", "void", "after-end"]

class Difference(TypedDict):
    """One option in which two sets of house rules differ."""

    option: str
    label: str
    one: str | int | bool | list[str] | None
    other: str | int | bool | list[str] | None
    text: str
    article: str
    url: str

class Error(TypedDict):
    """One problem of an input; its code says which facts show it."""

    pointer: str
    code: str
    detail: str
    article: NotRequired[str]
    url: NotRequired[str]
    acceptable: NotRequired[bool]
    contextual: NotRequired[bool]
    facts: NotRequired[dict[str, Fact]]
    allowed: NotRequired[list[str | int | bool | None]]
    witness: NotRequired[Contradiction]

class Finding(TypedDict):
    """What a recorded deal shows in retrospect: who, where, shown by what; further facts are beside them."""

    article: str
    code: str
    seat: str
    text: str
    url: str
    turn: NotRequired[int]
    trick: NotRequired[int]
    card: NotRequired[str]
    shown_by: NotRequired[ShownBy | None]
    remedy: NotRequired[Remedy]
    witness: NotRequired[Plays]
    established: int | None
    bags: NotRequired[int]
    sets: NotRequired[int]
    sets_in_row: NotRequired[int]

class Found(TypedDict):
    """What was found, the best first; `next` is the cursor of the next page, null on the last."""

    answer: Reply | None
    results: list[Hit]
    unknown: list[str]
    near: list[str]
    repairs: list[Repair]
    widened: bool

class Hit(TypedDict):
    """An article, a preset, an option with the article that explains it, a term, a passage on verdicts."""

    kind: Literal["article", "preset", "option", "term", "guide", "lesson", "help"]
    game: str
    id: str
    title: str
    excerpt: str
    marks: list[list[int]]
    score: int
    played: bool | None
    instead: str | None
    url: str

class Irregularity(TypedDict):
    """Something that went wrong in a deal; what was corrected in time is kept and changes nothing (IRR-0)."""

    kind: str
    by: str
    trick: NotRequired[int | None]
    corrected: NotRequired[bool]
    note: NotRequired[str]

class Ledger(TypedDict):
    """Every deal with its lines, where the sides stand, the outcome."""

    deals: list[DealScore]
    standing: dict[str, Standing]
    outcome: Outcome

class Line(TypedDict):
    """Points and the article that gave them."""

    article: str
    points: int
    text: str
    url: str
    facts: dict[str, Fact]

class Missing(TypedDict):
    """A fact that must be known first."""

    article: str
    text: str
    facts: dict[str, Fact]
    url: str
    fact: str
    seat: NotRequired[str]

class Notice(TypedDict):
    """Something worth knowing about a set of house rules."""

    code: str
    article: str
    options: list[str]
    facts: dict[str, Fact]
    text: str
    url: str

Opening: TypeAlias = Mapping[str, int]

class Outcome(TypedDict):
    """Whether the game is over, and by which article."""

    over: bool
    winners: list[str]
    reason: str | None
    text: NotRequired[str]
    url: NotRequired[str]
    target: NotRequired[int]
    margin: NotRequired[dict[str, int]]

PadDeal: TypeAlias = Mapping[
    str, PadEntered | Sequence[Adjustment] | bool | Sequence[Accepted] | Sequence[Irregularity]
]

class PadEntered(TypedDict):
    """What a side gets for a round."""

    points: int

class PadHouseRules(TypedDict):
    """The rules agreed at the table: a preset and what differs from it. Given options override others."""

    preset: NotRequired[Literal["plain", "low_100"]]
    options: NotRequired[PadOptions]

class PadOptions(TypedDict):
    """The options of Plain pad."""

    lower_wins: NotRequired[bool]
    target: NotRequired[int | None]
    rounds: NotRequired[int | None]
    negative: NotRequired[bool]

class PadRules(TypedDict):
    """House rules written out."""

    preset: str
    options: PadOptions
    code: str
    summary: dict[str, str]
    warnings: list[Notice]

class PadScore(TypedDict):
    """A game as entered: who plays, with which rules, and what was counted after each deal."""

    game: NotRequired[Literal["pad"]]
    title: NotRequired[str]
    rules: NotRequired[PadHouseRules]
    sides: Sequence[str | Side]
    opening: NotRequired[Mapping[str, Opening]]
    deals: Sequence[PadDeal]

class PadVerdict(TypedDict):
    """The judge's answer: every breach, every missing fact, what allows the move, what it changes."""

    verdict: Literal["legal", "illegal", "undecided"]
    breaches: list[Breach]
    missing: list[Missing]
    because: list[Cited]
    effect: dict[str, Fact]
    remedy: NotRequired[Remedy]
    witness: NotRequired[Witness]

class Plays(TypedDict):
    """What shows a finding to be right."""

    plays: list[ShownBy]

class Problem(TypedDict):
    """A problem document (RFC 9457)."""

    type: str
    title: str
    status: int
    detail: str
    instance: NotRequired[str]
    errors: NotRequired[list[Error]]
    more: NotRequired[int]
    line: NotRequired[int]
    column: NotRequired[int]
    id: NotRequired[str]
    version: NotRequired[int]

class PublishedCase(TypedDict):
    """A published case."""

    id: str
    post: str
    request: dict[str, dict[str, Any] | list[Any] | str | int | bool | None]
    expect: PublishedExpectation
    note: NotRequired[str]

class PublishedExpectation(TypedDict):
    """What a published case expects."""

    status: int
    body: NotRequired[dict[str, dict[str, Any] | list[Any] | str | int | bool | None]]

class Remedy(TypedDict):
    """What the table does about a breach."""

    article: str
    until: str
    then: dict[str, str | int | bool | None] | None
    text: str
    url: str

class Repair(TypedDict):
    """A word of a query with a typing error, and the word that it was read as."""

    typed: str
    read: str

class Reply(TypedDict):
    """Yes, no, or that a rule is not in force; and the article that says what is."""

    yes: bool | None
    text: str
    article: str | None

class RulesDiff(TypedDict):
    """What two tables play differently; nothing where they agree."""

    one: ComparedRules
    other: ComparedRules
    differences: list[Difference]

class ScoredSide(TypedDict):
    """A side as a score request has it."""

    id: str
    players: list[str]

class SectionText(TypedDict):
    """A section of a book."""

    id: str
    title: str
    text: str
    markdown: str
    articles: list[ArticleText]

class ShownBy(TypedDict):
    """The later card that showed a breach."""

    trick: NotRequired[int]
    turn: NotRequired[int]
    card: str
    seat: str

class Side(TypedDict):
    """A side with the names of its players, which may be unknown."""

    id: str
    players: NotRequired[Sequence[str]]

class SideScore(TypedDict):
    """What a deal gave a side. Tallies such as `bags` are beside the total."""

    lines: list[Line]
    points: int
    total: int
    bags: NotRequired[int]
    sets: NotRequired[int]
    sets_in_row: NotRequired[int]

class SpadesCall(TypedDict):
    """A call with the seat that made it or, in consultation, its side."""

    call: int | Literal["nil", "double_nil", "double_blind_nil", "moon", "blind_moon", "pass"] | str
    seat: NotRequired[str | None]
    side: NotRequired[str | None]
    looked: NotRequired[bool | None]

class SpadesCallMove(TypedDict):
    """A call with the seat that made it or, in consultation, its side."""

    call: int | Literal["nil", "double_nil", "double_blind_nil", "moon", "blind_moon", "pass"] | str
    type: Literal["call"]
    seat: NotRequired[str | None]
    side: NotRequired[str | None]
    looked: NotRequired[bool | None]

class SpadesCheck(TypedDict):
    """A move and the position it is made in, as far as they are known."""

    game: NotRequired[Literal["spades"]]
    title: NotRequired[str]
    rules: NotRequired[SpadesHouseRules]
    position: SpadesPosition
    move: SpadesCallMove | SpadesPlayMove | SpadesExchangeMove | SpadesDealMove | SpadesDealerMove | SpadesDrawMove
    witness: NotRequired[bool]

SpadesDeal: TypeAlias = Mapping[
    str, SpadesSideFacts | Sequence[Adjustment] | bool | Sequence[Accepted] | Sequence[Irregularity] | int
]

class SpadesDealMove(TypedDict):
    """The number of cards that every seat was dealt."""

    type: Literal["deal"]
    counts: Mapping[str, int]

class SpadesDealerMove(TypedDict):
    """Who deals next."""

    type: Literal["dealer"]
    seat: str

class SpadesDrawMove(TypedDict):
    """One turn of two players who draw their hands: one of two cards is kept."""

    type: Literal["draw"]
    seat: str
    first: Literal["keep", "discard"]
    second: Literal["keep", "discard"]

class SpadesEffect(TypedDict):
    """What a legal call or card changes."""

    side: NotRequired[str]
    contract: NotRequired[int | None]
    thrown_in: NotRequired[bool]
    breaks_spades: NotRequired[bool]
    next: NotRequired[str | None]
    winner: NotRequired[str]
    card: NotRequired[str]

class SpadesExchange(TypedDict):
    """Cards that two partners give each other after a nil."""

    side: str
    counts: Sequence[int]
    cards: NotRequired[Mapping[str, Sequence[CardText]] | None]

class SpadesExchangeMove(TypedDict):
    """Cards that two partners give each other after a nil."""

    type: Literal["exchange"]
    side: str
    counts: Sequence[int]
    cards: NotRequired[Mapping[str, Sequence[CardText]] | None]

class SpadesHouseRules(TypedDict):
    """The rules agreed at the table: a preset and what differs from it. Given options override others."""

    preset: NotRequired[
        Literal[
            "classic",
            "plain",
            "modern",
            "solo4",
            "solo3",
            "duo_draw",
            "duo_dummy",
            "jokers",
            "jokers_deuces",
            "club",
            "club_350",
            "four_deals",
            "suicide",
            "mirror",
            "whiz",
            "partners6",
            "solo3_jokers",
        ]
    ]
    options: NotRequired[SpadesOptions]

class SpadesListedMoves(TypedDict):
    """A call or a card that is legal."""

    type: Literal["call", "play"]
    seat: NotRequired[str]
    side: NotRequired[str]
    call: NotRequired[int | Literal["nil", "double_nil", "double_blind_nil", "moon", "blind_moon", "pass"] | str]
    looked: NotRequired[bool]
    card: NotRequired[str]

class SpadesMoves(TypedDict):
    """A position, and who is to move where it does not say that."""

    rules: NotRequired[SpadesHouseRules]
    position: SpadesPosition
    seat: NotRequired[str | None]
    looked: NotRequired[bool | None]
    game: NotRequired[Literal["spades"]]
    title: NotRequired[str]

class SpadesMovesAnswer(TypedDict):
    """What can be done."""

    moves: list[SpadesListedMoves]
    compulsory: list[SpadesListedMoves]
    missing: list[Missing]

class SpadesNil(TypedDict):
    """A declared nil: the kind, and the tricks that its player took."""

    call: Literal["nil", "double_nil", "double_blind_nil"]
    tricks: int
    player: NotRequired[str | None]

class SpadesOptions(TypedDict):
    """The options of Spades."""

    mode: NotRequired[Literal["partners4", "solo4", "solo3", "duo_draw", "duo_dummy", "partners6"]]
    solo3_deck: NotRequired[Literal["leftover", "remove_2c"]]
    dummy_side: NotRequired[Literal["left", "right"]]
    dummy_leads: NotRequired[bool]
    deck: NotRequired[
        Literal[
            "standard52", "jokers_minus_twos", "jokers_dealer_discards", "two_packs", "two_packs_jokers", "jokers_added"
        ]
    ]
    equal_cards: NotRequired[Literal["later", "earlier"]]
    removed_twos: NotRequired[Sequence[Literal["2C", "2D", "2H"]]]
    trump_order: NotRequired[Literal["ace_high", "deuce_high"]]
    promoted_twos: NotRequired[Sequence[Literal["2C", "2D", "2H"]]]
    bid_method: NotRequired[Literal["later_partner", "sum", "consultation"]]
    bidding_rule: NotRequired[Literal["free", "suicide", "mirror", "whiz"]]
    suicide_minimum: NotRequired[int]
    first_bidder: NotRequired[Literal["left", "dealer", "other_side"]]
    second_round: NotRequired[bool]
    forbid_total_13: NotRequired[bool]
    forbidden_total: NotRequired[int | None]
    least_total: NotRequired[int | None]
    first_hand_bids_itself: NotRequired[bool]
    minimum_bid: NotRequired[int]
    zero_bid: NotRequired[bool]
    nil: NotRequired[bool]
    nil_value: NotRequired[int]
    nil_failure: NotRequired[int | None]
    double_nil: NotRequired[bool]
    double_nil_value: NotRequired[int]
    double_nil_deficit: NotRequired[int | None]
    nil_exchange: NotRequired[int]
    double_nil_exchange: NotRequired[int]
    failed_nil_tricks: NotRequired[Literal["count", "bags_only", "ignore"]]
    tricks_without_contract: NotRequired[Literal["ignore", "overtricks"]]
    both_nil: NotRequired[Literal["separate", "unit"]]
    both_nil_value: NotRequired[int]
    double_blind_nil: NotRequired[bool]
    double_blind_nil_value: NotRequired[int]
    double_blind_nil_deficit: NotRequired[int | None]
    blind_bid: NotRequired[bool]
    blind_bid_min: NotRequired[int]
    blind_reward: NotRequired[Literal["double", "bonus100"]]
    blind_failure: NotRequired[Literal["double", "single"]]
    blind_exact: NotRequired[bool]
    blind_exact_over: NotRequired[Literal["fail", "normal"]]
    blind_deficit: NotRequired[int | None]
    moon: NotRequired[bool]
    moon_value: NotRequired[int]
    thirteen_is_moon: NotRequired[bool]
    blind_moon: NotRequired[bool]
    blind_moon_value: NotRequired[int]
    blind_moon_deficit: NotRequired[int | None]
    first_trick: NotRequired[Literal["normal", "lowest_club", "lowest_club_strict"]]
    first_trick_spades: NotRequired[Literal["free", "forbidden"]]
    first_leader: NotRequired[Literal["dealer_left", "club_two", "highest_bidder"]]
    club_two_must_lead: NotRequired[bool]
    lead_spades_anytime: NotRequired[bool]
    set_penalty: NotRequired[Literal["bid", "shortfall", "none"]]
    overtrick: NotRequired[Literal["plus1", "minus1", "minus10", "zero"]]
    sandbag: NotRequired[bool]
    bag_threshold: NotRequired[int]
    bag_penalty: NotRequired[int]
    bag_trigger: NotRequired[Literal["reach", "exceed"]]
    penalty_when_negative: NotRequired[bool]
    bag_reset: NotRequired[Literal["carry", "empty"]]
    ten_bonus: NotRequired[Literal["none", "plus200", "exact200", "ten_for_two", "flat200", "flat200_up"]]
    ten_bonus_value: NotRequired[int]
    ten_bonus_failure: NotRequired[Literal["add", "replace", "none"]]
    last_trick_bonus: NotRequired[bool]
    last_sequence_bonus: NotRequired[bool]
    above_six_bonus: NotRequired[bool]
    small_bid_special: NotRequired[bool]
    all_tricks_bonus: NotRequired[int]
    target: NotRequired[int | None]
    deals_limit: NotRequired[int | None]
    sets_lose: NotRequired[int | None]
    sets_in_row_lose: NotRequired[int | None]
    all_tricks_wins: NotRequired[bool]
    moon_wins: NotRequired[bool]
    loss_limit: NotRequired[int | None]
    final_tie: NotRequired[Literal["extra_deal", "shared"]]
    revoke_remedy: NotRequired[Literal["none", "tricks", "tricks_lost", "set", "bid_raised"]]
    revoke_tricks: NotRequired[int]
    challenge_lost: NotRequired[Literal["none", "same", "tricks_lost"]]
    out_of_turn_remedy: NotRequired[Literal["none", "as_revoke", "tricks_lost"]]
    talk_remedy: NotRequired[Literal["none", "warning_then_tricks", "tricks_lost"]]
    misdeal_dealer: NotRequired[Literal["none", "same", "next"]]

class SpadesPlayMove(TypedDict):
    """A card and the seat that played it."""

    type: Literal["play"]
    seat: str
    card: CardText

class SpadesPlayed(TypedDict):
    """A card and the seat that played it."""

    seat: str
    card: CardText

class SpadesPosition(TypedDict):
    """What is known of the table when a move is judged. What is left out is not known."""

    seats: Sequence[str]
    dealer: NotRequired[str | None]
    phase: NotRequired[Literal["bidding", "play"]]
    totals: NotRequired[Mapping[str, int] | None]
    calls: NotRequired[Sequence[SpadesCall] | None]
    trick: NotRequired[Sequence[SpadesPlayed]]
    trick_number: NotRequired[int | None]
    leader: NotRequired[str | None]
    spades_broken: NotRequired[bool | None]
    hand: NotRequired[Sequence[CardText] | None]
    played: NotRequired[Sequence[CardText] | None]
    previous_dealer: NotRequired[str | None]
    turns: NotRequired[Sequence[str] | None]
    hands: NotRequired[Mapping[str, Sequence[CardText]] | None]

class SpadesReplay(TypedDict):
    """A recorded deal: who sat where, and what was called and played in order."""

    rules: NotRequired[SpadesHouseRules]
    seats: Sequence[str]
    dealer: NotRequired[str | None]
    totals: NotRequired[Mapping[str, int]]
    calls: NotRequired[Sequence[SpadesCall] | None]
    plays: Sequence[SpadesPlayed]
    leader: NotRequired[str | None]
    hands: NotRequired[Mapping[str, Sequence[CardText]] | None]
    exchanges: NotRequired[Sequence[SpadesExchange]]
    discards: NotRequired[Sequence[CardText]]
    game: NotRequired[Literal["spades"]]
    title: NotRequired[str]
    witness: NotRequired[bool]

class SpadesReplayAnswer(TypedDict):
    """A verdict for each move, findings in retrospect, and the result ready to be posted to `score`."""

    tables: list[SpadesTable]
    tricks: list[SpadesTrick]
    complete: bool
    sides: list[ScoredSide]
    result: SpadesDeal | None
    verdicts: list[SpadesReplayedVerdict]
    findings: list[Finding]

class SpadesReplayed(TypedDict):
    """A call, an exchange, or a card with its trick."""

    type: Literal["call", "exchange", "play"]
    seat: NotRequired[str]
    side: NotRequired[str]
    call: NotRequired[int | Literal["nil", "double_nil", "double_blind_nil", "moon", "blind_moon", "pass"] | str]
    card: NotRequired[str]
    trick: NotRequired[int]

class SpadesReplayedVerdict(TypedDict):
    """The verdict on a move of a deal."""

    verdict: Literal["legal", "illegal", "undecided"]
    breaches: list[Breach]
    missing: list[Missing]
    because: list[Cited]
    effect: SpadesEffect
    remedy: NotRequired[Remedy]
    witness: NotRequired[Witness]
    settled: Literal["legal", "illegal", None]
    move: SpadesReplayed

class SpadesRules(TypedDict):
    """House rules written out."""

    preset: str
    options: SpadesOptions
    code: str
    summary: dict[str, str]
    warnings: list[Notice]

class SpadesScore(TypedDict):
    """A game as entered: who plays, with which rules, and what was counted after each deal."""

    game: NotRequired[Literal["spades"]]
    title: NotRequired[str]
    rules: NotRequired[SpadesHouseRules]
    sides: Sequence[str | Side]
    opening: NotRequired[Mapping[str, Opening]]
    deals: Sequence[SpadesDeal]

class SpadesSideFacts(TypedDict):
    """What a side undertook and took."""

    bid: NotRequired[int | None]
    tricks: int
    call: NotRequired[Literal["normal", "blind", "moon", "blind_moon"]]
    nils: NotRequired[Sequence[SpadesNil]]
    last_tricks: NotRequired[Sequence[CardText]]

class SpadesTable(TypedDict):
    """The table after a move; during the bidding it has no trick."""

    phase: Literal["bidding", "play"]
    next: str | None
    trick_number: NotRequired[int]
    trick: NotRequired[list[SpadesPlayed]]
    winner: NotRequired[str | None]
    spades_broken: NotRequired[bool]
    hands: NotRequired[dict[str, int]]

class SpadesTrick(TypedDict):
    """A trick: its cards in order, who led it and who won it."""

    leader: str
    cards: list[str]
    winner: str | None

class SpadesVerdict(TypedDict):
    """The judge's answer: every breach, every missing fact, what allows the move, what it changes."""

    verdict: Literal["legal", "illegal", "undecided"]
    breaches: list[Breach]
    missing: list[Missing]
    because: list[Cited]
    effect: SpadesEffect
    remedy: NotRequired[Remedy]
    witness: NotRequired[Witness]

class SpiteAndMaliceBecause(TypedDict):
    """An article that asks for a play."""

    article: str
    text: str
    facts: dict[str, Fact]
    url: str

class SpiteAndMaliceCheck(TypedDict):
    """A move and the position it is made in, as far as they are known."""

    game: NotRequired[Literal["spite-and-malice"]]
    title: NotRequired[str]
    rules: NotRequired[SpiteAndMaliceHouseRules]
    position: SpiteAndMalicePosition
    move: (
        SpiteAndMalicePlayMove
        | SpiteAndMaliceDiscardMove
        | SpiteAndMaliceRefillMove
        | SpiteAndMaliceEndTurnMove
        | SpiteAndMaliceCompleteMove
        | SpiteAndMaliceRecycleMove
        | SpiteAndMaliceSecondChanceMove
        | SpiteAndMaliceRedealMove
        | SpiteAndMaliceStartMove
        | SpiteAndMaliceDealMove
        | SpiteAndMaliceClaimWinMove
        | SpiteAndMaliceClaimStalemateMove
    )
    witness: NotRequired[bool]

class SpiteAndMaliceClaimStalemateMove(TypedDict):
    """The claim that nobody can finish the deal."""

    type: Literal["claim_stalemate"]
    seat: NotRequired[str | None]

class SpiteAndMaliceClaimWinMove(TypedDict):
    """`I am out`."""

    type: Literal["claim_win"]
    seat: NotRequired[str | None]

class SpiteAndMaliceCompleteMove(TypedDict):
    """A completed centre stack, and what is done with it."""

    type: Literal["complete"]
    seat: NotRequired[str | None]
    stack: int
    do: Literal["stay", "set_aside", "shuffle_now"]

class SpiteAndMaliceCompulsory(TypedDict):
    """Plays of which at least one must be made before the turn ends."""

    moves: list[SpiteAndMaliceListedMove]
    at_least: int
    because: list[SpiteAndMaliceBecause]

class SpiteAndMaliceDeal(TypedDict):
    """A deal of Spite and Malice: who went out, and the pay-off cards that the others have left."""

    adjustments: NotRequired[Sequence[Adjustment]]
    void: NotRequired[bool]
    accept: NotRequired[Sequence[Accepted]]
    irregularities: NotRequired[Sequence[Irregularity]]
    winner: str | None
    remaining: Mapping[str, int]
    settled_by: NotRequired[Literal["draw", "compare"]]

class SpiteAndMaliceDealMove(TypedDict):
    """Counts after the deal."""

    type: Literal["deal"]
    seat: NotRequired[str | None]
    stock: NotRequired[int | None]
    payoffs: NotRequired[Mapping[str, int]]
    hands: NotRequired[Mapping[str, int]]
    side_stacks: NotRequired[Mapping[str, int]]
    centre_stacks: NotRequired[int | None]

SpiteAndMaliceDiscardMove = TypedDict(
    "SpiteAndMaliceDiscardMove",
    {
        "type": Literal["discard"],
        "seat": NotRequired[str | None],
        "to": Literal["new"] | int,
        "card": NotRequired[CardText | None],
        "from": NotRequired[
            Literal[
                "hand",
                "payoff",
                "side",
                "partner_payoff",
                "partner_side",
                "partner_hand",
                "opponent_payoff",
                "opponent_side",
                "opponent_hand",
                "centre",
                "stock",
            ]
        ],
        "owner": NotRequired[Literal["own", "partner", "opponent"]],
    },
)

SpiteAndMaliceEffect = TypedDict(
    "SpiteAndMaliceEffect",
    {
        "over": NotRequired[bool],
        "winner": NotRequired[str | None],
        "settled_by": NotRequired[str],
        "turn_ends": NotRequired[bool],
        "next": NotRequired[str],
        "hand_count": NotRequired[int],
        "refill": NotRequired[int],
        "stock": NotRequired[int],
        "cards": NotRequired[int],
        "side_stacks": NotRequired[list[list[str]]],
        "centre_stacks": NotRequired[list[str | None]],
        "as": NotRequired[str],
        "completed": NotRequired[str],
        "payoff_left": NotRequired[int],
        "partner_payoff_left": NotRequired[int],
        "turn_up": NotRequired[bool],
        "played_ace_or_two": NotRequired[bool],
        "redo": NotRequired[str],
        "first": NotRequired[str],
        "recycled": NotRequired[str],
        "under_stock": NotRequired[bool],
        "phase": NotRequired[Literal["normal", "second_chance"]],
    },
)

class SpiteAndMaliceEndTurnMove(TypedDict):
    """The spoken end of a turn."""

    type: Literal["end_turn"]
    seat: NotRequired[str | None]

class SpiteAndMaliceHouseRules(TypedDict):
    """The rules agreed at the table: a preset and what differs from it. Given options override others."""

    preset: NotRequired[
        Literal[
            "blackwood",
            "blackwood108",
            "massachusetts",
            "pagat",
            "partners4",
            "partners6",
            "skipbo_like",
            "hoyle",
            "alone3",
            "alone4",
            "skip_bo",
        ]
    ]
    options: NotRequired[SpiteAndMaliceOptions]

SpiteAndMaliceListedMove = TypedDict(
    "SpiteAndMaliceListedMove",
    {
        "type": str,
        "from": NotRequired[str],
        "card": NotRequired[str],
        "stack": NotRequired[int],
        "to": NotRequired[int | SpiteAndMaliceOntoSide | str],
        "count": NotRequired[int],
        "what": NotRequired[str],
        "by": NotRequired[str],
        "first": NotRequired[str],
    },
)

class SpiteAndMaliceMoves(TypedDict):
    """A position."""

    rules: NotRequired[SpiteAndMaliceHouseRules]
    position: SpiteAndMalicePosition
    game: NotRequired[Literal["spite-and-malice"]]
    title: NotRequired[str]

class SpiteAndMaliceMovesAnswer(TypedDict):
    """What can be done."""

    moves: list[SpiteAndMaliceListedMove]
    compulsory: list[SpiteAndMaliceCompulsory]
    side_stacks: list[SpiteAndMaliceOffer]
    missing: list[Missing]

class SpiteAndMaliceOffer(TypedDict):
    """What a side stack accepts."""

    to: int | str
    accepts: list[str]

class SpiteAndMaliceOntoSide(TypedDict):
    """A side stack of one's own, which only discards may go to."""

    side: int

class SpiteAndMaliceOptions(TypedDict):
    """The options of Spite and Malice."""

    players: NotRequired[Literal[2, 3, 4, 5, 6]]
    partners: NotRequired[Literal["off", "opposite"]]
    packs: NotRequired[Literal[2, 3, 4, 5]]
    jokers: NotRequired[Literal[4, 6, 8, 10, 0]]
    wild: NotRequired[Sequence[Literal["K", "joker"]]]
    top_rank: NotRequired[Literal["K", "Q"]]
    deal_mode: NotRequired[Literal["split", "single", "payoff_from_one_pack"]]
    payoff_size: NotRequired[int]
    initial_hand: NotRequired[Literal["dealt", "drawn_first_turn"]]
    starts: NotRequired[Literal["highest_payoff", "left_of_dealer", "dealer", "any"]]
    refill_at: NotRequired[Literal["start", "end"]]
    side_start: NotRequired[Literal[0, 1, 4]]
    start_tie: NotRequired[Literal["suit", "reshuffle", "bury"]]
    start_wild: NotRequired[Literal["redraw", "high", "low"]]
    centre_max: NotRequired[Literal[3, 4, 8, None]]
    centre_done: NotRequired[Literal["stay", "set_aside", "shuffle_now"]]
    wild_as_ace: NotRequired[bool]
    wild_as_seven: NotRequired[bool]
    discard_rule: NotRequired[Literal["same_or_lower", "free"]]
    discard_ace: NotRequired[bool]
    discard_required: NotRequired[bool]
    midturn_refill: NotRequired[Literal["may", "must"]]
    after_last_discard: NotRequired[Literal["end", "refill_and_replay"]]
    mandatory: NotRequired[Sequence[Literal["payoff_ace", "payoff_two", "side_ace", "side_two", "hand_ace"]]]
    mandatory_timing: NotRequired[Literal["before_turn_end", "immediate"]]
    mandatory_scope: NotRequired[Literal["own", "own_and_partner"]]
    block_two: NotRequired[Literal["strict", "one_is_enough", "payoff_only", "off"]]
    recycle_threshold: NotRequired[int]
    recycle_by: NotRequired[Literal["opponent", "anyone"]]
    recycle_source: NotRequired[Literal["complete_then_incomplete", "complete_only", "none"]]
    stock_out: NotRequired[Literal["play_on", "draw", "compare"]]
    deadlock: NotRequired[Literal["second_chance_redeal", "draw", "compare", "none"]]
    second_chance_scope: NotRequired[Literal["both", "until_broken"]]
    score_bonus: NotRequired[Literal[0, 5, 25]]
    score_per_card: NotRequired[Literal[1, 5]]
    stalemate_score: NotRequired[Literal["none", "difference"]]
    match: NotRequired[Literal["single", "target", "deals"]]
    target: NotRequired[int]
    match_deals: NotRequired[int]
    card_names: NotRequired[Literal["playing", "numbered"]]

class SpiteAndMalicePiles(TypedDict):
    """What lies in front of one player."""

    payoff: NotRequired[CardText | None]
    payoff_left: NotRequired[int | None]
    side_stacks: NotRequired[Sequence[Sequence[CardText]] | None]

SpiteAndMalicePlayMove = TypedDict(
    "SpiteAndMalicePlayMove",
    {
        "type": Literal["play"],
        "seat": NotRequired[str | None],
        "from": Literal[
            "hand",
            "payoff",
            "side",
            "partner_payoff",
            "partner_side",
            "partner_hand",
            "opponent_payoff",
            "opponent_side",
            "opponent_hand",
            "centre",
            "stock",
        ],
        "to": Literal["new"] | SpiteAndMaliceOntoSide | int,
        "card": NotRequired[CardText | None],
        "stack": NotRequired[int | None],
        "depth": NotRequired[int],
    },
)

class SpiteAndMalicePosition(TypedDict):
    """The table before one move. What is left out is not known; an unknown stock is plenty."""

    payoff: NotRequired[CardText | None]
    payoff_left: NotRequired[int | None]
    side_stacks: NotRequired[Sequence[Sequence[CardText]] | None]
    centre_stacks: NotRequired[Sequence[CardText] | None]
    players: Sequence[str]
    player: str
    partner: NotRequired[SpiteAndMalicePiles | None]
    hand: NotRequired[Sequence[CardText] | None]
    hand_count: NotRequired[int | None]
    stock: NotRequired[int | None]
    refilled: NotRequired[bool]
    discarded: NotRequired[bool]
    phase: NotRequired[Literal["normal", "second_chance", None]]
    played_ace_or_two: NotRequired[bool]
    turns: NotRequired[Sequence[SpiteAndMaliceTurn] | None]
    complete: NotRequired[int | None]
    set_aside: NotRequired[int | None]
    incomplete: NotRequired[int | None]
    payoff_tops: NotRequired[Mapping[str, CardText | None] | None]
    over: NotRequired[bool]
    dealer: NotRequired[str | None]

class SpiteAndMaliceRecordedClaimStalemateMove(TypedDict):
    """The claim that nobody can finish the deal."""

    turned: NotRequired[CardText | None]
    cards: NotRequired[Sequence[CardText] | None]
    payoff_tops: NotRequired[Mapping[str, CardText] | None]
    type: Literal["claim_stalemate"]
    hands: NotRequired[Mapping[str, Sequence[CardText]] | None]
    seat: NotRequired[str | None]

class SpiteAndMaliceRecordedClaimWinMove(TypedDict):
    """`I am out`."""

    turned: NotRequired[CardText | None]
    cards: NotRequired[Sequence[CardText] | None]
    payoff_tops: NotRequired[Mapping[str, CardText] | None]
    type: Literal["claim_win"]
    hands: NotRequired[Mapping[str, Sequence[CardText]] | None]
    seat: NotRequired[str | None]

class SpiteAndMaliceRecordedCompleteMove(TypedDict):
    """A completed centre stack, and what is done with it."""

    turned: NotRequired[CardText | None]
    cards: NotRequired[Sequence[CardText] | None]
    payoff_tops: NotRequired[Mapping[str, CardText] | None]
    type: Literal["complete"]
    hands: NotRequired[Mapping[str, Sequence[CardText]] | None]
    seat: NotRequired[str | None]
    stack: int
    do: Literal["stay", "set_aside", "shuffle_now"]

class SpiteAndMaliceRecordedDealMove(TypedDict):
    """Counts after the deal."""

    turned: NotRequired[CardText | None]
    cards: NotRequired[Sequence[CardText] | None]
    payoff_tops: NotRequired[Mapping[str, CardText] | None]
    type: Literal["deal"]
    seat: NotRequired[str | None]
    stock: NotRequired[int | None]
    payoffs: NotRequired[Mapping[str, int]]
    hands: NotRequired[Mapping[str, int]]
    side_stacks: NotRequired[Mapping[str, int]]
    centre_stacks: NotRequired[int | None]

SpiteAndMaliceRecordedDiscardMove = TypedDict(
    "SpiteAndMaliceRecordedDiscardMove",
    {
        "turned": NotRequired[CardText | None],
        "cards": NotRequired[Sequence[CardText] | None],
        "payoff_tops": NotRequired[Mapping[str, CardText] | None],
        "type": Literal["discard"],
        "hands": NotRequired[Mapping[str, Sequence[CardText]] | None],
        "corrected": NotRequired[bool],
        "seat": NotRequired[str | None],
        "to": Literal["new"] | int,
        "card": NotRequired[CardText | None],
        "from": NotRequired[
            Literal[
                "hand",
                "payoff",
                "side",
                "partner_payoff",
                "partner_side",
                "partner_hand",
                "opponent_payoff",
                "opponent_side",
                "opponent_hand",
                "centre",
                "stock",
            ]
        ],
        "owner": NotRequired[Literal["own", "partner", "opponent"]],
    },
)

class SpiteAndMaliceRecordedEndTurnMove(TypedDict):
    """The spoken end of a turn."""

    turned: NotRequired[CardText | None]
    cards: NotRequired[Sequence[CardText] | None]
    payoff_tops: NotRequired[Mapping[str, CardText] | None]
    type: Literal["end_turn"]
    hands: NotRequired[Mapping[str, Sequence[CardText]] | None]
    seat: NotRequired[str | None]

SpiteAndMaliceRecordedPlayMove = TypedDict(
    "SpiteAndMaliceRecordedPlayMove",
    {
        "turned": NotRequired[CardText | None],
        "cards": NotRequired[Sequence[CardText] | None],
        "payoff_tops": NotRequired[Mapping[str, CardText] | None],
        "type": Literal["play"],
        "hands": NotRequired[Mapping[str, Sequence[CardText]] | None],
        "corrected": NotRequired[bool],
        "seat": NotRequired[str | None],
        "from": Literal[
            "hand",
            "payoff",
            "side",
            "partner_payoff",
            "partner_side",
            "partner_hand",
            "opponent_payoff",
            "opponent_side",
            "opponent_hand",
            "centre",
            "stock",
        ],
        "to": Literal["new"] | SpiteAndMaliceOntoSide | int,
        "card": NotRequired[CardText | None],
        "stack": NotRequired[int | None],
        "depth": NotRequired[int],
    },
)

class SpiteAndMaliceRecordedRecycleMove(TypedDict):
    """Centre stacks shuffled and put under the stock."""

    turned: NotRequired[CardText | None]
    cards: NotRequired[Sequence[CardText] | None]
    payoff_tops: NotRequired[Mapping[str, CardText] | None]
    type: Literal["recycle"]
    hands: NotRequired[Mapping[str, Sequence[CardText]] | None]
    seat: NotRequired[str | None]
    what: Literal["complete", "incomplete"]
    by: Literal["opponent", "player"]

class SpiteAndMaliceRecordedRedealMove(TypedDict):
    """All cards but the pay-off piles dealt again."""

    turned: NotRequired[CardText | None]
    cards: NotRequired[Sequence[CardText] | None]
    payoff_tops: NotRequired[Mapping[str, CardText] | None]
    type: Literal["redeal"]
    hands: NotRequired[Mapping[str, Sequence[CardText]] | None]
    seat: NotRequired[str | None]
    first: str

class SpiteAndMaliceRecordedRefillMove(TypedDict):
    """Cards drawn from the stock."""

    turned: NotRequired[CardText | None]
    cards: NotRequired[Sequence[CardText] | None]
    payoff_tops: NotRequired[Mapping[str, CardText] | None]
    type: Literal["refill"]
    hands: NotRequired[Mapping[str, Sequence[CardText]] | None]
    seat: NotRequired[str | None]
    count: int

class SpiteAndMaliceRecordedSecondChanceMove(TypedDict):
    """The announcement that everybody gets one further turn."""

    turned: NotRequired[CardText | None]
    cards: NotRequired[Sequence[CardText] | None]
    payoff_tops: NotRequired[Mapping[str, CardText] | None]
    type: Literal["second_chance"]
    hands: NotRequired[Mapping[str, Sequence[CardText]] | None]
    seat: NotRequired[str | None]

class SpiteAndMaliceRecordedStartMove(TypedDict):
    """Who plays first, or how the tops of the pay-off piles are turned up anew."""

    turned: NotRequired[CardText | None]
    cards: NotRequired[Sequence[CardText] | None]
    payoff_tops: NotRequired[Mapping[str, CardText] | None]
    type: Literal["start"]
    hands: NotRequired[Mapping[str, Sequence[CardText]] | None]
    seat: NotRequired[str | None]
    first: NotRequired[str | None]
    redo: NotRequired[Literal["reshuffle", "bury", "redraw", None]]

class SpiteAndMaliceRecordedTurn(TypedDict):
    """The moves of one turn."""

    player: NotRequired[str | None]
    seat: NotRequired[str | None]
    moves: Sequence[
        SpiteAndMaliceRecordedPlayMove
        | SpiteAndMaliceRecordedDiscardMove
        | SpiteAndMaliceRecordedRefillMove
        | SpiteAndMaliceRecordedEndTurnMove
        | SpiteAndMaliceRecordedCompleteMove
        | SpiteAndMaliceRecordedRecycleMove
        | SpiteAndMaliceRecordedSecondChanceMove
        | SpiteAndMaliceRecordedRedealMove
        | SpiteAndMaliceRecordedStartMove
        | SpiteAndMaliceRecordedDealMove
        | SpiteAndMaliceRecordedClaimWinMove
        | SpiteAndMaliceRecordedClaimStalemateMove
    ]

class SpiteAndMaliceRecycleMove(TypedDict):
    """Centre stacks shuffled and put under the stock."""

    type: Literal["recycle"]
    seat: NotRequired[str | None]
    what: Literal["complete", "incomplete"]
    by: Literal["opponent", "player"]

class SpiteAndMaliceRedealMove(TypedDict):
    """All cards but the pay-off piles dealt again."""

    type: Literal["redeal"]
    seat: NotRequired[str | None]
    first: str

class SpiteAndMaliceRefillMove(TypedDict):
    """Cards drawn from the stock."""

    type: Literal["refill"]
    seat: NotRequired[str | None]
    count: int

class SpiteAndMaliceReplay(TypedDict):
    """A recorded deal: who played, what was turned up, and every move in order."""

    rules: NotRequired[SpiteAndMaliceHouseRules]
    players: NotRequired[Sequence[str]]
    seats: NotRequired[Sequence[str]]
    turns: Sequence[
        SpiteAndMaliceRecordedTurn
        | SpiteAndMaliceRecordedPlayMove
        | SpiteAndMaliceRecordedDiscardMove
        | SpiteAndMaliceRecordedRefillMove
        | SpiteAndMaliceRecordedEndTurnMove
        | SpiteAndMaliceRecordedCompleteMove
        | SpiteAndMaliceRecordedRecycleMove
        | SpiteAndMaliceRecordedSecondChanceMove
        | SpiteAndMaliceRecordedRedealMove
        | SpiteAndMaliceRecordedStartMove
        | SpiteAndMaliceRecordedDealMove
        | SpiteAndMaliceRecordedClaimWinMove
        | SpiteAndMaliceRecordedClaimStalemateMove
    ]
    payoff_tops: NotRequired[Mapping[str, CardText] | None]
    hands: NotRequired[Mapping[str, Sequence[CardText]] | None]
    side_stacks: NotRequired[Mapping[str, Sequence[Sequence[CardText]]] | None]
    first: NotRequired[str | None]
    dealer: NotRequired[str | None]
    game: NotRequired[Literal["spite-and-malice"]]
    title: NotRequired[str]
    witness: NotRequired[bool]

class SpiteAndMaliceReplayAnswer(TypedDict):
    """A verdict for each move, findings in retrospect, and the result ready to be posted to `score`."""

    tables: list[SpiteAndMaliceTable]
    complete: bool
    sides: list[ScoredSide]
    result: SpiteAndMaliceDeal | None
    state: SpiteAndMalicePosition
    piles: dict[str, SpiteAndMaliceSeatPiles]
    verdicts: list[SpiteAndMaliceReplayedVerdict]
    findings: list[Finding]

SpiteAndMaliceReplayedMove = TypedDict(
    "SpiteAndMaliceReplayedMove",
    {
        "type": str,
        "from": NotRequired[str],
        "card": NotRequired[str],
        "stack": NotRequired[int],
        "to": NotRequired[int | SpiteAndMaliceOntoSide | str],
        "count": NotRequired[int],
        "what": NotRequired[str],
        "by": NotRequired[str],
        "first": NotRequired[str],
        "turn": int,
        "seat": str,
        "depth": NotRequired[int],
        "owner": NotRequired[str],
        "do": NotRequired[str],
        "redo": NotRequired[str],
        "stock": NotRequired[int],
        "payoffs": NotRequired[dict[str, int]],
        "side_stacks": NotRequired[dict[str, int]],
        "centre_stacks": NotRequired[int],
    },
)

class SpiteAndMaliceReplayedVerdict(TypedDict):
    """The verdict on a move of a deal."""

    verdict: Literal["legal", "illegal", "undecided"]
    breaches: list[Breach]
    missing: list[Missing]
    because: list[Cited]
    effect: SpiteAndMaliceEffect
    remedy: NotRequired[Remedy]
    witness: NotRequired[Witness]
    settled: Literal["legal", "illegal", None]
    move: SpiteAndMaliceReplayedMove

class SpiteAndMaliceRules(TypedDict):
    """House rules written out."""

    preset: str
    options: SpiteAndMaliceOptions
    code: str
    summary: dict[str, str]
    warnings: list[Notice]

class SpiteAndMaliceScore(TypedDict):
    """A game as entered: who plays, with which rules, and what was counted after each deal."""

    game: NotRequired[Literal["spite-and-malice"]]
    title: NotRequired[str]
    rules: NotRequired[SpiteAndMaliceHouseRules]
    sides: Sequence[str | Side]
    opening: NotRequired[Mapping[str, Opening]]
    deals: Sequence[SpiteAndMaliceDeal]

class SpiteAndMaliceSeatPiles(TypedDict):
    """What lies in front of a player."""

    payoff: NotRequired[str | None]
    payoff_left: NotRequired[int]
    side_stacks: NotRequired[list[list[str]]]
    hand_count: NotRequired[int]

class SpiteAndMaliceSecondChanceMove(TypedDict):
    """The announcement that everybody gets one further turn."""

    type: Literal["second_chance"]
    seat: NotRequired[str | None]

class SpiteAndMaliceStartMove(TypedDict):
    """Who plays first, or how the tops of the pay-off piles are turned up anew."""

    type: Literal["start"]
    seat: NotRequired[str | None]
    first: NotRequired[str | None]
    redo: NotRequired[Literal["reshuffle", "bury", "redraw", None]]

class SpiteAndMaliceTable(TypedDict):
    """The table after a move."""

    player: str
    phase: Literal["normal", "second_chance"]
    centre_stacks: list[str]
    set_aside: int
    stock: int
    piles: dict[str, SpiteAndMaliceSeatPiles]
    over: bool

class SpiteAndMaliceTurn(TypedDict):
    """One finished turn: who, and whether a card went to the centre or was discarded."""

    player: str
    acted: bool

class SpiteAndMaliceVerdict(TypedDict):
    """The judge's answer: every breach, every missing fact, what allows the move, what it changes."""

    verdict: Literal["legal", "illegal", "undecided"]
    breaches: list[Breach]
    missing: list[Missing]
    because: list[Cited]
    effect: SpiteAndMaliceEffect
    remedy: NotRequired[Remedy]
    witness: NotRequired[Witness]

class Standing(TypedDict):
    """Where a side stands. Tallies such as `bags` are beside the total."""

    total: int
    bags: NotRequired[int]
    sets: NotRequired[int]
    sets_in_row: NotRequired[int]

class Step(TypedDict):
    """One count of a proof."""

    text: str
    facts: dict[str, Fact]

class Term(TypedDict):
    """A term of the glossary."""

    id: str
    title: str
    text: str
    markdown: str
    url: str

class Warning(TypedDict):
    """A problem that was recorded anyway."""

    pointer: str
    code: str
    detail: str
    article: NotRequired[str]
    url: NotRequired[str]
    acceptable: NotRequired[bool]
    contextual: NotRequired[bool]
    facts: NotRequired[dict[str, Fact]]
    allowed: NotRequired[list[str | int | bool | None]]
    witness: NotRequired[Contradiction]
    reason: str | None

class Witness(TypedDict):
    """What shows a verdict to be right."""

    worlds: NotRequired[Literal["none"]]
    seat: NotRequired[str]
    legal: NotRequired[World]
    illegal: NotRequired[World]
    changed: NotRequired[list[str]]
    world: NotRequired[World]
    facts: NotRequired[list[str]]
    chain: NotRequired[list[Step]]
    text: NotRequired[list[str]]

class World(TypedDict):
    """One way in which the hidden cards can lie; facts of the table that were open have a value, too."""

    hands: NotRequired[dict[str, list[str]]]
    bags: NotRequired[int]
    sets: NotRequired[int]
    sets_in_row: NotRequired[int]

"""The complete rules of presets and random tables say what the game's code does: numbers, points, articles."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from companion.data import LANGUAGES
from companion.engine.game import score
from companion.engine.problems import Refused
from companion.games import GAMES
from companion.games.casino.table import alone_values, full_pack, hand_values
from tests.pairs.arrays import array, third
from tests.rulebook.readings import READINGS
from tests.rulebook.tables import codes, numbers, told

HERE = Path(__file__).parent
TABLES = 20
"""Random tables of each game in one round."""

games = pytest.mark.parametrize("game", GAMES)


def rules_of(game: str, code: str) -> Any:
    return GAMES[game].options.decode(code).options


# Numbers of the deal ------------------------------------------------------------------------------------------------

SELDOM = {
    "spades": ("modern~mb-13~mo-1~tm-1",),
    "casino": ("book~d-49~pp-off~mj-two_sides_only", "swazi~dl-fours~d-49~pp-off"),
    "spite-and-malice": ("blackwood~m-deals~n-7", "skip_bo", "partners6~pk-4~jk-0~w-K~tr-Q", "partners4~jk-0~w-K~tr-Q"),
}
"""Tables whose words random ones may not have."""


@games
def test_numbers_on_the_page_are_those_of_the_games_code(game: str, soak_round: int) -> None:
    read: set[tuple[int, str]] = set()
    wrong = []
    for code in [*codes(game, TABLES, soak_round), *SELDOM.get(game, ())]:
        rules = rules_of(game, code)
        for lang in LANGUAGES:
            text = told(game, lang, code).whole
            for place, reading in enumerate(READINGS.get(game, ())):  # the pad deals no cards
                for words, number in reading.found(lang, text):
                    read.add((place, lang))
                    if number != str(reading.fact(rules)):
                        wrong.append(f"{code} {lang}: {words!r}, not {reading.fact(rules)}")
    assert wrong == []
    assert {(place, lang) for place in range(len(READINGS.get(game, ()))) for lang in LANGUAGES} - read == set()


ELSEWHERE = {
    "en": re.compile(r"\b[Hh]ere[,:]|\b[Hh]ere (?:every|as|the)\b|\bon (?:the|this) table:"),
    "ja": re.compile("ここでは|このテーブル"),
}

# Options ------------------------------------------------------------------------------------------------------------


@games
def test_an_article_shows_the_value_of_its_option_and_not_the_usual_one(game: str, soak_round: int) -> None:
    """Where the article that explains a number prints the default, it prints the table's own number too."""
    options, shown, wrong = GAMES[game].options, set(), []
    for code in codes(game, TABLES, soak_round):
        rules = rules_of(game, code)
        for option in options.options.values():
            value = getattr(rules, option.name)
            if option.kind != "number" or option.choices or value in (option.default, None, 0):
                continue  # words say 0: "only when a draw falls short"
            if not options.has_effect(option.name, rules):
                continue
            for lang in LANGUAGES:
                for article in option.articles:
                    text = numbers(told(game, lang, code).articles.get(article.partition(".")[2], ""))
                    if str(abs(value)) in text:
                        shown.add(option.name)
                    elif option.default is not None and str(option.default) in text:
                        wrong.append(f"{code} {lang}: {article} says {option.default}, not {option.name} {value}")
    assert wrong == []
    assert shown


@games
def test_no_page_of_a_table_speaks_of_here_as_if_it_were_elsewhere(game: str, soak_round: int) -> None:
    """The page is the table's: a value is in its sentence, not behind a label that can contradict it."""
    for code in codes(game, TABLES, soak_round):
        for lang in LANGUAGES:
            assert not (found := ELSEWHERE[lang].search(told(game, lang, code).whole)), (code, found)


# Articles -----------------------------------------------------------------------------------------------------------


def switches() -> Iterator[tuple[str, Mapping[str, frozenset[str]], frozenset[str], frozenset[str]]]:
    """The lines of the table: the game, the values of its options, what is then on the page and what is not."""
    for line in (HERE / "switches.txt").read_text("utf-8").splitlines():
        if line and not line.startswith("#"):
            given, _, names = line.partition(" : ")
            game, *settings = given.split()
            values = {
                name: frozenset(value.split("|")) for name, _, value in (each.partition("=") for each in settings)
            }
            on = frozenset(name[1:] for name in names.split() if name[0] == "+")
            yield game, values, on, frozenset(name[1:] for name in names.split() if name[0] == "-")


SWITCHES = list(switches())


def written(value: Any) -> str:
    """A value as the table of switches writes it."""
    if value is None or isinstance(value, bool):
        return "none" if value is None else str(int(value))
    return ("+".join(sorted(map(str, value))) or "()") if isinstance(value, tuple) else str(value)


@games
def test_articles_are_on_the_page_exactly_where_their_rule_is_switched_on(game: str, soak_round: int) -> None:
    lines = [line for line in SWITCHES if line[0] == game]
    surveys = {article.anchor for article in GAMES[game].articles if article.survey is True}
    tried: set[int] = set()
    wrong = []
    for code in [*codes(game, TABLES, soak_round), *(switched(game, values) for _, values, *_ in lines)]:
        rules = rules_of(game, code)
        there = told(game, "en", code).articles.keys()
        assert there == told(game, "ja", code).articles.keys()
        wrong += [f"{code}: {anchor} is no rule of a table" for anchor in sorted(surveys & there)]
        for place, (_, values, on, off) in enumerate(lines):
            if all(written(getattr(rules, name)) in wanted for name, wanted in values.items()):
                tried.add(place)
                wrong += [f"{code}: {anchor} is missing" for anchor in sorted(on - there)]
                wrong += [f"{code}: {anchor} is there" for anchor in sorted(off & there)]
    assert wrong == []
    assert [lines[place][1] for place in range(len(lines)) if place not in tried] == []


def switched(game: str, values: Mapping[str, frozenset[str]]) -> str:
    """The code of a table whose options have these values: the preset that comes nearest, with the rest changed."""
    options = GAMES[game].options
    for preset in options.presets:
        base = options.preset(preset).options
        given = {}
        for name, wanted in values.items():
            if written(getattr(base, name)) not in wanted:
                given[name] = next(iter(_values(options.options[name], wanted)))
        try:
            house = options.build(preset, given)
        except Refused:
            continue
        if all(written(getattr(house.options, name)) in wanted for name, wanted in values.items()):
            return options.code(house)
    raise AssertionError(f"no table of {game} has {dict(values)}")


def _values(option: Any, wanted: frozenset[str]) -> Iterator[Any]:
    for text in sorted(wanted):
        if option.kind == "choice":
            yield text
        elif option.kind == "flag":
            yield text == "1"
        elif text == "none" or text == "()":
            yield None if text == "none" else ()
        elif option.kind == "number":
            yield int(text)
        else:
            yield tuple(text.split("+")) if option.kind == "words" else text


def test_the_table_of_switches_names_articles_and_options_that_exist() -> None:
    for game, values, on, off in SWITCHES:
        assert {f"{game}.{anchor}" for anchor in on | off} <= {article.id for article in GAMES[game].articles}
        assert values.keys() <= GAMES[game].options.options.keys()
        assert on | off
    for known in GAMES.values():
        conditional = {article.anchor for article in known.articles if article.when or article.unless}
        named = {anchor for name, _, on, off in SWITCHES if name == known.id for anchor in on | off}
        assert len(conditional & named) > 2 / 3 * len(conditional), sorted(conditional - named)


# Sentences ----------------------------------------------------------------------------------------------------------

_SENTENCE = re.compile(r"[^.!?。！？\n]+[.!?。！？]")
_LEAST = {"ja": 12, "en": 25}
"""Shorter sentences, such as `Kは14です。`, may return."""


@games
def test_nothing_is_said_twice_on_the_page_of_a_table(game: str, soak_round: int) -> None:
    wrong = set()
    for code in codes(game, TABLES, soak_round):
        for lang in LANGUAGES:
            said: dict[str, str] = {}
            for anchor, text in told(game, lang, code).articles.items():
                for sentence in {each.strip() for each in _SENTENCE.findall(text)}:
                    if len(sentence) >= _LEAST[lang] and said.setdefault(sentence, anchor) != anchor:
                        wrong.add(f"{code}: {said[sentence]} and {anchor} say {sentence}")
    assert sorted(wrong) == []


# Words of what a table does not play ---------------------------------------------------------------------------------


class Unsaid(NamedTuple):
    """Words that the page of a table has only where the table plays what they are about."""

    game: str
    played: Callable[[Any], object]
    ja: str
    en: str
    denials: str = ""
    """Articles that say that it is not played."""


def _loses_tricks(rules: Any) -> bool:
    return (
        "tricks_lost" in (rules.revoke_remedy, rules.challenge_lost, rules.out_of_turn_remedy)
        or rules.talk_remedy != "none"
        or (rules.revoke_remedy == "tricks" and rules.mode in ("solo4", "solo3", "partners6"))
    )


def _moves_tricks(rules: Any) -> bool:
    return rules.revoke_remedy == "tricks" and rules.mode not in ("solo4", "solo3", "partners6")


def _has_remedy(rules: Any) -> bool:
    return rules.revoke_remedy != "none" or _loses_tricks(rules)


def _any_wild(rules: Any) -> bool:
    return not rules.wild_cards or rules.wild_as_seven


def _remedies(rules: Any) -> bool:
    return rules.building != "none" and rules.false_build_remedy != "none"


def _exchanges(rules: Any) -> bool:
    return rules.partners and rules.nil and (rules.nil_exchange or (rules.double_nil and rules.double_nil_exchange))


def _bids_freely(rules: Any) -> bool:
    return rules.bidding_rule not in ("mirror", "whiz")


def _nil_is_even(rules: Any) -> bool:
    return rules.nil_failure in (None, rules.nil_value)


def _two_aces(rules: Any) -> bool:
    return rules.ace_hand != "1" and rules.ace_table == "1or14"


def _owns_several(rules: Any) -> bool:
    """A turn with a build to take has one card of the hand, and it captures."""
    return rules.builds_per_player is None and (
        rules.table_only_build
        or not rules.keep_capturer
        or (rules.partner_build == "proven" and rules.partners == "opposite")
    )


def _adds_to_own(rules: Any) -> bool:
    proven = rules.partners == "opposite" and rules.partner_build == "proven"
    return not rules.owner_must_take or rules.table_only_build or (proven and not rules.keep_capturer)


def _idle_with_cards(rules: Any) -> bool:
    """Whether somebody can be idle who holds a card: it need not or cannot be discarded."""
    return not (rules.discard_required and rules.discard_ace and rules.discard_rule == "free")


def _compares(rules: Any) -> bool:
    return "compare" in (rules.stock_out, rules.deadlock) or rules.stalemate_score == "difference"


_FREE = "no-duties wild-never-forced second-chance-duty pagat"
UNSAID = (
    Unsaid("spades", lambda r: r.partners, "パートナー|チーム", r"\b[Pp]artner", "solo4 double-nil-behind"),
    Unsaid("spades", lambda r: not r.lead_spades_anytime, "解禁", r"too early|[Bb]roken spades|[Bb]reaks? spades"),
    Unsaid("spades", lambda r: r.counts_bags, "バッグ", r"\b[Bb]ags?\b", "no-bags"),
    Unsaid("spades", lambda r: r.digit_shows_bags, "一の位", "last digit", "bag-penalty penalty-timing"),
    Unsaid("spades", lambda r: r.mode != "partners6", "4人が2人ずつ", "Four play in two pairs"),
    Unsaid("spades", lambda r: r.bidding_rule != "suicide", "2人とも宣言したとき", "Each nil is scored"),
    Unsaid("spades", _bids_freely, "好きな数を言|より多くても少なく", "can be any number|to fewer tricks"),
    Unsaid("spades", lambda r: r.first_bidder != "dealer", "ビッドするのはノンディーラー", "non-dealer bids first"),
    Unsaid("spades", _nil_is_even, r"ない」.*すれば(\d+)点、失敗すればマイナス\1点", "no tricks: .*, won"),
    Unsaid("spades", lambda r: r.target is not None, "目標点に届いても", "reaches the target in the same"),
    Unsaid("spades", lambda r: r.set_penalty != "none", "ビッドの10倍", "loses 10 points per trick bid"),
    Unsaid("spades", lambda r: r.lowest_contract <= 2, r"\n2\s+40点", r"\n2\s+40\n"),
    Unsaid("spades", lambda r: "jokers" in r.deck, "ジョーカー", r"[Jj]oker", "pack"),
    Unsaid("spades", lambda r: "two" in r.deck, "2組のカード", r"[Tt]wo packs"),
    Unsaid("spades", lambda r: r.mode == "solo3" and r.deck != "jokers_added", "弱い2", r"\b(?:a|one) low two"),
    Unsaid("spades", lambda r: r.bidding_rule not in ("mirror", "whiz"), "、トリックの数を", "bid a number of"),
    Unsaid("spades", lambda r: r.mode not in ("solo3", "duo_draw", "duo_dummy"), "3♠、A♣", "3♠(?:,| and) A♣"),
    Unsaid("spades", lambda r: r.ten_bonus != "none", r"コントラクト(?:ちょうど)?10", r"Contract of (?:exactly )?10"),
    Unsaid("spades", lambda r: r.nil, "ニル", r"\b[Nn]ils?\b", "no-nil"),
    Unsaid("spades", lambda r: r.moon or r.blind_moon, "ムーン", r"\b[Mm]oon\b"),
    Unsaid("spades", lambda r: r.mode == "duo_dummy", "ダミー", r"\b[Dd]ummy\b"),
    Unsaid("spades", lambda r: r.mode != "duo_draw", "配られた|同じ人が配り直", r"\bdealt|deals again"),
    Unsaid("spades", _exchanges, "交換", r"[Ee]xchang", "solo4 no-nil no-exchange double-blind-nil"),
    Unsaid("spades", lambda r: r.revoke_remedy == "set", "達成したも|どちらも失敗", r"\b[Cc]redit"),
    Unsaid("spades", lambda r: r.revoke_remedy == "bid_raised", "必要な数の引き上げ", r"Raised contract"),
    Unsaid("spades", _moves_tricks, "移すトリック|移った", r"[Tt]ricks (?:that )?move\b|set off"),
    Unsaid("spades", _loses_tricks, "取り上げるトリック", r"Tricks are lost"),
    Unsaid("spades", lambda r: not _has_remedy(r), "自分から点を動かす", r"of its own accord"),
    Unsaid("spades", lambda r: r.revoke_remedy == "none", "反則かを示すだけ", r"names no penalty"),
    Unsaid("spades", lambda r: r.misdeal_dealer == "none", "かは、遊ぶ人どうしで決めて", r"yourselves whether"),
    Unsaid("spades", lambda r: not r.minimum_bid, "2人ともニルを宣言したチームに", "are both nil has no"),
    Unsaid("spades", lambda r: r.thirteen_is_moon and r.minimum_bid, "ニルの出番はありません", "no nil can stand"),
    Unsaid("casino", lambda r: r.deal == "draw", "裏向きの山札が1つ", "with the face-down stock"),
    Unsaid("casino", lambda r: r.each_spade_points, "2♠がもう|ード1枚の点", r"\d+ more for 2♠|each spade counts"),
    Unsaid("casino", lambda r: r.deck != 49 or r.majorities == "always", "く取ったチームに", "side with the most"),
    Unsaid("casino", lambda r: r.misdeal_dealer == "none", "次に配る人は、相談", r"who deals next\."),
    Unsaid("casino", lambda r: r.pile_cards != "none", "山の一番上", r"\bpile tops|on top of a pile"),
    Unsaid("casino", lambda r: r.demand, "要求", r"\b[Dd]emand", "capture-optional"),
    Unsaid("casino", lambda r: 2 in (r.cards_points, r.spades_points), "2点を2チームで", "that share 2 points"),
    Unsaid("casino", lambda r: "none" in (r.false_build_remedy, r.building), "自動で点が動く", "automatically"),
    Unsaid("casino", _remedies, "この卓で決めた処置", r"remedy of your table"),
    Unsaid("casino", lambda r: r.partners == "opposite", "パートナー", r"\b[Pp]artner", "each-alone"),
    Unsaid("casino", lambda r: r.building != "none", "ビルド", r"\b[Bb]uil[dt]", "no-building standard-turn summary"),
    Unsaid("casino", lambda r: r.trail_capturing, "取れるカードでも|、取るかどう", r"that could capture|Whether you"),
    Unsaid("casino", lambda r: r.keep_capturer, "残しておき|残す|場にあるパート", r"Keep such|must keep|is proof as"),
    Unsaid("casino", lambda r: r.table_only_build, "使わずに作|場札だけを", r"made or extended|alone can be"),
    Unsaid("casino", lambda r: r.raise_builds != "never", "点数を変え", r"\brais(?:e|ed|ing)\b", "no-raising"),
    Unsaid("casino", lambda r: r.building == "swazi", "土台", r"\bbase\b|[Aa]ugmented"),
    Unsaid("casino", lambda r: r.deal == "fours" or r.two_player_deal == "two_halves", "全部配り終え", r"left to deal"),
    Unsaid("casino", lambda r: r.demand_on_trail, "捨て札にするとき、相手", r"capture or trail, opponents"),
    Unsaid("casino", lambda r: "split" in (r.cards_tie, r.spades_tie), "減ることがあり", r"perhaps fewer"),
    Unsaid("casino", _two_aces, "重ねた組の中では、A", r"more cards an ace counts"),
    Unsaid("casino", _owns_several, "自分のビルドがいくつもあれば", r"If you own several"),
    Unsaid("casino", _adds_to_own, "どのビルドにも加え|自分のビルドに加えるだけ", r"\bto any build|Adding to your"),
    Unsaid("spite-and-malice", lambda r: r.jokers, "6人で108枚", "play with 108 cards"),
    Unsaid("spite-and-malice", lambda r: r.starts == "any", "始める人も、ディール", "and the beginning pass"),
    Unsaid("spite-and-malice", lambda r: r.wild_cards, "ワイルド", r"[Ww]ild", "wild-never-forced"),
    Unsaid("spite-and-malice", lambda r: r.mandatory_timing != "immediate", "番が終わるまでに", "before your turn may"),
    Unsaid("spite-and-malice", lambda r: r.after_last_discard == "end", "番は終わりです。", "It ends the turn\\."),
    Unsaid("spite-and-malice", lambda r: r.mandatory, "必ず出す", r"must (?:also )?be played|compulsory", _FREE),
    Unsaid("spite-and-malice", lambda r: r.players == 4, "4人でも、チーム", "Four who have not"),
    Unsaid("spite-and-malice", lambda r: r.players == 6, "6人でも、チーム", "Six who have not"),
    Unsaid("spite-and-malice", lambda r: r.second_chance_scope != "both", "せばなくな", "turn, until anybody"),
    Unsaid("spite-and-malice", lambda r: r.match == "deals", "1ディールと数え", "counts as a deal"),
    Unsaid("spite-and-malice", lambda r: r.replenished, "作り直", "replenish", "stock-low recycle-set-aside"),
    Unsaid("spite-and-malice", lambda r: r.deadlock == "none" and not r.numbered, "全員の手札", "nobody has a hand"),
    Unsaid("spite-and-malice", lambda r: r.match == "deals", "全員が勝ち|累計が並", "share the win|All level"),
    Unsaid("spite-and-malice", _compares, "人が2人以上いれば、だれの", "several have equally"),
    Unsaid("spite-and-malice", _idle_with_cards, "引いただけでは", "Drawing from the stock is"),
    Unsaid("spite-and-malice", lambda r: r.deal_mode != "single", "裏の違う組|分けやすく", "packs get mixed|sort them"),
    Unsaid("spite-and-malice", lambda r: not r.discard_required, "引かずに、そこ", "your turn there without"),
    Unsaid("spite-and-malice", lambda r: r.starts == "highest_payoff", "最初の人を決めると", "decide who plays"),
    Unsaid("spite-and-malice", lambda r: not r.side_start, "普通は起こりません", "does not normally"),
    Unsaid("spite-and-malice", lambda r: not r.centre_max, "いつでも\n", "always\n"),
    Unsaid("spite-and-malice", _any_wild, "(?<!7のほかの)どの(ランク|数)の代", "(for|as) any (rank|number)(?! b)"),
    Unsaid("spite-and-malice", lambda r: r.partners == "opposite", "パートナー", r"\b[Pp]artner(?!s?hip)", "alone"),
)  # fmt: skip


def test_no_page_of_casino_shows_a_card_that_its_pack_has_not(soak_round: int) -> None:
    """But where the pack is described."""
    shown, wrong = re.compile("(10|[2-9AJQK])([♠♥♦♣])"), set()
    for code in [*codes("casino", TABLES, soak_round), *SELDOM["casino"], "royal~d-49~pp-off", "khasino"]:
        rules = rules_of("casino", code)
        pack = {(card.rank, card.suit) for card in full_pack(rules)}
        for lang in LANGUAGES:
            for anchor, text in told("casino", lang, code).articles.items():
                for rank, suit in shown.findall(text):
                    if (rank, "SHDC"["♠♥♦♣".index(suit)]) not in pack and anchor not in (
                        "forty-cards",
                        "forty-nine-cards",
                    ):
                        wrong.add(f"{code} {lang} {anchor}: {rank}{suit}")
    assert sorted(wrong) == []


@games
def test_no_page_has_words_of_what_its_table_does_not_play(game: str, soak_round: int) -> None:
    lines = [line for line in UNSAID if line.game == game]
    options, wrong, said = GAMES[game].options, set(), set()
    values = array(game, soak_round, triples=False).tables[third() :: 3] if lines else []
    paired = [options.code(options.build(options.default_preset, dict(each))) for each in values]
    for code in [*codes(game, TABLES, soak_round), *SELDOM.get(game, ()), *paired]:
        rules = options.effective(rules_of(game, code))
        for lang in LANGUAGES:
            page = told(game, lang, code)
            for line in lines:
                words, played = re.compile(getattr(line, lang)), line.played(rules)
                for anchor, text in {"summary": page.lead, **page.heads, **page.articles}.items():
                    if anchor not in line.denials.split() and (found := words.search(text)):
                        said.add((line, lang, bool(played)))
                        if not played:
                            wrong.add(f"{code} {lang} {anchor}: {found[0]}")
    assert sorted(wrong) == []
    assert {(line, lang) for line in lines for lang in LANGUAGES} == {(line, lang) for line, lang, _ in said}


# Points -------------------------------------------------------------------------------------------------------------


@lru_cache(maxsize=1)
def scored() -> list[tuple[str, str, list[Any]]]:
    """The game and code of every published score and every case of a score, with the lines of its ledger."""
    found = []
    files = [*(HERE.parent / "vectors").glob("*_score.jsonl"), HERE.parent / "spades/cases/score.jsonl"]
    for file in files:
        for case in map(json.loads, file.read_text("utf-8").splitlines()):
            game = GAMES[case["post"].split("/")[2]]
            try:
                scored, ledger = score(game, case["request"])
            except Refused:
                continue
            sides = [side for deal in ledger.deals if not deal.warnings for side in deal.sides.values()]
            lines = [line for side in sides for line in side.lines]
            found.append((game.id, game.options.code(scored.house), lines))
    return found


def test_every_point_of_a_published_score_is_explained_on_the_page_of_its_table() -> None:
    missing = set()
    for game, code, lines in scored():
        there = told(game, "en", code).articles
        missing |= {f"{code}: {line.article}" for line in lines if line.article.partition(".")[2] not in there}
    assert sorted(missing) == []
    assert len({line.article for _, _, lines in scored() for line in lines}) > 30


FIXED = frozenset({
    "spades.nil-score", "spades.double-nil-score", "spades.double-blind-nil-score", "spades.both-nil-unit",
    "spades.moon", "spades.blind-moon", "spades.all-tricks-bonus", "casino.most-cards", "casino.most-spades",
    "casino.big-ten", "casino.spy-two", "spite-and-malice.bonus",
})  # fmt: skip
"""Articles whose points are the same whenever they are scored."""


def test_points_on_the_page_are_those_of_the_score() -> None:
    compared = set()
    for game, code, lines in scored():
        for line in lines:
            if line.article not in FIXED or line.points == 0:
                continue
            for lang in LANGUAGES:
                text = told(game, lang, code).articles[line.article.partition(".")[2]]
                assert str(abs(line.points)) in numbers(text), (code, lang, line, text)
                compared.add(line.article)
    assert compared == FIXED


# Values of cards ----------------------------------------------------------------------------------------------------


def test_the_value_of_an_ace_is_the_one_that_captures() -> None:
    game = GAMES["casino"]
    for code in codes("casino", TABLES, 0):
        rules = rules_of("casino", code)
        ace = next(card for card in full_pack(rules) if card.rank == "A")
        hand, table = set(hand_values(rules, ace)), {*alone_values(rules, ace), 1}
        for lang in LANGUAGES:
            articles = told(game.id, lang, code).articles
            if 14 not in hand:
                assert {each for each, text in articles.items() if "14" in numbers(text)} == set(), (code, lang)
            if "royal-ace" in articles:
                assert (hand, table) == ({1, 14}, {1})
            if "ace-values" in articles:
                assert (hand, table) == ({1, 14}, {1, 14})
            if row := re.search(
                r"^A\n(.+(?:\n\d+)?)$", articles.get("finnish-values", articles.get("card-values", "")), re.MULTILINE
            ):
                assert set(map(int, numbers(row[1]))) == hand | table, (code, lang, row[0])

"""Other programs' combinations, where those programs are installed (extra `peers`)."""

import json
import random
import re
from collections import defaultdict
from importlib.util import find_spec
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest

from sim.engines.dou_dizhu import Kind, classify, legal_plays

RANKS = "3456789TJQKA2BR"
KINDS_OF_RLCARD = {
    "solo": Kind.SINGLE,
    "pair": Kind.PAIR,
    "trio": Kind.TRIO,
    "trio_solo": Kind.TRIO_SINGLE,
    "trio_pair": Kind.TRIO_PAIR,
    "solo_chain": Kind.STRAIGHT,
    "pair_chain": Kind.PAIR_RUN,
    "trio_chain": Kind.AIRPLANE,
    "trio_solo_chain": Kind.AIRPLANE_SINGLES,
    "trio_pair_chain": Kind.AIRPLANE_PAIRS,
    "four_two_solo": Kind.FOUR_SINGLES,
    "four_two_pair": Kind.FOUR_PAIRS,
    "bomb": Kind.BOMB,
    "rocket": Kind.ROCKET,
}


def in_order(cards: str) -> str:
    """Write cards from low to high."""
    return "".join(sorted(cards, key=RANKS.index))


def trios(cards: str) -> int:
    """Count the ranks with three cards or more."""
    return sum(cards.count(rank) >= 3 for rank in RANKS)


def rlcard_table() -> dict[str, list[list[str]]]:
    """Read RLCard's table of combinations, without importing it (that unpacks into its folder)."""
    spec = find_spec("rlcard")
    if spec is None or spec.origin is None:
        pytest.skip("rlcard is not installed")
    with ZipFile(Path(spec.origin).parent / "games/doudizhu/jsondata.zip") as archive:
        table: dict[str, list[list[str]]] = json.loads(archive.read("jsondata/card_type.json"))
    return table


def kind_of(cards: str) -> Kind | None:
    """Name the kind of some cards."""
    combination = classify(cards)
    return combination.kind if combination else None


def test_rlcard_reads_every_combination_as_we_do() -> None:
    """Its table has ours, and 2,832 airplanes more whose single wings hold a trio."""
    extra, ours = 0, set()
    strengths = defaultdict(set)
    for cards, [[name, strength]] in rlcard_table().items():
        text = in_order(cards)
        match = re.fullmatch(r"(\D+?)(?:_(\d+))?", name)
        assert match is not None
        shape = KINDS_OF_RLCARD[match[1]], int(match[2] or 1)
        if shape[0] is Kind.AIRPLANE_SINGLES and trios(text) > shape[1]:
            assert kind_of(text) in (None, Kind.AIRPLANE)
            extra += 1
            continue
        ours.add(text)
        combination = classify(text)
        assert combination is not None, text
        assert shape == (combination.kind, combination.length)
        strengths[shape].add((int(strength), RANKS.index(combination.rank)))

    assert len(ours) == 24639
    assert extra == 2832
    for levels in strengths.values():  # both rank the combinations of a shape alike
        theirs, ranks = zip(*sorted(levels), strict=True)
        assert list(ranks) == sorted(set(ranks))
        assert len(set(theirs)) == len(ranks)


def missing_in_openspiel(cards: str, hand: str) -> bool:
    """Tell which plays OpenSpiel lacks: all four + two, and bare runs that start at a rank of
    which four are held (`SearchChainOnlyActions` in its dou_dizhu_utils.cc, version 2.0.2).
    """
    kind = kind_of(cards)
    if kind in (Kind.STRAIGHT, Kind.PAIR_RUN, Kind.AIRPLANE):
        return hand.count(cards[0]) == 4
    return kind in (Kind.FOUR_SINGLES, Kind.FOUR_PAIRS)


def only_in_openspiel(name: str, to_beat: str | None) -> bool:
    """Tell which plays it allows against our rules: trios among the wings, bombs on the rocket."""
    wings = spiel_text(name.partition("-")[2])
    return trios(wings) > 0 or (to_beat == "BR" and kind_of(spiel_text(name)) == Kind.BOMB)


def compare_plays(state: Any, to_beat: str | None) -> None:
    """Hold the legal plays of a state of OpenSpiel against ours."""
    seat = state.current_player()
    match = re.search(r"My hand (\S+)", state.observation_string(seat))
    assert match is not None
    hand = spiel_text(match[1])
    names = {state.action_to_string(seat, action) for action in state.legal_actions()} - {"Pass"}
    theirs = {spiel_text(name) for name in names if not only_in_openspiel(name, to_beat)}
    ours = {cards for cards in legal_plays(hand, to_beat) if not missing_in_openspiel(cards, hand)}

    assert theirs == ours, f"{hand} on {to_beat}"


def spiel_text(cards: str) -> str:
    """Write OpenSpiel's cards as ours; it parts the wings of an airplane with a dash."""
    return in_order(cards.replace("(BWJ)", "B").replace("(CJ)", "R").replace("-", ""))


def compare_game(state: Any, rng: random.Random) -> int:
    """Play one random game of OpenSpiel's, comparing at every decision; count those."""
    to_beat, passes, compared = None, 0, 0
    while not state.is_terminal():
        seat, actions = state.current_player(), state.legal_actions()
        action = rng.choice(actions)
        name = state.action_to_string(seat, action)
        in_auction = any("Bid" in state.action_to_string(seat, bid) for bid in actions)
        if not state.is_chance_node() and not in_auction:
            compare_plays(state, to_beat)
            compared += 1
            passes = passes + 1 if name == "Pass" else 0
            to_beat = to_beat if name == "Pass" else spiel_text(name)
            if passes == 2:
                to_beat, passes = None, 0
        state.apply_action(action)
    return compared


def test_openspiel_allows_the_same_plays() -> None:
    """All decisions of 150 random games, but for the differences documented above."""
    pyspiel = pytest.importorskip("pyspiel")
    game, rng = pyspiel.load_game("dou_dizhu"), random.Random(7)

    assert sum(compare_game(game.new_initial_state(), rng) for _ in range(150)) > 5000

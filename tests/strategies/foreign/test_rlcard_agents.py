"""RLCard's agents in our Dou Dizhu: they see what RLCard would show, and play as well as there."""

from typing import Any

import numpy as np
import pytest

from sim.engines.base import load_game
from sim.engines.dou_dizhu.notation import PACK, cards_text, parse_cards
from sim.engines.dou_dizhu.rules import Rules
from sim.engines.dou_dizhu.state import State
from sim.engines.rng import SeatRng
from sim.errors import UsageError
from sim.runner.arena import Arena
from sim.runner.spec import PlayerSpec, RunSpec
from sim.strategies.foreign.auction import landlord_score
from sim.strategies.foreign.rlcard_agents import _Zoo, state_of
from sim.strategies.loading import load_bot

rlcard = pytest.importorskip("rlcard", reason="RLCard is not installed (extra peers)")

RULE = "rlcard:doudizhu-rule-v1"


def rlcard_game(seed: int) -> tuple[Any, State]:
    """Deal in RLCard, and the same cards here."""
    env = rlcard.make("doudizhu", config={"seed": seed})
    env.reset()
    hands = [parse_cards(player.initial_hand) for player in env.game.players]
    bottom = parse_cards(env.game.round.seen_cards)
    hands[0] -= bottom
    first, second, third = hands
    state = State(rules=Rules(auction=False), hands=(first, second, third), bottom=bottom)
    return env, state


@pytest.mark.parametrize("seed", range(12))
def test_the_state_is_the_one_that_rlcard_makes(seed: int) -> None:
    """At each decision of a random game; of RLCard's legal plays all that are ours."""
    env, state = rlcard_game(seed)
    choices = np.random.default_rng(seed)
    while not state.is_over:
        mine, theirs = state_of(state.view(state.to_move)), dict(env.game.state)
        allowed = theirs.pop("actions")
        actions = mine.pop("actions")
        assert mine == theirs
        assert set(actions) <= set(allowed)
        for extra in set(allowed) - set(actions):  # airplanes with a trio among their wings
            assert max(extra.count(card) for card in extra) >= 3
            assert len(extra) >= 8
        action = actions[choices.integers(len(actions))]
        env.game.step(action)
        state = state.after(state.parse(action))

    assert env.game.is_over()


def test_features_for_agents_that_read_them_are_made_by_rlcard() -> None:
    """An agent that is not raw gets RLCard's own observation, and answers with a number."""

    class Last:
        use_raw = False

        def eval_step(self, state: Any) -> tuple[int, dict[str, Any]]:
            assert state["obs"].shape == (790,)
            return list(state["legal_actions"])[-1], {}

    _, state = rlcard_game(3)
    raw = state_of(state.view(0))
    zoo = _Zoo("doudizhu-rule-v1")
    zoo.agents = [Last()] * 3

    assert zoo.choose(raw) == raw["actions"][-1]


def test_an_action_that_is_not_ours_is_refused_and_not_replaced(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The game is forfeited, and the fault says what was chosen."""
    from rlcard.models.doudizhu_rule_models import DouDizhuRuleAgentV1

    monkeypatch.setattr(DouDizhuRuleAgentV1, "step", lambda self, state: "333444555666")
    chunk = arena(deals=1).play(0, 1)

    assert {fault.category for fault in chunk.faults} == {"illegal"}
    assert chunk.faults[0].detail == "chose '333444555666', which is not legal here"


def test_landlord_score_is_rlcards() -> None:
    """On random hands of 17 cards, and on both jokers."""
    from rlcard.games.doudizhu.utils import get_landlord_score

    for seed in range(40):
        _, state = rlcard_game(seed)
        for hand in state.hands:
            assert landlord_score(hand) == get_landlord_score(cards_text(hand))
    assert landlord_score(parse_cards("AAAA22BR")) == get_landlord_score("AAAA22BR") == 18


@pytest.mark.parametrize(("bid_from", "call"), [(0, 0), (12, 3), (13, 0)])
def test_it_passes_in_the_auction_unless_told_otherwise(bid_from: int, call: int) -> None:
    """56888TTQKKKAA222R scores 12: from there on it bids 3 at once."""
    hand = parse_cards("56888TTQKKKAA222R")
    rest = cards_text(PACK - hand)
    second, third, bottom = (parse_cards(part) for part in (rest[:17], rest[17:34], rest[34:]))
    state = State(rules=Rules(), hands=(hand, second, third), bottom=bottom)
    bound = load_bot(RULE, "dou-dizhu").bind({"bid_from": bid_from})
    agent = bound.create(SeatRng(1, 0))

    assert agent.act(state.view(0)) == call


def arena(*, deals: int) -> Arena:
    """Give a run of the rule agent against the random strategy, on both sides, no auction."""
    rules = load_game("dou-dizhu").rules(3, {"auction": "false"})
    return Arena(
        RunSpec(
            game="dou-dizhu",
            rules=rules.options(),
            seats=3,
            deals=deals,
            seed=1,
            players=(
                PlayerSpec(label="random", bot="random"),
                PlayerSpec(label="rule", bot=RULE, parameters={"bid_from": 0}),
            ),
        )
    )


def test_it_beats_random_as_often_as_in_rlcard() -> None:
    """.945 of games over both sides of 1,500 decks; here 150 decks, seeded: +- .027 (2.1 errors).

    Drawing from NumPy's global generator, it plays the same games when they are played again.
    """
    first, again = (arena(deals=150).play(0, 150) for _ in range(2))

    assert first.faults == []
    landlord = first.tasks["player"][:, 0]  # the rule agent is the landlord, or both farmers
    seat = np.where(landlord == 1, 0, 1)
    rate = float(first.results["won"][np.arange(len(seat)), seat].mean())
    assert abs(rate - 0.945) < 0.027
    assert first.results.tobytes() == again.results.tobytes()


def test_what_it_cannot_play_is_refused() -> None:
    """Another game, and an agent that RLCard does not have, each in a sentence."""
    with pytest.raises(UsageError, match="plays dou-dizhu, not liars-dice"):
        load_bot(RULE, "liars-dice")
    with pytest.raises(UsageError, match="did you mean 'doudizhu-rule-v1'"):
        load_bot("rlcard:doudizhu-rule-v2", "dou-dizhu")


def test_its_random_numbers_leave_the_global_generator_alone() -> None:
    """Another strategy that uses it is not moved."""
    _, state = rlcard_game(5)
    agent: Any = load_bot(RULE, "dou-dizhu").bind({}).create(SeatRng(1, 0))
    before = np.random.get_state(legacy=False)  # noqa: NPY002
    agent.act(state.view(0))

    after = np.random.get_state(legacy=False)  # noqa: NPY002
    assert str(after) == str(before)
    assert after["state"]["key"].tolist() == before["state"]["key"].tolist()

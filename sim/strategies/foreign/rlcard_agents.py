"""`rlcard:NAME`: an agent of RLCard's model zoo plays Dou Dizhu (RLCard 1.2.0, extra `peers`).

Each view becomes the state that RLCard's own environment makes: the landlord is player 0, the seats
after him 1 and 2; cards and plays are text in both. What differs:

* Legal plays are ours. RLCard also allows a trio among the wings of an airplane; an agent that
  chooses such a play, or anything else that is not legal here, forfeits (category `illegal`).
* RLCard has no auction: see auction.py.
* Its agents draw from NumPy's global generator. It is seeded before each decision from the seat's
  own stream, and put back after it.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any, ClassVar, Final

import numpy as np

from sim.engines.dou_dizhu.notation import cards_text, parse_cards
from sim.engines.dou_dizhu.view import AUCTION, PASS, View
from sim.errors import PluginError, UsageError, unknown
from sim.strategies.bot import Bot, Source, make_bot
from sim.strategies.foreign.auction import BID_FROM, call
from sim.strategies.foreign.base import Foreign, Illegal
from sim.strategies.parameters import Param

GAME: Final = "dou-dizhu"

RLCARD_GAME: Final = "doudizhu"
"""Begins the names of RLCard's models for this game."""

PASS_WORD: Final = "pass"


def locate(name: str, base: Path) -> str:
    """Give the name: it is no file."""
    return name


def load(name: str, game: str) -> Bot:
    """Load an agent by its name in RLCard's registry of models."""
    if game != GAME:
        raise UsageError(f"rlcard:{name} plays {GAME}, not {game}")
    registry = _import().models.registration.model_registry
    known = [model for model in registry.model_specs if model.startswith(RLCARD_GAME)]
    if name not in known:
        raise UsageError(f"rlcard:{name}: {unknown('model of RLCard', name, known)}")
    members = {"__doc__": f"RLCard's {name}.", "name": name, "model": name}
    made = type("RLCardAgent", (RLCardAgent,), members)
    return make_bot(made, Source(text=f"rlcard:{name}", origin=f"RLCard's {name}", files=()))


class RLCardAgent(Foreign):
    """One of RLCard's agents at a seat."""

    game: ClassVar[str] = GAME
    model: ClassVar[str]
    parameters: ClassVar[tuple[Param, ...]] = (BID_FROM,)
    sources: ClassVar[tuple[str, ...]] = ("https://github.com/datamllab/rlcard",)

    rng: Any

    def __init__(self, bid_from: int = 0) -> None:
        self.bid_from = bid_from

    def act(self, view: View) -> int:
        """Let the agent choose."""
        if view.phase == AUCTION:
            return call(view, self.bid_from)
        state = state_of(view)
        zoo = _zoo(self.model)
        with _seeded(int(self.rng.bits64() >> 32)):
            return _read(zoo.choose(state), state)


def state_of(view: View) -> dict[str, Any]:
    """Give a view of the play as RLCard's raw state.

    >>> from sim.engines.dou_dizhu.state import State
    >>> hands = "44555667889TQKAAR/334678999TTQKKA22/334778JJJJQQKA22B"
    >>> state = State.from_text(f"hands={hands} bottom=56T first=2 calls=3 plays=33,44,pass")
    >>> raw = state_of(state.view(state.to_move))
    >>> raw["self"], raw["trace"], raw["current_hand"]
    (0, [(0, '33'), (1, '44'), (2, 'pass')], '456778TJJJJQQKA22B')
    """
    order = [(view.landlord + k) % view.seats for k in range(view.seats)]
    plays = [
        (order.index(seat), cards_text(cards) if cards else PASS_WORD)
        for seat, cards in view.history
    ]
    gone = cards_text(view.played[view.landlord])
    # RLCard 1.2.0 drops both of two equal bottom cards when one is played (its pull request 320)
    seen = "".join(card for card in cards_text(view.bottom) if card not in gone)
    return {
        "seen_cards": seen,
        "landlord": 0,
        "trace": plays,
        "played_cards": [cards_text(view.played[seat]) for seat in order],
        "self": order.index(view.seat),
        "current_hand": view.cards,
        "others_hand": cards_text(view.unseen),
        "num_cards_left": [view.cards_left[seat] for seat in order],
        "actions": [view.text(action) for action in view.legal()],
    }


class _Zoo:
    """The agents of a model, and an environment of RLCard for what it makes of a state."""

    def __init__(self, model: str) -> None:
        rlcard = _import()
        self.agents = rlcard.models.load(model).agents
        self.environment = rlcard.make(RLCARD_GAME)

    def choose(self, state: dict[str, Any]) -> Any:
        """Let the agent of this position choose; give what it says as text."""
        agent = self.agents[state["self"]]
        environment = self.environment
        if agent.use_raw:  # it reads the raw state alone: leave out the features
            raw = {"raw_obs": state, "raw_legal_actions": list(state["actions"])}
            return agent.eval_step(raw)[0]
        environment.game.state = state
        environment.action_recorder = list(state["trace"])
        action, _ = agent.eval_step(environment._extract_state(state))
        return environment._decode_action(action)


@cache
def _zoo(model: str) -> _Zoo:
    return _Zoo(model)


def _import() -> Any:
    """Import RLCard; it is an extra."""
    try:
        import rlcard
        import rlcard.models
    except ImportError as error:
        raise PluginError(
            f"rlcard: needs RLCard 1.2.0 ({error}): install the extra `peers`"
        ) from None
    return rlcard


@contextmanager
def _seeded(seed: int) -> Iterator[None]:
    """Seed NumPy's global generator for a while."""
    before = np.random.get_state()  # noqa: NPY002
    np.random.seed(seed)  # noqa: NPY002
    try:
        yield
    finally:
        np.random.set_state(before)  # noqa: NPY002


def _read(action: Any, state: dict[str, Any]) -> int:
    """Read an action; Illegal if our rules do not have it here."""
    if action not in state["actions"]:
        raise Illegal(f"chose {str(action)[:80]!r}, which is not legal here")
    return PASS if action == PASS_WORD else parse_cards(action)

"""`openspiel:uniform` and `openspiel:FILE`: policies of OpenSpiel's `liars_dice`, for two players.

OpenSpiel plays one round. Its highest face, six, is wild and ranks highest; a bid on it counts
sixes alone and changes nothing for later bids. That is our game under the rules

    rounds=1 ones_rank=high ones_lock=off      and as many dice for either seat (`numdice`)

with the faces renamed: our 2 3 4 5 6 1 are its 1 2 3 4 5 6. Bids then have the same numbers in
both (`bidding_rule` reset-face), the challenge is the number after the last bid, and OpenSpiel's
player 0 is seat 0, which opens. Other rules are refused.

FILE is JSON: for each information state as OpenSpiel writes it (`information_state_string`) a list
of pairs of action and probability. For a policy `p` of pyspiel, or `solver.average_policy()`:

    json.dump(p.policy_table(), file)            # pyspiel.TabularPolicy
    json.dump({key: [(a, q) for a, q in enumerate(p.action_probability_array[row]) if q]
               for key, row in p.state_lookup.items()}, file)     # open_spiel.python.policy

OpenSpiel itself is not needed to play.
"""

import json
from collections.abc import Mapping
from math import isclose, isfinite
from pathlib import Path
from typing import Any, ClassVar, Final

from sim.engines.liars_dice.rules import FACES, Rules
from sim.engines.liars_dice.view import CHALLENGE, View
from sim.errors import PluginError, UsageError
from sim.strategies.bot import Bot, Source, make_bot
from sim.strategies.foreign.base import Foreign, Illegal, plain_name

GAME: Final = "liars-dice"

UNIFORM: Final = "uniform"

REQUIRED: Final = {"rounds": "1", "ones_rank": "high", "ones_lock": "off"}
"""Rules of ours under which the games are the same."""

SUM_TOLERANCE: Final = 1e-6
"""How far probabilities may be from a sum of 1: averages of a solver are rounded."""

Policy = Mapping[str, tuple[tuple[int, float], ...]]


def locate(name: str, base: Path) -> str:
    """Make the path of a policy absolute; UsageError if there is no such file."""
    if name == UNIFORM:
        return name
    path = (base / Path(name).expanduser()).resolve()
    if not path.is_file():
        raise UsageError(
            f"openspiel:{name}: there is no file {name!r}; write openspiel:{UNIFORM}, or a policy "
            "in JSON"
        )
    return str(path)


def load(name: str, game: str) -> Bot:
    """Load a policy."""
    if game != GAME:
        raise UsageError(f"openspiel:{name} plays {GAME}, not {game}")
    located = locate(name, Path())
    path = None if located == UNIFORM else Path(located)
    members = {
        "__doc__": f"OpenSpiel's policy {name}.",
        "name": f"openspiel-{UNIFORM}" if path is None else plain_name(path.stem),
        "policy": None if path is None else read_policy(path),
    }
    made = type("OpenSpielPolicy", (OpenSpielPolicy,), members)
    files = () if path is None else (path,)
    return make_bot(
        made, Source(text=f"openspiel:{located}", origin=f"OpenSpiel's {name}", files=files)
    )


class OpenSpielPolicy(Foreign):
    """Draws from the probabilities that a policy gives; with none all legal actions are alike."""

    game: ClassVar[str] = GAME
    name: ClassVar[str]
    policy: ClassVar[Policy | None]
    sources: ClassVar[tuple[str, ...]] = ("https://github.com/google-deepmind/open_spiel",)

    rng: Any

    @classmethod
    def enter(cls, rules: Rules, move_timeout: float | None) -> None:
        """Refuse rules that are not OpenSpiel's, and a policy for another number of dice."""
        options = rules.options()
        for option, wanted in REQUIRED.items():
            played = options.get(option, "no rule, as ones are not wild")
            if played != wanted:
                given = " ".join(f"--rule {name}={value}" for name, value in REQUIRED.items())
                raise UsageError(
                    f"openspiel: plays by OpenSpiel's rules only, and {option} is {played} here: "
                    f"give {given}"
                )
        if len(set(rules.dice)) > 1:
            raise UsageError(
                f"openspiel: needs as many dice for either seat, not dice={options['dice']}"
            )
        dice = next((len(key.partition(" ")[0]) for key in cls.policy or ()), rules.dice[0])
        if dice != rules.dice[0]:
            raise UsageError(
                f"openspiel: the policy {cls.name} is for dice={dice}, not dice={options['dice']}"
            )

    def act(self, view: View) -> int:
        """Draw an action."""
        if self.policy is None:
            return int(self.rng.choice(view.legal()))
        key = information_state(view)
        choices = self.policy.get(key)
        if choices is None:
            raise KeyError(f"the policy has no information state {key!r}")
        action = _pick(choices, self.rng.random())
        challenge = FACES * view.dice_in_play
        if not 0 <= action <= challenge:
            raise Illegal(f"chose OpenSpiel's action {action}, which is none at this table")
        return CHALLENGE if action == challenge else action


def _pick(choices: tuple[tuple[int, float], ...], draw: float) -> int:
    """Give the action that a draw in 0..1 falls on; rounding falls to the last possible one.

    >>> [_pick(((3, 0.25), (4, 0.75), (5, 0.0)), draw) for draw in (0.0, 0.24, 0.26, 1.0)]
    [3, 3, 4, 4]
    """
    possible = [(action, chance) for action, chance in choices if chance > 0]
    picked = possible[-1][0]
    for action, chance in possible:
        draw -= chance
        if draw < 0:
            return action
    return picked


def information_state(view: View) -> str:
    """Write what a seat knows as OpenSpiel does: its dice, then the bids as count-face.

    >>> from sim.engines.liars_dice.rules import Rules
    >>> from sim.engines.liars_dice.state import State
    >>> rules = Rules(seats=2, dice=(2, 2), ones_rank="high", ones_lock="off", rounds="1")
    >>> state = State(rules=rules, hands=((1, 3), (2, 2)), actions=(0, 11))
    >>> information_state(state.view(0))
    '26 1-1 2-6'
    """
    dice = "".join(str(renamed(face)) for face in sorted(view.dice, key=renamed))
    bids = (f"{view.count_of(bid)}-{bid % FACES + 1}" for bid in view.bids[: view.bids_made])
    return " ".join([dice, *bids])


def renamed(face: int) -> int:
    """Give the face of OpenSpiel's dice for one of ours: the ones are its sixes.

    >>> [renamed(face) for face in (2, 3, 4, 5, 6, 1)]
    [1, 2, 3, 4, 5, 6]
    """
    return (face - 2) % FACES + 1


def read_policy(path: Path) -> Policy:
    """Read a policy; PluginError says what is wrong in it."""
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        raise PluginError(f"openspiel: {path.name} is no policy in JSON: {error}") from None
    if not isinstance(data, dict) or not data:
        raise PluginError(f"openspiel: {path.name} must map information states to pairs")
    policy = {}
    for key, pairs in data.items():
        try:
            choices = tuple((int(action), float(chance)) for action, chance in pairs)
        except (TypeError, ValueError):
            choices = ()
        chances = [chance for _, chance in choices]
        if not all(isfinite(chance) and chance >= 0 for chance in chances) or not isclose(
            sum(chances), 1, abs_tol=SUM_TOLERANCE
        ):
            raise PluginError(
                f"openspiel: {path.name}: {key!r} must have pairs [action, probability] with a "
                f"sum of 1, not {str(pairs)[:80]}"
            )
        policy[key] = choices
    return policy

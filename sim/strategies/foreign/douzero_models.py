"""`douzero:FOLDER`: three networks that take DouZero's features play Dou Dizhu (extra `onnx`).

FOLDER holds `landlord.onnx`, `landlord_down.onnx` (the farmer after the landlord) and
`landlord_up.onnx` (the one before); for other names write a path with `{role}` in it, such as
`douzero:nets/{role}_adp.onnx`. No weights ship with this program.

Features are those of DouZero's `get_obs` (Zha et al. 2021, https://arxiv.org/abs/2106.06135, tables
4 and 5; douzero 1.1.0). A network has two inputs of float32, one row for each legal action:

    z   rows x 5 x 162   the last 15 plays, three to a line, passes and missing ones as zeros
    x   rows x 373       landlord: x_no_action (319), then the action (54)
    x   rows x 484       farmers: x_no_action (430), then the action (54)

and gives one value a row; the action with the highest is played, the first among equals, in the
order of `view.legal()`. With one legal action nobody is asked. The legal actions are ours: DouZero
also allows a trio, a bomb or both jokers among the wings. DouZero has no auction: see auction.py.
A network runs on one thread and one position at a time, so that the same games come out anywhere.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import ClassVar, Final

import numpy as np
from numpy.typing import NDArray

from sim.engines.dou_dizhu.notation import RANKS
from sim.engines.dou_dizhu.view import AUCTION, View
from sim.errors import PluginError, UsageError
from sim.strategies.bot import Bot, Source, make_bot
from sim.strategies.foreign.auction import BID_FROM, call
from sim.strategies.foreign.base import Foreign, plain_name
from sim.strategies.parameters import Param

GAME: Final = "dou-dizhu"

ROLES: Final = ("landlord", "landlord_down", "landlord_up")
"""DouZero's names of the three positions, in the order in which they act."""

ROLE_MARK: Final = "{role}"

CARD_BITS: Final = 54
"""Features of a set of cards: 4 for each of 13 ranks, as many ones as cards, and the jokers."""

WIDTHS: Final = {"landlord": 373, "landlord_down": 484, "landlord_up": 484}
"""Width of `x` by role."""

HISTORY: Final = 15
HISTORY_SHAPE: Final = (5, 3 * CARD_BITS)

HAND: Final = 17
LANDLORD_HAND: Final = 20
BOMB_SLOTS: Final = 15

_SHIFTS: Final = 4 * np.arange(len(RANKS))


def locate(name: str, base: Path) -> str:
    """Make the path absolute; UsageError if one of the three networks is not there."""
    path = str((base / Path(name).expanduser()).absolute())
    if ROLE_MARK not in path:
        path = f"{path}/{ROLE_MARK}.onnx"
    for file in _files(path):
        if not file.is_file():
            raise UsageError(
                f"douzero:{name}: there is no file {str(file)!r}: name a folder with "
                f"{', '.join(f'{role}.onnx' for role in ROLES)}, or a path with {ROLE_MARK} in it"
            )
    return path


def load(name: str, game: str) -> Bot:
    """Load three networks."""
    if game != GAME:
        raise UsageError(f"douzero:{name} plays {GAME}, not {game}")
    path = locate(name, Path())
    files = _files(path)
    pattern = Path(path)
    plain = pattern.name == f"{ROLE_MARK}.onnx"
    stem = pattern.parent.name if plain else pattern.stem.replace(ROLE_MARK, "").strip("_-. ")
    networks = {role: Network(file, role) for role, file in zip(ROLES, files, strict=True)}
    members = {"__doc__": f"The networks {path}.", "name": plain_name(stem), "networks": networks}
    made = type("DouZeroModels", (DouZeroModels,), members)
    return make_bot(
        made, Source(text=f"douzero:{path}", origin=f"networks {path}", files=tuple(sorted(files)))
    )


def _files(path: str) -> list[Path]:
    return [Path(path.replace(ROLE_MARK, role)) for role in ROLES]


class DouZeroModels(Foreign):
    """Plays the action with the highest value."""

    game: ClassVar[str] = GAME
    name: ClassVar[str]
    networks: ClassVar[dict[str, "Network"]]
    parameters: ClassVar[tuple[Param, ...]] = (BID_FROM,)
    sources: ClassVar[tuple[str, ...]] = ("https://arxiv.org/abs/2106.06135",)

    def __init__(self, bid_from: int = 0) -> None:
        self.bid_from = bid_from

    def act(self, view: View) -> int:
        """Choose an action."""
        if view.phase == AUCTION:
            return call(view, self.bid_from)
        legal = view.legal()
        if len(legal) == 1:
            return legal[0]
        values = self.networks[role_of(view)].values(*features(view, legal))
        if np.isnan(values).any():
            raise ValueError("the network gave a value that is no number")
        return legal[int(values.argmax())]


class Network:
    """One ONNX file, with the inputs and the output that it must have."""

    def __init__(self, file: Path, role: str) -> None:
        try:
            import onnxruntime
        except ImportError as error:
            raise PluginError(
                f"douzero: needs onnxruntime ({error}): install the extra `onnx`"
            ) from None
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        options.log_severity_level = 3
        try:
            self._session = onnxruntime.InferenceSession(
                str(file), options, providers=["CPUExecutionProvider"]
            )
        except Exception as error:
            raise PluginError(f"douzero: {file} does not load: {error}") from None
        wanted = {3: (*HISTORY_SHAPE,), 2: (WIDTHS[role],)}
        self._names: dict[int, str] = {}
        for given in self._session.get_inputs():
            sizes = tuple(given.shape[1:])
            fits = all(
                size in (want, None) or isinstance(size, str)
                for size, want in zip(sizes, wanted.get(len(given.shape), ()), strict=False)
            )
            if len(given.shape) not in wanted or not fits or given.type != "tensor(float)":
                raise PluginError(
                    f"douzero: {file}: its input {given.name!r} is {given.type} {given.shape}: a "
                    f"{role} network takes z (rows x 5 x 162) and x (rows x {WIDTHS[role]}), floats"
                )
            self._names[len(given.shape)] = given.name
        if len(self._session.get_inputs()) != 2 or len(self._names) != 2:
            raise PluginError(f"douzero: {file}: a network takes two inputs, z and x")

    def values(self, z: NDArray[np.float32], x: NDArray[np.float32]) -> NDArray[np.float32]:
        """Give a value for each row."""
        [values, *_] = self._session.run(None, {self._names[3]: z, self._names[2]: x})
        if np.size(values) != len(x):
            raise ValueError(f"the network gave {np.shape(values)} for {len(x)} rows")
        return np.asarray(values, np.float32).reshape(len(x))


def role_of(view: View) -> str:
    """Give DouZero's name of a seat's position."""
    return ROLES[(view.seat - view.landlord) % view.seats]


def features(view: View, legal: list[int]) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Give `z_batch` and `x_batch`, one row for each legal action.

    >>> from sim.engines.dou_dizhu.state import State
    >>> hands = "44555667889TQKAAR/334678999TTQKKA22/334778JJJJQQKA22B"
    >>> state = State.from_text(f"hands={hands} bottom=56T first=2 calls=3 plays=33,44,pass")
    >>> view = state.view(0)
    >>> [batch.shape for batch in features(view, view.legal())]
    [(5, 5, 162), (5, 484)]
    """
    rows = len(legal)
    state = np.concatenate([*_state_parts(view)])
    x = np.empty((rows, len(state) + CARD_BITS), np.float32)
    x[:, : len(state)] = state
    x[:, len(state) :] = card_bits(legal)
    z = np.broadcast_to(history(view), (rows, *HISTORY_SHAPE))
    return np.ascontiguousarray(z, np.float32), x


def _state_parts(view: View) -> Iterator[NDArray[np.uint8]]:
    """Give the pieces of `x_no_action`, in order."""
    plays = [cards for _, cards in view.history]
    last_by_role = [_last_of(plays, k) for k in range(len(ROLES))]
    played = [view.played[(view.landlord + k) % view.seats] for k in range(len(ROLES))]
    left = [view.cards_left[(view.landlord + k) % view.seats] for k in range(len(ROLES))]
    mine = (view.seat - view.landlord) % view.seats
    # DouZero's last move: the last play, or the one before it if that was a pass
    recent = next((cards for cards in plays[:-3:-1] if cards), 0)
    bombs = _one_hot(view.multiplier.bit_length(), BOMB_SLOTS)
    if mine == 0:
        yield from card_bits([view.hand, view.unseen, recent, played[2], played[1]])
        yield from (_one_hot(left[2], HAND), _one_hot(left[1], HAND), bombs)
        return
    mate = 3 - mine
    yield from card_bits([view.hand, view.unseen, played[0], played[mate], recent])
    yield from card_bits([last_by_role[0], last_by_role[mate]])
    yield from (_one_hot(left[0], LANDLORD_HAND), _one_hot(left[mate], HAND), bombs)


def _last_of(plays: list[int], position: int) -> int:
    """Give the last play of a position, 0 if that was a pass or there is none."""
    own = plays[position :: len(ROLES)]
    return own[-1] if own else 0


def history(view: View) -> NDArray[np.uint8]:
    """Give `z`: the last 15 plays, oldest first."""
    recent = [cards for _, cards in view.history][-HISTORY:]
    return card_bits([0] * (HISTORY - len(recent)) + recent).reshape(HISTORY_SHAPE)


def card_bits(cards: list[int]) -> NDArray[np.uint8]:
    """Give the 54 features of each set of packed cards.

    >>> from sim.engines.dou_dizhu.notation import parse_cards
    >>> [int(place) for place in card_bits([parse_cards("344R")])[0].nonzero()[0]]
    [0, 4, 5, 53]
    """
    counts = np.array(cards, np.int64)[:, np.newaxis] >> _SHIFTS & 15
    ranks = counts[:, :13, np.newaxis] > np.arange(4)
    bits = np.concatenate([ranks.reshape(len(cards), 52), counts[:, 13:] > 0], axis=1)
    return bits.astype(np.uint8)


def _one_hot(number: int, size: int) -> NDArray[np.uint8]:
    """Give `size` zeros with a one at place `number`, counted from 1."""
    bits = np.zeros(size, np.uint8)
    bits[number - 1] = 1
    return bits

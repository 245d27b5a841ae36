"""Tables for tests of Dou Dizhu strategies: play games by name, or ask for one decision."""

from collections.abc import Mapping
from functools import cache
from typing import Any

import numpy as np

from sim.engines.base import load_game
from sim.engines.botcall import compile_bot
from sim.engines.dou_dizhu.notation import PACK, card_count, counts_of, parse_cards
from sim.engines.dou_dizhu.packed import classify
from sim.engines.dou_dizhu.rules import Rules
from sim.engines.dou_dizhu.state import State
from sim.engines.dou_dizhu.view import FARMER, LANDLORD, RANK_SLOTS, VIEW_DTYPE, View
from sim.engines.events import ACT, MEMORY_SIZE
from sim.engines.rng import RNG_DTYPE, SeatRng, pack_word, seat_key
from sim.runner.arena import Arena
from sim.runner.records import Chunk
from sim.runner.spec import PlayerSpec, RunSpec
from sim.strategies.loading import Bot, BoundBot, load_bot

DOU_DIZHU = "dou-dizhu"


def bind(text: str, parameters: Mapping[str, Any] | None = None) -> BoundBot:
    """Load a strategy of Dou Dizhu and set its parameters."""
    return load_bot(text, DOU_DIZHU).bind(parameters or {})


def play(bound: Mapping[str, BoundBot], *, auction: bool, deals: int, seed: int = 7) -> Chunk:
    """Play a tournament of players by label (labels must ascend)."""
    game = load_game(DOU_DIZHU)
    spec = RunSpec(
        game=DOU_DIZHU,
        rules=game.rules(3, {"auction": str(auction).lower()}).options(),
        seats=3,
        deals=deals,
        seed=seed,
        players=tuple(
            PlayerSpec(label=label, bot=bot.bot.text, parameters=bot.parameters)
            for label, bot in bound.items()
        ),
    )
    arena = Arena(spec, bound=list(bound.values()))
    return arena.play(0, arena.schedule.blocks)


def wins(chunk: Chunk, player: int = 0) -> Any:
    """Give for each game whether the side of a player has won; each side is one player's."""
    seats = [chunk.games[f"player_{seat}"] == player for seat in range(3)]
    won = [chunk.games[f"won_{seat}"] for seat in range(3)]
    return np.any([seat & won for seat, won in zip(seats, won, strict=True)], axis=0)


@cache
def _dispatcher(bot: Bot) -> Any:
    assert not isinstance(bot.made, type)
    return compile_bot(bot.made.function, VIEW_DTYPE, trusted=bot.trusted)[0]


def record(view: View) -> Any:
    """Give a view as compiled strategies get it."""
    row = np.zeros(1, VIEW_DTYPE)[0]
    for name, value in view._asdict().items():
        row[name] = np.frombuffer(value, np.uint8) if isinstance(value, bytes) else value
    return row


def decide(bound: BoundBot, view: View, *, seed: int = 0) -> int:
    """Ask a strategy of either kind for one decision, at the start of its random stream."""
    key = seat_key(seed, 0)
    if bound.kind == "python":
        return int(bound.create(SeatRng(key, view.seat, view.redeals)).act(view))
    rng = np.zeros(1, RNG_DTYPE)[0]
    rng["key"] = key
    rng["word"] = pack_word(stream=1, seat=view.seat, epoch=view.redeals)
    memory = np.zeros(MEMORY_SIZE, np.int64)
    return int(_dispatcher(bound.bot)(ACT, record(view), bound.params.copy(), memory, rng))


def decision(bound: BoundBot, position: str) -> str:
    """Ask for one decision of the seat in turn of a whole deal; give it as people write it."""
    state = State.from_text(position)
    action = decide(bound, state.view(state.to_move))
    state.verify(action)
    return state.name(action)


SEATS_OF = {"landlord": (0, 1, 2), "after": (1, 0, 2), "before": (2, 0, 1)}
"""By who decides: its seat and those of the others, as `left` names them below."""


def ending(who: str, hand: str, left: tuple[int, int], unseen: str, on: str = "") -> View:
    """Give the view of a deal near its end, without a history: the rest has been played.

    `who`: landlord, or the farmer after or before the landlord, who has seat 0. `left`: cards of
    the others: of both farmers, in turn; or of the landlord and of the partner. `unseen`: these
    cards. `on`: play to beat and its seat, as `K@0`.
    """
    seat, *others = SEATS_OF[who]
    cards, hidden = parse_cards(hand), parse_cards(unseen)
    assert card_count(hidden) == sum(left), "these are not the cards of the others"
    counts = {seat: card_count(cards), **dict(zip(others, left, strict=True))}
    to_beat, _, owner = on.partition("@")
    play = parse_cards(to_beat)
    return (
        State.deal(Rules(auction=False), seed=0, deal=0)
        .view(seat)
        ._replace(
            role=LANDLORD if who == "landlord" else FARMER,
            hand=cards,
            own=bytes(counts_of(cards)).ljust(RANK_SLOTS, b"\0"),
            cards_left=bytes(counts[k] for k in range(3)),
            played_0=PACK - cards - hidden,
            target=classify(play) if play else 0,
            to_beat=play,
            to_beat_seat=int(owner) if owner else -1,
        )
    )

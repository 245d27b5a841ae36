"""Views and actions of each game as foreign programs read and write them (docs/protocol.md).

The fields have the names that they have in the view. Bytes become lists, cut to what is filled.
Packed cards become text, since 60 bits are more than the numbers of many languages hold.
"""

from collections.abc import Callable
from typing import Any, Final

from sim.engines.dou_dizhu.notation import cards_text, parse_cards
from sim.engines.dou_dizhu.view import AUCTION, PASS, WORD
from sim.engines.dou_dizhu.view import View as CardView
from sim.engines.liars_dice.notation import parse_action
from sim.engines.liars_dice.rules import FACES
from sim.engines.liars_dice.view import FACE_SLOTS
from sim.engines.liars_dice.view import View as DiceView
from sim.errors import NotationError
from sim.strategies.foreign.base import Illegal

PASS_WORD: Final = "pass"

_DICE_CUTS: Final[dict[str, Callable[[DiceView], int]]] = {
    "own": lambda view: FACES + 1,
    "dice_counts": lambda view: view.seats,
    "bids": lambda view: view.bids_made,
    "shown": lambda view: FACE_SLOTS * view.seats,
}
"""How many bytes of a field are filled."""

_CARDS: Final = ("hand", "bottom", "to_beat", "played_0", "played_1", "played_2")


def view_fields(game: str, view: Any) -> dict[str, Any]:
    """Give the fields of a view as JSON holds them."""
    if game == "liars-dice":
        return _dice_fields(view)
    if game == "dou-dizhu":
        return _card_fields(view)
    return {name: _plain(value) for name, value in view._asdict().items()}


def legal_fields(game: str, view: Any, *, listed: bool) -> dict[str, Any]:
    """Describe the legal actions: a range of bids, or (only if `listed`) a list of plays."""
    if game == "liars-dice":
        last = FACES * view.dice_in_play - 1
        bids = [view.bid + 1, last] if view.bid < last else None
        return {"challenge": view.bids_made > 0, "bids": bids}
    if game == "dou-dizhu" and (listed or view.phase == AUCTION):
        return {"legal": [view.text(action) for action in view.legal()]}
    return {}


def read_action(game: str, written: Any, view: Any) -> int:
    """Read an action; Illegal if it is none in any position.

    Whether it is one in this position, the engine says.
    """
    if type(written) is int and -(1 << 63) <= written < 1 << 63:
        return written
    if isinstance(written, str):
        try:
            if game == "liars-dice":
                return parse_action(written, ones_rank="high" if view.ones_high else "low")
            if game == "dou-dizhu":
                return _read_cards(written, view)
        except NotationError as error:
            raise Illegal(f"answered the action {written!r}: {error}") from None
    raise Illegal(f"answered the action {str(written)[:80]!r}, which is none")


def _dice_fields(view: DiceView) -> dict[str, Any]:
    fields: dict[str, Any] = view._asdict()
    for name, cut in _DICE_CUTS.items():
        fields[name] = list(fields[name][: cut(view)])
    return fields


def _card_fields(view: CardView) -> dict[str, Any]:
    fields: dict[str, Any] = view._asdict()
    for name in _CARDS:
        fields[name] = cards_text(fields[name])
    fields["own"] = list(view.own[:15])
    fields["cards_left"] = list(view.cards_left)
    fields["calls"] = list(view.calls[: view.calls_made])
    words = (view.actions[WORD * k : WORD * k + WORD] for k in range(view.actions_made))
    fields["actions"] = [cards_text(int.from_bytes(word, "little")) or PASS_WORD for word in words]
    return fields


def _read_cards(written: str, view: CardView) -> int:
    if written == PASS_WORD:
        return PASS
    if view.phase == AUCTION:
        if written not in ("1", "2", "3"):
            raise NotationError("a call is pass, 1, 2 or 3")
        return int(written)
    if not written:
        raise NotationError(f"no cards are {PASS_WORD!r}")
    return parse_cards(written)


def _plain(value: Any) -> Any:
    return list(value) if isinstance(value, bytes) else value

"""`cmd:COMMAND`: a program in any language, one JSON object a line (docs/protocol.md).

Each worker starts its own process for a player when it is first asked, and a new one after it died
or had to be killed. Only the game in which that happened is forfeited: the others in flight are
told to the new process from their beginning.
"""

import json
import logging
from pathlib import Path
from typing import Any, ClassVar, Final

from sim.strategies.bot import Bot, Source, make_bot
from sim.strategies.foreign import command
from sim.strategies.foreign.base import Crashed, Foreign, Illegal, plain_name
from sim.strategies.foreign.pipes import Program
from sim.strategies.foreign.wire import legal_fields, read_action, view_fields

PROTOCOL: Final = 1
"""Version of the protocol: raised when a program written for the one before could not play on."""

SEED_BITS: Final = 53
"""A seed is a whole number that every language reads from JSON."""

_LOG: Final = logging.getLogger("sim.program")

locate = command.locate


def load(text: str, game: str) -> Bot:
    """Make a strategy of a command."""
    located = command.locate(text, Path())
    words = command.split_command(located)
    files = command.files_of(words)
    script = next((word for word in words[1:] if Path(word) in files), words[0])
    members = {
        "__doc__": f"The program `{located}`.",
        "game": game,
        "name": plain_name(Path(script).stem),
        "talk": _Talk(words, game),
    }
    made = type("ForeignProgram", (ForeignProgram,), members)
    return make_bot(made, Source(text=f"cmd:{located}", origin=f"program {located}", files=files))


class ForeignProgram(Foreign):
    """A program's seat in one game."""

    game: ClassVar[str]
    name: ClassVar[str]
    talk: ClassVar["_Talk"]

    rng: Any

    def __init__(self) -> None:
        self.number = 0
        """Of this game and seat in the conversation; 0 before it was told of them."""
        self.told: list[dict[str, Any]] = []
        """All messages of this game so far, oldest first."""
        self.program: Program | None = None
        """The process that got them."""

    @classmethod
    def enter(cls, rules: Any, move_timeout: float | None) -> None:
        """Keep the limit and the rules."""
        cls.talk.seconds = move_timeout
        cls.talk.rules = rules.options()

    def act(self, view: Any) -> int:
        """Ask the program."""
        return self.talk.act(self, view)

    def round_over(self, shown: Any) -> None:
        """Tell the program."""
        self.talk.tell(self, "round_over", shown)

    def game_over(self, result: Any) -> None:
        """Tell the program."""
        self.talk.tell(self, "game_over", result)

    def seed(self) -> int:
        """Draw a seed for the program's own random numbers."""
        return int(self.rng.bits64()) >> 64 - SEED_BITS


class _Talk:
    """The conversation of one player with its program, in one worker."""

    def __init__(self, words: list[str], game: str) -> None:
        self._words = words
        self._folder = str(Path.cwd())
        self._game = game
        self._program: Program | None = None
        self._games = 0
        self._requests = 0
        self._listed = True
        self._warned = False
        self.seconds: float | None = None
        self.rules: dict[str, str] = {}

    def act(self, player: ForeignProgram, view: Any) -> int:
        """Ask for an action; a process that fails is ended, and with it all doubt."""
        try:
            self._open(player, view)
            answer = self._ask(self._noted(player, "act", view))
        except BaseException:
            self._end()
            raise
        return read_action(self._game, answer.get("action"), view)

    def tell(self, player: ForeignProgram, event: str, view: Any) -> None:
        """Tell of an event. A process that is gone is found out by the next `act`."""
        try:
            self._open(player, view)
            self._send(self._noted(player, event, view))
        except Crashed:
            self._end()
        except BaseException:
            self._end()
            raise

    def _noted(self, player: ForeignProgram, kind: str, view: Any) -> dict[str, Any]:
        """Make a message of a game, and keep it for a process that may have to take over."""
        message: dict[str, Any] = {"type": kind, "game": player.number}
        if kind == "game":
            message |= {"seat": view.seat, "seats": view.seats}
        else:
            message["view"] = view_fields(self._game, view)
        if kind == "act":
            message |= legal_fields(self._game, view, listed=self._listed)
        if kind in ("game", "act"):
            message["seed"] = player.seed()
        player.told.append(message)
        return message

    def _open(self, player: ForeignProgram, view: Any) -> None:
        """See to it that the program runs and knows all that happened in this game."""
        if self._program is not None and self._program.has_ended:
            if not self._warned:
                _LOG.warning("%s ended unasked; it is started again each time", self._words[0])
                self._warned = True
            self._end()
        if self._program is None:
            self._start()
        if player.program is not self._program:
            for message in player.told:
                (self._ask if message["type"] == "act" else self._send)(message)
            player.program = self._program
        if not player.told:
            self._games += 1
            player.number = self._games
            self._send(self._noted(player, "game", view))

    def _start(self) -> None:
        """Start the program and exchange greetings."""
        self._program = Program(self._words, self._folder)
        hello = {"type": "hello", "protocol": PROTOCOL, "plays": self._game, "rules": self.rules}
        answer = self._ask(hello)
        if answer.get("protocol") != PROTOCOL:
            raise Illegal(
                f"speaks protocol {answer.get('protocol')!r}; this is protocol {PROTOCOL}"
            )
        self._listed = answer.get("legal") is not False

    def _send(self, message: dict[str, Any]) -> None:
        assert self._program is not None
        self._program.send(_line(message), self.seconds)

    def _ask(self, message: dict[str, Any]) -> dict[str, Any]:
        """Send a message with a number of its own; give the answer, which must have the same."""
        assert self._program is not None
        self._requests += 1
        line = self._program.ask(_line({**message, "id": self._requests}), self.seconds)
        try:
            answer = json.loads(line)
        except (ValueError, RecursionError):
            answer = None
        if not isinstance(answer, dict):
            raise Illegal(f"answered {line[:80].decode('utf-8', 'replace')!r}, which is no object")
        if answer.get("id") != self._requests:
            shown = str(answer.get("id"))[:40]
            raise Illegal(f"answered with id {shown}, but was asked with {self._requests}")
        return answer

    def _end(self) -> None:
        """End the process."""
        if self._program is not None:
            self._program.kill()
            self._program = None


def _line(message: dict[str, Any]) -> bytes:
    return json.dumps(message, separators=(",", ":")).encode() + b"\n"

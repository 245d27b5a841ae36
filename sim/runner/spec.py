"""What a run is: one frozen, complete, validated record. Equal specs give equal bytes."""

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

Value = bool | int | float | str

FILL_LABEL = "fill"
"""Reserved label of the player that takes the empty seats (`--fill`)."""


class PlayerSpec(BaseModel):
    """A strategy with its parameters under a label."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    label: str
    bot: str
    """Built-in or installed name, `package.module:Name`, or an absolute `file.py[:Name]`."""
    parameters: dict[str, Value] = {}
    """Every declared parameter, defaults included."""


class Limits(BaseModel):
    """When a strategy forfeits for taking too much, and when a run gives up on one."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    move_timeout: Annotated[float, Field(gt=0)] | None = 10.0
    """Seconds for one call of a strategy that is not compiled."""
    game_timeout: Annotated[float, Field(gt=0)] | None = None
    """Seconds of a player's own thinking in one game."""
    max_memory: Annotated[int, Field(gt=0)] | None = None
    """Resident bytes of a worker."""
    max_faults: Annotated[int, Field(ge=0)] | None = None
    strict: bool = False


class Comparison(BaseModel):
    """What `sim compare` asks: settings of one strategy, against the same field or each other.

    The settings are the first players of the spec, in the order of the grid; the field follows.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    bot: str
    varied: tuple[str, ...]
    """Names of the varied parameters, in the order given."""
    settings: int
    """How many settings there are."""
    default: int | None = None
    """The setting with the strategy's own default values, if it is among them."""
    confirm: bool = True
    """Play the best setting against the default again on fresh deals."""
    field: tuple[int, ...] = ()
    """Players of the other seats, repeated in the order given; empty: settings play each other."""


class StopRule(BaseModel):
    """When a run may end before its last deal: whichever of the two comes first."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    until_width: Annotated[float, Field(gt=0)] | None = None
    """Every player's interval of the headline figure is at most this wide in all."""
    pair: tuple[str, str] | None = None
    """Labels of the pair of a sequential test: is the first better than the second?"""
    lo: float | None = None
    hi: float | None = None
    """Its hypotheses: differences in standard deviations of a deal's difference."""
    alpha: float = 0.05
    beta: float = 0.05


class RunSpec(BaseModel):
    """Everything that decides the bytes of a run; not how it is played (workers, folder)."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    format: Literal["sim.run/1"] = "sim.run/1"
    game: str
    rules: dict[str, str] = {}
    """Every rule option, resolved."""
    seats: int
    deals: Annotated[int, Field(ge=1)]
    first_deal: Annotated[int, Field(ge=0)] = 0
    seed: Annotated[int, Field(ge=0, lt=1 << 64)]
    players: tuple[PlayerSpec, ...]
    """In canonical order: by label, the fill player (if any) last."""
    line_ups: Annotated[int, Field(ge=1)] | None = None
    """Play a balanced sample of this many line-ups; None: all."""
    mixed: bool = False
    comparison: Comparison | None = None
    """Set for `sim compare`; then `line_ups`, `mixed` and `focus` are not."""
    focus: str | None = None
    """Only line-ups with the player of this label."""
    limits: Limits = Limits()
    stop: StopRule | None = None
    batch_games: Annotated[int, Field(ge=1, le=1 << 16)] = 4096
    """Rows of the batch that a batched strategy is asked about at once; it decides which games
    share a batch, and so must not change between parts of a run."""
    salted: bool = False
    """For tests of the statistics: give equal bots under two labels different draws."""

    @property
    def has_fill(self) -> bool:
        """True if the last player only fills empty seats."""
        return self.players[-1].label == FILL_LABEL

    @property
    def listed(self) -> tuple[PlayerSpec, ...]:
        """Give the players that standings list: not the fill player, not the field of settings."""
        if self.comparison is not None:
            return self.players[: self.comparison.settings]
        return self.players[:-1] if self.has_fill else self.players

"""Two bots for High Card, one of each kind."""

from sim.strategies.api import Strategy, compiled
from toygame import View


@compiled(game="high-card", name="bold")
def bold(event, view, params, memory, rng):  # type: ignore[no-untyped-def]
    """Stake by the card."""
    return (view.card - 1) // 4


class Meek(Strategy):
    """Stake nothing, or cheat with the lowest card."""

    game = "high-card"

    def act(self, view: View) -> int:
        """Stake 0; 9 is no stake."""
        return 9 if view.card == 1 else 0

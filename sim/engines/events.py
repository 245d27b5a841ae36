"""The events a strategy is called for, as compiled strategies get them."""

from typing import Final

ACT: Final = 0
"""Event: your turn; the value returned is your action."""
ROUND_OVER: Final = 1
"""Event: a round ended and its dice were shown; the value returned does not count."""
GAME_OVER: Final = 2
"""Event: the game ended; the value returned does not count."""

MEMORY_SIZE: Final = 32
"""Integers (int64) that a compiled strategy may keep from call to call; zero at the start."""

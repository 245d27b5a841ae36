"""Liar's Dice as the runner and the analysis know it: the declaration of the game."""

from collections.abc import Mapping, Sequence
from typing import Final

from sim.engines.base import Behaviour, Counter, GameKernel, RuleOption, Scoring
from sim.engines.liars_dice.rules import OPTIONS, RULES_VERSION, SEATS, Rules
from sim.engines.tabling import Combinations, seat_players


class LiarsDice:
    """Liar's Dice: two to six players, one winner, every player for itself."""

    name: Final = "liars-dice"
    title: Final = "Liar's Dice"
    rules_version: Final = RULES_VERSION
    seat_counts: Final = SEATS
    default_seats: Final = 2
    has_rounds: Final = True
    rule_options: Final[tuple[RuleOption, ...]] = OPTIONS
    roles: Final[tuple[str, ...]] = ()
    counters: Final[tuple[Counter, ...]] = (
        Counter(name="bids", label="bids made", scope="seat", dtype="i2"),
        Counter(name="challenges", label="challenges made", scope="seat", dtype="i2"),
        Counter(
            name="challenges_right", label="challenges that were right", scope="seat", dtype="i2"
        ),
        Counter(
            name="bids_unsupported",
            label="bids above own dice plus expectation",
            scope="seat",
            dtype="i2",
        ),
        Counter(
            name="bid_excess",
            label="bid minus own minus expected dice, in hundredths",
            scope="seat",
            dtype="i4",
        ),
        Counter(name="bids_on_ones", label="bids on ones", scope="seat", dtype="i2"),
    )
    behaviours: Final[tuple[Behaviour, ...]] = (
        Behaviour(
            name="bids_per_round",
            label="bids per round",
            numerator="bids",
            denominator="rounds",
        ),
        Behaviour(
            name="challenges_per_round",
            label="challenges per round",
            numerator="challenges",
            denominator="rounds",
        ),
        Behaviour(
            name="challenge_right_rate",
            label="challenges that were right",
            numerator="challenges_right",
            denominator="challenges",
            proportion=True,
        ),
        Behaviour(
            name="unsupported_rate",
            label="bids not supported by own dice plus expectation",
            numerator="bids_unsupported",
            denominator="bids",
            proportion=True,
        ),
        Behaviour(
            name="bid_excess_mean",
            label="bid over own plus expected",
            numerator="bid_excess",
            denominator="bids",
            scale=0.01,
            unit="dice",
        ),
        Behaviour(
            name="ones_rate",
            label="bids on ones",
            numerator="bids_on_ones",
            denominator="bids",
            proportion=True,
        ),
    )

    def rules(self, seats: int, options: Mapping[str, str]) -> Rules:
        """Give the validated rules."""
        return Rules.from_options(seats, options)

    def rules_text(self) -> str:
        """Give the rules played here as Markdown."""
        from importlib.resources import files

        return files(__package__).joinpath("rules.md").read_text(encoding="utf-8")

    def scoring(self, rules: Rules) -> Scoring:
        """One winner a game, so equal players win one game in `seats`."""
        return Scoring(
            headline="win_rate",
            win_baseline=1 / rules.seats,
            rating="luce",
            places=True,
            one_winner=True,
        )

    def line_ups(
        self, players: int, rules: Rules, *, mixed: bool = False
    ) -> Sequence[tuple[int, ...]]:
        """Give every combination of distinct players; mixed tables mean nothing here."""
        return Combinations(players, rules.seats)

    def seatings(self, line_up: tuple[int, ...], rules: Rules) -> tuple[tuple[int, ...], ...]:
        """Give the balanced orders of the line-up."""
        return seat_players(line_up)

    def kernel(self, rules: Rules) -> GameKernel:
        """Give the compiled side."""
        from sim.engines.liars_dice.compiled import game_kernel

        return game_kernel(rules)


GAME: Final = LiarsDice()

"""Dou Dizhu as the runner and the analysis know it: the declaration of the game."""

from collections.abc import Mapping, Sequence
from typing import Final

from sim.engines.base import Behaviour, Counter, GameKernel, RuleOption, Scoring
from sim.engines.dou_dizhu.rules import OPTIONS, RULES_VERSION, SEATS, Rules
from sim.engines.tabling import Combinations, seat_players

CLIP: Final = 12
"""`score_clipped` cuts a game's score off here: bombs double, and a few games would decide."""


class DouDizhu:
    """Dou Dizhu: the landlord against two farmers, with an auction or by sides without one."""

    name: Final = "dou-dizhu"
    title: Final = "Dou Dizhu"
    rules_version: Final = RULES_VERSION
    seat_counts: Final = range(SEATS, SEATS + 1)
    default_seats: Final = SEATS
    has_rounds: Final = False
    rule_options: Final[tuple[RuleOption, ...]] = OPTIONS
    roles: Final[tuple[str, ...]] = ("landlord", "farmer")
    counters: Final[tuple[Counter, ...]] = (
        Counter(
            name="role",
            label="role",
            scope="seat",
            dtype="i1",
            kind="category",
            categories={-1: "none", 0: "landlord", 1: "farmer"},
        ),
        Counter(
            name="bid",
            label="highest bid made",
            scope="seat",
            dtype="i1",
            kind="category",
            categories={0: "none"},
        ),
        Counter(
            name="bid_won",
            label="value of the winning bid, for the seat that made it",
            scope="seat",
            dtype="i1",
        ),
        Counter(
            name="passes_able",
            label="passes while able to play",
            scope="seat",
            dtype="i2",
        ),
        Counter(name="bombs", label="bombs and rockets played", scope="seat", dtype="i1"),
        Counter(
            name="landlord",
            label="seat of the landlord",
            scope="game",
            dtype="i1",
            kind="category",
            categories={-1: "none", 0: "seat 0", 1: "seat 1", 2: "seat 2"},
        ),
        Counter(
            name="final_bid",
            label="final bid",
            scope="game",
            dtype="i1",
            kind="category",
            categories={0: "none"},
        ),
        Counter(name="multiplier", label="multiplier", scope="game", dtype="i4"),
        Counter(
            name="spring",
            label="spring",
            scope="game",
            dtype="i1",
            kind="category",
            categories={0: "none", 1: "spring", 2: "anti-spring"},
        ),
        Counter(name="redeals", label="redeals", scope="game", dtype="i2"),
    )
    behaviours: Final[tuple[Behaviour, ...]] = (
        Behaviour(
            name="bid_mean",
            label="highest bid made, mean",
            numerator="bid",
            denominator="appearances",
        ),
        Behaviour(
            name="bid_won_mean",
            label="winning bid, mean over all games",
            numerator="bid_won",
            denominator="appearances",
        ),
        Behaviour(
            name="passes_able_per_game",
            label="passes while able to play, per game",
            numerator="passes_able",
            denominator="appearances",
        ),
        Behaviour(
            name="bombs_per_game",
            label="bombs and rockets per game",
            numerator="bombs",
            denominator="appearances",
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
        """Judge by points with an auction, where the roles are chosen; by wins without one."""
        if rules.auction:
            return Scoring(
                headline="score",
                win_baseline=None,
                rating=None,
                places=False,
                one_winner=False,
                clip=CLIP,
            )
        return Scoring(
            headline="win_rate",
            win_baseline=1 / 2,
            rating="bradley-terry-roles",
            places=False,
            one_winner=False,
            clip=CLIP,
        )

    def line_ups(
        self, players: int, rules: Rules, *, mixed: bool = False
    ) -> Sequence[tuple[int, ...]]:
        """Give every triple, and the tables AAB and ABB where `mixed` or there are only two
        players; without an auction every pair, who then play by sides.
        """
        if not rules.auction:
            return Combinations(players, 2)
        triples = Combinations(players, SEATS)
        if not mixed and players > 2:
            return triples
        pairs = Combinations(players, 2)
        return [*(table for a, b in pairs for table in ((a, a, b), (a, b, b))), *triples]

    def seatings(self, line_up: tuple[int, ...], rules: Rules) -> tuple[tuple[int, ...], ...]:
        """Give all arrangements of three; of a pair, either as the landlord against the other.

        >>> GAME.seatings((0, 1), Rules(auction=False))
        ((0, 1, 1), (1, 0, 0))
        """
        if rules.auction:
            return seat_players(line_up)
        landlord, farmers = line_up
        return (landlord, farmers, farmers), (farmers, landlord, landlord)

    def kernel(self, rules: Rules) -> GameKernel:
        """Give the compiled side."""
        from sim.engines.dou_dizhu.compiled import game_kernel

        return game_kernel(rules)


GAME: Final = DouDizhu()

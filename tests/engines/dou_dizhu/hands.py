"""Hands for Hypothesis, as text from low to high."""

from hypothesis import strategies as st

from tests.reference.dou_dizhu import FOURS, RANKS

PACK = FOURS * 4 + "BR"


def dealt(most: int = 20) -> st.SearchStrategy[str]:
    """Hands as dealt: some cards of a shuffled pack."""
    cards = st.permutations(PACK)
    return st.tuples(cards, st.integers(1, most)).map(
        lambda deal: "".join(sorted(deal[0][: deal[1]], key=RANKS.index))
    )


def lumped() -> st.SearchStrategy[str]:
    """Hands full of trios, fours and runs, some larger than the game ever sees."""
    counts = [st.integers(0, 4)] * 13 + [st.integers(0, 1)] * 2
    return st.tuples(*counts).map(
        lambda held: "".join(rank * n for rank, n in zip(RANKS, held, strict=True))
    )


def hands() -> st.SearchStrategy[str]:
    """Either sort."""
    return st.one_of(dealt(), lumped())

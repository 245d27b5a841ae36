"""Shapes and classes."""

from sim.engines.dou_dizhu.shapes import (
    ROCKET_CLASS,
    SHAPES,
    Kind,
    class_code,
    class_shape,
    core_ranks,
)
from tests.reference import dou_dizhu as slow

CLASSES = sorted({(c.kind, c.length, slow.RANKS.index(c.rank)) for c in slow.ALL})


def test_there_are_308_classes_of_kind_length_and_rank() -> None:
    """The twin's classes and the shapes' are the same 308 (rules.md)."""
    ours = [(s.kind.value, s.length, rank) for s in SHAPES for rank in core_ranks(s)]

    assert len(CLASSES) == 308
    assert sorted(ours) == CLASSES


def test_a_code_names_its_class() -> None:
    """Different classes have different codes, none of them 0, the rocket's is the highest."""
    codes = {class_code(Kind(kind), length, rank): (kind, length) for kind, length, rank in CLASSES}

    assert len(codes) == 308
    assert min(codes) == 16
    assert max(codes) == ROCKET_CLASS
    assert all((class_shape(c).kind, class_shape(c).length) == codes[c] for c in codes)


def test_shapes_have_the_cards_of_their_combinations() -> None:
    """Kind by kind and length by length."""
    sizes = {(s.kind.value, s.length): s.cards for s in SHAPES if s.kind is not Kind.ROCKET}

    for combination in slow.ALL:
        if combination.kind != "rocket":
            assert len(combination.cards) == sizes[combination.kind, combination.length]

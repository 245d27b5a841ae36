"""Parameters are declared once; whatever does not fit is refused with a sentence."""

from typing import Any

import pytest

from sim.errors import UsageError
from sim.strategies.loading import load_bot
from sim.strategies.parameters import Param, Value, infer
from tests.strategies.tables import LIARS_DICE


@pytest.mark.parametrize(
    ("default", "given", "expected"),
    [
        (0.5, "0.25", 0.25),
        (0.5, "1e-1", 0.1),
        (0.5, 1, 1.0),
        (3, "7", 7),
        (3, -7, -7),
        (True, "false", False),
        (False, "True", True),
        ("any", "0.5", "0.5"),
    ],
)
def test_values_are_read_as_their_type(default: Value, given: Value, expected: Value) -> None:
    """Text and values become the type of the default."""
    value = Param("p", default).read(given)

    assert value == expected
    assert type(value) is type(default)


@pytest.mark.parametrize(
    ("parameter", "given", "message"),
    [
        (Param("p", 0.5), "abc", "p='abc' is not a number"),
        (Param("p", 0.5), "", "p='' is not a number"),
        (Param("p", 0.5), "nan", "p='nan' is not a finite number"),
        (Param("p", 0.5), "inf", "p='inf' is not a finite number"),
        (Param("p", 0.5), True, "p=True is not a number"),
        (Param("p", 0.5), 10**400, f"p={10**400} is not a number"),
        (Param("p", 0.5, low=0, high=1), 1.5, "p=1.5 is outside 0..1"),
        (Param("p", 0.5, low=0, high=1), "-0.1", "p='-0.1' is outside 0..1"),
        (Param("p", 3, low=1), "0", "p='0' is outside 1 or more"),
        (Param("p", 3, high=9), 10, "p=10 is outside 9 or less"),
        (Param("p", 3), "2.5", "p='2.5' is not a whole number"),
        (Param("p", 3), 2.0, "p=2.0 is not a whole number"),
        (Param("p", 3), True, "p=True is not a whole number"),
        (Param("p", True), "yes", "p='yes' is not true or false"),
        (Param("p", True), 1, "p=1 is not true or false"),
        (Param("p", "any"), 1, "p=1 is not text"),
    ],
)
def test_what_does_not_fit_is_refused(parameter: Param, given: Value, message: str) -> None:
    """The sentence quotes the value and says what would be right."""
    with pytest.raises(UsageError) as refusal:
        parameter.read(given)

    assert str(refusal.value) == message


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"name": "two words", "default": 1}, "parameter 'two words': a name is letters"),
        ({"name": "class", "default": 1}, "parameter 'class': a name is letters"),
        ({"name": "p", "default": None}, "its default None must be one of: bool, int, float, str"),
        ({"name": "p", "default": "x", "low": 0}, "only numbers have a range"),
        ({"name": "p", "default": 1, "low": 2, "high": 0}, "the range 2..0 is empty"),
        ({"name": "p", "default": 3, "low": 0, "high": 1}, "its default: p=3 is outside 0..1"),
        ({"name": "p", "default": float("nan")}, "its default: p=nan is not a finite number"),
    ],
)
def test_contradictory_declarations_are_refused(arguments: dict[str, Any], message: str) -> None:
    """A parameter that no value fits is the author's slip, found when the file is loaded."""
    with pytest.raises((TypeError, ValueError), match=message.replace(".", r"\.")):
        Param(**arguments)


class WithoutDefault:
    """A constructor that cannot be called without arguments."""

    def __init__(self, margin: int) -> None: ...


class WithRest:
    """A constructor that takes anything."""

    def __init__(self, **rest: int) -> None: ...


class OddDefault:
    """A constructor whose default is no number."""

    def __init__(self, faces: tuple[int, ...] = ()) -> None: ...


@pytest.mark.parametrize(
    ("cls", "message"),
    [
        (WithoutDefault, "WithoutDefault.__init__: parameter 'margin' has no default"),
        (WithRest, r"WithRest.__init__ takes '\*\*rest: int': name each parameter"),
        (OddDefault, r"parameter faces: its default \(\) must be one of"),
    ],
)
def test_constructors_that_tell_no_parameters(cls: type, message: str) -> None:
    """Where parameters are read from the constructor, each needs a name and a default."""
    with pytest.raises(TypeError, match=message):
        infer(cls)


def test_float_parameters_may_have_whole_defaults() -> None:
    """`margin: float = 1` takes fractions."""

    class Margin:
        def __init__(self, margin: float = 1) -> None: ...

    assert infer(Margin) == (Param("margin", 1.0),)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (
            {"agressiveness": "1"},
            "aggressive: unknown parameter 'agressiveness': did you mean 'aggressiveness'? "
            "(known: aggressiveness)",
        ),
        ({"aggressiveness": "2"}, "aggressive: aggressiveness='2' is outside 0..1"),
        ({"aggressiveness": "nan"}, "aggressive: aggressiveness='nan' is not a finite number"),
        ({"aggressiveness": "lots"}, "aggressive: aggressiveness='lots' is not a number"),
    ],
)
def test_binding_names_the_strategy(given: dict[str, Value], message: str) -> None:
    """With many players in a run the sentence says whose parameter is wrong."""
    with pytest.raises(UsageError) as refusal:
        load_bot("aggressive", LIARS_DICE).bind(given)

    assert str(refusal.value) == message


def test_a_strategy_without_parameters_says_so() -> None:
    """There is nothing to suggest."""
    with pytest.raises(UsageError, match="honest: unknown parameter 'x': there are none"):
        load_bot("honest", LIARS_DICE).bind({"x": 1})


def test_binding_resolves_every_parameter_in_order() -> None:
    """What was given and what was not, in declared order; compiled code gets them first."""
    bound = load_bot("threshold", LIARS_DICE).bind({"bluff_rate": "0.5"})

    assert list(bound.parameters.items()) == [
        ("challenge_below", 0.2),
        ("raise_above", 0.3),
        ("bluff_rate", 0.5),
    ]
    assert bound.params[:3].tolist() == [0.2, 0.3, 0.5]
    assert bound.params[3:].tolist() == bound.table.tolist()

"""The printed command, read back, gives the run it was printed for."""

import shlex
from pathlib import Path

import pytest

from sim.analysis.repeat import FROM_MANIFEST, command, player_text
from sim.engines.base import RuleOption, load_game
from sim.runner.entrants import read_entrant
from sim.runner.request import FIELDS, request
from sim.runner.spec import PlayerSpec, RunSpec, Value
from tests.analysis.toy_runs import Toy

GAME = Toy(
    name="toy",
    title="Toy",
    counters=(),
    behaviours=(),
    rule_options=(
        RuleOption(name="ones", default="low", choices="low | high", help=""),
        RuleOption(name="wild", default="true", choices="true | false", help=""),
    ),
)


def player(label: str, bot: str, **parameters: Value) -> PlayerSpec:
    """Give a player of a spec."""
    return PlayerSpec(label=label, bot=bot, parameters=parameters)


@pytest.mark.parametrize(
    "spec",
    [
        player("honest", "honest"),
        player("bold", "aggressive", aggressiveness=0.8),
        player("bold", "pkg.mod:Bold", depth=3, wild=True, name="x"),
        player("threshold", "threshold", bluff_rate=0.1, raise_above=0.5),
        player("my bot", "honest"),
    ],
)
def test_a_player_is_read_back(spec: PlayerSpec) -> None:
    """Label, bot and every parameter survive the way through the text."""
    written = player_text(spec)
    assert written is not None
    back = read_entrant(written, flag="-p", base=Path("/"))

    assert back.bot == spec.bot
    assert (back.label or spec.bot) == spec.label
    assert back.parameters == {
        key: str(value).lower() if isinstance(value, bool) else str(value)
        for key, value in spec.parameters.items()
    }


@pytest.mark.parametrize(
    ("label", "bot", "parameters", "expected"),
    [
        ("aggressive:a=0.8", "aggressive", {"a": 0.8, "b": 1}, "aggressive:a=0.8"),
        ("aggressive:a=0.80", "aggressive", {"a": 0.8}, "aggressive:a=0.80"),
        ("cautious:x=1", "pkg.mod:Cautious", {"x": 1}, "pkg.mod:Cautious:x=1"),
        ("my_bot:on=true", "/bots/my_bot.py", {"on": True}, "/bots/my_bot.py:on=true"),
    ],
)
def test_a_label_made_by_its_parameters_is_made_again(
    label: str, bot: str, parameters: dict[str, Value], expected: str
) -> None:
    """A default label holds a ':', which no written label may; the same text makes it again."""
    assert player_text(player(label, bot, **parameters)) == expected


@pytest.mark.parametrize("label", ["odd:one", "a=b", "aggressive:a=0.7"])
def test_a_label_that_no_flag_can_give_needs_the_manifest(label: str) -> None:
    """Labels of a TOML table may hold ':' and '='; then no command is made up."""
    odd = player(label, "aggressive", a=0.8)
    spec = RunSpec(game="toy", seats=2, deals=1, seed=1, players=(odd, player("b", "b")))

    assert player_text(odd) is None
    assert command(spec, GAME) == FROM_MANIFEST


def test_every_part_of_a_spec_is_in_the_command() -> None:
    """Options that are not the default, line-ups, focus, fill and limits; quoted for a shell."""
    spec = RunSpec.model_validate(
        {
            "game": "toy",
            "rules": {"ones": "high", "wild": "true"},
            "seats": 3,
            "deals": 50,
            "seed": 9,
            "players": [player("a b", "honest"), player("fill", "random")],
            "line_ups": 4,
            "mixed": True,
            "focus": "a b",
            "limits": {"move_timeout": None, "max_faults": 3, "strict": True},
        }
    )

    assert command(spec, GAME) == (
        "sim run --game toy -p 'a b=honest' --fill random --seats 3 --deals 50 --seed 9 "
        "--rule ones=high --line-ups 4 --mixed --focus 'a b' "
        "--move-timeout none --max-faults 3 --strict"
    )


FLAGS = {flag: key for key, flag in FIELDS.items()}
MANY = ("players", "rules")


def flags_of(line: str) -> dict[str, object]:
    """Read a command line back into the flags that `sim run` gets."""
    words = shlex.split(line)
    assert words[:2] == ["sim", "run"]
    given: dict[str, object] = {}
    rest = iter(words[2:])
    for word in rest:
        key = FLAGS[word]
        if key in ("mixed", "strict"):
            given[key] = True
        elif key in MANY:
            so_far = given.setdefault(key, [])
            assert isinstance(so_far, list)
            so_far.append(next(rest))
        else:
            given[key] = next(rest)
    return given


@pytest.mark.parametrize(
    "flags",
    [
        {"players": ["random", "honest"], "seed": "7"},
        {"players": ["honest", "b=honest", "aggressive:aggressiveness=0.80"], "seats": "3"},
        {"players": ["my own=threshold:bluff_rate=0.2", "random"], "rules": ["ones_rank=high"]},
        {"players": ["random"], "fill": "threshold", "seats": "4", "first_deal": "12"},
        {
            "players": ["random", "honest", "dudo", "aggressive"],
            "rules": ["ones_wild=false", "dice=3"],
            "focus": "dudo",
            "line_ups": "2",
            "move_timeout": "none",
            "max_memory": "512M",
            "strict": True,
        },
    ],
)
def test_the_command_asks_for_the_same_run(flags: dict[str, object]) -> None:
    """From flags to a spec, to the printed command, back to flags: the same spec."""
    first = request({"game": "liars-dice", "deals": "20"} | flags).spec
    line = command(first, load_game("liars-dice"))

    assert request(flags_of(line)).spec == first

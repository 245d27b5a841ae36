"""The command line of a foreign program: split like a shell does, but run without one.

The program is found as a shell finds it: by its path if there is a `/` in it, else along PATH.
Every other word that is the name of a file is taken to mean that file. Paths count from the folder
in which the command was written, and are made absolute, so that a run can be resumed from anywhere;
these files are the strategy's sources.
"""

import os
import shlex
import shutil
from pathlib import Path

from sim.errors import UsageError


def split_command(command: str) -> list[str]:
    """Split a command into words; quotes work as in a shell, nothing else does.

    >>> split_command("./mybot --fast 'two words'")
    ['./mybot', '--fast', 'two words']
    """
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise UsageError(f"cmd:{command}: {str(error).lower()}") from None
    if not words or not words[0]:
        raise UsageError("cmd: names no program: write e.g. cmd:./mybot --fast")
    return words


def locate(command: str, base: Path) -> str:
    """Write a command with absolute paths; UsageError if its program is not there.

    >>> locate("sh -c true", Path("/"))
    'sh -c true'
    """
    program, *rest = split_command(command)
    return shlex.join([_program(program, command, base), *(_word(word, base) for word in rest)])


def files_of(words: list[str]) -> tuple[Path, ...]:
    """Give the files that a located command names: what the strategy is made of."""
    paths = [Path(word) for word in words if word.startswith("/")]
    return tuple(sorted({path for path in paths if _is_file(path)}))


def _program(word: str, command: str, base: Path) -> str:
    if "/" not in word:
        if shutil.which(word) is None:
            hint = f"; for the file here write ./{word}" if _is_file(base / word) else ""
            raise UsageError(f"cmd:{command}: there is no program {word!r} on the PATH{hint}")
        return word
    path = Path(os.path.normpath(base.absolute() / Path(word).expanduser()))
    if not path.is_file():
        raise UsageError(f"cmd:{command}: there is no file {word!r}")
    if not os.access(path, os.X_OK):
        raise UsageError(
            f"cmd:{command}: {word!r} is not executable: run chmod +x on it, or name what runs it, "
            f"e.g. cmd:node {word}"
        )
    return str(path)


def _word(word: str, base: Path) -> str:
    path = Path(os.path.normpath(base.absolute() / word))
    return str(path) if word and _is_file(path) else word


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except (OSError, ValueError):  # a word too long for a name, or with a zero byte
        return False

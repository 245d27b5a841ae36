"""Write all golden games again: `python -m tests.golden.write`.

The files are what the engines must play for ever under one `RULES_VERSION`. Run this only when
games are meant to change, and review the difference.
"""

from pathlib import Path
from typing import Final

from tests.golden import dou_dizhu_games, liars_dice_games

FOLDER: Final = Path(__file__).parent

WRITERS: Final = {"dou_dizhu": dou_dizhu_games.files, "liars_dice": liars_dice_games.files}
"""For each folder what gives its files: names and texts."""


def main() -> None:
    """Write every file, and remove those that are written no more."""
    for folder, files in WRITERS.items():
        texts = files()
        for path in (FOLDER / folder).glob("*.txt"):
            if path.name not in texts:
                path.unlink()
        for name, text in texts.items():
            (FOLDER / folder / name).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()

"""A program for `cmd:`: low bids, challenges at half of the dice; and one misbehaviour, by name.

`python talker.py MISBEHAVIOUR FILE`: it happens in the third game, and once: FILE is then there.
"""

import json
import os
import sys
import time
from pathlib import Path
from typing import Any

heard: dict[int, list[str]] = {}
"""What it was told of each game."""


def misbehave(name: str, message: dict[str, Any]) -> None:
    """Do as named."""
    if name == "dies":
        os._exit(3)
    if name == "killed":
        os.kill(os.getpid(), 9)
    if name == "silent":
        time.sleep(60)
    if name == "closes":
        os.close(1)
        time.sleep(60)
    request = message["id"]
    well = json.dumps({"id": request, "action": choose(message)})
    answers = {
        "garbage": "garbage",
        "list": "[1]",
        "wrong-id": '{"id":0,"action":0}',
        "twice": f"{well}\n{well}",
        "no-action": f'{{"id":{request}}}',
        "bad-text": f'{{"id":{request},"action":"3y4"}}',
        "illegal": f'{{"id":{request},"action":1000}}',
        "huge": f'{{"id":{request},"action":1' + "0" * 400 + "}",
        "long": "x" * (2 << 20),
    }
    print(answers[name], flush=True)


def choose(message: dict[str, Any]) -> int | str:
    """Bid low, or challenge."""
    heard[message["game"]].append("act")  # KeyError: of a game it was not told of
    if not message["bids"]:
        return "challenge"
    low, high = message["bids"]
    low = min(low + len(heard[message["game"]]) % 2, high)  # depends on all that it was told
    half = 2 * (low // 6 + 1) >= message["view"]["dice_in_play"]
    return "challenge" if message["challenge"] and half else low


def main() -> None:
    """Talk."""
    name, marker = sys.argv[1], Path(sys.argv[2])
    for line in sys.stdin:
        message = json.loads(line)
        if name == "records":
            with marker.open("a", encoding="utf-8") as file:
                file.write(line)
        if message["type"] == "hello":
            version = 99 if name == "version" else 1
            print(json.dumps({"id": message["id"], "protocol": version}), flush=True)
        if message["type"] == "game":
            heard[message["game"]] = []
        if message["type"] != "act":
            continue
        if name == "noisy":
            sys.stderr.write("noise\n" * 50_000)
        ill = name not in ("well", "records", "noisy")
        if ill and message["game"] == 3 and not marker.exists():
            marker.touch()
            misbehave(name, message)
        else:
            print(json.dumps({"id": message["id"], "action": choose(message)}), flush=True)


if __name__ == "__main__":
    main()

"""`sim moves HAND`: what a hand of Dou Dizhu may play, grouped by kind."""

from typing import Annotated

import typer

from sim.cli.printing import echo, echo_json


def moves(
    hand: Annotated[str, typer.Argument(help="Cards of 3456789TJQKA2BR, in any order.")],
    beat: Annotated[
        str | None,
        typer.Option(metavar="CARDS", help="The combination to beat; without it the hand leads."),
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="Print the plays as JSON.")] = False,
) -> None:
    """List every distinct play of a hand of Dou Dizhu, pass left out.

    sim moves 333444BR

    sim moves 558999TJJJJKKK --beat 888
    """
    from sim.engines.cache import use_cache_folder

    use_cache_folder()
    from sim.engines.dou_dizhu import Kind, classify, legal_plays

    by_kind: dict[str, list[str]] = {kind.value: [] for kind in Kind}
    for play in legal_plays(hand, beat):
        combination = classify(play)
        assert combination is not None
        by_kind[combination.kind.value].append(play)
    plays = {kind: found for kind, found in by_kind.items() if found}
    count = sum(map(len, plays.values()))
    if json:
        echo_json(
            {"schema": "sim.moves/1", "hand": hand, "beat": beat, "count": count, "plays": plays}
        )
        return
    width = max(map(len, plays), default=0)
    for kind, found in plays.items():
        echo(f"{kind:{width}}  {len(found):3}  {' '.join(found)}")
    what = "leads" if beat is None else f"plays beat {beat}"
    echo(f"{count} {what}" if count else "nothing but pass")

"""Commands that look at what has been played: `audit`, `replay`, `stats`."""

from pathlib import Path
from typing import Annotated

import typer

from unop2p.cli.exits import leave
from unop2p.cli.options import JSONOption, OwnDealOption, PlainOption, ProfileOption

RecordArgument = Annotated[Path, typer.Argument(help="A record, as --record writes it.")]


def audit(
    file: RecordArgument,
    deal: OwnDealOption = None,
    expect: Annotated[
        Path | None,
        typer.Option("--expect", help="Known peers (JSON) that the seats' keys must be of."),
    ] = None,
    json_: JSONOption = False,
) -> None:
    """Check a record from nothing: every signature, proof, rule and score.

    Example: unop2p audit my-match.jsonl
    """
    from unop2p.cli import audit as command  # noqa: PLC0415

    leave(lambda: command.run(file, expect, deal, as_json=json_))


def replay(  # each is an option
    file: RecordArgument,
    profile: ProfileOption = "default",
    seen_by: Annotated[
        str | None,
        typer.Option("--as", help="Whose cards to show, by name; left out: your own seat's."),
    ] = None,
    spectator: Annotated[
        bool, typer.Option("--spectator", help="Show nobody's cards, as who only watches.")
    ] = False,
    round_: Annotated[
        int | None, typer.Option("--round", min=1, help="Begin there; with --plain: only that.")
    ] = None,
    step: Annotated[
        int | None, typer.Option("--step", min=0, help="Print the table as it stood after a step.")
    ] = None,
    open_: Annotated[
        bool, typer.Option("--open", help="Show all hands, as the round's end opened them.")
    ] = False,
    analyze: Annotated[
        bool, typer.Option("--analyze", help="Tell what a bot would have played for that seat.")
    ] = False,
    level: Annotated[
        str, typer.Option("--level", help="With --analyze: which bot, random to net.")
    ] = "net",
    plain: PlainOption = False,
    deal: OwnDealOption = None,
) -> None:
    """Step through a record: space plays, arrows step, q quits.

    Example: unop2p replay my-match.jsonl --as ben --round 3
    """
    from unop2p.cli import replay as command  # noqa: PLC0415

    request = command.ReplayRequest(
        file=file,
        profile=profile,
        seen_by=seen_by,
        spectator=spectator,
        round_number=round_,
        step=step,
        open_hands=open_,
        analyze=level if analyze else None,
        plain=plain,
        deal=deal,
    )
    leave(lambda: command.run(request))


def stats(
    profile: ProfileOption = "default",
    last: Annotated[
        int | None, typer.Option("--last", min=1, help="Only so many matches, the latest.")
    ] = None,
    json_: JSONOption = False,
) -> None:
    """Show what your matches came to: won, points, streaks, and with whom.

    Example: unop2p stats --last 20
    """
    from unop2p.cli import stats as command  # noqa: PLC0415

    leave(lambda: command.show(profile, last, as_json=json_))

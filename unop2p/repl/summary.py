"""What a round, a match or many matches came to, as small tables of text. Pure."""

from collections.abc import Sequence

from unop2p.repl.fold import width_of
from unop2p.repl.paint import Paint, name
from unop2p.table import notices
from unop2p.table.view import TableView

GAP = "  "


def table_lines(
    titles: Sequence[str], rows: Sequence[Sequence[str]], *, indent: str = GAP
) -> list[str]:
    """Return rows under their titles, the first column to the left, numbers to the right.

    Args:
        titles: of the columns.
        rows: as many cells each.
        indent: what each line begins with.

    >>> table_lines(["seat", "won"], [["ann", "3"], ["benjamin", "12"]])
    ['  seat      won', '  ann         3', '  benjamin   12']
    """
    lines = [tuple(titles), *(tuple(row) for row in rows)]
    widths = [max(width_of(line[place]) for line in lines) for place in range(len(titles))]
    return [(indent + GAP.join(_padded(line, widths))).rstrip() for line in lines]


def _padded(cells: Sequence[str], widths: Sequence[int]) -> list[str]:
    padded = []
    for place, (cell, width) in enumerate(zip(cells, widths, strict=True)):
        space = " " * (width - width_of(cell))
        padded.append(cell + space if place == 0 else space + cell)
    return padded


def round_table(notice: notices.RoundEnded, view: TableView, paint: Paint) -> list[str]:
    """Return what a round came to: cards left, points of the round, and the totals."""
    words = paint.words
    titles = (words.say("seat"), words.say("cards left"), words.say("points"), words.say("total"))
    rows = [
        (
            _who(view, shown, notice.outcome.winner == shown, paint),
            str(len(notice.hands[shown])),
            f"{points:+}" if points else "0",
            str(notice.totals[shown]),
        )
        for shown, points in enumerate(notice.outcome.points)
    ]
    return table_lines(titles, rows)


def match_table(notice: notices.MatchEnded, view: TableView, paint: Paint) -> list[str]:
    """Return what a match came to: rounds won and points."""
    words = paint.words
    won = view.match.rounds_won if view.match is not None else (0,) * len(notice.totals)
    titles = (words.say("seat"), words.say("rounds won"), words.say("points"))
    rows = [
        (_who(view, seat, seat in notice.winners, paint), str(won[seat]), str(total))
        for seat, total in enumerate(notice.totals)
    ]
    return table_lines(titles, rows)


def _who(view: TableView, seat: int, won: bool, paint: Paint) -> str:  # noqa: FBT001  # a mark
    return paint.bold(f"{name(view, seat)} *") if won else name(view, seat)

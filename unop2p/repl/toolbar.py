"""The line below the input: connection, seats heard from, step, rules, score. Pure."""

from typing import Final

from unop2p.ids import Seat
from unop2p.repl.explain import rules_name
from unop2p.repl.fold import cut, width_of
from unop2p.repl.paint import name
from unop2p.repl.render import HEARD_MS
from unop2p.table.view import Stage, TableView
from unop2p.words import ENGLISH, Words

BETWEEN: Final = " | "


def toolbar_text(
    view: TableView, link: str, words: Words = ENGLISH, *, columns: int = 1_000
) -> str:
    """Return as much as fits of: link, seats heard, who is waited for, step, rules, score.

    Args:
        view: the table.
        link: how the connection to each broker is, in a word or two.
        words: the language of the person.
        columns: of the terminal.
    """
    parts = [words.say("broker {link}", link=words.say(link))]
    if view.stage is Stage.LOBBY:
        taken, wanted = len(view.seats), view.seats_wanted
        parts.append(words.say("lobby {taken}/{wanted}", taken=taken, wanted=wanted))
        return _fitting(parts, columns)
    heard = sum(1 for seat in view.seats if seat.heard_ms is not None and seat.heard_ms < HEARD_MS)
    others = max(0, len(view.seats) - (view.seat is not None))
    parts.append(words.say("heard {heard}/{others}", heard=heard, others=others))
    if view.shuffle is not None:
        done, total = len(view.shuffle.done), view.shuffle.total
        parts.append(words.say("shuffled {done}/{total}", done=done, total=total))
    if view.waiting_for and not view.my_turn:
        late = ", ".join(name(view, Seat(seat)) for seat in view.waiting_for)
        if view.patience_ms is None:
            parts.append(words.say("waiting for {names}", names=late))
        else:
            left = -(-view.patience_ms // 1000)
            parts.append(words.say("waiting for {names}, {left} s", names=late, left=left))
    parts.append(words.say("step {step}", step=view.step))
    parts.append(words.tell(rules_name(view.options)))
    parts.append(" ".join(f"{name(view, seat.seat)} {seat.total}" for seat in view.seats))
    return _fitting(parts, columns)


def _fitting(parts: list[str], columns: int) -> str:
    """Return the parts that fit side by side, the first of them in any case."""
    text = f" {parts[0]}"
    for part in parts[1:]:
        if width_of(text) + width_of(BETWEEN) + width_of(part) <= columns:
            text += BETWEEN + part
    return cut(text, columns, "")

"""A hint as lines: what a level would play, what it expects, and what else is worth a thought. Pure."""

from typing import Final

from unop2p.bots.base import Randomness
from unop2p.bots.hint import LEVEL, Adviser, Hint
from unop2p.repl.completer import typed_move
from unop2p.repl.paint import names
from unop2p.rules.moves import Move
from unop2p.table.view import TableView
from unop2p.words import Words, said

OTHERS_MAX: Final = 4
NO_HINTS: Final = said("This table plays without hints.")


def hint_lines(view: TableView, level: str, rng: Randomness, words: Words) -> list[str]:
    """Return a hint for who is asked now.

    Args:
        view: what the person sees.
        level: whom to ask; empty: the strongest.
        rng: chance of the hint's own.
        words: the language of the person.

    Raises:
        UnknownBotError: there is no such level.
    """
    if not view.hints:
        return [words.tell(NO_HINTS)]
    adviser = Adviser(level or LEVEL)
    if view.player is None or not view.legal:
        return [words.say("Nothing is yours to do now.")]
    return _lines(adviser.hint(view.player, view.legal, rng), view, words)


def _lines(hint: Hint, view: TableView, words: Words) -> list[str]:
    if hint.move is None:
        return [words.say("Hint: `{level}` would say nothing now.", level=hint.level)]
    move = _typed(hint.move, view)
    if hint.points is None:
        return [words.say("Hint: `{level}` would type `{move}`.", level=hint.level, move=move)]
    lines = [
        words.say(
            "Hint: `{level}` would type `{move}`; {points} points expected of this round.",
            level=hint.level,
            move=move,
            points=f"{hint.points:+.1f}",
        )
    ]
    shown = hint.others[:OTHERS_MAX]
    if shown:
        others = ", ".join(f"`{_typed(o.move, view)}` {o.points:+.1f}" for o in shown)
        lines.append(words.say("Otherwise: {others}.", others=others))
    return lines


def _typed(move: Move, view: TableView) -> str:
    return typed_move(move, names(view))

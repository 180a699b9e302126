"""How a bot's program takes what it does not know, and the end: a part of `unop2p bot check`."""

from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import Final

from unop2p.bots.conformance import Asked
from unop2p.bots.messages import ProgramError
from unop2p.edge.program_bot import ProgramBot
from unop2p.words import said

LINES: Final = {
    "unknown_type": b'{"type":"weather","of":"a later version"}\n',
    "empty_line": b"\n",
    "no_json": b"what is this?\n",
}
REQUIRED: Final = frozenset({"unknown_type", "end_of_input"})
"""What a program must bear; how it takes the rest is only told."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Borne:
    """How a program took one odd thing."""

    what: str
    """A key of `LINES`, or `end_of_input`."""
    fine: bool
    required: bool
    sentence: str
    """What went wrong; empty where nothing did."""


def try_bad_input(make: Callable[[], ProgramBot], asked: Asked) -> tuple[Borne, ...]:
    """Tell a new process of the program each odd line, and ask it as ever afterwards."""
    found: list[Borne] = []
    ended = True
    for what, line in LINES.items():
        bot, sentence = make(), ""
        try:
            bot.choose(asked.view, asked.legal, Random(asked.seed))  # noqa: S311  # to be repeated
            bot.tell_as_it_is(line)
            bot.choose(asked.view, asked.legal, Random(asked.seed))  # noqa: S311  # as above
        except ProgramError as error:
            sentence = error.detail()
        by_itself = bot.end()
        if not sentence:
            ended = ended and by_itself
        found.append(_borne(what, sentence))
    found.append(_borne("end_of_input", "" if ended else said("It had to be killed.")))
    return tuple(found)


def _borne(what: str, sentence: str) -> Borne:
    return Borne(what=what, fine=not sentence, required=what in REQUIRED, sentence=sentence)

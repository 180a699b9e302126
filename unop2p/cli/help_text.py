"""What a help text is made of: sentences, which are translated, and commands, which are not."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

from unop2p.words import mark

EXAMPLE: Final = mark("Example: {command}")
EXAMPLES: Final = mark("Examples:")
_EXAMPLE = re.compile(r"Example: (?P<command>.*)", re.DOTALL)
_SHOWN = re.compile(r"(?P<command> *unop2p (?:\S| (?! ))*)(?P<gap> *)(?P<meaning>.*)", re.DOTALL)


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """A paragraph of a help text."""

    command: str = ""
    """What stands in it as it is: a command line."""
    gap: str = ""
    sentence: str = ""
    """What is translated; for an example, what the command does."""
    example: bool = False
    """It says `Example:` before the command."""


def parts_of(text: str) -> Iterator[Part]:
    """Yield the paragraphs of a help text, as it stands in a docstring or an option.

    >>> [part.sentence for part in parts_of("  unop2p id  who you are")]
    ['who you are']
    """
    for paragraph in text.split("\n\n"):
        example, shown = _EXAMPLE.fullmatch(paragraph), _SHOWN.fullmatch(paragraph)
        if example:
            yield Part(command=example["command"], example=True)
        elif shown:
            yield Part(command=shown["command"], gap=shown["gap"], sentence=shown["meaning"])
        else:
            yield Part(sentence=" ".join(paragraph.split()))


def put_together(text: str, say: Callable[..., str]) -> str:
    """Return a help text in another language.

    Args:
        text: in English.
        say: `Words.say`.
    """
    return "\n\n".join(_told(part, say) for part in parts_of(text))


def _told(part: Part, say: Callable[..., str]) -> str:
    if part.example:
        return say(EXAMPLE, command=part.command)
    sentence = say(part.sentence) if part.sentence else ""
    return f"{part.command}{part.gap}{sentence}"

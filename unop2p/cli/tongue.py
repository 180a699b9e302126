"""The language of this process: chosen once, when the program starts."""

import os

from unop2p.edge.languages import choose, load
from unop2p.words import ENGLISH, Words

_spoken: list[Words] = [ENGLISH]


def words() -> Words:
    """Return the language that this program speaks; English until one is chosen."""
    return _spoken[-1]


def speak(asked: str | None = None, setting: str | None = None) -> Words:
    """Choose the language of this program.

    Args:
        asked: what `--lang` says.
        setting: what the settings file says.

    Raises:
        LanguageError: a language was asked for by name, and is not spoken.
    """
    _spoken[:] = [load(choose(asked, setting, os.environ))]
    return words()


def take_language(arguments: list[str]) -> tuple[str | None, list[str]]:
    """Return what `--lang` asks for, wherever it stands, and the arguments without it.

    It is looked for before anything else is read, as even `--help` is written in it.

    >>> take_language(["play", "--lang", "pl", "--bots=2"])
    ('pl', ['play', '--bots=2'])
    """
    asked: str | None = None
    rest: list[str] = []
    left = iter(arguments)
    for word in left:
        if word == "--":
            return asked, [*rest, word, *left]
        if word.startswith("--lang="):
            asked = word.partition("=")[2]
        elif word == "--lang":
            asked = next(left, "")
        else:
            rest.append(word)
    return asked, rest

"""The language of this process: chosen once, when the program starts."""

import os
import sys
from collections.abc import Mapping
from pathlib import Path

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


def setting_of_language(environment: Mapping[str, str]) -> str | None:
    """Return the language that the settings file names.

    Even `--help` asks for it, and has no time for what reads the file where there is none.
    """
    if sys.platform == "linux" and not _place(environment).exists():
        return None
    from unop2p.edge.settings import peek  # noqa: PLC0415

    found = peek("lang")
    return str(found) if found is not None else None


def _place(environment: Mapping[str, str]) -> Path:
    """Return where the settings file would be; `edge.settings` has the same for every platform."""
    if environment.get("UNOP2P_CONFIG"):
        return Path(environment["UNOP2P_CONFIG"]).expanduser()
    if environment.get("UNOP2P_HOME"):
        return Path(environment["UNOP2P_HOME"]).expanduser() / "config.toml"
    return (
        Path(environment.get("XDG_CONFIG_HOME") or "~/.config").expanduser() / "unop2p/config.toml"
    )


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

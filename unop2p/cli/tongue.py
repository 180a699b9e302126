"""The language of this process: chosen once, when the program starts."""

import os
from collections.abc import Mapping

from unop2p.edge.languages import LANGUAGE_VARIABLE, choose, load
from unop2p.edge.paths import is_there, settings_path
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
    """Return what the settings file says of the language, unless the environment names one.

    Args:
        environment: names the language already, or the place of the settings file.
    """
    return None if environment.get(LANGUAGE_VARIABLE) else set_in_file("lang", environment)


def set_in_file(key: str, environment: Mapping[str, str]) -> str | None:
    """Return a setting of the settings file, whose reader is loaded only if there is one."""
    if not is_there(settings_path(environment)):
        return None
    from unop2p.edge.settings import peek  # noqa: PLC0415

    found = peek(key)
    return str(found) if found is not None else None


def take_language(arguments: list[str]) -> tuple[str | None, list[str]]:
    """Return what `--lang` asks for, wherever it stands, and the arguments without it.

    It is looked for before anything else is read, as even `--help` is written in it.

    >>> take_language(["play", "--lang", "pl", "--bots=2"])
    ('pl', ['play', '--bots=2'])
    """
    return take_option("--lang", arguments)


def take_option(option: str, arguments: list[str]) -> tuple[str | None, list[str]]:
    """Return what an option says, wherever it stands, and the arguments without it."""
    asked: str | None = None
    rest: list[str] = []
    left = iter(arguments)
    for word in left:
        if word == "--":
            return asked, [*rest, word, *left]
        if word.startswith(f"{option}="):
            asked = word.partition("=")[2]
        elif word == option:
            asked = next(left, "")
        else:
            rest.append(word)
    return asked, rest

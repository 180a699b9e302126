"""TOML that a person wrote: text in, a table out, and one sentence for what cannot be read.

What Python's own reader says of a mistake is passed on with its line; its limits are told in our words.
"""

import tomllib
from typing import Any, Final

from unop2p.errors import LocalError
from unop2p.words import said

INTEGER_BITS: Final = 64
"""A whole number of TOML has so many, its sign included (TOML 1.0, "Integer")."""


class TomlTextError(LocalError):
    """The text is no TOML."""

    exit_code = 2


class TomlNumberError(TomlTextError):
    """The text holds a number that is too large."""


def read_toml(text: str) -> dict[str, Any]:
    """Read TOML.

    Args:
        text: all of it.

    Raises:
        TomlTextError: it is no TOML, or is nested too deeply.
        TomlNumberError: it holds a number that TOML does not have.
    """
    try:
        document = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        message = said("It cannot be read as TOML: {error}.", error=error)
        raise TomlTextError(message) from error
    except RecursionError as error:
        raise TomlTextError(said("Its brackets are nested too deeply.")) from error
    except ValueError as error:
        # Python reads no number of more than 4,300 digits, and no date that is none.
        raise TomlNumberError(said("It holds a number that is too large.")) from error
    waiting: list[object] = [document]
    while waiting:
        match waiting.pop():
            case dict() as table:
                waiting.extend(table.values())
            case list() as items:
                waiting.extend(items)
            case int() as number if (
                number if number >= 0 else ~number
            ).bit_length() >= INTEGER_BITS:
                raise TomlNumberError(said("It holds a number that is too large."))
    return document

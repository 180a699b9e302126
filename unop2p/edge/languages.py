"""Which language is spoken, and its catalog: read from the environment and from package data."""

from collections.abc import Mapping
from functools import lru_cache
from typing import Final

from unop2p.edge.errors import EXIT_USAGE
from unop2p.errors import EdgeError
from unop2p.words import ENGLISH, LANGUAGES, Words, said

LANGUAGE_VARIABLE: Final = "UNOP2P_LANG"
LOCALE_VARIABLES: Final = ("LC_ALL", "LC_MESSAGES", "LANG")
"""The first that is set counts, as everywhere (POSIX.1-2017, 8.2)."""
_OLD_CODES: Final = {"iw": "he", "gr": "el", "ua": "uk"}
"""What some systems, and some people, call a language."""


class LanguageError(EdgeError):
    """That language is not spoken here."""

    exit_code = EXIT_USAGE


def choose(asked: str | None, setting: str | None, environment: Mapping[str, str]) -> str:
    """Return the code of the language to speak.

    What was asked for on the command line counts before `UNOP2P_LANG`, that before the setting, and
    that before the locale. A locale of another language, or none, is English.

    Raises:
        LanguageError: a language was asked for by name, and is not spoken.
    """
    for wanted in (asked, environment.get(LANGUAGE_VARIABLE), setting):
        if wanted:
            return named(wanted)
    for variable in LOCALE_VARIABLES:
        value = environment.get(variable)
        if value:
            return _known(value) or "en"
    return "en"


def named(wanted: str) -> str:
    """Return the code that is meant by a code, a locale or a language's own name.

    Raises:
        LanguageError: none of ours.

    >>> named("pl_PL.UTF-8"), named("Polski"), named("UK")
    ('pl', 'pl', 'uk')
    """
    found = _known(wanted)
    if found is None:
        known = ", ".join(f"{code} ({name})" for code, name in LANGUAGES.items())
        raise LanguageError(said("'{wanted}' is none of {known}.", wanted=wanted[:20], known=known))
    return found


def _known(wanted: str) -> str | None:
    wanted = wanted.strip().casefold()
    for code, name in LANGUAGES.items():
        if wanted == name.casefold():
            return code
    code = wanted.partition(".")[0].partition("@")[0].replace("-", "_").partition("_")[0]
    code = _OLD_CODES.get(code, code)
    return code if code in LANGUAGES else None


@lru_cache(maxsize=len(LANGUAGES))
def load(language: str) -> Words:
    """Return the words of a language.

    Args:
        language: a code of `LANGUAGES`, as `choose` returns it.
    """
    if language == ENGLISH.language:
        return ENGLISH
    import gettext  # noqa: PLC0415  # English needs no catalog
    import io  # noqa: PLC0415
    from importlib import resources  # noqa: PLC0415

    catalog = resources.files("unop2p") / "locale" / language / "LC_MESSAGES" / "unop2p.mo"
    return Words(language, gettext.GNUTranslations(io.BytesIO(catalog.read_bytes())))

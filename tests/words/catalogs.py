"""Writes the catalogs anew: `python -m tests.words.catalogs`, or `make words`.

Every marked sentence of the program gets an entry in every language, with its translation where there is
one; entries that nothing says any more go. Then each catalog is compiled.
"""

import sys
from io import BytesIO
from pathlib import Path

from babel.messages.catalog import Catalog, Message
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

from tests.words.collect import ROOT, Found, collect
from unop2p.words import LANGUAGES

LOCALE = ROOT / "unop2p" / "locale"
HEADER = "# unop2p in another language. The English sentence is the key; words in braces stay as they are."


class Dateless(Catalog):
    """A catalog whose head changes only where the language does: no versions, dates and people."""

    def _kept(self) -> list[tuple[str, str]]:
        kept = (
            "Language",
            "Plural-Forms",
            "MIME-Version",
            "Content-Type",
            "Content-Transfer-Encoding",
        )
        return [(key, value) for key, value in self._get_mime_headers() if key in kept]

    mime_headers = property(_kept, Catalog._set_mime_headers)  # noqa: SLF001  # as Babel has it


def forms(message: Message) -> list[str]:
    """Return the translations of an entry: one, or as many as the language has plural forms."""
    string = message.string
    return list(string) if isinstance(string, tuple | list) else [string or ""]


def path_of(language: str, suffix: str = "po") -> Path:
    """Return where a language's catalog lies."""
    return LOCALE / language / "LC_MESSAGES" / f"unop2p.{suffix}"


def read(language: str) -> Catalog:
    """Return a catalog as it is written; an empty one where there is none."""
    path = path_of(language)
    if not path.exists():
        return Catalog(locale=language)
    with path.open("rb") as file:
        return read_po(file, locale=language)


def renewed(language: str, old: Catalog, found: Found) -> Catalog:
    """Return a catalog with exactly the sentences that are said, translated as far as they were."""
    new = Dateless(locale=language, fuzzy=False, charset="utf-8", header_comment=HEADER)
    for message, places in found.places.items():
        key = (message.one, message.many) if message.many else message.one
        before = old.get(message.one, message.context)
        translated = before.string if before is not None else ""
        if message.many and not isinstance(translated, tuple):
            translated = ("",) * new.num_plurals
        elif not message.many and isinstance(translated, tuple):
            translated = ""
        new.add(
            key,
            translated,
            context=message.context,
            locations=[(place, 0) for place in places],
            flags=[],
        )
    return new


def po_bytes(catalog: Catalog) -> bytes:
    """Return a catalog as the text file that people edit."""
    buffer = BytesIO()
    write_po(buffer, catalog, width=96, sort_output=True, include_lineno=False)
    lines = [
        line
        for line in buffer.getvalue().decode("utf-8").splitlines()
        if line != "#, python-brace-format"  # a test looks at all of them
    ]
    return ("\n".join(lines).rstrip("\n") + "\n").encode("utf-8")


def mo_bytes(catalog: Catalog) -> bytes:
    """Return a catalog as the program reads it."""
    buffer = BytesIO()
    write_mo(buffer, catalog, use_fuzzy=False)
    return buffer.getvalue()


def main() -> int:
    """Write every catalog, and say what is not translated."""
    found = collect()
    missing = 0
    for language in LANGUAGES:
        if language == "en":
            continue
        path = path_of(language)
        path.parent.mkdir(parents=True, exist_ok=True)
        catalog = renewed(language, read(language), found)
        path.write_bytes(po_bytes(catalog))
        path_of(language, "mo").write_bytes(mo_bytes(catalog))
        left = [m for m in catalog if m.id and not all(forms(m))]
        missing += len(left)
        sys.stdout.write(f"{language}: {len(catalog)} sentences, {len(left)} not translated\n")
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main())

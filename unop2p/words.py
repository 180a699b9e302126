"""Sentences that can be said in several languages. Pure: which language is chosen at the edge.

A sentence is written in English where it belongs, and marked: by `said` where nobody knows yet who will
read it (rules, errors, notices), by `Words.say` where the reader's language is at hand (the screen). The
English text is the key of the catalogs in `unop2p/locale`, as gettext has it; what is filled in stands
in braces, by name.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import reduce
from gettext import NullTranslations
from typing import Final, Protocol, Self


class Bidi(StrEnum):
    """Who puts right-to-left letters in the order in which they are seen."""

    AUTO = "auto"
    TERMINAL = "terminal"
    PROGRAM = "program"


class Catalog(Protocol):
    """What is asked of the translations of a language; `gettext.GNUTranslations` has it all."""

    def gettext(self, message: str, /) -> str:
        """Return the translation of a sentence, or the sentence."""
        ...

    def ngettext(self, msgid1: str, msgid2: str, n: int, /) -> str:
        """Return the form for a number of things."""
        ...

    def pgettext(self, context: str, message: str, /) -> str:
        """Return the translation of a word that means more than one thing."""
        ...


class Said(str):
    """A sentence in English that still knows its parts, so that it can be said in other languages."""

    __slots__ = ("many", "number", "template", "values")
    template: str
    many: str
    """The form for several; empty where nothing is counted."""
    number: int
    values: dict[str, object]

    def __new__(cls, template: str, many: str, number: int, values: dict[str, object]) -> Self:
        """Put the sentence together in English."""
        chosen = many if many and number != 1 else template
        self = super().__new__(cls, _filled(chosen, values))
        self.template, self.many, self.number, self.values = template, many, number, values
        return self

    def __getnewargs__(self) -> tuple[str, str, int, dict[str, object]]:  # type: ignore[override]  # for copy
        """Return what a copy is made of."""
        return self.template, self.many, self.number, self.values


def _filled(template: str, values: dict[str, object]) -> str:
    if template == _JOINED:
        return _joined(str(values["lead"]), str(values["detail"]))
    if template == _SENTENCE:
        return _sentence(str(values["part"]))
    return template.format_map(values) if values else template


_REFUSED: Final = "{what} refused: {reason}"
_JOINED: Final = "{lead} {detail}"
_SENTENCE: Final = "{part}."
"""These two are no sentences of a language: how they are put together is the same in all."""


def _joined(lead: str, detail: str) -> str:
    if lead.endswith(".") and detail.partition(" ")[0].isalpha():
        # A word begins the next sentence; an address or a file is written as it is.
        detail = detail[:1].upper() + detail[1:]
    return f"{lead} {detail}".strip()


def joined(lead: str, detail: str) -> Said:
    """Return a sentence and what is said beside it, where there is something, as one text.

    >>> joined(said("It is not allowed."), said("nobody waits."))
    'It is not allowed. Nobody waits.'
    """
    return Said(_JOINED, "", 1, {"lead": lead, "detail": detail})


def as_sentence(part: Said) -> Said:
    """Return a clause as a sentence of its own, with a capital and a full stop.

    >>> as_sentence(said("a 0 passes all hands on"))
    'A 0 passes all hands on.'
    """
    return Said(_SENTENCE, "", 1, {"part": part})


def _sentence(part: str) -> str:
    return f"{part[:1].upper()}{part[1:].removesuffix('.')}."


def listed(separator: str, parts: Sequence[Said]) -> Said:
    """Return parts one after the other, each to be translated by itself.

    Args:
        separator: what stands between them: no words, which another language would not have.
        parts: one at least.

    >>> listed("; ", [said("one"), said("two")])
    'one; two'
    """
    template = "{one}" + separator + "{other}"
    return reduce(lambda one, other: Said(template, "", 1, {"one": one, "other": other}), parts)


def refused(what: str, reason: str) -> Said:
    """Return that something is refused, and why.

    >>> refused("R7", said("it does not match."))
    'R7 refused: it does not match.'
    """
    return said(_REFUSED, what=what, reason=reason)


QUOTED_MAX: Final = 40
"""The most characters of a value of somebody's that a sentence repeats."""


def quoted(value: object) -> str:
    """Return the beginning of a value as a sentence repeats it: it may be huge, and from anybody.

    >>> quoted("a" * 50), quoted([1, 2]), quoted(10**5_000)
    ("'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa…'", '[1, 2]', 'so large a number')
    """
    if type(value) is int and value.bit_length() > QUOTED_MAX:
        return said("so large a number")
    text = value if isinstance(value, str) else repr(value)
    cut = text if len(text) <= QUOTED_MAX else f"{text[: QUOTED_MAX - 1]}…"
    return repr(cut) if isinstance(value, str) else cut


def reason_of(text: str) -> str:
    """Return the reason alone of what is refused; other text as it is."""
    if isinstance(text, Said) and text.template == _REFUSED:
        reason = text.values["reason"]
        assert isinstance(reason, str)
        return reason
    return text


def mark(template: str) -> str:
    """Return a sentence as it is: it is collected for the catalogs, and said later by `Words.say`."""
    return template


def typed(word: str) -> str:
    """Return a word that one can type, as it is: it is collected for the catalogs.

    Its translation is a list: other words for the same, with commas between, the best one first.
    """
    return word


def said(template: str, /, **values: object) -> Said:
    """Return a sentence that can be said in every language.

    Args:
        template: in English, with `{name}` for what is filled in.
        values: what is filled in; a `Said` among them is translated too.

    >>> said("{name} plays {card}.", name="ben", card="R7")
    'ben plays R7.'
    """
    return Said(template, "", 1, values)


def said_n(one: str, many: str, number: int, /, **values: object) -> Said:
    """Return a sentence about a number of things, which stands in it as `{n}`.

    >>> said_n("{n} card", "{n} cards", 1), said_n("{n} card", "{n} cards", 2)
    ('1 card', '2 cards')
    """
    return Said(one, many, number, {**values, "n": number})


@dataclass(frozen=True, slots=True)
class Words:
    """One language: English sentences in, sentences in that language out."""

    language: str = "en"
    """Two letters, ISO 639-1."""
    catalog: Catalog = field(default_factory=NullTranslations)

    @property
    def right_to_left(self) -> bool:
        """Say whether the language is written from right to left."""
        return self.language in RIGHT_TO_LEFT

    def say(self, template: str, /, **values: object) -> str:
        """Return a sentence in this language.

        Args:
            template: in English, with `{name}` for what is filled in.
            values: what is filled in; a `Said` among them is translated too.
        """
        return _filled(self.catalog.gettext(template), self._told(values))

    def say_n(self, one: str, many: str, number: int, /, **values: object) -> str:
        """Return a sentence about a number of things, which stands in it as `{n}`."""
        chosen = self.catalog.ngettext(one, many, number)
        return _filled(chosen, {**self._told(values), "n": number})

    def tell(self, text: str) -> str:
        """Return a `Said` in this language, and any other text as it is."""
        if not isinstance(text, Said):
            return text
        if text.template in {_JOINED, _SENTENCE}:
            return _filled(text.template, self._told(text.values))
        if text.many:
            return self.say_n(text.template, text.many, text.number, **text.values)
        return self.say(text.template, **text.values)

    def typed(self, word: str) -> tuple[str, ...]:
        """Return what can be typed in this language for an English word, beside that."""
        known = self.catalog.pgettext(TYPED, word)
        if known == word:
            return ()
        return tuple(part.strip() for part in known.split(",") if part.strip())

    def _told(self, values: dict[str, object]) -> dict[str, object]:
        return {name: self._value(value) for name, value in values.items() if name != "n"}

    def _value(self, value: object) -> object:
        """Return what is filled in; of an error, the sentence that it was raised with."""
        if isinstance(value, Exception) and len(value.args) == 1:
            value = value.args[0]
        return self.tell(value) if isinstance(value, Said) else value


TYPED: Final = "typed"
"""The context, in the catalogs, of words that can be typed."""
RIGHT_TO_LEFT: Final = frozenset({"he"})
ENGLISH: Final = Words()
LANGUAGES: Final = {
    "en": "English",
    "el": "Ελληνικά",
    "he": "עברית",
    "uk": "Українська",
    "ro": "Română",
    "pl": "Polski",
}
"""Every language that there is a catalog of, and English, by its own name."""

"""A line typed in the person's own language, put into the English that `commands.read` knows. Pure.

English is always understood, and first: what has a meaning in English keeps it. Each language adds its
words for commands, colors and cards (the entries marked `typed`); accents may be left out where the word
is still the only one.
"""

import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from unop2p.errors import InvalidNotationError
from unop2p.repl.commands import DROP, SPEAKING, WORDS
from unop2p.repl.paint import names
from unop2p.rules.cards import parse_face
from unop2p.table.view import TableView
from unop2p.words import Words, typed

COMMANDS: Final = (
    typed("draw"),
    typed("pass"),
    typed("keep"),
    typed("uno"),
    typed("challenge"),
    typed("accept"),
    typed("play"),
    typed("catch"),
    typed("color"),
    typed("say"),
    typed("swap"),
    typed("begin"),
    typed("ready"),
    typed("unready"),
    typed("table"),
    typed("hand"),
    typed("legal"),
    typed("hint"),
    typed("rules"),
    typed("score"),
    typed("why"),
    typed("verify"),
    typed("help"),
    typed("void"),
    typed("quit"),
)
PHRASES: Final = (typed("leave for good"),)
"""Commands of several words, all of which have to be there."""
COLORS: Final = {typed("red"): "r", typed("yellow"): "y", typed("green"): "g", typed("blue"): "b"}
"""Color words, and the letter of each; a language's list has its own letters too."""
SIGNS: Final = {typed("skip"): "s", typed("reverse"): "v", "+2": "+2"}
"""What stands on a colored card beside numbers."""
WILDS: Final = {typed("wild"): "w", typed("wild four"): "w4"}
DROPPED: Final = typed("drop")
HELPING: Final = "help"
"""What follows it is a command, or a card."""
NAMED: Final = ("catch", "swap")
"""What follows these is a name, and nothing else."""
_HARD: Final = str.maketrans({"ł": "l", "đ": "d"})
"""Letters that are no other letter with a mark, but are typed as one."""


def bare(word: str) -> str:
    """Return a word without capitals and accents.

    >>> bare("Żółty"), bare("Μπλε"), bare("Roșu")
    ('zolty', 'μπλε', 'rosu')
    """
    spread = unicodedata.normalize("NFD", word.casefold().translate(_HARD))
    return "".join(char for char in spread if not unicodedata.combining(char)).translate(_HARD)


@dataclass(frozen=True, slots=True)
class Forms:
    """The words of one kind, and what each means in English."""

    exact: Mapping[str, str]
    loose: Mapping[str, str]
    """Without accents, where that leaves one meaning."""

    def find(self, word: str) -> str | None:
        """Return what a whole word means."""
        return self.exact.get(word.casefold()) or self.loose.get(bare(word))

    def begun(self, word: str) -> str | None:
        """Return what a word means that begins only words of one meaning."""
        folded = bare(word)
        found = {meant for known, meant in self.loose.items() if known.startswith(folded)}
        return found.pop() if len(found) == 1 else None


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """What a language adds."""

    commands: Forms
    colors: Forms
    signs: Forms
    wilds: Forms
    others: Forms
    phrases: Forms
    beginnings: Mapping[str, str]
    """The first word of a phrase, where it stands alone: English says what is missing."""


def _forms(words: Words, meanings: Mapping[str, str]) -> Forms:
    exact: dict[str, str] = {}
    spread: dict[str, set[str]] = {}
    for english, meant in meanings.items():
        for form in (english, *words.typed(english)):
            exact.setdefault(form.casefold(), meant)
            spread.setdefault(bare(form), set()).add(meant)
    loose = {form: next(iter(meant)) for form, meant in spread.items() if len(meant) == 1}
    return Forms(exact, loose)


@lru_cache(maxsize=8)
def vocabulary(words: Words) -> Vocabulary:
    """Return what can be typed in a language."""
    return Vocabulary(
        commands=_forms(words, {command: command for command in COMMANDS}),
        colors=_forms(words, COLORS),
        signs=_forms(words, SIGNS),
        wilds=_forms(words, WILDS),
        others=_forms(words, {"uno": "uno", DROPPED: DROP}),
        phrases=_forms(words, {phrase: phrase for phrase in PHRASES}),
        beginnings={
            bare(form.split()[0]): phrase.split()[0]
            for phrase in PHRASES
            for form in words.typed(phrase)
        },
    )


def in_english(line: str, view: TableView, words: Words) -> str:
    """Return a line in English, as far as it is in the other language; else as it is.

    Args:
        line: what was typed.
        view: what names there are: a name is nobody's word.
        words: the language of the person.
    """
    parts = line.split()
    if not parts:
        return line
    known = vocabulary(words)
    phrase = known.phrases.find(" ".join(parts))
    if phrase is not None:
        return phrase
    command = _command(parts[0], known)
    if command is None and bare(parts[0]) in known.beginnings:
        return " ".join([known.beginnings[bare(parts[0])], *parts[1:]])
    if command in SPEAKING:
        return " ".join([command, *line.strip().split(maxsplit=1)[1:]])
    if command in NAMED:
        return " ".join([command, *parts[1:]])
    called = {name.casefold() for name in names(view)}
    if command == HELPING:
        rest = (known.commands.find(word) or word for word in _cards(parts[1:], known, called))
        return " ".join([command, *rest])
    if command is not None:
        return " ".join([command, *_cards(parts[1:], known, called)])
    return " ".join(_cards(parts, known, called))


def _command(word: str, known: Vocabulary) -> str | None:
    """Return the English command that a first word is, in either language; None: it is a card."""
    lower = word.lower()
    if lower in WORDS or lower in SPEAKING:
        return lower
    exact = known.commands.find(word)
    if exact is not None:
        return exact
    if _is_card(word) or _card(word, known) is not None or known.colors.find(word) is not None:
        return None
    if any(english.startswith(lower) for english in WORDS):
        return None  # an English abbreviation, or one that could be several: English says so
    return known.commands.begun(word)


def _is_card(word: str) -> bool:
    try:
        parse_face(word.partition(":")[0])
    except InvalidNotationError:
        return False
    return True


def _cards(parts: Sequence[str], known: Vocabulary, called: set[str]) -> Iterator[str]:
    """Yield words of a play in English."""
    left = list(parts)
    while left:
        word = left.pop(0)
        if word.casefold() in called or _is_card(word):
            yield word
            continue
        color = known.colors.find(word)
        sign = _sign(left[0], known) if left else None
        if color is not None and sign is not None:
            left.pop(0)
            yield color + sign
            continue
        wild = known.wilds.find(f"{word} {left[0]}") if left else None
        if wild is not None:  # of two words, as in English
            left.pop(0)
            yield wild
            continue
        yield color or _card(word, known) or known.others.find(word) or word


def _sign(word: str, known: Vocabulary) -> str | None:
    """Return what stands on a card: a digit, or the letter of an action."""
    if len(word) == 1 and word.isascii() and word.isdigit():
        return word
    return known.signs.find(word)


def _card(word: str, known: Vocabulary) -> str | None:
    """Return a card that is written as one word: a Wild, or a color's letters and a sign."""
    wild = known.wilds.find(word)
    if wild is not None:
        return wild
    for cut in range(len(word) - 1, 0, -1):
        color, sign = known.colors.find(word[:cut]), _sign(word[cut:], known)
        if color is not None and sign is not None:
            return color + sign
    return None

"""The catalogs say what the English says: the same things filled in, every plural form, no word lost."""

import re
from gettext import GNUTranslations
from string import Formatter

import pytest
from babel.messages.catalog import Message

from tests.words.catalogs import forms, path_of, read, renewed
from tests.words.collect import collect
from unop2p.edge.languages import load
from unop2p.repl.commands import WORDS
from unop2p.repl.vocabulary import COLORS, COMMANDS, SIGNS, WILDS, vocabulary
from unop2p.words import LANGUAGES, TYPED

OTHERS = [language for language in LANGUAGES if language != "en"]


def sentences(language: str) -> list[tuple[str, list[str]]]:
    """Return each sentence that is translated, with its forms; no words to type."""
    return [
        (english_of(message), forms(message))
        for message in read(language)
        if message.id and message.context != TYPED and all(forms(message))
    ]


def english_of(message: Message) -> str:
    """Return the English, the one for several where things are counted."""
    key = message.id
    return key if isinstance(key, str) else key[-1]


def filled_in(template: str) -> set[tuple[str, str, str]]:
    """Return the names in braces, each with how it is written; none where braces mean themselves."""
    try:
        parts = list(Formatter().parse(template))
    except ValueError:
        return set()
    return {(name, spec or "", how or "") for _, name, spec, how in parts if name is not None}


def quoted(text: str) -> list[str]:
    """Return what stands in backticks: typed in English everywhere."""
    return sorted(re.findall(r"`[^`]*`", text))


@pytest.mark.parametrize("language", OTHERS)
def test_the_same_is_filled_in_as_in_english(language: str) -> None:
    wrong = [
        (english, said)
        for english, told in sentences(language)
        for said in told
        if filled_in(said) != filled_in(english)
    ]
    assert not wrong


@pytest.mark.parametrize("language", OTHERS)
def test_what_stands_in_backticks_stays_english(language: str) -> None:
    wrong = [
        (english, said)
        for english, told in sentences(language)
        for said in told
        if quoted(said) != quoted(english)
    ]
    assert not wrong


@pytest.mark.parametrize("language", OTHERS)
def test_a_sentence_ends_as_the_english_one_does(language: str) -> None:
    """Questions end in a sign of their own in Greek; nothing is glued to what does not end."""
    wrong = [
        (english, said)
        for english, told in sentences(language)
        for said in told
        if english.endswith((".", "!", ">", ":")) and said[-1] != english[-1]
    ]
    assert not wrong


@pytest.mark.parametrize("language", OTHERS)
def test_what_is_compiled_is_what_is_written(language: str) -> None:
    with path_of(language, "mo").open("rb") as file:
        compiled = GNUTranslations(file)
    for message in read(language):
        told = forms(message)
        if not message.id or not all(told):
            continue
        if message.context == TYPED:
            assert isinstance(message.id, str)
            assert compiled.pgettext(TYPED, message.id) == told[0]
        elif isinstance(message.id, str):
            assert compiled.gettext(message.id) == told[0]
        else:
            one, many = message.id
            said = {compiled.ngettext(one, many, number) for number in range(200)}
            assert said == set(told), one


@pytest.mark.parametrize(
    ("language", "by_form"),
    [
        ("pl", [[1], [2, 4, 22, 104], [0, 5, 11, 12, 21, 112]]),
        ("uk", [[1, 21, 101], [2, 4, 22, 104], [0, 5, 11, 12, 112]]),
        ("ro", [[1], [0, 2, 19, 101, 112], [20, 21, 100, 120]]),
        ("el", [[1], [0, 2, 5, 21]]),
        ("he", [[1], [2], [0, 3, 20, 21]]),
    ],
)
def test_numbers_take_the_form_that_the_language_has_for_them(
    language: str, by_form: list[list[int]]
) -> None:
    """The rules are those of Unicode CLDR, Language Plural Rules (cardinal, whole numbers)."""
    words = load(language)
    one, many = "{n} point", "{n} points"
    entry = read(language).get(one)
    assert entry is not None
    for form, numbers in zip(forms(entry), by_form, strict=True):
        for number in numbers:
            assert words.say_n(one, many, number) == form.format(n=number)


@pytest.mark.parametrize("language", OTHERS)
def test_every_word_that_can_be_typed_is_understood(language: str) -> None:
    words = load(language)
    known = vocabulary(words)
    for command in COMMANDS:
        for word in words.typed(command):
            assert known.commands.find(word) == command, word
    for found, meanings in ((known.colors, COLORS), (known.signs, SIGNS), (known.wilds, WILDS)):
        for english, meant in meanings.items():
            for word in (english, *words.typed(english)):
                assert found.find(word) == meant, word
                assert " " not in word or word == english


@pytest.mark.parametrize("language", OTHERS)
def test_a_color_takes_no_english_command_away(language: str) -> None:
    known = vocabulary(load(language))
    for word in WORDS:
        for length in range(1, len(word) + 1):
            begun = word[:length]
            meant = [english for english in WORDS if english.startswith(begun)]
            if len(meant) == 1 and begun not in {"r", "y", "g", "b"}:
                assert known.colors.find(begun) is None, (begun, meant)


@pytest.mark.parametrize("language", OTHERS)
def test_every_sentence_that_the_program_says_is_translated(language: str) -> None:
    """`make words` writes the entries that are missing here, for somebody to fill in."""
    catalog = renewed(language, read(language), collect())
    assert len(catalog) > 0
    assert [message.id for message in catalog if message.id and not all(forms(message))] == []

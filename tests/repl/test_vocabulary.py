"""Words of a language are read beside English, and no word is guessed that could mean two things."""

import pytest

from tests.repl.support import view_of
from unop2p.edge.languages import load
from unop2p.repl.render import Renderer
from unop2p.repl.vocabulary import Forms, bare, in_english

COLORS = Forms(
    exact={"rouge": "r", "vert": "g", "verte": "g", "bleu": "b", "zoé": "x", "zoè": "y"},
    loose={"rouge": "r", "vert": "g", "verte": "g", "bleu": "b"},
)


@pytest.mark.parametrize(
    ("typed", "plain"), [("Żółty", "zolty"), ("ROȘU", "rosu"), ("blue", "blue"), ("", "")]
)
def test_capitals_and_accents_may_be_left_out(typed: str, plain: str) -> None:
    assert bare(typed) == plain
    assert bare(plain) == plain


def test_a_whole_word_is_found_as_it_is_written_or_without_its_accents() -> None:
    assert COLORS.find("Rouge") == "r"
    assert COLORS.find("bléu") == "b"
    assert COLORS.find("rou") is None


def test_words_that_differ_in_accents_alone_need_them() -> None:
    assert (COLORS.find("zoé"), COLORS.find("zoè"), COLORS.find("zoe")) == ("x", "y", None)


def test_a_beginning_is_enough_where_it_begins_words_of_one_meaning_only() -> None:
    assert COLORS.begun("ver") == "g"
    assert COLORS.begun("B") == "b"
    assert COLORS.begun("x") is None
    assert COLORS.begun("") is None


@pytest.mark.parametrize(
    ("language", "line", "read"),
    [
        ("en", "green 6 uno", "g6 uno"),
        ("en", "wild red", "w r"),
        ("en", "wild four green uno", "w4 g uno"),
        ("en", "wild four", "w4"),
        ("pl", "wild four zielony", "w4 g"),
        ("en", "say red 7", "say red 7"),
        ("pl", "pomoc dobierz", "help draw"),
        ("pl", "pomoc w4", "help w4"),
        ("pl", "help draw", "help draw"),
    ],
)
def test_a_line_is_put_into_the_english_that_is_read(language: str, line: str, read: str) -> None:
    assert in_english(line, view_of("R1 G6"), load(language)) == read


def test_help_tells_how_a_command_is_said_in_the_language() -> None:
    (line,) = Renderer(color=False, words=load("pl")).help("draw")
    assert line.endswith(" [dobierz]")
    assert "[" not in "".join(Renderer(color=False).help())


PHRASES = {
    "el": ("φύγε οριστικά", "ΦΕΥΓΩ  ΟΡΙΣΤΙΚΑ", "φεύγω", "άκυρος"),
    "he": ("לעזוב לתמיד", "עוזב לתמיד", "לעזוב", "לבטל"),
    "uk": ("піти назовсім", "Йду  назовсім", "піти", "анулювати"),
    "ro": ("plec definitiv", "PLEACA definitiv", "plec", "anulează"),
    "pl": ("odchodzę na dobre", "Odejdz na  dobre", "odchodzę", "unieważnij"),
}


@pytest.mark.parametrize("language", PHRASES)
def test_leaving_for_good_and_giving_up_a_round_are_typed_in_each_language(language: str) -> None:
    words, view = load(language), view_of("R1 G7")
    phrase, other, beginning, void = PHRASES[language]
    assert in_english(phrase, view, words) == "leave for good"
    assert in_english(other, view, words) == "leave for good"
    assert in_english("leave for good", view, words) == "leave for good"
    assert in_english(void, view, words) == "void"
    # A part of it alone leaves nobody: English says what is missing.
    assert in_english(beginning, view, words) == "leave"
    assert in_english(f"{beginning} 123", view, words) == "leave 123"

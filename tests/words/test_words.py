"""What is marked once can be said in several languages."""

import ast
import copy
import pickle

import pytest

from tests.words.collect import ROOT, messages_in
from unop2p.edge.languages import load
from unop2p.errors import LocalError
from unop2p.words import ENGLISH, LANGUAGES, Words, joined, mark, said, said_n, typed


class Shouting:
    """A catalog that is easy to tell from English."""

    def gettext(self, message: str, /) -> str:
        return message.upper().replace("{NAME}", "{name}").replace("{WHAT}", "{what}")

    def ngettext(self, msgid1: str, msgid2: str, n: int, /) -> str:
        return f"{{n}}x{n % 3}"

    def pgettext(self, context: str, message: str, /) -> str:
        return "un, deux ,," if message == "draw" else message


LOUD = Words("xx", Shouting())


def test_english_is_what_is_written() -> None:
    assert said("{name} draws.", name="ben") == "ben draws."
    assert ENGLISH.say("{name} draws.", name="ben") == "ben draws."
    assert ENGLISH.tell(said_n("{n} card", "{n} cards", 1)) == "1 card"
    assert ENGLISH.say_n("{n} card", "{n} cards", 0) == "0 cards"
    assert mark("a {b}") == "a {b}"
    assert typed("draw") == "draw"
    assert ENGLISH.typed("draw") == ()


def test_what_is_said_is_told_in_another_language_with_what_is_in_it() -> None:
    inner = said_n("{n} card", "{n} cards", 5)
    assert LOUD.tell(said("{name} has {what}.", name="ben", what=inner)) == "ben HAS 5x2."
    assert LOUD.tell("ben draws.") == "ben draws."
    assert LOUD.say("{name} has {what}", name="ben", what=inner) == "ben HAS 5x2"


def test_braces_of_a_person_are_never_read_as_a_place_to_fill_in() -> None:
    assert said("<{name}>", name="{0.__class__}") == "<{0.__class__}>"
    assert LOUD.tell(said("<{name}>", name="{what}")) == "<{what}>"
    assert said("a {} b") == "a {} b"


def test_words_to_type_are_a_list() -> None:
    assert LOUD.typed("draw") == ("un", "deux")
    assert LOUD.typed("keep") == ()


def test_a_sentence_and_its_detail_are_each_translated() -> None:
    text = joined(said("Not allowed."), said("nobody waits."))
    assert text == "Not allowed. Nobody waits."
    assert LOUD.tell(text) == "NOT ALLOWED. NOBODY WAITS."
    assert LOUD.tell(joined(said("See:"), "r7")) == "SEE: r7"
    assert joined(said("Alone."), "") == "Alone."


def test_an_error_is_a_sentence_in_the_language_that_is_asked_for() -> None:
    error = LocalError(said("{name} is not here.", name="ben"))
    assert str(error) == "ben is not here."
    assert error.sentence() == "That is not allowed. ben is not here."[:20] + " Ben is not here."
    assert error.sentence(LOUD) == "THAT IS NOT ALLOWED. Ben IS NOT HERE."
    assert LOUD.tell(error.sentence()) == error.sentence(LOUD)


def test_a_copy_knows_its_parts_too() -> None:
    text = said_n("{n} card", "{n} cards", 2)
    for other in (copy.deepcopy(text), pickle.loads(pickle.dumps(text))):
        assert other == text
        assert LOUD.tell(other) == "2x2"


@pytest.mark.parametrize("language", LANGUAGES)
def test_only_hebrew_is_written_from_right_to_left(language: str) -> None:
    assert load(language).right_to_left == (language == "he")


def test_a_sentence_is_found_by_whatever_name_it_is_said() -> None:
    source = 'say = words.say\nsay("one", n=1)\nwords.say("two")\nsay_n("a", "b", 2)\nask("no")'
    source += '\nHELD: Final = "three"\nsaid(HELD)'
    assert [(each.one, each.many) for each in messages_in(ast.parse(source))] == [
        ("one", ""),
        ("two", ""),
        ("a", "b"),
        ("three", ""),
    ]


TOLD = {"Warned": "text", "CatchDropped": "reason", "Stop": "reason", "stop": ""}
"""What a person reads of a peer: by which keyword it is given, or as the first argument."""


def bare(node: ast.expr) -> bool:
    """Say whether an expression is a sentence that no catalog has: written out, and not by `said`."""
    return isinstance(node, ast.JoinedStr) or (isinstance(node, ast.Constant) and bool(node.value))


def test_what_a_peer_tells_its_person_can_be_said_in_every_language() -> None:
    wrong = []
    for path in (ROOT / "unop2p" / "peer").glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not isinstance(node, ast.Call):
                continue
            called = getattr(node.func, "attr", getattr(node.func, "id", ""))
            if called not in TOLD:
                continue
            given = [word.value for word in node.keywords if word.arg == TOLD[called]]
            given += node.args[:1]
            wrong += [f"{path.name}:{node.lineno}" for value in given if bare(value)]
    assert wrong == []

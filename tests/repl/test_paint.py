"""Cards, colors and names as text."""

import pytest

from tests.bots.support import position
from tests.repl.support import lobby_view, table_view, view_of
from unop2p.ids import Seat
from unop2p.repl.paint import Paint, clean, does, is_or_are, name, names, speaker
from unop2p.rules.cards import Color, Face

VIEW = view_of("R1 R2", top="R9", others=("B1", "B2"))


@pytest.mark.parametrize("face", Face)
def test_a_card_shows_color_and_letter_with_and_without_color(face: Face) -> None:
    plain, painted = Paint(color=False).card(face), Paint(color=True).card(face)
    assert plain == face.value
    assert plain in painted
    assert painted.startswith("\x1b[")
    assert painted.endswith("\x1b[0m")


def test_each_color_is_another_code() -> None:
    paint = Paint(color=True)
    assert len({paint.color_name(color).split("m")[0] for color in Color}) == 4
    assert Paint(color=False).color_name(Color.GREEN) == "green"
    assert paint.color_name(None) == "no color yet"


def test_styles_are_nothing_where_they_are_not_allowed() -> None:
    paint = Paint(color=False)
    assert (paint.bold("x"), paint.dim("x")) == ("x", "x")
    assert Paint(color=True).bold("x") != Paint(color=True).dim("x") != "x"


def test_what_a_terminal_would_obey_is_taken_out() -> None:
    assert clean("a\x1b[31mb\r\n\x07\x9b") == "a?[31mb????"
    assert clean("Zoë 7") == "Zoë 7"


def test_you_are_spoken_to_and_others_are_spoken_of() -> None:
    assert does(VIEW, Seat(0), "play") == "You play"
    assert does(VIEW, Seat(1), "play") == "ben plays"
    assert does(VIEW, Seat(1), "go") == "ben goes"
    assert does(VIEW, Seat(2), "catch") == "Cleo catches"
    assert is_or_are(VIEW, Seat(0)) == "You are"
    assert is_or_are(VIEW, Seat(1)) == "ben is"
    assert name(VIEW, 2) == "Cleo"


def test_accents_piled_on_one_letter_and_letters_that_are_not_seen_are_taken_out() -> None:
    assert clean("a" + chr(0x301) * 9 + "b") == "a" + chr(0x301) * 2 + "b"
    assert clean(f"mia{chr(0x3164)}") == "mia?"
    assert clean(f"{chr(0x202E)}evil") == "?evil"


def test_seats_whose_names_look_alike_are_told_apart_by_their_fingerprints() -> None:
    double = "b" + chr(0x435) + "n"
    view = table_view(position("R1", top="R9", others=("B1", "B2")), names=("ann", "ben", double))
    assert names(view) == ["ann", "ben#0001", f"{double}#0002"]
    assert does(view, Seat(2), "play") == f"{double}#0002 plays"
    assert speaker(view, double) == f"{double}#0002"
    assert speaker(view, "nobody" + chr(27)) == "nobody?"


def test_nobody_else_is_called_you() -> None:
    view = table_view(position("R1", top="R9", others=("B1",)), names=("ann", "You"))
    assert names(view) == ["ann", "You#0001"]
    own = table_view(position("R1", top="R9", others=("B1",)), names=("you", "ben"))
    assert names(own) == ["you", "ben"]
    assert names(lobby_view("you", "ben")) == ["you", "ben"]

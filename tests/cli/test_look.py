"""How a screen is wanted."""

from unop2p.cli.look import PLAIN, Colors, Look, Signs
from unop2p.repl.terminal import DEPTHS, SIGNS


def test_a_screen_rings_and_remembers_unless_told_otherwise() -> None:
    assert Look() == Look(plain=False, bell=True, title=True, history=True)


def test_where_nobody_types_nothing_rings() -> None:
    assert not (PLAIN.bell or PLAIN.title or PLAIN.history)
    assert PLAIN.plain


def test_every_number_of_colors_and_kind_of_signs_is_one_that_the_screen_knows() -> None:
    assert {color for color in Colors if color in DEPTHS} == set(Colors) - {Colors.AUTO}
    assert {signs for signs in Signs if signs in SIGNS} == set(Signs) - {Signs.AUTO}
    assert (len(DEPTHS), len(SIGNS)) == (len(Colors) - 1, len(Signs) - 1)

"""How a screen is wanted."""

from unop2p.cli.look import PLAIN, Look


def test_a_screen_rings_and_remembers_unless_told_otherwise() -> None:
    assert Look() == Look(plain=False, bell=True, title=True, history=True)


def test_where_nobody_types_nothing_rings() -> None:
    assert not (PLAIN.bell or PLAIN.title or PLAIN.history)
    assert PLAIN.plain

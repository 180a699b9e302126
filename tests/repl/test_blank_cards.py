"""Blank cards with a meaning at the prompt: their names, what they take along, what is said."""

import pytest

from tests.bots.support import position
from tests.repl.support import table_view
from unop2p.errors import IllegalMoveError
from unop2p.ids import Seat
from unop2p.repl.commands import read
from unop2p.repl.completer import suggestions
from unop2p.repl.paint import Paint
from unop2p.repl.render import Renderer
from unop2p.repl.sentences import move_sentence
from unop2p.rules.cards import Color, Face
from unop2p.rules.moves import Play
from unop2p.table.commands import MakeMove
from unop2p.table.view import TableView

CARDS = ["Broom: discard color", "gift: choose color, draw 2 chosen", "swop: swap hands"]


@pytest.fixture
def view() -> TableView:
    hand, others = "R1 R5 G2 B3 WB1 WB2 WB3", ("Y1 Y2", "G1 G5")
    return table_view(position(hand, top="R9", others=others, blank_cards=CARDS))


@pytest.mark.parametrize(
    ("line", "play"),
    [
        ("wb1", Play(cards=(Face.WB1,))),
        ("broom", Play(cards=(Face.WB1,))),
        ("BROOM drop red", Play(cards=(Face.WB1, Face.R1, Face.R5))),
        ("play broom r1 r5", Play(cards=(Face.WB1, Face.R1, Face.R5))),
        ("gift g ben", Play(cards=(Face.WB2,), color=Color.GREEN, target=Seat(1))),
        ("wb2:b cleo", Play(cards=(Face.WB2,), color=Color.BLUE, target=Seat(2))),
        ("swop ben", Play(cards=(Face.WB3,), target=Seat(1))),
    ],
)
def test_a_blank_is_typed_by_notation_or_name(line: str, play: Play, view: TableView) -> None:
    assert read(line, view) == MakeMove(move=play)
    assert play in view.legal


def test_a_blank_that_names_a_color_asks_for_it(view: TableView) -> None:
    with pytest.raises(IllegalMoveError, match="name a color"):
        read("gift", view)


def test_what_is_suggested_can_be_read(view: TableView) -> None:
    moves = [text for text in suggestions(view) if text.startswith("wb")]
    assert "wb1 r1 r5" in moves
    for text in moves:
        command = read(text, view)
        assert isinstance(command, MakeMove)
        assert command.move in view.legal


def test_names_and_meanings_are_shown(view: TableView) -> None:
    screen = Renderer(color=False)
    assert "WB1(Broom)*" in screen.hand(view)
    (help_line,) = screen.help("gift", view.options)
    assert "a player of your choice draws 2" in help_line
    said = "\n".join(screen.legal(view))
    assert "put down a color with it, `... drop r`" in said
    assert "say whom it hits: ben, Cleo" in said
    assert "say with whom you swap hands: ben, Cleo" in said


@pytest.mark.parametrize(
    ("play", "said"),
    [
        (
            Play(cards=(Face.WB1, Face.R1, Face.R5)),
            "You play WB1 (Broom) with R1 R5 under it.",
        ),
        (
            Play(cards=(Face.WB2,), color=Color.GREEN, target=Seat(1)),
            "You play WB2 (gift) and name green, and it hits ben.",
        ),
        (
            Play(cards=(Face.WB3,), target=Seat(1)),
            "You play WB3 (swop), and swap hands with ben.",
        ),
    ],
)
def test_a_play_is_told_in_a_sentence(play: Play, said: str, view: TableView) -> None:
    assert move_sentence(view, Seat(0), play, Paint(color=False)) == said

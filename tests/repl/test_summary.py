"""Tables of text."""

from tests.repl.support import view_of
from unop2p.ids import Seat
from unop2p.repl.fold import width_of
from unop2p.repl.paint import Paint
from unop2p.repl.summary import match_table, round_table, table_lines
from unop2p.rules.due import RoundOutcome, Termination
from unop2p.table import notices

VIEW = view_of("R1 R2", top="R9", others=("B1", "B2"))


def test_numbers_stand_to_the_right_under_their_titles() -> None:
    assert table_lines(["a", "points"], [["x", "1"], ["longer", "100"]], indent="") == [
        "a       points",
        "x            1",
        "longer     100",
    ]


def test_wide_letters_take_their_columns() -> None:
    lines = table_lines(["a", "n"], [["日本", "1"], ["ab", "22"]])
    assert len({width_of(line) for line in lines}) == 1


def test_colors_take_no_room() -> None:
    ended = notices.MatchEnded(winners=(Seat(1),), totals=(1, 500, 2))
    plain = match_table(ended, VIEW, Paint(color=False))
    painted = match_table(ended, VIEW, Paint(color=True))
    assert [width_of(line) for line in plain] == [width_of(line) for line in painted]
    assert painted != plain


def test_a_round_shows_cards_points_and_totals() -> None:
    outcome = RoundOutcome(termination=Termination.WENT_OUT, winner=Seat(0), points=(33, 0, 0))
    ended = notices.RoundEnded(number=1, outcome=outcome, hands=((), (), ()), totals=(33, 5, 0))
    assert round_table(ended, VIEW, Paint(color=False))[1] == "  ann *           0     +33     33"

"""What is offered while one types."""

from dataclasses import replace

import pytest
from prompt_toolkit.completion import CompleteEvent
from prompt_toolkit.document import Document

from tests.bots.support import position
from tests.repl.support import table_view, view_of
from unop2p.ids import Seat
from unop2p.repl.completer import TableCompleter, suggestions
from unop2p.rules.cards import Face
from unop2p.rules.moves import Play
from unop2p.table.view import TableView


def completed(typed: str, view: TableView) -> list[str]:
    """Return the lines that completion offers."""
    completer = TableCompleter(lambda: view)
    offered = completer.get_completions(Document(typed), CompleteEvent())
    return [typed[: len(typed) + item.start_position] + item.text for item in offered]


VIEW = view_of("R7 R5 G3 W", top="R9")


def test_legal_cards_come_first_then_commands() -> None:
    offered = suggestions(VIEW)
    assert offered[:6] == ["r5", "r7", "w r", "w y", "w g", "w b"]
    assert "draw" in offered
    assert "g3" not in offered
    assert offered.index("draw") < offered.index("help")


@pytest.mark.parametrize(
    ("typed", "wanted"),
    [
        ("r", ["r5", "r7", "rules"]),
        ("R", ["r5", "r7", "rules"]),
        ("w", ["w r", "w y", "w g", "w b", "why"]),
        ("w ", ["w r", "w y", "w g", "w b"]),
        ("dr", ["draw"]),
        ("draw", []),
        ("play r", ["r5", "r7", "rules"]),
        ("  sc", ["  score"]),
        ("zz", []),
    ],
)
def test_a_beginning_is_completed(typed: str, wanted: list[str]) -> None:
    assert completed(typed, VIEW) == wanted


def test_nothing_typed_offers_everything() -> None:
    assert completed("", VIEW) == suggestions(VIEW)


def test_seats_that_can_be_caught_are_completed_by_name() -> None:
    game = position("R1 R2", top="R9", others=("B1 B2", "B3 B4"))
    game.act(Seat(0), Play(cards=(Face.R1,)))
    view = table_view(game, 1)
    assert completed("ca", view) == ["catch ann"]
    named = replace(view, seats=(replace(view.seats[0], name="Ann"), *view.seats[1:]))
    assert completed("catch a", named) == ["catch Ann"]


def test_a_call_is_offered_with_the_play_that_needs_it() -> None:
    assert completed("r1", view_of("R1 B2", top="R9")) == ["r1 uno"]

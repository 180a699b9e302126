"""The line below the input."""

from dataclasses import replace

import pytest

from tests.repl.support import lobby_view, view_of
from unop2p.ids import Seat
from unop2p.repl.toolbar import toolbar_text
from unop2p.table.view import ShuffleProgress

VIEW = view_of("W R7 G3 R5", top="R9", others=("B1 B2 B3", "B4 B5"))


def test_the_toolbar_tells_link_seats_heard_step_rules_and_score() -> None:
    assert (
        toolbar_text(VIEW, "up")
        == " broker up | heard 2/2 | step 12 | official | ann 0 ben 0 Cleo 0"
    )
    silent = replace(VIEW, seats=(*VIEW.seats[:2], replace(VIEW.seats[2], heard_ms=15_000)))
    assert "heard 1/2" in toolbar_text(silent, "up")


def test_it_tells_who_is_waited_for_and_how_far_the_shuffle_is() -> None:
    waiting = replace(VIEW, my_turn=False, waiting_for=(Seat(1), Seat(2)))
    assert toolbar_text(waiting, "down").startswith(
        " broker down | heard 2/2 | waiting for ben, Cleo | step"
    )
    counted = replace(waiting, waiting_for=(Seat(1),), patience_ms=13_400)
    assert "| waiting for ben, 14 s |" in toolbar_text(counted, "up")
    shuffling = replace(VIEW, shuffle=ShuffleProgress(done=(Seat(1),), total=3))
    assert "| shuffled 1/3 |" in toolbar_text(shuffling, "up")


def test_the_toolbar_of_a_lobby_counts_seats() -> None:
    assert toolbar_text(lobby_view("ann", "ben"), "up") == " broker up | lobby 2/3"
    assert toolbar_text(lobby_view(), "up") == " broker up | lobby 0/3"


@pytest.mark.parametrize("columns", [5, 20, 30, 48, 60])
def test_what_does_not_fit_is_left_out_whole(columns: int) -> None:
    text = toolbar_text(VIEW, "up", columns=columns)
    assert len(text) <= columns
    whole = toolbar_text(VIEW, "up").split(" | ")
    if columns >= 20:
        assert all(part in whole for part in text.split(" | "))

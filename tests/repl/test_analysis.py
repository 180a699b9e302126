"""`replay --analyze`: each own move of a turn beside a bot's, on what the seat saw."""

from random import Random

import pytest

from tests.repl.test_replay import played, replay_of, toy  # noqa: F401  # a fixture
from unop2p.bots.hint import Adviser
from unop2p.ids import Seat
from unop2p.repl.analysis import Judged, analysis_lines, judge
from unop2p.repl.paint import Paint
from unop2p.rules.cards import Face
from unop2p.rules.moves import Draw, Play
from unop2p.words import ENGLISH

PAINT = Paint(color=False, words=ENGLISH)


@pytest.mark.slow
@pytest.mark.usefixtures("toy")
def test_the_bot_that_has_played_a_record_is_found_to_have_played_its_own_moves() -> None:
    replay = replay_of(played())
    for seat in range(3):
        # `greedy` breaks ties by chance: those alone may differ.
        judged = list(judge(replay, Seat(seat), Adviser("greedy"), Random(1)))
        known = [item for item in judged if item is not None]
        assert len(known) > 5
        assert sum(item.same for item in known) > 0.8 * len(known)


@pytest.mark.slow
@pytest.mark.usefixtures("toy")
def test_the_net_never_expects_more_of_another_move_than_of_its_own() -> None:
    judged = judge(replay_of(played()), Seat(1), Adviser("net"), Random(1))
    assert all(item is None or item.lost >= 0 for item in judged)


def judged_of(step: int, lost: float, better: Play | Draw | None = None) -> Judged:
    move = Play(cards=(Face.R1,))
    return Judged(round_number=2, step=step, move=move, better=better or move, lost=lost)


def test_what_would_be_played_otherwise_is_told_with_its_points_and_summed_up() -> None:
    items = [judged_of(7, 0.0), judged_of(9, 4.26, Draw()), judged_of(12, 0.01, Draw()), None]
    assert analysis_lines(items, ("ann", "ben"), "net", PAINT) == [
        "What `net` would have played (a hint, no truth):",
        "  Round 2, step 9: `play r1`, where it plays `draw`: -4.3 points.",
        "  Round 2, step 12: `play r1`, where it plays `draw`.",
        "1 decision is left out: its cards were never opened.",
        "3 decisions, 1 as `net`; -4.3 points by the forecasts of `net`.",
        "The dearest: round 2, step 9.",
    ]


def test_of_no_decision_that_alone_is_said() -> None:
    assert analysis_lines([], ("ann", "ben"), "net", PAINT)[1:] == ["There was nothing to decide."]

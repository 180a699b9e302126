"""How long a peer waits for whom."""

from unop2p.ids import Seat
from unop2p.peer.patience import AGAIN_MS, BUDGET_MS, FOR_GOOD_TIMES, LATE_MS, SHORT_MS, Patience

ADA, BEN = Seat(0), Seat(1)


def test_every_seat_has_the_whole_patience_at_first() -> None:
    assert Patience(patience_ms=20_000).of(ADA) == 20_000


def test_who_was_late_for_a_minute_in_a_round_is_waited_for_shortly() -> None:
    patience = Patience(patience_ms=20_000)
    for _ in range(3):
        patience.note(0, ADA, BUDGET_MS // 3)
    assert (patience.of(ADA), patience.of(BEN)) == (SHORT_MS, 20_000)


def test_where_being_left_out_is_for_good_nobody_is_waited_for_shortly() -> None:
    patience = Patience(patience_ms=20_000)
    patience.note(0, ADA, BUDGET_MS)
    assert patience.of(ADA, for_good=True) == FOR_GOOD_TIMES * 20_000


def test_a_short_wait_is_not_late() -> None:
    patience = Patience(patience_ms=20_000)
    for _ in range(BUDGET_MS):
        patience.note(0, ADA, LATE_MS)
    assert patience.of(ADA) == 20_000


def test_a_new_round_forgets_the_lateness_of_the_last() -> None:
    patience = Patience(patience_ms=20_000)
    patience.note(0, ADA, BUDGET_MS)
    patience.note(1, BEN, 5_000)
    assert patience.of(ADA) == 20_000
    assert patience.late_ms == {BEN: 5_000}


def test_a_table_with_less_patience_than_the_short_one_keeps_its_own() -> None:
    patience = Patience(patience_ms=1_000)
    patience.note(0, ADA, BUDGET_MS)
    assert patience.of(ADA) == 1_000


def test_each_further_attempt_waits_twice_as_long_up_to_the_patience() -> None:
    patience = Patience(patience_ms=20_000)
    waits = [patience.again(attempt) for attempt in (2, 3, 4, 5, 6, 60)]
    assert waits == [AGAIN_MS, 2 * AGAIN_MS, 4 * AGAIN_MS, 8 * AGAIN_MS, 20_000, 20_000]

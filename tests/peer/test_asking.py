"""When what is missing is asked for: soon where words are lost, later where they are only late."""

from hypothesis import given
from hypothesis import strategies as st

from unop2p.peer.asking import (
    ASK_AFTER_MS,
    ASK_AFTER_MS_MAX,
    ASK_EVERY_MS_MAX,
    REMEMBERED_MAX,
    Asking,
)


def late_by(asking: Asking, late_ms: int, now_ms: int) -> int:
    """Let a step be asked for, and its word come so long after that by itself; return when."""
    asking.opened(now_ms)
    now_ms = asking.next_ms
    asking.asked(now_ms, due=True)
    asking.brought(b"word")
    asking.came(b"word", now_ms + late_ms)
    return now_ms + late_ms


def test_a_step_is_asked_for_after_a_second_and_a_half_then_after_three_and_then_every_five() -> (
    None
):
    asking = Asking()
    asking.opened(0)
    times = [asking.next_ms]
    for _ in range(4):
        asking.asked(asking.next_ms, due=True)
        times.append(asking.next_ms)
    assert times == [1_500, 4_500, 9_500, 14_500, 19_500]
    asking.opened(20_000)
    assert asking.next_ms == 21_500


def test_where_words_are_lost_the_next_step_is_asked_for_as_soon_as_ever() -> None:
    asking = Asking()
    now = 0
    for number in range(50):
        asking.opened(now)
        now = asking.next_ms
        asking.asked(now, due=True)
        asking.brought(bytes([number]))
        now += 300
    assert asking.after_ms == ASK_AFTER_MS


def test_a_word_that_was_only_late_is_waited_for_as_long_as_it_took() -> None:
    asking = Asking()
    late_by(asking, 2_000, 0)
    assert asking.after_ms == 3_500
    asking.opened(10_000)
    assert asking.next_ms == 13_500
    asking.asked(13_500, due=True)
    assert asking.next_ms == 13_500 + ASK_EVERY_MS_MAX


def test_once_words_come_in_time_it_asks_soon_again() -> None:
    asking = Asking()
    now = late_by(asking, 5_000, 0)
    steps = 0
    while asking.after_ms > ASK_AFTER_MS + 100:
        now += 1_000
        asking.opened(now)
        steps += 1
    assert steps < 40


def test_an_asking_that_is_not_due_changes_no_time() -> None:
    asking = Asking()
    asking.opened(0)
    asking.asked(700, due=False)
    assert (asking.next_ms, asking.last_ms) == (1_500, 700)
    asking.brought(b"word")
    assert not asking.awaits(b"word")  # it would have come whether or not we asked


def test_a_word_tells_that_it_was_late_once() -> None:
    asking = Asking()
    late_by(asking, 1_000, 0)
    assert not asking.awaits(b"word")
    asking.came(b"word", 60_000)
    assert asking.after_ms == 2_500


def test_answers_wait_for_each_other_the_longer_the_later_words_are() -> None:
    asking = Asking()
    assert asking.answer_within_ms(250) == 250
    late_by(asking, 1_500, 0)
    assert asking.answer_within_ms(250) == 500


@given(st.lists(st.tuples(st.integers(0, 60_000), st.booleans()), max_size=60))
def test_whatever_comes_the_times_and_what_is_remembered_are_bounded(
    steps: list[tuple[int, bool]],
) -> None:
    asking, now = Asking(), 0
    for number, (late_ms, comes) in enumerate(steps):
        asking.opened(now)
        now = asking.next_ms
        asking.asked(now, due=True)
        for index in range(20):
            asking.brought(bytes([number, index]))
        if comes:
            asking.came(bytes([number, 0]), now + late_ms)
        assert ASK_AFTER_MS <= asking.after_ms <= ASK_AFTER_MS_MAX
        assert len(asking._brought) <= REMEMBERED_MAX

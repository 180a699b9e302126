"""The story: it follows its end, is read back in pages, and shows answers from their beginning."""

import pytest

from unop2p.repl import story as story_module
from unop2p.repl.story import Story


def numbered(count: int) -> Story:
    story = Story()
    story.add(f"line {number}" for number in range(1, count + 1))
    return story


def test_the_end_is_followed() -> None:
    story = numbered(10)
    page = story.page(40, 3)
    assert page.lines == ("line 8", "line 9", "line 10")
    assert (page.first, page.last, page.total) == (8, 10, 10)
    story.add(["more"])
    assert story.page(40, 3).lines == ("line 9", "line 10", "more")


def test_an_empty_story_is_an_empty_page() -> None:
    page = Story().page(40, 3)
    assert (page.lines, page.first, page.last, page.total) == ((), 0, 0, 0)


def test_who_reads_back_stays_there_while_more_happens() -> None:
    story = numbered(10)
    story.page(40, 3)
    story.scroll(-2, 3)
    story.add(["more"])
    page = story.page(40, 3)
    assert page.lines == ("line 6", "line 7", "line 8")
    assert page.total == 11
    story.scroll(-100, 3)
    assert story.page(40, 3).first == 1
    story.scroll(2, 3)
    assert story.page(40, 3).first == 3
    story.scroll(100, 3)
    story.add(["and more"])
    assert story.page(40, 3).lines[-1] == "and more"


def test_to_follow_is_to_see_the_end() -> None:
    story = numbered(10)
    story.page(40, 3)
    story.scroll(-5, 3)
    story.follow()
    assert story.page(40, 3).last == 10


def test_a_long_answer_is_shown_from_its_beginning_and_a_short_one_at_the_end() -> None:
    story = numbered(10)
    story.page(40, 3)
    story.answer(["a", "b", "c", "d", "e"])
    assert story.page(40, 3).lines == ("a", "b", "c")
    story.add(["later"])
    assert story.page(40, 3).lines == ("a", "b", "c")
    story.answer(["f", "g"])
    assert story.page(40, 3).lines == ("later", "f", "g")


def test_lines_are_folded_anew_for_another_width() -> None:
    story = Story()
    story.add(["one two three four five six seven"])
    assert story.page(60, 5).total == 1
    page = story.page(20, 5)
    assert page.total == 2
    assert all(len(line) <= 20 for line in page.lines)


def test_what_is_too_old_is_kept_no_more_and_counted_all_the_same(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(story_module, "LINES_MAX", 4)
    story = Story()
    story.page(40, 3)
    story.add(str(number) for number in range(1, 11))
    page = story.page(40, 3)
    assert (page.lines, page.first, page.total) == (("8", "9", "10"), 8, 10)
    story.scroll(-100, 3)
    assert story.page(40, 3).lines == ("7", "8", "9")


def test_the_tail_is_what_was_said_last() -> None:
    assert numbered(5).tail(2) == ["line 4", "line 5"]
    assert numbered(5).tail(0) == []

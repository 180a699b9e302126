"""The page of a contest."""

import re

from unop2p.sim.contest_page import Interval, contest_page, interval_plot


def test_names_and_figures_are_escaped_and_nothing_comes_from_outside() -> None:
    text = contest_page(
        "Bots <1>",
        "4 matches.",
        [(("bot", "wins"), [("<b>", "75 %")])],
        [("Wins", [Interval("<b>", 75.0, 60.0, 85.0)])],
    )
    assert "<b>" not in text
    assert "&lt;b&gt;" in text
    assert not re.findall(r'(?:src|href)="', text)


def test_an_interval_is_drawn_from_its_low_to_its_high_end() -> None:
    text = interval_plot(
        "t", [Interval("a", 5.0, 0.0, 10.0), Interval("b", 2.0, float("-inf"), 4.0)]
    )
    (first, second) = re.findall(
        r'<line x1="([\d.]+)" y1="\d+" x2="([\d.]+)" y2="\d+" stroke="#1b6ca8"', text
    )
    dots = [float(x) for x in re.findall(r'<circle cx="([\d.]+)"', text)]
    assert float(first[0]) < dots[0] < float(first[1])
    assert float(second[0]) < dots[1] < float(second[1])


def test_one_figure_without_an_interval_can_be_drawn() -> None:
    assert "<circle" in interval_plot("t", [Interval("a", 3.0, 3.0, 3.0)])

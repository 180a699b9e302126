"""Plots."""

from xml.etree import ElementTree

import pytest

from unop2p.sim.lab.svg import Line, plot


def test_a_plot_is_well_formed_and_takes_nothing_from_outside() -> None:
    text = plot("A < B", "cards & more", "ms", [Line(name="x>y", points=((1, 2), (3, 40)))])
    root = ElementTree.fromstring(text)
    space = "{http://www.w3.org/2000/svg}"
    assert root.find(f"{space}title").text == "A < B"  # type: ignore[union-attr]
    assert len(root.findall(f"{space}circle")) == 2
    assert "href" not in text


def test_every_point_lies_within_the_frame() -> None:
    text = plot("t", "x", "y", [Line(name="a", points=((0, 0), (112, 21664)))])
    space = "{http://www.w3.org/2000/svg}"
    for circle in ElementTree.fromstring(text).findall(f"{space}circle"):
        assert 0 <= float(circle.attrib["cx"]) <= 560
        assert 0 <= float(circle.attrib["cy"]) <= 320


@pytest.mark.parametrize("value", [0.0, 1e-9])
def test_points_that_are_all_nothing_still_make_a_plot(value: float) -> None:
    assert "polyline" in plot("t", "x", "y", [Line(name="a", points=((0, value),))])

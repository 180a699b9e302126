"""The moving picture of the README shows what stood on a terminal."""

import xml.etree.ElementTree as ET
from pathlib import Path

import pyte

from tests.e2e.picture import FRAME_S, INK, PAPER, frame_of, picture

PICTURE = Path(__file__).parents[2] / "docs" / "table.svg"
SVG = "{http://www.w3.org/2000/svg}"


def texts(node: ET.Element) -> list[str]:
    return [str(text.text) for text in node.iter(f"{SVG}text")]


def test_a_frame_has_each_text_in_its_color_and_place() -> None:
    screen = pyte.Screen(20, 2)
    pyte.Stream(screen).feed("a \x1b[1;31mR7\x1b[0m <b>\r\n\x1b[7mbar\x1b[0m")
    drawn = ET.fromstring(picture([frame_of(screen)], 20, 2))
    (frame,) = drawn.iter(f"{SVG}g")
    found = {str(text.text).strip(): text.attrib for text in frame.iter(f"{SVG}text")}
    assert found["R7"]["fill"] == "#ff6b6b"
    assert found["R7"]["font-weight"] == "bold"
    assert found["<b>"]["fill"] == INK
    assert found["bar"]["fill"] == PAPER
    assert [rect.get("fill") for rect in frame.iter(f"{SVG}rect")] == [INK]


def test_frames_are_seen_one_after_the_other() -> None:
    screen = pyte.Screen(4, 1)
    drawn = picture([frame_of(screen)] * 3, 4, 1)
    assert f"animation-delay:{2 * FRAME_S:.1f}s" in drawn
    assert f"f {3 * FRAME_S:.1f}s infinite" in drawn
    assert "33.333%{visibility:hidden}" in drawn


def test_the_picture_in_the_readme_is_one_of_a_table() -> None:
    frames = list(ET.parse(PICTURE).getroot().iter(f"{SVG}g"))
    said = [" ".join(texts(frame)) for frame in frames]
    assert any("is shuffled, and each shuffle is proved" in frame for frame in said)
    assert any("YOUR MOVE" in frame and "top" in frame for frame in said)

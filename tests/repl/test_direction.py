"""Right-to-left lines are put in order field by field, with their colors, and only where it is needed."""

import io
import unicodedata

import pyte
import pytest
from hypothesis import given
from hypothesis import strategies as st
from prompt_toolkit.application import Application
from prompt_toolkit.application.current import set_app
from prompt_toolkit.buffer import Buffer
from prompt_toolkit.data_structures import Point, Size
from prompt_toolkit.document import Document
from prompt_toolkit.formatted_text import ANSI, StyleAndTextTuples
from prompt_toolkit.formatted_text.utils import fragment_list_to_text
from prompt_toolkit.layout import BufferControl, FormattedTextControl, Layout, Window
from prompt_toolkit.layout.processors import TransformationInput
from prompt_toolkit.output.vt100 import Vt100_Output

from unop2p.repl.direction import (
    END_OF_ISOLATE,
    Typed,
    arranger,
    drawn_line,
    has_own_order,
    isolated,
    order,
    visual,
)
from unop2p.words import Bidi

RED, PLAIN = "\x1b[31m", "\x1b[0m"
LETTERS = st.text(alphabet="אבגש רabR7(): 12.>│-`", max_size=30)


def test_a_sentence_reads_from_right_to_left_with_what_is_latin_in_it() -> None:
    assert visual("ben משחק R7 (אדום).") == ".(םודא) R7 קחשמ ben"


def test_numbers_keep_their_digits_in_order() -> None:
    assert visual("נשארו 108 קלפים") == "םיפלק 108 וראשנ"


def test_columns_stay_where_they_are() -> None:
    assert visual("  יד  7  │ ben │ תור") == "  די  7  │ ben │ רות"


def test_what_is_to_be_typed_is_one_thing_in_its_sentence() -> None:
    assert visual("לקחת R3: `r3` או `keep`.") == ".`keep` וא `r3` :R3 תחקל"
    assert visual("חוקים: official. `rules` מציג") == "גיצמ `rules` .official :םיקוח"
    assert isolated("או `a b`.") == "\u2067או \u2066`a b`\u2069.\u2069"


def test_who_says_something_stands_before_it() -> None:
    assert visual("<ben> שלום לך, mia") == "<ben> mia ,ךל םולש"
    assert visual("<דנה> שלום") == "<הנד> םולש"
    assert visual("<דנה> hello") == "<הנד> hello"


@pytest.mark.parametrize("sign", ["▶", ">", "✓", "*"])
def test_a_sign_before_a_field_stays_in_its_column(sign: str) -> None:
    assert visual(f" │  {sign} mia (את/ה)  7") == f" │  {sign} (ה/תא) mia  7"
    assert visual(f"{sign} mia (את/ה)  7") == f"{sign} (ה/תא) mia  7"
    assert isolated(f"  {sign} mia את") == f"  {sign} \u2067mia את\u2069"


def test_what_is_typed_stands_after_the_prompt() -> None:
    assert visual("התור שלך> ") == "ךלש רותה> "


def test_a_color_stays_with_its_letters() -> None:
    assert visual(f"{RED}אדום{PLAIN} R7 הונח") == f"חנוה R7 {RED}םודא{PLAIN}"


@given(st.text(alphabet="abc R7():.>│-ąęłєїάβ", max_size=40))
def test_other_languages_are_as_they_were(line: str) -> None:
    assert visual(line) == isolated(line) == line


@given(LETTERS)
def test_no_letter_is_lost_or_added(line: str) -> None:
    mirrored = str.maketrans(")>", "(<")
    shown = visual(line).translate(mirrored)
    assert sorted(shown) == sorted(line.translate(mirrored))
    assert sorted(index for index, _ in order(line)) == list(range(len(line)))


@given(LETTERS)
def test_isolated_fields_are_the_same_text_to_read(line: str) -> None:
    shown = isolated(line)
    assert "".join(each for each in shown if unicodedata.category(each) != "Cf") == line
    assert shown.count("\u2066") + shown.count("\u2067") == shown.count("\u2069")


def test_a_terminal_with_its_own_order_gets_text_as_it_is_read() -> None:
    assert isolated("  יד  7") == "  \u2067יד\u2069  7"


@pytest.mark.parametrize(
    ("environment", "own"),
    [
        ({"TERM": "xterm-256color"}, False),
        ({"VTE_VERSION": "7200"}, True),
        ({"VTE_VERSION": "5202"}, False),
        ({"VTE_VERSION": "²"}, False),
        ({"KONSOLE_VERSION": "230800"}, True),
        ({"MLTERM": "3.9"}, True),
        ({"TERM_PROGRAM": "Apple_Terminal"}, True),
        ({"TERM_PROGRAM": "vscode"}, False),
    ],
)
def test_terminals_that_put_letters_in_order_are_known(
    environment: dict[str, str], own: bool
) -> None:
    assert has_own_order(environment) is own
    assert arranger(Bidi.AUTO, environment) is (isolated if own else visual)
    assert arranger(Bidi.PROGRAM, environment) is visual
    assert arranger(Bidi.TERMINAL, environment) is isolated


def typed(text: str) -> tuple[str, list[int]]:
    """Return how a line that is being typed is shown, and where the cursor is at each of its places."""
    pieces: StyleAndTextTuples = [("", text)]
    control = BufferControl(Buffer())
    document = Document(text)
    given = TransformationInput(control, document, 0, lambda place: place, pieces, 80, 1)
    shown = Typed().apply_transformation(given)
    places = [shown.source_to_display(place) for place in range(len(text) + 1)]
    for place in range(len(text)):
        assert shown.display_to_source(places[place]) == place
    return fragment_list_to_text(shown.fragments), places


def test_a_typed_line_reads_as_its_first_letter_does() -> None:
    assert typed("r7 uno") == ("r7 uno", [0, 1, 2, 3, 4, 5, 6])
    assert typed("אדום 7") == (" 7 םודא", [6, 5, 4, 3, 2, 1, 0])
    assert typed("say שלום") == ("say םולש", [0, 1, 2, 3, 7, 6, 5, 4, 8])


@given(st.text(alphabet="אבגש ab7(`", max_size=20))
def test_no_typed_letter_is_lost_and_the_cursor_has_a_place_for_each(line: str) -> None:
    shown, places = typed(line)
    mirrored = str.maketrans(")", "(")
    assert sorted(shown.translate(mirrored).replace(" ", "")) == sorted(line.replace(" ", ""))
    assert len(set(places)) == len(line) + 1
    assert all(0 <= place <= len(shown) for place in places)


def test_a_drawn_line_has_no_mark_without_a_cell_at_its_end_and_its_colors_are_kept() -> None:
    mark = END_OF_ISOLATE
    assert drawn_line("ab" + mark) == "ab"
    assert drawn_line("ab" + mark + mark + "\x1b[0m") == "ab\x1b[0m"
    assert drawn_line("a" + mark + "b") == "a" + mark + "b"
    assert drawn_line("") == ""


def test_what_is_drawn_again_stands_in_its_place_where_the_terminal_puts_letters_in_order() -> None:
    screen = pyte.Screen(20, 3)
    stream = pyte.Stream(screen)
    lines = ["שלום"]

    class Output(io.StringIO):
        def write(self, text: str) -> int:
            # pyte leaves out what comes after a mark that takes no cell.
            stream.feed("".join(char for char in text if unicodedata.category(char) != "Cf"))
            return len(text)

    def size() -> Size:
        return Size(rows=3, columns=20)

    output = Vt100_Output(Output(), size, term="xterm", enable_cpr=False)
    drawn = FormattedTextControl(
        lambda: ANSI("\n".join(drawn_line(isolated(line)) for line in lines)),
        get_cursor_position=lambda: Point(x=4, y=0),
    )
    application: Application[None] = Application(Layout(Window(drawn)), output=output)
    with set_app(application):
        for lines in (["ab  שלום 1", "x  שלום"], ["ab  שלום 2", "x  שלומי"], ["ab  שלום 3", "z"]):
            application.render_counter += 1
            application.renderer.render(application, application.layout)
            assert [row.rstrip() for row in screen.display] == [*lines, ""]

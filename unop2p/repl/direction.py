"""Lines with right-to-left letters, put in the order in which a terminal has to show them.

A terminal with a bidirectional algorithm of its own takes text as it is read and puts it in order; one
without shows letters from left to right as they come, and Hebrew backwards. The order is that of UAX #9
(python-bidi). A line of a table is no paragraph: what stands between two spaces or more, or between drawn
lines, is a field, which reads from right to left where it has a right-to-left letter, and stays in its
place.
"""

import re
import unicodedata
from collections.abc import Callable, Mapping
from functools import lru_cache
from itertools import pairwise
from typing import Any, Final

from prompt_toolkit.formatted_text import StyleAndTextTuples
from prompt_toolkit.formatted_text.utils import fragment_list_to_text
from prompt_toolkit.layout.processors import Processor, Transformation, TransformationInput
from prompt_toolkit.layout.utils import explode_text_fragments

from unop2p.words import Bidi

RIGHT_TO_LEFT_ISOLATE, END_OF_ISOLATE = "\u2067", "\u2069"
LEFT_TO_RIGHT_ISOLATE = "\u2066"
VTE_WITH_BIDI: Final = 5800
"""GNOME's terminals since 0.58, by VTE_VERSION (its release notes)."""
_OWN_ORDER: Final = {"Apple_Terminal", "mintty"}
"""Values of TERM_PROGRAM of terminals that put letters in order themselves."""
_CODE: Final = re.compile(r"\x1b\[[0-9;]*m")
_RESET: Final = frozenset({"\x1b[0m", "\x1b[m"})
_LAST_MARK: Final = re.compile(rf"{END_OF_ISOLATE}+((?:{_CODE.pattern})*)$")
_TYPED: Final = re.compile(r"`[^`]*`")
"""What is to be typed reads as it is typed, from left to right, and is one thing in its sentence."""
_ONE_THING: Final = "\ufffc"
"""Stands for it while the sentence is put in order: an object, with no direction of its own."""
_BETWEEN: Final = re.compile(r"^<[^<>]*> |(?:^\s*|\s{2,}|\s*[─-╿|]+\s*)(?:[▶>✓*]\s+)?|\s*>?\s*$")
"""What stands between fields, at either end, or after a prompt; signs in a column of
their own; and who says something, before it."""


def has_own_order(environment: Mapping[str, str]) -> bool:
    """Say whether a terminal is known to put letters in order itself.

    Args:
        environment: variables that terminals set: VTE_VERSION, KONSOLE_VERSION, MLTERM, TERM_PROGRAM.

    >>> has_own_order({"VTE_VERSION": "7200"}), has_own_order({"TERM": "xterm-256color"})
    (True, False)
    """
    vte = environment.get("VTE_VERSION", "")
    if vte.isascii() and vte.isdigit() and len(vte) < 9:  # no longer number is one
        return int(vte) >= VTE_WITH_BIDI
    if environment.get("KONSOLE_VERSION") or environment.get("MLTERM"):
        return True
    return environment.get("TERM_PROGRAM") in _OWN_ORDER


def arranger(mode: Bidi, environment: Mapping[str, str]) -> Callable[[str], str]:
    """Return what makes a line for the terminal out of a line as it is read."""
    if mode is Bidi.AUTO:
        mode = Bidi.TERMINAL if has_own_order(environment) else Bidi.PROGRAM
    return isolated if mode is Bidi.TERMINAL else visual


def has_right_to_left(text: str) -> bool:
    """Say whether a text has a letter that is read from right to left."""
    return not text.isascii() and any(
        unicodedata.bidirectional(letter) in {"R", "AL"} for letter in text
    )


def order(text: str, *, right_to_left: bool = True) -> list[tuple[int, str]]:
    """Return the letters of a field as they stand from left to right: which each is, and its shape.

    Args:
        text: one field.
        right_to_left: whether it is read from right to left as a whole.

    Brackets are mirrored. Where nothing is read from right to left, it is the text as it is.

    >>> [index for index, _ in order("אב 12")]
    [3, 4, 2, 1, 0]
    """
    if not has_right_to_left(text):
        return list(enumerate(text))
    shown: list[tuple[int, str]] = []
    things = [found.span() for found in _TYPED.finditer(text)]
    shorter, places, at = "", list[range](), 0
    for begin, end in (*things, (len(text), len(text))):
        shorter += text[at:begin]
        places += [range(index, index + 1) for index in range(at, begin)]
        if end > begin:
            shorter += _ONE_THING
            places.append(range(begin, end))
        at = end
    for index, shape in _ordered(shorter, right_to_left=right_to_left):
        whole = places[index]
        shown += [(whole[0], shape)] if len(whole) == 1 else [(at, text[at]) for at in whole]
    return shown


def _ordered(text: str, *, right_to_left: bool) -> list[tuple[int, str]]:
    from bidi import algorithm  # type: ignore[import-untyped]  # noqa: PLC0415  # who reads from left to right needs none

    storage: dict[str, Any] = algorithm.get_empty_storage()
    storage["base_level"], storage["base_dir"] = (1, "R") if right_to_left else (0, "L")
    algorithm.get_embedding_levels(text, storage)
    for index, letter in enumerate(storage["chars"]):
        letter["index"] = index
    algorithm.explicit_embed_and_overrides(storage)
    algorithm.resolve_weak_types(storage)
    algorithm.resolve_neutral_types(storage, debug=False)
    algorithm.resolve_implicit_levels(storage, debug=False)
    algorithm.reorder_resolved_levels(storage, debug=False)
    algorithm.apply_mirroring(storage, debug=False)
    return [(letter["index"], letter["ch"]) for letter in storage["chars"]]


@lru_cache(maxsize=2_048)
def visual(line: str) -> str:
    """Return a line as it stands from left to right, for a terminal that puts nothing in order.

    Args:
        line: with or without color codes, which stay with their letters.

    >>> visual("  " + "שלום" + "  R7")
    '  םולש  R7'
    """
    if not has_right_to_left(line):
        return line
    letters, styles = _styled(line)
    shown: list[tuple[str, str]] = []
    for begin, end in _fields(letters):
        shown += [(shape, styles[begin + index]) for index, shape in order(letters[begin:end])]
    return _written(shown)


@lru_cache(maxsize=2_048)
def isolated(line: str) -> str:
    """Return a line for a terminal that puts letters in order: each field is kept in its place."""
    if not has_right_to_left(line):
        return line
    letters, styles = _styled(line)
    shown: list[tuple[str, str]] = []
    for begin, end in _fields(letters):
        field = [(letters[at], styles[at]) for at in range(begin, end)]
        if has_right_to_left(letters[begin:end]):
            for found in reversed(list(_TYPED.finditer(letters[begin:end]))):
                style = styles[begin + found.start()]
                field.insert(found.end(), (END_OF_ISOLATE, style))
                field.insert(found.start(), (LEFT_TO_RIGHT_ISOLATE, style))
            first, last = field[0][1], field[-1][1]
            field = [(RIGHT_TO_LEFT_ISOLATE, first), *field, (END_OF_ISOLATE, last)]
        shown += field
    return _written(shown)


def drawn_line(line: str) -> str:
    """Return a line for a drawn screen: no mark that takes no cell is the last of it.

    The end of a line ends what was isolated in it (UAX #9, X8). prompt_toolkit counts a cell for a last
    mark, and from there on would write one cell beside where it means to.

    >>> drawn_line("ben" + END_OF_ISOLATE)
    'ben'
    """
    return _LAST_MARK.sub(r"\1", line)


def _fields(letters: str) -> list[tuple[int, int]]:
    """Return where fields, and what is between them, begin and end."""
    cuts = {0, len(letters)}
    for found in _BETWEEN.finditer(letters):
        cuts |= {found.start(), found.end()}
        if found[0].startswith("<"):
            cuts.add(found.end() - 1)  # the space after who says it stays between the two
    ordered = sorted(cuts)
    return list(pairwise(ordered))


def _styled(line: str) -> tuple[str, list[str]]:
    """Return the letters of a line, and the color codes that each of them stands under."""
    letters, styles, style, at = "", list[str](), "", 0
    for code in (*_CODE.finditer(line), None):
        piece = line[at : code.start() if code else len(line)]
        letters += piece
        styles += [style] * len(piece)
        if code:
            style = "" if code[0] in _RESET else style + code[0]
            at = code.end()
    return letters, styles


def _written(shown: list[tuple[str, str]]) -> str:
    text, style = "", ""
    for letter, its_style in shown:
        if its_style != style:
            text += ("\x1b[0m" if style else "") + its_style
            style = its_style
        text += letter
    return text + ("\x1b[0m" if style else "")


def reads_from_right(text: str) -> bool:
    """Say whether a line is read from right to left: whether its first letter is (UAX #9, P2, P3).

    >>> reads_from_right("אדום 7"), reads_from_right("say שלום")
    (True, False)
    """
    for letter in text:
        kind = unicodedata.bidirectional(letter)
        if kind in {"R", "AL", "L"}:
            return kind != "L"
    return False


class Typed(Processor):
    """Shows what is being typed in the order in which it is read; what is kept is as it was typed.

    The cursor stands on the letter that it stands on in the line. After the last one it is at the end of
    the line, which is on the left of a line that reads from the right.
    """

    def apply_transformation(self, transformation_input: TransformationInput) -> Transformation:
        """Return the letters as they stand from left to right, and which is where."""
        pieces = explode_text_fragments(transformation_input.fragments)
        text = fragment_list_to_text(pieces)
        if not has_right_to_left(text):
            return Transformation(pieces)
        from_right = reads_from_right(text)
        ordered = order(text, right_to_left=from_right)
        shown: StyleAndTextTuples = [("", " ")] if from_right else []
        first = len(shown)
        shown += [(pieces[index][0], shape) for index, shape in ordered]
        place_of = {index: first + place for place, (index, _) in enumerate(ordered)}
        letter_at = {place: index for index, place in place_of.items()}
        end = 0 if from_right else len(text)
        return Transformation(
            shown,
            source_to_display=lambda index: place_of.get(index, end),
            display_to_source=lambda place: letter_at.get(place, len(text)),
        )

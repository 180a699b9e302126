"""Names that look alike."""

import pytest

from unop2p.errors import MalformedError
from unop2p.table.genesis import check_name
from unop2p.table.lookalike import BLANKS, marks, skeleton

CYRILLIC_A, CYRILLIC_E, GREEK_O, CHEROKEE_A = (chr(c) for c in (0x430, 0x435, 0x3BF, 0x13AA))


@pytest.mark.parametrize(
    ("name", "double"),
    [
        ("mia", "MIA"),
        ("mia", f"mi{CYRILLIC_A}"),
        ("AMI", f"{CHEROKEE_A}MI"),
        ("leo", f"le{GREEK_O}"),
        ("ben", f"b{CYRILLIC_E}n"),
        ("leo", "le0"),
        ("lilly", "1i11y"),
        ("tom", "torn"),
        ("wim", "vvim"),
        ("jose", "jos" + chr(0xE9)),
        ("mia", chr(0xFF4D) + "ia"),
        ("mia", chr(0x1D426) + "ia"),
        ("mia", "mia" + chr(0x3164)),
        ("mia", "m" + chr(0x301) * 5 + "ia"),
    ],
)
def test_doubles_have_one_skeleton(name: str, double: str) -> None:
    assert skeleton(name) == skeleton(double)


@pytest.mark.parametrize(("one", "other"), [("ada", "eva"), ("ben", "ken"), ("mia", "mina")])
def test_names_that_differ_to_the_eye_have_different_skeletons(one: str, other: str) -> None:
    assert skeleton(one) != skeleton(other)


def test_a_skeleton_of_a_skeleton_is_itself() -> None:
    for name in ("Ivan", "torn", "vvim", f"le{GREEK_O}", "001Il"):
        assert skeleton(skeleton(name)) == skeleton(name)


def test_doubles_get_as_much_of_their_fingerprints_as_differs() -> None:
    names = ["mia", f"mi{CYRILLIC_A}", "bob"]
    assert marks(names, ["aaaa 1111", "bbbb 2222", "cccc 3333"]) == ["#aaaa", "#bbbb", ""]
    assert marks(names, ["aaaa 1111", "aaaa 2222", "aaaa 1111"]) == ["#aaaa1111", "#aaaa2222", ""]


def test_who_looks_like_a_taken_word_is_marked() -> None:
    assert marks(["You", "bob"], ["aaaa 1111", "bbbb 2222"], taken=["you"]) == ["#aaaa", ""]


@pytest.mark.parametrize("blank", sorted(BLANKS))
def test_a_name_with_letters_that_nobody_sees_is_no_name(blank: str) -> None:
    with pytest.raises(MalformedError, match="nobody sees"):
        check_name(f"mia{blank}")

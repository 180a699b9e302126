"""What `unop2p sim` reads of its options."""

import pytest

from unop2p.cli.common import UsageError
from unop2p.cli.sim_commands import read_seeds


@pytest.mark.parametrize(
    ("text", "found"), [("17", range(17, 18)), ("0..999", range(1_000)), ("5..5", range(5, 6))]
)
def test_seeds_are_one_or_a_range_with_both_ends(text: str, found: range) -> None:
    assert read_seeds(text) == found


@pytest.mark.parametrize("text", ["", "..", "1..", "..5", "1...5", "9..1", "0..1000000", "\u0661"])
def test_other_words_are_no_seeds(text: str) -> None:
    with pytest.raises(UsageError, match="--seeds"):
        read_seeds(text)

"""The zoo as a list."""

from pathlib import Path

import pytest

from unop2p.sim.lab.cheats import UnknownCheatError
from unop2p.sim.lab.defenses import DEFENSES
from unop2p.sim.lab.registry import CHEATS, find

ROOT = Path(__file__).parents[3]


def test_every_defense_stops_some_cheat_by_itself_or_with_others() -> None:
    named = {name for cheat in CHEATS.values() for name in cheat.stopped_by}
    named |= {name for cheat in CHEATS.values() for name in cheat.teeth(replayed=True)}
    assert named == set(DEFENSES)


def test_names_are_words_that_can_be_typed_and_stand_once() -> None:
    assert all(set(name) <= set("abcdefghijklmnopqrstuvwxyz0123456789-") for name in CHEATS)
    assert all(name == cheat.name for name, cheat in CHEATS.items())
    assert len({cheat.sentence for cheat in CHEATS.values()}) > len(CHEATS) * 0.9


def test_every_sentence_is_one() -> None:
    for cheat in CHEATS.values():
        assert cheat.sentence[0].isupper(), cheat.name
        assert cheat.sentence.endswith("."), cheat.name


@pytest.mark.parametrize(
    ("typed", "meant"), [("rogue-kye", "`rogue-key`"), ("leave-at-rveal", "`leave-at-reveal`")]
)
def test_a_name_that_is_nearly_right_is_answered_with_what_may_be_meant(
    typed: str, meant: str
) -> None:
    with pytest.raises(UnknownCheatError, match=meant):
        find(typed)


def test_a_name_that_is_like_none_is_answered_without_a_guess() -> None:
    with pytest.raises(UnknownCheatError) as raised:
        find("zzzzzzzzzzz")
    assert "Did you mean" not in raised.value.sentence()


def test_the_reference_tells_of_every_cheat_and_defense_as_the_program_does() -> None:
    page = (ROOT / "docs" / "reference" / "lab.md").read_text(encoding="utf-8")
    for cheat in CHEATS.values():
        assert f"| `{cheat.name}` | {cheat.attacks.value} | {cheat.sentence}" in page, cheat.name
    for defense in DEFENSES.values():
        assert f"| `{defense.name}` | {defense.sentence} |" in page, defense.name

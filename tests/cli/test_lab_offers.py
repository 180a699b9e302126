"""What a shell offers for the options of the laboratory is what they take."""

from tests.cli.test_offers import words
from unop2p.cli import lab_offers
from unop2p.sim.lab.defenses import DEFENSES
from unop2p.sim.lab.registry import CHEATS, find


def test_every_cheat_and_defense_is_offered() -> None:
    assert words(lab_offers.defenses) == list(DEFENSES)
    assert {find(name.partition("@")[0]).name for name in words(lab_offers.cheats)} == set(CHEATS)
    assert set(CHEATS) < set(words(lab_offers.cheats_or_families))


def test_behind_a_cheat_its_seats_are_offered() -> None:
    name = next(iter(CHEATS))
    assert words(lab_offers.cheats, f"{name}@") == [f"{name}@{seat}" for seat in range(10)]
    assert words(lab_offers.cheats, "no-such-cheat@") == []

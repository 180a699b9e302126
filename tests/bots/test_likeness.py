"""Which weights a table plays with."""

from dataclasses import replace

import pytest

from unop2p.bots import likeness
from unop2p.bots.learned import LearnedBot
from unop2p.bots.likeness import COUNTED, TRAINED, likest, weights_for
from unop2p.bots.weights import shipped
from unop2p.rules.options import FIELD_NAMES, PRESETS, with_overrides


@pytest.mark.parametrize("name", PRESETS)
def test_a_preset_is_most_like_itself(name: str) -> None:
    assert likest(PRESETS[name]) == name
    assert likest(replace(PRESETS[name], target=200, uno_penalty=0)) == name


def test_one_option_changed_leaves_a_table_with_its_preset() -> None:
    changed = with_overrides(PRESETS["hebrew"], {"symbol_match": "all"})
    assert likest(changed) == "hebrew"
    assert likest(replace(PRESETS["official"], draw_until_playable=True)) == "official"


def test_of_presets_that_are_as_like_the_first_is_taken() -> None:
    # From official two options differ, wd4_challenge and voluntary_draw; from greek wd4_condition and deck.
    between = with_overrides(PRESETS["official"], {"wd4_challenge": "off", "voluntary_draw": False})
    assert sum(getattr(between, n) != getattr(PRESETS["greek"], n) for n in COUNTED) == 1
    assert likest(between) == "greek"
    half = with_overrides(PRESETS["official"], {"deck": "110"})
    differing = {
        name: sum(getattr(half, n) != getattr(PRESETS[name], n) for n in COUNTED)
        for name in PRESETS
    }
    assert differing["official"] == differing["polish"] == 1
    assert likest(half) == "official"


def test_what_is_counted_are_options() -> None:
    assert set(COUNTED) < set(FIELD_NAMES)


def test_weights_of_a_presets_own_are_there_and_are_taken() -> None:
    for name, presets in TRAINED.items():
        level, seats = name.split("-")
        for preset in presets:
            held = shipped(f"{name}-{preset}")
            assert f"--rules {preset}" in held.trained["command"]
            number = 2 if seats == "two" else 4
            assert weights_for(level, PRESETS[preset], number) == f"{name}-{preset}"


def test_without_weights_of_its_own_a_preset_has_the_official_ones(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(likeness.TRAINED, "net-two", ("greek",))
    assert weights_for("net", PRESETS["greek"], 2) == "net-two-greek"
    assert weights_for("net", PRESETS["polish"], 2) == "net-two"
    assert weights_for("net", PRESETS["greek"], 3) in {"net-more", "net-more-greek"}


def test_a_bot_takes_weights_by_the_rules_of_the_table_it_sits_at() -> None:
    from tests.bots.support import position
    from unop2p.ids import Seat

    bot = LearnedBot("net")
    official, hebrew = (
        position("R1 B2", top="R9", rules=rules).view(Seat(0)).round
        for rules in ("official", "hebrew")
    )
    assert bot.forecaster(official).weights is shipped("net-two")
    assert bot.forecaster(hebrew).weights is shipped(weights_for("net", PRESETS["hebrew"], 2))
    assert bot.forecaster(official) is bot.forecaster(official)

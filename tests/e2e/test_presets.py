"""Whole matches of bots over a broker under every preset and under rules by chance, each audited."""

import asyncio
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from tests.bots.support import any_options
from unop2p.cli.match import MatchPlan, run_match
from unop2p.rules.options import PRESETS, Options
from unop2p.wire.audit import Finding, audit

pytestmark = [pytest.mark.slow, pytest.mark.broker]

RULE_SETS = 30
QUICK_SETS = 2


def play(tmp_path: Path, options: Options, bots: int) -> None:
    """Play a whole match and audit every seat's record."""
    records = tmp_path / "records"
    plan = MatchPlan(
        bots=bots,
        options=options,
        level="greedy",
        record=records,
        broker=None,
        engine="auto",
        shared_checks=True,
        rounds=None,
    )
    result = asyncio.run(run_match(plan))
    assert result["exit_code"] == 0, result["reasons"]
    assert result["winner"] or options.match_end == "eliminate"
    heads = result["heads"]
    assert isinstance(heads, list)
    assert len(heads) == 1
    files = sorted(records.iterdir())
    assert len(files) == bots
    for file in files:
        with file.open("rb") as lines:
            report = audit(lines)
        assert report.finding is Finding.COMPLETE, (file.name, report.reason, report.line)
        assert report.head is not None
        assert report.head.hex() == heads[0]
        assert list(report.totals) == result["totals"]


def short(options: Options, points: int) -> Options:
    """Return the same rules with a match of a few rounds."""
    return replace(options, target=2 if options.match_end == "rounds" else points)


def rules_by_chance(seed: int) -> tuple[Options, int]:
    """Return options that make sense, and a number of seats for them."""
    rng = Random(seed)
    return any_options(rng), rng.choice([2, 3, 4])


@pytest.mark.parametrize("name", PRESETS)
def test_a_whole_match_is_played_and_audited_under_every_preset(tmp_path: Path, name: str) -> None:
    play(tmp_path, short(PRESETS[name], 30), bots=2)


@pytest.mark.parametrize("seed", range(QUICK_SETS))
def test_a_whole_match_is_played_and_audited_under_rules_by_chance(
    tmp_path: Path, seed: int
) -> None:
    options, seats = rules_by_chance(seed)
    play(tmp_path, short(options, 30), seats)


@pytest.mark.soak
@pytest.mark.parametrize("name", PRESETS)
def test_a_match_to_five_hundred_under_every_preset(tmp_path: Path, name: str) -> None:
    play(tmp_path, PRESETS[name], bots=4)


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(RULE_SETS))
def test_a_match_under_thirty_rule_sets_by_chance(tmp_path: Path, seed: int) -> None:
    options, seats = rules_by_chance(seed)
    play(tmp_path, short(options, 200), seats)

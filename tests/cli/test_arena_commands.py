"""What `unop2p arena` reads, and what it shows."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from tests.edge.bot_support import script
from unop2p.bots.figures import Estimate
from unop2p.bots.levels import LEVELS, UnknownBotError
from unop2p.cli.arena_commands import (
    ArenaRequest,
    check_games,
    elo_rows,
    percent,
    read_bots,
    run_arena,
    split_names,
)
from unop2p.cli.common import UsageError
from unop2p.edge.roster import program_words
from unop2p.errors import InvalidOptionsError
from unop2p.rules.options import PRESETS


def request(**changes: Any) -> ArenaRequest:
    values: dict[str, Any] = {
        "bots": "greedy,random",
        "seats": 2,
        "games": 4,
        "rules": "official",
        "overrides": ("target=40",),
        "duplicate": True,
        "ladder": False,
        "seed": 1,
        "jobs": 1,
        "html": None,
    }
    return ArenaRequest(**(values | changes))


def test_bots_are_read_in_order() -> None:
    assert read_bots(request(bots=" net, greedy ")) == ("net", "greedy")
    assert read_bots(request(bots="", ladder=True)) == LEVELS
    assert read_bots(request(bots="net,greedy,random", seats=3)) == ("net", "greedy", "random")


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("cmd:perl bot.pl '--list=1,2',net", ("cmd:perl bot.pl '--list=1,2'", "net")),
        ('net,cmd:perl "a, b.pl"', ("net", 'cmd:perl "a, b.pl"')),
        (r"cmd:perl 1\,2,greedy", (r"cmd:perl 1\,2", "greedy")),
        (r"cmd:perl 'it\',greedy", (r"cmd:perl 'it\'", "greedy")),
        (r'cmd:perl "\",",greedy', (r'cmd:perl "\","', "greedy")),
        ("cmd:perl 'open,greedy", ("cmd:perl 'open,greedy",)),
    ],
)
def test_a_comma_in_the_words_of_a_program_does_not_end_them(
    text: str, names: tuple[str, ...]
) -> None:
    assert split_names(text) == names


def test_a_program_with_a_comma_takes_part_in_a_contest(tmp_path: Path) -> None:
    path = script(tmp_path, "while True: first(asked())")
    bots = f"cmd:{path} '--list=1,2',greedy"
    assert read_bots(request(bots=bots)) == (f"cmd:{path} '--list=1,2'", "greedy")
    assert program_words(f"cmd:{path} '--list=1,2'") == (path, "--list=1,2")


@pytest.mark.parametrize("bots", ["", "greedy", "greedy,greedy", "net,greedy,random"])
def test_bots_that_cannot_sit_down_are_refused(bots: str) -> None:
    with pytest.raises(UsageError):
        read_bots(request(bots=bots))


def test_an_unknown_level_is_refused() -> None:
    with pytest.raises(UnknownBotError):
        run_arena(request(bots="greedy,genius"), as_json=False)


@pytest.mark.parametrize(
    ("changes", "error"),
    [
        ({"seats": 11}, UsageError),
        ({"seats": 1}, UsageError),
        ({"seats": 4, "games": 6}, UsageError),
        ({"overrides": ("teams=true",), "seats": 3}, InvalidOptionsError),
    ],
)
def test_games_that_cannot_be_are_refused(changes: dict[str, Any], error: type[Exception]) -> None:
    from unop2p.cli.common import read_rules

    asked = request(**changes)
    with pytest.raises(error):
        check_games(asked, read_rules(asked.rules, list(asked.overrides)))


def test_without_duplicates_any_number_of_games_goes() -> None:
    check_games(request(seats=4, games=6, duplicate=False), PRESETS["official"])


def test_a_contest_is_shown_with_intervals_and_how_it_was_played(capsys: Any) -> None:
    assert run_arena(request(), as_json=False) == 0
    said = capsys.readouterr()
    told = said.out
    assert re.fullmatch(r"\d+\.\d s on (1 process|\d+ processes)\.\n", said.err)
    assert "4 matches to 40, 2 seats, official target=40, seed 1" in told
    assert "95 %" in told
    assert "greedy" in told


def test_the_same_seed_prints_the_same_json(capsys: Any, tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    outputs = []
    for jobs in (1, 1):
        run_arena(request(jobs=jobs, html=page), as_json=True)
        outputs.append(json.loads(capsys.readouterr().out))
    assert outputs[0] == outputs[1]
    ((first, second),) = outputs[0]["contests"]
    assert first["bot"] == "greedy"
    assert first["wins"]["value"] + second["wins"]["value"] == pytest.approx(1)
    assert first["wins"]["low"] <= first["wins"]["value"] <= first["wins"]["high"]
    assert "<svg" in page.read_text(encoding="utf-8")


def test_a_ladder_rates_everybody(capsys: Any) -> None:
    run_arena(request(bots="random,greedy,linear", ladder=True, games=2), as_json=True)
    found = json.loads(capsys.readouterr().out)
    assert set(found["elo"]) == {"random", "greedy", "linear"}
    assert found["elo"]["random"]["value"] == 0
    assert len(found["contests"]) == 3
    run_arena(request(bots="random,greedy", ladder=True, games=2), as_json=False)
    assert "Elo" in capsys.readouterr().out


def test_the_best_stands_first() -> None:
    ratings = {
        name: Estimate(value=value, low=value - 1, high=value + 1, n=9)
        for name, value in (("a", 0.0), ("b", 80.0), ("c", 40.0))
    }
    assert [row[0] for row in elo_rows(ratings)] == ["b", "c", "a"]
    assert percent(Estimate(value=0.5, low=0.25, high=0.75, n=4)) == ("50.0 %", "25.0 to 75.0")


def test_a_page_that_cannot_be_written_is_refused_before_anything_is_played(tmp_path: Path) -> None:
    with pytest.raises(UsageError):
        run_arena(request(games=10**6, html=tmp_path / "no" / "page.html"), as_json=False)

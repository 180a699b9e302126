"""`unop2p stats`, and noting a match that has ended."""

import json
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest
from typer.testing import CliRunner

from tests.edge.test_results import result
from tests.repl.support import view_of
from unop2p.cli.main import app
from unop2p.cli.stats import note, result_of
from unop2p.edge.results import Results
from unop2p.ids import Seat
from unop2p.table.genesis import Table
from unop2p.table.view import Stage, TableView


@pytest.fixture
def home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """Return the data folder of this test."""
    monkeypatch.setenv("UNOP2P_HOME", str(tmp_path))
    return tmp_path


def ended() -> TableView:
    """Return a match that seat 0 has won."""
    view = view_of("R1", top="R9")
    assert view.match is not None
    won = replace(
        view.match, totals=(500, 120), rounds_won=(4, 2), rounds_played=6, winners=(Seat(0),)
    )
    return replace(view, stage=Stage.OVER, match=won)


def table() -> Table:
    keys = (b"\x01" * 32, b"\x02" * 32)
    return cast("Table", SimpleNamespace(head=b"\xaa" * 32, keys=keys))


def test_a_match_that_has_ended_is_noted_once(home: Path) -> None:
    note(ended(), table(), "default")
    note(ended(), table(), "default")
    (kept,), damaged = Results(home, "default").read()
    assert damaged == 0
    assert (kept.table, kept.rounds, kept.own) == ("aa" * 32, 6, 0)
    assert [seat.name for seat in kept.seats] == ["ann", "ben"]
    assert (kept.mine.points, kept.mine.won, kept.mine.key) == (500, True, "01" * 32)


def test_nothing_is_noted_of_a_match_that_goes_on_or_was_only_watched(home: Path) -> None:
    assert result_of(replace(ended(), stage=Stage.PLAYING), table(), 1) is None
    assert result_of(replace(ended(), seat=None), table(), 1) is None
    note(ended(), None, "default")
    assert Results(home, "default").read() == ([], 0)


def test_stats_show_what_was_noted(home: Path) -> None:
    for name in ("a", "b"):
        Results(home, "work").add(result(name))
    done = CliRunner().invoke(app, ["stats", "--profile", "work"])
    assert done.exit_code == 0
    assert done.stdout.startswith("2 matches, 2 won (100 %)\n")
    assert "ben (bot) 02" in done.stdout
    last = CliRunner().invoke(app, ["stats", "--profile", "work", "--last", "1"])
    assert last.stdout.startswith("1 match, 1 won")


def test_stats_as_json_are_the_same(home: Path) -> None:
    Results(home, "default").add(result())
    found: dict[str, Any] = json.loads(CliRunner().invoke(app, ["stats", "--json"]).stdout)
    assert (found["matches"], found["won"], found["damaged"]) == (1, 1, 0)
    assert found["opponents"][0]["name"] == "ben"


def test_no_match_is_a_sentence_and_damage_is_said(home: Path) -> None:
    assert CliRunner().invoke(app, ["stats"]).stdout == "No match of this profile has ended yet.\n"
    Results(home, "default").path.write_text("nonsense\n")
    assert "1 line of the file is damaged" in CliRunner().invoke(app, ["stats"]).stdout


def test_a_number_of_matches_below_one_is_refused(home: Path) -> None:
    assert CliRunner().invoke(app, ["stats", "--last", "0"]).exit_code == 2
    assert CliRunner().invoke(app, ["stats", "--profile", "../up"]).exit_code == 2

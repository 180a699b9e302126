"""The options of `arena` and `train`, by the program itself."""

import json

import pytest
from typer.testing import CliRunner

from unop2p.cli.main import app

RUN = CliRunner()


def test_arena_plays_as_it_is_told() -> None:
    told = [
        "arena",
        "--bots",
        "greedy,random",
        "--games",
        "2",
        "--to",
        "30",
        "--jobs",
        "1",
        "--json",
    ]
    found = RUN.invoke(app, told)
    assert found.exit_code == 0, found.output
    held = json.loads(found.stdout)
    assert (held["games"], held["set"], held["duplicate"]) == (2, ["target=30"], True)


@pytest.mark.parametrize(
    "told",
    [
        ["arena"],
        ["arena", "--bots", "greedy,nobody"],
        ["arena", "--bots", "greedy,random", "--games", "3"],
        ["arena", "--bots", "greedy,random", "--games", "0"],
        ["train", "--level", "random"],
        ["train", "--seats", "1"],
    ],
)
def test_what_cannot_be_asked_for_ends_with_2(told: list[str]) -> None:
    assert RUN.invoke(app, told).exit_code == 2

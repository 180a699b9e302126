"""`unop2p lab`, run as typer runs it."""

import json

import pytest
from typer.testing import CliRunner

from unop2p.cli.lab_commands import THROUGH_EXIT_CODE
from unop2p.cli.main import app
from unop2p.sim.lab.defenses import DEFENSES
from unop2p.sim.lab.registry import CHEATS


def lab(*arguments: str) -> tuple[int, str, str]:
    result = CliRunner().invoke(app, ["lab", *arguments])
    return result.exit_code, result.stdout, result.stderr


def test_the_list_names_every_cheat_and_defense() -> None:
    code, shown, _ = lab("list")
    assert code == 0
    words = shown.split()
    assert all(name in words for name in (*CHEATS, *DEFENSES))


def test_the_list_as_json_says_what_stops_each_cheat() -> None:
    code, shown, _ = lab("list", "--json")
    assert code == 0
    listed = {cheat["name"]: cheat["stopped_by"] for cheat in json.loads(shown)["cheats"]}
    assert listed["forge-copies"] == ["fs-commitments"]


@pytest.mark.slow
def test_a_cheat_is_caught_and_the_answer_says_by_what() -> None:
    code, shown, _ = lab("run", "--peers", "3", "--cheat", "duplicate-card@2")
    assert code == 0
    assert "outcome  caught: the proof of a shuffle does not hold" in shown
    assert "caught   at step 2, at once" in shown
    assert "blamed   seat 2\n" in shown
    assert "evidence seat 2: statement `shuffled`" in shown


@pytest.mark.slow
def test_without_its_defense_the_cheat_gets_through_with_a_code_of_its_own() -> None:
    code, shown, _ = lab(
        "run",
        "--peers",
        "2",
        "--cheat",
        "duplicate-card@1",
        "--without",
        "shuffle-proofs",
        "--json",
    )
    assert code == THROUGH_EXIT_CODE
    report = json.loads(shown)
    assert report["outcome"] == "got through"
    assert report["bad"]
    assert "the deck has" in report["reason"]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--cheat", "duplicat-card@2"), "Did you mean `duplicate-card`"),
        (("--cheat", "duplicate-card"), "write it as duplicate-card@SEAT"),
        (("--cheat", "duplicate-card@4"), "a seat from 0 to 3"),
        (("--cheat", "duplicate-card@x"), "a seat from 0 to 3"),
        (("--cheat", "duplicate-card@1", "--cheat", "swap-cards@1"), "one cheat in a run"),
        (("--peers", "2", "--cheat", "swap-cards@0", "--cheat", "swap-cards@1"), "one honest"),
        (("--peers", "11"), "2 to 10 seats"),
        (("--deal", "none"), "no way to deal"),
        (("--without", "shuffle-proof"), "Did you mean `shuffle-proofs`"),
    ],
)
def test_what_cannot_be_asked_for_is_said_in_a_sentence(
    arguments: tuple[str, ...], said: str
) -> None:
    code, _, errors = lab("run", *arguments)
    assert code == 2
    assert said in errors

"""`unop2p lab`, run as typer runs it."""

import json
from pathlib import Path

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


LONG = "9" * 5000


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("cost", "--cards", LONG), "write numbers"),
        (("cost", "--peers", LONG), "write numbers"),
        (("run", "--cheat", f"duplicate-card@{LONG}"), "@SEAT"),
        (("run", "--cheat", "duplicate-card@\u0661"), "@SEAT"),
        (("run", "--deal", "commit-reveal", "--cheat", "old-proof-seat@2"), "does not apply"),
        (("run", "--cheat", "shared-key@2"), "takes two seats"),
        (("matrix", "--html", "."), "cannot be written"),
        (("cost", "--html", "no/such/folder.html"), "cannot be written"),
    ],
)
def test_what_cannot_be_done_is_said_before_any_work(words: tuple[str, ...], said: str) -> None:
    code, shown, error = lab(*words)
    assert (code, shown) == (2, "")
    assert said in error
    assert error.count("\n") == 1


def test_the_page_of_a_matrix_says_with_what_it_was_run(tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    words = ("--peers", "3", "--group", "toy", "--cheat", "key-without-proof", "--deal", "proved")
    code, _, _ = lab("matrix", *words, "--no-teeth", "--seed", "11", "--html", str(page))
    assert code == 0
    text = page.read_text(encoding="utf-8")
    assert "3 peers, seed 11, 1 seeds each, group toy, all defenses on" in text
    assert "A whole deal is of 112 cards." in text

"""`unop2p bot check`: what it prints, and its exit code."""

import json
import shutil
import tomllib
from pathlib import Path
from typing import Any

import pytest

from tests.edge.bot_support import install_plugin, script
from tests.edge.test_bad_input import STUBBORN, STURDY
from unop2p.bots.conformance import Conformance
from unop2p.bots.levels import UnknownBotError
from unop2p.cli.bot_check_commands import CheckRequest, as_dict, lines, run_check
from unop2p.edge.plugins import PluginError
from unop2p.edge.program import can_run
from unop2p.edge.roster import BotProgramError

EXAMPLES = Path(__file__).parents[2] / "examples"
posix = pytest.mark.skipif(not can_run(), reason="programs are bots on POSIX systems only")


@pytest.fixture(autouse=True)
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    """Fewer positions: tests/bots/test_conformance.py looks at all of them."""
    monkeypatch.setattr("unop2p.bots.conformance.SEATS", (2,))
    monkeypatch.setattr("unop2p.bots.conformance.LONGEST", 25)
    monkeypatch.setattr("unop2p.bots.conformance.COLOR_DEALS", 1)


def check(capsys: pytest.CaptureFixture[str], bot: str, **changes: Any) -> tuple[int, Any]:
    request = CheckRequest(bot=bot, **({"each": 1, "answer_ms": 20_000, "seed": 1} | changes))
    code = run_check(request, as_json=True)
    return code, json.loads(capsys.readouterr().out)


@posix
@pytest.mark.slow
def test_a_good_program_conforms(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    code, told = check(capsys, script(tmp_path, STURDY))
    assert (code, told["conforms"], told["format"]) == (0, True, "unop2p-bot-check-1")
    assert told["decisions"] == told["lawful"] > 10
    assert [item["fine"] for item in told["input"]] == [True] * 4


@posix
@pytest.mark.slow
def test_a_program_that_must_be_killed_does_not(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    path = script(tmp_path, STUBBORN)
    request = CheckRequest(bot=path, each=1, answer_ms=20_000, seed=1)
    assert run_check(request, as_json=False) == 1
    out = capsys.readouterr().out
    assert "bears the end of its input: no. It had to be killed." in out
    assert out.splitlines()[-1] == f"{path} does not do as a bot should."


@posix
def test_a_program_that_breaks_does_not(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    code, told = check(capsys, script(tmp_path, "sys.exit('oh dear')"))
    assert (code, told["conforms"], told["lawful"]) == (1, False, 0)
    assert told["input"] == []
    assert "code 1: oh dear" in told["faults"][0]["sentence"]


def test_without_a_lawful_answer_there_is_no_time_for_a_move() -> None:
    asked = CheckRequest(bot="mine", each=1, answer_ms=1_000, seed=1)
    silent, quick = Conformance(), Conformance(times_us=[2_000])
    assert not any("median" in line for line in lines(asked, silent, ()))
    assert any("median 2.00 ms" in line for line in lines(asked, quick, ()))
    told = as_dict(asked, silent, ())
    assert (told["median_us"], told["p99_us"]) == (None, None)


def test_weights_conform(capsys: pytest.CaptureFixture[str]) -> None:
    code, told = check(capsys, "weights:linear-two")
    assert (code, told["conforms"]) == (0, True)


@pytest.mark.slow
def test_a_plugin_and_a_level_conform(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    install_plugin(tmp_path, monkeypatch, {"mine": "own_bot_of_test:Mine"})
    for name in ("mine", "greedy"):
        code, told = check(capsys, name)
        assert (code, told["conforms"]) == (0, True), told
    monkeypatch.setattr("sys.modules", {**__import__("sys").modules})
    install_plugin(
        tmp_path / "b", monkeypatch, {"broken": "broken_bot:Mine"}, "x = 1 / 0", "broken_bot"
    )
    with pytest.raises(PluginError, match="ZeroDivisionError"):
        check(capsys, "broken")


@posix
@pytest.mark.slow
def test_the_examples_conform(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    project = tomllib.loads((EXAMPLES / "bot_plugin" / "pyproject.toml").read_text("utf-8"))
    points = project["project"]["entry-points"]["unop2p.bots"]
    source = (EXAMPLES / "bot_plugin" / "frugal_bot.py").read_text("utf-8")
    install_plugin(tmp_path, monkeypatch, points, source, "frugal_bot")
    bots = [*points, *([str(EXAMPLES / "mybot.pl")] if shutil.which("perl") else [])]
    for bot in bots:
        code, told = check(capsys, bot)
        assert (code, told["conforms"]) == (0, True), told
        assert all(item["fine"] for item in told["input"])


def test_what_is_not_there_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(UnknownBotError):
        check(capsys, "genius")
    with pytest.raises(BotProgramError):
        check(capsys, "./genius")

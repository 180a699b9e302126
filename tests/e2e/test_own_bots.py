"""Bots of one's own at a table over a real broker, good and bad."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.edge.bot_support import install_plugin, script
from unop2p.edge.program import can_run


def match_with(folder: Path, bot: str, **more: str) -> "subprocess.CompletedProcess[str]":
    """Play a round of two such bots over a broker, as a user does who has nothing else."""
    return subprocess.run(
        [
            str(Path(sys.executable).with_name("unop2p")),
            *("match", "--bots", "2", "--bot", bot, "--rounds", "1", "--json"),
        ],
        capture_output=True,
        text=True,
        check=False,
        timeout=150,
        env={**os.environ, "UNOP2P_HOME": str(folder / "home"), **more},
    )


@pytest.mark.slow
@pytest.mark.broker
@pytest.mark.skipif(not can_run(), reason="programs are bots on POSIX systems only")
@pytest.mark.parametrize(
    "body", ["while True: first(asked())", "asked(); print('what?'); sys.exit(1)"]
)
def test_a_round_is_played_to_its_end_whatever_the_program_does(tmp_path: Path, body: str) -> None:
    path = script(tmp_path, f"open({str(tmp_path / 'asked')!r}, 'a').write('x')\n{body}")
    done = match_with(tmp_path, path)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["rounds"] == 1
    assert (tmp_path / "asked").read_text()


NOTING = """
class Mine:
    def choose(self, view, legal, rng):
        with open({noted!r}, "a") as file:
            file.write("x")
        return None if str(view.round.due).startswith("Reaction") else legal[0]
"""


@pytest.mark.slow
@pytest.mark.broker
def test_a_plugin_plays_a_round_by_its_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    brought, noted = tmp_path / "brought", tmp_path / "noted"
    source = NOTING.format(noted=str(noted))
    install_plugin(brought, monkeypatch, {"mine": "own_bot_of_test:Mine"}, source)
    done = match_with(tmp_path, "mine", PYTHONPATH=str(brought))
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert (told["rounds"], told["late_moves"]) == (1, 0)
    assert len(noted.read_text()) > 10
    missing = match_with(tmp_path, "nobody", PYTHONPATH=str(brought))
    assert missing.returncode == 2
    assert "mine" in missing.stderr


@pytest.mark.slow
@pytest.mark.broker
def test_weights_play_a_round_by_their_name(tmp_path: Path) -> None:
    done = match_with(tmp_path, "weights:linear-two")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["late_moves"] == 0

"""Bots of one's own at a table over a real broker, good and bad."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.edge.bot_support import script
from unop2p.edge.program import can_run


@pytest.mark.slow
@pytest.mark.broker
@pytest.mark.skipif(not can_run(), reason="programs are bots on POSIX systems only")
@pytest.mark.parametrize(
    "body", ["while True: first(asked())", "asked(); print('what?'); sys.exit(1)"]
)
def test_a_round_is_played_to_its_end_whatever_the_program_does(tmp_path: Path, body: str) -> None:
    path = script(tmp_path, f"open({str(tmp_path / 'asked')!r}, 'a').write('x')\n{body}")
    done = subprocess.run(
        [
            str(Path(sys.executable).with_name("unop2p")),
            "match",
            "--bots",
            "2",
            "--bot",
            path,
            "--rounds",
            "1",
            "--json",
        ],
        capture_output=True,
        text=True,
        check=False,
        timeout=150,
        env={**os.environ, "UNOP2P_HOME": str(tmp_path / "home")},
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["rounds"] == 1
    assert (tmp_path / "asked").read_text()

"""The process that plays the tables of a load: what it takes, and that it ends with its input."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.support import environment
from unop2p.cli.load_worker import plan_of
from unop2p.errors import Unop2pError

ORDER: dict[str, Any] = {
    "do": "open",
    "tables": 1,
    "every_s": 0.1,
    "urls": [["mqtt://127.0.0.1:9"], ["mqtt://127.0.0.1:9", "mqtt://ann:geheim@127.0.0.1:10"]],
    "seats": 2,
    "level": "greedy",
    "pace": "fast",
    "rules": "official",
    "set": ["target=5000"],
    "deal": "proved",
    "resilience": None,
    "shared": True,
    "journals": "",
    "ca_file": "",
    "password_file": "",
    "mqtt5": False,
}


def test_an_order_is_read() -> None:
    plan = plan_of(ORDER)
    assert [[url.port for url in urls] for urls in plan.urls] == [[9], [9, 10]]
    assert plan.urls[1][1].password == "geheim"
    assert plan.offer().seats_wanted == 2
    assert plan.offer().rules["target"] == 5000
    assert plan.offer().table != plan.offer().table
    assert plan.journals is None


@pytest.mark.parametrize("wrong", [{"level": "genius"}, {"pace": "slow"}, {"rules": "martian"}])
def test_a_wrong_order_is_refused(wrong: dict[str, object]) -> None:
    with pytest.raises(Unop2pError):
        plan = plan_of({**ORDER, **wrong})
        plan.bot()


@pytest.mark.slow
def test_the_process_ends_with_its_input_and_tells_what_is_wrong(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "unop2p.cli.load_worker"]

    def told(text: str) -> tuple[int, list[dict[str, Any]]]:
        done = subprocess.run(
            command,
            input=text,
            capture_output=True,
            text=True,
            timeout=60,
            env=environment(tmp_path),
            check=False,
        )
        assert done.stderr == ""
        return done.returncode, [json.loads(line) for line in done.stdout.splitlines()]

    assert told("") == (0, [])
    code, lines = told(json.dumps({**ORDER, "rules": "martian"}) + "\n")
    assert (code, lines[0]["event"], lines[0]["code"]) == (1, "failed", 2)
    assert "martian" in lines[0]["text"]

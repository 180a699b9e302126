"""How programs take what they do not know."""

from pathlib import Path
from random import Random

import pytest

from tests.edge.bot_support import script
from unop2p.bots.conformance import positions
from unop2p.edge.bad_input import REQUIRED, try_bad_input
from unop2p.edge.program import can_run
from unop2p.edge.program_bot import Limits, ProgramBot

pytestmark = pytest.mark.skipif(not can_run(), reason="programs are bots on POSIX systems only")
STURDY = """
for line in sys.stdin:
    try: message = json.loads(line)
    except ValueError: continue
    if message["type"] == "hello": say(type="ready", protocol=1)
    elif message["type"] == "act": first(message)
    elif message["type"] == "bye": break
"""
STRICT = STURDY.replace('    elif message["type"] == "bye": break', '    else: sys.exit("what?")')
STUBBORN = STURDY + "time.sleep(60)\n"


def borne(folder: Path, body: str) -> dict[str, bool]:
    path = script(folder, body)
    limits = Limits(ready_ms=20_000, answer_ms=20_000)
    asked = next(positions(1, 1, Random))
    found = try_bad_input(lambda: ProgramBot("mine", [path], limits=limits, starts_max=1), asked)
    assert {item.what for item in found if item.required} == REQUIRED
    return {item.what: item.fine for item in found}


def test_a_sturdy_one_bears_everything(tmp_path: Path) -> None:
    assert all(borne(tmp_path, STURDY).values())


def test_one_that_wants_only_what_it_knows_does_not_bear_a_later_protocol(tmp_path: Path) -> None:
    found = borne(tmp_path, STRICT)
    assert not found["unknown_type"]
    assert found["no_json"]


def test_one_that_stays_when_told_to_go_is_found_out(tmp_path: Path) -> None:
    assert not borne(tmp_path, STUBBORN)["end_of_input"]

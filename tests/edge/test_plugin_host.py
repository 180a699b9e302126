"""A plug-in in a program of its own."""

import io
import json
from pathlib import Path
from random import Random

import pytest

from tests.bots.support import decisions
from tests.edge.bot_support import GOOD, install_plugin
from unop2p.bots.guard import GuardedBot
from unop2p.bots.messages import act_line, bye_line, hello_line
from unop2p.bots.scripted import ScriptedBot
from unop2p.bots.simple import GreedyBot
from unop2p.edge.plugin_host import serve
from unop2p.edge.program import can_run
from unop2p.edge.program_bot import Limits, ProgramBot
from unop2p.edge.roster import apart_bot
from unop2p.rules.options import PRESETS

CALM = Limits(ready_ms=60_000, answer_ms=60_000)
PRINTS = GOOD.replace(
    "        if isinstance", "        print('thinking aloud')\n        if isinstance"
)
HANGS = GOOD.replace("        if isinstance", "        while True: pass\n        if isinstance")


@pytest.mark.parametrize("rules", sorted(PRESETS))
def test_what_is_asked_through_lines_is_what_is_asked_directly(rules: str) -> None:
    bot, seen = GuardedBot(GreedyBot(), "mine"), list(decisions(PRESETS[rules], 3, Random(5), 60))
    lines = [hello_line(PRESETS[rules], 1000)]
    lines += [act_line(n, view, legal, n) for n, (_, view, legal) in enumerate(seen)]
    out = io.StringIO()
    serve(bot, io.StringIO(b"".join([*lines, bye_line()]).decode()), out)
    ready, *answers = [json.loads(line) for line in out.getvalue().splitlines()]
    assert ready == {"type": "ready", "protocol": 1, "name": "mine"}
    for n, ((_, view, legal), answer) in enumerate(zip(seen, answers, strict=True)):
        move = bot.choose(view, legal, Random(n))
        told = json.loads(lines[n + 1])["legal"]
        text = None if move is None else told[legal.index(move)]["move"]
        assert answer == {"type": "move", "id": n, "move": text}


def test_a_failure_is_told() -> None:
    def fails(*_: object) -> None:
        raise ValueError("no idea")

    ((_, view, legal),) = list(decisions(PRESETS["official"], 2, Random(1), 1))
    out = io.StringIO()
    told = hello_line(PRESETS["official"], 1) + act_line(4, view, legal, 1)
    serve(GuardedBot(ScriptedBot(fails), "mine"), io.StringIO(told.decode()), out)
    answer = json.loads(out.getvalue().splitlines()[1])
    assert (answer["type"], answer["id"]) == ("failed", 4)
    assert "no idea" in answer["error"]


@pytest.mark.slow
@pytest.mark.skipif(not can_run(), reason="programs are bots on POSIX systems only")
def test_a_plugin_plays_in_a_program_of_its_own_whatever_it_prints(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    install_plugin(tmp_path, monkeypatch, {"mine": "own_bot_of_test:Mine"}, PRINTS)
    bot = apart_bot("mine", CALM)
    assert isinstance(bot, ProgramBot)
    for _, view, legal in decisions(PRESETS["romanian"], 3, Random(5), 30):
        seed = Random(9).randrange(1 << 31)
        move = bot.choose(view, legal, Random(9))
        assert move is None or move == legal[Random(seed).randrange(len(legal))]
    assert "thinking aloud" in bot.complaint
    bot.close()


@pytest.mark.slow
@pytest.mark.skipif(not can_run(), reason="programs are bots on POSIX systems only")
def test_a_plugin_that_never_returns_is_ended(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    install_plugin(tmp_path, monkeypatch, {"mine": "own_bot_of_test:Mine"}, HANGS)
    bot = apart_bot("mine", Limits(ready_ms=60_000, answer_ms=100))
    ((_, view, legal),) = list(decisions(PRESETS["official"], 2, Random(1), 1))
    with pytest.raises(Exception, match="nothing for 100 ms"):
        bot.choose(view, legal, Random(1))
    bot.close()  # type: ignore[attr-defined]

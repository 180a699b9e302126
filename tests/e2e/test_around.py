"""What is around the game, with the real program in a pseudo-terminal: keys, menu, replay, history."""

import json
import re
import sys
from pathlib import Path

import pytest

if sys.platform == "win32":
    pytest.skip(
        "Windows has no pseudo-terminals that pexpect can open; the screen is tested on values there",
        allow_module_level=True,
    )

from tests.e2e.support import run
from tests.e2e.terminal import Terminal
from tests.wire.records import proved

pytestmark = [pytest.mark.slow, pytest.mark.timeout(300)]

F4, DOWN, UP, RIGHT, LEFT, END = "\x1bOS", "\x1b[B", "\x1b[A", "\x1b[C", "\x1b[D", "\x1b[F"
ME = "mia"


def seen(terminal: Terminal, text: str) -> bool:
    return any(text in line for line in terminal.shown())


@pytest.mark.broker
def test_keys_act_in_the_middle_of_a_line_and_the_menu_plays(tmp_path: Path) -> None:
    words = ("play", "--name", ME, "--fast", "--bots", "1", "--turn-time", "600", "--to", "1")
    terminal = Terminal(tmp_path, *words, columns=60, rows=18)
    try:
        terminal.wait(lambda: "your move>" in (terminal.prompt() or ("",))[0], "our turn")
        terminal.keys("say hel" + F4)
        terminal.wait(lambda: terminal.sees("There is nothing to jump in with."), "the answer")
        terminal.wait(lambda: terminal.typed() == "say hel", "the half line")
        terminal.keys("lo\r")
        terminal.wait(lambda: terminal.sees(f"<{ME}> hello"), "the chat")
        terminal.keys("undo\r")
        terminal.wait(lambda: terminal.sees("There is no undo"), "that there is none")
        terminal.wait(lambda: terminal.typed() == "", "an empty line")
        terminal.keys(DOWN)
        terminal.wait(lambda: terminal.typed() not in ("", None), "the first of the moves")
        move = terminal.typed()
        terminal.keys("\x15" + UP)
        terminal.wait(lambda: terminal.typed() == "undo", "what was typed before")
        terminal.keys("\x15\x03")
        terminal.wait(lambda: seen(terminal, "Leave the table?"), "the question")
        terminal.keys("y\r")
        assert terminal.end() == 3
        assert move
        titles = re.findall(rb"\x1b\]2;(.*?)\x07", terminal.raw)
        assert b"unop2p: your move" in titles
        assert b"\x07" in re.sub(rb"\x1b\].*?\x07", b"", terminal.raw)
    finally:
        terminal.close()
    history = (tmp_path / "history" / "default.txt").read_text().splitlines()
    assert history == ["say hello", "undo"]


@pytest.mark.broker
def test_neither_bell_nor_title_where_they_are_off(tmp_path: Path) -> None:
    (tmp_path / "config.toml").write_text("title = false\nbots = 1\nturn_time = 600\n")
    terminal = Terminal(tmp_path, "play", "--fast", "--no-bell", UNOP2P_NAME=ME)
    try:
        terminal.wait(lambda: "your move>" in (terminal.prompt() or ("",))[0], "our turn")
        terminal.wait(lambda: seen(terminal, f"{ME} (you)"), "the name")
        terminal.keys("\x03")
        terminal.wait(lambda: seen(terminal, "Leave the table?"), "the question")
        terminal.keys("\x03")
        assert terminal.end() == 3
        assert b"\x07" not in terminal.raw
    finally:
        terminal.close()


@pytest.mark.parametrize(("columns", "rows"), [(60, 18), (200, 50)])
def test_a_record_is_stepped_through(tmp_path: Path, columns: int, rows: int) -> None:
    record = tmp_path / "match.jsonl"
    record.write_bytes(b"".join(proved()))
    words = ("replay", str(record), "--as", "p0")
    terminal = Terminal(tmp_path, *words, columns=columns, rows=rows)
    try:
        terminal.wait(lambda: seen(terminal, "step 0 of"), "the beginning")
        terminal.keys(RIGHT * 5)
        terminal.wait(lambda: seen(terminal, "hand  1:"), "the own hand")
        step = next(line for line in terminal.shown() if line.startswith("step "))
        terminal.keys(RIGHT + LEFT)
        terminal.wait(lambda: seen(terminal, step.partition(" |")[0]), "the same step")
        terminal.resize(rows + 2, columns - 5)
        terminal.keys("o")
        terminal.wait(lambda: any(line.startswith("  p1  ") for line in terminal.shown()), "p1")
        terminal.keys(END)
        terminal.wait(lambda: seen(terminal, "The match is over"), "the end")
        terminal.keys("q")
        assert terminal.end() == 0
    finally:
        terminal.close()


@pytest.mark.broker
def test_a_match_that_has_ended_is_in_the_statistics_once(tmp_path: Path) -> None:
    words = ("host", "--bot", "greedy", "--seats", "2", "--to", "1", "--address", "127.0.0.1")
    host = Terminal(tmp_path / "host", *words, "--name", "ann", columns=100)
    try:
        host.wait(lambda: any("@mqtt://" in line for line in host.shown()), "the ticket")
        ticket = next(line.strip() for line in host.shown() if "@mqtt://" in line)
        done = run(tmp_path / "bot", "bot", ticket, "--name", "ben", timeout=200)
        assert done.returncode == 0
        assert host.end() == 0
    finally:
        host.close()
    told = json.loads(run(tmp_path / "host", "stats", "--json").stdout)
    other = json.loads(run(tmp_path / "bot", "stats", "--profile", "bot", "--json").stdout)
    assert (told["matches"], other["matches"]) == (1, 1)
    assert told["won"] + other["won"] == 1
    assert [one["name"] for one in told["opponents"]] == ["ben"]

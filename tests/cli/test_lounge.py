"""`host --public` and `tables --broker`: tables are announced, and found."""

import json
import shlex
import time
from pathlib import Path

import pytest

from tests.e2e.support import end, run, start
from tests.edge.support import free_port, mosquitto
from unop2p.cli.lounge import _list, described
from unop2p.peer.lounge import OpenTable
from unop2p.rules.options import options_to_dict, preset
from unop2p.table.genesis import Offer, Timers


def test_an_announced_table_is_shown_with_its_ticket_and_its_rules() -> None:
    offer = Offer(
        table=bytes(16),
        version=1,
        rules=options_to_dict(preset("greek")),
        timers=Timers(),
        seats_wanted=4,
        argument="proved",
        resilience=0,
    )
    table = OpenTable(key=bytes(32), host="ann", offer=offer, secret=bytes(9), taken=1, heard_ms=0)
    shown = described(table, "mqtt://h:1883")
    assert (shown["host"], shown["taken"], shown["seats"]) == ("ann", 1, 4)
    assert shown["rules"] == "greek"
    assert str(shown["ticket"]).endswith("@mqtt://h:1883")
    both = described(table, "mqtt://h:1883", "mqtt://i:1883")
    assert str(both["ticket"]).endswith("@mqtt://h:1883,mqtt://i:1883")


def test_what_strangers_wrote_cannot_be_pasted_as_more_than_a_ticket(
    capsys: pytest.CaptureFixture[str],
) -> None:
    hostile = {
        "host": "x",
        "taken": 1,
        "seats": 2,
        "rules": "official",
        "ticket": "unop2p:x@mqtt://h'; touch y; '\x1b[2J\u202e",
    }
    _list([hostile], "")
    line = capsys.readouterr().out.splitlines()[1]
    assert shlex.split(line)[:2] == ["unop2p", "join"]
    assert len(shlex.split(line)) == 3
    assert line.isprintable()


@pytest.mark.broker
@pytest.mark.slow
def test_a_public_table_is_found_and_one_that_is_not_public_is_not(tmp_path: Path) -> None:
    port = free_port()
    url = f"mqtt://127.0.0.1:{port}"
    looking = ("tables", "--broker", url, "--json")
    with (
        mosquitto(tmp_path, "allow_anonymous true", port),
        (tmp_path / "a.txt").open("wb") as one,
        (tmp_path / "b.txt").open("wb") as other,
    ):
        words = ("host", "--broker", url, "--bot", "greedy", "--seats", "3", "--name")
        programs = [
            start(tmp_path / "a", *words, "ann", "--public", out=one),
            start(tmp_path / "b", *words, "ben", out=other),
        ]
        try:
            deadline = time.monotonic() + 90
            found: list[dict[str, object]] = []
            while not found and time.monotonic() < deadline:
                done = run(tmp_path / "c", *looking)
                assert done.returncode == 0, done.stderr
                found = json.loads(done.stdout)["announced"]
            assert [table["host"] for table in found] == ["ann"]
            assert str(found[0]["ticket"]) in (tmp_path / "a.txt").read_text()
            hidden = json.loads(run(tmp_path / "c", *looking, "--lounge", "other").stdout)
            assert hidden["announced"] == []
            shown = run(tmp_path / "c", *looking[:-1]).stdout
            assert "ann: 1 of 3 seats taken, rules official" in shown
        finally:
            end(*programs)

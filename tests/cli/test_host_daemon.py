"""`unop2p host --daemon`: what it refuses, and that it hosts, is found, and ends as a service does."""

import json
import signal
import time
import urllib.request
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.support import end, run, start
from tests.edge.support import free_port, mosquitto
from unop2p.bots.pace import PaceError
from unop2p.cli.common import UsageError
from unop2p.cli.host_daemon import config_of, hosting

OPTIONS: dict[str, Any] = {
    "seats": 3,
    "name": "ann",
    "profile": "default",
    "rules": "official",
    "set_": ["target=200"],
    "to": None,
    "deal": "proved",
    "broker": ["mqtt://127.0.0.1:9"],
    "embedded": "auto",
    "port": 0,
    "address": None,
    "turn_time": 30.0,
    "resilience": None,
    "ca_file": None,
    "cert": None,
    "key": None,
    "password_file": None,
    "mqtt5": False,
    "bot": None,
    "allow_bots": "none",
    "public": True,
    "lounge": "friday",
    "lounge_password_file": Path("/secret"),
    "pace": None,
    "daemon": True,
    "json_": False,
    "metrics": 0,
}


def test_options_are_what_a_bots_file_would_say() -> None:
    config = config_of(OPTIONS, ("mqtt://127.0.0.1:9",))
    assert (config.host.seats, config.host.set, config.host.allow_bots) == (
        3,
        ["target=200"],
        "none",
    )
    assert (config.lounge.name, config.lounge.password_file) == ("friday", "/secret")
    assert (config.seat[0].name, config.seat[0].level) == ("ann", "greedy")
    assert config.records == ""
    assert config.host.resilience == -1, "as many as is usual"
    assert config_of(OPTIONS | {"resilience": 0}, ("mqtt://127.0.0.1:9",)).host.resilience == 0


@pytest.mark.parametrize(
    "wrong",
    [
        {"turn_time": 0.0},
        {"resilience": -2},
        {"resilience": 5},
        {"metrics": -1},
        {"metrics": 65_536},
    ],
)
def test_a_wrong_value_is_named(wrong: dict[str, Any]) -> None:
    with pytest.raises(UsageError, match="host --daemon`, [a-z]+[.][a-z_]+: input should be"):
        config_of(OPTIONS | wrong, ("mqtt://127.0.0.1:9",))


@pytest.mark.parametrize("seats", [-1, 0, 1, 11])
def test_a_number_of_seats_without_a_game_is_refused_as_by_other_hosts(seats: int) -> None:
    with pytest.raises(UsageError, match=f"UNO is for 2 to 10 seats, not {seats}"):
        config_of(OPTIONS | {"seats": seats}, ("mqtt://127.0.0.1:9",))


@pytest.mark.parametrize("pace", ["slow", "-1", "9" * 30])
def test_a_pace_that_is_none_is_refused_in_plain_words(pace: str) -> None:
    with pytest.raises(PaceError, match="human, fast, or milliseconds"):
        config_of(OPTIONS | {"pace": pace}, ("mqtt://127.0.0.1:9",))


def test_without_a_lounge_nobody_would_find_the_tables() -> None:
    with pytest.raises(UsageError, match="--public"):
        hosting(OPTIONS | {"public": False}, frozenset())


def test_lines_and_figures_are_of_no_use_to_who_looks_at_a_screen() -> None:
    with pytest.raises(UsageError, match="--daemon"):
        hosting(OPTIONS | {"daemon": False, "json_": True}, frozenset())


@pytest.mark.broker
@pytest.mark.slow
def test_a_table_that_it_hosts_is_found_and_a_signal_ends_it_in_good_order(tmp_path: Path) -> None:
    port, figures = free_port(), free_port()
    url = f"mqtt://127.0.0.1:{port}"
    where = ("--public", "--lounge", "friday", "--broker", url)
    words = (*where, "--seats", "3", "--name", "ann", "--json", "--metrics", str(figures))
    with mosquitto(tmp_path, "allow_anonymous true", port), (tmp_path / "out").open("wb") as out:
        program = start(tmp_path / "home", "host", "--daemon", *words, out=out)
        try:
            deadline = time.monotonic() + 60
            found = ""
            while "ann" not in found:
                assert time.monotonic() < deadline, (tmp_path / "out").read_text()
                listed = run(tmp_path / "guest", "tables", "--broker", url, "--lounge", "friday")
                found = listed.stdout
            with urllib.request.urlopen(f"http://127.0.0.1:{figures}/metrics", timeout=10) as page:
                assert "unop2p_tables" in page.read().decode()
            program.send_signal(signal.SIGHUP)
            program.send_signal(signal.SIGTERM)
            assert program.wait(30) == 0
        finally:
            end(program)
    told = (tmp_path / "out").read_text()
    events = [json.loads(line)["event"] for line in told.splitlines()]
    assert "sits" in events
    assert events[-1] == "ended"
    assert "unop2p:" not in told, "no ticket is told"

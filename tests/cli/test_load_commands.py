"""`unop2p load`: what is refused, how figures come about, and that it runs, ends and leaves nobody behind."""

import json
import os
import signal
import subprocess
import time
from collections.abc import Iterator
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.support import PROGRAM, environment, run
from tests.edge.support import free_port, mosquitto
from unop2p.cli import load_commands
from unop2p.cli.common import UsageError
from unop2p.cli.load_commands import LoadRequest, check, read_sizes, summary, table
from unop2p.edge.histogram import Histogram
from unop2p.errors import Unop2pError

REQUEST = LoadRequest(
    brokers=("mqtt://a", "mqtt://b", "mqtt://c"),
    spread=2,
    tables=(1,),
    seconds=5,
    patience_s=60,
    processes=2,
    seats=4,
    level="greedy",
    pace="fast",
    rules="official",
    overrides=(),
    deal="proved",
    resilience=None,
    shared=False,
    journals=None,
    broker_pids=(),
    ca_file=None,
    password_file=None,
    mqtt5=False,
)


@pytest.mark.parametrize("text", ["", "x", "1,,2", "0", "-1", "1.5", "999999999", "2001"])
def test_a_wrong_number_of_tables_is_refused(text: str) -> None:
    with pytest.raises(UsageError):
        read_sizes(text)


@pytest.mark.parametrize(
    "wrong",
    [
        {"processes": 0},
        {"processes": 65},
        {"seconds": 0},
        {"seconds": float("nan")},
        {"patience_s": -1},
        {"spread": 4},
        {"seats": 1},
        {"level": "genius"},
        {"pace": "slow"},
        {"rules": "martian"},
        {"overrides": ("target",)},
        {"deal": "nowhere:Nothing"},
        {"brokers": ("ftp://a", "b", "c")},
    ],
)
def test_a_wrong_option_is_refused_before_anything_is_done(wrong: dict[str, Any]) -> None:
    assert [url.host for url in check(REQUEST)] == ["a", "b", "c"]
    with pytest.raises(Unop2pError) as caught:
        check(replace(REQUEST, **wrong))
    assert caught.value.exit_code == 2


def test_each_seat_uses_as_many_brokers_as_asked_for_and_all_are_used() -> None:
    a, b, c = REQUEST.brokers
    assert REQUEST.urls() == [[a, b], [b, c], [c, a]]
    assert replace(REQUEST, spread=0).urls() == [[a, b, c], [b, c, a], [c, a, b]]


def counted(**more: float) -> dict[str, Any]:
    times = Histogram()
    times.add(0.1)
    names = (
        "steps published sent_bytes cpu_s check_cpu_s make_cpu_s prepare_cpu_s checks makes rss_bytes resent "
        "asked mended lost dropped reconnects stalled longest_gap_s"
    )
    figures = dict.fromkeys(names.split(), 1.0) | more
    return {
        "event": "counted",
        **figures,
        "step_s": asdict(times),
        "deal_s": asdict(times),
        "round_trip_s": asdict(times),
    }


def test_what_processes_have_counted_is_added_up_and_set_against_the_time() -> None:
    found = summary([counted(steps=30, longest_gap_s=4), counted(steps=10, cpu_s=3)], 4.0, 2.0)
    assert (found["steps"], found["steps_per_s"]) == (40, 10.0)
    assert (found["broker_cores"], found["peer_cores"], found["proof_cores"]) == (0.5, 1.0, 1.5)
    assert (found["broker_ms_per_step"], found["peer_ms_per_step"]) == (50.0, 100.0)
    assert (found["lost"], found["longest_gap_s"]) == (2, 4)
    step_ms = found["step_ms"]
    assert isinstance(step_ms, dict)
    assert 100 <= step_ms["p50"] <= 111
    unknown = summary([counted(steps=0)], 4.0, None)
    assert (unknown["broker_cores"], unknown["peer_ms_per_step"]) == (None, None)


def test_the_table_has_a_line_for_each_size() -> None:
    size = {"opened": 3, **summary([counted()], 4.0, None)}
    lines = table({"sizes": [size, size]})
    assert len(lines) == 3
    assert len(set(map(len, lines))) == 1
    assert lines[0].split()[0] == "tables"


@pytest.fixture
def port(tmp_path: Path) -> Iterator[int]:
    number = free_port()
    with mosquitto(tmp_path, "allow_anonymous true", number):
        yield number


FEW = ("--seats", "2", "--deal", "commit-reveal", "--seconds", "2", "--processes", "2")


@pytest.mark.broker
@pytest.mark.slow
def test_the_program_measures_one_size_after_the_other(tmp_path: Path, port: int) -> None:
    url = f"mqtt://127.0.0.1:{port}"
    done = run(tmp_path, "load", "--broker", url, "--tables", "1,2", *FEW, "--json", timeout=120)
    assert (done.returncode, done.stderr) == (0, "")
    found = json.loads(done.stdout)
    assert len(found["broker_pids"]) == 1
    assert [size["opened"] for size in found["sizes"]] == [1, 2]
    for size in found["sizes"]:
        assert size["steps"] > 0
        assert (size["lost"], size["reconnects"]) == (0, 0)
        assert size["round_trip_ms"]["p50"] <= size["round_trip_ms"]["p99"]
        assert size["broker_cores"] is not None


async def test_what_keeps_a_table_from_beginning_is_said(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    size = summary([counted()], 4.0, None) | {"tables": 2, "opened": 1, "failure": "No more."}

    async def run_load(*_: object) -> dict[str, object]:
        return {"sizes": [size]}

    monkeypatch.setattr(load_commands, "run_load", run_load)
    assert await load_commands.load(REQUEST, as_json=False) == 0
    told = capsys.readouterr()
    wanted = f"Not all tables have begun within {REQUEST.patience_s:g} s: 1 of 2. No more."
    assert told.err == f"unop2p: {wanted}\n"
    assert len(told.out.splitlines()) == 2


@pytest.mark.slow
def test_where_no_table_can_begin_it_is_said_why(tmp_path: Path, port: int) -> None:
    gone = f"mqtt://127.0.0.1:{free_port()}"
    both = ("--broker", f"mqtt://127.0.0.1:{port}", "--broker", gone)
    done = run(tmp_path, "load", *both, "--tables", "1", *FEW)
    assert done.returncode == 10
    assert gone in done.stderr


@pytest.mark.slow
def test_a_broker_that_is_not_there_is_said_in_one_sentence(tmp_path: Path) -> None:
    done = run(tmp_path, "load", "--broker", f"mqtt://127.0.0.1:{free_port()}", *FEW)
    assert done.returncode == 10
    assert (done.stdout, done.stderr.count("\n")) == ("", 1)


@pytest.mark.broker
@pytest.mark.slow
@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_it_can_be_broken_off_and_leaves_no_process_behind(
    tmp_path: Path, port: int, number: signal.Signals, code: int
) -> None:
    words = ["load", "--broker", f"mqtt://127.0.0.1:{port}", *FEW, "--seconds", "600"]
    with subprocess.Popen(
        [*PROGRAM, *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment(tmp_path),
        start_new_session=True,
    ) as program:
        children = Path(f"/proc/{program.pid}/task/{program.pid}/children")
        deadline = time.monotonic() + 60
        while not (below := children.read_text().split()):
            assert time.monotonic() < deadline
            time.sleep(0.05)
        time.sleep(0.5)
        os.killpg(program.pid, number)  # as a terminal does, to all of its group
        out, err = program.communicate(timeout=60)
    assert program.returncode == code, err
    assert out == b""
    assert b"Traceback" not in err
    assert not any(Path(f"/proc/{pid}").exists() for pid in below)

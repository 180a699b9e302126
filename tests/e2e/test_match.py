"""Whole matches: in one process on every broker, and in processes of their own."""

import json
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.e2e.support import audit, end, run, start
from tests.edge.support import free_port, mosquitto, mosquitto_or_skip
from unop2p.wire.ticket import new_ticket

pytestmark = [pytest.mark.slow, pytest.mark.broker]

KEYS = {
    "seats", "rounds", "turns", "steps", "winner", "totals", "deal_ms", "step_ms",
    "bytes_published", "messages",
}  # fmt: skip


def check_match(tmp_path: Path, *where: str) -> None:
    records = tmp_path / "records"
    done = run(
        tmp_path / "home", "match", "--bots", "4", "--to", "60", "--json", "--no-shared-checks",
        "--record", str(records), *where, timeout=120,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    result = json.loads(done.stdout)
    assert result.keys() >= KEYS
    assert result["step_ms"].keys() == {"median", "p99"}
    found = [audit(tmp_path / "home", path) for path in sorted(records.iterdir())]
    assert [item["code"] for item in found] == [0] * 4
    assert {item["head"] for item in found} == set(result["heads"])
    assert len(result["heads"]) == 1
    assert all(item["totals"] == result["totals"] for item in found)
    assert all(item["winners"] == result["winner"] for item in found)


@pytest.mark.parametrize("engine", ["mosquitto", "iotcore", "amqtt"])
def test_each_embedded_broker_carries_a_match_that_all_records_agree_on(
    tmp_path: Path, engine: str
) -> None:
    if engine == "mosquitto":
        mosquitto_or_skip()
    if engine == "iotcore":
        pytest.importorskip("iotcore")
    check_match(tmp_path, "--embedded", engine)


def test_a_match_on_a_broker_of_its_own_is_agreed_on(tmp_path: Path) -> None:
    port = free_port()
    with mosquitto(tmp_path, "allow_anonymous true", port):
        check_match(tmp_path, "--broker", f"mqtt://127.0.0.1:{port}")


@pytest.mark.parametrize("seats", [2, 4])
def test_processes_with_homes_of_their_own_play_a_match_that_a_watcher_can_audit(
    tmp_path: Path, seats: int
) -> None:
    port = free_port()
    with ExitStack() as stack:
        stack.enter_context(mosquitto(tmp_path, "allow_anonymous true", port))
        url = f"mqtt://127.0.0.1:{port}"
        names = ["host", *(f"bot{n}" for n in range(1, seats)), "watch"]
        said = {name: stack.enter_context((tmp_path / f"{name}.out").open("wb")) for name in names}
        opener = start(
            tmp_path / "host", "host", "--bot", "greedy", "--seats", str(seats), "--to", "40",
            "--name", "host", "--broker", url, "--record", str(tmp_path / "host.jsonl"),
            out=said["host"],
        )  # fmt: skip
        stack.callback(end, opener)
        ticket = ""
        while not ticket:
            assert opener.poll() is None
            lines = (tmp_path / "host.out").read_text().splitlines()
            ticket = next((line.strip() for line in lines if "unop2p:" in line and "@" in line), "")
        programs = [opener]
        for name in names[1:]:
            sit = ("watch",) if name == "watch" else ("bot", "--name", name)
            program = start(
                tmp_path / name, *sit, ticket, "--record", str(tmp_path / f"{name}.jsonl"),
                out=said[name],
            )  # fmt: skip
            stack.callback(end, program)
            programs.append(program)
        assert [program.wait(90) for program in programs] == [0] * len(programs)
    found = [audit(tmp_path / "home", tmp_path / f"{name}.jsonl") for name in names]
    assert [item["code"] for item in found] == [0] * len(found)
    assert len({item["head"] for item in found}) == 1


def test_bad_input_has_a_sentence_and_a_code_and_no_traceback(tmp_path: Path) -> None:
    port = free_port()
    ticket = new_ticket(lambda n: bytes(range(n)), (f"mqtt://127.0.0.1:{port}",)).text()
    a_file = tmp_path / "file"
    a_file.write_text("no record\n")
    home = tmp_path / "home"
    cases = {
        ("join", ticket.replace("-", "-x", 1)): 2,
        ("join", ticket): 10,
        ("watch", ticket): 10,
        ("audit", str(a_file)): 41,
        ("audit", str(tmp_path)): 14,
        ("play", "--rules", "nonsense"): 1,
        ("play", "--level", "nonsense"): 1,
        ("play", "--set", "nonsense=1"): 1,
        ("play", "--set", "nonsense"): 2,
        ("play", "--record", str(a_file)): 14,
        ("id", "--profile", "../up"): 2,
    }
    for words, code in cases.items():
        done = run(home, *words)
        assert "Traceback" not in done.stderr, (words, done.stderr)
        # An unknown name's code belongs to its room: here it is only not a success.
        assert done.returncode == code or (code == 1 and done.returncode in {1, 2}), (words, done)
        assert done.stderr.startswith("unop2p: ") or done.stdout.startswith(("broken", "check"))
    assert a_file.read_text() == "no record\n"
    done = run(a_file, "id")
    assert done.returncode == 14
    assert done.stderr.count("\n") == 1

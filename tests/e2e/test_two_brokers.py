"""A table over two brokers, one of which is killed in mid match and never comes back."""

from contextlib import ExitStack
from pathlib import Path
from time import monotonic, sleep

import pytest

from tests.e2e.support import audit, end, start
from tests.edge.support import free_port, mosquitto

pytestmark = [pytest.mark.slow, pytest.mark.broker]


def test_a_match_goes_on_when_one_of_two_brokers_is_gone_for_good(tmp_path: Path) -> None:
    ports = (free_port(), free_port())
    with ExitStack() as stack:
        first = stack.enter_context(mosquitto(tmp_path, "allow_anonymous true", ports[0]))
        stack.enter_context(mosquitto(tmp_path, "allow_anonymous true", ports[1]))
        out = {name: stack.enter_context((tmp_path / name).open("wb")) for name in ("ann", "ben")}
        brokers = [word for port in ports for word in ("--broker", f"mqtt://127.0.0.1:{port}")]
        host = start(
            tmp_path / "home-ann", "host", "--bot", "greedy", "--set", "match_end=rounds", "--to", "1", "--name", "ann",
            "--record", str(tmp_path / "ann.jsonl"), *brokers, out=out["ann"],
        )  # fmt: skip
        stack.callback(end, host)
        ticket = ""
        while not ticket:
            assert host.poll() is None
            lines = (tmp_path / "ann").read_text().splitlines()
            ticket = next((line.strip() for line in lines if "unop2p:" in line and "@" in line), "")
        assert all(str(port) in ticket for port in ports)
        guest = start(
            tmp_path / "home-ben", "bot", "--name", "ben", ticket,
            "--record", str(tmp_path / "ben.jsonl"), out=out["ben"],
        )  # fmt: skip
        stack.callback(end, guest)
        deadline = monotonic() + 60
        while "Round 1" not in (tmp_path / "ben").read_text():
            assert monotonic() < deadline
            sleep(0.05)
        first.kill()
        assert [host.wait(90), guest.wait(90)] == [0, 0]
        assert "Nobody answers" in (tmp_path / "ben").read_text()
    found = [audit(tmp_path / "home", tmp_path / f"{name}.jsonl") for name in ("ann", "ben")]
    assert [item["code"] for item in found] == [0, 0]
    assert len({item["head"] for item in found}) == 1

"""CPU, memory and ports of processes, as the system tells them; and nothing where it does not."""

import os
import socket
import sys
from pathlib import Path

import pytest

from tests.edge.support import free_port
from unop2p.edge.processes import cpu_s, listener, rss_bytes

linux = pytest.mark.skipif(
    sys.platform != "linux", reason="/proc is there on Linux only, and is tested there"
)


@linux
def test_our_own_figures_are_those_of_the_system() -> None:
    used = os.times()
    found = cpu_s(os.getpid())
    assert found is not None
    assert abs(found - used.user - used.system) < 5
    memory = rss_bytes()
    assert memory is not None
    assert 5e6 < memory < 5e9


@linux
def test_who_listens_on_a_port_is_found() -> None:
    with socket.socket() as door:
        door.bind(("127.0.0.1", 0))
        port = door.getsockname()[1]
        assert listener(port) is None
        door.listen()
        assert listener(port) == os.getpid()
    assert listener(free_port()) is None


def test_where_nothing_is_told_nothing_is_known(tmp_path: Path) -> None:
    assert cpu_s(1, tmp_path) is None
    assert rss_bytes("self", tmp_path) is None
    assert listener(1883, tmp_path) is None


def test_a_name_with_brackets_does_no_harm(tmp_path: Path) -> None:
    (tmp_path / "7").mkdir()
    fields = ["S", *["0"] * 10, "100", "50", "0"]
    (tmp_path / "7" / "stat").write_text(f"7 (a) 9) {' '.join(fields)}")
    assert cpu_s(7, tmp_path) == 150 / os.sysconf("SC_CLK_TCK")

"""What a service manager is told: over which socket, when, and when not."""

import os
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from unop2p.edge.link_state import LinkState, LinkStatus
from unop2p.edge.sd_notify import EXTEND_EVERY_S, STUCK_S, Guard, Notifier

UP, DOWN = LinkState(status=LinkStatus.UP), LinkState(status=LinkStatus.DOWN, reason="no answer")


class FakeLink:
    def __init__(self, state: LinkState, stuck: float = 0.0) -> None:
        self.state, self.stuck = state, stuck

    def stuck_s(self) -> float:
        return self.stuck


class Manager:
    """A socket that hears what a service manager would."""

    def __init__(self, address: str) -> None:
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.socket.bind(f"\0{address[1:]}" if address.startswith("@") else address)
        self.socket.settimeout(0)
        self.now = 0.0

    def heard(self) -> list[str]:
        found: list[str] = []
        while True:
            try:
                found += self.socket.recv(4096).decode().splitlines()
            except BlockingIOError:
                return found


@pytest.fixture(params=["path", "abstract"])
def address(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    if request.param == "abstract" and os.uname().sysname != "Linux":
        pytest.skip("abstract sockets are there on Linux only, and are tested there")
    return str(tmp_path / "notify") if request.param == "path" else f"@unop2p-{tmp_path.name}"


@pytest.fixture
def manager(address: str) -> Iterator[Manager]:
    made = Manager(address)
    yield made
    made.socket.close()


def guard(manager: Manager, address: str, watchdog_s: float = 20.0) -> Guard:
    return Guard(Notifier(address, watchdog_s), lambda: manager.now)


def test_it_is_ready_with_the_first_link_and_asks_for_time_until_then(
    manager: Manager, address: str
) -> None:
    guarded, link = guard(manager, address), FakeLink(DOWN)
    for now in (0.0, 1.0, EXTEND_EVERY_S):
        manager.now = now
        guarded.turn([link], "0 tables")
    heard = manager.heard()
    assert "READY=1" not in heard
    assert heard.count("EXTEND_TIMEOUT_USEC=30000000") == 2
    assert heard.count("STATUS=0 tables; no answer") == 1
    link.state = UP
    guarded.turn([link], "0 tables")
    guarded.turn([link], "0 tables")
    assert manager.heard().count("READY=1") == 1


def test_with_nothing_to_connect_to_it_is_ready_at_once(manager: Manager, address: str) -> None:
    guard(manager, address).turn([], "0 tables")
    assert "READY=1" in manager.heard()


def test_it_is_alive_at_half_the_time_and_only_while_all_links_are(
    manager: Manager, address: str
) -> None:
    guarded, links = guard(manager, address, 20.0), [FakeLink(UP), FakeLink(UP)]
    said = []
    for quarter in range(160):
        manager.now = quarter / 4
        guarded.turn(links, "")
        said += [manager.now] * manager.heard().count("WATCHDOG=1")
    assert said == [0.0, 9.75, 19.5, 29.25, 39.0]
    links[1].stuck = STUCK_S
    manager.now += 100
    guarded.turn(links, "")
    assert "WATCHDOG=1" not in manager.heard()
    links[1].stuck = 0.0
    guarded.turn(links, "")
    assert "WATCHDOG=1" in manager.heard()


def test_a_broker_that_is_down_is_no_reason_to_be_started_again(
    manager: Manager, address: str
) -> None:
    guard(manager, address).turn([FakeLink(DOWN, 12.0)], "1 table")
    assert "WATCHDOG=1" in manager.heard()


def test_reading_anew_and_ending_are_told(manager: Manager, address: str) -> None:
    guarded = guard(manager, address)
    guarded.reloading()
    reloading, since = manager.heard()
    assert reloading == "RELOADING=1"
    assert since.removeprefix("MONOTONIC_USEC=").isdecimal()
    guarded.reloaded()
    guarded.stopping(45)
    assert manager.heard() == ["READY=1", "STOPPING=1", "EXTEND_TIMEOUT_USEC=45000000"]
    guarded.turn([], "")
    assert "READY=1" not in manager.heard(), "nobody who ends becomes ready"


def test_a_status_is_one_line(manager: Manager, address: str) -> None:
    guard(manager, address).turn([], "one\nREADY=0")
    assert "STATUS=oneREADY=0" in manager.heard()


def test_the_environment_says_whom_to_tell_and_is_cleared(address: str) -> None:
    variables = {"NOTIFY_SOCKET": address, "WATCHDOG_USEC": "30000000", "OTHER": "1"}
    notifier = Notifier.from_environment(variables)
    assert notifier.watchdog_s == 30.0
    assert variables == {"OTHER": "1"}


@pytest.mark.parametrize(
    ("variables", "watchdog_s"),
    [
        ({}, 0.0),
        ({"NOTIFY_SOCKET": "vsock:2:1", "WATCHDOG_USEC": "1000000"}, 0.0),
        ({"NOTIFY_SOCKET": "/x", "WATCHDOG_USEC": "-5"}, 0.0),
        ({"NOTIFY_SOCKET": "/x", "WATCHDOG_USEC": "1000000", "WATCHDOG_PID": "1"}, 0.0),
        ({"NOTIFY_SOCKET": "/x", "WATCHDOG_USEC": "1000000", "WATCHDOG_PID": str(os.getpid())}, 1),
    ],
)
def test_a_watchdog_is_ours_or_none(variables: dict[str, str], watchdog_s: float) -> None:
    assert Notifier.from_environment(variables).watchdog_s == watchdog_s


def test_a_manager_that_has_gone_is_no_reason_to_end(tmp_path: Path) -> None:
    Notifier(str(tmp_path / "nobody")).tell(READY="1")
    Notifier("@" + "x" * 300).tell(READY="1")
    Notifier().tell(READY="1")

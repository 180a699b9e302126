"""A network of a test's own, and the commands of a page run in it as they stand there.

What is started at the ports of a page, and on all addresses, meets nothing else and nobody else: as root
on Linux the test's own thread moves into a network that has a loopback and no more. Threads and programs
that it starts are there too. Elsewhere the machine's own loopback does, where the ports are free.
"""

import ctypes
import fcntl
import os
import re
import shutil
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.edge.support import REQUIRE_VARIABLE

FOLDER = Path(__file__).parents[2] / "broker-config"
NOBODY = 65534
"""Who runs brokers where the tests are run by root."""
_CLONE_NEWNET = 0x40000000
_SIOCSIFFLAGS = 0x8914
_IFF_UP = 0x1


def needs(program: str, package: str) -> None:
    """Go on where a program is installed; else skip, or fail where the variable asks for all."""
    if shutil.which(program, path=os.environ.get("PATH", "") + ":/usr/sbin:/usr/lib/rabbitmq/bin"):
        return
    if os.environ.get(REQUIRE_VARIABLE) == "1":
        pytest.fail(f"{REQUIRE_VARIABLE}=1, and there is no {program}")
    pytest.skip(
        f"{program} is no Python package and cannot come with the tests; install it (Debian: {package}) "
        f"to run this one. With {REQUIRE_VARIABLE}=1, as in CI, its lack is a failure"
    )


@contextmanager
def own_network(*ports: int, outside: bool = False) -> Iterator[None]:
    """Be in a network of our own, or on the machine's loopback where that cannot be.

    Args:
        ports: that will be listened on; without a network of our own they must be free.
        outside: what is started listens to other machines too, or changes what passes: it is started
            in a network of our own alone.
    """
    before = _enter()
    if before is None:
        if outside:
            pytest.skip(
                "what is started here listens to other machines too, so it runs in a network of its own "
                "alone, which only root on Linux can have: run the tests as root there, as CI does"
            )
        for port in ports:
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", port)) == 0:
                    pytest.skip(
                        f"a program of this machine has port {port}, which the page names, and there is "
                        "no network of our own here; end it to run this one"
                    )
        yield
        return
    try:
        yield
    finally:
        ctypes.CDLL(None).setns(before, _CLONE_NEWNET)
        os.close(before)


def _enter() -> int | None:
    """Move into a new network; return the way back, or none if there is none."""
    if sys.platform != "linux":
        return None
    before = os.open("/proc/thread-self/ns/net", os.O_RDONLY)
    if ctypes.CDLL(None).unshare(_CLONE_NEWNET) != 0:
        os.close(before)
        return None
    with socket.socket() as any_socket:
        fcntl.ioctl(any_socket, _SIOCSIFFLAGS, struct.pack("16sh14x", b"lo", _IFF_UP))
    return before


@contextmanager
def copied() -> Iterator[Path]:
    """Give a fresh copy of `broker-config`, which an ordinary user owns."""
    top = Path(tempfile.mkdtemp(prefix="unop2p-brokers-"))
    try:
        folder = top / "broker-config"
        shutil.copytree(FOLDER, folder)
        if os.geteuid() == 0:
            for path in (top, folder, *folder.rglob("*")):
                os.chown(path, NOBODY, NOBODY)
        yield folder
    finally:
        shutil.rmtree(top, ignore_errors=True)


def blocks(heading: str) -> list[str]:
    """Return the shell blocks of a section of the page, in order."""
    page = (FOLDER / "README.md").read_text(encoding="utf-8")
    section = re.search(rf"(?ms)^## {re.escape(heading)}$(.*?)(?=^## |\Z)", page)
    assert section is not None, heading
    return re.findall(r"(?ms)^```sh\n(.*?)^```$", section[1])


class Shell:
    """A shell of an ordinary user in a copy of `broker-config`, and all that it starts."""

    def __init__(self, folder: Path) -> None:
        """Open none yet; the folder is a copy."""
        self.folder = folder
        self._started: list[subprocess.Popen[bytes]] = []

    def start(self, commands: str, typed: bytes = b"") -> "subprocess.Popen[bytes]":
        """Start the commands of a block, as they stand there."""
        who = {"user": NOBODY, "group": NOBODY, "extra_groups": []} if os.geteuid() == 0 else {}
        with (self.folder.parent / "said").open("ab") as said:
            process = subprocess.Popen(
                ["sh", "-euc", f"PATH=$PATH:/usr/sbin\n{commands}"],
                cwd=self.folder,
                env={"PATH": os.environ.get("PATH", os.defpath), "HOME": str(self.folder.parent)},
                stdin=subprocess.PIPE,
                stdout=said,
                stderr=said,
                start_new_session=True,
                **who,  # type: ignore[call-overload]  # of three kinds
            )
        self._started.append(process)
        assert process.stdin is not None
        process.stdin.write(typed)
        process.stdin.close()
        return process  # type: ignore[no-any-return]  # as above

    def run(self, commands: str, typed: bytes = b"", seconds: float = 240) -> None:
        """Run the commands of a block to their end."""
        assert self.start(commands, typed).wait(seconds) == 0, self.said()

    def said(self) -> str:
        """Return all that the commands have printed."""
        return (self.folder.parent / "said").read_text(errors="replace")

    def serve(self, commands: str, port: int) -> "subprocess.Popen[bytes]":
        """Start a broker, and wait until it listens."""
        process = self.start(commands)
        deadline = time.monotonic() + 30
        while time.monotonic() < deadline:
            assert process.poll() is None, self.said()
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", port)) == 0:
                    return process
            time.sleep(0.01)
        pytest.fail(f"nobody listens on {port}: {self.said()}")

    def end(self, process: "subprocess.Popen[bytes]") -> None:
        """End one command, and what it started."""
        try:
            os.killpg(process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        process.wait()

    def close(self) -> None:
        """End all."""
        for process in self._started:
            self.end(process)


@contextmanager
def shell() -> Iterator[Shell]:
    """Open a shell in a fresh copy of `broker-config`, and end all that it has started."""
    with copied() as folder:
        opened = Shell(folder)
        try:
            yield opened
        finally:
            opened.close()

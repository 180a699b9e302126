"""What tests of bad input share: a table of real programs, and how a command should fail."""

import re
import subprocess
import time
from contextlib import ExitStack
from pathlib import Path

from typer.testing import CliRunner

from tests.e2e.support import end, start
from tests.edge.support import free_port, mosquitto
from unop2p.cli.main import app
from unop2p.errors import Unop2pError
from unop2p.wire.ticket import new_ticket

OPEN = "allow_anonymous true"


def ticket_for(url: str) -> str:
    return new_ticket(lambda n: bytes(range(n)), (url,)).text()


def here(home: Path, *words: str, **more: str) -> "subprocess.CompletedProcess[str]":
    """Run the same command line in this process: quicker, where many cases make one kind."""
    done = CliRunner().invoke(
        app, list(words), env={"UNOP2P_HOME": str(home), **more}, catch_exceptions=False
    )
    return subprocess.CompletedProcess(words, done.exit_code, done.stdout, done.stderr)


def fails(
    done: "subprocess.CompletedProcess[str]", error: type[Unop2pError], detail: str = ""
) -> None:
    """Assert that a program ended with an error's own sentence and code, and nothing else went wrong."""
    last = done.stderr.splitlines()[-1] if done.stderr else ""
    assert last.startswith(f"unop2p: {error().sentence()}"), done
    assert detail in last, last
    assert done.returncode == error.exit_code, done
    assert "Traceback" not in done.stderr + done.stdout
    assert "Exception" not in done.stderr + done.stdout
    assert done.stderr.count("unop2p: ") == 1


class Table:
    """A broker with a table on it; whatever is started here is ended."""

    def __init__(self, folder: Path, stack: ExitStack, config: str = OPEN) -> None:
        """Start the broker."""
        self.folder, self.stack = folder, stack
        self.port = free_port()
        self.url = f"mqtt://127.0.0.1:{self.port}"
        stack.enter_context(mosquitto(folder, config, self.port))

    def start(self, home: str, *words: str) -> "subprocess.Popen[bytes]":
        """Start a program with a home of its own; what it says goes to a file."""
        out = self.stack.enter_context((self.folder / f"{home}.out").open("ab"))
        program = start(self.folder / home, *words, out=out)
        self.stack.callback(end, program)
        return program

    def said(self, home: str) -> str:
        """Return what a program has said so far."""
        return (self.folder / f"{home}.out").read_text()

    def wait_for(self, home: str, pattern: str, seconds: float = 30) -> str:
        """Wait until a program has said something."""
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            if found := re.search(pattern, self.said(home)):
                return found[0]
            time.sleep(0.02)
        raise AssertionError(self.said(home))

    def host(self, *words: str, seats: int = 2) -> str:
        """Start a host with a bot on its seat, and return the ticket."""
        self.start(
            "host", "host", "--bot", "greedy", "--name", "host", "--seats", str(seats),
            "--broker", self.url, *words,
        )  # fmt: skip
        return self.wait_for("host", r"unop2p:[a-z-]+@\S+")

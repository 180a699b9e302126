"""A table of unattended bots: processes of their own, each with a file, a home and a folder of records."""

import json
import subprocess
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any

from tests.e2e.support import audit, end, start
from tests.edge.support import free_port, mosquitto
from unop2p.edge.processes import cpu_s

LOUNGE = "soak"


class Bots:
    """Processes that play with each other, and nobody else."""

    def __init__(
        self,
        folder: Path,
        stack: ExitStack,
        seats: int,
        *,
        host: str = "",
        more: str = "",
        stop_s: int = 0,
        keep: int = 0,
    ) -> None:
        """Start a broker; a host and its guests come with `begin`."""
        self.folder, self.seats, self._stack = folder, seats, stack
        self.port = free_port()
        stack.enter_context(mosquitto(folder, "allow_anonymous true", self.port))
        self.names = [f"bot{number}" for number in range(seats)]
        self.programs: dict[str, subprocess.Popen[bytes]] = {}
        self._told: dict[str, tuple[list[dict[str, Any]], int]] = {}
        for number, name in enumerate(self.names):
            part = f"[host]\nseats = {seats}\n{host}\n" if number == 0 else ""
            (folder / f"{name}.toml").write_text(
                f'pace = "fast"\nstop_seconds = {stop_s}\nrecords_keep = {keep}\nrecords = "{self.records(name)}"\n'
                f'[broker]\nurl = ["mqtt://127.0.0.1:{self.port}"]\n'
                f'[lounge]\nname = "{LOUNGE}"\n{part}'
                f'[[seat]]\nname = "{name}"\n{more}'
            )

    def records(self, name: str) -> Path:
        return self.folder / f"{name}-records"

    def log(self, name: str) -> Path:
        return self.folder / f"{name}.log"

    def begin(self, name: str, **more: str) -> None:
        """Start one of them, or start it again, with more variables in its environment."""
        out = self._stack.enter_context(self.log(name).open("ab"))
        config = str(self.folder / f"{name}.toml")
        program = start(self.folder / name, "bot", "--config", config, "--json", out=out, **more)
        self._stack.callback(end, program)
        self.programs[name] = program

    def begin_all(self) -> None:
        for name in self.names:
            self.begin(name)

    def told(self, name: str) -> list[dict[str, Any]]:
        """Return the lines that one has told; what was read before is not read again."""
        lines, end = self._told.setdefault(name, ([], 0))
        if self.log(name).exists():
            with self.log(name).open("rb") as file:
                file.seek(end)
                more, newline, _ = file.read().rpartition(b"\n")
            lines += [json.loads(line) for line in more.splitlines() if line.startswith(b"{")]
            self._told[name] = lines, end + len(more) + len(newline)
        return list(lines)

    def count(self, name: str, event: str) -> int:
        return sum(line["event"] == event for line in self.told(name))

    def rss_kb(self, name: str) -> int:
        """Return the memory of one, in KiB."""
        status = Path(f"/proc/{self.programs[name].pid}/status").read_text()
        line = next(line for line in status.splitlines() if line.startswith("VmRSS"))
        return int(line.split()[1])

    def disk_bytes(self, name: str, *, records: bool) -> int:
        """Return what one has on disk: its home, or its records."""
        folder, total = self.records(name) if records else self.folder / name, 0
        for path in folder.rglob("*"):
            with suppress(FileNotFoundError):  # a journal, or an old record, may just go
                total += path.stat().st_size if path.is_file() else 0
        return total

    def measured(self) -> dict[str, dict[str, int]]:
        return {
            name: {
                "rss_kb": self.rss_kb(name),
                "home_bytes": self.disk_bytes(name, records=False),
                "records_bytes": self.disk_bytes(name, records=True),
                "records": len(list(self.records(name).glob("*.jsonl"))),
                "cpu_ms": round((cpu_s(self.programs[name].pid) or 0) * 1000),
            }
            for name in self.names
        }

    def wait(self, condition: Any, what: str, still_s: float = 120.0) -> None:
        """Wait until something is so; fail when for a while nobody has told anything."""
        told, since = -1, time.monotonic()
        while not condition():
            for name, program in self.programs.items():
                assert program.poll() is None, f"{name} has ended: {self.screens()}"
            lines = sum(self.log(name).stat().st_size for name in self.programs)
            lines += sum(self.disk_bytes(name, records=True) for name in self.names)
            if lines != told:
                told, since = lines, time.monotonic()
            assert time.monotonic() - since < still_s, f"{what} did not happen: {self.screens()}"
            time.sleep(0.25)

    def end_all(self) -> dict[str, int]:
        """Ask all to end, and return their exit codes."""
        for program in self.programs.values():
            program.terminate()
        return {name: program.wait(30) for name, program in self.programs.items()}

    def audited(self) -> list[dict[str, Any]]:
        """Return what the audit says of every record."""
        found = []
        for name in self.names:
            for record in sorted(self.records(name).glob("*.jsonl")):
                found.append({**audit(self.folder / "auditor", record), "file": record.name})
        return found

    def screens(self) -> str:
        return "\n".join(
            f"--- {name}\n{self.log(name).read_text()[-2000:]}" for name in self.programs
        )


@contextmanager
def bots(
    folder: Path, seats: int, *, host: str = "", more: str = "", stop_s: int = 0, keep: int = 0
) -> Iterator[Bots]:
    """Make a broker and the files of bots, and end all of them."""
    with ExitStack() as stack:
        yield Bots(folder, stack, seats, host=host, more=more, stop_s=stop_s, keep=keep)

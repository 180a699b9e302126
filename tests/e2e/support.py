"""The real program in processes of its own, each with a home of its own."""

import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import IO, Any

PROGRAM = (sys.executable, "-c", "from unop2p.cli.main import run; run()")

STILL_S = 300
"""How long no record may grow. How long a match takes as a whole is the machine's affair."""


def environment(home: Path, **more: str) -> dict[str, str]:
    """Return the environment of a program whose files are under `home`."""
    kept = {key: value for key, value in os.environ.items() if not key.startswith("UNOP2P_")}
    own = {"UNOP2P_HOME": str(home), "UNOP2P_PACE": "fast", "PYTHONUNBUFFERED": "1"}
    return {**kept, **own, **more}


def start(home: Path, *words: str, out: IO[bytes], **more: str) -> "subprocess.Popen[bytes]":
    """Start the program; its input is a pipe, all that it says goes to `out`."""
    return subprocess.Popen(
        [*PROGRAM, *words],
        stdin=subprocess.PIPE,
        stdout=out,
        stderr=subprocess.STDOUT,
        env=environment(home, **more),
    )


def run(
    home: Path, *words: str, timeout: float = 60, **more: str
) -> "subprocess.CompletedProcess[str]":
    """Run the program to its end."""
    return subprocess.run(
        [*PROGRAM, *words],
        capture_output=True,
        text=True,
        timeout=timeout,
        env=environment(home, **more),
        stdin=subprocess.DEVNULL,
        check=False,
    )


def audit(home: Path, record: Path) -> dict[str, Any]:
    """Return what the audit of a record says."""
    done = run(home, "audit", "--json", str(record), timeout=600)
    found: dict[str, Any] = json.loads(done.stdout)
    found["code"] = done.returncode
    return found


def end(*programs: "subprocess.Popen[bytes]") -> None:
    """End programs that a test has started."""
    for program in programs:
        if program.poll() is None:
            program.kill()
        program.wait()
        if program.stdin is not None:
            program.stdin.close()


class Watch:
    """Sees whether the records of a table still grow."""

    def __init__(self, records: list[Path]) -> None:
        """Begin to watch; the files need not be there yet."""
        self.records = records
        self.sizes: list[int] = []
        self.since = time.monotonic()

    def going_on(self) -> bool:
        """Return whether one of them has grown in the last while."""
        sizes = [path.stat().st_size if path.exists() else 0 for path in self.records]
        if sizes != self.sizes:
            self.sizes, self.since = sizes, time.monotonic()
        return time.monotonic() - self.since < STILL_S

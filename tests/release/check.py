"""Installs what lies in dist/ as players do, and runs it: `make release-check`.

Five ways: pip into an empty environment, wheel and sdist, with the locked versions; pipx and `uv tool` with the
newest that pyproject.toml allows; and by the steps of broker-config/Containerfile, without a container. Each program then runs with an empty HOME, a bare PATH and nothing of this tree.
"""

import os
import subprocess
import sys
import tarfile
import tempfile
import threading
import time
import venv
from collections.abc import Callable, Iterator
from pathlib import Path

from tests.release.building import unpack
from tests.release.containerfile import build_by_hand

ROOT = Path(__file__).parents[2]
LOCK = ROOT / "requirements" / "lock.txt"
PLAY_S = 120.0
"""For a table to be dealt on a busy machine."""
LEFT_EXIT_CODE = 3
"""Of a table that was left and waits (docs/reference/exit-codes.md)."""


class CheckError(Exception):
    """What was built does not do what it should."""


def run(command: list[str], *, env: dict[str, str], cwd: Path, code: int = 0) -> str:
    """Run a command to its end; return what it wrote.

    Raises:
        CheckError: another exit code, or a traceback.
    """
    done = subprocess.run(
        command, env=env, cwd=cwd, capture_output=True, text=True, timeout=600, check=False
    )
    both = done.stdout + done.stderr
    if done.returncode != code or "Traceback" in both:
        message = f"{' '.join(command)}: exit code {done.returncode}\n{both[-3000:]}"
        raise CheckError(message)
    return done.stdout


def expect(wanted: str, text: str) -> None:
    """See that a text holds another.

    Raises:
        CheckError: it doesn't.
    """
    if wanted not in text:
        message = f"{wanted!r} is missing in:\n{text[-3000:]}"
        raise CheckError(message)


def play_a_moment(program: Path, *, env: dict[str, str], cwd: Path) -> None:
    """Sit down with two bots, wait for the hand, leave.

    Raises:
        CheckError: no hand in time, or another exit code.
    """
    playing = subprocess.Popen(
        [str(program), "play", "--plain", "--bots", "2"],
        env=env,
        cwd=cwd,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    seen: list[str] = []

    def read() -> None:
        seen.extend(iter(playing.stdout.readline, "") if playing.stdout is not None else ())

    reader = threading.Thread(target=read, daemon=True)
    reader.start()
    until = time.monotonic() + PLAY_S
    while not any(line.lstrip().startswith("hand ") for line in seen):
        if time.monotonic() > until or playing.poll() is not None:
            playing.kill()
            message = "play: no hand was dealt\n" + "".join(seen)[-3000:]
            raise CheckError(message)
        time.sleep(0.1)
    if playing.stdin is not None:
        playing.stdin.write("quit\n")
        playing.stdin.close()
    code = playing.wait(timeout=30)
    reader.join(timeout=10)
    if code != LEFT_EXIT_CODE:
        message = f"play: exit code {code}\n" + "".join(seen)[-3000:]
        raise CheckError(message)


def try_out(program: Path, version: str, folder: Path) -> None:
    """Use an installed program as somebody would who has nothing else.

    Raises:
        CheckError: it does something else than it should.
    """
    home = folder / "home"
    home.mkdir()
    env = {"HOME": str(home), "PATH": "/usr/bin:/bin", "LANG": "C.UTF-8"}

    def unop2p(*words: str) -> str:
        return run([str(program), *words], env=env, cwd=folder)

    expect(f"unop2p {version}", unop2p("--version"))
    expect("audit", unop2p("--help"))
    expect("Polecenia:", unop2p("--lang", "pl", "--help"))
    expect("complete -o", unop2p("completion", "bash"))
    play_a_moment(program, env=env, cwd=folder)
    expect("resume", unop2p("tables"))
    unop2p("match", "--bots", "2", "--to", "1", "--level", "net", "--record", str(folder / "kept"))
    records = sorted((folder / "kept").iterdir())
    if len(records) != 2:
        message = f"{len(records)} records of a match of two"
        raise CheckError(message)
    for record in records:
        expect("Everything holds", unop2p("audit", str(record)))


def in_venv(package: Path, folder: Path, env: dict[str, str]) -> Path:
    """Install into an empty environment, with the locked versions; return the program."""
    venv.create(folder / "env", with_pip=True)
    python = str(folder / "env" / "bin" / "python")
    run([python, "-m", "pip", "-q", "install", "-c", str(LOCK), str(package)], env=env, cwd=folder)
    return folder / "env" / "bin" / "unop2p"


def by_pipx(package: Path, folder: Path, env: dict[str, str]) -> Path:
    """Install with pipx; return the program."""
    env = {
        **env,
        "PIPX_HOME": str(folder / "pipx"),
        "PIPX_BIN_DIR": str(folder / "bin"),
        "PIPX_MAN_DIR": str(folder / "man"),
        "PIPX_DEFAULT_BACKEND": "pip",
    }
    run([sys.executable, "-m", "pipx", "install", str(package)], env=env, cwd=folder)
    return folder / "bin" / "unop2p"


def by_uv(package: Path, folder: Path, env: dict[str, str]) -> Path:
    """Install with `uv tool`; return the program."""
    env = {
        **env,
        "UV_TOOL_DIR": str(folder / "uv"),
        "UV_TOOL_BIN_DIR": str(folder / "bin"),
        "UV_CACHE_DIR": str(folder / "cache"),
        "UV_PYTHON_DOWNLOADS": "never",
    }
    uv = str(Path(sys.executable).parent / "uv")
    run(
        [uv, "tool", "install", "-q", "--python", sys.executable, str(package)], env=env, cwd=folder
    )
    return folder / "bin" / "unop2p"


def as_in_image(package: Path, folder: Path, env: dict[str, str]) -> Path:
    """Take the steps of the Containerfile over what the sdist holds; return the program."""
    with tarfile.open(package) as tar:
        unpack(tar, folder / "unpacked")
    tools = f"{Path(sys.executable).parent}:{env['PATH']}"
    return build_by_hand(
        next((folder / "unpacked").iterdir()), folder / "image", {**env, "PATH": tools}
    )


Way = Callable[[Path, Path, dict[str, str]], Path]


def ways(wheel: Path, sdist: Path) -> Iterator[tuple[str, Way, Path]]:
    """Return how a player may install what was built."""
    yield "wheel, pip, locked versions", in_venv, wheel
    yield "sdist, pip, locked versions", in_venv, sdist
    yield "steps of the Containerfile", as_in_image, sdist
    yield "wheel, pipx", by_pipx, wheel
    yield "wheel, uv tool", by_uv, wheel


def main(wanted: list[str]) -> int:
    """Run as the program, for the ways whose names hold one of these words; return its exit code."""
    wheel, sdist = sorted((ROOT / "dist").iterdir(), key=lambda path: path.suffix != ".whl")
    version = wheel.name.split("-")[1]
    env = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    for name, way, package in ways(wheel, sdist):
        if wanted and not any(word in name for word in wanted):
            continue
        began = time.monotonic()
        with tempfile.TemporaryDirectory() as folder:
            try:
                program = way(package, Path(folder), env)
                installed_s = time.monotonic() - began
                try_out(program, version, Path(folder))
            except CheckError as error:
                print(f"{name}: {error}", file=sys.stderr)
                return 1
        print(f"{name}: installed in {installed_s:.0f} s, and runs.", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

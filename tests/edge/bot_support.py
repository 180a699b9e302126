"""Plug-ins for tests: packages as an installer leaves them, in a folder of their own."""

import sys
from pathlib import Path

import pytest

GOOD = """
from unop2p.rules.due import ReactionDue

class Mine:
    name = "mine"

    def choose(self, view, legal, rng):
        if isinstance(view.round.due, ReactionDue):
            return None
        return legal[rng.randrange(len(legal))]
"""


def install_plugin(
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    points: dict[str, str],
    source: str = GOOD,
    package: str = "own_bot_of_test",
) -> None:
    """Make a package that brings bots, and let it be found.

    Args:
        folder: where it is put.
        monkeypatch: undoes it.
        points: entry points, name to `module:Class`.
        source: of the module.
        package: the module's name.
    """
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{package}.py").write_text(source)
    info = folder / f"{package}-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.0\n")
    lines = "".join(f"{name} = {value}\n" for name, value in points.items())
    (info / "entry_points.txt").write_text(f"[unop2p.bots]\n{lines}")
    monkeypatch.syspath_prepend(str(folder))
    monkeypatch.delitem(__import__("sys").modules, package, raising=False)


def script(folder: Path, body: str, name: str = "mybot") -> str:
    """Write a program of Python, which has `say`, `hear`, and what they need; return its path."""
    path = folder / name
    path.write_text(f"#!{sys.executable} -SE\n{SCRIPT}{body}")
    path.chmod(0o755)
    return str(path)


SCRIPT = """
import json, os, sys, time

def say(**message):
    print(json.dumps(message), flush=True)

def hear():
    line = sys.stdin.readline()
    if not line:
        sys.exit(0)
    return json.loads(line)

def ready():
    say(type="ready", protocol=hear()["protocol"], name="mybot")

def asked():
    message = hear()
    while message["type"] == "hello":
        say(type="ready", protocol=1)
        message = hear()
    if message["type"] == "bye":
        sys.exit(0)
    return message

def first(message):
    say(type="move", id=message["id"], index=0)
"""

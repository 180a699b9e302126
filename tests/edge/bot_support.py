"""Plug-ins for tests: packages as an installer leaves them, in a folder of their own."""

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

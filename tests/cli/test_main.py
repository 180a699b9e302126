"""What stands before every command is light, and says what there is."""

import subprocess
import sys

import pytest
from typer.testing import CliRunner

from unop2p.cli.main import app, run
from unop2p.words import LANGUAGES

LOADED = (
    "import sys\n"
    "sys.argv = ['unop2p', *sys.argv[1:]]\n"
    "import typer\n"
    "before = set(sys.modules)\n"
    "from unop2p.cli.main import run\n"
    "try:\n"
    "    run()\n"
    "finally:\n"
    "    print('LOADED', *sorted(set(sys.modules) - before))\n"
)
OURS = {
    "unop2p",
    "unop2p.cli",
    "unop2p.cli.early",
    "unop2p.cli.exits",
    "unop2p.cli.main",
    "unop2p.cli.offers",
    "unop2p.cli.program",
    "unop2p.cli.tongue",
    "unop2p.edge",
    "unop2p.edge.errors",
    "unop2p.edge.languages",
    "unop2p.edge.paths",
    "unop2p.errors",
    "unop2p.words",
}
HEAVY = {
    "aiomqtt",
    "asyncio",
    "cryptography",
    "importlib.resources",
    "numpy",
    "platformdirs",
    "prompt_toolkit",
    "rich",
    "tempfile",
    "tomllib",
}


def loaded(*words: str) -> set[str]:
    """Return what the program loads for a command line, beside what typer itself does."""
    done = subprocess.run(
        [sys.executable, "-c", LOADED, *words],
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    return set(done.stdout.rpartition("LOADED")[2].split())


@pytest.mark.skipif(
    sys.platform != "linux", reason="elsewhere platformdirs says where settings are"
)
@pytest.mark.parametrize("words", [("--help",), ("--version",)])
def test_help_loads_a_dozen_of_our_modules_and_nothing_heavy(
    words: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("UNOP2P_LANG", "UNOP2P_CONFIG", "LANG", "LC_ALL", "LC_MESSAGES"):
        monkeypatch.delenv(name, raising=False)
    found = loaded(*words)
    assert {name for name in found if name.split(".")[0] == "unop2p"} == OURS
    assert found & HEAVY == set()


def test_a_wrong_word_after_bidi_is_refused_wherever_it_stands(
    capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "argv", ["unop2p", "id", "--bidi", "wrong"])
    with pytest.raises(SystemExit) as caught:
        run()
    assert caught.value.code == 2
    assert "'wrong' is not one of 'auto', 'terminal', 'program'" in capfd.readouterr().err


def test_the_help_names_every_language() -> None:
    text = " ".join(CliRunner().invoke(app, ["--help"]).stdout.split())
    *others, last = LANGUAGES
    assert f"{', '.join(others)} or {last}" in text


def test_the_version_is_said_and_nothing_else() -> None:
    done = CliRunner().invoke(app, ["--version"])
    assert done.stdout.split()[0] == "unop2p"
    assert len(done.stdout.split()) == 2

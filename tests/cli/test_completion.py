"""Completion: what a shell is answered, and the real shells with their scripts."""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pexpect  # type: ignore[import-untyped]  # it has no types
import pytest
from typer.testing import CliRunner

from unop2p.bots.levels import LEVELS
from unop2p.cli.completion import LINE_VARIABLE, SHELLS, places, script, words_of
from unop2p.cli.main import COMPLETE_VARIABLE, app
from unop2p.cli.program import COMMANDS

ANSWER_S = 60
"""The machine may be busy."""
PROMPT = "READY>"


def answers(line: str, home: Path, **more: str) -> dict[str, str]:
    """Return what the program answers a shell: words, and what they mean."""
    done = subprocess.run(
        [sys.executable, "-c", "from unop2p.cli.main import run; run()"],
        env={
            **os.environ,
            "UNOP2P_HOME": str(home),
            COMPLETE_VARIABLE: "complete_lines",
            LINE_VARIABLE: line,
            **more,
        },
        capture_output=True,
        text=True,
        timeout=ANSWER_S,
        check=True,
    )
    assert done.stderr == ""
    rows = [row.partition("\t") for row in done.stdout.splitlines() if row]
    return {word: meaning for word, _, meaning in rows}


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("unop2p play", (["play"], "")),
        ("unop2p play ", (["play"], "")),
        ("unop2p play --le", (["play"], "--le")),
        ("unop2p join 'a b", (["join"], "a b")),
        ("unop2p", ([], "")),
        ("", ([], "")),
    ],
)
def test_the_word_under_way_is_told_from_those_that_are_whole(
    line: str, found: tuple[list[str], str]
) -> None:
    whole, typed = words_of(line)
    if line == "unop2p play":  # the cursor is at its end: it may grow still
        found = ([], "play")
    elif line == "unop2p":
        found = ([], "unop2p")
    assert (whole, typed) == found


@pytest.mark.slow
def test_commands_options_and_values_are_answered_with_what_they_mean(tmp_path: Path) -> None:
    assert answers("unop2p ", tmp_path) == {name: line for name, (_, line) in COMMANDS.items()}
    assert list(answers("unop2p play --lev", tmp_path)) == ["--level"]
    assert list(answers("unop2p play --level ", tmp_path)) == list(LEVELS)
    assert list(answers("unop2p nonsense ", tmp_path)) != []
    assert answers("unop2p audit ", tmp_path) == {}, "files, which the shell offers itself"


@pytest.mark.slow
def test_a_tab_loads_nothing_heavy(tmp_path: Path) -> None:
    program = (
        "import sys\n"
        "from unop2p.cli.main import run\n"
        "try:\n"
        "    run()\n"
        "finally:\n"
        "    print(*sorted({'asyncio', 'cryptography', 'aiomqtt', 'prompt_toolkit', 'rich'}"
        " & set(sys.modules)), file=sys.stderr)\n"
    )
    for line in ("unop2p ", "unop2p play --lev", "unop2p play --level=", "unop2p play --set "):
        done = subprocess.run(
            [sys.executable, "-c", program],
            env={
                **os.environ,
                "UNOP2P_HOME": str(tmp_path),
                COMPLETE_VARIABLE: "complete_lines",
                LINE_VARIABLE: line,
            },
            capture_output=True,
            text=True,
            timeout=ANSWER_S,
            check=True,
        )
        assert (bool(done.stdout.strip()), done.stderr.strip()) == (True, ""), line


@pytest.mark.slow
def test_meanings_are_in_the_language(tmp_path: Path) -> None:
    english, polish = (answers("unop2p pl", tmp_path, UNOP2P_LANG=lang) for lang in ("en", "pl"))
    assert english.keys() == polish.keys() == {"play"}
    assert english["play"] != polish["play"]


@pytest.mark.parametrize("shell", SHELLS)
def test_the_script_of_a_shell_is_printed(shell: str) -> None:
    done = CliRunner().invoke(app, ["completion", shell])
    assert (done.exit_code, done.stdout) == (0, script(shell))
    assert LINE_VARIABLE in done.stdout


def test_the_shell_is_the_logins_where_none_is_named_and_an_unknown_one_is_refused(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("SHELL", "/usr/bin/fish")
    assert CliRunner().invoke(app, ["completion"]).stdout == script("fish")
    for wanted, login in (["tcsh"], "/bin/bash"), ([], "/bin/tcsh"), ([], ""):
        monkeypatch.setenv("SHELL", login)
        done = CliRunner().invoke(app, ["completion", *wanted])
        assert (done.exit_code, done.stdout) == (2, "")
        assert "bash, zsh, fish" in done.stderr


@pytest.mark.parametrize("shell", SHELLS)
def test_what_is_installed_twice_is_read_once_and_what_was_there_stays(
    shell: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("UNOP2P_HOME", str(tmp_path / "it's mine"))
    for name in ("ZDOTDIR", "XDG_CONFIG_HOME"):
        monkeypatch.delenv(name, raising=False)
    path, start = places(shell)
    if start is not None:
        start.write_text("alias u=unop2p")
    for _ in range(2):
        done = CliRunner().invoke(app, ["completion", shell, "--install"])
        assert done.exit_code == 0, done.output
        assert str(path) in done.stdout.replace("\n", "")
    assert path.read_text() == script(shell)
    if start is not None:
        first, line, *rest = start.read_text().splitlines()
        assert (first, rest) == ("alias u=unop2p", [])
        assert "completion of unop2p" in line


def test_a_start_file_that_cannot_be_written_ends_with_14_and_one_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("UNOP2P_HOME", str(tmp_path / "home"))
    (tmp_path / ".bashrc").mkdir()
    done = CliRunner().invoke(app, ["completion", "bash", "--install"])
    assert (done.exit_code, done.stdout) == (14, "")
    assert done.stderr.count("\n") == 1


def shell_or_skip(name: str) -> str:
    """Return where a shell is; without it the test is skipped, unless it has to be there."""
    found = shutil.which(name)
    if found is None:
        if os.environ.get("UNOP2P_REQUIRE_SHELLS"):
            pytest.fail(f"{name} is not here, and UNOP2P_REQUIRE_SHELLS wants it")
        pytest.skip(
            f"{name} is a program of its own, not on every machine and no Python package; install it to "
            "run this one. With UNOP2P_REQUIRE_SHELLS=1, as in CI, its lack is a failure"
        )
    return found


@pytest.fixture
def home(tmp_path: Path) -> Iterator[Path]:
    """Return a login's folder, with the program in its `bin` and a rule file."""
    program = tmp_path / "bin" / "unop2p"
    program.parent.mkdir()
    program.write_text(
        f"#!/bin/sh\nexec {sys.executable} -c 'from unop2p.cli.main import run; run()' \"$@\"\n"
    )
    program.chmod(0o755)
    (tmp_path / "mine.toml").write_text('preset = "greek"\n')
    yield tmp_path


def surroundings(home: Path) -> dict[str, str]:
    """Return the environment of a shell."""
    return {
        "PATH": f"{home / 'bin'}:{os.environ['PATH']}",
        "HOME": str(home),
        "UNOP2P_HOME": str(home / "data"),
        "TERM": "dumb",
        "LANG": "C.UTF-8",
    }


TYPED = [
    ("unop2p pla", "unop2p play "),
    ("unop2p play --lev", "unop2p play --level "),
    ("unop2p play --level=gre", "unop2p play --level=greedy "),
    ("unop2p play --set jump_in=num", "unop2p play --set jump_in=numbers "),
    ("unop2p rules show mi", "unop2p rules show mine.toml "),
    ("unop2p audit mi", "unop2p audit mine.toml "),
]


@pytest.mark.slow
@pytest.mark.parametrize("shell", ["bash", "zsh"])
def test_tab_in_a_real_shell_completes_what_is_typed(shell: str, home: Path) -> None:
    found = shell_or_skip(shell)
    plain = ["--norc", "--noprofile"] if shell == "bash" else ["-f"]
    program = pexpect.spawn(
        found,
        [*plain, "-i"],
        env=surroundings(home),
        cwd=str(home),
        encoding="utf-8",
        timeout=ANSWER_S,
        dimensions=(24, 200),
    )
    path = home / "script"
    path.write_text(script(shell))
    try:
        # The mark is written in two parts, so that what is echoed is not taken for it.
        program.send(". ./script; PS1=READY'>'\r")
        program.expect_exact(PROMPT)
        for typed, wanted in TYPED:
            program.send(typed)
            program.expect_exact(typed)
            program.send("\t")
            rest = wanted.removeprefix(typed)
            program.expect_exact(rest)
            program.sendcontrol("u")
    finally:
        program.close(force=True)


@pytest.mark.slow
def test_fish_completes_what_is_typed(home: Path) -> None:
    found = shell_or_skip("fish")
    path = home / "script"
    path.write_text(script("fish"))
    for typed, wanted in TYPED:
        done = subprocess.run(
            [found, "--no-config", "-c", f"source ./script; complete -C '{typed}'"],
            env=surroundings(home),
            cwd=home,
            capture_output=True,
            text=True,
            timeout=ANSWER_S,
            check=True,
        )
        assert done.stdout.partition("\t")[0].strip() == wanted.split()[-1], done

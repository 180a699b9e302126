"""`--help` and what is said of a wrong command line are in the language, as far as words go."""

import re
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import pytest
import typer
from typer.testing import CliRunner

from unop2p.cli import tongue
from unop2p.cli.main import app
from unop2p.cli.program import COMMANDS
from unop2p.edge.languages import load
from unop2p.words import LANGUAGES

OTHERS = [language for language in LANGUAGES if language != "en"]
GROUPS = {"lab", "rules", "config", "broker"}
"""Commands that have commands."""


@pytest.fixture(params=OTHERS)
def language(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """Speak a language, and English afterwards."""
    monkeypatch.setattr(tongue, "_spoken", [load(request.param)])
    monkeypatch.setattr(typer.core, "_", vars(typer.core)["_"])  # put back what is replaced
    yield request.param


def pages() -> Iterator[list[str]]:
    """Yield the command line of every help, that of the program first."""
    yield []
    commands: Any = typer.main.get_command(app)
    for name in COMMANDS:
        yield [name]
        found = getattr(commands.commands[name], "commands", {})
        assert (name in GROUPS) == bool(found), name
        yield from ([name, under] for under in found)


def english_words(text: str) -> set[str]:
    """Return the English words of a help that are no names, values or commands."""
    text = re.sub(r"`[^`]*`|unop2p [^\n]*(\n +--?\w[^\n]*)?|\[?<[^>]*>", " ", text)
    return {
        word
        for word in re.findall(r"(?<![\w@/.:-])[a-z]{2,}(?![\w@/.:*-])", text)
        if word in {"the", "of", "with", "and", "what", "required", "is", "be"}
    }


def test_every_help_is_in_the_language(language: str) -> None:
    for words in pages():
        done = CliRunner().invoke(app, [*words, "--help"], env={"COLUMNS": "200"})
        assert done.exit_code == 0
        first = done.stdout.partition(" ")[0]
        assert first == f"{load(language).say('Usage')}:"
        assert english_words(done.stdout) == set(), (words, done.stdout)
        assert f"{load(language).say('Options')}:" in done.stdout
        assert "Show this" not in done.stdout


@pytest.mark.parametrize(
    ("line", "kept"),
    [
        (["pley"], "'play'"),
        (["nonsense"], "'nonsense'"),
        (["play", "--botz", "1"], "--bots"),
        (["play", "--bots", "x"], "--bots"),
        (["play", "--turn-time", "x"], "--turn-time"),
        (["play", "--colors", "x"], "'never'"),
        (["stats", "--last", "0"], "1"),
        (["arena", "--jobs", "900"], "256"),
        (["id", "word"], "word"),
        (["play", "--bots"], "--bots"),
        (["play", "--plain=1"], "--plain"),
        (["join"], "'ticket'"),
    ],
    ids=" ".join,
)
def test_what_is_wrong_with_a_command_line_is_said_in_the_language_and_ends_with_2(
    language: str, line: list[str], kept: str
) -> None:
    done = CliRunner().invoke(app, line)
    assert (done.exit_code, done.stdout) == (2, "")
    assert kept in done.stderr
    for english in ("No such", "Missing", "Invalid", "Input should", "Error:", "requires", "Usage"):
        assert english not in done.stderr, done.stderr


def test_a_wrong_flag_in_the_environment_is_named_in_the_language(
    language: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("UNOP2P_PLAIN", "perhaps")
    done = CliRunner().invoke(app, ["play"])
    assert done.exit_code == 2
    assert "UNOP2P_PLAIN" in done.stderr
    assert "Input should" not in done.stderr


def test_no_line_of_a_list_of_commands_is_cut() -> None:
    for name in GROUPS:
        assert (
            "..." not in CliRunner().invoke(app, [name, "--help"]).stdout.partition("Commands:")[2]
        )


@pytest.mark.slow
def test_the_language_of_the_help_is_that_of_the_option_the_variable_or_the_locale() -> None:
    heads = []
    for words, variable in ((["--lang", "pl"], "LC_X"), ([], "UNOP2P_LANG"), ([], "LC_ALL")):
        done = subprocess.run(
            [sys.executable, "-c", "from unop2p.cli.main import run; run()", *words, "--help"],
            env={"PATH": "", "HOME": "/nonexistent", variable: "pl_PL.UTF-8", "PYTHONUTF8": "1"},
            capture_output=True,
            text=True,
            timeout=60,
            check=True,
        )
        heads.append(done.stdout.split()[0])
    assert heads == ["Użycie:"] * 3

"""The program's language is one, and `--lang` may stand anywhere."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from unop2p.cli import tongue
from unop2p.words import ENGLISH


@pytest.fixture(autouse=True)
def english_again(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    for variable in ("UNOP2P_LANG", "LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(variable, raising=False)
    yield
    tongue.speak("en")


def test_english_is_spoken_until_another_is_chosen() -> None:
    assert tongue.words() is ENGLISH
    assert tongue.speak("pl").language == "pl"
    assert tongue.words().language == "pl"


def test_the_environment_is_asked_where_nothing_else_says(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("UNOP2P_LANG", "he")
    assert tongue.speak().language == "he"
    assert tongue.speak("uk").language == "uk"


@pytest.mark.parametrize(
    ("arguments", "asked", "rest"),
    [
        (["play"], None, ["play"]),
        (["--lang", "pl", "play"], "pl", ["play"]),
        (["play", "--lang=pl", "--plain"], "pl", ["play", "--plain"]),
        (["play", "--lang"], "", ["play"]),
        (["audit", "--", "--lang", "pl"], None, ["audit", "--", "--lang", "pl"]),
        (["--lang", "pl", "--lang", "he"], "he", []),
    ],
)
def test_lang_is_taken_out_wherever_it_stands(
    arguments: list[str], asked: str | None, rest: list[str]
) -> None:
    assert tongue.take_language(arguments) == (asked, rest)


def test_help_reads_no_settings_where_there_are_none(tmp_path: Path) -> None:
    script = (
        "import sys; from unop2p.cli.main import run\n"
        "try: run()\n"
        "finally: print('unop2p.edge.settings' in sys.modules)"
    )
    words = [sys.executable, "-c", script, "--help"]
    environment = {**os.environ, "UNOP2P_HOME": str(tmp_path)}
    done = subprocess.run(words, env=environment, capture_output=True, text=True, check=True)
    assert done.stdout.endswith("False\n")

"""What a shell is offered for a value is what the program takes there."""

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.edge.bot_support import install_plugin
from unop2p.bots.levels import LEVELS
from unop2p.cli import offers
from unop2p.edge.arguments import load_argument
from unop2p.edge.broker import Engine
from unop2p.edge.keystore import load_identity
from unop2p.edge.tables import TableStore, table_mark
from unop2p.rules.options import FIELD_NAMES, PRESETS, preset, with_overrides
from unop2p.wire.ticket import new_ticket


def words(offer: Callable[[str], list[offers.Offer]], typed: str = "") -> list[str]:
    """Return the values alone."""
    return [value for value, _ in offer(typed)]


def test_every_value_of_a_rule_that_is_offered_can_be_set() -> None:
    assert words(offers.rule_changes) == [f"{name}=" for name in FIELD_NAMES]
    tried = 0
    for name in FIELD_NAMES:
        for change in words(offers.rule_changes, f"{name}="):
            option, _, value = change.partition("=")
            needed = {
                "wd4_condition": {"wd4_challenge": "off"},
                "match_end": {"scoring": "keep_own"},
                "stacking": {"stack_on": "two_on_two"},
            }
            with_overrides(preset("official"), {**needed.get(name, {}), option: value})
            tried += 1
    assert tried > 60


def test_presets_and_rule_files_are_offered(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.toml").touch()
    (tmp_path / "notes.txt").touch()
    (tmp_path / "sub" / "deep").mkdir(parents=True)
    (tmp_path / "sub" / "own.toml").touch()
    assert words(offers.rules) == [*PRESETS, "mine.toml"]
    assert words(offers.rules, "sub/")[len(PRESETS) :] == ["sub/deep/", "sub/own.toml"]


def test_lists_are_those_that_the_program_knows() -> None:
    assert words(offers.levels) == list(LEVELS)
    assert words(offers.level_lists, "net,gre") == [f"net,{level}" for level in LEVELS]
    assert words(offers.engines) == ["auto", *Engine]
    assert [load_argument(name) for name in words(offers.deals)]
    assert words(offers.addresses, "mqtt://host") == []


def test_bots_that_other_packages_bring_are_offered_beside_the_levels(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    install_plugin(tmp_path, monkeypatch, {"mine": "own_bot_of_test:Mine"})
    assert offers.levels("")[-1] == ("mine", "a bot of your own")
    assert words(offers.level_lists, "net,mi")[-1] == "net,mine"


def test_tables_and_profiles_are_those_of_this_machine_and_no_ticket_is_shown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("UNOP2P_HOME", str(tmp_path))
    load_identity(tmp_path, "work")
    ticket = new_ticket(bytes, ("mqtt://127.0.0.1:1",))
    TableStore(tmp_path).remember(ticket, "work", ["join", "the ticket"], str(tmp_path))
    ((mark, meaning),) = offers.tables("")
    assert table_mark(ticket).startswith(mark)
    assert meaning.startswith("join, ")
    assert "ticket" not in meaning
    assert words(offers.profiles) == ["work"]


def test_a_home_that_cannot_be_used_offers_nothing_and_says_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("UNOP2P_HOME", str(tmp_path / "file"))
    assert (offers.tables(""), offers.profiles("")) == ([], [])
    assert capsys.readouterr() == ("", "")

"""Bots that other packages bring."""

from pathlib import Path
from random import Random

import pytest

from tests.bots.support import position
from tests.edge.bot_support import install_plugin
from unop2p.edge.plugins import PluginError, make_plugin, plugins
from unop2p.ids import Seat

MODULE = "own_bot_of_test"


def made(name: str) -> object:
    return make_plugin(name, plugins()[name])


def test_a_class_in_the_group_is_a_bot(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    install_plugin(tmp_path, monkeypatch, {"mine": f"{MODULE}:Mine"})
    bot = make_plugin("mine", plugins()["mine"])
    view = position("R1 G2", top="R5").view(Seat(0))
    assert bot.choose(view, view.legal(), Random(1)) in view.legal()
    assert bot.name == "mine"


@pytest.mark.parametrize(
    ("value", "source", "sentence"),
    [
        (f"{MODULE}:Mine", "import not_there", "cannot be imported: ModuleNotFoundError"),
        (f"{MODULE}:Mine", "raise SystemExit(1)", "cannot be imported: SystemExit"),
        (f"{MODULE}:Mine", "class Mine(:", "cannot be imported: SyntaxError"),
        (f"{MODULE}:Mine", "", "cannot be imported: AttributeError"),
        ("nothing.of.the.kind:Mine", "", "cannot be imported: ModuleNotFoundError"),
        (f"{MODULE}:Mine", "class Mine:\n    def __init__(self, a): ...", "cannot be made"),
        (f"{MODULE}:Mine", "Mine = 3", "cannot be made"),
        (f"{MODULE}:Mine", "class Mine: ...", "has no method `choose`"),
    ],
)
def test_a_plugin_that_cannot_be_had_says_why(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, value: str, source: str, sentence: str
) -> None:
    install_plugin(tmp_path, monkeypatch, {"mine": value}, source)
    with pytest.raises(PluginError, match="`mine`") as caught:
        made("mine")
    assert sentence in caught.value.sentence()
    assert caught.value.exit_code == 2


def test_two_of_one_name_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    install_plugin(tmp_path / "a", monkeypatch, {"mine": "one_of_two:Mine"}, package="one_of_two")
    install_plugin(tmp_path / "b", monkeypatch, {"mine": "two_of_two:Mine"}, package="two_of_two")
    with pytest.raises(PluginError, match="Two packages bring a bot `mine`"):
        made("mine")


def test_a_levels_name_is_the_levels(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    install_plugin(tmp_path, monkeypatch, {"net": f"{MODULE}:Mine", "mine": f"{MODULE}:Mine"})
    assert "net" not in plugins()
    assert "mine" in plugins()

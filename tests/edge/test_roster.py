"""Every bot by the name that a player types."""

from importlib import resources
from pathlib import Path
from random import Random

import pytest

from tests.bots.support import position
from tests.edge.bot_support import install_plugin, script
from unop2p.bots.fallback import FallbackBot
from unop2p.bots.guard import BotFailedError
from unop2p.bots.learned import LearnedBot
from unop2p.bots.levels import LEVELS, UnknownBotError
from unop2p.bots.weights import WeightsError
from unop2p.edge.plugins import PluginError
from unop2p.edge.roster import (
    BotProgramError,
    bot_names,
    check_bot,
    open_bot,
    program_words,
    table_bot,
)
from unop2p.ids import Seat

RAISES = """
class Mine:
    def choose(self, view, legal, rng):
        raise ValueError("no idea")
"""


@pytest.mark.parametrize("level", LEVELS)
def test_every_level_is_a_bot(level: str) -> None:
    assert open_bot(level).name == table_bot(level, lambda: 0).name == level


def test_an_unknown_name_is_refused_with_all_that_are_known(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    install_plugin(tmp_path, monkeypatch, {"mine": "own_bot_of_test:Mine"})
    for refuses in (open_bot, check_bot):
        with pytest.raises(UnknownBotError, match="'genius': there are random, .*net.*mine"):
            refuses("genius")
    assert "mine" in bot_names()
    check_bot("mine")


def test_a_plugin_that_cannot_be_had_is_refused_before_the_table_opens(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    install_plugin(tmp_path, monkeypatch, {"mine": "own_bot_of_test:Other"})
    with pytest.raises(PluginError):
        check_bot("mine")


def test_at_a_table_a_level_answers_for_a_bot_that_raises(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    install_plugin(tmp_path, monkeypatch, {"mine": "own_bot_of_test:Mine"}, RAISES)
    view = position("R1 G2", top="R5").view(Seat(0))
    legal = view.legal()
    bot = table_bot("mine", lambda: 0)
    assert isinstance(bot, FallbackBot)
    assert bot.choose(view, legal, Random(1)) == open_bot("greedy").choose(view, legal, Random(1))
    bot.close()
    assert bot.fell == 1
    with pytest.raises(BotFailedError, match="no idea"):
        open_bot("mine").choose(view, legal, Random(1))


def test_weights_are_a_bot_by_their_file_or_by_the_name_of_some_that_ship(tmp_path: Path) -> None:
    view = position("R1 G2 B7", top="R5").view(Seat(0))
    legal = view.legal()
    held = resources.files("unop2p.bots").joinpath("data", "net-two.json")
    file = tmp_path / "mine.json"
    file.write_text(held.read_text(encoding="utf-8"))
    net = LearnedBot("net").choose(view, legal, Random(1))
    for name in (f"weights:{file}", "weights:net-two"):
        check_bot(name)
        for bot in (open_bot(name), table_bot(name, lambda: 0)):
            assert bot.name == "weights"
            assert bot.choose(view, legal, Random(1)) == net


def test_what_is_no_file_of_weights_is_refused_in_a_sentence(tmp_path: Path) -> None:
    wrong, binary = tmp_path / "wrong.json", tmp_path / "binary"
    wrong.write_text("{}")
    binary.write_bytes(b"\xff\xfe")
    for path in (wrong, binary, tmp_path, tmp_path / "none.json", "/dev/zero"):
        with pytest.raises(WeightsError) as caught:
            check_bot(f"weights:{path}")
        assert caught.value.exit_code == 2


def test_a_path_or_a_command_is_a_program(tmp_path: Path) -> None:
    path = script(tmp_path, "while True: first(asked())", "my bot")
    assert program_words(path) == (path,)
    assert program_words("cmd:python3 'my bot.py' --deep") == ("python3", "my bot.py", "--deep")
    assert program_words("greedy") is None
    bot = open_bot(path)
    view = position("R1 G2", top="R5").view(Seat(0))
    assert bot.choose(view, view.legal(), Random(1)) == view.legal()[0]


@pytest.mark.parametrize(
    "text", ["./not-there", "cmd:", "cmd:'open", "cmd:not-there -x", "/etc/passwd", "/"]
)
def test_a_program_that_is_not_there_is_refused(text: str) -> None:
    with pytest.raises(BotProgramError, match="is not there, or may not be run") as caught:
        check_bot(text)
    assert caught.value.exit_code == 2

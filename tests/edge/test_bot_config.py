"""The file of an unattended bot: what is read, what is refused, and where."""

from datetime import time
from pathlib import Path

import pytest

from unop2p.edge.bot_config import (
    PARTS,
    BotConfig,
    BotConfigError,
    BrokerPart,
    LoungePart,
    default_config,
    line_of,
    read_bot_config,
    toml_value,
)

DOCS = Path(__file__).parents[2] / "docs"
TICKET = 'tickets = ["unop2p:x@mqtt://h"]\n'


def read(folder: Path, text: str) -> BotConfig:
    path = folder / "bot.toml"
    path.write_text(text)
    return read_bot_config(path)


def test_the_printed_file_is_whole_and_says_what_is_so_anyway(tmp_path: Path) -> None:
    printed = default_config()
    assert read(tmp_path, printed) == BotConfig(
        broker=BrokerPart(url=["mqtt://127.0.0.1:1883"]), lounge=LoungePart(name="bots")
    )
    for name, part in PARTS:
        assert f"[{name}]" in printed
        for key, field in part.model_fields.items():
            assert f"\n# {field.description}\n{key} = " in printed
    for key in set(BotConfig.model_fields) - {name for name, _ in PARTS}:
        assert f"\n{key} = " in printed


def test_the_reference_has_the_printed_file() -> None:
    page = (DOCS / "reference" / "bot-file.md").read_text(encoding="utf-8")
    assert default_config() in page


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (TICKET + 'pace = "slow"', "line 2, `pace`"),
        (TICKET + "[host]\n\nseats = 1", "line 4, `host.seats`: a table has 2 to 10 seats"),
        (TICKET + "[host]\nseatz = 3", "line 3, `host.seatz`: there is no such key"),
        (TICKET + "[[seat]]\n[[seat]]\nlevel = 3", "line 4, `seat.1.level`"),
        (TICKET + "[[seat]]\n[[seat]]", "`seat.profile`: two seats have the same profile"),
        (TICKET + 'quiet = ["9"]', "line 2, `quiet`"),
        (TICKET + 'quiet = ["25:00-07:00"]', "line 2, `quiet`"),
        (TICKET + '[company]\nfriends = ["zz"]', "line 3, `company.friends.0`"),
        (TICKET + '[manners]\ngreeting = "a\\nb"', "line 3, `manners.greeting`"),
        (TICKET + 'brooker = "x"', "line 2, `brooker`: there is no such key"),
        (TICKET + "records_keep = true", "line 2, `records_keep`"),
        ('[lounge]\nname = "x"', "`broker.url`: a lounge"),
        ("", "`tickets`: there is nothing to do"),
        ("x = ", "Invalid value"),
    ],
)
def test_what_is_wrong_is_said_with_its_line_and_key(tmp_path: Path, text: str, said: str) -> None:
    with pytest.raises(BotConfigError) as caught:
        read(tmp_path, text)
    assert said in caught.value.sentence()
    assert "unop2p:x" not in caught.value.sentence()


def test_a_file_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    with pytest.raises(BotConfigError, match="none.toml"):
        read_bot_config(tmp_path / "none.toml")


def test_a_file_without_end_is_not_read_to_its_end(tmp_path: Path) -> None:
    with pytest.raises(BotConfigError, match="longer than"):
        read(tmp_path, "# " + "x" * 300_000)


@pytest.mark.parametrize(
    ("hours", "at", "quiet"),
    [
        ("22:00-07:00", time(23, 0), True),
        ("22:00-07:00", time(6, 59), True),
        ("22:00-07:00", time(7, 0), False),
        ("09:30-10:00", time(9, 29), False),
        ("09:30-10:00", time(9, 30), True),
        ("09:30-10:00", time(10, 0), False),
    ],
)
def test_quiet_hours_go_over_midnight(tmp_path: Path, hours: str, at: time, quiet: bool) -> None:
    config = read(tmp_path, f'{TICKET}quiet = ["{hours}"]')
    assert config.is_quiet(at) is quiet
    assert not read(tmp_path, TICKET).is_quiet(at)


def test_a_key_written_in_one_line_with_its_part_is_found_too() -> None:
    assert line_of("a = 1\nbroker = { uls = 3 }", ("broker", "uls")) == 2
    assert line_of("a = 1", ("broker", "uls")) == 0


def test_values_are_written_as_toml_reads_them() -> None:
    assert toml_value({"a": ['x"y', 2, True], "b": {}}) == '{ a = ["x\\"y", 2, true], b = {} }'

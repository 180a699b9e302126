"""The settings file: what it sets, and what is said of what is wrong in it."""

import tomllib
from pathlib import Path

import pytest

from unop2p.edge.errors import FolderError
from unop2p.edge.settings import (
    FILE_BYTES_MAX,
    SETTINGS,
    Kind,
    SettingsError,
    line_of,
    read_settings,
    setting,
    template,
    toml_text,
)


def written(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "config.toml"
    path.write_text(text, encoding="utf-8")
    return path


def test_a_file_sets_what_stands_in_it(tmp_path: Path) -> None:
    path = written(tmp_path, 'bots = 2\nname = "ann"\nplain = true\nturn_time = 30\nset = "a=1"\n')
    assert read_settings(path) == {
        "bots": 2,
        "name": "ann",
        "plain": True,
        "turn_time": 30,
        "set": ["a=1"],
    }


def test_a_file_that_is_not_there_sets_nothing(tmp_path: Path) -> None:
    assert read_settings(tmp_path / "config.toml") == {}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("\n\nbotz = 3\n", "line 3: there is no setting `botz`; `bots` is one."),
        ("zzzzzz = 3\n", "line 1: there is no setting `zzzzzz`; `unop2p config show` lists them."),
        ("# bots\nbots = 10\n", "line 2: `bots` is a whole number, 1 to 9."),
        ("bots = true\n", "line 1: `bots` is a whole number, 1 to 9."),
        ('bots = "3"\n', "line 1: `bots` is a whole number"),
        ("turn_time = 0.5\n", "line 1: `turn_time` is a number, 1 to 86400."),
        ("plain = 1\n", "line 1: `plain` is true or false."),
        ("name = 3\n", "line 1: `name` is a text in quotes."),
        ('embedded = "pigeon"\n', "line 1: `embedded` is one of auto, mosquitto, iotcore, amqtt."),
        ("bots = 3\nset = [\n  1,\n]\n", "line 2: `set` is a text in quotes, or a list of them."),
        ("bots = 3\n[play]\nbots = 2\n", "line 2: there is no setting `play`"),
        ("bots = 3\nseats = \n", "line 2: it is no TOML"),
        ("bots = 3\nbots = 2\n", "line 2: it is no TOML"),
        ("name = '''\n", "line 1: it is no TOML"),
        ("x = " + "[" * 5_000, "line 1: it is no TOML"),
        ("bots = " + "9" * 5_000, "It holds a number that is too large."),
        ("bots = 0x" + "f" * 5_000, "It holds a number that is too large."),
    ],
)
def test_what_is_wrong_is_named_with_its_key_and_line(text: str, said: str, tmp_path: Path) -> None:
    path = written(tmp_path, text)
    with pytest.raises(SettingsError) as caught:
        read_settings(path)
    assert said in caught.value.sentence()
    assert str(path) in caught.value.sentence()
    assert caught.value.exit_code == 2


def test_a_key_after_comments_and_long_values_is_found_in_its_own_line() -> None:
    data = b'a = """\nb = 1\n"""\n\n# b = 2\nb = [\n  3,\n]\nc = 4\n'
    assert [line_of(key, data) for key in "abc"] == [1, 6, 9]


def test_what_is_no_text_too_long_or_a_folder_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "config.toml"
    path.write_bytes(b"name = '\xff'\n")
    with pytest.raises(SettingsError, match="no text in UTF-8"):
        read_settings(path)
    path.write_bytes(b"#" * (FILE_BYTES_MAX + 1))
    with pytest.raises(SettingsError, match="too long"):
        read_settings(path)
    with pytest.raises(FolderError):
        read_settings(tmp_path)


def test_a_key_that_plays_tricks_with_the_screen_is_shown_without_them(tmp_path: Path) -> None:
    path = written(tmp_path, '"\\u001b[2J" = 1\n')
    with pytest.raises(SettingsError) as caught:
        read_settings(path)
    assert "\x1b" not in caught.value.sentence()


def test_the_template_sets_nothing_and_each_of_its_lines_can_be_taken_in(tmp_path: Path) -> None:
    assert read_settings(written(tmp_path, template())) == {}
    shown = [
        line[2:] for line in template().splitlines() if line.startswith("# ") and " = " in line
    ]
    lines = [line for line in shown if line.partition(" = ")[0] in {one.key for one in SETTINGS}]
    assert len(lines) == len(SETTINGS)
    for known, line in zip(SETTINGS, lines, strict=True):
        if known.default is not None:
            assert read_settings(written(tmp_path, line)) == {known.key: known.default}


def test_every_default_is_a_right_value() -> None:
    assert all(known.is_right(known.default) for known in SETTINGS if known.default is not None)
    assert len({known.key for known in SETTINGS}) == len(SETTINGS)


@pytest.mark.parametrize("value", ["a", 'a"b\\c', True, 3, 2.5, [], ["x", 'y"']])
def test_a_value_as_text_is_that_value_again(value: object, tmp_path: Path) -> None:
    assert tomllib.loads(f"a = {toml_text(value)}") == {"a": value}  # type: ignore[arg-type]


def test_a_setting_says_its_option_and_variable() -> None:
    assert (setting("ca_file").option, setting("ca_file").variable) == (
        "--ca-file",
        "UNOP2P_CA_FILE",
    )
    assert setting("bell").option == "--bell/--no-bell"
    assert setting("set").parameter == "set_"
    assert all(one.kind is Kind.FLAG for one in SETTINGS if isinstance(one.default, bool))

"""What an unattended bot tells."""

import json
from datetime import UTC, datetime

import pytest

from unop2p.cli.bot_log import BotLog

AT = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)


def test_a_line_for_people_says_when_where_and_what(capsys: pytest.CaptureFixture[str]) -> None:
    log = BotLog(as_json=False, now=lambda: AT)
    log.at("abcd1234", "ben")("round", "round 1 ended", round=1)
    log.tell("begins", "one seat")
    first, second = capsys.readouterr().out.splitlines()
    assert first.endswith("[abcd1234 ben] round 1 ended")
    assert second.endswith(" one seat")
    assert "[" not in second


def test_a_line_for_programs_is_one_json_object(capsys: pytest.CaptureFixture[str]) -> None:
    BotLog(as_json=True, now=lambda: AT).at("abcd1234", "ben")("round", "ended", round=1)
    assert json.loads(capsys.readouterr().out) == {
        "at": "2026-01-02T03:04:05.000+00:00",
        "event": "round",
        "text": "ended",
        "table": "abcd1234",
        "seat": "ben",
        "round": 1,
    }


@pytest.mark.parametrize("as_json", [False, True])
def test_what_others_say_cannot_move_the_cursor_or_begin_a_line(
    capsys: pytest.CaptureFixture[str], as_json: bool
) -> None:
    BotLog(as_json=as_json).tell("warned", "a\x1b[2J\nb")
    out = capsys.readouterr().out
    assert out.count("\n") == 1
    assert "\x1b" not in out

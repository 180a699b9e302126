"""`unop2p broker check` prints what was found, and ends with a code that says whether games can be played."""

import asyncio
import json

import pytest

from unop2p.cli import broker_check
from unop2p.cli.broker_check import UNFIT_EXIT_CODE
from unop2p.edge.broker_check import Finding, Verdict
from unop2p.edge.broker_url import BrokerURL
from unop2p.words import said

URL = BrokerURL(scheme="mqtt", host="127.0.0.1", port=1883, user="ann", password="sesame")


def run(monkeypatch: pytest.MonkeyPatch, verdict: Verdict, *, as_json: bool = False) -> int:
    async def found(_url: BrokerURL, tell: broker_check.Tell) -> list[Finding]:
        finding = Finding(name="sys", verdict=verdict, text=said("So it is."), value=True)
        tell(finding)
        return [finding]

    monkeypatch.setattr(broker_check, "check_broker", found)
    return asyncio.run(broker_check.check(URL, as_json=as_json))


@pytest.mark.parametrize(
    ("verdict", "code", "lines"),
    [
        (Verdict.GOOD, 0, "ok  So it is.\nGames can be played over it.\n"),
        (Verdict.NOTE, 0, "--  So it is.\nGames can be played over it.\n"),
        (
            Verdict.WIDE,
            0,
            "!   So it is.\nGames can be played over it; look at the lines with `!`.\n",
        ),
        (Verdict.BAD, UNFIT_EXIT_CODE, "NO  So it is.\nNo game can be played over it like this.\n"),
    ],
)
def test_each_finding_is_a_line_with_a_mark_and_the_last_line_is_the_verdict(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    verdict: Verdict,
    code: int,
    lines: str,
) -> None:
    assert run(monkeypatch, verdict) == code
    assert capsys.readouterr().out == lines


def test_as_json_it_is_one_object_without_user_and_password(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(monkeypatch, Verdict.BAD, as_json=True) == UNFIT_EXIT_CODE
    out = capsys.readouterr().out
    assert json.loads(out) == {
        "broker": "mqtt://127.0.0.1:1883",
        "fit": False,
        "findings": [{"name": "sys", "verdict": "bad", "value": True, "text": "So it is."}],
    }
    assert "sesame" not in out

"""`unop2p id` and `unop2p broker`."""

import asyncio
import re
import threading
from pathlib import Path

import pytest

from tests.edge.support import free_port
from unop2p.cli import identity, tongue
from unop2p.cli.common import UsageError
from unop2p.edge.errors import BrokerStartError, ProfileError
from unop2p.edge.keystore import load_identity
from unop2p.edge.languages import load


def test_who_one_is_stays_the_same_and_no_private_key_is_shown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("UNOP2P_HOME", str(tmp_path))
    assert identity.show("work") == 0
    first = capsys.readouterr().out
    assert identity.show("work") == 0
    assert capsys.readouterr().out == first
    known = load_identity(tmp_path, "work")
    assert f"fingerprint  {known.fingerprint}\n" in first
    assert f"public key   {known.public.hex()}\n" in first
    assert f"folder       {tmp_path}\n" in first
    assert known.private_key.private_bytes_raw().hex() not in first
    assert identity.show("other") == 0
    assert capsys.readouterr().out != first


def test_a_profile_that_is_no_name_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("UNOP2P_HOME", str(tmp_path))
    with pytest.raises(ProfileError):
        identity.show("../up")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("engine", ["nonsense", "", "auto "])
def test_a_broker_of_no_engine_does_not_start(engine: str) -> None:
    with pytest.raises((UsageError, BrokerStartError)):
        identity.run_broker("127.0.0.1", 0, engine)


@pytest.mark.slow
@pytest.mark.broker
def test_a_broker_says_where_it_listens_and_ends_when_interrupted(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    port = free_port()
    loops: list[asyncio.AbstractEventLoop] = []
    waiting = asyncio.Event.wait

    async def wait(self: asyncio.Event) -> bool:
        loops.append(asyncio.get_running_loop())
        task = asyncio.current_task()
        assert task is not None
        if task.get_coro().__qualname__.endswith("_until_signal"):  # type: ignore[union-attr]
            threading.Timer(0.05, lambda: loops[-1].call_soon_threadsafe(task.cancel)).start()
        return await waiting(self)

    monkeypatch.setattr(asyncio.Event, "wait", wait)
    assert identity.run_broker("127.0.0.1", port, "amqtt") == 0
    assert re.search(
        rf"The amqtt broker listens on mqtt://127.0.0.1:{port}. Ctrl-C ends it.",
        capsys.readouterr().err,
    )


@pytest.mark.parametrize("language", ["el", "he", "uk", "ro", "pl"])
def test_who_one_is_is_said_in_the_language(
    language: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("UNOP2P_HOME", str(tmp_path))
    monkeypatch.setattr(tongue, "_spoken", [load(language)])
    assert identity.show("default") == 0
    shown = capsys.readouterr().out
    for english in ("profile ", "fingerprint", "public key"):
        assert english not in shown

"""The record so far is checked in another process, from what the peer holds."""

import io
import json
import os
import sys
from dataclasses import replace
from types import SimpleNamespace

import pytest

from unop2p.deal.proved import ProvedShuffle
from unop2p.edge.verify import (
    NothingToVerifyError,
    VerifyFailedError,
    _argument,
    _lines,
    main,
    verify,
)
from unop2p.peer.core import Peer
from unop2p.rules.options import PRESETS, with_overrides
from unop2p.sim.ring import Ring
from unop2p.table.work import ARGUMENTS

pytestmark = pytest.mark.timeout(120)

STEPS = 6


@pytest.fixture(scope="module")
def peer() -> Peer:
    """A peer of two seats in the middle of a round."""
    ring = Ring(2, with_overrides(PRESETS["official"], {"target": 100}), seed=3)
    ring.run(lambda ring: all(_steps(place.peer) >= STEPS for place in ring.places))
    return ring.places[0].peer


def _steps(peer: Peer) -> int:
    return len(peer.chain.history) if peer.chain is not None else 0


async def test_what_a_peer_holds_is_checked_beside_the_game(peer: Peer) -> None:
    found = await verify(peer)
    assert peer.chain is not None
    assert found.finding == "incomplete"
    assert found.step == len(peer.chain.history)
    assert found.statements == 2 * found.step
    assert found.head == peer.chain.open.head.hex()


def test_the_process_finds_what_does_not_hold_and_who_said_it(
    peer: Peer, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert peer.chain is not None
    history = peer.chain.history
    first = history[1]
    forged = replace(first.statements[1], signature=bytes(64))
    wrong = replace(first, statements=(first.statements[0], forged))
    data = _lines(peer.chain.table.genesis, [history[0], wrong, *history[2:]], None)
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(data)))
    written = io.StringIO()
    monkeypatch.setattr(sys, "stdout", written)
    monkeypatch.setattr(os, "nice", lambda _by: 0, raising=False)
    main([])
    found = json.loads(written.getvalue())
    assert (found["finding"], found["step"], found["author"]) == ("broken", 1, "p1")
    assert "a signature does not hold" in found["reason"]


async def test_a_table_that_has_not_begun_has_nothing_to_check() -> None:
    ring = Ring(2, PRESETS["official"])
    with pytest.raises(NothingToVerifyError):
        await verify(ring.places[0].peer)


async def test_a_process_that_says_nothing_is_an_error_that_tells_what_to_do(
    peer: Peer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "executable", "/bin/false" if sys.platform != "win32" else "where")
    with pytest.raises(VerifyFailedError):
        await verify(peer)
    monkeypatch.setattr(sys, "executable", "/nowhere/at/all")
    with pytest.raises(VerifyFailedError):
        await verify(peer)
    assert "unop2p audit" in VerifyFailedError().sentence()


def test_an_argument_of_ones_own_is_named_as_it_is_loaded(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    class Mine(ProvedShuffle):
        pass

    monkeypatch.setitem(ARGUMENTS, "mine", Mine())
    assert _argument("mine") == f"{Mine.__module__}:{Mine.__qualname__}"
    assert _argument("proved") == ""

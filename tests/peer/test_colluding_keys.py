"""Seats that choose their round keys together: harmless to the others, and no way to stop a match."""

from dataclasses import replace

import pytest

from tests.peer.test_faults import peer_with
from tests.peer.test_ring import SHORT
from unop2p.deal.group import Q, base_mul
from unop2p.deal.keys import RoundKeys, commitment
from unop2p.deal.secret import Secret
from unop2p.ids import Seat
from unop2p.peer.chain import Chain
from unop2p.sim.ring import Ring
from unop2p.table import notices
from unop2p.wire.audit import Finding, audit

X = 0x5EED


class Chosen(Chain):
    """Uses a key that was agreed on, in the first round; `factor` times X."""

    __slots__ = ()
    factor = 1

    def _round_keys(self) -> RoundKeys:
        fresh = self.keys is None and self.state.round_index == 0
        keys = super()._round_keys()
        if fresh:
            secret = Secret(self.factor * X % Q)
            public = base_mul(secret.expose())
            said = commitment(
                keys.coin_seed,
                public,
                keys.box_public,
                b"",
                self.table.offer.table,
                0,
                self.seat or 0,
            )
            keys = self.keys = replace(keys, secret=secret, public=public, commitment=said)
        if self.own is not None:
            self.own.secret = keys.secret
        return keys


class Opposite(Chosen):
    __slots__ = ()
    factor = -1


def all_voided(ring: Ring) -> list[list[notices.RoundVoid]]:
    return [[n for n in p.notices if isinstance(n, notices.RoundVoid)] for p in ring.places]


def check_end(ring: Ring) -> None:
    assert len(ring.heads()) == 1
    for place in ring.places:
        assert place.stop is not None
        assert place.stop.exit_code == 0, place.stop.reason
        report = audit(place.record)
        assert report.finding is Finding.COMPLETE, report.reason


@pytest.mark.slow
@pytest.mark.parametrize("other", [Chosen, Opposite], ids=["equal", "opposite"])
def test_two_seats_with_one_secret_cannot_stop_the_match_of_a_third(other: type[Chain]) -> None:
    ring = Ring(3, SHORT, seed=4, peers={0: peer_with(Chosen), 2: peer_with(other)})
    ring.run()
    check_end(ring)
    assert not any(all_voided(ring))


@pytest.mark.slow
def test_a_round_whose_keys_all_cancel_out_is_void_and_dealt_anew_with_others() -> None:
    ring = Ring(2, SHORT, seed=4, peers={0: peer_with(Chosen), 1: peer_with(Opposite)})
    ring.run(lambda r: all(p.peer.chain and p.peer.chain.state.round_index for p in r.places))
    chain = ring.places[0].peer.chain
    assert chain is not None
    state = chain.state
    assert (state.round, state.match, state.cards, state.keys) == (None, None, {}, {})
    assert (
        all_voided(ring)
        == [
            [
                notices.RoundVoid(
                    number=1, reason="its keys cancel out, so that every card would lie open"
                )
            ]
        ]
        * 2
    )
    assert audit(ring.places[0].record).finding is Finding.INCOMPLETE
    ring.run()
    check_end(ring)
    began = [n for n in ring.places[0].notices if isinstance(n, notices.RoundBegan)]
    assert [n.number for n in began] == [2]
    assert chain.state.match is not None
    assert chain.state.match.rounds_played == 1
    assert isinstance(chain.seat, int)
    assert chain.seat == Seat(0)

"""Saying where one stands, asking and answering: what waits until it is due is never late."""

from random import Random

import pytest

from tests.peer.standing import chain_of, standing_in
from tests.peer.test_ring import SHORT
from unop2p.ids import Seat
from unop2p.peer import events
from unop2p.peer.asking import ASK_EVERY_MS_MAX
from unop2p.peer.chain import Chain
from unop2p.peer.desk import Desk
from unop2p.peer.gossip import Gossip
from unop2p.sim.ring import Network, Ring
from unop2p.sim.toy import in_toy_group
from unop2p.table.phases import Phase


@pytest.mark.parametrize(("seats", "seed", "killing"), [(2, 1, 0), (4, 3, 0), (2, 4, 1), (3, 2, 1)])
def test_who_waits_until_something_is_due_has_missed_nothing(
    monkeypatch: pytest.MonkeyPatch, seats: int, seed: int, killing: int
) -> None:
    tick = Gossip.tick
    waited = 0

    def tick_and_look(gossip: Gossip, chain: Chain) -> None:
        nonlocal waited
        wake = gossip.due_ms
        tick(gossip, chain)
        waited += gossip.due_ms == wake
        said, quiet = len(gossip.desk._effects), chain.quiet
        assert gossip._act(chain) >= gossip.due_ms > gossip.desk.now_ms
        assert (len(gossip.desk._effects), chain.quiet) == (said, quiet)

    rng = Random(seed)

    def crash(_index: int, _number: int, effect: events.Effect) -> bool:
        return isinstance(effect, events.Publish) and rng.randrange(100) < killing

    monkeypatch.setattr(Gossip, "tick", tick_and_look)
    with in_toy_group():
        network = Network(loss=15, repeat=10, reorder=30)
        ring = Ring(seats, SHORT, seed=seed, network=network, crash=crash)
        ring.run()
    assert waited
    assert all(place.stop is not None and not place.stop.exit_code for place in ring.places)
    assert bool(sum(place.crashes for place in ring.places)) == bool(killing)


def test_who_is_behind_asks_at_once_and_at_the_end_too() -> None:
    with in_toy_group():
        ring = Ring(2, SHORT, seed=1)
        ring.run()
    peer = ring.places[0].peer
    gossip, chain, desk = peer.gossip, peer.chain, peer.desk
    assert chain is not None
    assert chain.state.over
    desk.now_ms += ASK_EVERY_MS_MAX
    gossip.tick(chain)
    desk.take()
    gossip.tick(chain)
    assert not published(desk)
    gossip.on_heard(chain, Seat(1), chain.open.step + 1)
    gossip.tick(chain)
    assert len(published(desk)) == 1
    gossip.tick(chain)
    assert not published(desk)
    gossip.ask_soon()
    gossip.tick(chain)
    assert len(published(desk)) == 1


def published(desk: Desk) -> list[events.Effect]:
    return [effect for effect in desk.take() if isinstance(effect, events.Publish)]


def test_who_is_back_waits_for_the_answers_of_all_who_can_be_reached_and_for_nobody_else() -> None:
    with standing_in(Phase.TURN) as ring:
        gossip, chain = ring.places[0].peer.gossip, chain_of(ring, 0)
        others = [seat for seat in chain.state.voters if seat != chain.seat]
        away = others[-1]
        chain.state.away = {away: 1}
        gossip.replied.clear()
        gossip.quiet_until_ms = chain.desk.now_ms + 5_000
        assert not gossip._all_replied(chain)
        for seat in others[:-1]:
            assert not gossip._all_replied(chain)
            gossip.on_reply(seat)
        assert gossip._all_replied(chain)
        gossip.on_heard(chain, away, None)  # it can be reached after all
        assert not gossip._all_replied(chain)
        gossip.on_reply(away)
        assert gossip._all_replied(chain)
        chain.state.away = dict.fromkeys(others, 1)
        gossip.replied.clear()
        gossip.here.clear()
        assert not gossip._all_replied(chain)  # nobody at all is nobody's answer

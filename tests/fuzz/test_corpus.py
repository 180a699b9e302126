"""What the fuzzer starts from and has found stays refused; and changes by chance, a few more each time."""

import random

import pytest

from tests.fuzz.target import INSIDER, alone, did, kept, mutated, place_in, run_one, seeds
from tests.peer.test_core import carry, sealed
from unop2p.peer import events
from unop2p.sim.toy import in_toy_group
from unop2p.table.phases import Phase
from unop2p.table.talk import Tell
from unop2p.wire import codec

pytestmark = pytest.mark.slow
CHANGES = 300


def test_every_real_message_is_taken_by_every_way_in_without_harm() -> None:
    for data in seeds():
        run_one(data)


def test_what_was_found_once_does_no_harm() -> None:
    assert len(kept()) > 20
    for data in kept():
        run_one(data)


@pytest.mark.parametrize("seed", range(2))
def test_real_messages_with_something_changed_do_no_harm(seed: int) -> None:
    rng = random.Random(seed)
    begun = seeds()
    for _ in range(CHANGES):
        data = rng.choice(begun)
        for _ in range(rng.randint(1, 3)):
            data = mutated(data, rng)
        run_one(data)


def test_junk_in_the_moment_in_which_a_step_settles_by_time_alone_is_as_nothing() -> None:
    """A seat has relayed what the others said; our own word, due after a restart, settles the step.

    So a peer that has heard a seat before may settle a step while it hears junk: the junk does not do it.
    """
    with in_toy_group():
        place = place_in(Phase.COMMIT)
        chain = place_in(Phase.TURN).peer().chain
        assert chain is not None
        certificate = chain.history[0]
        public = [p.key.public_key().public_bytes_raw() for p in place.ring.places]
        items = (*certificate.statements, *certificate.adopts)
        others = tuple(item for item in items if item.author != public[0])
        tell = Tell(to=public[0], items=others, step=1, nonce=bytes(16))
        signed = codec.sign(place.ring.places[INSIDER].key, public[INSIDER], tell)
        told = events.Received(data=sealed(codec.pack(signed), 1))
        found: list[list[object]] = []
        for data in (b"junk", None):
            peer = place.peer()
            carry(peer, peer.handle(told, now_ms=place.at_ms(0)), place.at_ms(0))
            effects = [effect for at in range(1, 7) for effect in did(peer, data, place.at_ms(at))]
            found.append(effects)
            assert any(isinstance(effect, events.Settled) for effect in effects)
        assert found[0] == found[1]
        heard_nothing = [effect for effects in alone(place, 6) for effect in effects]
        assert not any(isinstance(effect, events.Settled) for effect in heard_nothing)

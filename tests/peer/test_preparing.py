"""A seat prepares its shuffle while the seats before are at theirs, once, and uses it once."""

from tests.peer.test_ring import SHORT
from unop2p.peer import events
from unop2p.sim.ring import Place, Ring


def jobs(argument: str, seats: int) -> tuple[Ring, list[tuple[int, str]]]:
    """Deal one round's deck, and note in order which work each peer asks for while it shuffles."""
    asked: list[tuple[int, str]] = []

    class Noting(Ring):
        def _carry_out(self, index: int, place: Place, effect: events.Effect) -> None:
            if isinstance(effect, events.Compute) and effect.job[1] == 2:  # the step of the shuffle
                asked.append((index, effect.job[0]))
            super()._carry_out(index, place, effect)

    ring = Noting(seats, SHORT, seed=4, argument=argument)
    ring.run(lambda r: all(p.peer.chain and p.peer.chain.open.step > 2 for p in r.places))
    return ring, asked


def test_every_seat_but_the_first_prepares_once_and_makes_once() -> None:
    ring, asked = jobs("proved", 3)
    made = [index for index, kind in asked if kind == "make"]
    prepared = [index for index, kind in asked if kind == "prepare"]
    assert sorted(made) == [0, 1, 2]
    first = ring.places[0].peer.chain
    assert first is not None
    assert sorted(prepared) == sorted({0, 1, 2} - {made[0]})
    assert len(ring.heads()) == 1
    for index in prepared:
        assert asked.index((index, "prepare")) < asked.index((index, "make"))


def test_what_was_prepared_is_forgotten_with_its_step() -> None:
    ring, _ = jobs("proved", 3)
    for place in ring.places:
        assert place.peer.chain is not None
        assert place.peer.chain.prepared is None
        assert not place.peer.chain.preparing


def test_an_argument_that_cannot_prepare_is_not_asked_to() -> None:
    _, asked = jobs("commit-reveal", 3)
    assert {kind for _, kind in asked} == {"make", "check"}

"""The reader opens what it may, and what a leak lets it."""

import pytest

from unop2p.ids import Seat
from unop2p.sim.lab.reader import Learned, Reader, coalitions, deck_truth
from unop2p.sim.lab.run import Plan, options_for, run
from unop2p.sim.ring import Ring
from unop2p.sim.toy import in_toy_group
from unop2p.table.phases import Phase

BOTH = (Seat(0), Seat(1))


def test_readers_are_everybody_alone_every_group_but_one_and_who_listens() -> None:
    assert coalitions(3) == ((), (0,), (1,), (2,), (0, 1), (0, 2), (1, 2))
    assert coalitions(2) == ((), (0,), (1,))


def dealt() -> Ring:
    ring = Ring(2, options_for("official", 1), seed=7)
    ring.run(
        lambda r: all(
            p.peer.chain is not None and p.peer.chain.state.plan.phase is Phase.TURN
            for p in r.places
        )
    )
    return ring


def test_a_seat_reads_its_hand_and_only_both_together_read_the_pile() -> None:
    with in_toy_group():
        ring = dealt()
        reader = Reader(2)
        reader.learned[BOTH] = Learned()
        reader.read(ring, range(2))
    assert len(reader.learned[Seat(0),].own) == 7
    assert reader.learned[Seat(0),].too_much == reader.learned[()].too_much == 0
    assert len(reader.learned[BOTH].own) == 14
    assert len(reader.learned[BOTH].pile) == 112 - 15


def test_a_reader_who_gets_a_key_reads_that_hand() -> None:
    with in_toy_group():
        ring = dealt()
        reader = Reader(2)
        chains = [place.peer.chain for place in ring.places]
        assert chains[0] is not None
        assert chains[1] is not None
        chains[0].keys, chains[1].keys = chains[1].keys, chains[0].keys
        reader.read(ring, range(2))
    # Seat 0 holds the key of seat 1 now, and seat 1 that of seat 0: each is taken for its own.
    assert not reader.learned[Seat(0),].own


def test_a_fair_deck_is_as_it_should_be() -> None:
    with in_toy_group():
        ring = Ring(2, options_for("official", 1), seed=7)
        ring.run(
            lambda r: all(
                p.peer.chain is not None and p.peer.chain.state.plan.phase is Phase.DEAL
                for p in r.places
            )
        )
        chain = ring.places[0].peer.chain
        assert chain is not None
        assert deck_truth(ring, chain) is None
        chain.state.pile = chain.state.pile[1:]
        missing = deck_truth(ring, chain)
    assert missing is not None
    assert missing.startswith("-1 ")


@pytest.mark.slow
def test_over_a_whole_round_each_seat_learns_its_own_cards_and_no_other() -> None:
    report = run(Plan(peers=3, group="toy"))
    assert report.learned_too_much == 0
    assert report.cards_looked_at > 500
    assert all(len(report.learned[Seat(seat),].own) >= 7 for seat in range(3))

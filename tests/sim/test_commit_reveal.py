"""Tables whose shuffles are replayed: they end alike, and a false shuffle is named by the round's end."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from tests.peer.test_faults import assert_named, peer_with
from tests.peer.test_ring import SHORT
from unop2p.deal.entropy import seeded_entropy
from unop2p.deal.group import encode_scalar
from unop2p.deal.masking import MaskedCard, encode_cards, remask
from unop2p.log.messages import Statement
from unop2p.peer import events
from unop2p.peer.chain import Chain
from unop2p.peer.own import OwnHand
from unop2p.rules.options import Options, with_overrides
from unop2p.sim.ring import Network, Ring
from unop2p.table import bodies, notices
from unop2p.table.checks import shuffle_task
from unop2p.table.phases import Phase
from unop2p.table.state import TableState
from unop2p.table.work import ARGUMENTS, Checked, CheckedShuffle, take_shuffle
from unop2p.wire import codec
from unop2p.wire.audit import Finding, audit

NAME = "commit-reveal"


def table(
    seats: int = 3,
    seed: int = 3,
    *,
    options: Options = SHORT,
    chain: type[Chain] | None = None,
    cheat: int = 1,
    network: Network | None = None,
) -> Ring:
    peers = {} if chain is None else {cheat: peer_with(chain)}
    return Ring(seats, options, seed=seed, argument=NAME, peers=peers, network=network)


def told(ring: Ring, kind: type) -> list[notices.Notice]:
    return [notice for notice in ring.places[0].notices if isinstance(notice, kind)]


def run_against(ring: Ring, cheat: int = 1) -> None:
    ring.run(lambda r: all(p.stop for i, p in enumerate(r.places) if i != cheat))


# -- honest tables -----------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("seats", [2, 4])
def test_a_round_counts_after_every_shuffle_was_replayed_and_its_record_is_complete(
    seats: int,
) -> None:
    ring = table(seats, 7)
    ring.run()
    assert all(place.stop is not None and place.stop.exit_code == 0 for place in ring.places)
    assert len(ring.heads()) == 1
    kinds = [type(notice) for notice in ring.places[0].notices]
    assert kinds.index(notices.ShufflesReplayed) < kinds.index(notices.RoundEnded)
    report = audit(ring.places[-1].record)
    assert report.finding is Finding.COMPLETE, report.reason
    seen = b"".join(ring.places[0].record)
    assert seen.count(rb"\"kind\":\"seed\"") == seats * len(report.rounds)


@pytest.mark.slow
def test_seeds_are_the_last_that_is_said_in_a_round() -> None:
    ring = table(2, 5)
    ring.run()
    for place in ring.places:
        said = [codec.decode(signed.payload) for signed in place.said]
        bodies_said = [m.body for m in said if isinstance(m, Statement)]
        assert isinstance(bodies_said[-1], bodies.ShownSeed)
        assert sum(isinstance(body, bodies.ShownSeed) for body in bodies_said) == 1


@pytest.mark.slow
def test_hands_that_pass_on_are_shuffles_that_are_replayed_too() -> None:
    options = with_overrides(SHORT, {"hand_moves": ["zero_rotates", "seven_swaps"]})
    ring = table(2, 6, options=options)
    ring.run()
    assert len(ring.heads()) == 1
    (replayed,) = told(ring, notices.ShufflesReplayed)
    moved = told(ring, notices.HandsMoved)
    assert moved
    assert replayed == notices.ShufflesReplayed(steps=1 + len(moved), seats=2)
    assert audit(ring.places[0].record).finding is Finding.COMPLETE


@pytest.mark.slow
def test_what_the_hands_show_is_known_to_the_checks_of_hidden_rules_too() -> None:
    ring = table(2, 7)

    def at_seeds(r: Ring) -> bool:
        chain = r.places[0].peer.chain
        return chain is not None and chain.state.plan.phase is Phase.SEEDS

    ring.run(at_seeds)
    chain = ring.places[0].peer.chain
    assert chain is not None
    left = {position for hand in chain.state.hands.values() for position in hand}
    assert left
    assert left <= chain.state.hindsight.faces.keys()


@pytest.mark.slow
def test_a_bad_network_and_a_crash_cost_no_agreement() -> None:
    ring = table(3, 11, network=Network(loss=10, repeat=20, reorder=40))
    ring.run(lambda r: bool(r.places[1].secrets) and len(r.places[1].entries) > 12)
    ring.crash(1)
    ring.run()
    assert len(ring.heads()) == 1
    for place in ring.places:
        assert place.stop is not None
        assert place.stop.exit_code == 0, place.stop.reason
    for index in range(3):
        assert all(len(said) == 1 for said in ring.statements(index).values())


@pytest.mark.slow
def test_a_peer_killed_between_showing_its_seed_and_the_end_shows_it_again() -> None:
    died: list[int] = []

    def crash(index: int, _number: int, effect: events.Effect) -> bool:
        due = index == 1 and isinstance(effect, events.Publish) and not died
        chain = ring.places[1].peer.chain
        if due and chain is not None and chain.state.plan.phase is Phase.SEEDS:
            died.append(index)
            return True
        return False

    ring = Ring(2, SHORT, seed=5, argument=NAME, crash=crash)
    ring.run()
    assert died
    assert len(ring.heads()) == 1
    assert all(place.stop is not None and place.stop.exit_code == 0 for place in ring.places)


# -- cheats ------------------------------------------------------------------------------------


class FalseShuffle(Chain):
    """Gives other outputs than its seed does, in the first shuffle of the round."""

    __slots__ = ()

    def outputs(self, cards: Sequence[MaskedCard]) -> bytes:
        raise AssertionError

    def _say(self, body: bodies.Body, checked: Checked) -> None:
        if isinstance(body, bodies.Shuffled) and not self.state.shuffles:
            assert self.seat is not None
            task = shuffle_task(self.state, self.seat, self.said())
            assert task is not None
            (cards,) = task._inputs()
            (part,) = body.parts
            body = replace(body, parts=(replace(part, cards=self.outputs(cards)),))
            checked = CheckedShuffle(
                parts=tuple(deck.trusted() for deck in take_shuffle(body, task.counts))
            )
        super()._say(body, checked)


class OtherSeed(FalseShuffle):
    """Shuffles honestly, but not as it has committed to."""

    __slots__ = ()

    def outputs(self, cards: Sequence[MaskedCard]) -> bytes:
        assert self.state.joint is not None
        argument = ARGUMENTS[NAME]
        outputs, _ = argument.shuffle(
            self.state.context(self.state.seats[0]),
            self.state.joint,
            cards,
            seeded_entropy(b"another"),
        )
        return outputs


class CardTwice(FalseShuffle):
    """Puts one card in the place of half of the deck."""

    __slots__ = ()

    def outputs(self, cards: Sequence[MaskedCard]) -> bytes:
        joint = self.state.joint
        assert joint is not None
        half = len(cards) // 2
        kept = [cards[0]] * half + list(cards[half:])
        return encode_cards(remask(card, 100 + i, joint) for i, card in enumerate(kept))


class NoFaces(FalseShuffle):
    """Puts points there that are no faces."""

    __slots__ = ()

    def outputs(self, cards: Sequence[MaskedCard]) -> bytes:
        joint = self.state.joint
        assert joint is not None
        moved = [MaskedCard(card.c1, joint) for card in cards]
        return encode_cards(remask(card, 100 + i, joint) for i, card in enumerate(moved))


class NoFacesForOne(FalseShuffle):
    """Spoils every third card, so that the first discard may be whole and a hand is not."""

    __slots__ = ()

    def outputs(self, cards: Sequence[MaskedCard]) -> bytes:
        joint = self.state.joint
        assert joint is not None
        moved = [
            MaskedCard(card.c1, joint) if index in {0, 1, 2, 4, 5} else card
            for index, card in enumerate(cards)
        ]
        return encode_cards(remask(card, 100 + i, joint) for i, card in enumerate(moved))


class FalseSeed(Chain):
    __slots__ = ()

    def _say(self, body: bodies.Body, checked: Checked) -> None:
        if isinstance(body, bodies.ShownSeed):
            body = replace(body, seed=encode_scalar(5))
        super()._say(body, checked)


class NoSeedPoint(Chain):
    __slots__ = ()

    def _say(self, body: bodies.Body, checked: Checked) -> None:
        if isinstance(body, bodies.Commit):
            body = replace(body, shuffle_seed=b"")
        super()._say(body, checked)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("chain", "early", "cheat"),
    [(OtherSeed, False, 2), (CardTwice, True, 0), (NoFaces, True, 2), (NoFacesForOne, True, 0)],
)
def test_a_false_shuffle_is_named_by_all_and_its_round_does_not_count(
    chain: type[Chain], early: bool, cheat: int
) -> None:
    ring = table(chain=chain, cheat=cheat)
    run_against(ring, cheat)
    assert_named(ring, cheat)
    honest = next(index for index in range(3) if index != cheat)
    place = ring.places[honest]
    assert place.peer.chain is not None
    assert place.peer.chain.fault is not None
    assert "its seed gives" in place.peer.chain.fault.reason
    kinds = {type(notice) for notice in place.notices}
    ended = [n.number for n in place.notices if isinstance(n, notices.RoundEnded)]
    assert 1 not in ended
    assert (notices.DealDoubted in kinds) == early
    report = audit(place.record)
    assert len(report.rounds) == len(ended)


@pytest.mark.slow
def test_cards_that_are_no_faces_end_the_round_before_a_card_is_played() -> None:
    ring = table(chain=NoFaces, cheat=1)
    run_against(ring)
    kinds = [type(notice) for notice in ring.places[0].notices]
    assert notices.MoveMade not in kinds[: kinds.index(notices.RoundVoid)]
    assert told(ring, notices.DealDoubted) != []


@pytest.mark.slow
@pytest.mark.parametrize("chain", [FalseSeed, NoSeedPoint])
def test_a_false_seed_is_a_fault_of_its_author(chain: type[Chain]) -> None:
    ring = table(chain=chain)
    run_against(ring)
    assert_named(ring, 1)


class FalseDoubt(Chain):
    """Doubts cards that are as they should be, at its first turn."""

    __slots__ = ()

    def _doubt(self) -> bool:
        assert self.seat is not None
        hand = tuple(self.state.hands[self.seat][:2])
        real = OwnHand.doubtful
        try:
            OwnHand.doubtful = lambda _self, _state: hand  # type: ignore[method-assign,assignment]
            return super()._doubt()
        finally:
            OwnHand.doubtful = real  # type: ignore[method-assign]


class DoubtsOthers(Chain):
    """Doubts cards of somebody else's hand."""

    __slots__ = ()

    def _say(self, body: bodies.Body, checked: Checked) -> None:
        if isinstance(body, bodies.Played | bodies.Drew):
            other = next(seat for seat in self.state.seats if seat != self.seat)
            body = bodies.Doubted(positions=(self.state.hands[other][0],), opening=b"")
        super()._say(body, checked)


@pytest.mark.slow
@pytest.mark.parametrize("chain", [FalseDoubt, DoubtsOthers])
def test_a_doubt_without_ground_is_a_fault_of_its_author(chain: type[Chain]) -> None:
    ring = table(chain=chain)
    run_against(ring)
    assert_named(ring, 1)


@pytest.mark.slow
def test_a_doubt_at_a_table_whose_shuffles_are_proved_is_a_fault() -> None:
    ring = Ring(3, SHORT, seed=3, peers={1: peer_with(DoubtsOthers)})
    run_against(ring)
    assert_named(ring, 1)


class LyingState(TableState):
    """Sees more cards than there are: nobody has cheated, and no shuffle is false."""

    __slots__ = ()

    def seen(self, without: tuple[int, ...] = ()) -> tuple[object, ...]:  # type: ignore[override]
        faces = super().seen(without)
        return faces * 20 if self.step > 8 else faces


@pytest.mark.slow
def test_a_doubt_that_no_shuffle_explains_makes_the_round_void_and_the_match_goes_on() -> None:
    ring = table(2, 5)
    ring.run(lambda r: all(p.peer.chain is not None for p in r.places))
    for place in ring.places:
        assert place.peer.chain is not None
        place.peer.chain.state.__class__ = LyingState
    ring.run(lambda r: all(p.peer.chain.state.round_index == 1 for p in r.places))  # type: ignore[union-attr]
    (void,) = told(ring, notices.RoundVoid)
    assert "more often than in the deck" in str(void)
    assert told(ring, notices.RoundEnded) == []
    for place in ring.places:
        chain = place.peer.chain
        assert chain is not None
        assert chain.state.match is not None
        assert chain.state.match.rounds_played == 0
        assert not chain.state.over
        chain.state.__class__ = TableState
    ring.run()
    assert len(ring.heads()) == 1
    assert all(place.stop is not None and place.stop.exit_code == 0 for place in ring.places)

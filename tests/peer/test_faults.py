"""A peer that breaks the protocol is named by every honest one, and nobody else ever is."""

from dataclasses import replace

import pytest

from tests.peer.test_ring import SHORT
from unop2p.deal.entropy import seeded_entropy
from unop2p.deal.group import BASE
from unop2p.ids import Seat
from unop2p.log.messages import Adopt, Statement, close_digest
from unop2p.peer.chain import Chain
from unop2p.peer.core import Peer
from unop2p.sim.ring import SEALING_KEY, Network, Ring
from unop2p.sim.toy import in_toy_group
from unop2p.table import bodies, notices
from unop2p.table.talk import Tell
from unop2p.table.work import ARGUMENTS, Checked
from unop2p.wire import codec
from unop2p.wire.audit import Finding, audit
from unop2p.wire.proofs import ADOPTS_WRONG
from unop2p.wire.sealing import Sealer


class CheatChain(Chain):
    __slots__ = ()

    def cheat(self, body: bodies.Body) -> bodies.Body:
        raise AssertionError

    def _say(self, body: bodies.Body, checked: Checked) -> None:
        super()._say(self.cheat(body), checked)


def peer_with(chain_class: type[Chain]) -> type[Peer]:
    class Cheat(Peer):
        def _begin_chain(self) -> None:
            super()._begin_chain()
            if self.chain is not None:
                self.chain.__class__ = chain_class

    return Cheat


class FalseShare(CheatChain):
    __slots__ = ()

    def cheat(self, body: bodies.Body) -> bodies.Body:
        if isinstance(body, bodies.Shares):
            return replace(body, data=BASE.encoded + body.data[32:])
        return body


class FalseShuffle(CheatChain):
    __slots__ = ()

    def cheat(self, body: bodies.Body) -> bodies.Body:
        if isinstance(body, bodies.Shuffled):
            (part,) = body.parts
            twice = part.cards[:64] + part.cards[:64] + part.cards[128:]
            return replace(body, parts=(replace(part, cards=twice),))
        return body


class UnreadableShuffle(CheatChain):
    __slots__ = ()

    def cheat(self, body: bodies.Body) -> bodies.Body:
        if isinstance(body, bodies.Shuffled):
            (part,) = body.parts
            return replace(body, parts=(replace(part, cards=b"\xff" * 64 + part.cards[64:]),))
        return body


class CardNotHeld(CheatChain):
    __slots__ = ()

    def cheat(self, body: bodies.Body) -> bodies.Body:
        if isinstance(body, bodies.Played):
            assert self.seat is not None
            other = next(seat for seat in self.state.seats if seat != self.seat)
            return replace(body, positions=(self.state.hands[other][0],))
        return body


class OtherFace(CheatChain):
    __slots__ = ()

    def cheat(self, body: bodies.Body) -> bodies.Body:
        if isinstance(body, bodies.Played):
            assert self.own is not None
            assert self.state.round is not None
            shown = body.cards[0]
            wrong = next(
                f
                for f in self.state.deck_faces()
                if f != shown and not f.is_wild and self.state.round.matches(f)
            )
            return replace(body, cards=(wrong,), color=None)
        return body


class PositionTwice(CheatChain):
    __slots__ = ()

    def cheat(self, body: bodies.Body) -> bodies.Body:
        if isinstance(body, bodies.Played):
            return replace(body, positions=body.positions * 2, cards=body.cards * 2)
        return body


class SeatFromNowhere(CheatChain):
    __slots__ = ()

    def cheat(self, body: bodies.Body) -> bodies.Body:
        if isinstance(body, bodies.Played):
            return replace(body, target=Seat(77))
        return body


class WrongPhase(CheatChain):
    __slots__ = ()

    def cheat(self, body: bodies.Body) -> bodies.Body:
        return bodies.Drew() if isinstance(body, bodies.Reveal) else body


class OtherReveal(CheatChain):
    __slots__ = ()

    def cheat(self, body: bodies.Body) -> bodies.Body:
        return replace(body, seed=bytes(32)) if isinstance(body, bodies.Reveal) else body


class ShuffleOnOther(CheatChain):
    """Builds its shuffle on the statement of a seat that is not the one before it."""

    __slots__ = ()

    def cheat(self, body: bodies.Body) -> bodies.Body:
        order = self.state.plan.speakers
        if not isinstance(body, bodies.Shuffled) or self.seat == order[0]:
            return replace(body, base=bytes(32)) if isinstance(body, bodies.Shuffled) else body
        if self.seat == order[1]:
            return replace(body, base=self.state.head)
        return replace(body, base=self.open.statements[order[0]].signed.hash)


class ShuffleOfTooFew(CheatChain):
    __slots__ = ()

    def cheat(self, body: bodies.Body) -> bodies.Body:
        if isinstance(body, bodies.Shuffled):
            (part,) = body.parts
            return replace(body, base=bytes(32), parts=(replace(part, cards=part.cards[64:]),))
        return body


CHEATS = (
    FalseShare,
    FalseShuffle,
    UnreadableShuffle,
    CardNotHeld,
    OtherFace,
    PositionTwice,
    SeatFromNowhere,
    WrongPhase,
    OtherReveal,
    ShuffleOfTooFew,
)


def assert_forked(ring: Ring, cheat: int) -> None:
    """Check that every honest peer has seen two closes of one step, and what came after is void."""
    for index, place in enumerate(ring.places):
        if index == cheat:
            continue
        told = [n for n in place.notices if isinstance(n, notices.HistoryForked)]
        assert [(n.step, n.seats) for n in told] == [(0, (Seat(cheat),))]
        assert any(isinstance(n, notices.RoundVoid) for n in place.notices)
    assert_named(ring, cheat)
    assert (
        len({place.peer.chain.state.head for place in ring.places[:cheat] if place.peer.chain}) == 1
    )


def assert_named(ring: Ring, cheat: int) -> None:
    """Check that every honest peer has put out the cheat, and has played on without it."""
    key = ring.places[cheat].key.public_key().public_bytes_raw()
    for index, place in enumerate(ring.places):
        chain = place.peer.chain
        assert chain is not None
        if index == cheat:
            continue
        assert chain.fault is not None
        assert chain.fault.author == key
        assert place.stop is not None
        assert place.stop.exit_code == 0, place.stop.reason
        assert chain.state.gone == {cheat: "expelled"}
        # Where shuffles are replayed who shows a false seed counts as silent first.
        *_, expelled = [n for n in place.notices if isinstance(n, notices.SeatExpelled)]
        assert expelled.seat == cheat
        report = audit(place.record)
        assert report.finding is Finding.FAULT, report.reason
        assert report.author == f"p{cheat}"


@pytest.mark.slow
@pytest.mark.parametrize("chain_class", CHEATS, ids=lambda cheat: cheat.__name__)
@pytest.mark.parametrize("cheat", [0, 2])
def test_a_cheat_is_named_by_all_and_the_record_proves_it(
    chain_class: type[CheatChain], cheat: int
) -> None:
    ring = Ring(3, SHORT, seed=3, peers={cheat: peer_with(chain_class)})
    ring.run(lambda r: all(p.stop for i, p in enumerate(r.places) if i != cheat))
    assert_named(ring, cheat)


@pytest.mark.parametrize("place", [0, 1, 2])
def test_a_shuffle_on_what_can_never_be_the_one_before_is_evidence(place: int) -> None:
    cheat = shuffle_order(3)[place]
    ring = Ring(3, SHORT, seed=3, peers={cheat: peer_with(ShuffleOnOther)})
    ring.run(lambda r: all(p.stop for i, p in enumerate(r.places) if i != cheat))
    assert_named(ring, cheat)


def shuffle_order(seed: int) -> tuple[int, ...]:
    """Return who shuffles when, with this seed of three seats: the dealer is drawn before."""
    ring = Ring(3, SHORT, seed=seed)
    ring.run(lambda r: all(p.peer.chain and p.peer.chain.state.match for p in r.places))
    chain = ring.places[0].peer.chain
    assert chain is not None
    return chain.state.shuffle_order()


class ShuffleOnNothing(CheatChain):
    """Names a shuffle before it that nobody has seen."""

    __slots__ = ()

    def cheat(self, body: bodies.Body) -> bodies.Body:
        return replace(body, base=bytes(32)) if isinstance(body, bodies.Shuffled) else body


def test_a_shuffle_on_an_unknown_statement_counts_as_not_made_and_made_again_it_is_evidence() -> (
    None
):
    """It may build on what its author alone was told; in the next step nobody can have told it."""
    _, second, last = shuffle_order(3)
    ring = Ring(3, SHORT, seed=3, peers={second: peer_with(ShuffleOnNothing)})
    honest = [place for index, place in enumerate(ring.places) if index != second]
    first = ring.places[last].peer
    ring.run(lambda _: first.chain is not None and first.chain.open.step > 2)
    for place in honest:
        assert place.peer.chain is not None
        assert place.peer.chain.fault is None
        waited = [n.seats for n in place.notices if isinstance(n, notices.Waiting)]
        assert {frozenset(seats) for seats in waited[1:]} == {frozenset({second})}
    assert chain_at(ring, last).state.plan.speakers == (second, last)
    ring.run(lambda _: all(place.stop for place in honest))
    assert_named(ring, second)


def chain_at(ring: Ring, index: int) -> Chain:
    chain = ring.places[index].peer.chain
    assert chain is not None
    return chain


class TwoShuffles(Chain):
    """Says a second shuffle beside its own: the next seat gets that one alone."""

    __slots__ = ()

    def _say(self, body: bodies.Body, checked: Checked) -> None:
        super()._say(body, checked)
        if isinstance(body, bodies.Shuffled):
            other = ARGUMENTS["proved"].shuffle(
                self.state.context(self.seat or Seat(0)),
                self.state.joint or BASE,
                self.state.plan.inputs[0],
                seeded_entropy(b"another"),
            )
            statement = Statement(
                table=self.table.offer.table,
                step=self.open.step,
                head=self.open.head,
                body=replace(body, parts=(bodies.ShuffledPart(cards=other[0], proof=other[1]),)),
            )
            self.desk.publish(self.desk.sign(statement))


def test_who_shuffles_in_two_ways_is_named_and_not_the_seat_that_built_on_one() -> None:
    cheat, second, _ = shuffle_order(3)
    sealer = Sealer(SEALING_KEY)
    seen: list[bytes] = []

    def blocked(sender: int, receiver: int, data: bytes) -> bool:
        if sender != cheat:
            return False
        signed = codec.unpack(sealer.open(data))
        message = codec.decode(signed.payload)
        if not isinstance(message, Statement) or not isinstance(message.body, bodies.Shuffled):
            return isinstance(message, Tell)
        if signed.hash not in seen:
            seen.append(signed.hash)
        return (seen.index(signed.hash) == 1) != (receiver == second)

    ring = Ring(
        3,
        SHORT,
        seed=3,
        peers={cheat: peer_with(TwoShuffles)},
        network=Network(blocked=blocked),
    )
    ring.run(lambda r: all(p.stop for i, p in enumerate(r.places) if i != cheat))
    assert len(seen) == 2
    assert_named(ring, cheat)


class TwoStatements(Chain):
    """Says one thing to some and another to others, and nothing of it to itself."""

    __slots__ = ()

    def _say(self, body: bodies.Body, checked: Checked) -> None:
        super()._say(body, checked)
        if isinstance(body, bodies.Commit):
            self.desk.publish(self.desk.sign(self.other()))

    def other(self) -> Statement:
        return Statement(
            table=self.table.offer.table,
            step=0,
            head=self.table.head,
            body=bodies.Commit(digest=bytes(32)),
        )


class TwoStatementsAndAdopts(TwoStatements):
    __slots__ = ()

    def _adopt(self) -> None:
        due = self.open.step == 0 and not self.adopted and self.open.complete()
        super()._adopt()
        if due:
            assert self.seat is not None
            hashes = {seat: held.signed.hash for seat, held in self.open.statements.items()}
            hashes[self.seat] = self.desk.sign(self.other()).hash
            close = close_digest(0, self.table.head, self.open.active, hashes)
            adopt = Adopt(
                table=self.table.offer.table, step=0, head=self.table.head, attempt=0, close=close
            )
            self.desk.publish(self.desk.sign(adopt))


@pytest.mark.parametrize("chain_class", [TwoStatements, TwoStatementsAndAdopts])
@pytest.mark.parametrize(
    ("seats", "second", "forks"), [(3, {1}, True), (4, {1, 2}, False), (5, {1, 2}, True)]
)
def test_two_statements_to_two_halves_are_found_and_named(
    chain_class: type[Chain], seats: int, second: set[int], *, forks: bool
) -> None:
    cheat = seats - 1
    sealer = Sealer(SEALING_KEY)
    seen: dict[type, list[bytes]] = {Statement: [], Adopt: []}

    def blocked(sender: int, receiver: int, data: bytes) -> bool:
        if sender != cheat:
            return False
        signed = codec.unpack(sealer.open(data))
        message = codec.decode(signed.payload)
        if not isinstance(message, Statement | Adopt) or message.step != 0:
            return not isinstance(message, Statement | Adopt) and type(message).__name__ == "Tell"
        kept = seen[type(message)]
        if signed.hash not in kept:
            kept.append(signed.hash)
        return (kept.index(signed.hash) == 1) != (receiver in second)

    ring = Ring(
        seats,
        SHORT,
        seed=3,
        peers={cheat: peer_with(chain_class)},
        network=Network(blocked=blocked),
    )
    ring.run(lambda r: all(p.stop for i, p in enumerate(r.places) if i != cheat))
    # With an adopt for each half two closes settle, where each half is a majority with the cheat.
    if forks and chain_class is TwoStatementsAndAdopts:
        assert_forked(ring, cheat)
    else:
        assert_named(ring, cheat)


def test_an_adopt_of_another_attempt_does_not_spoil_the_record() -> None:
    class EarlyAttempt(Chain):
        __slots__ = ()

        def _adopt(self) -> None:
            if not self.adopted and self.open.complete() and self.open.step == 0:
                adopt = Adopt(
                    table=self.table.offer.table,
                    step=0,
                    head=self.open.head,
                    attempt=1,
                    close=self.open.close(),
                )
                self.desk.publish(self.desk.sign(adopt))
            super()._adopt()

    ring = Ring(2, SHORT, seed=3, peers={1: peer_with(EarlyAttempt)})
    ring.run(lambda r: all(p.peer.chain and p.peer.chain.state.step >= 2 for p in r.places))
    report = audit(ring.places[0].record)
    assert report.finding is Finding.INCOMPLETE, report.reason


class AdoptsAnything(Chain):
    """Adopts a close of attempt 0, whatever stands in it."""

    __slots__ = ()

    def _adopt(self) -> None:
        if not self.open.missing_statements() and not self.adopted:
            wrong = any(held.wrong for held in self.open.statements.values())
            if wrong:
                self.adopted = True
                adopt = Adopt(
                    table=self.table.offer.table,
                    step=self.open.step,
                    head=self.open.head,
                    attempt=0,
                    close=self.open.close(),
                )
                self.desk.publish(self.desk.sign(adopt))
                return
        super()._adopt()


@pytest.mark.slow
def test_who_adopts_a_close_with_a_wrong_statement_is_put_out_with_its_author() -> None:
    with in_toy_group():
        ring = Ring(
            5, SHORT, seed=3, peers={3: peer_with(FalseShare), 4: peer_with(AdoptsAnything)}
        )
        ring.run(lambda r: all(place.stop for place in r.places[:3]))
        for place in ring.places[:3]:
            assert place.stop is not None
            assert place.stop.exit_code == 0, place.stop.reason
            chain = place.peer.chain
            assert chain is not None
            assert chain.state.gone == {3: "expelled", 4: "expelled"}
            told = {n.seat: n.reason for n in place.notices if isinstance(n, notices.SeatExpelled)}
            assert told[Seat(4)] == ADOPTS_WRONG
            assert audit(place.record).finding is Finding.FAULT


def test_of_two_the_honest_one_wins_by_the_evidence() -> None:
    with in_toy_group():
        ring = Ring(2, SHORT, seed=3, peers={1: peer_with(FalseShare)})
        ring.run(lambda r: r.places[0].stop is not None)
        place = ring.places[0]
        ended = [n for n in place.notices if isinstance(n, notices.MatchEnded)]
        assert [n.winners for n in ended] == [(0,)]
        assert place.stop is not None
        assert "p1" in place.stop.reason
        report = audit(place.record)
        assert (report.finding, report.author, report.winners) == (Finding.FAULT, "p1", (0,))

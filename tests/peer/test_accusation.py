"""What somebody sends as evidence, taken apart."""

import pytest

from tests.peer.standing import chain_of, standing_in
from unop2p.log.evidence import Evidence
from unop2p.log.messages import Signed, Statement
from unop2p.peer.accusation import read_accusation
from unop2p.peer.chain import Chain
from unop2p.sim.ring import Ring
from unop2p.table import bodies
from unop2p.table.phases import Phase
from unop2p.table.talk import Accuse
from unop2p.wire import codec


def read(chain: Chain, *items: Signed, close: tuple[bytes, ...] = ()) -> object:
    table = chain.table.offer.table
    accusation = Accuse(table=table, step=99, reason="it lied", items=items, close=close)
    return read_accusation(chain.table, accusation, chain.past)


def word(ring: Ring, seat: int, body: bodies.Body, table: bytes | None = None) -> Signed:
    chain = chain_of(ring, seat)
    at, head = chain.open.step, chain.open.head
    said = Statement(table=table or chain.table.offer.table, step=at, head=head, body=body)
    return chain.desk.sign(said)


def test_two_words_that_contradict_each_other_are_evidence() -> None:
    with standing_in(Phase.TURN) as ring:
        chain = chain_of(ring, 0)
        pair = (word(ring, 1, bodies.Assent()), word(ring, 1, bodies.Drew()))
        found = read(chain, *pair)
        assert isinstance(found, Evidence)
        assert (found.author, found.step, found.items) == (pair[0].author, chain.open.step, pair)


def test_a_word_alone_or_of_several_authors_is_judged_as_if_it_came() -> None:
    with standing_in(Phase.TURN) as ring:
        chain = chain_of(ring, 0)
        one, other = word(ring, 1, bodies.Drew()), word(ring, 2, bodies.Drew())
        for items in [(one,), (one, other)]:
            found = read(chain, *items)
            assert isinstance(found, tuple)
            assert [item for item, _ in found] == list(items)


def test_what_is_nothing_of_this_table_is_nothing() -> None:
    with standing_in(Phase.TURN) as ring:
        chain = chain_of(ring, 0)
        true = word(ring, 1, bodies.Drew())
        elsewhere = word(ring, 1, bodies.Drew(), table=bytes(16))
        for items in [(), (elsewhere,), (chain.table.genesis,), (true, true)]:
            assert read(chain, *items) == ()
        assert read(chain, true, close=(bytes(32),)) == ()
        forged = Signed(author=true.author, signature=bytes(64), payload=true.payload)
        with pytest.raises(codec.SignatureError):
            read(chain, forged)

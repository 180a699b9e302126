"""The desk: what is signed in the chain is persisted before it is published, with all it rests on."""

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from unop2p.deal.entropy import seeded_entropy
from unop2p.errors import MalformedError
from unop2p.log.messages import Adopt, Signed
from unop2p.peer import events
from unop2p.peer.desk import Desk
from unop2p.table.notices import Warned
from unop2p.wire import codec
from unop2p.wire.reading import Reader
from unop2p.wire.sealing import Sealer

KEY = Ed25519PrivateKey.from_private_bytes(b"k" * 32)
ADOPT = Adopt(table=bytes(16), step=1, head=bytes(32), attempt=0, close=bytes(32))


def desk() -> Desk:
    return Desk(
        key=KEY,
        public=KEY.public_key().public_bytes_raw(),
        reader=Reader(bytes(32)),
        entropy=seeded_entropy(b"desk"),
    )


def kinds(effects: tuple[events.Effect, ...]) -> list[str]:
    return [type(effect).__name__ for effect in effects]


def word(here: Desk, step: int = 1) -> Signed:
    return here.sign(Adopt(table=bytes(16), step=step, head=bytes(32), attempt=0, close=bytes(32)))


def test_a_word_is_persisted_with_all_that_was_kept_before_it_is_published() -> None:
    here = desk()
    other, own = word(here, 1), word(here, 2)
    here.keep(other)
    assert here.take() == (), "what others say waits for our own word"
    here.say(own)
    persist, publish = here.take()
    assert isinstance(persist, events.Persist)
    assert persist.entries == (codec.pack(other), codec.pack(own))
    assert isinstance(publish, events.Publish)
    assert here.open(publish.data).signed == own


def test_while_a_journal_is_read_nothing_is_written_published_or_told() -> None:
    here = desk()
    here.replaying = True
    here.say(word(here))
    here.publish(word(here))
    here.notify(Warned(text="x"))
    here.save()
    assert here.take() == ()
    begun = events.Begun(genesis=word(here))
    here.put(begun)
    assert here.take() == (begun,), "the record needs what has settled before"


def test_the_earliest_wish_to_be_woken_counts_and_comes_last() -> None:
    here = desk()
    here.wake(500)
    here.wake(300)
    here.wake(400)
    here.notify(Warned(text="x"))
    assert kinds(here.take()) == ["Notify", "Wake"]
    here.wake(9)
    assert here.take() == (events.Wake(at_ms=9),)
    assert here.take() == ()


def test_the_end_saves_what_was_kept_and_comes_once() -> None:
    here = desk()
    here.keep(word(here))
    here.stop("enough", 7)
    here.stop("again", 8)
    persist, stop = here.take()
    assert isinstance(persist, events.Persist)
    assert stop == events.Stop(reason="enough", exit_code=7)
    assert here.stopped


def test_two_envelopes_of_one_word_are_different_bytes() -> None:
    here = desk()
    here.publish(word(here))
    here.publish(word(here))
    first, second = here.take()
    assert isinstance(first, events.Publish)
    assert isinstance(second, events.Publish)
    assert first.data != second.data
    assert here.open(first.data).signed == here.open(second.data).signed


def test_an_envelope_of_another_table_does_not_open() -> None:
    here = desk()
    foreign = Sealer(b"x" * 32).seal(codec.pack(word(here)), bytes(24))
    with pytest.raises(MalformedError):
        here.open(foreign)


@pytest.mark.parametrize("bound", [1, 2, 250])
def test_a_random_number_is_below_its_bound(bound: int) -> None:
    here = desk()
    drawn = {here.random_below(bound) for _ in range(300)}
    assert drawn <= set(range(bound))
    assert len(drawn) > bound // 2


def test_the_journal_has_what_ended_a_round_before_the_rounds_secret_is_deleted() -> None:
    here = desk()
    heard = word(here)
    here.keep(heard)
    here.drop_secret(3)
    assert here.take() == (
        events.Persist(entries=(codec.pack(heard),)),
        events.DropSecret(round_index=3),
    )

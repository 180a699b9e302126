"""`Peer.handle` on whatever comes: it never raises, never holds without bound, never blames the honest.

Three kinds of sender: anybody who can write to the topic, anybody who has the ticket, and a seat.
"""

from dataclasses import dataclass, replace
from functools import cache
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.peer.test_ring import SHORT
from tests.table.test_checks import BODIES
from unop2p.deal.entropy import seeded_entropy
from unop2p.errors import IllegalMoveError, RemoteError
from unop2p.ids import Seat
from unop2p.log.messages import Adopt, Signed, Statement, Try
from unop2p.peer import events
from unop2p.peer.core import NOBODY_MS, WATCH_AHEAD, Peer
from unop2p.peer.gossip import Gossip
from unop2p.peer.limits import Limits
from unop2p.peer.lobby import Role
from unop2p.rules.moves import Draw
from unop2p.sim.ring import SEALING_KEY, Ring
from unop2p.table import bodies, notices
from unop2p.table.commands import Begin, MakeMove, Say
from unop2p.table.genesis import Genesis, Join, Offer, Timers
from unop2p.table.phases import Phase
from unop2p.table.talk import Accuse, Ask, Chat, Heartbeat, Refuse, Tell
from unop2p.wire import codec
from unop2p.wire.sealing import Sealer

pytestmark = pytest.mark.slow
SEALER = Sealer(SEALING_KEY)
STRANGER = Ed25519PrivateKey.from_private_bytes(b"s" * 32)
INSIDER = Seat(1)
"""The seat that says anything; 0 is the peer that hears it, 2 an honest one."""
FEW = Limits(seen_max=50, ahead_max=20, joins_max=4, author_burst=200, author_per_second=100)


@dataclass(frozen=True, slots=True)
class Place:
    """Where a peer stands: what brings it back there, and what it has heard."""

    ring: Ring
    step: int
    head: bytes
    table: bytes
    real: tuple[Signed, ...]

    def peer(self, *, limits: Limits | None = None) -> Peer:
        """Return the first seat's peer at this place, made from its journal."""
        place = self.ring.places[0]
        peer = self.ring._new_peer(0, place.key, 1)
        if limits is not None:
            peer.limits = peer.lobby.limits = peer.gossip.limits = limits
        started = events.Started(entries=tuple(place.entries), secrets=dict(place.secrets))
        carry(peer, peer.handle(started, now_ms=self.ring.now_ms), self.ring.now_ms)
        return peer


def carry(peer: Peer, effects: tuple[events.Effect, ...], now_ms: int) -> list[events.Effect]:
    """Do the work that effects ask for, and return all effects that came of it."""
    found: list[events.Effect] = []
    waiting = list(effects)
    while waiting:
        effect = waiting.pop(0)
        found.append(effect)
        if isinstance(effect, events.Compute):
            result: object
            try:
                result = effect.work()
            except RemoteError as error:
                result = error
            computed = events.Computed(job=effect.job, result=result)
            waiting += peer.handle(computed, now_ms=now_ms)
    return found


def sealed(data: bytes, salt: int) -> bytes:
    return SEALER.seal(data, salt.to_bytes(24, "big"))


@cache
def place_at(phase: Phase | None) -> Place:
    """Return a place in a phase, or in the lobby."""
    ring = Ring(3, SHORT, seed=4)
    first = ring.places[0].peer

    def there(_: Ring) -> bool:
        if phase is None:
            return len(first.lobby.joins) == 2
        return first.chain is not None and first.chain.state.plan.phase is phase

    ring.run(there)
    assert ring.places[0].stop is None
    chain = first.chain
    assert first.lobby.offered is not None
    return Place(
        ring=ring,
        step=chain.open.step if chain is not None else 0,
        head=chain.open.head if chain is not None else bytes(32),
        table=first.lobby.offered.table,
        real=tuple(signed for place in ring.places for signed in place.said),
    )


PHASES = (None, Phase.REVEAL, Phase.SHUFFLE, Phase.DEAL, Phase.TURN)


@st.composite
def messages(draw: st.DrawFn, place: Place, key: Ed25519PrivateKey) -> Any:
    """Return a message of any kind, more or less at home at a place."""
    table = draw(st.sampled_from([place.table, bytes(16), b""]))
    step = draw(st.sampled_from([place.step, place.step + 1, place.step - 1, 0, -1, 10**30, 999]))
    head = draw(st.sampled_from([place.head, bytes(32), b""]))
    number = draw(st.integers(-2, 3) | st.just(10**30))
    some = draw(st.binary(max_size=40))
    public = key.public_key().public_bytes_raw()
    here = place.ring.places[0].key.public_key().public_bytes_raw()
    to = draw(st.sampled_from([here, public, b""]))
    text = draw(st.text(st.characters(codec="utf-8"), max_size=30))
    nonce = draw(st.binary(min_size=16, max_size=16))
    body = draw(st.one_of(*BODIES.values()))
    said = Statement(table=table, step=step, head=head, body=body)
    adopt = Adopt(table=table, step=step, head=head, attempt=number, close=some)
    forged = [codec.sign(key, public, word) for word in (said, adopt)]
    item = st.sampled_from([*place.real, *forged])
    broken = Signed(author=here, signature=bytes(64), payload=codec.encode(said))
    items = (*draw(st.lists(item, max_size=4)), *([broken] if draw(st.booleans()) else ()))
    offer = place.ring._offer
    kinds: list[Any] = [
        said,
        adopt,
        Try(table=table, step=step, head=head, attempt=number, close=some, seal=number),
        Ask(
            table=table, step=step, head=head, held=(some, nonce[:8]),
            restart=draw(st.booleans()), nonce=some,
        ),
        Tell(to=to, items=items, step=step, nonce=some),
        Heartbeat(table=table, step=step, head=head, over=draw(st.booleans()), count=number),
        Chat(table=table, text=text, nonce=some),
        Accuse(table=table, step=step, reason=text, items=items),
        Refuse(to=to, reason=draw(st.sampled_from(["full", "name"])), nonce=some),
        Offer(
            table=bytes(16), version=number, rules=offer.rules, timers=Timers(), seats_wanted=2,
            argument=draw(st.sampled_from(["proved", "other"])), resilience=0,
        ),
        Join(offer=some, name="mallory", bot=True, nonce=nonce),
        Genesis(offer=items[0] if items else broken, joins=items),
    ]  # fmt: skip
    return draw(st.sampled_from(kinds))


def hear(place: Place, peer: Peer, data: list[bytes]) -> list[events.Effect]:
    """Let a peer hear envelopes, a second apart; return what it does."""
    found: list[events.Effect] = []
    now = place.ring.now_ms
    for item in data:
        now += 1000
        found += carry(peer, peer.handle(events.Received(data=item), now_ms=now), now)
    found += carry(peer, peer.handle(events.Tick(), now_ms=now + 60_000), now + 60_000)
    peer.view()
    return found


def bounded(peer: Peer) -> None:
    limits = peer.limits
    gossip: Gossip = peer.gossip
    assert len(peer._seen) <= limits.seen_max
    assert sum(map(len, peer._ahead.values())) <= limits.ahead_max
    assert len(gossip.answers) <= limits.joins_max
    assert len(peer.lobby.joins) <= limits.joins_max + 1
    assert len(peer._gate._words) <= 3
    assert len(peer._gate._talk) <= 3


def blamed(effects: list[events.Effect]) -> set[bytes]:
    return {effect.evidence.author for effect in effects if isinstance(effect, events.Proved)}


@pytest.mark.parametrize("phase", PHASES)
@settings(max_examples=20, suppress_health_check=[HealthCheck.too_slow])
@given(data=st.data())
def test_a_seat_that_says_anything_is_blamed_alone_or_nobody_is(
    phase: Phase | None, data: st.DataObject
) -> None:
    place = place_at(phase)
    peer = place.peer(limits=FEW)
    key = place.ring.places[INSIDER].key
    public = key.public_key().public_bytes_raw()
    said = data.draw(st.lists(messages(place, key), min_size=1, max_size=6), "messages")
    envelopes = [
        sealed(codec.pack(codec.sign(key, public, message)), index)
        for index, message in enumerate(said)
    ]
    effects = hear(place, peer, envelopes)
    assert blamed(effects) <= {public}
    bounded(peer)


@pytest.mark.parametrize("phase", PHASES)
@settings(max_examples=10, suppress_health_check=[HealthCheck.too_slow])
@given(data=st.data())
def test_a_stranger_with_the_ticket_changes_nothing(
    phase: Phase | None, data: st.DataObject
) -> None:
    place = place_at(phase)
    peer = place.peer(limits=FEW)
    public = STRANGER.public_key().public_bytes_raw()
    said = data.draw(st.lists(messages(place, STRANGER), min_size=1, max_size=6), "messages")
    before = peer.chain and (peer.chain.state.step, peer.chain.state.head)
    effects = hear(
        place,
        peer,
        [
            sealed(codec.pack(codec.sign(STRANGER, public, message)), index)
            for index, message in enumerate(said)
        ],
    )
    assert blamed(effects) == set()
    if before is not None:
        # Own words that were due are all that may have been said; nothing was settled by a stranger.
        assert peer.chain is not None
        assert (peer.chain.state.step, peer.chain.state.head) == before
        assert not any(isinstance(effect, events.Stop) for effect in effects)
    bounded(peer)


@settings(max_examples=60)
@given(
    st.lists(
        st.one_of(
            st.binary(max_size=400),
            st.binary(max_size=400).map(lambda data: sealed(data, 1)),
            st.binary(min_size=97, max_size=400).map(lambda data: sealed(b"\x01" + data, 2)),
            st.binary(max_size=300).map(
                lambda data: sealed(b"\x01" + bytes(96) + b'{"kind":"' + data, 3)
            ),
        ),
        max_size=5,
    )
)
def test_junk_is_ignored(items: list[bytes]) -> None:
    place = place_at(Phase.TURN)
    peer = place.peer()
    before = peer.chain is not None and peer.chain.state.head
    effects = hear(place, peer, items)
    assert blamed(effects) == set()
    assert peer.chain is not None
    assert peer.chain.state.head == before


def test_what_a_seat_says_of_steps_far_ahead_is_not_kept() -> None:
    place = place_at(Phase.TURN)
    peer = place.peer(limits=FEW)
    key = place.ring.places[INSIDER].key
    public = key.public_key().public_bytes_raw()
    words = [
        Statement(table=place.table, step=place.step + ahead, head=bytes(32), body=body)
        for ahead in (1, 2, 3, WATCH_AHEAD)
        for body in (bodies.Drew(), bodies.Kept())
    ]
    data = [
        sealed(codec.pack(codec.sign(key, public, word)), index) for index, word in enumerate(words)
    ]
    for item in data:
        peer.handle(events.Received(data=item), now_ms=place.ring.now_ms)
    assert set(peer._ahead) <= {place.step + 1}
    bounded(peer)


def told(peer: Peer, place: Place, items: list[Signed]) -> tuple[events.Effect, ...]:
    """Let the insider answer a peer with some messages."""
    key = place.ring.places[INSIDER].key
    here = place.ring.places[0].key.public_key().public_bytes_raw()
    tell = Tell(to=here, items=tuple(items), step=place.step, nonce=bytes(16))
    signed = codec.sign(key, key.public_key().public_bytes_raw(), tell)
    data = sealed(codec.pack(signed), 99)
    return peer.handle(events.Received(data=data), now_ms=place.ring.now_ms)


def test_words_for_steps_that_never_come_do_not_keep_out_those_of_the_next() -> None:
    place = place_at(Phase.TURN)
    peer = place.peer(limits=FEW)
    key = place.ring.places[INSIDER].key
    public = key.public_key().public_bytes_raw()
    far, near = (
        [
            codec.sign(
                key,
                public,
                Adopt(table=place.table, step=step, head=bytes(32), attempt=n, close=bytes(32)),
            )
            for n in range(count)
        ]
        for step, count in ((10**6, 2 * FEW.ahead_max), (place.step + 1, 3))
    )
    told(peer, place, far)
    assert peer._ahead_count == FEW.ahead_max
    told(peer, place, near)
    assert [signed for signed, _ in peer._ahead[place.step + 1]] == near
    bounded(peer)


def test_what_an_answer_cannot_change_has_no_signature_checked(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    place = place_at(Phase.TURN)
    peer = place.peer()
    key = place.ring.places[INSIDER].key
    public = key.public_key().public_bytes_raw()
    words: list[codec.Message] = [
        Chat(table=place.table, text="x", nonce=n.to_bytes(16, "big")) for n in range(300)
    ]
    words += [Statement(table=place.table, step=0, head=bytes(32), body=bodies.Drew())]
    items = [codec.sign(key, public, word) for word in words]
    stranger = Statement(table=place.table, step=place.step, head=place.head, body=bodies.Drew())
    items.append(codec.sign(STRANGER, STRANGER.public_key().public_bytes_raw(), stranger))
    checked: list[Signed] = []
    monkeypatch.setattr(codec, "verify", checked.append)
    told(peer, place, items)
    assert len(checked) == 1  # the answer itself


def test_a_seat_is_still_heard_after_others_have_forged_its_name_many_times() -> None:
    place = place_at(Phase.TURN)
    peer = place.peer(limits=FEW)
    key = place.ring.places[INSIDER].key
    public = key.public_key().public_bytes_raw()
    peer.gossip.heard_ms.clear()
    for count in range(3 * FEW.author_burst):
        beat = Heartbeat(
            table=place.table, step=place.step, head=place.head, over=False, count=count
        )
        forged = codec.sign(STRANGER, public, beat)
        data = sealed(codec.pack(forged), count)
        peer.handle(events.Received(data=data), now_ms=place.ring.now_ms)
    assert INSIDER not in peer.gossip.heard_ms
    beat = Heartbeat(table=place.table, step=place.step, head=place.head, over=False, count=10**6)
    data = sealed(codec.pack(codec.sign(key, public, beat)), 10**6)
    peer.handle(events.Received(data=data), now_ms=place.ring.now_ms)
    assert INSIDER in peer.gossip.heard_ms


def test_what_is_not_worth_an_event_is_found_without_one_and_nothing_changes() -> None:
    place = place_at(Phase.TURN)
    peer = place.peer(limits=FEW)
    now = place.ring.now_ms
    key, public = place.ring.places[INSIDER].key, place.ring.places[INSIDER].key.public_key()
    beat = Heartbeat(table=place.table, step=place.step, head=place.head, over=False, count=1)
    word = sealed(codec.pack(codec.sign(key, public.public_bytes_raw(), beat)), 1)
    event = peer.sift(word, now_ms=now)
    assert event is not None
    assert event.letter is not None
    peer.handle(event, now_ms=now)
    assert peer.sift(word, now_ms=now) is None  # a repeat
    chat = Chat(table=place.table, text="hello", nonce=bytes(16))
    stranger = codec.sign(STRANGER, STRANGER.public_key().public_bytes_raw(), chat)
    assert peer.sift(sealed(codec.pack(stranger), 2), now_ms=now) is None
    assert peer.sift(bytes(len(word)), now_ms=now) is None
    other = sealed(bytes([99]) + bytes(120), 3)
    assert peer.sift(other, now_ms=now) == events.Received(data=other)  # `handle` says what that is


def test_junk_does_nothing_and_puts_off_no_time_that_was_asked_for() -> None:
    place = place_at(Phase.TURN)
    peer = place.peer()
    now = place.ring.now_ms
    assert peer.handle(events.Received(data=bytes(40 + 512)), now_ms=now + 10_000) == ()
    assert peer.handle(events.Tick(), now_ms=now + 10_000) != ()


def test_ever_higher_claims_of_a_step_are_not_each_worth_an_asking() -> None:
    place = place_at(Phase.TURN)
    peer = place.peer()
    key = place.ring.places[INSIDER].key
    public = key.public_key().public_bytes_raw()
    effects: list[events.Effect] = []
    for count in range(100):
        beat = Heartbeat(
            table=place.table, step=place.step + 5 + count, head=bytes(32), over=False, count=count
        )
        data = sealed(codec.pack(codec.sign(key, public, beat)), count)
        effects += peer.handle(events.Received(data=data), now_ms=place.ring.now_ms)
    asked = [effect for effect in effects if isinstance(effect, events.Publish)]
    assert len(asked) <= 2  # a heartbeat that is due, and one question


def test_a_spectator_cannot_make_all_seats_answer_at_once() -> None:
    place = place_at(Phase.TURN)
    peer = place.peer()
    public = STRANGER.public_key().public_bytes_raw()
    ask = Ask(
        table=place.table,
        step=0,
        head=bytes(32),
        held=(),
        restart=True,
        nonce=bytes(16),
    )
    data = sealed(codec.pack(codec.sign(STRANGER, public, ask)), 5)
    peer.handle(events.Received(data=data), now_ms=place.ring.now_ms)
    assert not peer.gossip.answers[public].ask.restart


def test_a_genesis_of_hundreds_of_seats_is_refused_before_any_signature_is_checked(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    place = place_at(None)
    peer = place.peer()
    offer = peer.lobby.offer
    assert offer is not None
    join = next(iter(peer.lobby.joins.values())).signed
    genesis = Genesis(offer=offer, joins=(join,) * 400)
    signed = codec.sign(STRANGER, STRANGER.public_key().public_bytes_raw(), genesis)
    checked: list[Signed] = []
    monkeypatch.setattr(codec, "verify", checked.append)
    peer.handle(events.Received(data=sealed(codec.pack(signed), 6)), now_ms=place.ring.now_ms)
    assert len(checked) == 1  # the envelope's own
    assert peer.lobby.table is None


def test_a_wish_that_cannot_be_is_refused_and_nothing_has_changed() -> None:
    lobby = place_at(None).peer()
    with pytest.raises(IllegalMoveError, match="has not begun"):
        lobby.handle(events.Asked(command=MakeMove(move=Draw())), now_ms=0)
    playing = place_at(Phase.DEAL).peer()
    with pytest.raises(IllegalMoveError, match="nothing to move"):
        playing.handle(events.Asked(command=MakeMove(move=Draw())), now_ms=0)
    with pytest.raises(IllegalMoveError, match="only once"):
        playing.handle(events.Asked(command=Begin()), now_ms=0)
    for text in ("", "   ", "x" * 501, "a\x1b[2Jb", "\u202e"):
        with pytest.raises(IllegalMoveError, match="a line of chat"):
            playing.handle(events.Asked(command=Say(text=text)), now_ms=0)
    assert not playing.desk.stopped


def test_chat_is_told_to_its_sayer_too_and_is_no_part_of_the_chain() -> None:
    peer = place_at(Phase.TURN).peer()
    effects = peer.handle(events.Asked(command=Say(text="well  played")), now_ms=0)
    assert not any(isinstance(effect, events.Persist) for effect in effects)
    told = [effect.notice for effect in effects if isinstance(effect, events.Notify)]
    assert [(n.name, n.text) for n in told if isinstance(n, notices.ChatSaid)] == [
        ("p0", "well played")
    ]


def test_who_only_watches_says_nothing() -> None:
    place = place_at(Phase.TURN)
    watcher = Peer(
        key=STRANGER,
        role=Role.SPECTATOR,
        name="watcher",
        bot=False,
        sealing_key=SEALING_KEY,
        entropy=seeded_entropy(b"watch"),
    )
    carry(watcher, watcher.handle(events.Started(), now_ms=0), 0)
    with pytest.raises(IllegalMoveError, match="nobody is there"):
        watcher.handle(events.Asked(command=Say(text="hello")), now_ms=0)
    for index, signed in enumerate(place.real):
        data = sealed(codec.pack(signed), index)
        for effect in watcher.handle(events.Received(data=data), now_ms=index):
            assert not isinstance(effect, events.Persist | events.KeepSecret | events.Proved)
            if isinstance(effect, events.Publish):
                said = watcher.desk.open(effect.data).message()
                assert isinstance(said, Ask)


@pytest.mark.parametrize(("role", "told"), [(Role.JOINER, True), (Role.OPENER, False)])
def test_after_ten_seconds_without_an_answer_the_person_is_told_once(
    role: Role, told: bool
) -> None:
    terms = place_at(None).ring._offer if role is Role.OPENER else None
    peer = Peer(
        key=STRANGER,
        role=role,
        name="ann",
        bot=False,
        sealing_key=SEALING_KEY,
        entropy=seeded_entropy(b"alone"),
        terms=terms,
    )
    peer.handle(events.Started(), now_ms=5)
    warned: list[int] = []
    for now_ms in range(1000, 40_000, 1000):
        for effect in peer.handle(events.Tick(), now_ms=now_ms):
            if isinstance(effect, events.Notify) and isinstance(effect.notice, notices.Warned):
                warned.append(now_ms)
    assert bool(warned) == told
    assert all(now_ms > NOBODY_MS for now_ms in warned)
    assert len(warned) == told


@pytest.mark.parametrize("change", [{"version": 2}, {"argument": "other"}])
def test_an_offer_that_cannot_be_played_stops_who_would_join(change: dict[str, Any]) -> None:
    offer = replace(place_at(None).ring._offer, **change)
    public = STRANGER.public_key().public_bytes_raw()
    peer = place_at(None).ring._new_peer(2, Ed25519PrivateKey.generate(), 0)
    peer.handle(events.Started(), now_ms=0)
    data = sealed(codec.pack(codec.sign(STRANGER, public, offer)), 1)
    effects = peer.handle(events.Received(data=data), now_ms=1)
    (stop,) = [effect for effect in effects if isinstance(effect, events.Stop)]
    assert stop.exit_code == (22 if "version" in change else 23)
    assert stop.reason.startswith("The table")


def test_what_a_peer_is_asked_after_it_has_stopped_does_nothing() -> None:
    peer = place_at(Phase.TURN).peer()
    peer.desk.stop("enough", 7)
    peer.desk.take()
    assert peer.handle(events.Tick(), now_ms=10**9) == ()
    assert peer.handle(events.Received(data=b"x" * 400), now_ms=10**9) == ()

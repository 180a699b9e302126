"""Where a peer's parts put what they want done: signing, keeping, publishing, telling.

One rule is kept here for all of them: what is signed in the chain is persisted, with all that it rests
on, before it is published.
"""

from collections.abc import Callable

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from unop2p.deal.entropy import Entropy
from unop2p.log.messages import Signed
from unop2p.peer import events
from unop2p.table.notices import Notice
from unop2p.wire import codec
from unop2p.wire.reading import Letter, Reader

SEAL_NONCE_BYTES = 24


class Desk:
    """Collects the effects of one call of `Peer.handle`."""

    def __init__(
        self, *, key: Ed25519PrivateKey, public: bytes, reader: Reader, entropy: Entropy
    ) -> None:
        self._key = key
        self.public = public
        self._reader = reader
        self.entropy = entropy
        self.replaying = False
        """While the journal is fed through: nothing is published, asked or written."""
        self.now_ms = 0
        self.stopped = False
        self._effects: list[events.Effect] = []
        self._unsaved: list[bytes] = []
        self._wake_ms: int | None = None

    def take(self) -> tuple[events.Effect, ...]:
        """Return the effects collected so far, and begin anew."""
        effects = tuple(self._effects)
        self._effects = []
        if self._wake_ms is not None:
            effects = (*effects, events.Wake(at_ms=self._wake_ms))
            self._wake_ms = None
        return effects

    def put(self, effect: events.Effect) -> None:
        """Add an effect. In a replay only what the record needs is kept."""
        if not self.replaying or isinstance(effect, events.Recorded):
            self._effects.append(effect)

    def wake(self, at_ms: int) -> None:
        """Ask for a tick at this time, if none is asked for earlier."""
        if self._wake_ms is None or at_ms < self._wake_ms:
            self._wake_ms = at_ms

    def notify(self, notice: Notice) -> None:
        """Tell our own player."""
        self.put(events.Notify(notice=notice))

    def sign(self, message: codec.Message) -> Signed:
        """Sign a message with our key; nothing is published yet."""
        return codec.sign(self._key, self.public, message)

    def keep(self, signed: Signed) -> None:
        """Remember a message for the journal; it is written with the next own word."""
        if not self.replaying:
            self._unsaved.append(codec.pack(signed))

    def say(self, signed: Signed) -> None:
        """Persist our own word and all that is kept, then publish it."""
        self.keep(signed)
        self.save()
        self.publish(signed)

    def save(self) -> None:
        """Persist all that is kept."""
        if self._unsaved:
            self.put(events.Persist(entries=tuple(self._unsaved)))
            self._unsaved = []

    def drop_secret(self, round_index: int) -> None:
        """Delete the secret of a round that is over, once the journal has what made it so.

        A peer that only hears, as one that catches up, writes nothing else: after a crash its journal
        would be in that round still, and the secret gone.
        """
        self.save()
        self.put(events.DropSecret(round_index=round_index))

    def publish(self, signed: Signed) -> None:
        """Seal and publish what needs no journal, or is in it already."""
        if self.replaying:
            return
        nonce = self.entropy(SEAL_NONCE_BYTES)
        self.put(events.Publish(data=self._reader.seal(signed, nonce)))

    def open(self, data: bytes) -> Letter:
        """Open an envelope.

        Raises:
            MalformedError: it is not sealed under the table's key, or too large.
            OtherVersionError: another version of the protocol.
        """
        return self._reader.open(data)

    def compute(
        self,
        job: tuple[str, int, int],
        work: Callable[[], object],
        shared: bytes | None = None,
        *,
        small: bool = False,
    ) -> None:
        """Have work done elsewhere; or, where it is small, perhaps on the spot."""
        self.put(events.Compute(job=job, work=work, shared=shared, small=small))

    def stop(self, reason: str, exit_code: int) -> None:
        """End the peer."""
        if not self.stopped:
            self.stopped = True
            self.save()
            self.put(events.Stop(reason=reason, exit_code=exit_code))

    def random_below(self, bound: int) -> int:
        """Return a number below `bound`, for waits: the small bias does not matter there."""
        return int.from_bytes(self.entropy(4), "big") % bound

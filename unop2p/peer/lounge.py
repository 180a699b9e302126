"""Looking for tables, and answering who looks, in a lounge (`wire.lounge`). Pure.

Where many look at once an answer names some of them, drawn by lot; the others are answered the next
time. What a flood can do is keep people from finding tables here. Tables have topics of their own.
"""

from dataclasses import dataclass
from typing import Final

from unop2p.errors import LocalError, RemoteError
from unop2p.log.messages import Signed
from unop2p.peer.limits import Budget
from unop2p.table.genesis import Offer
from unop2p.wire import codec
from unop2p.wire.lounge import LOOKS_NAMED_MAX, NONCE_BYTES, Announce, Door, Look

LOOKS_HELD_MAX: Final = 64
"""Between two answers; beyond that a look takes the place of another, by lot."""
ANSWER_EVERY_MS: Final = 1_000
OWN_LOOKS_MAX: Final = 4
"""Looks of one's own whose answers still count."""
HELD_MS: Final = 15_000
"""How long an answer stands; a host that is there answers every look."""
HELD_MAX: Final = 200
HELD_BY_ONE_MAX: Final = 4
CHECKS_BURST: Final = 60
CHECKS_PER_SECOND: Final = 20
"""Signatures that are checked: two for each answer."""


class HostDesk:
    """Answers those who look, as long as the table has free seats."""

    def __init__(self, door: Door) -> None:
        """Begin with nobody looking."""
        self._door = door
        self._looks: list[bytes] = []
        self._answered_ms: int | None = None

    def hear(self, data: bytes) -> None:
        """Note who looks; all else is none of a host's business. Nothing is signed for it yet."""
        try:
            _, word = self._door.open(data)
        except RemoteError:
            return
        if not isinstance(word, Look) or word.nonce in self._looks:
            return
        if len(self._looks) < LOOKS_HELD_MAX:
            self._looks.append(word.nonce)
        else:
            self._looks[self._lot(LOOKS_HELD_MAX)] = word.nonce

    def answer(
        self, offer: Signed, *, secret: bytes, host: str, taken: int, now_ms: int
    ) -> bytes | None:
        """Return an answer, sealed, if somebody waits for one and the last is a while ago."""
        early = self._answered_ms is not None and now_ms - self._answered_ms < ANSWER_EVERY_MS
        if not self._looks or early:
            return None
        named: list[bytes] = []
        while self._looks and len(named) < LOOKS_NAMED_MAX:
            named.append(self._looks.pop(self._lot(len(self._looks))))
        self._looks.clear()
        self._answered_ms = now_ms
        return self._door.seal(
            Announce(
                lounge=self._door.lounge.mark,
                looks=tuple(named),
                secret=secret,
                offer=offer,
                host=host,
                taken=taken,
            )
        )

    def _lot(self, bound: int) -> int:
        return int.from_bytes(self._door.entropy(4), "big") % bound


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenTable:
    """A table that was announced to us just now."""

    key: bytes
    """The host's."""
    host: str
    offer: Offer
    secret: bytes
    taken: int
    heard_ms: int

    def __repr__(self) -> str:
        """Show no secret."""
        return f"OpenTable({self.host!r}, {self.taken} of {self.offer.seats_wanted})"


class Board:
    """What somebody who looks has been answered."""

    def __init__(self, door: Door) -> None:
        """Begin with nothing."""
        self._door = door
        self._own: list[bytes] = []
        self._held: dict[tuple[bytes, bytes], OpenTable] = {}
        self._checks = Budget(burst=CHECKS_BURST, per_second=CHECKS_PER_SECOND)

    def look(self) -> bytes:
        """Return a question, sealed; answers to the last few still count."""
        nonce = self._door.entropy(NONCE_BYTES)
        self._own = [*self._own[1 - OWN_LOOKS_MAX :], nonce]
        return self._door.seal(Look(lounge=self._door.lounge.mark, nonce=nonce))

    def hear(self, data: bytes, now_ms: int) -> None:
        """Take an answer to us: cheap things first, then the signatures."""
        try:
            signed, word = self._door.open(data)
            if not isinstance(word, Announce) or not set(word.looks) & set(self._own):
                return
            offer = codec.decode(word.offer.payload)
            if not isinstance(offer, Offer) or word.offer.author != signed.author:
                return
            self._expire(now_ms)
            place = (signed.author, offer.table)
            if not self._has_room(place) or not self._checks.spend(now_ms):
                return
            codec.verify(signed)
            codec.verify(word.offer)
            offer.options()
        except (RemoteError, LocalError):
            return
        self._held[place] = OpenTable(
            key=signed.author,
            host=word.host,
            offer=offer,
            secret=word.secret,
            taken=word.taken,
            heard_ms=now_ms,
        )

    def tables(self, now_ms: int) -> tuple[OpenTable, ...]:
        """Return the tables that were announced lately, in the order in which they were first."""
        self._expire(now_ms)
        return tuple(self._held.values())

    def _has_room(self, place: tuple[bytes, bytes]) -> bool:
        if place in self._held:
            return True
        by_one = sum(author == place[0] for author, _ in self._held)
        return len(self._held) < HELD_MAX and by_one < HELD_BY_ONE_MAX

    def _expire(self, now_ms: int) -> None:
        late = [place for place, held in self._held.items() if now_ms - held.heard_ms > HELD_MS]
        for place in late:
            del self._held[place]

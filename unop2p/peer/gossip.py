"""Anti-entropy and presence: saying where one stands, asking for what one lacks, answering others.

Nothing here changes the game. Answers carry signed messages, so it does not matter who relays them.
"""

from dataclasses import dataclass, field, replace

from unop2p.ids import Seat
from unop2p.log.messages import Signed
from unop2p.peer.asking import ASK_AFTER_MS, Asking
from unop2p.peer.chain import Chain
from unop2p.peer.desk import Desk
from unop2p.peer.forks import chunks
from unop2p.peer.limits import Limits
from unop2p.table.genesis import NONCE_BYTES
from unop2p.table.talk import HELD_BYTES, Ask, Heartbeat, Tell

NEVER_MS = 1 << 62
HEARTBEAT_MS = 5_000
ANSWER_WAIT_MS = 250
"""Who could answer waits up to this long, so that mostly one does."""
QUIET_MS = 5_000
RESTART_EVERY_MS = 700
LINGER_MS = 10_000
LINGER_MS_MAX = 60_000
"""However long somebody who is behind still speaks."""
WATCHED_MS = 3_000
ALONE_MS = 30_000
"""A spectator that has heard nobody for this long goes."""


@dataclass(slots=True)
class Repairs:
    """Counted since the start."""

    asked: int = 0
    """Times that what is missing was asked for."""
    told: int = 0
    """Answers that were given to others."""
    mended: int = 0
    """Words that came in an answer, and had not come by themselves."""

    def add(self, other: "Repairs") -> None:
        """Count what another has counted, too."""
        self.asked += other.asked
        self.told += other.told
        self.mended += other.mended


@dataclass(slots=True)
class Answer:
    """An answer that waits for its moment."""

    at_ms: int
    ask: Ask


@dataclass(slots=True)
class Gossip:
    """What one peer says and hears beside the chain."""

    desk: Desk
    limits: Limits
    beat_ms: int = -HEARTBEAT_MS
    beat_count: int = 0
    asking: Asking = field(default_factory=Asking)
    asked_step: int = -1
    answers: dict[bytes, Answer] = field(default_factory=dict)
    """By the asker's key."""
    heard_ms: dict[Seat, int] = field(default_factory=dict)
    stands: dict[Seat, int] = field(default_factory=dict)
    """The step at which each seat was last known to stand."""
    ended: set[Seat] = field(default_factory=set)
    """Seats whose match is over, with our own head."""
    apart: bool = False
    """Whether a seat's match is over with another head than ours."""
    replied: set[Seat] = field(default_factory=set)
    here: set[Seat] = field(default_factory=set)
    """Seats that were heard since we are back."""
    quiet_until_ms: int | None = None
    began_ms: int = 0
    """When the chain was first seen, for who only watches."""
    watched_ms: int | None = None
    """When a spectator last asked."""
    restart_ms: int = 0
    """When to ask again for our own words, while quiet."""
    over_since_ms: int | None = None
    repairs: Repairs = field(default_factory=Repairs)
    due_ms: int = 0
    """When there is something to say next, as far as is known; 0: look."""

    # -- asking --------------------------------------------------------------------------------

    def ask_for_table(self) -> None:
        """Ask for the offer or the genesis: we have just come."""
        self._publish_ask(
            Ask(
                table=b"",
                step=-1,
                head=b"",
                held=(),
                restart=False,
                nonce=self.desk.entropy(NONCE_BYTES),
            )
        )

    def restart(self, chain: Chain) -> None:
        """We are back with a journal: ask everybody for our own words before saying more."""
        self.quiet_until_ms = self.desk.now_ms + QUIET_MS
        chain.quiet = True
        self.restart_ms = self.desk.now_ms + RESTART_EVERY_MS
        self.due_ms = 0
        self._ask(chain, restart=True)

    def _ask(self, chain: Chain, *, restart: bool = False) -> None:
        self.asking.asked(self.desk.now_ms, due=not restart)
        self.repairs.asked += 1
        self._publish_ask(
            Ask(
                table=chain.table.offer.table,
                step=chain.open.step,
                head=chain.open.head,
                held=tuple(item.hash[:HELD_BYTES] for item in chain.open.signed_items()),
                restart=restart,
                nonce=self.desk.entropy(NONCE_BYTES),
            )
        )

    def _publish_ask(self, ask: Ask) -> None:
        self.desk.publish(self.desk.sign(ask))

    def tick(self, chain: Chain) -> None:
        """Beat, ask and answer where it is time."""
        if self.desk.now_ms >= self.due_ms or chain.open.step != self.asked_step:
            self.due_ms = self._act(chain)
        if self.due_ms < NEVER_MS:
            self.desk.wake(self.due_ms)

    def _act(self, chain: Chain) -> int:
        """Do what is due; return when something will be, unless an event brings it earlier."""
        now = self.desk.now_ms
        due = NEVER_MS
        if self.quiet_until_ms is not None:
            if now >= self.quiet_until_ms or self._all_replied(chain):
                self.quiet_until_ms = None
                chain.quiet = chain.advanced = False
            else:
                if now >= self.restart_ms:
                    # Who was not connected yet has not heard the first asking.
                    self.restart_ms = now + RESTART_EVERY_MS
                    self._ask(chain, restart=True)
                due = min(self.quiet_until_ms, self.restart_ms)
        if chain.seat is not None:
            if now - self.beat_ms >= HEARTBEAT_MS:
                self.beat(chain)
            due = min(due, self.beat_ms + HEARTBEAT_MS)
        if chain.open.step != self.asked_step:
            self.asked_step = chain.open.step
            self.asking.opened(now)
        behind = any(step > chain.open.step for step in self.stands.values())
        if not chain.state.over or behind or self.apart:
            if now >= self.asking.next_ms:
                self._ask(chain)
            due = min(due, self.asking.next_ms)
        for key, answer in list(self.answers.items()):
            if now >= answer.at_ms:
                del self.answers[key]
                self._tell(chain, key, answer.ask)
            else:
                due = min(due, answer.at_ms)
        return due

    def _all_replied(self, chain: Chain) -> bool:
        """Say whether every seat that can be reached has answered our question for our own words.

        Who is away, and was not heard since, cannot be; but nobody at all is nobody's answer.
        """
        return bool(self.replied) and all(
            seat in self.replied
            for seat in chain.state.voters
            if seat != chain.seat and (seat in self.here or seat not in chain.state.away)
        )

    def beat(self, chain: Chain) -> None:
        """Say that we are here, and where we stand."""
        self.beat_ms = self.desk.now_ms
        self.beat_count += 1
        self.desk.publish(
            self.desk.sign(
                Heartbeat(
                    table=chain.table.offer.table,
                    step=chain.open.step,
                    head=chain.open.head,
                    over=chain.state.over,
                    count=self.beat_count,
                )
            )
        )

    def ask_soon(self) -> None:
        """Others are ahead of us: ask at once."""
        self.asking.next_ms = self.desk.now_ms
        self.due_ms = 0

    def on_reply(self, seat: Seat) -> None:
        """Note that a seat has answered us."""
        self.replied.add(seat)
        self.due_ms = 0

    def alone(self, chain: Chain) -> bool:
        """Say whether we only watch, and everybody has gone."""
        if chain.seat is not None or chain.state.over:
            return False
        last = max(self.heard_ms.values(), default=self.began_ms)
        self.desk.wake(last + ALONE_MS)
        return self.desk.now_ms - last >= ALONE_MS

    def voided(self) -> None:
        """Steps were made void: where others stood is no news any more."""
        self.stands, self.ended, self.apart = {}, set(), False
        self.over_since_ms, self.asked_step, self.due_ms = None, -1, 0

    # -- answering -----------------------------------------------------------------------------

    def on_ask(self, chain: Chain, signed: Signed, ask: Ask) -> None:
        """Answer, after a short wait, unless somebody else does."""
        if chain.seat is None or (ask.table and ask.table != chain.table.offer.table):
            return
        if chain.seat_of(signed.author) is None:
            self.watched_ms = self.desk.now_ms
            # Only a seat has words of its own to ask everybody for; one answer is enough for others.
            ask = replace(ask, restart=False)
        wait = (
            0
            if ask.restart
            else self.desk.random_below(self.asking.answer_within_ms(ANSWER_WAIT_MS))
        )
        if not ask.restart and not self._items(chain, ask):
            return
        if len(self.answers) < self.limits.joins_max:
            self.answers[signed.author] = Answer(self.desk.now_ms + wait, ask)
            self.due_ms = min(self.due_ms, self.desk.now_ms + wait)

    def on_tell_heard(self, chain: Chain, tell: Tell) -> None:
        """Somebody else has answered: we need not, unless the asker wants everybody's word."""
        held = self.answers.get(tell.to)
        if held is None or held.ask.restart or not tell.items:
            return
        told = {item.hash for item in tell.items}
        same = held.ask.step == chain.open.step
        if not same or all(item.hash in told for item in self._items(chain, held.ask)):
            del self.answers[tell.to]

    def _items(self, chain: Chain, ask: Ask) -> list[Signed]:
        """Return what the asker lacks, in order of steps, up to one chunk."""
        if ask.step < 0:
            return [chain.table.genesis]
        items: list[Signed] = []
        size = 0
        first = ask.step
        if 0 < first <= len(chain.history) and ask.head != chain.head_at(first):
            first -= 1  # Two closes of the step before have settled: somebody has signed both.
        for certificate in (
            chain.history[first : ask.step] if first < ask.step else chain.history[first:]
        ):
            for item in (*certificate.statements, *certificate.tries, *certificate.adopts):
                items.append(item)
                size += len(item.payload)
            if size >= self.limits.tell_bytes_max:
                return items
        if ask.step <= chain.open.step:
            held = frozenset(ask.held) if ask.step == chain.open.step else frozenset[bytes]()
            items += [
                item
                for item in chain.open.signed_items()
                if ask.restart or item.hash[:HELD_BYTES] not in held
            ]
        return items

    def _tell(self, chain: Chain, key: bytes, ask: Ask) -> None:
        """Send what the asker lacks, in messages of at most one chunk each."""
        self.repairs.told += 1
        for chunk in chunks(self._items(chain, ask), self.limits.tell_bytes_max):
            self.desk.publish(
                self.desk.sign(
                    Tell(
                        to=key,
                        items=tuple(chunk),
                        step=chain.open.step,
                        nonce=self.desk.entropy(NONCE_BYTES),
                    )
                )
            )

    # -- hearing -------------------------------------------------------------------------------

    def on_heard(self, chain: Chain, seat: Seat, step: int | None) -> None:
        """Note that a seat is there, and where it stands."""
        if seat == chain.seat:
            return
        self.heard_ms[seat] = self.desk.now_ms
        if self.quiet_until_ms is not None:
            self.here.add(seat)
        if step is not None and step > self.stands.get(seat, -1):
            self.stands[seat] = step
            if chain.state.over:
                self.due_ms = 0  # who is behind may make us ask again
            # A seat may claim ever higher steps: each claim is not worth an asking of its own.
            if (
                step > chain.open.step + 1
                and self.desk.now_ms - self.asking.last_ms >= ASK_AFTER_MS
            ):
                self.ask_soon()

    def on_end_heard(self, chain: Chain, seat: Seat, head: bytes) -> None:
        """Note that a seat's match is over; with another head, ask for the words that led there.

        The last step has no next one in which two closes of it would come out. Somebody has signed
        both, and who holds the other shows it.
        """
        if head == chain.open.head:
            self.ended.add(seat)
        elif not self.apart:
            self.apart = True
            self.ask_soon()

    def finished(self, chain: Chain) -> bool:
        """Say whether everybody has seen the end, or has had the time to."""
        if not chain.state.over:
            return False
        if self.over_since_ms is None:
            self.over_since_ms = self.desk.now_ms
            if chain.seat is not None:
                self.beat(chain)
        others = [seat for seat in chain.state.voters if seat != chain.seat]
        # Who is behind and still speaks has not been told the end yet: messages may be lost.
        behind = [
            self.heard_ms[seat] for seat in others if seat in self.heard_ms.keys() - self.ended
        ]
        until = max(self.over_since_ms, *behind, 0) + LINGER_MS
        until = min(until, self.over_since_ms + LINGER_MS_MAX)
        if chain.seat is None:
            return True  # who watches has seen the end, and nobody waits for it
        stay = self.over_since_ms + WATCHED_MS
        if self.watched_ms is not None and self.desk.now_ms < stay:
            # A spectator may be some steps behind, and nobody else will tell it the end.
            self.desk.wake(stay)
            return False
        self.desk.wake(until)
        return all(seat in self.ended for seat in others) or self.desk.now_ms >= until

"""Forks as one peer finds them: two histories are compared, the step found, and all from it made void.

Contradictions can make two closes of one step settle, each for one half of the table (protocol section 4,
Fork). Nobody need notice at once: each half goes on by itself for as long as it hears nothing of the
other. When a word comes that names another head than ours before a step that we have settled, the two
seats compare some heads, a sixteenth of what is left in each message, until they agree before a step and
differ after it. Each shows what settled that step for it, and the two together prove the fork.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Protocol

from unop2p.deal.keys import RoundKeys
from unop2p.ids import Seat
from unop2p.log import closing
from unop2p.log.evidence import Evidence, contradiction
from unop2p.log.messages import Signed
from unop2p.log.steps import Certificate, OpenStep
from unop2p.peer import events
from unop2p.peer.blame import Blame
from unop2p.peer.desk import Desk
from unop2p.peer.limits import Limits
from unop2p.peer.own import OwnHand
from unop2p.table.genesis import NONCE_BYTES, Table
from unop2p.table.state import TableState
from unop2p.table.talk import POINTS_MAX, Forked, Heads
from unop2p.table.voids import Void, apply_void
from unop2p.wire import codec
from unop2p.wire.forks import Word, contradictions, judge_fork, place, read_word, step_of
from unop2p.wire.proofs import state_before

COMPARE_EVERY_MS = 400
"""How often heads are compared with one seat."""
MANY = 1 << 62
SHOW_EVERY_MS = 1_000
"""How often a fork is shown to a seat that does not seem to know it."""
REBUILD_EVERY_MS = 2_000
"""How often an old step is made anew to look at: that takes all the steps before it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Fork:
    """A fork that was found, with all that is held of its step."""

    void: Void
    step: OpenStep


class History(Protocol):
    """What is needed of the chain."""

    state: TableState
    open: OpenStep
    history: list[Certificate]
    own: OwnHand | None
    keys: RoundKeys | None
    secrets: dict[int, bytes]
    seat: Seat | None

    def head_at(self, step: int) -> bytes:
        """Return the head before a step, at most the open one."""
        ...

    def past(self, step: int) -> TableState | None:
        """Return the table's state before a step."""
        ...

    def prove(self, evidence: Evidence) -> None:
        """Take evidence that holds."""
        ...

    def check_held(self) -> None:
        """Check what is held of the open step and was not checked."""
        ...

    def open_step(self) -> None:
        """Begin the step that is due."""
        ...


def _nothing() -> None:
    """Tell nobody."""


@dataclass(slots=True, kw_only=True)
class Forks:
    """What one peer knows of forks."""

    desk: Desk
    table: Table
    limits: Limits
    blame: Blame
    found: list[Fork] = field(default_factory=list)
    """By rising step."""
    compared: dict[bytes, tuple[int, int]] = field(default_factory=dict)
    """By key when heads were last compared with a seat, and among how many steps."""
    shown_ms: int = -SHOW_EVERY_MS
    pending: dict[bytes, tuple[int, dict[bytes, tuple[Signed, Word]]]] = field(default_factory=dict)
    """What each seat has shown of one step, by key: it may come in several messages."""
    on_void: Callable[[], None] = _nothing
    """Told when steps were made void: what was known of who stands where holds no more."""
    rebuilt: OpenStep | None = None
    """A step that was settled long ago, made anew to be looked at."""
    rebuilt_ms: int = -REBUILD_EVERY_MS

    def voids(self) -> dict[int, tuple[Void, ...]]:
        """Return by step what forks have made void, in the order in which that came out."""
        found: dict[int, tuple[Void, ...]] = {}
        for fork in self.found:
            found[fork.void.step] = (*found.get(fork.void.step, ()), fork.void)
        return found

    # -- looking for the step ------------------------------------------------------------------

    def apart(self, chain: History, key: bytes, step: int, head: bytes) -> None:
        """Somebody names another head before a step than ours, or perhaps does: see where we parted.

        Args:
            chain: ours.
            key: whose word it is.
            step: that it stands at.
            head: that it names.
        """
        if key == self.desk.public or not 0 <= step <= chain.open.step:
            return
        if head == chain.head_at(step):
            return
        self.show()
        if key in self.table.keys and self._may_compare(key, MANY):
            self._compare(key, chain, 0, step)

    def on_heads(self, chain: History, key: bytes, heads: Heads) -> None:
        """Compare heads: narrow down where we parted, or show what settled that step for us."""
        if heads.to != self.desk.public or not 0 < len(heads.points) <= POINTS_MAX:
            return
        low = -1
        for step, head in heads.points:
            if not low < step:
                return
            if step > chain.open.step:
                high = chain.open.step
                break
            if head != chain.head_at(step):
                high = step
                break
            low = step
        else:
            return
        if low < 0 or high <= low or not self._may_compare(key, high - low):
            return
        if high in self.voids():
            self.show(soon=True)
        elif high - low > 1:
            self._compare(key, chain, low, high)
        else:
            self._publish(low, _items(chain.history[low]))

    def _may_compare(self, key: bytes, steps: int) -> bool:
        """Say whether to answer a seat: soon where fewer steps are left, else not at once again."""
        last_ms, left = self.compared.get(key, (-COMPARE_EVERY_MS, MANY))
        if steps >= left and self.desk.now_ms - last_ms < COMPARE_EVERY_MS:
            return False
        self.compared[key] = self.desk.now_ms, steps
        return True

    def _compare(self, key: bytes, chain: History, low: int, high: int) -> None:
        points = tuple((step, chain.head_at(step)) for step in spread(low, high))
        self.desk.publish(
            self.desk.sign(
                Heads(
                    table=self.table.offer.table,
                    to=key,
                    points=points,
                    nonce=self.desk.entropy(NONCE_BYTES),
                )
            )
        )

    # -- showing -------------------------------------------------------------------------------

    def show(self, *, soon: bool = False) -> None:
        """Show the forks that we know, now and then, to whoever seems not to know them."""
        if self.desk.now_ms - self.shown_ms < (COMPARE_EVERY_MS if soon else SHOW_EVERY_MS):
            return
        self.shown_ms = self.desk.now_ms
        for fork in self.found:
            self._publish(fork.void.step, fork.step.signed_items())

    def _publish(self, step: int, items: Iterable[Signed]) -> None:
        for message in self._messages(step, items):
            self.desk.publish(message)

    def _messages(self, step: int, items: Iterable[Signed]) -> list[Signed]:
        """Return what is held of a step in messages of at most one chunk each."""
        return [
            self.desk.sign(
                Forked(
                    table=self.table.offer.table,
                    step=step,
                    items=tuple(chunk),
                    nonce=self.desk.entropy(NONCE_BYTES),
                )
            )
            for chunk in chunks(items, self.limits.tell_bytes_max)
        ]

    # -- being shown ---------------------------------------------------------------------------

    def on_forked(self, chain: History, key: bytes, forked: Forked) -> None:
        """Take what somebody shows of a step that we have settled, or settle now.

        Raises:
            RemoteError: a signature in it does not hold.
        """
        if not 0 <= forked.step <= chain.open.step:
            return
        shown: dict[bytes, tuple[Signed, Word]] = {}
        for item in forked.items[: self.limits.ahead_max]:
            word = read_word(item)
            if word is None or word.table != self.table.offer.table or word.step != forked.step:
                return
            codec.verify(item)
            shown[item.hash] = item, word
        number, before = self.pending.get(key, (-1, {}))
        if number == forked.step and len(before) + len(shown) <= self.limits.ahead_max:
            shown = {**before, **shown}
        self.pending[key] = forked.step, shown
        items = list(shown.values())
        for fork in self.found:
            if fork.void.step == forked.step and any(
                word.head == fork.void.base for _, word in items
            ):
                # Where nothing was settled since, all take the same, and all that is guilty of it.
                if chain.open.step == forked.step and chain.open.head == fork.void.head:
                    self._add(chain, fork.step, items)
                return
        if forked.step == chain.open.step:
            self._add(chain, chain.open, items)
            return
        kept = self._kept(chain, forked.step, items)
        if kept is not None:
            self._add(chain, kept, items)

    def _kept(
        self, chain: History, number: int, items: list[tuple[Signed, Word]]
    ) -> OpenStep | None:
        """Return what is held of a settled step; made anew where it is long ago, and worth it."""
        for step in self.blame.closed:
            if step.step == number:
                return step
        place_of = number, chain.head_at(number)
        if self.rebuilt is not None and (self.rebuilt.step, self.rebuilt.head) == place_of:
            return self.rebuilt
        certificate = chain.history[number]
        ours = [(item, read_word(item)) for item in _items(certificate)]
        if not any(
            item.author == other.author and word is not None and contradiction(word, said)
            for item, word in ours
            for other, said in items
        ):
            return None  # Where nobody contradicts itself there is no fork.
        if self.desk.now_ms - self.rebuilt_ms < REBUILD_EVERY_MS and not self.desk.replaying:
            return None
        self.rebuilt_ms = self.desk.now_ms
        state = chain.past(number)
        if state is None:
            return None
        step = step_of(state)
        place(step, self.table.keys, [(item, word) for item, word in ours if word is not None])
        for held in step.statements.values():
            held.checked = True
        self.rebuilt = step
        return step

    def _add(self, chain: History, step: OpenStep, items: list[tuple[Signed, Word]]) -> None:
        if not place(step, self.table.keys, items) or self.look(chain, step):
            return
        for evidence in contradictions(step, self.table.keys):
            chain.prove(evidence)
        if step is chain.open:
            chain.check_held()

    def look(self, chain: History, step: OpenStep) -> bool:
        """See whether two closes of a step have settled; then everything from it on is void."""
        if not step.irregular or len(closing.certificates(step, lambda _: True)) < 2:
            return False
        state = self._before(chain, step)
        judged = judge_fork(state, step, chain.past, trusted=self.desk.replaying) if state else None
        if state is None or judged is None:
            return False
        void, evidence = judged
        if any(fork.void == void for fork in self.found):
            return False
        self.found = [
            fork
            for fork in self.found
            if fork.void.step < void.step
            or (fork.void.step == void.step and fork.void.base != void.base)
        ]
        self.rebuilt = None
        fork = Fork(void=void, step=step)
        self.found.append(fork)
        self._make_void(chain, fork, evidence, state)
        return True

    def _before(self, chain: History, step: OpenStep) -> TableState | None:
        """Return the table's state before a step, without what a fork of it has made void."""
        if step is chain.open:
            return chain.state
        voids = self.voids()
        same = voids.get(step.step, ())
        voids[step.step] = tuple(void for void in same if void.base != step.head)
        state = state_before(self.table, chain.history, step.step, chain.head_at, voids)
        if state is not None:
            state.head = step.head
        return state

    def _make_void(
        self, chain: History, fork: Fork, evidence: tuple[Evidence, ...], state: TableState
    ) -> None:
        """Go on from the state before the forked step, with a round of fresh secrets."""
        if any(one.author == self.desk.public for one in evidence):
            self.blame.stop_old_journal()
            return
        number = fork.void.step
        told = apply_void(state, fork.void)
        chain.state = state
        del chain.history[number:]
        over = [index for index in chain.secrets if index < state.secret_index]
        for index in over:
            del chain.secrets[index]
        chain.keys = chain.own = None
        for one in evidence:
            self.blame.found_guilty(one)
        self.blame.forget_from(number)
        items = fork.step.signed_items()
        self.desk.put(events.Forked(step=number, items=items))
        for message in self._messages(number, items):
            self.desk.say(message)
        for index in over:
            self.desk.drop_secret(index)
        for notice in told:
            self.desk.notify(notice)
        chain.open_step()
        self.on_void()
        if state.over:
            self.desk.save()
        self.blame.gone(state, chain.seat)


def _items(certificate: Certificate) -> tuple[Signed, ...]:
    return (*certificate.statements, *certificate.tries, *certificate.adopts)


def spread(low: int, high: int) -> tuple[int, ...]:
    """Return at most 16 steps from `low` to `high`, both among them, about equally far apart.

    >>> spread(0, 100)[:4], spread(7, 9)
    ((0, 6, 13, 20), (7, 8, 9))
    """
    gaps = min(POINTS_MAX - 1, high - low)
    if gaps <= 0:
        return (low,)
    return tuple(low + (high - low) * index // gaps for index in range(gaps + 1))


def chunks(items: Iterable[Signed], limit: int) -> list[list[Signed]]:
    """Cut a list of messages into pieces; an empty list is one empty piece: an answer all the same."""
    pieces: list[list[Signed]] = [[]]
    size = 0
    for item in items:
        if pieces[-1] and size + len(item.payload) > limit:
            pieces.append([])
            size = 0
        pieces[-1].append(item)
        size += len(item.payload)
    return pieces

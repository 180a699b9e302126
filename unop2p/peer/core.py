"""One seat, or one spectator: `Peer.handle(event, now_ms=...) -> effects`, and nothing else.

No clock, file, socket, thread or `await`. `handle` never raises a `RemoteError`: what a stranger gets
wrong is ignored, what a seat signs wrong becomes evidence. `LocalError` is raised for our own player.
"""

import contextlib
from collections import OrderedDict
from collections.abc import Callable

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from unop2p.deal.entropy import Entropy
from unop2p.errors import IllegalMoveError, MalformedError, RemoteError
from unop2p.log.evidence import Evidence
from unop2p.log.messages import Adopt, Signed, Statement, Try
from unop2p.peer import events
from unop2p.peer.accusation import read_accusation
from unop2p.peer.chain import Chain
from unop2p.peer.desk import Desk
from unop2p.peer.gate import Gate, Word, is_missing
from unop2p.peer.gossip import Gossip
from unop2p.peer.limits import Limits
from unop2p.peer.lobby import Lobby, Role
from unop2p.peer.view import table_view
from unop2p.table import notices
from unop2p.table.commands import Begin, Command, GiveUpRound, LeaveTable, MakeMove, Say, SetReady
from unop2p.table.genesis import NONCE_BYTES, Genesis, Join, Offer, Program
from unop2p.table.riders import Back
from unop2p.table.talk import (
    CHAT_CHARACTERS_MAX,
    Accuse,
    Ask,
    Chat,
    Forked,
    Heads,
    Heartbeat,
    Ready,
    Refuse,
    Tell,
)
from unop2p.table.view import TableView
from unop2p.wire import codec
from unop2p.wire.reading import Letter, Reader
from unop2p.words import said

ASK_TABLE_EVERY_MS = 2_000
ASK_BEGUN_EVERY_MS = 10_000
"""A seat that has joined may have missed that the table began, and who opened it may be gone by then:
everybody who is there answers."""
NOBODY_MS = 10_000
"""After so long without an answer the person is told that the ticket may be wrong."""
ALONE_EXIT_CODE = 4
WATCH_AHEAD = 200
"""Steps that a spectator holds ahead: it is never waited for, and may be slower than the table."""


class Peer:
    """The whole of one seat behind one call."""

    def __init__(
        self,
        *,
        key: Ed25519PrivateKey,
        role: Role,
        name: str,
        bot: bool,
        sealing_key: bytes,
        entropy: Entropy,
        terms: Offer | None = None,
        limits: Limits | None = None,
        reader: Reader | None = None,
        ready: bool = True,
        program: Program | None = None,
        welcome: Callable[[bytes, Join], bool] | None = None,
    ) -> None:
        """Set up a peer that has not begun.

        Args:
            key: the identity, Ed25519.
            role: opener, joiner or spectator.
            name: shown to the table.
            bot: whether a program plays the seat: it is asked by `AskPlayer`.
            sealing_key: of the table, 32 bytes.
            entropy: gives fresh bytes.
            terms: what an opener offers.
            limits: bounds; the defaults are for real tables.
            reader: opens envelopes of this table, where peers of one process share one; the sealing
                key is then the reader's.
            ready: whether the table may begin as soon as all are here.
            program: what is said of a bot at the table.
            welcome: of an opener: whether somebody may sit down, by key and join.
        """
        self.limits = limits or Limits()
        self.desk = Desk(
            key=key,
            public=key.public_key().public_bytes_raw(),
            reader=reader or Reader(sealing_key),
            entropy=entropy,
        )
        self.lobby = Lobby(
            self.desk,
            role,
            name,
            bot,
            self.limits,
            terms,
            program=program,
            welcome=welcome,
            wants=ready,
        )
        self.gossip = Gossip(self.desk, self.limits)
        self.chain: Chain | None = None
        self._bot = bot
        self._secrets: dict[int, bytes] = {}
        self._seen: OrderedDict[bytes, None] = OrderedDict()
        self._ahead: dict[int, list[tuple[Signed, Word]]] = {}
        self._ahead_count = 0
        self._gate = Gate(self.limits)
        self._table_asked_ms = -ASK_TABLE_EVERY_MS
        self._began_ms: int | None = None
        """When we began to look for a table; None before, and once it was said that there is none."""

    # -- the one call --------------------------------------------------------------------------

    def handle(self, event: events.Event, *, now_ms: int) -> tuple[events.Effect, ...]:
        """Take an event, and return what it makes the peer do.

        Raises:
            LocalError: our own player asked for what is not allowed; nothing has changed.
        """
        self.desk.now_ms = now_ms
        if self.desk.stopped:
            return ()
        match event:
            case events.Started():
                self._start(event)
            case events.Received():
                if not self._receive(event):
                    return self.desk.take()  # nothing has changed: what is due has its time
            case events.Asked(command=command):
                self._command(command)
            case events.Decided(step=step, move=move):
                if self.chain is not None:
                    self.chain.decide(step, move)
            case events.Computed():
                if self.chain is not None:
                    self.chain.on_computed(event)
            case events.Tick():
                pass
        if not self.desk.stopped:
            self._after()
        return self.desk.take()

    def view(self) -> TableView:
        """Return all that our player may see now."""
        return table_view(self.lobby, self.chain, self.gossip, self.desk.now_ms)

    def _after(self) -> None:
        """What every event may bring: held messages of the step that opened, timers, the end."""
        self._begin_chain()
        chain = self.chain
        if chain is None:
            self.lobby.tick()
            self._look_for_table()
            return
        self._drain()
        self.gossip.tick(chain)
        chain.tick()
        self._drain()
        if not chain.blame.give_up_ms and self.gossip.finished(chain):
            self.desk.stop(*chain.blame.ending(chain.state))
        elif self.gossip.alone(chain):
            self.desk.stop(
                said(
                    "Nobody at the table has been heard for a while: it waits, or has ended without "
                    "you. Watch again with the same command."
                ),
                ALONE_EXIT_CODE,
            )

    def _look_for_table(self) -> None:
        if self.lobby.role is Role.OPENER:
            return
        waiting = self.lobby.role is Role.SPECTATOR or self.lobby.offer is None
        every_ms = ASK_TABLE_EVERY_MS if waiting else ASK_BEGUN_EVERY_MS
        if self.desk.now_ms - self._table_asked_ms >= every_ms:
            self._table_asked_ms = self.desk.now_ms
            self.gossip.ask_for_table()
        if waiting:
            self._say_that_nobody_answers()
        self.desk.wake(self._table_asked_ms + every_ms)

    def _say_that_nobody_answers(self) -> None:
        if self._began_ms is None or self.desk.now_ms - self._began_ms < NOBODY_MS:
            return
        self._began_ms = None
        self.desk.notify(
            notices.Warned(
                text=said(
                    "Nobody answers to this ticket yet: is the host there, and is it the ticket to "
                    "this table? Waiting goes on."
                )
            )
        )

    def _begin_chain(self) -> None:
        if self.chain is None and self.lobby.table is not None and not self.desk.stopped:
            table = self.lobby.table
            self.chain = Chain(self.desk, table, self._bot, self._secrets, self.limits)
            self.chain.voter.heard_ms = self.gossip.heard_ms
            self.chain.forks.on_void = self._voided
            self.gossip.began_ms = self.desk.now_ms
            self.desk.put(events.Begun(genesis=table.genesis))
            if not self.desk.replaying and table.genesis.author != self.desk.public:
                self.desk.keep(table.genesis)
            self.desk.notify(notices.TableBegan(names=table.names))
            if self.lobby.returns:
                # What we have said is not known here: it is asked for before anything is said.
                self.gossip.restart(self.chain)

    def _voided(self) -> None:
        """Steps were made void: what was heard of them may come again in place of what followed."""
        self._ahead, self._ahead_count = {}, 0
        self._seen.clear()
        self.gossip.voided()

    # -- beginning -----------------------------------------------------------------------------

    def _start(self, event: events.Started) -> None:
        self._secrets.update(event.secrets or {})
        self.desk.replaying = True
        for entry in event.entries:
            signed = codec.unpack(entry)
            self._remember(signed)
            self._take(signed, codec.decode(signed.payload))
            self._begin_chain()
            self._drain()
        self.desk.replaying = False
        self._began_ms = self.desk.now_ms
        if self.chain is None:
            self.lobby.start()
        elif self.chain.seat is not None:
            self.chain.resume()
            self.gossip.restart(self.chain)

    # -- our own player ------------------------------------------------------------------------

    def _command(self, command: Command) -> None:
        match command:
            case MakeMove(move=move):
                if self.chain is None:
                    message = said("the table has not begun")
                    raise IllegalMoveError(message)
                self.chain.want(move)
            case Say(text=text):
                self._say(text)
            case Begin():
                self.lobby.begin()
            case SetReady(ready=ready):
                self.lobby.set_ready(ready=ready)
            case LeaveTable():
                self._playing().leave()
            case GiveUpRound():
                self._playing().give_up()

    def _playing(self) -> Chain:
        if self.chain is None or self.chain.seat is None:
            message = said("the table has not begun")
            raise IllegalMoveError(message)
        return self.chain

    def _say(self, text: str) -> None:
        offer = self.lobby.offered
        line = " ".join(text.split())
        if not line or len(line) > CHAT_CHARACTERS_MAX or not line.isprintable():
            message = said(
                "a line of chat has 1 to {chat_characters_max} printable characters",
                chat_characters_max=CHAT_CHARACTERS_MAX,
            )
            raise IllegalMoveError(message)
        if offer is None or self.lobby.role is Role.SPECTATOR:
            message = said("nobody is there to hear it")
            raise IllegalMoveError(message)
        chat = Chat(table=offer.table, text=line, nonce=self.desk.entropy(NONCE_BYTES))
        self.desk.publish(self.desk.sign(chat))
        called = self._name_of(self.desk.public) or self.lobby.name
        self.desk.notify(notices.ChatSaid(name=called, text=line))

    # -- what comes in -------------------------------------------------------------------------

    def sift(self, data: bytes, *, now_ms: int) -> events.Received | None:
        """Open an envelope; return the event for it, or None where it is not worth one.

        That is junk, a repeat, a word of our own, and more than anybody looks at. Nothing changes.
        """
        try:
            letter = self.desk.open(data)
        except codec.OtherVersionError:
            return events.Received(data=data)
        except MalformedError:
            return None
        return events.Received(data=data, letter=letter) if self._may_come(letter, now_ms) else None

    def _may_come(self, letter: Letter, now_ms: int) -> bool:
        signed = letter.signed
        if signed.hash in self._seen:
            return self.gossip.asking.awaits(signed.hash)
        if signed.author == self.desk.public:
            return False
        return self._gate.may_come(signed, self._keys(), now_ms)

    def _keys(self) -> tuple[bytes, ...] | None:
        return self.lobby.table.keys if self.lobby.table is not None else None

    def _receive(self, event: events.Received) -> bool:
        """Take what came in: what is cheap first, then the signature. Return False for nothing new."""
        try:
            letter = event.letter or self.desk.open(event.data)
        except codec.OtherVersionError as error:
            if self.lobby.table is None and self.lobby.offer is None:
                self.desk.stop(error.sentence(), error.exit_code)
            return False
        except MalformedError:
            return False
        if not self._may_come(letter, self.desk.now_ms):
            return False
        signed = letter.signed
        if signed.hash in self._seen:
            self.gossip.asking.came(signed.hash, self.desk.now_ms)
            return False
        try:
            message = letter.message()
            awaited = False
            if isinstance(message, Word) and self.lobby.table is not None:
                if not self._wanted(message):
                    return False
                assert self.chain is not None  # or it is not wanted
                seat, ahead = self.chain.seat_of(signed.author), self._ahead.get(message.step, ())
                held = [word for other, word in ahead if other.author == signed.author]
                awaited = seat is not None and is_missing(self.chain.open, seat, message, held)
            self._gate.check(letter, self._keys(), self.desk.now_ms, awaited=awaited)
        except RemoteError:
            return False
        if not isinstance(message, Offer | Join | Ready):
            # Those are said again word for word: that somebody is still here is news.
            self._remember(signed)
        with contextlib.suppress(RemoteError):
            self._take(signed, message)
        return True

    def _remember(self, signed: Signed) -> None:
        self._seen[signed.hash] = None
        if len(self._seen) > self.limits.seen_max:
            self._seen.popitem(last=False)

    def _wanted(self, message: Word) -> bool:
        if self.chain is None or message.table != self.chain.table.offer.table:
            return False
        step = self.chain.open.step
        if self.chain.seat is None:
            return step <= message.step <= step + WATCH_AHEAD
        return message.step in (step, step + 1)

    def _take(self, signed: Signed, message: codec.Message) -> None:
        """Act on a message whose signature holds."""
        match message:
            case Offer():
                self.lobby.on_offer(signed, message)
            case Join():
                if self.lobby.table is not None and self.lobby.role is Role.OPENER:
                    self._late_join(signed)
                self.lobby.on_join(signed, message)
            case Ready():
                self.lobby.on_ready(signed, message)
            case Refuse():
                self.lobby.on_refuse(signed, message)
            case Genesis():
                self.lobby.on_genesis(signed, message)
            case Statement() | Try() | Adopt():
                self._place(signed, message)
            case Ask():
                self._asked(signed, message)
            case Tell():
                self._told(signed, message)
            case _:
                self._talk(signed, message)

    def _late_join(self, signed: Signed) -> None:
        assert self.lobby.table is not None
        if signed.author in self.lobby.table.keys:
            self.desk.publish(self.lobby.table.genesis)
        elif not self.desk.replaying:
            self.lobby.refuse(signed.author, "full")

    def _place(self, signed: Signed, message: Word) -> None:
        chain = self.chain
        if chain is None:
            self._seen.pop(signed.hash, None)  # It came before the genesis: it may come again.
            return
        if message.table != chain.table.offer.table:
            return
        seat = chain.seat_of(signed.author)
        if seat is None:
            return
        self.gossip.on_heard(chain, seat, message.step)
        if message.step > chain.open.step:
            self._hold(signed, message)
        elif message.step == chain.open.step:
            if isinstance(message, Statement):
                chain.on_statement(signed, message)
            else:
                chain.on_vote(signed, message)
        elif message.step >= 0:
            chain.on_settled(signed, message)

    def _hold(self, signed: Signed, message: Word) -> None:
        """Keep what is for a later step. Where there is no room the nearest steps have it.

        A seat may sign words for steps that never come; they must not keep out those of the next.
        """
        while self._ahead_count >= self.limits.ahead_max:
            farthest = max(self._ahead)
            if farthest <= message.step:
                self._seen.pop(signed.hash, None)  # It may come again.
                return
            dropped = self._ahead.pop(farthest)
            self._ahead_count -= len(dropped)
            for other, _ in dropped:
                self._seen.pop(other.hash, None)
        self._ahead.setdefault(message.step, []).append((signed, message))
        self._ahead_count += 1

    def _drain(self) -> None:
        """Place what was held for the step that is open now."""
        chain = self.chain
        while chain is not None and self._ahead and not self.desk.stopped:
            for step in [step for step in self._ahead if step < chain.open.step]:
                self._ahead_count -= len(self._ahead.pop(step))
            held = self._ahead.pop(chain.open.step, None)
            if held is None:
                return
            self._ahead_count -= len(held)
            for signed, message in held:
                self._place(signed, message)

    def _asked(self, signed: Signed, ask: Ask) -> None:
        if self.chain is not None:
            seat = self.chain.seat_of(signed.author)
            if seat is not None:
                self.gossip.on_heard(self.chain, seat, None)
            self.gossip.on_ask(self.chain, signed, ask)
            if ask.table == self.chain.table.offer.table and self.chain.seat is not None:
                self.chain.forks.apart(self.chain, signed.author, ask.step, ask.head)
        elif self.lobby.role is Role.OPENER and self.lobby.offer is not None and ask.step < 0:
            self.desk.publish(self.lobby.offer)

    def _told(self, signed: Signed, tell: Tell) -> None:
        """Take an answer: each item is checked like a message that came by itself."""
        chain = self.chain
        if chain is not None:
            seat = chain.seat_of(signed.author)
            if seat is None:
                return
            if tell.to == self.desk.public:
                self.gossip.on_reply(seat)
            self.gossip.on_heard(chain, seat, tell.step)
            self.gossip.on_tell_heard(chain, tell)
        for item in tell.items[: self.limits.ahead_max]:
            if self.desk.stopped or item.hash in self._seen:
                continue
            try:
                message = codec.decode(item.payload)
                if not self._useful(item, message):
                    continue
                codec.verify(item)
            except RemoteError:
                return  # an honest relay has checked what it sends: the rest is not worth a look
            self._remember(item)
            if isinstance(message, Word):
                self.gossip.repairs.mended += 1
                self.gossip.asking.brought(item.hash)
                self._place(item, message)
                self._drain()
            else:
                self._take(item, message)
                self._begin_chain()
        mine = tell.to == self.desk.public and tell.items
        if self.chain is not None and mine and tell.step > self.chain.open.step:
            self.gossip.ask_soon()

    def _useful(self, item: Signed, message: codec.Message) -> bool:
        """Say whether a message in an answer can change anything here, before its signature is checked.

        An answer of 256 KiB may hold many hundreds of them, and checking those takes long.
        """
        if isinstance(message, Genesis | Offer):
            return self.lobby.table is None
        if self.chain is None or not isinstance(message, Word):
            return False
        near = self.chain.open.step - 1 <= message.step
        return near and self.chain.seat_of(item.author) is not None

    def _talk(
        self, signed: Signed, message: Heartbeat | Chat | Heads | Forked | Accuse | Back
    ) -> None:
        chain = self.chain
        if isinstance(message, Chat):
            name = self._name_of(signed.author)
            if name is not None and message.text.isprintable():
                self.desk.notify(
                    notices.ChatSaid(name=name, text=message.text[:CHAT_CHARACTERS_MAX])
                )
            return
        if chain is None or message.table != chain.table.offer.table:
            return
        seat = chain.seat_of(signed.author)
        if seat is None:
            return
        if isinstance(message, Heartbeat):
            self.gossip.on_heard(chain, seat, message.step)
            if message.over and message.step == chain.open.step:
                self.gossip.on_end_heard(chain, seat, message.head)
            chain.forks.apart(chain, signed.author, message.step, message.head)
        elif isinstance(message, Heads):
            chain.forks.on_heads(chain, signed.author, message)
        elif isinstance(message, Forked):
            chain.forks.on_forked(chain, signed.author, message)
        elif isinstance(message, Back):
            self.gossip.on_heard(chain, seat, None)
            if message.step >= chain.open.step:
                # It has settled what we have not yet. It says the same again, word for word.
                self._seen.pop(signed.hash, None)
                return
            chain.on_back(signed, message)
        else:
            self._accused(chain, message)

    def _name_of(self, key: bytes) -> str | None:
        if self.lobby.table is not None:
            if key not in self.lobby.table.keys:
                return None
            return self.lobby.table.names[self.lobby.table.keys.index(key)]
        held = self.lobby.joins.get(key)
        return held.join.name if held is not None else None

    def _accused(self, chain: Chain, accusation: Accuse) -> None:
        """Check evidence that somebody has sent.

        Raises:
            RemoteError: it does not hold; nothing has changed.
        """
        found = read_accusation(chain.table, accusation, chain.past)
        if isinstance(found, Evidence):
            chain.prove(found)
            return
        for item, message in found:
            self._place(item, message)

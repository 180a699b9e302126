"""The open step: place what is said, check it, say our own word, adopt, settle, go on."""

from dataclasses import dataclass, field

from unop2p.deal.keys import RoundKeys, derive_round_keys
from unop2p.errors import ProofError, RemoteError
from unop2p.ids import Seat
from unop2p.log.evidence import Evidence, contradiction
from unop2p.log.messages import Adopt, Signed, Statement, Try, next_head
from unop2p.log.steps import Certificate, OpenStep
from unop2p.peer import events, pieces
from unop2p.peer.desk import Desk
from unop2p.peer.mover import Mover, Standing
from unop2p.peer.own import OwnHand, body_for_move
from unop2p.peer.pieces import OwnSecrets, Piece, doubt, move_due, piece_due, preparation
from unop2p.rules.moves import Move, Pass
from unop2p.table import bodies, notices
from unop2p.table.apply import apply_step
from unop2p.table.checks import Said, check_for, is_small, unfounded
from unop2p.table.genesis import Table
from unop2p.table.phases import Phase, StepKind
from unop2p.table.state import TableState, new_state
from unop2p.table.talk import Accuse
from unop2p.table.work import Checked, Nothing, PreparedLists
from unop2p.wire import codec

FAULT_EXIT_CODE = 30
OLD_JOURNAL_EXIT_CODE = 31
SEED_BYTES = 32
SECRET_BYTES = 32
WAITING_AFTER_MS = 5_000
LOOK_EVERY_MS = 1_000  # while somebody thinks: looked at all the time, a waiting peer never slept


@dataclass(slots=True)
class Chain:
    """What one peer knows and does about the chain. `seat` is None for a spectator."""

    desk: Desk
    table: Table
    bot: bool
    secrets: dict[int, bytes]
    state: TableState = field(init=False)
    open: OpenStep = field(init=False)
    seat: Seat | None = field(init=False)
    own: OwnHand | None = None
    keys: RoundKeys | None = None
    """Our own keys of the round, from the commit step on."""
    history: list[Certificate] = field(default_factory=list)
    results: dict[Seat, Checked] = field(default_factory=dict)
    """What the checked statements of the open step yield."""
    checking: set[Seat] = field(default_factory=set)
    making: bool = False
    """Our own statement is being made."""
    preparing: bool = False
    prepared: PreparedLists | None = field(default=None, repr=False)
    """Our part of the open shuffle step, as far as it needs no cards."""
    adopted: bool = False
    mover: Mover = field(init=False)
    advanced: bool = False
    """All that is due now is said, adopted and settled; nothing has changed since."""
    quiet: bool = False
    """Just back: nothing is said in the chain before the others were asked."""
    warned_ms: int = 0
    fault: Evidence | None = None
    _held: dict[Seat, Said] = field(default_factory=dict, init=False, repr=False)
    """What is said in the open step; a statement that is placed stays."""

    def __post_init__(self) -> None:
        """Open step 0."""
        self.state = new_state(self.table)
        self.mover = Mover(self.desk, self.table, self.bot)
        keys = self.table.keys
        self.seat = Seat(keys.index(self.desk.public)) if self.desk.public in keys else None
        self._open_step()

    # -- the open step -------------------------------------------------------------------------

    def _open_step(self) -> None:
        self.open = OpenStep(
            step=self.state.step,
            head=self.state.head,
            active=self.state.seats,
            voters=self.state.seats,
            opened_ms=self.desk.now_ms,
        )
        self.results, self._held = {}, {}
        self.checking = set()
        self.making = self.adopted = self.preparing = False
        self.prepared = None
        self.mover.open(self.state)
        self.warned_ms = self.desk.now_ms

    def resume(self) -> None:
        """Come back from the journal: say again what was said in the open step, word for word."""
        now = self.desk.now_ms
        self.open.opened_ms = self.warned_ms = now
        if self.seat is None or self.state.over:
            return
        if self.state.round_index in self.secrets:
            self._round_keys()
        if self.seat in self.open.statements:
            self.making = True
            self.desk.publish(self.open.statements[self.seat].signed)
        for signed, _ in self.open.votes.get(self.seat, ()):
            self.desk.publish(signed)
        if self.history:
            # Others may lack our adopt of the step before: it was written, and perhaps never sent.
            for signed in self.history[-1].adopts:
                if signed.author == self.desk.public:
                    self.desk.publish(signed)

    def seat_of(self, key: bytes) -> Seat | None:
        """Return the seat of a key, or None."""
        return Seat(self.table.keys.index(key)) if key in self.table.keys else None

    def on_statement(self, signed: Signed, statement: Statement) -> None:
        """Place a statement of the open step whose signature holds."""
        seat = self.seat_of(signed.author)
        if seat is None or (statement.step, statement.head) != (self.open.step, self.open.head):
            return
        placed = self.open.place_statement(seat, signed, statement)
        if isinstance(placed, Evidence):
            self.prove(placed)
        elif placed:
            if seat == self.seat and not self.making and not self.desk.replaying:
                # Our own signature, and our journal does not know it.
                self.desk.stop(pieces.OLD_JOURNAL_REASON, OLD_JOURNAL_EXIT_CODE)
                return
            self._check_held()

    def on_settled(self, signed: Signed, message: Statement | Try | Adopt) -> None:
        """Compare with what was settled here: another word of its author is a contradiction."""
        certificate = self.history[message.step]
        for held in (*certificate.statements, *certificate.adopts):
            if held.author != signed.author or held.hash == signed.hash:
                continue
            said = codec.decode(held.payload)
            assert isinstance(said, Statement | Try | Adopt)
            reason = contradiction(said, message)
            if reason is not None:
                self.prove(
                    Evidence(
                        author=signed.author,
                        step=message.step,
                        reason=reason,
                        items=(held, signed),
                    )
                )
                return

    def head_at(self, step: int) -> bytes:
        """Return the head before a step, at most the open one."""
        return self.history[step].head if step < len(self.history) else self.open.head

    def missing(self) -> tuple[Seat, ...]:
        """Return the seats that have said nothing yet that the open step could close with.

        Of those that shuffle one after another only the one whose turn it is: the others cannot yet.
        """
        silent = set(self.open.missing_statements()) | set(unfounded(self.state, self._said()))
        order = self.state.plan.speakers if self.state.plan.phase is Phase.SHUFFLE else ()
        behind = [seat for seat in order if seat in silent][1:]
        return tuple(s for s in self.open.active if s in silent and s not in behind)

    def disagrees(self) -> bool:
        """Say whether two of us hold other words of one seat.

        It shows where somebody has adopted another close than ours, or builds on another shuffle.
        """
        if unfounded(self.state, self._said()):
            return True
        if not self.open.complete():
            return False
        close = self.open.close()
        return any(vote.close != close for held in self.open.votes.values() for _, vote in held)

    def on_vote(self, signed: Signed, vote: Try | Adopt) -> None:
        """Place a try or an adopt of the open step whose signature holds."""
        seat = self.seat_of(signed.author)
        if seat is None or (vote.step, vote.head) != (self.open.step, self.open.head):
            return
        placed = self.open.place_vote(seat, signed, vote)
        if isinstance(placed, Evidence):
            self.prove(placed)
        elif placed:
            if seat == self.seat:
                self.adopted = True
            self.desk.keep(signed)
            self.advance()

    def _said(self) -> dict[Seat, Said]:
        for seat, item in self.open.statements.items():
            if seat not in self._held:
                body = item.statement.body
                assert isinstance(body, bodies.Body)
                self._held[seat] = Said(hash=item.signed.hash, body=body)
        return dict(self._held)  # who holds it must not see what is said later

    def _check_held(self) -> None:
        """Start the check of every statement that can be judged now."""
        said = self._said()
        for seat in self.open.active:
            if seat not in said or seat in self.results or seat in self.checking:
                continue
            if self.desk.stopped:
                return
            trusted = self.desk.replaying
            try:
                check = check_for(self.state, seat, said, trusted=trusted)
                if check is not None and trusted and callable(check):
                    check = check()
            except RemoteError as error:
                self._wrong(seat, str(error))
                return
            if check is None:
                continue
            if not callable(check):
                self._checked(seat, check)
                continue
            self.checking.add(seat)
            self.desk.compute(
                ("check", self.open.step, seat),
                check,
                said[seat].hash,
                small=is_small(self.state, seat, said[seat].body),
            )
        self.advance()

    def on_computed(self, event: events.Computed) -> None:
        """Take the answer of a worker, if the step that asked is still open."""
        kind, step, number = event.job
        if step != self.open.step or self.desk.stopped:
            return
        if kind == "check":
            seat = Seat(number)
            self.checking.discard(seat)
            if isinstance(event.result, RemoteError):
                self._wrong(seat, str(event.result))
            elif seat not in self.results:
                self._checked(seat, event.result)  # type: ignore[arg-type]  # a check's own result
                self._check_held()
        elif kind == "make" and not isinstance(event.result, RemoteError):
            # It fails where the shuffle that it builds on cannot be read: the check of that says so.
            made: tuple[bodies.Body, Checked] = event.result  # type: ignore[assignment]  # our own work
            self._say(*made)
        elif kind == "prepare":
            self.preparing, self.prepared = False, event.result  # type: ignore[assignment]  # our own
            self.advance()

    def _checked(self, seat: Seat, checked: Checked) -> None:
        held = self.open.statements[seat]
        held.checked = True
        self.results[seat] = checked
        if seat != self.seat:
            self.desk.keep(held.signed)
        if isinstance(held.statement.body, bodies.Shuffled) and not self.desk.replaying:
            speakers = self.state.plan.speakers
            done = sum(1 for speaker in speakers if speaker in self.results)
            self.desk.notify(
                notices.SeatShuffled(
                    seat=seat,
                    done=done,
                    total=len(speakers),
                    cards=sum(len(part) for part in self.state.plan.inputs),
                    proved=not self.state.replayed,
                )
            )

    # -- faults --------------------------------------------------------------------------------

    def _wrong(self, seat: Seat, reason: str) -> None:
        items = [self.open.statements[seat].signed]
        body = self.open.statements[seat].statement.body
        if isinstance(body, bodies.Shuffled):
            # Who reads the evidence needs the statement that this one builds on.
            items += [
                held.signed
                for held in self.open.statements.values()
                if held.signed.hash == body.base
            ]
        self.prove(
            Evidence(
                author=self.table.keys[seat],
                step=self.open.step,
                reason=reason,
                items=tuple(items),
            )
        )

    def prove(self, evidence: Evidence) -> None:
        """A fault is proved. Until attempts exist it ends the match, for everybody alike."""
        if self.fault is not None or self.desk.stopped:
            return
        self._accept(evidence)
        accusation = Accuse(
            table=self.table.offer.table,
            step=evidence.step,
            reason=evidence.reason[:200],
            items=evidence.items,
        )
        self.desk.publish(self.desk.sign(accusation))
        self.desk.stop(*self.ending())

    def _accept(self, evidence: Evidence) -> None:
        seat = self.seat_of(evidence.author)
        assert seat is not None
        self.fault = evidence
        self.desk.put(events.Proved(evidence=evidence))
        self.desk.notify(notices.FaultProved(seat=seat, step=evidence.step, reason=evidence.reason))

    def _came_out(self) -> None:
        """A move of the round was unlawful by its player's own cards.

        Everybody who settles the step finds it, so nobody is told; and nobody goes before the others
        have settled it too, as at the end of a match.
        """
        fault = self.state.faults[0]
        signed = next(
            item
            for item in self.history[fault.step].statements
            if item.author == self.table.keys[fault.seat]
        )
        self._accept(
            Evidence(author=signed.author, step=fault.step, reason=fault.reason, items=(signed,))
        )

    def ending(self) -> tuple[str, int]:
        """Return why the peer ends, in a sentence, and its exit code, once the match is over."""
        if self.fault is None:
            return "", 0
        name = self.table.names[self.table.keys.index(self.fault.author)]
        seat = self.seat_of(self.fault.author)
        return pieces.ended_by(name, seat, self.fault), FAULT_EXIT_CODE

    # -- our own word --------------------------------------------------------------------------

    def advance(self) -> None:
        """Say, adopt and settle all that is due now."""
        while not self.desk.stopped and not self.state.over:
            if not self.quiet and self.seat is not None and not self.desk.replaying:
                self._say_own()
                self._adopt()
            certificate = self.open.settled()
            if certificate is None:
                self.advanced = not self.desk.replaying
                return
            self._settle(certificate)

    def _adopt(self) -> None:
        if self.adopted or not self.open.complete():
            return
        adopt = Adopt(
            table=self.table.offer.table,
            step=self.open.step,
            head=self.open.head,
            attempt=0,
            close=self.open.close(),
        )
        signed = self.desk.sign(adopt)
        assert self.seat is not None
        self.open.place_vote(self.seat, signed, adopt)
        self.adopted = True
        self.desk.say(signed)

    def _settle(self, certificate: Certificate) -> None:
        said = self._said()
        results = {seat: (said[seat], self.results[seat]) for seat in self.open.active}
        round_before = self.state.round_index
        head = next_head(self.open.step, self.open.head, certificate.close)
        try:
            told = apply_step(self.state, results, head)
        except ProofError as error:
            # A card that all have opened is no face, though every proof holds: nobody can be named.
            self.desk.stop(pieces.not_applied(error), FAULT_EXIT_CODE)
            return
        self.history.append(certificate)
        self.desk.put(events.Settled(certificate=certificate))
        if self.own is not None:
            told = self.own.update(self.state, told)
        if self.state.faults and self.fault is None:
            self._came_out()
        if self.state.over or self.state.round_index != round_before:
            self.desk.put(events.DropSecret(round_index=round_before))
            self.secrets.pop(round_before, None)
            self.keys = None
            self.own = None
        for notice in told:
            self.desk.notify(notice)
        self._open_step()
        if self.state.over:
            self.desk.save()

    def _say_own(self) -> None:
        """Say what we owe in the open step, or begin to make it."""
        assert self.seat is not None
        if self.seat in self.open.statements or self.making:
            return
        plan = self.state.plan
        if pieces.lost_secret(self.state, self.seat, self.keys):
            self.desk.stop(pieces.LOST_KEY_REASON, pieces.LOST_KEY_EXIT_CODE)
        elif plan.phase is Phase.REACTION:
            move = self.mover.reaction(self._standing())
            if isinstance(move, Pass):
                self._say(bodies.Assent(), Nothing())
            elif move is not None:
                self._move(move)
        elif self.seat not in plan.speakers:
            self._say(bodies.Assent(), Nothing())
        elif plan.phase in {Phase.TURN, Phase.ANSWER} and self._doubt():
            return
        elif plan.phase is Phase.TURN:
            move = self.mover.turn(self._standing())
            if move is not None:
                self._move(move)
        else:
            self._contribute()

    def _contribute(self) -> None:
        assert self.seat is not None
        keys, seed = self._round_keys(), self.desk.entropy(SEED_BYTES)
        if self.state.plan.phase is Phase.COMMIT:
            point = keys.shuffle_commitment.encoded if self.state.replayed else b""
            self._say(bodies.Commit(digest=keys.commitment, shuffle_seed=point), Nothing())
            return
        faces = self.own.faces if self.own is not None else {}
        own = OwnSecrets(keys, faces, seed, self.prepared)
        work = piece_due(self.state, self.seat, self._said(), own)
        if work is None:
            self._prepare(seed)
        elif not self.preparing:  # it is sooner done than anything begun anew
            self._make(work, small=is_small(self.state, self.seat, None))

    def _prepare(self, seed: bytes) -> None:
        """Make what can be made of our shuffle while the seats before are at theirs; once."""
        if self.preparing or self.prepared is not None or self.seat is None:
            return
        work = preparation(self.state, self.seat, seed)
        if work is not None:
            self.preparing = True
            self.desk.compute(("prepare", self.open.step, self.seat), work)

    def _doubt(self) -> bool:
        """Show cards of ours that cannot be, in place of a move; say whether there are any."""
        positions = self.own.doubtful(self.state) if self.own is not None else ()
        if not positions or self.own is None or self.seat is None:
            return False
        own = OwnSecrets(self._round_keys(), self.own.faces, self.desk.entropy(SEED_BYTES))
        self._make(doubt(self.state, self.seat, positions, own))
        return True

    def _round_keys(self) -> RoundKeys:
        """Return our keys of the round; the first call of a round draws its secret."""
        if self.keys is None:
            assert self.seat is not None
            index = self.state.round_index
            if index not in self.secrets:
                self.secrets[index] = self.desk.entropy(SECRET_BYTES)
                self.desk.put(events.KeepSecret(round_index=index, data=self.secrets[index]))
            self.keys = derive_round_keys(
                self.secrets[index],
                table_id=self.table.offer.table,
                round_index=index,
                seat=self.seat,
            )
        if pieces.lost_secret(self.state, self.seat, self.keys):
            return self.keys
        if self.own is None and self.state.match is not None:
            assert self.seat is not None
            self.own = OwnHand(seat=self.seat, secret=self.keys.secret)
            self.own.update(self.state, ())
        return self.keys

    def _make(self, work: Piece, *, small: bool = False) -> None:
        self.making = True
        self.desk.compute(("make", self.open.step, self.seat or 0), work, small=small)

    def _say(self, body: bodies.Body, checked: Checked) -> None:
        """Sign, persist and publish our statement; its proofs need no check of our own."""
        assert self.seat is not None
        statement = Statement(
            table=self.table.offer.table, step=self.open.step, head=self.open.head, body=body
        )
        signed = self.desk.sign(statement)
        self.making = True
        self.open.place_statement(self.seat, signed, statement)
        self._checked(self.seat, checked)
        self.desk.say(signed)
        self._check_held()

    # -- moves ---------------------------------------------------------------------------------

    def _standing(self) -> Standing:
        return Standing(
            state=self.state,
            open=self.open,
            seat=self.seat,
            own=self.own,
            said=self.making or self.seat in self.open.statements,
        )

    def want(self, move: Move) -> None:
        """Our player wants to make a move in the open step.

        Raises:
            IllegalMoveError: it is not this seat's to move, or the rules refuse it.
        """
        self.mover.want(self._standing(), move)
        self.advance()

    def decide(self, step: int, move: Move | None) -> None:
        """A bot has decided."""
        if step == self.open.step and self.seat is not None:
            self.mover.decide(self._standing(), move)
            self.advance()

    def _move(self, move: Move) -> None:
        """Say a move of ours, or begin to make what goes with it."""
        if self.own is None or self.seat is None:
            return
        own = OwnSecrets(self._round_keys(), self.own.faces, self.desk.entropy(SEED_BYTES))
        body = body_for_move(self.own, self.state, move)
        work = move_due(self.state, self.seat, body, own)
        if work is None:
            self._say(body, Nothing())
        else:
            self._make(work, small=is_small(self.state, self.seat, body))

    def tick(self) -> None:
        """Act on what time alone brings."""
        if self.state.over or self.desk.stopped:
            return
        if not self.advanced:
            self.advance()
        self.advanced = False  # by the next event, or by what time will have brought
        look_ms = self.warned_ms + WAITING_AFTER_MS
        if self.desk.now_ms >= look_ms:
            late = tuple(seat for seat in self.missing() if not self._is_thinking(seat))
            if late:
                self.warned_ms = self.desk.now_ms
                since_ms = self.desk.now_ms - self.open.opened_ms
                self.desk.notify(notices.Waiting(seats=late, since_ms=since_ms))
            look_ms = self.desk.now_ms + (WAITING_AFTER_MS if late else LOOK_EVERY_MS)
        self.desk.wake(look_ms)

    def _is_thinking(self, seat: Seat) -> bool:
        """Say whether a seat is within its turn time."""
        plan, end_ms = self.state.plan, self.open.opened_ms + self.table.offer.timers.turn_ms
        asked = plan.kind is StepKind.TURN and seat in plan.speakers
        return asked and self.desk.now_ms < end_ms

"""The open step: place what is said, check it, say our own word, close it with the others, go on."""

from dataclasses import dataclass, field

from unop2p.deal.keys import RoundKeys
from unop2p.errors import IllegalMoveError, ProofError, RemoteError
from unop2p.ids import Seat
from unop2p.log import closing
from unop2p.log.evidence import Evidence
from unop2p.log.messages import Adopt, Signed, Statement, Try, next_head
from unop2p.log.steps import Certificate, Held, OpenStep
from unop2p.peer import events, pieces
from unop2p.peer.attendance import Attendance
from unop2p.peer.blame import FAULT_EXIT_CODE, Blame
from unop2p.peer.checking import Checks, blocked, is_done, lacking, missing, said_in, stands
from unop2p.peer.desk import Desk
from unop2p.peer.forks import Forks
from unop2p.peer.limits import Limits
from unop2p.peer.mover import Mover, Standing
from unop2p.peer.own import OwnHand, body_for_move
from unop2p.peer.pieces import (
    OwnSecrets,
    Piece,
    carried,
    doubt,
    move_due,
    piece_due,
    preparation,
    round_keys,
)
from unop2p.peer.voter import Voter
from unop2p.rules.moves import Move, Pass
from unop2p.table import bodies
from unop2p.table.apply import apply_step
from unop2p.table.checks import Said, is_small
from unop2p.table.genesis import Table
from unop2p.table.phases import Phase
from unop2p.table.riders import Back
from unop2p.table.state import ROUNDS_MAX, TableState, new_state
from unop2p.table.work import Checked, Nothing, PreparedLists
from unop2p.wire.proofs import check_riders, state_before
from unop2p.words import said

SEED_BYTES = 32


@dataclass(slots=True)
class Chain:
    """What one peer knows and does about the chain. `seat` is None for a spectator."""

    desk: Desk
    table: Table
    bot: bool
    secrets: dict[int, bytes]
    limits: Limits
    state: TableState = field(init=False)
    open: OpenStep = field(init=False)
    seat: Seat | None = field(init=False)
    own: OwnHand | None = None
    keys: RoundKeys | None = None
    """Our own keys of the round, from the commit step on."""
    history: list[Certificate] = field(default_factory=list)
    checks: Checks = field(init=False)
    blame: Blame = field(init=False)
    forks: Forks = field(init=False)
    attendance: Attendance = field(init=False)
    voter: Voter = field(init=False)
    making: bool = False
    preparing: bool = False
    prepared: PreparedLists | None = field(default=None, repr=False)
    """Our part of the open shuffle step, as far as it needs no cards."""
    """Our own statement is being made."""
    adopted: bool = False
    mover: Mover = field(init=False)
    advanced: bool = False
    """All that is due now is said, adopted and settled; nothing has changed since."""
    quiet: bool = False
    """Just back: nothing is said in the chain before the others were asked."""

    def __post_init__(self) -> None:
        """Open step 0."""
        self.state = new_state(self.table)
        self.mover = Mover(self.desk, self.table, self.bot)
        self.attendance = Attendance(desk=self.desk, table=self.table)
        self.voter = Voter(desk=self.desk, table=self.table)
        self.checks = Checks(desk=self.desk, past=self.past)
        none = (0,) * self.table.seat_count
        self.blame = Blame(
            desk=self.desk, table=self.table, attendance=self.attendance, totals=none
        )
        self.forks = Forks(desk=self.desk, table=self.table, limits=self.limits, blame=self.blame)
        keys = self.table.keys
        self.seat = Seat(keys.index(self.desk.public)) if self.desk.public in keys else None
        self.open_step()

    # -- the open step -------------------------------------------------------------------------

    def open_step(self) -> None:
        """Begin the step that is due."""
        self.open = OpenStep(
            step=self.state.step,
            head=self.state.head,
            active=self.state.active,
            voters=self.state.voters,
            opened_ms=self.desk.now_ms,
        )
        self.checks.open()
        self.voter.open()
        self.making = self.adopted = self.preparing = False
        self.prepared = None
        self.mover.open(self.state)
        if self.state.match is not None:
            self.blame.totals = self.state.match.totals

    def resume(self) -> None:
        """Come back from the journal: say again what was said in the open step, word for word."""
        self.open.opened_ms = self.desk.now_ms
        self.voter.open()
        if self.seat is None or self.state.over:
            return
        self.quiet = True  # Until the others were asked for our own words.
        if self.state.secret_index in self.secrets:
            self._round_keys()
        self._check_again()
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

    def _check_again(self) -> None:
        """Check what others said in the open step: the journal may keep words that were not checked."""
        for other in self.open.active:
            for held in self.open.variants(other):
                if other != self.seat and not held.wrong:
                    self.checks.forget(held)
        self.check_held()

    @property
    def job_step(self) -> int:
        """What names the open step where work is asked for: after a fork a step comes again."""
        return self.state.voids * ROUNDS_MAX + self.open.step

    @property
    def fault(self) -> Evidence | None:
        """The first fault that was proved."""
        return self.blame.fault

    def seat_of(self, key: bytes) -> Seat | None:
        """Return the seat of a key, or None."""
        return Seat(self.table.keys.index(key)) if key in self.table.keys else None

    def on_statement(self, signed: Signed, statement: Statement) -> None:
        """Place a statement of the open step whose signature holds."""
        seat = self.seat_of(signed.author)
        if seat is None or (statement.step, statement.head) != (self.open.step, self.open.head):
            return
        placed = self.open.place_statement(seat, signed, statement)
        if placed and seat == self.seat and not self.making and not self.desk.replaying:
            # Our own signature, and our journal does not know it.
            self.blame.stop_old_journal()
            return
        if isinstance(placed, Evidence):
            self.prove(placed)
        if placed:
            self.voter.spoke(seat, in_order=isinstance(statement.body, bodies.Shuffled))
            self.check_held()

    def on_settled(self, signed: Signed, message: Statement | Try | Adopt) -> None:
        """Compare with what was settled here: another word of its author is a contradiction."""
        kept = self.blame.on_settled(
            signed, message, self.history[message.step], self.open, over=self.state.over
        )
        if kept is not None:
            self.forks.look(self, kept)

    def head_at(self, step: int) -> bytes:
        """Return the head before a step, at most the open one."""
        return self.history[step].head if step < len(self.history) else self.open.head

    def missing(self) -> tuple[Seat, ...]:
        """Return the seats that have said nothing yet that the open step could close with."""
        return missing(self.state, self.open)

    def on_vote(self, signed: Signed, vote: Try | Adopt) -> None:
        """Place a try or an adopt of the open step whose signature holds."""
        seat = self.seat_of(signed.author)
        if seat is None or (vote.step, vote.head) != (self.open.step, self.open.head):
            return
        placed = self.open.place_vote(seat, signed, vote)
        if placed and seat == self.seat and not self.desk.replaying:
            self.blame.stop_old_journal()
            return
        if isinstance(placed, Evidence):
            self.prove(placed)
        if placed:
            if seat == self.seat:
                self.adopted |= isinstance(vote, Adopt)
            self.desk.keep(signed)
            self.blame.check_adopts(self.open, self.open, over=self.state.over)
            self.advance()

    def on_back(self, signed: Signed, back: Back) -> None:
        """Note that a seat says it is back; its signature holds."""
        head = self.head_at(back.step) if 0 <= back.step <= len(self.history) else None
        self.attendance.on_back(self.state, signed, back, head)
        self.advance()

    def leave(self) -> None:
        """Our own player leaves for good: it is said with our next statement."""
        self.attendance.leaving = self.mover.leaving = True
        self.advance()

    def said(self) -> dict[Seat, Said]:
        """Return the statements of the open step that are held, of each seat the first."""
        return said_in(self.open)

    def check_held(self) -> None:
        """Start the check of every statement that can be judged now."""
        for seat in self.open.active:
            for held in self.open.variants(seat):
                if self.desk.stopped:
                    return
                if self.checks.needs(held):
                    try:
                        self.checks.begin(self.state, self.open, seat, held, self._checked)
                    except RemoteError as error:
                        self._wrong(held, str(error))
        self.advance()

    def past(self, step: int) -> TableState | None:
        """Return the table's state before a step, made anew where it is not the open one."""
        if step == self.open.step:
            return self.state
        return state_before(self.table, self.history, step, self.head_at, self.forks.voids())

    def on_computed(self, event: events.Computed) -> None:
        """Take the answer of a worker, if the step that asked is still open."""
        kind, step, number = event.job
        if step != self.job_step or self.desk.stopped:
            return
        if kind == "check":
            try:
                held = self.checks.answer(number, event.result)
            except RemoteError as error:
                self._wrong(self.checks.begun[number], str(error))
                return
            seat = self.seat_of(held.signed.author) if held is not None else None
            if held is not None and seat is not None:
                self._checked(seat, held)
                self.check_held()
        elif kind == "make" and not isinstance(event.result, RemoteError):
            # It fails where the shuffle that it builds on cannot be read: the check of that says so.
            made: tuple[bodies.Body, Checked] = event.result  # type: ignore[assignment]  # our own work
            if self.seat not in self.open.statements:
                self._say(*made)
        elif kind == "prepare":
            self.preparing, self.prepared = False, event.result  # type: ignore[assignment]  # our own
            self.advance()

    def _checked(self, seat: Seat, held: Held) -> None:
        """A statement of the open step was found to hold."""
        if seat != self.seat:
            self.desk.keep(held.signed)
        if isinstance(held.statement.body, bodies.Shuffled):
            self.checks.tell_shuffled(self.state, self.open, seat)

    def is_done(self, seat: Seat) -> bool:
        """Say whether a seat's statement of the open step is here, and checked."""
        return is_done(self.open, seat)

    def _stands(self, chosen: closing.Chosen) -> bool:
        """Say whether a close holds nothing but what was checked, or needs no check in it."""
        return stands(self.open, chosen)

    def give_up(self) -> None:
        """Our own player gives up a round that cannot go on with those who are there.

        Raises:
            IllegalMoveError: it can.
        """
        if self.state.plan.phase is not Phase.WAIT:
            message = said("the round can go on")
            raise IllegalMoveError(message)
        self.mover.gives_up = True
        self.advance()

    # -- faults --------------------------------------------------------------------------------

    def _wrong(self, held: Held, reason: str) -> None:
        self.blame.wrong(held, reason, self.open)
        self.advance()

    def prove(self, evidence: Evidence) -> None:
        """A fault is proved: its author is left out, and put out with the next close."""
        self.blame.prove(evidence, self.open, over=self.state.over)

    # -- our own word --------------------------------------------------------------------------

    def advance(self) -> None:
        """Say, adopt and settle all that is due now."""
        while not self.desk.stopped and not self.state.over:
            if not self.quiet and self.seat is not None and not self.desk.replaying:
                self._say_own()
                self._adopt()
                self._try()
            certificate = closing.settled(self.open, self._stands)
            if certificate is None:
                self.advanced = not self.desk.replaying
                return
            if not self.forks.look(self, self.open):
                self._settle(certificate)

    def _adopt(self) -> None:
        assert self.seat is not None
        if self.open.complete() and not self.open.irregular:
            if self.adopted or self.seat not in self.open.voters:
                return
            adopt: Adopt | None = Adopt(
                table=self.table.offer.table,
                step=self.open.step,
                head=self.open.head,
                attempt=0,
                close=self.open.close(),
            )
        else:
            waits = lacking(self.open) or not self._stands(self.open.statements)
            if waits and not self.open.irregular:
                return
            self.open.irregular = True
            adopt = self.voter.next_adopt(self.open, self.seat, self._stands)
        if adopt is not None:
            self.adopted = True
            self._vote(adopt)

    def _try(self) -> None:
        """Try to close the step without those that our patience is out with."""
        assert self.seat is not None
        word = self.voter.next_try(
            self.state,
            self.open,
            self.seat,
            lacking=lacking(self.open),
            guilty=self.attendance.guilty(),
            fine=self._stands,
        )
        if word is not None:
            self._vote(word)
            self._adopt()

    def _vote(self, vote: Try | Adopt) -> None:
        """Keep what our vote rests on, then say it."""
        assert self.seat is not None
        for seat in self.open.active:
            for held in self.open.variants(seat):
                if not held.checked:
                    self.desk.keep(held.signed)
        signed = self.desk.sign(vote)
        self.open.place_vote(self.seat, signed, vote)
        self.desk.say(signed)

    def _settle(self, certificate: Certificate) -> None:
        results, riders = self.checks.of_close(self.open, certificate)
        round_before, faults_before = self.state.secret_index, len(self.state.faults)
        head = next_head(self.open.step, self.open.head, certificate.close)
        self.voter.settled(self.state, self.open, self.seat)
        try:
            told = apply_step(self.state, results, head, riders)
        except ProofError as error:
            # A card that all have opened is no face, though every proof holds: nobody can be named.
            self.desk.stop(pieces.not_applied(error), FAULT_EXIT_CODE)
            return
        self.blame.close(self.open)
        self.history.append(certificate)
        self.desk.put(events.Settled(certificate=certificate))
        self.blame.misdealt(riders, certificate, self.history)
        if self.own is not None:
            told = self.own.update(self.state, told)
        if len(self.state.faults) > faults_before:
            self.blame.came_out(self.state.faults[faults_before:], self.history)
        if self.state.over or self.state.secret_index != round_before:
            self.desk.drop_secret(round_before)
            self.secrets.pop(round_before, None)
            self.keys = None
            self.own = None
        for notice in told:
            self.desk.notify(notice)
        self.open_step()
        if self.state.over:
            self.desk.save()
        self.blame.gone(self.state, self.seat)

    def _say_own(self) -> None:
        """Say what we owe in the open step, or begin to make it."""
        assert self.seat is not None
        plan = self.state.plan
        if self.seat not in self.open.active or self.seat in self.open.statements:
            return
        urgent = self.mover.gives_up or self.attendance.urgent(self.state)
        if not urgent and self.voter.holds_back(self.state, self.open):
            return
        if blocked(self.state, self.open, self.seat, self.attendance.guilty(), self.voter):
            self._say(bodies.Assent(), Nothing())
            return
        if self.making:
            return
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
        elif plan.phase is Phase.WAIT:
            body = bodies.GivesUp() if self.mover.gives_up else bodies.Waits()
            self._say(body, Nothing())
        elif plan.phase in {Phase.TURN, Phase.ANSWER} and self._doubt():
            return
        elif plan.phase is Phase.TURN:
            move = self.mover.turn(self._standing())
            if move is not None:
                self._move(move)
            elif self.attendance.presses(self.state):
                self._say(bodies.Waits(), Nothing())
        else:
            self._contribute()

    def _contribute(self) -> None:
        assert self.seat is not None
        if self.state.plan.phase is Phase.COMMIT:
            self.keys = None  # committed to anew where fewer are there than had to commit
        keys, seed = self._round_keys(), self.desk.entropy(SEED_BYTES)
        if self.state.plan.phase is Phase.COMMIT:
            point = keys.shuffle_commitment.encoded if self.state.replayed else b""
            self._say(bodies.Commit(digest=keys.commitment, shuffle_seed=point), Nothing())
            return
        faces = self.own.faces if self.own is not None else {}
        own = OwnSecrets(keys, faces, seed, self.prepared)
        work = piece_due(self.state, self.seat, said_in(self.open), own)
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
            self.desk.compute(("prepare", self.job_step, self.seat), work)

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
            self.keys = round_keys(self.desk, self.state, self.seat, self.secrets)
        if pieces.lost_secret(self.state, self.seat, self.keys):
            return self.keys
        if self.own is None and self.state.match is not None:
            assert self.seat is not None
            self.own = OwnHand(seat=self.seat, secret=self.keys.secret)
            self.own.update(self.state, ())
        return self.keys

    def _make(self, work: Piece, *, small: bool = False) -> None:
        self.making = True
        self.desk.compute(("make", self.job_step, self.seat or 0), work, small=small)

    def _say(self, body: bodies.Body, checked: Checked) -> None:
        """Sign, persist and publish our statement; its proofs need no check of our own."""
        assert self.seat is not None
        keys = self._round_keys() if self.seat in self.state.members else None
        riders = carried(self.state, self.seat, keys, self.attendance, self.desk.entropy)
        statement = Statement(
            table=self.table.offer.table,
            step=self.open.step,
            head=self.open.head,
            body=body,
            riders=riders,
        )
        signed = self.desk.sign(statement)
        self.making = True
        self.open.place_statement(self.seat, signed, statement)
        held = self.open.statements[self.seat]
        yields = check_riders(self.state, self.seat, statement, self.past, trusted=True)
        self.checks.take(held, checked, yields)
        self._checked(self.seat, held)
        self.desk.say(signed)
        self.check_held()

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
        self.blame.tick()
        if self.state.over or self.desk.stopped:
            return
        if not self.advanced:
            self.advance()
        self.advanced = False  # by the next event, or by what time will have brought
        if self.seat is not None and not self.quiet and not self.state.over:
            self.attendance.say_back(self.state, self.seat, self.head_at)
        self.attendance.wake_for_next()
        self.voter.warn(self.state, self.open, self.missing)

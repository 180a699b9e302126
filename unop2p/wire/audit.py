"""Audit: a record replayed from nothing; every signature, proof, rule and score is checked.

It trusts nobody and needs no secret. It says what the record proves; it cannot say whose the keys are.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum

from unop2p.errors import LocalError, RemoteError
from unop2p.ids import Seat
from unop2p.log import closing
from unop2p.log.messages import Adopt, Signed, Statement, Try, next_head
from unop2p.log.steps import Certificate, OpenStep
from unop2p.rules.due import RoundOutcome
from unop2p.table import bodies, notices
from unop2p.table.apply import apply_step
from unop2p.table.checks import Said, check_for
from unop2p.table.genesis import (
    Genesis,
    Join,
    Offer,
    Table,
    UnknownArgumentError,
    make_table,
)
from unop2p.table.riders import NO_RIDERS, Riders
from unop2p.table.state import TableState, new_state
from unop2p.table.voids import Void, apply_void
from unop2p.table.work import Checked, Nothing
from unop2p.wire import codec
from unop2p.wire.forks import judge_fork, place, step_of
from unop2p.wire.proofs import check_riders, judge, seat_of, state_before
from unop2p.wire.record import (
    RECORD_VERSION,
    EvidenceLine,
    ForkLine,
    GenesisLine,
    StepLine,
    check_beginning,
    decode_line,
    read_message,
)


class Finding(StrEnum):
    """What an audit comes to."""

    COMPLETE = "complete"
    """Everything holds, and the match has ended."""
    INCOMPLETE = "incomplete"
    """Everything holds, and the match has not ended in it."""
    FAULT = "fault"
    """Everything holds, and it proves that a seat broke the protocol."""
    BROKEN = "broken"
    """Something does not hold."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditReport:
    """What an audit found."""

    finding: Finding
    reason: str
    """What is wrong, or missing; empty for a complete record."""
    line: int
    """The line that `reason` is about, counted from 1."""
    step: int
    """The step reached, or at which something is wrong."""
    author: str
    """Name of the seat whose words are wrong, or empty."""
    names: tuple[str, ...]
    keys: tuple[bytes, ...]
    bots: tuple[bool, ...]
    rounds: tuple[RoundOutcome, ...]
    totals: tuple[int, ...]
    winners: tuple[Seat, ...]
    head: bytes
    """The last head."""
    signatures: int
    """How many were checked."""
    statements: int


class _WrongError(Exception):
    """Something does not hold: what, and by whom."""

    def __init__(self, reason: str, seat: Seat | None = None) -> None:
        super().__init__(reason)
        self.seat = seat


class Audit:
    """One audit; feed it lines, then ask for the report."""

    def __init__(self, *, trusted: bool = False) -> None:
        """Begin before the first line.

        Args:
            trusted: nothing is to be shown of the record: signatures and proofs are only taken apart.
        """
        self.state: TableState | None = None
        self.told: tuple[notices.Notice, ...] = ()
        """What players are told of the last step."""
        self.results: dict[Seat, tuple[Said, Checked]] = {}
        """What the last step was made of."""
        self._trusted = trusted
        self._ended: list[tuple[int, RoundOutcome]] = []
        self.signatures = 0
        self.statements = 0
        self.fault: tuple[Seat, int, str] | None = None
        """Who broke the protocol first, at which step, and how."""
        self.guilty: dict[Seat, int] = {}
        """Everybody who did, and at which step."""
        self._history: list[Certificate] = []
        self._voids: list[Void] = []

    def take(self, data: bytes) -> None:
        """Check one line.

        Raises:
            _WrongError: it does not hold.
        """
        try:
            line = decode_line(data)
        except RemoteError as error:
            raise _WrongError(str(error)) from error
        self._may_go_on(evidence=isinstance(line, EvidenceLine | ForkLine))
        match line:
            case GenesisLine():
                self._genesis(line)
            case StepLine():
                self._step(line)
            case EvidenceLine():
                self._evidence(line)
            case ForkLine():
                self._fork(line)

    def follow(self, data: bytes) -> str:
        """Take one line; return what does not hold in it, or nothing."""
        try:
            self.take(data)
        except _WrongError as error:
            return str(error)
        return ""

    def take_cut(self, data: bytes) -> None:
        """Check what is left of a line that was cut off.

        Raises:
            _WrongError: no cut can leave this here.
        """
        try:
            check_beginning(data, first=self.state is None)
        except RemoteError as error:
            raise _WrongError(str(error)) from error
        self._may_go_on()

    def _may_go_on(self, *, evidence: bool = False) -> None:
        if evidence:
            return  # that somebody signed two closes of the last step comes out after the end
        if self.state is not None and self.state.over:
            message = "a line after the end of the match"
            raise _WrongError(message)

    def _verify(self, signed: Signed, seat: Seat | None) -> None:
        self.signatures += 1
        if self._trusted:
            return
        try:
            codec.verify(signed)
        except RemoteError as error:
            message = "a signature does not hold"
            raise _WrongError(message, seat) from error

    def _decode(self, signed: Signed, seat: Seat | None) -> codec.Message:
        try:
            return codec.decode(signed.payload)
        except RemoteError as error:
            message = f"a message cannot be read: {error}"
            raise _WrongError(message, seat) from error

    def _genesis(self, line: GenesisLine) -> None:
        if self.state is not None:
            message = "a second genesis"
            raise _WrongError(message)
        if line.version != RECORD_VERSION:
            message = f"a record of version {line.version}; this program reads {RECORD_VERSION}"
            raise _WrongError(message)
        signed = read_message(line.genesis)
        genesis = self._decode(signed, None)
        if not isinstance(genesis, Genesis):
            message = "the first line holds no genesis"
            raise _WrongError(message)
        for item in (signed, genesis.offer, *genesis.joins):
            self._verify(item, None)
        offer = self._decode(genesis.offer, None)
        joins = tuple(self._decode(item, None) for item in genesis.joins)
        if not isinstance(offer, Offer):
            message = "the genesis holds no offer"
            raise _WrongError(message)
        seated = tuple(join for join in joins if isinstance(join, Join))
        if len(seated) != len(joins):
            message = "the genesis holds something else than joins"
            raise _WrongError(message)
        for join in seated:
            if join.program is not None and join.program.owner is not None:
                self._verify(join.program.owner, None)
        try:
            self.state = new_state(make_table(signed, genesis, offer, seated))
        except UnknownArgumentError:
            raise  # it says something about this program, and nothing about the record
        except (RemoteError, LocalError) as error:
            raise _WrongError(str(error)) from error

    def _step(self, line: StepLine) -> None:
        state = self._open_state()
        if line.step != state.step:
            message = f"step {line.step} where {state.step} is due"
            raise _WrongError(message)
        step = OpenStep(
            step=state.step,
            head=state.head,
            active=state.active,
            voters=state.voters,
            opened_ms=0,
        )
        said = self._said(state, line, step)
        close = closing.digest_of(step, step.statements)
        results, riders = self._results(state, step, said)
        attempt = self._adopts(state, line, step, close)
        if attempt:
            self._seal(state, line, step, attempt, close)
        elif line.tries or len(said) != len(step.active):
            message = "a close of attempt 0 that leaves a seat out, or has tries"
            raise _WrongError(message)
        head = next_head(state.step, state.head, close)
        before = len(state.faults)
        try:
            told = apply_step(state, results, head, riders)
        except RemoteError as error:
            raise _WrongError(str(error)) from error
        self.told, self.results = told, results
        self._history.append(
            Certificate(
                step=step.step,
                head=step.head,
                close=close,
                attempt=attempt,
                statements=tuple(read_message(item) for item in line.statements),
                adopts=(),
            )
        )
        for notice in told:
            if isinstance(notice, notices.RoundEnded):
                self._ended.append((step.step, notice.outcome))
        for fault in state.faults[before:]:
            self._note(fault.seat, fault.step, fault.reason)

    @property
    def rounds(self) -> list[RoundOutcome]:
        """How the rounds ended that count."""
        return [outcome for _, outcome in self._ended]

    def _note(self, seat: Seat, step: int, reason: str) -> None:
        self.guilty.setdefault(seat, step)
        self.fault = self.fault or (seat, step, reason)

    def past(self, step: int) -> TableState | None:
        """Return the table's state before a step."""
        state = self._open_state()
        if step == state.step:
            return state
        return self._state_before(step, self._voids)

    def _state_before(self, step: int, voids: Iterable[Void]) -> TableState | None:
        by_step: dict[int, tuple[Void, ...]] = {}
        for void in voids:
            by_step[void.step] = (*by_step.get(void.step, ()), void)
        table = self._open_state().table
        return state_before(table, self._history, step, self._head_at, by_step)

    def _head_at(self, step: int) -> bytes:
        if step < len(self._history):
            return self._history[step].head
        return self._open_state().head

    def _results(
        self, state: TableState, step: OpenStep, said: dict[Seat, Said]
    ) -> tuple[dict[Seat, tuple[Said, Checked]], dict[Seat, Riders]]:
        """Check every statement of a close, and what it carries."""
        results: dict[Seat, tuple[Said, Checked]] = {}
        riders: dict[Seat, Riders] = {}
        hashes = {item.hash for item in said.values()}
        for seat, item in said.items():
            body = item.body
            if (
                isinstance(body, bodies.Shuffled)
                and body.base != state.head
                and body.base not in hashes
            ):
                # It builds on what was left out, and counts as not made: nothing of it is used.
                results[seat], riders[seat] = (item, Nothing()), NO_RIDERS
                continue
            results[seat] = (item, self._check(state, seat, said))
            statement = step.statements[seat].statement
            try:
                riders[seat] = check_riders(state, seat, statement, self.past, trusted=False)
            except RemoteError as error:
                raise _WrongError(str(error) or error.sentence(), seat) from error
        return results, riders

    def _open_state(self) -> TableState:
        if self.state is None:
            message = "the record does not begin with a genesis"
            raise _WrongError(message)
        return self.state

    def _said(self, state: TableState, line: StepLine, step: OpenStep) -> dict[Seat, Said]:
        said: dict[Seat, Said] = {}
        if not 0 < len(line.statements) <= len(state.active):
            message = f"{len(line.statements)} statements of {len(state.active)} seats"
            raise _WrongError(message)
        for message_ in line.statements:
            signed = read_message(message_)
            seat = seat_of(state.table, signed.author)
            if seat is None or seat not in state.active or any(other >= seat for other in said):
                message = "a statement of who owes none, out of order, or twice"
                raise _WrongError(message, seat)
            self._verify(signed, seat)
            statement = self._decode(signed, seat)
            if not isinstance(statement, Statement) or not isinstance(statement.body, bodies.Body):
                message = "something else than a statement"
                raise _WrongError(message, seat)
            place = (statement.table, statement.step, statement.head)
            if place != (state.table.offer.table, state.step, state.head):
                message = "a statement of another table, step or head"
                raise _WrongError(message, seat)
            step.place_statement(seat, signed, statement)
            said[seat] = Said(hash=signed.hash, body=statement.body)
            self.statements += 1
        return said

    def _check(self, state: TableState, seat: Seat, said: dict[Seat, Said]) -> Checked:
        try:
            check = check_for(state, seat, said, trusted=self._trusted)
            if check is None:
                message = "a shuffle that builds on another than the one before"
                raise _WrongError(message, seat)
            return check() if callable(check) else check
        except RemoteError as error:
            raise _WrongError(str(error) or error.sentence(), seat) from error

    def _adopts(self, state: TableState, line: StepLine, step: OpenStep, close: bytes) -> int:
        """Check the adopts of a close; return at which attempt it was adopted."""
        attempts: set[int] = set()
        last = -1
        for message_ in line.adopts:
            signed = read_message(message_)
            seat = self._voter(state, signed, "an adopt")
            if seat <= last:
                message = "adopts out of order, or one twice"
                raise _WrongError(message, seat)
            last = seat
            self._verify(signed, seat)
            adopt = self._decode(signed, seat)
            if not isinstance(adopt, Adopt) or adopt != Adopt(
                table=state.table.offer.table,
                step=state.step,
                head=state.head,
                attempt=adopt.attempt,
                close=close,
            ):
                message = "an adopt of something else"
                raise _WrongError(message, seat)
            attempts.add(adopt.attempt)
            step.place_vote(seat, signed, adopt)
        if len(line.adopts) < closing.majority(len(state.voters)):
            message = f"{len(line.adopts)} adopts are no majority of {len(state.voters)}"
            raise _WrongError(message)
        if len(attempts) != 1:
            message = "adopts of several attempts"
            raise _WrongError(message)
        (attempt,) = attempts
        if attempt < 0:
            message = "an adopt of no attempt"
            raise _WrongError(message)
        return attempt

    def _seal(
        self, state: TableState, line: StepLine, step: OpenStep, attempt: int, close: bytes
    ) -> None:
        """Check that tries of a majority seal a close that a seat is left out of."""
        for message_ in line.tries:
            signed = read_message(message_)
            seat = self._voter(state, signed, "a try")
            self._verify(signed, seat)
            word = self._decode(signed, seat)
            if not isinstance(word, Try) or word != Try(
                table=state.table.offer.table,
                step=state.step,
                head=state.head,
                attempt=word.attempt,
                close=close,
                seal=word.seal,
            ):
                message = "a try of something else"
                raise _WrongError(message, seat)
            if step.place_vote(seat, signed, word) is False:
                message = "a try twice"
                raise _WrongError(message, seat)
        sealed = closing.seal_tries(step, attempt, close)
        if not sealed or [item.hash for item in sealed] != [
            read_message(item).hash for item in line.tries
        ]:
            message = "tries that do not seal the close, or more than do"
            raise _WrongError(message)

    @staticmethod
    def _voter(state: TableState, signed: Signed, what: str) -> Seat:
        seat = seat_of(state.table, signed.author)
        if seat is None or seat not in state.voters:
            message = f"{what} by a key that has no seat"
            raise _WrongError(message)
        return seat

    def _evidence(self, line: EvidenceLine) -> None:
        state = self._open_state()
        items = tuple(read_message(item) for item in line.items)
        if any(
            (fault.step, (fault.statement,)) == (line.step, tuple(item.hash for item in items))
            for fault in state.faults
        ):
            return  # The settled steps have proved it; this says which statement it was.
        self.signatures += len(items)
        for item in items:
            if seat_of(state.table, item.author) is None:
                message = "evidence against a key that has no seat"
                raise _WrongError(message)
            self._decode(item, seat_of(state.table, item.author))
        guilt = judge(state.table, line.step, items, self.past, line.close)
        if guilt is None:
            message = "evidence that proves nothing"
            raise _WrongError(message, seat_of(state.table, items[0].author) if items else None)
        self._note(guilt.seat, guilt.step, guilt.reason)

    def _fork(self, line: ForkLine) -> None:
        """Take back what a fork has made void, rounds too, and go on from the step before."""
        items = tuple(read_message(item) for item in line.items)
        words = [(item, self._decode(item, None)) for item in items]
        said = [(item, word) for item, word in words if isinstance(word, Statement | Try | Adopt)]
        base = said[0][1].head if said else b""
        here = line.step, base
        kept = [v for v in self._voids if v.step <= line.step and (v.step, v.base) != here]
        state = self._state_before(line.step, kept)
        if state is None or len(said) != len(words):
            message = "a fork of a step that has not come, or of something else"
            raise _WrongError(message)
        state.head = base
        for item in items:
            self._verify(item, seat_of(state.table, item.author))
        step = step_of(state)
        place(step, state.table.keys, said)
        judged = judge_fork(state, step, self.past, trusted=self._trusted)
        if judged is None or self._base(line.step, kept) != base:
            message = "a fork that is none"
            raise _WrongError(message)
        self._history = self._history[: line.step]
        self._voids = [*kept, judged[0]]
        self._ended = [(at, outcome) for at, outcome in self._ended if at < line.step]
        self.state, self.results = state, {}
        self.told = apply_void(state, judged[0])
        for guilt in judged[0].guilty:
            self._note(guilt.seat, guilt.step, guilt.reason)

    def _winners(self) -> tuple[Seat, ...]:
        """Return who has won; where evidence leaves one seat alone, that one has."""
        state = self.state
        if state is None:
            return ()
        honest = tuple(seat for seat in state.voters if seat not in self.guilty)
        if not state.over and len(honest) == 1 and self.guilty:
            return honest
        return state.match.winners if state.match is not None else ()

    def _base(self, step: int, voids: list[Void]) -> bytes:
        """Return the head before a step, where these forks are known."""
        if voids and voids[-1].step == step:
            return voids[-1].head
        if step == 0:
            return self._open_state().table.head
        before = self._history[step - 1]
        return next_head(before.step, before.head, before.close)

    def report(
        self,
        finding: Finding,
        reason: str,
        line: int,
        seat: Seat | None,
        step: int | None = None,
    ) -> AuditReport:
        """Return what was found; `step` is the one that it is about, by default the one reached."""
        state = self.state
        if step is None:
            step = state.step if state is not None else -1
        table: Table | None = state.table if state is not None else None
        match = state.match if state is not None else None
        return AuditReport(
            finding=finding,
            reason=reason,
            line=line,
            step=step,
            author=table.names[seat] if table is not None and seat is not None else "",
            names=table.names if table is not None else (),
            keys=table.keys if table is not None else (),
            bots=table.bots if table is not None else (),
            rounds=tuple(self.rounds),
            totals=match.totals if match is not None else (),
            winners=self._winners(),
            head=state.head if state is not None else b"",
            signatures=self.signatures,
            statements=self.statements,
        )


def audit(lines: Iterable[bytes]) -> AuditReport:
    """Audit a record.

    Args:
        lines: the record's lines with their newlines, as a binary file yields them.

    Raises:
        UnknownArgumentError: the table was dealt with a shuffle argument that this program lacks.
    """
    work = Audit()
    number = 0
    for number, (data, whole) in enumerate(_whole_lines(lines), 1):
        try:
            if not whole:
                work.take_cut(data)
                if work.fault is not None:
                    break  # The steps have proved it; what is cut off only says so again.
                return work.report(Finding.INCOMPLETE, "The last line is cut off.", number, None)
            work.take(data)
        except _WrongError as error:
            return work.report(Finding.BROKEN, f"{error}.", number, error.seat)
    if work.fault is not None:
        seat, step, reason = work.fault
        return work.report(Finding.FAULT, f"{reason}.", number, seat, step)
    if work.state is None:
        return work.report(Finding.INCOMPLETE, "The record is empty.", number, None)
    if not work.state.over:
        return work.report(Finding.INCOMPLETE, "The match has not ended in it.", number, None)
    return work.report(Finding.COMPLETE, "", number, None)


def _whole_lines(lines: Iterable[bytes]) -> Iterator[tuple[bytes, bool]]:
    for line in lines:
        yield line.removesuffix(b"\n"), line.endswith(b"\n")

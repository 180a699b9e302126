"""Audit: a record replayed from nothing; every signature, proof, rule and score is checked.

It trusts nobody and needs no secret. It says what the record proves; it cannot say whose the keys are.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum

from unop2p.errors import LocalError, RemoteError
from unop2p.ids import Seat
from unop2p.log.evidence import contradiction
from unop2p.log.messages import Adopt, Signed, Statement, Try, close_digest, next_head
from unop2p.rules.due import RoundOutcome
from unop2p.table import bodies, notices
from unop2p.table.apply import apply_step
from unop2p.table.checks import FaultError, Said, check_for
from unop2p.table.genesis import (
    Genesis,
    Join,
    Offer,
    Table,
    UnknownArgumentError,
    make_table,
)
from unop2p.table.state import TableState, new_state
from unop2p.table.work import Checked
from unop2p.wire import codec
from unop2p.wire.record import (
    RECORD_VERSION,
    EvidenceLine,
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
        self.rounds: list[RoundOutcome] = []
        self.signatures = 0
        self.statements = 0
        self.fault: tuple[Seat, int, str] | None = None
        """Who broke the protocol, at which step, and how."""
        self._ended = False
        """The evidence was read: nothing may follow."""

    def take(self, data: bytes) -> None:
        """Check one line.

        Raises:
            _WrongError: it does not hold.
        """
        try:
            line = decode_line(data)
        except RemoteError as error:
            raise _WrongError(str(error)) from error
        self._may_go_on(evidence=isinstance(line, EvidenceLine))
        if self.fault is not None and not isinstance(line, EvidenceLine):
            message = "another line than evidence after a round in which a move was unlawful"
            raise _WrongError(message)
        match line:
            case GenesisLine():
                self._genesis(line)
            case StepLine():
                self._step(line)
            case EvidenceLine():
                self._evidence(line)

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
        if self._ended:
            message = "a line after the evidence that ended the match"
            raise _WrongError(message)
        if evidence:
            return  # that somebody signed two closes of the last step comes out after the end
        if self.state is not None and self.state.over and not self.state.faults:
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
        said = self._said(state, line)
        results: dict[Seat, tuple[Said, Checked]] = {
            seat: (said[seat], self._check(state, seat, said)) for seat in state.seats
        }
        hashes = {seat: item.hash for seat, item in said.items()}
        close = close_digest(state.step, state.head, state.seats, hashes)
        self._adopts(state, line, close)
        try:
            told = apply_step(state, results, next_head(state.step, state.head, close))
        except RemoteError as error:
            raise _WrongError(str(error)) from error
        self.told, self.results = told, results
        for notice in told:
            if isinstance(notice, notices.RoundEnded):
                self.rounds.append(notice.outcome)
        if state.faults:
            first = state.faults[0]
            self.fault = (first.seat, first.step, first.reason)

    def _open_state(self) -> TableState:
        if self.state is None:
            message = "the record does not begin with a genesis"
            raise _WrongError(message)
        return self.state

    def _said(self, state: TableState, line: StepLine) -> dict[Seat, Said]:
        said: dict[Seat, Said] = {}
        keys = state.table.keys
        if len(line.statements) != len(state.seats):
            message = f"{len(line.statements)} statements of {len(state.seats)} seats"
            raise _WrongError(message)
        for seat, message_ in zip(state.seats, line.statements, strict=True):
            signed = read_message(message_)
            if signed.author != keys[seat]:
                message = "a statement by another key than the seat's"
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

    def _adopts(self, state: TableState, line: StepLine, close: bytes) -> None:
        last = -1
        for message_ in line.adopts:
            signed = read_message(message_)
            if signed.author not in state.table.keys:
                message = "an adopt by a key that has no seat"
                raise _WrongError(message)
            seat = Seat(state.table.keys.index(signed.author))
            if seat <= last:
                message = "adopts out of order, or one twice"
                raise _WrongError(message, seat)
            last = seat
            self._verify(signed, seat)
            adopt = self._decode(signed, seat)
            if adopt != Adopt(
                table=state.table.offer.table,
                step=state.step,
                head=state.head,
                attempt=0,
                close=close,
            ):
                message = "an adopt of something else"
                raise _WrongError(message, seat)
        if 2 * len(line.adopts) <= len(state.seats):
            message = f"{len(line.adopts)} adopts are no majority of {len(state.seats)}"
            raise _WrongError(message)

    def _evidence(self, line: EvidenceLine) -> None:
        if self.state is not None and self.state.faults:
            self._hindsight(self.state, line)
            return
        state = self._open_state()
        items = [read_message(item) for item in line.items]
        if not items or items[0].author not in state.table.keys:
            message = "evidence against a key that has no seat"
            raise _WrongError(message)
        seat = Seat(state.table.keys.index(items[0].author))
        said: list[Statement | Try | Adopt] = []
        for item in items:
            self._verify(item, seat)
            decoded = self._decode(item, seat)
            if not isinstance(decoded, Statement | Try | Adopt):
                message = "evidence of other things than words of the chain"
                raise _WrongError(message, seat)
            if decoded.table != state.table.offer.table or decoded.step != line.step:
                message = "evidence of another table or step"
                raise _WrongError(message, seat)
            said.append(decoded)
        reason = self._proved(state, seat, items, said)
        if reason is None:
            message = "evidence that proves nothing"
            raise _WrongError(message, seat)
        self.fault = (seat, line.step, reason)
        self._ended = True

    def _hindsight(self, state: TableState, line: EvidenceLine) -> None:
        """Check evidence of what the steps have proved already: it must name the same statement."""
        first = state.faults[0]
        items = [read_message(item) for item in line.items]
        hashes = [item.hash for item in items]
        if line.step != first.step or hashes != [first.statement]:
            message = "evidence of another move than the first that was unlawful"
            raise _WrongError(message)
        self._verify(items[0], first.seat)
        self._ended = True

    def _proved(
        self,
        state: TableState,
        seat: Seat,
        items: list[Signed],
        said: list[Statement | Try | Adopt],
    ) -> str | None:
        """Return why the evidence proves a fault, or None."""
        authors = [item.author for item in items]
        if len(said) == 2 and authors[0] == authors[1]:  # a pair that contradicts itself
            return contradiction(said[0], said[1])
        # One that is wrong by itself; a shuffle with the one that it builds on.
        if len(set(authors)) != len(authors):
            return None
        words: dict[Seat, Said] = {}
        for item, statement in zip(items, said, strict=True):
            if not isinstance(statement, Statement) or item.author not in state.table.keys:
                return None
            if (statement.step, statement.head) != (state.step, state.head):
                return None
            if not isinstance(statement.body, bodies.Body):
                return None
            by = Seat(state.table.keys.index(item.author))
            words[by] = Said(hash=item.hash, body=statement.body)
        try:
            check = check_for(state, seat, words, trusted=False)
            if callable(check):
                check()
        except (FaultError, RemoteError) as error:
            return str(error) or error.sentence()
        return None

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
            winners=match.winners if match is not None else (),
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

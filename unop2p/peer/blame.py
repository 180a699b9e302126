"""Who is proved to have broken the protocol: what proves it, whom it is told, and what follows.

Nothing is guessed. Evidence goes into the record and to everybody; its author is left out of closes,
and is put out for good once the evidence has ridden on a statement that is settled. Where no majority is
left without the guilty the match ends, and the honest keep the evidence.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

from unop2p.ids import Seat
from unop2p.log import closing
from unop2p.log.evidence import Evidence, contradiction
from unop2p.log.messages import Adopt, Signed, Statement, Try
from unop2p.log.steps import Certificate, Held, OpenStep
from unop2p.peer import events
from unop2p.peer.attendance import Attendance
from unop2p.peer.checking import is_unfounded
from unop2p.peer.desk import Desk
from unop2p.peer.pieces import OLD_JOURNAL_REASON, ended_by
from unop2p.table import bodies, notices
from unop2p.table.genesis import Table
from unop2p.table.hindsight import HiddenFault
from unop2p.table.presence import PLAYERS_MIN
from unop2p.table.riders import Riders
from unop2p.table.state import TableState
from unop2p.table.talk import Accuse
from unop2p.wire import codec
from unop2p.wire.proofs import ADOPTS_WRONG
from unop2p.words import said

FAULT_EXIT_CODE = 30
OLD_JOURNAL_EXIT_CODE = 31
EXPELLED_REASON = said(
    "The others hold proof that this seat broke the protocol, and play on without it."
)
SILENT_REASON = said(
    "This seat was not there to show the seed of its shuffles when the round was over: at a table whose "
    "shuffles carry no proof the others play on without it."
)
GONE = {
    "left": ("", 0),
    "expelled": (EXPELLED_REASON, FAULT_EXIT_CODE),
    "silent": (SILENT_REASON, FAULT_EXIT_CODE),
}
"""Why a peer ends whose seat is no part of the table any more, and its exit code."""
GIVE_UP_MS = 5_000
"""How long a fork may take to come out before the match ends for want of an honest majority."""
CLOSED_KEPT = 4
"""Steps that have closed and are kept whole: words of these may still come that contradict others."""


@dataclass(slots=True, kw_only=True)
class Blame:
    """What one peer can prove, and against whom."""

    desk: Desk
    table: Table
    attendance: Attendance
    fault: Evidence | None = None
    """The first that was proved."""
    totals: tuple[int, ...] = ()
    """The points of the match so far."""
    give_up_ms: int = 0
    """When to end the match, where the honest alone are no majority; 0: it goes on."""
    closed: list[OpenStep] = field(default_factory=list)
    """The last steps that have closed."""

    def prove(self, evidence: Evidence, step: OpenStep, *, over: bool) -> None:
        """Take evidence that holds, and tell everybody; of each seat once.

        Args:
            evidence: the proof.
            step: the open one.
            over: whether the match is.
        """
        seat = Seat(self.table.keys.index(evidence.author))
        if self.desk.stopped or seat in self.attendance.proofs:
            return
        if evidence.author == self.desk.public:
            self.stop_old_journal()
            return
        self.accept(seat, evidence)
        accusation = Accuse(
            table=self.table.offer.table,
            step=evidence.step,
            reason=evidence.reason[:200],
            items=evidence.items,
            close=evidence.close,
        )
        # It is kept, too: a peer that comes back must not forget whom it has to leave out.
        self.desk.say(self.desk.sign(accusation))
        honest = [voter for voter in step.voters if voter not in self.attendance.proofs]
        if over or len(honest) < closing.majority(len(step.voters)):
            if len(honest) < PLAYERS_MIN:
                if not over and honest:
                    won = notices.MatchEnded(winners=tuple(honest), totals=self.totals)
                    self.desk.notify(won)
                self.stop()
            elif not self.give_up_ms:
                # Perhaps two closes have settled, which comes out now: then the honest go on.
                self.give_up_ms = self.desk.now_ms + GIVE_UP_MS

    def found_guilty(self, evidence: Evidence) -> None:
        """Note evidence against a seat that a fork has put out; once."""
        seat = Seat(self.table.keys.index(evidence.author))
        if seat not in self.attendance.proofs:
            self.accept(seat, evidence)

    def forget_from(self, number: int) -> None:
        """Forget steps that are void."""
        self.closed = [step for step in self.closed if step.step < number]
        self.give_up_ms = 0

    def check_adopts(self, kept: OpenStep, step: OpenStep, *, over: bool) -> None:
        """See whether somebody has adopted a close in which a statement is wrong by itself.

        Args:
            kept: the step that is looked at.
            step: the open one.
            over: whether the match is.
        """
        wrong = [h for seat in kept.active for h in kept.variants(seat) if h.wrong]
        if not wrong:
            return
        for seat in kept.voters:
            for signed, vote in kept.votes.get(seat, ()):
                if seat in self.attendance.proofs or not isinstance(vote, Adopt):
                    continue
                chosen = closing.find_close(kept, vote.close) or {}
                hashes = {held.signed.hash for held in chosen.values()}
                bad = next((held for held in wrong if held.signed.hash in hashes), None)
                if bad is None or is_unfounded(kept, bad, hashes):
                    continue
                close = tuple(
                    chosen[other].signed.hash if other in chosen else b"" for other in kept.active
                )
                evidence = Evidence(
                    author=signed.author,
                    step=kept.step,
                    reason=ADOPTS_WRONG,
                    items=(signed, *_with_base(kept, bad)),
                    close=close,
                )
                self.prove(evidence, step, over=over)

    def accept(self, seat: Seat, evidence: Evidence) -> None:
        """Note a proof; it goes into the record."""
        self.attendance.proofs.setdefault(seat, evidence)
        self.fault = self.fault or evidence
        self.desk.put(events.Proved(evidence=evidence))
        self.desk.notify(notices.FaultProved(seat=seat, step=evidence.step, reason=evidence.reason))

    def wrong(self, held: Held, reason: str, step: OpenStep) -> None:
        """A statement of the open step is wrong by itself."""
        held.wrong = reason or "it is wrong"
        held.checked = False
        evidence = Evidence(
            author=held.signed.author,
            step=step.step,
            reason=held.wrong,
            items=_with_base(step, held),
        )
        self.prove(evidence, step, over=False)
        self.check_adopts(step, step, over=False)

    def came_out(self, faults: tuple[HiddenFault, ...], history: list[Certificate]) -> None:
        """Moves of a round were unlawful by their players' own cards.

        Everybody who settles the step finds it, so nobody is told.
        """
        for fault in faults:
            signed = _by(history[fault.step], self.table.keys[fault.seat])
            self.accept(
                fault.seat,
                Evidence(
                    author=signed.author, step=fault.step, reason=fault.reason, items=(signed,)
                ),
            )

    def misdealt(
        self,
        riders: Mapping[Seat, Riders],
        certificate: Certificate,
        history: list[Certificate],
    ) -> None:
        """Seats have shown that they got false shares, in a step that has settled.

        Everybody who settles the step finds it, so nobody is told.

        Args:
            riders: what rode on its statements, by author.
            certificate: of the step.
            history: of the steps before.
        """
        for author in sorted(riders):
            for guilt in riders[author].guilty:
                if (
                    guilt.seat not in riders[author].misdealt
                    or guilt.seat in self.attendance.proofs
                ):
                    continue
                given = _by(history[guilt.step], self.table.keys[guilt.seat])
                shown = _by(certificate, self.table.keys[author])
                self.accept(
                    guilt.seat,
                    Evidence(
                        author=given.author,
                        step=guilt.step,
                        reason=guilt.reason,
                        items=(given, shown),
                    ),
                )

    def close(self, step: OpenStep) -> None:
        """Keep a step that has closed."""
        self.closed = [*self.closed[1 - CLOSED_KEPT :], step]

    def on_settled(
        self,
        signed: Signed,
        message: Statement | Try | Adopt,
        certificate: Certificate,
        step: OpenStep,
        *,
        over: bool,
    ) -> OpenStep | None:
        """Compare a word of a settled step with what is held: another of its author is a contradiction.

        Args:
            signed: the word; its signature holds.
            message: what it says.
            certificate: of its step.
            step: the open one.
            over: whether the match is.

        Returns:
            The step, where the word is news in it: two closes of it may have settled.
        """
        seat = Seat(self.table.keys.index(signed.author))
        kept = next((held for held in self.closed if held.step == message.step), None)
        if kept is None or message.head != kept.head:
            self._compare(signed, message, certificate, step, over=over)
            return None
        if isinstance(message, Statement):
            placed = kept.place_statement(seat, signed, message)
        else:
            placed = kept.place_vote(seat, signed, message)
        if isinstance(placed, Evidence):
            self.prove(placed, step, over=over)
        if placed:
            self.check_adopts(kept, step, over=over)
        return kept if placed else None

    def _compare(
        self,
        signed: Signed,
        message: Statement | Try | Adopt,
        certificate: Certificate,
        step: OpenStep,
        *,
        over: bool,
    ) -> None:
        for held in (*certificate.statements, *certificate.tries, *certificate.adopts):
            if held.author != signed.author or held.hash == signed.hash:
                continue
            said = codec.decode(held.payload)
            assert isinstance(said, Statement | Try | Adopt)
            reason = contradiction(said, message)
            if reason is not None:
                evidence = Evidence(
                    author=signed.author, step=message.step, reason=reason, items=(held, signed)
                )
                self.prove(evidence, step, over=over)
                return

    def stop_old_journal(self) -> None:
        """End: the table holds words of ours that we do not know."""
        self.desk.stop(OLD_JOURNAL_REASON, OLD_JOURNAL_EXIT_CODE)

    def gone(self, state: TableState, seat: Seat | None) -> None:
        """End once our seat is no part of the table any more."""
        why = state.gone.get(seat) if seat is not None else None
        if why is not None and not self.desk.replaying:
            self.desk.stop(*GONE[why])

    def tick(self) -> None:
        """End the match once no fork has come out that would let the honest go on."""
        if self.give_up_ms and not self.desk.stopped:
            if self.desk.now_ms >= self.give_up_ms:
                self.stop()
            else:
                self.desk.wake(self.give_up_ms)

    def stop(self) -> None:
        """End the match here, with the evidence."""
        self.desk.stop(*self.ending(None))

    def ending(self, state: TableState | None) -> tuple[str, int]:
        """Return why the peer ends, in a sentence, and its exit code.

        Args:
            state: of a match that has ended by itself; None where the evidence ends it.
        """
        if self.fault is None or (state is not None and len(state.voters) > 1):
            return "", 0
        seat = Seat(self.table.keys.index(self.fault.author))
        return ended_by(self.table.names[seat], seat, self.fault), FAULT_EXIT_CODE


def _with_base(step: OpenStep, held: Held) -> tuple[Signed, ...]:
    """Return a wrong statement, and for a shuffle the one that it builds on: its reader needs that."""
    body = held.statement.body
    if not isinstance(body, bodies.Shuffled):
        return (held.signed,)
    bases = [
        other.signed
        for seat in step.active
        for other in step.variants(seat)
        if other.signed.hash == body.base
    ]
    return (held.signed, *bases[:1])


def _by(certificate: Certificate, author: bytes) -> Signed:
    """Return what a seat has said in a settled step."""
    return next(item for item in certificate.statements if item.author == author)

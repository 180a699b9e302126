"""The statements of the open step, judged: what was checked, what it yields, what may stand together.

Proofs are checked elsewhere, by a worker; shape, rules and what rides on a statement at once.
"""

from collections.abc import Callable
from dataclasses import dataclass, field

from unop2p.errors import RemoteError
from unop2p.ids import Seat
from unop2p.log.closing import Chosen
from unop2p.log.steps import Certificate, Held, OpenStep
from unop2p.peer.desk import Desk
from unop2p.peer.voter import Voter
from unop2p.table import bodies, notices
from unop2p.table.checks import Said, check_for, is_small, unfounded
from unop2p.table.phases import Phase
from unop2p.table.riders import NO_RIDERS, Riders
from unop2p.table.state import ROUNDS_MAX, TableState
from unop2p.table.work import Checked, Nothing
from unop2p.wire.proofs import check_riders

Done = Callable[[Seat, Held], None]
"""Told when a statement is checked."""


@dataclass(slots=True, kw_only=True)
class Checks:
    """What is known of the statements of the open step."""

    desk: Desk
    past: Callable[[int], TableState | None]
    """The table's state before a step."""
    results: dict[bytes, tuple[Checked, Riders]] = field(default_factory=dict)
    """What the checked statements yield, by their hash."""
    begun: list[Held] = field(default_factory=list)
    """The statements that a worker was asked to check."""

    def open(self) -> None:
        """Begin a step."""
        self.results = {}
        self.begun = []

    def forget(self, held: Held) -> None:
        """Have a statement checked again."""
        held.checked = False
        self.results.pop(held.signed.hash, None)
        self.begun = [other for other in self.begun if other is not held]

    def needs(self, held: Held) -> bool:
        """Say whether a statement was neither checked nor begun with."""
        return not (held.checked or held.wrong or any(held is other for other in self.begun))

    def begin(self, state: TableState, step: OpenStep, seat: Seat, held: Held, done: Done) -> None:
        """Check a statement, or have it checked; nothing while it cannot be judged.

        Raises:
            RemoteError: it is wrong by itself.
        """
        trusted = self.desk.replaying
        check = check_for(state, seat, said_with(step, seat, held), trusted=trusted)
        riders = check_riders(state, seat, held.statement, self.past, trusted=trusted)
        if check is not None and trusted and callable(check):
            check = check()
        if check is None:
            return
        if not callable(check):
            self.take(held, check, riders)
            done(seat, held)
            return
        self.results[held.signed.hash] = (Nothing(), riders)
        self.begun.append(held)
        body = held.statement.body
        assert isinstance(body, bodies.Body)
        self.desk.compute(
            ("check", state.voids * ROUNDS_MAX + step.step, len(self.begun) - 1),
            check,
            held.signed.hash,
            small=is_small(state, seat, body),
        )

    def answer(self, number: int, result: object) -> Held | None:
        """Take a worker's answer; return the statement where it was good, and is news.

        Raises:
            RemoteError: it is wrong by itself, and `begun[number]` is the statement.
        """
        if number >= len(self.begun):
            return None
        held = self.begun[number]
        if isinstance(result, RemoteError):
            raise result
        if held.checked:
            return None
        _, riders = self.results[held.signed.hash]
        self.take(held, result, riders)  # type: ignore[arg-type]  # a check's own result
        return held

    def take(self, held: Held, checked: Checked, riders: Riders) -> None:
        """Note that a statement holds, and what it yields."""
        held.checked = True
        self.results[held.signed.hash] = (checked, riders)

    def tell_shuffled(self, state: TableState, step: OpenStep, seat: Seat) -> None:
        """Tell our player that a seat has shuffled."""
        speakers = state.plan.speakers
        self.desk.notify(
            notices.SeatShuffled(
                seat=seat,
                done=sum(1 for speaker in speakers if is_done(step, speaker)),
                total=len(speakers),
                cards=sum(len(part) for part in state.plan.inputs),
                proved=not state.replayed,
            )
        )

    def of_close(
        self, step: OpenStep, certificate: Certificate
    ) -> tuple[dict[Seat, tuple[Said, Checked]], dict[Seat, Riders]]:
        """Return what the statements of a close yield, and what rides on them."""
        results: dict[Seat, tuple[Said, Checked]] = {}
        riders: dict[Seat, Riders] = {}
        hashes = {signed.hash for signed in certificate.statements}
        for seat in step.active:
            for held in step.variants(seat):
                if held.signed.hash not in hashes:
                    continue
                checked, carried = self.results.get(held.signed.hash, (Nothing(), NO_RIDERS))
                founded = held.checked and not is_unfounded(step, held, hashes)
                results[seat] = (said_of(held), checked if founded else Nothing())
                riders[seat] = carried if founded else NO_RIDERS
        return results, riders


def is_done(step: OpenStep, seat: Seat) -> bool:
    """Say whether a seat's statement of a step is here, and checked."""
    held = step.statements.get(seat)
    return held is not None and held.checked


def said_of(held: Held) -> Said:
    """Return a statement as the table judges it."""
    body = held.statement.body
    assert isinstance(body, bodies.Body)
    return Said(hash=held.signed.hash, body=body)


def said_in(step: OpenStep) -> dict[Seat, Said]:
    """Return the statements that are held of a step, of each seat the first."""
    return {seat: said_of(held) for seat, held in step.statements.items()}


def said_with(step: OpenStep, seat: Seat, held: Held) -> dict[Seat, Said]:
    """Return the statements to judge one with: what it builds on, where that is held at all."""
    said = said_in(step)
    said[seat] = said_of(held)
    body = held.statement.body
    if isinstance(body, bodies.Shuffled):
        for other in step.active:
            for variant in step.variants(other):
                if variant.signed.hash == body.base:
                    said[other] = said_of(variant)
    return said


def stands(step: OpenStep, chosen: Chosen) -> bool:
    """Say whether a close holds nothing but what was checked, or what needs no check in it.

    A shuffle that builds on a statement which is left out counts as not made.
    """
    hashes = {held.signed.hash for held in chosen.values()}
    return all(
        not held.wrong and (held.checked or is_unfounded(step, held, hashes))
        for held in chosen.values()
    )


def is_unfounded(step: OpenStep, held: Held, hashes: set[bytes]) -> bool:
    """Say whether a shuffle builds on what is left out of a close, and counts as not made."""
    body = held.statement.body
    if not isinstance(body, bodies.Shuffled) or body.base == step.head:
        return False
    return body.base not in hashes


# -- who is waited for -------------------------------------------------------------------------


def lacking(step: OpenStep) -> frozenset[Seat]:
    """Return the active seats without a statement here that may stand in a close."""
    # Asked for at every message: a seat's first statement nearly always decides.
    statements = step.statements
    return frozenset(
        seat
        for seat in step.active
        if seat not in statements
        or (statements[seat].wrong and all(held.wrong for held in step.variants(seat)))
    )


def missing(state: TableState, step: OpenStep) -> tuple[Seat, ...]:
    """Return the seats that have said nothing yet that the open step could close with.

    Of those that shuffle one after another only the one whose turn it is: the others cannot yet.
    """
    silent = lacking(step) | set(unfounded(state, said_in(step)))
    order = state.plan.speakers if state.plan.phase is Phase.SHUFFLE else ()
    behind = [seat for seat in order if seat in silent][1:]
    return tuple(seat for seat in step.active if seat in silent and seat not in behind)


def blocked(
    state: TableState, step: OpenStep, seat: Seat, guilty: frozenset[Seat], voter: Voter
) -> bool:
    """Say whether a seat cannot shuffle, since the one before it is silent, and has waited for it.

    Then it assents, lest it is left out together with that seat, and shuffles in a next step.
    """
    plan = state.plan
    if plan.phase is not Phase.SHUFFLE or seat not in plan.speakers[1:]:
        return False
    before = plan.speakers[plan.speakers.index(seat) - 1]
    held = step.statements.get(before)
    if held is not None:
        if held.wrong or not isinstance(held.statement.body, bodies.Shuffled):
            return True
        if before in guilty:
            return True
        if before not in unfounded(state, said_in(step)):
            return False
    return voter.waited_enough(before)

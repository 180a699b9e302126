"""Our votes on how the open step closes: when to try, what to try, what to adopt.

What may be said is in `log/closing.py`. Here is the waiting: for whom, since when, and whether a try
has any prospect, for one that has none only costs attempts once the others are back.
"""

from collections.abc import Callable
from dataclasses import dataclass, field

from unop2p.ids import Seat
from unop2p.log import closing
from unop2p.log.messages import Adopt, Try
from unop2p.log.steps import OpenStep
from unop2p.peer.desk import Desk
from unop2p.peer.patience import SILENT_MS, Patience
from unop2p.table import notices
from unop2p.table.genesis import Table
from unop2p.table.phases import Phase
from unop2p.table.presence import PLAYERS_MIN
from unop2p.table.state import TableState

WAITING_AFTER_MS = 5_000
LOOK_EVERY_MS = 1_000  # while somebody thinks: looked at all the time, a waiting peer never slept
IDLE_STEP_MS = 10_000
"""How long a word is held back in a step in which nothing can be done but wait."""


@dataclass(slots=True, kw_only=True)
class Voter:
    """One peer's waiting and voting in the open step."""

    desk: Desk
    table: Table
    patience: Patience = field(init=False)
    heard_ms: dict[Seat, int] = field(default_factory=dict)
    """When each other seat was last heard at all."""
    spoke_ms: dict[Seat, int] = field(default_factory=dict)
    """When each seat's statement of the open step came."""
    moved_ms: int = 0
    """When the open step last came nearer to its end: where seats speak in order, at each of them."""
    tried_ms: int = 0
    """When we last tried."""
    warned_ms: int = 0
    """When our player was last told whom the open step waits for."""

    def __post_init__(self) -> None:
        """Begin with all the patience that the table has."""
        self.patience = Patience(patience_ms=self.table.offer.timers.patience_ms)

    def open(self) -> None:
        """Begin a step."""
        self.spoke_ms = {}
        self.moved_ms = self.tried_ms = self.warned_ms = self.desk.now_ms

    def spoke(self, seat: Seat, *, in_order: bool) -> None:
        """Note that a seat's statement is here."""
        self.spoke_ms.setdefault(seat, self.desk.now_ms)
        if in_order:
            self.moved_ms = self.desk.now_ms

    def settled(self, state: TableState, step: OpenStep, seat: Seat | None) -> None:
        """Note who was late in a step that has closed."""
        for other in step.active:
            if other != seat:
                said_ms = self.spoke_ms.get(other, self.desk.now_ms)
                late_ms = said_ms - self._due_ms(state, step, other)
                self.patience.note(state.round_index, other, late_ms)

    def _due_ms(self, state: TableState, step: OpenStep, seat: Seat) -> int:
        """Return until when a seat may be silent by the table's timers."""
        timers, plan = self.table.offer.timers, state.plan
        match plan.phase:
            case Phase.TURN if seat in plan.speakers and not self.table.bots[seat]:
                whole = step.opened_ms + timers.turn_ms
                # A program that runs plays for its sleeping human; one that is gone does not.
                heard = max(step.opened_ms, self.heard_ms.get(seat, 0))
                return min(whole, max(step.opened_ms, heard))
            case Phase.REACTION:
                return step.opened_ms + self.table.reaction_ms
            case Phase.SHUFFLE:
                return self.moved_ms
            case _:
                return step.opened_ms

    def until_ms(self, state: TableState, step: OpenStep, seat: Seat) -> int:
        """Return until when a silent seat is waited for."""
        for_good = state.plan.phase is Phase.SEEDS
        return self._due_ms(state, step, seat) + self.patience.of(seat, for_good=for_good)

    def late(self, state: TableState, step: OpenStep, seats: tuple[Seat, ...]) -> tuple[Seat, ...]:
        """Return those of some silent seats that are not within their turn time."""
        spent = self.desk.now_ms - step.opened_ms
        thinks = state.plan.phase is Phase.TURN and spent < self.table.offer.timers.turn_ms
        return tuple(seat for seat in seats if not (thinks and seat in state.plan.speakers))

    def warn(
        self, state: TableState, step: OpenStep, missing: Callable[[], tuple[Seat, ...]]
    ) -> None:
        """Tell our player whom the open step waits for, every few seconds."""
        look_ms = self.warned_ms + WAITING_AFTER_MS
        if self.desk.now_ms >= look_ms:
            late = self.late(state, step, missing())
            if late:
                self.warned_ms = self.desk.now_ms
                since_ms = self.desk.now_ms - step.opened_ms
                self.desk.notify(notices.Waiting(seats=late, since_ms=since_ms))
            look_ms = self.desk.now_ms + (WAITING_AFTER_MS if late else LOOK_EVERY_MS)
        self.desk.wake(look_ms)

    def holds_back(self, state: TableState, step: OpenStep) -> bool:
        """Say whether our word is not wanted yet, in a step in which nothing can be done but wait."""
        if state.plan.phase is Phase.COMMIT:
            playing = state.match.present(step.active) if state.match is not None else step.active
            if len(playing) >= PLAYERS_MIN:
                return False
        elif state.plan.phase is not Phase.WAIT:
            return False
        until = step.opened_ms + IDLE_STEP_MS
        self.desk.wake(until)
        return self.desk.now_ms < until

    def waited_enough(self, seat: Seat) -> bool:
        """Say whether most of our patience is out with a seat that others build on."""
        until = self.moved_ms + self.patience.of(seat) * 3 // 4
        self.desk.wake(until)
        return self.desk.now_ms >= until

    def next_try(
        self,
        state: TableState,
        step: OpenStep,
        seat: Seat,
        *,
        lacking: frozenset[Seat],
        guilty: frozenset[Seat],
        fine: closing.Fine,
    ) -> Try | None:
        """Return the try that we make now, or None.

        Args:
            state: as all settled steps have left it.
            step: what is held of the open step.
            seat: our own.
            lacking: active seats without a sound statement here.
            guilty: seats that are proved guilty.
            fine: whether a close was checked.
        """
        if seat not in step.voters:
            return None
        others_tried = step.irregular and any(
            isinstance(vote, Try)
            for voter in step.voters
            if voter != seat
            for _, vote in step.votes.get(voter, ())
        )
        if step.irregular:
            # What a guilty seat has said may keep honest ones at different closes.
            lacking |= guilty & frozenset(step.active)
        if not lacking and not others_tried:
            return None  # The statements are all here: who has not adopted will, and no try helps.
        last = closing.last_tried(step, seat)
        if not self._out(state, step, last + 1, lacking, guilty):
            return None
        attempt = closing.next_attempt(step, seat)
        if attempt is None or (
            attempt == 1 and not self._hopeful(step, seat, lacking, others_tried=others_tried)
        ):
            return None
        word = closing.make_try(step, self.table.offer.table, attempt, guilty=guilty, fine=fine)
        if word is not None:
            self.tried_ms = self.desk.now_ms
        return word

    def _out(
        self,
        state: TableState,
        step: OpenStep,
        attempt: int,
        lacking: frozenset[Seat],
        guilty: frozenset[Seat],
    ) -> bool:
        """Say whether our patience for an attempt is out."""
        if lacking and lacking <= guilty and attempt == 1:
            return True
        until = self.tried_ms + self.patience.again(attempt) if attempt > 1 else 0
        if attempt == 1:
            waits = [self.until_ms(state, step, seat) for seat in lacking - guilty]
            until = max(waits, default=0)
        if self.desk.now_ms < until:
            self.desk.wake(until)
            return False
        return True

    def _hopeful(
        self, step: OpenStep, seat: Seat, lacking: frozenset[Seat], *, others_tried: bool
    ) -> bool:
        """Say whether a majority could close the step without those that it lacks."""
        if others_tried:
            return True
        near = [
            voter
            for voter in step.voters
            if voter not in lacking
            and (voter == seat or voter in self.spoke_ms or self._heard_lately(voter))
        ]
        return len(near) >= closing.majority(len(step.voters))

    def _heard_lately(self, seat: Seat) -> bool:
        return self.desk.now_ms - self.heard_ms.get(seat, -SILENT_MS) < SILENT_MS

    def next_adopt(self, step: OpenStep, seat: Seat, fine: closing.Fine) -> Adopt | None:
        """Return the adopt that we say now, or None."""
        return closing.next_adopt(step, seat, self.table.offer.table, fine)

"""Our own player's side of the open step: what it wants to do, when it is asked, when its time is up.

What a move becomes on the table (statement, proof, step) is the chain's; here is only the choice.
"""

from dataclasses import dataclass, field

from unop2p.errors import IllegalMoveError
from unop2p.ids import Seat
from unop2p.log.steps import OpenStep
from unop2p.peer import events
from unop2p.peer.desk import Desk
from unop2p.peer.early import EarlyCatch, late_call_refusal
from unop2p.peer.own import OwnHand
from unop2p.rules.moves import CallUNO, Catch, Move, Pass
from unop2p.rules.round import refusal, sleeping_move
from unop2p.rules.view import PlayerView
from unop2p.table import bodies, notices
from unop2p.table.genesis import Table
from unop2p.table.phases import Phase
from unop2p.table.state import TableState
from unop2p.words import said


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """Where our seat stands in the open step."""

    state: TableState
    open: OpenStep
    seat: Seat | None
    own: OwnHand | None
    said: bool
    """Our word for the step is said, or is being made."""

    @property
    def phase(self) -> Phase:
        """What the open step is for."""
        return self.state.plan.phase

    @property
    def goes_on(self) -> bool:
        """Whether our word for a turn step is that the turn goes on in the next."""
        held = self.open.statements.get(self.seat) if self.seat is not None else None
        waits = held is not None and isinstance(held.statement.body, bodies.Waits)
        return waits and self.phase is Phase.TURN

    def view(self) -> PlayerView | None:
        """Return all that our player may see, or None where it does not play."""
        return self.own.player_view(self.state) if self.own is not None else None


@dataclass(slots=True)
class Mover:
    """What our player has decided in the open step."""

    desk: Desk
    table: Table
    bot: bool
    early: EarlyCatch = field(init=False)
    wanted: Move | None = None
    later: Move | None = None
    """A move that came while our word was that our turn goes on in the next step."""
    resumed: Move | None = None
    """The one that came so in the step before."""
    asked: bool = False
    """The bot was asked in this step."""
    decided: bool = False
    """It has answered."""
    leaving: bool = False
    """Our player leaves: nobody is asked any more."""
    gives_up: bool = False
    """Our player gives up a round that cannot go on."""

    def __post_init__(self) -> None:
        """Begin with nothing wanted."""
        self.early = EarlyCatch(self.desk, self.table.names)

    def open(self, state: TableState) -> None:
        """Begin a step: what was wanted in the last one is gone, but for a catch that came early."""
        self.asked = self.decided = False
        self.resumed, self.later = self.later, None
        self.gives_up &= state.plan.phase is Phase.WAIT
        self.wanted = self.early.due(state.round)

    def want(self, at: Standing, move: Move) -> None:
        """Our player wants to make a move in the open step.

        Raises:
            IllegalMoveError: it is not this seat's to move, or the rules refuse it.
        """
        view = at.view()
        if isinstance(move, Catch) and view and self.early.takes(view.round, view.seat, move):
            return
        reason: str | None
        if view is None or at.phase not in {Phase.TURN, Phase.REACTION} or at.seat is None:
            reason = said("there is nothing to move now")
        elif at.phase is Phase.TURN and at.seat not in at.state.plan.speakers:
            reason = said("it is not your turn")
        elif at.said and at.goes_on:
            reason = self.refusal(at, view, move)
            self.later = move if reason is None else None
            if reason is None:
                return
        elif at.said:
            reason = said("your word for this step is said already")
        else:
            reason = self.refusal(at, view, move)
        if reason is not None:
            raise IllegalMoveError(reason)
        self.wanted = move

    def refusal(self, at: Standing, view: PlayerView, move: Move) -> str | None:
        """Return why the rules refuse a move of ours; None where they do not."""
        reason = refusal(view.round, view.seat, move, view.hand, view.drawn)
        if reason is None and isinstance(move, CallUNO):
            return late_call_refusal(at.open, view.seat, self.table.names)
        return reason

    def decide(self, at: Standing, move: Move | None) -> None:
        """A bot has decided; what the rules refuse falls back to the sleeping player's move."""
        self.decided = True
        if move is not None:
            try:
                self.want(at, move)
            except IllegalMoveError:
                self.wanted = _sleeping(at)

    def turn(self, at: Standing) -> Move | None:
        """Return the move of our own turn; None while our player thinks."""
        if self.leaving:
            return _sleeping(at)
        self._take_later(at)
        if self.bot:
            self._ask(at)
        elif self.wanted is None:
            until = at.open.opened_ms + self.table.offer.timers.turn_ms
            if self.desk.now_ms < until:
                self.desk.wake(until)
                return None
            self.wanted = _sleeping(at)
            late = said("Your time was up: the table moved for you.")
            self.desk.notify(notices.Warned(text=late))
        return self._take()

    def _take_later(self, at: Standing) -> None:
        """Take up a move from the step before, where the rules still have it."""
        move, self.resumed = self.resumed, None
        view = at.view()
        if move is not None and self.wanted is None and view is not None:
            self.wanted = move if self.refusal(at, view, move) is None else None

    def reaction(self, at: Standing) -> Move | None:
        """Return our reaction, `Pass` once the window is over; None while there is time for one."""
        if self.leaving:
            return Pass()
        if self.wanted is not None:
            return self._take()
        if self.bot and not self.decided:
            # Asked with nothing to say too: when it passes shall not tell what it holds.
            self._ask(at)
            return None
        until = at.open.opened_ms + self.table.reaction_ms
        if self.desk.now_ms < until:
            self.desk.wake(until)
            return None
        return Pass()

    def _take(self) -> Move | None:
        move, self.wanted = self.wanted, None
        return move

    def _ask(self, at: Standing) -> None:
        if not self.asked:
            self.asked = True
            self.desk.put(events.AskPlayer(step=at.open.step))


def _sleeping(at: Standing) -> Move | None:
    view = at.view()
    if at.phase is not Phase.TURN or view is None:
        return None
    return sleeping_move(view.round, view.seat, view.hand, view.drawn)

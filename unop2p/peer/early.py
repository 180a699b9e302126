"""Our own player's `catch` that came before the step in which it can be said (protocol section 10)."""

from dataclasses import dataclass

from unop2p.errors import IllegalMoveError
from unop2p.ids import Seat
from unop2p.log.steps import OpenStep
from unop2p.peer.desk import Desk
from unop2p.rules.due import ReactionDue
from unop2p.rules.early import early_catch_refusal
from unop2p.rules.moves import Catch
from unop2p.rules.position import Round
from unop2p.table import bodies, notices
from unop2p.words import joined, said


@dataclass(slots=True)
class EarlyCatch:
    """Keeps one catch, until it can be said or has come to nothing. Lost with the program."""

    desk: Desk
    names: tuple[str, ...]
    kept: Catch | None = None

    def takes(self, round_: Round, own: Seat, catch: Catch) -> bool:
        """Keep a catch for the coming reaction step, unless the open one is for it.

        Args:
            round_: the position.
            own: our seat.
            catch: what our player wants.

        Returns:
            Whether it is kept, so that nothing is to be said now.

        Raises:
            IllegalMoveError: it cannot come to that, and why.
        """
        if catch.seat in round_.catchable and catch.seat != own:
            return False
        name = self.names[catch.seat]
        reason = early_catch_refusal(round_, catch.seat, name)
        if catch.seat == own:
            reason = said("You cannot catch yourself.")
        if reason is not None:
            message = joined(said("There is nothing to catch."), reason)
            raise IllegalMoveError(message)
        self.kept = catch
        self.desk.notify(notices.CatchKept(seat=catch.seat))
        return True

    def due(self, round_: Round | None) -> Catch | None:
        """Return the catch where it can be said now; tell why where it has come to nothing."""
        catch = self.kept
        if catch is None:
            return None
        if round_ is not None and catch.seat in round_.catchable:
            if not isinstance(round_.due, ReactionDue):
                return None
            self.kept = None
            return catch
        reason = early_catch_refusal(round_, catch.seat, self.names[catch.seat])
        if reason is not None:
            self.kept = None
            self.desk.notify(notices.CatchDropped(seat=catch.seat, reason=reason))
        return None


def late_call_refusal(step: OpenStep, seat: Seat, names: tuple[str, ...]) -> str | None:
    """Return who has caught a seat in the open step: then an honest peer does not call any more."""
    for other, held in step.statements.items():
        body = held.statement.body
        if isinstance(body, bodies.Caught) and body.seat == seat:
            return f"{names[other]} has caught you: it is too late to call."
    return None

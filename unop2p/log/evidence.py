"""Evidence: signed messages that prove to anyone that their author broke the protocol.

Contradictions (protocol section 4), always one author, one step, one head: two statements; two tries
of one attempt; two adopts of one attempt; an adopt of attempt b with a try of an attempt a > b that
names no seal, or one lower than b.
"""

from dataclasses import dataclass
from typing import Final

from unop2p.log.messages import Adopt, Signed, Statement, Try
from unop2p.words import Said, said

TWO_STATEMENTS: Final = said("two different statements")


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """What proves a fault."""

    author: bytes
    """The public key of who broke the protocol."""
    step: int
    reason: str
    """In plain words."""
    items: tuple[Signed, ...]
    """One wrong message, or two that contradict each other; or an adopt, and a wrong statement that
    stands in its close."""
    close: tuple[bytes, ...] = ()
    """Of an adopt: what it adopts, the hash of each active seat's statement; empty: left out."""


def contradiction(first: Statement | Try | Adopt, second: Statement | Try | Adopt) -> Said | None:
    """Say how two messages of one author contradict each other, or None if they do not.

    Args:
        first: a decoded message.
        second: another one, signed by the same key and with other bytes.
    """
    same_place = (first.table, first.step, first.head) == (second.table, second.step, second.head)
    if not same_place or first == second:
        return None
    match first, second:
        case Statement(), Statement():
            return TWO_STATEMENTS
        case Try(), Try() if first.attempt == second.attempt:
            return said("two different tries of attempt {attempt}", attempt=first.attempt)
        case Adopt(), Adopt() if first.attempt == second.attempt:
            return said("two different adopts of attempt {attempt}", attempt=first.attempt)
        case (Adopt() as adopt, Try() as attempt) | (Try() as attempt, Adopt() as adopt):
            if attempt.attempt > adopt.attempt and (
                attempt.seal is None or attempt.seal < adopt.attempt
            ):
                return said(
                    "an adopt of attempt {low}, and a try of attempt {high} that hides its seal",
                    low=adopt.attempt,
                    high=attempt.attempt,
                )
    return None

"""Evidence: signed messages that prove to anyone that their author broke the protocol.

Contradictions (protocol section 4), always one author, one step, one head: two statements; two tries
of one attempt; two adopts of one attempt; an adopt of attempt b with a try of an attempt a > b that
names no seal, or one lower than b.
"""

from dataclasses import dataclass

from unop2p.log.messages import Adopt, Signed, Statement, Try


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """What proves a fault."""

    author: bytes
    """The public key of who broke the protocol."""
    step: int
    reason: str
    """In plain words."""
    items: tuple[Signed, ...]
    """One wrong message, or two that contradict each other."""


def contradiction(first: Statement | Try | Adopt, second: Statement | Try | Adopt) -> str | None:
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
            return "two different statements in one step"
        case Try(), Try() if first.attempt == second.attempt:
            return f"two different tries of attempt {first.attempt}"
        case Adopt(), Adopt() if first.attempt == second.attempt:
            return f"two different adopts of attempt {first.attempt}"
        case (Adopt() as adopt, Try() as attempt) | (Try() as attempt, Adopt() as adopt):
            if attempt.attempt > adopt.attempt and (
                attempt.seal is None or attempt.seal < adopt.attempt
            ):
                return (
                    f"an adopt of attempt {adopt.attempt}, and a try of attempt "
                    f"{attempt.attempt} that hides its seal"
                )
    return None

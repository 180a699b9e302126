"""What of a flood is worth its cost: cheap tests first, the signature last, and each at whose expense.

A signature costs as much to check as a hundred other tests. So whatever has no need of one is dropped
before it; and whoever floods spends a budget: a seat its own, all strangers one, and who forges seats'
names one for all. Words that a step waits for are not paid out of that: they are looked at in any case.
"""

from collections.abc import Sequence

from unop2p.errors import RemoteError
from unop2p.ids import Seat
from unop2p.log.messages import Adopt, Signed, Statement, Try
from unop2p.log.steps import OpenStep
from unop2p.peer.limits import Budget, Limits
from unop2p.wire import codec
from unop2p.wire.reading import Letter

WORDS = frozenset((b"statement", b"try", b"adopt"))
OF_STRANGERS = frozenset((b"join", b"ask"))
"""What somebody who has no seat may say once the table is there (protocol section 7)."""
Word = Statement | Try | Adopt
"""What is said in the chain."""


class OverBudgetError(RemoteError):
    """Somebody says more than anybody looks at."""


class Gate:
    """Keeps the budgets of one peer."""

    def __init__(self, limits: Limits) -> None:
        """Begin with full budgets."""
        self._limits = limits
        self._strangers = Budget(burst=limits.stranger_burst, per_second=limits.stranger_per_second)
        self._doubts = Budget(burst=limits.doubt_burst, per_second=limits.doubt_per_second)
        self._words: dict[bytes, Budget] = {}
        self._talk: dict[bytes, Budget] = {}

    def _of(self, author: bytes, *, word: bool) -> Budget:
        """Return a seat's budget. Talk has its own: too much of it must not cost the seat its words."""
        limits = self._limits
        if word:
            return self._words.setdefault(
                author, Budget(burst=limits.author_burst, per_second=limits.author_per_second)
            )
        return self._talk.setdefault(
            author, Budget(burst=limits.talk_burst, per_second=limits.talk_per_second)
        )

    def may_come(self, signed: Signed, keys: tuple[bytes, ...] | None, now_ms: int) -> bool:
        """Say, by what costs next to nothing, whether a message is worth reading. Nothing is spent.

        Args:
            signed: the message; nothing in it is believed.
            keys: those of the seats, or None while there is no table.
            now_ms: the time.
        """
        if keys is None:
            return self._strangers.holds(now_ms)
        kind = codec.kind_of(signed.payload)
        if signed.author not in keys:
            return kind in OF_STRANGERS and self._strangers.holds(now_ms)
        if kind in WORDS:
            return self._of(signed.author, word=True).holds(now_ms)
        return self._of(signed.author, word=False).holds(now_ms) and self._doubts.holds(now_ms)

    def check(
        self, letter: Letter, keys: tuple[bytes, ...] | None, now_ms: int, *, awaited: bool
    ) -> None:
        """Check a signature, at the expense of its author, or of all who forge.

        Args:
            letter: what came, and is read.
            keys: those of the seats, or None while there is no table.
            now_ms: the time.
            awaited: whether it is a word that is missing in a step.

        Raises:
            SignatureError: it does not hold.
            OverBudgetError: it was not looked at.
        """
        signed = letter.signed
        known = keys is not None and signed.author in keys
        word = isinstance(letter.message(), Word)
        budget = self._of(signed.author, word=word) if known else self._strangers
        if known and not awaited and not self._doubts.holds(now_ms):
            raise OverBudgetError
        if not budget.spend(now_ms):
            raise OverBudgetError
        try:
            letter.verify()
        except codec.SignatureError:
            if known:
                # Anybody can write a seat's key into a message: that must not spend its budget.
                budget.give_back()
                if not awaited:
                    self._doubts.spend(now_ms)
            raise


def is_missing(step: OpenStep, seat: Seat, word: Word, ahead: Sequence[Word] = ()) -> bool:
    """Say whether a word, if it is what it says, is one that a step lacks: the first of that seat.

    Args:
        step: the open step; a word on another head than its own is not what it lacks.
        seat: whose word it would be.
        word: the word.
        ahead: where it is for a later step: what that seat's words for it are, as far as they are here.
    """
    if word.step != step.step:
        return not any(type(other) is type(word) for other in ahead)
    if word.head != step.head:
        return False
    if isinstance(word, Statement):
        return seat in step.active and seat not in step.statements
    return seat in step.voters and not any(
        isinstance(vote, type(word)) for _, vote in step.votes.get(seat, ())
    )

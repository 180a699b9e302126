"""When to ask for what is missing: sooner where words get lost, later where they are only late.

Where broker or machine are slow every word is late, and asking for it, with the answers, makes them
slower still. A word that an answer has brought and that comes by itself as well was not lost: had we
waited longer it need not have been asked for. So from then on we wait as long as that took, and again a
little less with each step that nothing was asked in. Where nothing comes twice, nothing of this happens.
"""

from dataclasses import dataclass, field

ASK_AFTER_MS = 1_500
"""How long a step is open before what it lacks is asked for, at least."""
ASK_AFTER_MS_MAX = 10_000
"""And at most, however late words are."""
ASK_EVERY_MS_MAX = 5_000
"""Between two askings in one step, unless words are later than that."""
REMEMBERED_MAX = 256
"""Words that an answer has brought: some steps of a table of ten."""


@dataclass(slots=True)
class Asking:
    """The times of one peer's askings."""

    after_ms: int = ASK_AFTER_MS
    """How long a step is given before the first asking."""
    next_ms: int = 0
    """When to ask next."""
    last_ms: int = -ASK_AFTER_MS
    """When we asked last."""
    _every_ms: int = ASK_AFTER_MS
    _asked: bool = False
    """Whether anything was asked in this step."""
    _brought: dict[bytes, int] = field(default_factory=dict)
    """By hash: words that answers brought, and from when on they would have had to be waited for."""

    def opened(self, now_ms: int) -> None:
        """Note that another step is open."""
        if not self._asked:
            self.after_ms -= (self.after_ms - ASK_AFTER_MS) // 8
        self._asked = False
        self._every_ms = self.after_ms
        self.next_ms = now_ms + self.after_ms

    def asked(self, now_ms: int, *, due: bool) -> None:
        """Note that we ask.

        Args:
            now_ms: the time.
            due: whether it was time to; else something has called for it.
        """
        self.last_ms = now_ms
        if due:
            self._asked = True
            self._every_ms = min(2 * self._every_ms, max(ASK_EVERY_MS_MAX, self.after_ms))
            self.next_ms = now_ms + self._every_ms

    def brought(self, word: bytes) -> None:
        """Note that an answer has brought a word, by hash."""
        if self._asked:
            self._brought[word] = self.last_ms - self.after_ms
            if len(self._brought) > REMEMBERED_MAX:
                del self._brought[next(iter(self._brought))]

    def awaits(self, word: bytes) -> bool:
        """Say whether it would be news that a word comes by itself."""
        return word in self._brought

    def came(self, word: bytes, now_ms: int) -> None:
        """Note that a word that an answer has brought comes by itself too: it was late, not lost."""
        since_ms = self._brought.pop(word, None)
        if since_ms is not None:
            self.after_ms = min(max(self.after_ms, now_ms - since_ms), ASK_AFTER_MS_MAX)

    def answer_within_ms(self, least_ms: int) -> int:
        """Return how long an answer may wait for another's: the later words are, the longer."""
        return least_ms * self.after_ms // ASK_AFTER_MS

"""How long a bot seems to think: drawn by chance before it thinks, so that it tells nothing of a hand.

People take times whose logarithm is about normal (van der Linden, A lognormal model for response times,
2006); medians and bounds here are set by hand. Turns have one distribution and reactions (calls,
catches, jumping in, and having nothing to say) another, and which of both it is the whole table sees.
"""

from dataclasses import dataclass
from math import exp
from typing import Final

from unop2p.bots.base import Randomness
from unop2p.errors import LocalError
from unop2p.words import said

PACE_MAX_MS: Final = 60_000
ONE_SIDES: Final = 1 << 16
DICE: Final = 12
"""The sum of so many even numbers of 0 to 1, less half their count, is about normal with spread 1."""


class PaceError(LocalError):
    """There is no such pace of bots."""

    exit_code = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Spread:
    """A distribution of times, in milliseconds."""

    median_ms: int
    sigma: float
    """Spread of the logarithm; 0: always the median."""
    shortest_ms: int
    longest_ms: int

    def draw(self, rng: Randomness) -> int:
        """Draw one."""
        if not self.sigma:
            return self.median_ms
        # Always as many numbers, so that what comes after does not hang on what came.
        normal = sum(rng.randrange(ONE_SIDES) for _ in range(DICE)) / ONE_SIDES - DICE / 2
        drawn = round(self.median_ms * exp(self.sigma * normal))
        return max(self.shortest_ms, min(drawn, self.longest_ms))


@dataclass(frozen=True, slots=True, kw_only=True)
class Pace:
    """How long a bot seems to think."""

    name: str
    turn: Spread
    reaction: Spread

    def delay_ms(self, rng: Randomness, *, reacting: bool, most_ms: int) -> int:
        """Return when to answer what is asked now.

        Args:
            rng: the bot's own chance.
            reacting: others may say something too, as a call, a catch, or nothing.
            most_ms: what the table's timers allow.
        """
        return min((self.reaction if reacting else self.turn).draw(rng), most_ms)


HUMAN: Final = Pace(
    name="human",
    turn=Spread(median_ms=1_200, sigma=0.35, shortest_ms=600, longest_ms=3_000),
    reaction=Spread(median_ms=900, sigma=0.25, shortest_ms=600, longest_ms=1_500),
)


def steady(name: str, delay_ms: int) -> Pace:
    """Return the pace that always takes as long."""
    always = Spread(median_ms=delay_ms, sigma=0, shortest_ms=delay_ms, longest_ms=delay_ms)
    return Pace(name=name, turn=always, reaction=always)


FAST: Final = steady("fast", 0)
"""As soon as it knows: who watches may guess from the time how much there was to think about."""


def read_pace(text: str) -> Pace:
    """Return the pace of a word or a number of milliseconds.

    >>> read_pace("250").turn.median_ms
    250

    Raises:
        PaceError: it is none.
    """
    named = {"human": HUMAN, "fast": FAST}
    if text in named:
        return named[text]
    if text.isascii() and text.isdecimal() and len(text) < 9 and int(text) <= PACE_MAX_MS:
        return steady(text, int(text))
    message = said(
        "`--pace {text}`: human, fast, or milliseconds up to {most}.", text=text, most=PACE_MAX_MS
    )
    raise PaceError(message)

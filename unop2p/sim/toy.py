"""The simulator's choice of group: the real one, or the toy that is fast and keeps no secret."""

from collections.abc import Iterator
from contextlib import contextmanager

from unop2p.deal import group, toy_group


@contextmanager
def in_toy_group() -> Iterator[None]:
    """Do all group arithmetic of this process in the toy group, for as long as this lasts.

    What was made inside means nothing outside, and the other way round: keys, cards, rings.
    """
    real = group.use(toy_group)
    try:
        yield
    finally:
        group.use(real)

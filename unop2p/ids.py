"""The small types that every room uses: seats, steps, positions, milliseconds."""

from typing import NewType

Seat = NewType("Seat", int)
"""A place at the table, 0..n-1: the index in the genesis."""
Step = NewType("Step", int)
"""One place in the table's chain, counted from 0."""
Position = NewType("Position", int)
"""The number of a masked card within a round; every shuffle gives its outputs the next free ones."""
Milliseconds = NewType("Milliseconds", int)
"""A length or a moment of local, monotonic time."""

SEATS_MIN = 2
SEATS_MAX = 10

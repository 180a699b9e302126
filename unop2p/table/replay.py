"""Shuffles that are proved after the round: what is kept of them, and how they are replayed.

A round of such a table ends with a step in which every seat shows its shuffle seed. A seat whose seed
is not the one it committed to, or gives another shuffle than it said, is proved guilty by that
statement together with the settled steps. The same step comes at once when a card turns up that
cannot be: no face of the deck, or one more than the deck has.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from unop2p.deal.commit_reveal import list_entropy, open_seed
from unop2p.deal.group import Point, decode_point
from unop2p.deal.keys import RoundKeys
from unop2p.deal.masking import MaskedCard, encode_cards
from unop2p.deal.secret import Secret
from unop2p.deal.shuffle import ReplayedArgument
from unop2p.errors import ProofError
from unop2p.ids import Seat
from unop2p.rules.cards import Face
from unop2p.table import bodies
from unop2p.table.work import ARGUMENTS, Checked, CheckedDoubt, Nothing, OpeningTask

SEED_BYTES = 32

Lists = tuple[tuple[MaskedCard, ...], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SettledShuffle:
    """One shuffle step of the round, as it was settled."""

    step: int
    first: int
    """How many lists were shuffled before it in the round."""
    inputs: Lists
    outputs: tuple[tuple[Seat, Lists], ...]
    """In the order in which the seats shuffled, each on the outputs before."""
    masks: tuple[Seat, ...] = ()
    """Whose keys the cards are masked under."""


def is_replayed(argument: str) -> bool:
    """Say whether a table's shuffles are replayed after the round."""
    return _is_of_replayed_kind(type(ARGUMENTS[argument]))


@cache
def _is_of_replayed_kind(kind: type) -> bool:
    """Say so of a class: asked once, since looking for a protocol's methods takes its time."""
    return issubclass(kind, ReplayedArgument)


def take_commitment(data: bytes, *, replayed: bool) -> Point | None:
    """Read the commitment to a shuffle seed; None where shuffles are proved.

    Raises:
        MalformedError: no point.
        ProofError: one where none is due.
    """
    if replayed:
        return decode_point(data)
    if data:
        message = "a shuffle seed at a table whose shuffles are proved"
        raise ProofError(message)
    return None


@dataclass(frozen=True, slots=True, kw_only=True)
class SeedTask:
    """One seat's shuffles of the round, replayed from the seed that it shows."""

    argument: str
    seat: Seat
    joints: Mapping[tuple[Seat, ...], Point]
    """The joint key of each set of seats under whose keys cards were shuffled."""
    commitment: Point
    shuffles: tuple[SettledShuffle, ...]

    def check(self, data: bytes, *, trusted: bool) -> Checked:
        """Replay every list that the seat has shuffled.

        Raises:
            MalformedError: no scalar.
            ProofError: another seed than was committed, or a shuffle that it does not give.
        """
        if not trusted:
            seed = open_seed(data, self.commitment)
            for shuffle in self.shuffles:
                self._replay(seed, shuffle)
        return Nothing()

    def _replay(self, seed: Secret, shuffle: SettledShuffle) -> None:
        argument = ARGUMENTS[self.argument]
        assert isinstance(argument, ReplayedArgument)
        inputs = shuffle.inputs
        for seat, outputs in shuffle.outputs:
            if seat == self.seat:
                for index, (before, after) in enumerate(zip(inputs, outputs, strict=True)):
                    entropy = list_entropy(seed, shuffle.first + index, before)
                    joint = self.joints[shuffle.masks]
                    if argument.replay(joint, before, entropy) != encode_cards(after):
                        message = (
                            f"the shuffle of step {shuffle.step} is not the one that its seed gives"
                        )
                        raise ProofError(message)
            inputs = outputs

    @staticmethod
    def make(secrets: RoundKeys) -> tuple[bodies.ShownSeed, Checked]:
        """Show one's own seed."""
        data = secrets.shuffle_seed.expose().to_bytes(SEED_BYTES, "little")
        return bodies.ShownSeed(seed=data), Nothing()


def surplus(seen: Iterable[Face], deck: Sequence[Face]) -> Face | None:
    """Return a face that is there more often than in the deck, or None."""
    there = Counter(seen)
    held = Counter(deck)
    return next((face for face, count in there.items() if count > held[face]), None)


def check_doubt(
    task: OpeningTask, data: bytes, seen: Sequence[Face], deck: Sequence[Face]
) -> CheckedDoubt:
    """Check that cards which a seat opens cannot be.

    Args:
        task: opens them.
        data: the seat's shares.
        seen: what everybody sees elsewhere.
        deck: the deck.

    Raises:
        MalformedError: shares that cannot be read.
        ProofError: a proof that does not hold, or cards that are as they should be.
    """
    checked = task.check_any(data)
    faces = [face for face in checked.faces if face is not None]
    if len(faces) == len(checked.faces) and surplus((*seen, *faces), deck) is None:
        message = "a doubt about cards that are as they should be"
        raise ProofError(message)
    return checked

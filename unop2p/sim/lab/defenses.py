"""Single defenses switched off, in the simulator alone: by that a test of a defense is known to bite.

A switch swaps one function of the product for a careless one while a run lasts, in every module that
has it. There is no flag for it anywhere in the product: a real table has no way to do this.
"""

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass

from unop2p.deal import group, keys, masking, shares, shuffle, statements, transcript
from unop2p.deal.group import Point, hash_to_scalar
from unop2p.deal.masking import MaskedCard, VerifiedDeck, decode_cards
from unop2p.deal.shares import PROOF_BYTES
from unop2p.deal.shuffle import ReplayedArgument, ShuffleArgument
from unop2p.deal.transcript import ProofContext
from unop2p.errors import MalformedError
from unop2p.ids import Seat
from unop2p.log import evidence
from unop2p.log.steps import OpenStep
from unop2p.rules.cards import Face
from unop2p.table import bodies, checks, work
from unop2p.table.hindsight import Hindsight
from unop2p.table.replay import SeedTask
from unop2p.table.work import Checked, CheckedOpening, Nothing, OpeningTask

Switch = Callable[[ExitStack], None]
WEAK_WEIGHT_BITS = 28
"""Of weights that are hashed from their own pair alone, so that a search of a second solves for them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Defense:
    """One thing that a peer checks, and what it is like to leave it out."""

    name: str
    sentence: str
    """What is left out."""
    switch: Switch


@contextmanager
def without(names: Sequence[str]) -> Iterator[None]:
    """Leave defenses out for as long as it lasts; the same in every peer of the process.

    Args:
        names: of `DEFENSES`.
    """
    with ExitStack() as stack:
        for name in names:
            DEFENSES[name].switch(stack)
        yield


def swap(stack: ExitStack, old: object, new: object, *, but: object = None) -> None:
    """Put a function in another's place, in every module of the package that holds it but one.

    The modules of shuffle arguments of one's own are among them: they call our checks as we do.
    """
    own = {type(argument).__module__ for argument in work.ARGUMENTS.values()}
    places = [
        (module, name)
        for module_name, module in sorted(sys.modules.items())
        if not module_name.startswith("unop2p.sim.")
        and (module_name.startswith("unop2p.") or module_name in own)
        for name, value in vars(module).items()
        if value is old and module is not but
    ]
    assert places, "nobody uses what is to be left out"
    for module, name in places:
        put(stack, module, name, new)


def put(stack: ExitStack, owner: object, name: str, new: object) -> None:
    """Set an attribute, and set it back at the end."""
    old = getattr(owner, name)
    setattr(owner, name, new)
    stack.callback(setattr, owner, name, old)


# -- shuffles ----------------------------------------------------------------------------------


class Unchecked:
    """A shuffle argument whose proofs nobody looks at."""

    def __init__(self, argument: ShuffleArgument) -> None:
        """Shuffle as another argument does."""
        self.name = argument.name
        self.shuffle = argument.shuffle

    def verify(
        self,
        context: ProofContext,
        joint_key: Point,
        cards: Sequence[MaskedCard],
        outputs: bytes,
        proof: bytes,
    ) -> VerifiedDeck:
        """Take the outputs as they are."""
        del context, joint_key, proof
        return VerifiedDeck(decode_cards(outputs, len(cards)))


def _shuffle_proofs(stack: ExitStack) -> None:
    for name, argument in list(work.ARGUMENTS.items()):
        if not isinstance(argument, ReplayedArgument):
            work.ARGUMENTS[name] = Unchecked(argument)
            stack.callback(work.ARGUMENTS.__setitem__, name, argument)


def _shuffle_replay(stack: ExitStack) -> None:
    put(stack, SeedTask, "check", lambda *_, **__: Nothing())


def _remask_check(stack: ExitStack) -> None:
    swap(stack, shuffle.check_fresh, lambda *_: None)


def _fs_commitments(stack: ExitStack) -> None:
    strong = transcript.weights

    def weak(kind: str, context: ProofContext, count: int, *parts: bytes) -> list[int]:
        kept = parts[:-1] if kind == "shuffle" else parts
        return strong(kind, context, count, *kept)

    swap(stack, strong, weak)


def known_face_logarithm(label: bytes) -> int:
    """Return the logarithm of a face's point where faces are not hashed to the group."""
    return hash_to_scalar("lab-face", label)


def _hashed_faces(stack: ExitStack) -> None:
    strong = group.hash_to_point

    def weak(label: str, *parts: bytes) -> Point:
        if label == "face":
            return group.base_mul(known_face_logarithm(parts[0]))
        return strong(label, *parts)

    put(stack, masking, "hash_to_point", weak)


# -- shares ------------------------------------------------------------------------------------


def _share_proofs(stack: ExitStack) -> None:
    def careless(
        context: ProofContext, public: Point, cards: Sequence[MaskedCard], data: bytes
    ) -> tuple[Point, ...]:
        del context, public
        if len(data) != group.POINT_BYTES * len(cards) + PROOF_BYTES:
            message = "not as many shares as cards"
            raise MalformedError(message)
        return group.decode_points(data[:-PROOF_BYTES], len(cards))

    swap(stack, shares.verify_shares, careless)


def _share_weights(stack: ExitStack) -> None:
    strong = transcript.weights

    def ones(kind: str, context: ProofContext, count: int, *parts: bytes) -> list[int]:
        return [1] * count if kind == "shares" else strong(kind, context, count, *parts)

    swap(stack, strong, ones)


def own_pair_weight(context: ProofContext, c1: bytes, share: bytes) -> int:
    """Return a weight that is hashed from its own pair alone."""
    return hash_to_scalar("lab-own-pair", context.encoded(), c1, share) % (1 << WEAK_WEIGHT_BITS)


def _share_weights_all_pairs(stack: ExitStack) -> None:
    strong = transcript.weights

    def alone(kind: str, context: ProofContext, count: int, *parts: bytes) -> list[int]:
        if kind != "shares":
            return strong(kind, context, count, *parts)
        _, inputs, points = parts
        size = group.POINT_BYTES
        return [
            own_pair_weight(
                context,
                inputs[size * index : size * (index + 1)],
                points[size * index : size * (index + 1)],
            )
            for index in range(count)
        ]

    swap(stack, strong, alone)


# -- keys --------------------------------------------------------------------------------------


def _key_proofs(stack: ExitStack) -> None:
    swap(stack, keys.verify_key, lambda *_: None)


def _seed_commitments(stack: ExitStack) -> None:
    strong = work.check_reveal

    def careless(
        context: ProofContext,
        body: bodies.Reveal,
        committed: bytes,
        seat: Seat,
        *,
        threshold: int,
        trusted: bool,
    ) -> Checked:
        del committed
        key = group.decode_point(body.key)
        fitting = keys.commitment(
            body.seed,
            key,
            body.box_key,
            body.sharing,
            context.table_id,
            context.round_index,
            seat,
        )
        return strong(context, body, fitting, seat, threshold=threshold, trusted=trusted)

    swap(stack, strong, careless)


# -- what is read from outside -----------------------------------------------------------------


def _point_encoding(stack: ExitStack) -> None:
    put(stack, vars(group)["backend"], "raw_valid", lambda data: len(data) == group.POINT_BYTES)


def _identity_check(stack: ExitStack) -> None:
    strong = group.decode_point

    def lax(data: bytes) -> Point:
        return group.IDENTITY if data == bytes(group.POINT_BYTES) else strong(data)

    swap(stack, strong, lax)


def _scalar_range(stack: ExitStack) -> None:
    def lax(data: bytes) -> int:
        if len(data) != group.SCALAR_BYTES:
            message = "not 32 bytes"
            raise MalformedError(message)
        return int.from_bytes(data, "little") % group.Q

    swap(stack, group.decode_scalar, lax)


# -- statements and agreement ------------------------------------------------------------------


def _hand_proofs(stack: ExitStack) -> None:
    swap(stack, statements.verify_none_of, lambda *_: None)


def _opening_checks(stack: ExitStack) -> None:
    def careless(
        self: OpeningTask, data: bytes, claimed: tuple[Face, ...] | None, *, trusted: bool
    ) -> Checked:
        del trusted
        points = work.take_shares(data, len(self.cards))
        faces = claimed if claimed is not None else self.read(points)
        return CheckedOpening(positions=self.positions, points=points, faces=faces)

    put(stack, OpeningTask, "check", careless)


def _claim_proofs(stack: ExitStack) -> None:
    swap(stack, statements.verify_claim, lambda *_: None)


def _hindsight(stack: ExitStack) -> None:
    put(stack, Hindsight, "faults", lambda _self: ())


def _rule_checks(stack: ExitStack) -> None:
    swap(stack, vars(checks)["_check_rules"], lambda *_: None)


def _contradiction_checks(stack: ExitStack) -> None:
    swap(stack, evidence.contradiction, lambda *_: None)
    place = OpenStep.place_statement

    def first_only(self: OpenStep, *arguments: object) -> bool:
        return place(self, *arguments) is True  # type: ignore[arg-type]  # handed on as they came

    put(stack, OpenStep, "place_statement", first_only)


DEFENSES: dict[str, Defense] = {
    name: Defense(name=name, sentence=sentence, switch=switch)
    for name, sentence, switch in (
        ("shuffle-proofs", "Nobody looks at the proof of a shuffle.", _shuffle_proofs),
        ("shuffle-replay", "Shuffles are not replayed after the round.", _shuffle_replay),
        ("remask-check", "A card may come out of a shuffle with its old mask.", _remask_check),
        (
            "fs-commitments",
            "The weights of a shuffle proof are hashed without the commitments of the prover.",
            _fs_commitments,
        ),
        ("hashed-faces", "The faces are points whose logarithms are known.", _hashed_faces),
        ("share-proofs", "Nobody looks at the proof of shares.", _share_proofs),
        ("share-weights", "Shares are added up for their proof without weights.", _share_weights),
        (
            "share-weights-all-pairs",
            f"The weight of a share is hashed from its own pair alone ({WEAK_WEIGHT_BITS} bits, "
            "so that the search is short).",
            _share_weights_all_pairs,
        ),
        ("key-proofs", "Nobody looks at the proof of a round key.", _key_proofs),
        ("seed-commitments", "A reveal need not be what was committed.", _seed_commitments),
        ("point-encoding", "Any 32 bytes pass for a point.", _point_encoding),
        ("identity-check", "The identity passes for a point.", _identity_check),
        ("scalar-range", "A scalar may be the order or more.", _scalar_range),
        ("hand-proofs", "Nobody looks at the proof of an accused.", _hand_proofs),
        (
            "opening-checks",
            "A card that is played passes for what it is said to be.",
            _opening_checks,
        ),
        ("claim-proofs", "Nobody looks at what a move claims of hidden cards.", _claim_proofs),
        ("hindsight", "Moves made unseen are not checked when the hands are open.", _hindsight),
        ("rule-checks", "What the rules forbid is not checked.", _rule_checks),
        (
            "contradiction-checks",
            "Of two words of one seat the first counts, and nobody holds them together.",
            _contradiction_checks,
        ),
    )
}
"""Everything that `--without` can leave out."""

"""A shuffle argument of one's own: cut and choose. Slow and large, but every step of it is plain.

The prover shuffles the inputs many times more, each time by a secret of its own, and says the hash of
each result. Then the hash of all that chooses: of most extra decks it shows how they come from the
inputs, of the others how they come from the outputs. Whoever has no way from the inputs to the outputs
cannot show both for any deck, so he has to guess the choice. Nothing is shown of the way itself: no
deck is shown from both sides.

    unop2p match --bots 2 --rounds 1 --deal examples.cut_and_choose:CutAndChoose
"""

from collections.abc import Sequence

from unop2p.deal.coin import permutation
from unop2p.deal.entropy import Entropy
from unop2p.deal.group import Point, decode_scalar, encode_scalar, hash_to_bytes, hash_to_scalar
from unop2p.deal.masking import MaskedCard, VerifiedDeck, decode_cards, encode_cards, remask
from unop2p.deal.shuffle import check_fresh
from unop2p.deal.transcript import ProofContext
from unop2p.errors import MalformedError, ProofError

SEED = SCALAR = 32
PLACE = 2

Way = tuple[Sequence[int], Sequence[int]]
"""Which card comes to each place, and the factor that it is masked again with there."""


def walk(cards: Sequence[MaskedCard], way: Way, joint_key: Point) -> tuple[MaskedCard, ...]:
    """Go a way: permute and mask again."""
    return tuple(
        remask(cards[source], factor, joint_key) for source, factor in zip(*way, strict=True)
    )


def way_of(seed: bytes, count: int) -> Way:
    """Grow a whole way out of 32 bytes, so that showing it is short."""
    factors = [
        hash_to_scalar("example/factor", seed, place.to_bytes(4, "big")) for place in range(count)
    ]
    return permutation(seed, "example/order", count), factors


def digest(cards: Sequence[MaskedCard]) -> bytes:
    """Hash a deck."""
    return hash_to_bytes("example/deck", encode_cards(cards))[:32]


def challenge(
    context: ProofContext,
    joint_key: Point,
    cards: Sequence[MaskedCard],
    outputs: bytes,
    digests: Sequence[bytes],
) -> bytes:
    """Hash the whole statement and all that was announced: what is not hashed could be chosen later."""
    statement = (context.encoded(), joint_key.encoded, encode_cards(cards), outputs)
    return hash_to_bytes("example/cut-and-choose", *statement, *digests)[:SEED]


class CutAndChoose:
    """Proves a shuffle by many more of them."""

    name = "cut-and-choose"

    def __init__(self, decks: int = 100, from_outputs: int = 28) -> None:
        """Choose how sure to be.

        Args:
            decks: extra decks. A false shuffle passes one choice of C(decks, from_outputs), which is
                2^82 for the defaults; who wants to try again has to hash anew.
            from_outputs: of how many the way from the outputs is shown: 34 bytes a card for each.
        """
        self.decks = decks
        self.from_outputs = from_outputs

    def _chosen(self, challenge: bytes) -> set[int]:
        """Return which decks are shown from the outputs."""
        return set(permutation(challenge, "example/choice", self.decks)[: self.from_outputs])

    def shuffle(
        self,
        context: ProofContext,
        joint_key: Point,
        cards: Sequence[MaskedCard],
        entropy: Entropy,
    ) -> tuple[bytes, bytes]:
        """Shuffle, and prove it."""
        count = len(cards)
        order, factors = way_of(entropy(SEED), count)
        outputs = encode_cards(walk(cards, (order, factors), joint_key))
        seeds = [entropy(SEED) for _ in range(self.decks)]
        ways = [way_of(seed, count) for seed in seeds]
        digests = [digest(walk(cards, way, joint_key)) for way in ways]
        proof = challenge(context, joint_key, cards, outputs, digests)
        chosen = self._chosen(proof)
        place_of = {source: place for place, source in enumerate(order)}
        for index, (sources, more) in enumerate(ways):
            if index not in chosen:
                proof += seeds[index]
                continue
            # The same deck as seen from the outputs: back along the one way, on along the other.
            places = [place_of[source] for source in sources]
            proof += b"".join(place.to_bytes(PLACE, "big") for place in places)
            proof += b"".join(
                encode_scalar(factor - factors[place])
                for factor, place in zip(more, places, strict=True)
            )
        return outputs, proof

    def verify(
        self,
        context: ProofContext,
        joint_key: Point,
        cards: Sequence[MaskedCard],
        outputs: bytes,
        proof: bytes,
    ) -> VerifiedDeck:
        """Check a shuffle; return its outputs as cards that may be dealt."""
        count = len(cards)
        shuffled = decode_cards(outputs, count)
        check_fresh(cards, shuffled)
        wide = count * (PLACE + SCALAR)
        said, rest = proof[:SEED], proof[SEED:]
        chosen = self._chosen(said)
        if len(rest) != SEED * (self.decks - len(chosen)) + wide * len(chosen):
            raise MalformedError(f"a proof of {len(proof)} bytes for {count} cards")
        digests: list[bytes] = []
        for index in range(self.decks):
            size = wide if index in chosen else SEED
            shown, rest = rest[:size], rest[size:]
            way = self._read(shown, count) if index in chosen else way_of(shown, count)
            digests.append(digest(walk(shuffled if index in chosen else cards, way, joint_key)))
        if challenge(context, joint_key, cards, outputs, digests) != said:
            raise ProofError("the extra decks are not what was said")
        return VerifiedDeck(shuffled)

    @staticmethod
    def _read(data: bytes, count: int) -> Way:
        """Read a way that must be one: a permutation and reduced scalars."""
        cut = PLACE * count
        places = [int.from_bytes(data[i : i + PLACE], "big") for i in range(0, cut, PLACE)]
        if sorted(places) != list(range(count)):
            raise MalformedError("a way on which cards are lost")
        scalars = range(cut, len(data), SCALAR)
        return places, [decode_scalar(data[start : start + SCALAR]) for start in scalars]

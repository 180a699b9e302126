"""Cheats with keys and seeds: chosen late, copied, rogue, without proof, or none at all."""

from collections.abc import Callable
from dataclasses import replace

from unop2p.deal import keys as round_keys
from unop2p.deal.coin import coin, permutation
from unop2p.deal.entropy import seeded_entropy
from unop2p.deal.group import IDENTITY, Point, base_mul, decode_point, mul, sub, sum_points
from unop2p.deal.keys import RoundKeys
from unop2p.deal.secret import Secret
from unop2p.ids import Seat
from unop2p.rules.match import choose_dealer
from unop2p.sim.lab.cheats import Cheat, Promise
from unop2p.sim.lab.trick import CheatChain, Trick, others_of
from unop2p.sim.ring import Ring
from unop2p.table import bodies, notices
from unop2p.table.phases import Phase

SEEDS_MAX = 400
"""With ten seats one seed in ten makes the dealer wanted."""
KNOWN = 0xBADC0DE
"""The logarithm of the joint key that a rogue key makes."""


class LastWord(Trick):
    """Says its reveal when it has seen all others; `reveal` is what it then says."""

    lawful = True

    def holds(self, chain: CheatChain) -> bool:
        """Wait for the others."""
        if chain.state.plan.phase is not Phase.REVEAL or self.first_step is not None:
            return False
        return any(seat not in chain.open.statements for seat in others_of(chain))

    def reveals(self, chain: CheatChain) -> dict[Seat, bodies.Reveal]:
        """Return what the others have revealed."""
        found: dict[Seat, bodies.Reveal] = {}
        for seat in others_of(chain):
            body = chain.open.statements[seat].statement.body
            assert isinstance(body, bodies.Reveal)
            found[seat] = body
        return found

    def others_sum(self, chain: CheatChain) -> Point:
        """Return the sum of the others' keys."""
        return sum_points(decode_point(body.key) for body in self.reveals(chain).values())

    def reveal(self, chain: CheatChain, body: bodies.Reveal) -> bodies.Reveal:
        """Return what is said at last."""
        return body

    def body(self, chain: CheatChain, body: bodies.Body) -> bodies.Body | None:
        """Say it once."""
        if self.first_step is not None or not isinstance(body, bodies.Reveal):
            return body
        self.tried(chain)
        return self.reveal(chain, body)


class LateSeed(LastWord):
    """Chooses the seed under which it deals."""

    lawful = False

    def reveal(self, chain: CheatChain, body: bodies.Reveal) -> bodies.Reveal:
        """Try seeds until the coin makes this seat the dealer."""
        assert chain.seat is not None
        seeds = {seat: other.seed for seat, other in self.reveals(chain).items()}
        for number in range(SEEDS_MAX):
            seeds[chain.seat] = number.to_bytes(32, "big")
            if self.dealer(chain, [seeds[seat] for seat in chain.state.seats]) == chain.seat:
                return replace(body, seed=seeds[chain.seat])
        message = "no seed makes this seat the dealer"
        raise AssertionError(message)

    @staticmethod
    def dealer(chain: CheatChain, seeds: list[bytes]) -> Seat:
        """Return who deals first under these seeds."""
        tossed = coin(seeds)
        state = chain.state
        order = tuple(Seat(index) for index in permutation(tossed, "order", len(state.seats)))
        deck = state.deck_faces()
        mixed = [deck[index] for index in permutation(tossed, "dealer", len(deck))]
        return choose_dealer(state.table.options, order, mixed)[0]

    def effect(self, ring: Ring, honest: tuple[int, ...]) -> str | None:
        """See whether it deals."""
        for notice in ring.places[honest[0]].notices:
            if isinstance(notice, notices.DealerDrawn) and notice.dealer in self.seats:
                return f"seat {notice.dealer} has chosen itself as the dealer"
        return None


class CopiedKey(LastWord):
    """Says another seat's reveal again, key, proof and all."""

    lawful = False

    def reveal(self, chain: CheatChain, body: bodies.Reveal) -> bodies.Reveal:
        """Take the first that was said."""
        return next(iter(self.reveals(chain).values()))


class RogueKey(LastWord):
    """Chooses a key that makes the joint key one whose logarithm it knows."""

    lawful = False
    target = KNOWN
    opened = 0

    def reveal(self, chain: CheatChain, body: bodies.Reveal) -> bodies.Reveal:
        """Take the others' keys away from the target. There is no proof of such a key."""
        key = sub(base_mul(self.target), self.others_sum(chain))
        return replace(body, key=key.encoded)

    def holds(self, chain: CheatChain) -> bool:
        """Once the deck lies there, read it, and say no more: it can give no share."""
        if chain.state.plan.phase is Phase.DEAL and self.first_step is not None:
            if not self.opened and chain.state.joint == base_mul(self.target):
                state = chain.state
                cards = [state.cards[position] for position in state.pile]
                shown = [sub(card.c2, mul(self.target, card.c1)) for card in cards]
                self.opened = sum(state.faces.find(point) is not None for point in shown)
            return True
        return super().holds(chain)

    def effect(self, ring: Ring, honest: tuple[int, ...]) -> str | None:
        """Say how much it has read."""
        return f"it alone has read {self.opened} cards of the deck" if self.opened else None


class ZeroJointKey(LastWord):
    """Chooses a key that makes the joint key nothing, so that every card would lie open."""

    lawful = False

    def reveal(self, chain: CheatChain, body: bodies.Reveal) -> bodies.Reveal:
        """Take the negative of the others' sum."""
        return replace(body, key=sub(IDENTITY, self.others_sum(chain)).encoded)


class NoProof(Trick):
    """Reveals its key with a proof that is none, or is for something else."""

    def __init__(self, proof: str) -> None:
        self.proof = proof
        self.rounds = 2 if proof == "round" else 1
        self.kept: bytes | None = None

    def body(self, chain: CheatChain, body: bodies.Body) -> bodies.Body:
        """Put another proof into the reveal."""
        if self.first_step is not None or not isinstance(body, bodies.Reveal):
            return body
        assert chain.seat is not None
        assert chain.keys is not None
        context = chain.state.context(chain.seat)
        entropy = seeded_entropy(b"lab")
        match self.proof:
            case "round":
                if chain.state.round_index == 0:
                    self.kept = body.proof
                    return body
                assert self.kept is not None
                proof = self.kept
            case "table":
                elsewhere = replace(context, table_id=bytes(16))
                keys = chain.keys
                proof = round_keys.prove_key(elsewhere, keys.secret, keys.public, entropy)
            case _:
                proof = bytes(64)
        self.tried(chain)
        return replace(body, proof=proof)


class OwnKeys(Trick):
    """Draws its round keys in another way, and goes on lawfully with them."""

    def keys(self, chain: CheatChain, drawn: RoundKeys) -> RoundKeys:
        """Return the keys that the seat uses in place of those drawn."""
        raise AssertionError

    def body(self, chain: CheatChain, body: bodies.Body) -> bodies.Body:
        """Commit to them."""
        if not isinstance(body, bodies.Commit) or chain.state.round_index:
            return body
        assert chain.seat is not None
        assert chain.keys is not None
        self.tried(chain)
        keys = self.keys(chain, chain.keys)
        committed = round_keys.commitment(
            keys.coin_seed,
            keys.public,
            keys.box_public,
            b"",
            chain.table.offer.table,
            chain.state.round_index,
            chain.seat,
        )
        chain.keys = replace(keys, commitment=committed)
        return replace(body, digest=committed)


class IdentityKey(OwnKeys):
    """Has the key zero, and proves it: then its shares are nothing, and everybody knows them."""

    def keys(self, chain: CheatChain, drawn: RoundKeys) -> RoundKeys:
        """Take zero."""
        return replace(drawn, secret=Secret(0), public=IDENTITY)

    def tried(self, chain: object) -> None:
        """Count from the reveal on: the commitment shows nothing yet."""
        assert isinstance(chain, CheatChain)
        if self.first_step is None:
            self.first_step = chain.open.step + 1


class SharedKey(OwnKeys):
    """All seats that do it have one key together."""

    lawful = True
    gives_away = True
    first: RoundKeys | None = None

    def keys(self, chain: CheatChain, drawn: RoundKeys) -> RoundKeys:
        """Take that of the first."""
        self.first = self.first or drawn
        return replace(drawn, secret=self.first.secret, public=self.first.public)


class OppositeKey(SharedKey):
    """The second seat has the negative of the first one's key, so that both are no mask at all."""

    def keys(self, chain: CheatChain, drawn: RoundKeys) -> RoundKeys:
        """Take the first one's, or its negative."""
        if self.first is None:
            self.first = drawn
            return drawn
        negative = Secret(-self.first.secret.expose())
        return replace(drawn, secret=negative, public=base_mul(negative.expose()))


def _cheat(
    name: str,
    sentence: str,
    make: Callable[[], Trick],
    stopped_by: tuple[str, ...] = (),
    attacks: Promise = Promise.SECRECY,
) -> Cheat:
    return Cheat(
        name=name,
        family="keys",
        sentence=sentence,
        attacks=attacks,
        make=make,
        stopped_by=stopped_by,
    )


CHEATS = (
    _cheat(
        "last-word",
        "A seat reveals when it has seen all other reveals, and changes nothing.",
        LastWord,
        (),
        Promise.FAIR_DEAL,
    ),
    _cheat(
        "late-seed",
        "A seat chooses its seed after seeing the others', so that it deals.",
        LateSeed,
        ("seed-commitments",),
        Promise.FAIR_DEAL,
    ),
    _cheat(
        "copied-key",
        "A seat reveals another seat's key and proof as its own.",
        CopiedKey,
        ("seed-commitments", "key-proofs", "share-proofs"),
    ),
    _cheat(
        "rogue-key",
        "A seat chooses its key after the others', so that it alone knows the joint key.",
        RogueKey,
        ("seed-commitments", "key-proofs"),
    ),
    _cheat(
        "zero-joint-key",
        "A seat chooses its key so that all keys cancel out.",
        ZeroJointKey,
        ("seed-commitments", "key-proofs"),
    ),
    _cheat(
        "key-without-proof",
        "A key is revealed with a proof that is none.",
        lambda: NoProof("none"),
        ("key-proofs",),
    ),
    _cheat(
        "old-key-proof-round",
        "A key is revealed with the proof of the round before.",
        lambda: NoProof("round"),
        ("key-proofs",),
    ),
    _cheat(
        "old-key-proof-table",
        "A key is revealed with a proof for another table.",
        lambda: NoProof("table"),
        ("key-proofs",),
    ),
    _cheat(
        "identity-key",
        "A seat has the key zero, committed to and proved.",
        IdentityKey,
        ("identity-check",),
    ),
    _cheat(
        "shared-key",
        "Two seats have one key together (put it on two seats): they could as well tell each other.",
        SharedKey,
    ),
    _cheat(
        "opposite-keys",
        "The keys of two seats cancel out (put it on two seats): the others still mask every card.",
        OppositeKey,
    ),
)

"""Cheats in the shuffle: cards doubled, replaced or moved, careless masks, forged and old proofs."""

from collections.abc import Callable, Sequence
from dataclasses import replace

from unop2p.deal.entropy import seeded_entropy
from unop2p.deal.group import Point, add, base_mul, mul
from unop2p.deal.masking import MaskedCard, encode_cards, remask
from unop2p.deal.proved import ProvedShuffle, prove_shuffle
from unop2p.deal.transcript import HedgedNonces
from unop2p.peer.chain import Chain
from unop2p.sim.lab.cheats import Cheat, Needs, Promise
from unop2p.sim.lab.forge import forge_any_card, forge_copies
from unop2p.sim.lab.trick import CheatChain, Trick, others_of
from unop2p.table import bodies
from unop2p.table.checks import shuffle_task
from unop2p.table.phases import Phase
from unop2p.table.work import ShuffleTask, take_shuffle

Cards = tuple[MaskedCard, ...]
Change = Callable[[Cards, Point, CheatChain], Cards]
FACTOR = 0x5EED
"""Masks what a cheat puts in; any number that hides it from a glance would do."""


def task_of(chain: CheatChain) -> ShuffleTask:
    """Return the part of the open shuffle that a chain's seat has made."""
    assert chain.seat is not None
    task = shuffle_task(chain.state, chain.seat, chain.said_now())
    assert task is not None
    return task


def inputs_of(task: ShuffleTask) -> Cards:
    """Return the first list of cards that a task shuffles."""
    if task.inputs is not None:
        return task.inputs[0]
    assert task.previous is not None
    return take_shuffle(task.previous, task.counts)[0].as_inputs()


def is_first(chain: CheatChain) -> bool:
    """Say whether the seat shuffles first, and so knows the faces of all that it shuffles."""
    return chain.state.plan.speakers[0] == chain.seat


class ChangedCards(Trick):
    """Shuffles and proves as it should, and then changes the cards."""

    def __init__(self, change: Change) -> None:
        self.change = change

    def body(self, chain: CheatChain, body: bodies.Body) -> bodies.Body:
        """Put other cards into the first list of the first shuffle."""
        if self.first_step is not None or not isinstance(body, bodies.Shuffled):
            return body
        self.tried(chain)
        assert chain.state.joint is not None
        cards = take_shuffle(body, tuple(len(part) for part in chain.state.plan.inputs))[
            0
        ].as_inputs()
        changed = encode_cards(self.change(cards, chain.state.joint, chain))
        return replace(body, parts=(replace(body.parts[0], cards=changed), *body.parts[1:]))


def duplicate(cards: Cards, joint: Point, chain: CheatChain) -> Cards:
    """Put a copy of the second card, under another mask, in place of the first."""
    del chain
    return (remask(cards[1], FACTOR, joint), *cards[1:])


def replaced(cards: Cards, joint: Point, chain: CheatChain) -> Cards:
    """Put a Wild Draw Four in place of the first card."""
    wild = chain.state.faces.point("W4")
    return (MaskedCard(base_mul(FACTOR), add(wild, mul(FACTOR, joint))), *cards[1:])


def swapped(cards: Cards, joint: Point, chain: CheatChain) -> Cards:
    """Exchange the first card with the last."""
    del joint, chain
    return (cards[-1], *cards[1:-1], cards[0])


def rotated(cards: Cards, joint: Point, chain: CheatChain) -> Cards:
    """Move every card by one place."""
    del joint, chain
    return (*cards[1:], cards[0])


def spoiled(cards: Cards, joint: Point, chain: CheatChain) -> Cards:
    """Make the first card one that opens to no face."""
    del joint, chain
    return (MaskedCard(cards[0].c1, add(cards[0].c2, base_mul(1))), *cards[1:])


def shortened(cards: Cards, joint: Point, chain: CheatChain) -> Cards:
    """Leave a card out."""
    del joint, chain
    return cards[1:]


class OwnProof(Trick):
    """Makes cards and proof of its own, for the list that it should have shuffled."""

    first_only = False

    def make(
        self, chain: CheatChain, task: ShuffleTask, cards: Cards
    ) -> tuple[bytes, bytes] | None:
        """Return outputs and proof, or None where it cannot be done here."""
        raise AssertionError

    def body(self, chain: CheatChain, body: bodies.Body) -> bodies.Body:
        """Put them into the first shuffle in which it can be done."""
        if self.first_step is not None or not isinstance(body, bodies.Shuffled):
            return body
        if self.first_only and not is_first(chain):
            return body
        task = task_of(chain)
        made = self.make(chain, task, inputs_of(task))
        if made is None:
            return body
        self.tried(chain)
        # Elsewhere than in a `proved` shuffle such a proof has no place: the false cards stay.
        proof = made[1] if task.argument == ProvedShuffle.name else body.parts[0].proof
        part = bodies.ShuffledPart(cards=made[0], proof=proof)
        return replace(body, parts=(part, *body.parts[1:]))

    def is_lost(self, chain: Chain) -> bool:
        """See whether the first deal is over, or somebody else shuffles first."""
        plan = chain.state.plan
        if self.first_only and plan.phase is Phase.SHUFFLE:
            return plan.speakers[0] not in self.seats
        return plan.phase is Phase.DEAL


class Remasked(OwnProof):
    """Masks with factors of its choice, and proves that: a lawful proof of a careless shuffle."""

    factor = 0

    def make(self, chain: CheatChain, task: ShuffleTask, cards: Cards) -> tuple[bytes, bytes]:
        """Rotate the cards by one, each masked again with the same factor."""
        order = [*range(1, len(cards)), 0]
        return proved_with(task, cards, order, [self.factor] * len(cards))


def proved_with(
    task: ShuffleTask, cards: Sequence[MaskedCard], order: list[int], factors: list[int]
) -> tuple[bytes, bytes]:
    """Return outputs and their proof for an order and factors of one's choice."""
    outputs = tuple(
        MaskedCard(
            add(cards[source].c1, base_mul(factors[source])),
            add(cards[source].c2, mul(factors[source], task.joint)),
        )
        for source in order
    )
    encoded = encode_cards(cards), encode_cards(outputs)
    nonces = HedgedNonces(b"lab", task.context, encoded[0], seeded_entropy(b"lab"))
    proof = prove_shuffle(task.context, task.joint, encoded, (outputs, order, factors), nonces)
    return encoded[1], proof.encoded()


class AlikeMasked(Remasked):
    """Who shuffles first masks all cards alike: a share of one would open all the others."""

    factor = FACTOR
    first_only = True


class ForgedCopies(OwnProof):
    """The first weak-challenge forgery: {P, P, Q} becomes {P, Q, Q}."""

    first_only = True

    def make(self, chain: CheatChain, task: ShuffleTask, cards: Cards) -> tuple[bytes, bytes]:
        """Double a Wild Draw Four at the cost of a card that is there twice."""
        return forge_copies(task, cards, [str(face) for face in chain.state.deck_faces()], "W4")


class ForgedAnyCard(OwnProof):
    """The second weak-challenge forgery: with known logarithms any card becomes a copy of another."""

    first_only = True

    def make(self, chain: CheatChain, task: ShuffleTask, cards: Cards) -> tuple[bytes, bytes]:
        """Make a Wild Draw Four of the first card."""
        return forge_any_card(task, cards, [str(face) for face in chain.state.deck_faces()], "W4")


class OldProof(Trick):
    """Proves with what proved another shuffle; `old` says which."""

    def __init__(self, old: str) -> None:
        self.old = old
        self.rounds = 2 if old == "round" else 1
        self.kept: bodies.ShuffledPart | None = None

    def body(self, chain: CheatChain, body: bodies.Body) -> bodies.Body:
        """Take a whole earlier part, or the proof of somebody else's."""
        if self.first_step is not None or not isinstance(body, bodies.Shuffled):
            return body
        part = body.parts[0]
        if self.old == "round":
            if chain.state.round_index == 0:
                self.kept = self.kept or part
            if chain.state.round_index == 0 or self.kept is None:
                return body  # it may have sat the first round out, and have nothing yet
            part = self.kept
        else:
            said = [
                held.statement.body
                for seat in others_of(chain)
                if (held := chain.open.statements.get(seat)) is not None
            ]
            shuffles = [other for other in said if isinstance(other, bodies.Shuffled)]
            if not shuffles:
                return body
            other = shuffles[-1].parts[0]
            part = replace(part, proof=other.proof) if self.old == "seat" else other
        self.tried(chain)
        return replace(body, parts=(part, *body.parts[1:]))

    def is_lost(self, chain: Chain) -> bool:
        """See whether the deal that it needs is over."""
        dealt = chain.state.plan.phase is Phase.DEAL
        return dealt and (self.old != "round" or chain.state.round_index > 0)


class OtherTableProof(OwnProof):
    """Proves its own honest shuffle, but for another table."""

    def make(self, chain: CheatChain, task: ShuffleTask, cards: Cards) -> tuple[bytes, bytes]:
        """Shuffle in another context: the proof would hold there."""
        elsewhere = replace(task, context=replace(task.context, table_id=bytes(16)))
        order = [*range(1, len(cards)), 0]
        factors = [FACTOR + index for index in range(len(cards))]
        return proved_with(elsewhere, cards, order, factors)


def _cheat(
    name: str,
    sentence: str,
    make: Callable[[], Trick],
    stopped_by: tuple[str, ...] = ("shuffle-proofs",),
    *,
    attacks: Promise = Promise.FAIR_DEAL,
    first: bool = False,
    needs: Needs = "",
) -> Cheat:
    return Cheat(
        name=name,
        family="shuffle",
        sentence=sentence,
        attacks=attacks,
        make=make,
        stopped_by=stopped_by,
        first_shuffler=first,
        needs=needs,
    )


CHEATS = (
    _cheat(
        "duplicate-card",
        "A shuffle holds a copy of one card in place of another.",
        lambda: ChangedCards(duplicate),
    ),
    _cheat(
        "replace-card",
        "A shuffle holds a Wild Draw Four in place of some card.",
        lambda: ChangedCards(replaced),
    ),
    _cheat(
        "swap-cards",
        "Two cards change places after the shuffle was proved.",
        lambda: ChangedCards(swapped),
    ),
    _cheat(
        "shift-cards",
        "All cards move by one place after the shuffle was proved.",
        lambda: ChangedCards(rotated),
    ),
    _cheat(
        "spoil-card",
        "One card comes out of a shuffle as what is no face.",
        lambda: ChangedCards(spoiled),
    ),
    _cheat(
        "short-deck",
        "A card is left out of a shuffle.",
        lambda: ChangedCards(shortened),
        (),
    ),
    _cheat(
        "remask-zero",
        "A shuffle masks with zero, so that each card can be followed, and proves it lawfully.",
        Remasked,
        ("remask-check",),
        attacks=Promise.SECRECY,
        needs="known",
    ),
    _cheat(
        "remask-alike",
        "The first shuffle masks all cards alike, so that a share of one opens the others.",
        AlikeMasked,
        ("remask-check",),
        attacks=Promise.SECRECY,
        first=True,
        needs="known",
    ),
    _cheat(
        "forge-copies",
        "Weak challenge, first forgery: a rare card is doubled, with a proof made after the weights.",
        ForgedCopies,
        ("fs-commitments",),
        first=True,
        needs="known",
    ),
    _cheat(
        "forge-any-card",
        "Weak challenge, second forgery: any card becomes any other, where logarithms are known.",
        ForgedAnyCard,
        ("fs-commitments", "hashed-faces"),
        first=True,
        needs="known",
    ),
    _cheat(
        "old-proof-round",
        "A shuffle of the round before is said again, cards and proof.",
        lambda: OldProof("round"),
    ),
    _cheat(
        "old-proof-seat",
        "A shuffle carries the proof of another seat's.",
        lambda: OldProof("seat"),
        needs="proof",
    ),
    _cheat(
        "old-shuffle-seat",
        "Another seat's shuffle is said again as one's own, cards and proof.",
        lambda: OldProof("copy"),
        ("shuffle-proofs", "remask-check"),
    ),
    _cheat(
        "old-proof-table",
        "A shuffle carries a proof that would hold at another table.",
        OtherTableProof,
    ),
)

"""Seats that sign two things: two statements, two adopts, both, in every kind of step; false accusers.

The network helps: of a contradicting seat one half of the table gets the first word, the other half
the second, and nothing that the seat relays of the step.
"""

from collections.abc import Callable
from dataclasses import replace

from unop2p.deal import keys as round_keys
from unop2p.deal.entropy import seeded_entropy
from unop2p.deal.group import POINT_BYTES
from unop2p.deal.masking import CARD_BYTES
from unop2p.log.digest import digest
from unop2p.log.messages import Adopt, Signed, Statement, close_digest
from unop2p.peer.chain import Chain
from unop2p.sim.lab.cheats import Cheat, Promise
from unop2p.sim.lab.trick import CheatChain, Trick, others_of, speaks_in, statement_of
from unop2p.sim.ring import SEALING_KEY, Network
from unop2p.table import bodies
from unop2p.table.checks import innocence_task, opening_task, shares_task, shuffle_task
from unop2p.table.phases import Phase
from unop2p.table.talk import Accuse, Tell
from unop2p.wire import codec
from unop2p.wire.sealing import Sealer

SEED = b"lab, another time".ljust(32)


def another_body(chain: CheatChain, body: bodies.Body) -> bodies.Body | None:
    """Return what the seat could say as well: mostly just as lawful; None where there is nothing."""
    assert chain.seat is not None
    state, seat, keys = chain.state, chain.seat, chain.keys
    match body:
        case bodies.Commit():
            return replace(body, digest=digest("lab", body.digest))
        case bodies.Reveal():
            assert keys is not None
            context = state.context(seat)
            entropy = seeded_entropy(SEED)
            proof = round_keys.prove_key(context, keys.secret, keys.public, entropy)
            return replace(body, proof=proof)
        case bodies.Shuffled():
            return _another_shuffle(chain, body)
        case bodies.Shares():
            assert keys is not None
            return shares_task(state, seat).make(keys, SEED)[0]
        case bodies.Innocent():
            assert keys is not None
            return innocence_task(state, seat).make(keys, SEED)
        case bodies.Guilty():
            assert keys is not None
            opening = opening_task(state, seat, (body.position,)).make(keys, SEED)
            return replace(body, opening=opening)
        case bodies.OpenedHand():
            assert keys is not None
            task = opening_task(state, seat, tuple(state.hands[seat]))
            return replace(body, opening=task.make(keys, SEED))
        case bodies.ShownSeed():
            return replace(body, seed=bytes(32))
        case bodies.Played():
            assert keys is not None
            task = opening_task(state, seat, body.positions)
            return replace(body, opening=task.make(keys, SEED))
        case bodies.Assent() if state.plan.phase is Phase.REACTION:
            assert state.round is not None
            free = [s for s in others_of(chain) if s in state.round.catchable]
            return bodies.Caught(seat=free[0]) if free else bodies.CalledUNO()
        case bodies.Caught() | bodies.CalledUNO():
            return bodies.Assent()
        case _:
            return None


def _another_shuffle(chain: CheatChain, body: bodies.Shuffled) -> bodies.Body:
    assert chain.seat is not None
    assert chain.keys is not None
    task = shuffle_task(chain.state, chain.seat, chain.said_now())
    assert task is not None
    other = task.make(chain.keys, SEED)[0]
    if other != body:
        return other
    # Where shuffles grow out of a committed seed there is one only: the second is a false one.
    part = body.parts[0]
    turned = part.cards[CARD_BYTES:] + part.cards[:CARD_BYTES]
    return replace(body, parts=(replace(part, cards=turned), *body.parts[1:]))


class TwoFaced(Trick):
    """Signs two things in a step, and shows each to one half."""

    def __init__(
        self, phase: Phase, *, statements: bool, adopts: bool, to_all: bool = False
    ) -> None:
        # Two adopts with one close that is made up fork nothing: no next step builds on an adopt.
        self.lawful = not statements
        self.to_all = to_all
        self.stacked = "guilty" if phase is Phase.ANSWER else ""
        self.phase = phase
        self.statements = statements
        self.two_adopts = adopts
        self.second: Signed | None = None
        self.halves: dict[bytes, int] = {}
        """By hash of a message, which half gets it."""
        self.words: dict[str, int] = {}

    def after(self, chain: CheatChain, statement: Signed) -> None:
        """Say a second thing."""
        due = speaks_in(chain, self.phase) and self.first_step is None
        if not due or not self.statements:
            return
        held = chain.open.statements.get(chain.seat) if chain.seat is not None else None
        assert held is not None
        assert isinstance(held.statement.body, bodies.Body)
        other = another_body(chain, held.statement.body)
        if other is None:
            return
        self.tried(chain)
        self.second = chain.desk.sign(statement_of(chain, other))
        self._show(chain, statement, self.second)

    def adopts(self, chain: CheatChain, adopt: Adopt) -> None:
        """Adopt a second close: the one with the second statement, or none that there is."""
        if not self.two_adopts or chain.state.plan.phase is not self.phase:
            return
        if self.statements:
            if self.second is None or self.first_step != chain.open.step:
                return
            assert chain.seat is not None
            hashes = {seat: held.signed.hash for seat, held in chain.open.statements.items()}
            hashes[chain.seat] = self.second.hash
            step, head, active = chain.open.step, chain.open.head, chain.open.active
            close = close_digest(step, head, active, hashes)
        elif self.first_step is None:
            self.tried(chain)
            close = digest("lab", adopt.close)
        else:
            return
        first = chain.desk.sign(adopt)
        self._show(chain, first, chain.desk.sign(replace(adopt, close=close)))

    def _show(self, chain: CheatChain, first: Signed, second: Signed) -> None:
        self.halves[first.hash] = 0
        self.halves[second.hash] = 1
        chain.desk.publish(second)

    def network(self, seats: frozenset[int]) -> Network:
        """Keep the first words from one half and the second from the other."""
        sealer = Sealer(SEALING_KEY)

        def blocked(sender: int, receiver: int, data: bytes) -> bool:
            if sender not in seats or self.first_step is None or receiver in seats:
                return False
            signed = codec.unpack(sealer.open(data))
            if self.to_all:
                return False
            half = self.halves.get(signed.hash)
            if half is None:
                return isinstance(codec.decode(signed.payload), Tell)
            return half != self.half_of(receiver, seats)

        return Network(blocked=blocked)

    def half_of(self, receiver: int, seats: frozenset[int]) -> int:
        """Return to which half an honest peer belongs."""
        return (receiver - sum(seat < receiver for seat in seats)) % 2

    def is_lost(self, chain: Chain) -> bool:
        """See whether its kind of step will not come any more."""
        if self.phase is Phase.SEEDS:
            return not chain.state.replayed
        return self.phase is not Phase.HANDS and chain.state.plan.phase is Phase.HANDS


class AdoptsWrong(Trick):
    """Says what is wrong by itself, and adopts the close that it stands in all the same."""

    def body(self, chain: CheatChain, body: bodies.Body) -> bodies.Body:
        """Give the share of the second card for the first one too, in the first deal."""
        if self.first_step is not None or not isinstance(body, bodies.Shares):
            return body
        self.tried(chain)
        share = body.data[POINT_BYTES : 2 * POINT_BYTES]
        return bodies.Shares(data=share + body.data[POINT_BYTES:])

    def after(self, chain: CheatChain, statement: Signed) -> None:
        """Adopt a close that holds it, with what the others have said until now."""
        if self.first_step != chain.open.step:
            return
        hashes = {seat: held.signed.hash for seat, held in chain.open.statements.items()}
        step, head, active = chain.open.step, chain.open.head, chain.open.active
        adopt = Adopt(
            table=chain.table.offer.table,
            step=step,
            head=head,
            attempt=0,
            close=close_digest(step, head, active, hashes),
        )
        chain.desk.publish(chain.desk.sign(adopt))


class LateWord(Trick):
    """Signs a second commitment when its step has long been settled, and shows it to all."""

    lawful = True
    """It moves nothing any more: what was settled stays."""

    def __init__(self) -> None:
        self.kept: Statement | None = None

    def after(self, chain: CheatChain, statement: Signed) -> None:
        """Remember the first, and in the first turn say the second."""
        held = chain.open.statements.get(chain.seat) if chain.seat is not None else None
        assert held is not None
        if isinstance(held.statement.body, bodies.Commit) and self.kept is None:
            self.kept = held.statement
        elif chain.state.plan.phase is Phase.TURN and self.first_step is None:
            assert self.kept is not None
            self.tried(chain)
            second = replace(self.kept, body=bodies.Commit(digest=bytes(32)))
            chain.desk.publish(chain.desk.sign(second))


class FalseAccuser(Trick):
    """Accuses an honest seat, with what proves nothing."""

    lawful = True

    def __init__(self, items: Callable[[CheatChain], tuple[Signed, ...]]) -> None:
        self.items = items

    def after(self, chain: CheatChain, statement: Signed) -> None:
        """Accuse in the first turn."""
        if chain.state.plan.phase is not Phase.TURN or self.first_step is not None:
            return
        items = self.items(chain)
        if not items:
            return
        self.tried(chain)
        accusation = Accuse(
            table=chain.table.offer.table, step=chain.open.step, reason="it lied", items=items
        )
        chain.desk.publish(chain.desk.sign(accusation))


def true_word(chain: CheatChain) -> tuple[Signed, ...]:
    """Take an honest seat's true statement of the step."""
    found = [chain.open.statements.get(seat) for seat in others_of(chain)]
    return tuple(held.signed for held in found if held is not None)[:1]


def two_true_words(chain: CheatChain) -> tuple[Signed, ...]:
    """Take two true statements of an honest seat, of two steps."""
    seat = others_of(chain)[0]
    key = chain.table.keys[seat]
    words = [
        item
        for certificate in chain.history[:2]
        for item in certificate.statements
        if item.author == key
    ]
    return tuple(words)


def forged_word(chain: CheatChain) -> tuple[Signed, ...]:
    """Make up a statement of an honest seat, with a signature that does not hold."""
    seat = others_of(chain)[0]
    payload = codec.encode(statement_of(chain, bodies.Commit(digest=bytes(32))))
    return (Signed(author=chain.table.keys[seat], signature=bytes(64), payload=payload),)


def forged_pair(chain: CheatChain) -> tuple[Signed, ...]:
    """Lay a made-up statement beside a true one."""
    return (*two_true_words(chain)[:1], *forged_word(chain))


def statement_and_adopt(chain: CheatChain) -> tuple[Signed, ...]:
    """Take a statement and an adopt of one honest seat: two words, and no contradiction."""
    key = chain.table.keys[others_of(chain)[0]]
    said = chain.history[1]
    pair = [item for item in (*said.statements, *said.adopts) if item.author == key]
    return tuple(pair) if len(pair) == 2 else ()


_PHASES = (
    Phase.COMMIT,
    Phase.REVEAL,
    Phase.SHUFFLE,
    Phase.DEAL,
    Phase.TURN,
    Phase.REACTION,
    Phase.ANSWER,
    Phase.HANDS,
    Phase.SEEDS,
)


def _two_faced(phase: Phase, *, statements: bool, adopts: bool) -> Cheat:
    kinds = {(True, False): "statements", (False, True): "adopts", (True, True): "words"}
    told = {
        "statements": "signs two statements",
        "adopts": "adopts two closes",
        "words": "signs two statements, and adopts a close with each",
    }
    kind = kinds[statements, adopts]
    return Cheat(
        name=f"two-{kind}-in-{phase}",
        family="agreement",
        sentence=f"A seat {told[kind]} in a {phase} step, one for each half of the table.",
        attacks=Promise.AGREEMENT,
        make=lambda: TwoFaced(phase, statements=statements, adopts=adopts),
        stopped_by=("contradiction-checks",) if statements else (),
        needs="replay" if phase is Phase.SEEDS else "",
    )


def _accuser(name: str, sentence: str, items: Callable[[CheatChain], tuple[Signed, ...]]) -> Cheat:
    return Cheat(
        name=name,
        family="agreement",
        sentence=sentence,
        attacks=Promise.BLAME,
        make=lambda: FalseAccuser(items),
    )


CHEATS = (
    *(_two_faced(phase, statements=True, adopts=False) for phase in _PHASES),
    *(_two_faced(phase, statements=False, adopts=True) for phase in _PHASES),
    # In a shuffle others build on one of the two, so that there is no second close to adopt.
    *(_two_faced(p, statements=True, adopts=True) for p in _PHASES if p is not Phase.SHUFFLE),
    Cheat(
        name="two-adopts-to-all",
        family="agreement",
        sentence="A seat adopts two closes of a deal step, and shows both to everybody.",
        attacks=Promise.AGREEMENT,
        make=lambda: TwoFaced(Phase.DEAL, statements=False, adopts=True, to_all=True),
    ),
    Cheat(
        name="adopts-what-is-wrong",
        family="agreement",
        sentence="A seat says a false share, and adopts a close that holds it.",
        attacks=Promise.AGREEMENT,
        make=AdoptsWrong,
        stopped_by=("share-proofs",),
    ),
    Cheat(
        name="late-word",
        family="agreement",
        sentence="A seat signs a second commitment long after its step was settled.",
        attacks=Promise.AGREEMENT,
        make=LateWord,
    ),
    _accuser("accuse-with-truth", "An honest seat is accused with a true statement.", true_word),
    _accuser(
        "accuse-with-two-truths",
        "An honest seat is accused with true statements of two steps.",
        two_true_words,
    ),
    _accuser(
        "accuse-with-statement-and-adopt",
        "An honest seat is accused with its statement and its adopt of one step.",
        statement_and_adopt,
    ),
    _accuser(
        "accuse-with-forgery",
        "An honest seat is accused with a statement that it never signed.",
        forged_word,
    ),
    _accuser(
        "accuse-with-forged-pair",
        "An honest seat is accused with a true statement and a made-up one.",
        forged_pair,
    ),
)

"""Cheats in play: cards not held, moves the rules forbid, lies when challenged, hands that hide cards."""

from collections.abc import Callable
from dataclasses import replace

from unop2p.deal.group import SCALAR_BYTES
from unop2p.ids import Seat
from unop2p.peer.chain import Chain
from unop2p.peer.pieces import OwnSecrets, move_due
from unop2p.sim.lab.cheats import Cheat, Promise
from unop2p.sim.lab.stack import ANSWERS
from unop2p.sim.lab.trick import CheatChain, Trick, others_of
from unop2p.table import bodies
from unop2p.table.checks import forbidden_faces, innocence_task, opening_task
from unop2p.table.phases import Phase


class Changed(Trick):
    """Says something else in place of a body of one kind."""

    def __init__(
        self,
        kind: type[bodies.Body],
        change: Callable[[CheatChain, bodies.Body], bodies.Body | None],
    ) -> None:
        self.stacked = ANSWERS.get(kind, "")
        self.kind = kind
        self.change = change

    def body(self, chain: CheatChain, body: bodies.Body) -> bodies.Body:
        """Change the first body that can be changed."""
        if self.first_step is not None or not isinstance(body, self.kind):
            return body
        changed = self.change(chain, body)
        if changed is None:
            return body
        self.tried(chain)
        return changed

    def is_lost(self, chain: Chain) -> bool:
        """See whether the hands are opened already: there are no more moves."""
        return self.kind is not bodies.OpenedHand and chain.state.plan.phase is Phase.HANDS


def secrets_of(chain: CheatChain) -> OwnSecrets:
    """Return what the seat makes its pieces with."""
    assert chain.keys is not None
    assert chain.own is not None
    return OwnSecrets(chain.keys, chain.own.faces, b"lab".ljust(32))


def opened(chain: CheatChain, positions: tuple[int, ...]) -> bytes:
    """Return a true opening of cards, with its proof."""
    assert chain.seat is not None
    assert chain.keys is not None
    return opening_task(chain.state, chain.seat, positions).make(chain.keys, b"lab".ljust(32))


def card_not_held(chain: CheatChain, body: bodies.Body) -> bodies.Body | None:
    """Play a card out of somebody else's hand."""
    assert isinstance(body, bodies.Played)
    for seat in others_of(chain):
        hand = chain.state.hands.get(seat)  # none for who sits the round out
        if hand:
            return replace(body, positions=(hand[0],) * len(body.positions))
    return None


def other_face(chain: CheatChain, body: bodies.Body) -> bodies.Body | None:
    """Say another face than the card's own, one that fits as well."""
    assert isinstance(body, bodies.Played)
    round_ = chain.state.round
    assert round_ is not None
    shown = body.cards[0]
    for face in chain.state.deck_faces():
        if face != shown and not face.is_wild and round_.matches(face):
            return replace(body, cards=(face,) * len(body.cards), color=None, target=None)
    return None


def position_twice(_chain: CheatChain, body: bodies.Body) -> bodies.Body:
    """Play one card as two."""
    assert isinstance(body, bodies.Played)
    return replace(body, positions=body.positions * 2, cards=body.cards * 2)


def no_such_seat(_chain: CheatChain, body: bodies.Body) -> bodies.Body:
    """Name a seat that is not at the table."""
    assert isinstance(body, bodies.Played)
    return replace(body, target=Seat(77))


def against_the_rules(chain: CheatChain, body: bodies.Body) -> bodies.Body | None:
    """Play a card that does not fit, and open it truly."""
    assert isinstance(body, bodies.Played)
    assert chain.own is not None
    assert chain.seat is not None
    round_ = chain.state.round
    assert round_ is not None
    if chain.state.drawn is not None:
        return None
    for position, face in chain.own.faces.items():
        if not face.is_wild and not round_.matches(face):
            play = bodies.Played(cards=(face,), positions=(position,), opening=b"")
            return opened_play_of(chain, play)
    return None


def opened_play_of(chain: CheatChain, play: bodies.Played) -> bodies.Body:
    """Return a play with its opening."""
    assert chain.seat is not None
    piece = move_due(chain.state, chain.seat, play, secrets_of(chain))
    assert piece is not None
    return piece()[0]


def pass_undrawn(chain: CheatChain, _body: bodies.Body) -> bodies.Body | None:
    """Pass without drawing."""
    return bodies.Kept() if chain.state.drawn is None else None


def speaks_for_another(chain: CheatChain, _body: bodies.Body) -> bodies.Body | None:
    """Draw while it is somebody else's turn."""
    return bodies.Drew() if chain.state.plan.phase is Phase.TURN else None


def move_for_a_piece(_chain: CheatChain, _body: bodies.Body) -> bodies.Body:
    """Say a move where a key is due."""
    return bodies.Drew()


def assent_for_a_piece(_chain: CheatChain, _body: bodies.Body) -> bodies.Body:
    """Say assent where shares are due."""
    return bodies.Assent()


def catch_nobody(chain: CheatChain, _body: bodies.Body) -> bodies.Body | None:
    """Call out a seat that has forgotten nothing."""
    round_ = chain.state.round
    if round_ is None or chain.state.plan.phase is not Phase.REACTION:
        return None
    innocent = [seat for seat in others_of(chain) if seat not in round_.catchable]
    return bodies.Caught(seat=innocent[0]) if innocent else None


# -- challenges --------------------------------------------------------------------------------


def lie_innocent(chain: CheatChain, _body: bodies.Body) -> bodies.Body:
    """Claim innocence, with a proof of the right size in which nothing holds."""
    assert chain.seat is not None
    task = innocence_task(chain.state, chain.seat)
    size = 2 * SCALAR_BYTES * len(task.residuals) * len(task.allowed)
    return bodies.Innocent(proof=bytes(size))


def show_harmless(chain: CheatChain, _body: bodies.Body) -> bodies.Body | None:
    """Show a card that is not forbidden, and call that guilt."""
    assert chain.own is not None
    forbidden = forbidden_faces(chain.state)
    for position in chain.state.plan.positions:
        if chain.own.faces[position] not in forbidden:
            return bodies.Guilty(position=position, opening=opened(chain, (position,)))
    return None


def show_elsewhere(chain: CheatChain, _body: bodies.Body) -> bodies.Body | None:
    """Show a card that is not in the hand in question."""
    state = chain.state
    position = state.pile[-1]
    return bodies.Guilty(position=position, opening=bytes(32 + 64))


# -- hands -------------------------------------------------------------------------------------


def hide_card(chain: CheatChain, _body: bodies.Body) -> bodies.Body | None:
    """Open one card less than the hand has."""
    assert chain.seat is not None
    hand = tuple(chain.state.hands[chain.seat])
    return bodies.OpenedHand(opening=opened(chain, hand[1:])) if len(hand) > 1 else None


def false_hand(_chain: CheatChain, body: bodies.Body) -> bodies.Body | None:
    """Open the first card with the share of the second."""
    assert isinstance(body, bodies.OpenedHand)
    data = body.opening
    return replace(body, opening=data[32:64] + data[32:]) if len(data) > 32 * 3 else None


def _cheat(
    name: str,
    sentence: str,
    kind: type[bodies.Body],
    change: Callable[[CheatChain, bodies.Body], bodies.Body | None],
    stopped_by: tuple[str, ...] = (),
) -> Cheat:
    return Cheat(
        name=name,
        family="play",
        sentence=sentence,
        attacks=Promise.BLAME,
        make=lambda: Changed(kind, change),
        stopped_by=stopped_by,
    )


CHEATS = (
    _cheat("card-not-held", "A card out of another hand is played.", bodies.Played, card_not_held),
    _cheat(
        "other-face",
        "A card is played as another than it is.",
        bodies.Played,
        other_face,
        ("opening-checks",),
    ),
    _cheat("position-twice", "One card is played as two.", bodies.Played, position_twice),
    _cheat("no-such-seat", "A play names a seat that is not there.", bodies.Played, no_such_seat),
    _cheat(
        "card-that-does-not-fit",
        "A card is played that does not fit.",
        bodies.Played,
        against_the_rules,
        ("rule-checks",),
    ),
    _cheat(
        "pass-without-drawing",
        "A seat passes without having drawn.",
        bodies.Drew,
        pass_undrawn,
        ("rule-checks",),
    ),
    _cheat("out-of-turn", "A seat draws in another's turn.", bodies.Assent, speaks_for_another),
    _cheat(
        "move-for-a-piece", "A move is said where a key is due.", bodies.Reveal, move_for_a_piece
    ),
    _cheat(
        "assent-for-a-piece",
        "Assent is said where shares are due.",
        bodies.Shares,
        assent_for_a_piece,
    ),
    _cheat(
        "catch-nobody",
        "A seat is called out that has forgotten nothing.",
        bodies.Caught,
        catch_nobody,
        ("rule-checks",),
    ),
    _cheat(
        "lie-innocent",
        "The accused of a challenge claims innocence with a false proof.",
        bodies.Guilty,
        lie_innocent,
        ("hand-proofs",),
    ),
    _cheat(
        "guilty-by-another-card",
        "The accused shows a card that is not forbidden.",
        bodies.Innocent,
        show_harmless,
    ),
    _cheat(
        "guilty-by-a-card-elsewhere",
        "The accused shows a card that was not in the hand.",
        bodies.Guilty,
        show_elsewhere,
    ),
    _cheat("hide-card", "A hand is opened without one of its cards.", bodies.OpenedHand, hide_card),
    _cheat(
        "false-hand",
        "A hand is opened with a false share.",
        bodies.OpenedHand,
        false_hand,
        (),
    ),
)

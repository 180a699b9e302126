"""A seat's own cards: the faces that it alone can read, and its moves as bodies."""

from dataclasses import dataclass, field, replace

from unop2p.deal.group import mul
from unop2p.deal.masking import open_card
from unop2p.deal.secret import Secret
from unop2p.errors import ProofError
from unop2p.ids import Seat
from unop2p.rules.cards import Face
from unop2p.rules.moves import (
    Accept,
    CallUNO,
    Catch,
    Challenge,
    Draw,
    Move,
    NameColor,
    Pass,
    Play,
)
from unop2p.rules.view import PlayerView
from unop2p.table import bodies, notices
from unop2p.table.phases import Phase
from unop2p.table.replay import surplus
from unop2p.table.state import TableState
from unop2p.words import said


@dataclass(slots=True)
class OwnHand:
    """The faces of the cards that were dealt to us."""

    seat: Seat
    secret: Secret = field(repr=False)
    faces: dict[int, Face] = field(default_factory=dict, repr=False)
    unreadable: set[int] = field(default_factory=set)
    """Cards of ours that are no face, where shuffles are not proved at once."""

    def update(
        self, state: TableState, told: tuple[notices.Notice, ...]
    ) -> tuple[notices.Notice, ...]:
        """Read the cards that have come, and say in our own notices which they are.

        Raises:
            ProofError: a card of ours opens to no face.
        """
        hand = state.hands.get(self.seat, [])
        self.unreadable &= set(hand)
        fresh = [p for p in hand if p not in self.faces and p not in self.unreadable]
        for position in fresh:
            face = self._read(state, position)
            if face is None:
                self.unreadable.add(position)
            else:
                self.faces[position] = face
        self.faces = {p: self.faces[p] for p in hand if p in self.faces}
        return tuple(
            replace(
                notice,
                faces=tuple(self.faces[p] for p in hand[-notice.count :] if p in self.faces),
            )
            if isinstance(notice, notices.CardsDrawn)
            and notice.seat == self.seat
            and notice.count == len(fresh)
            else notice
            for notice in told
        )

    def doubtful(self, state: TableState) -> tuple[int, ...]:
        """Return cards of ours that cannot be: no faces, or with all that is seen too many of one.

        Of a table whose shuffles are proved at once there are none.
        """
        if not state.replayed or state.round is None:
            return ()
        if self.unreadable:
            return (min(self.unreadable),)
        face = surplus((*state.seen(tuple(self.faces)), *self.faces.values()), state.deck_faces())
        return tuple(position for position, held in self.faces.items() if held == face)

    def _read(self, state: TableState, position: int) -> Face | None:
        card = state.cards[position]
        own = mul(self.secret.expose(), card.c1)
        shares = (*state.residual_shares(position, self.seat), own)
        label = state.faces.find(open_card(card, shares))
        if label is None and state.replayed:
            return None
        if label is None:
            message = said("our own card {position} opens to no face", position=position)
            raise ProofError(message)
        return Face(label)

    def hand(self, state: TableState) -> tuple[Face, ...]:
        """Return our hand, in the order in which the cards came."""
        hand = state.hands.get(self.seat, [])
        return tuple(self.faces[position] for position in hand if position in self.faces)

    def player_view(self, state: TableState) -> PlayerView | None:
        """Return all that we may see, or None outside a round."""
        if state.round is None or state.match is None or self.seat not in state.round.players:
            return None
        if self.unreadable:
            return None  # the round is about to be void
        drawn = self.faces.get(state.drawn) if state.drawn is not None else None
        return PlayerView(
            round=state.round,
            match=state.match,
            seat=self.seat,
            hand=self.hand(state),
            drawn=drawn if state.round.turn == self.seat else None,
        )

    def positions_of(self, state: TableState, cards: tuple[Face, ...]) -> tuple[int, ...]:
        """Return where these faces lie in our hand, the drawn card first where it must be."""
        left = list(state.hands[self.seat])
        found: list[int] = []
        if state.drawn is not None and state.plan.phase is Phase.TURN:
            found.append(state.drawn)
            left.remove(state.drawn)
        for face in cards[len(found) :]:
            position = next(position for position in left if self.faces[position] == face)
            left.remove(position)
            found.append(position)
        return tuple(found)


def body_for_move(own: OwnHand, state: TableState, move: Move) -> bodies.Body:
    """Return a move as the body of a statement; a play's opening is still to be made."""
    match move:
        case Play():
            return bodies.Played(
                cards=move.cards,
                positions=own.positions_of(state, move.cards),
                opening=b"",
                color=move.color,
                target=move.target,
                uno=move.uno,
            )
        case Draw():
            return bodies.Drew()
        case Pass():
            return bodies.Kept()
        case CallUNO():
            return bodies.CalledUNO()
        case Catch(seat=seat):
            return bodies.Caught(seat=seat)
        case Challenge():
            return bodies.Challenged()
        case Accept():
            return bodies.Accepted()
        case NameColor(color=color):
            return bodies.NamedColor(color=color)

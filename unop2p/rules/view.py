"""All that one player may see: what bots and clients decide on."""

from dataclasses import dataclass

from unop2p.ids import Seat
from unop2p.rules.cards import Face
from unop2p.rules.legal import legal_moves, refusal
from unop2p.rules.match import Match
from unop2p.rules.moves import Move
from unop2p.rules.position import Round


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerView:
    """The public state and one's own hand."""

    round: Round
    match: Match
    seat: Seat
    hand: tuple[Face, ...]
    """In the order in which the cards came."""
    drawn: Face | None = None
    """The card just drawn, while it alone may be played."""

    def legal(self) -> tuple[Move, ...]:
        """Return every move that this player may make now; empty where only waiting is left."""
        return legal_moves(self.round, self.seat, self.hand, drawn=self.drawn)

    def refusal(self, move: Move) -> str | None:
        """Return why a move is refused, in a sentence; None if it is legal."""
        return refusal(self.round, self.seat, move, self.hand, self.drawn)

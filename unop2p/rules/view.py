"""All that one player may see: what bots get, and what a screen shows."""

from dataclasses import dataclass

from unop2p.ids import Seat
from unop2p.rules.cards import Face
from unop2p.rules.legal import legal_moves, refusal
from unop2p.rules.match import Match
from unop2p.rules.moves import Move
from unop2p.rules.round import Round


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerView:
    """One seat's knowledge. Nothing in it is hidden from that seat, and nothing is beyond it."""

    round: Round
    match: Match
    seat: Seat
    hand: tuple[Face, ...]
    drawn: Face | None
    """The card just drawn, while it alone may be played."""

    def legal(self) -> tuple[Move, ...]:
        """Return every lawful move of this seat now."""
        return legal_moves(self.round, self.seat, self.hand, drawn=self.drawn)

    def refusal(self, move: Move) -> str | None:
        """Return why a move is refused, or None."""
        return refusal(self.round, self.seat, move, self.hand, self.drawn)

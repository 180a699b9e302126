"""One round: its public state and all that is asked of it, gathered from the parts."""

from unop2p.rules.consequences import winning_reaction
from unop2p.rules.due import RoundOutcome, Termination
from unop2p.rules.legal import (
    forced_move,
    is_lawful,
    legal_moves,
    refusal,
    sleeping_move,
)
from unop2p.rules.match import start_round
from unop2p.rules.position import Attack, Round, TurnPhase
from unop2p.rules.transition import advance

__all__ = [
    "Attack",
    "Round",
    "RoundOutcome",
    "Termination",
    "TurnPhase",
    "advance",
    "forced_move",
    "is_lawful",
    "legal_moves",
    "refusal",
    "sleeping_move",
    "start_round",
    "winning_reaction",
]

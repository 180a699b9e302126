"""What a player asks of its own peer. A refused command raises `LocalError`; nothing is signed."""

from dataclasses import dataclass

from unop2p.rules.moves import Move


@dataclass(frozen=True, slots=True, kw_only=True)
class MakeMove:
    """Say a move in the step that is open: one's own turn, or a reaction."""

    move: Move


@dataclass(frozen=True, slots=True, kw_only=True)
class Say:
    """Chat. Not part of the chain."""

    text: str
    """At most `Limits.chat_characters_max` characters, one line."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Begin:
    """Close the lobby and begin with who is there (the opener alone may)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SetReady:
    """Say in the lobby whether one wants to begin."""

    ready: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class LeaveTable:
    """Leave for good: the hand is opened, and the others play on."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GiveUpRound:
    """Let a round be void that cannot go on with those who are there."""


Command = MakeMove | Say | Begin | SetReady | LeaveTable | GiveUpRound

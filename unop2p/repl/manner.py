"""How a person wants a screen to be, beside what it shows."""

from collections.abc import Callable
from dataclasses import dataclass, field

from prompt_toolkit.history import History
from prompt_toolkit.output import ColorDepth

from unop2p.repl.signals import Signals
from unop2p.repl.terminal import Symbols


def _silent() -> Signals:
    return Signals(bell=False, title=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Manner:
    """What a screen does as its person likes it."""

    depth: ColorDepth | None = None
    """How many colors; None: as the terminal has."""
    signs: Symbols | None = None
    """What is drawn with; None: what the terminal has."""
    signals: Signals = field(default_factory=_silent)
    """Rings, and sets the window's title."""
    history: History | None = None
    """What was typed before; None: nothing, and nothing is kept."""
    arrange: Callable[[str], str] = str
    """Makes a line for the terminal out of a line as it is read."""
    invitation: tuple[str, ...] = ()
    """Stands in the lobby that is drawn, which hides what was printed before it."""
    code: str = ""
    """What a QR code there says; empty: none is drawn."""

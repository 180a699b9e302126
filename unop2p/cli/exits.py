"""How every command ends: with an exit code of its own, and one sentence where something is wrong."""

import sys
from collections.abc import Callable

import typer

from unop2p.errors import Unop2pError

INTERRUPTED_EXIT_CODE = 130


def leave(work: Callable[[], int]) -> None:
    """Run work that returns an exit code; turn our errors into a sentence and a code of their own."""
    try:
        code = work()
    except KeyboardInterrupt:
        sys.stderr.write("\nunop2p: interrupted.\n")
        raise typer.Exit(INTERRUPTED_EXIT_CODE) from None
    except (Unop2pError, BaseExceptionGroup) as raised:
        error: BaseException = raised
        while isinstance(error, BaseExceptionGroup):
            error = error.exceptions[0]
        if not isinstance(error, Unop2pError):
            raise
        sys.stderr.write(f"unop2p: {error.sentence()}\n")
        raise typer.Exit(error.exit_code) from None
    raise typer.Exit(code)

"""The error tree. The docstring of a class is the sentence that the user reads.

Three branches, after h11's local and remote errors: `LocalError` (you asked for what is not allowed;
nothing was signed), `RemoteError` (a peer broke the protocol), `EdgeError` (broker, disk, configuration).
"""


class Unop2pError(Exception):
    """Something went wrong."""

    exit_code = 1

    def sentence(self) -> str:
        """Return what a person should read: the class's sentence, then the detail."""
        lead = " ".join((type(self).__doc__ or "").split())
        detail = str(self)
        if lead.endswith(".") and detail.partition(" ")[0].isalpha():
            # A word begins the next sentence; an address or a file is written as it is.
            detail = detail[:1].upper() + detail[1:]
        return f"{lead} {detail}".strip() if detail else lead


class LocalError(Unop2pError):
    """That is not allowed."""


class IllegalMoveError(LocalError):
    """That move is against the rules."""


class InvalidNotationError(LocalError):
    """That is not a card or a move."""


class InvalidOptionsError(LocalError):
    """These rules cannot be played."""

    exit_code = 2


class RemoteError(Unop2pError):
    """A peer broke the protocol."""


class ProofError(RemoteError):
    """A proof does not hold."""


class MalformedError(RemoteError):
    """A message cannot be read."""


class EdgeError(Unop2pError):
    """The world outside did not answer as it should."""

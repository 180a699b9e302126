"""The error tree. The docstring of a class is the sentence that the user reads.

Three branches, after h11's local and remote errors: `LocalError` (you asked for what is not allowed;
nothing was signed), `RemoteError` (a peer broke the protocol), `EdgeError` (broker, disk, configuration).
"""

from unop2p.words import ENGLISH, Words, joined, said


class Unop2pError(Exception):
    """Something went wrong."""

    exit_code = 1

    def detail(self) -> str:
        """Return what is said beside the class's sentence, as it was given: it may be a `Said`."""
        given = self.args[0] if len(self.args) == 1 else str(self)
        return given if isinstance(given, str) else str(given)

    def sentence(self, words: Words = ENGLISH) -> str:
        """Return what a person should read: the class's sentence, then the detail.

        Args:
            words: the language to say it in. What is said in English is a `Said`, for others later.
        """
        text = joined(said(" ".join((type(self).__doc__ or "").split())), self.detail())
        return text if words is ENGLISH else words.tell(text)


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

"""Shuffle arguments by name: those that come with the game, and classes of one's own."""

import importlib
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from unop2p.deal.entropy import seeded_entropy
from unop2p.deal.group import base_mul, hash_to_point
from unop2p.deal.masking import VerifiedDeck, remask, trivial_cards
from unop2p.deal.shuffle import ShuffleArgument
from unop2p.deal.transcript import ProofContext
from unop2p.edge.errors import EXIT_USAGE
from unop2p.errors import EdgeError, RemoteError
from unop2p.table.genesis import check_argument_name
from unop2p.table.work import ARGUMENTS
from unop2p.words import said

_TRIAL_CARDS = 4


class DealError(EdgeError):
    """That is no way to deal: write `proved`, `commit-reveal`, or `package.module:Class`."""

    exit_code = EXIT_USAGE


def load_argument(text: str) -> str:
    """Make a shuffle argument known to this program, and return its name.

    A class is imported from where Python finds packages, or from the current folder; it is made
    without arguments. Nothing is ever loaded because a table names it: only our own player's word
    counts.

    Args:
        text: the name of a known one, or `package.module:Class`.

    Raises:
        DealError: there is none, or it cannot shuffle a few cards and take its own proof back.
    """
    if text in ARGUMENTS:
        return text
    module_name, colon, class_name = text.partition(":")
    if not colon or not module_name or not class_name:
        message = said("There is no `{text}`.", text=_shown(text))
        raise DealError(message)
    argument = _made(text, module_name, class_name)
    try:
        given: object = argument.name
    except Exception:  # noqa: BLE001  # a property of the author's own may raise anything
        given = None
    name = given if isinstance(given, str) else ""
    try:
        check_argument_name(name)
    except RemoteError as error:
        message = said("`{text}` has no `name` that a table could write.", text=_shown(text))
        raise DealError(message) from error
    known = ARGUMENTS.get(name)
    if known is not None and type(known) is not type(argument):
        message = said(
            "`{text}` calls itself `{name}`, and there is another of that name.",
            text=_shown(text),
            name=name,
        )
        raise DealError(message)
    _try(text, argument)
    ARGUMENTS[name] = argument
    return name


def _shown(text: str) -> str:
    return "".join(character for character in text[:80] if character.isprintable())


@contextmanager
def _current_folder() -> Iterator[None]:
    """Look for packages in the current folder too, after all others, as `python -m` does."""
    folder = str(Path.cwd())
    sys.path.append(folder)
    try:
        yield
    finally:
        sys.path.remove(folder)


def _made(text: str, module_name: str, class_name: str) -> ShuffleArgument:
    """Import a class, and make one of it.

    Raises:
        DealError: it is not there, or cannot be made.
    """
    with _current_folder():
        try:
            found = getattr(importlib.import_module(module_name), class_name, None)
        except (Exception, SystemExit) as error:  # whatever the author's own code does
            message = said(
                "`{text}` cannot be imported: {error}.", text=_shown(text), error=_fault(error)
            )
            raise DealError(message) from error
    if not isinstance(found, type):
        message = said(
            "`{module_name}` has no class `{class_name}`.",
            module_name=_shown(module_name),
            class_name=_shown(class_name),
        )
        raise DealError(message)
    methods = ("shuffle", "verify")
    if not all(callable(getattr(found, method, None)) for method in methods):
        message = said(
            "`{text}` does not have the methods `shuffle` and `verify`.", text=_shown(text)
        )
        raise DealError(message)
    try:
        made: ShuffleArgument = found()
    except (Exception, SystemExit) as error:  # as above
        message = said(
            "`{text}` cannot be made without arguments: {error}.",
            text=_shown(text),
            error=_fault(error),
        )
        raise DealError(message) from error
    return made


def _fault(error: BaseException) -> str:
    """Return what went wrong in code that is not ours, in one line."""
    words = " ".join(str(error).split())
    return f"{type(error).__name__}, {words}" if words else type(error).__name__


def _try(text: str, argument: ShuffleArgument) -> None:
    """Shuffle a few cards, and check it.

    Raises:
        DealError: the argument does not take back what it has made itself.
    """
    joint = base_mul(2)
    faces = [hash_to_point("face", b"trial %d" % index) for index in range(_TRIAL_CARDS)]
    cards = [
        remask(card, 3 + index, joint) for index, card in enumerate(trivial_cards(faces, joint))
    ]
    context = ProofContext(
        table_id=bytes(16),
        round_index=0,
        step=0,
        head=bytes(32),
        author=bytes(32),
        joint_key=joint.encoded,
    )
    try:
        outputs, proof = argument.shuffle(context, joint, cards, seeded_entropy(b"trial"))
        taken = argument.verify(context, joint, cards, outputs, proof)
    except (Exception, SystemExit) as error:  # as above
        message = said(
            "`{text}` fails at {trial_cards} cards: {error}.",
            text=_shown(text),
            trial_cards=_TRIAL_CARDS,
            error=_fault(error),
        )
        raise DealError(message) from error
    if not isinstance(taken, VerifiedDeck) or len(taken) != _TRIAL_CARDS:
        message = said("`{text}` does not return the cards as `VerifiedDeck`.", text=_shown(text))
        raise DealError(message)

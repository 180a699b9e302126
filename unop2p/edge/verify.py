"""The record so far, replayed by the audit in a process of its own, while the table goes on.

A process and not a thread: the audit computes without a pause, and what is typed must not wait for it.
`python -m unop2p.edge.verify` is that process: it reads a record from its input, and writes what was
found.
"""

import asyncio
import json
import os
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from unop2p.edge.arguments import load_argument
from unop2p.errors import EdgeError
from unop2p.log.evidence import Evidence
from unop2p.log.messages import Signed
from unop2p.log.steps import Certificate
from unop2p.peer.core import Peer
from unop2p.peer.forks import Fork
from unop2p.table.work import ARGUMENTS
from unop2p.wire.record import evidence_line, fork_line, genesis_line, step_line

if TYPE_CHECKING:
    from unop2p.wire.audit import AuditReport

NICER = 5
"""So much the process steps back for the table's own work, where the system knows that."""
_OURS = "unop2p."
"""Where the shuffle arguments live that need not be loaded."""


class NothingToVerifyError(EdgeError):
    """There is nothing to check yet: the table has not begun."""


class VerifyFailedError(EdgeError):
    """The record could not be checked beside the game: leave, and use `unop2p audit` on a record."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Verified:
    """What came of it."""

    finding: str
    """Of the audit: `complete`, `incomplete`, `fault` or `broken`."""
    reason: str
    step: int
    author: str
    statements: int
    signatures: int
    rounds: int
    head: str
    """The last head, in hex."""


def _short(report: "AuditReport") -> Verified:
    return Verified(
        finding=report.finding.value,
        reason=report.reason,
        step=report.step,
        author=report.author,
        statements=report.statements,
        signatures=report.signatures,
        rounds=len(report.rounds),
        head=report.head.hex(),
    )


def _lines(
    genesis: Signed,
    certificates: Sequence[Certificate],
    fault: Evidence | None,
    forks: Sequence[Fork] = (),
) -> bytes:
    """Return the record that a peer holds, as its file would have it, without what is void."""
    lines, done = [genesis_line(genesis)], 0
    for fork in forks:
        lines += [step_line(one) for one in certificates[done : fork.void.step]]
        lines.append(fork_line(fork.void.step, fork.step.signed_items()))
        done = fork.void.step
    lines += [step_line(one) for one in certificates[done:]]
    if fault is not None:
        lines.append(evidence_line(fault))
    return b"".join(line + b"\n" for line in lines)


def _argument(name: str) -> str:
    """Return how another process loads a shuffle argument; empty where it comes with the game."""
    made = type(ARGUMENTS[name])
    if made.__module__.startswith(_OURS):
        return ""
    return f"{made.__module__}:{made.__qualname__}"


def _start(argument: str) -> "subprocess.Popen[bytes]":
    """Start the process. Not by the event loop: the one that MQTT needs on Windows cannot."""
    words = [argument] if argument else []
    return subprocess.Popen(  # noqa: S603  # ourselves
        [sys.executable, "-m", "unop2p.edge.verify", *words],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )


async def verify(peer: Peer) -> Verified:
    """Check all that a peer holds of its table, from nothing.

    Raises:
        NothingToVerifyError: the table has not begun.
        VerifyFailedError: the other process could not do it.
    """
    chain = peer.chain
    if chain is None:
        raise NothingToVerifyError
    genesis, history, fault = chain.table.genesis, tuple(chain.history), chain.fault
    forks = tuple(chain.forks.found)
    argument = _argument(chain.table.offer.argument)
    loop = asyncio.get_running_loop()
    data = await loop.run_in_executor(None, _lines, genesis, history, fault, forks)
    try:
        process = await loop.run_in_executor(None, _start, argument)
    except OSError as error:
        raise VerifyFailedError(str(error)) from error
    try:
        out, _ = await loop.run_in_executor(None, process.communicate, data)
    except BaseException:
        process.kill()
        raise
    try:
        found: dict[str, Any] = json.loads(out)
        return Verified(**found)
    except (ValueError, TypeError) as error:
        raise VerifyFailedError from error


def main(words: Sequence[str]) -> None:
    """Audit what is on the standard input, and write what was found to the standard output."""
    from unop2p.wire.audit import audit  # noqa: PLC0415  # the game itself starts without it

    if hasattr(os, "nice"):
        os.nice(NICER)
    for word in words:
        load_argument(word)
    report = audit(sys.stdin.buffer)
    sys.stdout.write(json.dumps(asdict(_short(report))))


if __name__ == "__main__":
    main(sys.argv[1:])

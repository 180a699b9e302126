"""`unop2p audit`: what a record proves, for people and as JSON."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from unop2p.edge.arguments import load_argument
from unop2p.edge.errors import EXIT_FOLDER
from unop2p.errors import EdgeError, LocalError
from unop2p.log.digest import fingerprint
from unop2p.wire.audit import AuditReport, Finding, audit
from unop2p.wire.record import LINE_BYTES_MAX
from unop2p.words import said

EXIT_CODES = {
    Finding.COMPLETE: 0,
    Finding.INCOMPLETE: 40,
    Finding.BROKEN: 41,
    Finding.FAULT: 42,
}
UNEXPECTED_EXIT_CODE = 43


class RecordUnreadableError(EdgeError):
    """The record cannot be read: check the file's name, and that it is a file you may read."""

    exit_code = EXIT_FOLDER


class ExpectFileError(LocalError):
    """The file of known peers cannot be read: it is JSON, `{"peers": {"name": "key in hex"}}`."""

    exit_code = 2


def run(file: Path, expect: Path | None, deal: str | None, *, as_json: bool) -> int:
    """Audit a file, and return the exit code.

    Args:
        file: the record.
        expect: known peers.
        deal: a shuffle argument of our own that the table may have been dealt with.
        as_json: print one JSON object.

    Raises:
        DealError: the shuffle argument cannot be loaded.
        RecordUnreadableError: it cannot be read.
        ExpectFileError: the file of known peers cannot be read.
    """
    if deal is not None:
        load_argument(deal)
    known = _known(expect) if expect is not None else None
    try:
        with file.open("rb") as record:
            report = audit(record_lines(record))
    except OSError as error:
        message = said("{file}: {strerror}.", file=file, strerror=error.strerror or error)
        raise RecordUnreadableError(message) from error
    strangers = _strangers(report, known)
    code = EXIT_CODES[report.finding]
    if code == 0 and strangers:
        code = UNEXPECTED_EXIT_CODE
    text = _json(report, strangers, known) if as_json else _text(report, strangers, known)
    print(text)  # noqa: T201  # the command's result
    return code


def record_lines(record: BinaryIO) -> Iterator[bytes]:
    """Yield lines; of one that is too long only as much as shows it, so that memory is bounded."""
    while line := record.readline(LINE_BYTES_MAX + 2):
        yield line


def _known(path: Path) -> dict[str, str]:
    try:
        with path.open("rb") as file:
            peers = json.loads(file.read(LINE_BYTES_MAX))["peers"]  # cut off, it is no JSON
        items = list(peers.items())
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        message = said("{path}.", path=path)
        raise ExpectFileError(message) from error
    return {str(name): str(key) for name, key in items}


def _strangers(report: AuditReport, known: dict[str, str] | None) -> list[str]:
    """Return the seats whose key is not among the known ones, or known under another name."""
    if known is None:
        return []
    return [
        name
        for name, key in zip(report.names, report.keys, strict=True)
        if known.get(name.casefold(), known.get(name)) != key.hex()
    ]


def _json(report: AuditReport, strangers: list[str], known: dict[str, str] | None) -> str:
    return json.dumps(
        {
            "finding": report.finding.value,
            "reason": report.reason,
            "line": report.line,
            "step": report.step,
            "author": report.author,
            "seats": [
                {"name": name, "bot": bot, "key": key.hex(), "fingerprint": fingerprint(key)}
                for name, bot, key in zip(report.names, report.bots, report.keys, strict=True)
            ],
            "rounds": len(report.rounds),
            "totals": list(report.totals),
            "winners": [report.names[seat] for seat in report.winners],
            "head": report.head.hex(),
            "signatures": report.signatures,
            "statements": report.statements,
            "unexpected": strangers if known is not None else None,
        }
    )


def _text(report: AuditReport, strangers: list[str], known: dict[str, str] | None) -> str:
    lines: list[str] = []
    for name, bot, key in zip(report.names, report.bots, report.keys, strict=True):
        lines.append(f"seat   {name}{' (bot)' if bot else ''}  {fingerprint(key)}")
    if report.names:
        lines.append(
            "       These are keys. Whose they are, the record cannot know: compare fingerprints."
        )
    for number, outcome in enumerate(report.rounds, 1):
        who = report.names[outcome.winner] if outcome.winner is not None else "nobody"
        gained = ", ".join(map(str, outcome.points))
        lines.append(f"round  {number}: {who} went out; points {gained}")
    if report.totals:
        totals = zip(report.names, report.totals, strict=True)
        lines.append("total  " + ", ".join(f"{name} {total}" for name, total in totals))
    if report.names:
        lines.append(
            f"check  {report.statements} statements and {report.signatures} signatures, with all "
            f"their proofs; last head {report.head.hex()[:16]}"
        )
    match report.finding:
        case Finding.COMPLETE:
            winners = " and ".join(report.names[seat] for seat in report.winners)
            lines.append(f"ok     Everything holds. {winners} won the match.")
        case Finding.INCOMPLETE:
            until = f"Everything up to line {report.line} holds. " if report.line else ""
            lines.append(f"incomplete  {until}{report.reason}")
        case Finding.FAULT:
            lines.append(
                f"fault  {report.author} broke the protocol at step {report.step}: {report.reason}"
            )
        case Finding.BROKEN:
            step = f", step {report.step}" if report.names else ""
            who = f", {report.author}" if report.author else ""
            lines.append(f"broken  Line {report.line}{step}{who}: {report.reason}")
    if strangers:
        lines.append(f"unexpected  Not the keys you know: {', '.join(strangers)}")
    elif known is not None:
        lines.append("known  Every key is one that you know.")
    return "\n".join(lines)

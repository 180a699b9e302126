"""The record: the public history of a table, one JSON object a line, in one canonical form.

The first line is the genesis; then a line for each settled step, with its statements and the adopts that
settled it; and, where a fault was proved, the evidence. A line that does not re-encode to its own bytes
is refused.
"""

import json
from dataclasses import dataclass
from typing import Annotated, Literal

from pydantic import ConfigDict, Field, TypeAdapter
from pydantic_core import from_json

from unop2p.errors import MalformedError
from unop2p.log.evidence import Evidence
from unop2p.log.messages import Signed
from unop2p.log.steps import Certificate
from unop2p.wire import codec

RECORD_VERSION = 1
LINE_BYTES_MAX = 8 * 1024 * 1024
"""Ten statements and ten adopts of the largest size that goes over the wire, with room to spare."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordedMessage:
    """A signed message, its payload as readable text."""

    author: bytes
    signature: bytes
    payload: str


@dataclass(frozen=True, slots=True, kw_only=True)
class GenesisLine:
    """The first line."""

    version: int
    genesis: RecordedMessage
    kind: Literal["genesis"] = "genesis"


@dataclass(frozen=True, slots=True, kw_only=True)
class StepLine:
    """One settled step."""

    step: int
    statements: tuple[RecordedMessage, ...]
    """By rising seat; an active seat without one was left out."""
    tries: tuple[RecordedMessage, ...]
    """What seals the close where a seat was left out, by rising attempt and seat; else none."""
    adopts: tuple[RecordedMessage, ...]
    """By rising seat."""
    kind: Literal["step"] = "step"


@dataclass(frozen=True, slots=True, kw_only=True)
class EvidenceLine:
    """A fault that was proved. Why it is one follows from the items, and is not stated."""

    step: int
    items: tuple[RecordedMessage, ...]
    close: tuple[bytes, ...] = ()
    """Where the first item is an adopt: what it adopts, the hash of each active seat's statement."""
    kind: Literal["evidence"] = "evidence"


@dataclass(frozen=True, slots=True, kw_only=True)
class ForkLine:
    """Two closes of a step that had both settled: all lines from that step on are void."""

    step: int
    items: tuple[RecordedMessage, ...]
    """Statements, tries and adopts of the step: whoever has signed against itself among them is out."""
    kind: Literal["fork"] = "fork"


Line = GenesisLine | StepLine | EvidenceLine | ForkLine

_ADAPTER: TypeAdapter[Line] = TypeAdapter(
    Annotated[Line, Field(discriminator="kind")],
    config=ConfigDict(
        strict=True, extra="forbid", ser_json_bytes="base64", val_json_bytes="base64"
    ),
)


def _write(signed: Signed) -> RecordedMessage:
    return RecordedMessage(
        author=signed.author, signature=signed.signature, payload=signed.payload.decode()
    )


def read_message(message: RecordedMessage) -> Signed:
    """Return the signed message of a line."""
    return Signed(
        author=message.author,
        signature=message.signature,
        payload=message.payload.encode(),
    )


def genesis_line(genesis: Signed) -> bytes:
    """Return the first line, without its newline."""
    return encode_line(GenesisLine(version=RECORD_VERSION, genesis=_write(genesis)))


def step_line(certificate: Certificate) -> bytes:
    """Return the line of a settled step."""
    return encode_line(
        StepLine(
            step=certificate.step,
            statements=tuple(_write(item) for item in certificate.statements),
            tries=tuple(_write(item) for item in certificate.tries),
            adopts=tuple(_write(item) for item in certificate.adopts),
        )
    )


def evidence_line(evidence: Evidence) -> bytes:
    """Return the line of a proved fault."""
    return encode_line(
        EvidenceLine(
            step=evidence.step,
            items=tuple(_write(item) for item in evidence.items),
            close=evidence.close,
        )
    )


def fork_line(step: int, items: tuple[Signed, ...]) -> bytes:
    """Return the line of a fork."""
    return encode_line(ForkLine(step=step, items=tuple(_write(item) for item in items)))


def encode_line(line: Line) -> bytes:
    """Return the one encoding of a line."""
    return _ADAPTER.dump_json(line)


def decode_line(data: bytes) -> Line:
    """Read a line.

    Raises:
        MalformedError: not a line of a record, or not in canonical form.
    """
    if len(data) > LINE_BYTES_MAX:
        message = "a line that is too long"
        raise MalformedError(message)
    return codec.read_canonical(
        data, _ADAPTER.validate_json, _ADAPTER.dump_json, "a line of a record"
    )


def check_beginning(data: bytes, *, first: bool) -> None:
    """Check that bytes are what a cut can leave of a line.

    Args:
        data: the end of a file, without a newline.
        first: whether it is the record's first line.

    Raises:
        MalformedError: no line of a record begins so.
    """
    if len(data) > LINE_BYTES_MAX:
        message = "a line that is too long"
        raise MalformedError(message)
    message = "not a line of a record"
    beginning = b'{"version":' if first else b'{"step":'
    if not data.startswith(beginning[: len(data)]):
        raise MalformedError(message)
    try:
        json.JSONDecoder().raw_decode(data.decode())
    except json.JSONDecodeError:
        try:
            from_json(data, allow_partial="trailing-strings")
        except ValueError as error:
            raise MalformedError(message) from error
    except (ValueError, RecursionError) as error:
        raise MalformedError(message) from error
    else:
        decode_line(data)  # Only its newline may be missing.

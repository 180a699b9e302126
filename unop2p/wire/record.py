"""The record: the public history of a table, one JSON object a line, in one canonical form.

The first line is the genesis; then a line for each settled step, with its statements and the adopts that
settled it; and, where a fault was proved, the evidence. A line that does not re-encode to its own bytes
is refused.
"""

from dataclasses import dataclass
from typing import Annotated, Literal

from pydantic import ConfigDict, Field, TypeAdapter, ValidationError

from unop2p.errors import MalformedError
from unop2p.log.evidence import Evidence
from unop2p.log.messages import Signed
from unop2p.log.steps import Certificate

RECORD_VERSION = 1


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
    """By rising seat."""
    adopts: tuple[RecordedMessage, ...]
    """By rising seat."""
    kind: Literal["step"] = "step"


@dataclass(frozen=True, slots=True, kw_only=True)
class EvidenceLine:
    """A fault that was proved."""

    step: int
    reason: str
    items: tuple[RecordedMessage, ...]
    kind: Literal["evidence"] = "evidence"


Line = GenesisLine | StepLine | EvidenceLine

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
            adopts=tuple(_write(item) for item in certificate.adopts),
        )
    )


def evidence_line(evidence: Evidence) -> bytes:
    """Return the line of a proved fault."""
    return encode_line(
        EvidenceLine(
            step=evidence.step,
            reason=evidence.reason,
            items=tuple(_write(item) for item in evidence.items),
        )
    )


def encode_line(line: Line) -> bytes:
    """Return the one encoding of a line."""
    return _ADAPTER.dump_json(line)


def decode_line(data: bytes) -> Line:
    """Read a line.

    Raises:
        MalformedError: not a line of a record, or not in canonical form.
    """
    try:
        line = _ADAPTER.validate_json(data)
        canonical = _ADAPTER.dump_json(line) == data
    except (ValidationError, ValueError, RecursionError) as error:
        message = "not a line of a record"
        raise MalformedError(message) from error
    if not canonical:
        message = "a line that is not in canonical form"
        raise MalformedError(message)
    return line

"""Records forged by who holds every key: all signatures hold, and the audit still finds the place."""

import copy
from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields, replace
from functools import cache
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from tests.peer.test_ring import SHORT
from tests.table.test_checks import LAWFUL, variants
from unop2p.ids import Seat
from unop2p.log.evidence import Evidence
from unop2p.log.messages import Adopt, Signed, Statement, Try, close_digest, signing_bytes
from unop2p.log.steps import Certificate
from unop2p.rules.cards import Color
from unop2p.sim.ring import Ring
from unop2p.table import bodies
from unop2p.table.genesis import Genesis, Join, Offer
from unop2p.wire import codec
from unop2p.wire.audit import Audit, AuditReport, Finding, _WrongError, audit
from unop2p.wire.record import (
    GenesisLine,
    StepLine,
    decode_line,
    evidence_line,
    genesis_line,
    read_message,
    step_line,
)

pytestmark = pytest.mark.slow
STRANGER = Ed25519PrivateKey.from_private_bytes(b"x" * 32)


@dataclass(frozen=True, slots=True)
class Forge:
    """A whole record, and all the keys that have signed it."""

    lines: tuple[bytes, ...]
    keys: tuple[Ed25519PrivateKey, ...]
    """By seat."""

    def sign(self, seat: int, message: codec.Message) -> Signed:
        key = self.keys[seat]
        return codec.sign(key, key.public_key().public_bytes_raw(), message)

    def statements(self, index: int) -> list[Statement]:
        line = decode_line(self.lines[index][:-1])
        assert isinstance(line, StepLine)
        found = [codec.decode(read_message(item).payload) for item in line.statements]
        return [item for item in found if isinstance(item, Statement)]

    def settle(
        self,
        index: int,
        statements: Sequence[Signed],
        adopts: Callable[[Adopt], list[Signed]] | None = None,
    ) -> bytes:
        """Return the line of a step with these statements, adopted by everybody or as `adopts` says."""
        first = self.statements(index)[0]
        hashes = {Seat(seat): item.hash for seat, item in enumerate(statements)}
        seats = tuple(Seat(seat) for seat in range(len(self.keys)))
        close = close_digest(first.step, first.head, seats, hashes)
        adopt = Adopt(table=first.table, step=first.step, head=first.head, attempt=0, close=close)
        every = [self.sign(seat, adopt) for seat in seats]
        certificate = Certificate(
            step=first.step,
            head=first.head,
            close=close,
            attempt=0,
            statements=tuple(statements),
            adopts=tuple(every if adopts is None else adopts(adopt)),
        )
        return step_line(certificate) + b"\n"

    def with_line(self, index: int, line: bytes) -> AuditReport:
        """Audit the record up to another line and the one after it, which is as it was."""
        work = copy.deepcopy(up_to(index))
        number = index
        try:
            for number, data in enumerate((line, *self.lines[index + 1 : index + 2]), index + 1):
                work.take(data[:-1])
        except _WrongError as error:
            return work.report(Finding.BROKEN, str(error), number, error.seat)
        return work.report(Finding.INCOMPLETE, "", number, None)

    def signed(self, index: int) -> list[Signed]:
        line = decode_line(self.lines[index][:-1])
        assert isinstance(line, StepLine)
        return [read_message(item) for item in line.statements]


@cache
def forge() -> Forge:
    ring = Ring(2, SHORT, seed=8)
    ring.run()
    table = ring.places[0].peer.lobby.table
    assert table is not None
    by_key = {place.key.public_key().public_bytes_raw(): place.key for place in ring.places}
    return Forge(tuple(ring.places[0].record), tuple(by_key[key] for key in table.keys))


@cache
def up_to(index: int) -> Audit:
    """Return an audit that has taken so many lines."""
    work = Audit() if index == 0 else copy.deepcopy(up_to(index - 1))
    if index:
        work.take(forge().lines[index - 1][:-1])
    return work


def steps() -> range:
    return range(1, len(forge().lines))


def first_with(kind: type) -> tuple[int, int]:
    """Return the first line with a body of this kind, and who said it."""
    for index in steps():
        for seat, statement in enumerate(forge().statements(index)):
            if isinstance(statement.body, kind):
                return index, seat
    raise AssertionError(kind)


def broken(report: AuditReport, index: int, name: str | None = None) -> None:
    assert (report.finding, report.line) == (Finding.BROKEN, index + 1), report.reason
    if name is not None:
        assert report.author == name, report.reason


def test_a_record_that_is_signed_anew_word_for_word_is_complete() -> None:
    anew = []
    for index in steps():
        said = [forge().sign(s, st) for s, st in enumerate(forge().statements(index))]
        anew.append(forge().settle(index, said))
    assert audit([forge().lines[0], *anew]).finding is Finding.COMPLETE


def test_any_field_of_any_body_changed_and_signed_anew_is_found_with_its_author() -> None:
    names = up_to(1).report(Finding.COMPLETE, "", 1, None).names
    tried: set[str] = set()
    kinds = {type(statement.body) for index in steps() for statement in forge().statements(index)}
    for kind in kinds:
        index, seat = first_with(kind)
        statements = forge().statements(index)
        body: Any = statements[seat].body
        for field in fields(body):
            value = getattr(body, field.name)
            if field.name == "kind":
                continue
            others = [other for other in variants(value) if other != value]
            if value is None:  # a color or a seat; the codec writes no other
                wanted = Color if field.name == "color" else int
                others = [other for other in others if isinstance(other, wanted)]
            for other in others[:3]:
                changed = replace(body, **{field.name: other})
                said = [forge().sign(s, st) for s, st in enumerate(statements)]
                said[seat] = forge().sign(seat, replace(statements[seat], body=changed))
                report = forge().with_line(index, forge().settle(index, said))
                name = f"{body.kind}.{field.name}"
                tried.add(name)
                # What builds on a statement that is not there counts as not made.
                if name in {*LAWFUL, "shuffled.base"} and report.line == index + 2:
                    broken(report, index + 1)  # it could stand; what was said after it cannot
                else:
                    broken(report, index, names[seat])
    assert len(tried) > 12


def test_a_statement_in_place_of_another_kind_is_found() -> None:
    index, seat = first_with(bodies.Played)
    statements = forge().statements(index)
    for body in (bodies.Drew(), bodies.Kept(), bodies.Assent(), bodies.CalledUNO()):
        said = forge().signed(index)
        said[seat] = forge().sign(seat, replace(statements[seat], body=body))
        report = forge().with_line(index, forge().settle(index, said))
        assert report.finding is Finding.BROKEN
        assert report.line in {index + 1, index + 2}


def test_a_statement_of_another_place_key_or_kind_is_found() -> None:
    index, _ = first_with(bodies.Played)
    first = forge().statements(index)[0]
    signed = forge().signed(index)
    adopt = Adopt(table=first.table, step=first.step, head=first.head, attempt=0, close=b"")
    names = up_to(1).report(Finding.COMPLETE, "", 1, None).names
    for name, other in (
        (names[0], forge().sign(0, replace(first, table=bytes(16)))),
        (names[0], forge().sign(0, replace(first, step=first.step + 1))),
        (names[0], forge().sign(0, replace(first, head=bytes(32)))),
        (names[1], forge().sign(1, first)),  # it speaks twice, and seat 0 not at all
        ("", codec.sign(STRANGER, STRANGER.public_key().public_bytes_raw(), first)),
        (names[0], forge().sign(0, adopt)),
        (names[0], replace(signed[0], signature=signed[1].signature)),
        (names[0], replace(signed[0], signature=b"")),
        ("", replace(signed[0], author=b"short")),
        (names[0], forge_payload(0, b"{}")),
    ):
        report = forge().with_line(index, forge().settle(index, [other, signed[1]]))
        broken(report, index, name)
    for wrong in ([signed[0]], [signed[1], signed[0]], [*signed, signed[0]], []):
        settled = forge().settle(index, wrong) if wrong else no_statements(index)
        broken(forge().with_line(index, settled), index)


def forge_payload(seat: int, payload: bytes) -> Signed:
    """Sign bytes that are no message."""
    key = forge().keys[seat]
    author = key.public_key().public_bytes_raw()
    return Signed(
        author=author, signature=key.sign(signing_bytes(author, payload)), payload=payload
    )


def no_statements(index: int) -> bytes:
    first = forge().statements(index)[0]
    return (
        step_line(
            Certificate(
                step=first.step, head=first.head, close=b"", attempt=0, statements=(), adopts=()
            )
        )
        + b"\n"
    )


def test_adopts_that_do_not_settle_the_step_are_found() -> None:
    index, _ = first_with(bodies.Played)
    signed = forge().signed(index)

    def by(*seats: int, **change: Any) -> Callable[[Adopt], list[Signed]]:
        return lambda adopt: [forge().sign(seat, replace(adopt, **change)) for seat in seats]

    def stranger(adopt: Adopt) -> list[Signed]:
        public = STRANGER.public_key().public_bytes_raw()
        return [forge().sign(0, adopt), codec.sign(STRANGER, public, adopt)]

    for adopts in (
        by(),
        by(0),
        by(1),
        by(0, 0),
        by(1, 0),
        by(0, 1, attempt=1),
        by(0, 1, close=bytes(32)),
        by(0, 1, head=bytes(32)),
        by(0, 1, step=0),
        by(0, 1, table=bytes(16)),
        lambda adopt: [forge().sign(seat, forge().statements(index)[seat]) for seat in (0, 1)],
        lambda adopt: [
            forge().sign(
                seat,
                Try(
                    table=adopt.table, step=adopt.step, head=adopt.head, attempt=0,
                    close=adopt.close, seal=None,
                ),
            )
            for seat in (0, 1)
        ],
        lambda adopt: [replace(forge().sign(seat, adopt), signature=bytes(64)) for seat in (0, 1)],
        stranger,
    ):  # fmt: skip
        broken(forge().with_line(index, forge().settle(index, signed, adopts)), index)


def test_a_genesis_that_was_put_together_is_found() -> None:
    line = decode_line(forge().lines[0][:-1])
    assert isinstance(line, GenesisLine)
    signed = read_message(line.genesis)
    genesis = codec.decode(signed.payload)
    assert isinstance(genesis, Genesis)
    offer = codec.decode(genesis.offer.payload)
    joins = [codec.decode(item.payload) for item in genesis.joins]
    assert isinstance(offer, Offer)
    opener = next(
        seat
        for seat, key in enumerate(forge().keys)
        if key.public_key().public_bytes_raw() == signed.author
    )

    def joined(seat: int, **change: Any) -> Signed:
        join = joins[seat]
        assert isinstance(join, Join)
        return forge().sign(seat, replace(join, **change))

    one, two = genesis.joins
    for changed in (
        replace(genesis, joins=(two, one)),
        replace(genesis, joins=(one,)),
        replace(genesis, joins=(one, one)),
        replace(genesis, joins=(one, two, two)),
        replace(genesis, joins=(one, joined(1, offer=bytes(32)))),
        replace(genesis, joins=(one, joined(1, name="another"))),
        replace(genesis, joins=(one, replace(two, signature=bytes(64)))),
        replace(genesis, joins=(one, genesis.offer)),
        replace(genesis, offer=one),
        replace(genesis, offer=replace(genesis.offer, signature=bytes(64))),
        replace(genesis, offer=forge().sign(opener, replace(offer, resilience=1))),
        replace(genesis, offer=forge().sign(opener, replace(offer, rules={}))),
        replace(genesis, offer=forge().sign(1 - opener, offer)),
    ):
        report = forge().with_line(0, genesis_line(forge().sign(opener, changed)) + b"\n")
        assert report.finding is Finding.BROKEN
        assert report.line in {1, 2}, "a genesis that could be has another head than the steps name"
    for other in (
        forge().sign(1 - opener, genesis),
        forge().sign(opener, offer),
        replace(signed, signature=bytes(64)),
        forge_payload(opener, b"[]"),
    ):
        broken(forge().with_line(0, genesis_line(other) + b"\n"), 0)


def test_evidence_against_the_honest_is_broken_whatever_it_is_made_of() -> None:
    index, seat = first_with(bodies.Played)
    signed = forge().signed(index)
    before = forge().signed(index - 1)
    statement = forge().statements(index)[seat]
    place: dict[str, Any] = {
        "table": statement.table,
        "step": statement.step,
        "head": statement.head,
    }
    adopt = Adopt(**place, attempt=0, close=bytes(32))
    later = Try(**place, attempt=1, close=bytes(32), seal=0)
    public = STRANGER.public_key().public_bytes_raw()
    for items in (
        (),
        (signed[seat],),
        (signed[1 - seat],),
        (signed[seat], signed[seat]),
        (signed[seat], signed[1 - seat]),
        (signed[seat], before[seat]),
        (before[seat],),
        (signed[seat], replace(signed[seat], signature=bytes(64))),
        (forge().sign(0, adopt), forge().sign(0, adopt)),
        (forge().sign(0, adopt), forge().sign(0, later)),
        (forge().sign(0, adopt), forge().sign(1, replace(adopt, close=bytes(31)))),
        (forge().sign(0, adopt),),
        (forge().sign(0, adopt),) * 3,
        (forge_payload(0, b"{}"),),
        (codec.sign(STRANGER, public, replace(statement, body=bodies.Kept())),),
        (forge().sign(0, replace(adopt, table=bytes(16))),) * 2,
    ):
        for step in (statement.step, statement.step - 1, -1):
            evidence = Evidence(author=b"", step=step, reason="", items=tuple(items))
            report = forge().with_line(index, evidence_line(evidence) + b"\n")
            broken(report, index)


def test_evidence_of_a_contradiction_holds_at_any_step() -> None:
    for index in (1, 9):
        first = forge().statements(1)[0]
        adopt = Adopt(
            table=first.table, step=first.step, head=first.head, attempt=0, close=bytes(32)
        )
        items = (forge().sign(0, adopt), forge().sign(0, replace(adopt, close=bytes(31))))
        evidence = Evidence(author=b"", step=first.step, reason="", items=items)
        report = audit([*forge().lines[:index], evidence_line(evidence) + b"\n"])
        assert (report.finding, report.step) == (Finding.FAULT, first.step)
        assert report.author == report.names[0]
        assert "two different adopts" in report.reason

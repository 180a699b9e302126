"""Tables at every kind of step, as real records come to them, with what was said there."""

import copy
import json
from dataclasses import dataclass
from functools import cache

from tests.wire.records import all_records, rigged_audit
from unop2p.ids import Seat
from unop2p.log.messages import Statement
from unop2p.table import bodies
from unop2p.table.checks import Said
from unop2p.table.state import TableState
from unop2p.wire import codec
from unop2p.wire.audit import Audit
from unop2p.wire.record import StepLine, decode_line, read_message


@dataclass(frozen=True, slots=True, kw_only=True)
class Position:
    """A table before a step, and the step's statements."""

    name: str
    state: TableState
    said: dict[Seat, Said]

    def copy(self) -> TableState:
        """Return the table's state, to be changed."""
        return copy.deepcopy(self.state)


def said_in(line: bytes, keys: tuple[bytes, ...]) -> dict[Seat, Said]:
    """Return the statements of a step's line by seat."""
    step = decode_line(line.removesuffix(b"\n"))
    assert isinstance(step, StepLine)
    found: dict[Seat, Said] = {}
    for item in step.statements:
        signed = read_message(item)
        statement = codec.decode(signed.payload)
        assert isinstance(statement, Statement)
        assert isinstance(statement.body, bodies.Body)
        found[Seat(keys.index(signed.author))] = Said(hash=signed.hash, body=statement.body)
    return found


@cache
def positions() -> tuple[Position, ...]:
    """Return of each record the first step of every phase and kind of body."""
    found: list[Position] = []
    with rigged_audit():
        for name, lines in all_records().items():
            seen: set[tuple[str, ...]] = set()
            work = Audit()
            for line in lines:
                if b'"statements":' in line[:40]:
                    assert work.state is not None
                    kinds = [
                        json.loads(item["payload"])["body"]["kind"]
                        for item in json.loads(line)["statements"]
                    ]
                    what = (work.state.plan.phase, *sorted(set(kinds)))
                    if what not in seen:
                        seen.add(what)
                        label = f"{name}: {work.state.plan.phase} {'/'.join(what[1:])}"
                        state = copy.deepcopy(work.state)
                        found.append(
                            Position(name=label, state=state, said=said_in(line, state.table.keys))
                        )
                work.take(line.removesuffix(b"\n"))
    return tuple(found)

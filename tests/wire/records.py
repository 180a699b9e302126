"""Records for tests of the audit: between them they hold every kind of line, message and body."""

import json
import random
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import cache
from typing import Any, get_args

from tests.peer.test_faults import FalseShare, FalseShuffle, TwoStatements, peer_with
from tests.peer.test_ring import SHORT
from tests.sim.cases import OUT, PLAIN, TWINS, Script
from tests.sim.rigged import NAME, rigged, stacked
from tests.sim.waiting import played_on
from unop2p.peer.chain import Chain
from unop2p.rules.due import ReactionDue
from unop2p.rules.moves import Move, parse_move
from unop2p.rules.view import PlayerView
from unop2p.sim.ring import Network, Place, Ring
from unop2p.table import bodies, notices
from unop2p.table.checks import opening_task, seal_task
from unop2p.table.work import Checked

BODY_KINDS = frozenset(
    next(iter(get_args(body.__annotations__["kind"]))) for body in get_args(bodies.Body)
)
"""Every kind of body that a statement can have."""


class LateUNO(Script):
    """Answers a catch with a late `uno`."""

    def __call__(
        self, seat: int, view: PlayerView, legal: tuple[Move, ...], rng: random.Random
    ) -> Move | None:
        due = view.round.due
        if isinstance(due, ReactionDue):
            names = tuple(f"p{index}" for index in range(10))
            text = "uno" if seat == due.actor else f"catch p{due.actor}"
            return next((move for move in legal if move == parse_move(text, names)), None)
        return super().__call__(seat, view, legal, rng)


SCENES: dict[str, tuple[tuple[str, str], str, Script]] = {
    # name: hands, what is turned up first, who plays
    "innocent": (
        ("W4 G1 G2 G3 G4 G5 G6", "B1 B2 B3 B4 B5 B6 B7"),
        "R9",
        Script("play W4:G; challenge"),
    ),
    "guilty": (
        ("W4 R1 R2 G3 G4 G5 G6", "B1 B2 B3 B4 B5 B6 B7"),
        "R9",
        Script("play W4:G; challenge"),
    ),
    "accepted": (
        ("W4 R1 R2 G3 G4 G5 G6", "B1 B2 B3 B4 B5 B6 B7"),
        "R9",
        Script("play W4:G; accept"),
    ),
    "caught": (TWINS, "R9", Script(OUT, {1: "catch ACTOR", 0: "catch ACTOR"})),
    "late": (TWINS, "R9", LateUNO(OUT)),
    "named": (PLAIN, "W", Script("")),
}
"""Rounds from a stacked deck; the audit of their records needs `rigged_audit`."""


class DoubtsAtOnce(Chain):
    """Doubts cards of its own that are as they should be, at its first turn."""

    __slots__ = ()

    def _say(self, body: bodies.Body, checked: Checked) -> None:
        if isinstance(body, bodies.Played | bodies.Drew):
            assert self.seat is not None
            task = opening_task(self.state, self.seat, tuple(self.state.hands[self.seat]))
            opening = task.make(self._round_keys(), b"doubt")
            body = bodies.Doubted(positions=task.positions, opening=opening)
        super()._say(body, checked)


class FalseKeyShare(Chain):
    """Gives the first of the others a share of its round key that does not fit."""

    __slots__ = ()

    def _say(self, body: bodies.Body, checked: Checked) -> None:
        if isinstance(body, bodies.Sealed):
            assert self.seat is not None
            body = replace(body, boxes=bytes([body.boxes[0] ^ 1]) + body.boxes[1:])
            checked = seal_task(self.state, self.seat).check(body, trusted=True)
        super()._say(body, checked)


FAULTS: dict[str, type[Chain]] = {
    "one": FalseShare,
    "shuffle": FalseShuffle,
    "pair": TwoStatements,
    "doubt": DoubtsAtOnce,
    "key share": FalseKeyShare,
}
"""Records that hold evidence: one statement, one and what it builds on, two that contradict, or one and
a complaint about it."""


@contextmanager
def rigged_audit() -> Iterator[None]:
    """Let the audit read records of stacked decks."""
    with rigged():
        yield


@cache
def proved() -> tuple[bytes, ...]:
    """Return the record of a round with the real shuffle argument."""
    ring = Ring(2, SHORT, seed=8)
    ring.run()
    return tuple(ring.places[0].record)


@cache
def replayed() -> tuple[bytes, ...]:
    """Return the record of a round whose shuffles are replayed at its end."""
    ring = Ring(2, SHORT, seed=8, argument="commit-reveal")
    ring.run()
    return tuple(ring.places[0].record)


@cache
def scene(name: str) -> Ring:
    """Play one of `SCENES`."""
    hands, first, script = SCENES[name]
    script = type(script)("; ".join(script.moves), script.reactions)
    with rigged(stacked(hands, first)):
        ring = Ring(2, SHORT, seed=9, player=script, argument=NAME)
        ring.run()
    return ring


@cache
def fault(name: str) -> tuple[bytes, ...]:
    """Return the record of a match that ends with evidence of this kind."""
    cheat = 2
    ring = Ring(
        3,
        SHORT,
        seed=3,
        argument="commit-reveal" if name == "doubt" else "proved",
        peers={cheat: peer_with(FAULTS[name])},
        network=_split(cheat) if name == "pair" else None,
        resilience=int(name == "key share"),
    )
    ring.run(lambda r: all(p.stop for i, p in enumerate(r.places) if i != cheat))
    return tuple(ring.places[0].record)


def _split(cheat: int) -> Network:
    """Let both words of the cheat come to everybody but to itself."""
    return Network(blocked=lambda sender, receiver, _data: sender == receiver == cheat)


@cache
def went_on() -> Place:
    """Return a seat of a round in which others were away, came back, waited and left."""
    return played_on().places[0]


@cache
def stood_in() -> tuple[bytes, ...]:
    """Return the record of a round in which the others stood in for a seat to its end."""
    ring = Ring(3, SHORT, seed=1, resilience=1)
    ring.run(lambda r: sum(isinstance(n, notices.MoveMade) for n in r.places[0].notices) > 2)
    ring.stop(2)
    ring.run()
    return tuple(ring.places[0].record)


@cache
def all_records() -> dict[str, tuple[bytes, ...]]:
    """Return every record here by name."""
    found = {"proved": proved(), "replayed": replayed(), "played on": tuple(went_on().record)}
    found["stood in"] = stood_in()
    found |= {name: tuple(scene(name).places[0].record) for name in SCENES}
    found |= {f"fault {name}": fault(name) for name in FAULTS}
    return found


def body_kinds(lines: tuple[bytes, ...]) -> set[str]:
    """Return the kinds of bodies in a record."""
    found: set[str] = set()
    for raw in lines:
        line: dict[str, Any] = json.loads(raw)
        for said in (*line.get("statements", ()), *line.get("items", ())):
            if '"kind":"statement"' not in said["payload"]:
                continue
            found.add(json.loads(said["payload"])["body"]["kind"])
    return found

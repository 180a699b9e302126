"""Real peers at a table on which a test lays the cards: any position, and the moves played from there.

What is laid are cards that nobody has masked, (G, M + X) with X the joint key: for such a card a seat's
share is its public round key, so that the state of every peer follows from what all have seen. It takes
the place of the settled state between two steps, for all peers alike, and for the audit of their records;
everything from there on is the table's own: statements, proofs, shares, shuffles, adopts.
"""

import hashlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, fields, replace
from types import MappingProxyType
from typing import Final

import pytest

from tests.sim.rigged import NAME, Rigged, faces
from unop2p.deal.group import BASE, add, sub
from unop2p.deal.masking import MaskedCard
from unop2p.errors import IllegalMoveError
from unop2p.ids import Seat
from unop2p.peer import events
from unop2p.peer.chain import Chain
from unop2p.rules import due as dues
from unop2p.rules.cards import Face
from unop2p.rules.facts import Acted
from unop2p.rules.match import Match
from unop2p.rules.moves import Accept, Move
from unop2p.rules.options import Options
from unop2p.rules.position import Round
from unop2p.rules.round import advance, forced_move
from unop2p.sim.ring import Ring
from unop2p.table import notices
from unop2p.table.apply import apply_step
from unop2p.table.commands import MakeMove
from unop2p.table.ending import Results
from unop2p.table.phases import Phase
from unop2p.table.riders import Riders
from unop2p.table.state import At, TableState, new_state
from unop2p.table.work import ARGUMENTS
from unop2p.wire.audit import AuditReport, audit

KEPT: Final = frozenset(
    {
        "table",
        "faces",
        "step",
        "head",
        "round_index",
        "members",
        "commits",
        "keys",
        "joint",
        "next_position",
    }
)
"""What of a table's state does not change when cards are laid."""
ASKING: Final = (Phase.TURN, Phase.REACTION)
LATE_MS: Final = 300_000
"""A ring that has run so long makes place for a new one."""


@dataclass(frozen=True, kw_only=True)
class Laid:
    """A position, hidden cards and all."""

    match: Match
    round: Round
    hands: Mapping[Seat, tuple[Face, ...]]
    pile: tuple[Face, ...]

    def lay(self, state: TableState) -> tuple[notices.Notice, ...]:
        """Put the position in the place of a state."""
        fresh = new_state(state.table)
        for item in fields(state):
            if item.name not in KEPT:
                setattr(state, item.name, getattr(fresh, item.name))
        state.match, state.round, state.at = self.match, self.round, At.PLAY
        for seat, hand in self.hands.items():
            state.hands[seat] = [self._card(state, face, seat) for face in hand]
        state.pile = [self._card(state, face, None) for face in self.pile]
        told: list[notices.Notice] = []
        while (forced := forced_move(state.round)) is not None:
            seat = state.round.turn
            state.round = advance(state.round, Acted(seat=seat, move=forced))
            told.append(notices.MoveMade(seat=seat, move=forced))
        state.plan = state.plan_due()
        return tuple(told)

    @staticmethod
    def _card(state: TableState, face: Face, holder: Seat | None) -> int:
        assert state.joint is not None
        position = state.next_position
        state.next_position += 1
        state.cards[position] = MaskedCard(BASE, add(state.faces.point(str(face)), state.joint))
        state.masks[position] = state.members
        if holder is not None:
            others = {seat: key for seat, key in state.keys.items() if seat != holder}
            state.shares[position] = others
        return position


def read(state: TableState, position: int) -> Face:
    """Return the face of a card that nobody has masked."""
    assert state.joint is not None
    label = faces().find(sub(state.cards[position].c2, state.joint))
    assert label is not None
    return Face(label)


@dataclass(frozen=True, kw_only=True)
class Scene:
    """What a table has come to, with every card that the peers hold between them."""

    match: Match
    round: Round
    hands: dict[Seat, list[Face]]
    pile: list[Face]
    drawn: Face | None
    legal: tuple[Move, ...] | None
    """What the own program of the seat in turn offers; None where no turn is open."""
    told: list[notices.Notice]
    """What one seat was told since the cards were laid."""
    reshuffled: int


MARK: Final = notices.Warned(text="the cards are laid")


class Bench:
    """One table of real peers that nobody but the test plays, and the positions laid on it."""

    def __init__(self, options: Options, seats: int, number: int) -> None:
        """Sit down; nobody has begun.

        Args:
            options: what is played.
            seats: 2 to 10.
            number: of the table, another for each of a hall.
        """
        self.argument = Rigged([])
        self.pending: Laid | None = None
        self.laid: dict[int, Laid] = {}
        self.reshuffles: set[int] = set()
        self.ring = Ring(seats, options, seed=number, argument=NAME, bots=False)
        self.ended: Scene | None = None
        """What the round has come to, once it is over."""

    # -- the peers -----------------------------------------------------------------------------

    def chains(self) -> list[Chain]:
        """Return every peer's chain."""
        return [place.peer.chain for place in self.ring.places if place.peer.chain is not None]

    @property
    def state(self) -> TableState:
        """What all peers have settled."""
        return self.chains()[0].state

    def is_asked(self) -> bool:
        """Say whether all peers wait, at the same step, for what the test does."""
        chains = self.chains()
        if len(chains) < len(self.ring.places) or len({chain.state.step for chain in chains}) > 1:
            return False
        plan = self.state.plan
        if plan.phase is Phase.TURN:
            speaker = chains[plan.speakers[0]]
            return speaker.seat not in speaker.open.statements and not speaker.making
        return plan.phase is Phase.REACTION

    def run(self, until: Callable[[], bool]) -> None:
        """Let the peers go on."""
        ARGUMENTS[NAME] = self.argument
        self.ring.run(lambda _: until())

    def go_on(self, step: int) -> None:
        """Let them go on from a step until somebody is asked, or the round is over."""

        def is_over() -> bool:
            return self.state.plan.phase is Phase.HANDS or self.state.round is None

        self.run(lambda: (self.state.step > step and self.is_asked()) or is_over())
        if is_over() and self.ended is None:
            before = self.scene()
            self.run(lambda: all(c.state.round is None or c.state.over for c in self.chains()))
            told = self._told()
            (scored,) = [notice for notice in told if isinstance(notice, notices.RoundEnded)]
            assert self.state.match is not None
            hands = {Seat(seat): list(hand) for seat, hand in enumerate(scored.hands)}
            assert {seat: sorted(hand) for seat, hand in hands.items()} == {
                seat: sorted(hand) for seat, hand in before.hands.items()
            }, "what was opened is what was held"
            over = replace(before.round, due=dues.RoundOver(outcome=scored.outcome))
            self.ended = replace(before, match=self.state.match, round=over, told=told)

    # -- laying and moving ---------------------------------------------------------------------

    def lay(self, laid: Laid) -> None:
        """Lay a position in the place of what the next step comes to."""
        self.ended = None
        self.ring.now_ms += 1_000  # what is sent counts against a budget that time fills
        for chain in self.chains():
            chain.mover.early.kept = None
        self.pending = laid
        if self.chains() and self.state.plan.phase is Phase.TURN:
            (seat,) = self.state.plan.speakers
            view = self.ring.places[seat].peer.view()
            self.ring.submit(seat, MakeMove(move=view.legal[0]))
        last = max(self.laid, default=-1)
        self.run(lambda: self.pending is None and max(self.laid) > last)
        step = max(self.laid)
        self.run(lambda: all(chain.state.step > step for chain in self.chains()))
        if not self.is_asked():
            self.go_on(step)

    def act(self, seat: Seat, move: Move) -> str:
        """Let a seat's own program make a move; return `accepted`, `refused` or `fouled`."""
        step = self.state.step
        try:
            self.ring.submit(seat, MakeMove(move=move))
        except IllegalMoveError:
            return "refused"
        chain = self.chains()[seat]
        if chain.mover.early.kept is not None:
            chain.mover.early.kept = None
            return "refused"  # it waits for a step in which it can be said
        self.go_on(step)
        return "accepted"

    def act_unasked(self, seat: Seat, move: Move) -> None:
        """Let a seat make a move that its own program would have refused."""
        step = self.state.step
        self.chains()[seat].mover.wanted = move
        self.ring._handle(seat, events.Tick())  # noqa: SLF001  # a changed program
        self.go_on(step)

    def pass_reaction(self) -> None:
        """Let the window close without a reaction."""
        if self.state.plan.phase is Phase.REACTION:
            self.go_on(self.state.step)

    # -- looking -------------------------------------------------------------------------------

    def _told(self) -> list[notices.Notice]:
        told = self.ring.places[0].notices
        last = max((i for i, notice in enumerate(told) if notice == MARK), default=-1)
        return told[last + 1 :]

    def accepted(self) -> list[Seat]:
        """Return who has accepted since the cards were laid, by word or because nothing else was left."""
        told = self._told()
        return [n.seat for n in told if isinstance(n, notices.MoveMade) and n.move == Accept()]

    def scene(self) -> Scene:
        """Return the whole table; each peer has read its own cards right."""
        if self.ended is not None:
            return self.ended
        state = self.state
        assert state.match is not None
        assert state.round is not None
        hands = {
            seat: [read(state, position) for position in state.hands.get(seat, ())]
            for seat in state.seats
        }
        legal: tuple[Move, ...] | None = None
        if self.is_asked():
            for seat, chain in enumerate(self.chains()):
                assert chain.own is not None
                assert list(chain.own.hand(chain.state)) == hands[Seat(seat)]
            if state.plan.phase is Phase.TURN:
                legal = self.ring.places[state.plan.speakers[0]].peer.view().legal
        return Scene(
            match=state.match,
            round=state.round,
            hands=hands,
            pile=[read(state, position) for position in state.pile],
            drawn=read(state, state.drawn) if state.drawn is not None else None,
            legal=legal,
            told=self._told(),
            reshuffled=sum(step > max(self.laid, default=-1) for step in self.reshuffles),
        )


class Hall:
    """The tables of a test file."""

    def __init__(self) -> None:
        """Begin without any."""
        self.benches: dict[bytes, Bench] = {}
        self._standing: dict[tuple[Options, int], Bench] = {}

    def new_bench(self, options: Options, seats: int) -> Bench:
        """Return a table of its own."""
        bench = Bench(options, seats, len(self.benches) + 1)
        self.benches[hashlib.sha256(b"table %d" % (len(self.benches) + 1)).digest()[:16]] = bench
        return bench

    def bench(self, options: Options, seats: int) -> Bench:
        """Return a table with these rules, new or used before."""
        held = self._standing.get((options, seats))
        over = held is not None and (held.state.over or held.ring.now_ms > LATE_MS)
        if held is None or over:
            held = self._standing[options, seats] = self.new_bench(options, seats)
        return held

    def _apply(
        self,
        state: TableState,
        results: Results,
        next_head: bytes,
        riders: Mapping[Seat, Riders] = MappingProxyType({}),
    ) -> tuple[notices.Notice, ...]:
        bench = self.benches.get(state.table.offer.table)
        step, phase, round_ = state.step, state.plan.phase, state.round
        told = apply_step(state, results, next_head, riders)
        if bench is None:
            return told
        if phase is Phase.SHUFFLE and round_ is not None:
            if isinstance(round_.due, dues.ShufflePile):
                bench.reshuffles.add(step)
        if bench.pending is not None and (phase in ASKING or phase is Phase.SHUFFLE):
            if step not in bench.laid:
                bench.laid[step], bench.pending = bench.pending, None
        if step not in bench.laid:
            return told
        return (MARK, *bench.laid[step].lay(state))

    @contextmanager
    def open(self) -> Iterator["Hall"]:
        """Let positions be laid at the tables of this hall, for as long as tests run."""
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("unop2p.peer.chain.apply_step", self._apply)
            patch.setattr("unop2p.wire.audit.apply_step", self._apply)
            patch.setitem(ARGUMENTS, NAME, Rigged([]))
            yield self

    def audits(self) -> list[AuditReport]:
        """Audit one record of each table on which cards were laid, and of some that were dealt."""
        benches = list(self.benches.values())
        benches = [b for index, b in enumerate(benches) if b.laid or index % 6 == 0]
        records = [bench.ring.places[-1].record for bench in benches]
        return [audit(record) for record in records if record]

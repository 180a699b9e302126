"""A record as a row of frames, step by step: what was told, and how the table stood. Pure.

Cards are hidden in a record until they are opened. Every card that was played, or left in a hand at the
end of a round, was opened there, so hands can be shown in hindsight, anybody's: a card is the same masked
card all the time that it lies in a hand. Only what was shuffled again (hands that moved) has no face
before that. In a round that has not ended the own cards can be read with the secret of that round, where
the journal still holds it; after a round it is deleted, and not needed.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from unop2p.deal.keys import SECRET_BYTES, derive_round_keys
from unop2p.errors import ProofError
from unop2p.ids import Seat
from unop2p.log.digest import fingerprint
from unop2p.peer.own import OwnHand
from unop2p.peer.view import rules_lines
from unop2p.rules.cards import Face
from unop2p.rules.moves import Move
from unop2p.table import notices
from unop2p.table.moves import move_of
from unop2p.table.phases import Phase
from unop2p.table.state import TableState
from unop2p.table.view import SeatView, Stage, TableView, looked_on
from unop2p.table.work import CheckedDoubt, CheckedOpening
from unop2p.wire.audit import Audit


@dataclass(frozen=True, slots=True, kw_only=True)
class Frame:
    """The table after one step."""

    step: int
    """Which step has led to it."""
    told: tuple[notices.Notice, ...]
    """What players were told of it."""
    view: TableView
    """As a spectator saw it."""
    hands: Mapping[Seat, tuple[int, ...]]
    """Which masked cards lie in which hand."""
    cards_of: int
    """The round to which these cards belong, counted from 0."""
    drawn: int | None = None
    """The masked card just drawn, while it alone may be played."""
    moves: tuple[tuple[Seat, Move], ...] = ()
    """Who made which move in this step."""


@dataclass(slots=True, kw_only=True)
class Replay:
    """A record, taken apart."""

    frames: list[Frame] = field(default_factory=list)
    names: tuple[str, ...] = ()
    keys: tuple[bytes, ...] = ()
    faces: dict[tuple[int, int], Face] = field(default_factory=dict)
    """By round and number of the masked card, as far as it was ever opened."""
    wrong: str = ""
    """What does not hold in the record; the frames end before it."""
    fault: tuple[str, int, str] | None = None
    """Who broke the protocol, at which step, and how, where the record ends with evidence of it."""

    def seen_by(self, place: int, seat: Seat | None) -> "Seen":
        """Return a frame as a seat saw it, or a spectator where it is None."""
        frame = self.frames[place]
        if seat is None:
            return Seen(view=frame.view, told=frame.told, unknown=0)
        held = [self.faces.get((frame.cards_of, card)) for card in frame.hands.get(seat, ())]
        hand = tuple(face for face in held if face is not None)
        return Seen(
            view=replace(frame.view, seat=seat, hand=hand),
            told=tuple(_with_faces(notice, seat, held) for notice in frame.told),
            unknown=len(held) - len(hand),
        )

    def hand_of(self, place: int, seat: Seat) -> tuple[Face, ...]:
        """Return the cards of a hand, as far as they were ever opened."""
        return self.seen_by(place, seat).view.hand

    def rounds(self) -> list[int]:
        """Return where each round begins: the place of its first frame."""
        found: list[int] = []
        for place, frame in enumerate(self.frames):
            if any(isinstance(notice, notices.RoundBegan) for notice in frame.told):
                found.append(place)
        return found


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """A frame, from one place at the table."""

    view: TableView
    told: tuple[notices.Notice, ...]
    unknown: int
    """Cards of the own hand that were never opened."""


def _with_faces(notice: notices.Notice, seat: Seat, held: list[Face | None]) -> notices.Notice:
    """Return the notice of what a seat itself has drawn with the cards, where all are known."""
    if not isinstance(notice, notices.CardsDrawn) or notice.seat != seat:
        return notice
    came = held[-notice.count :]
    known = tuple(face for face in came if face is not None)
    return replace(notice, faces=known) if len(known) == notice.count else notice


def read_replay(
    lines: Iterable[bytes], *, own_key: bytes = b"", secrets: Iterable[bytes] = ()
) -> Replay:
    """Take a record apart; nothing is checked that `audit` is for.

    Args:
        lines: the record's lines with their newlines; half a line at the end is left out.
        own_key: the public key of the person, or nothing.
        secrets: round secrets of the person that are still kept, 32 bytes each, of whatever round.
    """
    replay, work = Replay(), Audit(trusted=True)
    for line in lines:
        if not line.endswith(b"\n"):
            break
        step = work.state.step if work.state is not None else -1
        before = _Before.of(work.state)
        replay.wrong = work.follow(line.removesuffix(b"\n"))
        state = work.state
        if replay.wrong or state is None:
            break
        if step < 0:
            replay.names, replay.keys = state.table.names, state.table.keys
        elif state.step != step:
            replay.frames.append(_frame(state, step, work, before))
            _note_faces(replay, work, state, before)
    state = work.state
    if state is not None and work.fault is not None:
        seat, step, reason = work.fault
        replay.fault = (state.table.names[seat], step, reason)
    if state is not None and own_key in state.table.keys:
        _read_own(replay, state, Seat(state.table.keys.index(own_key)), secrets)
    return replay


@dataclass(frozen=True, slots=True, kw_only=True)
class _Before:
    """What a step leaves behind where it ends a round."""

    round_index: int
    """As `secret_index` of the state: after a fork a round comes again, with other cards."""
    hands: Mapping[Seat, tuple[int, ...]]

    @classmethod
    def of(cls, state: TableState | None) -> "_Before":
        if state is None:
            return cls(round_index=0, hands={})
        return cls(round_index=state.secret_index, hands=_hands(state))


def _hands(state: TableState) -> dict[Seat, tuple[int, ...]]:
    return {seat: tuple(hand) for seat, hand in state.hands.items()}


def _frame(state: TableState, step: int, work: Audit, before: _Before) -> Frame:
    ended = state.secret_index != before.round_index
    return Frame(
        step=step,
        told=work.told,
        view=_view(state, step),
        # A round that has ended leaves its hands as they were opened.
        hands=before.hands if ended else _hands(state),
        cards_of=before.round_index if ended else state.secret_index,
        drawn=state.drawn,
        moves=tuple(
            (seat, move)
            for seat, (said, _) in work.results.items()
            if (move := move_of(said.body)) is not None
        ),
    )


def _note_faces(replay: Replay, work: Audit, state: TableState, before: _Before) -> None:
    for _, checked in work.results.values():
        if isinstance(checked, CheckedOpening | CheckedDoubt):
            for position, face in zip(checked.positions, checked.faces, strict=True):
                if face is not None:
                    replay.faces[before.round_index, position] = face
    for position, face in state.known.items():
        replay.faces[state.secret_index, position] = face


def _read_own(replay: Replay, state: TableState, seat: Seat, secrets: Iterable[bytes]) -> None:
    """Read the own cards of the round that has not ended, where its secret is still kept."""
    for secret in secrets:
        if len(secret) != SECRET_BYTES:
            continue
        keys = derive_round_keys(
            secret, table_id=state.table.offer.table, round_index=state.round_index, seat=seat
        )
        if state.keys.get(seat) != keys.public:
            continue
        own = OwnHand(seat, keys.secret)
        try:
            own.update(state, ())
        except (ProofError, KeyError):
            return
        for position, face in own.faces.items():
            replay.faces[state.secret_index, position] = face


def _view(state: TableState, step: int) -> TableView:
    """Return what a spectator sees."""
    table, match = state.table, state.match
    return looked_on(
        stage=_stage(state),
        seat=None,
        seats=tuple(_seat_view(state, seat) for seat in state.seats),
        order=match.order if match is not None else (),
        options=table.options,
        seats_wanted=table.seat_count,
        step=step,
        round_number=state.rounds_begun if match is not None else 0,
        match=match,
        round=state.round,
        reason=state.faults[0].reason if state.faults else "",
        rules_lines=rules_lines(table.options),
        resilience=table.resilience,
    )


def _stage(state: TableState) -> Stage:
    if state.faults:
        return Stage.STOPPED
    if state.over:
        return Stage.OVER
    if state.plan.phase is Phase.HANDS:
        return Stage.SCORING
    return Stage.PLAYING if state.round is not None and state.hands else Stage.DEALING


def _seat_view(state: TableState, seat: Seat) -> SeatView:
    round_ = state.round
    return SeatView(
        seat=seat,
        name=state.table.names[seat],
        bot=state.table.bots[seat],
        fingerprint=fingerprint(state.table.keys[seat]),
        hand_count=len(state.hands.get(seat, ())),
        total=state.match.totals[seat] if state.match is not None else 0,
        heard_ms=None,
        due=False,
        uno=round_ is not None and seat in round_.called,
        catchable=round_ is not None and seat in round_.catchable,
    )

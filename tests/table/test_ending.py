"""The end of a round: what is scored, what is not, and what is forgotten."""

from copy import deepcopy
from functools import cache

import pytest

from unop2p.ids import Seat
from unop2p.rules.cards import Face
from unop2p.rules.due import RoundOver
from unop2p.rules.hidden import Case, Claim
from unop2p.rules.options import preset, with_overrides
from unop2p.sim.ring import Ring
from unop2p.sim.toy import in_toy_group
from unop2p.table import bodies, notices
from unop2p.table.checks import Said
from unop2p.table.ending import apply_hands, end_round, is_doubtful, note_doubt, score, wipe_round
from unop2p.table.hindsight import ClaimDue, HiddenMove
from unop2p.table.phases import Phase
from unop2p.table.state import At, TableState
from unop2p.table.work import Checked, CheckedDoubt, CheckedOpening


@cache
def _at_the_end(rounds: int) -> tuple[TableState, dict[Seat, tuple[Face, ...]]]:
    options = with_overrides(preset("official"), {"match_end": "rounds", "target": rounds})
    with in_toy_group():
        ring = Ring(2, options, seed=5)
        ring.run(lambda r: all(_opens(p.peer.chain) for p in r.places))
    chains = [place.peer.chain for place in ring.places]
    assert chains[0] is not None
    hands = {
        chain.seat: tuple(chain.own.faces[p] for p in chain.state.hands[chain.seat])
        for chain in chains
        if chain is not None and chain.own is not None and chain.seat is not None
    }
    return chains[0].state, hands


def _opens(chain: object) -> bool:
    state = getattr(chain, "state", None)
    return isinstance(state, TableState) and state.plan.phase is Phase.HANDS


def at_the_end(rounds: int = 2) -> tuple[TableState, dict[Seat, tuple[Face, ...]]]:
    """Return a table whose hands are about to be opened, and what they hold."""
    state, hands = _at_the_end(rounds)
    return deepcopy(state), hands


def opening(state: TableState, seat: Seat, faces: tuple[Face, ...]) -> tuple[Said, Checked]:
    positions = tuple(state.hands[seat])
    checked = CheckedOpening(positions=positions, points=(), faces=faces)
    return Said(hash=bytes(32), body=bodies.OpenedHand(opening=b"")), checked


def results(
    state: TableState, hands: dict[Seat, tuple[Face, ...]]
) -> dict[Seat, tuple[Said, Checked]]:
    return {seat: opening(state, seat, faces) for seat, faces in hands.items() if faces}


def test_opened_hands_are_scored_for_who_went_out() -> None:
    state, hands = at_the_end()
    told: list[notices.Notice] = []
    apply_hands(state, results(state, hands), told)
    (ended,) = told
    assert isinstance(ended, notices.RoundEnded)
    assert {len(hand) for hand in ended.hands} == {len(hand) for hand in hands.values()}
    assert state.round is not None
    assert isinstance(state.round.due, RoundOver)
    assert state.match is not None
    assert state.match.totals == ended.totals
    assert not state.over


def test_who_moved_unlawfully_is_put_out_when_it_comes_out_and_the_round_counts_for_nobody() -> (
    None
):
    state, hands = at_the_end()
    seat, faces = next((seat, faces) for seat, faces in hands.items() if faces)
    due = ClaimDue(
        claim=Claim(cases=(Case(barred=faces[:1]),), broken="drew"),
        drawn=None,
        rest=tuple(state.hands[seat]),
    )
    state.hindsight.moves.append(HiddenMove(step=7, seat=seat, statement=b"s", due=due))
    told: list[notices.Notice] = []
    apply_hands(state, results(state, hands), told)
    assert [(fault.step, fault.seat) for fault in state.faults] == [(7, seat)]
    assert told == [notices.SeatExpelled(seat=seat, step=7, reason="drew")]
    assert state.gone == {seat: "expelled"}
    assert state.void
    assert state.match is not None
    assert set(state.match.totals) == {0}


def test_a_round_that_ended_is_forgotten_and_the_next_begins() -> None:
    state, hands = at_the_end()
    told: list[notices.Notice] = []
    score(state, hands, told)
    end_round(state, told)
    assert state.at is At.COMMIT
    assert state.round_index == 1
    for left in (state.cards, state.shares, state.known, state.hands, state.pile, state.keys):
        assert not left
    assert not state.hindsight.faces


def test_the_end_of_the_last_round_is_the_end_of_the_match() -> None:
    state, hands = at_the_end(rounds=1)
    told: list[notices.Notice] = []
    score(state, hands, told)
    assert not state.over
    end_round(state, told)
    assert state.over
    assert isinstance(told[-1], notices.MatchEnded)


def test_a_card_that_was_played_with_the_word_of_leaving_is_not_scored() -> None:
    state, hands = at_the_end()
    (loser,) = (seat for seat, faces in hands.items() if faces)
    held = dict(zip(state.hands[loser], hands[loser], strict=True))
    scores = []
    for more in ({}, {999: Face.W}):
        here = deepcopy(state)
        here.left_hands = {loser: held | more}
        told: list[notices.Notice] = []
        score(here, {}, told)
        (ended,) = told
        assert isinstance(ended, notices.RoundEnded)
        assert (ended.hands[loser], ended.unopened) == (hands[loser], ())
        scores.append(ended.totals)
    assert scores[0] == scores[1]


def test_a_hand_that_changed_after_it_was_opened_counts_as_one_that_was_not() -> None:
    state, hands = at_the_end()
    (loser,) = (seat for seat, faces in hands.items() if faces)
    state.left_hands = {loser: dict(zip(state.hands[loser][1:], hands[loser][1:], strict=True))}
    told: list[notices.Notice] = []
    score(state, {}, told)
    (ended,) = told
    assert isinstance(ended, notices.RoundEnded)
    assert ended.unopened == (loser,)
    assert sum(ended.totals) == 50 * len(hands[loser])


def test_a_void_round_leaves_the_totals_alone() -> None:
    state, _ = at_the_end()
    assert state.match is not None
    before = state.match.totals
    wipe_round(state)
    assert (state.match.totals, state.round_index, state.round) == (before, 1, None)


@pytest.mark.parametrize(
    ("faces", "why"), [((None,), "no face"), ((Face.R1,), "more often than in the deck")]
)
def test_a_card_that_cannot_be_is_noted_with_its_reason(
    faces: tuple[Face | None, ...], why: str
) -> None:
    state, _ = at_the_end()
    assert not is_doubtful(state)
    note_doubt(state, CheckedDoubt(positions=(1,), points=(), faces=faces))
    assert why in state.doubt
    assert is_doubtful(state)

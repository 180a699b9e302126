"""The end of a round: hands are opened, shuffles replayed, moves checked in hindsight, points counted."""

from collections.abc import Mapping
from typing import Final

from unop2p.ids import Seat
from unop2p.rules import due as dues
from unop2p.rules import facts
from unop2p.rules.cards import Face
from unop2p.rules.match import score_round
from unop2p.rules.round import advance
from unop2p.table import notices
from unop2p.table.checks import Said
from unop2p.table.hindsight import Hindsight
from unop2p.table.presence import expel
from unop2p.table.replay import surplus
from unop2p.table.riders import Guilt
from unop2p.table.sharing import open_hands
from unop2p.table.state import At, TableState
from unop2p.table.work import Checked, CheckedDoubt, CheckedOpening
from unop2p.words import said

KEYS_CANCEL: Final = said("its keys cancel out, so that every card would lie open")
FIRST_HAS_NO_FACE: Final = said("the first card is no face of the deck")

Results = Mapping[Seat, tuple[Said, Checked]]
"""For every seat in the close its statement and what that yields."""


def apply_hands(state: TableState, results: Results, told: list[notices.Notice]) -> None:
    """Take the opened hands: score the round, or ask for the shuffle seeds first."""
    if state.standing is not None:
        open_hands(state, state.standing, results)
        if not state.unopened():
            score(state, state.opened, told)
        return
    opened: dict[Seat, tuple[Face, ...]] = {}
    for seat, (_, checked) in results.items():
        if isinstance(checked, CheckedOpening):
            opened[seat] = checked.faces
            state.hindsight.opened(checked.positions, checked.faces)
        elif isinstance(checked, CheckedDoubt):
            faces = tuple(face for face in checked.faces if face is not None)
            opened[seat] = faces
            if len(faces) != len(checked.faces):
                note_doubt(state, checked)
            else:
                state.hindsight.opened(checked.positions, faces)
    if not state.replayed:
        score(state, opened, told)
        return
    assert state.round is not None
    every = (*state.round.discards, *(face for hand in opened.values() for face in hand))
    if surplus(every, state.deck_faces()) is not None:
        state.doubt = state.doubt or "a card is there more often than in the deck"
    if state.doubt:
        told.append(notices.DealDoubted(reason=state.doubt))
    state.opened = opened
    state.at = At.SEEDS


def apply_seeds(state: TableState, results: Results, told: list[notices.Notice]) -> None:
    """Every shuffle was replayed, and is as its seed says: now the round counts.

    Where a card could not be and no shuffle is false nobody can be named: the round is void. Who does
    not show its seed is put out as who has cheated is, for else a cheat could choose not to be found.
    """
    silent = [seat for seat in state.seed_points if seat not in results]
    for seat in silent:
        put_out_silent(state, seat, told)
    if silent:
        return
    told.append(notices.ShufflesReplayed(steps=len(state.shuffles), seats=len(state.seed_points)))
    if state.doubt:
        state.void = state.doubt
        return
    score(state, state.opened, told)


def put_out_silent(state: TableState, seat: Seat, told: list[notices.Notice]) -> None:
    """Put out a seat that does not show the seed of its shuffles; the round does not count."""
    state.void = said("{name} does not show the seed of its shuffles", name=state.table.names[seat])
    reason = said("it does not show the seed of its shuffles")
    expel(state, Guilt(seat=seat, step=state.step, reason=reason), told, why="silent")


def note_doubt(state: TableState, checked: CheckedDoubt) -> None:
    """Note why a card that was opened cannot be."""
    none = any(face is None for face in checked.faces)
    state.doubt = (
        said("a card is no face of the deck")
        if none
        else said("a card is there more often than in the deck")
    )


def is_doubtful(state: TableState) -> bool:
    """Say whether a card of the round cannot be, and note why."""
    over = isinstance(state.round.due, dues.RoundOver) if state.round is not None else True
    if not over and not state.doubt:
        face = surplus(state.seen(), state.deck_faces())
        if face is not None:
            state.doubt = f"{face} is there more often than in the deck"
    return bool(state.doubt) and not over


def score(
    state: TableState, opened: dict[Seat, tuple[Face, ...]], told: list[notices.Notice]
) -> None:
    """Check what could not be checked before, and score the round.

    Args:
        state: changed in place.
        opened: by seat the faces that were left.
        told: gets what players are told.
    """
    assert state.round is not None
    assert state.match is not None
    found = state.hindsight.faults()
    if found:
        state.faults += found
        state.void = said("a move in it was unlawful")  # Nobody scores, and nobody wins by it.
        for fault in found:
            expel(state, Guilt(seat=fault.seat, step=fault.step, reason=fault.reason), told)
        return
    state.at = At.PLAY
    opened = {**_left_hands(state), **opened}
    unopened = tuple(
        Seat(seat)
        for seat, count in enumerate(state.round.hand_counts)
        if count and Seat(seat) not in opened
    )
    hands = tuple(opened.get(seat, ()) for seat in state.seats)
    fact = facts.HandsOpened(hands=hands, unopened=frozenset(unopened))
    state.round = advance(state.round, fact)
    assert isinstance(state.round.due, dues.RoundOver)
    state.match = score_round(state.match, state.round.due.outcome)
    told.append(
        notices.RoundEnded(
            number=state.round_index + 1,
            outcome=state.round.due.outcome,
            hands=hands,
            totals=state.match.totals,
            unopened=unopened,
        )
    )


def _left_hands(state: TableState) -> dict[Seat, tuple[Face, ...]]:
    """Return the hands of those who left, as far as what they opened then is what they have now.

    Who leaves with the statement that is its move has opened the card that it played, too.
    """
    return {
        seat: tuple(faces[position] for position in state.hands[seat])
        for seat, faces in state.left_hands.items()
        if all(position in faces for position in state.hands[seat])
    }


def end_round(state: TableState, told: list[notices.Notice]) -> None:
    """Wipe what belonged to the round, and begin the next or end the match."""
    assert state.match is not None
    wipe_round(state)
    if state.match.over:
        state.over = True
        told.append(notices.MatchEnded(winners=state.match.winners, totals=state.match.totals))


def wipe_round(state: TableState) -> None:
    """Forget a round; the next one has secrets of its own."""
    state.round_index += 1
    state.at = At.COMMIT
    state.void = ""
    state.members = ()
    state.standing = None
    state.returns = {}
    state.masks = {}
    state.aside = {}
    state.shuffle_left = None
    state.shuffle_inputs = ()
    state.left_hands = {}
    state.round = None
    state.keys = {}
    state.joint = None
    state.cards = {}
    state.shares = {}
    state.known = {}
    state.pile = []
    state.hands = {}
    state.turned = None
    state.drawn = None
    state.moving = ()
    state.last_play = ()
    state.next_position = 0
    state.commits = {}
    state.seed_points = {}
    state.shuffles = []
    state.opened = {}
    state.doubt = ""
    state.hindsight = Hindsight()

"""Who is there: what a close changes about it, and what that means for the round that is being played.

Source: protocol section 4 (away, back, leave, expelled) and section 6. With stand-in the round goes on
as if its shares were still given; the rest of this file is what is done without. A seat that a
close leaves out is away: it is passed over and keeps its hand. The pile is masked under its key too, so
it is set aside, and the discards become a new one under the keys of those who are there. When the seat
is back the old pile is used again, and what it had to draw meanwhile is dealt to it.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Literal

from unop2p.ids import Seat
from unop2p.rules import due as dues
from unop2p.rules import facts
from unop2p.rules.position import TurnPhase, evolve
from unop2p.rules.round import Round, advance
from unop2p.table import notices
from unop2p.table.riders import Guilt, Riders
from unop2p.table.sharing import note_misdealt
from unop2p.table.state import At, TableState
from unop2p.words import said

PLAYERS_MIN = 2
PLENTY = 1_000_000
"""A pile that never runs out."""
BEGINNING = (dues.TurnUpFirstCard, dues.BuryFirstCard)


def change_presence(
    state: TableState,
    step: int,
    before: tuple[Seat, ...],
    left_out: tuple[Seat, ...],
    riders: Mapping[Seat, Riders],
    told: list[notices.Notice],
) -> None:
    """Apply what a close says about who is there, from the next step on.

    Args:
        state: changed in place; what the step itself says was applied before.
        step: the step that has closed.
        before: which members of the round were there until then.
        left_out: active seats without a statement in the close.
        riders: by author, of the statements in the close.
        told: gets what players are told.
    """
    for seat in left_out:
        state.away[seat] = step
        told.append(notices.SeatAway(seat=seat, step=step))
    for author in sorted(riders):
        _take_riders(state, author, riders[author], told)
    note_misdealt(state, step, {author: item.misdealt for author, item in riders.items()})
    for seat in state.gone:
        state.away.pop(seat, None)
    if not state.active and state.voters:
        # Somebody has to be due, or nobody could carry that a seat is back.
        state.away = {}
    if state.gone and state.match is not None:
        state.match = state.match.without(frozenset(state.gone))
    if len(state.voters) < PLAYERS_MIN:
        last_one_wins(state, told)
    elif state.present != before:
        _replan_round(state, before, told)
    elif state.stands and not state.void:
        _keep_told(state, told)


def _take_riders(
    state: TableState, author: Seat, riders: Riders, told: list[notices.Notice]
) -> None:
    for seat, left_at in riders.back:
        if state.away.get(seat) == left_at and seat not in state.gone:
            del state.away[seat]
            state.returns[seat] = state.returns.get(seat, 0) + 1
            told.append(notices.SeatBack(seat=seat))
    for guilt in riders.guilty:
        expel(state, guilt, told)
    if riders.leaves and author not in state.gone:
        state.gone[author] = "left"
        if state.standing is None and author in state.members and state.hands.get(author):
            state.left_hands[author] = dict(riders.hand)
            state.known.update(riders.hand)
            state.hindsight.opened(
                [position for position, _ in riders.hand], [face for _, face in riders.hand]
            )
        told.append(notices.SeatLeft(seat=author))


def expel(
    state: TableState,
    guilt: Guilt,
    told: list[notices.Notice],
    *,
    why: Literal["expelled", "silent"] = "expelled",
) -> None:
    """Put out who was proved to have broken the protocol, or who is treated alike; once."""
    held = state.gone.get(guilt.seat)
    if held == "expelled" or (held is not None and why == "silent"):
        return
    state.gone[guilt.seat] = why
    told.append(notices.SeatExpelled(seat=guilt.seat, step=guilt.step, reason=guilt.reason))


def last_one_wins(state: TableState, told: list[notices.Notice]) -> None:
    """End the match where one seat alone is left."""
    state.over = True
    totals = (0,) * len(state.seats)
    if state.match is not None:
        state.match = replace(state.match, winners=state.voters)
        totals = state.match.totals
    told.append(notices.MatchEnded(winners=state.voters, totals=totals))


def _replan_round(state: TableState, before: tuple[Seat, ...], told: list[notices.Notice]) -> None:
    """Go on with a round in which somebody has gone away or is back."""
    if not state.members or state.void:
        return
    lost = [seat for seat in before if seat not in state.present]
    state.shuffle_left = None
    if state.stands:
        _stand_in(state, told)
        return
    if state.round is None or state.at is At.DEAL or isinstance(state.round.due, BEGINNING):
        if lost:
            state.void = said("{names} went away while it was dealt", names=_names(state, lost))
        return
    if isinstance(state.round.due, dues.ShufflePile) and state.round.due.first_card and lost:
        state.void = said("{names} went away while it was dealt", names=_names(state, lost))
        return
    if state.at is At.MOVE and lost:
        state.void = said("{names} went away while hands were moved", names=_names(state, lost))
        return
    if state.pile:
        state.aside[before] = state.pile
    state.pile = state.aside.pop(state.present, [])
    tell_presence(state, told)


def _stand_in(state: TableState, told: list[notices.Notice]) -> None:
    """Go on with a round in which others act for who is not there: no card is masked anew for it.

    Which hands move, and where to, depends on who is there: that is told once they are where they go.
    """
    assert state.standing is not None
    before = state.round.due if state.round is not None else None
    _keep_told(state, told)
    after = state.round.due if state.round is not None else None
    moves_hands = isinstance(before, dues.PassHands | dues.ShuffleHands)
    if before != after or (moves_hands and state.at is not At.MOVE):
        state.standing.end_shuffle()


def _keep_told(state: TableState, told: list[notices.Notice]) -> None:
    """Tell a round that has begun, or whose hands have moved, who went away meanwhile."""
    if state.round is not None and state.at is not At.MOVE:
        tell_presence(state, told)


def tell_presence(state: TableState, told: list[notices.Notice]) -> None:
    """Tell the round who is not there: passed over, and without stand-in barred from the pile."""
    assert state.round is not None
    if state.at is At.SEEDS or isinstance(state.round.due, dues.RoundOver):
        return
    accused = state.round.due.accused if isinstance(state.round.due, dues.AnswerChallenge) else None
    away = frozenset(seat for seat in state.round.players if seat not in state.present)
    fact = facts.PresenceChanged(away=away, barred=away, pile_count=len(state.pile))
    if state.stands:
        fact = replace(fact, barred=frozenset(), pile_count=state.round.pile_count)
        if away == state.round.away:
            return
    move_round(state, fact)
    if accused in away and accused is not None:
        told.append(notices.ChallengeSettled(accused=accused, shown=None, silent=True))
    if state.round.phase is not TurnPhase.AFTER_DRAW:
        state.drawn = None


def _names(state: TableState, seats: list[Seat]) -> str:
    return ", ".join(state.table.names[seat] for seat in seats)


def move_round(state: TableState, fact: facts.Fact) -> None:
    """Advance the round; note where somebody would have to draw cards that nobody can deal now.

    Raises:
        IllegalMoveError: a move that the rules forbid on what everybody can see.
    """
    assert state.round is not None
    after = advance(state.round, fact)
    if any(state.aside.values()) and not state.void and _falls_short(state.round, fact, after):
        state.void = said("too few cards can be dealt without those who are away")
    state.round = after


def _falls_short(before: Round, fact: facts.Fact, after: Round) -> bool:
    """Say whether fewer cards are dealt next than would be from a pile that never runs out."""
    if isinstance(fact, facts.PresenceChanged):
        fact = replace(fact, pile_count=PLENTY)
    rich = advance(evolve(before, pile_count=PLENTY), fact)
    if not isinstance(rich.due, dues.DealCards):
        return False
    wanted = sum(count for _, count in rich.due.draws)
    match after.due:
        case dues.DealCards(draws=draws):
            return sum(count for _, count in draws) < wanted
        case dues.ShufflePile():
            return after.pile_count + len(after.discards) - 1 < wanted
        case _:
            return True


def too_few(state: TableState) -> bool:
    """Say whether the round has to wait, since fewer than two of its players are there."""
    if state.round is None or isinstance(state.round.due, dues.OpenHands | dues.RoundOver):
        return False
    return sum(seat in state.present for seat in state.round.players) < PLAYERS_MIN

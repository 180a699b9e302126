"""A settled shuffle step: what of it counts, who has still to shuffle, and which numbers come of it."""

from unop2p.ids import Seat
from unop2p.rules import due as dues
from unop2p.rules import facts
from unop2p.rules.position import Round
from unop2p.table import bodies, notices
from unop2p.table.ending import Results
from unop2p.table.hindsight import Renumbered
from unop2p.table.presence import move_round
from unop2p.table.replay import Lists, SettledShuffle
from unop2p.table.standing import Standing
from unop2p.table.state import At, TableState
from unop2p.table.work import CheckedShuffle


def apply_shuffle(state: TableState, results: Results, told: list[notices.Notice]) -> None:
    """Take what was shuffled in the step; once nobody has to shuffle any more, number the cards.

    Each shuffle builds on the one before it. Where one is left out of the close, those after it count
    as not made, without blame, and these seats go on in a next step. Who could have shuffled, since it
    was the first, and has not, is passed over.
    """
    order = state.plan.speakers
    made = _chain(state, results)
    outputs: Lists = made[-1][1] if made else state.plan.inputs
    if state.replayed and made:
        state.shuffles.append(
            SettledShuffle(
                step=state.step,
                first=sum(len(shuffle.inputs) for shuffle in state.shuffles),
                inputs=state.plan.inputs,
                outputs=made,
                masks=state.plan.masks,
            )
        )
    done = {seat for seat, _ in made}
    if state.standing is not None:
        _go_on(state, state.standing, done, results, outputs, told)
        return
    still = tuple(seat for seat in order[1:] if seat in results and seat not in done)
    if any(seat not in results for seat in state.plan.masks):
        return  # Nobody can open what is masked under the key of who is not there: begin anew.
    if still:
        state.shuffle_left, state.shuffle_inputs = still, outputs
        return
    state.shuffle_left, state.shuffle_inputs = None, ()
    _number(state, outputs, told)


def _go_on(
    state: TableState,
    standing: Standing,
    done: set[Seat],
    results: Results,
    outputs: Lists,
    told: list[notices.Notice],
) -> None:
    """End a shuffle whose cards others can act for once t have shuffled, and nobody is still due.

    With fewer, those who shuffled could know the pile, and be fewer than it takes to act for a seat.
    """
    order = state.plan.speakers
    standing.shuffled = (*standing.shuffled, *(seat for seat in order if seat in done))
    if order[0] in results and order[0] not in done:
        standing.passed |= {order[0]}
    still = [s for s in order[1:] if s in results and s not in done and s not in standing.passed]
    state.shuffle_inputs = outputs
    if still or len(standing.shuffled) < standing.threshold:
        return
    standing.end_shuffle()
    state.shuffle_inputs = ()
    _number(state, outputs, told)


def _chain(state: TableState, results: Results) -> tuple[tuple[Seat, Lists], ...]:
    """Return the shuffles that stand: each builds on the one before, the first on the inputs."""
    made: list[tuple[Seat, Lists]] = []
    base = state.head
    for seat in state.plan.speakers:
        item = results.get(seat)
        if item is None:
            break
        said, checked = item
        if not isinstance(checked, CheckedShuffle):
            break
        assert isinstance(said.body, bodies.Shuffled)
        if said.body.base != base:
            break
        made.append((seat, checked.parts))
        base = said.hash
    return tuple(made)


def _number(state: TableState, lists: Lists, told: list[notices.Notice]) -> None:
    """Give the shuffled cards the next free numbers, and put them where they belong."""
    numbered: list[list[int]] = []
    for part in lists:
        numbered.append(list(range(state.next_position, state.next_position + len(part))))
        state.cards.update(zip(numbered[-1], part, strict=True))
        state.masks.update(dict.fromkeys(numbered[-1], state.plan.masks))
        state.next_position += len(part)
    told.append(
        notices.PileShuffled(cards=sum(len(part) for part in lists), proved=not state.replayed)
    )
    if state.round is None:
        assert state.match is not None
        state.pile = numbered[0]
        state.round = state.match.start_round(members=state.members)
        state.at = At.DEAL
        return
    _place(state, state.round, numbered)


def _place(state: TableState, round_: Round, numbered: list[list[int]]) -> None:
    match round_.due:
        case dues.ShufflePile(first_card=True):
            state.pile = numbered[0]
            state.turned = None
            state.known = {}
            move_round(state, facts.PileShuffled())
        case dues.ShufflePile():
            state.pile += numbered[0]
            move_round(state, facts.PileShuffled())
        case dues.PassHands(moves=moves):
            givers = [giver for giver, _ in moves if state.hands[giver]]
            for giver, fresh in zip(givers, numbered, strict=True):
                _renumber(state, state.hands[giver], fresh)
            receivers = [receiver for giver, receiver in moves if state.hands[giver]]
            state.moving = tuple(
                (position, receiver)
                for positions, receiver in zip(numbered, receivers, strict=True)
                for position in positions
            )
            _take_hands(state, tuple(giver for giver, _ in moves))
        case dues.ShuffleHands(counts=counts):
            held = [p for seat in round_.active for p in state.hands[seat]]
            _renumber(state, held, numbered[0])
            left = dict(counts)
            takers: list[Seat] = []
            while any(left.values()):
                for seat, _ in counts:
                    if left[seat]:
                        left[seat] -= 1
                        takers.append(seat)
            state.moving = tuple(zip(numbered[0], takers, strict=True))
            _take_hands(state, round_.active)
        case _:
            message = f"a shuffle was not due: {round_.due}"
            raise AssertionError(message)
    if state.moving:
        state.at = At.MOVE


def _renumber(state: TableState, old: list[int], new: list[int]) -> None:
    state.hindsight.shuffles.append(Renumbered(old=tuple(old), new=tuple(new)))


def _take_hands(state: TableState, givers: tuple[Seat, ...]) -> None:
    """Forget the hands that were shuffled: their cards go on under new numbers."""
    for seat in givers:
        for position in state.hands[seat]:
            state.forget(position)
        state.hands[seat] = []

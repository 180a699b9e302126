"""Of a shuffle step that a seat was left out of: what counts, and who goes on."""

import copy
from functools import cache

from tests.peer.standing import chain_of, standing_in
from unop2p.ids import Seat
from unop2p.peer.checking import said_in
from unop2p.table import bodies, notices
from unop2p.table.checks import Said
from unop2p.table.ending import Results
from unop2p.table.phases import Phase
from unop2p.table.shuffling import apply_shuffle
from unop2p.table.state import At, TableState
from unop2p.table.work import Checked, Nothing


@cache
def _shuffled() -> tuple[TableState, dict[Seat, tuple[Said, Checked]]]:
    with standing_in(Phase.SHUFFLE) as ring:
        chain = chain_of(ring, 0)
        before = copy.deepcopy(chain.state)
        ring.run(lambda _: all(chain.is_done(seat) for seat in before.seats))
        said = said_in(chain.open)
        hashes = {seat: held.signed.hash for seat, held in chain.open.statements.items()}
        found = {s: (said[s], chain.checks.results[hashes[s]][0]) for s in said}
        return before, found


def shuffled() -> tuple[TableState, dict[Seat, tuple[Said, Checked]], tuple[Seat, ...]]:
    """Return a table before a shuffle step, what all have said in it, and the order."""
    state, results = _shuffled()
    state = copy.deepcopy(state)
    return state, dict(results), state.plan.speakers


def assent() -> tuple[Said, Checked]:
    return Said(hash=b"assent", body=bodies.Assent()), Nothing()


def apply(state: TableState, results: Results) -> list[notices.Notice]:
    told: list[notices.Notice] = []
    apply_shuffle(state, results, told)
    return told


def test_a_whole_shuffle_is_numbered_under_the_keys_of_all() -> None:
    state, results, order = shuffled()
    (told,) = apply(state, results)
    assert isinstance(told, notices.PileShuffled)
    assert state.at is At.DEAL
    assert len(state.pile) == told.cards
    assert {state.masks[position] for position in state.pile} == {tuple(sorted(order))}


def test_who_could_not_shuffle_goes_on_in_a_next_step_from_where_it_stands() -> None:
    state, results, (first, second, last) = shuffled()
    results[second] = results[last] = assent()
    assert apply(state, results) == []
    assert state.shuffle_left == (second, last)
    assert state.plan_deck().speakers == (second, last)
    made = results[first][1]
    assert state.plan_deck().inputs == made.parts  # type: ignore[union-attr]  # a shuffle


def test_who_comes_first_and_does_not_shuffle_is_passed_over() -> None:
    state, results, (first, second, last) = shuffled()
    before = state.plan.inputs
    for seat in (first, second, last):
        results[seat] = assent()
    apply(state, results)
    assert state.shuffle_left == (second, last)
    assert state.shuffle_inputs == before


def test_what_builds_on_a_shuffle_that_is_not_there_counts_as_not_made() -> None:
    state, results, (_, second, last) = shuffled()
    results[second] = assent()
    apply(state, results)
    assert state.shuffle_left == (second, last)


def test_without_one_whose_key_masks_the_cards_nothing_of_it_is_used() -> None:
    state, results, (_, second, _) = shuffled()
    del results[second]
    assert apply(state, results) == []
    assert state.shuffle_left is None
    assert not state.pile

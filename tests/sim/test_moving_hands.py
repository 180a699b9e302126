"""Hands that move from seat to seat, at tables of every size: who gets what, and who can read it."""

from collections import Counter
from contextlib import nullcontext
from dataclasses import dataclass
from functools import cache

import pytest

from tests.sim.cases import NAMES, Script
from tests.sim.rigged import arranged, stacked
from tests.sim.test_secrecy import hidden, read_public
from unop2p.deal.group import Point
from unop2p.ids import Seat
from unop2p.peer.chain import Chain
from unop2p.rules.cards import HAND_SIZE, Face, deck_for
from unop2p.rules.options import Options, preset, with_overrides
from unop2p.sim.ring import Ring
from unop2p.sim.toy import in_toy_group
from unop2p.table import notices
from unop2p.table.phases import Phase
from unop2p.table.state import TableState

SEATS = range(2, 11)
TOP = Face.R5


@dataclass(frozen=True)
class Moving:
    """A card that moves hands, at a table where it does."""

    card: Face
    changes: tuple[tuple[str, str], ...]
    asks_seat: bool

    def options(self) -> Options:
        one_round = {"match_end": "rounds", "target": 1}
        return with_overrides(preset("official"), one_round | dict(self.changes))


KINDS = {
    "rotate": Moving(Face.R0, (("hand_moves", "zero_rotates"),), asks_seat=False),
    "swap": Moving(Face.R7, (("hand_moves", "seven_swaps"),), asks_seat=True),
    "swap-card": Moving(Face.WX, (("deck", "112_swap"),), asks_seat=True),
    "shuffle": Moving(Face.WH, (("deck", "112_shuffle"),), asks_seat=False),
}


def deck(kind: Moving, seats: int) -> list[Face]:
    """Return a deck in which the first player holds the card, and the top lets it be played."""
    cards = list(deck_for(kind.options()))
    cards.remove(kind.card)
    cards.remove(TOP)
    others = cards[:: len(cards) // (HAND_SIZE * seats)]  # of every color
    hands = [others[HAND_SIZE * seat : HAND_SIZE * (seat + 1)] for seat in range(seats)]
    hands[0][0] = kind.card
    return stacked([" ".join(hand) for hand in hands], TOP)


def chains(ring: Ring) -> list[Chain]:
    return [place.peer.chain for place in ring.places if place.peer.chain is not None]


def ready(ring: Ring, phase: Phase) -> bool:
    held = chains(ring)
    return len(held) == len(ring.places) and all(chain.state.plan.phase is phase for chain in held)


@cache
def first_player(seats: int) -> Seat:
    """Return who sits left of the dealer in the ring of this seed."""
    kind = KINDS["rotate"]
    with in_toy_group(), arranged(deck(kind, seats)):
        ring = Ring(seats, kind.options(), seed=9)
        ring.run(lambda r: ready(r, Phase.TURN))
        return chains(ring)[0].state.plan.speakers[0]


def held(ring: Ring) -> dict[Seat, Counter[Face]]:
    """Return what each seat reads in its own hand."""
    found: dict[Seat, Counter[Face]] = {}
    for chain in chains(ring):
        assert chain.seat is not None
        assert chain.own is not None
        found[chain.seat] = Counter(chain.own.hand(chain.state))
    return found


@dataclass(frozen=True)
class Before:
    """A table right before the card is played."""

    hands: dict[Seat, Counter[Face]]
    masks: set[Point]


def moved(kind: Moving, seats: int, target: Seat) -> tuple[Ring, Before]:
    """Let the first player play the card; return the table after the hands have moved, and before."""
    color = ":R" if kind.card.is_wild else ""
    aim = f" {NAMES[target]}" if kind.asks_seat else ""
    script = Script(f"play {kind.card}{color}{aim}")
    ring = Ring(seats, kind.options(), seed=9, player=script)
    ring.run(lambda r: ready(r, Phase.TURN))
    cards = chains(ring)[0].state.cards.values()
    before = Before(held(ring), {point for card in cards for point in (card.c1, card.c2)})
    ring.run(
        lambda r: all(
            any(isinstance(notice, notices.HandsMoved) for notice in place.notices)
            for place in r.places
        )
    )
    return ring, before


def check_nobody_else_reads(state: TableState) -> None:
    """Every hand card lacks its holder's share and no other, and all traffic opens none."""
    looked = 0
    for seat, position in hidden(state):
        if seat is not None:
            looked += 1
            assert set(state.shares[position]) == set(state.seats) - {seat}
            if len(state.seats) <= 6 or looked % 5 == 0:  # the reader tries every subset of shares
                assert read_public(state, position) is None
    assert looked >= HAND_SIZE * len(state.seats) - 1


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "seats"),
    [
        *((name, seats) for name in ("rotate", "swap", "shuffle") for seats in SEATS),
        ("swap-card", 2),
        ("swap-card", 5),
    ],
)
def test_hands_move_whole_and_only_their_new_holders_read_them(name: str, seats: int) -> None:
    kind, player = KINDS[name], first_player(seats)
    target = Seat((player + 1) % seats)
    with in_toy_group(), arranged(deck(kind, seats)):
        ring, before = moved(kind, seats, target)
        check(kind, ring, before, player, target)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["swap", "shuffle"])
def test_hands_move_in_the_real_group_too(name: str) -> None:
    kind, player = KINDS[name], first_player(3)
    target = Seat((player + 1) % 3)
    with nullcontext(), arranged(deck(kind, 3)):
        ring, before = moved(kind, 3, target)
        check(kind, ring, before, player, target)


def check(kind: Moving, ring: Ring, start: Before, player: Seat, target: Seat) -> None:
    before = start.hands | {player: start.hands[player] - Counter([kind.card])}
    after = held(ring)
    state = chains(ring)[0].state
    assert state.round is not None
    order = state.round.players
    match kind.card:
        case Face.WH:
            every = sum(before.values(), Counter[Face]())
            assert sum(after.values(), Counter[Face]()) == every
            sizes = [after[seat].total() for seat in state.round.around(player)]
            assert sizes == sorted(sizes, reverse=True)
            assert sizes[0] - sizes[-1] <= 1
        case Face.R0:
            for place, seat in enumerate(order):
                assert after[seat] == before[order[place - 1]]
        case _:
            assert after == before | {player: before[target], target: before[player]}
    for chain in chains(ring):
        for seat, hand in chain.state.hands.items():
            assert len(hand) == after[seat].total()
        check_nobody_else_reads(chain.state)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["swap", "shuffle"])
def test_no_card_that_moves_keeps_a_mask_by_which_its_giver_could_follow_it(name: str) -> None:
    kind, player = KINDS[name], first_player(4)
    with in_toy_group(), arranged(deck(kind, 4)):
        ring, before = moved(kind, 4, Seat((player + 1) % 4))
        state = chains(ring)[0].state
        new = [
            state.cards[position]
            for seat, hand in state.hands.items()
            for position in hand
            if name == "shuffle" or seat in {player, Seat((player + 1) % 4)}
        ]
        assert len(new) >= 13
        assert not {point for card in new for point in (card.c1, card.c2)} & before.masks

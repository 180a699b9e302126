"""What our own player wants, and what it is told where the rules refuse it."""

import pytest

from tests.sim.rigged import NAME, rigged, stacked
from unop2p.errors import IllegalMoveError
from unop2p.ids import Seat
from unop2p.peer import events
from unop2p.rules.cards import Color, Face
from unop2p.rules.moves import Draw, Move, Pass, Play
from unop2p.rules.options import Options, preset, with_overrides
from unop2p.sim.ring import Ring
from unop2p.table.commands import MakeMove
from unop2p.table.phases import Phase

HANDS = ("R1 W W4 G9 Y1 Y2 Y3", "B1 B2 B3 B4 B5 B6 B7")


def rules(**changes: object) -> Options:
    return with_overrides(preset("official"), changes)


def at_turn(options: Options, *, drawn: bool = False) -> tuple[Ring, int]:
    """Return a table that waits for the move of the seat with the first hand; R9 lies on top."""
    ring = Ring(2, options, seed=9, argument=NAME, player=lambda *_: Draw())

    def asked(phase: bool) -> list[int]:
        return [
            index
            for index, place in enumerate(ring.places)
            if place.peer.chain is not None
            and place.peer.chain.state.plan.phase is Phase.TURN
            and place.peer.chain.state.plan.speakers == (place.peer.chain.seat,)
            and (place.peer.chain.state.drawn is not None) == phase
            and not place.peer.chain.making
        ]

    ring.run(lambda _: bool(asked(drawn)))
    (index,) = asked(drawn)
    return ring, index


def said(ring: Ring, index: int, move: Move) -> str:
    """Return why a seat's own program refuses a move; nothing is said for it."""
    peer = ring.places[index].peer
    assert peer.chain is not None
    before = dict(peer.chain.open.statements)
    with pytest.raises(IllegalMoveError) as caught:
        peer.handle(events.Asked(command=MakeMove(move=move)), now_ms=ring.now_ms)
    assert peer.chain.open.statements == before
    return str(caught.value)


WILD = Play(cards=(Face.W,), color=Color.BLUE)
FOUR = Play(cards=(Face.W4,), color=Color.BLUE)


@pytest.mark.parametrize(
    ("options", "move", "why"),
    [
        (rules(wild_condition="no_colored_match"), WILD, "W refused: you hold R1"),
        (rules(wd4_challenge="off"), FOUR, "W4 refused: you hold R1"),
        (
            rules(wd4_challenge="off", wd4_condition="no_other_playable"),
            FOUR,
            "W4 refused: you hold",
        ),
        (rules(voluntary_draw=False), Draw(), "Draw refused: you hold R1"),
    ],
)
@pytest.mark.parametrize("checks", ["audit", "proved"])
def test_a_move_that_ones_own_cards_forbid_is_refused_with_the_card(
    options: Options, move: Move, why: str, checks: str
) -> None:
    with rigged(stacked(HANDS, "R9")):
        ring, index = at_turn(with_overrides(options, {"hidden_checks": checks}))
        assert why in said(ring, index, move)


@pytest.mark.parametrize(
    ("options", "pile", "move", "why"),
    [
        (rules(drawn_card="must_play"), "R3", Pass(), "the drawn card R3 has to be played"),
        (rules(draw_until_playable=True), "B3", Pass(), "B3 does not fit, draw on"),
        (rules(draw_until_playable=True), "R3", Draw(), "the drawn card R3 fits"),
    ],
)
def test_what_the_drawn_card_forbids_is_refused_with_the_reason(
    options: Options, pile: str, move: Move, why: str
) -> None:
    with rigged(stacked(HANDS, f"R9 {pile}")):
        ring, index = at_turn(options, drawn=True)
        assert why in said(ring, index, move)


def test_who_is_not_asked_is_told_so() -> None:
    with rigged(stacked(HANDS, "R9")):
        ring, index = at_turn(rules())
        assert "not your turn" in said(ring, Seat(1 - index), Play(cards=(Face.B1,)))

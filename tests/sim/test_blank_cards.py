"""Blank cards with a meaning, partners and several decks through the real protocol, and audited."""

import random

import pytest

from tests.sim.cases import ONE_ROUND, Script
from tests.sim.rigged import NAME, rigged, stacked
from unop2p.bots.levels import make_bot
from unop2p.deal.entropy import seeded_entropy
from unop2p.deal.keys import derive_round_keys, joint_key
from unop2p.deal.masking import FaceTable, trivial_cards
from unop2p.deal.proved import ProvedShuffle
from unop2p.deal.transcript import ProofContext
from unop2p.ids import Seat
from unop2p.log.messages import Statement
from unop2p.rules.cards import Kind, deck_for
from unop2p.rules.moves import Move, Play
from unop2p.rules.options import PRESETS, Options, with_overrides
from unop2p.rules.view import PlayerView
from unop2p.sim.ring import Player, Ring
from unop2p.table import notices
from unop2p.table.bodies import Shuffled, ShuffledPart
from unop2p.wire import codec
from unop2p.wire.audit import Finding, audit
from unop2p.wire.sealing import ENVELOPE_BYTES_MAX

HANDS = ("R1 R2 R3 G4 G5 WB1 WB2", "B1 B2 B3 B4 B5 B6 WB3", "Y1 Y2 Y3 Y4 Y5 Y6 Y7")
ONLY = {
    "discard": ["broom x1: discard color"],
    "all": [
        "storm: rotate hands, draw 2 others, skip next",
        "trade: choose color, reverse, swap hands, draw 1 chosen",
        "mix: discard color, shuffle hands, play again",
    ],
}


def blanks_first(
    seat: int, view: PlayerView, legal: tuple[Move, ...], rng: random.Random
) -> Move | None:
    """Play a blank card where one is held, taking along what it can; else as the random bot."""
    blanks = [m for m in legal if isinstance(m, Play) and m.cards[0].kind is Kind.BLANK]
    most = max((len(play.cards) for play in blanks), default=0)
    ways = [play for play in blanks if len(play.cards) == most]
    if ways:
        return rng.choice(ways)
    return make_bot("random").choose(view, legal, rng)


def played(options: Options, seats: int, player: Player) -> Ring:
    """Play a round to its end; every record must audit as complete, with one head."""
    ring = Ring(seats, options, seed=5, player=player, argument=NAME)
    ring.run()
    assert len(ring.heads()) == 1
    for place in ring.places:
        assert place.stop is not None
        assert place.stop.exit_code == 0, place.stop.reason
        report = audit(place.record)
        assert report.finding is Finding.COMPLETE, report.reason
    return ring


def moves(ring: Ring) -> list[Play]:
    """Return every play that was settled."""
    told = ring.places[0].notices
    made = [notice.move for notice in told if isinstance(notice, notices.MoveMade)]
    return [move for move in made if isinstance(move, Play)]


@pytest.mark.slow
def test_a_blank_takes_a_whole_color_along_in_one_play() -> None:
    options = with_overrides(ONE_ROUND, {"blank_cards": ["broom x3: discard color"]})
    hands = ("R1 R2 R3 G4 G5 WB1 WB1", "B1 B2 B3 B4 B5 B6 B7")
    script = Script("play WB1 R1 R2 R3; play B1; play WB1 G4 G5")
    with rigged(stacked(hands, "B9")):
        ring = played(options, 2, script)
    assert [len(play.cards) for play in moves(ring)] == [4, 1, 3]
    ended = [n for n in ring.places[1].notices if isinstance(n, notices.RoundEnded)]
    assert max(ended[0].outcome.points) == sum(range(2, 8))


@pytest.mark.slow
def test_a_drawn_blank_takes_cards_along_too() -> None:
    options = with_overrides(ONE_ROUND, {"blank_cards": ["broom x3: discard color"]})
    hands = ("R1 R2 R3 R4 R5 R6 R7", "B1 B2 B3 B4 B5 B6 B7")
    script = Script("draw; play WB1 R1 R2 R3 R4 R5 R6 R7")
    with rigged(stacked(hands, "G9 WB1")):
        ring = played(options, 2, script)
    assert [len(play.cards) for play in moves(ring)] == [8]


@pytest.mark.slow
def test_hands_move_and_several_seats_draw_by_one_card() -> None:
    options = with_overrides(ONE_ROUND, {"blank_cards": ONLY["all"]})
    with rigged(stacked(HANDS, "R9")):
        ring = played(options, 3, blanks_first)
    used = {play.cards[0].value for play in moves(ring)}
    assert used >= {"WB1", "WB2", "WB3"}
    told = ring.places[0].notices
    assert sum(isinstance(notice, notices.HandsMoved) for notice in told) >= 3
    assert sum(isinstance(notice, notices.CardsDrawn) for notice in told) >= 4


@pytest.mark.slow
def test_partners_with_two_decks_and_blanks_play_a_round() -> None:
    options = with_overrides(
        PRESETS["romanian"],
        {
            "match_end": "rounds",
            "target": 1,
            "deck": "112_swap",
            "decks": 2,
            "teams": True,
            "dealer_selection": "chosen",
            "first_dealer": "p2",
            "blank_cards": ONLY["all"],
        },
    )
    with rigged():
        ring = played(options, 4, blanks_first)
    told = ring.places[0].notices
    dealer = next(notice for notice in told if isinstance(notice, notices.DealerDrawn))
    assert dealer.dealer == 2
    (ended,) = (notice for notice in told if isinstance(notice, notices.RoundEnded))
    order = dealer.order
    for seat, other in ((order[0], order[2]), (order[1], order[3])):
        assert ended.totals[seat] == ended.totals[other]
    (over,) = (notice for notice in told if isinstance(notice, notices.MatchEnded))
    assert len(over.winners) == 2


@pytest.mark.slow
def test_a_shuffle_of_four_decks_fits_into_one_envelope() -> None:
    options = with_overrides(PRESETS["official"], {"decks": 4})
    entropy = seeded_entropy(b"four decks")
    context = ProofContext(
        table_id=bytes(16), round_index=0, step=2, head=bytes(32), author=bytes(32), joint_key=b""
    )
    keys = derive_round_keys(bytes(32), table_id=bytes(16), round_index=0, seat=Seat(0))
    joint = joint_key([keys.public])
    faces = [str(face) for face in deck_for(options)]
    assert len(faces) == 448
    table = FaceTable(sorted(set(faces)))
    deck = trivial_cards([table.point(face) for face in faces], joint)
    outputs, proof = ProvedShuffle().shuffle(context, joint, deck, entropy)
    part = ShuffledPart(cards=outputs, proof=proof)
    body = Shuffled(base=bytes(32), parts=(part,))
    payload = codec.encode(Statement(table=bytes(16), step=2, head=bytes(32), body=body))
    assert len(payload) + 1024 < ENVELOPE_BYTES_MAX

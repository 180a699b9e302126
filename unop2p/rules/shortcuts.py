"""Steps of a round made at once that `advance` makes one after another: what happens most of the time.

Each gives the same round as the facts that it stands for; `transition.py` and `dealt.py` take them.
"""

from collections.abc import Collection

from unop2p.ids import Seat
from unop2p.rules import due as dues
from unop2p.rules.blanks import HandMove
from unop2p.rules.cards import Color, Face
from unop2p.rules.fits import plain_faces
from unop2p.rules.moves import Play
from unop2p.rules.position import Resume, Round, TurnPhase, evolve

NOBODY: frozenset[Seat] = frozenset()


def is_plain(round_: Round, play: Play, left: int) -> bool:
    """Return whether nobody can react to a play and it does nothing: most plays are so.

    Nobody can react to what leaves two cards, and a call is out of place with it.
    """
    options = round_.options
    return (
        left > 1
        and round_.attack is None
        and not round_.fouled
        and not play.uno
        and options.jump_in == "off"
        and play.cards[0] in plain_faces(options.hand_moves)
    )


def play_plain(round_: Round, seat: Seat, play: Play, left: int) -> Round:
    """Play a card of which `is_plain` holds."""
    cards = play.cards
    counts, called = with_count(round_, seat, left)
    turn = round_.next_seat(seat)
    return evolve(
        round_,
        discards=round_.discards + cards,
        color=play.color or cards[0].color,
        actor=seat,
        phase=TurnPhase.START,
        turn=turn,
        hand_counts=counts,
        called=called,
        dry=after_play(round_, seat, cards[0]),
        idle=0,
        fined=NOBODY,
        due=dues.turn_due(turn),
    )


def draw_and_keep(round_: Round) -> Round:
    """Return the round after the seat in turn has drawn a card from the pile, and passed.

    The same as `Draw`, `CardsDealt` and `Pass` one after another: most draws are so.
    """
    seat = round_.turn
    assert round_.phase is TurnPhase.START
    assert round_.pile_count
    turn = round_.next_seat(seat)
    counts, called = with_count(round_, seat, round_.hand_counts[seat] + 1)
    return evolve(
        round_,
        turn=turn,
        hand_counts=counts,
        called=called,
        dry=after_draw(round_, seat),
        pile_count=round_.pile_count - 1,
        resume=Resume.DRAWN,
        idle=0,
        fined=NOBODY,
        fouled=False,
        due=dues.turn_due(turn),
    )


def draw_one(round_: Round) -> Round:
    """Return the round after the seat in turn has drawn a card from the pile.

    The same as `Draw` and `CardsDealt` one after another.
    """
    seat = round_.turn
    assert round_.phase is TurnPhase.START
    assert round_.pile_count
    counts, called = with_count(round_, seat, round_.hand_counts[seat] + 1)
    return evolve(
        round_,
        hand_counts=counts,
        called=called,
        dry=after_draw(round_, seat),
        pile_count=round_.pile_count - 1,
        phase=TurnPhase.AFTER_DRAW,
        resume=Resume.DRAWN,
        idle=0,
        fouled=False,
        due=dues.turn_due(seat),
    )


def accept_and_draw(round_: Round) -> Round:
    """Return the round after the seat in turn has accepted an attack and drawn its cards.

    The same as `Accept` and `CardsDealt` one after another, where the pile has enough.
    """
    attack, seat = round_.attack, round_.turn
    assert attack is not None
    assert 0 < attack.cards <= round_.pile_count
    turn = round_.next_seat(seat)
    counts, called = with_count(round_, seat, round_.hand_counts[seat] + attack.cards)
    return evolve(
        round_,
        attack=None,
        phase=TurnPhase.START,
        turn=turn,
        hand_counts=counts,
        called=called,
        dry=without_seats(round_, (seat,)),
        pile_count=round_.pile_count - attack.cards,
        effect=HandMove.STAY,
        effect_target=None,
        owed=(),
        resume=Resume.NEW_TURN,
        fined=NOBODY,
        fouled=False,
        due=dues.turn_due(turn),
    )


def after_play(round_: Round, seat: Seat, face: Face) -> frozenset[tuple[Seat, Color]]:
    """Return `Round.dry` once a seat has played a card: it holds that color after all."""
    color = face.color
    return round_.dry if color is None or not round_.dry else round_.dry - {(seat, color)}


def after_draw(round_: Round, seat: Seat) -> frozenset[tuple[Seat, Color]]:
    """Return `Round.dry` once a seat has drawn of itself."""
    return round_.dry if round_.color is None else round_.dry | {(seat, round_.color)}


def without_seats(round_: Round, seats: Collection[Seat]) -> frozenset[tuple[Seat, Color]]:
    """Return `Round.dry` once seats hold cards of which nothing is known."""
    if not round_.dry:
        return round_.dry
    return frozenset(item for item in round_.dry if item[0] not in seats)


def with_count(round_: Round, seat: Seat, count: int) -> tuple[tuple[int, ...], frozenset[Seat]]:
    """Return hand counts and calls once a seat holds so many cards."""
    held, called = round_.hand_counts, round_.called
    counts = (*held[:seat], count, *held[seat + 1 :])
    return counts, called - {seat} if called and count != 1 else called

"""Steps of a round made at once that `advance` makes one after another: what happens most of the time.

Each leaves the round as the facts would for which it stands. They change it in its place, so a round
is given to them only by who holds it alone: `transition.py` gives a copy, `dealt.py` its own. A round
is a frozen value for everybody else, and a copy of it costs more than all that is changed here.
"""

from collections.abc import Collection
from typing import Final

from unop2p.ids import Seat
from unop2p.rules.cards import BLANK, STAY, Color, Face
from unop2p.rules.consequences import strike
from unop2p.rules.due import REACTIONS, TURNS
from unop2p.rules.moves import Play
from unop2p.rules.position import (
    AFTER_DRAW,
    ATTACKED,
    DRAWN,
    NEW_TURN,
    REACTION,
    START,
    Attack,
    Round,
    TurnPhase,
    evolve,
    next_seats,
)
from unop2p.rules.sheet import Sheet

NOBODY: Final[frozenset[Seat]] = frozenset()
FOUR: Final = Face.W4
PLAIN: Final = frozenset(face for face in Face if face.number is not None) | {Face.W}
"""What strikes nobody."""


def play_quiet(round_: Round, sheet: Sheet, seat: Seat, play: Play, left: int) -> bool:
    """Make a play that is done with at once: no hand moves, nobody is fined or may jump in.

    The one thing that may be due is a reaction to what leaves one card without a call.

    Args:
        round_: the position.
        sheet: of the options of the round.
        seat: who plays.
        play: known to be lawful.
        left: how many cards it leaves.

    Returns:
        Whether it was made; False where it is another play, and nothing has changed.
    """
    cards = play.cards
    face = cards[0]
    if left < 1 or face not in sheet.quiet or (left > 1 and play.uno):
        return False
    held = round_.__dict__
    if face in PLAIN:
        held["turn"] = turn = next_seats(round_.players, round_.away, round_.direction)[seat]
        held["phase"] = START
    else:
        _strike(round_, seat, face, left)
        turn = round_.turn
    counts = list(round_.hand_counts)
    counts[seat] = left
    held["hand_counts"] = tuple(counts)
    held["discards"] += cards
    held["color"] = play.color or face.color
    held["actor"] = seat
    dry = round_.dry
    if dry and (seat, face.color) in dry:
        held["dry"] = after_play(round_, seat, face)
    held["idle"] = 0
    held["fouled"] = False
    if left == 1 and round_.options.uno_penalty:
        if not play.uno:
            held["catchable"] = frozenset((seat,))
            held["due"] = REACTIONS[seat]
            return True
        held["called"] |= {seat}
    elif round_.called:
        held["called"] -= {seat}
    held["fined"] = NOBODY
    held["due"] = TURNS[turn]
    return True


def _strike(round_: Round, seat: Seat, face: Face, left: int) -> None:
    held = round_.__dict__
    before = round_.attack
    direction, turn, attack = strike(round_, seat, face, answering=before)
    if face is FOUR and attack is not None and before is None:
        attack = doubtful(round_, attack, left)
    held["direction"] = direction
    held["turn"] = turn
    held["attack"] = attack
    held["phase"] = START if attack is None else ATTACKED


def doubtful(round_: Round, attack: Attack, left: int) -> Attack:
    """Return a Wild Draw Four's attack with what a challenge is judged by.

    Args:
        round_: the position before the play.
        attack: what the card strikes with.
        left: cards of the hand as the play leaves it.
    """
    challenged = round_.options.wd4_challenge != "off"
    return Attack(
        kind=attack.kind,
        cards=attack.cards,
        by=attack.by,
        forbidden=round_.wd4_forbidden() if challenged else None,
        hand_count=left,
        prior_color=round_.color,
    )


def draw_one(round_: Round, *, keep: bool) -> None:
    """Let the seat in turn draw a card from the pile.

    The same as `Draw` and then `CardsDealt`; with `keep` as these and then `Pass`.
    """
    seat, held = round_.turn, round_.__dict__
    counts = list(round_.hand_counts)
    counts[seat] += 1
    held["hand_counts"] = tuple(counts)
    if round_.called:
        held["called"] -= {seat}
    held["dry"] = after_draw(round_, seat)
    held["pile_count"] -= 1
    held["resume"] = DRAWN
    held["idle"] = 0
    held["fouled"] = False
    if keep:
        held["turn"] = seat = next_seats(round_.players, round_.away, round_.direction)[seat]
        held["fined"] = NOBODY
    else:
        held["phase"] = AFTER_DRAW
    held["due"] = TURNS[seat]


def keep_drawn(round_: Round) -> None:
    """Let the seat in turn keep the card that it has drawn: the same as `Pass`."""
    held = round_.__dict__
    held["fouled"] = False
    held["phase"] = START
    following = next_seats(round_.players, round_.away, round_.direction)
    held["turn"] = turn = following[round_.turn]
    held["fined"] = NOBODY
    held["due"] = TURNS[turn]


def accept_and_draw(round_: Round) -> None:
    """Let the seat in turn accept an attack with cards and draw them.

    The same as `Accept` and `CardsDealt` one after another, where the pile has enough.
    """
    seat, held = round_.turn, round_.__dict__
    cards = held["attack"].cards
    held["hand_counts"], held["called"] = with_count(
        round_, seat, held["hand_counts"][seat] + cards
    )
    held["dry"] = without_seats(round_, (seat,))
    held["pile_count"] -= cards
    held["attack"] = None
    held["phase"] = START
    held["turn"] = turn = round_.next_seat(seat)
    held["resume"] = NEW_TURN
    held["fined"] = NOBODY
    held["fouled"] = False
    held["due"] = TURNS[turn]


def is_calm(round_: Round) -> bool:
    """Return whether a play that is reacted to does nothing more, and can be caught at most."""
    return (
        round_.effect is STAY
        and round_.options.jump_in == "off"
        and round_.discards[-1].kind is not BLANK
    )


def call_or_catch(round_: Round, caught: Seat | None, called: Seat | None) -> None:
    """End a reaction to a play of which `is_calm` holds, and in which one seat can be caught.

    The same as `Reacted`, and `CardsDealt` where somebody is caught and the pile has enough.

    Args:
        round_: the position.
        caught: who is caught.
        called: who calls in time. With neither nobody says anything.
    """
    held = round_.__dict__
    if called is not None:
        held["called"] |= {called}
    elif caught is not None:
        penalty = round_.options.uno_penalty
        count = round_.hand_counts[caught] + penalty
        held["hand_counts"], held["called"] = with_count(round_, caught, count)
        held["dry"] = without_seats(round_, (caught,))
        held["pile_count"] -= penalty
        held["resume"] = REACTION
    held["catchable"] = NOBODY
    held["fined"] = NOBODY
    held["fouled"] = False
    held["due"] = TURNS[round_.turn]


def after_play(round_: Round, seat: Seat, face: Face) -> frozenset[tuple[Seat, Color]]:
    """Return `Round.dry` once a seat has played a card: it holds that color after all."""
    color = face.color
    return round_.dry if color is None or not round_.dry else round_.dry - {(seat, color)}


def after_draw(round_: Round, seat: Seat) -> frozenset[tuple[Seat, Color]]:
    """Return `Round.dry` once a seat has drawn of itself."""
    color, dry = round_.color, round_.dry
    return dry if color is None or (seat, color) in dry else dry | {(seat, color)}


def without_seats(round_: Round, seats: Collection[Seat]) -> frozenset[tuple[Seat, Color]]:
    """Return `Round.dry` once seats hold cards of which nothing is known."""
    if not round_.dry:
        return round_.dry
    return frozenset(item for item in round_.dry if item[0] not in seats)


def with_count(round_: Round, seat: Seat, count: int) -> tuple[tuple[int, ...], frozenset[Seat]]:
    """Return hand counts and calls once a seat holds so many cards; a call stands for a single one."""
    counts, called = list(round_.hand_counts), round_.called
    counts[seat] = count
    return tuple(counts), called - {seat} if called and count != 1 else called


def begin_turn(
    round_: Round,
    *,
    turn: Seat | None = None,
    phase: TurnPhase | None = None,
    catchable: frozenset[Seat] | None = None,
) -> Round:
    """Begin a turn: of the seat in turn, or of another; what is None stays."""
    seat = round_.turn if turn is None else turn
    return evolve(
        round_,
        turn=seat,
        phase=round_.phase if phase is None else phase,
        catchable=round_.catchable if catchable is None else catchable,
        effect=STAY,
        effect_target=None,
        owed=(),
        fined=NOBODY,
        due=TURNS[seat],
    )

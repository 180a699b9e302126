"""What a seat may do, given its own hand: the client's side of the rules, hidden conditions included."""

from collections.abc import Iterator, Sequence

from unop2p.errors import IllegalMoveError
from unop2p.ids import Seat
from unop2p.rules.advance import advance, check_reaction, is_foul, may_challenge
from unop2p.rules.cards import Color, Face
from unop2p.rules.due import ReactionDue, TurnDue
from unop2p.rules.facts import Acted
from unop2p.rules.matching import (
    holds_any,
    may_pair,
    moves_hands,
    needs_target,
    wd4_forbidden,
    wild_forbidden,
)
from unop2p.rules.moves import (
    Accept,
    CallUNO,
    Catch,
    Challenge,
    Draw,
    Move,
    NameColor,
    Pass,
    Play,
)
from unop2p.rules.round import Round

Hand = Sequence[Face | None]
"""One's own cards; None stands for a card that does not matter (in scenarios)."""


def without(hand: Hand, cards: Sequence[Face]) -> list[Face | None]:
    """Return a hand without these cards, each of which it holds."""
    left = list(hand)
    for face in cards:
        left.remove(face)
    return left


def hidden_reason(
    round_: Round, move: Move, hand: Hand, drawn: Face | None
) -> str | None:
    """Return why a move breaks a rule that depends on hidden cards, or None.

    Args:
        round_: as it stands before the move.
        move: one that the rules allow on what everybody can see.
        hand: of the seat in turn, the played cards included.
        drawn: the card just drawn, where one was.
    """
    options = round_.options
    match move:
        case Play(cards=cards):
            return _hidden_play(round_, cards[0], without(hand, cards))
        case Draw() if round_.attack is None and not options.voluntary_draw:
            if not round_.after_draw and (held := _playable(round_, hand)):
                return f"you hold {held}, which can be played"
        case Draw() if round_.after_draw and drawn is not None and _lawful(round_, drawn, hand):
            return f"the drawn {drawn} fits: the drawing ends"
        case Pass() if drawn is not None:
            fitting = _lawful(round_, drawn, hand)
            if fitting and options.drawn_card == "must_play":
                return f"the drawn {drawn} must be played"
            can_draw = round_.pile_count + len(round_.discards) > 1
            if options.draw_until_playable and not fitting and can_draw:
                return "the drawing goes on until a card fits"
        case _:
            pass
    return None


def _hidden_play(round_: Round, face: Face, rest: Hand) -> str | None:
    options = round_.options
    if not face.is_wild or round_.attack is not None:
        return None
    if face is Face.W4:
        if options.wd4_challenge != "off":
            return None
        held = holds_any(rest, wd4_forbidden(options, round_.top, round_.color))
    else:
        held = holds_any(rest, wild_forbidden(options, round_.top, round_.color))
    return f"you hold {held}" if held is not None else None


def is_bluff(round_: Round, move: Move, hand: Hand) -> bool:
    """Say whether a play is a Wild Draw Four that a challenge would punish."""
    if not isinstance(move, Play) or move.cards[0] is not Face.W4:
        return False
    if round_.attack is not None:
        return False
    forbidden = wd4_forbidden(round_.options, round_.top, round_.color)
    return holds_any(without(hand, move.cards), forbidden) is not None


def _lawful(round_: Round, face: Face, hand: Hand) -> bool:
    """Say whether a card of this hand can be played lawfully (a bluff is not)."""
    play = Play(cards=(face,), color=Color.RED if face.is_wild else None)
    if is_foul(round_, play):
        return False
    if is_bluff(round_, play, hand):
        return False
    return _hidden_play(round_, face, without(hand, (face,))) is None


def _playable(round_: Round, hand: Hand) -> Face | None:
    held = dict.fromkeys(face for face in hand if face is not None)
    return next((face for face in held if _lawful(round_, face, hand)), None)


def refusal(
    round_: Round, seat: Seat, move: Move, hand: Hand, drawn: Face | None = None
) -> str | None:
    """Return why a move of a seat is refused, in terms of the rules, or None if it is legal.

    Args:
        round_: as it stands.
        seat: who would move.
        move: what it would say.
        hand: its own cards.
        drawn: the card just drawn, where one was.
    """
    if isinstance(move, Play):
        lacking = [face for face in move.cards if move.cards.count(face) > list(hand).count(face)]
        if lacking:
            return f"{lacking[0]} is not in your hand"
    try:
        if isinstance(round_.due, ReactionDue):
            check_reaction(round_, seat, move)
            return None
        if not isinstance(round_.due, TurnDue) or round_.due.seat != seat:
            return "it is not your turn"
        if isinstance(move, Play):
            if round_.after_draw and move.cards != (drawn,):
                return "after drawing, only the drawn card may be played"
            if round_.choosing:
                return "name the color of the first card first"
            if is_foul(round_, move):
                on = f"{round_.top}" + (f" ({round_.color})" if round_.color else "")
                verb = "answer" if round_.attack is not None else "go on"
                return f"{move.cards[0]} does not {verb} {on}"
        advance(round_, Acted(seat=seat, move=move))
    except IllegalMoveError as error:
        return str(error).rstrip(".")
    return hidden_reason(round_, move, hand, drawn)


def _plays(round_: Round, seat: Seat, hand: Hand, drawn: Face | None) -> Iterator[Play]:
    faces = [drawn] if round_.after_draw else list(dict.fromkeys(hand))
    for face in faces:
        if face is None:
            continue
        sizes = [1]
        if may_pair(round_.options, face) and list(hand).count(face) > 1:
            sizes.append(2)
        for size in sizes:
            yield from _variants(round_, seat, face, size, len(hand) - size)


def _variants(round_: Round, seat: Seat, face: Face, size: int, left: int) -> Iterator[Play]:
    """Yield a play in every form: each color, each target, with and without a call."""
    options = round_.options
    colors: list[Color | None] = list(Color) if face.is_wild else [None]
    targets: list[Seat | None] = [None]
    if needs_target(options, face) and left:
        targets = [other for other in round_.neighbors(seat) if other not in round_.away]
    duty = left == 1 and options.uno_penalty > 0 and not moves_hands(options, face)
    for color in colors:
        for target in targets:
            for uno in (True, False) if duty else (False,):
                yield Play(cards=(face,) * size, color=color, target=target, uno=uno)


def legal_moves(
    round_: Round, seat: Seat, hand: Hand, *, drawn: Face | None = None
) -> tuple[Move, ...]:
    """Return every lawful move of a seat, a bluffed Wild Draw Four among them.

    Args:
        round_: as it stands.
        seat: who would move.
        hand: its own cards.
        drawn: the card just drawn, where one was.
    """
    candidates: list[Move] = []
    if isinstance(round_.due, ReactionDue):
        late = round_.options.uno_deadline == "until_caught"
        if seat in round_.catchable and late:
            candidates.append(CallUNO())
        candidates += [Catch(seat=other) for other in sorted(round_.catchable) if other != seat]
        if round_.top in hand:
            candidates += _variants(round_, seat, round_.top, 1, len(hand) - 1)
    elif isinstance(round_.due, TurnDue) and round_.due.seat == seat:
        if round_.choosing:
            return tuple(NameColor(color=color) for color in Color)
        candidates += _plays(round_, seat, hand, drawn)
        if round_.attack is not None:
            candidates.append(Accept())
            if may_challenge(round_):
                candidates.append(Challenge())
        else:
            candidates += [Draw(), Pass()]
    return tuple(
        move for move in candidates if refusal(round_, seat, move, hand, drawn) is None
    )


def sleeping_move(round_: Round, seat: Seat, hand: Hand, drawn: Face | None = None) -> Move:
    """Return what the table plays for a player whose turn time is out (protocol section 10)."""
    legal = legal_moves(round_, seat, hand, drawn=drawn)
    for wanted in (Accept(), Pass(), Draw()):
        if wanted in legal:
            return wanted
    held = [face.color for face in hand if face is not None and face.color is not None]
    colors = sorted(Color, key=lambda color: -held.count(color))
    for color in colors:
        if NameColor(color=color) in legal:
            return NameColor(color=color)
    return next(
        (move for move in legal if isinstance(move, Play) and move.color == colors[0]), legal[0]
    )

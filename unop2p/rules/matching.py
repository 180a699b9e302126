"""Which card goes on which: on what everybody can see, and on what only the holder sees."""

from collections.abc import Iterable, Sequence

from unop2p.rules.cards import Color, Face, Kind
from unop2p.rules.options import Options


def fits(options: Options, top: Face, color: Color | None, face: Face) -> bool:
    """Say whether a face goes on the top card, hidden conditions aside.

    >>> fits(Options(), Face("R5"), Color.RED, Face("G5"))
    True
    """
    if face.is_wild or face.color == color:
        return True
    if face.number is not None:
        return face.number == top.number
    if face.kind is not top.kind:
        return False
    match options.symbol_match:
        case "all":
            return True
        case "skip_only":
            return face.kind is Kind.SKIP
        case _:
            return False


def colored_matches(options: Options, top: Face, color: Color | None) -> tuple[Face, ...]:
    """Return every colored face that goes on the top card."""
    return tuple(face for face in Face if not face.is_wild and fits(options, top, color, face))


def wd4_forbidden(options: Options, top: Face, color: Color | None) -> tuple[Face, ...]:
    """Return the faces that a hand must not hold for a Wild Draw Four to be lawful."""
    match options.wd4_condition:
        case "any_time":
            return ()
        case "no_color":
            return tuple(face for face in Face if color is not None and face.color == color)
        case "no_colored_match":
            return colored_matches(options, top, color)
        case _:
            wilds = tuple(
                face for face in Face if face.is_wild and face is not Face.W4
            )
            return colored_matches(options, top, color) + wilds


def wild_forbidden(options: Options, top: Face, color: Color | None) -> tuple[Face, ...]:
    """Return the faces that a hand must not hold for another wild to be played."""
    if options.wild_condition == "any_time":
        return ()
    return colored_matches(options, top, color)


def can_answer(options: Options, top: Face, color: Color | None, face: Face) -> bool:
    """Say whether a face answers the +2 or +4 that lies on top (`stacking`)."""
    if options.stacking == "none":
        return False
    on = options.stack_on
    match face.kind, top.kind:
        case Kind.DRAW_TWO, Kind.DRAW_TWO:
            return "two_on_two" in on
        case Kind.DRAW_TWO, Kind.WILD_DRAW_FOUR:
            return "two_on_four" in on and face.color == color
        case Kind.WILD_DRAW_FOUR, Kind.DRAW_TWO:
            return "four_on_two" in on
        case Kind.WILD_DRAW_FOUR, Kind.WILD_DRAW_FOUR:
            return "four_on_four" in on
        case _:
            return False


def answers_exist(options: Options, top: Face) -> bool:
    """Say whether any card at all could answer a +2 or +4 on top."""
    return any(can_answer(options, top, color, face) for face in Face for color in (face.color,))


def may_pair(options: Options, face: Face) -> bool:
    """Say whether two of this face go as one turn."""
    return _identical(options.play_pairs, face)


def may_jump(options: Options, face: Face) -> bool:
    """Say whether this face can be jumped in on.

    A +2 cannot: its attack is pending at once (F9), and wilds never.
    """
    return face.kind is not Kind.DRAW_TWO and _identical(options.jump_in, face)


def _identical(which: str, face: Face) -> bool:
    if which == "off" or face.is_wild:
        return False
    return which == "colored" or face.number is not None


def needs_target(options: Options, face: Face) -> bool:
    """Say whether a play of this face names a seat to swap hands with."""
    if face.kind is Kind.SWAP_HANDS:
        return True
    if face.kind is Kind.BLANK:
        return options.blank_effect == "swap_hands"
    if face.number == 0:
        return "zero_swaps" in options.hand_moves
    return face.number == 7 and "seven_swaps" in options.hand_moves  # noqa: PLR2004  # the seven


def moves_hands(options: Options, face: Face) -> bool:
    """Say whether a play of this face moves whole hands, so that it has no UNO duty."""
    return (
        needs_target(options, face)
        or face.kind is Kind.SHUFFLE_HANDS
        or (face.number == 0 and "zero_rotates" in options.hand_moves)
    )


def holds_any(hand: Iterable[Face | None], faces: Sequence[Face]) -> Face | None:
    """Return the first card of a hand that is among these faces, or None."""
    return next((face for face in hand if face is not None and face in faces), None)

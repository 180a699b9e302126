"""The lists of lawful moves, built straight from the rules: no move is tried and thrown away.

`refusal` of `legal.py` judges a single move and says why; the tests hold the two against each other.
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from unop2p.ids import Seat
from unop2p.rules.blanks import HandMove
from unop2p.rules.cards import (
    BLANK,
    STAY,
    Color,
    Face,
    copies,
    discards_color,
    effect_of,
    names_color,
)
from unop2p.rules.fits import WILDS, answering
from unop2p.rules.moves import Accept, Challenge, Draw, Move, NameColor, Pass, Play
from unop2p.rules.position import AFTER_DRAW, ATTACKED, START, Round
from unop2p.rules.public import PAIR, pairs_with
from unop2p.rules.sheet import Sheet, play_of, sheet_of

ORDER: Final = {face: place for place, face in enumerate(Face)}
_rank: Final = ORDER.__getitem__
_FOUR: Final = Face.W4
_COLORS: Final = tuple(Color)
_NAMES: Final = tuple(NameColor(color=color) for color in Color)
_DRAW: Final = Draw()
_ONLY_DRAW: Final = (_DRAW,)
_PASS: Final = Pass()
_CHALLENGE: Final = Challenge()
_ACCEPT: Final = Accept()
_TWO_CALLS: Final = (False, True)
_NO_CALL: Final = (False,)


def turn_moves(
    round_: Round, seat: Seat, hand: Sequence[Face], drawn: Face | None, *, name_targets: bool
) -> tuple[Move, ...]:
    """Return the lawful moves of the seat in turn: plays by card, then the others."""
    phase = round_.phase
    if phase is START:
        sheet = sheet_of(round_.options)
        return free_moves(round_, sheet, seat, hand, hand, name_targets=name_targets)
    if phase is AFTER_DRAW:
        only = drawn if drawn is not None else hand[-1]
        sheet = sheet_of(round_.options)
        return free_moves(round_, sheet, seat, hand, (only,), name_targets=name_targets)
    if phase is ATTACKED:
        return _answers(round_, seat, hand, name_targets=name_targets)
    return _NAMES


def _answers(
    round_: Round, seat: Seat, hand: Sequence[Face], *, name_targets: bool
) -> tuple[Move, ...]:
    attack, options = round_.attack, round_.options
    assert attack is not None
    stack = options.stack_on if options.stacking != "none" else ()
    faces = answering(attack.kind, round_.color, stack)
    found: list[Move] = []
    for face in sorted(faces.intersection(hand), key=ORDER.__getitem__):
        found += plays(round_, seat, (face,), name_targets=name_targets)
    if attack.forbidden is not None:
        found.append(_CHALLENGE)
    found.append(_ACCEPT)
    return tuple(found)


def start_moves(
    round_: Round, sheet: Sheet, seat: Seat, hand: Sequence[Face | None]
) -> tuple[Move, ...]:
    """Return the lawful moves at the start of a turn: `free_moves` of all cards, and every seat named.

    The shorter way is for who holds another number than two, where a colored card is played in one way.
    """
    place = sheet[round_.color, round_.discards[-1]]
    faces = place.fitting.intersection(hand)
    if not faces:
        return _ONLY_DRAW
    if not sheet.one_way or round_.hand_counts[seat] == PAIR:
        return free_moves(round_, sheet, seat, hand, hand, name_targets=True)
    colored = sorted(faces, key=_rank)
    bars = place.bars
    if colored[-1] not in bars:  # wilds come last
        plays_only = tuple(map(sheet.only_way, colored))
        return (*plays_only, _DRAW) if sheet.voluntary_draw else plays_only
    wilds = [colored.pop()]
    while colored and colored[-1] in bars:
        wilds.append(colored.pop())
    found: list[Move] = list(map(sheet.only_way, colored))
    able = bool(colored)
    for face in reversed(wilds):
        if bars[face].isdisjoint(hand):
            able = True
        elif face is not _FOUR or not sheet.risks_four:
            continue
        if face in sheet.ways:
            found += sheet.ways[face]
        else:
            found += _wild_plays(round_, seat, face, hand, name_targets=True)
    if sheet.voluntary_draw or not able:
        found.append(_DRAW)
    return tuple(found)


def drawn_moves(
    round_: Round, sheet: Sheet, seat: Seat, hand: Sequence[Face | None], drawn: Face
) -> tuple[Move, ...]:
    """Return the lawful moves of who has drawn a card, and every seat named."""
    if (
        drawn in sheet.if_drawn
        and round_.hand_counts[seat] > PAIR
        and drawn in sheet[round_.color, round_.discards[-1]].fitting
    ):
        return sheet.if_drawn[drawn]
    return free_moves(round_, sheet, seat, hand, (drawn,), name_targets=True)


def free_moves(
    round_: Round,
    sheet: Sheet,
    seat: Seat,
    hand: Sequence[Face | None],
    tried: Sequence[Face | None],
    *,
    name_targets: bool,
) -> tuple[Move, ...]:
    """Return plays of the cards that may be tried, and to draw or to pass.

    Args:
        round_: the position: a turn, and no attack.
        sheet: of the options of the round.
        seat: who is to move.
        hand: all its cards.
        tried: those of them that it may play.
        name_targets: as in `plays`.
    """
    place = sheet[round_.color, round_.discards[-1]]
    faces = sorted(place.fitting.intersection(tried), key=_rank)
    start = round_.phase is START
    if start and not faces:
        return _ONLY_DRAW
    options = round_.options
    pairs = start and sheet.pairs
    ways = sheet.ways_of_two if round_.hand_counts[seat] == PAIR else sheet.ways
    able = False
    found: list[Move] = []
    for face in faces:
        if face in WILDS:
            if place.bars[face].isdisjoint(hand):
                able = True
            elif face is not _FOUR or not sheet.risks_four:
                continue
        else:
            able = True
        if face in ways:
            found += ways[face]
        elif face not in WILDS:
            found += plays(round_, seat, (face,), name_targets=name_targets)
        else:
            found += _wild_plays(round_, seat, face, hand, name_targets=name_targets)
        if pairs and hand.count(face) >= PAIR and pairs_with(round_, face):
            found += plays(round_, seat, (face, face), name_targets=name_targets)
    if start:
        if options.voluntary_draw or not able:
            found.append(_DRAW)
    elif able:
        if options.drawn_card == "may_play":
            found.append(_PASS)
    else:
        found.append(_DRAW if options.draw_until_playable else _PASS)
    return tuple(found)


def _wild_plays(
    round_: Round, seat: Seat, face: Face, hand: Sequence[Face | None], *, name_targets: bool
) -> Sequence[Play]:
    if not copies(face, round_.options):
        return ()
    found = plays(round_, seat, (face,), name_targets=name_targets)
    if face.kind is BLANK and discards_color(face, round_.options):
        found = list(found)
        for along in _by_color(hand):
            found += plays(round_, seat, (face, *along), name_targets=name_targets)
    return found


def _by_color(hand: Sequence[Face | None]) -> list[tuple[Face, ...]]:
    """Return what a blank card can take along: all cards of one color."""
    held = sorted(filter(None, hand), key=ORDER.__getitem__)
    groups = [tuple(face for face in held if face.color is color) for color in Color]
    return [group for group in groups if group]


@lru_cache(maxsize=64)
def _in_colors(face: Face, colors: tuple[Color | None, ...], *, duty: bool) -> tuple[Play, ...]:
    """Return the plays of a wild that asks for no seat, in each color, with and without a call."""
    calls = _TWO_CALLS if duty else _NO_CALL
    return tuple(play_of((face,), color, None, uno=uno) for color in colors for uno in calls)


def plays(
    round_: Round, seat: Seat, cards: tuple[Face, ...], *, name_targets: bool
) -> Sequence[Play]:
    """Return every way to play these cards: colors, seats to choose, with and without a call.

    Args:
        round_: the position.
        seat: who plays.
        cards: as in `Play`.
        name_targets: one play for each seat that may be chosen; else the first stands for all.
    """
    face, options = cards[0], round_.options
    left = round_.hand_counts[seat] - len(cards)
    effect = effect_of(face, options)
    duty = left == 1 and options.uno_penalty > 0 and effect is STAY
    calls = _TWO_CALLS if duty else _NO_CALL
    if not face.is_wild and effect is not HandMove.SWAP:
        return [play_of(cards, None, None, uno=uno) for uno in calls]
    colors: tuple[Color | None, ...] = _COLORS if names_color(face, options) else (None,)
    targets: tuple[Seat | None, ...] = (None,)
    if effect is not HandMove.SWAP and face.kind is not BLANK and len(cards) == 1:
        return _in_colors(face, colors, duty=duty)
    if round_.asks_seat(face, left):
        targets = tuple(other for other in round_.around(seat) if other != seat)
        if not name_targets:
            targets = targets[:1]
    return [
        play_of(cards, color, target, uno=uno)
        for color in colors
        for target in targets
        for uno in calls
    ]

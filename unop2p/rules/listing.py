"""The lists of lawful moves, built straight from the rules: no move is tried and thrown away.

`refusal` of `legal.py` judges a single move and says why; the tests hold the two against each other.
"""

from collections.abc import Collection, Sequence
from functools import lru_cache
from typing import Final

from unop2p.ids import Seat
from unop2p.rules.blanks import HandMove
from unop2p.rules.cards import (
    Color,
    Face,
    Kind,
    copies,
    discards_color,
    effect_of,
    names_color,
    other_wilds,
)
from unop2p.rules.fits import WILDS, all_fits, answering, colored_fits, forbidding_set
from unop2p.rules.moves import Accept, Challenge, Draw, Move, NameColor, Pass, Play
from unop2p.rules.position import Round, TurnPhase
from unop2p.rules.public import PAIR, pairs_with

ORDER: Final = {face: place for place, face in enumerate(Face)}
_COLORS: Final = tuple(Color)
_NAMES: Final = tuple(NameColor(color=color) for color in Color)
_DRAW: Final = Draw()
_ONLY_DRAW: Final = (_DRAW,)
_PASS: Final = Pass()
_CHALLENGE: Final = Challenge()
_ACCEPT: Final = Accept()
_EXTRA: Final = frozenset({Kind.SHUFFLE_HANDS, Kind.SWAP_HANDS, Kind.BLANK})
"""Kinds that some decks have not."""


@lru_cache(maxsize=8192)
def play_of(
    cards: tuple[Face, ...],
    color: Color | None,
    target: Seat | None,
    *,
    uno: bool,
) -> Play:
    """Return a play; equal plays are one object."""
    return Play(cards=cards, color=color, target=target, uno=uno)


_PLAIN: Final = {face: play_of((face,), None, None, uno=False) for face in Face}
_NAMED: Final = {
    face: tuple(play_of((face,), color, None, uno=False) for color in Color)
    for face in (Face.W, Face.W4)
}


def turn_moves(
    round_: Round, seat: Seat, hand: Sequence[Face], drawn: Face | None, *, name_targets: bool
) -> tuple[Move, ...]:
    """Return the lawful moves of the seat in turn: plays by card, then the others."""
    phase = round_.phase
    if phase is TurnPhase.START:
        return free_moves(round_, seat, hand, hand, name_targets=name_targets)
    if phase is TurnPhase.AFTER_DRAW:
        only = drawn if drawn is not None else hand[-1]
        return free_moves(round_, seat, hand, (only,), name_targets=name_targets)
    if phase is TurnPhase.ATTACKED:
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


def free_moves(
    round_: Round,
    seat: Seat,
    hand: Sequence[Face],
    tried: Sequence[Face],
    *,
    name_targets: bool,
) -> tuple[Move, ...]:
    """Return plays of the cards that may be tried, and to draw or to pass."""
    options = round_.options
    fitting = all_fits(round_.color, round_.discards[-1], options.symbol_match)
    found: list[Move]
    faces: Collection[Face] = fitting.intersection(tried)
    start = round_.phase is TurnPhase.START
    if not faces and start:
        return _ONLY_DRAW
    # Where nothing is chosen and nothing called there is one way to play a colored card.
    plain = round_.hand_counts[seat] > PAIR and not options.hand_moves
    pairs = start and options.play_pairs != "off"
    if len(faces) > 1:
        faces = sorted(faces, key=ORDER.__getitem__)
    if plain and start and not pairs and WILDS.isdisjoint(faces):
        found = [_PLAIN[face] for face in faces]
        if options.voluntary_draw:
            found.append(_DRAW)
        return tuple(found)
    able = False
    found = []
    for face in faces:
        if face.is_wild:
            lawful = _wild_is_lawful(round_, face, hand)
            able = able or lawful
            risked = face.kind is Kind.WILD_DRAW_FOUR and options.wd4_challenge != "off"
            if (lawful or risked) and (face.kind not in _EXTRA or copies(face, options)):
                found += _wild_plays(round_, seat, face, hand, name_targets=name_targets)
            continue
        able = True
        if plain:
            found.append(_PLAIN[face])
        else:
            found += plays(round_, seat, (face,), name_targets=name_targets)
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


def _wild_is_lawful(round_: Round, face: Face, hand: Sequence[Face]) -> bool:
    options = round_.options
    if face.kind is Kind.WILD_DRAW_FOUR:
        condition = options.wd4_condition
        wilds = other_wilds(options) if condition == "no_other_playable" else ()
        forbidden = forbidding_set(
            condition, round_.color, round_.discards[-1], options.symbol_match, wilds
        )
        return forbidden.isdisjoint(hand)
    if options.wild_condition == "any_time":
        return True
    colored = colored_fits(round_.color, round_.discards[-1], options.symbol_match)
    return colored.isdisjoint(hand)


def _wild_plays(
    round_: Round, seat: Seat, face: Face, hand: Sequence[Face], *, name_targets: bool
) -> Sequence[Play]:
    if face in _NAMED and round_.hand_counts[seat] > PAIR:
        return _NAMED[face]
    found = plays(round_, seat, (face,), name_targets=name_targets)
    if face.kind is Kind.BLANK and discards_color(face, round_.options):
        found = list(found)
        for along in _by_color(hand):
            found += plays(round_, seat, (face, *along), name_targets=name_targets)
    return found


def _by_color(hand: Sequence[Face]) -> list[tuple[Face, ...]]:
    """Return what a blank card can take along: all cards of one color."""
    held = sorted(hand, key=ORDER.__getitem__)
    groups = [tuple(face for face in held if face.color is color) for color in Color]
    return [group for group in groups if group]


@lru_cache(maxsize=64)
def _in_colors(face: Face, colors: tuple[Color | None, ...], *, duty: bool) -> tuple[Play, ...]:
    """Return the plays of a wild that asks for no seat, in each color, with and without a call."""
    calls = (False, True) if duty else (False,)
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
    duty = left == 1 and options.uno_penalty > 0 and effect is HandMove.STAY
    calls = (False, True) if duty else (False,)
    if not face.is_wild and effect is not HandMove.SWAP:
        return [play_of(cards, None, None, uno=uno) for uno in calls]
    colors: tuple[Color | None, ...] = _COLORS if names_color(face, options) else (None,)
    targets: tuple[Seat | None, ...] = (None,)
    if effect is not HandMove.SWAP and face.kind is not Kind.BLANK and len(cards) == 1:
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

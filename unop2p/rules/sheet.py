"""What the rules of a table come to, worked out once: by option values, and by what lies on top."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache

from unop2p.ids import Seat
from unop2p.rules.blanks import HandMove
from unop2p.rules.cards import (
    Color,
    Face,
    Kind,
    blank_rule,
    copies,
    discards_color,
    effect_of,
    names_color,
    other_wilds,
    points,
)
from unop2p.rules.fits import WILDS, all_fits, colored_fits, forbidding
from unop2p.rules.moves import Move, Pass, Play
from unop2p.rules.options import Options


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


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """A top card, with the color in force: what suits it."""

    fitting: frozenset[Face]
    """What may be tried: colored faces that match, and every wild."""
    bars: Mapping[Face, frozenset[Face]]
    """By wild, what the hand must not hold beside it."""


class Sheet(dict[tuple[Color | None, Face], Place]):
    """The places of one set of options, each made when it is first asked for, and what else they say."""

    def __init__(self, options: Options) -> None:
        """Work out what is the same in every position."""
        super().__init__()
        self.options = options
        self.ways: Mapping[Face, tuple[Play, ...]] = {
            face: _ways(face, options) for face in Face if _is_easy(face, options)
        }
        """How a card is played by who holds another number than two; cards that ask for a seat, or
        take others along, are left out."""
        self.ways_of_two: Mapping[Face, tuple[Play, ...]] = {
            face: _with_calls(ways, face, options) for face, ways in self.ways.items()
        }
        """The same for who holds two: the play may leave one card, and bring the duty to call."""
        only = {face: ways[0] for face, ways in self.ways.items() if not face.is_wild}
        self.only_way: Callable[[Face], Play] = only.__getitem__
        """How a colored one of them is played: there is one way."""
        keep = (Pass(),) if options.drawn_card == "may_play" else ()
        self.if_drawn: Mapping[Face, tuple[Move, ...]] = {
            face: (way, *keep) for face, way in only.items()
        }
        """What may be done with a colored one of them that was drawn, and fits."""
        self.points: Callable[[Face], int] = {
            face: points(face, options) for face in Face
        }.__getitem__
        """What a card that is left in a hand counts."""
        self.risks_four = options.wd4_challenge != "off"
        """Whether a Wild Draw Four may be played against the rule on hidden cards."""
        self.quiet = quiet_faces(options)
        self.voluntary_draw = options.voluntary_draw
        self.pairs = options.play_pairs != "off"
        self.one_way = not self.pairs and all(face in only or face.is_wild for face in Face)
        """Whether there is never a choice in how to play a colored card, but for calls."""

    def __missing__(self, key: tuple[Color | None, Face]) -> Place:
        """Make a place: `(color in force, top)`."""
        color, top = key
        options = self.options
        symbols = options.symbol_match
        condition = options.wd4_condition
        others = other_wilds(options) if condition == "no_other_playable" else ()
        four = frozenset(forbidding(condition, color, top, symbols, others))
        free = options.wild_condition == "any_time"
        wild: frozenset[Face] = frozenset() if free else colored_fits(color, top, symbols)
        place = Place(
            fitting=all_fits(color, top, symbols),
            bars={face: four if face.kind is Kind.WILD_DRAW_FOUR else wild for face in WILDS},
        )
        self[key] = place
        return place

    def __deepcopy__(self, _: object) -> "Sheet":
        """Return itself: it only grows by what follows from the options."""
        return self


@lru_cache(maxsize=64)
def sheet_of(options: Options) -> Sheet:
    """Return the sheet of some options; one for equal options."""
    return Sheet(options)


def _is_easy(face: Face, options: Options) -> bool:
    """Return whether a card asks for no seat and takes nothing along, while it is not the last."""
    if not face.is_wild:
        return effect_of(face, options) is not HandMove.SWAP
    if face.kind is Kind.BLANK:
        asks = blank_rule(face, options).needs_seat
        return not asks and not discards_color(face, options)
    return face.kind is not Kind.SWAP_HANDS


def _ways(face: Face, options: Options) -> tuple[Play, ...]:
    if not copies(face, options):
        return ()  # in no hand either
    colors: tuple[Color | None, ...] = tuple(Color) if names_color(face, options) else (None,)
    return tuple(play_of((face,), color, None, uno=False) for color in colors)


def _with_calls(ways: tuple[Play, ...], face: Face, options: Options) -> tuple[Play, ...]:
    if not options.uno_penalty or effect_of(face, options) is not HandMove.STAY:
        return ways
    calls = (False, True)
    return tuple(play_of(way.cards, way.color, None, uno=uno) for way in ways for uno in calls)


@lru_cache(maxsize=64)
def quiet_faces(options: Options) -> frozenset[Face]:
    """Return the faces whose play moves no hand, draws nothing at once, and lets nobody jump in."""
    if options.jump_in != "off":
        return frozenset()
    return frozenset(
        face
        for face in Face
        if effect_of(face, options) is HandMove.STAY
        and (face.kind is not Kind.BLANK or _is_like_a_wild(face, options))
    )


def _is_like_a_wild(face: Face, options: Options) -> bool:
    """Return whether a blank names a color, takes nothing along and makes nobody draw."""
    rule = blank_rule(face, options)
    return rule.names_color and not rule.discards and not rule.draws

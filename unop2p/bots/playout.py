"""Rounds played to their end by a simple policy, as fast as plain Python goes: hands are integers.

Each card of the deck is one bit, in the order in which the policy likes to be rid of it: most points
first, wilds last, the Wild Draw Four at the very end. So what may be played is `hand & fitting`, and
the choice is its lowest bit. A Wild Draw Four chosen so breaks no rule: nothing else fits.

The policy names the color that it holds most of, plays a drawn card that fits, calls UNO, and neither
challenges nor draws of itself. What options make of a round is in a `Shape`; `shape_for` says for
which it knows how. Tests lay each move beside the rules engine.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from unop2p.rules.blanks import PLAIN
from unop2p.rules.cards import Color, Face, Kind, deck_for, points
from unop2p.rules.fits import all_fits
from unop2p.rules.options import Options
from unop2p.rules.position import Round

PLAIN_CARD: Final = 0
SKIP: Final = 1
REVERSE: Final = 2
DRAW_TWO: Final = 3
WILD: Final = 4
WILD_FOUR: Final = 5
SHUFFLE: Final = 6
_EFFECTS: Final = {
    Kind.NUMBER: PLAIN_CARD,
    Kind.SKIP: SKIP,
    Kind.REVERSE: REVERSE,
    Kind.DRAW_TWO: DRAW_TWO,
    Kind.WILD: WILD,
    Kind.BLANK: WILD,
    Kind.SHUFFLE_HANDS: SHUFFLE,
    Kind.WILD_DRAW_FOUR: WILD_FOUR,
}
COLORS: Final = tuple(Color)
NO_LIMIT: Final = 1 << 20
Shuffle = Callable[[list[int]], None]
"""Brings cards into an even random order, in place."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
    """What the options make of the cards: tables by bit."""

    faces: tuple[Face, ...]
    effects: tuple[int, ...]
    fitting: tuple[int, ...]
    """By card on top: the bits that fit; of wilds, see `named`."""
    named: tuple[int, ...]
    """By color that a wild has named: the bits that fit."""
    colors: tuple[int, ...]
    """By color: its bits."""
    values: tuple[tuple[int, int], ...]
    """Points, and the bits of all cards that count so much."""
    bits_of: dict[Face, tuple[int, ...]]
    fits: dict[tuple[Color | None, Face], int]
    """Filled on the way: the bits that fit on a face in a color."""
    symbol_match: str
    last_draw_counts: bool
    draw_until_playable: bool

    def mask(self, color: Color | None, top: Face) -> int:
        """Return the bits that may lie on a card."""
        known = self.fits.get((color, top))
        if known is None:
            fitting = all_fits(color, top, self.symbol_match)
            known = sum(1 << place for place, face in enumerate(self.faces) if face in fitting)
            self.fits[color, top] = known
        return known

    def teller(self) -> Callable[[Face], int]:
        """Return what gives each card that it is asked for a bit of its own."""
        left = {face: list(bits) for face, bits in self.bits_of.items()}
        return lambda face: left[face].pop(0)

    def worth(self, hand: int) -> int:
        """Return what a hand counts."""
        return sum(value * (hand & mask).bit_count() for value, mask in self.values)


def _liking(face: Face, options: Options) -> tuple[int, int]:
    order = (Kind.WILD, Kind.BLANK, Kind.SHUFFLE_HANDS, Kind.WILD_DRAW_FOUR)
    if face.is_wild:
        return 1 + order.index(face.kind), 0
    return 0, -points(face, options)


@lru_cache(maxsize=64)
def shape_for(options: Options) -> Shape | None:
    """Return how rounds by these options are played out; None where they have what this does not.

    Left out are stacked and deflected attacks, jumping in, pairs, hands that move by a 0 or a 7, Swap
    Hands, and blanks that do more than a Wild. What the policy never does makes no difference: bluffs,
    challenges, voluntary draws, calls and fines.
    """
    deck = deck_for(options)
    if (
        (options.stacking != "none" and options.stack_on)
        or options.deflect
        or options.hand_moves
        or options.jump_in != "off"
        or options.play_pairs != "off"
        or any(face.kind is Kind.SWAP_HANDS for face in deck)
        or options.blank_cards
        or (Face.WB in deck and PLAIN[options.blank_effect] != PLAIN["wild"])
    ):
        return None
    faces = tuple(sorted(deck, key=lambda face: _liking(face, options)))
    colors = tuple(
        sum(1 << place for place, face in enumerate(faces) if face.color is color)
        for color in COLORS
    )
    wilds = sum(1 << place for place, face in enumerate(faces) if face.is_wild)
    masks = {
        face: sum(
            1 << place
            for place, other in enumerate(faces)
            if other in all_fits(face.color, face, options.symbol_match)
        )
        for face in set(faces)
    }
    worths = {points(face, options) for face in faces} - {0}
    return Shape(
        faces=faces,
        effects=tuple(_EFFECTS[face.kind] for face in faces),
        fitting=tuple(masks[face] for face in faces),
        named=tuple(mask | wilds for mask in colors),
        colors=colors,
        values=tuple(
            (
                worth,
                sum(1 << i for i, face in enumerate(faces) if points(face, options) == worth),
            )
            for worth in sorted(worths)
        ),
        bits_of={
            face: tuple(1 << i for i, other in enumerate(faces) if other is face)
            for face in set(faces)
        },
        fits={},
        symbol_match=options.symbol_match,
        last_draw_counts=options.last_draw_counts,
        draw_until_playable=options.draw_until_playable,
    )


@dataclass(slots=True, kw_only=True)
class Playout:
    """A round with every card known, seats numbered in turn order. `run` plays it on."""

    shape: Shape
    hands: list[int]
    pile: list[int]
    """Single cards, the next last."""
    discards: int
    """All that lie open, the top too."""
    top: int
    fitting: int
    """What may be played."""
    turn: int
    way: int = 1
    shuffle: Shuffle
    winner: int = -1
    over: bool = False
    idle: int = 0

    def run(self, limit: int = NO_LIMIT) -> None:
        """Play on until the round is over, or for so many turns."""
        hands, count = self.hands, len(self.hands)
        effects, fits = self.shape.effects, self.shape.fitting
        turn, way, fitting = self.turn, self.way, self.fitting
        for _ in range(limit):
            hand = hands[turn]
            playable = hand & fitting
            if playable:
                card = playable & -playable
                hand ^= card
                hands[turn] = hand
            else:
                card = self._draw(turn, fitting)
                if not card:
                    if self.over:
                        break
                    turn = (turn + way) % count
                    continue
                hand = hands[turn]
            self.discards |= card
            self.top = card
            place = card.bit_length() - 1
            effect = effects[place]
            if not effect:
                if not hand:
                    self.winner = turn
                    break
                fitting = fits[place]
                turn = (turn + way) % count
                continue
            fitting = fits[place] if effect < WILD else self.shape.named[self.favorite(hand)]
            if not hand and effect != SHUFFLE:
                self._last_card(turn, way, effect)
                break
            turn, way = self._strike(effect, turn, way)
        self.turn, self.way, self.fitting = turn, way, fitting
        self.over = self.over or self.winner >= 0

    def play(self, card: int, color: int) -> None:
        """Let the seat in turn play a card of its hand; `color` is what it names with a wild."""
        turn, way, shape = self.turn, self.way, self.shape
        hand = self.hands[turn] = self.hands[turn] & ~card
        self.discards |= card
        self.top, self.idle = card, 0
        place = card.bit_length() - 1
        effect = shape.effects[place]
        self.fitting = shape.fitting[place] if effect < WILD else shape.named[color]
        if not hand and effect != SHUFFLE:
            self._last_card(turn, way, effect)
            self.over = True
        else:
            self.turn, self.way = self._strike(effect, turn, way)

    def draw(self) -> None:
        """Let the seat in turn draw; it plays a card that fits, as the policy does."""
        card = self._draw(self.turn, self.fitting)
        if card:
            self.play(card, self.favorite(self.hands[self.turn]))
        else:
            self.skip()

    def skip(self) -> None:
        """Let the seat in turn do nothing."""
        self.turn = (self.turn + self.way) % len(self.hands)

    def _strike(self, effect: int, turn: int, way: int) -> tuple[int, int]:
        """Return whose turn it is after a card, and which way; who is hit has drawn."""
        count = len(self.hands)
        if effect == REVERSE:
            return (turn if count == 2 else (turn - way) % count), -way
        if effect == SHUFFLE:
            self._mix(turn, way)
        turn = (turn + way) % count
        if effect == DRAW_TWO:
            self.take(turn, 2)
        elif effect == WILD_FOUR:
            self.take(turn, 4)
        elif effect != SKIP:
            return turn, way
        return (turn + way) % count, way

    def _draw(self, turn: int, fitting: int) -> int:
        """Draw as the options ask for; return the card drawn last if it fits, else 0."""
        pile = self.pile
        while True:
            if not pile:
                self._refill()
                if not pile:
                    self.idle += 1
                    self.over = self.idle >= len(self.hands)
                    return 0
            card = pile.pop()
            self.idle = 0
            if card & fitting:
                return card
            self.hands[turn] |= card
            if not self.shape.draw_until_playable:
                return 0

    def favorite(self, hand: int) -> int:
        """Return the color that a hand has most of, of equals the first."""
        red, yellow, green, blue = self.shape.colors
        most, best = (hand & red).bit_count(), 0
        held = (hand & yellow).bit_count()
        if held > most:
            most, best = held, 1
        held = (hand & green).bit_count()
        if held > most:
            most, best = held, 2
        if (hand & blue).bit_count() > most:
            best = 3
        return best

    def _last_card(self, turn: int, way: int, effect: int) -> None:
        self.winner = turn
        if self.shape.last_draw_counts and effect in {DRAW_TWO, WILD_FOUR}:
            self.take((turn + way) % len(self.hands), 2 if effect == DRAW_TWO else 4)

    def _refill(self) -> None:
        """Shuffle what lies below the top under the pile."""
        cards = _cards(self.discards ^ self.top)
        self.discards = self.top
        self.shuffle(cards)
        self.pile[:0] = cards

    def take(self, seat: int, count: int) -> None:
        """Let a seat draw cards of a penalty, as many as there are."""
        pile = self.pile
        if len(pile) < count:
            self._refill()
        drawn = pile[-count:]
        del pile[-count:]
        self.hands[seat] |= sum(drawn)

    def _mix(self, seat: int, way: int) -> None:
        """Shuffle all hands together; who gets no card draws one."""
        count = len(self.hands)
        cards = [card for hand in self.hands for card in _cards(hand)]
        self.shuffle(cards)
        for place in range(count):
            other = (seat + way * (place + 1)) % count
            got = cards[place::count]
            self.hands[other] = sum(got)
            if not got:
                self.take(other, 1)

    def points(self) -> list[int]:
        """Return what each hand counts."""
        return [self.shape.worth(hand) for hand in self.hands]


def _cards(hand: int) -> list[int]:
    """Return a hand's cards one by one."""
    found: list[int] = []
    while hand:
        card = hand & -hand
        hand ^= card
        found.append(card)
    return found


def begin(
    shape: Shape,
    round_: Round,
    hands: Sequence[Sequence[Face]],
    pile: Sequence[Face],
    shuffle: Shuffle,
) -> Playout:
    """Return a playout from a position in which a turn begins.

    Args:
        shape: of the round's options.
        round_: the position; nothing is owed and nobody attacked.
        hands: in turn order, of the seats that play.
        pile: the next card first.
        shuffle: where chance comes from.
    """
    bit = shape.teller()
    held = [sum(map(bit, hand)) for hand in hands]
    below = sum(map(bit, round_.discards[:-1]))
    top = bit(round_.discards[-1])
    return Playout(
        shape=shape,
        hands=held,
        pile=[bit(face) for face in reversed(pile)],
        discards=below | top,
        top=top,
        fitting=shape.mask(round_.color, round_.discards[-1]),
        turn=round_.active.index(round_.turn),
        way=round_.direction,
        shuffle=shuffle,
        idle=round_.idle,
    )

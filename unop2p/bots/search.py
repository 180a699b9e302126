"""The level `search`: it plays each move out in many deals that could be, and looks at the points.

Determinized playouts (perfect information Monte Carlo; Long and others 2010 on when that works), with
a guard: the move of the level below is left only for one that is better by more than chance makes
likely. All moves are tried in the same deals, and half of them are dropped after each stage
(sequential halving; Karnin and others 2013). The number of playouts is fixed, so that a decision hangs
on nothing but the view and the bot's chance.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

from unop2p.bots.base import Bot, Randomness
from unop2p.bots.learned import LearnedBot, forecasts, looked_at
from unop2p.bots.playout import Playout, Shape, shape_for
from unop2p.bots.simple import reaction
from unop2p.errors import LocalError
from unop2p.rules.cards import Color
from unop2p.rules.due import ReactionDue
from unop2p.rules.legal import is_lawful
from unop2p.rules.moves import Challenge, Draw, Move, NameColor, Pass, Play
from unop2p.rules.position import TurnPhase
from unop2p.rules.view import PlayerView

PLAYOUTS: Final = 100
"""So many that it stands between `linear` and `net`: with 300 it is level with `net`."""
CANDIDATES: Final = 4
"""So many moves are tried, the best by the level below."""
GUARD: Final = 1.0
"""Standard errors by which a move must be better."""
DOUBT: Final = 8
"""In one of so many deals a seat is dealt a color in which it has drawn, as if it had not."""
CUTS_MAX: Final = 16
"""So many deals come of one shuffle at most."""
HOPELESS: Final = -1.0
"""A move that is worse by so many standard errors is not looked at any longer."""
STAGES: Final = 2
"""After each, half of the moves are dropped."""
KEY_BITS: Final = 32
COLORS: Final = tuple(Color)


class TooLateError(LocalError):
    """The bot has thought for too long."""


def never() -> bool:
    """Return that there is time."""
    return False


def mixer(rng: Randomness) -> Callable[[list[int]], None]:
    """Return what shuffles cards in place: each gets a number by chance, by which they are sorted."""

    def mix(cards: list[int]) -> None:
        count = len(cards)
        if count > 1:
            data = rng.randrange(1 << (KEY_BITS * count)).to_bytes(KEY_BITS // 8 * count, "little")
            keys = memoryview(data).cast("I")
            cards[:] = [card for _, card in sorted(zip(keys, cards, strict=True))]

    return mix


@dataclass(slots=True)
class Worlds:
    """The deals that could be, given what a seat sees."""

    view: PlayerView
    shape: Shape
    rng: Randomness
    own: int = field(init=False)
    discards: int = field(init=False)
    top: int = field(init=False)
    unseen: list[int] = field(init=False)
    others: list[tuple[int, int, int]] = field(init=False)
    """Place in turn order, cards, and cards that the seat likely lacks."""
    mix: Callable[[list[int]], None] = field(init=False)
    order: list[int] = field(default_factory=list)
    """The unseen cards as they were last shuffled."""
    turns: int = 0
    """How often they were cut since."""
    stride: int = field(init=False)
    """So many cards go to the bottom at each cut."""
    cuts: int = field(init=False)
    """How often they are cut before they are shuffled anew."""

    def __post_init__(self) -> None:
        """Tell the cards apart that are seen."""
        state, shape = self.view.round, self.shape
        bit = shape.teller()
        self.own = sum(map(bit, self.view.hand))
        self.top = bit(state.discards[-1])
        self.discards = self.top + sum(map(bit, state.discards[:-1]))
        seen = self.own | self.discards
        self.unseen = [1 << place for place in range(len(shape.faces)) if not seen >> place & 1]
        self.others = [
            (place, state.hand_counts[seat], self._lacks(place))
            for place, seat in enumerate(state.active)
            if seat != self.view.seat
        ]
        self.mix = mixer(self.rng)
        unseen = max(len(self.unseen), 1)
        self.stride = max(sum(count for _, count, _ in self.others), -(-unseen // CUTS_MAX), 1)
        self.cuts = max(unseen // self.stride, 1)

    def _cut(self) -> list[int]:
        """Return the unseen cards in an even random order.

        A shuffled row is as even wherever it is cut. Cut by as many cards as the others hold, they get
        other cards each time, all in turn: so deals cost less, and their mean hangs less on chance.
        """
        if not self.order or self.turns == self.cuts:
            self.order, self.turns = list(self.unseen), 0
            self.mix(self.order)
        at = self.turns * self.stride
        self.turns += 1
        return self.order[at:] + self.order[:at]

    def _lacks(self, place: int) -> int:
        state, colors = self.view.round, self.shape.colors
        seat = state.active[place]
        lacking = {COLORS.index(color) for other, color in state.dry if other == seat}
        attack = state.attack
        if attack is not None and attack.by == seat and attack.prior_color is not None:
            lacking.add(COLORS.index(attack.prior_color))  # few bluff
        return sum(colors[color] for color in lacking)

    def deal(self) -> Playout:
        """Return one of them."""
        state, shape = self.view.round, self.shape
        cards = self._cut()
        hands = [0] * len(state.active)
        hands[state.active.index(self.view.seat)] = self.own
        for place, count, lacks in self.others:
            if lacks and self.rng.randrange(DOUBT):
                # What is passed over stays where nobody draws it soon, and that is a few cards.
                likely = [card for card in cards if not card & lacks][:count]
                if len(likely) < count:
                    likely += [card for card in cards if card & lacks][: count - len(likely)]
                held = hands[place] = sum(likely)
                cards = [card for card in cards if not card & held]
            else:
                hands[place] = sum(cards[:count])
                cards = cards[count:]
        return Playout(
            shape=shape,
            hands=hands,
            pile=cards,
            discards=self.discards,
            top=self.top,
            fitting=shape.mask(state.color, state.discards[-1]),
            turn=state.active.index(state.turn),
            way=state.direction,
            shuffle=self.mix,
        )


def copied(world: Playout) -> Playout:
    """Return a copy of a deal, on which a move may be tried."""
    return Playout(
        shape=world.shape,
        hands=list(world.hands),
        pile=list(world.pile),
        discards=world.discards,
        top=world.top,
        fitting=world.fitting,
        turn=world.turn,
        way=world.way,
        shuffle=world.shuffle,
    )


def make(world: Playout, view: PlayerView, move: Move) -> None:
    """Make a move in a deal; a Wild Draw Four is accepted."""
    state = view.round
    attack = state.attack
    match move:
        case Play(cards=cards, color=color):
            hand, bits = world.hands[world.turn], world.shape.bits_of[cards[0]]
            card = next(bit for bit in bits if bit & hand)
            world.play(card, COLORS.index(color) if color is not None else 0)
        case NameColor(color=color):
            world.fitting = world.shape.named[COLORS.index(color)]
        case Draw() if attack is None:
            world.draw()
        case Pass():
            world.skip()
        case _:
            assert attack is not None
            accused = state.active.index(attack.by)
            forbidden = sum(sum(world.shape.bits_of.get(f, ())) for f in attack.forbidden or ())
            if isinstance(move, Challenge):
                if world.hands[accused] & forbidden:
                    world.take(accused, attack.cards)
                    return
                world.take(world.turn, 2)
            world.take(world.turn, attack.cards)
            world.skip()


def gain(world: Playout, me: int, *, winner_takes: bool) -> float:
    """Return what a finished round brings a seat: its points minus the mean of the others'."""
    left, others = world.points(), len(world.hands) - 1
    if not winner_takes:
        return (sum(left) - left[me]) / others - left[me]
    if world.winner < 0:
        return 0.0
    return float(sum(left)) if world.winner == me else -sum(left) / others


class SearchBot:
    """Plays its moves out in deals that could be."""

    name = "search"

    def __init__(
        self,
        base: Bot | None = None,
        playouts: int = PLAYOUTS,
        late: Callable[[], bool] = never,
    ) -> None:
        """Take the level below.

        Args:
            base: its move is left only for a better one.
            playouts: that a decision has.
            late: asked before each deal whether the time is up.
        """
        self._base = base if base is not None else LearnedBot("linear")
        self._playouts = playouts
        self._late = late

    def choose(self, view: PlayerView, legal: tuple[Move, ...], rng: Randomness) -> Move | None:
        """Choose a move; see `Bot.choose`.

        Raises:
            TooLateError: the time is up.
        """
        if isinstance(view.round.due, ReactionDue):
            return reaction(legal)
        first = self._base.choose(view, legal, rng)
        shape = shape_for(view.round.options)
        if shape is None or first is None or view.round.options.teams:
            return first
        moves = self._candidates(view, legal, first)
        if len(moves) == 1:
            return first
        return self._best(view, moves, Worlds(view, shape, rng))

    def _candidates(self, view: PlayerView, legal: tuple[Move, ...], first: Move) -> list[Move]:
        """Return the moves to try, the level below's own first."""
        moves = [move for move in looked_at(view, legal) if is_lawful(view.round, move, view.hand)]
        if isinstance(self._base, LearnedBot) and len(moves) > CANDIDATES:
            values = forecasts(view, moves, self._base.forecaster(view.round))
            worth = sorted(zip(values, range(len(moves)), strict=True), reverse=True)
            moves = [moves[place] for _, place in worth[:CANDIDATES]]
        # A drawn card that fits is played in playouts: to draw on is no move of its own.
        if view.round.phase is TurnPhase.AFTER_DRAW and view.round.options.draw_until_playable:
            return [first]
        return [first, *(move for move in moves if move != first)]

    def _best(self, view: PlayerView, moves: list[Move], worlds: Worlds) -> Move:
        takes = view.round.options.scoring == "winner_takes"
        me = view.round.active.index(view.seat)
        above: dict[int, list[float]] = {place: [] for place in range(1, len(moves))}
        alive = list(above)
        surety = dict.fromkeys(alive, 0.0)
        for _ in range(STAGES):
            for _ in range(max(self._playouts // (STAGES * (len(alive) + 1)), 1)):
                if self._late():
                    raise TooLateError
                world = worlds.deal()
                gains: list[float] = []
                for place in (0, *alive):
                    tried = copied(world)
                    make(tried, view, moves[place])
                    if not tried.over:
                        tried.run()
                    gains.append(gain(tried, me, winner_takes=takes))
                for place, value in zip(alive, gains[1:], strict=True):
                    above[place].append(value - gains[0])
            surety = {place: _surety(above[place]) for place in alive}
            alive.sort(key=lambda place: -surety[place])
            alive = [
                place for place in alive[: max(len(alive) // 2, 1)] if surety[place] > HOPELESS
            ]
            if not alive:
                return moves[0]
        return moves[alive[0]] if surety[alive[0]] > GUARD else moves[0]


def _surety(above: list[float]) -> float:
    """Return by how many standard errors a move is better than the level below's own."""
    count = len(above)
    mean = sum(above) / count
    spread = sum((value - mean) ** 2 for value in above) / max(count - 1, 1)
    return mean / max(math.sqrt(spread / count), 1e-9)

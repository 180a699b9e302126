"""The whole game in one place, hidden cards and all: for scenarios, the bot arena and tests.

It holds what a table of peers has between them, and settles by itself all that asks nobody.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Protocol, TypeVar

from unop2p.errors import IllegalMoveError
from unop2p.ids import Seat
from unop2p.rules import due as dues
from unop2p.rules import facts
from unop2p.rules.cards import HAND_SIZE, Face, deck_for
from unop2p.rules.consequences import winning_reaction
from unop2p.rules.due import TurnDue
from unop2p.rules.fits import WILDS
from unop2p.rules.legal import forced_move, is_lawful, legal_moves, refusal
from unop2p.rules.listing import drawn_moves, start_moves
from unop2p.rules.match import Match, score_round, start_match
from unop2p.rules.moves import CallUNO, Catch, Draw, Move, Pass, Play
from unop2p.rules.options import Options
from unop2p.rules.position import AFTER_DRAW, ATTACKED, REACTION, START, Round, evolve
from unop2p.rules.public import problem
from unop2p.rules.sheet import Sheet, sheet_of
from unop2p.rules.shortcuts import (
    accept_and_draw,
    call_or_catch,
    draw_one,
    is_calm,
    keep_drawn,
    play_quiet,
)
from unop2p.rules.transition import advance, fined, make_move
from unop2p.rules.view import PlayerView

T = TypeVar("T")
DEALT = facts.CardsDealt()
WORTHLESS = Face.R0
"""Stands for a card that does not matter when points are counted: a zero counts nothing."""


class Chance(Protocol):
    """Where chance comes from; `random.Random` is one."""

    def randrange(self, stop: int, /) -> int:
        """Return an even number, 0 <= it < stop."""
        ...


def mixed(cards: Sequence[T], rng: Chance) -> list[T]:
    """Return the cards in an even random order (Fisher and Yates)."""
    order, pick = list(cards), rng.randrange
    for last in range(len(order) - 1, 0, -1):
        other = pick(last + 1)
        order[last], order[other] = order[other], order[last]
    return order


Card = Face | None
"""None is a card that does not matter: it is never played, never counts as held, has no points."""


@dataclass(slots=True, kw_only=True)
class DealtGame:
    """A match with every card known to this object. Views show what a player may see."""

    match: Match
    position: Round
    """It is changed in its place while nobody else holds it: take `round`, which stays as it is."""
    rng: Chance
    hands: dict[Seat, list[Card]]
    pile: list[Face]
    """The next card first."""
    auto_accept: bool = True
    """Apply an `accept` that is the only lawful act, whatever the hand."""
    drawn: Face | None = None
    drawn_total: dict[Seat, int] = field(default_factory=dict)
    """Cards taken by each seat in this round, the deal left out."""
    reshuffled: int = 0
    """How often cards were shuffled in this round."""
    turns: list[Face] = field(default_factory=list)
    """Faces that turn up as the first card one after another, wherever they lie in the pile."""

    lent: bool = field(default=True, init=False)
    """Whether somebody else may hold the position."""
    listed_for: Seat | None = field(default=None, init=False)
    """The seat in turn, where its moves were listed in this very position."""
    listed: tuple[Move, ...] = field(default=(), init=False)
    """These moves."""
    sheet: Sheet = field(init=False)

    def __post_init__(self) -> None:
        """Look up what the rules come to."""
        self.sheet = sheet_of(self.match.options)

    @property
    def round(self) -> Round:
        """The position, as a value: it does not change with the game."""
        self.lent = True
        return self.position

    @property
    def due(self) -> dues.Due:
        """What the round asks for next; cheaper than to take the whole round for it."""
        return self.position.due

    # -- beginning -----------------------------------------------------------------------------

    @classmethod
    def start(
        cls,
        options: Options,
        order: tuple[Seat, ...],
        dealer: Seat,
        rng: Chance,
        *,
        auto_accept: bool = True,
    ) -> "DealtGame":
        """Begin a match, and play on until somebody is asked."""
        match = start_match(options, order, dealer)
        game = cls(
            match=match,
            position=match.start_round(),
            rng=rng,
            hands={},
            pile=[],
            auto_accept=auto_accept,
        )
        game._deal_out()
        return game

    def deal(self) -> None:
        """Shuffle a whole deck, deal, and play on until somebody is asked."""
        self._go(self.match.start_round())
        self._deal_out()

    def _deal_out(self) -> None:
        self.pile = mixed(deck_for(self.match.options), self.rng)
        self.drawn = None
        self.drawn_total = {}
        self.reshuffled = 0
        players = self.match.players
        first, count = players.index(self.match.dealer) + 1, len(players)
        dealt = HAND_SIZE * count
        # One card each, round and round from the dealer's left.
        self.hands = {
            players[(first + place) % count]: list[Card](self.pile[place:dealt:count])
            for place in range(count)
        }
        del self.pile[:dealt]
        self.settle()

    def next_round(self) -> None:
        """Deal the next round; the last is over and the match is not."""
        assert self.position.over
        assert not self.match.over
        self.deal()

    # -- looking -------------------------------------------------------------------------------

    @property
    def asked(self) -> tuple[Seat, ...]:
        """Who may say something now: the seat in turn, or all in a reaction; none when over."""
        match self.position.due:
            case dues.TurnDue(seat=seat):
                return (seat,)
            case dues.ReactionDue():
                return self.position.active
            case _:
                return ()

    def view(self, seat: Seat) -> PlayerView:
        """Return all that a player may see."""
        state = self.round
        return PlayerView(
            round=state,
            match=self.match,
            seat=seat,
            hand=self.held(seat),
            drawn=self.drawn if state.after_draw and state.turn == seat else None,
        )

    def held(self, seat: Seat) -> tuple[Face, ...]:
        """Return the cards of a hand that matter."""
        return tuple(filter(None, self.hands[seat]))

    def legal(self, seat: Seat) -> tuple[Move, ...]:
        """Return every lawful move of a seat."""
        state = self.position
        if state.turn != seat or type(state.due) is not TurnDue:
            return legal_moves(state, seat, self.held(seat))
        phase = state.phase
        if phase is START:
            moves = start_moves(state, self.sheet, seat, self.hands[seat])
        elif phase is AFTER_DRAW and self.drawn is not None:
            moves = drawn_moves(state, self.sheet, seat, self.hands[seat], self.drawn)
        else:
            moves = legal_moves(state, seat, self.held(seat))
        self.listed_for, self.listed = seat, moves
        return moves

    def lawful(self, seat: Seat, move: Move) -> bool:
        """Return whether a move would break no rule on hidden cards (False: a bluff)."""
        return is_lawful(self.closed().round, move, self.held(seat))

    # -- acting --------------------------------------------------------------------------------

    def act(self, seat: Seat, move: Move) -> bool:
        """Make a move, or say one reaction, and play on until somebody is asked.

        A move of the seat in turn while a reaction is possible closes the reaction first.

        Returns:
            Whether it was accepted; False where it was refused and fined (a foul).

        Raises:
            IllegalMoveError: refused; nothing has changed.
        """
        if self.listed_for == seat:
            for lawful in self.listed:
                if move is lawful:
                    self._make(seat, move)
                    return True
        state = self.position
        if type(state.due) is not dues.ReactionDue:
            self._turn_act(seat, move)
        else:
            wrong = problem(state, seat, move)
            if wrong is None:
                reason = refusal(state, seat, move, self.held(seat))
                if reason is not None:
                    raise IllegalMoveError(reason)
                self.react(((seat, move),))
                return True
            if seat != state.turn or isinstance(move, CallUNO | Catch):
                self._go(fined(state, seat, wrong, REACTION))
                self.settle()
                return False
            closed = self.closed()
            closed._turn_act(seat, move)  # noqa: SLF001  # raises before this game has changed
            self._become(closed)
        return not self.position.fouled

    def copy(self) -> "DealtGame":
        """Return this game once more, with the same source of chance: each goes its own way."""
        return replace(
            self,
            position=self.round,
            hands={seat: list(hand) for seat, hand in self.hands.items()},
            pile=list(self.pile),
            drawn_total=dict(self.drawn_total),
            turns=list(self.turns),
        )

    def closed(self) -> "DealtGame":
        """Return a copy of this game in which nobody reacts any more."""
        copy = self.copy()
        if isinstance(copy.position.due, dues.ReactionDue):
            copy.react(())
        return copy

    def _become(self, other: "DealtGame") -> None:
        for item in fields(self):
            setattr(self, item.name, getattr(other, item.name))

    def _own(self) -> Round:
        """Return the position, which nobody else holds: it may be changed in its place."""
        if self.lent:
            self.position = evolve(self.position)
            self.lent = False
        self.listed_for = None
        return self.position

    def _go(self, after: Round) -> None:
        """Go on to a new position."""
        self.listed_for = None
        if after is not self.position:
            self.position = after
            self.lent = False

    def _make(self, seat: Seat, move: Move) -> None:
        """Make a move of the seat in turn that is known to be lawful."""
        state = self._own() if self.lent else self.position
        self.listed_for = None
        if type(move) is Play:
            cards, hand = move.cards, self.hands[seat]
            if play_quiet(state, self.sheet, seat, move, len(hand) - len(cards)):
                for face in cards:
                    hand.remove(face)
                self.drawn = None
                if state.phase is ATTACKED:
                    self.settle()
                return
        elif type(move) is Draw:
            if state.phase is START and self.pile:
                self._draw(seat, state)
                return
        elif type(move) is Pass:
            keep_drawn(state)
            self.drawn = None
            return
        self._made(seat, move, make_move(state, seat, move))

    def _made(self, seat: Seat, move: Move, after: Round) -> None:
        self._go(after)
        if not after.fouled:
            self._drop(seat, move)
            self.drawn = None
        self.settle()

    def _turn_act(self, seat: Seat, move: Move) -> None:
        """Make a move that may be refused."""
        state = self.position
        reason = refusal(state, seat, move, self.held(seat), self.drawn)
        wrong = problem(state, seat, move)
        if reason is not None and wrong is None:
            raise IllegalMoveError(reason)
        if isinstance(move, Play) and any(
            self.hands[seat].count(face) < move.cards.count(face) for face in move.cards
        ):
            message = reason or "You do not hold that card."
            raise IllegalMoveError(message)
        self._made(seat, move, advance(state, facts.Acted(seat=seat, move=move)))

    def _draw(self, seat: Seat, state: Round) -> None:
        """Let the seat in turn draw a card, and keep it where it can do nothing else."""
        face = self.pile.pop(0)
        self.hands[seat].append(face)
        total = self.drawn_total
        total[seat] = total.get(seat, 0) + 1
        fits = face in self.sheet[state.color, state.discards[-1]].fitting
        if not fits and not state.options.draw_until_playable:
            draw_one(state, keep=True)
            self.drawn = None
            return
        draw_one(state, keep=False)
        self.drawn = face
        if not fits or face in WILDS:  # other cards of the hand may forbid a wild
            self.settle()

    def react(self, moves: tuple[tuple[Seat, Move], ...]) -> Seat | None:
        """Close a reaction step with all that was said, and play on until somebody is asked.

        Returns:
            Whose reaction stands.

        Raises:
            IllegalMoveError: one of them is refused; nothing has changed.
        """
        state = self.position
        winner = winning_reaction(state, moves)
        if self._only_calls(moves):
            said = dict(moves).get(winner) if winner is not None else None
            caught = said.seat if isinstance(said, Catch) else None
            call_or_catch(self._own(), caught, winner if caught is None else None)
            if caught is not None:
                self._take(caught, state.options.uno_penalty)
            if self.position.phase is not START:
                self.settle()
            return winner
        self._go(advance(state, facts.Reacted(moves=moves)))
        for seat, move in moves:
            if seat == winner:
                self._drop(seat, move)
        self.settle()
        return winner

    def _only_calls(self, moves: tuple[tuple[Seat, Move], ...]) -> bool:
        """Return whether a reaction can be closed at once: calls and catches that are allowed."""
        state = self.position
        if (
            type(state.due) is not dues.ReactionDue
            or not is_calm(state)
            or len(state.catchable) != 1
            or state.pile_count < state.options.uno_penalty
        ):
            return False
        return all(
            type(move) is not Play and problem(state, seat, move) is None for seat, move in moves
        )

    def _drop(self, seat: Seat, move: Move) -> None:
        if isinstance(move, Play):
            for face in move.cards:
                self.hands[seat].remove(face)

    # -- what asks nobody ----------------------------------------------------------------------

    def settle(self) -> None:
        """Answer all that is due until a seat is asked or the round is over."""
        while True:
            state = self.position
            match state.due:
                case TurnDue(seat=seat):
                    if state.phase is START:
                        return
                    move = self._automatic(seat)
                    if move is None:
                        return
                    attack = state.attack
                    if attack is not None and 0 < attack.cards <= state.pile_count:
                        self._take(seat, attack.cards)
                        accept_and_draw(self._own())
                        self.drawn = None
                        return
                    self._go(make_move(state, seat, move))
                    self.drawn = None
                case dues.ReactionDue():
                    return
                case dues.RoundOver(outcome=outcome):
                    self.match = score_round(self.match, outcome)
                    return
                case _:
                    self._go(advance(state, self._answer()))

    def _automatic(self, seat: Seat) -> Move | None:
        state = self.position
        if state.fouled:
            return None
        if self.auto_accept and state.phase is ATTACKED:
            forced = forced_move(state)
            if forced is not None:
                return forced
        if state.phase is AFTER_DRAW:
            moves = self.legal(seat)
            if len(moves) == 1 and isinstance(moves[0], Draw | Pass):
                return moves[0]
        return None

    def _answer(self) -> facts.Fact:
        match self.position.due:
            case dues.DealCards(draws=draws):
                for seat, count in draws:
                    self._take(seat, count)
                return DEALT
            case dues.TurnUpFirstCard():
                face = self.turns.pop(0) if self.turns else self.pile[0]
                self.pile.remove(face)
                return facts.CardTurned(face=face)
            case dues.BuryFirstCard(depth=depth):
                self.pile.insert(depth, self.position.discards[-1])
                return facts.CardBuried()
            case dues.ShufflePile(first_card=True):
                self.pile = mixed([*self.pile, self.position.discards[-1]], self.rng)
                self.reshuffled += 1
                return facts.PileShuffled()
            case dues.ShufflePile():
                self.pile += mixed(self.position.discards[:-1], self.rng)
                self.reshuffled += 1
                return facts.PileShuffled()
            case dues.AnswerChallenge():
                return self._answer_challenge()
            case dues.PassHands(moves=moves):
                held = {giver: self.hands[giver] for giver, _ in moves}
                self.hands.update({receiver: held[giver] for giver, receiver in moves})
                return facts.HandsPassed()
            case dues.ShuffleHands(counts=counts):
                self._shuffle_hands(counts)
                return facts.HandsShuffled()
            case dues.OpenHands():
                seats = range(self.position.seat_count)
                return facts.HandsOpened(
                    hands=tuple(
                        tuple(face or WORTHLESS for face in self.hands.get(Seat(seat), ()))
                        for seat in seats
                    )
                )
            case due:
                message = f"{due} asks a player"
                raise AssertionError(message)

    def _take(self, seat: Seat, count: int) -> None:
        taken = self.pile[:count]
        assert len(taken) == count
        del self.pile[:count]
        self.hands[seat] += taken
        self.drawn_total[seat] = self.drawn_total.get(seat, 0) + count
        # A fine in between does not change which card was drawn.
        if seat == self.position.turn and not self.position.fouled:
            self.drawn = taken[-1]

    def _answer_challenge(self) -> facts.Fact:
        due = self.position.due
        assert isinstance(due, dues.AnswerChallenge)
        judged = self.hands[due.accused][: due.hand_count]
        shown = next((face for face in judged if face and face in due.forbidden), None)
        if shown is not None and self.position.options.wd4_challenge == "card_returns":
            after = advance(self.position, facts.ChallengeAnswered(shown=shown))
            if after.discards != self.position.discards:
                self.hands[due.accused].append(self.position.discards[-1])
        return facts.ChallengeAnswered(shown=shown)

    def _shuffle_hands(self, counts: tuple[tuple[Seat, int], ...]) -> None:
        cards = mixed([face for seat, _ in counts for face in self.hands[seat]], self.rng)
        left = dict(counts)
        for seat in left:
            self.hands[seat] = []
        while cards:
            for seat, _ in counts:
                if left[seat]:
                    left[seat] -= 1
                    self.hands[seat].append(cards.pop(0))

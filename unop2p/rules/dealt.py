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
from unop2p.rules.fits import all_fits
from unop2p.rules.legal import forced_move, is_lawful, legal_moves, refusal
from unop2p.rules.listing import free_moves, turn_moves
from unop2p.rules.match import Match, score_round, start_match
from unop2p.rules.moves import CallUNO, Catch, Draw, Move, Pass, Play
from unop2p.rules.options import Options
from unop2p.rules.position import Round, TurnPhase
from unop2p.rules.public import problem
from unop2p.rules.shortcuts import (
    accept_and_draw,
    draw_and_keep,
    draw_one,
    is_plain,
    play_plain,
)
from unop2p.rules.transition import advance, make_move
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
    order = list(cards)
    for last in range(len(order) - 1, 0, -1):
        other = rng.randrange(last + 1)
        order[last], order[other] = order[other], order[last]
    return order


Card = Face | None
"""None is a card that does not matter: it is never played, never counts as held, has no points."""


@dataclass(slots=True, kw_only=True)
class DealtGame:
    """A match with every card known to this object. Views show what a player may see."""

    match: Match
    round: Round
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

    listed: tuple[Round, Seat, tuple[Face, ...], tuple[Move, ...]] | None = None
    """The lawful moves listed last: of which seat, in which position, with which hand."""

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
            round=match.start_round(),
            rng=rng,
            hands={},
            pile=[],
            auto_accept=auto_accept,
        )
        game._deal_out()
        return game

    def deal(self) -> None:
        """Shuffle a whole deck, deal, and play on until somebody is asked."""
        self.round = self.match.start_round()
        self._deal_out()

    def _deal_out(self) -> None:
        self.pile = mixed(deck_for(self.match.options), self.rng)
        self.hands = {}
        self.drawn = None
        self.drawn_total = {}
        self.reshuffled = 0
        players = self.match.players
        first = players.index(self.match.dealer) + 1
        for _ in range(HAND_SIZE):
            for place in range(len(players)):
                seat = players[(first + place) % len(players)]
                self.hands.setdefault(seat, []).append(self.pile.pop(0))
        self.settle()

    def next_round(self) -> None:
        """Deal the next round; the last is over and the match is not."""
        assert self.round.over
        assert not self.match.over
        self.deal()

    # -- looking -------------------------------------------------------------------------------

    @property
    def asked(self) -> tuple[Seat, ...]:
        """Who may say something now: the seat in turn, or all in a reaction; none when over."""
        match self.round.due:
            case dues.TurnDue(seat=seat):
                return (seat,)
            case dues.ReactionDue():
                return self.round.active
            case _:
                return ()

    def view(self, seat: Seat) -> PlayerView:
        """Return all that a player may see."""
        return PlayerView(
            round=self.round,
            match=self.match,
            seat=seat,
            hand=self.held(seat),
            drawn=self.drawn if self.round.after_draw and self.round.turn == seat else None,
        )

    def held(self, seat: Seat) -> tuple[Face, ...]:
        """Return the cards of a hand that matter."""
        return tuple(filter(None, self.hands[seat]))

    def legal(self, seat: Seat) -> tuple[Move, ...]:
        """Return every lawful move of a seat."""
        state, hand = self.round, tuple(filter(None, self.hands[seat]))
        known = self.listed
        if known is not None and known[0] is state and known[1] == seat and known[2] == hand:
            return known[3]
        if state.turn == seat and type(state.due) is dues.TurnDue:
            if state.phase is TurnPhase.START:
                moves = free_moves(state, seat, hand, hand, name_targets=True)
            else:
                drawn = self.drawn if state.phase is TurnPhase.AFTER_DRAW else None
                moves = turn_moves(state, seat, hand, drawn, name_targets=True)
        else:
            moves = legal_moves(state, seat, hand)
        self.listed = (state, seat, hand, moves)
        return moves

    def _is_listed(self, seat: Seat, move: Move) -> bool:
        """Return whether a move is one of those listed for this very position; hands change with it."""
        known = self.listed
        if known is None or known[0] is not self.round or known[1] != seat:
            return False
        for lawful in known[3]:  # noqa: SIM110  # asked at every move, and faster so
            if move is lawful:
                return True
        return False

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
        if type(self.round.due) is not dues.ReactionDue:
            self._turn_act(seat, move)
        else:
            wrong = problem(self.round, seat, move)
            if wrong is None:
                reason = refusal(self.round, seat, move, self.held(seat))
                if reason is not None:
                    raise IllegalMoveError(reason)
                self.react(((seat, move),))
                return True
            if seat != self.round.turn or isinstance(move, CallUNO | Catch):
                raise IllegalMoveError(wrong.reason)
            closed = self.closed()
            closed._turn_act(seat, move)  # noqa: SLF001  # raises before this game has changed
            self._become(closed)
        return not self.round.fouled

    def closed(self) -> "DealtGame":
        """Return a copy of this game in which nobody reacts any more."""
        copy = replace(
            self,
            hands={seat: list(hand) for seat, hand in self.hands.items()},
            pile=list(self.pile),
            drawn_total=dict(self.drawn_total),
            turns=list(self.turns),
        )
        if isinstance(copy.round.due, dues.ReactionDue):
            copy.react(())
        return copy

    def _become(self, other: "DealtGame") -> None:
        for item in fields(self):
            setattr(self, item.name, getattr(other, item.name))

    def _turn_act(self, seat: Seat, move: Move) -> None:
        state = self.round
        if self._is_listed(seat, move):
            if type(move) is Play:
                left = state.hand_counts[seat] - len(move.cards)
                if is_plain(state, move, left):
                    self.round = play_plain(state, seat, move, left)
                    hand = self.hands[seat]
                    for face in move.cards:
                        hand.remove(face)
                    self.drawn = None
                    return
            elif type(move) is Draw and state.phase is TurnPhase.START and self.pile:
                in_vain = self._draws_in_vain()
                self._take(seat, 1)
                if in_vain:
                    self.round = draw_and_keep(state)
                    self.drawn = None
                else:
                    self.round = draw_one(state)
                    self.settle()
                return
            self.round = make_move(state, seat, move)
        else:
            self._judge(seat, move)
        after = self.round
        if not after.fouled:
            self._drop(seat, move)
            self.drawn = None
        if after.phase is not TurnPhase.START or not isinstance(after.due, dues.TurnDue):
            self.settle()

    def _draws_in_vain(self) -> bool:
        """Return whether the seat in turn would draw a card that does not fit, and can only pass."""
        state = self.round
        if state.options.draw_until_playable:
            return False
        fitting = all_fits(state.color, state.discards[-1], state.options.symbol_match)
        return self.pile[0] not in fitting

    def _judge(self, seat: Seat, move: Move) -> None:
        reason = refusal(self.round, seat, move, self.held(seat), self.drawn)
        wrong = problem(self.round, seat, move)
        if reason is not None and wrong is None:
            raise IllegalMoveError(reason)
        if isinstance(move, Play) and any(
            self.hands[seat].count(face) < move.cards.count(face) for face in move.cards
        ):
            message = reason or "You do not hold that card."
            raise IllegalMoveError(message)
        self.round = advance(self.round, facts.Acted(seat=seat, move=move))

    def react(self, moves: tuple[tuple[Seat, Move], ...]) -> Seat | None:
        """Close a reaction step with all that was said, and play on until somebody is asked.

        Returns:
            Whose reaction stands.

        Raises:
            IllegalMoveError: one of them is refused; nothing has changed.
        """
        before = self.round
        winner = winning_reaction(before, moves)
        self.round = advance(before, facts.Reacted(moves=moves))
        for seat, move in moves:
            if seat == winner:
                self._drop(seat, move)
        self.settle()
        return winner

    def _drop(self, seat: Seat, move: Move) -> None:
        if isinstance(move, Play):
            for face in move.cards:
                self.hands[seat].remove(face)

    # -- what asks nobody ----------------------------------------------------------------------

    def settle(self) -> None:
        """Answer all that is due until a seat is asked or the round is over."""
        while True:
            match self.round.due:
                case dues.TurnDue(seat=seat):
                    if self.round.phase is TurnPhase.START:
                        return
                    move = self._automatic(seat)
                    if move is None:
                        return
                    attack = self.round.attack
                    if attack is not None and 0 < attack.cards <= self.round.pile_count:
                        self._take(seat, attack.cards)
                        self.round = accept_and_draw(self.round)
                        self.drawn = None
                        return
                    self.round = make_move(self.round, seat, move)
                    self.drawn = None
                case dues.ReactionDue():
                    return
                case dues.RoundOver(outcome=outcome):
                    self.match = score_round(self.match, outcome)
                    return
                case _:
                    self.round = advance(self.round, self._answer())

    def _automatic(self, seat: Seat) -> Move | None:
        if self.round.fouled:
            return None
        if self.auto_accept and self.round.phase is TurnPhase.ATTACKED:
            forced = forced_move(self.round)
            if forced is not None:
                return forced
        if self.round.after_draw:
            moves = self.legal(seat)
            if len(moves) == 1 and isinstance(moves[0], Draw | Pass):
                return moves[0]
        return None

    def _answer(self) -> facts.Fact:
        match self.round.due:
            case dues.DealCards(draws=draws):
                for seat, count in draws:
                    self._take(seat, count)
                return DEALT
            case dues.TurnUpFirstCard():
                face = self.turns.pop(0) if self.turns else self.pile[0]
                self.pile.remove(face)
                return facts.CardTurned(face=face)
            case dues.BuryFirstCard(depth=depth):
                self.pile.insert(depth, self.round.discards[-1])
                return facts.CardBuried()
            case dues.ShufflePile(first_card=True):
                self.pile = mixed([*self.pile, self.round.discards[-1]], self.rng)
                self.reshuffled += 1
                return facts.PileShuffled()
            case dues.ShufflePile():
                self.pile += mixed(self.round.discards[:-1], self.rng)
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
                seats = range(self.round.seat_count)
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
        if seat == self.round.turn and not self.round.fouled:
            self.drawn = taken[-1]

    def _answer_challenge(self) -> facts.Fact:
        due = self.round.due
        assert isinstance(due, dues.AnswerChallenge)
        judged = self.hands[due.accused][: due.hand_count]
        shown = next((face for face in judged if face and face in due.forbidden), None)
        if shown is not None and self.round.options.wd4_challenge == "card_returns":
            after = advance(self.round, facts.ChallengeAnswered(shown=shown))
            if after.discards != self.round.discards:
                self.hands[due.accused].append(self.round.discards[-1])
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

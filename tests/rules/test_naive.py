"""The engine against a second, plain reading of the rules: every position of games by chance."""

from dataclasses import replace
from random import Random

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from tests.rules import naive
from tests.rules.test_play import some_options
from unop2p.errors import IllegalMoveError
from unop2p.ids import Seat
from unop2p.rules import due as dues
from unop2p.rules.cards import HAND_SIZE, Kind, deck_for
from unop2p.rules.dealt import Card, DealtGame, mixed
from unop2p.rules.match import start_match
from unop2p.rules.moves import move_text, parse_move
from unop2p.rules.options import PRESETS, Options, options_to_dict
from unop2p.rules.position import TurnPhase

NAMES = [f"s{seat}" for seat in range(10)]
BRIEF = settings(
    max_examples=25,
    stateful_step_count=60,
    deadline=None,
    suppress_health_check=list(HealthCheck),
)


class NoChance:
    """A shuffle that leaves every card where it lies."""

    def randrange(self, stop: int, /) -> int:
        """Return the greatest number allowed."""
        return stop - 1


class Pair:
    """The engine's game and the plain one, from one deck."""

    def __init__(self, options: Options, seats: int, seed: int) -> None:
        rng = Random(seed)
        order = tuple(Seat(seat) for seat in range(seats))
        dealer = Seat(rng.randrange(seats))
        deck = mixed(deck_for(options), rng)
        first = seats * HAND_SIZE
        if rng.random() < 0.5:
            # The blanks among the hands: what they do is played.
            deck.sort(key=lambda face: face.kind is not Kind.BLANK)
            deck = mixed(deck[:first], rng) + deck[first:]
        if rng.random() < 0.4 and deck[first].number is not None:
            # A short pile: shuffles and blocked rounds are reached.
            deck = deck[: first + rng.choice([1, 2, 5, 12, 24])]
        match = start_match(options, order, dealer)
        hands: dict[Seat, list[Card]] = {seat: [] for seat in order}
        pile = list(deck)
        for _ in range(HAND_SIZE):
            for step in range(1, seats + 1):
                hands[Seat((dealer + step) % seats)].append(pile.pop(0))
        self.game = DealtGame(
            match=match,
            position=replace(match.start_round(), pile_count=len(pile)),
            rng=NoChance(),
            hands=hands,
            pile=pile,
            auto_accept=False,
        )
        self.game.settle()
        self.plain = naive.Game(options_to_dict(options), seats, dealer, list(deck))
        self.plain.deck = list(deck_for(options))

    def legal(self, seat: int) -> list[str]:
        """Return the engine's legal moves as text."""
        return [move_text(move, NAMES) for move in self.game.legal(Seat(seat))]

    def tried(self, seat: int, text: str) -> str:
        """Make a move in the engine."""
        try:
            accepted = self.game.act(Seat(seat), parse_move(text, NAMES))
        except IllegalMoveError:
            return "refused"
        return "accepted" if accepted else "fouled"

    def act(self, seat: int, text: str) -> None:
        """Make a move in both."""
        assert self.tried(seat, text) == self.plain.do(seat, text), (text, self.game.round.text())

    def react(self, said: dict[int, str]) -> None:
        """Let some react in both."""
        moves = tuple((Seat(seat), parse_move(text, NAMES)) for seat, text in said.items())
        assert self.game.react(moves) == self.plain.react(said)

    def agree(self) -> None:
        """Compare all there is."""
        game, plain, state = self.game, self.plain, self.game.round
        seats = range(plain.n)
        assert [game.hands[Seat(seat)] for seat in seats] == plain.hands
        assert game.pile == plain.pile
        assert list(state.discards) == plain.disc
        assert (state.color or "") == plain.color
        assert state.direction == plain.dir
        assert state.called == plain.called
        assert list(state.catchable) == ([] if plain.silent is None else [plain.silent])
        asked = {dues.TurnDue: "turn", dues.ReactionDue: "react", dues.RoundOver: "over"}
        assert asked[type(state.due)] == plain.asked
        if isinstance(state.due, dues.RoundOver):
            outcome = state.due.outcome
            assert list(outcome.points) == plain.points()
            assert outcome.winner == plain.winner
            assert (outcome.termination is dues.Termination.BLOCKED) == plain.blocked
            return
        assert state.turn == plain.turn
        assert state.attack_cards == (plain.faced["count"] if plain.faced else 0)
        assert (state.attack is not None) == (plain.faced is not None)
        if plain.asked == "turn":
            assert (state.phase is TurnPhase.COLOR) == plain.naming
            assert state.after_draw == (plain.drawn is not None)
        for seat in seats:
            assert set(self.legal(seat)) == plain.legal(seat), (seat, state.text())


def step(pair: Pair, rng: Random) -> None:
    """Let chance make one move, allowed or not, or let some react."""
    plain = pair.plain
    if plain.asked == "react":
        said = {seat: sorted(plain.legal(seat)) for seat in range(plain.n)}
        pair.react(
            {
                seat: rng.choice(moves)
                for seat, moves in said.items()
                if moves and rng.random() < 0.5
            }
        )
        return
    if rng.random() < 0.25:
        seat = plain.turn if rng.random() < 0.8 else rng.randrange(plain.n)
        pair.act(seat, rng.choice(plain.texts(seat)))
        return
    legal = sorted(plain.legal(plain.turn))
    plays = [text for text in legal if text.startswith("play")]
    pair.act(plain.turn, rng.choice(plays if plays and rng.random() < 0.7 else legal))


class Rules(RuleBasedStateMachine):
    """Both readings, move by move."""

    pair: Pair | None = None

    @initialize(
        preset=st.sampled_from([*PRESETS, "any"]),
        seats=st.integers(2, 5),
        seed=st.integers(0, 2**32),
    )
    def begin(self, preset: str, seats: int, seed: int) -> None:
        options = some_options(Random(seed), seats) if preset == "any" else PRESETS[preset]
        self.pair = Pair(options, seats, seed)

    @property
    def open(self) -> str:
        return self.pair.plain.asked if self.pair else "none"

    @precondition(lambda self: self.open == "turn")
    @rule(data=st.data())
    def a_lawful_move(self, data: st.DataObject) -> None:
        assert self.pair
        plain = self.pair.plain
        self.pair.act(plain.turn, data.draw(st.sampled_from(sorted(plain.legal(plain.turn)))))

    @precondition(lambda self: self.open == "turn")
    @rule(data=st.data())
    def any_move(self, data: st.DataObject) -> None:
        assert self.pair
        plain = self.pair.plain
        seat = data.draw(st.integers(0, plain.n - 1))
        self.pair.act(seat, data.draw(st.sampled_from(plain.texts(seat))))

    @precondition(lambda self: self.open == "react")
    @rule(data=st.data())
    def reactions(self, data: st.DataObject) -> None:
        assert self.pair
        said = {}
        for seat in range(self.pair.plain.n):
            moves = sorted(self.pair.plain.legal(seat))
            text = data.draw(st.sampled_from(["", *moves]))
            if text:
                said[seat] = text
        self.pair.react(said)

    @precondition(lambda self: self.open == "over")
    @rule()
    def nothing_more(self) -> None:
        assert self.pair
        assert self.pair.game.asked == ()

    @invariant()
    def both_agree(self) -> None:
        if self.pair:
            self.pair.agree()


TestRules = pytest.mark.slow(Rules.TestCase)
TestRules.settings = BRIEF


def play(options: Options, seats: int, seed: int, steps: int) -> str:
    """Play by chance in both; return how far it came."""
    pair, rng = Pair(options, seats, seed), Random(seed + 1)
    for _ in range(steps):
        pair.agree()
        if pair.plain.asked == "over":
            break
        step(pair, rng)
    return pair.plain.asked


@pytest.mark.slow
@pytest.mark.parametrize("name", PRESETS)
def test_both_readings_agree_on_whole_rounds_of_each_preset(name: str) -> None:
    ends = [play(PRESETS[name], 2 + seed % 4, seed, 400) for seed in range(10)]
    assert "over" in ends


@pytest.mark.slow
@pytest.mark.parametrize("part", range(4))
def test_both_readings_agree_under_any_rules(part: int) -> None:
    for seed in range(part * 10, part * 10 + 10):
        play(some_options(Random(seed), 2 + seed % 4), 2 + seed % 4, seed, 150)


@pytest.mark.slow
def test_both_readings_agree_on_many_rounds() -> None:
    for seed in range(1000, 1060):
        play(some_options(Random(seed), 2 + seed % 5), 2 + seed % 5, seed, 300)

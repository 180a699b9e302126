"""Contests: who sits where, the same cards for all, and the sums."""

from random import Random

import pytest

from unop2p.bots.base import Bot
from unop2p.bots.contest import Contest, GameResult, deal_of, play_game, seating, standings
from unop2p.bots.levels import make_bot
from unop2p.bots.scripted import ScriptedBot
from unop2p.ids import Seat
from unop2p.rules.cards import Face
from unop2p.rules.options import PRESETS, with_overrides
from unop2p.rules.view import PlayerView

SHORT = with_overrides(PRESETS["official"], {"target": 60})


def contest(*bots: str, seats: int = 2, games: int = 4, duplicate: bool = True) -> Contest:
    return Contest(bots=bots, seats=seats, games=games, options=SHORT, duplicate=duplicate)


def chance(deal: int, number: int, kind: int) -> Random:
    return Random(f"{deal} {number} {kind}")


def test_the_first_bot_sits_on_every_seat_in_turn() -> None:
    duel = contest("a", "b", seats=4)
    assert [seating(duel, game) for game in range(4)] == [
        (0, 1, 1, 1),
        (1, 0, 1, 1),
        (1, 1, 0, 1),
        (1, 1, 1, 0),
    ]
    three = contest("a", "b", "c", seats=4)
    assert seating(three, 0) == (0, 1, 2, 1)


def test_with_duplicates_each_seat_of_a_set_has_the_same_cards() -> None:
    seen: dict[int, list[tuple[Face, ...]]] = {}

    def make(name: str) -> Bot:
        def policy(view: PlayerView, legal: tuple[object, ...]) -> object:
            if view.match.rounds_played == 0 and len(view.hand) == 7:
                hands.setdefault(view.seat, view.hand)
            return make_bot("greedy").choose(view, view.legal(), Random(1))

        return ScriptedBot(policy)  # type: ignore[arg-type]

    for game in range(4):
        hands: dict[Seat, tuple[Face, ...]] = {}
        play_game(contest("a", "b"), game, make, chance)
        deal = deal_of(contest("a", "b"), game)
        known = [hands[seat] for seat in sorted(hands)]
        assert seen.setdefault(deal, known) == known
    assert len(seen) == 2
    assert seen[0] != seen[1]


def test_without_duplicates_every_game_has_cards_of_its_own() -> None:
    alone = contest("a", "b", duplicate=False)
    assert [deal_of(alone, game) for game in range(3)] == [0, 1, 2]


def test_two_seats_gain_what_the_other_loses() -> None:
    for game in range(4):
        result = play_game(contest("greedy", "random"), game, make_bot, chance)
        assert sum(result.gains) == pytest.approx(0)
        assert sum(result.shares) == pytest.approx(1)
        assert result.rounds
        assert play_game(contest("greedy", "random"), game, make_bot, chance) == result


def test_where_points_count_against_their_holder_fewer_are_a_gain() -> None:
    keep = Contest(
        bots=("greedy", "random"),
        seats=2,
        games=2,
        options=with_overrides(PRESETS["hebrew"], {"target": 60}),
    )
    result = play_game(keep, 0, make_bot, chance)
    assert (result.gains[0] > 0) == (result.shares[0] == 1)


def outcome(number: int, share: float, gain: float, rounds: int = 2) -> GameResult:
    return GameResult(
        number=number, shares=(share, 1 - share), gains=(gain, -gain), rounds=rounds, decisions=9
    )


def test_standings_add_up_games_and_points_a_round() -> None:
    results = [outcome(0, 1, 40), outcome(1, 1, 20), outcome(2, 0, -10), outcome(3, 1, 30)]
    first, second = standings(contest("a", "b"), results)
    assert (first.bot, first.wins.value, first.wins.n) == ("a", 0.75, 4)
    assert first.points.value == 10
    assert second.wins.value == 0.25
    assert second.points.value == -10
    (alone, _) = standings(contest("a", "b", duplicate=False), results)
    assert alone.wins.value == 0.75
    assert alone.points.n == 4
    assert first.points.n == 2

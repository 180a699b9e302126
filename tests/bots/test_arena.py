"""Matches of bots without peers."""

from random import Random
from typing import Any

import pytest

from unop2p.bots.arena import ArenaResult, play_match
from unop2p.bots.levels import make_bot
from unop2p.bots.scripted import ScriptedBot
from unop2p.rules.moves import Draw, Move, Pass, Play
from unop2p.rules.options import PRESETS, Options, with_overrides
from unop2p.rules.view import PlayerView


def match(options: Options, seats: int = 2, seed: int = 3, **rest: Any) -> ArenaResult:
    bots = [make_bot("greedy") for _ in range(seats)]
    chances = [Random(seed + seat) for seat in range(seats)]
    return play_match(bots, options, deal=Random(seed), chances=chances, **rest)


def short(rules: str, target: int = 60) -> Options:
    return with_overrides(PRESETS[rules], {"target": target})


@pytest.mark.parametrize("rules", PRESETS)
def test_a_match_of_bots_ends_in_every_preset(rules: str) -> None:
    result = match(short(rules), seats=3)
    assert result.winners
    assert max(result.totals) >= 60
    assert result.decisions > result.rounds > 0


def test_the_same_seeds_give_the_same_match() -> None:
    assert match(short("official")) == match(short("official"))
    assert match(short("official"), seed=4) != match(short("official"))


def test_a_match_that_nobody_wins_is_broken_off() -> None:
    result = match(PRESETS["official"], rounds_max=1)
    assert result.rounds == 1
    assert result.winners == ()


def test_each_bot_is_asked_for_its_own_seat_only() -> None:
    seats: list[list[int]] = [[], []]

    def bot(index: int) -> ScriptedBot:
        def policy(view: PlayerView, legal: tuple[Move, ...]) -> Move:
            seats[index].append(view.seat)
            kinds = (Play, Draw, Pass)
            return next((m for k in kinds for m in legal if isinstance(m, k)), legal[0])

        return ScriptedBot(policy)

    play_match(
        [bot(0), bot(1)],
        short("official"),
        deal=Random(8),
        chances=[Random(1), Random(2)],
        dealer=1,
    )
    assert set(seats[0]) == {0}
    assert set(seats[1]) == {1}

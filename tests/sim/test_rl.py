"""The PettingZoo environment, by PettingZoo's own tests and by ours."""

from collections import Counter
from random import Random
from typing import Any

import numpy as np
import pytest
from pettingzoo.test import api_test, seed_test

from unop2p.rules.cards import deck_for
from unop2p.rules.options import PRESETS, with_overrides
from unop2p.sim.rl import ACTIONS_MAX, UnoEnv


def play(env: UnoEnv, seed: int) -> dict[str, float]:
    """Play an episode by chance, within the mask; return what each came to."""
    rng, gained = Random(seed), Counter[str]()
    env.reset(seed=seed)
    deck = Counter(deck_for(env.options))
    for agent in env.agent_iter():
        seen, reward, over, cut, _ = env.last()
        gained[agent] += reward
        if over or cut:
            env.step(None)
            continue
        assert env.observation_space(agent).contains(seen)
        game = env.game
        held = [
            *game.pile,
            *game.round.discards,
            *(c for hand in game.hands.values() for c in hand),
        ]
        assert Counter(held) == deck, "a card is lost or doubled"
        env.step(int(rng.choice(np.flatnonzero(seen["action_mask"]))))
    return dict(gained)


@pytest.mark.slow
@pytest.mark.filterwarnings("default")
@pytest.mark.parametrize(("seats", "rules"), [(2, "official"), (4, "romanian"), (10, "ukrainian")])
def test_pettingzoos_own_tests_pass(seats: int, rules: str) -> None:
    api_test(UnoEnv(seats, rules, render_mode="ansi"), num_cycles=200)
    seed_test(lambda: UnoEnv(seats, rules), num_cycles=60)


@pytest.mark.slow
@pytest.mark.parametrize("rules", sorted(PRESETS))
def test_a_player_by_chance_within_the_mask_keeps_every_card(rules: str) -> None:
    for seats in (2, 5):
        gained = play(UnoEnv(seats, rules), seats)
        assert abs(sum(gained.values())) < 1e-6, "one's gain is the others' loss"


def test_the_same_seed_plays_the_same_and_another_otherwise() -> None:
    env = UnoEnv(3, with_overrides(PRESETS["official"], {"hand_moves": "seven_swaps"}))
    assert play(env, 5) == play(env, 5) != play(env, 6)


def test_what_the_mask_forbids_is_refused() -> None:
    env = UnoEnv()
    env.reset(seed=1)
    seen: Any = env.observe(env.agent_selection)
    with pytest.raises(ValueError, match="not in the mask"):
        env.step(int(np.flatnonzero(seen["action_mask"] == 0)[0]))
    other = next(agent for agent in env.agents if agent != env.agent_selection)
    assert not env.observe(other)["action_mask"].any()
    assert ACTIONS_MAX == 5_000

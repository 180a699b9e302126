"""The ladder: each level beats the one below, by as much as its page says."""

from random import Random

import pytest

from unop2p.bots.arena import play_match
from unop2p.bots.levels import make_bot
from unop2p.rules.options import PRESETS

MATCHES = 500


def wins_of(level: str, rival: str, matches: int) -> int:
    """Return how many matches a level wins; seats and dealers take turns."""
    wins = 0
    for number in range(matches):
        seed = 7_000 + number
        hero = number % 2
        bots = [make_bot(rival), make_bot(rival)]
        bots[hero] = make_bot(level)
        result = play_match(
            bots,
            PRESETS["official"],
            deal=Random(seed),
            chances=[Random(seed + 1_000_000), Random(seed + 2_000_000)],
            dealer=number // 2 % 2,
        )
        wins += hero in result.winners
    return wins


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_greedy_wins_nine_of_ten_matches_to_500_against_random() -> None:
    wins = wins_of("greedy", "random", MATCHES)
    assert wins >= 0.9 * MATCHES, f"{wins} of {MATCHES}"


@pytest.mark.slow
def test_net_wins_far_more_than_half_of_the_matches_to_500_against_greedy() -> None:
    wins = wins_of("net", "greedy", 60)
    assert wins >= 38, f"{wins} of 60"

"""Rounds a second: the rules engine beside RLCard's UNO environment, in turn, in one process.

Both play two seats that choose by chance among what is legal, each as likely. `same rules` are RLCard's
own: a seat draws only when nothing fits and must play a drawn card that does, a Wild Draw Four is lawful
with nothing else to play and is not challenged, and nobody calls UNO. The presets are played as they
are, but for `voluntary_draw=false`: who draws by chance never comes to an end. Their rounds ask for more
decisions: calls and catches, challenges, drawn cards that are kept. It is one engine for all of them.
"""

import gc
import importlib
import statistics
import time
from collections.abc import Callable
from functools import partial
from random import Random

from unop2p.ids import Seat
from unop2p.rules.dealt import DealtGame
from unop2p.rules.due import ReactionDue, TurnDue
from unop2p.rules.moves import Move
from unop2p.rules.options import PRESETS, Options, with_overrides

SAME = {"drawn_card": "must_play", "uno_penalty": 0}
"""What makes of the Greek preset the rules that RLCard plays."""
SEATS = (Seat(0), Seat(1))


class Chance:
    """Even enough for a bench, and quick: what is timed are rules, not dice."""

    randrange: Callable[[int], int]
    """Returns a number, 0 <= it < the one that is given."""

    def __init__(self, seed: int) -> None:
        self.random = random = Random(seed).random
        self.randrange = lambda stop: int(random() * stop)


def play_round(options: Options, rng: Chance) -> int:
    """Play one round; return how many decisions it took."""
    game = DealtGame.start(options, SEATS, SEATS[rng.randrange(2)], rng)
    decisions, chance, choose, act = 0, rng.random, game.legal, game.act
    while True:
        due = game.due
        if isinstance(due, TurnDue):
            seat = due.seat
            legal = choose(seat)
            act(seat, legal[int(chance() * len(legal))])
            decisions += 1
        elif isinstance(due, ReactionDue):
            said: list[tuple[Seat, Move]] = []
            for seat in game.asked:
                legal = game.legal(seat)
                choice = rng.randrange(len(legal) + 1)  # or say nothing
                decisions += bool(legal)
                if choice < len(legal):
                    said.append((seat, legal[choice]))
            game.react(tuple(said))
        else:
            break
    return decisions


def rate(play: Callable[[], int], seconds: float) -> tuple[float, float]:
    """Return rounds and decisions for each second of CPU time."""
    began = time.process_time()
    rounds = decisions = 0
    while True:
        decisions += play()
        rounds += 1
        used = time.process_time() - began
        if used >= seconds:
            return rounds / used, decisions / used


def rlcard_round() -> Callable[[], int] | None:
    """Return what plays one round in RLCard and counts its decisions, or None where it is not there."""
    try:
        rlcard = importlib.import_module("rlcard")
        agents = importlib.import_module("rlcard.agents")
    except ImportError:
        return None
    env = rlcard.make("uno", config={"seed": 1})
    env.set_agents([agents.RandomAgent(num_actions=env.num_actions) for _ in SEATS])

    def play() -> int:
        paths, _ = env.run(is_training=False)
        # A seat's path is a state, an action, a state, and so on to the last state.
        return sum(len(path) // 2 for path in paths)

    return play


def figures(runs: int = 7, seconds: float = 0.7) -> dict[str, object]:
    """Return rounds a second and ratios, the median of some runs with least and most."""
    theirs = rlcard_round()
    presets = {"same rules": with_overrides(PRESETS["greek"], SAME)} | {
        name: with_overrides(options, {"voluntary_draw": False})
        for name, options in PRESETS.items()
    }
    # What both have loaded is no garbage, and need not be looked through for it while they play.
    gc.collect()
    gc.freeze()
    rng = Chance(1)
    rates: dict[str, list[float]] = {name: [] for name in ["rlcard", *presets]}
    steps: dict[str, list[float]] = {name: [] for name in rates}
    plays: dict[str, Callable[[], int]] = {} if theirs is None else {"rlcard": theirs}
    for name, options in presets.items():
        plays[name] = partial(play_round, options, rng)
    for _ in range(runs):
        for name, play in plays.items():
            rounds, decisions = rate(play, seconds)
            rates[name].append(rounds)
            steps[name].append(decisions)
    found: dict[str, object] = {"runs": runs}
    for name, many in rates.items():
        if many:
            found[f"{name}_rounds_s"] = round(statistics.median(many))
            found[f"{name}_decisions_s"] = round(statistics.median(steps[name]))
    for name in presets:
        if theirs is None:
            found["rlcard"] = "not installed: `make bench` does"
            break
        pairs = zip(rates[name], rates["rlcard"], strict=True)
        ratios = sorted(ours / other for ours, other in pairs)
        found[f"{name}_over_rlcard"] = round(statistics.median(ratios), 2)
        found[f"{name}_over_rlcard_range"] = [round(ratios[0], 2), round(ratios[-1], 2)]
    return found

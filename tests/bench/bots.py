"""What bots cost: whole playouts beside RLCard's UNO environment, and a move of each level.

A playout deals all cards, shuffled, and plays one round by its own policy to the end and the points;
RLCard's `env.run` plays one of its own rounds with seats that choose by chance. Both are rounds of
two seats, timed in turn in one process.
"""

import statistics
import time
from random import Random

from tests.bench.rounds import rate, rlcard_round
from unop2p.bots.base import Bot
from unop2p.bots.learned import LearnedBot
from unop2p.bots.levels import LEVELS, make_bot
from unop2p.bots.playout import WILD, Playout, Shape, shape_for
from unop2p.ids import Seat
from unop2p.rules.cards import HAND_SIZE
from unop2p.rules.dealt import DealtGame
from unop2p.rules.due import ReactionDue, TurnDue
from unop2p.rules.options import PRESETS, Options
from unop2p.rules.view import PlayerView


def play_out(shape: Shape, seats: int, rng: Random) -> int:
    """Deal and play one round; return how many cards the winner's rivals held."""
    cards = [1 << place for place in range(len(shape.faces))]
    draw = rng.random
    cards.sort(key=lambda _: draw())
    pile = cards[HAND_SIZE * seats :]
    top = pile.pop()
    while shape.effects[top.bit_length() - 1] >= WILD:
        pile.insert(0, top)
        top = pile.pop()
    playout = Playout(
        shape=shape,
        hands=[sum(cards[HAND_SIZE * seat : HAND_SIZE * (seat + 1)]) for seat in range(seats)],
        pile=pile,
        discards=top,
        top=top,
        fitting=shape.fitting[top.bit_length() - 1],
        turn=0,
        shuffle=rng.shuffle,
    )
    playout.run()
    playout.points()
    return sum(hand.bit_count() for hand in playout.hands)


def positions(options: Options, seats: int, count: int) -> list[PlayerView]:
    """Return views of seats that have to move, of games among `greedy`."""
    order = tuple(Seat(seat) for seat in range(seats))
    greedy, rng, found = make_bot("greedy"), Random(5), list[PlayerView]()
    while len(found) < count:
        game = DealtGame.start(options, order, order[0], rng)
        while not game.round.over:
            if isinstance(game.round.due, ReactionDue):
                game.react(())
                continue
            assert isinstance(game.round.due, TurnDue)
            view = game.view(game.round.due.seat)
            if len(view.legal()) > 1:
                found.append(view)
            move = greedy.choose(view, view.legal(), rng)
            assert move is not None
            game.act(view.seat, move)
    return found[:count]


def move_ms(bot: Bot, views: list[PlayerView]) -> dict[str, float]:
    """Return median and 99th percentile of the CPU time of a move, where there is a choice."""
    times: list[float] = []
    for view in views:
        legal, rng = view.legal(), Random(1)
        began = time.process_time_ns()
        bot.choose(view, legal, rng)
        times.append((time.process_time_ns() - began) / 1e6)
    times.sort()
    return {
        "median_ms": round(statistics.median(times), 3),
        "p99_ms": round(times[int(0.99 * len(times))], 3),
    }


def playouts_over_rlcard(runs: int = 7, seconds: float = 0.7) -> dict[str, object]:
    """Return playouts a second, and over RLCard's rounds, the median of some runs in turn."""
    theirs, rng = rlcard_round(), Random(1)
    names = [(rules, seats) for rules in ("official", "polish") for seats in (2, 4)]
    rates: dict[str, list[float]] = {"rlcard": []}
    for _ in range(runs):
        if theirs is not None:
            rates["rlcard"].append(rate(theirs, seconds)[0])
        for rules, seats in names:
            shape = shape_for(PRESETS[rules])
            assert shape is not None
            key = f"{rules} {seats} seats"
            made = rate(lambda shape=shape, seats=seats: play_out(shape, seats, rng), seconds)  # type: ignore[misc]  # bound at once
            rates.setdefault(key, []).append(made[0])
    found: dict[str, object] = {
        f"{name}, rounds a second": round(statistics.median(many))
        for name, many in rates.items()
        if many
    }
    for rules, seats in names:
        if theirs is None:
            found["rlcard"] = "not installed: `make bench` does"
            break
        pairs = zip(rates[f"{rules} {seats} seats"], rates["rlcard"], strict=True)
        ratios = sorted(ours / other for ours, other in pairs)
        found[f"{rules} {seats} seats over rlcard"] = {
            "median": round(statistics.median(ratios), 1),
            "range": [round(ratios[0], 1), round(ratios[-1], 1)],
        }
    return found


def figures(count: int = 300) -> dict[str, object]:
    """Return what playouts and moves cost."""
    bots: dict[str, Bot] = {level: make_bot(level) for level in LEVELS}
    bots["net without numpy"] = LearnedBot("net", fast=False)
    views = {seats: positions(PRESETS["official"], seats, count) for seats in (2, 4)}
    return {"playouts": playouts_over_rlcard()} | {
        f"{name}, {seats} seats": move_ms(bot, views[seats])
        for name, bot in bots.items()
        for seats in views
    }

"""Contests of bots on all cores: the same seed gives the same matches, however many cores there are."""

import multiprocessing
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from functools import lru_cache
from hashlib import sha256
from random import Random

from unop2p.bots.base import Bot
from unop2p.bots.contest import Contest, GameResult, play_game
from unop2p.bots.guard import BotFailedError
from unop2p.bots.levels import make_bot
from unop2p.words import said

CHUNKS_EACH = 16
"""Pieces of work for each core: enough that none waits long at the end."""
CHUNK_MAX = 20
"""Games in a piece, so that progress shows."""


def chance_of(seed: int, deal: int, number: int, kind: int) -> Random:
    """Return chance that hangs on nothing but these numbers."""
    text = f"{seed} {deal} {number} {kind}"
    seed_number = int.from_bytes(sha256(text.encode()).digest()[:8], "big")
    return Random(seed_number)  # noqa: S311  # a game among bots, to be repeated


Make = Callable[[str], Bot]
"""Gives the bot of a name. A function of a module, so that other processes can be told of it."""


@lru_cache(maxsize=32)
def _bot(make: Make, name: str) -> Bot:
    return make(name)


def play_games(
    contest: Contest, seed: int, games: range, make: Make = make_bot
) -> list[GameResult]:
    """Play some matches of a contest, one after another."""

    def bot(name: str) -> Bot:
        return _bot(make, name)

    return [
        play_game(contest, game, bot, lambda *numbers: chance_of(seed, *numbers)) for game in games
    ]


def pieces(games: int, workers: int) -> list[range]:
    """Cut a contest into pieces of work."""
    size = max(1, min(CHUNK_MAX, -(-games // (workers * CHUNKS_EACH))))
    return [range(first, min(first + size, games)) for first in range(0, games, size)]


def play_contests(
    contests: list[Contest],
    seed: int,
    *,
    workers: int,
    told: Callable[[int], None] = lambda _: None,
    make: Make = make_bot,
) -> list[list[GameResult]]:
    """Play contests on so many cores; return each one's games in order.

    Args:
        contests: what is played.
        seed: of cards and bots; each contest has the same.
        workers: processes; with 1 all is played in this one.
        told: told how many games were played, each time some are.
        make: gives the bots; each process asks it once for each name.

    Raises:
        BotFailedError: a bot of somebody's own fails, or takes its process with it.
    """
    found: list[list[GameResult]] = [[] for _ in contests]
    work = [
        (place, piece)
        for place, contest in enumerate(contests)
        for piece in pieces(contest.games, workers)
    ]
    for place, results in _done(contests, seed, work, workers, make):
        found[place] += results
        told(len(results))
    return [sorted(results, key=lambda result: result.number) for results in found]


def _done(
    contests: list[Contest], seed: int, work: list[tuple[int, range]], workers: int, make: Make
) -> Iterator[tuple[int, list[GameResult]]]:
    if workers == 1:
        for place, piece in work:
            yield place, play_games(contests[place], seed, piece, make)
        return
    context = multiprocessing.get_context("spawn")
    before = set(multiprocessing.active_children())
    with ProcessPoolExecutor(workers, mp_context=context) as pool:
        waiting = {
            pool.submit(play_games, contests[place], seed, piece, make): place
            for place, piece in work
        }
        try:
            for future in as_completed(waiting):
                yield waiting[future], future.result()
        except BrokenProcessPool as error:
            message = said("A process in which it played has ended all of a sudden.")
            raise BotFailedError(message) from error
        except BaseException:
            # Nobody waits for what is still being played, perhaps by a bot that never answers. The
            # pool sees them end, and ends: without waiting for it the program would end too soon.
            for process in set(multiprocessing.active_children()) - before:
                process.terminate()
            raise

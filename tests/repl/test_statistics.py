"""What many matches came to."""

from tests.edge.test_results import result
from unop2p.edge.results import Result, SeatResult
from unop2p.repl.statistics import ASCII_BARS, BARS, SHOWN_MAX, lines, sparkline, statistics


def match(won: bool, points: int = 100, others: int = 200) -> Result:  # noqa: FBT001  # short
    return result(won=won, points=points if not won else max(points, others))


def test_matches_rounds_and_points_are_added_up() -> None:
    told = statistics([result("a"), result("b", won=False, points=30, rounds_won=1)])
    assert (told.matches, told.won, told.rounds, told.rounds_won) == (2, 1, 12, 5)
    assert told.points == 530
    assert told.shares == (1.0, 30 / 120)


def test_streaks_are_the_last_and_the_longest() -> None:
    wins = [True, True, True, False, True, False, False]
    told = statistics([match(won) for won in wins])
    assert (told.streak, told.longest) == (-2, 3)
    assert statistics([match(won) for won in (False, True)]).streak == 1
    assert statistics([]).streak == 0


def test_opponents_are_known_by_key_under_their_last_name() -> None:
    def met(name: str, *, we: bool, they: bool) -> Result:
        ours = SeatResult(name="ann", key="01", bot=False, points=1, rounds_won=0, won=we)
        other = SeatResult(name=name, key="02", bot=False, points=1, rounds_won=0, won=they)
        third = SeatResult(name="cleo", key="03", bot=True, points=1, rounds_won=0, won=False)
        return Result(ended_s=1, table=name, rounds=1, own=1, seats=(other, ours, third))

    games = [met("ben", we=True, they=False), met("ben2", we=False, they=True)]
    told = statistics([*games, met("ben3", we=False, they=False)])
    first, second = told.opponents
    assert (first.name, first.matches, first.won, first.lost) == ("ben3", 3, 1, 1)
    assert (second.name, second.bot, second.won, second.lost) == ("cleo", True, 1, 0)


def test_a_match_in_which_nobody_scored_has_the_lowest_bar() -> None:
    assert sparkline([0.0, 1.0], BARS) == "▁█"
    assert statistics([result(points=0, won=False)]).shares == (0.0,)
    assert sparkline([-1.0, 2.0], ASCII_BARS) == "_@"


def test_the_lines_fit_a_narrow_terminal_and_play_no_tricks() -> None:
    games = [result(str(number), name="ann", won=number % 2 == 0) for number in range(90)]
    said = lines(statistics(games), bars=ASCII_BARS)
    assert said[0] == "90 matches, 45 won (50 %)"
    assert max(map(len, said)) <= 60
    assert all(line.isascii() for line in said)
    assert len(said[5].strip()) == SHOWN_MAX
    other = SeatResult(name="b\x1b[2J", key="02", bot=False, points=1, rounds_won=0, won=False)
    odd = Result(ended_s=1, table="x", rounds=1, own=0, seats=(result().mine, other))
    assert not any("\x1b" in line for line in lines(statistics([odd])))


def test_one_match_is_said_as_one() -> None:
    said = lines(statistics([result()]))
    assert said[0] == "1 match, 1 won (100 %)"
    assert said[3] == "1 match won in a row; longest row of wins: 1"
